package bitcode

import (
	"github.com/mirin-go/mirin/ir"
)

func (b *bodyReader) landingPad(code uint32, o *operands) {
	tid := o.num()
	in := ir.Instr{Op: ir.OpLandingPad, Type: b.typ(tid)}
	if code == fnLandingPadOld {
		p := o.typed()
		if g := b.f.Global(); p.v.Tag() == ir.TagGlobal && g.Persona == 0 {
			g.Persona = p.v
		}
	}
	if o.num() != 0 {
		in.Flags |= ir.Cleanup
	}
	n := o.num()
	var filters []bool
	ops := b.ops[:0]
	for range min(n, uint64(len(o.rec))) {
		filters = append(filters, o.num() == 1)
		ops = append(ops, o.typed().v)
	}
	b.ops = ops
	if in.Type == 0 {
		b.fail("Invalid record")
		return
	}
	in.Extra = b.f.AddExtra(ir.Extra{ClauseFilters: filters})
	b.emit(in, uint32(tid), ops...)
}

func (b *bodyReader) funclet(code uint32, o *operands) {
	switch code {
	case fnCleanupRet:
		ops := []ir.Value{o.of(ir.Token, noID).v}
		if o.more() {
			ops = append(ops, b.blockVal(o.num()))
		}
		b.emit(ir.Instr{Op: ir.OpCleanupRet}, noID, ops...)
	case fnCatchRet:
		p := o.of(ir.Token, noID)
		b.emit(ir.Instr{Op: ir.OpCatchRet}, noID, p.v, b.blockVal(o.num()))
	case fnCatchSwitch:
		ops := []ir.Value{o.of(ir.Token, noID).v}
		n := o.num()
		for range min(n, uint64(len(o.rec))) {
			ops = append(ops, b.blockVal(o.num()))
		}
		if o.more() {
			ops = append(ops, b.blockVal(o.num()))
		}
		if b.c.err != nil {
			return
		}
		x := b.f.AddExtra(ir.Extra{NumHandlers: int(n)})
		b.emit(ir.Instr{Op: ir.OpCatchSwitch, Type: ir.Token, Extra: x}, noID, ops...)
	default:
		op := ir.OpCatchPad
		if code == fnCleanupPad {
			op = ir.OpCleanupPad
		}
		ops := []ir.Value{o.of(ir.Token, noID).v}
		n := o.num()
		for range min(n, uint64(len(o.rec))) {
			ops = append(ops, o.typed().v)
		}
		b.emit(ir.Instr{Op: op, Type: ir.Token}, noID, ops...)
	}
}

func (b *bodyReader) bundle(o *operands) {
	n := o.num()
	if b.c.err != nil || n >= uint64(len(b.bundles)) {
		b.fail("Invalid record")
		return
	}
	x := ir.Bundle{Tag: b.bundles[n]}
	for o.more() {
		if o.rec[o.i] == bundleMetadataFlag && o.i+1 < len(o.rec) {
			x.Args = append(x.Args, ir.MDVal(b.metadata(uint64(b.abs(o.rec[o.i+1])))))
			o.i += 2
			continue
		}
		x.Args = append(x.Args, o.typed().v)
		if b.c.err != nil {
			return
		}
	}
	b.bundlesP = append(b.bundlesP, x)
}

// call decodes call, invoke and callbr.
func (b *bodyReader) call(code uint32, o *operands) {
	attrs := b.attrList(o.num())
	cc := o.num()
	in := ir.Instr{Op: ir.OpCall}
	explicit := false
	var dests []ir.Value
	switch code {
	case fnCall:
		in.CC = uint16(cc & 0x7ff >> callCC)
		explicit = cc>>callExplicitType&1 != 0
		switch {
		case cc>>callMustTail&1 != 0:
			in.Flags |= ir.MustTail
		case cc&1 != 0:
			in.Flags |= ir.TailCall
		case cc>>callNoTail&1 != 0:
			in.Flags |= ir.NoTail
		}
		if cc>>callFMF&1 != 0 {
			in.Flags |= fmf(o.num())
		}
	case fnInvoke:
		in.Op = ir.OpInvoke
		in.CC = uint16(cc & 0x3ff)
		explicit = cc>>13&1 != 0
		dests = append(dests, b.blockVal(o.num()), b.blockVal(o.num()))
	case fnCallBr:
		in.Op = ir.OpCallBr
		in.CC = uint16(cc & 0x7ff >> callCC)
		explicit = cc>>callExplicitType&1 != 0
		dests = append(dests, b.blockVal(o.num()))
		n := o.num()
		for range min(n, uint64(len(o.rec))) {
			dests = append(dests, b.blockVal(o.num()))
		}
	}
	ftid := noID
	if explicit {
		ftid = uint32(o.num())
		if b.c.err == nil && b.t.Kind(b.typ(uint64(ftid))) != ir.KindFunction {
			b.fail("Explicit %s type is not a function type", in.Op)
			return
		}
	}
	callee := o.typed()
	if b.c.err != nil {
		return
	}
	ct := b.typeOf(callee.v)
	if b.t.Kind(ct) != ir.KindPointer {
		b.fail("Callee is not a pointer type")
		return
	}
	if !explicit {
		ftid = b.elemID(callee.tid, 0)
		if b.t.Kind(b.typ(uint64(ftid))) != ir.KindFunction {
			b.fail("Callee is not of pointer to function type")
			return
		}
	}
	ft := b.typ(uint64(ftid))
	params := b.t.Subtypes(ft)
	if len(o.rec)-o.i < len(params) {
		b.fail("Insufficient operands to call")
		return
	}
	ops := b.ops[:0]
	var args []value
	for i, p := range params {
		pid := noID
		if b.typed {
			pid = b.elemID(ftid, i+1)
		}
		v := o.of(p, pid)
		ops = append(ops, v.v)
		if b.typed {
			args = append(args, v)
		}
	}
	if o.more() && !b.t.IsVarArg(ft) {
		b.fail("Invalid record")
		return
	}
	for o.more() && b.c.err == nil {
		ops = append(ops, o.typed().v)
	}
	if b.c.err != nil {
		return
	}
	n := len(ops)
	if code == fnCallBr {
		in.Order, in.Order2 = ir.Ordering(n&255), ir.Ordering(n>>8)
	}
	ops = append(ops, callee.v)
	ops = append(ops, dests...)
	b.ops = ops
	in.SrcType, in.Type = ft, b.t.Result(ft)
	in.Attrs = b.elementTypes(b.fixTypeAttrs(attrs, ftid), callee.v, args)
	as := b.t.AddrSpace(ct)
	if callee.v.Tag() == ir.TagInlineAsm {
		as = b.dl.ProgramAS
	}
	if len(b.bundlesP) > 0 || as != 0 {
		in.Extra = b.f.AddExtra(ir.Extra{Bundles: b.bundlesP, AddrSpace: as})
		if len(b.bundlesP) > 0 {
			b.fwdEx = append(b.fwdEx, in.Extra)
			b.done.extra = append(b.done.extra, in.Extra)
		}
		b.bundlesP = nil
	}
	b.emit(in, b.elemID(ftid, 0), ops...)
}

package bitcode

import (
	"github.com/mirin-go/mirin/ir"
)

// fmf decodes fast-math flags.
func fmf(n uint64) (f ir.Flags) {
	if n&1 != 0 {
		return ir.FastMath
	}
	for i, x := range [...]ir.Flags{ir.NoNaNs, ir.NoInfs, ir.NoSignedZeros, ir.AllowReciprocal, ir.Contract, ir.ApproxFunc, ir.Reassoc} {
		if n>>(i+1)&1 != 0 {
			f |= x
		}
	}
	return f
}

func (b *bodyReader) isPtr(t ir.Type) bool { return b.t.Kind(b.t.Scalar(t)) == ir.KindPointer }

// instruction decodes one record of a function block.
func (b *bodyReader) instruction(code uint32, rec []uint64) {
	o := &operands{b: b, rec: rec}
	switch code {
	case fnBinop:
		x := o.typed()
		y := o.of(b.tOf(x), x.tid)
		n := o.num()
		if b.c.err != nil {
			return
		}
		t := b.typeOf(x.v)
		op := b.binop(n, t)
		if op == 0 {
			b.fail("Invalid record")
			return
		}
		in := ir.Instr{Op: op, Type: t}
		if o.more() {
			if f := o.num(); b.t.IsFloat(b.t.Scalar(t)) {
				in.Flags = fmf(f)
			} else {
				in.Flags = binopFlags(op, f)
			}
		}
		b.emit(in, x.tid, x.v, y.v)
	case fnUnop:
		x := o.typed()
		if o.num() != 0 || b.c.err != nil || !b.t.IsFloat(b.t.Scalar(b.typeOf(x.v))) {
			b.fail("Invalid record")
			return
		}
		in := ir.Instr{Op: ir.OpFNeg, Type: b.typeOf(x.v)}
		if o.more() {
			in.Flags = fmf(o.num())
		}
		b.emit(in, x.tid, x.v)
	case fnCast:
		b.cast(o)
	case fnGEP, fnGEPOld, fnInboundsGEPOld:
		b.gep(code, o)
	case fnSelect, fnVSelect:
		x := o.typed()
		t := b.tOf(x)
		y := o.of(t, x.tid)
		var c value
		if code == fnVSelect {
			c = o.typed()
		} else {
			c = o.of(ir.Int1, noID)
		}
		in := ir.Instr{Op: ir.OpSelect, Type: t}
		if o.more() {
			in.Flags = fmf(o.num())
		}
		b.emit(in, x.tid, c.v, x.v, y.v)
	case fnExtractElt:
		x := o.typed()
		i := o.typed()
		if !b.vector(x) {
			return
		}
		b.emit(ir.Instr{Op: ir.OpExtractElement, Type: b.t.Elem(b.typeOf(x.v))}, b.elemID(x.tid, 0), x.v, i.v)
	case fnInsertElt:
		x := o.typed()
		if !b.vector(x) {
			return
		}
		y := o.of(b.t.Elem(b.typeOf(x.v)), b.elemID(x.tid, 0))
		i := o.typed()
		b.emit(ir.Instr{Op: ir.OpInsertElement, Type: b.tOf(x)}, x.tid, x.v, y.v, i.v)
	case fnShuffleVec:
		b.shuffle(o)
	case fnCmp, fnCmp2:
		b.cmp(o)
	case fnRet:
		if len(rec) == 0 {
			b.emit(ir.Instr{Op: ir.OpRet}, noID)
			return
		}
		b.emit(ir.Instr{Op: ir.OpRet}, noID, o.typed().v)
	case fnBr:
		t := b.blockVal(o.num())
		if len(rec) == 1 {
			b.emit(ir.Instr{Op: ir.OpBr}, noID, t)
			return
		}
		f := b.blockVal(o.num())
		c := o.of(ir.Int1, noID)
		b.emit(ir.Instr{Op: ir.OpBr}, noID, c.v, t, f)
	case fnSwitch:
		b.switchInstr(o)
	case fnIndirectBr:
		t := b.typ(o.num())
		if t == 0 || !b.isPtr(t) {
			b.fail("Invalid record")
			return
		}
		ops := append(b.ops[:0], o.of(t, noID).v)
		for o.more() {
			ops = append(ops, b.blockVal(o.num()))
		}
		b.emit(ir.Instr{Op: ir.OpIndirectBr}, noID, ops...)
		b.ops = ops
	case fnInvoke, fnCall, fnCallBr:
		b.call(code, o)
	case fnUnreachable:
		b.emit(ir.Instr{Op: ir.OpUnreachable}, noID)
	case fnPhi:
		b.phi(o)
	case fnLandingPad, fnLandingPadOld:
		b.landingPad(code, o)
	case fnAlloca:
		b.alloca(o)
	case fnLoad, fnLoadAtomic:
		b.load(code, o)
	case fnStore, fnStoreOld, fnStoreAtomic, fnStoreAtomicOld:
		b.store(code, o)
	case fnCmpXchg, fnCmpXchgOld:
		b.cmpxchg(code, o)
	case fnAtomicRMW, fnAtomicRMWOld:
		b.rmw(code, o)
	case fnFence:
		if len(rec) != 2 {
			b.fail("Invalid record")
			return
		}
		in := ir.Instr{Op: ir.OpFence, Order: ordering(rec[0]), Scope: b.scope(rec[1])}
		if in.Order < ir.Acquire {
			b.fail("Invalid record")
			return
		}
		b.emit(in, noID)
	case fnVAArg:
		if len(rec) < 3 {
			b.fail("Invalid record")
			return
		}
		lt, rt := b.typ(rec[0]), b.typ(rec[2])
		o.i = 1
		v := o.of(lt, uint32(rec[0]))
		b.emit(ir.Instr{Op: ir.OpVAArg, Type: rt, SrcType: rt}, uint32(rec[2]), v.v)
	case fnExtractVal, fnInsertVal:
		b.aggregate(code, o)
	case fnResume:
		b.emit(ir.Instr{Op: ir.OpResume}, noID, o.typed().v)
	case fnFreeze:
		x := o.typed()
		b.emit(ir.Instr{Op: ir.OpFreeze, Type: b.tOf(x)}, x.tid, x.v)
	case fnCleanupRet, fnCatchRet, fnCatchPad, fnCleanupPad, fnCatchSwitch:
		b.funclet(code, o)
	case fnBundle:
		b.bundle(o)
	case fnBlockAddrUsers:
	case fnDebugLoc:
		b.debugLoc(rec)
	case fnDebugLocAgain:
		b.setLoc()
	case fnDbgValue, fnDbgDeclare, fnDbgAssign, fnDbgValueSimple, fnDbgLabel, fnDbgDeclareValue:
		b.debugRecord(code, rec)
	default:
		b.fail("Invalid value")
	}
}

// tOf is typeOf for values that may be missing after a fault.
func (b *bodyReader) tOf(v value) ir.Type {
	if b.c.err != nil || v.v == 0 {
		return 0
	}
	return b.typeOf(v.v)
}

func (b *bodyReader) vector(v value) bool {
	t := b.tOf(v)
	if t != 0 && !b.t.IsVector(t) {
		b.fail("Invalid type for value")
	}
	return b.c.err == nil
}

func (b *bodyReader) cast(o *operands) {
	x := o.typed()
	tid := o.num()
	t, n := b.typ(tid), o.num()
	if b.c.err != nil {
		return
	}
	if n >= uint64(len(castOps)) || t == 0 {
		b.fail("Invalid record")
		return
	}
	op, from := castOps[n], b.typeOf(x.v)
	if op == ir.OpBitCast && from != t && b.t.Kind(from) == ir.KindPointer && b.t.Kind(t) == ir.KindPointer {
		op = ir.OpAddrSpaceCast
	}
	if op == ir.OpBitCast && from == t {
		// Between typed pointers: nothing today, but the value has another element type.
		b.emit(ir.Instr{Op: op, Type: t}, uint32(tid), x.v)
		return
	}
	if !b.t.CastValid(op, from, t) {
		b.fail("Invalid cast")
		return
	}
	in := ir.Instr{Op: op, Type: t}
	if o.more() {
		f := o.num()
		switch op {
		case ir.OpZExt, ir.OpUIToFP:
			if f&1 != 0 {
				in.Flags = ir.NNeg
			}
		case ir.OpTrunc:
			in.Flags = binopFlags(op, f)
		case ir.OpFPTrunc, ir.OpFPExt, ir.OpFPToUI, ir.OpFPToSI, ir.OpSIToFP:
			in.Flags = fmf(f)
		}
	}
	if op == ir.OpUIToFP && o.more() {
		in.Flags |= fmf(o.num())
	}
	b.emit(in, uint32(tid), x.v)
}

func (b *bodyReader) gep(code uint32, o *operands) {
	in := ir.Instr{Op: ir.OpGEP}
	src := noID
	switch code {
	case fnGEP:
		in.Flags = gepFlags(o.num())
		src = uint32(o.num())
	case fnInboundsGEPOld:
		in.Flags = gepFlags(1)
	}
	base := o.typed()
	if b.c.err != nil {
		return
	}
	if code != fnGEP {
		src = b.elemID(base.tid, 0)
		if b.t.IsVector(b.typeOf(base.v)) {
			src = b.elemID(src, 0)
		}
	}
	in.SrcType, in.Type = b.typ(uint64(src)), b.typeOf(base.v)
	if in.SrcType == 0 || !b.isPtr(in.Type) {
		b.fail("Invalid record")
		return
	}
	cur := src
	ops := append(b.ops[:0], base.v)
	for first := true; o.more(); first = false {
		x := o.typed()
		if b.c.err != nil {
			return
		}
		t := b.typeOf(x.v)
		if b.t.IntBits(b.t.Scalar(t)) == 0 {
			b.fail("Invalid record")
			return
		}
		if b.t.IsVector(t) && !b.t.IsVector(in.Type) {
			in.Type = b.t.Vector(in.Type, b.t.NumElems(t), b.t.Kind(t) == ir.KindScalableVector)
		}
		if !first && b.typed && cur != noID {
			n, _ := b.f.Consts.SignedInt(b.t, x.v)
			cur = b.elemID(cur, int(n))
		}
		ops = append(ops, x.v)
	}
	b.ops = ops
	tid := noID
	if b.typed {
		tid = b.pointerTo(cur, b.t.AddrSpace(b.t.Scalar(in.Type)))
	}
	b.emit(in, tid, ops...)
}

func (b *bodyReader) shuffle(o *operands) {
	x := o.typed()
	if !b.vector(x) {
		return
	}
	y := o.of(b.typeOf(x.v), x.tid)
	m := o.typed()
	if !b.vector(m) {
		return
	}
	t, mt := b.typeOf(x.v), b.typeOf(m.v)
	mask, ok := b.mask(mt, m.v)
	if !ok {
		b.fail("Invalid record")
		return
	}
	in := ir.Instr{Op: ir.OpShuffleVector, Type: b.t.Vector(b.t.Elem(t), b.t.NumElems(mt), b.t.Kind(mt) == ir.KindScalableVector)}
	in.Extra = b.f.AddExtra(ir.Extra{Ints: mask})
	b.emit(in, noID, x.v, y.v)
}

// mask turns a constant into a shuffle mask, -1 for poison.
func (b *bodyReader) mask(t ir.Type, v ir.Value) ([]int64, bool) {
	c := v.Const()
	if c == 0 || b.t.NumElems(t) > 1<<24 {
		return nil, false
	}
	pool := &b.f.Consts
	m := make([]int64, b.t.NumElems(t))
	one := func(v ir.Value) (int64, bool) {
		if c := v.Const(); c != 0 {
			if k := pool.At(c).Kind; k == ir.ConstUndef || k == ir.ConstPoison {
				return -1, true
			}
		}
		return pool.SignedInt(b.t, v)
	}
	fill := func(x int64) {
		for i := range m {
			m[i] = x
		}
	}
	switch pool.At(c).Kind {
	case ir.ConstZero:
	case ir.ConstUndef, ir.ConstPoison:
		fill(-1)
	case ir.ConstSplat:
		x, ok := one(pool.Ops(c)[0])
		fill(x)
		return m, ok
	case ir.ConstVector:
		ops := pool.Ops(c)
		if len(ops) != len(m) {
			return nil, false
		}
		for i, o := range ops {
			x, ok := one(o)
			if !ok {
				return nil, false
			}
			m[i] = x
		}
	case ir.ConstData:
		d := pool.Data(c)
		if len(d) != 4*len(m) {
			return nil, false
		}
		for i := range m {
			m[i] = int64(int32(uint32(d[4*i]) | uint32(d[4*i+1])<<8 | uint32(d[4*i+2])<<16 | uint32(d[4*i+3])<<24))
		}
	default:
		return nil, false
	}
	return m, true
}

func (b *bodyReader) boolLike(t ir.Type) ir.Type {
	if b.t.IsVector(t) {
		return b.t.Vector(ir.Int1, b.t.NumElems(t), b.t.Kind(t) == ir.KindScalableVector)
	}
	return ir.Int1
}

func (b *bodyReader) cmp(o *operands) {
	if len(o.rec) == 3 && b.abs(o.rec[0]) >= b.next() { // the first brings its type, and the predicate is missing
		b.fail("Invalid record: operand number exceeded available operands")
		return
	}
	x := o.typed()
	y := o.of(b.tOf(x), x.tid)
	if b.c.err != nil {
		return
	}
	if !o.more() {
		b.fail("Invalid record: operand number exceeded available operands")
		return
	}
	p := o.num()
	t := b.typeOf(x.v)
	fp := b.t.IsFloat(b.t.Scalar(t))
	in := ir.Instr{Op: ir.OpICmp, Pred: ir.Pred(p), Type: b.boolLike(t)}
	if fp {
		in.Op = ir.OpFCmp
	}
	if !predicateFits(in.Op, p) {
		b.fail("Invalid record")
		return
	}
	if o.more() {
		f := o.num()
		if fp {
			in.Flags = fmf(f)
		} else if f&1 != 0 {
			in.Flags = ir.SameSign
		}
	}
	b.emit(in, noID, x.v, y.v)
}

// predicateFits says that p is a predicate of icmp or fcmp.
func predicateFits(op ir.Op, p uint64) bool {
	if op == ir.OpFCmp {
		return p <= uint64(ir.FCmpTrue)
	}
	return p >= uint64(ir.ICmpEQ) && p <= uint64(ir.ICmpSLE)
}

func (b *bodyReader) switchInstr(o *operands) {
	tid := o.num()
	t := b.typ(tid)
	if b.c.err == nil && (t == 0 || b.t.IntBits(t) == 0) {
		b.fail("Invalid record")
		return
	}
	c := o.of(t, noID)
	ops := append(b.ops[:0], c.v, b.blockVal(o.num()))
	for o.more() {
		v := b.known(o.num()).v
		if v.Const() == 0 {
			b.fail("Invalid record")
			return
		}
		ops = append(ops, v, b.blockVal(o.num()))
	}
	b.ops = ops
	b.emit(ir.Instr{Op: ir.OpSwitch}, noID, ops...)
}

func (b *bodyReader) phi(o *operands) {
	tid := o.num()
	t := b.typ(tid)
	if b.c.err == nil && t == 0 {
		b.fail("Invalid phi record")
		return
	}
	in := ir.Instr{Op: ir.OpPhi, Type: t}
	if rest := len(o.rec) - o.i; rest%2 != 0 {
		in.Flags = fmf(o.rec[len(o.rec)-1])
		o.rec = o.rec[:len(o.rec)-1]
	}
	ops := b.ops[:0]
	var late []lazyPhi
	for o.more() {
		var v value
		if b.version >= 1 {
			v = b.getLazy(uint32(int64(b.next())-unsign(o.num())), t, uint32(tid))
		} else {
			v = b.getLazy(uint32(o.num()), t, uint32(tid))
		}
		from := b.blockVal(o.num())
		if v.v.Tag() == tagLazy {
			late = append(late, lazyPhi{op: len(ops), v: v.v, from: from.Block(), to: b.block})
			v.v = ir.ConstVal(b.f.Consts.Plain(ir.ConstPoison, t)) // until the edges are made
		}
		ops = append(ops, v.v, from)
		if b.c.err != nil {
			return
		}
	}
	b.ops = ops
	b.emit(in, uint32(tid), ops...)
	if len(b.instrs) > 0 {
		for i := range late {
			late[i].phi = b.instrs[len(b.instrs)-1]
		}
		b.phis = append(b.phis, late...)
	}
}

func (b *bodyReader) aggregate(code uint32, o *operands) {
	what := "EXTRACTVAL"
	x := o.typed()
	var v value
	if code == fnInsertVal {
		what = "INSERTVAL"
		v = o.typed()
	}
	if b.c.err != nil {
		return
	}
	if !o.more() {
		b.fail("%s: Invalid instruction with 0 indices", what)
		return
	}
	t := b.typeOf(x.v)
	tid := x.tid
	var idx []int64
	cur := t
	for o.more() {
		i := o.num()
		switch b.t.Kind(cur) {
		case ir.KindArray:
			if i >= b.t.NumElems(cur) {
				b.fail("%s: Invalid array index", what)
				return
			}
			cur = b.t.Elem(cur)
		case ir.KindStruct:
			m := b.t.Subtypes(cur)
			if i >= uint64(len(m)) {
				b.fail("%s: Invalid struct index", what)
				return
			}
			cur = m[i]
		default:
			b.fail("%s: Invalid type", what)
			return
		}
		tid = b.elemID(tid, int(i))
		idx = append(idx, int64(i))
	}
	extra := b.f.AddExtra(ir.Extra{Ints: idx})
	if code == fnExtractVal {
		b.emit(ir.Instr{Op: ir.OpExtractValue, Type: cur, Extra: extra}, tid, x.v)
		return
	}
	if b.typeOf(v.v) != cur {
		b.fail("Inserted value type doesn't match aggregate type")
		return
	}
	b.emit(ir.Instr{Op: ir.OpInsertValue, Type: t, Extra: extra}, x.tid, x.v, v.v)
}

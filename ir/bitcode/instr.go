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

// orderings by their numbers in bitcode.
var orderings = [...]ir.Ordering{ir.NotAtomic, ir.Unordered, ir.Monotonic, ir.Acquire, ir.Release, ir.AcqRel, ir.SeqCst}

func ordering(n uint64) ir.Ordering {
	if n < uint64(len(orderings)) {
		return orderings[n]
	}
	return ir.SeqCst
}

func (b *bodyReader) scope(n uint64) uint32 {
	switch {
	case len(b.scopes) == 0 && n == 0:
		return b.m.SyncScope("singlethread")
	case n < uint64(len(b.scopes)):
		return b.m.SyncScope(b.scopes[n])
	}
	return 0
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
	if fp && p > uint64(ir.FCmpTrue) || !fp && (p < uint64(ir.ICmpEQ) || p > uint64(ir.ICmpSLE)) {
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

func (b *bodyReader) alloca(o *operands) {
	if len(o.rec) != 4 && len(o.rec) != 5 {
		b.fail("Invalid record")
		return
	}
	f := o.rec[3]
	tid := uint32(o.rec[0])
	t := b.typ(o.rec[0])
	if f>>6&1 == 0 { // the pointer's type was given
		tid = b.elemID(tid, 0)
		t = b.typ(uint64(tid))
	}
	st := b.typ(o.rec[1])
	if t == 0 || st == 0 {
		b.fail("Invalid record")
		return
	}
	in := ir.Instr{Op: ir.OpAlloca, SrcType: t, Align: b.alignLog(f&31 | f>>8&7<<5)}
	if f>>5&1 != 0 {
		in.Flags |= ir.InAlloca
	}
	if f>>7&1 != 0 {
		in.Flags |= ir.SwiftError
	}
	as := b.dl.AllocaAS
	if len(o.rec) == 5 {
		as = uint32(o.rec[4])
	}
	size := b.known(o.rec[2])
	if size.v == 0 || b.typeOf(size.v) != st {
		size = b.get(uint32(o.rec[2]), st, noID)
	}
	if in.Align == 0 {
		if !b.sized(t) {
			b.fail("alloca of unsized type")
			return
		}
		in.Align = log2p1(b.dl.PrefAlign(b.t, t))
	}
	if as != 0 {
		in.Extra = b.f.AddExtra(ir.Extra{AddrSpace: as})
	}
	in.Type = b.t.Pointer(as)
	b.emit(in, b.pointerTo(tid, as), size.v)
}

func (b *bodyReader) alignLog(n uint64) uint8 {
	if n > 33 {
		b.fail("Invalid alignment value")
		return 0
	}
	return uint8(n)
}

func log2p1(n uint64) uint8 {
	l := uint8(1)
	for n > 1 {
		n >>= 1
		l++
	}
	return l
}

func (b *bodyReader) sized(t ir.Type) bool {
	return !b.t.AnyPart(t, func(t ir.Type) bool {
		switch b.t.Kind(t) {
		case ir.KindVoid, ir.KindFunction, ir.KindLabel, ir.KindMetadata, ir.KindToken, ir.KindNone:
			return true
		case ir.KindStruct:
			return b.t.IsOpaque(t)
		}
		return false
	})
}

func (b *bodyReader) load(code uint32, o *operands) {
	p := o.typed()
	if b.c.err != nil {
		return
	}
	if b.t.Kind(b.typeOf(p.v)) != ir.KindPointer {
		b.fail("Load operand is not a pointer type")
		return
	}
	rest := 2
	if code == fnLoadAtomic {
		rest = 4
	}
	tid := noID
	if len(o.rec)-o.i == rest+1 {
		tid = uint32(o.num())
	} else {
		tid = b.elemID(p.tid, 0)
	}
	t := b.typ(uint64(tid))
	if t == 0 || len(o.rec)-o.i != rest {
		b.fail("Invalid record")
		return
	}
	if !b.sized(t) {
		b.fail("load of unsized type")
		return
	}
	in := ir.Instr{Op: ir.OpLoad, Type: t, SrcType: t, Align: b.alignLog(o.num())}
	if o.num() != 0 {
		in.Flags |= ir.Volatile
	}
	if code == fnLoadAtomic {
		in.Order = ordering(o.num())
		if in.Order == ir.NotAtomic || in.Order == ir.Release || in.Order == ir.AcqRel {
			b.fail("Invalid record")
			return
		}
		in.Scope = b.scope(o.num())
	}
	if in.Align == 0 {
		in.Align = log2p1(b.dl.ABIAlign(b.t, t))
	}
	b.emit(in, tid, p.v)
}

func (b *bodyReader) store(code uint32, o *operands) {
	p := o.typed()
	var v value
	if code == fnStore || code == fnStoreAtomic {
		v = o.typed()
	} else {
		tid := b.elemID(p.tid, 0)
		v = o.of(b.typ(uint64(tid)), tid)
	}
	if b.c.err != nil {
		return
	}
	if b.t.Kind(b.typeOf(p.v)) != ir.KindPointer {
		if code == fnStoreAtomic || code == fnStoreAtomicOld {
			b.fail("Invalid record")
		} else {
			b.fail("Store operand is not a pointer type")
		}
		return
	}
	t := b.typeOf(v.v)
	in := ir.Instr{Op: ir.OpStore, SrcType: t, Align: b.alignLog(o.num())}
	if o.num() != 0 {
		in.Flags |= ir.Volatile
	}
	if code == fnStoreAtomic || code == fnStoreAtomicOld {
		in.Order = ordering(o.num())
		if in.Order == ir.NotAtomic || in.Order == ir.Acquire || in.Order == ir.AcqRel {
			b.fail("Invalid record")
			return
		}
		in.Scope = b.scope(o.num())
	}
	if in.Align == 0 && b.sized(t) {
		in.Align = log2p1(b.dl.ABIAlign(b.t, t))
	}
	b.emit(in, noID, v.v, p.v)
}

func (b *bodyReader) cmpxchg(code uint32, o *operands) {
	p := o.typed()
	var c value
	if code == fnCmpXchg {
		c = o.typed()
	} else {
		tid := b.elemID(p.tid, 0)
		c = o.of(b.typ(uint64(tid)), tid)
	}
	n := o.of(b.tOf(c), c.tid)
	if b.c.err != nil {
		return
	}
	if b.t.Kind(b.typeOf(p.v)) != ir.KindPointer {
		b.fail("Cmpxchg operand is not a pointer type")
		return
	}
	t := b.typeOf(c.v)
	in := ir.Instr{Op: ir.OpCmpXchg, SrcType: t}
	if o.num() != 0 {
		in.Flags |= ir.Volatile
	}
	in.Order = ordering(o.num())
	in.Scope = b.scope(o.num())
	if in.Order < ir.Monotonic {
		b.fail("Invalid cmpxchg success ordering")
		return
	}
	if o.more() {
		in.Order2 = ordering(o.num())
	} else {
		in.Order2 = in.Order
		if in.Order == ir.AcqRel {
			in.Order2 = ir.Acquire
		} else if in.Order == ir.Release {
			in.Order2 = ir.Monotonic
		}
	}
	if in.Order2 < ir.Monotonic || in.Order2 == ir.Release || in.Order2 == ir.AcqRel {
		b.fail("Invalid cmpxchg failure ordering")
		return
	}
	in.Type = b.t.Struct([]ir.Type{t, ir.Int1}, false)
	weak := true
	if o.more() {
		if o.num() != 0 {
			in.Flags |= ir.Weak
		}
		weak = false
	}
	if o.more() {
		in.Align = b.alignLog(o.num())
	}
	if in.Align == 0 {
		in.Align = log2p1(pow2(b.dl.StoreSize(b.t, t)))
	}
	b.emit(in, noID, p.v, c.v, n.v)
	if weak && b.c.err == nil { // the first files: the result was the value alone
		id := b.instrs[len(b.instrs)-1]
		b.vals = b.vals[:len(b.vals)-1]
		x := b.f.AddExtra(ir.Extra{Ints: []int64{0}})
		b.emit(ir.Instr{Op: ir.OpExtractValue, Type: t, Extra: x}, c.tid, ir.Local(id))
	}
}

func pow2(n uint64) uint64 {
	p := uint64(1)
	for p < n {
		p <<= 1
	}
	return p
}

func (b *bodyReader) rmw(code uint32, o *operands) {
	p := o.typed()
	var v value
	if b.c.err == nil && b.t.Kind(b.typeOf(p.v)) != ir.KindPointer {
		b.fail("Invalid record")
		return
	}
	if code == fnAtomicRMW {
		v = o.typed()
	} else {
		tid := b.elemID(p.tid, 0)
		v = o.of(b.typ(uint64(tid)), tid)
	}
	n := o.num()
	if b.c.err != nil {
		return
	}
	if n > uint64(ir.RMWFMinimum) {
		b.fail("Invalid record")
		return
	}
	t := b.typeOf(v.v)
	in := ir.Instr{Op: ir.OpAtomicRMW, Type: t, SrcType: t, Pred: ir.Pred(n)}
	if o.num() != 0 {
		in.Flags |= ir.Volatile
	}
	in.Order = ordering(o.num())
	if in.Order == ir.NotAtomic || in.Order == ir.Unordered {
		b.fail("Invalid record")
		return
	}
	in.Scope = b.scope(o.num())
	if o.more() {
		in.Align = b.alignLog(o.num())
	}
	if in.Align == 0 {
		in.Align = log2p1(pow2(b.dl.StoreSize(b.t, t)))
	}
	b.emit(in, v.tid, p.v, v.v)
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

package bitcode

import (
	"github.com/mirin-go/mirin/ir"
)

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

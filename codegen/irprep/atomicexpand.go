package irprep

import (
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
)

// AtomicExpand makes atomic operations that the target has no instruction for
// into ones that it has: an atomicrmw becomes a loop around cmpxchg, accesses
// of floating-point values and exchanges of pointers become those of integers.
// Accesses that are too wide or not aligned enough stay for the translator,
// which names them.
var AtomicExpand = pass.Pass{
	Name:  "atomic-expand",
	Title: "Expand Atomic instructions",
	IR:    true,
	Run:   runAtomicExpand,
}

// atomicExpander is the state of the pass for one function.
type atomicExpander struct {
	ir.Builder
	c    *pass.Context
	mf   *mir.Function
	f    *ir.Function
	err  error
	todo []ir.InstrID
}

func runAtomicExpand(c *pass.Context, mf *mir.Function) error {
	if mf.IR == nil || mf.FirstBlock() != 0 {
		return nil // from MIR, past this pass
	}
	e := pass.Scratch[atomicExpander](c)
	e.c, e.mf, e.f, e.err, e.todo = c, mf, mf.IR, nil, e.todo[:0]
	for _, b := range e.f.Order {
		for i := e.f.Blocks[b].First; i != 0; i = e.f.Instr(i).Next {
			if e.concerns(i) {
				e.todo = append(e.todo, i)
			}
		}
	}
	if len(e.todo) == 0 {
		return nil
	}
	e.f = mf.OwnIR()
	e.Builder = ir.NewBuilder(e.f)
	// The last one first, as LLVM does: the names of blocks and values are numbered in that order.
	for k := len(e.todo) - 1; k >= 0; k-- {
		e.expand(e.todo[k])
	}
	e.f.DropUses()
	if e.err != nil {
		return e.err
	}
	return e.Err()
}

// concerns reports atomic operations on values that the target can access at once.
func (e *atomicExpander) concerns(i ir.InstrID) bool {
	in := e.f.Instr(i)
	if in.Op != ir.OpAtomicRMW && in.Op != ir.OpCmpXchg && (in.Order == ir.NotAtomic || in.Op != ir.OpLoad && in.Op != ir.OpStore) {
		return false
	}
	bits := e.bits(e.valueType(i))
	return bits >= 8 && bits&(bits-1) == 0 && bits <= e.c.Subtarget.MaxAtomicBits() &&
		(in.Align == 0 || 1<<(in.Align-1) >= bits/8)
}

// valueType is the type of what is in memory.
func (e *atomicExpander) valueType(i ir.InstrID) ir.Type {
	switch in := e.f.Instr(i); in.Op {
	case ir.OpStore:
		return e.f.TypeOf(e.f.Op(i, 0))
	case ir.OpCmpXchg:
		return e.f.TypeOf(e.f.Op(i, 1))
	default:
		return in.Type
	}
}

func (e *atomicExpander) bits(ty ir.Type) int {
	return int(e.c.Machine.Layout.SizeInBits(e.f.Module.Types, ty))
}

// expand does one operation.
func (e *atomicExpander) expand(i ir.InstrID) {
	in, ty := *e.f.Instr(i), e.valueType(i)
	ts := e.f.Module.Types
	e.SetBefore(i)
	e.Loc(in.Loc)
	isInt, isPtr := ts.Kind(ty) == ir.KindInteger, ts.Kind(ty) == ir.KindPointer
	move := e.c.Subtarget.Target.ISel.MaxAtomicMove
	switch {
	case move != 0 && e.bits(ty) > move && in.Op == ir.OpLoad:
		// What is there is exchanged for zero if it is zero.
		zero := e.Zero(e.intOf(ty))
		in.Order = max(in.Order, ir.Monotonic)
		x := e.exchange(&in, e.f.Op(i, 0), zero, zero)
		e.replace(i, e.bitcast(e.ExtractValue(x, 0), ty))
	case move != 0 && e.bits(ty) > move && in.Op == ir.OpStore:
		in.Op, in.Pred, in.Order = ir.OpAtomicRMW, ir.Pred(ir.RMWXchg), max(in.Order, ir.Monotonic)
		in.Type, in.SrcType = e.intOf(ty), e.intOf(ty)
		n := e.copy(in, e.f.Op(i, 1), e.bitcast(e.f.Op(i, 0), in.Type))
		e.f.Erase(i)
		e.expand(n.Instr())
	case in.Op == ir.OpLoad && !isInt && !isPtr:
		in.Type, in.SrcType = e.intOf(ty), e.intOf(ty)
		e.replace(i, e.bitcast(e.copy(in, e.f.Op(i, 0)), ty))
	case in.Op == ir.OpStore && !isInt && !isPtr:
		in.SrcType = e.intOf(ty)
		e.copy(in, e.bitcast(e.f.Op(i, 0), in.SrcType), e.f.Op(i, 1))
		e.f.Erase(i)
	case in.Op == ir.OpCmpXchg && isPtr:
		e.pointerExchange(i, &in, ty)
	case in.Op == ir.OpAtomicRMW && ir.RMWOp(in.Pred) == ir.RMWXchg && !isInt:
		in.Type, in.SrcType = e.intOf(ty), e.intOf(ty)
		n := e.copy(in, e.f.Op(i, 0), e.bitcast(e.f.Op(i, 1), in.Type))
		e.replace(i, e.bitcast(n, ty))
		e.expand(n.Instr())
	case in.Op == ir.OpAtomicRMW:
		lt := mir.Scalar(e.bits(ty))
		if isInt && e.c.Subtarget.NativeRMW(ir.RMWOp(in.Pred), lt, e.f.HasUses(ir.Local(i))) {
			return
		}
		e.loop(i, &in, ty)
	}
}

// intOf is the integer type of the size of ty.
func (e *atomicExpander) intOf(ty ir.Type) ir.Type { return e.f.Module.Types.Int(e.bits(ty)) }

// bitcast is v as a value of type ty and the same size.
func (e *atomicExpander) bitcast(v ir.Value, ty ir.Type) ir.Value {
	ts := e.f.Module.Types
	from := e.TypeOf(v)
	switch {
	case from == ty:
		return v
	case ts.Kind(from) == ir.KindPointer:
		return e.PtrToInt(v, ty)
	case ts.Kind(ty) == ir.KindPointer:
		return e.IntToPtr(v, ty)
	}
	return e.BitCast(v, ty)
}

// copy adds an instruction like in, with other operands; its metadata is shared.
func (e *atomicExpander) copy(in ir.Instr, ops ...ir.Value) ir.Value {
	in.Records = 0
	return e.Emit(in, ops...)
}

// replace makes v take i's place.
func (e *atomicExpander) replace(i ir.InstrID, v ir.Value) {
	e.f.ReplaceAllUses(ir.Local(i), v)
	e.f.Erase(i)
}

// pointerExchange makes a cmpxchg of pointers one of integers.
func (e *atomicExpander) pointerExchange(i ir.InstrID, in *ir.Instr, ty ir.Type) {
	it := e.intOf(ty)
	cmp, val := e.PtrToInt(e.f.Op(i, 1), it), e.PtrToInt(e.f.Op(i, 2), it)
	n := e.exchange(in, e.f.Op(i, 0), cmp, val)
	old, ok := e.ExtractValue(n, 0), e.ExtractValue(n, 1)
	pair := e.InsertValue(e.InsertValue(e.Poison(in.Type), e.IntToPtr(old, ty), 0), ok, 1)
	e.replace(i, pair)
}

// exchange adds a cmpxchg with the orderings, scope, volatility, alignment and metadata of in.
func (e *atomicExpander) exchange(in *ir.Instr, ptr, cmp, val ir.Value) ir.Value {
	ts := e.f.Module.Types
	x := *in
	if in.Op != ir.OpCmpXchg {
		x.Op, x.Pred, x.Order2, x.Flags = ir.OpCmpXchg, 0, failureOrder(in.Order), in.Flags&ir.Volatile
	}
	x.Type, x.SrcType = ts.Struct([]ir.Type{e.TypeOf(cmp), ir.Int1}, false), ir.NoType
	return e.copy(x, ptr, cmp, val)
}

// failureOrder is the strongest ordering that a failed exchange may have.
func failureOrder(o ir.Ordering) ir.Ordering {
	switch o {
	case ir.Release:
		return ir.Monotonic
	case ir.AcqRel:
		return ir.Acquire
	}
	return o
}

// loop makes an atomicrmw a loop:
//
//	  init = load ptr
//	start:
//	  loaded = phi [init], [newloaded, start]
//	  new = op(loaded, value)
//	  newloaded, success = cmpxchg ptr, loaded, new
//	  br success, end, start
//	end:                      the result is newloaded
func (e *atomicExpander) loop(i ir.InstrID, in *ir.Instr, ty ir.Type) {
	f := e.f
	ptr, val := f.Op(i, 0), f.Op(i, 1)
	before := in.Block
	end := f.SplitBlock(i, e.Unique("atomicrmw.end"))
	start := f.AddBlockAfter(before, e.Unique("atomicrmw.start"))
	f.Erase(f.Terminator(before))
	e.SetBlock(before)
	first := e.Emit(ir.Instr{Op: ir.OpLoad, Type: ty, SrcType: ty, Align: e.align(in, ty)}, ptr)
	e.Br(start)

	e.SetBlock(start)
	loaded := e.Name("loaded").Phi(ty)
	e.AddIncoming(loaded, first, before)
	next := e.value(ir.RMWOp(in.Pred), ty, loaded, val)
	if next == 0 {
		e.err = e.c.Subtarget.NotSupported(e.mf, "atomicrmw of this operation")
		next = loaded
	}
	it := e.intOf(ty)
	if e.f.Module.Types.Kind(ty) == ir.KindInteger {
		it = ty
	}
	newInt := e.bitcast(next, it)
	x := e.exchange(in, ptr, e.bitcast(loaded, it), newInt)
	ok := e.Name("success").ExtractValue(x, 1)
	newLoaded := e.bitcast(e.Name("newloaded").ExtractValue(x, 0), ty)
	e.CondBr(ok, end, start)
	e.AddIncoming(loaded, newLoaded, start)
	e.replace(i, newLoaded)
}

// align is the alignment field of an access like in.
func (e *atomicExpander) align(in *ir.Instr, ty ir.Type) uint8 {
	if in.Align != 0 {
		return in.Align
	}
	n := uint8(1)
	for a := 1; a < e.bits(ty)/8; a *= 2 {
		n++
	}
	return n
}

package irpass

import (
	"errors"

	"github.com/mirin-go/mirin/analysis"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/iranalysis"
	"github.com/mirin-go/mirin/target/bpf/btf"
)

// errRelocationInPhi is LLVM's word for a place in code that several relocations would patch.
var errRelocationInPhi = errors.New("relocation global in PHI node")

// NeedsCheckAndOpt reports a body in which CheckAndOpt would find something.
func NeedsCheckAndOpt(f *ir.Function) bool {
	n := numbersOf()
	for i := 1; i < len(f.Instrs); i++ {
		r := &f.Instrs[i]
		if r.Block == 0 {
			continue
		}
		switch r.Op {
		case ir.OpPhi:
			if relocationIn(f, ir.InstrID(i)) {
				return true
			}
		case ir.OpCall:
			switch x := f.IntrinsicOf(ir.InstrID(i)); x {
			case ir.NotIntrinsic:
			case ir.IntrSmin, ir.IntrUmin, ir.IntrSmax, ir.IntrUmax, n.passthrough, n.compare, n.gepLoad, n.gepStore:
				return true
			default:
				if addressOps(f, ir.InstrID(i)) != 0 {
					return true
				}
			}
		default:
			if addressOps(f, ir.InstrID(i)) != 0 {
				return true
			}
		}
	}
	return false
}

// CheckAndOpt is bpf-check-and-opt-ir of one function: barriers against
// optimizers go, minima that were taken out of loops go back to the comparisons that
// verifiers learn ranges from, and accesses go through address space 0.
// Calls of intrinsics that it makes name them by number, see intrin.Declare.
func CheckAndOpt(f *ir.Function) error {
	for i := 1; i < len(f.Instrs); i++ {
		if f.Instrs[i].Op == ir.OpPhi && f.Instrs[i].Block != 0 && relocationIn(f, ir.InstrID(i)) && f.HasUses(ir.Local(ir.InstrID(i))) {
			return errRelocationInPhi
		}
	}
	f.IndexUses()
	defer f.DropUses()
	if removeBarriers(f) {
		mergeEqual(f)
	}
	sinkMinMax(f)
	unfoldAccesses(f)
	newSpaceCaster(f).run()
	return nil
}

// relocationIn reports a PHI that gives the address of a variable that stands for a relocation.
func relocationIn(f *ir.Function, phi ir.InstrID) bool {
	ops := f.Ops(phi)
	for k := 0; k < len(ops); k += 2 {
		if ops[k].Tag() == ir.TagGlobal && btf.IsRelocation(f.Module, f.Module.Globals[ops[k].Index()]) {
			return true
		}
	}
	return false
}

// eachInstr goes through the instructions of a body in order. The one that was given may be
// removed, and others put before it.
func eachInstr(f *ir.Function, do func(i ir.InstrID)) {
	for _, b := range f.Order {
		for i := f.Blocks[b].First; i != 0; {
			next := f.Instrs[i].Next
			do(i)
			i = next
		}
	}
}

// removeBarriers takes llvm.bpf.passthrough and llvm.bpf.compare away; it reports whether there
// was one of the first.
func removeBarriers(f *ir.Function) (any bool) {
	n := numbersOf()
	eachInstr(f, func(i ir.InstrID) {
		if f.Instrs[i].Op != ir.OpCall {
			return
		}
		switch f.IntrinsicOf(i) {
		case n.passthrough: // number, value
			any = true
			replace(f, i, f.Op(i, 1))
		case n.compare: // predicate, operands
			r := &f.Instrs[i]
			cmp := insert(f, i, ir.Instr{Op: ir.OpICmp, Type: ir.Int1, Pred: ir.Pred(constant(f, f.Op(i, 0))), Loc: r.Loc}, f.Op(i, 1), f.Op(i, 2))
			replace(f, i, ir.Local(cmp))
		}
	})
	return any
}

// insert puts an instruction before another, behind the debug records that stood there, as LLVM does.
func insert(f *ir.Function, at ir.InstrID, in ir.Instr, ops ...ir.Value) ir.InstrID {
	id := f.InsertBefore(at, in, ops...)
	f.Instrs[id].Records, f.Instrs[at].Records = f.Instrs[at].Records, 0
	return id
}

// replace gives all users of i another value, and takes i away.
func replace(f *ir.Function, i ir.InstrID, v ir.Value) {
	f.ReplaceAllUses(ir.Local(i), v)
	f.Erase(i)
}

// constant is a constant integer of up to 64 bits.
func constant(f *ir.Function, v ir.Value) uint64 {
	if c := v.Const(); c != 0 {
		return f.Consts.At(c).Bits
	}
	return 0
}

// sinking is a comparison in a loop of which one side, extended or not, is a minimum or
// maximum that is computed outside of it.
type sinking struct {
	cmp, ext, call ir.InstrID
	other          ir.Value
	pred           ir.Pred // of other and the minimum
}

// sinkMinMax makes comparisons with two values of those with their minimum or
// maximum, which were taken out of a loop: of a value that was compared
// with both, verifiers know more than of one that was compared with the result.
func sinkMinMax(f *ir.Function) {
	any := false
	for i := 1; i < len(f.Instrs) && !any; i++ {
		any = isMinMax(f, ir.InstrID(i))
	}
	if !any {
		return
	}
	g := iranalysis.CFG(f)
	loops := analysis.NewLoops(g, analysis.NewDominators(g))
	for _, b := range f.Order {
		in := loops.Loop[b]
		if in < 0 {
			continue
		}
		var list []sinking
		for i := f.Blocks[b].First; i != 0; i = f.Instrs[i].Next {
			r := &f.Instrs[i]
			if r.Op != ir.OpICmp || r.Pred < ir.ICmpUGT {
				continue
			}
			x := sinking{cmp: i, other: f.Op(i, 1), pred: r.Pred.Swapped()}
			y := sinking{cmp: i, other: f.Op(i, 0), pred: r.Pred}
			isX, isY := x.find(f, loops, in, f.Op(i, 0)), y.find(f, loops, in, f.Op(i, 1))
			switch {
			case isX == isY:
			case isX:
				list = append(list, x)
			default:
				list = append(list, y)
			}
		}
		for k := range list {
			list[k].sink(f)
		}
	}
}

func isMinMax(f *ir.Function, i ir.InstrID) bool {
	if f.Instrs[i].Op != ir.OpCall || f.Instrs[i].Block == 0 {
		return false
	}
	switch f.IntrinsicOf(i) {
	case ir.IntrSmin, ir.IntrUmin, ir.IntrSmax, ir.IntrUmax:
		return true
	}
	return false
}

// find reports whether v is the minimum or maximum from outside of the loop.
func (s *sinking) find(f *ir.Function, loops *analysis.Loops, in int32, v ir.Value) bool {
	i := v.Instr()
	if i == 0 {
		return false
	}
	if op := f.Instrs[i].Op; op == ir.OpZExt || op == ir.OpSExt {
		s.ext = i
		if i = f.Op(i, 0).Instr(); i == 0 {
			return false
		}
	}
	s.call = i
	return isMinMax(f, i) && loops.Loop[f.Instrs[i].Block] != in
}

func (s *sinking) sink(f *ir.Function) {
	x := f.IntrinsicOf(s.call)
	signed := s.pred >= ir.ICmpSGT
	if signed && x != ir.IntrSmin && x != ir.IntrSmax {
		return
	}
	b := ir.NewBuilder(f)
	b.SetBefore(s.cmp)
	b.Loc(f.Instrs[s.cmp].Loc)
	extended := func(v ir.Value) ir.Value {
		if s.ext == 0 {
			return v
		}
		if c := v.Const(); c != 0 && f.Consts.At(c).Kind == ir.ConstInt {
			return extendConstant(f, v, &f.Instrs[s.ext])
		}
		return b.Cast(f.Instrs[s.ext].Op, v, f.Instrs[s.ext].Type)
	}
	lo, hi := extended(f.Op(s.call, 0)), extended(f.Op(s.call, 1))
	with, or := b.ICmp(s.pred, s.other, lo), b.ICmp(s.pred, s.other, hi)
	isMin := x == ir.IntrSmin || x == ir.IntrUmin
	isLess := s.pred == ir.ICmpULT || s.pred == ir.ICmpULE || s.pred == ir.ICmpSLT || s.pred == ir.ICmpSLE
	var v ir.Value
	if isLess == isMin {
		v = b.Select(with, or, b.Bool(false)) // x < min(a, b): x < a and x < b
	} else {
		v = b.Select(with, b.Bool(true), or)
	}
	f.ReplaceAllUses(ir.Local(s.cmp), v)
	for _, i := range [...]ir.InstrID{s.cmp, s.ext, s.call} {
		if i != 0 && f.Instrs[i].Block != 0 && !f.HasUses(ir.Local(i)) {
			f.Erase(i)
		}
	}
}

// extendConstant is a constant of up to 64 bits in the type of an extension.
func extendConstant(f *ir.Function, v ir.Value, ext *ir.Instr) ir.Value {
	c := f.Consts.At(v.Const())
	x := c.Bits
	if bits := f.Module.Types.IntBits(c.Type); ext.Op == ir.OpSExt {
		x = uint64(int64(x<<(64-bits)) >> (64 - bits))
	}
	if bits := f.Module.Types.IntBits(ext.Type); bits < 64 {
		x &= 1<<bits - 1
	}
	return ir.ConstVal(f.Consts.Int(ext.Type, x))
}

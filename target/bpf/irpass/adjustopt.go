package irpass

import (
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/target/bpf/btf"
)

// AdjustOpt is bpf-adjust-opt of one function: it keeps optimizers from what
// verifiers do not follow. Comparisons of a part of a value with a power of two stay
// comparisons (instcombine makes masks of them), two comparisons of a value stay two,
// and what is computed of a value behind a check of it stays behind.
func (r *Run) AdjustOpt(f *ir.Function) {
	f.IndexUses()
	defer f.DropUses()
	keepCompares(f)
	var held []ir.Use // operands that get a barrier
	for _, b := range f.Order {
		if !r.NoSerialize {
			held = serializeBlocks(f, b, held)
		}
		for i := f.Blocks[b].First; i != 0; i = f.Instrs[i].Next {
			n := len(held)
			if !r.NoSerialize {
				held = serializeOr(f, i, held)
			}
			if !r.NoAvoid && len(held) == n {
				held = avoidSpeculation(f, i, held)
			}
		}
	}
	for _, u := range held {
		f.SetOp(u.I, u.N, r.passThrough(f, u.I, f.Op(u.I, u.N)))
	}
}

// keepCompares makes comparisons of truncated values with what masks could test calls of llvm.bpf.compare.
func keepCompares(f *ir.Function) {
	n := numbersOf()
	eachInstr(f, func(i ir.InstrID) {
		r := &f.Instrs[i]
		if r.Op != ir.OpICmp {
			return
		}
		x, y := f.Op(i, 0), f.Op(i, 1)
		d, c := x.Instr(), y.Const()
		if d == 0 || f.Instrs[d].Op != ir.OpTrunc || c == 0 || f.Consts.At(c).Kind != ir.ConstInt {
			return
		}
		t := f.TypeOf(x)
		if bits := f.Module.Types.IntBits(t); bits == 0 || bits > 64 {
			return
		}
		switch v := f.Consts.At(c).Bits; r.Pred {
		case ir.ICmpULT, ir.ICmpUGE:
			if v&(v-1) != 0 {
				return
			}
		case ir.ICmpULE, ir.ICmpUGT:
			if v&(v+1) != 0 {
				return
			}
		default:
			return
		}
		ft := f.Module.Types.Func(ir.Int1, []ir.Type{ir.Int32, t, t}, false)
		pred := ir.ConstVal(f.Consts.Int(ir.Int32, uint64(r.Pred)))
		call := insert(f, i, ir.Instr{Op: ir.OpCall, Type: ir.Int1, SrcType: ft}, pred, x, y, ir.IntrinsicVal(n.compare))
		replace(f, i, ir.Local(call))
	})
}

// compareOf is the comparison that a value is, 0 for none.
func compareOf(f *ir.Function, v ir.Value) ir.InstrID {
	if i := v.Instr(); i != 0 && f.Instrs[i].Op == ir.OpICmp {
		return i
	}
	return 0
}

// serializeOr holds the first of two comparisons of a value, one of which must hold.
func serializeOr(f *ir.Function, i ir.InstrID, held []ir.Use) []ir.Use {
	var x, y ir.Value
	switch r := &f.Instrs[i]; {
	case r.Type != ir.Int1:
		return held
	case r.Op == ir.OpOr:
		x, y = f.Op(i, 0), f.Op(i, 1)
	case r.Op == ir.OpSelect && isTrue(f, f.Op(i, 1)):
		x, y = f.Op(i, 0), f.Op(i, 2)
	default:
		return held
	}
	a, b := compareOf(f, x), compareOf(f, y)
	if a == 0 || b == 0 || f.Op(a, 0) != f.Op(b, 0) {
		return held
	}
	return append(held, ir.Use{I: i, N: 0})
}

func isTrue(f *ir.Function, v ir.Value) bool {
	c := v.Const()
	return c != 0 && f.Consts.At(c).Kind == ir.ConstInt && f.Consts.At(c).Bits == 1
}

// singlePred is the only block from which b is reached, by one edge; 0 for none.
func singlePred(f *ir.Function, b ir.BlockID) (p ir.BlockID) {
	for u := range f.Preds(b) {
		if p != 0 {
			return 0
		}
		p = f.Instrs[u.I].Block
	}
	return p
}

// branchCompare is the comparison by which block b branches, 0 for none.
func branchCompare(f *ir.Function, b ir.BlockID) (br, cmp ir.InstrID) {
	t := f.Terminator(b)
	if t == 0 || f.Instrs[t].Op != ir.OpBr || f.NumOps(t) != 3 {
		return 0, 0
	}
	return t, compareOf(f, f.Op(t, 0))
}

// serializeBlocks holds the first of two comparisons of a value, with a bound below and one
// above, by which the blocks before b branch.
func serializeBlocks(f *ir.Function, b ir.BlockID, held []ir.Use) []ir.Use {
	second := singlePred(f, b)
	if second == 0 {
		return held
	}
	first := singlePred(f, second)
	if first == 0 {
		return held
	}
	_, y := branchCompare(f, second)
	br, x := branchCompare(f, first)
	begin := f.Blocks[second].First
	for f.Instrs[begin].Op == ir.OpPhi {
		begin = f.Instrs[begin].Next
	}
	if x == 0 || y == 0 || y != begin || f.Op(x, 0) != f.Op(y, 0) || !opposed(f.Instrs[x].Pred, f.Instrs[y].Pred) {
		return held
	}
	return append(held, ir.Use{I: br, N: 0})
}

// opposed reports predicates of which one bounds a value above and one below, in the same order of numbers.
func opposed(p, q ir.Pred) bool {
	side := func(p ir.Pred) (signed bool, side int) {
		switch p {
		case ir.ICmpSGT, ir.ICmpSGE:
			return true, 1
		case ir.ICmpSLT, ir.ICmpSLE:
			return true, -1
		case ir.ICmpUGT, ir.ICmpUGE:
			return false, 1
		case ir.ICmpULT, ir.ICmpULE:
			return false, -1
		}
		return false, 0
	}
	ps, pv := side(p)
	qs, qv := side(q)
	return pv != 0 && ps == qs && pv == -qv
}

// avoidSpeculation holds what is made, in other blocks, of a value that is loaded or returned and
// compared with a constant: extensions, and addresses that it is an index of.
func avoidSpeculation(f *ir.Function, i ir.InstrID, held []ir.Use) []ir.Use {
	switch r := &f.Instrs[i]; r.Op {
	case ir.OpLoad:
		if v := f.Op(i, 0); v.Tag() == ir.TagGlobal && btf.IsRelocation(f.Module, f.Module.Globals[v.Index()]) {
			return held
		}
	case ir.OpCall:
	default:
		return held
	}
	compared := false
	var found []ir.Use
	for u := range f.Uses(ir.Local(i)) {
		r := &f.Instrs[u.I]
		if r.Op == ir.OpICmp {
			if t := f.Op(u.I, 1).Tag(); t != ir.TagConst && t != ir.TagGlobal {
				return held
			}
			compared = true
			continue
		}
		if r.Block == f.Instrs[i].Block {
			continue
		}
		// Behind another access it is not hoisted.
		for k := f.Blocks[r.Block].First; ; k = f.Instrs[k].Next {
			switch f.Instrs[k].Op {
			case ir.OpCall, ir.OpLoad, ir.OpStore:
				return held
			}
			if k == u.I {
				break
			}
		}
		switch {
		case r.Op == ir.OpZExt || r.Op == ir.OpSExt, r.Op == ir.OpGEP && u.N > 0:
			found = append(found, u)
		}
	}
	if !compared {
		return held
	}
	return append(held, found...)
}

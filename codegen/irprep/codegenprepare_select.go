package irprep

import (
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/iranalysis"
)

// The fixed numbers of metadata kinds.
const mdUnpredictable = 15

// selectPhi is a select and the PHI that it becomes.
type selectPhi struct {
	sel ir.InstrID
	phi ir.Value
}

// predictable is the share, in percent, from which on one way of a select
// counts as always taken.
const predictable = 99

// selectsToBranches makes selects branches where one value is dear to compute
// and the other way does not need it, or where the profile says that one way is
// nearly always taken: a processor that guesses right does not wait.
func (p *preparer) selectsToBranches() {
	if !p.st.Target.ISel.Prepare.BranchesPredict {
		return
	}
	f := p.f
	p.blocks = append(p.blocks[:0], f.Order...)
	for _, b := range p.blocks {
		for i := f.Blocks[b].First; i != 0; {
			next := f.Instrs[i].Next
			if f.Instrs[i].Op == ir.OpSelect && p.scalarSelect(i) {
				if last, pays := p.selectGroup(i); pays {
					next = f.Instrs[last].Next
					p.branch(i, last)
				} else {
					next = f.Instrs[last].Next
				}
			}
			i = next
		}
	}
}

// scalarSelect reports selects by one condition that may become branches.
func (p *preparer) scalarSelect(i ir.InstrID) bool {
	c := p.f.Op(i, 0)
	return p.f.TypeOf(c) == ir.Int1 && c.Const() == 0 && !p.unpredictable(i)
}

// unpredictable reports the metadata that says so.
func (p *preparer) unpredictable(i ir.InstrID) bool {
	for a := p.f.Instrs[i].MD; a != 0; a = p.f.Attachments[a].Next {
		if p.f.Attachments[a].Kind == mdUnpredictable {
			return true
		}
	}
	return false
}

// selectGroup finds the selects by one condition that follow each other from i
// on, and whether a branch is better than any of them.
func (p *preparer) selectGroup(i ir.InstrID) (last ir.InstrID, pays bool) {
	f := p.f
	n := 0
	for x := i; x != 0 && f.Instrs[x].Op == ir.OpSelect && f.Op(x, 0) == f.Op(i, 0) && p.scalarSelect(x); x = f.Instrs[x].Next {
		last = x
		n++
	}
	for x := i; ; x = f.Instrs[x].Next {
		pays = pays || p.branchPays(x, n)
		if x == last {
			return last, pays
		}
	}
}

// branchPays judges one of n selects by the same condition.
func (p *preparer) branchPays(i ir.InstrID, n int) bool {
	f := p.f
	if w := [2]uint64{}; iranalysis.BranchWeights(f, i, w[:]) {
		if sum := w[0] + w[1]; sum > 0 && max(w[0], w[1])*100 > sum*predictable {
			return true
		}
	}
	c := f.Op(i, 0).Instr()
	if c == 0 || f.Instrs[c].Op != ir.OpICmp && f.Instrs[c].Op != ir.OpFCmp || f.NumUses(ir.Local(c)) > n {
		return false // the comparison is waited for elsewhere
	}
	return p.dear(f.Op(i, 1), i) || p.dear(f.Op(i, 2), i)
}

// dear reports values that only the select needs and that take long.
func (p *preparer) dear(v ir.Value, sel ir.InstrID) bool {
	f := p.f
	i := v.Instr()
	if i == 0 || f.Instrs[i].Block != f.Instrs[sel].Block || !f.HasOneUse(v) {
		return false
	}
	switch f.Instrs[i].Op {
	case ir.OpFDiv, ir.OpFRem:
		return true
	case ir.OpUDiv, ir.OpSDiv, ir.OpURem, ir.OpSRem:
		return f.Op(i, 1).Const() == 0
	case ir.OpCall:
		return f.IntrinsicOf(i) == ir.IntrSqrt
	}
	return false
}

// branch makes the selects from first to last PHIs behind a branch, and moves
// dear values to the way that needs them.
func (p *preparer) branch(first, last ir.InstrID) {
	f := p.f
	b, loc := f.Instrs[first].Block, f.Instrs[first].Loc
	p.c.Count("codegenprepare", "Number of select instructions converted to branches", 1)
	after := f.Instrs[last].Next
	cond := p.frozen(first, last)
	end := f.SplitBlock(after, "")
	br := ir.Instr{Op: ir.OpBr, Type: ir.Void, Loc: loc, MD: f.Instrs[first].MD}
	way := [3]ir.BlockID{}
	for n := 2; n >= 1; n-- {
		for x := first; x != 0 && f.Instrs[x].Op == ir.OpSelect; x = f.Instrs[x].Next {
			if v := f.Op(x, n); p.dear(v, x) {
				if way[n] == 0 {
					way[n] = f.AddBlockAfter(b, "")
					f.Append(way[n], ir.Instr{Op: ir.OpBr, Type: ir.Void, Loc: loc}, ir.BlockVal(end))
				}
				f.MoveBefore(v.Instr(), f.Terminator(way[n]))
			}
			if x == last {
				break
			}
		}
	}
	if way[1] == 0 && way[2] == 0 {
		way[2] = f.AddBlockAfter(b, "")
		f.Append(way[2], ir.Instr{Op: ir.OpBr, Type: ir.Void, Loc: loc}, ir.BlockVal(end))
	}
	from := way
	for n := 1; n <= 2; n++ {
		if way[n] == 0 {
			way[n], from[n] = end, b
		}
	}
	f.SetTerminator(b, br, cond, ir.BlockVal(way[1]), ir.BlockVal(way[2]))
	place := f.Blocks[end].First
	p.selects = p.selects[:0]
	for x := first; ; x = f.Instrs[x].Next {
		phi := p.insert(place, ir.Instr{Op: ir.OpPhi, Type: f.Instrs[x].Type, Flags: f.Instrs[x].Flags},
			p.onWay(x, 1), ir.BlockVal(from[1]), p.onWay(x, 2), ir.BlockVal(from[2]))
		p.selects = append(p.selects, selectPhi{x, phi})
		if x == last {
			break
		}
	}
	for k := len(p.selects) - 1; k >= 0; k-- {
		f.ReplaceAllUses(ir.Local(p.selects[k].sel), p.selects[k].phi)
		f.Erase(p.selects[k].sel)
	}
}

// frozen is the condition of the selects from first to last as a branch may ask
// it: where it is poison a select gives poison, a branch is undefined. A comparison that nothing else
// asks is frozen in its operands, so that the branch is still on a comparison.
func (p *preparer) frozen(first, last ir.InstrID) ir.Value {
	f := p.f
	c := f.Op(first, 0).Instr()
	n := 1
	for x := first; x != last; x = f.Instrs[x].Next {
		n++
	}
	if op := f.Instrs[c].Op; op != ir.OpICmp && op != ir.OpFCmp || f.NumUses(ir.Local(c)) != n {
		return p.insert(first, ir.Instr{Op: ir.OpFreeze, Type: ir.Int1}, ir.Local(c))
	}
	f.Instrs[c].Flags = 0 // samesign and fast-math flags make poison themselves
	for k, v := range [2]ir.Value{f.Op(c, 0), f.Op(c, 1)} {
		if v.IsLocal() {
			f.SetOp(c, k, p.insert(c, ir.Instr{Op: ir.OpFreeze, Type: f.TypeOf(v)}, v))
		}
	}
	return ir.Local(c)
}

// onWay is what select x is on way n, 1 or 2: where that is an earlier select
// of the group, that one's value on the same way.
func (p *preparer) onWay(x ir.InstrID, n int) ir.Value {
	v := p.f.Op(x, n)
	for k := len(p.selects) - 1; k >= 0; k-- {
		if v == ir.Local(p.selects[k].sel) {
			v = p.f.Op(p.selects[k].sel, n)
		}
	}
	return v
}

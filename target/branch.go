package target

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// Branch is a block's end: True is the taken destination (0: none, falls
// through), False the other one of a conditional branch (0: falls through), Cond
// the condition operands. Where InstrTable describes the branches, these are the
// opcode as an immediate and the operands before the block.
type Branch struct {
	True, False mir.BlockID
	Cond        []mir.Operand
}

// opposite is the branch that is taken when the conditional branch op is not, 0
// when op is none.
func (t *InstrTable) opposite(op desc.Opcode) desc.Opcode {
	for _, p := range t.Branches {
		switch op {
		case p[0]:
			return p[1]
		case p[1]:
			return p[0]
		}
	}
	return 0
}

// ReversesBranches reports whether passes can turn a conditional branch round.
func (st *Subtarget) ReversesBranches() bool {
	return st.Target.Instr.AnalyzeBranch != nil || st.Instr != nil && len(st.Instr.Branches) > 0
}

// AnalyzeBranch understands the terminators of b; ok is false when it cannot.
func (st *Subtarget) AnalyzeBranch(f *mir.Function, b mir.BlockID) (br Branch, ok bool) {
	if h := st.Target.Instr.AnalyzeBranch; h != nil {
		return h(st, f, b)
	}
	if st.Instr == nil || st.Instr.Jump == 0 {
		return br, false
	}
	for i := f.FirstTerminator(b); i != 0; i = f.Instr(i).Next() {
		switch op := f.Instr(i).Opcode; {
		case f.IsDebugInstr(i):
		case op == st.Instr.Jump && br.True == 0:
			br.True = f.Op(i, 0).Block()
		case op == st.Instr.Jump && br.Cond != nil && br.False == 0:
			br.False = f.Op(i, 0).Block()
		case br.True == 0 && st.Instr.opposite(op) != 0:
			last := int(f.Desc(i).NumOperands) - 1
			br.True = f.Op(i, last).Block()
			br.Cond = append([]mir.Operand{mir.ImmOp(int64(op))}, f.Ops(i)[:last]...)
		default:
			return br, false
		}
	}
	return br, true
}

// RemoveBranch removes the branches at the end of b and says how many there were.
func (st *Subtarget) RemoveBranch(f *mir.Function, b mir.BlockID) (n int) {
	if h := st.Target.Instr.RemoveBranch; h != nil {
		return h(st, f, b)
	}
	for i := f.Block(b).Last(); i != 0; {
		prev := f.Instr(i).Prev()
		if op := f.Instr(i).Opcode; op == st.Instr.Jump || st.Instr.opposite(op) != 0 {
			f.Erase(i)
			n++
		} else if !f.IsDebugInstr(i) {
			break
		}
		i = prev
	}
	return n
}

// InsertBranch adds branches at the end of b and says how many.
func (st *Subtarget) InsertBranch(f *mir.Function, b mir.BlockID, br Branch, loc mir.DebugLoc) int {
	if h := st.Target.Instr.InsertBranch; h != nil {
		return h(st, f, b, br, loc)
	}
	bd := mir.Builder{F: f, Block: b, Loc: loc}
	if br.Cond == nil {
		bd.BuildInstr(st.Instr.Jump, mir.BlockOp(br.True))
		return 1
	}
	ops := make([]mir.Operand, 0, 4)
	for _, o := range br.Cond[1:] {
		if o.IsReg() {
			// Whether a register dies here is not known any more.
			o = mir.SubRegOp(o.Reg(), o.SubReg(), 0)
		}
		ops = append(ops, o)
	}
	bd.BuildInstr(desc.Opcode(br.Cond[0].Imm()), append(ops, mir.BlockOp(br.True))...)
	if br.False == 0 {
		return 1
	}
	bd.BuildInstr(st.Instr.Jump, mir.BlockOp(br.False))
	return 2
}

// ReverseCond inverts a condition in place; false when that cannot be done.
func (st *Subtarget) ReverseCond(cond []mir.Operand) bool {
	if h := st.Target.Instr.ReverseCond; h != nil {
		return h(st, cond)
	}
	op := st.Instr.opposite(desc.Opcode(cond[0].Imm()))
	if op != 0 {
		cond[0] = cond[0].WithImm(int64(op))
	}
	return op != 0
}

// TidyBranch removes what stands behind an unconditional branch at the end of b,
// and that branch when the block behind is where it goes.
func (st *Subtarget) TidyBranch(f *mir.Function, b mir.BlockID) (changed bool) {
	jump := st.jump()
	if jump == 0 {
		return false
	}
	for i := f.Block(b).Last(); i != 0; {
		prev := f.Instr(i).Prev()
		switch d := f.Desc(i); {
		case f.IsDebugInstr(i):
		case f.Instr(i).Opcode == jump:
			for next := f.Instr(i).Next(); next != 0; next = f.Instr(i).Next() {
				f.Erase(next)
				changed = true
			}
			if f.Op(i, 0).Block() == f.NextBlock(b) {
				f.Erase(i)
				changed = true
			}
		case !d.IsTerminator() || !d.IsBranch() || d.IsIndirectBranch():
			return changed
		}
		i = prev
	}
	return changed
}

func (st *Subtarget) jump() desc.Opcode {
	if st.Instr == nil {
		return 0
	}
	return st.Instr.Jump
}

// CanFallThrough reports whether control may leave b into the block behind it,
// be it by a branch there.
func (st *Subtarget) CanFallThrough(f *mir.Function, b mir.BlockID) bool {
	next := f.NextBlock(b)
	if next == 0 || !f.HasSucc(b, next) {
		return false
	}
	br, ok := st.AnalyzeBranch(f, b)
	if !ok {
		last := f.Block(b).Last()
		return last == 0 || !f.Desc(last).IsBarrier()
	}
	return br.True == 0 || br.True == next || br.False == next || br.Cond != nil && br.False == 0
}

// BranchLoc is the location of the branches at the end of b, none when they differ.
func (st *Subtarget) BranchLoc(f *mir.Function, b mir.BlockID) mir.DebugLoc {
	loc, seen := mir.DebugLoc(0), false
	for i := f.FirstTerminator(b); i != 0; i = f.Instr(i).Next() {
		if !f.Desc(i).IsBranch() {
			continue
		}
		if l := f.Instr(i).Loc; !seen {
			loc, seen = l, true
		} else if l != loc {
			return 0
		}
	}
	return loc
}

// UpdateTerminator makes the branches at the end of b right for the block that
// stands behind it now; prev is the one that stood there when they were right. An
// end that cannot be analyzed stays: where control may fall out of it, prev stands
// behind it still.
func (st *Subtarget) UpdateTerminator(f *mir.Function, b, prev mir.BlockID) {
	br, ok := st.AnalyzeBranch(f, b)
	if !ok || f.NumSuccs(b) == 0 {
		return
	}
	next, loc := f.NextBlock(b), st.BranchLoc(f, b)
	insert := func(br Branch) { st.InsertBranch(f, b, br, loc) }
	switch {
	case br.Cond == nil && br.True != 0:
		if br.True == next {
			st.RemoveBranch(f, b)
		}
	case br.Cond == nil:
		// Control falls through, unless the end is not reached: then what stood
		// behind is no successor.
		if prev != 0 && prev != next && f.Block(prev).Flags&mir.EHPad == 0 && f.HasSucc(b, prev) {
			insert(Branch{True: prev})
		}
	case br.False != 0 && br.True == next:
		if st.ReverseCond(br.Cond) {
			st.RemoveBranch(f, b)
			insert(Branch{True: br.False, Cond: br.Cond})
		}
	case br.False != 0:
		if br.False == next {
			st.RemoveBranch(f, b)
			insert(Branch{True: br.True, Cond: br.Cond})
		}
	case br.True == prev:
		st.RemoveBranch(f, b)
		if br.True != next {
			insert(Branch{True: br.True})
		}
	case br.True == next:
		if !st.ReverseCond(br.Cond) {
			insert(Branch{True: prev})
			return
		}
		st.RemoveBranch(f, b)
		insert(Branch{True: prev, Cond: br.Cond})
	case prev != next:
		st.RemoveBranch(f, b)
		insert(Branch{True: br.True, Cond: br.Cond, False: prev})
	}
}

// ReplaceUsesOfBlock makes the terminators and edges of b that lead to old lead to new.
func ReplaceUsesOfBlock(f *mir.Function, b, old, new mir.BlockID) {
	for i := f.Block(b).Last(); i != 0; i = f.Instr(i).Prev() {
		if f.IsDebugInstr(i) {
			continue
		}
		if !f.Desc(i).IsTerminator() {
			break
		}
		for k := range f.Instr(i).NumOps() {
			if o := f.Op(i, k); o.Kind() == mir.OpMBB && o.Block() == old {
				f.SetBlock(i, k, new)
			}
		}
	}
	f.ReplaceSucc(b, old, new)
}

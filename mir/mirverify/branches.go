package mirverify

import (
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/family"
	"github.com/mirin-go/mirin/mir"
)

// branchInfo says how LLVM's target takes the branches at a block's end apart,
// so that the block can be held to its successors. A block that the target
// gives up on is not looked at.
type branchInfo struct {
	*family.Branches
	always, cond []desc.Opcode
}

// branchesOf returns the branches of a target, nil for one whose branches are not known.
func branchesOf(in *desc.Info, row *family.Row) *branchInfo {
	b := &row.Branches
	if b.Style == family.BranchesUnknown {
		return nil
	}
	return &branchInfo{b, family.Opcodes(in, b.Always), family.Opcodes(in, b.Cond)}
}

func contains(l []desc.Opcode, op desc.Opcode) bool {
	for _, x := range l {
		if x == op {
			return true
		}
	}
	return false
}

// exits is how control leaves a block: to taken, to other when it is not
// taken; 0 for the next block.
type exits struct {
	taken, other mir.BlockID
	cond         bool
}

// exitsOf analyzes the terminators of b; ok is false when LLVM's target cannot.
func (v *Verifier) exitsOf(b mir.BlockID) (e exits, ok bool) {
	if v.analyze == nil {
		return e, false
	}
	switch v.analyze.Style {
	case family.BranchScan:
		return v.scanExits(b)
	case family.BranchFirst:
		return v.firstExits(b)
	case family.BranchPredicated:
		return v.armExits(b)
	case family.BranchBundled:
		return v.hexagonExits(b)
	}
	return v.pairExits(b)
}

// isTerm reports a terminator that ends the block when it is reached.
func (v *Verifier) isTerm(i mir.InstrID) bool {
	d := v.f.Desc(i)
	return d.IsTerminator() && (d.IsBranch() && !d.IsBarrier() || !v.predicated(i))
}

// predicated reports an instruction that is executed under a condition.
func (v *Verifier) predicated(i mir.InstrID) bool {
	if !v.row.Branches.Predicated {
		return false
	}
	ops := v.f.Ops(i)
	for k, d := range v.in.Operands(v.f.Instr(i).Opcode) {
		if d.IsPredicate() && k < len(ops) {
			return ops[k].IsImm() && ops[k].Imm() != v.row.Branches.AlwaysPred
		}
	}
	return false
}

// above is the instruction before i that is no debug instruction; i is skipped when it is one itself.
func (v *Verifier) above(i mir.InstrID) mir.InstrID {
	for i != 0 && v.f.IsDebugInstr(i) {
		i = v.f.Instr(i).Prev()
	}
	return i
}

// branch returns the target of an analyzable branch and whether it is
// conditional. An unconditional branch that has lost its operand leads nowhere.
func (v *Verifier) branch(i mir.InstrID) (to mir.BlockID, cond, ok bool) {
	op := v.f.Instr(i).Opcode
	ops := v.f.Ops(i)
	to, has := branchTarget(ops)
	d := v.f.Desc(i)
	switch {
	case v.analyze.AnyBranch:
		ok = has && d.IsBranch() && !d.IsIndirectBranch() && op >= desc.FirstTargetOpcode
		return to, ok && !d.IsBarrier(), ok
	case contains(v.analyze.always, op):
		return to, false, has || len(ops) == 0 && v.analyze.Detached
	case contains(v.analyze.cond, op):
		return to, true, has
	}
	return 0, false, false
}

// pairExits looks at the last two terminators.
func (v *Verifier) pairExits(b mir.BlockID) (e exits, ok bool) {
	f := v.f
	last := v.above(f.Block(b).Last())
	if last == 0 || !v.isTerm(last) {
		return e, last == 0 || !v.f.IsBundled(last)
	}
	if v.f.IsBundled(last) {
		return e, false
	}
	to, cond, isBranch := v.branch(last)
	if !isBranch {
		return e, false
	}
	second := f.Instr(last).Prev()
	if v.analyze.SkipDebug {
		second = v.above(second)
	}
	if second == 0 || !v.isTerm(second) {
		return exits{taken: to, cond: cond}, second == 0 || !v.f.IsBundled(second) || !f.Desc(second).IsTerminator()
	}
	if third := f.Instr(second).Prev(); third != 0 && v.isTerm(third) || v.f.IsBundled(second) {
		return e, false
	}
	first, firstCond, isBranch := v.branch(second)
	switch {
	case !isBranch || cond:
		return e, false
	case firstCond:
		return exits{first, to, true}, true
	case v.analyze.OneAlways:
		return e, false
	}
	return exits{taken: first}, true
}

// scanExits goes up from the end as long as there are branches.
func (v *Verifier) scanExits(b mir.BlockID) (e exits, ok bool) {
	f := v.f
	var first mir.InstrID // the conditional branch that was met first
	for i := f.Block(b).Last(); i != 0; i = f.Instr(i).Prev() {
		if f.IsDebugInstr(i) {
			continue
		}
		if !v.isTerm(i) {
			break
		}
		to, cond, isBranch := v.branch(i)
		if !isBranch || v.f.IsBundled(i) {
			return e, false
		}
		switch {
		case !cond:
			e.taken = to
		case v.analyze.UndefFlags && undefined(f.Ops(i)):
			// LLVM does not analyze a branch on flags that are undefined.
			return e, false
		case !e.cond:
			e, first = exits{to, e.taken, true}, i
		case to != e.taken || f.Instr(i).Opcode != f.Instr(first).Opcode || !sameConditions(f.Ops(i), f.Ops(first)):
			return e, false
		}
	}
	return e, true
}

func sameConditions(a, b []mir.Operand) bool {
	if len(a) != len(b) {
		return false
	}
	for k := range a {
		if a[k].IsImm() && (!b[k].IsImm() || a[k].Imm() != b[k].Imm()) {
			return false
		}
	}
	return true
}

// firstExits looks at the first terminators of a block.
func (v *Verifier) firstExits(b mir.BlockID) (e exits, ok bool) {
	f := v.f
	i := mir.InstrID(0)
	for k := f.Block(b).Last(); k != 0 && (f.Desc(k).IsTerminator() || f.IsDebugInstr(k)); k = f.Instr(k).Prev() {
		if f.Desc(k).IsTerminator() {
			i = k
		}
		if v.f.IsBundled(k) {
			return e, false
		}
	}
	for i != 0 && !f.Desc(i).IsBranch() && !f.Desc(i).IsReturn() {
		if !strings.HasSuffix(v.in.OpcodeName(f.Instr(i).Opcode), "_term") {
			return e, false
		}
		i = f.Instr(i).Next()
	}
	if i == 0 {
		if last := f.Block(b).Last(); last != 0 && v.f.IsBundled(last) {
			return e, false
		}
		return e, true
	}
	to, cond, isBranch := v.branch(i)
	if !isBranch {
		return e, false
	}
	e = exits{taken: to, cond: cond}
	if next := f.Instr(i).Next(); cond && next != 0 {
		other, cond, isBranch := v.branch(next)
		e.other = other
		return e, isBranch && !cond
	}
	return e, true
}

// armExits goes up from the end over branches and what is executed under a condition.
func (v *Verifier) armExits(b mir.BlockID) (e exits, ok bool) {
	f := v.f
	debugValue := func(i mir.InstrID) bool {
		op := f.Instr(i).Opcode
		return op == desc.DBG_VALUE || op == desc.DBG_VALUE_LIST
	}
	for i := f.Block(b).Last(); i != 0 && (v.predicated(i) || f.Desc(i).IsTerminator() || debugValue(i)); i = f.Instr(i).Prev() {
		for i != 0 && (f.IsDebugInstr(i) || !f.Desc(i).IsTerminator()) {
			i = f.Instr(i).Prev()
		}
		if i == 0 {
			return e, true
		}
		to, cond, isBranch := v.branch(i)
		switch {
		case !isBranch, cond && e.cond:
			return e, false
		case cond:
			e = exits{to, e.taken, true}
		default:
			e.taken = to
			if !v.predicated(i) {
				e.cond, e.other = false, 0
			}
		}
	}
	return e, true
}

// hexagonExits looks at all terminators of a block, within bundles too.
func (v *Verifier) hexagonExits(b mir.BlockID) (e exits, ok bool) {
	f := v.f
	for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
		if f.Instr(i).Opcode == desc.EH_LABEL {
			return e, false
		}
	}
	last := v.above(f.Block(b).Last())
	if last == 0 || !v.isTerm(last) {
		return e, true
	}
	var second mir.InstrID
	for i := f.Instr(last).Prev(); i != 0; i = f.Instr(i).Prev() {
		if f.Instr(i).Opcode == desc.BUNDLE || !v.isTerm(i) {
			continue
		}
		if second != 0 {
			return e, false
		}
		second = i
	}
	to, cond, isBranch := v.branch(last)
	if !isBranch {
		return e, false
	}
	if second == 0 {
		return exits{taken: to, cond: cond}, true
	}
	first, firstCond, isBranch := v.branch(second)
	switch {
	case !isBranch || cond:
		return e, false
	case firstCond:
		return exits{first, to, true}, true
	}
	return exits{taken: first}, true
}

func branchTarget(ops []mir.Operand) (mir.BlockID, bool) {
	for k := range ops {
		if ops[k].Kind() == mir.OpMBB {
			return ops[k].Block(), true
		}
	}
	return 0, false
}

func undefined(ops []mir.Operand) bool {
	for k := range ops {
		if ops[k].IsUse() && ops[k].IsImplicit() && ops[k].IsUndef() {
			return true
		}
	}
	return false
}

// checkExits compares a block's branches with its successors.
func (v *Verifier) checkExits(b mir.BlockID) {
	e, ok := v.exitsOf(b)
	if !ok {
		return
	}
	f := v.f
	last := f.Block(b).Last()
	barrier, term := false, false
	if last != 0 {
		d := f.Desc(last)
		barrier, term = d.IsBarrier(), d.IsTerminator()
	}
	const notTerm = " but the branch isn't a terminator instruction!"
	switch {
	case e.taken == 0 && e.other == 0 && !e.cond:
		if barrier && !v.predicated(last) {
			v.errBlock(b, "MBB exits via unconditional fall-through but ends with a barrier instruction!")
		}
	case !e.cond && !barrier:
		v.errBlock(b, "MBB exits via unconditional branch but doesn't end with a barrier instruction!")
	case !e.cond && !term:
		v.errBlock(b, "MBB exits via unconditional branch"+notTerm)
	case e.cond && e.other == 0 && barrier:
		v.errBlock(b, "MBB exits via conditional branch/fall-through but ends with a barrier instruction!")
	case e.cond && e.other == 0 && !term:
		v.errBlock(b, "MBB exits via conditional branch/fall-through"+notTerm)
	case e.cond && e.other != 0 && !barrier:
		v.errBlock(b, "MBB exits via conditional branch/branch but doesn't end with a barrier instruction!")
	case e.cond && e.other != 0 && !term:
		v.errBlock(b, "MBB exits via conditional branch/branch"+notTerm)
	}
	if e.taken != 0 && !f.HasSucc(b, e.taken) {
		v.errBlock(b, "MBB exits via jump or conditional branch, but its target isn't a CFG successor!")
	}
	if e.other != 0 && !f.HasSucc(b, e.other) {
		v.errBlock(b, "MBB exits via conditional branch, but its target isn't a CFG successor!")
	}
	next := f.NextBlock(b)
	falls := e.taken == 0 || e.cond && e.other == 0
	if e.cond && e.other == 0 {
		if next == 0 {
			v.errBlock(b, "MBB conditionally falls through out of function!")
		} else if !f.HasSucc(b, next) {
			v.errBlock(b, "MBB exits via conditional branch/fall-through but the CFG successors don't match the actual successors!")
		}
	}
	for _, x := range f.Succs(b) {
		s := x.Block
		if s == e.taken || s == e.other || falls && s == next || f.Block(s).Flags&(mir.EHPad|mir.InlineAsmBrTarget) != 0 {
			continue
		}
		v.errBlock(b, "MBB has unexpected successors which are not branch targets, fallthrough, EHPads, or inlineasm_br targets.")
	}
}

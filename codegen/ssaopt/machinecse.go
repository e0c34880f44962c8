package ssaopt

import (
	"slices"

	"github.com/mirin-go/mirin/analysis"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir/iranalysis"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// MachineCSE replaces an instruction by an equal one that dominates it, where
// that is not likely to cost a register: a walk down the dominator tree with a
// table of expressions whose scopes are the tree's nodes. Before that,
// expressions of two blocks of which one can reach the other are computed in
// their common dominator when that runs no more often than both (partial
// redundancy); the walk then removes both.
//
// Instructions that define physical registers (flags) can go when the same
// definitions of the earlier instruction still hold, which is seen within a few
// instructions alone.
var MachineCSE = pass.Pass{
	Name:     "machine-cse",
	Title:    "Machine Common Subexpression Elimination",
	Requires: mir.IsSSA,
	Optional: pass.Skippable,
	KeepsCFG: true,
	Run:      runMachineCSE,
}

const (
	// cseLookAhead is how many instructions are looked through for another
	// definition of a physical register.
	cseLookAhead = 5
	// cseUsesCap is how many uses of a register are compared with another's.
	cseUsesCap = 1024
	// reachCap is how many IR blocks are walked to see whether one reaches another.
	reachCap = 32
)

// physDef is an operand that defines a physical register which may be read.
type physDef struct {
	op  int
	reg mir.Reg
}

// cseScratch is the memory of MachineCSE between functions.
type cseScratch struct {
	c     *pass.Context
	f     *mir.Function
	regs  physRegs
	table exprTable
	dom   *pass.Dominators
	order []int32 // stack of blocks to visit
	marks []int   // sizes of table at the blocks above, by level

	// refs are the physical registers that the current instruction reads or
	// defines, defs the definitions among them.
	refs []mir.Reg
	defs []physDef

	pairs    [][2]mir.Reg // old and new register
	wake     []int        // implicit definitions that are dead at the expression kept, not at the one that goes
	implicit []mir.Reg

	irGraph analysis.Graph
	irReady bool
	irSeen  []uint32
	irStamp uint32
	irWork  []int32

	// noKills and noPhysKills are registers no use of which has a kill flag.
	noKills, noPhysKills []bool

	users     []uint32 // by instruction, stamped
	userStamp uint32
	// uses is what is known of the uses of each register.
	uses []cseUses
}

// cseUses is what is known of the uses of a register.
type cseUses uint8

const (
	usesKnown cseUses = 1 << iota // whether a PHI is among them
	usesPHI                       // one is
	usesMany                      // they are more than cseUsesCap
)

func runMachineCSE(c *pass.Context, f *mir.Function) error {
	if f.FirstBlock() == 0 {
		return nil
	}
	s := pass.Scratch[cseScratch](c)
	s.c, s.f = c, f
	s.regs.reset(c, f)
	s.irReady = false
	clear(s.noKills)
	clear(s.noPhysKills)
	clear(s.uses)
	s.dom = pass.Get[pass.Dominators](c, f)
	n := f.NumInstrIDs()
	s.table.reset(f, n)
	s.hoistPartial()
	s.table.reset(f, n)
	s.eliminate()
	return nil
}

// pushChildren puts the blocks that b dominates at once on the stack: the last
// is visited first, as in LLVM.
func (s *cseScratch) pushChildren(b int32) {
	s.dom.Children(int(b), func(ch int) { s.order = append(s.order, int32(ch)) })
}

func (s *cseScratch) pop() int32 {
	b := s.order[len(s.order)-1]
	s.order = s.order[:len(s.order)-1]
	return b
}

// eliminate is the walk down the dominator tree.
func (s *cseScratch) eliminate() {
	s.order = append(s.order[:0], int32(s.f.FirstBlock()))
	s.marks = s.marks[:0]
	for len(s.order) > 0 {
		b := s.pop()
		level := s.dom.Level(int(b))
		if level < len(s.marks) {
			s.table.cut(s.marks[level])
			s.marks = s.marks[:level]
		}
		s.marks = append(s.marks, len(s.table.rows))
		s.pushChildren(b)
		s.block(mir.BlockID(b))
	}
}

// isCandidate reports an instruction whose value depends on its operands alone.
func (s *cseScratch) isCandidate(i mir.InstrID) bool {
	f := s.f
	op := f.Instr(i).Opcode
	switch op {
	case desc.IMPLICIT_DEF, desc.KILL, desc.INLINEASM, desc.INLINEASM_BR, desc.JUMP_TABLE_DEBUG_INFO, desc.FAKE_USE, desc.LOAD_STACK_GUARD:
		return false
	}
	if isPosition(op) || f.IsPHI(i) || f.IsDebugInstr(i) || isCopyLike(op) {
		return false
	}
	const fixed = desc.MayStore | desc.Call | desc.Terminator | desc.UnmodeledSideEffects
	d := f.Desc(i)
	if d.Flags&fixed != 0 || mayRaiseFP(f, i) {
		return false
	}
	return !d.MayLoad() || f.IsInvariantLoad(i)
}

// block eliminates within one block what the scopes around it know.
func (s *cseScratch) block(b mir.BlockID) {
	f := s.f
	for i := f.Block(b).First(); i != 0; {
		next := f.Instr(i).Next()
		if s.isCandidate(i) {
			s.visit(b, i)
		}
		i = next
	}
}

// visit removes i when an equal instruction is known, and remembers it otherwise.
func (s *cseScratch) visit(b mir.BlockID, i mir.InstrID) {
	f := s.f
	found := s.table.find(i)
	if found == nil && s.propagateCopies(i) {
		if isCopyLike(f.Instr(i).Opcode) {
			return
		}
		found = s.table.find(i)
	}
	commuted := false
	if found == nil && f.Desc(i).IsCommutable() && commute(s.c, f, i) {
		if found = s.table.find(i); found == nil {
			commute(s.c, f, i) // it did not help
		}
		commuted = true
	}
	crossBlock := false
	if found != nil {
		live, overlap := s.physical(b, i)
		if live && (overlap || !s.reaches(found.instr, i, &crossBlock)) {
			found = nil
		}
	}
	if found == nil || isConvergent(f, i) && f.Instr(found.instr).Block() != b || !s.profitable(found.instr, i) {
		s.table.add(i, 0)
		return
	}
	s.replace(b, found.instr, i, crossBlock)
	if commuted {
		s.c.Count("machine-cse", "Number of CSEs after commuting operands", 1)
	}
}

// commute exchanges the sources of i in place.
func commute(c *pass.Context, f *mir.Function, i mir.InstrID) bool {
	a, b, ok := c.Subtarget.CommutableOps(f, i, -1, -1)
	return ok && c.Subtarget.Commute(f, i, a, b)
}

// propagateCopies makes i read what is copied to its operands.
func (s *cseScratch) propagateCopies(i mir.InstrID) bool {
	f := s.f
	changed := false
	for k := range f.Instr(i).NumOps() {
		o := f.Op(i, k)
		if !o.IsUse() || !o.Reg().IsVirtual() {
			continue
		}
		r := o.Reg()
		def := defOf(f, r)
		if def == 0 || f.Instr(def).Opcode != desc.COPY {
			continue
		}
		src := *f.Op(def, 1)
		if !src.Reg().IsVirtual() || src.SubReg() != 0 {
			continue
		}
		once := f.HasOneUse(r)
		if !constrain(f, src.Reg(), r) {
			continue
		}
		f.SetReg(i, k, src.Reg())
		f.SetOpFlag(i, k, mir.Kill, false)
		s.clearKills(src.Reg())
		if once {
			moveDebugUses(f, r, src.Reg())
			f.Erase(def)
			s.c.Count("machine-cse", "Number of copies coalesced", 1)
		}
		changed = true
	}
	return changed
}

// physical collects the physical registers that i reads (constant ones do not
// count) and those that it defines and that may be read behind it. live says
// that there are any, overlap that i defines one that it reads.
func (s *cseScratch) physical(b mir.BlockID, i mir.InstrID) (live, overlap bool) {
	f := s.f
	s.refs, s.defs = s.refs[:0], s.defs[:0]
	ops := f.Ops(i)
	for k := range ops {
		if o := &ops[k]; o.IsUse() && o.Reg().IsPhysical() && !s.regs.isConstant(o.Reg()) {
			s.refs = append(s.refs, o.Reg())
		}
	}
	for k := range ops {
		o := &ops[k]
		if !o.IsDef() || o.Reg().IsVirtual() {
			continue
		}
		overlap = overlap || s.isRef(o.Reg())
		if !o.IsDead() && !s.triviallyDead(o.Reg(), f.Instr(i).Next()) {
			s.defs = append(s.defs, physDef{k, o.Reg()})
		}
	}
	for _, d := range s.defs {
		s.refs = append(s.refs, d.reg)
	}
	return len(s.refs) > 0, overlap
}

func (s *cseScratch) isRef(r mir.Reg) bool {
	return slices.ContainsFunc(s.refs, func(x mir.Reg) bool { return overlaps(s.f, x, r) })
}

// triviallyDead reports that r is defined again soon behind at and not read before.
func (s *cseScratch) triviallyDead(r mir.Reg, at mir.InstrID) bool {
	f := s.f
	for range cseLookAhead {
		if at = f.SkipDebug(at); at == 0 {
			return false
		}
		defined := false
		ops := f.Ops(at)
		for k := range ops {
			switch o := &ops[k]; {
			case o.Kind() == mir.OpRegMask:
				defined = defined || clobbers(f, o, r)
			case o.IsReg() && o.Reg().IsPhysical() && overlaps(f, o.Reg(), r):
				if o.IsUse() {
					return false
				}
				defined = true
			}
		}
		if defined {
			return true
		}
		at = f.Instr(at).Next()
	}
	return false
}

// reaches reports that the physical registers of i have behind def, an equal
// instruction, the values that they have behind i. Both stand in one block,
// or def in the only predecessor of i's: crossBlock is set then.
func (s *cseScratch) reaches(def, i mir.InstrID, crossBlock *bool) bool {
	f := s.f
	b, from := f.Instr(i).Block(), f.Instr(def).Block()
	if b != from {
		if f.NumPreds(b) != 1 || f.Preds(b)[0] != from {
			return false
		}
		for _, d := range s.defs {
			if s.regs.isAllocatable(d.reg) || isReserved(s.regs.reserved, d.reg) {
				return false
			}
		}
	}
	cross := b != from
	at := f.Instr(def).Next()
	for left := cseLookAhead; left > 0; {
		for at != 0 && at != i && f.IsDebugInstr(at) {
			at = f.Instr(at).Next()
		}
		if at == 0 {
			if !cross {
				return false
			}
			cross, *crossBlock = false, true
			at = f.Block(b).First()
			continue
		}
		if at == i {
			return true
		}
		ops := f.Ops(at)
		for k := range ops {
			o := &ops[k]
			if o.Kind() == mir.OpRegMask || o.IsDef() && !o.Reg().IsVirtual() && s.isRef(o.Reg()) {
				return false
			}
		}
		left--
		at = f.Instr(at).Next()
	}
	return false
}

// profitable collects what replacing i by def, an equal instruction, changes,
// and reports whether that can be done and pays.
func (s *cseScratch) profitable(def, i mir.InstrID) bool {
	f := s.f
	s.pairs, s.wake, s.implicit = s.pairs[:0], s.wake[:0], s.implicit[:0]
	n := f.Instr(i).NumOps()
	left := s.numAllDefs(i)
	for k := 0; left > 0 && k < n; k++ {
		o, p := f.Op(i, k), f.Op(def, k)
		if !o.IsDef() {
			continue
		}
		left--
		was, is := o.Reg(), p.Reg()
		if o.IsImplicit() && !o.IsDead() {
			if p.IsDead() {
				s.wake = append(s.wake, k)
			}
			if was == is {
				s.implicit = append(s.implicit, was)
			}
		}
		if was == is {
			continue
		}
		if !was.IsVirtual() || !is.IsVirtual() || !s.pays(is, was, f.Instr(def).Block(), i) || !constrain(f, is, was) {
			return false
		}
		s.pairs = append(s.pairs, [2]mir.Reg{was, is})
	}
	return true
}

// numAllDefs counts the definitions of i: the declared ones, implicit ones
// included, and explicit ones behind them where the operands may be more.
func (s *cseScratch) numAllDefs(i mir.InstrID) int {
	n := numDefs(s.f, i)
	if d := s.f.Desc(i); d.IsVariadic() {
		ops := s.f.Ops(i)
		for k := int(d.NumDefs); k < len(ops) && ops[k].IsDef() && !ops[k].IsImplicit(); k++ {
			n++
		}
	}
	return n
}

// pays judges whether reading reg, of an equal instruction in block from, in
// place of old, of i, is worth the longer life of reg.
func (s *cseScratch) pays(reg, old mir.Reg, from mir.BlockID, i mir.InstrID) bool {
	f := s.f
	if !s.morePressure(reg, old) {
		return true
	}
	b := f.Instr(i).Block()
	// What is cheap is computed again rather than kept for long.
	if f.Desc(i).IsAsCheapAsAMove() && from != b && !f.HasSucc(from, b) {
		return false
	}
	// A value of no virtual register that is only copied is as good where it is.
	reads := false
	ops := f.Ops(i)
	for k := range ops {
		if ops[k].IsUse() && ops[k].Reg().IsVirtual() {
			reads = true
			break
		}
	}
	if !reads {
		other := false
		for u := range f.NonDebugUses(old) {
			if !isCopyLike(f.Instr(u).Opcode) {
				other = true
				break
			}
		}
		if !other {
			return false
		}
	}
	// A value that PHIs read would live beside theirs, unless it is at hand in this block.
	return s.isReadIn(reg, b) || !s.isReadByPHI(reg)
}

// isReadIn reports whether an instruction of block b reads reg: it looks through
// the uses and the block in step, since either may be long.
func (s *cseScratch) isReadIn(reg mir.Reg, b mir.BlockID) bool {
	f := s.f
	i := f.Block(b).First()
	for u := range f.NonDebugUses(reg) {
		if f.Instr(u).Block() == b {
			return true
		}
		for i != 0 && f.IsDebugInstr(i) {
			i = f.Instr(i).Next()
		}
		if i == 0 {
			return false
		}
		ops := f.Ops(i)
		for k := range ops {
			if ops[k].IsUse() && ops[k].Reg() == reg {
				return true
			}
		}
		i = f.Instr(i).Next()
	}
	return false
}

// isReadByPHI reports whether a PHI reads reg, which is looked for once.
func (s *cseScratch) isReadByPHI(reg mir.Reg) bool {
	x := s.usesOf(reg)
	if *x&usesKnown == 0 {
		*x |= usesKnown
		for u := range s.f.NonDebugUses(reg) {
			if s.f.IsPHI(u) {
				*x |= usesPHI
				break
			}
		}
	}
	return *x&usesPHI != 0
}

func (s *cseScratch) usesOf(reg mir.Reg) *cseUses {
	s.uses = rows.AtLeast(s.uses, s.f.NumVRegs())
	return &s.uses[reg.Index()]
}

// morePressure reports whether some instruction that reads old does not read reg already.
func (s *cseScratch) morePressure(reg, old mir.Reg) bool {
	f := s.f
	many := s.usesOf(reg)
	if *many&usesMany != 0 {
		return true
	}
	s.users = rows.AtLeast(s.users, f.NumInstrIDs())
	s.userStamp++
	n := 0
	for u := range f.NonDebugUses(reg) {
		s.users[u] = s.userStamp
		if n++; n > cseUsesCap {
			*many |= usesMany
			return true
		}
	}
	for u := range f.NonDebugUses(old) {
		if s.users[u] != s.userStamp {
			return true
		}
	}
	return false
}

// replace removes i, for which def stands.
func (s *cseScratch) replace(b mir.BlockID, def, i mir.InstrID, crossBlock bool) {
	f, c := s.f, s.c
	for _, p := range s.pairs {
		clearDeads(f, p[1])
		s.clearKills(p[0])
		if s.isReadByPHI(p[0]) {
			*s.usesOf(p[1]) |= usesPHI
		}
		f.ReplaceReg(p[0], p[1])
		s.clearKills(p[1])
	}
	for _, k := range s.wake {
		f.SetOpFlag(def, k, mir.Dead, false)
	}
	for _, d := range s.defs {
		if !f.Op(i, d.op).IsDead() {
			f.SetOpFlag(def, d.op, mir.Dead, false)
		}
	}
	// A physical register that lives on to the readers of i dies at none before it.
	if f.Instr(def).Block() == b {
		for at := def; at != i && len(s.implicit) > 0; at = f.Instr(at).Next() {
			for _, r := range s.implicit {
				for k := range f.Instr(at).NumOps() {
					if o := f.Op(at, k); o.IsKill() && o.Reg().IsPhysical() && overlaps(f, o.Reg(), r) {
						f.SetOpFlag(at, k, mir.Kill, false)
						break
					}
				}
			}
		}
	} else {
		for _, r := range s.implicit {
			if s.noPhysKills = rows.AtLeast(s.noPhysKills, len(f.Facts.Regs)); !s.noPhysKills[r] {
				s.noPhysKills[r] = true
				clearKills(f, r)
			}
		}
	}
	if crossBlock {
		for k := len(s.defs) - 1; k >= 0; k-- {
			if r := s.defs[k].reg; !f.IsLiveIn(b, r) {
				f.AddLiveIn(b, r, mir.AllLanes)
			}
		}
		c.Count("machine-cse", "Number of cross-MBB physreg referencing CS eliminated", 1)
	}
	f.Erase(i)
	c.Count("machine-cse", "Number of common subexpression eliminated", 1)
	if len(s.refs) > 0 {
		c.Count("machine-cse", "Number of physreg referencing common subexpr eliminated", 1)
	}
}

// clearKills clears the kill flags of the uses of virtual register r. The pass sets
// none, so that once is enough.
func (s *cseScratch) clearKills(r mir.Reg) {
	s.noKills = rows.AtLeast(s.noKills, s.f.NumVRegs())
	if n := r.Index(); !s.noKills[n] {
		s.noKills[n] = true
		clearKills(s.f, r)
	}
}

// Partial redundancy.

// isPartialCandidate reports a candidate worth hoisting: dearer than a move,
// with one result. The physical registers that it reads go into refs.
func (s *cseScratch) isPartialCandidate(i mir.InstrID) bool {
	f := s.f
	d := f.Desc(i)
	if numDefs(f, i) != 1 || d.NumDefs != 1 || d.IsNotDuplicable() || d.MayLoad() || d.IsAsCheapAsAMove() || s.numAllDefs(i) != 1 || !s.isCandidate(i) {
		return false
	}
	s.refs, s.defs = s.refs[:0], s.defs[:0]
	ops := f.Ops(i)
	for k := range ops {
		if o := &ops[k]; o.IsReg() && !o.Reg().IsVirtual() {
			if o.IsDef() {
				return false
			}
			s.refs = append(s.refs, o.Reg())
		}
	}
	return true
}

// hoistPartial walks the dominator tree and computes expressions of two blocks
// in their common dominator.
func (s *cseScratch) hoistPartial() {
	f := s.f
	s.order = append(s.order[:0], int32(f.FirstBlock()))
	for len(s.order) > 0 {
		b := mir.BlockID(s.pop())
		s.pushChildren(int32(b))
		for i := f.Block(b).First(); i != 0; {
			next := f.Instr(i).Next()
			if s.isPartialCandidate(i) {
				if e := s.table.find(i); e != nil {
					s.hoist(b, i, e)
				} else {
					s.table.add(i, uint32(b))
				}
			}
			i = next
		}
	}
}

// hoist computes i, of block b, at the end of the common dominator of b and the
// block of e, if that may pay.
func (s *cseScratch) hoist(b mir.BlockID, i mir.InstrID, e *exprRow) {
	f := s.f
	b1 := mir.BlockID(e.val)
	to := mir.BlockID(s.dom.Common(int(b), int(b1)))
	if to == b1 || !mayHoistInto(f, to) || !s.cold(to, b, b1) {
		return
	}
	if x, y := f.Block(b).IRBlock, f.Block(b1).IRBlock; x == 0 || y == 0 || !s.irReaches(y, x) && !s.irReaches(x, y) {
		return
	}
	if isConvergent(f, i) && to != b {
		return
	}
	at := f.FirstTerminator(to)
	cross := false
	if len(s.refs) > 0 && (at == 0 || !s.reaches(at, i, &cross)) {
		return
	}
	r := f.Op(i, 0).Reg()
	n := f.CloneVReg(r)
	if !s.pays(n, r, to, i) {
		return
	}
	h := f.Clone(i)
	f.Instr(h).Loc = 0
	f.SetReg(h, 0, n)
	f.InsertBefore(to, at, h)
	e.val = uint32(to)
	s.c.Count("machine-cse", "Number of partial redundant expression transformed to fully redundant", 1)
}

// cold reports that block to runs no more often than a and b together.
func (s *cseScratch) cold(to, a, b mir.BlockID) bool {
	if minSize(s.f) {
		return true
	}
	freq := pass.Get[pass.Frequencies](s.c, s.f).Freq
	return freq[to] <= freq[a]+freq[b]
}

// irReaches reports whether IR block a may reach b; true when the walk grows too long.
func (s *cseScratch) irReaches(a, b uint32) bool {
	if s.f.IR == nil {
		return false
	}
	if !s.irReady {
		iranalysis.FillCFG(&s.irGraph, s.f.IR)
		s.irReady = true
	}
	s.irSeen = rows.AtLeast(s.irSeen, s.irGraph.NumNodes())
	s.irStamp++
	s.irWork = append(s.irWork[:0], int32(a))
	for left := reachCap; len(s.irWork) > 0; {
		n := s.irWork[len(s.irWork)-1]
		s.irWork = s.irWork[:len(s.irWork)-1]
		if s.irSeen[n] == s.irStamp {
			continue
		}
		s.irSeen[n] = s.irStamp
		if n == int32(b) {
			return true
		}
		if left--; left == 0 {
			return true
		}
		s.irWork = append(s.irWork, s.irGraph.Succs(int(n))...)
	}
	return false
}

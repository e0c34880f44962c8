package ssaopt

import (
	"slices"

	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// PeepholeOpt is one walk over each block that
//
//   - removes comparisons whose flags another instruction leaves;
//   - has copies read where the value came from first, and turns bitcasts and
//     the like that lead back to their own register file into copies;
//   - removes copies of what was copied already;
//   - folds constants and loads into the instructions that read them;
//   - has other readers of what was extended read the result of the extension;
//   - exchanges sources of a loop's recurrences so that the tied one is the
//     value that comes around.
//
// What depends on the instruction set is asked of the target.
var PeepholeOpt = pass.Pass{
	Name:     "peephole-opt",
	Title:    "Peephole Optimizations",
	Requires: mir.IsSSA,
	Optional: pass.Skippable,
	KeepsCFG: true,
	Run:      runPeepholeOpt,
}

const (
	// maxRecurrence is the longest chain of instructions around a loop whose
	// sources are exchanged.
	maxRecurrence = 3
	// killScanCap is how many uses of a register are searched for one that ends it;
	// what selection marks as ended has one or few.
	killScanCap = 16
)

// peephole is the memory of the pass between functions.
type peephole struct {
	c    *pass.Context
	f    *mir.Function
	regs physRegs
	src  sources
	// stamp marks the rows below that belong to the current block.
	stamp uint32
	// imms has, by virtual register, the instruction of this block that makes a
	// constant in it; loads the registers whose load can still be folded.
	imms      []immDef
	seenImm   bool
	loads     []uint32
	loadStamp uint32
	numLoads  int
	// copies has, by source register, the last row of copied.
	copies []stamped
	copied []copyRow
	fixed  []fixedCopy
	ops    []int

	blocks     []uint32 // by block, stamped
	phiBlocks  []uint32
	blockStamp uint32
	uses       []operandRef
	places     []int32 // by block: which one it is in the layout; empty until it is asked for
}

type stamped struct{ stamp, row uint32 }

type immDef struct {
	stamp uint32
	instr mir.InstrID
}

// copyRow is a copy of part src; next is the row before of the same register.
type copyRow struct {
	src   part
	instr mir.InstrID
	next  uint32
}

// fixedCopy is a copy of a register that is not allocated, which still holds
// what was copied.
type fixedCopy struct {
	reg   mir.Reg
	instr mir.InstrID
}

// operandRef names an operand.
type operandRef struct {
	instr mir.InstrID
	op    int
}

func runPeepholeOpt(c *pass.Context, f *mir.Function) error {
	s := pass.Scratch[peephole](c)
	s.c, s.f = c, f
	s.regs.reset(c, f)
	s.src.reset(f, c.Subtarget)
	s.places = s.places[:0]
	loops := pass.Get[pass.Loops](c, f)
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		s.stamp++
		s.seenImm, s.copied, s.fixed = false, append(s.copied[:0], copyRow{}), s.fixed[:0]
		s.dropLoads()
		header := loops.IsHeader(int(b))
		for i := f.Block(b).First(); i != 0; {
			i = s.visit(i, header)
		}
	}
	return nil
}

// dropLoads forgets the loads that could be folded.
func (s *peephole) dropLoads() {
	s.loadStamp++
	s.numLoads = 0
}

// visit optimizes i and returns the instruction to go on with.
func (s *peephole) visit(i mir.InstrID, header bool) mir.InstrID {
	f := s.f
	next := f.Instr(i).Next()
	op := f.Instr(i).Opcode
	if f.IsDebugInstr(i) || isPosition(op) {
		return next
	}
	if header && f.IsPHI(i) && s.recurrence(i) {
		return next
	}
	if op != desc.COPY {
		s.forgetFixed(i)
	}
	if op == desc.IMPLICIT_DEF || op == desc.KILL {
		return next
	}
	if op == desc.INLINEASM || op == desc.INLINEASM_BR || f.HasSideEffects(i) {
		s.fixed = s.fixed[:0]
	}
	d := f.Desc(i)
	if isUncoalescable(d) && s.uncoalescable(i) {
		f.Erase(i)
		s.c.Count("peephole-opt", "Number of uncoalescable copies optimized", 1)
		return next
	}
	if d.IsCompare() && s.compare(i) {
		return next
	}
	if isCoalescable(op) && s.coalescable(i) {
		s.c.Count("peephole-opt", "Number of copies rewritten", 1)
		return next
	}
	if op == desc.COPY && (s.redundantCopy(i) || s.redundantFixedCopy(i)) {
		f.Erase(i)
		return next
	}
	if !s.isConstant(i) {
		s.extension(i)
		next = f.Instr(i).Next()
		if s.seenImm && s.foldConstant(i) {
			return next
		}
		// The constant may have been the next instruction's only reason to be.
		next = f.Instr(i).Next()
	}
	if !s.isLoad(i) && s.numLoads > 0 {
		i = s.foldLoads(i)
		next = f.Instr(i).Next()
	}
	if d := f.Desc(i); f.MayStore(i) || d.IsCall() || f.HasSideEffects(i) && f.Instr(i).Opcode != desc.PSEUDO_PROBE {
		s.dropLoads()
	}
	return next
}

// compare removes comparison i when other flags do.
func (s *peephole) compare(i mir.InstrID) bool {
	h := &s.c.Machine.Target.Instr
	if h.AnalyzeCompare == nil || h.OptimizeCompare == nil {
		return false
	}
	cmp, ok := h.AnalyzeCompare(s.c.Subtarget, s.f, i)
	if !ok || cmp.Src.IsPhysical() || cmp.Src2.IsPhysical() || !h.OptimizeCompare(s.c.Subtarget, s.f, i, cmp) {
		return false
	}
	s.c.Count("peephole-opt", "Number of compares eliminated", 1)
	return true
}

// Copies.

// isCoalescable reports copies in which the register coalescer may join registers.
func isCoalescable(op desc.Opcode) bool {
	switch op {
	case desc.COPY, desc.REG_SEQUENCE, desc.INSERT_SUBREG, desc.EXTRACT_SUBREG:
		return true
	}
	return false
}

// isUncoalescable reports target instructions that do nothing but copy.
func isUncoalescable(d *desc.InstrDesc) bool {
	return d.Flags&(desc.Bitcast|desc.RegSequenceLike|desc.InsertSubregLike|desc.ExtractSubregLike) != 0
}

// coalescable has copy-like instruction i read values where they came from first.
func (s *peephole) coalescable(i mir.InstrID) bool {
	f := s.f
	dst := *f.Op(i, 0)
	if !dst.Reg().IsVirtual() {
		return false
	}
	class := desc.ClassID(f.VReg(dst.Reg()).Class)
	changed := false
	// rewrite looks for the source of operand k, which goes to part sub of the result.
	rewrite := func(k int, from part, sub uint16) (part, bool) {
		if !s.src.find(class, sub, from) {
			return part{}, false
		}
		p := s.src.newSource(from, false)
		return p, p.reg != mir.NoReg
	}
	replace := func(k int, p part) {
		f.SetReg(i, k, p.reg)
		f.SetSubReg(i, k, p.sub)
		f.SetOpFlag(i, k, mir.Kill, false)
		s.src.clearKills(p.reg)
		changed = true
	}
	switch f.Instr(i).Opcode {
	case desc.COPY:
		if p, ok := rewrite(1, part{f.Op(i, 1).Reg(), f.Op(i, 1).SubReg()}, dst.SubReg()); ok {
			replace(1, p)
		}
	case desc.INSERT_SUBREG:
		if dst.SubReg() != 0 {
			break
		}
		if p, ok := rewrite(2, part{f.Op(i, 2).Reg(), f.Op(i, 2).SubReg()}, uint16(f.Op(i, 3).Imm())); ok {
			replace(2, p)
		}
	case desc.EXTRACT_SUBREG:
		if f.Op(i, 1).SubReg() != 0 {
			break
		}
		p, ok := rewrite(1, part{f.Op(i, 1).Reg(), uint16(f.Op(i, 2).Imm())}, dst.SubReg())
		switch {
		case ok && p.sub != 0:
			f.SetReg(i, 1, p.reg)
			f.SetImm(i, 2, int64(p.sub))
			f.SetOpFlag(i, 1, mir.Kill, false)
			s.src.clearKills(p.reg)
			changed = true
		case ok:
			f.RemoveOp(i, 2)
			f.Instr(i).Opcode = desc.COPY
			replace(1, p)
		}
	case desc.REG_SEQUENCE:
		for k := 1; k+1 < f.Instr(i).NumOps(); k += 2 {
			if p, ok := rewrite(k, part{f.Op(i, k).Reg(), f.Op(i, k).SubReg()}, uint16(f.Op(i, k+1).Imm())); ok && p.sub == 0 {
				replace(k, p)
			}
		}
	}
	return changed
}

// uncoalescable puts copies, which the coalescer understands, before i for its
// results, and reports whether it did for all.
func (s *peephole) uncoalescable(i mir.InstrID) bool {
	f := s.f
	n := int(f.Desc(i).NumDefs)
	s.src.steps = s.src.steps[:0]
	any := false
	for k := range n {
		o := f.Op(i, k)
		if o.IsDead() {
			continue
		}
		any = true
		if !o.Reg().IsVirtual() || !s.src.findMore(f, desc.ClassID(f.VReg(o.Reg()).Class), o.SubReg(), part{o.Reg(), o.SubReg()}) {
			return false
		}
	}
	if !any {
		return false
	}
	for k := range n {
		def := *f.Op(i, k)
		if def.IsDead() {
			continue
		}
		p := s.src.newSource(part{def.Reg(), def.SubReg()}, true)
		r := f.AddVReg(f.VReg(def.Reg()).Class)
		to := mir.RegOp(r, mir.Def)
		if def.SubReg() != 0 {
			to = mir.SubRegOp(r, def.SubReg(), mir.Def|mir.Undef)
		}
		cp := f.New(desc.COPY, to, mir.SubRegOp(p.reg, p.sub, 0))
		f.Instr(cp).Loc = f.Instr(i).Loc
		f.InsertBefore(f.Instr(i).Block(), i, cp)
		s.src.replaceReg(def.Reg(), r)
		s.src.clearKills(p.reg)
	}
	return true
}

// redundantCopy reports that an earlier copy of this block has, in a register
// of the same class, what copy i makes, and has it read in place of i.
func (s *peephole) redundantCopy(i mir.InstrID) bool {
	f := s.f
	src, dst := *f.Op(i, 1), *f.Op(i, 0)
	if !src.Reg().IsVirtual() && !s.regs.isConstant(src.Reg()) || !dst.Reg().IsVirtual() {
		return false
	}
	at := int(src.Reg()) // physical registers first
	if src.Reg().IsVirtual() {
		at = len(f.Facts.Regs) + src.Reg().Index()
	}
	s.copies = rows.AtLeast(s.copies, len(f.Facts.Regs)+f.NumVRegs())
	head := &s.copies[at]
	if head.stamp != s.stamp {
		*head = stamped{s.stamp, 0}
	}
	p := part{src.Reg(), src.SubReg()}
	for n := head.row; n != 0; n = s.copied[n].next {
		r := &s.copied[n]
		if r.src != p {
			continue
		}
		// The copy may have been rewritten or be gone.
		if f.Instr(r.instr).Opcode != desc.COPY || f.Instr(r.instr).Block() != f.Instr(i).Block() || r.instr == i ||
			f.Op(r.instr, 1).Reg() != p.reg || f.Op(r.instr, 1).SubReg() != p.sub || !f.Op(r.instr, 0).Reg().IsVirtual() || !f.Before(r.instr, i) {
			r.instr = i
			return false
		}
		prev := f.Op(r.instr, 0).Reg()
		if f.VReg(prev).Class != f.VReg(dst.Reg()).Class {
			return false
		}
		s.src.replaceReg(dst.Reg(), prev)
		return true
	}
	s.copied = append(s.copied, copyRow{p, i, head.row})
	head.row = uint32(len(s.copied) - 1)
	return false
}

// isFixed reports a register that is not allocated.
func (s *peephole) isFixed(r mir.Reg) bool { return r.IsPhysical() && !s.regs.isAllocatable(r) }

// forgetFixed forgets the copies of fixed registers that i changes.
func (s *peephole) forgetFixed(i mir.InstrID) {
	if len(s.fixed) == 0 {
		return
	}
	f := s.f
	kept := s.fixed[:0]
	for _, c := range s.fixed {
		changed := false
		ops := f.Ops(i)
		for k := range ops {
			o := &ops[k]
			changed = changed || o.IsDef() && o.Reg() == c.reg || o.Kind() == mir.OpRegMask && clobbers(f, o, c.reg)
		}
		if !changed {
			kept = append(kept, c)
		}
	}
	s.fixed = kept
}

// redundantFixedCopy reports that copy i gives a fixed register what was copied
// from it, and which it still holds.
func (s *peephole) redundantFixedCopy(i mir.InstrID) bool {
	f := s.f
	dst, src := f.Op(i, 0).Reg(), f.Op(i, 1).Reg()
	if s.isFixed(src) && dst.IsVirtual() {
		for _, c := range s.fixed {
			if c.reg == src {
				return false
			}
		}
		s.fixed = append(s.fixed, fixedCopy{src, i})
		return false
	}
	if !src.IsVirtual() || !s.isFixed(dst) {
		return false
	}
	for k, c := range s.fixed {
		if c.reg != dst {
			continue
		}
		if f.Instr(c.instr).Opcode == desc.COPY && f.Op(c.instr, 0).Reg() == src {
			s.c.Count("peephole-opt", "Number of non-allocatable physical copies removed", 1)
			return true
		}
		s.fixed = append(s.fixed[:k], s.fixed[k+1:]...)
		return false
	}
	return false
}

// Constants.

// isConstant reports, and remembers, that i makes a constant.
func (s *peephole) isConstant(i mir.InstrID) bool {
	f := s.f
	d := f.Desc(i)
	if d.NumDefs != 1 || !f.Op(i, 0).IsReg() || !f.Op(i, 0).Reg().IsVirtual() {
		return false
	}
	r := f.Op(i, 0).Reg()
	if !d.IsMoveImm() {
		h := s.c.Machine.Target.Instr.ConstantIn
		if h == nil {
			return false
		}
		if _, ok := h(f, i, r); !ok {
			return false
		}
	}
	s.imms = rows.AtLeast(s.imms, f.NumVRegs())
	s.imms[r.Index()] = immDef{s.stamp, i}
	s.seenImm = true
	return true
}

// foldConstant has i use a constant in place of the register that holds it. It
// reports that i itself is gone.
func (s *peephole) foldConstant(i mir.InstrID) bool {
	f, h := s.f, s.c.Machine.Target.Instr.FoldImmediate
	if h == nil {
		return false
	}
	for k := range int(f.Desc(i).NumOperands) {
		o := f.Op(i, k)
		if !o.IsUse() || !o.Reg().IsVirtual() {
			continue
		}
		r := o.Reg()
		if r.Index() >= len(s.imms) || s.imms[r.Index()].stamp != s.stamp {
			continue
		}
		def := s.imms[r.Index()].instr
		if defOf(f, r) != def || !h(s.c.Subtarget, f, i, def, r) {
			continue
		}
		s.c.Count("peephole-opt", "Number of move immediate folded", 1)
		// i may be the same constant now.
		if defOf(f, r) == def && sameExpr(f, i, def) && f.Op(i, 0).IsReg() {
			if d := f.Op(i, 0).Reg(); d.IsVirtual() && f.VReg(d).Class == f.VReg(r).Class {
				s.src.replaceReg(d, r)
				f.Erase(i)
				return true
			}
		}
		return false
	}
	return false
}

// Loads.

// isLoad reports, and remembers, a load of one register that one instruction reads.
func (s *peephole) isLoad(i mir.InstrID) bool {
	f := s.f
	d := f.Desc(i)
	if !d.CanFoldAsLoad() || !d.MayLoad() || d.NumDefs != 1 {
		return false
	}
	o := f.Op(i, 0)
	if !o.Reg().IsVirtual() || o.SubReg() != 0 || !hasOneUser(f, o.Reg()) {
		return false
	}
	s.loads = rows.AtLeast(s.loads, f.NumVRegs())
	s.loads[o.Reg().Index()] = s.loadStamp
	s.numLoads++
	return true
}

// hasOneUser reports that exactly one instruction other than debug ones reads r.
func hasOneUser(f *mir.Function, r mir.Reg) bool {
	user := mir.InstrID(0)
	for u := range f.NonDebugUses(r) {
		if user != 0 && user != u {
			return false
		}
		user = u
	}
	return user != 0
}

// foldLoads folds loads into i and returns what i is then.
func (s *peephole) foldLoads(i mir.InstrID) mir.InstrID {
	f := s.f
	for k := int(f.Desc(i).NumDefs); k < f.Instr(i).NumOps(); k++ {
		o := f.Op(i, k)
		if !o.IsReg() || !o.Reg().IsVirtual() || o.Reg().Index() >= len(s.loads) || s.loads[o.Reg().Index()] != s.loadStamp {
			continue
		}
		r := o.Reg()
		load := defOf(f, r)
		if n := s.foldLoad(i, load, r); n != 0 {
			s.extendAddress(load, i)
			f.Erase(i)
			f.DropDebugUses(r)
			f.Erase(load)
			s.loads[r.Index()] = 0
			s.c.Count("peephole-opt", "Number of loads folded", 1)
			i = n
		}
	}
	return i
}

// extendAddress clears the kill flags of the registers of a load's address that
// end before instruction to, into which it is folded.
func (s *peephole) extendAddress(load, to mir.InstrID) {
	f := s.f
	for k := range f.Instr(load).NumOps() {
		o := f.Op(load, k)
		if !o.IsUse() || o.IsKill() || !o.Reg().IsVirtual() {
			continue
		}
		n := 0
		for u, x := range f.NonDebugUses(o.Reg()) {
			if f.Op(u, x).IsKill() && f.Instr(u).Block() == f.Instr(to).Block() && f.Before(u, to) {
				f.SetOpFlag(u, x, mir.Kill, false)
			}
			if n++; n == killScanCap {
				break
			}
		}
	}
}

// foldLoad makes an instruction that reads memory where i reads r; 0 when there is none.
func (s *peephole) foldLoad(i, load mir.InstrID, r mir.Reg) mir.InstrID {
	f, sawStore := s.f, false
	if load == 0 || !safeToMove(f, load, &sawStore) {
		return 0
	}
	s.ops = s.ops[:0]
	for k := range f.Instr(i).NumOps() {
		if o := f.Op(i, k); o.IsReg() && o.Reg() == r {
			if o.SubReg() != 0 || o.IsDef() {
				return 0
			}
			s.ops = append(s.ops, k)
		}
	}
	if len(s.ops) == 0 {
		return 0
	}
	return s.c.Subtarget.FoldLoad(f, i, s.ops, load)
}

// Extensions.

// extension has instructions behind i, an extension, that read its source read
// part of its result: the source need not live on.
func (s *peephole) extension(i mir.InstrID) {
	f, h := s.f, s.c.Machine.Target.Instr.CoalescableExt
	if h == nil {
		return
	}
	dst, src, sub, ok := h(f, i)
	if !ok || !dst.IsVirtual() || !src.IsVirtual() || f.HasOneUse(src) {
		return
	}
	class := f.Facts.SubClassWithSubReg(desc.ClassID(f.VReg(dst).Class), desc.SubRegIdx(sub))
	if class == desc.NoClass || f.Facts.SubClassWithSubReg(desc.ClassID(f.VReg(src).Class), desc.SubRegIdx(sub)) != desc.NoClass {
		return
	}
	b := f.Instr(i).Block()
	s.blocks, s.phiBlocks = rows.AtLeast(s.blocks, f.NumBlockIDs()), rows.AtLeast(s.phiBlocks, f.NumBlockIDs())
	s.blockStamp++
	for u := range f.NonDebugUses(dst) {
		s.blocks[f.Instr(u).Block()] = s.blockStamp
		if f.IsPHI(u) {
			s.phiBlocks[f.Instr(u).Block()] = s.blockStamp
		}
	}
	s.uses = s.uses[:0]
	for u, k := range f.NonDebugUses(src) {
		if u != i && !f.IsPHI(u) && f.Instr(u).Opcode != desc.SUBREG_TO_REG && (f.Instr(u).Block() != b || f.Before(i, u)) {
			s.uses = append(s.uses, operandRef{u, k})
		}
	}
	s.sortUses()
	first := true
	for _, u := range s.uses {
		ub := f.Instr(u.instr).Block()
		if ub != b && s.blocks[ub] != s.blockStamp {
			break // the source lives on anyway
		}
		if s.phiBlocks[ub] == s.blockStamp {
			continue // the result must end at its PHI
		}
		if first {
			s.src.clearKills(dst)
			constrainClass(f, dst, class, 0)
			first = false
		}
		r := f.AddVReg(f.VReg(src).Class)
		cp := f.New(desc.COPY, mir.RegOp(r, mir.Def), mir.SubRegOp(dst, sub, 0))
		f.Instr(cp).Loc = f.Instr(u.instr).Loc
		f.InsertBefore(ub, u.instr, cp)
		f.SetReg(u.instr, u.op, r)
		s.c.Count("peephole-opt", "Number of extension results reused", 1)
	}
}

// sortUses brings the uses into the order of the code: which one comes first must
// not depend on the edits that made their list.
func (s *peephole) sortUses() {
	f := s.f
	if len(s.uses) < 2 {
		return
	}
	if len(s.places) == 0 {
		s.places = rows.AtLeast(s.places[:0], f.NumBlockIDs())
		n := int32(0)
		for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
			n++
			s.places[b] = n
		}
	}
	slices.SortFunc(s.uses, func(x, y operandRef) int {
		switch {
		case x.instr == y.instr:
			return x.op - y.op
		case f.Instr(x.instr).Block() != f.Instr(y.instr).Block():
			return int(s.places[f.Instr(x.instr).Block()] - s.places[f.Instr(y.instr).Block()])
		case f.Before(x.instr, y.instr):
			return -1
		}
		return 1
	})
}

// Recurrences.

// recurrence follows the value of a loop header's PHI through instructions with
// a tied source until it comes around, and exchanges sources where it is not
// the tied one: the coalescer can join all of them then.
func (s *peephole) recurrence(phi mir.InstrID) bool {
	f, st := s.f, s.c.Subtarget
	type step struct {
		instr mir.InstrID
		a, b  int
	}
	var buf [maxRecurrence]step
	chain := buf[:0]
	r := f.Op(phi, 0).Reg()
	for !s.isSource(phi, r) {
		if !f.HasOneUse(r) || len(chain) >= maxRecurrence {
			return false
		}
		var i mir.InstrID
		k := 0
		for u, n := range f.NonDebugUses(r) {
			i, k = u, n
		}
		if f.Desc(i).NumDefs != 1 || !f.Op(i, 0).IsReg() || !f.Op(i, 0).Reg().IsVirtual() {
			return false
		}
		tied := f.TiedTo(i, 0)
		if tied < 0 {
			return false
		}
		switch {
		case k == tied:
			chain = append(chain, step{i, -1, -1})
		case s.commutable(i, k, tied):
			chain = append(chain, step{i, k, tied})
		default:
			return false
		}
		r = f.Op(i, 0).Reg()
	}
	changed := false
	for _, x := range chain {
		changed = true
		if x.a >= 0 {
			st.Commute(f, x.instr, x.a, x.b)
		}
	}
	return changed
}

func (s *peephole) commutable(i mir.InstrID, a, b int) bool {
	x, y, ok := s.c.Subtarget.CommutableOps(s.f, i, a, -1)
	return ok && (x == b || y == b)
}

// isSource reports that a PHI reads r.
func (s *peephole) isSource(phi mir.InstrID, r mir.Reg) bool {
	f := s.f
	for k := 1; k < f.Instr(phi).NumOps(); k += 2 {
		if f.Op(phi, k).Reg() == r {
			return true
		}
	}
	return false
}

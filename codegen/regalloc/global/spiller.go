package global

import (
	"cmp"
	"slices"

	"github.com/mirin-go/mirin/codegen/liveness"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// spiller moves registers to the stack: what can be computed again is, other uses
// get a reload of their own or take the slot as an operand, and definitions a
// store. All parts of a register of the input have one slot, so that a copy
// between two of them becomes a reload or a spill, and a value that is in the
// slot already is not stored again.
//
// It is LLVM's inline spiller.
type spiller struct {
	a      *alloc
	remats remats

	reg      mir.Reg // to be spilled
	original mir.Reg
	slot     int
	regs     []mir.Reg // reg and the snippets spilled with it
	// snippetCopies are copies between regs, which go with them.
	snippetCopies []mir.InstrID
	used          []usedValue
	dead          []mir.InstrID
	uses          []mir.InstrID
	ops           []int
	work          []valueOf
	out           *[]mir.Reg
	err           error

	stores  mergeable
	hoister hoister
}

// usedValue is a value of a register that was not computed again everywhere.
type usedValue struct {
	reg mir.Reg
	val liveness.ValueID
}

type valueOf struct {
	reg mir.Reg
	val liveness.ValueID
}

func (s *spiller) begin(a *alloc) {
	s.a = a
	s.remats.begin(a)
	s.stores.begin(s)
}

// finish ends the spilling: stores of one value are moved together, templates erased.
func (s *spiller) finish() error {
	s.err = nil
	s.a.placed = true
	s.hoister.hoist(s)
	s.remats.end()
	return s.err
}

// spill moves the register of iv to the stack and appends the registers that
// take its place around the instructions that need one.
func (s *spiller) spill(iv *liveness.Interval, out *[]mir.Reg) error {
	a := s.a
	s.reg, s.original, s.out, s.err = iv.Reg, a.vrm.Original(iv.Reg), out, nil
	s.slot = a.vrm.Slot(s.reg)
	s.dead, s.regs, s.snippetCopies = s.dead[:0], append(s.regs[:0], s.reg), s.snippetCopies[:0]
	a.c.Count("regalloc", "Number of spilled live ranges", 1)
	from := len(*out)
	s.collectSnippets()
	s.rematerialize()
	for _, r := range s.regs {
		a.vars.setSpilled(r)
	}
	if len(s.regs) > 0 {
		s.spillAll()
	}
	for _, r := range s.regs {
		a.vars.split(r, (*out)[from:])
	}
	return s.err
}

// isSibling reports whether r is another part of the register that is spilled.
func (s *spiller) isSibling(r mir.Reg) bool {
	return r.IsVirtual() && s.a.vrm.Original(r) == s.original
}

func (s *spiller) isSpilled(r mir.Reg) bool { return slices.Contains(s.regs, r) }

// collectSnippets finds siblings that only lead the value to one instruction, and
// would only be copied from or to the slot.
func (s *spiller) collectSnippets() {
	a := s.a
	if s.original == s.reg {
		return
	}
	s.listInstrs(s.reg)
	for _, i := range s.uses {
		other := a.copyOf(i, s.reg)
		if other == 0 || !s.isSibling(other) || !a.lis.Has(other) || !s.isSnippet(other) {
			continue
		}
		s.snippetCopies = append(s.snippetCopies, i)
		if !s.isSpilled(other) {
			s.regs = append(s.regs, other)
			a.c.Count("regalloc", "Number of spilled snippets", 1)
		}
	}
}

// isSnippet reports whether sibling r lives in one block and has one instruction
// that is neither a copy to or from the spilled register nor an access to the slot.
func (s *spiller) isSnippet(r mir.Reg) bool {
	a, f := s.a, s.a.f
	iv := a.lis.Interval(r)
	if a.oneBlock(&iv.Range) == 0 || len(iv.Vals) > 2 {
		return false
	}
	only := mir.InstrID(0)
	for id := f.FirstUse(r); id != 0; id = f.NextUse(id) {
		if f.OpAt(id).IsDebug() {
			continue
		}
		i, _ := f.Owner(id)
		if a.copyOf(i, r) == s.reg {
			continue
		}
		if x, fi, _, ok := a.st.LoadFromStackSlot(f, i); ok && x == r && fi == s.slot {
			continue
		}
		if x, fi, _, ok := a.st.StoreToStackSlot(f, i); ok && x == r && fi == s.slot {
			continue
		}
		if only != 0 && i != only {
			return false
		}
		only = i
	}
	return true
}

// listInstrs lists in uses the instructions that name r, each once, in the order of
// the code, in which the registers of reloads get their numbers; debug ones come first.
func (s *spiller) listInstrs(r mir.Reg) {
	f := s.a.f
	s.uses = s.uses[:0]
	w := &s.a.weights
	w.begin(f)
	for id := f.FirstUse(r); id != 0; id = f.NextUse(id) {
		if i, _ := f.Owner(id); w.visit(i) {
			s.uses = append(s.uses, i)
		}
	}
	slices.SortStableFunc(s.uses, func(x, y mir.InstrID) int { return cmp.Compare(s.a.idx.Of(x), s.a.idx.Of(y)) })
}

// rematerialize computes the value again before instructions that read it where
// that can be done. Definitions that nothing needs then are erased.
func (s *spiller) rematerialize() {
	a, f := s.a, s.a.f
	s.remats.look(s.original)
	s.used = s.used[:0]
	any := false
	for _, r := range s.regs {
		s.listInstrs(r)
		for _, i := range s.uses {
			if !f.IsDebugInstr(i) && s.rematFor(r, i) {
				any = true
			}
		}
	}
	if !any {
		return
	}
	for _, r := range s.regs {
		iv := a.lis.Interval(r)
		for v, d := range iv.Vals {
			if d.Unused() || d.IsPHI() || slices.Contains(s.used, usedValue{r, liveness.ValueID(v)}) {
				continue
			}
			i := a.idx.Instr(d.Def)
			if i == 0 {
				continue
			}
			s.markDead(i, r)
			if a.isErasable(i) && !slices.Contains(s.dead, i) {
				s.dead = append(s.dead, i)
			}
		}
	}
	a.eraseDead(s.dead, s.regs)
	s.dead = s.dead[:0]
	// Registers that nothing names any more are done.
	n := 0
	for _, r := range s.regs {
		if a.isUsed(r) {
			s.regs[n] = r
			n++
		} else {
			s.forget(r)
		}
	}
	s.regs = s.regs[:n]
}

// markDead says that nothing reads what i defines in r.
func (s *spiller) markDead(i mir.InstrID, r mir.Reg) {
	f := s.a.f
	for k := range f.Instr(i).NumOps() {
		if o := f.Op(i, k); o.IsDef() && o.Reg() == r {
			f.SetOpFlag(i, k, mir.Dead, true)
		}
	}
}

// forget takes r, which no instruction names, out of the allocation.
func (s *spiller) forget(r mir.Reg) {
	a := s.a
	if a.vrm.Phys(r) != 0 {
		a.unassign(a.lis.Interval(r))
	}
	a.f.DropDebugUses(r)
	if r != s.original {
		a.lis.Remove(r)
	}
}

// rematFor computes before i what it reads of r, and reports whether it did.
func (s *spiller) rematFor(r mir.Reg, i mir.InstrID) bool {
	a, f := s.a, s.a.f
	reads, _ := readsWrites(f, i, r)
	if !reads {
		return false
	}
	at := a.idx.Of(i)
	iv := a.lis.Interval(r)
	v := iv.ValueAt(at)
	if v == liveness.NoValue {
		// Nothing defines it here.
		for k := range f.Instr(i).NumOps() {
			if o := f.Op(i, k); o.IsUse() && o.Reg() == r {
				f.SetOpFlag(i, k, mir.Undef, true)
			}
		}
		return true
	}
	if slices.Contains(s.snippetCopies, i) {
		return false
	}
	t := s.remats.template(s.original, at)
	if t == 0 || f.IsBundled(i) || !s.onlyUses(i, r) {
		s.markUsed(r, v)
		return false
	}
	if f.Desc(t).CanFoldAsLoad() && s.foldLoad(i, t, r) {
		return true
	}
	n := a.newPart(s.original)
	f.VReg(n).Class = f.VReg(r).Class
	def := a.compute(t, f.Instr(i).Block(), i, n, f.Instr(i).Loc)
	if def == 0 {
		s.markUsed(r, v)
		return false
	}
	for k := range f.Instr(i).NumOps() {
		if o := f.Op(i, k); o.IsUse() && o.Reg() == r {
			f.SetReg(i, k, n)
			f.SetOpFlag(i, k, mir.Kill, true)
		}
	}
	a.inflate(n)
	a.weigh(a.lis.Interval(n))
	*s.out = append(*s.out, n)
	return true
}

// markUsed notes that value v of r is read, and so are the values that it comes
// from: those that meet in a PHI value, and what snippet copies carry.
func (s *spiller) markUsed(r mir.Reg, v liveness.ValueID) {
	a := s.a
	s.work = append(s.work[:0], valueOf{r, v})
	for len(s.work) > 0 {
		x := s.work[len(s.work)-1]
		s.work = s.work[:len(s.work)-1]
		if x.val == liveness.NoValue || slices.Contains(s.used, usedValue(x)) {
			continue
		}
		s.used = append(s.used, usedValue(x))
		iv := a.lis.Interval(x.reg)
		d := iv.Vals[x.val]
		if d.IsPHI() {
			for _, p := range a.f.Preds(a.idx.BlockAt(d.Def)) {
				s.work = append(s.work, valueOf{x.reg, iv.ValueBefore(a.idx.BlockEnd(p))})
			}
			continue
		}
		if i := a.idx.Instr(d.Def); i != 0 && slices.Contains(s.snippetCopies, i) {
			if src := a.copyOf(i, x.reg); src != 0 && a.lis.Has(src) {
				s.work = append(s.work, valueOf{src, a.lis.Interval(src).Query(d.Def).In})
			}
		}
	}
}

// foldLoad makes i read the memory that template t loads.
func (s *spiller) foldLoad(i, t mir.InstrID, r mir.Reg) bool {
	f := s.a.f
	implicit, ok := s.foldable(i, r)
	if !ok {
		return false
	}
	f.SetReg(t, 0, r)
	n := s.a.st.FoldLoad(f, i, s.ops, t)
	f.SetReg(t, 0, mir.NoReg)
	if n == 0 {
		return false
	}
	s.replace(i, n, r, implicit)
	s.a.c.Count("regalloc", "Number of folded loads", 1)
	return true
}

// onlyUses reports whether i reads r, and no more: no definition, no part of it
// that a definition keeps.
func (s *spiller) onlyUses(i mir.InstrID, r mir.Reg) bool {
	f := s.a.f
	for k := range f.Instr(i).NumOps() {
		o := f.Op(i, k)
		if !o.IsReg() || o.Reg() != r {
			continue
		}
		if o.IsTied() || o.IsDef() && o.ReadsReg() {
			return false
		}
	}
	return true
}

// spillAll spills regs around the instructions that name them.
func (s *spiller) spillAll() {
	a := s.a
	if s.slot == noSlot {
		s.slot, _ = a.vrm.makeSlot(a.c.Subtarget, s.original)
	}
	for _, r := range s.regs {
		s.slotted().Add(&a.lis.Interval(r).Range)
	}
	for k := 0; k < len(s.regs); k++ {
		s.spillUses(s.regs[k])
		if s.err != nil {
			return
		}
	}
	if len(s.dead) > 0 {
		a.eraseDead(s.dead, s.regs)
		s.dead = s.dead[:0]
	}
	for _, r := range s.regs {
		s.listInstrs(r)
		for _, i := range s.uses {
			if !a.f.IsDebugInstr(i) {
				a.f.Erase(i) // a copy between two that are spilled
			}
		}
		s.forget(r)
	}
}

// slotted is where the slot of the register that is spilled holds it.
func (s *spiller) slotted() *liveness.Slotted {
	a := s.a
	return a.stacks.GetOrCreate(a.in, s.slot, desc.ClassID(a.f.VReg(s.original).Class))
}

// spillUses gives each instruction that names r a register of its own, or folds the slot into it.
func (s *spiller) spillUses(r mir.Reg) {
	a, f := s.a, s.a.f
	iv := a.lis.Interval(r)
	s.listInstrs(r)
	for n := 0; n < len(s.uses); n++ {
		i := s.uses[n]
		if f.Instr(i).Block() == 0 || !s.names(i, r) {
			continue // erased meanwhile
		}
		if f.IsDebugInstr(i) {
			s.spillDebug(i, r)
			continue
		}
		if slices.Contains(s.snippetCopies, i) || s.sameSlot(i, r) {
			continue
		}
		reads, writes := readsWrites(f, i, r)
		at := a.idx.Of(i).Reg()
		if v := iv.ValueAt(at.EarlyClobber()); v != liveness.NoValue && liveness.SameInstr(at, iv.Vals[v].Def) {
			at = iv.Vals[v].Def
		}
		if sib := a.copyOf(i, r); sib != 0 && s.isSibling(sib) {
			if s.isSpilled(sib) {
				s.snippetCopies = append(s.snippetCopies, i)
				continue
			}
			if writes {
				if s.hoistInBlock(iv, i, sib) {
					f.SetOpFlag(i, 0, mir.Dead, true)
					s.dead = append(s.dead, i)
					continue
				}
			} else {
				// The copy becomes a reload: what is stored below is in the slot already.
				s.dropStores(sib, a.lis.Interval(sib).ValueAt(at))
			}
		}
		if s.fold(i, r) {
			continue
		}
		s.around(i, r, reads, writes)
		if s.err != nil {
			return
		}
	}
}

func (s *spiller) names(i mir.InstrID, r mir.Reg) bool {
	ops := s.a.f.Ops(i)
	for k := range ops {
		if ops[k].IsReg() && ops[k].Reg() == r {
			return true
		}
	}
	return false
}

// spillDebug makes a debug value that names r say that the variable is on the stack.
func (s *spiller) spillDebug(i mir.InstrID, r mir.Reg) {
	f := s.a.f
	for k := range f.Instr(i).NumOps() {
		if o := f.Op(i, k); o.IsReg() && o.Reg() == r {
			f.SetReg(i, k, mir.NoReg)
			f.SetSubReg(i, k, 0)
		}
	}
}

// sameSlot erases an access of the slot to the register that is spilled there.
func (s *spiller) sameSlot(i mir.InstrID, r mir.Reg) bool {
	a, f := s.a, s.a.f
	x, fi, _, load := a.st.LoadFromStackSlot(f, i)
	store := false
	if !load {
		x, fi, _, store = a.st.StoreToStackSlot(f, i)
	}
	if !load && !store || x != r || fi != s.slot {
		return false
	}
	if store {
		s.stores.remove(i)
		a.c.Count("regalloc", "Number of spills removed", 1)
	}
	f.Erase(i)
	return true
}

// around gives i a register of its own for r, with a reload before it and a
// store behind it as it needs them.
func (s *spiller) around(i mir.InstrID, r mir.Reg, reads, writes bool) {
	a, f := s.a, s.a.f
	b := f.Instr(i).Block()
	n := a.newPart(r)
	if reads {
		// In front of a bundle's first instruction.
		at := f.BundleHead(i)
		s.load(b, at, n)
	}
	live := false
	for k := range f.Instr(i).NumOps() {
		o := f.Op(i, k)
		if !o.IsReg() || o.Reg() != r {
			continue
		}
		if o.IsDef() {
			live = live || !o.IsDead()
		}
		f.SetReg(i, k, n)
		if o := f.Op(i, k); o.IsUse() && !o.IsTied() {
			f.SetOpFlag(i, k, mir.Kill, !o.IsUndef())
		}
	}
	if writes && live && s.err == nil {
		at := f.NextBundle(f.BundleHead(i))
		if f.Instr(i).Opcode == desc.IMPLICIT_DEF {
			k := f.New(desc.KILL, mir.RegOp(n, mir.Kill))
			f.Instr(k).Loc = f.Instr(i).Loc
			f.InsertBefore(b, at, k)
		} else {
			s.store(b, at, n, true)
		}
	}
	a.inflate(n)
	a.weigh(a.lis.Interval(n))
	*s.out = append(*s.out, n)
}

// load puts the slot into r before at.
func (s *spiller) load(b mir.BlockID, at mir.InstrID, r mir.Reg) {
	a, f := s.a, s.a.f
	if err := a.st.LoadRegFromStack(f, b, at, r, s.slot, f.VReg(r).Class, 0); err != nil {
		s.err = err
		return
	}
	a.c.Count("regalloc", "Number of reloads inserted", 1)
}

// store puts r into the slot before at.
func (s *spiller) store(b mir.BlockID, at mir.InstrID, r mir.Reg, kill bool) {
	a, f := s.a, s.a.f
	before := s.before(b, at)
	if err := a.st.StoreRegToStack(f, b, at, r, kill, s.slot, f.VReg(r).Class, 0); err != nil {
		s.err = err
		return
	}
	if s.count(b, before, at) == 1 {
		s.stores.add(s.before(b, at), s.slot, s.original)
	}
	a.c.Count("regalloc", "Number of spills inserted", 1)
}

// before is the instruction before at, 0 for none; at 0 is the end of b.
func (s *spiller) before(b mir.BlockID, at mir.InstrID) mir.InstrID {
	if at == 0 {
		return s.a.f.Block(b).Last()
	}
	return s.a.f.Instr(at).Prev()
}

// count is the number of instructions between before and at.
func (s *spiller) count(b mir.BlockID, before, at mir.InstrID) int {
	f, n := s.a.f, 0
	i := f.Block(b).First()
	if before != 0 {
		i = f.Instr(before).Next()
	}
	for ; i != at; i = f.Instr(i).Next() {
		n++
	}
	return n
}

// foldable lists in ops the operands by which i names r, without tied uses (but
// those of STATEPOINT) and what is undefined, and whether implicit ones name it too.
func (s *spiller) foldable(i mir.InstrID, r mir.Reg) (implicit, ok bool) {
	f := s.a.f
	s.ops = s.ops[:0]
	if f.IsBundled(i) {
		return false, false
	}
	for k := range f.Instr(i).NumOps() {
		o := f.Op(i, k)
		if !o.IsReg() || o.Reg() != r {
			continue
		}
		switch {
		case o.IsUse() && !o.ReadsReg() && !o.IsTied():
		case o.IsImplicit():
			implicit = true
		case o.IsUse() && o.IsTied() && f.Instr(i).Opcode != desc.STATEPOINT:
		default:
			s.ops = append(s.ops, k)
		}
	}
	return implicit, len(s.ops) > 0
}

// replace puts n, which stands before i, in its place; i is erased.
func (s *spiller) replace(i, n mir.InstrID, r mir.Reg, implicit bool) {
	a, f := s.a, s.a.f
	s.dropPhysDefs(i, n)
	s.stores.remove(i)
	a.idx.Replace(i, n)
	f.Erase(i)
	for k := f.Instr(n).NumOps() - 1; implicit && k >= 0; k-- {
		o := f.Op(n, k)
		if !o.IsReg() || !o.IsImplicit() {
			break
		}
		if o.Reg() == r {
			f.RemoveOp(n, k)
		}
	}
}

// fold makes i use the slot in the place of r, if there is such an instruction.
func (s *spiller) fold(i mir.InstrID, r mir.Reg) bool {
	a, f := s.a, s.a.f
	implicit, ok := s.foldable(i, r)
	if !ok {
		return false
	}
	wasCopy, writes := f.Instr(i).Opcode == desc.COPY, s.ops[0] == 0 && f.Op(i, 0).IsDef()
	n := a.st.FoldMemoryOperand(f, i, s.ops, s.slot)
	if n == 0 {
		return false
	}
	s.replace(i, n, r, implicit)
	switch {
	case !wasCopy:
		a.c.Count("regalloc", "Number of folded stack accesses", 1)
	case writes:
		a.c.Count("regalloc", "Number of spills inserted", 1)
		s.stores.add(n, s.slot, s.original)
	default:
		a.c.Count("regalloc", "Number of reloads inserted", 1)
	}
	return true
}

// dropPhysDefs takes definitions of physical registers by i that n does not make
// out of the units' ranges.
func (s *spiller) dropPhysDefs(i, n mir.InstrID) {
	a, f := s.a, s.a.f
	for _, o := range f.Ops(i) {
		if !o.IsDef() || !o.Reg().IsPhysical() || a.classes.IsReserved(desc.PhysReg(o.Reg())) {
			continue
		}
		stays := false
		for _, p := range f.Ops(n) {
			stays = stays || p.IsDef() && p.Reg().IsPhysical() && a.in.IsSubRegisterEq(desc.PhysReg(p.Reg()), desc.PhysReg(o.Reg()))
		}
		if stays {
			continue
		}
		a.lis.RemovePhysRegDef(desc.PhysReg(o.Reg()), a.idx.Of(i).Reg())
	}
}

// hoistInBlock stores the source of copy i, which is to be spilled, right behind
// where it is defined, when that is in the block and the copy ends its life: one
// store there serves all copies of it.
func (s *spiller) hoistInBlock(iv *liveness.Interval, i mir.InstrID, src mir.Reg) bool {
	a, f := s.a, s.a.f
	at, b := a.idx.Of(i), f.Instr(i).Block()
	from := a.lis.Interval(src)
	q := from.Query(at)
	if q.In == liveness.NoValue || !q.Kill {
		return false
	}
	def := from.Vals[q.In].Def
	if a.idx.BlockAt(def) != b {
		return false
	}
	// The slot holds the value of the original wherever that is live.
	orig := a.lis.Interval(s.original)
	if v := orig.ValueAt(at); v != liveness.NoValue {
		s.slotted().AddValue(&orig.Range, v)
	}
	s.dropStores(src, q.In)
	place := mir.InstrID(0)
	if from.Vals[q.In].IsPHI() {
		place = s.afterLabels(b)
	} else {
		d := a.idx.Instr(def)
		if d == 0 {
			return false
		}
		place = f.NextBundle(d)
	}
	s.store(b, place, src, false)
	return s.err == nil
}

// afterLabels is where code may stand first in b.
func (s *spiller) afterLabels(b mir.BlockID) mir.InstrID { return firstPlace(s.a.f, b) }

// firstPlace is the first instruction of b before which code may stand: behind
// labels and debug instructions.
func firstPlace(f *mir.Function, b mir.BlockID) mir.InstrID {
	i := f.FirstNonPHI(b)
	for i != 0 {
		switch op := f.Instr(i).Opcode; {
		case op == desc.EH_LABEL || op == desc.GC_LABEL || op == desc.ANNOTATION_LABEL || op == desc.CFI_INSTRUCTION:
		case f.IsDebugInstr(i) || op == desc.PSEUDO_PROBE:
		default:
			return i
		}
		i = f.Instr(i).Next()
	}
	return 0
}

// dropStores removes stores of a value, and of its copies in siblings, to the
// slot: it is there already.
func (s *spiller) dropStores(r mir.Reg, v liveness.ValueID) {
	a, f := s.a, s.a.f
	s.work = append(s.work[:0], valueOf{r, v})
	for len(s.work) > 0 {
		x := s.work[len(s.work)-1]
		s.work = s.work[:len(s.work)-1]
		if s.isSpilled(x.reg) || x.val == liveness.NoValue {
			continue
		}
		iv := a.lis.Interval(x.reg)
		s.slotted().AddValue(&iv.Range, x.val)
		for id := f.FirstUse(x.reg); id != 0; {
			next := f.NextUse(id)
			o := f.OpAt(id)
			i, _ := f.Owner(id)
			id = next
			if o.IsDef() || o.IsDebug() || f.Instr(i).Block() == 0 {
				continue
			}
			op := f.Instr(i).Opcode
			if op != desc.COPY && !f.Desc(i).MayStore() {
				continue
			}
			at := a.idx.Of(i)
			if iv.ValueAt(at) != x.val {
				continue
			}
			if dst := a.copyOf(i, x.reg); dst != 0 && f.Op(i, 1).Reg() == x.reg {
				if s.isSibling(dst) {
					s.work = append(s.work, valueOf{dst, a.lis.Interval(dst).ValueAt(at.Reg())})
				}
				continue
			}
			if st, fi, _, ok := a.st.StoreToStackSlot(f, i); ok && st == x.reg && fi == s.slot {
				s.stores.remove(i)
				s.eraseStore(i)
				a.c.Count("regalloc", "Number of spills removed", 1)
			}
		}
	}
}

// eraseStore takes a store away that is not needed; what it read may be dead with it.
func (s *spiller) eraseStore(i mir.InstrID) {
	f := s.a.f
	// Erased with what becomes dead by it, when the list of uses is done.
	k := f.New(desc.KILL)
	for _, o := range slices.Clone(f.Ops(i)) {
		if o.IsReg() && o.Reg().IsVirtual() {
			f.AddOp(k, o)
		}
	}
	f.InsertBefore(f.Instr(i).Block(), i, k)
	s.a.idx.Replace(i, k)
	f.Erase(i)
	s.dead = append(s.dead, k)
}

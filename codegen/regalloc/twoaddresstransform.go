package regalloc

import (
	"slices"

	"github.com/mirin-go/mirin/codegen/liveness"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// What saves the copy of a tied source that lives on.

const (
	// maxMoved is how many instructions one is moved across.
	maxMoved = 10
	// maxCopyChain is how many copies are followed from a source to the destination.
	maxCopyChain = 10
	// maxMapChain is how far from a register the physical one is that it may come
	// from or go to: how many copies and ties are between.
	maxMapChain = 128
	// maxScannedUses is how many operands of a register are looked at for one in
	// the block: a register with more is taken for one that is read.
	maxScannedUses = 256
)

// transform tries to save the copy for use of instruction i, tied to def; onlyCommute
// tries no more than exchanging sources. done reports that the tie is gone, or was
// put off: the block goes on with next. Otherwise at is the instruction whose ties are left.
func (s *twoAddress) transform(i, next mir.InstrID, use, def int, onlyCommute bool) (at, then mir.InstrID, done bool) {
	f, st := s.f, s.c.Subtarget
	a, b := f.Op(i, def).Reg(), f.Op(i, use).Reg()
	if st == nil || !b.IsVirtual() {
		return i, next, false
	}
	killed := s.isKilled(i, b, true)
	if a.IsVirtual() {
		s.scanUses(a)
	}
	commuted := s.tryCommute(i, def, use, killed)
	threeAddress := f.Desc(i).IsConvertibleTo3Addr()
	if commuted && !threeAddress || onlyCommute {
		return i, next, false
	}
	if !commuted {
		if n, ok := s.moveBelowKill(i, b); ok {
			s.c.Count("twoaddressinstruction", "Number of instructions re-scheduled down", 1)
			return 0, n, true
		}
	} else {
		b = f.Op(i, use).Reg()
		killed = s.isKilled(i, b, true)
	}
	if threeAddress && (!killed || s.convertPays(a, b)) {
		if s.toThreeAddress(i, next, a, b) {
			s.c.Count("twoaddressinstruction", "Number of instructions promoted to 3-address", 1)
			return 0, next, true
		}
	}
	if commuted {
		return i, next, false
	}
	if n, ok := s.moveKillAbove(i, b); ok {
		s.c.Count("twoaddressinstruction", "Number of instructions re-scheduled up", 1)
		return 0, n, true
	}
	if !killed && mayLoad(f, i) {
		i = s.unfold(i, use, def)
	}
	return i, next, false
}

func mayLoad(f *mir.Function, i mir.InstrID) bool { return f.Desc(i).MayLoad() }

// kills reports whether i has a use of r with a kill flag.
func kills(f *mir.Function, i mir.InstrID, r mir.Reg) bool {
	ops := f.Ops(i)
	for k := range ops {
		if ops[k].IsKill() && ops[k].Reg() == r {
			return true
		}
	}
	return false
}

// isKilled reports whether r dies at i, for good: what it is a copy of dies at
// the copy too, since the two will be joined. Of physical registers guess says
// that they die where they are read.
func (s *twoAddress) isKilled(i mir.InstrID, r mir.Reg, guess bool) bool {
	f := s.f
	for {
		if r.IsPhysical() && (guess || f.HasOneUse(r)) {
			return true
		}
		if !kills(f, i, r) {
			return false
		}
		if r.IsPhysical() {
			return true
		}
		def := f.UniqueDef(r)
		if def == 0 {
			return true
		}
		_, src, ok := s.copyToReg(def)
		if !ok {
			return true
		}
		i, r = def, src
	}
}

// scanUses follows what is made of r in the block, through copies and tied
// instructions that kill it, to where it ends up.
func (s *twoAddress) scanUses(r mir.Reg) {
	first := r
	s.chain = s.chain[:0]
	for {
		u, to, copy := s.onlyUse(r)
		if u == 0 {
			break
		}
		s.processed = rows.AtLeast(s.processed, s.f.NumInstrIDs())
		if copy {
			if s.processed[u] {
				break
			}
			s.processed[u] = true
		}
		if s.distOf(u) != 0 {
			break // above: reached by a way back
		}
		if s.src.get(to) == r && s.dst.get(r) == to {
			break // what follows was found from a register above
		}
		s.chain = append(s.chain, to)
		if to.IsPhysical() {
			break
		}
		s.src.set(to, r)
		r = to
	}
	if len(s.chain) == 0 {
		return
	}
	to := s.chain[len(s.chain)-1]
	for k := len(s.chain) - 2; k >= 0; k-- {
		s.dst.add(s.chain[k], to)
		to = s.chain[k]
	}
	s.dst.add(first, to)
}

// onlyUse returns the instruction of the block that kills r, which is read
// nowhere else but in it, and the register that r becomes there: by a copy or a tie.
func (s *twoAddress) onlyUse(r mir.Reg) (u mir.InstrID, to mir.Reg, copy bool) {
	f, at := s.f, -1
	seen := 0
	for id := f.FirstUse(r); id != 0; id = f.NextUse(id) {
		if f.OpAt(id).IsDebug() {
			continue
		}
		if seen++; seen > maxScannedUses {
			return 0, 0, false
		}
		if o := f.OpAt(id); !o.IsUse() || o.IsUndef() {
			continue
		}
		i, n := f.Owner(id)
		if f.Instr(i).Block() != s.b {
			return 0, 0, false
		}
		if kills(f, i, r) {
			u, at = i, n
		}
	}
	if u == 0 {
		return 0, 0, false
	}
	if d, _, ok := s.copyToReg(u); ok {
		return u, d, true
	}
	if d := s.tiedTo(u, r); d != 0 {
		return u, d, false
	}
	if f.Desc(u).IsCommutable() && s.c.Subtarget != nil {
		if x, _, ok := s.c.Subtarget.CommutableOps(f, u, -1, at); ok && f.Op(u, x).IsUse() {
			if d := s.tiedTo(u, f.Op(u, x).Reg()); d != 0 {
				return u, d, false
			}
		}
	}
	return 0, 0, false
}

// tiedTo is the register of the definition that a use of r in i is tied to, 0 for none.
func (s *twoAddress) tiedTo(i mir.InstrID, r mir.Reg) mir.Reg {
	f := s.f
	for n := range f.Instr(i).NumOps() {
		if o := f.Op(i, n); o.IsUse() && o.Reg() == r {
			if d := f.TiedTo(i, n); d >= 0 {
				return f.Op(i, d).Reg()
			}
		}
	}
	return 0
}

// tryCommute exchanges the tied source with another one that dies here or fits better.
func (s *twoAddress) tryCommute(i mir.InstrID, def, base int, baseKilled bool) bool {
	f, st := s.f, s.c.Subtarget
	if !f.Desc(i).IsCommutable() {
		return false
	}
	done := false
	dst, b := f.Op(i, def).Reg(), f.Op(i, base).Reg()
	for k := int(f.Desc(i).NumDefs); k < int(f.Desc(i).NumOperands); k++ {
		if k == base || !f.Op(i, k).IsReg() {
			continue
		}
		if _, _, ok := st.CommutableOps(f, i, base, k); !ok {
			continue
		}
		o := f.Op(i, k).Reg()
		otherKilled := s.isKilled(i, o, false)
		if (baseKilled || !otherKilled) && !s.commutePays(i, dst, b, o) {
			continue
		}
		if !st.Commute(f, i, base, k) {
			continue
		}
		if from := s.src.physical(o); from != 0 {
			s.src.set(f.Op(i, def).Reg(), from)
		}
		s.c.Count("twoaddressinstruction", "Number of instructions commuted to coalesce", 1)
		done, b, baseKilled = true, o, otherKilled
	}
	return done
}

// commutePays reports whether a, the result of i, is better tied to c than to b.
func (s *twoAddress) commutePays(i mir.InstrID, a, b, c mir.Reg) bool {
	if !kills(s.f, i, c) {
		return false
	}
	if to := s.dst.physical(a); to != 0 {
		fromB, fromC := s.src.physical(b), s.src.physical(c)
		fitsB := fromB != 0 && s.compatible(fromB, to)
		fitsC := fromC != 0 && s.compatible(fromC, to)
		if fromB == 0 && fitsC || fromB != 0 && !fitsB && (fromC == 0 || fitsC) {
			return true
		}
		if fromC == 0 && fitsB || fromC != 0 && !fitsC && (fromB == 0 || fitsB) {
			return false
		}
	}
	// One that is read between its definition and here is joined with something else.
	defC, unread := s.noUseSince(c)
	if !unread {
		return false
	}
	defB, unread := s.noUseSince(b)
	if !unread {
		return true
	}
	if s.copiedFrom(c, a) {
		return true
	}
	if s.copiedFrom(b, a) {
		return false
	}
	return defB != 0 && defC != 0 && defC > defB // its life is shorter
}

// noUseSince returns where r was defined last in the block, 0 for above it, and
// whether nothing has read it since.
func (s *twoAddress) noUseSince(r mir.Reg) (def int32, unread bool) {
	f, use, seen := s.f, s.now, 0
	for id := f.FirstUse(r); id != 0; id = f.NextUse(id) {
		o := f.OpAt(id)
		if o.IsDebug() {
			continue
		}
		if seen++; seen > maxScannedUses {
			return def, false
		}
		i, _ := f.Owner(id)
		if f.Instr(i).Block() != s.b {
			continue
		}
		d := s.distOf(i)
		if d == 0 {
			continue
		}
		if o.IsUse() {
			use = min(use, d)
		} else {
			def = max(def, d)
		}
	}
	return def, !(use > def && use < s.now)
}

// copiedFrom reports that r comes, by a few copies in the block, from to.
func (s *twoAddress) copiedFrom(r, to mir.Reg) bool {
	f := s.f
	for range maxCopyChain {
		def := mir.InstrID(0)
		for i := range f.Defs(r) {
			if f.Instr(i).Block() != s.b {
				continue
			}
			if def != 0 && def != i {
				return false
			}
			def = i
		}
		if def == 0 || f.Instr(def).Opcode != desc.COPY {
			return false
		}
		if r = f.Op(def, 1).Reg(); r == to {
			return true
		}
	}
	return false
}

// convertPays: b comes from one physical register and a goes to another.
func (s *twoAddress) convertPays(a, b mir.Reg) bool {
	from := s.src.physical(b)
	if from == 0 {
		return false
	}
	to := s.dst.physical(a)
	return to != 0 && !s.compatible(from, to)
}

// toThreeAddress replaces i, in front of next, by a three-address form.
func (s *twoAddress) toThreeAddress(i, next mir.InstrID, a, b mir.Reg) bool {
	f := s.f
	h := s.c.Machine.Target.Instr.ConvertToThreeAddress
	if h == nil {
		return false
	}
	prev, vregs := f.Instr(i).Prev(), f.NumVRegs()
	s.rescued, s.defs = s.rescued[:0], s.defs[:0]
	for _, o := range f.Ops(i) {
		switch {
		case !o.IsReg() || !o.Reg().IsVirtual():
		case o.IsKill():
			s.rescued = append(s.rescued, o.Reg())
		case o.IsDead():
			s.defs = append(s.defs, o.Reg())
		}
	}
	if h(s.c.Subtarget, f, i) == 0 {
		return false
	}
	s.forget(i)
	first := f.Block(s.b).First()
	if prev != 0 {
		first = f.Instr(prev).Next()
	}
	for j := first; j != next; j = f.Instr(j).Next() {
		s.setDist(j, s.now)
		s.now++
	}
	s.now--
	if s.v != nil {
		for n := vregs; n < f.NumVRegs(); n++ {
			if last := lastReader(f, first, next, mir.VReg(n)); last != 0 {
				s.v.AddKill(mir.VReg(n), last)
			}
		}
		for _, r := range s.rescued {
			if last := lastReader(f, first, next, r); last != 0 {
				s.v.ReplaceKill(r, i, last)
				liveness.AddKilled(f, last, r, false)
			}
		}
		for _, r := range s.defs {
			for j := first; j != next; j = f.Instr(j).Next() {
				if defines(f, j, r) {
					s.v.ReplaceKill(r, i, j)
					liveness.AddDead(f, j, r, false)
				}
			}
		}
	}
	s.src.remove(a)
	s.dst.remove(b)
	return true
}

// lastReader returns the last instruction from first on, before end, that reads
// r, and takes r's kill flags away there.
func lastReader(f *mir.Function, first, end mir.InstrID, r mir.Reg) (last mir.InstrID) {
	for j := first; j != end; j = f.Instr(j).Next() {
		for n := range f.Instr(j).NumOps() {
			if o := f.Op(j, n); o.IsUse() && o.Reg() == r && o.ReadsReg() {
				last = j
				f.SetOpFlag(j, n, mir.Kill, false)
			}
		}
	}
	return last
}

// mayMove reports that i can be put elsewhere in the block as far as it is not
// an access to memory: loads are not moved, a store may stand between.
func mayMove(f *mir.Function, i mir.InstrID) bool {
	return isRemovable(f, i) && !f.Desc(i).MayLoad() || isRemovable(f, i) && f.IsInvariantLoad(i)
}

// blocksMoves reports what nothing is moved across.
func blocksMoves(f *mir.Function, i mir.InstrID) bool {
	d := f.Desc(i)
	return d.HasUnmodeledSideEffects() || d.IsCall() || d.IsBranch() || d.IsTerminator() ||
		f.Instr(i).Opcode == desc.INLINEASM || f.Instr(i).Opcode == desc.INLINEASM_BR
}

// overlapsAny reports whether r is, or overlaps, one of the registers.
func (s *twoAddress) overlapsAny(set []mir.Reg, r mir.Reg) bool {
	for _, x := range set {
		if x == r || x.IsPhysical() && r.IsPhysical() && s.compatible(x, r) {
			return true
		}
	}
	return false
}

// killOf returns the instruction of the block that kills r, if the block's
// instruction i, which reads r too, could be on its other side.
func (s *twoAddress) killOf(i mir.InstrID, r mir.Reg) mir.InstrID {
	f := s.f
	if s.v == nil || s.distOf(i) == 0 {
		return 0
	}
	k := s.v.Var(r).KillIn(f, s.b)
	if k == 0 || k == i || isCopyLike(f, k) || f.IsBundled(k) || f.IsBundled(i) || s.tiedTo(k, r) != 0 {
		return 0
	}
	return k
}

// moveBelowKill moves i, and the copies of its results behind it, below the
// instruction of the block that kills r, so that i kills it. It returns the
// instruction to go on with.
func (s *twoAddress) moveBelowKill(i mir.InstrID, r mir.Reg) (mir.InstrID, bool) {
	f := s.f
	kill := s.killOf(i, r)
	if kill == 0 || blocksMoves(f, kill) || !mayMove(f, i) || f.Desc(i).MayLoad() {
		return 0, false
	}
	s.uses, s.kills, s.defs = s.uses[:0], s.kills[:0], s.defs[:0]
	for _, o := range f.Ops(i) {
		switch {
		case !o.IsReg() || o.Reg() == 0:
		case o.IsDef():
			s.defs = append(s.defs, o.Reg())
		default:
			s.uses = append(s.uses, o.Reg())
			if o.Reg() != r && o.IsKill() {
				s.kills = append(s.kills, o.Reg())
			}
		}
	}
	end := f.SkipDebug(f.Instr(i).Next())
	for end != 0 && f.Instr(end).Opcode == desc.COPY && s.overlapsAny(s.defs, f.Op(end, 1).Reg()) {
		s.defs = append(s.defs, f.Op(end, 0).Reg())
		end = f.SkipDebug(f.Instr(end).Next())
	}
	if end == 0 {
		return 0, false
	}
	visited := 0
	for j := end; ; j = f.Instr(j).Next() {
		if j == 0 {
			return 0, false // the kill is among the copies
		}
		if !f.IsDebugInstr(j) && f.Instr(j).Opcode != desc.PSEUDO_PROBE {
			if visited > maxMoved || blocksMoves(f, j) || !s.passesBelow(j, r) {
				return 0, false
			}
			visited++
		}
		if j == kill {
			break
		}
	}
	first := i
	for p := f.Instr(first).Prev(); p != 0 && f.IsDebugInstr(p); p = f.Instr(p).Prev() {
		first = p
	}
	at := f.Instr(kill).Next()
	for j := first; j != end; {
		n := f.Instr(j).Next()
		f.Move(s.b, at, j)
		j = n
	}
	s.dist[i] = 0
	s.v.RemoveKill(r, kill)
	s.v.AddKill(r, i)
	return end, true
}

// passesBelow reports that what is moved may stand behind j instead of before it.
func (s *twoAddress) passesBelow(j mir.InstrID, r mir.Reg) bool {
	for _, o := range s.f.Ops(j) {
		switch x := o.Reg(); {
		case !o.IsReg() || x == 0:
		case o.IsDef():
			if s.overlapsAny(s.uses, x) || !o.IsDead() && s.overlapsAny(s.defs, x) {
				return false
			}
		case s.overlapsAny(s.defs, x):
			return false
		case x == r: // read before it changes: LLVM's stops here, though r lives on either way
		case o.IsKill() && s.overlapsAny(s.uses, x) || s.overlapsAny(s.kills, x):
			return false // other lives would grow
		}
	}
	return true
}

// moveKillAbove moves the instruction of the block that kills r above i, so that i
// kills it. It returns the instruction to go on with: the one moved.
func (s *twoAddress) moveKillAbove(i mir.InstrID, r mir.Reg) (mir.InstrID, bool) {
	f := s.f
	kill := s.killOf(i, r)
	if kill == 0 || !mayMove(f, kill) || blocksMoves(f, kill) {
		return 0, false
	}
	s.uses, s.kills, s.defs, s.live = s.uses[:0], s.kills[:0], s.defs[:0], s.live[:0]
	for _, o := range f.Ops(kill) {
		x := o.Reg()
		switch {
		case !o.IsReg() || x == 0:
		case o.IsUse():
			if s.definedClose(x, i) || x == r && !o.IsKill() {
				return 0, false
			}
			s.uses = append(s.uses, x)
			if o.IsKill() && x != r {
				s.kills = append(s.kills, x)
			}
		case x.IsPhysical():
			s.defs = append(s.defs, x)
			if !o.IsDead() {
				s.live = append(s.live, x)
			}
		}
	}
	visited := 0
	for j := i; j != kill; j = f.Instr(j).Next() {
		if j == 0 {
			return 0, false
		}
		if f.IsDebugInstr(j) || f.Instr(j).Opcode == desc.PSEUDO_PROBE {
			continue
		}
		if visited > maxMoved || blocksMoves(f, j) || !s.passesAbove(i, j, r) {
			return 0, false
		}
		visited++
	}
	at := i
	for p := f.Instr(at).Prev(); p != 0 && f.IsDebugInstr(p); p = f.Instr(p).Prev() {
		at = p
	}
	first := kill
	for p := f.Instr(first).Prev(); p != 0 && p != i && f.IsDebugInstr(p); p = f.Instr(p).Prev() {
		first = p
	}
	for j := first; ; {
		n := f.Instr(j).Next()
		f.Move(s.b, at, j)
		if j == kill {
			break
		}
		j = n
	}
	s.dist[i] = 0
	s.v.RemoveKill(r, kill)
	s.v.AddKill(r, i)
	return kill, true
}

// passesAbove reports that what is moved, above i, may stand before j instead of behind it.
func (s *twoAddress) passesAbove(i, j mir.InstrID, r mir.Reg) bool {
	f := s.f
	s.others = s.others[:0]
	for _, o := range f.Ops(j) {
		switch x := o.Reg(); {
		case !o.IsReg() || x == 0:
		case o.IsDef():
			s.others = append(s.others, x)
		case s.overlapsAny(s.defs, x), s.overlapsAny(s.kills, x):
			return false
		case j != i && x == r && !o.IsKill():
			return false
		}
	}
	for _, x := range s.others {
		if s.overlapsAny(s.uses, x) || x.IsPhysical() && s.overlapsAny(s.live, x) {
			return false
		}
		s.defs = slices.DeleteFunc(s.defs, func(d mir.Reg) bool { return d == x })
	}
	return true
}

// definedClose reports that r is defined by i or behind it, or so shortly above
// that its reader would wait for it there.
func (s *twoAddress) definedClose(r mir.Reg, i mir.InstrID) bool {
	f := s.f
	for d := range f.Defs(r) {
		if f.Instr(d).Block() != s.b || isCopyLike(f, d) {
			continue
		}
		if d == i || s.distOf(d) == 0 {
			return true
		}
		latency := int32(1)
		if f.Desc(d).MayLoad() {
			latency = 2
		}
		if latency > s.distOf(i)-s.distOf(d) {
			return true
		}
	}
	return false
}

// unfold makes two instructions of i, a load and what computes, if that commutes,
// so that the loaded register is the tied one; it returns the latter, or i.
func (s *twoAddress) unfold(i mir.InstrID, use, def int) mir.InstrID {
	f, st := s.f, s.c.Subtarget
	op, k, ok := st.UnfoldedOpcode(f.Instr(i).Opcode, true, false)
	if !ok || !f.Facts.Instr(op).IsCommutable() || f.Facts.Instr(op).NumDefs != 1 {
		return i
	}
	class := f.Facts.OperandClass(op, k, f.Facts.DefaultMode)
	if class == desc.NoClass {
		return i
	}
	s.rescued = s.rescued[:0]
	for _, o := range f.Ops(i) {
		if o.IsReg() && o.Reg().IsVirtual() && o.Flags()&mir.DeadOrKill != 0 {
			s.rescued = append(s.rescued, o.Reg())
		}
	}
	r := f.AddVReg(int16(class))
	n := st.UnfoldMemory(f, i, r, true, false)
	if n == 0 {
		return i
	}
	s.forget(i)
	load, end := f.Instr(n).Prev(), f.Instr(n).Next()
	s.setDist(load, s.now)
	s.now++
	s.setDist(n, s.now)
	if last := lastReader(f, load, end, r); last != 0 {
		liveness.AddKilled(f, last, r, false)
		if s.v != nil {
			x := s.v.Var(r)
			x.Kills = append(x.Kills, last)
		}
	}
	for _, x := range s.rescued {
		if last := lastReader(f, load, end, x); last != 0 {
			liveness.AddKilled(f, last, x, false)
			if s.v != nil {
				s.v.ReplaceKill(x, i, last)
			}
		} else if s.v != nil {
			s.v.ReplaceKill(x, i, n)
		}
	}
	s.tryCommute(n, def, use, false)
	s.collect(n)
	return n
}

package mirverify

import (
	"slices"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// flowState is what crosses blocks: for each virtual register the blocks that
// define or kill it, and those that need it at their start.
type flowState struct {
	head   []uint32 // by virtual register: its first event + 1
	events []event
	needs  []need

	// Of the register being followed, by block: the stamp of the register when
	// it leaves the block alive, is killed there, was visited.
	out, kill, seen []uint32
	stamp           uint32
	loaded          mir.Reg
	work            []mir.BlockID

	// liveOut's answers for register passReg: the stamp passStamp for blocks that
	// it is known to pass through. from is the block that led a walk to a block.
	passes    []uint32
	passStamp uint32
	passReg   mir.Reg
	from      []mir.BlockID

	faults []need // killed but required; block 0: required at the entry

	// Registers whose live-ins are checked against predecessors (phys), and for
	// each block which of them are live at its end.
	phys    []mir.Reg
	physSet []uint64
}

type event struct {
	next  uint32
	block mir.BlockID
	live  bool
	kill  bool
}

// need says that a block needs a register at its start.
type need struct {
	reg   mir.Reg
	block mir.BlockID
}

func (s *flowState) reset(f *mir.Function) {
	s.head = rows.Zeroed(s.head, f.NumVRegs())
	s.events, s.needs, s.faults = s.events[:0], s.needs[:0], s.faults[:0]
	n := f.NumBlockIDs()
	s.out, s.kill, s.seen = rows.Zeroed(s.out, n), rows.Zeroed(s.kill, n), rows.Zeroed(s.seen, n)
	s.physSet = rows.Zeroed(s.physSet, n)
	s.passes, s.from = rows.Zeroed(s.passes, n), rows.Zeroed(s.from, n)
	s.stamp, s.loaded = 0, 0
	s.passStamp, s.passReg = 0, 0
	s.phys = s.phys[:0]
	if f.Props&mir.TracksLiveness == 0 {
		return
	}
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		for _, l := range f.LiveInsOf(b) {
			r := l.Reg
			if r.IsPhysical() && len(s.phys) < 64 && noAliases(f.Facts, desc.PhysReg(r)) && !slices.Contains(s.phys, r) {
				s.phys = append(s.phys, r)
			}
		}
	}
}

// noAliases reports a register that overlaps no other one.
func noAliases(in *desc.Info, r desc.PhysReg) bool {
	d := &in.Regs[r]
	if d.NumSubRegs > 0 || d.NumSuperRegs > 0 {
		return false
	}
	units := in.RegUnits(r)
	for k := range units.Len() {
		if roots := in.Units[units.At(k)]; roots[0] != r && roots[0] != 0 || roots[1] != r && roots[1] != 0 {
			return false
		}
	}
	return true
}

func (s *flowState) require(r mir.Reg, b mir.BlockID) { s.needs = append(s.needs, need{r, b}) }

func (s *flowState) event(r mir.Reg, b mir.BlockID, live, kill bool) {
	k := r.Index()
	s.events = append(s.events, event{s.head[k], b, live, kill})
	s.head[k] = uint32(len(s.events))
}

func (s *flowState) physOut(v *Verifier, b mir.BlockID) {
	for k, r := range s.phys {
		if v.live.has(r) {
			s.physSet[b] |= 1 << k
		}
	}
}

// load enters a register's events in the tables by block.
func (s *flowState) load(r mir.Reg) {
	if s.loaded == r {
		return
	}
	s.loaded = r
	s.stamp++
	for k := s.head[r.Index()]; k != 0; k = s.events[k-1].next {
		e := &s.events[k-1]
		if e.live {
			s.out[e.block] = s.stamp
		}
		if e.kill {
			s.kill[e.block] = s.stamp
		}
	}
}

// simpleDef returns the block of a register's only definition when it lives at
// its end and nothing kills the register anywhere, 0 otherwise.
func (s *flowState) simpleDef(r mir.Reg) mir.BlockID {
	k := s.head[r.Index()]
	if k == 0 {
		return 0
	}
	if e := &s.events[k-1]; e.next == 0 && e.live && !e.kill {
		return e.block
	}
	return 0
}

// finish makes the checks that need all blocks.
func (v *Verifier) finish() {
	f := v.f
	// Without liveness nothing counts as live at the end of a block, for PHIs too.
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		v.checkPHIs(b)
	}
	v.checkNeeds()
	v.checkLiveIns()
	v.checkCallSites()
	v.checkNumbers()
	v.checkConvergence()
}

// checkNeeds follows every register that a block needs at its start backwards
// to the blocks that define it.
func (v *Verifier) checkNeeds() {
	s, f := &v.flow, v.f
	v.phiNeeds()
	slices.SortStableFunc(s.needs, func(a, b need) int { return int(a.reg) - int(b.reg) })
	reg := mir.Reg(0)
	for _, n := range s.needs {
		if d := s.simpleDef(n.reg); d != 0 && d != n.block && v.cfg.dominates(d, n.block) {
			continue
		}
		if n.reg != reg {
			reg = n.reg
			s.loaded = 0
			s.load(reg)
		}
		s.work = append(s.work[:0], n.block)
		for len(s.work) > 0 {
			b := s.work[len(s.work)-1]
			s.work = s.work[:len(s.work)-1]
			for _, p := range f.Preds(b) {
				if s.out[p] == s.stamp || s.seen[p] == s.stamp {
					continue
				}
				s.seen[p] = s.stamp
				v.missing(n.reg, p)
				s.work = append(s.work, p)
			}
		}
	}
	v.reportNeeds()
}

// missing notes that r must live through b, which does not define it.
func (v *Verifier) missing(r mir.Reg, b mir.BlockID) {
	s := &v.flow
	if s.kill[b] == s.stamp {
		s.faults = append(s.faults, need{r, b})
	}
	if b == v.f.FirstBlock() {
		s.faults = append(s.faults, need{r, 0})
	}
}

func (v *Verifier) reportNeeds() {
	s := &v.flow
	if len(s.faults) == 0 {
		return
	}
	// By block, in layout order; those of the entry come last.
	pos := map[mir.BlockID]int{0: v.f.NumBlockIDs()}
	n := 0
	for b := v.f.FirstBlock(); b != 0; b = v.f.NextBlock(b) {
		pos[b] = n
		n++
	}
	slices.SortFunc(s.faults, func(a, b need) int {
		if a.block != b.block {
			return pos[a.block] - pos[b.block]
		}
		return int(a.reg) - int(b.reg)
	})
	s.faults = slices.Compact(s.faults)
	for _, n := range s.faults {
		if n.block == 0 {
			v.errFunc("Virtual register defs don't dominate all uses.")
			v.noteVReg(n.reg)
			continue
		}
		v.errBlock(n.block, "Virtual register killed in block, but needed live out.")
		v.rep.note("Virtual register ", v.regText(n.reg), " is used after the block.")
	}
}

// liveOut reports whether r may be alive at the end of b: defined there, or
// passed through from a definition before it.
func (v *Verifier) liveOut(r mir.Reg, b mir.BlockID) bool {
	s, f := &v.flow, v.f
	if d := s.simpleDef(r); d != 0 && v.cfg.dominates(d, b) {
		return true
	}
	s.loaded = 0
	s.load(r)
	if s.out[b] == s.stamp {
		return true
	}
	if s.passReg != r {
		s.passReg = r
		s.passStamp++
	}
	s.seen[b], s.from[b] = s.stamp, 0
	s.work = append(s.work[:0], b)
	for len(s.work) > 0 {
		b := s.work[len(s.work)-1]
		s.work = s.work[:len(s.work)-1]
		if s.kill[b] == s.stamp {
			continue
		}
		for _, p := range f.Preds(b) {
			if s.out[p] == s.stamp && v.cfg.reachable(p) || s.passes[p] == s.passStamp {
				for ; b != 0; b = s.from[b] {
					s.passes[b] = s.passStamp
				}
				return true
			}
			if s.seen[p] != s.stamp {
				s.seen[p], s.from[p] = s.stamp, b
				s.work = append(s.work, p)
			}
		}
	}
	return false
}

// checkLiveIns looks for the live-ins of a block among what is live at the end
// of its predecessors, for registers without aliases that are neither
// allocatable nor reserved (flags, mostly).
func (v *Verifier) checkLiveIns() {
	s, f := &v.flow, v.f
	if len(s.phys) == 0 {
		return
	}
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		for _, l := range f.LiveInsOf(b) {
			r := l.Reg
			at := slices.Index(s.phys, r)
			if at < 0 || has(v.allocSet, r) || v.isReserved(r) {
				continue
			}
			for _, p := range f.Preds(b) {
				if s.physSet[p]>>at&1 == 0 {
					v.errBlock(b, "Live in register not found to be live out from predecessor.")
					v.rep.note(v.in.RegName(desc.PhysReg(r)), " not found to be live out from ", v.blockText(p))
				}
			}
		}
	}
}

// checkCallSites looks at the recorded call sites.
func (v *Verifier) checkCallSites() {
	for k := range v.f.CallSites {
		i := v.f.CallSites[k].Instr
		if i != 0 && v.f.Instr(i).Block() != 0 && !v.isCandidateCall(i) {
			v.errFunc("Call site info referencing instruction that is not call")
		}
	}
}

func (v *Verifier) isCandidateCall(i mir.InstrID) bool {
	for k := range v.f.InBundle(i) {
		if v.f.Desc(k).IsCall() {
			return true
		}
	}
	return false
}

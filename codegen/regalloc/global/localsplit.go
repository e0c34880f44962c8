package global

import (
	"math"

	"github.com/mirin-go/mirin/codegen/liveness"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// hysteresis keeps a split from being undone by the next one: an estimate must
// be better by this much.
const hysteresis = float32(2007.0 / 2048)

// maxLocalUses bounds the uses of a register within a block for which the best
// place to split is looked for: finding it takes the square of them at worst.
const maxLocalUses = 4096

// local splits a register of one block: a run of its uses gets a register of its
// own which is heavy enough to evict what is in the way there.
func (s *splitter) local(iv *liveness.Interval, o *allocOrder) {
	g, e := s.g, &s.e
	slots := s.x.slots
	if len(s.x.uses) != 1 || len(slots) <= 2 || len(slots) > maxLocalUses {
		return
	}
	u := s.x.uses[0]
	gaps := len(slots) - 1
	s.findCalls(iv, gaps)
	s.gapEnds = s.gapEnds[:0]
	for _, x := range slots[1:] {
		s.gapEnds = append(s.gapEnds, x.Base())
	}
	progress := g.of(iv.Reg).stage >= stageSplit2
	freq := float32(g.relFreq(u.block))
	before, after, diff := gaps, 0, float32(0)
	for k := range o.num() {
		p, _ := o.at(k)
		if p == 0 {
			continue
		}
		s.weighGaps(p, &u)
		if len(s.calls) > 0 && g.matrix.InterferesWithMask(iv, mir.Reg(p)) {
			for _, n := range s.calls {
				s.gaps[n] = notSpillable
			}
		}
		from, to := 0, 1
		heaviest := s.gaps[0]
		for {
			liveBefore, liveAfter := from != 0 || u.liveIn, to != gaps || u.liveOut
			if !liveBefore && !liveAfter {
				break
			}
			shrink := true
			n := to - from + count(liveBefore) + count(liveAfter)
			if (!progress || n < gaps) && heaviest < notSpillable {
				size := g.idx.Distance(slots[from], slots[to]) + (count(liveBefore)+count(liveAfter))*liveness.InstrDistance
				est := freq * float32(n+1) / float32(size+unspilledSlots)
				if est*hysteresis >= heaviest {
					shrink = false
					if d := est - heaviest; d > diff {
						diff, before, after = hysteresis*d, from, to
					}
				}
			}
			if shrink {
				if from++; from < to {
					if s.gaps[from-1] >= heaviest {
						heaviest = maxOf(s.gaps[from:to])
					}
					continue
				}
				heaviest = 0
			}
			if to >= gaps {
				break
			}
			heaviest = max(heaviest, s.gaps[to])
			to++
		}
	}
	if before == gaps {
		return
	}
	from := len(g.newVRegs)
	first, last := slots[before], slots[after]
	e.begin(&g.alloc, &s.x, iv, false, &g.newVRegs)
	e.openIntv()
	start := e.enterBefore(first)
	e.use(start, e.leaveAfter(last))
	e.finish()
	g.c.Count("regalloc", "Number of split local live ranges", 1)
	n := after - before + count(before != 0 || u.liveIn) + count(after != gaps || u.liveOut)
	if n < gaps {
		return
	}
	// As many instructions as before: the next split must do better.
	for k, r := range g.newVRegs[from:] {
		if x := g.of(r); k < len(e.of) && e.of[k] == 1 && x.stage == stageNew {
			x.stage = stageSplit2
		}
	}
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

func maxOf(w []float32) float32 {
	m := w[0]
	for _, x := range w[1:] {
		m = max(m, x)
	}
	return m
}

// findCalls lists the gaps between uses in which a call destroys registers.
func (s *splitter) findCalls(iv *liveness.Interval, gaps int) {
	g, slots := s.g, s.x.slots
	s.calls = s.calls[:0]
	if !g.liveAtMask(&iv.Range) {
		return
	}
	masks, _ := g.lis.RegMaskSlotsIn(s.x.uses[0].block)
	k := 0
	for k < len(masks) && masks[k] < slots[0].Reg() {
		k++
	}
	for n := 0; n < gaps && k < len(masks); n++ {
		if liveness.EarlierInstr(slots[n+1], masks[k]) {
			continue
		}
		// At the last use the register is no longer live.
		if liveness.SameInstr(slots[n+1], masks[k]) && n+1 == gaps {
			break
		}
		s.calls = append(s.calls, n)
		for k < len(masks) && liveness.EarlierInstr(masks[k], slots[n+1]) {
			k++
		}
	}
}

// weighGaps finds, for each gap between two uses, the weight of the heaviest
// register that is in the way in p.
func (s *splitter) weighGaps(p desc.PhysReg, u *useBlock) {
	g, ends, num := s.g, s.gapEnds, len(s.gapEnds)
	s.gaps = rows.Zeroed(s.gaps, num)
	start, stop := u.first, u.last
	if u.liveIn {
		start = start.Base()
	}
	if u.liveOut {
		stop = stop.Dead()
	}
	// What overlaps an instruction counts in the gaps on both sides of it: those from the first
	// whose end is not in front of where it begins to the first that ends where it does or behind.
	const dead = liveness.Index(liveness.SlotDead)
	for unit := range g.in.RegUnits(p).All() {
		c, n := g.matrix.Union(unit).Find(start), 0
	taken:
		for run := c.Rows(); len(run) > 0; run = c.Rows() {
			for k := range run {
				x := &run[k]
				if x.Start >= stop {
					break taken
				}
				for ends[n]+dead < x.Start {
					if n++; n == num {
						break taken
					}
				}
				w := g.lis.Known(x.Reg).Weight
				for ends[n] < x.End {
					s.gaps[n] = max(s.gaps[n], w)
					if n++; n == num {
						break taken
					}
				}
				s.gaps[n] = max(s.gaps[n], w)
			}
			c.Skip(len(run))
		}
		r := g.lis.Unit(unit)
		n = 0
	fixed:
		for k := r.Find(start); k < len(r.Segs) && r.Segs[k].Start < stop; k++ {
			x := &r.Segs[k]
			for ends[n]+dead < x.Start {
				if n++; n == num {
					break fixed
				}
			}
			for ; n < num; n++ {
				s.gaps[n] = float32(math.Inf(1))
				if ends[n] >= x.End {
					break
				}
			}
			if n == num {
				break
			}
		}
	}
}

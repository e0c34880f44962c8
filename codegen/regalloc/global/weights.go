package global

import (
	"cmp"
	"math"
	"slices"

	"github.com/mirin-go/mirin/codegen/liveness"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// weigher finds what it would cost to spill a register for each place that it
// lives at, and where the register would like to be, as LLVM's VirtRegAuxInfo:
// the frequency of the blocks that use it, by its length, so that long registers
// with few uses go first; less when it can be computed again, a little more when
// it wants a register of its own.
type weigher struct {
	hints []copyHint
	regs  []mir.Reg
	seen  []uint32
	epoch uint32
}

type copyHint struct {
	reg    mir.Reg
	weight float32
}

// maxHints bounds the hints of one register: those beyond are not looked for.
const maxHints = 64

// notSpillable is the weight of registers that must not be spilled: what they
// live through is so short that a spill would make the same register again.
var notSpillable = float32(math.Inf(1))

func isSpillable(iv *liveness.Interval) bool { return iv.Weight != notSpillable }

// unspilledSlots is LLVM's constant that keeps the weights of short registers apart: 25 instructions.
const unspilledSlots = 25 * liveness.InstrDistance

// weigh sets the weight and the hints of an interval.
func (a *alloc) weigh(iv *liveness.Interval) {
	if w := a.weight(iv, 0, 0); w >= 0 {
		iv.Weight = w
	} else {
		iv.Weight = notSpillable
	}
}

// weight returns the weight of iv, or of the part from start to end that local
// splitting would make of it; -1 when it is not to be spilled.
func (a *alloc) weight(iv *liveness.Interval, start, end liveness.Index) float32 {
	f, w := a.f, &a.weights
	r := iv.Reg
	if isSpillable(iv) {
		if o := a.vrm.Original(r); o != r && !isSpillable(a.lis.Interval(o)) {
			iv.Weight = notSpillable
		}
	}
	spillable, part := isSpillable(iv), end != 0
	// Summed wider than the terms are: the order of the uses must not show.
	total, instrs := float64(0), 0
	if part {
		// A copy in and a copy out.
		total += float64(2 * a.instrWeight(a.idx.BlockAt(end)))
		instrs += 2
	}
	w.hints = w.hints[:0]
	w.begin(f)
	block, exiting := mir.BlockID(0), false
	for id := f.FirstUse(r); id != 0; id = f.NextUse(id) {
		if f.OpAt(id).IsDebug() {
			continue
		}
		i, _ := f.Owner(id)
		if part {
			if at := a.idx.Of(i); at < start || at > end {
				continue
			}
		}
		if !w.visit(i) {
			continue
		}
		instrs++
		op := f.Instr(i).Opcode
		isCopy := op == desc.COPY
		if op == desc.IMPLICIT_DEF || isCopy && f.Op(i, 0).Reg() == f.Op(i, 1).Reg() && f.Op(i, 0).SubReg() == f.Op(i, 1).SubReg() {
			continue
		}
		weight := float32(1)
		if spillable {
			if b := f.Instr(i).Block(); b != block {
				block, exiting = b, a.isExiting(b)
			}
			reads, writes := readsWrites(f, i, r)
			weight = 0
			if reads {
				weight += a.instrWeight(block)
			}
			if writes {
				weight += a.instrWeight(block)
			}
			if writes && exiting && iv.LiveOutOf(a.idx, block) {
				weight *= 3 // the step of a loop's counter, it seems
			}
			total += float64(weight)
		}
		if isCopy {
			if h := a.copyHint(i, r); h != 0 && (h.IsVirtual() || a.classes.IsAllocatable(desc.PhysReg(h))) {
				w.add(h, weight)
			}
		}
	}
	if !part && len(w.hints) > 0 {
		w.sort()
		a.vrm.setHints(r, w.regs)
		total *= 1.01
	}
	if !spillable {
		return -1
	}
	if !part && a.isTiny(iv) && !a.liveAtMask(&iv.Range) && !a.isStatepointValue(r) {
		return -1
	}
	if a.rematerializable(iv) {
		total *= 0.5
	}
	size := a.size(&iv.Range)
	if part {
		size = a.idx.Distance(start, end)
	}
	// Deep in loops the frequencies are beyond what a weight can say: infinity is notSpillable.
	return float32(min(total/float64(size+unspilledSlots), math.MaxFloat32))
}

// instrWeight is the weight of one access in block b.
func (a *alloc) instrWeight(b mir.BlockID) float32 {
	if a.optSize {
		return 1
	}
	return float32(a.relFreq(b))
}

// isExiting reports whether b is in a loop and has an edge out of it.
func (a *alloc) isExiting(b mir.BlockID) bool {
	x := a.loops.Loop[b]
	if x < 0 {
		return false
	}
	for _, s := range a.f.Succs(b) {
		if !a.loops.Contains(int(x), int(s.Block)) {
			return true
		}
	}
	return false
}

// liveAtMask reports whether r is live across a call.
func (a *alloc) liveAtMask(r *liveness.Range) bool {
	masks := a.lis.RegMaskSlots()
	for _, s := range r.Segs {
		k, _ := slices.BinarySearch(masks, s.Start)
		if k < len(masks) && masks[k] < s.End {
			return true
		}
	}
	return false
}

// isStatepointValue reports whether a STATEPOINT takes r, in memory if need be: of
// more values than there are registers all but a few must be spilled.
func (a *alloc) isStatepointValue(r mir.Reg) bool {
	f := a.f
	for id := f.FirstUse(r); id != 0; id = f.NextUse(id) {
		i, k := f.Owner(id)
		if f.Instr(i).Opcode != desc.STATEPOINT {
			continue
		}
		if _, first := target.PatchPointValues(f, i); k >= first {
			return true
		}
	}
	return false
}

// isTiny reports whether every segment ends at the instruction that follows its
// start or there: a spill would need the same registers.
func (a *alloc) isTiny(iv *liveness.Interval) bool {
	for _, s := range iv.Segs {
		if i := a.idx.Instr(s.Start); i != 0 {
			next := a.f.NextBundle(i)
			for next != 0 && a.idx.Of(next) == 0 {
				next = a.f.NextBundle(next)
			}
			if next != 0 {
				if a.idx.Of(next) < s.End.Base() {
					return false
				}
				continue
			}
			if s.End.Base() > a.idx.BlockEnd(a.f.Instr(i).Block()) {
				return false
			}
			continue
		}
		// From a block's start: until its first instruction.
		if first := a.idx.InstrFrom(s.Start); first != 0 && a.idx.Of(first) < s.End.Base() || first == 0 && s.End > a.idx.BlockEnd(a.idx.BlockAt(s.Start)) {
			return false
		}
	}
	return true
}

// copyHint is the register that copy i suggests for r, 0 for none.
func (a *alloc) copyHint(i mir.InstrID, r mir.Reg) mir.Reg {
	me, other := a.f.Op(i, 0), a.f.Op(i, 1)
	if me.Reg() != r {
		me, other = other, me
	}
	h := other.Reg()
	switch {
	case h == 0:
		return 0
	case h.IsVirtual():
		if me.SubReg() == other.SubReg() {
			return h
		}
		return 0
	}
	class := desc.ClassID(a.f.VReg(r).Class)
	p := desc.PhysReg(h)
	if s := other.SubReg(); s != 0 {
		p = a.in.SubReg(p, desc.SubRegIdx(s))
	}
	if a.in.ClassContains(class, p) {
		return mir.Reg(p)
	}
	if s := me.SubReg(); s != 0 {
		return mir.Reg(a.in.MatchingSuperReg(p, desc.SubRegIdx(s), class))
	}
	return 0
}

func (w *weigher) begin(f *mir.Function) {
	if n := f.NumInstrIDs(); n > len(w.seen) {
		w.seen = append(w.seen, make([]uint32, n-len(w.seen)+n/4)...)
	}
	w.epoch++
}

// visit reports whether i was not seen yet.
func (w *weigher) visit(i mir.InstrID) bool {
	if w.seen[i] == w.epoch {
		return false
	}
	w.seen[i] = w.epoch
	return true
}

func (w *weigher) add(r mir.Reg, weight float32) {
	for k := range w.hints {
		if w.hints[k].reg == r {
			w.hints[k].weight += weight
			return
		}
	}
	if len(w.hints) < maxHints {
		w.hints = append(w.hints, copyHint{r, weight})
	}
}

// sort puts physical registers first, then the heavier ones.
func (w *weigher) sort() {
	slices.SortFunc(w.hints, func(x, y copyHint) int {
		if p, q := x.reg.IsPhysical(), y.reg.IsPhysical(); p != q {
			if p {
				return -1
			}
			return 1
		}
		if c := cmp.Compare(y.weight, x.weight); c != 0 {
			return c
		}
		return cmp.Compare(x.reg, y.reg)
	})
	w.regs = w.regs[:0]
	for _, h := range w.hints {
		w.regs = append(w.regs, h.reg)
	}
}

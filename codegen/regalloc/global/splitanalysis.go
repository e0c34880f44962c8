package global

import (
	"slices"

	"github.com/mirin-go/mirin/codegen/liveness"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// splitAnalysis says where a register is used, block by block.
type splitAnalysis struct {
	a  *alloc
	iv *liveness.Interval
	// slots are the places of the instructions that read or write the register, each once.
	slots []liveness.Index
	// uses are the blocks with such places, twice where the register is live in and
	// live out with a gap between.
	uses []useBlock
	// through are the blocks that the register passes through unused, by row: their
	// number in the layout, in which a stretch of the register is a run.
	through     bitset
	row         []int32       // by block
	byRow       []mir.BlockID // the blocks in order
	numThrough  int
	numGaps     int
	looksLikeIV bool

	// last caches the last split point of each block, by epoch.
	last  []splitPoint
	epoch uint32
}

// useBlock is a block in which a register is used.
type useBlock struct {
	block           mir.BlockID
	first, last     liveness.Index // instructions that use it; last is where it ends when it is not live out
	firstDef        liveness.Index // 0: it is not written
	liveIn, liveOut bool
	lastUndef       bool // last is an IMPLICIT_DEF
}

// oneInstr says that a single instruction uses the register.
func (u *useBlock) oneInstr() bool { return liveness.SameInstr(u.first, u.last) }

// splitPoint is where in a block the last copy may stand: before the first
// terminator, and for what a landing pad reads before the call that may throw.
type splitPoint struct {
	epoch       uint32
	last, throw liveness.Index
}

func (x *splitAnalysis) begin(a *alloc) {
	x.a = a
	x.last = rows.Sized(x.last, a.f.NumBlockIDs())
	x.epoch++
	x.iv = nil
	x.row, x.byRow = rows.Sized(x.row, a.f.NumBlockIDs()), x.byRow[:0]
	for b := a.f.FirstBlock(); b != 0; b = a.f.NextBlock(b) {
		x.row[b] = int32(len(x.byRow))
		x.byRow = append(x.byRow, b)
	}
}

// forget drops the split points: indexes are others.
func (x *splitAnalysis) forget() { x.epoch++ }

// analyze looks at iv.
func (x *splitAnalysis) analyze(iv *liveness.Interval) {
	a, f := x.a, x.a.f
	x.iv = iv
	x.slots, x.uses = x.slots[:0], x.uses[:0]
	for _, v := range iv.Vals {
		if !v.Unused() && !v.IsPHI() {
			x.slots = append(x.slots, v.Def)
		}
	}
	for id := f.FirstUse(iv.Reg); id != 0; id = f.NextUse(id) {
		o := f.OpAt(id)
		if o.IsDef() || o.IsDebug() || o.IsUndef() {
			continue
		}
		i, _ := f.Owner(id)
		x.slots = append(x.slots, a.idx.Of(i).Reg())
	}
	slices.Sort(x.slots)
	// The smaller slot of an instruction stays: the one of an early clobber.
	x.slots = slices.CompactFunc(x.slots, liveness.SameInstr)
	x.findBlocks()
	for k := range x.uses {
		if u := &x.uses[k]; u.liveOut {
			i := a.idx.Instr(u.last)
			u.lastUndef = i != 0 && f.Instr(i).Opcode == desc.IMPLICIT_DEF
		}
	}
	x.looksLikeIV = len(x.uses) == 2 && !slices.ContainsFunc(x.uses, func(u useBlock) bool { return !u.liveIn || !u.liveOut })
}

func (x *splitAnalysis) findBlocks() {
	a, f, segs := x.a, x.a.f, x.iv.Segs
	x.through.reset(len(x.byRow))
	x.numThrough, x.numGaps = 0, 0
	if len(segs) == 0 {
		return
	}
	s, u := 0, 0
	for b := a.idx.BlockAt(segs[0].Start); ; {
		start, stop := a.idx.BlockStart(b), a.idx.BlockEnd(b)
		if u == len(x.slots) || x.slots[u] >= stop {
			first := b
			for s < len(segs) && segs[s].End < stop {
				s++ // a range that dangles
			}
			if s < len(segs) && segs[s].Start < stop {
				// All blocks up to the next use or the end of the stretch are alike.
				limit := segs[s].End
				if u < len(x.slots) {
					limit = min(limit, x.slots[u])
				}
				if b = a.idx.BlockAt(limit - 1); a.idx.BlockEnd(b) > limit {
					b = x.byRow[x.row[b]-1]
				}
				stop = a.idx.BlockEnd(b)
			}
			x.through.addRange(int(x.row[first]), int(x.row[b]))
			x.numThrough += int(x.row[b]-x.row[first]) + 1
			if s == len(segs) {
				return
			}
		} else {
			k := useBlock{block: b, first: x.slots[u], liveOut: true}
			for u++; u < len(x.slots) && x.slots[u] < stop; u++ {
			}
			k.last = x.slots[u-1]
			k.liveIn = segs[s].Start <= start
			if !k.liveIn {
				k.firstDef = k.first
			}
			for segs[s].End < stop {
				end := segs[s].End
				if s++; s == len(segs) || segs[s].Start >= stop {
					k.liveOut, k.last = false, end
					break
				}
				if end < segs[s].Start {
					x.numGaps++
					in := k
					in.liveOut, in.last = false, end
					x.uses = append(x.uses, in)
					k.liveIn, k.liveOut = false, true
					k.first, k.firstDef = segs[s].Start, segs[s].Start
				}
				if k.firstDef == 0 {
					k.firstDef = segs[s].Start
				}
			}
			x.uses = append(x.uses, k)
			if s == len(segs) {
				return
			}
		}
		if segs[s].End == stop {
			if s++; s == len(segs) {
				return
			}
		}
		if segs[s].Start < stop {
			b = f.NextBlock(b)
		} else {
			b = a.idx.BlockAt(segs[s].Start)
		}
	}
}

// numBlocks is the number of blocks in which the register is live.
func (x *splitAnalysis) numBlocks() int { return len(x.uses) - x.numGaps + x.numThrough }

// countBlocks counts the blocks in which iv is live.
func (x *splitAnalysis) countBlocks(iv *liveness.Interval) int {
	a, n := x.a, 0
	last := mir.BlockID(0)
	for _, s := range iv.Segs {
		b := a.idx.BlockAt(s.Start)
		if b == last {
			n--
		}
		last = a.idx.BlockAt(s.End - 1)
		n += int(x.row[last]-x.row[b]) + 1
	}
	return n
}

// isOriginalEnd reports whether the register of the input begins or ends at a place.
func (x *splitAnalysis) isOriginalEnd(at liveness.Index) bool {
	o := x.a.lis.Interval(x.a.vrm.Original(x.iv.Reg))
	k := o.Find(at)
	if k < len(o.Segs) && o.Segs[k].Start <= at {
		return o.Segs[k].Start == at
	}
	return k > 0 && o.Segs[k-1].End == at
}

// worthIsolating reports whether the uses of one block deserve a register of their own.
func (x *splitAnalysis) worthIsolating(u *useBlock, single bool) bool {
	if !u.oneInstr() {
		return true
	}
	// One instruction is isolated only to give the rest a larger class.
	if !single {
		return false
	}
	if u.liveIn && u.liveOut {
		return true
	}
	// A copy takes any register.
	i := x.a.idx.Instr(u.first)
	if i == 0 || x.a.f.Instr(i).Opcode == desc.COPY || x.a.f.Instr(i).Opcode == desc.SUBREG_TO_REG {
		return false
	}
	// And ends that earlier splits made stay.
	return x.isOriginalEnd(u.first)
}

// lastSplit is the index before which the last copy of the register may stand in
// block b: that of an instruction, or the block's end.
func (x *splitAnalysis) lastSplit(b mir.BlockID) liveness.Index {
	a, f := x.a, x.a.f
	p := &x.last[b]
	if p.epoch != x.epoch {
		*p = splitPoint{epoch: x.epoch, last: a.idx.BlockEnd(b)}
		if t := f.FirstTerminator(b); t != 0 {
			p.last = a.idx.Of(t)
		}
		p.throw = x.findThrow(b)
	}
	if p.throw == 0 {
		return p.last
	}
	end := a.idx.BlockEnd(b)
	live := false
	for _, s := range f.Succs(b) {
		if f.Block(s.Block).Flags&(mir.EHPad|mir.InlineAsmBrTarget) != 0 && x.iv.LiveAt(a.idx.BlockStart(s.Block)) {
			live = true
		}
	}
	v := x.iv.ValueBefore(end)
	if !live || v == liveness.NoValue {
		return p.last
	}
	// What is defined behind the call cannot reach the landing pad.
	if d := x.iv.Vals[v].Def; !liveness.EarlierInstr(d, p.throw) && d < end {
		return p.last
	}
	return p.throw
}

// findThrow is the place of the last instruction of b that leads to a landing pad
// or to a label of inline assembly, 0 for none.
func (x *splitAnalysis) findThrow(b mir.BlockID) liveness.Index {
	a, f := x.a, x.a.f
	pad, asm := false, false
	for _, s := range f.Succs(b) {
		fl := f.Block(s.Block).Flags
		pad, asm = pad || fl&mir.EHPad != 0, asm || fl&mir.InlineAsmBrTarget != 0
	}
	if !pad && !asm {
		return 0
	}
	for i := f.Block(b).Last(); i != 0; i = f.Instr(i).Prev() {
		if pad && f.Desc(i).IsCall() || f.Instr(i).Opcode == desc.INLINEASM_BR {
			return a.idx.Of(i)
		}
	}
	return 0
}

// firstSplit is the index from which on copies may stand in block b.
func (x *splitAnalysis) firstSplit(b mir.BlockID) liveness.Index {
	i := firstPlace(x.a.f, b)
	if i == 0 {
		return x.a.idx.BlockEnd(b)
	}
	if at := x.a.idx.Of(i); at != 0 {
		return at
	}
	return x.a.idx.BlockEnd(b)
}

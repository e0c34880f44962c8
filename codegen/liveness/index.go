package liveness

import (
	"math/bits"
	"slices"
	"strconv"

	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// Index is a point of a function: the place of an instruction or of a block's
// start, and one of the four slots there. Indexes compare by < over the whole
// function, in the order of the layout. 0 is none.
type Index uint32

// Slot is what happens at an Index.
type Slot uint8

// The slots of a place, in order.
const (
	// SlotBlock is before the instruction; at a block's start it is where PHI
	// values and live-ins are defined.
	SlotBlock Slot = iota
	// SlotEarlyClobber is where early-clobber results are written: they overlap the uses.
	SlotEarlyClobber
	// SlotRegister is where uses end and results begin.
	SlotRegister
	// SlotDead is where a result ends that nothing reads.
	SlotDead
)

const slotMask Index = 3

// Slot returns the slot of x.
func (x Index) Slot() Slot { return Slot(x & slotMask) }

// Base is the first slot of x's place.
func (x Index) Base() Index { return x &^ slotMask }

// Reg is the register slot of x's place: where its uses end and its results begin.
func (x Index) Reg() Index { return x&^slotMask | Index(SlotRegister) }

// EarlyClobber is the slot of x's place where early-clobber results begin.
func (x Index) EarlyClobber() Index { return x&^slotMask | Index(SlotEarlyClobber) }

// RegSlot is EarlyClobber or Reg.
func (x Index) RegSlot(earlyClobber bool) Index {
	if earlyClobber {
		return x.EarlyClobber()
	}
	return x.Reg()
}

// Dead is the last slot of x's place: the end of results that nothing reads.
func (x Index) Dead() Index { return x | slotMask }

// Before is the slot before x: x.Before() is live when a range reaches x.
func (x Index) Before() Index { return x - 1 }

// IsBlock reports a block slot.
func (x Index) IsBlock() bool { return x.Slot() == SlotBlock }

// IsEarlyClobber reports an early-clobber slot.
func (x Index) IsEarlyClobber() bool { return x.Slot() == SlotEarlyClobber }

// IsReg reports a register slot.
func (x Index) IsReg() bool { return x.Slot() == SlotRegister }

// IsDead reports a dead slot.
func (x Index) IsDead() bool { return x.Slot() == SlotDead }

// SameInstr reports whether both are slots of one place.
func SameInstr(x, y Index) bool { return x.Base() == y.Base() }

// EarlierInstr reports whether x's place is before y's.
func EarlierInstr(x, y Index) bool { return x.Base() < y.Base() }

// Indexes gives the places of a function their numbers (LLVM's SlotIndexes).
// Every block start and every instruction that is no debug instruction has one;
// the instructions of a bundle share that of its head. Distances are a power of
// two, the same for all places, and wide: instructions that are put in later
// get a number from the gap. It listens: who creates, erases or moves
// instructions through the function needs to tell nobody. Blocks are not added while
// they are at hand.
//
// An Index is a number that callers hold, so nothing is renumbered behind their
// back: when Crowded says that somewhere room is short, a caller that holds no
// Index calls Intervals.Renumber.
type Indexes struct {
	mir.NoListener
	f *mir.Function
	// shift is log2 of the distance of neighbours.
	shift uint
	// of is each instruction's base index, 0 for none; next links the
	// instructions of a bucket.
	of   []Index
	next []mir.InstrID
	// bucket holds, for each distance-wide stretch, the list of the instructions in it,
	// inBlock the block that it is of: blocks begin with a stretch.
	bucket  []mir.InstrID
	inBlock []mir.BlockID
	// start is where each block begins; order lists the blocks by start.
	start   []Index
	order   []blockStart
	end     Index
	crowded bool
	// layout is another number whenever places or blocks have others.
	layout uint32
	// spare is the memory for the next numbering, once there was one.
	spare struct {
		of, start []Index
		next      []mir.InstrID
		bucket    []mir.InstrID
		inBlock   []mir.BlockID
		order     []blockStart
	}
	edited bool // instructions came or went since the places were numbered
	// erased, if not nil, is told of instructions that lose their index by being erased.
	erased func(i mir.InstrID, at Index)
}

type blockStart struct {
	at Index
	b  mir.BlockID
}

const (
	// maxShift and minShift bound the distance of places: 2^14 slots leave a
	// function of 200,000 instructions whole gaps, 16 is LLVM's.
	maxShift = 14
	minShift = 4
	// crowdedGap is the number of free places next to an insertion below which room is short.
	crowdedGap = 32
)

// Compute numbers the places of f.
func (x *Indexes) Compute(_ *pass.Context, f *mir.Function) {
	x.f, x.erased = f, nil
	x.number()
	f.Listen(x)
}

// Forget stops listening.
func (x *Indexes) Forget(f *mir.Function) { f.Unlisten(x) }

// OfCFG is false.
func (x *Indexes) OfCFG() bool { return false }

// Differs is Check: numbers may differ.
func (x *Indexes) Differs(*Indexes) string { return x.Check(x.f) }

// Check says what is wrong with the order of the indexes.
func (x *Indexes) Check(f *mir.Function) string {
	last := Index(0)
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		if x.start[b] <= last {
			return "the start of bb." + strconv.Itoa(int(f.Block(b).Number))
		}
		last = x.start[b]
		for i := f.Block(b).First(); i != 0; i = f.NextBundle(i) {
			if !hasIndex(f, i) {
				continue
			}
			if x.of[i] <= last || x.Instr(x.of[i]) != i {
				return "the index of an instruction of bb." + strconv.Itoa(int(f.Block(b).Number))
			}
			last = x.of[i]
		}
	}
	if last >= x.end {
		return "the end of the function"
	}
	return ""
}

// number gives all places new numbers.
func (x *Indexes) number() {
	f := x.f
	x.layout++
	n := uint(2)
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		n++
		for i := f.Block(b).First(); i != 0; i = f.NextBundle(i) {
			if hasIndex(f, i) {
				n++
			}
		}
	}
	x.shift = uint(max(minShift, min(maxShift, 31-bits.Len(n))))
	if n > 1<<(32-minShift) {
		panic("liveness: a function has more instructions than there are indexes")
	}
	x.of = rows.Zeroed(x.of, f.NumInstrIDs())
	x.next = rows.Zeroed(x.next, f.NumInstrIDs())
	x.bucket = rows.Zeroed(x.bucket, int(n)+1)
	x.inBlock = rows.Sized(x.inBlock, int(n)+1)
	x.inBlock[0] = f.FirstBlock()
	x.start = rows.Zeroed(x.start, f.NumBlockIDs())
	x.order, x.crowded, x.edited = x.order[:0], false, false
	at, step := Index(1)<<x.shift, Index(1)<<x.shift
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		x.start[b] = at
		x.order = append(x.order, blockStart{at, b})
		x.inBlock[at>>x.shift] = b
		at += step
		for i := f.Block(b).First(); i != 0; i = f.NextBundle(i) {
			if hasIndex(f, i) {
				x.of[i] = at
				x.bucket[at>>x.shift], x.inBlock[at>>x.shift] = i, b
				at += step
			}
		}
	}
	x.end = at
	// The end belongs to the last block.
	for k := at >> x.shift; int(k) < len(x.inBlock); k++ {
		x.inBlock[k] = f.LastBlock()
	}
}

// hasIndex reports whether i has a place: debug instructions and pseudo probes have none.
func hasIndex(f *mir.Function, i mir.InstrID) bool {
	return !f.IsDebugInstr(i) && f.Instr(i).Opcode != desc.PSEUDO_PROBE
}

// Of returns the first slot of the place of i, that of its bundle's head; 0 for
// debug instructions.
func (x *Indexes) Of(i mir.InstrID) Index {
	if int(i) >= len(x.of) {
		return 0
	}
	if f := x.f; f.Instr(i).Flags()&mir.BundledPred != 0 {
		i = f.BundleHead(i)
	}
	return x.of[i]
}

// Instr returns the instruction at x's place, 0 when there is none (any more).
func (x *Indexes) Instr(at Index) mir.InstrID {
	at = at.Base()
	if k := int(at >> x.shift); k < len(x.bucket) {
		for i := x.bucket[k]; i != 0; i = x.next[i] {
			if x.of[i] == at {
				return i
			}
		}
	}
	return 0
}

// InstrFrom returns the first instruction of at's block at or behind at's place,
// 0 when there is none.
func (x *Indexes) InstrFrom(at Index) mir.InstrID {
	end := x.BlockEnd(x.BlockAt(at))
	at = at.Base()
	for k := int(at >> x.shift); k < len(x.bucket) && Index(k)<<x.shift < end; k++ {
		best := mir.InstrID(0)
		for i := x.bucket[k]; i != 0; i = x.next[i] {
			if x.of[i] >= at && x.of[i] < end && (best == 0 || x.of[i] < x.of[best]) {
				best = i
			}
		}
		if best != 0 {
			return best
		}
	}
	return 0
}

// InstrUpTo returns the last instruction of block b at or before at's place, 0
// when there is none.
func (x *Indexes) InstrUpTo(b mir.BlockID, at Index) mir.InstrID {
	at = at.Base()
	start := x.start[b]
	for k := int(at >> x.shift); k >= int(start>>x.shift); k-- {
		best := mir.InstrID(0)
		for i := x.bucket[k]; i != 0; i = x.next[i] {
			if x.of[i] <= at && x.of[i] > start && (best == 0 || x.of[i] > x.of[best]) {
				best = i
			}
		}
		if best != 0 {
			return best
		}
	}
	return 0
}

// BlockStart is where block b begins: live-ins and PHI values are defined there.
func (x *Indexes) BlockStart(b mir.BlockID) Index { return x.start[b] }

// BlockEnd is where block b ends: the start of the next, behind all its instructions.
func (x *Indexes) BlockEnd(b mir.BlockID) Index {
	for n := x.f.NextBlock(b); n != 0; n = x.f.NextBlock(n) {
		if x.knows(n) {
			return x.start[n]
		}
	}
	return x.end
}

// knows reports whether b was there when the function was numbered or was inserted.
func (x *Indexes) knows(b mir.BlockID) bool { return int(b) < len(x.start) && x.start[b] != 0 }

// BlockAt returns the block that at lies in.
func (x *Indexes) BlockAt(at Index) mir.BlockID { return x.inBlock[at>>x.shift] }

// LastIndex is behind the last instruction of the function.
func (x *Indexes) LastIndex() Index { return x.end }

// Distance is how far y is behind x, in LLVM's measure: 16 for neighbours.
func (x *Indexes) Distance(a, b Index) int {
	d := int64(b) - int64(a)
	return int(d >> (x.shift - minShift))
}

// InstrDistance is what Distance is between neighbours.
const InstrDistance = 16

// Place is about how many places are before at: LLVM's number of an index is 16 times that.
func (x *Indexes) Place(at Index) int { return int(at>>x.shift) - 1 }

// Crowded reports whether room for new instructions is short somewhere. Then who
// holds no Index calls Intervals.Renumber (or Renumber here when there are no intervals).
func (x *Indexes) Crowded() bool { return x.crowded }

// Packed reports that neighbours are as far from each other as they were numbered:
// no instruction came or went. Who measures ranges has them packed first.
func (x *Indexes) Packed() bool { return !x.edited }

// Renumber gives all places new numbers; all that was computed from the old ones
// is wrong then. With live intervals call theirs.
func (x *Indexes) Renumber() { x.number() }

// Created implements mir.Listener: i gets a number from the gap.
func (x *Indexes) Created(i mir.InstrID) {
	for n := int(i) + 1 - len(x.of); n > 0; n-- {
		x.of, x.next = append(x.of, 0), append(x.next, 0)
	}
	if x.of[i] != 0 {
		x.drop(i)
	}
	f := x.f
	if !hasIndex(f, i) {
		return
	}
	b := f.Instr(i).Block()
	if f.Instr(i).Flags()&mir.BundledPred != 0 || !x.knows(b) {
		return
	}
	prev, next := f.Instr(i).Prev(), f.NextBundle(i)
	for prev != 0 && x.Of(prev) == 0 {
		prev = f.Instr(prev).Prev()
	}
	for next != 0 && x.Of(next) == 0 {
		next = f.Instr(next).Next()
	}
	lo, hi := x.start[b], x.BlockEnd(b)
	if prev != 0 {
		lo = x.Of(prev)
	}
	if next != 0 {
		hi = x.Of(next)
	}
	x.put(i, x.between(lo, hi))
}

// between picks a number between two places: the middle of a gap that nothing
// was put into, and else a small step from the neighbour that was put in, so
// that insertions one behind (or before) the other do not halve the room each time.
func (x *Indexes) between(lo, hi Index) Index {
	gap := (hi - lo) >> 2 // places
	if gap < 2 {
		panic("liveness: no index is left between two instructions: Renumber was not called in time")
	}
	if gap <= crowdedGap {
		x.crowded = true
	}
	whole := Index(1)<<x.shift - 1
	step := max(1, gap/16) << 2
	switch {
	case lo&whole != 0 && hi&whole == 0:
		return lo + step
	case hi&whole != 0 && lo&whole == 0:
		return hi - step
	}
	return (lo + (hi-lo)/2).Base()
}

func (x *Indexes) put(i mir.InstrID, at Index) {
	x.edited = true
	x.of[i] = at
	k := int(at >> x.shift)
	x.next[i] = x.bucket[k]
	x.bucket[k] = i
}

// drop takes the number of i away.
func (x *Indexes) drop(i mir.InstrID) {
	x.edited = true
	p := &x.bucket[x.of[i]>>x.shift]
	for *p != i {
		p = &x.next[*p]
	}
	*p = x.next[i]
	x.of[i], x.next[i] = 0, 0
}

// Erased implements mir.Listener. The rest of a bundle keeps the number of its head.
func (x *Indexes) Erased(i mir.InstrID) {
	if int(i) >= len(x.of) || x.of[i] == 0 {
		return
	}
	at, f := x.of[i], x.f
	x.drop(i)
	if x.erased != nil {
		x.erased(i, at)
	}
	if fl := f.Instr(i).Flags(); fl&mir.BundledSucc != 0 && fl&mir.BundledPred == 0 {
		if n := f.Instr(i).Next(); n != 0 && x.of[n] == 0 {
			x.put(n, at)
		}
	}
}

// Moved implements mir.Listener: i gets a new number. What the ranges say of it
// is mended by Intervals.HandleMove.
func (x *Indexes) Moved(i mir.InstrID) { x.Created(i) }

// Replace makes to, which stands where from did or is about to, take from's
// number; from has none then. Ranges stay true when both define and read the same.
func (x *Indexes) Replace(from, to mir.InstrID) {
	at := x.Of(from)
	if at == 0 {
		return
	}
	for n := int(to) + 1 - len(x.of); n > 0; n-- {
		x.of, x.next = append(x.of, 0), append(x.next, 0)
	}
	if x.of[to] != 0 {
		x.drop(to)
	}
	if x.of[from] != 0 {
		x.drop(from)
	}
	x.put(to, at)
}

func (x *Indexes) rowFor(at Index) int {
	k, _ := slices.BinarySearchFunc(x.order, at, func(s blockStart, at Index) int {
		return int(int64(s.at) - int64(at))
	})
	return k
}

// RemoveBlock forgets block b, whose instructions are gone: its stretch belongs
// to the block before it.
func (x *Indexes) RemoveBlock(b mir.BlockID) {
	k := x.rowFor(x.start[b])
	if k < len(x.order) && x.order[k].b == b {
		x.order = slices.Delete(x.order, k, k+1)
		before := mir.BlockID(0)
		switch {
		case k > 0:
			before = x.order[k-1].b
		case len(x.order) > 0:
			before = x.order[0].b
		}
		for n := x.start[b] >> x.shift; int(n) < len(x.inBlock) && x.inBlock[n] == b; n++ {
			x.inBlock[n] = before
		}
	}
	x.start[b] = 0
	x.layout++
}

// AppendIndex appends at as LLVM writes it: the number and the slot's letter.
func (x *Indexes) AppendIndex(buf []byte, at Index) []byte {
	if at == 0 {
		return append(buf, "invalid"...)
	}
	n := int64(at.Base()-Index(1)<<x.shift) >> (x.shift - minShift)
	return append(strconv.AppendInt(buf, n, 10), "Berd"[at.Slot()])
}

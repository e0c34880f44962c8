package sched

import (
	"math/bits"
	"slices"

	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// An access that stands before another one by way of a third needs no edge to it. What
// accesses reach is kept in sets of bits, and those that they do not reach yet are looked at
// from the nearest on, so that a row of stores that may all touch the same has one edge each.
// Releasing nodes from the bottom is the same with and without these edges: what such an edge
// leads to has its place before what is between.

// reachSlots is how many accesses have bits, for each that is told apart; then they are
// numbered anew, and what they reach is forgotten.
const reachSlots = 3

// Accesses of up to smallAccess bytes of the same base are found by the stretches of
// bucketBytes that they touch: those of other stretches are not compared.
const (
	smallAccess = 64
	bucketShift = 5
)

// memoryReach are the sets. A set is a row of words, by its number times stride.
type memoryReach struct {
	on     bool
	stride int32
	words  []uint64
	used   int32 // sets
	slots  int32
	nodeAt []int32 // by slot
	slotOf []int32 // by node
	// Sets by slot: what the access stands before at all, and by a cycle or more.
	any, late []int32
	// sorts are all accesses of the lists of a sort.
	sorts [numLists]int32
	// buckets are found by base and stretch, or by base alone: open addressing.
	buckets []bucketSlot
	filled  int
	epoch   uint32
	skip    []uint64 // what the node that is looked at does not touch
	list    []int32
}

// bucketSlot is the set of the accesses of one base in one stretch, or of all of
// the base (wholeBase).
type bucketSlot struct {
	base  object
	part  int64
	epoch uint32
	set   int32
}

const wholeBase = -1 << 63

func (r *memoryReach) begin(on bool, instrs, most int) {
	r.on = on
	if !on {
		return
	}
	r.stride = int32(min(instrs, reachSlots*most)+63) / 64
	r.slotOf = rows.AtLeast(r.slotOf, instrs)
	r.forget()
}

// forget empties all sets.
func (r *memoryReach) forget() {
	r.slots, r.used, r.filled = 0, 0, 0
	r.nodeAt, r.any, r.late = r.nodeAt[:0], r.any[:0], r.late[:0]
	r.epoch++
	for sort := range r.sorts {
		r.sorts[sort] = r.newSet()
	}
}

// newSet makes an empty set.
func (r *memoryReach) newSet() int32 {
	n := r.used
	r.used++
	r.words = rows.AtLeast(r.words, int(r.used*r.stride))
	clear(r.set(n))
	return n
}

func (r *memoryReach) set(n int32) []uint64 { return r.words[n*r.stride : (n+1)*r.stride] }

func (r *memoryReach) put(set, slot int32) { r.words[set*r.stride+slot>>6] |= 1 << (slot & 63) }

func (r *memoryReach) drop(set, slot int32) { r.words[set*r.stride+slot>>6] &^= 1 << (slot & 63) }

// full reports that there is no slot for another access.
func (r *memoryReach) full() bool { return r.slots == r.stride*64 }

// newSlot gives node n the next slot.
func (r *memoryReach) newSlot(n int32) {
	r.slotOf[n] = r.slots
	r.slots++
	r.nodeAt = append(r.nodeAt, n)
	r.any, r.late = append(r.any, r.newSet()), append(r.late, r.newSet())
}

// bucket finds the set of a stretch; -1 when there is none and make is not set.
func (r *memoryReach) bucket(base object, part int64, make bool) int32 {
	if 2*r.filled >= len(r.buckets) {
		r.grow()
	}
	for h := bucketHash(base, part); ; h++ {
		s := &r.buckets[h&uint64(len(r.buckets)-1)]
		if s.epoch != r.epoch {
			if !make {
				return -1
			}
			r.filled++
			*s = bucketSlot{base, part, r.epoch, r.newSet()}
			return s.set
		}
		if s.base == base && s.part == part {
			return s.set
		}
	}
}

func bucketHash(base object, part int64) uint64 {
	h := (uint64(base) ^ uint64(part)<<32 ^ uint64(part)>>32) * 0x9e3779b97f4a7c15
	return h>>32 ^ h
}

func (r *memoryReach) grow() {
	old := r.buckets
	r.buckets = make([]bucketSlot, max(64, 2*len(old)))
	for _, s := range old {
		if s.epoch != r.epoch {
			continue
		}
		h := bucketHash(s.base, s.part)
		for r.buckets[h&uint64(len(r.buckets)-1)].epoch == r.epoch {
			h++
		}
		r.buckets[h&uint64(len(r.buckets)-1)] = s
	}
}

// smallPlace is where instruction i touches memory, when that is all by one
// access of few bytes at a known distance from its base.
func smallPlace(f *mir.Function, i mir.InstrID) (base object, first, last int64, ok bool) {
	if f.NumMem(i) != 1 {
		return 0, 0, 0, false
	}
	m := f.MemOf(i, 0)
	if m.ScalableSize || m.Size == mir.UnknownSize || m.Size < 1 || m.Size > smallAccess || m.PtrKind == mir.PtrNone || m.PtrKind == mir.PtrUnknownValue {
		return 0, 0, 0, false
	}
	return object(m.PtrKind)<<32 | object(m.Ptr), m.Offset >> bucketShift, (m.Offset + m.Size - 1) >> bucketShift, true
}

// enter gives an access its slot and finds those that it is known not to touch.
func (r *memoryReach) enter(f *mir.Function, n int32, i mir.InstrID) {
	r.newSlot(n)
	r.skip = r.skip[:0]
	if r.stride == 1 {
		return // few are compared faster than found
	}
	base, first, last, ok := smallPlace(f, i)
	if !ok {
		return
	}
	slot := r.slotOf[n]
	whole := r.bucket(base, wholeBase, true)
	r.skip = append(r.skip, r.set(whole)...)
	r.put(whole, slot)
	for p := first; p <= last; p++ {
		part := r.bucket(base, p, true)
		for w, x := range r.set(part) {
			r.skip[w] &^= x
		}
		r.put(part, slot)
	}
}

// beforeSet puts node n before those of a set that it may touch and does not reach yet.
func (b *builder) beforeSet(n, set, latency int32) {
	r := &b.mem.reach
	i, me := b.g.nodes[n].instr, r.slotOf[n]
	have := r.set(r.any[me])
	if latency > 0 {
		have = r.set(r.late[me])
	}
	in := r.set(set)
	// The node itself may be in the set.
	was := have[me>>6]
	have[me>>6] |= 1 << (me & 63)
	for w := me >> 6; ; w-- {
		for w >= 0 && in[w]&^have[w] == 0 {
			w--
		}
		if w < 0 {
			break
		}
		left := in[w] &^ have[w]
		if len(r.skip) > 0 {
			left &^= r.skip[w]
		}
		for ; left != 0; left &^= have[w] {
			bit := int32(bits.Len64(left) - 1)
			left &^= 1 << bit
			if k := r.nodeAt[w<<6+bit]; b.memory.MayAlias(i, b.g.nodes[k].instr) {
				b.g.add(n, k, memoryEdge, 0, latency)
				r.join(me, w<<6+bit, latency)
			}
		}
	}
	have[me>>6] &^= 1 << (me & 63) &^ was
}

// join takes in that the access of a slot stands before another one.
func (r *memoryReach) join(slot, other, latency int32) {
	any, late := r.set(r.any[slot]), r.set(r.late[slot])
	further := r.set(r.late[other])
	if latency > 0 {
		further = r.set(r.any[other])
		r.put(r.late[slot], other)
	}
	for w := range other>>6 + 1 {
		any[w] |= r.words[r.any[other]*r.stride+w]
		late[w] |= further[w]
	}
	r.put(r.any[slot], other)
}

// renumber gives the accesses in the lists new slots, from the last of the region on.
func (b *builder) renumber() {
	m, r := &b.mem, &b.mem.reach
	r.forget()
	r.list = r.list[:0]
	for sort := range m.lists {
		for k := range m.lists[sort] {
			for x := m.lists[sort][k].head; x != 0; x = m.rows[x].next {
				r.list = append(r.list, -m.rows[x].node)
			}
		}
	}
	slices.Sort(r.list)
	for _, n := range slices.Compact(r.list) {
		r.enter(b.f, -n, b.g.nodes[-n].instr)
	}
	for sort := range m.lists {
		for k := range m.lists[sort] {
			l := &m.lists[sort][k]
			l.set = r.newSet()
			for x := l.head; x != 0; x = m.rows[x].next {
				slot := r.slotOf[m.rows[x].node]
				r.put(l.set, slot)
				r.put(r.sorts[sort], slot)
			}
		}
	}
}

package mir

// The instructions of a block have keys in the order of the list, with gaps, so
// that which of two comes first costs one comparison. Keys are made when a
// block is first asked; from then on an insertion takes a key from the gap that
// it falls into. When there is none, a stretch around it is spread evenly: the
// smallest that is sparse enough for its size (as in Bender, Cole, Demaine,
// Farach-Colton and Zito, "Two simplified algorithms for maintaining order in a
// list", 2002), which costs O(log n) keys an insertion over time.

const (
	// orderGap is the distance of neighbours' keys at first and at the ends.
	orderGap = 1 << 10
	orderEnd = uint64(1) << 32
	// orderDensity is how much sparser, for each doubling, a stretch must be to
	// be spread; at this 2^32 keys have room for 3 million instructions before the
	// whole block is the stretch.
	orderDensity = 1.25
)

// Before reports whether a stands before b in the block that both stand in.
func (f *Function) Before(a, b InstrID) bool { return f.OrderKey(a) < f.OrderKey(b) }

// OrderKey returns a number that compares as the place of i in its block; good
// until an instruction is put into the block.
func (f *Function) OrderKey(i InstrID) uint32 {
	in := &f.instrs[i]
	if !f.blocks[in.block].ordered {
		f.numberBlock(in.block)
	}
	return in.order
}

// numberBlock gives all instructions of b keys, around the middle.
func (f *Function) numberBlock(b BlockID) {
	n := uint64(0)
	for i := f.blocks[b].first; i != 0; i = f.instrs[i].next {
		n++
	}
	gap := min(orderGap, (orderEnd-1)/(n+1))
	f.spread(f.blocks[b].first, n, (orderEnd-n*gap)/2, gap)
	f.blocks[b].ordered = true
}

// spread gives the n instructions from first on the keys from, from+gap, …
func (f *Function) spread(first InstrID, n, from, gap uint64) {
	if gap == 0 {
		panic("mir: a block has more instructions than order keys")
	}
	for i := first; n > 0; n-- {
		f.instrs[i].order = uint32(from)
		from += gap
		i = f.instrs[i].next
		f.orderWork++
	}
}

// placeInOrder gives i, which was just linked into a block with keys, its key.
func (f *Function) placeInOrder(i InstrID) {
	in := &f.instrs[i]
	lo, hi := int64(-1), int64(orderEnd)
	if in.prev != 0 {
		lo = int64(f.instrs[in.prev].order)
	}
	if in.next != 0 {
		hi = int64(f.instrs[in.next].order)
	}
	switch {
	case hi-lo < 2:
		f.makeRoom(i)
	case in.next == 0 && in.prev == 0:
		in.order = uint32(orderEnd / 2)
	case in.next == 0 && hi-lo > orderGap:
		in.order = uint32(lo + orderGap)
	case in.prev == 0 && hi-lo > orderGap:
		in.order = uint32(hi - orderGap)
	default:
		in.order = uint32(lo + (hi-lo)/2)
	}
}

// makeRoom spreads the keys around i, whose neighbours leave none for it.
func (f *Function) makeRoom(i InstrID) {
	in := &f.instrs[i]
	if in.prev != 0 {
		in.order = f.instrs[in.prev].order
	} else {
		in.order = f.instrs[in.next].order
	}
	at, first, last, n := uint64(in.order), i, i, uint64(1)
	room := 1.0
	for size := uint64(2); ; size *= 2 {
		room *= 2 / orderDensity
		lo := at &^ (size - 1)
		hi := lo + size - 1
		for p := f.instrs[first].prev; p != 0 && uint64(f.instrs[p].order) >= lo; p = f.instrs[p].prev {
			first = p
			n++
		}
		for p := f.instrs[last].next; p != 0 && uint64(f.instrs[p].order) <= hi; p = f.instrs[p].next {
			last = p
			n++
		}
		if float64(n) <= room && size >= 2*n || size == orderEnd {
			gap := size / n
			f.spread(first, n, lo+gap/2, gap)
			return
		}
	}
}

package mir

// Block is one basic block. Blocks stand in layout order in a linked list.
type Block struct {
	first, last InstrID
	prev, next  BlockID
	// Number is N of bb.N; RenumberBlocks makes it the layout order.
	Number int32
	preds  List // BlockIDs
	succs  List // BlockIDs
	probs  List // one probability per successor (numerator of 1<<31, UnknownProb), or empty
	// LiveIns are the physical registers live into the block: indices into Function.liveIns pairs.
	liveIns List // alternating register, index into Function.LaneMasks
	// IRBlock is the ir.BlockID that the block came from, 0 none; Name an index in Function.Symbols+1 for a name without IR.
	IRBlock uint32
	Name    uint32
	Flags   BlockFlags
	// Align is log2 of the alignment; MaxBytesForAlign caps the padding.
	Align            uint8
	MaxBytesForAlign uint32
	// AddrTakenIR is the ir.BlockID of the blockaddress, 0 none.
	AddrTakenIR uint32
	SectionID   uint32
	BBID        uint32 // bb_id base + 1, 0 none
	BBIDClone   uint32
	CallFrame   int32 // call-frame-size
	IrrWeight   uint64
	HasIrr      bool
}

// First returns the first instruction of the block, 0 for none.
func (b *Block) First() InstrID { return b.first }

// Last returns the last instruction of the block, 0 for none.
func (b *Block) Last() InstrID { return b.last }

// BlockFlags are the yes-or-no attributes of a block.
type BlockFlags uint16

// Block flags.
const (
	EHPad BlockFlags = 1 << iota
	EHScopeEntry
	EHFuncletEntry
	CleanupFuncletEntry
	MachineAddrTaken
	IRAddrTaken
	InlineAsmBrTarget
	BeginSection
	EndSection
	EHContTarget
	LiveInsUntracked
)

// Section ids of a Block that stand for no number; 0 is the default section.
const (
	SectionException = ^uint32(0)
	SectionCold      = ^uint32(0) - 1
)

// UnknownProb is the probability of a successor without one.
const UnknownProb = ^uint32(0)

// ProbOne is the numerator of probability 1.
const ProbOne = uint32(1) << 31

// AddBlock adds a block at the end of the layout with the next number.
func (f *Function) AddBlock() BlockID {
	b := BlockID(len(f.blocks))
	f.blocks = append(f.blocks, Block{Number: f.nextBlockNum, prev: f.lastBlock})
	f.nextBlockNum++
	if f.lastBlock != 0 {
		f.blocks[f.lastBlock].next = b
	} else {
		f.firstBlock = b
	}
	f.lastBlock = b
	return b
}

// AddBlockAfter adds a block behind at in the layout.
func (f *Function) AddBlockAfter(at BlockID) BlockID {
	b := f.AddBlock()
	f.MoveBlockAfter(b, at)
	return b
}

// MoveBlockAfter moves b behind at in the layout; at 0 means to the front.
func (f *Function) MoveBlockAfter(b, at BlockID) {
	if b == at || f.blocks[b].prev == at && (at != 0 || f.firstBlock == b) {
		return
	}
	f.unlinkBlock(b)
	next := f.firstBlock
	if at != 0 {
		next = f.blocks[at].next
		f.blocks[at].next = b
	} else {
		f.firstBlock = b
	}
	f.blocks[b].prev, f.blocks[b].next = at, next
	if next != 0 {
		f.blocks[next].prev = b
	} else {
		f.lastBlock = b
	}
}

func (f *Function) unlinkBlock(b BlockID) {
	p, n := f.blocks[b].prev, f.blocks[b].next
	if p != 0 {
		f.blocks[p].next = n
	} else {
		f.firstBlock = n
	}
	if n != 0 {
		f.blocks[n].prev = p
	} else {
		f.lastBlock = p
	}
}

// RemoveBlock erases a block with its instructions and edges. References to it
// from instructions and jump tables are the caller's business.
func (f *Function) RemoveBlock(b BlockID) {
	for i := f.blocks[b].first; i != 0; {
		n := f.instrs[i].next
		f.Erase(i)
		i = n
	}
	for f.blocks[b].succs.n > 0 {
		f.RemoveSucc(b, BlockID(f.At(f.blocks[b].succs)[0]))
	}
	for f.blocks[b].preds.n > 0 {
		f.RemoveSucc(BlockID(f.At(f.blocks[b].preds)[0]), b)
	}
	f.unlinkBlock(b)
	f.blocks[b] = Block{Number: -1}
}

// FirstBlock returns the entry block.
func (f *Function) FirstBlock() BlockID { return f.firstBlock }

// LastBlock returns the last block of the layout.
func (f *Function) LastBlock() BlockID { return f.lastBlock }

// NextBlock returns the block behind b, 0 at the end.
func (f *Function) NextBlock(b BlockID) BlockID { return f.blocks[b].next }

// PrevBlock returns the block before b, 0 at the start.
func (f *Function) PrevBlock(b BlockID) BlockID { return f.blocks[b].prev }

// Block returns the row of b; good until a block is added.
func (f *Function) Block(b BlockID) *Block { return &f.blocks[b] }

// NumBlockIDs bounds the ids of blocks, removed ones included: what a table
// that is indexed by BlockID needs (row 0 is no block).
func (f *Function) NumBlockIDs() int { return len(f.blocks) }

// RenumberBlocks makes the blocks' numbers their layout order.
func (f *Function) RenumberBlocks() {
	f.nextBlockNum = 0
	for b := f.firstBlock; b != 0; b = f.blocks[b].next {
		f.blocks[b].Number = f.nextBlockNum
		f.nextBlockNum++
	}
}

// SetBlockNumber gives b a number, as a reader does.
func (f *Function) SetBlockNumber(b BlockID, n int32) {
	f.blocks[b].Number = n
	f.nextBlockNum = max(f.nextBlockNum, n+1)
}

// Succs returns the successors of b (as uint32 BlockIDs); good until an edge is added.
func (f *Function) Succs(b BlockID) []uint32 { return f.At(f.blocks[b].succs) }

// Preds returns the predecessors of b; good until an edge is added.
func (f *Function) Preds(b BlockID) []uint32 { return f.At(f.blocks[b].preds) }

// Probs returns the successors' probabilities, empty when none are known.
func (f *Function) Probs(b BlockID) []uint32 { return f.At(f.blocks[b].probs) }

// HasSucc reports whether s is a successor of b.
func (f *Function) HasSucc(b, s BlockID) bool {
	for _, x := range f.Succs(b) {
		if BlockID(x) == s {
			return true
		}
	}
	return false
}

// AddSucc adds an edge without probability; a block with probabilities gets UnknownProb.
func (f *Function) AddSucc(b, s BlockID) {
	if f.blocks[b].probs.n > 0 {
		f.AddSuccProb(b, s, UnknownProb)
		return
	}
	f.Push(&f.blocks[b].succs, uint32(s))
	f.Push(&f.blocks[s].preds, uint32(b))
}

// AddSuccProb adds an edge with a probability.
func (f *Function) AddSuccProb(b, s BlockID, prob uint32) {
	if f.blocks[b].probs.n == f.blocks[b].succs.n {
		f.Push(&f.blocks[b].probs, prob)
	}
	f.Push(&f.blocks[b].succs, uint32(s))
	f.Push(&f.blocks[s].preds, uint32(b))
}

// RemoveSucc removes one edge from b to s.
func (f *Function) RemoveSucc(b, s BlockID) {
	for i, x := range f.Succs(b) {
		if BlockID(x) == s {
			if f.blocks[b].probs.n > 0 {
				f.RemoveAt(&f.blocks[b].probs, i)
			}
			f.RemoveAt(&f.blocks[b].succs, i)
			break
		}
	}
	for i, x := range f.Preds(s) {
		if BlockID(x) == b {
			f.RemoveAt(&f.blocks[s].preds, i)
			break
		}
	}
}

// ReplaceSucc redirects the edge from b to old to new, merging with an edge
// that is there already (probabilities are added). PHIs are not touched.
func (f *Function) ReplaceSucc(b, old, new BlockID) {
	if old == new {
		return
	}
	oi, ni := -1, -1
	for i, x := range f.Succs(b) {
		switch BlockID(x) {
		case old:
			oi = i
		case new:
			ni = i
		}
	}
	if oi < 0 {
		return
	}
	if ni >= 0 {
		if p := f.Probs(b); len(p) > 0 && p[oi] != UnknownProb && p[ni] != UnknownProb {
			p[ni] = min(p[ni]+p[oi], ProbOne)
		}
		f.RemoveSucc(b, old)
		return
	}
	f.Succs(b)[oi] = uint32(new)
	for i, x := range f.Preds(old) {
		if BlockID(x) == b {
			f.RemoveAt(&f.blocks[old].preds, i)
			break
		}
	}
	f.Push(&f.blocks[new].preds, uint32(b))
}

// TransferSuccs moves all successors of from to to (to must have none of them
// yet) and makes PHIs of the successors name to instead of from.
func (f *Function) TransferSuccs(from, to BlockID) {
	for f.blocks[from].succs.n > 0 {
		s := BlockID(f.Succs(from)[0])
		prob, has := UnknownProb, false
		if p := f.Probs(from); len(p) > 0 {
			prob, has = p[0], true
		}
		f.RemoveSucc(from, s)
		if has {
			f.AddSuccProb(to, s, prob)
		} else {
			f.AddSucc(to, s)
		}
		f.ReplacePhiPred(s, from, to)
	}
}

// ReplacePhiPred makes the PHIs of b that name predecessor old name new.
func (f *Function) ReplacePhiPred(b, old, new BlockID) {
	for i := f.blocks[b].first; i != 0 && f.IsPHI(i); i = f.instrs[i].next {
		ops := f.Ops(i)
		for k := 2; k < len(ops); k += 2 {
			if ops[k].Block() == old {
				ops[k].SetBlock(new)
			}
		}
	}
}

// LiveIn is one register live into a block with the lanes that are.
type LiveIn struct {
	Reg  Reg
	Mask uint64 // AllLanes for the whole register
}

// AllLanes is the lane mask of a whole register.
const AllLanes = ^uint64(0)

// AddLiveIn adds a register to a block's live-ins.
func (f *Function) AddLiveIn(b BlockID, r Reg, mask uint64) {
	l := f.blocks[b].liveIns
	f.Push(&l, uint32(r))
	f.Push(&l, uint32(mask>>32))
	f.Push(&l, uint32(mask))
	f.blocks[b].liveIns = l
}

// NumLiveIns returns the number of live-ins of b.
func (f *Function) NumLiveIns(b BlockID) int { return f.blocks[b].liveIns.Len() / 3 }

// LiveInAt returns live-in n of b.
func (f *Function) LiveInAt(b BlockID, n int) LiveIn {
	s := f.At(f.blocks[b].liveIns)[3*n:]
	return LiveIn{Reg(s[0]), uint64(s[1])<<32 | uint64(s[2])}
}

// IsLiveIn reports whether register r itself is listed as live into b.
func (f *Function) IsLiveIn(b BlockID, r Reg) bool {
	for n := range f.NumLiveIns(b) {
		if f.LiveInAt(b, n).Reg == r {
			return true
		}
	}
	return false
}

// ClearLiveIns removes all live-ins of b.
func (f *Function) ClearLiveIns(b BlockID) { f.blocks[b].liveIns.n = 0 }

// Append puts instruction i at the end of block b.
func (f *Function) Append(b BlockID, i InstrID) {
	blk := &f.blocks[b]
	in := &f.instrs[i]
	in.block, in.prev, in.next = b, blk.last, 0
	if blk.last != 0 {
		f.instrs[blk.last].next = i
	} else {
		blk.first = i
	}
	blk.last = i
}

// InsertBefore puts instruction i before at, or at the end of b when at is 0.
func (f *Function) InsertBefore(b BlockID, at, i InstrID) {
	if at == 0 {
		f.Append(b, i)
		return
	}
	in, x := &f.instrs[i], &f.instrs[at]
	in.block, in.prev, in.next = b, x.prev, at
	if x.prev != 0 {
		f.instrs[x.prev].next = i
	} else {
		f.blocks[b].first = i
	}
	x.prev = i
}

// InsertAfter puts instruction i behind at, or at the front of b when at is 0.
func (f *Function) InsertAfter(b BlockID, at, i InstrID) {
	if at == 0 {
		f.InsertBefore(b, f.blocks[b].first, i)
		return
	}
	f.InsertBefore(b, f.instrs[at].next, i)
}

// Remove takes an instruction out of its block without freeing it.
func (f *Function) Remove(i InstrID) {
	in := &f.instrs[i]
	b := in.block
	if in.prev != 0 {
		f.instrs[in.prev].next = in.next
	} else {
		f.blocks[b].first = in.next
	}
	if in.next != 0 {
		f.instrs[in.next].prev = in.prev
	} else {
		f.blocks[b].last = in.prev
	}
	in.block, in.prev, in.next = 0, 0, 0
}

// Splice moves first and the instructions behind it to the end of block to.
func (f *Function) Splice(to BlockID, first InstrID) {
	for i := first; i != 0; {
		n := f.instrs[i].next
		f.Remove(i)
		f.Append(to, i)
		i = n
	}
}

// SuccProb returns the probability of successor n of b: an unknown one shares
// with the other unknown ones what the known ones leave.
func (f *Function) SuccProb(b BlockID, n int) uint32 {
	probs := f.Probs(b)
	if len(probs) == 0 {
		k := uint64(f.blocks[b].succs.Len())
		return uint32((uint64(ProbOne) + k/2) / k)
	}
	if probs[n] != UnknownProb {
		return probs[n]
	}
	known, sum := 0, uint64(0)
	for _, p := range probs {
		if p != UnknownProb {
			known++
			sum = min(sum+uint64(p), uint64(ProbOne))
		}
	}
	return (ProbOne - uint32(sum)) / uint32(len(probs)-known)
}

// NormalizeProbs scales probabilities (numerators of 1<<31) so that their sum is one; unknown ones get what is left.
func NormalizeProbs(probs []uint32) {
	sum, unknown := uint64(0), uint64(0)
	for _, p := range probs {
		if p == UnknownProb {
			unknown++
		} else {
			sum += uint64(p)
		}
	}
	if unknown > 0 {
		each := uint64(0)
		if sum < uint64(ProbOne) {
			each = (uint64(ProbOne) - sum) / unknown
		}
		for i := range probs {
			if probs[i] == UnknownProb {
				probs[i] = uint32(each)
			}
		}
		if sum <= uint64(ProbOne) {
			return
		}
	}
	if sum == 0 {
		k := uint64(len(probs))
		for i := range probs {
			probs[i] = uint32((uint64(ProbOne) + k/2) / k)
		}
		return
	}
	for i := range probs {
		probs[i] = uint32((uint64(probs[i])*uint64(ProbOne) + sum/2) / sum)
	}
}

// CanPredictProbs reports whether the probabilities of b's successors are
// those that a block without any would have.
func (f *Function) CanPredictProbs(b BlockID) bool {
	probs := f.Probs(b)
	if f.blocks[b].succs.Len() <= 1 || len(probs) == 0 {
		return true
	}
	var buf, equalBuf [16]uint32
	norm, equal := append(buf[:0], probs...), equalBuf[:0]
	for range probs {
		equal = append(equal, UnknownProb)
	}
	NormalizeProbs(norm)
	NormalizeProbs(equal)
	for i := range norm {
		if norm[i] != equal[i] {
			return false
		}
	}
	return true
}

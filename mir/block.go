package mir

import (
	"cmp"
	"slices"
)

// Block is one basic block. Blocks stand in layout order in a linked list.
type Block struct {
	first, last InstrID
	prev, next  BlockID
	// Number is N of bb.N; RenumberBlocks makes it the layout order.
	Number int32
	succs  edgeRun
	preds  edgeRun
	// liveIns are the physical registers live into the block, in Function.liveIns.
	liveIns run
	// IRBlock is the ir.BlockID that the block came from, 0 none; Name an index in Function.Symbols+1 for a name without IR.
	IRBlock uint32
	Name    uint32
	Flags   BlockFlags
	// hasProbs says that the edges were added with probabilities.
	hasProbs bool
	// ordered says that the instructions have keys, see Before.
	ordered bool
	// Align is log2 of the alignment; MaxBytesForAlign caps the padding.
	Align            uint8
	MaxBytesForAlign uint32
	// AddrTakenIR is the ir.BlockID of the blockaddress, 0 none.
	AddrTakenIR uint32
	SectionID   uint32
	BBID        uint32 // bb_id base + 1, 0 none
	BBIDClone   uint32
	CallFrame   int32 // call-frame-size
}

// First returns the first instruction of the block, 0 for none.
func (b *Block) First() InstrID { return b.first }

// AddressTaken reports that the address of the block is somewhere in data or code.
func (b *Block) AddressTaken() bool {
	return b.Flags&(MachineAddrTaken|IRAddrTaken) != 0 || b.AddrTakenIR != 0
}

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

// AddBlock adds a block at the end of the layout with the next number.
func (f *Function) AddBlock() BlockID {
	f.cfgEdits++
	b := BlockID(checkedLen(len(f.blocks)))
	f.blocks = push(f.blocks, Block{Number: f.nextBlockNum, prev: f.lastBlock})
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
	f.cfgEdits++
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
	f.removeEdges(b)
	f.liveIns.release(&f.blocks[b].liveIns)
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

// LiveIn is one register live into a block with the lanes that are.
type LiveIn struct {
	Reg  Reg
	Mask uint64 // AllLanes for the whole register
}

// AllLanes is the lane mask of a whole register.
const AllLanes = ^uint64(0)

// NumLiveIns returns the number of live-ins.
func (b *Block) NumLiveIns() int { return int(b.liveIns.n) }

// AddLiveIn adds a register to a block's live-ins.
func (f *Function) AddLiveIn(b BlockID, r Reg, mask uint64) {
	f.liveIns.push(&f.blocks[b].liveIns, LiveIn{r, mask})
}

// LiveInsOf returns the live-ins of b; good until one is added anywhere.
func (f *Function) LiveInsOf(b BlockID) []LiveIn { return f.liveIns.of(f.blocks[b].liveIns) }

// IsLiveIn reports whether register r itself is listed as live into b.
func (f *Function) IsLiveIn(b BlockID, r Reg) bool {
	for _, l := range f.LiveInsOf(b) {
		if l.Reg == r {
			return true
		}
	}
	return false
}

// SortLiveIns puts the live-ins of b in the order of their registers and makes
// those of one register one.
func (f *Function) SortLiveIns(b BlockID) {
	l := f.LiveInsOf(b)
	slices.SortFunc(l, func(x, y LiveIn) int { return cmp.Compare(x.Reg, y.Reg) })
	n := 0
	for k := range l {
		if n > 0 && l[n-1].Reg == l[k].Reg {
			l[n-1].Mask |= l[k].Mask
			continue
		}
		l[n] = l[k]
		n++
	}
	f.blocks[b].liveIns.n = uint32(n)
}

// RemoveLiveIn removes r from the live-ins of b.
func (f *Function) RemoveLiveIn(b BlockID, r Reg) {
	was := append([]LiveIn(nil), f.LiveInsOf(b)...)
	f.ClearLiveIns(b)
	for _, l := range was {
		if l.Reg != r {
			f.AddLiveIn(b, l.Reg, l.Mask)
		}
	}
}

// ClearLiveIns removes all live-ins of b.
func (f *Function) ClearLiveIns(b BlockID) { f.blocks[b].liveIns.n = 0 }

// Append puts instruction i at the end of block b.
func (f *Function) Append(b BlockID, i InstrID) { f.InsertBefore(b, 0, i) }

// InsertBefore puts instruction i, which stands in no block, before at, or at
// the end of b when at is 0.
func (f *Function) InsertBefore(b BlockID, at, i InstrID) {
	f.linkInstr(b, at, i)
	if len(f.listeners) > 0 {
		f.tellCreated(i)
	}
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
	if len(f.listeners) > 0 {
		f.tellErased(i)
	}
	f.unlinkInstr(i)
}

// Move takes instruction i from where it stands and puts it before at, or at
// the end of b when at is 0. Its bundle stays behind; see MoveBundle.
func (f *Function) Move(b BlockID, at, i InstrID) {
	if at == i {
		return
	}
	f.unlinkInstr(i)
	f.linkInstr(b, at, i)
	if len(f.listeners) > 0 {
		f.tellMoved(i)
	}
}

// Splice moves first and the instructions behind it to the end of block to.
func (f *Function) Splice(to BlockID, first InstrID) {
	if f.instrs[first].block == to {
		return
	}
	for i := first; i != 0; {
		next := f.NextBundle(i)
		f.MoveBundle(to, 0, i)
		i = next
	}
}

func (f *Function) linkInstr(b BlockID, at, i InstrID) {
	blk, in := &f.blocks[b], &f.instrs[i]
	prev := blk.last
	if at != 0 {
		x := &f.instrs[at]
		prev = x.prev
		x.prev = i
		in.flags |= x.flags & BundledPred
	} else {
		blk.last = i
	}
	if prev != 0 {
		p := &f.instrs[prev]
		p.next = i
		in.flags |= p.flags & BundledSucc
	} else {
		blk.first = i
	}
	in.block, in.prev, in.next = b, prev, at
	if blk.ordered {
		f.placeInOrder(i)
	}
}

func (f *Function) unlinkInstr(i InstrID) {
	in := &f.instrs[i]
	blk := &f.blocks[in.block]
	if in.prev != 0 {
		p := &f.instrs[in.prev]
		p.next = in.next
		if in.flags&BundledSucc == 0 {
			p.flags &^= BundledSucc
		}
	} else {
		blk.first = in.next
	}
	if in.next != 0 {
		n := &f.instrs[in.next]
		n.prev = in.prev
		if in.flags&BundledPred == 0 {
			n.flags &^= BundledPred
		}
	} else {
		blk.last = in.prev
	}
	in.block, in.prev, in.next = 0, 0, 0
	in.flags &^= BundledPred | BundledSucc
}

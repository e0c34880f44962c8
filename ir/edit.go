package ir

import (
	"iter"
	"slices"
)

// The edits of this file keep the index of uses, the PHIs and the debug records
// of a body right. They make the index when it is not there.

// Erase takes instruction i, whose result nothing uses, out of the body. Debug
// records that stood before it stand before what follows; those that describe
// its result say that the value is gone.
func (f *Function) Erase(i InstrID) {
	f.IndexUses()
	if n := f.NumUses(Local(i)); n > 0 {
		panic("ir: Erase of an instruction that has uses")
	}
	f.replaceInRecords(Local(i), 0)
	f.passRecordsOn(i)
	f.Remove(i)
}

// EraseWithOperands erases i and, after it, every instruction that only i kept
// alive and that does nothing but give its result.
func (f *Function) EraseWithOperands(i InstrID) {
	work := []InstrID{i}
	for len(work) > 0 {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		if f.Instrs[i].Block == 0 || f.HasUses(Local(i)) {
			continue
		}
		for _, v := range f.Ops(i) {
			if d := v.Instr(); d != 0 && f.Instrs[d].Op != OpArgument && f.Instrs[d].isPure() {
				work = append(work, d)
			}
		}
		f.Erase(i)
	}
}

// isPure reports instructions that only compute a value.
func (in *Instr) isPure() bool {
	switch {
	case in.Op >= OpFNeg && in.Op <= OpXor, in.Op >= OpTrunc && in.Op <= OpSelect:
		return true
	}
	switch in.Op {
	case OpGEP, OpAlloca, OpExtractElement, OpInsertElement, OpShuffleVector, OpExtractValue, OpInsertValue, OpFreeze:
		return true
	case OpLoad:
		return in.Flags&Volatile == 0 && in.Order == NotAtomic
	}
	return false
}

// passRecordsOn gives the debug records before i to what follows it.
func (f *Function) passRecordsOn(i InstrID) {
	head := f.Instrs[i].Records
	if head == 0 {
		return
	}
	f.Instrs[i].Records = 0
	at := &f.Blocks[f.Instrs[i].Block].Records
	if n := f.Instrs[i].Next; n != 0 {
		at = &f.Instrs[n].Records
	}
	last := head
	for f.DbgRecords[last].Next != 0 {
		last = f.DbgRecords[last].Next
	}
	f.DbgRecords[last].Next, *at = *at, head
}

// MoveBefore moves instruction i, without debug records that stand before it, in front of at.
func (f *Function) MoveBefore(i, at InstrID) {
	if i == at {
		return
	}
	f.passRecordsOn(i)
	f.detach(i)
	f.place(i, f.Instrs[at].Block, at)
}

// MoveToEnd moves instruction i, without debug records that stand before it, to the end of block b.
func (f *Function) MoveToEnd(i InstrID, b BlockID) {
	f.passRecordsOn(i)
	f.detach(i)
	f.place(i, b, 0)
}

// Succs goes through the destinations of b's terminator with the number of the
// operand that names each, in order; one may come several times.
func (f *Function) Succs(b BlockID) iter.Seq2[int, BlockID] {
	return func(yield func(int, BlockID) bool) {
		t := f.Terminator(b)
		if t == 0 || !f.Instrs[t].Op.IsTerminator() {
			return
		}
		for n, v := range f.Ops(t) {
			if s := v.Block(); s != 0 && !yield(n, s) {
				return
			}
		}
	}
}

// Preds goes through the edges into b: the terminator and the number of the
// operand that names b; a terminator may come several times.
func (f *Function) Preds(b BlockID) iter.Seq[Use] {
	return func(yield func(Use) bool) {
		for u := range f.Uses(BlockVal(b)) {
			if f.Instrs[u.I].Op.IsTerminator() && !yield(u) {
				return
			}
		}
	}
}

// HasPreds reports whether an edge leads into b.
func (f *Function) HasPreds(b BlockID) bool {
	for range f.Preds(b) {
		return true
	}
	return false
}

// numEdges counts the edges from b to s.
func (f *Function) numEdges(b, s BlockID) int {
	n := 0
	for _, x := range f.Succs(b) {
		if x == s {
			n++
		}
	}
	return n
}

// Phis goes through the PHIs at the start of b. The one that was just given may be erased.
func (f *Function) Phis(b BlockID) iter.Seq[InstrID] {
	return func(yield func(InstrID) bool) {
		for i := f.Blocks[b].First; i != 0 && f.Instrs[i].Op == OpPhi; {
			next := f.Instrs[i].Next
			if !yield(i) {
				return
			}
			i = next
		}
	}
}

// Incoming returns the value of a PHI on the way from a block, 0 when it has none.
func (f *Function) Incoming(phi InstrID, from BlockID) Value {
	ops := f.Ops(phi)
	for k := 0; k+1 < len(ops); k += 2 {
		if ops[k+1] == BlockVal(from) {
			return ops[k]
		}
	}
	return 0
}

// removeIncoming takes up to n values on the way from a block out of a PHI.
func (f *Function) removeIncoming(phi InstrID, from BlockID, n int) {
	old := f.Ops(phi)
	ops := make([]Value, 0, len(old))
	for k := 0; k+1 < len(old); k += 2 {
		if n > 0 && old[k+1] == BlockVal(from) {
			n--
			continue
		}
		ops = append(ops, old[k], old[k+1])
	}
	f.SetOps(phi, ops)
}

// AddBlockAfter adds a block that stands behind at in the order of blocks.
func (f *Function) AddBlockAfter(at BlockID, name string) BlockID {
	b := f.AddBlock(name)
	k := len(f.Order) - 1
	for k > 0 && f.Order[k-1] != at {
		k--
	}
	copy(f.Order[k+1:], f.Order[k:])
	f.Order[k] = b
	return b
}

// SplitBlock moves at and what follows it into a new block behind at's, to
// which the old one then branches, and returns the new block. PHIs of the
// successors name it in the old one's place. at is no PHI.
func (f *Function) SplitBlock(at InstrID, name string) BlockID {
	f.IndexUses()
	b := f.Instrs[at].Block
	n := f.AddBlockAfter(b, name)
	f.renameIncoming(b, n)
	old, blk := &f.Blocks[b], &f.Blocks[n]
	blk.First, blk.Last, blk.Records = at, old.Last, old.Records
	old.Last, old.Records = f.Instrs[at].Prev, 0
	if old.Last != 0 {
		f.Instrs[old.Last].Next = 0
	} else {
		old.First = 0
	}
	f.Instrs[at].Prev = 0
	for i := at; i != 0; i = f.Instrs[i].Next {
		f.Instrs[i].Block = n
	}
	f.AppendOps(b, &Instr{Op: OpBr, Type: Void, Loc: f.Instrs[at].Loc}, []Value{BlockVal(n)})
	return n
}

// renameIncoming makes the PHIs of b's successors name n in b's place.
func (f *Function) renameIncoming(b, n BlockID) {
	for u := range f.Uses(BlockVal(b)) {
		if u.N >= 0 && f.Instrs[u.I].Op == OpPhi {
			f.SetOp(u.I, u.N, BlockVal(n))
		}
	}
}

// SplitEdge puts a new block on the edge that operand n of terminator t is, and returns it.
func (f *Function) SplitEdge(t InstrID, n int, name string) BlockID {
	f.IndexUses()
	from, to := f.Instrs[t].Block, f.Op(t, n).Block()
	several := f.numEdges(from, to) > 1
	mid := f.AddBlockAfter(from, name)
	f.AppendOps(mid, &Instr{Op: OpBr, Type: Void, Loc: f.Instrs[t].Loc}, []Value{BlockVal(to)})
	f.SetOp(t, n, BlockVal(mid))
	for phi := range f.Phis(to) {
		// Of several edges each has an entry of its own: one of them moves.
		ops := f.Ops(phi)
		for k := 1; k < len(ops); k += 2 {
			if ops[k] == BlockVal(from) {
				f.SetOp(phi, k, BlockVal(mid))
				if several {
					break
				}
			}
		}
	}
	return mid
}

// SetSucc makes the edge that operand n of terminator t is lead to another
// block. PHIs of the block it led to lose its value; those of the other one get
// what incoming gives for each; nil stands for a block without PHIs, or whose
// PHIs have a value for t's block, which then counts for this edge too.
func (f *Function) SetSucc(t InstrID, n int, to BlockID, incoming func(phi InstrID) Value) {
	f.IndexUses()
	from, old := f.Instrs[t].Block, f.Op(t, n).Block()
	if old == to {
		return
	}
	f.SetOp(t, n, BlockVal(to))
	// What incoming gives may be what the PHIs of the old block still have.
	for phi := range f.Phis(to) {
		v := f.Incoming(phi, from)
		if v == 0 {
			v = incoming(phi)
		}
		f.AddOps(phi, v, BlockVal(from))
	}
	for phi := range f.Phis(old) {
		f.removeIncoming(phi, from, 1)
	}
}

// SetTerminator replaces the terminator of b, or adds one to a block without.
// PHIs of blocks that are no successors any more lose their values for b. New
// successors must have no PHIs, or the caller gives these their values.
func (f *Function) SetTerminator(b BlockID, in Instr, ops ...Value) InstrID {
	f.IndexUses()
	before := map[BlockID]int{}
	var order []BlockID
	for _, s := range f.Succs(b) {
		if before[s]++; before[s] == 1 {
			order = append(order, s)
		}
	}
	if t := f.Terminator(b); t != 0 && f.Instrs[t].Op.IsTerminator() {
		if f.HasUses(Local(t)) {
			f.ReplaceAllUses(Local(t), ConstVal(f.Consts.Plain(ConstPoison, f.Instrs[t].Type)))
		}
		f.Erase(t)
	}
	id := f.AppendOps(b, &in, ops)
	if f.Blocks[b].Records != 0 { // records at the end stand before the new one
		f.Instrs[id].Records, f.Blocks[b].Records = f.Blocks[b].Records, 0
	}
	for _, s := range order {
		if gone := before[s] - f.numEdges(b, s); gone > 0 {
			for phi := range f.Phis(s) {
				f.removeIncoming(phi, b, gone)
			}
		}
	}
	return id
}

// RemoveBlock takes block b, into which no edge leads, out of the body. PHIs of
// its successors lose their values for it; uses of its values elsewhere become
// poison. b is not the entry block, and its address must not be taken.
func (f *Function) RemoveBlock(b BlockID) {
	f.ClearBlock(b)
	for k, x := range f.Order {
		if x == b {
			f.Order = append(f.Order[:k], f.Order[k+1:]...)
			break
		}
	}
}

// DropClearedBlocks takes the blocks that ClearBlock has emptied out of the
// body, all at once.
func (f *Function) DropClearedBlocks() {
	f.Order = slices.DeleteFunc(f.Order, func(b BlockID) bool { return f.Blocks[b].First == 0 })
}

// ClearBlock is RemoveBlock, but that the block, without any instruction, stays
// in the order until DropClearedBlocks.
func (f *Function) ClearBlock(b BlockID) {
	f.IndexUses()
	if f.Order[0] == b {
		panic("ir: RemoveBlock of the entry block")
	}
	for u := range f.Preds(b) {
		if f.Instrs[u.I].Block != b {
			panic("ir: RemoveBlock of a block that has predecessors")
		}
	}
	seen := map[BlockID]bool{b: true}
	for _, s := range f.Succs(b) {
		if !seen[s] {
			seen[s] = true
			for phi := range f.Phis(s) {
				f.removeIncoming(phi, b, f.numEdges(b, s))
			}
		}
	}
	for i := f.Blocks[b].Last; i != 0; i = f.Blocks[b].Last {
		if v := Local(i); f.HasUses(v) {
			f.ReplaceAllUses(v, ConstVal(f.Consts.Plain(ConstPoison, f.Instrs[i].Type)))
		}
		f.Instrs[i].Records = 0
		f.Erase(i)
	}
	f.Blocks[b].Records = 0
}

// MergeIntoPred appends block b to its only predecessor, which has b as its
// only successor, and reports whether that was so.
func (f *Function) MergeIntoPred(b BlockID) bool {
	f.IndexUses()
	var edge Use
	for u := range f.Preds(b) {
		if edge.I != 0 {
			return false
		}
		edge = u
	}
	if edge.I == 0 || f.NumOps(edge.I) != 1 || f.Instrs[edge.I].Op != OpBr || f.Instrs[edge.I].Block == b || f.Order[0] == b {
		return false
	}
	p := f.Instrs[edge.I].Block
	for phi := range f.Phis(b) {
		f.ReplaceAllUses(Local(phi), f.Op(phi, 0))
		f.Erase(phi)
	}
	f.Erase(edge.I)
	pending := f.Blocks[p].Records // of the branch
	f.Blocks[p].Records = 0
	for i := f.Blocks[b].First; i != 0; i = f.Blocks[b].First {
		f.detach(i)
		f.place(i, p, 0)
		if pending != 0 {
			last := pending
			for f.DbgRecords[last].Next != 0 {
				last = f.DbgRecords[last].Next
			}
			f.DbgRecords[last].Next, f.Instrs[i].Records = f.Instrs[i].Records, pending
			pending = 0
		}
	}
	f.renameIncoming(b, p)
	f.RemoveBlock(b)
	return true
}

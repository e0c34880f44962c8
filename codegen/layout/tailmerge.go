package layout

import (
	"cmp"
	"slices"

	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
	"github.com/mirin-go/mirin/target"
)

// Tail merging makes equal ends of blocks one: of blocks without successors, and
// of the predecessors of each block, which are stripped of their branches to it
// while they are compared.

// potential is a block whose end may equal that of another.
type potential struct {
	hash  uint32 // of its last instruction
	tail  uint32 // of as many as two blocks must share in most cases
	block mir.BlockID
	loc   mir.DebugLoc // of its branches
	// key is a number that blocks with equal last instructions share before branches are
	// stripped off: see endKey.
	key uint64
	end mir.InstrID // the last instruction then, 0 for none
	// br are the branches that are to be stripped off, but for one that stays in front of
	// them; asIs says that to put them back leaves the block as it is.
	br   target.Branch
	asIs bool
	// cfa is the offset of the canonical frame address at its end, where that is known.
	cfa int64
}

// sameTail is one of the blocks that share a tail.
type sameTail struct {
	at    int // in potentials
	block mir.BlockID
	start mir.InstrID
}

// counts reports an instruction that tails are compared by.
func (p *folder) counts(i mir.InstrID) bool {
	return !p.f.IsDebugInstr(i) && p.f.Instr(i).Opcode != desc.CFI_INSTRUCTION
}

// back returns the instruction from i backwards that counts, 0 for none.
func (p *folder) back(i mir.InstrID) mir.InstrID {
	for i != 0 && !p.counts(i) {
		i = p.f.Instr(i).Prev()
	}
	return i
}

// hashEnd is a number that blocks with equal last instructions share.
func (p *folder) hashEnd(b mir.BlockID) uint32 {
	i := p.f.LastReal(b)
	if i == 0 {
		return 0
	}
	return p.hashInstr(i)
}

// hashTail is a number that blocks with equal last n instructions up to i share, or
// with equal content when that is less.
func (p *folder) hashTail(i mir.InstrID, n int) uint32 {
	h := uint32(0)
	for i = p.back(i); i != 0 && n > 0; i = p.back(p.f.Instr(i).Prev()) {
		h = h*31 + p.hashInstr(i)
		n--
	}
	return h
}

// hashInstr is a number that equal instructions share.
func (p *folder) hashInstr(i mir.InstrID) uint32 {
	f := p.f
	h := uint32(f.Instr(i).Opcode)
	for k := range f.Instr(i).NumOps() {
		o, x := f.Op(i, k), uint32(0)
		switch o.Kind() {
		case mir.OpReg:
			x = uint32(o.Reg())
		case mir.OpImm:
			x = uint32(o.Imm())
		case mir.OpMBB:
			x = uint32(f.Block(o.Block()).Number)
		case mir.OpFrameIndex:
			x = uint32(o.FrameIndex())
		case mir.OpCPI, mir.OpJTI:
			x = o.Index()
		case mir.OpGlobal, mir.OpExtSym:
			x = uint32(o.Offset())
		}
		h += (x<<3 | uint32(o.Kind()-1)) << (k & 31)
	}
	return h
}

func (p *folder) add(b mir.BlockID, loc mir.DebugLoc) {
	x := potential{hash: p.hashEnd(b), block: b, loc: loc}
	if int(b) < len(p.cfa) {
		x.cfa = p.cfa[b]
	}
	p.potentials = append(p.potentials, x)
}

// cfaAtEnds finds the offset of the canonical frame address at the end of each block
// of a function that pushes arguments of calls. Before a call that does not return
// equal instructions may stand at different depths of the stack, which unwinding
// tells by the place alone: such ends stay apart.
func (p *folder) cfaAtEnds() {
	f := p.f
	p.cfa = p.cfa[:0]
	if !slices.ContainsFunc(f.CFI, func(x mir.CFI) bool { return x.Kind == mir.CFIAdjustCfaOffset }) {
		return
	}
	p.cfa, p.seen = rows.Zeroed(p.cfa, f.NumBlockIDs()), rows.Zeroed(p.seen, f.NumBlockIDs())
	p.work = append(p.work[:0], f.FirstBlock())
	p.seen[f.FirstBlock()] = true
	for len(p.work) > 0 {
		b := p.work[len(p.work)-1]
		p.work = p.work[:len(p.work)-1]
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			if f.Instr(i).Opcode != desc.CFI_INSTRUCTION {
				continue
			}
			switch x := &f.CFI[f.Op(i, 0).Index()]; x.Kind {
			case mir.CFIAdjustCfaOffset:
				p.cfa[b] += x.Offset
			case mir.CFIDefCfaOffset, mir.CFIDefCfa:
				p.cfa[b] = x.Offset
			}
		}
		for _, s := range f.Succs(b) {
			if s := s.Block; !p.seen[s] {
				p.seen[s], p.cfa[s] = true, p.cfa[b]
				p.work = append(p.work, s)
			}
		}
	}
}

func (p *folder) isTried(b mir.BlockID) bool { return int(b) < len(p.tried) && p.tried[b] }

// once notes blocks of which there are too many to look at them again.
func (p *folder) once() {
	if len(p.potentials) < mergeCandidates {
		return
	}
	for _, x := range p.potentials {
		for int(x.block) >= len(p.tried) {
			p.tried = append(p.tried, false)
		}
		p.tried[x.block] = true
	}
}

// mergeTails merges what it can and reports whether it did.
func (p *folder) mergeTails() bool {
	f := p.f
	changed := false
	p.potentials = p.potentials[:0]
	p.cfaAtEnds()
	for b := f.FirstBlock(); b != 0 && len(p.potentials) < mergeCandidates; b = f.NextBlock(b) {
		if !p.isTried(b) && f.NumSuccs(b) == 0 {
			p.add(b, p.st.BranchLoc(f, b))
		}
	}
	p.once()
	if len(p.potentials) >= 2 {
		changed = p.tryMerge(0, 0)
	}
	for b := f.NextBlock(f.FirstBlock()); b != 0; b = f.NextBlock(b) {
		if f.NumPreds(b) < 2 || p.o.afterPlacement && int(b) < len(p.headers) && p.headers[b] {
			continue
		}
		p.strip(b)
		p.once()
		p.dropUnique(b)
		if len(p.potentials) >= 2 {
			changed = p.tryMerge(b, f.PrevBlock(b)) || changed
		}
		// Merging may have changed what stands before b.
		if x := p.potentials; len(x) == 1 && x[0].block != f.PrevBlock(b) {
			p.fixTail(x[0].block, b, x[0].loc)
		}
	}
	return changed
}

// loop is the innermost loop of b, -1 for none.
func (p *folder) loop(b mir.BlockID) int32 {
	if int(b) < len(p.loopOf) {
		return p.loopOf[b]
	}
	return -1
}

// strip makes the predecessors of b potentials, without their branches to it. Those
// whose ends equal no other's stay as they are: most do.
func (p *folder) strip(b mir.BlockID) {
	f, st := p.f, p.st
	p.potentials = p.potentials[:0]
	p.preds = append(p.preds[:0], f.Preds(b)...)
	for n, q := range p.preds {
		if len(p.potentials) == mergeCandidates {
			break
		}
		if p.isTried(q) || q == b || slices.Contains(p.preds[:min(n, mergeCandidates)], q) || p.leadsAstray(q) ||
			p.o.afterPlacement && p.loop(q) != p.loop(b) {
			continue
		}
		br, ok := p.analyze(q)
		if !ok {
			continue
		}
		x := potential{block: q, br: br, loc: st.BranchLoc(f, q)}
		last, asIs := p.staysAsIs(q, b, br)
		if br.Cond != nil && br.True == b {
			was := br.Cond[0]
			if !st.ReverseCond(br.Cond) {
				br.Cond[0] = was
				continue
			}
			if br.False == 0 {
				br.False = f.NextBlock(q)
			}
			x.br.True = br.False
			x.br.False = br.False
		}
		if x.asIs = asIs; !asIs {
			p.stripOff(&x)
			last = f.LastReal(q)
		}
		x.end, x.key = last, p.endKey(last, x.br.True)
		if int(q) < len(p.cfa) {
			x.cfa = p.cfa[q]
		}
		p.potentials = append(p.potentials, x)
	}
}

// staysAsIs reports that q is what it was when its branches to b are stripped off and
// put back, which only canonical ones are, and returns the instruction that ends it
// between these; where that is a branch on a condition its target may be another then.
func (p *folder) staysAsIs(q, b mir.BlockID, br target.Branch) (end mir.InstrID, ok bool) {
	f, st := p.f, p.st
	next, last := f.NextBlock(q), f.Block(q).Last()
	if br.True == 0 || br.Cond != nil && br.False == 0 && br.True != b {
		return f.LastReal(q), next == b // it falls into b
	}
	if next == 0 || next == b || f.IsDebugInstr(last) || st.Instr == nil {
		return 0, false
	}
	first := f.FirstTerminator(q)
	switch {
	case br.Cond == nil: // a jump
		if br.True != b || first != last || f.Instr(last).Opcode != st.Instr.Jump {
			return 0, false
		}
		for end = f.Instr(last).Prev(); end != 0 && f.IsDebugInstr(end); end = f.Instr(end).Prev() {
		}
		return end, true
	case br.False == 0: // to b on a condition, else to the block behind
		return last, first == last
	default:
		return first, br.False == b && br.True != b && br.True != next && f.Instr(first).Next() == last &&
			f.Instr(last).Opcode == st.Instr.Jump && f.Instr(first).Loc == f.Instr(last).Loc
	}
}

// stripOff strips the branches off.
func (p *folder) stripOff(x *potential) {
	if br := x.br; br.True != 0 && (br.Cond == nil || br.False != 0) {
		p.st.RemoveBranch(p.f, x.block)
		if br.Cond != nil {
			p.st.InsertBranch(p.f, x.block, target.Branch{True: br.True, Cond: br.Cond}, x.loc)
		}
	}
}

// emptyEnd is the key of blocks without instructions.
const emptyEnd = 2 << 32

// endKey is a number that blocks share whose last instructions equal i. Of branches on
// a condition it tells where to alone.
func (p *folder) endKey(i mir.InstrID, to mir.BlockID) uint64 {
	switch {
	case i == 0:
		return emptyEnd
	case p.f.Desc(i).IsTerminator():
		return 1<<32 | uint64(to)
	}
	return uint64(p.hashInstr(i))
}

// dropUnique takes those from the potentials, which lead to succ, whose ends equal
// no other's, unless they were stripped; the branches of the others are stripped off.
func (p *folder) dropUnique(succ mir.BlockID) {
	slices.SortFunc(p.potentials, func(x, y potential) int { return cmp.Compare(x.key, y.key) })
	all, kept := p.potentials, p.potentials[:0]
	for n := 0; n < len(all); {
		k := n + 1
		for k < len(all) && all[k].key == all[n].key {
			k++
		}
		unique := k == n+1 || !p.maySameTail(all[n:k], succ)
		for _, x := range all[n:k] {
			switch {
			case unique && x.asIs:
				p.forgetKills(&x)
				continue
			case x.asIs:
				p.stripOff(&x)
			}
			x.hash = p.hashEnd(x.block)
			kept = append(kept, x)
		}
		n = k
	}
	p.potentials = kept
}

// maySameTail reports whether two blocks of a key may share enough to be made one.
func (p *folder) maySameTail(list []potential, succ mir.BlockID) bool {
	if list[0].key == emptyEnd {
		return false
	}
	f, need, prev := p.f, p.leastTail(succ), p.f.PrevBlock(succ)
	for k := range list {
		x := &list[k]
		if x.loc != list[0].loc {
			return true // branches that are put back get a location of all
		}
		if i := x.end; f.Desc(i).IsTerminator() {
			x.tail = p.hashTail(f.Instr(i).Prev(), need-1)
		} else {
			x.tail = p.hashTail(i, need)
		}
	}
	for k := range list {
		for j := range list[:k] {
			if x, y := &list[k], &list[j]; x.cfa == y.cfa && (x.tail == y.tail || p.mergesShort(x.block, y.block, prev)) {
				return true
			}
		}
	}
	return false
}

// forgetKills does to a branch on a condition what to strip it off and put it back does.
func (p *folder) forgetKills(x *potential) {
	if x.br.Cond == nil || x.br.False == 0 {
		return
	}
	f := p.f
	i := f.FirstTerminator(x.block)
	for k := range f.Instr(i).NumOps() {
		if f.Op(i, k).IsReg() {
			f.SetOpFlag(i, k, mir.Kill, false)
		}
	}
}

// leadsAstray reports a block that a landing pad or a target of inline assembly follows.
func (p *folder) leadsAstray(b mir.BlockID) bool {
	for _, s := range p.f.Succs(b) {
		if p.f.Block(s.Block).Flags&(mir.EHPad|mir.InlineAsmBrTarget) != 0 {
			return true
		}
	}
	return false
}

// fixTail puts the branch to succ back at the end of b.
func (p *folder) fixTail(b, succ mir.BlockID, loc mir.DebugLoc) {
	f, st := p.f, p.st
	if l := st.BranchLoc(f, b); l != 0 {
		loc = l
	}
	if next := f.NextBlock(b); next != 0 {
		if br, ok := p.analyze(b); ok && br.True == next && br.Cond != nil && br.False == 0 && st.ReverseCond(br.Cond) {
			st.RemoveBranch(f, b)
			st.InsertBranch(f, b, target.Branch{True: succ, Cond: br.Cond}, loc)
			return
		}
	}
	st.InsertBranch(f, b, target.Branch{True: succ}, loc)
}

// tryMerge merges the tails of the potentials, which lead to succ (0: nowhere),
// before which prev stands.
func (p *folder) tryMerge(succ, prev mir.BlockID) bool {
	f := p.f
	changed := false
	slices.SortFunc(p.potentials, func(x, y potential) int {
		if c := cmp.Compare(x.hash, y.hash); c != 0 {
			return c
		}
		return cmp.Compare(f.Block(x.block).Number, f.Block(y.block).Number)
	})
	for len(p.potentials) > 1 {
		top := p.potentials[len(p.potentials)-1]
		n := p.sameTails(top.hash, succ, prev)
		if len(p.same) == 0 {
			p.dropHash(top.hash, succ, prev, top.loc)
			continue
		}
		k := p.commonTail(prev)
		if k < 0 || p.same[k].block == prev && !p.isWhole(&p.same[k]) {
			var ok bool
			if k, prev, ok = p.splitTail(succ, prev, n); !ok {
				p.dropHash(top.hash, succ, prev, top.loc)
				continue
			}
		}
		common := p.same[k].block
		p.tailFrequency(common)
		p.mergeInto(k)
		for j := range p.same {
			if j != k {
				p.branchTo(&p.same[j], common)
			}
		}
		p.dropMerged(k)
		changed = true
	}
	return changed
}

// dropMerged takes the merged blocks but the one that stays from the potentials.
func (p *folder) dropMerged(keep int) {
	for j := range p.same {
		if j != keep {
			p.potentials[p.same[j].at].block = 0
		}
	}
	p.potentials = slices.DeleteFunc(p.potentials, func(x potential) bool { return x.block == 0 })
}

// isWhole reports that the tail is all of its block.
func (p *folder) isWhole(t *sameTail) bool { return p.f.Block(t.block).First() == t.start }

// sameTails finds the blocks of a hash that share the longest tail worth merging
// with one of them, and returns its length.
func (p *folder) sameTails(hash uint32, succ, prev mir.BlockID) int {
	p.same = p.same[:0]
	most, best := 0, len(p.potentials)-1
	// Most pairs share too little, which a number for each of them tells.
	need := p.leastTail(succ)
	for x := best; x >= 0 && p.potentials[x].hash == hash; x-- {
		p.potentials[x].tail = p.hashTail(p.f.Block(p.potentials[x].block).Last(), need)
	}
	for x := len(p.potentials) - 1; x > 0 && p.potentials[x].hash == hash; x-- {
		for y := x - 1; y >= 0 && p.potentials[y].hash == hash; y-- {
			a, b := p.potentials[x].block, p.potentials[y].block
			if p.potentials[x].cfa != p.potentials[y].cfa || p.potentials[x].tail != p.potentials[y].tail && !p.mergesShort(a, b, prev) {
				continue
			}
			n, i, j, ok := p.profitable(a, b, succ, prev)
			if !ok {
				continue
			}
			if n > most {
				p.same = append(p.same[:0], sameTail{x, a, i})
				most, best = n, x
			}
			if best == x && n == most {
				p.same = append(p.same, sameTail{y, b, j})
			}
		}
	}
	return most
}

// leastTail is how many instructions blocks that lead to succ must share in most cases.
func (p *folder) leastTail(succ mir.BlockID) int {
	need := p.o.minTail
	if p.optSize {
		need = min(need, 2)
	}
	if succ != 0 {
		need-- // the branch that was stripped off
	}
	return max(need, 0)
}

// mergesShort reports whether a and b may be merged for less than others must share.
// Blocks that are equal as a whole may be too; their hashes tell.
func (p *folder) mergesShort(a, b, prev mir.BlockID) bool {
	return (a == prev || b == prev) && prev != 0 || p.f.NextBlock(a) == b || p.f.NextBlock(b) == a
}

// dropHash takes the blocks of a hash from the potentials and puts their branches back.
func (p *folder) dropHash(hash uint32, succ, prev mir.BlockID, loc mir.DebugLoc) {
	n := len(p.potentials)
	for ; n > 0 && p.potentials[n-1].hash == hash; n-- {
		if b := p.potentials[n-1].block; succ != 0 && b != prev {
			p.fixTail(b, succ, loc)
		}
	}
	p.potentials = p.potentials[:n]
}

// commonLength compares the ends of two blocks; i and j are where what they share begins.
func (p *folder) commonLength(a, b mir.BlockID) (n int, i, j mir.InstrID) {
	f := p.f
	x, y := p.back(f.Block(a).Last()), p.back(f.Block(b).Last())
	for x != 0 && y != 0 {
		if op := f.Instr(x).Opcode; op == desc.INLINEASM || op == desc.INLINEASM_BR ||
			f.Instr(x).Flags()&mir.NoMerge != 0 || f.Instr(y).Flags()&mir.NoMerge != 0 || !identical(f, x, y, false) {
			break
		}
		n++
		i, j = x, y
		x, y = p.back(f.Instr(x).Prev()), p.back(f.Instr(y).Prev())
	}
	return n, i, j
}

// profitable reports whether to merge what two blocks end with.
func (p *folder) profitable(a, b, succ, prev mir.BlockID) (n int, i, j mir.InstrID, ok bool) {
	f := p.f
	if n, i, j = p.commonLength(a, b); n == 0 {
		return
	}
	// Debug instructions in front make no difference.
	if f.SkipDebug(f.Block(a).First()) == i {
		i = f.Block(a).First()
	}
	if f.SkipDebug(f.Block(b).First()) == j {
		j = f.Block(b).First()
	}
	wholeA, wholeB := f.Block(a).First() == i, f.Block(b).First() == j
	// What falls into the block behind takes part in any merge but one of branches alone.
	if (a == prev || b == prev) && prev != 0 && (!p.o.afterPlacement || f.NumSuccs(a) == 1) {
		other := a
		if a == prev {
			other = b
		}
		if n > p.numTerminators(other) {
			return n, i, j, true
		}
	}
	if wholeA && wholeB && p.endsInUnreachable(a) && p.endsInUnreachable(b) {
		return n, i, j, true
	}
	if f.NextBlock(a) == b && wholeB || f.NextBlock(b) == a && wholeA {
		return n, i, j, true
	}
	// A branch that was stripped off both is one instruction more.
	length := n
	if succ != 0 && a != prev && b != prev && (f.NumSuccs(a) == 1 || !p.o.afterPlacement) && !p.endsInBarrier(a) && !p.endsInBarrier(b) {
		length++
	}
	if length >= p.o.minTail {
		return n, i, j, true
	}
	return n, i, j, length >= 2 && p.optSize && (wholeA || wholeB)
}

func (p *folder) endsInBarrier(b mir.BlockID) bool {
	last := p.f.Block(b).Last()
	return last != 0 && p.f.Desc(last).IsBarrier()
}

// endsInUnreachable reports a block whose end nobody reaches: behind a call that does not return.
func (p *folder) endsInUnreachable(b mir.BlockID) bool {
	f := p.f
	if f.NumSuccs(b) != 0 {
		return false
	}
	last := f.Block(b).Last()
	return last == 0 || !f.Desc(last).IsReturn() && !f.Desc(last).IsIndirectBranch()
}

func (p *folder) numTerminators(b mir.BlockID) int {
	f, n := p.f, 0
	for i := p.back(f.Block(b).Last()); i != 0 && f.Desc(i).IsTerminator(); i = p.back(f.Instr(i).Prev()) {
		n++
	}
	return n
}

// commonTail chooses the block that the others are going to jump to among those
// that are nothing but the tail, or fall into what is behind; -1 when there is none.
func (p *folder) commonTail(prev mir.BlockID) int {
	f, s := p.f, p.same
	if len(s) == 2 {
		switch {
		case f.NextBlock(s[0].block) == s[1].block && p.isWhole(&s[1]) && !p.isPad(s[1].block):
			return 1
		case f.NextBlock(s[1].block) == s[0].block && p.isWhole(&s[0]) && !p.isPad(s[0].block):
			return 0
		}
	}
	k := -1
	for j := range s {
		b := s[j].block
		whole := p.isWhole(&s[j])
		switch {
		case whole && (b == f.FirstBlock() || p.isPad(b)):
		case b == prev:
			return j
		case whole:
			k = j
		}
	}
	return k
}

// splitTail makes a block of nothing but the tail: of the block before succ, or of
// the one that runs shortest before it.
func (p *folder) splitTail(succ, prev mir.BlockID, n int) (int, mir.BlockID, bool) {
	f := p.f
	k, least := 0, ^0
	for j := range p.same {
		b := p.same[j].block
		if b == prev {
			k = j
			break
		}
		t := 0
		for i := f.Block(b).First(); i != p.same[j].start; i = f.Instr(i).Next() {
			switch d := f.Desc(i); {
			case !p.counts(i):
			case d.IsCall():
				t += 10
			case d.MayLoad() || d.MayStore():
				t += 2
			default:
				t++
			}
		}
		if least < 0 || t <= least {
			least, k = t, j
		}
	}
	b := p.same[k].block
	name := f.Block(b).IRBlock
	if succ != 0 && f.NumSuccs(b) == 1 {
		name = f.Block(succ).IRBlock
	}
	t := p.splitAt(b, p.same[k].start)
	f.Block(t).IRBlock = name
	p.same[k].block, p.same[k].start = t, f.Block(t).First()
	// The potential is the tail from now on.
	p.potentials[p.same[k].at].block = t
	if prev == b {
		prev = t
	}
	return k, prev, true
}

// splitAt moves what begins with i from b into a block behind it.
func (p *folder) splitAt(b mir.BlockID, i mir.InstrID) mir.BlockID {
	f := p.f
	t := f.AddBlockAfter(b)
	f.TransferSuccs(b, t)
	f.AddSuccProb(b, t, mir.ProbOne)
	f.Splice(t, i)
	if p.o.afterPlacement {
		for int(t) > len(p.loopOf) {
			p.loopOf = append(p.loopOf, -1)
		}
		p.loopOf = append(p.loopOf, p.loop(b))
	}
	p.freq.Set(t, p.freq.Of(b))
	if p.liveIns {
		p.sets()
		p.live.ComputeLiveIns(t)
		p.live.ListLiveIns(t)
	}
	return t
}

// tailFrequency adds up how often the merged tail runs, and where it goes then.
func (p *folder) tailFrequency(b mir.BlockID) {
	f := p.f
	sum := pass.Freq(0)
	n := f.NumSuccs(b)
	p.edgeFreq = rows.Zeroed(p.edgeFreq, n)
	for j := range p.same {
		src := p.same[j].block
		x := p.freq.Of(src)
		sum = sum.Plus(x)
		for k := 0; n > 1 && k < n; k++ {
			p.edgeFreq[k] = p.edgeFreq[k].Plus(x.Times(f.EdgeProb(src, f.Succs(b)[k].Block)))
		}
	}
	p.freq.Set(b, sum)
	if n <= 1 {
		return
	}
	all := pass.Freq(0)
	for _, x := range p.edgeFreq {
		all = all.Plus(x)
	}
	for k := 0; all > 0 && k < n; k++ {
		f.SetSuccProb(b, k, pass.Ratio(p.edgeFreq[k], all))
	}
}

// mergeInto makes the instructions of common tail k right for all: what they
// access, where they come from, and what they do not read.
func (p *folder) mergeInto(k int) {
	f := p.f
	common := p.same[k].block
	for j := range p.same {
		if j == k {
			continue
		}
		x := p.back(f.Block(common).Last())
		for y := p.back(f.Block(p.same[j].block).Last()); x != 0 && y != 0; y = p.back(f.Instr(y).Prev()) {
			p.mergeInstr(x, y)
			if y == p.same[j].start {
				break
			}
			x = p.back(f.Instr(x).Prev())
		}
	}
	if !p.liveIns {
		return
	}
	// What was undefined on one way may be read now: it is defined before.
	p.sets()
	p.more.ComputeLiveIns(common)
	for _, q := range f.Preds(common) {
		p.live.Clear()
		p.live.AddLiveOuts(q)
		at := f.FirstTerminator(q)
		for _, r := range p.more.Regs() {
			if p.live.Available(r) && !p.more.HasSuper(r) {
				f.InsertBefore(q, at, f.New(desc.IMPLICIT_DEF, mir.RegOp(mir.Reg(r), mir.Def)))
			}
		}
	}
	f.ClearLiveIns(common)
	p.more.ListLiveIns(common)
}

// mergeInstr makes x do for y.
func (p *folder) mergeInstr(x, y mir.InstrID) {
	f := p.f
	if f.Instr(x).Loc != f.Instr(y).Loc {
		f.Instr(x).Loc = 0
	}
	if d := f.Desc(x); d.MayLoad() || d.MayStore() {
		p.mergeMem(x, y)
	}
	for k := range f.Instr(x).NumOps() {
		if o := f.Op(x, k); o.IsReg() && o.IsUndef() && !f.Op(y, k).IsUndef() {
			f.SetOpFlag(x, k, mir.Undef, false)
		}
	}
}

// mergeMem makes x access what x or y accesses.
func (p *folder) mergeMem(x, y mir.InstrID) {
	f := p.f
	if f.NumMem(x) == 0 || f.NumMem(y) == 0 {
		f.SetMem(x)
		return
	}
	same := f.NumMem(x) == f.NumMem(y)
	for k := 0; same && k < f.NumMem(x); k++ {
		same = *f.MemOf(x, k) == *f.MemOf(y, k)
	}
	if !same {
		f.SetMem(x, append(slices.Clone(f.MemIDs(x)), f.MemIDs(y)...)...)
	}
}

// branchTo replaces the tail of a block by a branch to the common one.
func (p *folder) branchTo(t *sameTail, common mir.BlockID) {
	f := p.f
	b := t.block
	if p.liveIns {
		p.sets()
		p.live.Clear()
		p.live.AddLiveOuts(b)
		for i := f.Block(b).Last(); ; i = f.Instr(i).Prev() {
			p.live.StepBackward(i)
			if i == t.start {
				break
			}
		}
		for k := range f.LiveInsOf(common) {
			if r := f.LiveInsOf(common)[k].Reg; p.live.Available(desc.PhysReg(r)) {
				f.InsertBefore(b, t.start, f.New(desc.IMPLICIT_DEF, mir.RegOp(r, mir.Def)))
			}
		}
	}
	for f.NumSuccs(b) > 0 {
		f.RemoveSucc(b, f.Succs(b)[0].Block)
	}
	loc := f.Instr(t.start).Loc
	for i := t.start; i != 0; {
		next := f.Instr(i).Next()
		f.Erase(i)
		i = next
	}
	if f.NextBlock(b) != common {
		p.st.InsertBranch(f, b, target.Branch{True: common}, loc)
	}
	f.AddSuccProb(b, common, mir.ProbOne)
	p.c.Count("branch-folder", "Number of block tails merged", 1)
}

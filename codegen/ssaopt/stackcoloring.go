package ssaopt

import (
	"slices"

	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// StackColoring gives stack objects that are never alive at the same time one
// place. LIFETIME_START and LIFETIME_END say when an object is alive; one that
// is only mentioned between its markers, and has one of each, lives from its
// first mention on. The markers are removed.
var StackColoring = pass.Pass{
	Name:     "stack-coloring",
	Title:    "Merge disjoint stack slots",
	Optional: pass.Skippable,
	KeepsCFG: true,
	Run:      runStackColoring,
}

const (
	// maxColorBits bounds the sets of slots by block, in bits; maxColorWork the
	// steps of comparing lives. Beyond them slots stay apart.
	maxColorBits = 1 << 28
	maxColorWork = 1 << 25
	// minColorSize is the size of all objects below which nothing is won.
	minColorSize = 16
)

// bitset is a set of slots.
type bitset []uint64

func (s bitset) has(n int) bool { return s[n/64]>>(n%64)&1 != 0 }
func (s bitset) set(n int)      { s[n/64] |= 1 << (n % 64) }
func (s bitset) drop(n int)     { s[n/64] &^= 1 << (n % 64) }

// slotBlock are the sets of one block: slots whose life begins or ends in it last,
// and those alive at its ends.
type slotBlock struct{ begin, end, in, out bitset }

// slotSegment is a part of a life, in places of instructions.
type slotSegment struct{ start, end int32 }

// coloringMem is the memory of the blocks' sets, used again for the next function.
type coloringMem struct {
	words  bitset
	blocks []slotBlock
}

// coloring is the state of one function.
type coloring struct {
	c            *pass.Context
	f            *mir.Function
	slots, words int
	markers      []mir.InstrID
	interesting  bitset
	conservative bitset
	order        []int32
	blocks       []slotBlock
	lives        [][]slotSegment
	starts       [][]int32
	remap        []int // the slot that took a slot's place, -1 for none
	work         int
}

func runStackColoring(c *pass.Context, f *mir.Function) error {
	n := f.Frame.End()
	if n <= 0 || f.FirstBlock() == 0 {
		return nil
	}
	s := &coloring{c: c, f: f, slots: n, words: (n + 63) / 64}
	if !s.anyMarker() {
		return nil
	}
	if s.words*64*f.NumBlockIDs() > maxColorBits {
		s.removeMarkers()
		return nil
	}
	s.collect()
	total := int64(0)
	for fi := range n {
		if !f.Frame.IsDead(fi) {
			total += f.Frame.Object(fi).Size
		}
	}
	if len(s.markers) >= 2 && total >= minColorSize {
		s.blockSets()
		s.flow()
		s.findLives()
		if s.merge() {
			s.rewrite()
		}
	}
	s.removeMarkers()
	return nil
}

func isMarker(op desc.Opcode) bool { return op == desc.LIFETIME_START || op == desc.LIFETIME_END }

func (s *coloring) anyMarker() bool {
	f := s.f
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			if isMarker(f.Instr(i).Opcode) {
				return true
			}
		}
	}
	return false
}

func (s *coloring) removeMarkers() {
	f := s.f
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		for i := f.Block(b).First(); i != 0; {
			next := f.Instr(i).Next()
			if isMarker(f.Instr(i).Opcode) {
				f.Erase(i)
				s.c.Count("stack-coloring", "Number of lifetime markers removed", 1)
			}
			i = next
		}
	}
}

// collect finds the slots with markers, and among them those that are mentioned
// outside of their markers or have more than one of a kind.
func (s *coloring) collect() {
	f := s.f
	g := &pass.Get[pass.CFG](s.c, f).Graph
	s.order = g.DepthFirst(nil, make([]int32, g.NumNodes()))
	s.interesting, s.conservative = make(bitset, s.words), make(bitset, s.words)
	ends := make([][2]int, s.slots)
	seen := make([]bitset, f.NumBlockIDs())
	for _, b := range s.order {
		open := make(bitset, s.words)
		for _, p := range f.Preds(mir.BlockID(b)) {
			for w, x := range seen[p] {
				open[w] |= x
			}
		}
		for i := f.Block(mir.BlockID(b)).First(); i != 0; i = f.Instr(i).Next() {
			if f.IsDebugInstr(i) {
				continue
			}
			op := f.Instr(i).Opcode
			for k := range f.Instr(i).NumOps() {
				o := f.Op(i, k)
				if o.Kind() != mir.OpFrameIndex || o.FrameIndex() < 0 {
					continue
				}
				fi := o.FrameIndex()
				switch {
				case op == desc.LIFETIME_START:
					open.set(fi)
					ends[fi][0]++
				case op == desc.LIFETIME_END:
					open.drop(fi)
					ends[fi][1]++
				case !open.has(fi):
					s.conservative.set(fi)
				}
				if isMarker(op) {
					s.interesting.set(fi)
					s.markers = append(s.markers, i)
				}
			}
		}
		seen[b] = open
	}
	for fi, n := range ends {
		if n[0] > 1 || n[1] > 1 {
			s.conservative.set(fi)
		}
	}
}

// events calls do with each slot whose life begins or ends at i.
func (s *coloring) events(i mir.InstrID, do func(fi int, start bool)) {
	f := s.f
	op := f.Instr(i).Opcode
	if f.IsDebugInstr(i) {
		return
	}
	for k := range f.Instr(i).NumOps() {
		o := f.Op(i, k)
		if o.Kind() != mir.OpFrameIndex || o.FrameIndex() < 0 || !s.interesting.has(o.FrameIndex()) {
			continue
		}
		fi := o.FrameIndex()
		first := !s.conservative.has(fi)
		switch {
		case op == desc.LIFETIME_END:
			do(fi, false)
		case op == desc.LIFETIME_START && !first, !isMarker(op) && first:
			do(fi, true)
		}
	}
}

// blockSets finds, by block, what begins and what ends in it last.
func (s *coloring) blockSets() {
	f := s.f
	mem := pass.Scratch[coloringMem](s.c)
	w, n := s.words, 4*s.words*len(s.order)
	mem.words, mem.blocks = rows.Zeroed(mem.words, n), rows.Zeroed(mem.blocks, f.NumBlockIDs())
	all := mem.words
	s.blocks = mem.blocks
	for _, b := range s.order {
		mem := all[:4*w]
		all = all[4*w:]
		x := &s.blocks[b]
		*x = slotBlock{mem[:w], mem[w : 2*w], mem[2*w : 3*w], mem[3*w:]}
		for i := f.Block(mir.BlockID(b)).First(); i != 0; i = f.Instr(i).Next() {
			s.events(i, func(fi int, start bool) {
				if start {
					x.end.drop(fi)
					x.begin.set(fi)
				} else {
					x.begin.drop(fi)
					x.end.set(fi)
				}
			})
		}
	}
}

// flow finds what is alive at the ends of blocks.
func (s *coloring) flow() {
	f := s.f
	for changed := true; changed; {
		changed = false
		for _, b := range s.order {
			x := &s.blocks[b]
			for _, p := range f.Preds(mir.BlockID(b)) {
				for w, v := range s.blocks[p].out {
					x.in[w] |= v
				}
			}
			for w := range x.in {
				if v := x.in[w]&^x.end[w] | x.begin[w]; v&^x.out[w] != 0 {
					x.out[w] |= v
					changed = true
				}
			}
		}
	}
}

// findLives makes the segments in which slots are alive, and lists where lives begin.
func (s *coloring) findLives() {
	f := s.f
	s.lives, s.starts = make([][]slotSegment, s.slots), make([][]int32, s.slots)
	from, inUse := make([]int32, s.slots), make([]bool, s.slots)
	add := func(fi int, start, end int32) {
		if l := s.lives[fi]; len(l) > 0 && l[len(l)-1].end == start {
			l[len(l)-1].end = end
			return
		}
		s.lives[fi] = append(s.lives[fi], slotSegment{start, end})
	}
	at := int32(0)
	var touched []int
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		begin := at
		at++
		touched = touched[:0]
		for fi := range s.slots {
			from[fi], inUse[fi] = -1, false
			if x := s.blocks[b].in; x != nil && x.has(fi) {
				from[fi] = begin
				touched = append(touched, fi)
			}
		}
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			if f.IsDebugInstr(i) {
				continue
			}
			s.events(i, func(fi int, start bool) {
				if start {
					if !inUse[fi] {
						s.starts[fi] = append(s.starts[fi], at)
						inUse[fi] = true
					}
					if from[fi] < 0 {
						from[fi] = at
						touched = append(touched, fi)
					}
				} else if from[fi] >= 0 {
					add(fi, from[fi], at)
					from[fi], inUse[fi] = -1, false
				}
			})
			at++
		}
		for _, fi := range touched {
			if from[fi] >= 0 {
				add(fi, from[fi], at)
				from[fi] = -1
			}
		}
	}
}

// aliveAt reports that one of the places lies in a life.
func (s *coloring) aliveAt(life []slotSegment, places []int32) bool {
	k := 0
	for _, p := range places {
		for k < len(life) && life[k].end <= p {
			k++
		}
		if k < len(life) && life[k].start <= p {
			return true
		}
	}
	s.work += len(life) + len(places) + 1
	return false
}

// merge gives slots to larger ones that are not alive when they begin.
func (s *coloring) merge() bool {
	f := s.f
	fr := &f.Frame
	s.remap = make([]int, s.slots)
	var sorted []int
	for fi := range s.slots {
		s.remap[fi] = -1
		if len(s.lives[fi]) > 0 {
			sorted = append(sorted, fi)
		}
	}
	slices.SortStableFunc(sorted, func(a, b int) int {
		x, y := fr.Object(a).Size, fr.Object(b).Size
		switch {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	any := false
	for changed := true; changed; {
		changed = false
		for k, a := range sorted {
			if a < 0 {
				continue
			}
			for l := k + 1; l < len(sorted) && s.work < maxColorWork; l++ {
				b := sorted[l]
				if b < 0 || fr.Object(a).StackID != fr.Object(b).StackID || s.aliveAt(s.lives[a], s.starts[b]) || s.aliveAt(s.lives[b], s.starts[a]) {
					continue
				}
				s.join(a, b)
				sorted[l] = -1
				changed, any = true, true
			}
		}
	}
	for fi := range s.remap {
		for s.remap[fi] >= 0 && s.remap[s.remap[fi]] >= 0 {
			s.remap[fi] = s.remap[s.remap[fi]]
		}
	}
	return any
}

// join puts slot b into the place of a.
func (s *coloring) join(a, b int) {
	all := append(s.lives[a], s.lives[b]...)
	slices.SortFunc(all, func(x, y slotSegment) int { return int(x.start - y.start) })
	kept := all[:1]
	for _, x := range all[1:] {
		if last := &kept[len(kept)-1]; x.start <= last.end {
			last.end = max(last.end, x.end)
		} else {
			kept = append(kept, x)
		}
	}
	s.lives[a] = kept
	s.starts[a] = append(s.starts[a], s.starts[b]...)
	slices.Sort(s.starts[a])
	s.work += len(all)
	fr := &s.f.Frame
	x, y := fr.Object(a), fr.Object(b)
	x.Align = max(x.Align, y.Align)
	for k := range fr.Vars {
		if fr.Vars[k].FI == b {
			fr.Vars[k].FI = a
		}
	}
	switch {
	case y.DebugVar == 0:
	case x.DebugVar != 0:
		fr.Vars = append(fr.Vars, mir.FrameVar{FI: a, Var: y.DebugVar, Expr: y.DebugExpr, Loc: y.DebugLoc})
	default:
		x.DebugVar, x.DebugExpr, x.DebugLoc = y.DebugVar, y.DebugExpr, y.DebugLoc
	}
	s.remap[b] = a
	s.c.Count("stack-coloring", "Number of stack slots merged.", 1)
	s.c.Count("stack-coloring", "Number of stack space saved due to merging.", y.Size)
}

// rewrite makes operands and memory operands name the slots that are left.
func (s *coloring) rewrite() {
	f := s.f
	// merged has, for the allocas of slots that share a place, the one that stands for all.
	merged := map[ir.InstrID]ir.InstrID{}
	for fi, to := range s.remap {
		if to >= 0 {
			a := ir.InstrID(f.Frame.Object(to).Name)
			merged[ir.InstrID(f.Frame.Object(fi).Name)], merged[a] = a, a
		}
	}
	delete(merged, 0)
	var mem []mir.MemID
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			if isMarker(f.Instr(i).Opcode) {
				continue
			}
			for k := range f.Instr(i).NumOps() {
				if o := f.Op(i, k); o.Kind() == mir.OpFrameIndex && o.FrameIndex() >= 0 && s.remap[o.FrameIndex()] >= 0 {
					f.ReplaceOp(i, k, mir.FrameOp(s.remap[o.FrameIndex()]))
				}
			}
			changed := false
			mem = append(mem[:0], f.MemIDs(i)...)
			for k := range mem {
				m := *f.MemOf(i, k)
				if s.rewriteMem(&m, merged) {
					mem[k], changed = f.AddMem(m), true
				}
			}
			if changed {
				f.SetMem(i, mem...)
			}
		}
	}
	for fi, to := range s.remap {
		if to >= 0 {
			f.Frame.RemoveObject(fi)
		}
	}
}

// rewriteMem changes a memory operand that may touch a merged slot: the IR still
// has several objects there, so it must not be asked about them. A pointer that was
// loaded may lead to one whose address escapes, where the IR knows that it does not
// lead to the one that stands for both.
func (s *coloring) rewriteMem(m *mir.MemOperand, merged map[ir.InstrID]ir.InstrID) bool {
	f := s.f
	switch m.PtrKind {
	case mir.PtrFixedStack:
		fi := int(int32(m.Ptr))
		if fi < 0 || s.remap[fi] < 0 {
			return false
		}
		m.Ptr = uint32(int32(s.remap[fi]))
		return true
	case mir.PtrValue:
	default:
		return false
	}
	v := ir.Value(m.Ptr)
	if f.IR == nil || !v.IsLocal() {
		return false
	}
	base := v.Instr()
	for f.IR.Instr(base).Op == ir.OpGEP {
		p := f.IR.Ops(base)[0]
		if !p.IsLocal() {
			return false
		}
		base = p.Instr()
	}
	switch op := f.IR.Instr(base).Op; {
	case op == ir.OpAlloca && merged[base] == 0, base <= ir.InstrID(f.IR.NumArgs):
		return false
	}
	if a := merged[base]; base == v.Instr() && a != 0 {
		m.Ptr = uint32(ir.Local(a))
	} else {
		m.Ptr, m.PtrKind = 0, mir.PtrNone
	}
	m.TBAA, m.AliasScope, m.NoAlias = 0, 0, 0
	m.Flags &^= mir.MemInvariant
	return true
}

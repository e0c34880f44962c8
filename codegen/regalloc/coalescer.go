package regalloc

import (
	"cmp"
	"slices"

	"github.com/mirin-go/mirin/codegen/liveness"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// RegisterCoalescer joins the registers of copies, so that the copies go: those
// that PHI elimination and the two-address pass brought, above all.
//
// Two registers become one when no point needs both with different values
// (joinvals.go). Copies of deep loops come first, and within a block those that
// have no better partner come last. Where registers cannot be joined, the copy may
// be a computation instead (coalescerremat.go), or less of the time (coalescerpartial.go).
// Copies from and to physical registers are hints for the allocator; only with
// reserved registers are they joined, since those cannot be allocated.
//
// The idea is that of Chaitin's aggressive coalescing, on live ranges with values
// as in George and Appel's successors: what is too much, the allocator splits again.
var RegisterCoalescer = pass.Pass{
	Name:     "register-coalescer",
	Title:    "Register Coalescer",
	Requires: mir.NoPHIs,
	Clears:   mir.IsSSA,
	KeepsCFG: true,
	Keeps:    []pass.Kind{pass.KindOf[liveness.Indexes](), pass.KindOf[liveness.Intervals]()},
	Run:      runCoalescer,
}

// The cut-offs, as LLVM's options set them.
const (
	// lateShrinkUses is the number of copies of a register from which on it is
	// shrunk once, when all that can be are recomputed.
	lateShrinkUses = 100
	// largeValues and largeJoins: an interval of so many values is joined so often.
	largeValues = 100
	largeJoins  = 256
	// maxScanned is how many operands of a register are looked at for the copy that
	// is better joined first, and for one with fewer to be renamed.
	maxScanned = 128
)

// workCopy is a copy to be looked at; gen tells whether it was erased meanwhile.
type workCopy struct {
	i   mir.InstrID
	gen uint32
}

// coalescer is the pass's memory.
type coalescer struct {
	pc *pass.Context
	f  *mir.Function
	v  *liveness.Intervals
	ix *liveness.Indexes
	p  pair // the pair that is being joined

	blocks []coalesceBlock
	// work are copies between blocks, or left over; local those of the loop depth
	// at hand with a register that lives in one block.
	work, local         []workCopy
	terminals, localEnd []workCopy
	// gen counts how often each instruction's row was given up.
	gen []uint32

	lhs, rhs joinVals
	// The same for sub-ranges, which are joined while those are at hand.
	subLHS, subRHS joinVals
	subVals        []liveness.Value
	subCopy        liveness.Range
	subEnds        []liveness.Index
	subUndefs      []liveness.Index
	opBuf          []mir.Operand
	newVals        []liveness.Value
	mine           []liveness.ValueID
	theirs         []liveness.ValueID
	ends           []liveness.Index
	shrink         []mir.Reg
	dead           []mir.InstrID
	toShrink       []mir.Reg
	emptied        []mir.Reg

	// shrinkLanes and shrinkMain: what the join that is being done must shrink.
	shrinkLanes desc.LaneMask
	shrinkMain  bool

	// inflate are registers whose class may be wider now; late those to be shrunk at the end.
	inflate []mir.Reg
	late    []mir.Reg
	isLate  []bool  // by register
	visits  []int32 // by register: joins of a large interval
	noKills []bool  // by register: none of its operands has a kill flag

	reserved []uint32 // set of physical registers
	numRegs  []int32  // by class: allocatable registers + 1, 0 for not counted
	usable   []uint32
	visited  []uint32 // by InstrID: stamp
	stamp    uint32

	// dbgAt is, by InstrID of a debug instruction, the place behind it; empty
	// when the function has none.
	dbgAt    []liveness.Index
	hasDebug bool
}

// coalesceBlock is a block with what decides its turn.
type coalesceBlock struct {
	b     mir.BlockID
	depth int
	edges int
}

func (c *coalescer) count(what string, n int64) { c.pc.Count("regalloc", what, n) }

func runCoalescer(pc *pass.Context, f *mir.Function) error {
	if f.ExposesReturnsTwice {
		// What a longjmp finds must be what setjmp's caller had. That kill flags go,
		// as where registers are joined, is what comes behind may count on.
		pass.Get[liveness.Intervals](pc, f)
		return nil
	}
	c := pass.Scratch[coalescer](pc)
	c.reset(pc, f)
	c.shrinkDead()
	c.joinAll()
	c.inflateClasses()
	return nil
}

func (c *coalescer) reset(pc *pass.Context, f *mir.Function) {
	c.pc, c.f = pc, f
	c.v = pass.Get[liveness.Intervals](pc, f)
	c.ix = c.v.Indexes
	c.work, c.local, c.inflate, c.late, c.dead = c.work[:0], c.local[:0], c.inflate[:0], c.late[:0], c.dead[:0]
	c.gen = rows.Zeroed(c.gen, f.NumInstrIDs())
	c.visited = rows.Zeroed(c.visited, f.NumInstrIDs())
	c.stamp = 0
	c.isLate = rows.Zeroed(c.isLate, f.NumVRegs())
	c.visits = rows.Zeroed(c.visits, f.NumVRegs())
	c.noKills = rows.Zeroed(c.noKills, f.NumVRegs())
	c.numRegs = rows.Zeroed(c.numRegs, len(f.Facts.Classes))
	c.usable = rows.Zeroed(c.usable, f.Facts.RegWords())
	if pc.Subtarget != nil {
		c.reserved = pc.Subtarget.ReservedSet(f, c.reserved)
	} else {
		c.reserved = append(c.reserved[:0], f.Facts.ReservedRegs(0)...)
	}
	c.placeDebug()
}

// shrinkDead flags the definitions that nothing reads, and makes those apart from
// the rest of their register registers of their own.
func (c *coalescer) shrinkDead() {
	for n := range c.f.NumVRegs() {
		if r := mir.VReg(n); c.v.Has(r) {
			for _, s := range c.v.Interval(r).Segs {
				if s.End.IsDead() {
					c.shrinkToUses(r)
					break
				}
			}
		}
	}
}

func (c *coalescer) isReserved(r desc.PhysReg) bool { return c.reserved[r/32]>>(r%32)&1 != 0 }

// allocatable is the number of registers of a class that allocation may use.
func (c *coalescer) allocatable(k desc.ClassID) int {
	if c.numRegs[k] == 0 {
		n := int32(1)
		for _, r := range c.f.Facts.ClassOrder(k) {
			if !c.isReserved(r) {
				n++
			}
		}
		c.numRegs[k] = n
	}
	return int(c.numRegs[k]) - 1
}

// joinAll looks at all copies, and again at those that may be joined later, as
// long as some are.
func (c *coalescer) joinAll() {
	f := c.f
	loops := pass.Get[pass.Loops](c.pc, f)
	c.blocks = c.blocks[:0]
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		c.blocks = append(c.blocks, coalesceBlock{b, loops.Depth(int(b)), f.NumPreds(b) + f.NumSuccs(b)})
	}
	// Among equals the layout decides, not the numbers, which a text does not keep.
	slices.SortStableFunc(c.blocks, func(x, y coalesceBlock) int {
		return cmp.Or(y.depth-x.depth, y.edges-x.edges)
	})
	depth := -1
	for _, x := range c.blocks {
		if x.depth != depth {
			c.joinLocals()
			depth = x.depth
		}
		c.joinBlock(x.b)
	}
	c.shrinkLate()
	c.joinLocals()
	for c.joinList(c.work) {
		c.work = compact(c.work)
	}
	c.shrinkLate()
}

// joinBlock collects the copies of b and joins those between blocks.
func (c *coalescer) joinBlock(b mir.BlockID) {
	f, from := c.f, len(c.work)
	c.terminals, c.localEnd = c.terminals[:0], c.localEnd[:0]
	for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
		if !isCopyLike(f, i) || f.IsBundled(i) {
			continue
		}
		w := workCopy{i, c.genOf(i)}
		last, local := c.isTerminalCopy(i), c.isLocal(i)
		switch {
		case local && last:
			c.localEnd = append(c.localEnd, w)
		case local:
			c.local = append(c.local, w)
		case last:
			c.terminals = append(c.terminals, w)
		default:
			c.work = append(c.work, w)
		}
	}
	c.local = append(c.local, c.localEnd...)
	c.work = append(c.work, c.terminals...)
	// Most are joined at the first attempt, so that the list stays short.
	c.joinList(c.work[from:])
	c.work = c.work[:from+len(compact(c.work[from:]))]
}

// isLocal reports a COPY with a register that lives in one block.
func (c *coalescer) isLocal(i mir.InstrID) bool {
	m, _ := moveOf(c.f, i)
	if c.f.Instr(i).Opcode != desc.COPY || c.f.Op(i, 1).IsUndef() || m.src.IsPhysical() || m.dst.IsPhysical() {
		return false
	}
	return c.v.InBlock(c.v.Interval(m.src)) != 0 || c.v.InBlock(c.v.Interval(m.dst)) != 0
}

// joinLocals joins the local copies and leaves the rest for later.
func (c *coalescer) joinLocals() {
	c.joinList(c.local)
	c.work = append(c.work, compact(c.local)...)
	c.local = c.local[:0]
}

// compact removes the copies that are done.
func compact(l []workCopy) []workCopy {
	return slices.DeleteFunc(l, func(w workCopy) bool { return w.i == 0 })
}

// joinList tries to join the copies of a list, zeroes those that are done and
// reports whether one was joined.
func (c *coalescer) joinList(l []workCopy) bool {
	progress := false
	for k := range l {
		w := &l[k]
		if w.i == 0 {
			continue
		}
		if c.genOf(w.i) != w.gen {
			w.i = 0
			continue
		}
		done, again := c.joinCopy(w.i)
		progress = progress || done
		if done || !again {
			w.i = 0
		}
		if c.ix.Crowded() {
			c.v.Renumber()
			c.placeDebug()
		}
	}
	return progress
}

// isTerminalCopy reports a copy whose destination is in no other copy, while
// the source is in one, of the same block, with a register that is and that
// interferes with the destination: joining this one first would forbid the
// other, whose register has more to win.
func (c *coalescer) isTerminalCopy(i mir.InstrID) bool {
	f := c.f
	m, ok := moveOf(f, i)
	if !ok || m.dst.IsPhysical() || m.src.IsPhysical() || !c.isTerminal(m.dst, i) {
		return false
	}
	b, dst, left := f.Instr(i).Block(), &c.v.Interval(m.dst).Range, maxScanned
	for id := f.FirstUse(m.src); id != 0; id = f.NextUse(id) {
		if f.OpAt(id).IsDebug() {
			continue
		}
		if left--; left <= 0 {
			return false
		}
		j, _ := f.Owner(id)
		if j == i || f.Instr(j).Block() != b || !isCopyLike(f, j) {
			continue
		}
		n, ok := moveOf(f, j)
		if !ok {
			return false
		}
		other := n.dst
		if other == m.src {
			other = n.src
		}
		if other.IsPhysical() || c.isTerminal(other, j) {
			continue
		}
		if c.v.Interval(other).Overlaps(dst) {
			return true
		}
	}
	return false
}

// hasMany reports a register of so many operands that renaming it often is too much.
func (c *coalescer) hasMany(r mir.Reg) bool {
	n := 0
	for id := c.f.FirstUse(r); id != 0 && n < maxScanned; id = c.f.NextUse(id) {
		if !c.f.OpAt(id).IsDebug() {
			n++
		}
	}
	return n == maxScanned
}

// isTerminal reports that r is in no copy but i, as far as its first operands say.
func (c *coalescer) isTerminal(r mir.Reg, i mir.InstrID) bool {
	f, left := c.f, maxScanned
	for id := f.FirstUse(r); id != 0; id = f.NextUse(id) {
		if f.OpAt(id).IsDebug() {
			continue
		}
		if left--; left <= 0 {
			return true
		}
		if j, _ := f.Owner(id); j != i && isCopyLike(f, j) {
			return false
		}
	}
	return true
}

// deleteInstr erases an instruction; ranges are the caller's.
func (c *coalescer) deleteInstr(i mir.InstrID) {
	c.noteErased(i)
	c.f.Erase(i)
}

// noteErased makes work lists forget i, whose row may serve another instruction.
func (c *coalescer) noteErased(i mir.InstrID) {
	c.gen = rows.AtLeast(c.gen, c.f.NumInstrIDs())
	c.gen[i]++
}

func (c *coalescer) genOf(i mir.InstrID) uint32 {
	if int(i) < len(c.gen) {
		return c.gen[i]
	}
	return 0
}

// joinCopy tries to get rid of copy i. done reports that it is gone; again that a
// later attempt may succeed.
func (c *coalescer) joinCopy(i mir.InstrID) (done, again bool) {
	f := c.f
	p, ok := pairOf(f, i)
	if !ok {
		return false, false
	}
	c.p = p
	if p.newClass != desc.NoClass && c.allocatable(p.newClass) == 0 {
		return false, false
	}
	if !p.isPhys() {
		if allDefsDead(f, i) {
			c.dead = append(c.dead, i)
			c.eliminateDead()
			return true, false
		}
		if gone, undef := c.eliminateUndef(i); undef {
			if gone {
				c.deleteInstr(i)
			}
			return false, false
		}
	}
	if p.src == p.dst {
		far := c.mergeIdentity(i)
		c.deleteInstr(i)
		if far {
			c.shrinkToUses(p.src)
		}
		return true, false
	}
	if p.isPhys() {
		if !c.mayJoinPhys() {
			return c.rematerialize(i)
		}
		if !c.joinReserved() {
			return c.failed(i)
		}
	} else {
		if !p.partial && len(c.v.Interval(p.src).Segs) > len(c.v.Interval(p.dst).Segs) {
			c.p.flip() // the larger one stays
		} else if p.srcIdx == p.dstIdx && c.hasMany(p.src) && !c.hasMany(p.dst) {
			c.p.flip() // less is renamed
		}
		c.shrinkLanes, c.shrinkMain = 0, false
		if !c.joinVirtual() {
			return c.failed(i)
		}
	}
	c.finishJoin()
	return true, false
}

// failed tries what is left when the registers of copy i are not joined.
func (c *coalescer) failed(i mir.InstrID) (done, again bool) {
	if done, _ := c.rematerialize(i); done {
		return true, false
	}
	if !c.p.partial && !c.p.isPhys() {
		changed, shrink := c.adjustCopiesBack(i), false
		if !changed {
			changed, shrink = c.commuteCopyAway(i)
		}
		if changed {
			c.deleteInstr(i)
			if shrink {
				r := c.p.dst
				if c.p.flipped {
					r = c.p.src
				}
				c.shrinkToUses(r)
			}
			return true, false
		}
		if c.removePartialRedundancy(i) {
			return true, false
		}
	}
	return false, true
}

// finishJoin renames src to dst when their ranges are one.
func (c *coalescer) finishJoin() {
	f, p := c.f, &c.p
	if p.crossClass {
		f.VReg(p.dst).Class = int16(p.newClass)
		c.count("Number of cross class joins performed", 1)
	}
	if !p.isPhys() {
		c.inflate = append(c.inflate, p.dst)
	}
	if p.dstIdx != 0 {
		c.rename(p.dst, p.dst, p.dstIdx)
	}
	c.rename(p.src, p.dst, p.srcIdx)
	if !p.isPhys() {
		li := c.v.Interval(p.dst)
		if c.shrinkLanes != 0 {
			for k := range li.Subs {
				if li.Subs[k].Lanes&c.shrinkLanes != 0 {
					c.v.ShrinkSub(&li.Subs[k], li.Reg)
					c.shrinkMain = true
				}
			}
			li.RemoveEmptySubs()
		}
		if c.isLateReg(p.src) {
			c.shrinkMain = true // its range had uses that are gone
		}
		if c.shrinkMain {
			c.shrinkToUses(p.dst)
		}
	}
	c.v.Remove(p.src)
	c.count("Number of interval joins performed", 1)
}

// inflateClasses widens the classes of joined registers: without the copies they
// may be less constrained.
func (c *coalescer) inflateClasses() {
	st := c.pc.Subtarget
	if st == nil {
		return
	}
	slices.Sort(c.inflate)
	for _, r := range slices.Compact(c.inflate) {
		old := desc.ClassID(c.f.VReg(r).Class)
		wide := st.LargestSuperClass(old)
		if wide == old || c.allocatable(wide) <= c.allocatable(old) || !mentioned(c.f, r) {
			continue
		}
		if k := st.WidestClass(c.f, r); k != old {
			c.f.VReg(r).Class = int16(k)
			if li := c.v.Interval(r); li.HasSubs() && !c.v.TracksSubs(r) {
				li.Subs = li.Subs[:0]
			}
			c.count("Number of register classes inflated", 1)
		}
	}
}

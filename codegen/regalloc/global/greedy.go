package global

import (
	"errors"
	"strconv"

	"github.com/mirin-go/mirin/codegen/liveness"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// Greedy is the allocator of optimised code. Registers are assigned one by one,
// long ones first; one that finds none free takes one from registers that are
// cheaper to spill; what lost its place, or found none, is split into parts that
// are easier to place, and what cannot be split with profit is spilled.
//
// Each register goes through stages (see stage), so that every step is tried a
// bounded number of times; an eviction only hits registers of earlier
// cascades, so that two never evict each other in turn. Named caps bound what is
// looked at: maxInterference, maxRecolorDepth, hugeSize.
var Greedy = pass.Pass{
	Name:     "greedy",
	Title:    "Greedy Register Allocator",
	Requires: mir.NoPHIs,
	Clears:   mir.IsSSA,
	KeepsCFG: true,
	Keeps:    []pass.Kind{pass.KindOf[VirtRegMap](), pass.KindOf[DebugVars](), pass.KindOf[liveness.Indexes](), pass.KindOf[liveness.Intervals](), pass.KindOf[liveness.Stacks]()},
	Run:      runGreedy,
}

// stage says what was tried to place a register.
type stage uint8

const (
	stageNew    stage = iota // not seen yet
	stageAssign              // try to assign and to evict
	stageSplit               // try to split when nothing is free
	stageSplit2              // split, but only into parts that are sure to be smaller
	stageSpill               // nothing is left but to spill, or to be recoloured
	stageMemory              // to be spilled when all others are placed
	stageDone                // what spilling and splitting left: cannot be split or spilled
)

// maxInterference is the number of registers in one unit from which on eviction
// is not considered: one of so many is heavier.
const maxInterference = 10

// regInfo is what the allocator knows of one virtual register.
type regInfo struct {
	stage   stage
	cascade uint32 // 0: took part in no eviction
}

type greedy struct {
	alloc
	queue       queue
	info        []regInfo
	nextCascade uint32
	memory      uint32 // registers that wait for stageMemory
	// broken lists registers that did not get what they wanted, in order.
	broken   []mir.Reg
	isBroken map[mir.Reg]bool
	// fixed are registers that last-chance recolouring has placed.
	fixed    []mir.Reg
	victims  []mir.Reg
	hintInfo []hintInfo
	work     []mir.Reg
	visited  map[mir.Reg]bool
	err      error
	split    splitter
}

func runGreedy(c *pass.Context, f *mir.Function) error {
	g := pass.Scratch[greedy](c)
	if err := g.begin(c, f, "regalloc", g); err != nil {
		return err
	}
	g.queue.items, g.info, g.nextCascade, g.memory = g.queue.items[:0], g.info[:0], 1, 0
	g.broken, g.err = g.broken[:0], nil
	if g.isBroken == nil {
		g.isBroken, g.visited = map[mir.Reg]bool{}, map[mir.Reg]bool{}
	}
	clear(g.isBroken)
	g.split.begin(g)
	g.seed()
	if err := g.run(); err != nil {
		return err
	}
	g.recolorHints()
	return g.finish()
}

// seed weighs all registers and puts them into the queue.
func (g *greedy) seed() {
	for n := range g.f.NumVRegs() {
		r := mir.VReg(n)
		if g.isUsed(r) {
			g.weigh(g.lis.Interval(r))
		}
	}
	for n := range g.f.NumVRegs() {
		if r := mir.VReg(n); g.isUsed(r) {
			g.enqueue(r)
		}
	}
}

// isUsed reports whether an instruction other than debug ones names r.
func (a *alloc) isUsed(r mir.Reg) bool {
	for id := a.f.FirstUse(r); id != 0; id = a.f.NextUse(id) {
		if !a.f.OpAt(id).IsDebug() {
			return true
		}
	}
	return false
}

func (g *greedy) run() error {
	for !g.queue.empty() {
		if g.renumber() {
			g.split.x.forget()
		}
		r := g.queue.pop()
		if !g.isUsed(r) {
			g.drop(r)
			continue
		}
		g.newVRegs = g.newVRegs[:0]
		g.matrix.Changed()
		iv := g.lis.Interval(r)
		p, ok := g.selectOrSplit(iv, 0)
		if g.err != nil {
			return g.err
		}
		if !ok {
			return g.outOfRegisters(r)
		}
		if p != 0 {
			g.assign(iv, p)
		}
		for _, n := range g.newVRegs {
			if !g.isUsed(n) {
				g.drop(n)
				continue
			}
			g.enqueue(n)
		}
	}
	return nil
}

// drop forgets a register that nothing names any more.
func (a *alloc) drop(r mir.Reg) {
	if a.vrm.Phys(r) != 0 {
		a.unassign(a.lis.Interval(r))
	}
	if a.vrm.Original(r) != r {
		a.lis.Remove(r)
	}
}

func (a *alloc) assign(iv *liveness.Interval, p desc.PhysReg) {
	a.matrix.Assign(iv, mir.Reg(p))
	a.vrm.setPhys(iv.Reg, p)
}

func (a *alloc) unassign(iv *liveness.Interval) {
	a.matrix.Unassign(iv)
	a.vrm.setPhys(iv.Reg, 0)
}

func (a *alloc) outOfRegisters(r mir.Reg) error {
	class := "without a class"
	if k := a.f.VReg(r).Class; k >= 0 {
		class = "of class " + a.in.RegClassName(desc.ClassID(k))
	}
	return errors.New("in function " + a.f.Name + ": ran out of registers during register allocation: %" + strconv.Itoa(r.Index()) + " " + class)
}

// of returns what is known of a register.
func (g *greedy) of(r mir.Reg) *regInfo {
	n := r.Index()
	if n >= len(g.info) {
		g.info = append(g.info, make([]regInfo, n+1-len(g.info))...)
	}
	return &g.info[n]
}

// setStage gives new registers a stage.
func (g *greedy) setStage(regs []mir.Reg, s stage) {
	for _, r := range regs {
		if x := g.of(r); x.stage == stageNew {
			x.stage = s
		}
	}
}

func (g *greedy) cascadeOrNext(r mir.Reg) uint32 {
	if c := g.of(r).cascade; c != 0 {
		return c
	}
	return g.nextCascade
}

// requeue implements owner.
func (g *greedy) requeue(r mir.Reg) { g.enqueue(r) }

// cloned implements owner: a part is smaller and may be assigned once more.
func (g *greedy) cloned(n, r mir.Reg) {
	if g.of(r).stage != stageNew {
		g.of(r).stage = stageAssign
	}
	x := *g.of(r)
	*g.of(n) = x
	g.weigh(g.lis.Interval(n))
	g.enqueue(n)
}

func (g *greedy) enqueue(r mir.Reg) {
	g.queue.push(g.priority(g.lis.Interval(r)), r)
}

// priority orders the queue: what is as long as many blocks first, by length;
// then what lives in one block, in the order of the code, which colours it best;
// and last what waits for its split.
func (g *greedy) priority(iv *liveness.Interval) uint32 {
	const (
		maxPrio   = 1<<24 - 1
		assigning = 1 << 31
		hinted    = 1 << 30
	)
	r := iv.Reg
	x := g.of(r)
	if x.stage == stageNew {
		x.stage = stageAssign
	}
	size := g.size(&iv.Range)
	switch x.stage {
	case stageSplit:
		return uint32(size)
	case stageMemory:
		// In the reverse of the order in which they came.
		g.memory++
		return g.memory - 1
	}
	class := desc.ClassID(g.f.VReg(r).Class)
	k := &g.in.Classes[class]
	global := k.Flags&desc.ClassGlobalPriority != 0 || size/liveness.InstrDistance > 2*g.classes.NumAllocatable(class)
	prio, bit := uint32(min(size, maxPrio)), uint32(1)
	if x.stage == stageAssign && !global && !iv.Empty() && g.oneBlock(&iv.Range) != 0 {
		prio, bit = uint32(min(g.idx.Distance(iv.Begin(), g.idx.LastIndex())/liveness.InstrDistance, maxPrio)), 0
	}
	prio |= bit<<29 | uint32(k.Priority)<<24 | assigning
	if g.vrm.knowsPreference(r) {
		prio |= hinted
	}
	return prio
}

// selectOrSplit finds a register for iv. Without one, iv was split, spilled or
// put off, and newVRegs lists what is to be allocated instead; ok is false when
// there is no way at all.
func (g *greedy) selectOrSplit(iv *liveness.Interval, depth int) (p desc.PhysReg, ok bool) {
	r := iv.Reg
	before := len(g.newVRegs)
	var order allocOrder
	order.find(&g.alloc, r)
	limit := uint8(255)
	if p := g.tryAssign(iv, &order); p != 0 {
		if len(g.newVRegs) > before || !g.isUnusedSaved(p) {
			return p, true
		}
		var done bool
		if p, limit, done = g.firstSaved(iv, &order, p); done {
			return p, true
		}
	}
	if len(g.newVRegs) > before {
		return 0, true
	}
	s := g.of(r).stage
	// What failed here comes again when it was split, not before.
	if s != stageSplit {
		if p := g.tryEvict(iv, &order, limit); p != 0 {
			if h := g.vrm.simpleHint(r); h != 0 && g.vrm.physOf(h) != p {
				g.noteBroken(r)
			}
			return p, true
		}
	}
	// The first time, wait until all that is smaller has its place: what is in the
	// way is known better then.
	if s < stageSplit {
		g.of(r).stage = stageSplit
		g.newVRegs = append(g.newVRegs, r)
		return 0, true
	}
	if s < stageSpill && !iv.Empty() {
		p := g.trySplit(iv, &order)
		if p != 0 || len(g.newVRegs) > before {
			return p, true
		}
	}
	if s >= stageDone || !iv.Spillable() {
		return g.recolor(iv, &order, depth)
	}
	from := len(g.newVRegs)
	if err := g.spiller.spill(iv, &g.newVRegs); err != nil {
		g.err = err
		return 0, true
	}
	g.setStage(g.newVRegs[from:], stageDone)
	return 0, true
}

// tryAssign gives iv a free register: one that it wants, else the first, unless a
// cheap eviction gets it a better one.
func (g *greedy) tryAssign(iv *liveness.Interval, o *allocOrder) desc.PhysReg {
	p := desc.PhysReg(0)
	for k := 0; k < o.num() && p == 0; k++ {
		x, hint := o.at(k)
		if x == 0 || g.matrix.Check(iv, mir.Reg(x)) != liveness.Free {
			continue
		}
		if hint {
			return x
		}
		p = x
	}
	if p == 0 {
		return 0
	}
	if h := g.vrm.simpleHint(iv.Reg); h.IsPhysical() && o.isHint(desc.PhysReg(h)) {
		x := desc.PhysReg(h)
		limit := evictionCost{hints: 1}
		if g.canEvict(iv, x, true, &limit) {
			g.evict(iv, x)
			return x
		}
		if g.splitAroundHint(iv, x) {
			return 0
		}
		g.noteBroken(iv.Reg)
	}
	cost := g.in.Regs[p].Cost
	if cost == 0 {
		return p
	}
	if cheap := g.tryEvict(iv, o, cost); cheap != 0 {
		return cheap
	}
	return p
}

func (g *greedy) noteBroken(r mir.Reg) {
	if !g.isBroken[r] {
		g.isBroken[r] = true
		g.broken = append(g.broken, r)
	}
}

// isUnusedSaved reports whether p is a part of a callee-saved register that
// nothing uses yet: the prologue would have to save it.
func (g *greedy) isUnusedSaved(p desc.PhysReg) bool {
	s := g.classes.SavedAlias(p)
	return s != 0 && !g.matrix.IsUsed(mir.Reg(p))
}

// finish ends the allocation: intervals of registers that nothing names go.
func (a *alloc) finish() error {
	err := a.spiller.finish()
	for n := range a.f.NumVRegs() {
		if r := mir.VReg(n); a.lis.Has(r) && !a.isUsed(r) {
			a.lis.Remove(r)
		}
	}
	return err
}

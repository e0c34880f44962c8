package global

import (
	"cmp"
	"slices"

	"github.com/mirin-go/mirin/codegen/liveness"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// PBQP chooses all registers at once: what it costs to spill each, that two which
// are live at once must not overlap, and what a copy costs whose registers differ,
// are one problem (pbqpsolver.go). What it spills becomes short registers that are
// part of the next round's problem.
//
// A problem that would be too large, and registers that are still left after so
// many rounds, are Basic's.
var PBQP = pass.Pass{
	Name:     "regallocpbqp",
	Title:    "PBQP Register Allocator",
	Requires: mir.NoPHIs,
	Clears:   mir.IsSSA,
	KeepsCFG: true,
	Keeps:    []pass.Kind{pass.KindOf[VirtRegMap](), pass.KindOf[DebugVars](), pass.KindOf[liveness.Indexes](), pass.KindOf[liveness.Intervals](), pass.KindOf[liveness.Stacks]()},
	Run:      runPBQP,
}

const (
	// maxRounds is how often what was spilled is allocated with all the rest.
	maxRounds = 16
	// maxPairs bounds how many pairs of live segments are looked at in one round.
	maxPairs = 1 << 22
	// minSpillCost is what a spill costs at least beside its accesses, so that a
	// register that is hardly ever used is not spilled for a copy.
	minSpillCost = 1
	// savedCost is what a callee-saved register costs.
	savedCost = 1
)

type pbqpAlloc struct {
	basic
	g pbqp
	// regs are the registers that are nodes; node their numbers, by register, -1 for none.
	regs []mir.Reg
	node []int32
	// allowed is what the nodes may have: that of a node is a row of sets, which are
	// the same for nodes that may have the same.
	allowed []int32
	sets    []pbqpSet
	regsBuf []desc.PhysReg
	segs    []pbqpSeg
	active  []pbqpSeg
	edges   map[uint64]int32 // by both nodes, the lower one above
	shared  map[uint64]int32 // matrices of interference, by both sets; -1: none
	spill   []mir.Reg
}

// pbqpSet is registers in order, in regsBuf.
type pbqpSet struct {
	at, n int32
}

type pbqpSeg struct {
	start, end liveness.Index
	node       int32
}

func runPBQP(c *pass.Context, f *mir.Function) error {
	p := pass.Scratch[pbqpAlloc](c)
	if err := p.begin(c, f, "regallocpbqp", p); err != nil {
		return err
	}
	p.queue.items = p.queue.items[:0]
	for n := range f.NumVRegs() {
		if r := mir.VReg(n); p.isUsed(r) {
			p.weigh(p.lis.Interval(r))
		}
	}
	for range maxRounds {
		p.renumber()
		if !p.build() {
			break
		}
		p.g.solve()
		if done, err := p.take(); err != nil {
			return err
		} else if done {
			break
		}
		c.Count("regallocpbqp", "Number of rounds of spilling", 1)
	}
	// What has no place: after so many rounds, or where nothing fits but what Basic
	// makes room for.
	p.queue.items = p.queue.items[:0]
	for n := range f.NumVRegs() {
		if r := mir.VReg(n); p.isUsed(r) && p.vrm.Phys(r) == 0 {
			p.requeue(r)
		}
	}
	if err := p.run(); err != nil {
		return err
	}
	return p.finish()
}

// build makes the problem; false: it is too large.
func (p *pbqpAlloc) build() bool {
	f := p.f
	p.g.reset()
	p.regs, p.allowed, p.sets, p.regsBuf = p.regs[:0], p.allowed[:0], p.sets[:0], p.regsBuf[:0]
	p.node = append(p.node[:0], make([]int32, f.NumVRegs())...)
	if p.edges == nil {
		p.edges, p.shared = map[uint64]int32{}, map[uint64]int32{}
	}
	clear(p.edges)
	clear(p.shared)
	byHash := map[uint64][]int32{}
	for n := range f.NumVRegs() {
		p.node[n] = -1
		r := mir.VReg(n)
		if !p.isUsed(r) {
			continue
		}
		if p.lis.Interval(r).Empty() {
			continue // anything will do
		}
		p.node[n] = int32(len(p.regs))
		p.regs = append(p.regs, r)
		set := p.findAllowed(p.lis.Interval(r), byHash)
		p.allowed = append(p.allowed, set)
		p.nodeCosts(p.lis.Interval(r), set)
	}
	if !p.interference() {
		return false
	}
	p.coalescing()
	return true
}

// findAllowed finds the registers that iv may have: those of its class that no fixed
// register and no call is in the way of.
func (p *pbqpAlloc) findAllowed(iv *liveness.Interval, byHash map[uint64][]int32) int32 {
	at := len(p.regsBuf)
	p.matrix.Changed()
	hash := uint64(14695981039346656037)
	for _, r := range p.order(iv.Reg) {
		if p.matrix.InterferesWithMask(iv, mir.Reg(r)) || p.matrix.InterferesWithUnits(iv, mir.Reg(r)) {
			continue
		}
		p.regsBuf = append(p.regsBuf, r)
		hash = (hash ^ uint64(r)) * 1099511628211
	}
	mine := p.regsBuf[at:]
	for _, s := range byHash[hash] {
		if slices.Equal(p.set(s), mine) {
			p.regsBuf = p.regsBuf[:at]
			return s
		}
	}
	s := int32(len(p.sets))
	p.sets = append(p.sets, pbqpSet{int32(at), int32(len(mine))})
	byHash[hash] = append(byHash[hash], s)
	return s
}

func (p *pbqpAlloc) set(s int32) []desc.PhysReg {
	x := &p.sets[s]
	return p.regsBuf[x.at : x.at+x.n]
}

// nodeCosts adds a node for iv. The cost of a spill is what its accesses cost, in
// runs of the function.
func (p *pbqpAlloc) nodeCosts(iv *liveness.Interval, set int32) {
	regs := p.set(set)
	costs := p.g.addNode(1 + len(regs))
	costs[0] = inf
	if iv.Spillable() {
		costs[0] = iv.Weight*float32(p.size(&iv.Range)+unspilledSlots) + minSpillCost
	}
	for k, r := range regs {
		if p.classes.SavedAlias(r) != 0 {
			costs[1+k] = savedCost
		}
	}
}

// interference adds an edge for each two nodes that are live at once and may have
// registers that overlap.
func (p *pbqpAlloc) interference() bool {
	p.segs, p.active = p.segs[:0], p.active[:0]
	for n, r := range p.regs {
		for _, s := range p.lis.Interval(r).Segs {
			p.segs = append(p.segs, pbqpSeg{s.Start, s.End, int32(n)})
		}
	}
	slices.SortFunc(p.segs, func(a, b pbqpSeg) int { return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.node, b.node)) })
	left := maxPairs
	for _, s := range p.segs {
		if left -= len(p.active); left < 0 {
			return false
		}
		n := 0
		for _, o := range p.active {
			if o.end <= s.start {
				continue
			}
			p.active[n] = o
			n++
			p.interferes(o.node, s.node)
		}
		p.active = append(p.active[:n], s)
	}
	return true
}

func pbqpPair(a, b int32) uint64 { return uint64(min(a, b))<<32 | uint64(max(a, b)) }

func (p *pbqpAlloc) interferes(a, b int32) {
	a, b = min(a, b), max(a, b)
	key := pbqpPair(a, b)
	if _, have := p.edges[key]; have || a == b {
		return
	}
	if m := p.conflicts(p.allowed[a], p.allowed[b]); m >= 0 {
		p.edges[key] = p.g.addEdge(a, b, m)
	}
}

// conflicts is the matrix of two sets whose registers must not overlap, -1 when none do.
func (p *pbqpAlloc) conflicts(a, b int32) int32 {
	key := uint64(a)<<32 | uint64(b)
	if m, ok := p.shared[key]; ok {
		return m
	}
	x, y := p.set(a), p.set(b)
	m, cells, any := int32(-1), []float32(nil), false
	for i, r := range x {
		for j, s := range y {
			if !p.in.Overlap(r, s) {
				continue
			}
			if !any {
				m, cells = p.g.addMatrix(1+len(x), 1+len(y))
				any = true
			}
			cells[(1+i)*(1+len(y))+1+j] = inf
		}
	}
	if any {
		p.g.measure(m)
	}
	p.shared[key] = m
	return m
}

// coalescing makes it worth while for the registers of a copy to be one.
func (p *pbqpAlloc) coalescing() {
	f := p.f
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		freq := p.instrWeight(b)
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			if !p.isFullCopy(i) || f.Op(i, 1).IsUndef() {
				continue
			}
			dst, src := f.Op(i, 0).Reg(), f.Op(i, 1).Reg()
			if dst.IsPhysical() {
				dst, src = src, dst
			}
			if !dst.IsVirtual() || p.node[dst.Index()] < 0 {
				continue
			}
			d := p.node[dst.Index()]
			if src.IsPhysical() {
				if k := slices.Index(p.set(p.allowed[d]), desc.PhysReg(src)); k >= 0 {
					p.g.costsOf(d)[1+k] -= freq
				}
			} else if s := p.node[src.Index()]; s >= 0 && s != d {
				p.attract(min(d, s), max(d, s), freq)
			}
		}
	}
}

// attract makes it cheaper for nodes a and b, of a lower number, to have the same register.
func (p *pbqpAlloc) attract(a, b int32, freq float32) {
	if len(p.g.cells) >= maxCells {
		return
	}
	x, y := p.set(p.allowed[a]), p.set(p.allowed[b])
	e, have := p.edges[pbqpPair(a, b)]
	m, cells := p.g.addMatrix(1+len(x), 1+len(y))
	if have {
		old := &p.g.mats[p.g.edges[e].mat]
		copy(cells, p.g.cells[old.at:old.at+old.rows*old.cols])
	}
	for i, r := range x {
		if j := slices.Index(y, r); j >= 0 {
			cells[(1+i)*(1+len(y))+1+j] -= freq
		}
	}
	p.g.measure(m)
	if have {
		p.g.edges[e].mat = m // it forbids what the old one did
		return
	}
	p.edges[pbqpPair(a, b)] = p.g.addEdge(a, b, m)
}

// take spills what is to be spilled; where nothing is, all registers get their place
// and it is done. A node for which nothing was left is Basic's.
func (p *pbqpAlloc) take() (done bool, err error) {
	p.spill = p.spill[:0]
	for n, r := range p.regs {
		if p.g.nodes[n].choice == 0 && p.lis.Interval(r).Spillable() {
			p.spill = append(p.spill, r)
		}
	}
	for _, r := range p.spill {
		if !p.isUsed(r) || p.lis.Interval(r).Empty() {
			continue
		}
		p.newVRegs = p.newVRegs[:0]
		if err := p.spiller.spill(p.lis.Interval(r), &p.newVRegs); err != nil {
			return false, err
		}
		for _, n := range p.newVRegs {
			if !p.isUsed(n) {
				p.drop(n)
			}
		}
	}
	if len(p.spill) > 0 {
		return false, nil
	}
	p.matrix.Changed()
	for n, r := range p.regs {
		k := p.g.nodes[n].choice
		if k == 0 {
			continue
		}
		iv := p.lis.Interval(r)
		if phys := p.set(p.allowed[n])[k-1]; p.matrix.Check(iv, mir.Reg(phys)) == liveness.Free {
			p.assign(iv, phys)
		}
	}
	return true, nil
}

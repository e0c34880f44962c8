package global

import (
	"math"
	"math/bits"

	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// spillPlacement decides, for a value and a physical register, in which edge
// bundles the value should be in the register. Bundles are the neurons of a
// Hopfield network: a block where the value is used near an end pulls the bundle
// there one way or the other by the block's frequency, and a block that the
// value only passes through ties the bundles at its two ends together. The
// network settles in a state where few spills and reloads are on hot edges.
//
// The caller adds blocks step by step (constraints, links), and looks at which
// bundles turned positive to find the blocks to add next, so that only the part
// of the function is looked at where the register is worth having.
type spillPlacement struct {
	bundles   *EdgeBundles
	freq      []float64
	entry     float64
	threshold float64
	nodes     []placementNode
	values    []int8        // by bundle: 1 in a register, -1 on the stack, 0 either
	ends      []blockEnds   // by block
	beside    []mir.BlockID // by bundle, of findAlone
	active    *bitset
	todo      []int32 // bundles to update, each once
	inTodo    []bool
	// recent lists the bundles that turned to prefer a register since the caller looked.
	recent []int32
	// low is what the constraints cost at least, each bundle for itself; of it slack may
	// be no constraint's.
	low, slack float64
}

// borderConstraint says where a value should be at one end of a block.
type borderConstraint uint8

const (
	dontCare  borderConstraint = iota // the block does not say
	prefReg                           // a register saves a reload
	prefSpill                         // a register costs a spill or a reload
	prefBoth                          // the register is used, but changed on the way
	mustSpill                         // the register cannot be had
)

// blockConstraint is what a block says about both its ends.
type blockConstraint struct {
	block       mir.BlockID
	entry, exit borderConstraint
	// changes says that the value at the exit is not that at the entry.
	changes bool
}

// blockEnds are the bundles of the edges into and out of a block, and how often it
// runs. alone says that no other block lies between the same two.
type blockEnds struct {
	in, out int32
	freq    float64
	alone   bool
}

type placementNode struct {
	biasN, biasP float64
	sumLinks     float64
	links        []placementLink
}

type placementLink struct {
	weight float64
	to     int32
}

// bigBundle is the number of blocks from which on a bundle is pulled towards the stack.
const bigBundle = 100

func (p *spillPlacement) init(c *pass.Context, f *mir.Function, bundles *EdgeBundles) {
	p.bundles = bundles
	p.freq = pass.Get[pass.Frequencies](c, f).Freq
	p.entry = p.freq[f.FirstBlock()]
	// A dead zone about zero, so that sums that ought to cancel out decide nothing.
	p.threshold = p.entry / (1 << 13)
	n := bundles.Num()
	if len(p.nodes) < n {
		p.nodes = append(p.nodes, make([]placementNode, n-len(p.nodes))...)
	}
	p.values = rows.Sized(p.values, n)
	p.ends = rows.Sized(p.ends, f.NumBlockIDs())
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		p.ends[b] = blockEnds{int32(bundles.Of(b, false)), int32(bundles.Of(b, true)), p.freq[b], true}
	}
	p.findAlone()
	p.inTodo = rows.Zeroed(p.inTodo, n)
	p.todo = p.todo[:0]
}

// findAlone finds the blocks that lie between two bundles with others.
func (p *spillPlacement) findAlone() {
	p.beside = rows.Zeroed(p.beside, p.bundles.Num())
	for n := range p.bundles.Num() {
		blocks := p.bundles.Blocks(n)
		other := func(b mir.BlockID) int32 {
			e := &p.ends[b]
			return e.in + e.out - int32(n)
		}
		for _, b := range blocks {
			x := &p.beside[other(b)]
			if *x != 0 {
				p.ends[*x].alone, p.ends[b].alone = false, false
			}
			*x = b
		}
		for _, b := range blocks {
			p.beside[other(b)] = 0
		}
	}
}

// prepare begins a network; finish leaves in reg the bundles that prefer a register.
func (p *spillPlacement) prepare(reg *bitset) {
	p.recent, p.low, p.slack = p.recent[:0], 0, 0
	for _, n := range p.todo {
		p.inTodo[n] = false
	}
	p.todo = p.todo[:0]
	p.active = reg
	reg.reset(p.bundles.Num())
}

func (p *spillPlacement) activate(n int32) {
	if !p.inTodo[n] {
		p.inTodo[n] = true
		p.todo = append(p.todo, n)
	}
	if p.active.has(int(n)) {
		return
	}
	p.active.add(int(n))
	p.values[n] = 0
	x := &p.nodes[n]
	*x = placementNode{sumLinks: p.threshold, links: x.links[:0]}
	if len(p.bundles.Blocks(int(n))) > bigBundle {
		// Where so many blocks meet, a good part of them must want the register before
		// the region grows through: that bounds the work as well.
		x.biasN = p.entry / 16
		p.slack += x.biasN
	}
}

func (x *placementNode) addBias(freq float64, c borderConstraint) {
	switch c {
	case prefReg:
		x.biasP += freq
	case prefSpill:
		x.biasN += freq
	case mustSpill:
		x.biasN = math.Inf(1)
	}
}

// addLink adds a link, to what there may be a link already unless it is the only one.
func (x *placementNode) addLink(to int32, weight float64, only bool) {
	x.sumLinks += weight
	for k := 0; !only && k < len(x.links); k++ {
		if x.links[k].to == to {
			x.links[k].weight += weight
			return
		}
	}
	x.links = append(x.links, placementLink{weight, to})
}

func (p *spillPlacement) prefersReg(n int) bool { return p.values[n] > 0 }

// cannotChange says that nothing the neighbours do brings the value into a register.
func (x *placementNode) cannotChange() bool { return x.biasN >= x.biasP+x.sumLinks }

// update brings node n up to date and reports whether it changed its mind.
func (p *spillPlacement) update(n int) bool {
	x := &p.nodes[n]
	if x.biasN > math.MaxFloat64 && p.values[n] <= 0 {
		p.values[n] = -1 // whatever the neighbours say
		return false
	}
	sumN, sumP := x.biasN, x.biasP
	for _, l := range x.links {
		switch p.values[l.to] {
		case -1:
			sumN += l.weight
		case 1:
			sumP += l.weight
		}
	}
	value := int8(0)
	switch {
	case sumN >= sumP+p.threshold:
		value = -1
	case sumP >= sumN+p.threshold:
		value = 1
	}
	before := p.values[n] > 0
	p.values[n] = value
	if before == (value > 0) {
		return false
	}
	for _, l := range x.links {
		if p.values[l.to] != value && !p.inTodo[l.to] {
			p.inTodo[l.to] = true
			p.todo = append(p.todo, l.to)
		}
	}
	return true
}

func (p *spillPlacement) addConstraints(list []blockConstraint) {
	for k := range list {
		x := &list[k]
		e := p.ends[x.block]
		if x.entry != dontCare {
			p.activate(e.in)
			p.constrain(e.in, e.freq, x.entry)
		}
		if x.exit != dontCare {
			p.activate(e.out)
			p.constrain(e.out, e.freq, x.exit)
		}
	}
}

func (p *spillPlacement) constrain(n int32, freq float64, c borderConstraint) {
	x := &p.nodes[n]
	before := min(x.biasN, x.biasP)
	x.addBias(freq, c)
	p.low += min(x.biasN, x.biasP) - before
}

// lowest is what all constraints so far cost at least, whatever the network settles on:
// in each bundle those that want a register go without, or those that do not pay. More
// constraints and links never make it less.
func (p *spillPlacement) lowest() float64 { return p.low - p.slack }

// addPrefSpill pulls both ends of the blocks to the stack, strong: twice.
func (p *spillPlacement) addPrefSpill(blocks []mir.BlockID, strong bool) {
	for _, b := range blocks {
		e := p.ends[b]
		if strong {
			e.freq += e.freq
		}
		p.activate(e.in)
		p.activate(e.out)
		p.nodes[e.in].addBias(e.freq, prefSpill)
		p.nodes[e.out].addBias(e.freq, prefSpill)
	}
}

// addLinks ties the ends of blocks that the value passes through unhindered.
func (p *spillPlacement) addLinks(blocks []mir.BlockID) {
	for _, b := range blocks {
		e := p.ends[b]
		if e.in == e.out {
			continue
		}
		p.activate(e.in)
		p.activate(e.out)
		p.nodes[e.in].addLink(e.out, e.freq, e.alone)
		p.nodes[e.out].addLink(e.in, e.freq, e.alone)
	}
}

// scanActive updates every active bundle once and reports whether one prefers a register.
func (p *spillPlacement) scanActive() bool {
	p.recent = p.recent[:0]
	for n := p.active.next(0); n >= 0; n = p.active.next(n + 1) {
		p.update(n)
		if !p.nodes[n].cannotChange() && p.prefersReg(n) {
			p.recent = append(p.recent, int32(n))
		}
	}
	return len(p.recent) > 0
}

// iterate lets the network settle from what was added. It stops after ten
// updates a bundle: with real numbers as weights it settles much earlier.
func (p *spillPlacement) iterate() {
	p.recent = p.recent[:0]
	for limit := p.bundles.Num() * 10; limit > 0 && len(p.todo) > 0; limit-- {
		n := p.todo[len(p.todo)-1]
		p.todo = p.todo[:len(p.todo)-1]
		p.inTodo[n] = false
		if p.update(int(n)) && p.prefersReg(int(n)) {
			p.recent = append(p.recent, n)
		}
	}
}

// finish leaves the bundles that prefer a register in the set given to prepare,
// and reports whether that is all that took part.
func (p *spillPlacement) finish() bool {
	perfect := true
	for n := p.active.next(0); n >= 0; n = p.active.next(n + 1) {
		if !p.prefersReg(n) {
			p.active.remove(n)
			perfect = false
		}
	}
	p.active = nil
	return perfect
}

// bitset is a set of small numbers.
type bitset struct{ words []uint64 }

func (s *bitset) reset(n int) {
	s.words = rows.Zeroed(s.words, (n+63)/64)
}

func (s *bitset) has(n int) bool { return s.words[n/64]>>(n%64)&1 != 0 }
func (s *bitset) add(n int)      { s.words[n/64] |= 1 << (n % 64) }
func (s *bitset) remove(n int)   { s.words[n/64] &^= 1 << (n % 64) }

// addRange adds all numbers from from to to, both included.
func (s *bitset) addRange(from, to int) {
	first, last := ^uint64(0)<<(from%64), ^uint64(0)>>(63-to%64)
	if from/64 == to/64 {
		s.words[from/64] |= first & last
		return
	}
	s.words[from/64] |= first
	for k := from/64 + 1; k < to/64; k++ {
		s.words[k] = ^uint64(0)
	}
	s.words[to/64] |= last
}

// next returns the least member from n on, -1 when there is none.
func (s *bitset) next(n int) int {
	k := n / 64
	if k >= len(s.words) {
		return -1
	}
	w := s.words[k] >> (n % 64)
	if w != 0 {
		return n + bits.TrailingZeros64(w)
	}
	for k++; k < len(s.words); k++ {
		if s.words[k] != 0 {
			return k*64 + bits.TrailingZeros64(s.words[k])
		}
	}
	return -1
}

func (s *bitset) copyFrom(o *bitset) { s.words = append(s.words[:0], o.words...) }

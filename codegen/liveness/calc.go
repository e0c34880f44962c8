package liveness

import (
	"math"
	"math/bits"
	"slices"

	"github.com/mirin-go/mirin/analysis"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// calc makes ranges reach their uses, and finds which value reaches them where
// several do: SSA form of one register at a time. From each use that no
// definition precedes in its block it walks up the graph to the blocks that have
// a value at their end, so that the cost is that of the blocks in which the
// register is live; tables over blocks are cleared by counting epochs.
//
// PHI values are placed on the iterated dominance frontier, found by the deepest
// definition first over the edges that the register is live on (Sreedhar and
// Gao, "A linear time algorithm for placing φ-nodes", 1995): linear in these.
type calc struct {
	f *mir.Function
	x *Indexes
	c *pass.Context

	epoch  uint32
	blocks []calcBlock
	// live lists the blocks that the range is to be live into.
	live []mir.BlockID
	segs []Segment
	// edges are those on which the register is live between two blocks of live
	// that have no value of their own.
	edges []liveEdge
	heap  []uint64
	stack []mir.BlockID
	// regions are the parts of the graph that count as their header where they can;
	// known says that they are those of this graph and layout.
	regions regions
	known   bool
	// nests are, in order, those of the blocks that extend was asked to reach.
	nests  []int32
	undefs []Index
	// row is, by block, its row of the indexes' order in the layout that has number
	// layout; inRange is a set of rows.
	row     []int32
	inRange []uint64
	layout  uint32
}

type liveEdge struct {
	to   mir.BlockID
	next int32
}

// calcBlock is what is known of a block in the current epoch.
type calcBlock struct {
	epoch uint32
	state blockState
	// kill is where the range that comes in ends; 0: it does not come in.
	kill Index
	// out is the value at the block's end for outValue; in the one at its start.
	out, in ValueID
	// edge heads the list of edges out; child and sibling are the dominator tree of live.
	edge           int32
	child, sibling mir.BlockID
	// rep is the block that this one is part of: the header of a region, or itself; 0: not known.
	rep mir.BlockID
	// region says that the block stands for a region: its number + 1.
	region int32
}

type blockState uint8

const (
	outValue   blockState = 1 << iota // the end has value out
	outUndef                          // the end is undefined
	outThrough                        // the end has what comes in
	reached                           // a definition reaches the block
	needsPHI
	visited
	valued
)

const isOut = outValue | outUndef | outThrough

// point is a place that a range must be live up to, in block b.
type point struct {
	at Index
	b  mir.BlockID
}

func (k *calc) begin() {
	k.blocks = rows.AtLeast(k.blocks, k.f.NumBlockIDs())
	if k.epoch++; k.epoch == 0 {
		clear(k.blocks)
		k.epoch = 1
	}
	k.live, k.edges, k.nests = k.live[:0], k.edges[:0], k.nests[:0]
}

func (k *calc) block(b mir.BlockID) *calcBlock {
	p := &k.blocks[b]
	if p.epoch != k.epoch {
		*p = calcBlock{epoch: k.epoch, edge: -1}
	}
	return p
}

// comeIn makes the range live from the start of b to kill.
func (k *calc) comeIn(b mir.BlockID, kill Index) {
	p := k.block(b)
	if p.kill == 0 {
		k.live = append(k.live, b)
	}
	p.kill = max(p.kill, kill)
}

// rep is the block that b counts as: the header of the greatest region around it
// that r is live through when it is live in b.
func (k *calc) rep(r *Range, b mir.BlockID) mir.BlockID {
	if !k.regions.some() {
		return b
	}
	p := k.block(b)
	if p.rep != 0 {
		return p.rep
	}
	x := k.regions.around(b, k.x, r, k.undefs, k.nests)
	if x < 0 {
		p.rep = b
		return b
	}
	h := k.regions.all[x].header
	p.rep = h
	q := k.block(h)
	q.rep, q.region = h, x+1
	return h
}

// within reports whether pred is part of the region that b stands for.
func (k *calc) within(b, pred mir.BlockID) bool {
	x := k.blocks[b].region
	return x != 0 && k.regions.contains(x-1, pred)
}

// findRegions finds the regions, once for a graph, and the nests of the uses.
func (k *calc) findRegions(uses []point) {
	if !k.known {
		k.known = true
		k.regions.build(k.c, k.f, func(b mir.BlockID) mir.BlockID {
			if b == 0 {
				return k.f.FirstBlock()
			}
			return k.f.NextBlock(b)
		})
	}
	k.regions.ask()
	if len(k.regions.nest) == 0 {
		return
	}
	for _, u := range uses {
		k.nests = k.regions.appendNest(k.nests, u.b)
	}
	slices.Sort(k.nests)
}

// extend makes r live up to all points of uses. undefs, in order, end all values.
func (k *calc) extend(r *Range, uses []point, undefs []Index) {
	k.begin()
	k.undefs = undefs
	for _, u := range uses {
		if v, undef := r.ExtendInBlockUndef(undefs, k.x.BlockStart(u.b), u.at); v == NoValue && !undef {
			if len(k.live) == 0 {
				k.findRegions(uses)
			}
			if b := k.rep(r, u.b); k.block(b).region != 0 {
				k.liveThrough(b)
			} else {
				k.comeIn(b, u.at)
			}
		}
	}
	if len(k.live) == 0 {
		return
	}
	only, some, undefined := NoValue, 0, false
	for n := 0; n < len(k.live); n++ {
		preds := k.f.Preds(k.live[n])
		undefined = undefined || len(preds) == 0 || k.live[n] == k.f.FirstBlock()
		for _, pred := range preds {
			if k.within(k.live[n], pred) {
				continue
			}
			pred = k.rep(r, pred)
			p := k.block(pred)
			if p.state&isOut != 0 {
				continue
			}
			if p.region != 0 {
				k.liveThrough(pred)
				continue
			}
			end := k.x.BlockEnd(pred)
			v, undef := r.ExtendInBlockUndef(undefs, k.x.BlockStart(pred), end)
			switch {
			case undef:
				p.state |= outUndef
				undefined = true
			case v != NoValue:
				p.state |= outValue
				p.out = v
				if some == 0 || v != only {
					only = v
					some++
				}
			default:
				p.state |= outThrough
				k.comeIn(pred, end)
			}
		}
	}
	if some == 0 {
		return // nothing is defined on any way to here
	}
	if some == 1 && !undefined {
		for _, b := range k.live {
			k.blocks[b].in = only
		}
	} else {
		k.values(r, undefined)
	}
	k.addLive(r)
}

// liveThrough makes the range come into the region that b stands for and go on to its ends.
func (k *calc) liveThrough(b mir.BlockID) {
	k.block(b).state |= outThrough
	k.comeIn(b, k.x.BlockEnd(b))
}

// fewLive is the number of live-in blocks up to which they are put in order by sorting.
const fewLive = 12

// sortLive puts the blocks of live into the order of the layout.
func (k *calc) sortLive() {
	if len(k.live) <= fewLive {
		slices.SortFunc(k.live, func(a, b mir.BlockID) int { return int(int64(k.x.start[a]) - int64(k.x.start[b])) })
		return
	}
	order := k.x.order
	if k.layout != k.x.layout {
		k.layout = k.x.layout
		k.row = rows.AtLeast(k.row, k.f.NumBlockIDs())
		for n := range order {
			k.row[order[n].b] = int32(n)
		}
		k.inRange = rows.AtLeast(k.inRange, len(order)/64+1)
	}
	lo, hi := math.MaxInt, 0
	for _, b := range k.live {
		n := int(k.row[b])
		k.inRange[n/64] |= 1 << (n % 64)
		lo, hi = min(lo, n/64), max(hi, n/64)
	}
	k.live = k.live[:0]
	for n := lo; n <= hi; n++ {
		for w := k.inRange[n]; w != 0; w &= w - 1 {
			k.live = append(k.live, order[n*64+bits.TrailingZeros64(w)].b)
		}
		k.inRange[n] = 0
	}
}

// addLive puts the stretches of the live-in blocks into r. Those that touch are
// joined first, so that a register that is live through much keeps little memory.
func (k *calc) addLive(r *Range) {
	k.segs = k.segs[:0]
	apart := true // the stretches of different blocks come in order
	k.sortLive()
	for _, b := range k.live {
		p := &k.blocks[b]
		if p.region == 0 {
			k.segs = append(k.segs, Segment{k.x.BlockStart(b), p.kill, p.in})
			continue
		}
		apart = false
		for _, run := range k.regions.runsOf(p.region - 1) {
			k.segs = append(k.segs, Segment{k.x.BlockStart(run.from), k.x.BlockEnd(run.to), p.in})
		}
	}
	if !apart {
		slices.SortFunc(k.segs, func(a, b Segment) int {
			if a.Start < b.Start {
				return -1
			}
			return 1
		})
	}
	n := 0
	for _, s := range k.segs {
		if n > 0 && k.segs[n-1].End == s.Start && k.segs[n-1].Val == s.Val {
			k.segs[n-1].End = s.End
			continue
		}
		k.segs[n] = s
		n++
	}
	r.mergeSorted(k.segs[:n], func(v ValueID) ValueID { return v })
}

// level is the depth of b in the dominator tree. Nothing is said of blocks that
// are not reached: they count as the deepest, so that every way out of them needs a PHI value.
func level(d *analysis.Dominators, b mir.BlockID) uint32 {
	if l := d.Level(int(b)); l >= 0 {
		return uint32(l)
	}
	return math.MaxUint32
}

// values finds the value that comes into each block of live, with new PHI values
// where several meet.
func (k *calc) values(r *Range, undefined bool) {
	d := &pass.Get[pass.Dominators](k.c, k.f).Dominators
	k.collectEdges(r)
	if undefined {
		k.dropUnreached(r)
	}
	k.placePHIs(r, d)
	k.sortLive()
	for _, b := range k.live {
		if p := &k.blocks[b]; p.state&needsPHI != 0 {
			p.in = r.NewValue(k.x.BlockStart(b))
			p.state |= valued
		}
	}
	for _, b := range k.live {
		// Up the tree to a value, and down again.
		k.stack = k.stack[:0]
		v := NoValue
		for at := b; v == NoValue; {
			if p := &k.blocks[at]; p.state&valued != 0 {
				v = p.in
				break
			}
			k.stack = append(k.stack, at)
			idom := k.rep(r, mir.BlockID(d.IDom(int(at))))
			if k.passes(idom) {
				at = idom
				continue
			}
			v = k.outOf(r, idom)
		}
		for _, at := range k.stack {
			p := &k.blocks[at]
			p.in = v
			p.state |= valued
		}
	}
}

// passes reports whether b hands what comes in on to its end.
func (k *calc) passes(b mir.BlockID) bool {
	p := k.block(b)
	return p.state&outThrough != 0 && p.kill != 0
}

// outOf is the value at the end of a block with one of its own, NoValue for none.
func (k *calc) outOf(r *Range, b mir.BlockID) ValueID {
	switch p := k.block(b); {
	case p.state&outValue != 0:
		return p.out
	case p.state&(outUndef|outThrough) != 0:
		return NoValue
	}
	return r.ValueBefore(k.x.BlockEnd(b))
}

func (k *calc) collectEdges(r *Range) {
	for _, b := range k.live {
		for _, pred := range k.f.Preds(b) {
			if k.within(b, pred) {
				continue
			}
			if p := &k.blocks[k.rep(r, pred)]; p.state&outThrough != 0 {
				k.edges = append(k.edges, liveEdge{b, p.edge})
				p.edge = int32(len(k.edges) - 1)
			}
		}
	}
}

// dropUnreached takes blocks out of live that no definition reaches. Their ends
// are undefined.
func (k *calc) dropUnreached(r *Range) {
	k.stack = k.stack[:0]
	mark := func(b mir.BlockID) {
		if p := &k.blocks[b]; p.state&reached == 0 {
			p.state |= reached
			k.stack = append(k.stack, b)
		}
	}
	for _, b := range k.live {
		for _, pred := range k.f.Preds(b) {
			if k.blocks[k.rep(r, pred)].state&outValue != 0 {
				mark(b)
			}
		}
	}
	for len(k.stack) > 0 {
		b := k.stack[len(k.stack)-1]
		k.stack = k.stack[:len(k.stack)-1]
		for e := k.blocks[b].edge; e >= 0; e = k.edges[e].next {
			mark(k.edges[e].to)
		}
	}
	k.live = slices.DeleteFunc(k.live, func(b mir.BlockID) bool {
		p := &k.blocks[b]
		if p.state&reached != 0 {
			return false
		}
		p.kill = 0
		if p.state&outThrough != 0 {
			p.state = p.state&^outThrough | outUndef
		}
		return true
	})
}

// placePHIs marks the blocks of live that need a PHI value.
func (k *calc) placePHIs(r *Range, d *analysis.Dominators) {
	k.heap = k.heap[:0]
	for _, b := range k.live {
		p := &k.blocks[b]
		lv := level(d, b)
		phi := lv == math.MaxUint32 || lv == 0
		for _, pred := range k.f.Preds(b) {
			// A value that is not defined above b is another one than what comes from there.
			if q := &k.blocks[k.rep(r, pred)]; q.state&outUndef != 0 ||
				q.state&outValue != 0 && k.defLevel(r, d, q.out) >= lv {
				phi = true
				break
			}
		}
		if phi {
			k.needPHI(b, lv)
			continue
		}
		// b belongs below its immediate dominator, or is a root: what comes from there comes in.
		if idom := k.rep(r, mir.BlockID(d.IDom(int(b)))); k.passes(idom) {
			q := &k.blocks[idom]
			p.sibling, q.child = q.child, b
		} else if v := k.outOf(r, idom); v == NoValue {
			k.needPHI(b, lv)
		} else {
			k.push(k.defLevel(r, d, v), b)
		}
	}
	for len(k.heap) > 0 {
		lv, b := k.pop()
		k.reach(d, lv, b)
	}
}

// needPHI gives b a PHI value, which then is a definition at its level.
func (k *calc) needPHI(b mir.BlockID, lv uint32) {
	k.blocks[b].state |= needsPHI
	k.push(lv, b)
}

// reach walks the tree from b over what a definition at level lv dominates. Where
// the edges leave that, PHI values are needed.
func (k *calc) reach(d *analysis.Dominators, lv uint32, b mir.BlockID) {
	if k.blocks[b].state&visited != 0 {
		return
	}
	k.stack = append(k.stack[:0], b)
	k.blocks[b].state |= visited
	for len(k.stack) > 0 {
		p := &k.blocks[k.stack[len(k.stack)-1]]
		k.stack = k.stack[:len(k.stack)-1]
		if p.state&outThrough == 0 {
			continue
		}
		for e := p.edge; e >= 0; e = k.edges[e].next {
			to := k.edges[e].to
			if l := level(d, to); l <= lv && k.blocks[to].state&needsPHI == 0 {
				k.needPHI(to, l)
			}
		}
		for c := p.child; c != 0; c = k.blocks[c].sibling {
			if q := &k.blocks[c]; q.state&visited == 0 {
				q.state |= visited
				k.stack = append(k.stack, c)
			}
		}
	}
}

// defLevel is the level of the block that defines a value.
func (k *calc) defLevel(r *Range, d *analysis.Dominators, v ValueID) uint32 {
	return level(d, k.x.BlockAt(r.Vals[v].Def))
}

// The heap has the deepest level on top; equal levels in the order of the blocks.

func (k *calc) push(lv uint32, b mir.BlockID) {
	h := append(k.heap, uint64(lv)<<32|uint64(^uint32(b)))
	for n := len(h) - 1; n > 0; {
		up := (n - 1) / 2
		if h[up] >= h[n] {
			break
		}
		h[up], h[n] = h[n], h[up]
		n = up
	}
	k.heap = h
}

func (k *calc) pop() (uint32, mir.BlockID) {
	h := k.heap
	top := h[0]
	n := len(h) - 1
	h[0] = h[n]
	h = h[:n]
	for i := 0; ; {
		c := 2*i + 1
		if c >= n {
			break
		}
		if c+1 < n && h[c+1] > h[c] {
			c++
		}
		if h[i] >= h[c] {
			break
		}
		h[i], h[c] = h[c], h[i]
		i = c
	}
	k.heap = h
	return uint32(top >> 32), mir.BlockID(^uint32(top))
}

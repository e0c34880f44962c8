package tracemetrics

import (
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// Ensemble are the traces of a strategy.
type Ensemble struct {
	m        *Metrics
	strategy Strategy
	known    bool // set up for the function
	blocks   []traceBlock
	// depth and height are by instruction, 0 where nobody asked yet.
	depth, height []int32
	// depthUse and heightUse are the resources of the traces above each block, and of those
	// from it on, by block and resource.
	depthUse, heightUse []int32

	// The search for traces: its stack, and in which round a block was met.
	stack []place
	met   []uint32
	round uint32
	// path are the blocks of a trace whose instructions have to be looked at.
	path []mir.BlockID
	// writes are the last writers of register units above, reads the last readers below.
	writes, reads unitSet
	heights       heightMap
	// liveIns are by block what its trace from it on reads of what is written above, numLiveIns all of them.
	liveIns    [][]liveIn
	numLiveIns int
}

// place is a block and how many of its neighbours the search has gone to.
type place struct {
	b    mir.BlockID
	next int
}

// traceBlock is a block in the trace through it.
type traceBlock struct {
	pred, succ mir.BlockID // the neighbours in the trace, 0 at its ends
	head       mir.BlockID // its first block
	// depth is the number of instructions above the block, height that from the block on;
	// unknown before pred and succ are chosen.
	depth, height int32
	critical      int32 // the critical path
	// Whether the depths and heights of the block's instructions are known, and its rows
	// of resources.
	depths, heights       bool
	depthUsed, heightUsed bool
}

const unknown = -1

func (x *traceBlock) forgetDepth()  { x.depth, x.depths, x.depthUsed = unknown, false, false }
func (x *traceBlock) forgetHeight() { x.height, x.heights, x.heightUsed = unknown, false, false }

// reset begins with the function of m.
func (e *Ensemble) reset(m *Metrics, s Strategy) {
	e.m, e.strategy, e.known = m, s, true
	n := m.f.NumBlockIDs()
	e.blocks = rows.Sized(e.blocks, n)
	for b := range e.blocks {
		e.blocks[b] = traceBlock{depth: unknown, height: unknown}
	}
	e.depth = rows.Zeroed(e.depth, m.f.NumInstrIDs())
	e.height = rows.Zeroed(e.height, m.f.NumInstrIDs())
	e.met = rows.Zeroed(e.met, n)
	e.round = 0
	e.depthUse, e.heightUse = e.depthUse[:0], e.heightUse[:0]
	e.liveIns, e.numLiveIns = rows.AtLeast(e.liveIns, n), 0
	for b := range n {
		e.liveIns[b] = e.liveIns[b][:0]
	}
	e.writes.reset(m.f.Facts.NumUnits())
	e.reads.reset(m.f.Facts.NumUnits())
	e.heights.reset(m.f.NumInstrIDs())
}

// find picks the trace through b: the way up, then the way down. Blocks whose way is
// known are not gone through again.
func (e *Ensemble) find(b mir.BlockID) {
	if e.strategy == Local {
		e.pickPred(b)
		e.pickSucc(b)
		return
	}
	if e.blocks[b].depth == unknown {
		e.search(b, false)
	}
	if e.blocks[b].height == unknown {
		e.search(b, true)
	}
}

// search visits the blocks that can be reached from center upwards or downwards, each
// behind those that its trace may go to.
func (e *Ensemble) search(center mir.BlockID, down bool) {
	f := e.m.f
	e.round++
	e.met[center] = e.round
	e.stack = append(e.stack[:0], place{center, 0})
	for len(e.stack) > 0 {
		top := &e.stack[len(e.stack)-1]
		next := mir.BlockID(0)
		if down {
			if s := f.Succs(top.b); top.next < len(s) {
				next = s[top.next].Block
			}
		} else if p := f.Preds(top.b); top.next < len(p) {
			next = p[top.next]
		}
		if next != 0 {
			top.next++
			if e.admits(top.b, next, down) {
				e.stack = append(e.stack, place{next, 0})
			}
			continue
		}
		b := top.b
		e.stack = e.stack[:len(e.stack)-1]
		if down {
			e.pickSucc(b)
		} else {
			e.pickPred(b)
		}
	}
}

// admits reports that the search goes on from one block to another: not along edges back
// to a loop's header, not out of the loop, and to each block once, which ends cycles
// that are no loops.
func (e *Ensemble) admits(from, to mir.BlockID, down bool) bool {
	if x := &e.blocks[to]; down && x.height != unknown || !down && x.depth != unknown {
		return false
	}
	if l := e.m.loopOf(from); l >= 0 {
		stop := from
		if down {
			stop = to
		}
		if e.m.isHeader(l, stop) || e.m.leaves(l, to) {
			return false
		}
	}
	if e.met[to] == e.round {
		return false
	}
	e.met[to] = e.round
	return true
}

// pickPred chooses the block above b. Of several it is the one above which the fewest
// instructions are, its own not counted: LLVM's choice.
func (e *Ensemble) pickPred(b mir.BlockID) {
	x := &e.blocks[b]
	x.pred, x.head, x.depth = 0, b, 0
	if e.strategy == Local || e.m.isHeader(e.m.loopOf(b), b) {
		return
	}
	for _, p := range e.m.f.Preds(b) {
		// What is not known closes a cycle that is no loop.
		if y := &e.blocks[p]; p != b && y.depth != unknown && (x.pred == 0 || y.depth < e.blocks[x.pred].depth) {
			x.pred = p
		}
	}
	if x.pred != 0 {
		above := &e.blocks[x.pred]
		x.head, x.depth = above.head, above.depth+e.m.instrs(x.pred)
	}
}

// pickSucc chooses the block below b: of several the one from which on the fewest
// instructions are.
func (e *Ensemble) pickSucc(b mir.BlockID) {
	x := &e.blocks[b]
	x.succ, x.height = 0, e.m.instrs(b)
	if e.strategy == Local {
		return
	}
	l := e.m.loopOf(b)
	for _, s := range e.m.f.Succs(b) {
		if s.Block == b || e.m.isHeader(l, s.Block) || e.m.leaves(l, s.Block) {
			continue
		}
		if y := &e.blocks[s.Block]; y.height != unknown && (x.succ == 0 || y.height < e.blocks[x.succ].height) {
			x.succ = s.Block
		}
	}
	if x.succ != 0 {
		x.height += e.blocks[x.succ].height
	}
}

// invalidate is Metrics.Invalidate.
func (e *Ensemble) invalidate(bad mir.BlockID) {
	f := e.m.f
	for i := f.Block(bad).First(); i != 0; i = f.Instr(i).Next() {
		if int(i) < len(e.depth) {
			e.depth[i] = 0
		}
		if int(i) < len(e.height) {
			e.height[i] = 0
		}
	}
	if e.blocks[bad].height != unknown {
		e.blocks[bad].forgetHeight()
		e.path = append(e.path[:0], bad)
		for len(e.path) > 0 {
			b := e.path[len(e.path)-1]
			e.path = e.path[:len(e.path)-1]
			for _, p := range f.Preds(b) {
				if x := &e.blocks[p]; x.height != unknown && x.succ == b {
					x.forgetHeight()
					e.path = append(e.path, p)
				}
			}
		}
	}
	if e.blocks[bad].depth != unknown {
		e.blocks[bad].forgetDepth()
		e.path = append(e.path[:0], bad)
		for len(e.path) > 0 {
			b := e.path[len(e.path)-1]
			e.path = e.path[:len(e.path)-1]
			for _, s := range f.Succs(b) {
				if x := &e.blocks[s.Block]; x.depth != unknown && x.pred == b {
					x.forgetDepth()
					e.path = append(e.path, s.Block)
				}
			}
		}
	}
}

// useful reports that what stands in block d counts for the depths of block b: the traces
// above both begin at one place, and d does not stand deeper.
func (e *Ensemble) useful(d, b *traceBlock) bool {
	return d.depths && d.depth != unknown && b.depth != unknown && d.head == b.head && d.depth <= b.depth
}

// Trace is the trace through a block. It is good until Invalidate.
type Trace struct {
	e *Ensemble
	b mir.BlockID
}

// Of gives the trace through b with the depths of all instructions above b in it, the
// heights of all below, and both of b's own.
func (e *Ensemble) Of(b mir.BlockID) Trace {
	e.find(b)
	e.findDepths(b)
	e.findHeights(b)
	return Trace{e, b}
}

// CriticalPath is the length of the longest chain of instructions that goes through the
// block, in cycles.
func (t Trace) CriticalPath() int { return int(t.e.blocks[t.b].critical) }

// Depth is the cycle in which instruction i of the trace down to the block can be issued.
func (t Trace) Depth(i mir.InstrID) int { return int(t.e.depth[i]) }

// Slack is by how many cycles instruction i of the block may be late.
func (t Trace) Slack(i mir.InstrID) int {
	return t.CriticalPath() - int(t.e.depth[i]+t.e.height[i])
}

// PHIDepth is the cycle in which the value is there that a PHI of a successor reads from
// the block.
func (t Trace) PHIDepth(phi mir.InstrID) int {
	m := t.e.m
	k := m.phiOperand(phi, t.b)
	if k == 0 {
		return 0
	}
	def, op := m.defOf(m.f.Op(phi, k).Reg())
	if def == 0 {
		return 0
	}
	return int(t.e.depth[def] + m.latency(def, op, phi, k))
}

// ResourceLength is how many cycles the trace, and other blocks beside it, need at least
// when no instruction waits for an operand.
func (t Trace) ResourceLength(extra ...mir.BlockID) int {
	e, m := t.e, t.e.m
	above, below := e.useAbove(t.b), e.useFrom(t.b)
	most := int32(0)
	for k := range m.kinds {
		n := above[k] + below[k]
		for _, b := range extra {
			n += m.usage(b)[k]
		}
		most = max(most, n)
	}
	instrs := e.blocks[t.b].depth + e.blocks[t.b].height
	for _, b := range extra {
		instrs += m.instrs(b)
	}
	factor := m.model.LatencyFactor()
	return max(int(instrs)/m.model.IssueWidth(), (int(most)+factor-1)/factor)
}

// useAbove is what the trace above b needs of each resource.
func (e *Ensemble) useAbove(b mir.BlockID) []int32 {
	m := e.m
	if len(e.depthUse) == 0 {
		e.depthUse = rows.Sized(e.depthUse, len(e.blocks)*m.kinds)
	}
	row := func(b mir.BlockID) []int32 { return e.depthUse[int(b)*m.kinds:][:m.kinds] }
	e.path = e.path[:0]
	for p := b; p != 0 && !e.blocks[p].depthUsed; p = e.blocks[p].pred {
		e.path = append(e.path, p)
	}
	for k := len(e.path) - 1; k >= 0; k-- {
		x := &e.blocks[e.path[k]]
		to := row(e.path[k])
		clear(to)
		if x.pred != 0 {
			above, own := row(x.pred), m.usage(x.pred)
			for k := range to {
				to[k] = above[k] + own[k]
			}
		}
		x.depthUsed = true
	}
	return row(b)
}

// useFrom is what the trace needs of each resource from b on.
func (e *Ensemble) useFrom(b mir.BlockID) []int32 {
	m := e.m
	if len(e.heightUse) == 0 {
		e.heightUse = rows.Sized(e.heightUse, len(e.blocks)*m.kinds)
	}
	row := func(b mir.BlockID) []int32 { return e.heightUse[int(b)*m.kinds:][:m.kinds] }
	e.path = e.path[:0]
	for s := b; s != 0 && !e.blocks[s].heightUsed; s = e.blocks[s].succ {
		e.path = append(e.path, s)
	}
	for k := len(e.path) - 1; k >= 0; k-- {
		x := &e.blocks[e.path[k]]
		to := row(e.path[k])
		copy(to, m.usage(e.path[k]))
		if x.succ != 0 {
			for k, n := range row(x.succ) {
				to[k] += n
			}
		}
		x.heightUsed = true
	}
	return row(b)
}

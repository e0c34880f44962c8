package sched

import (
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/codegen/regclass"
	"github.com/mirin-go/mirin/codegen/schedmodel"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
	"github.com/mirin-go/mirin/target"
)

// PostRAScheduler is the list scheduler behind allocation, from -O2 on for processors
// whose model asks for it, or by a flag: cycle by cycle from the top, what is furthest
// from the region's end first. Before that registers may be renamed that are only
// written again (antidep.go). It makes kill flags anew.
var PostRAScheduler = pass.Pass{
	Name:     "post-RA-sched",
	Title:    "Post RA top-down list latency scheduler",
	Requires: mir.NoVRegs,
	Optional: pass.Skippable,
	KeepsCFG: true,
	Run:      runPostRAScheduler,
}

// listScheduler is the memory of the pass.
type listScheduler struct {
	s          *scheduler
	critical   criticalBreaker
	aggressive aggressiveBreaker
	breaker    antiDepBreaker // one of the two, or nil
	board      schedmodel.Scoreboard

	// left counts the distinct predecessors of a node that have no place yet; blocking
	// the edges to nodes that wait for this one alone.
	left, blocking     []int32
	available, pending nodeHeap
	notReady           []int32
	sequence           []int32
	stalls, broken     int64
}

func runPostRAScheduler(c *pass.Context, f *mir.Function) error {
	t := &c.Machine.Options.Tuning.Sched
	if t.PostRAList == target.SwitchOff || t.PostRAList == target.SwitchDefault && (c.Opt < 2 || !c.Subtarget.Sched().PostRAScheduler()) {
		return nil
	}
	l := pass.Scratch[listScheduler](c)
	l.s = pass.Scratch[scheduler](c)
	l.available.less, l.pending.less = l.goesFirst, l.isReadyFirst
	l.s.reset(c, f)
	l.s.postRA, l.s.live, l.s.tracks = true, nil, false
	l.stalls, l.broken, l.breaker = 0, 0, nil
	mode := t.AntiDeps
	if mode == target.AntiDepsDefault {
		mode = c.Subtarget.Target.Instr.AntiDeps
	}
	// Where it is not said what is live into blocks nothing can be renamed.
	if f.Props&mir.TracksLiveness != 0 {
		switch mode {
		case target.AntiDepsCritical:
			l.breaker = &l.critical
		case target.AntiDepsAll:
			l.breaker = &l.aggressive
		}
	}
	if l.breaker != nil {
		l.breaker.begin(c, f, pass.Get[regclass.Info](c, f))
	}
	kills := &pass.Scratch[killFixer](c).live
	kills.Init(c.Subtarget, f)
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		if l.runBlock(b) {
			l.s.order = l.s.seq.appendOrder(l.s.order[:0])
			relink(f, b, l.s.order)
		}
		fixKills(f, b, kills)
	}
	c.Count("post-RA-sched", "Number of pipeline stalls", l.stalls)
	c.Count("post-RA-sched", "Number of fixed anti-dependencies", l.broken)
	return nil
}

// runBlock finds a new order of the regions of block b and reports that it is another.
func (l *listScheduler) runBlock(b mir.BlockID) bool {
	s := l.s
	f := s.f
	s.block = b
	s.regions = appendEveryRegion(s.regions[:0], s.c, f, b)
	idle := true
	for _, r := range s.regions {
		idle = idle && r.n <= 1 && (r.begin == r.end || r.n == 1 && f.Instr(r.begin).Next() == r.end)
	}
	if idle {
		return false
	}
	s.seq.begin(f, b)
	size := len(s.seq.instr) - 1
	if l.breaker != nil {
		l.breaker.startBlock(b, size)
	}
	for _, r := range s.regions {
		// Instructions are counted from 0, in the order that was.
		end := size
		if r.end != 0 {
			end = int(s.seq.place(r.end)) - 1
		}
		l.runRegion(r, end)
		above := f.Block(b).Last()
		if r.begin != 0 {
			above = f.Instr(r.begin).Prev()
		}
		if above != 0 && l.breaker != nil {
			l.breaker.observe(above, int(s.seq.place(above))-1, end)
		}
	}
	return !s.seq.isSame()
}

// runRegion finds the order of a region, which ends at instruction number end.
func (l *listScheduler) runRegion(r region, end int) {
	s := l.s
	s.region = r
	if r.begin == r.end {
		return
	}
	s.buildGraph()
	if l.breaker != nil {
		s.levels()
		if n := l.breaker.breakEdges(s, end); n > 0 {
			l.broken += int64(n)
			s.buildGraph()
		} else {
			for k := range s.g.nodes {
				s.g.nodes[k].depth, s.g.nodes[k].height = 0, 0
			}
		}
	}
	s.mutate()
	s.levels()
	l.schedule()
	l.emit()
}

// schedule makes sequence the order of the region's nodes.
func (l *listScheduler) schedule() {
	s := l.s
	g := &s.g
	exit := g.exit()
	l.board.Reset(s.machine.Model)
	l.sequence = l.sequence[:0]
	l.countPreds()
	l.available.begin(len(g.nodes))
	l.pending.begin(len(g.nodes))
	for n := range exit {
		if g.nodes[n].predsLeft == 0 {
			l.available.push(n)
		}
	}
	issued := false // in this cycle
	for cycle := int32(0); l.available.size()+l.pending.size() > 0; {
		for l.pending.size() > 0 && g.nodes[l.pending.first()].depth <= cycle {
			l.available.push(l.pending.pop())
		}
		if n := l.pick(); n >= 0 {
			l.place(n, cycle)
			l.board.Issue(s.f, g.nodes[n].instr)
			if issued = !l.board.IsFull(); !issued {
				l.board.Advance()
				cycle++
			}
			continue
		}
		if !issued {
			l.stalls++
		}
		issued = false
		l.board.Advance()
		cycle++
		if !l.board.HasHazards() && l.pending.size() > 0 {
			if d := g.nodes[l.pending.first()].depth; d > cycle {
				l.stalls += int64(d - cycle)
				cycle = d
			}
		}
	}
}

// goesFirst is the order of what is available: the longest way to the region's end,
// then what more nodes wait for alone, then the order that was.
func (l *listScheduler) goesFirst(a, b int32) bool {
	x, y := &l.s.g.nodes[a], &l.s.g.nodes[b]
	if x.height != y.height {
		return x.height > y.height
	}
	if l.blocking[a] != l.blocking[b] {
		return l.blocking[a] > l.blocking[b]
	}
	return a < b
}

// isReadyFirst is the order of what is pending.
func (l *listScheduler) isReadyFirst(a, b int32) bool {
	return l.s.g.nodes[a].depth < l.s.g.nodes[b].depth
}

// pick takes the best node that can be issued in this cycle, -1 for none.
func (l *listScheduler) pick() int32 {
	found := int32(-1)
	for found < 0 && l.available.size() > 0 {
		n := l.available.pop()
		if l.board.Hazard(l.s.f, l.s.g.nodes[n].instr) {
			l.notReady = append(l.notReady, n)
			continue
		}
		found = n
	}
	for _, n := range l.notReady {
		l.available.push(n)
	}
	l.notReady = l.notReady[:0]
	return found
}

// countPreds begins left and blocking.
func (l *listScheduler) countPreds() {
	g := &l.s.g
	l.left, l.blocking = rows.Zeroed(l.left, len(g.nodes)), rows.Zeroed(l.blocking, len(g.nodes))
	for n := range int32(len(g.nodes)) {
		g.stamp++
		for e := g.nodes[n].preds; e != 0; e = g.edges[e].nextPred {
			if p := g.edges[e].pred; g.seen[p] != g.stamp {
				g.seen[p] = g.stamp
				l.left[n]++
			}
		}
		if l.left[n] == 1 {
			l.blocks(g.edges[g.nodes[n].preds].pred, n)
		}
	}
}

// blocks notes that node n waits for p alone.
func (l *listScheduler) blocks(p, n int32) {
	g := &l.s.g
	for e := g.nodes[n].preds; e != 0; e = g.edges[e].nextPred {
		if g.edges[e].pred == p {
			l.blocking[p]++
		}
	}
}

// place gives node n the next place and tells those that wait for it.
func (l *listScheduler) place(n, cycle int32) {
	g := &l.s.g
	x := &g.nodes[n]
	l.sequence = append(l.sequence, n)
	x.depth, x.scheduled = max(x.depth, cycle), true
	g.stamp++
	stamp := g.stamp
	for e := x.succs; e != 0; e = g.edges[e].nextSucc {
		m := g.edges[e].succ
		y := &g.nodes[m]
		if !g.edges[e].kind.isWeak() {
			if y.predsLeft--; y.predsLeft == 0 && m != g.exit() {
				for p := y.preds; p != 0; p = g.edges[p].nextPred {
					y.depth = max(y.depth, g.nodes[g.edges[p].pred].depth+g.edges[p].latency)
				}
				l.pending.push(m)
			}
		}
		if g.seen[m] == stamp {
			continue
		}
		g.seen[m] = stamp
		if l.left[m]--; l.left[m] != 1 {
			continue
		}
		for p := y.preds; p != 0; p = g.edges[p].nextPred {
			if k := g.edges[p].pred; !g.nodes[k].scheduled {
				l.blocks(k, m)
				l.available.improve(k)
				break
			}
		}
	}
}

// emit puts the region into the order that was found. Debug values follow what they
// stood behind; what else is no code comes to the region's beginning, as in LLVM.
func (l *listScheduler) emit() {
	s := l.s
	q := &s.seq
	lower := q.place(s.region.end)
	debug := s.debug
	if len(debug) > 0 && debug[0].place == q.place(s.region.begin) {
		q.moveBefore(lower, debug[0].place)
		debug = debug[1:]
	}
	for _, n := range l.sequence {
		q.moveBefore(lower, q.place(s.g.nodes[n].instr))
	}
	for _, d := range debug {
		q.moveBefore(q.next[d.behind], d.place)
	}
}

// nodeHeap is a queue of nodes, the least first.
type nodeHeap struct {
	less  func(a, b int32) bool
	list  []int32
	where []int32 // by node: its place in list + 1, 0 when it is not there
}

func (h *nodeHeap) begin(n int) { h.list, h.where = h.list[:0], rows.Zeroed(h.where, n) }

func (h *nodeHeap) size() int    { return len(h.list) }
func (h *nodeHeap) first() int32 { return h.list[0] }

func (h *nodeHeap) push(n int32) {
	h.list = append(h.list, n)
	h.up(len(h.list) - 1)
}

// improve is told that n, if it is there, comes before more nodes than it did.
func (h *nodeHeap) improve(n int32) {
	if k := h.where[n]; k != 0 {
		h.up(int(k - 1))
	}
}

func (h *nodeHeap) up(k int) {
	n := h.list[k]
	for k > 0 {
		p := (k - 1) / 2
		if !h.less(n, h.list[p]) {
			break
		}
		h.put(k, h.list[p])
		k = p
	}
	h.put(k, n)
}

func (h *nodeHeap) put(k int, n int32) { h.list[k], h.where[n] = n, int32(k+1) }

func (h *nodeHeap) pop() int32 {
	top, n := h.list[0], h.list[len(h.list)-1]
	h.list = h.list[:len(h.list)-1]
	h.where[top] = 0
	if len(h.list) == 0 {
		return top
	}
	k := 0
	for {
		c := 2*k + 1
		if c >= len(h.list) {
			break
		}
		if c+1 < len(h.list) && h.less(h.list[c+1], h.list[c]) {
			c++
		}
		if !h.less(h.list[c], n) {
			break
		}
		h.put(k, h.list[c])
		k = c
	}
	h.put(k, n)
	return top
}

package sched

import (
	"github.com/mirin-go/mirin/codegen/liveness"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
	"github.com/mirin-go/mirin/target"
)

// scheduler finds the order of regions. It is the scratch of all passes.
type scheduler struct {
	c *pass.Context
	f *mir.Function

	direction target.SchedDirection
	postRA    bool
	live      *liveness.Intervals // nil behind allocation
	// small is the number of instructions up to which a region has registers enough.
	small int

	g        graph
	builder  builder
	machine  machine
	pressure pressure
	kinds    kinds
	firsts   []int32 // of each kind the node that comes first
	tracks   bool    // the pressure of this region
	seq      sequence

	block    mir.BlockID
	region   region
	regions  []region
	order    []mir.InstrID
	moved    []mir.InstrID // instructions of the block that were put elsewhere
	top, bot boundary
	// upper and lower are the places between which nothing has its order yet.
	upper, lower     int32
	topBest, botBest candidate
	// remaining counts what the nodes without an order take, by resource and of the machine's width.
	remaining      []int
	remainingOps   int
	criticalPath   int
	acyclicLimited bool
	clusters       int32
	numEdges       int64 // of all graphs of the function

	debug         []debugPlace
	local, global []int32 // of copies
}

// debugPlace is a debug value and what stands before it.
type debugPlace struct{ place, behind int32 }

// runBlock finds a new order of the regions of block b and reports that it is another.
func (s *scheduler) runBlock(b mir.BlockID) bool {
	s.block = b
	s.moved = s.moved[:0]
	s.regions = appendRegions(s.regions[:0], s.c, s.f, b)
	if len(s.regions) == 0 {
		return false
	}
	s.seq.begin(s.f, b)
	for _, r := range s.regions {
		s.runRegion(r)
	}
	return !s.seq.isSame()
}

// runRegion finds the order of a region.
func (s *scheduler) runRegion(r region) {
	s.region = r
	s.kinds.begin(s, r.n)
	s.tracks = !s.postRA && r.n > s.small && !s.c.Machine.Options.Tuning.Sched.NoPressure
	s.buildGraph()
	s.mutate()
	s.levels()
	s.numEdges += int64(len(s.g.edges) - 1)
	s.begin()
	for s.upper != s.lower {
		n, atTop := s.pick()
		s.top.remove(n)
		s.bot.remove(n)
		if atTop {
			s.scheduleTop(n)
		} else {
			s.scheduleBottom(n)
		}
	}
	s.placeDebugValues()
}

// levels finds how far nodes are from both ends.
func (s *scheduler) levels() {
	if !s.g.levels() {
		panic("sched: a scheduling graph has a cycle")
	}
}

// buildGraph makes the graph and takes in the pressure.
func (s *scheduler) buildGraph() {
	var visit func(int32)
	if s.tracks {
		s.pressure.begin(s.region.n, s.region.end)
		visit = func(n int32) { s.pressure.visit(n, s.g.nodes[n].instr) }
	}
	s.builder.sparse = !s.postRA && s.direction == target.SchedBottomUp
	s.builder.build(s.block, s.region, visit)
	if s.tracks {
		s.pressure.finish(s.region.end)
	}
	s.debug = s.debug[:0]
	for i := s.region.begin; i != s.region.end; i = s.f.Instr(i).Next() {
		switch s.f.Instr(i).Opcode {
		case desc.DBG_VALUE, desc.DBG_VALUE_LIST, desc.DBG_PHI:
			k := s.seq.place(i)
			s.debug = append(s.debug, debugPlace{k, s.seq.prev[k]})
		}
	}
}

// begin makes both ends ready to pick from.
func (s *scheduler) begin() {
	g, m := &s.g, &s.machine
	s.remaining = rows.Zeroed(s.remaining, max(1, len(m.units)))
	s.remainingOps, s.criticalPath, s.acyclicLimited = 0, 0, false
	if m.HasInstrModel() {
		for n := range g.numInstrs() {
			s.remainingOps += int(g.nodes[n].ops) * m.MicroOpFactor()
			for _, u := range m.usesOf(&g.nodes[n]) {
				s.remaining[u.resource] += m.count(u)
			}
		}
	}
	s.top.begin(s, true)
	s.bot.begin(s, false)
	s.topBest, s.botBest = noCandidate, noCandidate
	last := s.region.end
	if last == 0 {
		s.lower = 0
	} else {
		s.lower = s.seq.place(last)
	}
	s.upper = s.nextNode(s.seq.place(s.region.begin), s.lower)
	exit := g.exit()
	for n := range exit {
		g.biasPreds(n)
	}
	g.biasPreds(exit)
	for n := range exit {
		if g.nodes[n].predsLeft == 0 {
			s.releaseTop(n)
		}
	}
	for n := exit - 1; n >= 0; n-- {
		if g.nodes[n].succsLeft == 0 {
			s.releaseBottom(n)
		}
	}
	s.releasePreds(exit)
	s.criticalPath = int(g.nodes[exit].depth)
	for n := range exit {
		if x := &g.nodes[n]; x.succsLeft == 0 {
			s.criticalPath = max(s.criticalPath, int(x.depth))
		}
	}
	if s.tracks && m.MicroOpBuffer() > 0 && !s.c.Machine.Options.Tuning.Sched.NoCyclicPath {
		s.limitAcyclic()
	}
}

// releaseTop makes a node all of whose predecessors have their place a choice for the top.
func (s *scheduler) releaseTop(n int32) {
	if s.direction != target.SchedBottomUp {
		s.top.release(n)
		s.topBest.node = -1
	}
}

// releaseBottom is releaseTop for the other end.
func (s *scheduler) releaseBottom(n int32) {
	if s.direction != target.SchedTopDown {
		s.bot.release(n)
		s.botBest.node = -1
	}
}

// nextNode is the first place from k on, before end, that is no debug instruction; end for none.
func (s *scheduler) nextNode(k, end int32) int32 {
	for k != end && isDebug(s.f, s.seq.instr[k]) {
		k = s.seq.next[k]
	}
	return k
}

// scheduleTop gives node n the next place from the top.
func (s *scheduler) scheduleTop(n int32) {
	x := &s.g.nodes[n]
	if k := s.seq.place(x.instr); k == s.upper {
		s.upper = s.nextNode(s.seq.next[k], s.lower)
	} else {
		s.seq.moveBefore(s.upper, k)
		s.moved = append(s.moved, x.instr)
	}
	if s.tracks {
		s.pressure.top.advance(s.pressure.nodes[n])
		s.pressure.scheduled(n, &s.pressure.top)
	}
	x.topReady = max(x.topReady, int32(s.top.cycle))
	s.top.cluster = x.cluster
	s.top.bumpNode(n)
	if x.physUses && !s.postRA {
		s.moveCopies(n, true)
	}
	for e := x.succs; e != 0; e = s.g.edges[e].nextSucc {
		y := &s.g.edges[e]
		t := &s.g.nodes[y.succ]
		if y.kind.isWeak() {
			t.weakPreds--
			continue
		}
		t.topReady = max(t.topReady, x.topReady+y.latency)
		if t.predsLeft--; t.predsLeft == 0 && y.succ != s.g.exit() && !t.scheduled {
			s.releaseTop(y.succ)
		}
	}
	x.scheduled = true
}

// scheduleBottom gives node n the next place from the bottom.
func (s *scheduler) scheduleBottom(n int32) {
	x := &s.g.nodes[n]
	k := s.seq.place(x.instr)
	prior := s.seq.prev[s.lower]
	for prior != s.upper && isDebug(s.f, s.seq.instr[prior]) {
		prior = s.seq.prev[prior]
	}
	if prior == k {
		s.lower = k
	} else {
		if s.upper == k {
			s.upper = s.nextNode(s.seq.next[k], prior)
		}
		s.seq.moveBefore(s.lower, k)
		s.moved = append(s.moved, x.instr)
		s.lower = k
	}
	if s.tracks {
		s.pressure.bot.recede(s.pressure.nodes[n])
		s.pressure.scheduled(n, &s.pressure.bot)
	}
	x.botReady = max(x.botReady, int32(s.bot.cycle))
	s.bot.cluster = x.cluster
	s.bot.bumpNode(n)
	if x.physDefs && !s.postRA {
		s.moveCopies(n, false)
	}
	s.releasePreds(n)
	x.scheduled = true
}

// releasePreds tells the predecessors of n that it has its place.
func (s *scheduler) releasePreds(n int32) {
	x := &s.g.nodes[n]
	for e := x.preds; e != 0; e = s.g.edges[e].nextPred {
		y := &s.g.edges[e]
		t := &s.g.nodes[y.pred]
		if y.kind.isWeak() {
			t.weakSuccs--
			s.kinds.changed(y.pred)
			continue
		}
		t.botReady = max(t.botReady, x.botReady+y.latency)
		if t.succsLeft--; t.succsLeft == 0 && !t.scheduled {
			s.releaseBottom(y.pred)
		}
	}
}

// moveCopies moves copies from and to physical registers that have their place
// beside n, which reads or writes these.
func (s *scheduler) moveCopies(n int32, atTop bool) {
	g := &s.g
	x := &g.nodes[n]
	at := s.seq.place(x.instr)
	e := x.preds
	if !atTop {
		e, at = x.succs, s.seq.next[at]
	}
	for e != 0 {
		y := &g.edges[e]
		other, alone := y.pred, false
		if atTop {
			e = y.nextPred
			alone = g.nodes[other].succs == g.nodes[other].lastSucc
		} else {
			other, e = y.succ, y.nextSucc
			alone = g.nodes[other].preds == g.nodes[other].lastPred
		}
		if y.kind != dataEdge || !y.reg.IsPhysical() || !alone || other == g.exit() {
			continue
		}
		i := g.nodes[other].instr
		if s.f.Instr(i).Opcode != desc.COPY && !s.f.Desc(i).IsMoveImm() {
			continue
		}
		s.seq.moveBefore(at, s.seq.place(i))
		s.moved = append(s.moved, i)
	}
}

// placeDebugValues puts debug values behind what they stood behind.
func (s *scheduler) placeDebugValues() {
	for _, d := range s.debug {
		s.seq.moveBefore(s.seq.next[d.behind], d.place)
	}
}

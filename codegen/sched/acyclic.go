package sched

import "github.com/mirin-go/mirin/mir"

// limitAcyclic finds out whether a loop of one block has more in flight, over the
// longest way through it, than the machine buffers: then latency matters first.
func (s *scheduler) limitAcyclic() {
	cyclic := s.cyclicPath()
	if cyclic == 0 || cyclic >= s.criticalPath {
		return
	}
	m := &s.machine
	iteration := max(cyclic*m.LatencyFactor(), s.remainingOps)
	inFlight := (s.criticalPath*m.LatencyFactor()*s.remainingOps + iteration - 1) / iteration
	s.acyclicLimited = inFlight > m.MicroOpBuffer()*m.MicroOpFactor()
}

// cyclicPath is the longest way from one round of the loop that the block is to
// the next, through a value that both have to do with; 0 when it is no loop.
func (s *scheduler) cyclicPath() int {
	f, g, p := s.f, &s.g, &s.pressure
	loop := false
	for _, e := range f.Succs(s.block) {
		loop = loop || e.Block == s.block
	}
	if !loop {
		return 0
	}
	end := s.live.Indexes.BlockEnd(s.block)
	most := 0
	for _, x := range p.region.outs {
		if int(x) < p.units {
			continue
		}
		li := s.live.Interval(mir.VReg(int(x) - p.units))
		out := li.ValueBefore(end)
		if int(out) >= len(li.Vals) {
			continue
		}
		n := s.builder.nodeIn(s.live.Indexes.Instr(li.Vals[out].Def))
		if n < 0 {
			continue
		}
		def := &g.nodes[n]
		// Readers of the value that comes in are those of the round before.
		for u := p.readsOf(x); u != 0; u = p.uses[u].next {
			use := &g.nodes[p.uses[u].node]
			in := li.Query(s.live.Indexes.Of(use.instr)).In
			if int(in) >= len(li.Vals) || !li.Vals[in].IsPHI() {
				continue
			}
			latency := max(0, int(def.depth+def.latency-use.depth))
			if up := int(use.height + def.latency - def.height); up > 0 {
				latency = min(latency, up)
			} else {
				latency = 0
			}
			most = max(most, latency)
		}
	}
	return most
}

// readsOf are the reads of what is in virtual register x when the region begins.
func (p *pressure) readsOf(x int32) int32 {
	if p.stamp[x] != p.epoch {
		return 0
	}
	return p.values[p.version[x]].uses
}

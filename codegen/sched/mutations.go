package sched

import (
	"github.com/mirin-go/mirin/codegen/liveness"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// Changes of a graph between building and scheduling.

func isCopy(f *mir.Function, i mir.InstrID) bool { return f.Instr(i).Opcode == desc.COPY }

// mutate makes the changes.
func (s *scheduler) mutate() {
	if s.live != nil {
		s.constrainCopies()
	}
	if s.c.Machine.Options.Tuning.Sched.NoFusion {
		return
	}
	if h := s.c.Subtarget.Target.Instr.MacroFusion; h != nil && s.region.end != 0 && h(s.c.Subtarget, s.f, 0, s.region.end) {
		s.fuseWithExit()
	}
}

// fuseWithExit makes what is one micro-operation with the instruction behind the
// region stand directly before it.
func (s *scheduler) fuseWithExit() {
	g := &s.g
	exit := g.exit()
	for e := g.nodes[exit].preds; e != 0; e = g.edges[e].nextPred {
		x := g.edges[e]
		if x.kind.isWeak() || x.kind.isHazard() || !s.c.Subtarget.Target.Instr.MacroFusion(s.c.Subtarget, s.f, g.nodes[x.pred].instr, s.region.end) {
			continue
		}
		s.fuse(x.pred)
		return
	}
}

// fuse puts everything but what must follow it before node first.
func (s *scheduler) fuse(first int32) {
	g := &s.g
	exit := g.exit()
	for e := g.nodes[first].succs; e != 0; e = g.edges[e].nextSucc {
		if g.edges[e].succ == exit {
			g.edges[e].latency = 0
		}
	}
	g.advise(first, exit, clusterEdge)
	s.clusters++
	g.nodes[first].cluster, g.nodes[exit].cluster = s.clusters, s.clusters
	// What first reaches stands behind it, and what leads to it needs no edge.
	g.stamp++
	behind := g.stamp
	g.work = append(g.work[:0], first)
	g.seen[first] = behind
	for len(g.work) > 0 {
		k := g.work[len(g.work)-1]
		g.work = g.work[:len(g.work)-1]
		for e := g.nodes[k].succs; e != 0; e = g.edges[e].nextSucc {
			if t := g.edges[e].succ; g.seen[t] != behind {
				g.seen[t] = behind
				g.work = append(g.work, t)
			}
		}
	}
	g.stamp++
	for e := g.nodes[first].preds; e != 0; e = g.edges[e].nextPred {
		g.seen[g.edges[e].pred] = g.stamp
	}
	put := func(n int32) {
		if g.seen[n] != behind && g.seen[n] != g.stamp {
			g.seen[n] = g.stamp
			g.advise(n, first, artificialEdge)
		}
	}
	for e := g.nodes[exit].preds; e != 0; e = g.edges[e].nextPred {
		if x := g.edges[e]; !x.kind.isWeak() && !x.kind.isHazard() && x.pred != first {
			put(x.pred)
		}
	}
	for n := range exit {
		if g.nodes[n].succs == 0 {
			put(n)
		}
	}
}

// constrainCopies advises an order in which the two registers of a copy are not
// live at the same time, so that it can be coalesced or costs no other register.
func (s *scheduler) constrainCopies() {
	s.g.order()
	x := s.live.Indexes
	first, last := s.g.nodes[0].instr, s.g.nodes[s.g.numInstrs()-1].instr
	begin, end := x.Of(first), x.Of(last)
	for n := range s.g.numInstrs() {
		if isCopy(s.f, s.g.nodes[n].instr) {
			s.constrainCopy(n, begin, end)
		}
	}
}

// constrainCopy advises about one copy. One of its registers lives within the
// region, local; the other, global, has a hole that local is to fit into: readers
// of local stand before the definition that ends the hole, and readers of what
// was in global before it stand before local is defined.
func (s *scheduler) constrainCopy(n int32, begin, end liveness.Index) {
	f, g, live := s.f, &s.g, s.live
	copy := g.nodes[n].instr
	src, dst := f.Op(copy, 1), f.Op(copy, 0)
	if !src.Reg().IsVirtual() || !src.ReadsReg() || !dst.Reg().IsVirtual() || dst.IsDead() {
		return
	}
	local, global := src.Reg(), dst.Reg()
	l := live.Interval(local)
	if !l.Local(begin, end) {
		local, global = global, local
		if l = live.Interval(local); !l.Local(begin, end) {
			return
		}
	}
	gl := live.Interval(global)
	k := gl.Find(l.Begin())
	if k < len(gl.Segs) && gl.Segs[k].Start <= l.Begin() {
		k++
	}
	if k >= len(gl.Segs) {
		return
	}
	if k > 0 && (liveness.SameInstr(gl.Segs[k-1].End, gl.Segs[k].Start) || liveness.SameInstr(gl.Segs[k-1].Start, l.Begin())) {
		return
	}
	globalDef := s.builder.nodeIn(live.Indexes.Instr(gl.Segs[k].Start))
	lastDef := s.builder.nodeIn(live.Indexes.Instr(l.Vals[l.ValueBefore(l.End())].Def))
	firstDef := s.builder.nodeIn(live.Indexes.Instr(l.Begin()))
	if globalDef < 0 || lastDef < 0 || firstDef < 0 {
		return
	}
	s.local, s.global = s.local[:0], s.global[:0]
	for e := g.nodes[lastDef].succs; e != 0; e = g.edges[e].nextSucc {
		if x := g.edges[e]; x.kind == dataEdge && x.reg == local && x.succ != globalDef {
			if g.reaches(globalDef, x.succ) {
				return
			}
			s.local = append(s.local, x.succ)
		}
	}
	for e := g.nodes[globalDef].preds; e != 0; e = g.edges[e].nextPred {
		if x := g.edges[e]; x.kind == antiEdge && x.reg == global && x.pred != firstDef {
			if g.reaches(firstDef, x.pred) {
				return
			}
			s.global = append(s.global, x.pred)
		}
	}
	for _, u := range s.local {
		g.addWeak(u, globalDef)
	}
	for _, u := range s.global {
		g.addWeak(u, firstDef)
	}
}

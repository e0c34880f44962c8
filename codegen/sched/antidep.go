package sched

import (
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/codegen/regclass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// Behind allocation an instruction often waits only since the register that it
// writes is still read above (an anti-dependency). Another register, free from there
// to its last use, takes the wait away. Two breakers find one, LLVM's: that of
// criticalantidep.go looks at the longest way through a region alone, that of
// aggressiveantidep.go at every definition, and renames a register with its parts.
//
// Both walk a block from its end to its beginning, region by region. Behind the place
// where they are, an instruction has its final place; what is live there, or was
// written in a region that has been scheduled, keeps its register.

// antiDepBreaker renames registers of a region before it is scheduled. Instructions
// are counted from 0 in the order that the block had.
type antiDepBreaker interface {
	begin(c *pass.Context, f *mir.Function, regs *regclass.Info)
	// startBlock makes live what is live out of b, which has size instructions.
	startBlock(b mir.BlockID, size int)
	// observe takes in an instruction between regions; the region behind it ended at end.
	observe(i mir.InstrID, count, end int)
	// breakEdges renames registers of the scheduler's region, which ends at end, and
	// returns how often.
	breakEdges(s *scheduler, end int) int
}

// nowhere is the index of what is not live, or not written.
const nowhere = ^uint32(0)

// regRef is an operand that names a register, in a list of those of its live range.
type regRef struct {
	instr mir.InstrID
	op    int32
	next  int32 // 0 none
}

// liveRegs is what both breakers know of registers at a place in the block.
type liveRegs struct {
	c    *pass.Context
	f    *mir.Function
	in   *desc.Info
	regs *regclass.Info

	// kill is where a register's live range ends, def where the next one below begins. A
	// register is live when def is nowhere and kill is not.
	kill, def []uint32
	// first and last are the ends of the list of a register's references, in refs.
	first, last []int32
	refs        []regRef // row 0 unused
}

func (l *liveRegs) begin(c *pass.Context, f *mir.Function, regs *regclass.Info) {
	l.c, l.f, l.in, l.regs = c, f, f.Facts, regs
	n := len(l.in.Regs)
	l.kill, l.def = rows.Sized(l.kill, n), rows.Sized(l.def, n)
	l.first, l.last = rows.Sized(l.first, n), rows.Sized(l.last, n)
}

// aliasesOf lists the registers that share a part with r, r itself first.
func (l *liveRegs) aliasesOf(r desc.PhysReg) []desc.PhysReg { return l.in.Aliases(r) }

// startBlock makes every register dead, and live what is live out of b. visit is told
// of each register that overlaps one of these.
func (l *liveRegs) startBlock(b mir.BlockID, size int, visit func(r desc.PhysReg)) {
	for r := range l.kill {
		l.kill[r], l.def[r] = nowhere, uint32(size)
	}
	clear(l.first)
	l.refs = append(l.refs[:0], regRef{})
	out := func(r desc.PhysReg) {
		for _, a := range l.aliasesOf(r) {
			l.kill[a], l.def[a] = uint32(size), nowhere
			visit(a)
		}
	}
	f := l.f
	for _, e := range f.Succs(b) {
		for _, in := range f.LiveInsOf(e.Block) {
			out(desc.PhysReg(in.Reg))
		}
	}
	// Registers of the caller are live everywhere, those that are saved at the end.
	last := f.Block(b).Last()
	returns := last != 0 && f.Desc(last).IsReturn()
	for _, r := range l.regs.CalleeSaved() {
		if returns || l.isPristine(r) {
			out(r)
		}
	}
}

// isPristine reports a callee-saved register that the function does not touch.
func (l *liveRegs) isPristine(r desc.PhysReg) bool {
	fr := &l.f.Frame
	if !fr.IsCalleeSavedInfoValid {
		return false
	}
	for k := range fr.CalleeSaved {
		if l.in.IsSubRegisterEq(desc.PhysReg(fr.CalleeSaved[k].Reg), r) {
			return false
		}
	}
	return true
}

func (l *liveRegs) isLive(r desc.PhysReg) bool { return l.kill[r] != nowhere && l.def[r] == nowhere }

// addRef adds operand op of i to the references of r.
func (l *liveRegs) addRef(r desc.PhysReg, i mir.InstrID, op int) {
	k := int32(len(l.refs))
	l.refs = append(l.refs, regRef{instr: i, op: int32(op)})
	if l.first[r] == 0 {
		l.first[r] = k
	} else {
		l.refs[l.last[r]].next = k
	}
	l.last[r] = k
}

func (l *liveRegs) dropRefs(r desc.PhysReg) { l.first[r] = 0 }

// classOf is the class that operand k of i must be of by its description, NoClass for none.
func (l *liveRegs) classOf(i mir.InstrID, k int) desc.ClassID {
	return l.in.OperandClass(l.f.Instr(i).Opcode, k, l.in.DefaultMode)
}

// rename makes the references of r references of to. It is a part, or the whole, of from,
// which becomes whole: so do debug values behind the references.
func (l *liveRegs) rename(s *scheduler, r, to, from, whole desc.PhysReg) {
	for k := l.first[r]; k != 0; k = l.refs[k].next {
		x := l.refs[k]
		// That the old register could be renamed says nothing of the new one.
		l.f.Assign(x.instr, int(x.op), mir.Reg(to), 0, mir.Renamable)
		if s.builder.nodeIn(x.instr) >= 0 {
			s.renameDebugValues(x.instr, from, whole)
		}
	}
}

// renameDebugValues has the debug values behind i, and those directly behind them, name
// another register. Their parts follow, which LLVM leaves as they were.
func (s *scheduler) renameDebugValues(i mir.InstrID, from, to desc.PhysReg) {
	f := s.f
	before := mir.InstrID(0)
	for _, d := range s.debug {
		if at := s.seq.instr[d.behind]; d.place == s.seq.place(s.region.begin) || at != i && (before == 0 || at != before) {
			if before != 0 {
				return
			}
			continue
		}
		before = s.seq.instr[d.place]
		for k := range f.Instr(before).NumOps() {
			o := f.Op(before, k)
			if !o.IsReg() || !o.Reg().IsPhysical() || o.Reg() == 0 {
				continue
			}
			if r := desc.PhysReg(o.Reg()); r == from {
				f.SetReg(before, k, mir.Reg(to))
			} else if idx := f.Facts.SubRegIndexOf(from, r); idx != 0 {
				if part := f.Facts.SubReg(to, idx); part != 0 {
					f.SetReg(before, k, mir.Reg(part))
				}
			}
		}
	}
}

// criticalStep is the edge to the predecessor over which the longest way leads to node
// n; among equals an anti-dependency counts. 0: n is the first.
func (g *graph) criticalStep(n int32) int32 {
	best, most := int32(0), int32(0)
	for e := g.nodes[n].preds; e != 0; e = g.edges[e].nextPred {
		x := &g.edges[e]
		if d := g.nodes[x.pred].depth + x.latency; most < d || most == d && x.kind == antiEdge {
			best, most = e, d
		}
	}
	return best
}

// bottom is the node at which the longest way through the region ends.
func (g *graph) bottom() int32 {
	best := int32(0)
	for n := range g.numInstrs() {
		if x, y := &g.nodes[n], &g.nodes[best]; x.depth+x.latency > y.depth+y.latency {
			best = n
		}
	}
	return best
}

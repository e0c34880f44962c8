package ssaopt

import (
	"github.com/mirin-go/mirin/analysis"
	"github.com/mirin-go/mirin/codegen/schedmodel"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// traceDepths tells in which cycle an instruction can be issued, counted from the
// head of a trace: the way of fewest instructions that leads to its block without
// leaving or entering a loop backwards (the upper half of LLVM's
// MachineTraceMetrics by its strategy MinInstrCount). Every block has one trace
// above it, and the depths of a block are computed when it is first asked about.
type traceDepths struct {
	f     *mir.Function
	model *schedmodel.Model
	// blocks are the traces, by block.
	blocks []traceBlock
	depth  []int32 // by instruction
	path   []mir.BlockID
	// units are the instructions that wrote the registers units that are live at
	// the place where the walk is.
	units []unitWrite
	walk  uint32
}

// traceBlock is a block in the trace that leads to it.
type traceBlock struct {
	pred, head mir.BlockID
	depth      int32 // instructions above it in the trace
	count      int32 // its own
	valid      bool  // the depths of its instructions are known
}

type unitWrite struct {
	i    mir.InstrID
	op   int32
	walk uint32
}

// isTransient reports what makes no code, or is gone when code is emitted.
func isTransient(f *mir.Function, i mir.InstrID) bool { return schedmodel.IsTransient(f, i) }

// begin finds the traces of a function.
func (t *traceDepths) begin(f *mir.Function, model *schedmodel.Model, g *analysis.Graph, loops *analysis.Loops) {
	t.f, t.model = f, model
	t.blocks = rows.Zeroed(t.blocks, f.NumBlockIDs())
	t.units = rows.Sized(t.units, f.Facts.NumUnits())
	t.depth = rows.Sized(t.depth, f.NumInstrIDs())
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			if !isTransient(f, i) {
				t.blocks[b].count++
			}
		}
	}
	for _, n := range g.RPO() {
		b := &t.blocks[n]
		b.head = mir.BlockID(n)
		if loops.IsHeader(int(n)) {
			continue
		}
		best := int32(-1)
		for _, p := range g.Preds(int(n)) {
			// One that comes later closes a cycle that is no loop.
			if !g.Reachable(int(p)) || g.RPONumber(int(p)) >= g.RPONumber(int(n)) {
				continue
			}
			above := &t.blocks[p]
			if d := above.depth + above.count; best < 0 || d < best {
				best, b.pred, b.head = d, mir.BlockID(p), above.head
			}
		}
		b.depth = max(0, best)
	}
}

// enter begins a walk over block b, whose instructions are visited one after
// another; those above it in its trace are known behind it.
func (t *traceDepths) enter(b mir.BlockID) {
	t.walk++
	t.path = t.path[:0]
	for p := t.blocks[b].pred; p != 0 && !t.blocks[p].valid; p = t.blocks[p].pred {
		t.path = append(t.path, p)
	}
	for k := len(t.path) - 1; k >= 0; k-- {
		p := t.path[k]
		t.blocks[p].valid = true
		for i := t.f.Block(p).First(); i != 0; i = t.f.Instr(i).Next() {
			t.visit(i)
		}
	}
	t.blocks[b].valid = true
}

// note sets the depth of a new instruction.
func (t *traceDepths) note(i mir.InstrID, depth int32) {
	for int(i) >= len(t.depth) {
		t.depth = append(t.depth, 0)
	}
	t.depth[i] = depth
}

// depthOf is the depth of def where it counts for block b, -1 where it does not.
func (t *traceDepths) depthOf(def mir.InstrID, b mir.BlockID) int32 {
	if def == 0 {
		return -1
	}
	d, at := &t.blocks[t.f.Instr(def).Block()], &t.blocks[b]
	if !d.valid || d.head != at.head || d.depth > at.depth {
		return -1
	}
	return t.depth[def]
}

// visit computes the depth of i from what it reads.
func (t *traceDepths) visit(i mir.InstrID) {
	f := t.f
	b := f.Instr(i).Block()
	cycle := int32(0)
	wait := func(def mir.InstrID, defOp, useOp int) {
		at := t.depthOf(def, b)
		if at < 0 {
			return
		}
		if !isTransient(f, def) {
			at += int32(t.model.OperandLatency(f, def, defOp, i, useOp))
		}
		cycle = max(cycle, at)
	}
	switch {
	case f.IsDebugInstr(i):
	case f.IsPHI(i):
		for k := 1; k+1 < f.Instr(i).NumOps(); k += 2 {
			if f.Op(i, k+1).Block() == t.blocks[b].pred && t.blocks[b].pred != 0 {
				t.waitVirtual(f.Op(i, k).Reg(), k, wait)
				break
			}
		}
	default:
		ops := f.Ops(i)
		phys := false
		for k := range ops {
			switch o := &ops[k]; {
			case !o.IsReg() || o.Reg() == 0:
			case o.Reg().IsPhysical():
				phys = true
			case o.ReadsReg():
				t.waitVirtual(o.Reg(), k, wait)
			}
		}
		if phys {
			t.visitUnits(i, wait)
		}
	}
	t.note(i, cycle)
}

func (t *traceDepths) waitVirtual(r mir.Reg, useOp int, wait func(def mir.InstrID, defOp, useOp int)) {
	if !r.IsVirtual() {
		return
	}
	def := t.f.UniqueDef(r)
	if def == 0 {
		return
	}
	for k, o := range t.f.Ops(def) {
		if o.IsDef() && o.Reg() == r {
			wait(def, k, useOp)
			return
		}
	}
}

// visitUnits follows what i reads and writes of physical registers.
func (t *traceDepths) visitUnits(i mir.InstrID, wait func(def mir.InstrID, defOp, useOp int)) {
	ops := t.f.Ops(i)
	in := t.f.Facts
	for k := range ops {
		o := &ops[k]
		if !o.IsReg() || o.Reg() == 0 || !o.Reg().IsPhysical() || !o.IsUse() || !o.ReadsReg() {
			continue
		}
		for u := range in.RegUnits(desc.PhysReg(o.Reg())).All() {
			if w := &t.units[u]; w.walk == t.walk && w.i != 0 {
				wait(w.i, int(w.op), k)
				break
			}
		}
	}
	for pass := range 2 { // what dies, then what is written
		for k := range ops {
			o := &ops[k]
			if !o.IsReg() || o.Reg() == 0 || !o.Reg().IsPhysical() || (o.IsKill() || o.IsDead()) != (pass == 0) || pass == 1 && !o.IsDef() {
				continue
			}
			w := unitWrite{walk: t.walk}
			if pass == 1 {
				w.i, w.op = i, int32(k)
			}
			for u := range in.RegUnits(desc.PhysReg(o.Reg())).All() {
				t.units[u] = w
			}
		}
	}
}

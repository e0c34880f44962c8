package tracemetrics

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// Enter makes the depths of all instructions above b in its trace known. Those of b
// follow one by one, by Step: for passes that change instructions on their way down.
// They need not have been known before; what hangs on them is not forgotten here.
func (e *Ensemble) Enter(b mir.BlockID) {
	e.find(b)
	e.pathUp(e.blocks[b].pred)
	e.writes.clear()
	e.stepPath()
	e.blocks[b].depths = true
}

// Step makes the depth of i known, which stands behind all instructions of the block
// that Enter named and Step has seen, or before one of them and stands for what Step saw.
func (e *Ensemble) Step(i mir.InstrID) { e.step(&e.blocks[e.m.f.Instr(i).Block()], i) }

// Depth is the depth of i as it was found last, 0 where nobody asked: outside of the trace,
// too.
func (e *Ensemble) Depth(i mir.InstrID) int { return int(e.depth[i]) }

// FindDepths makes the depths of the instructions of b known, and of those above it in
// its trace.
func (e *Ensemble) FindDepths(b mir.BlockID) {
	e.find(b)
	e.findDepths(b)
}

func (e *Ensemble) findDepths(b mir.BlockID) {
	if e.blocks[b].depths {
		return
	}
	e.pathUp(b)
	e.writes.clear()
	e.stepPath()
}

// pathUp lists the blocks of a trace from b upwards whose depths are not known.
func (e *Ensemble) pathUp(b mir.BlockID) {
	e.path = e.path[:0]
	for ; b != 0 && !e.blocks[b].depths; b = e.blocks[b].pred {
		e.path = append(e.path, b)
	}
}

// stepPath finds the depths in the blocks of the path, from above.
func (e *Ensemble) stepPath() {
	f := e.m.f
	for k := len(e.path) - 1; k >= 0; k-- {
		x := &e.blocks[e.path[k]]
		x.depths, x.critical = true, 0
		if x.heights {
			x.critical = e.crossing(e.path[k])
		}
		for i := f.Block(e.path[k]).First(); i != 0; i = f.Instr(i).Next() {
			e.step(x, i)
		}
	}
}

// step finds the depth of i from what it reads.
func (e *Ensemble) step(x *traceBlock, i mir.InstrID) {
	f := e.m.f
	cycle := int32(0)
	switch {
	case f.IsDebugInstr(i):
	case f.IsPHI(i):
		if x.pred == 0 {
			break
		}
		if k := e.m.phiOperand(i, x.pred); k != 0 {
			cycle = e.wait(x, i, k, f.Op(i, k).Reg())
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
				cycle = max(cycle, e.wait(x, i, k, o.Reg()))
			}
		}
		if phys {
			cycle = max(cycle, e.stepUnits(x, i))
		}
	}
	e.depth = rows.AtLeast(e.depth, int(i)+1)
	e.depth[i] = cycle
	if x.heights {
		x.critical = max(x.critical, cycle+e.height[i])
	}
}

// wait is the cycle in which operand k of i, in block x, can read virtual register r.
func (e *Ensemble) wait(x *traceBlock, i mir.InstrID, k int, r mir.Reg) int32 {
	if !r.IsVirtual() {
		return 0
	}
	def, op := e.m.defOf(r)
	return e.readyFrom(x, def, op, i, k)
}

// readyFrom is the cycle in which operand k of i can read what operand op of def writes.
func (e *Ensemble) readyFrom(x *traceBlock, def mir.InstrID, op int, i mir.InstrID, k int) int32 {
	if def == 0 || !e.useful(&e.blocks[e.m.f.Instr(def).Block()], x) {
		return 0
	}
	return e.depth[def] + e.m.latency(def, op, i, k)
}

// stepUnits follows what i reads and writes of physical registers; it returns the cycle in
// which it can read them.
func (e *Ensemble) stepUnits(x *traceBlock, i mir.InstrID) (cycle int32) {
	f := e.m.f
	in := f.Facts
	ops := f.Ops(i)
	for k := range ops {
		if o := &ops[k]; isPhys(o) && o.IsUse() && o.ReadsReg() {
			for u := range in.RegUnits(desc.PhysReg(o.Reg())).All() {
				if w := e.writes.at(int(u)); w != nil {
					cycle = max(cycle, e.readyFrom(x, w.i, int(w.op), i, k))
					break
				}
			}
		}
	}
	// What dies, then what is written.
	for k := range ops {
		if o := &ops[k]; isPhys(o) && (o.IsKill() || o.IsDead()) {
			for u := range in.RegUnits(desc.PhysReg(o.Reg())).All() {
				e.writes.remove(int(u))
			}
		}
	}
	for k := range ops {
		if o := &ops[k]; isPhys(o) && o.IsDef() && !o.IsDead() {
			for u := range in.RegUnits(desc.PhysReg(o.Reg())).All() {
				*e.writes.add(int(u)) = unitRow{unit: uint32(u), i: i, op: int32(k)}
			}
		}
	}
	return cycle
}

func isPhys(o *mir.Operand) bool { return o.IsReg() && o.Reg() != 0 && o.Reg().IsPhysical() }

// unitSet is a set of register units with who wrote or read them.
type unitSet struct {
	rows []unitRow
	pos  []uint32 // by unit: row+1
}

// unitRow says of a unit which operand wrote it last, or reads it in which cycle.
type unitRow struct {
	unit  uint32
	i     mir.InstrID
	op    int32
	cycle int32
}

func (s *unitSet) reset(units int) { s.rows, s.pos = s.rows[:0], rows.Zeroed(s.pos, units) }

func (s *unitSet) clear() {
	for k := range s.rows {
		s.pos[s.rows[k].unit] = 0
	}
	s.rows = s.rows[:0]
}

// at is the row of a unit, nil when it is not in the set; good until one is added or removed.
func (s *unitSet) at(u int) *unitRow {
	if s.pos[u] == 0 {
		return nil
	}
	return &s.rows[s.pos[u]-1]
}

// add is the row of a unit, which is made when there is none.
func (s *unitSet) add(u int) *unitRow {
	if s.pos[u] == 0 {
		s.rows = append(s.rows, unitRow{unit: uint32(u)})
		s.pos[u] = uint32(len(s.rows))
	}
	return &s.rows[s.pos[u]-1]
}

func (s *unitSet) remove(u int) {
	at := s.pos[u]
	if at == 0 {
		return
	}
	last := s.rows[len(s.rows)-1]
	s.rows[at-1], s.pos[last.unit] = last, at
	s.rows, s.pos[u] = s.rows[:len(s.rows)-1], 0
}

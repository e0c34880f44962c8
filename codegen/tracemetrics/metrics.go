package tracemetrics

import (
	"github.com/mirin-go/mirin/analysis"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/codegen/schedmodel"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// Metrics knows the traces of a function in SSA form.
type Metrics struct {
	f     *mir.Function
	model *schedmodel.Model
	loops *analysis.Loops
	kinds int // of resources
	// fixed is what does not depend on traces, by block, and used how long each
	// resource is kept busy, by block and resource, scaled to the model's LatencyFactor.
	fixed     []fixedBlock
	used      []int32
	ensembles [numStrategies]Ensemble
	// phiBlock is a block whose PHIs have many operands, phiAt which of them is that of
	// a predecessor, as far as nothing was changed since.
	phiBlock mir.BlockID
	phiAt    []uint32
}

// fixedBlock is what is known of a block alone.
type fixedBlock struct {
	instrs         int32 // that make code
	counted, usage bool  // whether instrs and the block's row of used are known
}

// Strategy says how traces are picked.
type Strategy uint8

// The strategies.
const (
	// MinInstrCount picks the way of fewest instructions.
	MinInstrCount Strategy = iota
	// Local makes each block a trace of its own.
	Local
	numStrategies
)

// Reset begins with function f, in the memory of the last. Blocks and edges may be
// removed, but what loops blocks are in must stay.
func (m *Metrics) Reset(c *pass.Context, f *mir.Function) {
	m.f, m.model, m.loops = f, c.Subtarget.Sched(), &pass.Get[pass.Loops](c, f).Loops
	m.kinds = m.model.NumResources()
	m.fixed = rows.Zeroed(m.fixed, f.NumBlockIDs())
	m.used = m.used[:0]
	m.phiBlock = 0
	for k := range m.ensembles {
		m.ensembles[k].known = false
	}
}

// Ensemble gives the traces of a strategy.
func (m *Metrics) Ensemble(s Strategy) *Ensemble {
	e := &m.ensembles[s]
	if !e.known {
		e.reset(m, s)
	}
	return e
}

// Invalidate forgets what hangs on block b, whose instructions or edges are about to
// change: the depths of the blocks below it in traces, the heights of those above. The
// edges must be those of before the change.
func (m *Metrics) Invalidate(b mir.BlockID) {
	m.fixed[b] = fixedBlock{}
	for k := range m.ensembles {
		if e := &m.ensembles[k]; e.known {
			e.invalidate(b)
		}
	}
}

// MispredictPenalty is what a branch costs that is predicted wrongly, in cycles.
func (m *Metrics) MispredictPenalty() int { return m.model.MispredictPenalty() }

// instrs is the number of instructions of b that make code.
func (m *Metrics) instrs(b mir.BlockID) int32 {
	x := &m.fixed[b]
	if !x.counted {
		x.instrs, x.counted = 0, true
		for i := m.f.Block(b).First(); i != 0; i = m.f.Instr(i).Next() {
			if !schedmodel.IsTransient(m.f, i) {
				x.instrs++
			}
		}
	}
	return x.instrs
}

// usage is how long b keeps each resource busy, scaled.
func (m *Metrics) usage(b mir.BlockID) []int32 {
	if len(m.used) == 0 {
		m.used = rows.Sized(m.used, m.f.NumBlockIDs()*m.kinds)
	}
	row := m.used[int(b)*m.kinds:][:m.kinds]
	if x := &m.fixed[b]; !x.usage {
		x.usage = true
		clear(row)
		for i := m.f.Block(b).First(); i != 0; i = m.f.Instr(i).Next() {
			if schedmodel.IsTransient(m.f, i) {
				continue
			}
			if c := m.model.Class(m.f, i); c != nil {
				for _, u := range m.model.Uses(c) {
					row[u.Resource] += int32(u.Release) * int32(m.model.ResourceFactor(int(u.Resource)))
				}
			}
		}
	}
	return row
}

// latency is how many cycles after def is issued user reads in operand useOp what
// def writes in operand defOp; none where def makes no code. user may be 0.
func (m *Metrics) latency(def mir.InstrID, defOp int, user mir.InstrID, useOp int) int32 {
	if schedmodel.IsTransient(m.f, def) {
		return 0
	}
	return int32(m.model.OperandLatency(m.f, def, defOp, user, useOp))
}

// defOf finds the operand that defines virtual register r in SSA form.
func (m *Metrics) defOf(r mir.Reg) (def mir.InstrID, op int) {
	id := m.f.FirstUse(r)
	if id == 0 || !m.f.OpAt(id).IsDef() {
		return 0, 0
	}
	return m.f.Owner(id)
}

// manyPreds is from how many operands on those of a PHI are not searched one by one: many
// traces may go into one block.
const manyPreds = 64

// phiOperand is the operand that a PHI reads from block b, 0 for none.
func (m *Metrics) phiOperand(phi mir.InstrID, b mir.BlockID) int {
	ops := m.f.Ops(phi)
	if len(ops) >= 2*manyPreds {
		if at := m.f.Instr(phi).Block(); m.phiBlock != at {
			m.phiBlock, m.phiAt = at, rows.Zeroed(m.phiAt, m.f.NumBlockIDs())
			for k := 1; k+1 < len(ops); k += 2 {
				m.phiAt[ops[k+1].Block()] = uint32(k)
			}
		}
		if k := int(m.phiAt[b]); k != 0 && k+1 < len(ops) && ops[k+1].Block() == b {
			return k
		}
	}
	for k := 1; k+1 < len(ops); k += 2 {
		if ops[k+1].Block() == b {
			return k
		}
	}
	return 0
}

// loopOf is the innermost loop around b, -1 for none.
func (m *Metrics) loopOf(b mir.BlockID) int {
	if int(b) >= len(m.loops.Loop) {
		return -1
	}
	return int(m.loops.Loop[b])
}

// isHeader reports that b is the header of loop l.
func (m *Metrics) isHeader(l int, b mir.BlockID) bool {
	return l >= 0 && m.loops.All[l].Header == int32(b)
}

// leaves reports that b is outside of loop l.
func (m *Metrics) leaves(l int, b mir.BlockID) bool {
	return l >= 0 && !m.loops.Contains(l, int(b))
}

package sched

import (
	"github.com/mirin-go/mirin/codegen/schedmodel"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// machine is the processor's model in the form in which the ends of a region count.
type machine struct {
	*schedmodel.Model
	f *mir.Function
	// Resources are numbered from 1; 0 stands for the machine's width.
	units   []int  // how many there are
	factor  []int  // what a cycle of one of them is, in units of which a cycle of the machine has LatencyFactor
	inOrder []bool // they stall the machine
	group   [][]uint16
	taken   []use // arena of what the nodes take
}

// use is how long an instruction keeps a resource.
type use struct{ resource, from, cycles int }

func (m *machine) reset(model *schedmodel.Model, f *mir.Function) {
	m.f = f
	if m.Model == model {
		return
	}
	m.Model = model
	n := model.NumResources() + 1
	m.units, m.factor, m.inOrder, m.group = rows.Zeroed(m.units, n), rows.Zeroed(m.factor, n), rows.Zeroed(m.inOrder, n), rows.Zeroed(m.group, n)
	for k := range n - 1 {
		r := model.Resource(k)
		m.units[k+1], m.factor[k+1], m.inOrder[k+1] = int(r.NumUnits), model.ResourceFactor(k), r.Buffer == 0
		if r.Buffer == 0 {
			m.group[k+1] = model.SubUnits(k)
		}
	}
}

// describe fills in what node x costs.
func (m *machine) describe(x *node) {
	x.latency, x.ops = int32(m.InstrLatency(m.f, x.instr)), int32(m.MicroOps(m.f, x.instr))
	x.uses, x.numUses = int32(len(m.taken)), 0
	c := m.Class(m.f, x.instr)
	if c == nil {
		return
	}
	x.begins, x.ends = c.Flags&desc.SchedBeginGroup != 0, c.Flags&desc.SchedEndGroup != 0
	for _, u := range m.Uses(c) {
		m.taken = append(m.taken, use{int(u.Resource) + 1, int(u.Acquire), int(u.Release)})
		x.numUses++
		switch m.Resource(int(u.Resource)).Buffer {
		case 0:
			x.reserves = true
		case 1:
			x.unbuffered = true
		}
	}
}

// usesOf lists what a node takes.
func (m *machine) usesOf(x *node) []use { return m.taken[x.uses : x.uses+x.numUses] }

// count is what u is of its resource.
func (m *machine) count(u use) int { return m.factor[u.resource] * (u.cycles - u.from) }

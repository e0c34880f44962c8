package tracemetrics

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// liveIn is a virtual register that the trace reads from a block on and that is written
// above, with the height that its definition has at least; or a unit of a physical
// register, with the height of who reads it.
type liveIn struct {
	reg    uint32
	height int32
}

// maxLiveIns bounds what is listed of a function: values that live through many blocks
// would be listed in each. What is not listed lengthens no critical path but that of the
// block that reads it.
const maxLiveIns = 1 << 22

// heightMap is the height that instructions above have at least.
type heightMap struct {
	height []int32
	round  []uint32 // in which the row counts
	now    uint32
}

func (h *heightMap) reset(n int) {
	h.height, h.round, h.now = rows.Sized(h.height, n), rows.Zeroed(h.round, n), 0
}

// clear empties the map; n bounds the instructions.
func (h *heightMap) clear(n int) {
	h.now++
	h.height, h.round = rows.AtLeast(h.height, n), rows.AtLeast(h.round, n)
}

func (h *heightMap) at(i mir.InstrID) int32 {
	if h.round[i] != h.now {
		return 0
	}
	return h.height[i]
}

// raise makes the height of i at least n and reports that i was not in the map.
func (h *heightMap) raise(i mir.InstrID, n int32) bool {
	if h.round[i] != h.now {
		h.round[i], h.height[i] = h.now, n
		return true
	}
	h.height[i] = max(h.height[i], n)
	return false
}

// findHeights makes the heights of the instructions of b known, and of those below it in
// its trace.
func (e *Ensemble) findHeights(b mir.BlockID) {
	if e.blocks[b].heights {
		return
	}
	f := e.m.f
	e.path = e.path[:0]
	for ; b != 0 && !e.blocks[b].heights; b = e.blocks[b].succ {
		e.path = append(e.path, b)
		e.numLiveIns -= len(e.liveIns[b])
		e.liveIns[b] = e.liveIns[b][:0]
	}
	e.heights.clear(f.NumInstrIDs())
	e.height = rows.AtLeast(e.height, f.NumInstrIDs())
	e.reads.clear()
	if b != 0 {
		for _, l := range e.liveIns[b] {
			if r := mir.Reg(l.reg); r.IsVirtual() {
				if def, _ := e.m.defOf(r); def != 0 {
					e.heights.raise(def, l.height)
				}
			} else {
				*e.reads.add(int(l.reg)) = unitRow{unit: l.reg, cycle: l.height}
			}
		}
	}
	for ; len(e.path) > 0; e.path = e.path[:len(e.path)-1] {
		e.climb(e.path[len(e.path)-1])
	}
}

// climb finds the heights in block b, the last of the path, from its end.
func (e *Ensemble) climb(b mir.BlockID) {
	f := e.m.f
	x := &e.blocks[b]
	x.heights, x.critical = true, 0
	e.readPHIs(b)
	for i := f.Block(b).Last(); i != 0; i = f.Instr(i).Prev() {
		cycle := e.heights.at(i)
		if !f.IsPHI(i) && !f.IsDebugInstr(i) {
			ops := f.Ops(i)
			for k := range ops {
				if isPhys(&ops[k]) {
					cycle = e.climbUnits(i, cycle)
					break
				}
			}
			for k := range ops {
				if o := &ops[k]; o.IsReg() && o.Reg().IsVirtual() && o.ReadsReg() {
					e.need(i, k, o.Reg(), cycle)
				}
			}
		}
		e.height[i] = cycle
		if x.depths {
			x.critical = max(x.critical, cycle+e.depth[i])
		}
	}
	// How high their definitions are is known now.
	for k := range e.liveIns[b] {
		l := &e.liveIns[b][k]
		if def, _ := e.m.defOf(mir.Reg(l.reg)); def != 0 {
			l.height = e.heights.at(def)
		}
	}
	for _, r := range e.reads.rows {
		e.liveIns[b] = append(e.liveIns[b], liveIn{r.unit, r.cycle})
		e.numLiveIns++
	}
	if x.depths {
		x.critical = max(x.critical, e.crossing(b))
	}
}

// readPHIs has the PHIs of the block behind b in the trace read what they get from b. At the
// end of a trace that may go back to a loop's header those are read, with height 0.
func (e *Ensemble) readPHIs(b mir.BlockID) {
	f := e.m.f
	succ := e.blocks[b].succ
	to := succ
	if succ == 0 {
		l := e.m.loopOf(b)
		if l < 0 || !f.HasSucc(b, mir.BlockID(e.m.loops.All[l].Header)) {
			return
		}
		to = mir.BlockID(e.m.loops.All[l].Header)
	}
	for phi := f.Block(to).First(); phi != 0 && f.IsPHI(phi); phi = f.Instr(phi).Next() {
		k := e.m.phiOperand(phi, b)
		if k == 0 {
			continue
		}
		h := int32(0)
		if succ != 0 {
			h = e.height[phi]
		}
		e.need(phi, k, f.Op(phi, k).Reg(), h)
	}
}

// need says that operand k of user, which has a height, reads virtual register r.
func (e *Ensemble) need(user mir.InstrID, k int, r mir.Reg, height int32) {
	if !r.IsVirtual() {
		return
	}
	def, op := e.m.defOf(r)
	if def == 0 || !e.heights.raise(def, height+e.m.latency(def, op, user, k)) {
		return
	}
	// It is live into the blocks of the path from here up to that of the definition. Its
	// height is known when the block is done.
	from := e.m.f.Instr(def).Block()
	for k := len(e.path) - 1; k >= 0 && e.path[k] != from && e.numLiveIns < maxLiveIns; k-- {
		e.liveIns[e.path[k]] = append(e.liveIns[e.path[k]], liveIn{reg: uint32(r)})
		e.numLiveIns++
	}
}

// climbUnits follows what i writes and reads of physical registers; it returns the height
// of i, which is cycle by what it writes else.
func (e *Ensemble) climbUnits(i mir.InstrID, cycle int32) int32 {
	f := e.m.f
	in := f.Facts
	ops := f.Ops(i)
	for k := range ops {
		o := &ops[k]
		if !isPhys(o) || !o.IsDef() {
			continue
		}
		for u := range in.RegUnits(desc.PhysReg(o.Reg())).All() {
			if r := e.reads.at(int(u)); r != nil {
				// Who reads it is not known where it stands below what is known already.
				cycle = max(cycle, r.cycle+e.m.latency(i, k, r.i, int(r.op)))
				e.reads.remove(int(u))
			}
		}
	}
	for k := range ops {
		o := &ops[k]
		if !isPhys(o) || !o.ReadsReg() {
			continue
		}
		for u := range in.RegUnits(desc.PhysReg(o.Reg())).All() {
			if r := e.reads.add(int(u)); r.cycle <= cycle && r.i != i {
				r.cycle, r.i, r.op = cycle, i, int32(k)
			}
		}
	}
	return cycle
}

// crossing is the longest chain through what block b reads of the blocks above.
func (e *Ensemble) crossing(b mir.BlockID) int32 {
	x := &e.blocks[b]
	most := int32(0)
	for _, l := range e.liveIns[b] {
		if !mir.Reg(l.reg).IsVirtual() {
			continue
		}
		if def, _ := e.m.defOf(mir.Reg(l.reg)); def != 0 && e.useful(&e.blocks[e.m.f.Instr(def).Block()], x) {
			most = max(most, l.height+e.depth[def])
		}
	}
	return most
}

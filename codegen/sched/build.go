package sched

import (
	"github.com/mirin-go/mirin/codegen/alias"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// access is an operand of a node that names a register or a unit, in a list of
// those of the same register.
type access struct {
	node int32
	op   int32 // operand number, -1 for what stands behind the region without an operand
	next int32
	// all says that it stands for all that were in the list before it, though nothing reads it.
	all bool
}

// accesses are lists of accesses by register, emptied all at once.
type accesses struct {
	head, tail []int32
	stamp      []uint32
	epoch      uint32
	rows       []access // row 0 unused
}

func (a *accesses) begin(n int) {
	a.head, a.tail = rows.AtLeast(a.head, n), rows.AtLeast(a.tail, n)
	a.stamp = rows.AtLeast(a.stamp, n)
	a.epoch++
	a.rows = append(a.rows[:0], access{})
}

func (a *accesses) first(r int) int32 {
	if a.stamp[r] != a.epoch {
		return 0
	}
	return a.head[r]
}

func (a *accesses) push(r int, node, op int32) {
	k := int32(len(a.rows))
	a.rows = append(a.rows, access{node: node, op: op})
	if a.stamp[r] != a.epoch || a.head[r] == 0 {
		a.stamp[r], a.head[r] = a.epoch, k
	} else {
		a.rows[a.tail[r]].next = k
	}
	a.tail[r] = k
}

func (a *accesses) clear(r int) {
	if a.stamp[r] == a.epoch {
		a.head[r] = 0
	}
}

// without takes the accesses of nodes out of the list of r.
func (a *accesses) without(r int, drop func(node int32) bool) {
	if a.stamp[r] != a.epoch {
		return
	}
	k := a.head[r]
	a.head[r] = 0
	for k != 0 {
		next := a.rows[k].next
		if !drop(a.rows[k].node) {
			a.rows[k].next = 0
			if a.head[r] == 0 {
				a.head[r] = k
			} else {
				a.rows[a.tail[r]].next = k
			}
			a.tail[r] = k
		}
		k = next
	}
}

// builder makes the graph of a region.
type builder struct {
	c *pass.Context
	f *mir.Function
	g *graph
	m *machine
	// constant marks registers that always read the same; known marks those asked about.
	constant, known []bool

	// nodeOf is by instruction, good for those of the region.
	nodeOf []int32
	region region
	block  mir.BlockID
	end    mir.InstrID // what stands behind the region, 0 at the block's end

	unitDefs, unitUses accesses // by register unit
	deadDefs           []int32  // by register unit: how many of unitDefs nothing reads
	vregDefs, vregUses accesses // by virtual register; of definitions the next one alone

	memory  alias.Memory
	mem     memoryOrder
	sparse  bool  // leave edges between accesses out that others imply
	barrier int32 // the node that what touches memory or has effects stands before, -1 none
}

func (b *builder) reset(c *pass.Context, f *mir.Function, g *graph, m *machine) {
	b.c, b.f, b.g, b.m, b.sparse = c, f, g, m, false
	b.memory.Reset(c, f)
	b.memory.Plain = !c.Machine.Options.Tuning.Sched.UseAA
	n := len(f.Facts.Regs)
	b.constant, b.known = rows.Zeroed(b.constant, n), rows.Zeroed(b.known, n)
	b.nodeOf = rows.AtLeast(b.nodeOf, f.NumInstrIDs())
}

// build makes the graph of a region of block bb. visit is called with each
// node, from the last to the first, when its instruction is known.
func (b *builder) build(bb mir.BlockID, r region, visit func(n int32)) {
	f, g := b.f, b.g
	b.block, b.region, b.end = bb, r, r.end
	g.begin(r.n)
	b.m.taken = b.m.taken[:0]
	b.nodeOf = rows.AtLeast(b.nodeOf, f.NumInstrIDs())
	n := int32(0)
	for i := r.begin; i != r.end; i = f.Instr(i).Next() {
		if isDebug(f, i) {
			continue
		}
		b.nodeOf[i] = n
		x := &g.nodes[n]
		x.instr, x.isCall = i, f.Desc(i).IsCall()
		b.m.describe(x)
		n++
	}
	g.nodes[g.exit()].instr = r.end
	units := f.Facts.NumUnits()
	b.unitDefs.begin(units)
	b.deadDefs = rows.Zeroed(b.deadDefs, units)
	b.unitUses.begin(units)
	b.vregDefs.begin(f.NumVRegs())
	b.vregUses.begin(f.NumVRegs())
	b.barrier = -1
	b.mem.begin(r.n, b.sparse)
	b.exitEdges()
	for k := g.numInstrs() - 1; k >= 0; k-- {
		if visit != nil {
			visit(k)
		}
		b.registers(k)
		b.effects(k)
	}
}

// nodeIn returns the node of an instruction of the region, -1 for others.
func (b *builder) nodeIn(i mir.InstrID) int32 {
	if i == 0 || int(i) >= len(b.nodeOf) {
		return -1
	}
	if n := b.nodeOf[i]; n < b.g.numInstrs() && b.g.nodes[n].instr == i {
		return n
	}
	return -1
}

// exitEdges makes the exit read what the instruction behind the region reads,
// and where control goes on to other blocks, what is live into them.
func (b *builder) exitEdges() {
	f, exit := b.f, b.g.exit()
	if b.end != 0 {
		for k := range f.Ops(b.end) {
			o := f.Op(b.end, k)
			switch {
			case !o.IsUse() || o.Reg() == 0:
			case o.Reg().IsPhysical():
				for u := range f.Facts.RegUnits(desc.PhysReg(o.Reg())).All() {
					b.unitUses.push(int(u), exit, -1)
				}
			case o.ReadsReg():
				b.useVReg(exit, k, o)
			}
		}
		if d := f.Desc(b.end); d.IsCall() || d.IsBarrier() {
			return
		}
	}
	for _, s := range f.Succs(b.block) {
		for _, l := range f.LiveInsOf(s.Block) {
			r := desc.PhysReg(l.Reg)
			lanes := f.Facts.UnitLanes(r)
			k := 0
			for u := range f.Facts.RegUnits(r).All() {
				if (k >= len(lanes) || uint64(lanes[k])&l.Mask != 0) && b.unitUses.first(int(u)) == 0 {
					b.unitUses.push(int(u), exit, -1)
				}
				k++
			}
		}
	}
}

// registers adds the edges of node n's operands: definitions before uses.
func (b *builder) registers(n int32) {
	f := b.f
	i := b.g.nodes[n].instr
	num := f.Instr(i).NumOps()
	definesVReg := false
	for k := range num {
		switch o := f.Op(i, k); {
		case !o.IsDef() || o.Reg() == 0:
		case o.Reg().IsPhysical():
			b.physReg(n, k, o)
		default:
			definesVReg = true
			b.defVReg(n, k, o)
		}
	}
	for k := range num {
		switch o := f.Op(i, k); {
		case !o.IsUse() || o.Reg() == 0:
		case o.Reg().IsPhysical():
			b.physReg(n, k, o)
		case o.ReadsReg():
			b.useVReg(n, k, o)
		}
	}
	// What nothing in the region reads is waited for behind it.
	if x := &b.g.nodes[n]; x.dataSuccs == 0 && x.latency > 1 && (definesVReg || f.MayLoad(i)) {
		b.g.add(n, b.g.exit(), artificialEdge, 0, x.latency-1)
	}
}

// isConstant reports a physical register that always reads the same in the function.
func (b *builder) isConstant(r mir.Reg) bool {
	if !b.known[r] {
		b.known[r] = true
		b.constant[r] = b.findConstant(r)
	}
	return b.constant[r]
}

func (b *builder) findConstant(r mir.Reg) bool {
	in := b.f.Facts
	if in.Regs[r].Flags&desc.RegConstant != 0 {
		return true
	}
	for _, a := range in.Aliases(desc.PhysReg(r)) {
		if b.f.HasDefs(mir.Reg(a)) || in.Regs[a].Flags&desc.RegInAllocatableSet != 0 {
			return false
		}
	}
	return in.Regs[r].Flags&desc.RegInAllocatableSet == 0 && !b.f.HasDefs(r)
}

// physReg adds the edges of operand k of node n, a physical register.
func (b *builder) physReg(n int32, k int, o *mir.Operand) {
	f, g := b.f, b.g
	if b.isConstant(o.Reg()) {
		return
	}
	i := g.nodes[n].instr
	units := f.Facts.RegUnits(desc.PhysReg(o.Reg()))
	kind := outputEdge
	if o.IsUse() {
		kind = antiEdge
	}
	for u := range units.All() {
		for a := b.unitDefs.first(int(u)); a != 0; a = b.unitDefs.rows[a].next {
			d := b.unitDefs.rows[a]
			def := g.nodes[d.node].instr
			do := f.Op(def, int(d.op))
			if kind == outputEdge && o.IsDead() && do.IsDead() && !d.all {
				break // so are all behind it: what is not dead begins the list
			}
			if d.node == n {
				continue
			}
			lat := 0
			if kind == outputEdge {
				lat = b.m.OutputLatency(f, i)
			}
			g.add(n, d.node, kind, do.Reg(), int32(lat))
		}
	}
	if o.IsUse() {
		g.nodes[n].physUses = true
		for u := range units.All() {
			b.unitUses.push(int(u), n, int32(k))
		}
		return
	}
	b.physData(n, k, o)
	for u := range units.All() {
		b.unitUses.clear(int(u))
		if !o.IsDead() {
			b.unitDefs.clear(int(u))
		} else if g.nodes[n].isCall {
			// Calls keep their order by other edges: the last one stands for all.
			b.unitDefs.without(int(u), func(m int32) bool { return g.nodes[m].isCall })
		}
	}
	for u := range units.All() {
		if b.deadDefs[u]++; !o.IsDead() {
			b.deadDefs[u] = 0
		} else if num := b.deadDefs[u]; num > maxDeadDefs || num > vastDeadDefs && b.region.n > vastRegion {
			b.gather(n, int(u))
			b.unitDefs.push(int(u), n, int32(k))
			b.unitDefs.rows[b.unitDefs.tail[u]].all = true
			continue
		}
		b.unitDefs.push(int(u), n, int32(k))
	}
}

// maxDeadDefs bounds the definitions of a register unit that nothing reads, between
// two that something does: they have no order, and a reader stands before each.
// In vast regions it is vastDeadDefs.
const (
	maxDeadDefs  = 512
	vastDeadDefs = 64
)

// gather puts node n before all definitions of a unit, for which it stands then.
func (b *builder) gather(n int32, u int) {
	for a := b.unitDefs.first(u); a != 0; a = b.unitDefs.rows[a].next {
		if d := b.unitDefs.rows[a].node; d != n {
			b.g.add(n, d, outputEdge, 0, 0)
		}
	}
	b.unitDefs.clear(u)
	b.deadDefs[u] = 1
}

// physData adds the edges from a definition of a physical register to its readers.
func (b *builder) physData(n int32, k int, o *mir.Operand) {
	f, g := b.f, b.g
	i := g.nodes[n].instr
	hidden := isHidden(f, i, k, o)
	for u := range f.Facts.RegUnits(desc.PhysReg(o.Reg())).All() {
		for a := b.unitUses.first(int(u)); a != 0; a = b.unitUses.rows[a].next {
			use := b.unitUses.rows[a]
			if use.node == n {
				continue
			}
			if use.op < 0 {
				lat := 0
				if !hidden {
					lat = b.m.OperandLatency(f, i, k, 0, -1)
				}
				g.add(n, use.node, artificialEdge, 0, int32(lat))
				continue
			}
			g.nodes[n].physDefs = true
			reader := g.nodes[use.node].instr
			uo := f.Op(reader, int(use.op))
			lat := 0
			if !hidden && !isHidden(f, reader, int(use.op), uo) {
				lat = b.m.OperandLatency(f, i, k, reader, int(use.op))
			}
			g.add(n, use.node, dataEdge, uo.Reg(), int32(lat))
		}
	}
}

// isHidden reports an operand that the description of i does not have: it was
// added to say what is live.
func isHidden(f *mir.Function, i mir.InstrID, k int, o *mir.Operand) bool {
	in, op := f.Facts, f.Instr(i).Opcode
	if k < int(in.Instr(op).NumOperands) {
		return false
	}
	list := in.ImplicitUses(op)
	if o.IsDef() {
		list = in.ImplicitDefs(op)
	}
	for _, r := range list {
		if mir.Reg(r) == o.Reg() {
			return false
		}
	}
	return true
}

// defVReg adds the edges of a definition of a virtual register, or of a part of it:
// to its readers, and to the next definition. Parts are not told apart.
func (b *builder) defVReg(n int32, k int, o *mir.Operand) {
	f, g := b.f, b.g
	r, i := o.Reg().Index(), g.nodes[n].instr
	if !o.IsDead() {
		for a := b.vregUses.first(r); a != 0; a = b.vregUses.rows[a].next {
			if use := b.vregUses.rows[a]; use.node != n {
				g.add(n, use.node, dataEdge, o.Reg(), int32(b.m.OperandLatency(f, i, k, g.nodes[use.node].instr, int(use.op))))
			}
		}
		b.vregUses.clear(r)
	}
	if f.UniqueDef(o.Reg()) != 0 {
		return
	}
	a := b.vregDefs.first(r)
	if a == 0 {
		b.vregDefs.push(r, n, int32(k))
		return
	}
	d := &b.vregDefs.rows[a]
	if d.node != n {
		g.add(n, d.node, outputEdge, o.Reg(), int32(b.m.OutputLatency(f, i)))
	}
	d.node, d.op = n, int32(k)
}

// useVReg adds the edge of a use of a virtual register to the next definition,
// and remembers it for the one above.
func (b *builder) useVReg(n int32, k int, o *mir.Operand) {
	r := o.Reg().Index()
	b.vregUses.push(r, n, int32(k))
	if a := b.vregDefs.first(r); a != 0 {
		if d := b.vregDefs.rows[a]; d.node != n {
			b.g.add(n, d.node, antiEdge, o.Reg(), 0)
		}
	}
}

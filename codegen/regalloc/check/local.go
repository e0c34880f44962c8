package check

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// local is the execution of one block, and what is kept of each.
type local struct {
	now  int32 // number of the block
	time int32 // counts what forgets: definitions and calls

	units []unitState
	slots []slotState
	slot  map[int]int32 // slot by frame index
	masks []mask
	// maskOf gives the mask of each of the function's register masks, from 1.
	maskOf   []int32
	maskText map[string]int32

	// What the block touched.
	groups, defined, forgotten []int32

	stored []int32 // nodes of slots' parts
	// Records of the places that blocks wrote, the values they defined, the
	// virtual registers they forgot; the masks of block n are
	// called[calls[n]:calls[n+1]].
	written, defs, forgets index
	calls, called          []int32
	uses                   []use
}

type unitState struct {
	block, time, node int32
	written           bool
}

type slotState struct {
	block  int32
	first  int32 // in local.stored
	parts  int32
	writer int32 // as vregState.writer
}

// mask is a call's register mask.
type mask struct {
	clobbers    []uint64 // by unit
	block, time int32    // its last use in the block being executed
}

func (m *mask) has(u int32) bool { return m.clobbers[u/64]>>(u%64)&1 != 0 }

// use is an operand that reads a value.
type use struct {
	instr   mir.InstrID
	operand int32
	block   int32
	// at is the place that must hold the value at the block's start; 0: it is known not to.
	at    int32 // in contents.places
	value int32
}

// What a question comes to.
type answer uint8

const (
	no  answer = iota
	yes        // the place holds the value
	ask        // so does the place that comes along, at the block's start
)

func (l *local) reset(c *checker) {
	l.units = make([]unitState, c.in.NumUnits())
	l.slot, l.maskText = map[int]int32{}, map[string]int32{}
	l.maskOf = make([]int32, len(c.f.RegMasks))
	l.calls = []int32{0, 0}
}

// execute runs one block.
func (c *checker) execute(b mir.BlockID) {
	c.now = c.number[b]
	c.time++
	c.groups, c.defined, c.forgotten = c.groups[:0], c.defined[:0], c.forgotten[:0]
	for i := c.f.Block(b).First(); i != 0; i = c.f.Instr(i).Next() {
		if c.f.IsDebugInstr(i) {
			continue
		}
		if o, ok := c.s.original(c.f, i); ok {
			c.original(i, o)
		} else {
			c.added(i)
		}
	}
	c.keep()
}

// keep makes the records of the block that was executed.
func (c *checker) keep() {
	for _, g := range c.groups {
		if u := int(g); u < len(c.units) {
			c.written.add(record{g, c.now, c.read(g), 0})
			continue
		}
		s := &c.slots[int(g)-len(c.units)]
		writtenBy(&s.writer, c.now)
		c.written.add(record{g, c.now, s.first, s.parts})
	}
	for _, v := range c.defined {
		if x := &c.list[v]; !c.forgottenSince(x) {
			c.defs.add(record{v, c.now, x.node, 0})
		}
	}
	for _, r := range c.forgotten {
		c.forgets.add(record{r, c.now, 0, 0})
	}
	c.calls = append(c.calls, int32(len(c.called)))
}

// read returns the content of a unit.
func (c *checker) read(u int32) int32 {
	s := &c.units[u]
	if s.block != c.now {
		*s = unitState{block: c.now, node: c.atStart(place{group: u})}
	}
	for _, m := range c.called[c.calls[c.now]:] {
		if m := &c.masks[m]; m.time > s.time && m.has(u) {
			return 0
		}
	}
	return s.node
}

func (c *checker) write(u, node int32) {
	s := &c.units[u]
	if s.block != c.now || !s.written {
		c.groups = append(c.groups, u)
	}
	*s = unitState{c.now, c.time, node, true}
}

// slotOf returns the group of a frame index.
func (c *checker) slotOf(fi int) int32 {
	s, ok := c.slot[fi]
	if !ok {
		s = int32(len(c.slots))
		c.slot[fi] = s
		c.slots = append(c.slots, slotState{})
	}
	return s
}

// call makes the places that m clobbers lose what they hold.
func (c *checker) call(n uint32) {
	k := c.maskOf[n]
	if k == 0 {
		k = c.intern(c.f.RegMasks[n])
		c.maskOf[n] = k
	}
	c.time++
	m := &c.masks[k-1]
	if m.block != c.now {
		m.block = c.now
		c.called = append(c.called, k-1)
	}
	m.time = c.time
}

// intern returns the number of a mask that clobbers the units that bits does not preserve.
func (c *checker) intern(bits []uint32) int32 {
	m := mask{clobbers: make([]uint64, (len(c.in.Units)+63)/64)}
	text := make([]byte, 0, 8*len(m.clobbers))
	for u, roots := range c.in.Units {
		for _, r := range roots {
			if r != 0 && bits[r/32]>>(r%32)&1 == 0 {
				m.clobbers[u/64] |= 1 << (u % 64)
			}
		}
	}
	for _, w := range m.clobbers {
		for k := range 8 {
			text = append(text, byte(w>>(8*k)))
		}
	}
	if k, ok := c.maskText[string(text)]; ok {
		return k
	}
	c.masks = append(c.masks, m)
	c.maskText[string(text)] = int32(len(c.masks))
	return int32(len(c.masks))
}

// forgottenSince reports a value whose register was forgotten after it was defined.
func (c *checker) forgottenSince(x *value) bool {
	r := &c.vregs[x.vreg]
	return r.block == c.now && r.time > x.time
}

// holds asks whether content n, of the block being executed, has value v.
func (c *checker) holds(n, v int32) (answer, int32) {
	x := &c.list[v]
	switch {
	case n == 0:
		return no, 0
	case x.block == c.now && !c.forgottenSince(x):
		if c.underAny(n, x.node) {
			return yes, 0
		}
		return no, 0
	case c.vregs[x.vreg].block == c.now || c.nodes[n].start == 0:
		return no, 0
	}
	return ask, c.nodes[n].start
}

// forget takes all values of r away from all places.
func (c *checker) forget(r mir.Reg) {
	x := &c.vregs[r.Index()]
	if x.block != c.now {
		c.forgotten = append(c.forgotten, int32(r.Index()))
	}
	x.block, x.time = c.now, c.time
}

// define makes node n the one that has v, beside others of the same definition;
// what else had it has not any more.
func (c *checker) define(v, n int32) {
	x := &c.list[v]
	if x.block != c.now {
		c.defined = append(c.defined, v)
	} else if x.time == c.time {
		c.nodes[n].same = x.node
	}
	x.block, x.time, x.node = c.now, c.time, n
}

// original executes an instruction that was there before allocation.
func (c *checker) original(i mir.InstrID, was []operand) {
	f := c.f
	ops := f.Ops(i)
	var carried []int32 // the source's contents of a copy
	op := f.Instr(i).Opcode
	for k := range min(len(ops), len(was)) {
		w := &was[k]
		if w.vreg == 0 || w.flags&(mir.Def|mir.Undef|mir.Debug) != 0 {
			continue
		}
		c.use(i, k, w)
		if p := &ops[k]; op == desc.COPY && k == 1 && p.IsReg() && p.Reg().IsPhysical() {
			for _, u := range c.parts(desc.PhysReg(p.Reg()), 0) {
				carried = append(carried, c.read(int32(u.unit)))
			}
		}
	}
	c.clobber(i, was)
	whole := op == desc.COPY && len(was) == 2 && was[1].sub == 0
	for k := range min(len(ops), len(was)) {
		w := &was[k]
		if w.vreg == 0 || w.flags&mir.Def == 0 {
			continue
		}
		if p := &ops[k]; !p.IsReg() || !p.Reg().IsPhysical() {
			c.uses = append(c.uses, use{instr: i, operand: int32(k)})
			continue
		}
		if !whole || w.sub != 0 {
			carried = nil
		}
		c.define1(desc.PhysReg(ops[k].Reg()), w, carried)
	}
}

// use executes an operand that reads a virtual register.
func (c *checker) use(i mir.InstrID, k int, w *operand) {
	if !c.s.defined(w.vreg) {
		return
	}
	u := use{instr: i, operand: int32(k), block: c.now}
	p := c.f.Op(i, k)
	if !p.IsReg() || !p.Reg().IsPhysical() {
		c.uses = append(c.uses, u)
		return
	}
	for _, x := range c.parts(desc.PhysReg(p.Reg()), w.sub) {
		u.value = c.value(w.vreg, x.lanes)
		a, at := c.holds(c.read(int32(x.unit)), u.value)
		if a == yes {
			continue
		}
		u.at = at
		c.uses = append(c.uses, u)
		if a == no {
			return
		}
	}
}

// define1 executes an operand that defines a virtual register in p. The place
// of a copy also holds what its source held.
func (c *checker) define1(p desc.PhysReg, w *operand, carried []int32) {
	c.time++
	writtenBy(&c.vregs[w.vreg.Index()].writer, c.now)
	if w.sub == 0 || w.flags&mir.Undef != 0 {
		c.forget(w.vreg)
	}
	for n, u := range c.parts(p, w.sub) {
		from := int32(0)
		if n < len(carried) {
			from = carried[n]
		}
		x := c.child(from)
		c.define(c.value(w.vreg, u.lanes), x)
		c.write(int32(u.unit), x)
	}
	if w.sub != 0 && w.flags&mir.Undef != 0 {
		// The other lanes are undefined: whatever stands there is right.
		c.defineRest(p, w)
	}
}

// defineRest makes the units of the whole register around sub-register p hold
// their lanes of w.vreg.
func (c *checker) defineRest(p desc.PhysReg, w *operand) {
	in := c.in
	class := desc.ClassID(-1)
	if w.vreg.Index() < c.f.NumVRegs() {
		class = desc.ClassID(c.f.VReg(w.vreg).Class)
	}
	for s := range in.SuperRegs(p).All() {
		if in.SubReg(s, desc.SubRegIdx(w.sub)) != p || class >= 0 && !in.ClassContains(class, s) {
			continue
		}
		for _, u := range c.parts(s, 0) {
			v, n := c.value(w.vreg, u.lanes), c.read(int32(u.unit))
			if a, _ := c.holds(n, v); a != yes {
				n = c.child(n)
				c.define(v, n)
				c.write(int32(u.unit), n)
			}
		}
		return
	}
}

// clobber empties what an instruction destroys: registers that it defines by
// name, and what its register mask does not preserve.
func (c *checker) clobber(i mir.InstrID, was []operand) {
	ops := c.f.Ops(i)
	for k := range ops {
		if ops[k].Kind() == mir.OpRegMask {
			c.call(ops[k].Index())
			continue
		}
		if !ops[k].IsDef() || !ops[k].Reg().IsPhysical() {
			continue
		}
		if k < len(was) && was[k].vreg != 0 && was[k].sub != 0 {
			continue // partial definitions are executed lane by lane
		}
		if k >= len(was) {
			continue // added by the allocator beside a partial definition
		}
		c.empty(desc.PhysReg(ops[k].Reg()))
	}
}

func (c *checker) empty(p desc.PhysReg) {
	for u := range c.in.RegUnits(p).All() {
		c.write(int32(u), 0)
	}
}

// added executes an instruction of the allocator: a copy, a spill, a reload.
func (c *checker) added(i mir.InstrID) {
	f := c.f
	ops := f.Ops(i)
	d := f.Desc(i)
	fi, slot := 0, false
	var reg, src desc.PhysReg
	for k := range ops {
		switch o := &ops[k]; {
		case o.Kind() == mir.OpFrameIndex:
			fi, slot = o.FrameIndex(), true
		case o.IsDef() && !o.IsImplicit():
			reg = desc.PhysReg(o.Reg())
		case o.IsUse() && !o.IsImplicit() && o.Reg() != 0:
			src = desc.PhysReg(o.Reg())
		}
	}
	switch {
	case slot && d.MayStore() && reg == 0:
		c.spill(fi, src)
	case slot && d.MayLoad() && reg != 0:
		c.reload(fi, reg)
	case reg != 0 && src != 0 && (f.Instr(i).Opcode == desc.COPY || d.IsMoveReg()):
		c.move(reg, src)
	default:
		for k := range ops {
			if o := &ops[k]; o.IsDef() && o.Reg().IsPhysical() {
				c.empty(desc.PhysReg(o.Reg()))
			}
		}
	}
}

func (c *checker) spill(fi int, src desc.PhysReg) {
	k := c.slotOf(fi)
	parts := c.parts(src, 0)
	s := &c.slots[k]
	if s.block != c.now {
		c.groups = append(c.groups, k+int32(len(c.units)))
	}
	s.block, s.first, s.parts = c.now, int32(len(c.stored)), int32(len(parts))
	for _, u := range parts {
		c.stored = append(c.stored, c.read(int32(u.unit)))
	}
}

func (c *checker) reload(fi int, reg desc.PhysReg) {
	k := c.slotOf(fi)
	s := &c.slots[k]
	parts := c.parts(reg, 0)
	for n, u := range parts {
		x := int32(0)
		switch {
		case s.block != c.now:
			x = c.atStart(place{k + int32(len(c.units)), uint16(len(parts)), uint16(n)})
		case int(s.parts) == len(parts):
			x = c.stored[int(s.first)+n]
		}
		c.write(int32(u.unit), x)
	}
}

// move copies a register to another one, which holds nothing when it is of another shape.
func (c *checker) move(reg, src desc.PhysReg) {
	from, to := c.parts(src, 0), c.parts(reg, 0)
	held := make([]int32, len(to))
	for n := range held {
		if len(from) == len(to) {
			held[n] = c.read(int32(from[n].unit))
		}
	}
	for n, u := range to {
		c.write(int32(u.unit), held[n])
	}
}

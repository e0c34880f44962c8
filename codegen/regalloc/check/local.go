package check

import (
	"math"

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
	at     int32 // in contents.places
	value  int32
	memory bool // it reads memory
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
	row, end := c.s.rowsOf(b)
	for i := c.f.Block(b).First(); i != 0; i = c.f.Instr(i).Next() {
		if c.f.IsDebugInstr(i) {
			continue
		}
		o, ok := c.s.original(c.f, i)
		x, folded := c.s.folds[i]
		if !folded {
			x.row = c.s.row(i)
		}
		// What stood before it and is gone. Where that is between instructions of
		// the allocator does not matter.
		if x.row > row && x.row < end {
			c.goneUntil(b, row, x.row)
		}
		if x.row >= row && x.row < end {
			row = x.row + 1
		}
		switch {
		case ok:
			c.original(i, o)
		case folded:
			c.folded(i, x)
		default:
			c.added(i)
		}
	}
	c.goneUntil(b, row, end)
	c.keep()
}

func (s *Snapshot) rowsOf(b mir.BlockID) (first, end int32) {
	if int(b) < len(s.blocks) {
		return s.blocks[b][0], s.blocks[b][1]
	}
	return 0, 0
}

// goneUntil executes the rows from row on that are gone.
func (c *checker) goneUntil(b mir.BlockID, row, end int32) {
	for ; row < end; row++ {
		if o := &c.s.rows[row]; o.gone && !o.folded {
			c.gone(b, row)
		}
	}
}

// keep makes the records of the block that was executed.
func (c *checker) keep() {
	for _, g := range c.groups {
		if u := int(g); u < len(c.units) {
			c.written.add(record{key: g, block: c.now, at: c.read(g)})
			continue
		}
		s := &c.slots[int(g)-len(c.units)]
		writtenBy(&s.writer, c.now)
		c.written.add(record{key: g, block: c.now, at: s.first, parts: s.parts})
	}
	for _, v := range c.defined {
		x := &c.list[v]
		switch {
		case c.isLost(v):
			c.defs.add(record{key: v, block: c.now, means: meaning{node: anyNode}})
		case !c.forgottenSince(x):
			c.defs.add(record{key: v, block: c.now, means: x.meaning})
		}
	}
	for _, r := range c.forgotten {
		at := int32(0)
		if c.vregs[r].any {
			at = anyNode
		}
		c.forgets.add(record{key: r, block: c.now, at: at})
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

// holds asks whether content n, of the block being executed, has value v; ask
// comes with a place and a value to ask for at the block's start.
func (c *checker) holds(n, v int32) (answer, int32, int32) {
	x := &c.list[v]
	m, known := meaning{}, true
	switch {
	case c.isLost(v):
		return yes, 0, 0
	case x.block == c.now && !c.forgottenSince(x):
		m = x.meaning
	case c.vregs[x.vreg].block == c.now:
		if c.vregs[x.vreg].any {
			return yes, 0, 0
		}
		return no, 0, 0
	default:
		known = false
	}
	a, at, w := c.matches(n, v, m, known)
	if a != ask {
		return a, 0, 0
	}
	if at.group < 0 {
		c.places = append(c.places, at)
		return ask, int32(len(c.places) - 1), w
	}
	return ask, c.nodes[n].start, w
}

// matches asks whether content n has value v: one that means m in the block, or,
// when that is not known, what it was at the block's start.
func (c *checker) matches(n, v int32, m meaning, known bool) (answer, place, int32) {
	x := &c.nodes[n]
	switch {
	case known && m.node == anyNode:
		return yes, place{}, 0
	case known && m.alias == 0:
		if n != 0 && (c.underAny(n, m.node) || m.expr != 0 && m.expr == x.expr && m.part == x.part) {
			return yes, place{}, 0
		}
		return no, place{}, 0
	case known:
		v = m.alias
	}
	switch {
	case n != 0 && x.start != 0:
		return ask, c.places[x.start], v
	case n != 0 && x.expr != 0:
		return ask, exprPlace(x.expr, x.part), v
	}
	return ask, place{group: nowhere}, v
}

// nowhere is the group of no place: who asks whether it holds a value wants to
// know whether that is undefined.
const nowhere = math.MinInt32

// demandHeld notes use u of value v, which content n must have; false when it is known not to.
func (c *checker) demandHeld(u *use, n, v int32) bool {
	a, at, w := c.holds(n, v)
	if a == yes {
		return true
	}
	if a == ask {
		u.at, u.value = at, w
	}
	c.uses = append(c.uses, *u)
	return a != no
}

// forget takes all values of r away from all places.
func (c *checker) forget(r mir.Reg) {
	x := &c.vregs[r.Index()]
	if x.block != c.now {
		c.forgotten = append(c.forgotten, int32(r.Index()))
	}
	x.block, x.time, x.any = c.now, c.time, false
}

// define makes node n the one that has v, beside others of the same definition;
// what else had it has not any more.
func (c *checker) define(v, n int32) {
	x := &c.list[v]
	if x.block != c.now {
		c.defined = append(c.defined, v)
	} else if x.time == c.time {
		c.nodes[n].same = max(x.node, 0)
	}
	x.block, x.time, x.meaning = c.now, c.time, meaning{node: n}
}

// original executes an instruction that was there before allocation.
func (c *checker) original(i mir.InstrID, was []operand) {
	f := c.f
	ops := f.Ops(i)
	var carried []int32 // the source's contents of a copy
	op := c.s.rows[c.s.row(i)].opcode
	for k := range min(len(ops), len(was)) {
		w := &was[k]
		if w.vreg == 0 {
			c.useFixed(i, k)
		}
		if w.flags&(mir.Def|mir.Undef|mir.Debug) != 0 || w.vreg == 0 && (op != desc.COPY || k != 1) {
			continue
		}
		if w.vreg != 0 {
			c.use(i, k, w)
		}
		if p := &ops[k]; op == desc.COPY && k == 1 && p.IsReg() && p.Reg().IsPhysical() {
			for _, u := range c.parts(desc.PhysReg(p.Reg()), 0) {
				carried = append(carried, c.read(int32(u.unit)))
			}
		}
	}
	c.clobber(i, was, carried)
	e := c.exprOf(c.s.row(i))
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
		if op == desc.IMPLICIT_DEF {
			// It need not be stored where the register is spilled: any place has it.
			c.time++
			c.defineAll(&c.s.full[c.s.rows[c.s.row(i)].first+uint32(k)], undefined)
			continue
		}
		if !whole || w.sub != 0 {
			carried = nil
		}
		c.define1(desc.PhysReg(ops[k].Reg()), w, carried)
		if e != 0 && k == 0 {
			c.defineExpr(desc.PhysReg(ops[k].Reg()), w, e)
		}
	}
}

// defineExpr says that what was just defined is expression e.
func (c *checker) defineExpr(p desc.PhysReg, w *operand, e int32) {
	for n, u := range c.parts(p, w.sub) {
		x := &c.list[c.value(w.vreg, u.lanes)]
		x.expr, x.part = e, int32(n)
	}
}

// use executes an operand that reads a virtual register.
func (c *checker) use(i mir.InstrID, k int, w *operand) {
	if !c.s.defined(w.vreg) {
		return
	}
	u := use{instr: i, operand: int32(k), block: c.now}
	p := c.f.Op(i, k)
	if p.IsReg() && p.IsUndef() && c.isDead(i) {
		return // it reads anything, and nothing reads what it makes of that
	}
	if !p.IsReg() || !p.Reg().IsPhysical() {
		c.uses = append(c.uses, u)
		return
	}
	for _, x := range c.parts(desc.PhysReg(p.Reg()), w.sub) {
		u.value, u.at = c.value(w.vreg, x.lanes), 0
		if !c.demandHeld(&u, c.read(int32(x.unit)), u.value) {
			return
		}
	}
}

// isDead reports an instruction that does nothing but define registers, of which none is read.
func (c *checker) isDead(i mir.InstrID) bool {
	row := c.s.row(i)
	if row == 0 || !c.s.rows[row].erasable {
		return false
	}
	for _, o := range c.f.Ops(i) {
		if o.IsDef() && !o.IsDead() {
			return false
		}
	}
	return true
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
	if n := w.vreg.Index(); n < len(c.s.allocated) {
		class = desc.ClassID(c.s.allocated[n])
	}
	for s := range in.SuperRegs(p).All() {
		if in.SubReg(s, desc.SubRegIdx(w.sub)) != p || class >= 0 && !in.ClassContains(class, s) {
			continue
		}
		for _, u := range c.parts(s, 0) {
			v, n := c.value(w.vreg, u.lanes), c.read(int32(u.unit))
			if a, _, _ := c.holds(n, v); a != yes {
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
func (c *checker) clobber(i mir.InstrID, was []operand, carried []int32) {
	ops := c.f.Ops(i)
	op := c.s.rows[c.s.row(i)].opcode
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
		switch {
		case was[k].vreg != 0:
			c.empty(desc.PhysReg(ops[k].Reg()))
		case k == 0 && op == desc.COPY:
			c.defineFixed(desc.PhysReg(ops[k].Reg()), carried)
		default:
			c.defineFixed(desc.PhysReg(ops[k].Reg()), nil)
		}
	}
}

func (c *checker) empty(p desc.PhysReg) {
	for u := range c.in.RegUnits(p).All() {
		c.write(int32(u), 0)
	}
}

// added executes an instruction of the allocator: a copy, a spill, a reload,
// what computes a value again.
func (c *checker) added(i mir.InstrID) {
	f := c.f
	ops := f.Ops(i)
	d := f.Desc(i)
	if x, ok := c.s.stored[i]; ok {
		c.storeExpr(i, &x)
		return
	}
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
	if e := c.exprAt(i); e != 0 {
		for k := range ops {
			if o := &ops[k]; k > 0 && o.IsDef() && o.Reg().IsPhysical() && !c.in.IsSubRegisterEq(reg, desc.PhysReg(o.Reg())) && !c.in.IsSubRegister(desc.PhysReg(o.Reg()), reg) {
				c.empty(desc.PhysReg(o.Reg()))
			}
		}
		c.recompute(reg, e)
		return
	}
	switch {
	case slot && d.MayStore() && reg == 0:
		c.spill(fi, src)
	case slot && d.MayLoad() && reg != 0:
		c.reload(fi, reg)
	case reg != 0 && src != 0 && (f.Instr(i).Opcode == desc.COPY || f.Instr(i).Opcode == desc.KILL || d.IsMoveReg()):
		c.move(reg, src)
	case f.Instr(i).Opcode == desc.KILL:
	default:
		for k := range ops {
			if o := &ops[k]; o.IsDef() && o.Reg().IsPhysical() {
				c.empty(desc.PhysReg(o.Reg()))
			}
		}
	}
}

func (c *checker) spill(fi int, src desc.PhysReg) {
	var nodes []int32
	for _, u := range c.parts(src, 0) {
		nodes = append(nodes, c.read(int32(u.unit)))
	}
	c.writeSlot(fi, nodes)
}

// writeSlot makes the parts of a slot hold nodes.
func (c *checker) writeSlot(fi int, nodes []int32) {
	k := c.slotOf(fi)
	s := &c.slots[k]
	if s.block != c.now {
		c.groups = append(c.groups, k+int32(len(c.units)))
	}
	s.block, s.first, s.parts = c.now, int32(len(c.stored)), int32(len(nodes))
	c.stored = append(c.stored, nodes...)
}

// readSlot is what part n of a slot of so many parts holds.
func (c *checker) readSlot(fi, parts, n int) int32 {
	k := c.slotOf(fi)
	switch s := &c.slots[k]; {
	case s.block != c.now:
		return c.atStart(place{k + int32(len(c.units)), uint16(parts), uint16(n)})
	case int(s.parts) == parts:
		return c.stored[int(s.first)+n]
	}
	return 0
}

func (c *checker) reload(fi int, reg desc.PhysReg) {
	parts := c.parts(reg, 0)
	for n, u := range parts {
		c.write(int32(u.unit), c.readSlot(fi, len(parts), n))
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

package sched

import (
	"slices"

	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/codegen/regclass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// aggressiveBreaker breaks every anti- and output dependency that it can. Registers
// whose live ranges hang together, as a register and the parts of it that are written
// one by one, form a group, which is renamed as a whole; group 0 keeps its registers.
type aggressiveBreaker struct {
	liveRegs
	// group is, by register, a node of parent, whose root is the number of the group.
	group, parent []int32
	// passThru marks the registers that the instruction hands on: read and written in one
	// place. passed lists them.
	passThru []bool
	passed   []desc.PhysReg
	// nextReg is, by class, where in its order the search for a register went last in this
	// region, so that all take their turn; -1 not yet.
	nextReg []int32
	// smallest is, by register, 1 + the smallest class that has it, 0 when nobody asked.
	smallest    []int32
	smallestFor *desc.Info
	// members of the group that is renamed, what each can be, and what it becomes.
	members []desc.PhysReg
	allowed [][]uint32
	becomes []desc.PhysReg
	edges   []int32
	narrow  []uint32
}

func (b *aggressiveBreaker) begin(c *pass.Context, f *mir.Function, regs *regclass.Info) {
	b.liveRegs.begin(c, f, regs)
	b.group = rows.Sized(b.group, len(b.in.Regs))
	b.passThru = rows.Zeroed(b.passThru, len(b.in.Regs))
	b.nextReg = rows.Sized(b.nextReg, len(b.in.Classes))
	if b.smallestFor != b.in {
		b.smallest, b.smallestFor = make([]int32, len(b.in.Regs)), b.in
	}
}

func (b *aggressiveBreaker) startBlock(bb mir.BlockID, size int) {
	n := len(b.in.Regs)
	b.parent = rows.Zeroed(b.parent, n)
	for r := range b.group {
		b.group[r] = int32(r)
	}
	b.liveRegs.startBlock(bb, size, func(desc.PhysReg) {})
}

func (b *aggressiveBreaker) groupOf(r desc.PhysReg) int32 {
	g := b.group[r]
	for b.parent[g] != g {
		b.parent[g] = b.parent[b.parent[g]]
		g = b.parent[g]
	}
	return g
}

// join makes the groups of two registers one.
func (b *aggressiveBreaker) join(r, s desc.PhysReg) {
	x, y := b.groupOf(r), b.groupOf(s)
	if x == 0 {
		x, y = y, x
	}
	b.parent[x] = y
}

// fix has r keep its register, and its group.
func (b *aggressiveBreaker) fix(r desc.PhysReg) { b.parent[b.groupOf(r)] = 0 }

// leave gives r a group of its own.
func (b *aggressiveBreaker) leave(r desc.PhysReg) {
	g := int32(len(b.parent))
	b.parent = append(b.parent, g)
	b.group[r] = g
}

func (b *aggressiveBreaker) observe(i mir.InstrID, count, end int) {
	b.findPassed(i)
	b.prescan(i, count)
	b.scan(i, count)
	for r := 1; r < len(b.kill); r++ {
		if b.isLive(desc.PhysReg(r)) {
			b.fix(desc.PhysReg(r))
		} else if b.def[r] < uint32(end) && b.def[r] >= uint32(count) {
			b.def[r] = uint32(count)
		}
	}
}

// findPassed finds the registers that pass through i: definitions tied to uses, and
// implicit operands that are read, for the last time, and written.
func (b *aggressiveBreaker) findPassed(i mir.InstrID) {
	for _, r := range b.passed {
		b.passThru[r] = false
	}
	b.passed = b.passed[:0]
	ops := b.f.Ops(i)
	for k := range ops {
		o := &ops[k]
		if !o.IsReg() || o.Reg() == 0 || !(o.IsDef() && o.IsTied() || o.IsImplicit() && hasImplicitTwin(ops, o)) {
			continue
		}
		r := desc.PhysReg(o.Reg())
		b.pass(r)
		for s := range b.in.SubRegs(r).All() {
			b.pass(s)
		}
	}
}

func (b *aggressiveBreaker) pass(r desc.PhysReg) {
	if !b.passThru[r] {
		b.passThru[r] = true
		b.passed = append(b.passed, r)
	}
}

// hasImplicitTwin reports that the first operand that reads, and kills, what o writes,
// or that writes what o reads, is implicit.
func hasImplicitTwin(ops []mir.Operand, o *mir.Operand) bool {
	for k := range ops {
		if x := &ops[k]; x.IsReg() && x.Reg() == o.Reg() && x.IsDef() != o.IsDef() && (x.IsDef() || x.IsKill()) {
			return x.IsImplicit()
		}
	}
	return false
}

// lastUse begins the live range of r, upwards from count, unless r is live already or
// belongs to a register that is.
func (b *aggressiveBreaker) lastUse(r desc.PhysReg, count int) {
	for s := range b.in.SuperRegs(r).All() {
		if b.isLive(s) {
			return
		}
	}
	if b.isLive(r) {
		return
	}
	b.beginRange(r, count)
	for s := range b.in.SubRegs(r).All() {
		if !b.isLive(s) {
			b.beginRange(s, count)
		}
	}
}

func (b *aggressiveBreaker) beginRange(r desc.PhysReg, count int) {
	b.kill[r], b.def[r] = uint32(count), nowhere
	b.dropRefs(r)
	b.leave(r)
}

// prescan takes in what i writes.
func (b *aggressiveBreaker) prescan(i mir.InstrID, count int) {
	f := b.f
	ops := f.Ops(i)
	// What is written for nobody is used last right behind i.
	for k := range ops {
		if ops[k].IsDef() && ops[k].Reg() != 0 {
			b.lastUse(desc.PhysReg(ops[k].Reg()), count+1)
		}
	}
	fixed := isFixed(f, i) || f.Desc(i).Has(desc.ExtraDefRegAllocReq) || isInlineAsm(f, i)
	for k := range ops {
		if !ops[k].IsDef() || ops[k].Reg() == 0 {
			continue
		}
		r := desc.PhysReg(ops[k].Reg())
		if fixed || isWired(f, i, k) {
			b.fix(r)
		}
		for _, a := range b.aliasesOf(r)[1:] {
			if b.isLive(a) {
				b.join(r, a)
			}
		}
		b.addRef(r, i, k)
	}
	if f.Instr(i).Opcode == desc.KILL {
		return
	}
	for k := range ops {
		if !ops[k].IsDef() || ops[k].Reg() == 0 || b.passThru[ops[k].Reg()] {
			continue
		}
		r := desc.PhysReg(ops[k].Reg())
		for _, a := range b.aliasesOf(r) {
			// A register that r is a part of, and that is live, is written only in part.
			if !b.isLive(a) || !b.in.IsSuperRegister(r, a) {
				b.def[a] = uint32(count)
			}
		}
	}
}

func isInlineAsm(f *mir.Function, i mir.InstrID) bool {
	op := f.Instr(i).Opcode
	return op == desc.INLINEASM || op == desc.INLINEASM_BR
}

// isWired reports that operand k of i is a register that the opcode names, as the count of
// a shift in CL: another one would not be read (LLVM renames what is read so).
func isWired(f *mir.Function, i mir.InstrID, k int) bool {
	o := f.Op(i, k)
	return o.IsImplicit() && !isHidden(f, i, k, o)
}

// scan takes in what i reads.
func (b *aggressiveBreaker) scan(i mir.InstrID, count int) {
	f := b.f
	ops := f.Ops(i)
	fixed := isFixed(f, i) || f.Desc(i).Has(desc.ExtraSrcRegAllocReq) || isInlineAsm(f, i)
	for k := range ops {
		if !ops[k].IsUse() || ops[k].Reg() == 0 {
			continue
		}
		r := desc.PhysReg(ops[k].Reg())
		// A tied register that i writes as a part of another one, too, is named by the range
		// below as well, which is closed: neither can change (LLVM renames the upper one).
		closed := ops[k].IsTied() && !b.isLive(r)
		b.lastUse(r, count)
		if fixed || closed || isWired(f, i, k) {
			b.fix(r)
		}
		b.addRef(r, i, k)
	}
	if f.Instr(i).Opcode != desc.KILL {
		return
	}
	first := desc.PhysReg(0)
	for k := range ops {
		switch {
		case !ops[k].IsReg() || ops[k].Reg() == 0:
		case first == 0:
			first = desc.PhysReg(ops[k].Reg())
		default:
			b.join(first, desc.PhysReg(ops[k].Reg()))
		}
	}
}

func (b *aggressiveBreaker) breakEdges(s *scheduler, end int) int {
	f := b.f
	if s.g.numInstrs() == 0 {
		return 0
	}
	for k := range b.nextReg {
		b.nextReg[k] = -1
	}
	broken := 0
	i := f.Block(s.block).Last()
	if s.region.end != 0 {
		i = f.Instr(s.region.end).Prev()
	}
	for count := end - 1; ; count, i = count-1, f.Instr(i).Prev() {
		if !f.IsDebugInstr(i) {
			b.findPassed(i)
			b.prescan(i, count)
			if f.Instr(i).Opcode != desc.KILL {
				broken += b.breakNode(s, s.builder.nodeIn(i))
			}
			b.scan(i, count)
		}
		if i == s.region.begin {
			return broken
		}
	}
}

// breakNode breaks the anti- and output dependencies of node n, one for each register.
func (b *aggressiveBreaker) breakNode(s *scheduler, n int32) int {
	g := &s.g
	if n < 0 {
		return 0
	}
	b.edges = b.edges[:0]
	for e := g.nodes[n].preds; e != 0; e = g.edges[e].nextPred {
		if x := &g.edges[e]; x.kind.isHazard() && !slices.ContainsFunc(b.edges, func(o int32) bool { return g.edges[o].reg == x.reg }) {
			b.edges = append(b.edges, e)
		}
	}
	broken := 0
	for _, e := range b.edges {
		r := desc.PhysReg(g.edges[e].reg)
		if !b.regs.IsAllocatable(r) || b.passThru[r] || !b.writesExplicitly(g.nodes[n].instr, r) || g.waitsOtherwise(n, g.edges[e].pred, mir.Reg(r)) {
			continue
		}
		group := b.groupOf(r)
		if group == 0 {
			continue
		}
		if to := b.findFree(r, group); to != 0 {
			b.renameGroup(s, r, to)
			broken++
		}
	}
	return broken
}

// writesExplicitly reports that the first operand of i that writes r is explicit.
func (b *aggressiveBreaker) writesExplicitly(i mir.InstrID, r desc.PhysReg) bool {
	ops := b.f.Ops(i)
	for k := range ops {
		if ops[k].IsDef() && desc.PhysReg(ops[k].Reg()) == r {
			return !ops[k].IsImplicit()
		}
	}
	return false
}

// renameGroup renames the members, parts of from, as findFree found.
func (b *aggressiveBreaker) renameGroup(s *scheduler, from, whole desc.PhysReg) {
	for k, r := range b.members {
		to := b.becomes[k]
		b.rename(s, r, to, from, whole)
		// The ranges below were changed: neither register is touched again.
		b.fix(to)
		b.dropRefs(to)
		b.def[to], b.kill[to] = b.def[r], b.kill[r]
		b.fix(r)
		b.dropRefs(r)
		b.def[r], b.kill[r] = b.kill[r], nowhere
	}
}

// findFree finds a register for r and for the other members of its group, which must be
// parts of it; 0 for none.
func (b *aggressiveBreaker) findFree(r desc.PhysReg, group int32) desc.PhysReg {
	b.members = b.members[:0]
	for m := range desc.PhysReg(len(b.in.Regs)) {
		if b.first[m] != 0 && b.groupOf(m) == group {
			b.members = append(b.members, m)
		}
	}
	for _, m := range b.members {
		if !b.in.IsSubRegisterEq(r, m) {
			return 0
		}
	}
	if len(b.members) == 0 {
		return 0
	}
	b.allowed = rows.AtLeast(b.allowed, len(b.members))
	for k, m := range b.members {
		b.findAllowed(k, m)
	}
	if b.smallest[r] == 0 {
		b.smallest[r] = int32(b.in.MinimalPhysRegClass(r, 0)) + 1
	}
	class := b.smallest[r] - 1
	order := b.regs.Order(desc.ClassID(class))
	if len(order) == 0 {
		return 0
	}
	if b.nextReg[class] < 0 {
		b.nextReg[class] = int32(len(order))
	}
	from := int(b.nextReg[class])
	stop := from
	if from == len(order) {
		stop = 0
	}
	for k := from; ; {
		if k == 0 {
			k = len(order)
		}
		k--
		if to := order[k]; to != r && b.regs.IsAllocatable(to) && b.fits(r, to) {
			b.nextReg[class] = int32(k)
			return to
		}
		if k == stop {
			return 0
		}
	}
}

// findAllowed finds the registers that all references of r, member k, may name.
func (b *aggressiveBreaker) findAllowed(k int, r desc.PhysReg) {
	set := rows.Zeroed(b.allowed[k], b.in.RegWords())
	some := false
	for x := b.first[r]; x != 0; x = b.refs[x].next {
		c := b.classOf(b.refs[x].instr, int(b.refs[x].op))
		if c == desc.NoClass {
			continue
		}
		b.narrow = rows.Zeroed(b.narrow, len(set))
		for _, m := range b.in.ClassOrder(c) {
			if !b.regs.IsReserved(m) && b.in.Classes[c].Flags&desc.ClassAllocatable != 0 {
				b.narrow[m/32] |= 1 << (m % 32)
			}
		}
		for w := range set {
			if some {
				set[w] &= b.narrow[w]
			} else {
				set[w] = b.narrow[w]
			}
		}
		some = true
	}
	b.allowed[k] = set
}

// fits reports that r can be register to, and finds what the members become.
func (b *aggressiveBreaker) fits(r, to desc.PhysReg) bool {
	b.becomes = b.becomes[:0]
	for k, m := range b.members {
		x := to
		if m != r {
			x = b.in.SubReg(to, b.in.SubRegIndexOf(r, m))
		}
		if x == 0 || b.allowed[k][x/32]>>(x%32)&1 == 0 {
			return false
		}
		for _, a := range b.aliasesOf(x) {
			if b.isLive(a) || b.kill[m] > b.def[a] {
				return false
			}
		}
		if b.meetsEarly(m, x) {
			return false
		}
		b.becomes = append(b.becomes, x)
	}
	return true
}

// meetsEarly reports that an instruction that names r writes register to, or reads it,
// before it has read, or after it has written, r: early clobbers.
func (b *aggressiveBreaker) meetsEarly(r, to desc.PhysReg) bool {
	f := b.f
	for x := b.first[r]; x != 0; x = b.refs[x].next {
		i := b.refs[x].instr
		ref := f.Op(i, int(b.refs[x].op))
		early := ref.IsDef() && ref.IsEarlyClobber()
		ops := f.Ops(i)
		for k := range ops {
			o := &ops[k]
			if !o.IsReg() || o.Reg() == 0 || !b.in.Overlap(desc.PhysReg(o.Reg()), to) {
				continue
			}
			if o.IsDef() && o.IsEarlyClobber() || early && o.IsUse() {
				return true
			}
		}
	}
	return false
}

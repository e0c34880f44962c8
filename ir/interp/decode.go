package interp

import (
	"slices"
	"sort"

	"github.com/mirin-go/mirin/ir"
)

// decoder turns one function into code.
type decoder struct {
	vm     *Interp
	f      *ir.Function
	c      *code
	slots  []uint32 // by instruction
	uses   []uint32 // by instruction
	consts map[ir.Value]uint32
	next   uint32 // next free register of the locals, counted from 0
	// Operands are numbered before the number of constants is known: constants
	// count from 0, everything else from localBase.
	fixes    []fix
	stubs    []stub
	cur      ir.InstrID
	since    int // first instruction after the last one that counted fuel
	folded   []bool
	lateList []*uint32
}

const localBase = 1 << 24

// fix is a branch target that is not known yet.
type fix struct {
	at    int // instruction
	field uint8
	from  ir.BlockID
	to    ir.BlockID
	idx   int
}

type stub struct {
	from, to ir.BlockID
	pc       uint32
}

// code returns the decoded form of a defined function.
func (vm *Interp) codeOf(id ir.GlobalID) *code {
	if c := vm.codes[id]; c != nil {
		return c
	}
	g := vm.m.Globals[id]
	f := g.Func
	d := &decoder{vm: vm, f: f, c: &code{g: g}, slots: make([]uint32, len(f.Instrs)), uses: make([]uint32, len(f.Instrs)),
		consts: map[ir.Value]uint32{}, folded: make([]bool, len(f.Instrs))}
	d.run()
	vm.codes[id] = d.c
	return d.c
}

func (d *decoder) run() {
	f, c := d.f, d.c
	c.blockPC = make([]uint32, len(f.Blocks))
	for i := 1; i <= f.NumArgs; i++ {
		d.assign(ir.InstrID(i))
	}
	c.numArgs = d.next
	for _, b := range f.Order {
		for i := f.Blocks[b].First; i != 0; i = f.Instrs[i].Next {
			d.assign(i)
			for _, v := range f.Ops(i) {
				if v.IsLocal() {
					d.uses[v.Index()]++
				}
			}
		}
	}
	c.ret = d.layout(d.vm.t.Result(c.g.ValueType))
	d.params()
	for k, b := range f.Order {
		c.blockPC[b] = uint32(len(c.insts))
		d.since = len(c.insts)
		var after ir.BlockID
		if k+1 < len(f.Order) {
			after = f.Order[k+1]
		}
		for i := f.Blocks[b].First; i != 0; i = f.Instrs[i].Next {
			d.cur = i
			d.instr(i, b, after)
		}
		if n := len(c.insts); n == 0 || f.Blocks[b].Last == 0 {
			d.bad(unsupported("a block without terminator"))
		}
	}
	d.resolve()
}

// assign gives a value its registers.
func (d *decoder) assign(i ir.InstrID) {
	d.slots[i] = localBase + d.next
	if t := d.f.Instrs[i].Type; t != ir.Void {
		l := d.vm.layoutOf(t)
		d.next += max(l.slots, 1)
	}
}

func (d *decoder) layout(t ir.Type) *layout { return d.vm.layoutOf(t) }

// temp returns n scratch registers of the function.
func (d *decoder) temp(n uint32) uint32 {
	s := localBase + d.next
	d.next += n
	return s
}

func (d *decoder) emit(in inst) int {
	d.c.insts = append(d.c.insts, in)
	d.c.src = append(d.c.src, d.cur)
	return len(d.c.insts) - 1
}

func (d *decoder) bad(err error) {
	d.c.bad = append(d.c.bad, err)
	d.emit(inst{op: opBad, imm: uint64(len(d.c.bad) - 1)})
}

// gen emits an instruction that fn executes. The register numbers that fn
// needs are given through at, final once decoding is over.
func (d *decoder) gen(fn genFn) {
	d.c.gens = append(d.c.gens, fn)
	d.emit(inst{op: opGen, imm: uint64(len(d.c.gens) - 1)})
}

// opnd is a register number that becomes final in resolve.
func (d *decoder) opnd(v ir.Value) *uint32 { return d.late(d.val(v)) }

func (d *decoder) late(s uint32) *uint32 {
	p := new(uint32)
	*p = s
	d.lateList = append(d.lateList, p)
	return p
}

// val returns the first register of a value. Constants get registers of their own.
func (d *decoder) val(v ir.Value) uint32 {
	switch v.Tag() {
	case ir.TagLocal:
		return d.slots[v.Index()]
	case ir.TagConst, ir.TagGlobal:
		if s, ok := d.consts[v]; ok {
			return s
		}
		regs, err := d.vm.constant(&d.f.Consts, v)
		if err != nil {
			d.bad(err)
			regs = make([]reg, max(1, d.layout(d.f.TypeOf(v)).slots))
		}
		s := uint32(len(d.c.consts))
		d.c.consts = append(d.c.consts, regs...)
		if len(regs) == 0 {
			d.c.consts = append(d.c.consts, reg{})
		}
		d.consts[v] = s
		return s
	}
	return d.zero()
}

func (d *decoder) zero() uint32 {
	if s, ok := d.consts[0]; ok {
		return s
	}
	d.c.consts = append(d.c.consts, reg{})
	s := uint32(len(d.c.consts) - 1)
	d.consts[0] = s
	return s
}

// fuelSince returns the number of instructions since the last branch target, for the next branch.
func (d *decoder) fuelSince() uint64 { return uint64(len(d.c.insts)-d.since) + 1 }

func (d *decoder) hasPhis(b ir.BlockID) bool {
	i := d.f.Blocks[b].First
	return i != 0 && d.f.Instrs[i].Op == ir.OpPhi
}

// edge emits the copies that the phis of to ask for when it is entered from from.
func (d *decoder) edge(from, to ir.BlockID) {
	type move struct{ dst, src uint32 }
	var moves []move
	for i := d.f.Blocks[to].First; i != 0 && d.f.Instrs[i].Op == ir.OpPhi; i = d.f.Instrs[i].Next {
		ops := d.f.Ops(i)
		for k := 0; k+1 < len(ops); k += 2 {
			if ops[k+1].Block() == from {
				src := d.val(ops[k])
				for s := range d.layout(d.f.Instrs[i].Type).slots {
					if src+s != d.slots[i]+s {
						moves = append(moves, move{d.slots[i] + s, src + s})
					}
				}
				break
			}
		}
	}
	// A copy is ready when no other waits to read what it writes; in a cycle one
	// value is saved first.
	for len(moves) > 0 {
		done := false
		for k := 0; k < len(moves); k++ {
			m := moves[k]
			if slices.ContainsFunc(moves, func(o move) bool { return o.src == m.dst && o != m }) {
				continue
			}
			d.emit(inst{op: opMov, d: m.dst, a: m.src})
			moves = slices.Delete(moves, k, k+1)
			k--
			done = true
		}
		if !done && len(moves) > 0 {
			t := d.temp(1)
			d.emit(inst{op: opMov, d: t, a: moves[0].src})
			moves[0].src = t
			old := moves[0]
			moves = append(moves[1:], old)
		}
	}
}

// jump ends a block that goes on in one place.
func (d *decoder) jump(from, to, after ir.BlockID) {
	if d.hasPhis(to) {
		d.edge(from, to)
	}
	if to == after && d.vm.o.Fuel == 0 {
		return
	}
	at := d.emit(inst{op: opJmp, imm: d.fuelSince()})
	d.fixes = append(d.fixes, fix{at: at, field: 'd', to: to})
}

func (d *decoder) target(at int, field uint8, from, to ir.BlockID) {
	if !d.hasPhis(to) {
		from = 0
	}
	d.fixes = append(d.fixes, fix{at: at, field: field, from: from, to: to})
}

// resolve places the stubs of edges, fills in targets and makes register numbers final.
func (d *decoder) resolve() {
	c := d.c
	find := func(from, to ir.BlockID) uint32 {
		if from == 0 {
			return c.blockPC[to]
		}
		for _, s := range d.stubs {
			if s.from == from && s.to == to {
				return s.pc
			}
		}
		pc := uint32(len(c.insts))
		d.stubs = append(d.stubs, stub{from, to, pc})
		d.cur = d.f.Blocks[from].Last
		d.edge(from, to)
		d.emit(inst{op: opJmp, d: c.blockPC[to], imm: 1})
		return pc
	}
	for _, x := range d.fixes {
		pc := find(x.from, x.to)
		switch x.field {
		case 'd':
			c.insts[x.at].d = pc
		case 'b':
			c.insts[x.at].b = pc
		case 'i':
			c.insts[x.at].imm = c.insts[x.at].imm&^0xffff_ffff | uint64(pc)
		case 's':
			sw := &c.sws[x.at]
			switch {
			case x.idx < 0:
				sw.def = pc
			case sw.nw > 1:
				sw.wide[x.idx].pc = pc
			default:
				sw.pcs[x.idx] = pc
			}
		case 'c':
			c.calls[x.at].normal = pc
		case 'x':
			c.indirs[x.at][x.idx].pc = pc
		}
	}
	for i := range c.sws {
		c.sws[i].finish()
	}
	nc := uint32(len(c.consts))
	final := func(p *uint32) {
		if *p >= localBase {
			*p += nc - localBase
		}
	}
	for i := range c.insts {
		in := &c.insts[i]
		switch in.op {
		case opJmp, opBad, opGen, opUnreachable, opCall:
		case opBrEQ, opBrNE, opBrUGT, opBrUGE, opBrULT, opBrULE, opBrSGT, opBrSGE, opBrSLT, opBrSLE:
			final(&in.a)
			final(&in.b)
		case opCondBr, opSwitch, opIndirBr, opRet, opNoundef:
			final(&in.a)
		case opLoadVal:
			final(&in.a)
			final(&in.d)
		case opStoreVal:
			final(&in.a)
			final(&in.b)
		case opSelect, opFMulAdd64:
			t := uint32(in.imm)
			final(&t)
			in.imm = uint64(t)
			final(&in.a)
			final(&in.b)
			final(&in.d)
		case opAlloca:
			final(&in.a)
			final(&in.d)
		default:
			final(&in.a)
			final(&in.b)
			final(&in.d)
		}
	}
	for _, p := range d.lateList {
		final(p)
	}
	for i := range c.calls {
		ci := &c.calls[i]
		final(&ci.callee)
		final(&ci.d)
		for k := range ci.args {
			final(&ci.args[k].src)
		}
		for k := range ci.checks {
			final(&ci.checks[k].slot)
		}
	}
	c.args = nc
	c.nregs = int(nc+d.next) + 1
}

// finish sorts the cases, or spreads them over a table where they lie close.
func (sw *switchInfo) finish() {
	n := len(sw.vals)
	if sw.nw > 1 || n == 0 {
		return
	}
	ord := make([]int, n)
	for i := range ord {
		ord[i] = i
	}
	sort.Slice(ord, func(i, j int) bool { return sw.vals[ord[i]] < sw.vals[ord[j]] })
	vals, pcs := make([]uint64, n), make([]uint32, n)
	for i, k := range ord {
		vals[i], pcs[i] = sw.vals[k], sw.pcs[k]
	}
	sw.vals, sw.pcs = vals, pcs
	if span := vals[n-1] - vals[0]; span < uint64(4*n+16) {
		sw.isDense, sw.lo = true, vals[0]
		sw.dense = make([]uint32, span+1)
		for i := range sw.dense {
			sw.dense[i] = sw.def
		}
		for i, v := range vals {
			sw.dense[v-sw.lo] = pcs[i]
		}
	}
}

// params reads the attributes of the function's parameters and result.
func (d *decoder) params() {
	l := d.vm.m.Attrs.At(d.c.g.Attrs)
	for i := range d.f.NumArgs {
		id := d.f.Arg(i)
		t := d.f.Instrs[id].Type
		set := l.Param(i)
		slot := d.slots[id] - localBase
		if k, ok := d.check(set, t, slot); ok {
			d.c.checks = append(d.c.checks, k)
		}
		if bv, ok := d.byval(set); ok {
			bv.slot = slot
			d.c.byvals = append(d.c.byvals, bv)
		}
	}
	if k, ok := d.check(l.Ret, d.vm.t.Result(d.c.g.ValueType), 0); ok {
		d.c.retChk = append(d.c.retChk, k)
	}
}

func (d *decoder) byval(set ir.AttrSet) (byval, bool) {
	a, ok := set.Get("byval")
	if !ok {
		return byval{}, false
	}
	bv := byval{size: d.vm.dl.SizeOf(d.vm.t, a.Type), align: d.vm.dl.ABIAlign(d.vm.t, a.Type)}
	if x, ok := set.Get("align"); ok {
		bv.align = x.Int
	}
	return bv, true
}

// check makes a check of what attributes say; ok is false when they say nothing.
func (d *decoder) check(set ir.AttrSet, t ir.Type, slot uint32) (check, bool) {
	k := check{slot: slot, n: d.layout(t).slots, bits: 64}
	if n := d.vm.t.IntBits(t); n > 0 && n <= 64 {
		k.bits = uint32(n)
	}
	ok := false
	for i := range set {
		switch a := &set[i]; a.Key {
		case "noundef":
			k.noundef, ok = true, true
		case "nonnull":
			k.nonnull, ok = true, true
		case "align":
			if a.Int > 1 && !d.vm.o.Lenient.Align && d.vm.t.Kind(t) == ir.KindPointer && !set.Has("byval") {
				k.align, ok = a.Int, true
			}
		case "dereferenceable":
			k.deref, ok = a.Int, true
		case "range":
			if lo, hi, good := parseRange(a.Value, k.bits); good {
				k.hasRange, k.lo, k.hi, ok = true, lo, hi, true
			}
		}
	}
	return k, ok && k.n > 0
}

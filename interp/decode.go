package interp

import "github.com/mirin-go/mirin/ir"

// decoder turns one function into code: plan looks at the whole function and
// gives values their registers, then each instruction is decoded, then link fills in what was not known before.
type decoder struct {
	vm     *Interp
	f      *ir.Function
	c      *code
	slots  []uint32 // by instruction: first register
	uses   []uint32 // by instruction
	consts map[ir.Value]uint32
	next   uint32 // next free register of the locals, counted from 0
	// Operands are numbered before the number of constants is known: constants
	// count from 0, everything else from localBase.
	fixes    []fix
	stubs    []stub
	cur      ir.InstrID
	pending  uint32 // IR instructions that no branch has counted as fuel yet
	fell     bool   // the block before goes on here without a branch
	folded   []bool // executed by the one instruction that uses it
	lateList []*uint32
	plan     plan
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
		d.slots[i] = d.temp(max(d.layout(f.Instrs[i].Type).slots, 1))
	}
	c.numArgs = d.next
	d.makePlan()
	c.ret = d.layout(d.vm.t.Result(c.g.ValueType))
	d.params()
	for k, b := range f.Order {
		c.blockPC[b] = uint32(len(c.protos))
		if !d.fell {
			d.pending = 0
		}
		d.fell = false
		var after ir.BlockID
		if k+1 < len(f.Order) {
			after = f.Order[k+1]
		}
		for i := f.Blocks[b].First; i != 0; i = f.Instrs[i].Next {
			d.cur = i
			d.pending++
			d.allocate(i)
			d.instr(i, b, after)
			d.release(i)
		}
		if f.Blocks[b].Last == 0 {
			d.bad(unsupported("a block without terminator"))
		}
	}
	d.link()
}

func (d *decoder) layout(t ir.Type) *layout { return d.vm.layoutOf(t) }

// temp returns n scratch registers of the function.
func (d *decoder) temp(n uint32) uint32 {
	s := localBase + d.next
	d.next += n
	return s
}

func (d *decoder) emit(in proto) int {
	d.c.protos = append(d.c.protos, in)
	d.c.src = append(d.c.src, d.cur)
	return len(d.c.protos) - 1
}

func (d *decoder) bad(err error) {
	d.c.bad = append(d.c.bad, err)
	d.emit(proto{op: opBad, imm: uint64(len(d.c.bad) - 1)})
}

// gen emits an instruction that fn executes. The register numbers that fn
// needs are given through at, final once decoding is over.
func (d *decoder) gen(fn genFn) {
	d.c.gens = append(d.c.gens, fn)
	d.emit(proto{op: opGen, imm: uint64(len(d.c.gens) - 1)})
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

// params reads the attributes of the function's parameters and result.
func (d *decoder) params() {
	l := d.vm.m.Attrs.At(d.c.g.Attrs)
	for i := range d.f.NumArgs {
		id := d.f.Arg(i)
		t := d.f.Instrs[id].Type
		set := l.Param(i)
		slot := d.slots[id] - localBase
		if k, ok := d.check(set, t, slot); ok && k.onlyNoundef {
			d.c.noundef = append(d.c.noundef, slot)
		} else if ok {
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
	k.onlyNoundef = k.noundef && k.n == 1 && !k.nonnull && !k.hasRange && k.align == 0 && k.deref == 0
	return k, ok && k.n > 0
}

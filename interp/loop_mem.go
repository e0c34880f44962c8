package interp

// sizeOf is the number of bytes of a load or store: the opcodes of each kind stand in order of size.
func sizeOf(op, first opcode) uint64 { return 1 << (op - first) }

// pointer returns the address of a load or store with its provenance, poison
// and undefined bits.
func (vm *Interp) pointer(in *inst, regs []reg) reg {
	p := regs[in.a]
	switch {
	case in.op >= opLoad8X && in.op <= opStorePtrX:
		return vm.gepIndex(p, regs[in.c], in)
	case p.u == 0:
		p.v = (p.v + in.imm) & vm.ptrMask
	}
	return p
}

// gepIndex is a pointer plus an index and an offset, with the flags of a getelementptr
// for opGEP1; accesses check bounds themselves.
func (vm *Interp) gepIndex(a, b reg, in *inst) reg {
	switch {
	case b.poison():
		return poisonReg
	case b.u != 0:
		if a.poison() {
			return poisonReg
		}
		return reg{u: vm.ptrMask}
	}
	fl := in.fl
	if in.op != opGEP1 {
		fl = 0
	}
	return vm.gep(a, uint64(signed(b.v, 64-uint32(in.w)))*uint64(in.k)+in.imm, fl)
}

func (vm *Interp) slowLoad(c *code, in *inst, regs []reg) error {
	n, op := uint64(0), in.op
	if op >= opLoad8X {
		op -= opLoad8X - opLoad8
	}
	switch op {
	case opLoadPtr:
		n = vm.ptrBytes
	case opLoadVal:
		n = c.layouts[in.k].store
	default:
		n = sizeOf(op, opLoad8)
	}
	o, off, err := vm.access(vm.pointer(in, regs), n, uint64(in.fl)+1, false)
	if err != nil {
		return err
	}
	switch op {
	case opLoadPtr:
		regs[in.d] = vm.loadPtr(o, off)
	case opLoadVal:
		l := c.layouts[in.k]
		vm.loadValue(o, off, l, regs[in.d:uint32(in.d)+l.slots])
	default:
		regs[in.d] = o.load(off, n)
	}
	return nil
}

func (vm *Interp) slowStore(c *code, in *inst, regs []reg) error {
	n, op := uint64(0), in.op
	if op >= opStore8X {
		op -= opStore8X - opStore8
	}
	switch op {
	case opStorePtr:
		n = vm.ptrBytes
	case opStoreVal:
		n = c.layouts[in.k].store
	default:
		n = sizeOf(op, opStore8)
	}
	o, off, err := vm.access(vm.pointer(in, regs), n, uint64(in.fl)+1, true)
	if err != nil {
		return err
	}
	switch op {
	case opStorePtr:
		vm.storePtr(o, off, regs[in.b])
	case opStoreVal:
		l := c.layouts[in.k]
		vm.storeValue(o, off, l, regs[in.b:uint32(in.b)+l.slots])
	default:
		o.store(off, n, regs[in.b], vm.prvShift)
	}
	return nil
}

func addPtr(p reg, off uint64) reg {
	if p.u == 0 {
		p.v += off
	}
	return p
}

// gep adds an offset to a pointer; inbounds asks that both ends lie in the object.
func (vm *Interp) gep(p reg, off uint64, fl uint8) reg {
	if p.u != 0 {
		return p
	}
	v := (p.v + off) & vm.ptrMask
	if fl&fNUW != 0 && v < p.v {
		return poisonReg
	}
	r := reg{v: v, p: p.p}
	if fl&fInBounds == 0 || off == 0 || vm.o.Lenient.InBounds {
		return r
	}
	if p.p == 0 {
		if p.v < 4096 {
			return poisonReg // null plus something
		}
		return r // any object may be meant
	}
	i, ok := vm.object(p)
	if !ok {
		return r // a dead object's bounds are not known any more
	}
	if o := &vm.objs[i]; v-o.base > o.size || p.v-o.base > o.size {
		return poisonReg
	}
	return r
}

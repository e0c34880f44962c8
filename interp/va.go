package interp

import (
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/triple"
)

// Variable arguments. On x86-64 (System V) a va_list is
//
//	{ i32 gp_offset, i32 fp_offset, ptr overflow_arg_area, ptr reg_save_area }
//
// and clang reads it by plain loads, so va_start builds the two areas as the
// calling convention has them. Elsewhere a va_list is a pointer to the
// arguments one after the other, each in a multiple of the pointer's size.

const (
	gpArea = 48
	fpArea = 176
)

func (vm *Interp) sysv() bool {
	t := triple.Parse(vm.m.Triple)
	return t.Arch == triple.X86_64 && !t.IsWindows() || vm.m.Triple == "" && vm.ptrBytes == 8
}

func (vm *Interp) vaListSize() uint64 {
	if vm.sysv() {
		return 24
	}
	return vm.ptrBytes
}

// regUse counts the registers that a type takes as an argument.
func (vm *Interp) regUse(ty ir.Type) (gp, fp uint64, mem bool) {
	l := vm.layoutOf(ty)
	for i := range l.leaves {
		switch f := &l.leaves[i]; f.kind {
		case leafInt, leafPtr:
			gp++
		case leafWide:
			gp += uint64(f.words)
		case leafF80, leafBad:
			mem = true
		default:
			fp++
		}
	}
	if vm.t.Kind(ty) == ir.KindVector {
		gp, fp = 0, 1
	}
	return gp, fp, mem
}

func (vm *Interp) vaStart(list reg) error {
	f := &vm.frames[len(vm.frames)-1]
	if !vm.sysv() {
		return vm.vaStartPlain(list, f)
	}
	var gp, fp uint64
	at := vm.m.Attrs.At(f.c.g.Attrs)
	for k, t := range vm.t.Subtypes(f.c.g.ValueType) {
		if at.Param(k).Has("byval") {
			continue
		}
		g, x, mem := vm.regUse(t)
		if mem || gp+g > 6 || fp+x > 8 {
			continue
		}
		gp, fp = gp+g, fp+x
	}
	size := uint64(16)
	for _, a := range f.va {
		size += 32 + vm.layoutOf(a.ty).size
		if a.byval != nil {
			size += a.byval.size + a.byval.align
		}
	}
	si, ok1 := vm.pushStack(fpArea, 16)
	oi, ok2 := vm.pushStack(size, 16)
	if !ok1 || !ok2 {
		return &Stopped{Reason: "stack overflow"}
	}
	startG, startF, over := gp, fp, uint64(0)
	for _, a := range f.va {
		l := vm.layoutOf(a.ty)
		if a.byval != nil {
			al := max(a.byval.align, 8)
			over = (over + al - 1) &^ (al - 1)
			src, off, err := vm.access(a.regs[0], a.byval.size, 1, false)
			if err != nil {
				return err
			}
			vm.move(&vm.objs[oi], over, src, off, a.byval.size)
			over = (over + a.byval.size + 7) &^ 7
			continue
		}
		g, x, mem := vm.regUse(a.ty)
		if !mem && gp+g <= 6 && fp+x <= 8 {
			o := &vm.objs[si]
			if vm.t.Kind(a.ty) == ir.KindVector {
				vm.storeValue(o, gpArea+16*fp, l, a.regs)
				fp++
				continue
			}
			for i := range l.leaves {
				lf := &l.leaves[i]
				r := a.regs[lf.slot:]
				switch lf.kind {
				case leafInt, leafPtr, leafWide:
					vm.storeGP(o, 8*gp, lf, r)
					gp += uint64(lf.words)
				default:
					vm.storeLeaf(o, gpArea+16*fp, lf, r)
					fp++
				}
			}
			continue
		}
		al := max(l.align, 8)
		over = (over + al - 1) &^ (al - 1)
		o := &vm.objs[oi]
		if len(l.leaves) == 1 && (l.leaves[0].kind == leafInt || l.leaves[0].kind == leafPtr || l.leaves[0].kind == leafWide) {
			vm.storeGP(o, over, &l.leaves[0], a.regs)
		} else {
			vm.storeValue(o, over, l, a.regs)
		}
		over = (over + max(l.size, 8) + 7) &^ 7
	}
	o, off, err := vm.access(list, 24, 8, true)
	if err != nil {
		return err
	}
	o.store(off, 4, def(8*startG), vm.prvShift)
	o.store(off+4, 4, def(gpArea+16*startF), vm.prvShift)
	vm.storePtr(o, off+8, vm.ptr(oi))
	vm.storePtr(o, off+16, vm.ptr(si))
	return nil
}

// storeGP stores an integer argument in whole 8-byte words; the upper bits of a
// narrow one are undefined.
func (vm *Interp) storeGP(o *object, off uint64, lf *leaf, r []reg) {
	if lf.kind == leafPtr {
		vm.storePtr(o, off, r[0])
		return
	}
	for w := range lf.words {
		v := r[w]
		if !v.poison() && lf.bits < 64 {
			v.u |= ^mask(lf.bits)
		}
		o.store(off+8*uint64(w), 8, v, vm.prvShift)
	}
}

func (vm *Interp) vaStartPlain(list reg, f *frame) error {
	size := uint64(16)
	for _, a := range f.va {
		size += 16 + vm.layoutOf(a.ty).size
	}
	oi, ok := vm.pushStack(size, 16)
	if !ok {
		return &Stopped{Reason: "stack overflow"}
	}
	off := uint64(0)
	w := vm.ptrBytes
	for _, a := range f.va {
		l := vm.layoutOf(a.ty)
		if l.size > w {
			al := max(l.align, w)
			off = (off + al - 1) &^ (al - 1)
		}
		vm.storeValue(&vm.objs[oi], off, l, a.regs)
		off = (off + l.size + w - 1) &^ (w - 1)
	}
	o, at, err := vm.access(list, w, 1, true)
	if err != nil {
		return err
	}
	vm.storePtr(o, at, vm.ptr(oi))
	return nil
}

// vaArg reads the next argument of a va_list.
func (vm *Interp) vaArg(list reg, ty ir.Type) ([]reg, error) {
	l := vm.layoutOf(ty)
	out := make([]reg, l.slots)
	o, off, err := vm.access(list, vm.vaListSize(), 1, true)
	if err != nil {
		return nil, err
	}
	read := func(slot uint64, size uint64) error {
		p := vm.loadPtr(o, slot)
		if l.align > vm.ptrBytes && p.u == 0 {
			p.v = (p.v + l.align - 1) &^ (l.align - 1)
		}
		src, at, err := vm.access(p, l.store, 1, false)
		if err != nil {
			return err
		}
		vm.loadValue(src, at, l, out)
		p.v += size
		vm.storePtr(o, slot, p)
		return nil
	}
	if !vm.sysv() {
		return out, read(off, (l.size+vm.ptrBytes-1)&^(vm.ptrBytes-1))
	}
	gp, fp, mem := vm.regUse(ty)
	field, step, limit, n := off, uint64(8), uint64(gpArea), gp
	if fp > 0 {
		field, step, limit, n = off+4, 16, fpArea, fp
	}
	cur := o.load(field, 4)
	if !mem && (gp == 0 || fp == 0) && cur.u == 0 && cur.v+n*step <= limit {
		save := vm.loadPtr(o, off+16)
		save.v += cur.v
		src, at, err := vm.access(save, l.store, 1, false)
		if err != nil {
			return nil, err
		}
		vm.loadValue(src, at, l, out)
		o.store(field, 4, def(cur.v+n*step), vm.prvShift)
		return out, nil
	}
	return out, read(off+8, (l.size+7)&^7)
}

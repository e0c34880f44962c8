package interp

import (
	"sort"

	"github.com/mirin-go/mirin/ir"
)

// intrinsicMem decodes the intrinsics of memory.
func (d *decoder) intrinsicMem(i ir.InstrID, id ir.Intrinsic, args []ir.Value) bool {
	in := &d.f.Instrs[i]
	attrs := d.vm.m.Attrs.At(in.Attrs)
	align := func(k int) uint64 {
		a, _ := attrs.Param(k).Get("align")
		return max(a.Int, 1)
	}
	switch id {
	case ir.IntrMemcpy, ir.IntrMemcpyInline, ir.IntrMemmove:
		dst, src, n := d.opnd(args[0]), d.opnd(args[1]), d.opnd(args[2])
		da, sa := align(0), align(1)
		d.gen(func(vm *Interp, regs []reg) error {
			return vm.memTransfer(regs[*dst], regs[*src], regs[*n], da, sa, id != ir.IntrMemmove)
		})
	case ir.IntrMemset, ir.IntrMemsetInline:
		dst, val, n := d.opnd(args[0]), d.opnd(args[1]), d.opnd(args[2])
		da := align(0)
		d.gen(func(vm *Interp, regs []reg) error { return vm.memSet(regs[*dst], regs[*val], regs[*n], da) })
	case ir.IntrLifetimeStart, ir.IntrLifetimeEnd:
		p := d.opnd(args[len(args)-1])
		d.gen(func(vm *Interp, regs []reg) error {
			v := regs[*p]
			if v.u != 0 {
				return nil
			}
			i, ok := vm.object(v)
			if !ok || vm.objs[i].kind != objStack {
				return nil
			}
			o := &vm.objs[i]
			if id == ir.IntrLifetimeStart {
				o.dead = false
				o.setUndef(0, uint64(len(o.data)))
				return nil
			}
			// Nothing can be stored now, so all its bytes stay undefined; a load sees that it is dead.
			o.dead = true
			o.setUndef(0, uint64(len(o.data)))
			return nil
		})
	case ir.IntrStacksave:
		r := d.late(d.slots[i])
		d.gen(func(vm *Interp, regs []reg) error {
			regs[*r] = def(vm.stackTop - vm.used)
			return nil
		})
	case ir.IntrStackrestore:
		p := d.opnd(args[0])
		d.gen(func(vm *Interp, regs []reg) error {
			// Between objects lies a gap: those made since then lie below.
			v := regs[*p]
			used := vm.stackTop - v.v
			if v.u != 0 || used > vm.used {
				return ub("stackrestore of another value", "")
			}
			n := sort.Search(len(vm.stackObjs), func(k int) bool { return vm.objs[vm.stackObjs[k]].base < v.v })
			vm.popStack(n, used)
			return nil
		})
	case ir.IntrVaStart:
		p := d.opnd(args[0])
		d.gen(func(vm *Interp, regs []reg) error { return vm.vaStart(regs[*p]) })
	case ir.IntrVaCopy:
		dst, src := d.opnd(args[0]), d.opnd(args[1])
		d.gen(func(vm *Interp, regs []reg) error {
			return vm.memTransfer(regs[*dst], regs[*src], def(vm.vaListSize()), 1, 1, false)
		})
	case ir.IntrMaskedLoad, ir.IntrMaskedStore, ir.IntrMaskedGather, ir.IntrMaskedScatter:
		d.masked(i, id, args)
	default:
		return false
	}
	return true
}

// memTransfer is memcpy or memmove; memcpy asks that the ranges are equal or apart.
func (vm *Interp) memTransfer(dst, src, n reg, da, sa uint64, apart bool) error {
	if n.u != 0 {
		return ub("memory transfer of undef size", "")
	}
	if n.v == 0 {
		return nil
	}
	s, soff, err := vm.access(src, n.v, sa, false)
	if err != nil {
		return err
	}
	t, doff, err := vm.access(dst, n.v, da, true)
	if err != nil {
		return err
	}
	if apart && s == t && soff != doff && soff < doff+n.v && doff < soff+n.v {
		return ub("memcpy of overlapping ranges", "")
	}
	vm.move(t, doff, s, soff, n.v)
	return nil
}

func (vm *Interp) memSet(dst, val, n reg, da uint64) error {
	if n.u != 0 {
		return ub("memset of undef size", "")
	}
	if n.v == 0 {
		return nil
	}
	o, off, err := vm.access(dst, n.v, da, true)
	if err != nil {
		return err
	}
	switch {
	case val.poison():
		o.setPoison(off, n.v)
		return nil
	case val.u&0xff != 0:
		o.setUndef(off, n.v)
		return nil
	}
	b := o.data[off : off+n.v]
	if c := byte(val.v); c == 0 {
		clear(b)
	} else {
		b[0] = c
		for k := 1; k < len(b); k *= 2 {
			copy(b[k:], b[:k])
		}
	}
	o.setDefined(off, n.v, vm.prvShift)
	return nil
}

// masked decodes masked loads, stores, gathers and scatters. LLVM 22 gives the
// alignment as a parameter attribute.
func (d *decoder) masked(i ir.InstrID, id ir.Intrinsic, args []ir.Value) {
	in := &d.f.Instrs[i]
	load := id == ir.IntrMaskedLoad || id == ir.IntrMaskedGather
	multi := id == ir.IntrMaskedGather || id == ir.IntrMaskedScatter
	pi := 0
	ty := in.Type
	if !load {
		pi = 1
		ty = d.f.TypeOf(args[0])
	}
	attrs := d.vm.m.Attrs.At(in.Attrs)
	al := uint64(1)
	if a, ok := attrs.Param(pi).Get("align"); ok {
		al = a.Int
	}
	// ptr, [align,] mask, passthru | value, ptr, [align,] mask
	mi := pi + 1
	if d.vm.t.IntBits(d.f.TypeOf(args[mi])) == 32 {
		if n, ok := d.f.Consts.SignedInt(d.vm.t, args[mi]); ok {
			al = uint64(n)
		}
		mi++
	}
	l := d.layout(ty)
	if l.packed {
		d.bad(unsupported("%s of bits", id))
		return
	}
	p, m, r := d.opnd(args[pi]), d.opnd(args[mi]), d.late(d.slots[i])
	var other *uint32
	if load {
		other = d.opnd(args[mi+1])
	} else {
		other = d.opnd(args[0])
	}
	d.gen(func(vm *Interp, regs []reg) error {
		out := make([]reg, l.slots)
		for k := range l.leaves {
			f := &l.leaves[k]
			val := regs[*other+f.slot : *other+f.slot+f.words]
			c := regs[*m+uint32(k)]
			if c.u != 0 {
				return ub("undef or poison mask", "%s", id)
			}
			if c.v == 0 {
				copy(out[f.slot:], val)
				continue
			}
			q, a := regs[*p], uint64(1)
			if multi {
				q, a = regs[*p+uint32(k)], al
			} else {
				if q.v&(al-1) != 0 && !vm.o.Lenient.Align {
					return ub("misaligned", "%s with alignment %d", id, al)
				}
				q = addPtr(q, f.off)
			}
			o, off, err := vm.access(q, f.bytes(), a, !load)
			if err != nil {
				return err
			}
			if load {
				vm.loadLeaf(o, off, f, out[f.slot:f.slot+f.words])
			} else {
				vm.storeLeaf(o, off, f, val)
			}
		}
		if load {
			copy(regs[*r:], out)
		}
		return nil
	})
}

package interp

import (
	"github.com/mirin-go/mirin/ir"
)

// intrinsicVec decodes reductions and permutations of vectors.
func (d *decoder) intrinsicVec(i ir.InstrID, id ir.Intrinsic, args []ir.Value) bool {
	in := &d.f.Instrs[i]
	fl := d.fmf(in.Flags)
	reduce := func(vec ir.Value, start *uint32, fn func(w uint32, k leafKind, a, b reg) reg) bool {
		k, w, words, n := d.lanes(d.f.TypeOf(vec))
		if words > 1 {
			return false
		}
		a, r := d.opnd(vec), d.late(d.slots[i])
		d.gen(func(vm *Interp, regs []reg) error {
			j := uint32(0)
			var acc reg
			if start != nil {
				acc = regs[*start]
			} else {
				acc, j = regs[*a], 1
			}
			for ; j < n; j++ {
				acc = fn(w, k, acc, regs[*a+j])
			}
			regs[*r] = acc
			return nil
		})
		return true
	}
	bin := func(op ir.Op) bool {
		return reduce(args[0], nil, func(w uint32, _ leafKind, a, b reg) reg { r, _ := evalBin(op, 0, w, a, b); return r })
	}
	pick := func(p ir.Pred) bool {
		return reduce(args[0], nil, func(w uint32, _ leafKind, a, b reg) reg { return evalSelect(evalICmp(p, 0, w, a, b), a, b, w) })
	}
	switch id {
	case ir.IntrVectorReduceAdd:
		return bin(ir.OpAdd)
	case ir.IntrVectorReduceMul:
		return bin(ir.OpMul)
	case ir.IntrVectorReduceAnd:
		return bin(ir.OpAnd)
	case ir.IntrVectorReduceOr:
		return bin(ir.OpOr)
	case ir.IntrVectorReduceXor:
		return bin(ir.OpXor)
	case ir.IntrVectorReduceSmax:
		return pick(ir.ICmpSGT)
	case ir.IntrVectorReduceSmin:
		return pick(ir.ICmpSLT)
	case ir.IntrVectorReduceUmax:
		return pick(ir.ICmpUGT)
	case ir.IntrVectorReduceUmin:
		return pick(ir.ICmpULT)
	case ir.IntrVectorReduceFadd, ir.IntrVectorReduceFmul:
		op := ir.OpFAdd
		if id == ir.IntrVectorReduceFmul {
			op = ir.OpFMul
		}
		return reduce(args[1], d.opnd(args[0]), func(_ uint32, k leafKind, a, b reg) reg { return evalFBin(op, fl, k, a, b) })
	case ir.IntrVectorReduceFmax, ir.IntrVectorReduceFmin, ir.IntrVectorReduceFmaximum, ir.IntrVectorReduceFminimum:
		most := id == ir.IntrVectorReduceFmax || id == ir.IntrVectorReduceFmaximum
		through := id == ir.IntrVectorReduceFmaximum || id == ir.IntrVectorReduceFminimum
		return reduce(args[0], nil, func(_ uint32, k leafKind, a, b reg) reg { return evalMinMax(most, through, k, a, b) })
	case ir.IntrVectorInsert:
		off, _ := d.f.Consts.SignedInt(d.vm.t, args[2])
		w := d.layout(d.vm.t.Elem(in.Type)).slots
		src, sub := d.val(args[0]), d.val(args[1])
		d.copy(d.slots[i], src, d.layout(in.Type).slots)
		d.copy(d.slots[i]+uint32(off)*w, sub, d.layout(d.f.TypeOf(args[1])).slots)
		return true
	case ir.IntrVectorExtract:
		off, _ := d.f.Consts.SignedInt(d.vm.t, args[1])
		w := d.layout(d.vm.t.Elem(in.Type)).slots
		d.copy(d.slots[i], d.val(args[0])+uint32(off)*w, d.layout(in.Type).slots)
		return true
	case ir.IntrVectorReverse:
		n := d.layout(in.Type).slots
		w := d.layout(d.vm.t.Elem(in.Type)).slots
		s := d.val(args[0])
		for k := uint32(0); k < n; k += w {
			d.copy(d.slots[i]+k, s+n-w-k, w)
		}
		return true
	case ir.IntrVectorInterleave2:
		n := d.layout(d.f.TypeOf(args[0])).slots
		a, b := d.val(args[0]), d.val(args[1])
		for k := range n {
			d.copy(d.slots[i]+2*k, a+k, 1)
			d.copy(d.slots[i]+2*k+1, b+k, 1)
		}
		return d.layout(d.vm.t.Elem(in.Type)).slots == 1
	case ir.IntrVectorDeinterleave2:
		n := d.layout(d.f.TypeOf(args[0])).slots / 2
		a := d.val(args[0])
		for k := range n {
			d.copy(d.slots[i]+k, a+2*k, 1)
			d.copy(d.slots[i]+n+k, a+2*k+1, 1)
		}
		return true
	case ir.IntrStepvector:
		for k := range d.layout(in.Type).slots {
			s := uint32(len(d.c.consts))
			d.c.consts = append(d.c.consts, def(uint64(k)))
			d.copy(d.slots[i]+k, s, 1)
		}
		return true
	case ir.IntrExperimentalCttzElts:
		zeroPoison, _ := d.f.Consts.SignedInt(d.vm.t, args[1])
		_, w, _, _ := d.lanes(in.Type)
		a, r := d.opnd(args[0]), d.late(d.slots[i])
		n := d.layout(d.f.TypeOf(args[0])).slots
		d.gen(func(vm *Interp, regs []reg) error {
			for k := range n {
				x := regs[*a+k]
				switch {
				case x.poison():
					regs[*r] = poisonReg
				case x.u != 0:
					regs[*r] = reg{u: mask(w)}
				case x.v != 0:
					regs[*r] = def(uint64(k))
				default:
					continue
				}
				return nil
			}
			regs[*r] = def(uint64(n))
			if zeroPoison != 0 {
				regs[*r] = poisonReg
			}
			return nil
		})
		return true
	case ir.IntrMaskedExpandload, ir.IntrMaskedCompressstore:
		return d.compressed(i, id, args)
	case ir.IntrGetActiveLaneMask:
		_, w, _, _ := d.lanes(d.f.TypeOf(args[0]))
		a, b, r := d.opnd(args[0]), d.opnd(args[1]), d.late(d.slots[i])
		n := d.layout(in.Type).slots
		d.gen(func(vm *Interp, regs []reg) error {
			base, lim := regs[*a], regs[*b]
			for k := range n {
				x := base
				x.v += uint64(k)
				if base.u == 0 && (x.v < base.v || x.v > mask(w)) {
					regs[*r+k] = def(0)
					continue
				}
				regs[*r+k] = evalICmp(ir.ICmpULT, 0, w, x, lim)
			}
			return nil
		})
		return true
	}
	return false
}

// compressed decodes masked.expandload and masked.compressstore: the lanes
// that the mask names lie one after the other in memory.
func (d *decoder) compressed(i ir.InstrID, id ir.Intrinsic, args []ir.Value) bool {
	load := id == ir.IntrMaskedExpandload
	ty := d.f.Instrs[i].Type
	vi, pi, mi := 2, 0, 1
	if !load {
		ty = d.f.TypeOf(args[0])
		vi, pi, mi = 0, 1, 2
	}
	l := d.layout(ty)
	if l.packed {
		return false
	}
	v, p, m, r := d.opnd(args[vi]), d.opnd(args[pi]), d.opnd(args[mi]), d.late(d.slots[i])
	d.gen(func(vm *Interp, regs []reg) error {
		out := make([]reg, l.slots)
		copy(out, regs[*v:])
		q := regs[*p]
		for k := range l.leaves {
			f := &l.leaves[k]
			c := regs[*m+uint32(k)]
			if c.u != 0 {
				return ub("undef or poison mask", "%s", id)
			}
			if c.v == 0 {
				continue
			}
			o, off, err := vm.access(q, f.bytes(), 1, !load)
			if err != nil {
				return err
			}
			if load {
				vm.loadLeaf(o, off, f, out[f.slot:f.slot+f.words])
			} else {
				vm.storeLeaf(o, off, f, out[f.slot:f.slot+f.words])
			}
			q.v += f.bytes()
		}
		if load {
			copy(regs[*r:], out)
		}
		return nil
	})
	return true
}

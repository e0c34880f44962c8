package interp

import (
	"math"

	"github.com/mirin-go/mirin/ir"
)

// element decodes extractelement and insertelement.
func (d *decoder) element(i ir.InstrID, in *ir.Instr, ops []ir.Value) {
	vt := d.f.TypeOf(ops[0])
	w := d.layout(d.vm.t.Elem(vt)).slots
	n := uint64(d.vm.t.NumElems(vt))
	insert := in.Op == ir.OpInsertElement
	idx := ops[len(ops)-1]
	src := d.val(ops[0])
	total := d.layout(vt).slots
	if k, ok := d.f.Consts.SignedInt(d.vm.t, idx); ok && uint64(k) < n {
		if insert {
			e := d.val(ops[1])
			d.copy(d.slots[i], src, total)
			d.copy(d.slots[i]+uint32(k)*w, e, w)
		} else {
			d.copy(d.slots[i], src+uint32(k)*w, w)
		}
		return
	}
	a, r, x := d.late(src), d.late(d.slots[i]), d.opnd(idx)
	var e *uint32
	if insert {
		e = d.opnd(ops[1])
	}
	d.gen(func(vm *Interp, regs []reg) error {
		k := regs[*x]
		bad := k.u != 0 || k.v >= n
		if insert {
			copy(regs[*r:*r+total], regs[*a:*a+total])
			if bad {
				setPoison(regs[*r : *r+total])
				return nil
			}
			copy(regs[*r+uint32(k.v)*w:*r+uint32(k.v)*w+w], regs[*e:])
			return nil
		}
		if bad {
			setPoison(regs[*r : *r+w])
			return nil
		}
		copy(regs[*r:*r+w], regs[*a+uint32(k.v)*w:])
		return nil
	})
}

func setPoison(r []reg) {
	for i := range r {
		r[i] = poisonReg
	}
}

func (d *decoder) shuffle(i ir.InstrID, in *ir.Instr, ops []ir.Value) {
	vt := d.f.TypeOf(ops[0])
	w := d.layout(d.vm.t.Elem(vt)).slots
	n := int64(d.vm.t.NumElems(vt))
	var m []int64
	if in.Extra != 0 {
		m = d.f.Extras[in.Extra].Ints
	}
	a, b, r := d.opnd(ops[0]), d.opnd(ops[1]), d.late(d.slots[i])
	lanes := int(d.vm.t.NumElems(in.Type))
	// from is the source of each register: below total in a, then in b, or -1 for poison.
	total := int32(n) * int32(w)
	from := make([]int32, lanes*int(w))
	for k := range from {
		lane := int64(0)
		if k/int(w) < len(m) {
			lane = m[k/int(w)]
		}
		from[k] = int32(lane)*int32(w) + int32(k)%int32(w)
		if lane < 0 {
			from[k] = -1
		}
	}
	d.gen(func(vm *Interp, regs []reg) error {
		to, va, vb := regs[*r:], regs[*a:], regs[*b:]
		for k, src := range from {
			switch {
			case src < 0:
				to[k] = poisonReg
			case src < total:
				to[k] = va[src]
			default:
				to[k] = vb[src-total]
			}
		}
		return nil
	})
}

// gepVector computes a vector of pointers lane by lane.
func (d *decoder) gepVector(i ir.InstrID, in *ir.Instr, ops []ir.Value) {
	vm, t := d.vm, d.vm.t
	lanes := uint32(t.NumElems(in.Type))
	type step struct {
		idx  *uint32
		vec  bool
		bits uint32
		size uint64
		off  uint64 // struct member
	}
	var steps []step
	cty := in.SrcType
	for n, v := range ops[1:] {
		size := vm.dl.SizeOf(t, cty)
		if n > 0 {
			if t.Kind(cty) == ir.KindStruct {
				k, ok := d.f.Consts.SignedInt(t, v)
				if !ok {
					d.bad(unsupported("getelementptr over structs with such an index"))
					return
				}
				steps = append(steps, step{off: vm.dl.Struct(t, cty).Offsets[k]})
				cty = t.Subtypes(cty)[k]
				continue
			}
			cty = t.Elem(cty)
			size = vm.dl.SizeOf(t, cty)
		}
		ty := d.f.TypeOf(v)
		steps = append(steps, step{idx: d.opnd(v), vec: t.IsVector(ty), bits: uint32(t.IntBits(t.Scalar(ty))), size: size})
	}
	a, r := d.opnd(ops[0]), d.late(d.slots[i])
	baseVec := t.IsVector(d.f.TypeOf(ops[0]))
	fl := uint8(0)
	if in.Flags&ir.InBounds != 0 {
		fl = fInBounds
	}
	d.gen(func(vm *Interp, regs []reg) error {
		out := make([]reg, lanes)
		for k := range lanes {
			p := regs[*a]
			if baseVec {
				p = regs[*a+k]
			}
			off, undef := uint64(0), uint64(0)
			bad := false
			for _, s := range steps {
				if s.idx == nil {
					off += s.off
					continue
				}
				x := regs[*s.idx]
				if s.vec {
					x = regs[*s.idx+k]
				}
				bad = bad || x.poison()
				undef |= x.u
				off += uint64(signed(x.v, s.bits)) * s.size
			}
			switch {
			case bad || p.poison():
				p = poisonReg
			case undef != 0:
				p = reg{u: vm.ptrMask}
			default:
				p = vm.gep(p, off, fl)
			}
			out[k] = p
		}
		copy(regs[*r:], out)
		return nil
	})
}

// bitcast goes through the bits as memory would hold them.
func (vm *Interp) bitcast(from, to *layout, regs []reg) []reg {
	n := max(from.store, to.store, 8)
	o := object{data: make([]byte, n), sh: make([]byte, n), poi: make([]byte, n)}
	vm.storeValue(&o, 0, from, regs)
	out := make([]reg, to.slots)
	vm.loadValue(&o, 0, to, out)
	return out
}

func (d *decoder) cmpxchg(i ir.InstrID, in *ir.Instr, ops []ir.Value) {
	ty := d.f.TypeOf(ops[1])
	l := d.layout(ty)
	if l.slots > 2 {
		d.bad(unsupported("cmpxchg of this type"))
		return
	}
	p, c, x, r := d.opnd(ops[0]), d.opnd(ops[1]), d.opnd(ops[2]), d.late(d.slots[i])
	al := alignOf(in.Align, l.size)
	d.gen(func(vm *Interp, regs []reg) error {
		o, off, err := vm.access(regs[*p], l.store, al, true)
		if err != nil {
			return err
		}
		old := make([]reg, l.slots)
		vm.loadValue(o, off, l, old)
		eq := true
		for k := range l.slots {
			a, b := old[k], regs[*c+k]
			if a.u|b.u != 0 {
				return ub("compare of undef or poison", "cmpxchg")
			}
			eq = eq && a.v == b.v
		}
		if eq {
			vm.storeValue(o, off, l, regs[*x:*x+l.slots])
		}
		copy(regs[*r:], old)
		regs[*r+l.slots] = boolReg(eq)
		return nil
	})
}

func (d *decoder) rmw(i ir.InstrID, in *ir.Instr, ops []ir.Value) {
	l := d.layout(in.Type)
	op := ir.RMWOp(in.Pred)
	if l.slots != 1 && op != ir.RMWXchg && (l.leaves[0].kind != leafWide) {
		d.bad(unsupported("atomicrmw of this type"))
		return
	}
	k, bits := l.leaves[0].kind, l.leaves[0].bits
	p, x, r := d.opnd(ops[0]), d.opnd(ops[1]), d.late(d.slots[i])
	al := alignOf(in.Align, l.size)
	d.gen(func(vm *Interp, regs []reg) error {
		o, off, err := vm.access(regs[*p], l.store, al, true)
		if err != nil {
			return err
		}
		old, next := make([]reg, l.slots), make([]reg, l.slots)
		vm.loadValue(o, off, l, old)
		arg := regs[*x : *x+l.slots]
		if l.slots == 1 {
			next[0], err = rmwOp(op, k, bits, old[0], arg[0])
		} else {
			err = rmwWide(op, bits, old, arg, next)
		}
		if err != nil {
			return err
		}
		vm.storeValue(o, off, l, next)
		copy(regs[*r:], old)
		return nil
	})
}

func rmwWide(op ir.RMWOp, bits uint32, old, arg, next []reg) error {
	switch op {
	case ir.RMWXchg:
		copy(next, arg)
		return nil
	case ir.RMWAdd, ir.RMWSub, ir.RMWAnd, ir.RMWOr, ir.RMWXor:
		return evalWideBin(rmwBin[op], 0, bits, old, arg, next)
	}
	return unsupported("atomicrmw of more than 64 bits with this operation")
}

var rmwBin = [...]ir.Op{ir.RMWAdd: ir.OpAdd, ir.RMWSub: ir.OpSub, ir.RMWAnd: ir.OpAnd, ir.RMWNand: ir.OpAnd, ir.RMWOr: ir.OpOr, ir.RMWXor: ir.OpXor}

func rmwOp(op ir.RMWOp, k leafKind, bits uint32, a, b reg) (reg, error) {
	pick := func(p ir.Pred) (reg, error) { return evalSelect(evalICmp(p, 0, bits, a, b), a, b, bits), nil }
	switch op {
	case ir.RMWXchg:
		return b, nil
	case ir.RMWAdd, ir.RMWSub, ir.RMWAnd, ir.RMWOr, ir.RMWXor:
		return evalBin(rmwBin[op], 0, bits, a, b)
	case ir.RMWNand:
		r, _ := evalBin(ir.OpAnd, 0, bits, a, b)
		return evalBin(ir.OpXor, 0, bits, r, def(mask(bits)))
	case ir.RMWMax:
		return pick(ir.ICmpSGT)
	case ir.RMWMin:
		return pick(ir.ICmpSLT)
	case ir.RMWUMax:
		return pick(ir.ICmpUGT)
	case ir.RMWUMin:
		return pick(ir.ICmpULT)
	case ir.RMWFAdd:
		return evalFBin(ir.OpFAdd, 0, k, a, b), nil
	case ir.RMWFSub:
		return evalFBin(ir.OpFSub, 0, k, a, b), nil
	case ir.RMWFMax, ir.RMWFMin:
		return evalMinMax(op == ir.RMWFMax, false, k, a, b), nil
	case ir.RMWFMaximum, ir.RMWFMinimum:
		return evalMinMax(op == ir.RMWFMaximum, true, k, a, b), nil
	}
	if a.poison() || b.poison() {
		return poisonReg, nil
	}
	if a.u|b.u != 0 {
		return reg{u: mask(bits)}, nil
	}
	switch op {
	case ir.RMWUIncWrap:
		if a.v >= b.v {
			return def(0), nil
		}
		return def(a.v + 1), nil
	case ir.RMWUDecWrap:
		if a.v == 0 || a.v > b.v {
			return b, nil
		}
		return def(a.v - 1), nil
	case ir.RMWUSubCond:
		if a.v >= b.v {
			return def(a.v - b.v), nil
		}
		return a, nil
	case ir.RMWUSubSat:
		if a.v >= b.v {
			return def(a.v - b.v), nil
		}
		return def(0), nil
	}
	return reg{}, unsupported("atomicrmw operation %d", op)
}

// evalMinMax is minnum/maxnum, or minimum/maximum where NaNs go through. -0 is below +0.
func evalMinMax(most, nanThrough bool, k leafKind, a, b reg) reg {
	if a.poison() || b.poison() {
		return poisonReg
	}
	if a.u|b.u != 0 {
		return undefFP(k)
	}
	an, bn := isNaN(k, a.v), isNaN(k, b.v)
	switch {
	case nanThrough && an:
		return def(quiet(k, a.v))
	case nanThrough && bn:
		return def(quiet(k, b.v))
	case an && bn:
		return def(quiet(k, a.v))
	case an:
		return b
	case bn:
		return a
	}
	x, y := toFloat(k, a.v), toFloat(k, b.v)
	less := x < y || x == y && math.Signbit(x) && !math.Signbit(y)
	if less != most {
		return a
	}
	return b
}

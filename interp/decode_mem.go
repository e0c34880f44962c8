package interp

import (
	"math"

	"github.com/mirin-go/mirin/ir"
)

func alignOf(a uint8, natural uint64) uint64 {
	if a == 0 {
		return natural
	}
	return 1 << (a - 1)
}

func (d *decoder) alloca(i ir.InstrID, in *ir.Instr, ops []ir.Value) {
	vm := d.vm
	if d.plan.promoted[i] {
		if !d.plan.noInit[i] {
			d.undefined(d.slots[i], d.layout(in.SrcType))
		}
		return
	}
	info := allocaInfo{size: vm.dl.SizeOf(vm.t, in.SrcType), align: alignOf(in.Align, vm.dl.ABIAlign(vm.t, in.SrcType))}
	x := proto{op: opAlloca, d: d.slots[i]}
	if n, ok := d.f.Consts.SignedInt(vm.t, ops[0]); ok {
		info.size *= uint64(n)
	} else {
		info.countW = uint32(vm.t.IntBits(d.f.TypeOf(ops[0])))
		x.a = d.val(ops[0])
	}
	x.imm = uint64(len(d.c.allocas))
	info.dead = d.plan.marked[i]
	d.c.allocas = append(d.c.allocas, info)
	d.emit(x)
}

// undefined fills registers with undefined bits.
func (d *decoder) undefined(slot uint32, l *layout) {
	s := uint32(len(d.c.consts))
	regs := make([]reg, l.slots)
	for i := range l.leaves {
		undefLeaf(&l.leaves[i], regs[l.leaves[i].slot:])
	}
	d.c.consts = append(d.c.consts, regs...)
	d.copy(slot, s, l.slots)
}

func clampAlign(a uint64) uint8 { return uint8(min(a, 128) - 1) }

// memOp is the place of a type's load or store among those of its kind: 8, 16, 32, 64
// bits, pointer, any other.
func (d *decoder) memOp(t ir.Type) opcode {
	if d.single(t) {
		switch f := &d.layout(t).leaves[0]; {
		case d.vm.big && f.bits != 8: // the fast ways are of the other order
		case f.kind == leafPtr:
			if d.vm.ptrBytes == 8 {
				return 4
			}
		case f.bits == 8:
			return 0
		case f.bits == 16:
			return 1
		case f.bits == 32:
			return 2
		case f.bits == 64:
			return 3
		}
	}
	return 5
}

func (d *decoder) load(i ir.InstrID, in *ir.Instr, ops []ir.Value) {
	l := d.layout(in.Type)
	if p := ops[0]; p.IsLocal() && d.plan.promoted[p.Index()] {
		d.copy(d.slots[i], d.val(p), l.slots)
		d.valueMD(i, in)
		return
	}
	x, indexed := d.address(ops[0])
	x.d, x.fl = d.slots[i], clampAlign(alignOf(in.Align, l.align))
	x.op = opLoad8 + d.memOp(in.Type)
	if indexed {
		x.op = opLoad8X + d.memOp(in.Type)
	}
	if x.op == opLoadVal {
		x.k = uint32(len(d.c.layouts))
		d.c.layouts = append(d.c.layouts, l)
	}
	d.emit(x)
	d.valueMD(i, in)
}

// valueMD checks what !noundef, !nonnull, !range and !align say about a loaded or returned value.
func (d *decoder) valueMD(i ir.InstrID, in *ir.Instr) {
	if in.MD == 0 {
		return
	}
	vm := d.vm
	_, bits, words, n := d.lanes(in.Type)
	var noundef, nonnull bool
	var ranges []uint64
	for a := in.MD; a != 0; a = d.f.Attachments[a].Next {
		at := d.f.Attachments[a]
		switch vm.m.MDKinds()[at.Kind] {
		case "noundef":
			noundef = true
		case "nonnull":
			nonnull = true
		case "range":
			node := vm.m.MD.At(at.Node)
			for _, o := range node.Ops {
				if c := vm.m.MD.At(o); c != nil && c.Kind == ir.MDConst && words == 1 {
					if v, ok := vm.m.Consts.SignedInt(vm.t, c.Value); ok {
						ranges = append(ranges, uint64(v)&mask(bits))
					}
				}
			}
			if len(ranges)%2 != 0 {
				ranges = nil
			}
		}
	}
	r := d.late(d.slots[i])
	if nonnull || len(ranges) > 0 {
		d.gen(func(vm *Interp, regs []reg) error {
			for k := range n * words {
				v := &regs[*r+k]
				if v.u != 0 {
					continue
				}
				ok := len(ranges) == 0
				for j := 0; j < len(ranges); j += 2 {
					ok = ok || inRange(v.v, ranges[j], ranges[j+1])
				}
				if !ok || nonnull && v.v == 0 {
					*v = poisonReg
				}
			}
			return nil
		})
	}
	if noundef {
		for k := range n * words {
			d.emit(proto{op: opNoundef, a: d.slots[i] + k})
		}
	}
}

// inRange tells whether v lies in [lo, hi), which may wrap; lo == hi is everything.
func inRange(v, lo, hi uint64) bool {
	if lo < hi {
		return v >= lo && v < hi
	}
	return v >= lo || v < hi || lo == hi
}

func (d *decoder) store(in *ir.Instr, ops []ir.Value) {
	ty := d.f.TypeOf(ops[0])
	l := d.layout(ty)
	if p := ops[1]; p.IsLocal() && d.plan.promoted[p.Index()] {
		d.copy(d.val(p), d.val(ops[0]), l.slots)
		return
	}
	x, indexed := d.address(ops[1])
	x.b, x.fl = d.val(ops[0]), clampAlign(alignOf(in.Align, l.align))
	x.op = opStore8 + d.memOp(ty)
	if indexed {
		x.op = opStore8X + d.memOp(ty)
	}
	if x.op == opStoreVal {
		x.k = uint32(len(d.c.layouts))
		d.c.layouts = append(d.c.layouts, l)
	}
	d.emit(x)
}

// address fills in the operands of a memory access: a getelementptr that only this
// access uses is part of it.
func (d *decoder) address(p ir.Value) (x proto, indexed bool) {
	i := p.Instr()
	if i == 0 || !d.folded[i] {
		return proto{a: d.val(p)}, false
	}
	off, steps, _ := d.gepParts(i)
	x = proto{a: d.val(d.f.Op(i, 0)), imm: uint64(off)}
	if len(steps) == 0 {
		return x, false
	}
	d.index(&x, steps[0])
	x.c = d.val(steps[0].idx)
	return x, true
}

// index fills in width and scale of a variable index.
func (d *decoder) index(x *proto, s gepStep) {
	x.w, x.k = uint8(64-d.vm.t.IntBits(d.f.TypeOf(s.idx))), uint32(s.size)
}

// foldable tells whether the one user of an instruction executes it as well: a
// branch a comparison before it, a load or store a getelementptr.
func (d *decoder) foldable(i ir.InstrID) bool {
	in := &d.f.Instrs[i]
	u := d.plan.user[i]
	if d.uses[i] != 1 || u == 0 || d.f.Instrs[u].Block != in.Block {
		return false
	}
	user := &d.f.Instrs[u]
	switch in.Op {
	case ir.OpICmp, ir.OpFCmp:
		if in.Next != u || user.Op != ir.OpBr || d.f.Op(u, 0) != ir.Local(i) {
			return false
		}
		ty := d.f.TypeOf(d.f.Op(i, 0))
		if in.Op == ir.OpFCmp {
			return d.vm.t.Kind(ty) == ir.KindDouble && d.fmf(in.Flags) == 0
		}
		return d.single(ty) && d.flags(in.Flags) == 0
	case ir.OpGEP:
		if in.Flags&ir.InBounds == 0 && in.Flags != 0 {
			return false
		}
		ty := user.Type
		switch {
		case user.Op == ir.OpLoad:
		case user.Op == ir.OpStore && d.f.Op(u, 1) == ir.Local(i):
			ty = d.f.TypeOf(d.f.Op(u, 0))
		default:
			return false
		}
		if d.layout(ty).bad != "" {
			return false
		}
		_, steps, ok := d.gepParts(i)
		return ok && (len(steps) == 0 || len(steps) == 1 && d.memOp(ty) < 5 && steps[0].size <= math.MaxUint32)
	}
	return false
}

// gepStep is a variable index of a getelementptr.
type gepStep struct {
	idx  ir.Value
	size uint64
}

// gepParts takes a getelementptr apart; ok is false for vectors of pointers.
func (d *decoder) gepParts(i ir.InstrID) (off int64, steps []gepStep, ok bool) {
	t, in := d.vm.t, &d.f.Instrs[i]
	if t.IsVector(in.Type) {
		return 0, nil, false
	}
	if off, ok := d.vm.dl.ConstGEPOffset(d.f, i); ok {
		return off, nil, true
	}
	cty := in.SrcType
	for n, v := range d.f.Ops(i)[1:] {
		size := d.vm.dl.SizeOf(t, cty)
		if n > 0 {
			if t.Kind(cty) == ir.KindStruct {
				k, _ := d.f.Consts.SignedInt(t, v)
				off += int64(d.vm.dl.Struct(t, cty).Offsets[k])
				cty = t.Subtypes(cty)[k]
				continue
			}
			cty = t.Elem(cty)
			size = d.vm.dl.SizeOf(t, cty)
		}
		if k, ok := d.f.Consts.SignedInt(t, v); ok {
			off += k * int64(size)
			continue
		}
		if t.IntBits(d.f.TypeOf(v)) > 64 {
			return 0, nil, false
		}
		steps = append(steps, gepStep{v, size})
	}
	return off, steps, true
}

func (d *decoder) gep(i ir.InstrID, in *ir.Instr, ops []ir.Value) {
	if d.folded[i] {
		return
	}
	off, steps, ok := d.gepParts(i)
	if !ok {
		d.gepVector(i, in, ops)
		return
	}
	fl := uint8(0)
	if in.Flags&ir.InBounds != 0 && !d.vm.o.Lenient.InBounds {
		fl = fInBounds
	}
	cur := d.val(ops[0])
	if len(steps) == 0 {
		d.emit(proto{op: opGEPc, fl: fl, d: d.slots[i], a: cur, imm: uint64(off)})
		return
	}
	// LLVM asks that all the partial sums lie inside of the object. Sums are
	// formed in another order here, so only the last step checks.
	for k, s := range steps {
		if s.size > math.MaxUint32 {
			d.bad(unsupported("an array of elements of more than 4 GiB"))
			return
		}
		x := proto{op: opGEP1, d: d.slots[i], a: cur, b: d.val(s.idx)}
		d.index(&x, s)
		if k == len(steps)-1 {
			x.fl, x.imm = fl, uint64(off)
		}
		d.emit(x)
		cur = d.slots[i]
	}
}

package interp

import (
	"github.com/mirin-go/mirin/ir"
)

// instr decodes one instruction of block b; after is the block that follows.
func (d *decoder) instr(i ir.InstrID, b, after ir.BlockID) {
	f := d.f
	in := &f.Instrs[i]
	ops := f.Ops(i)
	if in.Op != ir.OpPhi {
		if l := d.layout(in.Type); l.bad != "" {
			d.bad(unsupported("%s", l.bad))
			return
		}
		for _, v := range ops {
			if tag := v.Tag(); tag == ir.TagLocal || tag == ir.TagConst {
				if l := d.layout(f.TypeOf(v)); l.bad != "" {
					d.bad(unsupported("%s", l.bad))
					return
				}
			}
		}
	}
	switch in.Op {
	case ir.OpPhi:
	case ir.OpRet:
		s := d.zero()
		if len(ops) > 0 {
			s = d.val(ops[0])
		}
		d.emit(inst{op: opRet, a: s, imm: d.fuelSince()})
	case ir.OpBr:
		d.br(i, ops, b, after)
	case ir.OpSwitch:
		d.switchOp(ops, b)
	case ir.OpIndirectBr:
		var l []target
		k := len(d.c.indirs)
		for n, x := range ops[1:] {
			l = append(l, target{block: x.Block()})
			from := b
			if !d.hasPhis(x.Block()) {
				from = 0
			}
			d.fixes = append(d.fixes, fix{at: k, field: 'x', from: from, to: x.Block(), idx: n})
		}
		d.c.indirs = append(d.c.indirs, l)
		d.emit(inst{op: opIndirBr, a: d.val(ops[0]), imm: uint64(k)})
	case ir.OpUnreachable:
		d.emit(inst{op: opUnreachable})
	case ir.OpInvoke:
		d.call(i, ops)
		d.jump(b, ops[len(ops)-2].Block(), after)
	case ir.OpCall:
		d.call(i, ops)
	case ir.OpAlloca:
		d.alloca(i, in, ops)
	case ir.OpLoad:
		d.load(i, in, ops)
	case ir.OpStore:
		d.store(in, ops)
	case ir.OpGEP:
		d.gep(i, in, ops)
	case ir.OpFence:
	case ir.OpCmpXchg:
		d.cmpxchg(i, in, ops)
	case ir.OpAtomicRMW:
		d.rmw(i, in, ops)
	case ir.OpFNeg, ir.OpFAdd, ir.OpFSub, ir.OpFMul, ir.OpFDiv, ir.OpFRem, ir.OpFCmp:
		d.fp(i, in, ops)
	case ir.OpAdd, ir.OpSub, ir.OpMul, ir.OpUDiv, ir.OpSDiv, ir.OpURem, ir.OpSRem, ir.OpShl, ir.OpLShr, ir.OpAShr, ir.OpAnd, ir.OpOr, ir.OpXor:
		d.binary(i, in, ops)
	case ir.OpICmp:
		d.icmp(i, in, ops)
	case ir.OpTrunc, ir.OpZExt, ir.OpSExt, ir.OpFPToUI, ir.OpFPToSI, ir.OpUIToFP, ir.OpSIToFP, ir.OpFPTrunc, ir.OpFPExt,
		ir.OpPtrToInt, ir.OpPtrToAddr, ir.OpIntToPtr:
		d.cast(i, in, ops)
	case ir.OpAddrSpaceCast:
		d.copy(d.slots[i], d.val(ops[0]), d.layout(in.Type).slots)
	case ir.OpBitCast:
		from, to := d.layout(f.TypeOf(ops[0])), d.layout(in.Type)
		if len(from.leaves) == len(to.leaves) && from.slots == to.slots && (from.leaves[0].kind == leafPtr) == (to.leaves[0].kind == leafPtr) {
			d.copy(d.slots[i], d.val(ops[0]), to.slots)
			return
		}
		a, r := d.opnd(ops[0]), d.late(d.slots[i])
		d.gen(func(vm *Interp, regs []reg) error {
			copy(regs[*r:], vm.bitcast(from, to, regs[*a:*a+from.slots]))
			return nil
		})
	case ir.OpSelect:
		d.selectOp(i, in, ops)
	case ir.OpFreeze:
		d.emit(inst{op: opFreeze, d: d.slots[i], a: d.val(ops[0]), imm: uint64(d.layout(in.Type).slots)})
	case ir.OpExtractValue:
		_, off := d.member(f.TypeOf(ops[0]), f.Extras[in.Extra].Ints)
		d.copy(d.slots[i], d.val(ops[0])+off, d.layout(in.Type).slots)
	case ir.OpInsertValue:
		mt, off := d.member(f.TypeOf(ops[0]), f.Extras[in.Extra].Ints)
		d.copy(d.slots[i], d.val(ops[0]), d.layout(in.Type).slots)
		d.copy(d.slots[i]+off, d.val(ops[1]), d.layout(mt).slots)
	case ir.OpExtractElement, ir.OpInsertElement:
		d.element(i, in, ops)
	case ir.OpShuffleVector:
		d.shuffle(i, in, ops)
	case ir.OpVAArg:
		p, r, ty := d.opnd(ops[0]), d.late(d.slots[i]), in.Type
		d.gen(func(vm *Interp, regs []reg) error {
			v, err := vm.vaArg(regs[*p], ty)
			if err == nil {
				copy(regs[*r:], v)
			}
			return err
		})
	case ir.OpLandingPad, ir.OpResume, ir.OpCleanupPad, ir.OpCatchPad, ir.OpCatchSwitch, ir.OpCatchRet, ir.OpCleanupRet:
		d.bad(unsupported("exception handling (%s)", in.Op))
	default:
		d.bad(unsupported("%s", in.Op))
	}
}

func (d *decoder) copy(dst, src, n uint32) {
	for k := range n {
		if dst+k != src+k {
			d.emit(inst{op: opMov, d: dst + k, a: src + k})
		}
	}
}

// member returns the type and the first register of a member of an aggregate.
func (d *decoder) member(t ir.Type, path []int64) (ir.Type, uint32) {
	off := uint32(0)
	for _, k := range path {
		if d.vm.t.Kind(t) == ir.KindStruct {
			m := d.vm.t.Subtypes(t)
			for _, x := range m[:k] {
				off += d.layout(x).slots
			}
			t = m[k]
			continue
		}
		t = d.vm.t.Elem(t)
		off += uint32(k) * d.layout(t).slots
	}
	return t, off
}

// lanes describes how an operation runs over a scalar or vector: leaf kind,
// bits, registers of a lane, number of lanes.
func (d *decoder) lanes(t ir.Type) (k leafKind, bits, words, n uint32) {
	l := d.layout(t)
	if len(l.leaves) == 0 {
		return leafInt, 1, 1, 0
	}
	f := &l.leaves[0]
	return f.kind, f.bits, f.words, uint32(len(l.leaves))
}

func (d *decoder) flags(f ir.Flags) uint8 {
	if d.vm.o.Lenient.Flags {
		return 0
	}
	return flagBits(f)
}

func (d *decoder) fmf(f ir.Flags) uint8 {
	var b uint8
	if d.vm.o.Lenient.Flags {
		return 0
	}
	if f&ir.NoNaNs != 0 {
		b |= fNoNaN
	}
	if f&ir.NoInfs != 0 {
		b |= fNoInf
	}
	return b
}

// single reports whether t is one scalar in one register.
func (d *decoder) single(t ir.Type) bool {
	l := d.layout(t)
	return l.slots == 1 && !d.vm.t.IsVector(t) && !d.vm.t.IsAggregate(t)
}

// binary decodes an integer operation.
func (d *decoder) binary(i ir.InstrID, in *ir.Instr, ops []ir.Value) {
	_, bits, words, n := d.lanes(in.Type)
	fl := d.flags(in.Flags)
	op := in.Op
	if d.single(in.Type) {
		x := inst{w: uint8(64 - bits), fl: fl, d: d.slots[i], a: d.val(ops[0]), b: d.val(ops[1])}
		for k := opAdd; k <= opSRem; k++ {
			if binOps[k] == op {
				x.op = k
			}
		}
		if fl != 0 {
			switch op {
			case ir.OpAdd:
				x.op = opAddF
			case ir.OpSub:
				x.op = opSubF
			case ir.OpMul:
				x.op = opMulF
			default:
				x.op, x.imm = opBinF, uint64(op)
			}
		}
		d.emit(x)
		return
	}
	a, b, r := d.opnd(ops[0]), d.opnd(ops[1]), d.late(d.slots[i])
	if words > 1 {
		d.gen(func(vm *Interp, regs []reg) error {
			for k := uint32(0); k < n*words; k += words {
				if err := evalWideBin(op, fl, bits, regs[*a+k:*a+k+words], regs[*b+k:*b+k+words], regs[*r+k:*r+k+words]); err != nil {
					return err
				}
			}
			return nil
		})
		return
	}
	d.gen(func(vm *Interp, regs []reg) error {
		for k := range n {
			v, err := vm.bin(op, fl, bits, regs[*a+k], regs[*b+k])
			if err != nil {
				return err
			}
			regs[*r+k] = v
		}
		return nil
	})
}

func (d *decoder) icmp(i ir.InstrID, in *ir.Instr, ops []ir.Value) {
	_, bits, words, n := d.lanes(d.f.TypeOf(ops[0]))
	fl := d.flags(in.Flags)
	p := in.Pred
	if d.single(d.f.TypeOf(ops[0])) {
		if next := in.Next; fl == 0 && next != 0 && d.uses[i] == 1 && d.f.Instrs[next].Op == ir.OpBr && d.f.NumOps(next) == 3 && d.f.Op(next, 0) == ir.Local(i) {
			d.folded[i] = true // the branch compares
			return
		}
		x := inst{op: opICmpEQ + opcode(p-ir.ICmpEQ), w: uint8(64 - bits), fl: fl, d: d.slots[i], a: d.val(ops[0]), b: d.val(ops[1])}
		if fl != 0 {
			x.op, x.imm = opICmpF, uint64(p)
		}
		d.emit(x)
		return
	}
	a, b, r := d.opnd(ops[0]), d.opnd(ops[1]), d.late(d.slots[i])
	d.gen(func(vm *Interp, regs []reg) error {
		for k := range n {
			if words > 1 {
				regs[*r+k] = evalWideICmp(p, bits, regs[*a+k*words:*a+k*words+words], regs[*b+k*words:*b+k*words+words])
			} else {
				regs[*r+k] = evalICmp(p, fl, bits, regs[*a+k], regs[*b+k])
			}
		}
		return nil
	})
}

func (d *decoder) br(i ir.InstrID, ops []ir.Value, b, after ir.BlockID) {
	if len(ops) == 1 {
		d.jump(b, ops[0].Block(), after)
		return
	}
	if c := ops[0].Instr(); c != 0 && d.folded[c] {
		cmp := &d.f.Instrs[c]
		co := d.f.Ops(c)
		_, bits, _, _ := d.lanes(d.f.TypeOf(co[0]))
		at := d.emit(inst{op: opBrEQ + opcode(cmp.Pred-ir.ICmpEQ), w: uint8(64 - bits), a: d.val(co[0]), b: d.val(co[1]), imm: d.fuelSince() << 32})
		d.target(at, 'd', b, ops[1].Block())
		d.target(at, 'i', b, ops[2].Block())
		return
	}
	at := d.emit(inst{op: opCondBr, a: d.val(ops[0]), imm: d.fuelSince()})
	d.target(at, 'd', b, ops[1].Block())
	d.target(at, 'b', b, ops[2].Block())
}

func (d *decoder) switchOp(ops []ir.Value, b ir.BlockID) {
	_, bits, words, _ := d.lanes(d.f.TypeOf(ops[0]))
	k := len(d.c.sws)
	sw := switchInfo{w: bits, nw: words, fuel: int64(d.fuelSince())}
	add := func(to ir.BlockID, idx int) {
		from := b
		if !d.hasPhis(to) {
			from = 0
		}
		d.fixes = append(d.fixes, fix{at: k, field: 's', from: from, to: to, idx: idx})
	}
	add(ops[1].Block(), -1)
	for n := 2; n+1 < len(ops); n += 2 {
		w := d.f.Consts.Words(ops[n].Const())
		if words > 1 {
			ww := make([]uint64, words)
			copy(ww, w)
			sw.wide = append(sw.wide, wideCase{words: ww})
		} else {
			sw.vals = append(sw.vals, w[0])
			sw.pcs = append(sw.pcs, 0)
		}
		add(ops[n+1].Block(), n/2-1)
	}
	d.c.sws = append(d.c.sws, sw)
	d.emit(inst{op: opSwitch, a: d.val(ops[0]), imm: uint64(k)})
}

func alignOf(a uint8, natural uint64) uint64 {
	if a == 0 {
		return natural
	}
	return 1 << (a - 1)
}

func (d *decoder) alloca(i ir.InstrID, in *ir.Instr, ops []ir.Value) {
	vm := d.vm
	info := allocaInfo{size: vm.dl.SizeOf(vm.t, in.SrcType), align: alignOf(in.Align, vm.dl.ABIAlign(vm.t, in.SrcType))}
	x := inst{op: opAlloca, d: d.slots[i]}
	if n, ok := d.f.Consts.SignedInt(vm.t, ops[0]); ok {
		info.size *= uint64(n)
	} else {
		info.countW = uint32(vm.t.IntBits(d.f.TypeOf(ops[0])))
		x.a = d.val(ops[0])
	}
	x.imm = uint64(len(d.c.allocas))
	info.dead = d.hasLifetime(i)
	d.c.allocas = append(d.c.allocas, info)
	d.emit(x)
}

// hasLifetime tells whether a lifetime.start names the object, which is dead until then.
func (d *decoder) hasLifetime(i ir.InstrID) bool {
	for k := range d.f.Instrs {
		if in := &d.f.Instrs[k]; in.Op == ir.OpCall && in.Block != 0 && d.f.IntrinsicOf(ir.InstrID(k)) == ir.IntrLifetimeStart {
			ops := d.f.Ops(ir.InstrID(k))
			if ops[len(ops)-2] == ir.Local(i) {
				return true
			}
		}
	}
	return false
}

func clampAlign(a uint64) uint8 { return uint8(min(a, 128) - 1) }

func (d *decoder) load(i ir.InstrID, in *ir.Instr, ops []ir.Value) {
	l := d.layout(in.Type)
	a, off := d.address(ops[0])
	x := inst{d: d.slots[i], a: a, imm: off, w: clampAlign(alignOf(in.Align, l.align))}
	x.op = opLoadVal
	if d.single(in.Type) {
		switch f := &l.leaves[0]; {
		case f.kind == leafPtr:
			if d.vm.ptrBytes == 8 {
				x.op = opLoadPtr
			}
		case f.bits == 8:
			x.op = opLoad8
		case f.bits == 16:
			x.op = opLoad16
		case f.bits == 32:
			x.op = opLoad32
		case f.bits == 64:
			x.op = opLoad64
		}
	}
	if x.op == opLoadVal {
		x.b = uint32(len(d.c.layouts))
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
		switch vm.m.MDKinds[at.Kind] {
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
			d.emit(inst{op: opNoundef, a: d.slots[i] + k})
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
	a, off := d.address(ops[1])
	x := inst{op: opStoreVal, a: a, b: d.val(ops[0]), imm: off, w: clampAlign(alignOf(in.Align, l.align))}
	if d.single(ty) {
		switch f := &l.leaves[0]; {
		case f.kind == leafPtr:
			if d.vm.ptrBytes == 8 {
				x.op = opStorePtr
			}
		case f.bits == 8:
			x.op = opStore8
		case f.bits == 16:
			x.op = opStore16
		case f.bits == 32:
			x.op = opStore32
		case f.bits == 64:
			x.op = opStore64
		}
	}
	if x.op == opStoreVal {
		x.d = uint32(len(d.c.layouts))
		d.c.layouts = append(d.c.layouts, l)
	}
	d.emit(x)
}

// address returns pointer and offset of a memory access: a getelementptr with
// constant indices that only this access uses is part of it.
func (d *decoder) address(p ir.Value) (uint32, uint64) {
	if i := p.Instr(); i != 0 && d.folded[i] {
		off, _ := d.vm.dl.ConstGEPOffset(d.f, i)
		return d.val(d.f.Op(i, 0)), uint64(off)
	}
	return d.val(p), 0
}

// foldable tells whether the one user of a getelementptr is a load or store through it, in the same block.
func (d *decoder) foldable(i ir.InstrID) bool {
	if d.uses[i] != 1 || d.f.Instrs[i].Flags&ir.InBounds == 0 && d.f.Instrs[i].Flags != 0 {
		return false
	}
	for k := d.f.Instrs[i].Next; k != 0; k = d.f.Instrs[k].Next {
		ops := d.f.Ops(k)
		for n, v := range ops {
			if v == ir.Local(i) {
				op := d.f.Instrs[k].Op
				return op == ir.OpLoad || op == ir.OpStore && n == 1
			}
		}
	}
	return false
}

func (d *decoder) gep(i ir.InstrID, in *ir.Instr, ops []ir.Value) {
	vm, t := d.vm, d.vm.t
	if t.IsVector(in.Type) {
		d.gepVector(i, in, ops)
		return
	}
	fl := uint8(0)
	if in.Flags&ir.InBounds != 0 && !vm.o.Lenient.InBounds {
		fl |= fInBounds
	}
	if in.Flags&ir.NUW != 0 && !vm.o.Lenient.Flags {
		fl |= fNUW
	}
	if off, ok := vm.dl.ConstGEPOffset(d.f, i); ok {
		if d.foldable(i) {
			d.folded[i] = true
			return
		}
		d.emit(inst{op: opGEPc, fl: fl &^ fNUW, d: d.slots[i], a: d.val(ops[0]), imm: uint64(off)})
		return
	}
	// One step for each variable index; what is constant goes first.
	cur := d.val(ops[0])
	cty := in.SrcType
	off := int64(0)
	type step struct {
		idx  ir.Value
		size uint64
	}
	var steps []step
	for n, v := range ops[1:] {
		size := vm.dl.SizeOf(t, cty)
		if n > 0 {
			if t.Kind(cty) == ir.KindStruct {
				k, _ := d.f.Consts.SignedInt(t, v)
				off += int64(vm.dl.Struct(t, cty).Offsets[k])
				cty = t.Subtypes(cty)[k]
				continue
			}
			cty = t.Elem(cty)
			size = vm.dl.SizeOf(t, cty)
		}
		if k, ok := d.f.Consts.SignedInt(t, v); ok {
			off += k * int64(size)
			continue
		}
		steps = append(steps, step{v, size})
	}
	for _, s := range steps {
		d.emit(inst{op: opGEP1, fl: d.stepFlags(fl, len(steps), off), w: uint8(64 - t.IntBits(d.f.TypeOf(s.idx))), d: d.slots[i], a: cur, b: d.val(s.idx), imm: s.size})
		cur = d.slots[i]
	}
	if off != 0 {
		d.emit(inst{op: opGEPc, fl: fl &^ fNUW, d: d.slots[i], a: cur, imm: uint64(off)})
	}
}

// stepFlags keeps inbounds for every step: LLVM asks that all the partial sums
// lie inside. Sums are formed in another order here where a constant follows, so only the last step checks then.
func (d *decoder) stepFlags(fl uint8, steps int, off int64) uint8 {
	if steps > 1 || off != 0 {
		return fl &^ (fInBounds | fNUW)
	}
	return fl &^ fNUW
}

func (d *decoder) selectOp(i ir.InstrID, in *ir.Instr, ops []ir.Value) {
	_, bits, words, n := d.lanes(in.Type)
	if d.single(in.Type) {
		d.emit(inst{op: opSelect, w: uint8(64 - bits), d: d.slots[i], a: d.val(ops[0]), b: d.val(ops[1]), imm: uint64(d.val(ops[2]))})
		return
	}
	perLane := d.vm.t.IsVector(d.f.TypeOf(ops[0]))
	c, a, b, r := d.opnd(ops[0]), d.opnd(ops[1]), d.opnd(ops[2]), d.late(d.slots[i])
	total := d.layout(in.Type).slots
	d.gen(func(vm *Interp, regs []reg) error {
		if !perLane {
			cond := regs[*c]
			for k := range total {
				regs[*r+k] = evalSelect(cond, regs[*a+k], regs[*b+k], 64)
			}
			return nil
		}
		for k := range n {
			for w := range words {
				s := k*words + w
				regs[*r+s] = evalSelect(regs[*c+k], regs[*a+s], regs[*b+s], min(bits, 64))
			}
		}
		return nil
	})
}

func (d *decoder) fp(i ir.InstrID, in *ir.Instr, ops []ir.Value) {
	ty := d.f.TypeOf(ops[0])
	k, _, _, n := d.lanes(ty)
	fl := d.fmf(in.Flags)
	op := in.Op
	if k == leafF80 {
		d.fp80(i, in, ops, n)
		return
	}
	if d.single(ty) {
		x := inst{w: uint8(k), fl: fl, d: d.slots[i], a: d.val(ops[0])}
		if op == ir.OpFNeg {
			x.op, x.imm = opFNeg, fpSign(k)
			d.emit(x)
			return
		}
		x.b = d.val(ops[1])
		if op == ir.OpFCmp {
			x.op, x.imm = opFCmp, uint64(in.Pred)
			if k == leafF64 && fl == 0 {
				x.op = opFCmp64
			}
			d.emit(x)
			return
		}
		x.op, x.imm = opFBin, uint64(op)
		if fl == 0 {
			for j, o := range fbinOps {
				if o == op && k == leafF64 {
					x.op = opFAdd64 + opcode(j)
				} else if o == op && k == leafF32 {
					x.op = opFAdd32 + opcode(j)
				}
			}
		}
		d.emit(x)
		return
	}
	a, r := d.opnd(ops[0]), d.late(d.slots[i])
	if op == ir.OpFNeg {
		d.gen(func(vm *Interp, regs []reg) error {
			for j := range n {
				v := regs[*a+j]
				if !v.poison() {
					v.v ^= fpSign(k) &^ v.u
				}
				if fl != 0 && fmfPoison(k, fl, v) {
					v = poisonReg
				}
				regs[*r+j] = v
			}
			return nil
		})
		return
	}
	b, p := d.opnd(ops[1]), in.Pred
	d.gen(func(vm *Interp, regs []reg) error {
		for j := range n {
			if op == ir.OpFCmp {
				regs[*r+j] = evalFCmp(p, fl, k, regs[*a+j], regs[*b+j])
			} else {
				regs[*r+j] = evalFBin(op, fl, k, regs[*a+j], regs[*b+j])
			}
		}
		return nil
	})
}

func (d *decoder) cast(i ir.InstrID, in *ir.Instr, ops []ir.Value) {
	from := d.f.TypeOf(ops[0])
	fk, fb, fw, n := d.lanes(from)
	tk, tb, tw, _ := d.lanes(in.Type)
	fl := d.flags(in.Flags)
	op := in.Op
	isFP := false
	switch op {
	case ir.OpFPToUI, ir.OpFPToSI, ir.OpUIToFP, ir.OpSIToFP:
		isFP = true
	case ir.OpFPTrunc, ir.OpFPExt:
		isFP = true
		fl = d.fmf(in.Flags)
	case ir.OpPtrToAddr:
		op = ir.OpPtrToInt
	}
	if d.single(from) && d.single(in.Type) {
		x := inst{d: d.slots[i], a: d.val(ops[0]), fl: fl}
		switch {
		case isFP:
			x.op, x.imm = opFCast, uint64(op)<<32|uint64(fk)<<24|uint64(tk)<<16|uint64(fb)<<8|uint64(tb)
		case op == ir.OpPtrToInt:
			x.op, x.w = opPtrToInt, uint8(64-min(tb, fb))
		case op == ir.OpIntToPtr:
			x.op = opIntToPtr
		case fl != 0:
			x.op, x.imm = opCastF, uint64(op)<<16|uint64(fb)<<8|uint64(tb)
		case op == ir.OpTrunc:
			x.op, x.w = opTrunc, uint8(64-tb)
		case op == ir.OpZExt:
			x.op = opZExt
		default:
			x.op, x.w, x.fl = opSExt, uint8(64-fb), uint8(64-tb)
		}
		d.emit(x)
		return
	}
	a, r := d.opnd(ops[0]), d.late(d.slots[i])
	d.gen(func(vm *Interp, regs []reg) error {
		for k := range n {
			if err := vm.castLane(op, fl, isFP, fk, tk, fb, tb, regs[*a+k*fw:*a+k*fw+fw], regs[*r+k*tw:*r+k*tw+tw]); err != nil {
				return err
			}
		}
		return nil
	})
}

// castLane converts one lane of any widths.
func (vm *Interp) castLane(op ir.Op, fl uint8, isFP bool, fk, tk leafKind, fb, tb uint32, a, r []reg) error {
	switch {
	case fk == leafF80 || tk == leafF80:
		return cast80(op, fk, tk, fb, tb, a, r)
	case len(a) > 1 || len(r) > 1:
		return wideCast(op, fl, fk, tk, fb, tb, a, r)
	case isFP:
		r[0] = evalFCast(op, fl, fk, tk, fb, tb, a[0])
	case op == ir.OpPtrToInt || op == ir.OpIntToPtr:
		v := a[0]
		if !v.poison() {
			v = reg{v: v.v & mask(tb), u: v.u & mask(tb)}
		}
		r[0] = v
	default:
		r[0] = evalCast(op, fl, fb, tb, a[0])
	}
	return nil
}

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
		d.emit(proto{op: opRet, a: s, imm: d.fuel()})
	case ir.OpBr:
		d.br(i, ops, b, after)
	case ir.OpSwitch:
		d.switchOp(ops, b)
	case ir.OpIndirectBr:
		k := len(d.c.indirs)
		for _, x := range ops[1:] {
			from := b
			if !d.hasPhis(x.Block()) {
				from = 0
			}
			d.fixes = append(d.fixes, fix{at: k, field: 'x', from: from, to: x.Block()})
		}
		d.c.indirs = append(d.c.indirs, make([]uint32, len(f.Blocks)))
		d.emit(proto{op: opIndirBr, a: d.val(ops[0]), imm: uint64(k), k: uint32(d.fuel())})
	case ir.OpUnreachable:
		d.emit(proto{op: opUnreachable})
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
		d.emit(proto{op: opFreeze, d: d.slots[i], a: d.val(ops[0]), imm: uint64(d.layout(in.Type).slots)})
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
	if n > 2 && (dst+n <= src || src+n <= dst) {
		d.emit(proto{op: opMovN, d: dst, a: src, k: n})
		return
	}
	for k := range n {
		if dst+k != src+k {
			d.emit(proto{op: opMov, d: dst + k, a: src + k})
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

// small returns the value of a defined integer constant of up to 64 bits, or null.
func (d *decoder) small(v ir.Value) (uint64, bool) {
	c := v.Const()
	if c == 0 || !d.single(d.f.TypeOf(v)) {
		return 0, false
	}
	switch d.f.Consts.At(c).Kind {
	case ir.ConstInt:
		return d.f.Consts.Words(c)[0], true
	case ir.ConstNull:
		return 0, d.layout(d.f.TypeOf(v)).leaves[0].kind <= leafPtr
	}
	return 0, false
}

// immediate turns an operation on a constant into one that holds the constant.
func (d *decoder) immediate(op ir.Op, fl uint8, bits uint32, ops []ir.Value) (proto, bool) {
	v, ok := d.small(ops[1])
	x := proto{w: uint8(64 - bits), fl: fl, a: 0, imm: v}
	if !ok {
		if v, ok = d.small(ops[0]); !ok || op != ir.OpAdd && op != ir.OpMul && op != ir.OpAnd {
			return x, false
		}
		x.imm = v
		ops = []ir.Value{ops[1], ops[0]}
	}
	switch {
	case op == ir.OpAdd && fl != 0:
		x.op = opAddFI
	case op == ir.OpSub && fl == fNSW && v != 1<<(bits-1):
		x.op, x.imm = opAddFI, -v&mask(bits)
	case fl != 0:
		return x, false
	case op == ir.OpAdd:
		x.op = opAddI
	case op == ir.OpSub:
		x.op, x.imm = opAddI, -v&mask(bits)
	case op == ir.OpMul:
		x.op = opMulI
	case op == ir.OpAnd:
		x.op = opAndI
	case op == ir.OpShl && v < uint64(bits):
		x.op = opShlI
	case op == ir.OpLShr && v < uint64(bits):
		x.op = opLShrI
	case op == ir.OpAShr && v < uint64(bits):
		x.op = opAShrI
	default:
		return x, false
	}
	x.a = d.val(ops[0])
	return x, true
}

// binary decodes an integer operation.
func (d *decoder) binary(i ir.InstrID, in *ir.Instr, ops []ir.Value) {
	_, bits, words, n := d.lanes(in.Type)
	fl := d.flags(in.Flags)
	op := in.Op
	if d.single(in.Type) {
		x, ok := d.immediate(op, fl, bits, ops)
		if !ok {
			x = proto{w: uint8(64 - bits), fl: fl, a: d.val(ops[0]), b: d.val(ops[1])}
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
				case ir.OpOr:
					x.op = opOrF
				case ir.OpShl:
					x.op = opShlF
				case ir.OpLShr:
					x.op = opLShrF
				case ir.OpAShr:
					x.op = opAShrF
				default:
					x.op, x.imm = opBinF, uint64(op)
				}
			}
		}
		x.d = d.slots[i]
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
		va, vb, vr := regs[*a:*a+n], regs[*b:*b+n], regs[*r:*r+n]
		for k := 0; k < len(vr); k++ {
			if k += intLanes(op, fl, bits, va[k:], vb[k:], vr[k:]); k == len(vr) {
				break
			}
			v, err := vm.bin(op, fl, bits, va[k], vb[k])
			if err != nil {
				return err
			}
			vr[k] = v
		}
		return nil
	})
}

func (d *decoder) icmp(i ir.InstrID, in *ir.Instr, ops []ir.Value) {
	_, bits, words, n := d.lanes(d.f.TypeOf(ops[0]))
	fl := d.flags(in.Flags)
	p := in.Pred
	if d.single(d.f.TypeOf(ops[0])) {
		if d.folded[i] {
			return // the branch compares
		}
		x := proto{w: uint8(64 - bits), fl: fl, d: d.slots[i], a: d.val(ops[0]), b: d.val(ops[1])}
		if fl != 0 {
			x.op, x.imm = opICmpF, uint64(p)
		} else {
			q, swap := p, false
			if q, swap = mirrored(p); swap {
				x.a, x.b = x.b, x.a
			}
			for k, c := range cmpPreds {
				if c == q {
					x.op = opICmpEQ + opcode(k)
				}
			}
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

// mirrored turns greater into less; swap says that the operands change places.
func mirrored(p ir.Pred) (q ir.Pred, swap bool) {
	switch p {
	case ir.ICmpUGT:
		return ir.ICmpULT, true
	case ir.ICmpUGE:
		return ir.ICmpULE, true
	case ir.ICmpSGT:
		return ir.ICmpSLT, true
	case ir.ICmpSGE:
		return ir.ICmpSLE, true
	}
	return p, false
}

func (d *decoder) br(i ir.InstrID, ops []ir.Value, b, after ir.BlockID) {
	if len(ops) == 1 {
		d.jump(b, ops[0].Block(), after)
		return
	}
	yes, no := ops[1].Block(), ops[2].Block()
	x := proto{op: opCondBr}
	if c := ops[0].Instr(); c != 0 && d.folded[c] {
		cmp := &d.f.Instrs[c]
		co := d.f.Ops(c)
		if cmp.Op == ir.OpFCmp {
			x = proto{op: opBrF64, w: uint8(cmp.Pred), a: d.val(co[0]), b: d.val(co[1])}
		} else if x = d.compareBranch(cmp.Pred, co, &yes, &no); x.op >= opBrEQI && x.op <= opBrSGTI {
			x.b = uint32(d.fuel())
			at := d.emit(x)
			d.target(at, 'k', b, yes)
			d.target(at, 'n', b, no)
			return
		}
	} else {
		x.a = d.val(ops[0])
	}
	x.imm = d.fuel() << 32
	at := d.emit(x)
	d.target(at, 'k', b, yes)
	d.target(at, 'i', b, no)
}

// compareBranch chooses among the few instructions that compare and branch:
// operands and targets change places for the other predicates.
func (d *decoder) compareBranch(p ir.Pred, co []ir.Value, yes, no *ir.BlockID) proto {
	_, bits, _, _ := d.lanes(d.f.TypeOf(co[0]))
	w := uint8(64 - bits)
	x, y := co[0], co[1]
	v, imm := uint64(0), false
	if d.pending < 1<<16 {
		if v, imm = d.small(y); !imm {
			if v, imm = d.small(x); imm {
				x, p = y, p.Swapped()
			}
		}
	}
	// What is left: EQ, ULT, SLT, and, with a constant, UGT and SGT.
	switch p {
	case ir.ICmpNE, ir.ICmpUGE, ir.ICmpSGE, ir.ICmpULE, ir.ICmpSLE:
		*yes, *no = *no, *yes
		p = p.Inverse()
	}
	if !imm {
		q, swap := mirrored(p)
		if swap {
			x, y = y, x
		}
		op := opBrEQ
		switch q {
		case ir.ICmpULT:
			op = opBrULT
		case ir.ICmpSLT:
			op = opBrSLT
		}
		return proto{op: op, w: w, a: d.val(x), b: d.val(y)}
	}
	r := proto{w: w, a: d.val(x), imm: v}
	switch p {
	case ir.ICmpEQ:
		r.op = opBrEQI
	case ir.ICmpULT:
		r.op = opBrULTI
	case ir.ICmpUGT:
		r.op = opBrUGTI
	case ir.ICmpSLT:
		r.op, r.imm = opBrSLTI, v<<w
	default:
		r.op, r.imm = opBrSGTI, v<<w
	}
	return r
}

func (d *decoder) switchOp(ops []ir.Value, b ir.BlockID) {
	_, bits, words, _ := d.lanes(d.f.TypeOf(ops[0]))
	k := len(d.vm.sws)
	sw := switchInfo{w: bits, nw: words, fuel: int64(d.fuel())}
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
	d.vm.sws = append(d.vm.sws, sw)
	d.emit(proto{op: opSwitch, a: d.val(ops[0]), imm: uint64(k)})
}

func (d *decoder) selectOp(i ir.InstrID, in *ir.Instr, ops []ir.Value) {
	_, bits, words, n := d.lanes(in.Type)
	if d.single(in.Type) {
		d.emit(proto{op: opSelect, w: uint8(64 - bits), d: d.slots[i], a: d.val(ops[0]), b: d.val(ops[1]), c: d.val(ops[2])})
		return
	}
	perLane := d.vm.t.IsVector(d.f.TypeOf(ops[0]))
	c, a, b, r := d.opnd(ops[0]), d.opnd(ops[1]), d.opnd(ops[2]), d.late(d.slots[i])
	total := d.layout(in.Type).slots
	if !perLane {
		d.gen(func(vm *Interp, regs []reg) error {
			cond, vr := regs[*c], regs[*r:*r+total]
			switch {
			case cond.u != 0:
				for k := range total {
					vr[k] = evalSelect(cond, regs[*a+k], regs[*b+k], 64)
				}
			case cond.v != 0:
				copy(vr, regs[*a:])
			default:
				copy(vr, regs[*b:])
			}
			return nil
		})
		return
	}
	d.gen(func(vm *Interp, regs []reg) error {
		vc, va, vb, vr := regs[*c:*c+n], regs[*a:*a+total], regs[*b:*b+total], regs[*r:*r+total]
		if words > 1 {
			for s := range vr {
				vr[s] = evalSelect(vc[uint32(s)/words], va[s], vb[s], min(bits, 64))
			}
			return nil
		}
		for k := range vc {
			switch cond := &vc[k]; {
			case cond.u != 0:
				vr[k] = evalSelect(*cond, va[k], vb[k], bits)
			case cond.v != 0:
				vr[k] = va[k]
			default:
				vr[k] = vb[k]
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
		x := proto{w: uint8(k), fl: fl, d: d.slots[i], a: d.val(ops[0])}
		if op == ir.OpFNeg {
			x.op, x.imm = opFNeg, fpSign(k)
			d.emit(x)
			return
		}
		x.b = d.val(ops[1])
		if op == ir.OpFCmp {
			if d.folded[i] {
				return // the branch compares
			}
			x.op, x.imm = opFCmp, uint64(in.Pred)
			if k == leafF64 && fl == 0 {
				x.op, x.w = opFCmp64, uint8(in.Pred)
			} else if k == leafF32 && fl == 0 {
				x.op, x.w = opFCmp32, uint8(in.Pred)
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
		va, vb, vr := regs[*a:*a+n], regs[*b:*b+n], regs[*r:*r+n]
		for j := 0; j < len(vr); j++ {
			if op == ir.OpFCmp {
				vr[j] = evalFCmp(p, fl, k, va[j], vb[j])
				continue
			}
			if fl == 0 {
				if j += fpLanes(op, k, va[j:], vb[j:], vr[j:]); j == len(vr) {
					break
				}
			}
			vr[j] = evalFBin(op, fl, k, va[j], vb[j])
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
		x := proto{d: d.slots[i], a: d.val(ops[0]), fl: fl}
		switch {
		case isFP:
			x.op, x.imm = opFCast, uint64(op)<<32|uint64(fk)<<24|uint64(tk)<<16|uint64(fb)<<8|uint64(tb)
			switch {
			case op == ir.OpUIToFP && tk == leafF64:
				x.op, x.w = opUIToFP64, uint8(64-fb)
			case fl != 0:
			case op == ir.OpSIToFP && tk == leafF64:
				x.op, x.w = opSIToFP64, uint8(64-fb)
			case op == ir.OpFPToSI && fk == leafF64:
				x.op, x.w = opFPToSI64, uint8(64-tb)
			case op == ir.OpFPExt && fk == leafF32 && tk == leafF64:
				x.op = opFPExt
			case op == ir.OpFPTrunc && fk == leafF64 && tk == leafF32:
				x.op = opFPTrunc
			}
		case op == ir.OpPtrToInt:
			x.op, x.w = opPtrToInt, uint8(64-min(tb, fb))
		case op == ir.OpIntToPtr:
			x.op = opIntToPtr
		case fl != 0 && op == ir.OpZExt:
			x.op, x.w = opZExtF, uint8(64-fb)
		case fl != 0:
			x.op, x.w, x.k = opTruncF, uint8(64-tb), 64-fb
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

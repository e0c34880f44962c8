package interp

import (
	"errors"

	"github.com/mirin-go/mirin/ir"
)

var errReturn = errors.New("return") // not an error: a call was done in place

// computes reports an operation on registers a and b that writes d.
func (in *inst) computes() bool {
	return in.op < opBrEQ || in.op >= opTrunc && in.op < opLoad8 || in.op >= opGEPc && in.op <= opFCast && in.op != opBrF64
}

// poisonSource is the instruction that made poison of what was none, last.
type poisonSource struct {
	g     *ir.Global
	instr ir.InstrID
}

// step is slow, and keeps in mind what makes poison.
func (vm *Interp) step(f *frame, in *inst) error {
	c := f.c
	regs := vm.stack[f.fp : f.fp+c.nregs]
	fresh := in.computes() && !regs[in.a].poison() && !regs[in.b].poison()
	err := vm.slow(f, in, regs)
	if fresh && regs[in.d].poison() {
		vm.madePoison = poisonSource{c.g, c.src[f.pc-1]}
	}
	return err
}

var binOps = [...]ir.Op{opAdd: ir.OpAdd, opSub: ir.OpSub, opMul: ir.OpMul, opAnd: ir.OpAnd, opOr: ir.OpOr, opXor: ir.OpXor, opShl: ir.OpShl,
	opLShr: ir.OpLShr, opAShr: ir.OpAShr, opUDiv: ir.OpUDiv, opSDiv: ir.OpSDiv, opURem: ir.OpURem, opSRem: ir.OpSRem,
	opAddF: ir.OpAdd, opAddI: ir.OpAdd, opMulI: ir.OpMul, opAndI: ir.OpAnd,
	opShlI: ir.OpShl, opLShrI: ir.OpLShr, opAShrI: ir.OpAShr, opAddFI: ir.OpAdd, opSubF: ir.OpSub, opMulF: ir.OpMul, opOrF: ir.OpOr, opShlF: ir.OpShl, opLShrF: ir.OpLShr, opAShrF: ir.OpAShr}

// cmpPreds are the predicates that have instructions of their own, from opICmpEQ on.
var cmpPreds = [...]ir.Pred{ir.ICmpEQ, ir.ICmpNE, ir.ICmpULT, ir.ICmpULE, ir.ICmpSLT, ir.ICmpSLE}

// slow executes an instruction with all tracking: what the loop does not do
// itself, and what it found not to be the simple case.
func (vm *Interp) slow(f *frame, in *inst, regs []reg) error {
	c := f.c
	switch op := in.op; op {
	case opAdd, opSub, opMul, opAnd, opOr, opXor, opShl, opLShr, opAShr, opUDiv, opSDiv, opURem, opSRem, opAddF, opSubF, opMulF, opOrF, opShlF, opLShrF, opAShrF:
		r, err := vm.bin(binOps[op], in.fl, 64-uint32(in.w), regs[in.a], regs[in.b])
		regs[in.d] = r
		return err
	case opBinF:
		r, err := vm.bin(ir.Op(in.imm), in.fl, 64-uint32(in.w), regs[in.a], regs[in.b])
		regs[in.d] = r
		return err
	case opAddI, opMulI, opAndI, opShlI, opLShrI, opAShrI, opAddFI:
		r, err := vm.bin(binOps[op], in.fl, 64-uint32(in.w), regs[in.a], def(in.imm))
		regs[in.d] = r
		return err
	case opICmpEQ, opICmpNE, opICmpULT, opICmpULE, opICmpSLT, opICmpSLE:
		regs[in.d] = evalICmp(cmpPreds[op-opICmpEQ], 0, 64-uint32(in.w), regs[in.a], regs[in.b])
	case opICmpF:
		regs[in.d] = evalICmp(ir.Pred(in.imm), in.fl, 64-uint32(in.w), regs[in.a], regs[in.b])
	case opSelect:
		regs[in.d] = evalSelect(regs[in.a], regs[in.b], regs[in.c], 64-uint32(in.w))
	case opTrunc:
		regs[in.d] = evalCast(ir.OpTrunc, 0, 64, 64-uint32(in.w), regs[in.a])
	case opSExt:
		regs[in.d] = evalCast(ir.OpSExt, 0, 64-uint32(in.w), 64-uint32(in.fl), regs[in.a])
	case opZExtF:
		regs[in.d] = evalCast(ir.OpZExt, in.fl, 64-uint32(in.w), 64, regs[in.a])
	case opTruncF:
		regs[in.d] = evalCast(ir.OpTrunc, in.fl, 64-in.k, 64-uint32(in.w), regs[in.a])
	case opPtrToInt:
		r := evalCast(ir.OpTrunc, 0, 64, 64-uint32(in.w), regs[in.a])
		if !r.poison() {
			r.p = 0
		}
		regs[in.d] = r
	case opIntToPtr:
		r := regs[in.a]
		if !r.poison() {
			r.p = 0
			r.v &= vm.ptrMask
		}
		regs[in.d] = r
	case opLoad8, opLoad16, opLoad32, opLoad64, opLoad8X, opLoad16X, opLoad32X, opLoad64X, opLoadPtr, opLoadPtrX, opLoadVal:
		return vm.slowLoad(c, in, regs)
	case opStore8, opStore16, opStore32, opStore64, opStore8X, opStore16X, opStore32X, opStore64X, opStorePtr, opStorePtrX, opStoreVal:
		return vm.slowStore(c, in, regs)
	case opGEPc:
		regs[in.d] = vm.gep(regs[in.a], in.imm, in.fl)
	case opGEP1:
		regs[in.d] = vm.gepIndex(regs[in.a], regs[in.b], in)
	case opFAdd64, opFSub64, opFMul64, opFDiv64:
		regs[in.d] = evalFBin(fbinOps[op-opFAdd64], 0, leafF64, regs[in.a], regs[in.b])
	case opFAdd32, opFSub32, opFMul32, opFDiv32:
		regs[in.d] = evalFBin(fbinOps[op-opFAdd32], 0, leafF32, regs[in.a], regs[in.b])
	case opFMulAdd64:
		regs[in.d] = evalFMA(false, leafF64, 0, regs[in.a], regs[in.b], regs[in.c])
	case opFMulAdd32:
		regs[in.d] = evalFMA(false, leafF32, 0, regs[in.a], regs[in.b], regs[in.c])
	case opFBin:
		regs[in.d] = evalFBin(ir.Op(in.imm), in.fl, leafKind(in.w), regs[in.a], regs[in.b])
	case opFNeg:
		a := regs[in.a]
		if !a.poison() {
			a.v ^= in.imm &^ a.u
		}
		if in.fl != 0 && fmfPoison(leafKind(in.w), in.fl, a) {
			a = poisonReg
		}
		regs[in.d] = a
	case opFCmp64:
		regs[in.d] = evalFCmp(ir.Pred(in.w), 0, leafF64, regs[in.a], regs[in.b])
	case opFCmp32:
		regs[in.d] = evalFCmp(ir.Pred(in.w), 0, leafF32, regs[in.a], regs[in.b])
	case opSIToFP64:
		w := 64 - uint32(in.w)
		regs[in.d] = evalFCast(ir.OpSIToFP, 0, leafInt, leafF64, w, 64, regs[in.a])
	case opUIToFP64:
		w := 64 - uint32(in.w)
		regs[in.d] = evalFCast(ir.OpUIToFP, in.fl, leafInt, leafF64, w, 64, regs[in.a])
	case opFPToSI64:
		w := 64 - uint32(in.w)
		regs[in.d] = evalFCast(ir.OpFPToSI, 0, leafF64, leafInt, 64, w, regs[in.a])
	case opFPExt:
		regs[in.d] = evalFCast(ir.OpFPExt, 0, leafF32, leafF64, 32, 64, regs[in.a])
	case opFPTrunc:
		regs[in.d] = evalFCast(ir.OpFPTrunc, 0, leafF64, leafF32, 64, 32, regs[in.a])
	case opFCmp:
		regs[in.d] = evalFCmp(ir.Pred(in.imm), in.fl, leafKind(in.w), regs[in.a], regs[in.b])
	case opFCast:
		// imm: op<<32 | from<<24 | to<<16 | fromBits<<8 | toBits
		regs[in.d] = evalFCast(ir.Op(in.imm>>32), in.fl, leafKind(in.imm>>24&0xff), leafKind(in.imm>>16&0xff),
			uint32(in.imm>>8&0xff), uint32(in.imm&0xff), regs[in.a])
	case opFreeze:
		for i := range uint32(in.imm) {
			r := regs[uint32(in.a)+i]
			if r.poison() {
				r = reg{}
			} else if r.u != 0 {
				r = reg{v: r.v &^ r.u}
			}
			regs[uint32(in.d)+i] = r
		}
	case opNoundef:
		return vm.noundef(regs[in.a], "value")
	case opBrEQ, opBrULT, opBrSLT, opBrEQI, opBrULTI, opBrUGTI, opBrSLTI, opBrSGTI, opBrF64, opCondBr, opSwitch:
		return vm.slowBranch(f, in, regs)
	case opAlloca:
		return vm.alloca(c, in, regs)
	case opIndirBr:
		return vm.indirect(f, in, regs)
	case opUnreachable:
		return ub("unreachable", "executed")
	case opBad:
		return c.bad[in.imm]
	default:
		return unsupported("operation %d", in.op)
	}
	return nil
}

// slowBranch takes a branch, whatever its condition is.
func (vm *Interp) slowBranch(f *frame, in *inst, regs []reg) error {
	var r reg
	a, w := regs[in.a], 64-uint32(in.w)
	yes, no, fuel := in.k, uint32(in.imm), int64(in.imm>>32)
	if in.op >= opBrEQI && in.op <= opBrSGTI {
		no, fuel = uint32(in.d)|uint32(in.c)<<16, int64(in.b)
	}
	switch in.op {
	case opBrEQ:
		r = evalICmp(ir.ICmpEQ, 0, w, a, regs[in.b])
	case opBrULT:
		r = evalICmp(ir.ICmpULT, 0, w, a, regs[in.b])
	case opBrSLT:
		r = evalICmp(ir.ICmpSLT, 0, w, a, regs[in.b])
	case opBrEQI:
		r = evalICmp(ir.ICmpEQ, 0, w, a, def(in.imm))
	case opBrULTI:
		r = evalICmp(ir.ICmpULT, 0, w, a, def(in.imm))
	case opBrUGTI:
		r = evalICmp(ir.ICmpUGT, 0, w, a, def(in.imm))
	case opBrSLTI:
		r = evalICmp(ir.ICmpSLT, 0, w, a, def(in.imm>>in.w))
	case opBrSGTI:
		r = evalICmp(ir.ICmpSGT, 0, w, a, def(in.imm>>in.w))
	case opBrF64:
		r = evalFCmp(ir.Pred(in.w), 0, leafF64, a, regs[in.b])
	default:
		r = a
	}
	if r.u != 0 {
		if err := vm.branchUndef(r); err != nil {
			return err
		}
	}
	if in.op == opSwitch {
		for w := range vm.sws[in.imm].nw {
			if r := regs[uint32(in.a)+w]; r.u != 0 {
				if err := vm.branchUndef(r); err != nil {
					return err
				}
			}
		}
		pc, err := vm.sws[in.imm].find(regs, uint32(in.a))
		f.pc = pc
		vm.fuel -= vm.sws[in.imm].fuel
		return err
	}
	f.pc = int(no)
	if r.v != 0 {
		f.pc = int(yes)
	}
	vm.fuel -= fuel
	return nil
}

// branchUndef is the report of a branch whose condition is not defined.
func (vm *Interp) branchUndef(r reg) error {
	if r.poison() {
		return ub("branch on poison", "")
	}
	if vm.o.Lenient.UndefBranch {
		return nil
	}
	return ub("branch on undef", "")
}

// find looks a value up in a switch that is not dense.
func (sw *switchInfo) find(regs []reg, a uint32) (int, error) {
	if sw.nw > 1 {
	next:
		for i := range sw.wide {
			for k, w := range sw.wide[i].words {
				if regs[a+uint32(k)].v != w {
					continue next
				}
			}
			return int(sw.wide[i].pc), nil
		}
		return int(sw.def), nil
	}
	v := regs[a].v
	if sw.isDense {
		if k := v - sw.lo; k < uint64(len(sw.dense)) {
			return int(sw.dense[k]), nil
		}
		return int(sw.def), nil
	}
	lo, hi := 0, len(sw.vals)
	for lo < hi {
		mid := int(uint(lo+hi) / 2)
		if sw.vals[mid] < v {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < len(sw.vals) && sw.vals[lo] == v {
		return int(sw.pcs[lo]), nil
	}
	return int(sw.def), nil
}

var fbinOps = [...]ir.Op{ir.OpFAdd, ir.OpFSub, ir.OpFMul, ir.OpFDiv}

// bin is evalBin with the leniency of the options.
func (vm *Interp) bin(op ir.Op, fl uint8, w uint32, a, b reg) (reg, error) {
	if b.u != 0 && vm.o.Lenient.UndefBranch && !b.poison() && op >= ir.OpUDiv && op <= ir.OpSRem {
		b.u = 0
	}
	return evalBin(op, fl, w, a, b)
}

func (vm *Interp) noundef(r reg, what string) error {
	if r.u == 0 {
		return nil
	}
	if r.poison() {
		return ub("poison where noundef", "%s", what)
	}
	if vm.o.Lenient.NoUndef {
		return nil
	}
	return ub("undef where noundef", "%s", what)
}

// set makes a register a defined number. What it says of a pointer's object stays, and means nothing.
func (r *reg) set(v uint64) { r.v, r.u = v, 0 }

func b2u(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

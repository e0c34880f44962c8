package mctargetdesc

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// Optimize replaces an instruction by its shortest equal, as LLVM does when it
// lowers machine instructions; and tail jumps, which exist for code generation
// only, by the jumps that they are. The result assembles to what llc writes.
// mode is 64, 32 or 16.
func (e *Encoder) Optimize(in *mc.Inst, mode int) {
	if mode != 64 || e.planOf(in.Op).mayOpt() {
		e.optimize(in, mode)
	}
}

func (e *Encoder) optimize(in *mc.Inst, mode int) {
	if op := twin(in.Op); op != 0 {
		in.Op = op
	}
	if mode == 64 && (in.Op == tab.MASKMOVDQU || in.Op == tab.VMASKMOVDQU) {
		in.Flags |= FlagAddrSize // their address is EDI
	}
	if len(in.Ops) == 0 || e.shortVEX(in) {
		return
	}
	last := in.Ops[len(in.Ops)-1]
	if op := shiftByOne(in.Op); op != 0 {
		if last.IsImm() && last.Imm() == 1 {
			in.Op, in.Ops = op, in.Ops[:len(in.Ops)-1]
		}
		return
	}
	if eq, gt := compareEqual(in.Op); eq != 0 {
		switch {
		case last.IsImm() && last.Imm() == 0:
			in.Op, in.Ops = eq, in.Ops[:len(in.Ops)-1]
		case last.IsImm() && last.Imm() == 6:
			in.Op, in.Ops = gt, in.Ops[:len(in.Ops)-1]
		}
		return
	}
	switch in.Op {
	case tab.MOVSX16rr8:
		signExtendA(in, tab.AX, tab.AL, tab.CBW)
		return
	case tab.MOVSX32rr16:
		signExtendA(in, tab.EAX, tab.AX, tab.CWDE)
		return
	case tab.MOVSX64rr32:
		signExtendA(in, tab.RAX, tab.EAX, tab.CDQE)
		return
	}
	if mode != 64 && optimize32(in) {
		return
	}
	if op := shortImm(in.Op); op != 0 && last.IsImm() {
		// An immediate of the operation's width may come zero-extended.
		v := last.Imm()
		switch tsFlags(e.info.Instr(in.Op).TSFlags).imm() {
		case imm16:
			v = int64(int16(v))
		case imm32:
			v = int64(int32(v))
		}
		if v == int64(int8(v)) {
			in.Op = op
			in.Ops[len(in.Ops)-1] = mc.Imm(v)
			return
		}
	}
	if op := fixedReg(in.Op); op != 0 && in.Ops[0].IsReg() {
		switch in.Ops[0].Reg() {
		case tab.AL, tab.AX, tab.EAX, tab.RAX:
			in.Op = op
			in.Ops = append(in.Ops[:0], last)
		}
	}
}

// mayOptimize reports whether Optimize has something to do with an opcode in
// 64-bit mode.
func (e *Encoder) mayOptimize(op desc.Opcode) bool {
	switch op {
	case tab.MASKMOVDQU, tab.VMASKMOVDQU, tab.MOVSX16rr8, tab.MOVSX32rr16, tab.MOVSX64rr32:
		return true
	}
	eq, _ := compareEqual(op)
	return tsFlags(e.info.Instr(op).TSFlags).encoding() == encVEX || twin(op)|shiftByOne(op)|eq|shortImm(op)|fixedReg(op) != 0
}

// signExtendA uses the one-byte extensions of the accumulator.
func signExtendA(in *mc.Inst, dst, src desc.PhysReg, op desc.Opcode) {
	if in.Ops[0].Reg() == dst && in.Ops[1].Reg() == src {
		in.Op, in.Ops = op, in.Ops[:0]
	}
}

// optimize32 uses short forms that 64-bit mode lacks.
func optimize32(in *mc.Inst) bool {
	var op desc.Opcode
	switch in.Op {
	case tab.INC16r:
		op = tab.INC16r_alt
	case tab.INC32r:
		op = tab.INC32r_alt
	case tab.DEC16r:
		op = tab.DEC16r_alt
	case tab.DEC32r:
		op = tab.DEC32r_alt
	}
	if op != 0 {
		in.Op = op
		return true
	}
	store := true
	var reg desc.PhysReg
	switch in.Op {
	case tab.MOV8mr_NOREX, tab.MOV8mr:
		op, reg = tab.MOV8o32a, tab.AL
	case tab.MOV16mr:
		op, reg = tab.MOV16o32a, tab.AX
	case tab.MOV32mr:
		op, reg = tab.MOV32o32a, tab.EAX
	case tab.MOV8rm_NOREX, tab.MOV8rm:
		op, reg, store = tab.MOV8ao32, tab.AL, false
	case tab.MOV16rm:
		op, reg, store = tab.MOV16ao32, tab.AX, false
	case tab.MOV32rm:
		op, reg, store = tab.MOV32ao32, tab.EAX, false
	default:
		return false
	}
	r, m := in.Ops[0], in.Ops[1:]
	if store {
		r, m = in.Ops[addrOps], in.Ops[:addrOps]
	}
	if r.Reg() != reg || m[0].Reg() != 0 || m[2].Reg() != 0 {
		return false
	}
	disp, seg := m[3], m[4]
	in.Op = op
	in.Ops = append(in.Ops[:0], disp, seg)
	return true
}

// shortVEX makes a two-byte VEX prefix possible: it can extend ModRM.reg and
// vvvv but not ModRM.rm, so an extended register moves there.
func (e *Encoder) shortVEX(in *mc.Inst) bool {
	d := e.info.Instr(in.Op)
	ts := tsFlags(d.TSFlags)
	if ts.encoding() != encVEX || ts.opMap() != map0F || ts.form() != formMRMSrcReg || ts.rexW() {
		return false
	}
	extended := func(i int) bool { return e.info.Regs[in.Ops[i].Reg()].Encoding>>3&1 != 0 }
	if op := reversed(in.Op); op != 0 {
		src := len(in.Ops) - 1
		if !extended(0) && extended(src) {
			in.Op = op
			return true
		}
		return false
	}
	switch in.Op {
	case tab.VMOVHLPSrr, tab.VUNPCKHPDrr:
		return false
	case tab.VCMPPDrri, tab.VCMPPDYrri, tab.VCMPPSrri, tab.VCMPPSYrri, tab.VCMPSDrri, tab.VCMPSSrri:
		switch in.Ops[3].Imm() & 7 {
		case 0, 3, 4, 7: // symmetric predicates
		default:
			return false
		}
	default:
		if !d.IsCommutable() || !ts.vex4V() || len(in.Ops) != 3 {
			return false
		}
	}
	if extended(1) || !extended(2) {
		return false
	}
	in.Ops[1], in.Ops[2] = in.Ops[2], in.Ops[1]
	return true
}

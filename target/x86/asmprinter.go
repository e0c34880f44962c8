package x86

import (
	"github.com/mirin-go/mirin/codegen/asmprinter"
	"github.com/mirin-go/mirin/desc"
	mc "github.com/mirin-go/mirin/internal/mcx"
	mct "github.com/mirin-go/mirin/internal/mcx/x86"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// mcHooks make x86's parts of the machine code layer.
var mcHooks = target.MCHooks{
	AsmPrinter: func(*target.Subtarget) any { return &asmHooks },
	Encoder:    func(m *target.Machine) any { return &mct.Encoder{Facts: m.Facts} },
	Printer:    func(m *target.Machine, intel bool) any { return &mct.Printer{Facts: m.Facts, Intel: intel} },
}

var asmHooks = asmprinter.Hooks{Modifier: modifier, Rewrite: rewrite, FuncAlign: 4}

// Operand target flags, with LLVM's numbers (the facts hold their names).
const (
	moGOTPCREL        = 5
	moGOTPCRELNoRelax = 6
	moPLT             = 7
	moTLSGD           = 8
	moTLSLD           = 9
	moGOTTPOFF        = 11
	moTPOFF           = 13
	moDTPOFF          = 14
)

// modifier translates target flags to symbol modifiers.
func modifier(flags uint16) (mc.Modifier, error) {
	switch flags {
	case 0:
		return mc.ModNone, nil
	case moGOTPCREL:
		return mc.ModGOTPCREL, nil
	case moGOTPCRELNoRelax:
		return mc.ModGOTPCRELNoRelax, nil
	case moPLT:
		return mc.ModPLT, nil
	case moTLSGD:
		return mc.ModTLSGD, nil
	case moTLSLD:
		return mc.ModTLSLD, nil
	case moGOTTPOFF:
		return mc.ModGOTTPOFF, nil
	case moTPOFF:
		return mc.ModTPOFF, nil
	case moDTPOFF:
		return mc.ModDTPOFF, nil
	}
	return 0, &target.Unsupported{Target: "x86-64", What: "operand target flag " + string(rune('0'+flags/10)) + string(rune('0'+flags%10))}
}

// rewrite makes what assemblers know of pseudos that stay until the end, and
// takes the short form of instructions with small immediates.
func rewrite(_ *target.Subtarget, in *mc.Inst) (drop bool) {
	switch in.Op {
	case tab.TAILJMPd64:
		in.Op = tab.JMP_1
	case tab.TAILJMPr64:
		in.Op = tab.JMP64r
	case tab.TAILJMPm64:
		in.Op = tab.JMP64m
	case tab.JCC_1, tab.JMP_1:
		return false
	}
	if n := in.N; n > 0 && in.Ops[n-1].Kind == mc.OpImm {
		if in.Ops[n-1].Imm == int64(int8(in.Ops[n-1].Imm)) {
			if short := shortImm(in.Op); short != 0 {
				in.Op = short
			}
		}
		if in.Ops[n-1].Imm == 1 {
			if one := shiftByOne(in.Op); one != 0 {
				in.Op = one
				in.N--
			}
		}
	}
	return false
}

// shortImm returns the form of an instruction whose immediate is one byte.
func shortImm(op desc.Opcode) desc.Opcode {
	switch op {
	case tab.ADD16ri:
		return tab.ADD16ri8
	case tab.ADD32ri:
		return tab.ADD32ri8
	case tab.ADD64ri32:
		return tab.ADD64ri8
	case tab.ADD16mi:
		return tab.ADD16mi8
	case tab.ADD32mi:
		return tab.ADD32mi8
	case tab.ADD64mi32:
		return tab.ADD64mi8
	case tab.ADC16ri:
		return tab.ADC16ri8
	case tab.ADC32ri:
		return tab.ADC32ri8
	case tab.ADC64ri32:
		return tab.ADC64ri8
	case tab.SUB16ri:
		return tab.SUB16ri8
	case tab.SUB32ri:
		return tab.SUB32ri8
	case tab.SUB64ri32:
		return tab.SUB64ri8
	case tab.SUB16mi:
		return tab.SUB16mi8
	case tab.SUB32mi:
		return tab.SUB32mi8
	case tab.SUB64mi32:
		return tab.SUB64mi8
	case tab.SBB16ri:
		return tab.SBB16ri8
	case tab.SBB32ri:
		return tab.SBB32ri8
	case tab.SBB64ri32:
		return tab.SBB64ri8
	case tab.AND16ri:
		return tab.AND16ri8
	case tab.AND32ri:
		return tab.AND32ri8
	case tab.AND64ri32:
		return tab.AND64ri8
	case tab.AND16mi:
		return tab.AND16mi8
	case tab.AND32mi:
		return tab.AND32mi8
	case tab.AND64mi32:
		return tab.AND64mi8
	case tab.OR16ri:
		return tab.OR16ri8
	case tab.OR32ri:
		return tab.OR32ri8
	case tab.OR64ri32:
		return tab.OR64ri8
	case tab.OR16mi:
		return tab.OR16mi8
	case tab.OR32mi:
		return tab.OR32mi8
	case tab.OR64mi32:
		return tab.OR64mi8
	case tab.XOR16ri:
		return tab.XOR16ri8
	case tab.XOR32ri:
		return tab.XOR32ri8
	case tab.XOR64ri32:
		return tab.XOR64ri8
	case tab.XOR16mi:
		return tab.XOR16mi8
	case tab.XOR32mi:
		return tab.XOR32mi8
	case tab.XOR64mi32:
		return tab.XOR64mi8
	case tab.CMP16ri:
		return tab.CMP16ri8
	case tab.CMP32ri:
		return tab.CMP32ri8
	case tab.CMP64ri32:
		return tab.CMP64ri8
	case tab.CMP16mi:
		return tab.CMP16mi8
	case tab.CMP32mi:
		return tab.CMP32mi8
	case tab.CMP64mi32:
		return tab.CMP64mi8
	case tab.IMUL16rri:
		return tab.IMUL16rri8
	case tab.IMUL32rri:
		return tab.IMUL32rri8
	case tab.IMUL64rri32:
		return tab.IMUL64rri8
	case tab.IMUL16rmi:
		return tab.IMUL16rmi8
	case tab.IMUL32rmi:
		return tab.IMUL32rmi8
	case tab.IMUL64rmi32:
		return tab.IMUL64rmi8
	}
	return 0
}

// shiftByOne returns the form of a shift whose count of one is in the opcode.
func shiftByOne(op desc.Opcode) desc.Opcode {
	switch op {
	case tab.SHL8ri:
		return tab.SHL8r1
	case tab.SHL16ri:
		return tab.SHL16r1
	case tab.SHL32ri:
		return tab.SHL32r1
	case tab.SHL64ri:
		return tab.SHL64r1
	case tab.SHR8ri:
		return tab.SHR8r1
	case tab.SHR16ri:
		return tab.SHR16r1
	case tab.SHR32ri:
		return tab.SHR32r1
	case tab.SHR64ri:
		return tab.SHR64r1
	case tab.SAR8ri:
		return tab.SAR8r1
	case tab.SAR16ri:
		return tab.SAR16r1
	case tab.SAR32ri:
		return tab.SAR32r1
	case tab.SAR64ri:
		return tab.SAR64r1
	case tab.ROL8ri:
		return tab.ROL8r1
	case tab.ROL16ri:
		return tab.ROL16r1
	case tab.ROL32ri:
		return tab.ROL32r1
	case tab.ROL64ri:
		return tab.ROL64r1
	case tab.ROR8ri:
		return tab.ROR8r1
	case tab.ROR16ri:
		return tab.ROR16r1
	case tab.ROR32ri:
		return tab.ROR32r1
	case tab.ROR64ri:
		return tab.ROR64r1
	}
	return 0
}

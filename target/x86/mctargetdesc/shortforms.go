package mctargetdesc

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// Pairs of opcodes that do the same with fewer bytes, for Optimize. 0 is none.

// shortImm gives the form with an immediate of 8 bits.
func shortImm(op desc.Opcode) desc.Opcode {
	switch op {
	case tab.ADC16ri:
		return tab.ADC16ri8
	case tab.ADC16mi:
		return tab.ADC16mi8
	case tab.ADC32ri:
		return tab.ADC32ri8
	case tab.ADC32mi:
		return tab.ADC32mi8
	case tab.ADC64ri32:
		return tab.ADC64ri8
	case tab.ADC64mi32:
		return tab.ADC64mi8
	case tab.ADD16ri:
		return tab.ADD16ri8
	case tab.ADD16mi:
		return tab.ADD16mi8
	case tab.ADD32ri:
		return tab.ADD32ri8
	case tab.ADD32mi:
		return tab.ADD32mi8
	case tab.ADD64ri32:
		return tab.ADD64ri8
	case tab.ADD64mi32:
		return tab.ADD64mi8
	case tab.AND16ri:
		return tab.AND16ri8
	case tab.AND16mi:
		return tab.AND16mi8
	case tab.AND32ri:
		return tab.AND32ri8
	case tab.AND32mi:
		return tab.AND32mi8
	case tab.AND64ri32:
		return tab.AND64ri8
	case tab.AND64mi32:
		return tab.AND64mi8
	case tab.CMP16ri:
		return tab.CMP16ri8
	case tab.CMP16mi:
		return tab.CMP16mi8
	case tab.CMP32ri:
		return tab.CMP32ri8
	case tab.CMP32mi:
		return tab.CMP32mi8
	case tab.CMP64ri32:
		return tab.CMP64ri8
	case tab.CMP64mi32:
		return tab.CMP64mi8
	case tab.OR16ri:
		return tab.OR16ri8
	case tab.OR16mi:
		return tab.OR16mi8
	case tab.OR32ri:
		return tab.OR32ri8
	case tab.OR32mi:
		return tab.OR32mi8
	case tab.OR64ri32:
		return tab.OR64ri8
	case tab.OR64mi32:
		return tab.OR64mi8
	case tab.SBB16ri:
		return tab.SBB16ri8
	case tab.SBB16mi:
		return tab.SBB16mi8
	case tab.SBB32ri:
		return tab.SBB32ri8
	case tab.SBB32mi:
		return tab.SBB32mi8
	case tab.SBB64ri32:
		return tab.SBB64ri8
	case tab.SBB64mi32:
		return tab.SBB64mi8
	case tab.SUB16ri:
		return tab.SUB16ri8
	case tab.SUB16mi:
		return tab.SUB16mi8
	case tab.SUB32ri:
		return tab.SUB32ri8
	case tab.SUB32mi:
		return tab.SUB32mi8
	case tab.SUB64ri32:
		return tab.SUB64ri8
	case tab.SUB64mi32:
		return tab.SUB64mi8
	case tab.XOR16ri:
		return tab.XOR16ri8
	case tab.XOR16mi:
		return tab.XOR16mi8
	case tab.XOR32ri:
		return tab.XOR32ri8
	case tab.XOR32mi:
		return tab.XOR32mi8
	case tab.XOR64ri32:
		return tab.XOR64ri8
	case tab.XOR64mi32:
		return tab.XOR64mi8
	case tab.IMUL16rri:
		return tab.IMUL16rri8
	case tab.IMUL16rmi:
		return tab.IMUL16rmi8
	case tab.IMUL32rri:
		return tab.IMUL32rri8
	case tab.IMUL32rmi:
		return tab.IMUL32rmi8
	case tab.IMUL64rri32:
		return tab.IMUL64rri8
	case tab.IMUL64rmi32:
		return tab.IMUL64rmi8
	case tab.PUSH16i:
		return tab.PUSH16i8
	case tab.PUSH32i:
		return tab.PUSH32i8
	case tab.PUSH64i32:
		return tab.PUSH64i8
	}
	return 0
}

// fixedReg gives the form whose register is AL, AX, EAX or RAX.
func fixedReg(op desc.Opcode) desc.Opcode {
	switch op {
	case tab.ADC8ri:
		return tab.ADC8i8
	case tab.ADC16ri:
		return tab.ADC16i16
	case tab.ADC32ri:
		return tab.ADC32i32
	case tab.ADC64ri32:
		return tab.ADC64i32
	case tab.ADD8ri:
		return tab.ADD8i8
	case tab.ADD16ri:
		return tab.ADD16i16
	case tab.ADD32ri:
		return tab.ADD32i32
	case tab.ADD64ri32:
		return tab.ADD64i32
	case tab.AND8ri:
		return tab.AND8i8
	case tab.AND16ri:
		return tab.AND16i16
	case tab.AND32ri:
		return tab.AND32i32
	case tab.AND64ri32:
		return tab.AND64i32
	case tab.CMP8ri:
		return tab.CMP8i8
	case tab.CMP16ri:
		return tab.CMP16i16
	case tab.CMP32ri:
		return tab.CMP32i32
	case tab.CMP64ri32:
		return tab.CMP64i32
	case tab.OR8ri:
		return tab.OR8i8
	case tab.OR16ri:
		return tab.OR16i16
	case tab.OR32ri:
		return tab.OR32i32
	case tab.OR64ri32:
		return tab.OR64i32
	case tab.SBB8ri:
		return tab.SBB8i8
	case tab.SBB16ri:
		return tab.SBB16i16
	case tab.SBB32ri:
		return tab.SBB32i32
	case tab.SBB64ri32:
		return tab.SBB64i32
	case tab.SUB8ri:
		return tab.SUB8i8
	case tab.SUB16ri:
		return tab.SUB16i16
	case tab.SUB32ri:
		return tab.SUB32i32
	case tab.SUB64ri32:
		return tab.SUB64i32
	case tab.TEST8ri:
		return tab.TEST8i8
	case tab.TEST16ri:
		return tab.TEST16i16
	case tab.TEST32ri:
		return tab.TEST32i32
	case tab.TEST64ri32:
		return tab.TEST64i32
	case tab.XOR8ri:
		return tab.XOR8i8
	case tab.XOR16ri:
		return tab.XOR16i16
	case tab.XOR32ri:
		return tab.XOR32i32
	case tab.XOR64ri32:
		return tab.XOR64i32
	}
	return 0
}

// shiftByOne gives the form without an immediate.
func shiftByOne(op desc.Opcode) desc.Opcode {
	switch op {
	case tab.RCL8ri:
		return tab.RCL8r1
	case tab.RCL8mi:
		return tab.RCL8m1
	case tab.RCL16ri:
		return tab.RCL16r1
	case tab.RCL16mi:
		return tab.RCL16m1
	case tab.RCL32ri:
		return tab.RCL32r1
	case tab.RCL32mi:
		return tab.RCL32m1
	case tab.RCL64ri:
		return tab.RCL64r1
	case tab.RCL64mi:
		return tab.RCL64m1
	case tab.RCR8ri:
		return tab.RCR8r1
	case tab.RCR8mi:
		return tab.RCR8m1
	case tab.RCR16ri:
		return tab.RCR16r1
	case tab.RCR16mi:
		return tab.RCR16m1
	case tab.RCR32ri:
		return tab.RCR32r1
	case tab.RCR32mi:
		return tab.RCR32m1
	case tab.RCR64ri:
		return tab.RCR64r1
	case tab.RCR64mi:
		return tab.RCR64m1
	case tab.ROL8ri:
		return tab.ROL8r1
	case tab.ROL8mi:
		return tab.ROL8m1
	case tab.ROL16ri:
		return tab.ROL16r1
	case tab.ROL16mi:
		return tab.ROL16m1
	case tab.ROL32ri:
		return tab.ROL32r1
	case tab.ROL32mi:
		return tab.ROL32m1
	case tab.ROL64ri:
		return tab.ROL64r1
	case tab.ROL64mi:
		return tab.ROL64m1
	case tab.ROR8ri:
		return tab.ROR8r1
	case tab.ROR8mi:
		return tab.ROR8m1
	case tab.ROR16ri:
		return tab.ROR16r1
	case tab.ROR16mi:
		return tab.ROR16m1
	case tab.ROR32ri:
		return tab.ROR32r1
	case tab.ROR32mi:
		return tab.ROR32m1
	case tab.ROR64ri:
		return tab.ROR64r1
	case tab.ROR64mi:
		return tab.ROR64m1
	case tab.SAR8ri:
		return tab.SAR8r1
	case tab.SAR8mi:
		return tab.SAR8m1
	case tab.SAR16ri:
		return tab.SAR16r1
	case tab.SAR16mi:
		return tab.SAR16m1
	case tab.SAR32ri:
		return tab.SAR32r1
	case tab.SAR32mi:
		return tab.SAR32m1
	case tab.SAR64ri:
		return tab.SAR64r1
	case tab.SAR64mi:
		return tab.SAR64m1
	case tab.SHL8ri:
		return tab.SHL8r1
	case tab.SHL8mi:
		return tab.SHL8m1
	case tab.SHL16ri:
		return tab.SHL16r1
	case tab.SHL16mi:
		return tab.SHL16m1
	case tab.SHL32ri:
		return tab.SHL32r1
	case tab.SHL32mi:
		return tab.SHL32m1
	case tab.SHL64ri:
		return tab.SHL64r1
	case tab.SHL64mi:
		return tab.SHL64m1
	case tab.SHR8ri:
		return tab.SHR8r1
	case tab.SHR8mi:
		return tab.SHR8m1
	case tab.SHR16ri:
		return tab.SHR16r1
	case tab.SHR16mi:
		return tab.SHR16m1
	case tab.SHR32ri:
		return tab.SHR32r1
	case tab.SHR32mi:
		return tab.SHR32m1
	case tab.SHR64ri:
		return tab.SHR64r1
	case tab.SHR64mi:
		return tab.SHR64m1
	}
	return 0
}

// compareEqual gives the forms of VPCMP for predicates 0 (equal) and 6 (greater).
func compareEqual(op desc.Opcode) (eq, gt desc.Opcode) {
	switch op {
	case tab.VPCMPBZ128rmi:
		return tab.VPCMPEQBZ128rm, tab.VPCMPGTBZ128rm
	case tab.VPCMPBZ128rri:
		return tab.VPCMPEQBZ128rr, tab.VPCMPGTBZ128rr
	case tab.VPCMPBZ128rmik:
		return tab.VPCMPEQBZ128rmk, tab.VPCMPGTBZ128rmk
	case tab.VPCMPBZ128rrik:
		return tab.VPCMPEQBZ128rrk, tab.VPCMPGTBZ128rrk
	case tab.VPCMPBZ256rmi:
		return tab.VPCMPEQBZ256rm, tab.VPCMPGTBZ256rm
	case tab.VPCMPBZ256rri:
		return tab.VPCMPEQBZ256rr, tab.VPCMPGTBZ256rr
	case tab.VPCMPBZ256rmik:
		return tab.VPCMPEQBZ256rmk, tab.VPCMPGTBZ256rmk
	case tab.VPCMPBZ256rrik:
		return tab.VPCMPEQBZ256rrk, tab.VPCMPGTBZ256rrk
	case tab.VPCMPBZrmi:
		return tab.VPCMPEQBZrm, tab.VPCMPGTBZrm
	case tab.VPCMPBZrri:
		return tab.VPCMPEQBZrr, tab.VPCMPGTBZrr
	case tab.VPCMPBZrmik:
		return tab.VPCMPEQBZrmk, tab.VPCMPGTBZrmk
	case tab.VPCMPBZrrik:
		return tab.VPCMPEQBZrrk, tab.VPCMPGTBZrrk
	case tab.VPCMPDZ128rmi:
		return tab.VPCMPEQDZ128rm, tab.VPCMPGTDZ128rm
	case tab.VPCMPDZ128rri:
		return tab.VPCMPEQDZ128rr, tab.VPCMPGTDZ128rr
	case tab.VPCMPDZ128rmik:
		return tab.VPCMPEQDZ128rmk, tab.VPCMPGTDZ128rmk
	case tab.VPCMPDZ128rrik:
		return tab.VPCMPEQDZ128rrk, tab.VPCMPGTDZ128rrk
	case tab.VPCMPDZ256rmi:
		return tab.VPCMPEQDZ256rm, tab.VPCMPGTDZ256rm
	case tab.VPCMPDZ256rri:
		return tab.VPCMPEQDZ256rr, tab.VPCMPGTDZ256rr
	case tab.VPCMPDZ256rmik:
		return tab.VPCMPEQDZ256rmk, tab.VPCMPGTDZ256rmk
	case tab.VPCMPDZ256rrik:
		return tab.VPCMPEQDZ256rrk, tab.VPCMPGTDZ256rrk
	case tab.VPCMPDZrmi:
		return tab.VPCMPEQDZrm, tab.VPCMPGTDZrm
	case tab.VPCMPDZrri:
		return tab.VPCMPEQDZrr, tab.VPCMPGTDZrr
	case tab.VPCMPDZrmik:
		return tab.VPCMPEQDZrmk, tab.VPCMPGTDZrmk
	case tab.VPCMPDZrrik:
		return tab.VPCMPEQDZrrk, tab.VPCMPGTDZrrk
	case tab.VPCMPQZ128rmi:
		return tab.VPCMPEQQZ128rm, tab.VPCMPGTQZ128rm
	case tab.VPCMPQZ128rri:
		return tab.VPCMPEQQZ128rr, tab.VPCMPGTQZ128rr
	case tab.VPCMPQZ128rmik:
		return tab.VPCMPEQQZ128rmk, tab.VPCMPGTQZ128rmk
	case tab.VPCMPQZ128rrik:
		return tab.VPCMPEQQZ128rrk, tab.VPCMPGTQZ128rrk
	case tab.VPCMPQZ256rmi:
		return tab.VPCMPEQQZ256rm, tab.VPCMPGTQZ256rm
	case tab.VPCMPQZ256rri:
		return tab.VPCMPEQQZ256rr, tab.VPCMPGTQZ256rr
	case tab.VPCMPQZ256rmik:
		return tab.VPCMPEQQZ256rmk, tab.VPCMPGTQZ256rmk
	case tab.VPCMPQZ256rrik:
		return tab.VPCMPEQQZ256rrk, tab.VPCMPGTQZ256rrk
	case tab.VPCMPQZrmi:
		return tab.VPCMPEQQZrm, tab.VPCMPGTQZrm
	case tab.VPCMPQZrri:
		return tab.VPCMPEQQZrr, tab.VPCMPGTQZrr
	case tab.VPCMPQZrmik:
		return tab.VPCMPEQQZrmk, tab.VPCMPGTQZrmk
	case tab.VPCMPQZrrik:
		return tab.VPCMPEQQZrrk, tab.VPCMPGTQZrrk
	case tab.VPCMPWZ128rmi:
		return tab.VPCMPEQWZ128rm, tab.VPCMPGTWZ128rm
	case tab.VPCMPWZ128rri:
		return tab.VPCMPEQWZ128rr, tab.VPCMPGTWZ128rr
	case tab.VPCMPWZ128rmik:
		return tab.VPCMPEQWZ128rmk, tab.VPCMPGTWZ128rmk
	case tab.VPCMPWZ128rrik:
		return tab.VPCMPEQWZ128rrk, tab.VPCMPGTWZ128rrk
	case tab.VPCMPWZ256rmi:
		return tab.VPCMPEQWZ256rm, tab.VPCMPGTWZ256rm
	case tab.VPCMPWZ256rri:
		return tab.VPCMPEQWZ256rr, tab.VPCMPGTWZ256rr
	case tab.VPCMPWZ256rmik:
		return tab.VPCMPEQWZ256rmk, tab.VPCMPGTWZ256rmk
	case tab.VPCMPWZ256rrik:
		return tab.VPCMPEQWZ256rrk, tab.VPCMPGTWZ256rrk
	case tab.VPCMPWZrmi:
		return tab.VPCMPEQWZrm, tab.VPCMPGTWZrm
	case tab.VPCMPWZrri:
		return tab.VPCMPEQWZrr, tab.VPCMPGTWZrr
	case tab.VPCMPWZrmik:
		return tab.VPCMPEQWZrmk, tab.VPCMPGTWZrmk
	case tab.VPCMPWZrrik:
		return tab.VPCMPEQWZrrk, tab.VPCMPGTWZrrk
	}
	return 0, 0
}

// reversed gives the form of a vector move with ModRM's fields exchanged.
func reversed(op desc.Opcode) desc.Opcode {
	switch op {
	case tab.VMOVAPDrr:
		return tab.VMOVAPDrr_REV
	case tab.VMOVAPDYrr:
		return tab.VMOVAPDYrr_REV
	case tab.VMOVAPSrr:
		return tab.VMOVAPSrr_REV
	case tab.VMOVAPSYrr:
		return tab.VMOVAPSYrr_REV
	case tab.VMOVDQArr:
		return tab.VMOVDQArr_REV
	case tab.VMOVDQAYrr:
		return tab.VMOVDQAYrr_REV
	case tab.VMOVDQUrr:
		return tab.VMOVDQUrr_REV
	case tab.VMOVDQUYrr:
		return tab.VMOVDQUYrr_REV
	case tab.VMOVUPDrr:
		return tab.VMOVUPDrr_REV
	case tab.VMOVUPDYrr:
		return tab.VMOVUPDYrr_REV
	case tab.VMOVUPSrr:
		return tab.VMOVUPSrr_REV
	case tab.VMOVUPSYrr:
		return tab.VMOVUPSYrr_REV
	case tab.VMOVSDrr:
		return tab.VMOVSDrr_REV
	case tab.VMOVSSrr:
		return tab.VMOVSSrr_REV
	case tab.VMOVZPQILo2PQIrr:
		return tab.VMOVPQI2QIrr
	}
	return 0
}

// twin gives the opcode with the same encoding that has a syntax.
func twin(op desc.Opcode) desc.Opcode {
	switch op {
	case tab.TAILJMPd64:
		return tab.JMP_1
	case tab.TAILJMPd:
		return tab.JMP_1
	case tab.TAILJMPd64_CC:
		return tab.JCC_1
	case tab.TAILJMPd_CC:
		return tab.JCC_1
	case tab.TAILJMPr:
		return tab.JMP32r
	case tab.TAILJMPr64:
		return tab.JMP64r
	case tab.TAILJMPr64_REX:
		return tab.JMP64r_REX
	case tab.TAILJMPm:
		return tab.JMP32m
	case tab.TAILJMPm64:
		return tab.JMP64m
	case tab.TAILJMPm64_REX:
		return tab.JMP64m_REX
	}
	return 0
}

package mctargetdesc

// The fields of InstrDesc.TSFlags, LLVM 22's description of an x86 encoding.
//
//	bits  0-6   form: where the operands go        29-30 legacy, VEX, XOP, EVEX
//	      7-8   operand size prefix                31-38 opcode byte
//	      9-10  address size                       39    an operand in VEX.vvvv
//	      11-12 mandatory prefix                   40,43 vector length L, L'
//	      13-16 opcode map                         41,42 mask register, zeroing
//	      17    REX.W                              44    broadcast or rounding
//	      18-21 kind of immediate                  45-47 log2+1 of the unit of disp8
//	      22-24 x87 class                          48    rounding control operand
//	      25,26 lock, rep                          49    notrack
//	      27-28 execution domain                   50-54 APX and explicit prefixes
type tsFlags uint64

func (t tsFlags) form() form     { return form(t & 0x7f) }
func (t tsFlags) opSize() uint   { return uint(t >> 7 & 3) }
func (t tsFlags) adSize() uint   { return uint(t >> 9 & 3) }
func (t tsFlags) prefix() byte   { return byte(t >> 11 & 3) }
func (t tsFlags) opMap() uint    { return uint(t >> 13 & 15) }
func (t tsFlags) rexW() bool     { return t>>17&1 != 0 }
func (t tsFlags) imm() immKind   { return immKind(t >> 18 & 15) }
func (t tsFlags) lock() bool     { return t>>25&1 != 0 }
func (t tsFlags) rep() bool      { return t>>26&1 != 0 }
func (t tsFlags) encoding() uint { return uint(t >> 29 & 3) }
func (t tsFlags) opcode() byte   { return byte(t >> 31) }
func (t tsFlags) vex4V() bool    { return t>>39&1 != 0 }
func (t tsFlags) vexL() byte     { return byte(t >> 40 & 1) }
func (t tsFlags) evexK() bool    { return t>>41&1 != 0 }
func (t tsFlags) evexZ() byte    { return byte(t >> 42 & 1) }
func (t tsFlags) evexL2() byte   { return byte(t >> 43 & 1) }
func (t tsFlags) evexB() byte    { return byte(t >> 44 & 1) }
func (t tsFlags) disp8Log() uint { return uint(t >> 45 & 7) }
func (t tsFlags) evexRC() bool   { return t>>48&1 != 0 }
func (t tsFlags) noTrack() bool  { return t>>49&1 != 0 }
func (t tsFlags) explicit() uint { return uint(t >> 50 & 3) }
func (t tsFlags) apx() bool {
	return t>>52&3 != 0 || t.opMap() == mapT4 || t.explicit() == explicitREX2
}

// newDest reports APX' destination of its own, in VEX.vvvv, before the sources.
func (t tsFlags) newDest() bool { return t.opMap() == mapT4 && t.evexB() != 0 && t.vex4V() }

// flagsAndCond reports APX' default flags and condition behind the operands.
func (t tsFlags) flagsAndCond() bool { return t>>53&1 != 0 }
func (t tsFlags) evexU() bool        { return t>>54&1 != 0 }
func (t tsFlags) evexNF() bool       { return t>>52&1 != 0 }
func (t tsFlags) isBranch() bool {
	return t.imm() == imm8PCRel || t.imm() == imm16PCRel || t.imm() == imm32PCRel
}

// Operand sizes (tsFlags.opSize) and address sizes.
const (
	size16 = 1
	size32 = 2
	size64 = 3
)

// Encodings.
const (
	encLegacy = iota
	encVEX
	encXOP
	encEVEX
)

// explicitREX2 is the value of tsFlags.explicit that asks for a REX2 prefix.
const explicitREX2 = 1

// Opcode maps. A VEX prefix numbers maps 0F, 0F38, 0F3A from 1.
const (
	mapOneByte = 0
	map0F      = 1
	map0F38    = 2
	map0F3A    = 3
	mapXOP8    = 4
	mapXOP9    = 5
	mapXOPA    = 6
	map3DNow   = 7
	mapT4      = 8
)

// vexMap gives the map's number in a VEX, XOP or EVEX prefix, by opMap.
var vexMap = [16]byte{map0F: 1, map0F38: 2, map0F3A: 3, mapXOP8: 8, mapXOP9: 9, mapXOPA: 10, mapT4: 4, 9: 5, 10: 6, 11: 7}

// form says where the operands of an instruction go.
type form uint8

const (
	formPseudo         form = 0
	formRaw            form = 1
	formAddReg         form = 2 // register in the opcode
	formRawMemOffs     form = 3 // absolute address, segment
	formRawSrc         form = 4 // (%rsi), segment
	formRawDst         form = 5 // (%rdi)
	formRawDstSrc      form = 6
	formRawImm8        form = 7 // a second immediate of 1 byte
	formRawImm16       form = 8
	formAddCC          form = 9 // condition in the opcode
	formPrefixByte     form = 10
	formMRMDestRegCC   form = 18
	formMRMDestMemCC   form = 19
	formMRMDestMem4VCC form = 20 // memory, vvvv, condition
	formMRMr0          form = 21
	formMRMSrcMemFSIB  form = 22 // always with SIB byte
	formMRMDestMemFSIB form = 23
	formMRMDestMem     form = 24
	formMRMSrcMem      form = 25
	formMRMSrcMem4VOp3 form = 26 // vvvv behind the memory operand
	formMRMSrcMemOp4   form = 27 // register in the immediate before the memory operand
	formMRMSrcMemCC    form = 28
	formMRMXmCC        form = 30
	formMRMXm          form = 31
	formMRM0m          form = 32
	formMRM7m          form = 39
	formMRMDestReg     form = 40
	formMRMSrcReg      form = 41
	formMRMSrcReg4VOp3 form = 42
	formMRMSrcRegOp4   form = 43
	formMRMSrcRegCC    form = 44
	formMRMXrCC        form = 46
	formMRMXr          form = 47
	formMRM0r          form = 48
	formMRM7r          form = 55
	formMRM0X          form = 56
	formMRM7X          form = 63
	formMRMC0          form = 64 // to 127: ModRM byte C0 to FF
)

// immKind is the kind of the immediate at the end of an instruction.
type immKind uint8

const (
	immNone immKind = iota
	imm8
	imm8PCRel
	imm8Reg // a register in the upper four bits
	imm16
	imm16PCRel
	imm32
	imm32PCRel
	imm32S // sign-extended to 64 bits
	imm64
)

var immSizes = [16]uint8{imm8: 1, imm8PCRel: 1, imm8Reg: 1, imm16: 2, imm16PCRel: 2, imm32: 4, imm32PCRel: 4, imm32S: 4, imm64: 8}

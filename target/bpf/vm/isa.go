package vm

// Opcodes: the low three bits are the class (RFC 9669, section 3).
const (
	classLD    = 0
	classLDX   = 1
	classST    = 2
	classSTX   = 3
	classALU   = 4
	classJMP   = 5
	classJMP32 = 6
	classALU64 = 7

	srcX = 0x08 // the second operand is a register

	modeIMM    = 0x00
	modeABS    = 0x20
	modeIND    = 0x40
	modeMEM    = 0x60
	modeMEMSX  = 0x80
	modeATOMIC = 0xc0
)

// Operations of ALU and ALU64.
const (
	aluADD = 0x00
	aluSUB = 0x10
	aluMUL = 0x20
	aluDIV = 0x30
	aluOR  = 0x40
	aluAND = 0x50
	aluLSH = 0x60
	aluRSH = 0x70
	aluNEG = 0x80
	aluMOD = 0x90
	aluXOR = 0xa0
	aluMOV = 0xb0
	aluARS = 0xc0
	aluEND = 0xd0
)

// Operations of JMP and JMP32.
const (
	jmpJA    = 0x00
	jmpEQ    = 0x10
	jmpGT    = 0x20
	jmpGE    = 0x30
	jmpSET   = 0x40
	jmpNE    = 0x50
	jmpSGT   = 0x60
	jmpSGE   = 0x70
	jmpCALL  = 0x80
	jmpEXIT  = 0x90
	jmpLT    = 0xa0
	jmpLE    = 0xb0
	jmpSLT   = 0xc0
	jmpSLE   = 0xd0
	jmpJCOND = 0xe0
)

// What an atomic instruction does is in its immediate.
const (
	atomicFetch    = 0x01
	atomicXchg     = 0xe1
	atomicCmpXchg  = 0xf1
	atomicLoadAcq  = 0x100
	atomicStoreRel = 0x110
)

// Source registers of calls and of 64-bit immediates that give them another meaning.
const (
	pseudoCall  = 1
	pseudoKfunc = 2
)

// insn is an instruction slot; of a 64-bit immediate the first has all of it in wide, the
// second is opcode 0 (with no meaning of its own).
type insn struct {
	op       uint8
	dst, src uint8
	off      int16
	imm      int32
	wide     uint64 // a 64-bit immediate; of a call of a kfunc its number in kfuncs
}

// size is the number of bytes that a load or store moves.
func (in *insn) size() int { return [4]int{4, 2, 1, 8}[in.op>>3&3] }

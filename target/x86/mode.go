package x86

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// mode is what code of 64 and of 32 bits have under different names: words,
// registers and the instructions on them that Go code builds by itself.
type mode struct {
	// bits of an address, and of the widest integer that a register holds.
	bits int
	// word is a slot of the stack in bytes, and align the log2 of that.
	word  int64
	align uint8
	// sp, fp and bp are the stack, frame and base pointers; ax, cx and dx the registers
	// that instructions imply, si and di those of string instructions.
	sp, fp, bp, ax, bx, cx, dx, si, di desc.PhysReg
	// ip is what addresses of symbols count from; 0: they are absolute.
	ip desc.PhysReg
	// thread is the segment of the thread's block, and threadSpace its address space.
	thread      desc.PhysReg
	threadSpace uint32
	// gr is the class of addresses, tc that of where tail calls jump to.
	gr, tc desc.ClassID
	// scratch are registers that calls do not preserve; one of the first popTo takes
	// words off the stack that nobody wants.
	scratch []desc.PhysReg
	popTo   int
	// probeEnd is the register in which loops over a large frame have its end.
	probeEnd desc.PhysReg
	// dwarf is the name of the numbering of registers in call frame information.
	dwarf string

	push, pop, move, moveImm, load, store, storeImm, lea                             desc.Opcode
	addImm, subImm, andImm, xorMemImm, add, sub, cmp                                 desc.Opcode
	call, callReg, callRegNoTrack, tailJump, tailJumpReg, tailJumpCC                 desc.Opcode
	callFrameDown, callFrameUp, ret, retPop, probedAlloca, repMoveWords, exchangeTwo desc.Opcode
}

var mode64 = mode{bits: 64, word: 8, align: 3,
	sp: tab.RSP, fp: tab.RBP, bp: tab.RBX, ax: tab.RAX, bx: tab.RBX, cx: tab.RCX, dx: tab.RDX, si: tab.RSI, di: tab.RDI, ip: tab.RIP, thread: tab.FS, threadSpace: spaceFS,
	gr: tab.GR64RegClassID, tc: tab.GR64_TCRegClassID, scratch: []desc.PhysReg{tab.RAX, tab.RCX, tab.RDX, tab.RSI, tab.RDI, tab.R8, tab.R9, tab.R11}, popTo: 5, probeEnd: tab.R11, dwarf: "x86_64",
	push: tab.PUSH64r, pop: tab.POP64r, move: tab.MOV64rr, moveImm: tab.MOV64ri, load: tab.MOV64rm, store: tab.MOV64mr, storeImm: tab.MOV64mi32, lea: tab.LEA64r,
	addImm: tab.ADD64ri32, subImm: tab.SUB64ri32, andImm: tab.AND64ri32, xorMemImm: tab.XOR64mi32, add: tab.ADD64rr, sub: tab.SUB64rr, cmp: tab.CMP64rr,
	call: tab.CALL64pcrel32, callReg: tab.CALL64r, callRegNoTrack: tab.CALL64r_NT,
	tailJump: tab.TCRETURNdi64, tailJumpReg: tab.TCRETURNri64, tailJumpCC: tab.TCRETURNdi64cc,
	callFrameDown: tab.ADJCALLSTACKDOWN64, callFrameUp: tab.ADJCALLSTACKUP64, ret: tab.RET64, retPop: tab.RETI64,
	probedAlloca: tab.PROBED_ALLOCA_64, repMoveWords: tab.REP_MOVSQ_64, exchangeTwo: tab.LCMPXCHG16B,
}

var mode32 = mode{bits: 32, word: 4, align: 2,
	sp: tab.ESP, fp: tab.EBP, bp: tab.ESI, ax: tab.EAX, bx: tab.EBX, cx: tab.ECX, dx: tab.EDX, si: tab.ESI, di: tab.EDI, thread: tab.GS, threadSpace: spaceGS,
	gr: tab.GR32RegClassID, tc: tab.GR32_TCRegClassID, scratch: []desc.PhysReg{tab.EAX, tab.ECX, tab.EDX}, popTo: 3, probeEnd: tab.EAX, dwarf: "i386",
	push: tab.PUSH32r, pop: tab.POP32r, move: tab.MOV32rr, moveImm: tab.MOV32ri, load: tab.MOV32rm, store: tab.MOV32mr, storeImm: tab.MOV32mi, lea: tab.LEA32r,
	addImm: tab.ADD32ri, subImm: tab.SUB32ri, andImm: tab.AND32ri, xorMemImm: tab.XOR32mi, add: tab.ADD32rr, sub: tab.SUB32rr, cmp: tab.CMP32rr,
	call: tab.CALLpcrel32, callReg: tab.CALL32r, callRegNoTrack: tab.CALL32r_NT,
	tailJump: tab.TCRETURNdi, tailJumpReg: tab.TCRETURNri, tailJumpCC: tab.TCRETURNdicc,
	callFrameDown: tab.ADJCALLSTACKDOWN32, callFrameUp: tab.ADJCALLSTACKUP32, ret: tab.RET32, retPop: tab.RETI32,
	probedAlloca: tab.PROBED_ALLOCA_32, repMoveWords: tab.REP_MOVSD_32, exchangeTwo: tab.LCMPXCHG8B,
}

// modeOf is the mode that a subtarget runs in.
func modeOf(st *target.Subtarget) *mode {
	if st.WordSize() == mode32.word {
		return &mode32
	}
	return &mode64
}

// modeOfFunc is the mode of the facts that a function was made with.
func modeOfFunc(f *mir.Function) *mode {
	if f.Facts.SubClassWithSubReg(tab.GR32RegClassID, tab.Sub8Bit) != tab.GR32RegClassID {
		return &mode32
	}
	return &mode64
}

// is64 reports 64-bit mode.
func (m *mode) is64() bool { return m == &mode64 }

// p0 is the type of addresses, and int0 that of integers as wide.
func (m *mode) p0() mir.LLT   { return mir.Pointer(0, m.bits) }
func (m *mode) int0() mir.LLT { return mir.Scalar(m.bits) }

// pointer is the type of an address into a space.
func (m *mode) pointer(space uint32) mir.LLT { return mir.Pointer(space, m.bits) }

// ints is how many of the widths 8, 16, 32 and 64 integers in registers have.
func (m *mode) ints() int {
	if m.is64() {
		return 4
	}
	return 3
}

//go:build !nojit

#include "textflag.h"
#include "go_asm.h"

#define SLOTMASK 0x3fffff // stackSlot - 1
#define SYS_gettid 186

// FROMSP(r) makes of a pointer into a stack in r the address of its machine.
#define FROMSP(r) \
	ORQ  $SLOTMASK, r \
	SUBQ $(const_machineRoom - 1), r

// TOGO goes back to who called enter or resume; R12 is the machine.
#define TOGO \
	MOVQ machine_goSP(R12), SP \
	MOVQ machine_goBP(R12), BP \
	RET

// func enter(m *machine)
// Go's assembly convention keeps no register but the frame pointer; g is
// thread-local, and the wrappers that the compiler makes fetch it again.
TEXT ·enter(SB), NOSPLIT|NOFRAME, $0-8
	MOVQ    m+0(FP), R12
	MOVQ    SP, machine_goSP(R12)
	MOVQ    BP, machine_goBP(R12)
	STMXCSR machine_mxcsr(R12)
	CMPL    machine_wantTID(R12), $0
	JEQ     registers
	MOVL    $SYS_gettid, AX
	SYSCALL
	MOVL    AX, machine_tid(R12)

registers:
	MOVQ  machine_words+0(R12), DI
	MOVQ  machine_words+8(R12), SI
	MOVQ  machine_words+16(R12), DX
	MOVQ  machine_words+24(R12), CX
	MOVQ  machine_words+32(R12), R8
	MOVQ  machine_words+40(R12), R9
	MOVSD machine_words+48(R12), X0
	MOVSD machine_words+56(R12), X1
	MOVSD machine_words+64(R12), X2
	MOVSD machine_words+72(R12), X3
	MOVSD machine_words+80(R12), X4
	MOVSD machine_words+88(R12), X5
	MOVSD machine_words+96(R12), X6
	MOVSD machine_words+104(R12), X7
	MOVQ  machine_pc(R12), R10
	MOVQ  machine_sp(R12), SP
	MOVL  $8, AX // vector registers in use, for variadic functions
	XORL  BP, BP // the end of a chain of frame pointers
	CALL  R10
	MOVQ  SP, R12
	FROMSP(R12)
	MOVQ  AX, machine_ret+0(R12)
	MOVQ  DX, machine_ret+8(R12)
	MOVSD X0, machine_fret+0(R12)
	MOVSD X1, machine_fret+8(R12)

	// Compiled code may have changed how floating point rounds.
	STMXCSR machine_codeMXCSR(R12)
	MOVL    machine_codeMXCSR(R12), AX
	XORL    machine_mxcsr(R12), AX
	ANDL    $0xffc0, AX // its control bits; the others are what happened
	JEQ     back
	LDMXCSR machine_mxcsr(R12)

back:
	MOVL $const_reasonReturn, machine_reason(R12)
	TOGO

// callback is where the stubs of callbacks go, from compiled code: R11 is the
// callback's number. What the callee has to keep is kept on the stack.
TEXT ·callback(SB), NOSPLIT|NOFRAME, $0-0
	LEAQ  -48(SP), R10
	MOVQ  R15, 0(R10)
	MOVQ  R14, 8(R10)
	MOVQ  R13, 16(R10)
	MOVQ  R12, 24(R10)
	MOVQ  BX, 32(R10)
	MOVQ  BP, 40(R10)
	MOVQ  R10, R12
	CMPQ  R12, ·stackLo(SB)
	JCS   foreign
	CMPQ  R12, ·stackHi(SB)
	JCC   foreign
	FROMSP(R12)
	MOVQ  DI, machine_words+0(R12)
	MOVQ  SI, machine_words+8(R12)
	MOVQ  DX, machine_words+16(R12)
	MOVQ  CX, machine_words+24(R12)
	MOVQ  R8, machine_words+32(R12)
	MOVQ  R9, machine_words+40(R12)
	MOVSD X0, machine_words+48(R12)
	MOVSD X1, machine_words+56(R12)
	MOVSD X2, machine_words+64(R12)
	MOVSD X3, machine_words+72(R12)
	MOVSD X4, machine_words+80(R12)
	MOVSD X5, machine_words+88(R12)
	MOVSD X6, machine_words+96(R12)
	MOVSD X7, machine_words+104(R12)
	MOVQ  R10, machine_calleeSP(R12)
	MOVQ  R11, machine_calleeID(R12)
	STMXCSR machine_codeMXCSR(R12)
	LDMXCSR machine_mxcsr(R12)
	MOVL  $const_reasonCallback, machine_reason(R12)
	TOGO

	// A thread that compiled code made itself: there is no goroutine to run on.
foreign:
	UNDEF

// func resume(m *machine)
TEXT ·resume(SB), NOSPLIT|NOFRAME, $0-8
	MOVQ    m+0(FP), R12
	MOVQ    SP, machine_goSP(R12)
	MOVQ    BP, machine_goBP(R12)
	CMPL    machine_wantTID(R12), $0
	JEQ     results
	MOVL    $SYS_gettid, AX // the goroutine may be on another thread now
	SYSCALL
	MOVL    AX, machine_tid(R12)

results:
	LDMXCSR machine_codeMXCSR(R12)
	MOVQ    machine_ret+0(R12), AX
	MOVQ    machine_ret+8(R12), DX
	MOVSD   machine_fret+0(R12), X0
	MOVSD   machine_fret+8(R12), X1
	MOVQ    machine_calleeSP(R12), R10
	MOVQ    0(R10), R15
	MOVQ    8(R10), R14
	MOVQ    16(R10), R13
	MOVQ    24(R10), R12
	MOVQ    32(R10), BX
	MOVQ    40(R10), BP
	LEAQ    48(R10), SP
	RET

// leave is where the signal handler sends a thread whose compiled code is at its
// end: SP is goSP, R12 the machine.
TEXT ·leave(SB), NOSPLIT|NOFRAME, $0-0
	LDMXCSR machine_mxcsr(R12)
	BYTE    $0xdb; BYTE $0xe3 // fninit: the x87 stack may hold something
	TOGO

// signal handles SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP and SIGURG, by C's
// convention on the thread's signal stack: DI is the signal, SI its siginfo, DX
// the ucontext, whose registers begin at 40. What does not come of compiled code
// is Go's, whose handler goes on with all as the kernel left it.
TEXT ·signal(SB), NOSPLIT|NOFRAME|TOPFRAME, $0-0
	MOVQ 160(DX), AX // RSP
	CMPQ AX, ·stackLo(SB)
	JCS  forward
	CMPQ AX, ·stackHi(SB)
	JCC  forward
	MOVQ AX, R8
	FROMSP(R8)
	CMPL DI, $23 // SIGURG
	JEQ  urgent
	MOVL 8(SI), R9
	CMPL R9, $0 // si_code; what a process sent is not a fault
	JLE  forward
	MOVL DI, machine_sig(R8)
	MOVL R9, machine_sigCode(R8)
	MOVQ 16(SI), R9
	MOVQ R9, machine_sigAddr(R8)
	MOVL $const_reasonFault, machine_reason(R8)

save:
	MOVL $0, R9

register:
	MOVQ 40(DX)(R9*8), R10
	MOVQ R10, machine_regs(R8)(R9*8)
	INCL R9
	CMPL R9, $17
	JLT  register
	MOVQ R8, 72(DX)               // R12
	MOVQ machine_goSP(R8), R9
	MOVQ R9, 160(DX)              // RSP
	LEAQ ·leave(SB), R9
	MOVQ R9, 168(DX)              // RIP
	ANDQ $~0x40500, 176(DX)       // flags: direction, single steps and alignment checks off
	RET

urgent:
	CMPL machine_cancel(R8), $0
	JEQ  forward
	MOVQ 168(DX), AX // RIP
	MOVQ ·codeRanges(SB), R9
	MOVQ ·codeCount(SB), R10

range:
	SUBQ $1, R10
	JCS  forward // in a library or on its way in or out: who cancels asks again
	CMPQ AX, 0(R9)
	JCS  next
	CMPQ AX, 8(R9)
	JCS  found

next:
	ADDQ $16, R9
	JMP  range

found:
	MOVL $const_reasonCancel, machine_reason(R8)
	JMP  save

forward:
	MOVLQZX DI, R9
	LEAQ ·goHandlers(SB), AX
	MOVQ (AX)(R9*8), AX
	JMP  AX

// func addresses() (callbackPC, signalPC uintptr)
TEXT ·addresses(SB), NOSPLIT, $0-16
	LEAQ ·callback(SB), AX
	MOVQ AX, callbackPC+0(FP)
	LEAQ ·signal(SB), AX
	MOVQ AX, signalPC+8(FP)
	RET

// func retire(m *machine)
// The store of busy is the last of a call: on x86 no earlier one passes it.
TEXT ·retire(SB), NOSPLIT, $0-8
	MOVQ m+0(FP), AX
	MOVL $0, machine_busy(AX)
	RET

//go:build !nojit

package jit

import (
	"errors"
	"fmt"
	"sync"
	"unsafe"
)

// machine is the meeting place of Go and compiled code on one stack: what a
// call takes and gives, where each side goes on, and what a signal found. It
// lies at the top of its stack, so that assembly finds it from any stack
// pointer; machine.s and the signal handler know it by its offsets.
type machine struct {
	goSP, goBP uint64 // where enter or resume was called
	sp, pc     uint64 // where enter begins
	// words are the argument registers: RDI, RSI, RDX, RCX, R8, R9, then XMM0 to XMM7.
	words      [16]uint64 // the last two are nothing's
	ret, fret  [2]uint64  // RAX, RDX; XMM0, XMM1
	mxcsr      uint32     // of Go, and of compiled code while a callback runs
	codeMXCSR  uint32
	reason     uint32 // why enter or resume came back
	busy       uint32 // 1 while a call has this stack
	calleeSP   uint64 // where a callback goes on
	calleeID   uint64
	cancel     uint32 // 1: the next SIGURG that finds compiled code ends it
	tid        uint32 // the thread in it, when wantTID is 1
	wantTID    uint32
	sig        uint32 // of a fault: the signal, its code and address
	sigCode    uint32
	_          uint32
	sigAddr    uint64
	regs       registers
	nextArg    uint64 // words of this call that lie on the stack, in bytes
	cancelTook uint32 // 1 when a cancellation was asked for in this call
	_          uint32
}

// registers are those of a fault, in the order of the kernel's sigcontext.
type registers [17]uint64

// Indices of registers.
const (
	regR12 = 4
	regRBP = 10
	regRBX = 11
	regRSP = 15
	regRIP = 16
)

// Why enter or resume came back.
const (
	reasonReturn = iota
	reasonCallback
	reasonFault
	reasonCancel
)

// Stacks are slots of one reserved range, so that whether an address is on one
// of them, and on which, is a comparison and a mask, also in a signal handler.
const (
	stackSlot   = 4 << 20
	stackGuard  = 256 << 10 // below each stack; what is touched there is an overflow
	machineRoom = 1024      // at the top of a slot
	maxStacks   = 1 << 15
)

// stacks is all the compiled code's stacks of this process. That they, the
// signal handlers and the numbers of callbacks are the process's, not an
// engine's, is how signals are: a handler is told nothing but registers.
var stacks struct {
	once sync.Once
	err  error
	mu   sync.Mutex
	free []*machine
	used int // slots that were opened
}

// stackLo and stackHi bound the range for the signal handler.
var stackLo, stackHi uintptr

// reserveStacks takes the range, as much of it as the process's limit on
// address space lets it.
func reserveStacks() error {
	for n := uintptr(maxStacks); n >= 16; n /= 2 {
		p, err := reserve((n + 1) * stackSlot)
		if err != nil {
			stacks.err = err
			continue
		}
		lo := (p + stackSlot - 1) &^ (stackSlot - 1)
		release(p, lo-p)
		release(lo+n*stackSlot, p+stackSlot-lo)
		stackLo, stackHi, stacks.err = lo, lo+n*stackSlot, nil
		return nil
	}
	return fmt.Errorf("jit: no address space for stacks: %w", stacks.err)
}

var errStacks = errors.New("jit: too many calls of compiled code at the same time")

// newMachine takes a stack that nobody uses.
func newMachine() (*machine, error) {
	stacks.mu.Lock()
	defer stacks.mu.Unlock()
	if n := len(stacks.free); n > 0 {
		m := stacks.free[n-1]
		stacks.free = stacks.free[:n-1]
		return m, nil
	}
	base := stackLo + uintptr(stacks.used)*stackSlot
	if base >= stackHi {
		return nil, errStacks
	}
	if err := open(base+stackGuard, stackSlot-stackGuard); err != nil {
		return nil, fmt.Errorf("jit: a stack: %w", err)
	}
	stacks.used++
	return at[machine](base + stackSlot - machineRoom), nil
}

// freeMachine lets others use a stack. One that was run into the guard has all
// its pages, which go back to the system.
func freeMachine(m *machine) {
	if m.reason == reasonFault {
		lo := m.slot() + stackGuard
		shut(lo, stackSlot-stackGuard)
		if open(lo, stackSlot-stackGuard) != nil {
			return // the slot is lost, which only counts against maxStacks
		}
	}
	m.busy, m.cancel, m.wantTID, m.tid, m.reason = 0, 0, 0, 0, 0
	stacks.mu.Lock()
	stacks.free = append(stacks.free, m)
	stacks.mu.Unlock()
}

// slot is where the stack's slot begins.
func (m *machine) slot() uintptr { return uintptr(unsafe.Pointer(m)) &^ (stackSlot - 1) }

// top is the stack pointer of a call before its arguments.
func (m *machine) top() uintptr { return uintptr(unsafe.Pointer(m)) }

// enter calls pc on the stack of m with the registers in words; resume goes on
// behind a callback with the results in ret and fret. Both come back with a
// reason. They are assembly (machine_linux_amd64.s).
func enter(m *machine)
func resume(m *machine)

// These tell the scheduler that this thread is busy outside of Go, so that
// garbage collection and other goroutines do not wait for compiled code. The
// runtime keeps both names for packages that link to them (go.dev/issue/67401).
//
//go:linkname entersyscall runtime.entersyscall
func entersyscall()

//go:linkname exitsyscall runtime.exitsyscall
func exitsyscall()

// run is enter as the scheduler sees it. Nothing in it may grow the stack.
//
//go:nosplit
func run(m *machine) {
	entersyscall()
	enter(m)
	exitsyscall()
}

//go:nosplit
func goOn(m *machine) {
	entersyscall()
	resume(m)
	exitsyscall()
}

package jit

import (
	"errors"
	"fmt"
	"strings"
)

// ErrClosed is the error of calls of an engine that was closed.
var ErrClosed = errors.New("jit: the program was closed")

// ErrCancelled ends a call whose context ended; callers see the context's error.
var ErrCancelled = errors.New("jit: the call was cancelled")

// FaultKind says what went wrong in compiled code.
type FaultKind uint8

// The kinds of faults.
const (
	// BadAddress is an access to memory that is not there, or not allowed.
	BadAddress FaultKind = iota
	// StackOverflow is an access below the stack of compiled code.
	StackOverflow
	// BadAlignment is an access behind the end of a mapped file, or unaligned where that matters (SIGBUS).
	BadAlignment
	// Arithmetic is a division by zero, or of the least number by -1.
	Arithmetic
	// Trap is llvm.trap, or code that was promised not to be reached.
	Trap
	// BadInstruction is an instruction that the processor does not have.
	BadInstruction
	// Breakpoint is llvm.debugtrap.
	Breakpoint
)

var faultText = [...]string{
	BadAddress:     "memory access at %#x",
	StackOverflow:  "stack overflow",
	BadAlignment:   "bus error at %#x",
	Arithmetic:     "division by zero or overflow",
	Trap:           "trap",
	BadInstruction: "bad instruction",
	Breakpoint:     "breakpoint",
}

// A Fault is the error of a call whose compiled code did what the processor
// refuses. The code's memory is as it was then: locks that it held stay locked,
// what it allocated stays allocated.
type Fault struct {
	Kind   FaultKind
	Addr   uintptr // what was accessed, for BadAddress and BadAlignment; 0 where the processor does not say
	Frames []Frame // where it happened, and the calls that led there
}

// A Frame is a place in compiled code, or in a library that it called.
type Frame struct {
	PC     uintptr
	Func   string // the function's name; "" where it is not known
	Offset uintptr
}

func (f *Fault) Error() string {
	var b strings.Builder
	text := faultText[f.Kind]
	if strings.Contains(text, "%") {
		fmt.Fprintf(&b, text, f.Addr)
	} else {
		b.WriteString(text)
	}
	if len(f.Frames) > 0 {
		b.WriteString(" in ")
		b.WriteString(f.Frames[0].String())
	}
	return b.String()
}

// Backtrace lists the frames, a line each.
func (f *Fault) Backtrace() string {
	var b strings.Builder
	for i := range f.Frames {
		fmt.Fprintf(&b, "#%d %#x %s\n", i, f.Frames[i].PC, &f.Frames[i])
	}
	return b.String()
}

// String is the function and the offset in it.
func (f *Frame) String() string {
	if f.Func == "" {
		return fmt.Sprintf("%#x", f.PC)
	}
	return fmt.Sprintf("%s+%#x", f.Func, f.Offset)
}

// An ExitError is the error of a call whose compiled code called exit or abort.
type ExitError struct {
	Code    int  // of exit
	Aborted bool // by abort
}

func (e *ExitError) Error() string {
	if e.Aborted {
		return "the program aborted"
	}
	return fmt.Sprintf("the program called exit(%d)", e.Code)
}

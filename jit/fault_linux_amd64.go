//go:build !nojit

package jit

import "syscall"

// fault makes the error of a call that a signal ended.
func (e *Engine) fault(m *machine) error {
	f := &Fault{}
	switch syscall.Signal(m.sig) {
	case syscall.SIGSEGV:
		f.Addr = uintptr(m.sigAddr)
		if lo := m.slot(); f.Addr >= lo && f.Addr < lo+stackGuard {
			f.Kind, f.Addr = StackOverflow, 0
		} else if m.sigCode == siKernel {
			f.Addr = 0 // an address that is no address at all (Intel SDM, general protection)
		}
	case syscall.SIGBUS:
		f.Kind, f.Addr = BadAlignment, uintptr(m.sigAddr)
	case syscall.SIGFPE:
		f.Kind = Arithmetic
	case syscall.SIGTRAP:
		f.Kind = Breakpoint
		m.regs[regRIP]-- // the processor is behind int3 then
	default:
		f.Kind = BadInstruction
		if e.isTrap(uintptr(m.regs[regRIP])) {
			f.Kind = Trap
		}
	}
	f.Frames = e.backtrace(m)
	return f
}

const siKernel = 0x80

// isTrap reports whether ud2 lies at pc: what llvm.trap becomes.
func (e *Engine) isTrap(pc uintptr) bool {
	img := e.imageAt(pc)
	return img != nil && pc+2 <= img.code.hi && *at[[2]byte](pc) == [2]byte{0x0f, 0x0b}
}

// maxFrames bounds backtraces: what a stack overflow leaves is long.
const maxFrames = 64

// backtrace goes from frame to frame by the code's call frame information, and
// ends where there is none.
func (e *Engine) backtrace(m *machine) []Frame {
	lo, hi := m.slot()+stackGuard, m.top()
	word := func(a uintptr) (uintptr, bool) {
		if a < lo || a+8 > hi || a%8 != 0 {
			return 0, false
		}
		return *at[uintptr](a), true
	}
	var r unwindRegs
	for n, i := range dwarfOrder {
		r[n] = uintptr(m.regs[i])
	}
	pc := uintptr(m.regs[regRIP])
	frames := []Frame{e.frame(pc)}
	if e.imageAt(pc) == nil {
		// A call of a bad address, or a library's code: the return address may be where the stack ends.
		if a, ok := word(r[dwarfRSP]); ok && e.imageAt(a) != nil {
			pc = a
			r[dwarfRSP] += 8
			frames = append(frames, e.frame(pc-1))
		} else {
			return frames
		}
	}
	for first := len(frames) == 1; len(frames) < maxFrames; first = false {
		look := pc
		if !first {
			look-- // the call, not what follows it
		}
		img := e.imageAt(look)
		if img == nil || !img.unwind(look, &r, word) {
			break
		}
		pc = r[dwarfRA]
		if e.imageAt(pc-1) == nil {
			break // the call from Go
		}
		frames = append(frames, e.frame(pc-1))
	}
	return frames
}

// Numbers of registers in call frame information (System V ABI, x86-64
// supplement, figure 3.36), and where the kernel's context has them.
const (
	dwarfRSP = 7
	dwarfRA  = 16
)

var dwarfOrder = [17]int{13, 12, 14, 11, 9, 8, 10, 15, 0, 1, 2, 3, 4, 5, 6, 7, 16}

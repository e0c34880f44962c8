//go:build !nojit

package jit

import (
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"
)

// sigaction is the kernel's on x86-64.
type sigaction struct {
	handler  uintptr
	flags    uint64
	restorer uintptr
	mask     uint64
}

// caught are the signals that the handler looks at first: faults, and SIGURG,
// which Go's runtime itself sends to threads and takes spurious ones of.
var caught = [...]syscall.Signal{syscall.SIGSEGV, syscall.SIGBUS, syscall.SIGFPE, syscall.SIGILL, syscall.SIGTRAP, syscall.SIGURG}

// goHandlers are the handlers that were there before, by signal.
var goHandlers [65]uintptr

// addresses returns the assembly's entries for compiled code and the kernel.
func addresses() (callbackPC, signalPC uintptr)

// installHandlers puts the handler before Go's, whose flags, mask and return it
// keeps: it runs on the thread's signal stack, as Go's has to. A signal that Go
// does not handle (in a library that is part of a C program) stays as it is.
func installHandlers() error {
	_, pc := addresses()
	for _, s := range caught {
		var act sigaction
		if _, _, e := syscall.RawSyscall6(syscall.SYS_RT_SIGACTION, uintptr(s), 0, uintptr(unsafe.Pointer(&act)), 8, 0, 0); e != 0 {
			return os.NewSyscallError("rt_sigaction", e)
		}
		if act.handler <= 1 {
			continue
		}
		goHandlers[s] = act.handler
		act.handler = pc
		if _, _, e := syscall.RawSyscall6(syscall.SYS_RT_SIGACTION, uintptr(s), uintptr(unsafe.Pointer(&act)), 0, 8, 0, 0); e != 0 {
			return os.NewSyscallError("rt_sigaction", e)
		}
	}
	return nil
}

// setUp makes this process ready for compiled code, once.
func setUp() error {
	stacks.once.Do(func() {
		if stacks.err = reserveStacks(); stacks.err != nil {
			return
		}
		if stacks.err = reserveRanges(); stacks.err != nil {
			return
		}
		stacks.err = installHandlers()
	})
	return stacks.err
}

// codeRange is where compiled code lies; [0, 0) is none.
type codeRange struct{ lo, hi uintptr }

const maxRanges = 1 << 20

// codeRanges are all of this process, for the signal handler, which may look at
// them at any moment: the first codeCount, in a table that never moves.
var (
	codeRanges *[maxRanges]codeRange
	codeCount  uintptr
	rangeLock  sync.Mutex
	freeRanges []int
)

func reserveRanges() error {
	n := unsafe.Sizeof([maxRanges]codeRange{})
	p, err := reserve(n)
	if err != nil {
		return err
	}
	if err := open(p, n); err != nil {
		return err
	}
	codeRanges = at[[maxRanges]codeRange](p)
	return nil
}

// addRange lets calls be cancelled in code from lo to hi; -1 when there is no room.
func addRange(lo, hi uintptr) int {
	rangeLock.Lock()
	defer rangeLock.Unlock()
	i := int(codeCount)
	if n := len(freeRanges); n > 0 {
		i = freeRanges[n-1]
		freeRanges = freeRanges[:n-1]
	} else if i == maxRanges {
		return -1
	}
	// The handler looks at lo first: what it sees is a range that is, or none.
	atomic.StoreUintptr(&codeRanges[i].hi, hi)
	atomic.StoreUintptr(&codeRanges[i].lo, lo)
	if i == int(codeCount) {
		atomic.StoreUintptr(&codeCount, codeCount+1)
	}
	return i
}

func dropRange(i int) {
	if i < 0 {
		return
	}
	rangeLock.Lock()
	defer rangeLock.Unlock()
	atomic.StoreUintptr(&codeRanges[i].hi, 0)
	atomic.StoreUintptr(&codeRanges[i].lo, 0)
	freeRanges = append(freeRanges, i)
}

// interrupt ends the call in m: it asks the thread that is in it by SIGURG until
// the call is over, since the thread may be in a library, whose state a cut would
// leave unfinished, or in a callback, which ends first.
func (m *machine) interrupt(over <-chan struct{}) {
	atomic.StoreUint32(&m.cancel, 1)
	pid := uintptr(os.Getpid())
	for wait := 50 * time.Microsecond; ; wait = min(2*wait, 10*time.Millisecond) {
		if tid := atomic.LoadUint32(&m.tid); tid != 0 {
			syscall.RawSyscall(syscall.SYS_TGKILL, pid, uintptr(tid), uintptr(syscall.SIGURG))
		}
		select {
		case <-over:
			return
		case <-time.After(wait):
		}
	}
}

// Package jit runs code in this process: it maps the sections of mc.Objects,
// resolves their symbols against each other and the caller's, relocates, makes
// code executable and data read-only where it should be (never writable and
// executable at once), calls it from Go, and lets it call Go.
//
// An Engine holds loaded images; Load adds some, Replace gives functions new code,
// Bind and Func0 to Func3 make Go functions of compiled ones, Callback makes
// addresses of Go functions, Close ends it all. Package mirin's Program is the way
// from a module to an engine.
//
// # How a call goes
//
// Each call runs on a stack of its own (machine_linux_amd64.go): a slot of a range
// of addresses that is reserved once, with pages below that nothing may touch. At
// the slot's top lies the machine, a struct that Go fills with arguments and
// assembly loads into registers (machine_linux_amd64.s). The scheduler is told that
// the thread is away, as for a system call, so that neither garbage collection nor
// other goroutines wait for compiled code.
//
// A callback is no call of Go by compiled code but a return: the stub that compiled
// code calls saves its registers in the machine and goes back to where Go called
// from, with a reason; Go runs the callback as itself, on a goroutine's stack that
// may grow, panic or be moved to another thread, and then resumes the compiled
// code. A fault comes back the same way: the handler of SIGSEGV and its like, put
// before Go's, sees that the stack pointer lies in the range, keeps the registers
// in the machine and sends the thread to where Go called from. All other signals
// are Go's, as are these when they come of Go's code. A call whose context ends is
// sent home by SIGURG.
//
//	bind ─► machine.words ─► enter ─► compiled code ─► ret ─► results
//	              ▲            ▲  │ callback: reason, words ─► handler in Go ─► resume
//	              └── outside ─┘  └ signal: reason, registers ─► Fault with frames (.eh_frame)
//
// Close waits for calls on their way by the machines' busy words, which calls set
// before they look at whether the engine was closed.
//
// The package is the only one with unsafe code and memory system calls; it works
// on Linux on x86-64. Elsewhere, and in programs that are built with the tag nojit,
// loading fails with a named error. It needs no C library; package jit/clib finds
// the functions of one for programs that want them. Code that is loaded here cannot
// have thread-local variables, and exceptions do not pass through it.
package jit

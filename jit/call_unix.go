//go:build (linux || darwin) && (amd64 || arm64) && !nojit

package jit

import (
	"fmt"
	"runtime"
	"unsafe"

	"github.com/ebitengine/purego"
)

// processSymbol finds a symbol of the C libraries of this process.
func (e *Engine) processSymbol(name string) (uintptr, bool) {
	if e.libs == nil {
		e.libs = libraries()
	}
	for _, lib := range e.libs {
		if a, err := purego.Dlsym(lib, name); err == nil && a != 0 {
			return a, true
		}
	}
	return 0, false
}

// libraries are the process itself and the C and math libraries.
func libraries() []uintptr {
	names := []string{"", "libc.so.6", "libm.so.6", "libgcc_s.so.1"}
	if runtime.GOOS == "darwin" {
		names = []string{"", "/usr/lib/libSystem.B.dylib"}
	}
	var libs []uintptr
	for _, n := range names {
		if h, err := purego.Dlopen(n, purego.RTLD_NOW|purego.RTLD_GLOBAL); err == nil {
			libs = append(libs, h)
		}
	}
	return libs
}

// Call calls the C function at addr with integer or pointer arguments and
// returns its result register.
func Call(addr uintptr, args ...uintptr) uintptr {
	r, _, _ := purego.SyscallN(addr, args...)
	return r
}

// Bind makes the function variable that fn points to call the compiled
// function called name, by the C calling convention:
//
//	var add func(a, b int32) int32
//	err := e.Bind("add", &add)
//
// Arguments and results are integers, floats, pointers, strings (as C strings)
// and structs of them, as purego.RegisterFunc has it.
func (e *Engine) Bind(name string, fn any) (err error) {
	addr, ok := e.Lookup(name)
	if !ok {
		return fmt.Errorf("there is no function %s", name)
	}
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("function %s: %v", name, v)
		}
	}()
	purego.RegisterFunc(fn, addr)
	return nil
}

// Callback gives a Go function an address that compiled code can call. It is
// kept for the life of the process.
func Callback(fn any) (addr uintptr, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("callback: %v", v)
		}
	}()
	return purego.NewCallback(fn), nil
}

// RunMain calls a C main with the given arguments and ends the process by C's
// exit, so that what the program buffered is written. It returns only when the
// C library has no exit.
func (e *Engine) RunMain(main uintptr, args []string) int {
	argv, keep := cStrings(args)
	code := int(int32(Call(main, uintptr(len(args)), argv)))
	runtime.KeepAlive(keep)
	if exit, ok := e.processSymbol("exit"); ok {
		Call(exit, uintptr(code))
	}
	return code
}

// RunProgram runs an image that was loaded: its constructors, then main; its
// destructors run at the end. See RunMain.
func (e *Engine) RunProgram(img *Image, main uintptr, args []string) int {
	for _, f := range e.arrays(img, ".init_array") {
		Call(f)
	}
	fini := e.arrays(img, ".fini_array")
	if atexit, ok := e.processSymbol("__cxa_atexit"); ok {
		for _, f := range fini {
			Call(atexit, f, 0, 0)
		}
	}
	return e.RunMain(main, args)
}

// cStrings makes a null-terminated argv in memory that Go does not move; keep
// holds it.
func cStrings(args []string) (argv uintptr, keep any) {
	ptrs := make([]uintptr, len(args)+1)
	var bufs [][]byte
	for i, a := range args {
		b := append([]byte(a), 0)
		bufs = append(bufs, b)
		ptrs[i] = uintptr(unsafe.Pointer(&b[0]))
	}
	return uintptr(unsafe.Pointer(&ptrs[0])), [2]any{ptrs, bufs}
}

//go:build linux && amd64 && !nojit

package jit

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/mirin-go/mirin/target/x86/elfabi"
)

// Relocations of x86-64.
const (
	rPLT32        = 4
	rREXGOTPCRELX = 42
)

// code makes an image of one function f.
func code(bytes ...byte) *Image {
	return &Image{
		Sections: []Section{{Name: ".text", Data: bytes, Size: len(bytes), Align: 16, Exec: true}},
		Symbols:  []Symbol{{Name: "f", Section: 0, Size: uint64(len(bytes))}},
	}
}

func engine(t testing.TB, cfg Config, imgs ...*Image) *Engine {
	t.Helper()
	e := New(&elfabi.ABI, cfg)
	if err := e.Load(imgs...); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

// TestLoad loads hand-assembled code that calls a Go function through a stub,
// reads a constant through the table of addresses, and returns a sum.
func TestLoad(t *testing.T) {
	text := []byte{
		0x53,                         // push %rbx
		0xbf, 0xfb, 0xff, 0xff, 0xff, // mov $-5, %edi
		0xe8, 0, 0, 0, 0, // call abs@PLT
		0x48, 0x8b, 0x0d, 0, 0, 0, 0, // mov k@GOTPCREL(%rip), %rcx
		0x03, 0x01, // add (%rcx), %eax
		0x5b, // pop %rbx
		0xc3, // ret
	}
	img := code(text...)
	img.Sections = append(img.Sections, Section{Name: ".data", Data: []byte{37, 0, 0, 0}, Size: 4, Align: 4, Write: true})
	img.Symbols = append(img.Symbols, Symbol{Name: "abs", Section: Undefined}, Symbol{Name: "k", Section: 1})
	img.Relocs = []Reloc{
		{Section: 0, Offset: 7, Type: rPLT32, Symbol: 1, Addend: -4},
		{Section: 0, Offset: 14, Type: rREXGOTPCRELX, Symbol: 2, Addend: -4},
	}
	e := New(&elfabi.ABI, Config{})
	defer e.Close()
	abs, err := e.Callback(func(n int32) int32 { return max(n, -n) })
	if err != nil {
		t.Fatal(err)
	}
	e.cfg.Resolve = func(string) (uintptr, bool) { return abs, true }
	if err := e.Load(img); err != nil {
		t.Fatal(err)
	}
	f, ok := e.Lookup("f")
	if !ok {
		t.Fatal("f is not found")
	}
	if got, err := e.Call(f); got != 42 || err != nil {
		t.Errorf("got %d, %v, want 42", got, err)
	}
	if c, _, ok := e.Code("f"); !ok || len(c) != len(text) {
		t.Errorf("the code of f is %d bytes, %t", len(c), ok)
	}
}

func TestMissing(t *testing.T) {
	e := New(&elfabi.ABI, Config{})
	defer e.Close()
	err := e.Load(&Image{Symbols: []Symbol{{Name: "no_such_function_anywhere", Section: Undefined}}})
	var m *MissingError
	if !errors.As(err, &m) || len(m.Names) != 1 {
		t.Errorf("an undefined symbol: %v", err)
	}
}

// TestFaults ends calls by each signal, many times: the stack is used again.
func TestFaults(t *testing.T) {
	for _, c := range []struct {
		kind FaultKind
		addr uintptr
		text []byte
	}{
		{BadAddress, 16, []byte{0x48, 0x8b, 0x04, 0x25, 16, 0, 0, 0, 0xc3}}, // mov 16, %rax
		{BadAddress, 0, []byte{0x48, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x8b, 0x00, 0xc3}},
		{Arithmetic, 0, []byte{0x31, 0xc9, 0xf7, 0xf1, 0xc3}}, // xor %ecx, %ecx; div %ecx
		{Trap, 0, []byte{0x0f, 0x0b}},
		{BadInstruction, 0, []byte{0x06}},
		{Breakpoint, 0, []byte{0xcc}},
		{StackOverflow, 0, []byte{0x68, 0, 0, 0, 0, 0xeb, 0xf9}}, // push in a loop
		{BadAddress, 8, []byte{0xfd, 0x48, 0x8b, 0x04, 0x25, 8, 0, 0, 0}},
	} {
		e := engine(t, Config{}, code(c.text...))
		var f func() error
		if err := e.Bind("f", &f, nil); err != nil {
			t.Fatal(err)
		}
		for range 20 {
			var fault *Fault
			if err := f(); !errors.As(err, &fault) || fault.Kind != c.kind || fault.Addr != c.addr {
				t.Fatalf("% x: %v, want kind %d, address %#x", c.text, err, c.kind, c.addr)
			}
			if len(fault.Frames) == 0 || fault.Frames[0].Func != "f" {
				t.Fatalf("% x: frames %v", c.text, fault.Frames)
			}
		}
		var g func()
		if err := e.Bind("f", &g, nil); err != nil {
			t.Fatal(err)
		}
		func() {
			defer func() {
				if _, ok := recover().(*Fault); !ok {
					t.Error("a call without an error result did not panic with the fault")
				}
			}()
			g()
		}()
	}
}

// TestGoFaults: a fault in Go is Go's, as it was.
func TestGoFaults(t *testing.T) {
	engine(t, Config{}, code(0xc3))
	defer func() {
		if r, ok := recover().(runtime.Error); !ok || !strings.Contains(r.Error(), "nil pointer") {
			t.Errorf("recovered %v", r)
		}
	}()
	var p *int
	*p = 1
}

// TestCancel ends an endless loop by its context.
func TestCancel(t *testing.T) {
	e := engine(t, Config{}, code(0xeb, 0xfe)) // jmp to itself
	var f func(context.Context) error
	if err := e.Bind("f", &f, nil); err != nil {
		t.Fatal(err)
	}
	for range 5 {
		ctx, cancel := context.WithTimeout(context.Background(), 3*time.Millisecond)
		if err := f(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the loop ended with %v", err)
		}
		cancel()
	}
	var g func() error
	if err := e.Bind("f", &g, nil); err != nil {
		t.Fatal(err)
	}
	// Garbage collection does not wait for a loop in compiled code.
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- f(ctx) }()
	runtime.GC()
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("the loop ended with %v", err)
	}
}

// callRDI is `sub $8, %rsp; call *%rdi; add $8, %rsp; ret`.
var callRDI = []byte{0x48, 0x83, 0xec, 8, 0xff, 0xd7, 0x48, 0x83, 0xc4, 8, 0xc3}

// TestCallbacks makes more of them than fit in a page, calls through nested
// ones, and lets errors and panics out.
func TestCallbacks(t *testing.T) {
	e := engine(t, Config{}, code(callRDI...))
	var f func(uintptr) (uintptr, error)
	if err := e.Bind("f", &f, nil); err != nil {
		t.Fatal(err)
	}
	for i := range 3000 {
		a, err := e.Callback(func() uintptr { return uintptr(i) })
		if err != nil {
			t.Fatal(err)
		}
		if got, err := f(a); got != uintptr(i) || err != nil {
			t.Fatalf("callback %d: %d, %v", i, got, err)
		}
	}
	var again uintptr
	depth := 0
	again, _ = e.Callback(func() uintptr {
		if depth++; depth == 50 {
			runtime.GC()
			return grow(1000)
		}
		n, err := f(again)
		if err != nil {
			t.Error(err)
		}
		return n + 1
	})
	if got, err := f(again); got != 1000+49 || err != nil {
		t.Errorf("nested callbacks: %d, %v", got, err)
	}
	errOwn := errors.New("own")
	a, _ := e.Callback(func() error { return errOwn })
	if _, err := f(a); err != errOwn {
		t.Errorf("the callback's error became %v", err)
	}
	a, _ = e.Callback(func() { panic("out") })
	for range 100 {
		func() {
			defer func() {
				if r := recover(); r != "out" {
					t.Errorf("recovered %v", r)
				}
			}()
			f(a)
		}()
	}
}

// grow makes the goroutine's stack grow under a callback.
func grow(n uintptr) uintptr {
	var pad [256]byte
	pad[n%256] = 1
	if n == 0 {
		return uintptr(pad[0]) - 1
	}
	return grow(n-1) + 1
}

// TestSignatures: what Go says is held to what the function is.
func TestSignatures(t *testing.T) {
	e := engine(t, Config{}, code(0x48, 0x8d, 0x04, 0x37, 0xc3)) // lea (%rdi,%rsi), %rax
	sig := &Signature{Params: []Param{{Kind: Int, Bits: 64}, {Kind: Pointer}}, Results: []Param{{Kind: Int, Bits: 64}}}
	for _, c := range []struct {
		fn   any
		want string
	}{
		{new(func(int64, unsafe.Pointer) int64), ""},
		{new(func(uint64, uintptr) int), ""},
		{new(func(context.Context, uint64, []byte) (int64, error)), ""},
		{new(func(int64) int64), "takes 2 arguments"},
		{new(func(int32, uintptr) int64), "argument 1 is i64, Go has int32"},
		{new(func(int64, float64) int64), "argument 2 is ptr, Go has float64"},
		{new(func(int64, string) float64), "result 1 is i64, Go has float64"},
		{new(func(int64, string)), "it has 1 results"},
		{new(func(int64, ...string)), "variadic"},
		{func() {}, "want a pointer to a function variable"},
	} {
		err := e.Bind("f", c.fn, sig)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%T: %v, want %q", c.fn, err, c.want)
		}
	}
}

// TestClose: calls on their way end before memory goes, later ones fail.
func TestClose(t *testing.T) {
	for range 50 {
		e := New(&elfabi.ABI, Config{})
		// mov $20000, %eax; 1: dec %eax; jne 1b; ret
		if err := e.Load(code(0xb8, 0x20, 0x4e, 0, 0, 0xff, 0xc8, 0x75, 0xfc, 0xc3)); err != nil {
			t.Fatal(err)
		}
		f, err := Func0[Void](e, "f", nil)
		if err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				for {
					if _, err := f(); err != nil {
						if !errors.Is(err, ErrClosed) {
							t.Error(err)
						}
						return
					}
				}
			})
		}
		time.Sleep(200 * time.Microsecond)
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
		wg.Wait()
	}
	if n := stacks.used; n > 200 {
		t.Errorf("%d stacks were made", n)
	}
}

func BenchmarkCall(b *testing.B) {
	e := engine(b, Config{}, code(0x48, 0x8d, 0x04, 0x37, 0xc3))
	var f func(a, b int64) int64
	if err := e.Bind("f", &f, nil); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		f(3, 4)
	}
}

func BenchmarkCallback(b *testing.B) {
	e := engine(b, Config{}, code(callRDI...))
	var f func(uintptr) uintptr
	if err := e.Bind("f", &f, nil); err != nil {
		b.Fatal(err)
	}
	a, err := e.Callback(func() {})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		f(a)
	}
}

func BenchmarkReflected(b *testing.B) {
	e := engine(b, Config{}, code(0x48, 0x8d, 0x04, 0x37, 0xc3))
	var f func(a int64, b uint8) int64
	if err := e.Bind("f", &f, nil); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		f(3, 4)
	}
}

package jit

import (
	"testing"

	"github.com/mirin-go/mirin/target/x86/elfabi"
)

// Relocations of x86-64.
const (
	rPLT32        = 4
	rREXGOTPCRELX = 42
)

// TestLoad loads hand-assembled code that calls the C library through a stub,
// reads a constant through the table of addresses, and returns a sum.
func TestLoad(t *testing.T) {
	// push %rbx; movabs-free: call abs(-5) ; add from @k through GOT; pop; ret
	code := []byte{
		0x53,                         // push %rbx
		0xbf, 0xfb, 0xff, 0xff, 0xff, // mov $-5, %edi
		0xe8, 0, 0, 0, 0, // call abs@PLT
		0x48, 0x8b, 0x0d, 0, 0, 0, 0, // mov k@GOTPCREL(%rip), %rcx
		0x03, 0x01, // add (%rcx), %eax
		0x5b, // pop %rbx
		0xc3, // ret
	}
	img := &Image{
		Sections: []Section{
			{Name: ".text", Data: code, Size: len(code), Align: 16, Exec: true},
			{Name: ".data", Data: []byte{37, 0, 0, 0}, Size: 4, Align: 4, Write: true},
		},
		Symbols: []Symbol{
			{Name: "f", Section: 0},
			{Name: "abs", Section: Undefined},
			{Name: "k", Section: 1},
		},
		Relocs: []Reloc{
			{Section: 0, Offset: 7, Type: rPLT32, Symbol: 1, Addend: -4},
			{Section: 0, Offset: 14, Type: rREXGOTPCRELX, Symbol: 2, Addend: -4},
		},
	}
	e := New(&elfabi.ABI, nil)
	defer e.Close()
	if err := e.Load(img); err != nil {
		t.Skipf("skipped: %v", err)
	}
	f, ok := e.Lookup("f")
	if !ok {
		t.Fatal("f is not found")
	}
	if got := Call(f); got != 42 {
		t.Errorf("got %d, want 42", got)
	}
}

// TestBuiltin: functions that the C library keeps out of its shared object are
// made of the ABI.
func TestBuiltin(t *testing.T) {
	e := New(&elfabi.ABI, nil)
	defer e.Close()
	if _, ok := e.processSymbol("__cxa_atexit"); !ok {
		t.Skip("skipped: no C library in this process")
	}
	for _, name := range []string{"atexit", "at_quick_exit"} {
		if a, ok := e.builtin(name); !ok || a == 0 {
			t.Errorf("%s is not made", name)
		}
	}
	if _, ok := e.builtin("printf"); ok {
		t.Error("printf is made")
	}
}

func TestMissing(t *testing.T) {
	e := New(&elfabi.ABI, nil)
	err := e.Load(&Image{Symbols: []Symbol{{Name: "no_such_function_anywhere", Section: Undefined}}})
	if err == nil {
		t.Error("an undefined symbol went unnoticed")
	}
}

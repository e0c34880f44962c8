package globalisel_test

import (
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/mirin-go/mirin"
	"github.com/mirin-go/mirin/internal/oddwidth"
	"github.com/mirin-go/mirin/interp"
	"github.com/mirin-go/mirin/ir/irtext"
)

// TestOddWidths compiles every operation on every odd width for x86-64 and
// compares with the interpreter. Nothing may run without end or be wrong; what
// is refused is refused by name. The tiny target has the same test for 32 bits.
func TestOddWidths(t *testing.T) {
	if runtime.GOARCH != "amd64" || runtime.GOOS != "linux" {
		t.Skip("needs an x86-64 Linux to run what it compiles")
	}
	for _, opt := range []mirin.Level{mirin.O0, mirin.O2} {
		for k, p := range oddwidth.Programs(true) {
			if testing.Short() && k%7 != 0 || opt != mirin.O0 && k%3 != 0 {
				continue
			}
			runOddWidth(t, p, opt)
		}
	}
}

func runOddWidth(t *testing.T, p oddwidth.Program, opt mirin.Level) {
	mod, err := irtext.Parse(p.Name, []byte(p.Source), irtext.Options{})
	if err != nil {
		t.Fatalf("%s: %v\n%s", p.Name, err, p.Source)
	}
	prog, err := mirin.Load(mod, &mirin.Options{Opt: opt})
	if err != nil {
		if e := err.Error(); !strings.Contains(e, "is not supported") || strings.Contains(e, "without end") {
			t.Errorf("%s: %v", p.Name, err)
		}
		return
	}
	defer prog.Close()
	var f func(n int32) int32
	if err := prog.Func("f", &f); err != nil {
		t.Fatal(err)
	}
	compareOddWidth(t, p, f)
}

// compareOddWidth compares a compiled program with the interpreter, which reads
// the source anew: compiling must not have changed the module.
func compareOddWidth(t *testing.T, p oddwidth.Program, f func(n int32) int32) {
	mod, err := irtext.Parse(p.Name, []byte(p.Source), irtext.Options{})
	if err != nil {
		t.Fatal(err)
	}
	vm, err := interp.New(mod, interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for n := range oddwidth.Inputs {
		want, err := vm.Call("f", interp.Value{Bits: uint64(n)})
		if err != nil {
			if u := (*interp.NotSupported)(nil); !errors.As(err, &u) {
				t.Errorf("%s(%d): %v", p.Name, n, err)
			}
			break
		}
		if got, w := uint32(f(int32(n))), uint32(want[0].Bits); got != w {
			t.Errorf("%s(%d) = %#x, want %#x", p.Name, n, got, w)
		}
	}
}

package tiny

import (
	"errors"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/codegen/driver"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/codegen/pipeline"
	"github.com/mirin-go/mirin/internal/oddwidth"
	"github.com/mirin-go/mirin/interp"
	"github.com/mirin-go/mirin/ir/irtext"
	"github.com/mirin-go/mirin/target"
)

// TestOddWidths compiles every operation on every odd width for a machine of 32
// bits and compares with the interpreter. Nothing may run without end or be
// wrong; what is refused is refused by name.
func TestOddWidths(t *testing.T) {
	tab, err := tables()
	if err != nil {
		t.Fatal(err)
	}
	refused := 0
	levels(t, func(t *testing.T, opt target.OptLevel) {
		m, err := target.NewMachine(&Target, target.Options{Triple: "tiny", Opt: opt})
		if err != nil {
			t.Fatal(err)
		}
		passes := pipeline.Passes(pipeline.Options{Opt: opt, Target: &Target})
		for k, p := range oddwidth.Programs(true) {
			if testing.Short() && k%7 != 0 || opt != 0 && k%3 != 0 {
				continue
			}
			mod, err := irtext.Parse(p.Name, []byte(p.Source), irtext.Options{DataLayout: m.Layout.Text})
			if err != nil {
				t.Fatalf("%s: %v\n%s", p.Name, err, p.Source)
			}
			j := &driver.Job{Machine: m, Module: mod, Workers: 1,
				Runner: &pass.Runner{Passes: passes, Config: pass.Config{Verify: true}}, CheckRegAlloc: true}
			obj, _, errs := j.Object()
			if len(errs) > 0 {
				e := errs[0].Error()
				if !strings.Contains(e, "is not supported") || strings.Contains(e, "without end") {
					t.Errorf("%s: %v", p.Name, errs)
				}
				refused++
				continue
			}
			s, err := link(tab, obj)
			if err != nil {
				if strings.Contains(err.Error(), "is not defined") {
					continue // the run-time library's
				}
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
				got, err := s.call("f", uint32(n))
				if w := uint32(want[0].Bits); err != nil || uint32(got) != w {
					t.Errorf("%s(%d) = %#x (%v), want %#x", p.Name, n, uint32(got), err, w)
				}
			}
		}
	})
	// Division of more than 64 bits, and vectors in memory, which the frames of this target cannot align.
	if refused > 50 {
		t.Errorf("%d programs are refused", refused)
	}
}

package main

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/mir"
)

// TestReproducer: a pass that panics leaves the function's MIR from before it,
// which llc reads, and the exit status of an internal error.
func TestReproducer(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	o := &llcOptions{opt: "0", fileType: "asm"}
	src, err := os.ReadFile("../../examples/primes.ll")
	if err != nil {
		t.Fatal(err)
	}
	in, err := o.parse("primes.ll", string(src), false)
	if err != nil {
		t.Fatal(err)
	}
	c, err := newCompilation(o, in)
	if err != nil {
		t.Fatal(err)
	}
	ps := append([]*pass.Pass{}, c.runner.Passes...)
	for k, p := range ps {
		if p.Name == "regallocfast" {
			broken := *p
			broken.Run = func(c *pass.Context, f *mir.Function) error {
				if f.Name == "main" {
					panic("out of luck")
				}
				return p.Run(c, f)
			}
			ps[k] = &broken
		}
	}
	c.runner.Passes = ps
	var stderr bytes.Buffer
	_, err = c.compile(&stderr)
	if code := fail(&stderr, "llc", err); code != 70 {
		t.Errorf("exit status %d, want 70", code)
	}
	m := regexp.MustCompile(`before the pass is in (\S+\.mir)`).FindStringSubmatch(stderr.String())
	if m == nil || !strings.Contains(stderr.String(), `internal error in pass "regallocfast" on function "main": out of luck`) {
		t.Fatalf("got %s", stderr.String())
	}
	code, out, msg := llc("-O0", "-run-pass=regallocfast", m[1], "-o", "-")
	if code != 0 || !strings.Contains(out, "name:            main") || !strings.Contains(out, "noVRegs:         true") {
		t.Errorf("the reproducer does not run: %s", msg)
	}
}

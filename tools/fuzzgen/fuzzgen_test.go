package main

import (
	"os/exec"
	"testing"

	"github.com/mirin-go/mirin/target/all"
)

// A few modules are right at every level; campaigns are longer.
func TestSeeds(t *testing.T) {
	if all.Native() == nil {
		t.Skip("there is no code generator for this machine")
	}
	o := options{funcs: 12, steps: 25, inputs: 3, levels: []string{"0", "2"}}
	n := uint64(4)
	if testing.Short() {
		n = 1
	}
	compared := 0
	for seed := range n {
		r := o.compare(seed + 1)
		compared += r.compared
		for _, w := range r.wrong {
			t.Errorf("seed %d: %s", seed+1, w)
		}
		if r.refused > 0 {
			t.Errorf("seed %d is refused", seed+1)
		}
	}
	if compared < int(n)*o.funcs/2 {
		t.Errorf("only %d functions were compared", compared)
	}
}

// What is written has one meaning: an installed llc's programs say the same.
func TestReference(t *testing.T) {
	for _, tool := range []string{"llc-22", "cc"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(tool + " is not installed")
		}
	}
	o := options{funcs: 6, steps: 20, inputs: 2, ref: "llc-22"}
	for _, w := range o.compare(1).wrong {
		t.Error(w)
	}
}

// eBPF of all versions computes the same.
func TestBPF(t *testing.T) {
	o := options{funcs: 4, steps: 20, inputs: 2, levels: []string{"0", "2"}, bpf: true}
	compared := 0
	for seed := range uint64(2) {
		r := o.compareBPF(seed + 1)
		compared += r.compared
		for _, w := range r.wrong {
			t.Errorf("seed %d: %s", seed+1, w)
		}
	}
	if compared < 8 {
		t.Errorf("only %d functions were compared", compared)
	}
}

package bpf

import (
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/bpf/irpass"
)

// checkAndOptIR takes away what kept optimizers from confusing the kernel's verifier, and
// casts what memory is reached through to the one address space that instructions have.
var checkAndOptIR = target.Pass{
	Name: "bpf-check-and-opt-ir", Title: "BPF Check And Adjust IR", After: "atomic-expand", IR: true,
	Run: func(_ target.PassContext, f *mir.Function) error {
		if f.IR == nil || f.FirstBlock() != 0 || !irpass.NeedsCheckAndOpt(f.IR) {
			return nil
		}
		return irpass.CheckAndOpt(f.OwnIR())
	},
}

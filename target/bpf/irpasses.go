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

// irPasses are those of package irpass.
func irPasses(r *target.IRRun) (out []target.IRPass) {
	run := irpass.NewRun(r.Module, r.Layout)
	run.Warn = r.Warn
	for _, p := range irpass.Passes() {
		out = append(out, target.IRPass{Name: p.Name, Title: p.Title, Flag: p.Name == checkAndOptIR.Name, Run: func() error { return run.Run(&p) }})
	}
	return out
}

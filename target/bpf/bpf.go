package bpf

import (
	"github.com/mirin-go/mirin/desc/facts"
	"github.com/mirin-go/mirin/desc/family"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/triple"
)

// Target is the target.
var Target = target.Target{
	Name:         "bpf",
	Desc:         "BPF (host endian)",
	Family:       &family.Rows[family.BPF],
	Facts:        facts.BPF,
	Matches:      func(t triple.Triple) bool { return t.Arch == triple.BPFEL || t.Arch == triple.BPFEB },
	DefaultCPU:   "generic",
	Reloc:        target.RelocPIC,
	NewSubtarget: newSubtarget,
	ISel:         iselHooks,
	Instr:        instrHooks,
	Frame:        frameHooks,
	MC:           mcHooks,
	IRPasses:     irPasses,
	Passes:       []target.Pass{checkAndOptIR, simplifyPatchable},
	Does:         []target.Request{{Kind: target.AskFunction, Name: "naked"}},
}

func newSubtarget(st *target.Subtarget) (err error) {
	s := isaOf(st)
	st.Instr, st.Legal = &instrTable, rules(&s)
	st.Call, err = callConv(st, &s)
	return err
}

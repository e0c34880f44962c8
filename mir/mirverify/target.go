package mirverify

import (
	"github.com/mirin-go/mirin/desc/family"
	"github.com/mirin-go/mirin/mir"
)

// targetRule checks what LLVM's targets add, for the targets whose rules the
// facts suffice for; Options.Target takes its place. The result is a message,
// "" when there is no fault. As in LLVM, an instruction has one such fault at most.
func (v *Verifier) targetRule(i mir.InstrID) string {
	if rule := targetRules[v.row.ID]; rule != nil {
		return rule(v, i)
	}
	return ""
}

// targetRules are the rules by back end, each in a file named for it.
var targetRules = [family.Count]func(*Verifier, mir.InstrID) string{
	family.AArch64: (*Verifier).aarch64Rule,
	family.AMDGPU:  (*Verifier).amdgpuRule,
	family.ARM:     (*Verifier).armRule,
	family.Mips:    (*Verifier).mipsRule,
	family.RISCV:   (*Verifier).riscvRule,
	family.SystemZ: (*Verifier).systemzRule,
	family.X86:     (*Verifier).x86Rule,
}

// moreReserved correct the set of reserved registers for what the variants of the facts do not know.
var moreReserved = [family.Count]func(*Verifier){
	family.AMDGPU: (*Verifier).amdReserved,
}

package mirverify

import "github.com/mirin-go/mirin/mir"

// targetRule checks what LLVM's targets add, for the targets whose rules the
// facts suffice for; Options.Target takes its place. The result is a message,
// "" when there is no fault. As in LLVM, an instruction has one such fault at most.
func (v *Verifier) targetRule(i mir.InstrID) string {
	if v.in.Target == "AMDGPU" {
		return v.amdgpuRule(i)
	}
	return ""
}

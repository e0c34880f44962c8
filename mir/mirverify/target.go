package mirverify

import "github.com/mirin-go/mirin/mir"

// targetRule checks what LLVM's targets add, for those rules that the facts
// suffice for. The result is a message, "" when there is no fault.
func (v *Verifier) targetRule(i mir.InstrID) string { return "" }

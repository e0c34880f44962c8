package x86

import (
	"github.com/mirin-go/mirin/desc/facts"
	"github.com/mirin-go/mirin/target"
)

// Target is x86-64.
var Target = target.Target{
	Name:      "x86-64",
	Desc:      "64-bit X86: EM64T and AMD64",
	FactsName: "X86",
	Facts:     facts.X86,
	Matches: func(t target.Triple) bool {
		return (t.Arch == "x86_64" || t.Arch == "amd64" || t.Arch == "x86_64h") && t.IsELF()
	},
	DataLayout: func(target.Triple) string {
		return "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
	},
	DefaultCPU: "x86-64",
	ISel: target.ISelHooks{
		LowerFormalArguments: lowerFormalArguments,
		LowerReturn:          lowerReturn,
		LowerCall:            lowerCall,
		CanLowerReturn:       canLowerReturn,
		NativeRMW:            nativeRMW,
		MaxAtomicBits:        func(*target.Subtarget) int { return 64 },
		JumpTableKind:        jumpTableKind,
		LegalizeCustom:       legalizeCustom,
		RegBanks:             regBankInfo,
		Selector:             selector,
	},
	Instr: instrHooks,
	Frame: frameHooks,
	MC:    mcHooks,
}

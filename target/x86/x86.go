package x86

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/facts"
	"github.com/mirin-go/mirin/desc/family"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// Target is x86-64.
var Target = target.Target{
	Name:         "x86-64",
	Desc:         "64-bit X86: EM64T and AMD64",
	Family:       &family.Rows[family.X86],
	Facts:        facts.X86,
	Matches:      matches,
	DefaultCPU:   "x86-64",
	TuneCPU:      tuneCPU,
	NewSubtarget: newSubtarget,
	ISel: target.ISelHooks{
		PrefFuncAlign: 4,
		ShiftAdd:      3, // LEA
		BlockMove:     &blockMove,
		NativeRMW:     nativeRMW,
		MaxAtomicBits: func(*target.Subtarget) int { return 64 },
		JumpTableKind: jumpTableKind,
		InlineAsm:     &inlineAsm,
		Prepare:       prepareHooks,

		UnalignedBytes: 8,
		ExceptionRegs:  func(*target.Subtarget) (exception, selector desc.PhysReg) { return tab.RAX, tab.RDX },
		Legalize:       customLegalize, LegalizeIntrinsic: legalizeIntrinsic,
		Banks:    registerBanks,
		Selector: func(*target.Subtarget) (target.Selector, error) { return makeSelector() },
	},
	Instr:   instrHooks,
	Frame:   frameHooks,
	Outline: &outlineHooks,
	MC:      mcHooks,
	// In LLVM's order.
	Passes: []target.Pass{
		cmovConversion,
		fixupSetCC,
		optimizeLEAs,
		callFrameOpt,
		avoidSFB,
		flagsCopyLowering,
		expandPseudo,
		fixupBW,
		fixupLEAs,
		compressEVEX,
	},
}

// tuneCPU is LLVM's choice of what to tune for: front ends that name x86-64 mean
// any processor; who names none gets the oldest.
func tuneCPU(cpu string) string {
	switch cpu {
	case "":
		return "i586"
	case "x86-64":
		return "generic"
	}
	return cpu
}

package x86

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/facts"
	"github.com/mirin-go/mirin/desc/family"
	"github.com/mirin-go/mirin/objabi"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/elfabi"
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
		MaxAtomicBits: maxAtomicBits,
		MaxAtomicMove: 64,
		JumpTableKind: jumpTableKind,
		InlineAsm:     &inlineAsm,
		StackGuard:    stackGuard,
		HasFloat:      hasFloat,
		QuadSuffix:    quadSuffix,
		Prepare:       prepareHooks,

		ExceptionRegs: func(*target.Subtarget) (exception, selector desc.PhysReg) { return tab.RAX, tab.RDX },
		Legalize:      customLegalize, LegalizeIntrinsic: legalizeIntrinsic, SignalNaN: signalNaN,
		Banks:    registerBanks,
		Selector: func(*target.Subtarget) (target.Selector, error) { return makeSelector() },
	},
	Instr:    instrHooks,
	Frame:    frameHooks,
	Outline:  &outlineHooks,
	MC:       mcHooks,
	Requests: requests,

	CodeModels: []target.CodeModel{target.CodeModelKernel, target.CodeModelMedium, target.CodeModelLarge},
	Does:       does,
	Flags: []target.Flag{{Name: "x86-enable-apx-for-relocation", Help: "Enable APX features (EGPR, NDD and NF) for instructions with relocations on x86-64 ELF",
		Set: func(t *target.Tuning, on bool) { t.NewRelocations = on }}},
	// In LLVM's order.
	Passes: []target.Pass{
		cleanupTLS,
		domainReassignment,
		cmovConversion,
		fixupSetCC,
		optimizeLEAs,
		callFrameOpt,
		avoidSFB,
		flagsCopyLowering,
		suppressAPXReloc,
		fpStackifier,
		expandPseudo,
		branchTracking,
		vzeroUpper,
		fixupBW,
		fixupLEAs,
		compressEVEX,
		returnThunks,
	},
}

// Target32 is the same in 32-bit mode.
var Target32 = func() target.Target {
	t := Target
	t.Name, t.Desc, t.DefaultCPU = "x86", "32-bit X86: Pentium-Pro and above", "generic"
	t.Facts, t.Matches, t.Frame = facts.I386, matches32, frameHooks32
	t.CodeModels, t.Outline, t.MC.ABIs = nil, nil, []*objabi.ABI{&elfabi.ABI32}
	t.ISel.ExceptionRegs = func(*target.Subtarget) (exception, selector desc.PhysReg) { return tab.EAX, tab.EDX }
	t.ISel.MaxAtomicMove = 32
	return t
}()

// requests are what x86 is asked beside what all targets are.
var requests = []target.Request{
	{Kind: target.AskFunction, Name: "fn_ret_thunk_extern"},
	{Kind: target.AskModule, Name: "indirect_branch_cs_prefix"},
	{Kind: target.AskFeature, Name: "retpoline"},
	{Kind: target.AskFeature, Name: "retpoline-indirect-calls"},
	{Kind: target.AskFeature, Name: "retpoline-indirect-branches"},
	{Kind: target.AskFeature, Name: "retpoline-external-thunk"},
	{Kind: target.AskFeature, Name: "lvi-cfi"},
	{Kind: target.AskFeature, Name: "lvi-load-hardening"},
	{Kind: target.AskFeature, Name: "seses"},
	{Kind: target.AskFeature, Name: "harden-sls-ret"},
	{Kind: target.AskFeature, Name: "harden-sls-ijmp"},
	{Kind: target.AskFeature, Name: "tagged-globals"},
	{Kind: target.AskFeature, Name: "soft-float"},
}

// does is what is done of them, and of what all targets are asked.
var does = []target.Request{
	{Kind: target.AskFunction, Name: "ssp"},
	{Kind: target.AskFunction, Name: "sspreq"},
	{Kind: target.AskFunction, Name: "sspstrong"},
	{Kind: target.AskModule, Name: "stack-protector-guard", Value: "global"},
	{Kind: target.AskModule, Name: "stack-protector-guard-reg", Value: "fs"},
	{Kind: target.AskModule, Name: "stack-protector-guard-reg", Value: "gs"},
	{Kind: target.AskModule, Name: "stack-protector-guard-offset"},
	{Kind: target.AskFunction, Name: "naked"},
	{Kind: target.AskFunction, Name: "probe-stack"},
	{Kind: target.AskFunction, Name: "zero-call-used-regs"},
	{Kind: target.AskFunction, Name: "fn_ret_thunk_extern"},
	{Kind: target.AskModule, Name: "indirect_branch_cs_prefix"},
	{Kind: target.AskModule, Name: "cf-protection-branch"},
	{Kind: target.AskModule, Name: "cf-protection-return"},
	{Kind: target.AskFeature, Name: "harden-sls-ret"},
	{Kind: target.AskFeature, Name: "harden-sls-ijmp"},
	{Kind: target.AskFunction, Name: "fentry-call"},
	{Kind: target.AskFunction, Name: "function-instrument"},
	{Kind: target.AskFunction, Name: "xray-instruction-threshold"},
	{Kind: target.AskFunction, Name: "patchable-function"},
	{Kind: target.AskFunction, Name: "patchable-function-entry"},
	{Kind: target.AskFunction, Name: "patchable-function-prefix"},
	{Kind: target.AskFunction, Name: "instrument-function-entry-inlined"},
	{Kind: target.AskFunction, Name: "instrument-function-exit-inlined"},
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

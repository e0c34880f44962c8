package x86

import (
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
	"github.com/mirin-go/mirin/triple"
)

// Address spaces of what segment registers address.
const (
	spaceGS = 256
	spaceFS = 257
	spaceSS = 258
)

// Where C libraries keep the word of stack protectors, in the block of the thread.
const (
	guardOffset        = 0x28
	guardOffsetFuchsia = 0x10
)

// guardVariable has the word where there is no place for it in the block of the thread.
const guardVariable = "__stack_chk_guard"

// threadGuard is where the block of the thread has the word of stack protectors; ok is
// false for systems that keep it in a variable.
func threadGuard(st *target.Subtarget) (offset int64, ok bool) {
	switch st.Triple.OS {
	case triple.OSLinux, triple.OSKFreeBSD, triple.OSHurd:
		return guardOffset, true
	case triple.OSFuchsia:
		return guardOffsetFuchsia, true
	}
	return guardOffset, false
}

// stackGuard reads the word of stack protectors; a kernel says by module flags where it
// has it. OpenBSD's word is hidden, and a handler is told the function's name: no register.
func stackGuard(st *target.Subtarget, b *mir.Builder) mir.Reg {
	f := b.F
	offset, inThread := threadGuard(st)
	if how, ok := f.Module.FlagString("stack-protector-guard"); ok {
		inThread = how == "tls" || how != "global" && inThread
	}
	mem := mir.MemOperand{Type: mir.Pointer(0, 64), Size: 8, BaseAlign: 3, Flags: mir.MemLoad | mir.MemVolatile}
	base, segment := mir.RegOp(0, 0), mir.RegOp(0, 0)
	var disp mir.Operand
	switch {
	case inThread:
		which, space := tab.FS, uint32(spaceFS)
		if st.Options.CodeModel == target.CodeModelKernel {
			which, space = tab.GS, spaceGS
		}
		if v, _ := f.Module.FlagString("stack-protector-guard-reg"); v == "gs" {
			which, space = tab.GS, spaceGS
		}
		if v, ok := f.Module.FlagInt("stack-protector-guard-offset"); ok {
			offset = int64(int32(v))
		}
		disp, segment, mem.AddrSpace = mir.ImmOp(offset), mir.RegOp(reg(which), 0), space
	case st.Triple.OS == triple.OSOpenBSD:
		return 0
	default:
		// The linker finds it within the program, whatever that is: LLVM's is dso_local.
		base, disp = mir.RegOp(reg(tab.RIP), 0), mir.IndexOp(mir.OpExtSym, f.Symbol(guardVariable), 0, 0)
	}
	r := f.AddVReg(int16(tab.GR64RegClassID))
	i := b.Build(tab.MOV64rm, mir.RegOp(r, mir.Def), base, mir.ImmOp(1), mir.RegOp(0, 0), disp, segment)
	f.SetMem(i, f.AddMem(mem))
	return r
}

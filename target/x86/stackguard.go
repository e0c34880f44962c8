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
	guardOffset32      = 0x14
	guardOffsetFuchsia = 0x10
)

// guardVariable has the word where there is no place for it in the block of the thread.
const guardVariable = "__stack_chk_guard"

// threadGuard is where the block of the thread has the word of stack protectors; ok is
// false for systems that keep it in a variable.
func threadGuard(st *target.Subtarget) (offset int64, ok bool) {
	switch st.Triple.OS {
	case triple.OSLinux, triple.OSKFreeBSD, triple.OSHurd:
		if !modeOf(st).is64() {
			return guardOffset32, true
		}
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
	m := modeOf(st)
	mem := mir.MemOperand{Type: m.p0(), Size: m.word, BaseAlign: m.align, Flags: mir.MemLoad | mir.MemVolatile}
	addr := []mir.Operand{mir.RegOp(0, 0), mir.ImmOp(1), mir.RegOp(0, 0), mir.ImmOp(0), mir.RegOp(0, 0)}
	switch {
	case inThread:
		which, space := m.thread, m.threadSpace
		if st.Options.CodeModel == target.CodeModelKernel {
			which, space = tab.GS, spaceGS
		}
		if v, _ := f.Module.FlagString("stack-protector-guard-reg"); v == "gs" {
			which, space = tab.GS, spaceGS
		} else if v == "fs" {
			which, space = tab.FS, spaceFS
		}
		if v, ok := f.Module.FlagInt("stack-protector-guard-offset"); ok {
			offset = int64(int32(v))
		}
		addr[addrDisp], addr[addrSegment], mem.AddrSpace = mir.ImmOp(offset), mir.RegOp(reg(which), 0), space
	case st.Triple.OS == triple.OSOpenBSD:
		return 0
	default:
		// The linker finds it within the program, whatever that is: LLVM's is dso_local.
		addr = symbolMem(st, f, mir.IndexOp(mir.OpExtSym, f.Symbol(guardVariable), 0, 0))
	}
	r := f.AddVReg(int16(m.gr))
	i := b.Build(m.load, append([]mir.Operand{mir.RegOp(r, mir.Def)}, addr...)...)
	f.SetMem(i, f.AddMem(mem))
	return r
}

package x86

import (
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// Address spaces of what segment registers address.
const (
	spaceGS = 256
	spaceFS = 257
)

// guardOffset is where the C library keeps the word of stack protectors, in the block of the thread.
const guardOffset = 0x28

// stackGuard reads the word of stack protectors; a kernel says by module flags where it has it.
func stackGuard(_ *target.Subtarget, b *mir.Builder) mir.Reg {
	f := b.F
	segment, space, offset := tab.FS, uint32(spaceFS), int64(guardOffset)
	if v, _ := f.Module.FlagString("stack-protector-guard-reg"); v == "gs" {
		segment, space = tab.GS, spaceGS
	}
	if v, ok := f.Module.FlagInt("stack-protector-guard-offset"); ok {
		offset = int64(int32(v))
	}
	r := f.AddVReg(int16(tab.GR64RegClassID))
	i := b.Build(tab.MOV64rm, mir.RegOp(r, mir.Def), mir.RegOp(0, 0), mir.ImmOp(1), mir.RegOp(0, 0), mir.ImmOp(offset), mir.RegOp(reg(segment), 0))
	f.SetMem(i, f.AddMem(mir.MemOperand{Type: mir.Pointer(0, 64), Size: 8, AddrSpace: space, BaseAlign: 3, Flags: mir.MemLoad | mir.MemVolatile}))
	return r
}

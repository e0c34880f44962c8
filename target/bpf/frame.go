package bpf

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/bpf/tab"
)

// frameHooks: the kernel gives each function 512 bytes below R10, and nothing moves. No
// register is saved: what a call keeps the kernel itself keeps.
var frameHooks = target.FrameHooks{
	FramePointer: tab.R10, AlwaysFramePointer: true, SavesNothing: true,
	OffsetOperand: 1, OffsetBits: 16,
	ReplaceFrameIndex: replaceFrameIndex,
	AdjustStack:       func(*target.Subtarget, *mir.Builder, int64) error { return nil },
	EmitPrologue:      func(*target.Subtarget, *mir.Function, mir.BlockID) error { return nil },
	EmitEpilogue:      func(*target.Subtarget, *mir.Function, mir.BlockID) error { return nil },
}

// replaceFrameIndex: loads and stores have the offset; the address of an object is R10 and the
// offset, in two instructions.
func replaceFrameIndex(_ *target.Subtarget, f *mir.Function, i mir.InstrID, op int, base mir.Reg, off int64) error {
	in := f.Instr(i)
	if size := int64(f.Frame.StackSize); size > stackLimit {
		return overflow(f, size)
	}
	switch in.Opcode {
	case tab.MOV_rr, tab.FI_ri:
		if in.Opcode == tab.FI_ri {
			off += f.Op(i, 2).Imm()
		}
		dst := f.Op(i, 0).Reg()
		b := mir.Builder{F: f, Loc: in.Loc}
		b.SetBefore(i)
		b.BuildInstr(tab.MOV_rr, mir.RegOp(dst, mir.Def), mir.RegOp(base, 0))
		b.BuildInstr(tab.ADD_ri, mir.RegOp(dst, mir.Def), mir.RegOp(dst, 0), mir.ImmOp(off))
		f.Erase(i)
	default:
		f.ReplaceOp(i, op, mir.RegOp(base, 0))
		f.SetImm(i, op+1, off+f.Op(i, op+1).Imm())
	}
	return nil
}

// stackLimit is the size of a function's stack, which the kernel gives it (MAX_BPF_STACK).
const stackLimit = 512

// overflow says which variables fill the stack, the largest first.
func overflow(f *mir.Function, size int64) error {
	type object struct {
		name string
		size int64
	}
	var list []object
	for k := range f.Frame.Objects {
		o := &f.Frame.Objects[k]
		if o.Size == mir.DeadSize {
			continue
		}
		name := "a temporary"
		if o.Name != 0 && f.IR != nil {
			if n := f.IR.ValueNames[o.Name]; n != "" {
				name = n
			}
		}
		list = append(list, object{name, o.Size})
	}
	slices.SortStableFunc(list, func(a, b object) int { return int(b.size - a.size) })
	s := ""
	for k, o := range list {
		if k == 3 {
			break
		}
		s += fmt.Sprintf(" %s has %d bytes;", o.name, o.size)
	}
	return fmt.Errorf("in function %s: Looks like the BPF stack limit is exceeded. Please move large on stack variables into BPF per-cpu array map: %d bytes of %d:%s",
		f.Name, size, stackLimit, strings.TrimSuffix(s, ";"))
}

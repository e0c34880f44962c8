package bpf

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mirin-go/mirin/ir"
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
func replaceFrameIndex(st *target.Subtarget, f *mir.Function, i mir.InstrID, op int, base mir.Reg, off int64) error {
	in := f.Instr(i)
	if size := int64(f.Frame.StackSize); size > stackLimit {
		return overflow(st, f, i, size)
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

// StackOverflow is the error of a function with more variables than the kernel's stack has room for.
type StackOverflow struct {
	Func        string
	Size, Limit int64 // bytes
	// Objects are what lies on the stack, the largest first.
	Objects []StackObject
	refusal error
}

// Unwrap gives the place.
func (e *StackOverflow) Unwrap() error { return e.refusal }

// StackObject is one variable on the stack, or what the compiler keeps there.
type StackObject struct {
	Name string
	Size int64 // bytes
}

// Error is LLVM's message, with the three largest objects.
func (e *StackOverflow) Error() string {
	s := ""
	for _, o := range e.Objects[:min(3, len(e.Objects))] {
		s += fmt.Sprintf(" %s has %d bytes;", o.Name, o.Size)
	}
	return fmt.Sprintf("%v %d bytes of %d:%s", e.refusal, e.Size, e.Limit, strings.TrimSuffix(s, ";"))
}

// tooLarge is LLVM's sentence.
const tooLarge = "Looks like the BPF stack limit is exceeded. Please move large on stack variables into BPF per-cpu array map. " +
	"For non-kernel uses, the stack can be increased using -mllvm -bpf-stack-size."

// overflow makes the error of instruction i, the first that needs the stack.
func overflow(st *target.Subtarget, f *mir.Function, i mir.InstrID, size int64) error {
	loc := f.Instr(i).Loc
	for at := f.Block(f.Instr(i).Block()).First(); at != 0 && loc == 0; at = f.Instr(at).Next() {
		loc = f.Instr(at).Loc
	}
	e := &StackOverflow{Func: f.Name, Size: size, Limit: stackLimit, refusal: st.Refusal(f, loc, tooLarge)}
	for k := range f.Frame.Objects {
		o := &f.Frame.Objects[k]
		if o.Size == mir.DeadSize {
			continue
		}
		name := "a temporary"
		if f.IR != nil && o.DebugVar != 0 {
			if v := f.IR.Module.MD.At(ir.MDID(o.DebugVar)); v != nil && v.FieldText("name") != "" {
				name = v.FieldText("name")
			}
		} else if o.Name != 0 && f.IR != nil {
			if n := f.IR.ValueNames[o.Name]; n != "" {
				name = n
			}
		}
		e.Objects = append(e.Objects, StackObject{name, o.Size})
	}
	slices.SortStableFunc(e.Objects, func(a, b StackObject) int { return int(b.Size - a.Size) })
	return e
}

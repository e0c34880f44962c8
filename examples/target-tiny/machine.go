package tiny

import (
	"errors"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// instructions names what passes build by themselves. What Tiny.td does not have
// is an error here, not a wrong instruction later.
func (t *tableSet) instructions() (err error) {
	op := func(name string) desc.Opcode {
		o, ok := t.info.OpcodeByName(name)
		if !ok {
			err = errors.Join(err, errors.New("no "+name+" in Tiny.td"))
		}
		return o
	}
	gpr, ok := t.info.RegClassByName("gpr")
	if !ok {
		return errors.New("no gpr in Tiny.td")
	}
	t.gpr, t.addi = gpr, op("ADDI")
	t.instr = target.InstrTable{
		Copies:   []target.CopyRow{{Dst: gpr, Src: gpr, Op: t.addi}},
		Spills:   []target.SpillRow{{Class: gpr, Store: op("SW"), Load: op("LW")}},
		Jump:     op("J"),
		Branches: [][2]desc.Opcode{{op("BEQ"), op("BNE")}, {op("BLT"), op("BGE")}, {op("BLTU"), op("BGEU")}},
	}
	t.calls = target.CallConv{Call: op("CALL"), CallReg: op("CALLR"), CallClass: gpr, Return: op("RET")}
	for _, name := range [...]string{"r4", "r5", "r6", "r7"} {
		r, ok := t.info.RegByName(name)
		if !ok {
			err = errors.Join(err, errors.New("no "+name+" in Tiny.td"))
		}
		t.calls.VarArgRegs = append(t.calls.VarArgRegs, r)
	}
	return err
}

// frameHooks: the frame has, from the stack pointer up, outgoing arguments,
// locals, saved registers, and the caller's arguments above them. There is no
// frame pointer. A frame index is always followed by the number that is added to it.
var frameHooks = target.FrameHooks{
	OffsetOperand: 1,
	OffsetBits:    18,
	AdjustStack: func(st *target.Subtarget, b *mir.Builder, n int64) error {
		if n < -1<<17 || n >= 1<<17 {
			return st.NotSupported(b.F, "a stack frame of more than 128 KiB")
		}
		sp := mir.Reg(st.Variant.StackPointer)
		b.Build(loaded().addi, mir.RegOp(sp, mir.Def), mir.RegOp(sp, 0), mir.ImmOp(n))
		return nil
	},
}

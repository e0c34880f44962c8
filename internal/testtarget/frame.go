package testtarget

import (
	"errors"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// ops are the instructions, registers and classes that Go builds with.
type ops struct {
	dr, ar, cr                             desc.ClassID
	li, lui, addi, mova, adda, addai, bica desc.Opcode
	lwa, swa                               desc.Opcode
	d15, a4, a5, a6, sp                    mir.Reg
}

// instructions names what passes build by themselves.
func (t *tableSet) instructions() (err error) {
	op := func(name string) desc.Opcode {
		o, ok := t.info.OpcodeByName(name)
		if !ok {
			err = errors.Join(err, errors.New("no "+name+" in Big.td"))
		}
		return o
	}
	reg := func(name string) mir.Reg { r, _ := t.info.RegByName(name); return mir.Reg(r) }
	class := func(name string) desc.ClassID { c, _ := t.info.RegClassByName(name); return c }
	dr, ar, cr, lr := class("dr"), class("ar"), class("cr"), class("linkr")
	t.ops = ops{dr, ar, cr, op("LI"), op("LUI"), op("ADDI"), op("MOVA"), op("ADDA"), op("ADDAI"), op("BICAI"), op("LWA"), op("SWA"),
		reg("d15"), reg("a4"), reg("a5"), reg("a6"), reg("a7")}
	t.instr = target.InstrTable{
		Copies: []target.CopyRow{{Dst: dr, Src: dr, Op: op("MOV")}, {Dst: ar, Src: ar, Op: t.mova}, {Dst: cr, Src: cr, Op: op("MOVC")},
			{Dst: dr, Src: ar, Op: op("MOVDA")}, {Dst: ar, Src: dr, Op: op("MOVAD")}, {Dst: dr, Src: cr, Op: op("MOVDC")}, {Dst: cr, Src: dr, Op: op("MOVCD")}},
		Spills: []target.SpillRow{{Class: dr, Store: op("SW"), Load: op("LW")}, {Class: ar, Store: t.swa, Load: t.lwa},
			{Class: cr, Store: op("SWC"), Load: op("LWC")}, {Class: lr, Store: op("SWL"), Load: op("LWL")}},
		Jump:     op("J"),
		Branches: [][2]desc.Opcode{{op("BT"), op("BF")}},
	}
	a0 := desc.PhysReg(reg("a0"))
	t.calls = target.CallConv{Call: op("CALL"), CallReg: op("CALLR"), CallClass: ar, Return: op("RET"), VarArgRegs: []desc.PhysReg{},
		StructReturn: func(uint16) desc.PhysReg { return a0 }}
	t.frame = target.FrameHooks{FramePointer: desc.PhysReg(t.a6), BasePointer: desc.PhysReg(t.a4), SavesFramePointer: true,
		ReplaceFrameIndex: t.replaceFrameIndex, AdjustStack: t.adjustStack, EmitPrologue: t.prologue, EmitEpilogue: t.epilogue}
	return err
}

// A frame has, from the stack pointer up, outgoing arguments, locals, saved
// registers, the caller's frame pointer when there is one of its own, which points
// to the caller's arguments above them. D15 and A5 belong to the code below.

func def(r mir.Reg) mir.Operand { return mir.RegOp(r, mir.Def) }
func use(r mir.Reg) mir.Operand { return mir.RegOp(r, 0) }

// add sets d to a+n.
func (t *tableSet) add(b *mir.Builder, d, a mir.Reg, n int64) {
	if int64(int16(n)) == n {
		b.Build(t.addai, def(d), use(a), mir.ImmOp(n))
		return
	}
	b.Build(t.lui, def(t.d15), mir.ImmOp(int64(uint32(n+0x8000)>>16)))
	b.Build(t.addi, def(t.d15), use(t.d15), mir.ImmOp(int64(int16(n))))
	b.Build(t.adda, def(d), use(a), use(t.d15))
}

func (t *tableSet) adjustStack(_ *target.Subtarget, b *mir.Builder, n int64) error {
	t.add(b, t.sp, t.sp, n)
	return nil
}

// replaceFrameIndex: an offset of more than 16 bits is added to the base first.
func (t *tableSet) replaceFrameIndex(st *target.Subtarget, f *mir.Function, i mir.InstrID, op int, base mir.Reg, off int64) error {
	off += f.Op(i, op+1).Imm()
	if int64(int16(off)) != off {
		b := &mir.Builder{F: f, Loc: f.Instr(i).Loc}
		b.SetBefore(i)
		b.Build(t.lui, def(t.d15), mir.ImmOp(int64(uint32(off+0x8000)>>16)))
		b.Build(t.adda, def(t.a5), use(base), use(t.d15))
		base, off = t.a5, int64(int16(off))
	}
	f.ReplaceOp(i, op, use(base))
	f.SetImm(i, op+1, off)
	return nil
}

func (t *tableSet) prologue(st *target.Subtarget, f *mir.Function, b mir.BlockID) error {
	bd := &mir.Builder{F: f, Block: b, At: f.Block(b).First(), Flags: mir.FrameSetup}
	size := int64(f.Frame.StackSize)
	if !st.HasFP(f) {
		if size != 0 {
			t.add(bd, t.sp, t.sp, -size)
		}
		return nil
	}
	// The new frame pointer is made beside the old one, which is saved below it.
	bd.Build(t.mova, def(t.a5), use(t.sp))
	bd.Build(t.addai, def(t.sp), use(t.sp), mir.ImmOp(-8))
	bd.Build(t.swa, use(t.a6), use(t.a5), mir.ImmOp(-4))
	bd.Build(t.mova, def(t.a6), use(t.a5))
	t.add(bd, t.sp, t.sp, 8-size)
	if st.NeedsRealign(f) {
		bd.Build(t.bica, def(t.sp), use(t.sp), mir.ImmOp(1<<f.Frame.MaxAlign-1))
	}
	if st.HasBasePointer(f) {
		// Behind the saves, of which one is the base pointer's.
		for bd.At != 0 && f.Instr(bd.At).Flags()&mir.FrameSetup != 0 {
			bd.At = f.Instr(bd.At).Next()
		}
		bd.Build(t.mova, def(t.a4), use(t.sp))
	}
	return nil
}

func (t *tableSet) epilogue(st *target.Subtarget, f *mir.Function, b mir.BlockID) error {
	bd := &mir.Builder{F: f, Block: b, At: f.FirstTerminator(b), Flags: mir.FrameDestroy}
	size := int64(f.Frame.StackSize)
	if !st.HasFP(f) {
		if size != 0 {
			t.add(bd, t.sp, t.sp, size)
		}
		return nil
	}
	bd.Build(t.mova, def(t.a5), use(t.a6))
	bd.Build(t.lwa, def(t.a6), use(t.a5), mir.ImmOp(-4))
	bd.Build(t.mova, def(t.sp), use(t.a5))
	return nil
}

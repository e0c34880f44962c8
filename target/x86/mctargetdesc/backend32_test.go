package mctargetdesc

import (
	"encoding/binary"
	"testing"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// The relocations of i386: types, places and what stands in these, as LLVM has them.
func TestI386(t *testing.T) {
	in := x86(t)
	st := &mc.Subtarget{Info: in, Features: make([]uint64, in.FeatureWords)}
	f, _ := in.FeatureByName("32bit-mode")
	bit := in.Features[f].Bit
	st.Features[bit/64] |= 1 << (bit % 64)
	load := func(m mc.Modifier, base desc.PhysReg) func(*mc.Context, mc.Sym) []mc.Operand {
		return func(c *mc.Context, s mc.Sym) []mc.Operand {
			return []mc.Operand{mc.Reg(tab.EAX), mc.Reg(base), mc.Imm(1), mc.Reg(0), mc.ExprOp(c.Ref(s, m)), mc.Reg(0)}
		}
	}
	imm := func(off int64) func(*mc.Context, mc.Sym) []mc.Operand {
		return func(c *mc.Context, s mc.Sym) []mc.Operand {
			return []mc.Operand{mc.Reg(tab.EBX), mc.Reg(tab.EBX), mc.ExprOp(c.RefOff(s, 0, off))}
		}
	}
	for _, c := range []struct {
		op     desc.Opcode
		ops    func(*mc.Context, mc.Sym) []mc.Operand
		name   string
		typ    uint32
		offset uint64
		value  int32
	}{
		{tab.CALLpcrel32, func(c *mc.Context, s mc.Sym) []mc.Operand { return []mc.Operand{mc.ExprOp(c.Ref(s, 0))} }, "foo", 2, 1, -4},
		{tab.CALLpcrel32, func(c *mc.Context, s mc.Sym) []mc.Operand { return []mc.Operand{mc.ExprOp(c.Ref(s, ModPLT))} }, "foo", 4, 1, -4},
		{tab.MOV32rm, load(mc.ModNone, tab.ECX), "foo", 1, 2, 0},
		{tab.MOV32rm, load(ModGOT, tab.EBX), "foo", 43, 2, 0},
		{tab.MOV32rm, load(ModGOT, 0), "foo", 3, 2, 0},
		{tab.MOV16rm, load(ModGOT, tab.EBX), "foo", 3, 3, 0},
		{tab.LEA32r, load(ModGOTOFF, tab.EBX), "foo", 9, 2, 0},
		{tab.LEA32r, load(ModTLSGD, tab.EBX), "foo", 18, 2, 0},
		{tab.LEA32r, load(ModTLSLDM, tab.EBX), "foo", 19, 2, 0},
		{tab.LEA32r, load(ModDTPOFF, tab.EBX), "foo", 32, 2, 0},
		{tab.MOV32rm, load(ModNTPOFF, 0), "foo", 17, 2, 0},
		{tab.MOV32rm, load(ModGOTNTPOFF, tab.EBX), "foo", 16, 2, 0},
		{tab.MOV32rm, load(ModINDNTPOFF, 0), "foo", 15, 2, 0},
		{tab.ADD32ri, imm(0), "_GLOBAL_OFFSET_TABLE_", 10, 2, 2},
		{tab.ADD32ri, imm(3), "_GLOBAL_OFFSET_TABLE_", 10, 2, 5},
		{tab.ADD32ri, imm(3), "foo", 1, 2, 3},
		{tab.LEA32r, load(mc.ModNone, tab.EBX), "_GLOBAL_OFFSET_TABLE_", 10, 2, 2},
	} {
		o := mc.NewObjectStreamer(mc.NewContext(AsmInfo()), NewEncoder(in), NewBackend32(in))
		inst := (&mc.Inst{}).Set(c.op, c.ops(o.Context(), o.Context().Symbol(c.name))...)
		if err := o.Inst(inst, st); err != nil {
			t.Error(err)
			continue
		}
		obj, err := o.Object()
		if err != nil || len(obj.Sections[0].Relocs) != 1 {
			t.Errorf("%s %s: %v", in.OpcodeName(c.op), c.name, err)
			continue
		}
		r, text := obj.Sections[0].Relocs[0], obj.Sections[0].Data
		v := int32(binary.LittleEndian.Uint32(text[min(r.Offset, uint64(len(text)-4)):]))
		if r.Type != c.typ || r.Offset != c.offset || v != c.value || r.Addend != 0 {
			t.Errorf("%s %s: %+v with %d in %x, want type %d at %d with %d", in.OpcodeName(c.op), c.name, r, v, text, c.typ, c.offset, c.value)
		}
	}
}

package x86

import (
	"math"
	"math/bits"

	"github.com/mirin-go/mirin/codegen/matchtable"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// Selection of x87 code: constants, and the stack slots through which values
// come from other registers. Patterns are in X86X87.td.

// fp80 is a number of the x87's format: 64 bits that begin with a one, unless the
// number is subnormal or zero, and sign and exponent.
type fp80 struct {
	mantissa uint64
	top      uint16
}

// The exponents of 1, and of what is no finite number.
const (
	fp80Bias   = 16383
	fp80NoReal = 0x7fff
)

// asDouble gives the bits of a double of the same value, for finite numbers that have one.
func (v fp80) asDouble() (uint64, bool) {
	e := int(v.top & 0x7fff)
	switch {
	case v.mantissa == 0 && e == 0:
		return uint64(v.top>>15) << 63, true
	case e == fp80NoReal, v.mantissa>>63 == 0:
		return 0, false
	}
	x := math.Ldexp(float64(v.mantissa>>11), e-fp80Bias-52)
	if v.mantissa&0x7ff != 0 || math.IsInf(x, 0) {
		return 0, false
	}
	// Subnormals lose bits.
	if f, ex := math.Frexp(x); f == 0 || ex-1 != e-fp80Bias || e-fp80Bias < -1022 {
		return 0, false
	}
	return math.Float64bits(x) | uint64(v.top>>15)<<63, true
}

// asFloat is asDouble for float.
func (v fp80) asFloat() (uint64, bool) {
	d, ok := v.asDouble()
	x := math.Float64frombits(d)
	f := float32(x)
	if !ok || float64(f) != x || f != 0 && math.Abs(x) < 0x1p-126 {
		return 0, false
	}
	return uint64(math.Float32bits(f)), true
}

// constFP80 is the value of a G_FCONSTANT of the x87's format.
func constFP80(f *mir.Function, d mir.InstrID) (fp80, bool) {
	if d == 0 || f.Instr(d).Opcode != desc.G_FCONSTANT || f.TypeOf(f.Op(d, 0).Reg()).Bits() != 80 {
		return fp80{}, false
	}
	c := &f.FPImms[f.Op(d, 1).Index()]
	return fp80{c.Lo, uint16(c.Hi)}, true
}

// made reports the constants that instructions make.
func (v fp80) made() bool { return v.top == 0 && v.mantissa == 0 || v == fp80{1 << 63, fp80Bias} }

// selectFP80Const matches a constant that is kept in memory as a number of so
// many bits: the smallest format that holds it. Not its own instruction but
// another one takes it in where it is the only user.
func selectFP80Const(bits int) func(m *matchtable.Matcher, r mir.Reg) bool {
	return func(m *matchtable.Matcher, r mir.Reg) bool {
		f := m.F
		d := f.UniqueDef(r)
		v, ok := constFP80(f, d)
		if !ok || v.made() || d != m.Root() && (f.Instr(d).Block() != f.Instr(m.Root()).Block() || !f.HasOneUse(r)) {
			return false
		}
		ty, words, least := ir.X86FP80, []uint64{v.mantissa, uint64(v.top)}, 80
		if w, ok := v.asFloat(); ok {
			ty, words, least = ir.Float, []uint64{w}, 32
		} else if w, ok := v.asDouble(); ok {
			ty, words, least = ir.Double, []uint64{w}, 64
		}
		if least != bits {
			return false
		}
		c, align := f.IRConsts(), uint8(2)
		id := ir.ConstID(0)
		switch bits {
		case 80:
			id, align = c.Wide(ir.ConstFP, ty, words), 4
		case 64:
			id, align = c.FP(ty, words[0]), 3
		default:
			id = c.FP(ty, words[0])
		}
		n := f.AddConst(id, align)
		m.RenderMem(f.AddMem(mir.MemOperand{Type: mir.Scalar(bits), Size: int64(bits / 8), PtrKind: mir.PtrConstantPool,
			Flags: mir.MemLoad | mir.MemDereferenceable | mir.MemInvariant, BaseAlign: align}))
		renderSymbol(m, mir.IndexOp(mir.OpCPI, uint32(n), 0, 0))
		return true
	}
}

// selectCustom is globalisel.Selector.Custom.
func selectCustom(m *matchtable.Matcher, i mir.InstrID) (bool, error) {
	if isThreadPointer(m.F, i) {
		selectThreadPointer(m.F, i)
		m.Constrain(i)
		return true, nil
	}
	if m.F.Instr(i).Opcode == desc.G_BRJT && !modeOf(m.ST).is64() {
		selectTableJump(m, i)
		return true, nil
	}
	if selectTile(m, i) {
		return true, nil
	}
	if ok, err := selectX87(m, i); ok || err != nil {
		return ok, err
	}
	return selectVector(m, i)
}

// selectX87 selects the constants that are instructions: 0, 1 and their opposites.
func selectX87(m *matchtable.Matcher, i mir.InstrID) (bool, error) {
	f := m.F
	v, ok := constFP80(f, i)
	if !ok || !v.made() {
		return false, nil
	}
	op := tab.LD_Fp080
	if v.mantissa != 0 {
		op = tab.LD_Fp180
	}
	ops := []mir.Operand{mir.RegOp(f.Op(i, 0).Reg(), mir.Def)}
	for _, r := range f.Facts.ImplicitDefs(op) {
		ops = append(ops, mir.RegOp(reg(r), mir.Def|mir.Implicit))
	}
	for _, r := range f.Facts.ImplicitUses(op) {
		ops = append(ops, mir.RegOp(reg(r), mir.Implicit))
	}
	f.Become(i, op, ops...)
	m.Constrain(i)
	return true, nil
}

// newSlot renders the address of a new stack slot of some bytes, theSlot that of
// the last one.
func newSlot(bytes int64) func(m *matchtable.Matcher, i mir.InstrID, op int) {
	return func(m *matchtable.Matcher, _ mir.InstrID, _ int) {
		m.F.Frame.CreateStackObject(bytes, uint8(bits.TrailingZeros64(uint64(bytes))), 0)
		addSlot(m, bytes, mir.MemStore)
	}
}

func theSlot(bytes int64) func(m *matchtable.Matcher, i mir.InstrID, op int) {
	return func(m *matchtable.Matcher, _ mir.InstrID, _ int) { addSlot(m, bytes, mir.MemLoad) }
}

func addSlot(m *matchtable.Matcher, bytes int64, fl mir.MemFlags) {
	f := m.F
	n := f.Frame.End() - 1
	mem := slotMem(n, mir.Scalar(int(8*bytes)), bytes)
	mem.Flags, mem.BaseAlign = fl, f.Frame.Object(n).Align
	m.AddMem(f.AddMem(mem))
	m.Add(mir.FrameOp(n))
	m.Add(mir.ImmOp(1))
	m.Add(mir.RegOp(0, 0))
	m.Add(mir.ImmOp(0))
	m.Add(mir.RegOp(0, 0))
}

// expandFPToInt stores a number truncated to an integer, by an instruction that
// rounds as the control word says: that is changed around it.
func expandFPToInt(f *mir.Function, i mir.InstrID) mir.BlockID {
	blk := f.Instr(i).Block()
	store := map[desc.Opcode]desc.Opcode{tab.FP80_TO_INT16_IN_MEM: tab.IST_Fp16m80, tab.FP80_TO_INT32_IN_MEM: tab.IST_Fp32m80,
		tab.FP80_TO_INT64_IN_MEM: tab.IST_Fp64m80}[f.Instr(i).Opcode]
	b := mir.Builder{F: f, Loc: f.Instr(i).Loc}
	b.SetBefore(i)
	word := func(op desc.Opcode, slot int, fl mir.MemFlags, before, behind []mir.Operand) {
		ops := append(before, mir.FrameOp(slot), mir.ImmOp(1), mir.RegOp(0, 0), mir.ImmOp(0), mir.RegOp(0, 0))
		n := b.BuildInstr(op, append(ops, behind...)...)
		m := slotMem(slot, mir.Scalar(16), 2)
		m.BaseAlign, m.Flags = 1, fl
		f.SetMem(n, f.AddMem(m))
	}
	was, truncating := f.Frame.CreateStackObject(2, 1, 0), f.Frame.CreateStackObject(2, 1, 0)
	old, changed, low := f.AddVReg(int16(tab.GR32RegClassID)), f.AddVReg(int16(tab.GR32RegClassID)), f.AddVReg(int16(tab.GR16RegClassID))
	word(tab.FNSTCW16m, was, mir.MemStore, nil, nil)
	word(tab.MOVZX32rm16, was, mir.MemLoad, []mir.Operand{mir.RegOp(old, mir.Def)}, nil)
	const towardZero = 3 << 10 // the rounding control
	b.BuildInstr(tab.OR32ri, mir.RegOp(changed, mir.Def), mir.RegOp(old, 0), mir.ImmOp(towardZero))
	b.Build(desc.COPY, mir.RegOp(low, mir.Def), mir.SubRegOp(changed, uint16(tab.Sub16Bit), 0))
	word(tab.MOV16mr, truncating, mir.MemStore, nil, []mir.Operand{mir.RegOp(low, 0)})
	word(tab.FLDCW16m, truncating, mir.MemLoad, nil, nil)
	ops := make([]mir.Operand, 0, addrOps+1)
	for k := range addrOps + 1 {
		ops = append(ops, *f.Op(i, k))
	}
	n := b.BuildInstr(store, ops...)
	f.SetMem(n, f.MemIDs(i)...)
	word(tab.FLDCW16m, was, mir.MemLoad, nil, nil)
	f.Erase(i)
	return blk
}

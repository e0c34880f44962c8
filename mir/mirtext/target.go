package mirtext

import (
	"math/bits"
	"strconv"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
)

// loaded does what LLVM's targets do to a function when its MIR was read.
func (r *funcReader) loaded() {
	f := r.f
	switch r.in.Target {
	case "AArch64":
		if f.Frame.MaxCallFrameSize == ^uint32(0) {
			f.Frame.MaxCallFrameSize = maxCallFrame(f)
		}
	case "AMDGPU":
		if r.wave32() {
			narrowVCC(f)
		}
	}
}

// maxCallFrame is the largest size that an instruction which opens or closes a call sequence names.
func maxCallFrame(f *mir.Function) uint32 {
	size := int64(0)
	v := &f.Facts.Variants[0]
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			if op := f.Instr(i).Opcode; op == v.FrameSetup || op == v.FrameDestroy {
				if ops := f.Ops(i); len(ops) > 0 && ops[0].Kind() == mir.OpImm {
					size = max(size, ops[0].Imm())
				}
			}
		}
	}
	return uint32(size)
}

// wave32 reports AMDGPU's waves of 32 lanes, where VCC has one register.
func (r *funcReader) wave32() bool {
	st := subtargetOf(r.f)
	return st.has("wavefrontsize32") || st.has("gfx10-insts") && !st.has("wavefrontsize64")
}

// narrowVCC makes implicit uses and definitions of VCC those of its lower half.
func narrowVCC(f *mir.Function) {
	vcc, ok1 := f.Facts.RegByName("vcc")
	lo, ok2 := f.Facts.RegByName("vcc_lo")
	if !ok1 || !ok2 {
		return
	}
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			if f.Instr(i).Flags()&mir.BundledPred != 0 {
				continue
			}
			for k, n := 0, len(f.Ops(i)); k < n; k++ {
				if o := f.Op(i, k); o.IsReg() && o.IsImplicit() && o.Reg() == mir.Reg(vcc) {
					f.SetReg(i, k, mir.Reg(lo))
				}
			}
		}
	}
}

// functionAlign is log2 of the alignment that a target's functions have before
// code generation decides otherwise.
func functionAlign(in *desc.Info, triple string) uint8 {
	t := splitTriple(triple)
	switch in.Target {
	case "X86", "Hexagon", "SystemZ", "VE":
		return 4
	case "LoongArch":
		return 5
	case "BPF":
		return 3
	case "Mips":
		if len(t.arch) >= 6 && t.arch[:6] == "mips64" {
			return 3
		}
		return 2
	case "ARM":
		if len(t.arch) >= 5 && t.arch[:5] == "thumb" {
			return 1
		}
		return 2
	case "PowerPC":
		if t.arch == "powerpc64le" || t.arch == "ppc64le" {
			return 4
		}
		return 2
	case "AArch64", "Lanai", "RISCV", "Sparc", "XCore", "Xtensa":
		return 2
	case "AVR", "M68k", "MSP430":
		return 1
	}
	return 0
}

// stackAlignAttr is log2 of what the attribute alignstack asks for.
func stackAlignAttr(f *mir.Function) uint8 {
	if f.Module == nil {
		return 0
	}
	g := globalOf(f)
	if g == nil {
		return 0
	}
	a, ok := f.Module.Attrs.At(g.Attrs).Fn.Get("alignstack")
	if !ok || a.Int == 0 {
		return 0
	}
	return uint8(bits.TrailingZeros64(a.Int))
}

// pointerSpace is the address space of a memory operand that does not name one.
func (p *miParser) pointerSpace(m *mir.MemOperand) uint32 {
	switch m.PtrKind {
	case mir.PtrValue:
		return p.valueSpace(ir.Value(m.Ptr))
	case mir.PtrStack, mir.PtrFixedStack:
		if p.in.Target == "AMDGPU" {
			return 5
		}
	case mir.PtrGOT, mir.PtrJumpTable, mir.PtrConstantPool, mir.PtrGlobalCall, mir.PtrExtSymCall:
		if p.in.Target == "AMDGPU" {
			return 4
		}
	}
	return 0
}

// valueSpace is the address space that a pointer points into.
func (p *miParser) valueSpace(v ir.Value) uint32 {
	m := p.out.Module
	t := ir.Type(0)
	switch v.Tag() {
	case ir.TagGlobal:
		return m.Globals[v.Global()].AddrSpace
	case ir.TagConst:
		t = p.f.IRConsts().At(v.Const()).Type
	case ir.TagLocal:
		if p.f.IR != nil {
			t = p.f.IR.Instrs[v.Instr()].Type
		}
	}
	if t == 0 || m.Types.Kind(t) != ir.KindPointer {
		return 0
	}
	return m.Types.AddrSpace(t)
}

// targetComment appends what a target remarks on an immediate operand.
func targetComment(b []byte, f *mir.Function, i mir.InstrID, n int) []byte {
	d := f.Desc(i)
	if n >= int(d.NumOperands) {
		return b
	}
	o := f.Op(i, n)
	if o.Kind() != mir.OpImm {
		return b
	}
	info := &f.Facts.OperandInfos[int(d.OpInfo)+n]
	switch f.Facts.Target {
	case "ARM":
		if info.IsPredicate() && (n == 0 || !f.Facts.OperandInfos[int(d.OpInfo)+n-1].IsPredicate()) && d.Has(desc.Predicable) {
			if v := o.Imm(); v >= 0 && int(v) < len(armConditions) {
				return append(append(b, "CC::"...), armConditions[v]...)
			}
		}
	case "RISCV":
		return riscvComment(b, info.Type, o.Imm())
	}
	return b
}

var armConditions = [...]string{"eq", "ne", "hs", "lo", "mi", "pl", "vs", "vc", "hi", "ls", "ge", "lt", "gt", "le", "al"}

// RISC-V's operand types that LLVM remarks on.
const (
	riscvVTypeI10  desc.OperandType = 67
	riscvVTypeI11  desc.OperandType = 68
	riscvVecPolicy desc.OperandType = 80
	riscvSEW       desc.OperandType = 81
	riscvSEWMask   desc.OperandType = 82
)

func riscvComment(b []byte, t desc.OperandType, v int64) []byte {
	agnostic := func(b []byte, on bool, unit byte) []byte {
		if on {
			return append(b, unit, 'a')
		}
		return append(b, unit, 'u')
	}
	switch t {
	case riscvVTypeI10, riscvVTypeI11:
		b = append(b, 'e')
		b = strconv.AppendInt(b, 8<<(v>>3&7), 10)
		if v&0x100 != 0 {
			b = append(b, "alt"...)
		}
		b = append(b, ", m"...)
		if l := v & 7; l >= 4 {
			b = append(b, 'f')
			b = strconv.AppendInt(b, 1<<(8-l), 10)
		} else {
			b = strconv.AppendInt(b, 1<<l, 10)
		}
		b = agnostic(append(b, ", "...), v&0x40 != 0, 't')
		return agnostic(append(b, ", "...), v&0x80 != 0, 'm')
	case riscvVecPolicy:
		b = agnostic(b, v&1 != 0, 't')
		return agnostic(append(b, ", "...), v&2 != 0, 'm')
	case riscvSEW, riscvSEWMask:
		if v == 0 {
			v = 3
		}
		return strconv.AppendInt(append(b, 'e'), 1<<(v&31), 10)
	}
	return b
}

package mirtext

import (
	"math/bits"

	"github.com/mirin-go/mirin/desc/family"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
)

// loaded does what LLVM's targets do to a function when its MIR was read.
func (r *funcReader) loaded() {
	row := family.Of(r.in)
	if f := r.f; row.CallFrameOnLoad && f.Frame.MaxCallFrameSize == ^uint32(0) {
		f.Frame.MaxCallFrameSize = maxCallFrame(f)
	}
	if h := hooks[row.ID].loaded; h != nil {
		h(r)
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
		return family.Of(p.in).StackSpace
	case mir.PtrGOT, mir.PtrJumpTable, mir.PtrConstantPool, mir.PtrGlobalCall, mir.PtrExtSymCall:
		return family.Of(p.in).ConstSpace
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

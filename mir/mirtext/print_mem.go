package mirtext

import (
	"math/big"
	"math/bits"

	"github.com/mirin-go/mirin/desc/family"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/irtext"
	"github.com/mirin-go/mirin/mir"
)

var orderingNames = [...]string{ir.Unordered: "unordered ", ir.Monotonic: "monotonic ", ir.Acquire: "acquire ",
	ir.Release: "release ", ir.AcqRel: "acq_rel ", ir.SeqCst: "seq_cst "}

// memOperand prints one memory operand in its parentheses.
func (p *printer) memOperand(m *mir.MemOperand) {
	p.str("(")
	fl := m.Flags
	for _, x := range [...]struct {
		bit  mir.MemFlags
		word string
	}{{mir.MemVolatile, "volatile "}, {mir.MemNonTemporal, "non-temporal "}, {mir.MemDereferenceable, "dereferenceable "},
		{mir.MemInvariant, "invariant "}} {
		if fl&x.bit != 0 {
			p.str(x.word)
		}
	}
	for k := range 4 {
		if bit := mir.MemTarget1 << k; fl&bit != 0 {
			p.str("\"")
			p.str(p.flagName(p.in.MemFlags, memTargetValue(k), "<unknown>"))
			p.str("\" ")
		}
	}
	if fl&mir.MemLoad != 0 {
		p.str("load ")
	}
	if fl&mir.MemStore != 0 {
		p.str("store ")
	}
	if m.SyncScope != 0 {
		p.str("syncscope(\"")
		p.b = irtext.AppendEscaped(p.b, p.syncScope(m.SyncScope))
		p.str("\") ")
	}
	if m.Order != 0 {
		p.str(orderingNames[m.Order])
	}
	if m.FailOrder != 0 {
		p.str(orderingNames[m.FailOrder])
	}
	size := m.Size
	switch {
	case m.Type != 0:
		p.str("(")
		p.b = m.Type.AppendText(p.b)
		p.str(")")
		size = int64(m.Type.Bytes())
	case m.Size == mir.UnknownSize:
		p.str("unknown-size")
	default:
		p.str("(s")
		p.int(8 * m.Size)
		p.str(")")
	}
	p.memBase(m)
	p.memTail(m, size)
	p.str(")")
}

// memTargetValue is LLVM's bit of target flag k of memory operands.
func memTargetValue(k int) uint64 { return 1 << (6 + k) }

func (p *printer) syncScope(n uint32) string {
	if m := p.f.Module; m != nil && int(n) < len(m.SyncScopes()) {
		return m.SyncScopes()[n]
	}
	return ""
}

func (p *printer) memBase(m *mir.MemOperand) {
	word := " into "
	switch {
	case m.Flags&mir.MemLoad != 0 && m.Flags&mir.MemStore != 0:
		word = " on "
	case m.Flags&mir.MemLoad != 0:
		word = " from "
	}
	f := p.f
	switch m.PtrKind {
	case mir.PtrNone, mir.PtrUnknownValue:
		if m.Offset == 0 {
			return
		}
		p.str(word)
		p.str("unknown-address")
	case mir.PtrValue:
		p.str(word)
		p.irValue(ir.Value(m.Ptr))
	case mir.PtrStack:
		p.str(word)
		p.str("stack")
	case mir.PtrGOT:
		p.str(word)
		p.str("got")
	case mir.PtrJumpTable:
		p.str(word)
		p.str("jump-table")
	case mir.PtrConstantPool:
		p.str(word)
		p.str("constant-pool")
	case mir.PtrFixedStack:
		p.str(word)
		p.b = p.appendFrameIndex(p.b, int(int32(m.Ptr)))
	case mir.PtrGlobalCall:
		p.str(word)
		p.str("call-entry ")
		p.b = p.slots.AppendGlobal(p.b, ir.GlobalID(m.Ptr))
	case mir.PtrExtSymCall:
		p.str(word)
		p.str("call-entry &")
		p.b = irtext.AppendName(p.b, f.Symbols[m.Ptr])
	case mir.PtrCustom:
		p.str(word)
		p.str("custom \"")
		p.b = irtext.AppendEscaped(p.b, f.Symbols[m.Ptr])
		p.str("\"")
	}
}

// irValue prints the IR value that an access is based on.
func (p *printer) irValue(v ir.Value) {
	switch v.Tag() {
	case ir.TagGlobal:
		p.b = p.slots.AppendGlobal(p.b, v.Global())
	case ir.TagConst:
		p.str("`")
		p.b = p.slots.AppendTyped(p.b, p.f.IRConsts(), v)
		p.str("`")
	case ir.TagLocal:
		p.str("%ir.")
		if p.f.IR == nil || int(v.Instr()) >= len(p.f.IR.ValueNames) {
			p.str("<badref>")
			return
		}
		if n := p.f.IR.ValueNames[v.Instr()]; n != "" {
			p.b = irtext.AppendName(p.b, n)
			return
		}
		if n := p.slots.Local(v.Instr()); n >= 0 {
			p.int(int64(n))
			return
		}
		p.str("<badref>")
	}
}

// memTail prints offset, alignment, aliasing metadata and address space.
func (p *printer) memTail(m *mir.MemOperand, size int64) {
	p.b = appendOffset(p.b, m.Offset)
	align := int64(1) << m.BaseAlign
	if m.Offset != 0 {
		align = min(align, 1<<min(62, bits.TrailingZeros64(uint64(m.Offset))))
	}
	if size == mir.UnknownSize || size != 0 && align != size {
		p.str(", align ")
		p.int(align)
	}
	if align != 1<<m.BaseAlign {
		p.str(", basealign ")
		p.int(1 << m.BaseAlign)
	}
	for _, x := range [...]struct {
		word string
		id   ir.MDID
	}{{", !tbaa ", m.TBAA}, {", !alias.scope ", m.AliasScope}, {", !noalias ", m.NoAlias}, {", !noalias.addrspace ", m.NoAliasAS},
		{", !range ", m.Ranges}} {
		if x.id != 0 {
			p.str(x.word)
			p.b = p.slots.AppendMD(p.b, x.id)
		}
	}
	if m.AddrSpace != 0 {
		p.str(", addrspace ")
		p.int(int64(m.AddrSpace))
	}
}

// appendWide appends a wide integer as a signed decimal number.
func appendWide(b []byte, w *mir.WideInt) []byte {
	v := new(big.Int)
	for i := len(w.Words) - 1; i >= 0; i-- {
		v.Lsh(v, 64)
		v.Or(v, new(big.Int).SetUint64(w.Words[i]))
	}
	if v.Bit(w.Bits-1) != 0 {
		v.Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(w.Bits)))
	}
	return v.Append(b, 10)
}

var cfiNames = [...]string{mir.CFISameValue: "same_value ", mir.CFIRememberState: "remember_state ", mir.CFIRestoreState: "restore_state ",
	mir.CFIOffset: "offset ", mir.CFIDefCfaRegister: "def_cfa_register ", mir.CFIDefCfaOffset: "def_cfa_offset ",
	mir.CFIDefCfa: "def_cfa ", mir.CFILLVMDefAspaceCfa: "llvm_def_aspace_cfa ", mir.CFIRelOffset: "rel_offset ",
	mir.CFIAdjustCfaOffset: "adjust_cfa_offset ", mir.CFIEscape: "escape ", mir.CFIRestore: "restore ", mir.CFIUndefined: "undefined ",
	mir.CFIRegister: "register ", mir.CFIWindowSave: "window_save ", mir.CFINegateRAState: "negate_ra_sign_state ",
	mir.CFINegateRAStateWithPC: "negate_ra_sign_state_with_pc ", mir.CFIValOffset: "val_offset ", mir.CFIGnuArgsSize: "<unserializable cfi directive>",
	mir.CFILabel: "<unserializable cfi directive>"}

// cfi prints a call frame directive.
func (p *printer) cfi(c *mir.CFI) {
	p.str(cfiNames[c.Kind])
	switch c.Kind {
	case mir.CFISameValue, mir.CFIDefCfaRegister, mir.CFIRestore, mir.CFIUndefined:
		p.dwarfReg(c.Reg)
	case mir.CFIOffset, mir.CFIDefCfa, mir.CFIRelOffset, mir.CFIValOffset, mir.CFILLVMDefAspaceCfa:
		p.dwarfReg(c.Reg)
		p.str(", ")
		p.int(c.Offset)
		if c.Kind == mir.CFILLVMDefAspaceCfa {
			p.str(", ")
			p.int(int64(c.AddrSpace))
		}
	case mir.CFIDefCfaOffset, mir.CFIAdjustCfaOffset:
		p.int(c.Offset)
	case mir.CFIRegister:
		p.dwarfReg(c.Reg)
		p.str(", ")
		p.dwarfReg(c.Reg2)
	case mir.CFIEscape:
		for i := 0; i < len(c.Bytes); i++ {
			if i > 0 {
				p.str(", ")
			}
			p.str("0x")
			p.b = appendHex(p.b, uint64(c.Bytes[i]), 2, false)
		}
	}
}

// dwarfReg prints the register with a DWARF number of exception frames.
func (p *printer) dwarfReg(n uint32) {
	if p.dwarf == nil {
		p.dwarf = dwarfRegs(p.f)
	}
	if int(n) < len(p.dwarf) && p.dwarf[n] != 0 {
		p.b = p.appendReg(p.b, p.dwarf[n])
		return
	}
	p.str("<badreg>")
}

// dwarfRegs maps DWARF numbers of exception frames to registers.
func dwarfRegs(f *mir.Function) []mir.Reg {
	out := make([]mir.Reg, 1)
	in := f.Facts
	if len(in.DwarfRegs) == 0 {
		return out
	}
	flavour := dwarfFlavour(f)
	row := family.Of(in)
	for r := 1; r < len(in.Regs); r++ {
		n := in.DwarfNum(flavour, uint16Reg(r), true)
		if n < 0 {
			continue
		}
		if n >= len(out) {
			out = append(out, make([]mir.Reg, n+1-len(out))...)
		}
		if was := out[n]; was == 0 || row.LastDwarf(in.RegName(uint16Reg(r))) {
			out[n] = mir.Reg(r)
		}
	}
	return out
}

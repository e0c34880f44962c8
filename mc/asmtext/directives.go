package asmtext

import (
	"fmt"
	"math/bits"
	"strconv"

	"github.com/mirin-go/mirin/mc"
)

// SwitchSection makes s the current section and says so when it was not.
func (t *Text) SwitchSection(s mc.SectionID) {
	if t.cur == s && !t.assumed {
		return
	}
	t.assumed = false
	first := t.chunk && t.first == 0
	t.cur = s
	if first {
		t.first, t.firstAt = s, len(t.b)
		return
	}
	p := t.ctx.SectionAt(s)
	sub := p.Subsection != 0
	if p.Unique == mc.GenericSection && p.Group == "" && (p.Name == ".text" || p.Name == ".data" || p.Name == ".bss" && !t.ctx.Info().BSSBySection) {
		t.b = append(append(t.b, '\t'), p.Name...)
		if sub {
			t.b = strconv.AppendInt(append(t.b, '\t'), int64(p.Subsection), 10)
		}
		t.eol()
		return
	}
	t.b = append(t.b, "\t.section\t"...)
	t.b = appendSectionName(t.b, p.Name)
	t.b = append(t.b, ",\""...)
	for _, f := range sectionFlags {
		if p.Flags&f.flag != 0 || f.flag == mc.FlagGroup && p.Group != "" {
			t.b = append(t.b, f.letter)
		}
	}
	for _, f := range t.ctx.Info().SectionFlags {
		if p.Flags&f.Flag != 0 {
			t.b = append(t.b, f.Letter)
		}
	}
	t.b = append(t.b, '"', ',', t.ctx.Info().TypeMark())
	t.b = t.appendSectionType(t.b, p.Type)
	if p.EntSize != 0 {
		t.b = strconv.AppendUint(append(t.b, ','), uint64(p.EntSize), 10)
	}
	if p.Flags&mc.FlagLinkOrder != 0 {
		t.b = append(t.b, ',')
		if p.LinkedTo != 0 {
			t.b = t.appendSym(t.b, p.LinkedTo)
		} else {
			t.b = append(t.b, '0')
		}
	}
	if p.Group != "" {
		t.b = t.appendName(append(t.b, ','), p.Group)
		if p.Comdat {
			t.b = append(t.b, ",comdat"...)
		}
	}
	if p.Unique != mc.GenericSection {
		t.b = strconv.AppendUint(append(t.b, ",unique,"...), uint64(p.Unique), 10)
	}
	t.eol()
	if sub {
		t.b = strconv.AppendInt(append(t.b, "\t.subsection\t"...), int64(p.Subsection), 10)
		t.eol()
	}
}

// sectionFlags are the letters of flags in LLVM's order.
var sectionFlags = [...]struct {
	flag   mc.SectionFlags
	letter byte
}{{mc.FlagAlloc, 'a'}, {mc.FlagExclude, 'e'}, {mc.FlagExec, 'x'}, {mc.FlagWrite, 'w'}, {mc.FlagMerge, 'M'}, {mc.FlagStrings, 'S'},
	{mc.FlagTLS, 'T'}, {mc.FlagLinkOrder, 'o'}, {mc.FlagGroup, 'G'}, {mc.FlagRetain, 'R'}}

func (t *Text) appendSectionType(b []byte, typ mc.SectionType) []byte {
	switch typ {
	case mc.SecProgBits:
		return append(b, "progbits"...)
	case mc.SecNoBits:
		return append(b, "nobits"...)
	case mc.SecNote:
		return append(b, "note"...)
	case mc.SecInitArray:
		return append(b, "init_array"...)
	case mc.SecFiniArray:
		return append(b, "fini_array"...)
	case mc.SecPreinitArray:
		return append(b, "preinit_array"...)
	}
	for _, x := range t.ctx.Info().SectionTypes {
		if x.Type == typ {
			return append(b, x.Name...)
		}
	}
	for i := range mc.LLVMSectionTypes {
		if x := &mc.LLVMSectionTypes[i]; x.Type == typ {
			return append(b, x.Name...)
		}
	}
	b = append(b, "0x"...)
	return strconv.AppendUint(b, uint64(typ), 16)
}

// appendSectionName appends the name of a section, in quotes unless it is made
// of letters, digits, dots and underscores.
func appendSectionName(b []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '_' || c == '.' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' {
			continue
		}
		b = append(b, '"')
		for k := 0; k < len(s); k++ {
			if s[k] == '"' || s[k] == '\\' {
				b = append(b, '\\')
			}
			b = append(b, s[k])
		}
		return append(b, '"')
	}
	return append(b, s...)
}

// Label defines a symbol here.
func (t *Text) Label(s mc.Sym) {
	t.b = append(t.appendSym(t.b, s), ':')
	t.eol()
}

// attrText are the directives of attributes, and the names of symbol types.
var attrText = [...][2]string{
	mc.AttrGlobal:        {"\t.globl\t", ""},
	mc.AttrLocal:         {"\t.local\t", ""},
	mc.AttrWeak:          {"\t.weak\t", ""},
	mc.AttrHidden:        {"\t.hidden\t", ""},
	mc.AttrProtected:     {"\t.protected\t", ""},
	mc.AttrInternal:      {"\t.internal\t", ""},
	mc.AttrTypeFunction:  {"\t.type\t", "function"},
	mc.AttrTypeObject:    {"\t.type\t", "object"},
	mc.AttrTypeTLS:       {"\t.type\t", "tls_object"},
	mc.AttrTypeIFunc:     {"\t.type\t", "gnu_indirect_function"},
	mc.AttrTypeNoType:    {"\t.type\t", "notype"},
	mc.AttrTypeCommon:    {"\t.type\t", "common"},
	mc.AttrTypeGNUUnique: {"\t.type\t", "gnu_unique_object"},
	mc.AttrMemtag:        {"\t.memtag\t", ""},
}

// Attribute gives a symbol an attribute.
func (t *Text) Attribute(s mc.Sym, a mc.Attr) {
	t.b = t.appendSym(append(t.b, attrText[a][0]...), s)
	if name := attrText[a][1]; name != "" {
		t.b = append(append(t.b, ',', t.ctx.Info().TypeMark()), name...)
	}
	t.eol()
}

// Size sets a symbol's size.
func (t *Text) Size(s mc.Sym, e mc.Expr) {
	t.b = t.appendSym(append(t.b, "\t.size\t"...), s)
	t.b = t.ctx.AppendExpr(append(t.b, ", "...), e, t.sym)
	t.eol()
}

// Assign makes s another name for an expression.
func (t *Text) Assign(s mc.Sym, e mc.Expr) {
	t.b = t.appendSym(t.b, s)
	t.b = t.ctx.AppendExpr(append(t.b, " = "...), e, t.sym)
	t.eol()
}

// Common declares a common symbol.
func (t *Text) Common(s mc.Sym, size, align uint64) {
	t.b = t.appendSym(append(t.b, "\t.comm\t"...), s)
	t.b = strconv.AppendUint(append(t.b, ','), size, 10)
	t.b = strconv.AppendUint(append(t.b, ','), max(align, 1), 10)
	t.eol()
}

// LocalCommon declares a local common symbol.
func (t *Text) LocalCommon(s mc.Sym, size, align uint64) {
	t.Attribute(s, mc.AttrLocal)
	t.Common(s, size, align)
}

// Bytes writes data as strings; a single byte as a number.
func (t *Text) Bytes(b []byte) {
	switch n := len(b); {
	case n == 0:
		return
	case n == 1:
		t.Int(uint64(b[0]), 1)
		return
	case b[n-1] == 0:
		t.b = appendQuoted(append(t.b, "\t.asciz\t"...), b[:n-1])
	default:
		t.b = appendQuoted(append(t.b, "\t.ascii\t"...), b)
	}
	t.eol()
}

// data is the directive for integers of size bytes, "" when there is none.
func (t *Text) data(size int) string { return t.ctx.Info().Data[bits.TrailingZeros(uint(size))] }

// Int writes an integer: of 8 bytes signed, smaller ones unsigned.
func (t *Text) Int(v uint64, size int) {
	d := t.data(size)
	if d == "" {
		half := size / 2
		first, second := v, v>>(8*half)
		if t.ctx.Info().BigEndian {
			first, second = second, first
		}
		t.Int(first, half)
		t.Int(second, half)
		return
	}
	if size < 8 {
		v &= 1<<(size*8) - 1
	}
	t.b = strconv.AppendInt(append(t.b, d...), int64(v), 10)
	t.eol()
}

// Value writes the value of an expression.
func (t *Text) Value(e mc.Expr, size int) {
	d := t.data(size)
	if d == "" {
		if v, ok := t.ctx.ConstValue(e); ok {
			t.Int(uint64(v), size)
			return
		}
		t.errs = append(t.errs, fmt.Errorf("an address of %d bytes is not supported in assembly of this target", size))
		return
	}
	t.b = t.ctx.AppendExpr(append(t.b, d...), e, t.sym)
	t.eol()
}

// Fill writes count times the low size bytes of v.
func (t *Text) Fill(count uint64, size int, v uint64) {
	if v == 0 {
		t.Zeros(count * uint64(size))
		return
	}
	if size == 1 {
		t.b = strconv.AppendUint(append(t.b, t.ctx.Info().Zeros...), count, 10)
		t.b = strconv.AppendUint(append(t.b, ','), v&0xff, 10)
		t.eol()
		return
	}
	t.b = strconv.AppendUint(append(t.b, "\t.fill\t"...), count, 10)
	t.b = strconv.AppendInt(append(t.b, ", "...), int64(size), 10)
	t.b = strconv.AppendUint(append(t.b, ", 0x"...), v, 16)
	t.eol()
}

// Zeros writes n zero bytes.
func (t *Text) Zeros(n uint64) {
	if n == 0 {
		return
	}
	t.b = strconv.AppendUint(append(t.b, t.ctx.Info().Zeros...), n, 10)
	t.eol()
}

// ULEB128 writes an unsigned LEB128.
func (t *Text) ULEB128(e mc.Expr) {
	t.b = t.ctx.AppendExpr(append(t.b, "\t.uleb128 "...), e, t.sym)
	t.eol()
}

// SLEB128 writes a signed LEB128.
func (t *Text) SLEB128(e mc.Expr) {
	t.b = t.ctx.AppendExpr(append(t.b, "\t.sleb128 "...), e, t.sym)
	t.eol()
}

// Align pads with bytes.
func (t *Text) Align(log2 uint8, fill byte, max uint32) {
	t.b = strconv.AppendUint(append(t.b, "\t.p2align\t"...), uint64(log2), 10)
	t.b = strconv.AppendUint(append(t.b, ", 0x"...), uint64(fill), 16)
	if max != 0 {
		t.b = strconv.AppendUint(append(t.b, ", "...), uint64(max), 10)
	}
	t.eol()
}

// AlignCode pads with instructions that do nothing.
func (t *Text) AlignCode(log2 uint8, st *mc.Subtarget, max uint32) {
	t.b = strconv.AppendUint(append(t.b, "\t.p2align\t"...), uint64(log2), 10)
	if max != 0 {
		t.b = strconv.AppendUint(append(t.b, ", , "...), uint64(max), 10)
	}
	t.eol()
}

// StartProc begins a function with call frame information.
func (t *Text) StartProc(simple bool) {
	if simple {
		t.line("\t.cfi_startproc simple")
		return
	}
	t.line("\t.cfi_startproc")
}

// EndProc ends it.
func (t *Text) EndProc() { t.line("\t.cfi_endproc") }

// cfiText are the names of directives; those with registers and offsets are told
// apart by their operands.
var cfiText = [...]struct {
	name     string
	reg, off bool
}{
	mc.CFIDefCfa:          {"def_cfa", true, true},
	mc.CFIDefCfaOffset:    {"def_cfa_offset", false, true},
	mc.CFIDefCfaRegister:  {"def_cfa_register", true, false},
	mc.CFIAdjustCfaOffset: {"adjust_cfa_offset", false, true},
	mc.CFIOffset:          {"offset", true, true},
	mc.CFIRelOffset:       {"rel_offset", true, true},
	mc.CFIRestore:         {"restore", true, false},
	mc.CFISameValue:       {"same_value", true, false},
	mc.CFIUndefined:       {"undefined", true, false},
	mc.CFIRegister:        {"register", true, false},
	mc.CFIRememberState:   {"remember_state", false, false},
	mc.CFIRestoreState:    {"restore_state", false, false},
	mc.CFIEscape:          {"escape", false, false},
	mc.CFIGnuArgsSize:     {"GNU_args_size", false, true},
	mc.CFIWindowSave:      {"window_save", false, false},
	mc.CFINegateRAState:   {"negate_ra_state", false, false},
	mc.CFIValOffset:       {"val_offset", true, true},
	mc.CFIDefAspaceCfa:    {"llvm_def_aspace_cfa", true, true},
	mc.CFILabel:           {"label", false, false},
	mc.CFIBKeyFrame:       {"b_key_frame", false, false},
	mc.CFIMTETaggedFrame:  {"mte_tagged_frame", false, false},

	mc.CFINegateRAStateWithPC: {"negate_ra_state_with_pc", false, false},
}

// CFI writes a call frame directive.
func (t *Text) CFI(c mc.CFI) {
	d := &cfiText[c.Op]
	b := append(append(t.b, "\t.cfi_"...), d.name...)
	if d.reg {
		b = t.printer.AppendDwarfReg(append(b, ' '), c.Reg)
	}
	if d.reg && d.off || c.Op == mc.CFIRegister {
		b = append(b, ',')
	}
	if c.Op == mc.CFIRegister {
		b = t.printer.AppendDwarfReg(append(b, ' '), c.Reg2)
	}
	if d.off {
		b = strconv.AppendInt(append(b, ' '), c.Offset, 10)
	}
	switch c.Op {
	case mc.CFIDefAspaceCfa:
		b = strconv.AppendUint(append(b, ", "...), uint64(c.Reg2), 10)
	case mc.CFILabel:
		b = t.appendSym(append(b, ' '), c.Label)
	case mc.CFIEscape:
		for i := range len(c.Bytes) {
			if i > 0 {
				b = append(b, ',')
			}
			b = fmt.Appendf(b, " 0x%02x", c.Bytes[i])
		}
	}
	t.b = b
	t.eol()
}

// Personality names the routine that unwinding calls.
func (t *Text) Personality(s mc.Sym, enc uint8) { t.pointer("\t.cfi_personality ", s, enc) }

// LSDA names its table for this function.
func (t *Text) LSDA(s mc.Sym, enc uint8) { t.pointer("\t.cfi_lsda ", s, enc) }

func (t *Text) pointer(directive string, s mc.Sym, enc uint8) {
	t.b = strconv.AppendUint(append(t.b, directive...), uint64(enc), 10)
	t.b = t.appendSym(append(t.b, ", "...), s)
	t.eol()
}

// SignalFrame marks a signal handler's frame.
func (t *Text) SignalFrame() { t.line("\t.cfi_signal_frame") }

// ReturnColumn sets the register of the return address.
func (t *Text) ReturnColumn(reg uint32) {
	t.b = t.printer.AppendDwarfReg(append(t.b, "\t.cfi_return_column "...), reg)
	t.eol()
}

// CFISections says where frames go.
func (t *Text) CFISections(s mc.FrameSections) {
	t.b = append(t.b, "\t.cfi_sections"...)
	sep := " "
	for _, x := range [...]struct {
		on   bool
		name string
	}{{!s.NoEH, ".eh_frame"}, {s.Debug, ".debug_frame"}, {s.SFrame, ".sframe"}} {
		if x.on {
			t.b = append(append(t.b, sep...), x.name...)
			sep = ", "
		}
	}
	if sep == " " {
		t.b = append(t.b, ' ')
	}
	t.eol()
}

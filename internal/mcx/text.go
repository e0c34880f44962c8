package mc

import (
	"fmt"
	"strconv"
)

// InstPrinter writes instructions.
type InstPrinter interface {
	// Print appends the instruction without its leading tab and line end.
	Print(b []byte, ctx *Context, in *Inst) ([]byte, error)
	// RegName appends a register by its DWARF number, as CFI directives name it.
	DwarfReg(b []byte, n int) []byte
}

// Text is the Streamer that writes assembly in GNU syntax, as llc does.
type Text struct {
	Ctx     *Context
	Out     []byte
	printer InstPrinter
	cur     *Section
	comment string
}

// NewText returns an empty text.
func NewText(ctx *Context, p InstPrinter) *Text { return &Text{Ctx: ctx, printer: p} }

func (t *Text) line(s string) { t.Out = append(append(append(t.Out, '\t'), s...), '\n') }

// File names the source file.
func (t *Text) File(name string) {
	t.Out = append(t.Out, "\t.file\t"...)
	t.Out = AppendQuoted(t.Out, name)
	t.Out = append(t.Out, '\n')
}

// Switch makes s the current section.
func (t *Text) Switch(s *Section) {
	if t.cur == s {
		return
	}
	t.cur = s
	switch {
	case s.Name == ".text" && s.Group == "", s.Name == ".data" && s.Group == "", s.Name == ".bss" && s.Group == "":
		t.line(s.Name)
		return
	}
	b := append(t.Out, "\t.section\t"...)
	b = AppendName(b, s.Name)
	b = append(b, ",\""...)
	for _, f := range [...]struct {
		bit uint64
		ch  byte
	}{{FlagAlloc, 'a'}, {FlagExclude, 'e'}, {FlagExec, 'x'}, {FlagWrite, 'w'}, {FlagMerge, 'M'}, {FlagStrings, 'S'}, {FlagTLS, 'T'}, {FlagOrder, 'o'}, {FlagGroup, 'G'}} {
		if s.Flags&f.bit != 0 || f.bit == FlagGroup && s.Group != "" {
			b = append(b, f.ch)
		}
	}
	b = append(b, "\",@"...)
	switch s.Type {
	case SecNoBits:
		b = append(b, "nobits"...)
	case SecNote:
		b = append(b, "note"...)
	case SecInitArray:
		b = append(b, "init_array"...)
	case SecFiniArray:
		b = append(b, "fini_array"...)
	case SecPreinitArray:
		b = append(b, "preinit_array"...)
	case SecX86Unwind:
		b = append(b, "unwind"...)
	default:
		b = append(b, "progbits"...)
	}
	if s.Flags&FlagMerge != 0 {
		b = strconv.AppendInt(append(b, ','), int64(s.EntSize), 10)
	}
	if s.Group != "" {
		b = append(AppendName(append(b, ','), s.Group), ",comdat"...)
	}
	t.Out = append(b, '\n')
}

// AppendName appends a symbol or section name, quoted where the syntax needs it.
func AppendName(b []byte, s string) []byte {
	plain := s != ""
	for i := 0; i < len(s) && plain; i++ {
		c := s[i]
		plain = c == '_' || c == '$' || c == '.' || c == '@' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
	}
	if plain {
		return append(b, s...)
	}
	b = append(b, '"')
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\n':
			b = append(b, "\\n"...)
		case '"', '\\':
			b = append(b, '\\', s[i])
		default:
			b = append(b, s[i])
		}
	}
	return append(b, '"')
}

func (t *Text) name(s Sym) string { return t.Ctx.At(s).Name }

// Label defines a symbol here.
func (t *Text) Label(s Sym) {
	y := t.Ctx.At(s)
	y.Section = 0
	t.Out = append(AppendName(t.Out, y.Name), ':')
	t.Out = t.flush(t.Out)
	t.Out = append(t.Out, '\n')
}

// Comment goes to the end of the next line.
func (t *Text) Comment(text string) { t.comment = text }

func (t *Text) flush(b []byte) []byte {
	if t.comment == "" {
		return b
	}
	// Comments start at column 40, as llc pads them.
	col := 0
	for i := len(b) - 1; i >= 0 && b[i] != '\n'; i-- {
		col++
	}
	for n := max(1, 40-col); n > 0; n-- {
		b = append(b, ' ')
	}
	b = append(append(b, "# "...), t.comment...)
	t.comment = ""
	return b
}

func (t *Text) directive(name string, s Sym) {
	t.Out = append(append(append(t.Out, '\t'), name...), '\t')
	t.Out = append(AppendName(t.Out, t.name(s)), '\n')
}

// Attr writes a symbol attribute.
func (t *Text) Attr(s Sym, a Attr) {
	switch a {
	case AttrGlobal:
		t.directive(".globl", s)
	case AttrLocal:
		t.directive(".local", s)
	case AttrWeak:
		t.directive(".weak", s)
	case AttrHidden:
		t.directive(".hidden", s)
	case AttrProtected:
		t.directive(".protected", s)
	case AttrInternal:
		t.directive(".internal", s)
	default:
		t.Out = append(t.Out, "\t.type\t"...)
		t.Out = AppendName(t.Out, t.name(s))
		t.Out = append(t.Out, map[Attr]string{AttrFunc: ",@function\n", AttrObject: ",@object\n", AttrTLS: ",@tls_object\n", AttrIFunc: ",@gnu_indirect_function\n"}[a]...)
	}
}

// Size writes a symbol's size.
func (t *Text) Size(s Sym, e Expr) {
	b := AppendName(append(t.Out, "\t.size\t"...), t.name(s))
	b = append(b, ", "...)
	t.Out = append(t.AppendExpr(b, e), '\n')
}

// Assign writes s = e.
func (t *Text) Assign(s Sym, e Expr) {
	b := AppendName(append(t.Out, "\t.set\t"...), t.name(s))
	t.Out = append(t.AppendExpr(append(b, ", "...), e), '\n')
}

// Common writes a common symbol.
func (t *Text) Common(s Sym, size, align uint64, local bool) {
	if local {
		t.directive(".local", s)
	}
	b := AppendName(append(t.Out, "\t.comm\t"...), t.name(s))
	b = strconv.AppendUint(append(b, ','), size, 10)
	b = strconv.AppendUint(append(b, ','), align, 10)
	t.Out = append(b, '\n')
}

// Bytes writes data: .ascii or .asciz for text, .byte otherwise.
func (t *Text) Bytes(p []byte) {
	if len(p) == 0 {
		return
	}
	if len(p) == 1 {
		t.Int(uint64(p[0]), 1)
		return
	}
	b := t.Out
	if p[len(p)-1] == 0 {
		b = append(b, "\t.asciz\t"...)
		p = p[:len(p)-1]
	} else {
		b = append(b, "\t.ascii\t"...)
	}
	b = AppendQuoted(b, string(p))
	t.Out = append(t.flush(b), '\n')
}

// AppendQuoted appends a string in quotes with octal escapes.
func AppendQuoted(b []byte, s string) []byte {
	b = append(b, '"')
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c >= 0x20 && c < 0x7f:
			b = append(b, c)
		case c == '\b':
			b = append(b, "\\b"...)
		case c == '\f':
			b = append(b, "\\f"...)
		case c == '\n':
			b = append(b, "\\n"...)
		case c == '\r':
			b = append(b, "\\r"...)
		case c == '\t':
			b = append(b, "\\t"...)
		default:
			b = append(b, '\\', '0'+c>>6, '0'+c>>3&7, '0'+c&7)
		}
	}
	return append(b, '"')
}

var dataDirectives = map[int]string{1: "\t.byte\t", 2: "\t.short\t", 4: "\t.long\t", 8: "\t.quad\t"}

// Int writes an integer.
func (t *Text) Int(v uint64, size int) {
	b := append(t.Out, dataDirectives[size]...)
	if size == 8 {
		b = strconv.AppendInt(b, int64(v), 10)
	} else {
		b = strconv.AppendUint(b, v&(1<<(8*size)-1), 10)
	}
	t.Out = append(t.flush(b), '\n')
}

// Value writes an expression.
func (t *Text) Value(e Expr, size int) {
	b := t.AppendExpr(append(t.Out, dataDirectives[size]...), e)
	t.Out = append(t.flush(b), '\n')
}

var modNames = [...]string{ModPLT: "@PLT", ModGOTPCREL: "@GOTPCREL", ModGOTPCRELNoRelax: "@GOTPCREL_NORELAX", ModGOTTPOFF: "@GOTTPOFF",
	ModTPOFF: "@TPOFF", ModTLSGD: "@TLSGD", ModTLSLD: "@TLSLD", ModDTPOFF: "@DTPOFF", ModGOT: "@GOT", ModGOTOFF: "@GOTOFF"}

// AppendExpr appends an expression.
func (t *Text) AppendExpr(b []byte, e Expr) []byte { return t.Ctx.AppendExpr(b, e) }

// AppendExpr appends an expression in assembly syntax.
func (c *Context) AppendExpr(b []byte, e Expr) []byte {
	if e.Sym == 0 {
		return strconv.AppendInt(b, e.Off, 10)
	}
	b = AppendName(b, c.At(e.Sym).Name)
	b = append(b, modNames[e.Mod]...)
	if e.Sub != 0 {
		b = AppendName(append(b, '-'), c.At(e.Sub).Name)
	}
	if e.Off > 0 {
		b = append(b, '+')
	}
	if e.Off != 0 {
		b = strconv.AppendInt(b, e.Off, 10)
	}
	return b
}

// Zeros writes n zero bytes.
func (t *Text) Zeros(n int64) {
	if n > 0 {
		b := strconv.AppendInt(append(t.Out, "\t.zero\t"...), n, 10)
		t.Out = append(b, '\n')
	}
}

// Align writes an alignment.
func (t *Text) Align(log2 int, code bool, max int) {
	if log2 == 0 {
		return
	}
	b := strconv.AppendInt(append(t.Out, "\t.p2align\t"...), int64(log2), 10)
	if max > 0 {
		b = strconv.AppendInt(append(b, ", , "...), int64(max), 10)
	}
	t.Out = append(b, '\n')
}

// Inst writes an instruction.
func (t *Text) Inst(in *Inst) error {
	n := len(t.Out)
	b, err := t.printer.Print(append(t.Out, '\t'), t.Ctx, in)
	if err != nil {
		t.Out = t.Out[:n]
		return err
	}
	t.Out = append(t.flush(b), '\n')
	return nil
}

// StartProc begins call frame information.
func (t *Text) StartProc(simple bool) {
	if simple {
		t.line(".cfi_startproc simple")
		return
	}
	t.line(".cfi_startproc")
}

// EndProc ends it.
func (t *Text) EndProc() { t.line(".cfi_endproc") }

// CFI writes a call frame directive.
func (t *Text) CFI(c CFI) {
	b := t.Out
	reg := func() { b = t.printer.DwarfReg(b, c.Reg) }
	off := func() { b = strconv.AppendInt(b, c.Offset, 10) }
	switch c.Op {
	case CFIDefCfa:
		b = append(b, "\t.cfi_def_cfa "...)
		reg()
		b = append(b, ", "...)
		off()
	case CFIDefCfaOffset:
		b = append(b, "\t.cfi_def_cfa_offset "...)
		off()
	case CFIAdjustCfaOffset:
		b = append(b, "\t.cfi_adjust_cfa_offset "...)
		off()
	case CFIDefCfaRegister:
		b = append(b, "\t.cfi_def_cfa_register "...)
		reg()
	case CFIOffset, CFIRelOffset:
		if c.Op == CFIOffset {
			b = append(b, "\t.cfi_offset "...)
		} else {
			b = append(b, "\t.cfi_rel_offset "...)
		}
		reg()
		b = append(b, ", "...)
		off()
	case CFIRestore:
		b = append(b, "\t.cfi_restore "...)
		reg()
	case CFISameValue:
		b = append(b, "\t.cfi_same_value "...)
		reg()
	case CFIUndefined:
		b = append(b, "\t.cfi_undefined "...)
		reg()
	case CFIRememberState:
		b = append(b, "\t.cfi_remember_state"...)
	case CFIRestoreState:
		b = append(b, "\t.cfi_restore_state"...)
	case CFIEscape:
		b = append(b, "\t.cfi_escape "...)
		for i := range len(c.Bytes) {
			if i > 0 {
				b = append(b, ", "...)
			}
			b = fmt.Appendf(b, "0x%02x", c.Bytes[i])
		}
	}
	t.Out = append(b, '\n')
}

// Raw writes text as it is.
func (t *Text) Raw(text string) error {
	t.Out = append(append(t.Out, text...), '\n')
	return nil
}

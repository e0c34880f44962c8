package mctargetdesc

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// The variants of the syntax, by LLVM's numbers.
const (
	ATT   = 0
	Intel = 1
)

// SyntaxDirective is the line that switches to a variant.
func SyntaxDirective(variant int) string {
	if variant == Intel {
		return "\t.intel_syntax noprefix"
	}
	return "\t.att_syntax prefix"
}

// Printer writes instructions in AT&T or Intel syntax from the templates of the
// facts (desc.AsmTable says what is in them).
type Printer struct {
	info    *desc.Info
	intel   bool // variant is Intel
	variant int
	dwarf   []desc.PhysReg // by the DWARF number of exception frames
}

// NewPrinter returns a printer over the facts of X86; triple selects the DWARF
// numbers ("x86_64", "i686").
func NewPrinter(info *desc.Info, variant int, triple string) *Printer {
	p := &Printer{info: info, intel: variant == Intel, variant: variant}
	f := info.DwarfFlavourOf(triple)
	if f < 0 {
		return p
	}
	for r := 1; r < len(info.Regs); r++ {
		n := info.DwarfNum(f, desc.PhysReg(r), true)
		if n < 0 {
			continue
		}
		for n >= len(p.dwarf) {
			p.dwarf = append(p.dwarf, 0)
		}
		// The widest general register has the number; of vector registers, XMM.
		if old := p.dwarf[n]; old == 0 || info.IsSubRegister(desc.PhysReg(r), old) && info.ClassContains(tab.GR64RegClassID, desc.PhysReg(r)) {
			p.dwarf[n] = desc.PhysReg(r)
		}
	}
	return p
}

// FileHeader is the first line of a file: assemblers expect AT&T syntax.
func (p *Printer) FileHeader() string {
	if p.variant == ATT {
		return ""
	}
	return SyntaxDirective(p.variant)
}

// AppendDwarfReg appends the register with a DWARF number.
func (p *Printer) AppendDwarfReg(b []byte, reg uint32) []byte {
	if int(reg) < len(p.dwarf) && p.dwarf[reg] != 0 {
		return p.reg(b, p.dwarf[reg])
	}
	return strconv.AppendUint(b, uint64(reg), 10)
}

func (p *Printer) reg(b []byte, r desc.PhysReg) []byte {
	if !p.intel {
		b = append(b, '%')
	}
	return append(b, p.info.AsmRegName(r)...)
}

// printing is one instruction being printed.
type printing struct {
	p       *Printer
	ctx     *mc.Context
	ops     []mc.Operand
	sym     func([]byte, mc.Sym) []byte
	remarks []byte
	bad     bool
}

// AppendInst appends one instruction.
func (p *Printer) AppendInst(b, remarks []byte, ctx *mc.Context, st *mc.Subtarget, in *mc.Inst, sym func([]byte, mc.Sym) []byte) ([]byte, []byte, error) {
	m, rest, ok := p.info.AsmParts(in.Op, p.variant)
	if !ok {
		return b, remarks, fmt.Errorf("x86: printing of %s is not supported: it has no syntax", p.info.OpcodeName(in.Op))
	}
	start := len(b)
	b = appendPrefixes(b, in.Flags, m)
	x := printing{p: p, ctx: ctx, ops: in.Ops, sym: sym, remarks: remarks}
	m, rest = x.form(m, rest)
	b = x.template(b, m)
	b = x.template(b, rest)
	if x.bad {
		return b[:start], remarks, fmt.Errorf("x86: printing of %s is not supported with these operands", p.info.OpcodeName(in.Op))
	}
	return b, x.remarks, nil
}

// appendPrefixes writes the prefixes that flags ask for and the template lacks.
func appendPrefixes(b []byte, f mc.InstFlags, mnemonic string) []byte {
	if f&FlagLock != 0 && (len(mnemonic) < 4 || mnemonic[:4] != "lock") {
		b = append(b, "lock\t\t"...)
	}
	if f&FlagNoTrack != 0 {
		b = append(b, "notrack\t\t"...)
	}
	if f&FlagRep != 0 {
		b = append(b, "rep\t\t"...)
	}
	if f&FlagRepNE != 0 {
		b = append(b, "repne\t\t"...)
	}
	if f&FlagAddrSize != 0 {
		b = append(b, "addr32\t\t"...)
	}
	return b
}

// form chooses between the two forms of a template "a|b": a holds when the
// immediate has a name. The bar is in the second part, with b's mnemonic behind
// it, or the parts are whole.
func (x *printing) form(m, rest string) (string, string) {
	bar := index(rest, '|')
	if bar < 0 {
		return m, rest
	}
	open := index(m, '<')
	end := index(m[open:], '>') + open
	kind, n := placeholder(m[open+1 : end])
	if n < len(x.ops) && x.ops[n].IsImm() {
		if _, ok := desc.AsmPredicate(kind, x.ops[n].Imm()); ok {
			return m, rest[:bar]
		}
	}
	return "", rest[bar+1:]
}

func index(s string, c byte) int {
	for i := 0; i < len(s); i++ {
		if s[i] == c {
			return i
		}
	}
	return -1
}

// placeholder takes "kind:operand" apart.
func placeholder(s string) (kind string, n int) {
	i := 0
	for s[i] != ':' {
		i++
	}
	for _, c := range []byte(s[i+1:]) {
		n = n*10 + int(c-'0')
	}
	return s[:i], n
}

// template expands one part of a template.
func (x *printing) template(b []byte, t string) []byte {
	for {
		open := index(t, '<')
		if open < 0 {
			return append(b, t...)
		}
		b = append(b, t[:open]...)
		end := open + index(t[open:], '>')
		kind, n := placeholder(t[open+1 : end])
		if n+width(kind) > len(x.ops) {
			x.bad = true
			return b
		}
		b = x.operand(b, kind, n)
		t = t[end+1:]
	}
}

// width is the number of operands that a kind of placeholder covers.
func width(kind string) int {
	switch kind {
	case "m":
		return addrOps
	case "o", "s":
		return 2
	}
	return 1
}

// roundings are the words of rounding control.
var roundings = [4]string{"{rn-sae}", "{rd-sae}", "{ru-sae}", "{rz-sae}"}

func (x *printing) operand(b []byte, kind string, n int) []byte {
	o := x.ops[n]
	switch kind {
	case "r":
		return x.p.reg(b, o.Reg())
	case "st":
		b = x.p.reg(b, o.Reg())
		if o.Reg() == tab.ST0 {
			b = append(b, "(0)"...)
		}
		return b
	case "kp":
		return x.p.reg(b, x.p.info.SubRegs(o.Reg()).At(0))
	case "i", "n", "u8", "u16":
		return x.imm(b, kind, o)
	case "pc":
		if o.IsExpr() {
			return x.address(b, o.Expr())
		}
		return strconv.AppendInt(b, o.Imm(), 10)
	case "m":
		if x.p.intel {
			return x.memIntel(b, n)
		}
		return x.memATT(b, n)
	case "o":
		b = x.segment(b, n+1)
		if !x.p.intel {
			return x.disp(b, o)
		}
		return append(x.disp(append(b, '['), o), ']')
	case "s", "d":
		if kind == "s" {
			b = x.segment(b, n+1)
		}
		if x.p.intel {
			return append(x.p.reg(append(b, '['), o.Reg()), ']')
		}
		if kind == "d" {
			b = append(b, "%es:"...)
		}
		return append(x.p.reg(append(b, '('), o.Reg()), ')')
	case "rc":
		return append(b, roundings[o.Imm()&3]...)
	case "dfv":
		return appendDFV(b, o.Imm())
	}
	w, ok := desc.AsmPredicate(kind, o.Imm())
	if !ok || !o.IsImm() {
		x.bad = true
	}
	return append(b, w...)
}

// appendDFV writes default flags.
func appendDFV(b []byte, v int64) []byte {
	b = append(b, "{dfv="...)
	sep := false
	for i, f := range [4]string{"of", "sf", "zf", "cf"} {
		if v>>(3-i)&1 != 0 {
			if sep {
				b = append(b, ',')
			}
			b = append(b, f...)
			sep = true
		}
	}
	return append(b, '}')
}

// imm writes an immediate; large ones are remarked upon in hexadecimal.
func (x *printing) imm(b []byte, kind string, o mc.Operand) []byte {
	if !x.p.intel && kind != "n" {
		b = append(b, '$')
	}
	if o.IsExpr() {
		if x.p.intel {
			b = append(b, "offset "...)
		}
		return x.ctx.AppendExpr(b, o.Expr(), x.sym)
	}
	v := o.Imm()
	switch kind {
	case "u8":
		return strconv.AppendInt(b, v&0xff, 10)
	case "u16":
		return strconv.AppendInt(b, v&0xffff, 10)
	case "i":
		if !x.p.intel && (v > 255 || v < -256) {
			x.remarks = appendImmRemark(x.remarks, v)
		}
	}
	return strconv.AppendInt(b, v, 10)
}

// appendImmRemark writes v in hexadecimal without superfluous sign bits.
func appendImmRemark(b []byte, v int64) []byte {
	u := uint64(v)
	switch {
	case v == int64(int16(v)):
		u &= 0xffff
	case v == int64(int32(v)):
		u &= 0xffffffff
	}
	b = append(b, "imm = 0x"...)
	at := len(b)
	b = strconv.AppendUint(b, u, 16)
	for i := at; i < len(b); i++ {
		if b[i] >= 'a' {
			b[i] -= 'a' - 'A'
		}
	}
	return append(b, '\n')
}

// segment writes a segment register with its colon.
func (x *printing) segment(b []byte, n int) []byte {
	if r := x.ops[n].Reg(); r != 0 {
		b = append(x.p.reg(b, r), ':')
	}
	return b
}

// address writes an expression that is an address. What begins with a dollar
// sign would be an immediate in AT&T syntax, and stands in parentheses.
func (x *printing) address(b []byte, e mc.Expr) []byte {
	at := len(b)
	b = x.ctx.AppendExpr(b, e, x.sym)
	if !x.p.intel && at < len(b) && b[at] == '$' {
		b = append(slices.Insert(b, at, '('), ')')
	}
	return b
}

// disp writes a displacement.
func (x *printing) disp(b []byte, o mc.Operand) []byte {
	if o.IsExpr() {
		return x.address(b, o.Expr())
	}
	return strconv.AppendInt(b, o.Imm(), 10)
}

// memATT writes segment:disp(base,index,scale).
func (x *printing) memATT(b []byte, n int) []byte {
	m := x.ops[n : n+addrOps]
	base, index, disp := m[0].Reg(), m[2].Reg(), m[3]
	b = x.segment(b, n+4)
	if disp.IsExpr() || disp.Imm() != 0 || base == 0 && index == 0 {
		b = x.disp(b, disp)
	}
	if base == 0 && index == 0 {
		return b
	}
	b = append(b, '(')
	if base != 0 {
		b = x.p.reg(b, base)
	}
	if index != 0 {
		b = x.p.reg(append(b, ','), index)
		if s := m[1].Imm(); s != 1 {
			b = strconv.AppendInt(append(b, ','), s, 10)
		}
	}
	return append(b, ')')
}

// memIntel writes segment:[base + scale*index + disp].
func (x *printing) memIntel(b []byte, n int) []byte {
	m := x.ops[n : n+addrOps]
	base, index, disp := m[0].Reg(), m[2].Reg(), m[3]
	b = append(x.segment(b, n+4), '[')
	plus := false
	if base != 0 {
		b = x.p.reg(b, base)
		plus = true
	}
	if index != 0 {
		if plus {
			b = append(b, " + "...)
		}
		if s := m[1].Imm(); s != 1 {
			b = append(strconv.AppendInt(b, s, 10), '*')
		}
		b = x.p.reg(b, index)
		plus = true
	}
	switch {
	case disp.IsExpr():
		if plus {
			b = append(b, " + "...)
		}
		b = x.disp(b, disp)
	case disp.Imm() == 0 && plus:
	case plus && disp.Imm() > 0:
		b = strconv.AppendInt(append(b, " + "...), disp.Imm(), 10)
	case plus:
		b = strconv.AppendInt(append(b, " - "...), -disp.Imm(), 10)
	default:
		b = strconv.AppendInt(b, disp.Imm(), 10)
	}
	return append(b, ']')
}

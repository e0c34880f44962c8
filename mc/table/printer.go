package table

import (
	"fmt"
	"math"
	"sort"
	"strconv"
	"sync"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
)

// Printing is the state of one AppendInst call, for methods.
type Printing struct {
	*Printer
	B    []byte // the text so far
	Ctx  *mc.Context
	ST   *mc.Subtarget
	Inst *mc.Inst
	// Modifier is that of the operand: ${op:modifier}.
	Modifier string
	// Remarks are about the instruction, each with a line end.
	Remarks []byte
	sym     func([]byte, mc.Sym) []byte
}

// PrintFunc appends operand op (the first one where the operand has parts).
type PrintFunc func(p *Printing, op int) error

// PrintFuncs are the functions that a WriterTable names.
type PrintFuncs struct {
	// Methods are PrintMethods; printOperand has a meaning without being there.
	Methods map[string]PrintFunc
	// Preds are MCOperandPredicates of aliases.
	Preds map[string]func(p *Printing, o mc.Operand) bool
	// DwarfReg names a register by its DWARF number; nil prints the number.
	DwarfReg func(b []byte, reg uint32) []byte
}

// Printer is the mc.InstPrinter of a WriterTable in one variant.
type Printer struct {
	Info    *desc.Info
	t       *desc.WriterTable
	variant int
	methods []PrintFunc
	preds   []func(p *Printing, o mc.Operand) bool
	dwarf   func(b []byte, reg uint32) []byte
	// aliased has a bit for each opcode that has aliases.
	aliased []uint64
	// states are for reuse: methods let them escape.
	states sync.Pool
	// NoAliases prints all instructions by their own syntax.
	NoAliases bool
	// PlainExprs writes expressions without the '#' that stands before numbers.
	PlainExprs bool
	// RegName appends the names of registers where they are not the table's. Where an operand has
	// a text for a register it is asked with this, and may append nothing.
	RegName func(b []byte, r desc.PhysReg, text string) []byte
}

// NewPrinter binds a table. variant counts the alternatives of {a|b}.
func NewPrinter(t *desc.WriterTable, info *desc.Info, variant int, f PrintFuncs) (*Printer, error) {
	p := &Printer{Info: info, t: t, variant: variant, dwarf: f.DwarfReg}
	if variant < 0 || variant >= int(t.Variants) {
		return nil, fmt.Errorf("mc/table: the target has no syntax variant %d", variant)
	}
	have := map[string]PrintFunc{"printOperand": (*Printing).Operand}
	for n, m := range f.Methods {
		have[n] = m
	}
	var err error
	if p.methods, err = bind(t.Names, t.Methods, "PrintMethod", have); err != nil {
		return nil, err
	}
	if p.preds, err = bind(t.Names, t.Preds, "MCOperandPredicate", f.Preds); err != nil {
		return nil, err
	}
	if n := len(t.Aliases); n > 0 {
		p.aliased = make([]uint64, t.Aliases[n-1].Op/64+1)
		for i := range t.Aliases {
			p.aliased[t.Aliases[i].Op/64] |= 1 << (t.Aliases[i].Op % 64)
		}
	}
	return p, nil
}

// Head is what the syntax of an opcode begins with, in tables that have heads: the
// mnemonic, or what all its forms begin with. ok is false when it has no syntax.
func (p *Printer) Head(op desc.Opcode) (head string, ok bool) {
	name, part := p.t.Row(op, p.variant)
	return name.In(p.t.Names), part != 0
}

// Symbol is what appends the names of symbols in expressions: the caller's, or the
// symbol's name as it is.
func (s *Printing) Symbol() func([]byte, mc.Sym) []byte {
	if s.sym == nil {
		return func(b []byte, y mc.Sym) []byte { return append(b, s.Ctx.At(y).Name...) }
	}
	return s.sym
}

// FileHeader is empty: assemblers expect the syntax of the table.
func (p *Printer) FileHeader() string { return "" }

// AppendDwarfReg appends a register by its DWARF number.
func (p *Printer) AppendDwarfReg(b []byte, reg uint32) []byte {
	if p.dwarf != nil {
		return p.dwarf(b, reg)
	}
	return strconv.AppendUint(b, uint64(reg), 10)
}

// AppendReg appends the name of a register.
func (p *Printer) AppendReg(b []byte, r desc.PhysReg) []byte { return p.AppendRegAlt(b, r, 0) }

// AppendRegAlt appends a register's name of an alternative index.
func (p *Printer) AppendRegAlt(b []byte, r desc.PhysReg, alt int) []byte {
	if p.RegName != nil {
		if named := p.RegName(b, r, ""); len(named) > len(b) {
			return named
		}
	}
	k := alt*int(p.t.NumRegs) + int(r)
	if k < len(p.t.RegNames) {
		return append(b, p.t.RegNames[k].In(p.t.Names)...)
	}
	return b
}

// AppendInst appends an instruction.
func (p *Printer) AppendInst(b, remarks []byte, ctx *mc.Context, st *mc.Subtarget, in *mc.Inst, sym func([]byte, mc.Sym) []byte) (text, notes []byte, err error) {
	s, _ := p.states.Get().(*Printing)
	if s == nil {
		s = &Printing{}
	}
	*s = Printing{Printer: p, B: b, Remarks: remarks, Ctx: ctx, ST: st, Inst: in, sym: sym}
	err = s.inst()
	text, notes = s.B, s.Remarks
	*s = Printing{}
	p.states.Put(s)
	if err != nil {
		return b, remarks, err
	}
	return text, notes, nil
}

// inst appends the instruction.
func (s *Printing) inst() error {
	p, in := s.Printer, s.Inst
	if k := int(in.Op / 64); k < len(p.aliased) && p.aliased[k]>>(in.Op%64)&1 != 0 {
		if part := s.alias(); part != 0 {
			// An alias that has no text for an operand (cset of al) is not meant.
			at := len(s.B)
			if err := s.form(part, true); err == nil {
				return nil
			}
			s.B = s.B[:at]
		}
	}
	head, part := p.t.Row(in.Op, p.variant)
	if part == 0 {
		return fmt.Errorf("%s has no assembly syntax", p.Info.OpcodeName(in.Op))
	}
	s.B = append(s.B, head.In(p.t.Names)...)
	return s.form(part, head == 0)
}

// form appends the parts from part on; first says that nothing stands before them.
func (s *Printing) form(part uint32, first bool) error {
	at := len(s.B)
	err := s.parts(s.t.Parts[part:], s.t.Names)
	if first && len(s.B) > at && s.B[at] == '\t' { // learned texts begin with LLVM's indentation
		s.B = append(s.B[:at], s.B[at+1:]...)
	}
	return err
}

// AppendForm appends an instruction as parts (up to the last) write it, whose
// texts are in names; expressions are not written.
func (p *Printer) AppendForm(b []byte, parts []desc.WriterPart, names string, in *mc.Inst) ([]byte, error) {
	s := Printing{Printer: p, B: b, Inst: in}
	err := s.parts(parts, names)
	return s.B, err
}

// parts appends parts up to the last.
func (s *Printing) parts(parts []desc.WriterPart, names string) (err error) {
	p, in := s.Printer, s.Inst
	for k := range parts {
		w := &parts[k]
		text := w.Text.In(names)
		if n := len(text) - 1; n >= 0 && text[n] == '.' && w.Op >= 0 && int(w.Op) < len(in.Ops) && in.Ops[w.Op].IsExpr() {
			text = text[:n] // the place, which numbers are added to
		}
		s.B = append(s.B, text...)
		if w.Op >= 0 {
			if int(w.Op) >= len(in.Ops) {
				return fmt.Errorf("%s: operand %d is missing", p.Info.OpcodeName(in.Op), w.Op)
			}
			s.Modifier = w.Modifier.In(p.t.Names)
			switch o := in.Ops[w.Op]; {
			case w.Style != 0:
				err = s.styled(&p.t.Styles[w.Style-1], o)
			case w.Method != 0:
				err = p.methods[w.Method-1](s, int(w.Op))
			case o.IsReg():
				s.B = p.AppendRegAlt(s.B, o.Reg(), int(w.RegNames))
			default:
				err = s.Operand(int(w.Op))
			}
			if err != nil {
				return fmt.Errorf("%s: operand %d: %w", p.Info.OpcodeName(in.Op), w.Op, err)
			}
		}
		if w.Last {
			return nil
		}
	}
	return nil
}

// Operand appends operand op in the common way: a register's name, a number, an expression.
func (s *Printing) Operand(op int) error {
	switch o := s.Inst.Ops[op]; {
	case o.IsReg():
		s.B = s.AppendReg(s.B, o.Reg())
	case o.IsImm():
		s.B = strconv.AppendInt(s.B, o.Imm(), 10)
	case o.IsFPImm():
		s.B = strconv.AppendFloat(s.B, math.Float64frombits(o.FPBits()), 'g', -1, 64)
	case o.IsExpr():
		s.B = s.Ctx.AppendExpr(s.B, o.Expr(), s.sym)
	default:
		return fmt.Errorf("it is neither register nor immediate")
	}
	return nil
}

// styled appends an operand in a style. An expression is written as it is, with
// what the style has around numbers.
func (s *Printing) styled(y *desc.WriterStyle, o mc.Operand) error {
	v := o.Imm()
	switch {
	case o.IsReg():
		if y.Kind != desc.StyleReg && y.Kind != desc.StyleRegTexts {
			return fmt.Errorf("a register has no place here")
		}
		v = int64(o.Reg())
	case y.Kind == desc.StyleReg || y.Kind == desc.StyleRegTexts:
		return fmt.Errorf("it is no register")
	case o.IsExpr():
		c, ok := s.Ctx.ConstValue(o.Expr())
		if !ok {
			if p := y.Prefix.In(s.t.Names); p != "." { // the place, which numbers are added to
				s.B = append(s.B, p...)
			}
			if n := len(s.B) - 1; s.PlainExprs && n >= 0 && s.B[n] == '#' {
				s.B = s.B[:n]
			}
			s.B = s.Ctx.AppendExpr(s.B, o.Expr(), s.sym)
			s.B = append(s.B, y.Suffix.In(s.t.Names)...)
			return nil
		}
		v = c
	case !o.IsImm():
		return fmt.Errorf("it is neither register nor integer")
	}
	if y.Bits > 0 && y.Bits < 64 {
		v &= 1<<y.Bits - 1
		if y.Signed {
			v = v << (64 - y.Bits) >> (64 - y.Bits)
		}
	}
	if rows := s.t.Texts[y.First : y.First+y.Num]; len(rows) > 0 {
		k := sort.Search(len(rows), func(i int) bool { return rows[i].Value >= v })
		if k < len(rows) && rows[k].Value == v {
			if n := len(s.B); o.IsReg() && s.RegName != nil {
				if s.B = s.RegName(s.B, o.Reg(), rows[k].Text.In(s.t.Names)); len(s.B) > n {
					return nil
				}
			}
			s.B = append(s.B, rows[k].Text.In(s.t.Names)...)
			return nil
		}
	}
	if y.Kind == desc.StyleTexts || y.Kind == desc.StyleRegTexts {
		return fmt.Errorf("%d has no text", v)
	}
	s.B = append(s.B, y.Prefix.In(s.t.Names)...)
	n := v*y.Mul + y.Add
	switch {
	case y.Kind == desc.StyleReg:
		s.B = s.AppendReg(s.B, o.Reg())
	case y.Kind == desc.StyleSum && n < 0:
		s.B = strconv.AppendUint(append(s.B, "- "...), uint64(-n), 10)
	case y.Kind == desc.StyleSum:
		s.B = strconv.AppendUint(append(s.B, "+ "...), uint64(n), 10)
	case y.Kind == desc.StyleSign && n >= 0:
		s.B = strconv.AppendInt(append(s.B, '+'), n, 10)
	case y.Kind == desc.StyleHexBits:
		s.B = strconv.AppendUint(append(s.B, "0x"...), uint64(n), 16)
	case y.Kind == desc.StyleHex && n < 0:
		s.B = strconv.AppendUint(append(s.B, "-0x"...), uint64(-n), 16)
	case y.Kind == desc.StyleHex:
		s.B = strconv.AppendUint(append(s.B, "0x"...), uint64(n), 16)
	default:
		s.B = strconv.AppendInt(s.B, n, 10)
	}
	s.B = append(s.B, y.Suffix.In(s.t.Names)...)
	return nil
}

// alias finds the first alias whose conditions hold; 0 when there is none.
func (s *Printing) alias() uint32 {
	t := s.t
	k := sort.Search(len(t.Aliases), func(i int) bool { return t.Aliases[i].Op >= s.Inst.Op })
next:
	for ; k < len(t.Aliases) && t.Aliases[k].Op == s.Inst.Op; k++ {
		a := &t.Aliases[k]
		if int(a.Variant) != s.variant || int(a.NumOps) != len(s.Inst.Ops) || s.NoAliases && !a.Form {
			continue
		}
		if a.Features.Num > 0 && (s.ST == nil || !holds(t.Terms, a.Features, s.ST.Has)) {
			continue
		}
		for _, c := range t.Conds[a.Conds : a.Conds+uint32(a.NumConds)] {
			if !s.holds(&c) {
				continue next
			}
		}
		return a.Parts
	}
	return 0
}

func (s *Printing) holds(c *desc.WriterCond) bool {
	o := s.Inst.Ops[c.Op]
	switch c.Kind {
	case desc.CondReg:
		return o.IsReg() && int64(o.Reg()) == c.Arg
	case desc.CondNoReg:
		return o.IsReg() && o.Reg() == 0
	case desc.CondClass:
		return o.IsReg() && s.Info.ClassContains(desc.ClassID(c.Arg), o.Reg())
	case desc.CondSame:
		x := s.Inst.Ops[c.Arg]
		return o.IsReg() && x.IsReg() && x.Reg() == o.Reg()
	case desc.CondImm:
		if o.IsExpr() {
			v, ok := s.Ctx.ConstValue(o.Expr())
			return ok && v == c.Arg
		}
		return o.IsImm() && o.Imm() == c.Arg
	case desc.CondFits:
		return o.IsExpr() || o.IsImm() && fits(s.t.Formats[c.Arg], o.Imm())
	case desc.CondText:
		y := &s.t.Styles[c.Arg-1]
		rows := s.t.Texts[y.First : y.First+y.Num]
		k := sort.Search(len(rows), func(i int) bool { return rows[i].Value >= o.Imm() })
		return o.IsImm() && k < len(rows) && rows[k].Value == o.Imm()
	case desc.CondFunc:
		return s.preds[c.Arg-1](s, o)
	}
	return false
}

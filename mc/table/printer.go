package table

import (
	"fmt"
	"math"
	"sort"
	"strconv"

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
	sym      func([]byte, mc.Sym) []byte
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
	// NoAliases prints all instructions by their own syntax.
	NoAliases bool
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
	return p, nil
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
func (p *Printer) AppendReg(b []byte, r desc.PhysReg) []byte { return p.appendReg(b, r, 0) }

func (p *Printer) appendReg(b []byte, r desc.PhysReg, alt int) []byte {
	k := alt*int(p.t.NumRegs) + int(r)
	if k < len(p.t.RegNames) {
		return append(b, p.t.RegNames[k].In(p.t.Names)...)
	}
	return b
}

// AppendInst appends an instruction.
func (p *Printer) AppendInst(b, remarks []byte, ctx *mc.Context, st *mc.Subtarget, in *mc.Inst, sym func([]byte, mc.Sym) []byte) (text, notes []byte, err error) {
	s := Printing{Printer: p, B: b, Ctx: ctx, ST: st, Inst: in, sym: sym}
	part := s.alias()
	if row := int(in.Op)*int(p.t.Variants) + p.variant; part == 0 && row < len(p.t.Rows) {
		part = p.t.Rows[row]
	}
	if part == 0 {
		return b, remarks, fmt.Errorf("%s has no assembly syntax", p.Info.OpcodeName(in.Op))
	}
	for ; ; part++ {
		w := &p.t.Parts[part]
		s.B = append(s.B, w.Text.In(p.t.Names)...)
		if w.Op >= 0 {
			if int(w.Op) >= len(in.Ops) {
				return b, remarks, fmt.Errorf("%s: operand %d is missing", p.Info.OpcodeName(in.Op), w.Op)
			}
			s.Modifier = w.Modifier.In(p.t.Names)
			switch {
			case w.Style != 0:
				err = s.styled(&p.t.Styles[w.Style-1], in.Ops[w.Op])
			case w.Method != 0:
				err = p.methods[w.Method-1](&s, int(w.Op))
			case w.RegNames != 0 && in.Ops[w.Op].IsReg():
				s.B = p.appendReg(s.B, in.Ops[w.Op].Reg(), int(w.RegNames))
			default:
				err = s.Operand(int(w.Op))
			}
			if err != nil {
				return b, remarks, fmt.Errorf("%s: operand %d: %w", p.Info.OpcodeName(in.Op), w.Op, err)
			}
		}
		if w.Last {
			return s.B, remarks, nil
		}
	}
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
			s.B = append(s.B, y.Prefix.In(s.t.Names)...)
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
	case desc.CondFunc:
		return s.preds[c.Arg-1](s, o)
	}
	return false
}

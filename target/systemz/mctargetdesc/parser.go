package mctargetdesc

import (
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/mctarget"
	"github.com/mirin-go/mirin/mc/table"
)

// parser is SystemZ's mc.TargetAsmParser.
type parser struct {
	*table.Reader
	target *mctarget.Target
}

func newParser(t *mctarget.Target) (mc.TargetAsmParser, error) {
	y := mctarget.Syntax(t.Info.Target)
	y.Operands, y.Drop = operands, isShort
	r, err := t.Reader(y)
	if err != nil {
		return nil, err
	}
	return &parser{Reader: r, target: t}, nil
}

// ParseRegister reads a register's name: of those that share it the one of 64 bits.
func (r *parser) ParseRegister(p mc.AsmParser, text string, pos int) (desc.PhysReg, int, bool) {
	start := pos
	if pos < len(text) && text[pos] == '%' {
		start++
	}
	end := start
	for end < len(text) && (text[end] >= '0' && text[end] <= '9' || text[end]|0x20 >= 'a' && text[end]|0x20 <= 'z') {
		end++
	}
	if end > start+1 && (start > pos || text[pos] < '0' || text[pos] > '9') {
		name := strings.ToLower(text[start:end])
		if name[0] == 'r' || name[0] == 'f' {
			name += "d"
		}
		if reg, ok := r.Info.RegByName(name); ok {
			return reg, end, true
		}
	}
	return 0, pos, false
}

// isShort reports a form of an address without its index or base.
func isShort(t *desc.MatcherTable, f *desc.MatchForm) bool {
	for _, c := range t.Conds[f.Conds : f.Conds+uint32(f.NumConds)] {
		if c.Kind == desc.CondNoReg {
			return true
		}
	}
	return false
}

// operands reads operands as LLVM's parser does, which looks at each one before it looks
// for an instruction: what is wrong with one by itself is wrong with the statement.
func operands(o *table.Operands) (int, error) {
	if t := strings.TrimRight(o.Text(), " \t"); o.Pos() >= len(t) && !strings.HasSuffix(t, ",") {
		return -1, nil // there are no more
	}
	if b := o.Before(0); b == "" || !strings.ContainsAny(b[len(b)-1:], " \t,") && !o.IsPlace(0) {
		return 0, nil // part of the mnemonic
	}
	n, err := operand(o)
	if n > 0 && err == nil && o.Peek() != 0 && o.Peek() != ',' {
		return 0, o.Error("unexpected token in argument list")
	}
	return n, err
}

func operand(o *table.Operands) (int, error) {
	switch disp := o.Op(0); {
	case o.IsPlace(0):
		return place(o)
	case o.IsReg(0):
		ok, err := register(o)
		if !ok {
			return -1, err
		}
		return 1, nil
	case o.Op(1) >= 0 && o.Op(1) == disp-1 && o.IsReg(1):
		return address(o, kindBD)
	case o.Op(2) >= 0 && o.Op(2) == disp-1 && o.IsReg(2) && strings.HasSuffix(o.Before(1), "("):
		switch {
		case !o.IsReg(1):
			return address(o, kindBDL)
		case strings.HasPrefix(o.Class(1), "VR"):
			return address(o, kindBDV)
		case strings.HasPrefix(o.Class(1), "ADDR"):
			return address(o, kindBDX)
		}
		return address(o, kindBDR)
	}
	if k := o.Style(0).Kind; k == desc.StyleTexts || o.Style(0).Num > 0 {
		return 0, nil
	}
	return number(o)
}

// number reads an immediate.
func number(o *table.Operands) (int, error) {
	if rs, end := o.Regs(); o.Peek() == '%' {
		if len(rs) == 0 {
			return 0, o.Error("invalid register")
		}
		o.Seek(end)
		return -1, nil
	}
	x, v, err := o.Expr()
	if err != nil {
		return 0, err
	}
	if x != 0 && o.TakesExpr(0, x) && o.Set(0, mc.ExprOp(x)) || x == 0 && (v >= 0 || !o.Unchecked(0)) && o.SetNumber(0, v) {
		return 1, nil
	}
	return -1, nil
}

// register reads a register, by name or as a number.
func register(o *table.Operands) (bool, error) {
	if o.Peek() == '%' {
		rs, end := o.Regs()
		if len(rs) == 0 {
			return false, o.Error("invalid register")
		}
		if name := o.Text()[o.Pos():end]; name[1]|0x20 == 'f' && strings.HasPrefix(o.Class(0), "VR") {
			rs = o.RegsOf("%v" + name[2:])
		}
		o.Seek(end)
		return o.SetReg(0, rs), nil
	}
	rs, err := numbered(o, o.Class(0))
	return len(rs) > 0 && o.SetReg(0, rs), err
}

// numbered reads the number of a register; none where the expression is no number.
func numbered(o *table.Operands, class string) ([]desc.PhysReg, error) {
	x, v, err := o.Expr()
	if err != nil || x != 0 {
		return nil, err
	}
	last := int64(15)
	if strings.HasPrefix(class, "VR") {
		last = 31
	}
	if v < 0 || v > last {
		return nil, o.Error("invalid register")
	}
	return o.RegsOf(strconv.FormatInt(v, 10)), nil
}

// place reads a place in the code, which may be a distance from the instruction.
func place(o *table.Operands) (int, error) {
	at := o.Pos()
	x, v, err := o.Expr()
	end := o.Pos()
	if err != nil {
		return 0, err
	}
	if x == 0 {
		o.Seek(at)
		if v&1 != 0 || !o.FitsNumber(0, v) {
			return 0, o.Error("offset out of range")
		}
		here := "."
		if v != 0 {
			here += "+" + strconv.FormatInt(v, 10)
		}
		if x, err = o.Place(here); err != nil {
			return 0, err
		}
		o.Seek(end)
	}
	if !o.Set(0, mc.ExprOp(x)) {
		return -1, nil
	}
	return 1, nil
}

// The kinds of addresses, by LLVM's names: base and displacement, and what else.
type addressKind uint8

const (
	kindBD  addressKind = iota
	kindBDX             // index
	kindBDL             // length
	kindBDR             // length in a register
	kindBDV             // vector index
)

// part is what stands in the brackets of an address.
type part struct {
	at   int
	regs []desc.PhysReg // of a register
	kind byte           // of the register: 'r', 'v', …
	v    int64          // of a length
	x    mc.Expr
	set  bool
}

// address reads an address, whose operands are the displacement, what its kind has, and the base.
func address(o *table.Operands, kind addressKind) (int, error) {
	base, taken := 2, 3
	if kind == kindBD {
		base, taken = 1, 2
	}
	o.Peek()
	at := o.Pos()
	x, v, err := o.Expr()
	if err != nil {
		return 0, err
	}
	var first, second part
	if o.Eat('(') {
		if err := brackets(o, kind, &first, &second); err != nil {
			return 0, err
		}
	}
	end := o.Pos()
	fail := func(at int, msg string) (int, error) {
		o.Seek(at)
		return 0, o.Error(msg)
	}
	if (kind == kindBDX || kind == kindBDV || kind == kindBDR) && !second.set && !(kind == kindBDR) {
		first, second = part{}, first // one alone is the base
	}
	switch kind {
	case kindBD:
		if second.set {
			return fail(at, "invalid use of indexed addressing")
		}
		first, second = part{}, first
	case kindBDL:
		if first.regs != nil {
			return fail(at, "invalid use of indexed addressing")
		}
		if !first.set {
			return fail(at, "missing length in address")
		}
	case kindBDV:
		if first.kind != 'v' && second.kind != 'v' {
			return fail(at, "vector index required in address")
		}
	}
	for _, p := range [...]*part{&first, &second} {
		if p.regs == nil || p == &first && kind == kindBDV {
			continue
		}
		switch {
		case p.kind == 'v':
			return fail(p.at, "invalid use of vector addressing")
		case p.kind != 'r':
			return fail(p.at, "invalid address register")
		}
	}
	o.Seek(end)
	ok := x != 0 && o.Set(0, mc.ExprOp(x)) || x == 0 && o.SetNumber(0, v)
	ok = ok && setAddressReg(o, base, &second)
	switch kind {
	case kindBDX, kindBDV:
		ok = ok && setAddressReg(o, 1, &first)
	case kindBDL:
		ok = ok && (first.x != 0 && o.TakesExpr(1, first.x) && o.Set(1, mc.ExprOp(first.x)) || first.x == 0 && o.SetNumber(1, first.v))
	case kindBDR:
		ok = ok && o.SetReg(1, first.regs)
	}
	if !ok {
		return -1, nil
	}
	o.Closed(")")
	return taken, nil
}

// brackets reads what stands in the brackets.
func brackets(o *table.Operands, kind addressKind, first, second *part) (err error) {
	reg := func(p *part, class string) error {
		p.set, p.at = true, o.Pos()
		if o.Peek() == '%' {
			p.at = o.Pos()
			rs, end := o.Regs()
			if len(rs) == 0 {
				return o.Error("invalid register")
			}
			p.regs, p.kind = rs, o.Text()[p.at+1]|0x20
			o.Seek(end)
			return nil
		}
		p.at = o.Pos()
		p.kind = 'r'
		if class == "VR" {
			p.kind = 'v'
		}
		p.regs, err = numbered(o, class)
		return err
	}
	if o.Eat(')') {
		return nil
	}
	class := "ADDR"
	if kind == kindBDV {
		class = "VR"
	}
	switch c := o.Peek(); {
	case c == ',' && kind != kindBDL:
	case c == '%' || kind != kindBDL:
		if err := reg(first, class); err != nil {
			return err
		}
	default:
		first.set, first.at = true, o.Pos()
		if first.x, first.v, err = o.Expr(); err != nil {
			return err
		}
	}
	if o.Eat(',') {
		if err := reg(second, "ADDR"); err != nil {
			return err
		}
	}
	if !o.Eat(')') {
		return o.Error("unexpected token in address")
	}
	return nil
}

// setAddressReg makes the i-th operand a register of an address, of which number 0 is none.
func setAddressReg(o *table.Operands, i int, p *part) bool {
	if p.regs == nil {
		return o.Set(i, mc.Reg(0))
	}
	for _, r := range p.regs {
		if p.kind == 'r' && o.RegName(r) == "R0D" {
			return o.Set(i, mc.Reg(0))
		}
	}
	return o.SetReg(i, p.regs)
}

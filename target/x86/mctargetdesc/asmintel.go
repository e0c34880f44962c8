package mctargetdesc

import (
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// term is the value of an Intel expression: numbers, one symbol, and registers
// with their factors, when it stands in brackets.
type term struct {
	v           int64
	x           mc.Expr
	base, index desc.PhysReg
	scale       int64 // of index, 0 for none
	scaled      bool  // index was multiplied
	offset      bool  // offset symbol
	bracket     bool
	seg         desc.PhysReg
	regs        int
	plain       bool // a single register and nothing else
}

func (t *term) constant() bool { return t.x == 0 && t.base == 0 && t.index == 0 }

// intelOperand reads a register, an immediate or an address.
func (x *parsing) intelOperand() (o asmOperand, err error) {
	start := x.pos
	// dword ptr
	end := x.wordAt(x.pos)
	sized := false
	if n, ok := sizeWords[strings.ToLower(x.text[x.pos:end])]; ok {
		k := end
		for k < len(x.text) && (x.text[k] == ' ' || x.text[k] == '\t') {
			k++
		}
		e2 := x.wordAt(k)
		if strings.EqualFold(x.text[k:e2], "ptr") {
			o.size, sized = n, true
			x.pos = e2
			x.blanks()
		}
	}
	if w := strings.ToLower(x.text[x.pos:x.wordAt(x.pos)]); w == "short" || w == "far" || w == "near" {
		x.pos += len(w)
		x.blanks()
	}
	t, err := x.intelSum(0)
	if err != nil {
		return o, err
	}
	x.blanks()
	if x.at(':') && t.base != 0 && x.info.ClassContains(tab.SEGMENT_REGRegClassID, t.base) {
		seg := t.base
		x.pos++
		x.blanks()
		if t, err = x.intelSum(0); err != nil {
			return o, err
		}
		t.seg, t.bracket = seg, true
	}
	o.start = start
	if t.plain && !t.bracket && !sized {
		return asmOperand{kind: opReg, reg: t.base}, nil
	}
	o.x, o.v = t.x, t.v
	o.bracket = t.bracket || sized
	if !t.bracket && !sized && t.base == 0 && t.index == 0 && (t.x == 0 || t.offset) {
		o.kind = opImm
		return o, nil
	}
	o.kind = opMem
	o.seg = t.seg
	o.base, o.index, o.scale = t.base, t.index, t.scale
	if o.index != 0 && !t.scaled && o.base != 0 && (o.index == tab.RSP || o.index == tab.ESP) {
		o.base, o.index = o.index, o.base
	}
	// A vector is an index, and so is whatever has a factor.
	if o.base != 0 && !x.is16(o.base) && !x.is32(o.base) && !x.is64(o.base) {
		if o.index == 0 || x.s.plainIndex(o.index) && !t.scaled {
			o.base, o.index = o.index, o.base
			if o.scale == 0 {
				o.scale = 1
			}
		}
	}
	if x.is16(o.base) && x.is16(o.index) && (o.base == tab.SI || o.base == tab.DI) && (o.index == tab.BX || o.index == tab.BP) {
		o.base, o.index = o.index, o.base
	}
	if o.index != 0 {
		if o.scale == 0 {
			o.scale = 1
		}
		switch o.scale {
		case 1, 2, 4, 8:
		default:
			return o, errAt(start, start, "scale factor in address must be 1, 2, 4 or 8")
		}
	}
	if msg := x.checkAddress(&o); msg != "" {
		return o, errAt(start, start, msg)
	}
	return o, nil
}

// binary operators of Intel expressions with their precedence.
func (x *parsing) intelOp() (op string, prec, n int) {
	if x.pos >= len(x.text) {
		return "", 0, 0
	}
	switch c := x.text[x.pos]; c {
	case '+', '-':
		return string(c), 4, 1
	case '*', '/', '%':
		return string(c), 5, 1
	case '<', '>':
		if x.pos+1 < len(x.text) && x.text[x.pos+1] == c {
			return string([]byte{c, c}), 3, 2
		}
		if x.pos+1 < len(x.text) && x.text[x.pos+1] == '=' {
			return string([]byte{c, '='}), 2, 2
		}
		return string(c), 2, 1
	case '&':
		return "&", 1, 1
	case '^':
		return "^", 1, 1
	case '|':
		return "|", 1, 1
	case '=':
		if x.pos+1 < len(x.text) && x.text[x.pos+1] == '=' {
			return "==", 2, 2
		}
	}
	w := x.text[x.pos:x.wordAt(x.pos)]
	switch strings.ToLower(w) {
	case "shl":
		return "<<", 3, len(w)
	case "shr":
		return ">>", 3, len(w)
	case "and":
		return "&", 1, len(w)
	case "or":
		return "|", 1, len(w)
	case "xor":
		return "^", 1, len(w)
	case "mod":
		return "%", 5, len(w)
	case "eq":
		return "==", 2, len(w)
	case "ne":
		return "!=", 2, len(w)
	case "lt":
		return "<", 2, len(w)
	case "le":
		return "<=", 2, len(w)
	case "gt":
		return ">", 2, len(w)
	case "ge":
		return ">=", 2, len(w)
	}
	return "", 0, 0
}

// intelSum reads an expression whose operators have at least precedence prec.
func (x *parsing) intelSum(prec int) (term, error) {
	t, err := x.intelFactor()
	if err != nil {
		return t, err
	}
	for {
		x.blanks()
		if x.at('[') { // sym[rip+4]
			u, err := x.intelFactor()
			if err != nil {
				return t, err
			}
			if t, err = x.intelAdd(t, u, false); err != nil {
				return t, err
			}
			t.bracket = true
			continue
		}
		op, p, n := x.intelOp()
		if op == "" || p < prec {
			return t, nil
		}
		at := x.pos
		x.pos += n
		u, err := x.intelSum(p + 1)
		if err != nil {
			return t, err
		}
		if t, err = x.intelBinary(op, t, u, at); err != nil {
			return t, err
		}
	}
}

func (x *parsing) intelBinary(op string, t, u term, at int) (term, error) {
	bracket := t.bracket || u.bracket
	switch op {
	case "+":
		return x.intelAdd(t, u, false)
	case "-":
		return x.intelAdd(t, u, true)
	case "*":
		if t.constant() && u.regs == 1 {
			t, u = u, t
		}
		if t.regs == 1 && t.plain && u.constant() {
			if u.v < 0 {
				return t, errAt(at, at, "Scale can't be negative")
			}
			return term{index: t.base, scale: u.v, scaled: true, regs: 1, bracket: bracket}, nil
		}
	}
	if !t.constant() || !u.constant() {
		return t, errAt(at, at, "unexpected token in argument list")
	}
	truth := func(b bool) int64 {
		if b {
			return -1
		}
		return 0
	}
	r := term{bracket: bracket}
	switch op {
	case "*":
		r.v = t.v * u.v
	case "/", "%":
		if u.v == 0 {
			return t, errAt(at, at, "divide by zero")
		}
		if r.v = t.v / u.v; op == "%" {
			r.v = t.v % u.v
		}
	case "<<":
		r.v = t.v << (uint64(u.v) & 63)
	case ">>":
		r.v = t.v >> (uint64(u.v) & 63)
	case "&":
		r.v = t.v & u.v
	case "|":
		r.v = t.v | u.v
	case "^":
		r.v = t.v ^ u.v
	case "==":
		r.v = truth(t.v == u.v)
	case "!=":
		r.v = truth(t.v != u.v)
	case "<":
		r.v = truth(t.v < u.v)
	case "<=":
		r.v = truth(t.v <= u.v)
	case ">":
		r.v = truth(t.v > u.v)
	case ">=":
		r.v = truth(t.v >= u.v)
	}
	return r, nil
}

// intelAdd adds or subtracts.
func (x *parsing) intelAdd(t, u term, minus bool) (term, error) {
	r := t
	r.plain = false
	r.bracket = t.bracket || u.bracket
	r.offset = t.offset || u.offset
	if u.seg != 0 {
		r.seg = u.seg
	}
	ctx := x.p.Context()
	if minus {
		if u.regs > 0 {
			return t, errAt(x.pos, x.pos, "unexpected register in subtraction")
		}
		r.v -= u.v
		if u.x != 0 {
			if r.x == 0 {
				r.x = ctx.Const(0)
			}
			r.x = ctx.AddConst(ctx.Binary(mc.OpSub, r.x, u.x), 0)
		}
	} else {
		r.v += u.v
		switch {
		case u.x != 0 && r.x != 0:
			r.x = ctx.Binary(mc.OpAdd, r.x, u.x)
		case u.x != 0:
			r.x = u.x
		}
		switch {
		case u.regs == 0:
		case t.regs == 0:
			r.base, r.index, r.scale, r.scaled = u.base, u.index, u.scale, u.scaled
		case t.regs+u.regs > 2:
			return t, errAt(x.pos, x.pos, "cannot use more than one base and one index register")
		case u.scaled && t.index == 0:
			r.index, r.scale, r.scaled = u.index, u.scale, true
		case u.scaled:
			return t, errAt(x.pos, x.pos, "cannot use more than one index register")
		case t.base == 0:
			r.base = u.base
		default:
			r.index, r.scale = u.base, 1
		}
		r.regs = t.regs + u.regs
	}
	if r.x != 0 && r.v != 0 {
		r.x = ctx.AddConst(r.x, r.v)
		r.v = 0
	}
	return r, nil
}

// intelFactor reads a number, a symbol, a register, or what is in brackets.
func (x *parsing) intelFactor() (term, error) {
	x.blanks()
	at := x.pos
	if at >= len(x.text) {
		return term{}, errAt(at, at, "unknown token in expression")
	}
	switch c := x.text[at]; {
	case c == '(' || c == '[':
		x.pos++
		t, err := x.intelSum(0)
		if err != nil {
			return t, err
		}
		x.blanks()
		if x.at(':') && c == '[' && t.plain && x.info.ClassContains(tab.SEGMENT_REGRegClassID, t.base) {
			seg := t.base
			x.pos++
			if t, err = x.intelSum(0); err != nil {
				return t, err
			}
			t.seg = seg
		}
		end := byte(')')
		if c == '[' {
			end = ']'
		}
		if !x.take(end) {
			return t, errAt(x.pos, x.pos, "unexpected bracket encountered")
		}
		t.bracket = t.bracket || c == '['
		if c == '[' {
			t.plain = false
		}
		return t, nil
	case c == '-' || c == '+' || c == '~':
		x.pos++
		t, err := x.intelFactor()
		if err != nil {
			return t, err
		}
		switch {
		case c == '-' && t.constant():
			t.v = -t.v
		case c == '-' && t.scaled, c == '-' && t.regs > 0:
			return t, errAt(at, at, "Scale can't be negative")
		case c == '-':
			t.x = x.p.Context().Unary(mc.OpMinus, t.x)
		case c == '~' && t.constant():
			t.v = ^t.v
		}
		return t, nil
	case c >= '0' && c <= '9':
		if v, end, ok := intelNumber(x.text, at); ok {
			x.pos = end
			return term{v: v}, nil
		}
	}
	w := strings.ToLower(x.text[at:x.wordAt(at)])
	switch w {
	case "offset":
		x.pos += len(w)
		t, err := x.intelFactor()
		t.offset = true
		return t, err
	case "not":
		x.pos += len(w)
		t, err := x.intelFactor()
		t.v = ^t.v
		return t, err
	}
	r, ok, err := x.register()
	if err != nil {
		return term{}, err
	}
	if ok {
		return term{base: r, regs: 1, plain: true}, nil
	}
	// A symbol with its modifier, but no arithmetic.
	end := x.wordAt(at)
	if x.text[at] == '"' {
		if k := strings.IndexByte(x.text[at+1:], '"'); k >= 0 {
			end = at + k + 2
			end = x.wordAt(end)
		}
	}
	if end == at {
		return term{}, errAt(at, at, "unknown token in expression")
	}
	e, v, _, err := x.p.Expr(x.text[:end], at)
	if err != nil {
		return term{}, err
	}
	x.pos = end
	return term{x: e, v: v}, nil
}

// intelNumber reads 12, 0x1f, 1fh, 101b, 17o; a local label (1f) is none.
func intelNumber(text string, at int) (int64, int, bool) {
	end := at
	for end < len(text) && (text[end] >= '0' && text[end] <= '9' || text[end] >= 'a' && text[end] <= 'z' || text[end] >= 'A' && text[end] <= 'Z') {
		end++
	}
	w := strings.ToLower(text[at:end])
	try := func(digits string, radix int) (int64, int, bool) {
		v, err := strconv.ParseUint(digits, radix, 64)
		return int64(v), end, err == nil
	}
	switch {
	case strings.HasPrefix(w, "0x"):
		return try(w[2:], 16)
	case strings.HasSuffix(w, "h"):
		return try(w[:len(w)-1], 16)
	case strings.HasPrefix(w, "0b") && len(w) > 2:
		return try(w[2:], 2)
	case strings.HasSuffix(w, "b") && strings.Trim(w[:len(w)-1], "01") == "" && len(w) > 2:
		return try(w[:len(w)-1], 2)
	case strings.HasSuffix(w, "o") || strings.HasSuffix(w, "q"):
		return try(w[:len(w)-1], 8)
	case len(w) > 1 && w[0] == '0':
		if v, e, ok := try(w, 8); ok {
			return v, e, ok
		}
	}
	return try(w, 10)
}

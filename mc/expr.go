package mc

import (
	"strconv"
	"strings"
)

// Expr names an expression of a Context; 0 is none.
type Expr uint32

// Modifier is how an expression refers to its symbol, written symbol@name. The
// numbers are the target's, from 1 on; AsmInfo.Modifiers has their names.
type Modifier uint16

// ModNone is a plain reference.
const ModNone Modifier = 0

// ModifierInfo describes a modifier.
type ModifierInfo struct {
	Name string
	// TLS makes what it refers to a thread-local symbol.
	TLS bool
}

// ModifierName returns a modifier's name in assembly.
func (a *AsmInfo) ModifierName(m Modifier) string {
	if int(m) < len(a.Modifiers) {
		return a.Modifiers[m].Name
	}
	return "modifier " + strconv.Itoa(int(m))
}

// ModifierByName finds a modifier by its name, in upper or lower case.
func (a *AsmInfo) ModifierByName(name string) (Modifier, bool) {
	for i := 1; i < len(a.Modifiers); i++ {
		if strings.EqualFold(a.Modifiers[i].Name, name) {
			return Modifier(i), true
		}
	}
	return 0, false
}

// ExprKind says what an expression is.
type ExprKind uint8

// The kinds of expressions.
const (
	ExprNone ExprKind = iota
	ExprConst
	ExprSym
	ExprUnary
	ExprBinary
)

// ExprOpcode is the operation of a unary or binary expression.
type ExprOpcode uint8

// The operations. Comparisons give 0 or -1, as in GNU as.
const (
	OpAdd ExprOpcode = iota
	OpSub
	OpMul
	OpDiv
	OpMod
	OpShl
	OpShr
	OpAnd
	OpOr
	OpXor
	OpEQ
	OpNE
	OpLT
	OpLE
	OpGT
	OpGE
	OpLAnd
	OpLOr
	// Unary:
	OpMinus
	OpPlus
	OpNot
	OpLNot
)

var exprOpText = [...]string{"+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^", "==", "!=", "<", "<=", ">", ">=", "&&", "||", "-", "+", "~", "!"}

// exprNode is one expression: a constant (val), a symbol (a) with modifier (op)
// and distance (val), or an operation on a and b.
type exprNode struct {
	val  int64
	a, b uint32
	kind ExprKind
	op   uint16
}

// Const makes a constant.
func (c *Context) Const(v int64) Expr { return c.node(exprNode{kind: ExprConst, val: v}) }

// Ref makes a reference to a symbol.
func (c *Context) Ref(s Sym, m Modifier) Expr { return c.RefOff(s, m, 0) }

// RefOff makes symbol@modifier+off in one node.
func (c *Context) RefOff(s Sym, m Modifier, off int64) Expr {
	return c.node(exprNode{kind: ExprSym, a: uint32(s), op: uint16(m), val: off})
}

// Binary makes a op b.
func (c *Context) Binary(op ExprOpcode, a, b Expr) Expr {
	return c.node(exprNode{kind: ExprBinary, a: uint32(a), b: uint32(b), op: uint16(op)})
}

// Unary makes op a.
func (c *Context) Unary(op ExprOpcode, a Expr) Expr {
	return c.node(exprNode{kind: ExprUnary, a: uint32(a), op: uint16(op)})
}

// Diff makes a-b, the distance between two labels.
func (c *Context) Diff(a, b Sym) Expr {
	return c.Binary(OpSub, c.Ref(a, ModNone), c.Ref(b, ModNone))
}

// AddConst makes e+off, without a new node when off is 0.
func (c *Context) AddConst(e Expr, off int64) Expr {
	if off == 0 {
		return e
	}
	n := c.exprs[e]
	switch n.kind {
	case ExprConst, ExprSym:
		n.val += off
		return c.node(n)
	}
	return c.Binary(OpAdd, e, c.Const(off))
}

func (c *Context) node(n exprNode) Expr {
	c.exprs = append(room(c.exprs, 1), n)
	return Expr(len(c.exprs) - 1)
}

// ExprKind returns the kind of e.
func (c *Context) ExprKind(e Expr) ExprKind { return c.exprs[e].kind }

// ConstValue returns the value of a plain constant.
func (c *Context) ConstValue(e Expr) (int64, bool) {
	n := &c.exprs[e]
	return n.val, n.kind == ExprConst
}

// SymRef takes a symbol reference apart.
func (c *Context) SymRef(e Expr) (s Sym, m Modifier, off int64, ok bool) {
	n := &c.exprs[e]
	if n.kind != ExprSym {
		return 0, 0, 0, false
	}
	return Sym(n.a), Modifier(n.op), n.val, true
}

// Difference takes a-b apart.
func (c *Context) Difference(e Expr) (a, b Expr, ok bool) {
	n := &c.exprs[e]
	return Expr(n.a), Expr(n.b), n.kind == ExprBinary && ExprOpcode(n.op) == OpSub
}

// Value is an expression reduced to A - B + Off, with B 0 in most cases. Mod
// belongs to A.
type Value struct {
	A, B Sym
	Mod  Modifier
	Off  int64
}

// Reduce brings an expression into the form of a Value. distance, when not nil,
// gives the distance a-b of two labels once it is known; without it only labels
// that cancel out are removed. ok is false when the expression has no such form.
func (c *Context) Reduce(e Expr, distance func(a, b Sym) (int64, bool)) (v Value, ok bool) {
	n := &c.exprs[e]
	switch n.kind {
	case ExprConst:
		return Value{Off: n.val}, true
	case ExprSym:
		return Value{A: Sym(n.a), Mod: Modifier(n.op), Off: n.val}, true
	case ExprUnary:
		v, ok = c.Reduce(Expr(n.a), distance)
		if !ok {
			return v, false
		}
		switch op := ExprOpcode(n.op); {
		case op == OpPlus:
			return v, true
		case op == OpMinus && v.Mod == ModNone:
			return Value{A: v.B, B: v.A, Off: -v.Off}, true
		case v.A != 0 || v.B != 0:
			return v, false
		case op == OpNot:
			return Value{Off: ^v.Off}, true
		case op == OpLNot:
			return Value{Off: truth(v.Off == 0) & 1}, true
		}
		return v, false
	case ExprBinary:
		a, ok1 := c.Reduce(Expr(n.a), distance)
		b, ok2 := c.Reduce(Expr(n.b), distance)
		if !ok1 || !ok2 {
			return v, false
		}
		return combine(ExprOpcode(n.op), a, b, distance)
	}
	return v, false
}

// combine computes a op b.
func combine(op ExprOpcode, a, b Value, distance func(a, b Sym) (int64, bool)) (Value, bool) {
	if op == OpSub && b.Mod == ModNone {
		b = Value{A: b.B, B: b.A, Off: -b.Off}
		op = OpAdd
	}
	if op != OpAdd {
		if a.A|a.B|b.A|b.B != 0 {
			return Value{}, false
		}
		r, ok := constOp(op, a.Off, b.Off)
		return Value{Off: r}, ok
	}
	off := a.Off + b.Off
	pos := [2]Value{{A: a.A, Mod: a.Mod}, {A: b.A, Mod: b.Mod}}
	neg := [2]Sym{a.B, b.B}
	for i := range pos {
		for k := range neg {
			p, q := pos[i].A, neg[k]
			if p == 0 || q == 0 || pos[i].Mod != ModNone {
				continue
			}
			if p == q {
				pos[i].A, neg[k] = 0, 0
			} else if distance != nil {
				if d, ok := distance(p, q); ok {
					off += d
					pos[i].A, neg[k] = 0, 0
				}
			}
		}
	}
	if pos[0].A == 0 {
		pos[0] = pos[1]
	} else if pos[1].A != 0 {
		return Value{}, false
	}
	if neg[0] == 0 {
		neg[0] = neg[1]
	} else if neg[1] != 0 {
		return Value{}, false
	}
	return Value{A: pos[0].A, Mod: pos[0].Mod, B: neg[0], Off: off}, true
}

func truth(b bool) int64 {
	if b {
		return -1
	}
	return 0
}

func constOp(op ExprOpcode, a, b int64) (int64, bool) {
	switch op {
	case OpMul:
		return a * b, true
	case OpDiv, OpMod:
		if b == 0 {
			return 0, false
		}
		if op == OpDiv {
			return a / b, true
		}
		return a % b, true
	case OpShl:
		return a << (uint64(b) & 63), true
	case OpShr:
		return int64(uint64(a) >> (uint64(b) & 63)), true
	case OpAnd:
		return a & b, true
	case OpOr:
		return a | b, true
	case OpXor:
		return a ^ b, true
	case OpEQ:
		return truth(a == b), true
	case OpNE:
		return truth(a != b), true
	case OpLT:
		return truth(a < b), true
	case OpLE:
		return truth(a <= b), true
	case OpGT:
		return truth(a > b), true
	case OpGE:
		return truth(a >= b), true
	case OpLAnd:
		return truth(a != 0 && b != 0) & 1, true
	case OpLOr:
		return truth(a != 0 || b != 0) & 1, true
	}
	return 0, false
}

// AppendExpr appends the expression in assembly syntax; sym appends a symbol.
func (c *Context) AppendExpr(b []byte, e Expr, sym func(b []byte, s Sym) []byte) []byte {
	return c.appendExpr(b, e, sym, false)
}

func (c *Context) appendExpr(b []byte, e Expr, sym func([]byte, Sym) []byte, inner bool) []byte {
	n := &c.exprs[e]
	switch n.kind {
	case ExprConst:
		return strconv.AppendInt(b, n.val, 10)
	case ExprSym:
		// The symbol with its distance is a sum for whoever puts brackets around it.
		bracket := inner && n.val != 0
		if bracket {
			b = append(b, '(')
		}
		b = sym(b, Sym(n.a))
		if n.op != 0 {
			b = append(b, '@')
			b = append(b, c.info.ModifierName(Modifier(n.op))...)
		}
		b = appendOff(b, n.val)
		if bracket {
			b = append(b, ')')
		}
		return b
	case ExprUnary:
		b = append(b, exprOpText[n.op]...)
		in := c.exprs[n.a].kind == ExprBinary
		if in {
			b = append(b, '(')
		}
		b = c.appendExpr(b, Expr(n.a), sym, false)
		if in {
			b = append(b, ')')
		}
		return b
	case ExprBinary:
		b = c.appendSide(b, Expr(n.a), sym)
		if r := &c.exprs[n.b]; ExprOpcode(n.op) == OpAdd && r.kind == ExprConst && r.val < 0 {
			return strconv.AppendInt(b, r.val, 10)
		}
		b = append(b, exprOpText[n.op]...)
		return c.appendSide(b, Expr(n.b), sym)
	}
	return b
}

// appendSide writes one side of an operation, in parentheses unless it is a
// symbol or a constant.
func (c *Context) appendSide(b []byte, e Expr, sym func([]byte, Sym) []byte) []byte {
	n := &c.exprs[e]
	if n.kind == ExprConst || n.kind == ExprSym {
		return c.appendExpr(b, e, sym, true)
	}
	b = append(b, '(')
	b = c.appendExpr(b, e, sym, false)
	return append(b, ')')
}

func appendOff(b []byte, off int64) []byte {
	if off > 0 {
		b = append(b, '+')
	}
	if off != 0 {
		b = strconv.AppendInt(b, off, 10)
	}
	return b
}

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

// ModifierInfo describes a modifier, LLVM's relocation specifier.
type ModifierInfo struct {
	// Name is what stands behind "@", or within Prefix: "lo12" of ":lo12:".
	Name string
	// Prefix and Suffix stand around the expression that the modifier belongs to,
	// as in %hi(symbol+4) and :lo12:symbol. Without both it is written symbol@Name+4.
	Prefix, Suffix string
	// TLS makes what it refers to a thread-local symbol.
	TLS bool
	// OfNumbers are modifiers that a number may have (AsmInfo.WholeModifiers).
	OfNumbers bool
}

// ModifierName returns a modifier's name in assembly.
func (a *AsmInfo) ModifierName(m Modifier) string {
	if int(m) < len(a.Modifiers) {
		return a.Modifiers[m].Name
	}
	return "modifier " + strconv.Itoa(int(m))
}

// around gives what stands around what a modifier belongs to; ok is false where it
// stands behind "@".
func (a *AsmInfo) around(m Modifier) (prefix, suffix string, ok bool) {
	if int(m) >= len(a.Modifiers) {
		return "", "", false
	}
	i := &a.Modifiers[m]
	return i.Prefix, i.Suffix, i.Prefix != ""
}

// ModifierByName finds a modifier that is written behind "@" by its name, in upper
// or lower case.
func (a *AsmInfo) ModifierByName(name string) (Modifier, bool) {
	for i := 1; i < len(a.Modifiers); i++ {
		if m := &a.Modifiers[i]; m.Prefix == "" && strings.EqualFold(m.Name, name) {
			return Modifier(i), true
		}
	}
	return 0, false
}

// ModifierByPrefix finds the modifier whose prefix text begins with, of several the
// longest; the expression begins at text[n] and Suffix follows it. 0 is none.
func (a *AsmInfo) ModifierByPrefix(text string) (m Modifier, n int) {
	for i := 1; i < len(a.Modifiers); i++ {
		if p := a.Modifiers[i].Prefix; len(p) > n && len(text) >= len(p) && strings.EqualFold(text[:len(p)], p) {
			m, n = Modifier(i), len(p)
		}
	}
	return m, n
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
	ExprModified
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
	OpOrNot // a | ~b, written a!b
	OpAShr  // >> of signed numbers, as Darwin has it
	// Unary:
	OpMinus
	OpPlus
	OpNot
	OpLNot
)

var exprOpText = [...]string{"+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^", "==", "!=", "<", "<=", ">", ">=", "&&", "||", "!", ">>", "-", "+", "~", "!"}

// exprNode is one expression: a constant (val), a symbol (a) with modifier (op)
// and distance (val), an operation on a and b, or an expression (a) with modifier (op).
type exprNode struct {
	val  int64
	a, b uint32
	loc  uint32 // where it was read, see SetLoc
	op   uint16
	kind ExprKind
}

// Const makes a constant.
func (c *Context) Const(v int64) Expr { return c.node(exprNode{kind: ExprConst, val: v}) }

// Ref makes a reference to a symbol.
func (c *Context) Ref(s Sym, m Modifier) Expr { return c.RefOff(s, m, 0) }

// RefOff makes symbol@modifier+off in one node.
func (c *Context) RefOff(s Sym, m Modifier, off int64) Expr {
	return c.node(exprNode{kind: ExprSym, a: uint32(s), op: uint16(m), val: off})
}

// Modified makes an expression with a modifier: %hi(e).
func (c *Context) Modified(m Modifier, e Expr) Expr {
	if n := c.exprs[e]; m == ModNone || n.kind == ExprSym && n.op == 0 {
		n.op = uint16(m)
		if m == ModNone {
			return e
		}
		return c.node(n)
	}
	return c.node(exprNode{kind: ExprModified, a: uint32(e), op: uint16(m)})
}

// Wrapped makes an expression with a modifier that is not its symbol's: (x+8)@ha, which
// is written x+8@ha.
func (c *Context) Wrapped(m Modifier, e Expr) Expr {
	return c.node(exprNode{kind: ExprModified, a: uint32(e), op: uint16(m)})
}

// Hoisted takes modifiers of a set out of an expression: the expression without them, the one
// that there is, and where the second one stands if there are several, else 0.
func (c *Context) Hoisted(e Expr, in func(Modifier) bool) (x Expr, m Modifier, second uint32) {
	n := c.exprs[e]
	saved := c.loc
	defer func() { c.loc = saved }()
	c.loc = n.loc
	switch n.kind {
	case ExprModified:
		if !in(Modifier(n.op)) {
			return e, 0, 0
		}
		x, inner, second := c.Hoisted(Expr(n.a), in)
		if inner != 0 {
			second = c.exprs[c.leftmost(Expr(n.a))].loc
		}
		return x, Modifier(n.op), second
	case ExprSym:
		if n.op == 0 || !in(Modifier(n.op)) {
			return e, 0, 0
		}
		return c.RefOff(Sym(n.a), 0, n.val), Modifier(n.op), 0
	case ExprUnary:
		x, m, second := c.Hoisted(Expr(n.a), in)
		if m == 0 {
			return e, 0, 0
		}
		return c.Unary(ExprOpcode(n.op), x), m, second
	case ExprBinary:
		a, ma, sa := c.Hoisted(Expr(n.a), in)
		b, mb, sb := c.Hoisted(Expr(n.b), in)
		if ma == 0 && mb == 0 {
			return e, 0, 0
		}
		second = sa
		if sa == 0 && ma != 0 && mb != 0 {
			second = c.exprs[c.leftmost(Expr(n.b))].loc
		}
		if second == 0 {
			second = sb
		}
		return c.Binary(ExprOpcode(n.op), a, b), max(ma, mb), second
	}
	return e, 0, 0
}

// leftmost is the first symbol or number of an expression.
func (c *Context) leftmost(e Expr) Expr {
	for c.exprs[e].kind == ExprUnary || c.exprs[e].kind == ExprBinary || c.exprs[e].kind == ExprModified {
		e = Expr(c.exprs[e].a)
	}
	return e
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

// SetLoc says where the expressions that are made next were read: a number that an
// assembler knows the meaning of, 0 for none. Errors about them have it (SourceError).
func (c *Context) SetLoc(loc uint32) { c.loc = loc }

// ExprAt gives an expression that was written at a place, in place of its own.
func (c *Context) ExprAt(e Expr, loc uint32) Expr {
	if c.exprs[e].loc == loc {
		return e
	}
	n := c.exprs[e]
	x := c.node(n)
	c.exprs[x].loc = loc
	return x
}

// ExprLoc gives the place where an expression was read, 0 when there is none.
func (c *Context) ExprLoc(e Expr) uint32 { return c.exprs[e].loc }

func (c *Context) node(n exprNode) Expr {
	n.loc = c.loc
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

// ModifierOf gives the modifier of an expression and the expression without it.
// That of a sum is its first operand's.
func (c *Context) ModifierOf(e Expr) (m Modifier, inner Expr) {
	switch n := c.exprs[e]; {
	case n.kind == ExprModified:
		return Modifier(n.op), Expr(n.a)
	case n.kind == ExprSym && n.op != 0:
		m = Modifier(n.op)
		n.op = 0
		return m, c.node(n)
	case n.kind == ExprBinary && (ExprOpcode(n.op) == OpAdd || ExprOpcode(n.op) == OpSub):
		if m, inner = c.ModifierOf(Expr(n.a)); m != ModNone {
			return m, c.Binary(ExprOpcode(n.op), inner, Expr(n.b))
		}
	}
	return ModNone, e
}

// Operands gives the two sides of a binary operation.
func (c *Context) Operands(e Expr) (a, b Expr, ok bool) {
	n := &c.exprs[e]
	return Expr(n.a), Expr(n.b), n.kind == ExprBinary
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

// WithModifier gives an expression whose symbols have a modifier, 0 where there are none; ok is
// false where one has one already.
func (c *Context) WithModifier(e Expr, m Modifier) (x Expr, ok bool) {
	n := c.exprs[e]
	saved := c.loc
	defer func() { c.loc = saved }()
	c.loc = n.loc
	switch n.kind {
	case ExprSym:
		if n.op != 0 {
			return e, false
		}
		return c.RefOff(Sym(n.a), m, n.val), true
	case ExprUnary:
		if x, ok = c.WithModifier(Expr(n.a), m); x == 0 || !ok {
			return x, ok
		}
		return c.Unary(ExprOpcode(n.op), x), true
	case ExprBinary:
		a, ok1 := c.WithModifier(Expr(n.a), m)
		b, ok2 := c.WithModifier(Expr(n.b), m)
		if !ok1 || !ok2 {
			return e, false
		}
		if a == 0 && b == 0 {
			return 0, true
		}
		if a == 0 {
			a = Expr(n.a)
		}
		if b == 0 {
			b = Expr(n.b)
		}
		return c.Binary(ExprOpcode(n.op), a, b), true
	}
	return 0, true
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
	case ExprModified:
		v, ok = c.Reduce(Expr(n.a), distance)
		if !ok || v.Mod != ModNone {
			return v, false
		}
		v.Mod = Modifier(n.op)
		return v, true
	case ExprUnary:
		v, ok = c.Reduce(Expr(n.a), distance)
		if !ok {
			return v, false
		}
		return unaryValue(ExprOpcode(n.op), v)
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

// unaryValue computes op v.
func unaryValue(op ExprOpcode, v Value) (Value, bool) {
	switch {
	case op == OpPlus:
		return v, true
	case op == OpMinus && v.A != 0 && v.B == 0:
		return v, false // as in LLVM, where nothing but a difference has a negative
	case op == OpMinus && v.Mod == ModNone:
		return Value{A: v.B, B: v.A, Off: -v.Off}, true
	case v.A != 0 || v.B != 0 || v.Mod != ModNone:
		return v, false
	case op == OpNot:
		return Value{Off: ^v.Off}, true
	case op == OpLNot:
		return Value{Off: truth(v.Off == 0) & 1}, true
	}
	return v, false
}

// combine computes a op b.
func combine(op ExprOpcode, a, b Value, distance func(a, b Sym) (int64, bool)) (Value, bool) {
	if a.A == 0 && a.Mod != ModNone || b.A == 0 && b.Mod != ModNone {
		return Value{}, false // %hi(1) + 1: what the modifier belongs to would be lost
	}
	if op == OpSub && b.Mod == ModNone {
		b = Value{A: b.B, B: b.A, Off: -b.Off}
		op = OpAdd
	}
	if op != OpAdd {
		if a.A|a.B|b.A|b.B != 0 {
			if a.B|b.B == 0 && a.A != 0 && b.A != 0 && (op == OpEQ || op == OpNE) && a.Mod|b.Mod == ModNone {
				if d, ok := apart(a, b, distance); ok {
					return Value{Off: truth((d == 0) == (op == OpEQ))}, true
				}
			}
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

// apart gives the distance of two places.
func apart(a, b Value, distance func(a, b Sym) (int64, bool)) (int64, bool) {
	if a.A == b.A {
		return a.Off - b.Off, true
	}
	if distance == nil {
		return 0, false
	}
	d, ok := distance(a.A, b.A)
	return d + a.Off - b.Off, ok
}

// FoldExpr gives the value of an operation on numbers; ok is false where it has none.
func FoldExpr(op ExprOpcode, a, b int64) (v int64, ok bool) {
	switch op {
	case OpAdd:
		return a + b, true
	case OpSub:
		return a - b, true
	}
	return constOp(op, a, b)
}

// Evaluate is Reduce that looks through symbols that are names of expressions.
func (c *Context) Evaluate(e Expr, distance func(a, b Sym) (int64, bool)) (v Value, ok bool) {
	return c.evaluate(e, distance, 0)
}

// maxAliases bounds chains of names of expressions.
const maxAliases = 200

func (c *Context) evaluate(e Expr, distance func(a, b Sym) (int64, bool), depth int) (v Value, ok bool) {
	if depth > maxAliases {
		return v, false
	}
	n := &c.exprs[e]
	switch n.kind {
	case ExprSym:
		y := &c.syms[n.a]
		if y.Flags&SymHasAlias == 0 || n.op != 0 {
			return c.Reduce(e, distance)
		}
		v, ok = c.evaluate(y.Value, distance, depth+1)
		v.Off += n.val
		return v, ok
	case ExprUnary, ExprBinary:
		a, ok := c.evaluate(Expr(n.a), distance, depth+1)
		if !ok {
			return v, false
		}
		if n.kind == ExprUnary {
			return unaryValue(ExprOpcode(n.op), a)
		}
		b, ok := c.evaluate(Expr(n.b), distance, depth+1)
		if !ok {
			return v, false
		}
		return combine(ExprOpcode(n.op), a, b, distance)
	}
	return c.Reduce(e, distance)
}

// EachSym calls f for each symbol of an expression.
func (c *Context) EachSym(e Expr, f func(s Sym)) {
	n := &c.exprs[e]
	switch n.kind {
	case ExprSym:
		f(Sym(n.a))
	case ExprUnary, ExprModified:
		c.EachSym(Expr(n.a), f)
	case ExprBinary:
		c.EachSym(Expr(n.a), f)
		c.EachSym(Expr(n.b), f)
	}
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
	case OpOrNot:
		return a | ^b, true
	case OpAShr:
		return a >> (uint64(b) & 63), true
	}
	return 0, false
}

// AppendExpr appends the expression in assembly syntax; sym appends a symbol.
func (c *Context) AppendExpr(b []byte, e Expr, sym func(b []byte, s Sym) []byte) []byte {
	return c.appendExpr(b, e, sym, 0)
}

// How firmly what stands around an expression binds: sums stand without brackets
// in sums on the left, everything else gets them.
const (
	bindsSum  = 1
	bindsTerm = 2
)

func (c *Context) appendExpr(b []byte, e Expr, sym func([]byte, Sym) []byte, around int) []byte {
	n := &c.exprs[e]
	switch n.kind {
	case ExprConst:
		return strconv.AppendInt(b, n.val, 10)
	case ExprSym:
		// The symbol with its distance is a sum for whoever puts brackets around it.
		bracket := around >= bindsTerm && n.val != 0
		if bracket {
			b = append(b, '(')
		}
		pre, suf, around := c.info.around(Modifier(n.op))
		b = append(b, pre...)
		b = sym(b, Sym(n.a))
		if n.op != 0 && !around {
			b = append(b, '@')
			b = append(b, c.info.ModifierName(Modifier(n.op))...)
		}
		b = appendOff(b, n.val)
		b = append(b, suf...)
		if bracket {
			b = append(b, ')')
		}
		return b
	case ExprModified:
		pre, suf, wraps := c.info.around(Modifier(n.op))
		if !wraps {
			b = c.appendExpr(b, Expr(n.a), sym, 0)
			b = append(b, '@')
			return append(b, c.info.ModifierName(Modifier(n.op))...)
		}
		b = append(b, pre...)
		b = c.appendExpr(b, Expr(n.a), sym, 0)
		return append(b, suf...)
	case ExprUnary:
		b = append(b, exprOpText[n.op]...)
		return c.appendExpr(b, Expr(n.a), sym, bindsTerm)
	case ExprBinary:
		op := ExprOpcode(n.op)
		left, right, bracket := bindsTerm, bindsTerm, around != 0
		if op == OpAdd || op == OpSub {
			left, bracket = bindsSum, around >= bindsTerm
		}
		if bracket {
			b = append(b, '(')
		}
		b = c.appendExpr(b, Expr(n.a), sym, left)
		if r := &c.exprs[n.b]; op == OpAdd && r.kind == ExprConst && r.val < 0 {
			b = strconv.AppendInt(b, r.val, 10)
		} else {
			b = append(b, exprOpText[op]...)
			b = c.appendExpr(b, Expr(n.b), sym, right)
		}
		if bracket {
			b = append(b, ')')
		}
		return b
	}
	return b
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

package mctargetdesc

import (
	"slices"
	"strings"

	"github.com/mirin-go/mirin/mc"
)

// operand is an operand as it was read, before its register's file or its size matters.
type operand struct {
	kind  byte // R, I, M, L or a sign
	start int
	reg   regIndex // of R, and the base of M
	base  int      // where that begins
	x     mc.Expr  // of I and M; 0 for the number v
	v     int64
	list  []int // of L: numbers of registers
}

// regIndex is a register by its number in a file; files has a letter for each file that
// the name may be of.
type regIndex struct {
	n     int
	files string
}

// The files of registers: general, floating-point, vectors, vector control, accumulators,
// conditions, hardware, and those that have numbers alone.
const anyFile = "gfwmachn"

// reader reads the operands of a statement as LLVM's parser does.
type reader struct {
	*session
	p    mc.AsmParser
	text string
	pos  int
	ops  []operand
	errs []mc.ParseError
	said []int // operands that something has been said of
	// anyNumber says that a macro's numbers are checked by what it becomes.
	anyNumber bool
	rows      []row
}

func (r *reader) skip() {
	for r.pos < len(r.text) && (r.text[r.pos] == ' ' || r.text[r.pos] == '\t') {
		r.pos++
	}
}

func (r *reader) peek() byte {
	r.skip()
	if r.pos < len(r.text) {
		return r.text[r.pos]
	}
	return 0
}

func (r *reader) errorAt(at int, msg string) bool {
	r.errs = append(r.errs, mc.ParseError{Start: at, End: at, Msg: msg})
	return false
}

// operands reads all; what is wrong is in errs.
func (r *reader) operands() bool {
	bad := func() bool {
		r.skip()
		return r.errorAt(r.pos, "unexpected token in argument list")
	}
	if r.peek() != 0 {
		for first := true; ; first = false {
			if !r.operand() {
				return bad()
			}
			switch c := r.peek(); {
			case c == '[' && !r.bracket('[', ']'), c == '(' && !first && !r.bracket('(', ')'):
				return false
			}
			if r.peek() != ',' {
				break
			}
			r.pos++
			r.skip()
		}
	}
	if r.peek() != 0 {
		return bad()
	}
	return len(r.errs) == 0
}

// bracket reads an index behind an operand.
func (r *reader) bracket(open, end byte) bool {
	r.ops = append(r.ops, operand{kind: open, start: r.pos})
	r.pos++
	if !r.operand() {
		r.skip()
		return r.errorAt(r.pos, "unexpected token in argument list")
	}
	if r.peek() != end {
		return r.errorAt(r.pos, "unexpected token, expected '"+string(end)+"'")
	}
	r.ops = append(r.ops, operand{kind: end, start: r.pos})
	r.pos++
	return true
}

// expects reports that a row has a letter for the operand that is next.
func (r *reader) expects(letter byte) bool {
	for i := range r.rows {
		if k := len(r.ops); k < len(r.rows[i].ops) && r.rows[i].ops[k].letter == letter {
			return true
		}
	}
	return false
}

// target reports that the operand is where a jump leads.
func (r *reader) jumps() bool {
	for i := range r.rows {
		if k := len(r.ops); k < len(r.rows[i].ops) && r.rows[i].ops[k].letter == 'I' && r.rows[i].ops[k].nums.syms == 1 {
			return true
		}
	}
	return false
}

// negated reports that the operand is a number whose negative the instruction has.
func (r *reader) negated() bool {
	for i := range r.rows {
		k := len(r.ops)
		if k >= len(r.rows[i].ops) || r.rows[i].ops[k].letter != 'I' {
			continue
		}
		for _, c := range r.rows[i].conv {
			if c.from == 'i' && c.n == k && c.wrap == 'n' {
				return true
			}
		}
	}
	return false
}

// operand reads one operand.
func (r *reader) operand() bool {
	r.skip()
	at := r.pos
	if r.expects('P') && len(r.ops) == 0 {
		if done, ok := r.pair(); done {
			return ok
		}
	}
	if r.expects('L') || r.expects('l') {
		if done, ok := r.regList(); done {
			return ok
		}
	}
	if r.expects('M') {
		if known, ok := r.address(); known {
			return ok
		}
		r.pos = at
	}
	if reg, end, ok := r.register(at, true); ok {
		r.pos = end
		r.ops = append(r.ops, operand{kind: 'R', start: at, reg: reg})
		return true
	}
	if r.peek() == '%' && r.jumps() {
		return r.errorAt(r.pos, "unknown token in expression")
	}
	if r.negated() && (r.peek() == '%' || r.peek() == '$') {
		if r.peek() == '%' {
			r.errorAt(r.pos, "unknown token in expression")
		}
		return false
	}
	x, v, ok := r.expr()
	if ok {
		r.ops = append(r.ops, operand{kind: 'I', start: at, x: x, v: v})
	}
	return ok
}

// expr reads an expression.
func (r *reader) expr() (x mc.Expr, v int64, ok bool) {
	r.skip()
	if r.pos >= len(r.text) {
		r.errorAt(r.pos, "unknown token in expression")
		return 0, 0, false
	}
	x, v, end, err := r.p.Expr(r.text, r.pos)
	if err != nil {
		if e, ok := err.(*mc.ParseError); ok {
			r.errs = append(r.errs, *e)
			r.pos = max(e.Start, r.pos)
		} else {
			r.errorAt(r.pos, err.Error())
		}
		return 0, 0, false
	}
	r.pos = end
	return x, v, true
}

// address reads "4($2)"; known is false where the operand is something else.
func (r *reader) address() (known, ok bool) {
	at := r.pos
	o := operand{kind: 'M', start: at}
	c := r.peek()
	if c == '$' {
		if _, _, isReg := r.register(r.pos, false); isReg && r.indexed() {
			return false, false
		}
		if _, _, isReg := r.register(r.pos, false); isReg {
			// A register is where a parenthesis should be.
			_, end, _ := r.register(r.pos, true)
			r.pos = end
			if r.peek() != ')' {
				return true, r.errorAt(r.pos, "')' expected")
			}
			return true, false
		}
	}
	if !(c == '(' && r.baseAhead()) {
		switch {
		case c == '(' || c == '-' || c == '+' || c == '~' || c == '%' || c == '"' || c == '.' || c == '$' || c == '\'' || isName(c):
		case c == 0:
			return true, r.errorAt(r.pos, "unknown token in expression")
		default:
			return true, r.errorAt(r.pos, "'(' or expression expected")
		}
		var good bool
		if o.x, o.v, good = r.offset(); !good {
			return true, false
		}
		if r.peek() != '(' {
			if r.peek() == 0 || r.peek() == ',' {
				if r.peek() == 0 {
					o.reg, o.base = regIndex{0, "g"}, at
					r.ops = append(r.ops, o)
					return true, true
				}
			}
			return true, r.errorAt(r.pos, "'(' or expression expected")
		}
	}
	r.pos++ // the parenthesis
	r.skip()
	o.base = r.pos
	reg, end, isReg := r.register(r.pos, true)
	if !isReg {
		return true, false
	}
	r.pos, o.reg = end, reg
	if r.peek() != ')' {
		return true, r.errorAt(r.pos, "')' expected")
	}
	r.pos++
	r.ops = append(r.ops, o)
	return true, true
}

func isName(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_'
}

// indexed reports that a row of the mnemonic has a register where another has an address.
func (r *reader) indexed() bool { return r.expects('R') || r.expects('(') }

// baseAhead reports that a parenthesis is that of a base register.
func (r *reader) baseAhead() bool {
	k := r.pos + 1
	for k < len(r.text) && (r.text[k] == ' ' || r.text[k] == '\t') {
		k++
	}
	_, end, ok := r.register(k, false)
	if !ok {
		return false
	}
	for end < len(r.text) && (r.text[end] == ' ' || r.text[end] == '\t') {
		end++
	}
	return end < len(r.text) && r.text[end] == ')'
}

// offset reads the number or symbol of an address, which ends before a parenthesis that is the base's.
func (r *reader) offset() (x mc.Expr, v int64, ok bool) {
	x, v, ok = r.expr()
	if ok {
		return x, v, true
	}
	// "4 + ($3)": a sign before the base means nothing.
	return 0, 0, false
}

// register reads a register's name at a place. With say, what LLVM says about the name is said.
func (r *reader) register(at int, say bool) (reg regIndex, end int, ok bool) {
	if at >= len(r.text) {
		return reg, at, false
	}
	if r.text[at] != '$' {
		k := at
		for k < len(r.text) && (isName(r.text[k]) || r.text[k] == '.' || r.text[k] == '$') {
			k++
		}
		if alias, known := r.regAliases[r.text[at:k]]; known && k > at {
			return alias, k, true
		}
		return reg, at, false
	}
	k := at + 1
	for k < len(r.text) && (isName(r.text[k]) || r.text[k] == '.' || r.text[k] == '$') {
		k++
	}
	name := r.text[at+1 : k]
	if name == "" {
		return reg, at, false
	}
	if name[0] >= '0' && name[0] <= '9' {
		n := 0
		for i := range len(name) {
			if name[i] < '0' || name[i] > '9' || n > 1<<20 {
				return reg, at, false
			}
			n = 10*n + int(name[i]-'0')
		}
		if n > 31 {
			if say {
				r.errorAt(at, "invalid register number")
			}
		}
		return regIndex{n, anyFile}, k, true
	}
	if alias, known := r.regAliases[r.text[at:k]]; known {
		return alias, k, true
	}
	reg, ok = r.named(name, at+1, say)
	if !ok {
		return reg, at, false
	}
	return reg, k, true
}

// cpuNames are names of general registers with their numbers.
var cpuNames = map[string]int{"zero": 0, "at": 1, "AT": 1, "v0": 2, "v1": 3, "a0": 4, "a1": 5, "a2": 6, "a3": 7, "t0": 8, "t1": 9, "t2": 10, "t3": 11, "t4": 12, "t5": 13, "t6": 14, "t7": 15,
	"s0": 16, "s1": 17, "s2": 18, "s3": 19, "s4": 20, "s5": 21, "s6": 22, "s7": 23, "t8": 24, "t9": 25, "k0": 26, "k1": 27, "gp": 28, "sp": 29, "fp": 30, "s8": 30, "ra": 31}

var newNames = map[string]int{"a4": 8, "a5": 9, "a6": 10, "a7": 11, "kt0": 26, "kt1": 27}

var controlNames = map[string]int{"msair": 0, "msacsr": 1, "msaaccess": 2, "msasave": 3, "msamodify": 4, "msarequest": 5, "msamap": 6, "msaunmap": 7}

var hardwareNames = map[string]int{"hwr_cpunum": 0, "hwr_synci_step": 1, "hwr_cc": 2, "hwr_ccres": 3, "hwr_ulr": 29}

// named finds a register by its name without '$'.
func (r *reader) named(name string, at int, say bool) (regIndex, bool) {
	if n, ok := cpuNames[name]; ok {
		if r.newABI() {
			switch {
			case n >= 12 && n <= 15:
				if say {
					r.p.Warn(at, at+len(name), "register names $t4-$t7 are only available in O32.")
				}
			case n >= 8 && n <= 11:
				n += 4
			}
		}
		return regIndex{n, "g"}, true
	}
	if n, ok := newNames[name]; ok && r.newABI() {
		return regIndex{n, "g"}, true
	}
	for _, f := range [...]struct {
		prefix string
		max    int
		file   string
	}{{"fcc", 7, "c"}, {"f", 31, "f"}, {"w", 31, "w"}, {"ac", 3, "a"}} {
		if rest, ok := strings.CutPrefix(name, f.prefix); ok {
			if n, ok := small(rest); ok && n <= f.max {
				return regIndex{n, f.file}, true
			}
		}
	}
	if n, ok := hardwareNames[name]; ok {
		return regIndex{n, "h"}, true
	}
	n, ok := controlNames[name]
	return regIndex{n, "m"}, ok
}

func small(s string) (n int, ok bool) {
	if s == "" || len(s) > 2 {
		return 0, false
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		n = 10*n + int(s[i]-'0')
	}
	return n, true
}

// regList reads a list of registers: $16 to $23 and $fp in their order, and $ra.
func (r *reader) regList() (done, ok bool) {
	if r.peek() != '$' {
		return false, false
	}
	o := operand{kind: 'L', start: r.pos}
	prev, isRange := -1, false
	for {
		r.skip()
		at := r.pos
		reg, end, isReg := r.register(at, true)
		if !isReg || !strings.Contains(reg.files, "g") {
			return true, false
		}
		n := reg.n
		fail := func(msg string) (bool, bool) {
			r.pos = end
			r.skip()
			return true, r.errorAt(r.pos, msg)
		}
		switch {
		case isRange:
			isRange = false
			if (n < 16 || n > 23 && n != 30) && n != 31 || n <= prev {
				return fail("invalid register operand")
			}
			for k := prev + 1; k <= n; k++ {
				if k > 23 && k < 30 {
					continue
				}
				o.list = append(o.list, k)
			}
		case prev < 0 && n != 16 && n != 31:
			return fail("$16 or $31 expected")
		case prev >= 0 && n != prev+1 && n != 31 && !(prev == 23 && n == 30):
			return fail("consecutive register numbers expected")
		case prev >= 0 && (n < 16 || n > 23 && n != 30 && n != 31):
			return fail("invalid register operand")
		default:
			o.list = append(o.list, n)
		}
		prev = n
		r.pos = end
		switch c := r.peek(); {
		case c == '-':
			isRange = true
		case c != ',':
			return fail("',' or '-' expected")
		}
		r.pos++
		r.skip()
		if r.peek() != '$' {
			break
		}
	}
	r.ops = append(r.ops, o)
	// The comma has been read.
	return true, r.operand()
}

// short reports a list of 16-bit instructions: $16 to $19 at most, and $ra.
func (o *operand) short() bool {
	n := len(o.list)
	return n >= 2 && n <= 5 && o.list[n-1] == 31 && o.list[n-2] <= 19
}

// pair reads the registers that movep writes.
func (r *reader) pair() (done, ok bool) {
	at := r.pos
	a, end, isReg := r.register(at, true)
	if !isReg {
		return false, false
	}
	r.pos = end
	if r.peek() != ',' {
		return true, false
	}
	r.pos++
	r.skip()
	b, end, isReg := r.register(r.pos, true)
	if !isReg {
		return true, false
	}
	start := r.pos
	r.pos = end
	kind := byte('P')
	if !slices.Contains(movePairs, [2]int{a.n, b.n}) {
		kind = 'R'
	}
	// LLVM has no place for a pair of registers that are each in some pair.
	if a.n >= 4 && a.n <= 6 {
		at, start = 0, 0
	}
	r.ops = append(r.ops, operand{kind: kind, start: at, reg: a}, operand{kind: kind, start: start, reg: b})
	return true, true
}

package mctargetdesc

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
)

// statement is an instruction that is being read.
type statement struct {
	cursor
	a        *AsmParser
	st       *mc.Subtarget
	mnemonic string // up to the first point, in lower case
	ops      []asmOp
	in       mc.Inst
	depth    int
}

// status is how an attempt to read an operand ended: it is there, it is something else (and
// some of the text may be read), or it is wrong.
type status uint8

const (
	success status = iota
	noMatch
	failure
)

func (s *statement) push(o asmOp) { s.ops = append(s.ops, o) }

func (s *statement) token(text string, at int) {
	s.push(asmOp{shape: shapeOf(opToken, 0, 0, 0), tok: text, start: at})
}

func (s *statement) imm(x mc.Expr, v int64, at int) { s.push(s.immOp(x, v, at)) }

// immOp is the operand of a number or an expression.
func (s *statement) immOp(x mc.Expr, v int64, at int) asmOp {
	if x == 0 {
		return asmOp{shape: shapeOf(opImm, 0, 0, 0), val: v, start: at}
	}
	k, val := s.exprShape(x)
	return asmOp{shape: shapeOf(opImm, k, 0, 0), val: val, x: x, start: at}
}

// exprShape tells what classes ask of an expression.
func (s *statement) exprShape(x mc.Expr) (kind uint8, val int64) {
	ctx := s.p.Context()
	if m, _ := ctx.ModifierOf(x); m != mc.ModNone {
		return exprSpec, s.a.specifier(ctx.Info().ModifierName(m))
	}
	if v, ok := ctx.Reduce(x, nil); ok && v.A != 0 && v.B == 0 {
		return exprPlain, 0
	}
	return exprPlain, 1
}

// constantPrefix says what an instruction's mnemonic is that has a condition as operand n.
var conditionAt = map[string]int{"ccmp": 4, "ccmn": 4, "fccmp": 4, "fccmpe": 4, "fcsel": 4, "csel": 4, "csinc": 4, "csinv": 4, "csneg": 4,
	"cset": 2, "csetm": 2, "cinc": 3, "cinv": 3, "cneg": 3}

// branchNames are other names of conditional branches.
var branchNames = map[string]string{"beq": "b.eq", "bne": "b.ne", "bhs": "b.hs", "bcs": "b.cs", "blo": "b.lo", "bcc": "b.cc", "bmi": "b.mi", "bpl": "b.pl",
	"bvs": "b.vs", "bvc": "b.vc", "bhi": "b.hi", "bls": "b.ls", "bge": "b.ge", "blt": "b.lt", "bgt": "b.gt", "ble": "b.le", "bal": "b.al", "bnv": "b.nv"}

// parse reads the mnemonic and all operands.
func (s *statement) parse() error {
	s.seek(0)
	if s.tok.kind != tokIdent {
		return s.here("unexpected token at start of statement")
	}
	name, at := s.str(), s.loc()
	s.next()
	low := strings.ToLower(name)
	if other, ok := branchNames[low]; ok {
		low = other
	}
	parts := strings.Split(low, ".")
	head := parts[0]
	s.mnemonic = head
	if al, ok := systemAliases[head]; ok {
		return s.readSystem(al, low, at)
	}
	s.token(head, at)
	rest, off := parts[1:], at+len(head)
	if (head == "b" || head == "bc") && len(rest) > 0 {
		cc, hint, ok := s.condition(rest[0])
		if !ok {
			msg := "invalid condition code"
			if hint != "" {
				msg += ", did you mean " + hint + "?"
			}
			return fail(at+len(head)+1, msg)
		}
		s.push(asmOp{shape: shapeOf(opToken, 0, 0, 0), tok: ".", start: at + len(head) + 1, suffix: true})
		s.push(asmOp{shape: shapeOf(opCond, 0, 0, 0), val: int64(cc), start: at})
		off += 1 + len(rest[0])
		rest = rest[1:]
	}
	for _, r := range rest {
		s.push(asmOp{shape: shapeOf(opToken, 0, 0, 0), tok: "." + r, start: off + 1, suffix: true})
		off += 1 + len(r)
	}
	if s.isEnd() {
		return nil
	}
	inverted := head == "cset" || head == "csetm" || head == "cinc" || head == "cinv" || head == "cneg"
	for n := 1; ; n++ {
		if err := s.operand(conditionAt[head] == n, inverted); err != nil {
			return err
		}
		for _, t := range [...]string{"]", "!", "}"} {
			if s.eat(t) {
				s.token(t, s.loc()) // LLVM has the place behind it
			}
		}
		if !s.eat(",") {
			break
		}
	}
	if !s.isEnd() {
		return s.here("unexpected token in argument list")
	}
	return nil
}

// conditions are numbered as the machine does; the second list is SVE's.
var conditions = map[string]int{"eq": 0, "ne": 1, "cs": 2, "hs": 2, "cc": 3, "lo": 3, "mi": 4, "pl": 5, "vs": 6, "vc": 7, "hi": 8, "ls": 9,
	"ge": 10, "lt": 11, "gt": 12, "le": 13, "al": 14, "nv": 15}
var vectorConditions = map[string]int{"none": 0, "any": 1, "nlast": 2, "last": 3, "first": 4, "nfrst": 5, "pmore": 8, "plast": 9, "tcont": 10, "tstop": 11}

func (s *statement) condition(name string) (cc int, hint string, ok bool) {
	name = strings.ToLower(name)
	if cc, ok = conditions[name]; ok {
		return cc, "", true
	}
	if cc, ok = vectorConditions[name]; !ok && name == "nfirst" {
		hint = "nfrst"
	}
	return cc, hint, ok
}

func (s *statement) conditionOperand(inverted bool) error {
	cc, hint, ok := s.condition(s.str())
	if !ok {
		msg := "invalid condition code"
		if hint != "" {
			msg += ", did you mean " + hint + "?"
		}
		return s.here(msg)
	}
	at := s.loc()
	s.next()
	if inverted {
		if cc >= 14 {
			return s.here("condition codes AL and NV are invalid for this instruction")
		}
		cc ^= 1
	}
	s.push(asmOp{shape: shapeOf(opCond, 0, 0, 0), val: int64(cc), start: at})
	return nil
}

// maxNesting bounds the operands that begin with others' signs.
const maxNesting = 50

// operand reads one operand, with the tokens that belong to it.
func (s *statement) operand(cond, inverted bool) error {
	if s.depth++; s.depth > maxNesting {
		return s.here("operands are nested too deeply")
	}
	defer func() { s.depth-- }()
	if st, err := s.custom(); err != nil || st == success {
		return err
	}
	at := s.loc()
	switch {
	case s.is("["):
		s.token("[", at)
		s.next()
		return s.operand(false, false)
	case s.is("{"):
		if err := s.neonList(); err == nil {
			return nil
		} else if err != errNoMatch {
			return err
		}
		s.token("{", at)
		s.next()
		return s.operand(false, false)
	case s.isIdent():
		if s.vectorGroup() {
			return nil
		}
		if cond {
			return s.conditionOperand(inverted)
		}
		if st, err := s.register(); err != nil || st == success {
			return err
		}
		if known, err := s.mulOperand(); known || err != nil {
			return err
		}
		switch s.mnemonic {
		case "brb", "smstart", "smstop", "gcsb":
			word := s.str()
			if l := strings.ToLower(word); l == "sm" || l == "za" {
				word = l
			}
			s.token(word, at)
			s.next()
			return nil
		}
		st, o, err := s.shiftExtend()
		if err != nil {
			return err
		}
		if st == success {
			s.push(o)
			return nil
		}
		if st, err := s.seqPairOrSymbol(); st == success || err != nil {
			return err
		}
		return nil
	case s.is("#"), s.isInt(), s.tok.kind == tokReal, s.is("-"):
		return s.number()
	case s.is("="):
		return s.literal()
	}
	x, v, err := s.symbolic()
	if err != nil {
		return err
	}
	s.imm(x, v, at)
	return nil
}

// seqPairOrSymbol reads what is no register and no word of the language: an expression.
func (s *statement) seqPairOrSymbol() (status, error) {
	at := s.loc()
	x, v, err := s.symbolic()
	if err != nil {
		return failure, err
	}
	s.imm(x, v, at)
	return success, nil
}

// number reads "#1", "#0.0", "-1".
func (s *statement) number() error {
	at := s.loc()
	s.eat("#")
	negative := s.is("-") && s.peekNumber()
	real := s.tok.kind == tokReal || negative && s.peek().kind == tokReal
	if real {
		if negative {
			s.next()
		}
		v, _ := strconv.ParseFloat(s.str(), 64)
		switch s.mnemonic {
		case "fcmp", "fcmpe", "fcmeq", "fcmge", "fcmgt", "fcmle", "fcmlt", "fcmne":
		default:
			return s.here("unexpected floating point literal")
		}
		if v != 0 || negative {
			return s.here("expected floating-point constant #0.0")
		}
		s.next()
		s.token("#0", at)
		s.token(".0", at)
		return nil
	}
	x, v, err := s.symbolic()
	if err != nil {
		return err
	}
	s.imm(x, v, at)
	return nil
}

func (s *statement) peekNumber() bool {
	k := s.peek().kind
	return k == tokInt || k == tokReal
}

// literal reads "=value", which ldr loads: as a number that fits movz, or from a pool.
func (s *statement) literal() error {
	at := s.loc()
	if s.mnemonic != "ldr" {
		return s.here("unexpected token in operand")
	}
	s.next()
	x, v, err := s.expr()
	if err != nil {
		return err
	}
	if len(s.ops) < 2 || s.ops[1].shape.kind() != opScalar {
		return fail(at, "Only valid when first operand is register")
	}
	wide := s.a.class(s.a.gpr64, s.ops[1].reg)
	if x == 0 {
		imm, shift, most := uint64(v), 0, 16
		if wide {
			most = 48
		}
		for imm > 0xffff && imm&0xffff == 0 {
			imm, shift = imm>>16, shift+16
		}
		if shift <= most && imm <= 0xffff {
			s.ops[0].tok = "movz"
			s.imm(0, int64(imm), at)
			if shift > 0 {
				s.push(asmOp{shape: shapeOf(opShift, shLSL, 1, 0), val: int64(shift), start: at})
			}
			return nil
		}
		if !wide && v>>32 != 0 && v>>31 != -1 {
			return fail(at, "Immediate too large for register")
		}
	}
	size := 4
	if wide {
		size = 8
	}
	pooled, err := s.pool(x, v, size)
	if err != nil {
		return err
	}
	s.imm(pooled, 0, at)
	return nil
}

// symbolic reads an expression that may begin with a specifier.
func (s *statement) symbolic() (x mc.Expr, v int64, err error) {
	if s.is(":") {
		t := s.peek()
		if t.kind != tokIdent {
			s.next()
			return 0, 0, s.here("expect relocation specifier in operand after ':'")
		}
		name := strings.ToLower(s.text[t.start:t.end])
		if m, n := s.p.Context().Info().ModifierByPrefix(":" + name + ":"); m == 0 || n != len(name)+2 {
			s.next()
			return 0, 0, s.here("expect relocation specifier in operand after ':'")
		}
		if c := s.lex(t.end); !s.isAt(c, ":") {
			s.seek(t.end)
			return 0, 0, s.here("expect ':' after relocation specifier")
		}
		m, _ := s.p.Context().Info().ModifierByPrefix(":" + name + ":")
		s.seek(s.lex(t.end).end)
		x, v, err = s.expr()
		if err == nil {
			if x == 0 {
				x = s.p.Context().Const(v)
			}
			x, v = s.p.Context().Modified(m, x), 0
		}
		return x, v, err
	}
	return s.expr()
}

// vectorGroup reads "vgx2" or "vgx4" as a token.
func (s *statement) vectorGroup() bool {
	switch w := s.lower(); w {
	case "vgx2", "vgx4":
		s.next()
		s.token(w, s.loc()) // LLVM has the place behind it
		return true
	}
	return false
}

// mulOperand reads "mul vl" or "mul #2" as tokens.
func (s *statement) mulOperand() (known bool, err error) {
	if s.lower() != "mul" {
		return false, nil
	}
	t := s.peek()
	vl := t.kind == tokIdent && strings.EqualFold(s.text[t.start:t.end], "vl")
	if !vl && !s.isAt(t, "#") {
		return false, nil
	}
	s.token("mul", s.loc())
	s.next()
	if vl {
		s.token("vl", s.loc())
		s.next()
		return true, nil
	}
	s.next()
	at := s.loc()
	x, v, err := s.expr()
	if err == nil && x == 0 {
		s.imm(0, v, at)
		return true, nil
	}
	return true, s.here("expected 'vl' or '#<imm>'")
}

// shiftExtend reads "lsl #3" or "uxtw".
func (s *statement) shiftExtend() (status, asmOp, error) {
	kind := shiftNames[s.lower()]
	if kind == 0 || !s.isIdent() {
		return noMatch, asmOp{}, nil
	}
	at := s.loc()
	s.next()
	hash := s.eat("#")
	if !hash && !s.isInt() {
		if kind <= shMSL {
			return failure, asmOp{}, s.here("expected #imm after shift specifier")
		}
		return success, asmOp{shape: shapeOf(opShift, kind, 0, 0), start: at}, nil
	}
	here := s.loc()
	if !s.isInt() && !s.is("(") && !s.isIdent() {
		return failure, asmOp{}, fail(here, "expected integer shift amount")
	}
	x, v, err := s.expr()
	if err != nil {
		return failure, asmOp{}, err
	}
	if x != 0 {
		return failure, asmOp{}, fail(here, "expected constant '#imm' after shift specifier")
	}
	return success, asmOp{shape: shapeOf(opShift, kind, 1, 0), val: v, start: at}, nil
}

// fpImm reads a floating-point number; zero is two tokens where split says so.
func (s *statement) fpImm(split bool) (status, error) {
	at := s.loc()
	hash := s.eat("#")
	negative := s.eat("-")
	if s.tok.kind != tokReal && !s.isInt() {
		if !hash {
			return noMatch, nil
		}
		return failure, s.here("invalid floating point immediate")
	}
	var v float64
	if t := s.str(); s.isInt() && strings.HasPrefix(t, "0x") {
		n, err := strconv.ParseUint(t[2:], 16, 64)
		if err != nil || n > 255 || negative {
			return failure, s.here("encoded floating point value out of range")
		}
		v = expandFP(uint8(n))
	} else {
		var err error
		if v, err = strconv.ParseFloat(t, 64); err != nil && math.IsNaN(v) {
			return failure, s.here("invalid floating point representation")
		}
		if exact, ok := new(big.Rat).SetString(t); ok && new(big.Rat).SetFloat64(v) != nil && exact.Cmp(new(big.Rat).SetFloat64(v)) != 0 {
			v = math.SmallestNonzeroFloat64 // a number that no class takes
		}
		if negative {
			v = -v
		}
		if split && v == 0 && !math.Signbit(v) {
			s.token("#0", at)
			s.token(".0", at)
			s.next()
			return success, nil
		}
	}
	s.push(asmOp{shape: shapeOf(opFP, 0, 0, 0), val: int64(math.Float64bits(v)), start: at})
	s.next()
	return success, nil
}

// expandFP is the number that eight bits stand for (Arm's VFPExpandImm).
func expandFP(b uint8) float64 {
	sign, exp, mant := uint64(b>>7), uint64(b>>4&7), uint64(b&15)
	e := exp&3 | 0x3fc
	if exp>>2 == 0 {
		e = 0x400 | exp&3
	}
	return math.Float64frombits(sign<<63 | e<<52 | mant<<48)
}

// register reads a register that stands by itself.
func (s *statement) register() (status, error) {
	at := s.loc()
	n, kind, st, err := s.vectorRegister(regNeon)
	if st == failure {
		return st, err
	}
	if st == success {
		s.push(asmOp{shape: shapeOf(opNeon, 0, 0, 0), val: int64(n), start: at})
		if kind != "" {
			s.token("."+kind, at)
		}
		if st, err := s.vectorIndex(); st == failure {
			return st, err
		}
		return success, nil
	}
	if st, err := s.table(); st != noMatch {
		return st, err
	}
	return s.gpr(false, equalsReg)
}

// gpr reads a register of one name, with a shift behind a comma where shifted says so.
func (s *statement) gpr(shifted bool, eq equality) (status, error) {
	at := s.loc()
	r, ok := s.scalar()
	if !ok {
		return noMatch, nil
	}
	o := asmOp{shape: shapeOf(opScalar, 0, 0, 0), val: int64(r), reg: r, start: at, eq: eq}
	if shifted && s.is(",") {
		s.next()
		st, sh, err := s.shiftExtend()
		if st != success {
			return st, err
		}
		o.shape = shapeOf(opScalar, uint8(sh.shape>>16), uint8(sh.val)<<1|uint8(sh.shape>>8)&1, 0)
	}
	s.push(o)
	return success, nil
}

// scalar steps over the name of a register.
func (s *statement) scalar() (desc.PhysReg, bool) {
	if !s.isIdent() {
		return 0, false
	}
	r, ok := s.a.scalarByName(s.p, s.lower())
	if ok {
		s.next()
	}
	return r, ok
}

// table reads zt0, with an index.
func (s *statement) table() (status, error) {
	at := s.loc()
	if k, _, ok := s.a.vectorByName(s.p, s.lower()); !ok || k != regTable {
		return noMatch, nil
	}
	s.push(asmOp{shape: shapeOf(opTable, 0, 0, 0), start: at})
	s.next()
	if at := s.loc(); s.eat("[") {
		s.token("[", at)
		at = s.loc()
		x, v, err := s.expr()
		if err != nil {
			return noMatch, nil
		}
		if x != 0 {
			return failure, s.here("immediate value expected for vector index")
		}
		s.imm(0, v, at)
		if s.eat(",") {
			if known, err := s.mulOperand(); !known || err != nil {
				return failure, err
			}
		}
		at = s.loc()
		if err := s.want("]", "']' expected"); err != nil {
			return failure, err
		}
		s.token("]", at)
	}
	return success, nil
}

// vectorIndex reads "[1]".
func (s *statement) vectorIndex() (status, error) {
	at := s.loc()
	if !s.eat("[") {
		return noMatch, nil
	}
	x, v, err := s.expr()
	if err != nil {
		return failure, err
	}
	if x != 0 {
		return failure, s.here("immediate value expected for vector index")
	}
	if err := s.want("]", "']' expected"); err != nil {
		return failure, err
	}
	s.push(asmOp{shape: shapeOf(opIndex, 0, 0, 0), val: v, start: at})
	return success, nil
}

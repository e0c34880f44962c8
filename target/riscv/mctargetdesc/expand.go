package mctargetdesc

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/table"
)

// statement is one instruction that is expanded.
type statement struct {
	r    *table.Reader
	p    mc.AsmParser
	text string
	ops  []string // texts of the operands
	at   []int    // and where they begin
	wide bool     // RV64
}

// expand emits what an instruction stands for that the machine does not have.
func expand(r *table.Reader, p mc.AsmParser, mnemonic, text string) (bool, error) {
	f, other, reg := expansions[mnemonic], aliases[mnemonic], csrOperand(mnemonic)
	s := statement{r: r, p: p, text: text, wide: has(p, "64bit")}
	s.split(strings.Index(strings.ToLower(text), mnemonic) + len(mnemonic))
	if f == nil && other == nil && reg < 0 {
		return false, s.addresses(mnemonic)
	}
	if reg >= 0 {
		numbered, err := s.numberCSR(reg)
		if err != nil {
			return false, err
		}
		if numbered != text {
			s.text = numbered
			s.ops, s.at = s.ops[:0], s.at[:0]
			s.split(strings.Index(strings.ToLower(numbered), mnemonic) + len(mnemonic))
			if other != nil {
				if known, err := s.instead(other, true); known || err != nil {
					return known, err
				}
			}
			var in mc.Inst
			if err := r.Match(p, numbered, &in); err != nil {
				return false, err
			}
			return true, r.Emit(p, &in)
		}
		if other == nil {
			return false, nil
		}
	}
	if f != nil {
		if known, err := f(&s, mnemonic); known || err != nil {
			return known, err
		}
	}
	if other != nil {
		return s.instead(other, r.Has(mnemonic))
	}
	return false, nil
}

// fixedRegs are the names that the tables have for registers that an instruction fixes.
var fixedRegs = map[string]string{"x0": "zero", "x1": "ra", "x2": "sp", "x5": "t0"}

// again writes addresses without a distance with one, or the other way round, and
// registers by the names that the tables have.
func again(text string) string {
	other := text
	if i := strings.IndexByte(text, '('); i > 0 {
		switch {
		case text[i-1] == '0' && i > 1 && (text[i-2] == ' ' || text[i-2] == '\t' || text[i-2] == ','):
			other = text[:i-1] + " " + text[i:]
		case text[i-1] == ' ' || text[i-1] == '\t' || text[i-1] == ',':
			other = text[:i] + "0" + text[i:]
		}
	}
	if other = renamed(other); other == text {
		return ""
	}
	return other
}

// renamed writes registers by the names that the tables have.
func renamed(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		j := i
		for j < len(text) && (isIdent(text[j]) || text[j] >= '0' && text[j] <= '9') {
			j++
		}
		if j == i {
			b.WriteByte(text[i])
			i++
			continue
		}
		if n := fixedRegs[strings.ToLower(text[i:j])]; n != "" && i > 0 {
			b.WriteString(n)
		} else {
			b.WriteString(text[i:j])
		}
		i = j
	}
	return b.String()
}

// addresses holds operands that are addresses without a distance to that, as LLVM reads
// them before all else, and vector types to what the subtarget has.
func (s *statement) addresses(mnemonic string) error {
	if strings.HasPrefix(mnemonic, "vset") {
		for k := 1; k < len(s.ops); k++ {
			n, alt := strings.CutSuffix(s.ops[k], "alt")
			if alt && (n != "e8" && n != "e16" || !has(s.p, "experimental-zvfbfa") && !has(s.p, "experimental-zvfofp8min")) {
				return s.fail(k, "operand must be e[8|8alt|16|16alt|32|64],m[1|2|4|8|f2|f4|f8],[ta|tu],[ma|mu]")
			}
		}
		return nil
	}
	k := s.r.ZeroOffset(mnemonic)
	if k < 0 || k >= len(s.ops) || s.ops[k] == "" {
		return nil
	}
	l := &line{a: s.p, text: s.text, pos: s.at[k]}
	zero, given := true, false
	if !l.is('(') {
		from := l.pos
		cut := "0123456789"
		if strings.HasPrefix(l.text[from:], "0x") {
			cut += "xabcdefABCDEF"
		}
		digits := strings.TrimLeft(l.text[from:], cut)
		n := len(l.text) - from - len(digits)
		v, err := strconv.ParseInt(l.text[from:from+n], 0, 64)
		if err != nil {
			return l.here("expected '(' or optional integer offset")
		}
		zero, given = v == 0, true
		l.pos += n
	}
	if !l.is('(') {
		if given {
			return l.here("expected '(' after optional integer offset")
		}
		return l.here("expected '(' or optional integer offset")
	}
	l.pos++
	l.blanks()
	_, end, ok := s.r.ParseRegister(s.p, s.text, l.pos)
	if !ok {
		return l.here("expected register")
	}
	if l.pos = end; !l.is(')') {
		return l.here("expected ')'")
	}
	if !zero {
		return s.failAt(s.at[k], "optional integer offset must be 0")
	}
	return nil
}

func has(p mc.AsmParser, feature string) bool {
	st := p.Subtarget()
	i, ok := st.Info.FeatureByName(feature)
	return ok && st.Has(st.Info.Features[i].Bit)
}

// split takes the operands apart.
func (s *statement) split(pos int) {
	depth, from := 0, pos
	for i := pos; i <= len(s.text); i++ {
		if i < len(s.text) {
			switch s.text[i] {
			case '(':
				depth++
			case ')':
				depth--
			}
			if s.text[i] != ',' || depth > 0 {
				continue
			}
		}
		o := s.text[from:i]
		trimmed := strings.TrimLeft(o, " \t")
		if trimmed != "" || i < len(s.text) || len(s.ops) > 0 {
			s.ops, s.at = append(s.ops, strings.TrimRight(trimmed, " \t")), append(s.at, from+len(o)-len(trimmed))
		}
		from = i + 1
	}
}

// emit reads a text with "$n" for operands and emits it. What is wrong with an operand is
// said of it, all else of the statement.
func (s *statement) emit(text string) error {
	var in mc.Inst
	if err := s.match(text, &in); err != nil {
		return err
	}
	return s.r.Emit(s.p, &in)
}

func (s *statement) match(form string, in *mc.Inst) error {
	var b strings.Builder
	type place struct{ from, to, op int }
	var places []place
	for i := 0; i < len(form); i++ {
		if form[i] != '$' || i+1 == len(form) {
			b.WriteByte(form[i])
			continue
		}
		i++
		p := place{from: b.Len(), op: int(form[i] - '0')}
		b.WriteString(s.ops[p.op])
		p.to = b.Len()
		places = append(places, p)
	}
	err := s.r.Match(s.p, b.String(), in)
	for _, other := range [...]string{again(b.String()), renamed(b.String())} {
		if err == nil {
			return nil
		}
		if other != "" && s.r.Match(s.p, other, in) == nil {
			return nil
		}
	}
	e, ok := err.(*mc.ParseError)
	if !ok {
		return err
	}
	at := 0
	for _, p := range places {
		if e.Start >= p.from && e.Start <= p.to && e.Start > 0 {
			at = s.at[p.op] + e.Start - p.from
		}
	}
	return &mc.ParseError{Start: at, End: at, Msg: e.Msg}
}

func (s *statement) failAt(at int, msg string) error {
	return &mc.ParseError{Start: at, End: at, Msg: msg}
}

func (s *statement) fail(op int, msg string) error {
	at := 0
	if op >= 0 && op < len(s.at) {
		at = s.at[op]
	}
	return &mc.ParseError{Start: at, End: at, Msg: msg}
}

// isReg reports an operand that is a register.
func (s *statement) isReg(op int) bool {
	if s.ops[op] == "" || !isIdent(s.ops[op][0]) {
		return false
	}
	_, end, ok := s.r.ParseRegister(s.p, s.text, s.at[op])
	return ok && end == s.at[op]+len(s.ops[op])
}

// symbol reports an operand that is an expression of a symbol, to its end and
// without a modifier.
func (s *statement) symbol(op int) bool {
	if op >= len(s.ops) || s.ops[op] == "" || s.ops[op][0] == '%' || strings.HasSuffix(s.ops[op], ")") {
		return false
	}
	x, _, end, err := s.p.Expr(s.text, s.at[op])
	if err != nil || x == 0 || end < s.at[op]+len(s.ops[op]) {
		return false
	}
	v, ok := s.p.Context().Reduce(x, nil)
	_, known := s.p.Context().ConstValue(x)
	return ok && !known && v.A != 0 && v.B == 0 && v.Mod == mc.ModNone
}

// expansions are the instructions by mnemonic. An expansion that says no leaves the
// text to the tables.
var expansions = map[string]func(s *statement, mnemonic string) (bool, error){
	"li": li, "la": address, "lla": address, "lga": address, "la.tls.ie": address, "la.tls.gd": address,
	"call": call, "tail": call, "jump": call,
	"lb": load, "lbu": load, "lh": load, "lhu": load, "lw": load, "lwu": load, "ld": load,
	"flh": float, "flw": float, "fld": float, "flq": float, "fsh": float, "fsw": float, "fsd": float, "fsq": float,
	"sb": float, "sh": float, "sw": float, "sd": float, "cv.elw": load,
	"cm.push": push, "cm.pop": push, "cm.popret": push, "cm.popretz": push,
	"qc.cm.push": push, "qc.cm.pushfp": push, "qc.cm.pop": push, "qc.cm.popret": push, "qc.cm.popretz": push,
	"add": addTPRel, "jalr": tlsDescCall, "j": jump, "jal": jump,
	"sext.b": extend, "sext.h": extend, "zext.h": extend, "zext.w": extend,
	"vmsge.vx": compare, "vmsgeu.vx": compare,
	"vmslt.vi": below, "vmsltu.vi": below, "vmsge.vi": below, "vmsgeu.vi": below,
}

// invalid is said of an operand that is of another kind.
const invalid = "invalid operand for instruction"

// want holds the operands of a statement to kinds: r a general register, y a symbol, s
// any operand.
func (s *statement) want(kinds string) error {
	for k := range kinds {
		if k >= len(s.ops) || s.ops[k] == "" {
			return s.fail(-1, "too few operands for instruction")
		}
		switch kinds[k] {
		case 'r':
			if !s.isGPR(k) {
				return s.fail(k, invalid)
			}
		case 'y':
			if !s.symbol(k) {
				return s.fail(k, "operand must be a bare symbol name")
			}
		}
	}
	if len(s.ops) > len(kinds) {
		return s.fail(len(kinds), invalid)
	}
	return nil
}

// isGPR reports an operand that is a general register.
func (s *statement) isGPR(op int) bool {
	if op >= len(s.ops) || !s.isReg(op) {
		return false
	}
	r, end, ok := s.r.ParseRegister(s.p, s.text, s.at[op])
	if !ok || end != s.at[op]+len(s.ops[op]) {
		return false
	}
	_, ok = number(s.r.Info.RegName(r), "X", "")
	return ok
}

// constant reads an operand that is a number.
func (s *statement) constant(op int) (v int64, ok bool) {
	if s.isReg(op) {
		return 0, false
	}
	x, v, end, err := s.p.Expr(s.text, s.at[op])
	if err != nil || end < s.at[op]+len(s.ops[op]) {
		return 0, false
	}
	if x != 0 {
		v, ok = s.p.Context().ConstValue(x)
		return v, ok
	}
	return v, true
}

// li loads a constant, or the low part of something.
func li(s *statement, _ string) (bool, error) {
	if err := s.want("rs"); err != nil {
		return true, err
	}
	if v, ok := s.constant(1); ok && (s.wide || v >= math.MinInt32 && v <= math.MaxUint32) {
		return true, s.load(v)
	}
	if x, _, end, err := s.p.Expr(s.text, s.at[1]); err == nil && x != 0 && end >= s.at[1]+len(s.ops[1]) && !s.isReg(1) {
		if v, ok := s.p.Context().Reduce(x, nil); ok && (v.B != 0 || v.Mod != mc.ModNone && s.ops[1][0] == '%') {
			return true, s.emit("addi $0, zero, $1")
		}
	}
	if s.wide {
		return true, s.fail(1, "operand must be a constant 64-bit integer")
	}
	return true, s.fail(1, "immediate must be an integer in the range [-2147483648, 4294967295]")
}

// load emits the instructions that make a constant in operand 0.
func (s *statement) load(v int64) error {
	if !s.wide {
		v = int64(int32(v))
	}
	c := constants{wide: s.wide, zba: has(s.p, "zba"), zbb: has(s.p, "zbb"), zbs: has(s.p, "zbs"), zbkb: has(s.p, "zbkb"), theadBb: has(s.p, "xtheadbb"),
		luiAddi: has(s.p, "lui-addi-fusion")}
	from := "zero"
	for _, i := range c.find(v) {
		var err error
		switch i.form {
		case stepUpper:
			err = s.emit(fmt.Sprintf(i.op+" $0, %d", i.v))
		case stepZero:
			err = s.emit(i.op + " $0, " + from + ", zero")
		case stepDouble:
			err = s.emit(i.op + " $0, " + from + ", " + from)
		default:
			err = s.emit(fmt.Sprintf(i.op+" $0, "+from+", %d", i.v))
		}
		if err != nil {
			return err
		}
		from = "$0"
	}
	return nil
}

// label makes the label of the high part of an address, to which its low part refers.
func (s *statement) label() string {
	ctx := s.p.Context()
	name := ctx.SymName(ctx.Temp("pcrel_hi")) // texts refer to it by name
	s.p.Streamer().Label(ctx.Symbol(name))
	return name
}

// pair emits auipc and an instruction with the low part, "@" in it; both texts have "$n"
// for operands.
func (s *statement) pair(rd, hi, sym, low string) error {
	l := s.label()
	if err := s.emit("auipc " + rd + ", %" + hi + "(" + sym + ")"); err != nil {
		return err
	}
	return s.emit(strings.ReplaceAll(low, "@", "%pcrel_lo("+l+")"))
}

// address loads the address of a symbol.
func address(s *statement, mnemonic string) (bool, error) {
	plain := mnemonic == "la" || mnemonic == "lla"
	if err := s.want("rs"); err != nil {
		return true, err
	}
	if v, ok := s.constant(1); ok && plain && (s.wide || v >= math.MinInt32 && v <= math.MaxUint32) {
		return true, s.load(v)
	}
	switch {
	case s.symbol(1):
	case !plain:
		return true, s.fail(1, "operand must be a bare symbol name")
	case s.wide:
		return true, s.fail(1, "operand either must be a constant 64-bit integer or a bare symbol name")
	default:
		return true, s.fail(1, "operand either must be a bare symbol name or an immediate integer in the range [-2147483648, 4294967295]")
	}
	word := "lw"
	if s.wide {
		word = "ld"
	}
	switch {
	case mnemonic == "la.tls.ie":
		return true, s.pair("$0", "tls_ie_pcrel_hi", "$1", word+" $0, @($0)")
	case mnemonic == "la.tls.gd":
		return true, s.pair("$0", "tls_gd_pcrel_hi", "$1", "addi $0, $0, @")
	case mnemonic == "lga", mnemonic == "la" && stateOf(s.p).pic:
		return true, s.pair("$0", "got_pcrel_hi", "$1", word+" $0, @($0)")
	}
	return true, s.pair("$0", "pcrel_hi", "$1", "addi $0, $0, @")
}

// call emits a call or a jump to a symbol of any distance.
func call(s *statement, mnemonic string) (bool, error) {
	name, k, reg := "PseudoCALL", 0, -1
	switch {
	case mnemonic == "tail":
		name = "PseudoTAIL"
	case mnemonic == "jump":
		name, reg = "PseudoJump", 1
	case len(s.ops) == 2 && s.isGPR(0):
		name, k, reg = "PseudoCALLReg", 1, 0
	}
	if k >= len(s.ops) || s.ops[k] == "" {
		return true, s.fail(-1, "too few operands for instruction")
	}
	x, err := s.callee(k)
	if err != nil {
		return true, err
	}
	switch {
	case reg == 1 && len(s.ops) < 2:
		return true, s.fail(-1, "too few operands for instruction")
	case reg == 1 && !s.isGPR(1):
		return true, s.fail(1, invalid)
	case len(s.ops) > max(k, reg)+1:
		if mnemonic == "call" {
			return true, s.fail(0, "operand must be a bare symbol name")
		}
		return true, s.fail(max(k, reg)+1, invalid)
	}
	ops := []mc.Operand{mc.ExprOp(x)}
	if reg >= 0 {
		r, _, _ := s.r.ParseRegister(s.p, s.text, s.at[reg])
		ops = append([]mc.Operand{mc.Reg(r)}, ops...)
	}
	return true, s.instruction(name, ops...)
}

// callee reads the symbol that is called; "@plt" behind it means nothing.
func (s *statement) callee(k int) (mc.Expr, error) {
	name, at, ok := strings.Cut(s.ops[k], "@")
	if ok && at != "plt" {
		return 0, s.failAt(s.at[k]+len(name)+1, "@ (except the deprecated/ignored @plt) is disallowed")
	}
	if ok {
		s.ops[k] = name
	}
	if isIdent(name[0]) && strings.IndexFunc(name, func(c rune) bool { return !isIdent(byte(c)) && (c < '0' || c > '9') }) < 0 {
		ctx := s.p.Context()
		if _, v := ctx.ConstValue(ctx.Ref(ctx.Symbol(name), mc.ModNone)); !v {
			return ctx.Ref(ctx.Symbol(name), mc.ModNone), nil // though it may be a register's name
		}
	}
	if !s.symbol(k) || s.isReg(k) {
		return 0, s.fail(k, "operand must be a bare symbol name")
	}
	x, _, _, err := s.p.Expr(s.text, s.at[k])
	return x, err
}

// instruction emits an opcode that has no text of its own in the tables.
func (s *statement) instruction(opcode string, ops ...mc.Operand) error {
	op, ok := s.r.Info.OpcodeByName(opcode)
	if !ok {
		return s.fail(-1, "the instruction is not supported")
	}
	return s.p.Emit(new(mc.Inst).Set(op, ops...))
}

// load loads from a symbol through the register that is loaded.
func load(s *statement, mnemonic string) (bool, error) {
	if len(s.ops) != 2 || !s.isGPR(0) || !s.symbol(1) || s.isReg(1) {
		return false, nil
	}
	return true, s.pair("$0", "pcrel_hi", "$1", mnemonic+" $0, @($0)")
}

// float loads or stores through a register that is named.
func float(s *statement, mnemonic string) (bool, error) {
	if len(s.ops) != 3 || !s.isReg(0) || !s.isGPR(2) || !s.symbol(1) || s.isReg(1) {
		return false, nil
	}
	return true, s.pair("$2", "pcrel_hi", "$1", mnemonic+" $0, @($2)")
}

// register is the register that an operand names.
func (s *statement) register(op int) mc.Operand {
	r, _, _ := s.r.ParseRegister(s.p, s.text, s.at[op])
	return mc.Reg(r)
}

// expression reads an operand that is one.
func (s *statement) expression(op int) (mc.Operand, error) {
	x, _, _, err := s.p.Expr(s.text, s.at[op])
	return mc.ExprOp(x), err
}

// addTPRel is an add that says which symbol it is for.
func addTPRel(s *statement, _ string) (bool, error) {
	if len(s.ops) != 4 {
		return false, nil
	}
	for k := range 3 {
		if !s.isGPR(k) {
			return true, s.fail(k, invalid)
		}
	}
	if !strings.HasPrefix(s.ops[3], "%tprel_add(") {
		return true, s.fail(3, "operand must be a symbol with %tprel_add specifier")
	}
	if n, _ := number(s.r.Info.RegName(s.register(2).Reg()), "X", ""); n != 4 {
		return true, s.fail(2, "the second input operand must be tp/x4 when using %tprel_add specifier")
	}
	x, err := s.expression(3)
	if err != nil {
		return true, err
	}
	return true, s.instruction("PseudoAddTPRel", s.register(0), s.register(1), s.register(2), x)
}

// tlsDescCall is a jalr that says which descriptor it calls.
func tlsDescCall(s *statement, _ string) (bool, error) {
	if len(s.ops) != 3 || s.ops[2] == "" || s.ops[2][0] != '%' {
		return false, nil
	}
	off, reg, ok := strings.Cut(s.ops[1], "(")
	if !s.isGPR(0) || !ok {
		return false, nil
	}
	if !strings.HasPrefix(s.ops[2], "%tlsdesc_call(") {
		return true, s.fail(2, "operand must be a symbol with %tlsdesc_call specifier")
	}
	if n, _ := number(s.r.Info.RegName(s.register(0).Reg()), "X", ""); n != 5 {
		return true, s.fail(0, "the output operand must be t0/x5 when using %tlsdesc_call specifier")
	}
	imm := int64(0)
	if strings.TrimSpace(off) != "" {
		v, ok := s.constant(1)
		if !ok {
			x, n, end, err := s.p.Expr(s.text, s.at[1])
			if err != nil || x != 0 || end > s.at[1]+len(off) {
				return false, nil
			}
			v = n
		}
		imm = v
	}
	r, _, ok := s.r.ParseRegister(s.p, s.text, s.at[1]+len(off)+1)
	if !ok {
		return true, s.fail(1, invalid)
	}
	_ = reg
	x, err := s.expression(2)
	if err != nil {
		return true, err
	}
	return true, s.instruction("PseudoTLSDESCCall", s.register(0), mc.Reg(r), mc.Imm(imm), x)
}

// jump reads a name in the place of a jump's target as a symbol, though it be a register's.
func jump(s *statement, mnemonic string) (bool, error) {
	k := len(s.ops) - 1
	if k < 0 || !s.isReg(k) || mnemonic == "j" && k > 0 || k > 1 || k == 1 && !s.isGPR(0) {
		return false, nil
	}
	ctx := s.p.Context()
	link := "zero"
	if mnemonic == "jal" {
		link = "ra"
	}
	if k == 1 {
		link = "$0"
	}
	var in mc.Inst
	if err := s.match("jal "+link+", 0", &in); err != nil {
		return true, err
	}
	in.Ops[1] = mc.ExprOp(ctx.Ref(ctx.Symbol(s.ops[k]), mc.ModNone))
	return true, s.r.Emit(s.p, &in)
}

// extend extends by shifts, where there is no instruction for it.
func extend(s *statement, mnemonic string) (bool, error) {
	n, down, by := 48, "srai", "zbb"
	if !s.wide {
		n = 16
	}
	switch mnemonic {
	case "sext.b":
		n += 8
	case "zext.h":
		down = "srli"
	case "zext.w":
		if !s.wide {
			return false, nil
		}
		n, down, by = 32, "srli", "zba"
	}
	if has(s.p, by) || len(s.ops) != 2 || !s.isReg(0) || !s.isReg(1) || mnemonic == "zext.h" && has(s.p, "zbkb") {
		return false, nil
	}
	if err := s.emit(fmt.Sprintf("slli $0, $1, %d", n)); err != nil {
		return true, err
	}
	return true, s.emit(fmt.Sprintf(down+" $0, $0, %d", n))
}

// compare compares vectors by what is not less.
func compare(s *statement, mnemonic string) (bool, error) {
	less := strings.Replace(mnemonic, "ge", "lt", 1)
	switch {
	case len(s.ops) == 3:
		if err := s.emit(fmt.Sprintf("%s %s, %s, %s", less, s.ops[0], s.ops[1], s.ops[2])); err != nil {
			return true, err
		}
		return true, s.emit(fmt.Sprintf("vmnot.m %s, %s", s.ops[0], s.ops[0]))
	case len(s.ops) == 4 && !strings.EqualFold(s.ops[0], "v0"):
		if err := s.emit(fmt.Sprintf("%s %s, %s, %s, %s", less, s.ops[0], s.ops[1], s.ops[2], s.ops[3])); err != nil {
			return true, err
		}
		return true, s.emit(fmt.Sprintf("vmxor.mm %s, %s, v0", s.ops[0], s.ops[0]))
	case len(s.ops) == 5:
		vd, vt := s.ops[0], s.ops[4]
		if err := s.emit(fmt.Sprintf("%s %s, %s, %s", less, vt, s.ops[1], s.ops[2])); err != nil {
			return true, err
		}
		if strings.EqualFold(vd, "v0") {
			return true, s.emit(fmt.Sprintf("vmandn.mm %s, %s, %s", vd, vd, vt))
		}
		if err := s.emit(fmt.Sprintf("vmandn.mm %s, v0, %s", vt, vt)); err != nil {
			return true, err
		}
		if err := s.emit(fmt.Sprintf("vmandn.mm %s, %s, v0", vd, vd)); err != nil {
			return true, err
		}
		return true, s.emit(fmt.Sprintf("vmor.mm %s, %s, %s", vd, vt, vd))
	}
	return false, nil
}

package mctargetdesc

import (
	"fmt"
	"math"
	"math/bits"
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
	if f == nil && other == nil && reg < 0 {
		return false, nil
	}
	s := statement{r: r, p: p, text: text, wide: has(p, "64bit")}
	s.split(strings.Index(strings.ToLower(text), mnemonic) + len(mnemonic))
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
				if known, err := s.instead(other); known || err != nil {
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
	if other != nil {
		return s.instead(other)
	}
	return f(&s, mnemonic)
}

// again writes "(a0)" as "0(a0)" and the other way round: addresses without a
// distance are read in both ways.
func again(text string) string {
	i := strings.IndexByte(text, '(')
	switch {
	case i <= 0:
		return ""
	case text[i-1] == '0' && i > 1 && (text[i-2] == ' ' || text[i-2] == '\t' || text[i-2] == ','):
		return text[:i-1] + " " + text[i:]
	case text[i-1] == ' ' || text[i-1] == '\t' || text[i-1] == ',':
		return text[:i] + "0" + text[i:]
	}
	return ""
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

// emit reads a text and emits it; what is wrong with it is wrong with the statement.
func (s *statement) emit(format string, args ...any) error {
	var in mc.Inst
	if err := s.r.Match(s.p, fmt.Sprintf(format, args...), &in); err != nil {
		if e, ok := err.(*mc.ParseError); ok {
			return &mc.ParseError{Start: 0, Msg: e.Msg}
		}
		return err
	}
	return s.r.Emit(s.p, &in)
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
	return err == nil && x != 0 && end >= s.at[op]+len(s.ops[op])
}

// expansions are the instructions by mnemonic. An expansion that says no leaves the
// text to the tables.
var expansions = map[string]func(s *statement, mnemonic string) (bool, error){
	"li": li, "la": address, "lla": address, "lga": address, "la.tls.ie": address, "la.tls.gd": address,
	"call": call, "tail": call, "jump": call,
	"lb": load, "lbu": load, "lh": load, "lhu": load, "lw": load, "lwu": load, "ld": load,
	"flh": float, "flw": float, "fld": float, "flq": float, "fsh": float, "fsw": float, "fsd": float, "fsq": float,
	"sb": float, "sh": float, "sw": float, "sd": float,
	"sext.b": extend, "sext.h": extend, "zext.h": extend, "zext.w": extend,
	"vmsge.vx": compare, "vmsgeu.vx": compare,
	"vmslt.vi": below, "vmsltu.vi": below, "vmsge.vi": below, "vmsgeu.vi": below,
}

// li loads a constant.
func li(s *statement, _ string) (bool, error) {
	if len(s.ops) != 2 || !s.isReg(0) {
		return false, nil
	}
	x, v, end, err := s.p.Expr(s.text, s.at[1])
	if err != nil || x != 0 || end < s.at[1]+len(s.ops[1]) {
		return false, nil
	}
	if !s.wide {
		if v < math.MinInt32 || v > math.MaxUint32 {
			return false, nil
		}
		v = int64(int32(v))
	}
	from := "zero"
	rd := s.ops[0]
	for _, i := range s.constant(v) {
		var err error
		switch i.op {
		case "lui":
			err = s.emit("lui %s, %d", rd, i.v)
		default:
			err = s.emit("%s %s, %s, %d", i.op, rd, from, i.v)
		}
		if err != nil {
			return true, err
		}
		from = rd
	}
	return true, nil
}

// step is one instruction of a sequence that makes a constant.
type step struct {
	op string
	v  int64
}

// constant finds a short sequence for v: that of its parts from the top down, or
// one of a constant that a shift makes of it.
func (s *statement) constant(v int64) []step {
	best := s.sequence(v)
	if v&1 == 0 && len(best) >= 2 {
		n := bits.TrailingZeros64(uint64(v))
		w := v >> n
		if q := s.sequence(w); len(q)+1 < len(best) || w >= -32 && w < 32 {
			best = append(q, step{"slli", int64(n)})
		}
	}
	if v > 0 && len(best) > 2 {
		n := bits.LeadingZeros64(uint64(v))
		for _, w := range [2]uint64{uint64(v)<<n | (1<<n - 1), uint64(v) << n} {
			if q := s.sequence(int64(w)); len(q)+1 < len(best) {
				best = append(q, step{"srli", int64(n)})
			}
		}
	}
	return best
}

func (s *statement) sequence(v int64) []step {
	lo := v << 52 >> 52
	if v >= math.MinInt32 && v <= math.MaxInt32 {
		var out []step
		hi := (v + 0x800) >> 12 & 0xfffff
		if hi != 0 {
			out = append(out, step{"lui", hi})
		}
		if lo != 0 || hi == 0 {
			op := "addi"
			if s.wide && hi != 0 {
				op = "addiw"
			}
			out = append(out, step{op, lo})
		}
		return out
	}
	rest := int64(uint64(v) - uint64(lo))
	n := 0
	if rest < math.MinInt32 || rest > math.MaxInt32 {
		n = bits.TrailingZeros64(uint64(rest))
		rest >>= n
		if n > 12 && (rest < -2048 || rest > 2047) {
			if w := rest << 12; w >= math.MinInt32 && w <= math.MaxInt32 { // lui clears the low bits itself
				n -= 12
				rest = w
			}
		}
	}
	out := s.sequence(rest)
	if n > 0 {
		out = append(out, step{"slli", int64(n)})
	}
	if lo != 0 {
		out = append(out, step{"addi", lo})
	}
	return out
}

// label makes the label of the high part of an address, to which its low part refers.
func (s *statement) label() string {
	ctx := s.p.Context()
	y := ctx.Temp("pcrel_hi")
	s.p.Streamer().Label(y)
	return ctx.SymName(y)
}

// pair emits auipc and an instruction with the low part.
func (s *statement) pair(rd, hi, sym, low string, args ...any) error {
	l := s.label()
	if err := s.emit("auipc %s, %%%s(%s)", rd, hi, sym); err != nil {
		return err
	}
	return s.emit(strings.ReplaceAll(low, "@", "%%pcrel_lo("+l+")"), args...)
}

// address loads the address of a symbol.
func address(s *statement, mnemonic string) (bool, error) {
	if len(s.ops) != 2 || !s.isReg(0) {
		return false, nil
	}
	if !s.symbol(1) {
		return true, s.fail(1, "operand must be a bare symbol name")
	}
	word := "lw"
	if s.wide {
		word = "ld"
	}
	rd, y := s.ops[0], s.ops[1]
	switch {
	case mnemonic == "la.tls.ie":
		return true, s.pair(rd, "tls_ie_pcrel_hi", y, word+" %s, @(%s)", rd, rd)
	case mnemonic == "la.tls.gd":
		return true, s.pair(rd, "tls_gd_pcrel_hi", y, "addi %s, %s, @", rd, rd)
	case mnemonic == "lga":
		return true, s.pair(rd, "got_pcrel_hi", y, word+" %s, @(%s)", rd, rd)
	}
	return true, s.pair(rd, "pcrel_hi", y, "addi %s, %s, @", rd, rd)
}

// call emits a call or a jump to a symbol of any distance.
func call(s *statement, mnemonic string) (bool, error) {
	name, k, reg := "PseudoCALL", 0, -1
	switch {
	case mnemonic == "tail":
		name = "PseudoTAIL"
	case mnemonic == "jump":
		if len(s.ops) != 2 || !s.isReg(1) {
			return false, nil
		}
		name, reg = "PseudoJump", 1
	case len(s.ops) == 2 && s.isReg(0):
		name, k, reg = "PseudoCALLReg", 1, 0
	}
	if k >= len(s.ops) {
		return true, s.fail(-1, "too few operands for instruction")
	}
	if !s.symbol(k) || s.isReg(k) {
		return true, s.fail(k, "operand must be a bare symbol name")
	}
	x, _, _, err := s.p.Expr(s.text, s.at[k])
	if err != nil {
		return true, err
	}
	ops := []mc.Operand{mc.ExprOp(x)}
	if reg >= 0 {
		r, _, _ := s.r.ParseRegister(s.p, s.text, s.at[reg])
		ops = append([]mc.Operand{mc.Reg(r)}, ops...)
	}
	var in mc.Inst
	op, ok := s.r.Info.OpcodeByName(name)
	if !ok {
		return false, nil
	}
	return true, s.p.Emit(in.Set(op, ops...))
}

// load loads from a symbol through the register that is loaded.
func load(s *statement, mnemonic string) (bool, error) {
	if len(s.ops) != 2 || !s.isReg(0) || !s.symbol(1) {
		return false, nil
	}
	return true, s.pair(s.ops[0], "pcrel_hi", s.ops[1], mnemonic+" %s, @(%s)", s.ops[0], s.ops[0])
}

// float loads or stores through a register that is named.
func float(s *statement, mnemonic string) (bool, error) {
	if len(s.ops) != 3 || !s.isReg(2) || !s.symbol(1) {
		return false, nil
	}
	return true, s.pair(s.ops[2], "pcrel_hi", s.ops[1], mnemonic+" %s, @(%s)", s.ops[0], s.ops[2])
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
	if err := s.emit("slli %s, %s, %d", s.ops[0], s.ops[1], n); err != nil {
		return true, err
	}
	return true, s.emit("%s %s, %s, %d", down, s.ops[0], s.ops[0], n)
}

// compare compares vectors by what is not less.
func compare(s *statement, mnemonic string) (bool, error) {
	less := strings.Replace(mnemonic, "ge", "lt", 1)
	switch {
	case len(s.ops) == 3:
		if err := s.emit("%s %s, %s, %s", less, s.ops[0], s.ops[1], s.ops[2]); err != nil {
			return true, err
		}
		return true, s.emit("vmnot.m %s, %s", s.ops[0], s.ops[0])
	case len(s.ops) == 4 && !strings.EqualFold(s.ops[0], "v0"):
		if err := s.emit("%s %s, %s, %s, %s", less, s.ops[0], s.ops[1], s.ops[2], s.ops[3]); err != nil {
			return true, err
		}
		return true, s.emit("vmxor.mm %s, %s, v0", s.ops[0], s.ops[0])
	case len(s.ops) == 5:
		vd, vt := s.ops[0], s.ops[4]
		if err := s.emit("%s %s, %s, %s", less, vt, s.ops[1], s.ops[2]); err != nil {
			return true, err
		}
		if strings.EqualFold(vd, "v0") {
			return true, s.emit("vmandn.mm %s, %s, %s", vd, vd, vt)
		}
		if err := s.emit("vmandn.mm %s, v0, %s", vt, vt); err != nil {
			return true, err
		}
		if err := s.emit("vmandn.mm %s, %s, v0", vd, vd); err != nil {
			return true, err
		}
		return true, s.emit("vmor.mm %s, %s, %s", vd, vt, vd)
	}
	return false, nil
}

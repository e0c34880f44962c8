package table

import (
	"math"
	"sort"
	"strconv"
	"strings"
	"sync"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
)

// literal reads the text of a part: blanks in it are any number of blanks, letters
// are of any case. Where operand follows, '#' may be left out or stand in a target that has it.
func (m *reading) literal(lit string, operand bool) bool {
	for i := 0; i < len(lit); i++ {
		c := lit[i]
		if blank(c) {
			if m.pos > 0 && m.pos < len(m.text) && i > 0 && isLetter(m.text[m.pos-1]) && isLetter(m.text[m.pos]) && isLetter(lit[i-1]) {
				m.where = m.pos
				return false
			}
			m.skip()
			continue
		}
		if !isLetter(c) {
			m.skip()
		}
		if m.pos >= len(m.text) || lower(m.text[m.pos]) != lower(c) {
			if c == '#' && m.syn.Hash && (i == len(lit)-1 && operand || i+1 < len(lit) && lit[i+1] >= '0' && lit[i+1] <= '9') {
				continue
			}
			m.where = m.pos
			return false
		}
		m.pos++
		if !isLetter(c) && i+1 < len(lit) {
			m.skip()
		}
	}
	// A word ends where the text's does, unless the operand goes on with it.
	if n := len(lit); n > 0 && isLetter(lit[n-1]) && !operand && m.pos < len(m.text) && isLetter(m.text[m.pos]) {
		m.where = m.pos
		return false
	}
	return true
}

func isLetter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_'
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// set gives operand op its value; a second text of one operand must say the same.
func (m *reading) set(op int, o mc.Operand) bool {
	if op >= len(m.in.Ops) {
		return false
	}
	if x := &m.in.Ops[op]; x.Kind() != mc.OperandNone {
		return *x == o
	}
	m.in.Ops[op] = o
	return true
}

// field is what the encoder does with an operand; nil where it has none.
func (m *reading) field(f *desc.MatchForm, op int) *desc.EncField {
	if int(f.Op) >= len(m.e.Instrs) {
		return nil
	}
	row := &m.e.Instrs[f.Op]
	for k := range row.NumFields {
		if x := &m.e.Fields[row.Fields+uint32(k)]; int(x.Op) == op {
			return x
		}
	}
	return nil
}

// takesReg reports that a register may be operand op.
func (m *reading) takesReg(f *desc.MatchForm, op int, r desc.PhysReg) bool {
	if x := m.field(f, op); x != nil && x.Xform != 0 {
		if y := &m.e.Xforms[x.Xform]; y.Kind == desc.XformReg {
			return m.mapped(y, int64(r))
		}
	}
	c := m.Info.OperandClass(f.Op, op, m.Info.DefaultMode)
	return c == desc.NoClass || int(c) >= len(m.Info.Classes) || m.Info.ClassContains(c, r)
}

func (m *reading) mapped(y *desc.EncXform, key int64) bool {
	rows := m.e.Maps[y.First : y.First+y.Num]
	k := sort.Search(len(rows), func(i int) bool { return rows[i].Key >= key })
	return k < len(rows) && rows[k].Key == key
}

// takesImm reports that an immediate may be operand op.
func (m *reading) takesImm(f *desc.MatchForm, op int, v int64) bool {
	if m.syn.Takes != nil && !m.syn.Takes(m.st, f.Op, op, v) {
		return false
	}
	x := m.field(f, op)
	if x == nil {
		return true
	}
	format := m.e.Formats[x.Format]
	if x.Xform != 0 {
		switch y := &m.e.Xforms[x.Xform]; y.Kind {
		case desc.XformImm:
			return m.mapped(y, v)
		case desc.XformReg:
			return false
		case desc.XformSub:
			v = y.Add - v
		case desc.XformSign:
			return max(v, -v)&^y.Add == 0
		case desc.XformAdd:
			v += y.Add
		}
	}
	_, err := toField(format, v)
	return err == nil
}

// operand reads operand op in a style.
func (m *reading) operand(f *desc.MatchForm, op int, y *desc.WriterStyle, o *desc.MatchOp, style int) bool {
	switch y.Kind {
	case desc.StyleReg:
		at := m.pos
		if y.Num > 0 {
			if m.listed(f, op, y, style) {
				return true
			}
			m.pos = at
		}
		return m.literal(y.Prefix.In(m.w.Names), true) && m.register(f, op) && m.literal(y.Suffix.In(m.w.Names), false)
	case desc.StyleTexts, desc.StyleRegTexts:
		return m.listed(f, op, y, style) || y.Kind == desc.StyleTexts && m.listedExpr(op, y, o)
	}
	at := m.pos
	if m.literal(y.Prefix.In(m.w.Names), true) && m.number(f, op, y, o) && m.literal(y.Suffix.In(m.w.Names), false) {
		return true
	}
	if op < len(m.in.Ops) && y.Num > 0 {
		m.in.Ops[op] = mc.Operand{}
	}
	m.pos = at
	return y.Num > 0 && m.listed(f, op, y, style)
}

// register reads a register that operand op may be.
func (m *reading) register(f *desc.MatchForm, op int) bool {
	rs, end := m.regAt(m.pos)
	for _, r := range rs {
		if m.takesReg(f, op, r) {
			m.pos = end
			return m.set(op, mc.Reg(r))
		}
	}
	return false
}

// regAt reads the name of a register: all that have it, and where it ends.
func (m *reading) regAt(pos int) ([]desc.PhysReg, int) {
	rs, end := m.anyRegAt(pos)
	if len(rs) > 0 && m.syn.Reserved != nil && m.syn.Reserved(m.st, rs[0]) {
		return nil, pos
	}
	return rs, end
}

// anyRegAt is regAt whatever the subtarget has.
func (m *reading) anyRegAt(pos int) ([]desc.PhysReg, int) {
	end := pos
	for end < len(m.text) && (isWord(m.text[end]) || end == pos && strings.IndexByte(m.syn.RegPrefixes, m.text[end]) >= 0) {
		end++
	}
	var buf [32]byte
	for end > pos {
		if end-pos > len(buf) {
			end = pos + len(buf)
		}
		b := buf[:0]
		for _, c := range []byte(m.text[pos:end]) {
			b = append(b, lower(c))
		}
		if rs := m.regs[string(b)]; len(rs) > 0 {
			return rs, end
		}
		if strings.IndexByte(m.syn.RegPrefixes, b[0]) >= 0 {
			if rs := m.regs[string(b[1:])]; len(rs) > 0 {
				return rs, end
			}
		}
		dot := strings.LastIndexByte(m.text[pos:end], '.')
		if dot <= 0 {
			break
		}
		end = pos + dot
	}
	return nil, pos
}

// ParseRegister reads a register's name.
func (r *Reader) ParseRegister(p mc.AsmParser, text string, pos int) (desc.PhysReg, int, bool) {
	m := r.pool.Get().(*reading)
	defer r.pool.Put(m)
	m.start(p, text)
	rs, end := m.regAt(pos)
	if len(rs) == 0 {
		return 0, pos, false
	}
	return rs[0], end, true
}

// expr reads an expression at pos; what stands there may be asked for several times.
func (m *reading) expr() (x mc.Expr, v int64, ok bool) {
	if m.exprAt != m.pos {
		m.exprAt, m.exprErr = m.pos, nil
		if m.pos >= len(m.text) || m.noExpr() {
			m.exprErr = errNoExpr
		} else {
			m.exprX, m.exprV, m.exprEnd, m.exprErr = m.p.Expr(m.text, m.pos)
		}
	}
	if m.exprErr != nil {
		return 0, 0, false
	}
	m.pos = m.exprEnd
	return m.exprX, m.exprV, true
}

var errNoExpr = &mc.ParseError{Msg: "expected an expression"}

// noExpr reports what only an expression that LLVM would not try begins with: a register.
func (m *reading) noExpr() bool {
	switch c := m.text[m.pos]; {
	case c == '[' || c == '{' || c == ',' || c == ')' || c == ']' || c == '}' || c == '!' || c == '@' || c == '=':
		return true
	case c >= '0' && c <= '9' || c == '-' || c == '+' || c == '(' || c == '~':
		return false
	}
	rs, _ := m.regAt(m.pos)
	return len(rs) > 0
}

// number reads a number or an expression of a symbol.
func (m *reading) number(f *desc.MatchForm, op int, y *desc.WriterStyle, o *desc.MatchOp) bool {
	neg := false
	if y.Kind == desc.StyleSum {
		m.skip()
		if m.pos >= len(m.text) || m.text[m.pos] != '+' && m.text[m.pos] != '-' {
			return false
		}
		neg = m.text[m.pos] == '-'
		m.pos++
		m.skip()
	}
	x, n, ok := m.expr()
	switch {
	case !ok:
		return false
	case x != 0:
		return !neg && m.syms(o, x) && m.set(op, mc.ExprOp(x))
	}
	if neg {
		n = -n
	}
	if n>>31 == 1 && m.narrow != 0 && !m.st.Has(m.narrow-1) && !m.takesImm(f, op, n-y.Add) {
		n = int64(int32(n))
	}
	v := n - y.Add
	if y.Mul != 1 && y.Mul != 0 {
		if v%y.Mul != 0 {
			return false
		}
		v /= y.Mul
	}
	if y.Bits > 0 && y.Bits < 64 {
		// What is written is the low bits of the operand.
		if lo, hi := int64(-1)<<(y.Bits-1), int64(1)<<y.Bits-1; v < lo || v > hi {
			return false
		}
	}
	if !m.takesImm(f, op, v) {
		if y.Bits == 0 || y.Bits >= 64 {
			return false
		}
		other := v & (1<<y.Bits - 1)
		if other == v {
			other = v << (64 - y.Bits) >> (64 - y.Bits)
		}
		if v = other; !m.takesImm(f, op, v) {
			return false
		}
	}
	return m.set(op, mc.Imm(v))
}

// listedExpr reads a symbol where numbers have texts of their own.
func (m *reading) listedExpr(op int, y *desc.WriterStyle, o *desc.MatchOp) bool {
	if o.Syms == 0 || m.pos >= len(m.text) {
		return false
	}
	at := m.pos
	if m.text[m.pos] == '#' && m.syn.Hash {
		m.pos++
	}
	if x, _, ok := m.expr(); ok && x != 0 && m.syms(o, x) {
		return m.set(op, mc.ExprOp(x))
	}
	m.pos = at
	return false
}

// styleIndex finds a style's texts; it is made when the style is first read.
type styleIndex struct {
	once sync.Once
	// words has the texts that are one word or one list in braces, in one spelling;
	// one text may be of several values.
	words map[string][]int64
	// ints and floats have those that are numbers, behind the text before.
	ints   map[int64]int64
	floats map[float64]int64
	before string
	// rest are other texts, longer ones first.
	rest []desc.StyleText
}

func (r *Reader) index(y *desc.WriterStyle, style int) *styleIndex {
	x := &r.styles[style]
	x.once.Do(func() {
		r.fillIndex(x, r.w.Texts[y.First:y.First+y.Num], y.Kind == desc.StyleReg || y.Kind == desc.StyleRegTexts)
	})
	return x
}

func (r *Reader) fillIndex(x *styleIndex, rows []desc.StyleText, regs bool) {
	x.words = make(map[string][]int64, len(rows))
	for _, row := range rows {
		t := row.Text.In(r.w.Names)
		if n := numberStart(t); !regs && n >= 0 && (len(x.ints)+len(x.floats) == 0 || x.before == t[:n]) {
			if v, err := strconv.ParseInt(t[n:], 0, 64); err == nil {
				if x.ints == nil {
					x.ints = map[int64]int64{}
				}
				if _, dup := x.ints[v]; !dup {
					x.ints[v] = row.Value
				}
				x.before = t[:n]
				continue
			}
			if v, err := strconv.ParseUint(t[n:], 0, 64); err == nil {
				if x.ints == nil {
					x.ints = map[int64]int64{}
				}
				x.ints[int64(v)], x.before = row.Value, t[:n]
				continue
			}
			if v, err := strconv.ParseFloat(t[n:], 64); err == nil {
				if x.floats == nil {
					x.floats = map[float64]int64{}
				}
				x.floats[v], x.before = row.Value, t[:n]
				continue
			}
		}
		if oneWord(t) || t != "" && t[0] == '{' {
			k := canonical(t)
			x.words[k] = append(x.words[k], row.Value)
			continue
		}
		x.rest = append(x.rest, row)
	}
	sort.SliceStable(x.rest, func(i, j int) bool { return len(x.rest[i].Text.In(r.w.Names)) > len(x.rest[j].Text.In(r.w.Names)) })
}

// numberStart is where a text that ends with a number has it; -1 where it does not.
func numberStart(t string) int {
	i := strings.LastIndexAny(t, "# ,(")
	if i+1 < len(t) && (t[i+1] == '-' || t[i+1] >= '0' && t[i+1] <= '9') {
		return i + 1
	}
	return -1
}

func oneWord(t string) bool {
	for i := range len(t) {
		if !isWord(t[i]) && t[i] != '%' && t[i] != '-' {
			return false
		}
	}
	return t != ""
}

// canonical writes lists in one way: small letters, no blanks, ranges as all that is in them.
func canonical(t string) string {
	b := make([]byte, 0, len(t))
	for i := range len(t) {
		if !blank(t[i]) {
			b = append(b, lower(t[i]))
		}
	}
	if len(b) == 0 || b[0] != '{' || b[len(b)-1] != '}' {
		return string(b)
	}
	out := []byte{'{'}
	for _, el := range strings.Split(string(b[1:len(b)-1]), ",") {
		from, to, ok := strings.Cut(el, "-")
		if len(out) > 1 {
			out = append(out, ',')
		}
		p1, n1, s1 := splitReg(from)
		p2, n2, s2 := splitReg(to)
		if !ok || p1 != p2 || s1 != s2 || n1 < 0 || n2 < 0 {
			out = append(out, el...)
			continue
		}
		for n, k := n1, 0; k < 40; n, k = (n+1)%32, k+1 {
			if k > 0 {
				out = append(out, ',')
			}
			out = append(out, p1...)
			out = strconv.AppendInt(out, int64(n), 10)
			out = append(out, s1...)
			if n == n2 {
				break
			}
		}
	}
	return string(append(out, '}'))
}

// splitReg takes "v31.4s" apart; the number is -1 where there is none.
func splitReg(t string) (prefix string, n int, suffix string) {
	i := 0
	for i < len(t) && (t[i] < '0' || t[i] > '9') {
		i++
	}
	j := i
	for j < len(t) && t[j] >= '0' && t[j] <= '9' {
		j++
	}
	if i == j || j-i > 3 {
		return t, -1, ""
	}
	n, _ = strconv.Atoi(t[i:j])
	return t[:i], n, t[j:]
}

// listed reads one of a style's texts.
func (m *reading) listed(f *desc.MatchForm, op int, y *desc.WriterStyle, style int) bool {
	x := m.index(y, style)
	reg := y.Kind == desc.StyleReg || y.Kind == desc.StyleRegTexts
	at := m.pos
	take := func(v int64, end int) bool {
		if reg && !m.takesReg(f, op, desc.PhysReg(v)) || !reg && !m.takesImm(f, op, v) {
			return false
		}
		m.pos = end
		if reg {
			return m.set(op, mc.Reg(desc.PhysReg(v)))
		}
		return m.set(op, mc.Imm(v))
	}
	if len(x.words) > 0 && m.pos < len(m.text) {
		end := m.pos
		if m.text[end] == '{' {
			if i := strings.IndexByte(m.text[end:], '}'); i > 0 {
				end += i + 1
			}
		} else {
			for end < len(m.text) && (isWord(m.text[end]) || m.text[end] == '%' || m.text[end] == '-' && end > at) {
				end++
			}
		}
		for end > at {
			for _, v := range x.words[canonical(m.text[at:end])] {
				if take(v, end) {
					return true
				}
			}
			i := strings.LastIndexAny(m.text[at:end], ".-")
			if i <= 0 {
				break
			}
			end = at + i
		}
		// A word that others follow in the same word: a condition before ",a".
		for end = min(len(m.text), at+8); end > at; end-- {
			for _, v := range x.words[canonical(m.text[at:end])] {
				if take(v, end) {
					return true
				}
			}
		}
	}
	if len(x.ints)+len(x.floats) > 0 {
		if v, end, ok := m.listedNumber(x); ok && take(v, end) {
			return true
		}
		m.pos = at
	}
	for i := range x.rest {
		m.pos = at
		if t := x.rest[i].Text.In(m.w.Names); m.literal(t, t == "") && take(x.rest[i].Value, m.pos) {
			return true
		}
	}
	m.pos = at
	return false
}

// listedNumber reads a number that a style lists.
func (m *reading) listedNumber(x *styleIndex) (v int64, end int, ok bool) {
	if !m.literal(x.before, true) {
		return 0, 0, false
	}
	if x.floats != nil {
		end := m.pos
		for end < len(m.text) && strings.IndexByte("0123456789.+-eE", m.text[end]) >= 0 {
			end++
		}
		if n, err := strconv.ParseFloat(m.text[m.pos:end], 64); err == nil {
			if v, ok := x.floats[n]; ok && math.Signbit(n) == (m.text[m.pos] == '-') {
				return v, end, true
			}
		}
	}
	if e, n, good := m.expr(); good && e == 0 {
		if v, ok = x.ints[n]; !ok && n < 0 && n >= math.MinInt32 {
			v, ok = x.ints[n&math.MaxUint32]
		}
		return v, m.pos, ok
	}
	return 0, 0, false
}

package table

import (
	"sort"
	"strings"
	"sync"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
)

// Syntax is what a target's operand language has beside its tables.
type Syntax struct {
	// Hash says that '#' stands before numbers, or not.
	Hash bool
	// RegPrefixes are signs that may stand before a register's name ("%", "$").
	RegPrefixes string
	// Expand is asked first; it emits what stands for an instruction that the
	// machine does not have, or says that the text is none.
	Expand func(r *Reader, p mc.AsmParser, mnemonic, text string) (known bool, err error)
	// Again is asked where no form takes a text; it gives another text to be tried
	// (operands that may be left out), "" where there is none.
	Again func(text string) string
	// Operands is asked where operands of a form are to be read; it takes some of them,
	// leaves the next one to the reader (0), or says that the form is not meant (-1). An
	// error is the statement's, whatever other forms there are.
	Operands func(o *Operands) (taken int, err error)
	// Drop says which forms of the tables are left out, since Operands reads what they do.
	Drop func(t *desc.MatcherTable, f *desc.MatchForm) bool
	// Without is a feature that switches off what the target's parser makes of
	// instructions that it has read: forms that are read only without it are left out.
	Without string
	// Wide is a feature without which numbers are of 32 bits: the upper half of them is
	// read as negative ones where an operand is not as large. "" for none.
	Wide string
	// Reserved reports registers that a subtarget does not have, whose names are symbols then.
	Reserved func(st *mc.Subtarget, r desc.PhysReg) bool
	// Check says what is wrong with an instruction that was read, "" for nothing, and of which
	// operand, as they are written, it is said.
	Check func(st *mc.Subtarget, in *mc.Inst) (msg string, operand int)
	// Takes may refuse a number that the encoding has room for.
	Takes func(st *mc.Subtarget, op desc.Opcode, operand int, v int64) bool
	// Shorten is what it makes of them: instructions become compressed ones.
	Shorten func(ctx *mc.Context, st *mc.Subtarget, in *mc.Inst)
}

// Reader is the mc.TargetAsmParser of a learned target: its forms are the printer's
// parts, read instead of written.
type Reader struct {
	Info   *desc.Info
	t      *desc.MatcherTable
	w      *desc.WriterTable
	e      *desc.EncoderTable
	syn    Syntax
	regs   map[string][]desc.PhysReg
	styles []styleIndex
	// without is the condition of forms that are left out (Syntax.Without); 0 none.
	without desc.FeatureTerm
	narrow  uint16 // 1 + bit of Syntax.Wide; 0 none
	pool    sync.Pool
}

// NewReader makes a reader over a target's tables and what was learned about reading.
func NewReader(t *desc.MatcherTable, mct *desc.MCTables, info *desc.Info, syn Syntax) *Reader {
	r := &Reader{Info: info, t: t, w: mct.Writer, e: mct.Encoder, syn: syn}
	if len(t.Styles) > 0 {
		w := *r.w
		w.Styles = append(w.Styles[:len(w.Styles):len(w.Styles)], t.Styles...)
		r.w = &w
	}
	r.styles = make([]styleIndex, len(r.w.Styles))
	r.regs = make(map[string][]desc.PhysReg, 2*len(info.Regs))
	for k := 1; k < len(r.w.RegNames); k++ {
		r.addReg(r.w.RegNames[k].In(r.w.Names), desc.PhysReg(k%int(r.w.NumRegs)))
	}
	for _, a := range t.RegNames {
		r.addReg(a.Name.In(t.Names), a.Reg)
	}
	r.pool.New = func() any { return &reading{Reader: r} }
	if bit, ok := info.FeatureByName(syn.Without); ok && syn.Without != "" {
		r.without = desc.FeatureTerm(info.Features[bit].Bit) | desc.FeatureNot
	}
	if bit, ok := info.FeatureByName(syn.Wide); ok && syn.Wide != "" {
		r.narrow = info.Features[bit].Bit + 1
	}
	return r
}

// Emit emits an instruction in its compressed form, where it has one.
func (r *Reader) Emit(p mc.AsmParser, in *mc.Inst) error {
	if r.syn.Shorten != nil {
		r.syn.Shorten(p.Context(), p.Subtarget(), in)
	}
	return p.Emit(in)
}

// made reports a form that is of what Shorten does.
func (r *Reader) made(f *desc.MatchForm) bool {
	if r.without == 0 {
		return false
	}
	for _, k := range r.t.NeedRefs[f.Needs : f.Needs+uint32(f.NumNeeds)] {
		c := r.t.Needs[k].Features
		if c.Num == 1 && r.t.Terms[c.First] == r.without {
			return true
		}
	}
	return false
}

func (r *Reader) addReg(name string, reg desc.PhysReg) {
	if name == "" {
		return
	}
	name = strings.ToLower(name)
	for _, o := range r.regs[name] {
		if o == reg {
			return
		}
	}
	r.regs[name] = append(r.regs[name], reg)
}

// formParts are the parts of a form, up to the one that is the last.
func (r *Reader) formParts(f *desc.MatchForm) ([]desc.WriterPart, string) {
	if f.Parts&desc.OwnParts != 0 {
		return r.t.Parts[f.Parts&^desc.OwnParts:], r.t.Names
	}
	return r.w.Parts[f.Parts:], r.w.Names
}

// key is what the text of a form begins with: its mnemonic, or as much of it as
// stands before an operand.
func (r *Reader) key(f *desc.MatchForm) string {
	ps, names := r.formParts(f)
	return FormKey(ps[0].Text.In(names))
}

// FormKey is what forms are sorted by: the first word of their first text.
func FormKey(text string) string {
	text = strings.TrimLeft(text, " \t")
	if i := strings.IndexAny(text, " \t"); i >= 0 {
		text = text[:i]
	}
	return strings.ToLower(text)
}

// forms are the forms whose key is word.
func (r *Reader) forms(word string) []desc.MatchForm {
	l := r.t.Forms
	lo := sort.Search(len(l), func(i int) bool { return r.key(&l[i]) >= word })
	hi := lo
	for hi < len(l) && r.key(&l[hi]) == word {
		hi++
	}
	return l[lo:hi]
}

// Has reports whether some form has the mnemonic.
func (r *Reader) Has(word string) bool { return len(r.forms(word)) > 0 }

// reading is the state of one statement.
type reading struct {
	*Reader
	p    mc.AsmParser
	st   *mc.Subtarget
	text string
	pos  int
	in   mc.Inst
	// expression that was read last: where, and what it is.
	exprAt, exprEnd int
	exprX           mc.Expr
	exprV           int64
	exprErr         error

	// The nearest miss.
	missed   bool
	missPos  int
	missDiag string
	missFew  bool
	needs    *desc.MatchForm
	numNeeds int

	// hard is an error of Syntax.Operands; closed is text that it has read of the next part.
	hard    error
	placeAt int // where Operands.Place was made last
	place   mc.Expr
	closed  string

	found bool // a form of the mnemonic
	where int  // of the failure of the form that is tried
	diag  string
}

// ParseInstruction reads a statement and emits its instruction.
func (r *Reader) ParseInstruction(p mc.AsmParser, text string) error {
	m := r.pool.Get().(*reading)
	defer r.pool.Put(m)
	m.start(p, text)
	m.skip()
	begin := m.pos
	for m.pos < len(text) && !blank(text[m.pos]) {
		m.pos++
	}
	word := strings.ToLower(text[begin:m.pos])
	if r.syn.Expand != nil {
		if known, err := r.syn.Expand(r, p, word, text); known || err != nil {
			return err
		}
	}
	if m.match(begin, word) {
		return m.emit(begin + len(word))
	}
	if r.syn.Again != nil && m.hard == nil {
		if other := r.syn.Again(text); other != "" {
			missed, pos, diag, few := m.missed, m.missPos, m.missDiag, m.missFew
			m.text, m.exprAt = other, -1
			if m.match(begin, word) {
				return m.emit(begin + len(word))
			}
			m.missed, m.missPos, m.missDiag, m.missFew = missed, pos, diag, few // the text as it stands
			m.text = text
		}
	}
	return m.refusal(begin, word)
}

// emit emits the instruction that was read, whose operands are behind at.
func (m *reading) emit(at int) error {
	if m.syn.Check != nil {
		if msg, k := m.syn.Check(m.st, &m.in); msg != "" {
			for ; k > 0 && at < len(m.text); at++ {
				if m.text[at] == ',' {
					k--
				}
			}
			for at < len(m.text) && blank(m.text[at]) {
				at++
			}
			return &mc.ParseError{Start: at, End: at, Msg: msg}
		}
	}
	return m.Emit(m.p, &m.in)
}

// Match reads one instruction without emitting it.
func (r *Reader) Match(p mc.AsmParser, text string, in *mc.Inst) error {
	m := r.pool.Get().(*reading)
	defer r.pool.Put(m)
	m.start(p, text)
	m.skip()
	begin := m.pos
	for m.pos < len(text) && !blank(text[m.pos]) {
		m.pos++
	}
	word := strings.ToLower(text[begin:m.pos])
	if !m.match(begin, word) {
		return m.refusal(begin, word)
	}
	in.Op, in.Flags = m.in.Op, m.in.Flags
	in.Ops = append(in.Ops[:0], m.in.Ops...)
	return nil
}

func (m *reading) start(p mc.AsmParser, text string) {
	m.p, m.st, m.text, m.pos = p, p.Subtarget(), text, 0
	m.exprAt, m.placeAt, m.hard, m.closed = -1, -1, nil, ""
	m.missed, m.missPos, m.missDiag, m.missFew, m.needs, m.found = false, 0, "", false, nil, false
}

func blank(c byte) bool { return c == ' ' || c == '\t' }

func (m *reading) skip() {
	for m.pos < len(m.text) && blank(m.text[m.pos]) {
		m.pos++
	}
}

// match tries the forms of the mnemonic: those of the whole word first, then those
// of what it begins with, which have an operand in it.
func (m *reading) match(begin int, word string) bool {
	for n := len(word); n >= 0; n-- {
		fs := m.forms(word[:n])
		for k := range fs {
			if n < len(word) && !m.glued(&fs[k]) || m.made(&fs[k]) || m.syn.Drop != nil && m.syn.Drop(m.t, &fs[k]) {
				continue
			}
			m.pos = begin
			if m.form(&fs[k], begin, n) {
				return true
			}
			if m.hard != nil {
				return false
			}
		}
	}
	return false
}

// glued reports a form with an operand in its mnemonic.
func (r *Reader) glued(f *desc.MatchForm) bool {
	ps, names := r.formParts(f)
	t := strings.TrimLeft(ps[0].Text.In(names), " \t")
	return t == "" || !blank(t[len(t)-1]) && (ps[0].Op >= 0 || !isWord(t[len(t)-1]))
}

// form reads the text from pos on as a form and makes the instruction.
func (m *reading) form(f *desc.MatchForm, begin, keyLen int) bool {
	m.in.Reset(f.Op)
	for range f.NumOps {
		m.in.Add(mc.Operand{})
	}
	for _, c := range m.t.Conds[f.Conds : f.Conds+uint32(f.NumConds)] {
		switch c.Kind {
		case desc.CondReg, desc.CondNoReg:
			m.in.Ops[c.Op] = mc.Reg(desc.PhysReg(c.Arg))
		case desc.CondImm:
			m.in.Ops[c.Op] = mc.Imm(c.Arg)
		}
	}
	ps, names := m.formParts(f)
	ops := m.t.FormOps[f.Ops:]
	n := 0
	last := -1 // where the operand before a text begins
	m.closed = ""
	for i := 0; ; i++ {
		w := &ps[i]
		lit := strings.TrimPrefix(w.Text.In(names), m.closed)
		m.closed = ""
		if n := len(lit); w.Op >= 0 && n > 0 && lit[n-1] == '.' && m.w.Styles[w.Style-1].Kind == desc.StyleSign {
			lit = lit[:n-1] // ".+8" is an expression
		}
		if at := m.pos; !m.literal(lit, w.Op >= 0) {
			if last >= 0 && at > last && lit != "" && !blank(lit[0]) && lit[0] != ',' && m.where == at && at < len(m.text) && m.text[at] != ',' {
				m.where, m.diag = last, ops[n-1].Diag.In(m.t.Names) // what belongs to the operand
			} else {
				m.diag = ""
			}
			return m.miss(f, begin, keyLen, i == 0)
		}
		last = -1
		if w.Op >= 0 && m.syn.Operands != nil {
			m.skip()
			at := m.pos
			taken, err := m.syn.Operands(&Operands{m: m, f: f, parts: ps[i:], ops: ops[n:], names: names})
			if err != nil {
				m.hard = err
				return false
			}
			if taken < 0 {
				m.where, m.diag = at, ops[n].Diag.In(m.t.Names)
				return m.miss(f, begin, keyLen, false)
			}
			if taken > 0 {
				m.found = true
				n += taken
				i += taken - 1
				if ps[i].Last {
					break
				}
				continue
			}
			m.pos = at
		}
		if w.Op >= 0 {
			last = m.pos
			if m.pos > 0 && m.text[m.pos-1] == '#' {
				last--
			}
			m.skip()
			at := m.pos
			if !m.operand(f, int(w.Op), &m.w.Styles[w.Style-1], &ops[n], int(w.Style-1)) {
				m.pos = at
				for m.pos < len(m.text) && blank(m.text[m.pos]) {
					m.pos++
				}
				if m.where = m.pos; m.pos > 0 && m.text[m.pos-1] == '#' {
					m.where--
				}
				m.diag = ops[n].Diag.In(m.t.Names)
				return m.miss(f, begin, keyLen, false)
			}
			if m.pos > at {
				m.found = true
			}
			n++
		}
		if w.Last {
			break
		}
	}
	m.skip()
	if m.pos < len(m.text) {
		m.where, m.diag = m.operandStart(m.pos), ""
		return m.miss(f, begin, keyLen, false)
	}
	if !m.finish(f) {
		m.where, m.diag = m.operandStart(len(m.text)), ""
		return m.miss(f, begin, keyLen, false)
	}
	if missing := m.lacks(f); missing > 0 {
		m.found = true
		if m.needs == nil || missing <= m.numNeeds {
			m.needs, m.numNeeds = f, missing
		}
		return false
	}
	return true
}

// finish gives operands that are tied their values and holds operands to be
// equal that must be.
func (m *reading) finish(f *desc.MatchForm) bool {
	for _, c := range m.t.Conds[f.Conds : f.Conds+uint32(f.NumConds)] {
		if c.Kind == desc.CondAffine {
			of, mul, add := c.Affine()
			x := m.in.Ops[of]
			if !x.IsImm() || !m.takesImm(f, int(c.Op), mul*x.Imm()+add) || !m.set(int(c.Op), mc.Imm(mul*x.Imm()+add)) {
				return false
			}
			continue
		}
		if c.Kind != desc.CondSame {
			continue
		}
		o, x := &m.in.Ops[c.Op], m.in.Ops[c.Arg]
		if o.Kind() == mc.OperandNone {
			*o = x
		} else if *o != x {
			return false
		}
	}
	descs := m.Info.Operands(f.Op)
	for k := range m.in.Ops {
		if m.in.Ops[k].Kind() != mc.OperandNone {
			continue
		}
		if k < len(descs) && descs[k].TiedTo >= 0 {
			m.in.Ops[k] = m.in.Ops[descs[k].TiedTo]
		}
		if m.in.Ops[k].Kind() == mc.OperandNone {
			return false
		}
	}
	return true
}

// lacks counts what the form needs and the subtarget has not.
func (m *reading) lacks(f *desc.MatchForm) (n int) {
	for _, k := range m.t.NeedRefs[f.Needs : f.Needs+uint32(f.NumNeeds)] {
		if !holds(m.t.Terms, m.t.Needs[k].Features, m.st.Has) {
			n++
		}
	}
	return n
}

// miss notes where a form ended; always false. Misses are weighed as LLVM's matcher
// weighs them: the farthest place counts, and of those that have something to say the last
// whose features are there.
func (m *reading) miss(f *desc.MatchForm, begin, keyLen int, mnemonic bool) bool {
	if mnemonic && m.where < begin+keyLen || keyLen == 0 && !m.found {
		return false
	}
	if mnemonic && keyLen == 0 {
		return false
	}
	m.found = true
	few := m.where >= len(m.text)
	if !m.missed || m.missPos <= m.where {
		if (m.diag != "" || m.missed && m.missPos < m.where) && m.lacks(f) == 0 {
			m.missDiag = m.diag
		}
		m.missPos, m.missFew = m.where, few
	}
	m.missed = true
	return false
}

// operandStart is where the operand begins in whose text pos is.
func (m *reading) operandStart(pos int) int {
	if pos < len(m.text) && m.text[pos] == ',' {
		for pos++; pos < len(m.text) && blank(m.text[pos]); {
			pos++
		}
		return pos
	}
	for pos > 0 && !blank(m.text[pos-1]) && m.text[pos-1] != ',' {
		pos--
	}
	return pos
}

func (m *reading) word(w desc.MatchWord) string {
	if int(w) < len(m.t.Words) {
		return m.t.Words[w].In(m.t.Names)
	}
	return ""
}

// refusal says why the text is no instruction.
func (m *reading) refusal(begin int, word string) error {
	if m.hard != nil {
		return m.hard
	}
	if m.needs != nil {
		f := m.needs
		msg := m.word(desc.WordNeeds)
		n := 0
		for _, k := range m.t.NeedRefs[f.Needs : f.Needs+uint32(f.NumNeeds)] {
			need := &m.t.Needs[k]
			if holds(m.t.Terms, need.Features, m.st.Has) || need.Text == 0 {
				continue
			}
			if n++; n > 1 {
				msg += m.word(desc.WordAnd)
			}
			msg += need.Text.In(m.t.Names)
		}
		return &mc.ParseError{Start: begin, End: begin, Msg: msg}
	}
	if !m.missed {
		msg := m.word(desc.WordUnknown)
		if s := m.similar(word); s != "" {
			msg += ", did you mean: " + s + "?"
		}
		return &mc.ParseError{Start: begin, End: begin, Msg: msg}
	}
	if m.missFew && m.word(desc.WordFew) != "" {
		return &mc.ParseError{Start: begin, End: begin, Msg: m.word(desc.WordFew)}
	}
	at := m.missPos
	msg := m.missDiag
	if msg == "" {
		msg = m.word(desc.WordInvalid)
	}
	if m.missFew {
		at = begin
	}
	return &mc.ParseError{Start: at, End: at, Msg: msg}
}

// maxSimilar is how many letters may differ in what is proposed for a mnemonic.
const maxSimilar = 2

// similar lists the mnemonics of the subtarget that differ from word in few letters.
func (m *reading) similar(word string) string {
	var out []string
	last := ""
	for k := range m.t.Forms {
		f := &m.t.Forms[k]
		key := m.key(f)
		if key == last || key == "" || !near(key, word, maxSimilar) || m.lacks(f) > 0 || m.made(f) {
			continue
		}
		last = key
		out = append(out, key)
	}
	return strings.Join(out, ", ")
}

// syms reports whether an operand may be the expression x.
func (m *reading) syms(o *desc.MatchOp, x mc.Expr) bool {
	if o.Syms == 0 {
		return false
	}
	name, ok := m.modifier(x)
	if !ok {
		return false
	}
	for k := range m.t.Kinds {
		if strings.EqualFold(m.t.Kinds[k].In(m.t.Names), name) {
			return o.Syms>>k&1 != 0
		}
	}
	return true // a modifier that has no text in LLVM's assembler
}

// modifier is the name of the modifier in an expression, "" for none.
func (m *reading) modifier(x mc.Expr) (string, bool) {
	ctx := m.p.Context()
	v, ok := ctx.Reduce(x, nil)
	if !ok || v.Mod == mc.ModNone {
		return "", true // the assembler says later what is wrong with it
	}
	return ctx.Info().ModifierName(v.Mod), true
}

// ZeroOffset is the number of the operand, as they are written, that is a register in
// brackets with nothing before them in each form of a mnemonic; -1 where there is none.
func (r *Reader) ZeroOffset(word string) int {
	found := -1
	fs := r.forms(word)
	for i := range fs {
		ps, names := r.formParts(&fs[i])
		at, n := -1, 0
		for k := range ps {
			lit := ps[k].Text.In(names)
			n += strings.Count(lit, ",")
			if strings.HasSuffix(lit, ", (") || strings.HasSuffix(lit, "\t(") {
				at = n
			}
			if ps[k].Last {
				break
			}
		}
		if at < 0 || found >= 0 && at != found {
			return -1
		}
		found = at
	}
	return found
}

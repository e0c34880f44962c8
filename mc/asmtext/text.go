package asmtext

import (
	"errors"
	"slices"
	"strconv"

	"github.com/mirin-go/mirin/mc"
)

// commentColumn is where comments start.
const commentColumn = 40

// Text writes assembly. Output gives the result.
type Text struct {
	ctx     *mc.Context
	printer mc.InstPrinter
	quoter  mc.NameQuoter // the printer, where it is one
	atPlain bool          // an @ in a name needs no quotes
	b       []byte
	cur     mc.SectionID
	// showInst asks for remarks about opcodes and operands.
	showInst bool
	remarks  []byte // pending comments, each with a line end
	terse    bool
	errs     []error
	joiner   mc.Joiner // scratch of Join
	sym      func([]byte, mc.Sym) []byte
	enc      mc.Encoder // of Encodings; nil without
	be       mc.AsmBackend
	code     []byte // scratch of encoding
	fixups   []mc.Fixup
	lines    lineState
	assumed  bool // of Assume: the section has not been named yet

	// Of chunks: the first section, which Join announces, and where numbers of
	// temporary symbols stand.
	chunk   bool
	first   mc.SectionID
	firstAt int
	numbers []number
}

// number is a place of the text that holds the number of a numbered symbol.
type number struct {
	at, end int
	sym     mc.Sym
}

// New returns a streamer. Call File, when there is a name, before the first
// SwitchSection (to .text), as llc does.
func New(ctx *mc.Context, p mc.InstPrinter) *Text {
	t := &Text{ctx: ctx, printer: p, lines: lineState{isStmt: mc.LineIsStmt}, atPlain: ctx.Info().AtInNames}
	t.quoter, _ = p.(mc.NameQuoter)
	t.sym = t.appendSym
	if h := p.FileHeader(); h != "" {
		t.line(h)
	}
	return t
}

// SetVerbose says whether instructions get remarks ("imm = 0x190"); they do by
// default.
func (t *Text) SetVerbose(on bool) { t.terse = !on }

// Output returns the text so far.
func (t *Text) Output() []byte { return t.b }

// Context returns the owner of the streamer's symbols.
func (t *Text) Context() *mc.Context { return t.ctx }

// Err returns the errors so far.
func (t *Text) Err() error { return errors.Join(t.errs...) }

// Finish returns the errors so far.
func (t *Text) Finish() error { return t.Err() }

// Fork returns a streamer for a chunk.
func (t *Text) Fork() mc.Streamer {
	c := &Text{ctx: mc.NewContext(t.ctx.Info()), printer: t.printer, quoter: t.quoter, atPlain: t.atPlain, chunk: true, terse: t.terse,
		enc: t.enc, be: t.be, showInst: t.showInst}
	c.sym = c.appendSym
	return c
}

// Cut returns what was said since the last one and empties the streamer.
func (t *Text) Cut(...[]mc.Sym) mc.Streamer {
	k := &Text{ctx: t.ctx.Cut(), printer: t.printer, b: slices.Clone(t.b), cur: t.cur, remarks: slices.Clone(t.remarks), terse: t.terse, errs: t.errs,
		chunk: true, first: t.first, firstAt: t.firstAt, numbers: slices.Clone(t.numbers),
		lines: lineState{refs: slices.Clone(t.lines.refs), late: slices.Clone(t.lines.late)}}
	t.lines.refs, t.lines.late = t.lines.refs[:0], t.lines.late[:0]
	t.b, t.remarks, t.numbers = t.b[:0], t.remarks[:0], t.numbers[:0]
	t.cur, t.first, t.firstAt, t.errs = 0, 0, 0, nil
	return k
}

// Join appends a chunk.
func (t *Text) Join(chunk mc.Streamer, keep ...[]mc.Sym) error {
	c, ok := chunk.(*Text)
	if !ok {
		return errors.New("asmtext: a chunk of another kind of streamer")
	}
	j := &t.joiner
	j.Start(t.ctx, c.ctx)
	last := 0
	if c.first != 0 {
		last = t.joinText(c, last, c.firstAt)
		t.SwitchSection(j.Sections[c.first])
		t.cur = j.Sections[c.cur]
	}
	t.joinText(c, last, len(c.b)+1)
	t.remarks = append(t.remarks, c.remarks...)
	t.errs = append(t.errs, c.errs...)
	j.Renumber(keep)
	return errors.Join(c.errs...)
}

// joinText appends the text of a chunk up to end, with what it left open, and
// returns how far it came.
func (t *Text) joinText(c *Text, last, end int) int {
	upTo := func(at int) {
		t.b = append(t.b, c.b[last:at]...)
		last = at
	}
	for {
		late := len(c.lines.late) > 0 && c.lines.late[0].at < end
		numbered := len(c.numbers) > 0 && c.numbers[0].at < end
		switch {
		case late && (!numbered || c.lines.late[0].at <= c.numbers[0].at):
			l := &c.lines.late[0]
			c.lines.late = c.lines.late[1:]
			upTo(l.at)
			t.joinLine(l, c.lines.refs)
		case numbered:
			n := c.numbers[0]
			c.numbers = c.numbers[1:]
			upTo(n.at)
			last = n.end
			s := t.joiner.Syms[n.sym]
			if t.chunk {
				t.numbers = append(t.numbers, number{at: len(t.b), sym: s})
			}
			t.b = strconv.AppendUint(t.b, uint64(t.ctx.At(s).Number), 10)
			if t.chunk {
				t.numbers[len(t.numbers)-1].end = len(t.b)
			}
		default:
			upTo(min(end, len(c.b)))
			return last
		}
	}
}

// eol ends a line: pending comments go to its end and onto lines of their own.
func (t *Text) eol() {
	r := t.remarks
	if len(r) == 0 {
		t.b = append(t.b, '\n')
		return
	}
	for len(r) > 0 {
		n := 0
		for r[n] != '\n' {
			n++
		}
		t.pad()
		t.b = append(append(t.b, t.ctx.Info().Comment...), ' ')
		t.b = append(t.b, r[:n+1]...)
		r = r[n+1:]
	}
	t.remarks = t.remarks[:0]
}

// pad moves to the column of comments, by one space at least. As in LLVM, a tab
// at a tab stop (at the start of a line, say) counts for nothing.
func (t *Text) pad() {
	start := len(t.b)
	for start > 0 && t.b[start-1] != '\n' {
		start--
	}
	col := 0
	for _, c := range t.b[start:] {
		if c == '\t' {
			col = (col + 7) &^ 7
		} else {
			col++
		}
	}
	for n := max(commentColumn-col, 1); n > 0; n-- {
		t.b = append(t.b, ' ')
	}
}

// line writes a whole line.
func (t *Text) line(s string) {
	t.b = append(t.b, s...)
	t.eol()
}

// appendSym appends a symbol's name.
func (t *Text) appendSym(b []byte, s mc.Sym) []byte {
	y := t.ctx.At(s)
	if y.Flags&mc.SymNumbered == 0 {
		return t.appendName(b, y.Name)
	}
	b = append(b, y.Name...)
	at := len(b)
	b = strconv.AppendUint(b, uint64(y.Number), 10)
	if t.chunk {
		t.numbers = append(t.numbers, number{at, len(b), s})
	}
	return b
}

// appendName appends the name of a symbol, quoted where the syntax needs it. An @ in a
// name would begin a modifier.
func (t *Text) appendName(b []byte, s string) []byte {
	plain := s != "" && (s[0] < '0' || s[0] > '9')
	for i := 0; i < len(s) && plain; i++ {
		c := s[i]
		plain = c == '_' || c == '$' || c == '.' || c == '@' && t.atPlain || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
	}
	if plain && (t.quoter == nil || !t.quoter.Reserved(s)) {
		return append(b, s...)
	}
	b = append(b, '"')
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\n':
			b = append(b, "\\n"...)
		case '"', '\\':
			b = append(b, '\\', s[i])
		default:
			b = append(b, s[i])
		}
	}
	return append(b, '"')
}

// appendQuoted appends a string in quotes with the escapes of .ascii.
func appendQuoted(b []byte, s []byte) []byte {
	b = append(b, '"')
	for _, c := range s {
		switch {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c >= ' ' && c < 0x7f:
			b = append(b, c)
		case c == '\b':
			b = append(b, `\b`...)
		case c == '\f':
			b = append(b, `\f`...)
		case c == '\n':
			b = append(b, `\n`...)
		case c == '\r':
			b = append(b, `\r`...)
		case c == '\t':
			b = append(b, `\t`...)
		default:
			b = append(b, '\\', '0'+c>>6, '0'+c>>3&7, '0'+c&7)
		}
	}
	return append(b, '"')
}

// File names the source file.
func (t *Text) File(name string) {
	t.b = appendQuoted(append(t.b, "\t.file\t"...), []byte(name))
	t.eol()
}

// Ident adds an ".ident".
func (t *Text) Ident(text string) {
	t.b = appendQuoted(append(t.b, "\t.ident\t"...), []byte(text))
	t.eol()
}

// Section returns the current section.
func (t *Text) Section() mc.SectionID { return t.cur }

// Comment adds a comment to the end of the next line.
func (t *Text) Comment(text string) {
	t.remarks = append(t.remarks, text...)
	if text == "" || text[len(text)-1] != '\n' {
		t.remarks = append(t.remarks, '\n')
	}
}

// RawComment writes a line that is a comment.
func (t *Text) RawComment(text string, tab bool) {
	if tab {
		t.b = append(t.b, '\t')
	}
	t.b = append(t.b, t.ctx.Info().Comment...)
	t.line(text)
}

// BlankLine writes an empty line, or the pending comments.
func (t *Text) BlankLine() { t.eol() }

// Raw writes assembly text, with a line end if it has none.
func (t *Text) Raw(text string) error {
	if n := len(text); n > 0 && text[n-1] == '\n' {
		text = text[:n-1]
	}
	t.line(text)
	return nil
}

// IsText reports that Raw works.
func (t *Text) IsText() bool { return true }

// Inst writes an instruction.
func (t *Text) Inst(in *mc.Inst, st *mc.Subtarget) error {
	n, r := len(t.b), len(t.remarks)
	if t.enc != nil {
		if err := t.encoding(in, st); err != nil {
			t.remarks = t.remarks[:r]
			t.errs = append(t.errs, err)
			return err
		}
	}
	if t.showInst {
		t.inst(in, st)
	}
	shown := len(t.remarks)
	var err error
	t.b, t.remarks, err = t.printer.AppendInst(append(t.b, '\t'), t.remarks, t.ctx, st, in, t.sym)
	if err != nil {
		t.b, t.remarks = t.b[:n], t.remarks[:r]
		t.errs = append(t.errs, err)
		return err
	}
	if t.terse {
		t.remarks = t.remarks[:shown]
	}
	t.eol()
	return nil
}

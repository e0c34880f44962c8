package table

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
)

// Parsing is the state of one Match call, for methods.
type Parsing struct {
	*Matcher
	Text string
	Pos  int
	Ctx  *mc.Context
	ST   *mc.Subtarget
	Inst *mc.Inst
	// Asm is the assembler that asks, nil where there is none.
	Asm mc.AsmParser
	// Why may be set by a method that refuses an operand.
	Why    string
	prefix string
	items  []AsmOperand
	// dry attempts make no symbols and expressions: most of them fail.
	dry bool
}

// skipSpace moves behind blanks.
func (p *Parsing) skipSpace() {
	for p.Pos < len(p.Text) && (p.Text[p.Pos] == ' ' || p.Text[p.Pos] == '\t') {
		p.Pos++
	}
}

func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '.' || c == '$' || c == '@'
}

// mnemonic reads the first word.
func (p *Parsing) mnemonic() string {
	start := p.Pos
	for p.Pos < len(p.Text) && isWord(p.Text[p.Pos]) {
		p.Pos++
	}
	return p.Text[start:p.Pos]
}

// Word reads a word ("" where there is none).
func (p *Parsing) Word() string {
	p.skipSpace()
	return p.mnemonic()
}

// Token reads the word or sign text; false leaves the position as it was.
func (p *Parsing) Token(text string) bool {
	p.skipSpace()
	end := p.Pos + len(text)
	if end > len(p.Text) || !strings.EqualFold(p.Text[p.Pos:end], text) {
		return false
	}
	if text != "" && isWord(text[len(text)-1]) && isWord(text[0]) && end < len(p.Text) && isWord(p.Text[end]) && p.Text[end] != '.' {
		return false
	}
	p.Pos = end
	return true
}

// Register reads a register's name; false leaves the position as it was.
func (p *Parsing) Register() (desc.PhysReg, bool) {
	p.skipSpace()
	start := p.Pos
	p.Pos += len(p.prefix)
	if p.prefix != "" && !strings.HasPrefix(p.Text[start:], p.prefix) {
		p.Pos = start
		return 0, false
	}
	// The longest name wins; a suffix such as ".4s" may follow it.
	for w := p.mnemonic(); ; {
		if r, ok := p.regs[strings.ToLower(w)]; ok {
			return r, true
		}
		dot := strings.LastIndexByte(w, '.')
		if dot <= 0 {
			break
		}
		p.Pos -= len(w) - dot
		w = w[:dot]
	}
	p.Pos = start
	return 0, false
}

// attempt matches the text from at on with one entry. Symbols are made only when
// it fits.
func (p *Parsing) attempt(e *desc.MatchEntry, at int) (c candidate, ok bool) {
	p.Pos, p.dry = at, true
	if c, ok = p.try(e); ok {
		p.Pos, p.dry = at, false
		c, ok = p.try(e)
	}
	return c, ok
}

// try matches the text from Pos on with one entry and makes the instruction.
func (p *Parsing) try(e *desc.MatchEntry) (c candidate, ok bool) {
	p.Inst.Reset(e.Op)
	p.items = p.items[:0]
	items := p.t.Items[e.Items : e.Items+uint32(e.NumItems)]
	for k := 0; k < len(items); k++ {
		it := &items[k]
		p.Why = ""
		if it.Kind == desc.MatchToken && it.Text.In(p.t.Names) == "," && k+1 < len(items) && p.optional(&items[k+1]) {
			// The comma belongs to the optional operand.
			at := p.Pos
			if o, ok := p.operandAfterComma(&items[k+1]); ok {
				p.items = append(p.items, AsmOperand{}, o)
			} else {
				p.Pos = at
				p.items = append(p.items, AsmOperand{}, p.absent(&items[k+1]))
			}
			k++
			continue
		}
		o, why := p.item(it, k)
		if why != "" {
			if p.optional(it) {
				p.items = append(p.items, p.absent(it))
				continue
			}
			c := candidate{off: o.Start, items: k, msg: why}
			if it.Kind == desc.MatchOperand {
				c.typ = p.t.Classes[it.Arg].DiagType.In(p.t.Names)
			}
			return c, false
		}
		p.items = append(p.items, o)
	}
	p.skipSpace()
	if p.Pos < len(p.Text) {
		return candidate{off: p.Pos, items: len(items), msg: "unexpected text behind the instruction"}, false
	}
	if !p.has(e.Features, p.ST) {
		return candidate{off: p.Pos, items: len(items) + 1, msg: "instruction requires: " + p.featureNames(e.Features)}, false
	}
	p.convert(e)
	return candidate{}, true
}

func (p *Parsing) optional(it *desc.MatchItem) bool {
	return it.Kind == desc.MatchOperand && p.t.Classes[it.Arg].Optional
}

func (p *Parsing) absent(it *desc.MatchItem) AsmOperand {
	o := AsmOperand{Absent: true, Start: p.Pos, End: p.Pos}
	if d := p.t.Classes[it.Arg].Default; d != 0 {
		p.defaults[d-1](p, &o)
	}
	return o
}

func (p *Parsing) operandAfterComma(it *desc.MatchItem) (AsmOperand, bool) {
	if !p.Token(",") {
		return AsmOperand{}, false
	}
	o, why := p.item(it, 0)
	return o, why == ""
}

// item reads one item; why is not empty when it is not there. o.Start is then
// the place of what was found instead.
func (p *Parsing) item(it *desc.MatchItem, n int) (o AsmOperand, why string) {
	p.skipSpace()
	o.Start = p.Pos
	switch it.Kind {
	case desc.MatchToken:
		if !p.tokenOrAlias(it.Text.In(p.t.Names)) {
			return o, "expected '" + it.Text.In(p.t.Names) + "'"
		}
	case desc.MatchOperand:
		why = p.operand(&p.t.Classes[it.Arg], &o)
	case desc.MatchSame, desc.MatchRegister:
		r, ok := p.Register()
		o.Op = mc.Reg(r)
		if it.Kind == desc.MatchRegister && (!ok || r != desc.PhysReg(it.Arg)) {
			p.Pos = o.Start
			return o, "expected register " + p.info.RegName(desc.PhysReg(it.Arg))
		}
		if it.Kind == desc.MatchSame && (!ok || !p.items[it.Arg].Op.IsReg() || r != p.items[it.Arg].Op.Reg()) {
			p.Pos = o.Start
			return o, "operand must be the same register as operand " + strconv.Itoa(p.operandNumber(int(it.Arg)))
		}
	}
	o.End = p.Pos
	return o, why
}

// tokenOrAlias reads a token or what a TokenAlias puts in its place.
func (p *Parsing) tokenOrAlias(text string) bool {
	if p.Token(text) {
		return true
	}
	for _, other := range p.tokens[text] {
		if p.Token(other) {
			return true
		}
	}
	return false
}

// operandNumber counts the operands up to item n, for people.
func (p *Parsing) operandNumber(n int) int {
	c := 0
	for k := 0; k <= n; k++ {
		if p.items[k].Op.Kind() != mc.OperandNone {
			c++
		}
	}
	return c
}

// operand reads an operand of a class.
func (p *Parsing) operand(c *desc.MatchClass, o *AsmOperand) (why string) {
	start := p.Pos
	refuse := func(common string) string {
		p.Pos = start
		switch {
		case c.Diag != 0:
			return c.Diag.In(p.t.Names)
		case p.Why != "":
			return p.Why
		}
		return common
	}
	if p.Pos >= len(p.Text) && c.Parser == 0 {
		p.Pos = start
		return "too few operands for instruction"
	}
	switch {
	case c.Parser != 0:
		if !p.parsers[c.Parser-1](p, o) {
			return refuse("invalid operand: expected " + c.Name.In(p.t.Names))
		}
	case c.Kind == desc.ClassReg:
		r, ok := p.Register()
		if !ok {
			return refuse("expected a register")
		}
		if c.RegClass != desc.NoClass && !p.info.ClassContains(c.RegClass, r) {
			return refuse("expected a register of class " + p.info.RegClassName(c.RegClass))
		}
		o.Op = mc.Reg(r)
	case c.Kind == desc.ClassImm:
		x, v, constant, err := p.Expr()
		f := p.t.Formats[c.Format]
		switch {
		case err != nil:
			p.Why = err.Error()
			return refuse("")
		case constant && f.Bits != 0 && !fits(f, v):
			lo, hi := bounds(f)
			msg := fmt.Sprintf("immediate must be an integer in the range [%d, %d]", lo, hi)
			if f.Shift != 0 {
				msg = fmt.Sprintf("immediate must be a multiple of %d in the range [%d, %d]", 1<<f.Shift, lo, hi)
			}
			return refuse(msg)
		case constant:
			o.Op = mc.Imm(v)
		case !c.Symbols:
			return refuse("expected a constant")
		default:
			o.Op = mc.ExprOp(x)
		}
	default:
		return refuse("no ParserMethod for operands of class " + c.Name.In(p.t.Names))
	}
	if c.Pred != 0 && !p.preds[c.Pred-1](p, o) {
		return refuse("invalid operand: expected " + c.Name.In(p.t.Names))
	}
	return ""
}

// convert makes the operands of the instruction.
func (p *Parsing) convert(e *desc.MatchEntry) {
	if e.Convert != 0 {
		p.converters[e.Convert-1](p, p.items)
		return
	}
	items := p.t.Items[e.Items : e.Items+uint32(e.NumItems)]
	for _, s := range p.t.Steps[e.Steps : e.Steps+uint32(e.NumSteps)] {
		switch s.Kind {
		case desc.StepImm:
			p.Inst.Add(mc.Imm(s.Value))
		case desc.StepReg:
			p.Inst.Add(mc.Reg(desc.PhysReg(s.Value)))
		case desc.StepCopy:
			p.Inst.Add(p.Inst.Ops[s.Arg])
		case desc.StepDefault:
			var o AsmOperand
			c := &p.t.Classes[s.Arg]
			p.defaults[c.Default-1](p, &o)
			p.render(c, &o)
		case desc.StepItem:
			if it := &items[s.Arg]; it.Kind == desc.MatchOperand {
				p.render(&p.t.Classes[it.Arg], &p.items[s.Arg])
			} else {
				p.Inst.Add(p.items[s.Arg].Op)
			}
		}
	}
}

func (p *Parsing) render(c *desc.MatchClass, o *AsmOperand) {
	if c.Render != 0 {
		p.renders[c.Render-1](p, o)
		return
	}
	p.Inst.Add(o.Op)
	p.Inst.Ops = append(p.Inst.Ops, o.More...)
}

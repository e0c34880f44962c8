package table

import (
	"errors"
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
)

// Assembler is the mc.TargetAsmParser of a Matcher: the instructions of a target whose
// syntax is a description's.
type Assembler struct{ *Matcher }

// ParseInstruction reads an instruction.
func (a Assembler) ParseInstruction(p mc.AsmParser, text string) error {
	var in mc.Inst
	err := a.match(&Parsing{Matcher: a.Matcher, Text: text, Ctx: p.Context(), ST: p.Subtarget(), Inst: &in, Asm: p}, p.Variant())
	var miss *MatchError
	if errors.As(err, &miss) {
		e := &mc.ParseError{Start: miss.Off, End: miss.Off, Msg: miss.Msg}
		for _, n := range miss.Near {
			e.Notes = append(e.Notes, mc.ParseError{Start: n.Off, End: n.Off, Msg: n.Msg})
		}
		return e
	}
	if err != nil {
		return err
	}
	return p.Emit(&in)
}

// ParseRegister reads a register's name.
func (a Assembler) ParseRegister(_ mc.AsmParser, text string, pos int) (desc.PhysReg, int, bool) {
	end := pos
	for end < len(text) && isWord(text[end]) {
		end++
	}
	r, ok := a.regs[strings.ToLower(text[pos:end])]
	return r, end, ok
}

// AsmExpr reads an expression up to where the assembler sees its end: with labels of one
// digit, the place and what else an assembler knows. Attempts only look for the text's end,
// or for the word that must follow.
func (p *Parsing) AsmExpr(before string) (x mc.Expr, v int64, ok bool) {
	p.skipSpace()
	end := len(p.Text)
	if before != "" {
		end = strings.LastIndex(p.Text, before)
	}
	if end <= p.Pos || strings.TrimSpace(p.Text[p.Pos:end]) == "" {
		return 0, 0, false
	}
	if p.Asm == nil {
		x, v, _, err := p.Expr()
		return x, v, err == nil
	}
	if p.dry {
		p.Pos = end
		return dryExpr, 0, true
	}
	x, v, at, err := p.Asm.Expr(p.Text[:end], p.Pos)
	if err != nil {
		p.Why = err.Error()
		return 0, 0, false
	}
	p.Pos = at
	return x, v, true
}

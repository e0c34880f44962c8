package mctargetdesc

import (
	"fmt"
	"strings"

	"github.com/mirin-go/mirin/desc/family"
	"github.com/mirin-go/mirin/mc"
)

// ParseDirective reads the directives of SystemZ: ".insn", which has forms as instructions
// have, ".machine", which changes the processor, and ".gnu_attribute". What LLVM's parser
// says of them, and where, was asked of llvm-mc 22.
func (r *parser) ParseDirective(p mc.AsmParser, name, text string, pos int) (known bool, err error) {
	switch name {
	case ".insn":
		if known, err := r.vectorInsn(p, text, pos); known || err != nil {
			return true, err
		}
		return true, r.ParseInstruction(p, text)
	case ".machine":
		return true, r.machine(p, text, pos)
	case ".gnu_attribute":
		return true, gnuAttribute(p, text, pos)
	}
	return false, nil
}

// vectorInsn reads ".insn vrs,opcode,r1,v3,d2(b2),m4", whose registers LLVM's printer leaves out, so
// that the tables have no form of it: what is behind r1 has that of a shift of vectors.
func (r *parser) vectorInsn(p mc.AsmParser, text string, pos int) (known bool, err error) {
	rest := text[skip(text, pos):]
	if len(rest) < 4 || !strings.EqualFold(rest[:4], "vrs,") {
		return false, nil
	}
	at := skip(text, pos) + 4
	x, opcode, end, err := p.Expr(text, at)
	if err != nil {
		return true, err
	}
	if end = skip(text, end); x != 0 || end >= len(text) || text[end] != ',' {
		return true, errorAt(end, "invalid operand for instruction")
	}
	at = skip(text, end+1)
	first, end, ok := r.ParseRegister(p, text, at)
	if end = skip(text, end); !ok || end >= len(text) || text[end] != ',' {
		return true, errorAt(at, "invalid operand for instruction")
	}
	var in mc.Inst
	like := "verll %v0," + text[end+1:]
	st := *p.Subtarget() // .insn asks nothing of the processor
	st.Features = family.Toggle(r.Info, st.Features, "+vector")
	if err := r.Match(anyProcessor{p, &st}, like, &in); err != nil {
		if e, ok := err.(*mc.ParseError); ok {
			shift := end + 1 - len("verll %v0,")
			return true, errorAt(max(0, e.Start+shift), e.Msg)
		}
		return true, err
	}
	op, ok := r.Info.OpcodeByName("InsnVRS")
	if !ok || len(in.Ops) != 5 {
		return true, errorAt(at, "invalid operand for instruction")
	}
	ops := append([]mc.Operand{mc.Imm(opcode), mc.Reg(first)}, in.Ops[1:]...)
	in.Reset(op)
	for _, o := range ops {
		in.Add(o)
	}
	return true, r.Emit(p, &in)
}

// anyProcessor is an assembler for another subtarget.
type anyProcessor struct {
	mc.AsmParser
	st *mc.Subtarget
}

// Subtarget gives that one.
func (a anyProcessor) Subtarget() *mc.Subtarget { return a.st }

// write writes a line of text; objects have none.
func write(p mc.AsmParser, format string, args ...any) error {
	if out := p.Streamer(); out.IsText() {
		return out.Raw("\t" + fmt.Sprintf(format, args...) + "\n")
	}
	return nil
}

func errorAt(at int, msg string) error { return &mc.ParseError{Start: at, End: at, Msg: msg} }

func skip(text string, pos int) int {
	for pos < len(text) && (text[pos] == ' ' || text[pos] == '\t') {
		pos++
	}
	return pos
}

// machine changes the processor of what follows, and goes back to the one before.
func (r *parser) machine(p mc.AsmParser, text string, pos int) error {
	pos = skip(text, pos)
	end := pos
	for end < len(text) && text[end] != ' ' && text[end] != '\t' {
		end++
	}
	word := text[pos:end]
	if after := skip(text, end); word == "" || after < len(text) {
		if word != "" {
			pos = after
		}
		return errorAt(pos, "unexpected token in '.machine' directive")
	}
	cpu := strings.Trim(word, `"`)
	saved := r.saved(p)
	switch cpu {
	case "push":
		*saved = append(*saved, p.Subtarget())
	case "pop":
		n := len(*saved) - 1
		if n < 0 {
			return errorAt(pos, "pop without corresponding push in '.machine' directive")
		}
		p.SetSubtarget((*saved)[n])
		*saved = (*saved)[:n]
	default:
		st, warnings, err := r.target.Subtarget(cpu, "")
		if err != nil {
			return err
		}
		for _, w := range warnings {
			p.Warn(pos, end, w)
		}
		p.SetSubtarget(st)
	}
	return write(p, ".machine %s", cpu)
}

// saved has the subtargets of ".machine push" of the assembly that p reads.
func (r *parser) saved(p mc.AsmParser) *[]*mc.Subtarget {
	s := p.State()
	if *s == nil {
		*s = &[]*mc.Subtarget{}
	}
	return (*s).(*[]*mc.Subtarget)
}

// gnuAttribute says which of several conventions the code follows: of tags that are
// known, the vector ABI (8) alone.
func gnuAttribute(p mc.AsmParser, text string, pos int) error {
	at := max(0, strings.Index(strings.ToLower(text), ".gnu_attribute"))
	number := func() (int64, bool) {
		x, v, end, err := p.Expr(text, skip(text, pos))
		pos = skip(text, end)
		return v, err == nil && x == 0
	}
	tag, ok := number()
	if !ok || pos >= len(text) || text[pos] != ',' {
		return errorAt(at, "malformed .gnu_attribute directive")
	}
	pos++
	v, ok := number()
	if !ok {
		return errorAt(at, "malformed .gnu_attribute directive")
	}
	if pos < len(text) {
		return errorAt(pos, "expected newline")
	}
	if tag != 8 || v < 0 || v > 2 {
		return errorAt(at, "unrecognized .gnu_attribute tag/value pair.")
	}
	if !p.Streamer().IsText() {
		return errorAt(at, ".gnu_attribute is not supported in objects")
	}
	return write(p, ".gnu_attribute %d, %d", tag, v)
}

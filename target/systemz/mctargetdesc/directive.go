package mctargetdesc

import (
	"fmt"
	"strings"

	"github.com/mirin-go/mirin/mc"
)

// ParseDirective reads the directives of SystemZ: ".insn", which has forms as instructions
// have, ".machine", which changes the processor, and ".gnu_attribute". What LLVM's parser
// says of them, and where, was asked of llvm-mc 22.
func (r *parser) ParseDirective(p mc.AsmParser, name, text string, pos int) (known bool, err error) {
	switch name {
	case ".insn":
		return true, r.ParseInstruction(p, text)
	case ".machine":
		return true, r.machine(p, text, pos)
	case ".gnu_attribute":
		return true, gnuAttribute(p, text, pos)
	}
	return false, nil
}

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

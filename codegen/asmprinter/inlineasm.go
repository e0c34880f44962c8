package asmprinter

import (
	"errors"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mir"
)

// asmOperand is a group of an INLINEASM as its text refers to it.
type asmOperand struct {
	ops  []mc.Operand
	kind mir.AsmKind
}

// inlineAsm writes inline assembly: as text where text goes out; for objects it
// is assembled.
func (p *Printer) inlineAsm(i mir.InstrID) error {
	f := p.f
	flags := f.Op(i, mir.AsmFlagsOp).Imm()
	variant := 0
	if flags&mir.AsmIntel != 0 {
		variant = 1
	}
	p.uidUsed = false
	operands, err := p.asmOperands(i)
	if err != nil {
		return err
	}
	text, err := p.expandAsm(f.Symbols[f.Op(i, mir.AsmTextOp).Index()], operands, variant)
	if err != nil {
		return p.st.NotSupported(f, "inline assembly: "+err.Error())
	}
	if !p.Out.IsText() {
		return p.assembleInline(i, text, variant)
	}
	p.Out.RawComment("APP", true)
	if strings.TrimSpace(text) != "" {
		if own := p.M.Options.AsmVariant; variant != own {
			text = p.Hooks.SwitchSyntax(variant) + "\n\t" + text + "\n" + p.Hooks.SwitchSyntax(own)
		}
		if err := p.Out.Raw("\t" + text); err != nil {
			return err
		}
	}
	p.Out.RawComment("NO_APP", true)
	return nil
}

// asmOperands lowers the operands of the groups that the text can name.
func (p *Printer) asmOperands(i mir.InstrID) ([]asmOperand, error) {
	ops := p.f.Ops(i)
	var out []asmOperand
	for k := mir.AsmFirstGroup; k < len(ops) && ops[k].IsImm(); k = mir.AsmGroupAfter(ops, k) {
		g := mir.AsmGroup(ops[k].Imm())
		if g.Kind() == mir.AsmClobber {
			continue
		}
		o := asmOperand{kind: g.Kind()}
		for n := range g.NumOps() {
			m := ops[k+1+n].WithFlag(mir.Implicit, false)
			op, _, err := p.operand(&m)
			if err != nil {
				return nil, err
			}
			o.ops = append(o.ops, op)
		}
		out = append(out, o)
	}
	return out, nil
}

// expandAsm replaces what begins with a dollar sign: $$, operands ($0, ${0:k}),
// ${:uid} and its like, and $(one$|other$), of which the dialect takes one.
func (p *Printer) expandAsm(s string, operands []asmOperand, variant int) (string, error) {
	var b []byte
	alternative := -1
	for s != "" {
		at := strings.IndexByte(s, '$')
		if at < 0 || at+1 == len(s) {
			at = len(s)
		}
		if alternative < 0 || alternative == variant {
			b = append(b, s[:at]...)
		}
		if s = s[at:]; s == "" {
			break
		}
		c := s[1]
		s = s[2:]
		switch {
		case c == '(' && alternative < 0:
			alternative = 0
		case c == '|' && alternative >= 0:
			alternative++
		case c == ')' && alternative >= 0:
			alternative = -1
		case c == '|':
			b = append(b, c)
		case c == ')':
			b = append(b, '}')
		case c == '$':
			// It marks a number, which the second dialect (inteldialect) writes without.
			if variant != 1 && (alternative < 0 || alternative == variant) {
				b = append(b, '$')
			}
		default:
			end := 1
			ref := string(c)
			if c == '{' {
				if end = strings.IndexByte(s, '}'); end < 0 {
					return "", errors.New("unterminated ${ in '" + s + "'")
				}
				ref, s = s[:end], s[end+1:]
			} else {
				for s != "" && s[0] >= '0' && s[0] <= '9' {
					ref, s = ref+s[:1], s[1:]
				}
			}
			if alternative >= 0 && alternative != variant {
				continue
			}
			var err error
			if b, err = p.asmReference(b, ref, operands, variant); err != nil {
				return "", err
			}
		}
	}
	return string(b), nil
}

// asmReference appends what "0" or "0:k" or ":uid" stands for.
func (p *Printer) asmReference(b []byte, ref string, operands []asmOperand, variant int) ([]byte, error) {
	num, modifier, _ := strings.Cut(ref, ":")
	if num == "" {
		switch modifier {
		case "uid":
			if !p.uidUsed {
				p.uidUsed = true
				p.uid++
			}
			return strconv.AppendInt(b, int64(p.uid-1), 10), nil
		case "private":
			return append(b, p.M.Layout.PrivatePrefix()...), nil
		case "comment":
			return append(b, p.Ctx.Info().Comment...), nil
		}
		return b, errors.New("unknown special formatter '" + modifier + "'")
	}
	n, err := strconv.Atoi(num)
	if err != nil || n >= len(operands) {
		return b, errors.New("invalid $ operand number in inline asm string")
	}
	var letter byte
	if len(modifier) == 1 {
		letter = modifier[0]
	}
	if o := operands[n]; o.kind == mir.AsmImm && modifier == "l" && len(o.ops) == 1 && o.ops[0].IsExpr() {
		// A place that the assembly jumps to.
		return p.Ctx.AppendExpr(b, o.ops[0].Expr(), func(b []byte, s mc.Sym) []byte { return append(b, p.Ctx.SymName(s)...) }), nil
	}
	if out, ok := p.Hooks.AsmOperand(b, p.Ctx, operands[n].ops, letter, variant); ok && len(modifier) <= 1 {
		return out, nil
	}
	return b, errors.New("invalid operand ${" + ref + "} in inline asm")
}

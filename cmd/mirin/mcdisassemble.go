package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/diag"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/asmtext"
	"github.com/mirin-go/mirin/mc/mctarget"
)

// headless is a printer whose files have no first line.
type headless struct{ mc.InstPrinter }

func (headless) FileHeader() string { return "" }

// hexInput reads the text that llvm-mc disassembles: bytes as numbers, between
// blanks and commas, with comments behind #; or, raw, pairs of hexadecimal digits.
type hexInput struct {
	name, src string
	raw       bool
	pos       int
	report    func(d *diag.Diagnostic)
	bad       bool
}

// say reports something about the text at a place.
func (h *hexInput) say(at int, s diag.Severity, msg string) {
	d := diag.At(h.name, []byte(h.src), at, msg)
	d.Severity = s
	h.bad = h.bad || s == diag.Error
	h.report(d)
}

// skip goes to the next token; false at the end.
func (h *hexInput) skip() bool {
	for h.pos < len(h.src) {
		switch c := h.src[h.pos]; {
		case c == '#':
			n := strings.IndexByte(h.src[h.pos:], '\n')
			if n < 0 {
				h.pos = len(h.src)
				return false
			}
			h.pos += n
		case strings.IndexByte(" \t\r\n,", c) >= 0:
			h.pos++
		default:
			return true
		}
	}
	return false
}

// bytes reads bytes up to a bracket or the end, and their places. A line with what is
// no byte is left out with all before it, which is no failure, unlike in raw input,
// where the bytes up to there are a section.
func (h *hexInput) bytes() (code []byte, at []int) {
	const separators = " \t\n\r,#[]"
	for h.skip() && h.src[h.pos] != '[' && h.src[h.pos] != ']' {
		rest := h.src[h.pos:]
		if h.raw {
			n := min(len(rest), 2)
			v, err := strconv.ParseUint(rest[:n], 16, 8)
			switch {
			case n == 2 && strings.IndexByte(separators, rest[1]) >= 0:
				h.say(h.pos, diag.Error, "expected two hex digits")
				h.pos++
				return code, at
			case n < 2 || err != nil:
				h.say(h.pos, diag.Error, "invalid input token")
				h.pos += n
				return code, at
			}
			code, at = append(code, byte(v)), append(at, h.pos)
			h.pos += n
			continue
		}
		n := strings.IndexAny(rest, separators)
		if n < 0 {
			n = len(rest)
		}
		v, err := strconv.ParseUint(rest[:n], 0, 8)
		if err != nil || strings.Contains(rest[:n], "_") {
			was := h.bad
			h.say(h.pos, diag.Error, "invalid input token")
			h.bad = was
			if n = strings.IndexByte(rest, '\n'); n < 0 {
				n = len(rest)
			}
			h.pos += n
			code, at = nil, nil
			continue
		}
		code, at = append(code, byte(v)), append(at, h.pos)
		h.pos += n
	}
	return code, at
}

// disassembled reads bytes in hexadecimal, as llvm-mc -disassemble does, and gives the
// assembly. What is wrong with the text has been shown; ok is false when it is an
// error, and what could be read is written nevertheless.
func (o *mcOptions) disassembled(t *mctarget.Target, name, src string, stderr io.Writer) (out []byte, ok bool, err error) {
	dis, err := t.Disassembler()
	if err != nil {
		return nil, false, err
	}
	p, err := o.printer(t)
	if err != nil {
		return nil, false, err
	}
	x := disassembly{o: o, dis: mc.NewDisassembly(dis), st: t.ST, ctx: mc.NewContext(t.AsmInfo())}
	x.text = asmtext.New(x.ctx, headless{p})
	if o.showEncoding {
		x.enc, _ = t.Encoder() // the bytes that were read stand in for those of none
	}
	x.h = &hexInput{name: name, src: src, raw: o.hex, report: func(d *diag.Diagnostic) { stderr.Write(d.AppendText(nil)) }}
	atomic := false
	for x.h.skip() {
		switch h := x.h; h.src[h.pos] {
		case '[':
			if atomic {
				h.say(h.pos, diag.Error, "nested atomic blocks make no sense")
			}
			atomic = true
			h.pos++
		case ']':
			if !atomic {
				h.say(h.pos, diag.Error, "attempt to close atomic block without opening")
			}
			atomic = false
			h.pos++
		default:
			code, at := h.bytes()
			x.insts(code, at, atomic)
		}
	}
	if atomic {
		x.h.say(len(src), diag.Error, "unclosed atomic block")
	}
	return x.text.Output(), !x.h.bad, nil
}

// disassembly is one run of llvm-mc -disassemble.
type disassembly struct {
	o    *mcOptions
	h    *hexInput
	dis  mc.Disassembler
	st   *mc.Subtarget
	ctx  *mc.Context
	enc  mc.Encoder
	text *asmtext.Text
	in   mc.Inst
}

// insts writes the instructions of code; at are the places of its bytes. In an atomic
// block nothing behind what is wrong is looked at.
func (x *disassembly) insts(code []byte, at []int, atomic bool) {
	for k := 0; k < len(code); {
		n, status := x.dis.Disassemble(&x.in, x.st, code[k:], uint64(k))
		n = max(n, 1)
		if status == mc.DecodeFail {
			x.h.say(at[k], diag.Warning, "invalid instruction encoding")
			if atomic {
				x.h.bad = true
				return
			}
			k += n
			continue
		}
		if status == mc.DecodeSoftFail {
			x.h.say(at[k], diag.Warning, "potentially undefined instruction encoding")
		}
		if x.o.showEncoding {
			b := code[k:min(k+n, len(code))]
			if x.enc != nil {
				if e, _, err := x.enc.Encode(x.ctx, x.st, &x.in, nil, nil); err == nil {
					b = e
				}
			}
			x.text.Comment(encodingComment(b))
		}
		if err := x.text.Inst(&x.in, x.st); err != nil {
			x.h.say(at[k], diag.Error, err.Error())
		}
		k += n
	}
}

// encodingComment shows bytes as -show-encoding does.
func encodingComment(b []byte) string {
	s := []byte("encoding: [")
	for i, c := range b {
		if i > 0 {
			s = append(s, ',')
		}
		s = fmt.Appendf(s, "0x%02x", c)
	}
	return string(append(s, ']'))
}

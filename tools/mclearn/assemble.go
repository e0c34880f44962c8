package main

import (
	"encoding/binary"
	"fmt"

	"github.com/mirin-go/mirin/desc"
)

// assembled is what the assembler makes of a text: instructions, or its first error.
type assembled struct {
	insts  []asmInst
	failed bool // with msg, at column col
	col    int
	msg    string
	// crashed says that LLVM did not survive the text.
	crashed bool
}

// asmInst is one instruction of several that a text may stand for.
type asmInst struct {
	op  desc.Opcode
	ops []operand
}

// one gives the instruction of a text that stands for one and has no error.
func (a *assembled) one() *asmInst {
	if a.failed || a.crashed || len(a.insts) != 1 {
		return nil
	}
	return &a.insts[0]
}

// maxTexts is how many texts go into a frame.
const maxTexts = 4000

// assemble asks the assembler about texts, with more features than the view's;
// the lines of the prologue come before them.
func (p *process) assemble(features, prologue string, texts []string) ([]assembled, error) {
	out := make([]assembled, 0, len(texts))
	for len(texts) > 0 {
		n := min(len(texts), maxTexts)
		got, err := p.assembleSome(features, prologue, texts[:n])
		if err != nil {
			return nil, err
		}
		out, texts = append(out, got...), texts[len(got):]
	}
	return out, nil
}

// assembleSome gives the answers up to what LLVM crashed at, which is the last one then.
func (p *process) assembleSome(features, prologue string, texts []string) ([]assembled, error) {
	b := append([]byte{'A'}, features...)
	b = append(append(append(b, 0), prologue...), 0)
	for _, t := range texts {
		b = binary.LittleEndian.AppendUint16(b, uint16(len(t)))
		b = append(b, t...)
	}
	f, err := p.frame(b)
	if err != nil { // it died
		p.close()
		if p.died++; p.died > 20000 {
			return nil, fmt.Errorf("llvmask dies too often: %w", err)
		}
		if err := p.run(); err != nil {
			return nil, err
		}
		if len(texts) == 1 {
			return []assembled{{crashed: true}}, nil
		}
		return p.assembleSome(features, prologue, texts[:len(texts)/2])
	}
	p.asked += len(texts)
	s := &scanner{b: f}
	var out []assembled
	for range texts {
		var a assembled
		switch s.num(1) {
		case 0:
			for range s.num(1) {
				i := asmInst{op: desc.Opcode(s.num(2))}
				for range s.num(1) {
					i.ops = append(i.ops, operand{uint8(s.num(1)), int64(s.num(8))})
				}
				a.insts = append(a.insts, i)
			}
			if a.failed = s.num(1) != 0; a.failed {
				a.col, a.msg = int(s.num(2)), s.str()
			}
		case 2:
			a.crashed = true
		default: // behind what LLVM crashed at
			return out, s.err
		}
		out = append(out, a)
	}
	return out, s.err
}

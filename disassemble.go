package mirin

import (
	"fmt"
	"strconv"

	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/target/all"
)

// Disassemble shows the code of a function that is loaded, an instruction a line: its
// address, a tab, and its text in the syntax of Options.AsmVariant. What is no
// instruction is shown as bytes.
func (p *Program) Disassemble(name string) (string, error) {
	code, addr, ok := p.engine.Code(name)
	if !ok {
		return "", fmt.Errorf("there is no function @%s", name)
	}
	t, err := all.MC(all.DefaultTriple, "", p.options.CPU, "")
	if err != nil {
		return "", err
	}
	made, err := t.Disassembler()
	if err != nil {
		return "", err
	}
	dis := mc.NewDisassembly(made)
	printer, err := t.Printer(p.options.AsmVariant)
	if err != nil {
		return "", err
	}
	ctx := mc.NewContext(t.AsmInfo())
	noSymbol := func(b []byte, _ mc.Sym) []byte { return b } // bytes refer to none
	var out, text, notes []byte
	var in mc.Inst
	for len(code) > 0 {
		n, status := dis.Disassemble(&in, t.ST, code, uint64(addr))
		out = append(strconv.AppendUint(out, uint64(addr), 16), '\t')
		if status == mc.DecodeFail {
			n = 1
			out = fmt.Appendf(out, ".byte\t%#x\n", code[0])
		} else {
			if text, notes, err = printer.AppendInst(text[:0], notes[:0], ctx, t.ST, &in, noSymbol); err != nil {
				return "", err
			}
			out = append(append(out, text...), '\n')
		}
		code, addr = code[n:], addr+uintptr(n)
	}
	return string(out), nil
}

package irtext

import (
	"strings"

	"github.com/mirin-go/mirin/ir"
)

// InstrText returns the name of an instruction's block, without %, and the
// text of the instruction for messages: its first line, without indentation.
func InstrText(f *ir.Function, i ir.InstrID) (block, text string) {
	p := newPrinter(nil, f.Module)
	p.numberModule()
	p.enterFunction(f.Global())
	if b := f.Instrs[i].Block; b != 0 {
		p.blockName(b)
		block = string(p.b[1:])
		p.b = p.b[:0]
	}
	p.instr(i)
	text, _, _ = strings.Cut(strings.TrimSpace(string(p.b)), "\n")
	return block, text
}

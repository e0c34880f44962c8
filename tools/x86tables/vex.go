package main

import (
	"fmt"
	"strings"

	"github.com/mirin-go/mirin/desc"
)

// vex makes zz_vex.go: instructions of SSE and what does the same encoded with VEX,
// by name. That has a destination of its own, and a source more where SSE keeps the
// upper part of the destination.
func (a *asker) vex() (string, error) {
	var b strings.Builder
	b.WriteString(header + "var vexRows = [...]vexRow{\n")
	for k := range a.in.NumInstrs() {
		op := desc.Opcode(k)
		if op < desc.FirstTargetOpcode || a.in.Instr(op).TSFlags>>29&3 != 0 || a.in.Instr(op).IsPseudo() {
			continue
		}
		name := a.in.OpcodeName(op)
		to, ok := a.in.OpcodeByName("V" + name)
		if !ok || a.in.Instr(to).TSFlags>>29&3 != 1 {
			continue
		}
		more := int(a.in.Instr(to).NumOperands) - int(a.in.Instr(op).NumOperands)
		if more != 0 && more != 1 {
			return "", fmt.Errorf("%s has %d operands more with VEX", name, more)
		}
		fmt.Fprintf(&b, "{tab.%s, tab.%s, %v},\n", name, "V"+name, more == 1)
	}
	b.WriteString("}\n")
	return b.String(), nil
}

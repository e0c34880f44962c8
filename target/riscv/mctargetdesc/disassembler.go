package mctargetdesc

import (
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/mctarget"
)

// disassembler says how long what is no instruction is: its first bits say it (the ISA
// manual's section on the encoding of lengths).
type disassembler struct{ mc.Disassembler }

func wrapDisassembler(_ *mctarget.Target, d mc.Disassembler) mc.Disassembler {
	return disassembler{d}
}

// Disassemble reads an instruction.
func (d disassembler) Disassemble(in *mc.Inst, st *mc.Subtarget, code []byte, addr uint64) (size int, status mc.DecodeStatus) {
	size, status = d.Disassembler.Disassemble(in, st, code, addr)
	if status == mc.DecodeFail && len(code) > 0 {
		size = min(length(code[0]), len(code))
	}
	return size, status
}

// length is how long an instruction is whose first byte is b.
func length(b byte) int {
	switch {
	case b&3 != 3:
		return 2
	case b&0x1f != 0x1f:
		return 4
	case b&0x3f == 0x1f:
		return 6
	case b&0x7f == 0x3f:
		return 8
	}
	return 2
}

package mctargetdesc

import (
	"slices"
	"strconv"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/mctarget"
)

// disassembler says how long what is no instruction is: its first bits say it (the ISA
// manual's section on the encoding of lengths).
type disassembler struct {
	mc.Disassembler
	// cLUI loads an immediate whose sign is at its upper end (the manual's section on
	// compressed integer instructions), which no format of the tables says.
	cLUI desc.Opcode
	zca  uint16
	e    uint16 // x16 to x31 are not there
	regs [32]desc.PhysReg
}

func wrapDisassembler(t *mctarget.Target, d mc.Disassembler) mc.Disassembler {
	x := disassembler{Disassembler: d, zca: featureBit(t.Info, "zca"), e: featureBit(t.Info, "e")}
	x.cLUI, _ = t.Info.OpcodeByName("C_LUI")
	for i := range x.regs {
		x.regs[i], _ = t.Info.RegByName("x" + strconv.Itoa(i))
	}
	return x
}

// Disassemble reads an instruction.
func (d disassembler) Disassemble(in *mc.Inst, st *mc.Subtarget, code []byte, addr uint64) (size int, status mc.DecodeStatus) {
	size, status = d.Disassembler.Disassemble(in, st, code, addr)
	if status != mc.DecodeFail && st.Has(d.e) && d.usesUpper(in) {
		status = mc.DecodeFail
	}
	if status == mc.DecodeFail && len(code) > 1 && st.Has(d.zca) {
		w := int64(code[0]) | int64(code[1])<<8
		rd, imm := w>>7&31, w>>12&1<<5|w>>2&31
		if w&0xe003 == 0x6001 && rd != 2 && imm != 0 {
			if imm >= 32 {
				imm += 1<<20 - 64
			}
			in.Reset(d.cLUI)
			in.Add(mc.Reg(d.regs[rd]))
			in.Add(mc.Imm(imm))
			return 2, mc.DecodeSuccess
		}
	}
	if status == mc.DecodeFail && len(code) > 0 {
		size = min(length(code[0]), len(code))
	}
	return size, status
}

// usesUpper reports whether an operand is one of x16 to x31.
func (d disassembler) usesUpper(in *mc.Inst) bool {
	for _, o := range in.Ops {
		if o.IsReg() && slices.Contains(d.regs[16:], o.Reg()) {
			return true
		}
	}
	return false
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

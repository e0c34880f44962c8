package mirverify

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// bitField says what positions and sizes MIPS's instructions on bit fields
// take, and their sum: the smallest and the largest number.
type bitField struct {
	name           string
	pos, size, sum [2]int64
}

// bitFields are as in the MIPS64 manual, the widths as LLVM checks them.
var bitFields = [...]bitField{
	{"INS", [2]int64{0, 31}, [2]int64{1, 32}, [2]int64{1, 32}},
	{"EXT", [2]int64{0, 31}, [2]int64{1, 32}, [2]int64{1, 32}},
	{"DINS", [2]int64{0, 31}, [2]int64{1, 32}, [2]int64{1, 32}},
	{"DINSM", [2]int64{0, 31}, [2]int64{2, 64}, [2]int64{33, 64}},
	{"DINSU", [2]int64{32, 63}, [2]int64{1, 32}, [2]int64{33, 64}},
	{"DEXT", [2]int64{0, 31}, [2]int64{1, 32}, [2]int64{1, 63}},
	{"DEXTM", [2]int64{0, 31}, [2]int64{33, 64}, [2]int64{33, 64}},
	{"DEXTU", [2]int64{32, 63}, [2]int64{1, 32}, [2]int64{33, 64}},
}

// mipsState holds the opcodes of bitFields.
type mipsState struct {
	in  *desc.Info
	ops [len(bitFields)]desc.Opcode
}

func (v *Verifier) mipsRule(i mir.InstrID) string {
	if v.mips.in != v.in {
		v.mips = mipsState{in: v.in}
		for k := range bitFields {
			v.mips.ops[k], _ = v.in.OpcodeByName(bitFields[k].name)
		}
	}
	op := v.f.Instr(i).Opcode
	if op < desc.FirstTargetOpcode {
		return ""
	}
	for k, x := range v.mips.ops {
		if x != op {
			continue
		}
		ops := v.f.Ops(i)
		if len(ops) < 4 || !ops[2].IsImm() || !ops[3].IsImm() {
			return ""
		}
		b := &bitFields[k]
		pos, size := ops[2].Imm(), ops[3].Imm()
		switch in := func(r [2]int64, n int64) bool { return r[0] <= n && n <= r[1] }; {
		case !in(b.pos, pos):
			return "Position operand is out of range!"
		case !in(b.size, size):
			return "Size operand is out of range!"
		case !in(b.sum, pos+size):
			return "Position + Size is out of range!"
		}
	}
	return ""
}

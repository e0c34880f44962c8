package mirverify

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/triple"
)

// rvImm says which immediates an operand type of RISC-V takes: those from low
// to high in steps, perhaps without 0.
type rvImm struct {
	low, high, step int64
	nonzero         bool
}

// rvImms are the ranges by operand type, as LLVM answers for them; types that
// are not among them are not checked.
var rvImms = [rvLong + 1]rvImm{
	13: {0, 1, 1, false}, 14: {0, 3, 1, false}, 15: {0, 2, 2, false}, 16: {0, 7, 1, false}, 17: {0, 15, 1, false}, 18: {0, 31, 1, false},
	19: {1, 31, 1, false}, 25: {0, 63, 1, false}, 27: {0, 127, 1, false}, 28: {0, 124, 4, false}, 30: {0, 252, 4, false}, 32: {0, 248, 8, false},
	33: {32, 255, 1, false}, 34: {0, 504, 8, false}, 37: {4, 1020, 4, false}, 39: {0, 4095, 1, false}, 41: {0, 65535, 1, false}, 42: {1, 65535, 1, false},
	45: {0, 1<<32 - 1, 1, false}, 46: {0, 1<<48 - 1, 1, false}, 50: {-1, 31, 1, true}, 51: {-16, 15, 1, false}, 52: {-16, 15, 1, true},
	53: {-15, 16, 1, false}, 54: {-32, 31, 1, false}, 55: {-32, 31, 1, true}, 58: {-512, 496, 16, true}, 63: {-32768, 32767, 1, true},
	64: {-1 << 19, 1<<19 - 1, 1, false}, 65: {-1 << 25, 1<<25 - 1, 1, false}, 67: {0, 1023, 1, false}, 68: {0, 2047, 1, false}, 69: {0, 10, 1, false},
	73: {4, 15, 1, false}, 77: {1, 1, 1, false}, 78: {0, 5, 1, false}, rvLUI: {0, 1<<20 - 1, 1, false}, rvAUIPC: {0, 1<<20 - 1, 1, false},
	rvLow12: {-2048, 2047, 1, false}, rvLong: {-1 << 31, 1<<31 - 1, 1, false},
}

// Operand types that need more than a range.
const (
	rvShift                         = 43 // amount of a shift: less than the width of a register
	rvCLUI                          = 66
	rvRounding                      = 76
	rvOrdering                      = 79
	rvVectorSEW, rvMaskSEW          = 81, 82
	rvLUI, rvAUIPC, rvLow12, rvLong = 86, 87, 88, 89 // may be symbols
	rvVL                            = 90
	rvFirst, rvLast                 = 13, 85
)

// riscvRule checks immediates, and the operands that say how long vectors are.
func (v *Verifier) riscvRule(i mir.InstrID) string {
	op := v.f.Instr(i).Opcode
	if op < desc.FirstTargetOpcode {
		return ""
	}
	ops := v.f.Ops(i)
	declared := v.in.Operands(op)
	for k, d := range declared {
		t := d.Type
		if t < rvFirst || t > rvLong {
			continue
		}
		if k >= len(ops) || !ops[k].IsImm() {
			switch {
			case t <= rvLast:
				return "Expected an immediate operand."
			case t > rvLast && (k >= len(ops) || ops[k].IsReg()):
				return "Expected a non-register operand."
			}
			continue
		}
		if !v.rvTakes(t, ops[k].Imm()) {
			return "Invalid immediate"
		}
	}
	for k, d := range declared {
		if k >= len(ops) {
			break
		}
		switch o := &ops[k]; d.Type {
		case rvVL:
			if !o.IsImm() && !o.IsReg() {
				return "Invalid operand type for VL operand"
			}
			if o.IsReg() && o.Reg().IsVirtual() && d.RegClass != desc.NoClass && !d.IsLookupByHwMode() {
				if c := v.f.VReg(o.Reg()).Class; c >= 0 && !v.in.HasSubClassEq(d.RegClass, desc.ClassID(c)) {
					return "Invalid register class for VL operand"
				}
			}
		}
	}
	return v.rvDynamic(ops, declared)
}

func (v *Verifier) rvTakes(t desc.OperandType, n int64) bool {
	switch t {
	case rvShift:
		return 0 <= n && n < 32 || n < 64 && 0 <= n && v.f.Module != nil && triple.Parse(v.f.Module.Triple).IsRISCV64()
	case rvCLUI:
		return 1 <= n && n <= 31 || 0xfffe0 <= n && n <= 0xfffff
	case rvRounding:
		return 0 <= n && n <= 4 || n == 7
	case rvOrdering:
		return 0 <= n && n <= 7 && n != 3
	case rvVectorSEW:
		return 3 <= n && n <= 6
	case rvMaskSEW:
		return n == 0
	}
	r := &rvImms[t]
	return r.step == 0 || r.low <= n && n <= r.high && (n-r.low)%r.step == 0 && !(r.nonzero && n == 0)
}

// rvDynamic wants an instruction that rounds as the mode says to read the mode.
func (v *Verifier) rvDynamic(ops []mir.Operand, declared []desc.OperandInfo) string {
	for k, d := range declared {
		if d.Type != rvRounding || k >= len(ops) || ops[k].Imm() != 7 {
			continue
		}
		frm, ok := v.in.RegByName("frm")
		if !ok {
			return ""
		}
		for n := range ops {
			if ops[n].IsUse() && ops[n].Reg() == mir.Reg(frm) {
				return ""
			}
		}
		return "dynamic rounding mode should read FRM"
	}
	return ""
}

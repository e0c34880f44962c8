package mirtext

import (
	"strconv"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// RISC-V's operand types that LLVM remarks on.
const (
	riscvVTypeI10  desc.OperandType = 67
	riscvVTypeI11  desc.OperandType = 68
	riscvVecPolicy desc.OperandType = 80
	riscvSEW       desc.OperandType = 81
	riscvSEWMask   desc.OperandType = 82
)

// riscvRemark takes the types of vectors apart.
func riscvRemark(b []byte, f *mir.Function, i mir.InstrID, n int, v int64) []byte {
	agnostic := func(b []byte, on bool, unit byte) []byte {
		if on {
			return append(b, unit, 'a')
		}
		return append(b, unit, 'u')
	}
	switch f.Facts.OperandInfos[int(f.Desc(i).OpInfo)+n].Type {
	case riscvVTypeI10, riscvVTypeI11:
		b = append(b, 'e')
		b = strconv.AppendInt(b, 8<<(v>>3&7), 10)
		if v&0x100 != 0 {
			b = append(b, "alt"...)
		}
		b = append(b, ", m"...)
		if l := v & 7; l >= 4 {
			b = append(b, 'f')
			b = strconv.AppendInt(b, 1<<(8-l), 10)
		} else {
			b = strconv.AppendInt(b, 1<<l, 10)
		}
		b = agnostic(append(b, ", "...), v&0x40 != 0, 't')
		return agnostic(append(b, ", "...), v&0x80 != 0, 'm')
	case riscvVecPolicy:
		b = agnostic(b, v&1 != 0, 't')
		return agnostic(append(b, ", "...), v&2 != 0, 'm')
	case riscvSEW, riscvSEWMask:
		if v == 0 {
			v = 3
		}
		return strconv.AppendInt(append(b, 'e'), 1<<(v&31), 10)
	}
	return b
}

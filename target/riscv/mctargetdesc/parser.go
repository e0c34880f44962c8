package mctargetdesc

import (
	"strconv"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/mctarget"
	"github.com/mirin-go/mirin/mc/table"
)

// parser is RISC-V's mc.TargetAsmParser.
type parser struct {
	*table.Reader
}

func newParser(t *mctarget.Target) (mc.TargetAsmParser, error) {
	y := mctarget.Syntax(t.Info.Target)
	y.Expand, y.Again, y.Without, y.Wide = expand, again, "exact-asm", "64bit"
	half := featureBit(t.Info, "e")
	y.Reserved = func(st *mc.Subtarget, r desc.PhysReg) bool {
		return st.Has(half) && t.Info.Regs[r].Encoding >= 16 && t.Info.RegName(r)[0] == 'X'
	}
	y.Shorten = newCompressor(t.Info).shorten
	r, err := t.Reader(y)
	if err != nil {
		return nil, err
	}
	return &parser{Reader: r}, nil
}

// appendRegNumber appends the name that a register has by its number.
func appendRegNumber(b []byte, info *desc.Info, r desc.PhysReg) []byte {
	name := info.RegName(r)
	for i, prefix := range [...]string{"X", "F", "F", "F", "F", "X", "X"} {
		suffix := [...]string{"", "_H", "_F", "_D", "_Q", "_W", "_H"}[i]
		if n, ok := number(name, prefix, suffix); ok {
			return strconv.AppendUint(append(b, prefix[0]+'a'-'A'), uint64(n), 10)
		}
	}
	if n, ok := number(name, "V", ""); ok {
		return strconv.AppendUint(append(b, 'v'), uint64(n), 10)
	}
	return append(b, name...)
}

package mctargetdesc

import (
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/table"
)

// halves are the modifiers that choose bits of a value; in an instruction they belong to the
// whole expression, wherever in it they stand (.TOC.-x@ha).
var halves = [...]struct {
	name  string
	shift uint
	carry bool // the half below is read as a signed number
}{
	{"l", 0, false}, {"h", 16, false}, {"ha", 16, true}, {"high", 16, false}, {"higha", 16, true},
	{"higher", 32, false}, {"highera", 32, true}, {"highest", 48, false}, {"highesta", 48, true},
}

// half is the number of the row of a modifier, -1 for other ones.
func half(info *mc.AsmInfo, m mc.Modifier) int {
	if m == mc.ModNone {
		return -1
	}
	name := info.ModifierName(m)
	for i := range halves {
		if halves[i].name == name {
			return i
		}
	}
	return -1
}

// whole gives an expression whose halves are taken, as one modifier of all of it: a number
// (known), or the expression.
func whole(ctx *mc.Context, x mc.Expr) (y mc.Expr, v int64, known bool, err error) {
	info := ctx.Info()
	inner, m, second := ctx.Hoisted(x, func(m mc.Modifier) bool { return half(info, m) >= 0 })
	if second != 0 {
		return 0, 0, false, &mc.SourceError{Loc: second, Msg: "cannot contain more than one relocation specifier"}
	}
	if m == mc.ModNone {
		return x, 0, false, nil
	}
	if n, ok := ctx.Evaluate(inner, nil); ok && n.A == 0 && n.B == 0 {
		h := &halves[half(info, m)]
		v = n.Off
		if h.carry {
			v += 0x8000
		}
		return 0, v >> h.shift & 0xffff, true, nil
	}
	if _, was, off, ok := ctx.SymRef(x); ok && was == m && off == 0 {
		return x, 0, false, nil
	}
	return ctx.Wrapped(m, inner), 0, false, nil
}

// setHalf makes the operand 16 bits of a number, as a negative one where it takes such.
func setHalf(o *table.Operands, v int64) (int, error) {
	if !o.SetNumber(0, int64(int16(v))) && !o.SetNumber(0, v) {
		return -1, nil
	}
	return 1, nil
}

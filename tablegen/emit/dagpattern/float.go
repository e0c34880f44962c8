package dagpattern

import (
	"math"
	"strconv"
	"strings"
)

// parseFloat reads a C++ floating literal.
func parseFloat(s string) (float64, bool) {
	f, err := strconv.ParseFloat(strings.TrimRight(s, "fF"), 64)
	return f, err == nil
}

// FloatLeaf reads the predicate of an FPImmLeaf that asks for one constant: its
// bits in a type that can hold it.
func (p *Set) FloatLeaf(x *Predicate, t VT) (bits uint64, ok bool) {
	f, ok := floatLiteral(x.ImmCode)
	if !ok {
		return 0, false
	}
	return p.floatBits(f, t)
}

// floatLiteral reads predicates that ask for one floating constant.
func floatLiteral(body string) (float64, bool) {
	s := strings.Join(strings.Fields(body), "")
	s = strings.TrimSuffix(strings.TrimPrefix(s, "return"), ";")
	switch s {
	case "Imm.isPosZero()":
		return 0, true
	case "Imm.isNegZero()":
		return math.Copysign(0, -1), true
	}
	s, ok := strings.CutPrefix(s, "Imm.isExactlyValue(")
	if !ok || !strings.HasSuffix(s, ")") {
		return 0, false
	}
	return parseFloat(strings.TrimSuffix(s, ")"))
}

// floatBits are the bits of a number in a type; false where the type cannot
// hold it exactly or is none that is supported.
func (p *Set) floatBits(f float64, t VT) (uint64, bool) {
	if t < 0 {
		return 0, false
	}
	switch p.TypeName(t) {
	case "f64":
		return math.Float64bits(f), true
	case "f32":
		return uint64(math.Float32bits(float32(f))), float64(float32(f)) == f
	case "f16":
		return half(f)
	}
	return 0, false
}

// half gives the bits of a normal number or zero in half precision.
func half(f float64) (uint64, bool) {
	b := math.Float64bits(f)
	sign := b >> 63 << 15
	if f == 0 {
		return sign, true
	}
	exp := int(b>>52&0x7ff) - 1023
	if exp < -14 || exp > 15 || b&(1<<42-1) != 0 {
		return 0, false
	}
	return sign | uint64(exp+15)<<10 | b>>42&0x3ff, true
}

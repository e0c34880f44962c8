package globalisel

import (
	"math/bits"

	"github.com/mirin-go/mirin/codegen/matchtable"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// This file multiplies by constants with additions and shifts, where the target
// adds shifted operands (target.ISelHooks.ShiftAdd) and two operations do.

// product is a way to multiply: what x is first made, t, and the result of both.
// first: t = x + (x << a), or x where a is 0; then one of the last steps.
type product struct {
	a    int
	last lastStep
	b    int
}

// lastStep ends a product.
type lastStep uint8

const (
	noProduct lastStep = iota
	isFirst            // t
	shiftT             // t << b
	addTT              // t + (t << b)
	addXT              // x + (t << b)
	addTX              // t + (x << b)
	lessX              // (x << b) - x
	xLess              // x - (x << b)
)

// productOf finds the operations for x * c in n bits; shift is the greatest one
// that an addition does by the way.
func productOf(c int64, n, shift int) product {
	if shift == 0 {
		return product{}
	}
	u := uint64(c) & lowMask(n)
	for a := 1; a <= shift; a++ {
		if u == 1<<a+1 {
			return product{a, isFirst, 0}
		}
	}
	for a := 1; a <= shift; a++ {
		t := uint64(1)<<a + 1
		if q := u / t; u%t == 0 && bits.OnesCount64(q) == 1 {
			return product{a, shiftT, bits.TrailingZeros64(q)}
		}
		for b := 1; b <= shift; b++ {
			switch s := uint64(1) << b; u {
			case t + t*s:
				return product{a, addTT, b}
			case 1 + t*s:
				return product{a, addXT, b}
			case t + s:
				return product{a, addTX, b}
			}
		}
	}
	if v := u + 1; bits.OnesCount64(v) == 1 && u != lowMask(n) {
		return product{0, lessX, bits.TrailingZeros64(v)}
	}
	if v := u - 1; bits.OnesCount64(v) == 1 && v > 1 {
		return product{0, addTX, bits.TrailingZeros64(v)}
	}
	if v := -uint64(c) & lowMask(n); bits.OnesCount64(v+1) == 1 && v > 1 && c < 0 {
		return product{0, xLess, bits.TrailingZeros64(v + 1)}
	}
	return product{}
}

// plan is the product that instruction a[0] computes.
func plan(m *matchtable.Matcher, i mir.InstrID) product {
	f := m.F
	t := f.TypeOf(f.Op(i, 0).Reg())
	c, ok := ConstOf(f, f.Op(i, 2).Reg())
	if n := t.ScalarBits(); !ok || !t.IsScalar() || n != 32 && n != 64 || m.ST == nil || !expandsDivision(m, nil) {
		return product{}
	}
	return productOf(c, t.ScalarBits(), int(m.ST.Target.ISel.ShiftAdd))
}

// isProduct tells a multiplication that is cheaper by additions, and no factor
// of another one, which takes in this one's.
func isProduct(m *matchtable.Matcher, a []matchtable.Arg) bool {
	f, i := m.F, a[0].Instr
	if plan(m, i).last == noProduct {
		return false
	}
	if r := f.Op(i, 0).Reg(); f.HasOneUse(r) {
		for in := range f.NonDebugUses(r) {
			if f.Instr(in).Opcode == desc.G_MUL {
				_, ok := ConstOf(f, f.Op(in, 2).Reg())
				return !ok
			}
		}
	}
	return true
}

// buildProduct multiplies.
func buildProduct(m *matchtable.Matcher, a []matchtable.Arg) bool {
	f, i := m.F, a[0].Instr
	p := plan(m, i)
	b := Builder{&m.B}
	d, x := f.Op(i, 0).Reg(), f.Op(i, 1).Reg()
	ty := f.TypeOf(d)
	shl := func(v mir.Reg, k int) mir.Reg { return b.Bin(desc.G_SHL, ty, v, b.Const(ty, int64(k))) }
	if p.last == isFirst {
		b.BuildTo(desc.G_ADD, d, shl(x, p.a), x)
		return true
	}
	t := x
	if p.a > 0 {
		t = b.Bin(desc.G_ADD, ty, shl(x, p.a), x)
	}
	switch p.last {
	case shiftT:
		b.BuildTo(desc.G_SHL, d, t, b.Const(ty, int64(p.b)))
	case addTT:
		b.BuildTo(desc.G_ADD, d, shl(t, p.b), t)
	case addXT:
		b.BuildTo(desc.G_ADD, d, shl(t, p.b), x)
	case addTX:
		b.BuildTo(desc.G_ADD, d, shl(x, p.b), t)
	case lessX:
		b.BuildTo(desc.G_SUB, d, shl(x, p.b), x)
	case xLess:
		b.BuildTo(desc.G_SUB, d, x, shl(x, p.b))
	}
	return true
}

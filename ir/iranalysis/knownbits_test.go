package iranalysis

import (
	"math/rand"
	"testing"

	"github.com/mirin-go/mirin/ir"
)

// each calls f with every number of w bits that k allows.
func each(k Known, f func(uint64)) {
	for v := uint64(0); v <= k.mask(); v++ {
		if v&k.Zero == 0 && ^v&k.One&k.mask() == 0 {
			f(v)
		}
	}
}

// TestKnownArithmetic: for every pair of values of four bits that two Knowns
// allow, the result is one that the combined Known allows.
func TestKnownArithmetic(t *testing.T) {
	const w, m = 4, 15
	r := rand.New(rand.NewSource(1))
	random := func() Known {
		z := r.Uint64() & m
		return Known{Zero: z, One: r.Uint64() & m &^ z, Width: w}
	}
	k := knower{}
	for range 3000 {
		a, b := random(), random()
		results := []struct {
			name string
			got  Known
			op   func(x, y uint64) uint64
		}{
			{"add", a.Add(b), func(x, y uint64) uint64 { return x + y }},
			{"sub", a.Sub(b), func(x, y uint64) uint64 { return x - y }},
			{"mul", a.Mul(b), func(x, y uint64) uint64 { return x * y }},
			{"both", a.Both(b), func(x, _ uint64) uint64 { return x }},
			{"shl", k.shift(ir.OpShl, a, b), func(x, y uint64) uint64 { return x << y }},
			{"lshr", k.shift(ir.OpLShr, a, b), func(x, y uint64) uint64 { return x >> y }},
			{"ashr", k.shift(ir.OpAShr, a, b), func(x, y uint64) uint64 { return uint64(int64(x<<60) >> 60 >> y) }},
		}
		each(a, func(x uint64) {
			each(b, func(y uint64) {
				for _, c := range results {
					if (c.name == "shl" || c.name == "lshr" || c.name == "ashr") && y >= w {
						continue // poison
					}
					if v := c.op(x, y) & m; v&c.got.Zero != 0 || ^v&c.got.One != 0 {
						t.Fatalf("%s of %+v and %+v is %+v, but %d, %d give %d", c.name, a, b, c.got, x, y, v)
					}
				}
			})
		})
		if s := a.SExt(6); s.Trunc(4) != a || a.ZExt(6).Max() > m {
			t.Fatalf("extensions of %+v: %+v, %+v", a, s, a.ZExt(6))
		}
	}
}

func TestKnownBits(t *testing.T) {
	m := parse(t, "t.ll", []byte(`
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
@g = global i64 0, align 8
declare i32 @llvm.ctpop.i32(i32)
define void @f(i32 %x, i32 %y, i8 %b, i64 %i) {
  %low = and i32 %x, 12
  %shl = shl i32 %low, 4
  %z = zext i8 %b to i32
  %sum = add i32 %shl, %z
  %or = or i32 %z, 256
  %pop = call i32 @llvm.ctpop.i32(i32 %x)
  %rem = urem i32 %y, 8
  %slot = alloca i64, align 16
  %e = getelementptr i64, ptr %slot, i64 %i
  %e1 = getelementptr i8, ptr %slot, i64 1
  %s = select i1 true, i32 %low, i32 4
  ret void
}
`))
	f := m.Globals[m.Lookup("f")].Func
	dl, err := ir.ParseDataLayout(m.DataLayout)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]Known{
		"low": {Zero: 0xfffffff3, Width: 32}, "shl": {Zero: 0xffffff3f, Width: 32}, "z": {Zero: 0xffffff00, Width: 32},
		"or": {Zero: 0xfffffe00, One: 0x100, Width: 32}, "pop": {Zero: 0xffffffc0, Width: 32}, "rem": {Zero: 0xfffffff8, Width: 32},
		"slot": {Zero: 15, Width: 64}, "e": {Zero: 7, Width: 64}, "e1": {Zero: 14, One: 1, Width: 64},
		"s": {Zero: 0xfffffff3, Width: 32}, "sum": {Zero: 0xfffffe00, Width: 32}, "x": {Width: 32},
	} {
		if got := KnownBits(f, dl, named(f, name)); got != want {
			t.Errorf("%s: %x, want %x", name, got, want)
		}
	}
	if got := KnownBits(f, dl, ir.GlobalVal(m.Lookup("g"))); got.TrailingZeros() != 3 {
		t.Errorf("global: %x", got)
	}
}

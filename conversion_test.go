package mirin_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// Conversions between 128-bit integers and floating point, which compiled code calls
// functions for, round as the interpreter's big numbers do.
func TestWideConversions(t *testing.T) {
	p := load(t, nil, `
define double @f64(i64 %lo, i64 %hi, i1 %signed) {
  %l = zext i64 %lo to i128
  %h = zext i64 %hi to i128
  %s = shl i128 %h, 64
  %x = or i128 %s, %l
  %a = sitofp i128 %x to double
  %b = uitofp i128 %x to double
  %r = select i1 %signed, double %a, double %b
  ret double %r
}
define float @f32(i64 %lo, i64 %hi, i1 %signed) {
  %l = zext i64 %lo to i128
  %h = zext i64 %hi to i128
  %s = shl i128 %h, 64
  %x = or i128 %s, %l
  %a = sitofp i128 %x to float
  %b = uitofp i128 %x to float
  %r = select i1 %signed, float %a, float %b
  ret float %r
}
define void @back(ptr %p, double %x, i1 %signed) {
  br i1 %signed, label %s, label %u
s:
  %a = fptosi double %x to i128
  store i128 %a, ptr %p, align 8
  ret void
u:
  %b = fptoui double %x to i128
  store i128 %b, ptr %p, align 8
  ret void
}
`)
	var f64 func(lo, hi uint64, signed bool) float64
	bind(t, p, "f64", &f64)
	var f32 func(lo, hi uint64, signed bool) float32
	bind(t, p, "f32", &f32)
	var back func(p *[2]uint64, x float64, signed bool)
	bind(t, p, "back", &back)
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 4000 {
		lo, hi := r.Uint64(), r.Uint64()
		switch n % 4 {
		case 1: // short numbers
			k := r.UintN(128)
			x := new(big.Int).Rsh(new(big.Int).Add(new(big.Int).Lsh(new(big.Int).SetUint64(hi), 64), new(big.Int).SetUint64(lo)), k)
			lo, hi = new(big.Int).And(x, new(big.Int).SetUint64(math.MaxUint64)).Uint64(), new(big.Int).Rsh(x, 64).Uint64()
		case 2: // near the middle between two
			lo = uint64(n%3) << 63 >> (n % 5)
			hi &= math.MaxUint64 << (n % 60)
		case 3:
			lo, hi = uint64(n/4)-500, uint64(int64(uint64(n/4)-500)>>63)
		}
		for _, signed := range []bool{false, true} {
			z := new(big.Int).Add(new(big.Int).Lsh(new(big.Int).SetUint64(hi), 64), new(big.Int).SetUint64(lo))
			if signed && int64(hi) < 0 {
				z.Sub(z, new(big.Int).Lsh(big.NewInt(1), 128))
			}
			w64, _ := new(big.Float).SetInt(z).Float64()
			w32, _ := new(big.Float).SetInt(z).Float32()
			if g := f64(lo, hi, signed); g != w64 {
				t.Fatalf("%v is %v, not %v", z, g, w64)
			}
			if g := f32(lo, hi, signed); g != w32 {
				t.Fatalf("%v is %v, not %v", z, g, w32)
			}
			if math.Abs(w64) >= math.Ldexp(1, 127) {
				continue
			}
			x := w64 / math.Ldexp(1, n%70)
			want, _ := new(big.Float).SetFloat64(math.Trunc(x)).Int(nil)
			if !signed && want.Sign() < 0 {
				continue
			}
			var got [2]uint64
			back(&got, x, signed)
			g := new(big.Int).Add(new(big.Int).Lsh(new(big.Int).SetUint64(got[1]), 64), new(big.Int).SetUint64(got[0]))
			if signed && int64(got[1]) < 0 {
				g.Sub(g, new(big.Int).Lsh(big.NewInt(1), 128))
			}
			if g.Cmp(want) != 0 {
				t.Fatalf("%v is %v, not %v", x, g, want)
			}
		}
	}
}

package interp

import (
	"math"
	"strings"
)

func sin(x float64) float64    { return math.Sin(x) }
func cos(x float64) float64    { return math.Cos(x) }
func pow(x, y float64) float64 { return math.Pow(x, y) }

// mathUnary finds a function of one number by the name that C and LLVM share.
func mathUnary(name string) func(float64) float64 {
	switch name {
	case "fabs":
		return math.Abs
	case "sqrt":
		return math.Sqrt
	case "floor":
		return math.Floor
	case "ceil":
		return math.Ceil
	case "trunc":
		return math.Trunc
	case "rint", "nearbyint", "roundeven":
		return math.RoundToEven
	case "round":
		return math.Round
	case "sin":
		return sin
	case "cos":
		return cos
	case "tan":
		return math.Tan
	case "asin":
		return math.Asin
	case "acos":
		return math.Acos
	case "atan":
		return math.Atan
	case "sinh":
		return math.Sinh
	case "cosh":
		return math.Cosh
	case "tanh":
		return math.Tanh
	case "asinh":
		return math.Asinh
	case "acosh":
		return math.Acosh
	case "atanh":
		return math.Atanh
	case "exp":
		return math.Exp
	case "exp2":
		return math.Exp2
	case "exp10":
		return func(x float64) float64 { return math.Pow(10, x) }
	case "expm1":
		return math.Expm1
	case "log":
		return math.Log
	case "log2":
		return math.Log2
	case "log10":
		return math.Log10
	case "log1p":
		return math.Log1p
	case "cbrt":
		return math.Cbrt
	case "erf":
		return math.Erf
	case "erfc":
		return math.Erfc
	case "tgamma":
		return math.Gamma
	case "lgamma":
		return func(x float64) float64 { r, _ := math.Lgamma(x); return r }
	case "j0":
		return math.J0
	case "j1":
		return math.J1
	case "y0":
		return math.Y0
	case "y1":
		return math.Y1
	case "logb":
		return math.Logb
	case "canonicalize":
		return func(x float64) float64 { return x }
	}
	return nil
}

// mathLane applies a function to a number of any supported type; NaNs go through quiet.
func mathLane(fn func(float64) float64, k leafKind, v uint64) uint64 {
	if isNaN(k, v) {
		return quiet(k, v)
	}
	r := fromFloat(k, fn(toFloat(k, v)))
	if isNaN(k, r) {
		return defaultNaN(k)
	}
	return r
}

func mathBinary(name string) func(x, y float64) float64 {
	switch name {
	case "pow":
		return pow
	case "fmod":
		return math.Mod
	case "remainder", "drem":
		return math.Remainder
	case "atan2":
		return math.Atan2
	case "hypot", "cabs":
		return math.Hypot
	case "fdim":
		return math.Dim
	case "copysign":
		return math.Copysign
	case "fmin":
		return func(x, y float64) float64 {
			if x != x {
				return y
			}
			if y != y {
				return x
			}
			return math.Min(x, y)
		}
	case "fmax":
		return func(x, y float64) float64 {
			if x != x {
				return y
			}
			if y != y {
				return x
			}
			return math.Max(x, y)
		}
	case "nextafter":
		return math.Nextafter
	}
	return nil
}

func (c *libCall) f64(i int) float64 { return math.Float64frombits(c.u64(i)) }

func mathLib(name string) libFn {
	base, k := name, leafF64
	base = strings.TrimSuffix(strings.TrimPrefix(base, "__"), "_finite")
	if b, ok := strings.CutSuffix(base, "f"); ok && b != "er" && (mathUnary(b) != nil || mathBinary(b) != nil || isOtherMath(b)) {
		base, k = b, leafF32
	}
	if fn := mathUnary(base); fn != nil && base != "canonicalize" {
		return func(c *libCall) error { return c.ret(mathLane(fn, k, c.u64(0))) }
	}
	if fn := mathBinary(base); fn != nil {
		return func(c *libCall) error {
			if base == "nextafter" && k == leafF32 {
				return c.ret(uint64(math.Float32bits(math.Nextafter32(float32(toFloat(k, c.u64(0))), float32(toFloat(k, c.u64(1)))))))
			}
			a, b := c.u64(0), c.u64(1)
			r := fromFloat(k, fn(toFloat(k, a), toFloat(k, b)))
			if isNaN(k, r) {
				switch {
				case isNaN(k, a):
					r = quiet(k, a)
				case isNaN(k, b):
					r = quiet(k, b)
				default:
					r = defaultNaN(k)
				}
			}
			return c.ret(r)
		}
	}
	switch base {
	case "fma":
		return func(c *libCall) error { return c.ret(fma(k, c.u64(0), c.u64(1), c.u64(2))) }
	case "ldexp", "scalbn", "scalbln":
		return func(c *libCall) error {
			return c.ret(fromFloat(k, math.Ldexp(toFloat(k, c.u64(0)), int(c.int(1)))))
		}
	case "frexp":
		return func(c *libCall) error {
			f := toFloat(k, c.u64(0))
			fr, e := math.Frexp(f)
			if err := c.vm.write(c.reg(1), []byte{byte(e), byte(e >> 8), byte(e >> 16), byte(e >> 24)}); err != nil {
				return err
			}
			return c.ret(fromFloat(k, fr))
		}
	case "modf":
		return func(c *libCall) error {
			f := toFloat(k, c.u64(0))
			ip := math.Trunc(f)
			fp := f - ip
			if math.IsInf(f, 0) {
				fp = 0
			}
			fp = math.Copysign(fp, f)
			o, off, err := c.vm.access(c.reg(1), uint64(fpBits(k)/8), 1, true)
			if err != nil {
				return err
			}
			o.store(off, uint64(fpBits(k)/8), def(fromFloat(k, ip)), c.vm.prvShift)
			return c.ret(fromFloat(k, fp))
		}
	case "ilogb":
		return func(c *libCall) error { return c.retInt(math.Ilogb(toFloat(k, c.u64(0)))) }
	case "lround", "llround", "lrint", "llrint":
		return func(c *libCall) error {
			f := toFloat(k, c.u64(0))
			if base[len(base)-2] == 'n' && base[len(base)-1] == 'd' {
				f = math.Round(f)
			} else {
				f = math.RoundToEven(f)
			}
			v, ok := fpToInt(f, 64, true)
			if !ok {
				v = 1 << 63
			}
			return c.ret(v)
		}
	case "sincos":
		return func(c *libCall) error {
			n := uint64(fpBits(k) / 8)
			for i, fn := range [...]func(float64) float64{sin, cos} {
				o, off, err := c.vm.access(c.reg(i+1), n, 1, true)
				if err != nil {
					return err
				}
				o.store(off, n, def(mathLane(fn, k, c.u64(0))), c.vm.prvShift)
			}
			return c.err
		}
	case "nan":
		return func(c *libCall) error { return c.ret(defaultNaN(k) &^ fpSign(k)) }
	}
	if b, ok := strings.CutSuffix(name, "l"); ok {
		if fn := mathLong(b); fn != nil {
			return fn
		}
	}
	switch name {
	case "__isnan", "isnan", "__isnanf", "isnanf":
		kk := leafF64
		if strings.HasSuffix(name, "f") {
			kk = leafF32
		}
		return func(c *libCall) error { return c.ret(b2u(isNaN(kk, c.u64(0)))) }
	case "__isinf", "isinf", "__isinff", "isinff":
		kk := leafF64
		if strings.HasSuffix(name, "ff") {
			kk = leafF32
		}
		return func(c *libCall) error {
			v := c.u64(0)
			if !isInf(kk, v) {
				return c.ret(0)
			}
			return c.retInt(1 - 2*int(b2u(v&fpSign(kk) != 0)))
		}
	case "__finite", "finite", "__finitef":
		return func(c *libCall) error {
			f := c.f64(0)
			return c.ret(b2u(f-f == 0))
		}
	case "__muldc3", "__mulsc3", "__divdc3", "__divsc3":
		return complexLib(name)
	}
	return nil
}

// mathLong has the functions of long double that long80 has. Where long
// double is double, they are those of double.
func mathLong(base string) libFn {
	fn := long80(base)
	if fn == nil {
		return nil
	}
	plain := mathUnary(base)
	return func(c *libCall) error {
		if len(c.out) == 1 {
			return c.ret(mathLane(plain, leafF64, c.u64(0)))
		}
		c.reg(0)
		if c.err == nil && len(c.out) == 2 && len(c.args[0]) == 2 {
			fn(c.args[0], c.out)
		}
		return c.err
	}
}

// isOtherMath knows the functions beside the tables that have a float form.
func isOtherMath(s string) bool {
	switch s {
	case "fma", "ldexp", "scalbn", "scalbln", "frexp", "modf", "ilogb", "lround", "llround", "lrint", "llrint", "sincos", "nan":
		return true
	}
	return false
}

// complexLib is the product and quotient of complex numbers as the compiler's library has them.
func complexLib(name string) libFn {
	k := leafF64
	if strings.HasSuffix(name, "sc3") {
		k = leafF32
	}
	// Each step rounds to the type.
	rd := func(f float64) float64 { return toFloat(k, fromFloat(k, f)) }
	mul := strings.Contains(name, "mul")
	return func(c *libCall) error {
		a, b, x, y := toFloat(k, c.u64(0)), toFloat(k, c.u64(1)), toFloat(k, c.u64(2)), toFloat(k, c.u64(3))
		var re, im float64
		if mul {
			re, im = complexMul(a, b, x, y, rd)
		} else {
			re, im = complexDiv(a, b, x, y, rd)
		}
		if len(c.out) == 2 {
			c.out[0], c.out[1] = def(fromFloat(k, re)), def(fromFloat(k, im))
		}
		return c.err
	}
}

func infPart(v float64) float64 { return math.Copysign(float64(b2u(math.IsInf(v, 0))), v) }

func zeroNaN(v *float64) {
	if *v != *v {
		*v = math.Copysign(0, *v)
	}
}

func complexMul(a, b, x, y float64, rd func(float64) float64) (re, im float64) {
	ax, by, ay, bx := rd(a*x), rd(b*y), rd(a*y), rd(b*x)
	re, im = rd(ax-by), rd(ay+bx)
	if re == re || im == im {
		return re, im
	}
	again := false
	if math.IsInf(a, 0) || math.IsInf(b, 0) {
		a, b = infPart(a), infPart(b)
		zeroNaN(&x)
		zeroNaN(&y)
		again = true
	}
	if math.IsInf(x, 0) || math.IsInf(y, 0) {
		x, y = infPart(x), infPart(y)
		zeroNaN(&a)
		zeroNaN(&b)
		again = true
	}
	if !again && (math.IsInf(ax, 0) || math.IsInf(by, 0) || math.IsInf(ay, 0) || math.IsInf(bx, 0)) {
		zeroNaN(&a)
		zeroNaN(&b)
		zeroNaN(&x)
		zeroNaN(&y)
		again = true
	}
	if again {
		re, im = math.Inf(1)*(a*x-b*y), math.Inf(1)*(a*y+b*x)
	}
	return re, im
}

func complexDiv(a, b, x, y float64, rd func(float64) float64) (re, im float64) {
	e := 0
	if l := math.Logb(math.Max(math.Abs(x), math.Abs(y))); !math.IsInf(l, 0) && l == l {
		e = int(l)
		x, y = rd(math.Ldexp(x, -e)), rd(math.Ldexp(y, -e))
	}
	den := rd(rd(x*x) + rd(y*y))
	re = rd(math.Ldexp(rd(rd(rd(a*x)+rd(b*y))/den), -e))
	im = rd(math.Ldexp(rd(rd(rd(b*x)-rd(a*y))/den), -e))
	if re == re || im == im {
		return re, im
	}
	fin := func(v float64) bool { return v-v == 0 }
	switch {
	case den == 0 && (a == a || b == b):
		re, im = math.Copysign(math.Inf(1), x)*a, math.Copysign(math.Inf(1), x)*b
	case (math.IsInf(a, 0) || math.IsInf(b, 0)) && fin(x) && fin(y):
		a, b = infPart(a), infPart(b)
		re, im = math.Inf(1)*(a*x+b*y), math.Inf(1)*(b*x-a*y)
	case (math.IsInf(x, 0) || math.IsInf(y, 0)) && fin(a) && fin(b):
		x, y = infPart(x), infPart(y)
		re, im = 0*(a*x+b*y), 0*(b*x-a*y)
	}
	return re, im
}

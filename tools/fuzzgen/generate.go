package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// typ is a first-class type: an integer or float of bits, n of them where n is above 0.
type typ struct {
	n, bits int
	float   bool
}

func (t typ) elem() string {
	switch {
	case !t.float:
		return fmt.Sprint("i", t.bits)
	case t.bits == 32:
		return "float"
	}
	return "double"
}

func (t typ) String() string {
	if t.n > 0 {
		return fmt.Sprintf("<%d x %s>", t.n, t.elem())
	}
	return t.elem()
}

// mangled is the type in names of intrinsics.
func (t typ) mangled() string {
	e := fmt.Sprint("i", t.bits)
	if t.float {
		e = fmt.Sprint("f", t.bits)
	}
	if t.n > 0 {
		return fmt.Sprint("v", t.n, e)
	}
	return e
}

// bytes is the size in memory, padding to the next power of two included.
func (t typ) bytes() int {
	b := (t.bits*max(1, t.n) + 7) / 8
	size := 1
	for size < b {
		size *= 2
	}
	return size
}

var (
	i1  = typ{0, 1, false}
	i8  = typ{0, 8, false}
	i32 = typ{0, 32, false}
	i64 = typ{0, 64, false}
)

// The types that functions compute with: common ones more often.
var scalars = []typ{i32, i64, i32, i64, i8, {0, 16, false}, i32, i64, {0, 128, false}, i1, {0, 3, false}, {0, 7, false}, {0, 13, false}, {0, 24, false},
	{0, 33, false}, {0, 48, false}, {0, 63, false}, {0, 65, false}, {0, 96, false}, {0, 32, true}, {0, 64, true}, {0, 64, true}}

var vectors = []typ{{4, 32, false}, {2, 64, false}, {8, 16, false}, {16, 8, false}, {3, 32, false}, {2, 32, false}, {8, 32, false}, {4, 64, false}, {5, 8, false},
	{4, 32, true}, {2, 64, true}, {3, 32, true}, {8, 32, true}}

type value struct {
	name string
	t    typ
}

// signature is how an earlier function is called.
type signature struct {
	name, cc string
	result   typ
	params   []param
}

// param is a parameter; one with attrs is a pointer to memBytes of them.
type param struct {
	t     typ
	attrs string
}

// memBytes is the size of @mem, which all functions read and write.
const memBytes = 512

// module collects functions.
type module struct {
	b        strings.Builder
	declared map[string]string
	sigs     []signature
	// kernel: for eBPF; signed: with division of numbers with a sign (kernel.go).
	kernel, signed bool
}

// generator writes one function.
type generator struct {
	*rand.Rand
	m      *module
	b      *strings.Builder
	k      int
	n      int // names given
	values []value
	block  string // the block that is being written
	left   int    // operations still to write
	loops  int    // loops around
	sig    signature
}

// newModule writes a module of functions @f0…, each with a @run that fills memory from
// its argument, calls it and sums up what it returned and left in memory.
func newModule(seed uint64, funcs, steps int) string {
	return (&module{declared: map[string]string{}, signed: true}).write(seed, funcs, steps, "x86_64-unknown-linux-gnu")
}

func (m *module) write(seed uint64, funcs, steps int, triple string) string {
	m.b.WriteString("target triple = \"" + triple + "\"\n\n" + prelude)
	for k := range funcs {
		g := &generator{Rand: rand.New(rand.NewPCG(seed, uint64(k))), m: m, b: &m.b, k: k, left: steps}
		g.function()
		g.runner()
		if m.kernel {
			g.program()
		}
	}
	names := make([]string, 0, len(m.declared))
	for n := range m.declared {
		names = append(names, n)
	}
	slices.Sort(names)
	for _, n := range names {
		m.b.WriteString(m.declared[n] + "\n")
	}
	return m.b.String()
}

// prelude has the memory, how it is filled (xorshift by Marsaglia) and summed up (FNV-1a).
var prelude = fmt.Sprintf(`@mem = internal global [%[1]d x i8] zeroinitializer, align 16

define internal void @fill(i64 %%seed) noinline {
  br label %%loop
loop:
  %%i = phi i64 [ 0, %%0 ], [ %%i2, %%loop ]
  %%x = phi i64 [ %%seed, %%0 ], [ %%x3, %%loop ]
  %%a = shl i64 %%x, 13
  %%x1 = xor i64 %%x, %%a
  %%b = lshr i64 %%x1, 7
  %%x2 = xor i64 %%x1, %%b
  %%c = shl i64 %%x2, 17
  %%x3 = xor i64 %%x2, %%c
  %%p = getelementptr i8, ptr @mem, i64 %%i
  store i64 %%x3, ptr %%p
  %%i2 = add i64 %%i, 8
  %%d = icmp eq i64 %%i2, %[1]d
  br i1 %%d, label %%done, label %%loop
done:
  ret void
}

define internal i64 @sum(i64 %%h0) noinline {
  br label %%loop
loop:
  %%i = phi i64 [ 0, %%0 ], [ %%i2, %%loop ]
  %%h = phi i64 [ %%h0, %%0 ], [ %%h2, %%loop ]
  %%p = getelementptr i8, ptr @mem, i64 %%i
  %%v = load i8, ptr %%p
  %%w = zext i8 %%v to i64
  %%h1 = xor i64 %%h, %%w
  %%h2 = mul i64 %%h1, 1099511628211
  %%i2 = add i64 %%i, 1
  %%d = icmp eq i64 %%i2, %[1]d
  br i1 %%d, label %%done, label %%loop
done:
  ret i64 %%h2
}

`, memBytes)

func pick[T any](g *generator, list ...T) T { return list[g.IntN(len(list))] }

func (g *generator) name() string {
	g.n++
	return fmt.Sprintf("%%v%d", g.n)
}

// op writes an instruction that has a result.
func (g *generator) op(t typ, format string, args ...any) value {
	v := value{g.name(), t}
	fmt.Fprintf(g.b, "  %s = %s\n", v.name, fmt.Sprintf(format, args...))
	return v
}

func (g *generator) line(format string, args ...any) { fmt.Fprintf(g.b, "  "+format+"\n", args...) }

// intrinsic calls an intrinsic.
func (g *generator) intrinsic(t typ, name string, args ...value) value {
	var params, list []string
	for _, a := range args {
		params = append(params, a.t.String())
		list = append(list, a.arg())
	}
	g.m.declared[name] = fmt.Sprintf("declare %s @%s(%s)", t, name, strings.Join(params, ", "))
	return g.op(t, "call %s @%s(%s)", t, name, strings.Join(list, ", "))
}

func (v value) arg() string { return v.t.String() + " " + v.name }

// constant is a literal of a type.
func (g *generator) constant(t typ) value {
	one := func() string {
		if t.float {
			return fmt.Sprintf("%d.%d", g.IntN(200)-100, []int{0, 5, 25}[g.IntN(3)])
		}
		if t.bits == 1 {
			return pick(g, "true", "false")
		}
		switch g.IntN(6) {
		case 0:
			return "0"
		case 1:
			return "-1"
		case 2:
			return "1"
		case 3: // a power of two, or beside one
			return fmt.Sprint(int64(1)<<g.IntN(min(t.bits, 63)) + int64(g.IntN(3)) - 1)
		}
		return fmt.Sprint(g.Int64N(200) - 100)
	}
	if t.n == 0 {
		return value{one(), t}
	}
	x, all := one(), g.IntN(2) == 0
	var es []string
	for range t.n {
		if !all {
			x = one()
		}
		es = append(es, t.elem()+" "+x)
	}
	return value{"<" + strings.Join(es, ", ") + ">", t}
}

// anyType is a type to compute with.
func (g *generator) anyType() typ {
	if g.m.kernel {
		return g.number()
	}
	if g.IntN(5) == 0 {
		return vectors[g.IntN(len(vectors))]
	}
	return scalars[g.IntN(len(scalars))]
}

// number is a type of numbers that are no vectors.
func (g *generator) number() typ {
	if g.m.kernel {
		return kernelTypes[g.IntN(len(kernelTypes))]
	}
	return scalars[g.IntN(len(scalars))]
}

// value gives a value of a type: one that is there, a constant, one converted from
// another, or one from memory.
func (g *generator) value(t typ) value {
	var have []value
	for k := len(g.values) - 1; k >= 0 && len(have) < 6; k-- {
		if g.values[k].t == t {
			have = append(have, g.values[k])
		}
	}
	switch r := g.IntN(10); {
	case len(have) > 0 && r < 7:
		return have[g.IntN(len(have))]
	case r == 9:
		return g.constant(t)
	case r < 5 && len(g.values) > 0:
		if v, ok := g.convert(g.values[g.IntN(len(g.values))], t); ok {
			return v
		}
	}
	return g.load(t)
}

// convert makes a value of another type, where there is a way.
func (g *generator) convert(v value, t typ) (value, bool) {
	switch {
	case v.t == t:
		return v, true
	case v.t.n != t.n:
		if v.t.n > 0 && t.n == 0 && v.t.elem() == t.elem() {
			return g.op(t, "extractelement %s, i32 %d", v.arg(), g.IntN(v.t.n)), true
		}
		if v.t.n == 0 && v.t.elem() == t.elem() {
			return g.op(t, "insertelement %s, %s, i32 %d", g.value(t).arg(), v.arg(), g.IntN(t.n)), true
		}
		if !v.t.float && !t.float && v.t.bits*max(1, v.t.n) == t.bits*max(1, t.n) {
			return g.op(t, "bitcast %s to %s", v.arg(), t), true
		}
		return value{}, false
	case !v.t.float && !t.float:
		if v.t.bits > t.bits {
			return g.op(t, "trunc %s to %s", v.arg(), t), true
		}
		return g.op(t, "%s %s to %s", pick(g, "zext", "sext"), v.arg(), t), true
	case v.t.float && t.float:
		if v.t.bits > t.bits {
			return g.canonical(g.op(t, "fptrunc %s to %s", v.arg(), t)), true
		}
		return g.canonical(g.op(t, "fpext %s to %s", v.arg(), t)), true
	case v.t.float && v.t.bits == t.bits && g.IntN(2) == 0:
		return g.op(t, "bitcast %s to %s", g.canonical(v).arg(), t), true
	case v.t.float:
		if t.bits == 1 {
			return g.op(t, "fcmp %s %s, %s", g.fcmp(), v.arg(), g.constant(v.t).name), true
		}
		return g.intrinsic(t, fmt.Sprintf("llvm.fpto%ci.sat.%s.%s", pick(g, 's', 'u'), t.mangled(), v.t.mangled()), v), true
	case v.t.bits == t.bits && g.IntN(2) == 0:
		return g.canonical(g.op(t, "bitcast %s to %s", v.arg(), t)), true
	}
	return g.op(t, "%s %s to %s", pick(g, "sitofp", "uitofp"), v.arg(), t), true
}

// canonical makes all that is no number one: the bits of results that are none are not said.
func (g *generator) canonical(v value) value {
	c := typ{v.t.n, 1, false}
	u := g.op(c, "fcmp uno %s, %s", v.arg(), v.name)
	return g.op(v.t, "select %s, %s zeroinitializer, %s", u.arg(), v.t, v.arg())
}

func (g *generator) fcmp() string {
	return pick(g, "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une", "uno")
}

func (g *generator) icmp() string {
	return pick(g, "eq", "ne", "ugt", "uge", "ult", "ule", "sgt", "sge", "slt", "sle")
}

// condition is an i1.
func (g *generator) condition() value {
	t := g.number()
	if t.float {
		return g.op(i1, "fcmp %s %s, %s", g.fcmp(), g.value(t).arg(), g.value(t).name)
	}
	return g.op(i1, "icmp %s %s, %s", g.icmp(), g.value(t).arg(), g.value(t).name)
}

package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// typ is a vector type, or a scalar for n = 0.
type typ struct {
	n     int
	bits  int
	float bool
}

func (t typ) elem() string {
	switch {
	case t.float && t.bits == 32:
		return "float"
	case t.float:
		return "double"
	}
	return fmt.Sprint("i", t.bits)
}

func (t typ) String() string {
	if t.n == 0 {
		return t.elem()
	}
	return fmt.Sprintf("<%d x %s>", t.n, t.elem())
}

func (t typ) mangled() string {
	e := fmt.Sprint("i", t.bits)
	if t.float {
		e = fmt.Sprint("f", t.bits)
	}
	if t.n == 0 {
		return e
	}
	return fmt.Sprint("v", t.n, e)
}

type value struct {
	name string
	t    typ
}

// generator writes one function.
type generator struct {
	*rand.Rand
	b        strings.Builder
	n        int
	values   []value
	declared map[string]string
}

func newModule(seed uint64, funcs, steps int) string {
	declared := map[string]string{}
	var b strings.Builder
	b.WriteString("target triple = \"x86_64-unknown-linux-gnu\"\n")
	for k := range funcs {
		g := &generator{Rand: rand.New(rand.NewPCG(seed, uint64(k))), declared: declared}
		g.function(k, steps)
		b.WriteString(g.b.String())
	}
	var names []string
	for n := range declared {
		names = append(names, n)
	}
	slices.Sort(names)
	for _, n := range names {
		b.WriteString(declared[n] + "\n")
	}
	return b.String()
}

func (g *generator) pick(list ...string) string { return list[g.IntN(len(list))] }

func (g *generator) typ() typ {
	n := []int{2, 3, 4, 4, 5, 8, 8, 16, 16, 32, 7, 64}[g.IntN(12)]
	switch g.IntN(8) {
	case 0, 1:
		return typ{n, 8, false}
	case 2:
		return typ{min(n, 32), 16, false}
	case 3, 4:
		return typ{min(n, 16), 32, false}
	case 5:
		return typ{min(n, 8), 64, false}
	case 6:
		return typ{min(n, 16), 32, true}
	}
	return typ{min(n, 8), 64, true}
}

func (g *generator) op(t typ, format string, args ...any) value {
	g.n++
	v := value{fmt.Sprintf("%%v%d", g.n), t}
	fmt.Fprintf(&g.b, "  %s = %s\n", v.name, fmt.Sprintf(format, args...))
	return v
}

func (g *generator) call(t typ, name string, args ...value) value {
	var params, list []string
	for _, a := range args {
		params = append(params, a.t.String())
		list = append(list, a.t.String()+" "+a.name)
	}
	g.declared[name] = fmt.Sprintf("declare %s @%s(%s)", t, name, strings.Join(params, ", "))
	return g.op(t, "call %s @%s(%s)", t, name, strings.Join(list, ", "))
}

// constant is a constant of a type: one number for all or one for each, none of them
// beyond most.
func (g *generator) constant(t typ, least, most int64) string {
	one := func(x int64) string {
		if t.float {
			return fmt.Sprintf("%d.%d", x, []int{0, 5, 25}[g.IntN(3)])
		}
		return fmt.Sprint(x)
	}
	num := func() int64 { return least + g.Int64N(most-least+1) }
	if t.n == 0 {
		return one(num())
	}
	x, all := one(num()), g.IntN(2) == 0
	var es []string
	for range t.n {
		if !all {
			x = one(num())
		}
		es = append(es, t.elem()+" "+x)
	}
	return "<" + strings.Join(es, ", ") + ">"
}

func (g *generator) constOf(t typ) value {
	if t.bits == 1 {
		return value{g.constant(t, 0, 1), t}
	}
	return value{g.constant(t, -5, 120), t}
}

// get is a value of a type: one that is there, a constant, or a new one of memory.
func (g *generator) get(t typ) value {
	var have []value
	for _, v := range g.values {
		if v.t == t {
			have = append(have, v)
		}
	}
	switch {
	case len(have) > 0 && g.IntN(6) > 0:
		return have[g.IntN(len(have))]
	case g.IntN(8) == 0:
		return g.constOf(t)
	}
	if t.bits == 1 {
		i := typ{t.n, []int{8, 16, 32}[g.IntN(3)], false}
		a := g.get(i)
		return g.keep(g.op(t, "icmp %s %s %s, %s", g.pick(preds...), i, a.name, g.get(i).name))
	}
	if t.float {
		i := typ{t.n, t.bits, false}
		if t.bits == 64 {
			i.bits = 32
		}
		v := g.op(t, "sitofp %s %s to %s", i, g.get(i).name, t)
		return g.keep(v)
	}
	size := (t.bits + 7) / 8 * max(t.n, 1)
	off := g.IntN((inBytes-size)/4) * 4
	p := g.op(typ{}, "getelementptr i8, ptr %%in, i64 %d", off)
	align := 1
	for align < 64 && off%(2*align) == 0 {
		align *= 2
	}
	if g.IntN(2) == 0 {
		align = 1
	}
	return g.keep(g.op(t, "load %s, ptr %s, align %d", t, p.name, align))
}

func (g *generator) keep(v value) value {
	g.values = append(g.values, v)
	return v
}

var preds = []string{"eq", "ne", "slt", "sgt", "sle", "sge", "ult", "ugt", "ule", "uge"}
var fpreds = []string{"oeq", "one", "olt", "ogt", "ole", "oge", "ueq", "une", "ult", "ugt", "ule", "uge", "ord", "uno"}

// canonical gives one form to what is no number.
func (g *generator) canonical(v value) value {
	c := g.op(typ{v.t.n, 1, false}, "fcmp uno %s %s, %s", v.t, v.name, v.name)
	return g.op(v.t, "select %s %s, %s %s, %s %s", c.t, c.name, v.t, g.splat(v.t, "0x7FF8000000000000"), v.t, v.name)
}

func (g *generator) splat(t typ, x string) string {
	if t.n == 0 {
		return x
	}
	var es []string
	for range t.n {
		es = append(es, t.elem()+" "+x)
	}
	return "<" + strings.Join(es, ", ") + ">"
}

// amount is an amount of a shift of type t, in range.
func (g *generator) amount(t typ) value {
	switch g.IntN(3) {
	case 0:
		return value{g.constant(t, 0, int64(t.bits-1)), t}
	case 1:
		// One for all.
		s := g.get(typ{0, t.bits, false})
		m := g.op(s.t, "and %s %s, %d", s.t, s.name, t.bits-1)
		i := g.op(t, "insertelement %s poison, %s %s, i32 0", t, m.t, m.name)
		return g.op(t, "shufflevector %s %s, %s poison, <%d x i32> zeroinitializer", t, i.name, t, t.n)
	}
	a := g.get(t)
	return g.op(t, "and %s %s, %s", t, a.name, g.splat(t, fmt.Sprint(t.bits-1)))
}

func (g *generator) function(k, steps int) {
	attrs := ""
	if g.IntN(4) == 0 {
		// Registers of 512 bits are not wanted.
		attrs = `"prefer-vector-width"="256" "min-legal-vector-width"="0" `
	}
	fmt.Fprintf(&g.b, "define void @f%d(ptr %%in, ptr %%out) %s{\n", k, attrs)
	for range steps {
		if v := g.step(); v.t.bits != 0 {
			g.keep(v)
		}
	}
	off := 0
	for j := len(g.values) - 1; j >= 0 && off < outBytes-512; j-- {
		v := g.values[j]
		if v.t.float {
			v = g.canonical(v)
		}
		if v.t.bits == 1 && v.t.n > 0 && g.IntN(2) == 0 {
			w := typ{v.t.n, []int{8, 16, 32, 64}[g.IntN(4)], false}
			v = g.op(w, "%s %s %s to %s", g.pick("sext", "zext"), v.t, v.name, w)
		}
		p := g.op(typ{}, "getelementptr i8, ptr %%out, i64 %d", off)
		fmt.Fprintf(&g.b, "  store %s %s, ptr %s, align 8\n", v.t, v.name, p.name)
		off += ((v.t.bits*max(v.t.n, 1)+7)/8 + 15) / 16 * 16
	}
	g.b.WriteString("  ret void\n}\n")
}

// step adds one operation; a value without bits says that there was none.
func (g *generator) step() value {
	t := g.typ()
	a := g.get(t)
	bits := typ{t.n, 1, false}
	switch g.IntN(24) {
	case 0, 1, 2:
		if t.float {
			op := g.pick("fadd", "fsub", "fmul", "fdiv")
			return g.op(t, "%s %s %s, %s", op, t, a.name, g.get(t).name)
		}
		return g.op(t, "%s %s %s, %s", g.pick("add", "sub", "mul", "and", "or", "xor"), t, a.name, g.get(t).name)
	case 3:
		if t.float {
			return g.call(t, fmt.Sprintf("llvm.%s.%s", g.pick("fabs", "sqrt", "floor", "ceil", "trunc", "rint", "nearbyint", "roundeven"), t.mangled()), a)
		}
		return g.op(t, "%s %s %s, %s", g.pick("shl", "lshr", "ashr"), t, a.name, g.amount(t).name)
	case 4:
		if t.float {
			return g.op(t, "fneg %s %s", t, a.name)
		}
		return g.op(t, "%s %s %s, %s", g.pick("shl", "lshr", "ashr"), t, a.name, g.amount(t).name)
	case 5, 6:
		if t.float {
			return g.op(bits, "fcmp %s %s %s, %s", g.pick(fpreds...), t, a.name, g.get(t).name)
		}
		return g.op(bits, "icmp %s %s %s, %s", g.pick(preds...), t, a.name, g.get(t).name)
	case 7, 8:
		c := bits
		if g.IntN(5) == 0 {
			c.n = 0
		}
		return g.op(t, "select %s %s, %s %s, %s %s", c, g.get(c).name, t, a.name, t, g.get(t).name)
	case 9, 10, 11:
		return g.shuffle(t, a)
	case 12:
		e := g.get(typ{0, t.bits, t.float})
		if g.IntN(4) == 0 {
			i := g.get(typ{0, 8, false})
			m := g.op(i.t, "urem i8 %s, %d", i.name, t.n)
			if g.IntN(2) == 0 {
				return g.op(e.t, "extractelement %s %s, i8 %s", t, a.name, m.name)
			}
			return g.op(t, "insertelement %s %s, %s %s, i8 %s", t, a.name, e.t, e.name, m.name)
		}
		return g.op(t, "insertelement %s %s, %s %s, i32 %d", t, a.name, e.t, e.name, g.IntN(t.n))
	case 13:
		return g.op(typ{0, t.bits, t.float}, "extractelement %s %s, i32 %d", t, a.name, g.IntN(t.n))
	case 14, 15:
		return g.width(t, a)
	case 16:
		return g.bitcast(t, a)
	case 17:
		return g.reduce(t, a)
	case 18:
		if t.float {
			return g.call(t, fmt.Sprintf("llvm.%s.%s", g.pick("minnum", "maxnum", "minimum", "maximum"), t.mangled()), a, g.get(t))
		}
		return g.call(t, fmt.Sprintf("llvm.%s.%s", g.pick("smin", "smax", "umin", "umax", "sadd.sat", "uadd.sat", "ssub.sat", "usub.sat"), t.mangled()), a, g.get(t))
	case 19:
		if t.float {
			return g.call(t, "llvm.copysign."+t.mangled(), a, g.get(t))
		}
		f := value{"i1 false", typ{}}
		switch g.IntN(5) {
		case 0:
			return g.call(t, "llvm.ctpop."+t.mangled(), a)
		case 1:
			name := g.pick("ctlz", "cttz", "abs") + "." + t.mangled()
			g.declared["llvm."+name] = fmt.Sprintf("declare %s @llvm.%s(%s, i1)", t, name, t)
			return g.op(t, "call %s @llvm.%s(%s %s, %s)", t, name, t, a.name, f.name)
		case 2:
			if t.bits > 8 {
				return g.call(t, "llvm.bswap."+t.mangled(), a)
			}
			return g.call(t, "llvm.bitreverse."+t.mangled(), a)
		}
		name := g.pick("fshl", "fshr")
		b := g.get(t)
		if g.IntN(2) == 0 {
			b = a
		}
		return g.call(t, fmt.Sprintf("llvm.%s.%s", name, t.mangled()), a, b, g.amount(t))
	case 20:
		if g.IntN(3) == 0 {
			// One bit, for one element or for all.
			s := g.get(typ{0, 1, false})
			i := g.op(bits, "insertelement %s %s, i1 %s, i32 %d", bits, g.pick("poison", g.get(bits).name), s.name, 0)
			if g.IntN(2) == 0 {
				return g.op(bits, "shufflevector %s %s, %s poison, <%d x i32> zeroinitializer", bits, i.name, bits, t.n)
			}
			f := g.op(bits, "freeze %s %s", bits, i.name)
			return g.op(typ{0, 1, false}, "extractelement %s %s, i32 0", bits, f.name)
		}
		b := g.get(bits)
		return g.op(bits, "%s %s %s, %s", g.pick("and", "or", "xor"), bits, b.name, g.get(bits).name)
	case 21:
		b := g.get(bits)
		if g.IntN(2) == 0 {
			w := typ{0, t.n, false}
			r := g.op(w, "bitcast %s %s to %s", bits, b.name, w)
			if t.n == 64 {
				return r
			}
			return g.op(typ{0, 64, false}, "zext %s %s to i64", w, r.name)
		}
		w := g.get(typ{0, 64, false})
		if t.n == 64 {
			return g.op(bits, "bitcast i64 %s to %s", w.name, bits)
		}
		m := g.op(typ{0, t.n, false}, "trunc i64 %s to i%d", w.name, t.n)
		return g.op(bits, "bitcast i%d %s to %s", t.n, m.name, bits)
	case 22:
		if !t.float {
			d := g.op(t, "or %s %s, %s", t, g.get(t).name, g.splat(t, "1"))
			return g.op(t, "%s %s %s, %s", g.pick("udiv", "urem"), t, a.name, d.name)
		}
		return value{}
	}
	f := g.op(t, "freeze %s %s", t, a.name)
	return f
}

func (g *generator) shuffle(t typ, a value) value {
	b := g.get(t)
	m := t.n
	if g.IntN(4) == 0 {
		m = []int{2, 3, 4, 8, 16}[g.IntN(5)]
	}
	var mask []string
	kind, base := g.IntN(7), g.IntN(t.n)
	for k := range m {
		x := 0
		switch kind {
		case 0:
			x = g.IntN(2 * t.n)
		case 1:
			x = g.IntN(t.n)
		case 2:
			x = (base + k) % (2 * t.n)
		case 3:
			x = k/2 + k%2*t.n
		case 4:
			x = 2 * k
		case 5:
			x = k + g.IntN(2)*t.n
		case 6:
			x = t.n - 1 - k
		}
		mask = append(mask, fmt.Sprint("i32 ", (x%(2*t.n)+2*t.n)%(2*t.n)))
	}
	return g.op(typ{m, t.bits, t.float}, "shufflevector %s %s, %s %s, <%d x i32> <%s>", t, a.name, t, b.name, m, strings.Join(mask, ", "))
}

// width extends, truncates or converts.
func (g *generator) width(t typ, a value) value {
	other := []int{8, 16, 32, 64}[g.IntN(4)]
	switch {
	case t.float && g.IntN(2) == 0:
		if t.bits == 32 {
			w := typ{t.n, 64, true}
			return g.op(w, "fpext %s %s to %s", t, a.name, w)
		}
		w := typ{t.n, 32, true}
		return g.op(w, "fptrunc %s %s to %s", t, a.name, w)
	case t.float:
		w := typ{t.n, other, false}
		return g.call(w, fmt.Sprintf("llvm.%s.sat.%s.%s", g.pick("fptosi", "fptoui"), w.mangled(), t.mangled()), a)
	case g.IntN(3) == 0:
		w := typ{t.n, []int{32, 64}[g.IntN(2)], true}
		return g.op(w, "%s %s %s to %s", g.pick("sitofp", "uitofp"), t, a.name, w)
	case g.IntN(4) == 0:
		// There and back: the numbers fit.
		f := typ{t.n, 64, true}
		if t.bits > 32 {
			return value{}
		}
		op := g.pick("sitofp", "uitofp")
		x := g.op(f, "%s %s %s to %s", op, t, a.name, f)
		back := "fptosi"
		if op == "uitofp" {
			back = "fptoui"
		}
		return g.op(t, "%s %s %s to %s", back, f, x.name, t)
	}
	w := typ{t.n, other, false}
	switch {
	case other > t.bits:
		return g.op(w, "%s %s %s to %s", g.pick("sext", "zext"), t, a.name, w)
	case other < t.bits:
		return g.op(w, "trunc %s %s to %s", t, a.name, w)
	}
	b := typ{t.n, 1, false}
	return g.op(t, "%s %s %s to %s", g.pick("sext", "zext"), b, g.get(b).name, t)
}

func (g *generator) bitcast(t typ, a value) value {
	if t.float {
		a = g.canonical(a)
	}
	total := t.n * t.bits
	for range 6 {
		e := []int{8, 16, 32, 64}[g.IntN(4)]
		if total%e != 0 {
			continue
		}
		w := typ{total / e, e, false}
		if w.n == 1 {
			w.n = 0
		}
		return g.op(w, "bitcast %s %s to %s", t, a.name, w)
	}
	return value{}
}

func (g *generator) reduce(t typ, a value) value {
	e := typ{0, t.bits, t.float}
	if g.IntN(4) == 0 {
		b := typ{t.n, 1, false}
		r := g.call(typ{0, 1, false}, fmt.Sprintf("llvm.vector.reduce.%s.%s", g.pick("and", "or", "xor", "add"), b.mangled()), g.get(b))
		return g.op(typ{0, 32, false}, "zext i1 %s to i32", r.name)
	}
	if !t.float {
		return g.call(e, fmt.Sprintf("llvm.vector.reduce.%s.%s", g.pick("add", "mul", "and", "or", "xor", "smin", "smax", "umin", "umax"), t.mangled()), a)
	}
	op := g.pick("fadd", "fmul")
	name := fmt.Sprintf("llvm.vector.reduce.%s.%s", op, t.mangled())
	g.declared[name] = fmt.Sprintf("declare %s @%s(%s, %s)", e, name, e, t)
	return g.op(e, "call %s %s @%s(%s %s, %s %s)", g.pick("", "reassoc"), e, name, e, g.constant(e, 0, 3), t, a.name)
}

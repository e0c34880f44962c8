package main

import (
	"fmt"
	"strings"
)

// address is a pointer into @mem with room for size bytes.
func (g *generator) address(size int) string {
	room := memBytes - size + 1
	switch g.IntN(4) {
	case 0: // at an index that is computed
		scale := pick(g, 1, 2, 4, 8)
		mask := 1
		for mask*2*scale <= room {
			mask *= 2
		}
		i := g.op(i64, "and %s, %d", g.value(i64).arg(), mask-1)
		p := g.op(i64, "getelementptr inbounds i%d, ptr @mem, %s", 8*scale, i.arg())
		return p.name
	case 1:
		p := g.op(i64, "getelementptr i8, ptr @mem, i64 %d", g.IntN(room))
		return p.name
	}
	return fmt.Sprintf("getelementptr (i8, ptr @mem, i64 %d)", g.IntN(room/8)*8)
}

func (g *generator) volatile() string { return pick(g, "", "", "", "", "", "", "", "volatile ") }

func (g *generator) load(t typ) value {
	v := g.op(t, "load %s%s, ptr %s, align 1", g.volatile(), storedType(t), g.address(t.bytes()))
	if st := storedType(t); st != t.String() {
		v = g.op(t, "trunc %s %s to %s", st, v.name, t)
	}
	if t.float {
		return g.canonical(v)
	}
	return v
}

// storedType is what memory holds of a type: whole bytes, so that the bits beside an odd width are said.
func storedType(t typ) string {
	if t.float || t.bits%8 == 0 {
		return t.String()
	}
	t.bits = 8 * typ{bits: t.bits}.bytes()
	return t.String()
}

func (g *generator) store(v value) {
	if v.t.float {
		v = g.canonical(v)
	}
	st := storedType(v.t)
	name := v.name
	if st != v.t.String() {
		name = g.op(v.t, "%s %s to %s", pick(g, "zext", "sext"), v.arg(), st).name
	}
	g.line("store %s%s %s, ptr %s, align 1", g.volatile(), st, name, g.address(v.t.bytes()))
}

// add keeps a value for what comes.
func (g *generator) add(v value) { g.values = append(g.values, v) }

// step writes one operation.
func (g *generator) step() {
	g.left--
	switch r := g.IntN(40); {
	case r < 3:
		g.store(g.value(g.anyType()))
	case r < 4:
		g.block3()
	case r < 6:
		t := g.anyType()
		g.add(g.load(t))
	case r < 8 && len(g.m.sigs) > 0:
		g.call()
	case r < 11 && g.left > 2:
		g.branch()
	case r < 13 && g.left > 2 && g.loops < 2:
		g.loop()
	case r < 15 && g.left > 2:
		g.switches()
	default:
		t := g.anyType()
		switch {
		case t.float:
			g.add(g.floating(t))
		case g.IntN(4) == 0:
			g.add(g.intIntrinsic(t))
		default:
			g.add(g.integer(t))
		}
	}
}

// integer is an operation over integers.
func (g *generator) integer(t typ) value {
	a := g.value(t)
	switch r := g.IntN(16); {
	case r < 2:
		return g.op(t, "select %s, %s, %s", g.condition().arg(), a.arg(), g.value(t).arg())
	case r < 3:
		c := g.op(typ{t.n, 1, false}, "icmp %s %s, %s", g.icmp(), a.arg(), g.value(t).name)
		if g.IntN(2) == 0 && t.bits > 1 {
			return g.op(t, "%s %s to %s", pick(g, "zext", "sext"), c.arg(), t)
		}
		return g.op(t, "select %s, %s, %s", c.arg(), a.arg(), g.value(t).arg())
	case r < 5 && t.bits > 2: // the amount is below the width
		least := g.constant(typ{t.n, t.bits, false})
		if g.IntN(2) == 0 {
			least = g.value(t)
		}
		n := g.op(t, "and %s, %s", least.arg(), g.splat(t, lowBits(t.bits-1)))
		return g.op(t, "%s %s, %s", pick(g, "shl", "lshr", "ashr"), a.arg(), n.name)
	case r < 7 && t.bits > 2: // the divisor is above 0
		d := g.value(t)
		if g.IntN(2) == 0 {
			d = g.constant(t)
		}
		d = g.op(t, "lshr %s, %s", d.arg(), g.splat(t, 1))
		d = g.op(t, "or %s, %s", d.arg(), g.splat(t, 1))
		if !g.m.signed {
			return g.op(t, "%s %s, %s", pick(g, "udiv", "urem"), a.arg(), d.name)
		}
		return g.op(t, "%s %s, %s", pick(g, "udiv", "sdiv", "urem", "srem"), a.arg(), d.name)
	case r < 8 && t.n == 0 && t.bits > 8: // flags that hold
		h := typ{0, t.bits/2 - 1, false}
		x := g.op(h, "trunc %s to %s", a.arg(), h)
		y := g.op(h, "trunc %s to %s", g.value(t).arg(), h)
		ext := pick(g, "zext", "sext")
		p := g.op(t, "%s %s to %s", ext, x.arg(), t)
		q := g.op(t, "%s %s to %s", ext, y.arg(), t)
		flags := "nsw"
		op := pick(g, "add", "sub", "mul")
		if ext == "zext" && op != "sub" {
			flags = pick(g, "nuw", "nsw", "nuw nsw")
		}
		return g.op(t, "%s %s %s, %s", op, flags, p.arg(), q.name)
	case r < 9 && t.n > 0:
		return g.shuffle(a)
	}
	b := g.value(t)
	if g.IntN(3) == 0 {
		b = g.constant(t)
	}
	return g.op(t, "%s %s, %s", pick(g, "add", "sub", "mul", "and", "or", "xor", "add", "sub"), a.arg(), b.name)
}

// lowBits is the greatest number of all ones that is not above n.
func lowBits(n int) int {
	m := 1
	for m*2+1 <= n {
		m = m*2 + 1
	}
	return m
}

func (g *generator) splat(t typ, x int) string {
	if t.n == 0 {
		return fmt.Sprint(x)
	}
	return "<" + strings.TrimSuffix(strings.Repeat(fmt.Sprintf("%s %d, ", t.elem(), x), t.n), ", ") + ">"
}

func (g *generator) shuffle(a value) value {
	b := g.value(a.t)
	var mask []string
	for range a.t.n {
		mask = append(mask, fmt.Sprint("i32 ", g.IntN(2*a.t.n)))
	}
	return g.op(a.t, "shufflevector %s, %s, <%d x i32> <%s>", a.arg(), b.arg(), a.t.n, strings.Join(mask, ", "))
}

// intIntrinsic is a call of an intrinsic over integers.
func (g *generator) intIntrinsic(t typ) value {
	a, b := g.value(t), g.value(t)
	two := func(names ...string) value {
		n := pick(g, names...)
		return g.intrinsic(t, "llvm."+n+"."+t.mangled(), a, b)
	}
	switch g.IntN(9) {
	case 0:
		return two("smin", "smax", "umin", "umax")
	case 1:
		return two("sadd.sat", "uadd.sat", "ssub.sat", "usub.sat")
	case 2:
		return g.intrinsic(t, "llvm.ctpop."+t.mangled(), a)
	case 3:
		return g.intrinsic(t, "llvm."+pick(g, "ctlz", "cttz")+"."+t.mangled(), a, value{"false", i1})
	case 4:
		if t.bits%16 == 0 {
			return g.intrinsic(t, "llvm.bswap."+t.mangled(), a)
		}
		return g.intrinsic(t, "llvm.bitreverse."+t.mangled(), a)
	case 5:
		return g.intrinsic(t, "llvm."+pick(g, "fshl", "fshr")+"."+t.mangled(), a, b, g.value(t))
	case 6:
		return g.intrinsic(t, "llvm.abs."+t.mangled(), a, value{"false", i1})
	case 7:
		if t.n > 0 {
			e := typ{0, t.bits, false}
			v := g.intrinsic(e, "llvm.vector.reduce."+pick(g, "add", "mul", "and", "or", "xor", "smin", "smax", "umin", "umax")+"."+t.mangled(), a)
			return g.op(t, "insertelement %s, %s, i32 %d", b.arg(), v.arg(), g.IntN(t.n))
		}
		return g.overflow(t, a, b)
	}
	return g.op(t, "freeze %s", a.arg())
}

// overflow computes with the overflow as a bit beside.
func (g *generator) overflow(t typ, a, b value) value {
	ops := []string{"sadd", "uadd", "ssub", "usub", "smul", "umul"}
	if g.m.kernel && t.bits > 32 { // such products need the library
		ops = ops[:4]
	}
	name := fmt.Sprintf("llvm.%s.with.overflow.%s", pick(g, ops...), t.mangled())
	g.m.declared[name] = fmt.Sprintf("declare { %s, i1 } @%s(%s, %s)", t, name, t, t)
	pair := g.op(t, "call { %s, i1 } @%s(%s, %s)", t, name, a.arg(), b.arg())
	v := g.op(t, "extractvalue { %s, i1 } %s, 0", t, pair.name)
	o := g.op(i1, "extractvalue { %s, i1 } %s, 1", t, pair.name)
	g.add(o)
	return v
}

// floating is an operation over floats.
func (g *generator) floating(t typ) value {
	a, b := g.value(t), g.value(t)
	c := typ{t.n, 1, false}
	one := func(names ...string) value {
		return g.canonical(g.intrinsic(t, "llvm."+pick(g, names...)+"."+t.mangled(), a))
	}
	switch g.IntN(10) {
	case 0:
		return g.op(t, "fneg %s", a.arg())
	case 1:
		return one("fabs", "sqrt")
	case 2:
		return one("floor", "ceil", "trunc", "rint", "nearbyint", "round", "roundeven")
	case 3:
		return g.canonical(g.intrinsic(t, "llvm."+pick(g, "minimum", "maximum")+"."+t.mangled(), a, b))
	case 4:
		return g.intrinsic(t, "llvm.copysign."+t.mangled(), a, b)
	case 5:
		x := g.op(c, "fcmp %s %s, %s", g.fcmp(), a.arg(), b.name)
		return g.op(t, "select %s, %s, %s", x.arg(), a.arg(), b.arg())
	case 6:
		return g.canonical(g.intrinsic(t, "llvm.fma."+t.mangled(), a, b, g.value(t)))
	}
	return g.canonical(g.op(t, "%s %s, %s", pick(g, "fadd", "fsub", "fmul", "fdiv"), a.arg(), b.name))
}

// block3 moves or sets a block of memory.
func (g *generator) block3() {
	n := pick(g, 1, 3, 7, 8, 15, 16, 24, 31, 33, 64, 100)
	switch g.IntN(3) {
	case 0:
		g.m.declared["llvm.memset"] = "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)"
		g.line("call void @llvm.memset.p0.i64(ptr %s, %s, i64 %d, i1 false)", g.address(n), g.value(i8).arg(), n)
	case 1:
		g.m.declared["llvm.memmove"] = "declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)"
		g.line("call void @llvm.memmove.p0.p0.i64(ptr %s, ptr %s, i64 %d, i1 false)", g.address(n), g.address(n), n)
	default: // halves of memory do not meet
		g.m.declared["llvm.memcpy"] = "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)"
		to := fmt.Sprintf("getelementptr (i8, ptr @mem, i64 %d)", g.IntN(memBytes/2-n))
		from := fmt.Sprintf("getelementptr (i8, ptr @mem, i64 %d)", memBytes/2+g.IntN(memBytes/2-n))
		g.line("call void @llvm.memcpy.p0.p0.i64(ptr %s, ptr %s, i64 %d, i1 false)", to, from, n)
	}
}

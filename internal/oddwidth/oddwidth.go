package oddwidth

import (
	"fmt"
	"strings"
)

// Widths are the widths that tests try.
var Widths = []int{1, 7, 8, 24, 32, 33, 40, 64, 65, 96, 127, 128, 200}

// Vectors are the vectors that tests try: elements and bits of each.
var Vectors = [][2]int{{2, 8}, {3, 7}, {3, 32}, {5, 16}, {2, 33}, {4, 1}, {8, 8}, {3, 64}}

// Program is a module with one function, i32 @f(i32 n), for n below Inputs.
type Program struct{ Name, Source string }

// Inputs is the number of inputs of a program.
const Inputs = 4

// shape is an integer, or a vector of elems of them.
type shape struct{ elems, bits int }

func (s shape) text() string {
	if s.elems == 0 {
		return fmt.Sprintf("i%d", s.bits)
	}
	return fmt.Sprintf("<%d x i%d>", s.elems, s.bits)
}

func (s shape) total() int { return max(s.elems, 1) * s.bits }

// suffix is the shape in the names of intrinsics.
func (s shape) suffix() string {
	if s.elems == 0 {
		return fmt.Sprintf("i%d", s.bits)
	}
	return fmt.Sprintf("v%di%d", s.elems, s.bits)
}

// with is the shape of as many elements of other bits.
func (s shape) with(bits int) shape { return shape{s.elems, bits} }

// splat is the constant n in every element.
func (s shape) splat(n int) string {
	if s.elems == 0 {
		return fmt.Sprint(n)
	}
	e := fmt.Sprintf("i%d %d", s.bits, n)
	return "<" + strings.TrimSuffix(strings.Repeat(e+", ", s.elems), ", ") + ">"
}

// writer writes a program.
type writer struct {
	b     strings.Builder
	decls map[string]bool
	text  string // declarations in order
}

func (w *writer) line(format string, args ...any) { fmt.Fprintf(&w.b, "  "+format+"\n", args...) }

func (w *writer) declare(format string, args ...any) {
	d := fmt.Sprintf(format, args...)
	if !w.decls[d] {
		w.decls[d] = true
		w.text += "declare " + d + "\n"
	}
}

// input loads value name of a shape from the n-th input.
func (w *writer) input(name string, s shape, table string) {
	bytes := (s.total() + 7) / 8
	w.line("%%%s.p = getelementptr [32 x i8], ptr @%s, i32 %%n", name, table)
	w.line("%%%s.w = load i%d, ptr %%%s.p, align 1", name, 8*bytes, name)
	from := name + ".w"
	if s.total() != 8*bytes {
		w.line("%%%s.t = trunc i%d %%%s to i%d", name, 8*bytes, from, s.total())
		from = name + ".t"
	}
	if s.elems == 0 {
		w.line("%%%s = add i%d %%%s, 0", name, s.bits, from)
		return
	}
	w.line("%%%s = bitcast i%d %%%s to %s", name, s.total(), from, s.text())
}

// output stores value name and gives a number made of all its bits.
func (w *writer) output(name string, s shape) {
	from := name
	if s.elems != 0 {
		w.line("%%out.i = bitcast %s %%%s to i%d", s.text(), name, s.total())
		from = "out.i"
	}
	bytes := (s.total() + 7) / 8
	if s.total() != 8*bytes {
		w.line("%%out.z = zext i%d %%%s to i%d", s.total(), from, 8*bytes)
		from = "out.z"
	}
	w.line("store i%d %%%s, ptr @out, align 1", 8*bytes, from)
	h := "0"
	for k := 0; 4*k < bytes; k++ {
		w.line("%%h%d.p = getelementptr i8, ptr @out, i32 %d", k, 4*k)
		w.line("%%h%d.w = load i32, ptr %%h%d.p, align 1", k, k)
		w.line("%%h%d.m = mul i32 %s, 31", k, h)
		w.line("%%h%d = add i32 %%h%d.m, %%h%d.w", k, k, k)
		h = fmt.Sprintf("%%h%d", k)
	}
	w.line("ret i32 %s", h)
}

// data are the bytes of the inputs: all zeros, all ones, and two mixtures.
func data(salt byte) string {
	var b strings.Builder
	fmt.Fprintf(&b, "[%d x [32 x i8]] [", Inputs)
	for n := range Inputs {
		if n > 0 {
			b.WriteString(", ")
		}
		b.WriteString("[32 x i8] c\"")
		x := uint32(salt)*2654435761 + uint32(n)
		for range 32 {
			x = x*1664525 + 1013904223
			v := byte(x >> 24)
			switch n {
			case 0:
				v = 0
			case 1:
				v = 255
			}
			fmt.Fprintf(&b, "\\%02X", v)
		}
		b.WriteString("\"")
	}
	return b.String() + "]"
}

// program makes a module whose function computes %r of shape out from %a and %b.
func program(name string, in, out shape, body func(w *writer)) Program {
	w := &writer{decls: map[string]bool{}}
	w.input("a", in, "a")
	w.input("b", in, "b")
	body(w)
	w.output("r", out)
	src := "@a = global " + data(1) + "\n@b = global " + data(2) + "\n@out = global [64 x i8] zeroinitializer\n" +
		"define i32 @f(i32 %n) {\n" + w.b.String() + "}\n" + w.text
	return Program{Name: name + "." + in.suffix(), Source: src}
}

// Programs makes all programs. Operations that divide, which libraries do for
// wide numbers, are among them when divide says so.
func Programs(divide bool) []Program {
	var out []Program
	for _, n := range Widths {
		out = forShape(out, shape{0, n}, divide)
	}
	for _, v := range Vectors {
		out = forShape(out, shape{v[0], v[1]}, divide)
	}
	return out
}

// Of makes the programs of some vectors alone, without division.
func Of(vectors [][2]int) []Program {
	var out []Program
	for _, v := range vectors {
		out = forShape(out, shape{v[0], v[1]}, false)
	}
	return out
}

func forShape(out []Program, s shape, divide bool) []Program {
	add := func(name string, res shape, body func(w *writer)) { out = append(out, program(name, s, res, body)) }
	t := s.text()
	bin := func(op string) {
		add(strings.ReplaceAll(op, " ", "-"), s, func(w *writer) { w.line("%%r = %s %s %%a, %%b", op, t) })
	}
	for _, op := range []string{"add", "sub", "mul", "and", "or", "xor"} {
		bin(op)
	}
	if divide && s.bits > 1 && s.bits <= 128 {
		for _, op := range []string{"udiv", "urem", "sdiv", "srem"} {
			add(op, s, func(w *writer) {
				// Not by zero, and not the least number by -1.
				w.line("%%c = lshr %s %%b, %s", t, s.splat(min(1, s.bits-1)))
				w.line("%%d = or %s %%c, %s", t, s.splat(1))
				w.line("%%e = lshr %s %%a, %s", t, s.splat(min(1, s.bits-1)))
				w.line("%%r = %s %s %%e, %%d", op, t)
			})
		}
	}
	low := 1 // a power of two that the width reaches
	for low*2 <= s.bits {
		low *= 2
	}
	for _, op := range []string{"shl", "lshr", "ashr"} {
		for _, k := range []int{0, 1, s.bits / 2, s.bits - 1} {
			if k >= s.bits {
				continue
			}
			add(fmt.Sprintf("%s-%d", op, k), s, func(w *writer) { w.line("%%r = %s %s %%a, %s", op, t, s.splat(k)) })
		}
		add(op, s, func(w *writer) {
			w.line("%%k = and %s %%b, %s", t, s.splat(low-1))
			w.line("%%r = %s %s %%a, %%k", op, t)
		})
	}
	for _, p := range []string{"eq", "ne", "ult", "ule", "ugt", "uge", "slt", "sle", "sgt", "sge"} {
		add("icmp-"+p, s.with(1), func(w *writer) { w.line("%%r = icmp %s %s %%a, %%b", p, t) })
	}
	add("select", s, func(w *writer) {
		w.line("%%c = icmp ult %s %%a, %%b", t)
		w.line("%%r = select %s %%c, %s %%b, %s %%a", s.with(1).text(), t, t)
	})
	add("freeze", s, func(w *writer) { w.line("%%r = freeze %s %%a", t) })
	for _, n := range Widths {
		if n > s.bits && n*max(s.elems, 1) <= 256 {
			for _, op := range []string{"zext", "sext"} {
				add(fmt.Sprintf("%s-%d", op, n), s.with(n), func(w *writer) { w.line("%%r = %s %s %%a to %s", op, t, s.with(n).text()) })
			}
		} else if n < s.bits {
			add(fmt.Sprintf("trunc-%d", n), s.with(n), func(w *writer) { w.line("%%r = trunc %s %%a to %s", t, s.with(n).text()) })
			add(fmt.Sprintf("sextinreg-%d", n), s, func(w *writer) {
				w.line("%%c = trunc %s %%a to %s", t, s.with(n).text())
				w.line("%%r = sext %s %%c to %s", s.with(n).text(), t)
			})
		}
	}
	out = intrinsics(out, s)
	if s.elems == 0 {
		return control(out, s)
	}
	return vectors(out, s)
}

// intrinsics adds the programs of the functions on integers.
func intrinsics(out []Program, s shape) []Program {
	t, sfx := s.text(), s.suffix()
	add := func(name string, res shape, body func(w *writer)) { out = append(out, program(name, s, res, body)) }
	for _, op := range []string{"smin", "smax", "umin", "umax", "uadd.sat", "usub.sat", "sadd.sat", "ssub.sat"} {
		add(op, s, func(w *writer) {
			w.declare("%s @llvm.%s.%s(%s, %s)", t, op, sfx, t, t)
			w.line("%%r = call %s @llvm.%s.%s(%s %%a, %s %%b)", t, op, sfx, t, t)
		})
	}
	for _, op := range []string{"abs", "ctlz", "cttz"} {
		add(op, s, func(w *writer) {
			w.declare("%s @llvm.%s.%s(%s, i1)", t, op, sfx, t)
			w.line("%%r = call %s @llvm.%s.%s(%s %%a, i1 false)", t, op, sfx, t)
		})
	}
	unary := []string{"ctpop", "bitreverse"}
	if s.bits%16 == 0 {
		unary = append(unary, "bswap")
	}
	for _, op := range unary {
		add(op, s, func(w *writer) {
			w.declare("%s @llvm.%s.%s(%s)", t, op, sfx, t)
			w.line("%%r = call %s @llvm.%s.%s(%s %%a)", t, op, sfx, t)
		})
	}
	for _, op := range []string{"fshl", "fshr"} {
		for _, k := range []int{0, 1, s.bits - 1} {
			add(fmt.Sprintf("%s-%d", op, k), s, func(w *writer) {
				w.declare("%s @llvm.%s.%s(%s, %s, %s)", t, op, sfx, t, t, t)
				w.line("%%r = call %s @llvm.%s.%s(%s %%a, %s %%b, %s %s)", t, op, sfx, t, t, t, s.splat(k))
			})
		}
	}
	for _, op := range []string{"uadd", "sadd", "usub", "ssub", "umul", "smul"} {
		b := s.with(1).text()
		add(op+".with.overflow", s, func(w *writer) {
			w.declare("{%s, %s} @llvm.%s.with.overflow.%s(%s, %s)", t, b, op, sfx, t, t)
			w.line("%%c = call {%s, %s} @llvm.%s.with.overflow.%s(%s %%a, %s %%b)", t, b, op, sfx, t, t)
			w.line("%%d = extractvalue {%s, %s} %%c, 0", t, b)
			w.line("%%o = extractvalue {%s, %s} %%c, 1", t, b)
			w.line("%%r = select %s %%o, %s %%a, %s %%d", b, t, t)
		})
	}
	return out
}

// control adds a PHI of a width, and memory of it.
func control(out []Program, s shape) []Program {
	t := s.text()
	out = append(out, program("phi", s, s, func(w *writer) {
		w.line("%%c = icmp ult %s %%a, %%b", t)
		w.b.WriteString("  br i1 %c, label %less, label %more\nless:\n")
		w.line("%%d = add %s %%a, 1", t)
		w.b.WriteString("  br label %end\nmore:\n")
		w.line("%%e = xor %s %%b, %%a", t)
		w.b.WriteString("  br label %end\nend:\n")
		w.line("%%r = phi %s [ %%d, %%less ], [ %%e, %%more ]", t)
	}))
	return append(out, program("memory", s, s, func(w *writer) {
		w.line("%%m = alloca %s", t)
		w.line("store %s %%a, ptr %%m", t)
		w.line("%%c = load %s, ptr %%m", t)
		w.line("%%m1 = alloca %s, align 1", t)
		w.line("store %s %%b, ptr %%m1, align 1", t)
		w.line("%%d = load %s, ptr %%m1, align 1", t)
		w.line("%%r = sub %s %%c, %%d", t)
	}))
}

// vectors adds the programs that move elements.
func vectors(out []Program, s shape) []Program {
	t, e := s.text(), shape{0, s.bits}
	add := func(name string, res shape, body func(w *writer)) { out = append(out, program(name, s, res, body)) }
	add("extract", e, func(w *writer) { w.line("%%r = extractelement %s %%a, i32 %d", t, s.elems-1) })
	add("insert", s, func(w *writer) {
		w.line("%%x = extractelement %s %%b, i32 0", t)
		w.line("%%r = insertelement %s %%a, %s %%x, i32 1", t, e.text())
	})
	add("extract-var", e, func(w *writer) {
		w.line("%%k = urem i32 %%n, %d", s.elems)
		w.line("%%r = extractelement %s %%a, i32 %%k", t)
	})
	add("insert-var", s, func(w *writer) {
		w.line("%%x = extractelement %s %%b, i32 0", t)
		w.line("%%k = urem i32 %%n, %d", s.elems)
		w.line("%%r = insertelement %s %%a, %s %%x, i32 %%k", t, e.text())
	})
	for _, n := range []int{s.elems, 2 * s.elems, max(1, s.elems-1)} {
		var mask []string
		for k := range n {
			mask = append(mask, fmt.Sprintf("i32 %d", (5*k+3)%(2*s.elems)))
		}
		add(fmt.Sprintf("shuffle-%d", n), shape{n, s.bits}, func(w *writer) {
			w.line("%%r = shufflevector %s %%a, %s %%b, <%d x i32> <%s>", t, t, n, strings.Join(mask, ", "))
		})
	}
	for _, op := range []string{"add", "mul", "and", "or", "xor", "smin", "smax", "umin", "umax"} {
		add("reduce-"+op, e, func(w *writer) {
			w.declare("%s @llvm.vector.reduce.%s.%s(%s)", e.text(), op, s.suffix(), t)
			w.line("%%r = call %s @llvm.vector.reduce.%s.%s(%s %%a)", e.text(), op, s.suffix(), t)
		})
	}
	return out
}

package irprep_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/codegen/irprep"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/interp"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/intrin"
	"github.com/mirin-go/mirin/ir/irtext"
	"github.com/mirin-go/mirin/ir/irverify"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86"
)

// writer makes a random function whose blocks share values: addresses,
// comparisons, masks, extensions and divisions used far from where they are made.
type writer struct {
	strings.Builder
	r     *rand.Rand
	n     int                 // values and blocks so far
	vals  map[string][]string // what is at hand, by type
	block string
}

func (w *writer) name() string { w.n++; return fmt.Sprintf("%%v%d", w.n) }

func (w *writer) pick(t string) string {
	if l := w.vals[t]; len(l) > 0 && w.r.IntN(8) > 0 {
		return l[w.r.IntN(len(l))]
	}
	switch t {
	case "i1":
		return []string{"true", "false"}[w.r.IntN(2)]
	case "ptr":
		return "@g"
	case "double":
		return fmt.Sprintf("%d.5", w.r.IntN(9))
	}
	if t == "i64" && w.r.IntN(3) == 0 { // more than an instruction holds
		return fmt.Sprint(0x123456789a + []int{0, 1, 60, 1 << 20, 1 << 31, 1 << 40}[w.r.IntN(6)])
	}
	return fmt.Sprint([]int{0, 1, -1, 2, 7, 8, 15, 100}[w.r.IntN(8)])
}

func (w *writer) def(t, format string, args ...any) string {
	v := w.name()
	fmt.Fprintf(w, "  %s = %s\n", v, fmt.Sprintf(format, args...))
	w.vals[t] = append(w.vals[t], v)
	return v
}

func (w *writer) oneOf(s ...string) string { return s[w.r.IntN(len(s))] }

// instr writes one instruction.
func (w *writer) instr() {
	t := w.oneOf("i32", "i64", "i64")
	switch w.r.IntN(16) {
	case 0, 1:
		w.def(t, "%s %s %s, %s", w.oneOf("add", "sub", "mul", "xor", "or", "add nsw", "add nuw"), t, w.pick(t), w.pick(t))
	case 2:
		w.def(t, "and %s %s, %s", t, w.pick(t), w.oneOf("8", "1", "-16", "255"))
	case 3:
		w.def("i1", "icmp %s %s %s, %s", w.oneOf("eq", "ne", "slt", "ugt"), t, w.pick(t), w.oneOf("0", "0", w.pick(t)))
	case 4, 5:
		// An index in range, scaled in one of several ways.
		i := w.def("i64", "and i64 %s, 31", w.pick("i64"))
		switch w.r.IntN(4) {
		case 0:
			i = w.def("i64", "add nuw nsw i64 %s, %d", i, w.r.IntN(8))
		case 1:
			i = w.def("i64", "shl i64 %s, %d", i, w.r.IntN(3))
		case 2:
			i = w.def("i64", "mul i64 %s, 3", i)
		}
		p := w.def("addr", "getelementptr %s, ptr @g, i64 %s", w.oneOf("i8", "i32", "i64", "[3 x i32]"), i)
		if w.r.IntN(2) == 0 {
			w.def("addr", "getelementptr i8, ptr %s, i64 %d", p, w.r.IntN(64))
		}
	case 6, 7:
		if len(w.vals["addr"]) > 0 {
			p := w.pick("addr")
			s := w.oneOf("i8", "i16", "i32", "i64")
			if p[0] != '%' {
				return
			}
			if w.r.IntN(3) == 0 {
				if s == "i32" || s == "i64" {
					fmt.Fprintf(w, "  store %s %s, ptr %s, align 1\n", s, w.pick(s), p)
				}
				return
			}
			v := w.def(s, "load %s, ptr %s, align 1", s, p)
			if s == "i8" || s == "i16" {
				w.vals["small"] = append(w.vals["small"], s+" "+v)
			}
		}
	case 8:
		if l := w.vals["small"]; len(l) > 0 {
			w.def(t, "%s %s to %s", w.oneOf("zext", "sext"), l[w.r.IntN(len(l))], t)
		}
	case 9, 10:
		d := w.def(t, "or %s %s, 1", t, w.pick(t))
		x := w.def(t, "lshr %s %s, %d", t, w.pick(t), w.r.IntN(30)+1)
		w.def(t, "%s %s %s, %s", w.oneOf("udiv", "urem", "sdiv", "srem"), t, x, d)
		if w.r.IntN(2) == 0 {
			w.def(t, "%s %s %s, %s", w.oneOf("udiv", "urem", "sdiv", "srem"), t, x, d)
		}
	case 11:
		c := w.pick("i1")
		if w.r.IntN(2) == 0 {
			c = w.def("i1", "icmp slt %s %s, %s", t, w.pick(t), w.pick(t))
			d := w.def(t, "or %s %s, 1", t, w.pick(t))
			x := w.def(t, "lshr %s %s, 1", t, w.pick(t))
			x = w.def(t, "udiv %s %s, %s", t, x, d)
			w.def(t, "select i1 %s, %s %s, %s %s", c, t, x, t, w.pick(t))
		}
		w.def(t, "select i1 %s, %s %s, %s %s%s", c, t, w.pick(t), t, w.pick(t), w.oneOf("", ", !prof !0"))
	case 12:
		w.def("i32", "trunc i64 %s to i32", w.pick("i64"))
		w.def("i64", "%s i32 %s to i64", w.oneOf("zext", "sext"), w.pick("i32"))
	case 13:
		if l := w.vals["addr"]; len(l) > 0 {
			v := w.def("i32", "call i32 @%s(ptr %s, ptr %s, i64 %d)", w.oneOf("memcmp", "bcmp"), l[w.r.IntN(len(l))], w.oneOf("@g", "@k"), 1+w.r.IntN(40))
			w.vals["i32"] = w.vals["i32"][:len(w.vals["i32"])-1]
			// The value of bcmp and the size of memcmp's are not defined: signs and zero are.
			if w.r.IntN(2) == 0 {
				w.def("i1", "icmp %s i32 %s, 0", w.oneOf("eq", "ne"), v)
			} else {
				w.def("i1", "icmp eq i32 %s, 0", v)
			}
		}
	case 14:
		x := w.def("double", "sitofp i32 %s to double", w.pick("i32"))
		r := w.def("double", "call double @sqrt(double %s)", x)
		w.def("i1", "fcmp ogt double %s, 3.0", r)
	case 15:
		if l := w.vals["addr"]; len(l) > 0 {
			w.def("i1", "icmp ult ptr %s, getelementptr (i8, ptr @g, i64 100)", l[w.r.IntN(len(l))])
		}
	}
}

// label starts a block.
func (w *writer) label(l string) { w.block = l; fmt.Fprintf(w, "%s:\n", l[1:]) }

func (w *writer) newLabel() string { w.n++; return fmt.Sprintf("%%b%d", w.n) }

// scope runs do and forgets what it has defined.
func (w *writer) scope(do func()) {
	old := map[string]int{}
	for t, l := range w.vals {
		old[t] = len(l)
	}
	do()
	for t, l := range w.vals {
		w.vals[t] = l[:old[t]]
	}
}

// region writes code that begins in the current block and ends in one.
func (w *writer) region(depth int) {
	for range 1 + w.r.IntN(6) {
		w.instr()
		if depth > 0 && w.r.IntN(3) == 0 {
			w.nested(depth - 1)
		}
	}
}

func (w *writer) nested(depth int) {
	switch w.r.IntN(5) {
	case 4:
		w.chain()
	case 0: // a loop
		head, body, exit := w.newLabel(), w.newLabel(), w.newLabel()
		from := w.block
		i, next := w.name(), w.name()
		fmt.Fprintf(w, "  br label %s\n", head)
		w.label(head)
		fmt.Fprintf(w, "@PHI%s@\n", head)
		w.vals["i64"] = append(w.vals["i64"], i)
		c := w.name()
		fmt.Fprintf(w, "  %s = icmp ult i64 %s, %d\n  br i1 %s, label %s, label %s\n", c, i, 1+w.r.IntN(4), c, body, exit)
		w.scope(func() {
			w.label(body)
			w.region(depth)
			fmt.Fprintf(w, "  %s = add i64 %s, 1\n  br label %s\n", next, i, head)
		})
		s := strings.Replace(w.String(), "@PHI"+head+"@\n", fmt.Sprintf("  %s = phi i64 [ 0, %s ], [ %s, %s ]\n", i, from, next, w.block), 1)
		w.Reset()
		w.WriteString(s)
		w.label(exit)
	case 1: // a switch
		end, def := w.newLabel(), w.newLabel()
		n := 1 + w.r.IntN(3)
		var ls, in []string
		fmt.Fprintf(w, "  switch i32 %s, label %s [\n", w.pick("i32"), def)
		for k := range n {
			ls = append(ls, w.newLabel())
			fmt.Fprintf(w, "    i32 %d, label %s\n", k*k, ls[k])
		}
		fmt.Fprintf(w, "  ]\n")
		for _, l := range append(ls, def) {
			w.scope(func() {
				w.label(l)
				if w.r.IntN(3) > 0 {
					w.region(depth)
				}
				in = append(in, fmt.Sprintf("[ %s, %s ]", w.pick("i64"), w.block))
				fmt.Fprintf(w, "  br label %s\n", end)
			})
		}
		w.label(end)
		w.def("i64", "phi i64 %s", strings.Join(in, ", "))
	default: // one way or the other, either of which may be empty
		yes, no, end := w.newLabel(), w.newLabel(), w.newLabel()
		fmt.Fprintf(w, "  br i1 %s, label %s, label %s\n", w.pick("i1"), yes, no)
		var in []string
		for _, l := range []string{yes, no} {
			w.scope(func() {
				w.label(l)
				if w.r.IntN(3) > 0 {
					w.region(depth)
				}
				in = append(in, fmt.Sprintf("[ %s, %s ]", w.pick("i64"), w.block))
				fmt.Fprintf(w, "  br label %s\n", end)
			})
		}
		w.label(end)
		if w.r.IntN(2) == 0 {
			w.def("i64", "phi i64 %s", strings.Join(in, ", "))
		}
	}
}

// chain compares fields of two structures one after the other.
func (w *writer) chain() {
	end := w.newLabel()
	x, y := "@g", w.oneOf("@z", "@z", "@k", "@g")
	n := 2 + w.r.IntN(4)
	var in []string
	at := w.r.IntN(8)
	offs, sizes := make([]int, n), make([]string, n)
	for k := range n {
		sizes[k], offs[k] = w.oneOf("i8", "i16", "i32", "i64"), at
		at += map[string]int{"i8": 1, "i16": 2, "i32": 4, "i64": 8}[sizes[k]] + w.r.IntN(8)/7
	}
	order := w.r.Perm(n)
	if w.r.IntN(2) == 0 {
		slices.Sort(order)
	}
	for k, o := range order {
		if k == 0 && w.r.IntN(2) == 0 {
			w.instr() // may be work in the middle of the first comparison
		}
		a, b, c := w.name(), w.name(), w.name()
		if w.r.IntN(2) == 0 {
			x, y = y, x
		}
		field := func(base string) string {
			if offs[o] == 0 {
				return base
			}
			v := w.name()
			fmt.Fprintf(w, "  %s = getelementptr i8, ptr %s, i64 %d\n", v, base, offs[o])
			return v
		}
		fmt.Fprintf(w, "  %s = load %s, ptr %s, align 1\n", a, sizes[o], field(x))
		p := field(y)
		if k == 0 && w.r.IntN(2) == 0 {
			w.instr()
		}
		fmt.Fprintf(w, "  %s = load %s, ptr %s, align 1\n", b, sizes[o], p)
		if k == n-1 {
			fmt.Fprintf(w, "  %s = icmp eq %s %s, %s\n  br label %s\n", c, sizes[o], a, b, end)
			in = append(in, fmt.Sprintf("[ %s, %s ]", c, w.block))
			break
		}
		next := w.newLabel()
		if w.r.IntN(2) == 0 {
			fmt.Fprintf(w, "  %s = icmp eq %s %s, %s\n  br i1 %s, label %s, label %s\n", c, sizes[o], a, b, c, next, end)
		} else {
			fmt.Fprintf(w, "  %s = icmp ne %s %s, %s\n  br i1 %s, label %s, label %s\n", c, sizes[o], a, b, c, end, next)
		}
		in = append(in, fmt.Sprintf("[ false, %s ]", w.block))
		w.label(next)
	}
	w.label(end)
	w.r.Shuffle(len(in), func(i, j int) { in[i], in[j] = in[j], in[i] })
	w.def("i1", "phi i1 %s", strings.Join(in, ", "))
}

// randomFunction is the text of a module with a function of two numbers.
func randomFunction(seed uint64) string {
	w := &writer{r: rand.New(rand.NewPCG(seed, 1)), vals: map[string][]string{"i64": {"%a"}, "i32": {"%b"}}}
	w.WriteString("target triple = \"x86_64-unknown-linux-gnu\"\n@g = global [1024 x i8] zeroinitializer\n@z = global [1024 x i8] zeroinitializer\n" +
		"@k = constant [48 x i8] c\"" + strings.Repeat("abcdef\\00\\00", 6) + "\"\n" +
		"declare i32 @memcmp(ptr, ptr, i64)\ndeclare i32 @bcmp(ptr, ptr, i64)\ndeclare double @sqrt(double)\n" +
		"define i64 @f(i64 %a, i32 %b) \"tune-cpu\"=\"generic\" {\n")
	w.label("%entry")
	w.region(3)
	w.region(3)
	x := w.pick("i64")
	// What is in memory counts too.
	v := w.name()
	fmt.Fprintf(w, "  %s = load i64, ptr getelementptr (i8, ptr @g, i64 24), align 1\n  %s1 = add i64 %s, %s\n  ret i64 %s1\n}\n!0 = !{!\"branch_weights\", i32 1, i32 1000}\n", v, v, v, x, v)
	return w.String()
}

// prepare runs the passes over IR on all functions of a module.
func prepare(t *testing.T, m *ir.Module) {
	t.Helper()
	machine, err := target.NewMachine(&x86.Target, target.Options{Triple: m.Triple, Opt: 2})
	if err != nil {
		t.Fatal(err)
	}
	c := &pass.Context{Machine: machine, Module: m, Opt: 2}
	for id := ir.GlobalID(1); int(id) < len(m.Globals); id++ {
		g := m.Globals[id]
		if g.Func == nil {
			continue
		}
		if c.Subtarget, err = machine.Subtarget(g, m); err != nil {
			t.Fatal(err)
		}
		f := mir.NewFunction(g.Name, machine.Facts)
		f.Module, f.IR = m, g.Func
		for _, p := range []*pass.Pass{&irprep.AtomicExpand, &irprep.LoopReduce, &irprep.MergeICmps, &irprep.ExpandMemCmp, &irprep.ConstantHoisting, &irprep.PartiallyInlineLibCalls, &irprep.ScalarizeMasked, &irprep.CodeGenPrepare} {
			if err := p.Run(c, f); err != nil {
				t.Fatal(err)
			}
		}
		if f.HasOwnIR() {
			body := f.IR.Compact()
			intrin.Declare(body)
			m.SetBody(id, body)
		}
	}
}

var functions = flag.Uint64("functions", 100, "how many random functions TestRandom makes")

// TestRandom: what the passes make of random functions is IR, and means the
// same wherever the function had a meaning.
func TestRandom(t *testing.T) { sameMeaning(t, randomFunction, numbers) }

// numbers are arguments of random functions.
var numbers = [][]interp.Value{
	{{}, {}}, {{Bits: 1}, {Bits: 1}}, {{Bits: 5}, {Bits: 4}}, {{Bits: 1 << 33}, {Bits: 100}},
	{{Bits: ^uint64(0)}, {Bits: 1<<32 - 1}}, {{Bits: 0x123456789abc}, {Bits: 9}},
}

// sameMeaning runs functions before and after the passes.
func sameMeaning(t *testing.T, function func(seed uint64) string, inputs [][]interp.Value) {
	n := *functions
	ran := 0
	for seed := range n {
		text := function(seed)
		parse := func() *ir.Module {
			m, err := irtext.Parse("random.ll", []byte(text), irtext.Options{Jobs: 1})
			if err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, text)
			}
			return m
		}
		m, after := parse(), parse()
		if report := irverify.Module(m); report != "" {
			t.Fatalf("seed %d: the generator is wrong: %s\n%s", seed, report, text)
		}
		prepare(t, after)
		if report := irverify.Module(after); report != "" {
			t.Fatalf("seed %d: %s\n%s\nbecame\n%s", seed, report, text, irtext.AppendModule(nil, after))
		}
		for _, args := range inputs {
			want, err := call(m, args)
			if err != nil {
				continue // no meaning, or no end
			}
			ran++
			got, err := call(after, args)
			if err != nil || len(want) == 1 && len(got) == 1 && !want[0].Poison && want[0].Undef == 0 && got[0] != want[0] {
				t.Fatalf("seed %d, arguments %v: %v %v, want %v\n%s\nbecame\n%s", seed, args, got, err, want, text, irtext.AppendModule(nil, after))
			}
		}
	}
	if ran < int(n) {
		t.Errorf("%d runs of %d functions had a meaning: too few", ran, n)
	}
}

func call(m *ir.Module, args []interp.Value) ([]interp.Value, error) {
	vm, err := interp.New(m, interp.Options{Fuel: 200_000})
	if err != nil {
		return nil, err
	}
	return vm.Call("f", args...)
}

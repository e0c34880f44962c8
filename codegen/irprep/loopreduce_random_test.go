package irprep_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/interp"
)

// loopWriter makes functions whose loops count in many ways: up, down, by
// several, in narrow and wide numbers and with pointers, from constants, arguments
// and counters of the loop around, and whose values are read by accesses,
// comparisons, arithmetic and code behind the loop.
type loopWriter struct {
	strings.Builder
	r    *rand.Rand
	n    int
	vals map[string][]string // by type, what is at hand
	// poison: flags that do not hold are frequent, and loops whose first round ends
	// them step by what may be poison.
	poison bool
}

func (w *loopWriter) name() string { w.n++; return fmt.Sprintf("%%v%d", w.n) }

func (w *loopWriter) oneOf(s ...string) string { return s[w.r.IntN(len(s))] }

func (w *loopWriter) pick(t string) string {
	if l := w.vals[t]; len(l) > 0 && w.r.IntN(5) > 0 {
		return l[w.r.IntN(len(l))]
	}
	if t == "ptr" {
		return "@g"
	}
	return fmt.Sprint([]int{0, 1, -1, 2, 3, 5, 8, 12, 40, -7}[w.r.IntN(10)])
}

func (w *loopWriter) def(t, format string, args ...any) string {
	v := w.name()
	fmt.Fprintf(w, "  %s = %s\n", v, fmt.Sprintf(format, args...))
	w.vals[t] = append(w.vals[t], v)
	return v
}

// body writes what reads what is at hand.
func (w *loopWriter) body() {
	for range 1 + w.r.IntN(6) {
		t := w.oneOf("i64", "i64", "i32", "i16")
		switch w.r.IntN(11) {
		case 0, 1:
			op := w.oneOf("add", "add", "sub", "add nsw", "add nuw", "mul", "shl")
			if w.poison {
				op = w.oneOf("add", "add nsw", "add nuw", "sub nuw", "sub nsw", "add nuw nsw", "mul nuw", "shl nsw")
			}
			x := w.pick(t)
			if strings.HasPrefix(op, "mul") || op == "shl" {
				w.def(t, "%s %s %s, %d", op, t, x, 1+w.r.IntN(6))
			} else {
				w.def(t, "%s %s %s, %s", op, t, x, w.pick(t))
			}
		case 2:
			w.def("i64", "%s i32 %s to i64", w.oneOf("sext", "zext"), w.pick("i32"))
		case 3:
			w.def("i32", "trunc i64 %s to i32", w.pick("i64"))
		case 4:
			w.def("i32", "%s i16 %s to i32", w.oneOf("sext", "zext"), w.pick("i16"))
		case 5, 6, 7:
			// An access, in range whatever the index is, or where the pointer walks.
			var p string
			if l := w.vals["walk"]; len(l) > 0 && w.r.IntN(2) == 0 {
				p = l[w.r.IntN(len(l))]
			} else {
				p = w.def("inner", "getelementptr %s, ptr getelementptr (i8, ptr @g, i64 32768), i64 %s", w.oneOf("i8", "i32", "i64", "[3 x i32]"), w.pick("small"))
			}
			if w.r.IntN(3) == 0 {
				p = w.def("inner", "getelementptr i8, ptr %s, i64 %d", p, 8*w.r.IntN(9)-32)
			}
			if w.r.IntN(2) == 0 {
				fmt.Fprintf(w, "  store %s %s, ptr %s, align 1\n", t, w.pick(t), p)
			} else {
				w.def(t, "load %s, ptr %s, align 1", t, p)
			}
		case 8:
			c := w.def("i1", "icmp %s %s %s, %s", w.oneOf("eq", "ne", "slt", "ugt"), t, w.pick(t), w.pick(t))
			w.def(t, "select i1 %s, %s %s, %s %s", c, t, w.pick(t), t, w.pick(t))
		case 9:
			if l := w.vals["walk"]; len(l) > 0 {
				c := w.def("i1", "icmp %s ptr %s, %s", w.oneOf("eq", "ne", "ult"), l[w.r.IntN(len(l))], l[w.r.IntN(len(l))])
				w.def("i32", "zext i1 %s to i32", c)
			}
		case 10:
			if l := w.vals["walk"]; len(l) > 1 {
				a := w.def("int", "ptrtoint ptr %s to i64", l[w.r.IntN(len(l))])
				b := w.def("int", "ptrtoint ptr %s to i64", l[w.r.IntN(len(l))])
				w.def("i64", "sub i64 %s, %s", a, b)
			}
		}
	}
}

// loop writes a loop that is reached from block from, and returns the block behind it.
func (w *loopWriter) loop(from string, depth int) string {
	w.n++
	id := w.n
	head, exit := fmt.Sprintf("%%h%d", id), fmt.Sprintf("%%x%d", id)
	bound := 1 + w.r.IntN(6)
	// Where the loop may be passed by, there is no block of its own before it.
	guarded := w.r.IntN(3) == 0
	var inPhis []string
	if guarded {
		c := w.def("i1", "icmp ne i64 %s, 3", w.pick("i64"))
		fmt.Fprintf(w, "  br i1 %s, label %s, label %s\n", c, head, exit)
	} else {
		fmt.Fprintf(w, "  br label %s\n", head)
	}
	kept := map[string]int{}
	for t, l := range w.vals {
		kept[t] = len(l)
	}
	fmt.Fprintf(w, "%s:\n", head[1:])
	type counter struct{ name, next, typ, step, start string }
	var cs []counter
	for range 1 + w.r.IntN(4) {
		t := w.oneOf("i64", "i64", "i32", "i16", "ptr")
		c := counter{name: w.name(), next: w.name(), typ: t, start: w.pick(t), step: w.oneOf("1", "1", "-1", "2", "4", "-3", "24")}
		if t == "ptr" {
			c.start = "getelementptr (i8, ptr @g, i64 32768)"
			if l := w.vals["walk"][:kept["walk"]]; len(l) > 0 && w.r.IntN(2) == 0 {
				c.start = l[w.r.IntN(len(l))]
			}
		} else if w.r.IntN(6) == 0 {
			if l := w.vals[t][:kept[t]]; len(l) > 0 {
				c.step = l[w.r.IntN(len(l))]
			}
		}
		cs = append(cs, c)
	}
	// The counter that ends the loop takes few rounds and indexes accesses.
	main := counter{name: w.name(), next: w.name(), typ: "i64", step: "1", start: "0"}
	down := w.r.IntN(3) == 0
	if down {
		main.step, main.start = "-1", fmt.Sprint(bound)
	}
	once := w.poison && w.r.IntN(4) == 0
	if once {
		main.step = w.pick("i64")
	}
	cs = append(cs, main)
	fmt.Fprintf(w, "@PHI%d@\n", id)
	for _, c := range cs {
		if c.typ == "ptr" {
			w.vals["walk"] = append(w.vals["walk"], c.name)
		} else {
			w.vals[c.typ] = append(w.vals[c.typ], c.name)
		}
	}
	w.vals["small"] = append(w.vals["small"], main.name)
	if w.r.IntN(2) == 0 {
		w.vals["small"] = append(w.vals["small"], w.def("i64", "add nsw i64 %s, %d", main.name, w.r.IntN(9)-4))
	}
	w.body()
	block := head
	if depth > 0 && w.r.IntN(2) == 0 {
		block = w.loop(block, depth-1)
		w.body()
	}
	late := w.r.IntN(2) == 0 // steps stand behind or before the comparison
	steps := func() {
		for _, c := range cs {
			switch {
			case c.typ == "ptr":
				fmt.Fprintf(w, "  %s = getelementptr %s, ptr %s, i64 %s\n", c.next, w.oneOf("i8", "i32"), c.name, c.step)
			case c.name == main.name:
				fmt.Fprintf(w, "  %s = add nsw i64 %s, %s\n", c.next, c.name, c.step)
			default:
				flags := w.oneOf("", "", "nsw ", "nuw ")
				if w.poison {
					flags = w.oneOf("", "nsw ", "nuw ", "nuw nsw ")
				}
				fmt.Fprintf(w, "  %s = add %s%s %s, %s\n", c.next, flags, c.typ, c.name, c.step)
			}
		}
	}
	if !late {
		steps()
	}
	cond := w.name()
	read, end := main.next, bound
	if late || once || w.r.IntN(2) == 0 {
		read = main.name
	}
	pred := w.oneOf("ne", "slt", "ult")
	if down {
		pred, end = w.oneOf("ne", "sgt"), w.r.IntN(bound)
	}
	if end > bound {
		end = bound
	}
	if once {
		// The first round is the last, whatever the step is.
		pred = "ne"
		if end = 0; down {
			end = bound
		}
	}
	fmt.Fprintf(w, "  %s = icmp %s i64 %s, %d\n", cond, pred, read, end)
	if late {
		steps()
	}
	fmt.Fprintf(w, "  br i1 %s, label %s, label %s\n", cond, head, exit)
	// The PHIs are known now.
	var phis strings.Builder
	for _, c := range cs {
		fmt.Fprintf(&phis, "  %s = phi %s [ %s, %s ], [ %s, %s ]\n", c.name, c.typ, c.start, from, c.next, block)
	}
	s := strings.Replace(w.String(), fmt.Sprintf("@PHI%d@\n", id), phis.String(), 1)
	w.Reset()
	w.WriteString(s)
	out := map[string][]string{}
	for t, l := range w.vals {
		if !guarded {
			break
		}
		out[t], w.vals[t] = l[kept[t]:], l[:kept[t]]
	}
	fmt.Fprintf(w, "%s:\n", exit[1:])
	if guarded {
		for _, t := range []string{"i64", "i32"} {
			if l := out[t]; len(l) > 0 {
				// Only what the last block computes on all ways to its end is at hand.
				v := main.name
				if t != "i64" {
					v = ""
					for _, c := range cs {
						if c.typ == t {
							v = c.next
						}
					}
				}
				if v != "" {
					inPhis = append(inPhis, fmt.Sprintf("phi %s [ %s, %s ], [ %s, %s ]", t, w.pick(t), from, v, block))
					w.def(t, "%s", inPhis[len(inPhis)-1])
				}
			}
		}
	} else {
		for _, c := range cs {
			if c.typ != "ptr" && w.r.IntN(2) == 0 {
				w.vals[c.typ] = append(w.vals[c.typ], c.next)
			}
		}
	}
	return exit
}

// loopFunction is the text of a module with a function of loops. What cannot be
// known to have a meaning is left to the interpreter to tell.
func loopFunction(seed uint64) string { return loops(seed, false) }

func loops(seed uint64, poison bool) string {
	w := &loopWriter{r: rand.New(rand.NewPCG(seed, 2)), poison: poison, vals: map[string][]string{"i64": {"%a"}, "i32": {"%b"}, "small": {"7"}}}
	w.WriteString("target datalayout = \"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128\"\n" +
		"target triple = \"x86_64-unknown-linux-gnu\"\n@g = global [65536 x i8] zeroinitializer\n" +
		"define i64 @f(i64 %a, i32 %b) {\nentry:\n")
	block := "%entry"
	for range 1 + w.r.IntN(2) {
		block = w.loop(block, 2)
	}
	x, y, v := w.pick("i64"), w.pick("i32"), w.name()
	if poison {
		// Memory says which values were poison; most of these may be.
		fmt.Fprintf(w, "  %s = load i64, ptr getelementptr (i8, ptr @g, i64 %d), align 1\n  ret i64 %s\n}\n", v, 32768+8*w.r.IntN(8)-16, v)
		return w.String()
	}
	fmt.Fprintf(w, "  %s0 = load i64, ptr getelementptr (i8, ptr @g, i64 32776), align 1\n  %s1 = zext i32 %s to i64\n"+
		"  %s2 = add i64 %s0, %s1\n  %s3 = add i64 %s2, %s\n  ret i64 %s3\n}\n", v, v, y, v, v, v, v, v, x, v)
	return w.String()
}

// TestRandomLoops is TestRandom for functions of loops.
func TestRandomLoops(t *testing.T) { sameMeaning(t, loopFunction, numbers) }

// TestPoisonLoops is TestRandomLoops with arguments and flags that make poison
// and undef: what was defined is the same afterwards.
func TestPoisonLoops(t *testing.T) {
	sameMeaning(t, func(seed uint64) string { return loops(seed, true) }, [][]interp.Value{
		{{Poison: true}, {Poison: true}}, {{Poison: true}, {Bits: 100}}, {{Bits: 5}, {Poison: true}},
		{{Undef: ^uint64(0)}, {Bits: 3}}, {{Bits: 7}, {Undef: 1<<32 - 1}}, {{Bits: 1<<63 - 2}, {Bits: 1<<31 - 1}}, {{Bits: ^uint64(0)}, {Bits: 1<<32 - 2}},
	})
}

package globalisel_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/mirin-go/mirin"
	"github.com/mirin-go/mirin/internal/oddwidth"
)

// bitcasts makes programs that move floating-point numbers about: constants,
// loads, bit casts, selects and PHIs, stored, cast to integers or, seldom, added.
type bitcasts struct {
	r        *rand.Rand
	b        strings.Builder
	next     int
	fp, word string
	// moved are values of any bits, numbers those that are never NaN, so that sums
	// have the bits that every machine gives them; ints are of the same width.
	moved, numbers, ints, conds []string
}

func (g *bitcasts) pick(from []string) string { return from[g.r.IntN(len(from))] }

// line writes an instruction and returns its result.
func (g *bitcasts) line(format string, args ...any) string {
	g.next++
	name := fmt.Sprintf("%%v%d", g.next)
	fmt.Fprintf(&g.b, "  %s = %s\n", name, fmt.Sprintf(format, args...))
	return name
}

// step writes one instruction that is executed always.
func (g *bitcasts) step() {
	slot := g.r.IntN(4)
	place := func() string { return g.line("getelementptr i64, ptr %%buf, i32 %d", slot) }
	switch g.r.IntN(10) {
	case 0, 1:
		fmt.Fprintf(&g.b, "  store %s %s, ptr %s\n", g.fp, g.pick(g.moved), place())
	case 2:
		g.moved = append(g.moved, g.line("load %s, ptr %s", g.fp, place()))
	case 3:
		g.moved = append(g.moved, g.line("bitcast %s %s to %s", g.word, g.pick(g.ints), g.fp))
	case 4:
		g.ints = append(g.ints, g.line("bitcast %s %s to %s", g.fp, g.pick(g.moved), g.word))
	case 5, 6:
		g.moved = append(g.moved, g.line("select i1 %s, %s %s, %s %s", g.pick(g.conds), g.fp, g.pick(g.moved), g.fp, g.pick(g.moved)))
	case 7:
		v := g.line("fadd %s %s, %s", g.fp, g.pick(g.numbers), g.pick(g.numbers))
		g.moved, g.numbers = append(g.moved, v), append(g.numbers, v)
	case 8:
		g.ints = append(g.ints, g.line("xor %s %s, %s", g.word, g.pick(g.ints), g.pick(g.ints)))
	case 9:
		g.conds = append(g.conds, g.line("icmp slt %s %s, %s", g.word, g.pick(g.ints), g.pick(g.ints)),
			g.line("fcmp %s %s %s, %s", g.pick([]string{"olt", "oeq", "une", "ugt"}), g.fp, g.pick(g.numbers), g.pick(g.numbers)))
	}
}

// arm writes a block that ends in a branch to where its values are joined.
func (g *bitcasts) arm(name string, n int) (values []string) {
	moved, numbers, ints, conds := g.moved, g.numbers, g.ints, g.conds
	fmt.Fprintf(&g.b, "%s:\n", name)
	for range g.r.IntN(4) {
		g.step()
	}
	for range n {
		values = append(values, g.pick(g.moved))
	}
	fmt.Fprintf(&g.b, "  br label %%join%s\n", name[1:])
	g.moved, g.numbers, g.ints, g.conds = moved, numbers, ints, conds
	return values
}

func (g *bitcasts) program(name string) oddwidth.Program {
	constants := []string{"0.0", "-0.0", "1.5", "-2.0", "1.0e+10", "0.125"}
	g.moved, g.numbers, g.ints, g.conds = append(g.moved, constants...), append(g.numbers, constants...), []string{"%w", "0", "-1", "1069547520"}, []string{"%c"}
	fmt.Fprintf(&g.b, "define i32 @f(i32 %%n) {\n  %%buf = alloca [4 x i64]\n")
	for k := range 4 {
		fmt.Fprintf(&g.b, "  %%p%d = getelementptr i64, ptr %%buf, i32 %d\n  store i64 %d, ptr %%p%d\n", k, k, k*0x1234567, k)
	}
	widen := "add i32 %n, 0"
	if g.word == "i64" {
		widen = "sext i32 %n to i64"
	}
	fmt.Fprintf(&g.b, "  %%w = %s\n  %%c = icmp sgt i32 %%n, 3\n", widen)
	for k := range 4 {
		for range 3 + g.r.IntN(6) {
			g.step()
		}
		fmt.Fprintf(&g.b, "  br i1 %s, label %%a%d, label %%b%d\n", g.pick(g.conds), k, k)
		const joined = 3
		x, y := g.arm(fmt.Sprintf("a%d", k), joined), g.arm(fmt.Sprintf("b%d", k), joined)
		fmt.Fprintf(&g.b, "join%d:\n", k)
		for j := range joined {
			g.moved = append(g.moved, g.line("phi %s [ %s, %%a%d ], [ %s, %%b%d ]", g.fp, x[j], k, y[j], k))
		}
	}
	fmt.Fprintf(&g.b, "  store %s %s, ptr %%p0\n  store %s %s, ptr %%p3\n", g.fp, g.pick(g.moved), g.fp, g.pick(g.moved))
	sum := "0"
	for k := range 4 {
		v := g.line("load i64, ptr %%p%d", k)
		sum = g.line("xor i64 %s, %s", g.line("mul i64 %s, 31", sum), v)
	}
	high := g.line("trunc i64 %s to i32", g.line("lshr i64 %s, 32", sum))
	fmt.Fprintf(&g.b, "  ret i32 %s\n}\n", g.line("xor i32 %s, %s", high, g.line("trunc i64 %s to i32", sum)))
	return oddwidth.Program{Name: name, Source: g.b.String()}
}

// TestBitCasts compares random programs that move floating-point numbers through
// both register banks with the interpreter.
func TestBitCasts(t *testing.T) {
	if runtime.GOARCH != "amd64" || runtime.GOOS != "linux" {
		t.Skip("needs an x86-64 Linux to run what it compiles")
	}
	n := 100
	if testing.Short() {
		n = 20
	}
	for k := range n {
		g := bitcasts{r: rand.New(rand.NewPCG(uint64(k), 12)), fp: "double", word: "i64"}
		if k%2 == 0 {
			g.fp, g.word = "float", "i32"
		}
		runOddWidth(t, g.program(fmt.Sprintf("bitcasts%d", k)), mirin.O2)
	}
}

package scaling

import (
	"fmt"
	"strings"

	"github.com/mirin-go/mirin/target/all"
)

// shape makes IR of one shape. Its text grows linearly with n.
type shape struct {
	name string
	n    int // the smaller size of a normal run
	// o3 is that at -O3, if not n: beyond a cap that LLVM has, up to which work grows faster.
	o3 int
	// plain shapes are compiled at -O0 too: what they are about is done otherwise there.
	plain bool
	make  func(b *strings.Builder, n int)
}

// shapes lists all of them.
var shapes = []shape{
	{"chain", 1500, 0, true, chain},
	{"live", 800, 0, true, live},
	{"diamonds", 300, 0, false, diamonds},
	// So many that what is looked at for each value and each condition within is most of the work.
	{"conditions", 600, 0, false, func(b *strings.Builder, n int) { conditions(b, n, false) }},
	{"conditions-else", 600, 0, false, func(b *strings.Builder, n int) { conditions(b, n, true) }},
	{"nest", 150, 0, false, nest},
	{"nest-diamonds", 100, 0, false, nestDiamonds},
	// So many that after placement a tail is merged, and the layout made again, at both sizes.
	{"switch-dense", 600, 0, true, func(b *strings.Builder, n int) { choose(b, n, 1) }},
	{"switch-sparse", 300, 0, true, func(b *strings.Builder, n int) { choose(b, n, 1001) }},
	{"switch-shared", 600, 0, false, shared},
	// Beyond the joins after which the coalescer leaves a long register alone, as LLVM's does.
	{"phi-preds", 1600, 0, false, phiPreds},
	{"phis", 600, 0, true, phis},
	{"phis-two", 600, 0, true, phisTwo},
	{"phi-dead", 300, 0, false, phiDead},
	{"calls", 300, 0, false, calls},
	{"arguments", 300, 0, false, arguments},
	{"allocas", 500, 0, false, allocas},
	{"constants", 800, 0, true, constants},
	{"floats", 500, 0, false, floats},
	{"globals", 500, 0, false, globals},
	{"functions", 250, 0, false, functions},
	{"tables", 40, 0, false, tables},
	// At -O3 beyond the accesses that the scheduler tells apart (-dag-maps-huge-region): each load
	// stands before each store.
	{"aggregate", 250, 1000, true, aggregate},
	{"irreducible", 200, 0, false, irreducible},
	{"empty-blocks", 500, 0, false, emptyBlocks},
	{"wide-integers", 500, 0, true, wide},
	{"invokes", 120, 0, false, invokes},
	// At -O3 beyond the joins after which the coalescer leaves a long register alone, too.
	{"landing-pad", 500, 1000, false, landingPad},
	{"addresses", 500, 0, false, addresses},
	{"compares", 400, 0, false, compares},
	{"memory", 600, 0, false, memory},
	{"indirectbr", 200, 0, true, indirect},
	{"asm", 300, 0, false, inlineAsm},
}

// Source is the module of the shape called name at size n, false when there is none.
func Source(name string, n int) (string, bool) {
	for _, s := range shapes {
		if s.name == name {
			return source(s, n, all.DefaultTriple), true
		}
	}
	return "", false
}

// source is the module of a shape for a target.
func source(s shape, n int, triple string) string {
	var b strings.Builder
	b.WriteString("target triple = \"" + triple + "\"\ndeclare i32 @g(i32, ptr)\ndeclare i32 @pers(...)\n")
	s.make(&b, n)
	return b.String()
}

// chain is one block where each instruction needs the one before.
func chain(b *strings.Builder, n int) {
	b.WriteString("define i32 @f(i32 %x, i32 %y) {\n  %v0 = add i32 %x, %y\n")
	for k := range n {
		fmt.Fprintf(b, "  %%v%d = %s i32 %%v%d, %s\n", k+1, []string{"add", "xor", "mul", "sub"}[k%4], k, []string{"%x", "%y", "77"}[k%3])
	}
	fmt.Fprintf(b, "  ret i32 %%v%d\n}\n", n)
}

// live makes n values first and needs them all afterwards: nearly all are spilled.
func live(b *strings.Builder, n int) {
	b.WriteString("define i64 @f(ptr %p) {\n")
	for k := range n {
		fmt.Fprintf(b, "  %%p%d = getelementptr i64, ptr %%p, i64 %d\n  %%v%d = load volatile i64, ptr %%p%d\n", k, k, k, k)
	}
	b.WriteString("  %s0 = add i64 0, 1\n")
	for k := range n {
		fmt.Fprintf(b, "  %%s%d = xor i64 %%s%d, %%v%d\n", k+1, k, k)
	}
	fmt.Fprintf(b, "  ret i64 %%s%d\n}\n", n)
}

// diamonds is a row of conditions with two sides each.
func diamonds(b *strings.Builder, n int) {
	b.WriteString("define i32 @f(i32 %x) {\nentry:\n  br label %h0\n")
	for k := range n {
		prev := "%x"
		if k > 0 {
			prev = fmt.Sprintf("%%m%d", k-1)
		}
		from := "%entry"
		if k > 0 {
			from = fmt.Sprintf("%%j%d", k-1)
		}
		fmt.Fprintf(b, "h%d:\n  %%v%d = phi i32 [ %s, %s ]\n  %%c%d = icmp ult i32 %%v%d, %d\n  br i1 %%c%d, label %%a%d, label %%b%d\n", k, k, prev, from, k, k, k*7, k, k, k)
		fmt.Fprintf(b, "a%d:\n  %%s%d = add i32 %%v%d, 3\n  br label %%j%d\nb%d:\n  %%t%d = mul i32 %%v%d, 5\n  br label %%j%d\n", k, k, k, k, k, k, k, k)
		fmt.Fprintf(b, "j%d:\n  %%m%d = phi i32 [ %%s%d, %%a%d ], [ %%t%d, %%b%d ]\n  br label %%h%d\n", k, k, k, k, k, k, k+1)
	}
	fmt.Fprintf(b, "h%d:\n  ret i32 %%m%d\n}\n", n, n-1)
}

// conditions are n of them, each inside the one before, behind which values are read
// that were made in front of them; with something else to be done or not.
func conditions(b *strings.Builder, n int, otherwise bool) {
	b.WriteString("define void @f(ptr %p) {\nentry:\n  br label %h0\n")
	for k := range n {
		other := "j"
		if otherwise {
			other = "o"
		}
		fmt.Fprintf(b, "h%d:\n  %%v%d = load volatile i32, ptr %%p\n  %%c%d = icmp ult i32 %%v%d, %d\n  br i1 %%c%d, label %%h%d, label %%%s%d\n", k, k, k, k, k, k, k+1, other, k)
		if otherwise {
			fmt.Fprintf(b, "o%d:\n  store volatile i32 %d, ptr %%p\n  br label %%j%d\n", k, k, k)
		}
	}
	fmt.Fprintf(b, "h%d:\n  br label %%j%d\n", n, n-1)
	for k := n - 1; k >= 0; k-- {
		to := "%exit"
		if k > 0 {
			to = fmt.Sprintf("%%j%d", k-1)
		}
		fmt.Fprintf(b, "j%d:\n  store volatile i32 %%v%d, ptr %%p\n  br label %s\n", k, k, to)
	}
	b.WriteString("exit:\n  ret void\n}\n")
}

// nest is n loops, each inside the one before.
func nest(b *strings.Builder, n int) {
	b.WriteString("define void @f(i32 %x, ptr %p) {\nentry:\n  br label %h0\n")
	for k := range n {
		from := "%entry"
		if k > 0 {
			from = fmt.Sprintf("%%h%d", k-1)
		}
		fmt.Fprintf(b, "h%d:\n  %%i%d = phi i32 [ 0, %s ], [ %%n%d, %%l%d ]\n  store volatile i32 %%i%d, ptr %%p\n  br label %%h%d\n", k, k, from, k, k, k, k+1)
	}
	fmt.Fprintf(b, "h%d:\n  br label %%l%d\n", n, n-1)
	latches(b, n)
}

// latches ends n loops that are nested, the innermost first, and the function.
func latches(b *strings.Builder, n int) {
	for k := n - 1; k >= 0; k-- {
		to := "%exit"
		if k > 0 {
			to = fmt.Sprintf("%%l%d", k-1)
		}
		fmt.Fprintf(b, "l%d:\n  %%n%d = add i32 %%i%d, 1\n  %%d%d = icmp ult i32 %%n%d, %%x\n  br i1 %%d%d, label %%h%d, label %s\n", k, k, k, k, k, k, k, to)
	}
	b.WriteString("exit:\n  ret void\n}\n")
}

// nestDiamonds is ten loops, one inside the other, around n conditions that read their counters.
func nestDiamonds(b *strings.Builder, n int) {
	const depth = 10
	b.WriteString("define void @f(i32 %x, ptr %p) {\nentry:\n  br label %h0\n")
	for k := range depth {
		from := "%entry"
		if k > 0 {
			from = fmt.Sprintf("%%h%d", k-1)
		}
		fmt.Fprintf(b, "h%d:\n  %%i%d = phi i32 [ 0, %s ], [ %%n%d, %%l%d ]\n  br label %%h%d\n", k, k, from, k, k, k+1)
	}
	fmt.Fprintf(b, "h%d:\n  br label %%b0\n", depth)
	for k := range n {
		fmt.Fprintf(b, "b%d:\n  %%q%d = getelementptr i32, ptr %%p, i32 %%i%d\n  %%v%d = load volatile i32, ptr %%q%d\n", k, k, k%depth, k, k)
		fmt.Fprintf(b, "  %%c%d = icmp slt i32 %%v%d, %%i%d\n  br i1 %%c%d, label %%t%d, label %%u%d\n", k, k, (k+3)%depth, k, k, k)
		fmt.Fprintf(b, "t%d:\n  %%tv%d = add i32 %%v%d, %%i%d\n  br label %%j%d\nu%d:\n  %%uv%d = mul i32 %%v%d, %%i%d\n  br label %%j%d\n", k, k, k, (k+5)%depth, k, k, k, k, (k+7)%depth, k)
		fmt.Fprintf(b, "j%d:\n  %%m%d = phi i32 [ %%tv%d, %%t%d ], [ %%uv%d, %%u%d ]\n  store volatile i32 %%m%d, ptr %%q%d\n  br label %%b%d\n", k, k, k, k, k, k, k, k, k+1)
	}
	fmt.Fprintf(b, "b%d:\n  br label %%l%d\n", n, depth-1)
	latches(b, depth)
}

// choose is a switch of n cases, each with a block, step apart.
func choose(b *strings.Builder, n, step int) {
	b.WriteString("define i32 @f(i32 %x, ptr %p) {\n  switch i32 %x, label %d [\n")
	for k := range n {
		fmt.Fprintf(b, "    i32 %d, label %%b%d\n", k*step, k)
	}
	b.WriteString("  ]\nd:\n  ret i32 0\n")
	for k := range n {
		fmt.Fprintf(b, "b%d:\n  store volatile i32 %d, ptr %%p\n  ret i32 %d\n", k, k, k*3)
	}
	b.WriteString("}\n")
}

// shared is a switch of n cases with four blocks among them.
func shared(b *strings.Builder, n int) {
	b.WriteString("define i32 @f(i32 %x) {\n  switch i32 %x, label %d [\n")
	for k := range n {
		fmt.Fprintf(b, "    i32 %d, label %%b%d\n", k*3, k*k%4)
	}
	b.WriteString("  ]\nd:\n  ret i32 0\n")
	for k := range 4 {
		fmt.Fprintf(b, "b%d:\n  ret i32 %d\n", k, k+9)
	}
	b.WriteString("}\n")
}

// phiPreds is a block with two PHIs that n blocks lead to.
func phiPreds(b *strings.Builder, n int) {
	b.WriteString("define i32 @f(i32 %x, i32 %y) {\n  switch i32 %x, label %d [\n")
	for k := range n {
		fmt.Fprintf(b, "    i32 %d, label %%b%d\n", k, k)
	}
	b.WriteString("  ]\nd:\n  br label %j\n")
	for k := range n {
		fmt.Fprintf(b, "b%d:\n  %%v%d = add i32 %%y, %d\n  br label %%j\n", k, k, k)
	}
	for _, phi := range []string{"a", "c"} {
		if phi == "a" {
			b.WriteString("j:\n")
		}
		fmt.Fprintf(b, "  %%%s = phi i32 [ 1, %%d ]", phi)
		for k := range n {
			if phi == "a" {
				fmt.Fprintf(b, ", [ %%v%d, %%b%d ]", k, k)
			} else {
				fmt.Fprintf(b, ", [ %d, %%b%d ]", k*k, k)
			}
		}
		b.WriteByte('\n')
	}
	b.WriteString("  %r = add i32 %a, %c\n  ret i32 %r\n}\n")
}

// phis is a loop that rotates n values.
func phis(b *strings.Builder, n int) {
	b.WriteString("define i32 @f(i32 %x) {\nentry:\n  br label %l\nl:\n  %i = phi i32 [ 0, %entry ], [ %j, %l ]\n")
	for k := range n {
		fmt.Fprintf(b, "  %%v%d = phi i32 [ %d, %%entry ], [ %%v%d, %%l ]\n", k, k, (k+1)%n)
	}
	b.WriteString("  %j = add i32 %i, 1\n  %c = icmp ult i32 %j, %x\n  br i1 %c, label %l, label %e\ne:\n  %s0 = add i32 %i, 0\n")
	for k := range n {
		fmt.Fprintf(b, "  %%s%d = xor i32 %%s%d, %%v%d\n", k+1, k, k)
	}
	fmt.Fprintf(b, "  ret i32 %%s%d\n}\n", n)
}

// phisTwo is a block of n PHIs behind two that make their values.
func phisTwo(b *strings.Builder, n int) {
	b.WriteString("define i64 @f(ptr %p, i1 %c) {\n  br i1 %c, label %a, label %b\n")
	for side, name := range []string{"a", "b"} {
		fmt.Fprintf(b, "%s:\n", name)
		for k := range n {
			fmt.Fprintf(b, "  %%%sp%d = getelementptr i64, ptr %%p, i64 %d\n  %%%s%d = load volatile i64, ptr %%%sp%d\n", name, k, 2*k+side, name, k, name, k)
		}
		b.WriteString("  br label %j\n")
	}
	b.WriteString("j:\n")
	for k := range n {
		fmt.Fprintf(b, "  %%f%d = phi i64 [ %%a%d, %%a ], [ %%b%d, %%b ]\n", k, k, k)
	}
	b.WriteString("  %s0 = add i64 0, 1\n")
	for k := range n {
		fmt.Fprintf(b, "  %%s%d = xor i64 %%s%d, %%f%d\n", k+1, k, k)
	}
	fmt.Fprintf(b, "  ret i64 %%s%d\n}\n", n)
}

// phiDead is a row of blocks that hand on a value nobody needs.
func phiDead(b *strings.Builder, n int) {
	b.WriteString("define void @f(i32 %x, i1 %c) {\nentry:\n  br label %b0\n")
	for k := range n {
		from, val := "%entry", "%x"
		if k > 0 {
			from, val = fmt.Sprintf("%%b%d", k-1), fmt.Sprintf("%%w%d", k-1)
		}
		fmt.Fprintf(b, "b%d:\n  %%v%d = phi i32 [ %s, %s ], [ %%w%d, %%b%d ]\n  %%w%d = add i32 %%v%d, 1\n  br i1 %%c, label %%b%d, label %%b%d\n", k, k, val, from, k, k, k, k, k, k+1)
	}
	fmt.Fprintf(b, "b%d:\n  ret void\n}\n", n)
}

func calls(b *strings.Builder, n int) {
	b.WriteString("define i32 @f(i32 %x, ptr %p) {\n  %v0 = add i32 %x, 1\n")
	for k := range n {
		fmt.Fprintf(b, "  %%v%d = call i32 @g(i32 %%v%d, ptr %%p)\n", k+1, k)
	}
	fmt.Fprintf(b, "  ret i32 %%v%d\n}\n", n)
}

// arguments is a function of n parameters that calls itself.
func arguments(b *strings.Builder, n int) {
	b.WriteString("define i32 @f(i32 %p0")
	for k := 1; k < n; k++ {
		fmt.Fprintf(b, ", i%d %%p%d", []int{32, 64, 8}[k%3], k)
	}
	b.WriteString(") {\n  %r = call i32 @f(i32 %p0")
	for k := 1; k < n; k++ {
		fmt.Fprintf(b, ", i%d %%p%d", []int{32, 64, 8}[k%3], k)
	}
	b.WriteString(")\n  %s = add i32 %r, 1\n  ret i32 %s\n}\n")
}

func allocas(b *strings.Builder, n int) {
	b.WriteString("define i32 @f(i32 %x) {\n")
	for k := range n {
		fmt.Fprintf(b, "  %%a%d = alloca [%d x i32]\n", k, k%5+1)
	}
	for k := range n {
		fmt.Fprintf(b, "  store volatile i32 %%x, ptr %%a%d\n", k)
	}
	fmt.Fprintf(b, "  %%r = call i32 @g(i32 1, ptr %%a%d)\n  ret i32 %%r\n}\n", n/2)
}

func constants(b *strings.Builder, n int) {
	b.WriteString("define i64 @f(i64 %x) {\n  %v0 = add i64 %x, 1\n")
	for k := range n {
		fmt.Fprintf(b, "  %%v%d = xor i64 %%v%d, %d\n", k+1, k, uint64(k+1)*0x3243f6a8885a3)
	}
	fmt.Fprintf(b, "  ret i64 %%v%d\n}\n", n)
}

func floats(b *strings.Builder, n int) {
	b.WriteString("define double @f(double %x) {\n  %v0 = fadd double %x, 1.0\n")
	for k := range n {
		fmt.Fprintf(b, "  %%v%d = fmul double %%v%d, %d.5\n", k+1, k, k)
	}
	fmt.Fprintf(b, "  ret double %%v%d\n}\n", n)
}

func globals(b *strings.Builder, n int) {
	for k := range n {
		fmt.Fprintf(b, "@g%d = global i32 %d\n@p%d = global ptr @g%d\n", k, k, k, (k*7+1)%n)
	}
	b.WriteString("define void @f(i32 %x) {\n")
	for k := range n {
		fmt.Fprintf(b, "  store i32 %%x, ptr @g%d\n", k)
	}
	b.WriteString("  ret void\n}\n")
}

// functions call each other, share constants, and some have block addresses taken by data.
func functions(b *strings.Builder, n int) {
	for k := range n {
		fmt.Fprintf(b, "define i32 @f%d(i32 %%x) {\n  %%c = icmp eq i32 %%x, %d\n  br i1 %%c, label %%a, label %%b\na:\n  %%r = call i32 @f%d(i32 %%x)\n  ret i32 %%r\nb:\n  ret i32 %d\n}\n", k, k, (k+1)%n, k)
		if k%8 == 0 {
			fmt.Fprintf(b, "@t%d = global ptr blockaddress(@f%d, %%b)\n", k, k)
		}
	}
}

// tables is n switches of 16 dense cases.
func tables(b *strings.Builder, n int) {
	b.WriteString("define void @f(i32 %x, ptr %p) {\n  br label %s0\n")
	for k := range n {
		fmt.Fprintf(b, "s%d:\n  switch i32 %%x, label %%s%d [\n", k, k+1)
		for c := range 16 {
			fmt.Fprintf(b, "    i32 %d, label %%b%d.%d\n", c, k, c)
		}
		b.WriteString("  ]\n")
		for c := range 16 {
			fmt.Fprintf(b, "b%d.%d:\n  store volatile i32 %d, ptr %%p\n  br label %%s%d\n", k, c, c+k, k+1)
		}
	}
	fmt.Fprintf(b, "s%d:\n  ret void\n}\n", n)
}

// aggregate loads and stores a structure of n members.
func aggregate(b *strings.Builder, n int) {
	fmt.Fprintf(b, "define i64 @f(ptr %%p, ptr %%q) {\n  %%v = load [%d x i64], ptr %%p\n  store [%d x i64] %%v, ptr %%q\n  %%e = extractvalue [%d x i64] %%v, %d\n  ret i64 %%e\n}\n", n, n, n, n/2)
}

// irreducible is a row of cycles that are entered at two places.
func irreducible(b *strings.Builder, n int) {
	b.WriteString("define void @f(i1 %c, ptr %p) {\n  br i1 %c, label %a0, label %b0\n")
	for k := range n {
		fmt.Fprintf(b, "a%d:\n  store volatile i32 1, ptr %%p\n  br i1 %%c, label %%b%d, label %%a%d\n", k, k, k+1)
		fmt.Fprintf(b, "b%d:\n  store volatile i32 2, ptr %%p\n  br i1 %%c, label %%a%d, label %%b%d\n", k, k, k+1)
	}
	fmt.Fprintf(b, "a%d:\n  ret void\nb%d:\n  ret void\n}\n", n, n)
}

// emptyBlocks only jump on, each behind the one that it jumps to.
func emptyBlocks(b *strings.Builder, n int) {
	fmt.Fprintf(b, "define i32 @f(i1 %%c) {\n  br i1 %%c, label %%b%d, label %%e\ne:\n  ret i32 1\nz:\n  ret i32 2\nb0:\n  br label %%z\n", n-1)
	for k := 1; k < n; k++ {
		fmt.Fprintf(b, "b%d:\n  br label %%b%d\n", k, k-1)
	}
	b.WriteString("}\n")
}

func wide(b *strings.Builder, n int) {
	b.WriteString("define i128 @f(i128 %x, i128 %y) {\n  %v0 = add i128 %x, %y\n")
	for k := range n {
		fmt.Fprintf(b, "  %%v%d = %s i128 %%v%d, %s\n", k+1, []string{"add", "xor", "sub", "mul"}[k%4], k, []string{"%x", "%y"}[k%2])
	}
	fmt.Fprintf(b, "  ret i128 %%v%d\n}\n", n)
}

func invokes(b *strings.Builder, n int) {
	b.WriteString("@ti = external constant ptr\ndefine i32 @f(i32 %x, ptr %p) personality ptr @pers {\n  br label %b0\n")
	for k := range n {
		fmt.Fprintf(b, "b%d:\n  %%v%d = invoke i32 @g(i32 %d, ptr %%p) to label %%b%d unwind label %%p%d\n", k, k, k, k+1, k)
		fmt.Fprintf(b, "p%d:\n  %%l%d = landingpad { ptr, i32 } catch ptr @ti\n  ret i32 %d\n", k, k, k)
	}
	fmt.Fprintf(b, "b%d:\n  ret i32 0\n}\n", n)
}

// landingPad is one that n invokes lead to, with a PHI that says which.
func landingPad(b *strings.Builder, n int) {
	b.WriteString("define i32 @f(i32 %x, ptr %p) personality ptr @pers {\n  br label %b0\n")
	for k := range n {
		fmt.Fprintf(b, "b%d:\n  %%v%d = invoke i32 @g(i32 %d, ptr %%p) to label %%b%d unwind label %%lp\n", k, k, k, k+1)
	}
	fmt.Fprintf(b, "b%d:\n  ret i32 0\nlp:\n  %%ph = phi i32 ", n)
	for k := range n {
		if k > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(b, "[ %d, %%b%d ]", k, k)
	}
	b.WriteString("\n  %l = landingpad { ptr, i32 } cleanup\n  ret i32 %ph\n}\n")
}

func addresses(b *strings.Builder, n int) {
	b.WriteString("define void @f(ptr %p0, i64 %i) {\n")
	for k := range n {
		fmt.Fprintf(b, "  %%p%d = getelementptr [4 x i32], ptr %%p%d, i64 %%i, i64 %d\n  store i32 %d, ptr %%p%d\n", k+1, k, k%4, k, k+1)
	}
	b.WriteString("  ret void\n}\n")
}

func compares(b *strings.Builder, n int) {
	b.WriteString("define i32 @f(i32 %x, i32 %y) {\n  %v0 = add i32 %x, %y\n")
	for k := range n {
		fmt.Fprintf(b, "  %%c%d = icmp slt i32 %%v%d, %%y\n  %%v%d = select i1 %%c%d, i32 %%x, i32 %d\n", k, k, k+1, k, k)
	}
	fmt.Fprintf(b, "  ret i32 %%v%d\n}\n", n)
}

func memory(b *strings.Builder, n int) {
	b.WriteString("define void @f(ptr %p, ptr %q) {\n")
	for k := range n {
		fmt.Fprintf(b, "  %%v%d = load i8, ptr %%p\n  %%w%d = zext i8 %%v%d to i32\n  store i32 %%w%d, ptr %%q\n", k, k, k, k)
	}
	b.WriteString("  ret void\n}\n")
}

// indirect is a computed goto to n blocks, each of which jumps on by another one to a block of its choice.
func indirect(b *strings.Builder, n int) {
	b.WriteString("define i32 @f(ptr %t, i32 %x) {\n  br label %go\ngo:\n  indirectbr ptr %t, [")
	for k := range n {
		if k > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(b, "label %%b%d", k)
	}
	b.WriteString("]\n")
	for k := range n {
		fmt.Fprintf(b, "b%d:\n  %%c%d = icmp eq i32 %%x, %d\n  br i1 %%c%d, label %%go, label %%e\n", k, k, k, k)
	}
	b.WriteString("e:\n  ret i32 1\n}\n")
	fmt.Fprintf(b, "@tab = global [%d x ptr] [", n)
	for k := range n {
		if k > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(b, "ptr blockaddress(@f, %%b%d)", k)
	}
	b.WriteString("]\n")
}

func inlineAsm(b *strings.Builder, n int) {
	b.WriteString("define i32 @f(i32 %x) {\n  %v0 = add i32 %x, 1\n")
	for k := range n {
		fmt.Fprintf(b, "  %%v%d = call i32 asm sideeffect \"nop\", \"=r,r,~{memory}\"(i32 %%v%d)\n", k+1, k)
	}
	fmt.Fprintf(b, "  ret i32 %%v%d\n}\n", n)
}

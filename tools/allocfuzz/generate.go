package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// generator writes one function of x86-64 machine code in SSA form: structured
// control flow (ifs, loops that run a few times, invokes, asm goto) around
// instructions that make an allocator's life hard. Every value is well defined, so
// that the function computes the same whatever its registers are.
type generator struct {
	rng   *rand.Rand
	in    *desc.Info
	plain bool // no landing pads: the function can be run
	more  bool // the statements of more.go too
	// crowded says that instructions may need more registers at once than there are.
	crowded bool
	blocks  []*block
	cur     *block
	class   []string // by virtual register
	avail   []int    // virtual registers that may be read here
	labels  int
	size    int // statements left
}

type block struct {
	head, text bytes.Buffer
	succs      []int
	attrs      string
}

func (g *generator) reg(class string) int {
	g.class = append(g.class, class)
	return len(g.class) - 1
}

func (g *generator) emit(format string, args ...any) {
	fmt.Fprintf(&g.cur.text, "    "+format+"\n", args...)
}

func (g *generator) newBlock() int {
	g.blocks = append(g.blocks, &block{})
	return len(g.blocks) - 1
}

func (g *generator) edge(to int) {
	for _, s := range g.cur.succs {
		if s == to {
			return
		}
	}
	g.cur.succs = append(g.cur.succs, to)
}

func (g *generator) jump(to int) {
	g.emit("JMP_1 %%bb.%d", to)
	g.edge(to)
}

// keep makes a register readable from here on.
func (g *generator) keep(r int) { g.avail = append(g.avail, r) }

// def is the text of a new definition of class, which is kept.
func (g *generator) def(class string) (int, string) {
	r := g.reg(class)
	return r, fmt.Sprintf("%%%d:%s", r, class)
}

// val returns a register of a class, made from another one when there is none.
func (g *generator) val(class string) int {
	var fit []int
	for _, r := range g.avail {
		if g.class[r] == class {
			fit = append(fit, r)
		}
	}
	if len(fit) > 0 && g.rng.IntN(12) > 0 {
		// The older ones as often as those just made: lives become long.
		return fit[g.rng.IntN(len(fit))]
	}
	r, d := g.def(class)
	switch class {
	case "gr32":
		g.emit("%s = MOV32ri %d", d, g.rng.IntN(1000)-500)
	case "gr64":
		g.emit("%s = MOV64ri32 %d", d, g.rng.IntN(1000)-500)
	case "gr8":
		g.emit("%s = MOV8ri %d", d, g.rng.IntN(128))
	case "gr16":
		g.emit("%s = MOV16ri %d", d, g.rng.IntN(1000))
	case "gr32_abcd", "gr32_nosp":
		g.emit("%s = COPY %%%d", d, g.val("gr32"))
	case "gr64_nosp", "gr64_abcd", "gr64_with_sub_8bit":
		g.emit("%s = COPY %%%d", d, g.val("gr64"))
	case "fr64":
		g.emit("%s = nofpexcept CVTSI2SDrr %%%d, implicit $mxcsr", d, g.val("gr32"))
	}
	g.keep(r)
	return r
}

const deadFlags = "implicit-def dead $eflags"

// statement writes a few instructions or a piece of control flow.
func (g *generator) statement(depth int) {
	if depth < 4 && g.size > 3 {
		switch k := g.rng.IntN(100); {
		case k < 10:
			g.branch(depth)
			return
		case k < 17:
			g.loop(depth)
			return
		case k < 20 && !g.plain:
			g.invoke(depth)
			return
		case k < 23 && !g.plain:
			g.asmGoto(depth)
			return
		}
	}
	if g.more && g.rng.IntN(3) == 0 {
		more[g.rng.IntN(len(more))](g)
		return
	}
	straight[g.rng.IntN(len(straight))](g)
}

var straight = [...]func(*generator){
	func(g *generator) { g.val([]string{"gr32", "gr64", "gr8", "gr16"}[g.rng.IntN(4)]) },
	(*generator).constant, (*generator).binary, (*generator).binary, (*generator).binary, (*generator).untied,
	(*generator).address, (*generator).shift, (*generator).multiply, (*generator).parts, (*generator).parts,
	(*generator).call, (*generator).asm, (*generator).asm, (*generator).memory, (*generator).choose, (*generator).float,
}

// constant makes what is cheaper to make again than to keep.
func (g *generator) constant() {
	r, d := g.def([]string{"gr32", "gr64"}[g.rng.IntN(2)])
	switch {
	case g.class[r] == "gr64":
		g.emit("%s = MOV64ri %d", d, g.rng.Int64N(1<<40))
	case g.rng.IntN(2) == 0:
		g.emit("%s = MOV32r0 %s", d, deadFlags)
	default:
		g.emit("%s = MOV32ri %d", d, g.rng.IntN(1<<20))
	}
	g.keep(r)
}

func (g *generator) binary() {
	w := []string{"8", "16", "32", "32", "64"}[g.rng.IntN(5)]
	c := "gr" + w
	op := []string{"ADD", "SUB", "AND", "OR", "XOR"}[g.rng.IntN(5)]
	a, b := g.val(c), g.val(c)
	r, d := g.def(c)
	g.emit("%s = %s%srr %%%d, %%%d, %s", d, op, w, a, b, deadFlags)
	g.keep(r)
}

func (g *generator) untied() {
	a := g.val("gr32")
	r, d := g.def("gr32")
	g.emit("%s = IMUL32rri %%%d, %d, %s", d, a, 3+g.rng.IntN(90), deadFlags)
	g.keep(r)
}

func (g *generator) address() {
	a, b := g.val("gr64"), g.val("gr64_nosp")
	r, d := g.def("gr64")
	g.emit("%s = LEA64r %%%d, %d, %%%d, %d, $noreg", d, a, 1<<g.rng.IntN(4), b, g.rng.IntN(64))
	g.keep(r)
}

func (g *generator) shift() {
	a, n := g.val("gr32"), g.val("gr8")
	g.emit("$cl = COPY %%%d", n)
	r, d := g.def("gr32")
	g.emit("%s = %s %%%d, %s, implicit $cl", d, []string{"SHL32rCL", "SHR32rCL", "SAR32rCL", "ROL32rCL"}[g.rng.IntN(4)], a, deadFlags)
	g.keep(r)
}

func (g *generator) multiply() {
	a, b := g.val("gr32"), g.val("gr32")
	g.emit("$eax = COPY %%%d", a)
	g.emit("MUL32r %%%d, implicit-def $eax, implicit-def $edx, implicit-def dead $eflags, implicit $eax", b)
	hi, d := g.def("gr32")
	lo, e := g.def("gr32")
	g.emit("%s = COPY $edx", d)
	g.emit("%s = COPY $eax", e)
	g.keep(hi)
	g.keep(lo)
}

// parts reads and writes parts of registers.
func (g *generator) parts() {
	switch g.rng.IntN(6) {
	case 0:
		a := g.val("gr64")
		r, d := g.def("gr32")
		g.emit("%s = COPY %%%d.sub_32bit", d, a)
		g.keep(r)
	case 1:
		a := g.val([]string{"gr32", "gr64_with_sub_8bit"}[g.rng.IntN(2)])
		r, d := g.def("gr8")
		g.emit("%s = COPY %%%d.sub_8bit", d, a)
		g.keep(r)
	case 2:
		a := g.val("gr8")
		r, d := g.def("gr32")
		g.emit("%s = MOVZX32rr8 %%%d", d, a)
		g.keep(r)
	case 3:
		a := g.val("gr32")
		t, d := g.def("gr32")
		g.emit("%s = MOV32rr %%%d", d, a)
		r, e := g.def("gr64")
		g.emit("%s = SUBREG_TO_REG 0, %%%d, %%subreg.sub_32bit", e, t)
		g.keep(r)
	case 4:
		c, s := "gr32", "gr8"
		sub := "sub_8bit"
		if g.rng.IntN(2) == 0 {
			s, sub = "gr16", "sub_16bit"
		}
		a, b := g.val(c), g.val(s)
		r, d := g.def(c)
		g.emit("%s = INSERT_SUBREG %%%d, %%%d, %%subreg.%s", d, a, b, sub)
		g.keep(r)
	case 5:
		g.highPart(g.val("gr32_abcd"))
	}
}

// highPart keeps the second byte of a, which instructions with a REX prefix cannot name.
func (g *generator) highPart(a int) {
	t, d := g.def("gr8_norex")
	g.emit("%s = COPY %%%d.sub_8bit_hi", d, a)
	r, e := g.def("gr32_norex")
	g.emit("%s = MOVZX32rr8_NOREX %%%d", e, t)
	u, h := g.def("gr32")
	g.emit("%s = COPY %%%d", h, r)
	g.keep(u)
}

var argRegs = [...]string{"edi", "esi", "edx", "ecx", "r8d", "r9d"}

func (g *generator) callInstr() {
	n := g.rng.IntN(len(argRegs) + 1)
	args := make([]int, n)
	for k := range args {
		args[k] = g.val("gr32")
	}
	g.emit("ADJCALLSTACKDOWN64 0, 0, 0, implicit-def dead $rsp, implicit-def dead $eflags, implicit-def dead $ssp, implicit $rsp, implicit $ssp")
	uses := ""
	for k, a := range args {
		g.emit("$%s = COPY %%%d", argRegs[k], a)
		uses += ", implicit $" + argRegs[k]
	}
	g.emit("CALL64pcrel32 &mix%d, csr_64, implicit $rsp, implicit $ssp%s, implicit-def $rsp, implicit-def $ssp, implicit-def $eax", n, uses)
	g.emit("ADJCALLSTACKUP64 0, 0, implicit-def dead $rsp, implicit-def dead $eflags, implicit-def dead $ssp, implicit $rsp, implicit $ssp")
}

func (g *generator) call() {
	g.callInstr()
	r, d := g.def("gr32")
	g.emit("%s = COPY $eax", d)
	g.keep(r)
}

func (g *generator) group(k mir.AsmKind, class string) int64 {
	c, ok := g.in.RegClassByName(class)
	if !ok {
		panic("no class " + class)
	}
	return int64(mir.MakeAsmGroup(k, 1).WithClass(int(c)))
}

// asm writes inline assembly with early clobbers, tied operands and clobbered registers.
func (g *generator) asm() {
	class := []string{"gr32", "gr32", "gr32_abcd"}[g.rng.IntN(3)]
	a, b := g.val(class), g.val(class)
	clobbers := ""
	for _, c := range []string{"ecx", "r9d", "ebx", "eax"} {
		if g.rng.IntN(5) == 0 && class == "gr32" {
			clobbers += fmt.Sprintf(", 12, implicit-def early-clobber $%s", c)
		}
	}
	clobbers += ", 12, implicit-def dead early-clobber $eflags"
	r, d := g.def(class)
	switch g.rng.IntN(3) {
	case 0:
		g.emit("INLINEASM &\"movl $1, $0\\0A\\09leal 3($0,$2), $0\", 0, %d, def early-clobber %s, %d, %%%d, %d, %%%d%s",
			g.group(mir.AsmDefEarly, class), d, g.group(mir.AsmUse, class), a, g.group(mir.AsmUse, class), b, clobbers)
	case 1:
		tied := int64(mir.MakeAsmGroup(mir.AsmUse, 1).WithTied(0))
		g.emit("INLINEASM &\"addl $2, $0\", 0, %d, def %s, %d, %%%d(tied-def 3), %d, %%%d%s",
			g.group(mir.AsmDef, class), d, tied, a, g.group(mir.AsmUse, class), b, clobbers)
	case 2:
		s, e := g.def(class)
		g.emit("INLINEASM &\"movl $2, $0\\0A\\09leal 5($2,$3), $1\", 0, %d, def early-clobber %s, %d, def early-clobber %s, %d, %%%d, %d, %%%d%s",
			g.group(mir.AsmDefEarly, class), d, g.group(mir.AsmDefEarly, class), e, g.group(mir.AsmUse, class), a, g.group(mir.AsmUse, class), b, clobbers)
		g.keep(s)
	}
	g.keep(r)
}

func (g *generator) memory() {
	slot := g.rng.IntN(2)
	if g.rng.IntN(2) == 0 {
		g.emit("MOV32mr %%stack.%d, 1, $noreg, 0, $noreg, %%%d", slot, g.val("gr32"))
		return
	}
	r, d := g.def("gr32")
	g.emit("%s = MOV32rm %%stack.%d, 1, $noreg, 0, $noreg", d, slot)
	g.keep(r)
}

func (g *generator) choose() {
	a, b := g.val("gr32"), g.val("gr32")
	c, e := g.val("gr32"), g.val("gr32")
	g.emit("CMP32rr %%%d, %%%d, implicit-def $eflags", a, b)
	r, d := g.def("gr32")
	g.emit("%s = CMOV32rr %%%d, %%%d, %d, implicit $eflags", d, c, e, g.rng.IntN(10))
	g.keep(r)
}

func (g *generator) float() {
	a := g.val("fr64")
	if g.rng.IntN(3) == 0 {
		r, d := g.def("gr32")
		g.emit("%s = nofpexcept CVTTSD2SIrr %%%d, implicit $mxcsr", d, a)
		g.keep(r)
		return
	}
	b := g.val("fr64")
	r, d := g.def("fr64")
	g.emit("%s = nofpexcept %s %%%d, %%%d, implicit $mxcsr", d, []string{"ADDSDrr", "SUBSDrr", "MAXSDrr"}[g.rng.IntN(3)], a, b)
	g.keep(r)
}

// sequence writes statements, in the current block and those that follow.
func (g *generator) sequence(depth int) {
	for n := 1 + g.rng.IntN(8); n > 0 && g.size > 0; n-- {
		g.size--
		g.statement(depth)
	}
}

// branch writes an if with an else, whose values meet in PHIs.
func (g *generator) branch(depth int) {
	a, b := g.val("gr32"), g.val("gr32")
	then, other, join := g.newBlock(), g.newBlock(), g.newBlock()
	g.emit("CMP32rr %%%d, %%%d, implicit-def $eflags", a, b)
	g.emit("JCC_1 %%bb.%d, %d, implicit $eflags", then, g.rng.IntN(10))
	g.edge(then)
	g.jump(other)
	g.twoWays(depth, then, other, join)
}

// twoWays fills two blocks that meet in a third.
func (g *generator) twoWays(depth, then, other, join int) {
	before := append([]int(nil), g.avail...)
	var ends [2]int
	var lists [2][]int
	for k, b := range [2]int{then, other} {
		g.cur = g.blocks[b]
		g.avail = append([]int(nil), before...)
		if k == 0 || g.rng.IntN(3) > 0 {
			g.sequence(depth + 1)
		}
		g.jump(join)
		ends[k], lists[k] = g.index(), append([]int(nil), g.avail...)
	}
	g.cur = g.blocks[join]
	g.avail = before
	for range g.rng.IntN(5) {
		x := lists[0][g.rng.IntN(len(lists[0]))]
		y := -1
		for _, r := range lists[1] {
			if g.class[r] == g.class[x] && (y < 0 || g.rng.IntN(3) == 0) {
				y = r
			}
		}
		if y < 0 {
			continue
		}
		r, d := g.def(g.class[x])
		fmt.Fprintf(&g.cur.head, "    %s = PHI %%%d, %%bb.%d, %%%d, %%bb.%d\n", d, x, ends[0], y, ends[1])
		g.keep(r)
	}
}

func (g *generator) index() int {
	for k, b := range g.blocks {
		if b == g.cur {
			return k
		}
	}
	return -1
}

// loop writes a loop that runs one to four times, with values that change on each way round.
func (g *generator) loop(depth int) {
	from := g.index()
	count, d := g.def("gr32")
	g.emit("%s = MOV32ri %d", d, 1+g.rng.IntN(4))
	var inits, phis []int
	for range g.rng.IntN(6) {
		x := g.avail[g.rng.IntN(len(g.avail))]
		inits = append(inits, x)
	}
	head := g.newBlock()
	g.jump(head)
	g.cur = g.blocks[head]
	counter := g.reg("gr32")
	for _, x := range inits {
		r := g.reg(g.class[x])
		phis = append(phis, r)
		g.keep(r)
	}
	g.sequence(depth + 1)
	exit := g.newBlock()
	next, e := g.def("gr32")
	end := g.index()
	h := &g.blocks[head].head
	fmt.Fprintf(h, "    %%%d:gr32 = PHI %%%d, %%bb.%d, %%%d, %%bb.%d\n", counter, count, from, next, end)
	for k, r := range phis {
		back := r
		for _, y := range g.avail {
			if g.class[y] == g.class[r] && g.rng.IntN(3) == 0 {
				back = y
			}
		}
		fmt.Fprintf(h, "    %%%d:%s = PHI %%%d, %%bb.%d, %%%d, %%bb.%d\n", r, g.class[r], inits[k], from, back, end)
	}
	g.emit("%s = SUB32ri %%%d, 1, implicit-def $eflags", e, counter)
	g.emit("JCC_1 %%bb.%d, 5, implicit $eflags", head)
	g.edge(head)
	g.jump(exit)
	g.cur = g.blocks[exit]
}

// invoke writes a call that may throw, with a landing pad that joins the normal way.
func (g *generator) invoke(depth int) {
	normal, pad, join := g.newBlock(), g.newBlock(), g.newBlock()
	l := g.labels
	g.labels += 3
	g.emit("EH_LABEL <mcsymbol .Ltmp%d>", l)
	g.callInstr()
	g.emit("EH_LABEL <mcsymbol .Ltmp%d>", l+1)
	g.jump(normal)
	g.edge(pad)
	g.blocks[pad].attrs = "landing-pad"
	fmt.Fprintf(&g.blocks[pad].head, "    liveins: $rax, $rdx\n")
	p := g.blocks[pad]
	fmt.Fprintf(&p.text, "    EH_LABEL <mcsymbol .Ltmp%d>\n", l+2)
	r, d := g.def("gr64")
	fmt.Fprintf(&p.text, "    %s = COPY killed $rax\n", d)
	s, e := g.def("gr64")
	fmt.Fprintf(&p.text, "    %s = COPY killed $rdx\n", e)
	n := g.blocks[normal]
	x, h := g.def("gr32")
	fmt.Fprintf(&n.head, "    liveins: $eax\n")
	n.head.Reset()
	_ = x
	_ = h
	_, _ = r, s
	g.twoWays(depth, normal, pad, join)
}

// asmGoto writes inline assembly that may jump.
func (g *generator) asmGoto(depth int) {
	there, next, join := g.newBlock(), g.newBlock(), g.newBlock()
	g.blocks[there].attrs = "inlineasm-br-indirect-target"
	a := g.val("gr32")
	g.emit("INLINEASM_BR &\"testl $0, $0\\0A\\09jne ${1:l}\", 1, %d, %%%d, 13, %%bb.%d, 12, implicit-def dead early-clobber $eflags", g.group(mir.AsmUse, "gr32"), a, there)
	g.edge(next)
	g.edge(there)
	g.emit("JMP_1 %%bb.%d", next)
	g.twoWays(depth, there, next, join)
}

// generate writes function number seed.
func generate(in *desc.Info, seed uint64, plain, more bool) string {
	g := &generator{rng: rand.New(rand.NewPCG(seed, 7)), in: in, plain: plain, more: more}
	g.crowded = more && seed%4 == 0
	g.size = 4 + g.rng.IntN([]int{12, 40, 120}[g.rng.IntN(3)])
	g.cur = g.blocks0()
	g.emit("liveins: $rdi, $rsi")
	for _, r := range []string{"rdi", "rsi"} {
		v, d := g.def("gr64")
		g.emit("%s = COPY $%s", d, r)
		g.keep(v)
	}
	for slot := range 2 {
		g.emit("MOV32mi %%stack.%d, 1, $noreg, 0, $noreg, %d", slot, slot+5)
	}
	for g.size > 0 {
		g.sequence(0)
	}
	// Everything that is alive goes into the result: so much pressure as there are values.
	sum := g.val("gr64")
	for _, r := range append([]int(nil), g.avail...) {
		w := -1
		switch g.class[r] {
		case "gr64":
			w = r
		case "gr32":
			t, d := g.def("gr32")
			g.emit("%s = MOV32rr %%%d", d, r)
			x, e := g.def("gr64")
			g.emit("%s = SUBREG_TO_REG 0, %%%d, %%subreg.sub_32bit", e, t)
			w = x
		case "gr8":
			t, d := g.def("gr32")
			g.emit("%s = MOVZX32rr8 %%%d", d, r)
			x, e := g.def("gr64")
			g.emit("%s = SUBREG_TO_REG 0, %%%d, %%subreg.sub_32bit", e, t)
			w = x
		}
		if w < 0 {
			continue
		}
		x, d := g.def("gr64")
		g.emit("%s = IMUL64rri32 %%%d, 31, %s", d, sum, deadFlags)
		y, e := g.def("gr64")
		g.emit("%s = ADD64rr %%%d, %%%d, %s", e, x, w, deadFlags)
		sum = y
	}
	g.emit("$rax = COPY %%%d", sum)
	g.emit("RET 0, $rax")
	return g.text(seed)
}

func (g *generator) blocks0() *block { return g.blocks[g.newBlock()] }

func (g *generator) text(seed uint64) string {
	var b bytes.Buffer
	fmt.Fprintf(&b, "---\nname: f%d\ntracksRegLiveness: true\nisSSA: true\nframeInfo:\n  hasCalls: true\n  adjustsStack: true\nstack:\n"+
		"  - { id: 0, size: 4, alignment: 4 }\n  - { id: 1, size: 4, alignment: 4 }\nbody: |\n", seed)
	for k, x := range g.blocks {
		fmt.Fprintf(&b, "  bb.%d", k)
		if x.attrs != "" {
			fmt.Fprintf(&b, " (%s)", x.attrs)
		}
		b.WriteString(":\n")
		for n, s := range x.succs {
			if n == 0 {
				b.WriteString("    successors: ")
			} else {
				b.WriteString(", ")
			}
			fmt.Fprintf(&b, "%%bb.%d", s)
		}
		if len(x.succs) > 0 {
			b.WriteString("\n")
		}
		b.Write(x.head.Bytes())
		b.Write(x.text.Bytes())
		b.WriteString("\n")
	}
	b.WriteString("...\n")
	return b.String()
}

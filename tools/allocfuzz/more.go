package main

import (
	"fmt"
	"strings"

	"github.com/mirin-go/mirin/mir"
)

// more are statements that ask for much at one place.
var more = [...]func(*generator){
	(*generator).wideAsm, (*generator).wideAsm, (*generator).noSaves, (*generator).undefined, (*generator).floats, (*generator).statepoint,
	(*generator).highParts,
}

// wideAsm writes inline assembly with up to eleven registers, of which results are
// early clobbers, tied or neither. It computes sums of what it reads.
func (g *generator) wideAsm() {
	uses := 1 + g.rng.IntN(6)
	defs := 1 + g.rng.IntN(5)
	var text, ops strings.Builder
	var results []int
	tied := g.rng.IntN(defs + 1)
	// Results first: a tied one begins as its operand, the others as constants.
	for k := range defs {
		r, d := g.def("gr32")
		results = append(results, r)
		fmt.Fprintf(&ops, ", %d, def early-clobber %s", g.group(mir.AsmDefEarly, "gr32"), d)
		if k >= tied {
			fmt.Fprintf(&text, "movl $$%d, $%d\\0A\\09", k+1, k)
		}
	}
	for k := range tied {
		// The group's descriptor stands before its register: results are at 3, 5, 7, …
		fmt.Fprintf(&ops, ", %d, %%%d(tied-def %d)", int64(mir.MakeAsmGroup(mir.AsmUse, 1).WithTied(k)), g.val("gr32"), 3+2*k)
	}
	for k := range uses {
		fmt.Fprintf(&ops, ", %d, %%%d", g.group(mir.AsmUse, "gr32"), g.val("gr32"))
		fmt.Fprintf(&text, "addl $%d, $%d\\0A\\09", defs+tied+k, k%defs)
	}
	for _, c := range []string{"ecx", "r9d", "ebx"} {
		if g.rng.IntN(4) == 0 {
			fmt.Fprintf(&ops, ", 12, implicit-def early-clobber $%s", c)
		}
	}
	g.emit("INLINEASM &\"%snop\", 1%s, 12, implicit-def dead early-clobber $eflags", text.String(), ops.String())
	for _, r := range results {
		g.keep(r)
	}
}

// noSaves writes a call that preserves no register.
func (g *generator) noSaves() {
	g.emit("ADJCALLSTACKDOWN64 0, 0, 0, implicit-def dead $rsp, implicit-def dead $eflags, implicit-def dead $ssp, implicit $rsp, implicit $ssp")
	g.emit("CALL64pcrel32 &mix0, csr_noregs, implicit $rsp, implicit $ssp, implicit-def $rsp, implicit-def $ssp, implicit-def $eax")
	g.emit("ADJCALLSTACKUP64 0, 0, implicit-def dead $rsp, implicit-def dead $eflags, implicit-def dead $ssp, implicit $rsp, implicit $ssp")
	r, d := g.def("gr32")
	g.emit("%s = COPY $eax", d)
	g.keep(r)
}

// undefined writes registers that are defined in part.
func (g *generator) undefined() {
	a := g.val("gr8")
	u, d := g.def("gr32")
	g.emit("%s = IMPLICIT_DEF", d)
	x, e := g.def("gr32")
	g.emit("%s = INSERT_SUBREG %%%d, %%%d, %%subreg.sub_8bit", e, u, a)
	for range g.rng.IntN(4) {
		straight[g.rng.IntN(len(straight))](g)
	}
	p, h := g.def("gr8")
	g.emit("%s = COPY %%%d.sub_8bit", h, x)
	g.keep(p)
}

// floats writes a chain of vector registers that are alive together.
func (g *generator) floats() {
	var list []int
	for range 2 + g.rng.IntN(10) {
		list = append(list, g.val("fr64"))
		r, d := g.def("fr64")
		g.emit("%s = nofpexcept CVTSI2SDrr %%%d, implicit $mxcsr", d, g.val("gr32"))
		g.keep(r)
		list = append(list, r)
	}
	sum := list[0]
	for _, x := range list[1:] {
		r, d := g.def("fr64")
		g.emit("%s = nofpexcept ADDSDrr %%%d, %%%d, implicit $mxcsr", d, sum, x)
		sum = r
	}
	g.keep(sum)
	t, d := g.def("gr32")
	g.emit("%s = nofpexcept CVTTSD2SIrr %%%d, implicit $mxcsr", d, sum)
	g.keep(t)
}

// statepoint writes a call with live values, some of which it changes. Those that it
// changes are in registers that the call preserves, or on the stack, where
// regallocfast puts none: in most functions there are no more than such registers.
func (g *generator) statepoint() {
	if g.plain {
		g.noSaves()
		return
	}
	n, deopt := 1+g.rng.IntN(12), g.rng.IntN(8)
	masks := []string{"csr_64", "csr_noregs"}
	if !g.crowded {
		n, masks = 1+n%4, masks[:1]
	}
	var defs, tied, plain strings.Builder
	seen := map[int]bool{}
	var results []int
	for range n {
		v := g.val("gr64")
		if seen[v] {
			continue
		}
		seen[v] = true
		r, d := g.def("gr64")
		if len(results) > 0 {
			defs.WriteString(", ")
		}
		defs.WriteString(d)
		fmt.Fprintf(&tied, ", %%%d(tied-def %d)", v, len(results))
		results = append(results, r)
	}
	for range deopt {
		fmt.Fprintf(&plain, ", %%%d", g.val("gr64"))
	}
	mask := masks[g.rng.IntN(len(masks))]
	g.emit("ADJCALLSTACKDOWN64 0, 0, 0, implicit-def dead $rsp, implicit-def dead $eflags, implicit-def dead $ssp, implicit $rsp, implicit $ssp")
	g.emit("%s = STATEPOINT 0, 0, 0, &mix0, 2, 0, 2, 0, 2, %d%s, 2, %d%s, 2, 0, 2, 0, %s, implicit-def $rsp, implicit-def $ssp",
		defs.String(), deopt, plain.String(), len(results), tied.String(), mask)
	g.emit("ADJCALLSTACKUP64 0, 0, implicit-def dead $rsp, implicit-def dead $eflags, implicit-def dead $ssp, implicit $rsp, implicit $ssp")
	for _, r := range results {
		g.keep(r)
	}
}

// highParts writes values of which only four registers have the part that is read,
// three at a time.
func (g *generator) highParts() {
	var list []int
	for range 1 + g.rng.IntN(4) {
		list = append(list, g.val("gr32_abcd"))
	}
	for range g.rng.IntN(3) {
		straight[g.rng.IntN(len(straight))](g)
	}
	for _, a := range list {
		g.highPart(a)
	}
}

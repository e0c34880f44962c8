package main

import (
	"fmt"
	"strings"
)

// open begins a block.
func (g *generator) open(label string) {
	fmt.Fprintf(g.b, "%s:\n", label)
	g.block = label
}

func (g *generator) label(what string) string {
	g.n++
	return fmt.Sprint(what, g.n)
}

// part writes up to n operations whose values are gone behind it, and returns one of
// each type asked for and the block where it ends.
func (g *generator) part(n int, types []typ) (vs []value, end string) {
	kept := len(g.values)
	for range n {
		if g.left <= 0 {
			break
		}
		g.step()
	}
	for _, t := range types {
		vs = append(vs, g.value(t))
	}
	g.values = g.values[:kept]
	return vs, g.block
}

// types are some for PHIs.
func (g *generator) types(least int) []typ {
	var ts []typ
	for range least + g.IntN(3) {
		ts = append(ts, g.anyType())
	}
	return ts
}

// phis joins values that came from blocks.
func (g *generator) phis(types []typ, from [][]value, ends []string) {
	for k, t := range types {
		var in []string
		for e := range ends {
			in = append(in, fmt.Sprintf("[ %s, %%%s ]", from[e][k].name, ends[e]))
		}
		g.add(g.op(t, "phi %s %s", t, strings.Join(in, ", ")))
	}
}

// branch is a condition with one or two parts.
func (g *generator) branch() {
	c := g.condition()
	types := g.types(1)
	yes, no, end := g.label("yes"), g.label("no"), g.label("end")
	if g.IntN(3) == 0 { // without the other part
		var here []value
		for _, t := range types {
			here = append(here, g.value(t))
		}
		before := g.block
		g.line("br %s, label %%%s, label %%%s", c.arg(), yes, end)
		g.open(yes)
		vs, from := g.part(1+g.IntN(3), types)
		g.line("br label %%%s", end)
		g.open(end)
		g.phis(types, [][]value{here, vs}, []string{before, from})
		return
	}
	g.line("br %s, label %%%s, label %%%s", c.arg(), yes, no)
	g.open(yes)
	a, fromA := g.part(1+g.IntN(3), types)
	g.line("br label %%%s", end)
	g.open(no)
	b, fromB := g.part(1+g.IntN(3), types)
	g.line("br label %%%s", end)
	g.open(end)
	g.phis(types, [][]value{a, b}, []string{fromA, fromB})
}

// switches is a switch over a few cases, near each other or not.
func (g *generator) switches() {
	t := pick(g, i8, i32, i64, typ{0, 13, false}, typ{0, 3, false})
	n := 2 + g.IntN(6)
	stride := pick(g, 1, 1, 1, 3, 7)
	x := g.value(t)
	if g.IntN(3) > 0 { // meets a case more often
		x = g.op(t, "and %s, %s", x.arg(), g.splat(t, pick(g, 3, 7)&(1<<(t.bits-1)-1)))
	}
	types := g.types(1)
	end := g.label("end")
	labels := make([]string, n+1)
	for k := range labels {
		labels[k] = g.label("case")
	}
	var cases []string
	for k := 0; k < 2*n && k*stride < 1<<(t.bits-1); k++ {
		if g.IntN(4) > 0 {
			cases = append(cases, fmt.Sprintf("%s %d, label %%%s", t, k*stride, labels[1+g.IntN(n)]))
		}
	}
	g.line("switch %s, label %%%s [ %s ]", x.arg(), labels[0], strings.Join(cases, " "))
	var from [][]value
	var ends []string
	for _, l := range labels {
		g.open(l)
		vs, e := g.part(g.IntN(2), types)
		g.line("br label %%%s", end)
		from, ends = append(from, vs), append(ends, e)
	}
	g.open(end)
	g.phis(types, from, ends)
}

// loop runs its body up to 9 times; values go around it.
func (g *generator) loop() {
	types := g.types(1)
	var first []value
	for _, t := range types {
		first = append(first, g.value(t))
	}
	ct := pick(g, i64, i32, i64, typ{0, 7, false})
	most := fmt.Sprint(2 + g.IntN(8))
	if g.IntN(3) == 0 {
		m := g.op(ct, "and %s, 7", g.value(ct).arg())
		most = g.op(ct, "or %s, 1", m.arg()).name
	}
	before := g.block
	head, end := g.label("loop"), g.label("end")
	g.line("br label %%%s", head)
	g.open(head)
	kept := len(g.values)
	// The PHIs' second values are known at the end: the text of the body comes behind.
	outer := g.b
	var body strings.Builder
	i := g.name()
	var phis []value
	for _, t := range types {
		phis = append(phis, value{g.name(), t})
		g.add(phis[len(phis)-1])
	}
	if g.IntN(2) == 0 {
		g.add(value{i, ct})
	}
	g.b = &body
	g.loops++
	next, latch := g.part(2+g.IntN(5), types)
	g.loops--
	step := pick(g, "1", "1", "2")
	i2 := g.op(ct, "add %s %s, %s", ct, i, step)
	c := g.op(i1, "icmp %s %s %s, %s", pick(g, "ult", "slt"), ct, i2.name, most)
	g.line("br %s, label %%%s, label %%%s", c.arg(), head, end)
	g.b = outer
	g.line("%s = phi %s [ 0, %%%s ], [ %s, %%%s ]", i, ct, before, i2.name, latch)
	for k, t := range types {
		g.line("%s = phi %s [ %s, %%%s ], [ %s, %%%s ]", phis[k].name, t, first[k].name, before, next[k].name, latch)
	}
	g.b.WriteString(body.String())
	g.values = g.values[:kept]
	g.open(end)
	for k := range types {
		g.add(value{next[k].name, types[k]})
	}
	g.add(i2)
}

// conventions of calls; all pass the parameters that are made here.
var conventions = []string{"", "", "", "fastcc ", "coldcc ", "preserve_mostcc ", "tailcc "}

// newSignature makes the function's own.
func (g *generator) newSignature() {
	g.sig = signature{name: fmt.Sprint("f", g.k), cc: pick(g, conventions...), result: g.anyType()}
	if g.sig.cc == "coldcc " && (g.sig.result.float || g.sig.result.n > 0) {
		g.sig.cc = "" // llc 22 restores all vector registers, that of the result among them
	}
	most := 8
	if g.m.kernel {
		g.sig.cc, most = "", 5
	}
	for range g.IntN(most + 1) {
		p := param{t: g.anyType()}
		if g.IntN(10) == 0 && !g.m.kernel {
			p.attrs = fmt.Sprintf("byval([%d x i8]) align 8 ", pick(g, 8, 12, 24, 40))
			if g.sig.cc == "tailcc " {
				p.attrs = ""
			}
		}
		g.sig.params = append(g.sig.params, p)
	}
	if g.sig.cc == "tailcc " && len(g.sig.params) > 2 {
		g.sig.cc = "" // arguments on the stack are refused there
	}
}

// function writes a function.
func (g *generator) function() {
	g.newSignature()
	var params []string
	for k, p := range g.sig.params {
		if p.attrs != "" {
			params = append(params, fmt.Sprintf("ptr %s%%p%d", p.attrs, k))
			continue
		}
		params = append(params, fmt.Sprintf("%s %%p%d", p.t, k))
		g.add(value{fmt.Sprintf("%%p%d", k), p.t})
	}
	fmt.Fprintf(g.b, "define internal %s%s @%s(%s) noinline {\n", g.sig.cc, g.sig.result, g.sig.name, strings.Join(params, ", "))
	g.open("entry")
	for k, p := range g.sig.params {
		if p.attrs == "" {
			continue
		}
		// Of the copy, a part is read and written.
		q := g.op(i64, "getelementptr i8, ptr %%p%d, i64 %d", k, g.IntN(5))
		g.add(g.op(i32, "load i32, ptr %s, align 1", q.name))
		g.line("store %s, ptr %%p%d, align 1", g.value(i64).arg(), k)
	}
	for g.left > 0 {
		g.step()
	}
	g.line("ret %s", g.value(g.sig.result).arg())
	g.b.WriteString("}\n\n")
	g.m.sigs = append(g.m.sigs, g.sig)
}

// arguments are values for a signature.
func (g *generator) arguments(s *signature) string {
	var args []string
	for _, p := range s.params {
		if p.attrs != "" {
			args = append(args, fmt.Sprintf("ptr %sgetelementptr (i8, ptr @mem, i64 %d)", p.attrs, 8*g.IntN(50)))
			continue
		}
		args = append(args, g.value(p.t).arg())
	}
	return strings.Join(args, ", ")
}

// call calls an earlier function; in loops not, so that the time stays bounded.
func (g *generator) call() {
	if g.loops > 0 {
		return
	}
	s := &g.m.sigs[len(g.m.sigs)-1-g.IntN(min(4, len(g.m.sigs)))]
	args := g.arguments(s)
	g.add(g.op(s.result, "call %s%s @%s(%s)", s.cc, s.result, s.name, args))
}

// runner writes the function that the outside calls.
func (g *generator) runner() {
	g.values, g.n = nil, 0
	fmt.Fprintf(g.b, "define i64 @run%d(i64 %%seed) {\n", g.k)
	g.open("entry")
	g.line("call void @fill(i64 %%seed)")
	args := g.arguments(&g.sig)
	v := g.op(g.sig.result, "call %s%s @%s(%s)", g.sig.cc, g.sig.result, g.sig.name, args)
	g.store(v)
	h := g.op(i64, "call i64 @sum(i64 -3750763034362895579)")
	g.line("ret %s", h.arg())
	g.b.WriteString("}\n\n")
}

package callingconv

import (
	"fmt"
	"slices"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/tablegen"
)

// saved adds a list of callee-saved registers to the table.
func (g *generator) saved(r *tablegen.Record) {
	g.at = r
	list := g.dag(r.Dag("SaveList"))
	var other []desc.PhysReg
	if d := r.Dag("OtherPreserved"); d != nil {
		other = g.dag(d)
	}
	g.t.Saved = append(g.t.Saved, desc.CCSavedDesc{Name: r.Name, Regs: uint32(len(g.t.Regs)), NumRegs: uint16(len(list)), NumOther: uint16(len(other))})
	g.t.Regs = append(append(g.t.Regs, list...), other...)
}

// dag evaluates a set expression; the result keeps the order and has no
// register twice.
func (g *generator) dag(d *tablegen.DagInit) []desc.PhysReg {
	if d == nil {
		g.errorf("the list of registers is not set")
		return nil
	}
	op, ok := d.Op.(*tablegen.DefInit)
	if !ok {
		g.errorf("the operator of " + d.String() + " is no record")
		return nil
	}
	arg := func(k int) []desc.PhysReg {
		if k < len(d.Args) {
			return g.element(d.Args[k])
		}
		g.errorf("operator '" + op.Rec.Name + "' has too few operands")
		return nil
	}
	number := func(k int) int {
		if k < len(d.Args) {
			if v, ok := tablegen.IntValue(d.Args[k]); ok && v >= 0 && v <= 1<<15 {
				return int(v)
			}
		}
		g.errorf(fmt.Sprintf("operand %d of operator '%s' must be a number from 0 to 32768", k+1, op.Rec.Name))
		return 0
	}
	var out []desc.PhysReg
	switch op.Rec.Name {
	case "add":
		for k := range d.Args {
			out = append(out, arg(k)...)
		}
	case "sub":
		out = slices.Clone(arg(0))
		for k := 1; k < len(d.Args); k++ {
			minus := arg(k)
			out = slices.DeleteFunc(out, func(r desc.PhysReg) bool { return slices.Contains(minus, r) })
		}
	case "and":
		both := arg(1)
		out = slices.DeleteFunc(slices.Clone(arg(0)), func(r desc.PhysReg) bool { return !slices.Contains(both, r) })
	case "shl":
		out = arg(0)
		out = out[min(number(1), len(out)):]
	case "trunc":
		out = arg(0)
		out = out[:min(number(1), len(out))]
	case "rotl", "rotr":
		out = arg(0)
		if n := number(1); len(out) > 0 {
			n %= len(out)
			if op.Rec.Name == "rotr" {
				n = len(out) - n
			}
			out = slices.Concat(out[n:], out[:n])
		}
	case "decimate":
		all, n := arg(0), max(number(1), 1)
		for k := 0; k < len(all); k += n {
			out = append(out, all[k])
		}
	case "interleave":
		var lists [][]desc.PhysReg
		longest := 0
		for k := range d.Args {
			lists = append(lists, arg(k))
			longest = max(longest, len(lists[k]))
		}
		for n := range longest {
			for _, l := range lists {
				if n < len(l) {
					out = append(out, l[n])
				}
			}
		}
	case "sequence":
		out = g.sequence(d, number)
	default:
		g.errorf("operator '" + op.Rec.Name + "' is not known in a list of registers")
	}
	var unique []desc.PhysReg
	for _, r := range out {
		if !slices.Contains(unique, r) {
			unique = append(unique, r)
		}
	}
	return unique
}

// sequence is (sequence "XMM%u", first, last [, step]); it may run downwards.
func (g *generator) sequence(d *tablegen.DagInit, number func(int) int) []desc.PhysReg {
	var out []desc.PhysReg
	var format tablegen.Init
	if len(d.Args) > 0 {
		format = d.Args[0]
	}
	s, ok := format.(*tablegen.StringInit)
	if !ok {
		g.errorf("the first operand of operator 'sequence' must be a string such as \"R%u\"")
		return nil
	}
	first, last, step := number(1), number(2), 1
	if len(d.Args) > 3 {
		step = max(number(3), 1)
	}
	if last < first {
		step = -step
	}
	for n := first; step > 0 && n <= last || step < 0 && n >= last; n += step {
		name := sequenceName(s.S, n)
		r, ok := register(g.facts, name)
		if !ok {
			g.errorf("register '" + name + "' is not known to the target")
			return nil
		}
		out = append(out, r)
	}
	return out
}

// sequenceName puts n for %u or %d in the format.
func sequenceName(format string, n int) string {
	for i := 0; i+1 < len(format); i++ {
		if format[i] == '%' && (format[i+1] == 'u' || format[i+1] == 'd') {
			return format[:i] + fmt.Sprint(n) + format[i+2:]
		}
	}
	return format
}

// element is one operand of a set expression: a register, another list, an expression.
func (g *generator) element(x tablegen.Init) []desc.PhysReg {
	switch x := x.(type) {
	case *tablegen.DagInit:
		return g.dag(x)
	case *tablegen.DefInit:
		if r, ok := register(g.facts, x.Rec.Name); ok {
			return []desc.PhysReg{r}
		}
		if x.Rec.IsSubClassOf("CalleeSavedRegs") {
			if g.sets[x.Rec] {
				g.errorf("'" + x.Rec.Name + "' contains itself")
				return nil
			}
			g.sets[x.Rec] = true
			defer delete(g.sets, x.Rec)
			return g.dag(x.Rec.Dag("SaveList"))
		}
	}
	g.errorf(x.String() + " is no register of the target")
	return nil
}

package combiner

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/tablegen/emit/matchasm"
)

// variant is a rule with one choice for each fragment.
type variant struct {
	*rule
	row   int // in the debug section
	match []*pattern
	apply []*pattern
	// imms are numbers that fragments took as arguments, by name.
	imms map[string]operand

	rootPat *pattern
	rootOps []desc.Opcode
	steps   []matchasm.Step // the tests in order
	act     []byte
	insns   int // matched, the root among them
}

// expand makes the variants of a rule.
func (g *generator) expand(m *rule) []*variant {
	vs := []*variant{{rule: m, imms: map[string]operand{}}}
	limit := m.rec.Int("MaxPermutations")
	for _, p := range m.match {
		if p.kind != fragPat {
			for _, v := range vs {
				v.match = append(v.match, clonePattern(p))
			}
			continue
		}
		alts := p.frag.List("Alternatives")
		if len(alts) == 0 {
			g.errorf("fragment '" + p.frag.Name + "' has no alternatives")
			return nil
		}
		if n := int64(len(vs) * len(alts)); limit > 0 && n > limit {
			g.errorf(fmt.Sprintf("the rule has %d permutations; MaxPermutations is %d", n, limit))
			return nil
		}
		var next []*variant
		for _, v := range vs {
			for k := range alts {
				w := &variant{rule: m, imms: map[string]operand{}}
				for _, q := range v.match {
					w.match = append(w.match, clonePattern(q))
				}
				for n, o := range v.imms {
					w.imms[n] = o
				}
				if !g.inline(w, p, k) {
					return nil
				}
				next = append(next, w)
			}
		}
		vs = next
	}
	for _, v := range vs {
		for _, p := range m.apply {
			v.apply = append(v.apply, clonePattern(p))
		}
	}
	return vs
}

func clonePattern(p *pattern) *pattern {
	q := *p
	q.ops = slices.Clone(p.ops)
	q.calls = slices.Clone(p.calls)
	for i := range q.calls {
		q.calls[i].args = slices.Clone(p.calls[i].args)
	}
	return &q
}

// inline puts alternative k of a fragment in the place of pattern p. Names that
// the fragment does not share with its user are made its own.
func (g *generator) inline(v *variant, p *pattern, k int) bool {
	f := p.frag
	outs, ins := f.Dag("OutOperands"), f.Dag("InOperands")
	own := "__" + p.name + "_" + f.Name + "_"
	bound := map[string]operand{}
	root := ""
	n := 0
	for i, name := range outs.ArgNames {
		if opNameOf(outs.Args[i]) == "root" {
			root = name
		}
		bound[name] = p.ops[n]
		if p.ops[n].kind != regOp {
			g.errorf("fragment '" + f.Name + "': the result '" + name + "' must be a name")
			return false
		}
		n++
	}
	for i, name := range ins.ArgNames {
		if kind := opNameOf(ins.Args[i]); kind == "gi_imm" && p.ops[n].kind != intOp {
			g.errorf("fragment '" + f.Name + "': the argument '" + name + "' must be a number")
			return false
		}
		bound[name] = p.ops[n]
		n++
	}
	alt, _ := f.List("Alternatives")[k].(interface{ String() string })
	d := dagOf(f.List("Alternatives")[k])
	if d == nil || opName(d) != "pattern" {
		g.errorf("fragment '" + f.Name + "': the alternative '" + alt.String() + "' is no 'pattern'")
		return false
	}
	rename := func(name string) string {
		if b, ok := bound[name]; ok && b.name != "" {
			return b.name
		}
		return own + name
	}
	for i, a := range d.Args {
		q := g.parsePattern(a, d.ArgNames[i])
		if q == nil {
			return false
		}
		if q.kind == fragPat || q.kind == replacePat || q.kind == erasePat {
			g.errorf("fragment '" + f.Name + "' may hold instructions and code only")
			return false
		}
		if q.named {
			q.name = own + q.name
		} else {
			q.name = own + strconv.Itoa(i)
		}
		for j := range q.ops {
			o := &q.ops[j]
			if o.name == "" {
				continue
			}
			if q.isDef(j) && o.name == root && p.named {
				// The name of the use is that of the fragment's root.
				q.name, q.named = p.name, true
			}
			if b, ok := bound[o.name]; ok && b.kind != regOp {
				b.typ, b.typeOf = orElse(b.typ, o.typ), orElse(b.typeOf, o.typeOf)
				*o = b
				continue
			} else if ok {
				o.typ, o.typeOf = orElse(o.typ, b.typ), orElse(o.typeOf, b.typeOf)
			}
			o.name = rename(o.name)
		}
		for j := range q.calls {
			for l := range q.calls[j].args {
				x := &q.calls[j].args[l]
				if x.name == "" {
					continue
				}
				if b, ok := bound[x.name]; ok && b.kind != regOp && b.name == "" {
					*x = arg{val: b.val}
					continue
				}
				x.name = rename(x.name)
			}
		}
		v.match = append(v.match, q)
	}
	return true
}

func orElse(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

package dagisel

import (
	"strings"

	"github.com/mirin-go/mirin/codegen/matchtable/code"
	"github.com/mirin-go/mirin/codegen/predicatecode"
	"github.com/mirin-go/mirin/tablegen/emit/dagpattern"
)

// predicate numbers the predicate of a fragment.
func (g *generator) predicate(p *dagpattern.Predicate, n *dagpattern.Node) int {
	if i, ok := g.preds[p]; ok {
		return i
	}
	x := code.Pred{Name: p.Record.Name, Ordering: p.Ordering}
	set := func(t dagpattern.Tri, yes, no uint32) {
		switch t {
		case dagpattern.Yes:
			x.Flags |= yes
		case dagpattern.No:
			x.Flags |= no
		}
	}
	set(p.NoUse, code.PredNoUse, 0)
	set(p.OneUse, code.PredOneUse, 0)
	set(p.Unindexed, code.PredUnindexed, 0)
	set(p.NonExt, code.PredNonExt, 0)
	set(p.AnyExt, code.PredAnyExt, 0)
	set(p.SignExt, code.PredSignExt, 0)
	set(p.ZeroExt, code.PredZeroExt, 0)
	set(p.TruncStore, code.PredTrunc, code.PredNotTrunc)
	if p.MemVT >= 0 {
		x.Type = g.typ(p.MemVT) + 1
	}
	if p.ScalarMemVT >= 0 {
		x.Scalar = g.typ(p.ScalarMemVT) + 1
	}
	for _, s := range p.AddrSpaces {
		x.Spaces = append(x.Spaces, uint64(s))
	}
	x.MinAlign = uint64(max(p.MinAlign, 0))
	body := p.ImmCode
	if body == "" {
		body = p.Code
	}
	if body != "" {
		g.predicateBody(&x, p, n, body)
	}
	i := g.Pred(x)
	g.preds[p] = i
	return i
}

// predicateBody translates C++ of a closed form; anything else is a Go function.
func (g *generator) predicateBody(x *code.Pred, p *dagpattern.Predicate, n *dagpattern.Node, body string) {
	constant := n.Op != nil && (n.Op.Name == "imm" || n.Op.Name == "timm")
	switch {
	case p.APFloat:
		if bits, ok := g.p.FloatLeaf(p, n.Type(0)); ok {
			x.Float, x.Bits = true, bits
			return
		}
	case constant && (p.ImmCode != "" || strings.Contains(body, "N->get")):
		if e, err := predicatecode.Parse(body); err == nil {
			x.Expr = e.String()
			return
		}
	}
	x.Hook = p.HookName(body)
	g.hook("predicate", x.Hook, body, p.Record)
}

// features numbers the conditions on the subtarget.
func (m *matcher) features() []int {
	var out []int
	for _, c := range m.g.p.Conditions(m.x) {
		out = append(out, m.g.Feature(code.Feature{Name: c.Text, Not: c.Not}))
	}
	return out
}

func (g *generator) complexIndex(c *dagpattern.Complex) int {
	g.hook("complex pattern", c.Func, "", c.Record)
	return g.Complex(code.Complex{Name: c.Func, NumOps: c.NumOperands, Root: c.WantsRoot(), Parent: c.WantsParent()})
}

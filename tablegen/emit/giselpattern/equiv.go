package giselpattern

import (
	"strings"

	"github.com/mirin-go/mirin/tablegen"
	"github.com/mirin-go/mirin/tablegen/emit/dagisel"
	"github.com/mirin-go/mirin/tablegen/emit/dagpattern"
	"github.com/mirin-go/mirin/tablegen/emit/globalisel"
)

// equiv says which generic instruction stands for a node.
type equiv struct {
	op, sext, zext, float, convergent string
	nonAtomic, atomic                 bool
}

// readEquivs reads GINodeEquiv, GIComplexPatternEquiv and GISDNodeXFormEquiv.
func (t *translator) readEquivs() {
	rs := t.p.Records()
	t.equiv = map[*tablegen.Record]*equiv{}
	t.complex, t.xforms = map[*tablegen.Record]*globalisel.Def{}, map[*tablegen.Record]*globalisel.Def{}
	name := func(r *tablegen.Record, f string) string {
		if d := r.DefField(f); d != nil {
			return d.Name
		}
		return ""
	}
	for _, r := range rs.DerivedFrom("GINodeEquiv") {
		n := r.DefField("Node")
		if n == nil || t.equiv[n] != nil {
			continue
		}
		t.equiv[n] = &equiv{op: name(r, "I"), sext: name(r, "IfSignExtend"), zext: name(r, "IfZeroExtend"), float: name(r, "IfFloatingPoint"),
			convergent: name(r, "IfConvergent"), nonAtomic: r.Bit("CheckMMOIsNonAtomic"), atomic: r.Bit("CheckMMOIsAtomic")}
	}
	for _, r := range rs.DerivedFrom("GIComplexPatternEquiv") {
		cp := r.DefField("SelDAGEquivalent")
		c := t.p.Complex(cp)
		if cp == nil || c == nil || r.String("MatcherFn") == "" {
			continue
		}
		t.complex[cp] = &globalisel.Def{Name: cp.Name, Classes: []string{"ComplexPattern"}, Fields: map[string]globalisel.Value{
			"Hook": r.String("MatcherFn"), "NumOperands": int64(c.NumOperands), "Complexity": int64(c.Complexity)}}
	}
	for _, r := range rs.DerivedFrom("GISDNodeXFormEquiv") {
		if x := r.DefField("SelDAGEquivalent"); x != nil && r.String("RendererFn") != "" {
			t.xforms[x] = &globalisel.Def{Name: x.Name, Classes: []string{"SDNodeXForm"}, Fields: map[string]globalisel.Value{"Hook": r.String("RendererFn")}}
		}
	}
}

// conditions makes the predicates of a pattern: features where
// Subtarget->hasX() is one, else Go functions named by the C++ condition.
func (t *translator) conditions(x *dagpattern.Pattern) []globalisel.Value {
	var out []globalisel.Value
	for _, f := range dagisel.Conditions(t.p, x) {
		d := &globalisel.Def{Name: f.Name, Classes: []string{"Predicate"}, Fields: map[string]globalisel.Value{}}
		if f.Not {
			d.Fields["Not"] = int64(1)
		}
		m, ok := strings.CutPrefix(f.Name, "Subtarget->")
		m = strings.ToLower(strings.TrimSuffix(m, "()"))
		name := t.feature[m]
		if _, known := t.info.FeatureByName(name); ok && name != "" && known {
			d.Fields["Feature"] = name
		} else {
			d.Fields["Hook"] = f.Name
		}
		out = append(out, d)
	}
	return out
}

// preds of one node, sorted by what they are about.
type nodePreds struct {
	hooks              []string
	noUse, oneUse      bool
	sext, zext, anyext bool
	memBits            int64 // -1: no test, 0: as wide as the value
	orders             int64 // mask of orderings
	space              int64
}

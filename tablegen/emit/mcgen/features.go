package mcgen

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/tablegen"
)

// terms is a pool of conditions about features.
type terms struct{ list []desc.FeatureTerm }

func (t *terms) add(c []desc.FeatureTerm) desc.FeatureCond {
	if len(c) == 0 {
		return desc.FeatureCond{}
	}
	for k := 0; k+len(c) <= len(t.list); k++ {
		same := true
		for j := range c {
			same = same && t.list[k+j] == c[j]
		}
		if same {
			return desc.FeatureCond{First: uint16(k), Num: uint16(len(c))}
		}
	}
	t.list = append(t.list, c...)
	return desc.FeatureCond{First: uint16(len(t.list) - len(c)), Num: uint16(len(c))}
}

// features makes the condition of a list of predicates. Those without a part
// for the assembler (they hold in code generation) say nothing.
func (s *Source) features(at tablegen.Loc, preds []*tablegen.Record) []desc.FeatureTerm {
	var out []desc.FeatureTerm
	for _, p := range preds {
		if !p.Bit("AssemblerMatcherPredicate") {
			continue
		}
		if d := p.Dag("AssemblerCondDag"); d != nil {
			out = append(out, s.condition(p.Loc, d, false)...)
		}
	}
	return out
}

// condition turns (all_of …), (any_of …), (not …) into terms of which all must
// hold; not says that the opposite is meant.
func (s *Source) condition(at tablegen.Loc, x tablegen.Init, not bool) []desc.FeatureTerm {
	switch x := x.(type) {
	case *tablegen.DefInit:
		i, ok := s.info.FeatureByName(x.Rec.String("Name"))
		if !ok {
			s.errorf(at, "'%s' is no feature of the target", x.Rec.Name)
			return nil
		}
		t := desc.FeatureTerm(s.info.Features[i].Bit)
		if not {
			t |= desc.FeatureNot
		}
		return []desc.FeatureTerm{t}
	case *tablegen.DagInit:
		op, ok := x.Op.(*tablegen.DefInit)
		if !ok {
			break
		}
		var parts [][]desc.FeatureTerm
		name := op.Rec.Name
		for _, a := range x.Args {
			parts = append(parts, s.condition(at, a, not != (name == "not")))
		}
		switch {
		case name == "not" && len(parts) == 1:
			return parts[0]
		case name == "all_of" && !not, name == "any_of" && not:
			var out []desc.FeatureTerm
			for _, p := range parts {
				out = append(out, p...)
			}
			return out
		case name == "any_of" || name == "all_of":
			return s.either(at, parts)
		}
	}
	s.errorf(at, "invalid AssemblerCondDag '%s'", x)
	return nil
}

// either makes alternatives of conditions that are single terms or alternatives themselves.
func (s *Source) either(at tablegen.Loc, parts [][]desc.FeatureTerm) []desc.FeatureTerm {
	var out []desc.FeatureTerm
	for _, p := range parts {
		for k, t := range p {
			if k < len(p)-1 && t&desc.FeatureOr == 0 {
				s.errorf(at, "AssemblerCondDag: all_of within any_of is not supported")
				return nil
			}
			out = append(out, t|desc.FeatureOr)
		}
	}
	if len(out) > 0 {
		out[len(out)-1] &^= desc.FeatureOr
	}
	return out
}

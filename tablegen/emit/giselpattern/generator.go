package giselpattern

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/tablegen"
	"github.com/mirin-go/mirin/tablegen/emit/dagpattern"
	"github.com/mirin-go/mirin/tablegen/emit/globalisel"
)

// Result is a table with what there is to say about the patterns. Its reports
// are overlaps and patterns that never match.
type Result struct {
	globalisel.Result
	Skipped []dagpattern.Skipped
}

// translator makes patterns of package globalisel.
type translator struct {
	p       *dagpattern.Set
	info    *desc.Info
	equiv   map[*tablegen.Record]*equiv
	complex map[*tablegen.Record]*globalisel.Def
	xforms  map[*tablegen.Record]*globalisel.Def
	defs    map[string]*globalisel.Def
	feature map[string]string // Subtarget-> method, lower case, to feature
	ptrBits int
	ambient map[string]bool
}

// Generate makes the table of a target that info describes.
func Generate(p *dagpattern.Set, info *desc.Info) (*Result, error) {
	t := &translator{p: p, info: info, defs: map[string]*globalisel.Def{}, ambient: map[string]bool{}}
	t.readEquivs()
	t.readFeatures()
	t.ptrBits = t.pointerBits()
	res := &Result{}
	src := &globalisel.Source{}
	pats := slices.Clone(p.Patterns)
	// GlobalISel tries patterns by complexity alone.
	slices.SortStableFunc(pats, func(a, b *dagpattern.Pattern) int { return b.Complexity - a.Complexity })
	from := map[*globalisel.Def]*dagpattern.Pattern{}
	skip := func(x *dagpattern.Pattern, why string) {
		res.Skipped = p.Skip(res.Skipped, x, why)
	}
	for _, x := range pats {
		if x.GISelIgnore {
			continue
		}
		d, err := t.pattern(x)
		if err != nil {
			skip(x, err.Error())
			continue
		}
		from[d] = x
		src.Patterns = append(src.Patterns, d)
	}
	g := &globalisel.Generator{Facts: info, PointerBits: t.ptrBits, TypeClasses: t.typeClasses()}
	for r := range t.ambient {
		g.Ambient = append(g.Ambient, r)
	}
	slices.Sort(g.Ambient)
	// A pattern that the generator refuses is left out: its errors carry the
	// place alone, so patterns are tried one by one first.
	kept := src.Patterns[:0]
	for _, d := range src.Patterns {
		one := *g
		r, err := one.Generate(&globalisel.Source{Patterns: []*globalisel.Def{d}})
		if err != nil {
			return nil, err
		}
		if e := r.Errors(); len(e) > 0 {
			skip(from[d], strings.TrimPrefix(e[0].Msg, "pattern not imported: "))
			continue
		}
		kept = append(kept, d)
	}
	src.Patterns = kept
	r, err := g.Generate(src)
	if err != nil {
		return nil, err
	}
	res.Result = *r
	res.Patterns = len(p.Patterns)
	return res, nil
}

// typeClasses gives the register class of each type: the first that holds it.
func (t *translator) typeClasses() map[string]string {
	out := map[string]string{}
	for _, r := range t.p.Records().DerivedFrom("RegisterClass") {
		if !r.Bit("isAllocatable") {
			continue
		}
		for _, v := range r.DefList("RegTypes") {
			if n := v.String("LLVMName"); out[n] == "" {
				out[n] = r.Name
			}
		}
	}
	return out
}

// pointerBits is the size of pointers of address space 0: that of a
// PtrValueType where the target has one, else of the integers that register
// classes hold: 64 when some class holds i64 and none i32, and so down.
func (t *translator) pointerBits() int {
	for _, r := range t.p.Records().DerivedFrom("PtrValueType") {
		if r.Int("AddrSpace") == 0 && r.Int("Size") > 0 {
			return int(r.Int("Size"))
		}
	}
	classes := t.typeClasses()
	for _, b := range []int{32, 64, 16} {
		if classes[fmt.Sprintf("i%d", b)] != "" {
			return b
		}
	}
	return 64
}

// readFeatures finds the features that Subtarget->hasX() asks for.
func (t *translator) readFeatures() {
	t.feature = map[string]string{}
	for _, r := range t.p.Records().DerivedFrom("SubtargetFeature") {
		if r.String("Value") == "true" && r.String("FieldName") != "" {
			t.feature[strings.ToLower(r.String("FieldName"))] = r.String("Name")
		}
	}
}

// pattern translates one pattern.
func (t *translator) pattern(x *dagpattern.Pattern) (*globalisel.Def, error) {
	s := &source{t: t, x: x}
	root, err := s.root(x.Src)
	if err != nil {
		return nil, err
	}
	dst, err := s.result(x.Dst)
	if err != nil {
		return nil, err
	}
	d := &globalisel.Def{Name: x.Record.Name, Classes: []string{"Pattern"}, Pos: globalisel.PosOf(t.p.Records(), x.Record), Fields: map[string]globalisel.Value{
		"PatternToMatch": root, "ResultInstrs": []globalisel.Value{dst}, "Priority": int64(x.Complexity), "Predicates": t.conditions(x)}}
	if n := len(x.Src.Types); n > 1 {
		order := make([]globalisel.Value, n)
		for i := range order {
			order[i] = int64(i)
			if o := x.Dst.ResultOrder(); i < len(o) {
				order[i] = int64(o[i])
			}
		}
		d.Fields["ResultOrder"] = order
	}
	return d, nil
}

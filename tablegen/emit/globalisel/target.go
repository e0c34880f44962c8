package globalisel

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/mirin-go/mirin/codegen/matchtable/code"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/tablegen"
	"github.com/mirin-go/mirin/tablegen/emit/dagpattern"
)

// compat is what GlobalISel has for the records of patterns.
type compat struct {
	equivs   map[*tablegen.Record][]*equiv
	matchers map[*tablegen.Record]string // functions of complex patterns
	xforms   map[*tablegen.Record]string // functions of transformations
	methods  map[string]string           // asked for by Subtarget->…(), see methodKey
}

// equiv says which generic instruction stands for a node.
type equiv struct {
	op, sext, zext, float, convergent string
	nonAtomic, atomic                 bool
}

// readEquivs reads GINodeEquiv, GIComplexPatternEquiv and GISDNodeXFormEquiv.
func (g *generator) readEquivs() {
	rs := g.p.Records()
	g.equivs, g.matchers, g.xforms = map[*tablegen.Record][]*equiv{}, map[*tablegen.Record]string{}, map[*tablegen.Record]string{}
	name := func(r *tablegen.Record, f string) string {
		if d := r.DefField(f); d != nil {
			return d.Name
		}
		return ""
	}
	for _, r := range rs.DerivedFrom("GINodeEquiv") {
		if n := r.DefField("Node"); n != nil {
			g.equivs[n] = append(g.equivs[n], &equiv{op: name(r, "I"), sext: name(r, "IfSignExtend"), zext: name(r, "IfZeroExtend"),
				float: name(r, "IfFloatingPoint"), convergent: name(r, "IfConvergent"),
				nonAtomic: r.Bit("CheckMMOIsNonAtomic"), atomic: r.Bit("CheckMMOIsAtomic")})
		}
	}
	for _, r := range rs.DerivedFrom("GIComplexPatternEquiv") {
		if c := r.DefField("SelDAGEquivalent"); c != nil && r.String("MatcherFn") != "" {
			g.matchers[c] = r.String("MatcherFn")
		}
	}
	for _, r := range rs.DerivedFrom("GISDNodeXFormEquiv") {
		if x := r.DefField("SelDAGEquivalent"); x != nil && r.String("RendererFn") != "" {
			g.xforms[x] = r.String("RendererFn")
		}
	}
}

// configure takes what a table needs besides patterns from a SelectionInfo
// record, where there is one, and from the classes of the target.
func (g *generator) configure() error {
	rs := g.p.Records()
	infos := rs.DerivedFrom("SelectionInfo")
	if len(infos) > 1 {
		return rs.ErrorAt(infos[1].Loc, "a second record of class SelectionInfo")
	}
	// The first class that holds a type is that of its values.
	for _, r := range rs.DerivedFrom("RegisterClass") {
		c, ok := g.class(r.Name)
		if !ok || !r.Bit("isAllocatable") {
			continue
		}
		for _, v := range r.DefList("RegTypes") {
			if _, ok := g.classes[v.String("LLVMName")]; !ok {
				g.classes[v.String("LLVMName")] = c
			}
		}
	}
	for _, r := range infos {
		g.strict = true
		for _, a := range r.DefList("Ambient") {
			reg, err := g.reg(a.Name)
			if err != nil {
				return rs.ErrorAt(r.Loc, err.Error())
			}
			g.ambient[reg] = true
		}
		classes := r.DefList("Classes")
		for i, t := range r.DefList("Types") {
			if i < len(classes) {
				if c, ok := g.class(classes[i].Name); ok {
					g.classes[t.String("LLVMName")] = c
				}
			}
		}
	}
	if !g.strict {
		for _, r := range rs.DerivedFrom("Instruction") {
			for _, u := range r.DefList("Uses") {
				if reg, err := g.reg(u.Name); err == nil {
					g.ambient[reg] = true
				}
			}
		}
	}
	g.ptrBits = g.pointerBits()
	return nil
}

// pointerBits is the size of pointers of address space 0: that of a
// PtrValueType where the target has one, else of the integers that register
// classes hold: 32 when some class holds i32, then 64, then 16.
func (g *generator) pointerBits() int {
	for _, r := range g.p.Records().DerivedFrom("PtrValueType") {
		if r.Int("AddrSpace") == 0 && r.Int("Size") > 0 {
			return int(r.Int("Size"))
		}
	}
	for _, b := range []int{32, 64, 16} {
		if _, ok := g.classes[fmt.Sprintf("i%d", b)]; ok {
			return b
		}
	}
	return 64
}

// methodKey is the name of a feature as methods of a subtarget are compared:
// hasSSE41 is sse4.1, slowIncDec is slow-incdec.
func methodKey(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r | 0x20
		}
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, s)
}

// readFeatures finds the features that methods of the subtarget ask for: those
// whose records name the field, else those of the method's name.
func (g *generator) readFeatures() {
	g.methods = map[string]string{}
	for i := range g.info.Features {
		n := g.info.Str(g.info.Features[i].Name)
		g.methods[methodKey(n)], g.methods["has"+methodKey(n)] = n, n
	}
	for _, r := range g.p.Records().DerivedFrom("SubtargetFeature") {
		if _, known := g.info.FeatureByName(r.String("Name")); known && r.String("Value") == "true" && r.String("FieldName") != "" {
			g.methods[methodKey(r.String("FieldName"))] = r.String("Name")
		}
	}
}

// feature is a condition as a feature, where Subtarget->has…() asks for one,
// else as the name of a Go function: the condition itself.
func (g *generator) feature(c dagpattern.Condition) code.Feature {
	if m, ok := strings.CutPrefix(c.Text, "Subtarget->"); ok && strings.HasSuffix(m, "()") {
		if n := g.methods[methodKey(strings.TrimSuffix(m, "()"))]; n != "" {
			return code.Feature{Name: n, Not: c.Not}
		}
	}
	return code.Feature{Name: c.Text, Not: c.Not, Hook: true}
}

func (g *generator) class(name string) (desc.ClassID, bool) {
	return g.info.RegClassByName(strings.ToLower(name))
}

func (g *generator) reg(name string) (desc.PhysReg, error) {
	r, ok := g.info.RegByName(strings.ToLower(name))
	if !ok {
		return 0, fmt.Errorf("register %s is not known", name)
	}
	return r, nil
}

// bankOf is the register bank of a class.
func (g *generator) bankOf(c desc.ClassID) int {
	for k := range g.info.Banks {
		if g.info.BankCovers(desc.BankID(k), c) {
			return k
		}
	}
	return 0
}

// valueKind is a generic type with what its node says about it.
type valueKind struct {
	ty          uint64
	isInt, isFP bool
}

// readBanks finds which banks hold values of which types.
func (g *generator) readBanks() {
	g.banks = map[valueKind]uint64{}
	if len(g.info.Banks) > 64 {
		return
	}
	for k := range g.info.Banks {
		for c := range g.info.Classes {
			if !g.info.BankCovers(desc.BankID(k), desc.ClassID(c)) {
				continue
			}
			for _, t := range g.info.ClassTypes(desc.ClassID(c), g.info.DefaultMode) {
				code := uint64(t.Bits())
				if t.IsVector() {
					code = uint64(t.Len())<<16 | uint64(t.Elem().Bits())
				}
				bit := uint64(1) << k
				g.banks[valueKind{ty: code}] |= bit
				g.banks[valueKind{ty: code, isInt: true}] |= bitIf(bit, t.IsInteger())
				g.banks[valueKind{ty: code, isFP: true}] |= bitIf(bit, t.IsFloat())
			}
		}
	}
}

func bitIf(b uint64, on bool) uint64 {
	if on {
		return b
	}
	return 0
}

// needsBank reports whether a value of a class might be in another bank too:
// an i32 that is loaded may be a float, one that is added may not.
func (g *generator) needsBank(v valueKind, c desc.ClassID) bool {
	if len(g.info.Banks) > 64 {
		return true
	}
	return bits.OnesCount64(g.banks[v]|1<<g.bankOf(c)) > 1
}

// typeCode gives the number of lanes of a vector and the size of its elements as
// lanes<<16 | size, the size of a scalar; pointers are integers.
func (g *generator) typeCode(t dagpattern.VT) (uint64, error) {
	if t < 0 {
		return 0, errNoType
	}
	if g.p.IsPtr(t) {
		return uint64(g.ptrBits), nil
	}
	size, lanes, _, scalable := g.p.TypeShape(t)
	switch n := g.p.TypeName(t); {
	case scalable, size == 0, n == "Untyped", n == "Other", n == "Glue", n == "isVoid":
		return 0, fmt.Errorf("type %s has no generic type", n)
	case lanes > 0:
		return uint64(lanes)<<16 | uint64(size/lanes), nil
	}
	return uint64(size), nil
}

// typeIndex numbers a type in the table. Integers and floats of one size are one type.
func (g *generator) typeIndex(ty uint64) int {
	name := fmt.Sprintf("i%d", ty)
	if n := ty >> 16; n > 0 {
		name = fmt.Sprintf("v%di%d", n, ty&0xffff)
	}
	return g.asm.Type(name)
}

// classOfType is the target's class for a type.
func (g *generator) classOfType(t dagpattern.VT) desc.ClassID {
	name := g.p.TypeName(t)
	if t >= 0 && g.p.IsPtr(t) {
		name = fmt.Sprintf("i%d", g.ptrBits)
	}
	if c, ok := g.classes[name]; ok {
		return c
	}
	return desc.NoClass
}

// widest is the largest allocatable class that contains class c and holds the same types.
func (g *generator) widest(c desc.ClassID) desc.ClassID {
	if c == desc.NoClass {
		return c
	}
	for _, ty := range g.info.ClassTypes(c, g.info.DefaultMode) {
		if w, ok := g.classes[ty.String()]; ok && g.info.HasSubClassEq(w, c) {
			return w
		}
	}
	return c
}

package dagpattern

import (
	"math/bits"
	"slices"
	"strconv"

	"github.com/mirin-go/mirin/tablegen"
)

// VT is a value type: its number in the order of ValueTypes.td.
type VT int16

// maxTypes bounds the number of value types of a file.
const maxTypes = 320

// vtSet is a set of value types.
type vtSet [maxTypes / 64]uint64

func (s *vtSet) add(t VT)     { s[t>>6] |= 1 << (uint(t) & 63) }
func (s *vtSet) remove(t VT)  { s[t>>6] &^= 1 << (uint(t) & 63) }
func (s vtSet) has(t VT) bool { return s[t>>6]>>(uint(t)&63)&1 != 0 }
func (s vtSet) empty() bool   { return s == vtSet{} }
func (s vtSet) len() (n int) {
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// first is the smallest member, -1 for none.
func (s vtSet) first() VT {
	for i, w := range s {
		if w != 0 {
			return VT(i*64 + bits.TrailingZeros64(w))
		}
	}
	return -1
}

// each calls f for the members in order.
func (s vtSet) each(f func(VT)) {
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			f(VT(i*64 + bits.TrailingZeros64(w)))
		}
	}
}

func (s vtSet) any(p func(VT) bool) bool {
	ok := false
	s.each(func(t VT) { ok = ok || p(t) })
	return ok
}

// erase removes the members for which p holds and says whether there were any.
func (s *vtSet) erase(p func(VT) bool) bool {
	old := *s
	old.each(func(t VT) {
		if p(t) {
			s.remove(t)
		}
	})
	return *s != old
}

func (s *vtSet) union(t vtSet) {
	for i := range s {
		s[i] |= t[i]
	}
}

// typeInfo is what inference asks about one type.
type typeInfo struct {
	name                           string
	size                           int // in bits, the least for scalable ones
	lanes                          int
	elem                           VT // of a vector
	integer, fp, vector, scalable  bool
	overloaded, capability, normal bool
	scalarInt                      bool
}

// typeTable holds the value types by number.
type typeTable struct {
	info   []typeInfo
	byName map[string]VT
	// the types that have a meaning of their own
	other, i32, i64, iPTR, cPTR, untyped, pAny, vAny, fAny, iAny, anyVT VT
}

// readTypes numbers the records of class ValueType in the order of the file.
func readTypes(rs *tablegen.Records) (*typeTable, bool) {
	t := &typeTable{byName: map[string]VT{}}
	recs := slices.Clone(rs.DerivedFrom("ValueType"))
	slices.SortStableFunc(recs, func(a, b *tablegen.Record) int { return a.ID - b.ID })
	for _, r := range recs {
		if r.IsSubClassOf("HwModeSelect") || r.IsSubClassOf("PtrValueType") {
			continue
		}
		if _, ok := t.byName[r.String("LLVMName")]; ok {
			continue
		}
		if len(t.info) == maxTypes {
			return nil, false
		}
		t.byName[r.String("LLVMName")] = VT(len(t.info))
		t.info = append(t.info, typeInfo{name: r.String("LLVMName"), size: int(r.Int("Size")), lanes: int(r.Int("nElem")), elem: -1,
			integer: r.Bit("isInteger"), fp: r.Bit("isFP"), vector: r.Bit("isVector"), scalable: r.Bit("isScalable"),
			overloaded: r.Bit("isOverloaded"), capability: r.Bit("isCheriCapability"), normal: r.Bit("isNormalValueType")})
	}
	for _, r := range recs {
		if e := r.DefField("ElementType"); e != nil && r.Bit("isVector") && !r.IsSubClassOf("HwModeSelect") {
			if v, ok := t.byName[e.String("LLVMName")]; ok {
				t.info[t.byName[r.String("LLVMName")]].elem = v
			}
		}
	}
	for i := range t.info {
		t.info[i].scalarInt = t.info[i].integer && !t.info[i].vector
	}
	ok := true
	get := func(n string) VT {
		v, found := t.byName[n]
		ok = ok && found
		return v
	}
	t.other, t.i32, t.i64, t.iPTR, t.cPTR, t.untyped = get("Other"), get("i32"), get("i64"), get("iPTR"), get("cPTR"), get("Untyped")
	t.pAny, t.vAny, t.fAny, t.iAny, t.anyVT = get("pAny"), get("vAny"), get("fAny"), get("iAny"), get("Any")
	return t, ok
}

func (t *typeTable) isVector(v VT) bool   { return t.info[v].vector }
func (t *typeTable) isScalar(v VT) bool   { return !t.info[v].vector }
func (t *typeTable) isFP(v VT) bool       { return t.info[v].fp }
func (t *typeTable) isIntOrPtr(v VT) bool { return t.info[v].integer || v == t.iPTR }

func (t *typeTable) scalarSize(v VT) int {
	if e := t.info[v].elem; e >= 0 {
		return t.info[e].size
	}
	return t.info[v].size
}

// Mode is a hardware mode; 0 is the default one.
type Mode int

// modeSet is what a value may be in one mode.
type modeSet struct {
	mode Mode
	set  vtSet
}

// TypeSet holds the types that a value may have, by mode in order. Without
// any mode nothing is known yet.
type TypeSet struct {
	by    []modeSet
	space int // address space of a pointer type
}

func (s *TypeSet) find(m Mode) int {
	for i := range s.by {
		if s.by[i].mode == m {
			return i
		}
	}
	return -1
}

func (s *TypeSet) unknown() bool    { return len(s.by) == 0 }
func (s *TypeSet) hasDefault() bool { return s.find(0) >= 0 }

// insert puts a set for a mode in its place.
func (s *TypeSet) insert(m Mode, set vtSet) *vtSet {
	i, _ := slices.BinarySearchFunc(s.by, m, func(e modeSet, m Mode) int { return int(e.mode - m) })
	s.by = slices.Insert(s.by, i, modeSet{m, set})
	return &s.by[i].set
}

// at returns the set of a mode, made from that of the default mode when there
// is none.
func (s *TypeSet) at(m Mode) *vtSet {
	if i := s.find(m); i >= 0 {
		return &s.by[i].set
	}
	var def vtSet
	if i := s.find(0); i >= 0 {
		def = s.by[i].set
	}
	return s.insert(m, def)
}

// peek is at without a change.
func (s *TypeSet) peek(m Mode) vtSet {
	if i := s.find(m); i >= 0 {
		return s.by[i].set
	}
	if i := s.find(0); i >= 0 {
		return s.by[i].set
	}
	return vtSet{}
}

func (s TypeSet) clone() TypeSet { return TypeSet{slices.Clone(s.by), s.space} }

// possible reports whether some mode has a type left.
func (s *TypeSet) possible() bool {
	for i := range s.by {
		if !s.by[i].set.empty() {
			return true
		}
	}
	return false
}

// contradiction reports whether something is known and nothing is possible.
func (s *TypeSet) contradiction() bool { return len(s.by) > 0 && !s.possible() }

// simple returns the one type of the default mode.
func (s *TypeSet) simple() (VT, bool) {
	if len(s.by) == 1 && s.by[0].mode == 0 && s.by[0].set.len() == 1 {
		return s.by[0].set.first(), true
	}
	return -1, false
}

// onlyDefault reports whether there is a set for the default mode alone.
func (s *TypeSet) onlyDefault() bool { return len(s.by) == 1 && s.by[0].mode == 0 }

// single reports whether each mode has one type, or none where emptyOK.
func (s *TypeSet) single(emptyOK bool) bool {
	if len(s.by) == 0 {
		return emptyOK
	}
	for i := range s.by {
		if n := s.by[i].set.len(); n > 1 || n == 0 && !emptyOK {
			return false
		}
	}
	return true
}

// equal compares two sets; a mode that one of them lacks is its default.
func (s *TypeSet) equal(o *TypeSet) bool {
	if s.unknown() != o.unknown() {
		return false
	}
	if s.unknown() {
		return true
	}
	if s.space != o.space {
		return false
	}
	sd, od := s.hasDefault(), o.hasDefault()
	for _, m := range unionModes(s, o) {
		sh, oh := sd || s.find(m) >= 0, od || o.find(m) >= 0
		if sh != oh || sh && s.peek(m) != o.peek(m) {
			return false
		}
	}
	return true
}

// unionModes lists the modes of both; the default one stands for those that
// only one has.
func unionModes(a, b *TypeSet) []Mode {
	var out []Mode
	for _, s := range []*TypeSet{a, b} {
		for i := range s.by {
			if !slices.Contains(out, s.by[i].mode) {
				out = append(out, s.by[i].mode)
			}
		}
	}
	slices.SortFunc(out, func(a, b Mode) int {
		if (a == 0) != (b == 0) {
			if a == 0 { // the default one last: others start as copies of it
				return 1
			}
			return -1
		}
		return int(a - b)
	})
	return out
}

// addType inserts a type that may depend on the mode.
func (s *TypeSet) addType(v vtByMode) {
	def := VT(-1)
	for _, x := range v.by {
		s.at0(x.mode).add(x.vt)
		if x.mode == 0 {
			def = x.vt
		}
	}
	if def < 0 {
		return
	}
	for i := range s.by {
		if !v.has(s.by[i].mode) {
			s.by[i].set.add(def)
		}
	}
}

// at0 is at for building: a new mode starts empty.
func (s *TypeSet) at0(m Mode) *vtSet {
	if i := s.find(m); i >= 0 {
		return &s.by[i].set
	}
	return s.insert(m, vtSet{})
}

// vtByMode is a type that may depend on the mode.
type vtByMode struct {
	by    []modeVT
	space int
}

type modeVT struct {
	mode Mode
	vt   VT
}

func (v *vtByMode) has(m Mode) bool {
	for _, x := range v.by {
		if x.mode == m {
			return true
		}
	}
	return false
}

func (v *vtByMode) simple() (VT, bool) {
	if len(v.by) == 1 && v.by[0].mode == 0 {
		return v.by[0].vt, true
	}
	return -1, false
}

// setOf makes the set of some types.
func setOf(l ...vtByMode) TypeSet {
	var s TypeSet
	if len(l) > 0 {
		s.space = l[0].space
	}
	for _, v := range l {
		s.addType(v)
	}
	return s
}

// setOfVT makes the set of one type in the default mode.
func setOfVT(t VT) TypeSet {
	var v vtSet
	v.add(t)
	return TypeSet{by: []modeSet{{0, v}}}
}

// appendTypeSet writes a set as "{ *:[i32 i64] m1:[i32] }".
func (p *Set) appendTypeSet(b []byte, s *TypeSet) []byte {
	if len(s.by) == 0 {
		return append(b, "{}"...)
	}
	b = append(b, '{')
	for i := range s.by {
		b = append(b, ' ')
		b = append(b, p.modeName(s.by[i].mode)...)
		b = append(b, ":["...)
		sep := false
		s.by[i].set.each(func(t VT) {
			if sep {
				b = append(b, ' ')
			}
			sep = true
			b = append(b, p.types.info[t].name...)
		})
		b = append(b, ']')
	}
	b = append(b, " }"...)
	if s.space != 0 && s.space != noSpace {
		b = strconv.AppendInt(append(b, "(p"...), int64(s.space), 10)
		b = append(b, ')')
	}
	return b
}

// noSpace is the address space of a type that is no pointer type.
const noSpace = -1

func (p *Set) modeName(m Mode) string {
	if m == 0 {
		return "*"
	}
	return p.modes[m].Name
}

package irtext

import (
	"cmp"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/mirin-go/mirin/ir"
)

// attrForm is what an attribute's argument is.
type attrForm uint8

const (
	attrPlain attrForm = iota
	attrType
	attrInt // a number, or a form of its own
	attrRange
	attrRangeList
)

// attrPlace is where an attribute may stand.
type attrPlace uint8

const (
	onFn attrPlace = 1 << iota
	onParam
	onRet
)

type attrInfo struct {
	name  string
	form  attrForm
	place attrPlace
}

// attrIndex maps names to rows of attrTable.
var attrIndex = sync.OnceValue(func() map[string]int {
	m := make(map[string]int, len(attrTable))
	for i := range attrTable {
		m[attrTable[i].name] = i
	}
	return m
})

func attrByName(s string) *attrInfo {
	if len(s) < 4 && commonType(s) != 0 {
		return nil // what mostly stands where an attribute may
	}
	if i, ok := attrIndex()[s]; ok {
		return &attrTable[i]
	}
	return nil
}

// AttrUse says of an attribute, other than string attributes, whether there is such
// a one, and whether it has a number and may stand at a parameter.
func AttrUse(name string) (known, number, param bool) {
	i, ok := attrIndex()[name]
	if !ok {
		return false, false, false
	}
	a := &attrTable[i]
	return true, a.form == attrInt, a.place&onParam != 0
}

// ForFunctions reports whether an attribute, other than string attributes, may stand at
// a function or call.
func ForFunctions(name string) bool {
	i, ok := attrIndex()[name]
	return ok && attrTable[i].place&onFn != 0
}

// attrRank orders attributes as LLVM prints them.
func attrRank(a *ir.Attr) int {
	if !a.IsString {
		if i, ok := attrIndex()[a.Key]; ok {
			return i
		}
	}
	return len(attrTable)
}

// groupUse is a #n of a function or variable at the top level.
type groupUse struct {
	g    ir.GlobalID
	off  int
	fn   []ir.Attr
	list *ir.AttrList
	nums []uint32
}

// skipAttrs passes over attributes of a parameter or result.
func (p *parser) skipAttrs() {
	for {
		if p.tok == tWord && p.text() == "nocapture" {
			p.next()
			continue
		}
		switch {
		case p.tok == tString:
			p.next()
			if p.eat('=') && p.tok == tString {
				p.next()
			}
			continue
		case p.tok != tWord:
			return
		}
		w := p.text()
		a := attrByName(w)
		if a == nil {
			return
		}
		p.next()
		if w == "align" && p.tok == tInt {
			p.next()
		} else if p.tok == '(' && a.form != attrPlain {
			depth := 0
			for p.tok != tEOF && p.tok != tError {
				if p.tok == '(' {
					depth++
				} else if p.tok == ')' {
					depth--
				}
				p.next()
				if depth == 0 {
					break
				}
			}
		}
	}
}

// attrs reads the attributes of a parameter or result.
func (p *parser) attrs(place attrPlace) []ir.Attr {
	var set []ir.Attr
	for p.ok() {
		if p.tok == tString {
			set = addAttr(set, p.stringAttr())
			continue
		}
		if p.tok != tWord {
			break
		}
		if p.text() == "nocapture" {
			set = addAttr(set, ir.Attr{Key: "captures", Value: "none"})
			p.next()
			continue
		}
		info := attrByName(p.text())
		if info == nil {
			break
		}
		if info.place&place == 0 {
			if place == onParam {
				p.error("this attribute does not apply to parameters")
			} else {
				p.error("this attribute does not apply to return values")
			}
			return nil
		}
		set = addAttr(set, p.attr(info, false))
	}
	sortAttrs(set)
	return set
}

func addAttr(set []ir.Attr, a ir.Attr) []ir.Attr {
	if a.Key == "" && !a.IsString {
		return set // says nothing
	}
	for i := range set {
		if set[i].Key == a.Key && set[i].IsString == a.IsString {
			set[i] = a
			return set
		}
	}
	return append(set, a)
}

func sortAttrs(set []ir.Attr) {
	if len(set) < 2 {
		return
	}
	slices.SortStableFunc(set, func(a, b ir.Attr) int {
		if c := cmp.Compare(attrRank(&a), attrRank(&b)); c != 0 || !a.IsString || !b.IsString {
			return c
		}
		return cmp.Compare(a.Key, b.Key)
	})
}

func (p *parser) stringAttr() ir.Attr {
	a := ir.Attr{Key: p.str(), IsString: true}
	p.next()
	if p.eat('=') {
		a.Value = p.string("expected string constant")
	}
	return a
}

// attr reads one attribute whose name is the current token. In groups,
// align and alignstack are written with =.
func (p *parser) attr(info *attrInfo, group bool) ir.Attr {
	a := ir.Attr{Key: info.name}
	p.next()
	switch info.form {
	case attrType:
		if info.name == "preallocated" && p.tok != '(' {
			p.error("expected '('")
			return a
		}
		p.expect('(', "expected '('")
		a.Type = p.typ("expected type")
		p.expect(')', "expected ')'")
	case attrRange:
		p.expect('(', "expected '('")
		off := p.off
		t := p.typ("expected type")
		w := p.t.IntBits(t)
		if w == 0 {
			p.errorAt(off, "the range must have integer type!")
			return a
		}
		lo := p.rangeInt(w)
		p.expect(',', "expected ','")
		hi := p.rangeInt(w)
		p.expect(')', "expected ')'")
		if p.ok() && lo == hi && lo != "0" {
			p.errorAt(p.prevOff, "the range represent the empty set but limits aren't 0!")
		}
		a.Type, a.Value = t, lo+", "+hi
	case attrRangeList:
		p.expect('(', "expected '('")
		ordered, last := true, int64(0)
		for p.ok() {
			p.expect('(', "expected '('")
			lo := p.rangeInt(64)
			p.expect(',', "expected ','")
			hi := p.rangeInt(64)
			if p.ok() && lo == hi {
				p.error("the range should not represent the full or empty set!")
			}
			p.expect(')', "expected ')'")
			from, _ := strconv.ParseInt(lo, 10, 64)
			to, _ := strconv.ParseInt(hi, 10, 64)
			ordered = ordered && from < to && (a.Value == "" || from > last)
			last = to
			if a.Value != "" {
				a.Value += ", "
			}
			a.Value += "(" + lo + ", " + hi + ")"
			if !p.eat(',') {
				break
			}
		}
		p.expect(')', "expected ')'")
		if p.ok() && !ordered {
			p.error("Invalid (unordered or overlapping) range list")
		}
	case attrInt:
		p.intAttr(&a, group)
	}
	return a
}

// rangeInt reads an integer of the given width and returns its signed decimal form.
func (p *parser) rangeInt(w int) string {
	if p.tok != tInt {
		p.error("expected integer")
		return ""
	}
	s, n := p.text(), p.num
	if w < 64 && (p.big || !p.neg && n>>w != 0 || p.neg && bits.Len64(n-1) >= w) {
		p.error("integer is too large for the bit width of specified type")
		return ""
	}
	neg := p.neg || p.big || w > 64
	p.next()
	if neg {
		return s
	}
	return strconv.FormatInt(int64(n<<(64-w))>>(64-w), 10)
}

func (p *parser) intAttr(a *ir.Attr, group bool) {
	switch a.Key {
	case "align", "alignstack":
		switch {
		case group:
			p.expect('=', "expected '=' here")
			off := p.off
			a.Int = p.uint(32)
			if a.Key == "align" {
				p.pow2(off, a.Int)
			} else if a.Int == 0 {
				a.Key = ""
			} else { // LLVM keeps the logarithm
				a.Int = 1 << (bits.Len64(a.Int) - 1)
			}
		case p.tok == '(':
			open := p.off
			p.next()
			off := p.off
			a.Int = p.uint(64)
			if p.ok() && !p.eat(')') {
				p.errorAt(open, "expected ')'")
			}
			p.pow2(off, a.Int)
		default:
			if a.Key == "alignstack" {
				p.error("expected '('")
				return
			}
			off := p.off
			a.Int = p.uint(64)
			p.pow2(off, a.Int)
		}
		a.HasInt = true
	case "dereferenceable", "dereferenceable_or_null":
		p.expect('(', "expected '('")
		off := p.off
		a.Int, a.HasInt = p.uint(64), true
		p.expect(')', "expected ')'")
		if p.ok() && a.Int == 0 {
			p.errorAt(off, "dereferenceable bytes must be non-zero")
		}
	case "allocsize", "vscale_range":
		p.expect('(', "expected '('")
		lo := p.uint(32)
		s := strconv.FormatUint(lo, 10)
		if p.eat(',') {
			off := p.off
			hi := p.uint(32)
			if a.Key == "allocsize" && hi == lo && p.ok() {
				p.errorAt(off, "'allocsize' indices can't refer to the same parameter")
				return
			}
			s += "," + strconv.FormatUint(hi, 10)
		} else if a.Key == "vscale_range" {
			s += "," + s
		}
		p.expect(')', "expected ')'")
		a.Value = s
		if a.Key == "vscale_range" && s == "0,0" {
			a.Key = ""
		}
	case "allockind":
		p.expect('(', "expected '('")
		off := p.off
		a.Value = p.string("expected allockind value")
		for k := range strings.SplitSeq(a.Value, ",") {
			switch k {
			case "alloc", "realloc", "free", "uninitialized", "zeroed", "aligned":
			default:
				if p.ok() {
					p.errorAt(off, "unknown allockind "+k)
				}
			}
		}
		p.expect(')', "expected ')'")
	case "uwtable":
		if p.eat('(') {
			if !p.is("sync") && !p.is("async") {
				p.error("expected unwind table kind")
				return
			}
			if p.is("sync") {
				a.Value = "sync"
			}
			p.next()
			p.expect(')', "expected ')'")
		}
	case "memory":
		p.memoryAttr(a)
	case "captures":
		p.capturesAttr(a)
	case "nofpclass":
		p.noFPClassAttr(a)
	}
}

func (p *parser) pow2(off int, n uint64) {
	if p.ok() && bits.OnesCount64(n) != 1 {
		p.errorAt(off, "alignment is not a power of two")
	} else if p.ok() && n > 1<<32 {
		p.errorAt(off, "huge alignments are not supported yet")
	}
}

// memLocs are the locations of memory(…), in LLVM's order; "" is all other memory.
var memLocs = [...]string{"argmem", "inaccessiblemem", "errnomem", "", "target_mem0", "target_mem1"}

var modRefNames = [...]string{"none", "read", "write", "readwrite"}

// memEffects is 2 bits (read, write) for each of memLocs.
type memEffects [len(memLocs)]uint8

func allMem(m uint8) (e memEffects) {
	for i := range e {
		e[i] = m
	}
	return e
}

func (p *parser) memoryAttr(a *ir.Attr) {
	p.expect('(', "expected '('")
	var e memEffects
	seenLoc := false
	for p.ok() {
		loc := -1
		if p.tok == tWord && slices.Contains(memLocs[:], p.text()) {
			p.next()
			p.error("expected ':' after location")
			return
		}
		if p.tok == tLabel {
			for i, n := range memLocs {
				if n != "" && n == p.text() {
					loc = i
				}
			}
			if loc < 0 {
				p.error("expected memory location (argmem, inaccessiblemem, errnomem) or access kind (none, read, write, readwrite)")
				return
			}
			p.next()
		}
		kind := -1
		for i, n := range modRefNames {
			if p.tok == tWord && n == p.text() {
				kind = i
			}
		}
		if kind < 0 {
			if loc < 0 {
				p.error("expected memory location (argmem, inaccessiblemem, errnomem) or access kind (none, read, write, readwrite)")
			} else {
				p.error("expected access kind (none, read, write, readwrite)")
			}
			return
		}
		if p.next(); loc < 0 && seenLoc {
			p.error("default access kind must be specified first")
			return
		}
		if loc < 0 {
			e = allMem(uint8(kind))
		} else {
			seenLoc = true
			e[loc] = uint8(kind)
		}
		if !p.eat(',') {
			break
		}
	}
	p.expect(')', "unterminated memory attribute")
	a.Value = e.String()
}

// String returns the canonical argument of memory(…).
func (e memEffects) String() string {
	other := e[3]
	same := true
	for _, m := range e {
		same = same && m == other
	}
	var b []byte
	if other != 0 || same {
		b = append(b, modRefNames[other]...)
	}
	for i, m := range e {
		if m == other {
			continue
		}
		if len(b) > 0 {
			b = append(b, ", "...)
		}
		b = append(b, memLocs[i]...)
		b = append(b, ": "...)
		b = append(b, modRefNames[m]...)
	}
	return string(b)
}

// legacyMemory maps function attributes of old to memory(…).
func legacyMemory(w string) (e memEffects, ok bool) {
	switch w {
	case "readnone":
		return memEffects{}, true
	case "readonly":
		return allMem(1), true
	case "writeonly":
		return allMem(2), true
	case "argmemonly":
		return memEffects{0: 3}, true
	case "inaccessiblememonly":
		return memEffects{1: 3}, true
	case "inaccessiblemem_or_argmemonly":
		return memEffects{0: 3, 1: 3}, true
	}
	return e, false
}

// Bits of captures(…).
const (
	capNull    = 1
	capAddress = 3
	capRead    = 4
	capProv    = 12
)

func (p *parser) capturesAttr(a *ir.Attr) {
	p.expect('(', "expected '('")
	var sides [2]uint8 // other, ret
	side, sawRet := 0, false
	some, none := false, false
	for p.ok() {
		if p.is("ret") {
			p.next()
			p.error("expected ':'")
			return
		}
		if p.tok == tLabel && p.text() == "ret" {
			if sawRet {
				p.next()
				p.error("duplicate 'ret' location")
				return
			}
			p.next()
			side, sawRet = 1, true
			some, none = false, false
		}
		if none {
			p.error("cannot use 'none' with other component")
			return
		}
		bitsOf := map[string]uint8{"none": 0, "address_is_null": capNull, "address": capAddress, "read_provenance": capRead, "provenance": capProv}
		c, ok := bitsOf[p.text()]
		if p.tok != tWord || !ok {
			p.error("expected one of 'none', 'address', 'address_is_null', 'provenance' or 'read_provenance'")
			return
		}
		p.next()
		if c == 0 && some {
			p.error("cannot use 'none' with other component")
			return
		}
		some, none = true, c == 0
		sides[side] |= c
		if !p.eat(',') {
			break
		}
	}
	p.expect(')', "expected ',' or ')'")
	if !sawRet {
		sides[1] = sides[0]
	}
	comps := func(c uint8) string {
		var l []string
		if c == 0 {
			return "none"
		}
		if c&capAddress == capAddress {
			l = append(l, "address")
		} else if c&capNull != 0 {
			l = append(l, "address_is_null")
		}
		if c&capProv == capProv {
			l = append(l, "provenance")
		} else if c&capRead != 0 {
			l = append(l, "read_provenance")
		}
		return strings.Join(l, ", ")
	}
	if sides[0] != 0 || sides[0] == sides[1] {
		a.Value = comps(sides[0])
	}
	if sides[0] != sides[1] {
		if a.Value != "" {
			a.Value += ", "
		}
		a.Value += "ret: " + comps(sides[1])
	}
}

// fpClasses are the words of nofpclass with their bits, in order of printing.
var fpClasses = [...]struct {
	name string
	mask uint64
}{
	{"all", 1023}, {"nan", 3}, {"snan", 1}, {"qnan", 2}, {"inf", 0x204}, {"ninf", 4}, {"pinf", 0x200},
	{"zero", 0x60}, {"nzero", 0x20}, {"pzero", 0x40}, {"sub", 0x90}, {"nsub", 0x10}, {"psub", 0x80},
	{"norm", 0x108}, {"nnorm", 8}, {"pnorm", 0x100},
}

func (p *parser) noFPClassAttr(a *ir.Attr) {
	p.expect('(', "expected '('")
	var mask uint64
	for p.ok() && p.tok != ')' {
		found := false
		for _, c := range fpClasses {
			if p.tok == tWord && p.text() == c.name {
				mask |= c.mask
				found = true
			}
		}
		if !found {
			if p.tok == tInt && !p.neg && mask == 0 {
				mask = p.uint(32)
				if mask == 0 || mask > 1023 {
					p.error("invalid mask value for 'nofpclass'")
				}
				break
			}
			p.error("expected nofpclass test mask")
			return
		}
		p.next()
	}
	if p.ok() && mask == 0 {
		p.error("expected nofpclass test mask")
		return
	}
	p.expect(')', "expected ')'")
	a.Int, a.HasInt = mask, true
	var b []byte
	for _, c := range fpClasses {
		if mask&c.mask == c.mask {
			if len(b) > 0 {
				b = append(b, ' ')
			}
			b = append(b, c.name...)
			mask &^= c.mask
		}
	}
	a.Value = string(b)
}

// fnAttrs reads the attributes of a function, of a variable, of a call after its
// arguments, or of a group. Groups that are named go to nums. align is one of them
// everywhere: functions make it their alignment (takeAlign).
func (p *parser) fnAttrs(group bool) (set []ir.Attr, nums []uint32) {
	mem, hasMem := allMem(3), false
	for p.ok() {
		switch p.tok {
		case tAttrGrp:
			if group {
				p.error("cannot have an attribute group reference in an attribute group")
				return
			}
			nums = append(nums, uint32(p.num))
			p.next()
			continue
		case tString:
			set = addAttr(set, p.stringAttr())
			continue
		case tWord:
		default:
			goto done
		}
		w := p.text()
		if w == "align" {
			if group {
				a := p.attr(attrByName(w), true)
				if p.ok() {
					p.alignLog(p.off, a.Int)
					set = addAttr(set, a)
				}
			} else if log := p.optAlign(); log != 0 {
				set = addAttr(set, ir.Attr{Key: "align", Int: 1 << (log - 1), HasInt: true})
			}
			continue
		}
		if e, ok := legacyMemory(w); ok {
			p.next()
			hasMem = true
			for i := range mem {
				mem[i] &= e[i]
			}
			continue
		}
		if !group && (w == "builtin" || w == "nobuiltin") && attrByName(w) == nil {
			goto done
		}
		info := attrByName(w)
		if info == nil {
			goto done
		}
		off := p.off
		if w == "builtin" {
			p.builtinOff = off
		}
		a := p.attr(info, group)
		if p.ok() && info.place&onFn == 0 {
			p.errorAt(off, "this attribute does not apply to functions")
		}
		if !p.ok() {
			return
		}
		set = addAttr(set, a)
	}
done:
	if hasMem {
		set = addAttr(set, ir.Attr{Key: "memory", Value: mem.String()})
	}
	sortAttrs(set)
	return
}

// attributeGroup reads attributes #0 = { … }.
func (p *parser) attributeGroup() {
	start := p.off
	p.next()
	if p.tok != tAttrGrp {
		p.error("expected attribute group id")
		return
	}
	n := uint32(p.num)
	p.next()
	p.expect('=', "expected '=' here")
	p.expect('{', "expected '{' here")
	set, _ := p.fnAttrs(true)
	if p.ok() && p.tok != '}' {
		p.error("unterminated attribute group")
	}
	p.eat('}')
	if !p.ok() {
		return
	}
	if len(set) == 0 {
		p.errorAt(start, "attribute group has no attributes")
		return
	}
	p.groups[n] = set // the last definition counts
}

// mergeGroups returns the attributes of set and of the numbered groups: of one that
// stands in several the last counts.
func (sh *shared) mergeGroups(set []ir.Attr, nums []uint32) []ir.Attr {
	if len(set) == 0 && len(nums) == 1 {
		return sh.groups[nums[0]]
	}
	merged := slices.Clone(set)
	for _, n := range nums {
		for _, a := range sh.groups[n] {
			merged = addAttr(merged, a)
		}
	}
	sortAttrs(merged)
	return merged
}

// takeAlign takes the alignment of a function out of its attributes, 0 where there is none.
func takeAlign(set []ir.Attr) ([]ir.Attr, uint8) {
	for k, a := range set {
		if a.Key == "align" && !a.IsString {
			return slices.Delete(slices.Clone(set), k, k+1), uint8(bits.TrailingZeros64(a.Int)) + 1
		}
	}
	return set, 0
}

// globalAttrs reads the attributes of a variable.
func (p *parser) globalAttrs(g *ir.Global, off int) {
	set, nums := p.fnAttrs(false)
	if len(set)+len(nums) > 0 {
		p.groupUses = append(p.groupUses, groupUse{g: g.ID, nums: nums, fn: set, list: &ir.AttrList{}, off: off})
	}
}

// resolveGroups gives functions and variables their whole attribute lists.
func (sh *shared) resolveGroups() {
	for i := range sh.groupUses {
		u := &sh.groupUses[i]
		g := sh.m.Globals[u.g]
		set := sh.mergeGroups(u.fn, u.nums)
		if g.Kind == ir.GlobalFunc {
			align := uint8(0)
			if set, align = takeAlign(set); align != 0 {
				g.Align = align
			}
		}
		u.list.Fn = set
		g.Attrs = sh.m.Attrs.Intern(u.list)
	}
}

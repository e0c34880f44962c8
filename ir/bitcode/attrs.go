package bitcode

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/ir"
)

// Numbers of attributes that are treated on their own.
const (
	attrAlign          = 1
	attrByVal          = 3
	attrNoCapture      = 11
	attrReadNone       = 20
	attrReadOnly       = 21
	attrStructRet      = 29
	attrInAlloca       = 38
	attrArgMemOnly     = 45
	attrInaccessible   = 49
	attrInaccessOrArg  = 50
	attrAllocSize      = 51
	attrWriteOnly      = 52
	attrVScaleRange    = 74
	attrAllocKind      = 82
	attrMemory         = 86
	attrNoFPClass      = 87
	attrUWTable        = 33
	attrCaptures       = 102
	maxAttrCode        = 105
	fnIndex            = 0xFFFFFFFF
	attrPlainEnum      = 0
	attrWithInt        = 1
	attrStringKey      = 3
	attrStringKeyValue = 4
	attrNoType         = 5
	attrWithType       = 6
	attrWithRange      = 7
	attrWithRanges     = 8
)

// attrRank returns the row of an attribute in attrTable by its number, -1 for an unknown one.
func attrRank(code uint64) int {
	for i := range attrTable {
		if uint64(attrTable[i].code) == code {
			return i
		}
	}
	return -1
}

// attrGroup is one attribute group: attributes of one place of a function.
type attrGroup struct {
	index uint64
	set   ir.AttrSet
}

func nameRank(a *ir.Attr) int {
	if !a.IsString {
		for i := range attrTable {
			if attrTable[i].name == a.Key {
				return i
			}
		}
	}
	return len(attrTable)
}

// sortAttrs brings a set into LLVM's order.
func sortAttrs(s ir.AttrSet) {
	slices.SortStableFunc(s, func(a, b ir.Attr) int {
		ra, rb := nameRank(&a), nameRank(&b)
		if ra != rb {
			return ra - rb
		}
		if a.IsString && b.IsString {
			return strings.Compare(a.Key, b.Key)
		}
		return 0
	})
}

// attrGroups reads the block of attribute groups.
func (r *reader) attrGroups() {
	if !r.enter(blkParamAttrGroup) {
		return
	}
	if r.groups == nil {
		r.groups = map[uint64]attrGroup{}
	}
	for r.err == nil {
		switch e, id := r.next(); e {
		case entryErr, entryBlock:
			r.fail("Malformed block")
		case entryEnd:
			return
		case entryRecord:
			if r.record(id) == 3 && r.err == nil {
				r.attrGroup(r.rec)
			}
		}
	}
}

func (r *reader) attrGroup(rec []uint64) {
	if len(rec) < 3 {
		r.fail("Invalid grp record")
		return
	}
	g := attrGroup{index: rec[1]}
	mem, hasMem := allMem(3), false
	for i := 2; i < len(rec); i++ {
		form := rec[i]
		i++
		if i >= len(rec) && form != attrStringKey && form != attrStringKeyValue {
			r.fail("Invalid attribute group entry")
			return
		}
		switch form {
		case attrStringKey, attrStringKeyValue:
			a := ir.Attr{IsString: true}
			a.Key, i = cString(rec, i)
			if form == attrStringKeyValue {
				a.Value, i = cString(rec, i+1)
			}
			g.set = append(g.set, a)
			continue
		case attrPlainEnum, attrWithInt, attrNoType, attrWithType, attrWithRange, attrWithRanges:
		default:
			r.fail("Invalid attribute group entry")
			return
		}
		code := rec[i]
		if g.index == fnIndex && form == attrPlainEnum {
			if e, ok := legacyMemory(code); ok {
				hasMem = true
				for k := range mem {
					mem[k] &= e[k]
				}
				continue
			}
		}
		if code == attrNoCapture {
			g.set = append(g.set, ir.Attr{Key: "captures", Value: "none"})
			continue
		}
		row := attrRank(code)
		if row < 0 {
			r.fail("Unknown attribute kind (%d)", code)
			return
		}
		a := ir.Attr{Key: attrTable[row].name}
		switch form {
		case attrPlainEnum, attrNoType:
			if attrTable[row].form == formInt && code != attrUWTable {
				r.fail("Not an enum attribute")
				return
			}
		case attrWithInt:
			if i++; i >= len(rec) || attrTable[row].form != formInt {
				r.fail("Not an int attribute")
				return
			}
			if !r.intAttr(&a, code, rec[i]) {
				continue
			}
		case attrWithType:
			if i++; i >= len(rec) || attrTable[row].form != formType {
				r.fail("Not a type attribute")
				return
			}
			a.Type = r.typ(rec[i])
		case attrWithRange:
			if attrTable[row].form != formRange || i+1 >= len(rec) {
				r.fail("Not a ConstantRange attribute")
				return
			}
			bits := rec[i+1]
			lo, hi, n, ok := constRange(rec[i+2:], bits)
			if !ok {
				r.fail("Too few records for range")
				return
			}
			i += 1 + n
			a.Type, a.Value = r.t.Int(int(bits)), lo+", "+hi
		case attrWithRanges:
			if attrTable[row].form != formRanges || i+2 >= len(rec) {
				r.fail("Not a constant range list attribute")
				return
			}
			num, bits := rec[i+1], rec[i+2]
			i += 2
			var parts []string
			for range min(num, uint64(len(rec))) {
				lo, hi, n, ok := constRange(rec[i+1:], bits)
				if !ok {
					r.fail("Too few records for range")
					return
				}
				i += n
				parts = append(parts, "("+lo+", "+hi+")")
			}
			a.Value = strings.Join(parts, ", ")
		}
		g.set = append(g.set, a)
	}
	if hasMem {
		g.set = append(g.set, ir.Attr{Key: "memory", Value: mem.String()})
	}
	sortAttrs(g.set)
	r.groups[rec[0]] = g
}

// cString reads the characters up to a 0; end is the place of the 0.
func cString(rec []uint64, at int) (s string, end int) {
	end = min(at, len(rec))
	for end < len(rec) && rec[end] != 0 {
		end++
	}
	return text(rec[:end], at), end
}

// constRange reads the two bounds of a range; n is the number of operands.
func constRange(rec []uint64, bits uint64) (lo, hi string, n int, ok bool) {
	if bits == 0 || bits > 1<<23 {
		return
	}
	if bits > 64 {
		if len(rec) < 1 {
			return
		}
		nl, nh := int(rec[0]&0xffffffff), int(rec[0]>>32)
		if nl+nh+1 > len(rec) || nl == 0 || nh == 0 {
			return
		}
		return wideText(rec[1:1+nl], bits), wideText(rec[1+nl:1+nl+nh], bits), 1 + nl + nh, true
	}
	if len(rec) < 2 {
		return
	}
	return strconv.FormatInt(unsign(rec[0]), 10), strconv.FormatInt(unsign(rec[1]), 10), 2, true
}

// intAttr sets the argument of an attribute; false leaves it out.
func (r *reader) intAttr(a *ir.Attr, code, v uint64) bool {
	switch code {
	case attrAllocSize:
		a.Value = itoa(v >> 32)
		if uint32(v) != 0xFFFFFFFF {
			a.Value += "," + itoa(v&0xFFFFFFFF)
		}
	case attrVScaleRange:
		a.Value = itoa(v>>32) + "," + itoa(v&0xFFFFFFFF)
	case attrAllocKind:
		var l []string
		for i, n := range allocKinds {
			if v>>i&1 != 0 {
				l = append(l, n)
			}
		}
		a.Value = strings.Join(l, ",")
	case attrUWTable:
		if v == 0 {
			return false
		}
		if v == 1 {
			a.Value = "sync"
		}
	case attrMemory:
		var e memEffects
		if v>>56 == 0 {
			// Without a location for errno: that of all other memory.
			e = memEffects{uint8(v & 3), uint8(v >> 2 & 3), uint8(v >> 4 & 3), uint8(v >> 4 & 3)}
		} else {
			for i := range e {
				e[i] = uint8(v >> (2 * i) & 3)
			}
		}
		a.Value = e.String()
	case attrCaptures:
		a.Value = capturesText(uint8(v>>4&15), uint8(v&15))
	case attrNoFPClass:
		a.Int, a.HasInt, a.Value = v, true, fpClassText(v)
	default:
		a.Int, a.HasInt = v, true
	}
	return true
}

var allocKinds = [...]string{"alloc", "realloc", "free", "uninitialized", "zeroed", "aligned"}

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

// String returns the argument of memory(…).
func (e memEffects) String() string {
	other, same := e[3], true
	for _, m := range e {
		same = same && m == other
	}
	var l []string
	if other != 0 || same {
		l = append(l, modRefNames[other])
	}
	for i, m := range e {
		if m != other {
			l = append(l, memLocs[i]+": "+modRefNames[m])
		}
	}
	return strings.Join(l, ", ")
}

// legacyMemory maps function attributes of before LLVM 16 to memory(…).
func legacyMemory(code uint64) (e memEffects, ok bool) {
	switch code {
	case attrReadNone:
		return memEffects{}, true
	case attrReadOnly:
		return allMem(1), true
	case attrWriteOnly:
		return allMem(2), true
	case attrArgMemOnly:
		return memEffects{0: 3}, true
	case attrInaccessible:
		return memEffects{1: 3}, true
	case attrInaccessOrArg:
		return memEffects{0: 3, 1: 3}, true
	}
	return e, false
}

// capturesText returns the argument of captures(…): what escapes by other
// ways than the result, and by the result.
func capturesText(other, ret uint8) string {
	part := func(c uint8) string {
		var l []string
		switch {
		case c&3 == 3:
			l = append(l, "address")
		case c&1 != 0:
			l = append(l, "address_is_null")
		}
		switch {
		case c&12 == 12:
			l = append(l, "provenance")
		case c&4 != 0:
			l = append(l, "read_provenance")
		}
		if l == nil {
			return "none"
		}
		return strings.Join(l, ", ")
	}
	var l []string
	if other != 0 || other == ret {
		l = append(l, part(other))
	}
	if other != ret {
		l = append(l, "ret: "+part(ret))
	}
	return strings.Join(l, ", ")
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

func fpClassText(mask uint64) string {
	var l []string
	for _, c := range fpClasses {
		if mask&c.mask == c.mask {
			l = append(l, c.name)
			mask &^= c.mask
		}
	}
	return strings.Join(l, " ")
}

// attrLists reads the block of attribute lists.
func (r *reader) attrLists() {
	if !r.enter(blkParamAttr) {
		return
	}
	for r.err == nil {
		switch e, id := r.next(); e {
		case entryErr, entryBlock:
			r.fail("Malformed block")
		case entryEnd:
			return
		case entryRecord:
			switch r.record(id) {
			case 1:
				r.oldAttrList(r.rec)
			case 2:
				l := &ir.AttrList{}
				for _, g := range r.rec {
					grp := r.groups[g]
					r.addToList(l, grp.index, grp.set)
				}
				r.lists = append(r.lists, r.m.Attrs.Intern(l))
			}
		}
	}
}

// addToList gives the parameter index, from 1 on, its attributes. All lists of a
// file together have a few slots for each of its bytes, so that wild indices in
// a small file take no memory.
func (r *reader) addToList(l *ir.AttrList, index uint64, set ir.AttrSet) {
	switch {
	case len(set) == 0:
	case index == fnIndex:
		l.Fn = set
	case index == 0:
		l.Ret = set
	case index > uint64(8*len(r.data)):
		r.fail("Invalid attribute list")
	default:
		if n := int(index) - len(l.Params); n > 0 {
			if r.slots += n; r.slots > 8*len(r.data) {
				r.fail("Invalid attribute list")
				return
			}
			l.Params = append(l.Params, make([]ir.AttrSet, n)...)
		}
		l.Params[index-1] = set
	}
}

// oldBits are the attributes of LLVM 3.2's bit masks, by bit.
var oldBits = [...]string{
	"zeroext", "signext", "noreturn", "inreg", "sret", "nounwind", "noalias", "byval", "nest", "readnone", "readonly", "noinline",
	"alwaysinline", "optsize", "ssp", "sspreq", 16: "", 21: "nocapture", 22: "noredzone", 23: "noimplicitfloat", 24: "naked", 25: "inlinehint",
	29: "returns_twice", 30: "uwtable", 31: "nonlazybind", 32: "sanitize_address", 33: "minsize", 34: "noduplicate", 35: "sspstrong",
	36: "sanitize_thread", 37: "sanitize_memory", 38: "nobuiltin", 39: "returned", 40: "cold", 41: "builtin", 42: "optnone",
}

// oldAttrList reads a list of LLVM 3.2: pairs of place and mask.
func (r *reader) oldAttrList(rec []uint64) {
	if len(rec)%2 != 0 {
		r.fail("Invalid parameter attribute record")
		return
	}
	l := &ir.AttrList{}
	for i := 0; i < len(rec); i += 2 {
		enc := rec[i+1]
		align := enc >> 16 & 0xffff
		if align&(align-1) != 0 {
			r.fail("Alignment is not a power of two")
			return
		}
		bits := enc&(0xfffff<<32)>>11 | enc&0xffff
		var set ir.AttrSet
		if align != 0 {
			set = append(set, ir.Attr{Key: "align", Int: align, HasInt: true})
		}
		if s := bits >> 26 & 7; s != 0 {
			set = append(set, ir.Attr{Key: "alignstack", Int: 1 << (s - 1), HasInt: true})
		}
		for b, n := range oldBits {
			if n == "" || bits>>b&1 == 0 {
				continue
			}
			switch {
			case n == "nocapture":
				set = append(set, ir.Attr{Key: "captures", Value: "none"})
			case rec[i] == fnIndex && n == "readnone":
				set = append(set, ir.Attr{Key: "memory", Value: "none"})
			case rec[i] == fnIndex && n == "readonly":
				set = append(set, ir.Attr{Key: "memory", Value: "read"})
			default:
				set = append(set, ir.Attr{Key: n})
			}
		}
		sortAttrs(set)
		r.addToList(l, rec[i], set)
	}
	r.lists = append(r.lists, r.m.Attrs.Intern(l))
}

// attrList returns the list with number n, of which 0 is none.
func (r *reader) attrList(n uint64) ir.AttrListID {
	if n == 0 || n > uint64(len(r.lists)) {
		return 0
	}
	return r.lists[n-1]
}

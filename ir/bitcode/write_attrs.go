package bitcode

import (
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/ir"
)

// outGroup is an attribute group to be written.
type outGroup struct {
	index uint64
	set   ir.AttrSet
}

func (w *writer) listID(id ir.AttrListID) uint64 {
	if id == 0 {
		return 0
	}
	return w.listIDs[id]
}

// addList numbers an attribute list and its groups.
func (w *writer) addList(id ir.AttrListID) {
	if id == 0 || w.listIDs[id] != 0 {
		return
	}
	l := w.m.Attrs.At(id)
	empty := len(l.Fn) == 0 && len(l.Ret) == 0
	for _, p := range l.Params {
		empty = empty && len(p) == 0
	}
	if empty {
		return
	}
	w.lists = append(w.lists, id)
	w.listIDs[id] = uint64(len(w.lists))
	eachSet(l, func(index uint64, s ir.AttrSet) {
		for i := range s {
			w.addType(s[i].Type)
		}
		key := groupKey(index, s)
		if w.groupIDs[key] == 0 {
			w.groups = append(w.groups, outGroup{index, s})
			w.groupIDs[key] = uint64(len(w.groups))
		}
	})
}

// eachSet calls f for the sets of a list: the result's, the parameters', the function's.
func eachSet(l *ir.AttrList, f func(index uint64, s ir.AttrSet)) {
	if len(l.Ret) > 0 {
		f(0, l.Ret)
	}
	for i, p := range l.Params {
		if len(p) > 0 {
			f(uint64(i+1), p)
		}
	}
	if len(l.Fn) > 0 {
		f(fnIndex, l.Fn)
	}
}

func groupKey(index uint64, s ir.AttrSet) string {
	b := strconv.AppendUint(nil, index, 10)
	for i := range s {
		a := &s[i]
		b = append(b, 1, byte(bit(a.IsString)))
		b = append(b, a.Key...)
		b = append(b, 2)
		b = append(b, a.Value...)
		b = append(b, 3)
		b = strconv.AppendUint(b, a.Int, 10)
		b = append(b, 4)
		b = strconv.AppendUint(b, uint64(a.Type), 10)
	}
	return string(b)
}

func (w *writer) attributes() {
	if len(w.groups) == 0 {
		return
	}
	w.enter(blkParamAttrGroup, 3)
	for i, g := range w.groups {
		r := append(w.rec[:0], uint64(i+1), g.index)
		for k := range g.set {
			r = w.attr(r, &g.set[k])
		}
		w.record(3, r...)
		w.rec = r
	}
	w.leave()
	w.enter(blkParamAttr, 3)
	for _, id := range w.lists {
		r := w.rec[:0]
		eachSet(w.m.Attrs.At(id), func(index uint64, s ir.AttrSet) { r = append(r, w.groupIDs[groupKey(index, s)]) })
		w.record(2, r...)
		w.rec = r
	}
	w.leave()
}

func chars(r []uint64, s string) []uint64 {
	for i := 0; i < len(s); i++ {
		r = append(r, uint64(s[i]))
	}
	return append(r, 0)
}

func (w *writer) attr(r []uint64, a *ir.Attr) []uint64 {
	if a.IsString {
		if strings.Contains(a.Key, "\x00") || strings.Contains(a.Value, "\x00") {
			w.fail("string attribute %q cannot be written: a zero byte ends a string of a bitcode attribute", a.Key)
			return r
		}
		if a.Value == "" {
			return chars(append(r, attrStringKey), a.Key)
		}
		return chars(chars(append(r, attrStringKeyValue), a.Key), a.Value)
	}
	row := slices.IndexFunc(attrTable[:], func(x attrInfo) bool { return x.name == a.Key })
	if row < 0 {
		w.fail("attribute %s is not supported", a.Key)
		return r
	}
	code := uint64(attrTable[row].code)
	switch attrTable[row].form {
	case formPlain:
		if a.HasInt {
			return append(r, attrWithInt, code, a.Int)
		}
		return append(r, attrPlainEnum, code)
	case formType:
		if a.Type == 0 {
			return append(r, attrNoType, code)
		}
		return append(r, attrWithType, code, w.typ(a.Type))
	case formRange:
		bits := w.t.IntBits(a.Type)
		lo, hi, _ := strings.Cut(a.Value, ", ")
		return w.appendRange(append(r, attrWithRange, code, uint64(bits)), uint(bits), lo, hi)
	case formRanges:
		parts := strings.Split(strings.Trim(a.Value, "()"), "), (")
		r = append(r, attrWithRanges, code, uint64(len(parts)), 64)
		for _, p := range parts {
			lo, hi, _ := strings.Cut(p, ", ")
			r = w.appendRange(r, 64, lo, hi)
		}
		return r
	}
	return append(r, attrWithInt, code, w.attrInt(code, a))
}

// appendRange appends the bounds of a range, as words with signs.
func (w *writer) appendRange(r []uint64, bits uint, lo, hi string) []uint64 {
	a, ok := new(big.Int).SetString(lo, 0)
	b, ok2 := new(big.Int).SetString(hi, 0)
	if !ok || !ok2 {
		w.fail("range %s, %s is no pair of numbers", lo, hi)
		return r
	}
	if bits <= 64 {
		return append(r, sign(int64(bigWords(a, bits)[0])), sign(int64(bigWords(b, bits)[0])))
	}
	wa, wb := bigWords(a, bits), bigWords(b, bits)
	r = append(r, uint64(len(wa))|uint64(len(wb))<<32)
	for _, x := range append(wa, wb...) {
		r = append(r, sign(int64(x)))
	}
	return r
}

// bigWords returns the 64-bit words of a number, the last one sign-extended from its width.
func bigWords(n *big.Int, bits uint) []uint64 {
	m := new(big.Int).Lsh(big.NewInt(1), uint((bits+63)/64*64))
	x := new(big.Int).Mod(n, m)
	words := make([]uint64, (bits+63)/64)
	for i := range words {
		words[i] = new(big.Int).And(x, new(big.Int).SetUint64(^uint64(0))).Uint64()
		x.Rsh(x, 64)
	}
	return words
}

// attrInt returns the number of an attribute's argument.
func (w *writer) attrInt(code uint64, a *ir.Attr) uint64 {
	pair := func(absent uint64) (x, y uint64) {
		lo, hi, ok := strings.Cut(a.Value, ",")
		x, _ = strconv.ParseUint(strings.TrimSpace(lo), 10, 32)
		y, _ = strconv.ParseUint(strings.TrimSpace(hi), 10, 32)
		if !ok {
			y = absent
		}
		return
	}
	switch code {
	case attrAllocSize:
		x, y := pair(0xFFFFFFFF)
		return x<<32 | y
	case attrVScaleRange:
		x, y := pair(0)
		return x<<32 | y
	case attrAllocKind:
		n := uint64(0)
		for _, k := range strings.Split(a.Value, ",") {
			if i := slices.Index(allocKinds[:], k); i >= 0 {
				n |= 1 << i
			}
		}
		return n
	case attrUWTable:
		if a.Value == "sync" {
			return 1
		}
		return 2
	case attrMemory:
		return memNumber(a.Value)
	case attrCaptures:
		return capturesNumber(a.Value)
	}
	return a.Int
}

func memNumber(s string) uint64 {
	var e memEffects
	for i, p := range strings.Split(s, ", ") {
		loc, kind, ok := strings.Cut(p, ": ")
		if !ok {
			loc, kind = "", p
		}
		k := slices.Index(modRefNames[:], kind)
		switch {
		case !ok && i == 0:
			e = allMem(uint8(k))
		default:
			if at := slices.Index(memLocs[:], loc); at >= 0 {
				e[at] = uint8(k)
			}
		}
	}
	n := uint64(1) << 56 // the version with a location for errno
	for i, m := range e {
		n |= uint64(m) << (2 * i)
	}
	return n
}

func capturesNumber(s string) uint64 {
	bits := map[string]uint64{"none": 0, "address_is_null": 1, "address": 3, "read_provenance": 4, "provenance": 12}
	other, ret, hasRet := s, "", false
	if i := strings.Index(s, "ret: "); i >= 0 {
		other, ret, hasRet = strings.TrimSuffix(s[:i], ", "), s[i+len("ret: "):], true
	}
	sum := func(s string) (n uint64) {
		for _, p := range strings.Split(s, ", ") {
			n |= bits[p]
		}
		return n
	}
	o := sum(other)
	r := o
	if hasRet {
		r = sum(ret)
	}
	return o<<4 | r
}

package main

import (
	"math/bits"
	"slices"
	"sort"

	"github.com/mirin-go/mirin/desc"
)

// valued is a sample with its operand.
type valued struct {
	sample
	val int64
}

// fit finds how an immediate goes into bits: as it is, with something added, or negated.
func fit(ss []valued, decoded bool) (field, bool) {
	try := func(x desc.EncXform) (field, bool) {
		list := make([]sample, len(ss))
		width := 0
		for i, s := range ss {
			v := behind(x, s.val)
			list[i] = sample{uint64(v), s.out}
			if v < 0 {
				width = max(width, bits.Len64(uint64(^v))+1)
			} else {
				width = max(width, bits.Len64(uint64(v)))
			}
		}
		// Of negative numbers the bit of the sign is the last that counts.
		for i := range list {
			if decoded && width < 64 {
				list[i].val &= 1<<width - 1
			}
		}
		lin, ok := solve(list)
		return field{xform: x, lin: lin}, ok
	}
	plain, linear := try(desc.EncXform{})
	if linear && simple(plain.lin) {
		return plain, true
	}
	for k := 0; k < 8 && !linear; k++ {
		for _, a := range [...]int64{-1 << k, 1 << k} {
			if f, ok := try(desc.EncXform{Kind: desc.XformAdd, Add: a}); ok && simple(f.lin) {
				return f, true
			}
		}
	}
	for _, a := range [...]int64{0, 8, 16, 32, 64, 128, 256, 7, 15, 31, 63, 127, 255, -1} {
		if f, ok := try(desc.EncXform{Kind: desc.XformSub, Add: a}); ok && !linear && simple(f.lin) {
			return f, true
		}
	}
	// ARM's "minus zero" is the least number of 32 bits: an operand of its own.
	signed := slices.DeleteFunc(slices.Clone(ss), func(s valued) bool { return s.val <= -1<<31 || s.val >= 1<<31 })
	below := 0
	for _, s := range signed {
		if s.val < 0 {
			below++
		}
	}
	if decoded && below > 4 && len(signed) > below+4 {
		ss = signed
		if f, ok := try(desc.EncXform{Kind: desc.XformSign}); ok && simple(f.lin) && f.lin.masks[63] != (code{}) {
			f.xform.Add = int64(f.lin.used() &^ (1 << 63))
			return f, true
		}
	}
	return plain, linear
}

// behind is what a transformation makes of a value.
func behind(x desc.EncXform, v int64) int64 {
	switch {
	case x.Kind == desc.XformSub:
		return x.Add - v
	case x.Kind == desc.XformSign && v < 0:
		return -v
	case x.Kind == desc.XformSign:
		return v | -1<<63
	}
	return v + x.Add
}

// simple reports that each bit of the value has at most one place: a map that
// says more than the few samples it was made of say.
func simple(l *linear) bool {
	for _, m := range l.masks {
		if bits.OnesCount64(m[0])+bits.OnesCount64(m[1]) > 1 {
			return false
		}
	}
	return true
}

// formatOf is the format of the values that a field holds.
func formatOf(f field, ss []valued) desc.ImmFormat {
	used := f.lin.used()
	lo, hi := bits.TrailingZeros64(used), bits.Len64(used)-1
	fm := desc.ImmFormat{Bits: uint8(hi - lo + 1), Shift: uint8(lo)}
	neg, pos := false, false
	for _, s := range ss {
		v := behind(f.xform, s.val)
		neg = neg || v < 0
		pos = pos || v>>hi == 1
	}
	fm.Signed, fm.Either = neg, neg && pos
	return fm
}

// mapped is a field whose values are listed.
func mapped(k int, kind desc.EncXformKind, ss []valued) field {
	var union code
	for _, s := range ss {
		union = union.or(s.out.xor(ss[0].out))
	}
	at := union.positions()
	f := field{op: k, xform: desc.EncXform{Kind: kind}, lin: &linear{}}
	for i, p := range at {
		if i < 64 {
			f.lin.masks[i][p/64] |= 1 << (p % 64)
		}
	}
	for _, s := range ss {
		v := uint64(0)
		for i, p := range at {
			v |= s.out[p/64] >> (p % 64) & 1 << i
		}
		f.maps = append(f.maps, desc.EncMap{Key: s.val, Value: v})
	}
	sort.Slice(f.maps, func(i, j int) bool { return f.maps[i].Key < f.maps[j].Key })
	n := 0
	for i, m := range f.maps {
		if i == 0 || m.Key != f.maps[n-1].Key {
			f.maps[n] = m
			n++
		}
	}
	f.maps = f.maps[:n]
	return f
}

package mcgen

import (
	"fmt"
	"sort"

	"github.com/mirin-go/mirin/desc"
)

// The decision tree of a namespace. A node is a switch over a run of bits that
// all (or else most) encodings at hand fix; those that do not fix it are tried
// afterwards, so that a special case always comes before the general one. A leaf
// tests all fixed bits of its encoding once more, so the tree only has to be
// fast: it cannot make a wrong match.

// maxRun is the most bits that one switch looks at.
const maxRun = 8

// tree makes the node of a list of encodings, special ones first. known are
// bits that have been looked at.
func (g *decoderGen) tree(list []*entry, known []uint64) uint32 {
	if len(list) == 0 {
		return 0
	}
	if len(list) == 1 {
		return g.node(desc.DecNode{First: list[0].instr})
	}
	if at, n := g.common(list, known); n > 0 {
		return g.split(list, known, at, n)
	}
	if at, n := g.mixed(list, known); n > 0 {
		return g.split(list, known, at, n)
	}
	// Nothing tells them apart.
	g.conflict(list)
	return g.node(desc.DecNode{First: list[0].instr, Rest: g.tree(list[1:], known)})
}

func (g *decoderGen) node(n desc.DecNode) uint32 {
	g.t.Nodes = append(g.t.Nodes, n)
	return uint32(len(g.t.Nodes) - 1)
}

// common finds the run of bits, fixed in all encodings, that has most values.
func (g *decoderGen) common(list []*entry, known []uint64) (at, n int) {
	all := make([]uint64, len(known))
	for k := range all {
		all[k] = ^known[k]
		for _, e := range list {
			all[k] &= e.mask[k]
		}
	}
	best := 1
	try := func(from, length int) {
		seen := map[uint64]bool{}
		for _, e := range list {
			seen[run(e.value, from, length)] = true
		}
		if len(seen) > best || len(seen) == best && best > 1 && length < n {
			best, at, n = len(seen), from, length
		}
	}
	for from := 0; from < len(all)*64; from++ {
		if all[from/64]>>(from%64)&1 == 0 {
			continue
		}
		length := 1
		for length < maxRun && from+length < len(all)*64 && all[(from+length)/64]>>((from+length)%64)&1 != 0 {
			length++
		}
		try(from, length)
	}
	return at, n
}

// mixed finds the bit that most encodings fix, though not all do.
func (g *decoderGen) mixed(list []*entry, known []uint64) (at, n int) {
	best := 0
	for b := range len(known) * 64 {
		if known[b/64]>>(b%64)&1 != 0 {
			continue
		}
		fixed := 0
		for _, e := range list {
			fixed += int(e.mask[b/64] >> (b % 64) & 1)
		}
		if fixed < len(list) && fixed > best {
			best, at, n = fixed, b, 1
		}
	}
	return at, n
}

// run is the field of n bits from bit at on.
func run(w []uint64, at, n int) (v uint64) {
	for k := range n {
		v |= w[(at+k)/64] >> ((at + k) % 64) & 1 << k
	}
	return v
}

// split makes a switch over n bits from bit at on.
func (g *decoderGen) split(list []*entry, known []uint64, at, n int) uint32 {
	next := append([]uint64(nil), known...)
	for k := at; k < at+n; k++ {
		next[k/64] |= 1 << (k % 64)
	}
	by := map[uint64][]*entry{}
	var values []uint64
	var rest []*entry
	for _, e := range list {
		if run(e.mask, at, n) != 1<<n-1 {
			rest = append(rest, e)
			continue
		}
		v := run(e.value, at, n)
		if by[v] == nil {
			values = append(values, v)
		}
		by[v] = append(by[v], e)
	}
	sort.Slice(values, func(i, j int) bool { return values[i] < values[j] })
	cases := make([]desc.DecCase, 0, len(values))
	for _, v := range values {
		cases = append(cases, desc.DecCase{Value: uint32(v), Node: g.tree(by[v], next)})
	}
	d := desc.DecNode{From: uint16(at), Len: uint8(n), Num: uint16(len(cases)), Rest: g.tree(rest, next)}
	d.First = uint32(len(g.t.Cases))
	g.t.Cases = append(g.t.Cases, cases...)
	return g.node(d)
}

// anyBit reports whether a mask has a bit.
func anyBit(mask []uint64) bool {
	for _, w := range mask {
		if w != 0 {
			return true
		}
	}
	return false
}

// conflict reports encodings that no bit tells apart: the same bits mean two
// instructions.
func (g *decoderGen) conflict(list []*entry) {
	a, b := list[0].e, list[1].e
	where := func(e *encoding) string {
		file, line := g.rs.Position(e.rec.Loc)
		return fmt.Sprintf("%s:%d", file, line)
	}
	g.errorf(b.rec.Loc, "decoding conflict: '%s' and '%s' (%s) have the same encoding %s", b.rec.Name, a.rec.Name, where(a), a.pattern())
}

// pattern is the encoding as text, the high bit first.
func (e *encoding) pattern() string {
	out := make([]byte, 0, len(e.bits))
	for k := len(e.bits) - 1; k >= 0; k-- {
		switch e.bits[k].kind {
		case bit0:
			out = append(out, '0')
		case bit1:
			out = append(out, '1')
		default:
			out = append(out, '_')
		}
	}
	return string(out)
}

// overlaps warns of encodings that share words without one being a special case
// of the other: which one wins is then up to the tree.
func (g *decoderGen) overlaps(list []*entry) {
	if g.Warn == nil || len(list) > 4096 {
		return
	}
	for i, a := range list {
		for _, b := range list[i+1:] {
			meet, aInB, bInA := true, true, true
			for k := range a.mask {
				both := a.mask[k] & b.mask[k]
				meet = meet && a.value[k]&both == b.value[k]&both
				aInB = aInB && both == b.mask[k]
				bInA = bInA && both == a.mask[k]
			}
			if meet && !aInB && !bInA {
				g.warnf(b.e.rec.Loc, "encodings of '%s' (%s) and '%s' (%s) overlap, and neither is a special case of the other",
					b.e.rec.Name, b.e.pattern(), a.e.rec.Name, a.e.pattern())
			}
		}
	}
}

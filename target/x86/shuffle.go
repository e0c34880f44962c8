package x86

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// Shuffles: what takes elements of one or two registers in any order. A mask has for
// each element of the result the number of an element, those of the second register
// behind those of the first, or -1 for any. Single instructions are tried first, in the
// order of what they cost, then two, then bytes by PSHUFB, and at last what always works.

const (
	noLane   = -1
	zeroLane = -2
)

// lane is an element of a source of a gather, or one of the above as its source.
type lane struct{ src, at int }

// gather collects the elements of 128 bits out of any number of registers.
type gather struct {
	v    *vecSelector
	e, n int
	srcs []mir.Reg
	keys []sourceKey
}

// sourceKey tells sources apart: a register, half of one, or a scalar.
type sourceKey struct {
	r      mir.Reg
	half   int
	scalar bool
}

func (g *gather) source(r mir.Reg) int {
	g.srcs, g.keys = append(g.srcs, r), append(g.keys, sourceKey{half: -1})
	return len(g.srcs) - 1
}

func (g *gather) find(k sourceKey, make func() mir.Reg) int {
	for n := range g.keys {
		if g.keys[n] == k {
			return n
		}
	}
	g.srcs, g.keys = append(g.srcs, make()), append(g.keys, k)
	return len(g.srcs) - 1
}

// lane is element at of vector r.
func (g *gather) lane(r mir.Reg, at int) lane {
	half := at / g.n
	return lane{g.find(sourceKey{r: r, half: half}, func() mir.Reg {
		if g.v.f.TypeOf(r).Bits() > 128 {
			return g.v.part(r, half)
		}
		return r
	}), at % g.n}
}

// scalar is the source that has r as its first element.
func (g *gather) scalar(r mir.Reg) int {
	return g.find(sourceKey{r: r, scalar: true}, func() mir.Reg { return g.v.scalarToVector(r, g.e) })
}

// shuffle makes the result: two sources at once, and with more the results of two joined.
func (g *gather) shuffle(lanes []lane) mir.Reg {
	v := g.v
	var used []int
	zero := false
	for _, l := range lanes {
		switch {
		case l.src == zeroLane:
			zero = true
		case l.src >= 0 && !contains(used, l.src):
			used = append(used, l.src)
		}
	}
	if zero {
		if len(used) == 0 {
			return v.constant(make([]uint64, 2))
		}
		if len(used) > 1 {
			// The zeros at the end, by a mask.
			words := make([]uint64, 2)
			rest := append([]lane(nil), lanes...)
			for k := range rest {
				if rest[k].src == zeroLane {
					rest[k].src = noLane
				} else {
					setBits(words, k, g.e, ^uint64(0))
				}
			}
			return v.xmm(tab.PANDrr, read(g.shuffle(rest)), read(v.constant(words)))
		}
	}
	mask := make([]int32, g.n)
	if len(used) <= 2 {
		for k, l := range lanes {
			switch {
			case l.src == noLane:
				mask[k] = -1
			case l.src == zeroLane:
				mask[k] = zeroLane
			case l.src == used[0]:
				mask[k] = int32(l.at)
			default:
				mask[k] = int32(l.at + g.n)
			}
		}
		x, y := mir.Reg(0), mir.Reg(0)
		if len(used) > 0 {
			x = g.srcs[used[0]]
		}
		if len(used) > 1 {
			y = g.srcs[used[1]]
		}
		if zero {
			return v.shuffleZero(x, mask, g.e)
		}
		return v.shuffle128(x, y, mask, g.e)
	}
	first, rest := make([]lane, g.n), make([]lane, g.n)
	half := used[:(len(used)+1)/2]
	for k, l := range lanes {
		first[k].src, rest[k].src = noLane, noLane
		switch {
		case l.src < 0:
			mask[k] = -1
		case contains(half, l.src):
			first[k], mask[k] = l, int32(k)
		default:
			rest[k], mask[k] = l, int32(k+g.n)
		}
	}
	return v.shuffle128(g.shuffle(first), g.shuffle(rest), mask, g.e)
}

func contains(list []int, x int) bool {
	for _, y := range list {
		if x == y {
			return true
		}
	}
	return false
}

// shuffle selects a G_SHUFFLE_VECTOR of whole registers.
func (v *vecSelector) shuffle(i mir.InstrID) mir.Reg {
	f := v.f
	t := f.TypeOf(f.Op(i, 0).Reg())
	x, y := v.m.Look(f.Op(i, 1).Reg()), v.m.Look(f.Op(i, 2).Reg())
	n := t.NumElems()
	elems := make([]element, n)
	for k, m := range f.ShuffleMasks[f.Op(i, 3).Index()] {
		switch {
		case m < 0:
		case int(m) < n:
			elems[k] = v.elementAt(x, int(m))
		default:
			elems[k] = v.elementAt(y, int(m)-n)
		}
	}
	return v.buildOf(elems, t.ScalarBits())
}

// elementAt is element k of vector r, looked for in what r is built of.
func (v *vecSelector) elementAt(r mir.Reg, k int) element {
	f := v.f
	if d := v.m.Def(r); d != 0 {
		switch f.Instr(d).Opcode {
		case desc.G_IMPLICIT_DEF:
			return element{}
		case desc.G_BUILD_VECTOR:
			if x := v.elementOf(f.Op(d, 1+k).Reg(), f.TypeOf(r).ScalarBits()); x.kind == elemUndef || x.kind == elemConst {
				return x
			}
		}
	}
	return element{kind: elemOf, reg: r, at: k}
}

//===- Masks ----------------------------------------------------------------

// fits reports whether a mask is want, where it says anything.
func fits(mask []int32, want func(k int) int) bool {
	for k, m := range mask {
		if m != -1 && int(m) != want(k) {
			return false
		}
	}
	return true
}

// widen gives the mask over elements of twice the width; false where it parts some.
func widen(mask []int32) ([]int32, bool) {
	out := make([]int32, len(mask)/2)
	for k := range out {
		a, b := mask[2*k], mask[2*k+1]
		switch {
		case a == b && a < 0:
			out[k] = a
		case a >= 0 && a%2 == 0 && (b == a+1 || b == -1):
			out[k] = a / 2
		case a == -1 && b >= 0 && b%2 == 1:
			out[k] = b / 2
		case a == zeroLane && b == -1 || a == -1 && b == zeroLane:
			out[k] = zeroLane
		default:
			return nil, false
		}
	}
	return out, true
}

// narrow gives the mask over bytes.
func narrow(mask []int32, e int) []int32 {
	per := int32(e / 8)
	out := make([]int32, 0, len(mask)*int(per))
	for _, m := range mask {
		for j := range per {
			if m < 0 {
				out = append(out, m)
			} else {
				out = append(out, m*per+j)
			}
		}
	}
	return out
}

// imm4 is the immediate of four elements of two bits.
func imm4(m []int32) int64 {
	n := int64(0)
	for k := range 4 {
		x := int64(k)
		if m[k] >= 0 {
			x = int64(m[k]) & 3
		}
		n |= x << (2 * k)
	}
	return n
}

func unpackOp(e int, high bool) desc.Opcode {
	ops := map[int][2]desc.Opcode{8: {tab.PUNPCKLBWrr, tab.PUNPCKHBWrr}, 16: {tab.PUNPCKLWDrr, tab.PUNPCKHWDrr},
		32: {tab.PUNPCKLDQrr, tab.PUNPCKHDQrr}, 64: {tab.PUNPCKLQDQrr, tab.PUNPCKHQDQrr}}[e]
	if high {
		return ops[1]
	}
	return ops[0]
}

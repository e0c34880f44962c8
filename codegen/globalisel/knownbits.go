package globalisel

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// knownDepth is how many instructions knownBits looks through.
const knownDepth = 5

// knownBits returns the bits of a scalar of up to 64 bits that are certainly 0
// and those that are certainly 1; nothing is known of other types.
func knownBits(f *mir.Function, r mir.Reg, depth int) (zero, one uint64) {
	if !r.IsVirtual() {
		return 0, 0
	}
	t := f.TypeOf(r)
	n := t.ScalarBits()
	d := f.UniqueDef(r)
	if d == 0 || !t.IsScalar() || n > 64 {
		return 0, 0
	}
	all := lowMask(n)
	if v, ok := ConstOf(f, r); ok {
		return ^uint64(v) & all, uint64(v) & all
	}
	if depth == 0 {
		return 0, 0
	}
	of := func(k int) (uint64, uint64) { return knownBits(f, f.Op(d, k).Reg(), depth-1) }
	switch f.Instr(d).Opcode {
	case desc.COPY:
		if f.Op(d, 1).SubReg() == 0 && f.Op(d, 1).Reg().IsVirtual() && f.TypeOf(f.Op(d, 1).Reg()) == t {
			return of(1)
		}
	case desc.G_AND:
		z1, o1 := of(1)
		z2, o2 := of(2)
		return z1 | z2, o1 & o2
	case desc.G_OR:
		z1, o1 := of(1)
		z2, o2 := of(2)
		return z1 & z2, o1 | o2
	case desc.G_XOR:
		z1, o1 := of(1)
		z2, o2 := of(2)
		return z1&z2 | o1&o2, z1&o2 | o1&z2
	case desc.G_SELECT:
		z1, o1 := of(2)
		z2, o2 := of(3)
		return z1 & z2, o1 & o2
	case desc.G_ZEXT:
		src := f.TypeOf(f.Op(d, 1).Reg())
		if !src.IsScalar() {
			return 0, 0
		}
		z, o := of(1)
		return z&lowMask(src.ScalarBits()) | all&^lowMask(src.ScalarBits()), o
	case desc.G_ANYEXT:
		z, o := of(1)
		return z, o
	case desc.G_TRUNC:
		z, o := of(1)
		return z & all, o & all
	case desc.G_SHL, desc.G_LSHR:
		k, ok := ConstOf(f, f.Op(d, 2).Reg())
		if !ok || k < 0 || k >= int64(n) {
			return 0, 0
		}
		z, o := of(1)
		if f.Instr(d).Opcode == desc.G_SHL {
			return (z<<k | lowMask(int(k))) & all, o << k & all
		}
		return z>>k | all&^(all>>k), o >> k
	case desc.G_ZEXTLOAD:
		if f.NumMem(d) == 1 {
			if size := f.MemOf(d, 0).Size; size > 0 && size < 8 {
				return all &^ lowMask(int(size)*8), 0
			}
		}
	case desc.G_ASSERT_ZEXT:
		if o := f.Op(d, 2); o.IsImm() && o.Imm() > 0 && o.Imm() < 64 {
			z, ones := of(1)
			return z | all&^lowMask(int(o.Imm())), ones & lowMask(int(o.Imm()))
		}
	}
	return 0, 0
}

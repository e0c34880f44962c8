package legal

import (
	"slices"

	"github.com/mirin-go/mirin/mir"
)

type condKind uint8

const (
	condTypeIn condKind = iota
	condTypesIn
	condScalar
	condVector
	condPointer
	condAddrSpace
	condNarrower
	condWider
	condEltNarrower
	condEltWider
	condNotMultiple
	condNotPow2
	condEltNotPow2
	condEltIs
	condFewer
	condMore
	condElemsNotPow2
	condElemsNotMultiple
	condSizeIs
	condSameType
	condSameSize
	condLarger
	condMemIn
	condMemWhole
	condMemNotPow2
	condMemOrder
	condMemAlign
	condImm
	condSameUses
	condConstIndex
	condThreadLocal
	condFloatValue
	condFeature
)

// Cond is a condition of a rule, as a target writes it.
type Cond struct {
	row     condRow
	types   []mir.LLT
	mems    []MemAccess
	feature string
}

func cond(k condKind, idx int) Cond { return Cond{row: condRow{kind: k, idx: uint8(idx)}} }

func condN(k condKind, idx, n int) Cond {
	c := cond(k, idx)
	c.row.n = uint32(n)
	return c
}

// Not turns a condition round.
func Not(c Cond) Cond { c.row.not = !c.row.not; return c }

// TypeIs holds when type idx is one of types.
func TypeIs(idx int, types ...mir.LLT) Cond {
	c := cond(condTypeIn, idx)
	c.types = types
	return c
}

// TypesAre holds when types a and b are, together, a pair of the list.
func TypesAre(a, b int, pairs ...mir.LLT) Cond {
	c := cond(condTypesIn, a)
	c.row.idx2, c.types = uint8(b), pairs
	return c
}

// IsVector holds of vectors.
func IsVector(idx int) Cond { return cond(condVector, idx) }

// IsPointer holds of pointers in any address space.
func IsPointer(idx int) Cond { return cond(condPointer, idx) }

// InAddrSpace holds of pointers, and vectors of them, in an address space.
func InAddrSpace(idx int, space uint32) Cond { return condN(condAddrSpace, idx, int(space)) }

// ScalarNarrower and ScalarWider compare the bits of a scalar.
func ScalarNarrower(idx, bits int) Cond { return condN(condNarrower, idx, bits) }

// ScalarWider holds of scalars of more bits.
func ScalarWider(idx, bits int) Cond { return condN(condWider, idx, bits) }

// ScalarOrEltNarrower holds of scalars and elements of fewer bits.
func ScalarOrEltNarrower(idx, bits int) Cond { return condN(condEltNarrower, idx, bits) }

// ScalarOrEltWider holds of scalars and elements of more bits.
func ScalarOrEltWider(idx, bits int) Cond { return condN(condEltWider, idx, bits) }

// NotMultipleOf holds of scalars whose bits are no multiple.
func NotMultipleOf(idx, bits int) Cond { return condN(condNotMultiple, idx, bits) }

// SizeNotPow2 holds of scalars whose bits are no power of two.
func SizeNotPow2(idx int) Cond { return cond(condNotPow2, idx) }

// ScalarOrEltNotPow2 holds of scalars and elements whose bits are no power of two.
func ScalarOrEltNotPow2(idx int) Cond { return cond(condEltNotPow2, idx) }

// EltIs holds of vectors of an element type.
func EltIs(idx int, t mir.LLT) Cond {
	c := cond(condEltIs, idx)
	c.types = []mir.LLT{t}
	return c
}

// FewerThan holds of vectors of fewer than n elements.
func FewerThan(idx, n int) Cond { return condN(condFewer, idx, n) }

// MoreThan holds of vectors of more than n elements.
func MoreThan(idx, n int) Cond { return condN(condMore, idx, n) }

// ElemsNotPow2 holds of vectors whose number of elements is no power of two.
func ElemsNotPow2(idx int) Cond { return cond(condElemsNotPow2, idx) }

// ElemsNotMultipleOf holds of vectors whose number of elements is no multiple of n.
func ElemsNotMultipleOf(idx, n int) Cond { return condN(condElemsNotMultiple, idx, n) }

// SizeIs holds of types of so many bits in all.
func SizeIs(idx, bits int) Cond { return condN(condSizeIs, idx, bits) }

func cond2(k condKind, a, b int) Cond {
	c := cond(k, a)
	c.row.idx2 = uint8(b)
	return c
}

// SameType holds when types a and b are one.
func SameType(a, b int) Cond { return cond2(condSameType, a, b) }

// SameSize holds when types a and b have as many bits.
func SameSize(a, b int) Cond { return cond2(condSameSize, a, b) }

// LargerThan holds when type a has more bits than b.
func LargerThan(a, b int) Cond { return cond2(condLarger, a, b) }

// MemAccess is a memory access that a target has: the type in the register, of
// the pointer (0 for any), the bits in memory and the least alignment in bytes (0 for any).
type MemAccess struct {
	Value, Ptr mir.LLT
	Bits       int
	Align      int
}

// MemIs holds when the access is one of those listed.
func MemIs(list ...MemAccess) Cond {
	c := cond(condMemIn, 0)
	c.mems = list
	return c
}

// MemWhole holds when memory holds all of type 0 and no more.
func MemWhole() Cond { return cond(condMemWhole, 0) }

// MemSizeNotPow2 holds when the bytes in memory are no power of two.
func MemSizeNotPow2() Cond { return cond(condMemNotPow2, 0) }

// MemOrderAtLeast holds of accesses of the ordering (an ir.Ordering) or a stronger one.
func MemOrderAtLeast(order uint8) Cond { return condN(condMemOrder, 0, int(order)) }

// MemAligned holds of accesses aligned to so many bytes.
func MemAligned(bytes int) Cond { return condN(condMemAlign, 0, log2(bytes)) }

// ImmIs holds when the instruction's immediate (G_SEXT_INREG's width) is n.
func ImmIs(n int) Cond { return condN(condImm, 0, n) }

// SameUses holds when the first two uses are one register: a funnel shift that is a rotation.
func SameUses() Cond { return cond(condSameUses, 0) }

// ConstIndex holds when the number of the element that is taken out is a constant.
func ConstIndex() Cond { return cond(condConstIndex, 0) }

// ThreadLocal holds when the global whose address is wanted is a thread-local variable.
func ThreadLocal() Cond { return cond(condThreadLocal, 0) }

// FloatValue holds when what type 0 is of is a floating-point number, or as good as one:
// for targets whose integers of the width lie in several registers.
func FloatValue() Cond { return cond(condFloatValue, 0) }

// Feature holds when the subtarget has a feature, named as in -mattr. Table.Bind resolves it.
func Feature(name string) Cond {
	c := cond(condFeature, 0)
	c.feature = name
	return c
}

// holds evaluates a condition without its negation.
func (t *Table) holds(c *condRow, q *Query) bool {
	x := q.Types[c.idx]
	n := int(c.n)
	switch c.kind {
	case condTypeIn:
		return slices.Contains(t.types[c.first:c.first+c.n], x)
	case condTypesIn:
		y := q.Types[c.idx2]
		for l := t.types[c.first : c.first+c.n]; len(l) > 1; l = l[2:] {
			if l[0] == x && l[1] == y {
				return true
			}
		}
		return false
	case condScalar:
		return x.IsScalar() && !x.IsVector()
	case condVector:
		return x.IsVector()
	case condPointer:
		return x.IsPointer() && !x.IsVector()
	case condAddrSpace:
		return (x.IsPointer() || x.IsVector() && x.Elem().IsPointer()) && x.AddrSpace() == c.n
	case condNarrower:
		return x.IsScalar() && x.ScalarBits() < n
	case condWider:
		return x.IsScalar() && x.ScalarBits() > n
	case condEltNarrower:
		return x.IsValid() && x.ScalarBits() < n
	case condEltWider:
		return x.IsValid() && x.ScalarBits() > n
	case condNotMultiple:
		return x.IsScalar() && x.ScalarBits()%n != 0
	case condNotPow2:
		return x.IsScalar() && notPow2(x.ScalarBits())
	case condEltNotPow2:
		return x.IsValid() && notPow2(x.ScalarBits())
	case condEltIs:
		return x.IsVector() && x.Elem() == t.types[c.first]
	case condFewer:
		return x.IsVector() && x.NumElems() < n
	case condMore:
		return x.IsVector() && x.NumElems() > n
	case condElemsNotPow2:
		return x.IsVector() && notPow2(x.NumElems())
	case condElemsNotMultiple:
		return x.IsVector() && x.NumElems()%n != 0
	case condSizeIs:
		return x.IsValid() && x.Bits() == n
	case condSameType:
		return x == q.Types[c.idx2]
	case condSameSize:
		return x.Bits() == q.Types[c.idx2].Bits()
	case condLarger:
		return x.Bits() > q.Types[c.idx2].Bits()
	case condImm:
		return q.Imm == int64(n)
	case condSameUses:
		return q.SameUses
	case condConstIndex:
		return q.ConstIndex
	case condThreadLocal:
		return q.ThreadLocal
	case condFloatValue:
		return q.FloatValue
	}
	return q.HasMem && t.memHolds(c, q)
}

// memHolds evaluates the conditions of memory; there is some.
func (t *Table) memHolds(c *condRow, q *Query) bool {
	m := &q.Mem
	switch c.kind {
	case condMemIn:
		for _, r := range t.mems[c.first : c.first+c.n] {
			if r.t0 == q.Types[0] && (r.t1 == 0 || r.t1 == q.Types[1]) && m.Size*8 == int64(r.bits) && m.Align >= r.align {
				return true
			}
		}
	case condMemWhole:
		x := q.Types[0]
		return m.Size == int64(x.Bytes()) && (m.Type == 0 || m.Type.Bits() == x.Bits())
	case condMemNotPow2:
		return m.Size != mir.UnknownSize && notPow2(int(m.Size))
	case condMemOrder:
		return uint32(m.Order) >= c.n
	case condMemAlign:
		return uint32(m.Align) >= c.n
	}
	return false
}

func notPow2(n int) bool { return n&(n-1) != 0 }

// nextPow2 is the least power of two that is n or more.
func nextPow2(n int) int {
	p := 1
	for p < n {
		p *= 2
	}
	return p
}

func log2(n int) int {
	k := 0
	for 1<<k < n {
		k++
	}
	return k
}

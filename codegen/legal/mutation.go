package legal

import "github.com/mirin-go/mirin/mir"

type mutKind uint8

const (
	mutNone mutKind = iota
	mutTo
	mutToTypeOf
	mutEltTo
	mutEltOf
	mutCountTo
	mutCountOf
	mutEltSizeOf
	mutBitsPow2
	mutBitsMultiple
	mutElemsPow2
	mutElemsMultiple
	mutScalarize
	mutSameSizeScalar
	mutSameSizeElems
)

// Mutation says which type an action wants, from the type that it changes and
// the instruction's others. The zero Mutation wants none.
type Mutation struct {
	kind mutKind
	from uint8
	arg  uint32
	to   mir.LLT
}

// To wants type t.
func To(t mir.LLT) Mutation { return Mutation{kind: mutTo, to: t} }

// ToTypeOf wants the type of index from.
func ToTypeOf(from int) Mutation { return Mutation{kind: mutToTypeOf, from: uint8(from)} }

// EltTo wants scalars or elements of type t, as many as there are.
func EltTo(t mir.LLT) Mutation { return Mutation{kind: mutEltTo, to: t} }

// EltOf wants scalars or elements like those of index from.
func EltOf(from int) Mutation { return Mutation{kind: mutEltOf, from: uint8(from)} }

// CountTo wants n elements, of the type that there is; 1 is a scalar.
func CountTo(n int) Mutation { return Mutation{kind: mutCountTo, arg: uint32(n)} }

// CountOf wants as many elements as index from has.
func CountOf(from int) Mutation { return Mutation{kind: mutCountOf, from: uint8(from)} }

// EltSizeOf wants integers of the size of the scalars or elements of index from.
func EltSizeOf(from int) Mutation { return Mutation{kind: mutEltSizeOf, from: uint8(from)} }

// BitsToPow2 wants scalars or elements of the next power of two of bits, at least least.
func BitsToPow2(least int) Mutation { return Mutation{kind: mutBitsPow2, arg: uint32(least)} }

// BitsToMultiple wants scalars or elements of the next multiple of n bits.
func BitsToMultiple(n int) Mutation { return Mutation{kind: mutBitsMultiple, arg: uint32(n)} }

// ElemsToPow2 wants the next power of two of elements, at least least.
func ElemsToPow2(least int) Mutation { return Mutation{kind: mutElemsPow2, arg: uint32(least)} }

// ElemsToMultiple wants the next multiple of n elements.
func ElemsToMultiple(n int) Mutation { return Mutation{kind: mutElemsMultiple, arg: uint32(n)} }

// ToElement wants the element type.
func ToElement() Mutation { return Mutation{kind: mutScalarize} }

// ToScalar wants one scalar of the same size.
func ToScalar() Mutation { return Mutation{kind: mutSameSizeScalar} }

// ToElems wants a vector of elements t of the same size, t itself when that is one.
func ToElems(t mir.LLT) Mutation { return Mutation{kind: mutSameSizeElems, to: t} }

// mutate gives the type that a rule wants at its index.
func (r *ruleRow) mutate(q *Query) mir.LLT {
	t, from := q.Types[r.idx], q.Types[r.from]
	n := int(r.arg)
	switch r.mut {
	case mutTo:
		return r.to
	case mutToTypeOf:
		return from
	case mutEltTo:
		return withElem(t, r.to)
	case mutEltOf:
		return withElem(t, from.Elem())
	case mutCountTo:
		return vector(n, t.Elem())
	case mutCountOf:
		return vector(count(from), t.Elem())
	case mutEltSizeOf:
		return withElem(t, mir.Scalar(from.ScalarBits()))
	case mutBitsPow2:
		return withElem(t, mir.Scalar(max(n, nextPow2(t.ScalarBits()))))
	case mutBitsMultiple:
		return withElem(t, mir.Scalar((t.ScalarBits()+n-1)/n*n))
	case mutElemsPow2:
		return vector(max(n, nextPow2(count(t))), t.Elem())
	case mutElemsMultiple:
		return vector((count(t)+n-1)/n*n, t.Elem())
	case mutScalarize:
		return t.Elem()
	case mutSameSizeScalar:
		return mir.Scalar(t.Bits())
	case mutSameSizeElems:
		return vector(t.Bits()/r.to.ScalarBits(), r.to)
	}
	return 0
}

// count is the number of elements, 1 for scalars.
func count(t mir.LLT) int {
	if t.IsVector() {
		return t.NumElems()
	}
	return 1
}

// vector is a vector of n elements, the element itself for 1.
func vector(n int, elem mir.LLT) mir.LLT {
	if n == 1 {
		return elem
	}
	return mir.Vector(n, elem)
}

// withElem exchanges the scalar or element of t.
func withElem(t, elem mir.LLT) mir.LLT { return vector(count(t), elem) }

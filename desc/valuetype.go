package desc

// MVT is a machine value type, LLVM's number; 0 is invalid. Constants are in
// zz_valuetypes.go.
type MVT uint16

type mvtRow struct {
	name  string
	bits  uint32
	elems uint16
	elem  MVT
	kind  uint8 // 1 integer, 2 floating point, 4 vector, 8 scalable
}

func (t MVT) row() mvtRow {
	if int(t) < len(mvtTable) {
		return mvtTable[t]
	}
	return mvtRow{}
}

// String gives LLVM's name of the type, such as "i32" or "v4f32".
func (t MVT) String() string { return t.row().name }

// Bits is the size in bits, 0 when it has none; scalable types count for vscale 1.
func (t MVT) Bits() int { return int(t.row().bits) }

// IsInteger reports an integer or a vector of integers.
func (t MVT) IsInteger() bool { return t.row().kind&1 != 0 }

// IsFloat reports a floating-point type or a vector of them.
func (t MVT) IsFloat() bool { return t.row().kind&2 != 0 }

// IsVector reports a vector.
func (t MVT) IsVector() bool { return t.row().kind&4 != 0 }

// IsScalable reports a vector whose length is a multiple of vscale.
func (t MVT) IsScalable() bool { return t.row().kind&8 != 0 }

// Elem is the element type of a vector, 0 for others.
func (t MVT) Elem() MVT { return t.row().elem }

// Len is the (minimum) number of elements of a vector, 0 for others.
func (t MVT) Len() int { return int(t.row().elems) }

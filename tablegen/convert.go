package tablegen

// newOp makes an operator that is not evaluated.
func newOp(op Op, args []Init, t, typeArg *Type) *OpInit {
	x := &OpInit{Op: op, Args: args, T: t, TypeArg: typeArg, f: hasOp, w: weightOf(args)}
	for _, a := range args {
		x.f |= a.flags()
	}
	switch op {
	case OpForeach, OpFilter, OpFoldl:
		x.f |= hasBinder
	case OpCast, OpExists, OpInstances:
		x.f |= hasFinal
	}
	return x
}

func newClassInit(class *Record, args []ClassArg, loc Loc) *ClassInit {
	x := &ClassInit{Class: class, Args: args, loc: loc, f: hasOp}
	for _, a := range args {
		x.w = min(x.w+1+weight(a.Value), 1<<30)
		x.f |= a.Value.flags()
	}
	return x
}

// asInt returns the value of x as an int if it is a known int, bit or bits.
func asInt(x Init) (int64, bool) {
	if x, ok := x.(*IntInit); ok {
		return x.V, true
	}
	if x, ok := x.(*BitsInit); ok && x.f != 0 {
		return 0, false
	}
	return IntValue(x)
}

// bitOf returns bit i of x.
func bitOf(x Init, i int) Init {
	switch x := x.(type) {
	case *UnsetInit, *BitInit:
		return x
	case *BitsInit:
		if i < len(x.Bits) {
			return x.Bits[i]
		}
		return unset
	case *IntInit:
		return NewBit(i < 64 && uint64(x.V)>>i&1 != 0)
	}
	if t := x.Type(); t != nil && t.Kind == BitType {
		return x
	}
	return &VarBitInit{x, i}
}

// fitsBits reports whether v can be written with n bits, signed or unsigned.
func fitsBits(v int64, n int) bool {
	return n >= 64 || v>>n == 0 || n > 0 && v>>(n-1) == -1
}

// convert turns a value into one of type t without leaving a cast behind; nil
// when it cannot.
func convert(x Init, t *Type) Init {
	switch x := x.(type) {
	case *UnsetInit:
		return x
	case *IntInit:
		switch t.Kind {
		case IntType:
			return x
		case BitType:
			if x.V == 0 || x.V == 1 {
				return NewBit(x.V != 0)
			}
		case BitsType:
			if fitsBits(x.V, t.N) {
				bits := make([]Init, t.N)
				for i := range bits {
					bits[i] = NewBit(uint64(x.V)>>min(i, 63)&1 != 0)
				}
				return &BitsInit{Bits: bits}
			}
		}
		return nil
	case *BitInit:
		switch {
		case t.Kind == BitType:
			return x
		case t.Kind == IntType:
			v, _ := IntValue(x)
			return NewInt(v)
		case t.Kind == BitsType && t.N == 1:
			return newBits([]Init{x})
		}
		return nil
	case *BitsInit:
		switch t.Kind {
		case BitType:
			if len(x.Bits) == 1 {
				return x.Bits[0]
			}
		case BitsType:
			if len(x.Bits) == t.N {
				return x
			}
		case IntType:
			if len(x.Bits) <= 64 {
				if v, ok := IntValue(x); ok {
					return NewInt(v)
				}
			}
		}
		return nil
	case *ListInit:
		if t.Kind != ListType {
			return nil
		}
		return convertList(x, t)
	case *DefInit:
		if t.Kind == RecordType && x.Type().isA(t) {
			return x
		}
		return nil
	}
	u := x.Type()
	if u.isA(t) {
		return x
	}
	if u.Kind == BitType && t.Kind == BitsType && t.N == 1 {
		return newBits([]Init{x})
	}
	return nil
}

func convertList(x *ListInit, t *Type) Init {
	if x.t.isA(t) {
		return x
	}
	var out []Init
	for i, e := range x.Elems {
		v := castTo(e, t.Elem)
		if v == nil {
			return nil
		}
		if v != e && out == nil {
			out = make([]Init, len(x.Elems))
			copy(out, x.Elems)
		}
		if out != nil {
			out[i] = v
		}
	}
	if out == nil {
		out = x.Elems
	}
	return newList(t, out)
}

// castTo turns a value into one of type t, with a cast where it is not yet
// known but can be turned; nil when it cannot.
func castTo(x Init, t *Type) Init {
	if v := convert(x, t); v != nil {
		return v
	}
	u := x.Type()
	if u == nil || !u.convertibleTo(t) {
		return nil
	}
	switch x.(type) {
	case *IntInit, *BitInit, *DefInit, *StringInit, *ListInit:
		// What is known and did not convert never will.
		return nil
	}
	return newOp(OpCast, []Init{x}, t, nil)
}

// setValue stores v in the field, converted; false when it does not fit.
func (f *Field) setValue(v Init) bool {
	w := castTo(v, f.Type)
	if w == nil {
		return false
	}
	if f.Type.Kind == BitsType {
		if _, ok := w.(*BitsInit); !ok {
			bits := make([]Init, f.Type.N)
			for i := range bits {
				bits[i] = bitOf(w, i)
			}
			w = newBits(bits)
		}
	}
	f.Value = w
	return true
}

// newField makes a field that is unset.
func newUnsetField(name string, t *Type, loc Loc) Field {
	f := Field{Name: name, Type: t, Loc: loc}
	f.setValue(unset)
	return f
}

// bitRange returns the bits of x with the given numbers, lowest first; nil
// when x has no such bits.
func bitRange(x Init, nums []int) Init {
	bits := make([]Init, len(nums))
	switch x := x.(type) {
	case *UnsetInit:
		for i := range bits {
			bits[i] = unset
		}
		return newBits(bits)
	case *IntInit:
		for i, n := range nums {
			if n >= 64 {
				return nil
			}
			bits[i] = bitOf(x, n)
		}
		return newBits(bits)
	case *BitsInit:
		for i, n := range nums {
			if n >= len(x.Bits) {
				return nil
			}
			bits[i] = x.Bits[n]
		}
		return newBits(bits)
	}
	t := x.Type()
	if t == nil || t.Kind != BitsType {
		return nil
	}
	for i, n := range nums {
		if n >= t.N {
			return nil
		}
		bits[i] = &VarBitInit{x, n}
	}
	return newBits(bits)
}

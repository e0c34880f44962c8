package tablegen

// Init is a value, possibly not yet evaluated. The kinds are closed:
//
//	resolved    *IntInit *BitInit *BitsInit *StringInit *ListInit *DagInit *DefInit *UnsetInit
//	unresolved  *VarInit *VarBitInit *FieldInit *OpInit *ClassInit *AnonNameInit
//
// BitsInit, ListInit and DagInit may hold unresolved parts. Inits are
// immutable once made and shared freely; String and AppendText print them in
// source form.
type Init interface {
	// Type returns the type of the value; nil for UnsetInit.
	Type() *Type
	// AppendText appends the value in source form.
	AppendText(b []byte) []byte
	String() string
	flags() initFlags
}

// initFlags summarise what a value contains, so that substitution can pass
// over what it cannot change.
type initFlags uint8

const (
	// hasVar: a variable occurs in it, perhaps only a bound one.
	hasVar initFlags = 1 << iota
	// hasOp: an operator, a field access or a class reference occurs in it.
	hasOp
	// hasBinder: an operator that binds variables occurs in it.
	hasBinder
	// hasFinal: something occurs in it that only the last resolution of a
	// record can fold (a cast of a name, !exists, an anonymous name, …).
	hasFinal
	// complete values are exactly those without any flag.
)

// IntInit is a 64-bit integer.
type IntInit struct{ V int64 }

// BitInit is one bit.
type BitInit struct{ V bool }

// BitsInit is a value of type bits<len(Bits)>. Bits[0] is the lowest; each is
// a *BitInit, *UnsetInit, or unresolved.
type BitsInit struct {
	Bits []Init
	f    initFlags
}

// StringInit is a string; Code tells that it was written as [{ … }].
type StringInit struct {
	S    string
	Code bool
}

// ListInit is a list of elements of type Elem.
type ListInit struct {
	Elems []Init
	Elem  *Type
	t     *Type
	f     initFlags
	w     uint32
}

// DagInit is a dag node: (Op:$OpName Args[0]:$ArgNames[0], …). Names are
// empty where there is none. An argument may be *UnsetInit.
type DagInit struct {
	Op       Init
	OpName   string
	Args     []Init
	ArgNames []string
	f        initFlags
	w        uint32
}

// DefInit is a reference to a record. There is one for each record.
type DefInit struct{ Rec *Record }

// UnsetInit is the value "?". There are two: the other, which prints as no
// value at all, is what an operator yields that found nothing.
type UnsetInit struct{ nothing bool }

// VarInit refers to a template argument ("Class:arg", "Multiclass::arg"), an
// iteration variable or a field of the record at hand.
type VarInit struct {
	Name string
	T    *Type
}

// VarBitInit is one bit of an unresolved value.
type VarBitInit struct {
	Var Init
	Bit int
}

// FieldInit is the access Rec.Field of an unresolved record.
type FieldInit struct {
	Rec   Init
	Field string
	T     *Type
	f     initFlags
}

// OpInit is a bang operator that could not be evaluated yet. Type arguments
// are in T or TypeArg, iteration variables are *VarInit operands.
type OpInit struct {
	Op      Op
	Args    []Init
	T       *Type
	TypeArg *Type // of !isa, !exists, !instances
	f       initFlags
	w       uint32
}

// ClassInit is Class<args> whose arguments are not yet all known; evaluated
// it becomes an anonymous record. Args are in the order of the template
// arguments of Class; nil takes the default.
type ClassInit struct {
	Class *Record
	Args  []ClassArg
	loc   Loc
	f     initFlags
	w     uint32
}

// ClassArg is one argument in a ClassInit: of template argument number Index.
// Named tells that it was written NAME = value.
type ClassArg struct {
	Index int
	Named bool
	Value Init
}

// AnonNameInit is the name of an anonymous record while its final number is
// not yet decided.
type AnonNameInit struct{ N int }

var (
	unset   = &UnsetInit{}
	nothing = &UnsetInit{nothing: true}
	bit0    = &BitInit{false}
	bit1    = &BitInit{true}
	noText  = &StringInit{}
	// smallInts are the integers from -1; most integers are small.
	smallInts = makeSmallInts()
)

func makeSmallInts() (t [258]IntInit) {
	for i := range t {
		t[i].V = int64(i) - 1
	}
	return t
}

// NewInt returns the value v of type int.
func NewInt(v int64) *IntInit {
	if uint64(v+1) < uint64(len(smallInts)) {
		return &smallInts[v+1]
	}
	return &IntInit{v}
}

// NewBit returns the value v of type bit.
func NewBit(v bool) *BitInit {
	if v {
		return bit1
	}
	return bit0
}

// NewString returns the string s.
func NewString(s string) *StringInit {
	if s == "" {
		return noText
	}
	return &StringInit{S: s}
}

// NewCode returns the string s, printed as code.
func NewCode(s string) *StringInit { return &StringInit{S: s, Code: true} }

// NewBits returns the value v of type bits<n>.
func NewBits(v uint64, n int) *BitsInit {
	bits := make([]Init, n)
	for i := range bits {
		bits[i] = NewBit(i < 64 && v>>i&1 != 0)
	}
	return &BitsInit{Bits: bits}
}

// NewList returns a list of elements of type elem.
func NewList(elem *Type, elems []Init) *ListInit {
	return newList(listOf(elem), elems)
}

// NewDag returns a dag node; names may be nil.
func NewDag(op Init, args []Init, names []string) *DagInit {
	return newDag(op, "", args, names)
}

// Unset returns the value "?".
func Unset() *UnsetInit { return unset }

func flagsOf(l []Init) (f initFlags) {
	for _, x := range l {
		f |= x.flags()
	}
	return f
}

// maxWeight bounds the number of parts of a value that is stored or compared.
// Values share parts, so that a small file can describe an enormous one.
const maxWeight = 1 << 24

// weight returns the number of parts of x, shared ones counted each time.
func weight(x Init) uint32 {
	switch x := x.(type) {
	case *ListInit:
		return x.w
	case *DagInit:
		return x.w
	case *OpInit:
		return x.w
	case *ClassInit:
		return x.w
	case *BitsInit:
		return uint32(len(x.Bits)) + 1
	case *FieldInit:
		return weight(x.Rec)
	case *VarBitInit:
		return weight(x.Var)
	}
	return 1
}

func weightOf(l []Init) uint32 {
	n := uint32(1)
	for _, x := range l {
		n = min(n+weight(x), 1<<30)
	}
	return n
}

func newList(t *Type, elems []Init) *ListInit {
	return &ListInit{Elems: elems, Elem: t.Elem, t: t, f: flagsOf(elems), w: weightOf(elems)}
}

func newBits(bits []Init) *BitsInit { return &BitsInit{Bits: bits, f: flagsOf(bits)} }

func newDag(op Init, opName string, args []Init, names []string) *DagInit {
	if names == nil {
		names = make([]string, len(args))
	}
	return &DagInit{Op: op, OpName: opName, Args: args, ArgNames: names, f: op.flags() | flagsOf(args), w: weightOf(args) + weight(op)}
}

func newField(rec Init, field string, t *Type) *FieldInit {
	return &FieldInit{Rec: rec, Field: field, T: t, f: rec.flags() | hasOp}
}

func (*IntInit) flags() initFlags      { return 0 }
func (*BitInit) flags() initFlags      { return 0 }
func (x *BitsInit) flags() initFlags   { return x.f }
func (*StringInit) flags() initFlags   { return 0 }
func (x *ListInit) flags() initFlags   { return x.f }
func (x *DagInit) flags() initFlags    { return x.f }
func (*DefInit) flags() initFlags      { return 0 }
func (*UnsetInit) flags() initFlags    { return 0 }
func (*VarInit) flags() initFlags      { return hasVar }
func (x *VarBitInit) flags() initFlags { return x.Var.flags() | hasOp }
func (x *FieldInit) flags() initFlags  { return x.f }
func (x *OpInit) flags() initFlags     { return x.f }
func (x *ClassInit) flags() initFlags  { return x.f }
func (*AnonNameInit) flags() initFlags { return hasVar | hasFinal }

// Type returns int.
func (*IntInit) Type() *Type { return typeInt }

// Type returns bit.
func (*BitInit) Type() *Type { return typeBit }

// Type returns bits<n>.
func (x *BitsInit) Type() *Type { return bitsOf(len(x.Bits)) }

// Type returns string.
func (*StringInit) Type() *Type { return typeString }

// Type returns list<Elem>.
func (x *ListInit) Type() *Type { return x.t }

// Type returns dag.
func (*DagInit) Type() *Type { return typeDag }

// Type returns the type of the record's direct superclasses.
func (x *DefInit) Type() *Type { return x.Rec.Type() }

// Type returns nil: ? has no type of its own.
func (*UnsetInit) Type() *Type { return nil }

// Type returns the declared type.
func (x *VarInit) Type() *Type { return x.T }

// Type returns bit.
func (*VarBitInit) Type() *Type { return typeBit }

// Type returns the type of the field.
func (x *FieldInit) Type() *Type { return x.T }

// Type returns the type of the result.
func (x *OpInit) Type() *Type { return x.T }

// Type returns the class.
func (x *ClassInit) Type() *Type { return x.Class.Type() }

// Type returns string.
func (*AnonNameInit) Type() *Type { return typeString }

// isConcrete reports whether x holds no reference that is still to be resolved.
func isConcrete(x Init) bool { return x.flags() == 0 }

package ir

import "slices"

// ConstKind is the form of a constant.
type ConstKind uint8

// The forms of constants. Global addresses are no constants of a pool but
// Values of their own tag.
const (
	ConstNone               ConstKind = iota
	ConstInt                          // up to 64 bits in Bits (zero-extended); wider in words
	ConstFP                           // bit pattern: up to 64 bits in Bits; wider in words, low word first
	ConstNull                         // ptr null
	ConstZero                         // zeroinitializer
	ConstUndef                        //
	ConstPoison                       //
	ConstTokenNone                    //
	ConstArray                        // operands
	ConstStruct                       // operands
	ConstVector                       // operands
	ConstSplat                        // one operand, splat (…)
	ConstData                         // array or vector of i8…i64, float types: little-endian bytes of the elements
	ConstExpr                         // Op, Flags, SrcType and operands; HasInRange: the last two are the bounds
	ConstBlockAddr                    // Off: GlobalID of the function, Bits: BlockID (0 until resolved)
	ConstDSOLocalEquivalent           // one operand
	ConstNoCFI                        // one operand
	ConstPtrAuth                      // operands: ptr, key, discriminator, address discriminator
)

// Const is one row of a ConstPool, pointer-free.
type Const struct {
	Kind    ConstKind
	Op      Op
	Flags   Flags // of expressions; see WideInt for integers
	Type    Type
	SrcType Type // getelementptr expression
	// Off and N are a run of operands (aggregates, expressions), of words
	// (wide numbers) or of bytes (ConstData), by Kind.
	Off, N uint32
	Bits   uint64
}

// ConstPool holds the constants of a function or of a module's initializers.
// Equal constants are one row. It is not safe for parallel writers.
type ConstPool struct {
	rows  []Const
	ops   []Value
	words []uint64
	bytes []byte
	// index is a hash table (linear probing, a power of two long) of the
	// constants without operands; it counts when fresh, and is made when it is
	// first needed. indexed counts its entries.
	index   []ConstID
	indexed int
	fresh   bool
	// extended says that ops, words and bytes start with those of another pool, see Extend.
	extended bool
}

func (p *ConstPool) init() { p.rows = make([]Const, 1, 16) }

// NewConstPool returns an empty pool.
func NewConstPool() *ConstPool { p := new(ConstPool); p.init(); return p }

// Len returns the number of rows, the unused row 0 included.
func (p *ConstPool) Len() int { return len(p.rows) }

// At returns row c. It must not be changed.
func (p *ConstPool) At(c ConstID) *Const { return &p.rows[c] }

// Ops returns the operands of an aggregate or expression.
func (p *ConstPool) Ops(c ConstID) []Value {
	r := &p.rows[c]
	return p.ops[r.Off : r.Off+r.N : r.Off+r.N]
}

// Words returns the 64-bit words, low first, of an integer or floating-point constant of any width.
func (p *ConstPool) Words(c ConstID) []uint64 {
	r := &p.rows[c]
	if r.N == 0 {
		return []uint64{r.Bits}
	}
	if r.Kind == ConstInt && r.Flags != 0 {
		return p.expand(r)
	}
	return p.words[r.Off : r.Off+r.N : r.Off+r.N]
}

// Data returns the bytes of a ConstData.
func (p *ConstPool) Data(c ConstID) []byte {
	r := &p.rows[c]
	return p.bytes[r.Off : r.Off+r.N : r.Off+r.N]
}

// constHash spreads high bits over the low ones before it multiplies: round
// floating-point numbers differ in their high bits alone.
func constHash(k ConstKind, t Type, bits uint64) uint64 {
	h := bits ^ uint64(t)<<40 ^ uint64(k)<<56
	h = (h ^ h>>32) * 0x9e3779b97f4a7c15
	return h ^ h>>29
}

// simple finds or adds a constant that its kind, type and bits describe.
func (p *ConstPool) simple(k ConstKind, t Type, bits uint64) ConstID {
	if !p.fresh || p.indexed*2 >= len(p.index) {
		p.rebuild()
	}
	mask := uint64(len(p.index) - 1)
	for i := constHash(k, t, bits) & mask; ; i = (i + 1) & mask {
		c := p.index[i]
		if c == 0 {
			c = p.add(Const{Kind: k, Type: t, Bits: bits})
			p.index[i] = c
			p.indexed++
			return c
		}
		if r := &p.rows[c]; r.Bits == bits && r.Type == t && r.Kind == k {
			return c
		}
	}
}

// rebuild makes the index anew, at most half full after as many more constants as there are now.
func (p *ConstPool) rebuild() {
	n := 16
	for n < len(p.rows)*4 {
		n *= 2
	}
	if n <= cap(p.index) {
		p.index = p.index[:n]
		clear(p.index)
	} else {
		p.index = make([]ConstID, n)
	}
	p.indexed, p.fresh = 0, true
	mask := uint64(n - 1)
	for c := 1; c < len(p.rows); c++ {
		r := &p.rows[c]
		if r.N != 0 || !r.Kind.simple() {
			continue
		}
		i := constHash(r.Kind, r.Type, r.Bits) & mask
		for p.index[i] != 0 {
			i = (i + 1) & mask
		}
		p.index[i] = ConstID(c)
		p.indexed++
	}
}

// simple reports the kinds whose rows are shared.
func (k ConstKind) simple() bool { return k >= ConstInt && k <= ConstTokenNone }

// reset empties the pool and keeps its memory.
func (p *ConstPool) reset() {
	if p.extended {
		p.ops, p.words, p.bytes, p.extended = nil, nil, nil, false
	}
	p.rows, p.ops, p.words, p.bytes = p.rows[:1], p.ops[:0], p.words[:0], p.bytes[:0]
	p.fresh = false
}

// copyFrom makes p a copy of q without spare room; its index is built when it is needed.
func (p *ConstPool) copyFrom(q *ConstPool) {
	p.rows, p.ops, p.words, p.bytes = clip(q.rows), clip(q.ops), clip(q.words), clip(q.bytes)
	p.index, p.fresh, p.extended = nil, false, false
}

// Extend makes p the constants of q, under the same ids, to which more can be
// added that q does not see. Neither q nor, by SetOp, what p has of it may change
// as long as p is in use; q is only read, so that several goroutines may extend
// it at once. The memory of p's rows is kept.
func (p *ConstPool) Extend(q *ConstPool) {
	if len(q.rows) == 0 {
		q = &emptyPool
	}
	p.rows = append(p.rows[:0], q.rows...)
	// Without spare room, what is appended goes to a copy.
	p.ops, p.words, p.bytes = q.ops[:len(q.ops):len(q.ops)], q.words[:len(q.words):len(q.words)], q.bytes[:len(q.bytes):len(q.bytes)]
	p.fresh, p.extended = false, true
}

// emptyPool is a pool without constants; it is never written.
var emptyPool = ConstPool{rows: make([]Const, 1)}

func (p *ConstPool) add(r Const) ConstID {
	if len(p.rows) == cap(p.rows) {
		// Doubled: what a large table grows out of by append's smaller steps is several times its size.
		p.rows = slices.Grow(p.rows, len(p.rows))
	}
	p.rows = append(p.rows, r)
	return ConstID(len(p.rows) - 1)
}

// Int returns an integer constant of up to 64 bits; the caller has cut bits to the width of t.
func (p *ConstPool) Int(t Type, bits uint64) ConstID { return p.simple(ConstInt, t, bits) }

// FP returns a floating-point constant of up to 64 bits by its bit pattern.
func (p *ConstPool) FP(t Type, bits uint64) ConstID { return p.simple(ConstFP, t, bits) }

// Wide returns an integer (ConstInt) or floating-point (ConstFP) constant of more than 64 bits.
func (p *ConstPool) Wide(k ConstKind, t Type, words []uint64) ConstID {
	off := uint32(len(p.words))
	p.words = append(p.words, words...)
	return p.add(Const{Kind: k, Type: t, Off: off, N: uint32(len(words)), Bits: words[0]})
}

// storedWords is the length up to which WideInt stores all words of an integer.
const storedWords = 8

// WideInt returns an integer of width bits, more than 64, by its low words;
// the words above are ones or zeros. Of very wide integers only the low words
// are stored, so that a few bytes of input do not take a megabyte: the row's
// Flags are then twice the width, plus 1 for ones.
func (p *ConstPool) WideInt(t Type, width int, low []uint64, ones bool) ConstID {
	n := (width + 63) / 64
	low = low[:min(len(low), n)]
	if len(low) == 0 {
		low = []uint64{0}
		if ones {
			low[0] = ^uint64(0)
		}
	}
	r := Const{Kind: ConstInt, Type: t, Off: uint32(len(p.words)), N: uint32(len(low)), Bits: low[0]}
	p.words = append(p.words, low...)
	if len(low) < n {
		r.Flags = Flags(width) << 1
		if ones {
			r.Flags |= 1
		}
	} else if m := width % 64; m != 0 {
		p.words[len(p.words)-1] &= 1<<m - 1
	}
	if n <= storedWords && r.Flags != 0 {
		all := p.expand(&r)
		p.words = append(p.words[:r.Off], all...)
		r.Flags, r.N = 0, uint32(n)
	}
	return p.add(r)
}

// LowWords returns the stored words of an integer, and whether the words above
// them, up to the integer's width, are ones; they are zeros otherwise.
func (p *ConstPool) LowWords(c ConstID) (low []uint64, ones bool) {
	r := &p.rows[c]
	if r.N == 0 || r.Flags == 0 {
		return p.Words(c), false
	}
	return p.words[r.Off : r.Off+r.N : r.Off+r.N], r.Flags&1 != 0
}

// expand returns all words of an integer of which only the low ones are stored.
func (p *ConstPool) expand(r *Const) []uint64 {
	width := int(r.Flags >> 1)
	words := make([]uint64, (width+63)/64)
	n := copy(words, p.words[r.Off:r.Off+r.N])
	if r.Flags&1 != 0 {
		for i := n; i < len(words); i++ {
			words[i] = ^uint64(0)
		}
		if m := width % 64; m != 0 {
			words[len(words)-1] &= 1<<m - 1
		}
	}
	return words
}

// Plain returns a constant without content: null, zero, undef, poison, none.
func (p *ConstPool) Plain(k ConstKind, t Type) ConstID { return p.simple(k, t, 0) }

// Aggregate returns an array, struct, vector, splat, or a one-operand wrapper.
func (p *ConstPool) Aggregate(k ConstKind, t Type, ops []Value) ConstID {
	off := uint32(len(p.ops))
	p.ops = append(p.ops, ops...)
	return p.add(Const{Kind: k, Type: t, Off: off, N: uint32(len(ops))})
}

// DataArray returns an array or vector of plain numbers by its little-endian bytes.
func (p *ConstPool) DataArray(t Type, b []byte) ConstID {
	off := uint32(len(p.bytes))
	p.bytes = append(p.bytes, b...)
	return p.add(Const{Kind: ConstData, Type: t, Off: off, N: uint32(len(b))})
}

// Expr returns a constant expression; extra fields are set from r.
func (p *ConstPool) Expr(r Const, ops []Value) ConstID {
	r.Kind = ConstExpr
	r.Off, r.N = uint32(len(p.ops)), uint32(len(ops))
	p.ops = append(p.ops, ops...)
	return p.add(r)
}

// SetOp replaces operand i of an aggregate or expression.
func (p *ConstPool) SetOp(c ConstID, i int, v Value) { p.ops[int(p.rows[c].Off)+i] = v }

// BlockAddr returns blockaddress(@f, %b).
func (p *ConstPool) BlockAddr(f GlobalID, b BlockID) ConstID {
	return p.add(Const{Kind: ConstBlockAddr, Type: Ptr, Off: uint32(f), Bits: uint64(b)})
}

// SetBlock resolves the block of a ConstBlockAddr.
func (p *ConstPool) SetBlock(c ConstID, b BlockID) { p.rows[c].Bits = uint64(b) }

// SetBlockFunc sets the function of a ConstBlockAddr by its Value and the
// constant's type. Readers may store forward references here for a while.
func (p *ConstPool) SetBlockFunc(c ConstID, f Value, t Type) {
	p.rows[c].Type = t
	if f.Tag() == TagGlobal {
		p.rows[c].Off = f.Index()
		return
	}
	p.rows[c].Off = uint32(f)
}

// EachOp calls f for every operand of every constant.
func (p *ConstPool) EachOp(f func(Value)) {
	for _, v := range p.ops {
		f(v)
	}
}

// RewriteOps replaces every operand v of every constant by f(v).
func (p *ConstPool) RewriteOps(f func(Value) Value) {
	for i, v := range p.ops {
		p.ops[i] = f(v)
	}
}

// CopyFrom copies a constant of pool q, and what it is made of, into p.
// Values that are no constants are returned as they are.
func (p *ConstPool) CopyFrom(q *ConstPool, v Value) Value {
	c := v.Const()
	if c == 0 {
		return v
	}
	r := *q.At(c)
	switch {
	case r.Kind == ConstData:
		return ConstVal(p.DataArray(r.Type, q.Data(c)))
	case r.Kind == ConstBlockAddr:
		return ConstVal(p.add(r))
	case r.Kind <= ConstTokenNone && r.N == 0:
		return ConstVal(p.simple(r.Kind, r.Type, r.Bits))
	case r.Kind == ConstInt && r.Flags != 0:
		return ConstVal(p.WideInt(r.Type, int(r.Flags>>1), q.words[r.Off:r.Off+r.N], r.Flags&1 != 0))
	case r.Kind <= ConstFP:
		return ConstVal(p.Wide(r.Kind, r.Type, q.Words(c)))
	}
	ops := make([]Value, r.N)
	for i, o := range q.Ops(c) {
		ops[i] = p.CopyFrom(q, o)
	}
	kind := r.Kind
	r.Off, r.N = uint32(len(p.ops)), uint32(len(ops))
	p.ops = append(p.ops, ops...)
	r.Kind = kind
	return ConstVal(p.add(r))
}

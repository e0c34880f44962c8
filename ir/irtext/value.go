package irtext

import (
	"encoding/binary"
	"math"
	"math/big"
	"strconv"

	"github.com/mirin-go/mirin/ir"
)

// typeAndValue reads "T value".
func (p *parser) typeAndValue() (ir.Type, ir.Value) {
	t := p.typ("expected type")
	if t == 0 {
		return 0, 0
	}
	return t, p.value(t)
}

// value reads a value of type t; 0 after a fault.
func (p *parser) value(t ir.Type) ir.Value {
	if p.t.Kind(t) == ir.KindFunction && (p.tok == tWord || p.tok == tInt || p.tok == tLocal || p.tok == tLocalID) {
		p.error("functions are not values, refer to them as pointers")
		return 0
	}
	switch p.tok {
	case tLocal:
		return p.localRef(t)
	case tLocalID:
		return p.localRef(t)
	case tGlobal, tGlobalID:
		if p.t.Kind(t) == ir.KindFunction {
			p.error("functions are not values, refer to them as pointers")
			return 0
		}
		return p.globalRef(t)
	case tInt:
		return p.intValue(t)
	case tHexInt:
		return p.hexInt(t)
	case tFloat, tHexFP:
		return p.floatValue(t)
	case tWord:
		return p.wordValue(t)
	case '{':
		return p.structValue(t, false)
	case '<':
		p.next()
		if p.tok == '{' {
			v := p.structValue(t, true)
			p.expect('>', "expected end of constant")
			return v
		}
		return p.vectorValue(t)
	case '[':
		return p.arrayValue(t)
	}
	p.error("expected value token")
	return 0
}

func (p *parser) constType(off int, got ir.Type, want ir.Type, v ir.Value) ir.Value {
	if got != want && p.ok() {
		p.errorAt(off, "constant expression type mismatch: got type '"+p.typeString(got)+"' but expected '"+p.typeString(want)+"'")
		return 0
	}
	return v
}

func (p *parser) intValue(t ir.Type) ir.Value {
	w := p.t.IntBits(t)
	if w == 0 {
		if p.t.Kind(t) == ir.KindFunction {
			p.error("functions are not values, refer to them as pointers")
			return 0
		}
		p.error("integer constant must have integer type")
		return 0
	}
	if !p.big && w <= 64 {
		n := p.num
		if p.neg {
			n = -n
		}
		if w < 64 {
			n &= 1<<w - 1
		}
		p.next()
		return ir.ConstVal(p.pool.Int(t, n))
	}
	n, _ := new(big.Int).SetString(p.text(), 10)
	p.next()
	return p.bigInt(t, w, n)
}

// bigInt makes an integer constant, cut to its width.
func (p *parser) bigInt(t ir.Type, w int, n *big.Int) ir.Value {
	if n == nil {
		p.error("expected value token")
		return 0
	}
	ones := n.Sign() < 0
	if ones {
		n.Not(n) // its words, inverted, are those of the negative number
	}
	b := n.Bytes()
	words := make([]uint64, 0, 2)
	for len(b) > 0 && len(words)*64 < w {
		var word [8]byte
		k := min(8, len(b))
		copy(word[8-k:], b[len(b)-k:])
		b = b[:len(b)-k]
		words = append(words, binary.BigEndian.Uint64(word[:]))
	}
	if len(words) == 0 {
		words = append(words, 0)
	}
	if ones {
		for i := range words {
			words[i] = ^words[i]
		}
	}
	if w <= 64 {
		n := words[0]
		if w < 64 {
			n &= 1<<w - 1
		}
		return ir.ConstVal(p.pool.Int(t, n))
	}
	return ir.ConstVal(p.pool.WideInt(t, w, words, ones))
}

func (p *parser) hexInt(t ir.Type) ir.Value {
	w := p.t.IntBits(t)
	if w == 0 {
		p.error("integer constant must have integer type")
		return 0
	}
	s := p.text()
	n, ok := new(big.Int).SetString(s[3:], 16)
	if !ok {
		p.error("expected value token")
		return 0
	}
	// s0x numbers are sign-extended from their active bits: none but zero is positive.
	if s[0] == 's' {
		if l := n.BitLen(); l > 0 {
			n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(l)))
		}
	}
	p.next()
	return p.bigInt(t, w, n)
}

// floatValue reads a decimal or hexadecimal floating-point constant.
func (p *parser) floatValue(t ir.Type) ir.Value {
	off := p.off
	s := p.text()
	var form byte // of the hexadecimal number: 0 for double
	var hi, lo uint64
	if p.tok == tHexFP {
		h := s[2:]
		if c := h[0]; c >= 'K' && c <= 'M' || c == 'H' || c == 'R' {
			form, h = c, h[1:]
		}
		limit := map[byte]int{0: 16, 'H': 4, 'R': 4, 'K': 20, 'L': 32, 'M': 32}[form]
		if form == 0 || form == 'H' || form == 'R' {
			for len(h) > limit && h[0] == '0' {
				h = h[1:]
			}
		}
		if len(h) > limit {
			if form == 'R' {
				p.errorAt(off, "hexadecimal constant too large for bfloat (16-bit)")
				return 0
			}
			if form == 'H' {
				p.errorAt(off, "hexadecimal constant too large for half (16-bit)")
				return 0
			}
			// LLVM notes that the number is too large, and goes on: it loses digits.
			if form == 0 {
				h = h[len(h)-limit:]
			} else {
				h = h[:limit]
			}
		}
		hi, lo = hexWords(h, form)
	} else {
		f, _ := strconv.ParseFloat(s, 64)
		lo = math.Float64bits(f)
	}
	k := p.t.Kind(t)
	if !p.t.IsFloat(t) {
		p.error("floating point constant invalid for type")
		return 0
	}
	p.next()
	bad := func() ir.Value {
		if p.losesNothing(k, form, hi, lo) {
			p.errorAt(off, "floating point constant does not have type '"+p.typeString(t)+"'")
		} else {
			p.errorAt(off, "floating point constant invalid for type")
		}
		return 0
	}
	switch form {
	case 0:
		return p.doubleAs(t, k, lo, bad)
	case 'H':
		if k != ir.KindHalf {
			return bad()
		}
	case 'R':
		if k != ir.KindBFloat {
			return bad()
		}
	case 'K':
		if k != ir.KindX86FP80 {
			return bad()
		}
		return ir.ConstVal(p.pool.Wide(ir.ConstFP, t, []uint64{lo, hi}))
	case 'L', 'M':
		if k != ir.KindFP128 && form == 'L' || k != ir.KindPPCFP128 && form == 'M' {
			return bad()
		}
		return ir.ConstVal(p.pool.Wide(ir.ConstFP, t, []uint64{lo, hi}))
	}
	return ir.ConstVal(p.pool.FP(t, lo))
}

// losesNothing reports whether type k holds the value of a constant in a form
// of its own, for which it is not the type all the same.
func (p *parser) losesNothing(k ir.TypeKind, form byte, hi, lo uint64) bool {
	double, exact := lo, true
	switch form {
	case 'H':
		double = doubleOf(lo, 5, 10)
	case 'R':
		double = doubleOf(lo, 8, 7)
	case 'K':
		sign, exp, man := hi>>15, int(hi&0x7fff), lo
		e := exp - 16383 + 1023
		switch {
		case exp == 0 && man == 0:
			double = sign << 63
		case man>>63 == 0 || man&(1<<11-1) != 0 || e <= 0 || e >= 0x7ff && exp != 0x7fff:
			exact = false
		default:
			double = sign<<63 | uint64(min(e, 0x7ff))<<52 | man<<1>>12
		}
	case 'L':
		exp := int(hi >> 48 & 0x7fff)
		e := exp - 16383 + 1023
		man := hi<<16>>12 | lo>>60
		switch {
		case exp == 0 && hi<<16 == 0 && lo == 0:
			double = hi >> 63 << 63
		case lo<<4 != 0 || e <= 0 || e >= 0x7ff && exp != 0x7fff:
			exact = false
		default:
			double = hi>>63<<63 | uint64(min(e, 0x7ff))<<52 | man
		}
	case 'M':
		double, exact = lo, hi == 0
	}
	switch k {
	case ir.KindX86FP80, ir.KindFP128, ir.KindPPCFP128:
		return form == 0 || form == 'H' || form == 'R'
	case ir.KindDouble:
		return exact
	case ir.KindFloat:
		_, ok := narrowFloat(double, 8, 23)
		return ok && exact
	case ir.KindHalf:
		_, ok := narrowFloat(double, 5, 10)
		return ok && exact && form != 0
	case ir.KindBFloat:
		_, ok := narrowFloat(double, 8, 7)
		return ok && exact && form != 0
	}
	return false
}

// doubleOf turns the bits of a small IEEE format into those of a double.
func doubleOf(b uint64, expBits, manBits uint) uint64 {
	sign := b >> (expBits + manBits) << 63
	top := uint64(1)<<expBits - 1
	exp, man := b>>manBits&top, b&(1<<manBits-1)
	switch {
	case exp == top:
		return sign | 0x7ff<<52 | man<<(52-manBits)
	case exp == 0:
		f := float64(man) * math.Exp2(float64(2-int(top>>1)-1-int(manBits)))
		return sign | math.Float64bits(f)
	}
	return sign | (exp+1023-top>>1)<<52 | man<<(52-manBits)
}

// hexWords reads up to 128 bits of hexadecimal digits. 0xK has its top 16
// bits first; 0xL and 0xM have the low word first.
func hexWords(h string, form byte) (hi, lo uint64) {
	at := func(s string) (n uint64) {
		for i := 0; i < len(s); i++ {
			n = n<<4 | uint64(unhex(s[i]))
		}
		return
	}
	switch form {
	case 'K':
		n := min(4, len(h))
		return at(h[:n]), at(h[n:])
	case 'L', 'M':
		n := min(16, len(h))
		return at(h[n:]), at(h[:n])
	}
	return 0, at(h)
}

// doubleAs makes a constant of type t from a double; the value must be exact in t.
func (p *parser) doubleAs(t ir.Type, k ir.TypeKind, bits uint64, bad func() ir.Value) ir.Value {
	f := math.Float64frombits(bits)
	switch k {
	case ir.KindDouble:
		return ir.ConstVal(p.pool.FP(t, bits))
	case ir.KindFloat:
		if n, ok := narrowFloat(bits, 8, 23); ok {
			return ir.ConstVal(p.pool.FP(t, n))
		}
	case ir.KindHalf:
		if n, ok := narrowFloat(bits, 5, 10); ok {
			return ir.ConstVal(p.pool.FP(t, n))
		}
	case ir.KindBFloat:
		if n, ok := narrowFloat(bits, 8, 7); ok {
			return ir.ConstVal(p.pool.FP(t, n))
		}
	}
	_ = f
	return bad()
}

// narrowFloat turns the bits of a double into those of a smaller IEEE format;
// ok is false when the value is not exact there.
func narrowFloat(b uint64, expBits, manBits uint) (n uint64, ok bool) {
	sign := b >> 63 << (expBits + manBits)
	exp := int(b>>52) & 0x7ff
	man := b & (1<<52 - 1)
	top := uint64(1)<<expBits - 1
	drop := 52 - manBits
	switch {
	case exp == 0x7ff:
		if man == 0 {
			return sign | top<<manBits, true
		}
		// A NaN keeps its payload, which must not be lost.
		return sign | top<<manBits | man>>drop, man&(1<<drop-1) == 0
	case exp == 0 && man == 0:
		return sign, true
	case exp == 0:
		return 0, false
	}
	e := exp - 1023 + int(top>>1)
	man |= 1 << 52
	if e >= int(top) {
		return 0, false
	}
	if e <= 0 {
		drop += uint(1 - e)
		if drop > 63 || man&(1<<drop-1) != 0 {
			return 0, false
		}
		return sign | man>>drop, true
	}
	if man&(1<<drop-1) != 0 {
		return 0, false
	}
	return sign | uint64(e)<<manBits | man>>drop&(1<<manBits-1), true
}

// zero returns the null value of t.
func (p *parser) zero(t ir.Type) ir.Value {
	switch k := p.t.Kind(t); k {
	case ir.KindInteger:
		if w := p.t.IntBits(t); w > 64 {
			return ir.ConstVal(p.pool.WideInt(t, w, nil, false))
		}
		return ir.ConstVal(p.pool.Int(t, 0))
	case ir.KindPointer:
		return ir.ConstVal(p.pool.Plain(ir.ConstNull, t))
	case ir.KindX86FP80, ir.KindFP128, ir.KindPPCFP128:
		return ir.ConstVal(p.pool.Wide(ir.ConstFP, t, []uint64{0, 0}))
	case ir.KindToken:
		return ir.ConstVal(p.pool.Plain(ir.ConstTokenNone, t))
	}
	if p.t.IsFloat(t) {
		return ir.ConstVal(p.pool.FP(t, 0))
	}
	return ir.ConstVal(p.pool.Plain(ir.ConstZero, t))
}

func (p *parser) firstClass(t ir.Type) bool {
	switch p.t.Kind(t) {
	case ir.KindVoid, ir.KindFunction:
		return false
	case ir.KindStruct:
		return !p.t.IsOpaque(t)
	}
	return true
}

// wordValue reads a value that begins with a keyword.
func (p *parser) wordValue(t ir.Type) ir.Value {
	off := p.off
	switch w := p.text(); w {
	case "true", "false":
		if t != ir.Int1 {
			if p.t.IntBits(t) == 0 {
				p.error("constant expression type mismatch: got type 'i1' but expected '" + p.typeString(t) + "'")
			} else {
				p.constType(off, ir.Int1, t, 0)
			}
			return 0
		}
		p.next()
		n := uint64(0)
		if w == "true" {
			n = 1
		}
		return ir.ConstVal(p.pool.Int(t, n))
	case "null":
		if p.t.Kind(t) != ir.KindPointer {
			p.error("null must be a pointer type")
			return 0
		}
		p.next()
		return ir.ConstVal(p.pool.Plain(ir.ConstNull, t))
	case "undef", "poison":
		if !p.firstClass(t) || t == ir.Label {
			p.error("invalid type for " + w + " constant")
			return 0
		}
		p.next()
		if w == "undef" {
			return ir.ConstVal(p.pool.Plain(ir.ConstUndef, t))
		}
		return ir.ConstVal(p.pool.Plain(ir.ConstPoison, t))
	case "zeroinitializer":
		if !p.firstClass(t) || t == ir.Label || t == ir.Metadata ||
			p.t.Kind(t) == ir.KindTargetExt && TargetTypeProps(p.t, t)&PropZeroInit == 0 {
			p.error("invalid type for null constant")
			return 0
		}
		p.next()
		return p.zero(t)
	case "none":
		if t != ir.Token {
			p.error("invalid type for none constant")
			return 0
		}
		p.next()
		return ir.ConstVal(p.pool.Plain(ir.ConstTokenNone, t))
	case "c":
		return p.stringValue(t)
	case "asm":
		p.error("invalid type for inline asm constraint string")
		return 0
	case "splat":
		return p.splatValue(t)
	case "blockaddress":
		return p.blockAddress(t)
	case "dso_local_equivalent", "no_cfi":
		p.next()
		if p.tok != tGlobal && p.tok != tGlobalID {
			p.notGlobal("expected global value name in " + w)
			return 0
		}
		if w == "dso_local_equivalent" && !p.equivalentOf() {
			return 0
		}
		v := p.globalRef(t)
		if !p.ok() {
			return 0
		}
		k := ir.ConstDSOLocalEquivalent
		if w == "no_cfi" {
			k = ir.ConstNoCFI
		}
		return ir.ConstVal(p.pool.Aggregate(k, t, []ir.Value{v}))
	case "ptrauth":
		return p.ptrAuth(t)
	}
	if constExprWord(p.text()) {
		got, v := p.constExpr()
		return p.constType(off, got, t, v)
	}
	switch p.text() {
	case "sdiv", "udiv", "srem", "urem", "mul", "fadd", "fsub", "fmul", "fdiv", "frem", "fneg", "and", "or", "shl", "lshr", "ashr",
		"zext", "sext", "fptrunc", "fpext", "uitofp", "sitofp", "fptoui", "fptosi", "icmp", "fcmp", "select", "extractvalue", "insertvalue":
		p.error(p.text() + " constexprs are no longer supported")
		return 0
	}
	p.error("expected value token")
	return 0
}

// notGlobal says that the name of a global is missing where LLVM reads any value.
func (p *parser) notGlobal(msg string) {
	switch p.tok {
	case tLocal, tLocalID, tInt, tHexInt, tFloat, tHexFP, tWord, '{', '[', '<':
	default:
		msg = "expected value token"
	}
	p.error(msg)
}

// equivalentOf checks the global that dso_local_equivalent names at the current token.
func (p *parser) equivalentOf() bool {
	var id ir.GlobalID
	name := ""
	if p.tok == tGlobal {
		name = p.str()
		id = p.m.Lookup(name)
	} else if int64(p.num) < p.globalNums.next() {
		id = p.globalNums.at(uint32(p.num))
	}
	switch {
	case id != 0 && p.t.Kind(p.m.Globals[id].ValueType) != ir.KindFunction:
		return p.error("expected a function, alias to function, or ifunc in dso_local_equivalent")
	case id == 0 && p.fn != nil:
		p.lateError(p.off, rankDSOLocal, nameKey(name), "unknown function '"+name+"' referenced by dso_local_equivalent")
	case id == 0:
		p.equivalents = append(p.equivalents, fwdGlobal{off: p.off, name: name, num: uint32(p.num), named: p.tok == tGlobal})
	}
	return true
}

// typedList reads "T v, T v …" up to the closing token, which stays.
func (p *parser) typedList(end kind) (types []ir.Type, vals []ir.Value, offs []int) {
	if !p.enter() {
		return
	}
	defer func() { p.depth-- }()
	if p.tok == end {
		return
	}
	for {
		offs = append(offs, p.off)
		t, v := p.typeAndValue()
		if !p.ok() {
			return
		}
		types, vals = append(types, t), append(vals, v)
		if len(vals) > maxOperands {
			p.error("too many elements")
			return
		}
		if !p.eat(',') {
			return
		}
	}
}

func (p *parser) structValue(t ir.Type, packed bool) ir.Value {
	off := p.off
	if packed {
		off--
	}
	p.next()
	types, vals, _ := p.typedList('}')
	if !p.expect('}', "expected end of struct constant") {
		return 0
	}
	if p.t.Kind(t) != ir.KindStruct {
		p.errorAt(off, "constant expression type mismatch: got type '"+p.typeString(p.t.Struct(types, packed))+"' but expected '"+p.typeString(t)+"'")
		return 0
	}
	m := p.t.Subtypes(t)
	if len(m) != len(types) {
		p.errorAt(off, "initializer with struct type has wrong # elements")
		return 0
	}
	if p.t.IsPacked(t) != packed {
		p.errorAt(off, "packed'ness of initializer and type don't match")
		return 0
	}
	for i := range m {
		if m[i] != types[i] {
			p.errorAt(off, "element "+strconv.Itoa(i)+" of struct initializer doesn't match struct element type")
			return 0
		}
	}
	return p.aggregate(ir.ConstStruct, t, vals)
}

// aggregate makes an aggregate in LLVM's canonical form.
func (p *parser) aggregate(k ir.ConstKind, t ir.Type, vals []ir.Value) ir.Value {
	return ir.ConstVal(p.pool.Uniqued(p.t, k, t, vals))
}

// constKind returns the kind of a constant operand, ConstNone for others.
func (p *parser) constKind(v ir.Value) ir.ConstKind {
	if c := v.Const(); c != 0 {
		return p.pool.At(c).Kind
	}
	return ir.ConstNone
}

func (p *parser) arrayValue(t ir.Type) ir.Value {
	off := p.off
	p.next()
	if p.tok == ']' {
		p.next()
		if p.t.Kind(t) != ir.KindArray || p.t.NumElems(t) != 0 {
			p.errorAt(off, "invalid empty array initializer")
			return 0
		}
		return ir.ConstVal(p.pool.Plain(ir.ConstPoison, t))
	}
	if v, ok := p.plainArray(t); ok {
		return v
	}
	types, vals, offs := p.typedList(']')
	if !p.expect(']', "expected end of array constant") {
		return 0
	}
	if !p.validElement(types[0]) || !p.firstClass(types[0]) {
		p.errorAt(offs[0], "invalid array element type: "+p.typeString(types[0]))
		return 0
	}
	for i := range types {
		if types[i] != types[0] {
			p.errorAt(offs[0], "array element #"+strconv.Itoa(i)+" is not of type '"+p.typeString(types[0])) // LLVM closes no quote
			return 0
		}
	}
	p.constType(off, p.t.Array(types[0], uint64(len(vals))), t, 0)
	if !p.ok() {
		return 0
	}
	return p.aggregate(ir.ConstArray, t, vals)
}

// plainArray reads the rest of an array of integers of 8 to 64 bits straight
// into bytes. ok is false when there is anything else; the lexer then stands where it stood.
func (p *parser) plainArray(t ir.Type) (v ir.Value, ok bool) {
	if p.t.Kind(t) != ir.KindArray {
		return 0, false
	}
	e, n := p.t.Elem(t), p.t.NumElems(t)
	w := p.t.IntBits(e)
	if w != 8 && w != 16 && w != 32 && w != 64 || p.tok != tWord {
		return 0, false
	}
	save := p.lexer
	word := p.text()
	b := p.worker.bytes[:0]
	nonzero := uint64(0)
	for i := uint64(0); ; i++ {
		if p.tok != tWord || p.text() != word {
			break
		}
		if i == 0 && p.primitiveType(word) != e {
			break
		}
		p.next()
		if p.tok != tInt || p.big {
			break
		}
		x := p.num
		if p.neg {
			x = -x
		}
		if w < 64 {
			x &= 1<<w - 1
		}
		nonzero |= x
		for k := 0; k < w; k += 8 {
			b = append(b, byte(x>>k))
		}
		p.next()
		if p.tok == ']' && i+1 == n {
			p.next()
			p.worker.bytes = b
			if nonzero == 0 {
				return ir.ConstVal(p.pool.Plain(ir.ConstZero, t)), true
			}
			return ir.ConstVal(p.pool.DataArray(t, b)), true
		}
		if p.tok != ',' {
			break
		}
		p.next()
	}
	p.worker.bytes = b
	p.lexer = save
	return 0, false
}

func (p *parser) vectorValue(t ir.Type) ir.Value {
	off := p.off - 1
	types, vals, offs := p.typedList('>')
	if !p.expect('>', "expected end of constant") {
		return 0
	}
	if len(vals) == 0 {
		p.errorAt(off, "constant vector must not be empty")
		return 0
	}
	switch k := p.t.Kind(types[0]); {
	case k == ir.KindInteger, k == ir.KindPointer, p.t.IsFloat(types[0]):
	default:
		p.errorAt(offs[0], "vector elements must have integer, pointer or floating point type")
		return 0
	}
	for i := range types {
		if types[i] != types[0] {
			p.errorAt(offs[0], "vector element #"+strconv.Itoa(i)+" is not of type '"+p.typeString(types[0])) // LLVM closes no quote
			return 0
		}
	}
	p.constType(off, p.t.Vector(types[0], uint64(len(vals)), false), t, 0)
	if !p.ok() {
		return 0
	}
	return p.aggregate(ir.ConstVector, t, vals)
}

// stringValue reads c"…".
func (p *parser) stringValue(t ir.Type) ir.Value {
	off := p.off
	p.next()
	if p.tok != tString {
		p.error("expected string")
		return 0
	}
	s := p.str()
	p.next()
	if want := p.t.Array(ir.Int8, uint64(len(s))); want != t {
		p.constType(off, want, t, 0)
		return 0
	}
	for i := 0; i < len(s); i++ {
		if s[i] != 0 {
			p.worker.bytes = append(p.worker.bytes[:0], s...)
			return ir.ConstVal(p.pool.DataArray(t, p.worker.bytes))
		}
	}
	return ir.ConstVal(p.pool.Plain(ir.ConstZero, t))
}

func (p *parser) splatValue(t ir.Type) ir.Value {
	off := p.off
	p.next()
	p.expect('(', "expected '(' after vector splat")
	et, v := p.typeAndValue()
	p.expect(')', "expected ')' at end of vector splat")
	if !p.ok() {
		return 0
	}
	if !p.t.IsVector(t) {
		p.errorAt(off, "vector constant must have vector type")
		return 0
	}
	if p.t.Elem(t) != et {
		p.errorAt(off, "constant expression type mismatch: got type '"+p.typeString(et)+"' but expected '"+p.typeString(p.t.Elem(t))+"'")
		return 0
	}
	if c := v.Const(); c != 0 {
		r := p.pool.At(c)
		switch {
		case p.pool.IsNullValue(c):
			return ir.ConstVal(p.pool.Plain(ir.ConstZero, t))
		case r.Kind == ir.ConstUndef, r.Kind == ir.ConstPoison:
			return ir.ConstVal(p.pool.Plain(r.Kind, t))
		}
	}
	return ir.ConstVal(p.pool.Aggregate(ir.ConstSplat, t, []ir.Value{v}))
}

func (p *parser) ptrAuth(t ir.Type) ir.Value {
	off := p.off
	p.next()
	p.expect('(', "expected '(' in constant ptrauth expression")
	pt, ptr := p.typeAndValue()
	p.expect(',', "expected comma in constant ptrauth expression")
	kt, key := p.typeAndValue()
	if p.ok() && (kt != ir.Int32 || key.Const() == 0 || p.pool.At(key.Const()).Kind != ir.ConstInt) {
		p.errorAt(off, "constant ptrauth key must be i32 constant")
	}
	ops := []ir.Value{ptr, key}
	for i := range 3 {
		if !p.ok() || !p.eat(',') {
			break
		}
		dt, v := p.typeAndValue()
		ok := p.t.Kind(dt) == ir.KindPointer
		if i == 0 {
			ok = dt == ir.Int64 && v.Const() != 0 && p.pool.At(v.Const()).Kind == ir.ConstInt
		}
		if p.ok() && !ok {
			p.errorAt(off, [...]string{"constant ptrauth integer discriminator must be i64 constant", "constant ptrauth address discriminator must be a pointer",
				"constant ptrauth deactivation symbol must be a pointer"}[i])
		}
		if i == 2 && isNull(p.pool, v) {
			break
		}
		ops = append(ops, v)
	}
	p.expect(')', "expected ')' in constant ptrauth expression")
	if !p.ok() {
		return 0
	}
	if p.t.Kind(pt) != ir.KindPointer {
		p.errorAt(off, "constant ptrauth base pointer must be a pointer")
		return 0
	}
	if len(ops) < 3 {
		ops = append(ops, ir.ConstVal(p.pool.Int(ir.Int64, 0)))
	}
	if len(ops) < 4 {
		ops = append(ops, ir.ConstVal(p.pool.Plain(ir.ConstNull, ir.Ptr)))
	}
	return p.constType(off, pt, t, ir.ConstVal(p.pool.Aggregate(ir.ConstPtrAuth, pt, ops)))
}

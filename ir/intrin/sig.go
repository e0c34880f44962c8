package intrin

import "github.com/mirin-go/mirin/ir"

// form is one element of a signature.
type form uint8

const (
	fVoid form = iota
	fVarArg
	fType // a type that every module has: typ
	fMMX
	fInt    // n bits
	fVector // n elements of the next type
	fScalable
	fPtr    // address space n
	fStruct // n members follow
	fArg    // overloaded argument n of kind k
	fExtend // argument n with elements twice as wide
	fTrunc  // … half as wide
	fNth    // argument n with 1/k of the elements
	fSameWidth
	fPtrsTo // vector of pointers, overloaded argument n, as many as k has elements
	fElem
	fSub2
	fSub4
	fBitcast // argument n as a vector of integers
	fSVCount
)

// The kinds of overloaded arguments.
const (
	kAny = iota
	kInt
	kFloat
	kVector
	kPointer
	kMatch = 7
)

type elem struct {
	f   form
	k   uint8
	typ ir.Type
	n   uint32
}

// By type code, 0 for other codes: the length of a vector, the bits of an
// integer, a type without parts.
var vectorLen = [256]uint32{9: 2, 10: 4, 11: 8, 12: 16, 13: 32, 16: 64, 25: 1, 31: 512, 32: 1024, 39: 128, 41: 256, 44: 3, 50: 6,
	51: 10, 52: 2048, 53: 4096}

var intBits = [256]uint32{1: 1, 2: 8, 3: 16, 4: 32, 5: 64, 30: 128, 47: 2, 48: 4}

var plainType = [256]ir.Type{6: ir.Half, 7: ir.Float, 8: ir.Double, 18: ir.Token, 19: ir.Metadata, 33: ir.FP128, 40: ir.BFloat,
	42: ir.X86AMX, 43: ir.PPCFP128}

// decode turns type codes into elements.
func decode(code []byte) []elem {
	var out []elem
	scalable := false
	for i := 0; i < len(code); {
		c := code[i]
		i++
		next := func() uint32 { // zeros at the end are not stored
			if i == len(code) {
				return 0
			}
			i++
			return uint32(code[i-1])
		}
		e := elem{}
		if n := vectorLen[c]; n != 0 {
			e = elem{f: fVector, n: n}
			if scalable {
				e.f = fScalable
			}
			scalable = false
			out = append(out, e)
			continue
		}
		if n := intBits[c]; n != 0 {
			out = append(out, elem{f: fInt, n: n})
			continue
		}
		if t := plainType[c]; t != 0 {
			out = append(out, elem{f: fType, typ: t})
			continue
		}
		arg := func(f form) {
			x := next()
			e = elem{f: f, n: x >> 3, k: uint8(x & 7)}
		}
		switch c {
		case 0:
			e.f = fVoid
		case 26:
			e.f = fVarArg
		case 17:
			e.f = fMMX
		case 14:
			e.f = fPtr
		case 24:
			e = elem{f: fPtr, n: next()}
		case 45:
			e = elem{f: fPtr, n: 10}
		case 46:
			e = elem{f: fPtr, n: 20}
		case 15:
			arg(fArg)
		case 22:
			arg(fExtend)
		case 23:
			arg(fTrunc)
		case 27:
			a := next()
			e = elem{f: fNth, n: a, k: uint8(next())}
		case 28:
			arg(fSameWidth)
		case 29:
			a := next()
			e = elem{f: fPtrsTo, n: a, k: uint8(next())}
		case 20:
			e.f = fStruct
		case 21:
			e = elem{f: fStruct, n: next() + 2}
		case 34:
			arg(fElem)
		case 35:
			scalable = true
			continue
		case 36:
			arg(fSub2)
		case 37:
			arg(fSub4)
		case 38:
			arg(fBitcast)
		case 49:
			e.f = fSVCount
		}
		out = append(out, e)
	}
	return out
}

// Result says how a function type agrees with a signature.
type Result uint8

// The results of Match.
const (
	Matches       Result = iota
	NoMatchRet           // the result differs
	NoMatchArg           // a parameter differs
	NoMatchVarArg        // … or parameters are missing at the end
)

type matcher struct {
	t        *ir.Types
	e        []elem
	over     []ir.Type
	deferred []deferral
}

type deferral struct {
	typ ir.Type
	e   []elem
}

// Match compares a function type with the intrinsic's signature. over are the
// overloaded types in order.
func (id ID) Match(t *ir.Types, ft ir.Type) (over []ir.Type, r Result) {
	m := &matcher{t: t, e: decode(id.code())}
	if m.typ(t.Result(ft), false) {
		return nil, NoMatchRet
	}
	nRet := len(m.deferred)
	for _, p := range t.Subtypes(ft) {
		if m.typ(p, false) {
			return nil, NoMatchArg
		}
	}
	rest := m.e
	for i, d := range m.deferred {
		m.e = d.e
		if m.typ(d.typ, true) {
			if i < nRet {
				return nil, NoMatchRet
			}
			return nil, NoMatchArg
		}
	}
	m.e = rest
	return m.over, m.vararg(t.IsVarArg(ft))
}

package irtext

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/big"
	"math/bits"
	"slices"
	"strconv"

	"github.com/mirin-go/mirin/ir"
)

// typeOf returns the type of an operand; constants belong to pool.
func (p *printer) typeOf(pool *ir.ConstPool, v ir.Value) ir.Type {
	switch v.Tag() {
	case ir.TagLocal:
		return p.f.Instrs[v.Index()].Type
	case ir.TagConst:
		return pool.At(v.Const()).Type
	case ir.TagGlobal:
		return p.t.Pointer(p.m.Globals[v.Index()].AddrSpace)
	case ir.TagBlock:
		return ir.Label
	case ir.TagMetadata:
		return ir.Metadata
	}
	return ir.Ptr
}

func (p *printer) typedOperand(pool *ir.ConstPool, v ir.Value) {
	p.typ(p.typeOf(pool, v))
	p.char(' ')
	p.operand(pool, v)
}

// operand appends a value without its type.
func (p *printer) operand(pool *ir.ConstPool, v ir.Value) {
	switch v.Tag() {
	case ir.TagLocal:
		p.local(ir.InstrID(v))
	case ir.TagConst:
		p.constant(pool, v.Const())
	case ir.TagGlobal:
		p.globalName(v.Global())
	case ir.TagBlock:
		p.blockName(v.Block())
	case ir.TagMetadata:
		p.mdOperand(v.MD())
	case ir.TagInlineAsm:
		a := &p.m.InlineAsms()[v.Index()]
		p.str("asm ")
		for _, x := range [...]struct {
			on   bool
			word string
		}{{a.SideEffect, "sideeffect "}, {a.AlignStack, "alignstack "}, {a.Intel, "inteldialect "}, {a.Unwind, "unwind "}} {
			if x.on {
				p.str(x.word)
			}
		}
		p.quoted(a.Asm)
		p.str(", ")
		p.quoted(a.Constraints)
	}
}

// intText appends an integer constant as a signed decimal number.
func (p *printer) intText(pool *ir.ConstPool, c ir.ConstID, r *ir.Const) {
	w := p.t.IntBits(r.Type)
	if w == 1 {
		if r.Bits != 0 {
			p.str("true")
		} else {
			p.str("false")
		}
		return
	}
	if r.N == 0 {
		p.b = appendSigned(p.b, r.Bits, w)
		return
	}
	words, ones := pool.LowWords(c)
	be := make([]byte, 0, 8*len(words))
	for i := len(words) - 1; i >= 0; i-- {
		be = binary.BigEndian.AppendUint64(be, words[i])
	}
	n := new(big.Int).SetBytes(be)
	switch {
	case ones:
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(64*len(words))))
	case n.Bit(w-1) != 0:
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(w)))
	}
	p.b = n.Append(p.b, 10)
}

func appendSigned(b []byte, bits uint64, w int) []byte {
	s := 64 - uint(w)
	return strconv.AppendInt(b, int64(bits<<s)>>s, 10)
}

// appendFloat appends a floating-point constant of type t.
func appendFloat(b []byte, k ir.TypeKind, lo, hi uint64) []byte {
	hex := func(n uint64, digits int) {
		const d = "0123456789ABCDEF"
		for i := digits - 1; i >= 0; i-- {
			b = append(b, d[n>>(4*i)&15])
		}
	}
	switch k {
	case ir.KindHalf:
		b = append(b, "0xH"...)
		hex(lo, 4)
		return b
	case ir.KindBFloat:
		b = append(b, "0xR"...)
		hex(lo, 4)
		return b
	case ir.KindX86FP80:
		b = append(b, "0xK"...)
		hex(hi, 4)
		hex(lo, 16)
		return b
	case ir.KindFP128, ir.KindPPCFP128:
		b = append(b, "0xL"...)
		if k == ir.KindPPCFP128 {
			b[len(b)-1] = 'M'
		}
		hex(lo, 16)
		hex(hi, 16)
		return b
	case ir.KindFloat:
		lo = widenFloat(uint32(lo))
	}
	f := math.Float64frombits(lo)
	if !math.IsInf(f, 0) && !math.IsNaN(f) {
		// LLVM asks for six significant digits and pads to six decimals.
		n := len(b)
		b = strconv.AppendFloat(b, f, 'e', 5, 64)
		if g, err := strconv.ParseFloat(string(b[n:]), 64); err == nil && math.Float64bits(g) == lo && sixDigits(lo, b[n:]) {
			return slices.Insert(b, n+bytes.IndexByte(b[n:], 'e'), '0')
		}
		b = b[:n]
	}
	b = append(b, "0x"...)
	hex(lo, max(1, (bits.Len64(lo)+3)/4))
	return b
}

// sixDigits reports whether LLVM finds the same six digits for a double as
// text has: it cuts the exact decimal number to 20 to 23 bits before it rounds,
// so that 1.0e-06, whose double is a little less, gets 9.99999 and is then printed in hexadecimal.
func sixDigits(lo uint64, text []byte) bool {
	man, exp := lo&(1<<52-1), int(lo>>52)&0x7ff
	if exp == 0 {
		exp = 1
	} else {
		man |= 1 << 52
	}
	if man == 0 {
		return true
	}
	exp -= 1075
	tz := bits.TrailingZeros64(man)
	man, exp = man>>tz, exp+tz
	if exp == 0 || exp > 0 && bits.Len64(man)+exp <= 20 {
		if bits.Len64(man) <= 20 {
			return true
		}
	}
	n := new(big.Int).SetUint64(man)
	if exp > 0 {
		n.Lsh(n, uint(exp))
	} else if exp < 0 {
		n.Mul(n, new(big.Int).Exp(big.NewInt(5), big.NewInt(int64(-exp)), nil))
	}
	if over := n.BitLen() - 20; over > 0 {
		if tens := over * 59 / 196; tens > 0 {
			n.Quo(n, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(tens)), nil))
		}
	}
	d := n.Append(nil, 10)
	if len(d) > 6 {
		up := d[6] >= '5'
		d = d[:6]
		for i := 5; up && i >= 0; i-- {
			if d[i]++; d[i] > '9' {
				d[i] = '0'
			} else {
				up = false
			}
		}
		if up {
			d = []byte{'1'}
		}
	}
	d = bytes.TrimRight(d, "0")
	want := text[:bytes.IndexByte(text, 'e')]
	var digits []byte
	for _, c := range want {
		if c >= '0' && c <= '9' {
			digits = append(digits, c)
		}
	}
	return bytes.Equal(d, bytes.TrimRight(digits, "0"))
}

// widenFloat turns the bits of a float into those of a double; signalling NaNs stay what they are.
func widenFloat(n uint32) uint64 {
	if n&0x7f800000 == 0x7f800000 && n&0x7fffff != 0 {
		return uint64(n>>31)<<63 | 0x7ff<<52 | uint64(n&0x7fffff)<<29
	}
	return math.Float64bits(float64(math.Float32frombits(n)))
}

// constant appends a constant without its type.
func (p *printer) constant(pool *ir.ConstPool, c ir.ConstID) {
	r := pool.At(c)
	switch r.Kind {
	case ir.ConstInt:
		p.intText(pool, c, r)
	case ir.ConstFP:
		w := pool.Words(c)
		hi := uint64(0)
		if len(w) > 1 {
			hi = w[1]
		}
		p.b = appendFloat(p.b, p.t.Kind(r.Type), w[0], hi)
	case ir.ConstNull:
		p.str("null")
	case ir.ConstZero:
		p.str("zeroinitializer")
	case ir.ConstUndef:
		p.str("undef")
	case ir.ConstPoison:
		p.str("poison")
	case ir.ConstTokenNone:
		p.str("none")
	case ir.ConstArray:
		p.char('[')
		p.typedOperands(pool, pool.Ops(c))
		p.char(']')
	case ir.ConstVector:
		p.char('<')
		p.typedOperands(pool, pool.Ops(c))
		p.char('>')
	case ir.ConstStruct:
		open, end := "{ ", " }"
		if p.t.IsPacked(r.Type) {
			open, end = "<{ ", " }>"
		}
		p.str(open)
		p.typedOperands(pool, pool.Ops(c))
		p.str(end)
	case ir.ConstSplat:
		p.str("splat (")
		p.typedOperand(pool, pool.Ops(c)[0])
		p.char(')')
	case ir.ConstData:
		p.data(r.Type, pool.Data(c))
	case ir.ConstExpr:
		p.constExpr(pool, c, r)
	case ir.ConstBlockAddr:
		p.str("blockaddress(")
		p.globalName(ir.GlobalID(r.Off))
		p.str(", ")
		p.foreignBlock(ir.GlobalID(r.Off), ir.BlockID(r.Bits))
		p.char(')')
	case ir.ConstDSOLocalEquivalent:
		p.str("dso_local_equivalent ")
		p.operand(pool, pool.Ops(c)[0])
	case ir.ConstNoCFI:
		p.str("no_cfi ")
		p.operand(pool, pool.Ops(c)[0])
	case ir.ConstPtrAuth:
		p.ptrAuth(pool, pool.Ops(c))
	}
}

func (p *printer) ptrAuth(pool *ir.ConstPool, ops []ir.Value) {
	n := len(ops)
	if n == 4 && isNull(pool, ops[3]) {
		n = 3
		if isNull(pool, ops[2]) {
			n = 2
		}
	}
	p.str("ptrauth (")
	p.typedOperands(pool, ops[:n])
	p.char(')')
}

func isNull(pool *ir.ConstPool, v ir.Value) bool {
	c := v.Const()
	return c != 0 && pool.IsNullValue(c)
}

func (p *printer) typedOperands(pool *ir.ConstPool, ops []ir.Value) {
	for i, v := range ops {
		if i > 0 {
			p.str(", ")
		}
		p.typedOperand(pool, v)
	}
}

// data appends an array or vector of plain numbers.
func (p *printer) data(t ir.Type, data []byte) {
	e := p.t.Elem(t)
	vec := p.t.IsVector(t)
	if e == ir.Int8 && !vec {
		p.str(`c"`)
		p.b = ir.AppendEscaped(p.b, string(data))
		p.char('"')
		return
	}
	w := p.t.IntBits(e) + p.t.FloatBits(e)
	size := w / 8
	end := byte(']')
	if vec {
		p.char('<')
		end = '>'
	} else {
		p.char('[')
	}
	for i := 0; i+size <= len(data); i += size {
		if i > 0 {
			p.str(", ")
		}
		p.typ(e)
		p.char(' ')
		bits := uint64(0)
		for k := range size {
			bits |= uint64(data[i+k]) << (8 * k)
		}
		if p.t.IntBits(e) != 0 {
			p.b = appendSigned(p.b, bits, w)
		} else {
			p.b = appendFloat(p.b, p.t.Kind(e), bits, 0)
		}
	}
	p.char(end)
}

func (p *printer) constExpr(pool *ir.ConstPool, c ir.ConstID, r *ir.Const) {
	ops := pool.Ops(c)
	p.str(opNames[r.Op])
	switch {
	case r.Op == ir.OpGEP:
		p.gepFlags(r.Flags)
		if r.Flags&ir.HasInRange != 0 {
			n := len(ops)
			p.str(" inrange(")
			p.operand(pool, ops[n-2])
			p.str(", ")
			p.operand(pool, ops[n-1])
			p.char(')')
			ops = ops[:n-2]
		}
		p.str(" (")
		p.typ(r.SrcType)
		p.str(", ")
		p.typedOperands(pool, ops)
		p.char(')')
	case r.Op >= ir.OpTrunc && r.Op <= ir.OpAddrSpaceCast:
		p.str(" (")
		p.typedOperand(pool, ops[0])
		p.str(" to ")
		p.typ(r.Type)
		p.char(')')
	default:
		p.wrapFlags(r.Flags)
		p.str(" (")
		p.typedOperands(pool, ops)
		p.char(')')
	}
}

func (p *printer) gepFlags(f ir.Flags) {
	if f&ir.InBounds != 0 {
		p.str(" inbounds")
	} else if f&ir.NUSW != 0 {
		p.str(" nusw")
	}
	if f&ir.NUW != 0 {
		p.str(" nuw")
	}
}

func (p *printer) wrapFlags(f ir.Flags) {
	if f&ir.NUW != 0 {
		p.str(" nuw")
	}
	if f&ir.NSW != 0 {
		p.str(" nsw")
	}
}

// foreignBlock appends the name of a block of any function.
func (p *printer) foreignBlock(g ir.GlobalID, b ir.BlockID) {
	f := p.m.Globals[g].Func
	if f == p.f {
		p.blockName(b)
		return
	}
	if f == nil {
		p.str("%<badref>")
		return
	}
	if n := f.BlockNames[b]; n != "" {
		p.b = ir.AppendName(append(p.b, '%'), n)
		return
	}
	_, blocks := numberLocals(f)
	p.char('%')
	p.int(int(blocks[b]) - 1)
}

package globalisel

import (
	"math/bits"

	"github.com/mirin-go/mirin/codegen/matchtable"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
)

// This file has the functions of combine.td about bits that nobody asks for:
// what only changes those is left out, and what only the low half is read of is
// computed in half the width.

// demandDepth is how many instructions a question for bits goes through.
const demandDepth = 4

// demand is how an instruction can do with less: operand op of instruction in, which
// nobody else reads the result of, may be by instead.
type demand struct {
	in mir.InstrID
	op int
	by mir.Reg
}

// demandOf finds what instruction i can do without. Of its operand 1 it reads
// only some bits; what computes that may compute others as it likes, where i is
// its only reader.
func demandOf(f *mir.Function, i mir.InstrID) (d demand, ok bool) {
	r := f.Op(i, 0).Reg()
	t := f.TypeOf(r)
	n := t.ScalarBits()
	src := f.TypeOf(f.Op(i, 1).Reg())
	if !t.IsScalar() || !src.IsScalar() || src.ScalarBits() > 64 {
		return d, false
	}
	all := lowMask(n)
	asked := all
	switch op := f.Instr(i).Opcode; op {
	case desc.G_TRUNC:
		if f.Instr(i).Flags()&(mir.NoUWrap|mir.NoSWrap) != 0 {
			return d, false
		}
	case desc.G_SEXT_INREG:
		asked = lowMask(int(f.Op(i, 2).Imm()))
	default:
		var known bool
		if asked, known = askedThrough(f, i, all); !known {
			return d, false
		}
	}
	if asked == lowMask(src.ScalarBits()) || asked == 0 {
		return d, false
	}
	return demandFrom(f, i, asked, demandDepth)
}

// demandFrom looks for what changes bits of operand 1, or 2, of i alone that are not asked for.
func demandFrom(f *mir.Function, i mir.InstrID, asked uint64, depth int) (d demand, ok bool) {
	last := 1
	switch f.Instr(i).Opcode {
	case desc.G_ADD, desc.G_SUB, desc.G_MUL, desc.G_AND, desc.G_OR, desc.G_XOR:
		last = 2
	}
	for k := 1; k <= last; k++ {
		x := f.Op(i, k).Reg()
		if by := sameBits64(f, x, asked); by != x {
			return demand{i, k, by}, true
		}
	}
	if depth == 0 {
		return d, false
	}
	for k := 1; k <= last; k++ {
		x := f.Op(i, k).Reg()
		in := f.UniqueDef(x)
		if in == 0 || !f.HasOneUse(x) {
			continue
		}
		if inner, known := askedThrough(f, in, asked); known && inner != 0 {
			if d, ok = demandFrom(f, in, inner, depth-1); ok {
				return d, true
			}
		}
	}
	return d, false
}

// askedThrough tells which bits of its operands an instruction needs for the bits
// asked of its result; false where it is none that is looked through.
func askedThrough(f *mir.Function, i mir.InstrID, asked uint64) (uint64, bool) {
	t := f.TypeOf(f.Op(i, 0).Reg())
	n := t.ScalarBits()
	if !t.IsScalar() || n > 64 {
		return 0, false
	}
	switch op := f.Instr(i).Opcode; op {
	case desc.G_ADD, desc.G_SUB, desc.G_MUL:
		// Carries go up.
		return lowMask(bits.Len64(asked)), true
	case desc.G_OR, desc.G_XOR:
		return asked, true
	case desc.G_AND:
		if c, ok := ConstOf(f, f.Op(i, 2).Reg()); ok {
			asked &= uint64(c)
		}
		return asked, true
	case desc.G_SHL, desc.G_LSHR, desc.G_ASHR:
		k, ok := ConstOf(f, f.Op(i, 2).Reg())
		if !ok || k <= 0 || k >= int64(n) {
			return 0, false
		}
		switch {
		case op == desc.G_SHL:
			return asked >> k, true
		case op == desc.G_ASHR && asked>>(n-int(k)) != 0:
			return asked<<k&lowMask(n) | 1<<(n-1), true
		}
		return asked << k & lowMask(n), true
	}
	return 0, false
}

// sameBits64 gives the value that x was computed of, as far as that has the bits
// asked for as they are; x where nothing is gained.
func sameBits64(f *mir.Function, x mir.Reg, asked uint64) mir.Reg {
	for range demandDepth {
		y := sameBitsStep(f, x, asked)
		if y == 0 {
			break
		}
		x = y
	}
	return x
}

func sameBitsStep(f *mir.Function, x mir.Reg, asked uint64) mir.Reg {
	d := f.UniqueDef(x)
	if d == 0 {
		return 0
	}
	// constant is operand 2, as a number of the width of x.
	constant := func() (uint64, bool) {
		c, ok := ConstOf(f, f.Op(d, 2).Reg())
		return uint64(c), ok
	}
	switch op := f.Instr(d).Opcode; op {
	case desc.G_AND:
		if c, ok := constant(); ok && asked&^c == 0 {
			return f.Op(d, 1).Reg()
		}
	case desc.G_OR, desc.G_XOR:
		if c, ok := constant(); ok && asked&c == 0 {
			return f.Op(d, 1).Reg()
		}
	case desc.G_ADD, desc.G_SUB:
		if c, ok := constant(); ok && bits.Len64(asked) <= bits.TrailingZeros64(c) {
			return f.Op(d, 1).Reg()
		}
	case desc.G_SEXT_INREG:
		if asked&^lowMask(int(f.Op(d, 2).Imm())) == 0 {
			return f.Op(d, 1).Reg()
		}
	case desc.G_ZEXT, desc.G_SEXT, desc.G_ANYEXT:
		in := f.UniqueDef(f.Op(d, 1).Reg())
		if in == 0 || f.Instr(in).Opcode != desc.G_TRUNC {
			return 0
		}
		y := f.Op(in, 1).Reg()
		if t := f.TypeOf(f.Op(d, 1).Reg()); f.TypeOf(y) == f.TypeOf(x) && asked&^lowMask(t.ScalarBits()) == 0 {
			return y
		}
	case desc.G_SHL, desc.G_LSHR, desc.G_ASHR:
		// Up and down again, or down and up.
		in := f.UniqueDef(f.Op(d, 1).Reg())
		k, ok := constant()
		n := f.TypeOf(x).ScalarBits()
		if in == 0 || !ok || k == 0 || k >= uint64(n) {
			return 0
		}
		if c, ok := ConstOf(f, f.Op(d, 2).Reg()); !ok || f.Instr(in).NumOps() != 3 {
			return 0
		} else if c2, ok := ConstOf(f, f.Op(in, 2).Reg()); !ok || c2 != c {
			return 0
		}
		switch back := f.Instr(in).Opcode; {
		case op == desc.G_SHL && (back == desc.G_LSHR || back == desc.G_ASHR) && asked&lowMask(int(k)) == 0,
			op != desc.G_SHL && back == desc.G_SHL && asked&^lowMask(n-int(k)) == 0:
			return f.Op(in, 1).Reg()
		}
	}
	return 0
}

// asksLess tells an instruction that can do with less.
func asksLess(m *matchtable.Matcher, a []matchtable.Arg) bool {
	_, ok := demandOf(m.F, a[0].Instr)
	return ok
}

// askLess leaves out what is not asked for. What was said of results that may now have
// other bits is said no longer.
func askLess(m *matchtable.Matcher, a []matchtable.Arg) bool {
	f, i := m.F, a[0].Instr
	d, ok := demandOf(f, i)
	if !ok {
		return false
	}
	n := f.Clone(i)
	m.B.Insert(n)
	if d.in == i {
		f.SetReg(n, d.op, d.by)
	}
	f.Instr(n).SetFlags(f.Instr(n).Flags() &^ wrapFlags)
	if d.in == i {
		return true
	}
	f.SetReg(d.in, d.op, d.by)
	for in := d.in; in != 0; {
		f.Instr(in).SetFlags(f.Instr(in).Flags() &^ wrapFlags)
		f.DropDebugUses(f.Op(in, 0).Reg())
		// Up to i there is one reader of each.
		next := mir.InstrID(0)
		for u := range f.NonDebugUses(f.Op(in, 0).Reg()) {
			if u != i && u != n {
				next = u
			}
		}
		in = next
	}
	return true
}

// below32 tells a constant shift of less than 32 bits.
func below32(m *matchtable.Matcher, a []matchtable.Arg) bool {
	k, ok := constArg(m, a[0])
	return ok && 0 <= k && k < 32
}

// highHalfZero tells that the upper 32 bits of a number of 64 are 0.
func highHalfZero(m *matchtable.Matcher, a []matchtable.Arg) bool {
	if scalarBits(m, a[0]) != 64 {
		return false
	}
	zero, _ := knownBits(m.F, m.Reg(a[0]), knownDepth)
	return zero>>32 == lowMask(32)
}

// masksHighHalf tells an AND of 64 bits with a constant of 32, of what an instruction
// computes that can as well do so in 32 bits.
func masksHighHalf(m *matchtable.Matcher, a []matchtable.Arg) bool {
	f := m.F
	c, ok := constArg(m, a[1])
	r := m.Reg(a[0])
	d := f.UniqueDef(r)
	return ok && scalarBits(m, a[0]) == 64 && uint64(c)>>32 == 0 && d != 0 && f.Instr(d).Opcode != desc.G_AND && halvesOf(f, d)
}

// halvesOf reports an instruction of 64 bits the low half of whose result is that of
// the operation on the low halves of its operands.
func halvesOf(f *mir.Function, d mir.InstrID) bool {
	switch f.Instr(d).Opcode {
	case desc.G_ADD, desc.G_SUB, desc.G_MUL, desc.G_AND, desc.G_OR, desc.G_XOR:
		return true
	case desc.G_SHL:
		k, ok := ConstOf(f, f.Op(d, 2).Reg())
		return ok && 0 <= k && k < 32
	}
	return false
}

// maxCuts bounds how many truncations of a value are looked at.
const maxCuts = 16

// allCut tells a truncation to 32 bits of what an instruction of 64 bits computes for
// nothing but such truncations, several of them.
func allCut(m *matchtable.Matcher, a []matchtable.Arg) bool {
	f, i := m.F, a[0].Instr
	r := f.Op(i, 1).Reg()
	d := f.UniqueDef(r)
	if d == 0 || !halvesOf(f, d) {
		return false
	}
	n := 0
	for u := range f.NonDebugUses(r) {
		if n++; n > maxCuts {
			return false
		}
		if !isCut(f, u) && !IsTriviallyDead(f, u) {
			return false
		}
	}
	return true
}

// isCut reports a truncation to 32 bits.
func isCut(f *mir.Function, u mir.InstrID) bool {
	return f.Instr(u).Opcode == desc.G_TRUNC && f.TypeOf(f.Op(u, 0).Reg()) == mir.Scalar(32)
}

// cutAll computes in 32 bits what all readers truncate.
func cutAll(m *matchtable.Matcher, a []matchtable.Arg) bool {
	f, i := m.F, a[0].Instr
	r := f.Op(i, 1).Reg()
	d := f.UniqueDef(r)
	b := Builder{&mir.Builder{F: f, Loc: f.Instr(d).Loc}}
	b.SetAfter(d)
	v := lowHalf(m, b, d, demandDepth)
	for {
		other := mir.InstrID(0)
		for u := range f.NonDebugUses(r) {
			if u != i && isCut(f, u) {
				other = u
				break
			}
		}
		if other == 0 {
			break
		}
		// It keeps its place among the expressions that are shared.
		f.SetReg(other, 1, v)
		f.Instr(other).Opcode = desc.COPY
		f.Instr(other).SetFlags(0)
	}
	Builder{&m.B}.BuildTo(desc.COPY, f.Op(i, 0).Reg(), v)
	return true
}

// lowHalf computes the low 32 bits of what d computes.
func lowHalf(m *matchtable.Matcher, b Builder, d mir.InstrID, depth int) mir.Reg {
	f, s32 := b.F, mir.Scalar(32)
	x := lowHalfOf(m, b, f.Op(d, 1).Reg(), depth)
	if f.Instr(d).Opcode == desc.G_SHL {
		k, _ := ConstOf(f, f.Op(d, 2).Reg())
		return b.Bin(desc.G_SHL, s32, x, b.Const(s32, k))
	}
	return b.Bin(f.Instr(d).Opcode, s32, x, lowHalfOf(m, b, f.Op(d, 2).Reg(), depth))
}

// lowHalfOf is the low 32 bits of x.
func lowHalfOf(m *matchtable.Matcher, b Builder, x mir.Reg, depth int) mir.Reg {
	f, s32 := b.F, mir.Scalar(32)
	if k, ok := ConstOf(f, x); ok {
		return b.Const(s32, k)
	}
	d := f.UniqueDef(x)
	if d == 0 || depth == 0 {
		return b.Un(desc.G_TRUNC, s32, x)
	}
	switch op := f.Instr(d).Opcode; op {
	case desc.G_ZEXT, desc.G_SEXT, desc.G_ANYEXT:
		switch y := f.Op(d, 1).Reg(); {
		case f.TypeOf(y) == s32:
			return y
		case f.TypeOf(y).IsScalar() && f.TypeOf(y).ScalarBits() < 32:
			return b.Un(op, s32, y)
		}
	case desc.G_LOAD, desc.G_LSHR, desc.G_ASHR:
		if l, ok := narrowLoadOf(m, x, 4); ok {
			return l.part(f, desc.G_LOAD, s32)
		}
	default:
		if halvesOf(f, d) && hasOneLiveUse(f, x) {
			return lowHalf(m, b, d, depth-1)
		}
	}
	return b.Un(desc.G_TRUNC, s32, x)
}

// narrowLoad is a load of more bytes than are asked for.
type narrowLoad struct {
	load mir.InstrID
	off  int64 // of the bytes that are
	size int64
}

// narrowLoadOf finds the load of value v whose bits from shift on, size bytes, are all that is read.
func narrowLoadOf(m *matchtable.Matcher, v mir.Reg, size int64) (l narrowLoad, ok bool) {
	f := m.F
	shift := int64(0)
	d := f.UniqueDef(v)
	if d != 0 && (f.Instr(d).Opcode == desc.G_LSHR || f.Instr(d).Opcode == desc.G_ASHR) && f.HasOneUse(v) {
		k, isConst := ConstOf(f, f.Op(d, 2).Reg())
		if !isConst || k < 0 || k > 56 || k%8 != 0 {
			return l, false
		}
		shift = k / 8
		v = f.Op(d, 1).Reg()
		d = f.UniqueDef(v)
	}
	if d == 0 || f.NumMem(d) != 1 || !f.HasOneUse(v) {
		return l, false
	}
	switch f.Instr(d).Opcode {
	case desc.G_LOAD, desc.G_ZEXTLOAD, desc.G_SEXTLOAD:
	default:
		return l, false
	}
	mem, t := f.MemOf(d, 0), f.TypeOf(v)
	if !t.IsScalar() || mem.Flags&mir.MemVolatile != 0 || mem.Order > ir.NotAtomic || mem.Size != 2 && mem.Size != 4 && mem.Size != 8 ||
		mem.ScalableSize || shift+size > mem.Size || size == mem.Size || f.Instr(d).Opcode == desc.G_LOAD && int64(t.ScalarBits()) != 8*mem.Size {
		return l, false
	}
	if l = (narrowLoad{d, shift, size}); m.ST.Layout.BigEndian {
		l.off = mem.Size - shift - size
	}
	// Where loads are aligned, the part is as well.
	return l, true
}

// part builds the load in the place of the whole one: as it is, or extended to type t by op.
func (l narrowLoad) part(f *mir.Function, op desc.Opcode, t mir.LLT) mir.Reg {
	mem := *f.MemOf(l.load, 0)
	mem.Type, mem.Size, mem.Offset, mem.Ranges = mir.Scalar(int(8*l.size)), l.size, mem.Offset+l.off, 0
	b := Builder{&mir.Builder{F: f, Loc: f.Instr(l.load).Loc}}
	b.SetBefore(l.load)
	mem.Flags |= mir.MemLoad
	r := b.New(t)
	ld := b.Build(op, Def(r), Use(b.PtrAddConst(f.Op(l.load, 1).Reg(), l.off)))
	f.SetMem(ld, f.AddMem(mem))
	return r
}

// cutsLoad tells a truncation of what is loaded for it alone.
func cutsLoad(m *matchtable.Matcher, a []matchtable.Arg) bool {
	_, ok := cutLoadOf(m, a[0].Instr)
	return ok
}

func cutLoadOf(m *matchtable.Matcher, i mir.InstrID) (l narrowLoad, ok bool) {
	f := m.F
	t := f.TypeOf(f.Op(i, 0).Reg())
	n := t.ScalarBits()
	if !t.IsScalar() || n != 8 && n != 16 && n != 32 {
		return l, false
	}
	return narrowLoadOf(m, f.Op(i, 1).Reg(), int64(n/8))
}

func cutLoad(m *matchtable.Matcher, a []matchtable.Arg) bool {
	f, i := m.F, a[0].Instr
	l, ok := cutLoadOf(m, i)
	if !ok {
		return false
	}
	d := f.Op(i, 0).Reg()
	Builder{&m.B}.BuildTo(desc.COPY, d, l.part(f, desc.G_LOAD, f.TypeOf(d)))
	return true
}

// masksLoad tells a mask of the low bytes of what is loaded for it alone, or the
// extension of their sign, unless the masked bytes are only compared with 0: memory is tested as it is.
func masksLoad(m *matchtable.Matcher, a []matchtable.Arg) bool {
	_, ok := maskedLoadOf(m, a[0].Instr)
	return ok
}

func maskedLoadOf(m *matchtable.Matcher, i mir.InstrID) (l narrowLoad, ok bool) {
	f := m.F
	d := f.Op(i, 0).Reg()
	t := f.TypeOf(d)
	if n := t.ScalarBits(); !t.IsScalar() || n != 16 && n != 32 && n != 64 {
		return l, false
	}
	size := int64(0)
	if f.Instr(i).Opcode == desc.G_SEXT_INREG {
		switch f.Op(i, 2).Imm() {
		case 8, 16, 32:
			size = f.Op(i, 2).Imm() / 8
		default:
			return l, false
		}
	} else {
		c, isConst := ConstOf(f, f.Op(i, 2).Reg())
		switch uint64(c) & lowMask(t.ScalarBits()) {
		case 0xff:
			size = 1
		case 0xffff:
			size = 2
		case 0xffffffff:
			size = 4
		}
		if !isConst || size == 0 || 8*size >= int64(t.ScalarBits()) {
			return l, false
		}
		if f.HasOneUse(d) {
			for u := range f.NonDebugUses(d) {
				if f.Instr(u).Opcode == desc.G_ICMP {
					return l, false
				}
			}
		}
	}
	return narrowLoadOf(m, f.Op(i, 1).Reg(), size)
}

func maskLoad(m *matchtable.Matcher, a []matchtable.Arg) bool {
	f, i := m.F, a[0].Instr
	l, ok := maskedLoadOf(m, i)
	if !ok {
		return false
	}
	op := desc.Opcode(desc.G_ZEXTLOAD)
	if f.Instr(i).Opcode == desc.G_SEXT_INREG {
		op = desc.G_SEXTLOAD
	}
	d := f.Op(i, 0).Reg()
	Builder{&m.B}.BuildTo(desc.COPY, d, l.part(f, op, f.TypeOf(d)))
	return true
}

// unsignedValue gives a constant as a number without sign.
func unsignedValue(m *matchtable.Matcher, a []matchtable.Arg) bool {
	v, ok := constArg(m, a[0])
	n := scalarBits(m, a[0])
	a[1].Data.Int = int64(uint64(v) & lowMask(n))
	return ok && n > 0 && n < 64
}

// fillsWidth tells two constant shifts that together are the width of a[0], a type
// that machines turn round.
func fillsWidth(m *matchtable.Matcher, a []matchtable.Arg) bool {
	n := scalarBits(m, a[0])
	x, ok1 := constArg(m, a[1])
	y, ok2 := constArg(m, a[2])
	return ok1 && ok2 && x > 0 && y > 0 && x+y == int64(n) && (n == 8 || n == 16 || n == 32 || n == 64)
}

// isMachineWord tells a type of 32 or 64 bits.
func isMachineWord(m *matchtable.Matcher, a []matchtable.Arg) bool {
	n := scalarBits(m, a[0])
	return n == 32 || n == 64
}

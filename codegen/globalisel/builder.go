package globalisel

import (
	"math/bits"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
)

// Builder makes generic instructions: mir.Builder with the conveniences that
// generic code wants. Methods that return a register make a new one.
type Builder struct{ *mir.Builder }

// Wrap makes a Builder of a mir.Builder; both share the point of insertion.
func Wrap(b *mir.Builder) Builder { return Builder{b} }

// Def and Use are register operands.
func Def(r mir.Reg) mir.Operand { return mir.RegOp(r, mir.Def) }

// Use is a register operand that is read.
func Use(r mir.Reg) mir.Operand { return mir.RegOp(r, 0) }

// New makes a generic virtual register.
func (b Builder) New(t mir.LLT) mir.Reg { return b.F.AddGenericVReg(t) }

// Type returns the type of a register.
func (b Builder) Type(r mir.Reg) mir.LLT { return b.F.TypeOf(r) }

// Un builds dst = op a.
func (b Builder) Un(op desc.Opcode, t mir.LLT, a mir.Reg) mir.Reg {
	d := b.New(t)
	b.Build(op, Def(d), Use(a))
	return d
}

// BuildTo builds an instruction that defines d.
func (b Builder) BuildTo(op desc.Opcode, d mir.Reg, uses ...mir.Reg) mir.InstrID {
	i := b.F.New(op, Def(d))
	for _, u := range uses {
		b.F.AddOp(i, Use(u))
	}
	return b.Insert(i)
}

// Bin builds dst = op x, y.
func (b Builder) Bin(op desc.Opcode, t mir.LLT, x, y mir.Reg) mir.Reg {
	d := b.New(t)
	b.Build(op, Def(d), Use(x), Use(y))
	return d
}

// Const builds a G_CONSTANT of up to 64 bits; v is cut to the width. Wider
// types get v sign-extended.
func (b Builder) Const(t mir.LLT, v int64) mir.Reg {
	d := b.New(t)
	b.ConstTo(d, v)
	return d
}

// ConstTo builds the G_CONSTANT v in register d. A vector gets v in every element.
func (b Builder) ConstTo(d mir.Reg, v int64) mir.InstrID {
	t := b.Type(d)
	if t.IsVector() {
		e := b.Const(t.Elem(), v)
		return b.Splat(d, e)
	}
	n := t.ScalarBits()
	if n <= 64 {
		return b.Build(desc.G_CONSTANT, Def(d), b.F.CImm(n, uint64(v)&lowMask(n)))
	}
	return b.Build(desc.G_CONSTANT, Def(d), b.F.CImm(n, signWords(n, v)...))
}

// Splat builds d = G_BUILD_VECTOR of one value.
func (b Builder) Splat(d, e mir.Reg) mir.InstrID {
	n := b.Type(d).NumElems()
	i := b.Build(desc.G_BUILD_VECTOR, Def(d))
	for range n {
		b.F.AddOp(i, Use(e))
	}
	return i
}

// WideConst builds a G_CONSTANT from 64-bit words, low first.
func (b Builder) WideConst(t mir.LLT, words []uint64) mir.Reg {
	d := b.New(t)
	b.Build(desc.G_CONSTANT, Def(d), b.F.CImm(t.ScalarBits(), words...))
	return d
}

// signWords returns v as a number of n bits in words.
func signWords(n int, v int64) []uint64 {
	if n <= 64 {
		return []uint64{uint64(v) & lowMask(n)}
	}
	w := make([]uint64, (n+63)/64)
	for k := range w {
		w[k] = uint64(v >> 63)
	}
	w[0] = uint64(v)
	if n%64 != 0 {
		w[len(w)-1] &= lowMask(n % 64)
	}
	return w
}

// lowMask has the n low bits set, n up to 64.
func lowMask(n int) uint64 {
	if n >= 64 {
		return ^uint64(0)
	}
	return 1<<n - 1
}

// FPConst builds a G_FCONSTANT of an IR type.
func (b Builder) FPConst(t ir.Type, n int, bits uint64) mir.Reg {
	d := b.New(mir.Scalar(n))
	b.Build(desc.G_FCONSTANT, Def(d), b.F.FPImm(t, bits, 0))
	return d
}

// ICmp builds a comparison with a result of type t.
func (b Builder) ICmp(p ir.Pred, t mir.LLT, x, y mir.Reg) mir.Reg {
	d := b.New(t)
	b.Build(desc.G_ICMP, Def(d), mir.PredOp(uint8(p)), Use(x), Use(y))
	return d
}

// FCmp builds a floating-point comparison with a result of type t.
func (b Builder) FCmp(p ir.Pred, t mir.LLT, x, y mir.Reg) mir.Reg {
	d := b.New(t)
	b.Build(desc.G_FCMP, Def(d), mir.PredOp(uint8(p)), Use(x), Use(y))
	return d
}

// Select builds c ? x : y.
func (b Builder) Select(c, x, y mir.Reg) mir.Reg {
	d := b.New(b.Type(x))
	b.Build(desc.G_SELECT, Def(d), Use(c), Use(x), Use(y))
	return d
}

// PtrAdd builds p + off.
func (b Builder) PtrAdd(p, off mir.Reg) mir.Reg {
	d := b.New(b.Type(p))
	b.Build(desc.G_PTR_ADD, Def(d), Use(p), Use(off))
	return d
}

// PtrAddConst builds p + off, p itself for 0.
func (b Builder) PtrAddConst(p mir.Reg, off int64) mir.Reg {
	if off == 0 {
		return p
	}
	return b.PtrAdd(p, b.Const(mir.Scalar(b.Type(p).ScalarBits()), off))
}

// Load builds a load with a memory operand.
func (b Builder) Load(t mir.LLT, p mir.Reg, m mir.MemOperand) mir.Reg {
	d := b.New(t)
	b.LoadTo(d, p, m)
	return d
}

// LoadTo builds a load into d.
func (b Builder) LoadTo(d, p mir.Reg, m mir.MemOperand) mir.InstrID {
	i := b.Build(desc.G_LOAD, Def(d), Use(p))
	m.Flags |= mir.MemLoad
	b.F.SetMem(i, b.F.AddMem(m))
	return i
}

// Store builds a store with a memory operand.
func (b Builder) Store(v, p mir.Reg, m mir.MemOperand) mir.InstrID {
	i := b.Build(desc.G_STORE, Use(v), Use(p))
	m.Flags |= mir.MemStore
	b.F.SetMem(i, b.F.AddMem(m))
	return i
}

// Merge builds d = G_MERGE_VALUES parts, low first (G_BUILD_VECTOR or
// G_CONCAT_VECTORS for vectors), or a copy of a single part.
func (b Builder) Merge(d mir.Reg, parts []mir.Reg) mir.InstrID {
	if len(parts) == 1 {
		return b.Copy(d, parts[0])
	}
	op := desc.G_MERGE_VALUES
	if b.Type(d).IsVector() {
		op = desc.G_BUILD_VECTOR
		if b.Type(parts[0]).IsVector() {
			op = desc.G_CONCAT_VECTORS
		}
	}
	i := b.Build(op, Def(d))
	for _, p := range parts {
		b.F.AddOp(i, Use(p))
	}
	return i
}

// Unmerge appends to out the n parts of type t that v is cut into, low first.
func (b Builder) Unmerge(out []mir.Reg, t mir.LLT, v mir.Reg) []mir.Reg {
	n := b.Type(v).Bits() / t.Bits()
	if n == 1 {
		return append(out, v)
	}
	i := b.F.New(desc.G_UNMERGE_VALUES)
	for range n {
		d := b.New(t)
		out = append(out, d)
		b.F.AddOp(i, Def(d))
	}
	b.F.AddOp(i, Use(v))
	b.Insert(i)
	return out
}

// Resize builds the extension (op: G_ZEXT, G_SEXT, G_ANYEXT) or truncation of v to t, v itself when it fits.
func (b Builder) Resize(op desc.Opcode, t mir.LLT, v mir.Reg) mir.Reg {
	from := b.Type(v)
	switch {
	case from == t:
		return v
	case from.ScalarBits() > t.ScalarBits():
		op = desc.G_TRUNC
	case from.ScalarBits() == t.ScalarBits():
		op = desc.COPY
	}
	return b.Un(op, t, v)
}

// ConstOf returns the value of a register that a G_CONSTANT of up to 64 bits
// defines, sign-extended; copies, truncations and extensions are not looked through.
func ConstOf(f *mir.Function, r mir.Reg) (int64, bool) {
	d := f.UniqueDef(r)
	if d == 0 || f.Instr(d).Opcode != desc.G_CONSTANT {
		return 0, false
	}
	o := f.Op(d, 1)
	switch o.Kind() {
	case mir.OpCImm:
		c := &f.CImms[o.Index()]
		if c.Bits > 64 {
			for k, w := range c.Words {
				if k > 0 && w != uint64(int64(c.Words[0])>>63) {
					return 0, false
				}
			}
			return int64(c.Words[0]), true
		}
		return signExtend(c.Words[0], c.Bits), true
	case mir.OpImm:
		return o.Imm(), true
	}
	return 0, false
}

func signExtend(v uint64, n int) int64 {
	if n >= 64 {
		return int64(v)
	}
	return int64(v<<(64-n)) >> (64 - n)
}

// log2 is the exponent of the greatest power of two that divides n.
func log2(n uint64) uint8 {
	if n == 0 {
		return 63
	}
	return uint8(bits.TrailingZeros64(n))
}

package globalisel

import (
	"github.com/mirin-go/mirin/codegen/matchtable"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
)

// This file has the functions of combine.td about memory.

// storesFPConst tells a store of a floating-point constant of up to 64 bits.
func storesFPConst(m *matchtable.Matcher, a []matchtable.Arg) bool {
	f, i := m.F, a[0].Instr
	d := f.UniqueDef(f.Op(i, 0).Reg())
	if d == 0 || f.Instr(d).Opcode != desc.G_FCONSTANT || f.NumMem(i) != 1 {
		return false
	}
	n := f.TypeOf(f.Op(i, 0).Reg()).Bits()
	c := &f.FPImms[f.Op(d, 1).Index()]
	return (n == 32 && c.Type == ir.Float || n == 64 && c.Type == ir.Double) && f.MemOf(i, 0).Size*8 == int64(n) && f.MemOf(i, 0).Order <= ir.Unordered
}

// storeBits stores the bits of a constant.
func storeBits(m *matchtable.Matcher, a []matchtable.Arg) bool {
	f, i := m.F, a[0].Instr
	b := Builder{&m.B}
	c := f.FPImms[f.Op(f.UniqueDef(f.Op(i, 0).Reg()), 1).Index()]
	t := mir.Scalar(f.TypeOf(f.Op(i, 0).Reg()).Bits())
	mem := *f.MemOf(i, 0)
	mem.Type = t
	b.Store(b.Const(t, int64(c.Lo)), f.Op(i, 1).Reg(), mem)
	return true
}

// extension is how the users of a loaded value extend it.
type extension struct {
	op desc.Opcode // 0 for none
	t  mir.LLT
}

// extensionOf finds the extension that most users of the value that i loads ask
// for, in its widest type that addresses are as wide as.
func extensionOf(f *mir.Function, i mir.InstrID) extension {
	r, most := f.Op(i, 0).Reg(), f.TypeOf(f.Op(i, 1).Reg()).ScalarBits()
	var signed, unsigned int
	var s, u mir.LLT
	n := 0
	for in := range f.NonDebugUses(r) {
		if n++; n > 32 {
			return extension{}
		}
		op := f.Instr(in).Opcode
		if op != desc.G_ZEXT && op != desc.G_SEXT {
			continue
		}
		t := f.TypeOf(f.Op(in, 0).Reg())
		if comparesNarrow(f, in) {
			continue
		}
		if !t.IsScalar() || t.ScalarBits() != 32 && t.ScalarBits() != 64 || t.ScalarBits() > most {
			continue
		}
		if op == desc.G_ZEXT {
			if unsigned++; t.ScalarBits() > u.ScalarBits() {
				u = t
			}
		} else if signed++; t.ScalarBits() > s.ScalarBits() {
			s = t
		}
	}
	switch {
	case signed > unsigned:
		return extension{desc.G_SEXT, s}
	case unsigned > 0:
		return extension{desc.G_ZEXT, u}
	}
	return extension{}
}

// comparesNarrow tells an extension that is only compared with a constant of the narrow
// type: the comparison will be of that (icmp_zext_const, icmp_sext_const), in memory where it can.
func comparesNarrow(f *mir.Function, ext mir.InstrID) bool {
	r, n := f.Op(ext, 0).Reg(), f.TypeOf(f.Op(ext, 1).Reg()).ScalarBits()
	if !f.HasOneUse(r) {
		return false
	}
	for u := range f.NonDebugUses(r) {
		if f.Instr(u).Opcode != desc.G_ICMP || f.Op(u, 2).Reg() != r {
			return false
		}
		c, ok := ConstOf(f, f.Op(u, 3).Reg())
		if f.Instr(ext).Opcode == desc.G_SEXT {
			return ok && signExtend(uint64(c), n) == c
		}
		return ok && uint64(c)&lowMask(f.TypeOf(r).ScalarBits()) <= lowMask(n)
	}
	return false
}

// isExtended tells a plain load of a byte or more whose value is extended by a user.
func isExtended(m *matchtable.Matcher, a []matchtable.Arg) bool {
	f, i := m.F, a[0].Instr
	r := f.Op(i, 0).Reg()
	t := f.TypeOf(r)
	n := t.ScalarBits()
	if !t.IsScalar() || n != 8 && n != 16 && n != 32 || f.NumMem(i) != 1 {
		return false
	}
	mem := f.MemOf(i, 0)
	return mem.Order <= ir.NotAtomic && mem.Size*8 == int64(n) && extensionOf(f, i).op != 0
}

// extendLoad makes a load an extending one; who wants the value as it was gets it truncated.
func extendLoad(m *matchtable.Matcher, a []matchtable.Arg) bool {
	f, i := m.F, a[0].Instr
	b := Builder{&m.B}
	r := f.Op(i, 0).Reg()
	x := extensionOf(f, i)
	op := desc.Opcode(desc.G_ZEXTLOAD)
	if x.op == desc.G_SEXT {
		op = desc.G_SEXTLOAD
	}
	mem := *f.MemOf(i, 0)
	mem.Ranges = 0
	wide := b.New(x.t)
	ld := b.Build(op, Def(wide), Use(f.Op(i, 1).Reg()))
	f.SetMem(ld, f.AddMem(mem))
	b.BuildTo(desc.G_TRUNC, r, wide)
	return true
}

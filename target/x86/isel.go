package x86

import (
	"fmt"
	"sync"

	"github.com/mirin-go/mirin/codegen/globalisel"
	"github.com/mirin-go/mirin/codegen/matchtable"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/facts"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
)

//go:generate go run github.com/mirin-go/mirin/tools/tblgen --gen-global-isel-table --facts X86 -o tab/zz_isel.bin X86.td

// makeSelector binds the selection table once; it is the same for all subtargets.
var makeSelector = sync.OnceValues(func() (target.Selector, error) {
	info, err := facts.X86()
	if err != nil {
		return nil, err
	}
	t, err := matchtable.BindMade(tab.ISel, iselHooks(), info) // see TestTableIsCurrent
	return &globalisel.Selector{Table: t, Fold: selectFolded, Custom: selectCustom, Finish: finish}, err
})

// iselHooks are the functions that X86.td names.
func iselHooks() *matchtable.Hooks {
	h := &matchtable.Hooks{
		Instr: map[string]func(*matchtable.Matcher, mir.InstrID) bool{
			"tableOfDiffs":  func(m *matchtable.Matcher, _ mir.InstrID) bool { return m.F.JumpTableKind == mir.JTLabelDiff32 },
			"tableOfAddrs":  func(m *matchtable.Matcher, _ mir.InstrID) bool { return m.F.JumpTableKind == mir.JTBlockAddress },
			"definesZExt32": definesZExt32,
			"noImmediate":   noImmediate,
			"isAligned":     isAligned,
			"hasOneUser":    func(m *matchtable.Matcher, i mir.InstrID) bool { return m.F.HasOneUse(m.F.Op(i, 0).Reg()) },
			"isDisjoint":    func(m *matchtable.Matcher, i mir.InstrID) bool { return m.F.Instr(i).Flags()&mir.Disjoint != 0 },
			"elseIsZero":    func(m *matchtable.Matcher, i mir.InstrID) bool { return isSplatOf(m, m.F.Op(i, 3).Reg(), 0) },
			"thenIsZero":    func(m *matchtable.Matcher, i mir.InstrID) bool { return isSplatOf(m, m.F.Op(i, 2).Reg(), 0) },
			"secondIsOnes":  func(m *matchtable.Matcher, i mir.InstrID) bool { return isSplatOf(m, m.F.Op(i, 2).Reg(), -1) },
			"comparesZero":  comparesZero,
			"comparesZeroOnce": func(m *matchtable.Matcher, i mir.InstrID) bool {
				return comparesZero(m, i) && m.F.HasOneUse(m.F.Op(i, 0).Reg())
			},
			"joinsBools": func(m *matchtable.Matcher, i mir.InstrID) bool { return isBool(m, m.F.Op(i, 0).Reg(), 8) },
		},
		Const: map[string]func(int64) bool{
			"isBitOver31":      func(v int64) bool { return v&(v-1) == 0 && uint64(v) >= 1<<31 },
			"isClearBitOver31": func(v int64) bool { v = ^v; return v&(v-1) == 0 && uint64(v) >= 1<<31 },
		},
		Complex: map[string]func(*matchtable.Matcher, mir.Reg) bool{
			"selectAddr":     selectAddr,
			"selectLEA":      selectLEA,
			"selectLEA32":    selectLEA32,
			"selectGOT":      selectGOT,
			"selectAbs64":    selectAbs64,
			"selectTPOff":    selectTPOff,
			"selectGOTTPOff": selectGOTTPOff,
			"selectFPConst":  selectFPConst,

			"selectFP80Const32": selectFP80Const(32),
			"selectFP80Const64": selectFP80Const(64),
			"selectFP80Const80": selectFP80Const(80),
		},
		Xforms: map[string]func(*matchtable.Matcher, mir.InstrID, int){
			"fconstAddr":     fconstAddr,
			"signMask":       func(m *matchtable.Matcher, i mir.InstrID, op int) { addMask(m, i, op, true) },
			"numberMask":     func(m *matchtable.Matcher, i mir.InstrID, op int) { addMask(m, i, op, false) },
			"bitNumber":      func(m *matchtable.Matcher, i mir.InstrID, op int) { addBitNumber(m, i, op, false) },
			"clearBitNumber": func(m *matchtable.Matcher, i mir.InstrID, op int) { addBitNumber(m, i, op, true) },
			"newSlot2":       newSlot(2),
			"newSlot4":       newSlot(4),
			"newSlot8":       newSlot(8),
			"theSlot2":       theSlot(2),
			"theSlot4":       theSlot(4),
			"theSlot8":       theSlot(8),
		},
		Features: map[string]func(*target.Subtarget, *mir.Function) bool{
			"hasMasks": func(st *target.Subtarget, _ *mir.Function) bool { return hasMasks(st) },
		},
		ClassOf: classOf,
	}
	// Of intrinsics: argument n is zero, or a mask of ones.
	for n := range 8 {
		h.Instr[fmt.Sprint("zeroArg", n)] = func(m *matchtable.Matcher, i mir.InstrID) bool { return isSplatOf(m, intrinsicArg(m, i, n), 0) }
		h.Instr[fmt.Sprint("onesArg", n)] = func(m *matchtable.Matcher, i mir.InstrID) bool {
			r := intrinsicArg(m, i, n)
			c, ok := m.Const(r)
			return ok && c == -1 || isSplatOf(m, r, -1)
		}
	}
	return h
}

// intrinsicArg is argument n, a register, of an intrinsic.
func intrinsicArg(m *matchtable.Matcher, i mir.InstrID, n int) mir.Reg {
	k := 0
	for m.F.Op(i, k).IsReg() && m.F.Op(i, k).IsDef() {
		k++
	}
	if o := m.F.Op(i, k+1+n); o.IsReg() {
		return o.Reg()
	}
	return 0
}

// classOf gives the register class of values of a type in a bank.
func classOf(_ *target.Subtarget, t mir.LLT, bank int16) desc.ClassID {
	if isBits(t) {
		return maskClass(t.NumElems())
	}
	if t.IsVector() {
		switch t.Bits() {
		case 128, 256, 512:
			return vecClass(t.Bits())
		}
		return desc.NoClass
	}
	n := t.ScalarBits()
	switch desc.BankID(bank) {
	case bankPSR:
		if n == 80 {
			return tab.RFP80RegClassID
		}
		return desc.NoClass
	case bankVECR:
		switch n {
		case 32:
			return tab.FR32RegClassID
		case 64:
			return tab.FR64RegClassID
		case 128:
			return tab.VR128RegClassID
		}
		return desc.NoClass
	}
	switch n {
	case 1, 8:
		return tab.GR8RegClassID
	case 16:
		return tab.GR16RegClassID
	case 32:
		return tab.GR32RegClassID
	case 64:
		return tab.GR64RegClassID
	}
	return desc.NoClass
}

// maskClass is the class of masks of n bits.
func maskClass(n int) desc.ClassID {
	switch n {
	case 2:
		return tab.VK2RegClassID
	case 4:
		return tab.VK4RegClassID
	case 8:
		return tab.VK8RegClassID
	case 16:
		return tab.VK16RegClassID
	case 32:
		return tab.VK32RegClassID
	case 64:
		return tab.VK64RegClassID
	}
	return desc.NoClass
}

// isSplatOf reports a vector whose elements all are n, or undefined, but not all of them.
// A vector of bits may be a cast number.
func isSplatOf(m *matchtable.Matcher, r mir.Reg, n int64) bool {
	f := m.F
	d := m.Def(r)
	if d == 0 {
		return false
	}
	switch f.Instr(d).Opcode {
	case desc.G_BITCAST:
		x := f.Op(d, 1).Reg()
		if c, ok := m.Const(x); ok && isBits(f.TypeOf(r)) {
			return c == n
		}
		return f.TypeOf(x).IsVector() && isSplatOf(m, x, n)
	case desc.G_EXTRACT_SUBVECTOR:
		return isSplatOf(m, f.Op(d, 1).Reg(), n)
	case desc.G_BUILD_VECTOR:
		found := false
		for k := 1; k < f.Instr(d).NumOps(); k++ {
			e := m.Def(f.Op(d, k).Reg())
			if e == 0 {
				return false
			}
			switch f.Instr(e).Opcode {
			case desc.G_IMPLICIT_DEF:
				continue
			case desc.G_CONSTANT:
				if c, ok := m.OperandConst(f.Op(e, 1)); !ok || c != n {
					return false
				}
			case desc.G_FCONSTANT:
				if c, ok := m.OperandFP(f.Op(e, 1)); !ok || c != 0 || n != 0 {
					return false
				}
			default:
				return false
			}
			found = true
		}
		return found
	}
	return false
}

// comparesZero reports a comparison of integers with zero.
func comparesZero(m *matchtable.Matcher, i mir.InstrID) bool {
	return m.F.Instr(i).Opcode == desc.G_ICMP && isSplatOf(m, m.F.Op(i, 3).Reg(), 0)
}

// isAligned reports an access that is aligned to its size.
func isAligned(m *matchtable.Matcher, i mir.InstrID) bool {
	mo := m.F.MemOf(i, 0)
	return int64(1)<<accessAlign(mo) >= mo.Size
}

// addBitNumber adds the number of the only bit that is set (or clear) in a constant.
func addBitNumber(m *matchtable.Matcher, i mir.InstrID, op int, inverted bool) {
	v, _ := m.OperandConst(m.F.Op(i, op))
	if inverted {
		v = ^v
	}
	n := int64(0)
	for uint64(v)>>n > 1 {
		n++
	}
	m.Add(mir.ImmOp(n))
}

// fconstAddr adds the address of a floating-point constant in the constant pool.
func fconstAddr(m *matchtable.Matcher, i mir.InstrID, op int) {
	o, mem := fpConstAddress(m.F, i, op)
	m.AddMem(mem)
	addSymbol(m, o)
}

// addMask adds the address of 16 bytes with the sign bits of an operand's type set,
// or all others.
func addMask(m *matchtable.Matcher, i mir.InstrID, op int, sign bool) {
	f := m.F
	word := uint64(1) << 63
	if f.TypeOf(f.Op(i, op).Reg()).Bits() == 32 {
		word |= 1 << 31
	}
	if !sign {
		word = ^word
	}
	const align = 4
	n := mask128(f, word, align)
	m.AddMem(f.AddMem(mir.MemOperand{Type: mir.Scalar(128), Size: 16, PtrKind: mir.PtrConstantPool,
		Flags: mir.MemLoad | mir.MemDereferenceable | mir.MemInvariant, BaseAlign: align}))
	addSymbol(m, mir.IndexOp(mir.OpCPI, uint32(n), 0, 0))
}

// mask128 is the number in the constant pool of 16 bytes, twice the same word.
// The last entries are looked through: masks come in runs.
func mask128(f *mir.Function, word uint64, align uint8) int {
	pool := f.IRConsts()
	for n := len(f.Consts) - 1; n >= max(0, len(f.Consts)-32); n-- {
		c := f.Consts[n].Value.Const()
		if c == 0 || f.Consts[n].Align != align {
			continue
		}
		if r := pool.At(c); r.Kind == ir.ConstInt && r.Type == ir.Int128 {
			if w := pool.Words(c); len(w) == 2 && w[0] == word && w[1] == word {
				return n
			}
		}
	}
	return f.AddConst(pool.Wide(ir.ConstInt, ir.Int128, []uint64{word, word}), align)
}

// fpConstAddress gives the constant pool entry of a G_FCONSTANT and how it is read.
func fpConstAddress(f *mir.Function, i mir.InstrID, op int) (mir.Operand, mir.MemID) {
	c := f.FPImms[f.Op(i, op).Index()]
	bits := f.TypeOf(f.Op(i, 0).Reg()).Bits()
	n := fpPoolEntry(f, c, bits)
	mem := f.AddMem(mir.MemOperand{Type: mir.Scalar(bits), Size: int64(bits / 8), PtrKind: mir.PtrConstantPool,
		Flags: mir.MemLoad | mir.MemDereferenceable | mir.MemInvariant, BaseAlign: f.Consts[n].Align})
	return mir.IndexOp(mir.OpCPI, uint32(n), 0, 0), mem
}

// selectFPConst matches a floating-point constant, other than zero, that has one
// user in its block: the constant pool is an operand of the user.
func selectFPConst(m *matchtable.Matcher, r mir.Reg) bool {
	f := m.F
	d := f.UniqueDef(r)
	if d == 0 || f.Instr(d).Opcode != desc.G_FCONSTANT || f.Instr(d).Block() != f.Instr(m.Root()).Block() || !f.HasOneUse(r) {
		return false
	}
	if c := f.FPImms[f.Op(d, 1).Index()]; c.Lo == 0 && c.Hi == 0 {
		return false
	}
	o, mem := fpConstAddress(f, d, 1)
	m.RenderMem(mem)
	renderSymbol(m, o)
	return true
}

// isBool reports whether an i8 is 0 or 1: of comparisons joined by AND, OR and XOR.
func isBool(m *matchtable.Matcher, r mir.Reg, depth int) bool {
	d := m.Def(r)
	if d == 0 || depth == 0 {
		return false
	}
	switch f := m.F; f.Instr(d).Opcode {
	case desc.G_ICMP, desc.G_FCMP:
		return true
	case desc.G_FREEZE:
		return isBool(m, f.Op(d, 1).Reg(), depth-1)
	case desc.G_AND, desc.G_OR, desc.G_XOR:
		return isBool(m, f.Op(d, 1).Reg(), depth-1) && isBool(m, f.Op(d, 2).Reg(), depth-1)
	case desc.G_CONSTANT:
		v, ok := m.Const(r)
		return ok && v&^1 == 0
	}
	return false
}

// noImmediate reports whether no operand of an instruction of two operands is a
// constant that an immediate operand holds.
func noImmediate(m *matchtable.Matcher, i mir.InstrID) bool {
	for n := 1; n <= 2; n++ {
		if v, ok := m.OperandConst(m.F.Op(i, n)); ok && v == int64(int32(v)) {
			return false
		}
	}
	return true
}

// definesZExt32 reports whether the 32-bit value that an extension extends is
// made by an instruction that clears the upper half of the register.
func definesZExt32(m *matchtable.Matcher, i mir.InstrID) bool {
	d := m.F.UniqueDef(m.F.Op(i, 1).Reg())
	if d == 0 {
		return false
	}
	switch m.F.Instr(d).Opcode {
	case desc.G_ADD, desc.G_SUB, desc.G_AND, desc.G_OR, desc.G_XOR, desc.G_MUL, desc.G_SHL, desc.G_LSHR, desc.G_ASHR,
		desc.G_ZEXT, desc.G_SEXT, desc.G_LOAD, desc.G_ZEXTLOAD, desc.G_SEXTLOAD, desc.G_CTPOP, desc.G_BSWAP, desc.G_SELECT,
		desc.G_ROTL, desc.G_ROTR, desc.G_FSHL, desc.G_FSHR, desc.G_SEXT_INREG, desc.G_FPTOSI, desc.G_CTLZ, desc.G_CTTZ,
		desc.G_UADDO, desc.G_SADDO, desc.G_USUBO, desc.G_SSUBO, desc.G_SMULO:
		return true
	}
	return false
}

// finish is globalisel.Selector.Finish: encodings that processors want, and branches where
// they have no conditional moves.
func finish(st *target.Subtarget, f *mir.Function) {
	if !st.HasFeature("cmov") {
		withoutCMOV(f)
	}
	encodeVEX(st, f)
}

// withoutCMOV replaces conditional moves by the pseudo instructions that become branches,
// and comparisons on the x87 stack that set the flags, which came with them.
func withoutCMOV(f *mir.Function) {
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		for i := f.Block(b).First(); i != 0; {
			next := f.Instr(i).Next()
			pseudo, cc := desc.Opcode(0), int64(-1)
			switch f.Instr(i).Opcode {
			case tab.CMOV16rr:
				pseudo = tab.CMOV_GR16
			case tab.CMOV32rr:
				pseudo = tab.CMOV_GR32
			case tab.CMOVB_Fp80:
				pseudo, cc = tab.CMOV_RFP80, condB
			case tab.CMOVBE_Fp80:
				pseudo, cc = tab.CMOV_RFP80, condBE
			case tab.CMOVE_Fp80:
				pseudo, cc = tab.CMOV_RFP80, condE
			case tab.CMOVNB_Fp80:
				pseudo, cc = tab.CMOV_RFP80, condAE
			case tab.CMOVNBE_Fp80:
				pseudo, cc = tab.CMOV_RFP80, condA
			case tab.CMOVNE_Fp80:
				pseudo, cc = tab.CMOV_RFP80, condNE
			case tab.CMOVNP_Fp80:
				pseudo, cc = tab.CMOV_RFP80, condNP
			case tab.CMOVP_Fp80:
				pseudo, cc = tab.CMOV_RFP80, condP
			case tab.UCOM_FpIr80:
				m := mir.Builder{F: f, Loc: f.Instr(i).Loc}
				m.SetBefore(i)
				m.BuildInstr(tab.UCOM_Fpr80, *f.Op(i, 0), *f.Op(i, 1))
				m.BuildInstr(tab.FNSTSW16r)
				m.BuildInstr(tab.SAHF)
				f.Erase(i)
			}
			if pseudo != 0 {
				m := mir.Builder{F: f, Loc: f.Instr(i).Loc}
				m.SetBefore(i)
				if cc < 0 {
					cc = f.Op(i, 3).Imm()
				}
				m.BuildInstr(pseudo, mir.RegOp(f.Op(i, 0).Reg(), mir.Def), mir.SubRegOp(f.Op(i, 1).Reg(), f.Op(i, 1).SubReg(), 0), mir.SubRegOp(f.Op(i, 2).Reg(), f.Op(i, 2).SubReg(), 0), mir.ImmOp(cc))
				f.Erase(i)
			}
			i = next
		}
	}
}

// selectTableJump is what the patterns tableOfDiffs and tableOfAddrs are in 32-bit mode.
func selectTableJump(m *matchtable.Matcher, i mir.InstrID) {
	f := m.F
	entry := []mir.Operand{mir.RegOp(f.Op(i, 0).Reg(), 0), mir.ImmOp(4), mir.RegOp(f.Op(i, 2).Reg(), 0), mir.ImmOp(0), mir.RegOp(0, 0)}
	mem := mir.MemOperand{Type: mir.Scalar(32), Size: 4, BaseAlign: 2, PtrKind: mir.PtrJumpTable, Flags: mir.MemLoad}
	if f.JumpTableKind == mir.JTBlockAddress {
		f.Become(i, tab.JMP32m, entry...)
		f.SetMem(i, f.AddMem(mem))
		m.Constrain(i)
		return
	}
	b := mir.Builder{F: f, Loc: f.Instr(i).Loc}
	b.SetBefore(i)
	diff, at := f.AddVReg(int16(tab.GR32RegClassID)), f.AddVReg(int16(tab.GR32RegClassID))
	ld := b.BuildInstr(tab.MOV32rm, append([]mir.Operand{mir.RegOp(diff, mir.Def)}, entry...)...)
	f.SetMem(ld, f.AddMem(mem))
	m.Constrain(ld)
	sum := b.BuildInstr(tab.ADD32rr, mir.RegOp(at, mir.Def), mir.RegOp(diff, 0), entry[0])
	m.Constrain(sum)
	f.Become(i, tab.JMP32r, mir.RegOp(at, 0))
	m.Constrain(i)
}

// fpPoolEntry returns the constant pool entry of a floating-point constant,
// adding it when it is new.
func fpPoolEntry(f *mir.Function, c mir.FPImm, bits int) int {
	align := uint8(2)
	if bits == 64 {
		align = 3
	}
	return f.AddConst(f.IRConsts().FP(c.Type, c.Lo), align)
}

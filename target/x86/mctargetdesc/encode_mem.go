package mctargetdesc

import (
	"math"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// memory writes ModRM, SIB and displacement.
func (x *encoding) memory() {
	r := x.regField() << 3
	m := x.ops[x.mem : x.mem+addrOps]
	base, index, disp := m[0].Reg(), m[2].Reg(), m[3]
	if base == tab.RIP || base == tab.EIP {
		if x.mode != 64 || index != 0 {
			x.fail("an rip-relative address with an index, or outside of 64-bit mode")
			return
		}
		x.b = append(x.b, r|5)
		if disp.IsExpr() {
			relax := relaxOf(x.in.Op)
			if x.long {
				relax = relaxNone // what linkers rewrite has other prefixes
			}
			x.fixup(ripKind(x.ctx, disp.Expr(), relax, x.rex2), disp.Expr(), -4-int32(x.immBytes()))
			return
		}
		x.le(uint64(disp.Imm()), 4)
		return
	}
	if x.is(base, isGR16) || x.is(index, isGR16) || x.mode == 16 && base == 0 && index == 0 {
		x.memory16(r, base, index, disp)
		return
	}
	if index == tab.RSP || index == tab.ESP {
		x.fail("the stack pointer as index")
		return
	}
	noIndex := index == 0 || index == tab.RIZ || index == tab.EIZ
	f := x.ts.form()
	hasSIB := index != 0 || base != 0 && x.base()&7 == 4 || base == 0 && x.mode == 64 || f == formMRMSrcMemFSIB || f == formMRMDestMemFSIB
	if !hasSIB && base == 0 {
		x.b = append(x.b, r|5)
		x.disp32(disp)
		return
	}
	sib := byte(0)
	if hasSIB {
		switch m[1].Imm() {
		case 1:
		case 2:
			sib = 1 << 6
		case 4:
			sib = 2 << 6
		case 8:
			sib = 3 << 6
		default:
			x.fail("a scale that is not 1, 2, 4 or 8")
			return
		}
		if noIndex {
			sib |= 4 << 3
		} else {
			sib |= x.hw(x.mem+2) & 7 << 3
		}
	}
	if base == 0 {
		x.b = append(x.b, r|4, sib|5)
		x.disp32(disp)
		return
	}
	low := x.base() & 7
	put := func(mod byte) {
		if hasSIB {
			x.b = append(x.b, mod|r|4, sib|low)
		} else {
			x.b = append(x.b, mod|r|low)
		}
	}
	if disp.IsExpr() {
		put(0x80)
		x.disp32(disp)
		return
	}
	switch d := disp.Imm(); {
	case d == 0 && low != 5 && x.in.Flags&(FlagDisp8|FlagDisp32) == 0:
		put(0)
	default:
		if c, ok := x.disp8(d); ok && x.in.Flags&FlagDisp32 == 0 {
			put(0x40)
			x.b = append(x.b, c)
			return
		}
		put(0x80)
		x.disp32(disp)
	}
}

// memory16 writes ModRM and displacement of a 16-bit address: (%bx,%si) and its
// seven sisters.
func (x *encoding) memory16(r byte, base, index desc.PhysReg, disp mc.Operand) {
	rm := map[[2]desc.PhysReg]byte{{tab.BX, tab.SI}: 0, {tab.BX, tab.DI}: 1, {tab.BP, tab.SI}: 2, {tab.BP, tab.DI}: 3,
		{tab.SI, 0}: 4, {tab.DI, 0}: 5, {tab.BP, 0}: 6, {tab.BX, 0}: 7, {0, 0}: 8}
	low, ok := rm[[2]desc.PhysReg{base, index}]
	switch {
	case !ok:
		x.fail("a 16-bit address of these registers")
	case low == 8:
		x.b = append(x.b, r|6)
		x.disp16(disp)
	case disp.IsExpr():
		x.b = append(x.b, 0x80|r|low)
		x.disp16(disp)
	case disp.Imm() == 0 && low != 6:
		x.b = append(x.b, r|low)
	default:
		if c, ok := x.disp8(disp.Imm()); ok {
			x.b = append(x.b, 0x40|r|low, c)
			return
		}
		x.b = append(x.b, 0x80|r|low)
		x.disp16(disp)
	}
}

func (x *encoding) disp16(d mc.Operand) {
	if d.IsExpr() {
		x.fixup(mc.DataFixup(2), d.Expr(), 0)
		return
	}
	x.le(uint64(d.Imm()), 2)
}

// disp8 gives the short form of a displacement: EVEX counts it in units of the
// memory operand.
func (x *encoding) disp8(d int64) (byte, bool) {
	if n := x.ts.disp8Log(); n != 0 && x.ts.encoding() == encEVEX {
		unit := int64(1) << (n - 1)
		if d&(unit-1) != 0 {
			return 0, false
		}
		d /= unit
	}
	return byte(d), d == int64(int8(d))
}

// disp32 writes a displacement of 4 bytes.
func (x *encoding) disp32(d mc.Operand) {
	if d.IsExpr() {
		table, diff := fromTable(x.ctx, d.Expr())
		switch {
		case diff:
			x.fixup(FixupGOTDiff4, d.Expr(), 0)
		case table:
			// What is added is the distance to the start of the instruction, where the address is taken.
			x.fixup(FixupGOTDiff4, d.Expr(), int32(len(x.b)-x.from))
		case x.mode == 64:
			x.fixup(FixupSigned4, d.Expr(), 0)
		case x.in.Op == tab.MOV32rm && x.ops[x.mem].Reg() != 0:
			x.fixup(FixupData4Relax, d.Expr(), 0)
		default:
			x.fixup(mc.FixupData4, d.Expr(), 0)
		}
		return
	}
	v := d.Imm()
	if bare := x.ops[x.mem].Reg() == 0 && x.ops[x.mem+2].Reg() == 0; v < math.MinInt32 || v > math.MaxInt32 && (x.mode == 64 && !bare || v > math.MaxUint32) {
		x.fail("a displacement beyond 32 bits")
		return
	}
	x.le(uint64(v), 4)
}

// immBytes is the size of the immediate behind the address.
func (x *encoding) immBytes() uint8 { return immSizes[x.ts.imm()] }

// immediates writes what is left of the operands.
func (x *encoding) immediates() {
	k := x.ts.imm()
	if x.is4 != none {
		v := x.hw(x.is4) << 4
		if x.next < x.last {
			if i := x.ops[x.next].Imm(); i < 0 || i > 15 {
				x.fail("an immediate beyond 4 bits")
			} else {
				v |= byte(i)
			}
			x.next++
		}
		x.b = append(x.b, v)
	}
	f := x.ts.form()
	switch {
	case f == formRawMemOffs:
		x.immediate(k, x.ops[0])
		x.next = 2
	case f == formRawImm8 || f == formRawImm16:
		x.immediate(k, x.ops[0])
		if f == formRawImm8 {
			x.immediate(imm8, x.ops[1])
		} else {
			x.immediate(imm16, x.ops[1])
		}
		x.next = 2
	}
	for ; x.next < x.last; x.next++ {
		o := x.ops[x.next]
		if o.IsReg() && k == immNone {
			continue // a register that the opcode implies
		}
		if k == immNone || o.IsReg() {
			x.fail("it has more operands than places")
			return
		}
		x.immediate(k, o)
	}
}

// immediate writes one immediate.
func (x *encoding) immediate(k immKind, o mc.Operand) {
	n := immSizes[k]
	switch {
	case o.IsExpr():
		e := o.Expr()
		if v, ok := x.ctx.ConstValue(e); ok && !x.ts.isBranch() {
			x.le(uint64(v), n)
			return
		}
		x.fixupImm(k, e)
	case !o.IsImm():
		x.fail("an immediate is expected")
	case x.ts.isBranch():
		x.fixupImm(k, x.ctx.Const(o.Imm()))
	default:
		x.le(uint64(o.Imm()), n)
	}
}

// tableName is the symbol of the global offset table, which has relocations of
// its own.
const tableName = "_GLOBAL_OFFSET_TABLE_"

// isTable reports a reference to the global offset table.
func isTable(ctx *mc.Context, e mc.Expr) bool {
	s, _, _, ok := ctx.SymRef(e)
	return ok && ctx.At(s).Name == tableName
}

// fromTable reports an expression that begins with the global offset table, and whether
// it is the distance of a symbol from it.
func fromTable(ctx *mc.Context, e mc.Expr) (table, diff bool) {
	l, r, ok := ctx.Operands(e)
	if !ok {
		return isTable(ctx, e), false
	}
	if _, _, off, ok := ctx.SymRef(l); !ok || off != 0 || !isTable(ctx, l) {
		return false, false
	}
	_, _, off, sym := ctx.SymRef(r)
	return true, sym && off == 0
}

func (x *encoding) fixupImm(k immKind, e mc.Expr) {
	if table, diff := fromTable(x.ctx, e); table {
		from := int32(0)
		if !diff {
			from = int32(len(x.b) - x.from)
		}
		switch k {
		case imm32, imm32S:
			x.fixup(FixupGOTDiff4, e, from)
			return
		case imm64:
			x.fixup(FixupGOTDiff8, e, from)
			return
		}
	}
	switch k {
	case imm8PCRel:
		x.fixup(mc.FixupPCRel1, e, -1)
	case imm16PCRel:
		x.fixup(mc.FixupPCRel2, e, -2)
	case imm32PCRel:
		x.fixup(FixupBranch4, e, -4)
	case imm32S:
		x.fixup(FixupSigned4, e, 0)
	default:
		x.fixup(mc.DataFixup(int(immSizes[k])), e, 0)
	}
}

// fixup appends zero bytes that an expression fills in.
func (x *encoding) fixup(k mc.FixupKind, e mc.Expr, addend int32) {
	x.fix = append(x.fix, mc.Fixup{Offset: uint32(len(x.b)), Expr: e, Addend: addend, Kind: k})
	x.le(0, fixupInfo(k).Size)
}

// le appends the low n bytes of v.
func (x *encoding) le(v uint64, n uint8) {
	for range n {
		x.b = append(x.b, byte(v))
		v >>= 8
	}
}

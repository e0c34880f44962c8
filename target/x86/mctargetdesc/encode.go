package mctargetdesc

import (
	"fmt"
	"sync/atomic"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// Flags of mc.Inst on x86: prefixes and choices that operands do not show.
const (
	FlagLock mc.InstFlags = 1 << iota
	FlagRep
	FlagRepNE
	FlagNoTrack
	FlagVEX3     // three-byte VEX even where two would do
	FlagAddrSize // address size prefix
	flagAddr16   // the same in 32-bit mode
	FlagREX2     // a REX2 prefix, needed or not
	FlagREX      // a REX prefix, needed or not
	FlagVEX      // {vex} is written before it
	FlagEVEX     // {evex} is
	FlagVEX2     // {vex2} is
	FlagDisp8    // {disp8}: a displacement of 8 bits even where none would do
	FlagDisp32   // {disp32}: one of 32 bits even where less would do
)

// Encoder encodes x86 instructions.
type Encoder struct {
	info         *desc.Info
	bit64, bit32 uint16 // feature bits of the modes
	modes        bool   // the facts name the modes
	regs         []encReg
	plans        []atomic.Uint64 // of type plan, by opcode; 0 not made yet
}

// encReg is what the encoder asks of a register.
type encReg struct {
	hw   uint8 // hardware number, 0 to 31
	bits regBits
}

type regBits uint8

const (
	isGR32 regBits = 1 << iota
	isGR16
	needREX8 // exists only with a REX prefix
	isHigh8  // exists only without one
	notPlain // RIP, EIP, and numbers beyond 15
)

// NewEncoder returns an encoder over the facts of X86.
func NewEncoder(info *desc.Info) *Encoder {
	e := &Encoder{info: info, regs: make([]encReg, len(info.Regs)), plans: make([]atomic.Uint64, info.NumInstrs())}
	for i := range e.regs {
		r := &e.regs[i]
		if r.hw = uint8(info.Regs[i].Encoding & 31); r.hw > 15 || desc.PhysReg(i) == tab.RIP || desc.PhysReg(i) == tab.EIP {
			r.bits |= notPlain
		}
		if info.ClassContains(tab.GR32RegClassID, desc.PhysReg(i)) {
			r.bits |= isGR32
		}
		if info.ClassContains(tab.GR16RegClassID, desc.PhysReg(i)) {
			r.bits |= isGR16
		}
	}
	for _, r := range [...]desc.PhysReg{tab.SPL, tab.BPL, tab.SIL, tab.DIL} {
		e.regs[r].bits |= needREX8
	}
	for _, r := range [...]desc.PhysReg{tab.AH, tab.BH, tab.CH, tab.DH} {
		e.regs[r].bits |= isHigh8
	}
	i64, ok1 := info.FeatureByName("64bit-mode")
	i32, ok2 := info.FeatureByName("32bit-mode")
	if ok1 && ok2 {
		e.bit64, e.bit32, e.modes = info.Features[i64].Bit, info.Features[i32].Bit, true
	}
	return e
}

// mode gives 64, 32 or 16; 64 when nothing says otherwise.
func (e *Encoder) mode(st *mc.Subtarget) int {
	switch {
	case !e.modes || st == nil || st.Has(e.bit64):
		return 64
	case st.Has(e.bit32):
		return 32
	}
	return 16
}

// none marks a place of an encoding without operand.
const none = -1

// addrOps is the number of operands of a memory address: base, scale, index,
// displacement, segment.
const addrOps = 5

// encoding is one instruction in the making: the numbers of the operands that go
// into its places.
type encoding struct {
	e    *Encoder
	ctx  *mc.Context
	in   *mc.Inst
	ops  []mc.Operand
	ts   tsFlags
	mode int
	b    []byte
	from int // where the instruction begins in b
	fix  []mc.Fixup
	err  error

	reg, rm, mem, vvvv, mask, is4 int // operand numbers
	next, last                    int // operands that are left: immediates
	ext                           byte
	cc                            byte
	rc                            byte
	modRM                         bool
	rex2                          bool // REX or VEX.W/R/X/B was needed (for relocations)
	long                          bool // a REX2 prefix: no linker rewrites it yet
	dfv, scc                      byte // default flags and condition of CCMP
}

// Encode appends the instruction to b and its fixups to fx.
func (e *Encoder) Encode(ctx *mc.Context, st *mc.Subtarget, in *mc.Inst, b []byte, fx []mc.Fixup) ([]byte, []mc.Fixup, error) {
	mode := e.mode(st)
	if p := e.planOf(in.Op); p.kind() != planGeneral && mode == 64 && in.Flags == 0 {
		if b, fx, ok := e.regular(p, ctx, in, b, fx); ok {
			return b, fx, nil
		}
	}
	return e.general(ctx, mode, in, b, fx)
}

// general is Encode for instructions of all forms.
func (e *Encoder) general(ctx *mc.Context, mode int, in *mc.Inst, b []byte, fx []mc.Fixup) ([]byte, []mc.Fixup, error) {
	d := e.info.Instr(in.Op)
	x := encoding{e: e, ctx: ctx, in: in, ops: in.Ops, ts: tsFlags(d.TSFlags), mode: mode, b: b, from: len(b), fix: fx}
	x.check(d)
	if x.err == nil {
		x.assign(d)
	}
	if x.err == nil {
		x.emit()
	}
	if x.err != nil {
		return b, fx, x.err
	}
	return x.b, x.fix, nil
}

func (x *encoding) fail(why string) {
	if x.err == nil {
		x.err = fmt.Errorf("x86: encoding of %s is not supported: %s", x.e.info.OpcodeName(x.in.Op), why)
	}
}

// check refuses what the encoder does not know.
func (x *encoding) check(d *desc.InstrDesc) {
	ts := x.ts
	switch {
	case ts.form() == formPseudo:
		x.fail("it is a pseudo instruction")
	case ts.evexU():
		x.fail("EVEX.U")
	case ts.adSize() == size64 && x.mode != 64 && ts.form() != formRaw:
		x.fail("64-bit addresses need 64-bit mode")
	case len(x.ops) < int(d.NumOperands):
		x.fail(fmt.Sprintf("%d operands instead of %d", len(x.ops), d.NumOperands))
	}
}

// bias is the number of leading operands that are repeated further on: results
// that are tied to sources.
func (x *encoding) bias(d *desc.InstrDesc) int {
	n := int(d.NumOperands)
	tied := func(i int) int { return int(x.e.info.OperandInfo(x.in.Op, i).TiedTo) }
	switch {
	case d.NumDefs == 1 && n > 1 && tied(1) == 0:
		return 1
	case d.NumDefs == 1 && n == 8 && tied(6) == 0: // AVX-512 scatter
		return 1
	case d.NumDefs == 2 && n >= 4 && tied(2) == 0 && tied(3) == 1: // XCHG, XADD
		return 2
	case d.NumDefs == 2 && n == 9 && tied(2) == 0 && (tied(3) == 1 || tied(8) == 1): // gathers
		return 2
	}
	return 0
}

// places finds the operand of each place.
func (x *encoding) places(d *desc.InstrDesc) {
	x.reg, x.rm, x.mem, x.vvvv, x.mask, x.is4 = none, none, none, none, none, none
	x.last = int(d.NumOperands)
	at := x.bias(d)
	take := func() int { at++; return at - 1 }
	if x.ts.newDest() {
		x.vvvv = take()
	}
	vvvv := func() {
		if x.ts.vex4V() && !x.ts.newDest() {
			x.vvvv = take()
		}
	}
	takeMem := func() { x.mem = at; at += addrOps }
	kv := func() {
		if x.ts.evexK() {
			x.mask = take()
		}
		vvvv()
	}
	cond := func() { x.last--; x.cc = byte(x.ops[x.last].Imm()) & 15 }
	f := x.ts.form()
	x.modRM = f >= formMRMDestRegCC
	if x.ts.flagsAndCond() {
		x.last -= 2
		x.dfv, x.scc = byte(x.ops[x.last].Imm())&15, byte(x.ops[x.last+1].Imm())&15
	}
	switch {
	case f == formRaw || f == formRawImm8 || f == formRawImm16 || f == formPrefixByte || f == formRawMemOffs:
	case f == formRawSrc:
		at += 2
	case f == formRawDst:
		at++
	case f == formRawDstSrc:
		at += 3
	case f == formAddCC:
		cond()
	case f == formAddReg:
		x.rm = take()
	case f == formMRMDestMem4VCC:
		cond()
		x.reg = take()
		takeMem()
		x.vvvv = take()
	case f == formMRMr0:
		x.reg = take()
	case f == formMRMDestMem || f == formMRMDestMemFSIB || f == formMRMDestMemCC:
		if f == formMRMDestMemCC {
			cond()
		}
		takeMem()
		kv()
		x.reg = take()
	case f == formMRMSrcMem || f == formMRMSrcMemCC || f == formMRMSrcMemFSIB:
		x.reg = take()
		kv()
		takeMem()
		if x.ts.imm() == imm8Reg {
			x.is4 = take()
		}
		if f == formMRMSrcMemCC {
			cond()
		}
	case f == formMRMSrcMem4VOp3:
		x.reg = take()
		takeMem()
		x.vvvv = take()
	case f == formMRMSrcMemOp4:
		x.reg = take()
		x.vvvv = take()
		x.is4 = take()
		takeMem()
	case f == formMRMXm || f == formMRMXmCC || f >= formMRM0m && f <= formMRM7m:
		vvvv()
		if x.ts.evexK() {
			x.mask = take()
		}
		takeMem()
		if f >= formMRM0m {
			x.ext = byte(f - formMRM0m)
		}
		if f == formMRMXmCC {
			cond()
		}
	case f == formMRMDestReg || f == formMRMDestRegCC:
		if f == formMRMDestRegCC {
			cond()
		}
		x.rm = take()
		kv()
		x.reg = take()
	case f == formMRMSrcReg || f == formMRMSrcRegCC:
		x.reg = take()
		kv()
		x.rm = take()
		if x.ts.imm() == imm8Reg {
			x.is4 = take()
		}
		if f == formMRMSrcRegCC {
			cond()
		}
	case f == formMRMSrcReg4VOp3:
		x.reg = take()
		x.rm = take()
		x.vvvv = take()
	case f == formMRMSrcRegOp4:
		x.reg = take()
		x.vvvv = take()
		x.is4 = take()
		x.rm = take()
	case f == formMRMXr || f == formMRMXrCC || f >= formMRM0r && f <= formMRM7r:
		vvvv()
		if x.ts.evexK() {
			x.mask = take()
		}
		x.rm = take()
		if f >= formMRM0r {
			x.ext = byte(f - formMRM0r)
		}
		if f == formMRMXrCC {
			cond()
		}
	case f >= formMRM0X && f <= formMRM7X:
		x.ext = byte(f - formMRM0X)
	case f >= formMRMC0:
	default:
		x.fail(fmt.Sprintf("form %d", f))
		return
	}
	if x.ts.evexRC() {
		x.last--
		x.rc = byte(x.ops[x.last].Imm()) & 3
	}
	if x.next = at; at > x.last {
		x.fail("operands are missing")
	}
}

// assign finds the operand of each place and looks whether it belongs there.
func (x *encoding) assign(d *desc.InstrDesc) {
	if x.places(d); x.err != nil {
		return
	}
	for _, i := range [...]int{x.reg, x.rm, x.vvvv, x.mask, x.is4} {
		if i != none && (!x.ops[i].IsReg() || x.ops[i].Reg() == tab.RIP || x.ops[i].Reg() == tab.EIP) {
			x.fail("a register is expected")
		}
	}
	if x.mem != none {
		x.checkMem()
	}
}

// checkMem looks whether the address has the kinds of operands of an address.
func (x *encoding) checkMem() {
	m := x.ops[x.mem : x.mem+addrOps]
	if !m[0].IsReg() || !m[1].IsImm() || !m[2].IsReg() || !m[3].IsImm() && !m[3].IsExpr() || !m[4].IsReg() {
		x.fail("its address is incomplete")
	}
}

// hw gives the hardware number of operand i, 0 to 31; 0 when there is none.
func (x *encoding) hw(i int) byte {
	if i == none {
		return 0
	}
	return x.e.regs[x.ops[i].Reg()].hw
}

// regField is the content of ModRM.reg.
func (x *encoding) regField() byte {
	if x.reg == none {
		return x.ext
	}
	return x.hw(x.reg) & 7
}

// emit writes the bytes.
func (x *encoding) emit() {
	x.prefixes()
	switch x.ts.encoding() {
	case encLegacy:
		x.legacy()
	case encEVEX:
		x.evex()
	default:
		x.vex()
	}
	if x.err != nil {
		return
	}
	op := x.ts.opcode() + x.cc
	f := x.ts.form()
	switch {
	case f == formAddReg:
		op += x.hw(x.rm) & 7
	case f == formMRMDestMem4VCC:
	}
	if x.ts.opMap() == map3DNow {
		x.operands()
		x.b = append(x.b, op)
		return
	}
	x.b = append(x.b, op)
	x.operands()
}

// operands writes ModRM, SIB, displacement and immediates.
func (x *encoding) operands() {
	f := x.ts.form()
	switch {
	case f == formMRMr0:
		x.b = append(x.b, 0xc0|x.regField()<<3)
	case f >= formMRM0X && f <= formMRM7X:
		x.b = append(x.b, 0xc0|x.ext<<3)
	case f >= formMRMC0:
		x.b = append(x.b, 0xc0+byte(f-formMRMC0))
	case x.mem != none:
		x.memory()
	case x.rm != none && x.modRM:
		x.b = append(x.b, 0xc0|x.regField()<<3|x.hw(x.rm)&7)
	}
	x.immediates()
}

// prefixes writes segment, repeat and address size prefixes.
func (x *encoding) prefixes() {
	f := x.ts.form()
	if x.mem != none {
		x.segment(x.mem+4, 0)
	}
	if x.ts.rep() || x.in.Flags&FlagRep != 0 {
		x.b = append(x.b, 0xf3)
	}
	if x.in.Flags&FlagRepNE != 0 {
		x.b = append(x.b, 0xf2)
	}
	if x.addressSize() || x.in.Flags&(FlagAddrSize|flagAddr16) != 0 {
		x.b = append(x.b, 0x67)
	}
	switch f {
	case formRawDstSrc:
		x.segment(2, tab.DS)
	case formRawSrc:
		x.segment(1, tab.DS)
	case formRawMemOffs:
		x.segment(1, 0)
	}
}

// segment writes the prefix of the segment in operand i; std needs none.
func (x *encoding) segment(i int, std desc.PhysReg) {
	switch r := x.ops[i].Reg(); r {
	case 0, std:
	case tab.CS:
		x.b = append(x.b, 0x2e)
	case tab.SS:
		x.b = append(x.b, 0x36)
	case tab.DS:
		x.b = append(x.b, 0x3e)
	case tab.ES:
		x.b = append(x.b, 0x26)
	case tab.FS:
		x.b = append(x.b, 0x64)
	case tab.GS:
		x.b = append(x.b, 0x65)
	default:
		x.fail("an unknown segment register")
	}
}

// addressSize reports the need of an address size prefix.
func (x *encoding) addressSize() bool {
	if x.mem != none && x.mode == 64 {
		base, index := x.ops[x.mem].Reg(), x.ops[x.mem+2].Reg()
		narrow := x.is(base, isGR32) || x.is(index, isGR32) || base == tab.EIP || index == tab.EIZ
		if a := x.ts.adSize(); (base != 0 || index != 0) && (a == size32 && !narrow || a == size64 && narrow) {
			x.fail("an address of the wrong size")
		}
	}
	if x.mem != none && x.mode != 64 && x.ts.adSize() != 0 {
		x.fail("the size of its address, outside of 64-bit mode")
	}
	switch x.ts.adSize() {
	case size16:
		return x.mode == 32
	case size32:
		return x.mode != 32
	case size64:
		return false
	}
	var r desc.PhysReg
	switch f := x.ts.form(); {
	case x.mem != none:
		base, index := x.ops[x.mem].Reg(), x.ops[x.mem+2].Reg()
		if x.mode == 64 {
			return x.is(base, isGR32) || x.is(index, isGR32) || base == tab.EIP || index == tab.EIZ
		}
		if x.is(base, isGR16) || x.is(index, isGR16) {
			return x.mode == 32
		}
		return x.mode == 16 && (base != 0 || index != 0)
	case f == formRawSrc || f == formRawDst || f == formRawDstSrc:
		r = x.ops[0].Reg()
		if f == formRawDstSrc {
			r = x.ops[1].Reg()
		}
	}
	switch r {
	case tab.SI, tab.DI:
		return x.mode != 16
	case tab.ESI, tab.EDI:
		return x.mode != 32
	}
	return false
}

func (x *encoding) is(r desc.PhysReg, b regBits) bool { return x.e.regs[r].bits&b != 0 }

// extension collects bit 3 of the registers in the order of a REX prefix, WRXB.
func (x *encoding) extension() (rxb byte) {
	rxb = x.hw(x.reg) >> 3 & 1 << 2
	if x.mem == none {
		return rxb | x.hw(x.rm)>>3&1
	}
	return rxb | x.hw(x.mem+2)>>3&1<<1 | x.base()>>3&1
}

// base gives the hardware number of the base register; RIP counts as none.
func (x *encoding) base() byte {
	if r := x.ops[x.mem].Reg(); r == tab.RIP || r == tab.EIP {
		return 0
	}
	return x.hw(x.mem)
}

// mandatory are the bytes of tsFlags.prefix.
var mandatory = [4]byte{0, 0x66, 0xf3, 0xf2}

// legacy writes the remaining prefixes and the escape bytes of the map.
func (x *encoding) legacy() {
	want := uint(size16)
	if x.mode == 16 {
		want = size32
	}
	if x.ts.opSize() == want {
		x.b = append(x.b, 0x66)
	}
	if x.ts.lock() || x.in.Flags&FlagLock != 0 {
		x.b = append(x.b, 0xf0)
	}
	if x.ts.noTrack() || x.in.Flags&FlagNoTrack != 0 {
		x.b = append(x.b, 0x3e)
	}
	if p := mandatory[x.ts.prefix()]; p != 0 {
		x.b = append(x.b, p)
	}
	rex := x.extension()
	if x.ts.rexW() {
		rex |= 8
	}
	some := regBits(0)
	for i := range x.ops[:x.last] {
		o := &x.ops[i]
		if !o.IsReg() {
			continue
		}
		r := x.e.regs[o.Reg()]
		some |= r.bits
		if r.hw&16 != 0 && x.general(i) {
			x.long = true
		}
	}
	if x.long = x.long || x.ts.explicit() == explicitREX2 || x.in.Flags&FlagREX2 != 0; x.long {
		x.longREX(rex, some)
		return
	}
	if rex != 0 || some&needREX8 != 0 || x.in.Flags&FlagREX != 0 {
		if some&isHigh8 != 0 {
			x.fail("a high-byte register beside one that needs a REX prefix")
			return
		}
		if x.mode != 64 {
			x.fail("it needs 64-bit mode")
			return
		}
		x.b = append(x.b, 0x40|rex)
		x.rex2 = true
	}
	switch x.ts.opMap() {
	case mapOneByte:
	case map0F:
		x.b = append(x.b, 0x0f)
	case map0F38:
		x.b = append(x.b, 0x0f, 0x38)
	case map0F3A:
		x.b = append(x.b, 0x0f, 0x3a)
	case map3DNow:
		x.b = append(x.b, 0x0f, 0x0f)
	default:
		x.fail(fmt.Sprintf("opcode map %d", x.ts.opMap()))
	}
}

// longREX writes a REX2 prefix, which stands for REX and the escape byte of map 0F:
//
//	D5 [M R4 X4 B4 W R3 X3 B3]
func (x *encoding) longREX(rex byte, some regBits) {
	switch {
	case x.mode != 64:
		x.fail("it needs 64-bit mode")
	case some&isHigh8 != 0:
		x.fail("a high-byte register beside one that needs a REX prefix")
	case x.ts.opMap() > map0F:
		x.fail("registers beyond 15 in this opcode map")
	}
	high := x.hw(x.reg) >> 4 & 1 << 2
	if x.mem == none {
		high |= x.hw(x.rm) >> 4 & 1
	} else {
		high |= x.hw(x.mem+2)>>4&1<<1 | x.base()>>4&1
	}
	x.b = append(x.b, 0xd5, byte(x.ts.opMap())<<7|high<<4|rex)
}

// general reports whether operand i is in a place of the encoding.
func (x *encoding) general(i int) bool {
	return i == x.reg || i == x.rm || x.mem != none && (i == x.mem || i == x.mem+2)
}

// vex writes a VEX or XOP prefix.
//
//	2 bytes: C5 [R̄ v̄v̄v̄v̄ L pp]
//	3 bytes: C4 [R̄ X̄ B̄ mmmmm] [W v̄v̄v̄v̄ L pp]; XOP has 8F instead of C4
func (x *encoding) vex() {
	for _, i := range [...]int{x.reg, x.rm, x.vvvv, x.is4} {
		if x.hw(i) > 15 {
			x.fail("a register beyond 15 without EVEX")
			return
		}
	}
	rxb := x.extension()
	if x.mode != 64 && rxb != 0 {
		x.fail("it needs 64-bit mode")
	}
	m := vexMap[x.ts.opMap()]
	last := ^x.hw(x.vvvv)&15<<3 | x.ts.vexL()<<2 | x.ts.prefix()
	if x.ts.encoding() == encVEX && m == 1 && !x.ts.rexW() && rxb&3 == 0 && x.in.Flags&FlagVEX3 == 0 {
		x.b = append(x.b, 0xc5, ^rxb>>2&1<<7|last)
		return
	}
	if x.ts.rexW() {
		last |= 0x80
	}
	first := byte(0xc4)
	if x.ts.encoding() == encXOP {
		first = 0x8f
	}
	x.b = append(x.b, first, ^rxb&7<<5|m, last)
}

// evex writes an EVEX prefix.
//
//	62 [R̄ X̄ B̄ R̄' B4 mmm] [W v̄v̄v̄v̄ X̄4 pp] [z L'L b V̄' aaa]
//
// X is bit 4 of a vector register in ModRM.rm; V' is bit 4 of vvvv or of a vector
// index; B4 and X4 are bits 4 of general registers (APX), whose instructions have ND
// in place of b, NF in that of the middle a, or default flags in vvvv and a condition
// in V'aaa.
func (x *encoding) evex() {
	rxb := x.extension()
	v4 := x.hw(x.vvvv) >> 4 & 1
	var b4, x4 byte
	for _, i := range [...]int{x.reg, x.rm, x.vvvv} {
		if i != none && x.is(x.ops[i].Reg(), isHigh8) {
			x.fail("a high-byte register beside EVEX")
		}
	}
	if x.mem != none {
		b4 = x.base() >> 4 & 1
		if i := x.hw(x.mem+2) >> 4 & 1; x.e.info.ClassContains(tab.GR64RegClassID, x.ops[x.mem+2].Reg()) || x.e.info.ClassContains(tab.GR32RegClassID, x.ops[x.mem+2].Reg()) {
			x4 = i
		} else if x.vvvv == none {
			v4 = i
		} else if i != 0 {
			x.fail("a vector index beyond 15 beside vvvv")
		}
	} else if x.rm != none {
		if r := x.ops[x.rm].Reg(); x.isGeneral(r) {
			b4 = x.hw(x.rm) >> 4 & 1
		} else {
			rxb |= x.hw(x.rm) >> 4 & 1 << 1
		}
	}
	w := byte(0)
	if x.ts.rexW() {
		w = 0x80
	}
	ll := x.ts.evexL2()<<1 | x.ts.vexL()
	if x.mem == none && x.ts.evexB() != 0 {
		ll = x.rc // static rounding, or none (0) where exceptions are suppressed only
	}
	vvvv, low := ^x.hw(x.vvvv)&15, ^v4&1<<3|x.hw(x.mask)&7
	if x.ts.evexNF() {
		low |= 4
	}
	if x.ts.flagsAndCond() {
		vvvv, low = x.dfv, x.scc
	}
	x.b = append(x.b, 0x62,
		^rxb&7<<5|^(x.hw(x.reg)>>4)&1<<4|b4<<3|vexMap[x.ts.opMap()],
		w|vvvv<<3|(x4^1)<<2|x.ts.prefix(),
		x.ts.evexZ()<<7|ll<<5|x.ts.evexB()<<4|low)
}

// isGeneral reports a general register of any size.
func (x *encoding) isGeneral(r desc.PhysReg) bool {
	for _, c := range [...]desc.ClassID{tab.GR64RegClassID, tab.GR32RegClassID, tab.GR16RegClassID, tab.GR8RegClassID} {
		if x.e.info.ClassContains(c, r) {
			return true
		}
	}
	return false
}

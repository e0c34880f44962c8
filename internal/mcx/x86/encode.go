// Package mct is x86's part of the machine code layer: the encoder, driven by
// the TSFlags of the facts, and the assembly printer, driven by their templates.
package mct

import (
	"encoding/binary"
	"fmt"

	"github.com/mirin-go/mirin/desc"
	mc "github.com/mirin-go/mirin/internal/mcx"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// The fields of TSFlags (LLVM 22's X86 encoding description, found by decoding
// known instructions).
const (
	formMask   = 0x7f
	opSize16   = 1 // of tsOpSize
	opcodeBits = 31
)

func tsOpSize(ts uint64) uint64   { return ts >> 7 & 3 }
func tsAdSize(ts uint64) uint64   { return ts >> 9 & 3 }
func tsPrefix(ts uint64) uint64   { return ts >> 11 & 3 }
func tsMap(ts uint64) uint64      { return ts >> 13 & 15 }
func tsREXW(ts uint64) bool       { return ts>>17&1 != 0 }
func tsImm(ts uint64) uint64      { return ts >> 18 & 15 }
func tsLock(ts uint64) bool       { return ts>>25&1 != 0 }
func tsRep(ts uint64) bool        { return ts>>26&1 != 0 }
func tsEncoding(ts uint64) uint64 { return ts >> 29 & 3 }
func tsOpcode(ts uint64) byte     { return byte(ts >> opcodeBits) }

// Forms: how operands go into the bytes.
const (
	formPseudo      = 0
	formRaw         = 1
	formAddReg      = 2
	formRawMemOffs  = 3
	formRawSrc      = 4
	formRawDst      = 5
	formRawDstSrc   = 6
	formRawImm8     = 7
	formRawImm16    = 8
	formAddCC       = 9
	formMRMDestMem  = 24
	formMRMSrcMem   = 25
	formMRMSrcMemCC = 28
	formMRMXmCC     = 30
	formMRMXm       = 31
	formMRM0m       = 32
	formMRM7m       = 39
	formMRMDestReg  = 40
	formMRMSrcReg   = 41
	formMRMSrcRegCC = 44
	formMRMXrCC     = 46
	formMRMXr       = 47
	formMRM0r       = 48
	formMRM7r       = 55
	formMRM0X       = 56
	formMRM7X       = 63
	formMRMC0       = 64
)

// Kinds of immediates in TSFlags.
const (
	imm8 = iota + 1
	imm8PCRel
	imm8Reg
	imm16
	imm16PCRel
	imm32
	imm32PCRel
	imm32S
	imm64
)

// Encoder encodes x86-64 instructions. It has no state and may be shared.
type Encoder struct{ Facts *desc.Info }

// encoding is one instruction in the making.
type encoding struct {
	e    *Encoder
	in   *mc.Inst
	ts   uint64
	b    []byte
	fix  []mc.Fixup
	base int
	rex  byte
	// needREX: a low-byte register (SPL, BPL, SIL, DIL) that exists only with a
	// REX prefix; noREX: a high-byte register that exists only without.
	needREX, noREX bool
	nimm           int // bytes of immediate behind the displacement, for rip-relative fixups
}

func (e *Encoder) fail(in *mc.Inst, why string) error {
	return fmt.Errorf("x86-64: encoding of %s is not supported: %s", e.Facts.OpcodeName(in.Op), why)
}

// hw gives the hardware number of a register, 0 to 15.
func (x *encoding) hw(r desc.PhysReg) byte { return byte(x.e.Facts.Regs[r].Encoding & 15) }

// note remembers what a byte register asks of the REX prefix.
func (x *encoding) note(r desc.PhysReg) {
	switch r {
	case tab.SPL, tab.BPL, tab.SIL, tab.DIL:
		x.needREX = true
	case tab.AH, tab.BH, tab.CH, tab.DH:
		x.noREX = true
	}
}

// Encode appends one instruction; fixup offsets count from the start of b.
func (e *Encoder) Encode(b []byte, fixups []mc.Fixup, in *mc.Inst) ([]byte, []mc.Fixup, error) {
	d := &e.Facts.Instrs[in.Op]
	x := encoding{e: e, in: in, ts: d.TSFlags, b: b, fix: fixups, base: len(b)}
	if tsEncoding(x.ts) != 0 {
		return b, fixups, e.fail(in, "VEX and EVEX")
	}
	for k := range in.N {
		if r := in.Ops[k].Reg; in.Ops[k].Kind == mc.OpReg && r != 0 && e.Facts.Regs[r].Encoding&31 > 15 {
			return b, fixups, e.fail(in, "register "+e.Facts.RegName(r))
		}
	}
	form := x.ts & formMask
	if in.Op == tab.JMPABS64i {
		return b, fixups, e.fail(in, "the REX2 prefix")
	}
	if form == formPseudo {
		return b, fixups, e.fail(in, "a pseudo instruction")
	}
	if m := tsMap(x.ts); m > 3 {
		return b, fixups, e.fail(in, "opcode map")
	}
	if err := x.emit(form, d); err != nil {
		return b, fixups, err
	}
	return x.b, x.fix, nil
}

// operandsOf skips the operands that are tied to an earlier one: they are in
// the machine instruction but not in the bytes.
func (x *encoding) emit(form uint64, d *desc.InstrDesc) error {
	in := x.in
	ops := in.Ops[:in.N]
	at := 0
	// A two-address instruction names its destination twice. XADD and XCHG name
	// two results, each tied.
	tied := func(i int) bool {
		return i < int(d.NumOperands) && x.e.Facts.OperandInfo(in.Op, i).TiedTo >= 0
	}
	reg := func(i int) desc.PhysReg { x.note(ops[i].Reg); return ops[i].Reg }
	var rmReg, regField desc.PhysReg
	var ext byte // /digit
	mem := -1
	cc := byte(0)
	addReg := desc.PhysReg(0)
	last := in.N
	switch {
	case form == formRaw || form == formRawSrc || form == formRawDst || form == formRawDstSrc:
		if form != formRaw {
			at = in.N // the registers are implied
		}
	case form == formRawMemOffs:
		return x.memOffs()
	case form == formAddReg:
		addReg = reg(0)
		at = 1
		if tied(1) {
			at = 2
		}
	case form == formAddCC:
		cc = byte(ops[last-1].Imm)
		last--
	case form == formMRMDestReg:
		rmReg = reg(0)
		at = 1
		for tied(at) {
			at++
		}
		regField = reg(at)
		at++
	case form == formMRMDestMem:
		// LCMPXCHG and friends start with the address; stores too.
		mem = 0
		regField = reg(5)
		at = 6
	case form == formMRMSrcReg || form == formMRMSrcRegCC:
		regField = reg(0)
		at = 1
		for tied(at) {
			at++
		}
		rmReg = reg(at)
		at++
		if form == formMRMSrcRegCC {
			cc = byte(ops[last-1].Imm)
			last--
		}
	case form == formMRMSrcMem || form == formMRMSrcMemCC:
		regField = reg(0)
		at = 1
		for tied(at) {
			at++
		}
		mem = at
		at += 5
		if form == formMRMSrcMemCC {
			cc = byte(ops[last-1].Imm)
			last--
		}
	case form == formMRMXmCC:
		mem, at = 0, 5
		cc = byte(ops[last-1].Imm)
		last--
	case form == formMRMXrCC:
		rmReg = reg(0)
		at = 1
		cc = byte(ops[last-1].Imm)
		last--
	case form == formMRMXm || form >= formMRM0m && form <= formMRM7m:
		if form != formMRMXm {
			ext = byte(form - formMRM0m)
		}
		for tied(at) {
			at++
		}
		mem = at
		at += 5
	case form == formMRMXr || form >= formMRM0r && form <= formMRM7r:
		if form != formMRMXr {
			ext = byte(form - formMRM0r)
		}
		rmReg = reg(0)
		at = 1
		for tied(at) {
			at++
		}
	case form >= formMRM0X && form <= formMRM7X:
		ext = byte(form - formMRM0X)
		at = 0
	case form >= formMRMC0:
	default:
		return x.e.fail(in, fmt.Sprintf("form %d", form))
	}
	// XCHG and XADD with memory tie the register behind the address.
	for at < last && tied(at) {
		at++
	}
	x.nimm = immSize(tsImm(x.ts))
	if err := x.prefixes(mem); err != nil {
		return err
	}
	// REX and opcode.
	x.rex = 0
	if tsREXW(x.ts) {
		x.rex |= 8
	}
	if regField != 0 && x.hw(regField) >= 8 {
		x.rex |= 4
	}
	if rmReg != 0 && x.hw(rmReg) >= 8 || addReg != 0 && x.hw(addReg) >= 8 {
		x.rex |= 1
	}
	if mem >= 0 {
		if b := ops[mem].Reg; ops[mem].Kind == mc.OpReg && b != 0 && b != tab.RIP && x.hw(b) >= 8 {
			x.rex |= 1
		}
		if i := ops[mem+2].Reg; i != 0 && x.hw(i) >= 8 {
			x.rex |= 2
		}
	}
	if x.rex != 0 || x.needREX {
		if x.noREX {
			return x.e.fail(in, "a high-byte register beside one that needs a REX prefix")
		}
		x.b = append(x.b, 0x40|x.rex)
	}
	switch tsMap(x.ts) {
	case 1:
		x.b = append(x.b, 0x0f)
	case 2:
		x.b = append(x.b, 0x0f, 0x38)
	case 3:
		x.b = append(x.b, 0x0f, 0x3a)
	}
	op := tsOpcode(x.ts) + cc
	if addReg != 0 {
		op += x.hw(addReg) & 7
	}
	x.b = append(x.b, op)
	// ModRM.
	switch {
	case mem >= 0:
		r := ext
		if regField != 0 {
			r = x.hw(regField) & 7
		}
		if err := x.memory(mem, r); err != nil {
			return err
		}
	case rmReg != 0:
		r := ext
		if regField != 0 {
			r = x.hw(regField) & 7
		}
		x.b = append(x.b, 0xc0|r<<3|x.hw(rmReg)&7)
	case form >= formMRM0X && form <= formMRM7X:
		x.b = append(x.b, 0xc0|ext<<3)
	case form >= formMRMC0:
		x.b = append(x.b, byte(0xc0+form-formMRMC0))
	}
	return x.immediates(form, at, last)
}

// prefixes emits segment, lock, repeat, size and mandatory prefixes.
func (x *encoding) prefixes(mem int) error {
	ops := x.in.Ops[:x.in.N]
	if x.in.Lock || tsLock(x.ts) {
		x.b = append(x.b, 0xf0)
	}
	if tsRep(x.ts) {
		x.b = append(x.b, 0xf3)
	}
	if mem >= 0 {
		if s := ops[mem+4].Reg; s != 0 {
			p, ok := segmentPrefix(s)
			if !ok {
				return x.e.fail(x.in, "segment register")
			}
			x.b = append(x.b, p)
		}
		if b := ops[mem]; b.Kind == mc.OpReg && b.Reg != 0 && x.e.Facts.ClassContains(tab.GR32RegClassID, b.Reg) {
			x.b = append(x.b, 0x67)
		}
	}
	if tsAdSize(x.ts) == 2 {
		x.b = append(x.b, 0x67)
	}
	if tsOpSize(x.ts) == opSize16 {
		x.b = append(x.b, 0x66)
	}
	switch tsPrefix(x.ts) {
	case 1:
		x.b = append(x.b, 0x66)
	case 2:
		x.b = append(x.b, 0xf3)
	case 3:
		x.b = append(x.b, 0xf2)
	}
	return nil
}

func segmentPrefix(r desc.PhysReg) (byte, bool) {
	switch r {
	case tab.CS:
		return 0x2e, true
	case tab.SS:
		return 0x36, true
	case tab.DS:
		return 0x3e, true
	case tab.ES:
		return 0x26, true
	case tab.FS:
		return 0x64, true
	case tab.GS:
		return 0x65, true
	}
	return 0, false
}

func immSize(k uint64) int {
	switch k {
	case imm8, imm8PCRel, imm8Reg:
		return 1
	case imm16, imm16PCRel:
		return 2
	case imm32, imm32PCRel, imm32S:
		return 4
	case imm64:
		return 8
	}
	return 0
}

// memory emits ModRM, SIB and displacement of the address at operand m.
func (x *encoding) memory(m int, r byte) error {
	ops := x.in.Ops[:x.in.N]
	base, scale, index, disp := ops[m].Reg, ops[m+1].Imm, ops[m+2].Reg, &ops[m+3]
	if ops[m].Kind != mc.OpReg {
		return x.e.fail(x.in, "an address without a register base")
	}
	if base == tab.RIP {
		x.b = append(x.b, r<<3|5)
		if disp.Kind == mc.OpExpr {
			e := disp.Expr
			e.Off -= int64(4 + x.nimm)
			x.fixup(x.ripKind(), e)
			return nil
		}
		x.b = binary.LittleEndian.AppendUint32(x.b, uint32(int32(disp.Imm)))
		return nil
	}
	sib, hasSIB := byte(0), false
	if index != 0 || base == 0 || x.hw(base)&7 == 4 {
		hasSIB = true
		ss := map[int64]byte{1: 0, 2: 0x40, 4: 0x80, 8: 0xc0}[scale]
		i := byte(4)
		if index != 0 {
			i = x.hw(index) & 7
			if index == tab.RSP || index == tab.ESP {
				return x.e.fail(x.in, "the stack pointer as index")
			}
		}
		sib = ss | i<<3
	}
	if base == 0 {
		x.b = append(x.b, r<<3|4, sib|5)
		return x.disp32(disp)
	}
	bl := x.hw(base) & 7
	rm := bl
	if hasSIB {
		rm = 4
		sib |= bl
	}
	put := func(mod byte) {
		x.b = append(x.b, mod|r<<3|rm)
		if hasSIB {
			x.b = append(x.b, sib)
		}
	}
	switch {
	case disp.Kind == mc.OpExpr:
		put(0x80)
		return x.disp32(disp)
	case disp.Imm == 0 && bl != 5:
		put(0)
	case disp.Imm == int64(int8(disp.Imm)):
		put(0x40)
		x.b = append(x.b, byte(disp.Imm))
	default:
		put(0x80)
		return x.disp32(disp)
	}
	return nil
}

// ripKind chooses the fixup of a rip-relative operand: loads of address table
// entries say so, so that a linker may replace them.
func (x *encoding) ripKind() mc.FixupKind {
	switch x.in.Op {
	case tab.MOV64rm, tab.ADD64rm, tab.SUB64rm, tab.CMP64rm, tab.TEST64mr, tab.AND64rm, tab.OR64rm, tab.XOR64rm, tab.ADC64rm, tab.SBB64rm:
		return mc.FixRIPLoadREX
	case tab.MOV32rm, tab.CALL64m, tab.JMP64m, tab.TAILJMPm64, tab.CMP32rm:
		if x.rex != 0 {
			return mc.FixRIPLoadREX
		}
		return mc.FixRIPLoad
	}
	return mc.FixPC32
}

func (x *encoding) disp32(d *mc.Operand) error {
	if d.Kind == mc.OpExpr {
		x.fixup(mc.FixAbs32S, d.Expr)
		return nil
	}
	if d.Imm != int64(int32(d.Imm)) {
		return x.e.fail(x.in, "a displacement beyond 32 bits")
	}
	x.b = binary.LittleEndian.AppendUint32(x.b, uint32(int32(d.Imm)))
	return nil
}

func (x *encoding) fixup(k mc.FixupKind, e mc.Expr) {
	x.fix = append(x.fix, mc.Fixup{Off: int64(len(x.b)), Kind: k, Expr: e})
	for range k.Size() {
		x.b = append(x.b, 0)
	}
}

// immediates emits what is left of the operands.
func (x *encoding) immediates(form uint64, at, last int) error {
	k := tsImm(x.ts)
	n := 0
	for ; at < last; at++ {
		o := &x.in.Ops[at]
		if o.Kind == mc.OpReg {
			// Registers that the bytes do not name: implied ones.
			continue
		}
		if n > 0 || k == 0 {
			return x.e.fail(x.in, "more operands than the encoding has places for")
		}
		n++
		if err := x.immediate(k, o); err != nil {
			return err
		}
	}
	if k != 0 && n == 0 {
		return x.e.fail(x.in, "the immediate is missing")
	}
	return nil
}

func (x *encoding) immediate(k uint64, o *mc.Operand) error {
	size := immSize(k)
	if o.Kind == mc.OpExpr {
		kind := map[uint64]mc.FixupKind{imm8: mc.FixAbs8, imm16: mc.FixAbs16, imm32: mc.FixAbs32, imm32S: mc.FixAbs32S,
			imm64: mc.FixAbs64, imm8PCRel: mc.FixPC8, imm32PCRel: mc.FixPLT32}[k]
		e := o.Expr
		if kind.IsPC() {
			e.Off -= int64(size)
		}
		x.fixup(kind, e)
		return nil
	}
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], uint64(o.Imm))
	x.b = append(x.b, b[:size]...)
	return nil
}

// memOffs encodes the moves between the accumulator and an absolute address.
func (x *encoding) memOffs() error {
	return x.e.fail(x.in, "absolute memory offsets")
}

// Jump recognises jumps to labels, which may be short.
func (e *Encoder) Jump(in *mc.Inst) (mc.Expr, []byte, bool) {
	if in.N == 0 || in.Ops[0].Kind != mc.OpExpr {
		return mc.Expr{}, nil, false
	}
	switch in.Op {
	case tab.JMP_1:
		return in.Ops[0].Expr, []byte{0xe9}, true
	case tab.JCC_1:
		return in.Ops[0].Expr, []byte{0x0f, 0x80 + byte(in.Ops[1].Imm)}, true
	}
	return mc.Expr{}, nil, false
}

// nops are the recommended multi-byte no-operations (Intel SDM volume 2, NOP).
var nops = [...]string{
	"", "\x90", "\x66\x90", "\x0f\x1f\x00", "\x0f\x1f\x40\x00", "\x0f\x1f\x44\x00\x00", "\x66\x0f\x1f\x44\x00\x00",
	"\x0f\x1f\x80\x00\x00\x00\x00", "\x0f\x1f\x84\x00\x00\x00\x00\x00", "\x66\x0f\x1f\x84\x00\x00\x00\x00\x00",
	"\x66\x2e\x0f\x1f\x84\x00\x00\x00\x00\x00",
}

// Nops appends n bytes of no-operations, as few instructions as possible.
func (e *Encoder) Nops(b []byte, n int) []byte {
	for n > 0 {
		// Up to 15 bytes make one instruction with more prefixes.
		k := min(n, 15)
		body := min(k, 10)
		for range k - body {
			b = append(b, 0x66)
		}
		b = append(b, nops[body]...)
		n -= k
	}
	return b
}

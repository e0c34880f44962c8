package mctargetdesc

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/facts"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/mctarget"
	"github.com/mirin-go/mirin/mc/table"
)

// The decoder's table has a namespace for each set of encodings of the manual (Arm ARM, F2 to
// F4, and C2 of the v8-M manual). Which are looked at, and in which order, depends on the state.
var (
	armSpaces = [...]string{"ARM32", "VFP32", "VFPV832", "NEONData32", "NEONLoadStore32", "NEONDup32", "v8NEON32", "v8Crypto32", "CoProc32"}
	// thumbOwn are those of Thumb alone.
	thumbOwn = [...]string{"MVE32", "Thumb32", "Thumb232"}
)

// disassembler reads ARM and Thumb. In Thumb it knows the block of conditions (IT) or of
// vector predicates (VPT) that is open, so each text is read by one of its own.
type disassembler struct {
	*shared
	// it has the conditions of what follows in the block, the next one last; vpt the predicates.
	it, vpt []uint8
}

// shared is what all texts have in common.
type shared struct {
	t    *mctarget.Target
	dec  *table.Decoder
	cpsr desc.PhysReg
	p0   desc.PhysReg
	vpr  desc.PhysReg
	// clears are the opcodes of VSCCLRM.
	clears [2]desc.Opcode
	// always are opcodes with a condition of their own, last those that end a block.
	always, last map[desc.Opcode]bool
	itOp         desc.Opcode
	vpt          map[desc.Opcode]bool // those that open a block
	status       map[desc.Opcode]bool // moves of status registers of the floating-point unit
	sp           desc.PhysReg
	thumb, big   uint16
	d32          uint16
	// v7, v8m, secure, auth and dsp are what special registers of M depend on.
	v7, v8, v8m, secure, auth, dsp uint16
	gpr                            desc.ClassID
	write                          desc.Opcode
	cdeOf                          [8]uint16
	single, double                 [32]desc.PhysReg
}

// newDisassembler makes the disassembler.
func newDisassembler(t *mctarget.Target) (mc.Disassembler, error) {
	tab, err := facts.Decoder(t.Info.Target)
	if err != nil {
		return nil, err
	}
	s := &shared{t: t, always: map[desc.Opcode]bool{}, last: map[desc.Opcode]bool{}, vpt: map[desc.Opcode]bool{}}
	if s.dec, err = table.NewDecoder(tab, t.Info, map[string]table.DecodeFunc{"vfpList": s.vfpList, "mSystem": s.mSystem, "sameTwice": s.sameTwice}); err != nil {
		return nil, err
	}
	op := func(name string) desc.Opcode {
		o, _ := t.Info.OpcodeByName(name)
		return o
	}
	for _, n := range [...]string{"tBcc", "t2Bcc", "tCBZ", "tCBNZ", "tCPS", "t2CPS3p", "t2CPS2p", "t2CPS1p", "t2CSEL", "t2CSINC", "t2CSINV", "t2CSNEG", "tMOVSr", "tSETEND"} {
		s.always[op(n)] = true
	}
	for _, n := range [...]string{"tB", "t2B", "t2TBB", "t2TBH"} {
		s.last[op(n)] = true
	}
	s.itOp = op("t2IT")
	s.status = map[desc.Opcode]bool{}
	for o := range t.Info.NumInstrs() {
		if n := t.Info.OpcodeName(desc.Opcode(o)); strings.HasPrefix(n, "VMSR") || strings.HasPrefix(n, "VMRS") {
			s.status[desc.Opcode(o)] = true
		}
	}
	for _, n := range [...]string{"MVE_VPST", "MVE_VPTv16i8", "MVE_VPTv8i16", "MVE_VPTv4i32", "MVE_VPTv16u8", "MVE_VPTv8u16", "MVE_VPTv4u32", "MVE_VPTv16s8", "MVE_VPTv8s16", "MVE_VPTv4s32",
		"MVE_VPTv4f32", "MVE_VPTv8f16", "MVE_VPTv16i8r", "MVE_VPTv8i16r", "MVE_VPTv4i32r", "MVE_VPTv16u8r", "MVE_VPTv8u16r", "MVE_VPTv4u32r", "MVE_VPTv16s8r", "MVE_VPTv8s16r", "MVE_VPTv4s32r", "MVE_VPTv4f32r", "MVE_VPTv8f16r"} {
		s.vpt[op(n)] = true
	}
	feature := func(name string) uint16 {
		k, ok := t.Info.FeatureByName(name)
		if !ok {
			return ^uint16(0)
		}
		return t.Info.Features[k].Bit
	}
	s.thumb, s.big = feature("thumb-mode"), feature("big-endian-instructions")
	s.d32, s.v7, s.v8, s.v8m = feature("d32"), feature("v7"), feature("v8"), feature("v8m.main")
	s.secure, s.auth, s.dsp = feature("8msecext"), feature("pacbti"), feature("dsp")
	s.write = op("t2MSR_M")
	for i := range t.Info.Classes {
		if t.Info.Str(t.Info.Classes[i].Name) == "GPR" {
			s.gpr = desc.ClassID(i)
		}
	}
	for i := range s.cdeOf {
		s.cdeOf[i] = feature(fmt.Sprintf("cdecp%d", i))
	}
	reg := func(name string) desc.PhysReg {
		r, _ := t.Info.RegByName(name)
		return r
	}
	s.sp = reg("sp")
	s.cpsr, s.p0, s.vpr = reg("cpsr"), reg("p0"), reg("vpr")
	s.clears = [...]desc.Opcode{op("VSCCLRMS"), op("VSCCLRMD")}
	for i := range 32 {
		s.single[i], s.double[i] = reg(fmt.Sprintf("s%d", i)), reg(fmt.Sprintf("d%d", i))
	}
	return &disassembler{shared: s}, nil
}

// NewSession begins a text.
func (d *disassembler) NewSession() mc.Disassembler { return &disassembler{shared: d.shared} }

// Disassemble reads an instruction.
func (d *disassembler) Disassemble(in *mc.Inst, st *mc.Subtarget, code []byte, addr uint64) (int, mc.DecodeStatus) {
	var order binary.ByteOrder = binary.LittleEndian
	if st.Has(d.big) {
		order = binary.BigEndian
	}
	if !st.Has(d.thumb) {
		if len(code) < 4 {
			return len(code), mc.DecodeFail
		}
		w := order.Uint32(code)
		for _, space := range armSpaces {
			if s := d.read(space, st, w, 4, addr, in); s != table.Fail {
				return 4, status(s)
			}
		}
		return 4, mc.DecodeFail
	}
	if len(code) < 2 {
		return len(code), mc.DecodeFail
	}
	first := order.Uint16(code)
	size, s := d.short(in, st, uint32(first), addr)
	if s == table.Fail && len(code) >= 4 {
		size, s = 4, d.long(in, st, uint32(first)<<16|uint32(order.Uint16(code[2:])), addr)
	}
	if s == table.Fail {
		if size = 2; first >= 0xe800 { // F3.1: then it has a second half
			size = min(4, len(code))
		}
		return size, mc.DecodeFail
	}
	return size, status(s)
}

func status(s table.Status) mc.DecodeStatus {
	switch s {
	case table.Success:
		return mc.DecodeSuccess
	case table.SoftFail:
		return mc.DecodeSoftFail
	}
	return mc.DecodeFail
}

// read looks into a namespace.
func (d *disassembler) read(space string, st *mc.Subtarget, w uint32, size int, addr uint64, in *mc.Inst) table.Status {
	var b [4]byte
	binary.LittleEndian.PutUint32(b[:], w)
	_, s := d.dec.Decode(space, st, b[:size], addr, in)
	return s
}

// short reads an instruction of one half.
func (d *disassembler) short(in *mc.Inst, st *mc.Subtarget, w uint32, addr uint64) (int, table.Status) {
	if s := d.read("Thumb16", st, w, 2, addr, in); s != table.Fail {
		return 2, min(s, d.predicate(in))
	}
	if s := d.read("ThumbSBit16", st, w, 2, addr, in); s != table.Fail {
		inside := len(d.it) > 0
		s = min(s, d.predicate(in))
		d.setFlags(in, !inside)
		return 2, s
	}
	s := d.read("Thumb216", st, w, 2, addr, in)
	if s == table.Fail || in.Op != d.itOp {
		return 2, s
	}
	if len(d.it) > 0 {
		s = table.SoftFail
	}
	s = min(s, d.predicate(in))
	cond, mask := uint8(in.Ops[0].Imm()), uint8(in.Ops[1].Imm())
	for at := bits.TrailingZeros8(mask) + 1; at <= 3; at++ {
		d.it = append(d.it, cond^mask>>at&1)
	}
	d.it = append(d.it, cond)
	return 2, s
}

// long reads an instruction of two halves.
func (d *disassembler) long(in *mc.Inst, st *mc.Subtarget, w uint32, addr uint64) table.Status {
	for _, space := range thumbOwn {
		s := d.read(space, st, w, 4, addr, in)
		if s == table.Fail {
			continue
		}
		opens := d.shared.vpt[in.Op]
		if opens && len(d.vpt) > 0 {
			s = table.SoftFail
		}
		inside := len(d.it) > 0
		s = min(s, d.predicate(in))
		if space == "Thumb32" {
			d.setFlags(in, !inside)
		}
		if opens {
			mask := uint8(in.Ops[0].Imm())
			for at := bits.TrailingZeros8(mask) + 1; at <= 3; at++ {
				d.vpt = append(d.vpt, 1+mask>>at&1)
			}
			d.vpt = append(d.vpt, 1)
		}
		return s
	}
	if w>>28 == 0xe {
		for _, space := range [...]string{"VFP32", "VFPThumb32"} {
			if s := d.read(space, st, w, 4, addr, in); s != table.Fail {
				cond := d.condition()
				if cond == 15 {
					cond = condAL
				}
				d.setCondition(in, cond)
				if d.status[in.Op] && !st.Has(d.v8) && len(in.Ops) > 0 && in.Ops[0].IsReg() && in.Ops[0].Reg() == d.sp {
					s = table.SoftFail
				}
				return s
			}
		}
	}
	if s := d.read("VFPV832", st, w, 4, addr, in); s != table.Fail {
		return s
	}
	if w>>28 == 0xe {
		if s := d.read("NEONDup32", st, w, 4, addr, in); s != table.Fail {
			return min(s, d.predicate(in))
		}
	}
	// ARM's encodings stand elsewhere in Thumb (F4.1).
	if w>>24 == 0xf9 {
		if s := d.read("NEONLoadStore32", st, w&0xf0ffffff|0x04000000, 4, addr, in); s != table.Fail {
			return min(s, d.predicate(in))
		}
	}
	if w>>24&15 == 15 {
		x := w&0xf0ffffff | w&0x10000000>>4 | 0x12000000
		if s := d.read("NEONData32", st, x, 4, addr, in); s != table.Fail {
			return min(s, d.predicate(in))
		}
		if s := d.read("v8Crypto32", st, x, 4, addr, in); s != table.Fail {
			return s
		}
		if s := d.read("v8NEON32", st, w&0xf3ffffff, 4, addr, in); s != table.Fail {
			return s
		}
	}
	space := "Thumb2CoProc32"
	if n := w >> 8 & 15; n < 8 && d.cdeOf[n] != ^uint16(0) && st.Has(d.cdeOf[n]) {
		space = "Thumb2CDE32"
	}
	s := d.read(space, st, w, 4, addr, in)
	if s == table.Fail {
		return s
	}
	return min(s, d.predicate(in))
}

const (
	condAL          = 14
	operandVPredR   = desc.FirstTargetOperandType // with the value of lanes that are left out
	operandVPredN   = desc.FirstTargetOperandType + 1
	predicateNumber = 2 // operands of a condition
)

// condition takes the condition of the next instruction from the open block.
func (d *disassembler) condition() uint8 {
	n := len(d.it)
	if n == 0 {
		if n = len(d.vpt); n > 0 {
			d.vpt = d.vpt[:n-1]
		}
		return condAL
	}
	c := d.it[n-1]
	d.it = d.it[:n-1]
	return c
}

// setCondition puts a condition into its operands; false when there are none.
func (d *disassembler) setCondition(in *mc.Inst, cond uint8) bool {
	ops := d.t.Info.Operands(in.Op)
	for i := range ops {
		if !ops[i].IsPredicate() || i+predicateNumber > len(in.Ops) {
			continue
		}
		in.Ops[i] = mc.Imm(int64(cond))
		in.Ops[i+1] = mc.Reg(0)
		if cond != condAL {
			in.Ops[i+1] = mc.Reg(d.cpsr)
		}
		return true
	}
	return false
}

// setFlags says whether an instruction of one half sets the flags: it does outside of blocks.
func (d *disassembler) setFlags(in *mc.Inst, sets bool) {
	ops := d.t.Info.Operands(in.Op)
	for i := range ops {
		if ops[i].IsOptionalDef() && i < len(in.Ops) {
			in.Ops[i] = mc.Reg(0)
			if sets {
				in.Ops[i] = mc.Reg(d.cpsr)
			}
			return
		}
	}
}

// predicate gives an instruction the condition or the vector predicate that the open
// block has for it.
func (d *disassembler) predicate(in *mc.Inst) table.Status {
	s := table.Success
	inIT, inVPT := len(d.it) > 0, len(d.vpt) > 0
	if d.always[in.Op] {
		if !inIT {
			return s
		}
		s = table.SoftFail
	}
	if d.last[in.Op] && len(d.it) > 1 {
		s = table.SoftFail
	}
	at := -1
	ops := d.t.Info.Operands(in.Op)
	for i := range ops {
		if t := ops[i].Type; (t == operandVPredR || t == operandVPredN) && i+3 <= len(in.Ops) {
			at = i
			break
		}
	}
	if at < 0 && inVPT || at >= 0 && inIT {
		s = table.SoftFail
	}
	vector := uint8(0)
	if !inIT && inVPT {
		vector = d.vpt[len(d.vpt)-1]
	}
	cond := d.condition()
	if inIT || cond != condAL {
		if !d.setCondition(in, cond) && cond != condAL {
			s = table.SoftFail
		}
	}
	if vector != 0 {
		if at < 0 {
			return table.SoftFail
		}
		in.Ops[at], in.Ops[at+1] = mc.Imm(int64(vector)), mc.Reg(d.p0)
	}
	return s
}

// vfpList reads the loads and stores of several registers of the floating-point unit
// (Arm ARM, F6.1.90 VLDM): a first register and how many.
func (s *shared) vfpList(d *table.Decoding, w uint64) table.Status {
	cond, rn, vd, n := int64(w>>28&15), w>>16&15, int(w>>12&15), int(w&255)
	if cond == 15 {
		return table.Fail
	}
	regs, first := &s.single, vd<<1|int(w>>22&1)
	most := len(regs)
	if w>>8&1 != 0 {
		regs, first, n = &s.double, int(w>>22&1)<<4|vd, n/2
		if d.ST == nil || !d.ST.Has(s.d32) {
			most = 16
		}
	}
	if first >= most {
		return table.Fail
	}
	base := s.dec.RegOf(s.gpr, rn)
	status := table.Success
	if n == 0 || first+n > most {
		n = max(min(n, most-first), 1)
		status = table.SoftFail
	}
	clears := slices.Contains(s.clears[:], d.Inst.Op) // VSCCLRM, which has no base
	if !clears {
		d.Inst.Add(mc.Reg(base))
		if w>>21&1 != 0 { // written back
			d.Inst.Add(mc.Reg(base))
		}
	}
	d.Inst.Add(mc.Imm(cond))
	flags := desc.PhysReg(0)
	if cond != condAL {
		flags = s.cpsr
	}
	d.Inst.Add(mc.Reg(flags))
	for k := range n {
		d.Inst.Add(mc.Reg(regs[first+k]))
	}
	if clears {
		d.Inst.Add(mc.Reg(s.vpr))
	}
	return status
}

// mSystem reads moves from and to special registers of M (Armv8-M ARM, D1.2: SYSm): which there
// are depends on what the processor has; numbers that are none are unpredictable.
func (s *shared) mSystem(d *table.Decoding, w uint64) table.Status {
	if d.ST == nil {
		return table.Fail
	}
	number, mask := w&255, w>>10&3
	status, has := table.Success, true
	switch number {
	case 0, 1, 2, 3, 5, 6, 7, 8, 9, 16, 20:
	case 17, 18, 19: // basepri, basepri_max, faultmask
		has = d.ST.Has(s.v7)
	case 0x8a, 0x8b, 0x91, 0x93: // limits and masks of the other state
		has = d.ST.Has(s.v8m) && d.ST.Has(s.secure)
	case 10, 11, 0x88, 0x89, 0x90, 0x94, 0x98:
		has = d.ST.Has(s.secure)
	default:
		if number&0x78 == 0x20 { // keys of pointer authentication
			has = d.ST.Has(s.auth)
		} else {
			status = table.SoftFail
		}
	}
	if !has {
		return table.Fail
	}
	writes := d.Inst.Op == s.write
	reg := w >> 8 & 15
	if writes {
		reg = w >> 16 & 15
	}
	if reg == 15 || reg == 13 && !d.ST.Has(s.v8) {
		status = table.SoftFail
	}
	r := mc.Reg(s.dec.RegOf(s.gpr, reg))
	if !writes {
		d.Inst.Add(r)
		d.Inst.Add(mc.Imm(int64(number)))
	} else {
		// The mask tells flags from GE, which come with DSP, of those that have them.
		if mask != 2 && (!d.ST.Has(s.v7) || mask == 0 || number > 3 || !d.ST.Has(s.dsp)) {
			status = table.SoftFail
		}
		d.Inst.Add(mc.Imm(int64(mask<<10 | number)))
		d.Inst.Add(r)
	}
	d.Inst.Add(mc.Imm(condAL))
	d.Inst.Add(mc.Reg(0))
	return status
}

// sameTwice reads instructions whose source stands in two places, which should be alike
// (Arm ARM, F5.1.32 CLZ); LLVM takes the bits of both.
func (s *shared) sameTwice(d *table.Decoding, w uint64) table.Status {
	status := table.Success
	for _, reg := range [...]uint64{w >> 8 & 15, w&15 | w>>16&15} {
		if reg == 15 || reg == 13 && (d.ST == nil || !d.ST.Has(s.v8)) {
			status = table.SoftFail
		}
		d.Inst.Add(mc.Reg(s.dec.RegOf(s.gpr, reg)))
	}
	d.Inst.Add(mc.Imm(condAL))
	d.Inst.Add(mc.Reg(0))
	return status
}

package x86

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// convertToThreeAddress is InstrHooks.ConvertToThreeAddress: additions and small
// shifts become LEA where nothing reads the flags. LEA computes in 64 bits: of
// 8 and 16 bits only what stands in the low half counts, and the rest may be
// anything. Moves under a mask become blends.
func convertToThreeAddress(st *target.Subtarget, f *mir.Function, i mir.InstrID) mir.InstrID {
	if f.Instr(i).NumOps() < 2 || !f.Op(i, 1).IsReg() || f.Op(i, 1).IsUndef() || findsGOT(f, i) {
		return 0
	}
	for k := range f.Instr(i).NumOps() {
		if o := f.Op(i, k); o.IsDef() && o.IsImplicit() && !o.IsDead() && flagsRead(f, i) {
			return 0
		}
	}
	l := lea{f: f, i: i, scale: 1, op: tab.LEA64_32r, disp: mir.ImmOp(0)}
	if !modeOf(st).is64() {
		l.op = tab.LEA32r
	}
	switch op := f.Instr(i).Opcode; op {
	case tab.SHL64ri, tab.SHL32ri, tab.SHL16ri, tab.SHL8ri:
		n := f.Op(i, 2).Imm()
		if n < 1 || n > 3 {
			return 0
		}
		l.scale, l.shifts = 1<<n, true
	case tab.INC64r, tab.INC32r, tab.INC16r, tab.INC8r:
		l.disp = mir.ImmOp(1)
	case tab.DEC64r, tab.DEC32r, tab.DEC16r, tab.DEC8r:
		l.disp = mir.ImmOp(-1)
	case tab.ADD64rr, tab.ADD64rr_DB, tab.ADD32rr, tab.ADD32rr_DB, tab.ADD16rr, tab.ADD16rr_DB, tab.ADD8rr, tab.ADD8rr_DB:
		l.adds = true
		if f.Op(i, 2).IsUndef() {
			return 0
		}
	case tab.ADD64ri32, tab.ADD64ri32_DB, tab.ADD32ri, tab.ADD32ri_DB, tab.ADD16ri, tab.ADD16ri_DB, tab.ADD8ri, tab.ADD8ri_DB:
		l.disp = *f.Op(i, 2)
	case tab.SUB64ri32, tab.SUB32ri:
		// Compares use the flags of SUB; where they do not, LEA adds the opposite.
		o := f.Op(i, 2)
		if !o.IsImm() || o.Imm() == -1<<31 {
			return 0
		}
		l.disp = mir.ImmOp(-o.Imm())
	default:
		if to := maskedBlend(op); to != 0 {
			return blendMasked(f, i, to)
		}
		return 0
	}
	switch f.Instr(i).Opcode {
	case tab.SHL64ri, tab.INC64r, tab.DEC64r, tab.ADD64rr, tab.ADD64rr_DB, tab.ADD64ri32, tab.ADD64ri32_DB, tab.SUB64ri32:
		l.op = tab.LEA64r
		return l.build(tab.GR64RegClassID, tab.GR64_NOSPRegClassID)
	case tab.SHL16ri, tab.INC16r, tab.DEC16r, tab.ADD16rr, tab.ADD16rr_DB, tab.ADD16ri, tab.ADD16ri_DB:
		return l.buildNarrow(tab.Sub16Bit, tab.GR16RegClassID)
	case tab.SHL8ri, tab.INC8r, tab.DEC8r, tab.ADD8rr, tab.ADD8rr_DB, tab.ADD8ri, tab.ADD8ri_DB:
		return l.buildNarrow(tab.Sub8Bit, tab.GR8RegClassID)
	}
	return l.build(tab.GR32RegClassID, tab.GR32_NOSPRegClassID)
}

// lea is an LEA in the making: operand 1 of i scaled or not, plus operand 2 (adds),
// plus disp.
type lea struct {
	f            *mir.Function
	i            mir.InstrID
	op           desc.Opcode
	scale        int64
	shifts, adds bool
	disp         mir.Operand
}

// source gives a register of 64 bits whose low bits are operand k, of a class that
// an address takes; false when there is none.
func (l *lea) source(b *mir.Builder, k int, index bool, narrow, noSP desc.ClassID) (mir.Operand, bool) {
	f := l.f
	o := *f.Op(l.i, k)
	if !o.Reg().IsVirtual() {
		// A physical register is wide already, or its super-register is.
		r := desc.PhysReg(o.Reg())
		if l.op == tab.LEA64_32r {
			if r = f.Facts.MatchingSuperReg(r, tab.Sub32Bit, tab.GR64RegClassID); r == 0 {
				return o, false
			}
		}
		if index && (r == tab.RSP || r == tab.ESP) || l.op == tab.LEA64_32r {
			return o, false
		}
		return mir.RegOp(reg(r), o.Flags()&mir.Kill), true
	}
	want := narrow
	if index {
		want = noSP
	}
	if l.op != tab.LEA64_32r {
		if o.SubReg() != 0 || !constrainVReg(f, o.Reg(), want) {
			return o, false
		}
		return mir.RegOp(o.Reg(), o.Flags()&mir.Kill), true
	}
	// The upper half does not matter: an undefined 64-bit register with this in it.
	if o.SubReg() != 0 {
		return o, false
	}
	wide := tab.GR64RegClassID
	if index {
		wide = tab.GR64_NOSPRegClassID
	}
	r := f.AddVReg(int16(wide))
	b.Build(desc.COPY, mir.SubRegOp(r, uint16(tab.Sub32Bit), mir.Def|mir.Undef), mir.RegOp(o.Reg(), o.Flags()&mir.Kill))
	return mir.RegOp(r, mir.Kill), true
}

// constrainVReg makes the class of r one of c's sub-classes; false when that
// cannot be.
func constrainVReg(f *mir.Function, r mir.Reg, c desc.ClassID) bool {
	have := f.VReg(r).Class
	if have < 0 {
		return false
	}
	k := f.Facts.CommonSubClass(desc.ClassID(have), c)
	if k == desc.NoClass {
		return false
	}
	f.VReg(r).Class = int16(k)
	return true
}

// build makes the LEA in the place of an instruction of 32 or 64 bits.
func (l *lea) build(narrow, noSP desc.ClassID) mir.InstrID {
	f, i := l.f, l.i
	dst := *f.Op(i, 0)
	if dst.SubReg() != 0 {
		return 0
	}
	b := mir.Builder{F: f, Loc: f.Instr(i).Loc}
	b.SetBefore(i)
	base, index := mir.RegOp(0, 0), mir.RegOp(0, 0)
	x, ok := l.source(&b, 1, l.shifts, narrow, noSP)
	if !ok {
		return 0
	}
	if l.shifts {
		index = x
	} else {
		base = x
	}
	if l.adds {
		if o := f.Op(i, 2); o.Reg() == f.Op(i, 1).Reg() && o.SubReg() == f.Op(i, 1).SubReg() && o.Reg().IsVirtual() {
			// One register twice: it must do as an index too.
			if index = base.WithFlag(mir.Kill, false); !constrainVReg(f, base.Reg(), tab.GR64_NOSPRegClassID) {
				return 0
			}
			base, index = index, base
		} else if index, ok = l.source(&b, 2, true, narrow, noSP); !ok {
			return 0
		}
	}
	n := b.Build(l.op, mir.RegOp(dst.Reg(), mir.Def|dst.Flags()&mir.Dead), base, mir.ImmOp(l.scale), index, l.disp, mir.RegOp(0, 0))
	f.Erase(i)
	return n
}

// buildNarrow makes the LEA of an instruction of 8 or 16 bits between copies into
// and out of the low part of wide registers.
func (l *lea) buildNarrow(sub desc.SubRegIdx, class desc.ClassID) mir.InstrID {
	f, i := l.f, l.i
	dst, x := *f.Op(i, 0), *f.Op(i, 1)
	if l.op != tab.LEA64_32r {
		return 0 // of 32-bit code
	}
	if dst.SubReg() != 0 || x.SubReg() != 0 || !dst.Reg().IsVirtual() || !x.Reg().IsVirtual() || !isClass(f, dst.Reg(), class) || !isClass(f, x.Reg(), class) {
		return 0
	}
	if l.adds {
		if y := f.Op(i, 2); y.SubReg() != 0 || !y.Reg().IsVirtual() || !isClass(f, y.Reg(), class) {
			return 0
		}
	}
	b := mir.Builder{F: f, Loc: f.Instr(i).Loc}
	b.SetBefore(i)
	widen := func(k int) mir.Operand {
		o := *f.Op(i, k)
		r := f.AddVReg(int16(tab.GR64_NOSPRegClassID))
		def := b.Build(desc.IMPLICIT_DEF, mir.RegOp(r, mir.Def))
		f.Instr(def).Loc = 0
		b.Build(desc.COPY, mir.SubRegOp(r, uint16(sub), mir.Def), mir.RegOp(o.Reg(), o.Flags()&mir.Kill))
		return mir.RegOp(r, mir.Kill)
	}
	base, index := mir.RegOp(0, 0), mir.RegOp(0, 0)
	if l.shifts {
		index = widen(1)
	} else {
		base = widen(1)
	}
	if l.adds {
		if f.Op(i, 2).Reg() == x.Reg() {
			index = base
			base = base.WithFlag(mir.Kill, false)
		} else {
			index = widen(2)
		}
	}
	out := f.AddVReg(int16(tab.GR32RegClassID))
	b.Build(tab.LEA64_32r, mir.RegOp(out, mir.Def), base, mir.ImmOp(l.scale), index, l.disp, mir.RegOp(0, 0))
	n := b.Build(desc.COPY, mir.RegOp(dst.Reg(), mir.Def|dst.Flags()&mir.Dead), mir.SubRegOp(out, uint16(sub), mir.Kill))
	f.Erase(i)
	return n
}

// blendMasked makes i, a move under a mask into what it is tied to, a choice between the two
// that has a destination of its own.
func blendMasked(f *mir.Function, i mir.InstrID, to desc.Opcode) mir.InstrID {
	old := f.Ops(i)
	ops := append([]mir.Operand{old[0], old[2], old[1]}, old[3:]...)
	b := mir.Builder{F: f, Loc: f.Instr(i).Loc}
	b.SetBefore(i)
	n := b.Build(to, ops...)
	f.CopyMem(n, i)
	f.Erase(i)
	return n
}

// maskedBlend gives the blend for a move, or a broadcast from memory, under a mask, 0 for
// what is neither.
func maskedBlend(op desc.Opcode) desc.Opcode {
	switch op {
	case tab.VMOVDQU8Z128rmk:
		return tab.VPBLENDMBZ128rmk
	case tab.VMOVDQU8Z128rrk:
		return tab.VPBLENDMBZ128rrk
	case tab.VMOVDQU8Z256rmk:
		return tab.VPBLENDMBZ256rmk
	case tab.VMOVDQU8Z256rrk:
		return tab.VPBLENDMBZ256rrk
	case tab.VMOVDQU8Zrmk:
		return tab.VPBLENDMBZrmk
	case tab.VMOVDQU8Zrrk:
		return tab.VPBLENDMBZrrk
	case tab.VMOVDQU16Z128rmk:
		return tab.VPBLENDMWZ128rmk
	case tab.VMOVDQU16Z128rrk:
		return tab.VPBLENDMWZ128rrk
	case tab.VMOVDQU16Z256rmk:
		return tab.VPBLENDMWZ256rmk
	case tab.VMOVDQU16Z256rrk:
		return tab.VPBLENDMWZ256rrk
	case tab.VMOVDQU16Zrmk:
		return tab.VPBLENDMWZrmk
	case tab.VMOVDQU16Zrrk:
		return tab.VPBLENDMWZrrk
	case tab.VMOVDQU32Z128rmk, tab.VMOVDQA32Z128rmk:
		return tab.VPBLENDMDZ128rmk
	case tab.VMOVDQU32Z128rrk, tab.VMOVDQA32Z128rrk:
		return tab.VPBLENDMDZ128rrk
	case tab.VMOVDQU32Z256rmk, tab.VMOVDQA32Z256rmk:
		return tab.VPBLENDMDZ256rmk
	case tab.VMOVDQU32Z256rrk, tab.VMOVDQA32Z256rrk:
		return tab.VPBLENDMDZ256rrk
	case tab.VMOVDQU32Zrmk, tab.VMOVDQA32Zrmk:
		return tab.VPBLENDMDZrmk
	case tab.VMOVDQU32Zrrk, tab.VMOVDQA32Zrrk:
		return tab.VPBLENDMDZrrk
	case tab.VMOVDQU64Z128rmk, tab.VMOVDQA64Z128rmk:
		return tab.VPBLENDMQZ128rmk
	case tab.VMOVDQU64Z128rrk, tab.VMOVDQA64Z128rrk:
		return tab.VPBLENDMQZ128rrk
	case tab.VMOVDQU64Z256rmk, tab.VMOVDQA64Z256rmk:
		return tab.VPBLENDMQZ256rmk
	case tab.VMOVDQU64Z256rrk, tab.VMOVDQA64Z256rrk:
		return tab.VPBLENDMQZ256rrk
	case tab.VMOVDQU64Zrmk, tab.VMOVDQA64Zrmk:
		return tab.VPBLENDMQZrmk
	case tab.VMOVDQU64Zrrk, tab.VMOVDQA64Zrrk:
		return tab.VPBLENDMQZrrk
	case tab.VMOVUPSZ128rmk, tab.VMOVAPSZ128rmk:
		return tab.VBLENDMPSZ128rmk
	case tab.VMOVUPSZ128rrk, tab.VMOVAPSZ128rrk:
		return tab.VBLENDMPSZ128rrk
	case tab.VMOVUPSZ256rmk, tab.VMOVAPSZ256rmk:
		return tab.VBLENDMPSZ256rmk
	case tab.VMOVUPSZ256rrk, tab.VMOVAPSZ256rrk:
		return tab.VBLENDMPSZ256rrk
	case tab.VMOVUPSZrmk, tab.VMOVAPSZrmk:
		return tab.VBLENDMPSZrmk
	case tab.VMOVUPSZrrk, tab.VMOVAPSZrrk:
		return tab.VBLENDMPSZrrk
	case tab.VMOVUPDZ128rmk, tab.VMOVAPDZ128rmk:
		return tab.VBLENDMPDZ128rmk
	case tab.VMOVUPDZ128rrk, tab.VMOVAPDZ128rrk:
		return tab.VBLENDMPDZ128rrk
	case tab.VMOVUPDZ256rmk, tab.VMOVAPDZ256rmk:
		return tab.VBLENDMPDZ256rmk
	case tab.VMOVUPDZ256rrk, tab.VMOVAPDZ256rrk:
		return tab.VBLENDMPDZ256rrk
	case tab.VMOVUPDZrmk, tab.VMOVAPDZrmk:
		return tab.VBLENDMPDZrmk
	case tab.VMOVUPDZrrk, tab.VMOVAPDZrrk:
		return tab.VBLENDMPDZrrk
	case tab.VBROADCASTSDZ256rmk:
		return tab.VBLENDMPDZ256rmbk
	case tab.VBROADCASTSDZrmk:
		return tab.VBLENDMPDZrmbk
	case tab.VBROADCASTSSZ128rmk:
		return tab.VBLENDMPSZ128rmbk
	case tab.VBROADCASTSSZ256rmk:
		return tab.VBLENDMPSZ256rmbk
	case tab.VBROADCASTSSZrmk:
		return tab.VBLENDMPSZrmbk
	case tab.VPBROADCASTDZ128rmk:
		return tab.VPBLENDMDZ128rmbk
	case tab.VPBROADCASTDZ256rmk:
		return tab.VPBLENDMDZ256rmbk
	case tab.VPBROADCASTDZrmk:
		return tab.VPBLENDMDZrmbk
	case tab.VPBROADCASTQZ128rmk:
		return tab.VPBLENDMQZ128rmbk
	case tab.VPBROADCASTQZ256rmk:
		return tab.VPBLENDMQZ256rmbk
	case tab.VPBROADCASTQZrmk:
		return tab.VPBLENDMQZrmbk
	}
	return 0
}

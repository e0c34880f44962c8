package mirverify

import (
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/mir/mirtext"
)

// fileAMD says which file of registers a class or a register belongs to.
type fileAMD uint8

const (
	otherFile fileAMD = iota
	scalarFile
	vectorFile
	accFile
)

// amdState caches what the rules ask of the target's names.
type amdState struct {
	in      *desc.Info
	classes []amdClass
	baseHi  mir.Reg
	null    [2]mir.Reg      // registers that read as zero
	special [5]mir.Reg      // what is read implicitly over the constant bus
	sregs   [2]desc.ClassID // of scalars that go over the constant bus
	ofC     []mir.Reg       // overlap what C functions keep for themselves
	top     []uint16
	st      mirtext.Features
	sub     amdSub
	subOf   variantKey
}

type amdClass struct {
	file    fileAMD
	aligned bool // wide registers of the class start at an even number
	bits    uint16
}

const (
	amdDS         = 1 << iota // access to LDS or GDS with vector data
	amdWideScalar             // 64-bit scalar arithmetic
)

func (a *amdState) load(in *desc.Info, mode int) {
	if a.in == in {
		return
	}
	a.in = in
	a.loadReserved(in)
	a.classes = make([]amdClass, len(in.Classes))
	for k := range in.Classes {
		n := in.RegClassName(desc.ClassID(k))
		c := amdClass{bits: in.ClassSize(desc.ClassID(k), mode).RegSize, aligned: strings.Contains(n, "Align2")}
		switch {
		case strings.HasPrefix(n, "VReg_"), strings.HasPrefix(n, "VGPR_"), strings.HasPrefix(n, "AV_"):
			c.file = vectorFile
		case strings.HasPrefix(n, "AReg_"), strings.HasPrefix(n, "AGPR_"):
			c.file = accFile
		case strings.HasPrefix(n, "S"), strings.HasPrefix(n, "TTMP"):
			c.file = scalarFile
		}
		a.classes[k] = c
	}
	reg := func(n string) mir.Reg {
		r, _ := in.RegByName(n)
		return mir.Reg(r)
	}
	a.baseHi = reg("src_flat_scratch_base_hi")
	a.null = [...]mir.Reg{reg("sgpr_null"), reg("sgpr_null64")}
	for k, n := range [...]string{"vcc", "vcc_lo", "vcc_hi", "m0", "flat_scr"} {
		a.special[k] = reg(n)
	}
	a.sregs[0], _ = in.RegClassByName("sreg_32")
	a.sregs[1], _ = in.RegClassByName("sreg_64")
}

// kind says what a rule asks of an opcode's name.
func (a *amdState) kind(op desc.Opcode) (k uint8) {
	switch n := a.in.OpcodeName(op); {
	case strings.HasPrefix(n, "DS_"):
		if !strings.HasPrefix(n, "DS_GWS") {
			k = amdDS
		}
	case strings.HasPrefix(n, "S_"):
		if strings.Contains(n, "64") && !strings.HasPrefix(n, "S_LOAD") && !strings.HasPrefix(n, "S_MOV") {
			k = amdWideScalar
		}
	}
	return k
}

// The hardware modes in which wide vector registers must be even: those of
// gfx90a and its successors, and of gfx1250.
func (v *Verifier) amdAligned() bool { return v.mode == 1 || v.mode == 2 }

// fileOf returns the file of a register operand and, for a wide part of a
// vector register, whether it starts at an even number.
func (v *Verifier) fileOf(o *mir.Operand) (file fileAMD, even bool) {
	r := o.Reg()
	if !r.IsVirtual() {
		if r == 0 || int(r) >= len(v.in.Regs) {
			return otherFile, true
		}
		return v.physFile(desc.PhysReg(r))
	}
	c := v.f.VReg(r).Class
	if c < 0 {
		return otherFile, true
	}
	k := v.amd.classes[c]
	if s := o.SubReg(); s != 0 {
		x := &v.in.SubRegIndices[s]
		return k.file, x.Size <= 32 || k.aligned && x.Offset%64 == 0
	}
	return k.file, k.bits <= 32 || k.aligned
}

func (v *Verifier) physFile(r desc.PhysReg) (file fileAMD, even bool) {
	n := v.in.RegName(r)
	switch {
	case strings.HasPrefix(n, "VGPR"):
		file = vectorFile
	case strings.HasPrefix(n, "AGPR"):
		file = accFile
	case strings.HasPrefix(n, "SGPR"), strings.HasPrefix(n, "VCC"), strings.HasPrefix(n, "TTMP"):
		return scalarFile, true
	default:
		return otherFile, true
	}
	if !strings.Contains(n, "_") {
		return file, true
	}
	// The number of the first register of a tuple.
	num := 0
	for k := 4; k < len(n) && n[k] >= '0' && n[k] <= '9'; k++ {
		num = num*10 + int(n[k]-'0')
	}
	return file, num%2 == 0 || strings.HasSuffix(n, "_LO16") || strings.HasSuffix(n, "_HI16")
}

// amdgpuRule checks AMDGPU's rules, in the order in which LLVM asks for them.
func (v *Verifier) amdgpuRule(i mir.InstrID) string {
	v.amd.load(v.in, v.mode)
	f := v.f
	op := f.Instr(i).Opcode
	ops := f.Ops(i)
	if op == desc.COPY && len(ops) == 2 && !v.ssa && ops[0].IsReg() && ops[1].IsReg() {
		d, _ := v.fileOf(&ops[0])
		s, _ := v.fileOf(&ops[1])
		if d == scalarFile && (s == vectorFile || s == accFile) {
			return "illegal copy from vector register to SGPR"
		}
	}
	if op < desc.FirstTargetOpcode {
		return ""
	}
	v.loadSub()
	d := f.Desc(i)
	name := v.in.OpcodeName(op)
	declared := v.in.Operands(op)
	if d.TSFlags&tsImage != 0 && f.NumMem(i) == 0 && (d.MayLoad() || d.MayStore()) {
		return "missing memory operand from image instruction."
	}
	if msg := v.amdOperands(ops, declared, op); msg != "" {
		return msg
	}
	if d.TSFlags&tsSDWA != 0 {
		if msg := v.amdSDWA(d, name, ops, declared); msg != "" {
			return msg
		}
	}
	if d.TSFlags&tsVALU != 0 && d.TSFlags&tsMemory == 0 && !strings.HasPrefix(name, "V_WRITELANE_B32") && !strings.HasPrefix(name, "V_INDIRECT_") {
		if msg := v.amdConstantBus(d, name, ops, declared); msg != "" {
			return msg
		}
	}
	if strings.HasPrefix(name, "V_DIV_SCALE_F") {
		if msg := amdDivScale(ops); msg != "" {
			return msg
		}
	}
	if msg := v.amdScalar(d, name, ops, declared); msg != "" {
		return msg
	}
	if d.TSFlags&(tsFLAT|tsDS) != 0 {
		if msg := v.amdMemory(i, d, name, ops, declared); msg != "" {
			return msg
		}
	}
	if d.TSFlags&tsDPP != 0 {
		if msg := v.amdDPP(name, ops, declared); msg != "" {
			return msg
		}
	}
	kind := v.amd.kind(op)
	if kind&amdDS != 0 && v.mode == 1 {
		if msg := v.amdgpuLDS(ops, int(v.in.Instr(op).NumDefs), len(declared)); msg != "" {
			return msg
		}
	}
	if v.amdAligned() {
		if msg := v.amdEven(d, name, ops, declared); msg != "" {
			return msg
		}
	}
	if kind&amdWideScalar != 0 && v.mode == 2 {
		for k := range ops {
			if ops[k].IsUse() && !ops[k].IsImplicit() && ops[k].Reg() == v.amd.baseHi && v.amd.baseHi != 0 {
				return "Instruction cannot read flat_scratch_base_hi"
			}
		}
	}
	return v.amdScaled(d, name, ops, declared)
}

// amdgpuLDS wants the data operands of an LDS access and its result in one
// file. Behind the result stand the address and the data.
func (v *Verifier) amdgpuLDS(ops []mir.Operand, defs, declared int) string {
	var data [2]fileAMD
	n := 0
	for k := defs + 1; k < min(len(ops), declared) && n < 2 && ops[k].IsReg(); k++ {
		data[n], _ = v.fileOf(&ops[k])
		n++
	}
	if n == 0 {
		return ""
	}
	if defs > 0 {
		if d, _ := v.fileOf(&ops[0]); (d == accFile) != (data[0] == accFile) {
			return "Invalid register class: vdata and vdst should be both VGPR or AGPR"
		}
	}
	if n == 2 && (data[0] == accFile) != (data[1] == accFile) {
		return "Invalid register class: both data operands should be VGPR or AGPR"
	}
	return ""
}

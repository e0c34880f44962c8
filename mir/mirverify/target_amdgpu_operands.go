package mirverify

import (
	"math"
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/mir/mirtext"
)

// Bits of an AMDGPU instruction's TSFlags: what kind of instruction it is.
const (
	tsSALU   = 1 << 0
	tsVALU   = 1 << 1
	tsSOP2   = 1 << 3
	tsSOPC   = 1 << 4
	tsSOPK   = 1 << 5
	tsVOP2   = 1 << 8
	tsVOP3   = 1 << 10
	tsSDWA   = 1 << 14
	tsDPP    = 1 << 15
	tsMUBUF  = 1 << 17
	tsMTBUF  = 1 << 18
	tsSMRD   = 1 << 19
	tsMIMG   = 1 << 20
	tsVIMAGE = 1 << 21
	tsVSAMP  = 1 << 22
	tsFLAT   = 1 << 24
	tsDS     = 1 << 25
	tsSpill  = 1 << 26
	tsImage  = tsMIMG | tsVIMAGE | tsVSAMP
	// Instructions that access memory and read no scalar over the constant bus.
	tsMemory = tsMUBUF | tsMTBUF | tsFLAT | tsDS | tsImage | tsSpill
)

// Operand types of AMDGPU, in the order of LLVM's list.
const (
	amdImmInt32 = desc.FirstTargetOperandType + iota
	amdImmInt64
	amdImmInt16
	amdImmFP32
	amdImmFP64
	amdImmBF16
	amdImmFP16
	amdImmV2BF16
	amdImmV2FP16
	amdImmV2FP16Splat
	amdImmV2Int16
	amdImmNoInlineV2FP16
	amdImmV2Int32
	amdImmV2FP32
	amdInlineInt16
	amdInlineInt32
	amdInlineInt64
	amdInlineBF16
	amdInlineFP16
	amdInlineFP32
	amdInlineFP64
	amdInlineV2Int16
	amdInlineV2BF16
	amdInlineV2FP16
	amdSplitBarrier
	amdKImm32
	amdKImm16
	amdKImm64
	amdInlineACInt32
	amdInlineACFP32
	amdInlineACFP64
	amdInlineAV64
	amdInputMods
	amdSDWADst
)

// amdSub is what the rules ask of the subtarget.
type amdSub struct {
	inv2Pi, vop3Literal, gfx10, gfx90a, flatOffsets, gds bool
	sdwa, sdwaScalar, sdwaOmod, scaleOffset              bool
}

// loadSub asks for the features of the function.
func (v *Verifier) loadSub() {
	a := &v.amd
	if a.subOf == v.variantOf && a.subOf.in != nil {
		return
	}
	a.subOf = v.variantOf
	a.st = mirtext.FeaturesOf(v.f)
	st := a.st
	a.sub = amdSub{inv2Pi: st.Has("inv-2pi-inline-imm"), vop3Literal: st.Has("vop3-literal"), gfx10: st.Has("gfx10-insts"), gfx90a: st.Has("gfx90a-insts"),
		flatOffsets: st.Has("flat-inst-offsets"), gds: st.Has("gds"), sdwa: st.Has("sdwa"), sdwaScalar: st.Has("sdwa-scalar"),
		sdwaOmod: st.Has("sdwa-omod"), scaleOffset: st.Has("gfx1250-insts")}
}

// inlinable reports a constant that is encoded in the operand itself.
func (v *Verifier) inlinable(n int64, t desc.OperandType) bool {
	if -16 <= n && n <= 64 {
		return true
	}
	switch t {
	case amdImmInt64, amdImmFP64, amdInlineInt64, amdInlineFP64, amdInlineACFP64:
		switch math.Float64frombits(uint64(n)) {
		case 0.5, -0.5, 1, -1, 2, -2, 4, -4:
			return true
		}
		return v.amd.sub.inv2Pi && n == 0x3fc45f306dc9c882
	case amdImmInt16, amdInlineInt16:
		return false
	case amdImmFP16, amdInlineFP16:
		if n != int64(int16(n)) && n != int64(uint16(n)) {
			return false
		}
		return v.inlinableHalf(uint16(n), 0x3118)
	case amdImmBF16, amdInlineBF16:
		if n != int64(int16(n)) && n != int64(uint16(n)) {
			return false
		}
		switch uint16(n) &^ 0x8000 {
		case 0x3f00, 0x3f80, 0x4000, 0x4080:
			return true
		}
		return v.amd.sub.inv2Pi && uint16(n) == 0x3e22
	case amdImmV2FP16, amdImmV2FP16Splat, amdInlineV2FP16:
		return n == int64(int32(n)) && v.inlinableHalf(uint16(n), 0x3118) && uint64(uint32(n))>>16 == 0
	case amdImmNoInlineV2FP16, amdKImm16, amdKImm32, amdKImm64, amdInputMods:
		return false
	case amdImmV2BF16, amdInlineV2BF16:
		return false
	}
	if n != int64(int32(n)) && n != int64(uint32(n)) {
		return false
	}
	if -16 <= int32(n) && int32(n) <= 64 {
		return true
	}
	switch math.Float32frombits(uint32(n)) {
	case 0.5, -0.5, 1, -1, 2, -2, 4, -4:
		return true
	}
	return v.amd.sub.inv2Pi && uint32(n) == 0x3e22f983
}

func (v *Verifier) inlinableHalf(n, inv2Pi uint16) bool {
	switch n &^ 0x8000 {
	case 0x3800, 0x3c00, 0x4000, 0x4400:
		return true
	}
	return v.amd.sub.inv2Pi && n == inv2Pi
}

// amdOperands checks kinds of operands against their declarations.
func (v *Verifier) amdOperands(ops []mir.Operand, declared []desc.OperandInfo, op desc.Opcode) string {
	for k := range declared {
		var none mir.Operand
		o := &none // what is missing reads as no register
		if k < len(ops) {
			o = &ops[k]
		}
		d := &declared[k]
		kind := o.Kind()
		if k < len(ops) && kind == mir.OpFPImm {
			return "FPImm Machine Operands are not supported. ISel should bitcast all fp values to integers."
		}
		isReg := k >= len(ops) || kind == mir.OpReg
		isImm := k < len(ops) && kind == mir.OpImm
		switch t := d.Type; {
		case t == desc.OperandRegister:
			if isImm || k < len(ops) && kind == mir.OpGlobal {
				return "Illegal immediate value for operand."
			}
		case t >= amdInlineInt16 && t <= amdInlineV2FP16, t >= amdInlineACInt32 && t <= amdInlineACFP64:
			if !isReg && !(isImm && v.inlinable(o.Imm(), t)) {
				return "Illegal immediate value for operand."
			}
		case t == amdSplitBarrier:
			if !isImm || !v.inlinable(o.Imm(), t) {
				return "Expected inline constant for operand."
			}
		case t == desc.OperandImmediate, t == amdInputMods, t == amdKImm32, t == amdKImm16:
			if !isImm && !(k < len(ops) && kind == mir.OpFrameIndex) {
				return "Expected immediate, but got non-immediate"
			}
		}
		if k >= len(ops) || !isReg || o.Reg() == 0 {
			continue
		}
		c := v.in.OperandClass(op, k, v.mode)
		if v.amdAligned() {
			if file, even := v.fileOf(o); (file == vectorFile || file == accFile) && !even {
				return "Subtarget requires even aligned vector registers"
			}
		}
		if c != desc.NoClass && o.Reg().IsPhysical() && int(o.Reg()) < len(v.in.Regs) && !v.in.ClassContains(c, desc.PhysReg(o.Reg())) {
			return "Operand has incorrect register class."
		}
	}
	return ""
}

// usesBus reports a source that is read over the constant bus.
func (v *Verifier) usesBus(o *mir.Operand, t desc.OperandType) bool {
	switch o.Kind() {
	case mir.OpReg:
	case mir.OpImm:
		return !v.inlinable(o.Imm(), t)
	default:
		return true
	}
	r := o.Reg()
	switch {
	case r == 0:
		return false
	case r.IsVirtual():
		c := v.f.VReg(r).Class
		return c >= 0 && v.amd.classes[c].file == scalarFile
	case v.amd.null[0] == r || v.amd.null[1] == r || int(r) >= len(v.in.Regs):
		return false
	}
	for _, c := range v.amd.sregs {
		if c != desc.NoClass && v.in.ClassContains(c, desc.PhysReg(r)) {
			return true
		}
	}
	return false
}

// amdConstantBus checks what a vector instruction reads of scalars and literals.
func (v *Verifier) amdConstantBus(d *desc.InstrDesc, name string, ops []mir.Operand, declared []desc.OperandInfo) string {
	var used [8]mir.Reg
	n, count := 0, 0
	var literal *mir.Operand
	for k := range declared {
		if k < len(ops) && (declared[k].Type == amdKImm16 || declared[k].Type == amdKImm32) {
			literal = &ops[k]
			count++
		}
	}
	for k := int(d.NumDefs); k < min(len(ops), len(declared)); k++ {
		t := declared[k].Type
		if declared[k].TiedTo >= 0 || !(t == desc.OperandRegister || t >= amdImmInt32 && t < amdSplitBarrier || t >= amdInlineACInt32 && t <= amdInlineACFP64) {
			continue
		}
		o := &ops[k]
		if !v.usesBus(o, t) {
			continue
		}
		switch {
		case o.IsReg():
			if !containsReg(used[:n], o.Reg()) && n < len(used) {
				used[n] = o.Reg()
				n++
				count++
			}
		case o.Kind() == mir.OpFrameIndex:
		case literal == nil:
			literal = o
			count++
		case !sameOperand(o, literal):
			return "VOP2/VOP3 instruction uses more than one literal"
		}
	}
	if r := v.implicitScalar(ops); r != 0 {
		alone := true
		for _, u := range used[:n] {
			if u.IsPhysical() && v.in.Overlap(desc.PhysReg(u), desc.PhysReg(r)) {
				alone = false
			}
		}
		if alone {
			count++
		}
	}
	limit := 1
	if v.amd.sub.gfx10 && !oneScalar(name) {
		limit = 2
	}
	switch {
	case count > limit:
		return "VOP* instruction violates constant bus restriction"
	case d.TSFlags&tsVOP3 != 0 && literal != nil && !v.amd.sub.vop3Literal:
		return "VOP3 instruction uses literal"
	}
	return ""
}

// oneScalar names the instructions that read one scalar only where others read two.
func oneScalar(name string) bool {
	return strings.HasPrefix(name, "V_LSHLREV_B64") || strings.HasPrefix(name, "V_LSHRREV_B64") || strings.HasPrefix(name, "V_ASHRREV_I64")
}

func containsReg(l []mir.Reg, r mir.Reg) bool {
	for _, x := range l {
		if x == r {
			return true
		}
	}
	return false
}

// sameOperand reports operands that are alike, flags aside.
func sameOperand(a, b *mir.Operand) bool {
	if a.Kind() != b.Kind() {
		return false
	}
	switch a.Kind() {
	case mir.OpReg:
		return a.Reg() == b.Reg() && a.SubReg() == b.SubReg()
	case mir.OpImm:
		return a.Imm() == b.Imm()
	}
	return *a == *b
}

// implicitScalar is the first scalar register that is read implicitly.
func (v *Verifier) implicitScalar(ops []mir.Operand) mir.Reg {
	for k := range ops {
		if o := &ops[k]; o.IsReg() && o.IsImplicit() && !o.IsDef() && containsReg(v.amd.special[:], o.Reg()) && o.Reg() != 0 {
			return o.Reg()
		}
	}
	return 0
}

// amdSDWA checks the selections of parts of registers.
func (v *Verifier) amdSDWA(d *desc.InstrDesc, name string, ops []mir.Operand, declared []desc.OperandInfo) string {
	if !v.amd.sub.sdwa {
		return "SDWA is not supported on this target"
	}
	if len(ops) < len(declared) {
		return ""
	}
	n := 0
	last := 0
	for k := range declared {
		if declared[k].Type == amdInputMods {
			n++
			last = k + 1
		}
	}
	first := len(declared) - n
	compare := strings.HasPrefix(name, "V_CMP")
	if n == 0 || first <= last {
		return ""
	}
	for k := first; k < len(declared); k++ {
		if bad := badSelection(&ops[k]); bad {
			return "Invalid SDWA selection"
		}
	}
	dst := first - 2
	if !compare && dst > last && badSelection(&ops[dst]) {
		return "Invalid SDWA selection"
	}
	for k := range last + 1 {
		if declared[k].Type == amdInputMods || declared[k].TiedTo >= 0 {
			continue
		}
		switch isReg := ops[k].IsReg(); {
		case v.amd.sub.sdwaScalar && !isReg:
			return "Only reg allowed as operands in SDWA instructions on GFX9+"
		case !v.amd.sub.sdwaScalar && !(compare && k == 0):
			if file, _ := v.fileOf(&ops[k]); !isReg || file != vectorFile {
				return "Only VGPRs allowed as operands in SDWA instructions on VI"
			}
		}
	}
	if !compare && !v.amd.sub.sdwaOmod && dst-last == 3 && !(ops[dst-1].IsImm() && ops[dst-1].Imm() == 0) {
		return "OMod not allowed in SDWA instructions on VI"
	}
	return ""
}

func badSelection(o *mir.Operand) bool { return o.IsImm() && (o.Imm() < 0 || o.Imm() > 6) }

// amdDPP checks how lanes are permuted.
func (v *Verifier) amdDPP(name string, ops []mir.Operand, declared []desc.OperandInfo) string {
	at := len(declared) - 4
	if strings.Contains(name, "dpp_gfx1") {
		at--
	}
	if strings.Contains(name, "dpp8") || at < 0 || at >= len(ops) || !ops[at].IsImm() || declared[at].Type != desc.OperandImmediate {
		return ""
	}
	const invalid = "Invalid dpp_ctrl value"
	c := uint32(ops[at].Imm())
	switch {
	case c == 0x100, c == 0x110, c == 0x120, c > 0x130 && c < 0x134, c > 0x134 && c < 0x138, c > 0x138 && c < 0x13c, c > 0x13c && c < 0x140,
		c > 0x143 && c < 0x150, c > 0x16f:
		return invalid
	case v.amd.sub.gfx10 && c >= 0x130 && c <= 0x13c:
		return invalid + ": wavefront shifts are not supported on GFX10+"
	case v.amd.sub.gfx10 && (c == 0x142 || c == 0x143):
		return invalid + ": broadcasts are not supported on GFX10+"
	case !v.amd.sub.gfx10 && c >= 0x150 && c <= 0x15f && !v.amd.sub.gfx90a:
		return invalid + ": row_newbroadcast/row_share is not supported before GFX90A/GFX10"
	case !v.amd.sub.gfx10 && c > 0x15f:
		return invalid + ": row_share and row_xmask are not supported before GFX10"
	}
	return ""
}

// amdDivScale checks V_DIV_SCALE: its first source is one of the others, and
// no source is taken without its sign.
func amdDivScale(ops []mir.Operand) string {
	if len(ops) < 8 {
		return ""
	}
	a, b, c := &ops[3], &ops[5], &ops[7]
	if a.IsReg() && b.IsReg() && c.IsReg() && !sameOperand(a, b) && !sameOperand(a, c) {
		return "v_div_scale_{f32|f64} require src0 = src1 or src2"
	}
	for _, k := range [...]int{2, 4, 6} {
		if ops[k].IsImm() && ops[k].Imm()&2 != 0 {
			return "ABS not allowed in VOP3B instructions"
		}
	}
	return ""
}

// amdScalar checks scalar instructions with two sources or an immediate of 16 bits.
func (v *Verifier) amdScalar(d *desc.InstrDesc, name string, ops []mir.Operand, declared []desc.OperandInfo) string {
	if k := int(d.NumDefs); d.TSFlags&(tsSOP2|tsSOPC) != 0 && k+1 < min(len(ops), len(declared)) {
		a, b := &ops[k], &ops[k+1]
		long := func(o *mir.Operand, t desc.OperandType) bool {
			return !o.IsReg() && o.Kind() != mir.OpFrameIndex && !(o.IsImm() && v.inlinable(o.Imm(), t))
		}
		if long(a, declared[k].Type) && long(b, declared[k+1].Type) && !sameOperand(a, b) {
			return "SOP2/SOPC instruction requires too many immediate constants"
		}
	}
	if d.TSFlags&tsSOPK == 0 {
		return ""
	}
	for k := min(len(ops), len(declared)) - 1; k >= 0; k-- {
		if d.IsBranch() && declared[k].Type == desc.OperandPCRel && ops[k].Kind() != mir.OpMBB {
			return "invalid branch target for SOPK instruction"
		}
		if declared[k].Type != desc.OperandImmediate || !ops[k].IsImm() {
			continue
		}
		n := ops[k].Imm()
		wide := n != int64(int16(n))
		if strings.HasPrefix(name, "S_CMPK_") && strings.HasSuffix(name, "_U32") || strings.HasPrefix(name, "S_GETREG_B32") {
			wide = n != int64(uint16(n))
		}
		if wide {
			return "invalid immediate for SOPK instruction"
		}
		break
	}
	return ""
}

// amdMemory checks rules of instructions that access memory, but for those of files of registers.
func (v *Verifier) amdMemory(i mir.InstrID, d *desc.InstrDesc, name string, ops []mir.Operand, declared []desc.OperandInfo) string {
	ts := d.TSFlags
	var imms [16]int // immediate operands
	n := 0
	for k := range min(len(ops), len(declared)) {
		if declared[k].Type == desc.OperandImmediate && ops[k].IsImm() && n < len(imms) {
			imms[n] = k
			n++
		}
	}
	if n == 0 {
		return ""
	}
	if ts&tsFLAT != 0 && !v.amd.sub.flatOffsets && n >= 2 && ops[imms[n-2]].Imm() != 0 {
		return "subtarget does not support offsets in flat instructions"
	}
	if ts&tsDS != 0 && !v.amd.sub.gds && n >= 2 && !strings.Contains(name, "_gfx1") && ops[imms[n-1]].Imm() != 0 {
		return "GDS is not supported on this subtarget"
	}
	return ""
}

// amdScaled checks the bit of the cache policy that scales offsets.
func (v *Verifier) amdScaled(d *desc.InstrDesc, name string, ops []mir.Operand, declared []desc.OperandInfo) string {
	if d.TSFlags&(tsFLAT|tsMUBUF|tsMTBUF) == 0 && !strings.HasPrefix(name, "S_LOAD_") && !strings.HasPrefix(name, "S_BUFFER_LOAD_") ||
		v.amd.sub.scaleOffset || strings.Contains(name, "PREFETCH") {
		return ""
	}
	for k := min(len(ops), len(declared)) - 1; k >= 0; k-- {
		if declared[k].Type == desc.OperandImmediate {
			if ops[k].IsImm() && ops[k].Imm()&0x800 != 0 {
				return "Subtarget does not support offset scaling"
			}
			break
		}
	}
	return ""
}

// amdEven checks the operands that must start at an even number though they are narrow.
func (v *Verifier) amdEven(d *desc.InstrDesc, name string, ops []mir.Operand, declared []desc.OperandInfo) string {
	even := func(k int) bool {
		if k < 0 || k >= len(ops) || !ops[k].IsReg() || ops[k].Reg() == 0 {
			return true
		}
		o := &ops[k]
		if !o.Reg().IsVirtual() {
			n, ok := vectorNumber(v.in.RegName(desc.PhysReg(o.Reg())))
			return !ok || n%2 == 0
		}
		c := v.f.VReg(o.Reg()).Class
		if c < 0 {
			return true
		}
		x := v.amd.classes[c]
		return x.bits > 32 && x.aligned && (o.SubReg() == 0 || v.in.SubRegIndices[o.SubReg()].Offset/32%2 == 0)
	}
	switch {
	case strings.HasPrefix(name, "DS_GWS_INIT"), strings.HasPrefix(name, "DS_GWS_SEMA_BR"), strings.HasPrefix(name, "DS_GWS_BARRIER"):
		if !even(0) {
			return "Subtarget requires even aligned vector registers for DS_GWS instructions"
		}
	case d.TSFlags&tsMIMG != 0:
		// The address stands before the first scalar operand.
		for k := range declared {
			if c := declared[k].RegClass; c != desc.NoClass && !declared[k].IsLookupByHwMode() && v.amd.classes[c].file == scalarFile {
				if !even(k - 1) {
					return "Subtarget requires even aligned vector registers for vaddr operand of image instructions"
				}
				break
			}
		}
	}
	return ""
}

// vectorNumber is the number of the first vector register of a (tuple of) registers.
func vectorNumber(n string) (num int, ok bool) {
	if !strings.HasPrefix(n, "VGPR") && !strings.HasPrefix(n, "AGPR") {
		return 0, false
	}
	for k := 4; k < len(n) && n[k] >= '0' && n[k] <= '9'; k++ {
		num = num*10 + int(n[k]-'0')
		ok = true
	}
	return num, ok
}

package x86

import (
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// False dependencies: an instruction whose result waits for a register's old
// value, which the program does not need. Agner Fog, "The microarchitecture of
// Intel, AMD and VIA CPUs", and the errata of POPCNT and its like tell which.

// partialUpdate reports an instruction that writes a part of its destination, or
// waits for its old value on the processor: the old SSE scalars, and by feature
// what some processors do. With fold it is asked whether the memory form is to be
// avoided: integers that are converted wait either way.
func partialUpdate(st *target.Subtarget, op desc.Opcode, fold bool) bool {
	between := func(a, b desc.Opcode) bool { return a <= op && op <= b }
	switch op {
	case tab.CVTSI2SSrr, tab.CVTSI2SSrm, tab.CVTSI2SDrr, tab.CVTSI2SDrm, tab.CVTSI642SSrr, tab.CVTSI642SSrm, tab.CVTSI642SDrr, tab.CVTSI642SDrm:
		return !fold
	case tab.CVTSD2SSrr, tab.CVTSD2SSrm, tab.CVTSS2SDrr, tab.CVTSS2SDrm,
		tab.MOVHPDrm, tab.MOVHPSrm, tab.MOVLPDrm, tab.MOVLPSrm,
		tab.RCPSSr, tab.RCPSSm, tab.RCPSSr_Int, tab.RCPSSm_Int, tab.RSQRTSSr, tab.RSQRTSSm, tab.RSQRTSSr_Int, tab.RSQRTSSm_Int,
		tab.ROUNDSDri, tab.ROUNDSDmi, tab.ROUNDSSri, tab.ROUNDSSmi,
		tab.SQRTSSr, tab.SQRTSSm, tab.SQRTSSr_Int, tab.SQRTSSm_Int, tab.SQRTSDr, tab.SQRTSDm, tab.SQRTSDr_Int, tab.SQRTSDm_Int:
		return true
	case tab.POPCNT32rr, tab.POPCNT32rm, tab.POPCNT64rr, tab.POPCNT64rm:
		return st.HasFeature("false-deps-popcnt")
	case tab.LZCNT32rr, tab.LZCNT32rm, tab.LZCNT64rr, tab.LZCNT64rm, tab.TZCNT32rr, tab.TZCNT32rm, tab.TZCNT64rr, tab.TZCNT64rm:
		return st.HasFeature("false-deps-lzcnt-tzcnt")
	}
	// Opcodes are numbered in the order of their names.
	if !between(tab.VFCMULCPHZ128rm, tab.VRANGESSZrrikz) {
		return false
	}
	for _, g := range [...]struct {
		from, to desc.Opcode
		feature  string
	}{
		{tab.VFCMULCPHZ128rm, tab.VFCMULCSHZrrkz, "false-deps-mulc"},
		{tab.VFMULCPHZ128rm, tab.VFMULCSHZrrkz, "false-deps-mulc"},
		{tab.VGETMANTPDZ128rmbi, tab.VGETMANTSSZrrikz, "false-deps-getmant"},
		{tab.VPERMDYrm, tab.VPERMDZrrkz, "false-deps-perm"},
		{tab.VPERMPDYmi, tab.VPERMQZrrkz, "false-deps-perm"},
		{tab.VPMULLQZ128rm, tab.VPMULLQZrrkz, "false-deps-mullq"},
		{tab.VRANGEPDZ128rmbi, tab.VRANGESSZrrikz, "false-deps-range"},
	} {
		if between(g.from, g.to) {
			return hasOwnDest(st.Facts, op) && st.HasFeature(g.feature)
		}
	}
	return false
}

// hasOwnDest reports that the old destination is no operand: no merging mask.
func hasOwnDest(in *desc.Info, op desc.Opcode) bool {
	for _, o := range in.Operands(op) {
		if o.TiedTo == 0 {
			return false
		}
	}
	return true
}

// scalarStems begin the names of scalar instructions with VEX or EVEX encoding
// whose first source gives the upper part of the result only.
var scalarStems = [...]string{
	"VCVTSD2SH", "VCVTSD2SS", "VCVTSH2SD", "VCVTSH2SS", "VCVTSS2SD", "VCVTSS2SH",
	"VGETEXPSD", "VGETEXPSH", "VGETEXPSS", "VGETMANTSD", "VGETMANTSH", "VGETMANTSS", "VRCP14S", "VRCP28S", "VRCPSH", "VRCPSS",
	"VREDUCESH", "VREDUCESS", "VRNDSCALES", "VROUNDS", "VRSQRT14S", "VRSQRT28S", "VRSQRTSH", "VRSQRTSS", "VSQRTS",
}

// intStems begin the names of those that convert integers.
var intStems = [...]string{"VCVTSI2S", "VCVTSI642S", "VCVTUSI2S", "VCVTUSI642S"}

// undefUpdate reports that operand k of an instruction does not count where it is
// undefined, and yet is waited for. With fold as for partialUpdate.
func undefUpdate(in *desc.Info, op desc.Opcode, k int, fold bool) bool {
	name := in.OpcodeName(op)
	starts := func(stems []string) bool {
		for _, s := range stems {
			if strings.HasPrefix(name, s) {
				return !strings.Contains(name[len(s):], "k")
			}
		}
		return false
	}
	any := func(names ...string) bool {
		for _, s := range names {
			if strings.HasPrefix(name, s) {
				return true
			}
		}
		return false
	}
	switch {
	case k == 1 && starts(scalarStems[:]):
		return true
	case k == 1 && starts(intStems[:]):
		return !fold
	case name == "VMOVSSZrrk" || name == "VMOVSDZrrk":
		return k == 3 && !fold
	case name == "VMOVSSZrrkz" || name == "VMOVSDZrrkz":
		return k == 2 && !fold
	case fold:
		return false
	case name == "VPERM2F128rri" || name == "VPERM2I128rri" || strings.HasSuffix(name, "rri") && any("VSHUFF32X4Z", "VSHUFF64X2Z", "VSHUFI32X4Z", "VSHUFI64X2Z"):
		return k == 1 || k == 2
	case name == "SHUFPSrri" || name == "SHUFPDrri" || name == "MOVHLPSrr":
		return k == 2
	case !strings.HasSuffix(name, "rr"):
		return false
	case any("MMX_PUNPCK", "PUNPCK", "PACKSS", "PACKUS"):
		return k == 2
	case any("VPACKSS", "VPACKUS") && !any("VPACKSSDWY", "VPACKSSWBY", "VPACKUSDWY", "VPACKUSWBY") && !strings.HasSuffix(name, "Zrr") && !strings.HasSuffix(name, "Z256rr"),
		any("VPUNPCK"), name == "VMOVLHPSrr", name == "VMOVLHPSZrr":
		return k == 1 || k == 2
	}
	return false
}

// readsScalar reports an instruction on vector registers whose operands in memory
// are scalars of a size.
func readsScalar(in *desc.Info, op desc.Opcode, bytes int64) bool {
	name := in.OpcodeName(op)
	if !strings.HasSuffix(name, "_Int") {
		return false
	}
	if at := strings.Index(name, "CVT"); at >= 0 {
		name, _, _ = strings.Cut(name, "2") // what is converted
	}
	switch bytes {
	case 2:
		return strings.Contains(name, "SH")
	case 4:
		return strings.Contains(name, "SS")
	}
	return strings.Contains(name, "SD")
}

// What a register that is read or kept for nothing should have been left alone
// for, in instructions.
const (
	partialClearance = 64
	undefClearance   = 128
)

// partialUpdateClearance is InstrHooks.PartialUpdate.
func partialUpdateClearance(st *target.Subtarget, f *mir.Function, i mir.InstrID, k int) int {
	if k != 0 || !partialUpdate(st, f.Instr(i).Opcode, false) {
		return 0
	}
	d := f.Op(i, 0)
	if d.ReadsReg() && d.IsUse() {
		return 0
	}
	for _, o := range f.Ops(i) {
		// Where the register is an input too, the old value is wanted.
		if o.IsUse() && !o.IsUndef() && o.Reg() != 0 && (o.Reg() == d.Reg() || d.Reg().IsPhysical() && o.Reg().IsPhysical() && overlap(f.Facts, o.Reg(), d.Reg())) {
			return 0
		}
	}
	return partialClearance
}

// overlap reports whether two physical registers share a part.
func overlap(in *desc.Info, a, b mir.Reg) bool {
	for u := range in.RegUnits(desc.PhysReg(a)).All() {
		for v := range in.RegUnits(desc.PhysReg(b)).All() {
			if u == v {
				return true
			}
		}
	}
	return false
}

// undefReadClearance is InstrHooks.UndefRead.
func undefReadClearance(st *target.Subtarget, f *mir.Function, i mir.InstrID, k int) int {
	if o := f.Op(i, k); o.IsUndef() && o.Reg().IsPhysical() && undefUpdate(st.Facts, f.Instr(i).Opcode, k, false) {
		return undefClearance
	}
	return 0
}

// breakDependency is InstrHooks.BreakDependency: an exclusive or of a register with
// itself, which processors know to depend on nothing.
func breakDependency(st *target.Subtarget, f *mir.Function, i mir.InstrID, k int) {
	r := f.Op(i, k).Reg()
	for _, o := range f.Ops(i) {
		if o.IsKill() && o.Reg() == r {
			return
		}
	}
	p := desc.PhysReg(r)
	in := f.Facts
	low := func(sub desc.SubRegIdx) mir.Reg { return reg(in.SubReg(p, sub)) }
	op, part := desc.Opcode(0), r
	switch {
	case in.ClassContains(tab.VR128RegClassID, p):
		if op = tab.XORPSrr; st.HasFeature("avx") {
			op = tab.VXORPSrr
		}
	case in.ClassContains(tab.VR256RegClassID, p):
		op, part = tab.VXORPSrr, low(tab.SubXmm)
	case in.ClassContains(tab.VR128XRegClassID, p):
		if !st.HasFeature("avx512vl") {
			return
		}
		op = tab.VPXORDZ128rr
	case in.ClassContains(tab.VR256XRegClassID, p), in.ClassContains(tab.VR512RegClassID, p):
		if !st.HasFeature("avx512vl") {
			return
		}
		op, part = tab.VPXORDZ128rr, low(tab.SubXmm)
	case in.ClassContains(tab.GR64RegClassID, p):
		op, part = tab.XOR32rr, low(tab.Sub32Bit)
	case in.ClassContains(tab.GR32RegClassID, p):
		op = tab.XOR32rr
	default:
		return
	}
	b := mir.Builder{F: f, Loc: f.Instr(i).Loc}
	b.SetBefore(i)
	n := b.BuildInstr(op, mir.RegOp(part, mir.Def), mir.RegOp(part, mir.Undef), mir.RegOp(part, mir.Undef))
	if part != r {
		f.AddOp(n, mir.RegOp(r, mir.Def|mir.Implicit))
	}
	f.AddOp(i, mir.RegOp(r, mir.Implicit|mir.Kill))
}

package facts

import (
	"strings"
	"testing"

	"github.com/mirin-go/mirin/desc"
)

func TestX86Variants(t *testing.T) {
	in := x86(t)
	v := &in.Variants[0]
	if got := in.Str(v.DataLayout); got != "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128" {
		t.Errorf("data layout %s", got)
	}
	if in.OpcodeName(v.FrameSetup) != "ADJCALLSTACKDOWN64" || in.OpcodeName(v.FrameDestroy) != "ADJCALLSTACKUP64" {
		t.Errorf("call frame opcodes %d, %d", v.FrameSetup, v.FrameDestroy)
	}
	if v.StackAlign != 16 || v.LocalAreaOffset != -8 || v.StackGrowsUp || v.PointerSize != 8 || int(v.Mode) != in.DefaultMode || in.RegName(v.StackPointer) != "RSP" {
		t.Errorf("%+v", *v)
	}
	set := in.ReservedRegs(0)
	for name, want := range map[string]bool{"rsp": true, "esp": true, "rip": true, "ssp": true, "rax": false, "rbp": false, "xmm7": false, "fs": true} {
		r := reg(t, in, name)
		if got := set[r/32]>>(r%32)&1 != 0; got != want {
			t.Errorf("%s reserved: %v", name, got)
		}
	}
	if in.Str(in.Variants[1].Triple) != "i386-unknown-linux-gnu" || in.Variants[1].PointerSize != 4 {
		t.Errorf("second variant: %s", in.Str(in.Variants[1].Triple))
	}
}

func TestX86Pressure(t *testing.T) {
	in := x86(t)
	c := in.ClassPressure[class(t, in, "gr64")]
	if c.NumSets == 0 || c.Weight == 0 || c.Limit < c.Weight {
		t.Fatalf("gr64: %+v", c)
	}
	for _, s := range in.PressureLists[c.Sets : int(c.Sets)+int(c.NumSets)] {
		if in.PressureSets[s].Limit == 0 || in.Str(in.PressureSets[s].Name) == "" {
			t.Errorf("set %d: %+v", s, in.PressureSets[s])
		}
	}
}

func opcode(t *testing.T, in *desc.Info, name string) desc.Opcode {
	t.Helper()
	op, ok := in.OpcodeByName(name)
	if !ok {
		t.Fatalf("no opcode %s", name)
	}
	return op
}

func TestX86Folds(t *testing.T) {
	in := x86(t)
	op := func(name string) desc.Opcode { return opcode(t, in, name) }
	for _, c := range []struct {
		reg, mem string
		operand  uint8
		flags    desc.FoldFlags
		align    uint8
	}{
		{"ADD32rr", "ADD32rm", 2, desc.FoldLoad, 0},
		{"ADD32rr", "ADD32mr", 0, desc.FoldLoad | desc.FoldStore | desc.FoldOnly, 0},
		{"ADD32ri_DB", "ADD32mi", 0, desc.FoldLoad | desc.FoldStore | desc.FoldOnly, 0},
		{"ADDPSrr", "ADDPSrm", 2, desc.FoldLoad, 4},
		{"VADDPSrr", "VADDPSrm", 2, desc.FoldLoad, 0},
		{"MOV32ri", "MOV32mi", 0, desc.FoldStore, 0},
		{"MOV64rr", "MOV64rm", 1, desc.FoldLoad | desc.UnfoldOnly, 0},
		{"SETCCr", "SETCCm", 0, desc.FoldStore, 0},
		{"CMP32rr", "CMP32mr", 0, desc.FoldLoad, 0},
		{"IMUL64rr", "IMUL64rm", 2, desc.FoldLoad, 0},
		{"CVTSD2SSrr", "CVTSD2SSrm", 1, desc.FoldLoad, 0},
		{"UNPCKLPDrr", "UNPCKLPDrm", 2, desc.FoldLoad, 4},
	} {
		found := false
		for _, f := range in.FoldsOf(op(c.reg)) {
			found = found || in.OpcodeName(f.Mem) == c.mem && f.Operand == c.operand && f.Flags&15 == c.flags && f.Flags.Align() == c.align
		}
		if !found {
			t.Errorf("%s does not fold operand %d to %s: %v", c.reg, c.operand, c.mem, in.FoldsOf(op(c.reg)))
		}
	}
	if f := in.FoldsOf(desc.COPY); len(f) != 0 {
		t.Errorf("COPY folds: %v", f)
	}
	for _, c := range [][2]string{{"ADD32rm", "ADD32rr"}, {"MOV64rm", "MOV64rr"}, {"ADD32mr", ""}, {"INSERTPSrmi", ""}} {
		f, ok := in.UnfoldOf(op(c[0]))
		if ok != (c[1] != "") || ok && in.OpcodeName(f.Reg) != c[1] {
			t.Errorf("%s unfolds to %v %v, not %s", c[0], f, ok, c[1])
		}
	}
	// No operand of a register form has two memory forms to choose from.
	rows := in.Folds.Rows()
	for k := 1; k < len(rows); k++ {
		if a, b := rows[k-1], rows[k]; a.Reg == b.Reg && a.Operand == b.Operand && (a.Flags|b.Flags)&desc.UnfoldOnly == 0 && a.Flags&3 == b.Flags&3 {
			t.Errorf("%s folds operand %d to %s and to %s", in.OpcodeName(a.Reg), a.Operand, in.OpcodeName(a.Mem), in.OpcodeName(b.Mem))
		}
	}
}

// The sets of members must hold exactly the members.
func TestClassContains(t *testing.T) {
	for _, name := range []string{"X86", "AArch64", "BPF"} {
		in, err := Load(name)
		if err != nil {
			t.Fatal(err)
		}
		for c := range in.Classes {
			id, n := desc.ClassID(c), 0
			for r := range in.Regs {
				if in.ClassContains(id, desc.PhysReg(r)) {
					n++
				}
			}
			for _, r := range in.ClassMembers(id) {
				if !in.ClassContains(id, r) {
					t.Errorf("%s: %s does not contain %s", name, in.RegClassName(id), in.RegName(r))
				}
			}
			if n != len(in.ClassMembers(id)) {
				t.Errorf("%s: %s contains %d registers, want %d", name, in.RegClassName(id), n, len(in.ClassMembers(id)))
			}
		}
	}
}

func TestVariantsOfAllTargets(t *testing.T) {
	for _, name := range Names() {
		in, err := Load(name)
		if err != nil {
			t.Fatal(err)
		}
		for i := range in.Variants {
			v := &in.Variants[i]
			if in.Str(v.DataLayout) == "" || in.Str(v.Triple) == "" || int(v.Mode) >= len(in.Modes) || v.PointerSize == 0 {
				t.Errorf("%s: variant %d: %+v", name, i, *v)
			}
			if len(in.ReservedRegs(i)) != in.RegWords() || int(v.Mask) >= len(in.RegMasks) || int(v.FrameSetup) >= in.NumInstrs() {
				t.Errorf("%s: variant %d: %+v", name, i, *v)
			}
			if strings.Contains(in.Str(v.Triple), " ") {
				t.Errorf("%s: triple %q", name, in.Str(v.Triple))
			}
			_ = in.RegLists.Rows()[v.SavedRegs : int(v.SavedRegs)+int(v.NumSaved)]
		}
		if len(in.ClassPressure) != len(in.Classes) || len(in.UnitPressure) != in.NumUnits() {
			t.Errorf("%s: %d classes and %d units have pressure", name, len(in.ClassPressure), len(in.UnitPressure))
		}
		for _, p := range append(append([]desc.PressureDesc(nil), in.ClassPressure...), in.UnitPressure...) {
			for _, s := range in.PressureLists[p.Sets : int(p.Sets)+int(p.NumSets)] {
				if int(s) >= len(in.PressureSets) {
					t.Fatalf("%s: pressure set %d", name, s)
				}
			}
		}
	}
}

func TestX86Commutes(t *testing.T) {
	in := x86(t)
	op := func(name string) desc.Opcode { return opcode(t, in, name) }
	for _, c := range []struct {
		op, to   string
		a, b     uint8
		imm, new int64
	}{
		{"ADD32rr", "ADD32rr", 1, 2, 0, 0},
		{"CMOV64rr", "CMOV64rr", 1, 2, 4, 5},
		{"SHLD32rri8", "SHRD32rri8", 1, 2, 5, 27},
		{"SHLD32rri8", "SHRD32rri8", 1, 2, 0, -1},
		{"SHRD16rri8", "SHLD16rri8", 1, 2, 16, -1},
		{"SHLD32rri8_NF", "", 1, 2, 5, 0},
		{"BLENDPSrri", "BLENDPSrri", 1, 2, 1, 14},
		{"PCLMULQDQrri", "PCLMULQDQrri", 1, 2, 1, 16},
		{"VFMADD213SDr", "VFMADD132SDr", 2, 3, 0, 0},
		{"VFMADD213SDr", "VFMADD231SDr", 1, 3, 0, 0},
		{"VFMADD213SDr", "VFMADD213SDr", 1, 2, 0, 0},
		{"VFMADD213SDm", "VFMADD213SDm", 1, 2, 0, 0},
		{"VFMADD213SDr_Int", "VFMADD132SDr_Int", 2, 3, 0, 0},
		{"VFMADD213SDr_Int", "", 1, 2, 0, 0},
		{"VPTERNLOGDZrri", "VPTERNLOGDZrri", 1, 3, 0x10, 2},
		{"VPCMPDZrri", "VPCMPDZrri", 1, 2, 1, 6},
		{"VCMPPDrri", "VCMPPDrri", 1, 2, 1, -1},
		{"VCMPPDrri", "VCMPPDrri", 1, 2, 3, 3},
		{"MOVHLPSrr", "UNPCKHPDrr", 1, 2, 0, 0},
		{"SUB32rr", "", 1, 2, 0, 0},
		{"MOVSSrr", "", 1, 2, 0, 0},
	} {
		found := false
		for _, r := range in.CommutesOf(op(c.op)) {
			if r.A != c.a || r.B != c.b {
				continue
			}
			found = true
			imm, ok := in.CommutedImm(&r, c.imm)
			if got := in.OpcodeName(r.To); got != c.to || ok != (c.new >= 0) || ok && r.Imm != 0 && imm != c.new {
				t.Errorf("%s %d commutes operands %d and %d to %s %d, %v", c.op, c.imm, c.a, c.b, got, imm, ok)
			}
		}
		if found != (c.to != "") {
			t.Errorf("%s operands %d and %d: %v", c.op, c.a, c.b, in.CommutesOf(op(c.op)))
		}
	}
	// What is exchanged twice is what it was.
	rows := in.Commutes.Rows()
	for k := range rows {
		r := &rows[k]
		var back *desc.CommuteDesc
		for x := range in.CommutesOf(r.To) {
			if q := &in.CommutesOf(r.To)[x]; q.A == r.A && q.B == r.B {
				back = q
			}
		}
		if back == nil || back.To != r.Op || back.Imm != r.Imm {
			t.Errorf("%s does not commute back to %s", in.OpcodeName(r.To), in.OpcodeName(r.Op))
			continue
		}
		for imm := int64(0); r.Imm != 0 && imm < 256; imm++ {
			once, ok := in.CommutedImm(r, imm)
			if !ok {
				continue
			}
			twice, ok := in.CommutedImm(back, once)
			if third, _ := in.CommutedImm(r, twice); !ok || third != once {
				t.Errorf("%s %d commutes to %d, and that to %d", in.OpcodeName(r.Op), imm, once, twice)
			}
		}
	}
}

func TestX86Traits(t *testing.T) {
	in := x86(t)
	popcnt, _ := in.FeatureByName("false-deps-popcnt")
	for _, c := range []struct {
		op   string
		want desc.OpTraits
	}{
		{"ADD32rr", desc.OpTraits{Flags: desc.Associative, Feature: desc.NoFeature}},
		{"MULSDrr", desc.OpTraits{Flags: desc.AssociativeIfFree, Feature: desc.NoFeature}},
		{"DIVSDrr", desc.OpTraits{Flags: desc.HighLatency, Feature: desc.NoFeature}},
		{"SQRTSDr", desc.OpTraits{Flags: desc.HighLatency | desc.PartialUpdate | desc.PartialFold, Feature: desc.NoFeature}},
		{"CVTSI2SDrr", desc.OpTraits{Flags: desc.PartialUpdate, Feature: desc.NoFeature}},
		{"POPCNT32rr", desc.OpTraits{Flags: desc.PartialUpdate | desc.PartialFold, Feature: in.Features[popcnt].Bit}},
		{"VSQRTSDr", desc.OpTraits{Flags: desc.HighLatency | desc.UndefFold, Undef: 2, Feature: desc.NoFeature}},
		{"VPUNPCKLBWrr", desc.OpTraits{Undef: 6, Feature: desc.NoFeature}},
		{"ADDSDrr_Int", desc.OpTraits{Feature: desc.NoFeature, ScalarLoads: 8}},
	} {
		op, _ := in.OpcodeByName(c.op)
		if got := in.Traits(op); got != c.want {
			t.Errorf("%s: %+v", c.op, got)
		}
	}
}

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
			if len(in.ReservedRegs(i)) != in.RegWords() || int(v.Mask) >= len(in.RegMasks) || int(v.FrameSetup) >= len(in.Instrs) {
				t.Errorf("%s: variant %d: %+v", name, i, *v)
			}
			if strings.Contains(in.Str(v.Triple), " ") {
				t.Errorf("%s: triple %q", name, in.Str(v.Triple))
			}
			_ = in.RegLists[v.SavedRegs : int(v.SavedRegs)+int(v.NumSaved)]
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

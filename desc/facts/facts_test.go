package facts

import (
	"testing"
)

func TestX86Basics(t *testing.T) {
	in, err := X86()
	if err != nil {
		t.Fatal(err)
	}
	op, ok := in.OpcodeByName("ADD32rr")
	if !ok {
		t.Fatal("no ADD32rr")
	}
	eax, ok := in.RegByName("eax")
	if !ok || in.RegName(eax) != "EAX" {
		t.Fatal("no eax")
	}
	t.Log(len(in.Instrs), op, eax, in.Operands(op), in.ImplicitDefs(op), in.NumUnits(), len(in.Regs), len(in.Classes))
	t.Log("opinfos", len(in.OperandInfos), "implicit", len(in.ImplicitRegs), "diffs", len(in.RegDiffs), "classbits", len(in.ClassBits), len(in.SubClassWithIdx), "masks", len(in.RegMaskBits), "feat", len(in.FeatureBits), len(in.Features), len(in.Processors), in.FeatureWords, "dwarf", len(in.DwarfRegs), "saved", len(in.SavedRegs), "names", len(in.Names), "reglists", len(in.RegLists))
	for i, m := range in.Modes {
		t.Log("mode", i, in.Str(m), in.ClassByMode[i*in.NumModeClasses:(i+1)*in.NumModeClasses])
	}
	for _, l := range in.DwarfRegs {
		t.Log(in.Str(l.Triple))
	}
	f, _ := openFile(dataX86)
	for i, s := range f.sections {
		t.Log(i, s.stored, s.raw)
	}
}

func BenchmarkDecodeX86(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := decode(dataX86); err != nil {
			b.Fatal(err)
		}
	}
}

package facts

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/mirin-go/mirin/desc"
)

// TestAppendDecode encodes targets and reads them again.
func TestAppendDecode(t *testing.T) {
	for _, name := range []string{"BPF", "X86", "AArch64", "Hexagon"} {
		in, err := Load(name)
		if err != nil {
			t.Fatal(err)
		}
		data, err := Append(nil, in)
		if err != nil {
			t.Fatal(err)
		}
		out, err := Decode(string(data))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		again, err := Append(nil, out)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(data, again) {
			t.Errorf("%s: what is read again is encoded otherwise", name)
		}
		sameInfo(t, in, out)
	}
}

// sameInfo compares tables; names by their text.
func sameInfo(t *testing.T, a, b *desc.Info) {
	if a.NumInstrs() != b.NumInstrs() || len(a.Regs) != len(b.Regs) || len(a.Classes) != len(b.Classes) {
		t.Fatalf("%s: %d %d %d rows, want %d %d %d", a.Target, b.NumInstrs(), len(b.Regs), len(b.Classes), a.NumInstrs(), len(a.Regs), len(a.Classes))
	}
	for op := range desc.Opcode(a.NumInstrs()) {
		x, y := *a.Instr(op), *b.Instr(op)
		if a.Str(x.Name) != b.Str(y.Name) {
			t.Fatalf("%s: opcode %d is %s, want %s", a.Target, op, b.Str(y.Name), a.Str(x.Name))
		}
		x.Name, y.Name = 0, 0
		if x != y {
			t.Fatalf("%s: opcode %d differs", a.Target, op)
		}
		if got, ok := b.OpcodeByName(a.OpcodeName(op)); !ok || got != op && a.OpcodeName(got) != a.OpcodeName(op) {
			t.Fatalf("%s: %s is not found", a.Target, a.OpcodeName(op))
		}
	}
	for i := range a.Regs {
		x, y := a.Regs[i], b.Regs[i]
		if a.Str(x.Name) != b.Str(y.Name) {
			t.Fatalf("%s: register %d is %s, want %s", a.Target, i, b.Str(y.Name), a.Str(x.Name))
		}
		x.Name, y.Name = 0, 0
		if x != y {
			t.Fatalf("%s: register %d differs", a.Target, i)
		}
	}
	for i := range a.Processors {
		if a.Str(a.Processors[i].Name) != b.Str(b.Processors[i].Name) {
			t.Fatalf("%s: processor %d", a.Target, i)
		}
	}
	for _, p := range [...][2]any{
		{a.OperandInfos, b.OperandInfos}, {a.ImplicitRegs, b.ImplicitRegs}, {a.RegDiffs, b.RegDiffs}, {a.Units, b.Units},
		{a.Compose.Rows(), b.Compose.Rows()}, {a.LaneOps, b.LaneOps}, {a.LaneOpStart, b.LaneOpStart}, {a.SubClasses.Rows(), b.SubClasses.Rows()},
		{a.ClassBits.Rows(), b.ClassBits.Rows()}, {a.SubClassWithIdx.Rows(), b.SubClassWithIdx.Rows()}, {a.ClassSizes, b.ClassSizes},
		{a.ClassByMode, b.ClassByMode}, {a.RegMaskBits.Rows(), b.RegMaskBits.Rows()}, {a.DwarfNums, b.DwarfNums}, {a.FeatureBits, b.FeatureBits},
		{a.ClassPressure, b.ClassPressure}, {a.UnitPressure, b.UnitPressure}, {a.Folds.Rows(), b.Folds.Rows()}, {a.Commutes.Rows(), b.Commutes.Rows()}, {a.CommuteMaps.Rows(), b.CommuteMaps.Rows()}, {a.TraitOf, b.TraitOf}, {a.TraitKinds, b.TraitKinds}, {a.TypeLists, b.TypeLists},
		{a.RegLists.Rows(), b.RegLists.Rows()}, {a.LaneLists.Rows(), b.LaneLists.Rows()}, {a.PressureLists, b.PressureLists},
	} {
		x, y := reflect.ValueOf(p[0]), reflect.ValueOf(p[1])
		if x.Len() != y.Len() || x.Len() > 0 && !reflect.DeepEqual(p[0], p[1]) {
			t.Errorf("%s: a table of %T differs", a.Target, p[0])
		}
	}
}

// TestSchedRoundTrip encodes machine models.
func TestSchedRoundTrip(t *testing.T) {
	in, err := Load("BPF")
	if err != nil {
		t.Fatal(err)
	}
	data, _ := Append(nil, in)
	out, err := Decode(string(data))
	if err != nil {
		t.Fatal(err)
	}
	want := &desc.SchedTable{Names: "abc", NumClasses: 1, ClassNames: []desc.Name{1},
		Models:    []desc.SchedModelDesc{{IssueWidth: 3, NoModel: true}, {Name: 1, LoadLatency: -1, Flags: desc.SchedPostRA, HasItineraries: true, NumResources: 1}},
		ClassRows: []uint16{1}, Classes: []desc.SchedClassDesc{{MicroOps: desc.SchedInvalid}, {MicroOps: 2, NumUses: 1, NumLatencies: 1}, {MicroOps: desc.SchedVariant, NumChoices: 1}},
		Resources: []desc.SchedResourceDesc{{NumUnits: 2, Buffer: -1, Super: 1}}, Uses: []desc.SchedUse{{Resource: 1, Release: 2, Acquire: 1}},
		Latencies: []desc.SchedLatency{{Cycles: -1, Write: 7}}, Advances: []desc.SchedAdvance{{Use: 1, Write: 2, Cycles: -3}},
		Choices: []desc.SchedChoice{{NumPreds: 1}}, Preds: []desc.SchedPred{{Kind: desc.SchedPredImm, A: 1, B: 2, NumSet: 2}}, PredSets: []uint16{0, 5},
		Defaults: []uint16{1, 0}, SubUnits: []uint16{9}, ItineraryRows: []uint16{1}, Itineraries: []desc.ItineraryDesc{{MicroOps: -1, NumStages: 1, NumCycles: 2}},
		Stages: []desc.ItineraryStage{{Units: 5, Cycles: 1, Next: -1, Reserved: true}}, Cycles: []uint16{4, 5}, Bypasses: []uint16{0, 1}, Units: []desc.Name{2}}
	out.SetSched(func() *desc.SchedTable { return want })
	for i := range out.Processors {
		out.Processors[i].Model = 1
	}
	data, err = Append(nil, out)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Decode(string(data))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got.Sched(), want) {
		t.Errorf("got %+v", got.Sched())
	}
}

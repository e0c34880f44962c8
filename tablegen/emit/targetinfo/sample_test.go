package targetinfo

import (
	"slices"
	"testing"

	"github.com/mirin-go/mirin/desc"
)

func sample(t *testing.T) *Target {
	t.Helper()
	target, err := Load("testdata/sample.td", Options{})
	if err != nil {
		t.Fatal(err)
	}
	return target
}

// TestItineraries looks into the pipeline of testdata/sample.td, whose classes
// are the built-in ones.
func TestItineraries(t *testing.T) {
	in := sample(t).Info
	p, ok := in.ProcessorByName("small")
	if !ok || in.Sched() == nil {
		t.Fatal("no processor")
	}
	s, model := in.Sched(), int(in.Processors[p].Model)
	if m := s.Models[model]; !m.HasItineraries || m.NumUnits != 2 || s.Str(s.Units[int(m.FirstUnit)+1]) != "SmallMem" {
		t.Errorf("model %+v", m)
	}
	get := func(name string) (desc.ItineraryDesc, []desc.ItineraryStage) {
		op, _ := in.OpcodeByName(name)
		d := s.Itinerary(model, int(in.Instr(op).SchedClass))
		if d == nil {
			return desc.ItineraryDesc{}, nil
		}
		return *d, s.Stages[d.First : int(d.First)+int(d.NumStages)]
	}
	d, stages := get("ADD")
	if d.MicroOps != 1 || !slices.Equal(stages, []desc.ItineraryStage{{Units: 1, Cycles: 1, Next: -1}}) {
		t.Errorf("ADD: %+v %+v", d, stages)
	}
	if c := s.Cycles[d.FirstCycle : int(d.FirstCycle)+int(d.NumCycles)]; !slices.Equal(c, []uint16{2, 1, 1}) {
		t.Errorf("ADD: cycles %v", c)
	}
	if b := s.Bypasses[d.FirstCycle : int(d.FirstCycle)+int(d.NumCycles)]; !slices.Equal(b, []uint16{0, 1, 0}) {
		t.Errorf("ADD: bypasses %v", b)
	}
	d, stages = get("LD")
	if d.MicroOps != 2 || !slices.Equal(stages, []desc.ItineraryStage{{Units: 1, Cycles: 1}, {Units: 2, Cycles: 3, Next: -1}}) {
		t.Errorf("LD: %+v %+v", d, stages)
	}
	if d, _ := get("MUL"); d.NumStages != 0 {
		t.Errorf("MUL: %+v", d)
	}
}

// TestSampleNumbers looks at what LLVM's tools do not print.
func TestSampleNumbers(t *testing.T) {
	target := sample(t)
	in := target.Info
	r3, _ := in.RegByName("r3")
	if in.DwarfNum(0, r3, false) != 3 || in.DwarfNum(1, r3, true) != 13 || in.Regs[r3].Encoding != 3 {
		t.Errorf("numbers of R3")
	}
	if flags, _ := in.RegByName("flags"); !in.Overlap(flags, flags+1) && in.RegName(flags+1) == "SHADOW" {
		t.Errorf("aliases do not overlap")
	}
	zero, _ := in.RegByName("zero")
	if in.Regs[zero].Flags&desc.RegConstant == 0 {
		t.Errorf("ZERO is not constant")
	}
	if words := in.ReservedRegs(0); words[zero/32]>>(zero%32)&1 == 0 || words[r3/32]>>(r3%32)&1 != 0 {
		t.Errorf("reserved registers are wrong")
	}
	op, _ := in.OpcodeByName("ST")
	st := &target.Instrs[op]
	if k, ok := st.Find("b"); !ok || k != 1 {
		t.Errorf("ST: operand b is %d, %v", k, ok)
	}
	if k, ok := st.Find("m.off"); !ok || k != 2 {
		t.Errorf("ST: operand m.off is %d, %v", k, ok)
	}
	if got, ok := target.OpcodeOf(st.Rec); !ok || got != op {
		t.Errorf("opcode of ST's record is %d", got)
	}
	// Common opcodes come without records.
	if in.OpcodeName(desc.G_ADD) != "G_ADD" || in.Instr(desc.COPY).NumOperands != 2 || !in.Instr(desc.PHI).IsVariadic() {
		t.Errorf("common opcodes are wrong")
	}
	hi, _ := in.SubRegIndexByName("even_hi")
	odd, _ := in.SubRegIndexByName("odd")
	lo, _ := in.SubRegIndexByName("lo16")
	if in.ComposeSubRegs(odd, lo) != hi || in.ComposeLanes(odd, in.SubRegLanes(lo)) != in.SubRegLanes(hi) {
		t.Errorf("odd:lo16 is not even_hi")
	}
}

func TestCamel(t *testing.T) {
	for in, want := range map[string]string{"sub_8bit": "Sub8Bit", "sub_8bit_hi": "Sub8BitHi", "sub_xmm": "SubXmm", "sub_mask_0": "SubMask0"} {
		if got := camel(in); got != want {
			t.Errorf("camel(%q) = %q, want %q", in, got, want)
		}
	}
}

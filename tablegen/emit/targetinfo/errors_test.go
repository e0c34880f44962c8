package targetinfo

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/diag"
	"github.com/mirin-go/mirin/tablegen"
	"github.com/mirin-go/mirin/tablegen/include"
)

const goodStart = `include "mirin/Target.td"
def T : Target;
def R0 : Register<"r0">; def R1 : Register<"r1">; def R2 : Register<"r2">;
def RC : RegisterClass<"T", [i32], 32, (add R0, R1)>;
class I<dag o, dag i, string c = ""> : Instruction { let Namespace = "T"; let OutOperandList = o; let InOperandList = i; let Constraints = c; }
`

func build(text string) (*Target, error) {
	rs, err := tablegen.Parse(tablegen.Options{ReadFile: include.ReadFile(nil)}, "t.td", []byte(text))
	if err != nil {
		return nil, err
	}
	return Build(rs, Options{})
}

// TestErrors feeds faults: each is a message with a place and no panic.
func TestErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"def X : I<(outs RC:$d), (ins RC:$a), \"$a = $b\">;", "t.td:6:5: error: constraint '$a = $b' of 'X' names no operand"},
		{"def X : I<(outs RC:$d), (ins RC:$a, RC:$b), \"$a = $b\">;", "must tie an input to an output"},
		{"def X : I<(outs RC:$d), (ins RC:$a), \"$d = $d\">;", "ties an operand to itself"},
		{"def X : I<(outs RC:$d), (ins RC:$a), \"$a=$d, $a=$d\">;", "tied twice"},
		{"def X : I<(outs RC:$d), (ins RC:$a), \"foo\">;", "is neither"},
		{"def X : I<(outs RC:$d), (ins RC:$a, RC:$a)>;", "two operands with the name 'a'"},
		{"def Q;\ndef X : I<(outs RC:$d), (ins Q:$a)>;", "'Q' is no register class, register operand or operand"},
		{"def X : I<(outs 3:$d), (ins)>;", "operand 'd' of 'X' is no record"},
		{"def X : I<(outs RC:$d), (ins)> { let TSFlags{3} = ?; }", "bit 3 of TSFlags of 'X' is not set"},
		{"def X : I<(outs RC:$d), (ins)> { let Size = 300; }", "has 300 bytes"},
		{"def s : SubRegIndex<8>;\ndef R3 : Register<\"\"> { let SubRegs = [R0]; }", "has 1 sub-registers and 0 sub-register indices"},
		{"def s : SubRegIndex<8>;\ndef u : SubRegIndex<8>;\ndef R3 : Register<\"\"> { let SubRegs = [R0, R0]; let SubRegIndices = [s, u]; }", "has two indices"},
		{"def s : SubRegIndex<8>;\ndef R3 : Register<\"\"> { let SubRegs = [R0, R1]; let SubRegIndices = [s, s]; }", "appears twice"},
		{"def s : SubRegIndex<8> { let ComposedOf = [s]; }", "must have exactly two entries"},
		{"def s : SubRegIndex<8>;\ndef R3 : Register<\"\"> { let SubRegs = [!cast<Register>(\"R4\")]; let SubRegIndices = [s]; }\ndef R4 : Register<\"\">;", "R4"},
		{"def RD : RegisterClass<\"T\", [], 32, (add R0)>;", "class 'RD' has no types"},
		{"def RD : RegisterClass<\"T\", [i32], 32, (frob R0)>;\ndef frob;", "frob"},
		{"def RD : RegisterClass<\"T\", [i32], 32, (add RC)> { let AltOrders = [(add R2)]; }", "register 'R2' in alternative order 0 of class 'RD' is no member"},
		{"def RD : RegisterClass<\"T\", [OtherVT], 32, (add R2)>;", "size of registers of class 'RD' is not known"},
		{"def s : SubRegIndex<8>;\ndef u : SubRegIndex<8>;\ndef P : RegisterTuples<[s, u], [(add R0)]>;", "1 lists of sub-registers and 2 indices"},
		{"def s : SubRegIndex<8>;\ndef u : SubRegIndex<8>;\ndef R0_R1 : Register<\"\">;\ndef P : RegisterTuples<[s, u], [(add R0), (add R1)]>;", "register 'R0_R1' is already defined"},
		{"def T2 : Target;", "more than one target: 'T' and 'T2'"},
		{"def A : SubtargetFeature<\"a\", \"\", \"\", \"\">;\ndef B : SubtargetFeature<\"a\", \"\", \"\", \"\">;", "that of 'A' too"},
		{"def : Processor<\"p\", NoItineraries, []>;\ndef : Processor<\"p\", NoItineraries, []>;", "processor 'p' is defined twice"},
		{"def M : SchedMachineModel;\ndef : ProcessorModel<\"p\", M, []>;\ndef X : I<(outs), (ins)>;", "no schedule information for instruction 'X' in machine model 'M'"},
		{"def M : SchedMachineModel { let CompleteModel = 0; }\ndef : ProcessorModel<\"p\", M, []>;\ndef W : SchedWrite;\ndef W2 : SchedWrite;\nlet SchedModel = M in { def U : ProcResource<1>; def : WriteRes<W2, [U]>; }\ndef X : I<(outs), (ins)> { let SchedRW = [W]; }", "machine 'M' has no resources for 'W'"},
		{"def M : SchedMachineModel { let CompleteModel = 0; }\ndef : ProcessorModel<\"p\", M, []>;\nlet SchedModel = M in def : InstRW<[], (instregex \"FOO\")>;", "matches no instruction"},
		{"def M : SchedMachineModel { let CompleteModel = 0; }\ndef : ProcessorModel<\"p\", M, []>;\nlet SchedModel = M in def : InstRW<[], (instregex \"FO(O\")>;", "is no regular expression"},
		{"multiclass D { def NAME#X : I<(outs RC:$d), (ins), \"$q = $d\">; }\ndefm A : D;", "t.td:7:10: note: instantiated from multiclass"},
	} {
		_, err := build(goodStart + c.text)
		var l diag.List
		if err == nil || !errors.As(err, &l) {
			t.Errorf("%s: no list of errors but %v", c.text, err)
			continue
		}
		if text := string(diag.AppendError(nil, "", l)); !strings.Contains(text, c.want) || !strings.Contains(text, "t.td:") {
			t.Errorf("%s\nwant %s\ngot\n%s", c.text, c.want, text)
		}
	}
	if _, err := build(goodStart); err != nil {
		t.Errorf("a good description: %v", err)
	}
	if _, err := build("def X;"); err == nil {
		t.Error("nothing was missed of an empty description")
	}
}

// FuzzBuild builds what damaged descriptions say.
func FuzzBuild(f *testing.F) {
	f.Add("def s : SubRegIndex<8>;\ndef R3 : Register<\"\"> { let SubRegs = [R0]; let SubRegIndices = [s]; let Aliases = [R3, R0]; }")
	f.Add("def X : I<(outs RC:$d), (ins RC:$a, i32imm:$b), \"$a = $d\"> { let Uses = [R0]; }")
	f.Add("def M : SchedMachineModel;\ndef : ProcessorModel<\"p\", M, []>;\ndef W : SchedWrite; def U : ProcResource<1>;\nlet SchedModel = M in def : WriteRes<W, [U]>;\ndef X : I<(outs), (ins)> { let SchedRW = [W]; }")
	f.Fuzz(func(t *testing.T, text string) {
		rs, err := tablegen.Parse(tablegen.Options{ReadFile: include.ReadFile(nil), MaxSteps: 200000}, "t.td", []byte(goodStart+text))
		if err == nil {
			Build(rs, Options{})
		}
	})
}

// TestDamagedSample builds testdata/sample.td without each of its lines, and with
// other numbers: errors or none, but no panic.
func TestDamagedSample(t *testing.T) {
	src, err := os.ReadFile("testdata/sample.td")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(src), "\n")
	try := func(text string) {
		defer func() {
			if e := recover(); e != nil {
				t.Errorf("panic %v for\n%s", e, text)
			}
		}()
		rs, err := tablegen.Parse(tablegen.Options{ReadFile: include.ReadFile(nil), MaxSteps: 1000000}, "t.td", []byte(text))
		if err == nil {
			Build(rs, Options{})
		}
	}
	for i, line := range lines {
		rest := strings.Join(lines[i+1:], "")
		head := strings.Join(lines[:i], "")
		try(head + rest)
		for _, r := range [...]*strings.Replacer{strings.NewReplacer("0", "-1", "32", "0"), strings.NewReplacer("1", "99999999999"),
			strings.NewReplacer("[", "[/*", "]", "*/]"), strings.NewReplacer("GPR", "PAIR", "R#i", "R1"), strings.NewReplacer("lo16", "hi16", "even", "odd")} {
			if other := r.Replace(line); other != line {
				try(head + other + rest)
			}
		}
	}
}

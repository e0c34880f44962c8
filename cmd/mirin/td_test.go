package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/facts"
	"github.com/mirin-go/mirin/tablegen/tblgen"
)

const sampleTd = "../../tablegen/emit/targetinfo/testdata/sample.td"

const sampleMIR = `---
name:            f
tracksRegLiveness: true
registers:
  - { id: 3, class: low }
body:             |
  bb.0:
    liveins: $r1, $r2
  
    %0:gpr = COPY $r1
    %1:gpr_with_hi16 = ADD %0, $r2, implicit-def $flags
    %2:low = ADDT %3, 7, implicit-def $flags
    $r3 = COPY %2
    $h4 = COPY %1.lo16
    RET implicit $r3
...
`

func runTd(t *testing.T, main func([]string, *bytes.Buffer, *bytes.Buffer) int, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	status = main(args, &out, &errs)
	return status, out.String(), errs.String()
}

func mirTdTool(args []string, out, errs *bytes.Buffer) int {
	return mirMain(args, strings.NewReader(""), out, errs)
}

func tblgenTdTool(args []string, out, errs *bytes.Buffer) int {
	return tblgen.Main(args, strings.NewReader(""), out, errs)
}

func writeTd(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestMIROfTd reads, prints and verifies MIR of a target that no program was
// built for.
func TestMIROfTd(t *testing.T) {
	file := writeTd(t, "a.mir", sampleMIR)
	status, out, errs := runTd(t, mirTdTool, "fmt", "--td", sampleTd, "-simplify", file)
	if status != 0 || !strings.Contains(out, ":low = ADDT %0:low, 7, implicit-def $flags") || !strings.Contains(out, "$h4 = COPY %2.lo16") {
		t.Fatalf("fmt: status %d\n%s%s", status, out, errs)
	}
	again := writeTd(t, "b.mir", out)
	if _, out2, _ := runTd(t, mirTdTool, "fmt", "--td", sampleTd, "-simplify", again); out2 != out {
		t.Errorf("fmt changes what it has written:\n%s", out2)
	}
	status, out, _ = runTd(t, mirTdTool, "verify", "--td", sampleTd, file)
	if status == 0 || !strings.Contains(out, "Reading virtual register without a def") {
		t.Errorf("verify: status %d\n%s", status, out)
	}
	good := writeTd(t, "c.mir", strings.Replace(sampleMIR, "ADDT %3,", "ADDT %1.,", 1))
	if status, out, _ := runTd(t, mirTdTool, "verify", "--td", sampleTd, good); status == 0 {
		t.Errorf("verify takes what cannot be read:\n%s", out)
	}
	good = writeTd(t, "c.mir", strings.Replace(sampleMIR, "%2:low = ADDT %3, 7", "%3:low = COPY %1\n    %2:low = ADDT %3, 7", 1))
	if status, out, errs := runTd(t, mirTdTool, "verify", "--td", sampleTd, good); status != 0 {
		t.Errorf("verify: status %d\n%s%s", status, out, errs)
	}
	for _, cmd := range []string{"stats", "cfg"} {
		if status, _, errs := runTd(t, mirTdTool, cmd, "--td", sampleTd, good); status != 0 {
			t.Errorf("%s: status %d\n%s", cmd, status, errs)
		}
	}
	if status, out, _ := runTd(t, mirTdTool, "diff", "--td", sampleTd, good, good); status != 0 {
		t.Errorf("diff: status %d\n%s", status, out)
	}
	llc := func(args []string, out, errs *bytes.Buffer) int {
		return llcMain(args, strings.NewReader(""), out, errs)
	}
	status, out, errs = runTd(t, llc, "--td", sampleTd, "-run-pass=none", good, "-o", "-")
	if status != 0 || !strings.Contains(out, ":low = COPY %") {
		t.Errorf("llc: status %d\n%s%s", status, out, errs)
	}
}

// TestTdFault shows where the description of a target is wrong.
func TestTdFault(t *testing.T) {
	td := writeTd(t, "bad.td", "include \"mirin/Target.td\"\ndef T : Target;\ndef R : Register<\"r\">;\ndef RC : RegisterClass<\"T\", [i32], 32, (add R)>;\n"+
		"def X : Instruction { let Namespace = \"T\"; let OutOperandList = (outs RC:$d); let InOperandList = (ins); let Constraints = \"$q = $d\"; }\n")
	file := writeTd(t, "a.mir", sampleMIR)
	status, _, errs := runTd(t, mirTdTool, "verify", "--td", td, file)
	if status == 0 || !strings.Contains(errs, "bad.td:5:") || !strings.Contains(errs, "constraint '$q = $d' of 'X' names no operand") || !strings.Contains(errs, "^") {
		t.Errorf("status %d\n%s", status, errs)
	}
	if status, _, errs := runTd(t, tblgenTdTool, "--gen-facts", td); status == 0 || !strings.Contains(errs, "bad.td:5:") {
		t.Errorf("tblgen: status %d\n%s", status, errs)
	}
}

// TestGenTarget runs the generators that describe a target.
func TestGenTarget(t *testing.T) {
	for _, c := range []struct{ action, want string }{
		{"gen-go-register-info", "GPRRegClassID"}, {"gen-go-register-info", "Lo16"}, {"gen-go-instr-info", "\tADDT\n"},
		{"gen-go-instr-info", "Sched_DIV_DIVP"}, {"gen-go-subtarget", "FeatureFast = 0"}, {"gen-go-subtarget", "//go:embed zz_sample.bin"},
		{"print-registers", "RegisterClass LOW_and_ODDS:"},
	} {
		status, out, errs := runTd(t, tblgenTdTool, "--"+c.action, "--go-package", "tab", "--facts-file", "zz_sample.bin", sampleTd)
		if status != 0 || !strings.Contains(out, c.want) {
			t.Errorf("%s: status %d, no %q\n%.500s%s", c.action, status, c.want, out, errs)
		}
	}
	status, out, errs := runTd(t, tblgenTdTool, "--gen-facts", sampleTd)
	if status != 0 {
		t.Fatalf("gen-facts: %s", errs)
	}
	in, err := facts.Decode(out)
	if err != nil {
		t.Fatal(err)
	}
	op, ok := in.OpcodeByName("ADDT")
	if !ok || in.Operands(op)[1].TiedTo != 0 || in.Instr(op).TSFlags != 2 {
		t.Errorf("ADDT: %v %+v", ok, in.Instr(op))
	}
	pair, ok := in.RegByName("r2_r3")
	if odd, _ := in.SubRegIndexByName("odd"); !ok || in.RegName(in.SubReg(pair, odd)) != "R3" {
		t.Errorf("R2_R3 is wrong")
	}
	if p, ok := in.ProcessorByName("big"); !ok || in.Sched().Latency(int(in.Processors[p].Model), int(in.Instr(op).SchedClass)) != 1 {
		t.Errorf("machine models are wrong: %+v", in.Sched())
	}
	if in.Variants[0].PointerSize != 4 || in.Str(in.Variants[0].DataLayout) == "" || in.OpcodeName(desc.COPY) != "COPY" {
		t.Errorf("variant %+v", in.Variants[0])
	}
}

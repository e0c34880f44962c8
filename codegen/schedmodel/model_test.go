package schedmodel_test

import (
	"encoding/json"
	"math"
	"os/exec"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/codegen/schedmodel"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/facts"
	"github.com/mirin-go/mirin/internal/testenv"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/mir/mirtext"
)

// parse reads the instructions of a function body.
func parse(t *testing.T, target, triple, body string) (*mir.Function, []mir.InstrID) {
	t.Helper()
	mod, err := mirtext.ParseString("t.mir", "---\nname: f\nbody: |\n  bb.0:\n"+body+"...\n", mirtext.ParseOptions{Triple: triple,
		Facts: func(string) (*desc.Info, error) { return facts.Load(target) }})
	if err != nil {
		t.Fatal(err)
	}
	f := mod.Functions[0]
	var list []mir.InstrID
	for i := f.Block(f.FirstBlock()).First(); i != 0; i = f.Instr(i).Next() {
		list = append(list, i)
	}
	return f, list
}

// samples are instructions whose classes depend on operands, on some processors. (Of
// Apple's LLVM's simulator does not know all cases that its schedulers know.)
var samples = []struct{ target, triple, features, cpus, body, text string }{
	{"X86", "x86_64-unknown-linux-gnu", "+avx,+cmov", "generic haswell skylake icelake-server znver2 znver4 btver2 bdver2 sandybridge alderlake", `
    $eax = XOR32rr $eax, $eax, implicit-def $eflags
    $eax = XOR32rr $eax, $ecx, implicit-def $eflags
    $xmm1 = PXORrr $xmm1, $xmm1
    $xmm1 = PXORrr $xmm1, $xmm2
    $ymm1 = VXORPSYrr $ymm2, $ymm2
    $rdx = LEA64r $rax, 4, $rcx, 8, $noreg
    $rdx = LEA64r $rax, 1, $rcx, 0, $noreg
    $rdx = LEA64r $rax, 1, $noreg, 8, $noreg
    $rdx = LEA64r $rbp, 1, $rcx, 0, $noreg
    $eax = SUB32rr $eax, $eax, implicit-def $eflags
    $eax = MOV32rr $ecx
    $al = SETCCr 7, implicit $eflags
    $al = SETCCr 5, implicit $eflags
    $eax = CMOV32rr $eax, $ecx, 7, implicit $eflags
    $eax = CMOV32rr $eax, $ecx, 4, implicit $eflags
    $xmm1 = PCMPEQDrr $xmm1, $xmm1
`, "xorl %eax, %eax\nxorl %ecx, %eax\npxor %xmm1, %xmm1\npxor %xmm2, %xmm1\nvxorps %ymm2, %ymm2, %ymm1\nleaq 8(%rax,%rcx,4), %rdx\nleaq (%rax,%rcx), %rdx\nleaq 8(%rax), %rdx\n" +
		"leaq (%rbp,%rcx), %rdx\nsubl %eax, %eax\nmovl %ecx, %eax\nseta %al\nsetne %al\ncmova %ecx, %eax\ncmove %ecx, %eax\npcmpeqd %xmm1, %xmm1\n"},
	{"AArch64", "aarch64-unknown-linux-gnu", "+v8.2a", "cortex-a53 cortex-a57 neoverse-n1 neoverse-n2 neoverse-v1 exynos-m4 thunderx3t110 ampere1", `
    $x0 = ADDXrs $x1, $x2, 0
    $x0 = ADDXrs $x1, $x2, 3
    $x0 = ADDXrs $x1, $x2, 12
    $x0 = ADDXrs $x1, $x2, 68
    $x0 = ADDXrx64 $sp, $x2, 24
    $x0 = LDRXroX $x1, $x2, 0, 0
    $x0 = LDRXroX $x1, $x2, 0, 1
    $x0 = ORRXrs $xzr, $x2, 0
    $w0 = MOVZWi 0, 0
    $w0 = MOVZWi 5, 0
`, "add x0, x1, x2\nadd x0, x1, x2, lsl #3\nadd x0, x1, x2, lsl #12\nadd x0, x1, x2, lsr #4\nadd x0, sp, x2\nldr x0, [x1, x2]\nldr x0, [x1, x2, lsl #3]\nmov x0, x2\nmov w0, #0\nmov w0, #5\n"},
}

// TestAgainstMCA compares latencies, micro-operations and throughput with those that
// llvm-mca prints.
func TestAgainstMCA(t *testing.T) {
	tool := testenv.LLVM(t, "llvm-mca")
	for _, s := range samples {
		f, list := parse(t, s.target, s.triple, s.body)
		in, err := facts.Load(s.target)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(s.text, "\n")
		for _, cpu := range strings.Fields(s.cpus) {
			cmd := exec.Command(tool, "-mtriple="+s.triple, "-mcpu="+cpu, "-iterations=1", "-json", "-mattr="+s.features)
			cmd.Stdin = strings.NewReader(s.text)
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("llvm-mca -mcpu=%s: %v", cpu, err)
			}
			var got struct {
				CodeRegions []struct {
					InstructionInfoView struct {
						InstructionList []struct {
							Latency, NumMicroOpcodes int
							RThroughput              float64
						}
					}
				}
			}
			if err := json.Unmarshal(out, &got); err != nil {
				t.Fatal(err)
			}
			x := schedmodel.New(in, cpu)
			all := got.CodeRegions[0].InstructionInfoView.InstructionList
			if len(all) != len(list) {
				t.Fatalf("%d instructions, %d of LLVM", len(list), len(all))
			}
			for k, want := range all {
				i := list[k]
				c := x.Class(f, i)
				if c == nil {
					t.Errorf("%s: no cost of %s", cpu, lines[k])
					continue
				}
				if l, n := x.InstrLatency(f, i), x.MicroOps(f, i); l != want.Latency || n != want.NumMicroOpcodes {
					t.Errorf("%s: %s: latency %d, %d micro-operations, want %d and %d", cpu, lines[k], l, n, want.Latency, want.NumMicroOpcodes)
				}
				if r := x.Throughput(c); math.Abs(r-want.RThroughput) > 0.001 {
					t.Errorf("%s: %s: throughput %g, want %g", cpu, lines[k], r, want.RThroughput)
				}
			}
		}
	}
}

// TestOperandLatency looks at forwarding and at what the model leaves open.
func TestOperandLatency(t *testing.T) {
	f, l := parse(t, "X86", "x86_64-unknown-linux-gnu", `
    $rcx = IMUL64rr $rcx, $rdx, implicit-def $eflags
    $rax = ADD64rm $rax, $rcx, 1, $noreg, 0, $noreg, implicit-def $eflags
    $rax = ADD64rm $rcx, $rsi, 1, $noreg, 0, $noreg, implicit-def $eflags
    $rdx = COPY $rax
    $rbx = MOV64rm $rdx, 1, $noreg, 0, $noreg
    KILL $rbx
`)
	in, _ := facts.X86()
	sky, none := schedmodel.New(in, "skylake"), schedmodel.New(in, "i586")
	for _, c := range []struct {
		what      string
		got, want int
	}{
		{"a product as address", sky.OperandLatency(f, l[0], 0, l[1], 2), 3},
		{"a product beside a load", sky.OperandLatency(f, l[0], 0, l[2], 1), 0}, // 3, read 5 later
		{"a sum that loads", sky.OperandLatency(f, l[1], 0, 0, 0), 6},
		{"flags, which the model does not list", sky.OperandLatency(f, l[0], 3, 0, 0), 1},
		{"a load", sky.InstrLatency(f, l[4]), 5},
		{"a load of no model", none.InstrLatency(f, l[4]), 4},
		{"a sum of no model", none.OperandLatency(f, l[0], 0, l[1], 2), 1},
		{"a copy of no model", none.InstrLatency(f, l[3]), 0},
		{"what makes no code", sky.MicroOps(f, l[5]), 0},
		{"the output of one that waits in a queue", sky.OutputLatency(f, l[0]), 0},
		{"the output where all is in order", schedmodel.New(in, "no such processor").OutputLatency(f, l[0]), 1},
		{"issue width", sky.IssueWidth(), 6},
		{"mispredicted branches", sky.MispredictPenalty(), 14},
		{"the product of width and micro-operations' factor", sky.IssueWidth() * sky.MicroOpFactor(), sky.LatencyFactor()},
		{"load latency where nothing is known", schedmodel.New(in, "no such processor").LoadLatency(), 4},
	} {
		if c.got != c.want {
			t.Errorf("%s: %d, want %d", c.what, c.got, c.want)
		}
	}
	for k := range sky.NumResources() {
		if r := sky.Resource(k); int(r.NumUnits)*sky.ResourceFactor(k) != sky.LatencyFactor() {
			t.Errorf("%s: %d units, factor %d", sky.ResourceName(k), r.NumUnits, sky.ResourceFactor(k))
		}
	}
}

// TestItineraries asks a machine that is described by stages and operand cycles.
func TestItineraries(t *testing.T) {
	in, err := facts.Load("ARM")
	if err != nil {
		t.Fatal(err)
	}
	f, l := parse(t, "ARM", "armv7-unknown-linux-gnueabihf", `
    $r0 = MUL $r1, $r2, 14, $noreg, $noreg
    $r3 = ADDrr $r0, $r1, 14, $noreg, $noreg
`)
	x := schedmodel.New(in, "cortex-a8")
	if !x.HasItineraries() || x.OperandLatency(f, l[0], 0, l[1], 1) != 5 || x.MicroOps(f, l[0]) != 1 {
		t.Errorf("latency %d, %d micro-operations", x.OperandLatency(f, l[0], 0, l[1], 1), x.MicroOps(f, l[0]))
	}
}

// Every class of every model of every target can be asked.
func TestAllModels(t *testing.T) {
	for _, name := range facts.Names() {
		in, err := facts.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		for p := range in.Processors {
			x := schedmodel.New(in, in.Str(in.Processors[p].Name))
			if x.IssueWidth() < 1 || x.LatencyFactor() < 1 {
				t.Fatalf("%s: width %d, factor %d", in.Str(in.Processors[p].Name), x.IssueWidth(), x.LatencyFactor())
			}
			for op := range desc.Opcode(in.NumInstrs()) {
				if c := x.OpcodeClass(op); c != nil && x.ClassLatency(c) < 0 {
					t.Fatalf("%s: latency of %s", name, in.OpcodeName(op))
				}
			}
		}
	}
}

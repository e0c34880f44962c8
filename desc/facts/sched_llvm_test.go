package facts

import (
	"bytes"
	"encoding/json"
	"math"
	"os/exec"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/internal/testenv"
)

// mcaSamples are instructions of classes that do not depend on operands.
var mcaSamples = []struct {
	target, triple, cpus string
	ops                  [][2]string // opcode and text
}{
	{"X86", "x86_64", "x86-64 haswell skylake skylake-avx512 icelake-server alderlake znver1 znver2 znver3 znver4 btver2 bdver2 atom slm lunarlake", [][2]string{
		{"IMUL64rr", "imulq %rcx, %rax"}, {"MOV32rm", "movl 8(%rdi), %eax"}, {"MOV64mr", "movq %rax, (%rdi)"}, {"SHL32ri", "shll $3, %ecx"}, {"BSF64rr", "bsfq %rcx, %rax"},
		{"DIV32r", "divl %ecx"}, {"IDIV64m", "idivq (%rsi)"}, {"CVTTSD2SI64rr", "cvttsd2si %xmm1, %rax"}, {"ADDPSrr", "addps %xmm1, %xmm2"}, {"MULSDrm", "mulsd (%rax), %xmm1"},
		{"DIVSDrr", "divsd %xmm1, %xmm3"}, {"SQRTPDr", "sqrtpd %xmm1, %xmm4"}, {"PSHUFDri", "pshufd $3, %xmm1, %xmm2"},
		{"LEA64r", "leaq 8(%rax), %rdx"}, {"CMOV32rr", "cmovel %ecx, %edx"}, {"SETCCr", "setne %al"}, {"BSWAP64r", "bswapq %rdx"}, {"POP64r", "popq %rbx"}, {"ADC64rr", "adcq %rcx, %rdx"}}},
	{"AArch64", "aarch64", "cortex-a53 cortex-a55 cortex-a57 cortex-a510 neoverse-n1 neoverse-n2 neoverse-v2 apple-a14 exynos-m3 thunderx2t99 a64fx ampere1", [][2]string{
		{"MADDXrrr", "madd x0, x1, x2, x3"}, {"SDIVWr", "sdiv w0, w1, w2"}, {"LDRXui", "ldr x0, [x1, #8]"}, {"STRWui", "str w0, [x1, #4]"}, {"LDPXi", "ldp x0, x1, [x2]"},
		{"FADDDrr", "fadd d0, d1, d2"}, {"FMULSrr", "fmul s0, s1, s2"}, {"FDIVDrr", "fdiv d0, d1, d2"}, {"FMADDDrrr", "fmadd d0, d1, d2, d3"}, {"CSELXr", "csel x0, x1, x2, eq"},
		{"SCVTFUWDri", "scvtf d0, w1"}, {"LD1Twov16b", "ld1 {v0.16b, v1.16b}, [x0]"}, {"CLZXr", "clz x0, x1"}, {"UBFMXri", "ubfx x0, x1, #3, #9"}}},
	{"RISCV", "riscv64", "sifive-u74 sifive-p670 spacemit-x60 syntacore-scr3-rv64 xiangshan-nanhu", [][2]string{
		{"ADD", "add a0, a1, a2"}, {"MUL", "mul a0, a1, a2"}, {"DIVW", "divw a0, a1, a2"}, {"LD", "ld a0, 8(a1)"}, {"SW", "sw a0, 8(a1)"}, {"SLLI", "slli a0, a1, 3"}}},
	{"ARM", "armv7", "cortex-r52 cortex-a57 swift", [][2]string{
		{"MUL", "mul r0, r1, r2"}, {"LDRi12", "ldr r0, [r1, #4]"}, {"STRi12", "str r0, [r1, #4]"}, {"ADDrr", "add r0, r1, r2"}, {"VADDD", "vadd.f64 d0, d1, d2"}}},
	{"PowerPC", "powerpc64le", "pwr9 pwr10", [][2]string{
		{"ADD8", "add 3, 4, 5"}, {"MULLD", "mulld 3, 4, 5"}, {"LD", "ld 3, 8(4)"}, {"STW", "stw 3, 8(4)"}, {"FADD", "fadd 1, 2, 3"}, {"DIVD", "divd 3, 4, 5"}, {"XVMADDADP", "xvmaddadp 1, 2, 3"}}},
	{"SystemZ", "s390x", "z13 z14 z15 z16", [][2]string{
		{"AGR", "agr %r2, %r3"}, {"MSGR", "msgr %r2, %r3"}, {"LG", "lg %r2, 8(%r3)"}, {"STG", "stg %r2, 8(%r3)"}, {"ADBR", "adbr %f0, %f2"}, {"DDBR", "ddbr %f0, %f2"}}},
}

// mca asks llvm-mca what instructions cost: latency, micro-operations and
// reciprocal throughput.
type mcaInfo struct {
	Latency         int
	NumMicroOpcodes int
	RThroughput     float64
	Instruction     int
}

func mca(t *testing.T, tool, triple, cpu, text string) []mcaInfo {
	cmd := exec.Command(tool, "-mtriple="+triple, "-mcpu="+cpu, "-iterations=1", "-json")
	cmd.Stdin = strings.NewReader(text)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("llvm-mca -mcpu=%s: %v\n%s", cpu, err, errs.String())
	}
	var got struct {
		CodeRegions []struct {
			InstructionInfoView struct{ InstructionList []mcaInfo }
		}
	}
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	return got.CodeRegions[0].InstructionInfoView.InstructionList
}

// throughput is the reciprocal throughput of a class as LLVM computes it: of the
// resource that is busy for the largest part of its units' time.
func throughput(t *desc.SchedTable, model int, c *desc.SchedClassDesc) float64 {
	worst := 0.0
	m := &t.Models[model]
	for _, u := range t.Uses[c.Uses : int(c.Uses)+int(c.NumUses)] {
		r := &t.Resources[int(m.Resources)+int(u.Resource)]
		worst = max(worst, float64(u.Release-u.Acquire)/float64(r.NumUnits))
	}
	if worst == 0 {
		return float64(c.MicroOps) / float64(m.IssueWidth)
	}
	return worst
}

// What classes cost is what LLVM's own simulator prints.
func TestSchedAgainstMCA(t *testing.T) {
	tool := testenv.LLVM(t, "llvm-mca")
	for _, s := range mcaSamples {
		in, err := Load(s.target)
		if err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		for _, op := range s.ops {
			text.WriteString(op[1] + "\n")
		}
		sched := in.Sched()
		for _, cpu := range strings.Fields(s.cpus) {
			p, ok := in.ProcessorByName(cpu)
			if !ok {
				t.Errorf("%s: no processor %s", s.target, cpu)
				continue
			}
			model := int(in.Processors[p].Model)
			for i, want := range mca(t, tool, s.triple, cpu, text.String()) {
				op, ok := in.OpcodeByName(s.ops[i][0])
				if !ok {
					t.Fatalf("%s: no opcode %s", s.target, s.ops[i][0])
				}
				c := sched.SchedClass(model, int(in.Instr(op).SchedClass))
				if c.MicroOps == desc.SchedVariant {
					continue
				}
				if got := sched.Latency(model, int(in.Instr(op).SchedClass)); got != want.Latency || int(c.MicroOps) != want.NumMicroOpcodes {
					t.Errorf("%s %s: latency %d, %d micro-operations, want %d and %d", cpu, s.ops[i][0], got, c.MicroOps, want.Latency, want.NumMicroOpcodes)
				}
				if got := throughput(sched, model, c); math.Abs(got-want.RThroughput) > 0.001 {
					t.Errorf("%s %s: throughput %g, want %g", cpu, s.ops[i][0], got, want.RThroughput)
				}
			}
		}
	}
}

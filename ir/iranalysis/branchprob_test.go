package iranalysis

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/analysis"
	"github.com/mirin-go/mirin/internal/testenv"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/irtext"
)

func parse(t testing.TB, name string, src []byte) *ir.Module {
	m, err := irtext.Parse(name, src, irtext.Options{Jobs: 1})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

const probSource = `
declare void @abort() noreturn
declare void @rare() cold
define i32 @f(i32 %x, ptr %p, double %d) {
entry:
  %c = icmp eq i32 %x, 0
  br i1 %c, label %a, label %b
a:
  call void @abort()
  unreachable
b:
  %n = icmp eq ptr %p, null
  br i1 %n, label %c1, label %d1
c1:
  br label %loop
d1:
  br label %loop
loop:
  %i = phi i32 [0, %c1], [0, %d1], [%i2, %loop]
  %i2 = add i32 %i, 1
  %t = icmp slt i32 %i2, %x
  br i1 %t, label %loop, label %exit
exit:
  %z = icmp slt i32 %i2, 0
  br i1 %z, label %e1, label %e2
e1:
  call void @rare()
  br label %e3
e2:
  %f = fcmp uno double %d, %d
  br i1 %f, label %e3, label %e4
e3:
  switch i32 %x, label %e4 [ i32 1, label %e5
  i32 3, label %e6 ], !prof !0
e4:
  ret i32 0
e5:
  ret i32 1
e6:
  ret i32 1
}
!0 = !{!"branch_weights", i32 10, i32 50, i32 40}
`

// probsOf names each edge and gives its probability.
func probsOf(f *ir.Function, p *Probs) map[string]uint32 {
	got := map[string]uint32{}
	for e := range p.Graph.NumEdges() {
		from, to := p.Graph.Edge(e)
		got[f.BlockNames[from]+"->"+f.BlockNames[to]] += p.Edge(e)
	}
	return got
}

func TestBranchProbabilities(t *testing.T) {
	m := parse(t, "t.ll", []byte(probSource))
	f := m.Globals[m.Lookup("f")].Func
	p := BranchProbabilities(f, CFG(f))
	got := probsOf(f, p)
	for edge, want := range map[string]uint32{
		"entry->a": 0x800, "entry->b": 0x7ffff800, "b->c1": 0x30000000, "b->d1": 0x50000000, "c1->loop": 1 << 31,
		"loop->loop": 0x7c000000, "loop->exit": 0x04000000, "exit->e1": 0x078780e3, "e2->e3": 0x800,
		"e3->e4": 0x0ccccccd, "e3->e5": 0x40000000, "e3->e6": 0x33333333,
	} {
		if got[edge] != want {
			t.Errorf("%s: %#x, want %#x", edge, got[edge], want)
		}
	}
	fr := analysis.NewFrequencies(p.Graph, &p.Loops, p.Edge)
	for b, want := range map[string]float64{"entry": 1, "loop": 32, "exit": 1, "e1": 0.058823, "e3": 0.058824, "e6": 0.023529} {
		for k, n := range f.BlockNames {
			if got := fr.Freq[k]; n == b && (got < want*0.999 || got > want*1.001) {
				t.Errorf("%s runs %v times, want %v", b, got, want)
			}
		}
	}
}

var (
	probLine = regexp.MustCompile(`(?m)^  edge %(\S+) -> %(\S+) probability is (0x[0-9a-f]+)`)
	funcLine = regexp.MustCompile(`for function '(.*)':`)
)

// TestAgainstLLVM compares the probabilities in the shared programs with those of opt.
func TestAgainstLLVM(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(testenv.Shared(t, "programs", "ll"), "*.O2.ll"))
	opt, err := exec.LookPath("opt-22")
	if err != nil {
		t.Skip("skipped: opt-22 is not installed")
	}
	edges, same := 0, 0
	var wrong []string
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		m := parse(t, file, src)
		out, err := exec.Command(opt, "-passes=print<branch-prob>", "-disable-output", file).CombinedOutput()
		if err != nil {
			t.Fatal(err)
		}
		parts := funcLine.FindAllSubmatchIndex(out, -1)
		for k, at := range parts {
			name, end := string(out[at[2]:at[3]]), len(out)
			if k+1 < len(parts) {
				end = parts[k+1][0]
			}
			f := m.Globals[m.Lookup(name)].Func
			want := map[string]uint32{}
			for _, l := range probLine.FindAllSubmatch(out[at[1]:end], -1) {
				v, _ := strconv.ParseUint(string(l[3]), 0, 64)
				want[string(l[1])+"->"+string(l[2])] = uint32(v)
			}
			names := f.BlockNames
			f.BlockNames = slotNames(f)
			p := BranchProbabilities(f, CFG(f))
			for e, w := range sumEdges(f, p) {
				edges++
				if v, ok := want[e]; ok && v == w {
					same++
				} else if len(wrong) < 12 {
					wrong = append(wrong, fmt.Sprintf("%s @%s %s: %#x, want %#x", filepath.Base(file), name, e, w, v))
				}
			}
			f.BlockNames = names
		}
	}
	t.Logf("%d of %d edges as LLVM has them", same, edges)
	if same*100 < edges*99 {
		t.Errorf("only %d of %d edges\n%s", same, edges, strings.Join(wrong, "\n"))
	}
}

func sumEdges(f *ir.Function, p *Probs) map[string]uint32 { return probsOf(f, p) }

// slotNames names unnamed blocks by their numbers.
func slotNames(f *ir.Function) []string {
	names := append([]string(nil), f.BlockNames...)
	n := 0
	for i := range f.NumArgs {
		if f.ValueNames[f.Arg(i)] == "" {
			n++
		}
	}
	for _, b := range f.Order {
		if names[b] == "" {
			names[b] = strconv.Itoa(n)
			n++
		}
		for i := f.Blocks[b].First; i != 0; i = f.Instrs[i].Next {
			if f.Instrs[i].Type != ir.Void && f.ValueNames[i] == "" {
				n++
			}
		}
	}
	return names
}

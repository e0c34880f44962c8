package iranalysis

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/mirin-go/mirin/analysis"
	"github.com/mirin-go/mirin/internal/testenv"
	"github.com/mirin-go/mirin/ir"
)

func evolution(t testing.TB, f *ir.Function) (*ScalarEvolution, *analysis.Loops) {
	dl, err := ir.ParseDataLayout(f.Module.DataLayout)
	if err != nil {
		t.Fatal(err)
	}
	g := CFG(f)
	d := analysis.NewDominators(g)
	l := analysis.NewLoops(g, d)
	return NewScalarEvolution(f, dl, g, d, l), l
}

func TestScalarEvolution(t *testing.T) {
	m := parse(t, "t.ll", []byte(`
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
define void @f(ptr %p, i64 %n, i32 %k) {
entry:
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %i2, %latch ]
  %row = mul i64 %i, 40
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %j2, %inner ]
  %down = phi i32 [ 100, %outer ], [ %down2, %inner ]
  %wide = sext i32 %j to i64
  %a = getelementptr i32, ptr %p, i64 %wide
  %b = getelementptr i8, ptr %a, i64 %row
  %sq = mul i32 %j, %k
  %diff = sub i32 %down, %j
  %j2 = add nsw i32 %j, 1
  %down2 = sub i32 %down, 1
  %c = icmp slt i32 %j2, 10
  br i1 %c, label %inner, label %latch
latch:
  %i2 = add nuw i64 %i, 1
  %d = icmp ne i64 %i2, %n
  br i1 %d, label %outer, label %exit
exit:
  ret void
}
`))
	f := m.Globals[m.Lookup("f")].Func
	s, loops := evolution(t, f)
	for name, want := range map[string]string{
		"i": "{0,+,1}<%outer>", "row": "{0,+,40}<%outer>", "j": "{0,+,1}<%inner>", "wide": "{0,+,1}<%inner>",
		"a": "{%p,+,4}<%inner>", "b": "{{%p,+,40}<%outer>,+,4}<%inner>", "sq": "{0,+,%k}<%inner>", "diff": "{100,+,-2}<%inner>",
		"down": "{100,+,-1}<%inner>", "j2": "{1,+,1}<%inner>", "n": "%n",
	} {
		if got := string(s.AppendText(nil, s.Of(named(f, name)))); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	for x, want := range []string{"(-1 + %n)", "9"} {
		if got := string(s.AppendText(nil, s.BackedgeTaken(x))); got != want {
			t.Errorf("loop %d (%s): %s, want %s", x, f.BlockNames[loops.All[x].Header], got, want)
		}
	}
}

var tripLine = regexp.MustCompile(`(?m)^Loop %(\S+): backedge-taken count is (?:i\d+ )?(.*)$`)

// TestTripCountsAgainstLLVM: a constant number of rounds is never another than
// LLVM's, and most of what LLVM can count is counted.
func TestTripCountsAgainstLLVM(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(testenv.Shared(t, "programs", "ll"), "*.O2.ll"))
	opt, err := exec.LookPath("opt-22")
	if err != nil {
		t.Skip("skipped: opt-22 is not installed")
	}
	consts, sameConsts, symbolic, ours := 0, 0, 0, 0
	head := regexp.MustCompile(`(?m)^Determining loop execution counts for: @(\S+)\n`)
	number := regexp.MustCompile(`^-?\d+$`)
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		m := parse(t, file, src)
		out, err := exec.Command(opt, "-passes=print<scalar-evolution>", "-scalar-evolution-classify-expressions=false", "-disable-output", file).CombinedOutput()
		if err != nil {
			t.Fatal(err)
		}
		parts := head.FindAllSubmatchIndex(out, -1)
		for k, at := range parts {
			end := len(out)
			if k+1 < len(parts) {
				end = parts[k+1][0]
			}
			f := m.Globals[m.Lookup(string(out[at[2]:at[3]]))].Func
			f.BlockNames = slotNames(f)
			s, loops := evolution(t, f)
			for _, l := range tripLine.FindAllSubmatch(out[at[1]:end], -1) {
				for x := range loops.All {
					if f.BlockNames[loops.All[x].Header] != string(l[1]) {
						continue
					}
					got, want := string(s.AppendText(nil, s.BackedgeTaken(x))), string(l[2])
					if number.MatchString(want) {
						consts++
						if got == want {
							sameConsts++
						} else if number.MatchString(got) {
							t.Errorf("%s %s loop %s: %s, want %s", filepath.Base(file), f.Name(), l[1], got, want)
						}
						continue
					}
					symbolic++
					if s.BackedgeTaken(x) != 0 {
						ours++
					}
					if number.MatchString(got) {
						t.Errorf("%s %s loop %s: %s, want %s", filepath.Base(file), f.Name(), l[1], got, want)
					}
				}
			}
		}
	}
	t.Logf("constant: %d of %d as LLVM has them; symbolic: %d of %d", sameConsts, consts, ours, symbolic)
	if sameConsts*10 < consts*8 {
		t.Errorf("only %d of %d constant trip counts", sameConsts, consts)
	}
}

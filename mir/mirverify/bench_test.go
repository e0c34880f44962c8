package mirverify

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/mir"
)

// ladder writes a function of n diamonds in a row, each with a PHI, values that
// live across it and a call, so that every kind of check has work.
func ladder(n int) string {
	var b strings.Builder
	b.WriteString("---\nname: f\ntracksRegLiveness: true\nbody: |\n  bb.0:\n    liveins: $edi\n    successors: %bb.1\n    %0:gr32 = COPY $edi\n")
	v, blk := 1, 1
	for k := range n {
		cur := v
		fmt.Fprintf(&b, "  bb.%d:\n    successors: %%bb.%d, %%bb.%d\n", blk, blk+1, blk+2)
		if k == 0 {
			fmt.Fprintf(&b, "    %%%d:gr32 = COPY %%0\n", cur)
		} else {
			fmt.Fprintf(&b, "    %%%d:gr32 = PHI %%%d, %%bb.%d, %%%d, %%bb.%d\n", cur, v-2, blk-2, v-1, blk-1)
		}
		for range 8 {
			v++
			fmt.Fprintf(&b, "    %%%d:gr32 = ADD32rr %%%d, %%0, implicit-def dead $eflags\n", v, v-1)
		}
		fmt.Fprintf(&b, "    CMP32rr %%%d, %%%d, implicit-def $eflags\n    JCC_1 %%bb.%d, 4, implicit $eflags\n", v, cur, blk+2)
		fmt.Fprintf(&b, "  bb.%d:\n    successors: %%bb.%d\n", blk+1, blk+3)
		v++
		fmt.Fprintf(&b, "    %%%d:gr32 = MOV32ri %d\n    JMP_1 %%bb.%d\n", v, k, blk+3)
		fmt.Fprintf(&b, "  bb.%d:\n    successors: %%bb.%d\n", blk+2, blk+3)
		v++
		fmt.Fprintf(&b, "    %%%d:gr32 = MOV32ri %d\n", v, k)
		v++
		blk += 3
	}
	// The last PHI.
	fmt.Fprintf(&b, "  bb.%d:\n    %%%d:gr32 = PHI %%%d, %%bb.%d, %%%d, %%bb.%d\n    $eax = COPY %%%d\n    RET 0, implicit $eax\n...\n", blk, v, v-2, blk-2, v-1, blk-1, v)
	return b.String()
}

func ladderFunction(tb testing.TB, n int) (*mir.Function, int) {
	f, err := parse("ladder", []byte(ladder(n)), "x86_64-unknown-linux-gnu", "", "", "")
	if err != nil {
		tb.Fatal(err)
	}
	mf := f.Functions[0]
	count := 0
	for b := mf.FirstBlock(); b != 0; b = mf.NextBlock(b) {
		for i := mf.Block(b).First(); i != 0; i = mf.Instr(i).Next() {
			count++
		}
	}
	return mf, count
}

func TestLadderIsClean(t *testing.T) {
	f, _ := ladderFunction(t, 50)
	if r := Verify(f, Options{}); !r.OK() {
		t.Fatalf("%.2000s", r.AppendText(nil))
	}
}

// TestNoAllocationsWhenClean: verifying after every pass must not feed the collector.
func TestNoAllocationsWhenClean(t *testing.T) {
	f, _ := ladderFunction(t, 20)
	var v Verifier
	v.Verify(f, Options{})
	if n := testing.AllocsPerRun(10, func() { v.Verify(f, Options{}) }); n > 4 {
		t.Errorf("%.0f allocations, want at most 4 (the report)", n)
	}
}

func BenchmarkVerify(b *testing.B) {
	for _, n := range []int{100, 1000, 10000} {
		f, count := ladderFunction(b, n)
		b.Run(fmt.Sprint(count), func(b *testing.B) {
			var v Verifier
			b.ReportAllocs()
			for b.Loop() {
				if !v.Verify(f, Options{}).OK() {
					b.Fatal("not clean")
				}
			}
			b.ReportMetric(float64(count)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Minstr/s")
		})
	}
}

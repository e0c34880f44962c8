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

// TestPHIOfOneKilledRegister has n predecessors hand on the same register, which
// one block kills: each question whether it lives there must not walk to its definition again.
func TestPHIOfOneKilledRegister(t *testing.T) {
	for _, killed := range []bool{false, true} {
		n := 20000
		if killed {
			n = 200 // faults are reported at length
		}
		var b, phi strings.Builder
		b.WriteString("---\nname: f\ntracksRegLiveness: true\nbody: |\n  bb.0:\n    liveins: $edi\n    successors: %bb.1\n    %0:gr32 = COPY $edi\n")
		for k := range n {
			use := "%0"
			if killed && k == n/2 {
				use = "killed %0"
			}
			fmt.Fprintf(&b, "  bb.%d:\n    successors: %%bb.%d, %%bb.%d\n    CMP32ri %s, 7, implicit-def $eflags\n    JCC_1 %%bb.%d, 4, implicit $eflags\n", 2*k+1, 2*k+2, 2*k+3, use, 2*k+3)
			fmt.Fprintf(&b, "  bb.%d:\n    successors: %%bb.%d\n    JMP_1 %%bb.%d\n", 2*k+2, 2*n+2, 2*n+2)
			fmt.Fprintf(&phi, "%%0, %%bb.%d, ", 2*k+2)
		}
		fmt.Fprintf(&b, "  bb.%d:\n    successors: %%bb.%d\n  bb.%d:\n    %%1:gr32 = PHI %s%%0, %%bb.%d\n", 2*n+1, 2*n+2, 2*n+2, phi.String(), 2*n+1)
		b.WriteString("    %2:gr32 = ADD32rr killed %0, %1, implicit-def dead $eflags\n    $eax = COPY %2\n    RET 0, implicit $eax\n...\n")
		f, err := parse("phi", []byte(b.String()), "x86_64-unknown-linux-gnu", "", "", "")
		if err != nil {
			t.Fatal(err)
		}
		r := Verify(f.Functions[0], Options{})
		lost := 0
		for _, e := range r.Errors {
			if e.Msg == "PHI operand is not live-out from predecessor" {
				lost++
			}
		}
		// Of the blocks behind the kill none has it, nor has the one that kills.
		want := 0
		if killed {
			want = n - n/2 + 1
		}
		if !killed && !r.OK() || lost != want {
			t.Errorf("killed early %v: %d operands are not live, want %d", killed, lost, want)
		}
	}
}

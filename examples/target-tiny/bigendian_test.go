package tiny

import (
	"strings"
	"testing"

	"github.com/mirin-go/mirin/codegen/driver"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/codegen/pipeline"
	"github.com/mirin-go/mirin/ir/irtext"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/mir/mirtext"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/triple"
)

// translated is the generic code of a module's functions for a byte order.
func translated(t *testing.T, src string, big bool) string {
	t.Helper()
	tgt := Target
	if big {
		other := *tgt.Family
		other.Layout = func(triple.Triple, string) string { return "E" + loaded().layout[1:] }
		tgt.Family = &other
	}
	m, err := target.NewMachine(&tgt, target.Options{Triple: "tiny"})
	if err != nil {
		t.Fatal(err)
	}
	mod, err := irtext.Parse("f.ll", []byte(src), irtext.Options{DataLayout: m.Layout.Text})
	if err != nil {
		t.Fatal(err)
	}
	passes, err := pass.Cut(pipeline.Passes(pipeline.Options{Target: &tgt}), pass.Where{}, pass.Where{}, pass.Where{}, pass.Where{Name: "irtranslator"})
	if err != nil {
		t.Fatal(err)
	}
	var out []byte
	j := &driver.Job{Machine: m, Module: mod, Workers: 1, Runner: &pass.Runner{Passes: passes},
		Worker: func(bool) driver.Render {
			return func(_ int, f *mir.Function, _ *target.Subtarget) (driver.Finished, error) {
				out = mirtext.AppendFunction(out, f, mirtext.PrintOptions{})
				return driver.Finished{}, nil
			}
		}}
	if _, errs := j.Run(driver.Defined(mod)); len(errs) > 0 {
		t.Fatal(errs)
	}
	return string(out)
}

const split = `
declare i64 @g(i32, i64, i64, i8 signext, <2 x i32>)
define i64 @f(i64 %a, i8 signext %b, i32 %c, i64 %d, i8 %e, <2 x i32> %v) {
  %r = call i64 @g(i32 %c, i64 %a, i64 %d, i8 signext %b, <2 x i32> %v)
  ret i64 %r
}
`

// TestByteOrder: where memory has the high word of a number first, registers
// have it too, and a narrow value stands at the high end of its slot. Elements
// of vectors stay in order. The target and its simulator are little-endian; what the
// lowering does for the other order is read off the generic code.
func TestByteOrder(t *testing.T) {
	for _, c := range [...]struct {
		big  bool
		want string // lines that are there, in this order
	}{
		{false, `
			%6:_(s32) = COPY $r4
			%7:_(s32) = COPY $r5
			%0:_(s64) = G_MERGE_VALUES %6(s32), %7(s32)
			%9:_(s32) = G_ASSERT_SEXT %8, 8
			%10:_(s32) = G_LOAD %11(p0) :: (invariant load (s32) from %fixed-stack.4, align 8)
			%12:_(s32) = G_LOAD %13(p0) :: (invariant load (s32) from %fixed-stack.3)
			%3:_(s64) = G_MERGE_VALUES %10(s32), %12(s32)
			%16:_(s8) = G_LOAD %15(p0) :: (invariant load (s8) from %fixed-stack.2, align 8)
			%5:_(<2 x s32>) = G_BUILD_VECTOR %17(s32), %19(s32)
			G_STORE %25(s32), %28(p0) :: (store (s32) into stack, align 8)
			$r5 = COPY %22(s32)
			$r6 = COPY %23(s32)
			$r7 = COPY %24(s32)
			%38:_(s32) = COPY $r4
			%39:_(s32) = COPY $r5
			%21:_(s64) = G_MERGE_VALUES %38(s32), %39(s32)
			$r4 = COPY %40(s32)
			$r5 = COPY %41(s32)`},
		{true, `
			- { id: 2, type: default, offset: 11, size: 1,
			%6:_(s32) = COPY $r5
			%7:_(s32) = COPY $r4
			%0:_(s64) = G_MERGE_VALUES %6(s32), %7(s32)
			%9:_(s32) = G_ASSERT_SEXT %8, 8
			%10:_(s32) = G_LOAD %11(p0) :: (invariant load (s32) from %fixed-stack.4)
			%12:_(s32) = G_LOAD %13(p0) :: (invariant load (s32) from %fixed-stack.3, align 8)
			%3:_(s64) = G_MERGE_VALUES %10(s32), %12(s32)
			%16:_(s8) = G_LOAD %15(p0) :: (invariant load (s8) from %fixed-stack.2)
			%5:_(<2 x s32>) = G_BUILD_VECTOR %17(s32), %19(s32)
			G_STORE %24(s32), %28(p0) :: (store (s32) into stack, align 8)
			$r6 = COPY %22(s32)
			$r5 = COPY %23(s32)
			$r7 = COPY %25(s32)
			%38:_(s32) = COPY $r4
			%39:_(s32) = COPY $r5
			%21:_(s64) = G_MERGE_VALUES %39(s32), %38(s32)
			$r5 = COPY %40(s32)
			$r4 = COPY %41(s32)`},
	} {
		text := translated(t, split, c.big)
		rest := text
		for line := range strings.SplitSeq(strings.TrimSpace(c.want), "\n") {
			_, after, ok := strings.Cut(rest, strings.TrimSpace(line))
			if !ok {
				t.Errorf("big-endian %v: no %s\nin %s", c.big, strings.TrimSpace(line), text)
				break
			}
			rest = after
		}
	}
}

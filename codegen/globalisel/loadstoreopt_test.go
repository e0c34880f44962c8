package globalisel_test

import (
	"strings"
	"testing"

	"github.com/mirin-go/mirin/codegen/globalisel"
	"github.com/mirin-go/mirin/codegen/legal"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// TestLegalJoins: whether what lies side by side is accessed at once is for the target's
// legalizer to say, and whether what that takes is there.
func TestLegalJoins(t *testing.T) {
	s8, s16, s32, p0 := mir.Scalar(8), mir.Scalar(16), mir.Scalar(32), mir.Pointer(0, 64)
	table := func(access legal.MemAccess, reversed bool) *legal.Table {
		b := &legal.Builder{Bool: s8, Word: 4}
		b.For(desc.G_LOAD, desc.G_STORE).LegalMem(legal.MemAccess{Value: s8, Ptr: p0, Bits: 8}, access).MinScalar(0, s32).Else(legal.Lower)
		if reversed {
			b.For(desc.G_BSWAP).Legal(s32)
		}
		b.For(desc.G_LSHR).LegalPairs(s32, s8)
		b.For(desc.G_TRUNC).LegalPairs(s8, s32, s16, s32)
		return b.Table()
	}
	const bytes = `
    %0:_(p0) = COPY $rdi
    %1:_(s8) = G_CONSTANT i8 1
    %2:_(s64) = G_CONSTANT i64 1
    %3:_(s64) = G_CONSTANT i64 2
    %4:_(s64) = G_CONSTANT i64 3
    %5:_(p0) = G_PTR_ADD %0, %2(s64)
    %6:_(p0) = G_PTR_ADD %0, %3(s64)
    %7:_(p0) = G_PTR_ADD %0, %4(s64)
`
	const constants = bytes + `
    G_STORE %1(s8), %0(p0) :: (store (s8), align 2)
    G_STORE %1(s8), %5(p0) :: (store (s8))
    G_STORE %1(s8), %6(p0) :: (store (s8), align 2)
    G_STORE %1(s8), %7(p0) :: (store (s8))
`
	const turned = bytes + `
    %8:_(s32) = COPY $esi
    %9:_(s8) = G_CONSTANT i8 8
    %10:_(s8) = G_CONSTANT i8 16
    %11:_(s8) = G_CONSTANT i8 24
    %12:_(s32) = G_LSHR %8, %11(s8)
    %13:_(s32) = G_LSHR %8, %10(s8)
    %14:_(s32) = G_LSHR %8, %9(s8)
    %15:_(s8) = G_TRUNC %12(s32)
    %16:_(s8) = G_TRUNC %13(s32)
    %17:_(s8) = G_TRUNC %14(s32)
    %18:_(s8) = G_TRUNC %8(s32)
    G_STORE %15(s8), %0(p0) :: (store (s8))
    G_STORE %16(s8), %5(p0) :: (store (s8))
    G_STORE %17(s8), %6(p0) :: (store (s8))
    G_STORE %18(s8), %7(p0) :: (store (s8))
`
	const read = bytes + `
    %8:_(s8) = G_LOAD %0(p0) :: (load (s8))
    %9:_(s8) = G_LOAD %5(p0) :: (load (s8))
    %10:_(s16) = G_ZEXT %8(s8)
    %11:_(s16) = G_ZEXT %9(s8)
    %12:_(s16) = G_CONSTANT i16 8
    %13:_(s16) = G_SHL %11, %12(s16)
    %14:_(s16) = G_OR %13, %10
    $ax = COPY %14(s16)
`
	for _, c := range [...]struct {
		name   string
		pass   *pass.Pass
		body   string
		access legal.MemAccess
		swaps  bool
		text   string
		want   int
	}{
		{"wide at any address", &globalisel.LoadStoreOpt, constants, legal.MemAccess{Value: s32, Ptr: p0, Bits: 32}, false, "G_STORE", 1},
		{"wide where aligned", &globalisel.LoadStoreOpt, constants, legal.MemAccess{Value: s32, Ptr: p0, Bits: 32, Align: 4}, false, "G_STORE", 4},
		{"half where aligned", &globalisel.LoadStoreOpt, constants, legal.MemAccess{Value: s16, Ptr: p0, Bits: 16, Align: 2}, false, "G_STORE", 2},
		{"half of a wide one", &globalisel.LoadStoreOpt, constants, legal.MemAccess{Value: s32, Ptr: p0, Bits: 16, Align: 2}, false, "G_STORE", 4},
		{"turned", &globalisel.LoadStoreOpt, turned, legal.MemAccess{Value: s32, Ptr: p0, Bits: 32}, true, "G_STORE", 1},
		{"not to be turned", &globalisel.LoadStoreOpt, turned, legal.MemAccess{Value: s32, Ptr: p0, Bits: 32}, false, "G_STORE", 4},
		{"a load that is made wider", &globalisel.PreLegalizerCombiner, read, legal.MemAccess{Value: s32, Ptr: p0, Bits: 16}, true, "LOAD", 1},
		{"a load that would be taken apart", &globalisel.PreLegalizerCombiner, read, legal.MemAccess{Value: s32, Ptr: p0, Bits: 16, Align: 2}, true, "LOAD", 2},
	} {
		tab := table(c.access, c.swaps)
		m := machineOf(t, func(x *target.Target) {
			made := x.NewSubtarget
			x.NewSubtarget = func(st *target.Subtarget) error {
				err := made(st)
				st.Legal = tab
				return err
			}
		})
		props := ""
		if c.pass == &globalisel.LoadStoreOpt {
			props = "legalized: true\n"
		}
		got, err := runMIR(t, m, c.pass, props, c.body)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		} else if n := strings.Count(got, c.text); n != c.want {
			t.Errorf("%s: %q %d times, want %d, in\n%s", c.name, c.text, n, c.want, got)
		}
	}
}

package globalisel_test

import (
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/codegen/driver"
	"github.com/mirin-go/mirin/codegen/globalisel"
	"github.com/mirin-go/mirin/codegen/legal"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/codegen/pipeline"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/internal/oddwidth"
	"github.com/mirin-go/mirin/ir/irtext"
	"github.com/mirin-go/mirin/jit"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86"
)

// vectorRules are those of a machine with 128-bit vectors of integers, for some
// opcodes; everything else is legal, but, when strict, no vectors of other
// lengths: these must all cancel.
func vectorRules(strict bool) *legal.Table {
	s8, s16, s32, s64 := mir.Scalar(8), mir.Scalar(16), mir.Scalar(32), mir.Scalar(64)
	vecs := []mir.LLT{mir.Vector(16, s8), mir.Vector(8, s16), mir.Vector(4, s32), mir.Vector(2, s64)}
	b := &legal.Builder{Bool: s8}
	full := func(s *legal.Set, idx int) *legal.Set {
		for _, v := range vecs {
			s.MaxElems(idx, v.Elem(), v.NumElems())
		}
		for _, v := range vecs {
			s.MinElems(idx, v.Elem(), v.NumElems())
		}
		return s
	}
	listed := map[desc.Opcode]bool{}
	on := func(ops ...desc.Opcode) *legal.Set {
		for _, op := range ops {
			listed[op] = true
		}
		return b.For(ops...)
	}
	wide := func(s *legal.Set) *legal.Set {
		return s.To(legal.WidenScalar, 0, legal.BitsToPow2(8), legal.IsVector(0), legal.ScalarOrEltNotPow2(0), legal.Not(legal.ScalarOrEltWider(0, 64))).
			To(legal.WidenScalar, 0, legal.EltTo(s8), legal.IsVector(0), legal.ScalarOrEltNarrower(0, 8)).
			To(legal.FewerElements, 0, legal.ToElement(), legal.IsVector(0), legal.ScalarOrEltWider(0, 64))
	}
	full(wide(on(desc.G_ADD, desc.G_SUB, desc.G_MUL, desc.G_UDIV, desc.G_SMIN, desc.G_SMAX, desc.G_UMIN, desc.G_UMAX).Legal(vecs...)), 0).Else(legal.Legal)
	full(on(desc.G_PHI, desc.G_FREEZE, desc.G_SHL, desc.G_LSHR, desc.G_ASHR).Legal(vecs...), 0).Else(legal.Legal)
	// Bits are bits: as elements of 64.
	full(wide(on(desc.G_AND, desc.G_OR, desc.G_XOR).Legal(vecs[3])), 0).
		To(legal.Bitcast, 0, legal.ToElems(s64), legal.TypeIs(0, vecs[:3]...)).Else(legal.Legal)
	on(desc.G_LOAD, desc.G_STORE).Legal(vecs...).
		To(legal.FewerElements, 0, legal.CountTo(4), legal.EltIs(0, s32), legal.MoreThan(0, 4)).
		To(legal.FewerElements, 0, legal.CountTo(16), legal.EltIs(0, s8), legal.MoreThan(0, 16)).Else(legal.Legal)
	full(full(on(desc.G_SHUFFLE_VECTOR), 1), 0).Else(legal.Legal)
	full(on(desc.G_EXTRACT_VECTOR_ELT, desc.G_VECREDUCE_ADD, desc.G_VECREDUCE_MUL, desc.G_VECREDUCE_AND, desc.G_VECREDUCE_OR, desc.G_VECREDUCE_XOR,
		desc.G_VECREDUCE_SMIN, desc.G_VECREDUCE_SMAX, desc.G_VECREDUCE_UMIN, desc.G_VECREDUCE_UMAX), 1).Else(legal.Legal)
	full(on(desc.G_INSERT_VECTOR_ELT), 0).Else(legal.Legal)
	full(full(on(desc.G_ICMP), 1), 0).Else(legal.Legal)
	full(on(desc.G_SELECT), 0).Else(legal.Legal)
	if strict {
		on(desc.G_UNMERGE_VALUES).If(legal.Legal, legal.TypeIs(1, vecs...)).If(legal.Unsupported, legal.IsVector(1)).Else(legal.Legal)
		on(desc.G_BUILD_VECTOR).Legal(vecs...).Else(legal.Unsupported)
		on(desc.G_CONCAT_VECTORS).Else(legal.Unsupported)
	}
	var rest []desc.Opcode
	for op := desc.Opcode(0); op < desc.FirstTargetOpcode; op++ {
		if !listed[op] {
			rest = append(rest, op)
		}
	}
	b.For(rest...).Else(legal.Legal)
	return b.Table()
}

// TestVectorShapes: what is made of vectors of 3, 5, 8 and 32 elements is what
// LLVM's legalizer makes of them for machines of such registers.
func TestVectorShapes(t *testing.T) {
	tab := vectorRules(true)
	m := machineOf(t, func(x *target.Target) {
		made := x.NewSubtarget
		x.NewSubtarget = func(st *target.Subtarget) error {
			err := made(st)
			st.Legal = tab
			return err
		}
	})
	for _, c := range [...]struct {
		name, body string
		want       map[string]int // how often each stands there
	}{
		{"v3", `
    %0:_(s32) = COPY $edi
    %1:_(<3 x s32>) = G_BUILD_VECTOR %0(s32), %0(s32), %0(s32)
    %2:_(<3 x s32>) = G_ADD %1, %1
    %3:_(<3 x s32>) = G_SUB %2, %1
    %4:_(s32), %5:_(s32), %6:_(s32) = G_UNMERGE_VALUES %3(<3 x s32>)
    $eax = COPY %6(s32)
`, map[string]int{"(<4 x s32>) = G_ADD": 1, "(<4 x s32>) = G_SUB": 1, "<3 x s32>": 0, "G_UNMERGE_VALUES": 1, "G_BUILD_VECTOR": 2}},
		{"v5", `
    %0:_(p0) = COPY $rdi
    %1:_(<5 x s32>) = G_LOAD %0 :: (load (<5 x s32>), align 4)
    %2:_(<5 x s32>) = G_ADD %1, %1
    G_STORE %2, %0 :: (store (<5 x s32>), align 4)
`, map[string]int{"(<4 x s32>) = G_ADD": 1, "(s32) = G_ADD": 1, "G_LOAD": 2, "G_STORE": 2, "G_UNMERGE": 0, "G_BUILD_VECTOR": 0}},
		{"v8", `
    %0:_(p0) = COPY $rdi
    %1:_(<8 x s32>) = G_LOAD %0 :: (load (<8 x s32>))
    %2:_(<8 x s32>) = G_ADD %1, %1
    %3:_(<8 x s32>) = G_XOR %2, %1
    G_STORE %3, %0 :: (store (<8 x s32>))
`, map[string]int{"(<4 x s32>) = G_ADD": 2, "(<2 x s64>) = G_XOR": 2, "G_LOAD": 2, "G_STORE": 2, "<8 x s32>": 0, "G_CONCAT": 0}},
		{"v32", `
    %0:_(p0) = COPY $rdi
    %1:_(<32 x s8>) = G_LOAD %0 :: (load (<32 x s8>))
    %2:_(<32 x s8>) = G_ADD %1, %1
    %3:_(s8) = G_VECREDUCE_UMAX %2(<32 x s8>)
    $al = COPY %3(s8)
`, map[string]int{"(<16 x s8>) = G_ADD": 2, "(<16 x s8>) = G_UMAX": 1, "= G_VECREDUCE_UMAX": 1, "<32 x s8>": 0}},
		{"v4s7", `
    %0:_(s32) = COPY $edi
    %1:_(s7) = G_TRUNC %0(s32)
    %2:_(<16 x s7>) = G_BUILD_VECTOR %1(s7), %1(s7), %1(s7), %1(s7), %1(s7), %1(s7), %1(s7), %1(s7), %1(s7), %1(s7), %1(s7), %1(s7), %1(s7), %1(s7), %1(s7), %1(s7)
    %3:_(<16 x s7>) = G_ADD %2, %2
    %4:_(<16 x s7>) = G_ADD %3, %2
    %5:_(<16 x s8>) = G_ANYEXT %4(<16 x s7>)
    %6:_(s8) = G_VECREDUCE_ADD %5(<16 x s8>)
    $al = COPY %6(s8)
`, map[string]int{"(<16 x s8>) = G_ADD": 2, "G_TRUNC %": 3}},
	} {
		got, err := runMIR(t, m, &globalisel.Legalizer, "", c.body)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		for text, n := range c.want {
			if k := strings.Count(got, text); k != n {
				t.Errorf("%s: %q %d times, want %d, in\n%s", c.name, text, k, n, got)
			}
		}
	}
}

// TestVectorPrograms runs programs whose vectors were legalized for the vector
// machine, then, for x86-64, taken apart: both must keep the meaning.
func TestVectorPrograms(t *testing.T) {
	if runtime.GOARCH != "amd64" || runtime.GOOS != "linux" {
		t.Skip("needs an x86-64 Linux to run what it compiles")
	}
	tab := vectorRules(false)
	first := pass.Pass{Name: "vector-legalizer", Title: "Vector legalizer", Requires: mir.IsSSA, Run: func(c *pass.Context, f *mir.Function) error {
		st := *c.Subtarget
		st.Legal = tab
		own := *c
		own.Subtarget = &st
		return globalisel.Legalizer.Run(&own, f)
	}}
	m, err := target.NewMachine(&x86.Target, target.Options{Triple: "x86_64-unknown-linux-gnu", JIT: true})
	if err != nil {
		t.Fatal(err)
	}
	passes := pipeline.Passes(pipeline.Options{Target: &x86.Target})
	at := slices.IndexFunc(passes, func(p *pass.Pass) bool { return p.Name == "legalizer" })
	passes = slices.Insert(slices.Clone(passes), at, &first)
	for _, p := range oddwidth.Of([][2]int{{3, 32}, {5, 32}, {8, 32}, {32, 8}, {7, 16}, {3, 7}, {2, 33}, {16, 8}, {3, 64}}) {
		mod, err := irtext.Parse(p.Name, []byte(p.Source), irtext.Options{})
		if err != nil {
			t.Fatal(err)
		}
		j := &driver.Job{Machine: m, Module: mod, Workers: 1, Runner: &pass.Runner{Passes: passes, Config: pass.Config{Verify: true}}}
		obj, _, errs := j.Object()
		if len(errs) > 0 {
			t.Errorf("%s: %v", p.Name, errs)
			continue
		}
		img, err := jit.NewImage(obj)
		if err != nil {
			t.Fatal(err)
		}
		e := jit.New(m.ABI(), jit.Config{})
		if err := e.Load(img); err != nil {
			t.Fatal(err)
		}
		var f func(n int32) int32
		if err := e.Bind("f", &f, nil); err != nil {
			t.Fatal(err)
		}
		compareOddWidth(t, p, f)
		e.Close()
	}
}

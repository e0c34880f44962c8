package frame

import (
	"testing"

	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/facts"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// TestLayOut: where objects are in a stack that grows down, with and without a
// return address on it, and in one that grows up. Objects overlap nothing, and are
// where the stack pointer finds them.
func TestLayOut(t *testing.T) {
	in, err := facts.X86()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range [...]struct {
		name    string
		v       desc.VariantDesc
		offsets []int64 // from the CFA
		size    uint64
		bySP    []int64
	}{
		{"down", desc.VariantDesc{StackAlign: 8, PointerSize: 4, StackPointer: 1}, []int64{-4, -16, -18}, 40, []int64{36, 24, 22}},
		{"return address", desc.VariantDesc{StackAlign: 16, LocalAreaOffset: -8, PointerSize: 8, StackPointer: 1}, []int64{-12, -24, -26}, 40, []int64{36, 24, 22}},
		{"up", desc.VariantDesc{StackAlign: 8, PointerSize: 4, StackPointer: 1, StackGrowsUp: true}, []int64{0, 8, 16}, 40, []int64{-40, -32, -24}},
	} {
		m := &target.Machine{Target: &target.Target{Name: c.name}, Facts: in, Variant: &c.v}
		st := &target.Subtarget{Machine: m}
		f := mir.NewFunction("f", in)
		for _, o := range [...]struct {
			size  int64
			align uint8
		}{{4, 2}, {8, 3}, {2, 0}} {
			f.Frame.CreateStackObject(o.size, o.align, 0)
		}
		f.Frame.AdjustsStack, f.Frame.MaxCallFrameSize = true, 16
		p := &pei{c: &pass.Context{Machine: m, Subtarget: st}, st: st, h: &m.Target.Frame, f: f}
		p.layOut()
		if f.Frame.StackSize != c.size {
			t.Errorf("%s: a frame of %d bytes, want %d", c.name, f.Frame.StackSize, c.size)
		}
		bases := st.FrameBases(f)
		for fi := range c.offsets {
			if got := f.Frame.Object(fi).Offset; got != c.offsets[fi] {
				t.Errorf("%s: object %d at %d, want %d", c.name, fi, got, c.offsets[fi])
			}
			if base, off := bases.Reference(f, fi, 0); base != 1 || off != c.bySP[fi] {
				t.Errorf("%s: object %d is %d bytes from register %d, want %d", c.name, fi, off, base, c.bySP[fi])
			}
		}
	}
}

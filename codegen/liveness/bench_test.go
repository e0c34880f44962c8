package liveness

import (
	"testing"

	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/facts"
	"github.com/mirin-go/mirin/mir"
)

// across makes n registers that are defined in one block and read in the third.
func across(f *mir.Function, n int) {
	a, b, c := f.AddBlock(), f.AddBlock(), f.AddBlock()
	f.AddSucc(a, b)
	f.AddSucc(b, c)
	for range n {
		r := f.AddVReg(0)
		f.Append(a, f.New(desc.IMPLICIT_DEF, mir.RegOp(r, mir.Def)))
		f.Append(c, f.New(desc.KILL, mir.RegOp(r, 0)))
	}
}

// nest makes n blocks of loops within loops, ten deep, through which a few
// registers live that are changed in every hundredth block.
func nest(f *mir.Function, n int) {
	first := f.AddBlock()
	var regs []mir.Reg
	for range 4 {
		r := f.AddVReg(0)
		regs = append(regs, r)
		f.Append(first, f.New(desc.IMPLICIT_DEF, mir.RegOp(r, mir.Def)))
	}
	prev := first
	var heads []mir.BlockID
	for k := range n {
		b := f.AddBlock()
		f.AddSucc(prev, b)
		if k%100 == 7 {
			r := regs[k/100%4]
			f.Append(b, f.New(desc.COPY, mir.RegOp(r, mir.Def), mir.RegOp(r, 0)))
		}
		if k%20 < 10 {
			heads = append(heads, b)
		} else {
			f.AddSucc(b, heads[len(heads)-1])
			heads = heads[:len(heads)-1]
		}
		prev = b
	}
	for _, r := range regs {
		f.Append(prev, f.New(desc.KILL, mir.RegOp(r, 0)))
	}
}

// deep is nest with all loops within each other.
func deep(f *mir.Function, n int) {
	first := f.AddBlock()
	r := f.AddVReg(0)
	f.Append(first, f.New(desc.IMPLICIT_DEF, mir.RegOp(r, mir.Def)))
	prev := first
	var heads []mir.BlockID
	for range n / 2 {
		b := f.AddBlock()
		f.AddSucc(prev, b)
		heads = append(heads, b)
		prev = b
	}
	for range n / 2 {
		b := f.AddBlock()
		f.AddSucc(prev, b)
		f.Append(b, f.New(desc.COPY, mir.RegOp(r, mir.Def), mir.RegOp(r, 0)))
		f.AddSucc(b, heads[len(heads)-1])
		heads = heads[:len(heads)-1]
		prev = b
	}
	f.Append(prev, f.New(desc.KILL, mir.RegOp(r, 0)))
}

func BenchmarkCompute(b *testing.B) {
	in, err := facts.Load("X86")
	if err != nil {
		b.Fatal(err)
	}
	for _, x := range []struct {
		name string
		make func(*mir.Function, int)
	}{{"across", across}, {"nest", nest}, {"deep", deep}} {
		b.Run(x.name, func(b *testing.B) {
			f, c := mir.NewFunction("f", in), &pass.Context{}
			x.make(f, 100_000)
			b.ReportAllocs()
			for b.Loop() {
				c.DropAll()
				pass.Get[Intervals](c, f)
			}
		})
	}
}

package x86

import (
	"testing"

	"github.com/mirin-go/mirin/codegen/globalisel"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// mixedBody makes n groups of seven generic instructions of the usual kinds.
func mixedBody(f *mir.Function, b *mir.Builder, n int) {
	p, x := ptrAndInt(f, b)
	for range n {
		k := f.AddGenericVReg(s64)
		b.Build(desc.G_CONSTANT, def(k), f.CImm(64, 16))
		q := binary(f, b, desc.G_PTR_ADD, p, k)
		l := load(f, b, q, 0)
		x = binary(f, b, desc.G_ADD, x, l)
		c := f.AddGenericVReg(s8)
		b.Build(desc.G_ICMP, def(c), mir.PredOp(uint8(ir.ICmpSLT)), use(x), use(l))
		z := f.AddGenericVReg(s32)
		b.Build(desc.G_ZEXT, def(z), use(c))
		store(f, b, z, q)
	}
	b.Build(desc.COPY, def(reg(tab.EAX)), use(x))
}

// BenchmarkSelect measures bank and instruction selection per generic instruction.
func BenchmarkSelect(b *testing.B) {
	const groups = 300
	t := &testing.T{}
	f, c := iselFunc(t, func(*mir.Function, *mir.Builder) {})
	b.ReportAllocs()
	for range b.N {
		b.StopTimer()
		f.Reset("f")
		f.Props = mir.IsSSA | mir.Legalized
		bd := &mir.Builder{F: f}
		bd.SetBlock(f.AddBlock())
		mixedBody(f, bd, groups)
		b.StartTimer()
		if err := globalisel.RegBankSelect.Run(c, f); err != nil {
			b.Fatal(err)
		}
		if err := globalisel.InstructionSelect.Run(c, f); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(groups*7), "ns/instr")
}

// BenchmarkLegalize measures the legalizer per generic instruction that is legal already.
func BenchmarkLegalize(b *testing.B) {
	const groups = 300
	t := &testing.T{}
	f, c := iselFunc(t, func(*mir.Function, *mir.Builder) {})
	b.ReportAllocs()
	for range b.N {
		b.StopTimer()
		f.Reset("f")
		f.Props = mir.IsSSA
		bd := &mir.Builder{F: f}
		bd.SetBlock(f.AddBlock())
		mixedBody(f, bd, groups)
		b.StartTimer()
		if err := globalisel.Legalizer.Run(c, f); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(groups*7), "ns/instr")
}

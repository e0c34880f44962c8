package bench

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/mirin-go/mirin/codegen/driver"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/codegen/pipeline"
	"github.com/mirin-go/mirin/internal/testenv"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/irtext"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/all"
)

// module reads one of the ready-made modules.
func module(b *testing.B, name string) (string, []byte) {
	p := testenv.Shared(b, "programs", "ll", name)
	src, err := os.ReadFile(p)
	if err != nil {
		b.Fatal(err)
	}
	return filepath.Base(p), src
}

func BenchmarkParse(b *testing.B) {
	name, src := module(b, "Misc-ReedSolomon.O0.ll")
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := irtext.Parse(name, src, irtext.Options{Jobs: 1}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkPasses runs the pipeline without reading and printing, on one worker.
func BenchmarkPasses(b *testing.B) {
	for _, opt := range []string{"O0", "O2"} {
		b.Run(opt, func(b *testing.B) {
			name, src := module(b, "Misc-ReedSolomon."+opt+".ll")
			mod, err := irtext.Parse(name, src, irtext.Options{Jobs: 1})
			if err != nil {
				b.Fatal(err)
			}
			level := target.OptLevel(opt[1] - '0')
			m, err := target.NewMachine(all.Find(mod.Triple, ""), target.Options{Triple: mod.Triple, Opt: level, Reloc: target.RelocPIC})
			if err != nil {
				b.Fatal(err)
			}
			var ids []ir.GlobalID
			for _, id := range mod.Funcs {
				if mod.Globals[id].Func != nil {
					ids = append(ids, id)
				}
			}
			r := &pass.Runner{Passes: pipeline.Passes(pipeline.Options{Opt: level, Target: m.Target})}
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				j := &driver.Job{Machine: m, Module: mod, Runner: r, Workers: 1}
				if _, errs := j.Run(ids); len(errs) > 0 {
					b.Fatal(errs[0])
				}
			}
			b.ReportMetric(float64(len(ids)), "functions/op")
		})
	}
}

package main

import (
	"cmp"
	"io"

	"github.com/mirin-go/mirin/desc/family"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/bitcode"
	"github.com/mirin-go/mirin/ir/irtext"
	"github.com/mirin-go/mirin/ir/irverify"
	"github.com/mirin-go/mirin/target/all"
	"github.com/mirin-go/mirin/triple"
)

// readModule reads IR, text or bitcode by what it begins with. layout is asked for the data
// layout before text is read that depends on it (alignments that are not written).
func readModule(name, src string, jobs int, layout func(triple, layout string) string) (*ir.Module, error) {
	if isBitcode(src) {
		return bitcode.Read(name, []byte(src), bitcode.Options{Jobs: jobs})
	}
	return irtext.ParseString(name, src, irtext.Options{Jobs: jobs, Layout: layout})
}

// layoutFor gives modules that have no data layout that of the triple they are compiled
// for: own when it is not empty, else the module's, else the default one.
func layoutFor(own, abi string) func(of, layout string) string {
	return func(of, layout string) string {
		if layout != "" {
			return layout
		}
		return family.DataLayout(triple.Parse(cmp.Or(own, of, all.DefaultTriple)), abi)
	}
}

// isBitcode looks at how a file begins.
func isBitcode(src string) bool { return bitcode.IsBitcode([]byte(src[:min(len(src), 64)])) }

// checkInput drops debug info that is not valid, with a warning, and with verify
// checks the module: report is what is wrong with it.
func checkInput(m *ir.Module, verify bool, stderr io.Writer) (report string) {
	var warning string
	if verify {
		warning, report = irverify.Input(m)
	} else {
		warning = irverify.CheckDebugInfo(m)
	}
	io.WriteString(stderr, warning)
	return report
}

// outputBuffer makes a buffer for output of about n bytes. Memory that is not
// written to costs nothing; a buffer that grows is copied again and again.
func outputBuffer(n int) []byte { return make([]byte, 0, n+n/4+4096) }

package main

import (
	"io"

	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/bitcode"
	"github.com/mirin-go/mirin/ir/irtext"
	"github.com/mirin-go/mirin/ir/irverify"
)

// readModule reads IR, text or bitcode by what it begins with.
func readModule(name, src string, jobs int) (*ir.Module, error) {
	if isBitcode(src) {
		return bitcode.Read(name, []byte(src), bitcode.Options{Jobs: jobs})
	}
	return irtext.ParseString(name, src, irtext.Options{Jobs: jobs})
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

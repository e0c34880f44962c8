// Package conformance holds the lists of LLVM's tests that pass, and the test
// that none of them is lost.
//
//	mir.txt mirpass.txt verifier-mir.txt ir.txt bitcode.txt tablegen.txt filecheck.txt
//	    paths below llvm/test, one a line, sorted: these tests pass
//	roundtrip.txt, roundtrip.sum
//	    .mir files that llc -run-pass=none prints as LLVM's llc does, or
//	    rejects at the same place; the .sum file has the flags and what LLVM
//	    made of the file: "ok" and a hash of the output, or "error" and the
//	    line and column, so that the test needs no installed LLVM
//
// The test builds the command once and runs the listed tests through
// "mirin lit", in one process an area, and the files of roundtrip.txt through
// its llc. It needs the shared material beside the checkout (skipped without),
// takes half a minute, and with -short runs every tenth .mir file.
//
// Lists only grow:
//
//	go test ./internal/conformance -update
//
// runs every test of the areas, adds those that pass now and names them; it
// never removes one. The round trip part of it needs Python and llc-22.
//
// Nothing but tests is here; the tests may import internal/testenv alone.
package conformance

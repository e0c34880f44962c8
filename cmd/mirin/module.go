package main

import (
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/bitcode"
	"github.com/mirin-go/mirin/ir/irtext"
)

// readModule reads IR, text or bitcode by what it begins with.
func readModule(name string, src []byte, jobs int) (*ir.Module, error) {
	if bitcode.IsBitcode(src) {
		return bitcode.Read(name, src, bitcode.Options{Jobs: jobs})
	}
	return irtext.Parse(name, src, irtext.Options{Jobs: jobs})
}

// appendBitcode writes a module as bitcode.
func appendBitcode(b []byte, m *ir.Module) ([]byte, error) {
	return bitcode.Append(b, m, bitcode.Options{})
}

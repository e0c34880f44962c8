package main

import (
	"github.com/mirin-go/mirin/diag"
	"github.com/mirin-go/mirin/tablegen"
	"github.com/mirin-go/mirin/tablegen/emit/mcgen"
	"github.com/mirin-go/mirin/tablegen/emit/targetinfo"
)

// mcSource reads the instructions of the target for the generators of the
// machine code layer.
func mcSource(o *tblgenOptions, rs *tablegen.Records) (*mcgen.Source, error) {
	t, err := targetinfo.Build(rs, targetinfo.Options{Target: o.target, NoRegisters: true})
	if err != nil {
		return nil, err
	}
	s := mcgen.New(rs, t)
	s.Warn = func(d *diag.Diagnostic) { o.stderr.Write(tablegen.Report{Diagnostic: d}.AppendText(nil)) }
	return s, nil
}

// goTable writes a table as a Go file, unless there was an error.
func goTable[T any](o *tblgenOptions, name, comment string, table *T, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	return mcgen.AppendGo(nil, o.goPackage, name, comment, table)
}

func genGoEmitter(o *tblgenOptions, rs *tablegen.Records, _ string) ([]byte, error) {
	s, err := mcSource(o, rs)
	if err != nil {
		return nil, err
	}
	t, err := s.Encoder()
	return goTable(o, "Encoder", "says how instructions become bytes; see mc/mctable.", t, err)
}

func genGoDisassembler(o *tblgenOptions, rs *tablegen.Records, _ string) ([]byte, error) {
	s, err := mcSource(o, rs)
	if err != nil {
		return nil, err
	}
	t, err := s.Decoder(mcgen.DecoderOptions{IgnoreNonDecodable: o.ignoreNonDecodable})
	return goTable(o, "Decoder", "says what bytes mean; see mc/mctable.", t, err)
}

func genGoAsmWriter(o *tblgenOptions, rs *tablegen.Records, _ string) ([]byte, error) {
	s, err := mcSource(o, rs)
	if err != nil {
		return nil, err
	}
	t, err := s.Writer()
	return goTable(o, "Writer", "is the assembly syntax for printing; see mc/mctable.", t, err)
}

func genGoAsmMatcher(o *tblgenOptions, rs *tablegen.Records, _ string) ([]byte, error) {
	s, err := mcSource(o, rs)
	if err != nil {
		return nil, err
	}
	t, err := s.Matcher()
	return goTable(o, "Matcher", "is the assembly syntax for reading; see mc/mctable.", t, err)
}

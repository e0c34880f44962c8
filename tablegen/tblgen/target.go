package tblgen

import (
	"github.com/mirin-go/mirin/desc/facts"
	"github.com/mirin-go/mirin/diag"
	"github.com/mirin-go/mirin/tablegen"
	"github.com/mirin-go/mirin/tablegen/emit/mcgen"
	"github.com/mirin-go/mirin/tablegen/emit/targetinfo"
)

// numbers gives the target whose numbers are to be written: that of --facts, or
// the one that the records describe.
func (c *command) numbers(rs *tablegen.Records, registersOnly bool) (*targetinfo.Target, error) {
	if c.info != nil {
		return &targetinfo.Target{Info: c.info}, nil
	}
	return c.buildTarget(rs, registersOnly)
}

// buildTarget makes the description of the target that the records describe.
func (c *command) buildTarget(rs *tablegen.Records, registersOnly bool) (*targetinfo.Target, error) {
	t, err := targetinfo.Build(rs, targetinfo.Options{Target: c.target, RegistersOnly: registersOnly})
	if t != nil {
		for _, w := range t.Warnings {
			c.stderr.Write(w.AppendText(nil))
		}
	}
	return t, err
}

// genGoRegisterInfo writes the numbers of registers and classes as Go.
func genGoRegisterInfo(c *command, rs *tablegen.Records, _ string) ([]byte, error) {
	t, err := c.numbers(rs, true)
	if err != nil {
		return nil, err
	}
	return t.AppendGoRegisters(nil, c.goPackage)
}

// genGoInstrInfo writes the numbers of opcodes as Go.
func genGoInstrInfo(c *command, rs *tablegen.Records, _ string) ([]byte, error) {
	t, err := c.numbers(rs, false)
	if err != nil {
		return nil, err
	}
	return t.AppendGoInstrs(nil, c.goPackage)
}

// genGoSubtarget writes features, processors and the access to the facts as Go.
func genGoSubtarget(c *command, rs *tablegen.Records, _ string) ([]byte, error) {
	t, err := c.buildTarget(rs, false)
	if err != nil {
		return nil, err
	}
	return t.AppendGoSubtarget(nil, c.goPackage, c.factsFile)
}

// genFacts writes the whole description in the format of desc/facts.
func genFacts(c *command, rs *tablegen.Records, _ string) ([]byte, error) {
	t, err := c.buildTarget(rs, false)
	if err != nil {
		return nil, err
	}
	return facts.Append(nil, t.Info)
}

// genRegisters lists registers and classes in LLVM's form, to be read.
func genRegisters(c *command, rs *tablegen.Records, _ string) ([]byte, error) {
	t, err := c.buildTarget(rs, true)
	if err != nil {
		return nil, err
	}
	return t.AppendRegisters(nil), nil
}

// mcSource reads the instructions of the target for the generators of the
// machine code layer.
func mcSource(c *command, rs *tablegen.Records) (*mcgen.Source, error) {
	t, err := targetinfo.Build(rs, targetinfo.Options{Target: c.target, NoRegisters: true})
	if err != nil {
		return nil, err
	}
	s := mcgen.New(rs, t)
	s.Warn = func(d *diag.Diagnostic) { c.stderr.Write(tablegen.Report{Diagnostic: d}.AppendText(nil)) }
	return s, nil
}

// goTable writes a table as a Go file, unless there was an error.
func goTable[T any](c *command, name, comment string, table *T, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	return mcgen.AppendGo(nil, c.action, c.goPackage, name, comment, table)
}

func genGoEmitter(c *command, rs *tablegen.Records, _ string) ([]byte, error) {
	s, err := mcSource(c, rs)
	if err != nil {
		return nil, err
	}
	t, err := s.Encoder()
	return goTable(c, "Encoder", "says how instructions become bytes; see mc/table.", t, err)
}

func genGoDisassembler(c *command, rs *tablegen.Records, _ string) ([]byte, error) {
	s, err := mcSource(c, rs)
	if err != nil {
		return nil, err
	}
	t, err := s.Decoder(mcgen.DecoderOptions{IgnoreNonDecodable: c.ignoreNonDecodable})
	return goTable(c, "Decoder", "says what bytes mean; see mc/table.", t, err)
}

func genGoAsmWriter(c *command, rs *tablegen.Records, _ string) ([]byte, error) {
	s, err := mcSource(c, rs)
	if err != nil {
		return nil, err
	}
	t, err := s.Writer()
	return goTable(c, "Writer", "is the assembly syntax for printing; see mc/table.", t, err)
}

func genGoAsmMatcher(c *command, rs *tablegen.Records, _ string) ([]byte, error) {
	s, err := mcSource(c, rs)
	if err != nil {
		return nil, err
	}
	t, err := s.Matcher()
	return goTable(c, "Matcher", "is the assembly syntax for reading; see mc/table.", t, err)
}

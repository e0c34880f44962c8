package main

import (
	"github.com/mirin-go/mirin/desc/facts"
	"github.com/mirin-go/mirin/tablegen"
	"github.com/mirin-go/mirin/tablegen/emit/targetinfo"
)

// buildTarget makes the description of the target that the records describe.
func (o *tblgenOptions) buildTarget(rs *tablegen.Records, registersOnly bool) (*targetinfo.Target, error) {
	t, err := targetinfo.Build(rs, targetinfo.Options{Target: o.target, RegistersOnly: registersOnly})
	if t != nil {
		for _, w := range t.Warnings {
			o.stderr.Write(w.AppendText(nil))
		}
	}
	return t, err
}

// genGoRegisterInfo writes the numbers of registers and classes as Go.
func genGoRegisterInfo(o *tblgenOptions, rs *tablegen.Records, _ string) ([]byte, error) {
	t, err := o.buildTarget(rs, true)
	if err != nil {
		return nil, err
	}
	return t.AppendGoRegisters(nil, o.goPackage)
}

// genGoInstrInfo writes the numbers of opcodes as Go.
func genGoInstrInfo(o *tblgenOptions, rs *tablegen.Records, _ string) ([]byte, error) {
	t, err := o.buildTarget(rs, false)
	if err != nil {
		return nil, err
	}
	return t.AppendGoInstrs(nil, o.goPackage)
}

// genGoSubtarget writes features, processors and the access to the facts as Go.
func genGoSubtarget(o *tblgenOptions, rs *tablegen.Records, _ string) ([]byte, error) {
	t, err := o.buildTarget(rs, false)
	if err != nil {
		return nil, err
	}
	return t.AppendGoSubtarget(nil, o.goPackage, o.factsFile)
}

// genFacts writes the whole description in the format of desc/facts.
func genFacts(o *tblgenOptions, rs *tablegen.Records, _ string) ([]byte, error) {
	t, err := o.buildTarget(rs, false)
	if err != nil {
		return nil, err
	}
	return facts.Append(nil, t.Info)
}

// genRegisters lists registers and classes in LLVM's form, to be read.
func genRegisters(o *tblgenOptions, rs *tablegen.Records, _ string) ([]byte, error) {
	t, err := o.buildTarget(rs, true)
	if err != nil {
		return nil, err
	}
	return t.AppendRegisters(nil), nil
}

package include

import (
	"embed"
	"fmt"
	"path"
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/tablegen"
)

//go:embed mirin/*.td
var files embed.FS

// ReadFile gives a tablegen.Options.ReadFile that has the files of mirin/ built
// in. read, which may be nil, gives the others; a file of its own comes first.
func ReadFile(read func(path string) ([]byte, error)) func(path string) ([]byte, error) {
	return func(path string) ([]byte, error) {
		if read != nil {
			if b, err := read(path); err == nil {
				return b, nil
			}
		}
		if path == "mirin/ValueTypes.td" {
			return valueTypes(), nil
		}
		return files.ReadFile(path)
	}
}

// valueTypes writes the value types as records.
func valueTypes() []byte {
	var b []byte
	b = append(b, "class ValueType<int size, string llvm_name = NAME> { string LLVMName = llvm_name; int Size = size; }\n"...)
	b = append(b, "def OtherVT : ValueType<0, \"Other\">;\ndef untyped : ValueType<8, \"Untyped\">;\ndef iPTR : ValueType<0>;\n"...)
	for t := desc.MVT(1); t < 1<<10; t++ {
		if name := t.String(); name != "" && t.Bits() > 0 && name != "Untyped" {
			b = fmt.Appendf(b, "def %s : ValueType<%d>;\n", name, t.Bits())
		}
	}
	return b
}

// Facts gives a tablegen.Options.LazyDef for descriptions of a target that
// facts know: its instructions, registers, register classes and sub-register
// indices and the value types are definitions, each of the class of its kind
// where the description has that class.
func Facts(facts *desc.Info) func(name string) (class string) {
	return func(name string) string { return classOf(facts, name) }
}

func classOf(facts *desc.Info, name string) string {
	if _, ok := facts.OpcodeByName(name); ok {
		return "Instruction"
	}
	if r, ok := facts.RegByName(strings.ToLower(name)); ok && facts.RegName(r) == name {
		return "Register"
	}
	if c, ok := facts.RegClassByName(strings.ToLower(name)); ok && facts.RegClassName(c) == name {
		return "RegisterClass"
	}
	if _, ok := facts.SubRegIndexByName(name); ok {
		return "SubRegIndex"
	}
	if _, ok := desc.MVTByName(name); ok {
		return "ValueType"
	}
	return ""
}

// ParseFile reads a description of a target that facts know, with what it
// includes: files of mirin/, and others from its own folder or by their path.
func ParseFile(facts *desc.Info, file string, read func(path string) ([]byte, error)) (*tablegen.Records, error) {
	src, err := read(file)
	if err != nil {
		return nil, err
	}
	return tablegen.Parse(tablegen.Options{IncludeDirs: []string{path.Dir(file)}, ReadFile: ReadFile(read), LazyDef: Facts(facts)}, file, src)
}

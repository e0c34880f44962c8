package targetinfo

import (
	"embed"
	"fmt"
	"os"
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/tablegen"
)

//go:embed include/*.td
var includes embed.FS

// Include gives the text of a built-in file: mirin/Target.td and what it
// includes.
func Include(path string) (string, bool) {
	if path == "mirin/ValueTypes.td" {
		return valueTypes(), true
	}
	name, ok := strings.CutPrefix(path, "mirin/")
	if !ok {
		return "", false
	}
	b, err := includes.ReadFile("include/" + name)
	return string(b), err == nil
}

// valueTypes writes the value types as records.
func valueTypes() string {
	var w strings.Builder
	w.WriteString("class ValueType<int size, string llvm_name = NAME> { string LLVMName = llvm_name; int Size = size; }\n")
	w.WriteString("def OtherVT : ValueType<0, \"Other\">;\ndef untyped : ValueType<8, \"Untyped\">;\ndef iPTR : ValueType<0>;\n")
	for t := desc.MVT(1); t < 1<<10; t++ {
		if name := t.String(); name != "" && t.Bits() > 0 && name != "Untyped" {
			fmt.Fprintf(&w, "def %s : ValueType<%d>;\n", name, t.Bits())
		}
	}
	return w.String()
}

// Load reads a description from a file and builds the target. Files of mirin/
// are built in.
func Load(file string, o Options) (*Target, error) {
	src, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	rs, err := tablegen.Parse(tablegen.Options{IncludeDirs: o.IncludeDirs, ReadFile: o.readFile}, file, src)
	if err != nil {
		return nil, err
	}
	return Build(rs, o)
}

func (o *Options) readFile(path string) ([]byte, error) {
	b, err := os.ReadFile(path)
	if err == nil {
		return b, nil
	}
	if o.ReadFile != nil {
		if b, err := o.ReadFile(path); err == nil {
			return b, nil
		}
	}
	if s, ok := Include(path); ok {
		return []byte(s), nil
	}
	return nil, err
}

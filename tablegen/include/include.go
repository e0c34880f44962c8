package include

import (
	"embed"
	"fmt"
	"path"

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

// valueTypes writes the value types as records, with LLVM's fields.
func valueTypes() []byte {
	var b []byte
	b = append(b, `class ValueType<int size, string llvm_name = NAME> {
  string LLVMName = llvm_name;
  int Size = size;
  int nElem = 1;
  ValueType ElementType = ?;
  bit isOverloaded = false;
  bit isInteger = false;
  bit isFP = false;
  bit isVector = false;
  bit isScalable = false;
  bit isCheriCapability = false;
  bit isNormalValueType = true;
}
class VTInt<int size> : ValueType<size> { let isInteger = true; }
class VTFP<int size> : ValueType<size> { let isFP = true; }
class VTVec<int n, ValueType e, bit scalable = false> : ValueType<!mul(n, e.Size)> {
  let nElem = n;
  let ElementType = e;
  let isInteger = e.isInteger;
  let isFP = e.isFP;
  let isVector = true;
  let isScalable = scalable;
}
// Of the target or the place: the pointer's type, any of a kind.
class VTAny<string name> : ValueType<0, name> { let isOverloaded = true; let isNormalValueType = false; }
class PtrValueType<ValueType scalar, int space> : ValueType<scalar.Size> { int AddrSpace = space; }
def OtherVT : ValueType<0, "Other">;
def untyped : ValueType<8, "Untyped">;
`...)
	for t := desc.MVT(1); t < 1<<10; t++ {
		name := t.String()
		switch {
		case name == "" || t.Bits() == 0 || name == "Untyped":
		case t.IsVector():
			scalable := ""
			if t.IsScalable() {
				scalable = ", true"
			}
			b = fmt.Appendf(b, "def %s : VTVec<%d, %s%s>;\n", name, t.Len(), t.Elem(), scalable)
		case t.IsInteger():
			b = fmt.Appendf(b, "def %s : VTInt<%d>;\n", name, t.Bits())
		case t.IsFloat():
			b = fmt.Appendf(b, "def %s : VTFP<%d>;\n", name, t.Bits())
		default:
			b = fmt.Appendf(b, "def %s : ValueType<%d>;\n", name, t.Bits())
		}
	}
	for _, name := range []string{"cPTR", "pAny", "vAny", "fAny", "iAny", "Any"} {
		rec := name
		if name == "Any" {
			rec = "AnyVT"
		}
		b = fmt.Appendf(b, "def %s : VTAny<%q>;\n", rec, name)
	}
	return append(b, "def iPTR : ValueType<0> { let isNormalValueType = false; }\n"...)
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

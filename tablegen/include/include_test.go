package include

import (
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/facts"
	"github.com/mirin-go/mirin/tablegen"
)

// TestTogether: a description may include all the files at once, and again.
func TestTogether(t *testing.T) {
	list, err := fs.ReadDir(files, "mirin")
	if err != nil || len(list) < 10 {
		t.Fatalf("%d files: %v", len(list), err)
	}
	src := "include \"mirin/Target.td\"\n"
	for _, f := range list {
		src += "include \"mirin/" + f.Name() + "\"\n"
	}
	_, err = tablegen.Parse(tablegen.Options{ReadFile: ReadFile(nil)}, "all.td", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
}

// TestReadFile: a file of one's own comes first, and what is nowhere is said so.
func TestReadFile(t *testing.T) {
	own := ReadFile(func(p string) ([]byte, error) {
		if p == "mirin/MC.td" {
			return []byte("mine"), nil
		}
		return nil, fs.ErrNotExist
	})
	if b, err := own("mirin/MC.td"); string(b) != "mine" || err != nil {
		t.Errorf("%q, %v", b, err)
	}
	if b, err := own("mirin/Target.td"); !strings.Contains(string(b), "class Register") || err != nil {
		t.Errorf("%d bytes, %v", len(b), err)
	}
	if _, err := own("mirin/Nothing.td"); err == nil {
		t.Error("a file that is not there")
	}
	if _, err := ParseFile(nil, "testdata/none.td", os.ReadFile); err == nil {
		t.Error("a file that is not there")
	}
}

// TestFacts: names become definitions of the class of their kind, where the
// description has that class.
func TestFacts(t *testing.T) {
	in, err := facts.X86()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, class string }{
		{"ADD32rr", "Instruction"}, {"EAX", "Register"}, {"GR32", "RegisterClass"}, {"sub_8bit", "SubRegIndex"}, {"v4i32", "ValueType"},
	} {
		rs, err := tablegen.Parse(tablegen.Options{LazyDef: Facts(in)}, "x.td", []byte("class "+c.class+";\nclass R<"+c.class+" r> { "+c.class+" r_ = r; }\ndef : R<"+c.name+">;\n"))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		} else if !rs.Def(c.name).IsSubClassOf(c.class) {
			t.Errorf("%s is no %s", c.name, c.class)
		}
		if _, err := tablegen.Parse(tablegen.Options{LazyDef: Facts(in)}, "x.td", []byte("class R<dag d> { dag D = d; }\ndef op;\ndef : R<(op "+c.name+")>;\n")); err == nil {
			t.Errorf("%s without its class: no error", c.name)
		}
	}
}

// TestFactsAsRecords: what facts know of an instruction, a class, a register and
// an index are the fields that LLVM's classes have.
func TestFactsAsRecords(t *testing.T) {
	in, err := facts.X86()
	if err != nil {
		t.Fatal(err)
	}
	src := "include \"mirin/Target.td\"\nclass R<list<Instruction> i, Register r, SubRegIndex s, RegisterClass c>;\n" +
		"def : R<[ADD32rm, JMP_1, CALL64pcrel32], RAX, sub_8bit_hi, GR16>;\n"
	rs, err := tablegen.Parse(tablegen.Options{ReadFile: ReadFile(nil), LazyDef: Facts(in)}, "x.td", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ def, field, want string }{
		{"ADD32rm", "OutOperandList", "(outs GR32)"},
		{"ADD32rm", "InOperandList", "(ins GR32, GR64, anyimm, GR64_NOSP, anyimm, SEGMENT_REG)"},
		{"ADD32rm", "Defs", "[EFLAGS]"}, {"ADD32rm", "Uses", "[]"}, {"ADD32rm", "mayLoad", "1"}, {"ADD32rm", "mayStore", "0"}, {"ADD32rm", "FlatOperands", "1"},
		{"JMP_1", "InOperandList", "(ins anyimm)"}, {"JMP_1", "isBranch", "1"}, {"JMP_1", "isBarrier", "1"},
		{"CALL64pcrel32", "Uses", "[RSP, SSP]"}, {"CALL64pcrel32", "isCall", "1"},
		{"RAX", "RegTypes", "[i64]"}, {"EFLAGS", "RegTypes", "[i32]"}, {"RAX", "AsmName", "\"rax\""},
		{"sub_8bit_hi", "Size", "8"}, {"sub_8bit_hi", "Offset", "8"},
		{"GR16", "RegTypes", "[i16]"}, {"GR16", "Size", "16"}, {"GR16", "isAllocatable", "1"}, {"GR32", "Alignment", "32"},
	} {
		r := rs.Def(c.def)
		if r == nil {
			t.Errorf("no record %s", c.def)
			continue
		}
		if got := r.Value(c.field).String(); got != c.want {
			t.Errorf("%s.%s is %s, want %s", c.def, c.field, got, c.want)
		}
	}
	if rs.Def("ADD64rm") != nil {
		t.Error("a record that nobody named")
	}
}

// TestFactsNames: in no target does one name mean two things.
func TestFactsNames(t *testing.T) {
	for _, name := range facts.Names() {
		in, err := facts.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		kinds := map[string]string{}
		add := func(kind, n string) {
			if old := kinds[n]; old != "" && old != kind {
				t.Errorf("%s: %s is %s and %s", name, n, old, kind)
			}
			kinds[n] = kind
		}
		for op := range in.NumInstrs() {
			add("an instruction", in.OpcodeName(desc.Opcode(op)))
		}
		for r := 1; r < len(in.Regs); r++ {
			add("a register", in.RegName(desc.PhysReg(r)))
		}
		for c := range in.Classes {
			add("a class", in.RegClassName(desc.ClassID(c)))
		}
		for i := 1; i < len(in.SubRegIndices); i++ {
			add("an index", in.SubRegIndexName(desc.SubRegIdx(i)))
		}
	}
}

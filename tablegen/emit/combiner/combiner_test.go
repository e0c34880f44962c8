package combiner

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/codegen/matchtable/code"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/facts"
	"github.com/mirin-go/mirin/diag"
	"github.com/mirin-go/mirin/tablegen"
	"github.com/mirin-go/mirin/tablegen/emit/matchasm"
	"github.com/mirin-go/mirin/tablegen/include"
)

var update = flag.Bool("update", false, "write what is found into testdata")

func load(t *testing.T) *desc.Info {
	t.Helper()
	in, err := facts.Load("X86")
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// options are those that rules of a target are read with.
func options(in *desc.Info, read func(string) ([]byte, error)) tablegen.Options {
	return tablegen.Options{ReadFile: include.ReadFile(read), LazyDef: include.Facts(in)}
}

// generate compiles the only combiner of a text.
func generate(t *testing.T, name, src string) (*Result, error) {
	t.Helper()
	in := load(t)
	rs, err := tablegen.Parse(options(in, nil), name, []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return FromRecords(in, rs, "")
}

const head = "include \"mirin/Combine.td\"\n"

// TestCases: each case of testdata/cases.txt gets the messages that stand
// there, with place and caret, or none.
func TestCases(t *testing.T) {
	file := "testdata/cases.txt"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for _, c := range strings.Split(string(text), "=== ")[1:] {
		name, rest, _ := strings.Cut(c, "\n")
		src, want, _ := strings.Cut(rest, "--- ")
		r, err := generate(t, name+".td", head+src+"def C : GICombiner<\"c\", [r]>;\n")
		got := "ok\n"
		if err != nil {
			var l diag.List
			if !errors.As(err, &l) || l[0].Line == 0 || l[0].Col == 0 || l[0].Source == "" {
				t.Errorf("%s: no place: %v", name, err)
			}
			got = strings.TrimRight(string(diag.AppendError(nil, "", err)), "\n") + "\n"
		} else {
			for _, w := range r.Warnings {
				got += w.Error() + "\n"
			}
		}
		out.WriteString("=== " + name + "\n" + src + "--- " + got)
		if got != want && !*update {
			t.Errorf("%s:\n%sinstead of\n%s", name, got, want)
		}
	}
	if *update {
		if err := os.WriteFile(file, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestShare: rules that begin alike share tests, and their order stays.
func TestShare(t *testing.T) {
	r, err := generate(t, "share.td", head+`
def a : GICombineRule<(defs root:$d), (match (G_FNEG $t, $x), (G_FADD $d, $t, $y), "one(${x})"), (apply (G_FSUB $d, $y, $x))>;
def b : GICombineRule<(defs root:$d), (match (G_FNEG $t, $x), (G_FADD $d, $t, $y), "two(${x})"), (apply (G_FSUB $d, $y, $x))>;
def c : GICombineRule<(defs root:$d), (match (G_FADD $d, $x, $x)), (apply (GIReplaceReg $d, $x))>;
def C : GICombiner<"c", [a, b, c]>;
`)
	if err != nil {
		t.Fatal(err)
	}
	in := load(t)
	fneg, _ := in.OpcodeByName("G_FNEG")
	fadd, _ := in.OpcodeByName("G_FADD")
	if len(r.Table.Roots) != 1 || r.Table.Roots[0].Opcode != uint32(fadd) || !slices.Equal(r.Table.Funcs, []string{"one", "two"}) {
		t.Errorf("roots %v, functions %v", r.Table.Roots, r.Table.Funcs)
	}
	if n := bytes.Count(r.Table.Code, matchasm.Encode(code.CheckOpcode, 1, int(fneg))); n != 1 {
		t.Errorf("the test of G_FNEG stands %d times in %v", n, r.Table.Code)
	}
	if err := code.Verify(r.Table, code.Limits{Opcodes: int(desc.FirstTargetOpcode), SubRegs: 1}); err != nil {
		t.Error(err)
	}
	if _, err := AppendGo(nil, r, "p", "p.bin"); err != nil {
		t.Error(err)
	}
}

// TestLLVM: most rules of LLVM's Combine.td are understood as they are.
func TestLLVM(t *testing.T) {
	inc := "/usr/lib/llvm-22/include"
	if _, err := os.Stat(inc + "/llvm/Target/GlobalISel/Combine.td"); err != nil {
		t.Skip("no headers of LLVM 22")
	}
	in := load(t)
	o := options(in, os.ReadFile)
	o.IncludeDirs = []string{inc}
	rs, err := tablegen.Parse(o, "llvm.td", []byte(`include "llvm/Target/Target.td"
include "llvm/Target/GlobalISel/Combine.td"
def C : GICombiner<"c", [all_combines]>;
`))
	if err != nil {
		t.Fatal(err)
	}
	r, err := FromRecords(in, rs, "C")
	if r.Refused > 20 || len(r.Table.Rules) < 180 {
		t.Errorf("%d rules in %d variants, %d refused: %v", len(r.Table.Rules), r.Variants, r.Refused, err)
	}
	if err := code.Verify(r.Table, code.Limits{Opcodes: in.NumInstrs(), SubRegs: 1}); err != nil {
		t.Error(err)
	}
	var l diag.List
	errors.As(err, &l)
	for _, d := range l {
		if d.Severity == diag.Error && !strings.Contains(d.Msg, "name Go functions") {
			t.Errorf("%v", d)
		}
	}
	t.Logf("%d rules in %d variants, %d refused for their C++", len(r.Table.Rules), r.Variants, r.Refused)
}

// TestFlags: the bits of flags are those of mir.MIFlags, in LLVM's order.
func TestFlags(t *testing.T) {
	for name, bit := range map[string]uint32{"FmNoNans": 4, "FmReassoc": 10, "NoUWrap": 11, "IsExact": 13, "NonNeg": 18, "InBounds": 22} {
		if b, ok := flagBit(name); !ok || b != 1<<bit {
			t.Errorf("%s is %x", name, b)
		}
	}
}

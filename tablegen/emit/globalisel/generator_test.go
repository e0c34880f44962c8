package globalisel

import (
	"bytes"
	"io/fs"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/codegen/matchtable/code"
	"github.com/mirin-go/mirin/desc/facts"
)

const header = `include "mirin/Selection.td"
def Info : SelectionInfo { let Ambient = [MXCSR]; let Types = [i32, i64]; let Classes = [GR32, GR64]; }
def addr : ComplexPattern<i64, 5, "selectAddr">;
def CC : CondMap<[SETEQ, SETNE], [4, 5]>;
`

// generate makes a table of patterns; line 1 of the text is line 5 of the file.
func generate(t *testing.T, text string) *Result {
	t.Helper()
	info, err := facts.X86()
	if err != nil {
		t.Fatal(err)
	}
	res, err := FromFile(info, "t.td", func(p string) ([]byte, error) {
		if p != "t.td" {
			return nil, fs.ErrNotExist
		}
		return []byte(header + text), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func TestReports(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"fine", `def : Pat<(add GR32:$a, GR32:$b), (ADD32rr $a, $b)>;`, ""},
		{"operand count", `def : Pat<(add GR32:$a, GR32:$b), (ADD32rr $a)>;`,
			"t.td:5:1: error: pattern not imported: ADD32rr takes 2 operands, the pattern gives 1"},
		{"unknown operand", `def : Pat<(add GR32:$a, GR32:$b), (ADD32rr $a, $c)>;`,
			"t.td:5:1: error: pattern not imported: $c is not in the source pattern"},
		{"node operands", `def : Pat<(add GR32:$a), (NEG32r $a)>;`,
			"t.td:5:1: error: pattern not imported: add takes 2 operands, not 1"},
		{"type clash", `def : Pat<(add GR32:$a, GR64:$b), (ADD32rr $a, $b)>;`,
			"type i32 does not fit i64"},
		{"no type", `def : Pat<(trunc GR64:$a), (EXTRACT_SUBREG $a, sub_32bit)>;`,
			"cannot infer a type in trunc"},
		{"flags unset", `def : Pat<(i8 (trunc GR32:$a)), (SETCCr 4)>;`,
			"SETCCr reads EFLAGS, which nothing before it in the result sets"},
		{"flags changed", `def : Pat<(i8 (setcc GR32:$a, GR32:$b, CC:$cc)), (SETCCr (CMP32rr $a, $b), CC:$cc)>;
def : Pat<(brcond (i8 (setcc GR32:$a, GR32:$b, CC:$cc)), bb:$d), (JCC_1 (CMP32rr $a, $b), bb:$d, CC:$cc)>;
def : Pat<(select (i8 (setcc GR32:$a, GR32:$b, CC:$cc)), GR32:$x, GR32:$y),
          (CMOV32rr (CMP32rr $a, $b), (NEG32r $x), $y, CC:$cc)>;`,
			"t.td:7:1: error: pattern not imported: operand 2 of CMOV32rr changes a register that an operand before it set"},
		{"no result", `def : Pat<(i32 (trunc GR64:$a)), (CMP64rr $a, $a)>;`, "CMP64rr has no result: use (get register)"},
		{"unknown fragment operand", `def f : PatFrag<(ops node:$a), (add node:$a, node:$b)>;
def : Pat<(f GR32:$a), (NEG32r $a)>;`, "$b is no operand of the fragment"},
		{"shadowed", `def : Pat<(add GR32:$a, GR32:$b), (ADD32rr $a, $b)>;
def : Pat<(add GR32:$x, GR32:$y), (SUB32rr $x, $y)>;`,
			"t.td:6:1: warning: pattern never matches: the one at t.td:5 always matches first"},
		{"overlap", `def lo : ImmRange<i32, 0, 9>;
def hi : ImmRange<i32, 5, 20>;
def : Pat<(add GR32:$a, lo:$b), (ADD32ri $a, $b)>;
def : Pat<(add GR32:$a, hi:$b), (SUB32ri $a, $b)>;`,
			"t.td:8:1: note: overlaps the pattern at t.td:7, which comes first with equal priority"},
	}
	for _, tt := range tests {
		res := generate(t, tt.text)
		var all []string
		for _, r := range res.Reports {
			all = append(all, r.Error())
		}
		got := strings.Join(all, "\n")
		if tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestCommutative(t *testing.T) {
	res := generate(t, `def : Pat<(add GR32:$a, (load addr:$p)), (ADD32rm $a, addr:$p)>;
def : Pat<(sub GR32:$a, (load addr:$p)), (SUB32rm $a, addr:$p)>;`)
	// add is G_ADD and G_PTR_ADD, each in two orders; sub is neither.
	if res.Rules != 5 {
		t.Errorf("%d rules, want 5", res.Rules)
	}
}

func TestSharedPrefixes(t *testing.T) {
	res := generate(t, `def r1 : ImmRange<i32, 1, 1>;
def r2 : ImmRange<i32, 2, 2>;
foreach r = [r1, r2] in
def : Pat<(add GR32:$a, r:$b), (ADD32ri $a, $b)>;`)
	n := 0
	c := res.Table.Code
	for i := 0; i+3 < len(c); i++ {
		// The type of operand 0 is tested once for both patterns of an opcode.
		if code.Op(c[i]) == code.CheckType && c[i+1] == 0 && c[i+2] == 0 && res.Table.Types[c[i+3]] == "i32" {
			n++
		}
	}
	if n != 2 {
		t.Errorf("%d tests of the root's type, want one for each of two opcodes", n)
	}
}

func TestRoundTrip(t *testing.T) {
	res := generate(t, `def : Pat<(brcond (i8 (setcc GR32:$a, GR32:$b, CC:$cc)), bb:$d), (JCC_1 (CMP32rr $a, $b), bb:$d, CC:$cc)>;
let Predicates = [Predicate<"popcnt">] in
def : Pat<(i32 (ctpop GR32:$a)), (POPCNT32rr $a)>;
def : Pat<(i32 (load addr:$p)), (MOV32rm addr:$p)>;`)
	b := res.Table.AppendBinary(nil)
	d, err := code.Decode(b)
	if err != nil {
		t.Fatal(err)
	}
	if got := d.AppendBinary(nil); !bytes.Equal(got, b) {
		t.Error("decoding and encoding changed the table")
	}
	for n := range b {
		// Truncated tables are refused or end early, and never panic.
		_, _ = code.Decode(b[:n])
	}
}

func TestDeterministic(t *testing.T) {
	text := `def : Pat<(add GR32:$a, (load addr:$p)), (ADD32rm $a, addr:$p)>;
def : Pat<(add GR32:$a, imm:$b), (ADD32ri $a, $b)>;
def : Pat<(add GR64:$a, GR64:$b), (ADD64rr $a, $b)>;`
	a, b := generate(t, text), generate(t, text)
	if !bytes.Equal(a.Table.AppendBinary(nil), b.Table.AppendBinary(nil)) {
		t.Error("two runs made different tables")
	}
}

package globalisel

import (
	"bytes"
	"io/fs"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/codegen/matchtable/code"
	"github.com/mirin-go/mirin/desc/facts"
)

// header has the target's own records; the text of a test begins in line 11.
const header = `include "mirin/Target.td"
include "mirin/Sequence.td"
def II : InstrInfo;
def X86 : Target { let InstructionSet = II; }
def : PtrValueType<i64, 0>;
def : SelectionInfo { let Ambient = [MXCSR]; let Types = [i32, i64]; let Classes = [GR32, GR64]; }
def addr : ComplexPattern<iPTR, 5, "selectAddr">;
def : GIComplexOperandMatcher<s64, "selectAddr">, GIComplexPatternEquiv<addr>;
def CC : CondMap<[SETEQ, SETNE], [4, 5]>;
def : GINodeEquiv<G_PTR_ADD, add>;
`

// generate makes a table of patterns, or tells what is wrong with them.
func generate(t *testing.T, text string) (*Result, error) {
	t.Helper()
	info, err := facts.X86()
	if err != nil {
		t.Fatal(err)
	}
	return FromFile(info, "t.td", func(p string) ([]byte, error) {
		if p != "t.td" {
			return nil, fs.ErrNotExist
		}
		return []byte(header + text), nil
	})
}

// table is generate for patterns that are right.
func table(t *testing.T, text string) *Result {
	t.Helper()
	res, err := generate(t, text)
	if err == nil {
		err = res.Err()
	}
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func TestReports(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"fine", `def : Pat<(add GR32:$a, GR32:$b), (ADD32rr $a, $b)>;`, ""},
		{"operand count", `def : Pat<(add GR32:$a, GR32:$b), (ADD32rr (MOV32rr $b))>;`,
			"Instruction 'ADD32rr' expects more than the provided 1 operands!"},
		{"unknown operand", `def : Pat<(add GR32:$a, GR32:$b), (ADD32rr $a, $c)>;`,
			"Node 'c' in output pattern but not input pattern"},
		{"node operands", `def : Pat<(add GR32:$a), (NEG32r $a)>;`, "add node requires exactly 2 operands!"},
		{"type clash", `def : Pat<(add GR32:$a, GR64:$b), (ADD32rr $a, $b)>;`, "Type set is empty"},
		{"no type", `def : Pat<(not GR8:$a), (NOT8r $a)>;
def : Pat<(trunc GR64:$a), (EXTRACT_SUBREG $a, sub_8bit)>;`, "Could not infer all types in pattern"},
		{"flags unset", `def : Pat<(i8 (trunc GR32:$a)), (Seq (MOV32rr $a), (SETCCr 4))>;`,
			"t.td:11:1: error: Skipped pattern: SETCCr reads EFLAGS, which nothing before it in the result sets"},
		{"no result", `def : Pat<(i32 (trunc GR64:$a)), (CMP64rr $a, $a)>;`, "Dst pattern root has no result"},
		{"no result of a step", `def : Pat<(i32 (trunc GR64:$a)), (Seq (CMP64rr $a, $a):$x, (MOV32rr $x))>;`, "CMP64rr has no result: use (get register)"},
		{"step before it is made", `def : Pat<(add GR32:$a, GR32:$b), (Seq (ADD32rr $a, $x):$y, (NEG32r $b):$x, (ADD32rr $x, $y))>;`,
			"$x is not in the source pattern, nor a step before"},
		{"step with a name of the source", `def : Pat<(add GR32:$a, GR32:$b), (Seq (NEG32r $a):$b, (NEG32r $b))>;`, "Step $b has the name of an operand of the source"},
		{"two values", `def : Pat<(sdivrem GR32:$a, GR32:$b), (Seq (set EAX, $a), (CDQ), (IDIV32r $b), (get EAX))>;`, "the last step must be (results …)"},
		{"a value twice", `def : Pat<(sdivrem GR32:$a, GR32:$b), (Seq (set EAX, $a), (CDQ), (IDIV32r $b), (get EAX):$q, (results $q, $q))>;`, "each once"},
		{"no values", `def : Pat<(add GR32:$a, GR32:$b), (Seq (CMP32rr $a, $b), (results))>;`, "the source must say HasNoUse"},
		{"set of a value of another type", `def : Pat<(add GR32:$a, GR32:$b), (Seq (set RAX, $a), (MUL32r $b), (get EAX))>;`, "Type set is empty"},
		{"steps of a source", `def : Pat<(add GR32:$a, (Seq GR32:$b)), (ADD32rr $a, $b)>;`, "Cannot use 'Seq' in an input pattern!"},
		{"nested steps", `def : Pat<(add GR32:$a, GR32:$b), (NEG32r (Seq (ADD32rr $a, $b)))>;`, "Seq stands inside a result"},
		{"no generic instruction", `def foo : SDNode<"X86ISD::FOO", SDTIntUnaryOp>;
def : Pat<(foo GR32:$a), (NEG32r $a)>;`, "Pattern operator lacks an equivalent Instruction (X86ISD::FOO)"},
		{"no function of an address", `def addr2 : ComplexPattern<iPTR, 5, "selectAddr">;
def : Pat<(i32 (load addr2:$p)), (MOV32rm addr2:$p)>;`, "SelectionDAG ComplexPattern (addr2) not mapped to GlobalISel"},
		{"a condition without a number", `def bad : CondMap<[SETEQ, SETOEQ], [4, 5]>;
def : Pat<(i8 (setcc GR32:$a, GR32:$b, bad:$cc)), (Seq (CMP32rr $a, $b), (SETCCr bad:$cc))>;`, "condition SETOEQ has no predicate of its kind"},
		{"unknown fragment operand", `def f : PatFrag<(ops node:$a), (add node:$a, node:$b)>;
def : Pat<(f GR32:$a), (NEG32r $a)>;`, "Operands list does not contain an entry for operand 'b'!"},
		{"shadowed", `def : Pat<(add GR32:$a, GR32:$b), (ADD32rr $a, $b)>;
def : Pat<(add GR32:$x, GR32:$y), (SUB32rr $x, $y)>;`,
			"t.td:12:1: warning: pattern never matches: the one at t.td:11 always matches first"},
		{"overlap", `def lo : ImmLeaf<i32, [{ return Imm >= 0 && Imm < 10; }]>;
def hi : ImmLeaf<i32, [{ return Imm >= 5 && Imm < 20; }]>;
def : Pat<(add GR32:$a, lo:$b), (ADD32ri $a, $b)>;
def : Pat<(add GR32:$a, hi:$b), (SUB32ri $a, $b)>;`,
			"t.td:14:1: note: overlaps the pattern at t.td:13, which comes first with equal priority"},
	}
	for _, tt := range tests {
		var all []string
		add := func(err error) {
			if err != nil {
				all = append(all, err.Error())
			}
		}
		res, err := generate(t, tt.text)
		add(err)
		if res != nil {
			add(res.Err())
			for _, r := range res.Reports {
				all = append(all, r.Error())
			}
		}
		got := strings.Join(all, "\n")
		if tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestCommutative(t *testing.T) {
	res := table(t, `def : Pat<(add GR32:$a, (load addr:$p)), (ADD32rm $a, addr:$p)>;
def : Pat<(sub GR32:$a, (load addr:$p)), (SUB32rm $a, addr:$p)>;`)
	// add is G_ADD and G_PTR_ADD, each in two orders; sub is neither.
	if res.Rules != 5 {
		t.Errorf("%d rules, want 5", res.Rules)
	}
}

func TestSharedPrefixes(t *testing.T) {
	res := table(t, `def r1 : ImmLeaf<i32, [{ return Imm >= 1 && Imm <= 1; }]>;
def r2 : ImmLeaf<i32, [{ return Imm >= 2 && Imm <= 2; }]>;
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
	res := table(t, `def : Pat<(brcond (i8 (setcc GR32:$a, GR32:$b, CC:$cc)), bb:$d), (Seq (CMP32rr $a, $b), (JCC_1 bb:$d, CC:$cc))>;
let Predicates = [Predicate<"Subtarget->hasPOPCNT()">] in
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
	a, b := table(t, text), table(t, text)
	if !bytes.Equal(a.Table.AppendBinary(nil), b.Table.AppendBinary(nil)) {
		t.Error("two runs made different tables")
	}
}

package matchtable

import (
	"slices"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/codegen/matchtable/code"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/facts"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

func x86Facts(t testing.TB) *desc.Info {
	t.Helper()
	info, err := facts.X86()
	if err != nil {
		t.Fatal(err)
	}
	return info
}

// negTable selects G_FREEZE of s32 as NEG32r: one rule, written by hand.
func negTable(info *desc.Info, hook string) *code.Table {
	op, _ := info.OpcodeByName("NEG32r")
	c := []byte{byte(code.CheckType), 0, 0, 0}
	if hook != "" {
		c = append(c, byte(code.CheckHook), 0, 0)
	}
	c = append(c, byte(code.Accept), 0, 1, byte(code.BuildMI), byte(op)|0x80, byte(op>>7),
		byte(code.AddDef), 0, 0, byte(code.AddCopy), 0, 1, byte(code.Finish), 1, byte(code.Done))
	t := &code.Table{Target: "X86", Types: []string{"i32"}, Roots: []code.Root{{Opcode: uint32(desc.G_FREEZE)}},
		Files: []string{"t.td"}, Rules: []code.Rule{{Line: 7}}, Code: c}
	if hook != "" {
		t.Hooks = []string{hook}
	}
	return t
}

func classOf(_ *target.Subtarget, t mir.LLT, _ int16) desc.ClassID {
	info, _ := facts.X86()
	c, _ := info.RegClassByName(map[int]string{8: "gr8", 32: "gr32", 64: "gr64"}[t.Bits()])
	return c
}

func TestBindRefuses(t *testing.T) {
	info := x86Facts(t)
	good := negTable(info, "").AppendBinary(nil)
	if _, err := Bind(good, &Hooks{ClassOf: classOf}, info); err != nil {
		t.Errorf("a good table is refused: %v", err)
	}
	tests := []struct {
		name string
		data []byte
		want string
	}{
		{"no table", []byte("hello"), "malformed"},
		{"cut off", good[:len(code.Magic)+3], "malformed"},
		{"unknown hook", negTable(info, "isNice").AppendBinary(nil), `no Go function for the predicate "isNice"`},
		{"other target", (&code.Table{Target: "ARM"}).AppendBinary(nil), `target "ARM"`},
	}
	for _, tt := range tests {
		if _, err := Bind(tt.data, &Hooks{ClassOf: classOf}, info); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %q", tt.name, err, tt.want)
		}
	}
}

// TestSelect runs the hand-written rule: ties, dead flags, and a copy where the
// operand's class does not fit.
func TestSelect(t *testing.T) {
	info := x86Facts(t)
	s, err := Bind(negTable(info, "").AppendBinary(nil), &Hooks{ClassOf: classOf}, info)
	if err != nil {
		t.Fatal(err)
	}
	f := mir.NewFunction("f", info)
	b := mir.Builder{F: f, Block: f.AddBlock()}
	fr32, _ := info.RegClassByName("fr32")
	x, y := f.AddVReg(int16(fr32)), f.AddGenericVReg(mir.Scalar(32))
	f.VReg(x).Type = mir.Scalar(32)
	i := b.Build(desc.G_FREEZE, mir.RegOp(y, mir.Def), mir.RegOp(x, 0))
	m := &Matcher{}
	m.Start(s, nil, f, 0)
	if !m.Apply(i) {
		t.Fatal("the rule does not match")
	}
	c := f.Block(b.Block).First()
	if f.Instr(c).Opcode != desc.COPY || f.Op(c, 1).Reg() != x {
		t.Fatal("no copy out of the wrong class")
	}
	n := f.Instr(c).Next()
	if f.Op(n, 1).Reg() != f.Op(c, 0).Reg() || f.TiedTo(n, 1) != 0 {
		t.Error("the operand is not the copy, tied to the result")
	}
	gr32, _ := info.RegClassByName("gr32")
	if desc.ClassID(f.VReg(y).Class) != gr32 {
		t.Errorf("the result's class is %d", f.VReg(y).Class)
	}
	flags := f.Op(n, 2)
	if !flags.IsDead() || !flags.IsImplicit() {
		t.Error("the flags are not an implicit dead definition")
	}
	if f.Instr(n).Next() != 0 {
		t.Error("the root is still there")
	}
	if file, line := s.RuleSource(m.Rule); file != "t.td" || line != 7 {
		t.Errorf("rule of %s:%d", file, line)
	}
	// Another type does not match.
	z := f.AddGenericVReg(mir.Scalar(64))
	if m.Apply(b.Build(desc.G_FREEZE, mir.RegOp(z, mir.Def), mir.RegOp(z, 0))) {
		t.Error("a 64-bit root matches")
	}
}

func TestTypeCodes(t *testing.T) {
	seen := map[uint64]mir.LLT{}
	for _, ty := range []mir.LLT{mir.Scalar(8), mir.Scalar(32), mir.Scalar(64), mir.Vector(4, mir.Scalar(32)),
		mir.Vector(2, mir.Scalar(64)), mir.ScalableVector(4, mir.Scalar(32))} {
		if o, dup := seen[typeKey(ty)]; dup {
			t.Errorf("%v and %v have one code", o, ty)
		}
		seen[typeKey(ty)] = ty
	}
	if typeKey(mir.Pointer(0, 64)) != typeKey(mir.Scalar(64)) {
		t.Error("pointers are not matched as integers")
	}
}

// TestAllow: a rule that may not be applied leaves the instruction to the next.
func TestAllow(t *testing.T) {
	info := x86Facts(t)
	table := negTable(info, "")
	not, _ := info.OpcodeByName("NOT32r")
	second := append([]byte(nil), table.Code...)
	second[5] = 1 // the rule
	second[8], second[9] = byte(not)|0x80, byte(not>>7)
	table.Code = append(append([]byte{byte(code.Try), byte(len(table.Code))}, table.Code...), second...)
	table.Rules = append(table.Rules, code.Rule{Line: 8, Name: "second"})
	s, err := Bind(table.AppendBinary(nil), &Hooks{ClassOf: classOf}, info)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"NEG32r", "NOT32r", ""} {
		f := mir.NewFunction("f", info)
		b := mir.Builder{F: f, Block: f.AddBlock()}
		x, y := f.AddGenericVReg(mir.Scalar(32)), f.AddGenericVReg(mir.Scalar(32))
		i := b.Build(desc.G_FREEZE, mir.RegOp(y, mir.Def), mir.RegOp(x, 0))
		m := &Matcher{}
		var asked []int
		m.Allow = func(rule int) bool {
			asked = append(asked, rule)
			return want == "NEG32r" || want == "NOT32r" && rule == 1
		}
		m.Start(s, nil, f, 0)
		if ok := m.Apply(i); ok != (want != "") {
			t.Errorf("%q: matched: %v", want, ok)
		}
		if got := info.OpcodeName(f.Instr(f.Block(b.Block).Last()).Opcode); want != "" && got != want || want == "" && got != "G_FREEZE" {
			t.Errorf("%q instead of %q", got, want)
		}
		if want == "" && !slices.Equal(asked, []int{0, 1}) {
			t.Errorf("asked for %v", asked)
		}
	}
	if name := s.Rules()[1].Name; name != "second" {
		t.Errorf("rule 1 is %q", name)
	}
}

// TestUndo: a rule that does not test what it uses does not match, and leaves
// nothing behind.
func TestUndo(t *testing.T) {
	info := x86Facts(t)
	table := negTable(info, "")
	c := table.Code[:len(table.Code)-1]
	imp := int(desc.IMPLICIT_DEF)
	table.Code = append(append([]byte(nil), c...), byte(code.BuildMI), byte(imp), byte(code.AddCopy), 0, 7, byte(code.Finish), 0, byte(code.Done))
	s, err := Bind(table.AppendBinary(nil), &Hooks{ClassOf: classOf}, info)
	if err != nil {
		t.Fatal(err)
	}
	f := mir.NewFunction("f", info)
	b := mir.Builder{F: f, Block: f.AddBlock()}
	x, y := f.AddGenericVReg(mir.Scalar(32)), f.AddGenericVReg(mir.Scalar(32))
	i := b.Build(desc.G_FREEZE, mir.RegOp(y, mir.Def), mir.RegOp(x, 0))
	m := &Matcher{}
	m.Start(s, nil, f, 0)
	if m.Apply(i) {
		t.Error("the rule matches")
	}
	if blk := f.Block(b.Block); blk.First() != i || blk.Last() != i || f.UniqueDef(y) != i {
		t.Error("what it built is still there")
	}
}

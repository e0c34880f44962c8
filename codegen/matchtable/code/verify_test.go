package code

import (
	"encoding/binary"
	"errors"
	"strings"
	"testing"
)

// asm writes instructions: an Op begins one, numbers follow.
func asm(words ...any) []byte {
	var b []byte
	for _, w := range words {
		switch w := w.(type) {
		case Op:
			b = append(b, byte(w))
		case int:
			b = binary.AppendUvarint(b, uint64(w))
		}
	}
	return b
}

var limits = Limits{Opcodes: 10, Banks: 2, Classes: 4, SubRegs: 3, Regs: 20}

func table(graph Graph, c []byte) *Table {
	return &Table{Graph: graph, Types: []string{"i32", "i64"}, Features: []Feature{{Name: "f"}}, Complex: []Complex{{Name: "c", NumOps: 2}},
		Xforms: []string{"x"}, Hooks: []string{"h"}, Funcs: []string{"f"}, Opcodes: []string{"a", "b"}, Insts: []string{"i"}, Regs: []string{"r"},
		Names: []string{"n"}, Preds: []Pred{{Name: "p"}}, Rules: make([]Rule, 2), Roots: []Root{{Opcode: 1}}, Code: c}
}

// TestVerify: what is whole passes, and each fault is refused for its reason.
func TestVerify(t *testing.T) {
	accept := asm(Accept, 0, 1, Done)
	deep := func(n int) []byte {
		b := asm(Reject)
		for range n {
			b = append(asm(Try, len(b)), append(b, byte(Reject))...)
		}
		return b
	}
	for _, c := range []struct {
		name, want string
		graph      Graph
		code       []byte
	}{
		{"accepted", "", MIR, accept},
		{"alternatives", "", MIR, asm(Try, 3, CheckFold, 0, Reject, Accept, 1, 1, Done)},
		{"switch", "", MIR, asm(SwitchType, 0, 0, 4, 0, 0, 1, 1, Reject, Accept, 0, 1, Done)},
		{"switch by opcode", "", MIR, asm(SwitchOpcode, 0, 4, 7, 0, 9, 1, Reject, Accept, 0, 1, Done)},
		{"recorded", "", MIR, asm(RecordDef, 1, 0, 1, CheckOpcode, 1, 3, Accept, 0, 2, BuildMI, 2, AddDef, 0, 0, AddCopy, 1, 1, Finish, 0, Done)},
		{"as deep as it may be", "", MIR, deep(MaxTries)},
		{"graph", "", DAG, asm(RecordOperand, 1, 0, 1, CheckComplex, 0, 1, 0, 0, Accept, 0, 2, MakeInt, 4, 0,
			BuildNode, 0, 0, 0, 1, 0, 3, SrcValue, 1, SrcTemp, 0, SrcPart, 0, 1, Results, 1, SrcTemp, 1, Done)},

		{"nothing", "do not follow", MIR, nil},
		{"no end", "runs out", MIR, asm(CheckFold, 0)},
		{"cut off", "cut off", MIR, []byte{byte(CheckFold), 0x80}},
		{"too large a number", "cut off", MIR, append([]byte{byte(CheckFPBits), 0, 0}, append([]byte("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02"), accept...)...)},
		{"no instruction", "no test", MIR, append(asm(Op(120)), accept...)},
		{"an action first", "no test", MIR, append(asm(BuildMI, 1), accept...)},
		{"a test of another graph", "no test", MIR, append(asm(CheckVT, 0, 0), accept...)},
		{"an action of another graph", "no action", DAG, asm(Accept, 0, 1, BuildMI, 0, Finish, 0, Done)},
		{"actions without end", "do not end", MIR, asm(Accept, 0, 1)},
		{"too deep", "too deep", MIR, deep(MaxTries + 1)},
		{"empty alternative", "outside of the one around it", MIR, append(asm(Try, 0), accept...)},
		{"alternative without another", "outside of the one around it", MIR, append(asm(Try, len(accept)), accept...)},
		{"alternative ends inside of an instruction", "runs out", MIR, append(asm(Try, 1, CheckFold, 0), accept...)},
		{"code that nothing leads to", "nothing leads to", MIR, append(accept, accept...)},
		{"switch of nothing", "without cases", MIR, append(asm(SwitchType, 0, 0, 0), accept...)},
		{"cases out of order", "do not follow each other", MIR, append(asm(SwitchType, 0, 0, 4, 0, 1, 1, 0, Reject), accept...)},
		{"case inside of another", "nothing leads to", MIR, append(asm(SwitchType, 0, 0, 4, 0, 0, 1, 1), accept...)},
		{"case outside", "do not follow each other", MIR, append(asm(SwitchType, 0, 0, 4, 0, 0, 1, 4), accept...)},
		{"cases end too late", "where it says", MIR, append(asm(SwitchType, 0, 0, 3, 0, 0, 1, 1, Reject), accept...)},
		{"no such case", "that there is not", MIR, append(asm(SwitchOpcode, 0, 2, 10, 0), accept...)},
		{"not recorded", "not recorded", MIR, append(asm(CheckFold, 1), accept...)},
		{"recorded in another alternative", "not recorded", MIR, append(asm(Try, 5, RecordDef, 1, 0, 1, Reject, CheckFold, 1), accept...)},
		{"recorded twice", "recorded twice", MIR, append(asm(RecordDef, 1, 0, 1, RecordDef, 1, 0, 2), accept...)},
		{"recorded out of bounds", "recorded twice", MIR, append(asm(RecordDef, MaxInsns, 0, 1), accept...)},
		{"accepts more than it recorded", "does not record", MIR, asm(Accept, 0, 2, Done)},
		{"no rule", "no u of that number", MIR, asm(Accept, 2, 1, Done)},
		{"no opcode", "no O of that number", MIR, append(asm(CheckOpcode, 0, 10), accept...)},
		{"no opcode in a list", "a number that there is not", MIR, append(asm(CheckOpcodes, 0, 2, 1, 10), accept...)},
		{"no type", "no t of that number", MIR, append(asm(CheckType, 0, 0, 2), accept...)},
		{"no hook", "no h of that number", MIR, append(asm(CheckHook, 0, 1), accept...)},
		{"too many arguments", "too long", MIR, append(asm(CheckFunc, 0, MaxArgs+1), make([]byte, 99)...)},
		{"no kind of argument", "no kind of argument", MIR, append(asm(CheckFunc, 0, 1, 9, 0), accept...)},
		{"slot not filled", "not filled", MIR, asm(Accept, 0, 1, BuildMI, 0, AddSlot, 0, Finish, 0, Done)},
		{"slot filled twice", "filled twice", MIR, append(asm(CheckComplex, 0, 0, 0, 0, CheckComplex, 0, 0, 0, 0), accept...)},
		{"temporary not made", "before it is made", MIR, asm(Accept, 0, 1, BuildMI, 0, AddTemp, 0, 0, Finish, 0, Done)},
		{"temporary of another rule", "before it is made", MIR, asm(Try, 8, CheckFold, 0, Accept, 0, 1, MakeTemp, 0, Done,
			Accept, 0, 1, BuildMI, 0, AddTemp, 0, 0, Finish, 0, Done)},
		{"operand without instruction", "wrong place", MIR, asm(Accept, 0, 1, AddImm, 0, Done)},
		{"instruction without end", "wrong place", MIR, asm(Accept, 0, 1, BuildMI, 0, Done)},
		{"no class", "no c of that number", MIR, asm(Accept, 0, 1, MakeTemp, 4, Done)},
		{"no part", "no such part", DAG, asm(CheckComplex, 0, 0, 0, 0, Accept, 0, 1, Results, 1, SrcPart, 0, 2, Done)},
		{"no results", "without results", DAG, asm(Accept, 0, 1, Done)},
		{"a source of its own", "before it is made", DAG, asm(Accept, 0, 1, BuildNode, 0, 0, 0, 1, 0, 1, SrcTemp, 0, Results, 0, Done)},
	} {
		err := Verify(table(c.graph, c.code), limits)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// TestRoots: trees follow each other and have opcodes.
func TestRoots(t *testing.T) {
	one := asm(Accept, 0, 1, Done)
	two := append(append([]byte(nil), one...), one...)
	for _, c := range []struct {
		roots []Root
		code  []byte
		ok    bool
	}{
		{[]Root{{1, 0}, {2, 4}}, two, true},
		{nil, nil, true},
		{nil, one, false},
		{[]Root{{1, 0}, {2, 3}}, two, false},
		{[]Root{{1, 4}, {2, 0}}, two, false},
		{[]Root{{1, 0}, {10, 4}}, two, false},
		{[]Root{{1, 0}, {2, 1 << 31}}, two, false},
	} {
		tab := table(MIR, c.code)
		tab.Roots = c.roots
		if err := Verify(tab, limits); (err == nil) != c.ok {
			t.Errorf("%v: %v", c.roots, err)
		}
	}
}

// TestNumbers: wide numbers come back as they were written.
func TestNumbers(t *testing.T) {
	for _, v := range []int64{0, 1, 127, 128, 1 << 20, 1<<63 - 1, -1, -1 << 63} {
		b := binary.AppendVarint([]byte{7}, v)
		if got, pc := Int(b, 1); got != v || pc != len(b) {
			t.Errorf("%d at %d, want %d", got, pc, v)
		}
		b = binary.AppendUvarint([]byte{7}, uint64(v))
		if got, pc := Uint(b, 1); got != int(v) || pc != len(b) {
			t.Errorf("%d at %d, want %d", got, pc, v)
		}
	}
}

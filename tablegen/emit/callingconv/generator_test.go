package callingconv

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/facts"
	"github.com/mirin-go/mirin/tablegen"
	"github.com/mirin-go/mirin/tablegen/include"
)

func generate(t *testing.T, src string) (*desc.CCTable, error) {
	t.Helper()
	in, err := facts.Load("X86")
	if err != nil {
		t.Fatal(err)
	}
	return FromFile(in, "cc.td", func(p string) ([]byte, error) {
		if p == "cc.td" {
			return []byte(src), nil
		}
		return nil, fs.ErrNotExist
	})
}

const head = "include \"mirin/CallingConv.td\"\n"

// TestCode: the words of each action.
func TestCode(t *testing.T) {
	in, err := facts.Load("X86")
	if err != nil {
		t.Fatal(err)
	}
	reg := func(name string) uint16 {
		r, ok := in.RegByName(name)
		if !ok {
			t.Fatal(name)
		}
		return uint16(r)
	}
	fast := uint16(desc.CCPredConv) | 8
	for _, c := range []struct {
		action string
		want   []uint16
	}{
		{`CCAssignToReg<[EAX, EDX]>`, []uint16{uint16(desc.CCAssignToReg), 5, 2, reg("eax"), reg("edx")}},
		{`CCAssignToRegTuple<["EAX"]>`, []uint16{uint16(desc.CCAssignToReg), 4, 1, reg("eax")}},
		{`CCAssignToRegWithShadow<[ECX], [XMM0]>`, []uint16{uint16(desc.CCAssignWithShadow), 6, 1, reg("ecx"), 1, reg("xmm0")}},
		{`CCAssignToRegAndStack<[ECX], 8, 4>`, []uint16{uint16(desc.CCAssignRegAndStack), 6, 1, reg("ecx"), 8, 4}},
		{`CCAssignToStack<0, 16>`, []uint16{uint16(desc.CCAssignToStack), 4, 0, 16}},
		{`CCAssignToStackWithShadow<8, 4, [EDX]>`, []uint16{uint16(desc.CCAssignStackShadow), 6, 8, 4, 1, reg("edx")}},
		{`CCPassByVal<8, 8>`, []uint16{uint16(desc.CCPassByVal), 4, 8, 8}},
		{`CCPromoteToType<i32>`, []uint16{uint16(desc.CCPromoteToType), 3, uint16(desc.MVTi32)}},
		{`CCPromoteToUpperBitsInType<i64>`, []uint16{uint16(desc.CCPromoteToUpper), 3, uint16(desc.MVTi64)}},
		{`CCBitConvertToType<v2i64>`, []uint16{uint16(desc.CCBitConvert), 3, uint16(desc.MVTv2i64)}},
		{`CCTruncToType<i8>`, []uint16{uint16(desc.CCTruncToType), 3, uint16(desc.MVTi8)}},
		{`CCPassIndirect<i64>`, []uint16{uint16(desc.CCPassIndirect), 3, uint16(desc.MVTi64)}},
		{`CCCustom<"f">`, []uint16{uint16(desc.CCCustom), 3, 0}},
		{`CCDelegateTo<Other>`, []uint16{uint16(desc.CCDelegateTo), 3, 0}},
		{`CCIfType<[i8, f32], CCCustom<"f">>`, []uint16{uint16(desc.CCIfType), 8, 2, uint16(desc.MVTi8), uint16(desc.MVTf32), uint16(desc.CCCustom), 3, 0}},
		{`CCIfByVal<CCCustom<"f">>`, []uint16{uint16(desc.CCIf), 7, 1, 4, uint16(desc.CCCustom), 3, 0}},
		{`CCIfVarArg<CCCustom<"f">>`, []uint16{uint16(desc.CCIf), 7, 1, uint16(desc.CCPredVarArg), uint16(desc.CCCustom), 3, 0}},
		{`CCIfNotVarArg<CCCustom<"f">>`, []uint16{uint16(desc.CCIf), 8, 2, uint16(desc.CCPredVarArg), uint16(desc.CCPredNot), uint16(desc.CCCustom), 3, 0}},
		{`CCIfCC<"CallingConv::Fast", CCCustom<"f">>`, []uint16{uint16(desc.CCIf), 7, 1, fast, uint16(desc.CCCustom), 3, 0}},
		{`CCIfPtrAddrSpace<3, CCCustom<"f">>`, []uint16{uint16(desc.CCIf), 10, 4, 14, uint16(desc.CCPredSpace), 3, uint16(desc.CCPredAnd), uint16(desc.CCCustom), 3, 0}},
		{`CCIf<"cc(8) || !(isSRet && mine)", CCCustom<"f">>`, []uint16{uint16(desc.CCIf), 12, 6, fast, 3, uint16(desc.CCPredFunc),
			uint16(desc.CCPredAnd), uint16(desc.CCPredNot), uint16(desc.CCPredOr), uint16(desc.CCCustom), 3, 0}},
	} {
		table, err := generate(t, head+"def : CCPredicate<\"mine\">;\ndef Other : CallingConv<[]>;\ndef CC : CallingConv<["+c.action+"]>;\n")
		if err != nil {
			t.Errorf("%s: %v", c.action, err)
			continue
		}
		want := append([]uint16{uint16(desc.CCEnd)}, c.want...)
		want = append(want, uint16(desc.CCEnd))
		if !slices.Equal(table.Code, want) {
			t.Errorf("%s\ngot  %v\nwant %v", c.action, table.Code, want)
		}
	}
}

// TestErrors: each fault is named with file, line and column.
func TestErrors(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"def CC : CallingConv<[\n  CCIf<\"isMoonlight\", CCAssignToReg<[EAX]>>]>;",
			"cc.td:3:3: error: unknown predicate 'isMoonlight': it is neither one of Mirin's own nor declared as a CCPredicate"},
		{"def CC : CallingConv<[CCIf<\"isSRet &&\", CCAssignToReg<[EAX]>>]>;", "cc.td:2:23: error: a question is missing in predicate 'isSRet &&'"},
		{"def CC : CallingConv<[CCIf<\"(isSRet\", CCAssignToReg<[EAX]>>]>;", "cc.td:2:23: error: ')' is missing in predicate '(isSRet'"},
		{"def CC : CallingConv<[CCIfFeature<\"warp\", CCAssignToReg<[EAX]>>]>;", "cc.td:2:23: error: 'warp' is no feature of X86"},
		{"def CC : CallingConv<[CCIfCC<\"CallingConv::Slow\", CCAssignToReg<[EAX]>>]>;", "cc.td:2:23: error: unknown calling convention 'CallingConv::Slow'"},
		{"def CC : CallingConv<[CCAssignToReg<[EFX]>]>;", "EFX"},
		{"def CC : CallingConv<[CCAssignToRegTuple<[\"EFX\"]>]>;", "cc.td:2:23: error: field 'RegList': \"EFX\" is not known to the target"},
		{"def CC : CallingConv<[CCAssignToRegWithShadow<[EAX, EDX], [XMM0]>]>;", "cc.td:2:23: error: the lists of registers and of shadows differ in length"},
		{"def CC : CallingConv<[CCAssignToStack<8, 3>]>;", "cc.td:2:23: error: a stack slot needs"},
		{"class Odd : CCAction;\ndef CC : CallingConv<[Odd<>]>;", "cc.td:3:23: error: an action of class 'Odd' is not known"},
		{"def A : CallingConv<[]>;\ndef B : CallingConv<[CCDelegateTo<A>, CCDelegateTo<?>]>;", "cc.td:3:39: error: "},
		{"def S : CalleeSavedRegs<(add RBX, S2)>;", "S2"},
		{"def S : CalleeSavedRegs<(sequence \"R%u\", 8, 99)>;", "cc.td:2:5: error: register 'R32' is not known to the target"},
		{"def : CCPredicate<\"p\">;\ndef : CCPredicate<\"p\"> { int N = 1; }", "predicate 'p' is declared twice"},
	} {
		_, err := generate(t, head+c.src+"\n")
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s\ngot  %v\nwant %s", c.src, err, c.want)
		}
	}
}

// TestCycle: a convention must not delegate to itself, not by way of others either.
func TestCycle(t *testing.T) {
	_, err := generate(t, head+`
def A;
class Later<CallingConv c> : CCAction;
def CC1 : CallingConv<[]>;
def CC2 : CallingConv<[CCDelegateTo<CC1>]>;
def CC3 : CallingConv<[CCIfSRet<CCDelegateTo<CC2>>, CCDelegateTo<CC1>]>;
`)
	if err != nil {
		t.Error(err)
	}
	// A record cannot name itself before it exists, so that a loop needs a table made by hand.
	g := &generator{t: &desc.CCTable{Convs: []desc.CCDesc{{Name: "A"}}, Code: []uint16{uint16(desc.CCDelegateTo), 3, 0, uint16(desc.CCEnd)}}}
	g.rs, err = tablegen.Parse(tablegen.Options{ReadFile: include.ReadFile(nil)}, "x.td", []byte(head+"def A : CallingConv<[]>;"))
	if err != nil {
		t.Fatal(err)
	}
	g.checkCycles()
	if g.errs.Err() == nil || !strings.Contains(g.errs.Error(), "delegates to itself") {
		t.Errorf("a cycle was not found: %v", g.errs.Err())
	}
}

// TestSets: the operators of CalleeSavedRegs.
func TestSets(t *testing.T) {
	in, err := facts.Load("X86")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ expr, want string }{
		{"(add RBX, R12, RBX)", "RBX R12"},
		{"(sub (add RBX, R12, R13), R12)", "RBX R13"},
		{"(sub Base, RBP)", "RBX"},
		{"(and (add R12, RBX, R13), (add R13, R12))", "R12 R13"},
		{"(sequence \"XMM%u\", 6, 8)", "XMM6 XMM7 XMM8"},
		{"(sequence \"R%u\", 15, 13)", "R15 R14 R13"},
		{"(sequence \"R%u\", 8, 12, 2)", "R8 R10 R12"},
		{"(trunc (sequence \"R%u\", 8, 15), 2)", "R8 R9"},
		{"(shl (sequence \"R%u\", 8, 11), 2)", "R10 R11"},
		{"(rotl (sequence \"R%u\", 8, 11), 1)", "R9 R10 R11 R8"},
		{"(rotr (sequence \"R%u\", 8, 11), 1)", "R11 R8 R9 R10"},
		{"(decimate (sequence \"R%u\", 8, 12), 2)", "R8 R10 R12"},
		{"(interleave (add R8, R9), (add RBX, RBP))", "R8 RBX R9 RBP"},
	} {
		table, err := generate(t, head+"def Base : CalleeSavedRegs<(add RBX, RBP)>;\ndef S : CalleeSavedRegs<"+c.expr+"> { let OtherPreserved = (add RSP); }\n")
		if err != nil {
			t.Errorf("%s: %v", c.expr, err)
			continue
		}
		var names []string
		for _, r := range table.SavedRegs(1) {
			names = append(names, in.RegName(r))
		}
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("%s\ngot  %s\nwant %s", c.expr, got, c.want)
		}
		if all := table.PreservedRegs(1); len(all) != len(names)+1 || in.RegName(all[len(all)-1]) != "RSP" {
			t.Errorf("%s: OtherPreserved is lost", c.expr)
		}
	}
}

// TestLLVMClasses: LLVM's own classes, with C++ in the predicates, give the
// same table as Mirin's.
func TestLLVMClasses(t *testing.T) {
	const dir = "/usr/lib/llvm-22/include/llvm"
	text, err := os.ReadFile(filepath.Join(dir, "Target", "TargetCallingConv.td"))
	if err != nil {
		t.Skip("skipped: LLVM 22's .td files are not installed")
	}
	const body = `
def : CCPredicate<"isTargetDarwin">;
def CC_A : CallingConv<[
  CCIfByVal<CCPassByVal<8, 8>>,
  CCIfPtr<CCIfPtrAddrSpace<1, CCAssignToReg<[RBX]>>>,
  CCIfCC<"CallingConv::Swift", CCIfSwiftSelf<CCAssignToReg<[R13]>>>,
  CCIfArgVarArg<CCAssignToStack<8, 8>>,
  CCIfArgFixed<CCIfSRet<CCAssignToReg<[RAX]>>>,
  CCIfInReg<CCIfNest<CCIfSplit<CCIfConsecutiveRegs<CCAssignToReg<[RCX]>>>>>,
  CCIfNotVarArg<CCIfType<[f64, v4f32], CCAssignToReg<[XMM0, XMM1]>>>,
  CCIfVarArg<CCCustom<"f">>,
  CCIf<DARWIN, CCAssignToStackWithShadow<8, 8, [RDX]>>,
  CCIfSwiftError<CCIfSwiftAsync<CCIfCFGuardTarget<CCIfPreallocated<CCAssignToRegAndStack<[RSI], 8, 8>>>>>,
  CCPromoteToType<i64>, CCTruncToType<i8>, CCBitConvertToType<v2f64>, CCPassIndirect<i64>, CCPromoteToUpperBitsInType<i32>]>;
def CC_B : CallingConv<[CCDelegateTo<CC_A>]>;
def CC_C : CustomCallingConv;
def CSR_A : CalleeSavedRegs<(add RBX, (sequence "R%u", 12, 15))>;
`
	ours, err := generate(t, head+strings.ReplaceAll(body, "DARWIN", `"isTargetDarwin"`))
	if err != nil {
		t.Fatal(err)
	}
	in, err := facts.Load("X86")
	if err != nil {
		t.Fatal(err)
	}
	src := "class Register; class ValueType; def add; def sequence;\nclass CCPredicate<string n> { string Name = n; }\n" + string(text) +
		strings.ReplaceAll(body, "DARWIN", `"State.getMachineFunction().getSubtarget<X86Subtarget>().isTargetDarwin()"`)
	rs, err := tablegen.Parse(tablegen.Options{ReadFile: include.ReadFile(nil), LazyDef: include.Facts(in)}, "llvm.td", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := FromRecords(in, rs)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(ours.Code, theirs.Code) || !slices.Equal(ours.Convs, theirs.Convs) || !slices.Equal(ours.Regs, theirs.Regs) ||
		!slices.Equal(ours.Customs, theirs.Customs) || !slices.Equal(ours.Preds, theirs.Preds) {
		t.Errorf("ours   %v %v\ntheirs %v %v", ours.Code, ours.Customs, theirs.Code, theirs.Customs)
	}
	if len(ours.Convs) != 3 || !slices.Equal(ours.Customs, []string{"f", "CC_C"}) {
		t.Errorf("conventions %v, functions %v", ours.Convs, ours.Customs)
	}
}

// FuzzPredicate: no text of a predicate is a panic.
func FuzzPredicate(f *testing.F) {
	for _, s := range []string{"isSRet", "!(isSRet && isVarArg) || cc(8)", "feature(avx)", "((((", "State.getCallingConv() != CallingConv::C", "addrspace(-1)"} {
		f.Add(s)
	}
	in, err := facts.Load("X86")
	if err != nil {
		f.Fatal(err)
	}
	rs, err := tablegen.Parse(tablegen.Options{ReadFile: include.ReadFile(nil), LazyDef: include.Facts(in)}, "x.td", []byte(head))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(_ *testing.T, s string) {
		g := &generator{facts: in, rs: rs, t: &desc.CCTable{}}
		g.predicate(s)
	})
}

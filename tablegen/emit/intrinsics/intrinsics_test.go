package intrinsics

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/diag"
	"github.com/mirin-go/mirin/internal/testenv"
	"github.com/mirin-go/mirin/tablegen"
)

// include is the folder of LLVM's headers; the test is skipped without it.
func include(t *testing.T) string {
	t.Helper()
	out, err := exec.Command(testenv.LLVM(t, "llvm-config"), "--includedir").Output()
	if err != nil {
		t.Skip("no headers of LLVM")
	}
	return strings.TrimSpace(string(out))
}

func collect(t *testing.T, src string, defines ...string) ([]*Intrinsic, error) {
	t.Helper()
	rs, err := tablegen.Parse(tablegen.Options{IncludeDirs: []string{include(t)}, ReadFile: os.ReadFile, Defines: defines}, "i.td", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return Collect(rs)
}

// TestCurrent: the tables of ir and ir/intrin are what LLVM's headers say.
func TestCurrent(t *testing.T) {
	l, err := collect(t, "include \"llvm/IR/Intrinsics.td\"\n")
	if err != nil {
		t.Fatal(err)
	}
	consts, err := AppendGo(nil, l, "ir")
	if err != nil {
		t.Fatal(err)
	}
	sigs, err := AppendSignatures(nil, l)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]byte{"zz_intrinsics.go": consts, "zz_intrinsics.bin": AppendNames(nil, l), "intrin/zz_signatures.bin": sigs} {
		got, err := os.ReadFile(filepath.Join(testenv.Root(t), "ir", filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("ir/%s is not current: run go generate ./ir/...", name)
		}
	}
	if len(l) < 14000 {
		t.Errorf("%d intrinsics", len(l))
	}
}

// TestLLVMTables: names, their order and overloading are those of the tables in
// LLVM's headers, which llvm-tblgen made.
func TestLLVMTables(t *testing.T) {
	b, err := os.ReadFile(filepath.Join(include(t), "llvm", "IR", "IntrinsicImpl.inc"))
	if err != nil {
		t.Skip(err)
	}
	text := string(b)
	l, err := collect(t, "include \"llvm/IR/Intrinsics.td\"\n")
	if err != nil {
		t.Fatal(err)
	}
	_, attrs, _ := strings.Cut(text, "IntrinsicsToAttributesMap[] = {")
	attrs, _, _ = strings.Cut(attrs, "};")
	names := regexp.MustCompile(`// llvm\.(\S+)`).FindAllStringSubmatch(attrs, -1)
	_, over, _ := strings.Cut(text, "OTable[] = {")
	over, _, _ = strings.Cut(over, "};")
	var bits []byte
	for _, s := range strings.Split(regexp.MustCompile(`(?s)/\*.*?\*/|\s`).ReplaceAllString(over, ""), ",") {
		n := 0
		for _, part := range strings.Split(s, "|") {
			part = strings.Trim(part, "()")
			if sh := strings.Split(part, "<<"); len(sh) == 2 {
				k, _ := strconv.Atoi(strings.TrimRight(sh[1], "U)"))
				n |= 1 << k
			} else {
				k, _ := strconv.ParseInt(strings.TrimRight(part, "U"), 0, 16)
				n |= int(k)
			}
		}
		bits = append(bits, byte(n))
	}
	if len(names) != len(l) {
		t.Fatalf("%d intrinsics, LLVM has %d", len(l), len(names))
	}
	for i, in := range l {
		if in.Name != names[i][1] {
			t.Fatalf("number %d is %s, LLVM's is %s", i, in.Name, names[i][1])
		}
		if k := i + 1; in.Overloaded != (bits[k/8]>>(k%8)&1 != 0) {
			t.Errorf("%s: overloaded: %v", in.Name, in.Overloaded)
		}
	}
}

// TestAttributes: what properties become.
func TestAttributes(t *testing.T) {
	for props, want := range map[string]string{
		"":                                "nocallback nofree nosync nounwind willreturn",
		"IntrNoMem":                       "nocallback nofree nosync nounwind willreturn memory(none)",
		"IntrNoMem, Throws":               "nocallback nofree nosync willreturn memory(none)",
		"IntrNoMem, IntrHasSideEffects":   "nocallback nofree nosync nounwind willreturn",
		"IntrReadMem, IntrHasSideEffects": "nocallback nofree nosync nounwind willreturn memory(read)",
		"IntrArgMemOnly, IntrWriteMem":    "nocallback nofree nosync nounwind willreturn memory(argmem: write)",
		"IntrRead<[InaccessibleMem]>":     "nocallback nofree nosync nounwind willreturn memory(write, inaccessiblemem: readwrite)",
		"IntrRead<[InaccessibleMem]>, IntrWrite<[TargetMem0]>": "nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: read, target_mem0: write)",
		"NoCapture<ArgIndex<0>>, ReadOnly<ArgIndex<0>>, ReadOnly<ArgIndex<0>>, Range<RetIndex, -1, 5>, Align<ArgIndex<1>, 16>, Dereferenceable<ArgIndex<1>, 8>": "nocallback nofree nosync nounwind willreturn|0:range(% -1, 5)|1:readonly captures(none)|2:align 16 dereferenceable(8)",
		"IntrCold, IntrNoReturn, IntrNoMerge, IntrConvergent, IntrSpeculatable":                                                                                 "cold convergent nocallback nofree nomerge noreturn nosync nounwind speculatable willreturn",
	} {
		l, err := collect(t, "include \"llvm/IR/Intrinsics.td\"\ndef int_x : DefaultAttrsIntrinsic<[llvm_i32_ty], [llvm_ptr_ty, llvm_ptr_ty], ["+props+"]>;\n", "TEST_INTRINSICS_SUPPRESS_DEFS")
		if err != nil || len(l) != 1 || l[0].Attrs != want {
			t.Errorf("%s: %v %v, want %q", props, err, l[0].Attrs, want)
		}
	}
}

// TestSignatures: type codes of the kinds of types.
func TestSignatures(t *testing.T) {
	for args, want := range map[string]string{
		"[], []":                                         "\x00",
		"[llvm_i32_ty], [llvm_ptr_ty]":                   "\x04\x0e",
		"[llvm_i1_ty, llvm_i64_ty], []":                  "\x15\x00\x01\x05",
		"[llvm_anyint_ty], [LLVMMatchType<0>]":           "\x0f\x01\x0f\x07",
		"[llvm_v4f32_ty], [llvm_vararg_ty]":              "\x0a\x07\x1a",
		"[llvm_any_ty], [llvm_any_ty, LLVMMatchType<1>]": "\x0f\x00\x0f\x08\x0f\x0f",
	} {
		l, err := collect(t, "include \"llvm/IR/Intrinsics.td\"\ndef int_x : Intrinsic<"+args+">;\n", "TEST_INTRINSICS_SUPPRESS_DEFS")
		if err != nil || len(l) != 1 || string(l[0].Sig) != want {
			t.Errorf("%s: %v %x, want %x", args, err, l[0].Sig, want)
		}
	}
}

// TestErrors: what is refused, where, and the way there.
func TestErrors(t *testing.T) {
	const head = "include \"llvm/IR/Intrinsics.td\"\n"
	for src, want := range map[string]string{
		"def foo : Intrinsic<[]>;":                                                "i.td:2:5: error: Intrinsic 'foo' does not start with 'int_'!\ndef foo : Intrinsic<[]>;\n    ^\n",
		`def int_foo : Intrinsic<[], [], [], "foo">;`:                             "i.td:2:5: error: Intrinsic 'int_foo's name does not start with 'llvm.'!",
		`let TargetPrefix = "x86" in def int_foo : Intrinsic<[]>;`:                "i.td:2:33: error: Intrinsic 'int_foo' does not start with 'llvm.x86.'!",
		`def int_a : Intrinsic<[]>; def int_b : Intrinsic<[], [], [], "llvm.a">;`: "i.td:2:32: error: Intrinsic `llvm.a` is already defined",
		"def int_foo : Intrinsic<[], [llvm_i32_ty], [ImmArg<ArgIndex<3>>]>;":      "i.td:2:5: error: the property 'immarg' names parameter 3 of 1",
		"def int_foo : Intrinsic<[], [], [IntrNoMem, IntrReadMem]>;":              "i.td:2:5: error: IntrReadMem cannot be used after IntrNoMem or IntrWriteMem. Default is ReadWrite",
		"def q : IntrinsicProperty; def int_foo : Intrinsic<[], [], [q]>;":        "i.td:2:32: error: the property 'q' is not known",
		"def int_foo : Intrinsic<[], [llvm_ptr_ty], [Align<ArgIndex<0>, 3>]>;":    "i.td:2:5: error: the alignment 3 is no power of two",
		"multiclass M { def _a : Intrinsic<[]>; } defm foo : M;": "i.td:2:20: error: Intrinsic 'foo_a' does not start with 'int_'!\n" +
			"multiclass M { def _a : Intrinsic<[]>; } defm foo : M;\n                   ^\ni.td:2:53: note: instantiated from multiclass\n",
	} {
		_, err := collect(t, head+src+"\n", "TEST_INTRINSICS_SUPPRESS_DEFS")
		var l diag.List
		if !errors.As(err, &l) {
			t.Errorf("%s: no error", src)
			continue
		}
		if got := string(diag.AppendError(nil, "", l)); !strings.HasPrefix(got, want) {
			t.Errorf("%s:\n%s", src, got)
		}
	}
}

// TestConflicts: names that could be an overloaded one with a type.
func TestConflicts(t *testing.T) {
	var src strings.Builder
	src.WriteString("include \"llvm/IR/Intrinsics.td\"\ndef int_foo : Intrinsic<[llvm_any_ty]>;\n")
	for _, n := range []string{"f32", "bf16", "p3", "a3", "v4", "i65", "i65_bar", "x86amx", "nxv2f32", "bar", "i", "t3", "f31", "bar_f32", "f"} {
		src.WriteString("def int_foo_" + n + " : Intrinsic<[llvm_i32_ty]>;\n")
	}
	_, err := collect(t, src.String(), "TEST_INTRINSICS_SUPPRESS_DEFS")
	var l diag.List
	errors.As(err, &l)
	if len(l) != 9 {
		t.Errorf("%d errors, 9 are due: %v", len(l), err)
	}
	for _, d := range l {
		if d.Line < 3 || d.Line > 11 || !strings.Contains(d.Msg, "with another overloaded intrinsic `llvm.foo`") {
			t.Error(d)
		}
	}
}

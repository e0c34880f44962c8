package irverify

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/irtext"
)

func TestModule(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"good", "define i32 @f(i32 %x) {\n  %y = add i32 %x, 1\n  ret i32 %y\n}\n", ""},
		{"dominance", "define i32 @f(i1 %c) {\nentry:\n  br i1 %c, label %a, label %b\na:\n  %x = add i32 1, 2\n  br label %b\nb:\n  ret i32 %x\n}\n",
			"Instruction does not dominate all uses!\n  %x = add i32 1, 2\n  ret i32 %x\n"},
		{"entry", "define void @f() {\na:\n  br label %a\n}\n", "Entry block to function must not have predecessors!\nlabel %a\n"},
		{"phi", "define void @f(i1 %c) {\n  br label %b\nb:\n  %p = phi i32 [ 1, %0 ], [ 2, %b ]\n  ret void\n}\n",
			"PHINode should have one entry for each predecessor of its parent basic block!\n  %p = phi i32 [ 1, %0 ], [ 2, %b ]\n"},
		{"phi behind a good one", "define void @f(i1 %c) {\n  br i1 %c, label %a, label %b\na:\n  br label %m\nb:\n  br label %m\nm:\n  %p = phi i32 [ 1, %a ], [ 2, %b ]\n" +
			"  %q = phi i32 [ 1, %a ], [ 2, %a ]\n  br i1 %c, label %a, label %b\n}\n",
			"PHI node has multiple entries for the same basic block with different incoming values!\n  %q = phi i32 [ 1, %a ], [ 2, %a ]\nlabel %a\ni32 2\ni32 1\n"},
		{"phi of another block", "define void @f(i1 %c) {\n  br label %a\na:\n  %p = phi i32 [ 1, %0 ]\n  br label %b\nb:\n  %q = phi i32 [ 1, %0 ]\n  ret void\n}\n",
			"PHI node entries do not match predecessors!\n  %q = phi i32 [ 1, %0 ]\nlabel %0\nlabel %a\n"},
		{"use before", "define i32 @f() {\n  br label %a\na:\n  %y = add i32 %x, 1\n  %x = add i32 1, 2\n  ret i32 %y\n}\n",
			"Instruction does not dominate all uses!\n  %x = add i32 1, 2\n  %y = add i32 %x, 1\n"},
		{"attribute of two functions", "define void @f() #0 {\n  ret void\n}\ndefine void @g() unnamed_addr #0 {\n  ret void\n}\ndefine void @h() #0 {\n  ret void\n}\nattributes #0 = { jumptable }\n",
			"Attribute 'jumptable' requires 'unnamed_addr'\nptr @f\nAttribute 'jumptable' requires 'unnamed_addr'\nptr @h\n"},
		{"attribute", "declare void @f(i32 nonnull)\n", "Attribute 'nonnull' applied to incompatible type!\nptr @f\n"},
		{"intrinsic", "declare i12 @llvm.bswap.i12(i12)\ndefine i12 @f(i12 %x) {\n  %r = call i12 @llvm.bswap.i12(i12 %x)\n  ret i12 %r\n}\n",
			"bswap must be an even number of bytes\n  %r = call i12 @llvm.bswap.i12(i12 %x)\n"},
		{"intrinsic in a constant of a body", "declare void @llvm.trap()\ndefine i64 @f() {\n  ret i64 ptrtoint (ptr @llvm.trap to i64)\n}\n",
			"Invalid user of intrinsic instruction!\ni64 ptrtoint (ptr @llvm.trap to i64)\n"},
		{"intrinsic in a list", "@llvm.used = appending global [1 x ptr] [ptr @llvm.trap], section \"llvm.metadata\"\ndeclare void @llvm.trap()\n",
			"Invalid user of intrinsic instruction!\n[1 x ptr] [ptr @llvm.trap]\n"},
		{"intrinsic as a prefix", "declare void @llvm.trap()\ndefine void @f() prefix ptr @llvm.trap {\n  ret void\n}\n",
			"Invalid user of intrinsic instruction!\nptr @f\n"},
		{"intrinsic in a bundle", "declare void @llvm.trap()\ndefine void @f() {\n  call void @llvm.trap() [ \"x\"(ptr @llvm.trap) ]\n  ret void\n}\n",
			"Invalid user of intrinsic instruction!\n  call void @llvm.trap() [ \"x\"(ptr @llvm.trap) ]\n" +
				"Cannot take the address of an intrinsic!\n  call void @llvm.trap() [ \"x\"(ptr @llvm.trap) ]\n"},
		{"musttail", "declare void @g(i32)\ndefine void @f() {\n  musttail call void @g(i32 0)\n  ret void\n}\n",
			"cannot guarantee tail call due to mismatched parameter counts\n  musttail call void @g(i32 0)\n"},
		{"flags", "!llvm.module.flags = !{!0}\n!0 = !{i32 1}\n", "incorrect number of operands in module flag\n!0 = !{i32 1}\n"},
	} {
		m, err := irtext.Parse("t.ll", []byte(c.src), irtext.Options{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := Module(m); got != c.want {
			t.Errorf("%s: got\n%swant\n%s", c.name, got, c.want)
		}
	}
}

func TestDebugInfo(t *testing.T) {
	const src = "define void @f() !dbg !2 {\n  ret void\n}\n!llvm.module.flags = !{!1}\n!1 = !{i32 2, !\"Debug Info Version\", i32 3}\n" +
		"!2 = distinct !DISubprogram(name: \"f\", scope: null, spFlags: DISPFlagDefinition)\n"
	m, err := irtext.Parse("t.ll", []byte(src), irtext.Options{})
	if err != nil {
		t.Fatal(err)
	}
	report := CheckDebugInfo(m)
	if !strings.HasPrefix(report, "subprogram definitions must have a compile unit\n") || !strings.HasSuffix(report, "warning: ignoring invalid debug info in t.ll\n") {
		t.Errorf("report: %s", report)
	}
	if text := string(irtext.AppendModule(nil, m)); strings.Contains(text, "DISubprogram") {
		t.Errorf("debug info is still there:\n%s", text)
	}
}

// A definition within a type with an identifier is a fault where types are unique over modules.
func TestODRTypes(t *testing.T) {
	const src = "define void @f() !dbg !3 {\n  ret void\n}\n!llvm.dbg.cu = !{!0}\n!llvm.module.flags = !{!7}\n" +
		"!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: FullDebug)\n!1 = !DIFile(filename: \"a.cpp\", directory: \"/\")\n" +
		"!2 = distinct !DICompositeType(tag: DW_TAG_class_type, name: \"C\", file: !1, identifier: \"_ZTS1C\")\n" +
		"!3 = distinct !DISubprogram(name: \"f\", scope: !2, file: !1, unit: !0, type: !4, spFlags: DISPFlagDefinition)\n" +
		"!4 = !DISubroutineType(types: !5)\n!5 = !{}\n!7 = !{i32 2, !\"Debug Info Version\", i32 3}\n"
	for _, odr := range []bool{false, true} {
		m, err := irtext.Parse("t.ll", []byte(src), irtext.Options{})
		if err != nil {
			t.Fatal(err)
		}
		warning, report := InputWith(m, Options{ODRTypes: odr})
		if strings.HasPrefix(warning, "definition subprograms cannot be nested within DICompositeType when enabling ODR\n") != odr || report != "" {
			t.Errorf("%v: %s%s", odr, warning, report)
		}
	}
}

// Workers say what one says, whether or not there are faults.
func TestWorkers(t *testing.T) {
	var b strings.Builder
	for k := range 40 {
		fmt.Fprintf(&b, "define i32 @f%d(i32 %%x) {\n  %%v0 = add i32 %%x, 1\n", k)
		for n := range 600 {
			fmt.Fprintf(&b, "  %%v%d = add i32 %%v%d, %%x\n", n+1, n)
		}
		fmt.Fprintf(&b, "  ret i32 %%v600\n}\n")
	}
	good := b.String()
	const tag = "define void @g%d(ptr %%p) {\n  store i32 0, ptr %%p, !tbaa !%d\n  ret void\n}\n"
	bad := good + fmt.Sprintf(tag, 0, 0) + fmt.Sprintf(tag, 1, 1) + "!0 = !{}\n!1 = !{!0}\n"
	old := runtime.GOMAXPROCS(3)
	defer runtime.GOMAXPROCS(old)
	for _, c := range []struct {
		src  string
		want int // lines of the report
	}{{good, 0}, {bad, 7}} {
		m, err := irtext.Parse("t.ll", []byte(c.src), irtext.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if v := newVerifier(m, true); v.clean() != (c.want == 0) {
			t.Errorf("workers found faults: %v", c.want == 0)
		}
		got := Module(m)
		runtime.GOMAXPROCS(1)
		want := Module(m)
		runtime.GOMAXPROCS(3)
		if got != want || strings.Count(got, "\n") != c.want {
			t.Errorf("workers: %s\none: %s", got, want)
		}
	}
}

// TestOperandTypes gives instructions operands that no reader would.
func TestOperandTypes(t *testing.T) {
	for _, c := range []struct {
		change func(f *ir.Function, op map[string]ir.InstrID)
		want   string
	}{
		{func(f *ir.Function, op map[string]ir.InstrID) {}, ""},
		{func(f *ir.Function, op map[string]ir.InstrID) { f.Ops(op["add"])[1] = f.Ops(op["fadd"])[0] }, "Both operands to a binary operator are not of the same type!"},
		{func(f *ir.Function, op map[string]ir.InstrID) { f.Instr(op["add"]).Op = ir.OpFAdd }, "Floating-point arithmetic operators only work with floating-point types!"},
		{func(f *ir.Function, op map[string]ir.InstrID) { f.Instr(op["fadd"]).Op = ir.OpShl }, "Shifts only work with integral types!"},
		{func(f *ir.Function, op map[string]ir.InstrID) { f.Ops(op["cmp"])[1] = f.Ops(op["fadd"])[0] }, "Both operands to ICmp instruction are not of the same type!"},
		{func(f *ir.Function, op map[string]ir.InstrID) { f.Ops(op["sel"])[0] = f.Ops(op["add"])[0] }, "Invalid operands for select instruction!"},
		{func(f *ir.Function, op map[string]ir.InstrID) { f.Instr(op["ext"]).Op = ir.OpTrunc }, "DestTy too big for Trunc"},
		{func(f *ir.Function, op map[string]ir.InstrID) { f.Instr(op["ext"]).Op = ir.OpFPExt }, "FPExt only operates on FP"},
		{func(f *ir.Function, op map[string]ir.InstrID) { f.Instr(op["ext"]).Op = ir.OpIntToPtr }, "IntToPtr result must be a pointer"},
		{func(f *ir.Function, op map[string]ir.InstrID) { f.Instr(op["ext"]).Op = ir.OpBitCast }, "Invalid bitcast"},
		{func(f *ir.Function, op map[string]ir.InstrID) { f.Ops(op["load"])[0] = f.Ops(op["add"])[0] }, "Load operand must be a pointer."},
		{func(f *ir.Function, op map[string]ir.InstrID) { f.Ops(op["gep"])[0] = f.Ops(op["add"])[0] }, "GEP base pointer is not a vector or a vector of pointers"},
		{func(f *ir.Function, op map[string]ir.InstrID) { f.Ops(op["gep"])[1] = f.Ops(op["fadd"])[0] }, "GEP indexes must be integers"},
		{func(f *ir.Function, op map[string]ir.InstrID) { f.Ops(op["elem"])[0] = f.Ops(op["add"])[0] }, "Invalid extractelement operands!"},
		{func(f *ir.Function, op map[string]ir.InstrID) { f.Ops(op["ins"])[1] = f.Ops(op["add"])[0] }, "Invalid insertelement operands!"},
		{func(f *ir.Function, op map[string]ir.InstrID) { f.Extras[f.Instr(op["member"]).Extra].Ints[0] = 7 }, "Invalid ExtractValueInst operands!"},
	} {
		m, err := irtext.Parse("t.ll", []byte(`define void @f(i32 %a, float %b, <4 x float> %v, { i32, float } %s, ptr %p) {
  %add = add i32 %a, 1
  %fadd = fadd float %b, 1.0
  %cmp = icmp eq i32 %a, 3
  %sel = select i1 %cmp, i32 %a, i32 %add
  %ext = zext i32 %sel to i64
  %elem = extractelement <4 x float> %v, i32 1
  %ins = insertelement <4 x float> %v, float %b, i32 2
  %member = extractvalue { i32, float } %s, 1
  %gep = getelementptr i32, ptr %p, i32 %a
  %load = load i32, ptr %gep
  ret void
}
`), irtext.Options{})
		if err != nil {
			t.Fatal(err)
		}
		f := m.Globals[m.Funcs[0]].Func
		op := map[string]ir.InstrID{}
		for i, name := range f.ValueNames {
			op[name] = ir.InstrID(i)
		}
		c.change(f, op)
		if got := Module(m); !strings.HasPrefix(got, c.want) || (c.want == "") != (got == "") {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// TestLocationFields holds that a location whose fields do not fit is a fault, not another place.
func TestLocationFields(t *testing.T) {
	m, err := irtext.Parse("t.ll", []byte(`define void @f() !dbg !3 {
  ret void, !dbg !4
}
!llvm.dbg.cu = !{!1}
!llvm.module.flags = !{!0}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = distinct !DICompileUnit(language: DW_LANG_C99, file: !2)
!2 = !DIFile(filename: "a.c", directory: "/")
!3 = distinct !DISubprogram(name: "f", file: !2, line: 1, unit: !1, spFlags: DISPFlagDefinition)
!4 = !DILocation(line: 2, scope: !3)
`), irtext.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := Module(m); got != "" {
		t.Fatal(got)
	}
	f := m.Globals[m.Funcs[0]].Func
	loc := &f.Instrs[f.Blocks[f.Order[0]].First].Loc
	n := m.MD.At(*loc)
	n.Fields[0].Int = 1 << 40
	*loc = m.MD.Add(n)
	if got := Module(m); !strings.HasPrefix(got, "location with fields that do not fit") {
		t.Errorf("got %q", got)
	}
}

// TestAssume: what LLVM says of bundles of an assumption with a condition.
func TestAssume(t *testing.T) {
	for _, c := range []struct{ cond, bundle, want string }{
		{"%p", `"cold"()`, "assume with operand bundles must have i1 true condition"},
		{"false", `"cold"()`, "assume with operand bundles must have i1 true condition"},
		{"true", `"cold"(), "nonnull"(ptr %q), "align"(ptr %q, i64 8, i64 %n), "dereferenceable"(ptr %q, i64 %n), "separate_storage"(ptr %q, ptr %q)`, ""},
		{"true", `"align"(ptr %q, i64 8), "foo"()`, "tags must be valid attribute names"},
		{"true", `"ignore"(ptr %q), "foo"()`, ""},
		{"true", `"no-jump-tables"(ptr %q), "foo"()`, ""},
		{"true", `"align"(ptr %q)`, "alignment assumptions should have 2 or 3 arguments"},
		{"true", `"align"(i64 1, ptr %q)`, "first argument should be a pointer"},
		{"true", `"align"(ptr %q, ptr %q)`, "second argument should be an integer"},
		{"true", `"align"(ptr %q, i64 8, ptr %q)`, "third argument should be an integer if present"},
		{"true", `"dereferenceable"(ptr %q)`, "dereferenceable assumptions should have 2 arguments"},
		{"true", `"dereferenceable_or_null"(ptr %q, i64 %n)`, "the second argument should be a constant integral value"},
		{"true", `"separate_storage"(ptr %q)`, "separate_storage assumptions should have 2 arguments"},
		{"true", `"separate_storage"(ptr %q, i64 1)`, "arguments to separate_storage assumptions should be pointers"},
		{"true", `"nounwind"(ptr %q, i64 1, i64 2)`, "too many arguments"},
		{"true", `"memory"(ptr %q)`, "this attribute should have 2 arguments"},
		{"true", `"zeroext"(ptr %q, i64 1)`, "this attribute should have one argument"},
		{"true", `"sret"()`, "this attribute should have one argument"},
		{"true", `"nocallback"(ptr %q)`, "this attribute has no argument"},
	} {
		call := "call void @llvm.assume(i1 " + c.cond + ") [ " + c.bundle + " ]\n"
		m, err := irtext.Parse("t.ll", []byte("declare void @llvm.assume(i1)\ndefine void @f(i1 %p, ptr %q, i64 %n) {\n  "+call+"  ret void\n}\n"), irtext.Options{})
		if err != nil {
			t.Fatal(err)
		}
		want := ""
		if c.want != "" {
			want = c.want + "\n  " + call
		}
		if got := Module(m); got != want {
			t.Errorf("%sgot\n%swant\n%s", call, got, want)
		}
	}
}

package irtext_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mirin-go/mirin/ir/irtext"
	"github.com/mirin-go/mirin/ir/irverify"
)

// hostile makes texts of about n pieces that have cost some reader time or memory
// out of proportion.
var hostile = map[string]func(n int) string{
	"globals": func(n int) string { return each(n, "@g%d = global i32 %d\n") },
	"functions": func(n int) string {
		return "target datalayout = \"e-P1-m:e\"\n" + each(n, "define void @f%d() { ret void }\n")
	},
	"groups": func(n int) string { return each(n, "attributes #%d = { nounwind \"a%d\" }\n") },
	"nodes":  func(n int) string { return "!n = !{!0}\n" + each(n, "!%d = !{!%d, i32 7, !\"x\"}\n") },
	"chain":  func(n int) string { return "!n = !{!0}\n" + chain(n, "!%d = !{!%d}\n") + fmt.Sprintf("!%d = !{}\n", n) },
	"distinct": func(n int) string {
		return "!n = !{!0}\n" + chain(n, "!%d = distinct !{!%d}\n") + fmt.Sprintf("!%d = !{}\n", n)
	},
	"cycle": func(n int) string {
		return "!n = !{!0}\n" + chain(n, "!%d = !{!%d}\n") + fmt.Sprintf("!%d = !{!0}\n", n)
	},
	"asm": func(n int) string { return strings.Repeat("module asm \"nop\"\n", n) },
	"aliases": func(n int) string {
		return chain(n, "@a%d = alias i8, ptr @a%d\n") + fmt.Sprintf("@a%d = global i8 0\n", n)
	},
	"types": func(n int) string {
		return chain(n, "%%t%d = type { %%t%d, i8 }\n") + fmt.Sprintf("%%t%d = type { i8 }\n@g = global %%t0 zeroinitializer\n", n)
	},
	"typesup": func(n int) string {
		return "%t0 = type { i8 }\n" + chain(n, "%%u%d = type { %%t%[1]d }\n%%t%[2]d = type { %%u%[1]d }\n") + "@g = global %t7 zeroinitializer\n"
	},
	"doubling": func(n int) string {
		n = min(n, 400)
		return chain(n, "%%t%d = type { %%t%[2]d, %%t%[2]d }\n") + fmt.Sprintf("%%t%d = type { i8 }\n@g = global %%t0 zeroinitializer\ndefine void @f(ptr %%p) {\n  %%x = load %%t0, ptr %%p\n  %%y = getelementptr %%t0, ptr %%p, i32 0, i32 1\n  %%a = alloca %%t0\n  store %%t0 %%x, ptr %%p\n  ret void\n}\n", n)
	},
	"blocks": func(n int) string {
		return "define void @f() {\n  br label %b0\n" + chain(n, "b%d:\n  br label %%b%d\n") + fmt.Sprintf("b%d:\n  ret void\n}\n", n)
	},
	"phis": func(n int) string {
		return "define void @f(i1 %c) {\n  br label %b0\n" + each(n, "b%d:\n  %%p%[1]d = phi i32 [ 0, %%b%[1]d ], [ 1, %%e%[1]d ]\n  br i1 %%c, label %%b%[1]d, label %%e%[1]d\ne%[1]d:\n  br label %%b%[1]d\n") + "}\n"
	},
	"phi": func(n int) string {
		return "define void @f(i32 %c) {\n  switch i32 %c, label %d [\n" + each(n, "i32 %d, label %%d\n") + "]\nd:\n  %p = phi i32 [ 0, %0 ]" + strings.Repeat(", [ 0, %0 ]", n) + "\n  ret void\n}\n"
	},
	"forward": func(n int) string {
		return "define void @f() {\n" + each(n, "  store i32 %%u%d, ptr @u%[1]d\n") + "  ret void\n}\n"
	},
	"named": func(n int) string {
		return "define void @f(i32 %x) {\n" + each(n, "  %%v%d = add i32 %%x, %d\n") + "  ret void\n}\n"
	},
	"slots": func(n int) string {
		return "define void @f(i32 %0) {\n  br label %2\n2:\n" + strings.Repeat("  add i32 %0, 1\n", n) + "  ret void\n}\n"
	},
	"calls": func(n int) string {
		return "declare void @g(...)\ndefine void @f(i32 %x) {\n" + each(n, "  call void (...) @g(i32 %d) [ \"t%[1]d\"(i32 %[1]d) ]\n") + "  ret void\n}\n"
	},
	"scopes": func(n int) string {
		return "define void @f(ptr %x) {\n" + each(n, "  fence syncscope(\"s%d\") seq_cst\n") + "  ret void\n}\n"
	},
	"kinds": func(n int) string {
		return "define void @f(ptr %x) {\n" + each(n, "  fence seq_cst, !k%d !0\n") + "  ret void\n}\n!0 = !{}\n"
	},
	"comdats":  func(n int) string { return each(n, "$c%d = comdat any\n@c%[1]d = global i8 0, comdat\n") },
	"sections": func(n int) string { return each(n, "@c%d = global i8 0, section \"s%[1]d\", partition \"p%[1]d\"\n") },
	"strings": func(n int) string {
		return "@s = global [" + fmt.Sprint(7*n+1) + " x i8] c\"" + strings.Repeat("\\00abc\\ffxy", n) + "z\"\n"
	},
	"vector": func(n int) string {
		return "@s = global <" + fmt.Sprint(n) + " x i32> <" + strings.TrimSuffix(strings.Repeat("i32 1, ", n), ", ") + ">\n"
	},
	"zeromask": func(n int) string {
		return "define void @f(<2 x i8> %a) {\n" + each(n, "  %%s%d = shufflevector <2 x i8> %%a, <2 x i8> %%a, <16777216 x i32> zeroinitializer\n") + "  ret void\n}\n"
	},
	"wide": func(n int) string { return each(n, "@g%d = global i8388607 -%d\n") },
	"arrays": func(n int) string {
		return each(n, "@g%d = global [18446744073709551615 x i8] zeroinitializer, align 4294967296\n@v%[1]d = global <4294967295 x i8> undef\n")
	},
	"folds": func(n int) string {
		return each(n, "@g%d = global <1048576 x i8> insertelement (<1048576 x i8> zeroinitializer, i8 1, i32 7)\n")
	},
	"uselist": func(n int) string {
		return "@g = global i8 0\n" + each(n, "@p%d = global ptr @g\n") + "uselistorder ptr @g, { 1, 0" + listed(n) + " }\n"
	},
	"expr": func(n int) string {
		return "!n = !{!DIExpression(DW_OP_plus_uconst, 1" + strings.Repeat(", DW_OP_plus_uconst, 1", n) + ")}\n"
	},
	"locs": func(n int) string {
		return "define void @f() !dbg !1 {\n" + each(n, "  fence seq_cst, !dbg !DILocation(line: %d, scope: !1)\n") + "  ret void\n}\n!1 = distinct !DISubprogram(name: \"x\")\n"
	},
	"inlined": func(n int) string {
		return "define void @f() !dbg !0 {\n  fence seq_cst, !dbg !2\n  ret void\n}\n!0 = distinct !DISubprogram(name: \"x\")\n!1 = !{}\n" + strings.ReplaceAll(chain(n, "!2%d = distinct !DILocation(scope: !0, inlinedAt: !2%d)\n"), "!20 =", "!2 = distinct !DILocation(scope: !0, inlinedAt: !20)\n!20 =") + fmt.Sprintf("!2%d = distinct !DILocation(scope: !0)\n", n)
	},
	"invokes": func(n int) string {
		return "declare void @g()\ndefine void @f() personality ptr @g {\n  br label %b0\n" + chain(n, "b%d:\n  invoke void @g() to label %%b%d unwind label %%u\n") + fmt.Sprintf("b%d:\n  ret void\nu:\n  %%l = landingpad i32 cleanup\n  resume i32 %%l\n}\n", n)
	},
	"pads": func(n int) string {
		return "declare void @g()\ndefine void @f() personality ptr @g {\n  invoke void @g() to label %x unwind label %b0\nx:\n  ret void\n" + chain(n, "b%d:\n  %%c%[1]d = cleanuppad within none []\n  cleanupret from %%c%[1]d unwind label %%b%[2]d\n") + fmt.Sprintf("b%d:\n  %%c%[1]d = cleanuppad within none []\n  cleanupret from %%c%[1]d unwind to caller\n}\n", n)
	},
	"tbaa": func(n int) string {
		return "define void @f(ptr %x) {\n" + each(n, "  store i8 0, ptr %%x, !tbaa !%d\n") + "  ret void\n}\n" + chain(n, "!%d = !{!\"t\", !%d, i64 0}\n") + fmt.Sprintf("!%d = !{!\"r\"}\n", n)
	},
	"summary": func(n int) string {
		return "^0 = module: (path: \"x\", hash: (0, 0, 0, 0, 0))\n" + each(n, "^1%d = gv: (guid: %d)\n")
	},
	"dbgcalls": func(n int) string {
		return "declare void @llvm.dbg.value(metadata, metadata, metadata)\ndefine void @f(i32 %x) !dbg !0 {\n" + strings.Repeat("  call void @llvm.dbg.value(metadata i32 %x, metadata !1, metadata !DIExpression()), !dbg !2\n", n) + "  ret void\n}\n!llvm.module.flags = !{!3}\n!3 = !{i32 2, !\"Debug Info Version\", i32 3}\n!0 = distinct !DISubprogram(name: \"x\", unit: !4)\n!1 = !DILocalVariable(scope: !0)\n!2 = !DILocation(scope: !0)\n!llvm.dbg.cu = !{!4}\n!4 = distinct !DICompileUnit(language: 12, file: !5)\n!5 = !DIFile(filename: \"a\", directory: \"b\")\n"
	},
	"upgrades": func(n int) string {
		return "define void @f(<4 x i32> %x) {\n" + each(n, "  %%a%d = call <4 x i32> @llvm.x86.ssse3.pabs.d.128(<4 x i32> %%x)\n") + "  ret void\n}\ndeclare <4 x i32> @llvm.x86.ssse3.pabs.d.128(<4 x i32>)\n"
	},
	"redeclared": func(n int) string {
		return each(n, "declare void @llvm.foo%d.p0i8(ptr)\n") + each(n, "declare ptr @llvm.ptr.annotation.p%d(ptr, ptr, ptr, i32)\n")
	},
}

func each(n int, format string) string { return repeat(n, format, 0) }

// chain is each whose second number is that of the next line.
func chain(n int, format string) string { return repeat(n, format, 1) }

func repeat(n int, format string, step int) string {
	var b strings.Builder
	for i := range n {
		args := []any{i, i + step}
		s := fmt.Sprintf(format, args...)
		if i := strings.Index(s, "%!(EXTRA"); i >= 0 {
			s = fmt.Sprintf(format, args[:1]...)
		}
		b.WriteString(s)
	}
	return b.String()
}

func listed(n int) string {
	var b strings.Builder
	for i := 2; i < n; i++ {
		fmt.Fprintf(&b, ", %d", i)
	}
	return b.String()
}

// TestHostile reads, checks and prints texts of some ten thousand pieces. Memory
// of reading is held to FuzzParse's bound; time has no bound here, but a reader
// that is quadratic makes this test take minutes.
func TestHostile(t *testing.T) {
	n := 20000
	if testing.Short() {
		n = 2000
	}
	for name, make := range hostile {
		t.Run(name, func(t *testing.T) {
			src := make(n)
			start := time.Now()
			before := allocated()
			m, err := irtext.Parse("hostile", []byte(src), irtext.Options{Jobs: 1})
			used, parsed := allocated()-before, time.Since(start)
			if used > memPerByte*uint64(len(src))+memBase {
				t.Errorf("%d bytes of text took %d bytes of memory", len(src), used)
			}
			if err != nil {
				t.Logf("%d bytes, %d a byte, read %v: %v", len(src), used/uint64(len(src)), parsed, err)
				return
			}
			start = time.Now()
			irverify.Module(m)
			verified := time.Since(start)
			start = time.Now()
			out := irtext.AppendModule(nil, m)
			t.Logf("%d bytes, %d a byte, read %v, verify %v, print %v: %d bytes", len(src), used/uint64(len(src)), parsed, verified, time.Since(start), len(out))
		})
	}
}

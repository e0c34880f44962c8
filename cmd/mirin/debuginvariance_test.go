package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/internal/testenv"
)

// TestDebugInvariance: debug instructions never change code. MIR of example
// programs gets a DBG_VALUE behind each definition, and hundreds behind the first of a
// function, more than any pass is willing to look at.
func TestDebugInvariance(t *testing.T) {
	modules, _ := filepath.Glob("../../examples/*.ll")
	if shared, _ := filepath.Glob(filepath.Join(testenv.Shared(t, "programs", "ll"), "*.O2.ll")); len(shared) > 0 {
		modules = append(modules, shared...)
	}
	for _, m := range modules {
		t.Run(filepath.Base(m), func(t *testing.T) {
			t.Parallel()
			code, plain, msg := llc("-O2", "-stop-after=finalize-isel", m, "-o", "-")
			if code != 0 {
				t.Fatal(msg)
			}
			with := withDebugValues(plain)
			if strings.Count(with, "DBG_VALUE") < 100 {
				t.Fatal("there are no debug values in it")
			}
			for _, opt := range []string{"-O1", "-O2", "-O3"} {
				want, got := fromISel(t, plain, opt), fromISel(t, with, opt)
				if got != want {
					t.Error(opt, firstDifference(want, got))
				}
			}
		})
	}
}

// fromISel is the assembly that follows from MIR behind finalize-isel.
func fromISel(t *testing.T, text, opt string) string {
	file := filepath.Join(t.TempDir(), "a.mir")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	code, out, msg := llc(opt, "-verify-machineinstrs", "-start-after=finalize-isel", file, "-o", "-")
	if code != 0 {
		t.Fatal(msg)
	}
	return codeLines(out)
}

var (
	defineLine  = regexp.MustCompile(`(?m)^(  define .*) \{$`)
	defOfVReg   = regexp.MustCompile(`^    (?:%[0-9]+:[a-z0-9_]+, )*(?:early-clobber )?%([0-9]+):[a-z0-9_]+(?: = |, )`)
	moduleFlags = regexp.MustCompile(`(?m)^(  !llvm.module.flags = !\{.*)\}$`)
)

// withDebugValues gives the functions of a MIR file descriptions and debug values.
func withDebugValues(text string) string {
	n := 0
	text = defineLine.ReplaceAllStringFunc(text, func(l string) string {
		n++
		return fmt.Sprintf("%s !dbg !%d {", strings.TrimSuffix(l, " {"), 90000+3*n)
	})
	var md strings.Builder
	md.WriteString("  !llvm.dbg.cu = !{!90000}\n  !90000 = distinct !DICompileUnit(language: DW_LANG_C11, file: !90001, emissionKind: FullDebug)\n")
	md.WriteString("  !90001 = !DIFile(filename: \"a.c\", directory: \"/\")\n  !90002 = !{i32 2, !\"Debug Info Version\", i32 3}\n")
	for k := 1; k <= n; k++ {
		at := 90000 + 3*k
		fmt.Fprintf(&md, "  !%d = distinct !DISubprogram(name: \"f\", scope: !90001, file: !90001, line: 1, unit: !90000, spFlags: DISPFlagDefinition)\n", at)
		fmt.Fprintf(&md, "  !%d = !DILocalVariable(name: \"x\", scope: !%d, file: !90001, line: 2)\n  !%d = !DILocation(line: 3, scope: !%d)\n", at+1, at, at+2, at)
	}
	if moduleFlags.MatchString(text) {
		text = moduleFlags.ReplaceAllString(text, "$1, !90002}")
	} else {
		md.WriteString("  !llvm.module.flags = !{!90002}\n")
	}
	head, body, _ := strings.Cut(text, "\n...\n")
	var out strings.Builder
	out.WriteString(head + "\n" + md.String() + "...\n")
	// The functions stand in the order of their definitions.
	at, first, inBody := 90000, false, false
	phis := ""
	for _, l := range strings.SplitAfter(body, "\n") {
		switch {
		case strings.HasPrefix(l, "name:"):
			at, first, inBody = at+3, true, false
		case strings.HasPrefix(l, "body:"):
			inBody = true
		case strings.HasPrefix(l, "..."):
			inBody = false
		}
		m := defOfVReg.FindStringSubmatch(l)
		isPHI := m != nil && strings.Contains(l, " = PHI ")
		if phis != "" && !isPHI {
			out.WriteString(phis)
			phis = ""
		}
		out.WriteString(l)
		if !inBody || m == nil || strings.HasSuffix(l, "{\n") {
			continue
		}
		value := fmt.Sprintf("    DBG_VALUE %%%s, $noreg, !%d, !DIExpression(), debug-location !%d\n", m[1], at+1, at+2)
		if first && !isPHI {
			first, value = false, strings.Repeat(value, 300)
		}
		if isPHI {
			phis += value
		} else {
			out.WriteString(value)
		}
	}
	return out.String()
}

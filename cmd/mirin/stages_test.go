package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/codegen/pipeline"
	"github.com/mirin-go/mirin/internal/testenv"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86"
)

// TestStages: MIR printed after a pass, read again and taken to the end gives
// what the uninterrupted run gives, with the verifier on all the way.
func TestStages(t *testing.T) {
	own, _ := filepath.Glob("../../examples/*.ll")
	if len(own) == 0 {
		t.Fatal("no examples")
	}
	for _, m := range own {
		for k := range stages("0") {
			stage(t, m, "0", k)
		}
		for k := range stages("2") {
			stage(t, m, "2", k)
		}
	}
	shared, _ := filepath.Glob(filepath.Join(testenv.Shared(t, "programs", "ll"), "*.ll"))
	for _, m := range shared {
		opt := "0"
		if strings.Contains(m, ".O2.") {
			opt = "2"
		}
		for k := range stages(opt) {
			stage(t, m, opt, k)
		}
	}
}

// stages are the passes after which MIR is printed.
func stages(opt string) []string {
	var names []string
	for _, p := range pipeline.Passes(pipeline.Options{Opt: target.OptLevel(opt[0] - '0'), Target: &x86.Target}) {
		// What greedy decides is not in the text: virtregrewriter carries it out in the same run.
		if !p.IR && p.Name != "greedy" {
			names = append(names, p.Name)
		}
	}
	return names
}

func stage(t *testing.T, module, opt string, k int) {
	pass := stages(opt)[k]
	t.Run(filepath.Base(module)+"/O"+opt+"/"+pass, func(t *testing.T) {
		t.Parallel()
		code, want, msg := llc("-O"+opt, module, "-o", "-")
		if code != 0 {
			t.Fatal(msg)
		}
		code, text, msg := llc("-O"+opt, "-verify-machineinstrs", "-stop-after="+pass, module, "-o", "-")
		if code != 0 {
			t.Fatal(msg)
		}
		file := filepath.Join(t.TempDir(), "stage.mir")
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		// Reading turns the order of fixed stack objects round, as LLVM's does, so
		// that the second reading gives the first text again.
		again := text
		for range 2 {
			next := filepath.Join(t.TempDir(), "again.mir")
			if err := os.WriteFile(next, []byte(again), 0o644); err != nil {
				t.Fatal(err)
			}
			if code, again, msg = llc("-run-pass=none", next, "-o", "-"); code != 0 {
				t.Fatal(msg)
			}
		}
		if body(again) != body(text) {
			t.Error("what was printed is not printed again:", firstDifference(body(text), body(again)))
		}
		code, got, msg := llc("-O"+opt, "-verify-machineinstrs", "-start-after="+pass, file, "-o", "-")
		if code != 0 {
			t.Fatal(msg)
		}
		if got != want {
			t.Error(firstDifference(want, got))
		}
	})
}

// body is MIR without the line that names the file.
func body(text string) string {
	if head, rest, ok := strings.Cut(text, "\n  source_filename"); ok && strings.Contains(head, "ModuleID") {
		return rest
	}
	return text
}

// firstDifference shows the first line in which two texts differ.
func firstDifference(want, got string) string {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range a {
		if i >= len(b) {
			return "the second text ends before: " + a[i]
		}
		if a[i] != b[i] {
			return "\nfirst:  " + a[i] + "\nsecond: " + b[i]
		}
	}
	return "the second text is longer"
}

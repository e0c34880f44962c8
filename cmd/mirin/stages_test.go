package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
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
		// Nor are the analyses that livevars leaves to those that leave SSA form.
		if !p.IR && p.Name != "greedy" && p.Name != "livevars" {
			names = append(names, p.Name)
		}
	}
	return names
}

func stage(t *testing.T, module, opt string, k int) {
	pass := stages(opt)[k]
	t.Run(filepath.Base(module)+"/O"+opt+"/"+pass, func(t *testing.T) {
		t.Parallel()
		level := "-O" + opt
		whole := []string{level, module, "-o", "-"}
		if pass == "virtregrewriter" {
			// Where slots hold spilled registers is not in the text, and without it none share one.
			whole = append(whole, "-opt-disable=stack-slot-coloring")
		}
		code, want, msg := llc(whole...)
		if code != 0 {
			t.Fatal(msg)
		}
		code, text, msg := llc(level, "-verify-machineinstrs", "-stop-after="+pass, module, "-o", "-")
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
		code, got, msg := llc(level, "-verify-machineinstrs", "-start-after="+pass, file, "-o", "-")
		if code != 0 {
			t.Fatal(msg)
		}
		if opt != "0" && pass == "phi-node-elimination" {
			// What livevars found, from which twoaddressinstruction says where the copies that
			// it makes end lives, is not in the text.
			return
		}
		// Where debug information says that values are is not all in the text (labels of its own).
		// Comments about blocks have numbers of blocks without labels.
		if want, got := renumbered(codeLines(blockComment.ReplaceAllString(want, "$1"))), renumbered(codeLines(blockComment.ReplaceAllString(got, "$1"))); got != want {
			t.Error(firstDifference(want, got))
		}
	})
}

var (
	// Lists of blocks are broken where they get too long.
	lineBreak    = regexp.MustCompile(`,\s+`)
	maxAlignment = regexp.MustCompile(`(?m)^  maxAlignment: .*\n`)
	// Predecessors are listed as their edges were made, which reading does in the order of the blocks.
	predecessors = regexp.MustCompile(`(?m)^  ; predecessors: .*\n`)
	blockPlace   = regexp.MustCompile(`(?m)^(?:  (bb\.[0-9]+)\b.*:|(\.LBB[0-9]+_[0-9]+):)`)
	blockComment = regexp.MustCompile(`(?m)^(\.LBB[0-9]+_[0-9]+:) .*$|^# %bb\.[0-9]+:.*\n|^ +# .*(?:\bBB[0-9]+_[0-9]+\b|=>).*\n`)
	blockName    = regexp.MustCompile(`\bbb\.[0-9]+|\.LBB[0-9]+_[0-9]+`)
)

// body is MIR without the line that names the file and what reading changes, in
// LLVM too: fixed stack objects raise the frame's alignment, and blocks are
// numbered as they stand, which block-placement leaves otherwise.
func body(text string) string {
	if head, rest, ok := strings.Cut(text, "\n  source_filename"); ok && strings.Contains(head, "ModuleID") {
		text = rest
	}
	return lineBreak.ReplaceAllString(renumbered(predecessors.ReplaceAllString(maxAlignment.ReplaceAllString(text, ""), "")), ", ")
}

// renumbered gives the blocks of MIR or assembly numbers in the order in which
// they stand.
func renumbered(text string) string {
	if docs := strings.Split(text, "\n---"); len(docs) > 1 {
		for k := range docs {
			docs[k] = renumbered(docs[k])
		}
		return strings.Join(docs, "\n---")
	}
	number := map[string]string{}
	for _, m := range blockPlace.FindAllStringSubmatch(text, -1) {
		name := m[1] + m[2]
		number[name] = strings.TrimRight(name, "0123456789") + strconv.Itoa(len(number))
	}
	return blockName.ReplaceAllStringFunc(text, func(name string) string {
		if n, ok := number[name]; ok {
			return n
		}
		return name
	})
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

package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// mirTool runs mirin mir in a folder, as lit serves it.
func mirTool(dir, stdin string, args ...string) (status int, stdout, stderr string) {
	var out, errs bytes.Buffer
	status = mirMain(args, dirReader{strings.NewReader(stdin), dir}, dirWriter{&out, dir}, &errs)
	return status, out.String(), errs.String()
}

const goodMIR = `# RUN: true
---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    liveins: $edi
    ; the argument
    %0:gr32 = COPY $edi
    $eax = COPY %0
    RET64 $eax
...
`

const badMIR = "---\nname: f\nbody: |\n  bb.0:\n    NO_SUCH\n...\n"

func mirFolder(t *testing.T) string {
	dir := t.TempDir()
	for name, text := range map[string]string{"a.mir": goodMIR, "b.mir": strings.ReplaceAll(goodMIR, "%0", "%7"), "bad.mir": badMIR,
		"old.mir":    "---\nname: f\nbody: |\n  bb.0:\n    RETQ %eax\n...\n",
		"broken.mir": "---\nname: f\ntracksRegLiveness: true\nbody: |\n  bb.0:\n    $eax = COPY $edi\n    RET64 $eax\n...\n",
		"c.mir":      strings.Replace(goodMIR, "$eax = COPY %0", "$eax = MOV32ri 1", 1)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestMIRStatus(t *testing.T) {
	dir := mirFolder(t)
	for _, c := range []struct {
		args           string
		status         int
		stdout, stderr string // a prefix; a part
	}{
		{"", 0, "OVERVIEW: tools for Machine IR", ""},
		{"fnt", 2, "", "mirin mir: unknown command 'fnt'"},
		{"fmt a.mir", 0, "# RUN: true\n---\nname:            f\n", ""},
		{"fmt -l a.mir", 1, "a.mir\n", ""},
		{"fmt -d -simplify a.mir", 1, "--- a.mir.orig\n+++ a.mir\n@@ ", ""},
		{"fmt bad.mir a.mir", 2, "# RUN: true", "bad.mir:5:5: "},
		{"fmt nowhere.mir", 2, "", "mirin mir fmt: "},
		{"verify a.mir b.mir", 0, "2 files, 2 functions, 0 bad\n", ""},
		{"verify bad.mir a.mir", 1, "2 files, 1 function, 0 bad, 1 file not read\n", "bad.mir:5:5: "},
		{"diff a.mir b.mir", 0, "", ""},
		{"diff a.mir c.mir", 1, "--- a.mir\n+++ c.mir\n@@ ", ""},
		{"diff -q a.mir c.mir", 1, "a.mir and c.mir differ: 1 function", ""},
		{"diff a.mir bad.mir", 2, "", "bad.mir:5:5: "},
		{"diff a.mir", 2, "", "mirin mir diff: two files are needed"},
		{"upgrade a.mir", 0, goodMIR, ""},
		{"upgrade -d old.mir", 1, "--- old.mir.orig\n+++ old.mir\n", ""},
		{"upgrade bad.mir", 2, "", "bad.mir:5:5: "},
		{"stats a.mir", 0, "function  blocks", ""},
		{"stats --format=csv a.mir b.mir", 0, "file,function,blocks", ""},
		{"stats --format=json a.mir", 0, "{\n", ""},
		{"stats bad.mir", 1, "", "bad.mir:5:5: "},
		{"cfg a.mir", 0, "<svg ", ""},
		{"cfg --format=dot a.mir", 0, "digraph \"f\" {", ""},
		{"cfg -func g a.mir", 1, "", "mirin mir cfg: "},
	} {
		status, stdout, stderr := mirTool(dir, "", strings.Fields(c.args)...)
		if status != c.status || !strings.HasPrefix(stdout, c.stdout) || (c.stderr == "") != (stderr == "") || !strings.Contains(stderr, c.stderr) {
			t.Errorf("mirin mir %s: %d, want %d\n%s%s", c.args, status, c.status, stdout, stderr)
		}
	}
	for _, c := range mirCommands() {
		if status, stdout, _ := mirTool(dir, "", c.name, "--help"); status != 0 || !strings.Contains(stdout, "EXAMPLES:\n\n  mirin mir "+c.name) {
			t.Errorf("%s --help: %d\n%s", c.name, status, stdout)
		}
	}
}

func TestMIRFmtWrites(t *testing.T) {
	dir := mirFolder(t)
	if status, stdout, stderr := mirTool(dir, "", "fmt", "-simplify", "-w", "a.mir"); status != 0 || stdout != "" {
		t.Fatalf("%d %s%s", status, stdout, stderr)
	}
	got, err := os.ReadFile(filepath.Join(dir, "a.mir"))
	if err != nil || !strings.Contains(string(got), "    ; the argument\n    %0:gr32 = COPY $edi\n") || !strings.HasPrefix(string(got), "# RUN: true\n---\nname:            f\n") {
		t.Errorf("%s", got)
	}
	if status, stdout, _ := mirTool(dir, "", "fmt", "-simplify", "-l", "a.mir"); status != 0 || stdout != "" {
		t.Errorf("after -w: %d %s", status, stdout)
	}
	if status, stdout, _ := mirTool(dir, string(got), "fmt", "-simplify", "-"); status != 0 || stdout != string(got) {
		t.Errorf("standard input: %d\n%s", status, stdout)
	}
}

func TestMIRVerifyJSON(t *testing.T) {
	dir := mirFolder(t)
	status, stdout, _ := mirTool(dir, "", "verify", "--format=json", "a.mir", "bad.mir", "broken.mir")
	var v struct {
		Files []struct {
			File, Fault string
			Bad         []struct {
				Function string
				Errors   []string
			}
		}
		Summary struct{ Files, Functions, Bad, Unread int }
	}
	if err := json.Unmarshal([]byte(stdout), &v); err != nil {
		t.Fatalf("%v\n%s", err, stdout)
	}
	if status != 1 || v.Summary.Files != 3 || v.Summary.Unread != 1 || v.Files[1].Fault == "" {
		t.Errorf("%d\n%s", status, stdout)
	}
	if v.Summary.Bad != 1 || len(v.Files[2].Bad) != 1 || len(v.Files[2].Bad[0].Errors) == 0 {
		t.Errorf("the undefined register was not found:\n%s", stdout)
	}
}

func TestMIRCFGWrites(t *testing.T) {
	dir := mirFolder(t)
	if status, _, stderr := mirTool(dir, "", "cfg", "a.mir", "-o", "a.dot"); status != 0 {
		t.Fatal(stderr)
	}
	if b, err := os.ReadFile(filepath.Join(dir, "a.dot")); err != nil || !bytes.HasPrefix(b, []byte("digraph")) {
		t.Errorf("%s %v", b, err)
	}
}

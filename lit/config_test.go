package lit

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func writeTree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestLocalConfig(t *testing.T) {
	run := "; RUN: say\n"
	dir := writeTree(t, map[string]string{
		"lit.cfg.py":              "anything",
		"arm/lit.local.cfg":       "if not \"ARM\" in config.root.targets:\n    config.unsupported = True\n",
		"arm/a.ll":                run,
		"x86/lit.local.cfg":       "if not 'X86' in config.root.targets:\n    config.unsupported = True\nelse:\n  config.available_features.add('here')\n",
		"x86/a.ll":                "; REQUIRES: here\n" + run,
		"x86/Inputs/no.ll":        run,
		"x86/sub/lit.local.cfg":   "config.suffixes = [\n  '.c', # C\n  \".ll\",\n]\nconfig.excludes = ['skip.c']\n",
		"x86/sub/b.c":             "// REQUIRES: here\n// RUN: say\n",
		"x86/sub/skip.c":          "// RUN: say\n",
		"x86/sub/no.mir":          "# RUN: say\n",
		"arm/again/lit.local.cfg": "config.unsupported = False\n",
		"arm/again/a.ll":          run,
		"odd/lit.local.cfg":       "import sys\nif sys.platform == 'x':\n    config.unsupported = True\nelif (\"X86\" in config.root.targets) and ('asserts' not in config.available_features or 'ARM' in config.root.targets):\n    config.unsupported = True\nelse:\n    config.substitutions.append(('%word', 'said'))\n",
		"odd/a.ll":                "; RUN: say %word | grep said\n",
		"odd2/lit.local.cfg":      "config.substitutions.append((\"%word\", \"said\"))\n",
		"odd2/a.ll":               "; RUN: say %word | grep said\n",
	})
	r := testRunner(t)
	r.Targets = []string{"X86"}
	var out, errs bytes.Buffer
	status := r.Main([]string{"-v", "-j1", dir}, nil, &out, &errs)
	for _, want := range []string{"UNSUPPORTED: " + dir + "/arm/a.ll", "PASS: " + dir + "/arm/again/a.ll", "PASS: " + dir + "/x86/a.ll", "PASS: " + dir + "/x86/sub/b.c",
		"PASS: " + dir + "/odd2/a.ll", "FAIL: " + dir + "/odd/a.ll", "Total Discovered Tests: 6\n"} {
		if !strings.Contains(filepath.ToSlash(out.String()), filepath.ToSlash(want)) {
			t.Errorf("no %q", want)
		}
	}
	for _, want := range []string{"lit.local.cfg:2: not understood: if sys.platform == 'x':"} {
		if !strings.Contains(errs.String(), want) {
			t.Errorf("no %q", want)
		}
	}
	if t.Failed() {
		t.Logf("%d\n%s%s", status, out.String(), errs.String())
	}
}

func TestFilter(t *testing.T) {
	dir := writeTree(t, map[string]string{"one.ll": "; RUN: say\n", "two.ll": "; RUN: fail\n", "three.ll": "; RUN: say\n"})
	for _, c := range []struct {
		args   string
		status int
		want   string
	}{
		{"-v --filter=/t[^/]*\\.ll$ --filter-out two.ll", 0, "PASS: %/three.ll (1 of 1)\n"},
		{"--show-tests --filter one", 0, "%/one.ll\n"},
		{"-q", 1, "FAIL: %/two.ll (3 of 3)\n"},
		{"-a --filter one", 0, "PASS: %/one.ll (1 of 1)\n+ say\n"},
		{"--filter none", 2, ""},
		{"--filter (", 2, ""},
	} {
		var out, errs bytes.Buffer
		status := testRunner(t).Main(append(strings.Fields(c.args), dir+"/"), nil, &out, &errs) // a slash changes nothing
		if want := strings.ReplaceAll(c.want, "%", dir); status != c.status || !strings.HasPrefix(out.String(), want) {
			t.Errorf("%s: %d, %q, %s; want %d, %q", c.args, status, out.String(), errs.String(), c.status, want)
		}
	}
}

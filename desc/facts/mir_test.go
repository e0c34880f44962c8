package facts

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/internal/testenv"
)

var (
	mirReg    = regexp.MustCompile(`(?:^|[ (,])\$([a-z0-9_]+)`)
	mirQuoted = regexp.MustCompile(`"[^"]*"|&.*|<mcsymbol [^>]*>`) // inline assembly and symbols
	mirClass  = regexp.MustCompile(`%[0-9a-zA-Z_]+(?:\.([a-z0-9_]+))?:([a-z0-9_]+)`)
	mirOpcode = regexp.MustCompile(`^    +(?:.* = )?(?:(?:frame-setup|frame-destroy|nnan|ninf|nsz|arcp|contract|afn|reassoc|nuw|nsw|exact|nofpexcept|nomerge|unpredictable|noconvergent|nneg|disjoint|nusw|samesign|inbounds|internal) )*([A-Z][A-Za-z0-9_]+)(?: |$)`)
)

// The names in LLVM's own MIR tests must all be known: registers, classes,
// banks, sub-register indices, opcodes.
func TestNamesOfMIRTests(t *testing.T) {
	// The script prints the folder that holds CodeGen/.
	out, err := exec.Command("python3", testenv.Shared(t, "tools", "suite.py")).Output()
	if err != nil {
		t.Skipf("skipped: the conformance tests cannot be found: %v", err)
	}
	root := strings.TrimSpace(string(out))
	files, names, unknown := 0, 0, 0
	for _, name := range Names() {
		in := func() *namesOf {
			info, err := Load(name)
			if err != nil {
				t.Fatal(err)
			}
			return &namesOf{t: t, has: map[string]bool{}, find: func(kind, s string) (ok bool) {
				switch kind {
				case "register":
					_, ok = info.RegByName(s)
				case "class":
					if _, ok = info.RegClassByName(s); !ok {
						_, ok = info.RegBankByName(s)
					}
				case "sub-register index":
					_, ok = info.SubRegIndexByName(s)
				case "opcode":
					_, ok = info.OpcodeByName(s)
				}
				return ok
			}}
		}()
		if _, err := os.Stat(filepath.Join(root, "CodeGen", name)); err == nil {
			filepath.WalkDir(filepath.Join(root, "CodeGen", name), func(path string, d fs.DirEntry, err error) error {
				if err != nil || d.IsDir() || !strings.HasSuffix(path, ".mir") {
					return nil
				}
				text, err := os.ReadFile(path)
				if err != nil {
					return nil
				}
				// Tests of errors name things that do not exist.
				if strings.Contains(string(text), "RUN: not ") || strings.Contains(string(text), "mtriple=r600") || strings.Contains(string(text), "march=r600") {
					return nil
				}
				files++
				in.file(name, filepath.Base(path), string(text))
				return nil
			})
		}
		names += in.names
		unknown += in.unknown
	}
	if files == 0 {
		t.Skip("skipped: the conformance folder holds no .mir tests")
	}
	t.Logf("%d files, %d different names, %d unknown", files, names, unknown)
}

type namesOf struct {
	t              *testing.T
	find           func(kind, s string) bool
	has            map[string]bool
	names, unknown int
}

func (n *namesOf) check(target, file, kind, s string) {
	key := kind + s
	if n.has[key] {
		return
	}
	n.has[key] = true
	n.names++
	if !n.find(kind, s) {
		n.unknown++
		n.t.Errorf("%s/%s: unknown %s %q", target, file, kind, s)
	}
}

func (n *namesOf) file(target, file, text string) {
	body := false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if strings.HasPrefix(line, "body:") {
			body = true
			continue
		}
		if line == "..." || strings.HasPrefix(line, "---") {
			body = false
		}
		if !body || strings.HasPrefix(strings.TrimSpace(line), ";") || strings.HasPrefix(strings.TrimSpace(line), "#") {
			continue
		}
		line, _, _ = strings.Cut(line, " ; ")
		line, _, _ = strings.Cut(line, "::")
		line = mirQuoted.ReplaceAllString(line, "")
		for _, m := range mirReg.FindAllStringSubmatch(line, -1) {
			n.check(target, file, "register", m[1])
		}
		for _, m := range mirClass.FindAllStringSubmatch(line, -1) {
			if m[1] != "" {
				n.check(target, file, "sub-register index", m[1])
			}
			if m[2] != "_" && !strings.HasPrefix(line[strings.Index(line, m[0])+len(m[0]):], ":") {
				n.check(target, file, "class", m[2])
			}
		}
		if m := mirOpcode.FindStringSubmatch(line); m != nil {
			n.check(target, file, "opcode", m[1])
		}
	}
}

// Package rules holds tests of the house as a whole: which package may import
// which, and that the documents name things that exist.
package rules

import (
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/internal/testenv"
)

const module = "github.com/mirin-go/mirin/"

// rule says that packages matching from must import, of this module, only packages matching one of may.
type rule struct {
	from string
	may  []string
	why  string
}

// rules are tried in order; the first whose pattern matches a package holds for it.
var rules = []rule{
	{"^diag$", nil, "everything stands on it"},
	{"^analysis$", nil, "it knows graphs alone"},
	{"^triple$", nil, "everything stands on it"},
	{"^support(/|$)", []string{"^support(/|$)"}, "everything stands on it"},
	{"^(desc)$", []string{"^diag$", "^support/"}, "data below behaviour"},
	{"^desc/family$", []string{"^desc$", "^triple$"}, "data below behaviour"},
	{"^desc/facts$", []string{"^desc$", "^support/"}, "data below behaviour"},
	{"^ir$", []string{"^diag$", "^support/"}, "data below behaviour"},
	{"^interp(/|$)", []string{"^interp/", "^ir(/|$)", "^triple$", "^analysis$", "^diag$", "^support/"}, "a machine for IR, no form of it"},
	{"^ir/", []string{"^ir(/|$)", "^triple$", "^analysis$", "^diag$", "^support/"}, "readers of IR know nothing of machines"},
	{"^mc(/|$)", []string{"^mc(/|$)", "^internal/textdiff$", "^desc$", "^diag$", "^support/"}, "the machine code layer knows no IR and no MIR"},
	{"^mir$", []string{"^ir$", "^desc$", "^diag$", "^support/"}, "data below behaviour"},
	{"^mir/", []string{"^mir(/|$)", "^triple$", "^desc/family$", "^internal/textdiff$", "^analysis$", "^ir(/|$)", "^desc$", "^diag$", "^support/"}, "MIR tools work on targets without a code generator"},
	{"^codegen/(legal|regbank)$", []string{"^mir$", "^desc$"}, "what targets say about legality and banks is data"},
	{"^codegen/callconv$", []string{"^mir$", "^ir$", "^desc$"}, "target stands on it"},
	{"^objabi$", []string{"^mc$"}, "linkers and loaders stand on it"},
	{"^target$", []string{"^triple$", "^desc/family$", "^codegen/(callconv|legal|regbank)$", "^mir$", "^ir$", "^mc$", "^objabi$", "^desc$", "^diag$", "^support/"}, "target is below code generation"},
	{"^target/[a-z0-9]+/tab$", []string{"^desc$"}, "tables are data"},
	{"^target/[a-z0-9]+/elfabi$", []string{"^mc$", "^objabi$"}, "linkers and loaders stand on it"},
	{"^link$", []string{"^mc$", "^objabi$"}, "a linker knows machine code alone"},
	{"^jit$", []string{"^mc$", "^objabi$"}, "a loader knows machine code alone"},
	{"^target/[a-z0-9]+/mctargetdesc$", []string{"^mc(/|$)", "^desc(/|$)", "^target/[a-z0-9]+/tab$", "^diag$", "^support/"}, "an assembler links little"},
	{"^codegen/pass$", []string{"^analysis$", "^target$", "^mir(/|$)", "^ir$", "^mc$", "^desc$", "^diag$", "^support/"}, "passes import it"},
	{"^codegen/(pipeline|driver|asmprinter)$", nil, ""},
	{"^codegen/", []string{"^codegen/pass$", "^codegen/matchtable(/|$)", "^codegen/predicatecode$", "^codegen/callconv$", "^codegen/regalloc/check$", "^codegen/(legal|regbank)$", "^analysis$", "^target$", "^mir(/|$)", "^ir(/|$)", "^mc$", "^desc$", "^diag$", "^support/"}, "pass folders do not import each other"},
	{"^tablegen/tblgen$", []string{"^tablegen", "^internal/llvmflag$", "^desc(/|$)", "^diag$"}, "the command without the targets"},
	{"^tools/tblgen$", []string{"^tablegen/tblgen$"}, "go generate works where a target does not compile"},
	{"^tablegen", []string{"^tablegen", "^codegen/matchtable/code$", "^codegen/predicatecode$", "^desc(/|$)", "^diag$", "^support/"}, "the language knows no code generator"},
	{"^(filecheck|lit)$", []string{"^filecheck$", "^diag$", "^internal/", "^support/"}, "the testing tools stand alone"},
}

// free rules are those with an empty why: the package may import what it likes.
func match(pkg string) *rule {
	for k := range rules {
		if regexp.MustCompile(rules[k].from).MatchString(pkg) {
			return &rules[k]
		}
	}
	return nil
}

func TestImports(t *testing.T) {
	cmd := exec.Command("go", "list", "-e", "-json=ImportPath,Imports", "./...")
	cmd.Dir = testenv.Root(t)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	dec := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var p struct {
			ImportPath string
			Imports    []string
		}
		if err := dec.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		pkg := strings.TrimPrefix(p.ImportPath, module)
		r := match(pkg)
		if r == nil || r.why == "" {
			continue
		}
		for _, imp := range p.Imports {
			rel, ours := strings.CutPrefix(imp, module)
			if !ours || allowed(r, rel) {
				continue
			}
			t.Errorf("%s imports %s, but %s", pkg, rel, r.why)
		}
	}
}

func allowed(r *rule, imp string) bool {
	for _, m := range r.may {
		if regexp.MustCompile(m).MatchString(imp) {
			return true
		}
	}
	return false
}

// TestUnsafe: unsafe code lives in jit alone.
func TestUnsafe(t *testing.T) {
	root := testenv.Root(t)
	err := filepath.WalkDir(root, func(p string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(p, ".go") {
			return err
		}
		b, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, p)
		if strings.Contains(string(b), "\n\t\"unsafe\"\n") && path.Dir(filepath.ToSlash(rel)) != "jit" && !strings.HasSuffix(rel, "_test.go") {
			t.Errorf("%s imports unsafe; only jit may", rel)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestDocs: paths of the project that the documents name in code spans exist.
func TestDocs(t *testing.T) {
	root := testenv.Root(t)
	docs, _ := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	docs = append(docs, filepath.Join(root, "README.md"))
	span := regexp.MustCompile("`([a-z][a-z0-9_./-]*/[a-z0-9_./-]*)`")
	for _, doc := range docs {
		b, err := os.ReadFile(doc)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range span.FindAllStringSubmatch(string(b), -1) {
			if _, err := os.Stat(filepath.Join(root, m[1])); err != nil {
				t.Errorf("%s names %s, which does not exist", filepath.Base(doc), m[1])
			}
		}
	}
}

package rules

import (
	"encoding/json"
	"io"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/internal/testenv"
)

const module = "github.com/mirin-go/mirin/"

// rule says what packages matching from may reach, of this module: what they
// import, what that imports, and so on.
type rule struct {
	from string
	may  []string
	why  string
}

// below are the packages that a pass stands on.
var below = []string{"^codegen/(callconv|legal|liveness|pass|regbank|schedmodel)$", "^target$", "^objabi$", "^mc$", "^mir$", "^mir/miranalysis$", "^ir$", "^desc$", "^desc/family$", "^triple$", "^analysis$", "^diag$", "^support/"}

func and(list []string, more ...string) []string { return append(more, list...) }

// everything is for programs, and packages for them.
var everything = []string{""}

// rules are tried in order; the first whose pattern matches a package holds
// for it. Every package has one. $1 in may is the first group of from.
var rules = []rule{
	{"^diag$|^analysis$|^triple$|^support/.*$", nil, "everything stands on it"},
	{"^desc$", []string{"^diag$", "^support/"}, "data below behaviour"},
	{"^desc/facts$", []string{"^desc$", "^support/"}, "data below behaviour"},
	{"^desc/family$", []string{"^desc$", "^triple$"}, "data below behaviour"},
	{"^ir$", []string{"^diag$", "^support/"}, "data below behaviour"},
	{"^interp$", []string{"^ir(/|$)", "^triple$", "^analysis$", "^diag$", "^support/"}, "a machine for IR, no form of it"},
	{"^interp/internal/loopgen$", nil, "it writes Go from rows"},
	{"^ir/(intrin|dwarfname)$", []string{"^ir$"}, "tables"},
	{"^ir/(autoupgrade|irtext|bitcode|irverify)$", []string{"^ir/(autoupgrade|dwarfname|intrin|irtext)$", "^ir$", "^triple$", "^analysis$", "^diag$", "^support/"}, "readers of IR know nothing of machines"},
	{"^ir/(iranalysis|irsummary)$", []string{"^ir$", "^ir/iranalysis$", "^analysis$", "^diag$", "^support/"}, "what is known of IR does not depend on how it is written"},
	{"^mc$", []string{"^desc$", "^diag$", "^support/"}, "the machine code layer knows no IR and no MIR"},
	{"^mc/mctarget$", []string{"^mc$", "^mc/table$", "^desc$", "^desc/(facts|family)$", "^triple$", "^diag$", "^support/"}, "the machine code layer knows no IR and no MIR"},
	{"^mc/(asmparse|asmtext|table|object/elf)$", []string{"^mc$", "^desc$", "^diag$", "^support/"}, "the machine code layer knows no IR and no MIR"},
	{"^objabi$", []string{"^mc$", "^desc$"}, "linkers and loaders stand on it"},
	{"^link$|^jit$", []string{"^objabi$", "^mc$", "^desc$"}, "linkers and loaders know machine code alone, and no instruction set"},
	{"^jit/clib$", nil, "it finds C functions; who does not ask for them does not link them"},
	{"^mir$", []string{"^ir$", "^desc$", "^diag$", "^support/"}, "data below behaviour"},
	{"^mir/miranalysis$", []string{"^mir$", "^ir$", "^desc$", "^analysis$"}, "passes and tools stand on it"},
	{"^mir/", []string{"^mir(/|$)", "^desc/family$", "^triple$", "^internal/textdiff$", "^analysis$", "^ir$", "^ir/(autoupgrade|dwarfname|intrin|irtext)$", "^desc$", "^diag$", "^support/"}, "MIR tools work on targets without a code generator"},
	{"^codegen/(legal|regbank|callconv|schedmodel)$", []string{"^mir$", "^ir$", "^desc$"}, "target stands on it"},
	{"^target$", []string{"^analysis$", "^codegen/(callconv|legal|regbank|schedmodel)$", "^desc/family$", "^triple$", "^mir$", "^ir$", "^mc$", "^objabi$", "^desc$", "^diag$", "^support/"}, "target is below code generation"},
	{"^target/[a-z0-9]+/tab$", []string{"^desc$"}, "tables are data"},
	{"^target/[a-z0-9]+/elfabi$", []string{"^objabi$", "^mc$", "^desc$"}, "linkers and loaders stand on it"},
	{"^target/([a-z0-9]+)/mctargetdesc$", []string{"^target/$1/tab$", "^mc(/|$)", "^desc(/facts|/family)?$", "^triple$", "^diag$", "^support/"}, "an assembler links little"},
	{"^target/bpf/btf$", []string{"^ir$", "^mc$", "^desc$", "^diag$", "^support/"}, "type information knows metadata, and no code"},
	{"^target/bpf/irpass$", []string{"^target/bpf/btf$", "^ir$", "^ir/(iranalysis|intrin)$", "^analysis$", "^mc$", "^desc$", "^diag$", "^support/"}, "passes over IR, for optimizers and code generators"},
	{"^target/bpf/helper$", nil, "names of numbers"},
	{"^target/bpf/vm$", []string{"^target/bpf/helper$", "^mc$", "^mc/object/elf$", "^desc$", "^diag$", "^support/"}, "it runs objects of any compiler, and knows none"},
	{"^target/all$", and(below, "^ir/intrin$", "^codegen/alias$", "^target/", "^mc/(mctarget|table)$", "^ir/iranalysis$", "^codegen/globalisel$", "^codegen/matchtable(/code)?$", "^codegen/predicatecode$", "^desc/facts$"), "it knows every target, and none of the commands"},
	{"^target/([a-z0-9]+)$", and(below, "^ir/intrin$", "^codegen/alias$", "^target/$1/", "^mc/(mctarget|table)$", "^ir/iranalysis$", "^codegen/globalisel$", "^codegen/matchtable(/code)?$", "^codegen/predicatecode$", "^desc/facts$"), "a target knows no other and no pipeline"},
	{"^codegen/pass$", []string{"^codegen/(callconv|legal|regbank|schedmodel)$", "^target$", "^objabi$", "^mc$", "^mir$", "^mir/miranalysis$", "^ir$", "^desc$", "^desc/family$", "^triple$", "^analysis$", "^diag$", "^support/"}, "passes import it"},
	{"^codegen/predicatecode$", nil, "generators and machines share it"},
	{"^codegen/matchtable/code$", []string{"^desc$", "^support/bintable$"}, "generators and machines share it"},
	{"^codegen/matchtable$", and(below, "^codegen/matchtable/code$", "^codegen/predicatecode$"), "the match machine knows no selector"},
	{"^codegen/regalloc/check$", []string{"^analysis$", "^mir$", "^mir/miranalysis$", "^ir$", "^desc$", "^diag$", "^support/"}, "the checker knows no allocator"},
	{"^codegen/regalloc/global$", and(below, "^codegen/(liveness|regclass|regalloc/check)$"), "pass folders do not know each other"},
	{"^codegen/regalloc$", and(below, "^codegen/regalloc/check$"), "pass folders do not know each other"},
	{"^codegen/globalisel$", and(below, "^codegen/alias$", "^codegen/matchtable(/code)?$", "^codegen/predicatecode$", "^ir/iranalysis$"), "pass folders do not know each other"},
	{"^codegen/ssaopt$", and(below, "^codegen/(alias|tracemetrics)$", "^ir/iranalysis$"), "pass folders do not know each other; it asks what pointers alias"},
	{"^codegen/sched$", and(below, "^codegen/(alias|regclass)$", "^ir/iranalysis$"), "pass folders do not know each other; it asks what pointers alias"},
	{"^codegen/alias$", and(below, "^ir/iranalysis$"), "passes of three folders stand on it"},
	{"^codegen/(liveness|regclass|tracemetrics)$", below, "passes stand on it"},
	{"^codegen/tailduplicate$", below, "passes of two folders stand on it"},
	{"^codegen/layout$", and(below, "^codegen/tailduplicate$"), "pass folders do not know each other"},
	{"^codegen/debugify$", below, "pass folders do not know each other"},
	{"^codegen/debugvalues$", below, "pass folders do not know each other"},
	{"^codegen/outliner$", below, "pass folders do not know each other"},
	{"^codegen/frame$", below, "pass folders do not know each other"},
	{"^codegen/irprep$", and(below, "^ir/iranalysis$"), "pass folders do not know each other; passes over IR ask what is known of it"},
	{"^codegen/asmprinter$", and(below, "^ir/iranalysis$", "^mc/asmparse$"), "it takes what passes finished"},
	{"^codegen/dwarf$", and(below, "^ir/dwarfname$"), "it writes what it hears of asmprinter"},
	{"^codegen/driver$", and(below, "^ir/iranalysis$", "^codegen/(asmprinter|dwarf)$", "^ir/dwarfname$", "^mc/(asmparse|asmtext)$"), "it runs any list of passes"},
	{"^codegen/pipeline$", and(below, "^codegen/(alias|debugify|debugvalues|frame|globalisel|irprep|layout|matchtable|matchtable/code|outliner|predicatecode|regalloc|regalloc/(check|global)|regclass|sched|ssaopt|tailduplicate|tracemetrics)$", "^ir/iranalysis$"), "it lists passes, and knows neither targets nor who runs them"},
	{"^tablegen$", []string{"^diag$"}, "the language knows no generator"},
	{"^tablegen/include$", []string{"^tablegen$", "^desc$", "^diag$", "^support/"}, "the language knows no generator"},
	{"^tablegen/emit/gofile$", nil, "it writes Go files"},
	{"^tablegen/emit/", []string{"^tablegen$", "^tablegen/(emit|include)", "^codegen/matchtable/code$", "^codegen/predicatecode$", "^desc$", "^desc/facts$", "^diag$", "^support/"}, "generators know no code generator"},
	{"^tablegen/tblgen$|^tools/tblgen$", []string{"^tablegen(/|$)", "^internal/llvmflag$", "^codegen/matchtable/code$", "^codegen/predicatecode$", "^desc(/|$)", "^triple$", "^diag$", "^support/"}, "go generate works where a target does not compile"},
	{"^(filecheck|lit)$", []string{"^internal/llvmflag$", "^support/"}, "the testing tools stand alone"},
	{"^internal/(testenv|textdiff|verdict|conformance|rules|oddwidth)$", nil, "tests of any package import it"},
	{"^internal/llvmflag$", []string{"^support/editdistance$"}, "every command imports it"},
	{"^internal/filetest$", []string{"^internal/testenv$"}, "tests of any package import it"},
	{"^internal/scaling$|^tools/scaling$", and(below, "^internal/scaling$", "^codegen/", "^target/", "^mc/", "^mir/", "^ir/", "^desc/facts$"), "it compiles"},
	{"^internal/testtarget$", and(below, "^codegen/alias$", "^codegen/globalisel$", "^codegen/matchtable(/code)?$", "^codegen/predicatecode$", "^mc/table$", "^mir/", "^ir/", "^tablegen(/|$)", "^desc/facts$"), "a target knows no other and no pipeline"},
	{"^tools/passworth$", and(below, "^codegen/", "^target/", "^mc/", "^mir/", "^ir/", "^desc/facts$"), "it names the passes of a pipeline"},
	{"^tools/allocfuzz$", and(below, "^codegen/", "^target/", "^mc/", "^mir/", "^ir/", "^desc/facts$"), "it allocates registers"},
	{"^tools/x86tables$", []string{"^desc$", "^desc/facts$", "^diag$", "^ir$", "^ir/intrin$", "^support/"}, "it asks LLVM about the facts' opcodes"},
	{"^tools/mclearn$", []string{"^desc$", "^desc/facts$", "^diag$", "^support/", "^mc$", "^mc/table$", "^desc/family$", "^triple$"}, "it asks LLVM about the facts' opcodes, and holds decoders to its answers"},
	{"^tools/csmith$", nil, "it runs commands"},
	{"^tools/vecfuzz$", nil, "it runs commands"},
	{"^tools/mutants$", []string{"^internal/verdict$"}, "it runs commands, and shares no reader with us"},
	{"^tools/fuzzgen$", and(below, "^$", "^bpf$", "^interp", "^codegen/", "^target/", "^mc/", "^mir/", "^ir/", "^desc/facts$", "^link$", "^jit$"), "it compares the interpreter with what users load"},
	{"^tools/x86intrinsics$", nil, "it runs commands"},
	{"^tools/asmtables$", []string{"^desc(/facts|/family)?$", "^diag$", "^mc(/mctarget|/table)?$", "^support/", "^target/aarch64/(mctargetdesc|tab)$", "^triple$"}, "it shows LLVM the operands that AArch64's parser reads"},
	{"^tools/abifuzz$", nil, "it runs commands"},
	{"^tools/iseldiff$", []string{"^analysis$"}, "it reads what code generators print"},
	{"^tools/asmverify$", nil, "it runs commands"},
	{"^tools/llvmverify$", nil, "it runs commands"},
	{"^tools/llvmflags$", nil, "it asks installed tools"},
	{"^tools/housecount$", []string{"^internal/rules$"}, "it reads sources"},
	{"^tools/irroundtrip$", []string{"^ir(/|$)", "^triple$", "^analysis$", "^diag$", "^support/"}, "readers of IR know nothing of machines"},
	{"^$", and(below, "^codegen/", "^target/", "^mc/", "^mir/", "^ir/", "^desc/facts$", "^link$", "^jit$"), "who embeds the compiler links no tools"},
	{"^bpf$", and(below, "^codegen/", "^target/bpf(/|$)", "^mc/", "^ir/", "^desc/facts$"), "who makes eBPF programs links no other target"},
	{"^(cmd|bench|examples)(/|$)", everything, "programs"},
}

// hasNoTenant are packages that no other one imports, except in tests, with the reason to keep them.
var hasNoTenant = map[string]string{
	"bench":                   "its benchmarks are its use",
	"internal/conformance":    "the lists of LLVM's tests, and the test that holds them",
	"internal/filetest":       "runs the file tests of other packages",
	"internal/oddwidth":       "programs for the tests of legalizers",
	"internal/testtarget":     "the machine by which tests hold what targets share to the other byte order",
	"jit/clib":                "programs that embed the compiler and want a C library import it; the compiler itself links none",
	"examples/target-tiny":    "a target from nothing, for readers; its tests run it",
	"interp/internal/loopgen": "its test writes and holds a part of interp",
}

// pkg is a package of this module, by its path there; "" is the root.
type pkg struct {
	main    bool
	imports []string
}

// packages asks the go command.
func packages(t *testing.T) map[string]*pkg {
	cmd := exec.Command("go", "list", "-e", "-json=ImportPath,Name,Imports", "./...")
	cmd.Dir = testenv.Root(t)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	inModule := func(p string) (string, bool) {
		rel, ours := strings.CutPrefix(p+"/", module)
		return strings.TrimSuffix(rel, "/"), ours
	}
	all := map[string]*pkg{}
	dec := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var p struct {
			ImportPath, Name string
			Imports          []string
		}
		if err := dec.Decode(&p); err == io.EOF {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		path, _ := inModule(p.ImportPath)
		x := &pkg{main: p.Name == "main"}
		for _, i := range p.Imports {
			if rel, ours := inModule(i); ours {
				x.imports = append(x.imports, rel)
			}
		}
		all[path] = x
	}
}

// reach lists what a package reaches, with one way to each: the package that imports it.
func reach(all map[string]*pkg, from string) map[string]string {
	via := map[string]string{}
	work := []string{from}
	for len(work) > 0 {
		p := work[len(work)-1]
		work = work[:len(work)-1]
		if all[p] == nil {
			continue
		}
		for _, i := range all[p].imports {
			if _, ok := via[i]; !ok {
				via[i] = p
				work = append(work, i)
			}
		}
	}
	return via
}

// TestImports: each package has a rule, and reaches nothing else.
func TestImports(t *testing.T) {
	all := packages(t)
	used := make([]bool, len(rules))
	for _, p := range slices.Sorted(maps.Keys(all)) {
		k := slices.IndexFunc(rules, func(r rule) bool { return regexp.MustCompile(r.from).MatchString(p) })
		if k < 0 {
			t.Errorf("%s has no rule: say in rules what it may reach", p)
			continue
		}
		used[k] = true
		from := regexp.MustCompile(rules[k].from)
		var may []*regexp.Regexp
		for _, m := range rules[k].may {
			if strings.Contains(m, "$1") {
				m = strings.ReplaceAll(m, "$1", from.FindStringSubmatch(p)[1])
			}
			may = append(may, regexp.MustCompile(m))
		}
		via := reach(all, p)
		for _, i := range slices.Sorted(maps.Keys(via)) {
			if !slices.ContainsFunc(may, func(m *regexp.Regexp) bool { return m.MatchString(i) }) {
				t.Errorf("%s reaches %s through %s, but %s", p, i, via[i], rules[k].why)
			}
		}
	}
	for k, r := range rules {
		if !used[k] {
			t.Errorf("the rule %s is for no package", r.from)
		}
	}
}

// TestDocFiles: a package is described in its doc.go; a program of one file in that.
func TestDocFiles(t *testing.T) {
	root := testenv.Root(t)
	for p, x := range packages(t) {
		if _, err := os.Stat(filepath.Join(root, p, "doc.go")); err != nil && !x.main {
			t.Errorf("%s has no doc.go", p)
		}
	}
}

// TestTenants: a package is there for others, or says why not.
func TestTenants(t *testing.T) {
	all := packages(t)
	imported := map[string]bool{}
	for _, p := range all {
		for _, i := range p.imports {
			imported[i] = true
		}
	}
	for p, x := range all {
		if why, ok := hasNoTenant[p]; (x.main || imported[p] || p == "") == ok {
			t.Errorf("%s: main %t, imported %t, reason to stay without a tenant %q", p, x.main, imported[p], why)
		}
	}
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

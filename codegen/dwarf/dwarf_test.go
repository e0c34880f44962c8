package dwarf_test

import (
	"bytes"
	dbg "debug/dwarf"
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/codegen/driver"
	"github.com/mirin-go/mirin/codegen/dwarf"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/codegen/pipeline"
	"github.com/mirin-go/mirin/internal/testenv"
	"github.com/mirin-go/mirin/ir/irtext"
	mirinelf "github.com/mirin-go/mirin/mc/object/elf"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/all"
)

// object compiles a test module.
func object(t *testing.T, name string, opt target.OptLevel, workers int, o dwarf.Options) []byte {
	t.Helper()
	src, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	mod, err := irtext.Parse(name, src, irtext.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := target.NewMachine(all.Find(mod.Triple, ""), target.Options{Triple: mod.Triple, Opt: opt, Reloc: target.RelocPIC})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.UseLayout(mod.DataLayout); err != nil {
		t.Fatal(err)
	}
	j := &driver.Job{Machine: m, Module: mod, Workers: workers, Dwarf: o, Runner: &pass.Runner{Passes: pipeline.Passes(pipeline.Options{Opt: opt, Target: m.Target})}}
	obj, _, errs := j.Object()
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	b, err := mirinelf.Append(nil, obj)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestVersions: a reader that is not ours finds the functions, variables, types and lines
// in every version.
func TestVersions(t *testing.T) {
	for _, file := range []string{"program.O0.ll", "program.O2.ll"} {
		opt := target.OptLevel(file[len("program.O")] - '0')
		for version := 2; version <= 5; version++ {
			f, err := elf.NewFile(bytes.NewReader(object(t, file, opt, 1, dwarf.Options{Version: version})))
			if err != nil {
				t.Fatal(err)
			}
			d, err := f.DWARF()
			if err != nil {
				t.Fatalf("%s, version %d: %v", file, version, err)
			}
			found := map[string]bool{}
			var unit *dbg.Entry
			for r := d.Reader(); ; {
				e, err := r.Next()
				if err != nil {
					t.Fatalf("%s, version %d: %v", file, version, err)
				}
				if e == nil {
					break
				}
				if e.Tag == dbg.TagCompileUnit {
					unit = e
				}
				name, _ := e.Val(dbg.AttrName).(string)
				found[fmt.Sprint(e.Tag, " ", name)] = true
				if e.Tag == dbg.TagStructType {
					typ, err := d.Type(e.Offset)
					if err != nil || typ.Size() != 32 {
						t.Errorf("%s, version %d: %v of size %d, %v", file, version, typ, typ.Size(), err)
					}
				}
			}
			for _, want := range []string{"Subprogram work", "Subprogram inner", "Subprogram main", "FormalParameter p", "Variable sum", "Variable total", "StructType P", "Member next", "InlinedSubroutine ", "EnumerationType "} {
				if !found[want] {
					t.Errorf("%s, version %d: no %s", file, version, want)
				}
			}
			lines, err := d.LineReader(unit)
			if err != nil {
				t.Fatal(err)
			}
			seen := map[int]bool{}
			for e := (dbg.LineEntry{}); lines.Next(&e) == nil; {
				seen[e.Line] = true
				if !strings.HasSuffix(e.File.Name, "g.c") {
					t.Errorf("%s, version %d: line %d of %s", file, version, e.Line, e.File.Name)
				}
			}
			for _, l := range []int{8, 9, 25, 26} {
				if !seen[l] {
					t.Errorf("%s, version %d: no line %d", file, version, l)
				}
			}
		}
	}
}

// TestWorkers: the object is the same for any number of workers.
func TestWorkers(t *testing.T) {
	for _, o := range []dwarf.Options{{}, {Version: 4, AccelTables: "Dwarf"}, {Dwarf64: true}} {
		if !bytes.Equal(object(t, "program.O2.ll", 2, 1, o), object(t, "program.O2.ll", 2, 3, o)) {
			t.Errorf("%+v: three workers make another object than one", o)
		}
	}
}

// varies are the parts of a dump that depend on addresses.
var varies = regexp.MustCompile(`0x[0-9a-f]{8,16} ?|^0x[0-9a-f]+|fbreg [-+]?\d+|\t`)

// entries are the entries of an object, as llvm-dwarfdump prints them, without what
// depends on addresses.
func entries(t *testing.T, dump, file string) string {
	t.Helper()
	out, err := exec.Command(dump, "--debug-info", file).Output()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for l := range strings.Lines(string(out)) {
		if strings.Contains(l, "file format") || strings.Contains(l, "Compile Unit:") || strings.Contains(l, "_base") || strings.Contains(l, "high_pc") || strings.HasPrefix(strings.TrimSpace(l), "[0x") {
			continue
		}
		b.WriteString(varies.ReplaceAllString(l, ""))
	}
	return b.String()
}

// TestLLVM: unoptimized code has the entries that llc gives it, and LLVM's checker finds
// no fault in any.
func TestLLVM(t *testing.T) {
	llc, dump := testenv.LLVM(t, "llc"), testenv.LLVM(t, "llvm-dwarfdump")
	dir := t.TempDir()
	for _, version := range []int{2, 3, 4, 5} {
		for _, file := range []string{"program.O0.ll", "program.O2.ll", "classes.O0.ll"} {
			opt := file[strings.Index(file, ".O")+2 : strings.Index(file, ".O")+3]
			theirs, ours := filepath.Join(dir, "l.o"), filepath.Join(dir, "m.o")
			flag := fmt.Sprintf("-dwarf-version=%d", version)
			if out, err := exec.Command(llc, "-O"+opt, flag, "-relocation-model=pic", "-filetype=obj", "-o", theirs, filepath.Join("testdata", file)).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if err := os.WriteFile(ours, object(t, file, target.OptLevel(opt[0]-'0'), 1, dwarf.Options{Version: version}), 0o644); err != nil {
				t.Fatal(err)
			}
			if out, err := exec.Command(dump, "--verify", ours).CombinedOutput(); err != nil {
				t.Errorf("%s, version %d: %s", file, version, out)
			}
			if opt != "0" {
				continue
			}
			if want, got := entries(t, dump, theirs), entries(t, dump, ours); got != want {
				t.Errorf("%s, version %d: entries are others than llc's\n--- llc\n%s\n--- mirin\n%s", file, version, want, got)
			}
		}
	}
}

package conformance

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/mirin-go/mirin/internal/testenv"
)

var update = flag.Bool("update", false, "add to the lists what passes now")

// area is a list of tests that lit runs.
type area struct {
	name    string
	folders []string // of llvm/test
	ext     string   // only files called so; "" all
}

var areas = []area{
	{"mir", []string{"CodeGen/MIR"}, ""},
	{"mirpass", []string{"CodeGen/Generic", "CodeGen/X86"}, ".mir"},
	{"verifier-mir", []string{"MachineVerifier"}, ""},
	{"filecheck", []string{"FileCheck"}, ""},
	{"ir", []string{"Assembler", "Verifier"}, ""},
	{"bitcode", []string{"Bitcode"}, ""},
	{"tablegen", []string{"TableGen"}, ""},
	{"mc-asmparser", []string{"MC/AsmParser"}, ""},
	{"mc-elf", []string{"MC/ELF"}, ""},
	{"mc-x86", []string{"MC/X86"}, ""},
	{"mc-disasm", []string{"MC/Disassembler"}, ""},
	{"mc-aarch64", []string{"MC/AArch64"}, ""},
	{"mc-riscv", []string{"MC/RISCV"}, ""},
	{"mc-loongarch", []string{"MC/LoongArch"}, ""},
	{"mc-ppc", []string{"MC/PowerPC"}, ""},
	{"mc-systemz", []string{"MC/SystemZ"}, ""},
	{"mc-mips", []string{"MC/Mips"}, ""},
	{"mc-arm", []string{"MC/ARM"}, ""},
	{"mc-ve", []string{"MC/VE"}, ""},
	{"mc-avr", []string{"MC/AVR"}, ""},
	{"mc-sparc", []string{"MC/Sparc"}, ""},
	{"mc-m68k", []string{"MC/M68k"}, ""},
	{"mc-xtensa", []string{"MC/Xtensa"}, ""},
	{"mc-bpf", []string{"MC/BPF"}, ""},
	{"bpf", []string{"CodeGen/BPF"}, ""},
}

// served are the tools of the tests that "mirin lit" runs itself.
var served = []string{"llc", "FileCheck", "llvm-as", "llvm-dis", "llvm-bcanalyzer", "llvm-tblgen", "opt", "llvm-mc"}

// foreign are listed tests that need more of a served tool than it promises.
var foreign = map[string]string{
	"Bitcode/extractelement.ll": "runs a transformation of LLVM's opt",
}

// setup is what all tests here need, made once.
type setup struct {
	bin   string // a folder with the command and links to it, and LLVM's other tools
	suite string // the folder with CodeGen, MC, …
	have  map[string]bool
}

var (
	once     sync.Once
	env      setup
	errSetup error
)

func TestMain(m *testing.M) {
	flag.Parse()
	code := m.Run()
	if env.bin != "" {
		os.RemoveAll(env.bin)
	}
	os.Exit(code)
}

// prepare skips the test where the shared material is absent.
func prepare(t *testing.T) *setup {
	t.Helper()
	tools := testenv.Shared(t, "tools")
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("skipped: no python3, which unpacks the suite")
	}
	once.Do(func() { errSetup = env.make(testenv.Root(t), tools, python) })
	if errSetup != nil {
		t.Fatal(errSetup)
	}
	return &env
}

func (s *setup) make(root, tools, python string) error {
	out, err := exec.Command(python, filepath.Join(tools, "suite.py")).Output()
	if err != nil {
		return fmt.Errorf("suite.py: %w", err)
	}
	s.suite = strings.TrimSpace(string(out))
	if s.bin, err = os.MkdirTemp("", "conformance"); err != nil {
		return err
	}
	build := exec.Command("go", "build", "-o", filepath.Join(s.bin, "mirin"), "./cmd/mirin")
	build.Dir = root
	if msg, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("go build ./cmd/mirin: %w\n%s", err, msg)
	}
	s.have = map[string]bool{}
	link := func(to, name string) {
		if err == nil {
			err = os.Symlink(to, filepath.Join(s.bin, name))
		}
		s.have[name] = true
	}
	for _, name := range served {
		link("mirin", name)
	}
	for _, name := range []string{"verify-uselistorder", "llvm-readobj", "llvm-readelf", "llvm-objdump", "llvm-dwarfdump"} {
		for _, p := range []string{name + "-22", "/usr/lib/llvm-22/bin/" + name} {
			if p, err := exec.LookPath(p); err == nil && !s.have[name] {
				link(p, name)
			}
		}
	}
	return err
}

// llvmTool finds the names of LLVM's tools in a RUN: line.
var llvmTool = regexp.MustCompile(`\b(llvm-[a-z0-9]+(?:-[a-z0-9]+)*|verify-uselistorder|opt|llc|lli|obj2yaml|yaml2obj|clang|lld)(?:\s|$)`)

// needs returns the tools of LLVM that a test runs.
func (s *setup) needs(test string) (tools []string, err error) {
	src, err := os.ReadFile(filepath.Join(s.suite, test))
	if err != nil {
		return nil, errors.New("the suite has no such file")
	}
	for line := range bytes.Lines(src) {
		_, run, ok := bytes.Cut(line, []byte("RUN:"))
		if !ok {
			continue
		}
		for _, m := range llvmTool.FindAllSubmatch(run, -1) {
			tools = append(tools, string(m[1]))
		}
		if bytes.Contains(run, []byte("FileCheck")) {
			tools = append(tools, "FileCheck")
		}
	}
	slices.Sort(tools)
	return slices.Compact(tools), nil
}

// missing names a tool that the test needs and that is not there.
func (s *setup) missing(test string) string {
	if why := foreign[test]; why != "" {
		return why
	}
	tools, err := s.needs(test)
	if err != nil {
		return ""
	}
	for _, tool := range tools {
		if !s.have[tool] {
			return "needs LLVM's " + tool
		}
	}
	return ""
}

// lit runs tests and returns the outcomes by path, and what each printed.
func (s *setup) lit(tests []string) (status, output map[string]string, err error) {
	args := append([]string{"lit", "-a", "--features", "native,default_triple", "-j", strconv.Itoa(runtime.GOMAXPROCS(0))}, tests...)
	cmd := exec.Command(filepath.Join(s.bin, "mirin"), args...)
	cmd.Dir = s.suite
	cmd.Env = append(os.Environ(), "PATH="+s.bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 1) {
		return nil, nil, fmt.Errorf("mirin lit: %w\n%s%s", err, out, stderr.Bytes())
	}
	status, output = map[string]string{}, map[string]string{}
	heads := regexp.MustCompile(`(?m)^([A-Z]+): (\S+) \(\d+ of \d+\)$`).FindAllSubmatchIndex(out, -1)
	for k, h := range heads {
		end := len(out)
		if k+1 < len(heads) {
			end = heads[k+1][0]
		}
		path := string(out[h[4]:h[5]])
		status[path], output[path] = string(out[h[2]:h[3]]), string(out[h[1]:end])
	}
	return status, output, nil
}

func readList(t *testing.T, name string) []string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	list := strings.Fields(string(b))
	if !slices.IsSorted(list) || len(slices.Compact(slices.Clone(list))) != len(list) {
		t.Errorf("%s: not sorted, or with a line twice", name)
	}
	return list
}

func writeList(t *testing.T, name string, list []string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(strings.Join(list, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestListed: every listed test of LLVM passes still.
func TestListed(t *testing.T) {
	s := prepare(t)
	for _, a := range areas {
		t.Run(a.name, func(t *testing.T) {
			listed := readList(t, a.name+".txt")
			if *update {
				s.grow(t, a, listed)
				return
			}
			var run []string
			skipped := map[string]int{}
			for _, test := range listed {
				if why := s.missing(test); why != "" {
					skipped[why]++
				} else {
					run = append(run, test)
				}
			}
			for why, n := range skipped {
				t.Logf("%d tests not run: %s", n, why)
			}
			s.hold(t, run)
		})
	}
}

// hold runs tests and reports each that does not pass.
func (s *setup) hold(t *testing.T, tests []string) {
	t.Helper()
	// lit stops at a name that is not there.
	var run []string
	for _, test := range tests {
		if _, err := s.needs(test); err != nil {
			t.Errorf("%s: %v", test, err)
		} else {
			run = append(run, test)
		}
	}
	status, output, err := s.lit(run)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range run {
		if status[test] == "PASS" {
			continue
		}
		t.Errorf("%s: listed, and no longer passes: %s\n%s\nrun it: go run ./cmd/mirin lit -a --features native,default_triple %s",
			test, status[test], tail(output[test], 2000), filepath.Join(s.suite, test))
	}
	t.Logf("%d tests", len(run))
}

func tail(s string, n int) string {
	if len(s) > n {
		s = "…" + s[len(s)-n:]
	}
	return strings.TrimSpace(s)
}

// grow adds the tests of the area's folders that pass and are not listed.
func (s *setup) grow(t *testing.T, a area, listed []string) {
	skip := s.skipped(t)
	cmd := exec.Command(filepath.Join(s.bin, "mirin"), append([]string{"lit", "--show-tests"}, a.folders...)...)
	cmd.Dir = s.suite
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var run []string
	for _, test := range strings.Fields(string(out)) {
		if !strings.HasSuffix(test, a.ext) || slices.Contains(listed, test) || skip[test] || s.missing(test) != "" {
			continue
		}
		// A test of FileCheck alone belongs to its own area.
		tools, err := s.needs(test)
		ours := func(tool string) bool {
			return slices.Contains(served, tool) && (tool != "FileCheck" || a.name == "filecheck")
		}
		if err == nil && slices.ContainsFunc(tools, ours) {
			run = append(run, test)
		}
	}
	if len(run) == 0 {
		return
	}
	status, _, err := s.lit(run)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range run {
		if status[test] == "PASS" {
			t.Logf("%s: added", test)
			listed = append(listed, test)
		}
	}
	slices.Sort(listed)
	writeList(t, a.name+".txt", listed)
}

// skipped are the tests that LLVM's own tools do not pass.
func (s *setup) skipped(t *testing.T) map[string]bool {
	b, err := os.ReadFile(filepath.Join(filepath.Dir(s.suite), "skip.txt"))
	if err != nil {
		t.Fatal(err)
	}
	list := map[string]bool{}
	for line := range strings.Lines(string(b)) {
		name, _, _ := strings.Cut(strings.TrimSpace(line), "\t")
		list[name] = true
	}
	return list
}

//go:build unix

// Command passworth measures what each pass of a pipeline is worth: programs
// are compiled with all passes and again with one of them left out
// (-opt-disable), run, and compared in run time, code size and compile time.
// The table that it prints is the one of docs/optimization.md.
//
//	go run ./tools/passworth -index programs.jsonl                  # every optional pass of -O2
//	go run ./tools/passworth -index programs.jsonl machinelicm      # one
//	go run ./tools/passworth -index programs.jsonl -ref llc-22 -each none  # each program against LLVM's
//	go run ./tools/passworth -index programs.jsonl -opt 3 -filter 'Benchmarks/' -n 5
//
// The index has a JSON object a line, with the fields of type program. Modules
// are made by an installed clang and kept in -cache. Times are the least user
// and system time of n runs, the variants of a program in turn, so that a busy
// machine harms all alike. With -ref an installed llc is measured beside them.
// An output that differs from that of the full pipeline is an error: a pass
// that is left out must change nothing but time.
package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"debug/elf"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/codegen/pipeline"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86"
)

// program is a line of the index: what is built and how it is run.
type program struct {
	Name     string      `json:"name"`
	Kind     string      `json:"kind"`
	Lang     string      `json:"lang"`
	Sources  []string    `json:"sources"`
	CFlags   []string    `json:"cflags"`
	CXXFlags []string    `json:"cxxflags"`
	LDFlags  []string    `json:"ldflags"`
	Args     []string    `json:"args"`
	Stdin    string      `json:"stdin"`
	Data     [][2]string `json:"data"`
	Seconds  float64     `json:"seconds"`
}

type config struct {
	index, llc, ref, opt, cflags, cache string
	min                                 float64
	n, limit                            int
	filter                              *regexp.Regexp
	each                                bool
	root, work                          string
}

// variant is one way to compile a program.
type variant struct {
	name string
	argv []string
}

// result is what one variant of one program costs.
type result struct {
	run, compile time.Duration
	text         uint64
}

func main() {
	var c config
	filter := ""
	flag.StringVar(&c.index, "index", "", "the list of programs, a JSON object a line; paths in it are relative to its folder")
	flag.StringVar(&c.llc, "llc", "mirin llc", "the command that is measured")
	flag.StringVar(&c.ref, "ref", "", "an installed llc to measure beside it (llc-22)")
	flag.StringVar(&c.opt, "opt", "2", "optimization level")
	flag.StringVar(&c.cflags, "cflags", "-fno-vectorize -fno-slp-vectorize", "further flags of clang")
	flag.StringVar(&c.cache, "cache", filepath.Join(os.TempDir(), "passworth"), "where modules are kept")
	flag.Float64Var(&c.min, "min", 0.05, "leave out programs that run shorter, in seconds")
	flag.IntVar(&c.n, "n", 3, "runs of each variant")
	flag.IntVar(&c.limit, "limit", 0, "the number of programs, evenly chosen; 0 is all")
	flag.StringVar(&filter, "filter", "", "a regular expression over names of programs")
	flag.BoolVar(&c.each, "each", false, "list the programs, each variant over all passes")
	flag.Parse()
	if err := c.main(filter, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "passworth:", err)
		os.Exit(1)
	}
}

func (c *config) main(filter string, passes []string) error {
	if c.index == "" {
		return fmt.Errorf("-index wants a list of programs")
	}
	var err error
	if c.filter, err = regexp.Compile(filter); err != nil {
		return err
	}
	if c.root, err = filepath.Abs(filepath.Dir(c.index)); err != nil {
		return err
	}
	if c.work, err = os.MkdirTemp("", "passworth"); err != nil {
		return err
	}
	defer os.RemoveAll(c.work)
	programs, err := c.programs()
	if err != nil {
		return err
	}
	variants := c.variants(passes)
	rows := make([][]result, 0, len(programs))
	var names []string
	for k := range programs {
		fmt.Fprintf(os.Stderr, "\r\033[K%d/%d %s", k+1, len(programs), programs[k].Name)
		row, err := c.measure(&programs[k], variants)
		if err != nil {
			fmt.Fprintf(os.Stderr, "\r\033[K%s: %v\n", programs[k].Name, err)
			continue
		}
		if row[0].run.Seconds() >= c.min {
			rows, names = append(rows, row), append(names, programs[k].Name)
		}
	}
	fmt.Fprint(os.Stderr, "\r\033[K")
	report(variants, names, rows)
	if c.each {
		list(variants, names, rows)
	}
	return nil
}

// programs reads the index and chooses.
func (c *config) programs() ([]program, error) {
	file, err := os.Open(c.index)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var all []program
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var p program
		if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
			return nil, fmt.Errorf("%s: %w", c.index, err)
		}
		// Half of the least time: the machine may be slower than the one that wrote it down.
		if c.filter.MatchString(p.Name) && p.Seconds >= c.min/2 && len(p.Sources) > 0 {
			all = append(all, p)
		}
	}
	if c.limit > 0 && len(all) > c.limit {
		few := make([]program, 0, c.limit)
		for k := range c.limit {
			few = append(few, all[k*len(all)/c.limit])
		}
		all = few
	}
	return all, lines.Err()
}

// variants are the full pipeline, the reference, and the pipeline without each pass.
func (c *config) variants(passes []string) []variant {
	base := append(strings.Fields(c.llc), "-O"+c.opt, "-filetype=obj", "-relocation-model=pic")
	vs := []variant{{"(all passes)", base}}
	if c.ref != "" {
		vs = append(vs, variant{c.ref, append(strings.Fields(c.ref), base[len(strings.Fields(c.llc)):]...)})
	}
	if len(passes) == 0 {
		for _, p := range pipeline.Passes(pipeline.Options{Opt: target.OptLevel(c.opt[0] - '0'), Target: &x86.Target}) {
			if p.Optional == pass.Skippable && !slices.Contains(passes, p.Name) {
				passes = append(passes, p.Name)
			}
		}
	}
	for _, p := range passes {
		if p != "none" {
			vs = append(vs, variant{p, append(slices.Clone(base), "-opt-disable="+p)})
		}
	}
	return vs
}

// measure compiles and runs all variants of p.
func (c *config) measure(p *program, vs []variant) ([]result, error) {
	module, err := c.module(p)
	if err != nil {
		return nil, err
	}
	row, exes := make([]result, len(vs)), make([]string, len(vs))
	for k, v := range vs {
		obj := filepath.Join(c.work, fmt.Sprintf("v%d.o", k))
		exes[k] = strings.TrimSuffix(obj, ".o")
		if row[k].compile, err = timed(exec.Command(v.argv[0], append(v.argv[1:len(v.argv):len(v.argv)], module, "-o", obj)...)); err != nil {
			return nil, fmt.Errorf("%s: %w", v.name, err)
		}
		row[k].text = textSize(obj)
		cc := "clang-22"
		if p.Lang == "c++" {
			cc = "clang++-22"
		}
		if _, err := timed(exec.Command(cc, append([]string{obj, "-o", exes[k]}, p.LDFlags...)...)); err != nil {
			return nil, err
		}
	}
	dir := filepath.Join(c.work, "run")
	defer os.RemoveAll(dir)
	for _, d := range p.Data {
		to := filepath.Join(dir, d[1])
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			return nil, err
		}
		b, err := os.ReadFile(filepath.Join(c.root, d[0]))
		if err != nil {
			return nil, err
		}
		if err := os.WriteFile(to, b, 0o666); err != nil {
			return nil, err
		}
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	var first []byte
	for r := range c.n {
		for k := range vs {
			out, d, err := c.execute(p, exes[k], dir)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", vs[k].name, err)
			}
			if r == 0 || d < row[k].run {
				row[k].run = d
			}
			if first == nil {
				first = out
			} else if vs[k].name != c.ref && r == 0 && !bytes.Equal(first, out) {
				fmt.Fprintf(os.Stderr, "\r\033[K%s: another output without %s\n", p.Name, vs[k].name)
			}
		}
	}
	return row, nil
}

// module makes the program's module unless it is in the cache.
func (c *config) module(p *program) (string, error) {
	key := sha256.Sum256([]byte(strings.Join(append([]string{p.Name, c.opt, c.cflags}, p.CFlags...), "\x00")))
	out := filepath.Join(c.cache, fmt.Sprintf("%x.ll", key[:8]))
	if _, err := os.Stat(out); err == nil {
		return out, nil
	}
	if err := os.MkdirAll(c.cache, 0o777); err != nil {
		return "", err
	}
	var parts []string
	for k, s := range p.Sources {
		cc, flags := "clang-22", []string{"-O" + c.opt}
		if e := filepath.Ext(s); e != ".c" {
			cc, flags = "clang++-22", append(flags, p.CXXFlags...)
		}
		flags = append(append(append(flags, p.CFlags...), strings.Fields(c.cflags)...), "-w", "-c", "-emit-llvm")
		bc := filepath.Join(c.work, fmt.Sprintf("m%d.bc", k))
		cmd := exec.Command(cc, append(flags, s, "-o", bc)...)
		cmd.Dir = c.root
		if _, err := timed(cmd); err != nil {
			return "", err
		}
		parts = append(parts, bc)
	}
	if _, err := timed(exec.Command("llvm-link-22", append(parts, "-S", "-o", out+".tmp")...)); err != nil {
		return "", err
	}
	return out, os.Rename(out+".tmp", out)
}

// execute runs the program once: its output and status, and the time it took.
func (c *config) execute(p *program, exe, dir string) ([]byte, time.Duration, error) {
	cmd := exec.Command(exe, p.Args...)
	cmd.Dir = dir
	if p.Stdin != "" {
		in, err := os.Open(filepath.Join(c.root, p.Stdin))
		if err != nil {
			return nil, 0, err
		}
		defer in.Close()
		cmd.Stdin = in
	}
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		return nil, 0, err
	}
	if !cmd.ProcessState.Exited() {
		return nil, 0, fmt.Errorf("%v", cmd.ProcessState)
	}
	return fmt.Appendf(out, "exit %d\n", cmd.ProcessState.ExitCode()), cpu(cmd.ProcessState), nil
}

func cpu(s *os.ProcessState) time.Duration { return s.UserTime() + s.SystemTime() }

// timed runs a command that must succeed, for its CPU time.
func timed(cmd *exec.Cmd) (time.Duration, error) {
	out, err := cmd.CombinedOutput()
	if err != nil {
		return 0, fmt.Errorf("%s: %w: %.300s", filepath.Base(cmd.Path), err, out)
	}
	return cpu(cmd.ProcessState), nil
}

// textSize is the size of an object's code.
func textSize(obj string) uint64 {
	f, err := elf.Open(obj)
	if err != nil {
		return 0
	}
	defer f.Close()
	n := uint64(0)
	for _, s := range f.Sections {
		if s.Flags&elf.SHF_EXECINSTR != 0 {
			n += s.Size
		}
	}
	return n
}

// report prints the table: for each variant its cost over that of all passes.
func report(vs []variant, names []string, rows [][]result) {
	fmt.Printf("%d programs.\n\n| without | run time | where it is worth most | where it harms most | .text | compile time |\n|---|---|---|---|---|---|\n", len(rows))
	for k := 1; k < len(vs); k++ {
		var run, text, compile []float64
		most, least, atMost, atLeast := 0.0, math.Inf(1), "", ""
		for r, row := range rows {
			x := row[k].run.Seconds() / row[0].run.Seconds()
			run, text = append(run, x), append(text, float64(row[k].text)/float64(row[0].text))
			compile = append(compile, row[k].compile.Seconds()/row[0].compile.Seconds())
			if x > most {
				most, atMost = x, names[r]
			}
			if x < least {
				least, atLeast = x, names[r]
			}
		}
		if len(run) > 0 {
			fmt.Printf("| %s | %.3f | %.2f %s | %.2f %s | %.3f | %.3f |\n", vs[k].name, geomean(run),
				most, filepath.Base(atMost), least, filepath.Base(atLeast), geomean(text), geomean(compile))
		}
	}
}

// list prints a table for each variant: what all passes cost over it.
func list(vs []variant, names []string, rows [][]result) {
	for k := 1; k < len(vs); k++ {
		fmt.Printf("\n| all passes over %s | run time | .text |\n|---|---|---|\n", vs[k].name)
		for r, row := range rows {
			fmt.Printf("| %s | %.3f (%.2f s) | %.3f |\n", names[r], row[0].run.Seconds()/row[k].run.Seconds(), row[k].run.Seconds(), float64(row[0].text)/float64(row[k].text))
		}
	}
}

func geomean(xs []float64) float64 {
	sum := 0.0
	for _, x := range xs {
		sum += math.Log(x)
	}
	return math.Exp(sum / float64(len(xs)))
}

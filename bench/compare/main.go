//go:build unix

// Command compare times Mirin's tools against installed LLVM's over files, the
// two alternating in one run, and prints for each the smallest CPU time (user
// and system) and wall time of the runs, the throughput by wall time and the peak memory.
//
//	go run ./bench/compare [-n 5] FILES.ll...             # llc, to an object, at -O0, -O2 and -O3
//	go run ./bench/compare -what read FILES.ll FILES.bc   # llvm-as, and opt -passes=verify
//	go run ./bench/compare FILES.mir                      # llc -run-pass=none
//	go run ./bench/compare -I DIR FILES.td                # llvm-tblgen --null-backend
//	go run ./bench/compare -what all PROGRAM.c            # start-up and all readers, as a table in Markdown
//
// The first row is an empty file: what a start costs. With -what all a large C
// program is made into .ll, .bc and .mir by an installed clang and llc first.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

type sample struct {
	cpu, wall time.Duration
	rss       int64 // KiB
}

// task is one thing that both tools are asked to do with a file.
type task struct {
	name string
	tool string // LLVM's name of it
	args []string
}

var tasks = map[string][]task{
	"code": {{"-O0", "llc", []string{"-O0", "-filetype=obj", "-relocation-model=pic", "-o", os.DevNull}},
		{"-O2", "llc", []string{"-O2", "-filetype=obj", "-relocation-model=pic", "-o", os.DevNull}},
		{"-O3", "llc", []string{"-O3", "-filetype=obj", "-relocation-model=pic", "-o", os.DevNull}}},
	"read": {{"as", "llvm-as", []string{"-o", os.DevNull}}, {"verify", "opt", []string{"-passes=verify", "-disable-output"}}},
	"mir":  {{"none", "llc", []string{"-run-pass=none", "-o", os.DevNull}}},
	"td":   {{"null", "llvm-tblgen", []string{"--null-backend", "-o", os.DevNull}}},
}

// empty are the smallest files of each kind.
var empty = map[string]string{
	"code": "target triple = \"x86_64-unknown-linux-gnu\"\n", "read": "target triple = \"x86_64-unknown-linux-gnu\"\n",
	"mir": "---\nname: f\nbody: |\n  bb.0:\n    RET64\n...\n", "td": "def X;\n",
}

var extension = map[string]string{"code": ".ll", "read": ".ll", "mir": ".mir", "td": ".td"}

// run executes a command and returns its cost.
func run(exe string, args ...string) (sample, error) {
	cmd := exec.Command(exe, args...)
	start := time.Now()
	out, err := cmd.CombinedOutput()
	wall := time.Since(start)
	if err != nil {
		return sample{}, fmt.Errorf("%s: %w: %.200s", exe, err, out)
	}
	u, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		return sample{}, fmt.Errorf("no resource usage on this system")
	}
	return sample{cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), wall, u.Maxrss}, nil
}

// best alternates the two commands n times and keeps the cheapest run of each.
func best(n int, a, b string, args []string) (x, y sample, err error) {
	for i := range n {
		for k, exe := range [2]string{a, b} {
			s, err := run(exe, args...)
			if err != nil {
				return x, y, err
			}
			p := &x
			if k == 1 {
				p = &y
			}
			if i == 0 {
				*p = s
			}
			p.cpu, p.wall, p.rss = min(p.cpu, s.cpu), min(p.wall, s.wall), min(p.rss, s.rss)
		}
	}
	return x, y, nil
}

func main() {
	n := flag.Int("n", 0, "runs of each (5; with -what all as many as the row needs)")
	what := flag.String("what", "", "code, read, mir, td or all; by the first file's extension when not given")
	suffix := flag.String("suffix", "-22", "what stands behind the names of LLVM's tools")
	include := flag.String("I", "", "include directory for .td files (-what all: LLVM's, /usr/lib/llvm-22/include)")
	flag.Parse()
	if *what == "" && flag.NArg() > 0 {
		*what = map[string]string{".mir": "mir", ".td": "td", ".bc": "read", ".c": "all"}[filepath.Ext(flag.Arg(0))]
	}
	if *what == "" {
		*what = "code"
	}
	if tasks[*what] == nil && *what != "all" || *what == "all" && flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "-what takes code, read, mir or td and files, or all and a C program")
		os.Exit(2)
	}
	if err := compare(*n, *what, *suffix, *include, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// build makes our binary, under the names of the tools that it stands for.
func build(dir string) error {
	ours := filepath.Join(dir, "mirin")
	cmd := exec.Command("go", "build", "-o", ours, "./cmd/mirin")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	for _, tool := range [...]string{"llc", "opt", "llvm-as", "llvm-dis", "llvm-tblgen"} {
		if err := os.Symlink(ours, filepath.Join(dir, tool)); err != nil {
			return err
		}
	}
	return nil
}

func compare(n int, what, suffix, include string, files []string) error {
	dir, err := os.MkdirTemp("", "mirin-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := build(dir); err != nil {
		return err
	}
	if what == "all" {
		if include == "" {
			include = "/usr/lib/llvm-22/include"
		}
		return table(n, dir, files[0], suffix, include)
	}
	if n == 0 {
		n = 5
	}
	start := filepath.Join(dir, "empty"+extension[what])
	if err := os.WriteFile(start, []byte(empty[what]), 0o644); err != nil {
		return err
	}
	fmt.Printf("%-34s %-6s %9s | %9s %9s %8s %6s | %9s %9s %8s %6s\n", "file", "task", "bytes",
		"mirin CPU", "wall", "MB/s", "MiB", "LLVM CPU", "wall", "MB/s", "MiB")
	var bytes int64
	totals := make([][2]sample, len(tasks[what]))
	for _, f := range append([]string{start}, files...) {
		fi, err := os.Stat(f)
		if err != nil {
			return err
		}
		for k, t := range tasks[what] {
			args := append([]string{}, t.args...)
			if include != "" {
				args = append(args, "-I", include)
			}
			x, y, err := best(n, filepath.Join(dir, t.tool), t.tool+suffix, append(args, f))
			if err != nil {
				fmt.Printf("%-34s %-6s %v\n", filepath.Base(f), t.name, err)
				continue
			}
			line(filepath.Base(f), t.name, fi.Size(), x, y)
			if f != start {
				totals[k][0].add(x)
				totals[k][1].add(y)
			}
		}
		if f != start {
			bytes += fi.Size()
		}
	}
	for k, t := range tasks[what] {
		line("all", t.name, bytes, totals[k][0], totals[k][1])
	}
	return nil
}

// add sums times and keeps the largest memory.
func (s *sample) add(x sample) {
	s.cpu += x.cpu
	s.wall += x.wall
	s.rss = max(s.rss, x.rss)
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1e3 }

func mib(s sample) float64 { return float64(s.rss) / 1024 }

func line(name, what string, bytes int64, x, y sample) {
	mbs := func(s sample) float64 { return float64(bytes) / 1e6 / s.wall.Seconds() }
	fmt.Printf("%-34.34s %-6s %9d | %7.1fms %7.1fms %8.2f %6.1f | %7.1fms %7.1fms %8.2f %6.1f\n", name, what, bytes,
		ms(x.cpu), ms(x.wall), mbs(x), mib(x), ms(y.cpu), ms(y.wall), mbs(y), mib(y))
}

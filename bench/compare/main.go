//go:build unix

// Command compare times mirin llc against an installed llc over .ll files, the
// two alternating in one run, and prints the CPU time (user and system, the
// smallest of the runs), the throughput and the peak memory of each.
//
//	go run ./bench/compare [-n 5] [-llc llc-22] FILES...
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
	cpu time.Duration
	rss int64 // KiB
}

// run executes a command and returns its cost.
func run(exe string, args ...string) (sample, error) {
	cmd := exec.Command(exe, args...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return sample{}, fmt.Errorf("%s: %w: %.200s", exe, err, out)
	}
	u, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		return sample{}, fmt.Errorf("no resource usage on this system")
	}
	return sample{cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), u.Maxrss}, nil
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
			if i == 0 || s.cpu < p.cpu {
				*p = s
			}
		}
	}
	return x, y, nil
}

func main() {
	n := flag.Int("n", 5, "runs of each")
	llc := flag.String("llc", "llc-22", "the reference")
	flag.Parse()
	if err := compare(*n, *llc, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func compare(n int, llc string, files []string) error {
	dir, err := os.MkdirTemp("", "mirin-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	ours := filepath.Join(dir, "llc")
	build := exec.Command("go", "build", "-o", ours, "./cmd/mirin")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	empty := filepath.Join(dir, "empty.ll")
	if err := os.WriteFile(empty, []byte("target triple = \"x86_64-unknown-linux-gnu\"\n"), 0o644); err != nil {
		return err
	}
	fmt.Printf("%-40s %4s %9s | %10s %9s %8s | %10s %9s %8s\n", "module", "opt", "bytes", "mirin CPU", "MB/s", "MiB", "llc CPU", "MB/s", "MiB")
	var bytes int64
	var total [2][2]time.Duration
	for _, f := range append([]string{empty}, files...) {
		fi, err := os.Stat(f)
		if err != nil {
			return err
		}
		for k, opt := range []string{"-O0", "-O2"} {
			x, y, err := best(n, ours, llc, []string{opt, "-filetype=obj", "-relocation-model=pic", "-o", os.DevNull, f})
			if err != nil {
				fmt.Printf("%-40s %4s %v\n", filepath.Base(f), opt, err)
				continue
			}
			row(filepath.Base(f), opt, fi.Size(), x, y)
			if f != empty {
				total[k][0] += x.cpu
				total[k][1] += y.cpu
			}
		}
		bytes += fi.Size()
	}
	for k, opt := range []string{"-O0", "-O2"} {
		row("all", opt, bytes, sample{cpu: total[k][0]}, sample{cpu: total[k][1]})
	}
	return nil
}

func row(name, opt string, bytes int64, x, y sample) {
	mbs := func(s sample) float64 { return float64(bytes) / 1e6 / s.cpu.Seconds() }
	fmt.Printf("%-40s %4s %9d | %8.1fms %9.2f %8.1f | %8.1fms %9.2f %8.1f\n", name, opt, bytes,
		float64(x.cpu.Microseconds())/1e3, mbs(x), float64(x.rss)/1024, float64(y.cpu.Microseconds())/1e3, mbs(y), float64(y.rss)/1024)
}

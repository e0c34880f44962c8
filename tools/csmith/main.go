//go:build unix

// Command csmith compiles random C programs and compares what they print with
// what clang's own code prints. csmith (a Debian package) writes a program from
// a seed, clang makes a module of it at -O0 and at -O2, Mirin's llc an object,
// and the linker a program whose checksum must be the one of clang's code.
//
//	go run ./tools/csmith -n 1000                                  # seeds 1 to 1000 at -O2
//	go run ./tools/csmith -seed 77 -n 1 -levels 0,1,2,3 -keep DIR   # one seed again, its files kept
//	go run ./tools/csmith -flags '-regalloc=basic'
//
// What differs, crashes or is refused is printed with its seed; the exit status
// is 1 when a program is wrong. A program that does not end or crashes is left
// out when clang's code for the same module does so too.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

type campaign struct {
	llc, flags, cflags, levels, include, keep string
	limit                                     time.Duration

	mu                          sync.Mutex
	done, slow, refused, faults int
}

func main() {
	var c campaign
	seed := flag.Int("seed", 1, "the first seed")
	n := flag.Int("n", 100, "the number of seeds")
	jobs := flag.Int("j", 2, "programs at a time")
	flag.StringVar(&c.llc, "llc", "mirin llc", "the command that is tested")
	flag.StringVar(&c.flags, "flags", "-verify-machineinstrs -verify-regalloc", "its flags")
	flag.StringVar(&c.cflags, "cflags", "", "more flags for clang, compiling and linking (-m32, say)")
	flag.StringVar(&c.levels, "levels", "2", "optimization levels, with commas between")
	flag.StringVar(&c.include, "include", "/usr/include/csmith", "where csmith.h is")
	flag.StringVar(&c.keep, "keep", "", "keep all files of the programs in this folder")
	flag.DurationVar(&c.limit, "limit", 5*time.Second, "leave out programs whose native run takes longer")
	flag.Parse()
	if _, err := os.Stat(filepath.Join(c.include, "csmith.h")); err != nil {
		fmt.Fprintln(os.Stderr, "csmith:", err, "(Debian's libcsmith-dev, or -include)")
		os.Exit(1)
	}
	seeds := make(chan int)
	var wg sync.WaitGroup
	for range *jobs {
		wg.Go(func() {
			for s := range seeds {
				c.one(s)
			}
		})
	}
	for k := range *n {
		seeds <- *seed + k
		fmt.Fprintf(os.Stderr, "\r\033[K%d of %d", k+1, *n)
	}
	close(seeds)
	wg.Wait()
	fmt.Fprint(os.Stderr, "\r\033[K")
	fmt.Printf("%d compilations right, %d wrong, %d refused; %d programs left out, which run too long or end badly with clang's code as well\n", c.done, c.faults, c.refused, c.slow)
	if c.faults > 0 {
		os.Exit(1)
	}
}

// one tries the program of a seed.
func (c *campaign) one(seed int) {
	dir := filepath.Join(c.keep, fmt.Sprint(seed))
	if c.keep == "" {
		d, err := os.MkdirTemp("", "csmith")
		if err != nil {
			c.fault(seed, "", err)
			return
		}
		dir = d
		defer os.RemoveAll(d)
	} else if err := os.MkdirAll(dir, 0o777); err != nil {
		c.fault(seed, "", err)
		return
	}
	at := func(name string) string { return filepath.Join(dir, name) }
	runIn := func(folder string, limit time.Duration, argv ...string) ([]byte, error) {
		ctx, cancel := context.WithTimeout(context.Background(), limit)
		defer cancel()
		cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
		cmd.Dir = folder
		cmd.WaitDelay = time.Second
		out, err := cmd.CombinedOutput()
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		return out, err
	}
	run := func(limit time.Duration, argv ...string) ([]byte, error) { return runIn("", limit, argv...) }
	clang := func(limit time.Duration, args ...string) ([]byte, error) {
		return run(limit, append(append([]string{"clang-22", "-w"}, strings.Fields(c.cflags)...), args...)...)
	}
	const long = 5 * time.Minute
	// csmith leaves platform.info in the folder it runs in and reads it there: one shared by two runs may be half written.
	if out, err := runIn(dir, long, "csmith", "--seed", fmt.Sprint(seed), "-o", "p.c"); err != nil {
		c.fault(seed, "csmith", fmt.Errorf("%w: %s", err, out))
		return
	}
	if out, err := clang(long, "-O1", "-I"+c.include, at("p.c"), "-o", at("native")); err != nil {
		c.fault(seed, "clang", fmt.Errorf("%w: %s", err, out))
		return
	}
	want, err := run(c.limit, at("native"))
	if err != nil {
		c.mu.Lock()
		c.slow++
		c.mu.Unlock()
		return
	}
	for _, level := range strings.Split(c.levels, ",") {
		// llc has no -Os of its own: size is an attribute of functions.
		front, back := []string{"-O" + level}, level
		switch level {
		case "0":
			front = append(front, "-Xclang", "-disable-O0-optnone")
		case "s", "z":
			back = "2"
		}
		front = append([]string{"-S", "-emit-llvm", "-I" + c.include, at("p.c"), "-o", at("p.ll")}, front...)
		if out, err := clang(long, front...); err != nil {
			c.fault(seed, level, fmt.Errorf("clang: %w: %s", err, out))
			return
		}
		argv := append(strings.Fields(c.llc), "-O"+back, "-filetype=obj", "-relocation-model=pic", at("p.ll"), "-o", at("p.o"))
		if out, err := run(long, append(argv, strings.Fields(c.flags)...)...); err != nil {
			if bytes.Contains(out, []byte("not supported")) {
				c.mu.Lock()
				c.refused++
				c.mu.Unlock()
				fmt.Printf("\r\033[Kseed %d at -O%s: %.200s\n", seed, level, out)
				continue
			}
			c.fault(seed, level, fmt.Errorf("llc: %w: %.1000s", err, out))
			continue
		}
		if out, err := clang(long, at("p.o"), "-o", at("ours")); err != nil {
			c.fault(seed, level, fmt.Errorf("link: %w: %.500s", err, out))
			continue
		}
		got, err := run(10*c.limit, at("ours"))
		if err == nil && !bytes.Equal(got, want) {
			err = errors.New("another output")
		}
		if err != nil {
			// clang's passes may have removed a loop without effects at one level and not at the other, or
			// have made a program that recurses without end: then clang's code for this module ends in the same way.
			if out, e := clang(long, "-O"+back, at("p.ll"), "-o", at("theirs")); e != nil {
				err = fmt.Errorf("%w (clang: %w: %s)", err, e, out)
			} else if out, e := run(10*c.limit, at("theirs")); e != nil && e.Error() == err.Error() && bytes.Equal(out, got) {
				c.mu.Lock()
				c.slow++
				c.mu.Unlock()
				continue
			}
			c.fault(seed, level, fmt.Errorf("%w: %.100s instead of %.100s", err, got, want))
			continue
		}
		c.mu.Lock()
		c.done++
		c.mu.Unlock()
	}
}

func (c *campaign) fault(seed int, level string, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.faults++
	fmt.Printf("\r\033[Kseed %d at -O%s: %v\n", seed, level, err)
}

// Command abifuzz writes random C functions and their callers, compiles each side
// with clang and with the code generator under test, crosses them over and compares
// what arrives: arguments and results of all C types, structs of 0 to 64 bytes and
// more, unions of none, bit fields, complex numbers, variable arguments.
//
//	go run ./tools/abifuzz -seed 1 -count 3000 -llc 'mirin llc'
//
// It needs clang. A callee says what it got by a hash of all numbers in its arguments,
// and then writes over these, which must not change its caller's; the caller looks at
// both and at the result. What the code generator refuses by name is counted and left out.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

func main() {
	var c config
	seed := flag.Uint64("seed", 1, "the first signature's seed")
	count := flag.Int("count", 100, "how many signatures")
	batch := flag.Int("batch", 50, "signatures of a program")
	flag.StringVar(&c.llc, "llc", "mirin llc", "the code generator under test")
	flag.StringVar(&c.clang, "clang", "clang-22", "clang, and what it is compared with")
	flag.StringVar(&c.cflags, "cflags", "", "more flags for clang")
	flag.BoolVar(&c.vectors, "vectors", false, "vectors too")
	flag.BoolVar(&c.conventions, "conventions", false, "calling conventions other than C's too")
	flag.StringVar(&c.dir, "dir", "", "where files stay; a temporary folder without")
	print := flag.Bool("print", false, "print the first program and stop")
	flag.Parse()
	if *print {
		p := newProgram(*seed, *batch, &c, nil)
		fmt.Printf("// common.h\n%s\n// callee.c\n%s\n// caller.c\n%s", p.common(), p.callees(), p.callers())
		return
	}
	if c.dir == "" {
		d, err := os.MkdirTemp("", "abifuzz")
		check(err)
		defer os.RemoveAll(d)
		c.dir = d
	}
	c.refused = map[string]int{}
	bad, done := 0, 0
	for k := 0; k < *count; k += *batch {
		n := min(*batch, *count-k)
		for _, opt := range []string{"0", "2"} {
			for _, what := range c.run(*seed+uint64(k), n, opt) {
				bad++
				fmt.Printf("seed %d, -O%s: %s\n", *seed+uint64(k), opt, what)
			}
		}
		done += n
	}
	var reasons []string
	for r := range c.refused {
		reasons = append(reasons, r)
	}
	slices.SortFunc(reasons, func(a, b string) int { return c.refused[b] - c.refused[a] })
	for _, r := range reasons {
		fmt.Printf("%6d refused: %s\n", c.refused[r], r)
	}
	fmt.Printf("%d signatures, %d differences\n", done, bad)
	if bad > 0 {
		os.Exit(1)
	}
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "abifuzz:", err)
		os.Exit(2)
	}
}

type config struct {
	llc, clang, cflags, dir string
	vectors, conventions    bool
	refused                 map[string]int
}

var refusal = regexp.MustCompile(`in function (?:f|call)(\d+): (.*) is not supported`)

// wrong finds the functions that a program complains about.
var wrong = regexp.MustCompile(`(?m)^f(\d+) `)

// run tries the signatures from seed on and returns what differs.
func (c *config) run(seed uint64, n int, opt string) (differences []string) {
	skip := map[int]bool{}
	for range 8 {
		p := newProgram(seed, n, c, skip)
		again, why := c.once(p, opt, skip)
		if !again {
			return why
		}
	}
	return []string{"too many refusals"}
}

// once builds and runs a program; again says that some functions were refused and are left out now.
func (c *config) once(p *program, opt string, skip map[int]bool) (again bool, differences []string) {
	write := func(name, text string) {
		check(os.WriteFile(filepath.Join(c.dir, name), []byte(text), 0o644))
	}
	write("common.h", p.common())
	write("callee.c", p.callees())
	write("caller.c", p.callers())
	for _, side := range []string{"callee", "caller"} {
		base := filepath.Join(c.dir, side)
		args := append(strings.Fields(c.cflags), "-O"+opt, "-w", "-fPIC")
		if msg, err := exec.Command(c.clang, append(args, "-c", base+".c", "-o", base+".clang.o")...).CombinedOutput(); err != nil {
			return false, []string{"clang: " + head(msg)}
		}
		args = append(args, "-Xclang", "-disable-O0-optnone", "-S", "-emit-llvm", base+".c", "-o", base+".ll")
		if msg, err := exec.Command(c.clang, args...).CombinedOutput(); err != nil {
			return false, []string{"clang: " + head(msg)}
		}
		words := strings.Fields(c.llc)
		args = append(words[1:], "-O"+opt, "-relocation-model=pic", "-filetype=obj", base+".ll", "-o", base+".test.o")
		msg, err := exec.Command(words[0], args...).CombinedOutput()
		if err == nil {
			continue
		}
		found := refusal.FindAllSubmatch(msg, -1)
		if found == nil {
			return false, []string{"llc: " + head(msg)}
		}
		for _, m := range found {
			k := 0
			fmt.Sscan(string(m[1]), &k)
			if !skip[k] {
				c.refused[string(m[2])]++
			}
			skip[k] = true
		}
		again = true
	}
	if again {
		return true, nil
	}
	for k, pair := range [][2]string{{"clang", "clang"}, {"clang", "test"}, {"test", "clang"}, {"test", "test"}} {
		exe := filepath.Join(c.dir, "exe")
		args := append(strings.Fields(c.cflags), filepath.Join(c.dir, "caller."+pair[0]+".o"), filepath.Join(c.dir, "callee."+pair[1]+".o"), "-o", exe, "-lm")
		if msg, err := exec.Command(c.clang, args...).CombinedOutput(); err != nil {
			return false, []string{"linking: " + head(msg)}
		}
		out, err := exec.Command(exe).CombinedOutput()
		if lines := wrong.FindAllSubmatch(out, -1); k == 0 && err == nil && lines != nil {
			// What clang does not agree with itself about says nothing.
			for _, m := range lines {
				n := 0
				fmt.Sscan(string(m[1]), &n)
				if !skip[n] {
					c.refused["(by clang's own code)"]++
				}
				skip[n] = true
			}
			return true, nil
		}
		if err != nil || len(out) > 0 {
			differences = append(differences, fmt.Sprintf("caller by %s, callee by %s: %s %v", pair[0], pair[1], head(out), err))
		}
	}
	return false, differences
}

func head(b []byte) string {
	lines := bytes.SplitN(bytes.TrimSpace(b), []byte("\n"), 6)
	return string(bytes.Join(lines[:min(5, len(lines))], []byte("; ")))
}

// Command asmverify compares the objects that Mirin's assembler makes of what compilers
// write with those of LLVM's.
//
//	go run ./tools/asmverify -index programs.jsonl [-only REGEX] [-every K] [-flags '-O2 -g']…
//	go run ./tools/asmverify [-mc 'mirin mc'] [-ref llvm-mc-22] [-mcflags '-triple=aarch64'] FILE.s…
//
// The index has a program with its sources and flags on each line, in JSON. Each source is
// compiled to assembly (-cc, -cxx) once for each -flags, in the index's folder; files that
// end in .s are taken as they are, other files are compiled, too. An assembly that the
// reference refuses is counted and left out. Objects are equal when all their bytes are; where
// they are not, the first difference is said in terms of sections, relocations and symbols.
// Each difference and each refusal is printed with its file; the reasons are counted at the
// end. The exit status is 1 when objects differ or are refused.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"sync"
	"time"
)

// list is a flag that may be given several times.
type list []string

func (l *list) String() string     { return strings.Join(*l, ", ") }
func (l *list) Set(s string) error { *l = append(*l, s); return nil }

var (
	ours    = flag.String("mc", "mirin mc", "the assembler that is judged")
	ref     = flag.String("ref", "llvm-mc-22", "LLVM's")
	mcFlags = flag.String("mcflags", "", "flags of both assemblers")
	cc      = flag.String("cc", "clang-22", "the compiler of C, IR and assembly with a preprocessor")
	cxx     = flag.String("cxx", "clang++-22", "the compiler of C++")
	index   = flag.String("index", "", "the list of programs")
	only    = flag.String("only", "", "take only the programs of the index whose names match")
	every   = flag.Int("every", 1, "take one in so many sources of the index")
	jobs    = flag.Int("j", 1, "sources at a time")
	keep    = flag.String("keep", "", "keep assembly and objects that are not equal in this folder")
	limit   = flag.Duration("limit", time.Minute, "how long a command may take")
	flags   list
)

// source is one file with how it is compiled.
type source struct {
	name, path, dir string
	args            []string
}

// outcome is what became of a source under one of -flags.
type outcome struct {
	kind   int
	reason string // where it is not equal
	detail string
}

const (
	equal = iota
	different
	refused
	leftOut // the compiler or the reference refuses it
)

func main() {
	log.SetFlags(0)
	flag.Var(&flags, "flags", "flags of the compiler; each file is compiled once for each (default -O2)")
	flag.Parse()
	if flags == nil {
		flags = list{"-O2"}
	}
	if *every < 1 || *jobs < 1 {
		log.Fatal("-every and -j must be 1 or more")
	}
	sources, err := programs()
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range flag.Args() {
		sources = append(sources, source{name: f, path: f})
	}
	type task struct{ source, flags int }
	var tasks []task
	for k, s := range sources {
		for f := range flags {
			tasks = append(tasks, task{k, f})
			if strings.HasSuffix(s.path, ".s") {
				break
			}
		}
	}
	// What comes first in the list is printed first.
	results := make([]chan outcome, len(tasks))
	for k := range results {
		results[k] = make(chan outcome, 1)
	}
	queue := make(chan int)
	var wg sync.WaitGroup
	for range *jobs {
		wg.Go(func() {
			for k := range queue {
				results[k] <- judge(sources[tasks[k].source], flags[tasks[k].flags])
			}
		})
	}
	go func() {
		for k := range tasks {
			queue <- k
		}
		close(queue)
	}()
	var counts [4]int
	reasons := map[string]int{}
	for k, t := range tasks {
		o := <-results[k]
		counts[o.kind]++
		if o.kind == different || o.kind == refused {
			word := [...]string{different: "different", refused: "refused"}[o.kind]
			reasons[word+": "+o.reason]++
			fmt.Printf("%s: %s (%s): %s\n", word, sources[t.source].name, flags[t.flags], o.detail)
		}
	}
	wg.Wait()
	var classes []string
	for r := range reasons {
		classes = append(classes, r)
	}
	sort.Slice(classes, func(a, b int) bool {
		if reasons[classes[a]] != reasons[classes[b]] {
			return reasons[classes[a]] > reasons[classes[b]]
		}
		return classes[a] < classes[b]
	})
	for _, r := range classes {
		fmt.Printf("%6d %s\n", reasons[r], r)
	}
	fmt.Printf("%d objects: %d equal, %d different, %d refused; %d more are no assembly of the reference\n",
		len(tasks)-counts[leftOut], counts[equal], counts[different], counts[refused], counts[leftOut])
	if counts[different]+counts[refused] > 0 {
		os.Exit(1)
	}
}

// programs reads the index.
func programs() ([]source, error) {
	if *index == "" {
		return nil, nil
	}
	pattern, err := regexp.Compile(*only)
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(*index)
	if err != nil {
		return nil, err
	}
	var out []source
	n := 0
	dir := filepath.Dir(*index)
	seen := map[string]bool{}
	for line := range bytes.Lines(text) {
		var p struct {
			Name, Lang                string
			Sources, Cflags, Cxxflags []string
		}
		if err := json.Unmarshal(line, &p); err != nil {
			return nil, fmt.Errorf("%s: %w", *index, err)
		}
		if !pattern.MatchString(p.Name) {
			continue
		}
		for _, path := range p.Sources {
			args := p.Cflags
			if isCxx(path) {
				args = append(append([]string(nil), args...), p.Cxxflags...)
			}
			key := path + "\x00" + strings.Join(args, "\x00")
			if seen[key] {
				continue // of another program, too
			}
			seen[key] = true
			if n++; (n-1)%*every == 0 {
				out = append(out, source{p.Name + ": " + filepath.Base(path), path, dir, args})
			}
		}
	}
	return out, nil
}

func isCxx(path string) bool {
	switch filepath.Ext(path) {
	case ".cpp", ".cc", ".cxx", ".C", ".c++":
		return true
	}
	return false
}

// judge compiles a source and assembles what comes of it twice.
func judge(s source, flags string) outcome {
	dir, err := os.MkdirTemp("", "asmverify")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	asm := filepath.Join(dir, "a.s")
	if strings.HasSuffix(s.path, ".s") {
		text, err := os.ReadFile(s.path)
		if err == nil {
			err = os.WriteFile(asm, text, 0o666)
		}
		if err != nil {
			log.Fatal(err)
		}
	} else {
		words := strings.Fields(*cc)
		if isCxx(s.path) {
			words = strings.Fields(*cxx)
		}
		mode := "-S"
		if strings.HasSuffix(s.path, ".S") {
			mode = "-E"
		}
		words = append(append(append(words, s.args...), strings.Fields(flags)...), "-w", mode, s.path, "-o", asm)
		if out, err := run(s.dir, words); err != nil {
			return outcome{leftOut, "", first(out, err)}
		}
	}
	assemble := func(tool, to string) ([]byte, []byte, error) {
		words := append(strings.Fields(tool), strings.Fields(*mcFlags)...)
		out, err := run(dir, append(words, "-filetype=obj", "a.s", "-o", to))
		if err != nil {
			return nil, out, err
		}
		object, err := os.ReadFile(filepath.Join(dir, to))
		return object, out, err
	}
	theirs, out, err := assemble(*ref, "ref.o")
	if err != nil {
		return outcome{leftOut, "", first(out, err)}
	}
	mine, out, err := assemble(*ours, "ours.o")
	var o outcome
	switch {
	case err != nil:
		o.kind = refused
		o.detail = first(out, err)
		o.reason = regexp.MustCompile(`^a\.s:\d+:\d+: `).ReplaceAllString(o.detail, "")
		o.reason = regexp.MustCompile(`\d+`).ReplaceAllString(o.reason, "N")
	case !bytes.Equal(mine, theirs):
		o.kind = different
		o.reason, o.detail = difference(theirs, mine)
	default:
		return outcome{kind: equal}
	}
	if *keep != "" {
		name := strings.Map(func(r rune) rune {
			if strings.ContainsRune("/ :=", r) {
				return '_'
			}
			return r
		}, s.name+flags)
		to := filepath.Join(*keep, name)
		for _, f := range []string{"a.s", "ref.o", "ours.o"} {
			if text, err := os.ReadFile(filepath.Join(dir, f)); err == nil {
				err = errors.Join(os.MkdirAll(to, 0o777), os.WriteFile(filepath.Join(to, f), text, 0o666))
				if err != nil {
					log.Fatal(err)
				}
			}
		}
	}
	return o
}

// run gives what a command prints, in a folder.
func run(dir string, words []string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), *limit)
	defer cancel()
	c := exec.CommandContext(ctx, words[0], words[1:]...)
	c.Dir = dir
	return c.CombinedOutput()
}

// first is the first error of what a command printed, with the statement.
func first(out []byte, err error) string {
	lines := strings.Split(string(out), "\n")
	for k, l := range lines {
		if strings.Contains(l, "error:") || strings.HasPrefix(l, "panic:") {
			if k+1 < len(lines) {
				l += " [" + strings.Join(strings.Fields(lines[k+1]), " ") + "]"
			}
			return l
		}
	}
	if lines[0] != "" {
		return lines[0]
	}
	return err.Error()
}

package main

import (
	"cmp"
	"flag"
	"fmt"
	"hash/fnv"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/mirin-go/mirin/internal/verdict"
)

func main() {
	lang := flag.String("lang", "ll", "ll, bc, mir, td or filecheck")
	n := flag.Int("n", 300, "mutants")
	per := flag.Int("per", 4, "mutants of one seed file")
	seed := flag.Uint64("seed", 1, "of the random numbers")
	folder := flag.String("seeds", "", "folder of valid files; default: LLVM's tests below $MIRIN_TESTS")
	tool := flag.String("tool", "", "our binary")
	jobs := flag.Int("jobs", 1, "at the same time")
	show := flag.Int("show", 0, "differences to show in full, of each class the first")
	keep := flag.String("keep", "", "folder for the inputs that differ")
	limit := flag.Int("size", 6000, "bytes of the largest seed")
	only := flag.String("only", "", "seeds whose path holds this regular expression")
	record := flag.Bool("record", false, "ask LLVM for the answers of files of cases")
	check := flag.Bool("check", false, "show the cases of files where we say something else than LLVM")
	flag.Parse()
	if *tool != "" {
		abs, err := filepath.Abs(*tool)
		fatal(err)
		*tool = abs
	}
	if *record || *check {
		for _, f := range flag.Args() {
			fatal(cases(f, *tool, *record))
		}
		return
	}
	if *tool == "" || langNamed(*lang) == nil {
		flag.Usage()
		os.Exit(2)
	}
	c := &campaign{l: langNamed(*lang), tool: *tool, folder: cmp.Or(*folder, os.Getenv("MIRIN_TESTS")), n: *n, per: *per, seed: *seed,
		limit: *limit, keep: *keep, show: *show, only: regexp.MustCompile(*only), classes: map[string]*class{}}
	fatal(c.run(max(1, *jobs)))
	c.report()
}

func fatal(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

// campaign is one run over mutants of one language.
type campaign struct {
	l                    *language
	tool, folder, keep   string
	n, per, limit, show  int
	seed                 uint64
	only                 *regexp.Regexp
	dict                 dictionary
	mu                   sync.Mutex
	classes              map[string]*class
	done, verdict, exact int // all, of the same verdict, of the same answer
	rejected, same       int // by LLVM; of these, with the same first message and place
	printed, samePrint   int // by both; the same text
	crashed              int // LLVM's own
}

// class is a kind of difference.
type class struct {
	count int
	first string // the first example
	llvm  string
	ours  string
}

// seedFiles lists the files that mutants are made of, in an order of chance
// that depends on their names alone.
func (c *campaign) seedFiles() ([]string, error) {
	if c.l.name == "filecheck" {
		return make([]string, c.n/c.per+1), nil
	}
	var files []string
	err := filepath.WalkDir(c.folder, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !slices.Contains(c.l.exts, filepath.Ext(p)) || !c.only.MatchString(p) {
			return err
		}
		if i, err := d.Info(); err == nil && i.Size() <= int64(c.limit) {
			files = append(files, p)
		}
		return nil
	})
	order := func(s string) uint64 {
		h := fnv.New64a()
		fmt.Fprint(h, c.seed, s)
		return h.Sum64()
	}
	slices.SortFunc(files, func(a, b string) int { return cmp.Compare(order(a), order(b)) })
	return files, err
}

func (c *campaign) run(jobs int) error {
	files, err := c.seedFiles()
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return fmt.Errorf("no seeds below %q", c.folder)
	}
	c.learn(files)
	var wg sync.WaitGroup
	next, mu := 0, sync.Mutex{}
	for range jobs {
		dir, err := os.MkdirTemp("", "mutants")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		wg.Go(func() {
			for {
				mu.Lock()
				k := next
				next++
				mu.Unlock()
				c.mu.Lock()
				enough := c.done >= c.n
				c.mu.Unlock()
				if enough || k >= 50*len(files) {
					return
				}
				c.file(dir, files[k%len(files)], uint64(k))
			}
		})
	}
	wg.Wait()
	return nil
}

// learn fills the dictionary from some hundred seeds.
func (c *campaign) learn(files []string) {
	c.dict = dictionary{}
	seen := map[string]bool{}
	if c.l.name == "bc" || c.l.name == "filecheck" {
		return
	}
	for _, f := range files[:min(len(files), 400)] {
		if b, err := os.ReadFile(f); err == nil {
			c.dict.learn(tokens(strip(string(b), c.l.comment)), seen)
		}
	}
}

// file makes mutants of one seed.
func (c *campaign) file(dir, path string, k uint64) {
	r := rand.New(rand.NewPCG(c.seed, k))
	var make func() string
	flags := ""
	switch c.l.name {
	case "filecheck":
		make = func() string { return checkFile(r) }
	case "bc":
		m := bitcodeMaker(r, dir, path)
		if m == nil {
			return
		}
		make = m
	default:
		b, err := os.ReadFile(path)
		if err != nil {
			return
		}
		src := string(b)
		if c.l.flags != nil {
			var ok bool
			if flags, ok = c.l.flags(src); !ok {
				return
			}
		}
		src = strip(src, c.l.comment)
		p, err := c.l.place(dir, src)
		if err != nil || c.l.askLLVM(p, flags, false).verdict != "" {
			return
		}
		ts := tokens(src)
		make = func() string { return mutate(r, ts, c.dict) }
	}
	for range c.per {
		c.one(dir, path, make(), flags)
	}
}

// one compares both sides on one input.
func (c *campaign) one(dir, path, src, flags string) {
	p, err := c.l.place(dir, src)
	fatal(err)
	theirs := c.l.askLLVM(p, flags, true)
	ours := c.l.askOurs(c.tool, p, flags)
	c.mu.Lock()
	defer c.mu.Unlock()
	if theirs.verdict == verdict.Crash || theirs.verdict == "timeout\n" {
		c.crashed++
		if ours.verdict != verdict.Crash && ours.verdict != "timeout\n" {
			return
		}
	}
	c.done++
	bad := rejected(theirs.verdict)
	okVerdict := bad == rejected(ours.verdict)
	same := firstLine(theirs.verdict) == firstLine(ours.verdict)
	if okVerdict {
		c.verdict++
	}
	if bad {
		c.rejected++
		if okVerdict && same {
			c.same++
		}
	}
	text := true
	if okVerdict && !bad && c.l.sameRun {
		c.printed++
		if text = normalText(theirs.out) == normalText(ours.out); text {
			c.samePrint++
		}
	}
	if theirs.verdict == ours.verdict && text {
		c.exact++
		return
	}
	key := ""
	switch {
	case !okVerdict:
		key = "VERDICT  " + kindOf(theirs.verdict) + "  |  " + kindOf(ours.verdict)
	case !same:
		key = "MESSAGE  " + kindOf(theirs.verdict) + "  |  " + kindOf(ours.verdict)
	case !text:
		key = "PRINTED"
		a, b := firstDifference(theirs.out, ours.out)
		key += "  " + generic(a) + "  |  " + generic(b)
	default:
		a, b := firstDifference(theirs.verdict, ours.verdict)
		key = "FURTHER  " + generic(a) + "  |  " + generic(b)
	}
	x := c.classes[key]
	if x == nil {
		x = &class{first: path, llvm: theirs.verdict, ours: ours.verdict}
		c.classes[key] = x
	}
	x.count++
	if c.keep != "" && x.count <= 3 {
		h := fnv.New32a()
		h.Write([]byte(key))
		base := filepath.Join(c.keep, fmt.Sprintf("%08x-%d-%s", h.Sum32(), x.count, c.l.file))
		fatal(os.MkdirAll(c.keep, 0o777))
		os.WriteFile(base, []byte(src), 0o666)
		os.WriteFile(base+".diff", []byte(key+"\nflags "+flags+"\nseed "+path+"\nLLVM\n"+theirs.verdict+"OURS\n"+ours.verdict), 0o666)
		if x.count == 1 {
			x.first = base
		}
	}
}

func rejected(verdict string) bool {
	for l := range strings.Lines(verdict) {
		if !strings.Contains(l, "warning: ") {
			return true
		}
	}
	return false
}

func firstLine(s string) string {
	for l := range strings.Lines(s) {
		if strings.TrimSpace(l) != "assembly parsed, but does not verify as correct!" {
			return l
		}
	}
	return ""
}

var (
	quoted = regexp.MustCompile(`'[^']*'|"[^"]*"`)
	place  = regexp.MustCompile(`^[0-9]+:[0-9]+: `)
	number = regexp.MustCompile(`[0-9]+`)
	name   = regexp.MustCompile(`[%@!#$][-\w.$]+`)
)

// generic is a line without what is of one input alone.
func generic(s string) string {
	s = quoted.ReplaceAllString(strings.TrimSpace(s), "'…'")
	return number.ReplaceAllString(name.ReplaceAllString(s, "N"), "0")
}

func kindOf(v string) string {
	l := strings.TrimSpace(firstLine(v))
	if l == "" {
		return "accepted"
	}
	return generic(place.ReplaceAllString(l, ""))
}

// normalText is a printed module without what tells the tools apart.
func normalText(s string) string {
	var b strings.Builder
	for l := range strings.Lines(s) {
		if strings.HasPrefix(l, "; ModuleID") || strings.HasPrefix(l, "source_filename") {
			continue
		}
		b.WriteString(strings.TrimRight(l, " \n") + "\n")
	}
	return b.String()
}

func firstDifference(a, b string) (string, string) {
	x, y := strings.Split(normalText(a), "\n"), strings.Split(normalText(b), "\n")
	for i := range max(len(x), len(y)) {
		p, q := "", ""
		if i < len(x) {
			p = x[i]
		}
		if i < len(y) {
			q = y[i]
		}
		if p != q {
			return p, q
		}
	}
	return "", ""
}

func (c *campaign) report() {
	share := func(a, b int) string {
		return fmt.Sprintf("%d of %d (%.2f %%)", a, b, 100*float64(a)/float64(max(1, b)))
	}
	fmt.Printf("%s, seed %d: same verdict %s, same first message and place %s, same text printed %s, all the same %s; LLVM crashed on %d\n", c.l.name, c.seed,
		share(c.verdict, c.done), share(c.same, c.rejected), share(c.samePrint, c.printed), share(c.exact, c.done), c.crashed)
	keys := slices.Sorted(maps.Keys(c.classes))
	slices.SortStableFunc(keys, func(a, b string) int { return cmp.Compare(c.classes[b].count, c.classes[a].count) })
	for i, k := range keys {
		x := c.classes[k]
		fmt.Printf("%4d  %s\n      %s\n", x.count, k, x.first)
		if i < c.show {
			fmt.Printf("      LLVM: %s      ours: %s", x.llvm, x.ours)
		}
	}
}

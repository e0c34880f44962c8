// Command bpfrun compiles eBPF modules with Mirin and with llc, runs the programs of both objects on
// the same random input and compares what they return and what they change.
//
//	go run . -root ../../../shared/bpf -seed 1 -count 20          (in tools/bpfrun, a Go module of its own)
//
// A program that the kernel loads from both objects, and that BPF_PROG_TEST_RUN can give an input to,
// runs in the kernel (root); others run in target/bpf/vm, where memory of the kernel has numbers
// that depend on its address and helpers that are missing give numbers that depend on their name.
// Compared are results, packets, contexts, maps and variables, output (printk, perf, ring buffers)
// and, in the vm, the order of calls. Where llc's object alone gives two results for one input (the
// clock, the running task), nothing is compared. Exit status: 0 all same, 1 differences, 2 wrong use.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sort"
	"strings"

	"github.com/mirin-go/mirin/bpf"
	"github.com/mirin-go/mirin/target/bpf/vm"
	"github.com/mirin-go/mirin/triple"
)

type options struct {
	seed   uint64
	count  int
	llc    string
	ref    string
	opt    string
	mcpu   string
	kernel bool
	dir    string
	verb   bool
}

// tally counts programs by what became of them.
type tally map[string]int

func main() {
	var o options
	root := flag.String("root", "../../../shared/bpf", "folder of programs.tar.xz, or of .ll files")
	filter := flag.String("filter", "", "regular expression of modules' paths")
	flag.Uint64Var(&o.seed, "seed", 1, "seed of the inputs")
	flag.IntVar(&o.count, "count", 20, "inputs of a program")
	flag.StringVar(&o.llc, "llc", "", "the code generator under test; Mirin in this process without")
	flag.StringVar(&o.ref, "ref", "llc-22", "the one to compare with")
	flag.StringVar(&o.opt, "opt", "2", "optimization level")
	flag.StringVar(&o.mcpu, "mcpu", "v3", "version of the instruction set")
	flag.BoolVar(&o.kernel, "kernel", true, "run in the kernel what it loads")
	flag.BoolVar(&o.verb, "v", false, "a line for each program")
	flag.Parse()
	re, err := regexp.Compile(*filter)
	if err != nil || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	if o.dir, err = os.MkdirTemp("", "bpfrun"); err != nil {
		fatal(err)
	}
	defer os.RemoveAll(o.dir)
	files, err := modules(*root, o.dir)
	if err != nil {
		fatal(err)
	}
	t := tally{}
	for _, f := range files {
		if re.MatchString(f) {
			o.module(f, t)
		}
	}
	keys := make([]string, 0, len(t))
	for k := range t {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	for _, k := range keys {
		fmt.Printf("%6d %s\n", t[k], k)
	}
	if t["programs: DIFFERENT in the kernel"]+t["programs: DIFFERENT in the vm"]+t["modules: refused by us alone"] > 0 {
		os.RemoveAll(o.dir)
		os.Exit(1)
	}
}

func fatal(err error) {
	fmt.Fprintln(os.Stderr, "bpfrun:", err)
	os.Exit(2)
}

// modules lists the .ll files of a folder, or of the archive in it.
func modules(root, dir string) (list []string, err error) {
	if _, err := os.Stat(filepath.Join(root, "programs.tar.xz")); err == nil {
		to := filepath.Join(dir, "programs")
		if err := os.Mkdir(to, 0o777); err != nil {
			return nil, err
		}
		if out, err := exec.Command("tar", "-xJf", filepath.Join(root, "programs.tar.xz"), "-C", to).CombinedOutput(); err != nil {
			return nil, fmt.Errorf("%w: %s", err, out)
		}
		root = to
	}
	err = filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(p, ".ll") {
			list = append(list, p)
		}
		return err
	})
	return list, err
}

// ours and theirs compile a module.
func (o *options) ours(file string) ([]byte, error) {
	if o.llc != "" {
		return o.command(o.llc, file, "ours.o")
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	m, err := bpf.ParseIR(file, text)
	if err != nil {
		return nil, err
	}
	level := map[string]bpf.Level{"0": bpf.O0, "1": bpf.O1, "2": bpf.O2, "3": bpf.O3}[o.opt]
	return bpf.Compile(m, &bpf.Options{CPU: o.mcpu, Opt: level, BigEndian: triple.Parse(m.Triple).Arch == triple.BPFEB})
}

func (o *options) command(cmd, file, name string) ([]byte, error) {
	to := filepath.Join(o.dir, name)
	words := append(strings.Fields(cmd), "-O"+o.opt, "-mcpu="+o.mcpu, "-filetype=obj", file, "-o", to)
	if out, err := exec.Command(words[0], words[1:]...).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, out)
	}
	return os.ReadFile(to)
}

// module compares the programs of one module.
func (o *options) module(file string, t tally) {
	name := filepath.Base(file)
	theirs, refErr := o.command(o.ref, file, "theirs.o")
	ours, err := o.ours(file)
	switch {
	case err != nil && refErr != nil:
		t["modules: refused by both"]++
		return
	case err != nil:
		fmt.Printf("%s: we refuse it: %v\n", name, err)
		t["modules: refused by us alone"]++
		return
	case refErr != nil:
		t["modules: refused by the reference alone"]++
		return
	}
	t["modules"]++
	programs, err := names(theirs)
	if err != nil {
		fmt.Printf("%s: %v\n", name, err)
		t["modules: not loaded by the vm"]++
		return
	}
	var k *kernelPair
	if o.kernel {
		k = newKernelPair(ours, theirs)
	}
	for n, p := range programs {
		seed := rand.New(rand.NewPCG(o.seed, uint64(n)))
		verdict, why := "", ""
		where := "kernel"
		if k != nil {
			verdict, why = k.compare(p.Name, o.count, seed)
		}
		if verdict == "" {
			where = "vm"
			verdict, why = compareVM(ours, theirs, p.Name, o.count, o.seed)
		}
		t["programs"]++
		t["programs: "+verdict+" in the "+where]++
		if o.verb || verdict == different || verdict == notRun {
			fmt.Printf("%s: %s (%s): %s in the %s %s\n", name, p.Name, p.Section, verdict, where, why)
		}
	}
}

// What becomes of a program.
const (
	same      = "same"
	different = "DIFFERENT"
	bothFault = "the same fault"
	random    = "not reproducible"
	notRun    = "not run"
)

// names lists the programs of an object.
func names(object []byte) ([]*vm.Program, error) {
	c, err := vm.Load(object, vmOptions(nil))
	if err != nil {
		return nil, err
	}
	return c.Programs(), nil
}

var errMissing = errors.New("no such program")

package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/facts"
	"github.com/mirin-go/mirin/desc/family"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/irverify"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/mir/mirtext"
	"github.com/mirin-go/mirin/target/all"
	"github.com/mirin-go/mirin/triple"
)

// input is what llc reads: a module, and machine functions where it is MIR.
type input struct {
	name string
	src  string
	mod  *ir.Module
	mir  *mirtext.File // nil for IR
	// warning is said, once, about debug info that was not valid and is gone.
	warning string
}

// readInput reads a file, "-" meaning standard input.
func readInput(name string, stdin io.Reader) ([]byte, string, error) {
	if name == "-" {
		b, err := io.ReadAll(stdin)
		return b, "<stdin>", err
	}
	b, err := os.ReadFile(inWorkDir(stdin, name))
	expectHeap(len(b))
	if err != nil {
		return nil, name, openError(name, err)
	}
	return b, name, nil
}

// readText is readInput for text: the readers of text take a string, which is
// not copied again.
func readText(name string, stdin io.Reader) (src, shown string, err error) {
	if name == "-" {
		b, shown, err := readInput(name, stdin)
		return string(b), shown, err
	}
	f, err := os.Open(inWorkDir(stdin, name))
	if err != nil {
		return "", name, openError(name, err)
	}
	defer f.Close()
	var b strings.Builder
	size := 0
	if fi, err := f.Stat(); err == nil && fi.Mode().IsRegular() {
		size = int(min(fi.Size(), 1<<30))
		b.Grow(size)
		expectHeap(size)
	}
	_, err = io.CopyBuffer(&b, struct{ io.Reader }{f}, make([]byte, min(size+1, 1<<15)))
	return b.String(), name, err
}

// openError words a failure to open a file as LLVM's tools do.
func openError(name string, err error) error {
	if errors.Is(err, os.ErrNotExist) {
		return &notThere{name}
	}
	return err
}

// Files of largeInput bytes and more make a heap of which expectHeap knows that
// most stays alive; files of someInput bytes make one that is worth waiting for.
const (
	largeInput = 1 << 20
	someInput  = 1 << 16
)

// firstCollection is the size of the heap, in bytes, below which the collector
// has nothing to do that would pay. The runtime has it at 4 MiB for GOGC=100. A
// text of a fourth of it makes a heap that is soon larger.
const firstCollection = 24 << 20

// From heapLimit bytes of heap on the collector runs more often again, but not before
// there are heapOfByte for each byte of text: as many a function of a million blocks
// keeps alive, and a collector that cannot get below its limit does nothing but run.
const (
	heapLimit  = 2 << 30
	heapOfByte = 64
)

// expectHeap makes the collector run less often when a large file was read:
// nearly all that is made from it stays alive (GOGC says otherwise when set).
func expectHeap(size int) {
	if size >= largeInput && os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
		if os.Getenv("GOMEMLIMIT") == "" {
			debug.SetMemoryLimit(max(heapLimit, int64(size)*heapOfByte))
		}
	}
}

// collectLess has the heap of a large input grow by percent of what is alive
// before the collector runs, which it does not below firstCollection. What is
// returned takes back what the first collection would set.
func collectLess(size, percent int) (afterFirst runtime.Cleanup) {
	if size < someInput || os.Getenv("GOGC") != "" {
		return
	}
	if size < largeInput {
		percent = 100
	}
	if size >= firstCollection/4 {
		debug.SetGCPercent(percent)
		return
	}
	debug.SetGCPercent(max(percent, firstCollection/(4<<20)*100))
	// Nobody holds this: the first collection tells that it is over.
	return runtime.AddCleanup(new([16]byte), func(percent int) { debug.SetGCPercent(percent) }, percent)
}

// Where functions are read one by one, little but the text and finished code
// stays alive: the collector has next to nothing to mark, and what passes leave
// behind, above all when their scratch grows for the longest function, is most
// of the heap. There is more of that in the passes above -O0.
const (
	deferredGrowth0 = 175
	deferredGrowth  = 75
)

// read reads llc's input: MIR when -x or the file's extension says so.
func (o *llcOptions) read(file string, stdin io.Reader) (*input, error) {
	src, name, err := readText(file, stdin)
	if err != nil {
		return nil, err
	}
	return o.parse(name, src, o.lang == "mir" || o.lang == "" && strings.HasSuffix(file, ".mir"))
}

// parse reads a module, or MIR.
func (o *llcOptions) parse(name, src string, isMIR bool) (*input, error) {
	in := &input{name: name, src: src}
	var err error
	if !isMIR {
		in.mod, err = readModule(name, src, o.jobs, layoutFor(o.normalTriple(), o.targetABI))
		if err == nil {
			err = o.verifyIR(in)
			mirtext.SetAttributes(in.mod, o.cpu, o.featureString())
		}
		return in, err
	}
	in.mir, err = mirtext.ParseString(name, src, mirtext.ParseOptions{Facts: o.facts, Triple: o.normalTriple(), Arch: o.march,
		CPU: o.cpu, Features: o.featureString(), ABI: o.targetABI, EmitCallSiteInfo: o.callSiteInfo, Jobs: o.jobs})
	if err == nil {
		in.mod = in.mir.Module
		if in.mir.HasIR {
			err = o.verifyIR(in)
		}
	}
	return in, err
}

// brokenModule is a module that does not keep the rules of LLVM IR.
type brokenModule struct{ name, report string }

// Error is LLVM's closing line; the report is printed before it.
func (e *brokenModule) Error() string {
	return "'" + e.name + "': input module cannot be verified"
}

func (o *llcOptions) verifyIR(in *input) error {
	if o.ignored.disableVerify {
		return nil
	}
	warning, report := irverify.Input(in.mod)
	in.warning = warning
	if report != "" {
		return &brokenModule{in.name, report}
	}
	return nil
}

// featureString is -mattr as LLVM hands it on: each feature with a sign.
func (o *llcOptions) featureString() string {
	var b strings.Builder
	for _, a := range strings.Split(strings.Join(o.attrs, ","), ",") {
		if a == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		if a[0] != '+' && a[0] != '-' {
			b.WriteByte('+')
		}
		b.WriteString(strings.ToLower(a))
	}
	return b.String()
}

// normalTriple is -mtriple in its normal form, "" when it is not given.
func (o *llcOptions) normalTriple() string {
	if o.triple == "" {
		return ""
	}
	return triple.Normalize(o.triple)
}

// facts finds the facts that a triple and -march ask for.
func (o *llcOptions) facts(of string) (*desc.Info, error) {
	if o.td != nil && o.td.file != "" {
		return o.td.facts()
	}
	if of == "" {
		of = all.DefaultTriple
	}
	row := family.ByTriple(of)
	if o.march != "" {
		row = family.ByMarch(o.march)
	}
	if row == nil {
		if o.march != "" {
			return nil, fmt.Errorf("invalid target '%s'.", o.march)
		}
		return nil, fmt.Errorf("unable to get target for '%s', see --version and --triple.", of)
	}
	return facts.Load(row.Name)
}

// byGlobal returns the machine function of a global, an empty one where the
// file has none.
func (in *input) byGlobal(id ir.GlobalID) *mir.Function {
	if f := in.mir.ByGlobal[id]; f != nil {
		return f
	}
	return in.mir.NewFunction(id)
}

// notThere is the error for a file that does not exist.
type notThere struct{ name string }

func (e *notThere) Error() string {
	return e.name + ": Could not open input file: No such file or directory"
}
func (e *notThere) Unwrap() error { return os.ErrNotExist }

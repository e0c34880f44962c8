package scaling

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"regexp"
	"runtime"
	"runtime/coverage"
	"strings"

	"github.com/mirin-go/mirin/codegen/driver"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/codegen/pipeline"
	"github.com/mirin-go/mirin/ir/irtext"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/all"
)

const (
	// Most is what twice the input may cost.
	Most = 2.3
	// Below these figures a ratio says nothing.
	someWork, someAllocs = 2000, 400
	// Counting takes a millisecond: passes over so many functions are counted as a whole.
	manyFunctions = 4
)

// counted are the packages whose work is counted; slices is Go's.
// The program itself must be among them, or nothing is.
var counted = []string{"slices", "./analysis", "./ir", "./ir/iranalysis", "./mir", "./mir/miranalysis", "./mc", "./mc/asmtext", "./objabi", "./target/...", "./codegen/...", "./tools/scaling"}

// BuildFlags have the go command build a program with counters.
func BuildFlags() []string {
	return []string{"-cover", "-covermode=atomic", "-coverpkg=" + strings.Join(counted, ",")}
}

// cost is the work of one part of a compilation.
type cost struct {
	work   uint64
	allocs uint64
}

// Suite compiles the shapes whose names match, at scale times their sizes and
// at twice that, and reports to w what costs more than it may, everything with
// verbose. The program that calls it must be built with counters (see Test).
func Suite(w io.Writer, names *regexp.Regexp, scale int, verbose bool) (faults int) {
	for _, opt := range []target.OptLevel{0, 2, 3} {
		for _, s := range shapes {
			if opt == 0 && !s.plain {
				continue
			}
			name := fmt.Sprintf("O%d/%s", opt, s.name)
			if !names.MatchString(name) {
				continue
			}
			size := s.n
			if opt > 2 && s.o3 > 0 {
				size = s.o3
			}
			n, err := check(w, name, s, size*scale, opt, verbose)
			if err != nil {
				fmt.Fprintf(w, "%s: %v\n", name, err)
				n++
			}
			faults += n
		}
	}
	return faults
}

// check compiles a shape at two sizes and compares the costs.
func check(w io.Writer, title string, s shape, n int, opt target.OptLevel, verbose bool) (faults int, err error) {
	names, small, err := measure(source(s, n, all.DefaultTriple), opt)
	if err != nil {
		return 0, err
	}
	_, large, err := measure(source(s, 2*n, all.DefaultTriple), opt)
	if err != nil {
		return 0, err
	}
	for k, name := range names {
		a, b := small[k], large[k]
		work, allocs := float64(b.work)/float64(max(a.work, 1)), float64(b.allocs)/float64(max(a.allocs, 1))
		bad := ""
		if work > Most && b.work > someWork || allocs > Most && b.allocs > someAllocs {
			bad = " TOO MUCH"
			faults++
		}
		if verbose || bad != "" {
			fmt.Fprintf(w, "%-18s %-26s work %10d → %10d (%.2f), allocations %7d → %7d (%.2f)%s\n", title, name, a.work, b.work, work, a.allocs, b.allocs, allocs, bad)
		}
	}
	return faults, nil
}

// measure compiles to an object and returns the cost of each pass and, last,
// of all that is not in a pass: printing, above all.
func measure(src string, opt target.OptLevel) (names []string, costs []cost, err error) {
	mod, err := irtext.Parse("t.ll", []byte(src), irtext.Options{})
	if err != nil {
		return nil, nil, err
	}
	byFlag := opt > 2 // passes that flags ask for run at -O3
	m, err := target.NewMachine(all.Find(mod.Triple, ""), target.Options{Triple: mod.Triple, Opt: opt, Tuning: target.Tuning{EarlyIfCvt: target.IfCvtTuning{On: byFlag}, Pipeliner: target.PipelinerTuning{On: byFlag}}})
	if err != nil {
		return nil, nil, err
	}
	mod.DataLayout = m.Target.DataLayout(m.Triple)
	if err := m.UseLayout(mod.DataLayout); err != nil {
		return nil, nil, err
	}
	passes := pipeline.Passes(pipeline.Options{Opt: opt, Target: m.Target, EarlyIfCvt: byFlag, Pipeliner: byFlag})
	costs = make([]cost, len(passes)+1)
	wrapped := make([]*pass.Pass, len(passes))
	ids := driver.Defined(mod)
	var last cost
	for k, p := range passes {
		names = append(names, p.Name)
		own := *p
		wrapped[k] = &own
		if len(ids) > manyFunctions {
			continue
		}
		own.Run = func(c *pass.Context, f *mir.Function) error {
			if k == 0 {
				last = now()
			}
			err := p.Run(c, f)
			next := now()
			costs[k].work += next.work - last.work
			costs[k].allocs += next.allocs - last.allocs
			last = next
			return err
		}
	}
	j := &driver.Job{Machine: m, Module: mod, Workers: 1, Runner: &pass.Runner{Passes: wrapped}}
	before := now()
	var errs []error
	if strings.Contains(src, " asm ") {
		_, _, errs = j.Assembly(driver.Shown{}) // there is no assembler for objects
	} else {
		_, _, errs = j.Object()
	}
	after := now()
	if len(errs) > 0 {
		return nil, nil, errors.Join(errs...)
	}
	rest := cost{after.work - before.work, after.allocs - before.allocs}
	for _, c := range costs {
		rest.work -= c.work
		rest.allocs -= c.allocs
	}
	costs[len(passes)] = rest
	return append(names, "printing and the rest"), costs, nil
}

// now adds up the counters of the instrumented packages. It panics in a program without.
func now() cost {
	var ms runtime.MemStats
	runtime.ReadMemStats(&ms)
	var b bytes.Buffer
	if err := coverage.WriteCounters(&b); err != nil {
		panic(err)
	}
	work, err := sumCounters(b.Bytes())
	if err != nil {
		panic(err)
	}
	var end runtime.MemStats
	runtime.ReadMemStats(&end)
	overhead += end.Mallocs - ms.Mallocs
	return cost{work, end.Mallocs - overhead}
}

// overhead counts the allocations of now.
var overhead uint64

// sumCounters adds up what runtime/coverage writes (Go's counter-data format,
// version 1: a header of 32 bytes; segments of a header of 16, a string table and
// arguments in so many bytes, then padding to 4, and for each function its number
// of counters, two numbers that name it, and the counters, all as ULEB128).
func sumCounters(b []byte) (uint64, error) {
	const headerSize, segmentSize, footerSize = 32, 16, 16
	if len(b) < headerSize+segmentSize+footerSize || !bytes.Equal(b[:4], []byte{0x00, 'c', 'w', 'm'}) {
		return 0, fmt.Errorf("unknown counter data %x", b[:min(len(b), 8)])
	}
	if flavor := b[24]; flavor != 2 {
		return 0, fmt.Errorf("counters are of flavor %d, not ULEB128", flavor)
	}
	at := headerSize
	fns := binary.LittleEndian.Uint64(b[at:])
	at += segmentSize + int(binary.LittleEndian.Uint32(b[at+8:])) + int(binary.LittleEndian.Uint32(b[at+12:]))
	at = (at + 3) &^ 3
	next := func() (v uint64) {
		v, n := binary.Uvarint(b[at:])
		at += max(n, 1)
		return v
	}
	sum := uint64(0)
	for range fns {
		n := next()
		next()
		next()
		for range n {
			sum += next()
		}
	}
	if at+footerSize != len(b) {
		return 0, fmt.Errorf("counter data of %d bytes ends at %d", len(b), at)
	}
	return sum, nil
}

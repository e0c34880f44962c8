// Command iseldiff compares what two code generators select: it runs both to a
// stage over modules, counts the instructions of every function, blocks in
// loops more (ten times a level), and lists the functions and the opcodes with
// the greatest excess of the first over the second.
//
//	go run ./tools/iseldiff [-ours CMD] [-theirs CMD] [-flat] [-n 20] FILE.ll…
//
// Copies, PHIs and what else becomes no instruction are not counted.
package main

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"log"
	"maps"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/analysis"
)

var (
	ours   = flag.String("ours", "mirin llc -O2", "the code generator that is judged")
	theirs = flag.String("theirs", "llc-22 -O2", "the one to compare with")
	stop   = flag.String("stop-after", "finalize-isel", "the stage to compare")
	flat   = flag.Bool("flat", false, "count every block once")
	most   = flag.Int("n", 30, "how many rows to list")
)

// fn is a function's instructions: weighted counts by opcode.
type fn struct {
	file, name string
	total      float64
	byOp       map[string]float64
}

func main() {
	flag.Parse()
	all := map[string]float64{}
	type row struct {
		a, b *fn
	}
	var rows []row
	var sumA, sumB float64
	for _, file := range flag.Args() {
		a, err := compile(*ours, file)
		if err != nil {
			log.Printf("%s: %v", file, err)
			continue
		}
		b, err := compile(*theirs, file)
		if err != nil {
			log.Printf("%s: %v", file, err)
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(a)) {
			x, y := a[name], b[name]
			if y == nil {
				continue
			}
			rows = append(rows, row{x, y})
			sumA, sumB = sumA+x.total, sumB+y.total
			for op, n := range x.byOp {
				all[op] += n
			}
			for op, n := range y.byOp {
				all[op] -= n
			}
		}
	}
	fmt.Printf("%.0f against %.0f: %.3f\n\n", sumA, sumB, sumA/sumB)
	slices.SortStableFunc(rows, func(x, y row) int {
		return cmp.Compare(y.a.total-y.b.total, x.a.total-x.b.total)
	})
	for _, r := range rows[:min(*most, len(rows))] {
		fmt.Printf("%8.0f %8.0f %6.2f  %s %s  %s\n", r.a.total, r.b.total, r.a.total/max(r.b.total, 1), r.a.file, r.a.name, difference(r.a.byOp, r.b.byOp))
	}
	fmt.Println()
	ops := slices.SortedFunc(maps.Keys(all), func(x, y string) int {
		return cmp.Or(cmp.Compare(all[y], all[x]), strings.Compare(x, y))
	})
	for k, op := range ops {
		if k < *most || k >= len(ops)-*most {
			fmt.Printf("%+9.0f %s\n", all[op], op)
		}
	}
}

// difference lists the opcodes that differ most.
func difference(a, b map[string]float64) string {
	d := maps.Clone(a)
	for op, n := range b {
		d[op] -= n
	}
	ops := slices.SortedFunc(maps.Keys(d), func(x, y string) int {
		return cmp.Or(cmp.Compare(max(d[y], -d[y]), max(d[x], -d[x])), strings.Compare(x, y))
	})
	var s []string
	for _, op := range ops[:min(len(ops), 8)] {
		if d[op] != 0 {
			s = append(s, fmt.Sprintf("%+.0f %s", d[op], op))
		}
	}
	return strings.Join(s, ", ")
}

// compile runs a code generator and counts.
func compile(command, file string) (map[string]*fn, error) {
	args := append(strings.Fields(command), "-stop-after="+*stop, file, "-o", "-")
	out, err := exec.Command(args[0], args[1:]...).Output()
	if err != nil {
		if e, ok := err.(*exec.ExitError); ok {
			return nil, fmt.Errorf("%s: %s", args[0], bytes.TrimSpace(e.Stderr))
		}
		return nil, err
	}
	fns := map[string]*fn{}
	for _, doc := range strings.Split(string(out), "\n---\n") {
		rest, ok := strings.CutPrefix(doc, "name:")
		if !ok {
			continue
		}
		name, body, _ := strings.Cut(rest, "\n")
		_, body, ok = strings.Cut(body, "\nbody:")
		if ok {
			name = strings.Trim(strings.TrimSpace(name), "'")
			fns[name] = count(file[strings.LastIndexByte(file, '/')+1:], name, body)
		}
	}
	return fns, nil
}

var (
	blockLine = regexp.MustCompile(`^  bb\.(\d+)`)
	succ      = regexp.MustCompile(`%bb\.(\d+)`)
	opcode    = regexp.MustCompile(`^\s+(?:[^=]* = )?(?:(?:[a-z-]+ )*)([A-Z][A-Za-z0-9_]*)`)
)

// free are instructions that become none.
var free = map[string]bool{"COPY": true, "PHI": true, "IMPLICIT_DEF": true, "SUBREG_TO_REG": true, "INSERT_SUBREG": true, "EXTRACT_SUBREG": true,
	"ADJCALLSTACKDOWN64": true, "ADJCALLSTACKUP64": true, "EH_LABEL": true, "DBG_VALUE": true, "MEMBARRIER": true, "REG_SEQUENCE": true, "LIFETIME_START": true, "LIFETIME_END": true,
	"JMP_1": true}

// plain gives one name to what later passes make the same: LLVM compares by
// subtracting, and has names of its own for disjoint OR and for some constants.
func plain(op string) string {
	if rest, ok := strings.CutPrefix(op, "SUB"); ok && rest != "" && rest[0] <= '9' {
		return "CMP" + rest
	}
	if rest, ok := strings.CutSuffix(op, "_DB"); ok {
		return "OR" + strings.TrimPrefix(rest, "ADD")
	}
	if op == "MOV32ri64" {
		return "MOV32ri"
	}
	return strings.TrimSuffix(op, "_Int")
}

// count reads the text of a body.
func count(file, name, body string) *fn {
	type block struct {
		ops   []string
		succs []int
	}
	blocks := map[int]*block{}
	var at *block
	n, first := 0, -1
	for line := range strings.Lines(body) {
		if m := blockLine.FindStringSubmatch(line); m != nil {
			k, _ := strconv.Atoi(m[1])
			if first < 0 {
				first = k
			}
			at = &block{}
			blocks[k], n = at, max(n, k+1)
			continue
		}
		if at == nil {
			continue
		}
		if strings.HasPrefix(line, "    successors:") {
			for _, m := range succ.FindAllStringSubmatch(line, -1) {
				k, _ := strconv.Atoi(m[1])
				at.succs = append(at.succs, k)
			}
			continue
		}
		if m := opcode.FindStringSubmatch(line); m != nil && !free[m[1]] {
			at.ops = append(at.ops, plain(m[1]))
		}
	}
	g := analysis.NewGraph(n, max(first, 0))
	for k := range n {
		if b := blocks[k]; b != nil {
			for _, s := range b.succs {
				g.AddEdge(k, s)
			}
		}
	}
	g.Finish()
	l := analysis.NewLoops(g, analysis.NewDominators(g))
	f := &fn{file: file, name: name, byOp: map[string]float64{}}
	for k, b := range blocks {
		w := 1.0
		for range l.Depth(k) {
			if !*flat {
				w *= 10
			}
		}
		for _, op := range b.ops {
			f.total += w
			f.byOp[op] += w
		}
	}
	return f
}

package pass

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Gate decides which optional passes run, so that the one that breaks a program
// can be found by halving: -opt-bisect-limit, -opt-bisect, -opt-disable and
// -opt-bisect-funcs. Each run of an optional pass has a number: they count from
// 1 through the pipeline and on from function to function in the module's
// order, whatever the number of workers and the order in which these take
// functions.
type Gate struct {
	// Bisect has runs numbered and shown, and only those in Runs let through.
	Bisect bool
	Runs   []Interval
	// Quiet leaves out the lines that say what runs.
	Quiet bool
	// Disable names passes that do not run, Funcs the functions for which
	// optional passes run; an empty list is all of them.
	Disable, Funcs []string
}

// Interval is a range of numbers, ends included.
type Interval struct{ First, Last int }

// optional counts the passes of the pipeline that have a number.
func (r *Runner) optional() int {
	n := 0
	for _, p := range r.Passes {
		if p.Optional != Required {
			n++
		}
	}
	return n
}

// run decides about one run of an optional pass.
func (g *Gate) run(number int, p *Pass, fn string, log *Log) bool {
	if g == nil {
		return true
	}
	return g.decide(number, p, len(g.Funcs) == 0 || slices.Contains(g.Funcs, fn), "function", fn, log)
}

// runModule decides about an optional pass over the module, which is no pass for chosen functions.
func (g *Gate) runModule(number int, p *Pass, m *Module) bool {
	return g == nil || g.decide(number, p, len(g.Funcs) == 0, "module", m.IR.Name, m.Log)
}

// decide says what becomes of a run that is wanted of what it runs over.
func (g *Gate) decide(number int, p *Pass, wanted bool, over, name string, log *Log) bool {
	ok := wanted && !slices.Contains(g.Disable, p.Name)
	if !g.Bisect {
		return ok
	}
	ok = ok && slices.ContainsFunc(g.Runs, func(i Interval) bool { return i.First <= number && number <= i.Last })
	if !g.Quiet {
		word := "NOT running"
		if ok {
			word = "running"
		}
		log.Text = fmt.Appendf(log.Text, "BISECT: %s pass (%d) %s on %s (%s)\n", word, number, p.Name, over, name)
	}
	return ok
}

// Limit is -opt-bisect-limit: the runs up to n, all of them for -1.
func Limit(n int) []Interval {
	if n < 0 {
		n = math.MaxInt
	}
	return []Interval{{1, n}}
}

// ParseIntervals reads -opt-bisect: "1-10,20-30,45", in growing order; 0 is no
// run, -1 every run.
func ParseIntervals(s string) ([]Interval, error) {
	if s == "0" || s == "-1" {
		n, _ := strconv.Atoi(s)
		return Limit(n), nil
	}
	var out []Interval
	last := 0
	for part := range strings.SplitSeq(s, ",") {
		a, b, isRange := strings.Cut(part, "-")
		i := Interval{}
		var err error
		if i.First, err = strconv.Atoi(a); err == nil {
			i.Last = i.First
			if isRange {
				i.Last, err = strconv.Atoi(b)
			}
		}
		if err != nil || i.First <= last || i.Last < i.First {
			return nil, fmt.Errorf("Invalid interval specification for -opt-bisect: %s (expected numbers and ranges in increasing order, as in 1-10,20-30,45)", s)
		}
		last = i.Last
		out = append(out, i)
	}
	return out, nil
}

package filecheck

import (
	"slices"
	"strings"

	"github.com/mirin-go/mirin/support/editdistance"
)

// Check verifies input against the directives of the check file. ok says that
// all of them hold; report is what FileCheck writes to standard error about
// the input. err is a fault of the options or of the check file, its text
// being FileCheck's complete message.
func Check(opts Options, checkFile string, checkSrc []byte, inputName string, input []byte) (report []byte, ok bool, err error) {
	f, err := readCheckFile(opts, checkFile, checkSrc)
	if err != nil {
		return nil, false, err
	}
	report, ok = f.check(inputName, input)
	return report, ok, nil
}

// checkFile is a check file read for one use: matching changes its variables.
type checkFile struct {
	ctx      *context
	src      *source
	implicit []*source
	dirs     []directive
}

func readCheckFile(opts Options, name string, text []byte) (*checkFile, error) {
	o, err := opts.withDefaults()
	if err != nil {
		return nil, err
	}
	f := &checkFile{ctx: newContext(o), src: &source{name: name, text: canonicalize(text, o.StrictWhitespace)}}
	if err := f.ctx.define(o.Defines); err != nil {
		return nil, err
	}
	implicit, srcs, err := implicitPatterns(f.ctx)
	if err != nil {
		return nil, err
	}
	f.implicit = srcs
	r := &checkReader{ctx: f.ctx, src: f.src, implicit: implicit}
	f.dirs, err = r.read()
	return f, err
}

func (f *checkFile) check(inputName string, input []byte) (report []byte, ok bool) {
	o := f.ctx.opts
	in := &source{name: inputName, text: canonicalize(input, o.StrictWhitespace)}
	c := &checker{ctx: f.ctx, in: in, text: []byte(in.text), gather: o.DumpInput != "never"}
	c.rep.color = o.Color
	ok = c.run(f.dirs)
	if o.DumpInput == "always" || o.DumpInput == "fail" && !ok {
		d := dumper{opts: o, checkSrc: f.src, implicit: f.implicit, in: in, results: c.results}
		d.dump(&c.rep.buf)
	}
	return c.rep.buf.Bytes(), ok
}

// checker matches directives against the input. Offsets are into the whole
// input; a region is a pair of them.
type checker struct {
	ctx     *context
	in      *source
	text    []byte
	rep     reporter
	gather  bool // results go to the dump; only errors are printed at once
	results []result
}

// run checks block by block: labels are found first, and what fails in one
// block does not disturb the next.
func (c *checker) run(dirs []directive) bool {
	ok := true
	done, next, pos := 0, 0, 0
	for {
		region, end := pos, len(c.text)
		for next < len(dirs) && dirs[next].pat.kind != checkLabel {
			next++
		}
		if next < len(dirs) {
			_, e, found := c.label(&dirs[next], pos)
			if !found {
				return false
			}
			end, pos = e, e
			next++
		}
		// Before the first block the command line's definitions still hold.
		if done > 0 && c.ctx.opts.EnableVarScope {
			c.ctx.clearLocals()
		}
		for ; done < next; done++ {
			e, found := c.directive(&dirs[done], region, end)
			if !found {
				ok = false
				done = next
				break
			}
			region = e
		}
		if next == len(dirs) {
			return ok
		}
	}
}

func (c *checker) span(start, end int) span { return span{c.in, start, end} }

// positive matches the pattern count times from start and returns the first
// match's start and the last one's end.
func (c *checker) positive(p *pattern, start, end int) (first, last int, ok bool) {
	last = start
	for n := 1; n <= p.count; n++ {
		m, ok := c.search(p, true, n, last, end)
		if !ok {
			return 0, 0, false
		}
		if n == 1 {
			first = last + m.pos
		}
		last += m.pos + m.len
	}
	return first, last, true
}

// label finds the end of the block before a label, without the directives
// around it: their variables have no values yet.
func (c *checker) label(d *directive, start int) (first, last int, ok bool) {
	return c.positive(d.pat, start, len(c.text))
}

// directive checks d with the -DAG and -NOT directives before it and returns
// the end of its match.
func (c *checker) directive(d *directive, start, end int) (int, bool) {
	start, nots, ok := c.dags(d.before, start, end)
	if !ok {
		return 0, false
	}
	first, last, ok := c.positive(d.pat, start, end)
	if !ok || !c.placement(d.pat, start, first, last) || !c.nots(nots, start, first) {
		return 0, false
	}
	return last, true
}

// placement checks that a -NEXT, -EMPTY or -SAME match is on the right line.
func (c *checker) placement(p *pattern, prev, first, last int) bool {
	skipped := string(c.text[prev:first])
	lines := strings.Count(skipped, "\n")
	var msg string
	switch p.kind {
	case checkNext, checkEmpty:
		switch {
		case lines == 0:
			msg = "is on the same line as previous match"
		case lines > 1:
			msg = "is not on the line after the previous match"
		}
	case checkSame:
		if lines > 0 {
			msg = "is not on the same line as the previous match"
		}
	}
	if msg == "" {
		return true
	}
	c.rep.print("error", p.loc, p.description()+": "+msg)
	c.rep.print("note", c.span(first, first), "'next' match was here")
	c.rep.print("note", c.span(prev, prev), "previous match ended here")
	if lines > 1 && p.kind != checkSame {
		after := prev + strings.IndexByte(skipped, '\n') + 1
		c.rep.print("note", c.span(after, after), "non-matching line after previous match is here")
	}
	c.revise(p, foundWrongLine, first, last)
	return false
}

// revise turns the records of p's last match, if the match was recorded, into
// what, or adds one.
func (c *checker) revise(p *pattern, what resultKind, first, last int) {
	if !c.gather {
		return
	}
	if !c.ctx.opts.Verbose {
		c.record(p, what, first, last, "")
		return
	}
	for k := len(c.results) - 1; k >= 0 && c.results[k].check == p.loc && c.results[k].kind == p.kind; k-- {
		if c.results[k].what == foundExpected {
			c.results[k].what = what
		}
	}
}

func (c *checker) record(p *pattern, what resultKind, start, end int, note string) {
	if c.gather {
		c.results = append(c.results, result{p.kind, p.count, p.loc, what, c.span(start, end), note})
	}
}

// nots checks that no pattern occurs in [start, end). All that do are reported.
func (c *checker) nots(pats []*pattern, start, end int) bool {
	ok := true
	for _, p := range pats {
		if _, good := c.search(p, false, 1, start, end); !good {
			ok = false
		}
	}
	return ok
}

// overlaps keeps the matches of one group of -DAG directives in order.
type overlaps [][2]int

// dags checks the -DAG directives before a positive one, and the -NOT ones
// between them. It returns where the search goes on and the -NOT directives
// that are still to be checked up to there.
func (c *checker) dags(pats []*pattern, start, end int) (int, []*pattern, bool) {
	var nots []*pattern
	var seen overlaps
	for k, p := range pats {
		if p.kind == checkNot {
			nots = append(nots, p)
			continue
		}
		var ok bool
		if seen, ok = c.dag(p, seen, start, end); !ok {
			return 0, nil, false
		}
		if k+1 < len(pats) && pats[k+1].kind != checkNot {
			continue
		}
		// The group ends here.
		if !c.nots(nots, start, seen[0][0]) {
			return 0, nil, false
		}
		nots = nil
		start = seen[len(seen)-1][1]
		seen = nil
	}
	return start, nots, true
}

// dag finds a match that no earlier one of the group overlaps.
func (c *checker) dag(p *pattern, seen overlaps, start, end int) (overlaps, bool) {
	pos, k := start, 0
	for {
		m, errs := p.find(c.ctx, c.text[pos:end])
		if m == nil {
			c.absent(p, true, 1, pos, end, errs)
			return nil, false
		}
		// Without -vv only the match that is kept is reported.
		report := func() { c.found(p, true, 1, m, pos) }
		if c.ctx.opts.VeryVerbose {
			report()
			report = func() {}
		}
		lo := pos + m.pos
		hi := lo + m.len
		if c.ctx.opts.AllowDAGOverlap {
			report()
			if len(seen) == 0 {
				return overlaps{{lo, hi}}, true
			}
			seen[0] = [2]int{min(lo, seen[0][0]), max(hi, seen[0][1])}
			return seen, true
		}
		for k < len(seen) && lo >= seen[k][1] {
			k++
		}
		if k == len(seen) || seen[k][0] >= hi {
			report()
			return slices.Insert(seen, k, [2]int{lo, hi}), true
		}
		if c.ctx.opts.VeryVerbose {
			if c.gather {
				c.revise(p, foundDiscarded, lo, hi)
			} else {
				c.rep.print("note", c.span(seen[k][0], seen[k][1]), "match discarded, overlaps earlier DAG match here")
			}
		}
		pos = seen[k][1]
	}
}

// search finds p in [start, end) and reports. ok is false for an expected
// pattern that is absent, an excluded one that is present, and errors.
func (c *checker) search(p *pattern, expected bool, n, start, end int) (*match, bool) {
	m, errs := p.find(c.ctx, c.text[start:end])
	if m != nil {
		return m, c.found(p, expected, n, m, start)
	}
	return nil, c.absent(p, expected, n, start, end, errs)
}

func (c *checker) message(p *pattern, n int, expected bool, what string) string {
	s := p.description() + ": excluded string " + what
	if expected {
		s = p.description() + ": expected string " + what
	}
	if p.count > 1 {
		s += " (" + itoa(n) + " out of " + itoa(p.count) + ")"
	}
	return s
}

func (c *checker) found(p *pattern, expected bool, n int, m *match, base int) bool {
	o := c.ctx.opts
	printIt := true
	if expected {
		if !o.Verbose || p.kind == checkEOF && !o.VeryVerbose {
			return true
		}
		printIt = !c.gather
	}
	start, end := base+m.pos, base+m.pos+m.len
	what := foundExpected
	if !expected {
		what = foundExcluded
	}
	c.record(p, what, start, end, "")
	notes := c.substNotes(p)
	for _, s := range notes {
		c.record(p, what, start, start, s)
	}
	for _, v := range m.caps {
		c.record(p, what, base+v.start, base+v.end, "captured var \""+v.name+"\"")
	}
	if !printIt {
		return expected
	}
	severity := "remark"
	if !expected {
		severity = "error"
	}
	c.rep.print(severity, p.loc, c.message(p, n, expected, "found in input"))
	c.rep.print("note", c.span(start, end), "found here")
	for _, s := range notes {
		c.rep.print("note", c.span(start, start), s)
	}
	for _, v := range m.caps {
		c.rep.print("note", c.span(base+v.start, base+v.end), "captured var \""+v.name+"\"")
	}
	return expected
}

func (c *checker) absent(p *pattern, expected bool, n, start, end int, errs []error) bool {
	what := noneExcluded
	if expected {
		what = noneExpected
	}
	var faults []string
	for _, e := range errs {
		if se, ok := e.(*srcError); ok {
			c.rep.print("error", se.at, se.msg)
			faults = append(faults, se.msg)
		}
		what = noneInvalid
	}
	printIt := true
	if what == noneExcluded {
		if !c.ctx.opts.VeryVerbose {
			return true
		}
		printIt = !c.gather
	}
	c.record(p, what, start, end, "")
	for _, s := range faults {
		c.record(p, what, start, start, s)
	}
	notes := c.substNotes(p)
	for _, s := range notes {
		c.record(p, what, start, start, s)
	}
	if !printIt {
		return true
	}
	if len(errs) == 0 {
		severity := "remark"
		if expected {
			severity = "error"
		}
		c.rep.print(severity, p.loc, c.message(p, n, expected, "not found in input"))
		c.rep.print("note", c.span(start, start), "scanning from here")
	}
	for _, s := range notes {
		c.rep.print("note", c.span(start, start), s)
	}
	if expected {
		c.fuzzy(p, start, end)
	}
	return !expected && len(errs) == 0
}

// substNotes says what the substitutions of p stand for.
func (c *checker) substNotes(p *pattern) []string {
	var notes []string
	for k := range p.substs {
		s := &p.substs[k]
		if v, errs := c.ctx.value(s); len(errs) == 0 {
			notes = append(notes, `with "`+escape(s.name)+`" equal to `+quoteValue(v))
		}
	}
	return notes
}

// escape writes what cannot be printed as \t, \n, \", \\ or three octal digits.
func escape(s string) string {
	b := make([]byte, 0, len(s))
	for k := range len(s) {
		switch ch := s[k]; {
		case ch == '\\' || ch == '"':
			b = append(b, '\\', ch)
		case ch == '\t':
			b = append(b, '\\', 't')
		case ch == '\n':
			b = append(b, '\\', 'n')
		case !printable(ch):
			b = append(b, '\\', '0'+ch>>6, '0'+ch>>3&7, '0'+ch&7)
		default:
			b = append(b, ch)
		}
	}
	return string(b)
}

func printable(ch byte) bool { return ch >= ' ' && ch < 0x7f }

// quoteValue quotes a variable's value, as it is where it can be printed.
func quoteValue(s string) string {
	for k := range len(s) {
		if !printable(s[k]) {
			return "\"" + escape(s) + "\" (escaped value)"
		}
	}
	return "\"" + s + "\""
}

// fuzzy points at the place near the start of the search that looks most like
// the pattern, by edit distance and lines to go.
func (c *checker) fuzzy(p *pattern, start, end int) {
	const window = 4096
	like := p.fixed
	if like == "" {
		like = p.regex
	}
	best, quality, lines := -1, 0.0, 0
	for k := start; k < min(end, start+window); k++ {
		ch := c.text[k]
		if ch == '\n' {
			lines++
		}
		if ch == ' ' || ch == '\t' {
			continue
		}
		to := min(k+len(like), end)
		q := float64(editdistance.Of(firstLine(c.text[k:to]), like)) + float64(lines)/100
		if best < 0 || q < quality {
			best, quality = k, q
		}
	}
	if best > start && quality < 50 {
		c.record(p, foundFuzzy, best, best, "")
		c.rep.print("note", c.span(best, best), "possible intended match here")
	}
}

func firstLine(b []byte) string {
	s := string(b)
	if k := strings.IndexByte(s, '\n'); k >= 0 {
		s = s[:k]
	}
	return s
}

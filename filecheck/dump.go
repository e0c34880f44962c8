package filecheck

import (
	"bytes"
	"sort"
	"strings"
)

// dumper draws the input with the results of the checks under its lines.
type dumper struct {
	opts     *Options
	checkSrc *source
	implicit []*source
	in       *source
	results  []result
}

// annotation is the part of one result that lies on one line.
type annotation struct {
	label      string
	line       int
	start, end int // columns from 1, end excluded; wholeLine: to the line's end
	lead       byte
	note       string
	first      bool // the first line of the result
	err        bool
	what       resultKind
}

const wholeLine = 1 << 30

var kindAbbreviations = [...]string{checkPlain: "check", checkNext: "next", checkSame: "same", checkNot: "not", checkDAG: "dag", checkLabel: "label", checkEmpty: "empty", checkEOF: "eof", checkComment: "com"}

// markers gives for each result its sign, its note and whether it is an error.
var markers = [...]struct {
	lead  byte
	note  string
	err   bool
	color string
}{
	foundExpected:  {'^', "", false, "\x1b[0;1;32m"},
	foundExcluded:  {'!', "error: no match expected", true, "\x1b[0;1;31m"},
	foundWrongLine: {'!', "error: match on wrong line", true, "\x1b[0;1;31m"},
	foundDiscarded: {'!', "discard: overlaps earlier match", false, "\x1b[0;1;36m"},
	noneExcluded:   {'X', "", false, "\x1b[0;1;32m"},
	noneExpected:   {'X', "error: no match found", true, "\x1b[0;1;31m"},
	noneInvalid:    {'X', "error: match failed for invalid pattern", true, "\x1b[0;1;31m"},
	foundFuzzy:     {'?', "possible intended match", true, "\x1b[0;1;35m"},
}

// label names the directive of a result: kind, and line of the check file or
// number of the implicit pattern.
func (d *dumper) label(r *result) string {
	s := kindAbbreviations[r.kind]
	if r.kind == checkPlain && r.count > 1 {
		s = "count"
	}
	s += ":"
	if r.check.src == d.checkSrc {
		line, _ := d.checkSrc.lineCol(r.check.start)
		return s + itoa(line)
	}
	for k, src := range d.implicit {
		if src == r.check.src {
			return s + "imp" + itoa(k+1)
		}
	}
	return s
}

func (d *dumper) annotations() (list []annotation, labelWidth int) {
	total, seen := map[span]int{}, map[span]int{}
	for k := range d.results {
		total[d.results[k].check]++
	}
	for k := range d.results {
		r := &d.results[k]
		m := markers[r.what]
		a := annotation{label: d.label(r), lead: m.lead, note: m.note, first: true, err: m.err, what: r.what}
		if total[r.check] > 1 {
			a.label += "'" + itoa(seen[r.check])
			seen[r.check]++
		}
		labelWidth = max(labelWidth, len(a.label))
		line, col := d.in.lineCol(r.input.start)
		endLine, endCol := d.in.lineCol(r.input.end)
		if r.note != "" {
			a.note = r.note
			// The place is only where the search began: a mark would mislead.
			if line == endLine && col == endCol {
				a.lead = ' '
			}
		}
		a.line, a.start = line, col
		if line == endLine {
			a.end = max(col+1, endCol)
			list = append(list, a)
			continue
		}
		a.end = wholeLine
		list = append(list, a)
		a.first, a.lead, a.note, a.start = false, '~', "", 1
		for l := line + 1; l <= endLine && (l < endLine || endCol > 1); l++ {
			a.line = l
			if l == endLine {
				a.end = endCol
			}
			list = append(list, a)
		}
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].line < list[j].line })
	return list, labelWidth
}

func (d *dumper) selected(a *annotation) bool {
	switch d.opts.DumpInputFilter {
	case "annotation-full":
		return true
	case "annotation":
		return a.first
	case "error":
		return a.first && a.err
	}
	return false
}

func (d *dumper) dump(out *bytes.Buffer) {
	out.WriteString("\nInput file: " + d.in.name + "\nCheck file: " + d.checkSrc.name +
		"\n\n-dump-input=help explains the following input dump.\n\nInput was:\n<<<<<<\n")
	list, width := d.annotations()
	lines := strings.Split(d.in.text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	width = max(width, len(itoa(len(lines)))) + 3
	count := len(lines)
	if len(list) > 0 {
		count = max(count, list[len(list)-1].line)
	}
	shown := d.shownLines(list, count)
	var elided bytes.Buffer
	if d.opts.Color {
		out.WriteString(colorBold + colorReset)
	}
	for n, k := 1, 0; n <= count; n++ {
		b := &elided
		if shown[n] {
			d.ellipsis(out, &elided, width)
			b = out
		}
		text, newline := "", ""
		if n <= len(lines) {
			text = lines[n-1]
			if n < len(lines) || strings.HasSuffix(d.in.text, "\n") {
				newline = " "
			}
		}
		from := k
		for k < len(list) && list[k].line == n {
			k++
		}
		d.inputLine(b, n, text+newline, width, list[from:k])
		for j := from; j < k; j++ {
			d.annotation(b, &list[j], len(text)+1, width)
		}
	}
	d.ellipsis(out, &elided, width)
	out.WriteString(">>>>>>\n")
}

// shownLines marks the lines that the filter selects and those around them.
func (d *dumper) shownLines(list []annotation, count int) []bool {
	shown := make([]bool, count+1)
	all := d.opts.DumpInputFilter == "all"
	for k := range shown {
		shown[k] = all
	}
	context := d.opts.DumpInputContext
	switch {
	case context == 0:
		context = 5
	case context < 0:
		context = 0
	}
	for k := range list {
		if d.selected(&list[k]) {
			for n := max(1, list[k].line-context); n <= min(count, list[k].line+context); n++ {
				shown[n] = true
			}
		}
	}
	return shown
}

// ellipsis writes the lines left out, or three dots where that is shorter.
func (d *dumper) ellipsis(out, elided *bytes.Buffer, width int) {
	const dots = 3
	if bytes.Count(elided.Bytes(), []byte{'\n'}) > dots {
		for range dots {
			out.WriteString(strings.Repeat(" ", width-1) + ".\n")
		}
	} else {
		out.Write(elided.Bytes())
	}
	elided.Reset()
}

// inputLine writes a line, whose newline is shown as a blank.
func (d *dumper) inputLine(b *bytes.Buffer, n int, line string, width int, list []annotation) {
	label := itoa(n)
	label = strings.Repeat(" ", width-len(label)) + label + ": "
	if !d.opts.Color {
		b.WriteString(label + line + "\n")
		return
	}
	b.WriteString("\x1b[0;1;30m" + label + colorReset + colorBold)
	unmatched := true
	b.WriteString("\x1b[0;1;46m")
	for k := range len(line) {
		was := unmatched
		unmatched = true
		for j := range list {
			if list[j].what == foundExpected && list[j].start <= k+1 && k+1 < list[j].end && list[j].note == "" {
				unmatched = false
			}
		}
		if was != unmatched {
			if unmatched {
				b.WriteString("\x1b[0;1;46m")
			} else {
				b.WriteString(colorReset)
			}
		}
		b.WriteByte(line[k])
	}
	b.WriteString(colorReset + "\n")
}

// annotation writes one row; lineWidth counts the newline.
func (d *dumper) annotation(b *bytes.Buffer, a *annotation, lineWidth, width int) {
	if d.opts.Color {
		b.WriteString(markers[a.what].color)
	}
	b.WriteString(a.label + strings.Repeat(" ", width+2-len(a.label)+a.start-1))
	b.WriteByte(a.lead)
	col := a.start + 1
	if a.lead != ' ' {
		for ; col < a.end && col <= lineWidth; col++ {
			b.WriteByte('~')
		}
	}
	if a.note != "" {
		// At the end of the line, not to seem marked by later rows.
		for ; col <= lineWidth; col++ {
			b.WriteByte(' ')
		}
		b.WriteString(" " + a.note)
	}
	b.WriteByte('\n')
	if d.opts.Color {
		b.WriteString(colorReset)
	}
}

package mirfmt

import (
	"fmt"
	"strings"

	"github.com/mirin-go/mirin/internal/textdiff"
	"github.com/mirin-go/mirin/support/lazyregexp"
)

// document is a YAML document of a file with the comments around it.
type document struct {
	lead  []string // comments and blank lines before it
	lines []string // from "---" to the line before the next one or "..."
	ir    bool
	name  string // of the function
}

// comment is a comment and the line that it belongs to.
type comment struct {
	text     string // as it stands, indentation included
	anchor   int    // the significant line that it stands before or behind; -1: at the end
	trailing bool
}

var nameKey = lazyregexp.Regexp{Expr: `^name:\s*(?:'([^']*)'|"([^"]*)"|(\S+))`}

// split cuts a file into documents; tail is what stands behind the last one.
func split(src string) (docs []document, tail []string) {
	var lead []string
	var d *document
	var lines []string
	if src = strings.TrimSuffix(src, "\n"); src != "" {
		lines = strings.Split(src, "\n")
	}
	for _, l := range lines {
		l = strings.TrimRight(l, "\r")
		if strings.HasPrefix(l, "---") && (len(l) == 3 || l[3] == ' ' || l[3] == '\t') {
			head, note := cutComment(l, '#')
			if note != "" {
				lead = append(lead, note)
			}
			docs = append(docs, document{lead: lead, ir: strings.Contains(head, "|"), lines: []string{head}})
			d, lead = &docs[len(docs)-1], nil
			continue
		}
		if d != nil && d.ir && l != "" && strings.IndexByte(" \t#.", l[0]) < 0 { // so a block scalar may end
			d = nil
		}
		if t := strings.TrimSpace(l); d == nil && t != "" && t[0] != '#' && t[0] != '%' && t != "..." { // no "---" is needed here
			docs = append(docs, document{lead: lead, lines: []string{"---"}})
			d, lead = &docs[len(docs)-1], nil
		}
		switch {
		case d == nil && l != "...":
			lead = append(lead, l)
		case l == "..." || strings.HasPrefix(l, "... "):
			d = nil
		default:
			if m := nameKey.Get().FindStringSubmatch(l); m != nil && d.name == "" && !d.ir {
				d.name = m[1] + m[2] + m[3]
			}
			d.lines = append(d.lines, l)
		}
	}
	// Comments at the left margin at the end of a document belong to what follows.
	if d != nil {
		n := len(d.lines)
		for n > 1 && (strings.TrimSpace(d.lines[n-1]) == "" || strings.HasPrefix(d.lines[n-1], "#")) {
			n--
		}
		lead = append(d.lines[n:len(d.lines):len(d.lines)], lead...)
		d.lines = d.lines[:n]
	}
	return docs, lead
}

// cutComment splits a line before the comment that sign starts outside of
// quotes; a YAML comment needs a space before it.
func cutComment(l string, sign byte) (text, note string) {
	quote := byte(0)
	for k := 0; k < len(l); k++ {
		switch c := l[k]; {
		case quote != 0:
			if c == '\\' && quote == '"' {
				k++
			} else if c == quote {
				quote = 0
			}
		case c == '"', c == '\'':
			quote = c
		case c == sign && (sign == ';' || k == 0 || l[k-1] == ' ' || l[k-1] == '\t'):
			return strings.TrimRight(l[:k], " \t"), l[k:]
		}
	}
	return l, ""
}

// line is a significant line with the key of what it says.
type line struct {
	text string
	key  string
	at   int  // its index among the lines of the document
	body bool // of a block scalar, where ";" starts a comment
}

// derived recognizes comments that the printer writes itself from what the
// code says; they are printed anew.
var derived = lazyregexp.Regexp{Expr: `^;\s*(predecessors:|preds = |ModuleID = |Function Attrs: |<label>:\d|No predecessors!|Materializable$)`}

// scan separates the significant lines of a document from its comments.
func scan(d *document) (lines []line, comments []comment) {
	inBody := d.ir
	var pending []int
	for k, l := range d.lines {
		if k == 0 {
			continue
		}
		if !d.ir && l != "" && l[0] != ' ' && l[0] != '\t' && l[0] != '#' {
			inBody = strings.HasPrefix(l, "body:")
		}
		isText := inBody && (d.ir || strings.HasPrefix(l, " ") || strings.HasPrefix(l, "\t"))
		sign := byte('#')
		if isText {
			sign = ';'
		}
		text, note := cutComment(l, sign)
		switch {
		case strings.TrimSpace(text) == "" && note == "":
		case strings.TrimSpace(text) == "":
			if !isText || !derived.Get().MatchString(note) {
				pending = append(pending, len(comments))
				comments = append(comments, comment{text: text + note, anchor: -1})
				if text == "" {
					comments[len(comments)-1].text = l // the indentation too
				}
			}
		default:
			for _, p := range pending {
				comments[p].anchor = len(lines)
			}
			pending = pending[:0]
			if note != "" && (!isText || !derived.Get().MatchString(note)) {
				comments = append(comments, comment{text: note, anchor: len(lines), trailing: true})
			}
			lines = append(lines, line{text: text, at: k, body: isText})
		}
	}
	setKeys(lines, d.ir)
	return lines, comments
}

var blockHeader = lazyregexp.Regexp{Expr: `^\s*bb\.\d+`}

// setKeys names what each line says by its place: top-level keys by their
// name, items below by their number, instructions by block and number.
func setKeys(lines []line, isIR bool) {
	top, item, block, instr := "", 0, -1, 0
	for k := range lines {
		l := &lines[k]
		t := strings.TrimSpace(l.text)
		switch {
		case isIR:
			l.key = irKey(t)
		case l.body && blockHeader.Get().MatchString(l.text):
			block++
			instr = 0
			l.key = fmt.Sprintf("bb/%d", block)
		case l.body && (strings.HasPrefix(t, "successors:") || strings.HasPrefix(t, "liveins:")):
			word, _, _ := strings.Cut(t, ":")
			l.key = fmt.Sprintf("bb/%d/%s", block, word)
		case l.body:
			l.key = fmt.Sprintf("bb/%d/%d", block, instr)
			instr++
		case l.text[0] != ' ' && l.text[0] != '\t' && l.text[0] != '-':
			top, _, _ = strings.Cut(t, ":")
			item = 0
			l.key = top
		case strings.HasPrefix(t, "-"):
			l.key = fmt.Sprintf("%s/%d", top, item)
			item++
		default:
			word, _, _ := strings.Cut(t, ":")
			l.key = fmt.Sprintf("%s/%d/%s", top, max(item-1, 0), strings.TrimSpace(word))
		}
	}
}

var irNumber = lazyregexp.Regexp{Expr: `([!#])\d+`}

// irKey is what a line of the IR module says, without what the printer may
// change: spaces, numbers of metadata and attributes, fields of nodes.
func irKey(t string) string {
	if strings.HasPrefix(t, "define ") || strings.HasPrefix(t, "declare ") || t[0] == '!' && !strings.Contains(t, "!{") {
		t, _, _ = strings.Cut(t, "(")
	}
	return irNumber.Get().ReplaceAllString(strings.Join(strings.Fields(t), ""), "$1")
}

// anchors finds for each significant line of the source the line of the
// printed document that says the same, or the next one that does.
func anchors(from, to []line) []int {
	a, b := make([]string, len(from)), make([]string, len(to))
	where := map[string]int{}
	unique := true
	for k, l := range to {
		b[k] = l.key
		if _, ok := where[l.key]; ok {
			unique = false
		}
		where[l.key] = k
	}
	out := make([]int, len(from))
	for k, l := range from {
		a[k] = l.key
		out[k] = -1
		for key := l.key; unique && key != "" && out[k] < 0; {
			if w, ok := where[key]; ok {
				out[k] = w
			}
			if l.body { // instructions have no parents
				break
			}
			key = key[:max(strings.LastIndexByte(key, '/'), 0)]
		}
	}
	if !unique {
		for _, p := range textdiff.Match(a, b) {
			out[p.A] = p.B
		}
	}
	return out
}

// restore puts the comments of src into its printed form.
func restore(src, printed string, full bool) string {
	docs, tail := split(src)
	outs, _ := split(printed)
	var b strings.Builder
	used := make([]bool, len(docs))
	for k := range outs {
		o := &outs[k]
		s := -1
		for j := range docs {
			if !used[j] && docs[j].ir == o.ir && docs[j].name == o.name {
				s = j
				break
			}
		}
		if s < 0 {
			writeDocument(&b, o.lines)
			continue
		}
		used[s] = true
		d := &docs[s]
		for _, l := range d.lead {
			b.WriteString(strings.TrimRight(l, " \t") + "\n")
		}
		if d.ir && !full {
			writeDocument(&b, d.lines)
			continue
		}
		writeDocument(&b, merge(d, o))
	}
	for k := range docs {
		if !used[k] { // an empty module, say
			tail = append(docs[k].lead, tail...)
		}
	}
	for _, l := range tail {
		b.WriteString(strings.TrimRight(l, " \t") + "\n")
	}
	return b.String()
}

func writeDocument(b *strings.Builder, lines []string) {
	for _, l := range lines {
		b.WriteString(l + "\n")
	}
	b.WriteString("...\n")
}

// merge returns the lines of the printed document o with the comments of d.
func merge(d, o *document) []string {
	lines, comments := scan(d)
	if len(comments) == 0 {
		return o.lines
	}
	printed, _ := scan(o)
	place := anchors(lines, printed)
	before := make([][]string, len(o.lines)+1)
	after := make([]string, len(o.lines)+1)
	for _, c := range comments {
		at := len(o.lines)
		var p *line
		exact := false
		for k := c.anchor; k >= 0 && k < len(lines); k++ {
			if place[k] >= 0 {
				p = &printed[place[k]]
				at, exact = p.at, k == c.anchor
				break
			}
		}
		if c.trailing && exact && p.body && after[at] == "" {
			after[at] = " " + c.text
			continue
		}
		before[at] = append(before[at], indent(c, lines, p, o, at))
	}
	var out []string
	for k, l := range o.lines {
		out = append(out, before[k]...)
		out = append(out, l+after[k])
	}
	return append(out, before[len(o.lines)]...)
}

// indent gives a comment the indentation that keeps it inside its block
// scalar, or outside of it.
func indent(c comment, lines []line, p *line, o *document, at int) string {
	text := strings.TrimLeft(c.text, " \t")
	width := len(c.text) - len(text)
	if c.trailing {
		width = 0
		if p != nil {
			width = len(p.text) - len(strings.TrimLeft(p.text, " "))
		}
	}
	if text[0] == '#' {
		if p == nil && at == len(o.lines) { // behind the body
			width = 0
		}
		return strings.Repeat(" ", width) + text
	}
	first := p != nil && p.key == "bb/0"
	switch {
	case p != nil && !p.body: // a body that is not printed
		return "# " + text
	case first:
		width = 2
	default:
		width = max(width, 2)
	}
	return strings.Repeat(" ", width) + text
}

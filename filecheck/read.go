package filecheck

import (
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// directive is a positive directive with the -NOT and -DAG ones before it.
type directive struct {
	pat    *pattern
	before []*pattern
}

// checkReader splits a check file into directives.
type checkReader struct {
	ctx      *context
	src      *source
	pos      int
	line     int
	out      []directive
	pending  []*pattern // -NOT and -DAG since the last positive directive
	implicit []*pattern
	found    map[string]bool
	last     int // end of the last directive
}

// canonicalize makes horizontal space single blanks unless strict, and line
// ends plain newlines.
func canonicalize(text []byte, strict bool) string {
	b := make([]byte, 0, len(text))
	for k := 0; k < len(text); k++ {
		c := text[k]
		if c == '\r' && k+1 < len(text) && text[k+1] == '\n' {
			continue
		}
		if strict || c != ' ' && c != '\t' {
			b = append(b, c)
			continue
		}
		b = append(b, ' ')
		for k+1 < len(text) && (text[k+1] == ' ' || text[k+1] == '\t') {
			k++
		}
	}
	return string(b)
}

// implicitPatterns makes the patterns of -implicit-check-not.
func implicitPatterns(ctx *context) (pats []*pattern, srcs []*source, err error) {
	const head = "-implicit-check-not='"
	for _, s := range ctx.opts.ImplicitCheckNot {
		if s == "" {
			continue
		}
		src := &source{name: "command line", text: head + s + "'"}
		p := &pattern{kind: checkNot, count: 1, prefix: "IMPLICIT-CHECK"}
		if err := parsePattern(ctx, p, src, len(head), len(head)+len(s)); err != nil {
			return nil, nil, err
		}
		pats, srcs = append(pats, p), append(srcs, src)
	}
	return pats, srcs, nil
}

// read returns the directives of the file.
func (r *checkReader) read() ([]directive, error) {
	o := r.ctx.opts
	prefixes := append(slices.Clone(o.CheckPrefixes), o.CommentPrefixes...)
	sort.Slice(prefixes, func(i, j int) bool { return len(prefixes[i]) > len(prefixes[j]) })
	quoted := make([]string, len(prefixes))
	for k, p := range prefixes {
		quoted[k] = regexp.QuoteMeta(p)
	}
	any := regexp.MustCompile(strings.Join(quoted, "|"))
	r.found = map[string]bool{}
	r.pending = slices.Clone(r.implicit)
	r.line = 1
	for {
		d, ok := r.next(any, prefixes)
		if !ok {
			break
		}
		if err := r.directive(d); err != nil {
			return nil, err
		}
	}
	if err := r.unusedPrefixes(); err != nil {
		return nil, err
	}
	// What is left to exclude is excluded up to the end of the input.
	if len(r.pending) > 0 {
		p := &pattern{kind: checkEOF, count: 1, prefix: o.CheckPrefixes[0], line: r.line, loc: span{r.src, r.last, r.last}}
		r.out = append(r.out, directive{p, r.pending})
	}
	return r.out, nil
}

// head is the part of a directive before its text.
type head struct {
	prefix  string
	start   int // of the prefix
	kind    checkKind
	count   int
	literal bool
	after   int // the offset after the colon
}

// next finds the next directive: the leftmost prefix, the longest there, that
// starts a word and is followed by what makes it a directive.
func (r *checkReader) next(any *regexp.Regexp, prefixes []string) (head, bool) {
	text := r.src.text
	for r.pos < len(text) {
		m := any.FindStringIndex(text[r.pos:])
		if m == nil {
			return head{}, false
		}
		start := r.pos + m[0]
		r.line += strings.Count(text[r.pos:start], "\n")
		r.pos = start
		prefix := text[start : r.pos-m[0]+m[1]]
		if start == 0 || !isPrefixChar(text[start-1]) {
			h := head{prefix: prefix, start: start, count: 1, after: start + len(prefix)}
			if r.classify(&h); h.kind != checkNone {
				return h, true
			}
		}
		r.pos = start + len(prefix)
		// A shorter prefix or the rest of a word must not match inside.
		for r.pos < len(text) && isPrefixChar(text[r.pos]) && isPrefixChar(text[r.pos-1]) {
			r.pos++
		}
	}
	return head{}, false
}

func isPrefixChar(c byte) bool { return c == '-' || isWord(c) }

// modifiers reads "{LITERAL}:" or ":" at h.after.
func (r *checkReader) modifiers(h *head, kind checkKind) bool {
	s := r.src.text[h.after:]
	if strings.HasPrefix(s, ":") {
		h.after++
		h.kind = kind
		return true
	}
	if !strings.HasPrefix(s, "{") {
		return false
	}
	end := strings.IndexByte(s, '}')
	if end < 0 || end+1 >= len(s) || s[end+1] != ':' {
		return false
	}
	for _, m := range strings.Split(s[1:end], ",") {
		if strings.Trim(m, spaces) != "LITERAL" {
			return false
		}
	}
	h.literal = true
	h.after += end + 2
	h.kind = kind
	return true
}

func (r *checkReader) classify(h *head) {
	s := r.src.text[h.after:]
	if s == "" {
		return
	}
	if slices.Contains(r.ctx.opts.CommentPrefixes, h.prefix) {
		if s[0] == ':' {
			h.kind, h.after = checkComment, h.after+1
		}
		return
	}
	if s[0] == ':' || s[0] == '{' {
		r.modifiers(h, checkPlain)
		return
	}
	if s[0] != '-' && s[0] != '_' {
		return
	}
	wrong := s[0] == '_'
	h.after++
	s = s[1:]
	r.suffix(h, s)
	if wrong && h.kind != checkNone {
		h.kind = checkMisspelled
	}
}

func (r *checkReader) suffix(h *head, s string) {
	if rest, ok := strings.CutPrefix(s, "COUNT-"); ok {
		k := 0
		for k < len(rest) && isDigit(rest[k]) {
			k++
		}
		n, err := strconv.ParseInt(rest[:k], 10, 32)
		h.after += len("COUNT-") + k
		if err != nil || n <= 0 || k >= len(rest) || rest[k] != ':' && rest[k] != '{' {
			h.kind = checkBadCount
			return
		}
		h.count = int(n)
		r.modifiers(h, checkPlain)
		return
	}
	for _, bad := range []string{"DAG", "NEXT", "SAME", "EMPTY"} {
		if strings.HasPrefix(s, bad+"-NOT:") || strings.HasPrefix(s, "NOT-"+bad+":") {
			h.kind = checkBadNot
			return
		}
	}
	for _, k := range []struct {
		name string
		kind checkKind
	}{{"NEXT", checkNext}, {"SAME", checkSame}, {"NOT", checkNot}, {"DAG", checkDAG}, {"LABEL", checkLabel}, {"EMPTY", checkEmpty}} {
		if strings.HasPrefix(s, k.name) {
			h.after += len(k.name)
			r.modifiers(h, k.kind)
			return
		}
	}
}

// directive reads the text of a directive and files it.
func (r *checkReader) directive(h head) error {
	text := r.src.text
	switch h.kind {
	case checkMisspelled:
		end := h.start
		for end < len(text) && text[end] != ':' && text[end] != '\n' {
			end++
		}
		return errAt(r.src, h.start, "misspelled directive '"+text[h.start:min(end+1, len(text))]+"'")
	case checkBadNot:
		return errAt(r.src, h.start+len(h.prefix)+1, "unsupported -NOT combo on prefix '"+h.prefix+"'")
	case checkBadCount:
		return errAt(r.src, h.after, "invalid count in -COUNT specification on prefix '"+h.prefix+"'")
	}
	o := r.ctx.opts
	start := h.after
	if !(o.StrictWhitespace && o.MatchFullLines) {
		for start < len(text) && (text[start] == ' ' || text[start] == '\t') {
			start++
		}
	}
	end := len(text)
	if k := strings.IndexAny(text[start:], "\r\n"); k >= 0 {
		end = start + k
	}
	r.pos, r.last = end, end
	if h.kind == checkComment {
		return nil
	}
	r.found[h.prefix] = true
	p := &pattern{kind: h.kind, literal: h.literal, count: h.count, prefix: h.prefix, line: r.line}
	if err := parsePattern(r.ctx, p, r.src, start, end); err != nil {
		return err
	}
	used := false
	for i := range p.defs {
		used = used || p.defs[i].num == nil
	}
	for i := range p.substs { // a numeric definition alone is none of them
		used = used || p.substs[i].num == nil || p.substs[i].num.expr != nil
	}
	if h.kind == checkLabel && used {
		return errAt(r.src, h.start, "found '"+h.prefix+"-LABEL:' with variable definition or use")
	}
	switch h.kind {
	case checkNext, checkSame, checkEmpty:
		if len(r.out) == 0 {
			plain := *p
			plain.literal = false
			return errAt(r.src, h.start, "found '"+plain.description()+"' without previous '"+h.prefix+": line")
		}
	case checkDAG, checkNot:
		r.pending = append(r.pending, p)
		return nil
	}
	r.out = append(r.out, directive{p, r.pending})
	r.pending = slices.Clone(r.implicit)
	return nil
}

func (r *checkReader) unusedPrefixes() error {
	o := r.ctx.opts
	// Excluding alone is a use of the default prefix.
	onlyImplicit := r.ctx.opts.defaultPrefix && len(r.implicit) > 0
	if len(r.found) > 0 && o.AllowUnusedPrefixes || onlyImplicit {
		return nil
	}
	var missing []string
	for _, p := range o.CheckPrefixes {
		if !r.found[p] {
			missing = append(missing, "'"+p+":'")
		}
	}
	if len(missing) == 0 {
		return nil
	}
	slices.Sort(missing)
	s := "error: no check strings found with prefix"
	if len(missing) > 1 {
		s += "es"
	}
	return usageError(s + " " + strings.Join(missing, ", ") + "\n")
}

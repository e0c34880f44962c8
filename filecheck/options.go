package filecheck

import (
	"errors"
	"slices"
	"strings"
)

// Options are FileCheck's flags that concern matching and reports. The zero
// value checks with the prefix CHECK.
type Options struct {
	CheckPrefixes       []string // default: CHECK
	CommentPrefixes     []string // default: COM, RUN
	ImplicitCheckNot    []string
	Defines             []string // NAME=VALUE, or #[%FMT,]NAME=EXPR
	AllowEmpty          bool
	AllowUnusedPrefixes bool
	MatchFullLines      bool
	StrictWhitespace    bool
	EnableVarScope      bool
	IgnoreCase          bool
	AllowDAGOverlap     bool // -allow-deprecated-dag-overlap
	Verbose             bool // -v
	VeryVerbose         bool // -vv
	Color               bool
	defaultPrefix       bool
	DumpInput           string // always, fail (default) or never
	DumpInputFilter     string // all, annotation-full, annotation, error; default by DumpInput
	DumpInputContext    int    // lines around those that the filter selects; 0: 5, negative: none
}

// usageError is a fault of the options; its text is complete.
type usageError string

func (e usageError) Error() string { return string(e) }

// withDefaults returns a copy with what was left out filled in.
func (o Options) withDefaults() (*Options, error) {
	if o.CheckPrefixes != nil || o.CommentPrefixes != nil {
		if err := o.validatePrefixes(); err != nil {
			return nil, err
		}
	}
	if len(o.CheckPrefixes) == 0 {
		o.CheckPrefixes = []string{"CHECK"}
		o.defaultPrefix = true
	}
	if len(o.CommentPrefixes) == 0 {
		o.CommentPrefixes = []string{"COM", "RUN"}
	}
	if o.DumpInput == "" {
		o.DumpInput = "fail"
	}
	if o.DumpInputFilter == "" {
		o.DumpInputFilter = "error"
		if o.DumpInput == "always" {
			o.DumpInputFilter = "all"
		}
	}
	o.Verbose = o.Verbose || o.VeryVerbose
	return &o, nil
}

// validatePrefixes checks spelling and uniqueness of all prefixes in use.
func (o *Options) validatePrefixes() error {
	var seen []string
	if len(o.CheckPrefixes) == 0 {
		seen = append(seen, "CHECK")
	}
	if len(o.CommentPrefixes) == 0 {
		seen = append(seen, "COM", "RUN")
	}
	check := func(kind string, prefixes []string) error {
		for _, p := range prefixes {
			if p == "" {
				return usageError("error: supplied " + kind + " prefix must not be the empty string\n")
			}
			first := p[0] >= 'a' && p[0] <= 'z' || p[0] >= 'A' && p[0] <= 'Z'
			if !first && !isDigit(p[0]) || strings.IndexFunc(p, func(r rune) bool { return r >= 0x80 || !isPrefixChar(byte(r)) }) >= 0 {
				return usageError("error: supplied " + kind + " prefix must start with a letter and contain only alphanumeric characters, hyphens, and underscores: '" + p + "'\n")
			}
			if slices.Contains(seen, p) {
				return usageError("error: supplied " + kind + " prefix must be unique among check and comment prefixes: '" + p + "'\n")
			}
			seen = append(seen, p)
		}
		return nil
	}
	if err := check("check", o.CheckPrefixes); err != nil {
		return err
	}
	return check("comment", o.CommentPrefixes)
}

// define parses the definitions of the command line. All faults of one kind
// are reported together.
func (c *context) define(defs []string) error {
	if len(defs) == 0 {
		return nil
	}
	src := &source{name: "Global defines"}
	type place struct{ start, end, eq int }
	var text strings.Builder
	var places []place
	for k, d := range defs {
		text.WriteString("Global define #" + itoa(k+1) + ": ")
		start := text.Len()
		eq := strings.IndexByte(d, '=')
		if strings.HasPrefix(d, "#") && eq >= 0 {
			// The expression is parsed, and shown, as the block it stands for.
			text.WriteString(d + " (parsed as: [[")
			start = text.Len()
			text.WriteString(d[:eq] + ":" + d[eq+1:])
			places = append(places, place{start, text.Len(), start + eq})
			text.WriteString("]])")
		} else {
			text.WriteString(d)
			places = append(places, place{start, text.Len(), start + eq})
		}
		text.WriteByte('\n')
	}
	src.text = text.String()
	var errs []error
	for k, d := range defs {
		p := places[k]
		if strings.HasPrefix(d, "#") {
			errs = append(errs, c.defineNumber(src, p.start+1, p.end))
		} else {
			errs = append(errs, c.defineString(src, p.start, p.eq, p.end))
		}
	}
	return errors.Join(errs...)
}

func (c *context) defineNumber(src *source, start, end int) error {
	np := &numParser{ctx: c, src: src, s: src.text[:end], pos: start}
	b, err := np.block()
	if err != nil {
		return err
	}
	if b.def == nil || b.expr == nil {
		return nil
	}
	var undef []*numExpr
	v, err := b.expr.eval(&undef)
	if len(undef) > 0 {
		return errAt(src, undef[0].at.start, "undefined variable: "+undef[0].v.name)
	}
	if err != nil {
		return err
	}
	b.def.value, b.def.defLine = v, 0
	return nil
}

func (c *context) defineString(src *source, start, eq, end int) error {
	name, pseudo, msg := scanVariable(src.text[start:eq])
	if msg == "" && (pseudo || len(name) != eq-start) {
		msg = "invalid name in string variable definition '" + src.text[start:eq] + "'"
	}
	if _, ok := c.nums[name]; msg == "" && ok {
		msg = "numeric variable with name '" + name + "' already exists"
	}
	if msg != "" {
		e := errAt(src, start, msg)
		e.numeric = true
		return e
	}
	value := src.text[eq+1 : end]
	c.strs[name] = &value
	return nil
}

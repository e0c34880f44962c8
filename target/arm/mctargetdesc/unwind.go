package mctargetdesc

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mirin-go/mirin/mc"
)

// unwind is what the directives of a function's unwinding have said: where each was, and the register
// that is its frame pointer.
type unwind struct {
	start, data []int
	cannot      []int
	personality []place
	fp          string
}

// place is where a directive was.
type place struct {
	at   int
	name string
}

// here is the place of the statement.
func (d *dir) here() int {
	ctx := d.p.Context()
	return int(ctx.ExprLoc(ctx.Const(0)))
}

// refused is an error with notes about earlier directives.
func (d *dir) refused(msg string, earlier ...place) error {
	e := &mc.ParseError{Msg: msg}
	at := d.here()
	slices.SortStableFunc(earlier, func(a, b place) int { return a.at - b.at })
	for _, x := range earlier {
		e.Notes = append(e.Notes, mc.ParseError{Start: x.at - at, End: x.at - at, Msg: x.name + " was specified here"})
	}
	return e
}

func places(at []int, name string) (out []place) {
	for _, a := range at {
		out = append(out, place{a, name})
	}
	return out
}

// only refuses objects: their tables are not written yet.
func (d *dir) only() error {
	if !d.p.Streamer().IsText() {
		return fail(0, d.name+": tables of unwinding are not supported in objects")
	}
	return nil
}

func (d *dir) fnstart() error {
	if err := d.end(); err != nil {
		return err
	}
	if len(d.unwind.start) > 0 {
		return d.refused(".fnstart starts before the end of previous one", places(d.unwind.start, ".fnstart")...)
	}
	d.unwind = unwind{start: []int{d.here()}, fp: "sp"}
	d.say("\t.fnstart")
	return d.only()
}

func (d *dir) fnend() error {
	if err := d.end(); err != nil {
		return err
	}
	if len(d.unwind.start) == 0 {
		return d.refused(".fnstart must precede .fnend directive")
	}
	d.unwind = unwind{}
	d.say("\t.fnend")
	return nil
}

func (d *dir) cantUnwind() error {
	if err := d.end(); err != nil {
		return err
	}
	u := &d.unwind
	u.cannot = append(u.cannot, d.here())
	switch {
	case len(u.start) == 0:
		return d.refused(".fnstart must precede .cantunwind directive")
	case len(u.data) > 0:
		return d.refused(".cantunwind can't be used with .handlerdata directive", places(u.data, ".handlerdata")...)
	case len(u.personality) > 0:
		return d.refused(".cantunwind can't be used with .personality directive", u.personality...)
	}
	d.say("\t.cantunwind")
	return nil
}

func (d *dir) personality() error {
	d.skip()
	at := d.pos
	name := d.rest()
	if name == "" || strings.ContainsAny(name, " ,#\"") || name[0] >= '0' && name[0] <= '9' {
		return fail(at, "unexpected input in .personality directive.")
	}
	u := &d.unwind
	had := len(u.personality) > 0
	u.personality = append(u.personality, place{d.here(), ".personality"})
	switch {
	case len(u.start) == 0:
		return d.refused(".fnstart must precede .personality directive")
	case len(u.cannot) > 0:
		return d.refused(".personality can't be used with .cantunwind directive", places(u.cannot, ".cantunwind")...)
	case len(u.data) > 0:
		return d.refused(".personality must precede .handlerdata directive", places(u.data, ".handlerdata")...)
	case had:
		return d.refused("multiple personality directives", u.personality...)
	}
	d.say("\t.personality %s", name)
	return nil
}

func (d *dir) personalityIndex() error {
	u := &d.unwind
	had := len(u.personality) > 0
	d.skip()
	at := d.pos
	v, known, err := d.number()
	if err != nil {
		return err
	}
	if e := d.end(); e != nil {
		return e
	}
	u.personality = append(u.personality, place{d.here(), ".personalityindex"})
	switch {
	case len(u.start) == 0:
		return d.refused(".fnstart must precede .personalityindex directive")
	case len(u.cannot) > 0:
		return d.refused(".personalityindex cannot be used with .cantunwind", places(u.cannot, ".cantunwind")...)
	case len(u.data) > 0:
		return d.refused(".personalityindex must precede .handlerdata directive", places(u.data, ".handlerdata")...)
	case had:
		return d.refused("multiple personality directives", u.personality...)
	case !known:
		return fail(at, "index must be a constant number")
	case v < 0 || v >= 3:
		return fail(at, "personality routine index should be in range [0-3]")
	}
	d.say("\t.personalityindex %d", v)
	return nil
}

func (d *dir) handlerData() error {
	if err := d.end(); err != nil {
		return err
	}
	u := &d.unwind
	u.data = append(u.data, d.here())
	switch {
	case len(u.start) == 0:
		return d.refused(".fnstart must precede .personality directive")
	case len(u.cannot) > 0:
		return d.refused(".handlerdata can't be used with .cantunwind directive", places(u.cannot, ".cantunwind")...)
	}
	d.say("\t.handlerdata")
	return nil
}

// open refuses a directive outside of a function or behind its data.
func (d *dir) open(what, plural string) error {
	switch {
	case len(d.unwind.start) == 0:
		return d.refused(fmt.Sprintf(".fnstart must precede %s directive%s", what, plural))
	case len(d.unwind.data) > 0:
		return d.refused(fmt.Sprintf("%s must precede .handlerdata directive", what))
	}
	return nil
}

func (d *dir) save() error {
	if err := d.open(".save or .vsave", "s"); err != nil {
		return err
	}
	d.skip()
	at := d.pos
	list := d.rest()
	if len(list) < 2 || list[0] != '{' || list[len(list)-1] != '}' {
		return fail(at, "'{' expected")
	}
	names, ok := d.registers(list[1:len(list)-1], d.name == ".vsave")
	if !ok {
		return fail(at+1, "register expected")
	}
	d.say("\t%s\t{%s}", d.name, strings.Join(names, ", "))
	return nil
}

// registers gives the names of a list of registers, ranges as all that is in them.
func (d *dir) registers(list string, vector bool) (out []string, ok bool) {
	one := func(s string) (int, bool) {
		s = strings.ToLower(strings.TrimSpace(s))
		for n, name := range coreNames {
			if !vector && (s == name || s == fmt.Sprintf("r%d", n)) {
				return n, true
			}
		}
		var n int
		if _, err := fmt.Sscanf(s, "d%d", &n); vector && err == nil && n < 32 {
			return n, true
		}
		if s == "fp" && !vector {
			return 11, true
		}
		return 0, false
	}
	for _, e := range strings.Split(list, ",") {
		from, to, isRange := strings.Cut(e, "-")
		a, good := one(from)
		b := a
		if isRange && good {
			b, good = one(to)
		}
		if !good {
			return nil, false
		}
		for n := a; n <= b; n++ {
			if vector {
				out = append(out, fmt.Sprintf("d%d", n))
			} else {
				out = append(out, coreNames[n])
			}
		}
	}
	return out, true
}

var coreNames = []string{"r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12", "sp", "lr", "pc"}

func (d *dir) pad() error {
	if err := d.open(".pad", ""); err != nil {
		return err
	}
	at := d.pos
	if c := d.peek(); c != '#' && c != '$' {
		return fail(d.pos, "'#' expected")
	}
	v, known, err := d.number()
	switch {
	case err != nil:
		return err
	case !known:
		return fail(at, "pad offset must be an immediate")
	}
	if err := d.end(); err != nil {
		return err
	}
	d.say("\t.pad\t#%d", v)
	return nil
}

func (d *dir) setFP() error {
	if err := d.open(".setfp", ""); err != nil {
		return err
	}
	d.skip()
	parts := strings.Split(d.text[d.pos:], ",")
	fp, ok := d.registers(parts[0], false)
	if !ok {
		return fail(d.pos, "frame pointer register expected")
	}
	if len(parts) < 2 {
		return fail(len(d.text), "comma expected")
	}
	at := d.pos + len(parts[0]) + 1
	for at < len(d.text) && (d.text[at] == ' ' || d.text[at] == '\t') {
		at++
	}
	sp, ok := d.registers(parts[1], false)
	if !ok {
		return fail(at, "stack pointer register expected")
	}
	if sp[0] != "sp" && sp[0] != d.unwind.fp {
		return fail(at, "register should be either $sp or the latest fp register")
	}
	d.unwind.fp = fp[0]
	v := int64(0)
	if len(parts) > 2 {
		d.pos += len(parts[0]) + len(parts[1]) + 2
		if c := d.peek(); c != '#' && c != '$' {
			return fail(d.pos, "'#' expected")
		}
		n, known, err := d.number()
		switch {
		case err != nil:
			return err
		case !known:
			return fail(d.pos, "setfp offset must be an immediate")
		}
		v = n
	}
	if v != 0 {
		d.say("\t.setfp\t%s, %s, #%d", fp[0], sp[0], v)
	} else {
		d.say("\t.setfp\t%s, %s", fp[0], sp[0])
	}
	return nil
}

package asmparse

import (
	"cmp"
	"slices"

	"github.com/mirin-go/mirin/diag"
	"github.com/mirin-go/mirin/mc"
)

// symState is what the parser knows of a symbol beside what the context has.
type symState struct {
	at    loc  // of the first use
	used  bool // in an expression
	fixed bool // .equiv: it may not be set again
}

// symbol gives the symbol of a name.
func (p *Parser) symbol(name string) mc.Sym {
	return p.ctx.Symbol(name)
}

// state gives what is known of a symbol.
func (p *Parser) state(s mc.Sym) *symState {
	for int(s) >= len(p.syms) {
		p.syms = append(p.syms, symState{})
	}
	return &p.syms[s]
}

// used notes a use in an expression.
func (p *Parser) used(s mc.Sym, at loc) {
	st := p.state(s)
	if st.used = true; st.at == 0 {
		st.at = at
	}
}

// directional are the labels of one number.
type directional struct {
	last mc.Sym     // the one defined last, 0 none
	next mc.Sym     // the one that 1f means, not defined yet
	at   undirected // the first use of next
}

// undirected is a use of a directional label that may stay undefined, and the line marker
// before it.
type undirected struct {
	at   loc
	hash hash
}

// directed is a new symbol for a label that is a number. In objects it has its name.
func (p *Parser) directed() mc.Sym {
	s := p.ctx.Temp("tmp")
	p.ctx.At(s).Flags |= mc.SymNamed
	return s
}

// direction gives the symbol that 1b or 1f means.
func (p *Parser) direction(n int, back bool, at int) (mc.Sym, error) {
	d := p.directions[n]
	if d == nil {
		d = &directional{}
		p.directions[n] = d
	}
	if back {
		if d.last == 0 {
			p.undirected = append(p.undirected, undirected{p.at(at), p.hash})
			return p.directed(), nil
		}
		return d.last, nil
	}
	if d.next == 0 {
		d.next, d.at = p.directed(), undirected{p.at(at), p.hash}
	}
	return d.next, nil
}

// defineDirection defines label n here.
func (p *Parser) defineDirection(n int) mc.Sym {
	d := p.directions[n]
	if d == nil {
		d = &directional{}
		p.directions[n] = d
	}
	s := d.next
	if s == 0 {
		s = p.directed()
	}
	d.last, d.next = s, 0
	return s
}

// label defines a symbol here; at is where its name stands.
func (p *Parser) label(name string, at loc) error {
	if name == "." {
		return errOff(0, "invalid use of pseudo-symbol '.' as a label")
	}
	s := p.symbol(name)
	y := p.ctx.At(s)
	if st := p.state(s); y.Flags&mc.SymHasAlias != 0 && y.Flags&mc.SymWeakRef == 0 && !st.fixed {
		// A variable may become a label; what used it keeps its value.
		if st.used {
			s = p.ctx.Renew(s)
			y = p.ctx.At(s)
		}
		y.Flags &^= mc.SymHasAlias | mc.SymDefined
		y.Value = 0
	}
	if y.Defined() || y.Flags&mc.SymCommon != 0 {
		p.report(diag.Error, at, 0, "symbol '"+name+"' is already defined")
		if p.out.IsText() {
			p.out.Label(s)
		}
		return nil
	}
	p.defineLabel(s)
	if p.opts.Debug {
		p.debugLabel(name, s, at)
	}
	return nil
}

// defineLabel defines a symbol here, and notes it where the streamer does not.
func (p *Parser) defineLabel(s mc.Sym) {
	p.out.Label(s)
	if y := p.ctx.At(s); p.out.IsText() {
		y.Flags |= mc.SymDefined
		y.Section = p.out.Section()
	}
	if w, ok := p.target.(mc.LabelWatcher); ok {
		w.Labelled(p, s)
	}
}

// assign reads the rest of "name = value"; at is where the value begins. With again
// the symbol may be set another time.
func (p *Parser) assign(name string, again bool) error {
	p.skip()
	at := p.pos
	t, err := p.expr()
	if err != nil {
		p.fail(err)
		return p.errHere("missing expression")
	}
	if err := p.eol(); err != nil {
		return err
	}
	return p.define(name, t, again, at)
}

// define makes name another name of a value.
func (p *Parser) define(name string, t term, again bool, at int) error {
	if name == "." {
		p.out.Org(p.wrap(t), 0)
		return nil
	}
	s := p.symbol(name)
	if t.x != 0 && p.mentions(t.x, s, 0) {
		return errOff(at, "Recursive use of '%s'", name)
	}
	y := p.ctx.At(s)
	st := p.state(s)
	variable := y.Flags&mc.SymHasAlias != 0
	switch {
	case !y.Defined():
	case variable && again && !st.fixed && y.Flags&mc.SymWeakRef == 0:
		// What used it keeps its value.
		if st.used {
			s = p.ctx.Renew(s)
			st = p.state(s)
		}
	default:
		return errOff(at, "redefinition of '%s'", name)
	}
	st.fixed = !again
	p.setSymbol(s, p.wrap(t))
	return nil
}

// setSymbol makes s another name for an expression, and notes it where the streamer does not.
func (p *Parser) setSymbol(s mc.Sym, x mc.Expr) {
	p.out.Assign(s, x)
	if y := p.ctx.At(s); p.out.IsText() {
		y.Flags |= mc.SymDefined | mc.SymHasAlias
		y.Value = x
	}
}

// mentions reports whether a symbol occurs in an expression, through variables, too.
func (p *Parser) mentions(x mc.Expr, s mc.Sym, depth int) bool {
	found := false
	if depth < 64 {
		p.ctx.EachSym(x, func(y mc.Sym) {
			r := p.ctx.At(y)
			found = found || y == s || r.Flags&mc.SymHasAlias != 0 && p.mentions(r.Value, s, depth+1)
		})
	}
	return found
}

// undefinedDirections shows the directional labels that are not there.
func (p *Parser) undefinedDirections() {
	for _, d := range p.directions {
		if d.next != 0 {
			p.undirected = append(p.undirected, d.at)
		}
	}
	slices.SortFunc(p.undirected, func(a, b undirected) int { return cmp.Compare(a.at, b.at) })
	for _, u := range p.undirected {
		p.hash = u.hash
		p.errorAt(u.at, "directional label undefined")
	}
}

// leftOver shows what was used and never defined, and cannot be found elsewhere.
func (p *Parser) leftOver() {
	if p.failed || !p.info.Darwin {
		return // an object's writer shows them
	}
	for i := range p.syms {
		st := &p.syms[i]
		if y := p.ctx.At(mc.Sym(i)); st.used && y.Temp() && y.Flags&mc.SymNumbered == 0 && !y.Defined() && !p.out.IsText() {
			p.errorAt(p.stmt, "assembler local symbol '%s' not defined", y.Name)
		}
	}
}

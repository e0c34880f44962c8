package asmparse

import "strings"

// cond is an open condition.
type cond struct {
	kind   condKind
	met    bool // one of its branches was taken
	ignore bool // this branch is left out
}

type condKind uint8

const (
	noCond condKind = iota
	ifCond
	elseifCond
	elseCond
)

// condition finds a directive that is read where others are left out, nil for others.
func condition(name string) func(p *Parser, name string, at int) error {
	switch name {
	case ".if", ".ifeq", ".ifge", ".ifgt", ".ifle", ".iflt", ".ifne":
		return parseIf
	case ".ifb", ".ifnb":
		return parseIfBlank
	case ".ifc", ".ifnc":
		return parseIfSame
	case ".ifeqs", ".ifnes":
		return parseIfStrings
	case ".ifdef", ".ifndef", ".ifnotdef":
		return parseIfDef
	case ".elseif":
		return parseElseIf
	case ".else":
		return parseElse
	case ".endif":
		return parseEndIf
	}
	return nil
}

// open begins a condition.
func (p *Parser) open() {
	p.conds = append(p.conds, p.cond)
	p.cond.kind = ifCond
	if p.cond.ignore {
		p.skipRest()
	}
}

// decide takes the branch or not.
func (p *Parser) decide(yes bool) {
	p.cond.met = yes
	p.cond.ignore = !yes
}

// cutConds closes the conditions that are open in an expansion, down to n of them.
func (p *Parser) cutConds(n int) {
	if len(p.conds) > n {
		p.cond = p.conds[n]
		p.conds = p.conds[:n]
	}
}

// skipRest moves to the end of the statement.
func (p *Parser) skipRest() { p.pos = len(p.text) }

// parseIf reads .if and its sisters that compare with 0.
func parseIf(p *Parser, name string, _ int) error {
	p.open()
	if p.cond.ignore {
		return nil
	}
	v, err := p.absolute()
	if err == nil {
		err = p.eol()
	}
	if err != nil {
		return err
	}
	yes := v != 0
	switch name {
	case ".ifeq":
		yes = v == 0
	case ".ifge":
		yes = v >= 0
	case ".ifgt":
		yes = v > 0
	case ".ifle":
		yes = v <= 0
	case ".iflt":
		yes = v < 0
	}
	p.decide(yes)
	return nil
}

// parseIfBlank reads .ifb and .ifnb.
func parseIfBlank(p *Parser, name string, _ int) error {
	p.open()
	if p.cond.ignore {
		return nil
	}
	blank := p.end()
	p.skipRest()
	p.decide(blank == (name == ".ifb"))
	return nil
}

// parseIfSame reads .ifc and .ifnc: texts up to a comma and to the end.
func parseIfSame(p *Parser, name string, _ int) error {
	p.open()
	if p.cond.ignore {
		return nil
	}
	p.skip()
	i := strings.IndexByte(p.text[p.pos:], ',')
	if i < 0 {
		p.skipRest()
		return p.errHere("expected comma")
	}
	a, b := p.text[p.pos:p.pos+i], p.text[p.pos+i+1:]
	p.skipRest()
	p.decide((strings.TrimSpace(a) == strings.TrimSpace(b)) == (name == ".ifc"))
	return nil
}

// parseIfStrings reads .ifeqs and .ifnes.
func parseIfStrings(p *Parser, name string, _ int) error {
	p.open()
	if p.cond.ignore {
		return nil
	}
	if p.peek() != '"' {
		return p.errHere("expected string parameter for '%s' directive", name)
	}
	a, _, ok := p.quoted()
	if !ok {
		return p.errHere("unterminated string constant")
	}
	if !p.eat(',') {
		return p.errHere("expected comma after first string for '%s' directive", name)
	}
	if p.peek() != '"' {
		return p.errHere("expected string parameter for '%s' directive", name)
	}
	b, _, ok := p.quoted()
	if !ok {
		return p.errHere("unterminated string constant")
	}
	p.decide((a == b) == (name == ".ifeqs"))
	return nil
}

// parseIfDef reads .ifdef and .ifndef.
func parseIfDef(p *Parser, name string, _ int) error {
	p.open()
	if p.cond.ignore {
		return nil
	}
	at := p.pos
	n, ok := p.ident()
	if !ok {
		p.pos = at
		return p.errHere("expected identifier after '%s'", name)
	}
	if err := p.eol(); err != nil {
		return err
	}
	defined := false
	if s := p.ctx.Lookup(n); s != 0 {
		defined = p.ctx.At(s).Defined()
	}
	p.decide(defined == (name == ".ifdef"))
	return nil
}

// parseElseIf reads .elseif.
func parseElseIf(p *Parser, _ string, at int) error {
	if p.cond.kind != ifCond && p.cond.kind != elseifCond {
		return errOff(at, "Encountered a .elseif that doesn't follow an .if or  an .elseif")
	}
	p.cond.kind = elseifCond
	if p.conds[len(p.conds)-1].ignore || p.cond.met {
		p.cond.ignore = true
		p.skipRest()
		return nil
	}
	v, err := p.absolute()
	if err == nil {
		err = p.eol()
	}
	if err != nil {
		return err
	}
	p.decide(v != 0)
	return nil
}

// parseElse reads .else.
func parseElse(p *Parser, _ string, at int) error {
	if err := p.eol(); err != nil {
		return err
	}
	if p.cond.kind != ifCond && p.cond.kind != elseifCond {
		return errOff(at, "Encountered a .else that doesn't follow  an .if or an .elseif")
	}
	p.cond.kind = elseCond
	p.cond.ignore = p.conds[len(p.conds)-1].ignore || p.cond.met
	return nil
}

// parseEndIf reads .endif.
func parseEndIf(p *Parser, _ string, at int) error {
	if err := p.eol(); err != nil {
		return err
	}
	if p.cond.kind == noCond || len(p.conds) == 0 {
		return errOff(at, "Encountered a .endif that doesn't follow an .if or .else")
	}
	p.cond = p.conds[len(p.conds)-1]
	p.conds = p.conds[:len(p.conds)-1]
	return nil
}

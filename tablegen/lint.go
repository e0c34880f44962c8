package tablegen

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/mirin-go/mirin/diag"
)

// finding is one thing that the linter has to say.
type finding struct {
	loc  Loc
	rule string
	msg  string
}

// lint adds a finding about the main file; included files are not its matter.
func (rs *Records) lint(loc Loc, rule, msg string) {
	if rs.opts.Lint && loc.file == 0 && loc != noLoc {
		rs.findings = append(rs.findings, finding{loc, rule, msg})
	}
}

// lintLet looks at a let that sets a whole field.
func (p *parser) lintLet(f *Field, loc Loc, bits []int, v Init) {
	if bits != nil || f.Value == nil {
		return
	}
	if _, ok := f.Value.(*UnsetInit); ok {
		return
	}
	if c := castTo(v, f.Type); c != nil && equalInit(c, f.Value) && !f.lintFrom(loc) {
		p.rs.lint(loc, "redundant-let", "this let has no effect: '"+f.Name+"' is "+clipText(f.Value.String())+" already")
	}
}

// lintFrom reports whether the field was set at that very place before: a let
// around several records, or one that is applied again to a record of a defm.
func (f *Field) lintFrom(loc Loc) bool { return f.Loc == loc }

// lintNested looks at the let statements around a let in: one for the same
// field is without effect inside.
func (p *parser) lintNested(items []letItem) {
	for _, it := range items {
		for _, outer := range p.lets {
			for i := range outer {
				if o := &outer[i]; o.name == it.name && o.bits == nil && it.bits == nil {
					_, line := p.rs.line(o.loc)
					p.rs.lint(it.loc, "shadowed-let", "this let hides the one for '"+it.name+"' in line "+strconv.Itoa(line))
				}
			}
		}
	}
}

// lintName looks at a new variable that hides another of that name.
func (p *parser) lintName(name string, loc Loc, what string) {
	if !p.rs.opts.Lint {
		return
	}
	for s := p.scope; s != nil; s = s.parent {
		if _, ok := s.vars[name]; ok {
			p.rs.lint(loc, "shadowed-variable", what+" '"+name+"' hides a variable around it")
			return
		}
		if s.loop != nil && s.loop.iter != nil && s.loop.iter.Name == name {
			p.rs.lint(loc, "shadowed-variable", what+" '"+name+"' hides the iteration variable of the loop around it")
			return
		}
		r := s.rec
		if s.mc != nil {
			r = s.mc.rec
		}
		if r != nil && r.templateArg(r.qualified(name)) != nil {
			p.rs.lint(loc, "shadowed-variable", what+" '"+name+"' hides a template argument of '"+r.Name+"'")
			return
		}
	}
	if _, ok := p.rs.globals[name]; ok {
		p.rs.lint(loc, "shadowed-variable", what+" '"+name+"' hides a global variable")
	} else if d := p.rs.defs[name]; d != nil {
		p.rs.lint(loc, "shadowed-variable", what+" '"+name+"' hides a definition")
	}
}

// lintScope reports the variables of a scope that nothing refers to.
func (p *parser) lintScope(s *scope) {
	for name, loc := range s.unread {
		p.rs.lint(loc, "unused-variable", "nothing refers to the variable '"+name+"'")
	}
}

// lintAtEnd looks at all records when the parse has ended.
func (p *parser) lintAtEnd() {
	rs := p.rs
	if !rs.opts.Lint || p.ev.failed {
		return
	}
	for _, c := range rs.classList {
		for i := range c.TemplateArgs {
			if t := &c.TemplateArgs[i]; !t.used {
				rs.lint(t.Loc, "unused-argument", "nothing refers to the template argument '"+t.Name+"'")
			}
		}
		if !c.used {
			rs.lint(c.Loc, "unused-class", "nothing derives from class '"+c.Name+"' or refers to it")
			continue
		}
		rs.lintFields(c)
	}
	for _, m := range p.mcs {
		if !m.used {
			rs.lint(m.rec.Loc, "unused-multiclass", "no defm uses the multiclass '"+m.rec.Name+"'")
		}
		for i := range m.rec.TemplateArgs {
			if t := &m.rec.TemplateArgs[i]; !t.used {
				rs.lint(t.Loc, "unused-argument", "nothing refers to the template argument '"+t.Name+"'")
			}
		}
	}
	for _, d := range rs.defList {
		if len(d.Superclasses) == 0 && len(d.Fields) == 0 && !d.used && !d.anonymous {
			rs.lint(d.Loc, "unused-def", "'"+d.Name+"' has neither superclass nor fields, and nothing refers to it")
		}
	}
}

// lintFields reports the fields that class c declares and no record sets.
func (rs *Records) lintFields(c *Record) {
	if c.Loc.file != 0 {
		return
	}
	defs := rs.DerivedFrom(c.Name)
	if len(defs) == 0 {
		return
	}
fields:
	for i := range c.Fields {
		f := &c.Fields[i]
		if f.NonConcreteOK || rs.declares(c, f.Name) != c {
			continue
		}
		if _, ok := f.Value.(*UnsetInit); !ok {
			continue
		}
		for _, d := range defs {
			if _, ok := d.Value(f.Name).(*UnsetInit); !ok {
				continue fields
			}
		}
		rs.lint(f.Loc, "field-never-set", "none of the "+strconv.Itoa(len(defs))+" records of class '"+c.Name+"' sets '"+f.Name+"'")
	}
}

// declares returns the superclass of r that declares the field, or r itself.
func (rs *Records) declares(r *Record, field string) *Record {
	for _, s := range r.Superclasses {
		if s.field(field) != nil {
			return s
		}
	}
	return r
}

// Findings returns the number of things that AppendLint has to say.
func (rs *Records) Findings() int { return len(rs.findings) }

// AppendLint appends what a parse with Options.Lint found, in the order of the
// source, as warnings with the name of the rule.
func (rs *Records) AppendLint(b []byte) []byte {
	l := slices.Clone(rs.findings)
	slices.SortFunc(l, func(x, y finding) int {
		return cmp.Or(cmp.Compare(x.loc.off, y.loc.off), cmp.Compare(x.rule, y.rule), cmp.Compare(x.msg, y.msg))
	})
	l = slices.Compact(l)
	for _, f := range l {
		b = rs.ReportAt(f.loc, diag.Warning, f.msg+" ["+f.rule+"]").AppendText(b)
	}
	return b
}

package tablegen

import (
	"errors"
	"regexp"
	"slices"

	"github.com/mirin-go/mirin/diag"
)

// Options says where included files come from and what is known beforehand.
type Options struct {
	// IncludeDirs are searched in order after the folder-less name itself.
	IncludeDirs []string
	// Defines are the names of preprocessor macros that are defined.
	Defines []string
	// ReadFile reads an included file; nil makes every include an error.
	ReadFile func(path string) ([]byte, error)
	// Prelude may add classes and definitions before the first statement.
	Prelude func(*Records)
	// LazyDef is asked about a name that no definition has; what it returns
	// becomes a definition.
	LazyDef func(name string) (LazyRecord, bool)
	// Dump receives what dump statements say, as notes; nil drops it.
	Dump func(*diag.Diagnostic)
	// Warn receives warnings; nil drops them.
	Warn func(*diag.Diagnostic)
	// Report receives all messages as they arise, with the include
	// statements that lead to them: errors, warnings and dumps; nil drops it.
	Report func(Report)
	// Lint looks for what is unused, hidden or without effect in the main
	// file; Records.AppendLint tells.
	Lint bool
	// MaxSteps bounds the work of evaluation; 0 takes a generous default.
	MaxSteps int
}

// Parse reads a file and all that it includes and evaluates it. file is the
// name for messages, src the text. The error is a diag.List; the records read
// so far are returned with it.
func Parse(opts Options, file string, src []byte) (*Records, error) {
	rs := &Records{
		classes:  map[string]*Record{},
		defs:     map[string]*Record{},
		globals:  map[string]Init{},
		lazyBusy: map[string]bool{},
		opts:     opts,
	}
	ev := &evaluator{rs: rs, at: noLoc, instances: map[uint64][]instance{}, pending: map[uint64][]*ClassInit{}, regexps: map[string]*regexp.Regexp{}}
	rs.ev = ev
	p := &parser{rs: rs, ev: ev, mcs: map[string]*multiclass{}, types: map[string]*Type{}}
	p.lx = lexer{rs: rs, macros: map[string]bool{}}
	for _, d := range opts.Defines {
		p.lx.macros[d] = true
	}
	if len(src) > 1<<30 {
		ev.errorAt(noLoc, "file '"+file+"' is too large")
		return rs, ev.diags.Err()
	}
	if opts.Prelude != nil {
		opts.Prelude(rs)
	}
	p.lx.open(file, string(src), noLoc)
	p.file()
	p.lintAtEnd()
	rs.opts.LazyDef = nil
	ev.instances, ev.pending = nil, nil
	return rs, ev.diags.Err()
}

// ParsedToEnd reports whether the reader came to the end of the file: where
// Parse gave an error too, only assertions and the like failed.
func (rs *Records) ParsedToEnd() bool { return !rs.ev.failed }

// lazyDef makes the definition that Options.LazyDef knows by that name.
func (rs *Records) lazyDef(name string) *Record {
	f := rs.opts.LazyDef
	if f == nil || rs.lazyBusy[name] || rs.ev.failed {
		return nil
	}
	rs.lazyBusy[name] = true
	defer delete(rs.lazyBusy, name)
	l, ok := f(name)
	if !ok || slices.ContainsFunc(l.Superclasses, func(c string) bool { return rs.classes[c] == nil }) {
		return nil
	}
	if l.Source == "" {
		r, err := rs.AddDef(name, l.Superclasses, l.Fields)
		if err != nil {
			rs.ev.errorAt(rs.ev.at, err.Error())
			return nil
		}
		return r
	}
	p := &parser{rs: rs, ev: rs.ev, mcs: map[string]*multiclass{}, types: map[string]*Type{}}
	p.lx = lexer{rs: rs, macros: map[string]bool{}}
	at := rs.ev.at
	p.lx.open("<"+name+">", l.Source, noLoc)
	p.file()
	rs.ev.at = at
	return rs.defs[name]
}

// AddClass adds a class without template arguments. Each field needs a type;
// a nil value leaves it unset.
func (rs *Records) AddClass(name string, supers []string, fields []NamedInit) (*Record, error) {
	if rs.classes[name] != nil {
		return nil, errors.New("tablegen: class '" + name + "' already defined")
	}
	r := rs.newRecord(kindClass, &StringInit{S: name}, noLoc)
	if err := rs.fill(r, supers, fields); err != nil {
		return nil, err
	}
	rs.classes[name] = r
	rs.classList = append(rs.classList, r)
	return r, nil
}

// AddDef adds a definition. The superclasses take the default values of their
// template arguments. The record exists under its name only afterwards, so
// its fields cannot refer to it.
func (rs *Records) AddDef(name string, supers []string, fields []NamedInit) (*Record, error) {
	if rs.defs[name] != nil {
		return nil, errors.New("tablegen: def already exists: " + name)
	}
	r := rs.newRecord(kindDef, &StringInit{S: name}, noLoc)
	if err := rs.fill(r, supers, fields); err != nil {
		return nil, err
	}
	rs.ev.addDef(r, nil)
	if rs.ev.failed {
		return nil, rs.ev.diags.Err()
	}
	return r, nil
}

// fill gives a record its superclasses and fields.
func (rs *Records) fill(r *Record, supers []string, fields []NamedInit) error {
	for _, s := range supers {
		c := rs.classes[s]
		if c == nil {
			return errors.New("tablegen: " + r.Name + ": no class '" + s + "'")
		}
		rs.ev.inherit(r, classRef{class: c, loc: noLoc})
		if rs.ev.failed {
			return rs.ev.diags.Err()
		}
	}
	for _, n := range fields {
		f := r.field(n.Name)
		if f == nil {
			t := n.Type
			if t == nil && n.Value != nil {
				t = n.Value.Type()
			}
			if t == nil {
				return errors.New("tablegen: " + r.Name + ": field '" + n.Name + "' has no type")
			}
			r.addField(newUnsetField(n.Name, t, noLoc))
			f = r.field(n.Name)
		}
		if n.Value != nil && !f.setValue(n.Value) {
			return errors.New("tablegen: " + r.Name + ": field '" + n.Name + "' of type '" + f.Type.String() +
				"' cannot be " + n.Value.String())
		}
	}
	return nil
}

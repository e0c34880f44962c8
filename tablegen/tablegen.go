package tablegen

import (
	"regexp"
)

// Options says where included files come from and what is known beforehand.
type Options struct {
	// IncludeDirs are searched in order after the folder-less name itself.
	IncludeDirs []string
	// Defines are the names of preprocessor macros that are defined.
	Defines []string
	// ReadFile reads an included file; nil makes every include an error.
	ReadFile func(path string) ([]byte, error)
	// LazyDef is asked about a name that no definition has. Where it names a
	// class that exists by then, the name becomes a definition of that class;
	// see LazyRecord. It may ask for other definitions (Records.Def).
	LazyDef func(rs *Records, name string) LazyRecord
	// Report receives all messages as they arise, with the include
	// statements that lead to them: errors, warnings and dumps; nil drops it.
	Report func(Report)
	// Lint looks for what is unused, hidden or without effect in the main
	// file; Records.AppendLint tells.
	Lint bool
	// MaxSteps bounds the work of evaluation; 0 takes a generous default.
	MaxSteps int
}

// LazyRecord says what a definition is that is made when its name is met.
type LazyRecord struct {
	// Class is its class, "" for none: then there is no such definition.
	Class string
	// Args are template arguments, in order; more than the class has are left
	// out, others have their default values.
	Args []Init
	// Fields have values of their own, those that the class has.
	Fields []LazyField
}

// LazyField is a field with its value, which must be of the field's type.
type LazyField struct {
	Name  string
	Value Init
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

// lazyDef makes the definition that Options.LazyDef describes.
func (rs *Records) lazyDef(name string) *Record {
	f := rs.opts.LazyDef
	if f == nil || rs.lazyBusy[name] || rs.ev.failed {
		return nil
	}
	rs.lazyBusy[name] = true
	defer delete(rs.lazyBusy, name)
	l := f(rs, name)
	c := rs.classes[l.Class]
	if c == nil {
		return nil
	}
	ref := classRef{class: c, loc: noLoc}
	for i, v := range l.Args {
		if i < len(c.TemplateArgs) {
			ref.args = append(ref.args, ClassArg{Index: i, Value: v})
		}
	}
	r := rs.newRecord(kindDef, &StringInit{S: name}, noLoc)
	rs.ev.inherit(r, ref)
	for _, x := range l.Fields {
		r.SetField(x.Name, x.Value)
	}
	rs.ev.addDef(r, nil)
	if rs.ev.failed {
		return nil
	}
	return r
}

package link

import (
	"fmt"

	"github.com/mirin-go/mirin/mc"
)

// symID names a row of linker.syms.
type symID int32

// state is what is known of a symbol.
type state uint8

const (
	undefined state = iota
	defined         // in section sec
	absolute
	common  // becomes defined before the layout
	library // by symbols[at] of lib
	zero    // weak, and nothing defines it: its address is 0
	linkerDefined
)

// symbol is a name of the whole program, or a local one of an object.
type symbol struct {
	name        string
	state       state
	weak        bool // a weak definition; a weak reference while undefined
	local       bool
	typ         mc.SymType
	vis         mc.Visibility
	obj         int32 // the object that defines it, or the first that refers to it
	sec         int32
	value, size uint64 // value: offset in sec; alignment of a common symbol
	edge        edge   // of linkerDefined

	lib *linkLib // of library

	// Entries in the tables, +1; 0 is none.
	got, gotTP, gotGD, stub, dynsym int32
	wanted                          bool // in the dynamic symbol table
	canonical                       bool // the stub is the function's address for everyone
	copied                          bool // sec and value are the place of a copy of the library's variable
}

// linkLib is where in a library a symbol is.
type linkLib struct {
	lib   *sharedLib
	index uint32
}

// object is an input.
type object struct {
	name  string
	obj   *mc.Object
	first int // of its sections in linker.secs
	syms  []symID
}

// section is a section of an input.
type section struct {
	obj     int32
	src     *mc.ObjSection
	data    []byte // nil for zeros
	size    uint64
	align   uint64
	relocs  []mc.Reloc
	out     int32 // output section
	addr    uint64
	dropped bool
	relro   bool // read-only once the dynamic loader has filled in addresses
}

// addSymbols enters an object's sections and symbols.
func (l *linker) addSymbols(name string, o *mc.Object) error {
	n := int32(len(l.objs))
	ob := object{name: name, obj: o, first: len(l.secs), syms: make([]symID, len(o.Symbols))}
	for i := range o.Sections {
		s := &o.Sections[i]
		row := section{obj: n, src: s, data: s.Data, size: s.Size, align: max(s.Align, 1), relocs: s.Relocs, out: -1}
		row.dropped = s.Flags&mc.FlagAlloc == 0 || s.Flags&mc.FlagExclude != 0
		if s.Group != "" && s.Comdat {
			owner, have := l.groups[s.Group]
			if !have {
				owner = int(n)
				l.groups[s.Group] = owner
			}
			row.dropped = row.dropped || owner != int(n)
		}
		l.secs = append(l.secs, row)
	}
	l.objs = append(l.objs, ob)
	for i := range o.Symbols {
		id, err := l.addSymbol(&l.objs[n], n, &o.Symbols[i])
		if err != nil {
			return err
		}
		ob.syms[i] = id
	}
	return nil
}

// addSymbol enters one symbol.
func (l *linker) addSymbol(ob *object, n int32, y *mc.ObjSymbol) (symID, error) {
	row := symbol{name: y.Name, weak: y.Binding == mc.BindWeak, local: y.Binding == mc.BindLocal, typ: y.Type, vis: y.Vis,
		obj: n, sec: -1, value: y.Value, size: y.Size}
	switch y.Section {
	case mc.SecUndefined:
		row.state = undefined
	case mc.SecAbsolute:
		row.state = absolute
	case mc.SecCommon:
		row.state, row.value = common, max(y.Value, 1)
	case mc.SecSignature:
		row.state, row.name = absolute, "" // a program has no groups
	default:
		if y.Section < 0 || y.Section >= len(ob.obj.Sections) {
			return 0, fmt.Errorf("%s: symbol %s: no section %d", ob.name, y.Name, y.Section)
		}
		row.state, row.sec = defined, int32(ob.first+y.Section)
	}
	if y.Type == mc.TypeIFunc && row.state == defined {
		return 0, fmt.Errorf("%s: symbol %s is an indirect function (STT_GNU_IFUNC): not supported", ob.name, y.Name)
	}
	if row.local || y.Type == mc.TypeFile || y.Type == mc.TypeSection {
		row.local = true
		l.syms = append(l.syms, row)
		return symID(len(l.syms) - 1), nil
	}
	if row.state == defined && l.secs[row.sec].dropped && row.typ != mc.TypeSection {
		row.state, row.sec, row.value, row.size = undefined, -1, 0, 0 // another object has the group
	}
	id, have := l.byName[y.Name]
	if !have {
		l.syms = append(l.syms, row)
		id = symID(len(l.syms) - 1)
		l.byName[y.Name] = id
		return id, nil
	}
	return id, l.merge(&l.syms[id], &row)
}

// merge decides between two symbols of one name; the result is in a.
func (l *linker) merge(a, b *symbol) error {
	if a.vis == mc.VisDefault || b.vis != mc.VisDefault && b.vis < a.vis {
		a.vis = b.vis
	}
	vis := a.vis
	switch {
	case b.state == undefined:
		if a.state == undefined {
			a.weak = a.weak && b.weak
			if a.typ == mc.TypeNone {
				a.typ = b.typ
			}
		}
	case a.state == undefined:
		*a = *b
	case a.state == common && b.state == common:
		a.value, a.size = max(a.value, b.value), max(a.size, b.size)
	case b.weak, a.state == defined && !a.weak && b.state == common, a.state == absolute && b.state == common:
	case a.weak, a.state == common:
		*a = *b
	default:
		return fmt.Errorf("symbol %s is defined twice: in %s and in %s", a.name, l.objs[a.obj].name, l.objs[b.obj].name)
	}
	a.vis = vis
	return nil
}

// lookup gives the symbol of a name, making a reference where it is new.
func (l *linker) lookup(name string) symID {
	id, ok := l.byName[name]
	if !ok {
		l.syms = append(l.syms, symbol{name: name, sec: -1})
		id = symID(len(l.syms) - 1)
		l.byName[name] = id
	}
	return id
}

// resolve finds what defines each symbol. What is undefined at the end is an
// error; weak ones become zero.
func (l *linker) resolve() error {
	// Builtin objects are added on the way, so the list grows. Weak references
	// come last: they use the libraries that others need and ask for no more.
	for i := 1; i < len(l.syms); i++ {
		if y := &l.syms[i]; y.state == undefined && !y.weak && !y.local && y.name != "" {
			if err := l.define(symID(i), true); err != nil {
				return err
			}
		}
	}
	var missing MissingError
	for i := 1; i < len(l.syms); i++ {
		y := &l.syms[i]
		if y.state != undefined || y.local || y.name == "" {
			continue
		}
		if y.weak {
			if err := l.define(symID(i), false); err != nil {
				return err
			}
			if y = &l.syms[i]; y.state == undefined {
				y.state = zero
			}
			continue
		}
		missing.Names = append(missing.Names, y.name)
		missing.In = append(missing.In, l.objs[y.obj].name)
	}
	if len(missing.Names) > 0 {
		return &missing
	}
	for i := 1; i < len(l.syms); i++ {
		if y := &l.syms[i]; y.state == common {
			y.state, y.sec, y.value = defined, l.zeros(y.obj, y.size, y.value), 0
		}
	}
	return nil
}

// define looks for an undefined symbol outside the inputs. Strong references
// may open libraries.
func (l *linker) define(id symID, strong bool) error {
	y := &l.syms[id]
	if e, ok := l.edgeNamed(y.name); ok {
		y.state, y.edge, y.vis = linkerDefined, e, mc.VisHidden
		return nil
	}
	if y.vis != mc.VisDefault {
		return nil // promised to be in the program itself
	}
	at, err := l.inLibraries(y.name, strong)
	if err != nil {
		return err
	}
	if at != nil {
		y.state, y.lib = library, at
		if at.lib.symType(at.index) == mc.TypeTLS {
			y.typ = mc.TypeTLS
		}
		return nil
	}
	if strong {
		return l.addBuiltin(y.name)
	}
	return nil
}

// zeros makes a section of n zero bytes for what the linker places itself.
func (l *linker) zeros(obj int32, n, align uint64) int32 {
	src := &mc.ObjSection{Section: mc.Section{Name: ".bss", Type: mc.SecNoBits, Flags: mc.FlagAlloc | mc.FlagWrite}, Size: n, Align: align}
	l.secs = append(l.secs, section{obj: obj, src: src, size: n, align: align, out: -1})
	return int32(len(l.secs) - 1)
}

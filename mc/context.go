package mc

import (
	"slices"
	"strconv"
	"strings"
)

// Context owns symbols, expressions and sections. It is not safe for parallel
// use: each chunk has its own.
type Context struct {
	syms     []Symbol   // row 0 unused
	exprs    []exprNode // row 0 unused
	sections []Section  // row 0 unused
	byName   map[string]namedSym
	epoch    uint32 // see namedSym
	secIDs   map[Section]SectionID
	temps    []tempCount
	info     *AsmInfo
	loc      uint32 // see SetLoc
	// DwarfVersion is that of line tables, CompDir the directory that they are relative to.
	DwarfVersion int
	CompDir      string
	// Dwarf64 asks for the 64-bit format of debug information.
	Dwarf64 bool
}

// namedSym is the symbol of a name, which it had in the chunk with the epoch:
// chunk after chunk names the same functions and variables.
type namedSym struct {
	sym   Sym
	epoch uint32
}

// tempCount counts the numbered symbols of one prefix.
type tempCount struct {
	prefix string
	n      uint32
}

// NewContext returns an empty context for an assembly language; nil is ELFAsmInfo.
func NewContext(info *AsmInfo) *Context {
	if info == nil {
		a := ELFAsmInfo()
		info = &a
	}
	c := &Context{info: info, byName: map[string]namedSym{}, secIDs: map[Section]SectionID{}}
	c.Reset()
	return c
}

// Info describes the assembly language.
func (c *Context) Info() *AsmInfo { return c.info }

// Reset empties the context and keeps its storage.
func (c *Context) Reset() {
	if len(c.byName) > 0 {
		clear(c.byName)
	}
	if len(c.secIDs) > 0 {
		clear(c.secIDs)
	}
	c.truncate()
}

// truncate empties the tables.
func (c *Context) truncate() {
	c.syms = append(c.syms[:0], Symbol{})
	c.exprs = append(c.exprs[:0], exprNode{})
	c.sections = append(c.sections[:0], Section{})
	c.temps = c.temps[:0]
}

// Cut returns the rows of c in memory of their own size, to be read and not added
// to, and empties c.
func (c *Context) Cut() *Context {
	k := &Context{info: c.info, syms: slices.Clone(c.syms), exprs: slices.Clone(c.exprs), sections: slices.Clone(c.sections), temps: slices.Clone(c.temps)}
	c.empty()
	return k
}

// empty is Reset for a chunk: an epoch ends, and the names that no other chunk has
// are taken from the index one by one, since clearing an index costs what the
// largest of all chunks needed.
func (c *Context) empty() {
	for i := range c.syms {
		if y := &c.syms[i]; y.Name != "" && y.Flags&(SymTemp|SymNumbered) == SymTemp {
			delete(c.byName, y.Name)
		}
	}
	for i := range c.sections {
		delete(c.secIDs, c.sections[i])
	}
	if c.epoch++; c.epoch == 0 {
		clear(c.byName)
	}
	c.truncate()
}

// Symbol returns the symbol called name, adding it undefined.
func (c *Context) Symbol(name string) Sym {
	if s := c.Lookup(name); s != 0 {
		return s
	}
	y := Symbol{Name: name, Binding: BindUnset}
	if p := c.info.PrivateGlobal; p != "" && strings.HasPrefix(name, p) {
		y.Flags = SymTemp
	}
	s := c.add(y)
	c.byName[name] = namedSym{s, c.epoch}
	return s
}

// Lookup finds a symbol by name; 0 when there is none.
func (c *Context) Lookup(name string) Sym {
	if s := c.byName[name]; s.epoch == c.epoch {
		return s.sym
	}
	return 0
}

// Temp returns a new temporary symbol, called prefix and a number that counts
// the symbols of that prefix ("tmp" gives .Ltmp0, .Ltmp1, …). The numbers run
// through the whole output: those of a chunk are settled when it is joined.
func (c *Context) Temp(prefix string) Sym {
	k := c.tempIndex(prefix)
	t := &c.temps[k]
	s := c.add(Symbol{Name: t.prefix, Number: t.n, Binding: BindUnset, Flags: SymTemp | SymNumbered})
	t.n++
	return s
}

// Inner returns a new symbol without a name, for a label that only its own chunk
// refers to and that no text shows.
func (c *Context) Inner() Sym { return c.add(Symbol{Binding: BindUnset, Flags: SymTemp | SymInner}) }

// tempIndex finds the counter of a prefix. There are a handful.
func (c *Context) tempIndex(prefix string) int {
	for i := range c.temps {
		if t := c.temps[i].prefix; t[len(c.info.PrivateGlobal):] == prefix {
			return i
		}
	}
	c.temps = append(c.temps, tempCount{prefix: c.info.PrivateGlobal + prefix})
	return len(c.temps) - 1
}

func (c *Context) add(y Symbol) Sym {
	c.syms = append(room(c.syms, 1), y)
	return Sym(len(c.syms) - 1)
}

// At returns the row of s. The pointer is good until the next symbol is added.
func (c *Context) At(s Sym) *Symbol { return &c.syms[s] }

// NumSymbols returns the number of rows; symbols are 1 to NumSymbols()-1.
func (c *Context) NumSymbols() int { return len(c.syms) }

// SymName returns the name of a symbol; of numbered symbols of a chunk the
// number is not final.
func (c *Context) SymName(s Sym) string {
	y := &c.syms[s]
	if y.Flags&SymNumbered != 0 {
		return y.Name + strconv.FormatUint(uint64(y.Number), 10)
	}
	return y.Name
}

// Section returns the section with these properties; mind that Unique is
// GenericSection for ordinary sections.
func (c *Context) Section(s Section) SectionID {
	if id, ok := c.secIDs[s]; ok {
		return id
	}
	c.sections = append(c.sections, s)
	id := SectionID(len(c.sections) - 1)
	c.secIDs[s] = id
	return id
}

// Subsection returns part n of a section; part 0 is the section itself.
func (c *Context) Subsection(id SectionID, n int32) SectionID {
	s := c.sections[id]
	if s.Subsection == n {
		return id
	}
	s.Subsection = n
	return c.Section(s)
}

// Renew gives the name of a symbol to a new one, which is returned. What refers to the
// old one keeps it: a variable that is set again.
func (c *Context) Renew(s Sym) Sym {
	y := c.syms[s]
	t := c.add(Symbol{Name: y.Name, Binding: y.Binding, Type: y.Type, Vis: y.Vis, Flags: y.Flags & SymTemp})
	c.byName[y.Name] = namedSym{t, c.epoch}
	c.syms[s].Flags |= SymReplaced
	return t
}

// SectionAt returns the properties of a section.
func (c *Context) SectionAt(id SectionID) *Section { return &c.sections[id] }

// ELFSection returns the section called name with type, flags and entry size.
func (c *Context) ELFSection(name string, t SectionType, f SectionFlags, entSize uint32) SectionID {
	return c.Section(Section{Name: name, Type: t, Flags: f, EntSize: entSize, Unique: GenericSection})
}

// TextSection returns .text.
func (c *Context) TextSection() SectionID {
	return c.ELFSection(".text", SecProgBits, FlagAlloc|FlagExec, 0)
}

// DataSection returns .data.
func (c *Context) DataSection() SectionID {
	return c.ELFSection(".data", SecProgBits, FlagAlloc|FlagWrite, 0)
}

// BSSSection returns .bss.
func (c *Context) BSSSection() SectionID {
	return c.ELFSection(".bss", SecNoBits, FlagAlloc|FlagWrite, 0)
}

// ReadOnlySection returns .rodata.
func (c *Context) ReadOnlySection() SectionID {
	return c.ELFSection(".rodata", SecProgBits, FlagAlloc, 0)
}

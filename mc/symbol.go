package mc

// Sym names a symbol of a Context; 0 is none.
type Sym uint32

// Binding is how a symbol is seen from other files.
type Binding uint8

// The bindings, with ELF's numbers.
const (
	BindLocal     Binding = 0
	BindGlobal    Binding = 1
	BindWeak      Binding = 2
	BindGNUUnique Binding = 10
	// BindUnset becomes local when the symbol is defined, else global.
	BindUnset Binding = 255
)

// SymType is the type of a symbol.
type SymType uint8

// The types, with ELF's numbers.
const (
	TypeNone    SymType = 0
	TypeObject  SymType = 1
	TypeFunc    SymType = 2
	TypeSection SymType = 3
	TypeFile    SymType = 4
	TypeCommon  SymType = 5
	TypeTLS     SymType = 6
	TypeIFunc   SymType = 10
)

// Visibility is ELF's visibility of a symbol.
type Visibility uint8

// The visibilities, with ELF's numbers.
const (
	VisDefault Visibility = iota
	VisInternal
	VisHidden
	VisProtected
)

// SymFlags are further properties of a symbol.
type SymFlags uint16

// The symbol flags.
const (
	// SymTemp symbols (with the private prefix) stay out of the symbol table.
	SymTemp SymFlags = 1 << iota
	// SymNumbered symbols have a number behind Name that is final only in the
	// outermost context, see Context.Temp.
	SymNumbered
	// SymCommon symbols have CommonSize and CommonAlign but no place.
	SymCommon
	// SymDefined symbols have a place or a Value.
	SymDefined
	// SymRegistered symbols were seen by an object streamer.
	SymRegistered
	// SymUsed symbols occur in a relocation.
	SymUsed
	// SymHasAlias are symbols with a Value (".set").
	SymHasAlias
	// SymNamed symbols are SymNumbered ones that have their name in symbol tables.
	SymNamed
	// SymInner symbols are named by nothing outside of their chunk, which forgets
	// those that it does not need when it is settled.
	SymInner
	// SymReplaced symbols are variables that were set again: their name is another's.
	SymReplaced
	// SymWeakRef symbols are names of others that do not ask for these (".weakref").
	SymWeakRef
	// SymWeakUsed symbols are asked for by such names alone, unless something else does.
	SymWeakUsed
)

// Symbol is one row of a Context.
type Symbol struct {
	Name    string
	Section SectionID // 0: undefined, absolute or alias
	piece   uint32    // number of variable pieces of the section before the label
	Offset  uint64    // in the section's fixed bytes
	Number  uint32    // of SymNumbered
	Size    Expr      // of ".size"; 0 none
	Value   Expr      // of ".set"
	Binding Binding
	Type    SymType
	Vis     Visibility
	Other   uint8 // the target's bits of st_other
	Flags   SymFlags

	CommonSize, CommonAlign uint64
}

// Defined reports whether the symbol has a place or a value.
func (s *Symbol) Defined() bool { return s.Flags&SymDefined != 0 }

// Temp reports whether the symbol stays out of the symbol table.
func (s *Symbol) Temp() bool { return s.Flags&SymTemp != 0 }

// Attr is a symbol attribute directive.
type Attr uint8

// The attributes: binding, visibility, type.
const (
	AttrGlobal Attr = iota
	AttrLocal
	AttrWeak
	AttrHidden
	AttrProtected
	AttrInternal
	AttrTypeFunction
	AttrTypeObject
	AttrTypeTLS
	AttrTypeIFunc
	AttrTypeNoType
	AttrTypeCommon
	AttrTypeGNUUnique
	AttrMemtag
)

package mc

// Object is relocatable machine code in memory: what an object file says, as
// Go data. Section and symbol numbers index its slices.
type Object struct {
	Machine Machine
	// Crel says that relocations are written in the compact format, NoSymbols that the file
	// has no symbol table.
	Crel, NoSymbols bool
	Sections        []ObjSection
	Symbols         []ObjSymbol
}

// The special values of ObjSymbol.Section.
const (
	SecUndefined = -1
	SecAbsolute  = -2
	SecCommon    = -3
	// SecSignature is the header of the group that a local symbol names, where nothing
	// else defines or uses it.
	SecSignature = -4
)

// ObjSection is one section of an Object.
type ObjSection struct {
	Section
	Data   []byte // nil for SecNoBits
	Size   uint64
	Align  uint64 // bytes, at least 1
	Relocs []Reloc
	// Link is the section that FlagLinkOrder refers to, -1 none.
	Link int
}

// ObjSymbol is one symbol of an Object. Value is the offset in the section, the
// value of an absolute symbol, or the alignment of a common one.
type ObjSymbol struct {
	Name    string
	Section int
	Value   uint64
	Size    uint64
	Binding Binding
	Type    SymType
	Vis     Visibility
	Other   uint8 // the target's bits of st_other
}

// Reloc is a place of a section to be filled in: type in the numbers of the
// object format, symbol number (-1 none), addend; of machines without Rela the
// addend lies in the place.
type Reloc struct {
	Offset uint64
	Addend int64
	Type   uint32
	Symbol int32
}

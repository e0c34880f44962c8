package jit

// Image is a relocatable object in memory, as the loader takes it, with
// relocation types by the numbers of the engine's ABI.
type Image struct {
	Sections []Section
	Symbols  []Symbol
	Relocs   []Reloc
}

// Section is a part of an image that is loaded.
type Section struct {
	Name  string
	Data  []byte // nil for zero-initialised sections
	Size  int
	Align int // bytes
	Exec  bool
	Write bool
}

// Symbol is a name; Section is -1 for undefined ones. Absolute symbols have
// Section -2, common ones Section -3 with Value the alignment.
type Symbol struct {
	Name    string
	Section int
	Value   uint64
	Size    uint64
	Weak    bool
	Local   bool
}

// The special values of Symbol.Section.
const (
	Undefined = -1
	Absolute  = -2
	Common    = -3
)

// Reloc is one place of a section to fill in with the address of Symbols[Symbol].
type Reloc struct {
	Section int
	Offset  int
	Type    uint32
	Symbol  int
	Addend  int64
}

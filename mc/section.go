package mc

// SectionID names a section of a Context; 0 is none.
type SectionID uint32

// SectionType is ELF's section type.
type SectionType uint32

// The section types.
const (
	SecNull         SectionType = 0
	SecProgBits     SectionType = 1
	SecSymTab       SectionType = 2
	SecStrTab       SectionType = 3
	SecRela         SectionType = 4
	SecNote         SectionType = 7
	SecNoBits       SectionType = 8
	SecRel          SectionType = 9
	SecInitArray    SectionType = 14
	SecFiniArray    SectionType = 15
	SecPreinitArray SectionType = 16
	SecGroup        SectionType = 17
	SecCrel         SectionType = 0x40000014
	SecAddrSig      SectionType = 0x6fff4c03
	SecCGProfile    SectionType = 0x6fff4c09
	SecCallGraph    SectionType = 0x6fff4c0f
	SecSFrame       SectionType = 0x6ffffff4
)

// SectionFlags are ELF's section flags.
type SectionFlags uint64

// The section flags.
const (
	FlagWrite     SectionFlags = 1 << 0
	FlagAlloc     SectionFlags = 1 << 1
	FlagExec      SectionFlags = 1 << 2
	FlagMerge     SectionFlags = 1 << 4
	FlagStrings   SectionFlags = 1 << 5
	FlagInfoLink  SectionFlags = 1 << 6
	FlagLinkOrder SectionFlags = 1 << 7
	FlagGroup     SectionFlags = 1 << 9
	FlagTLS       SectionFlags = 1 << 10
	// FlagCompressed sections begin with a header that says how.
	FlagCompressed SectionFlags = 1 << 11
	FlagRetain     SectionFlags = 1 << 21
	FlagExclude    SectionFlags = 1 << 31
)

// GenericSection is the Unique number of sections that share their name's one
// section; others are told apart by it (".section name,…,unique,3").
const GenericSection = ^uint32(0)

// Section is what identifies and describes a section. It is comparable: two
// sections of a context are the same if and only if all fields are equal.
type Section struct {
	Name     string
	Type     SectionType
	Flags    SectionFlags
	EntSize  uint32
	Unique   uint32 // GenericSection when the name is enough
	Group    string // signature symbol of the group, "" when in none
	Comdat   bool   // the group is a COMDAT
	LinkedTo Sym    // of FlagLinkOrder
	// Subsection orders parts of a section that are written apart (".subsection").
	Subsection int32
}

// LLVMSectionTypes are the types that LLVM added to ELF's.
var LLVMSectionTypes = [...]SectionTypeName{
	{0x6fff4c00, "llvm_odrtab"}, {0x6fff4c01, "llvm_linker_options"}, {SecAddrSig, "llvm_addrsig"},
	{0x6fff4c04, "llvm_dependent_libraries"}, {0x6fff4c05, "llvm_sympart"}, {SecCGProfile, "llvm_call_graph_profile"}, {0x6fff4c0a, "llvm_bb_addr_map"},
	{0x6fff4c0b, "llvm_offloading"}, {0x6fff4c0c, "llvm_lto"}, {0x6fff4c0d, "llvm_jt_sizes"}, {0x6fff4c0e, "llvm_cfi_jump_table"},
}

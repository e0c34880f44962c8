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
	FlagRetain    SectionFlags = 1 << 21
	FlagExclude   SectionFlags = 1 << 31
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
}

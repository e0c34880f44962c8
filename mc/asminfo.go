package mc

import "cmp"

// AsmInfo describes a target's assembly language (LLVM's MCAsmInfo) as far as
// targets differ. Values are shared and never changed.
type AsmInfo struct {
	BigEndian bool
	// PrivateGlobal is the prefix of names that stay out of the symbol table,
	// PrivateLabel that of blocks: ".L" on most ELF targets, "$" on some.
	PrivateGlobal, PrivateLabel string
	// Comment begins a comment that reaches to the end of the line.
	Comment string
	// Separator stands between statements of a line, "" for nothing but its end.
	Separator string
	// NoHashComments says that '#' at the start of a statement begins no comment.
	NoHashComments bool
	// Darwin says that operators have the precedence that Apple's assembler gives them.
	Darwin bool
	// PercentNames says that % may begin an operand of an expression that is a name.
	PercentNames bool
	// AtInNames says that names may have an @ that begins no modifier.
	AtInNames bool
	// ParenModifiers says that modifiers are written x(mod).
	ParenModifiers bool
	// WholeModifiers says that a modifier behind an expression in brackets is the whole
	// expression's, also of a number; elsewhere it is that of each symbol in it.
	WholeModifiers bool
	// AlignIsPower says that .align is .p2align.
	AlignIsPower bool
	// MinInst is the least size of an instruction in bytes, which addresses in line tables
	// are counted in; 0 is 1.
	MinInst int
	// PtrSize is the size of an address in bytes, 8 where it is 0.
	PtrSize int
	// DataNames are directives for integers beside those of all targets.
	DataNames []DataName
	// Data are the directives for integers of 1, 2, 4 and 8 bytes. Without one for
	// 8 bytes, numbers are written as two of 4.
	Data [4]string
	// Zeros is the directive for a number of bytes of one value.
	Zeros string
	// BSSBySection writes .section for .bss, where others have a directive for it.
	BSSBySection bool
	// StackNote is the section by which an object says that its stack need not be
	// executable, "" for none.
	StackNote string
	// SectionFlags and SectionTypes are the target's own, with their letters and
	// names in .section; the letters stand behind the common ones.
	SectionFlags []SectionFlagName
	SectionTypes []SectionTypeName
	// Relocs lists the relocations of a machine, each as "\nnumber NAME\n"; nil knows none.
	Relocs func(elfMachine uint16) string
	// SignedReturns says that frames tell how return addresses are signed (".cfi_b_key_frame").
	SignedReturns bool
	// Retain is the flag of letter R, 0 for FlagRetain.
	Retain SectionFlags
	// EHFrame and Debug are the types of sections of call frames and of debug information,
	// 0 for plain data.
	EHFrame, Debug SectionType
	// Modifiers are the ways to refer to symbols, by number; row 0 is unused.
	Modifiers []ModifierInfo
}

// DataName is a directive for integers of Size bytes.
type DataName struct {
	Name string
	Size uint8
}

// PointerSize is the size of an address in bytes.
func (a *AsmInfo) PointerSize() int {
	if a.PtrSize == 0 {
		return 8
	}
	return a.PtrSize
}

// AtModifiers reports whether modifiers are written x@mod.
func (a *AsmInfo) AtModifiers() bool { return !a.ParenModifiers && a.Comment != "@" }

// SectionFlagName is the letter of a section flag.
type SectionFlagName struct {
	Flag   SectionFlags
	Letter byte
}

// SectionTypeName is the name of a section type.
type SectionTypeName struct {
	Type SectionType
	Name string
}

// ELFAsmInfo is what most ELF targets have.
func ELFAsmInfo() AsmInfo {
	return AsmInfo{PrivateGlobal: ".L", PrivateLabel: ".L", Comment: "#", Separator: ";", Zeros: "\t.zero\t", StackNote: ".note.GNU-stack",
		Data: [4]string{"\t.byte\t", "\t.short\t", "\t.long\t", "\t.quad\t"}}
}

// EHFrameType is the type of .eh_frame.
func (a *AsmInfo) EHFrameType() SectionType { return cmp.Or(a.EHFrame, SecProgBits) }

// DebugType is the type of .debug_info and the like.
func (a *AsmInfo) DebugType() SectionType { return cmp.Or(a.Debug, SecProgBits) }

// isTLS reports a modifier whose symbols are thread-local.
func (a *AsmInfo) isTLS(m Modifier) bool { return int(m) < len(a.Modifiers) && a.Modifiers[m].TLS }

// TypeMark stands before names of section and symbol types: "@", or "%" where
// that begins a comment.
func (a *AsmInfo) TypeMark() byte {
	if a.Comment == "@" {
		return '%'
	}
	return '@'
}

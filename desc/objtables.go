package desc

// ObjectTables say what objects and assembly of one LLVM back end are made of:
// what becomes of expressions in instructions and data, in each of its flavours.
// tools/mclearn writes them from what LLVM answers (desc/facts keeps them),
// mc/table makes backends of them.
type ObjectTables struct {
	Names string
	// Specs are the ways to refer to a symbol; mc.Modifier numbers them from 1 on, row 0 is unused.
	Specs   []SpecDesc
	Flavors []ObjectFlavor
}

// SpecDesc is a relocation specifier: what is written before and behind the
// expression it belongs to ("%hi(" and ")", "" and "@ha").
type SpecDesc struct {
	Prefix, Suffix Name
	// TLS makes what it refers to a thread-local symbol.
	TLS bool
}

// ObjectFlavor is a file format of a back end: word size, byte order and ABI.
type ObjectFlavor struct {
	Name Name // as in "ppc64le"
	// The header.
	Machine                    uint16
	OSABI, ABIVersion          uint8
	Class64, Rela, BigEndian   bool
	Pointer, TextAlign, MinNop uint8
	// Frames.
	Slot                 uint8 // bytes of a saved register; its negative is the data alignment
	CodeUnit             uint8 // least alignment of instructions
	FDEEncoding          uint8
	EHType               uint32
	ReturnColumn         uint32
	StackUp, CFI, AbsFDE bool
	Initial              []InitialCFI
	// Relax is the relocation behind those of relaxable fixups.
	Relax uint32
	Asm   AsmDesc
	// Kinds are those of data (1, 2, 4, 8 bytes, then the same relative), then the target's:
	// row 8+i is kind FirstTargetFixup+i.
	Kinds  []FixupKindDesc
	Segs   []BitSeg
	Relocs []RelocDesc // sorted by kind, specifier, relative
	// Swaps say for the machine and each of its modes how many bytes of an instruction are in
	// the other order than in the EncoderTable's: SwapAll or units of 2 or 4; 0 none.
	Swaps []uint8
	// Exprs are the fixups of expressions, sorted by mode, opcode and operand; Modes are
	// the names of the modes.
	Modes     []Name
	Exprs     []ExprDesc
	Choices   []ExprChoice
	ExprFixes []ExprFixup
	// Longer are the instructions that have a longer form, sorted by opcode.
	Longer    []LongerDesc
	LongerOps []LongerOp
	// Seqs are sorted by opcode.
	Seqs     []SeqDesc
	SeqParts []SeqPart
	// Nops are the bytes that do nothing of 1, 2, … bytes, by the features that must be on; what is empty cannot be.
	Nops []NopDesc
}

// SwapAll is the unit of Swaps that is the whole instruction, SwapUnknown none that is known.
const (
	SwapAll     = 255
	SwapUnknown = 254
)

// InitialCFI is a directive that all frames begin with, in LLVM's numbers.
type InitialCFI struct {
	Op     uint8
	Reg    uint32
	Offset int64
}

// AsmDesc is how assembly is written.
type AsmDesc struct {
	Comment, Separator, PrivateGlobal, PrivateLabel Name
	Data                                            [4]Name // "" where there is none
	Zero, Ascii, Asciz, Global, Weak                Name
	// Flags are AsmAlignBytes and the following.
	Flags    uint32
	TextFill uint8
}

// The flags of AsmDesc.
const (
	AsmAlignBytes    uint32 = 1 << iota // .align is in bytes
	AsmCommAlignByte                    // .comm's alignment is in bytes
	AsmLCommAlign                       // .lcomm has an alignment
	AsmBSSBySection                     // .section .bss
	AsmSunSections                      // #alloc,#write
	AsmDollarIsPC
	AsmDollarStarts // identifiers may begin with $
	AsmAtInName
	AsmUseAt     // symbol@specifier
	AsmUseParens // symbol(specifier)
	AsmMotorola  // $ff
	AsmLogicalShift
	AsmDwarfRegNum // CFI has numbers of registers
	AsmStackNote
	AsmCFIWithoutEH
)

// FixupKindDesc says what a kind of fixup does with a value: within Lo to Hi and
// a multiple of 1<<Align it is accepted (else RangeError, where {value} is the value, or AlignError is what is
// said); Add is added; of the sum's bits (or, with Sign, its magnitude and bit 63
// where it is not negative) the segments go to the bits of the place, which are
// changed where Const has one, too. Bit i of byte k of the place is bit 8k+i.
type FixupKindDesc struct {
	Name                   Name
	RangeError, AlignError Name
	Lo, Hi                 int64 // both 0: any value
	Add                    int64
	Const                  uint64 // of the first 8 bytes
	Segs                   uint32
	NumSegs                uint8
	Size                   uint8 // bytes of the place
	Align                  uint8
	Flags                  uint8 // FixupPCRel and the following
	// Offset and Bits are where listings show the value (MCFixupKindInfo); Reloc is the
	// relocation of a kind that is nothing else and has no name.
	Offset, Bits uint8
	Reloc        uint16
}

// The flags of FixupKindDesc.
const (
	FixupPCRel     uint8 = 1 << iota
	FixupRelaxable       // a linker may change the instruction
	FixupSign
	FixupClears // what the segments name is cleared before
	FixupAlways // the value 0 is put into the place where a relocation stays, too
	FixupOpaque // what is done to the value is not learned
)

// DataKinds is the number of kinds of data in ObjectFlavor.Kinds.
const DataKinds = 8

// RelocDesc is the relocation of a kind of fixup for a specifier.
type RelocDesc struct {
	Kind, Spec uint16
	PCRel      bool
	Type       uint32
	Flags      uint8 // RelocNames and the following
}

// The flags of RelocDesc.
const (
	RelocNames  uint8 = 1 << iota // it names a symbol, never a section
	RelocForced                   // it stays where the value is known, too
)

// ExprDesc says which fixups an expression makes as operand Op of an opcode: by its
// specifier, as NumChoices rows from Choices on tell; the first of these is for those without a row.
type ExprDesc struct {
	Op         Opcode
	Mode       uint8
	Operand    uint8
	NumChoices uint8
	Choices    uint32
}

// ExprChoice are the fixups for a specifier; Set and Clear are the bits of the encoding's
// first 8 bytes that are so, where the operand 0 had others.
type ExprChoice struct {
	Spec       uint16
	Num        uint8
	Fixes      uint32
	Set, Clear uint64
}

// ExprFixup is a fixup at Offset of an instruction, with Add added to the expression.
type ExprFixup struct {
	Kind   uint16 // row of Kinds
	Offset uint8
	Spec   uint16 // the specifier of its value where it is another: 1 and more
	Add    int64
}

// LongerDesc is the longer form of an opcode.
type LongerDesc struct {
	From, To Opcode
	Ops      uint32
	NumOps   uint8
	// Operand is the one whose expression decides; it needs the longer form outside of Lo to
	// Hi, or where it is not a multiple of 1<<Align.
	Lo, Hi int64
	Align  uint8
	Mode   uint8
}

// LongerOp is operand Op of the short form, or with Op -1 a constant or register.
type LongerOp struct {
	Op    int8
	IsReg bool
	Value int64
}

// SeqDesc is an opcode that is written as several instructions.
type SeqDesc struct {
	Op       Opcode
	NumParts uint8
	Parts    uint32
}

// SeqPart is one of these; its operands are rows of LongerOps, of the opcode's.
type SeqPart struct {
	Op     Opcode
	NumOps uint8
	Ops    uint32
}

// NopDesc is a feature's set of nops: Bytes[i] has i+1 bytes.
type NopDesc struct {
	Feature Name // "" always
	Bytes   []Name
}

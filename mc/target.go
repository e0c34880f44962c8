package mc

import "github.com/mirin-go/mirin/desc"

// Subtarget is what encoders and printers need to know of a subtarget. It is
// immutable and shared.
type Subtarget struct {
	Info     *desc.Info
	CPU      string
	Features []uint64 // by desc.FeatureDesc.Bit
	// DwarfFlavour is the index of desc.Info.DwarfRegs.
	DwarfFlavour int
}

// Has reports whether feature bit is on.
func (st *Subtarget) Has(bit uint16) bool {
	return int(bit/64) < len(st.Features) && st.Features[bit/64]>>(bit%64)&1 != 0
}

// Encoder turns instructions into bytes. It has no state that changes and may be shared.
type Encoder interface {
	// Encode appends the instruction to b and its fixups to fx.
	// On error b and fx are returned as they were.
	Encode(ctx *Context, st *Subtarget, in *Inst, b []byte, fx []Fixup) ([]byte, []Fixup, error)
}

// AsmBackend is what object streamers ask of a target. It may be shared.
type AsmBackend interface {
	// FixupInfo describes a fixup kind; the row must not be changed.
	FixupInfo(k FixupKind) *FixupInfo
	// Relax makes the instruction its longer form, if it has one.
	Relax(in *Inst, st *Subtarget) bool
	// NeedsRelaxation reports whether a value asks for the longer form of an
	// instruction with that fixup.
	NeedsRelaxation(k FixupKind, value int64) bool
	// AppendNops appends n bytes of instructions that do nothing.
	AppendNops(b []byte, n int, st *Subtarget) []byte
	// Apply puts a value into the place of a fixup.
	Apply(place []byte, k FixupKind, value int64) error
	// Resolves reports whether a value that is known in this file goes into the place
	// of a fixup with a modifier; else the relocation stays.
	Resolves(k FixupKind, m Modifier) bool
	// RelocType gives the relocation for a fixup that stays.
	RelocType(k FixupKind, m Modifier, pcRel bool) (uint32, error)
	// NeedsSymbol reports relocations that must name the symbol even where it is
	// local (those through tables).
	NeedsSymbol(relocType uint32, m Modifier) bool
	// Machine returns what goes into an object's header.
	Machine() Machine
}

// Machine describes the target in an object's header.
type Machine struct {
	ELFMachine  uint16
	ELFFlags    uint32
	OSABI       uint8
	ABIVersion  uint8
	Is64        bool // ELF's class
	Rela        bool // relocations have addends of their own
	BigEndian   bool
	PtrSize     int
	EHFrameType SectionType
	CodeAlign   uint64 // alignment of .text even when nothing asks for one
	// RelaxReloc is the relocation behind those of relaxable fixups, 0 none.
	RelaxReloc uint32
	// AlignReloc is the relocation of alignments behind instructions that a linker may change, 0
	// none; AddRelocs and SubRelocs are those of the two labels of a difference, in 1, 2, 4 and 8
	// bytes.
	AlignReloc           uint32
	AddRelocs, SubRelocs [4]uint32
	// AlignLimits says that such an alignment with a greatest number of bytes has a form of
	// its own (LoongArch: a symbol, and both numbers in the addend), which is not written.
	AlignLimits bool
	// FrameAdds and FrameSubs are those of the labels of a step in frames, of 6, 8, 16 and 32 bits;
	// LEBAdd and LEBSub those of a ULEB128, whose value is written as 0 where LEBZero is set.
	FrameAdds, FrameSubs [4]uint32
	LEBAdd, LEBSub       uint32
	LEBZero              bool
	// Maps says that mapping symbols ($x, $d) tell code from data.
	Maps bool
	CIE  CIE
}

// CIE is what the frame information of all functions of a target starts with.
type CIE struct {
	CodeAlign uint64
	DataAlign int64
	Return    uint32 // DWARF number of the return address
	Pointer   uint8  // DWARF encoding of functions' addresses
	Initial   []CFI  // initial instructions
}

// InstPrinter writes instructions as text. It may be shared.
type InstPrinter interface {
	// AppendInst appends mnemonic and operands to b, without indentation and line
	// end, and remarks about the instruction ("imm = 0x190") to remarks, each with
	// a line end. sym appends a symbol's name.
	AppendInst(b, remarks []byte, ctx *Context, st *Subtarget, in *Inst, sym func([]byte, Sym) []byte) (text, notes []byte, err error)
	// AppendDwarfReg appends a register by the number that CFI directives use.
	AppendDwarfReg(b []byte, reg uint32) []byte
	// FileHeader is the first line of a file, "" for none: what makes assemblers
	// expect this printer's syntax.
	FileHeader() string
}

// NameQuoter is an InstPrinter in whose syntax some names of symbols mean something
// else: those stand in quotes.
type NameQuoter interface {
	Reserved(name string) bool
}

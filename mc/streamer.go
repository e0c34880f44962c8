package mc

// CFIOp is the operation of a call frame directive.
type CFIOp uint8

// The call frame directives that make frame instructions.
const (
	CFIDefCfa CFIOp = iota
	CFIDefCfaOffset
	CFIDefCfaRegister
	CFIAdjustCfaOffset
	CFIOffset
	CFIRelOffset
	CFIRestore
	CFISameValue
	CFIUndefined
	CFIRegister
	CFIRememberState
	CFIRestoreState
	CFIEscape
	CFIGnuArgsSize
	CFIWindowSave
	CFINegateRAState
	CFIValOffset
	CFIDefAspaceCfa // Reg2 is the address space
	CFILabel        // defines Label at the place in the table
	CFIBKeyFrame    // AArch64: return addresses are signed with key B
	CFIMTETaggedFrame
	CFINegateRAStateWithPC
)

// CFI is one call frame directive. Registers are DWARF numbers of exception
// frames; offsets are as written in assembly (bytes, not factored).
type CFI struct {
	Op     CFIOp
	Reg    uint32
	Reg2   uint32 // of CFIRegister
	Offset int64  // of CFILabel: where it was read
	Bytes  string // of CFIEscape
	Label  Sym    // of CFILabel
}

// DWARF's pointer encodings, for personality and LSDA.
const (
	EncAbsPtr   = 0x00
	EncULEB128  = 0x01
	EncUData2   = 0x02
	EncUData4   = 0x03
	EncUData8   = 0x04
	EncSLEB128  = 0x09
	EncSData2   = 0x0a
	EncSData4   = 0x0b
	EncSData8   = 0x0c
	EncPCRel    = 0x10
	EncDataRel  = 0x30
	EncIndirect = 0x80
	EncOmit     = 0xff
)

// FrameSections says where call frame information goes: to .eh_frame unless NoEH, to
// .debug_frame and .sframe where these ask for it.
type FrameSections struct{ NoEH, Debug, SFrame bool }

// Streamer takes the parts of one output, or of one chunk of it, in order. All
// symbols, expressions and sections belong to its Context.
//
// What an implementation cannot do is an error with the directive's name; the
// first one is also returned by Finish, so callers may look at that alone.
type Streamer interface {
	Context() *Context

	// Fork returns a streamer for a chunk, with an empty Context of its own, that
	// another goroutine may use. A chunk must switch to a section before anything
	// that needs one.
	Fork() Streamer
	// Cut returns what a fork took since it was made or last cut, in memory of that
	// size, for Join alone; the fork is empty again and keeps its own memory.
	// Symbols in keep stay whatever else refers to them; the numbers are changed to those
	// in what Cut returns.
	Cut(keep ...[]Sym) Streamer
	// Join appends what a fork took, as if it had been said here. The fork, or what
	// Cut returned, is used up. Symbols in keep, the chunk's, get their numbers here.
	Join(chunk Streamer, keep ...[]Sym) error
	// Finish ends the output (not for chunks).
	Finish() error

	// File names the source file (".file"); Ident adds an ".ident" string.
	File(name string)
	Ident(text string)

	// SwitchSection makes s the current section. Section returns it.
	SwitchSection(s SectionID)
	Section() SectionID

	// Label defines a symbol here.
	Label(s Sym)
	// Attribute gives a symbol an attribute.
	Attribute(s Sym, a Attr)
	// Size sets a symbol's size (".size").
	Size(s Sym, e Expr)
	// Assign makes s another name for an expression (".set").
	Assign(s Sym, e Expr)
	// Common declares a common symbol (".comm"), LocalCommon a local one (".local"
	// and ".comm"). align is in bytes.
	Common(s Sym, size, align uint64)
	LocalCommon(s Sym, size, align uint64)

	// AssignConditional is Assign if something refers to s (".lto_set_conditional").
	AssignConditional(s Sym, e Expr)
	// SymVer gives s a version's name (".symver"); with keep it keeps its own, too.
	SymVer(s Sym, name string, keep bool)
	// WeakRef makes alias a name of s that does not ask for it (".weakref").
	WeakRef(alias, s Sym)
	// AddrSig asks for a table of the symbols whose addresses matter, AddrSigSym adds one.
	AddrSig()
	AddrSigSym(s Sym)
	// CGProfile says how often one function calls another.
	CGProfile(from, to Sym, count uint64)
	// Reloc adds a relocation by its name; value may be 0.
	Reloc(at Expr, name string, value Expr, st *Subtarget) error

	// DwarfFile names file n of a unit's line table. Loc gives the line of what follows.
	// Assembly text has one table for all units.
	DwarfFile(unit uint32, n int, f LineFile) error
	Loc(l LineLoc)
	// LineFile gives the number of a file for Loc, which it names when it is new. The
	// numbers of chunks are their own. f must not be changed.
	LineFile(unit uint32, f *LineFile) uint32
	// LineTable is a symbol at the start of a unit's line table.
	LineTable(unit uint32) Sym
	// LocLabel defines a symbol in the line table, where a new sequence begins (".loc_label");
	// at is where its name was read.
	LocLabel(s Sym, at uint32)

	// Bytes appends data; text prints it as strings.
	Bytes(b []byte)
	// Int appends an integer of 1, 2, 4 or 8 bytes.
	Int(v uint64, size int)
	// Value appends the value of an expression in 1, 2, 4 or 8 bytes.
	Value(e Expr, size int)
	// Fill appends count times the low size bytes of v; Zeros n zero bytes.
	Fill(count uint64, size int, v uint64)
	Zeros(n uint64)
	// ULEB128 and SLEB128 append the value of an expression in LEB128.
	ULEB128(e Expr)
	SLEB128(e Expr)
	// Align pads with fill bytes to a multiple of 1<<log2, with at most max bytes
	// unless max is 0; AlignCode pads with instructions that do nothing.
	Align(log2 uint8, fill byte, max uint32)
	AlignCode(log2 uint8, st *Subtarget, max uint32)
	// AlignValue is Align that pads with values of size bytes.
	AlignValue(log2 uint8, fill int64, size int, max uint32)
	// FillExpr is Fill whose count is an expression; Org pads with a byte up to a place of
	// the section; Nops appends n bytes of instructions that do nothing, each of at most
	// limit bytes unless that is 0.
	FillExpr(count Expr, size int, v uint64)
	Org(to Expr, fill byte)
	Nops(n, limit uint64, st *Subtarget)

	// Inst appends an instruction.
	Inst(in *Inst, st *Subtarget) error
	// Raw appends assembly text (module asm, inline asm): text only. IsText
	// reports a streamer that takes it.
	Raw(text string) error
	IsText() bool

	// StartProc and EndProc enclose a function with call frame information;
	// simple leaves out the initial instructions.
	StartProc(simple bool)
	EndProc()
	CFI(c CFI)
	Personality(s Sym, enc uint8)
	LSDA(s Sym, enc uint8)
	SignalFrame()
	ReturnColumn(reg uint32)
	// CFISections says where frames go (".cfi_sections").
	CFISections(s FrameSections)

	// Comment appears at the end of the next line of text output; several are
	// put on lines of their own. RawComment is a line of its own, indented by a
	// tab if tab is set. BlankLine is an empty line. Objects ignore them.
	Comment(text string)
	RawComment(text string, tab bool)
	BlankLine()
}

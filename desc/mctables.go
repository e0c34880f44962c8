package desc

// Tables of the machine code layer: how instructions become bits
// (EncoderTable), bits instructions (DecoderTable), instructions text
// (WriterTable) and text instructions (MatcherTable). Generators write them from
// TableGen records, tools/mclearn from what LLVM answers about its targets
// (desc/facts holds those), and mc/table interprets both. A table refers to what
// it cannot say, functions of the target, by name; binding a table finds them.
// Methods are numbered from 1, 0 is the common behaviour.
//
// What is learned has transformations and styles that are data instead of
// methods (EncXform, WriterStyle), since a rule that many operands follow is
// found by asking, its name is not.

// MCTables are the tables of one target; those it does not have are nil.
type MCTables struct {
	Encoder *EncoderTable
	Decoder *DecoderTable
	Writer  *WriterTable
	Matcher *MatcherTable
}

// BitSeg says that Len bits of a value from bit Value on are bits Inst to
// Inst+Len-1 of an instruction. Bit 0 is the lowest of the first byte where the
// instruction is stored with the low byte first.
type BitSeg struct{ Value, Inst, Len uint16 }

// ImmFormat says which immediates a field can hold: multiples of 1<<Shift that
// fit Bits bits after the shift. The field holds the shifted value.
type ImmFormat struct {
	Bits   uint8 // 0: whatever the segments hold, without a check
	Shift  uint8
	Signed bool
	// Either admits the unsigned range too where the format is signed: -1 and 0xffff.
	Either bool
}

// FeatureTerm is one question about a subtarget: the feature bit, FeatureNot
// where it must be off, FeatureOr where the next term is an alternative.
type FeatureTerm uint16

// The flags of a FeatureTerm.
const (
	FeatureNot FeatureTerm = 1 << 15
	FeatureOr  FeatureTerm = 1 << 14
)

// FeatureCond is Num terms of a table's Terms from First on, all of which must
// hold (an alternative counts as one).
type FeatureCond struct{ First, Num uint16 }

// EncoderTable says how instructions become bytes.
type EncoderTable struct {
	Names     string
	BigEndian bool
	Instrs    []EncInstr // by Opcode; shorter than the opcodes where the rest has no encoding
	// ModeInstrs are the encodings of hardware modes that differ, sorted by mode
	// and opcode; Modes are the names of the modes.
	ModeInstrs []EncModeInstr
	Modes      []Name
	Words      []uint64 // fixed bits, low word first
	Fields     []EncField
	Segs       []BitSeg
	Formats    []ImmFormat // 0: plain
	Fixups     []FixupDesc // kind FirstTargetFixup+i
	Xforms     []EncXform  // 0: none
	Maps       []EncMap
	Methods    []Name // functions that give the value of an operand
	PostFuncs  []Name // functions that change the bits of an instruction in the end
}

// EncInstr is the encoding of one opcode; Size is in bytes, 0 where there is none.
type EncInstr struct {
	Words, Fields uint32
	NumFields     uint8
	Size          uint8
	Post          uint8 // 1+index of PostFuncs
}

// EncModeInstr is the encoding of an opcode in a hardware mode, none with size 0.
type EncModeInstr struct {
	Instr EncInstr
	Op    Opcode
	Mode  uint8
}

// EncField puts an operand into bits: its value, of the format behind the
// transformation, is combined with the fixed bits by exclusive or.
type EncField struct {
	Segs    uint32
	Op      uint16 // operand of the MC instruction
	Method  uint16 // 1+index of Methods
	Format  uint16
	Fixup   uint16 // 1+index of Fixups: for expressions
	Xform   uint16
	NumSegs uint8
}

// EncXformKind tells what a transformation does with the operand's value: the
// encoding of a register, or the immediate.
type EncXformKind uint8

// The kinds.
const (
	XformAdd  EncXformKind = iota // value + Add
	XformSub                      // Add - value
	XformSum                      // value + Add + the value of operand Op
	XformReg                      // what Maps has for the register's number
	XformImm                      // what Maps has for the immediate
	XformSign                     // its magnitude, with bit 63 unless it is negative; Add is the magnitude's bits
)

// EncXform is one transformation. Num rows of Maps from First on are sorted by
// key; a value that has no row cannot be encoded.
type EncXform struct {
	Add        int64
	First, Num uint32
	Op         uint16
	Kind       EncXformKind
}

// EncMap says that Key becomes Value.
type EncMap struct {
	Key   int64
	Value uint64
}

// FixupDesc says how the value of an expression goes into an instruction.
type FixupDesc struct {
	Name    Name
	Segs    uint32
	NumSegs uint8
	Size    uint8 // of the instruction in bytes
	PCRel   bool
	Format  uint16
	// Base is what is added to an address before it is taken as relative to the
	// start of the instruction: -4 where the processor counts from the end.
	Base int8
	// Add is added before the shift (a rounding of high parts), Skip low bits
	// are dropped without being checked.
	Add   int32
	Skip  uint8
	Reloc uint32 // relocation type of objects
}

// DecoderTable says what bytes mean.
type DecoderTable struct {
	Names     string
	BigEndian bool
	Spaces    []DecSpace
	Nodes     []DecNode // 0: nothing matches
	Cases     []DecCase // sorted by value within a node
	Instrs    []DecInstr
	Words     []uint64
	Ops       []DecOp
	Segs      []BitSeg
	Formats   []ImmFormat
	Terms     []FeatureTerm
	Methods   []Name
	// What only learned tables have.
	Xforms []DecXform
	Maps   []EncMap
	Skips  []DecSkip
	Checks []DecCheck // in the order of their instructions
}

// DecCheckKind tells the conditions of decoding apart.
type DecCheckKind uint8

// The kinds, of a field A and the number B: that of a second field and Add.
const (
	CheckEqual  DecCheckKind = iota // A is B
	CheckLess                       // A is less than B
	CheckMember                     // bit B of A is set
	CheckCount                      // of A's bits less than B are set
)

// DecCheck is a condition of instruction Instr. A field is NumA segments from A on;
// without segments it is nothing.
type DecCheck struct {
	Instr      uint32
	A, B       uint32
	Add        int32
	NumA, NumB uint8
	Kind       DecCheckKind
}

// DecXformKind tells how a field's value becomes an operand.
type DecXformKind uint8

// The kinds.
const (
	DecAdd     DecXformKind = iota // what the format makes of it + Add
	DecSub                         // Add - what the format makes of it
	DecSign                        // the format's unsigned value, negative unless the bit above it is set; Add for minus zero
	DecMapReg                      // the register that Maps has for the value
	DecMapImm                      // the immediate that Maps has for it
	DecLinear                      // Add, with the row of Maps of each of its bits that is set by exclusive or
	DecRegList                     // a register for each bit that is set, that of its row of Maps
)

// DecXform is one way to make an operand of a field. Num rows of Maps from First
// on are sorted by key; with a value that has no row the bits mean nothing.
type DecXform struct {
	Add        int64
	First, Num uint32
	Format     uint16
	Kind       DecXformKind
}

// DecSkip says for a namespace how many bytes are left out where they mean
// nothing: Sizes has 256 bytes, for each value of byte At.
type DecSkip struct {
	Name  Name
	Sizes Name
	At    uint8
}

// DecSpace is one tree: the instructions of a namespace that have one length.
type DecSpace struct {
	Name Name
	Root uint32
	Size uint8 // in bytes
}

// DecNode is a switch over the field of Len bits from bit From on, or, with Len
// 0, instruction First. Where that fails Rest is tried: those that do not fix the field.
type DecNode struct {
	First uint32 // case or instruction
	Rest  uint32
	From  uint16
	Num   uint16 // of cases
	Len   uint8
}

// DecCase leads from a value of the field to a node.
type DecCase struct{ Value, Node uint32 }

// DecInstr is one way to read bits. Words holds mask, value and, with Soft,
// mask and value of bits that should but need not be as they are, NumWords
// words each. Opcode 0 says that the bits mean nothing, whatever comes behind.
type DecInstr struct {
	Words     uint32
	Ops       uint32
	Checks    uint32 // the first of Checks
	Op        Opcode
	Features  FeatureCond
	Method    uint16 // 1+index of Methods: decodes all operands
	NumOps    uint8
	NumWords  uint8
	NumChecks uint8
	Soft      bool
	// Incomplete methods may refuse, and then other instructions are tried;
	// else a refusal means that the bits mean nothing.
	Incomplete bool
}

// DecOpKind tells how an operand is made of bits.
type DecOpKind uint8

// The kinds.
const (
	DecImm      DecOpKind = iota // Arg is a format
	DecReg                       // register of class Arg with the encoding
	DecFunc                      // method Arg-1
	DecCopy                      // the same as operand Arg
	DecFixedReg                  // register Arg
	DecXformed                   // Arg is a row of Xforms
)

// DecOp makes one operand, or those that a method adds.
type DecOp struct {
	Fixed   uint64 // bits of the value that the encoding fixes
	Segs    uint32
	Arg     uint16
	NumSegs uint8
	Kind    DecOpKind
}

// WriterTable is the assembly syntax of a target for printing.
type WriterTable struct {
	Names    string
	Variants uint16
	Rows     []uint32 // by opcode*Variants+variant: first part; 0 none
	// Packed stands in place of Rows where it is not empty: 8 bytes for each row,
	// read where they lie. They are the Name of what stands before the first part,
	// the mnemonic, behind which the parts of many opcodes are alike, and the first part.
	Packed  string
	Parts   []WriterPart
	Methods []Name
	// RegNames are names of registers: for each alternative index NumRegs names.
	RegNames []Name
	NumRegs  uint16
	// Aliases are sorted by opcode; those of one opcode are tried in order.
	Aliases []WriterAlias
	Conds   []WriterCond
	Formats []ImmFormat
	Terms   []FeatureTerm
	Preds   []Name // functions that decide about operands of aliases
	Styles  []WriterStyle
	Texts   []StyleText
}

// Row gives the first part of an opcode in a variant, 0 for none, and what stands before it.
func (t *WriterTable) Row(op Opcode, variant int) (head Name, part uint32) {
	row := int(op)*int(t.Variants) + variant
	switch {
	case 8*row+8 <= len(t.Packed):
		p := t.Packed[8*row : 8*row+8]
		return Name(p[0]) | Name(p[1])<<8 | Name(p[2])<<16 | Name(p[3])<<24, uint32(p[4]) | uint32(p[5])<<8 | uint32(p[6])<<16 | uint32(p[7])<<24
	case row < len(t.Rows):
		part = t.Rows[row]
	}
	return 0, part
}

// WriterPart is a piece of text and the operand behind it.
type WriterPart struct {
	Text     Name
	Modifier Name
	Op       int16 // -1 none
	Method   uint16
	Style    uint16 // 1+index of Styles
	RegNames uint8  // alternative index of register names
	Last     bool
}

// WriterStyle is how the value of an operand is written: by a text of its own,
// of the Num rows of Texts from First on, which are sorted by value, or else as
// Prefix, a number and Suffix. Bits, unless 0, is how many low bits of the
// operand count, as a signed number with Signed; the number is what remains times Mul plus Add.
type WriterStyle struct {
	Mul, Add       int64
	Prefix, Suffix Name
	First, Num     uint32
	Kind           WriterStyleKind
	Bits           uint8
	Signed         bool
}

// WriterStyleKind tells how a style writes what has no text of its own.
type WriterStyleKind uint8

// The kinds. Texts of registers (StyleReg, StyleRegTexts) are by their numbers.
const (
	StyleTexts    WriterStyleKind = iota // not at all
	StyleRegTexts                        // not at all
	StyleReg                             // a register's name
	StyleDec                             // in decimal
	StyleHex                             // as 0x1f, -0x1f
	StyleHexBits                         // as 0xffffffffffffffff, two's complement
	StyleSum                             // as + 5, - 5
	StyleSign                            // as +5, -5
)

// StyleText is the text of a value.
type StyleText struct {
	Value int64
	Text  Name
}

// WriterAlias is another way to print an instruction.
type WriterAlias struct {
	Op       Opcode
	NumOps   uint8 // operands that the instruction must have
	NumConds uint8
	Variant  uint16
	Conds    uint32
	Parts    uint32
	Features FeatureCond
	// Form says that this is the instruction's own syntax under the conditions,
	// written also where aliases are not wanted.
	Form bool
}

// WriterCondKind tells the conditions of aliases apart.
type WriterCondKind uint8

// The kinds.
const (
	CondReg    WriterCondKind = iota // operand Op is register Arg
	CondClass                        // it is a register of class Arg
	CondSame                         // it is the register that operand Arg is
	CondImm                          // it is the immediate Arg
	CondFunc                         // function Arg-1 says yes
	CondNoReg                        // it is no register
	CondFits                         // it is an immediate of format Arg, or an expression
	CondText                         // it is an immediate with a text in style Arg-1
	CondAffine                       // it follows another immediate (AffineCond); of matchers alone
)

// AffineCond is the condition that operand op is mul (1 or -1) times operand of and add.
func AffineCond(op, of int, mul, add int64) WriterCond {
	arg := add<<16 | int64(of)<<1
	if mul < 0 {
		arg |= 1
	}
	return WriterCond{Op: uint16(op), Kind: CondAffine, Arg: arg}
}

// Affine takes the argument of an AffineCond apart.
func (c *WriterCond) Affine() (of int, mul, add int64) {
	return int(c.Arg >> 1 & 0x7fff), 1 - 2*(c.Arg&1), c.Arg >> 16
}

// WriterCond is one condition.
type WriterCond struct {
	Arg  int64
	Op   uint16
	Kind WriterCondKind
}

// MatcherTable is the assembly syntax of a target for reading.
type MatcherTable struct {
	Names    string
	Variants []MatchVariant
	Entries  []MatchEntry
	Items    []MatchItem
	Steps    []MatchStep
	Classes  []MatchClass
	Aliases  []MatchAlias // sorted by name
	// Tokens are other texts of words and signs.
	Tokens  []MatchTokenAlias
	Formats []ImmFormat
	Terms   []FeatureTerm
	// FeatureNames names the features of Terms for messages: by bit.
	FeatureNames []Name
	RegNames     []MatchReg // sorted by name
	Parsers      []Name     // ParserMethod
	Preds        []Name     // PredicateMethod
	Renders      []Name     // RenderMethod
	Defaults     []Name     // DefaultMethod
	Converters   []Name     // AsmMatchConverter

	// What follows is what learned tables have instead of variants, entries, items,
	// steps and classes: forms over the parts and styles of the target's WriterTable.
	Forms    []MatchForm // sorted by what their text begins with; those of one mnemonic are tried in order
	Parts    []WriterPart
	Conds    []WriterCond
	FormOps  []MatchOp
	NeedRefs []uint16
	Needs    []MatchNeed
	// Kinds are the names of modifiers of symbols ("" for a plain reference), of which
	// an operand takes some.
	Kinds []Name
	// Words are what the target says in common cases, by MatchWord.
	Words []Name
	// Styles are those that the writer does not have, numbered behind its own.
	Styles []WriterStyle
}

// OwnParts is added to the rows of MatchForm.Parts that are of the matcher's Parts,
// not of the writer's.
const OwnParts = 1 << 31

// MatchForm is a text that is read as an instruction: what parts of a WriterTable
// would write. Operands that it does not show have the values that Conds say, or are
// tied to others.
type MatchForm struct {
	Parts    uint32 // first row of WriterTable.Parts, or OwnParts and one of the matcher's
	Conds    uint32 // first row of Conds
	Ops      uint32 // first row of FormOps, one for each part that has an operand
	Needs    uint32 // first row of NeedRefs: indices of Needs
	Op       Opcode
	NumOps   uint8
	NumConds uint8
	NumNeeds uint8
}

// MatchOp is what is to be said about a written operand of a form.
type MatchOp struct {
	Diag Name // when it is something else
	// Syms says which expressions it may be: a bit for each row of MatcherTable.Kinds.
	Syms uint64
}

// MatchNeed is one thing that a form asks of a subtarget, and how messages name it.
type MatchNeed struct {
	Text     Name
	Features FeatureCond
}

// MatchWord numbers what a target says about a statement.
type MatchWord uint8

// The words.
const (
	WordUnknown MatchWord = iota // no such mnemonic
	WordInvalid                  // an operand that no form takes
	WordFew                      // operands are missing
	WordNeeds                    // before the names of what the subtarget lacks
	WordAnd                      // between them
	NumMatchWords
)

// MatchVariant is one syntax. Its entries are sorted by mnemonic in lower case;
// those of one mnemonic are tried in order.
type MatchVariant struct {
	Number     uint16
	Name       Name
	Comment    Name // what starts a comment
	RegPrefix  Name
	Entry, Num uint32
}

// MatchEntry is one form of one instruction.
type MatchEntry struct {
	Mnemonic           Name
	Items, Steps       uint32
	NumItems, NumSteps uint8
	Op                 Opcode
	Features           FeatureCond
	Convert            uint16 // 1+index of Converters
}

// MatchItemKind tells what is expected in the text.
type MatchItemKind uint8

// The kinds.
const (
	MatchToken    MatchItemKind = iota // the word or sign Text
	MatchOperand                       // an operand of class Arg
	MatchSame                          // operand item Arg once more
	MatchRegister                      // register Arg
)

// MatchItem is one thing in the text, in order.
type MatchItem struct {
	Text Name
	Arg  uint16
	Kind MatchItemKind
	// Glued words stand without a space before them.
	Glued bool
}

// MatchStepKind tells how operands of the MC instruction are made.
type MatchStepKind uint8

// The kinds.
const (
	StepItem    MatchStepKind = iota // render item Arg
	StepImm                          // the immediate Value
	StepReg                          // register Value
	StepCopy                         // a copy of MC operand Arg
	StepDefault                      // render the default of class Arg
)

// MatchStep makes the next operands.
type MatchStep struct {
	Value int64
	Arg   uint16
	Kind  MatchStepKind
}

// MatchClassKind tells how an operand is parsed without a ParserMethod.
type MatchClassKind uint8

// The kinds.
const (
	ClassReg  MatchClassKind = iota // a register of class RegClass, of any with NoClass
	ClassImm                        // an expression; where it is constant, of the format
	ClassFunc                       // the target's ParserMethod alone
)

// MatchClass is a class of operands.
type MatchClass struct {
	Name     Name
	Diag     Name // what to say when an operand is not of the class
	DiagType Name // DiagnosticType, for programs
	RegClass ClassID
	Format   uint16
	Parser   uint16 // numbers of methods, 0 none
	Pred     uint16
	Render   uint16
	Default  uint16
	Kind     MatchClassKind
	Optional bool
	// Symbols says whether expressions that are not constant are of the class.
	Symbols bool
}

// MatchAlias is another name of a mnemonic.
type MatchAlias struct {
	From, To Name
	Variant  int16 // -1: all
	Features FeatureCond
}

// MatchTokenAlias says that From may stand where To is expected.
type MatchTokenAlias struct{ From, To Name }

// MatchReg is a name of a register.
type MatchReg struct {
	Name Name
	Reg  PhysReg
}

package mc

import "github.com/mirin-go/mirin/desc"

// AsmParser is what a target's parser asks of the assembler that calls it
// (LLVM's MCAsmParser); mc/asmparse is one. Positions count the bytes of the
// statement's text.
type AsmParser interface {
	Context() *Context
	Streamer() Streamer
	// Subtarget is that of the next instruction; directives change it.
	Subtarget() *Subtarget
	SetSubtarget(st *Subtarget)
	// Variant is the syntax of instructions, by its number; directives change it.
	Variant() int
	SetVariant(n int)
	// Expr reads the expression that begins at text[pos] (behind blanks) and ends
	// at text[end]: x, or with x 0 the number v. Local labels (1f), the place "."
	// and variables that are numbers are known to it, and so are modifiers: those
	// that AsmInfo names (sym@plt) and those of ExprParser. An error is a *ParseError.
	Expr(text string, pos int) (x Expr, v int64, end int, err error)
	// Emit appends an instruction of the statement, of which there may be several.
	// The parser may use in again.
	Emit(in *Inst) error
	// State is where the target's parser keeps what it knows of this text: nil at first.
	State() *any
	// Warn shows a warning about text[start:end]; an empty range is a place.
	Warn(start, end int, msg string)
}

// TargetAsmParser reads what is the target's own in assembly (LLVM's
// MCTargetAsmParser). It may be shared; what statements change is in AsmParser's
// Subtarget and Variant.
type TargetAsmParser interface {
	// ParseInstruction reads a statement, which begins with its mnemonic, without
	// label, comments (they are blanks) and separator, and emits it. An error is a
	// *ParseError where it has a place in the text.
	ParseInstruction(p AsmParser, text string) error
	// ParseRegister reads the register whose name begins at text[pos], up to
	// text[end]; ok is false where there is none. Directives for call frames ask.
	ParseRegister(p AsmParser, text string, pos int) (r desc.PhysReg, end int, ok bool)
}

// DirectiveParser is a TargetAsmParser with directives of its own.
type DirectiveParser interface {
	// ParseDirective reads the rest of a statement from text[pos] on; name is its
	// directive in lower case (".code16"). known is false for those of others.
	ParseDirective(p AsmParser, name, text string, pos int) (known bool, err error)
}

// EqualsParser is a TargetAsmParser whose instructions have a '=' behind their first word, so
// that nothing is assigned to symbols with one.
type EqualsParser interface {
	EqualsInInstructions()
}

// FinishParser is a TargetAsmParser with something to do at the end of a text without errors.
type FinishParser interface {
	Finish(p AsmParser) error
}

// ExprParser is a TargetAsmParser with forms of expressions of its own: %hi(x), :lo12:x.
type ExprParser interface {
	// ParsePrimary reads the operand of an expression that begins at text[pos];
	// known is false where it is none of the target's forms.
	ParsePrimary(p AsmParser, text string, pos int) (x Expr, end int, known bool, err error)
}

// SessionParser is a TargetAsmParser with a state that statements change: each text is
// read by one of its own.
type SessionParser interface {
	Session() TargetAsmParser
}

// LabelWatcher is a TargetAsmParser that is told of the labels of a text.
type LabelWatcher interface {
	Labelled(p AsmParser, s Sym)
}

// DirectiveAliaser is a TargetAsmParser with other names for directives of all targets.
type DirectiveAliaser interface {
	DirectiveAlias(name string) string
}

// ParseError says what is wrong with a statement, at text[Start:End]; where End
// is not behind Start it is a place. Notes follow the error: the ways in which each
// of several near misses could be an instruction.
type ParseError struct {
	Start, End int
	Msg        string
	Notes      []ParseError
	// More are further errors of the statement, shown behind it.
	More []ParseError
}

// Error gives the message.
func (e *ParseError) Error() string {
	s := e.Msg
	for i := range e.Notes {
		s += "\n\t" + e.Notes[i].Msg
	}
	return s
}

// DecodeStatus is what a disassembler says about bytes.
type DecodeStatus uint8

// The states, from bad to good.
const (
	DecodeFail     DecodeStatus = iota // the bytes are no instruction
	DecodeSoftFail                     // they are one, but bits that should be so are not
	DecodeSuccess
)

// Disassembler turns bytes into instructions. It may be shared.
type Disassembler interface {
	// Disassemble reads the instruction at the start of code, which stands at addr.
	// size is how many bytes it has, or, where they are none, how many a reader
	// steps over, at least 1 unless code is empty.
	Disassemble(in *Inst, st *Subtarget, code []byte, addr uint64) (size int, status DecodeStatus)
}

// SessionDisassembler is a Disassembler that remembers what it has read (ARM's blocks of
// conditions): each text is read by one of its own.
type SessionDisassembler interface {
	NewSession() Disassembler
}

// NewDisassembly gives what reads one text.
func NewDisassembly(d Disassembler) Disassembler {
	if s, ok := d.(SessionDisassembler); ok {
		return s.NewSession()
	}
	return d
}

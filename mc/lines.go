package mc

// LineFile is a file of a line table.
type LineFile struct {
	Dir, Name string
	MD5       [16]byte
	HasMD5    bool
	Source    string
	HasSource bool
}

// LineLoc is a row of a line table: where code was written.
type LineLoc struct {
	File, Line, Col    uint32
	Discriminator, ISA uint32
	Flags              LineFlags
	Unnamed            bool // text shows no name of the file
}

// LineFlags are properties of a row.
type LineFlags uint8

// The flags.
const (
	LineIsStmt LineFlags = 1 << iota
	LineBasicBlock
	LinePrologueEnd
	LineEpilogueBegin
)

// DebugUnit is an assembly file, for debuggers.
type DebugUnit struct {
	Name, CompDir, Producer string
	Version                 int
	Labels                  []DebugLabel
	Sections                []SectionID // that may hold code, in the order of their names
}

// DebugLabel is a label of code and its line.
type DebugLabel struct {
	Name       string
	File, Line uint32
	Sym        Sym
}

// SourceError is an error about what was read at Loc, a number that the assembler knows the
// meaning of (Context.SetLoc).
type SourceError struct {
	Loc uint32
	Msg string
}

// Error gives the message.
func (e *SourceError) Error() string { return e.Msg }

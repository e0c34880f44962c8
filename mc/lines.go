package mc

// LineFile is a file of a line table.
type LineFile struct {
	Dir, Name string
	MD5       [16]byte
	HasMD5    bool
	Source    string
	HasSource bool
}

// key tells files apart.
func (f *LineFile) key() string { return f.Dir + "\x00" + f.Name }

// same reports whether f is the file of the same name in whatever directory; checksums
// must agree, too. LLVM asks no more of a file that is to be file 0.
func (f *LineFile) same(g *LineFile) bool {
	return f.Name == g.Name && f.HasMD5 == g.HasMD5 && f.MD5 == g.MD5
}

// FileNumbers numbers the files of a line table for text, as the object streamer does.
type FileNumbers struct {
	Root    *LineFile // file 0, nil without
	numbers map[string]uint32
	n       uint32
}

// Number gives the number of a file and reports whether it is new.
func (t *FileNumbers) Number(f *LineFile, version int) (n uint32, isNew bool) {
	if t.Root != nil && version >= 5 && t.Root.same(f) {
		return 0, false
	}
	key := f.key()
	if n, ok := t.numbers[key]; ok {
		return n, false
	}
	if t.numbers == nil {
		t.numbers = map[string]uint32{}
	}
	t.n++
	t.numbers[key] = t.n
	return t.n, true
}

// LineLoc is a row of a line table: where code was written.
type LineLoc struct {
	Unit               uint32 // whose table it is
	File, Line, Col    uint32
	Discriminator, ISA uint32
	Flags              LineFlags
	Unnamed            bool   // text shows no name of the file
	Comment            string // in text, instead of file, line and column
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

package tab

import (
	"sort"

	"github.com/mirin-go/mirin/desc"
)

// Result is what a class says about an operand: Invalid, Success, or a number of Words.
type Result uint16

// The results that have no words of their own, as LLVM numbers them.
const (
	Invalid     Result = 0 // "invalid operand for instruction"
	InvalidTied Result = 1
	Missing     Result = 2
	NoMnemonic  Result = 3
	Success     Result = 4
)

// ClassEnd is the class of an operand that is not there.
const ClassEnd = 0

// AnyShape, with a kind of operand in its upper byte, is the row of shapes without one of their own.
const AnyShape = 0xffffff

// Entry is one form of a mnemonic.
type Entry struct {
	Op       desc.Opcode
	Convert  uint16 // row of Conversions
	Features uint16 // row of FeatureSets
	Classes  []uint16
}

// Mnemonic is a mnemonic with its forms: for each variant of the syntax (0 is the usual one, 1 that
// with arrangements in the mnemonic), in the order in which they are tried.
type Mnemonic struct {
	Name    string
	Entries [2][]Entry
	Customs []Custom
}

// Custom says that operands have a parser of their own.
type Custom struct {
	Mask  uint32 // bit n: operand n behind the mnemonic
	Class uint16
}

// Class is what operands of a class are.
type Class struct {
	Parser  uint8 // of its operands, where they have their own
	Default Result
	Rows    []ClassRow // sorted by shape
}

// ClassRow is what a class says about operands of a shape.
type ClassRow struct {
	Shape uint32
	Set   int32 // row of Sets that it takes, -1 for none
	Miss  Result
}

// SetKind is how a set lists its values.
type SetKind uint8

// The kinds of sets.
const (
	SetList    SetKind = iota // Values
	SetRange                  // Values: first, last, step
	SetSpecial                // Values: a number that the target knows, and its arguments
)

// Set is a set of values.
type Set struct {
	Kind   SetKind
	Values []int64 // sorted where it is a list
}

// Feature is a feature of the parser.
type Feature struct {
	Name string
	// AnyOf are the target's features of which one brings it; Always says that it needs none.
	AnyOf  []string
	Always bool
}

// OutKind is what an operand of an instruction is made of.
type OutKind uint8

// The kinds of outputs.
const (
	OutReg      OutKind = iota // a register by a list: Values are pairs of value and register
	OutImm                     // value * Values[0] / Values[1] + Values[2]
	OutImmList                 // a number by a list of pairs
	OutConst                   // Values[0]
	OutSpecial                 // Values: a number that the target knows, and arguments
	OutExpr                    // the expression
	OutSame                    // the register that was read
	OutConstReg                // the register Values[0]
	OutState                   // the number of the field of the state
)

// Out is one operand of an instruction.
type Out struct {
	Kind   OutKind
	Values []int64 // as pairs sorted by value
}

// Convert is what a conversion makes of operands of a shape.
type Convert struct {
	Shape uint32
	Outs  []Out
}

// Tables are all tables.
type Tables struct {
	Mnemonics   []Mnemonic // sorted
	Classes     []Class
	Sets        []Set
	Tokens      []string // sorted; the value of a token is its row
	FeatureSets [][]uint16
	Features    []Feature
	Conversions [][]byte    // pairs of kind and operand, to the first kind 0
	Kinds       [][]Convert // by kind of conversion; sorted by shape
	Tied        [][3]uint8
	Words       []string // by Result
	Specs       []string // names of specifiers: the value of an expression with one is its row + 1
	System      []System
	Extensions  []Extension
	Archs       []Extension // architectures with their features
}

// Find finds a mnemonic.
func (t *Tables) Find(name string) *Mnemonic {
	i := sort.Search(len(t.Mnemonics), func(i int) bool { return t.Mnemonics[i].Name >= name })
	if i < len(t.Mnemonics) && t.Mnemonics[i].Name == name {
		return &t.Mnemonics[i]
	}
	return nil
}

// Token gives the value of a token, -1 where no class has it.
func (t *Tables) Token(s string) int64 {
	i := sort.SearchStrings(t.Tokens, s)
	if i < len(t.Tokens) && t.Tokens[i] == s {
		return int64(i)
	}
	return -1
}

// Row finds the row of a shape.
func (c *Class) Row(shape uint32) *ClassRow {
	for _, s := range [2]uint32{shape, shape | AnyShape} {
		i := sort.Search(len(c.Rows), func(i int) bool { return c.Rows[i].Shape >= s })
		if i < len(c.Rows) && c.Rows[i].Shape == s {
			return &c.Rows[i]
		}
	}
	return nil
}

// Lookup finds the second of a pair by the first.
func (o *Out) Lookup(v int64) (int64, bool) {
	n := len(o.Values) / 2
	i := sort.Search(n, func(i int) bool { return o.Values[2*i] >= v })
	if i < n && o.Values[2*i] == v {
		return o.Values[2*i+1], true
	}
	return 0, false
}

// SystemKind is what a name of the system is of.
type SystemKind uint8

// The kinds of names.
const (
	SystemReg SystemKind = iota
	SystemIC
	SystemDC
	SystemAT
	SystemTLBI
	SystemTLBIP
	SystemPLBI
	SystemMLBI
	SystemGIC
	SystemGICR
	SystemGSB
	SystemSVCR
	SystemPState15
	SystemPState1
)

// Flags of names.
const (
	Readable = 1 << iota
	Writable
	NeedsReg
	OptionalReg
)

// System is a name of a system register, an operation or a state, in capitals.
type System struct {
	Kind     SystemKind
	Flags    uint8
	Enc      uint32
	Name     string
	Features []string // all are needed
}

// Extension is a name for features.
type Extension struct {
	Name     string
	Features []string
}

package mc

import "github.com/mirin-go/mirin/desc"

// Sym names a symbol of a Context; 0 is none.
type Sym uint32

// Modifier is how an expression refers to its symbol.
type Modifier uint8

// The modifiers; text printers write them behind the symbol.
const (
	ModNone Modifier = iota
	ModPLT
	ModGOTPCREL
	ModGOTPCRELNoRelax
	ModGOTTPOFF
	ModTPOFF
	ModTLSGD
	ModTLSLD
	ModDTPOFF
	ModGOT
	ModGOTOFF
)

// Expr is Sym - Sub + Off.
type Expr struct {
	Sym, Sub Sym
	Mod      Modifier
	Off      int64
}

// OpKind is the kind of an instruction operand.
type OpKind uint8

// The kinds of operands.
const (
	OpNone OpKind = iota
	OpReg
	OpImm
	OpExpr
)

// Operand is one operand of an Inst.
type Operand struct {
	Kind OpKind
	Reg  desc.PhysReg
	Imm  int64
	Expr Expr
}

// R, I and E make operands.
func R(r desc.PhysReg) Operand { return Operand{Kind: OpReg, Reg: r} }

// I makes an immediate operand.
func I(v int64) Operand { return Operand{Kind: OpImm, Imm: v} }

// E makes an expression operand.
func E(e Expr) Operand { return Operand{Kind: OpExpr, Expr: e} }

// MaxOps is the largest number of operands of an Inst.
const MaxOps = 12

// Inst is one machine instruction. Callers reuse one.
type Inst struct {
	Op   desc.Opcode
	N    int
	Ops  [MaxOps]Operand
	Lock bool // an added lock prefix
}

// Set makes in the instruction op with the given operands.
func (in *Inst) Set(op desc.Opcode, ops ...Operand) *Inst {
	in.Op, in.N = op, len(ops)
	in.Lock = false
	copy(in.Ops[:], ops)
	return in
}

// Add appends an operand.
func (in *Inst) Add(o Operand) {
	in.Ops[in.N] = o
	in.N++
}

// Binding, type and visibility of symbols, with ELF's numbers.
type (
	Binding    uint8
	SymType    uint8
	Visibility uint8
)

// Bindings.
const (
	BindLocal Binding = iota
	BindGlobal
	BindWeak
	// BindDefault is local when defined and never declared global, global when undefined.
	BindDefault Binding = 255
)

// Symbol types.
const (
	TypeNone SymType = iota
	TypeObject
	TypeFunc
	TypeSection
	TypeFile
	TypeTLS     SymType = 6
	TypeIFunc   SymType = 10
	noneSection         = -1
)

// Visibilities.
const (
	VisDefault Visibility = iota
	VisInternal
	VisHidden
	VisProtected
)

// Symbol is one row of a Context.
type Symbol struct {
	Name    string
	Section int // index of the section it is defined in, -1 when undefined
	Offset  int64
	Size    Expr
	HasSize bool
	Binding Binding
	Type    SymType
	Vis     Visibility
	// Common symbols have a size and alignment but no place.
	Common      bool
	CommonSize  uint64
	CommonAlign uint64
	// Temp symbols (.L…) stay out of the symbol table.
	Temp bool
	// Equal makes the symbol another name for an expression (aliases).
	Equal    Expr
	HasEqual bool
	used     bool
}

// Section flags, ELF's.
const (
	FlagWrite    = 0x1
	FlagAlloc    = 0x2
	FlagExec     = 0x4
	FlagMerge    = 0x10
	FlagStrings  = 0x20
	FlagInfoLink = 0x40
	FlagOrder    = 0x80
	FlagGroup    = 0x200
	FlagTLS      = 0x400
	FlagExclude  = 0x80000000
)

// Section types, ELF's.
const (
	SecProgBits     = 1
	SecNoBits       = 8
	SecNote         = 7
	SecInitArray    = 14
	SecFiniArray    = 15
	SecPreinitArray = 16
	SecX86Unwind    = 0x70000001
)

// Section is one section of the output.
type Section struct {
	Name    string
	Type    uint32
	Flags   uint64
	EntSize int
	Group   string // comdat group, "" none
	Align   int    // bytes, the largest asked for
	index   int
	buf     []byte
	size    int64 // of SecNoBits
	fixups  []Fixup
	grow    []growth
	labels  []Sym
}

// Context owns the symbols of one output.
type Context struct {
	Syms   []Symbol // row 0 unused
	byName map[string]Sym
	temps  int
}

// NewContext returns an empty context.
func NewContext() *Context {
	return &Context{Syms: make([]Symbol, 1), byName: map[string]Sym{}}
}

// Symbol returns the symbol called name, adding it undefined.
func (c *Context) Symbol(name string) Sym {
	if s, ok := c.byName[name]; ok {
		return s
	}
	s := c.add(Symbol{Name: name, Section: noneSection, Binding: BindDefault, Temp: len(name) > 2 && name[:2] == ".L"})
	c.byName[name] = s
	return s
}

// Temp returns a new temporary symbol whose name no other has.
func (c *Context) Temp(name string) Sym {
	return c.add(Symbol{Name: name, Section: noneSection, Binding: BindLocal, Temp: true})
}

func (c *Context) add(s Symbol) Sym {
	c.Syms = append(c.Syms, s)
	return Sym(len(c.Syms) - 1)
}

// At returns the row of s.
func (c *Context) At(s Sym) *Symbol { return &c.Syms[s] }

// CFIOp is the operation of a call frame directive.
type CFIOp uint8

// The call frame directives.
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
	CFIRememberState
	CFIRestoreState
	CFIEscape
)

// CFI is one call frame directive; registers are DWARF numbers.
type CFI struct {
	Op     CFIOp
	Reg    int
	Offset int64
	Bytes  string
}

// Attr is a symbol attribute directive.
type Attr uint8

// The attributes.
const (
	AttrGlobal Attr = iota
	AttrLocal
	AttrWeak
	AttrHidden
	AttrProtected
	AttrInternal
	AttrFunc
	AttrObject
	AttrTLS
	AttrIFunc
)

// Streamer takes the parts of an output in order.
type Streamer interface {
	File(name string)
	Switch(s *Section)
	Label(s Sym)
	Attr(s Sym, a Attr)
	Size(s Sym, e Expr)
	Assign(s Sym, e Expr)
	Common(s Sym, size, align uint64, local bool)
	Bytes(b []byte)
	Value(e Expr, size int)
	Int(v uint64, size int)
	Zeros(n int64)
	Align(log2 int, code bool, max int)
	Inst(in *Inst) error
	StartProc(simple bool)
	EndProc()
	CFI(c CFI)
	Comment(text string)
	Raw(text string) error
}

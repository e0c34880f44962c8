package mir

// AsmGroup is the descriptor in front of each operand of INLINEASM: an
// immediate that says how the operand is passed and how many machine operands
// it has. Bits 0-2 are the kind, 3-15 the number; of what follows, by the kind,
// bits 16-29 are a register class plus 1, 16-30 the number of a memory
// constraint, and with bit 31 the number of the group that the operand is tied to.
// The layout is LLVM 22's (llvm/IR/InlineAsm.h, InlineAsm::Flag).
type AsmGroup uint32

// AsmKind is the kind of an operand of inline assembly.
type AsmKind uint8

// The kinds.
const (
	AsmUse      AsmKind = 1
	AsmDef      AsmKind = 2
	AsmDefEarly AsmKind = 3
	AsmClobber  AsmKind = 4
	AsmImm      AsmKind = 5
	AsmMem      AsmKind = 6
	AsmFunc     AsmKind = 7
)

// The first operands of INLINEASM: the text, an immediate of flags, then the groups.
const (
	AsmTextOp     = 0
	AsmFlagsOp    = 1
	AsmFirstGroup = 2
)

// The flags of the whole statement, immediate AsmFlagsOp.
const (
	AsmSideEffect = 1 << iota
	AsmAlignStack
	AsmIntel
	AsmMayLoad
	AsmMayStore
	AsmConvergent
	AsmMayUnwind
	AsmAllFlags = 1<<iota - 1
)

// AsmMemConstraints are the codes of memory constraints by their numbers.
var AsmMemConstraints = [...]string{"", "es", "i", "k", "m", "o", "v", "A", "Q", "R", "S", "T", "Um", "Un", "Uq", "Us", "Ut", "Uv", "Uy",
	"X", "Z", "ZB", "ZC", "Zy", "p", "ZQ", "ZR", "ZS", "ZT"}

// MakeAsmGroup describes an operand with n machine operands.
func MakeAsmGroup(k AsmKind, n int) AsmGroup { return AsmGroup(k) | asmField(n, 0x1fff)<<3 }

// MaxAsmGroup is the greatest number of a group that another can be tied to.
const MaxAsmGroup = 0x7fff

func asmField(v, limit int) AsmGroup {
	if uint(v) > uint(limit) {
		panic("mir: a descriptor of inline assembly does not hold its number")
	}
	return AsmGroup(v)
}

// WithClass adds the register class of the operand.
func (g AsmGroup) WithClass(c int) AsmGroup { return g | asmField(c+1, 0x3fff)<<16 }

// WithMem adds the number of a memory constraint.
func (g AsmGroup) WithMem(n int) AsmGroup { return g | asmField(n, 0x7fff)<<16 }

// WithTied ties the operand to that of another group.
func (g AsmGroup) WithTied(group int) AsmGroup { return g | 1<<31 | asmField(group, MaxAsmGroup)<<16 }

// Kind returns the kind.
func (g AsmGroup) Kind() AsmKind { return AsmKind(g & 7) }

// NumOps returns the number of machine operands.
func (g AsmGroup) NumOps() int { return int(g >> 3 & 0x1fff) }

// Tied returns the group that the operand is tied to.
func (g AsmGroup) Tied() (group int, ok bool) { return int(g >> 16 & 0x7fff), g>>31 != 0 }

// Class returns the operand's register class, -1 for none.
func (g AsmGroup) Class() int {
	if k := g.Kind(); g>>31 != 0 || k == AsmImm || k == AsmMem {
		return -1
	}
	return int(g>>16&0x3fff) - 1
}

// Mem returns the number of the memory constraint.
func (g AsmGroup) Mem() int { return int(g >> 16 & 0x7fff) }

// AsmGroupAfter returns the index of the descriptor behind the one at k.
func AsmGroupAfter(ops []Operand, k int) int { return k + 1 + AsmGroup(ops[k].Imm()).NumOps() }

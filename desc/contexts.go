package desc

// ContextTable says what opcode bytes mean on x86. A row, one for each mode, class,
// map and byte, names a decision: for each kind of byte behind it (ContextKinds)
// the list of contexts in which it means something. Row, decision and list 0 mean nothing.
type ContextTable struct {
	Rows      []uint32  // by ContextRow: decision
	Decisions []uint32  // ContextKinds lists each
	Starts    []uint32  // list i is Contexts[Starts[i-1]:Starts[i]]
	Contexts  []Context // sorted by key within a list
}

// Context is a key and the opcode that is meant. Keys are, from bit 0 on, of legacy
// encodings: which of the prefixes 66, F3 and F2 there are, the one that counts
// last (0 none, 66, F3, F2, 66 F3, 66 F2, F3 66, F2 66; 3 bits), REX.W, 67 and
// REX2; of the others: pp (2 bits), W, vector length (2 bits), EVEX.b, whether aaa is 0,
// 1 to 3, 4 or more than that (2 bits; the last two in map 4 alone), EVEX.z, and EVEX.U turned over.
type Context struct {
	Key uint16
	Op  Opcode
}

// The classes of encodings; the maps of legacy ones are those of one byte, 0F, 0F38,
// 0F3A and 3DNow!, those of XOP are less 8.
const (
	ContextLegacy = iota
	ContextVEX
	ContextXOP
	ContextEVEX
)

// Sizes of a ContextTable.
const (
	ContextKinds   = 72 // memory with each extension, then C0 to FF
	LegacyContexts = 1 << 6
	VectorContexts = 1 << 10
	ContextRows    = 3 * 4 * 8 * 256
)

// ContextRow is the row of a mode (0: 16 bits, 1: 32, 2: 64), a class, a map and a byte.
func ContextRow(mode, class, m int, op byte) int {
	return ((mode*4+class)*8+m)*256 + int(op)
}

// Meaning gives the opcode of a row in a context, 0 where there is none.
func (t *ContextTable) Meaning(row, kind int, key uint16) Opcode {
	list := t.Decisions[int(t.Rows[row])*ContextKinds+kind]
	if list == 0 {
		return 0
	}
	lo, hi := t.Starts[list-1], t.Starts[list]
	for lo < hi {
		m := (lo + hi) / 2
		if t.Contexts[m].Key < key {
			lo = m + 1
		} else {
			hi = m
		}
	}
	if lo < t.Starts[list] && t.Contexts[lo].Key == key {
		return t.Contexts[lo].Op
	}
	return 0
}

// EVEXFlags reports an opcode of an EVEX map whose aaa are no mask: in map 4 and
// for the bit manipulations at the end of maps 0F38 and 0F3A the upper bit of it
// says that flags stay (APX).
func EVEXFlags(opMap int, opcode byte) bool {
	return opMap == 4 || (opMap == 2 || opMap == 3) && opcode >= 0xf0
}

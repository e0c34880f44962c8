package legal

import (
	"math/bits"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
)

// Action is what is done to an instruction, LLVM's LegalizeAction.
type Action uint8

// The actions.
const (
	// Legal instructions stay.
	Legal Action = iota
	// NarrowScalar does an operation in parts of narrower scalars.
	NarrowScalar
	// WidenScalar does it in wider scalars or elements and ignores the bits added.
	WidenScalar
	// FewerElements splits vectors into shorter ones, or into elements.
	FewerElements
	// MoreElements makes vectors longer and ignores the elements added.
	MoreElements
	// Bitcast does it on another type of the same size.
	Bitcast
	// Lower replaces the operation by simpler ones.
	Lower
	// Libcall calls the run-time library.
	Libcall
	// Custom calls the target's hook.
	Custom
	// Unsupported is an error; artifacts of such types wait for their other half.
	Unsupported
	// NotFound is the answer for opcodes without rules.
	NotFound
)

var actionNames = [...]string{"Legal", "NarrowScalar", "WidenScalar", "FewerElements", "MoreElements", "Bitcast", "Lower",
	"Libcall", "Custom", "Unsupported", "NotFound"}

// String is LLVM's name of the action.
func (a Action) String() string { return actionNames[a] }

// Decision is the answer to a query: what to do to the types of index Idx. To
// is the type wanted there, 0 for actions that want none.
type Decision struct {
	Act Action
	Idx uint8
	To  mir.LLT
}

// Mem is what rules see of a memory access.
type Mem struct {
	// Type is the type in memory, 0 when only the size is known.
	Type mir.LLT
	// Size is in bytes, mir.UnknownSize when not known.
	Size int64
	// Align is the exponent of the access's alignment.
	Align uint8
	// Order is the access's ir.Ordering, 0 for one that is not atomic.
	Order uint8
}

// MaxTypes is the greatest number of type indices of a generic opcode.
const MaxTypes = 6

// Query is what rules see of an instruction. The zero value is ready for Set.
type Query struct {
	Op desc.Opcode
	// SameUses says that the first two uses are one register.
	SameUses bool
	// ConstIndex says that a G_EXTRACT_VECTOR_ELT's index is a constant.
	ConstIndex bool
	// ThreadLocal says that a G_GLOBAL_VALUE's global is a thread-local variable.
	ThreadLocal bool
	// FloatValue says that operand 0 is taken to be a floating-point number.
	FloatValue bool
	// HasMem says that Mem holds the first memory operand.
	HasMem bool
	// Imm is the immediate behind the registers (G_SEXT_INREG's width), 0 for none.
	Imm   int64
	Types [MaxTypes]mir.LLT // by type index, 0 where there is none
	Mem   Mem
}

// condRow is a condition. Its meaning is that of the exported function that
// makes it.
type condRow struct {
	kind      condKind
	not       bool
	idx, idx2 uint8
	n         uint32 // a size or count, or how many of the list
	first     uint32 // where its list begins in types or mems
}

// ruleRow is a rule: conditions that must all hold, and the answer.
type ruleRow struct {
	first uint16 // of its conditions
	n     uint8
	act   Action
	idx   uint8
	mut   mutKind
	from  uint8 // the type index that the mutation looks at
	arg   uint32
	to    mir.LLT
}

type setRow struct{ first, n uint16 }

// memRow is a combination of types and memory: 0 for any type 1.
type memRow struct {
	t0, t1 mir.LLT
	bits   uint32 // in memory
	align  uint8  // least exponent of alignment
}

// Table is the rules of a target or, after Bind, of a subtarget. It is never
// changed once it is made, so that all workers share it.
type Table struct {
	// Bool is the type that comparisons give.
	Bool mir.LLT
	// BitVectors says that comparisons of vectors give vectors of bits; else they give
	// vectors of the operands' size whose elements are all ones or all zeros.
	BitVectors bool
	// MaxInline is the greatest size of a memcpy, memmove or memset that
	// becomes loads and stores, without and with optimization.
	MaxInline [2]int64
	// LoadsZeroExtend says that a load of less than a register leaves zeros in the rest of it.
	LoadsZeroExtend bool
	// Aligned says that memory is accessed at multiples of the access's size alone, and
	// MaxPieces how many accesses stand for a memcpy, memmove or memset then; 0: any number.
	Aligned   bool
	MaxPieces int
	// Word is the size in bytes of the widest integer access that wider ones are cut into.
	Word int

	asksFloat bool    // a rule has FloatValue
	setOf     []uint8 // by opcode, 0 for none
	sets      []setRow
	rules     []ruleRow
	conds     []condRow
	types     []mir.LLT
	mems      []memRow
	features  []string
}

// HasRules reports whether there are rules for an opcode.
func (t *Table) HasRules(op desc.Opcode) bool { return int(op) < len(t.setOf) && t.setOf[op] != 0 }

// Set makes q the query about instruction i.
func (q *Query) Set(f *mir.Function, i mir.InstrID) {
	in := f.Instr(i)
	n := in.NumOps()
	q.Op, q.SameUses, q.ConstIndex, q.ThreadLocal, q.FloatValue, q.HasMem, q.Imm = in.Opcode, false, false, false, false, false, 0
	q.Types = [MaxTypes]mir.LLT{}
	if q.Op == desc.G_UNMERGE_VALUES {
		// The source stands behind any number of parts.
		q.Types[0], q.Types[1] = typeOf(f, i, 0), typeOf(f, i, n-1)
		return
	}
	infos := f.Facts.Operands(q.Op)
	for k := range min(len(infos), n) {
		o := f.Op(i, k)
		if t := infos[k].GenericTypeIndex(); t >= 0 && o.IsReg() && q.Types[t] == 0 {
			q.Types[t] = f.TypeOf(o.Reg())
		}
	}
	switch q.Op {
	case desc.G_EXTRACT_VECTOR_ELT:
		d := f.UniqueDef(f.Op(i, 2).Reg())
		q.ConstIndex = d != 0 && f.Instr(d).Opcode == desc.G_CONSTANT
	case desc.G_GLOBAL_VALUE:
		if o := f.Op(i, 1); o.Kind() == mir.OpGlobal && f.Module != nil {
			q.ThreadLocal = f.Module.Globals[o.Index()].TLS != ir.NotTLS
		}
	case desc.G_SEXT_INREG:
		q.Imm = f.Op(i, 2).Imm()
	case desc.G_FSHL, desc.G_FSHR:
		q.SameUses = f.Op(i, 1).Reg() == f.Op(i, 2).Reg()
	}
	if carries(q.Op) && q.Types[0].IsScalar() {
		q.FloatValue = isFloat(f, f.Op(i, 0).Reg(), maxFloatDepth)
	}
	if f.NumMem(i) > 0 {
		q.HasMem, q.Mem = true, MemOf(f.MemOf(i, 0))
	}
}

// MemOf is what rules see of the access that m describes.
func MemOf(m *mir.MemOperand) Mem {
	return Mem{Type: m.Type, Size: m.Size, Align: alignOf(m), Order: uint8(m.Order)}
}

// alignOf is the exponent of the alignment of an access at its offset from the base.
func alignOf(m *mir.MemOperand) uint8 {
	if m.Offset == 0 {
		return m.BaseAlign
	}
	return min(m.BaseAlign, uint8(bits.TrailingZeros64(uint64(m.Offset))))
}

func typeOf(f *mir.Function, i mir.InstrID, n int) mir.LLT { return f.TypeOf(f.Op(i, n).Reg()) }

// Decide gives the action of the first rule that applies: Unsupported when none
// does, NotFound when there are no rules for the opcode.
func (t *Table) Decide(q *Query) Decision {
	if !t.HasRules(q.Op) {
		return Decision{Act: NotFound}
	}
	s := t.sets[t.setOf[q.Op]-1]
next:
	for k := int(s.first); k < int(s.first)+int(s.n); k++ {
		r := &t.rules[k]
		for c := int(r.first); c < int(r.first)+int(r.n); c++ {
			if x := &t.conds[c]; t.holds(x, q) == x.not {
				continue next
			}
		}
		d := Decision{Act: r.act, Idx: r.idx}
		if r.mut != mutNone {
			d.To = r.mutate(q)
		}
		return d
	}
	return Decision{Act: Unsupported}
}

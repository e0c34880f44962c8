package mir

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
)

// MemID names a memory operand row, 0 none.
type MemID uint32

// MemOperand describes one memory access of an instruction; pointer-free.
type MemOperand struct {
	// Type is the type of the access, 0 when only Size is known.
	Type LLT
	// Size is in bytes; UnknownSize when not known.
	Size   int64
	Offset int64
	// Ptr is what the address is based on, by PtrKind: an ir.Value, a frame
	// index, a global, an index into Symbols.
	Ptr     uint32
	PtrKind PtrKind
	Flags   MemFlags
	// BaseAlign is log2 of the alignment of the base; the access has that at Offset.
	BaseAlign    uint8
	Order        ir.Ordering
	FailOrder    ir.Ordering
	ScalableSize bool
	SyncScope    uint32 // index into the module's SyncScopes
	AddrSpace    uint32
	TBAA         ir.MDID
	AliasScope   ir.MDID
	NoAlias      ir.MDID
	Ranges       ir.MDID
	NoAliasAS    ir.MDID
}

// UnknownSize is the Size of an access of unknown size.
const UnknownSize = -1

// PtrKind is the kind of a memory operand's base.
type PtrKind uint8

// The kinds of bases: an IR value or one of LLVM's pseudo source values.
const (
	PtrNone         PtrKind = iota // unknown address; AddrSpace may be set
	PtrValue                       // ir.Value of the function
	PtrStack                       // "stack"
	PtrGOT                         // "got"
	PtrJumpTable                   // "jump-table"
	PtrConstantPool                // "constant-pool"
	PtrFixedStack                  // frame index: %fixed-stack.N or %stack.N
	PtrGlobalCall                  // call-entry @global
	PtrExtSymCall                  // call-entry &symbol
	PtrCustom                      // custom "name": index into Symbols
	PtrUnknownValue                // unknown-address
)

// MemFlags are the flags of an access.
type MemFlags uint16

// Memory operand flags.
const (
	MemLoad MemFlags = 1 << iota
	MemStore
	MemVolatile
	MemNonTemporal
	MemDereferenceable
	MemInvariant
	MemTarget1
	MemTarget2
	MemTarget3
	MemTarget4
)

// AddMem adds a memory operand row.
func (f *Function) AddMem(m MemOperand) MemID {
	f.mem = push(f.mem, m)
	return MemID(checkedLen(len(f.mem) - 1))
}

// SetMem gives instruction i its memory operands.
func (f *Function) SetMem(i InstrID, ms ...MemID) {
	if len(ms) == 0 {
		f.instrs[i].memOff = 0
		return
	}
	f.instrs[i].memOff = checkedLen(len(f.memRefs))
	f.memRefs = append(roomFor(f.memRefs, 1+len(ms)), MemID(checkedLen(len(ms))))
	f.memRefs = append(f.memRefs, ms...)
}

// CopyMem makes i share the memory operands of from.
func (f *Function) CopyMem(i, from InstrID) { f.instrs[i].memOff = f.instrs[from].memOff }

// SetSlotMem gives instruction i one memory operand: it loads the whole of frame
// object fi, or stores it. Those that do the same share one.
func (f *Function) SetSlotMem(i InstrID, fi int, flags MemFlags) {
	o := f.Frame.Object(fi)
	known := &o.loads
	if flags&MemStore != 0 {
		known = &o.stores
	}
	m := MemOperand{Type: Scalar(int(o.Size) * 8), Size: o.Size, Ptr: uint32(int32(fi)), PtrKind: PtrFixedStack, Flags: flags, BaseAlign: o.Align}
	if *known == 0 || f.mem[f.memRefs[*known+1]] != m {
		f.SetMem(i, f.AddMem(m))
		*known = f.instrs[i].memOff
	}
	f.instrs[i].memOff = *known
}

// MemIDs returns the memory operands of i; good until an instruction gets some. Who
// appends to them gets a list of its own.
func (f *Function) MemIDs(i InstrID) []MemID {
	off := f.instrs[i].memOff
	end := off + 1 + uint32(f.memRefs[off])
	return f.memRefs[off+1 : end : end]
}

// NumMem returns the number of memory operands of i.
func (f *Function) NumMem(i InstrID) int { return int(f.memRefs[f.instrs[i].memOff]) }

// MemOf returns memory operand n of i; rows may be shared between
// instructions, so make a new row instead of changing one.
func (f *Function) MemOf(i InstrID, n int) *MemOperand { return &f.mem[f.MemIDs(i)[n]] }

// InlineAsmFlags are the flags of an INLINEASM (AsmSideEffect …), 0 for other instructions.
func (f *Function) InlineAsmFlags(i InstrID) int64 {
	if op := f.instrs[i].Opcode; (op == desc.INLINEASM || op == desc.INLINEASM_BR) && f.instrs[i].NumOps() > AsmFlagsOp {
		return f.Op(i, AsmFlagsOp).Imm()
	}
	return 0
}

// MayLoad reports that i may read memory, by its description or as inline assembly.
func (f *Function) MayLoad(i InstrID) bool {
	return f.Desc(i).MayLoad() || f.InlineAsmFlags(i)&AsmMayLoad != 0
}

// MayStore reports that i may write memory, by its description or as inline assembly.
func (f *Function) MayStore(i InstrID) bool {
	return f.Desc(i).MayStore() || f.InlineAsmFlags(i)&AsmMayStore != 0
}

// HasSideEffects reports that i does what operands and flags do not show.
func (f *Function) HasSideEffects(i InstrID) bool {
	return f.Desc(i).HasUnmodeledSideEffects() || f.InlineAsmFlags(i)&AsmSideEffect != 0
}

// IsUnordered reports that neither volatility nor an atomic ordering fixes an access's place.
func (m *MemOperand) IsUnordered() bool {
	return m.Flags&MemVolatile == 0 && m.Order <= ir.Unordered
}

// HasOrderedMem reports that i accesses memory in a way that other accesses must
// not pass, or that its memory operands do not say how.
func (f *Function) HasOrderedMem(i InstrID) bool {
	if !f.MayStore(i) && !f.MayLoad(i) && !f.Desc(i).IsCall() && !f.HasSideEffects(i) {
		return false
	}
	n := f.NumMem(i)
	for k := range n {
		if !f.MemOf(i, k).IsUnordered() {
			return true
		}
	}
	return n == 0
}

// IsInvariantLoad reports whether i is a load that gives the same value, and no
// trap, wherever in the function it stands (LLVM's isDereferenceableInvariantLoad).
func (f *Function) IsInvariantLoad(i InstrID) bool {
	if !f.Desc(i).MayLoad() || f.NumMem(i) == 0 {
		return false
	}
	for k := range f.NumMem(i) {
		m := f.MemOf(i, k)
		if m.Flags&(MemStore|MemVolatile) != 0 || m.Order > ir.Unordered {
			return false
		}
		if m.Flags&(MemInvariant|MemDereferenceable) == MemInvariant|MemDereferenceable {
			continue
		}
		switch m.PtrKind {
		case PtrGOT, PtrConstantPool, PtrJumpTable:
		case PtrFixedStack:
			if fi := int(int32(m.Ptr)); fi >= 0 || f.Frame.Object(fi).Flags&FrameImmutable == 0 {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// CFIKind is the operation of a CFI_INSTRUCTION.
type CFIKind uint8

// The CFI operations, MIR's names when printed.
const (
	CFISameValue CFIKind = iota
	CFIRememberState
	CFIRestoreState
	CFIOffset
	CFIDefCfaRegister
	CFIDefCfaOffset
	CFIDefCfa
	CFILLVMDefAspaceCfa
	CFIRelOffset
	CFIAdjustCfaOffset
	CFIEscape
	CFIRestore
	CFIUndefined
	CFIRegister
	CFIWindowSave
	CFINegateRAState
	CFINegateRAStateWithPC
	CFIValOffset
	CFIGnuArgsSize
	CFILabel
)

// CFI is one call frame instruction; registers are DWARF numbers.
type CFI struct {
	Kind      CFIKind
	Reg, Reg2 uint32
	Offset    int64
	AddrSpace uint32
	Bytes     string // escape
}

// AddCFI adds a CFI row and returns the operand.
func (f *Function) AddCFI(c CFI) Operand {
	f.CFI = append(f.CFI, c)
	return IndexOp(OpCFIIndex, uint32(len(f.CFI)-1), 0, 0)
}

package target

import (
	"slices"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// InstrHooks is what the machine passes ask about a target's instructions
// beyond what InstrTable says.
type InstrHooks struct {
	// AnalyzeBranch understands the terminators of b. ok is false when it cannot.
	// Without it InstrTable.Branches describes all branches.
	AnalyzeBranch func(st *Subtarget, f *mir.Function, b mir.BlockID) (br Branch, ok bool)
	// RemoveBranch removes the branches at the end of b; InsertBranch adds them.
	RemoveBranch func(st *Subtarget, f *mir.Function, b mir.BlockID) int
	InsertBranch func(st *Subtarget, f *mir.Function, b mir.BlockID, br Branch, loc mir.DebugLoc) int
	// FoldTailCall puts, in the place of the branch of b that is taken on cond to a block
	// that is nothing but tail call i, that call under the condition; 0 when it cannot.
	// nil: no target has such.
	FoldTailCall func(st *Subtarget, f *mir.Function, b mir.BlockID, cond []mir.Operand, i mir.InstrID) mir.InstrID
	// ReverseCond inverts a condition in place; false when that cannot be done.
	ReverseCond func(st *Subtarget, cond []mir.Operand) bool

	// ExpandPostRAPseudo expands pseudo i after register allocation and reports
	// whether it did.
	ExpandPostRAPseudo func(st *Subtarget, f *mir.Function, i mir.InstrID) (bool, error)
	// InsertCustom expands an instruction with UsesCustomInserter in finalize-isel
	// and returns the block in which to go on.
	InsertCustom func(st *Subtarget, f *mir.Function, i mir.InstrID) (mir.BlockID, error)
	// CommutableOps finds two operands of i that may be exchanged; -1 asks for any.
	// nil: the first two sources of instructions whose description says that they commute.
	CommutableOps func(st *Subtarget, f *mir.Function, i mir.InstrID, a, b int) (int, int, bool)
	// Commute exchanges operands a and b of i in place (opcode and immediates may
	// change); false when it cannot. nil: registers and their flags are exchanged.
	Commute func(st *Subtarget, f *mir.Function, i mir.InstrID, a, b int) bool
	// ConvertToThreeAddress puts a three-address form before i, erases i and returns
	// the form; 0 when it cannot.
	ConvertToThreeAddress func(st *Subtarget, f *mir.Function, i mir.InstrID) mir.InstrID
	// IsAssociative reports whether i computes a op b with an operation that is
	// associative and commutative; with inverse, whether it is the inverse of one.
	IsAssociative func(st *Subtarget, f *mir.Function, i mir.InstrID, inverse bool) bool

	// FoldMemory makes, before i, what does the same with operands ops in memory;
	// see Subtarget.FoldMemoryOperand, which adds the memory operand.
	FoldMemory func(st *Subtarget, f *mir.Function, i mir.InstrID, ops []int, m MemRef) mir.InstrID
	// FoldLoad is FoldMemory for the memory that instruction load reads.
	FoldLoad func(st *Subtarget, f *mir.Function, i mir.InstrID, ops []int, load mir.InstrID) mir.InstrID
	// UnfoldMemory is Subtarget.UnfoldMemory.
	UnfoldMemory func(st *Subtarget, f *mir.Function, i mir.InstrID, r mir.Reg, load, store bool) mir.InstrID

	// IsRematerializable adds to what is true of every target: it is asked about
	// instructions whose description says that they may be computed again. nil: never more.
	IsRematerializable func(st *Subtarget, f *mir.Function, i mir.InstrID) bool
	// Rematerialize makes, before at in b, what computes the same as orig, where a
	// plain copy of orig would not do; 0 leaves it to the copy.
	Rematerialize func(st *Subtarget, f *mir.Function, b mir.BlockID, at, orig mir.InstrID) mir.InstrID

	// AnalyzeCompare understands a comparison that only sets flags.
	AnalyzeCompare func(st *Subtarget, f *mir.Function, i mir.InstrID) (Compare, bool)
	// OptimizeCompare removes comparison i, or changes it, where other flags do as well.
	OptimizeCompare func(st *Subtarget, f *mir.Function, i mir.InstrID, c Compare) bool
	// FoldImmediate makes instruction use, which reads r, use the constant that def
	// moves into r. def is erased when nothing else reads it.
	FoldImmediate func(st *Subtarget, f *mir.Function, use, def mir.InstrID, r mir.Reg) bool
	// CanInsertSelect reports whether InsertSelect works on a condition (as
	// AnalyzeBranch gives it) and registers, and what it costs.
	CanInsertSelect func(st *Subtarget, f *mir.Function, cond []mir.Operand, dst, whenTrue, whenFalse mir.Reg) (SelectCost, bool)
	// InsertSelect puts dst = cond ? whenTrue : whenFalse before at in b.
	InsertSelect func(st *Subtarget, f *mir.Function, b mir.BlockID, at mir.InstrID, loc mir.DebugLoc, cond []mir.Operand, dst, whenTrue, whenFalse mir.Reg)
	// EarlyIfCvtFlag is LLVM's name of the flag that has early-ifcvt make selects; "" for
	// targets that have no such flag.
	EarlyIfCvtFlag string
	// Pipeliner is what pipeliner asks; nil: nothing is known of loops.
	Pipeliner *PipelinerHooks
	// ConstantIn gives the constant that def moves into r. nil: what moves of
	// immediates say is enough.
	ConstantIn func(f *mir.Function, def mir.InstrID, r mir.Reg) (int64, bool)
	// CoalescableExt understands an extension whose source can be read from part
	// sub of its result. nil: there is none.
	CoalescableExt func(f *mir.Function, i mir.InstrID) (dst, src mir.Reg, sub uint16, ok bool)
	// KeepCopy reports that a copy from src:srcSub to dst:dstSub is dearer than the one
	// that is there. nil: never.
	KeepCopy func(f *mir.Function, dst desc.ClassID, dstSub uint16, src desc.ClassID, srcSub uint16) bool
	// HasHighLatency reports an instruction whose result is worth computing early
	// at the price of a register: divisions and roots. nil: none.
	HasHighLatency func(f *mir.Function, i mir.InstrID) bool

	// IsSchedulingBoundary reports instructions that schedulers move nothing across,
	// beside calls, terminators, labels and what moves the stack pointer. nil: none.
	IsSchedulingBoundary func(f *mir.Function, i mir.InstrID) bool
	// MacroFusion reports that first and second are one micro-operation when they stand
	// one behind the other; first 0 asks whether second can be part of one at all. Second
	// is what stands behind a region, a branch. nil: never.
	MacroFusion func(st *Subtarget, f *mir.Function, first, second mir.InstrID) bool
	// AntiDeps says which anti-dependencies post-RA-sched breaks when no flag does.
	AntiDeps AntiDepMode

	// PartialUpdate gives how many instructions ago definition k of i, which keeps a
	// part of the register's old value, should have been written for nothing to be
	// waited for; 0 when it waits for nothing. UndefRead is the same for an undefined
	// use. BreakDependency clears the register before i.
	PartialUpdate, UndefRead func(st *Subtarget, f *mir.Function, i mir.InstrID, k int) int
	BreakDependency          func(st *Subtarget, f *mir.Function, i mir.InstrID, k int)

	// Domains is what execution-domain-fix asks; nil: there are no domains.
	Domains *DomainHooks

	// ReservedRegs appends registers that allocation must not use in any function, beside the
	// frame and base pointers of those that have them; nil: those that the facts reserve.
	ReservedRegs func(st *Subtarget, out []mir.Reg) []mir.Reg
	// AlsoReserved adds to those of ReservedRegs, or of the facts; nil: none.
	AlsoReserved func(st *Subtarget, f *mir.Function, out []mir.Reg) []mir.Reg
}

// InstrTable names the instructions of a subtarget that passes build by
// themselves.
type InstrTable struct {
	// Copies copy registers; the first row that fits counts.
	Copies []CopyRow
	// Spills store registers of a class to the stack and load them; the first row counts
	// whose class has the register's as a subclass of the same spill size.
	Spills []SpillRow
	// Inflate lists classes that values of their sub-classes of the same size may
	// move to when no instruction asks for less (LLVM's largest legal super-classes),
	// the largest first; NoInflate those that must stay what they are.
	Inflate, NoInflate []desc.ClassID
	// SlotAddress are the operands behind the frame index that address a stack slot; nil: 0.
	SlotAddress []mir.Operand
	// AddressFirst says that a store names the address before the register.
	AddressFirst bool
	// Loads and Stores are the instructions that load and store a register and do
	// nothing else, sorted by opcode.
	Loads, Stores []SlotAccess
	// FixedClasses have registers that instructions write without saying so
	// (flags, control words): their definitions stay where they are.
	FixedClasses []desc.ClassID

	// LoopAlign is log2 of what the first blocks of loops are aligned to.
	LoopAlign uint8

	// Jump is the unconditional branch to a block, its first operand. Branches
	// are the conditional ones, each pair opposites; the block is their last
	// explicit operand.
	Jump     desc.Opcode
	Branches [][2]desc.Opcode
}

// CopyRow is an instruction that copies a register of a class to one of another
// (or the same). Operands behind these two are the source again where they are
// registers, else 0.
type CopyRow struct {
	Dst, Src desc.ClassID
	Op       desc.Opcode
}

// SpillRow are the instructions that store and load registers of a class.
type SpillRow struct {
	Class       desc.ClassID
	Store, Load desc.Opcode
	// Where Align (log2) is more than a slot has, StoreAny and LoadAny serve.
	Align             uint8
	StoreAny, LoadAny desc.Opcode
}

// CopyPhysReg inserts a copy of physical registers before at in block b.
func (st *Subtarget) CopyPhysReg(f *mir.Function, b mir.BlockID, at mir.InstrID, loc mir.DebugLoc, dst, src mir.Reg, killSrc bool) error {
	op := desc.Opcode(0)
	if st.Instr != nil {
		for k := range st.Instr.Copies {
			if c := &st.Instr.Copies[k]; st.Facts.ClassContains(c.Dst, desc.PhysReg(dst)) && st.Facts.ClassContains(c.Src, desc.PhysReg(src)) {
				op = c.Op
				break
			}
		}
	}
	if op == 0 {
		return st.NotSupported(f, "copy of $"+st.Facts.RegName(desc.PhysReg(src))+" to $"+st.Facts.RegName(desc.PhysReg(dst)))
	}
	kill := mir.OpFlags(0)
	if killSrc {
		kill = mir.Kill
	}
	ops := append(make([]mir.Operand, 0, 4), mir.RegOp(dst, mir.Def))
	infos := st.Facts.Operands(op)
	for k := 1; k < len(infos); k++ {
		if infos[k].RegClass >= 0 {
			ops = append(ops, mir.RegOp(src, kill))
		} else {
			ops = append(ops, mir.ImmOp(0))
		}
	}
	i := f.New(op, ops...)
	f.Instr(i).Loc = loc
	f.InsertBefore(b, at, i)
	return nil
}

// spillRow finds the instructions for a class, nil when there are none.
func (st *Subtarget) spillRow(class desc.ClassID) *SpillRow {
	if st.Instr == nil {
		return nil
	}
	if st.spills == nil { // of no machine
		return st.findSpills()[class]
	}
	return st.spills()[class]
}

// findSpills finds the instructions for all classes.
func (st *Subtarget) findSpills() []*SpillRow {
	in := st.Facts
	spills := make([]*SpillRow, len(in.Classes))
	for c := range spills {
		size := in.ClassSize(desc.ClassID(c), in.DefaultMode).SpillSize
		for k := range st.Instr.Spills {
			if r := &st.Instr.Spills[k]; in.HasSubClassEq(r.Class, desc.ClassID(c)) && in.ClassSize(r.Class, in.DefaultMode).SpillSize == size {
				spills[c] = r
				break
			}
		}
	}
	return spills
}

// LargestSuperClass is the largest class that values of class c may move to, c
// itself when there is none.
func (st *Subtarget) LargestSuperClass(c desc.ClassID) desc.ClassID {
	if st.Instr == nil || slices.Contains(st.Instr.NoInflate, c) {
		return c
	}
	in := st.Facts
	size := in.ClassSize(c, in.DefaultMode)
	for _, s := range st.Instr.Inflate {
		if to := in.ClassSize(s, in.DefaultMode); s != c && in.HasSubClassEq(s, c) && to.RegSize == size.RegSize && to.SpillSize == size.SpillSize {
			return s
		}
	}
	return c
}

// StoreRegToStack inserts, before at in block b, what stores a register of a
// class to a stack slot.
func (st *Subtarget) StoreRegToStack(f *mir.Function, b mir.BlockID, at mir.InstrID, src mir.Reg, kill bool, fi int, class int16, flags mir.MIFlags) error {
	row := st.spillRow(desc.ClassID(class))
	if row == nil {
		return st.NotSupported(f, "spilling of register class "+st.Facts.RegClassName(desc.ClassID(class)))
	}
	r := mir.RegOp(src, 0).WithFlag(mir.Kill, kill)
	op := row.Store
	if row.Align > f.Frame.Object(fi).Align {
		op = row.StoreAny
	}
	st.slotAccess(f, b, at, op, r, st.Instr.AddressFirst, fi, mir.MemStore, flags)
	return nil
}

// LoadRegFromStack inserts what loads it back.
func (st *Subtarget) LoadRegFromStack(f *mir.Function, b mir.BlockID, at mir.InstrID, dst mir.Reg, fi int, class int16, flags mir.MIFlags) error {
	row := st.spillRow(desc.ClassID(class))
	if row == nil {
		return st.NotSupported(f, "reloading of register class "+st.Facts.RegClassName(desc.ClassID(class)))
	}
	op := row.Load
	if row.Align > f.Frame.Object(fi).Align {
		op = row.LoadAny
	}
	st.slotAccess(f, b, at, op, mir.RegOp(dst, mir.Def), false, fi, mir.MemLoad, flags)
	return nil
}

func (st *Subtarget) slotAccess(f *mir.Function, b mir.BlockID, at mir.InstrID, op desc.Opcode, r mir.Operand, addressFirst bool, fi int, mem mir.MemFlags, flags mir.MIFlags) {
	var buf [8]mir.Operand
	ops := buf[:0]
	if !addressFirst {
		ops = append(ops, r)
	}
	ops = append(ops, mir.FrameOp(fi))
	if rest := st.Instr.SlotAddress; rest != nil {
		ops = append(ops, rest...)
	} else {
		ops = append(ops, mir.ImmOp(0))
	}
	if addressFirst {
		ops = append(ops, r)
	}
	i := f.New(op, ops...)
	f.Instr(i).SetFlags(flags)
	f.SetSlotMem(i, fi, mem)
	f.InsertBefore(b, at, i)
}

// CalleeSaved appends the callee-saved registers of f: its own, or its convention's,
// the C convention's where the target does not say.
func (st *Subtarget) CalleeSaved(f *mir.Function, out []desc.PhysReg) []desc.PhysReg {
	switch {
	case f.CalleeSavedSet:
		for _, r := range f.CalleeSaved {
			out = append(out, desc.PhysReg(r))
		}
		return out
	case st.Call == nil:
		v := st.Variant
		return append(out, f.Facts.RegLists.Rows()[v.SavedRegs:int(v.SavedRegs)+int(v.NumSaved)]...)
	}
	cc := uint16(0) // C
	if f.IR != nil {
		cc = f.IR.Global().CC
	}
	return append(out, st.Call.SavedRegs(cc)...)
}

// CanAllocate says why registers of f cannot be allocated: of a target that is
// known by facts alone nobody knows which register holds the base of a frame that
// grows while the function runs.
func (st *Subtarget) CanAllocate(f *mir.Function) error {
	if st.Options.FactsOnly && f.Frame.HasVarSizedObjects {
		return st.NotSupported(f, "register allocation with stack objects of variable size")
	}
	return nil
}

// ReservedRegs appends the registers that allocation must not use in f.
func (st *Subtarget) ReservedRegs(f *mir.Function, out []mir.Reg) []mir.Reg {
	out = append(out, st.alwaysReserved().list...)
	return st.appendOwnReserved(f, out)
}

// ReservedSet returns the set of these, a bit for each register, in the memory of set
// where that is enough.
func (st *Subtarget) ReservedSet(f *mir.Function, set []uint32) []uint32 {
	set = append(set[:0], st.alwaysReserved().set...)
	for _, r := range st.appendOwnReserved(f, nil) {
		set[r/32] |= 1 << (r % 32)
	}
	return set
}

// appendOwnReserved appends what is reserved in f and not in every function.
func (st *Subtarget) appendOwnReserved(f *mir.Function, out []mir.Reg) []mir.Reg {
	if h := st.Target.Instr.AlsoReserved; h != nil {
		out = h(st, f, out)
	}
	h := st.FrameHooks()
	if st.HasFP(f) {
		out = st.appendWithSubs(out, h.FramePointer)
	}
	if r := st.BasePointer(f); r != 0 {
		out = st.appendWithSubs(out, r)
	}
	return out
}

// reservedRegs are the registers that are reserved in every function, as a list and as a set.
type reservedRegs struct {
	list []mir.Reg
	set  []uint32
}

func (st *Subtarget) alwaysReserved() *reservedRegs {
	if st.reserved == nil { // of no machine
		return st.findReserved()
	}
	return st.reserved()
}

func (st *Subtarget) findReserved() *reservedRegs {
	x := &reservedRegs{set: make([]uint32, st.Facts.RegWords())}
	if h := st.Target.Instr.ReservedRegs; h != nil {
		x.list = h(st, nil)
		for _, r := range x.list {
			x.set[r/32] |= 1 << (r % 32)
		}
		return x
	}
	copy(x.set, st.Facts.RegMaskBits.Rows()[st.Variant.Reserved:])
	for r := range st.Facts.Regs {
		if x.set[r/32]>>(r%32)&1 != 0 {
			x.list = append(x.list, mir.Reg(r))
		}
	}
	return x
}

func (st *Subtarget) appendWithSubs(out []mir.Reg, r desc.PhysReg) []mir.Reg {
	out = append(out, mir.Reg(r))
	for s := range st.Facts.SubRegs(r).All() {
		out = append(out, mir.Reg(s))
	}
	return out
}

// DomainHooks say which instructions processors execute in which domain: a value that
// goes from one domain into another takes longer.
type DomainHooks struct {
	// Class are the registers that values of the domains are in.
	Class desc.ClassID
	// Shift says where in a description's TSFlags the two bits of its domain stand; 0 is
	// none.
	Shift uint8
	// Of gives the domain of an instruction whose description has one, and a bit for each
	// domain that it may be in: mask is 0 where that is its own alone. domain is 0 where it
	// counts for none.
	Of func(st *Subtarget, f *mir.Function, i mir.InstrID) (domain int, mask uint8)
	// Set makes i an instruction of one of the domains of its mask.
	Set func(st *Subtarget, f *mir.Function, i mir.InstrID, domain int)
}

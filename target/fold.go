package target

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// MemRef is memory that an operand is replaced by: the operands of its address,
// its size in bytes (0: that of the access), and log2 of its alignment.
type MemRef struct {
	Addr  []mir.Operand
	Size  int64
	Align uint8
}

// SlotAccess is an instruction that moves a whole register of Bytes bytes to or
// from memory.
type SlotAccess struct {
	Op    desc.Opcode
	Bytes uint8
}

// FoldMemoryOperand makes, before instruction i, an instruction that does the
// same with operands ops, which name one register, in stack slot fi, and returns
// it; 0 when there is none. A tied use is listed for STATEPOINT alone: elsewhere it
// goes with its definition.
// i stays for the caller to erase; where it reads and writes the register the slot
// is read and written.
func (st *Subtarget) FoldMemoryOperand(f *mir.Function, i mir.InstrID, ops []int, fi int) mir.InstrID {
	o := *f.Frame.Object(fi)
	access, size := mir.MemFlags(0), int64(0)
	for _, k := range ops {
		switch op := f.Op(i, k); {
		case op.IsDef() && op.IsTied():
			access, size = access|mir.MemLoad|mir.MemStore, o.Size
		case op.IsDef():
			access, size = access|mir.MemStore, o.Size
		default:
			access |= mir.MemLoad
			n := o.Size
			if sub := op.SubReg(); sub != 0 {
				if bits := int64(st.Facts.SubRegIndices[sub].Size); bits != desc.NoBits && bits%8 == 0 && bits > 0 {
					n = bits / 8
				}
			}
			size = max(size, n)
		}
	}
	n := mir.InstrID(0)
	if IsPatchPoint(f.Instr(i).Opcode) {
		n = st.foldPatchPoint(f, i, ops, fi)
	} else if h := st.Target.Instr.FoldMemory; h != nil {
		m := MemRef{Addr: st.appendSlot(f.LooseOps(8)[:0], fi), Size: o.Size, Align: o.Align}
		n = h(st, f, i, ops, m)
	}
	if n == 0 {
		return st.foldCopy(f, i, ops, fi)
	}
	f.CopyMem(n, i)
	st.addMem(f, n, f.AddMem(mir.MemOperand{Type: mir.Scalar(int(size) * 8), Size: size, Ptr: uint32(int32(fi)), PtrKind: mir.PtrFixedStack, Flags: access, BaseAlign: o.Align}))
	return n
}

// appendSlot appends the operands that address a stack slot.
func (st *Subtarget) appendSlot(ops []mir.Operand, fi int) []mir.Operand {
	ops = append(ops, mir.FrameOp(fi))
	if st.Instr == nil || st.Instr.SlotAddress == nil {
		return append(ops, mir.ImmOp(0))
	}
	return append(ops, st.Instr.SlotAddress...)
}

// addMem gives instruction i one memory operand more.
func (st *Subtarget) addMem(f *mir.Function, i mir.InstrID, m mir.MemID) {
	var buf [4]mir.MemID
	f.SetMem(i, append(append(buf[:0], f.MemIDs(i)...), m)...)
}

// foldCopy makes a spill or a reload of a copy one of whose registers is in a slot.
func (st *Subtarget) foldCopy(f *mir.Function, i mir.InstrID, ops []int, fi int) mir.InstrID {
	if len(ops) != 1 || f.Instr(i).NumOps() != 2 || !st.IsCopy(f, i) {
		return 0
	}
	folded, live := *f.Op(i, ops[0]), *f.Op(i, 1-ops[0])
	if folded.SubReg() != 0 || live.SubReg() != 0 || !folded.Reg().IsVirtual() {
		return 0
	}
	class := f.VReg(folded.Reg()).Class
	switch r := live.Reg(); {
	case class < 0:
		return 0
	case r.IsPhysical():
		if !st.Facts.ClassContains(desc.ClassID(class), desc.PhysReg(r)) {
			return 0
		}
	case f.VReg(r).Class < 0 || !st.Facts.HasSubClassEq(desc.ClassID(class), desc.ClassID(f.VReg(r).Class)):
		return 0
	}
	b, err := f.Instr(i).Block(), error(nil)
	switch {
	case folded.IsDef() && live.IsUndef():
		k := f.New(desc.KILL, mir.RegOp(live.Reg(), live.Flags()&^mir.Renamable))
		f.Instr(k).Loc = f.Instr(i).Loc
		f.InsertBefore(b, i, k)
	case folded.IsDef():
		err = st.StoreRegToStack(f, b, i, live.Reg(), live.IsKill(), fi, class, f.Instr(i).Flags())
	default:
		err = st.LoadRegFromStack(f, b, i, live.Reg(), fi, class, f.Instr(i).Flags())
	}
	if err != nil {
		return 0
	}
	return f.Instr(i).Prev()
}

// IsCopy reports COPY and the target's plain moves of whole registers.
func (st *Subtarget) IsCopy(f *mir.Function, i mir.InstrID) bool {
	op := f.Instr(i).Opcode
	return op == desc.COPY || op >= desc.FirstTargetOpcode && f.Desc(i).IsMoveReg() && f.Instr(i).NumOps() == 2
}

// FoldLoad makes, before instruction i, an instruction that does the same with
// operands ops, which name the register that load defines, loaded by itself, and
// returns it; 0 when there is none. The caller knows that nothing between them
// writes that memory. i and load stay.
func (st *Subtarget) FoldLoad(f *mir.Function, i mir.InstrID, ops []int, load mir.InstrID) mir.InstrID {
	h := st.Target.Instr.FoldLoad
	if h == nil || !f.Desc(load).CanFoldAsLoad() {
		return 0
	}
	for _, k := range ops {
		if f.Op(i, k).IsDef() {
			return 0
		}
	}
	n := h(st, f, i, ops, load)
	if n == 0 {
		return 0
	}
	var buf [4]mir.MemID
	f.SetMem(n, append(append(buf[:0], f.MemIDs(i)...), f.MemIDs(load)...)...)
	return n
}

// UnfoldedOpcode gives the register form of an opcode with a folded load, a folded
// store or both, and the operand of it that was in memory; false when there is none.
func (st *Subtarget) UnfoldedOpcode(op desc.Opcode, load, store bool) (reg desc.Opcode, operand int, ok bool) {
	d, ok := st.Facts.UnfoldOf(op)
	if !ok || load && d.Flags&desc.FoldLoad == 0 || store && d.Flags&desc.FoldStore == 0 {
		return 0, 0, false
	}
	return d.Reg, int(d.Operand), true
}

// UnfoldMemory replaces i, which has a folded load, store or both, by its register
// form on register r with a load before it, a store behind it or both, and
// returns the register form; 0 when there is none and nothing changed.
func (st *Subtarget) UnfoldMemory(f *mir.Function, i mir.InstrID, r mir.Reg, load, store bool) mir.InstrID {
	if h := st.Target.Instr.UnfoldMemory; h != nil {
		return h(st, f, i, r, load, store)
	}
	return 0
}

// MovesSlot reports whether an opcode only loads a register from its address, or only
// stores one there.
func (st *Subtarget) MovesSlot(op desc.Opcode) (load, store bool) {
	if st.Instr == nil {
		return false, false
	}
	return findAccess(st.Instr.Loads, op) != nil, findAccess(st.Instr.Stores, op) != nil
}

// LoadFromStackSlot reports that i loads a whole register from a stack slot and
// does nothing else.
func (st *Subtarget) LoadFromStackSlot(f *mir.Function, i mir.InstrID) (r mir.Reg, fi, bytes int, ok bool) {
	if st.Instr == nil || !f.Desc(i).MayLoad() {
		return 0, 0, 0, false
	}
	a := findAccess(st.Instr.Loads, f.Instr(i).Opcode)
	if a == nil || f.Op(i, 0).SubReg() != 0 || !st.isSlot(f, i, 1) {
		return 0, 0, 0, false
	}
	return f.Op(i, 0).Reg(), f.Op(i, 1).FrameIndex(), int(a.Bytes), true
}

// StoreToStackSlot reports that i stores a whole register to a stack slot and
// does nothing else.
func (st *Subtarget) StoreToStackSlot(f *mir.Function, i mir.InstrID) (r mir.Reg, fi, bytes int, ok bool) {
	if st.Instr == nil || !f.Desc(i).MayStore() {
		return 0, 0, 0, false
	}
	a := findAccess(st.Instr.Stores, f.Instr(i).Opcode)
	if a == nil {
		return 0, 0, 0, false
	}
	at, val := 1, 0
	if st.Instr.AddressFirst {
		at, val = 0, 2
		if st.Instr.SlotAddress != nil {
			val = 1 + len(st.Instr.SlotAddress)
		}
	}
	if f.Op(i, val).SubReg() != 0 || !st.isSlot(f, i, at) {
		return 0, 0, 0, false
	}
	return f.Op(i, val).Reg(), f.Op(i, at).FrameIndex(), int(a.Bytes), true
}

// findAccess finds an opcode in rows that are sorted by opcode.
func findAccess(rows []SlotAccess, op desc.Opcode) *SlotAccess {
	lo, hi := 0, len(rows)
	for lo < hi {
		if mid := int(uint(lo+hi) >> 1); rows[mid].Op < op {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo == len(rows) || rows[lo].Op != op {
		return nil
	}
	return &rows[lo]
}

// isSlot reports whether the operands of i from k on address the beginning of a stack slot.
func (st *Subtarget) isSlot(f *mir.Function, i mir.InstrID, k int) bool {
	var buf [8]mir.Operand
	if f.Op(i, k).Kind() != mir.OpFrameIndex {
		return false
	}
	for _, o := range st.appendSlot(buf[:0], 0)[1:] {
		k++
		if !f.Op(i, k).SameValue(&o) {
			return false
		}
	}
	return true
}

package mir

// Use-def lists: each register's operands are one doubly linked list, the
// definitions before the uses. The head's prev link names the tail, as in
// LLVM, so that appending takes constant time and LLVM's order is kept.
//
// The lists of physical registers are made when one of them is first asked for:
// at -O0 nobody does, though most operands come to name physical registers.

func (f *Function) useHead(r Reg) *OpID {
	if r.IsVirtual() {
		return &f.vregs[r.Index()].use
	}
	if int(r) >= len(f.physUse) {
		n := max(int(r)+1, f.numPhys())
		f.physUse = append(f.physUse, make([]OpID, n-len(f.physUse))...)
	}
	return &f.physUse[r]
}

// link adds a register operand, row id, to its register's list. What stood in its links is dropped.
func (f *Function) link(id OpID, o *Operand) {
	if o.Reg() < firstVirtual && !f.physLinked {
		if o.val = 0; o.flags&Def != 0 {
			f.notePhysDef(o.Reg())
		}
		return
	}
	f.linkIn(id, o)
}

// linkIn is link where the register has a list.
func (f *Function) linkIn(id OpID, o *Operand) {
	if o.idx == 0 {
		o.val = 0
		return
	}
	head := f.useHead(o.Reg())
	h := *head
	if h == 0 {
		o.setLinks(id, 0)
		*head = id
		return
	}
	first := &f.ops[h]
	last := first.prev()
	first.setPrev(id)
	if o.flags&Def != 0 {
		o.setLinks(last, h)
		*head = id
		return
	}
	o.setLinks(last, 0)
	f.ops[last].setNext(id)
}

// unlink takes a register operand, row id, out of its register's list.
func (f *Function) unlink(id OpID, o *Operand) {
	if !f.isLinked(o.Reg()) {
		return
	}
	head := f.useHead(o.Reg())
	next, prev := o.next(), o.prev()
	if *head == id {
		*head = next
	} else {
		f.ops[prev].setNext(next)
	}
	if next != 0 {
		f.ops[next].setPrev(prev)
	} else if *head != 0 {
		f.ops[*head].setPrev(prev)
	}
	o.val = 0
}

// isLinked reports whether operands that name r are in a list.
func (f *Function) isLinked(r Reg) bool { return r >= firstVirtual || f.physLinked && r != 0 }

// notePhysDef notes that an operand has been a definition of r, while there are
// no lists of physical registers.
func (f *Function) notePhysDef(r Reg) {
	w := int(r / 64)
	if w >= len(f.physDefs) {
		n := max(w+1, (f.numPhys()+63)/64)
		f.physDefs = append(f.physDefs, make([]uint64, n-len(f.physDefs))...)
	}
	f.physDefs[w] |= 1 << (r % 64)
}

// linkPhys makes the lists of physical registers.
func (f *Function) linkPhys() {
	f.physLinked = true
	for i := range f.instrs {
		in := &f.instrs[i]
		ops := f.ops[in.opOff:][:in.numOps]
		for k := range ops {
			if o := &ops[k]; o.kind == OpReg && o.Reg() < firstVirtual {
				f.linkIn(OpID(in.opOff)+OpID(k), o)
			}
		}
	}
}

// FirstUse returns the first operand of r's list (definitions first), 0 for none.
func (f *Function) FirstUse(r Reg) OpID {
	if r.IsVirtual() {
		return f.vregs[r.Index()].use
	}
	if r == 0 {
		return 0
	}
	if !f.physLinked {
		f.linkPhys()
	}
	if int(r) >= len(f.physUse) {
		return 0
	}
	return f.physUse[r]
}

// firstUse is FirstUse, inlined for virtual registers.
func (f *Function) firstUse(r Reg) OpID {
	if r.IsVirtual() {
		return f.vregs[r.Index()].use
	}
	return f.FirstUse(r)
}

// NextUse returns the operand after id in its register's list, 0 at the end.
func (f *Function) NextUse(id OpID) OpID { return f.ops[id].next() }

// Defs iterates over the instructions that define r.
func (f *Function) Defs(r Reg) func(yield func(InstrID, int) bool) {
	return func(yield func(InstrID, int) bool) {
		for id := f.FirstUse(r); id != 0 && f.ops[id].IsDef(); {
			next := f.NextUse(id)
			if !yield(f.Owner(id)) {
				return
			}
			id = next
		}
	}
}

// Uses iterates over the operands that use r, those of debug instructions
// included. The current operand may be changed or removed.
func (f *Function) Uses(r Reg) func(yield func(InstrID, int) bool) {
	return func(yield func(InstrID, int) bool) {
		for id := f.FirstUse(r); id != 0; {
			next := f.NextUse(id)
			if !f.ops[id].IsDef() {
				if !yield(f.Owner(id)) {
					return
				}
			}
			id = next
		}
	}
}

// NonDebugUses iterates over the operands of instructions other than debug ones
// that use r: what code depends on. The current operand may be changed or removed.
func (f *Function) NonDebugUses(r Reg) func(yield func(InstrID, int) bool) {
	return func(yield func(InstrID, int) bool) {
		for id := f.FirstUse(r); id != 0; {
			next := f.NextUse(id)
			if o := &f.ops[id]; !o.IsDef() && !o.IsDebug() {
				if !yield(f.Owner(id)) {
					return
				}
			}
			id = next
		}
	}
}

// DropDebugUses makes the debug instructions that name r name no register: the
// value is gone, and where the variable is from there on is not known.
func (f *Function) DropDebugUses(r Reg) {
	for id := f.FirstUse(r); id != 0; {
		next := f.NextUse(id)
		if f.ops[id].IsDebug() {
			i, n := f.Owner(id)
			f.SetReg(i, n, NoReg)
			f.SetSubReg(i, n, 0)
		}
		id = next
	}
}

// DropUndefinedDebugUses drops the debug uses of all virtual registers that
// nothing defines: passes that erase or replace instructions end with it.
func (f *Function) DropUndefinedDebugUses() {
	if !f.hasDebug {
		return
	}
	for n := range f.vregs {
		if id := f.vregs[n].use; id != 0 && !f.ops[id].IsDef() {
			f.DropDebugUses(VReg(n))
		}
	}
}

// UniqueDef returns the only instruction that defines r, 0 when there is none or more than one.
func (f *Function) UniqueDef(r Reg) InstrID {
	id := f.firstUse(r)
	if id == 0 || !f.ops[id].IsDef() {
		return 0
	}
	if n := f.NextUse(id); n != 0 && f.ops[n].IsDef() {
		return 0
	}
	return f.owner[id]
}

// HasUses reports whether an operand of an instruction other than debug ones uses r.
func (f *Function) HasUses(r Reg) bool {
	for id := f.firstUse(r); id != 0; id = f.NextUse(id) {
		if o := &f.ops[id]; !o.IsDef() && !o.IsDebug() {
			return true
		}
	}
	return false
}

// HasOneUse reports whether exactly one non-debug operand uses r.
func (f *Function) HasOneUse(r Reg) bool {
	n := 0
	for id := f.FirstUse(r); id != 0 && n < 2; id = f.NextUse(id) {
		if o := &f.ops[id]; !o.IsDef() && !o.IsDebug() {
			n++
		}
	}
	return n == 1
}

// HasDefs reports whether an operand defines r.
func (f *Function) HasDefs(r Reg) bool {
	if r < firstVirtual && !f.physLinked && (int(r/64) >= len(f.physDefs) || f.physDefs[r/64]>>(r%64)&1 == 0) {
		return false // no operand has ever been one
	}
	id := f.FirstUse(r)
	return id != 0 && f.ops[id].IsDef()
}

// HasDebugInstrs reports that there are debug instructions, or have been.
func (f *Function) HasDebugInstrs() bool { return f.hasDebug }

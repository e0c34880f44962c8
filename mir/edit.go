package mir

import "github.com/mirin-go/mirin/desc"

// Changes of one operand. All go through the function, which keeps the use
// lists and tells the listeners.

// SetReg changes the register of operand n.
func (f *Function) SetReg(i InstrID, n int, r Reg) {
	id := f.OpID(i, n)
	o := &f.ops[id]
	was := *o
	f.unlink(id, o)
	o.idx = uint32(r)
	f.link(id, o)
	if len(f.listeners) > 0 {
		f.tellChanged(i, n, was)
	}
}

// Assign makes operand n name the whole of register r, with flags other than Def
// set and cleared: what SetReg, SetSubReg and SetOpFlag do one after the other.
func (f *Function) Assign(i InstrID, n int, r Reg, set, clear OpFlags) {
	id := f.OpID(i, n)
	o := &f.ops[id]
	was := *o
	f.unlink(id, o)
	o.idx, o.sub, o.flags = uint32(r), o.sub&^subMask, o.flags&^clear|set
	f.link(id, o)
	if len(f.listeners) > 0 {
		f.tellChanged(i, n, was)
	}
}

// SetIsDef changes a register operand into a definition or use.
func (f *Function) SetIsDef(i InstrID, n int, def bool) {
	id := f.OpID(i, n)
	o := &f.ops[id]
	was := *o
	f.unlink(id, o)
	o.setFlag(Def, def)
	f.link(id, o)
	if len(f.listeners) > 0 {
		f.tellChanged(i, n, was)
	}
}

// ReplaceOp puts another operand in the place of operand n; ties are dropped.
func (f *Function) ReplaceOp(i InstrID, n int, o Operand) {
	if f.Op(i, n).IsTied() {
		f.Untie(i, n)
	}
	id := f.OpID(i, n)
	was := f.ops[id]
	if was.kind == OpReg {
		f.unlink(id, &f.ops[id])
	}
	f.placeOp(i, id, o)
	if len(f.listeners) > 0 {
		f.tellChanged(i, n, was)
	}
}

// SetOpFlag sets or clears flags of register operand n other than Def.
func (f *Function) SetOpFlag(i InstrID, n int, fl OpFlags, on bool) {
	o := f.Op(i, n)
	was := *o
	if o.setFlag(fl, on); len(f.listeners) > 0 && o.flags != was.flags {
		f.tellChanged(i, n, was)
	}
}

// SetSubReg sets the sub-register index of operand n.
func (f *Function) SetSubReg(i InstrID, n int, sub uint16) {
	o := f.Op(i, n)
	was := *o
	if o.setSub(sub); len(f.listeners) > 0 && o.sub != was.sub {
		f.tellChanged(i, n, was)
	}
}

// SetImm changes immediate operand n.
func (f *Function) SetImm(i InstrID, n int, v int64) {
	o := f.Op(i, n)
	was := *o
	if o.val = uint64(v); len(f.listeners) > 0 && o.val != was.val {
		f.tellChanged(i, n, was)
	}
}

// SetBlock changes block operand n.
func (f *Function) SetBlock(i InstrID, n int, b BlockID) {
	o := f.Op(i, n)
	was := *o
	if o.idx = uint32(b); len(f.listeners) > 0 && o.idx != was.idx {
		f.tellChanged(i, n, was)
	}
}

// Become makes i another instruction in the same place and with the same location:
// what erasing it behind a new one does, but that nothing moves. Flags, memory
// operands and what else i had are gone. ops are not i's own.
func (f *Function) Become(i InstrID, op desc.Opcode, ops ...Operand) {
	if len(f.listeners) > 0 {
		f.tellErased(i)
	}
	f.dropOps(i)
	in := &f.instrs[i]
	if class := opClass(len(ops)); class > in.opCap {
		f.freeOps[in.opCap] = append(f.freeOps[in.opCap], in.opOff)
		in.opOff, in.opCap = f.allocOps(class), class
	}
	in.Opcode, in.AsmFlags, in.memOff, in.extra = op, 0, 0, 0
	in.flags &= BundledPred | BundledSucc
	f.hasDebug = f.hasDebug || isDebug(op)
	f.setOps(i, in, ops)
	if len(f.listeners) > 0 {
		f.tellCreated(i)
	}
}

// ReplaceReg makes every operand of from name to instead.
func (f *Function) ReplaceReg(from, to Reg) {
	if from == to {
		return
	}
	for id := f.FirstUse(from); id != 0; {
		next := f.NextUse(id)
		o := &f.ops[id]
		was := *o
		f.unlink(id, o)
		o.idx = uint32(to)
		f.link(id, o)
		if len(f.listeners) > 0 {
			i, n := f.Owner(id)
			f.tellChanged(i, n, was)
		}
		id = next
	}
}

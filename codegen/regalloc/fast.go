package regalloc

import (
	"errors"
	"slices"

	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/codegen/regalloc/check"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// Fast is the -O0 register allocator. It walks each block from its end to its
// start, gives a virtual register a physical one where it meets the last use
// and takes it back at the definition. Between blocks every value lives in its
// stack slot: a register that a block reads before it defines it is loaded at
// the block's start, and every definition of such a register is stored.
//
// Walking upwards, "displacing" a register from instruction i on means: below
// i its value is wanted in the register, so a reload is placed behind i, and
// above i the register is free for others; the definition that is met later
// stores to the slot.
//
// Linear in the size of the function.
var Fast = pass.Pass{
	Name:     "regallocfast",
	Title:    "Fast Register Allocator",
	Requires: mir.NoPHIs,
	Sets:     mir.NoVRegs,
	Clears:   mir.IsSSA,
	Run:      runFast,
}

// Unit states: free, held by a physical register that an instruction below
// reads, or held by virtual register index state-unitVirt.
const (
	unitFree = 0
	unitPhys = 1
	unitVirt = 2
	noSlot   = mir.NoFrameIndex
)

// fastVReg is what the allocator knows of one virtual register.
type fastVReg struct {
	phys desc.PhysReg // register it is in, 0 when not live here
	slot int32        // frame index, noSlot until one is needed
	// reloaded: below this point of the block the slot is read, so the
	// definition above must store.
	reloaded bool
	// crosses: some block reads it before defining it.
	crosses bool
	// pending: a crossing register whose last definition in the block has not
	// been met yet; that one must store.
	pendingBlock mir.BlockID
	seenDef      mir.BlockID
}

type fastAlloc struct {
	c     *pass.Context
	f     *mir.Function
	in    *desc.Info
	vregs []fastVReg
	live  []int32  // virtual registers with phys != 0
	units []uint32 // state of each register unit
	// Marks of the current instruction, by epoch: units of definitions, of uses.
	defMark, useMark []uint32
	epoch            uint32
	reserved         []bool // by physical register
	// reservedList lists the reserved registers; reservedNow is memory for the next list.
	reservedList, reservedNow []mir.Reg
	orders                    [][]desc.PhysReg
	block                     mir.BlockID
	// early lists the early-clobber definitions of the current instruction, masks
	// its register masks until what they destroy is displaced.
	early []int
	masks []int32
	// The register operands of the current instruction by what they are before it
	// is allocated, but for reserved registers.
	physDef, physUse, virtDef, virtUse []int32
	copies                             []mir.InstrID
}

func runFast(c *pass.Context, f *mir.Function) error {
	if err := c.Subtarget.CanAllocate(f); err != nil {
		return err
	}
	a := pass.Scratch[fastAlloc](c)
	a.reset(c, f)
	var snap *check.Snapshot
	if c.CheckRegAlloc {
		snap = check.Record(f)
	}
	a.findCrossing()
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		if err := a.allocateBlock(b); err != nil {
			return err
		}
	}
	if snap != nil {
		snap.Close()
		if errs := snap.Verify(f); len(errs) > 0 {
			return errors.Join(errs...)
		}
	}
	for _, i := range a.copies {
		if ops := f.Ops(i); len(ops) == 2 && ops[0].Reg() == ops[1].Reg() && ops[0].SubReg() == ops[1].SubReg() {
			f.Erase(i)
		}
	}
	for i := range f.LiveIns {
		f.LiveIns[i].Virt = 0
	}
	f.ClearVRegs()
	return nil
}

func (a *fastAlloc) reset(c *pass.Context, f *mir.Function) {
	changed := a.in != f.Facts
	a.c, a.f, a.in = c, f, f.Facts
	a.vregs = rows.Sized(a.vregs, f.NumVRegs())
	for i := range a.vregs {
		a.vregs[i] = fastVReg{slot: noSlot}
	}
	a.live, a.copies = a.live[:0], a.copies[:0]
	a.units = rows.Zeroed(a.units, a.in.NumUnits())
	a.defMark = rows.Zeroed(a.defMark, a.in.NumUnits())
	a.useMark = rows.Zeroed(a.useMark, a.in.NumUnits())
	a.epoch = 0
	// Most functions reserve the same registers, and then the orders are the same.
	a.reservedList, a.reservedNow = c.Subtarget.ReservedRegs(f, a.reservedNow[:0]), a.reservedList
	if !changed && slices.Equal(a.reservedList, a.reservedNow) {
		return
	}
	a.reserved = rows.Zeroed(a.reserved, len(a.in.Regs))
	for _, r := range a.reservedList {
		a.reserved[r] = true
	}
	a.orders = rows.Zeroed(a.orders, len(a.in.Classes))
}

// findCrossing marks the registers that some block reads before it writes
// them. All others never live in two blocks.
func (a *fastAlloc) findCrossing() {
	f := a.f
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			ops := f.Ops(i)
			first, end := 0, 0 // of the definitions
			for k := range ops {
				o := &ops[k]
				if !o.IsReg() || !o.Reg().IsVirtual() {
					continue
				}
				if o.IsDef() {
					if end == 0 {
						first = k
					}
					end = k + 1
				}
				if o.ReadsReg() {
					if v := &a.vregs[o.Reg().Index()]; v.seenDef != b && !v.crosses && !f.IsDebugInstr(i) {
						v.crosses = true
					}
				}
			}
			for k := first; k < end; k++ { // all are read before any is written
				if o := &ops[k]; o.IsDef() && o.Reg().IsVirtual() {
					a.vregs[o.Reg().Index()].seenDef = b
				}
			}
		}
	}
}

// allocateBlock assigns the registers of one block, bottom up.
func (a *fastAlloc) allocateBlock(b mir.BlockID) error {
	f := a.f
	a.block = b
	clear(a.units)
	for _, s := range f.Succs(b) {
		for _, l := range f.LiveInsOf(s.Block) {
			a.setUnits(desc.PhysReg(l.Reg), unitPhys)
		}
	}
	for i := f.Block(b).Last(); i != 0; {
		prev := f.Instr(i).Prev()
		if err := a.allocateInstr(i); err != nil {
			return err
		}
		i = prev
	}
	return a.reloadAtStart(b)
}

// reloadAtStart loads what the block reads before defining it.
func (a *fastAlloc) reloadAtStart(b mir.BlockID) error {
	f := a.f
	at := skipLabels(f, b, f.Block(b).First())
	for at != 0 && a.isTargetStore(b, at) {
		at = f.Instr(at).Next()
	}
	for _, v := range a.live {
		r := &a.vregs[v]
		if b == f.FirstBlock() {
			// Nothing defines it on any way here: its value does not matter.
			d := f.New(desc.IMPLICIT_DEF, mir.RegOp(mir.Reg(r.phys), mir.Def|mir.Renamable))
			f.InsertBefore(b, at, d)
		} else if err := a.load(b, at, int(v), r.phys); err != nil {
			return err
		}
		r.phys = 0
		r.reloaded = false
	}
	a.live = a.live[:0]
	return nil
}

// allocateInstr assigns the operands of one instruction. The steps follow the
// instruction backwards in time: definitions, what a call destroys, uses.
func (a *fastAlloc) allocateInstr(i mir.InstrID) error {
	if a.f.IsDebugInstr(i) {
		a.debugInstr(i)
		return nil
	}
	a.epoch++
	a.early = a.early[:0]
	a.sortOperands(i)
	named := len(a.physDef)+len(a.physUse)+len(a.masks) > 0 // registers, by the instruction
	if named {
		if err := a.physDefs(i); err != nil {
			return err
		}
	}
	if err := a.virtDefs(i); err != nil {
		return err
	}
	if named {
		a.freePhysDefs(i)
		if err := a.clobber(i); err != nil {
			return err
		}
		if err := a.physUses(i); err != nil {
			return err
		}
	}
	if err := a.virtUses(i); err != nil {
		return err
	}
	for _, n := range a.early {
		a.release(n)
	}
	if a.f.Instr(i).Opcode == desc.COPY {
		a.copies = append(a.copies, i)
	}
	return nil
}

// sortOperands lists the operands of i that the steps are about.
func (a *fastAlloc) sortOperands(i mir.InstrID) {
	a.masks = a.masks[:0]
	a.physDef = a.physDef[:0]
	a.physUse = a.physUse[:0]
	a.virtDef = a.virtDef[:0]
	a.virtUse = a.virtUse[:0]
	ops := a.f.Ops(i)
	for k := range ops {
		o := &ops[k]
		switch o.Kind() {
		case mir.OpRegMask:
			a.masks = append(a.masks, int32(o.Index()))
		case mir.OpReg:
			switch r := o.Reg(); {
			case r.IsVirtual():
				if o.IsDef() {
					a.virtDef = append(a.virtDef, int32(k))
				} else {
					a.virtUse = append(a.virtUse, int32(k))
				}
			case !r.IsPhysical() || a.reserved[r]:
			case o.IsDef():
				a.physDef = append(a.physDef, int32(k))
			default:
				a.physUse = append(a.physUse, int32(k))
			}
		}
	}
}

// physDefs takes the registers that i defines by name away from whoever holds
// them, finds the dead ones, and marks what the instruction reads by name.
func (a *fastAlloc) physDefs(i mir.InstrID) error {
	f := a.f
	for _, k := range a.physUse {
		a.mark(a.useMark, desc.PhysReg(f.Op(i, int(k)).Reg()))
	}
	for _, k := range a.physDef {
		o := f.Op(i, int(k))
		r := desc.PhysReg(o.Reg())
		used := a.anyPhys(r)
		a.mark(a.defMark, r)
		if o.IsEarlyClobber() {
			a.mark(a.useMark, r)
		}
		f.SetOpFlag(i, int(k), mir.Dead, !used)
		if err := a.displaceUnits(i, r); err != nil {
			return err
		}
	}
	return nil
}

// virtDefs gives the defined virtual registers their registers: the one that
// the uses below expect, or a free one.
func (a *fastAlloc) virtDefs(i mir.InstrID) error {
	f := a.f
	// Registers that the uses below expect are settled first, so that fresh ones avoid them.
	for _, k := range a.virtDef {
		if v := &a.vregs[f.Op(i, int(k)).Reg().Index()]; v.phys != 0 {
			a.mark(a.defMark, v.phys)
		}
	}
	for _, k := range a.virtDef {
		if err := a.define(i, int(k)); err != nil {
			return err
		}
	}
	return nil
}

// define gives operand k, a definition, its register.
func (a *fastAlloc) define(i mir.InstrID, k int) error {
	f := a.f
	o := *f.Op(i, k)
	n := o.Reg().Index()
	v := &a.vregs[n]
	// An undefined use that is tied is the same register, but keeps nothing alive.
	tied, tiedUndef := -1, -1
	if o.IsTied() {
		switch u := f.TiedTo(i, k); {
		case f.Op(i, u).Reg() != o.Reg():
		case f.Op(i, u).IsUndef():
			tiedUndef = u
		default:
			tied = u
		}
	}
	wasLive := v.phys != 0
	switch exclusive := tied >= 0 || o.IsEarlyClobber() || o.SubReg() != 0 && !o.IsUndef(); {
	case !wasLive:
		p, err := a.pick(i, n, exclusive, true)
		if err != nil {
			return err
		}
		a.assign(n, p)
	case exclusive && (a.marked(a.useMark, v.phys) || a.isClobbered(v.phys)):
		// The register that the uses below expect is read by name here, an operand
		// placed already needs it, or the call destroys it: define another one and copy.
		want := v.phys
		p, err := a.pick(i, n, true, true)
		if err != nil {
			return err
		}
		a.release(n)
		a.assign(n, p)
		cp := f.New(desc.COPY, mir.RegOp(mir.Reg(want), mir.Def|mir.Renamable), mir.RegOp(mir.Reg(p), mir.Renamable))
		f.Instr(cp).Loc = f.Instr(i).Loc
		f.InsertAfter(a.block, i, cp)
	}
	p := v.phys
	a.mark(a.defMark, p)
	store := v.reloaded || v.crosses && v.pendingBlock != a.block
	if store {
		if err := a.store(i, n, p, !wasLive); err != nil {
			return err
		}
		if f.Instr(i).Opcode == desc.INLINEASM_BR {
			if err := a.storeInTargets(i, n, p); err != nil {
				return err
			}
		}
	}
	dead := mir.OpFlags(0)
	if !wasLive && !store {
		dead = mir.Dead
	}
	a.setReg(i, k, p, dead, mir.Dead)
	if tiedUndef >= 0 {
		a.setReg(i, tiedUndef, p, 0, 0)
	}
	if o.SubReg() != 0 && !o.IsUndef() {
		// The other parts of the register come from above.
		v.pendingBlock, v.reloaded = a.block, false
		a.mark(a.useMark, p)
		return nil
	}
	if o.SubReg() != 0 {
		// The whole register counts as defined, so that it can be stored and read.
		f.InsertOp(i, f.Instr(i).NumOps(), mir.RegOp(mir.Reg(p), mir.Def|mir.Implicit|mir.Renamable))
		f.SetOpFlag(i, k, mir.Undef, false)
	}
	// Above a full definition the register means another value.
	v.pendingBlock, v.reloaded = a.block, false
	switch {
	case tied >= 0:
		a.setReg(i, tied, p, 0, mir.Kill)
		a.mark(a.useMark, p)
	case o.IsEarlyClobber():
		a.mark(a.useMark, p)
		a.early = append(a.early, n)
	default:
		a.release(n)
	}
	return nil
}

// storeInTargets saves n, which inline assembly i defines in p, where i jumps to:
// the store behind i is not on the way there.
func (a *fastAlloc) storeInTargets(i mir.InstrID, n int, p desc.PhysReg) error {
	f := a.f
	for k := range f.Instr(i).NumOps() {
		o := f.Op(i, k)
		if o.Kind() != mir.OpMBB {
			continue
		}
		b := o.Block()
		if preds := f.Preds(b); len(preds) != 1 || preds[0] != a.block || a.goesOn(b) {
			return a.c.Subtarget.NotSupported(f, "a result of inline assembly that jumps to a block with other ways to it")
		}
		if err := a.c.Subtarget.StoreRegToStack(f, b, f.Block(b).First(), mir.Reg(p), false, a.slot(n), f.VReg(mir.VReg(n)).Class, 0); err != nil {
			return err
		}
		f.AddLiveIn(b, mir.Reg(p), uint64(desc.AllLanes))
	}
	return nil
}

// goesOn reports whether the end of the current block leads to b.
func (a *fastAlloc) goesOn(b mir.BlockID) bool {
	f := a.f
	for i := f.FirstTerminator(a.block); i != 0; i = f.Instr(i).Next() {
		for _, o := range f.Ops(i) {
			if o.Kind() == mir.OpMBB && o.Block() == b {
				return true
			}
		}
	}
	return f.NextBlock(a.block) == b && a.c.Subtarget.CanFallThrough(f, a.block)
}

// isTargetStore reports whether i, at the start of b, may be a store of
// storeInTargets: what is loaded there may be what it stores.
func (a *fastAlloc) isTargetStore(b mir.BlockID, i mir.InstrID) bool {
	f := a.f
	if f.Block(b).Flags&mir.InlineAsmBrTarget == 0 {
		return false
	}
	r, _, _, ok := a.c.Subtarget.StoreToStackSlot(f, i)
	return ok && slices.ContainsFunc(f.LiveInsOf(b), func(l mir.LiveIn) bool { return l.Reg == r })
}

// freePhysDefs ends the life of the registers that i defines by name.
func (a *fastAlloc) freePhysDefs(i mir.InstrID) {
	for _, k := range a.physDef {
		for u := range a.in.RegUnits(desc.PhysReg(a.f.Op(i, int(k)).Reg())).All() {
			if a.units[u] == unitPhys {
				a.units[u] = unitFree
			}
		}
	}
}

// clobber displaces what a call's register masks destroy.
func (a *fastAlloc) clobber(i mir.InstrID) error {
	if len(a.masks) == 0 {
		return nil
	}
	for l := 0; l < len(a.live); {
		n := int(a.live[l])
		if !a.isClobbered(a.vregs[n].phys) {
			l++
			continue
		}
		// displace takes n out of live, so l stays.
		if err := a.displace(i, n); err != nil {
			return err
		}
	}
	a.masks = a.masks[:0]
	return nil
}

// isClobbered reports whether a register mask of the current instruction destroys p.
func (a *fastAlloc) isClobbered(p desc.PhysReg) bool {
	for _, m := range a.masks {
		if a.f.RegMasks[m][p/32]>>(p%32)&1 == 0 {
			return true
		}
	}
	return false
}

// physUses starts the life of the registers that i reads by name.
func (a *fastAlloc) physUses(i mir.InstrID) error {
	f := a.f
	for _, n := range a.physUse {
		k := int(n)
		o := f.Op(i, k)
		if o.IsUndef() {
			continue
		}
		r := desc.PhysReg(o.Reg())
		taken := a.anyPhys(r) || a.anyVirt(r)
		if err := a.displaceUnits(i, r); err != nil {
			return err
		}
		a.setUnits(r, unitPhys)
		f.SetOpFlag(i, k, mir.Kill, !taken)
	}
	return nil
}

// virtUses gives the used virtual registers their registers; where the value
// is not wanted below, the use ends the register's life.
func (a *fastAlloc) virtUses(i mir.InstrID) error {
	f := a.f
	for _, k := range a.virtUse {
		// A tied one may have got its register from the definition.
		if o := f.Op(i, int(k)); o.Reg().IsVirtual() && !o.IsUndef() {
			if v := &a.vregs[o.Reg().Index()]; v.phys != 0 && !a.earlyHeld(o.Reg().Index()) {
				a.mark(a.useMark, v.phys)
			}
		}
	}
	for _, n := range a.virtUse {
		k := int(n)
		o := f.Op(i, k)
		if !o.Reg().IsVirtual() {
			continue
		}
		r := o.Reg().Index()
		v := &a.vregs[r]
		if o.IsUndef() {
			p := v.phys
			if p == 0 {
				p = a.order(int(f.VReg(mir.VReg(r)).Class))[0]
			}
			a.setReg(i, k, p, 0, 0)
			continue
		}
		fresh := v.phys == 0
		// What may be read in another block does not end here, as far as is known.
		kill := fresh && !(v.crosses && len(f.Succs(a.block)) > 0)
		if fresh {
			p, err := a.pick(i, r, true, false)
			if err != nil {
				return err
			}
			a.assign(r, p)
			a.mark(a.useMark, p)
		}
		switch {
		case !kill:
			a.setReg(i, k, v.phys, 0, mir.Kill)
		case o.SubReg() == 0:
			a.setReg(i, k, v.phys, mir.Kill, 0)
		default:
			// The whole register dies, not only the part that is read.
			a.setReg(i, k, v.phys, 0, mir.Kill)
			f.InsertOp(i, f.Instr(i).NumOps(), mir.RegOp(mir.Reg(v.phys), mir.Implicit|mir.Kill|mir.Renamable))
		}
	}
	return nil
}

func (a *fastAlloc) earlyHeld(n int) bool {
	for _, e := range a.early {
		if e == n {
			return true
		}
	}
	return false
}

// debugInstr lets a debug instruction name the register that its value is in, or none.
func (a *fastAlloc) debugInstr(i mir.InstrID) {
	f := a.f
	for k := range f.Instr(i).NumOps() {
		if o := f.Op(i, k); o.IsReg() && o.Reg().IsVirtual() {
			if p := a.vregs[o.Reg().Index()].phys; p != 0 {
				a.setReg(i, k, p, 0, 0)
			} else {
				f.SetReg(i, k, mir.NoReg)
				f.SetSubReg(i, k, 0)
			}
		}
	}
}

// setReg puts physical register p, or its sub-register, into operand k, and sets and clears flags there.
func (a *fastAlloc) setReg(i mir.InstrID, k int, p desc.PhysReg, set, clear mir.OpFlags) {
	if s := a.f.Op(i, k).SubReg(); s != 0 {
		p = a.in.SubReg(p, desc.SubRegIdx(s))
	}
	a.f.Assign(i, k, mir.Reg(p), set|mir.Renamable, clear)
}

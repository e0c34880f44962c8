package frame

import (
	"slices"

	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// FixupStatepoint puts what a statepoint names in registers that its callee may
// change into stack slots: a garbage collector finds it there, and may move it. It is
// reloaded behind, and in the landing pad of an invoke. Values for the collector go to
// slots from registers that the callee saves too, since collectors look at no other frames.
var FixupStatepoint = pass.Pass{
	Name:     "fixup-statepoint-caller-saved",
	Title:    "Fixup Statepoint Caller Saved",
	Requires: mir.NoVRegs,
	KeepsCFG: true,
	Run:      runFixupStatepoint,
}

// deoptLiveIn is the flag of a statepoint whose values may be in any register.
const deoptLiveIn = 2

// padSlot says in which slot a register is where a landing pad is entered.
type padSlot struct {
	pad mir.BlockID
	reg mir.Reg
	fi  int
}

// statepointFixer works on a function.
type statepointFixer struct {
	c *pass.Context
	f *mir.Function
	// slots of each size are used again by every statepoint; of each size next counts
	// those that the current one has taken.
	slots []sizedSlots
	// pads are slots that were made for landing pads, reloaded what is reloaded there.
	pads, reloaded []padSlot
}

type sizedSlots struct {
	size int64
	fis  []int
	next int
}

// statepoint is one of them.
type statepoint struct {
	i     mir.InstrID
	pad   mir.BlockID
	spill []mir.Reg // in the order of their first operands
	slots []int     // of spill
	ops   []int     // operands that become slots
}

func runFixupStatepoint(c *pass.Context, f *mir.Function) error {
	if f.IR == nil || f.Module == nil || f.IR.Global().GC == "" {
		return nil
	}
	var all []mir.InstrID
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			if f.Instr(i).Opcode == desc.STATEPOINT {
				all = append(all, i)
			}
		}
	}
	p := statepointFixer{c: c, f: f}
	for _, i := range all {
		if err := p.fix(i); err != nil {
			return err
		}
	}
	return nil
}

func (p *statepointFixer) fix(i mir.InstrID) error {
	f := p.f
	defs, first := target.PatchPointValues(f, i)
	if f.Instr(i).NumOps() < first+6 {
		return p.c.Subtarget.NotSupported(f, "a statepoint without convention, flags and number of deoptimization values")
	}
	// The convention and the flags, each behind a mark, are the first values.
	if o := f.Op(i, first+3); o.IsImm() && o.Imm()&deoptLiveIn != 0 {
		return nil
	}
	s := statepoint{i: i}
	p.findPad(&s)
	if !p.find(&s, defs, first) {
		return nil
	}
	p.startSlots()
	for _, r := range s.spill {
		fi := p.slot(s.pad, r)
		s.slots = append(s.slots, fi)
		if err := p.spill(&s, r, first, fi); err != nil {
			return err
		}
	}
	return p.rewrite(&s, defs)
}

// findPad finds the landing pad of a statepoint that is invoked: the last of its block.
func (p *statepointFixer) findPad(s *statepoint) {
	f := p.f
	for j := f.Instr(s.i).Next(); j != 0; j = f.Instr(j).Next() {
		if f.Instr(j).Opcode == desc.STATEPOINT {
			return
		}
	}
	for _, e := range f.Succs(f.Instr(s.i).Block()) {
		if f.Block(e.Block).Flags&mir.EHPad != 0 {
			s.pad = e.Block
			return
		}
	}
}

// find lists the registers that go to slots; false when there are none.
func (p *statepointFixer) find(s *statepoint, defs, first int) bool {
	f := p.f
	var mask []uint32
	for _, o := range f.Ops(s.i) {
		if o.Kind() == mir.OpRegMask {
			mask = f.RegMasks[o.Index()]
		}
	}
	for k := first; k < f.Instr(s.i).NumOps(); k++ {
		o := f.Op(s.i, k)
		if !o.IsReg() || o.IsImplicit() || o.IsUndef() || !o.Reg().IsPhysical() || o.Reg() == 0 {
			continue
		}
		r := o.Reg()
		collected := slices.ContainsFunc(f.Ops(s.i)[:defs], func(d mir.Operand) bool { return d.Reg() == r })
		if !collected && mask != nil && mask[r/32]>>(r%32)&1 != 0 {
			continue
		}
		if !slices.Contains(s.spill, r) {
			s.spill = append(s.spill, r)
		}
		s.ops = append(s.ops, k)
	}
	return len(s.spill) > 0
}

// size is how many bytes a register takes in a slot.
func (p *statepointFixer) size(r mir.Reg) int64 {
	in := p.f.Facts
	return int64(in.ClassSize(in.MinimalPhysRegClass(desc.PhysReg(r), 0), in.DefaultMode).SpillSize)
}

// startSlots makes all slots free again: no two statepoints are at work at once.
func (p *statepointFixer) startSlots() {
	for k := range p.slots {
		p.slots[k].next = 0
	}
}

// slot gives a register a slot.
func (p *statepointFixer) slot(pad mir.BlockID, r mir.Reg) int {
	reserved := func(fi int) bool {
		return pad != 0 && slices.ContainsFunc(p.pads, func(x padSlot) bool { return x.pad == pad && x.fi == fi })
	}
	for _, x := range p.pads {
		if pad != 0 && x.pad == pad && x.reg == r {
			return x.fi
		}
	}
	size := p.size(r)
	k := slices.IndexFunc(p.slots, func(s sizedSlots) bool { return s.size == size })
	if k < 0 {
		k = len(p.slots)
		p.slots = append(p.slots, sizedSlots{size: size})
	}
	line := &p.slots[k]
	for line.next < len(line.fis) {
		fi := line.fis[line.next]
		line.next++
		if !reserved(fi) {
			return fi
		}
	}
	fi := p.f.Frame.CreateStackObject(size, log2(uint64(size)), mir.FrameSpill)
	p.c.Count("fixup-statepoint-caller-saved", "Number of spill slots allocated", 1)
	line.fis = append(line.fis, fi)
	line.next++
	if pad != 0 {
		p.pads = append(p.pads, padSlot{pad, r, fi})
	}
	return fi
}

// spill stores r before the statepoint, or what it is a copy of where that was copied.
func (p *statepointFixer) spill(s *statepoint, r mir.Reg, first, fi int) error {
	f := p.f
	b := f.Instr(s.i).Block()
	at, src, kill := s.i, r, true
	switch {
	case slices.ContainsFunc(f.Ops(s.i)[:first+5], func(o mir.Operand) bool {
		return o.IsUse() && o.Reg().IsPhysical() && o.Reg() != 0 && f.Facts.Overlap(desc.PhysReg(o.Reg()), desc.PhysReg(r))
	}):
		kill = false // an argument of the call too
	default:
		if def, read := p.copyOf(s.i, r); def != 0 {
			src, kill = f.Op(def, 1).Reg(), f.Op(def, 1).IsKill()
			at = f.Instr(def).Next()
			if !read {
				f.Erase(def)
			} else if kill {
				f.SetOpFlag(def, 1, mir.Kill, false)
			}
		}
	}
	p.c.Count("fixup-statepoint-caller-saved", "Number of spilled registers", 1)
	class := int16(f.Facts.MinimalPhysRegClass(desc.PhysReg(src), 0))
	return p.c.Subtarget.StoreRegToStack(f, b, at, src, kill, fi, class, 0)
}

// copyOf finds the copy, before i in its block, that is the last to write r, and
// whether anything reads r in between; 0 when it is not a copy of a register of the
// same size.
func (p *statepointFixer) copyOf(i mir.InstrID, r mir.Reg) (def mir.InstrID, read bool) {
	f := p.f
	for j := f.Instr(i).Prev(); j != 0; j = f.Instr(j).Prev() {
		writes, reads := false, false
		for _, o := range f.Ops(j) {
			switch {
			case o.Kind() == mir.OpRegMask:
				writes = writes || f.RegMasks[o.Index()][r/32]>>(r%32)&1 == 0
			case !o.IsReg() || !o.Reg().IsPhysical() || o.Reg() == 0 || !f.Facts.Overlap(desc.PhysReg(o.Reg()), desc.PhysReg(r)):
			case o.IsDef():
				writes = true
			default:
				reads = reads || !o.IsUndef() && !o.IsDebug()
			}
		}
		read = read || reads
		if !writes {
			continue
		}
		if p.c.Subtarget.IsCopy(f, j) && f.Op(j, 0).Reg() == r && f.Op(j, 1).Reg().IsPhysical() && p.size(f.Op(j, 1).Reg()) == p.size(r) {
			return j, read
		}
		break
	}
	return 0, false
}

// rewrite replaces the statepoint by one that names slots, and reloads what it gives
// a new value.
func (p *statepointFixer) rewrite(s *statepoint, defs int) error {
	f := p.f
	var reload []mir.Reg
	for k := range defs {
		if t := f.TiedTo(s.i, k); t < 0 || !f.Op(s.i, t).IsUndef() {
			reload = append(reload, f.Op(s.i, k).Reg())
		}
	}
	n := f.New(desc.STATEPOINT)
	f.Instr(n).Loc = f.Instr(s.i).Loc
	ops := s.ops
	for k := defs; k < f.Instr(s.i).NumOps(); k++ {
		o := *f.Op(s.i, k)
		if len(ops) == 0 || ops[0] != k {
			f.InsertOp(n, f.Instr(n).NumOps(), o)
			continue
		}
		ops = ops[1:]
		f.AddOp(n, mir.ImmOp(1)) // memory, its size, the slot and an offset
		f.AddOp(n, mir.ImmOp(p.size(o.Reg())))
		f.AddOp(n, mir.FrameOp(s.slots[slices.Index(s.spill, o.Reg())]))
		f.AddOp(n, mir.ImmOp(0))
	}
	if f.HasExtra(s.i) {
		f.SetExtra(n, f.Extra(s.i))
	}
	mem := slices.Clone(f.MemIDs(s.i))
	for _, k := range hashOrder(s.spill) {
		o := f.Frame.Object(s.slots[k])
		flags := mir.MemLoad
		if slices.Contains(reload, s.spill[k]) {
			flags |= mir.MemStore
		}
		size := p.size(s.spill[k])
		mem = append(mem, f.AddMem(mir.MemOperand{Type: mir.Scalar(int(size) * 8), Size: size, Ptr: uint32(int32(s.slots[k])), PtrKind: mir.PtrFixedStack, Flags: flags, BaseAlign: o.Align}))
	}
	f.SetMem(n, mem...)
	b := f.Instr(s.i).Block()
	f.InsertBefore(b, s.i, n)
	f.Erase(s.i)
	behind := f.Instr(n).Next()
	for _, r := range reload {
		fi := s.slots[slices.Index(s.spill, r)]
		if err := p.reload(b, behind, r, fi); err != nil {
			return err
		}
		x := padSlot{s.pad, r, fi}
		if s.pad == 0 || slices.Contains(p.reloaded, x) {
			continue
		}
		p.reloaded = append(p.reloaded, x)
		if err := p.reload(s.pad, f.AfterPHIs(s.pad), r, fi); err != nil {
			return err
		}
	}
	return nil
}

func (p *statepointFixer) reload(b mir.BlockID, at mir.InstrID, r mir.Reg, fi int) error {
	return p.c.Subtarget.LoadRegFromStack(p.f, b, at, r, fi, int16(p.f.Facts.MinimalPhysRegClass(desc.PhysReg(r), 0)), 0)
}

// hashOrder gives the order of registers in LLVM's hash table of them, in which it
// lists the memory operands: 37 times their number, in a power of two of at least 64
// places that are never three quarters full, probed by steps that grow by one.
func hashOrder(regs []mir.Reg) []int {
	size := 64
	for len(regs)*4 >= size*3 {
		size *= 2
	}
	at := make([]int, size)
	for k, r := range regs {
		n := int(uint32(r)*37) & (size - 1)
		for step := 1; at[n] != 0; step++ {
			n = (n + step) & (size - 1)
		}
		at[n] = k + 1
	}
	var order []int
	for _, k := range at {
		if k != 0 {
			order = append(order, k-1)
		}
	}
	return order
}

package x86

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// fixupBW is the pass that makes moves of 8 and 16 bits moves of 32 where the rest
// of the register is free: they need not wait for it.
var fixupBW = target.Pass{
	Name:       "x86-fixup-bw-insts",
	Title:      "X86 Byte/Word Instruction Fixup",
	Before:     "cfi-instr-inserter",
	Optimizing: true,
	Requires:   mir.NoVRegs,
	KeepsCFG:   true,
	Run:        runFixupBW,
}

// liveUnits is the set of register units that are live, going backwards through a block.
type liveUnits struct {
	in   *desc.Info
	live []bool
}

// leave makes the set that which is live where b is left: into successors, and
// what the caller has back.
func (l *liveUnits) leave(f *mir.Function, b mir.BlockID) {
	l.in = f.Facts
	if len(l.live) < l.in.NumUnits() {
		l.live = make([]bool, l.in.NumUnits())
	}
	clear(l.live)
	for _, s := range f.Succs(b) {
		for _, r := range f.LiveInsOf(s.Block) {
			l.set(r.Reg, true)
		}
	}
	if f.NumSuccs(b) == 0 {
		for k := range f.Frame.CalleeSaved {
			l.set(f.Frame.CalleeSaved[k].Reg, true)
		}
	}
}

func (l *liveUnits) set(r mir.Reg, live bool) {
	for u := range l.in.RegUnits(desc.PhysReg(r)).All() {
		l.live[u] = live
	}
}

// before goes over i.
func (l *liveUnits) before(f *mir.Function, i mir.InstrID) {
	if f.IsDebugInstr(i) {
		return
	}
	for _, o := range f.Ops(i) {
		switch {
		case o.IsDef() && o.Reg().IsPhysical():
			l.set(o.Reg(), false)
		case o.Kind() == mir.OpRegMask:
			l.clobber(f, &o)
		}
	}
	for _, o := range f.Ops(i) {
		if o.IsUse() && o.Reg().IsPhysical() && !o.IsUndef() && !o.IsDebug() {
			l.set(o.Reg(), true)
		}
	}
}

// clobber takes out what a register mask does not preserve.
func (l *liveUnits) clobber(f *mir.Function, o *mir.Operand) {
	mask := f.RegMasks[o.Index()]
	for u := range l.live {
		if l.live[u] {
			if r := l.in.Units[u][0]; mask[r/32]>>(r%32)&1 == 0 {
				l.live[u] = false
			}
		}
	}
}

// aliveBeside reports whether a part of wide other than r is live.
func (l *liveUnits) aliveBeside(wide, r mir.Reg) bool {
units:
	for u := range l.in.RegUnits(desc.PhysReg(wide)).All() {
		if !l.live[u] {
			continue
		}
		for v := range l.in.RegUnits(desc.PhysReg(r)).All() {
			if u == v {
				continue units
			}
		}
		return true
	}
	return false
}

func runFixupBW(c target.PassContext, f *mir.Function) error {
	l := new(liveUnits)
	small := optSize(f)
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		if !hasNarrowMove(f, b) {
			continue
		}
		l.leave(f, b)
		for i := f.Block(b).Last(); i != 0; {
			prev := f.Instr(i).Prev()
			n := widenMove(f, l, i, small)
			l.before(f, i) // the old one: the new one makes nothing live
			if n != 0 {
				f.InsertBefore(b, i, n)
				f.Erase(i)
			}
			i = prev
		}
	}
	return nil
}

// hasNarrowMove reports whether b has anything to widen: few blocks have.
func hasNarrowMove(f *mir.Function, b mir.BlockID) bool {
	for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
		switch f.Instr(i).Opcode {
		case tab.MOV8rm, tab.MOV16rm, tab.MOV8rr, tab.MOV16rr, tab.MOVSX16rr8, tab.MOVSX16rm8, tab.MOVZX16rr8, tab.MOVZX16rm8:
			return true
		}
	}
	return false
}

// widenMove makes what replaces i, 0 for nothing.
func widenMove(f *mir.Function, l *liveUnits, i mir.InstrID, small bool) mir.InstrID {
	to := desc.Opcode(0)
	switch f.Instr(i).Opcode {
	case tab.MOV8rm:
		if !small { // a byte more
			to = tab.MOVZX32rm8
		}
	case tab.MOV16rm:
		to = tab.MOVZX32rm16
	case tab.MOVSX16rr8:
		// CBW is shorter.
		if f.Op(i, 0).Reg() != reg(tab.AX) || f.Op(i, 1).Reg() != reg(tab.AL) {
			to = tab.MOVSX32rr8
		}
	case tab.MOVSX16rm8:
		to = tab.MOVSX32rm8
	case tab.MOVZX16rr8:
		to = tab.MOVZX32rr8
	case tab.MOVZX16rm8:
		to = tab.MOVZX32rm8
	case tab.MOV8rr, tab.MOV16rr:
		return widenCopy(f, l, i)
	}
	if to == 0 {
		return 0
	}
	dst, ok := wideDest(f, l, i)
	if !ok {
		return 0
	}
	n := newFused(f, i, to)
	f.AddOp(n, mir.RegOp(dst, mir.Def))
	for k := 1; k < f.Instr(i).NumOps(); k++ {
		f.AddOp(n, *f.Op(i, k))
	}
	return n
}

// wideOf is the register of 32 bits of which r is a part.
func wideOf(in *desc.Info, r mir.Reg) (mir.Reg, desc.SubRegIdx) {
	for _, sub := range [...]desc.SubRegIdx{tab.Sub8Bit, tab.Sub16Bit, tab.Sub8BitHi} {
		if w := in.MatchingSuperReg(desc.PhysReg(r), sub, tab.GR32RegClassID); w != 0 {
			return reg(w), sub
		}
	}
	return 0, 0
}

// wideDest is the register of 32 bits that i may write: nothing reads what lies
// beside what it writes.
func wideDest(f *mir.Function, l *liveUnits, i mir.InstrID) (mir.Reg, bool) {
	r := f.Op(i, 0).Reg()
	wide, sub := wideOf(f.Facts, r)
	if wide == 0 || sub == tab.Sub8BitHi {
		return 0, false
	}
	if !l.aliveBeside(wide, r) {
		return wide, true
	}
	switch f.Instr(i).Opcode {
	case tab.MOV8rm, tab.MOV16rm, tab.MOV8rr, tab.MOV16rr:
	default:
		return 0, false
	}
	// Where the move itself says that it defines the whole, the rest was nothing before it.
	defined := false
	for k := int(f.Desc(i).NumOperands); k < f.Instr(i).NumOps(); k++ {
		o := f.Op(i, k)
		switch {
		case !o.IsReg() || !o.Reg().IsPhysical():
		case o.IsDef():
			defined = defined || o.Reg() == r || f.Facts.IsSuperRegister(desc.PhysReg(r), desc.PhysReg(o.Reg()))
		case o.Reg() != r && !f.Facts.IsSubRegister(desc.PhysReg(r), desc.PhysReg(o.Reg())) && overlap(f.Facts, wide, o.Reg()):
			return 0, false
		}
	}
	return wide, defined
}

// widenCopy makes a copy one of 32 bits, whose source may be undefined beside what
// is copied.
func widenCopy(f *mir.Function, l *liveUnits, i mir.InstrID) mir.InstrID {
	dst, ok := wideDest(f, l, i)
	if !ok {
		return 0
	}
	old := *f.Op(i, 1)
	src, sub := wideOf(f.Facts, old.Reg())
	if _, d := wideOf(f.Facts, f.Op(i, 0).Reg()); src == 0 || d != sub {
		return 0
	}
	n := newFused(f, i, tab.MOV32rr)
	f.AddOp(n, mir.RegOp(dst, mir.Def))
	f.AddOp(n, mir.RegOp(src, mir.Undef))
	f.AddOp(n, mir.RegOp(old.Reg(), mir.Implicit))
	for k := int(f.Desc(i).NumOperands); k < f.Instr(i).NumOps(); k++ {
		o := *f.Op(i, k)
		if o.IsReg() && (o.IsDef() && o.Reg() == dst || o.IsUse() && o.Reg() == src) {
			continue
		}
		f.AddOp(n, o)
	}
	return n
}

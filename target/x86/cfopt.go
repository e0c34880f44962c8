package x86

import (
	"slices"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// callFrameOpt is the pass that pushes arguments of calls where they are stored
// relative to the stack pointer. A push is three bytes shorter than such a store, but
// the area of outgoing arguments is then no part of the frame: every call with
// arguments on the stack moves the stack pointer, also those that cannot push.
var callFrameOpt = target.Pass{
	Name:       "x86-cf-opt",
	Title:      "X86 Optimize Call Frame",
	Before:     "processimpdefs,phi-node-elimination",
	Optimizing: true,
	Requires:   mir.IsSSA,
	KeepsCFG:   true,
	Run:        runCallFrameOpt,
}

// callSite is a call with what is around it.
type callSite struct {
	setup mir.InstrID
	call  mir.InstrID
	// spCopy is the copy of the stack pointer that the stores go by, 0 for none.
	spCopy mir.InstrID
	// stores has the store to each word of the area of arguments, 0 for none, as far as
	// there are stores; words is how many of them are pushed.
	stores []mir.InstrID
	words  int
	push   bool
	// barrier is the last instruction before setup that no load may be moved across, 0 for none.
	barrier mir.InstrID
}

type callFrames struct {
	c     target.PassContext
	f     *mir.Function
	sp    mir.Reg
	word  int64
	is64  bool
	sites []callSite
	used  []mir.Reg // physical registers that the stores of the current call read
}

func runCallFrameOpt(c target.PassContext, f *mir.Function) error {
	st := c.SubtargetOf()
	p := callFrames{c: c, f: f, sp: mir.Reg(st.Variant.StackPointer), word: 4, is64: st.HasFeature("64bit-mode")}
	if p.is64 {
		p.word = 8
	}
	if !p.find() || !p.legal() {
		return nil
	}
	for k := range p.sites {
		p.look(&p.sites[k])
	}
	if !p.pays() {
		return nil
	}
	for k := range p.sites {
		if s := &p.sites[k]; s.push {
			p.pushArguments(s)
		}
	}
	return nil
}

// find lists the calls with arguments on the stack; false when there are none, or
// when something between the pseudo instructions around a call is in another block.
func (p *callFrames) find() bool {
	f, v := p.f, p.c.SubtargetOf().Variant
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		inside := false
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			op := f.Instr(i).Opcode
			if op != v.FrameSetup && op != v.FrameDestroy {
				continue
			}
			if inside == (op == v.FrameSetup) {
				return false
			}
			inside = !inside
			if inside && f.Op(i, 0).Imm() >= p.word {
				p.sites = append(p.sites, callSite{setup: i})
			}
		}
		if inside {
			return false
		}
	}
	return len(p.sites) > 0
}

// legal reports whether the stack pointer may move inside of the function.
func (p *callFrames) legal() bool {
	f, st := p.f, p.c.SubtargetOf()
	switch {
	case st.Triple.IsWindows() && p.is64:
		return false // unwinding there knows prologues alone
	case !st.Triple.IsDarwin():
		return true
	case target.NeedsCFI(f) && !st.HasFP(f):
		return false // compact unwinding cannot say it
	}
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		if f.Block(b).Flags&mir.EHPad != 0 {
			return false
		}
	}
	return true
}

// look finds out whether the arguments of a call can be pushed: it is preceded by a
// store to each word of the area from its beginning on, by nothing else that writes
// memory, and by nothing that changes what the stores read.
func (p *callFrames) look(s *callSite) {
	f, st := p.f, p.c.SubtargetOf()
	i := f.Instr(s.setup).Next()
	for i != 0 && (f.Instr(i).Opcode == tab.LEA32r || f.IsDebugInstr(i)) {
		i = f.Instr(i).Next()
	}
	sp := p.sp
	area, stores := f.Op(s.setup, 0).Imm()/p.word, 0
	for j := i; j != 0 && !f.Desc(j).IsCall(); j = f.Instr(j).Next() {
		switch {
		case s.spCopy == 0 && f.Instr(j).Opcode == desc.COPY && f.Op(j, 1).Reg() == p.sp:
			s.spCopy, sp = j, f.Op(j, 0).Reg()
		case p.storesWord(j):
			stores++
		}
	}
	s.stores = make([]mir.InstrID, min(area, int64(stores))) // what is beyond is behind a gap
	p.used = p.used[:0]
	for ; i != 0; i = f.Instr(i).Next() {
		if i == s.spCopy || f.IsDebugInstr(i) {
			continue
		}
		if !p.storesWord(i) {
			if p.harmless(i) {
				continue
			}
			break
		}
		k := p.slotOf(i, sp)
		if k < 0 || k >= len(s.stores) || s.stores[k] != 0 {
			return
		}
		s.stores[k] = i
		for _, o := range f.Ops(i) {
			// harmless asks for the stack pointer itself.
			if o.IsUse() && o.Reg().IsPhysical() && o.Reg() != p.sp && !slices.Contains(p.used, o.Reg()) {
				p.used = append(p.used, o.Reg())
			}
		}
	}
	if i == 0 || !f.Desc(i).IsCall() {
		return
	}
	s.call = i
	// The result may be copied before the call's area is given up.
	for i = f.Instr(i).Next(); i != 0 && f.Instr(i).Opcode != st.Variant.FrameDestroy; i = f.Instr(i).Next() {
		switch op := f.Instr(i).Opcode; {
		case op == desc.COPY && f.Op(i, 0).Reg() != p.sp && f.Op(i, 1).Reg() != p.sp, op == desc.EH_LABEL, f.IsDebugInstr(i):
		default:
			return
		}
	}
	for s.words < len(s.stores) && s.stores[s.words] != 0 {
		s.words++
	}
	for _, i := range s.stores[s.words:] {
		if i != 0 {
			return // behind a gap
		}
	}
	s.push = i != 0 && s.words > 0
}

// storesWord reports an opcode that stores a word or sets one to 0 or -1.
func (p *callFrames) storesWord(i mir.InstrID) bool {
	f := p.f
	switch f.Instr(i).Opcode {
	case tab.AND16mi, tab.AND32mi, tab.AND64mi32:
		return f.Op(i, addrOps).IsImm() && f.Op(i, addrOps).Imm() == 0
	case tab.OR16mi, tab.OR32mi, tab.OR64mi32:
		return f.Op(i, addrOps).IsImm() && f.Op(i, addrOps).Imm() == -1
	case tab.MOV32mi, tab.MOV32mr, tab.MOV64mi32, tab.MOV64mr:
		return true
	}
	return false
}

// slotOf is the word of the area of arguments that i stores to, -1 for none.
func (p *callFrames) slotOf(i mir.InstrID, sp mir.Reg) int {
	f := p.f
	if o := f.Op(i, addrBase); !o.IsReg() || o.Reg() != sp || !plainAddress(f, i, 0) {
		return -1
	}
	disp := f.Op(i, addrDisp).Imm()
	if disp < 0 || disp%p.word != 0 {
		return -1
	}
	return int(disp / p.word)
}

// harmless reports an instruction that may stand between a store that becomes a
// push and the call: the pushes stand behind it.
func (p *callFrames) harmless(i mir.InstrID) bool {
	f := p.f
	if d := f.Desc(i); d.IsCall() || d.MayStore() || isInlineAsm(f, i) {
		return false
	}
	for _, o := range f.Ops(i) {
		if !o.IsReg() || !o.Reg().IsPhysical() {
			continue
		}
		if overlap(f.Facts, o.Reg(), p.sp) {
			return false
		}
		if o.IsDef() {
			for _, r := range p.used {
				if overlap(f.Facts, o.Reg(), r) {
					return false
				}
			}
		}
	}
	return true
}

// pays weighs bytes. Where the stack pointer moves anyway pushes always pay.
func (p *callFrames) pays() bool {
	if p.f.Frame.HasVarSizedObjects {
		return true
	}
	align := int64(1) << p.c.SubtargetOf().StackAlign()
	gain := int64(0)
	for k := range p.sites {
		switch s := &p.sites[k]; {
		case !s.push:
			gain -= 6 // the stack pointer is moved before and behind
		default:
			if int64(s.words)*p.word%align != 0 {
				gain -= 3 // moved before
			}
			gain += int64(s.words)*3 - 3 // and behind
		}
	}
	return gain >= 0
}

// pushArguments replaces the stores before a call by pushes, the last word first.
func (p *callFrames) pushArguments(s *callSite) {
	f, st := p.f, p.c.SubtargetOf()
	f.SetImm(s.setup, 2, int64(s.words)*p.word)
	s.barrier = p.barrier(s.setup)
	b := mir.Builder{F: f, Loc: f.Instr(s.setup).Loc}
	b.SetBefore(s.call)
	for k := s.words - 1; k >= 0; k-- {
		store := s.stores[k]
		switch f.Instr(store).Opcode {
		case tab.MOV32mr, tab.MOV64mr:
			p.pushRegister(&b, s, store)
		default:
			op := tab.PUSH32i
			if p.is64 {
				op = tab.PUSH64i32
			}
			o := *f.Op(store, addrOps)
			f.CopyMem(b.BuildInstr(op, o), store)
		}
		// Where the canonical frame address goes by the stack pointer.
		if !st.HasFP(f) {
			b.Build(desc.CFI_INSTRUCTION, f.AddCFI(mir.CFI{Kind: mir.CFIAdjustCfaOffset, Offset: p.word}))
		}
		f.Erase(store)
	}
	if s.spCopy != 0 && !f.HasUses(f.Op(s.spCopy, 0).Reg()) {
		f.DropDebugUses(f.Op(s.spCopy, 0).Reg())
		f.Erase(s.spCopy)
	}
}

// pushRegister builds the push of what store stores, from memory where the value was
// loaded for it alone.
func (p *callFrames) pushRegister(b *mir.Builder, s *callSite, store mir.InstrID) {
	f, st := p.f, p.c.SubtargetOf()
	val := *f.Op(store, addrOps)
	r, sub := val.Reg(), val.SubReg()
	if p.is64 && f.Instr(store).Opcode == tab.MOV32mr {
		// What is above the 32 bits is nobody's.
		undef := f.AddVReg(int16(tab.GR64RegClassID))
		r, sub = f.AddVReg(int16(tab.GR64RegClassID)), 0
		b.BuildInstr(desc.IMPLICIT_DEF, mir.RegOp(undef, mir.Def))
		b.BuildInstr(desc.INSERT_SUBREG, mir.RegOp(r, mir.Def), mir.RegOp(undef, 0), val, mir.ImmOp(int64(tab.Sub32Bit)))
	}
	p.keepAlive(val.Reg(), s.call)
	if load := p.foldableLoad(s, r); load != 0 && sub == 0 && !st.HasFeature("slow-two-mem-ops") {
		op := tab.PUSH32rmm
		if p.is64 {
			op = tab.PUSH64rmm
		}
		ops := f.LooseOps(addrOps)[:0]
		for k := range addrOps {
			o := *f.Op(load, 1+k)
			if o.IsReg() {
				p.keepAlive(o.Reg(), s.call)
			}
			ops = append(ops, o)
		}
		n := b.BuildInstr(op, ops...)
		f.FreeLooseOps()
		var buf [4]mir.MemID
		f.SetMem(n, append(append(buf[:0], f.MemIDs(load)...), f.MemIDs(store)...)...)
		f.DropDebugUses(r)
		f.Erase(load)
		return
	}
	op := tab.PUSH32r
	if p.is64 {
		op = tab.PUSH64r
	}
	o := mir.RegOp(r, val.Flags()&mir.Undef)
	n := b.BuildInstr(op, o)
	f.SetSubReg(n, 0, sub)
	f.CopyMem(n, store)
}

// keepAlive takes the kills of a virtual register away that stand before a call in
// its block: the push reads it there.
func (p *callFrames) keepAlive(r mir.Reg, call mir.InstrID) {
	if !r.IsVirtual() {
		return
	}
	f := p.f
	for i, k := range f.Uses(r) {
		if f.Op(i, k).IsKill() && f.Instr(i).Block() == f.Instr(call).Block() && f.Before(i, call) {
			f.SetOpFlag(i, k, mir.Kill, false)
		}
	}
}

// foldableLoad is the load of a register that the push may do by itself: nothing
// else reads the register, and nothing between the two writes memory. 0: there is none.
func (p *callFrames) foldableLoad(s *callSite, r mir.Reg) mir.InstrID {
	f := p.f
	if !r.IsVirtual() || !f.HasOneUse(r) {
		return 0
	}
	i := f.UniqueDef(r)
	if i == 0 || f.Instr(i).Opcode != tab.MOV32rm && f.Instr(i).Opcode != tab.MOV64rm ||
		f.Instr(i).Block() != f.Instr(s.setup).Block() || !f.Before(i, s.setup) || ordered(f, i) {
		return 0
	}
	for k := range addrOps {
		if o := f.Op(i, 1+k); o.IsReg() && o.Reg().IsPhysical() && o.Reg() != reg(tab.RIP) && k != addrSegment {
			return 0 // it may be an argument's by then
		}
	}
	if s.barrier != 0 && f.Before(i, s.barrier) {
		return 0
	}
	return i
}

// barrier is the last instruction before a call's setup, in its block, that a load may
// not be moved across; 0 when there is none.
func (p *callFrames) barrier(setup mir.InstrID) mir.InstrID {
	f := p.f
	for j := f.Instr(setup).Prev(); j != 0; j = f.Instr(j).Prev() {
		if d := f.Desc(j); d.MayStore() || d.IsCall() || isInlineAsm(f, j) || d.HasUnmodeledSideEffects() && f.Instr(j).Opcode != desc.PSEUDO_PROBE {
			return j
		}
	}
	return 0
}

// ordered reports a volatile or atomic access, or one of which nothing is known.
func ordered(f *mir.Function, i mir.InstrID) bool {
	for k := range f.NumMem(i) {
		if m := f.MemOf(i, k); m.Flags&mir.MemVolatile != 0 || m.Order != 0 {
			return true
		}
	}
	return f.NumMem(i) == 0
}

func isInlineAsm(f *mir.Function, i mir.InstrID) bool {
	op := f.Instr(i).Opcode
	return op == desc.INLINEASM || op == desc.INLINEASM_BR
}

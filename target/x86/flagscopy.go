package x86

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// flagsCopyLowering is the pass that removes copies of EFLAGS into registers and
// back, for which there are no instructions that are cheap: where the flags are
// saved the conditions are saved that will be asked for, each in a byte, and
// those who ask test that byte.
var flagsCopyLowering = target.Pass{
	Name:     "x86-flags-copy-lowering",
	Title:    "X86 EFLAGS copy lowering",
	Before:   "processimpdefs,phi-node-elimination",
	Requires: mir.IsSSA,
	Run:      runFlagsCopyLowering,
}

func runFlagsCopyLowering(c target.PassContext, f *mir.Function) error {
	eflags := reg(tab.EFLAGS)
	found := false
	for i := range mir.InstrID(f.NumInstrIDs()) {
		if in := f.Instr(i); in.Opcode == desc.COPY && in.Block() != 0 && f.Op(i, 0).Reg() == eflags {
			found = true
			break
		}
	}
	if !found {
		return nil
	}
	// In reverse postorder a copy of a copy comes behind that.
	var copies []mir.InstrID
	for _, n := range c.CFG().RPO() {
		for i := f.Block(mir.BlockID(n)).First(); i != 0; i = f.Instr(i).Next() {
			if f.Instr(i).Opcode == desc.COPY && f.Op(i, 0).Reg() == eflags {
				copies = append(copies, i)
			}
		}
	}
	for _, i := range copies {
		l := flagsLowerer{c: c, st: c.SubtargetOf(), f: f, copy: i}
		if err := l.lower(); err != nil {
			return err
		}
		c.Count("x86-flags-copy-lowering", "Number of copies of EFLAGS eliminated", 1)
	}
	return nil
}

// flagsLowerer removes one copy into EFLAGS.
type flagsLowerer struct {
	c         target.PassContext
	st        *target.Subtarget
	f         *mir.Function
	copy, def mir.InstrID // into EFLAGS, and from there
	// Conditions are saved before at in block; conds are the registers that have them.
	block mir.BlockID
	at    mir.InstrID
	loc   mir.DebugLoc
	conds [condG + 1]mir.Reg
	jumps []mir.InstrID
}

func (l *flagsLowerer) lower() error {
	f := l.f
	src := f.Op(l.copy, 1).Reg()
	if !src.IsVirtual() {
		return l.st.NotSupported(f, "a copy of a physical register to EFLAGS")
	}
	l.def = f.UniqueDef(src)
	if l.def == 0 || f.Instr(l.def).Opcode != desc.COPY || f.Op(l.def, 1).Reg() != reg(tab.EFLAGS) {
		return l.st.NotSupported(f, "a copy to EFLAGS of what is no copy of them")
	}
	if !f.Op(l.copy, 0).IsDead() {
		l.block, l.at, l.loc = f.Instr(l.def).Block(), l.def, f.Instr(l.def).Loc
		l.hoist()
		l.savedConds()
		if err := l.rewriteUses(); err != nil {
			return err
		}
	}
	f.Erase(l.copy)
	if !f.HasUses(src) {
		f.DropDebugUses(src)
		f.Erase(l.def)
	}
	return nil
}

// clobbers reports whether an instruction of b from first up to end writes EFLAGS.
func (l *flagsLowerer) clobbers(first, end mir.InstrID) bool {
	for i := first; i != 0 && i != end; i = l.f.Instr(i).Next() {
		if i == l.copy {
			continue
		}
		for _, o := range l.f.Ops(i) {
			if o.IsDef() && o.Reg() == reg(tab.EFLAGS) {
				return true
			}
		}
	}
	return false
}

// hoist moves the place where conditions are saved up to where the flags come
// from, which may be above several blocks.
func (l *flagsLowerer) hoist() {
	f, dom := l.f, l.c.Dominators()
	for f.IsLiveIn(l.block, reg(tab.EFLAGS)) && f.NumPreds(l.block) > 0 && !l.clobbers(f.Block(l.block).First(), l.at) {
		up := int(f.Preds(l.block)[0])
		for _, p := range f.Preds(l.block)[1:] {
			up = dom.Common(up, int(p))
		}
		to := mir.BlockID(up)
		if to == l.block || l.clobbersBetween(to, l.block) || l.clobbers(f.FirstTerminator(to), 0) {
			return
		}
		l.block, l.at, l.loc = to, f.FirstTerminator(to), 0
	}
}

// clobbersBetween reports whether a block on a way from top, which is not looked
// at, to end writes EFLAGS.
func (l *flagsLowerer) clobbersBetween(top, end mir.BlockID) bool {
	seen := map[mir.BlockID]bool{end: true, top: true}
	work := []mir.BlockID{end}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for _, p := range l.f.Preds(b) {
			if p == end {
				return true // around a loop
			}
			if seen[p] {
				continue
			}
			seen[p] = true
			if l.clobbers(l.f.Block(p).First(), 0) {
				return true
			}
			work = append(work, p)
		}
	}
	return false
}

// savedConds finds the conditions that are in registers already.
func (l *flagsLowerer) savedConds() {
	f := l.f
	i := f.Block(l.block).Last()
	if l.at != 0 {
		i = f.Instr(l.at).Prev()
	}
	for ; i != 0; i = f.Instr(i).Prev() {
		if f.Instr(i).Opcode == tab.SETCCr && f.Op(i, 0).Reg().IsVirtual() && f.Op(i, 0).SubReg() == 0 {
			if cc := f.Op(i, 1).Imm(); cc <= condG {
				l.conds[cc] = f.Op(i, 0).Reg()
			}
		}
		if l.clobbers(i, f.Instr(i).Next()) {
			return
		}
	}
}

// cond gives the register that has a condition.
func (l *flagsLowerer) cond(cc int64) mir.Reg {
	if l.conds[cc] == 0 {
		r := l.f.AddVReg(int16(tab.GR8RegClassID))
		b := mir.Builder{F: l.f, Block: l.block, At: l.at, Loc: l.loc}
		b.BuildInstr(tab.SETCCr, mir.RegOp(r, mir.Def), mir.ImmOp(cc))
		l.conds[cc] = r
	}
	return l.conds[cc]
}

// test tests a condition, or its opposite where that is saved, before i, and
// returns what holds then instead.
func (l *flagsLowerer) test(i mir.InstrID, cc int64) int64 {
	holds, r := int64(condNE), l.conds[cc]
	if r == 0 && l.conds[cc^1] != 0 {
		holds, r = condE, l.conds[cc^1]
	} else {
		r = l.cond(cc)
	}
	b := mir.Builder{F: l.f, Loc: l.f.Instr(i).Loc}
	b.SetBefore(i)
	b.BuildInstr(tab.TEST8rr, mir.RegOp(r, 0), mir.RegOp(r, 0))
	l.c.Count("x86-flags-copy-lowering", "Number of test instructions inserted", 1)
	return holds
}

// rewriteUses follows the flags from the copy on.
func (l *flagsLowerer) rewriteUses() error {
	f := l.f
	dom := l.c.Dominators()
	seen := map[mir.BlockID]bool{}
	work := []mir.BlockID{f.Instr(l.copy).Block()}
	for first := true; len(work) > 0; first = false {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		from := f.Block(b).First()
		if first {
			from = f.Instr(l.copy).Next()
		}
		killed, err := l.rewriteBlock(from)
		if err != nil {
			return err
		}
		if killed {
			continue
		}
		for _, s := range f.Succs(b) {
			if !f.IsLiveIn(s.Block, reg(tab.EFLAGS)) || seen[s.Block] {
				continue
			}
			if s.Block == l.block || !dom.Dominates(int(l.block), int(s.Block)) {
				return l.st.NotSupported(f, "a copy of EFLAGS whose uses others reach too")
			}
			seen[s.Block] = true
			work = append(work, s.Block)
		}
	}
	for b := range seen {
		f.RemoveLiveIn(b, reg(tab.EFLAGS))
	}
	last := mir.BlockID(0)
	for _, j := range l.jumps {
		if f.Instr(j).Block() == last {
			l.splitBefore(j)
		} else {
			last = f.Instr(j).Block()
		}
		f.SetImm(j, 1, l.test(j, f.Op(j, 1).Imm()))
		l.killFlags(j)
	}
	return nil
}

func (l *flagsLowerer) killFlags(i mir.InstrID) {
	for k := range l.f.Instr(i).NumOps() {
		if o := l.f.Op(i, k); o.IsUse() && o.Reg() == reg(tab.EFLAGS) {
			l.f.SetOpFlag(i, k, mir.Kill, true)
		}
	}
}

// splitBefore puts jump j and what follows it into a block of its own: its test
// would clobber the flags of the jump before it.
func (l *flagsLowerer) splitBefore(j mir.InstrID) {
	f := l.f
	b := f.Instr(j).Block()
	n := f.AddBlockAfter(b)
	f.Block(n).IRBlock = f.Block(b).IRBlock
	// Edges of the jumps that stay are in front.
	stay := map[mir.BlockID]bool{}
	for i := f.FirstTerminator(b); i != j && i != 0; i = f.Instr(i).Next() {
		if f.Instr(i).Opcode == tab.JCC_1 {
			stay[f.Op(i, 0).Block()] = true
		}
	}
	needed := map[mir.BlockID]bool{}
	jumpsOut := false
	for i := j; i != 0; i = f.Instr(i).Next() {
		switch f.Instr(i).Opcode {
		case tab.JCC_1:
			needed[f.Op(i, 0).Block()] = true
		case tab.JMP_1:
			needed[f.Op(i, 0).Block()] = true
			jumpsOut = true
		}
	}
	f.Splice(n, j)
	succs := append([]mir.Succ(nil), f.Succs(b)...)
	probs, total := f.AppendSuccProbs(nil, b), mir.Prob(0)
	known := f.HasSuccProbs(b)
	for k, s := range succs {
		moves := needed[s.Block] || !jumpsOut && !stay[s.Block]
		if !moves {
			continue
		}
		if known {
			f.AddSuccProb(n, s.Block, probs[k])
		} else {
			f.AddSucc(n, s.Block)
		}
		total += probs[k]
		if stay[s.Block] {
			l.addPhiPred(s.Block, b, n)
			continue
		}
		f.RemoveSucc(b, s.Block)
		f.ReplacePhiPred(s.Block, b, n)
	}
	if known {
		f.AddSuccProb(b, n, total)
		f.NormalizeSuccProbs(n)
	} else {
		f.AddSucc(b, n)
	}
}

// addPhiPred makes the PHIs of b take from predecessor n what they take from old.
func (l *flagsLowerer) addPhiPred(b, old, n mir.BlockID) {
	f := l.f
	for i := f.Block(b).First(); i != 0 && f.IsPHI(i); i = f.Instr(i).Next() {
		for k := 1; k+1 < f.Instr(i).NumOps(); k += 2 {
			if f.Op(i, k+1).Block() == old {
				o := mir.SubRegOp(f.Op(i, k).Reg(), f.Op(i, k).SubReg(), 0)
				f.AddOp(i, o)
				f.AddOp(i, mir.BlockOp(n))
				break
			}
		}
	}
}

// rewriteBlock rewrites what reads the flags from i on and reports whether they
// end in the block. Jumps are noted.
func (l *flagsLowerer) rewriteBlock(i mir.InstrID) (killed bool, err error) {
	f := l.f
	for i != 0 {
		next := f.Instr(i).Next()
		if f.IsDebugInstr(i) {
			i = next
			continue
		}
		reads, writes := flagsUse(f, i)
		if !reads && writes {
			return true, nil
		}
		if reads {
			if writes || killsFlags(f, i) {
				killed = true
			}
			if f.Instr(i).Opcode == tab.JCC_1 {
				for ; i != 0; i = f.Instr(i).Next() {
					if f.Instr(i).Opcode == tab.JCC_1 {
						l.jumps = append(l.jumps, i)
						killed = killed || killsFlags(f, i)
					}
				}
				return killed, nil
			}
			if err := l.rewrite(i); err != nil || killed {
				return killed, err
			}
		}
		i = next
	}
	return killed, nil
}

// rewrite rewrites one instruction that reads the flags and is no jump.
func (l *flagsLowerer) rewrite(i mir.InstrID) error {
	f := l.f
	op := f.Instr(i).Opcode
	at := condOperand(f, i)
	if at >= 0 && f.Op(i, at).Imm() > condG {
		return l.st.NotSupported(f, "a condition of several flags behind a copy of EFLAGS")
	}
	switch {
	case op == tab.SETCCr:
		r := l.cond(f.Op(i, 1).Imm())
		d := f.Op(i, 0).Reg()
		f.Erase(i)
		for u, k := range f.Uses(d) {
			f.SetOpFlag(u, k, mir.Kill, false) // others read r
		}
		f.ReplaceReg(d, r)
	case op == tab.SETCCm:
		r := l.cond(f.Op(i, at).Imm())
		ops := append(append(make([]mir.Operand, 0, addrOps+1), f.Ops(i)[:addrOps]...), mir.RegOp(r, 0))
		b := mir.Builder{F: f, Loc: f.Instr(i).Loc}
		b.SetBefore(i)
		f.CopyMem(b.BuildInstr(tab.MOV8mr, ops...), i)
		f.Erase(i)
	case at >= 0:
		f.SetImm(i, at, l.test(i, f.Op(i, at).Imm()))
		l.killFlags(i)
	case op == desc.COPY:
		d, src := f.Op(i, 0).Reg(), f.Op(l.def, 0).Reg()
		f.Erase(i)
		f.ReplaceReg(d, src)
	default:
		if !readsCarry(op) {
			return l.st.NotSupported(f, f.Facts.OpcodeName(op)+" behind a copy of EFLAGS")
		}
		// 1 and 255 carry, 0 and 255 do not.
		b := mir.Builder{F: f, Loc: f.Instr(i).Loc}
		r := l.cond(condB)
		b.SetBefore(i)
		b.BuildInstr(tab.ADD8ri, mir.RegOp(f.AddVReg(int16(tab.GR8RegClassID)), mir.Def|mir.Dead), mir.RegOp(r, 0), mir.ImmOp(255))
		l.killFlags(i)
	}
	return nil
}

// readsCarry reports the opcodes that read the carry and no other flag; they are
// numbered in the order of their names.
func readsCarry(op desc.Opcode) bool {
	for _, r := range [...][2]desc.Opcode{
		{tab.ADC16i16, tab.ADCX64rr_ND}, {tab.CMC, tab.CMC}, {tab.RCL16m1, tab.RCL8ri_ND}, {tab.RCR16m1, tab.RCR8ri_ND}, {tab.SBB16i16, tab.SBB8rr_REV}, {tab.SETB_C32r, tab.SETB_C64r},
	} {
		if r[0] <= op && op <= r[1] {
			return true
		}
	}
	return false
}

package x86

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// expandPseudo is the pass that expands what returns, calls in the place of a
// return, and calls with marks.
var expandPseudo = target.Pass{
	Name:     "x86-expand-pseudo",
	Title:    "X86 pseudo instruction expansion pass",
	After:    "postrapseudos",
	KeepsCFG: true,
	Run:      runExpandPseudo,
}

func runExpandPseudo(c target.PassContext, f *mir.Function) error {
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		for i := f.Block(b).First(); i != 0; {
			next := f.Instr(i).Next()
			if err := expandControl(c.SubtargetOf(), f, i); err != nil {
				return err
			}
			i = next
		}
	}
	return nil
}

// expandControl expands one instruction.
func expandControl(st *target.Subtarget, f *mir.Function, i mir.InstrID) error {
	switch f.Instr(i).Opcode {
	case tab.RET:
		expandRet(modeOf(st), f, i)
	case tab.IRET:
		if f.Op(i, 0).Imm() != 0 {
			return st.NotSupported(f, "a return from an interrupt that pops an error code")
		}
		f.RemoveOp(i, 0)
		f.Instr(i).Opcode = tab.IRET64
		if !modeOf(st).is64() {
			f.Instr(i).Opcode = tab.IRET32
		}
	case tab.TCRETURNdi64:
		return expandTailCall(st, f, i, 1, tab.TAILJMPd64)
	case tab.TCRETURNri64, tab.TCRETURNri64_ImpCall:
		return expandTailCall(st, f, i, 1, tab.TAILJMPr64)
	case tab.TCRETURNmi64:
		return expandTailCall(st, f, i, addrOps, tab.TAILJMPm64)
	case tab.TCRETURNdi64cc:
		return expandTailCall(st, f, i, 1, tab.TAILJMPd64_CC)
	case tab.TCRETURNdi:
		return expandTailCall(st, f, i, 1, tab.TAILJMPd)
	case tab.TCRETURNri:
		return expandTailCall(st, f, i, 1, tab.TAILJMPr)
	case tab.TCRETURNmi:
		return expandTailCall(st, f, i, addrOps, tab.TAILJMPm)
	case tab.TCRETURNdicc:
		return expandTailCall(st, f, i, 1, tab.TAILJMPd_CC)
	case tab.EH_RETURN:
		f.Instr(i).Opcode = tab.MOV32rr
		f.InsertOp(i, 0, mir.RegOp(reg(tab.ESP), mir.Def))
	case tab.EH_RETURN64:
		// The handler's address stands where the stack is to point.
		f.Instr(i).Opcode = tab.MOV64rr
		f.InsertOp(i, 0, mir.RegOp(reg(tab.RSP), mir.Def))
	case tab.CALL64r_RVMARKER:
		expandMarkedCall(f, i, 1, tab.CALL64r)
	case tab.CALL64m_RVMARKER:
		expandMarkedCall(f, i, addrOps, tab.CALL64m)
	case tab.CALL64pcrel32_RVMARKER:
		expandMarkedCall(f, i, 1, tab.CALL64pcrel32)
	case tab.CALL64r_ImpCall:
		f.Instr(i).Opcode = tab.CALL64r
	case tab.MASKPAIR16LOAD, tab.MASKPAIR16STORE:
		expandMaskPair(f, i)
	case tab.LCMPXCHG16B_SAVE_RBX:
		expandSaveRBX(f, i, tab.LCMPXCHG16B, addrOps)
	case tab.MWAITX_SAVE_RBX:
		expandSaveRBX(f, i, tab.MWAITXrrr, 0)
	}
	return nil
}

// expandRet: RET n pops n bytes of arguments.
func expandRet(m *mode, f *mir.Function, i mir.InstrID) {
	n := f.Op(i, 0).Imm()
	ops := make([]mir.Operand, 0, 4)
	if n != 0 {
		ops = append(ops, mir.ImmOp(n))
	}
	for k := 1; k < f.Instr(i).NumOps(); k++ {
		ops = append(ops, *f.Op(i, k))
	}
	op := m.ret
	if n != 0 {
		op = m.retPop
	}
	b := mir.Builder{F: f, Loc: f.Instr(i).Loc, Flags: f.Instr(i).Flags()}
	b.SetBefore(i)
	b.Build(op, ops...)
	f.Erase(i)
}

// expandTailCall makes i, whose target is n operands and the bytes of stack that
// it pops, a jump.
func expandTailCall(st *target.Subtarget, f *mir.Function, i mir.InstrID, n int, op desc.Opcode) error {
	b := mir.Builder{F: f, Loc: f.Instr(i).Loc}
	b.SetBefore(i)
	if pop := f.Op(i, n).Imm(); pop < 0 {
		return st.NotSupported(f, "a tail call that makes room for arguments")
	} else if pop > 0 {
		p := &frameBuilder{m: modeOf(st), f: f, b: f.Instr(i).Block(), at: i}
		p.adjustSP(pop, false)
	}
	ops := append(make([]mir.Operand, 0, 8), f.Ops(i)[:n]...)
	at := n + 1
	if op == tab.TAILJMPd64_CC || op == tab.TAILJMPd_CC {
		ops = append(ops, *f.Op(i, at))
		at++
	}
	for ; at < f.Instr(i).NumOps() && !f.Op(i, at).IsImplicit(); at++ {
		ops = append(ops, *f.Op(i, at))
	}
	jump := b.BuildInstr(op, ops...)
	for ; at < f.Instr(i).NumOps(); at++ {
		f.AddOp(jump, *f.Op(i, at))
	}
	f.CopyMem(jump, i)
	f.SetExtra(jump, f.Extra(i))
	f.Erase(i)
	return nil
}

// expandMarkedCall makes the call that operand 1 and those behind it describe, the move of its result into the first argument and the call of the
// runtime function that operand 0 names.
func expandMarkedCall(f *mir.Function, i mir.InstrID, n int, op desc.Opcode) {
	b := mir.Builder{F: f, Loc: f.Instr(i).Loc}
	b.SetBefore(i)
	runtime := *f.Op(i, 0)
	ops := make([]mir.Operand, 0, 16)
	ops = append(ops, f.Ops(i)[1:1+n]...)
	mask := *f.Op(i, 1+n)
	call := b.BuildInstr(op, append(ops, mask)...)
	for k := 2 + n; k < f.Instr(i).NumOps(); k++ {
		o := *f.Op(i, k)
		if o.IsReg() && o.IsDef() && o.IsDead() {
			o = o.WithFlag(mir.Dead, false)
		}
		f.AddOp(call, o)
	}
	dead := false
	for k := 2 + n; k < f.Instr(i).NumOps(); k++ {
		if o := f.Op(i, k); o.IsDef() && o.Reg() == reg(tab.RAX) {
			dead = o.IsDead()
		}
	}
	b.Build(tab.MOV64rr, mir.RegOp(reg(tab.RDI), mir.Def), mir.RegOp(reg(tab.RAX), 0))
	b.BuildInstr(tab.CALL64pcrel32, runtime, mask)
	last := f.Instr(i).Prev()
	f.AddOp(last, mir.RegOp(reg(tab.RAX), mir.Def|mir.Implicit).WithFlag(mir.Dead, dead))
	f.Erase(i)
	// The runtime looks at the code that it returns to: nothing comes in between.
	f.FinalizeBundle(call, last)
}

// expandMaskPair stores or loads two mask registers, which are one to the allocator.
func expandMaskPair(f *mir.Function, i mir.InstrID) {
	load := f.Instr(i).Opcode == tab.MASKPAIR16LOAD
	at, op, addr := addrOps, tab.KMOVWmk, 0
	if load {
		at, op, addr = 0, tab.KMOVWkm, 1
	}
	r := desc.PhysReg(f.Op(i, at).Reg())
	b := mir.Builder{F: f, Loc: f.Instr(i).Loc}
	b.SetBefore(i)
	for n, sub := range [...]desc.SubRegIdx{tab.SubMask0, tab.SubMask1} {
		m := target.MemRef{Addr: append([]mir.Operand(nil), f.Ops(i)[addr:addr+addrOps]...)}
		if n == 0 {
			for k := range m.Addr {
				if m.Addr[k].IsReg() {
					m.Addr[k] = m.Addr[k].WithFlag(mir.Kill, false)
				}
			}
		}
		a := shifted(&m, int64(2*n)).Addr
		o := mir.RegOp(reg(f.Facts.SubReg(r, sub)), f.Op(i, at).Flags()&(mir.Def|mir.Kill|mir.Dead|mir.Undef))
		if load {
			a = append([]mir.Operand{o}, a...)
		} else {
			a = append(a, o)
		}
		k := b.Build(op, a...)
		f.CopyMem(k, i)
	}
	f.Erase(i)
}

// expandSaveRBX: an instruction that reads RBX, which is the frame's base here:
// operand n+1 is moved there first and RBX restored from operand n+2 after it.
func expandSaveRBX(f *mir.Function, i mir.InstrID, op desc.Opcode, n int) {
	b := mir.Builder{F: f, Loc: f.Instr(i).Loc}
	b.SetBefore(i)
	in, save := *f.Op(i, 1+n), *f.Op(i, 2+n)
	sub := reg(tab.RBX)
	move := tab.MOV64rr
	if op == tab.MWAITXrrr {
		in, save, sub, move = *f.Op(i, 1), *f.Op(i, 2), reg(tab.EBX), tab.MOV32rr
	}
	b.Build(move, mir.RegOp(sub, mir.Def), mir.RegOp(in.Reg(), in.Flags()&mir.Kill))
	ops := append([]mir.Operand(nil), f.Ops(i)[1:1+n]...)
	k := b.BuildInstr(op, ops...)
	if n > 0 {
		f.CopyMem(k, i)
	}
	b.Build(tab.MOV64rr, mir.RegOp(reg(tab.RBX), mir.Def), mir.RegOp(save.Reg(), mir.Kill))
	f.Erase(i)
}

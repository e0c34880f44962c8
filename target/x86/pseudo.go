package x86

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// expandPostRAPseudo replaces one pseudo instruction by real ones.
func expandPostRAPseudo(st *target.Subtarget, f *mir.Function, i mir.InstrID) (bool, error) {
	b := mir.Builder{F: f, Loc: f.Instr(i).Loc}
	b.SetBefore(i)
	dst := mir.Reg(0)
	if f.Instr(i).NumOps() > 0 && f.Op(i, 0).IsReg() {
		dst = f.Op(i, 0).Reg()
	}
	undef := func(r mir.Reg) mir.Operand { return mir.RegOp(r, mir.Undef) }
	switch f.Instr(i).Opcode {
	case tab.MOV32r0:
		self(&b, tab.XOR32rr, dst)
	case tab.MOV32r1, tab.MOV32r_1:
		op := tab.INC32r
		if f.Instr(i).Opcode == tab.MOV32r_1 {
			op = tab.DEC32r
		}
		self(&b, tab.XOR32rr, dst)
		b.BuildInstr(op, mir.RegOp(dst, mir.Def), mir.RegOp(dst, 0))
	case tab.MOV32ri64:
		// The 32-bit move clears the upper half of the 64-bit register.
		lo := f.Facts.SubReg(desc.PhysReg(dst), tab.Sub32Bit)
		n := b.Build(tab.MOV32ri, mir.RegOp(reg(lo), mir.Def), *f.Op(i, 1))
		f.AddOp(n, mir.RegOp(dst, mir.Def|mir.Implicit))
	case tab.SETB_C32r:
		self(&b, tab.SBB32rr, dst)
	case tab.SETB_C64r:
		self(&b, tab.SBB64rr, dst)
	case tab.V_SET0, tab.FsFLD0SS, tab.FsFLD0SD, tab.FsFLD0F128:
		b.BuildInstr(tab.XORPSrr, mir.RegOp(dst, mir.Def), undef(dst), undef(dst))
	case tab.V_SETALLONES:
		b.BuildInstr(tab.PCMPEQDrr, mir.RegOp(dst, mir.Def), undef(dst), undef(dst))
	case tab.RET:
		// RET n: n bytes of arguments are popped.
		op, ops := tab.RET64, []mir.Operand(nil)
		if n := f.Op(i, 0).Imm(); n != 0 {
			op, ops = tab.RETI64, []mir.Operand{mir.ImmOp(n)}
		}
		n := b.Build(op, ops...)
		for k := 1; k < f.Instr(i).NumOps(); k++ {
			if o := *f.Op(i, k); o.IsReg() {
				f.AddOp(n, mir.RegOp(o.Reg(), o.Flags()|mir.Implicit))
			}
		}
	case tab.TCRETURNdi64, tab.TCRETURNri64:
		op := tab.TAILJMPd64
		if f.Instr(i).Opcode == tab.TCRETURNri64 {
			op = tab.TAILJMPr64
		}
		n := b.Build(op, *f.Op(i, 0))
		for k := 2; k < f.Instr(i).NumOps(); k++ {
			f.AddOp(n, *f.Op(i, k))
		}
	default:
		return false, nil
	}
	f.Erase(i)
	return true, nil
}

// self builds op r, r, r whose result does not depend on what r held.
func self(b *mir.Builder, op desc.Opcode, r mir.Reg) {
	b.BuildInstr(op, mir.RegOp(r, mir.Def), mir.RegOp(r, mir.Undef), mir.RegOp(r, mir.Undef))
}

// insertCustom expands, before register allocation, what needs control flow.
func insertCustom(st *target.Subtarget, f *mir.Function, i mir.InstrID) (mir.BlockID, error) {
	switch f.Instr(i).Opcode {
	case tab.CMOV_GR8, tab.CMOV_GR16, tab.CMOV_GR32, tab.CMOV_FR32, tab.CMOV_FR64, tab.CMOV_VR128:
		return expandCMOV(f, i), nil
	}
	return 0, st.NotSupported(f, f.Facts.OpcodeName(f.Instr(i).Opcode))
}

// expandCMOV turns %d = CMOV_… %a, %b, cc (cc ? b : a) into a branch around an
// empty block and a PHI. Runs of them on one condition share the branch.
//
//	this:  JCC_1 %sink, cc     ; falls through to false
//	false:
//	sink:  %d = PHI %a, %false, %b, %this
func expandCMOV(f *mir.Function, i mir.InstrID) mir.BlockID {
	this := f.Instr(i).Block()
	cc := f.Op(i, 3).Imm()
	last := i
	for n := f.SkipDebug(f.Instr(last).Next()); n != 0 && isCMOVPseudo(f, n) && f.Op(n, 3).Imm() == cc && !readsAny(f, n, i, last); n = f.SkipDebug(f.Instr(last).Next()) {
		last = n
	}
	no := f.AddBlockAfter(this)
	sink := f.AddBlockAfter(no)
	if flagsRead(f, last) {
		f.AddLiveIn(no, reg(tab.EFLAGS), mir.AllLanes)
		f.AddLiveIn(sink, reg(tab.EFLAGS), mir.AllLanes)
	}
	f.Block(no).IRBlock, f.Block(sink).IRBlock = f.Block(this).IRBlock, f.Block(this).IRBlock
	if rest := f.Instr(last).Next(); rest != 0 {
		f.Splice(sink, rest)
	}
	f.TransferSuccs(this, sink)
	f.AddSucc(this, no)
	f.AddSucc(this, sink)
	f.AddSucc(no, sink)
	at := f.Block(sink).First()
	var records []mir.InstrID // debug instructions go behind the PHIs
	for n := i; n != 0; {
		next := f.Instr(n).Next()
		if f.IsDebugInstr(n) {
			records = append(records, n)
			n = next
			continue
		}
		phi := f.New(desc.PHI, mir.RegOp(f.Op(n, 0).Reg(), mir.Def),
			mir.SubRegOp(f.Op(n, 1).Reg(), f.Op(n, 1).SubReg(), 0), mir.BlockOp(no),
			mir.SubRegOp(f.Op(n, 2).Reg(), f.Op(n, 2).SubReg(), 0), mir.BlockOp(this))
		f.Instr(phi).Loc = f.Instr(n).Loc
		f.InsertBefore(sink, at, phi)
		f.Erase(n)
		n = next
	}
	for _, d := range records {
		f.Move(sink, at, d)
	}
	b := mir.Builder{F: f, Block: this}
	b.BuildInstr(tab.JCC_1, mir.BlockOp(sink), mir.ImmOp(cc))
	return sink
}

func isCMOVPseudo(f *mir.Function, i mir.InstrID) bool {
	switch f.Instr(i).Opcode {
	case tab.CMOV_GR8, tab.CMOV_GR16, tab.CMOV_GR32, tab.CMOV_FR32, tab.CMOV_FR64, tab.CMOV_VR128:
		return true
	}
	return false
}

// readsAny reports whether n reads the result of an instruction between first and last.
func readsAny(f *mir.Function, n, first, last mir.InstrID) bool {
	for j := first; ; j = f.SkipDebug(f.Instr(j).Next()) {
		d := f.Op(j, 0).Reg()
		if f.Op(n, 1).Reg() == d || f.Op(n, 2).Reg() == d {
			return true
		}
		if j == last {
			return false
		}
	}
}

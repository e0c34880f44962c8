package bpf

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/bpf/tab"
)

var instrHooks = target.InstrHooks{
	InsertCustom: insertCustom,
}

// instrTable names the instructions that passes build by themselves. Conditional jumps are not
// among them, as in LLVM: what the verifier learned of a register at a jump must hold behind it,
// and no pass turns one round, merges or copies blocks that end with one.
var instrTable = target.InstrTable{
	Copies: []target.CopyRow{{Dst: tab.GPRRegClassID, Src: tab.GPRRegClassID, Op: tab.MOV_rr},
		{Dst: tab.GPR32RegClassID, Src: tab.GPR32RegClassID, Op: tab.MOV_rr_32}},
	Spills: []target.SpillRow{{Class: tab.GPRRegClassID, Store: tab.STD, Load: tab.LDD}, {Class: tab.GPR32RegClassID, Store: tab.STW32, Load: tab.LDW32}},
	Jump:   tab.JMP,
}

// jumps are the conditional jumps by SelectionDAG's number of the condition: registers,
// a number, both of low halves.
var jumps = map[int64][4]desc.Opcode{
	17: {tab.JEQ_rr, tab.JEQ_ri, tab.JEQ_rr_32, tab.JEQ_ri_32},
	22: {tab.JNE_rr, tab.JNE_ri, tab.JNE_rr_32, tab.JNE_ri_32},
	18: {tab.JSGT_rr, tab.JSGT_ri, tab.JSGT_rr_32, tab.JSGT_ri_32},
	19: {tab.JSGE_rr, tab.JSGE_ri, tab.JSGE_rr_32, tab.JSGE_ri_32},
	20: {tab.JSLT_rr, tab.JSLT_ri, tab.JSLT_rr_32, tab.JSLT_ri_32},
	21: {tab.JSLE_rr, tab.JSLE_ri, tab.JSLE_rr_32, tab.JSLE_ri_32},
	10: {tab.JUGT_rr, tab.JUGT_ri, tab.JUGT_rr_32, tab.JUGT_ri_32},
	11: {tab.JUGE_rr, tab.JUGE_ri, tab.JUGE_rr_32, tab.JUGE_ri_32},
	12: {tab.JULT_rr, tab.JULT_ri, tab.JULT_rr_32, tab.JULT_ri_32},
	13: {tab.JULE_rr, tab.JULE_ri, tab.JULE_rr_32, tab.JULE_ri_32},
}

// exchanged are the conditions that hold when the operands are exchanged.
var exchanged = map[int64]int64{20: 18, 21: 19, 12: 10, 13: 11}

// insertCustom turns %d = Select… %a, %b, cc, %x, %y into a jump around an empty block and a PHI.
//
//	this:  Jcc %a, %b, %sink     ; falls through to no
//	no:
//	sink:  %d = PHI %y, %no, %x, %this
func insertCustom(st *target.Subtarget, f *mir.Function, i mir.InstrID) (mir.BlockID, error) {
	form := 0
	switch f.Instr(i).Opcode {
	case tab.Select, tab.Select_64_32:
	case tab.Select_Ri, tab.Select_Ri_64_32:
		form = 1
	case tab.Select_32, tab.Select_32_64:
		form = 2
	case tab.Select_Ri_32, tab.Select_Ri_32_64:
		form = 3
	default:
		return 0, st.NotSupported(f, f.Facts.OpcodeName(f.Instr(i).Opcode))
	}
	this := f.Instr(i).Block()
	a, b, cc := *f.Op(i, 1), *f.Op(i, 2), f.Op(i, 3).Imm()
	at := mir.Builder{F: f, Loc: f.Instr(i).Loc}
	at.SetBefore(i)
	if s := isaOf(st); !s.jmpExt && exchanged[cc] != 0 {
		if form&1 != 0 {
			r := f.AddVReg(f.VReg(a.Reg()).Class)
			at.BuildInstr([2]desc.Opcode{tab.MOV_ri, tab.MOV_ri_32}[form>>1], mir.RegOp(r, mir.Def), b)
			b = mir.RegOp(r, 0)
			form &^= 1
		}
		a, b, cc = b, a, exchanged[cc]
	}
	no := f.AddBlockAfter(this)
	sink := f.AddBlockAfter(no)
	f.Block(no).IRBlock, f.Block(sink).IRBlock = f.Block(this).IRBlock, f.Block(this).IRBlock
	if rest := f.Instr(i).Next(); rest != 0 {
		f.Splice(sink, rest)
	}
	f.TransferSuccs(this, sink)
	f.AddSucc(this, no)
	f.AddSucc(this, sink)
	f.AddSucc(no, sink)
	use := func(n int) mir.Operand { return mir.SubRegOp(f.Op(i, n).Reg(), f.Op(i, n).SubReg(), 0) }
	phi := f.New(desc.PHI, mir.RegOp(f.Op(i, 0).Reg(), mir.Def), use(5), mir.BlockOp(no), use(4), mir.BlockOp(this))
	f.Instr(phi).Loc = f.Instr(i).Loc
	f.InsertBefore(sink, f.Block(sink).First(), phi)
	at = mir.Builder{F: f, Block: this, Loc: f.Instr(i).Loc}
	f.Erase(i)
	at.BuildInstr(jumps[cc][form], a, b, mir.BlockOp(sink))
	return sink, nil
}

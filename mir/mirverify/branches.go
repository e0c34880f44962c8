package mirverify

import (
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// branchInfo names a target's direct branches, so that blocks that end in them
// alone can be held to their successors. A block with any other terminator is
// one that LLVM's targets do not analyze either, or not so simply.
type branchInfo struct {
	always, cond []desc.Opcode
}

// branchNames are the opcodes by target: unconditional ones, then conditional ones.
var branchNames = [...][3]string{
	{"X86", "JMP_1", "JCC_1"},
	{"AArch64", "B", "Bcc CBZW CBZX CBNZW CBNZX TBZW TBZX TBNZW TBNZX"},
	{"RISCV", "PseudoBR", "BEQ BNE BLT BGE BLTU BGEU"},
	{"AMDGPU", "S_BRANCH", "S_CBRANCH_SCC0 S_CBRANCH_SCC1 S_CBRANCH_VCCZ S_CBRANCH_VCCNZ S_CBRANCH_EXECZ S_CBRANCH_EXECNZ"},
	{"LoongArch", "PseudoBR", "BEQ BNE BLT BGE BLTU BGEU BEQZ BNEZ BCEQZ BCNEZ"},
	{"PowerPC", "B", "BCC BC BCn"},
	{"BPF", "JMP", ""},
	{"SystemZ", "J JG", ""},
}

// branchesOf returns the branches of a target, nil for one without a list.
func branchesOf(in *desc.Info) *branchInfo {
	for _, row := range branchNames {
		if row[0] != in.Target {
			continue
		}
		return &branchInfo{opcodes(in, row[1]), opcodes(in, row[2])}
	}
	return nil
}

func opcodes(in *desc.Info, names string) (l []desc.Opcode) {
	for _, n := range strings.Fields(names) {
		if op, ok := in.OpcodeByName(n); ok {
			l = append(l, op)
		}
	}
	return l
}

func contains(l []desc.Opcode, op desc.Opcode) bool {
	for _, x := range l {
		if x == op {
			return true
		}
	}
	return false
}

// exits is how control leaves a block: to taken, to other when it is not
// taken; 0 for the next block.
type exits struct {
	taken, other mir.BlockID
	cond         bool
}

// exitsOf analyzes the terminators of b; ok is false when it cannot.
func (v *Verifier) exitsOf(b mir.BlockID) (e exits, ok bool) {
	if v.analyze == nil {
		return e, false
	}
	f := v.f
	n := 0
	for i := f.Block(b).Last; i != 0; i = f.Instr(i).Prev() {
		if f.IsDebugInstr(i) {
			continue
		}
		d := f.Desc(i)
		if !d.IsTerminator() {
			break
		}
		if f.Instr(i).Flags()&(mir.BundledPred|mir.BundledSucc) != 0 {
			return e, false
		}
		// On x86 LLVM does not analyze a branch on flags that are undefined.
		if v.in.Target == "X86" && undefined(f.Ops(i)) {
			return e, false
		}
		op := f.Instr(i).Opcode
		to, has := branchTarget(f.Ops(i))
		if !has {
			return e, false
		}
		switch {
		case n == 0 && contains(v.analyze.always, op):
			e.taken = to
		case n == 0 && contains(v.analyze.cond, op):
			e.taken, e.cond = to, true
		case n == 1 && !e.cond && contains(v.analyze.cond, op):
			e.taken, e.other, e.cond = to, e.taken, true
		default:
			return e, false
		}
		n++
	}
	return e, true
}

func branchTarget(ops []mir.Operand) (mir.BlockID, bool) {
	for k := range ops {
		if ops[k].Kind() == mir.OpMBB {
			return ops[k].Block(), true
		}
	}
	return 0, false
}

func undefined(ops []mir.Operand) bool {
	for k := range ops {
		if ops[k].IsUse() && ops[k].IsImplicit() && ops[k].IsUndef() {
			return true
		}
	}
	return false
}

// checkExits compares a block's branches with its successors.
func (v *Verifier) checkExits(b mir.BlockID) {
	e, ok := v.exitsOf(b)
	if !ok {
		return
	}
	f := v.f
	last := f.Block(b).Last
	for last != 0 && f.IsDebugInstr(last) {
		last = f.Instr(last).Prev()
	}
	barrier := last != 0 && f.Desc(last).IsBarrier()
	switch {
	case e.taken == 0:
		if barrier {
			v.errBlock(b, "MBB exits via unconditional fall-through but ends with a barrier instruction!")
		}
	case e.cond && e.other == 0 && barrier:
		v.errBlock(b, "MBB exits via conditional branch/fall-through but ends with a barrier instruction!")
	}
	if e.taken != 0 && !f.HasSucc(b, e.taken) {
		v.errBlock(b, "MBB exits via jump or conditional branch, but its target isn't a CFG successor!")
	}
	if e.other != 0 && !f.HasSucc(b, e.other) {
		v.errBlock(b, "MBB exits via conditional branch, but its target isn't a CFG successor!")
	}
	next := f.NextBlock(b)
	falls := e.taken == 0 || e.cond && e.other == 0
	if e.cond && e.other == 0 {
		if next == 0 {
			v.errBlock(b, "MBB conditionally falls through out of function!")
		} else if !f.HasSucc(b, next) {
			v.errBlock(b, "MBB exits via conditional branch/fall-through but the CFG successors don't match the actual successors!")
		}
	}
	for _, s := range f.Succs(b) {
		s := mir.BlockID(s)
		if s == e.taken || s == e.other || falls && s == next || f.Block(s).Flags&(mir.EHPad|mir.InlineAsmBrTarget) != 0 {
			continue
		}
		v.errBlock(b, "MBB has unexpected successors which are not branch targets, fallthrough, EHPads, or inlineasm_br targets.")
	}
}

package x86

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// Condition codes as the hardware numbers them (Intel SDM volume 1, appendix
// B); an odd code is the opposite of the even one before it.
const (
	condO = iota
	condNO
	condB
	condAE
	condE
	condNE
	condBE
	condA
	condS
	condNS
	condP
	condNP
	condL
	condGE
	condLE
	condG
)

// analyzeBranch understands blocks that end in nothing, JMP, JCC, or JCC JMP.
func analyzeBranch(_ *target.Subtarget, f *mir.Function, b mir.BlockID) (target.Branch, bool) {
	var br target.Branch
	i := f.FirstTerminator(b)
	if i == 0 {
		return br, true
	}
	seen := false
	for ; i != 0; i = f.Instr(i).Next() {
		switch f.Instr(i).Opcode {
		case desc.DBG_VALUE, desc.DBG_VALUE_LIST, desc.DBG_LABEL:
		case tab.JCC_1:
			if seen || br.True != 0 {
				return br, false
			}
			seen = true
			br.True = f.Op(i, 0).Block()
			br.Cond = []mir.Operand{*f.Op(i, 1)}
		case tab.JMP_1:
			if br.Cond == nil {
				if br.True != 0 {
					return br, false
				}
				br.True = f.Op(i, 0).Block()
			} else if br.False == 0 {
				br.False = f.Op(i, 0).Block()
			} else {
				return br, false
			}
		default:
			return br, false
		}
	}
	return br, true
}

func removeBranch(_ *target.Subtarget, f *mir.Function, b mir.BlockID) int {
	n := 0
	for i := f.Block(b).Last(); i != 0; {
		prev := f.Instr(i).Prev()
		switch f.Instr(i).Opcode {
		case tab.JCC_1, tab.JMP_1:
			f.Erase(i)
			n++
		default:
			if !f.IsDebugInstr(i) {
				return n
			}
		}
		i = prev
	}
	return n
}

func insertBranch(_ *target.Subtarget, f *mir.Function, b mir.BlockID, br target.Branch, loc mir.DebugLoc) int {
	bd := mir.Builder{F: f, Block: b, Loc: loc}
	if br.Cond == nil {
		bd.Build(tab.JMP_1, mir.BlockOp(br.True))
		return 1
	}
	i := bd.Build(tab.JCC_1, mir.BlockOp(br.True), br.Cond[0])
	f.AddImplicitOps(i)
	if br.False == 0 {
		return 1
	}
	bd.Build(tab.JMP_1, mir.BlockOp(br.False))
	return 2
}

func reverseCond(_ *target.Subtarget, cond []mir.Operand) bool {
	if len(cond) != 1 || cond[0].Imm() > condG {
		return false
	}
	cond[0] = cond[0].WithImm(cond[0].Imm() ^ 1)
	return true
}

package x86

import (
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

// Conditions of two branches, as comparisons of floating point need them: the
// first is taken when one of two branches is, the second when neither of two is.
const (
	condNEOrP = condG + 1 + iota
	condEAndNP
)

// analyzeBranch understands blocks that end in nothing, JMP, JCC, or JCC JMP,
// where two JCC stand for one of the conditions above. It looks at them from the
// last to the first.
func analyzeBranch(_ *target.Subtarget, f *mir.Function, b mir.BlockID) (target.Branch, bool) {
	var br target.Branch
	for i := f.Block(b).Last(); i != 0; i = f.Instr(i).Prev() {
		if f.IsDebugInstr(i) {
			continue
		}
		d := f.Desc(i)
		switch op := f.Instr(i).Opcode; {
		case !d.IsTerminator():
			return br, true
		case op == tab.JMP_1:
			br = target.Branch{True: f.Op(i, 0).Block()} // what stands behind is never reached
		case op != tab.JCC_1 || f.Instr(i).NumOps() > 2 && f.Op(i, 2).IsUndef():
			return br, false
		case br.Cond == nil:
			br.True, br.False = f.Op(i, 0).Block(), br.True
			br.Cond = f.LooseOps(1)
			br.Cond[0] = *f.Op(i, 1)
		default:
			to, cc, old := f.Op(i, 0).Block(), f.Op(i, 1).Imm(), br.Cond[0].Imm()
			switch {
			case cc == old && to == br.True:
				continue
			case to == br.True && (old == condP && cc == condNE || old == condNE && cc == condP):
				cc = condNEOrP
			case old == condNP && cc == condNE || old == condE && cc == condP:
				other := br.False
				if other == 0 {
					other = fallsThroughTo(f, b, br.True)
				}
				if to != other {
					return br, false
				}
				cc = condEAndNP
			default:
				return br, false
			}
			br.Cond[0] = mir.ImmOp(cc)
		}
	}
	return br, true
}

// fallsThroughTo is the only successor of b but for taken and landing pads,
// taken when there is none, 0 when there are several.
func fallsThroughTo(f *mir.Function, b, taken mir.BlockID) mir.BlockID {
	other := mir.BlockID(0)
	for _, s := range f.Succs(b) {
		if s.Block == taken || f.Block(s.Block).Flags&mir.EHPad != 0 {
			continue
		}
		if other != 0 && other != s.Block {
			return 0
		}
		other = s.Block
	}
	if other == 0 {
		return taken
	}
	return other
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
	n := 1
	jcc := func(to mir.BlockID, cc int64) {
		f.AddImplicitOps(bd.Build(tab.JCC_1, mir.BlockOp(to), mir.ImmOp(cc)))
	}
	through := br.False == 0
	switch cc := br.Cond[0].Imm(); cc {
	case condNEOrP:
		jcc(br.True, condNE)
		jcc(br.True, condP)
		n = 2
	case condEAndNP:
		if through {
			br.False = fallsThroughTo(f, b, br.True)
		}
		jcc(br.False, condNE)
		jcc(br.True, condNP)
		n = 2
	default:
		jcc(br.True, cc)
	}
	if through {
		return n
	}
	bd.Build(tab.JMP_1, mir.BlockOp(br.False))
	return n + 1
}

// foldTailCall is InstrHooks.FoldTailCall: a jump out of the function may have a
// condition, unless it pops arguments. Unwinders of Win64 know no such end.
func foldTailCall(st *target.Subtarget, f *mir.Function, b mir.BlockID, cond []mir.Operand, i mir.InstrID) mir.InstrID {
	if f.Instr(i).Opcode != modeOf(st).tailJump || f.Op(i, 1).Imm() != 0 || cond[0].Imm() > condG || st.Triple.IsWindows() {
		return 0
	}
	j := f.Block(b).Last()
	for f.Instr(j).Opcode != tab.JCC_1 || f.Op(j, 1).Imm() != cond[0].Imm() {
		j = f.Instr(j).Prev()
	}
	bd := mir.Builder{F: f, Loc: f.Instr(j).Loc}
	bd.SetBefore(j)
	n := bd.BuildInstr(modeOf(st).tailJumpCC, *f.Op(i, 0), mir.ImmOp(0), cond[0])
	for k := 2; k < f.Instr(i).NumOps(); k++ {
		f.AddOp(n, *f.Op(i, k))
	}
	f.SetExtra(n, f.Extra(i))
	f.Erase(j)
	return n
}

func reverseCond(_ *target.Subtarget, cond []mir.Operand) bool {
	cc := cond[0].Imm()
	switch {
	case cc == condNEOrP:
		cc = condEAndNP
	case cc == condEAndNP:
		cc = condNEOrP
	case cc > condG:
		return false
	default:
		cc ^= 1
	}
	cond[0] = cond[0].WithImm(cc)
	return true
}

package x86

import (
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// returnThunks is the pass that has functions which ask for it (fn_ret_thunk_extern)
// return by a jump to a thunk, which a kernel has for each processor.
var returnThunks = target.Pass{
	Name:     "x86-return-thunks",
	Title:    "X86 Return Thunks",
	Before:   "cfi-instr-inserter",
	KeepsCFG: true,
	Run:      runReturnThunks,
}

const returnThunk = "__x86_return_thunk"

func runReturnThunks(_ target.PassContext, f *mir.Function) error {
	if _, ok := target.FnAttr(f, "fn_ret_thunk_extern"); !ok || f.Name == returnThunk {
		return nil
	}
	prefix, _ := f.Module.FlagInt("indirect_branch_cs_prefix")
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		i := f.LastReal(b)
		if i == 0 || f.Instr(i).Opcode != tab.RET64 {
			continue
		}
		bd := mir.Builder{F: f, Loc: f.Instr(i).Loc}
		bd.SetBefore(i)
		if prefix != 0 {
			bd.Build(tab.CS_PREFIX)
		}
		jump := bd.BuildInstr(tab.TAILJMPd64, mir.IndexOp(mir.OpExtSym, f.Symbol(returnThunk), 0, 0))
		for _, o := range f.Ops(i) {
			if o.IsReg() && o.IsImplicit() && !o.IsDef() {
				f.AddOp(jump, mir.RegOp(o.Reg(), mir.Implicit))
			}
		}
		f.Erase(i)
	}
	return nil
}

// hardened gives what stands behind an instruction that leaves a block, so that no
// processor executes what follows before it knows where it goes (straight-line
// speculation); nil where nobody asks for it.
func hardened(st *target.Subtarget) target.Behind {
	returns, jumps := st.HasFeature("harden-sls-ret"), st.HasFeature("harden-sls-ijmp")
	if !returns && !jumps {
		return target.Behind{}
	}
	return target.Behind{Op: tab.INT3, Needs: func(f *mir.Function, i mir.InstrID) bool {
		switch f.Instr(i).Opcode {
		case tab.TAILJMPr64, tab.TAILJMPm64, tab.TAILJMPr64_REX, tab.TAILJMPm64_REX:
			return jumps
		}
		d := f.Desc(i)
		return returns && d.IsReturn() && !d.IsCall() || jumps && d.IsIndirectBranch()
	}}
}

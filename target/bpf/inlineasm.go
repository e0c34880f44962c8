package bpf

import (
	"slices"
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/bpf/tab"
)

// iselAdd is SelectionDAG's number of additions, which a memory operand holds.
const iselAdd = 59

// inlineAsm is what constraints of inline assembly mean: r any register, w its low half.
var inlineAsm = target.AsmHooks{
	Register: func(st *target.Subtarget, code string, t mir.LLT, float bool) (desc.ClassID, desc.PhysReg, bool) {
		n := t.Bits()
		if float || t.IsVector() || n > 64 {
			return desc.NoClass, 0, false
		}
		switch code {
		case "r", "g", "X":
			return tab.GPRRegClassID, 0, true
		case "w":
			s := isaOf(st)
			return tab.GPR32RegClassID, 0, s.alu32 && n <= 32
		}
		r, ok := asmRegister(st, strings.Trim(code, "{}"))
		if !ok || code[0] != '{' {
			return desc.NoClass, 0, false
		}
		if st.Facts.ClassContains(tab.GPR32RegClassID, r) {
			return tab.GPR32RegClassID, r, n <= 32
		}
		return tab.GPRRegClassID, r, true
	},
	Immediate: func(_ *target.Subtarget, code string, _ int64) bool {
		return code == "i" || code == "n" || code == "g" || code == "X"
	},
	Symbol: func(_ *target.Subtarget, code string) bool { return code == "i" || code == "s" || code == "X" },
	Memory: func(code string) (int, bool) {
		return slices.Index(mir.AsmMemConstraints[:], "m"), code == "m" || code == "o"
	},
	Address: func(ops []mir.Operand, p mir.Reg) []mir.Operand {
		return append(ops, mir.RegOp(p, 0), mir.ImmOp(0), mir.ImmOp(iselAdd))
	},
	Clobber: func(st *target.Subtarget, name string) (desc.PhysReg, bool) {
		if name == "memory" || name == "cc" {
			return 0, true
		}
		return asmRegister(st, name)
	},
}

func asmRegister(st *target.Subtarget, name string) (desc.PhysReg, bool) {
	return st.Facts.RegByName(strings.ToLower(name))
}

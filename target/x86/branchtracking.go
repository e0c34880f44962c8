package x86

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/objabi"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// Control-flow enforcement (Intel SDM volume 1, chapter 17): with the module flag
// cf-protection-branch, an indirect call or jump must arrive at an ENDBR64, and a
// jump by a table, whose entries nobody can write, says that it need not.

// branchTracking is the pass that marks where indirect branches may arrive.
var branchTracking = target.Pass{
	Name:     "x86-indirect-branch-tracking",
	Title:    "X86 Indirect Branch Tracking",
	Before:   "cfi-instr-inserter",
	KeepsCFG: true,
	Run:      runBranchTracking,
}

// tracksBranches reports a module whose indirect branches arrive at marks.
func tracksBranches(m *ir.Module) bool {
	if m == nil {
		return false
	}
	v, _ := m.FlagInt("cf-protection-branch")
	return v != 0
}

func runBranchTracking(_ target.PassContext, f *mir.Function) error {
	if !tracksBranches(f.Module) {
		return nil
	}
	// A local function whose address is not taken needs no mark, but who takes it is not
	// known here: all have one.
	if _, no := target.FnAttr(f, "nocf_check"); !no {
		b := f.FirstBlock()
		f.InsertBefore(b, f.Block(b).First(), f.New(tab.ENDBR64))
	}
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		markArrivals(f, b)
		for i := f.FirstTerminator(b); i != 0; i = f.Instr(i).Next() {
			op := f.Instr(i).Opcode
			if (op == tab.JMP64r || op == tab.JMP64m) && !arrivesAtMarks(f, b) {
				f.Instr(i).Opcode = map[desc.Opcode]desc.Opcode{tab.JMP64r: tab.JMP64r_NT, tab.JMP64m: tab.JMP64m_NT}[op]
			}
		}
	}
	return nil
}

// markArrivals marks the places of b that are arrived at indirectly: its begin where
// its address is taken, landing pads, and what stands behind a call that returns twice.
func markArrivals(f *mir.Function, b mir.BlockID) {
	blk := f.Block(b)
	if blk.AddressTaken() && b != f.FirstBlock() {
		f.InsertBefore(b, blk.First(), f.New(tab.ENDBR64))
	}
	pad := blk.Flags&mir.EHPad != 0
	for i := blk.First(); i != 0; i = f.Instr(i).Next() {
		switch {
		case pad && f.Instr(i).Opcode == desc.EH_LABEL:
			pad = false
		case f.Desc(i).IsCall() && returnsTwice(f, i):
		default:
			continue
		}
		n := f.New(tab.ENDBR64)
		f.InsertAfter(b, i, n)
		i = n
	}
}

// returnsTwice reports a call of a function that may return again.
func returnsTwice(f *mir.Function, i mir.InstrID) bool {
	if f.Instr(i).NumOps() == 0 || f.Op(i, 0).Kind() != mir.OpGlobal {
		return false
	}
	g := f.Module.Globals[f.Op(i, 0).Index()]
	return f.Module.Attrs.At(g.Attrs).Fn.Has("returns_twice")
}

// arrivesAtMarks reports that everything behind b has its address taken, and a mark with that.
func arrivesAtMarks(f *mir.Function, b mir.BlockID) bool {
	for _, s := range f.Succs(b) {
		if !f.Block(s.Block).AddressTaken() {
			return false
		}
	}
	return true
}

// noTrack reports a call that need not arrive at a mark (nocf_check).
func noTrack(f *mir.Function, c *target.CallInfo) bool {
	if c.IR == 0 || f.IR == nil || !f.Module.Attrs.At(f.IR.Instr(c.IR).Attrs).Fn.Has("nocf_check") {
		return false
	}
	return tracksBranches(f.Module)
}

// gnuProperty says in an object what control flow it enforces.
func gnuProperty(m *ir.Module) objabi.Property {
	p := objabi.Property{Kind: 0xc0000002} // GNU_PROPERTY_X86_FEATURE_1_AND
	for bit, flag := range [...]string{"cf-protection-branch", "cf-protection-return"} {
		if v, _ := m.FlagInt(flag); v != 0 {
			p.Bits |= 1 << bit
		}
	}
	return p
}

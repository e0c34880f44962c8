package x86

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// fixupSetCC is the pass that makes zero-extended conditions SETCC into a register
// that was cleared before the comparison: MOVZX from a register to itself takes
// a cycle that an exclusive or does not, and SETCC waits for the old register.
//
//	CMP …                     %0 = MOV32r0
//	%1 = SETCCr cc        →   CMP …
//	%2 = MOVZX32rr8 %1        %1 = SETCCr cc
//	                          %2 = INSERT_SUBREG %0, %1, sub_8bit
var fixupSetCC = target.Pass{
	Name:       "x86-fixup-setcc",
	Title:      "X86 Fixup SetCC",
	Before:     "processimpdefs,phi-node-elimination",
	Optimizing: true,
	Requires:   mir.IsSSA,
	KeepsCFG:   true,
	Run:        runFixupSetCC,
}

func runFixupSetCC(c target.PassContext, f *mir.Function) error {
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		flags := mir.InstrID(0) // what wrote EFLAGS last
		looked := mir.InstrID(0)
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			if f.Instr(i).Opcode != tab.SETCCr {
				continue
			}
			// Backwards to where the search before this one began: most blocks have no condition.
			for k := f.Instr(i).Prev(); k != looked; k = f.Instr(k).Prev() {
				if definesFlags(f, k) {
					flags = k
					break
				}
			}
			if looked = i; flags == 0 {
				continue
			}
			// Clearing clobbers the flags: what writes them must not read them.
			if reads, _ := flagsUse(f, flags); !reads {
				clearBefore(c, f, i, flags)
			}
		}
	}
	return nil
}

// clearBefore replaces an extension of SETCC i by an insertion into a register that
// is cleared before flags.
func clearBefore(c target.PassContext, f *mir.Function, i, flags mir.InstrID) {
	r := f.Op(i, 0).Reg()
	if !r.IsVirtual() {
		return
	}
	zext := mir.InstrID(0)
	for u := range f.NonDebugUses(r) {
		if f.Instr(u).Opcode == tab.MOVZX32rr8 {
			zext = u
		}
	}
	class := f.Facts.SubClassWithSubReg(tab.GR32RegClassID, tab.Sub8Bit)
	if zext == 0 || !f.Op(zext, 0).Reg().IsVirtual() || f.Op(zext, 0).SubReg() != 0 || f.Op(zext, 1).SubReg() != 0 || !constrainVReg(f, f.Op(zext, 0).Reg(), class) {
		return
	}
	zero := f.AddVReg(int16(class))
	b := mir.Builder{F: f, Loc: f.Instr(i).Loc}
	b.SetBefore(flags)
	b.BuildInstr(tab.MOV32r0, mir.RegOp(zero, mir.Def))
	b.Loc = f.Instr(zext).Loc
	b.SetBefore(zext)
	b.BuildInstr(desc.INSERT_SUBREG, mir.RegOp(f.Op(zext, 0).Reg(), mir.Def), mir.RegOp(zero, 0), mir.RegOp(r, 0), mir.ImmOp(int64(tab.Sub8Bit)))
	f.Erase(zext)
	c.Count("x86-fixup-setcc", "Number of setcc + zext pairs substituted", 1)
}

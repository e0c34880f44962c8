package x86

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// suppressAPXReloc is the pass that keeps instructions which name an entry of the global
// offset table to encodings that every linker may rewrite: none of R16 to R31, whose
// prefix asks for a relocation of its own, and no destination beside the two sources.
var suppressAPXReloc = target.Pass{
	Name:     "x86-suppress-apx-for-relocation",
	Title:    "X86 Suppress APX features for relocation",
	Before:   "processimpdefs,phi-node-elimination",
	KeepsCFG: true,
	Run:      runSuppressAPXReloc,
}

func runSuppressAPXReloc(c target.PassContext, f *mir.Function) error {
	st := c.SubtargetOf()
	egpr, ndd := st.HasFeature("egpr"), st.HasFeature("ndd")
	if st.Options.Tuning.NewRelocations || !egpr && !ndd {
		return nil
	}
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		for i := f.Block(b).First(); i != 0; {
			next := f.Instr(i).Next()
			if at := memOperand(f, i); at >= 0 && throughGOT(f.Op(i, at+addrDisp)) {
				if ndd {
					i = withoutNewDest(f, i)
				}
				if egpr {
					lowRegisters(f, i)
				}
			}
			i = next
		}
	}
	return nil
}

// throughGOT reports a displacement that is the place of an entry of the table.
func throughGOT(o *mir.Operand) bool {
	return !o.IsReg() && !o.IsImm() && (o.TargetFlags() == flagGOTTPOFF || o.TargetFlags() == flagGOTPCREL)
}

// lowRegisters has the registers that i reads and writes beside its address be of
// those that there are without APX.
func lowRegisters(f *mir.Function, i mir.InstrID) {
	switch f.Instr(i).Opcode {
	case tab.TEST32mr, tab.TEST64mr:
		lowRegister(f, i, addrOps)
	case tab.MOV32rm, tab.MOV64rm, tab.CMP32rm, tab.CMP64rm:
		lowRegister(f, i, 0)
	case tab.ADC32rm, tab.ADD32rm, tab.AND32rm, tab.OR32rm, tab.SBB32rm, tab.SUB32rm, tab.XOR32rm,
		tab.ADC64rm, tab.ADD64rm, tab.AND64rm, tab.OR64rm, tab.SBB64rm, tab.SUB64rm, tab.XOR64rm:
		lowRegister(f, i, 0)
		lowRegister(f, i, 1)
	}
}

// lowRegister narrows the class of operand k, and of the PHIs that the register goes
// into, which may become one with it.
func lowRegister(f *mir.Function, i mir.InstrID, k int) {
	r := f.Op(i, k).Reg()
	if !r.IsVirtual() {
		return
	}
	withoutEGPR(f, r)
	for u := range f.NonDebugUses(r) {
		if f.Instr(u).Opcode == desc.PHI {
			withoutEGPR(f, f.Op(u, 0).Reg())
		}
	}
}

func withoutEGPR(f *mir.Function, r mir.Reg) {
	if !r.IsVirtual() {
		return
	}
	for _, c := range [...]desc.ClassID{tab.GR64_NOREX2RegClassID, tab.GR32_NOREX2RegClassID} {
		if constrainVReg(f, r, c) {
			return
		}
	}
}

// withoutNewDest gives an addition with a destination of its own the form that adds to
// its source: a copy of it.
func withoutNewDest(f *mir.Function, i mir.InstrID) mir.InstrID {
	src, at := 1, 2
	switch f.Instr(i).Opcode {
	case tab.ADD64rm_ND:
	case tab.ADD64mr_ND:
		if src, at = 1+addrOps, 1; f.Op(i, at+addrDisp).TargetFlags() != flagGOTTPOFF {
			return i
		}
	default:
		return i
	}
	b := mir.Builder{F: f, Loc: f.Instr(i).Loc}
	b.SetBefore(i)
	low := f.AddVReg(int16(tab.GR64_NOREX2RegClassID))
	b.Build(desc.COPY, mir.RegOp(low, mir.Def), *f.Op(i, src))
	ops := append([]mir.Operand{*f.Op(i, 0), mir.RegOp(low, 0)}, f.Ops(i)[at:at+addrOps]...)
	n := b.Build(tab.ADD64rm, append(ops, f.Ops(i)[2+addrOps:]...)...)
	f.Tie(n, 0, 1)
	f.CopyMem(n, i)
	f.Instr(n).SetFlags(f.Instr(i).Flags())
	f.Erase(i)
	lowRegister(f, n, 0)
	return n
}

package x86

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// instrHooks are the target's answers about its instructions.
var instrHooks = target.InstrHooks{
	AnalyzeBranch:         analyzeBranch,
	RemoveBranch:          removeBranch,
	InsertBranch:          insertBranch,
	ReverseCond:           reverseCond,
	ExpandPostRAPseudo:    expandPostRAPseudo,
	InsertCustom:          insertCustom,
	CommutableOps:         commutableOps,
	Commute:               commute,
	ConvertToThreeAddress: convertToThreeAddress,
	FoldMemory:            foldMemory,
	FoldLoad:              foldLoad,
	UnfoldMemory:          unfoldMemory,
	IsRematerializable:    isRematerializable,
	Rematerialize:         rematerialize,
	ReservedRegs:          reservedRegs,
}

func reg(r desc.PhysReg) mir.Reg { return mir.Reg(r) }

// instrTable names the instructions that passes build by themselves.
var instrTable = target.InstrTable{
	Copies: []target.CopyRow{
		{Dst: tab.GR64RegClassID, Src: tab.GR64RegClassID, Op: tab.MOV64rr},
		{Dst: tab.GR32RegClassID, Src: tab.GR32RegClassID, Op: tab.MOV32rr},
		{Dst: tab.GR16RegClassID, Src: tab.GR16RegClassID, Op: tab.MOV16rr},
		// A REX prefix would turn a high-byte register into another one.
		{Dst: tab.GR8_ABCD_HRegClassID, Src: tab.GR8RegClassID, Op: tab.MOV8rr_NOREX},
		{Dst: tab.GR8RegClassID, Src: tab.GR8_ABCD_HRegClassID, Op: tab.MOV8rr_NOREX},
		{Dst: tab.GR8RegClassID, Src: tab.GR8RegClassID, Op: tab.MOV8rr},
		{Dst: tab.VR128RegClassID, Src: tab.VR128RegClassID, Op: tab.MOVAPSrr},
		{Dst: tab.VR128RegClassID, Src: tab.GR64RegClassID, Op: tab.MOV64toPQIrr},
		{Dst: tab.GR64RegClassID, Src: tab.VR128RegClassID, Op: tab.MOVPQIto64rr},
		{Dst: tab.VR128RegClassID, Src: tab.GR32RegClassID, Op: tab.MOVDI2PDIrr},
		{Dst: tab.GR32RegClassID, Src: tab.VR128RegClassID, Op: tab.MOVPDI2DIrr},
	},
	Spills: []target.SpillRow{
		{Class: tab.GR64RegClassID, Store: tab.MOV64mr, Load: tab.MOV64rm},
		{Class: tab.GR32RegClassID, Store: tab.MOV32mr, Load: tab.MOV32rm},
		{Class: tab.GR16RegClassID, Store: tab.MOV16mr, Load: tab.MOV16rm},
		{Class: tab.GR8RegClassID, Store: tab.MOV8mr, Load: tab.MOV8rm},
		// These are the same registers: the size tells them apart.
		{Class: tab.FR32RegClassID, Store: tab.MOVSSmr, Load: tab.MOVSSrm_alt},
		{Class: tab.FR64RegClassID, Store: tab.MOVSDmr, Load: tab.MOVSDrm_alt},
		{Class: tab.VR128RegClassID, Store: tab.MOVAPSmr, Load: tab.MOVAPSrm},
	},
	SlotAddress:  slotAddress[:],
	AddressFirst: true,
	Loads:        slotLoads[:],
	Stores:       slotStores[:],
	FixedClasses: []desc.ClassID{tab.CCRRegClassID, tab.DFCCRRegClassID},
}

// slotAddress is what follows the base in a memory reference: scale, no index, no displacement, no segment.
var slotAddress = [...]mir.Operand{mir.ImmOp(1), mir.RegOp(0, 0), mir.ImmOp(0), mir.RegOp(0, 0)}

// commutableOps: the two sources of a commutable two-address instruction are operands 1 and 2.
func commutableOps(_ *target.Subtarget, f *mir.Function, i mir.InstrID, a, b int) (int, int, bool) {
	if !f.Desc(i).IsCommutable() || f.Desc(i).NumOperands < 3 || f.Desc(i).NumDefs != 1 {
		return 0, 0, false
	}
	if !f.Op(i, 1).IsReg() || !f.Op(i, 2).IsReg() {
		return 0, 0, false
	}
	if a >= 0 && a != 1 && a != 2 || b >= 0 && b != 1 && b != 2 {
		return 0, 0, false
	}
	return 1, 2, true
}

// plainCommute lists the commutable instructions that stay themselves when
// their sources are exchanged. CMOV, shifts of two registers, compares and the
// like would need another opcode or condition.
func plainCommute(op desc.Opcode) bool {
	switch op {
	case tab.ADD8rr, tab.ADD16rr, tab.ADD32rr, tab.ADD64rr,
		tab.ADC8rr, tab.ADC16rr, tab.ADC32rr, tab.ADC64rr,
		tab.AND8rr, tab.AND16rr, tab.AND32rr, tab.AND64rr,
		tab.OR8rr, tab.OR16rr, tab.OR32rr, tab.OR64rr,
		tab.XOR8rr, tab.XOR16rr, tab.XOR32rr, tab.XOR64rr,
		tab.IMUL16rr, tab.IMUL32rr, tab.IMUL64rr,
		tab.ADDSSrr, tab.ADDSDrr, tab.MULSSrr, tab.MULSDrr,
		tab.ANDPSrr, tab.ANDPDrr, tab.ORPSrr, tab.ORPDrr, tab.XORPSrr, tab.XORPDrr:
		return true
	}
	return false
}

func commute(_ *target.Subtarget, f *mir.Function, i mir.InstrID, a, b int) bool {
	if !plainCommute(f.Instr(i).Opcode) {
		return false
	}
	x, y := *f.Op(i, a), *f.Op(i, b)
	f.SetReg(i, a, y.Reg())
	f.SetReg(i, b, x.Reg())
	f.SetSubReg(i, a, y.SubReg())
	f.SetSubReg(i, b, x.SubReg())
	f.SetOpFlag(i, a, mir.Kill|mir.Undef, false)
	f.SetOpFlag(i, b, mir.Kill|mir.Undef, false)
	f.SetOpFlag(i, a, y.Flags()&(mir.Kill|mir.Undef), true)
	f.SetOpFlag(i, b, x.Flags()&(mir.Kill|mir.Undef), true)
	return true
}

// convertToThreeAddress turns 64-bit additions into LEA where nothing reads the flags.
func convertToThreeAddress(_ *target.Subtarget, f *mir.Function, i mir.InstrID) mir.InstrID {
	for k := range f.Instr(i).NumOps() {
		if o := f.Op(i, k); o.IsDef() && o.IsImplicit() && !o.IsDead() && flagsRead(f, i) {
			return 0
		}
	}
	switch f.Instr(i).Opcode {
	case tab.ADD64rr, tab.ADD64ri32:
	default:
		return 0
	}
	dst, x, y := *f.Op(i, 0), *f.Op(i, 1), *f.Op(i, 2)
	if x.SubReg() != 0 || y.IsReg() && y.SubReg() != 0 || !x.Reg().IsVirtual() || y.IsReg() && !y.Reg().IsVirtual() {
		return 0
	}
	b := mir.Builder{F: f, Loc: f.Instr(i).Loc}
	b.SetBefore(i)
	wide := func(o mir.Operand) (mir.Operand, bool) {
		cl := f.Facts.CommonSubClass(desc.ClassID(f.VReg(o.Reg()).Class), tab.GR64_NOSPRegClassID)
		if cl == desc.NoClass {
			return o, false
		}
		f.VReg(o.Reg()).Class = int16(cl)
		return mir.RegOp(o.Reg(), 0), true
	}
	base, ok := wide(x)
	if !ok {
		return 0
	}
	index, disp := mir.RegOp(0, 0), mir.ImmOp(0)
	if y.IsReg() {
		if index, ok = wide(y); !ok {
			return 0
		}
	} else if disp = y; y.Kind() != mir.OpImm {
		return 0
	}
	n := b.Build(tab.LEA64r, mir.RegOp(dst.Reg(), mir.Def), base, mir.ImmOp(1), index, disp, mir.RegOp(0, 0))
	f.Erase(i)
	return n
}

// flagsRead reports whether EFLAGS as i leaves them may be read.
func flagsRead(f *mir.Function, i mir.InstrID) bool {
	eflags := reg(tab.EFLAGS)
	b := f.Instr(i).Block()
	for j := f.Instr(i).Next(); j != 0; j = f.Instr(j).Next() {
		for _, o := range f.Ops(j) {
			if o.IsReg() && o.Reg() == eflags && o.IsUse() && !o.IsUndef() && !o.IsDebug() {
				return true
			}
		}
		for _, o := range f.Ops(j) {
			if o.IsReg() && o.Reg() == eflags && o.IsDef() || o.Kind() == mir.OpRegMask {
				return false
			}
		}
	}
	for _, s := range f.Succs(b) {
		if f.IsLiveIn(s.Block, eflags) {
			return true
		}
	}
	return false
}

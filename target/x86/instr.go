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
	FoldTailCall:          foldTailCall,
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
	IsAssociative:         isAssociative,
	PartialUpdate:         partialUpdateClearance,
	UndefRead:             undefReadClearance,
	BreakDependency:       breakDependency,
	Domains:               &domainHooks,
	AnalyzeCompare:        analyzeCompare,
	OptimizeCompare:       optimizeCompare,
	FoldImmediate:         foldImmediate,
	CanInsertSelect:       canInsertSelect,
	InsertSelect:          insertSelect,
	EarlyIfCvtFlag:        "x86-early-ifcvt",
	Pipeliner:             &pipelinerHooks,
	ConstantIn:            constantIn,
	CoalescableExt:        coalescableExt,
	KeepCopy:              keepCopy,
	HasHighLatency:        hasHighLatency,
	IsSchedulingBoundary:  isSchedulingBoundary,
	MacroFusion:           macroFusion,
	AntiDeps:              target.AntiDepsCritical,
	ReservedRegs:          reservedRegs,
}

func reg(r desc.PhysReg) mir.Reg { return mir.Reg(r) }

// instrTable names the instructions that passes build by themselves.
var instrTable = target.InstrTable{
	Jump:      tab.JMP_1,
	LoopAlign: 4,
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
		{Dst: tab.VR64RegClassID, Src: tab.VR64RegClassID, Op: tab.MMX_MOVQ64rr},
		{Dst: tab.VR64RegClassID, Src: tab.GR64RegClassID, Op: tab.MMX_MOVD64to64rr},
		{Dst: tab.GR64RegClassID, Src: tab.VR64RegClassID, Op: tab.MMX_MOVD64from64rr},
		{Dst: tab.VR256RegClassID, Src: tab.VR256RegClassID, Op: tab.VMOVAPSYrr},
		{Dst: tab.VR512RegClassID, Src: tab.VR512RegClassID, Op: tab.VMOVAPSZrr},
		// Those that AVX512VL reaches.
		{Dst: tab.VR128XRegClassID, Src: tab.VR128XRegClassID, Op: tab.VMOVAPSZ128rr},
		{Dst: tab.VR256XRegClassID, Src: tab.VR256XRegClassID, Op: tab.VMOVAPSZ256rr},
		{Dst: tab.VR128XRegClassID, Src: tab.GR64RegClassID, Op: tab.VMOV64toPQIZrr},
		{Dst: tab.GR64RegClassID, Src: tab.VR128XRegClassID, Op: tab.VMOVPQIto64Zrr},
		{Dst: tab.VR128XRegClassID, Src: tab.GR32RegClassID, Op: tab.VMOVDI2PDIZrr},
		{Dst: tab.GR32RegClassID, Src: tab.VR128XRegClassID, Op: tab.VMOVPDI2DIZrr},
		// Masks: with AVX512BW, all 64 bits.
		{Dst: tab.VK64RegClassID, Src: tab.VK64RegClassID, Op: tab.KMOVQkk},
		{Dst: tab.VK64RegClassID, Src: tab.GR64RegClassID, Op: tab.KMOVQkr},
		{Dst: tab.GR64RegClassID, Src: tab.VK64RegClassID, Op: tab.KMOVQrk},
		{Dst: tab.VK64RegClassID, Src: tab.GR32RegClassID, Op: tab.KMOVDkr},
		{Dst: tab.GR32RegClassID, Src: tab.VK64RegClassID, Op: tab.KMOVDrk},
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
		{Class: tab.VR256RegClassID, Store: tab.VMOVAPSYmr, Load: tab.VMOVAPSYrm, Align: 5, StoreAny: tab.VMOVUPSYmr, LoadAny: tab.VMOVUPSYrm},
		{Class: tab.VR512RegClassID, Store: tab.VMOVAPSZmr, Load: tab.VMOVAPSZrm, Align: 6, StoreAny: tab.VMOVUPSZmr, LoadAny: tab.VMOVUPSZrm},
		{Class: tab.FR32XRegClassID, Store: tab.VMOVSSZmr, Load: tab.VMOVSSZrm_alt},
		{Class: tab.FR64XRegClassID, Store: tab.VMOVSDZmr, Load: tab.VMOVSDZrm_alt},
		{Class: tab.VR128XRegClassID, Store: tab.VMOVAPSZ128mr, Load: tab.VMOVAPSZ128rm},
		{Class: tab.VR256XRegClassID, Store: tab.VMOVAPSZ256mr, Load: tab.VMOVAPSZ256rm, Align: 5, StoreAny: tab.VMOVUPSZ256mr, LoadAny: tab.VMOVUPSZ256rm},
		{Class: tab.VK64RegClassID, Store: tab.KMOVQmk, Load: tab.KMOVQkm},
		{Class: tab.VK32RegClassID, Store: tab.KMOVDmk, Load: tab.KMOVDkm},
		{Class: tab.VK16RegClassID, Store: tab.KMOVWmk, Load: tab.KMOVWkm},
		{Class: tab.RFP80RegClassID, Store: tab.ST_FpP80m, Load: tab.LD_Fp80m},
	},
	Inflate:      []desc.ClassID{tab.GR8RegClassID, tab.GR16RegClassID, tab.GR32RegClassID, tab.GR64RegClassID, tab.FR32RegClassID, tab.FR64RegClassID, tab.VR128RegClassID, tab.VR256RegClassID},
	NoInflate:    []desc.ClassID{tab.GR8_NOREXRegClassID},
	SlotAddress:  slotAddress[:],
	AddressFirst: true,
	Loads:        slotLoads[:],
	Stores:       slotStores[:],
	FixedClasses: []desc.ClassID{tab.CCRRegClassID, tab.DFCCRRegClassID},
}

// slotAddress is what follows the base in a memory reference: scale, no index, no displacement, no segment.
var slotAddress = [...]mir.Operand{mir.ImmOp(1), mir.RegOp(0, 0), mir.ImmOp(0), mir.RegOp(0, 0)}

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

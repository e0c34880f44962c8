package desc

import (
	"cmp"
	"slices"
	"sync"
	"sync/atomic"
)

// Info is everything known about one target. It must not be changed once it is
// shared. Instructions' rows (see Instr) and the fields of type Table are decoded
// when they are first asked for.
type Info struct {
	Target string // LLVM's name of the target family: "X86", "AArch64"
	Names  string // the blob that Name values point into

	OperandInfos []OperandInfo
	ImplicitRegs []PhysReg

	Regs          []RegDesc // by PhysReg; row 0 is NoRegister
	RegDiffs      []int16
	LaneLists     Table[LaneMask]
	RegLists      Table[PhysReg]
	Units         []UnitRoots       // by RegUnit
	SubRegIndices []SubRegIndexDesc // by SubRegIdx; row 0 is the whole register
	SubIdxLists   []SubRegIdx
	Compose       Table[SubRegIdx] // [a*len(SubRegIndices)+b]; 0 when a and b do not compose
	LaneOps       []LaneOp
	LaneOpStart   []uint32 // steps of index i: LaneOps[LaneOpStart[i]:LaneOpStart[i+1]]
	CoveringLanes LaneMask

	Classes   []ClassDesc   // by ClassID, larger classes first
	ClassBits Table[uint32] // sets of classes, ClassWords words each
	// SubClasses[c*ClassWords:] is the set of sub-classes of c, c included.
	SubClasses Table[uint32]
	// SubClassWithIdx[c*len(SubRegIndices)+i] is the largest sub-class of c all
	// of whose members have sub-register i; NoClass when there is none.
	SubClassWithIdx Table[ClassID]
	TypeLists       []MVT

	// Modes says for each hardware mode which subtarget the extractor saw it
	// with: triple, processor, features. A mode it did not see has no name and
	// repeats the tables of DefaultMode.
	Modes       []Name
	DefaultMode int         // mode of the default subtarget (x86-64's, on X86)
	ClassSizes  []ClassSize // [mode*len(Classes)+class]
	ClassByMode []ClassID   // [mode*NumModeClasses+operand's RegClass]
	// NumModeClasses is the number of rows a mode has in ClassByMode.
	NumModeClasses int

	Banks       []BankDesc // by BankID
	RegMasks    []RegMaskDesc
	RegMaskBits Table[uint32]
	DwarfRegs   []DwarfFlavour
	DwarfNums   []int16
	// Variants are the subtargets that the facts were taken through; the first
	// is the default one.
	Variants []VariantDesc

	PressureSets  []PressureSetDesc
	ClassPressure []PressureDesc // by ClassID
	UnitPressure  []PressureDesc // by RegUnit
	PressureLists []uint16       // numbers of pressure sets
	SavedRegs     []SavedRegsDesc

	DirectFlags   []FlagDesc // operand target flags: one of these …
	BitmaskFlags  []FlagDesc // … or-ed with any of these
	MemFlags      []FlagDesc // target flags of memory operands
	TargetIndices []FlagDesc

	Features    []FeatureDesc // sorted by name
	Processors  []ProcessorDesc
	FeatureBits []uint64 // sets of features, FeatureWords words each
	// FeatureWords is the number of words of a feature set.
	FeatureWords int

	// Folds lists memory forms of register opcodes, sorted by register form,
	// operand and memory form; see FoldsOf and UnfoldOf.
	Folds Table[FoldDesc]
	// Commutes lists the operands that can be exchanged, sorted by opcode; see
	// CommutesOf. CommuteMaps are tables of 256: what immediates become, NoImm where
	// the instruction does not commute.
	Commutes    Table[CommuteDesc]
	CommuteMaps Table[int16]
	// TraitOf is the number of each opcode's traits in TraitKinds; see Traits.
	TraitOf    string
	TraitKinds []OpTraits

	RetAddrReg     PhysReg // LLVM's return-address register, 0 when none
	ProgramCounter PhysReg

	instrs              instrTable
	opcodeHash, regHash string
	members             memberTable
	sched               func() *SchedTable
	// unfolds are the numbers of the rows of Folds that unfold, sorted by memory form.
	unfolds      []uint32
	unfoldsOnce  sync.Once
	commuteStart []uint16 // by opcode, in Commutes
	commutesOnce sync.Once
	aliases      []atomic.Pointer[[]PhysReg] // by register, nil until they are asked for
	aliasesOnce  sync.Once
}

// FlagDesc is a named value.
type FlagDesc struct {
	Value uint64
	Name  Name
}

// FeatureDesc is a subtarget feature.
type FeatureDesc struct {
	Name    Name
	Text    Name   // description; may be cut to 511 bytes
	Bit     uint16 // in feature sets
	Implies uint32 // in Info.FeatureBits
}

// ProcessorDesc is a processor that -mcpu names.
type ProcessorDesc struct {
	Name     Name
	Features uint32 // in Info.FeatureBits: what it implies
	Tune     uint32 // in Info.FeatureBits: tuning features
	Model    uint16 // scheduling model number; equal for processors that share one
}

// DwarfFlavour maps registers to DWARF numbers for one variant of the target.
// From Info.DwarfNums[Nums] on lie two numbers a register, for debug information
// and for exception frames; -1 is none.
type DwarfFlavour struct {
	Triple Name // of the variant
	Nums   uint32
}

// SavedRegsDesc is the list of callee-saved registers that LLVM uses for a
// function of a calling convention, and the mask of what calls preserve.
type SavedRegsDesc struct {
	Triple   Name
	Features Name // as in -mattr
	CC       uint16
	NumRegs  uint16
	Mask     int16  // in Info.RegMasks, -1 when none
	Regs     uint32 // in Info.RegLists
}

// VariantDesc is a subtarget and what LLVM answers there about a plain C
// function without a frame. Opcodes are 0 when the target has none.
type VariantDesc struct {
	Triple, CPU, Features Name
	DataLayout            Name
	Reserved              uint32 // in Info.RegMaskBits: registers that allocation must not use
	SavedRegs             uint32 // in Info.RegLists: NumSaved callee-saved registers
	NumSaved              uint16
	Mask                  int16 // in Info.RegMasks: what a C call preserves, -1 when none
	Mode                  uint16
	FrameSetup            Opcode // opens a call sequence (ADJCALLSTACKDOWN64)
	FrameDestroy          Opcode // closes it
	ReturnOp              Opcode // GlobalISel's and outlining's return, where one opcode serves
	CatchReturn           Opcode
	StackAlign            uint16 // bytes
	LocalAreaOffset       int16  // bytes from the incoming stack pointer to the first local
	StackGrowsUp          bool
	PointerSize           uint8 // bytes, of address space 0
	StackPointer          PhysReg
}

// PressureSetDesc is a kind of register pressure that schedulers and allocators
// watch; Limit is in units of weight, for the default subtarget.
type PressureSetDesc struct {
	Name  Name
	Limit uint32
}

// PressureDesc says what a register of a class, or a register unit, adds to
// pressure sets.
type PressureDesc struct {
	Sets    uint32 // in Info.PressureLists: NumSets sets
	NumSets uint16
	Weight  uint16
	Limit   uint16 // of a class: weight of all its registers
}

// FoldDesc says that an opcode with operand Operand in memory is another opcode.
// With both Load and Store the operand is read and written: operand 0 and its
// tied use.
type FoldDesc struct {
	Reg, Mem Opcode
	Operand  uint8 // of Reg; Mem has the address operands in its place
	Flags    FoldFlags
}

// FoldFlags say how a folded operand's memory is used.
type FoldFlags uint8

// The fold flags; log2 of the alignment that the memory form wants is above them.
const (
	FoldLoad FoldFlags = 1 << iota
	FoldStore
	UnfoldOnly // the register form does not fold to this memory form
	FoldOnly   // the memory form unfolds to another register form, or to none

	foldAlignShift = iota
)

// Align is log2 of the alignment that the memory form wants.
func (f FoldFlags) Align() uint8 { return uint8(f >> foldAlignShift) }

// FoldsOf lists the memory forms of a register opcode, as LLVM folds and unfolds
// them. Moves of registers only unfold: folding one makes a spill or a reload.
// Who folds must still see that the memory form's access is not wider than the
// slot and no narrower than the value.
func (in *Info) FoldsOf(op Opcode) []FoldDesc {
	rows := in.Folds.Rows()
	lo, hi := 0, len(rows)
	for lo < hi {
		if mid := int(uint(lo+hi) >> 1); rows[mid].Reg < op {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	end := lo
	for end < len(rows) && rows[end].Reg == op {
		end++
	}
	return rows[lo:end]
}

// UnfoldOf finds the register form of a memory form.
func (in *Info) UnfoldOf(mem Opcode) (FoldDesc, bool) {
	rows := in.Folds.Rows()
	in.unfoldsOnce.Do(func() {
		for k := range rows {
			if rows[k].Flags&FoldOnly == 0 {
				in.unfolds = append(in.unfolds, uint32(k))
			}
		}
		slices.SortFunc(in.unfolds, func(a, b uint32) int { return cmp.Compare(rows[a].Mem, rows[b].Mem) })
	})
	k, ok := slices.BinarySearchFunc(in.unfolds, mem, func(k uint32, m Opcode) int { return cmp.Compare(rows[k].Mem, m) })
	if !ok {
		return FoldDesc{}, false
	}
	return rows[in.unfolds[k]], true
}

// ReservedRegs is the set of registers that are reserved in a variant, a bit a
// register.
func (in *Info) ReservedRegs(variant int) []uint32 {
	off := int(in.Variants[variant].Reserved)
	return in.RegMaskBits.Rows()[off : off+in.RegWords()]
}

// Sched gives the machine models, which are read when they are first asked for; nil
// when the target has none.
func (in *Info) Sched() *SchedTable {
	if in.sched == nil {
		return nil
	}
	return in.sched()
}

// SetSched installs the function that gives the machine models. It must be safe to
// call from several goroutines.
func (in *Info) SetSched(f func() *SchedTable) { in.sched = f }

// Str gives the text of a name.
func (in *Info) Str(n Name) string { return n.In(in.Names) }

// ClassWords is the number of 32-bit words of a set of classes.
func (in *Info) ClassWords() int { return (len(in.Classes) + 31) / 32 }

// RegWords is the number of 32-bit words of a set of registers.
func (in *Info) RegWords() int { return (len(in.Regs) + 31) / 32 }

// OpcodeName gives LLVM's name of an opcode.
func (in *Info) OpcodeName(op Opcode) string { return in.Str(in.Instr(op).Name) }

// Operands gives the declared operands of an opcode.
func (in *Info) Operands(op Opcode) []OperandInfo {
	d := in.Instr(op)
	return in.OperandInfos[d.OpInfo : int(d.OpInfo)+int(d.NumOperands)]
}

// OperandInfo gives declared operand i of an opcode; i must be in range.
func (in *Info) OperandInfo(op Opcode, i int) *OperandInfo {
	return &in.OperandInfos[int(in.Instr(op).OpInfo)+i]
}

// OperandClass gives the register class of declared operand i in a hardware
// mode; NoClass when the operand is not a register of a known class.
func (in *Info) OperandClass(op Opcode, i int, mode int) ClassID {
	d := in.Instr(op)
	if i >= int(d.NumOperands) {
		return NoClass
	}
	o := &in.OperandInfos[int(d.OpInfo)+i]
	if o.Flags&LookupClassByHwMode != 0 {
		return in.ClassByMode[mode*in.NumModeClasses+int(o.RegClass)]
	}
	return o.RegClass
}

// ImplicitUses lists the registers that an opcode reads without saying so.
func (in *Info) ImplicitUses(op Opcode) []PhysReg {
	d := in.Instr(op)
	return in.ImplicitRegs[d.Implicit : int(d.Implicit)+int(d.NumImplicitUses)]
}

// ImplicitDefs lists the registers that an opcode writes without saying so.
func (in *Info) ImplicitDefs(op Opcode) []PhysReg {
	d := in.Instr(op)
	from := int(d.Implicit) + int(d.NumImplicitUses)
	return in.ImplicitRegs[from : from+int(d.NumImplicitDefs)]
}

package desc

// PhysReg is a physical register of a target, LLVM's number; 0 is none.
type PhysReg uint16

// RegUnit is the number of a register unit: registers overlap if and only if
// they share a unit.
type RegUnit uint16

// SubRegIdx is a sub-register index; 0 is the whole register.
type SubRegIdx uint16

// ClassID is a register class; NoClass is none.
type ClassID int16

// NoClass stands for no register class.
const NoClass ClassID = -1

// BankID is a register bank of GlobalISel; NoBank is none.
type BankID int16

// NoBank stands for no register bank.
const NoBank BankID = -1

// LaneMask is a set of lanes, the parts of a register that are tracked apart.
type LaneMask uint64

// AllLanes has every lane set.
const AllLanes = ^LaneMask(0)

// RegFlags are properties of a register.
type RegFlags uint8

// The register flags.
const (
	RegConstant         RegFlags = 1 << iota // reads always give the same value
	RegArtificial                            // exists for the register model only
	RegInAllocatableSet                      // member of an allocatable class
)

// RegDesc describes one register. Lists are kept relative to the register (or
// to its first unit), so that the members of a register file share them.
type RegDesc struct {
	Name      Name
	SubRegs   uint32 // in Info.RegDiffs: NumSubRegs differences to this register
	SubIdx    uint32 // in Info.SubIdxLists: the index of each sub-register
	SuperRegs uint32 // in Info.RegDiffs: NumSuperRegs differences
	Units     uint32 // in Info.RegDiffs: NumUnits differences to FirstUnit
	UnitLanes uint32 // in Info.LaneLists: a mask for each unit

	NumSubRegs   uint16
	NumSuperRegs uint16
	NumUnits     uint16
	FirstUnit    RegUnit
	Encoding     uint16 // hardware number; targets add bits of their own
	Cost         uint8  // cost per use, for allocators
	Flags        RegFlags
}

// UnitRoots names the one or two registers that define a unit: all registers
// with the unit are the roots and their super-registers. The second may be 0.
type UnitRoots [2]PhysReg

// SubRegIndexDesc describes a sub-register index. Offset and Size are in bits,
// NoBits when they make no sense for the index.
type SubRegIndexDesc struct {
	Lanes  LaneMask
	Name   Name
	Offset uint16
	Size   uint16
}

// NoBits marks an unknown bit offset or size of a sub-register index.
const NoBits = 0xffff

// ClassFlags are properties of a register class.
type ClassFlags uint8

// The class flags.
const (
	ClassAllocatable ClassFlags = 1 << iota
	ClassBase                   // has a base class order
	ClassGlobalPriority
	ClassDisjunctSubRegs
	ClassCoveredBySubRegs
)

// ClassDesc describes a register class.
type ClassDesc struct {
	Lanes      LaneMask
	Name       Name
	Members    uint32 // in Info.RegLists: NumMembers registers, class order
	Order      uint32 // in Info.RegLists: raw allocation order of the default subtarget
	SuperIdx   uint32 // in Info.SubIdxLists: indices that project a class into this one
	SuperMasks uint32 // in Info.ClassBits: a class set for each of them, one after the other
	NumMembers uint16
	NumOrder   uint16
	NumSuper   uint16
	SizeInBits uint16 // 0 when it depends on the hardware mode
	CopyCost   uint8  // 255: very expensive or impossible
	Priority   uint8  // allocation priority, 0 to 31
	TSFlags    uint8
	Flags      ClassFlags
}

// ClassSize is what may differ between hardware modes of a class. RegSize is in
// bits; spill size and alignment are in bytes.
type ClassSize struct {
	Types      uint32 // in Info.TypeLists: NumTypes value types
	RegSize    uint16
	SpillSize  uint16
	SpillAlign uint16
	NumTypes   uint16
}

// BankDesc describes a register bank.
type BankDesc struct {
	Name    Name
	Classes uint32 // in Info.ClassBits: the classes that the bank covers
	MaxSize uint32 // bits of the widest register, of the default mode
}

// RegMaskDesc names a set of registers that a call preserves.
type RegMaskDesc struct {
	Name Name
	Bits uint32 // in Info.RegMaskBits: (registers+31)/32 words; a set bit is preserved
}

// LaneOp is one step of composing lane masks: the lanes of Mask move left by
// Rotate bits (modulo 64); a composition is the union of its steps.
type LaneOp struct {
	Mask   LaneMask
	Rotate uint8
}

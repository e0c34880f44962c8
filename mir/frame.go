package mir

// NoFrameIndex is the absent frame index of StackProtector and FunctionContext.
const NoFrameIndex = 1 << 30

// FrameInfo describes the stack frame of a function.
//
// Frame index fi >= 0 is Objects[NumFixed+fi]; a fixed object -1, -2, … is
// Objects[NumFixed+fi] too: fixed objects stand first, the last created first.
type FrameInfo struct {
	Objects  []FrameObject
	NumFixed int
	// front is the free rows before Objects[0], of the same array; its capacity is
	// the array's. It is out of date once an append has moved Objects.
	front []FrameObject

	StackSize        uint64
	OffsetAdjustment int64
	MaxAlign         uint8 // log2
	// MaxCallFrameSize is ^0 until it is computed.
	MaxCallFrameSize        uint32
	CVBytesOfCalleeSaved    uint32
	VarArgs                 VarArgs
	LocalFrameSize          int64
	StackProtector          int
	FunctionContext         int
	IsFrameAddressTaken     bool
	IsReturnAddressTaken    bool
	HasStackMap             bool
	HasPatchPoint           bool
	AdjustsStack            bool
	HasCalls                bool
	HasVarSizedObjects      bool
	HasOpaqueSPAdjustment   bool
	HasVAStart              bool
	HasMustTailInVarArgFunc bool
	HasTailCall             bool
	IsCalleeSavedInfoValid  bool
	SavePoints              []SavePoint
	RestorePoints           []SavePoint
	// CalleeSaved lists the callee-saved registers that the function saves.
	CalleeSaved []CalleeSavedInfo
	// Vars are variables in objects that have one already (FrameObject.DebugVar). MIR
	// text has room for one alone.
	Vars []FrameVar
	// Protect says, by ir.InstrID of allocas, which stack objects stack-protector found
	// that could be written beyond their end (the FrameProtect flags); nil: it found none.
	// MIR text does not carry it, LLVM's neither.
	Protect []FrameFlags
}

// VarArgs is where a function finds its variable arguments. MIR text does not
// carry it, LLVM's neither.
type VarArgs struct {
	// Stack is the (fixed) object where those on the stack begin; 0: none, the
	// function has no variable arguments or nobody said where they are.
	Stack int
	// Saved is the object to which the registers of arguments are saved, for targets
	// whose va_list is more than an address; Ints and Floats are the offsets there
	// of the first of each kind that no fixed argument took.
	Saved        int
	Ints, Floats int64
}

// SavePoint is a block where callee-saved registers are saved or restored.
type SavePoint struct {
	Block BlockID
	Regs  []Reg
}

// CalleeSavedInfo is one callee-saved register and where it is saved.
type CalleeSavedInfo struct {
	Reg      Reg
	DstReg   Reg // spilled to a register instead, 0 none
	FI       int
	Restored bool
}

// FrameObject is one stack object.
type FrameObject struct {
	Offset  int64
	Size    int64  // 0 with VarSized; DeadSize when removed
	Name    uint32 // ir.InstrID of the alloca, 0 none
	Align   uint8  // log2
	StackID uint8
	Flags   FrameFlags
	// LocalOffset is set by local-stack-slot-allocation (HasLocalOffset).
	LocalOffset int64
	// DebugVar, DebugExpr, DebugLoc are metadata nodes of a variable that lives here, 0 none.
	DebugVar, DebugExpr, DebugLoc uint32
	// loads and stores are the memory operands that SetSlotMem gave last, as Instr.memOff.
	loads, stores uint32
}

// FrameVar says that a variable is in object FI: metadata nodes.
type FrameVar struct {
	FI             int
	Var, Expr, Loc uint32
}

// DeadSize is the Size of a removed object.
const DeadSize = -1

// FrameFlags are properties of a stack object.
type FrameFlags uint16

// Frame object flags.
const (
	FrameImmutable FrameFlags = 1 << iota
	FrameSpill
	FrameAliased
	FrameVarSized
	FrameSExt
	FrameZExt
	FramePreAllocated
	FrameStatepointSpill
	FrameHasLocalOffset
	FrameCSRNotRestored // fixed: callee-saved register slot that is not restored
	// What stack-protector says of an object: at most one of them.
	FrameLargeArray   // of as many bytes as make a protector worth it, or more
	FrameSmallArray   // of fewer
	FrameAddressTaken // its address goes where it cannot be followed
)

// FrameProtect are the flags of objects that stand next to the stack protector.
const FrameProtect = FrameLargeArray | FrameSmallArray | FrameAddressTaken

// Object returns the row of frame index fi.
func (fr *FrameInfo) Object(fi int) *FrameObject { return &fr.Objects[fr.NumFixed+fi] }

// First and End bound the frame indices in use: First <= fi < End.
func (fr *FrameInfo) First() int { return -fr.NumFixed }

// End returns the index behind the last ordinary object.
func (fr *FrameInfo) End() int { return len(fr.Objects) - fr.NumFixed }

// CreateStackObject adds an ordinary object and returns its frame index.
func (fr *FrameInfo) CreateStackObject(size int64, alignLog2 uint8, fl FrameFlags) int {
	fr.Objects = append(fr.Objects, FrameObject{Size: size, Align: alignLog2, Flags: fl})
	fr.MaxAlign = max(fr.MaxAlign, alignLog2)
	return fr.End() - 1
}

// CreateFixedObject adds an object at a fixed offset from the incoming stack
// pointer and returns its (negative) frame index. As in LLVM it does not raise
// MaxAlign, though a reader that finds it in a text does.
func (fr *FrameInfo) CreateFixedObject(size, offset int64, alignLog2 uint8, fl FrameFlags) int {
	fr.prepend()
	fr.Objects[0] = FrameObject{Size: size, Offset: offset, Align: alignLog2, Flags: fl}
	fr.NumFixed++
	return -fr.NumFixed
}

// prepend makes a free row before all others. It moves the rows of short lists
// and keeps room before those of long ones: 70,000 arguments on the stack are as many calls.
func (fr *FrameInfo) prepend() {
	const short = 64
	n, k := len(fr.Objects), len(fr.front)
	if n < short {
		fr.Objects = append(fr.Objects, FrameObject{})
		copy(fr.Objects[1:], fr.Objects)
		return
	}
	if k == 0 || &fr.front[:k+1][k] != &fr.Objects[0] {
		rows := make([]FrameObject, 2*n)
		copy(rows[n:], fr.Objects)
		fr.front, fr.Objects, k = rows[:n], rows[n:], n
	}
	fr.Objects, fr.front = fr.front[:k+n][k-1:], fr.front[:k-1]
}

// IsDead reports whether the object was removed.
func (fr *FrameInfo) IsDead(fi int) bool { return fr.Object(fi).Size == DeadSize }

// RemoveObject marks an object as removed.
func (fr *FrameInfo) RemoveObject(fi int) { fr.Object(fi).Size = DeadSize }

package desc

// CCTable holds the calling conventions of a target as a generator writes them
// and codegen/callconv interprets them.
type CCTable struct {
	Convs []CCDesc
	Code  []uint16
	Saved []CCSavedDesc
	Regs  []PhysReg // what Saved points into
	// Preds and Customs name the functions that predicates and CCCustom call,
	// in the order of their numbers.
	Preds, Customs []string
}

// CCDesc is one convention. Its actions stand in CCTable.Code from Code on and
// end with CCEnd; a convention that is a function has none but a CCCustom.
type CCDesc struct {
	Name string
	Code uint32
}

// CCSavedDesc is a list of callee-saved registers.
type CCSavedDesc struct {
	Name string
	// Regs are in CCTable.Regs: NumRegs in the order of saving, then NumOther
	// that survive without being saved.
	Regs              uint32
	NumRegs, NumOther uint16
}

// SavedRegs gives the registers of a list that a function must save, in the
// order of saving.
func (t *CCTable) SavedRegs(i int) []PhysReg {
	s := &t.Saved[i]
	return t.Regs[s.Regs : s.Regs+uint32(s.NumRegs)]
}

// PreservedRegs gives all registers of a list, those that survive without
// being saved included.
func (t *CCTable) PreservedRegs(i int) []PhysReg {
	s := &t.Saved[i]
	return t.Regs[s.Regs : s.Regs+uint32(s.NumRegs)+uint32(s.NumOther)]
}

// CCOp is the operation of a calling convention's action. An action is a word
// with the operation, a word with its length in words (all of it, with the
// action behind a condition) and operands. A list is its length and its members.
type CCOp uint16

// The operations; the comment gives the operands.
const (
	CCEnd               CCOp = iota // no length either
	CCIfType                        // list of types, action
	CCIf                            // list of predicate words (CCPred), action
	CCAssignToReg                   // list of registers
	CCAssignWithShadow              // list of registers, list of shadows
	CCAssignToStack                 // size, alignment
	CCAssignStackShadow             // size, alignment, list of shadows
	CCAssignRegAndStack             // list of registers, size, alignment
	CCPassByVal                     // least size, least alignment
	CCPromoteToType                 // type
	CCPromoteToUpper                // type
	CCBitConvert                    // type
	CCTruncToType                   // type
	CCPassIndirect                  // type
	CCCustom                        // number in Customs
	CCDelegateTo                    // number in Convs
)

// CCPred is a word of a predicate in postfix order: a kind in the high byte and a
// number below. The kinds from CCPredNot on combine what is before them.
type CCPred uint16

// The kinds of predicate words.
const (
	CCPredFlag    CCPred = iota << 8 // bit of CCFlags
	CCPredConv                       // number of the calling convention
	CCPredFeature                    // the next word is the bit of the feature
	CCPredSpace                      // a pointer of the address space in the next word
	CCPredFunc                       // number in Preds
	CCPredVarArg                     // the function takes variable arguments
	CCPredNot
	CCPredAnd
	CCPredOr
)

// CCFlags are the properties of an argument that conventions ask about.
type CCFlags uint32

// The properties, after the attributes of parameters where there is one.
const (
	CCZExt CCFlags = 1 << iota
	CCSExt
	CCInReg
	CCSRet
	CCByVal
	CCByRef
	CCNest
	CCReturned
	CCInAlloca
	CCPreallocated
	CCSwiftSelf
	CCSwiftAsync
	CCSwiftError
	CCCFGuardTarget
	CCPointer             // the value was a pointer before it became an integer
	CCSplit               // first of several values that one was split into
	CCSplitEnd            // last of them
	CCConsecutiveRegs     // all of the values go to neighbouring registers or none
	CCConsecutiveRegsLast // last of them
	CCVarArg              // a variable argument
	CCHva                 // of a homogeneous vector aggregate
	CCHvaStart
	CCSecArgPass // the second attempt
)

// CCFlagNames lists the flags by LLVM's names of the questions, in the order of the bits.
var CCFlagNames = [...]string{"isZExt", "isSExt", "isInReg", "isSRet", "isByVal", "isByRef", "isNest", "isReturned", "isInAlloca",
	"isPreallocated", "isSwiftSelf", "isSwiftAsync", "isSwiftError", "isCFGuardTarget", "isPointer", "isSplit", "isSplitEnd",
	"isInConsecutiveRegs", "isInConsecutiveRegsLast", "isArgVarArg", "isHva", "isHvaStart", "isSecArgPass"}

// MVTByName finds a value type by LLVM's name, such as "v4f32".
func MVTByName(name string) (MVT, bool) {
	if name == "" {
		return 0, false
	}
	for i := range mvtTable {
		if mvtTable[i].name == name {
			return MVT(i), true
		}
	}
	return 0, false
}

// VectorMVT finds the fixed vector of n elements.
func VectorMVT(elem MVT, n int) (MVT, bool) {
	for i := range mvtTable {
		if r := &mvtTable[i]; r.elem == elem && int(r.elems) == n && r.kind&(4|8) == 4 {
			return MVT(i), true
		}
	}
	return 0, false
}

package mir

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
)

// Properties are what is known to hold of a function, LLVM's MachineFunctionProperties.
type Properties uint32

// The properties, LLVM's order.
const (
	IsSSA Properties = 1 << iota
	NoPHIs
	TracksLiveness
	NoVRegs
	FailedISel
	Legalized
	RegBankSelected
	Selected
	TiedOpsRewritten
	FailsVerification
	FailedRegAlloc
	TracksDebugUserValues
)

// Function is one machine function.
type Function struct {
	Name   string
	Module *ir.Module   // nil for MIR without a module
	IR     *ir.Function // nil when the function has no IR body
	Facts  *desc.Info   // the target's facts: registers, opcodes
	Props  Properties

	instrs []Instr // row 0 unused
	ops    []Operand
	owner  []InstrID // instruction of each operand row
	blocks []Block   // row 0 unused
	vregs  []VRegInfo
	// extras is what few instructions have; row 0 unused.
	extras []InstrExtra
	// mem is the arena of memory operands, row 0 unused; memRefs lists them
	// per instruction, each list behind its length; row 0 is the empty list.
	mem     []MemOperand
	memRefs []MemID

	succs    runs[Succ]
	preds    runs[BlockID]
	predBack []uint32 // beside preds.rows: position of the edge among the predecessor's successors
	liveIns  runs[LiveIn]
	// physUse are the heads of the lists of physical registers where these are
	// made (physLinked); until then physDefs is the set of those that have been defined.
	physUse    []OpID
	physDefs   []uint64
	physLinked bool
	// hasDebug says that there has been a debug instruction.
	hasDebug   bool
	firstBlock BlockID
	lastBlock  BlockID

	// LiveIns are the function's live-in physical registers with the virtual
	// registers they are copied to (0 none).
	LiveIns []LiveInPair
	Frame   FrameInfo
	// Consts is the constant pool; its entries name constants of IRConsts.
	Consts []Constant
	// JumpTables and their entry kind.
	JumpTables    []JumpTable
	JumpTableKind JumpTableKind

	// Tables that operands index.
	CImms        []WideInt // row 0 used: operands count from 0
	FPImms       []FPImm
	Symbols      []string // external symbols and MC symbols
	BlockAddrs   []BlockAddr
	RegMasks     [][]uint32 // custom or named masks; a set bit is preserved
	CFI          []CFI
	ShuffleMasks [][]int32
	RegNames     []string // names of virtual registers; row 0 unused

	// GlobalBase holds the address from which others are found in position-independent
	// code, where the target has such a register; 0 until it is asked for.
	GlobalBase Reg

	// CalleeSaved is calleeSavedRegisters of the register info; nil: the convention's.
	CalleeSaved    []Reg
	CalleeSavedSet bool

	// TargetInfo is the target's own function information (machineFunctionInfo); nil: its defaults.
	TargetInfo FunctionInfo

	// Attributes of the YAML form.
	Align               uint8 // log2
	ExposesReturnsTwice bool
	HasWinCFI           bool
	CallsEHReturn       bool
	CallsUnwindInit     bool
	HasEHContTarget     bool
	HasEHScopes         bool
	HasEHFunclets       bool
	IsOutlined          bool
	UseDebugInstrRef    bool
	HasInlineAsm        bool
	HasFakeUses         bool

	// DebugSubsts are debug-value substitutions; CallSites the call-site records.
	DebugSubsts []DebugSubst
	CallSites   []CallSite
	EntryValues []EntryValue
	// CalledGlobals are the recorded callees of call instructions.
	CalledGlobals []CalledGlobal
	// NextInstrNum is the number of the next numbered instruction.
	NextInstrNum uint32

	ownIR       *ir.Function // memory for OwnIR, kept by Reset
	irConsts    ir.ConstPool
	hasIRConsts bool
	// constIndex has, by ir.ConstID, one more than the entry of Consts that AddConst made, 0 for none.
	constIndex []uint32

	nextBlockNum int32
	cfgEdits     uint64 // see CFGEdits
	listeners    []Listener
	orderWork    uint64            // keys given out, for tests
	farTies      map[tiedOp]uint32 // partners that the operands' four bits cannot name
	freeInstrs   []InstrID
	freeOps      [33][]uint32 // by class
	looseOps     []Operand    // what LooseOps gave of its memory
	immWords     []uint64     // the words of CImms that CImm made
}

// FunctionInfo is what a target keeps of a function: its passes know the type
// behind it.
type FunctionInfo interface {
	// AppendYAML appends the lines of machineFunctionInfo, indented by two; false
	// stands for the target's defaults.
	AppendYAML(b []byte, f *Function, simplify bool) ([]byte, bool)
}

// NewFunction returns an empty function.
func NewFunction(name string, facts *desc.Info) *Function {
	f := &Function{Facts: facts}
	f.Reset(name)
	return f
}

// Reset empties the function for reuse, keeping its memory.
func (f *Function) Reset(name string) {
	n := Function{Name: name, Facts: f.Facts,
		instrs: append(f.instrs[:0], Instr{}), blocks: append(f.blocks[:0], Block{}),
		ops: append(f.ops[:0], Operand{}), owner: append(f.owner[:0], 0),
		extras: append(f.extras[:0], InstrExtra{}), mem: append(f.mem[:0], MemOperand{}),
		vregs: f.vregs[:0], memRefs: append(f.memRefs[:0], 0), physUse: f.physUse[:0], physDefs: f.physDefs[:0],
		LiveIns: f.LiveIns[:0], Consts: f.Consts[:0], JumpTables: f.JumpTables[:0],
		CImms: f.CImms[:0], immWords: f.immWords[:0], FPImms: f.FPImms[:0], Symbols: f.Symbols[:0], BlockAddrs: f.BlockAddrs[:0],
		RegMasks: f.RegMasks[:0], CFI: f.CFI[:0],
		ShuffleMasks: f.ShuffleMasks[:0], RegNames: append(f.RegNames[:0], ""),
		freeInstrs: f.freeInstrs[:0], ownIR: f.ownIR, irConsts: f.irConsts, constIndex: f.constIndex[:0], looseOps: f.looseOps[:0],
		succs: f.succs, preds: f.preds, predBack: f.predBack[:0], liveIns: f.liveIns,
		cfgEdits: f.cfgEdits + 1,
	}
	n.Frame.Objects, n.Frame.CalleeSaved = f.Frame.Objects[:0], f.Frame.CalleeSaved[:0]
	n.Frame.StackProtector, n.Frame.FunctionContext = NoFrameIndex, NoFrameIndex
	n.Frame.MaxCallFrameSize = ^uint32(0)
	for i := range n.freeOps {
		n.freeOps[i] = f.freeOps[i][:0]
	}
	n.succs.reset()
	n.preds.reset()
	n.liveIns.reset()
	*f = n
}

// Reserve makes room in an empty function for as many instructions, operands and
// virtual registers, so that its arenas do not grow out of smaller ones.
func (f *Function) Reserve(instrs, ops, vregs int) {
	f.instrs = roomFor(f.instrs, instrs)
	f.vregs = roomFor(f.vregs, vregs)
	if ops > cap(f.ops)-len(f.ops) {
		f.growArena(ops)
	}
}

func (f *Function) numPhys() int {
	if f.Facts == nil {
		return 0
	}
	return len(f.Facts.Regs)
}

// IsPHI reports whether i is a PHI or G_PHI.
func (f *Function) IsPHI(i InstrID) bool {
	op := f.instrs[i].Opcode
	return op == desc.PHI || op == desc.G_PHI
}

// Desc returns the description of the instruction's opcode.
func (f *Function) Desc(i InstrID) *desc.InstrDesc { return f.Facts.Instr(f.instrs[i].Opcode) }

// IsRenamable reports that a pass may give operand n of i, a physical register, another register:
// it is flagged so, and the instruction has no requirements that its description does not say.
func (f *Function) IsRenamable(i InstrID, n int) bool {
	o, extra := f.Op(i, n), desc.ExtraSrcRegAllocReq
	if o.IsDef() {
		extra = desc.ExtraDefRegAllocReq
	}
	return o.Flags()&Renamable != 0 && !f.Desc(i).Has(extra)
}

// FirstNonPHI returns the first instruction of b that is no PHI, 0 when there is none.
func (f *Function) FirstNonPHI(b BlockID) InstrID {
	i := f.blocks[b].first
	for i != 0 && f.IsPHI(i) {
		i = f.instrs[i].next
	}
	return i
}

// AfterPHIs returns the first instruction of b that is neither a PHI nor, in a
// landing pad, its label: what stands before that is not executed. 0 is the end.
func (f *Function) AfterPHIs(b BlockID) InstrID {
	if l := f.PadLabel(b); l != 0 {
		return f.instrs[l].next
	}
	return f.FirstNonPHI(b)
}

// PadLabel returns the EH_LABEL that a landing pad begins with behind its PHIs,
// call frame information apart; 0 when b is no landing pad or has none.
func (f *Function) PadLabel(b BlockID) InstrID {
	if f.blocks[b].Flags&EHPad == 0 {
		return 0
	}
	i := f.SkipDebug(f.FirstNonPHI(b))
	for i != 0 && f.instrs[i].Opcode == desc.CFI_INSTRUCTION {
		i = f.SkipDebug(f.instrs[i].next)
	}
	if i != 0 && f.instrs[i].Opcode == desc.EH_LABEL {
		return i
	}
	return 0
}

// SkipDebug returns the first instruction from i on that is no debug instruction, 0 at the block's end.
func (f *Function) SkipDebug(i InstrID) InstrID {
	for i != 0 && f.IsDebugInstr(i) {
		i = f.instrs[i].next
	}
	return i
}

// LastReal returns the last instruction of b that is no debug instruction, 0 for none.
func (f *Function) LastReal(b BlockID) InstrID {
	i := f.blocks[b].last
	for i != 0 && f.IsDebugInstr(i) {
		i = f.instrs[i].prev
	}
	return i
}

// FirstTerminator returns the first of the terminators at the end of b, 0 for none.
func (f *Function) FirstTerminator(b BlockID) InstrID {
	first := InstrID(0)
	for i := f.blocks[b].last; i != 0; i = f.instrs[i].prev {
		if f.Desc(i).IsTerminator() {
			first = i
		} else if !f.IsDebugInstr(i) {
			break
		}
	}
	return first
}

// EdgePlace returns the instruction of block from before which code must stand
// to run on the way to block to: the first terminator, 0 for the end, but for a
// landing pad the EH_LABEL in front of the call that may throw, and where MIR has
// no such labels the beginning of the block; for what inline assembly jumps to, the
// assembly. It is no debug instruction.
func (f *Function) EdgePlace(from, to BlockID) InstrID {
	if f.blocks[to].Flags&InlineAsmBrTarget != 0 {
		for i := f.blocks[from].last; i != 0; i = f.instrs[i].prev {
			if f.instrs[i].Opcode == desc.INLINEASM_BR {
				return i
			}
		}
	}
	if f.blocks[to].Flags&EHPad == 0 {
		return f.FirstTerminator(from)
	}
	labels := 0
	for i := f.blocks[from].last; i != 0; i = f.instrs[i].prev {
		if f.instrs[i].Opcode == desc.EH_LABEL {
			if labels++; labels == 2 {
				return i
			}
		}
	}
	return f.SkipDebug(f.AfterPHIs(from))
}

// IsDebugInstr reports DBG_VALUE, DBG_VALUE_LIST, DBG_INSTR_REF, DBG_PHI, DBG_LABEL.
func (f *Function) IsDebugInstr(i InstrID) bool { return isDebug(f.instrs[i].Opcode) }

func isDebug(op desc.Opcode) bool {
	switch op {
	case desc.DBG_VALUE, desc.DBG_VALUE_LIST, desc.DBG_INSTR_REF, desc.DBG_PHI, desc.DBG_LABEL:
		return true
	}
	return false
}

// LiveInPair is a live-in register of the function.
type LiveInPair struct {
	Phys Reg
	Virt Reg // 0 none
}

// Symbol returns the index of an external or MC symbol, adding it when new.
func (f *Function) Symbol(name string) uint32 {
	for i, s := range f.Symbols {
		if s == name {
			return uint32(i)
		}
	}
	f.Symbols = append(f.Symbols, name)
	return uint32(len(f.Symbols) - 1)
}

// WideInt is an integer of any width, low word first.
type WideInt struct {
	Bits  int
	Words []uint64
}

// FPImm is a floating-point immediate: its IR type and bit pattern, low word first.
type FPImm struct {
	Type ir.Type
	Lo   uint64
	Hi   uint64
}

// BlockAddr names an IR block whose address an operand takes.
type BlockAddr struct {
	Func  ir.GlobalID
	Block ir.BlockID
}

// CImm adds a wide integer and returns the operand.
func (f *Function) CImm(bits int, words ...uint64) Operand {
	k := len(f.immWords)
	f.immWords = append(f.immWords, words...)
	f.CImms = append(f.CImms, WideInt{bits, f.immWords[k:len(f.immWords):len(f.immWords)]})
	return IndexOp(OpCImm, uint32(len(f.CImms)-1), 0, 0)
}

// Imm64 gives the value, sign-extended, of an immediate operand of either kind;
// false for other operands and for integers of more than 64 bits.
func (f *Function) Imm64(o *Operand) (int64, bool) {
	switch o.Kind() {
	case OpImm:
		return o.Imm(), true
	case OpCImm:
		c := &f.CImms[o.Index()]
		if c.Bits > 64 || len(c.Words) == 0 {
			return 0, false
		}
		sh := 64 - uint(c.Bits)
		return int64(c.Words[0]<<sh) >> sh, true
	}
	return 0, false
}

// FPImm adds a floating-point immediate and returns the operand.
func (f *Function) FPImm(t ir.Type, lo, hi uint64) Operand {
	f.FPImms = append(f.FPImms, FPImm{t, lo, hi})
	return IndexOp(OpFPImm, uint32(len(f.FPImms)-1), 0, 0)
}

// RegMask adds a register mask and returns the operand.
func (f *Function) RegMask(mask []uint32) Operand {
	for i := range f.RegMasks {
		if len(mask) > 0 && len(f.RegMasks[i]) == len(mask) && &f.RegMasks[i][0] == &mask[0] {
			return IndexOp(OpRegMask, uint32(i), 0, 0)
		}
	}
	f.RegMasks = append(f.RegMasks, mask)
	return IndexOp(OpRegMask, uint32(len(f.RegMasks)-1), 0, 0)
}

// JumpTableKind is the encoding of jump table entries, LLVM's names when printed.
type JumpTableKind uint8

// The kinds of jump table entries.
const (
	JTBlockAddress JumpTableKind = iota
	JTGPRel64
	JTGPRel32
	JTLabelDiff32
	JTLabelDiff64
	JTInline
	JTCustom32
)

// JumpTable is a list of destinations.
type JumpTable struct{ Blocks []BlockID }

// Constant is one constant pool entry.
type Constant struct {
	Value  ir.Value // of IRConsts or a global; 0 with Target for a target's own entry
	Target string   // a target-specific constant
	Align  uint8    // log2
}

// OwnIR makes IR a body that belongs to f alone, a copy of the module's, if it is
// none yet: passes over IR change that one. What IRConsts returned before is not to be used behind it.
func (f *Function) OwnIR() *ir.Function {
	if f.ownIR == nil {
		f.ownIR = new(ir.Function)
	}
	if f.IR != f.ownIR {
		f.ownIR.CopyFrom(f.IR)
		f.IR = f.ownIR
	}
	if f.hasIRConsts {
		// A reader has added constants, which keep their ids: the body has them from here on too.
		f.ownIR.Consts.Extend(&f.irConsts)
		f.hasIRConsts = false
	}
	return f.IR
}

// HasOwnIR reports whether IR is a body that belongs to f alone.
func (f *Function) HasOwnIR() bool { return f.ownIR != nil && f.IR == f.ownIR }

// IRConsts are the IR constants that the function names: those of the IR
// function's body, under the same ids, and behind them what code generation
// adds, so that compiling does not write to the module. Other than the pool of
// the body they may be added to. IR must not change behind the first call.
func (f *Function) IRConsts() *ir.ConstPool {
	if !f.hasIRConsts {
		f.hasIRConsts = true
		if f.IR != nil {
			f.irConsts.Extend(&f.IR.Consts)
		} else {
			f.irConsts.Extend(new(ir.ConstPool))
		}
	}
	return &f.irConsts
}

// AddConst returns the number of a constant pool entry for constant c of
// IRConsts with that alignment (log2) or more, adding it when it is new.
func (f *Function) AddConst(c ir.ConstID, align uint8) int {
	if int(c) < len(f.constIndex) && f.constIndex[c] != 0 {
		n := f.constIndex[c] - 1
		f.Consts[n].Align = max(f.Consts[n].Align, align)
		return int(n)
	}
	return f.AppendConst(Constant{Value: ir.ConstVal(c), Align: align})
}

// AppendConst adds an entry to the constant pool, as a reader does, and returns its number.
func (f *Function) AppendConst(e Constant) int {
	f.Consts = append(f.Consts, e)
	if c := e.Value.Const(); c != 0 {
		if n := int(c) + 1 - len(f.constIndex); n > 0 {
			f.constIndex = append(f.constIndex, make([]uint32, n)...)
		}
		f.constIndex[c] = uint32(len(f.Consts))
	}
	return len(f.Consts) - 1
}

// DebugSubst says that operand DstOp of instruction number Dst stands for SrcOp of Src.
type DebugSubst struct{ Src, SrcOp, Dst, DstOp, SubReg uint32 }

// CallSite records which registers carry which arguments of a call.
type CallSite struct {
	Instr   InstrID
	Args    []CallArg
	TypeIDs []uint64
}

// CallArg is one forwarded argument.
type CallArg struct {
	Reg Reg
	Arg uint32
}

// EntryValue is an entry-value object.
type EntryValue struct {
	Reg            Reg
	Var, Expr, Loc string // as MIR writes them
}

// CalledGlobal records which global a call instruction calls, with the target
// flags of its operand.
type CalledGlobal struct {
	Instr  InstrID
	Callee ir.GlobalID
	Flags  uint32
}

// NamedRegMask returns the operand of the target's register mask i, which
// keeps its name even where masks have equal content.
func (f *Function) NamedRegMask(i int) Operand {
	o := f.RegMask(f.Facts.RegMask(i))
	o.val = uint64(i + 1)
	return o
}

// RegMaskName returns the number of the target's register mask that an
// OpRegMask operand names, -1 for a mask of the function's own.
func (f *Function) RegMaskName(o *Operand) int {
	if o.val != 0 {
		return int(o.val) - 1
	}
	mask := f.RegMasks[o.idx]
	for i := range f.Facts.RegMasks {
		if m := f.Facts.RegMask(i); len(m) > 0 && len(mask) == len(m) && &mask[0] == &m[0] {
			return i
		}
	}
	return -1
}

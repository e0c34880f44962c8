package mir

import (
	"strconv"

	"github.com/mirin-go/mirin/ir"
)

func appendInt(b []byte, n int64) []byte { return strconv.AppendInt(b, n, 10) }

// OpKind is the kind of an operand, LLVM's MachineOperandType.
type OpKind uint8

// The kinds of operands, and where each keeps its content.
const (
	OpNone        OpKind = iota
	OpReg                // Reg, SubReg, register flags; links in val
	OpImm                // Imm
	OpCImm               // index into Function.CImms: a wide integer
	OpFPImm              // index into Function.FPImms
	OpMBB                // Block
	OpFrameIndex         // FrameIndex, negative for fixed objects
	OpCPI                // constant pool index, offset
	OpTargetIndex        // target index, offset
	OpJTI                // jump table index
	OpExtSym             // index into Function.Symbols, offset
	OpGlobal             // ir.GlobalID, offset
	OpBlockAddr          // index into Function.BlockAddrs, offset
	OpRegMask            // index into Function.RegMasks
	OpLiveOut            // index into Function.RegMasks
	OpMetadata           // ir.MDID
	OpMCSymbol           // index into Function.Symbols
	OpCFIIndex           // index into Function.CFI
	OpIntrinsicID        // an ir.Intrinsic
	OpPredicate          // ir.Pred in val
	OpShuffleMask        // index into Function.ShuffleMasks
	OpDbgInstrRef        // instruction number, operand number
	OpLaneMask           // val
)

// OpFlags are the flags of a register operand, LLVM's bits.
type OpFlags uint8

// Register operand flags.
const (
	Def          OpFlags = 1 << iota
	Implicit             //
	DeadOrKill           // dead for a def, killed for a use
	Renamable            //
	Undef                //
	InternalRead         //
	EarlyClobber         //
	Debug                //
)

// Kill and Dead share a bit, as in LLVM; which is meant follows from Def.
const (
	Kill = DeadOrKill
	Dead = DeadOrKill
)

// OpID names an operand row of a function. 0 is none.
type OpID uint32

// Operand is one operand of an instruction: 16 bytes, pointer-free.
// A register operand keeps the links of its register's use-def list in val
// (previous in the high half, next in the low).
type Operand struct {
	kind  OpKind
	flags OpFlags
	// sub is the sub-register index of a register (12 bits), the target flags
	// of other kinds (12 bits, as in LLVM); the top four bits are the
	// tied-operand number (0: not tied, n: tied to operand n-1, farTie: ask the function).
	sub uint16
	idx uint32 // register, block, symbol, …, by kind
	val uint64 // immediate, offset, links
}

// RegOp makes a register operand.
func RegOp(r Reg, flags OpFlags) Operand { return Operand{kind: OpReg, flags: flags, idx: uint32(r)} }

// SubRegOp makes a register operand with a sub-register index.
func SubRegOp(r Reg, sub uint16, flags OpFlags) Operand {
	return Operand{kind: OpReg, flags: flags, idx: uint32(r), sub: twelveBits(sub)}
}

// twelveBits is a sub-register index or a set of target flags; the facts and
// the readers hold them to MaxSubReg.
func twelveBits(v uint16) uint16 {
	if v > MaxSubReg {
		panic("mir: a sub-register index or target flags of more than 12 bits")
	}
	return v
}

// MaxSubReg is the greatest sub-register index and the greatest value of target flags.
const MaxSubReg = subMask

// ImmOp makes an immediate.
func ImmOp(v int64) Operand { return Operand{kind: OpImm, val: uint64(v)} }

// BlockOp makes a basic block operand.
func BlockOp(b BlockID) Operand { return Operand{kind: OpMBB, idx: uint32(b)} }

// FrameOp makes a frame index; fixed objects are negative.
func FrameOp(fi int) Operand { return Operand{kind: OpFrameIndex, idx: uint32(int32(fi))} }

// PredOp makes a comparison predicate (ir.Pred).
func PredOp(p uint8) Operand { return Operand{kind: OpPredicate, val: uint64(p)} }

// IndexOp makes an operand of a kind that is an index into a table of the
// function, with an offset and target flags.
func IndexOp(k OpKind, index uint32, offset int64, targetFlags uint16) Operand {
	return Operand{kind: k, idx: index, val: uint64(offset), sub: twelveBits(targetFlags)}
}

// LaneMaskOp makes a lane mask operand.
func LaneMaskOp(m uint64) Operand { return Operand{kind: OpLaneMask, val: m} }

// Kind returns the kind of the operand.
func (o *Operand) Kind() OpKind { return o.kind }

// IsReg reports a register operand.
func (o *Operand) IsReg() bool { return o.kind == OpReg }

// IsImm reports an immediate.
func (o *Operand) IsImm() bool { return o.kind == OpImm }

// Reg returns the register.
func (o *Operand) Reg() Reg { return Reg(o.idx) }

// SubReg returns the sub-register index, 0 for the whole register.
func (o *Operand) SubReg() uint16 { return o.sub & subMask }

// TargetFlags returns the target flags of an operand that is no register.
func (o *Operand) TargetFlags() uint16 { return o.sub & subMask }

// Imm returns the immediate, lane mask or predicate.
func (o *Operand) Imm() int64 { return int64(o.val) }

// Offset returns the offset of a symbolic operand.
func (o *Operand) Offset() int64 { return int64(o.val) }

// Index returns the table index of an operand that has one.
func (o *Operand) Index() uint32 { return o.idx }

// Block returns the block of an OpMBB.
func (o *Operand) Block() BlockID { return BlockID(o.idx) }

// FrameIndex returns the frame index.
func (o *Operand) FrameIndex() int { return int(int32(o.idx)) }

// Flags returns the register flags.
func (o *Operand) Flags() OpFlags { return o.flags }

// IsDef reports a register definition.
func (o *Operand) IsDef() bool { return o.kind == OpReg && o.flags&Def != 0 }

// IsUse reports a register use.
func (o *Operand) IsUse() bool { return o.kind == OpReg && o.flags&Def == 0 }

// IsImplicit reports an implicit register operand.
func (o *Operand) IsImplicit() bool { return o.flags&Implicit != 0 }

// IsKill reports a use that ends the register's life.
func (o *Operand) IsKill() bool { return o.flags&(Def|Kill) == Kill && o.kind == OpReg }

// IsDead reports a definition that nothing reads.
func (o *Operand) IsDead() bool { return o.flags&(Def|Dead) == Def|Dead && o.kind == OpReg }

// IsUndef reports an operand whose value does not matter.
func (o *Operand) IsUndef() bool { return o.flags&Undef != 0 }

// IsEarlyClobber reports a definition written before the uses are read.
func (o *Operand) IsEarlyClobber() bool { return o.flags&EarlyClobber != 0 }

// IsDebug reports an operand of a debug instruction.
func (o *Operand) IsDebug() bool { return o.flags&Debug != 0 }

// ReadsReg reports whether the operand reads the register's value: a use that
// is not undef, or a sub-register definition that keeps the other lanes.
func (o *Operand) ReadsReg() bool {
	return o.flags&(Undef|InternalRead) == 0 && (o.flags&Def == 0 || o.SubReg() != 0)
}

// IsTied reports whether the operand is tied to another one.
func (o *Operand) IsTied() bool { return o.sub>>tiedShift != 0 }

// An operand that stands in an instruction is changed by the function's SetReg,
// SetOpFlag …; the With functions below make another operand.

// WithFlag returns the operand with flags other than Def set or cleared.
func (o Operand) WithFlag(fl OpFlags, on bool) Operand {
	o.setFlag(fl, on)
	return o
}

// WithTargetFlags returns the operand, which is no register, with target flags.
func (o Operand) WithTargetFlags(fl uint16) Operand {
	o.setSub(fl)
	return o
}

// WithImm returns the immediate with another value.
func (o Operand) WithImm(v int64) Operand {
	o.val = uint64(v)
	return o
}

// WithOffset returns the symbolic operand with another offset.
func (o Operand) WithOffset(v int64) Operand {
	o.val = uint64(v)
	return o
}

func (o *Operand) setFlag(fl OpFlags, on bool) {
	if on {
		o.flags |= fl
	} else {
		o.flags &^= fl
	}
}

func (o *Operand) setSub(v uint16) { o.sub = o.sub&^subMask | twelveBits(v) }

// SameValue reports whether two operands are the same but for register flags and ties.
func (o *Operand) SameValue(p *Operand) bool {
	if o.kind != p.kind || o.idx != p.idx || o.sub&subMask != p.sub&subMask {
		return false
	}
	if o.kind == OpReg {
		return o.flags&Def == p.flags&Def
	}
	return o.val == p.val
}

func (o *Operand) prev() OpID { return OpID(o.val >> 32) }
func (o *Operand) next() OpID { return OpID(o.val) }
func (o *Operand) setPrev(p OpID) {
	o.val = o.val&0xffffffff | uint64(p)<<32
}
func (o *Operand) setLinks(p, n OpID) { o.val = uint64(p)<<32 | uint64(n) }
func (o *Operand) setNext(n OpID)     { o.val = o.val&^0xffffffff | uint64(n) }

// IntrinsicOp is an operand that names an intrinsic.
func IntrinsicOp(x ir.Intrinsic) Operand { return IndexOp(OpIntrinsicID, uint32(x), 0, 0) }

// Intrinsic is the intrinsic that an OpIntrinsicID operand names.
func (o *Operand) Intrinsic() ir.Intrinsic { return ir.Intrinsic(o.Index()) }

package mc

import (
	"math"

	"github.com/mirin-go/mirin/desc"
)

// OperandKind says what an Operand holds.
type OperandKind uint8

// The kinds of operands.
const (
	OperandNone OperandKind = iota
	OperandReg
	OperandImm
	OperandFPImm
	OperandExpr
)

// Operand is one operand of an Inst, 16 bytes without pointers.
type Operand struct {
	val  uint64
	reg  desc.PhysReg
	kind OperandKind
}

// Reg makes a register operand; register 0 is "no register".
func Reg(r desc.PhysReg) Operand { return Operand{reg: r, kind: OperandReg} }

// Imm makes an immediate operand.
func Imm(v int64) Operand { return Operand{val: uint64(v), kind: OperandImm} }

// FPImm makes a floating-point immediate, kept as the bits of a double.
func FPImm(v float64) Operand { return Operand{val: math.Float64bits(v), kind: OperandFPImm} }

// ExprOp makes an operand of an expression of the context that the instruction
// is emitted with.
func ExprOp(e Expr) Operand { return Operand{val: uint64(e), kind: OperandExpr} }

// Kind returns what the operand holds.
func (o Operand) Kind() OperandKind { return o.kind }

// IsReg reports a register.
func (o Operand) IsReg() bool { return o.kind == OperandReg }

// IsImm reports an integer immediate.
func (o Operand) IsImm() bool { return o.kind == OperandImm }

// IsFPImm reports a floating-point immediate.
func (o Operand) IsFPImm() bool { return o.kind == OperandFPImm }

// IsExpr reports an expression.
func (o Operand) IsExpr() bool { return o.kind == OperandExpr }

// Reg returns the register, 0 for other kinds.
func (o Operand) Reg() desc.PhysReg { return o.reg }

// Imm returns the immediate; of other kinds the raw value.
func (o Operand) Imm() int64 { return int64(o.val) }

// FPBits returns the bits of the double.
func (o Operand) FPBits() uint64 { return o.val }

// Expr returns the expression; the operand must hold one.
func (o Operand) Expr() Expr { return Expr(o.val) }

// InstFlags are prefixes and encoding choices that operands do not show. Their
// meaning is the target's.
type InstFlags uint32

// Inst is one machine instruction. The zero value is ready for Set and Add;
// callers reuse one Inst, whose operand storage then stays.
type Inst struct {
	Op    desc.Opcode
	Flags InstFlags
	Ops   []Operand
}

// Set makes the instruction op with the given operands and no flags.
func (in *Inst) Set(op desc.Opcode, ops ...Operand) *Inst {
	in.Op, in.Flags = op, 0
	in.Ops = append(in.Ops[:0], ops...)
	return in
}

// Reset makes the instruction op without operands or flags.
func (in *Inst) Reset(op desc.Opcode) *Inst {
	in.Op, in.Flags, in.Ops = op, 0, in.Ops[:0]
	return in
}

// Add appends an operand.
func (in *Inst) Add(o Operand) *Inst {
	in.Ops = append(in.Ops, o)
	return in
}

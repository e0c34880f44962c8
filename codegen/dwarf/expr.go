package dwarf

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/dwarfname"
)

// dop is an operation of a DIExpression with its operands.
type dop struct {
	op   uint64
	args [2]uint64
}

// LLVM's own operations of a DIExpression.
const (
	opLLVMFragment   = 0x1000
	opLLVMConvert    = 0x1001
	opLLVMTagOffset  = 0x1002
	opLLVMEntryValue = 0x1003
	opLLVMArg        = 0x1005
	opLLVMBitsSext   = 0x1006
	opLLVMBitsZext   = 0x1007
)

// opArgs is how many operands an operation has in a DIExpression.
func opArgs(op uint64) int {
	switch {
	case op >= opBreg0 && op <= opBreg31:
		return 1
	case op == opLLVMConvert, op == opLLVMFragment, op == opLLVMBitsSext, op == opLLVMBitsZext, op == opBregx:
		return 2
	case op == opConstu, op == opConsts, op == opDerefSize, op == opPlusUconst, op == opLLVMTagOffset, op == opLLVMEntryValue, op == opLLVMArg, op == opRegx:
		return 1
	}
	return 0
}

// parseExpr appends the operations of a DIExpression.
func parseExpr(n node, out []dop) []dop {
	if n.null() {
		return out
	}
	num := func(f *ir.MDField) uint64 {
		if f.Kind != ir.MDFieldWord {
			return fieldValue(f)
		}
		for _, k := range [...]dwarfname.Kind{dwarfname.Op, dwarfname.Encoding} {
			if v, ok := dwarfname.Number(k, f.Str); ok {
				return v
			}
		}
		return 0
	}
	for k := 0; k < len(n.Fields); {
		o := dop{op: num(&n.Fields[k])}
		k++
		for a := 0; a < opArgs(o.op) && k < len(n.Fields); a++ {
			o.args[a] = num(&n.Fields[k])
			k++
		}
		out = append(out, o)
	}
	return out
}

// locKind is what an expression has computed so far.
type locKind uint8

const (
	locUnknown locKind = iota
	locRegister
	locMemory
	locImplicit
)

// exprWriter makes a DWARF expression of a place and a DIExpression, as LLVM does.
type exprWriter struct {
	b     []byte
	fix   []blockFix
	w     *Writer
	facts *desc.Info
	frame desc.PhysReg // the frame base's, 0 where that may not be named
	kind  locKind
	ops   []dop

	offset             uint64 // bits that pieces have described
	subSize, subOffset uint64 // of a part of the register, 0 none
	tagOffset          int
}

func (e *exprWriter) reset(ops []dop) {
	*e = exprWriter{b: e.b[:0], fix: e.fix[:0], w: e.w, facts: e.facts, frame: e.frame, ops: ops, tagOffset: -1, offset: e.offset}
}

func (e *exprWriter) op(o byte)         { e.b = append(e.b, o) }
func (e *exprWriter) unsigned(v uint64) { e.b = appendULEB(e.b, v) }
func (e *exprWriter) signed(v int64)    { e.b = appendSLEB(e.b, v) }

func (e *exprWriter) peek(n int) *dop {
	if n < len(e.ops) {
		return &e.ops[n]
	}
	return nil
}

func (e *exprWriter) constu(v uint64) {
	switch {
	case v < 32:
		e.op(byte(opLit0 + v))
	case v == ^uint64(0):
		e.op(opLit0)
		e.op(opNot)
	default:
		e.op(opConstu)
		e.unsigned(v)
	}
}

func (e *exprWriter) addSigned(v int64) {
	e.kind = locImplicit
	e.op(opConsts)
	e.signed(v)
}

func (e *exprWriter) addUnsigned(v uint64) {
	e.kind = locImplicit
	e.constu(v)
}

// fragmentOffset leaves a hole before the part of the variable that is described.
func (e *exprWriter) fragmentOffset(off uint64) {
	if off > e.offset {
		e.piece(off-e.offset, 0)
	}
	e.offset = off
}

func (e *exprWriter) piece(bits, off uint64) {
	if bits == 0 {
		return
	}
	if off > 0 || bits%8 != 0 {
		e.op(opBitPiece)
		e.unsigned(bits)
		e.unsigned(off)
	} else {
		e.op(opPiece)
		e.unsigned(bits / 8)
	}
	e.offset += bits
}

// register finds the DWARF number of a register, or of one that it is part of.
func (e *exprWriter) register(r desc.PhysReg) (num int, ok bool) {
	fl := e.w.flavour
	if num = e.facts.DwarfNum(fl, r, false); num >= 0 {
		return num, true
	}
	for sr := range e.facts.SuperRegs(r).All() {
		if num = e.facts.DwarfNum(fl, sr, false); num >= 0 {
			idx := e.facts.SubRegIndexOf(sr, r)
			x := &e.facts.SubRegIndices[idx]
			e.subSize, e.subOffset = uint64(x.Size), uint64(x.Offset)
			return num, true
		}
	}
	return 0, false
}

// addReg describes what is in a register, or what lies at its address.
func (e *exprWriter) addReg(r desc.PhysReg) bool {
	num, ok := e.register(r)
	if !ok {
		e.kind = locUnknown
		return false
	}
	next := e.peek(0)
	complex := next != nil && next.op != opLLVMFragment
	if e.kind != locMemory && !complex {
		e.kind = locRegister
		if num < 32 {
			e.op(byte(opReg0 + num))
		} else {
			e.op(opRegx)
			e.unsigned(uint64(num))
		}
		return true
	}
	if e.w.version < 4 {
		for _, o := range e.ops {
			if o.op == opStackValue {
				e.kind = locUnknown
				return false
			}
		}
	}
	off := int64(0)
	const maxInt = 1<<31 - 1
	if next != nil {
		n := e.peek(1)
		switch {
		case next.op == opPlusUconst && next.args[0] <= maxInt:
			off = int64(next.args[0])
			e.ops = e.ops[1:]
		case next.op == opConstu && n != nil && n.op == opPlus && next.args[0] <= maxInt:
			off = int64(next.args[0])
			e.ops = e.ops[2:]
		case next.op == opConstu && n != nil && n.op == opMinus && e.subSize == 0 && next.args[0] <= maxInt+1:
			off = -int64(next.args[0])
			e.ops = e.ops[2:]
		}
	}
	switch {
	case e.frame != 0 && r == e.frame:
		e.op(opFbreg)
	case num < 32:
		e.op(byte(opBreg0 + num))
	default:
		e.op(opBregx)
		e.unsigned(uint64(num))
	}
	e.signed(off)
	if n := e.peek(0); e.subSize != 0 && n != nil && n.op != opLLVMFragment {
		e.maskSubRegister()
	}
	return true
}

func (e *exprWriter) maskSubRegister() {
	if e.subOffset > 0 {
		e.constu(e.subOffset)
		e.op(opShr)
	}
	e.constu(1<<e.subSize - 1)
	e.op(opAnd)
}

// memoryFollows reports that what is left only says that the variable is in memory.
func memoryFollows(ops []dop) bool {
	for _, o := range ops {
		if o.op != opDeref && o.op != opLLVMFragment {
			return false
		}
	}
	return true
}

// rest writes what is left of the DIExpression. arg describes operand n of a list.
func (e *exprWriter) rest(arg func(n uint64) bool) bool {
	for len(e.ops) > 0 {
		o := e.ops[0]
		e.ops = e.ops[1:]
		switch op := o.op; {
		case op >= opReg0 && op <= opReg31:
			e.op(byte(op))
		case op >= opBreg0 && op <= opBreg31:
			e.op(byte(op))
			e.signed(int64(o.args[0]))
		case op == opLLVMArg:
			if arg == nil || !arg(o.args[0]) {
				e.kind = locUnknown
				return false
			}
		case op == opLLVMFragment:
			size := o.args[1] - (e.offset - o.args[0])
			if e.subSize != 0 {
				size = min(size, e.subSize)
			}
			if e.kind == locImplicit {
				e.stackValue()
			}
			e.piece(size, e.subOffset)
			e.subSize, e.subOffset = 0, 0
			e.kind = locUnknown
			return true
		case op == opLLVMBitsSext || op == opLLVMBitsZext:
			if !e.extractBits(o) {
				return false
			}
		case op == opPlusUconst:
			e.op(opPlusUconst)
			e.unsigned(o.args[0])
		case op == opDeref:
			// What is in memory needs no load: the location is the address.
			if e.kind != locMemory && memoryFollows(e.ops) {
				e.kind = locMemory
			} else {
				e.op(opDeref)
			}
		case op == opConstu:
			e.constu(o.args[0])
		case op == opConsts:
			e.op(opConsts)
			e.signed(int64(o.args[0]))
		case op == opLLVMConvert:
			if !e.convert(o) {
				return false
			}
		case op == opStackValue:
			e.kind = locImplicit
		case op == opDerefSize:
			e.op(opDerefSize)
			e.op(byte(o.args[0]))
		case op == opLLVMTagOffset:
			e.tagOffset = int(o.args[0])
		case op == opRegx:
			e.op(opRegx)
			e.unsigned(o.args[0])
		case op == opBregx:
			e.op(opBregx)
			e.unsigned(o.args[0])
			e.signed(int64(o.args[1]))
		case op < 256:
			e.op(byte(op))
		default:
			e.kind = locUnknown
			return false
		}
	}
	if e.kind == locImplicit {
		e.stackValue()
	}
	return true
}

func (e *exprWriter) stackValue() {
	if e.w.version >= 4 {
		e.op(opStackValue)
	}
}

// extractBits is a bit field of the value: shifted to the top and back.
func (e *exprWriter) extractBits(o dop) bool {
	off, size, width := o.args[0], o.args[1], uint64(8*e.w.ptr)
	if off+size > width {
		e.kind = locUnknown
		return false
	}
	if n := width - off - size; n > 0 {
		e.constu(n)
		e.op(opShl)
	}
	if n := width - size; n > 0 {
		e.constu(n)
		if o.op == opLLVMBitsSext {
			e.op(opShra)
		} else {
			e.op(opShr)
		}
	}
	return true
}

// convert is a conversion between integers of different size: of two in a row, the
// first says what the value is, the second what becomes of it. Without types in the
// expression it is done by shifts.
func (e *exprWriter) convert(o dop) bool {
	to := e.peek(0)
	if to == nil || to.op != opLLVMConvert {
		e.kind = locUnknown
		return false
	}
	from := o.args
	e.ops = e.ops[1:]
	const signed, signedChar = 5, 6 // DW_ATE_signed, DW_ATE_signed_char
	switch {
	case from[0] >= to.args[0]: // what is cut off no one looks at, or is masked
		if to.args[0] < uint64(8*e.w.ptr) {
			e.mask(to.args[0])
		}
	case from[1] == signed || from[1] == signedChar:
		// (x >> (n-1)) * (~0 << n) | x
		e.op(opDup)
		e.constu(from[0] - 1)
		e.op(opShr)
		e.op(opLit0)
		e.op(opNot)
		e.op(opMul)
		e.constu(from[0])
		e.op(opShl)
		e.op(opOr)
	default:
		e.mask(from[0])
	}
	return true
}

func (e *exprWriter) mask(bits uint64) {
	if bits < 64 {
		e.constu(1<<bits - 1)
		e.op(opAnd)
	}
}

// finish adds the piece for a part of a register that does not begin with it.
func (e *exprWriter) finish() {
	if e.subSize != 0 && e.subOffset != 0 {
		e.piece(e.subSize, e.subOffset)
	}
	e.subSize, e.subOffset = 0, 0
}

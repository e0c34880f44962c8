package irverify

import "github.com/mirin-go/mirin/ir"

// The readers make no instruction whose operands do not fit; programs that
// build IR may. The words are those of LLVM's verifier.

// operandTypes checks the types of the operands of an instruction that computes a value.
func (v *verifier) operandTypes(i ir.InstrID, in *ir.Instr) bool {
	op := in.Op
	switch {
	case op == ir.OpFNeg:
		x := v.f.TypeOf(v.f.Op(i, 0))
		return v.check(x == in.Type, "Unary operators must have same type for operands and result!", instr(i)) &&
			v.check(v.t.IsFloat(v.t.Scalar(x)), "FNeg operator only works with float types!", instr(i))
	case op >= ir.OpAdd && op <= ir.OpXor:
		return v.binaryOperands(i, in)
	case op >= ir.OpTrunc && op <= ir.OpAddrSpaceCast:
		from := v.f.TypeOf(v.f.Op(i, 0))
		if !v.t.CastValid(op, from, in.Type) {
			return v.check(false, v.castFault(op, from, in.Type), instr(i))
		}
		if op == ir.OpPtrToAddr {
			p := v.dl.Pointer(v.t.AddrSpace(v.t.Scalar(from)))
			return v.check(v.t.IntBits(v.t.Scalar(in.Type)) == int(p.IndexBits), "PtrToAddr result must be address width", instr(i))
		}
		return true
	}
	switch op {
	case ir.OpICmp, ir.OpFCmp:
		return v.compareOperands(i, in)
	case ir.OpSelect:
		return v.selectOperands(i, in)
	case ir.OpExtractElement, ir.OpInsertElement, ir.OpShuffleVector:
		return v.elementOperands(i, in)
	case ir.OpExtractValue, ir.OpInsertValue:
		return v.memberOperands(i, in)
	case ir.OpBr:
		return v.check(v.f.NumOps(i) < 3 || v.f.TypeOf(v.f.Op(i, 0)) == ir.Int1, "Branch condition is not 'i1' type!", instr(i))
	}
	return true
}

// castRow is what LLVM asks of a cast, in its words and order.
type castRow struct {
	from, to           func(*ir.Types, ir.Type) bool // of scalars
	badFrom, badTo     string
	mixed, length, fit string // a vector and a scalar, vectors of other lengths, widths the wrong way
}

func isInt(t *ir.Types, ty ir.Type) bool   { return t.Kind(ty) == ir.KindInteger }
func isFloat(t *ir.Types, ty ir.Type) bool { return t.IsFloat(ty) }
func isPtr(t *ir.Types, ty ir.Type) bool   { return t.Kind(ty) == ir.KindPointer }

// castRules are the rows from trunc on.
var castRules = [...]castRow{
	{isInt, isInt, "Trunc only operates on integer", "Trunc only produces integer", "trunc source and destination must both be a vector or neither", "", "DestTy too big for Trunc"},
	{isInt, isInt, "ZExt only operates on integer", "ZExt only produces an integer", "zext source and destination must both be a vector or neither", "", "Type too small for ZExt"},
	{isInt, isInt, "SExt only operates on integer", "SExt only produces an integer", "sext source and destination must both be a vector or neither", "", "Type too small for SExt"},
	{isFloat, isInt, "FPToUI source must be FP or FP vector", "FPToUI result must be integer or integer vector", "FPToUI source and dest must both be vector or scalar", "FPToUI source and dest vector length mismatch", ""},
	{isFloat, isInt, "FPToSI source must be FP or FP vector", "FPToSI result must be integer or integer vector", "FPToSI source and dest must both be vector or scalar", "FPToSI source and dest vector length mismatch", ""},
	{isInt, isFloat, "UIToFP source must be integer or integer vector", "UIToFP result must be FP or FP vector", "UIToFP source and dest must both be vector or scalar", "UIToFP source and dest vector length mismatch", ""},
	{isInt, isFloat, "SIToFP source must be integer or integer vector", "SIToFP result must be FP or FP vector", "SIToFP source and dest must both be vector or scalar", "SIToFP source and dest vector length mismatch", ""},
	{isFloat, isFloat, "FPTrunc only operates on FP", "FPTrunc only produces an FP", "fptrunc source and destination must both be a vector or neither", "", "DestTy too big for FPTrunc"},
	{isFloat, isFloat, "FPExt only operates on FP", "FPExt only produces an FP", "fpext source and destination must both be a vector or neither", "", "DestTy too small for FPExt"},
	{isPtr, isInt, "PtrToInt source must be pointer", "PtrToInt result must be integral", "PtrToInt type mismatch", "PtrToInt Vector length mismatch", ""},
	{isPtr, isInt, "PtrToAddr source must be pointer", "PtrToAddr result must be integral", "PtrToAddr type mismatch", "PtrToAddr Vector length mismatch", ""},
	{isInt, isPtr, "IntToPtr source must be an integral", "IntToPtr result must be a pointer", "IntToPtr type mismatch", "IntToPtr Vector length mismatch", ""},
	{fit: "Invalid bitcast"},
	{isPtr, isPtr, "AddrSpaceCast source must be a pointer", "AddrSpaceCast result must be a pointer", "", "AddrSpaceCast vector pointer number of elements mismatch", "AddrSpaceCast must be between different address spaces"},
}

// A row for each operation from trunc to addrspacecast.
var _ = [1]struct{}{}[len(castRules)-1-int(ir.OpAddrSpaceCast-ir.OpTrunc)]

// castFault says why a cast does not lead from one type to another.
func (v *verifier) castFault(op ir.Op, from, to ir.Type) string {
	r := &castRules[op-ir.OpTrunc]
	vec := v.t.IsVector(from)
	switch {
	case r.from != nil && !r.from(v.t, v.t.Scalar(from)):
		return r.badFrom
	case r.to != nil && !r.to(v.t, v.t.Scalar(to)):
		return r.badTo
	case r.mixed != "" && vec != v.t.IsVector(to):
		return r.mixed
	case r.length != "" && (vec != v.t.IsVector(to) || vec && v.t.NumElems(from) != v.t.NumElems(to)):
		return r.length
	case r.fit != "":
		return r.fit
	}
	return "Invalid cast"
}

func (v *verifier) binaryOperands(i ir.InstrID, in *ir.Instr) bool {
	x, y := v.f.TypeOf(v.f.Op(i, 0)), v.f.TypeOf(v.f.Op(i, 1))
	if !v.check(x == y, "Both operands to a binary operator are not of the same type!", instr(i)) {
		return false
	}
	isInt := v.t.Kind(v.t.Scalar(x)) == ir.KindInteger
	switch in.Op {
	case ir.OpFAdd, ir.OpFSub, ir.OpFMul, ir.OpFDiv, ir.OpFRem:
		return v.check(v.t.IsFloat(v.t.Scalar(x)), "Floating-point arithmetic operators only work with floating-point types!", instr(i)) &&
			v.check(x == in.Type, "Floating-point arithmetic operators must have same type for operands and result!", instr(i))
	case ir.OpShl, ir.OpLShr, ir.OpAShr:
		return v.check(isInt, "Shifts only work with integral types!", instr(i)) &&
			v.check(x == in.Type, "Shift return type must be same as operands!", instr(i))
	case ir.OpAnd, ir.OpOr, ir.OpXor:
		return v.check(isInt, "Logical operators only work with integral types!", instr(i)) &&
			v.check(x == in.Type, "Logical operators must have same type for operands and result!", instr(i))
	}
	return v.check(isInt, "Integer arithmetic operators only work with integral types!", instr(i)) &&
		v.check(x == in.Type, "Integer arithmetic operators must have same type for operands and result!", instr(i))
}

func (v *verifier) compareOperands(i ir.InstrID, in *ir.Instr) bool {
	x, y := v.f.TypeOf(v.f.Op(i, 0)), v.f.TypeOf(v.f.Op(i, 1))
	k := v.t.Kind(v.t.Scalar(x))
	if in.Op == ir.OpFCmp {
		return v.check(x == y, "Both operands to FCmp instruction are not of the same type!", instr(i)) &&
			v.check(v.t.IsFloat(v.t.Scalar(x)), "Invalid operand types for FCmp instruction", instr(i))
	}
	return v.check(x == y, "Both operands to ICmp instruction are not of the same type!", instr(i)) &&
		v.check(k == ir.KindInteger || k == ir.KindPointer, "Invalid operand types for ICmp instruction", instr(i))
}

func (v *verifier) selectOperands(i ir.InstrID, in *ir.Instr) bool {
	c, x, y := v.f.TypeOf(v.f.Op(i, 0)), v.f.TypeOf(v.f.Op(i, 1)), v.f.TypeOf(v.f.Op(i, 2))
	ok := x == y && v.t.Scalar(c) == ir.Int1
	if ok && v.t.IsVector(c) {
		ok = v.t.IsVector(x) && v.t.NumElems(c) == v.t.NumElems(x) && v.t.Kind(c) == v.t.Kind(x)
	}
	return v.check(ok, "Invalid operands for select instruction!", instr(i)) &&
		v.check(x == in.Type, "Select values must have same type as select instruction!", instr(i))
}

func (v *verifier) elementOperands(i ir.InstrID, in *ir.Instr) bool {
	ty := func(n int) ir.Type { return v.f.TypeOf(v.f.Op(i, n)) }
	vec := ty(0)
	isVec := v.t.IsVector(vec)
	switch in.Op {
	case ir.OpExtractElement:
		return v.check(isVec && v.t.Kind(ty(1)) == ir.KindInteger && in.Type == v.t.Elem(vec), "Invalid extractelement operands!", instr(i))
	case ir.OpInsertElement:
		return v.check(isVec && ty(1) == v.t.Elem(vec) && v.t.Kind(ty(2)) == ir.KindInteger && in.Type == vec, "Invalid insertelement operands!", instr(i))
	}
	ok := isVec && vec == ty(1) && v.t.IsVector(in.Type) && v.t.Elem(vec) == v.t.Elem(in.Type)
	if ok && v.t.Kind(vec) == ir.KindVector {
		for _, m := range v.f.Extras[in.Extra].Ints {
			ok = ok && (m < 0 || uint64(m) < 2*v.t.NumElems(vec))
		}
	}
	return v.check(ok, "Invalid shufflevector operands!", instr(i))
}

func (v *verifier) memberOperands(i ir.InstrID, in *ir.Instr) bool {
	agg := v.f.TypeOf(v.f.Op(i, 0))
	part, ok := agg, true
	for _, k := range v.f.Extras[in.Extra].Ints {
		switch v.t.Kind(part) {
		case ir.KindStruct:
			m := v.t.Subtypes(part)
			if ok = k >= 0 && k < int64(len(m)); ok {
				part = m[k]
			}
		case ir.KindArray:
			ok = k >= 0 && uint64(k) < v.t.NumElems(part)
			part = v.t.Elem(part)
		default:
			ok = false
		}
		if !ok {
			break
		}
	}
	if in.Op == ir.OpExtractValue {
		return v.check(ok && part == in.Type, "Invalid ExtractValueInst operands!", instr(i))
	}
	return v.check(ok && part == v.f.TypeOf(v.f.Op(i, 1)) && in.Type == agg, "Invalid InsertValueInst operands!", instr(i))
}

package mirverify

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// Rules of opcodes that put values together and take them apart.

func (v *Verifier) ruleMerge(i mir.InstrID) {
	d, s := v.ty(i, 0), v.ty(i, 1)
	if d.IsVector() || s.IsVector() {
		v.errInstr(i, "G_MERGE_VALUES cannot operate on vectors")
	}
	n := v.f.Instr(i).NumOps()
	if d.Bits() != s.Bits()*(n-1) {
		v.errInstr(i, "G_MERGE_VALUES result size is inconsistent")
	}
	for k := 2; k < n; k++ {
		if v.ty(i, k) != s {
			v.errInstr(i, "G_MERGE_VALUES source types do not match")
		}
	}
}

func (v *Verifier) ruleUnmerge(i mir.InstrID) {
	n := v.f.Instr(i).NumOps() - 1
	d, s := v.ty(i, 0), v.ty(i, n)
	for k := 1; k < n; k++ {
		if v.ty(i, k) != d {
			v.errInstr(i, "G_UNMERGE_VALUES destination types do not match")
		}
	}
	switch {
	case d.IsVector():
		if !s.IsVector() || s.Elem() != d.Elem() || s.IsScalable() != d.IsScalable() || s.NumElems() != n*d.NumElems() {
			v.errInstr(i, "G_UNMERGE_VALUES source operand does not match vector destination operands")
		}
	case s.IsVector():
		if s.IsScalable() || s.Bits() != n*d.Bits() {
			v.errInstr(i, "G_UNMERGE_VALUES vector source operand does not match scalar destination operands")
		}
	case s.Bits() != n*d.Bits():
		v.errInstr(i, "G_UNMERGE_VALUES scalar source operand does not match scalar destination operands")
	}
}

// homogeneous reports operands from 2 on that differ from operand 1.
func (v *Verifier) homogeneous(i mir.InstrID, msg string) {
	s := v.ty(i, 1)
	for k := 2; k < v.f.Instr(i).NumOps(); k++ {
		if v.ty(i, k) != s {
			v.errInstr(i, msg)
		}
	}
}

func (v *Verifier) ruleBuildVector(i mir.InstrID) {
	d, s := v.ty(i, 0), v.ty(i, 1)
	if !d.IsVector() || s.IsVector() {
		v.errInstr(i, "G_BUILD_VECTOR must produce a vector from scalar operands")
		return
	}
	if d.Elem() != s {
		v.errInstr(i, "G_BUILD_VECTOR result element type must match source type")
	}
	if d.NumElems() != v.f.Instr(i).NumOps()-1 {
		v.errInstr(i, "G_BUILD_VECTOR must have an operand for each element")
	}
	v.homogeneous(i, "G_BUILD_VECTOR source operand types are not homogeneous")
}

func (v *Verifier) ruleBuildVectorTrunc(i mir.InstrID) {
	d, s := v.ty(i, 0), v.ty(i, 1)
	if !d.IsVector() || s.IsVector() {
		v.errInstr(i, "G_BUILD_VECTOR_TRUNC must produce a vector from scalar operands")
		return
	}
	v.homogeneous(i, "G_BUILD_VECTOR_TRUNC source operand types are not homogeneous")
	if s.Bits() <= d.ScalarBits() {
		v.errInstr(i, "G_BUILD_VECTOR_TRUNC source operand types are not larger than dest elt type")
	}
}

func (v *Verifier) ruleConcat(i mir.InstrID) {
	d, s := v.ty(i, 0), v.ty(i, 1)
	n := v.f.Instr(i).NumOps()
	if !d.IsVector() || !s.IsVector() {
		v.errInstr(i, "G_CONCAT_VECTOR requires vector source and destination operands")
	}
	if n < 3 {
		v.errInstr(i, "G_CONCAT_VECTOR requires at least 2 source operands")
	}
	v.homogeneous(i, "G_CONCAT_VECTOR source operand types are not homogeneous")
	if d.NumElems() != s.NumElems()*(n-1) {
		v.errInstr(i, "G_CONCAT_VECTOR num dest and source elements should match")
	}
}

func (v *Verifier) ruleExtract(i mir.InstrID) {
	s, off := v.f.Op(i, 1), v.f.Op(i, 2)
	if !s.IsReg() {
		v.errInstr(i, "extract source must be a register")
		return
	}
	if !off.IsImm() {
		v.errInstr(i, "extract offset must be a constant")
		return
	}
	db, sb := v.ty(i, 0).Bits(), v.ty(i, 1).Bits()
	if sb == db {
		v.errInstr(i, "extract source must be larger than result")
	}
	if int64(db)+off.Imm() > int64(sb) {
		v.errInstr(i, "extract reads past end of register")
	}
}

func (v *Verifier) ruleInsert(i mir.InstrID) {
	s, off := v.f.Op(i, 2), v.f.Op(i, 3)
	if !s.IsReg() {
		v.errInstr(i, "insert source must be a register")
		return
	}
	if !off.IsImm() {
		v.errInstr(i, "insert offset must be a constant")
		return
	}
	db, sb := v.ty(i, 0).Bits(), v.ty(i, 2).Bits()
	if db <= sb {
		v.errInstr(i, "inserted size must be smaller than total register")
	}
	if int64(sb)+off.Imm() > int64(db) {
		v.errInstr(i, "insert writes past end of register")
	}
}

func (v *Verifier) ruleInsertSubvector(i mir.InstrID) {
	f := v.f
	switch {
	case !f.Op(i, 1).IsReg():
		v.errInstr(i, "G_INSERT_SUBVECTOR first source must be a register")
		return
	case !f.Op(i, 2).IsReg():
		v.errInstr(i, "G_INSERT_SUBVECTOR second source must be a register")
		return
	case !f.Op(i, 3).IsImm():
		v.errInstr(i, "G_INSERT_SUBVECTOR index must be an immediate")
		return
	}
	d, s := v.ty(i, 0), v.ty(i, 2)
	at := f.Op(i, 3).Imm()
	min := int64(s.NumElems())
	switch {
	case !d.IsVector():
		v.errInstr(i, "Destination type must be a vector")
	case !s.IsVector():
		v.errInstr(i, "Second source must be a vector")
	case d.Elem() != s.Elem():
		v.errInstr(i, "Element type of vectors must be the same")
	case d.IsScalable() != s.IsScalable():
		v.errInstr(i, "Vector types must both be fixed or both be scalable")
	case s.NumElems() > d.NumElems():
		v.errInstr(i, "Second source must be smaller than destination vector")
	case at%min != 0:
		v.errInstr(i, "Index must be a multiple of the second source vector's minimum vector length")
	case d.IsScalable() == s.IsScalable() && at+min > int64(d.NumElems()):
		v.errInstr(i, "Subvector type and index must not cause insert to overrun the vector being inserted into")
	}
}

func (v *Verifier) ruleExtractSubvector(i mir.InstrID) {
	f := v.f
	switch {
	case !f.Op(i, 1).IsReg():
		v.errInstr(i, "G_EXTRACT_SUBVECTOR first source must be a register")
		return
	case !f.Op(i, 2).IsImm():
		v.errInstr(i, "G_EXTRACT_SUBVECTOR index must be an immediate")
		return
	}
	d, s := v.ty(i, 0), v.ty(i, 1)
	at := f.Op(i, 2).Imm()
	min := int64(d.NumElems())
	switch {
	case !d.IsVector():
		v.errInstr(i, "Destination type must be a vector")
	case !s.IsVector():
		v.errInstr(i, "Source must be a vector")
	case d.Elem() != s.Elem():
		v.errInstr(i, "Element type of vectors must be the same")
	case d.IsScalable() && !s.IsScalable():
		v.errInstr(i, "Vector types must both be fixed or both be scalable")
	case d.IsScalable() == s.IsScalable() && d.NumElems() > s.NumElems():
		v.errInstr(i, "Destination vector must be smaller than source vector")
	case at%min != 0:
		v.errInstr(i, "Index must be a multiple of the destination vector's minimum vector length")
	case d.IsScalable() == s.IsScalable() && at+min > int64(s.NumElems()):
		v.errInstr(i, "Destination type and index must not cause extract to overrun the source vector")
	}
}

func (v *Verifier) ruleShuffle(i mir.InstrID) {
	f := v.f
	m := f.Op(i, 3)
	if m.Kind() != mir.OpShuffleMask {
		v.errInstr(i, "Incorrect mask operand type for G_SHUFFLE_VECTOR")
		return
	}
	d, a, b := v.ty(i, 0), v.ty(i, 1), v.ty(i, 2)
	if a != b {
		v.errInstr(i, "Source operands must be the same type")
	}
	if d.Elem() != a.Elem() {
		v.errInstr(i, "G_SHUFFLE_VECTOR cannot change element type")
		return
	}
	if !a.IsVector() {
		v.errInstr(i, "G_SHUFFLE_VECTOR must have vector src")
		return
	}
	if !d.IsVector() {
		v.errInstr(i, "G_SHUFFLE_VECTOR must have vector dst")
		return
	}
	mask := f.ShuffleMasks[m.Index()]
	if len(mask) != d.NumElems() {
		v.errInstr(i, "Wrong result type for shufflemask")
	}
	for _, k := range mask {
		if k >= int32(2*a.NumElems()) {
			v.errInstr(i, "Out of bounds shuffle index")
		}
	}
}

func (v *Verifier) ruleSplat(i mir.InstrID) {
	d, s := v.ty(i, 0), v.ty(i, 1)
	switch {
	case !d.IsScalable():
		v.errInstr(i, "Destination type must be a scalable vector")
	case s.IsVector() || s == 0:
		v.errInstr(i, "Source type must be a scalar or pointer")
	case d.ScalarBits() > s.Bits():
		v.errInstr(i, "Element type of the destination must be the same size or smaller than the source type")
	}
}

func (v *Verifier) ruleExtractElt(i mir.InstrID) {
	d, s, x := v.ty(i, 0), v.ty(i, 1), v.ty(i, 2)
	switch {
	case d.IsVector():
		v.errInstr(i, "Destination type must be a scalar or pointer")
	case !s.IsVector():
		v.errInstr(i, "First source must be a vector")
	case d != s.Elem():
		v.errInstr(i, "Destination type must match the element type of the source vector")
	case x.IsVector() || anyPointer(x):
		v.errInstr(i, "Index type must be an integer")
	}
}

func (v *Verifier) ruleInsertElt(i mir.InstrID) {
	d, e, x := v.ty(i, 0), v.ty(i, 2), v.ty(i, 3)
	switch {
	case !d.IsVector():
		v.errInstr(i, "Destination type must be a vector")
	case v.ty(i, 1) != d:
		v.errInstr(i, "Destination type and vector type must match")
	case e.IsVector():
		v.errInstr(i, "Inserted element must be a scalar or pointer")
	case e != d.Elem():
		v.errInstr(i, "Inserted element type must match the element type of the vector")
	case x.IsVector() || anyPointer(x):
		v.errInstr(i, "Index type must be an integer")
	}
}

func (v *Verifier) ruleVScale(i mir.InstrID) {
	o := v.f.Op(i, 1)
	if o.Kind() != mir.OpCImm {
		v.errInstr(i, "G_VSCALE operand must be cimm")
		return
	}
	if v.isZero(o) {
		v.errInstr(i, "G_VSCALE immediate cannot be zero")
	}
}

func (v *Verifier) isZero(o *mir.Operand) bool {
	for _, w := range v.f.CImms[o.Index()].Words {
		if w != 0 {
			return false
		}
	}
	return true
}

func (v *Verifier) ruleStepVector(i mir.InstrID) {
	o := v.f.Op(i, 1)
	switch {
	case o.Kind() != mir.OpCImm:
		v.errInstr(i, "operand must be cimm")
		return
	case v.isZero(o):
		v.errInstr(i, "step must be > 0")
		return
	}
	if !v.ty(i, 0).IsScalable() {
		v.errInstr(i, "Destination type must be a scalable vector")
	}
}

func (v *Verifier) ruleSeqReduce(i mir.InstrID) {
	if v.ty(i, 0).IsVector() {
		v.errInstr(i, "Vector reduction requires a scalar destination type")
	}
	if v.ty(i, 1).IsVector() {
		v.errInstr(i, "Sequential FADD/FMUL vector reduction requires a scalar 1st operand")
	}
	if !v.ty(i, 2).IsVector() {
		v.errInstr(i, "Sequential FADD/FMUL vector reduction must have a vector 2nd operand")
	}
}

func (v *Verifier) ruleReduce(i mir.InstrID) {
	if v.ty(i, 0).IsVector() {
		v.errInstr(i, "Vector reduction requires a scalar destination type")
	}
}

func (v *Verifier) ruleFPClass(i mir.InstrID) {
	d, s := v.ty(i, 0), v.ty(i, 1)
	if anyPointer(d) {
		v.errInstr(i, "Destination must be a scalar or vector of scalars")
		return
	}
	if anyPointer(s) {
		v.errInstr(i, "Source must be a scalar or vector of scalars")
		return
	}
	if !v.sameShape(i, d, s) {
		return
	}
	o := v.f.Op(i, 2)
	if !o.IsImm() {
		v.errInstr(i, "floating-point class set (operand 2) must be an immediate")
		return
	}
	if o.Imm() < 0 || o.Imm() > 0x3ff {
		v.errInstr(i, "Incorrect floating-point class set (operand 2)")
	}
}

func (v *Verifier) ruleJumpTable(i mir.InstrID) {
	if v.f.Op(i, 1).Kind() != mir.OpJTI {
		v.errInstr(i, "G_JUMP_TABLE source operand must be a jump table index")
	}
	if !v.ty(i, 0).IsPointer() {
		v.errInstr(i, "G_JUMP_TABLE dest operand must have a pointer type")
	}
}

func (v *Verifier) ruleBranchTable(i mir.InstrID) {
	if !v.ty(i, 0).IsPointer() {
		v.errInstr(i, "G_BRJT src operand 0 must be a pointer type")
	}
	if v.f.Op(i, 1).Kind() != mir.OpJTI {
		v.errInstr(i, "G_BRJT src operand 1 must be a jump table index")
	}
	if !v.ty(i, 2).IsScalar() {
		v.errInstr(i, "G_BRJT src operand 2 must be a scalar reg type")
	}
}

// mvtType is the low-level type of a value type, floats as integers of their
// size; 0 when it has none.
func mvtType(t desc.MVT) mir.LLT {
	if t.IsVector() {
		e := mvtType(t.Elem())
		switch {
		case e == 0:
			return 0
		case t.IsScalable():
			return mir.ScalableVector(t.Len(), e)
		case t.Len() == 1:
			return e
		}
		return mir.Vector(t.Len(), e)
	}
	if !t.IsInteger() && !t.IsFloat() || t.Bits() == 0 {
		return 0
	}
	return mir.Scalar(t.Bits())
}

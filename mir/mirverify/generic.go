package mirverify

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// checkGeneric checks an instruction of GlobalISel: kinds and types of its
// operands as declared, then the rules of its opcode.
func (v *Verifier) checkGeneric(i mir.InstrID, d *desc.InstrDesc) {
	f := v.f
	ops := f.Ops(i)
	if v.selected {
		v.errInstr(i, "Unexpected generic instruction in a Selected function")
	}
	if d.IsBranch() && !d.IsIndirectBranch() {
		if _, ok := branchTarget(ops); !ok {
			v.errInstr(i, "Branch instruction is missing a basic block operand or isIndirectBranch property")
		}
	}
	v.types = [6]mir.LLT{}
	for k := range min(len(ops), int(d.NumOperands)) {
		t := v.in.OperandInfos[int(d.OpInfo)+k].GenericTypeIndex()
		if t < 0 {
			continue
		}
		if !ops[k].IsReg() {
			v.errInstr(i, "generic instruction must use register operands")
			continue
		}
		switch ty := f.TypeOf(ops[k].Reg()); {
		case ty == 0:
			v.errOperand(i, k, "Generic instruction is missing a virtual register type")
		case v.types[t] == 0:
			v.types[t] = ty
		case v.types[t] != ty:
			v.errOperandTyped(i, k, "Type mismatch in generic instruction", true)
		}
	}
	for k := range ops {
		if ops[k].IsReg() && ops[k].Reg().IsPhysical() {
			v.errOperand(i, k, "Generic instruction cannot have physical register")
		}
	}
	if len(ops) >= int(d.NumOperands) {
		if rule := genericRules[f.Instr(i).Opcode]; rule != nil {
			rule(v, i)
		}
	}
}

// rule checks an instruction of one opcode, whose declared operands are all there.
type rule func(v *Verifier, i mir.InstrID)

// genericRules are the rules by opcode; opcodes without one have only what their declaration says.
var genericRules = [desc.FirstTargetOpcode]rule{
	desc.G_ASSERT_SEXT:              (*Verifier).ruleAssertExt,
	desc.G_ASSERT_ZEXT:              (*Verifier).ruleAssertExt,
	desc.G_ASSERT_ALIGN:             (*Verifier).ruleAssertAlign,
	desc.G_CONSTANT:                 (*Verifier).ruleConstant,
	desc.G_FCONSTANT:                (*Verifier).ruleConstant,
	desc.G_LOAD:                     (*Verifier).ruleLoadStore,
	desc.G_STORE:                    (*Verifier).ruleLoadStore,
	desc.G_SEXTLOAD:                 (*Verifier).ruleLoadStore,
	desc.G_ZEXTLOAD:                 (*Verifier).ruleLoadStore,
	desc.G_PHI:                      (*Verifier).rulePHI,
	desc.G_BITCAST:                  (*Verifier).ruleBitcast,
	desc.G_INTTOPTR:                 (*Verifier).rulePointerCast,
	desc.G_PTRTOINT:                 (*Verifier).rulePointerCast,
	desc.G_ADDRSPACE_CAST:           (*Verifier).rulePointerCast,
	desc.G_PTR_ADD:                  (*Verifier).rulePtrAdd,
	desc.G_PTRMASK:                  (*Verifier).rulePtrMask,
	desc.G_SEXT:                     (*Verifier).ruleExtTrunc,
	desc.G_ZEXT:                     (*Verifier).ruleExtTrunc,
	desc.G_ANYEXT:                   (*Verifier).ruleExtTrunc,
	desc.G_FPEXT:                    (*Verifier).ruleExtTrunc,
	desc.G_TRUNC:                    (*Verifier).ruleExtTrunc,
	desc.G_TRUNC_SSAT_S:             (*Verifier).ruleExtTrunc,
	desc.G_TRUNC_SSAT_U:             (*Verifier).ruleExtTrunc,
	desc.G_TRUNC_USAT_U:             (*Verifier).ruleExtTrunc,
	desc.G_FPTRUNC:                  (*Verifier).ruleExtTrunc,
	desc.G_SELECT:                   (*Verifier).ruleSelect,
	desc.G_MERGE_VALUES:             (*Verifier).ruleMerge,
	desc.G_UNMERGE_VALUES:           (*Verifier).ruleUnmerge,
	desc.G_BUILD_VECTOR:             (*Verifier).ruleBuildVector,
	desc.G_BUILD_VECTOR_TRUNC:       (*Verifier).ruleBuildVectorTrunc,
	desc.G_CONCAT_VECTORS:           (*Verifier).ruleConcat,
	desc.G_ICMP:                     (*Verifier).ruleCompare,
	desc.G_FCMP:                     (*Verifier).ruleCompare,
	desc.G_SCMP:                     (*Verifier).ruleThreeWay,
	desc.G_UCMP:                     (*Verifier).ruleThreeWay,
	desc.G_EXTRACT:                  (*Verifier).ruleExtract,
	desc.G_INSERT:                   (*Verifier).ruleInsert,
	desc.G_JUMP_TABLE:               (*Verifier).ruleJumpTable,
	desc.G_BRJT:                     (*Verifier).ruleBranchTable,
	desc.G_INTRINSIC:                (*Verifier).ruleIntrinsic,
	desc.G_INTRINSIC_W_SIDE_EFFECTS: (*Verifier).ruleIntrinsic,
	desc.G_INTRINSIC_CONVERGENT:     (*Verifier).ruleIntrinsic,
	desc.G_INTRINSIC_CONVERGENT_W_SIDE_EFFECTS: (*Verifier).ruleIntrinsic,
	desc.G_SEXT_INREG:                          (*Verifier).ruleSextInReg,
	desc.G_BSWAP:                               (*Verifier).ruleBswap,
	desc.G_VSCALE:                              (*Verifier).ruleVScale,
	desc.G_STEP_VECTOR:                         (*Verifier).ruleStepVector,
	desc.G_INSERT_SUBVECTOR:                    (*Verifier).ruleInsertSubvector,
	desc.G_EXTRACT_SUBVECTOR:                   (*Verifier).ruleExtractSubvector,
	desc.G_SHUFFLE_VECTOR:                      (*Verifier).ruleShuffle,
	desc.G_SPLAT_VECTOR:                        (*Verifier).ruleSplat,
	desc.G_EXTRACT_VECTOR_ELT:                  (*Verifier).ruleExtractElt,
	desc.G_INSERT_VECTOR_ELT:                   (*Verifier).ruleInsertElt,
	desc.G_DYN_STACKALLOC:                      (*Verifier).ruleStackAlloc,
	desc.G_MEMCPY:                              (*Verifier).ruleMemCopy,
	desc.G_MEMCPY_INLINE:                       (*Verifier).ruleMemCopy,
	desc.G_MEMMOVE:                             (*Verifier).ruleMemCopy,
	desc.G_BZERO:                               (*Verifier).ruleMemSet,
	desc.G_MEMSET:                              (*Verifier).ruleMemSet,
	desc.G_UBSANTRAP:                           (*Verifier).ruleUBSanTrap,
	desc.G_VECREDUCE_SEQ_FADD:                  (*Verifier).ruleSeqReduce,
	desc.G_VECREDUCE_SEQ_FMUL:                  (*Verifier).ruleSeqReduce,
	desc.G_VECREDUCE_FADD:                      (*Verifier).ruleReduce,
	desc.G_VECREDUCE_FMUL:                      (*Verifier).ruleReduce,
	desc.G_VECREDUCE_FMAX:                      (*Verifier).ruleReduce,
	desc.G_VECREDUCE_FMIN:                      (*Verifier).ruleReduce,
	desc.G_VECREDUCE_FMAXIMUM:                  (*Verifier).ruleReduce,
	desc.G_VECREDUCE_FMINIMUM:                  (*Verifier).ruleReduce,
	desc.G_VECREDUCE_ADD:                       (*Verifier).ruleReduce,
	desc.G_VECREDUCE_MUL:                       (*Verifier).ruleReduce,
	desc.G_VECREDUCE_AND:                       (*Verifier).ruleReduce,
	desc.G_VECREDUCE_OR:                        (*Verifier).ruleReduce,
	desc.G_VECREDUCE_XOR:                       (*Verifier).ruleReduce,
	desc.G_VECREDUCE_SMAX:                      (*Verifier).ruleReduce,
	desc.G_VECREDUCE_SMIN:                      (*Verifier).ruleReduce,
	desc.G_VECREDUCE_UMAX:                      (*Verifier).ruleReduce,
	desc.G_VECREDUCE_UMIN:                      (*Verifier).ruleReduce,
	desc.G_SBFX:                                (*Verifier).ruleBitField,
	desc.G_UBFX:                                (*Verifier).ruleBitField,
	desc.G_SHL:                                 (*Verifier).ruleShift,
	desc.G_LSHR:                                (*Verifier).ruleShift,
	desc.G_ASHR:                                (*Verifier).ruleShift,
	desc.G_ROTR:                                (*Verifier).ruleShift,
	desc.G_ROTL:                                (*Verifier).ruleShift,
	desc.G_LROUND:                              (*Verifier).ruleRound,
	desc.G_LLROUND:                             (*Verifier).ruleRound,
	desc.G_SMIN:                                (*Verifier).ruleMinMax,
	desc.G_SMAX:                                (*Verifier).ruleMinMax,
	desc.G_UMIN:                                (*Verifier).ruleMinMax,
	desc.G_UMAX:                                (*Verifier).ruleMinMax,
	desc.G_PREFETCH:                            (*Verifier).rulePrefetch,
	desc.G_IS_FPCLASS:                          (*Verifier).ruleFPClass,
}

// ty is the type of operand n, 0 when it has none.
func (v *Verifier) ty(i mir.InstrID, n int) mir.LLT {
	if o := v.f.Op(i, n); o.IsReg() {
		return v.f.TypeOf(o.Reg())
	}
	return 0
}

func anyPointer(t mir.LLT) bool { return t.IsPointerOrVector() }

// sameCount reports equal numbers of elements, both fixed or both scalable.
func sameCount(a, b mir.LLT) bool {
	return a.NumElems() == b.NumElems() && a.IsScalable() == b.IsScalable()
}

// sameShape reports two scalars or two vectors of the same length, and a fault otherwise.
func (v *Verifier) sameShape(i mir.InstrID, a, b mir.LLT) bool {
	if a.IsVector() != b.IsVector() {
		v.errInstr(i, "operand types must be all-vector or all-scalar")
		return false
	}
	if a.IsVector() && !sameCount(a, b) {
		v.errInstr(i, "operand types must preserve number of vector elements")
		return false
	}
	return true
}

// knownGE reports that a is at least b whatever vscale is; knownGT greater.
func knownGE(a, b size) bool { return a.bits >= b.bits && (a.scalable || !b.scalable) }
func knownGT(a, b size) bool { return a.bits > b.bits && (a.scalable || !b.scalable) }

func (v *Verifier) ruleAssertExt(i mir.InstrID) {
	f := v.f
	name := v.in.OpcodeName(f.Instr(i).Opcode)
	if !f.Op(i, 2).IsImm() {
		v.errInstr(i, name+" expects an immediate operand #2")
		return
	}
	n := f.Op(i, 2).Imm()
	switch st := v.ty(i, 1); {
	case n < 1:
		v.errInstr(i, name+" size must be >= 1")
	case n >= int64(st.ScalarBits()):
		v.errInstr(i, name+" size must be less than source bit width")
	}
	if !f.Op(i, 0).IsReg() || !f.Op(i, 1).IsReg() || !f.Op(i, 0).Reg().IsVirtual() || !f.Op(i, 1).Reg().IsVirtual() {
		return
	}
	d, s := f.VReg(f.Op(i, 0).Reg()), f.VReg(f.Op(i, 1).Reg())
	db, sb := v.bankOf(d), v.bankOf(s)
	switch {
	case db >= 0 && db != sb:
		v.errInstr(i, name+" cannot change register bank")
	case d.Class >= 0 && d.Class != s.Class:
		v.errInstr(i, name+" source and destination register classes must match")
	}
}

// bankOf is the bank of a register, of its class when it has one; -1 for none.
func (v *Verifier) bankOf(r *mir.VRegInfo) int {
	if r.Class < 0 {
		return int(r.Bank)
	}
	for k := range v.in.Banks {
		if v.in.BankCovers(desc.BankID(k), desc.ClassID(r.Class)) {
			return k
		}
	}
	return -1
}

func (v *Verifier) ruleAssertAlign(i mir.InstrID) {
	if o := v.f.Op(i, 2); !o.IsImm() {
		v.errInstr(i, "alignment must be an immediate")
	} else if o.Imm() < 1 {
		v.errInstr(i, "alignment immediate must be >= 1")
	}
}

func (v *Verifier) ruleConstant(i mir.InstrID) {
	f := v.f
	t := v.ty(i, 0)
	if t.IsVector() {
		v.errInstr(i, "Instruction cannot use a vector result type")
	}
	o := f.Op(i, 1)
	bits := 0
	if f.Instr(i).Opcode == desc.G_CONSTANT {
		if o.Kind() != mir.OpCImm {
			v.errInstr(i, "G_CONSTANT operand must be cimm")
			return
		}
		bits = f.CImms[o.Index()].Bits
	} else {
		if o.Kind() != mir.OpFPImm {
			v.errInstr(i, "G_FCONSTANT operand must be fpimm")
			return
		}
		if bits = v.fpBits(&f.FPImms[o.Index()]); bits == 0 {
			return
		}
	}
	if bits != t.Bits() {
		v.errInstr(i, "inconsistent constant size")
	}
}

func (v *Verifier) rulePHI(i mir.InstrID) {
	t := v.ty(i, 0)
	bad := t == 0
	for k := 1; k < v.f.Instr(i).NumOps(); k++ {
		bad = bad || v.f.Op(i, k).IsReg() && v.ty(i, k) != t
	}
	if bad {
		v.errInstr(i, "Generic Instruction G_PHI has operands with incompatible/missing types")
	}
}

func (v *Verifier) ruleBitcast(i mir.InstrID) {
	d, s := v.ty(i, 0), v.ty(i, 1)
	if d == 0 || s == 0 {
		return
	}
	if d.IsPointer() != s.IsPointer() {
		v.errInstr(i, "bitcast cannot convert between pointers and other types")
	}
	if typeSize(d) != typeSize(s) {
		v.errInstr(i, "bitcast sizes must match")
	}
	if d == s {
		v.errInstr(i, "bitcast must change the type")
	}
}

func (v *Verifier) rulePointerCast(i mir.InstrID) {
	d, s := v.ty(i, 0), v.ty(i, 1)
	if d == 0 || s == 0 {
		return
	}
	v.sameShape(i, d, s)
	switch v.f.Instr(i).Opcode {
	case desc.G_INTTOPTR:
		if !anyPointer(d) {
			v.errInstr(i, "inttoptr result type must be a pointer")
		}
		if anyPointer(s) {
			v.errInstr(i, "inttoptr source type must not be a pointer")
		}
	case desc.G_PTRTOINT:
		if !anyPointer(s) {
			v.errInstr(i, "ptrtoint source type must be a pointer")
		}
		if anyPointer(d) {
			v.errInstr(i, "ptrtoint result type must not be a pointer")
		}
	case desc.G_ADDRSPACE_CAST:
		if !anyPointer(d) || !anyPointer(s) {
			v.errInstr(i, "addrspacecast types must be pointers")
		} else if d.AddrSpace() == s.AddrSpace() {
			v.errInstr(i, "addrspacecast must convert different address spaces")
		}
	}
}

func (v *Verifier) rulePtrAdd(i mir.InstrID) {
	d, p, o := v.ty(i, 0), v.ty(i, 1), v.ty(i, 2)
	if d == 0 || p == 0 || o == 0 {
		return
	}
	if !anyPointer(p) {
		v.errInstr(i, "gep first operand must be a pointer")
	}
	if anyPointer(o) {
		v.errInstr(i, "gep offset operand must not be a pointer")
	}
	if anyPointer(p) {
		if n := v.indexBits(p); n != 0 && o.ScalarBits() != n {
			v.errInstr(i, "gep offset operand must match index size for address space")
		}
	}
}

func (v *Verifier) rulePtrMask(i mir.InstrID) {
	d, s, m := v.ty(i, 0), v.ty(i, 1), v.ty(i, 2)
	if d == 0 || s == 0 || m == 0 {
		return
	}
	if !anyPointer(d) {
		v.errInstr(i, "ptrmask result type must be a pointer")
	}
	if anyPointer(m) {
		v.errInstr(i, "ptrmask mask type must be an integer")
	}
	v.sameShape(i, d, m)
}

func (v *Verifier) ruleExtTrunc(i mir.InstrID) {
	d, s := v.ty(i, 0), v.ty(i, 1)
	if d == 0 || s == 0 {
		return
	}
	if anyPointer(d) || anyPointer(s) {
		v.errInstr(i, "Generic extend/truncate can not operate on pointers")
	}
	v.sameShape(i, d, s)
	switch v.f.Instr(i).Opcode {
	case desc.G_SEXT, desc.G_ZEXT, desc.G_ANYEXT, desc.G_FPEXT:
		if d.ScalarBits() <= s.ScalarBits() {
			v.errInstr(i, "Generic extend has destination type no larger than source")
		}
	default:
		if d.ScalarBits() >= s.ScalarBits() {
			v.errInstr(i, "Generic truncate has destination type no smaller than source")
		}
	}
}

func (v *Verifier) ruleSelect(i mir.InstrID) {
	t, c := v.ty(i, 0), v.ty(i, 1)
	if t != 0 && c != 0 && c.IsVector() {
		v.sameShape(i, t, c)
	}
}

func (v *Verifier) ruleCompare(i mir.InstrID) {
	d, s := v.ty(i, 0), v.ty(i, 2)
	if d.IsVector() != s.IsVector() || d.IsVector() && !sameCount(d, s) {
		v.errInstr(i, "Generic vector icmp/fcmp must preserve number of lanes")
	}
}

func (v *Verifier) ruleThreeWay(i mir.InstrID) {
	d, s := v.ty(i, 0), v.ty(i, 1)
	switch {
	case anyPointer(s):
		v.errInstr(i, "Generic scmp/ucmp does not support pointers as operands")
	case anyPointer(d):
		v.errInstr(i, "Generic scmp/ucmp does not support pointers as a result")
	case d.ScalarBits() < 2:
		v.errInstr(i, "Result type must be at least 2 bits wide")
	case d.IsVector() != s.IsVector() || d.IsVector() && !sameCount(d, s):
		v.errInstr(i, "Generic vector scmp/ucmp must preserve number of lanes")
	}
}

func (v *Verifier) ruleMinMax(i mir.InstrID) {
	if anyPointer(v.ty(i, 0)) || anyPointer(v.ty(i, 1)) || anyPointer(v.ty(i, 2)) {
		v.errInstr(i, "Generic smin/smax/umin/umax does not support pointer operands")
	}
}

func (v *Verifier) ruleRound(i mir.InstrID) {
	d, s := v.ty(i, 0), v.ty(i, 1)
	if d == 0 || s == 0 {
		return
	}
	if anyPointer(s) || anyPointer(d) {
		v.errInstr(i, map[bool]string{true: "Source", false: "Destination"}[anyPointer(s)]+" operand must not be a pointer type")
		return
	}
	v.sameShape(i, d, s)
}

func (v *Verifier) ruleShift(i mir.InstrID) {
	if a, b := v.ty(i, 1), v.ty(i, 2); a.IsVector() != b.IsVector() {
		v.errInstr(i, "Shifts and rotates require operands to be either all scalars or all vectors")
	}
}

func (v *Verifier) ruleBitField(i mir.InstrID) {
	if v.ty(i, 0).IsVector() {
		v.errInstr(i, "Bitfield extraction is not supported on vectors")
	}
}

func (v *Verifier) ruleBswap(i mir.InstrID) {
	if v.ty(i, 0).ScalarBits()%16 != 0 {
		v.errInstr(i, "G_BSWAP size must be a multiple of 16 bits")
	}
}

func (v *Verifier) ruleSextInReg(i mir.InstrID) {
	if !v.f.Op(i, 2).IsImm() {
		v.errInstr(i, "G_SEXT_INREG expects an immediate operand #2")
		return
	}
	switch n := v.f.Op(i, 2).Imm(); {
	case n < 1:
		v.errInstr(i, "G_SEXT_INREG size must be >= 1")
	case n >= int64(v.ty(i, 1).ScalarBits()):
		v.errInstr(i, "G_SEXT_INREG size must be less than source bit width")
	}
}

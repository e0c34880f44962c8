package legal

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// Generic code has one type for integers and floating-point numbers of a width. Where
// these have different registers what is done to a value tells which it is.

// maxFloatDepth is through how many instructions that carry a value it is followed, and
// maxFloatUsers how many of its users are looked at.
const (
	maxFloatDepth = 4
	maxFloatUsers = 8
)

// carries reports opcodes that do as well for the one as for the other.
func carries(op desc.Opcode) bool {
	switch op {
	case desc.G_LOAD, desc.G_STORE, desc.G_PHI, desc.G_SELECT, desc.G_FREEZE, desc.G_IMPLICIT_DEF:
		return true
	}
	return false
}

// makesFloat and takesFloat report instructions whose result, or operand n, is a
// floating-point number.
func makesFloat(op desc.Opcode) bool {
	switch op {
	case desc.G_FADD, desc.G_FSUB, desc.G_FMUL, desc.G_FDIV, desc.G_FREM, desc.G_FMA, desc.G_FNEG, desc.G_FABS, desc.G_FSQRT,
		desc.G_STRICT_FADD, desc.G_STRICT_FSUB, desc.G_STRICT_FMUL, desc.G_STRICT_FDIV, desc.G_STRICT_FREM, desc.G_STRICT_FMA, desc.G_STRICT_FSQRT,
		desc.G_FCONSTANT, desc.G_FPEXT, desc.G_FPTRUNC, desc.G_SITOFP, desc.G_UITOFP, desc.G_FMINNUM, desc.G_FMAXNUM,
		desc.G_FFLOOR, desc.G_FCEIL, desc.G_INTRINSIC_TRUNC, desc.G_INTRINSIC_ROUND, desc.G_INTRINSIC_ROUNDEVEN, desc.G_FRINT, desc.G_FNEARBYINT,
		desc.G_EXTRACT_VECTOR_ELT:
		return true
	}
	return false
}

func takesFloat(op desc.Opcode, n int) bool {
	switch op {
	case desc.G_FCMP:
		return n >= 2
	case desc.G_FPTOSI, desc.G_FPTOUI, desc.G_INTRINSIC_LRINT, desc.G_INTRINSIC_LLRINT, desc.G_LROUND, desc.G_LLROUND, desc.G_BUILD_VECTOR, desc.G_INSERT_VECTOR_ELT:
		return n >= 1
	case desc.G_FCONSTANT, desc.G_SITOFP, desc.G_UITOFP, desc.G_EXTRACT_VECTOR_ELT:
		return false
	}
	return n >= 1 && makesFloat(op)
}

// isFloat reports a value that is made as a floating-point number, or used as one, or
// that goes from memory to memory alone.
func isFloat(f *mir.Function, r mir.Reg, depth int) bool {
	if !r.IsVirtual() {
		return false
	}
	d := f.UniqueDef(r)
	if d == 0 {
		return false
	}
	loaded := false
	switch op := f.Instr(d).Opcode; {
	case makesFloat(op):
		return true
	case op == desc.COPY:
		if s := f.Op(d, 1).Reg(); !s.IsVirtual() || f.TypeOf(s) != f.TypeOf(r) {
			return true // no register for integers holds it
		} else if depth > 0 && isFloat(f, s, depth-1) {
			return true
		}
	case op == desc.G_LOAD:
		loaded = true
	case op == desc.G_IMPLICIT_DEF:
	case !carries(op):
		return false
	case depth > 0:
		for n := 1; n < f.Instr(d).NumOps(); n++ {
			if o := f.Op(d, n); o.IsReg() && f.TypeOf(o.Reg()) == f.TypeOf(r) && makesFloat(defOp(f, o.Reg())) {
				return true
			}
		}
	}
	stored := 0
	users := 0
	for u, n := range f.NonDebugUses(r) {
		if users++; users > maxFloatUsers {
			return false
		}
		switch op := f.Instr(u).Opcode; {
		case takesFloat(op, n):
			return true
		case op == desc.G_STORE:
			stored++
		case op == desc.COPY:
			if d := f.Op(u, 0).Reg(); d.IsPhysical() || f.TypeOf(d) == f.TypeOf(r) && depth > 0 && usedAsFloat(f, d, depth-1) {
				return true
			}
		case (op == desc.G_PHI || op == desc.G_SELECT || op == desc.G_FREEZE) && depth > 0:
			if usedAsFloat(f, f.Op(u, 0).Reg(), depth-1) {
				return true
			}
		}
	}
	return loaded && stored == users
}

func defOp(f *mir.Function, r mir.Reg) desc.Opcode {
	if d := f.UniqueDef(r); d != 0 {
		return f.Instr(d).Opcode
	}
	return 0
}

// usedAsFloat reports a value that an instruction takes as a floating-point number.
func usedAsFloat(f *mir.Function, r mir.Reg, depth int) bool {
	users := 0
	for u, n := range f.NonDebugUses(r) {
		if users++; users > maxFloatUsers {
			return false
		}
		switch op := f.Instr(u).Opcode; {
		case takesFloat(op, n):
			return true
		case (op == desc.G_PHI || op == desc.G_SELECT || op == desc.G_FREEZE || op == desc.COPY) && depth > 0:
			if d := f.Op(u, 0).Reg(); d.IsVirtual() && usedAsFloat(f, d, depth-1) {
				return true
			}
		}
	}
	return false
}

package mirverify

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/intrin"
	"github.com/mirin-go/mirin/mir"
)

// Rules of opcodes that touch memory or call intrinsics.

// memSize is the size of an access in bits, 0 when it is not known.
func memSize(m *mir.MemOperand) size {
	if m.Type != 0 {
		return typeSize(m.Type)
	}
	if m.Size == mir.UnknownSize {
		return size{}
	}
	return size{int(m.Size) * 8, m.ScalableSize}
}

func bytesUp(s size) size { return size{(s.bits + 7) / 8, s.scalable} }

func (v *Verifier) ruleLoadStore(i mir.InstrID) {
	f := v.f
	op := f.Instr(i).Opcode
	t := v.ty(i, 0)
	if p := v.ty(i, 1); !p.IsPointer() {
		v.errInstr(i, "Generic memory instruction must access a pointer")
	}
	if f.NumMem(i) != 1 {
		v.errInstr(i, "Generic instruction accessing memory must have one mem operand")
		return
	}
	m := f.MemOf(i, 0)
	have, want := memSize(m), typeSize(t)
	known := have.bits != 0 || m.Size == 0
	switch op {
	case desc.G_SEXTLOAD, desc.G_ZEXTLOAD:
		if known && knownGE(have, want) {
			v.errInstr(i, "Generic extload must have a narrower memory type")
		}
	case desc.G_LOAD:
		if known && knownGT(bytesUp(have), bytesUp(want)) {
			v.errInstr(i, "load memory size cannot exceed result size")
		}
		if m.Ranges != 0 && !v.rangeFits(m, t) {
			v.errInstr(i, "range is incompatible with the result type")
		}
	case desc.G_STORE:
		if known && knownGT(bytesUp(have), bytesUp(want)) {
			v.errInstr(i, "store memory size cannot exceed value size")
		}
	}
	switch {
	case op == desc.G_STORE && (m.Order == ir.Acquire || m.Order == ir.AcqRel):
		v.errInstr(i, "atomic store cannot use acquire ordering")
	case op != desc.G_STORE && (m.Order == ir.Release || m.Order == ir.AcqRel):
		v.errInstr(i, "atomic load cannot use release ordering")
	}
}

// rangeFits compares the type of !range metadata with memory and result.
func (v *Verifier) rangeFits(m *mir.MemOperand, t mir.LLT) bool {
	bits := v.rangeBits(m.Ranges)
	if bits == 0 {
		return true
	}
	mem := m.Type
	if mem == 0 {
		return true
	}
	if mem.Elem() != mir.Scalar(bits) || anyPointer(mem) {
		return false
	}
	// A load may extend the value; its shape is that of memory.
	return !anyPointer(t) && t.IsVector() == mem.IsVector() && t.NumElems() == mem.NumElems()
}

// ruleMemCopy checks memcpy, memcpy.inline and memmove.
func (v *Verifier) ruleMemCopy(i mir.InstrID) {
	f := v.f
	if f.NumMem(i) != 2 {
		v.errInstr(i, "memcpy/memmove must have 2 memory operands")
		return
	}
	st, ld := f.MemOf(i, 0), f.MemOf(i, 1)
	if st.Flags&mir.MemStore == 0 || st.Flags&mir.MemLoad != 0 || ld.Flags&mir.MemLoad == 0 || ld.Flags&mir.MemStore != 0 {
		v.errInstr(i, "wrong memory operand types")
		return
	}
	if memSize(st) != memSize(ld) {
		v.errInstr(i, "inconsistent memory operand sizes")
	}
	dt, s := v.ty(i, 0), v.ty(i, 1)
	if !dt.IsPointer() || !s.IsPointer() {
		v.errInstr(i, "memory instruction operand must be a pointer")
		return
	}
	if dt.AddrSpace() != st.AddrSpace {
		v.errInstr(i, "inconsistent store address space")
	}
	if s.AddrSpace() != ld.AddrSpace {
		v.errInstr(i, "inconsistent load address space")
	}
	if f.Instr(i).Opcode == desc.G_MEMCPY_INLINE {
		return
	}
	if o := f.Op(i, 3); !o.IsImm() || uint64(o.Imm()) > 1 {
		v.errInstr(i, "'tail' flag (operand 3) must be an immediate 0 or 1")
	}
}

// ruleMemSet checks memset and bzero.
func (v *Verifier) ruleMemSet(i mir.InstrID) {
	f := v.f
	name := "memset"
	if f.Instr(i).Opcode == desc.G_BZERO {
		name = "bzero"
	}
	if f.NumMem(i) != 1 {
		v.errInstr(i, name+" must have 1 memory operand")
		return
	}
	m := f.MemOf(i, 0)
	if m.Flags&mir.MemLoad != 0 {
		v.errInstr(i, name+" memory operand must be a store")
		return
	}
	if t := v.ty(i, 0); !t.IsPointer() {
		v.errInstr(i, name+" operand must be a pointer")
		return
	} else if t.AddrSpace() != m.AddrSpace {
		v.errInstr(i, "inconsistent "+name+" address space")
	}
	if o := f.Op(i, f.Instr(i).NumOps()-1); !o.IsImm() || uint64(o.Imm()) > 1 {
		v.errInstr(i, "'tail' flag (last operand) must be an immediate 0 or 1")
	}
}

func (v *Verifier) ruleUBSanTrap(i mir.InstrID) {
	switch o := v.f.Op(i, 0); {
	case !o.IsImm():
		v.errOperand(i, 0, "Crash kind must be an immediate")
	case uint64(o.Imm()) > 255:
		v.errOperand(i, 0, "Crash kind must be 8 bit wide")
	}
}

func (v *Verifier) ruleStackAlloc(i mir.InstrID) {
	if !v.ty(i, 0).IsPointer() {
		v.errInstr(i, "dst operand 0 must be a pointer type")
		return
	}
	if o := v.f.Op(i, 1); !o.IsReg() || !v.ty(i, 1).IsScalar() {
		v.errInstr(i, "src operand 1 must be a scalar reg type")
		return
	}
	if !v.f.Op(i, 2).IsImm() {
		v.errInstr(i, "src operand 2 must be an immediate type")
	}
}

func (v *Verifier) rulePrefetch(i mir.InstrID) {
	f := v.f
	if !f.Op(i, 0).IsReg() || !v.ty(i, 0).IsPointer() {
		v.errOperand(i, 0, "addr operand must be a pointer")
		return
	}
	bad := func(n int, most uint64) bool { o := f.Op(i, n); return !o.IsImm() || uint64(o.Imm()) > most }
	switch {
	case bad(1, 1):
		v.errOperand(i, 1, "rw operand must be an immediate 0-1")
	case bad(2, 3):
		v.errOperand(i, 2, "locality operand must be an immediate 0-3")
	case bad(3, 1):
		v.errOperand(i, 3, "cache type operand must be an immediate 0-1")
	}
}

// ruleIntrinsic compares the opcode of an intrinsic call with what is known of
// the intrinsic.
func (v *Verifier) ruleIntrinsic(i mir.InstrID) {
	f := v.f
	ops := f.Ops(i)
	n := 0
	for n < len(ops) && ops[n].IsDef() && !ops[n].IsImplicit() {
		n++
	}
	if n == len(ops) || ops[n].Kind() != mir.OpIntrinsicID {
		v.errInstr(i, "G_INTRINSIC first src operand must be an intrinsic ID")
		return
	}
	id := intrin.Of(ops[n].Intrinsic())
	if id == 0 {
		return
	}
	op := f.Instr(i).Opcode
	name := v.in.OpcodeName(op)
	effects, convergent := id.Effects()
	quiet := op == desc.G_INTRINSIC || op == desc.G_INTRINSIC_CONVERGENT
	switch {
	case quiet && effects:
		v.errInstr(i, name+" used with intrinsic that accesses memory")
		return
	case !quiet && !effects:
		v.errInstr(i, name+" used with readnone intrinsic")
		return
	}
	calm := op == desc.G_INTRINSIC || op == desc.G_INTRINSIC_W_SIDE_EFFECTS
	switch {
	case calm && convergent:
		v.errInstr(i, name+" used with a convergent intrinsic")
	case !calm && !convergent:
		v.errInstr(i, name+" used with a non-convergent intrinsic")
	}
}

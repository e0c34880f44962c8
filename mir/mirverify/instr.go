package mirverify

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

func isGeneric(op desc.Opcode, d *desc.InstrDesc) bool {
	return op < desc.FirstTargetOpcode && d.IsPreISel()
}

// checkInstr checks an instruction as a whole.
func (v *Verifier) checkInstr(i mir.InstrID) {
	f := v.f
	in := f.Instr(i)
	d := f.Desc(i)
	if in.NumOps() < int(d.NumOperands) {
		v.errInstr(i, "Too few operands")
		v.rep.note(itoa(int(d.NumOperands)), " operands expected, but ", itoa(in.NumOps()), " given.")
	}
	if in.Flags()&mir.NoConvergent != 0 && !d.IsConvergent() {
		v.errInstr(i, "NoConvergent flag expected only on convergent instructions.")
	}
	if f.IsPHI(i) {
		if f.Props&mir.NoPHIs != 0 {
			v.errInstr(i, "Found PHI instruction with NoPHIs property set")
		}
		if v.firstNonPHI != 0 {
			v.errInstr(i, "Found PHI instruction after non-PHI")
		}
	} else if v.firstNonPHI == 0 {
		v.firstNonPHI = i
	}
	if in.Opcode == desc.INLINEASM || in.Opcode == desc.INLINEASM_BR {
		v.checkInlineAsm(i)
	}
	if in.Opcode == desc.DBG_VALUE && in.NumOps() == 4 && in.Loc == 0 {
		v.errInstr(i, "Missing DebugLoc for debug instruction")
	}
	if f.HasExtra(i) {
		v.checkNumber(i, d, f.Extra(i).Number)
	}
	v.checkMem(i, d)
	if isControl(in.Opcode) {
		v.conv.seen = true
	}
	if isGeneric(in.Opcode, d) {
		v.checkGeneric(i, d)
		return
	}
	if v.o.Target != nil {
		if msg := v.o.Target(f, i); msg != "" {
			v.errInstr(i, msg)
		}
	} else if msg := v.targetRule(i); msg != "" {
		v.errInstr(i, msg)
	}
	switch in.Opcode {
	case desc.COPY:
		if in.NumOps() >= 2 {
			v.checkCopy(i)
		}
	case desc.COPY_LANEMASK:
		if in.NumOps() >= 3 {
			v.checkCopyLanes(i)
		}
	case desc.REG_SEQUENCE:
		v.checkRegSequence(i)
	case desc.INSERT_SUBREG:
		if in.NumOps() >= 4 {
			v.checkInsertSubReg(i)
		}
	case desc.STATEPOINT:
		v.checkStatepoint(i)
	}
}

func (v *Verifier) checkNumber(i mir.InstrID, d *desc.InstrDesc, n uint32) {
	if n == 0 {
		return
	}
	if d.IsMeta() {
		v.errInstr(i, "Metadata instruction should not have a value tracking number")
	}
	v.numbered = append(v.numbered, i)
}

// checkNumbers looks for debug instruction numbers that two instructions have;
// LLVM does so in functions with a subprogram.
func (v *Verifier) checkNumbers() {
	if len(v.numbered) < 2 || !v.hasSubprogram() {
		return
	}
	seen := make(map[uint32]bool, len(v.numbered))
	for _, i := range v.numbered {
		n := v.f.Extra(i).Number
		if seen[n] {
			v.errInstr(i, "Instruction has a duplicated value tracking number")
		}
		seen[n] = true
	}
}

func (v *Verifier) mayLoadStore(i mir.InstrID, d *desc.InstrDesc) (load, store bool) {
	f := v.f
	in := f.Instr(i)
	load, store = d.MayLoad(), d.MayStore()
	switch in.Opcode {
	case desc.INLINEASM, desc.INLINEASM_BR:
		if in.NumOps() > 1 && f.Op(i, 1).IsImm() {
			fl := f.Op(i, 1).Imm()
			load, store = load || fl&mir.AsmMayLoad != 0, store || fl&mir.AsmMayStore != 0
		}
	case desc.BUNDLE:
		for k := range f.InBundle(i) {
			if k != i {
				l, s := v.mayLoadStore(k, f.Desc(k))
				load, store = load || l, store || s
			}
		}
	}
	return load, store
}

// checkMem compares memory operands with what the opcode may do.
func (v *Verifier) checkMem(i mir.InstrID, d *desc.InstrDesc) {
	n := v.f.NumMem(i)
	if n == 0 {
		return
	}
	load, store := v.mayLoadStore(i, d)
	if load && store {
		return
	}
	for k := range n {
		fl := v.f.MemOf(i, k).Flags
		if fl&mir.MemLoad != 0 && !load {
			v.errInstr(i, "Missing mayLoad flag")
		}
		if fl&mir.MemStore != 0 && !store {
			v.errInstr(i, "Missing mayStore flag")
		}
	}
}

func (v *Verifier) checkInlineAsm(i mir.InstrID) {
	f := v.f
	ops := f.Ops(i)
	if len(ops) < mir.AsmFirstGroup {
		v.errInstr(i, "Too few operands on inline asm")
		return
	}
	if ops[0].Kind() != mir.OpExtSym {
		v.errInstr(i, "Asm string must be an external symbol")
	}
	if !ops[1].IsImm() {
		v.errInstr(i, "Asm flags must be an immediate")
	} else if ops[1].Imm()&^mir.AsmAllFlags != 0 {
		v.errOperand(i, 1, "Unknown asm flags")
	}
	k := mir.AsmFirstGroup
	for k < len(ops) && ops[k].IsImm() {
		k = mir.AsmGroupAfter(ops, k)
	}
	if k > len(ops) {
		v.errInstr(i, "Missing operands in last group")
	}
	if k < len(ops) && ops[k].Kind() == mir.OpMetadata {
		k++
	}
	for ; k < len(ops); k++ {
		if !ops[k].IsReg() || !ops[k].IsImplicit() {
			v.errOperand(i, k, "Expected implicit register after groups")
		}
	}
	if f.Instr(i).Opcode != desc.INLINEASM_BR {
		return
	}
	b := f.Instr(i).Block()
	for k := mir.AsmFirstGroup; k < len(ops); k++ {
		if ops[k].Kind() != mir.OpMBB {
			continue
		}
		t := ops[k].Block()
		if !f.HasSucc(b, t) {
			v.errInstr(i, "INLINEASM_BR indirect target missing from successor list")
		}
		if !f.HasSucc(b, t) {
			v.errInstr(i, "INLINEASM_BR indirect target predecessor list missing parent")
		}
	}
}

// size is a number of bits, of a scalable type times the machine's factor.
type size struct {
	bits     int
	scalable bool
}

func (s size) String() string {
	if s.scalable {
		return "vscale x " + itoa(s.bits)
	}
	return itoa(s.bits)
}

func typeSize(t mir.LLT) size { return size{t.Bits(), t.IsScalable()} }

// regSize returns the width of a register in bits. A physical register has the
// width of type t (0: none) when a class that it is in can hold that type.
func (v *Verifier) regSize(r mir.Reg, t mir.LLT) size {
	if r.IsVirtual() {
		vr := v.f.VReg(r)
		if vr.Type != 0 {
			return typeSize(vr.Type)
		}
		if vr.Class >= 0 {
			return size{bits: v.classBits(desc.ClassID(vr.Class))}
		}
		return size{}
	}
	if t != 0 && v.minimalClass(r, t) != desc.NoClass {
		return typeSize(t)
	}
	if c := v.minimalClass(r, 0); c != desc.NoClass {
		return size{bits: v.classBits(c)}
	}
	return size{}
}

func (v *Verifier) classBits(c desc.ClassID) int {
	if n := v.in.ClassSize(c, v.mode).RegSize; n != 0 {
		return int(n)
	}
	return int(v.in.Classes[c].SizeInBits)
}

// minimalClass is the smallest class with register r that holds values of type t.
func (v *Verifier) minimalClass(r mir.Reg, t mir.LLT) desc.ClassID {
	in := v.in
	best := desc.NoClass
	for c := range in.Classes {
		id := desc.ClassID(c)
		if !in.ClassContains(id, desc.PhysReg(r)) || t != 0 && !v.classHolds(id, t) {
			continue
		}
		if best == desc.NoClass || best != id && in.HasSubClassEq(best, id) {
			best = id
		}
	}
	return best
}

func (v *Verifier) classHolds(c desc.ClassID, t mir.LLT) bool {
	for _, vt := range v.in.ClassTypes(c, v.mode) {
		if mvtType(vt) == t {
			return true
		}
	}
	return false
}

// checkCopy compares types and sizes of a copy's two sides.
func (v *Verifier) checkCopy(i mir.InstrID) {
	f := v.f
	d, s := f.Op(i, 0), f.Op(i, 1)
	if !d.IsReg() || !s.IsReg() {
		return
	}
	dt, st := f.TypeOf(d.Reg()), f.TypeOf(s.Reg())
	switch {
	case dt != 0 && st != 0:
		if dt != st {
			v.errInstr(i, "Copy Instruction is illegal with mismatching types")
			v.rep.note("Def = ", dt.String(), ", Src = ", st.String())
		}
		return
	case dt == 0 && st == 0:
		return
	}
	ds, ss := v.regSize(d.Reg(), st), v.regSize(s.Reg(), dt)
	// A scalable type may be copied to and from a register of fixed size.
	if ds.scalable != ss.scalable || ds.bits == 0 || ss.bits == 0 {
		return
	}
	if ds != ss && d.SubReg() == 0 && s.SubReg() == 0 {
		v.errInstr(i, "Copy Instruction is illegal with mismatching sizes")
		v.rep.note("Def Size = ", ds.String(), ", Src Size = ", ss.String())
	}
}

func (v *Verifier) checkCopyLanes(i mir.InstrID) {
	f := v.f
	d, s, m := f.Op(i, 0), f.Op(i, 1), f.Op(i, 2)
	if s.SubReg() != 0 {
		v.errOperand(i, 1, "COPY_LANEMASK must not use a subregister index")
	}
	if d.SubReg() != 0 {
		v.errOperand(i, 0, "COPY_LANEMASK must not use a subregister index")
	}
	if m.Kind() != mir.OpLaneMask || !s.IsReg() {
		return
	}
	lanes := desc.LaneMask(m.Imm())
	if lanes == 0 {
		v.errInstr(i, "COPY_LANEMASK must read at least one lane")
		return
	}
	var max desc.LaneMask
	if r := s.Reg(); r.IsPhysical() {
		if c := v.minimalClass(r, 0); c != desc.NoClass {
			max = v.in.Classes[c].Lanes
		}
	} else if c := f.VReg(r).Class; c >= 0 {
		max = v.in.Classes[c].Lanes
	}
	if s.SubReg() == 0 && lanes == max {
		v.errInstr(i, "COPY_LANEMASK cannot be used to do full copy")
	}
	if lanes&^max != 0 {
		v.errInstr(i, "COPY_LANEMASK attempts to read from the lanes that don't exist in the source register")
	}
}

func (v *Verifier) checkRegSequence(i mir.InstrID) {
	ops := v.f.Ops(i)
	if len(ops) == 0 || len(ops)%2 == 0 {
		v.errInstr(i, "Invalid number of operands for REG_SEQUENCE")
		return
	}
	for k := 1; k+1 < len(ops); k += 2 {
		if !ops[k].IsReg() {
			v.errOperand(i, k, "Invalid register operand for REG_SEQUENCE")
		}
		if !ops[k+1].IsImm() || ops[k+1].Imm() <= 0 || ops[k+1].Imm() >= int64(len(v.in.SubRegIndices)) {
			v.errOperand(i, k+1, "Invalid subregister index operand for REG_SEQUENCE")
		}
	}
	if ops[0].IsReg() && ops[0].Reg().IsPhysical() {
		v.errInstr(i, "REG_SEQUENCE does not support physical register results")
	}
	if ops[0].IsReg() && ops[0].SubReg() != 0 {
		v.errOperand(i, 0, "Invalid subreg result for REG_SEQUENCE")
	}
}

func (v *Verifier) checkInsertSubReg(i mir.InstrID) {
	f := v.f
	ins, idx := f.Op(i, 2), f.Op(i, 3)
	if !ins.IsReg() || !idx.IsImm() || idx.Imm() <= 0 || idx.Imm() >= int64(len(v.in.SubRegIndices)) {
		return
	}
	width := func(k desc.SubRegIdx) int {
		if n := v.in.SubRegIndices[k].Size; n != desc.NoBits {
			return int(n)
		}
		return 0
	}
	have := v.regSize(ins.Reg(), 0).bits
	if s := ins.SubReg(); s != 0 {
		have = width(desc.SubRegIdx(s))
	}
	if want := width(desc.SubRegIdx(idx.Imm())); want != 0 && want < have {
		v.errInstr(i, "INSERT_SUBREG expected inserted value to have equal or lesser size than the subreg it was inserted into")
	}
}

// checkStatepoint looks at the constants at the front of a statepoint.
func (v *Verifier) checkStatepoint(i mir.InstrID) {
	ops := v.f.Ops(i)
	defs := 0
	for defs < len(ops) && ops[defs].IsDef() && !ops[defs].IsImplicit() {
		defs++
	}
	// Identifier, number of patch bytes, number of call arguments.
	for k := defs; k < defs+3 && k < len(ops); k++ {
		if !ops[k].IsImm() {
			v.errInstr(i, "meta operands to STATEPOINT not constant!")
			return
		}
	}
}

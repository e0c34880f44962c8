package x86

import (
	"github.com/mirin-go/mirin/codegen/matchtable"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// Operand flags of symbols, LLVM's numbers (MIR spells them x86-gotpcrel, …).
const (
	flagGOTAbs    = 1
	flagGOT       = 3
	flagGOTOFF    = 4
	flagGOTPCREL  = 5
	flagGOTTPOFF  = 11
	flagINDNTPOFF = 12
	flagTPOFF     = 13
	flagDTPOFF    = 14
	flagNTPOFF    = 15
	flagGOTNTPOFF = 16
)

// isLoadedTPOff reports a symbol that stands for the place where the offset of a
// thread-local variable is. Only MOV and ADD may name it: the linker rewrites them,
// the ADD even to a LEA.
func isLoadedTPOff(o *mir.Operand) bool {
	if o.IsReg() || o.IsImm() {
		return false
	}
	fl := o.TargetFlags()
	return fl == flagGOTTPOFF || fl == flagINDNTPOFF || fl == flagGOTNTPOFF
}

// address is base + index*scale + disp, as a memory operand is being matched.
type address struct {
	base  mir.Reg // 0 none
	index mir.Reg // 0 none
	scale int64   // 1, 2, 4, 8
	disp  int64
	// fi is a frame index instead of the base register.
	fi    int
	hasFI bool
	// sym is a symbol added to disp.
	sym    mir.Operand
	hasSym bool
	// segment is what the address counts from, 0 for the whole memory.
	segment desc.PhysReg
	// sum: it is for LEA, and takes in nothing that has other users.
	sum bool
}

// noBase reports whether the base is free.
func (a *address) noBase() bool { return a.base == 0 && !a.hasFI }

// parts counts what is added up.
func (a *address) parts() int {
	n := 0
	for _, b := range [...]bool{a.base != 0 || a.hasFI, a.index != 0, a.disp != 0, a.hasSym} {
		if b {
			n++
		}
	}
	return n
}

// maxAddressDepth bounds how many operations one address may take in.
const maxAddressDepth = 5

// matchAddress adds the value of r to a; false when a has no room for it, and
// then a is as before.
func matchAddress(m *matchtable.Matcher, a *address, r mir.Reg, depth int) bool {
	if d := m.Def(r); d != 0 && depth < maxAddressDepth && (!a.sum || a.takesIn(m, d)) {
		old := *a
		if matchAddressOp(m, a, d, depth) && a.symAllows(m) {
			return true
		}
		*a = old
	}
	return a.addReg(m, m.Look(r))
}

// takesIn reports whether a sum may compute d itself: nobody else does, it is
// free, or all others take it in too, as an address or in a sum of theirs.
func (a *address) takesIn(m *matchtable.Matcher, d mir.InstrID) bool {
	switch m.F.Instr(d).Opcode {
	case desc.G_CONSTANT, desc.G_FRAME_INDEX, desc.G_GLOBAL_VALUE, desc.G_CONSTANT_POOL, desc.G_JUMP_TABLE, desc.G_BLOCK_ADDR:
		return true
	}
	const most = 4 // users
	f, n := m.F, 0
	for in, op := range f.NonDebugUses(f.Op(d, 0).Reg()) {
		if n++; n > most {
			return false
		}
		switch f.Instr(in).Opcode {
		case desc.G_LOAD, desc.G_STORE, desc.G_ZEXTLOAD, desc.G_SEXTLOAD:
			if op != 1 {
				return n == 1 && f.HasOneUse(f.Op(d, 0).Reg())
			}
		case desc.G_PTR_ADD, desc.G_ADD:
		default:
			return n == 1 && f.HasOneUse(f.Op(d, 0).Reg())
		}
	}
	return true
}

// addReg adds a register as base or index.
func (a *address) addReg(m *matchtable.Matcher, r mir.Reg) bool {
	old := *a
	if !a.addScaled(r) {
		return false
	}
	if !a.symAllows(m) {
		*a = old
		return false
	}
	return true
}

// matchAddressOp takes in what instruction d computes.
func matchAddressOp(m *matchtable.Matcher, a *address, d mir.InstrID, depth int) bool {
	f := m.F
	switch f.Instr(d).Opcode {
	case desc.G_CONSTANT:
		v, ok := m.OperandConst(f.Op(d, 1))
		return ok && a.addDisp(m, v)
	case desc.G_FRAME_INDEX:
		if !a.noBase() {
			return false
		}
		a.fi, a.hasFI = f.Op(d, 1).FrameIndex(), true
		return true
	case desc.G_PTR_ADD, desc.G_ADD:
		return matchSum(m, a, f.Op(d, 1).Reg(), f.Op(d, 2).Reg(), depth)
	case desc.G_INTRINSIC:
		if a.sum || a.segment != 0 || !isThreadPointer(f, d) || !usesSegment(f) {
			return false
		}
		a.segment = modeOf(m.ST).thread
		return true
	case desc.G_OR:
		return f.Instr(d).Flags()&mir.Disjoint != 0 && matchSum(m, a, f.Op(d, 1).Reg(), f.Op(d, 2).Reg(), depth)
	case desc.G_SUB:
		v, ok := m.Const(f.Op(d, 2).Reg())
		return ok && v != -v && a.addDisp(m, -v) && matchAddress(m, a, f.Op(d, 1).Reg(), depth+1)
	case desc.G_SHL:
		v, ok := m.Const(f.Op(d, 2).Reg())
		if !ok || v < 1 || v > 3 || a.index != 0 {
			return false
		}
		x := m.Look(f.Op(d, 1).Reg())
		if s := m.Def(x); s != 0 && !a.sum {
			// The constant of a sum that is shifted is a displacement.
			if op := f.Instr(s).Opcode; op == desc.G_ADD || op == desc.G_OR && f.Instr(s).Flags()&mir.Disjoint != 0 {
				if k, ok := m.Const(f.Op(s, 2).Reg()); ok && k == int64(int32(k)) && a.addDisp(m, k<<v) {
					x = m.Look(f.Op(s, 1).Reg())
				}
			}
		}
		a.index, a.scale = x, 1<<v
		return true
	case desc.G_MUL:
		return matchMul(m, a, d)
	case desc.G_GLOBAL_VALUE:
		return matchGlobal(m, a, d)
	case desc.G_CONSTANT_POOL, desc.G_JUMP_TABLE, desc.G_BLOCK_ADDR:
		if m.ST.Options.CodeModel == target.CodeModelLarge {
			return false
		}
		return a.addSym(m, *f.Op(d, 1))
	case desc.G_INTTOPTR, desc.G_PTRTOINT:
		if f.TypeOf(f.Op(d, 0).Reg()).Bits() != f.TypeOf(f.Op(d, 1).Reg()).Bits() {
			return false
		}
		return matchAddress(m, a, f.Op(d, 1).Reg(), depth+1)
	}
	return false
}

func matchSum(m *matchtable.Matcher, a *address, x, y mir.Reg, depth int) bool {
	old := *a
	if matchAddress(m, a, x, depth+1) && matchAddress(m, a, y, depth+1) {
		return true
	}
	*a = old
	if matchAddress(m, a, y, depth+1) && matchAddress(m, a, x, depth+1) {
		return true
	}
	*a = old
	if a.noBase() && a.index == 0 {
		a.base, a.index, a.scale = m.Look(x), m.Look(y), 1
		return a.symAllows(m)
	}
	return false
}

// matchMul takes in x*2, x*4, x*8 as a scaled index and x*3, x*5, x*9 as base and index.
func matchMul(m *matchtable.Matcher, a *address, d mir.InstrID) bool {
	v, ok := m.Const(m.F.Op(d, 2).Reg())
	if !ok || a.index != 0 {
		return false
	}
	x := m.Look(m.F.Op(d, 1).Reg())
	switch v {
	case 2, 4, 8:
		a.index, a.scale = x, v
		return true
	case 3, 5, 9:
		if !a.noBase() {
			return false
		}
		a.base, a.index, a.scale = x, x, v-1
		return true
	}
	return false
}

// maxSymbolOffset: the code model promises that symbols are near, not what lies
// 16 MB beyond them.
const maxSymbolOffset = 1 << 24

// addDisp adds a constant; sum and symbol must stay in reach.
func (a *address) addDisp(m *matchtable.Matcher, v int64) bool {
	d := a.disp + v
	if d != int64(int32(d)) || (v > 0) != (d > a.disp) && v != 0 {
		return false
	}
	if a.hasSym && (d < 0 || d >= maxSymbolOffset) {
		return false
	}
	if a.hasFI && (d <= -1<<30 || d >= 1<<30) {
		return false
	}
	a.disp = d
	return true
}

// addSym adds a symbol.
func (a *address) addSym(m *matchtable.Matcher, o mir.Operand) bool {
	if a.hasSym || a.disp < 0 || a.disp >= maxSymbolOffset {
		return false
	}
	if needsBase(m.ST, &o) {
		if !a.addScaled(globalBase(m.F)) {
			return false
		}
		o = o.WithTargetFlags(flagGOTOFF)
	}
	a.sym, a.hasSym = o, true
	return a.symAllows(m)
}

// addScaled adds a register, whatever symbol there is.
func (a *address) addScaled(r mir.Reg) bool {
	switch {
	case a.noBase():
		a.base = r
	case a.index == 0:
		a.index, a.scale = r, 1
	default:
		return false
	}
	return true
}

// needsBase reports a symbol whose distance from the global offset table is known alone:
// in position-independent code of 32 bits.
func needsBase(st *target.Subtarget, o *mir.Operand) bool {
	return st.Options.Reloc == target.RelocPIC && o.TargetFlags() == 0 && !modeOf(st).is64()
}

// findsGOT reports the addition that is written with the distance from a label, which is
// there for this instruction alone.
func findsGOT(f *mir.Function, i mir.InstrID) bool {
	if f.Instr(i).Opcode != tab.ADD32ri {
		return false
	}
	o := f.Op(i, 2)
	return !o.IsReg() && !o.IsImm() && o.TargetFlags() == flagGOTAbs
}

// globalBase is the register that holds the address of the global offset table; what
// finds it begins the function (LLVM, X86InstrInfo::getGlobalBaseReg).
func globalBase(f *mir.Function) mir.Reg {
	if f.GlobalBase != 0 {
		return f.GlobalBase
	}
	pc, r := f.AddVReg(int16(tab.GR32RegClassID)), f.AddVReg(int16(tab.GR32_NOSPRegClassID))
	b := mir.Builder{F: f, Block: f.FirstBlock(), At: f.Block(f.FirstBlock()).First()}
	b.BuildInstr(tab.MOVPC32r, mir.RegOp(pc, mir.Def), mir.ImmOp(0))
	deadFlags(f, b.BuildInstr(tab.ADD32ri, mir.RegOp(r, mir.Def), mir.RegOp(pc, 0), mir.IndexOp(mir.OpExtSym, f.Symbol("_GLOBAL_OFFSET_TABLE_"), 0, flagGOTAbs)))
	f.GlobalBase = r
	return r
}

// symAllows reports whether base and index can stand beside the symbol: in
// position-independent code a symbol is relative to RIP, which leaves no room.
// Only an explicit -relocation-model=static promises addresses of 32 bits: code
// of the default model is linked into position-independent executables too.
func (a *address) symAllows(m *matchtable.Matcher) bool {
	absolute := m.ST.Options.Reloc == target.RelocStatic && !m.ST.Options.JIT
	return !a.hasSym || absolute || !modeOf(m.ST).is64() || isOffset(&a.sym) || a.noBase() && a.index == 0
}

// isOffset reports a symbol that is a number rather than an address.
func isOffset(o *mir.Operand) bool {
	switch o.TargetFlags() {
	case flagTPOFF, flagDTPOFF, flagNTPOFF:
		return true
	}
	return false
}

// matchGlobal takes in the address of a global that is near.
func matchGlobal(m *matchtable.Matcher, a *address, d mir.InstrID) bool {
	o := *m.F.Op(d, 1)
	if isOffset(&o) {
		return a.addSym(m, o)
	}
	return o.TargetFlags() == 0 && classifyGlobal(m.ST, m.F, &o) == globalNear && a.addSym(m, o)
}

// globalKind says how the address of a global is had.
type globalKind uint8

const (
	globalNear globalKind = iota // RIP-relative or a 32-bit constant
	globalGOT                    // loaded from the GOT
	globalFar                    // a 64-bit constant
	globalTLS                    // thread-local: see lowerTLS
)

// classifyGlobal decides by linkage, relocation model and code model.
func classifyGlobal(st *target.Subtarget, f *mir.Function, o *mir.Operand) globalKind {
	if o.Kind() != mir.OpGlobal || f.Module == nil {
		if st.Options.CodeModel == target.CodeModelLarge {
			return globalFar
		}
		return globalNear
	}
	g := f.Module.Globals[o.Index()]
	large := st.IsLarge(f.Module, g)
	switch {
	case g.TLS != ir.NotTLS:
		return globalTLS
	case !modeOf(st).is64():
		if st.Options.Reloc == target.RelocPIC && !target.IsDSOLocal(g) {
			return globalGOT
		}
		return globalNear
	case st.Options.CodeModel != target.CodeModelLarge && !target.IsDSOLocal(g):
		return globalGOT
	case large:
		return globalFar
	}
	return globalNear
}

// render appends the operands of a memory reference.
func (a *address) render(m *matchtable.Matcher) {
	for _, o := range a.operands(m.ST) {
		m.Render(o)
	}
}

// operands are those of a memory reference.
func (a *address) operands(st *target.Subtarget) (ops [addrOps]mir.Operand) {
	switch {
	case a.hasFI:
		ops[addrBase] = mir.FrameOp(a.fi)
	case a.base == 0 && a.scale == 2:
		// An index without a base takes a displacement of four bytes.
		ops[addrBase], a.scale = mir.RegOp(a.index, 0), 1
	case a.base == 0 && a.index == 0 && a.hasSym && !isOffset(&a.sym):
		ops[addrBase] = mir.RegOp(reg(modeOf(st).ip), 0)
	default:
		ops[addrBase] = mir.RegOp(a.base, 0)
	}
	ops[addrScale] = mir.ImmOp(max(a.scale, 1))
	ops[addrIndex] = mir.RegOp(a.index, 0)
	ops[addrDisp] = mir.ImmOp(a.disp)
	if a.hasSym {
		ops[addrDisp] = a.sym.WithOffset(a.sym.Offset() + a.disp)
	}
	ops[addrSegment] = mir.RegOp(reg(a.segment), 0)
	return ops
}

// segmentOf is the segment that pointers of an address space count from: 0 for those into
// the whole memory; ok is false for address spaces that are neither.
func segmentOf(t mir.LLT) (r desc.PhysReg, ok bool) {
	if !t.IsPointer() {
		return 0, true
	}
	switch t.AddrSpace() {
	case spaceGS:
		return tab.GS, true
	case spaceFS:
		return tab.FS, true
	case spaceSS:
		return tab.SS, true
	}
	return 0, t.AddrSpace() == 0 || t.Bits() == 64
}

// selectAddr matches any pointer as a memory operand.
func selectAddr(m *matchtable.Matcher, r mir.Reg) bool {
	segment, ok := segmentOf(m.F.TypeOf(r))
	if !ok {
		return false
	}
	a := address{segment: segment}
	if !matchAddress(m, &a, r, 0) {
		a = address{segment: segment, base: m.Look(r)}
	}
	a.render(m)
	return true
}

// selectLEA matches sums that LEA computes better than what else there is: of
// three parts, or with a scaled index; and addresses of things.
func selectLEA(m *matchtable.Matcher, r mir.Reg) bool {
	a := address{sum: true}
	d := m.F.UniqueDef(r)
	if d == 0 || !matchAddressOp(m, &a, d, 0) || !a.isSum() {
		return false
	}
	a.render(m)
	return true
}

// isSum reports whether the address is worth a LEA.
func (a *address) isSum() bool {
	return a.hasFI || a.hasSym || a.parts() >= 3 || a.scale > 1 && a.parts() >= 2
}

// selectLEA32 matches the same sums of 32 bits. The registers are the low halves
// of 64-bit ones, whose upper halves do not matter.
func selectLEA32(m *matchtable.Matcher, r mir.Reg) bool {
	a := address{sum: true}
	f := m.F
	d := f.UniqueDef(r)
	if d == 0 || m.Opt == 0 || !matchAddressOp(m, &a, d, 0) || !a.isSum() {
		return false
	}
	b := mir.Builder{F: f, Loc: f.Instr(m.Root()).Loc}
	b.SetBefore(m.Root())
	base := a.base
	a.base = widened(&b, a.base)
	if a.index == base {
		a.index = a.base
	} else {
		a.index = widened(&b, a.index)
	}
	a.render(m)
	return true
}

// widened makes a 64-bit register of a 32-bit one; 0 stays.
func widened(b *mir.Builder, r mir.Reg) mir.Reg {
	if r == 0 {
		return 0
	}
	f := b.F
	undef, w := f.AddVReg(int16(tab.GR64RegClassID)), f.AddVReg(int16(tab.GR64RegClassID))
	if v := f.VReg(r); v.Class < 0 {
		v.Class = int16(tab.GR32RegClassID)
	}
	b.Build(desc.IMPLICIT_DEF, mir.RegOp(undef, mir.Def))
	in := b.Build(desc.INSERT_SUBREG, mir.RegOp(w, mir.Def), mir.RegOp(undef, 0), mir.RegOp(r, 0), mir.ImmOp(int64(tab.Sub32Bit)))
	f.Tie(in, 0, 1)
	return w
}

// selectGOT matches a global whose address is loaded from the GOT.
func selectGOT(m *matchtable.Matcher, r mir.Reg) bool {
	d := m.F.UniqueDef(r)
	if d == 0 || m.F.Instr(d).Opcode != desc.G_GLOBAL_VALUE {
		return false
	}
	o := *m.F.Op(d, 1)
	if classifyGlobal(m.ST, m.F, &o) != globalGOT || o.Offset() != 0 {
		return false
	}
	md := modeOf(m.ST)
	m.RenderMem(m.F.AddMem(mir.MemOperand{Type: md.int0(), Size: md.word, PtrKind: mir.PtrGOT, Flags: mir.MemLoad, BaseAlign: md.align}))
	if !md.is64() {
		renderSymbol(m, o.WithTargetFlags(flagGOT))
		return true
	}
	renderSymbol(m, o.WithTargetFlags(flagGOTPCREL))
	return true
}

// symbolBase is the register that the address of a symbol counts from, and the symbol as
// it is written then.
func symbolBase(st *target.Subtarget, f *mir.Function, o mir.Operand) (base, sym mir.Operand) {
	switch {
	case needsBase(st, &o):
		return mir.RegOp(globalBase(f), 0), o.WithTargetFlags(flagGOTOFF)
	case o.TargetFlags() == flagGOT || o.TargetFlags() == flagGOTNTPOFF:
		return mir.RegOp(globalBase(f), 0), o
	}
	return mir.RegOp(reg(modeOf(st).ip), 0), o
}

// symbolMem are the operands of the memory at a symbol.
func symbolMem(st *target.Subtarget, f *mir.Function, o mir.Operand) []mir.Operand {
	base, o := symbolBase(st, f, o)
	return []mir.Operand{base, mir.ImmOp(1), mir.RegOp(0, 0), o, mir.RegOp(0, 0)}
}

// addSymbol adds the memory at a symbol to the instruction that is built.
func addSymbol(m *matchtable.Matcher, o mir.Operand) {
	for _, o := range symbolMem(m.ST, m.F, o) {
		m.Add(o)
	}
}

// renderSymbol renders the memory at a symbol.
func renderSymbol(m *matchtable.Matcher, o mir.Operand) {
	base, o := symbolBase(m.ST, m.F, o)
	m.Render(base)
	m.Render(mir.ImmOp(1))
	m.Render(mir.RegOp(0, 0))
	m.Render(o)
	m.Render(mir.RegOp(0, 0))
}

// selectAbs64 matches a symbol that may be anywhere (large code model).
func selectAbs64(m *matchtable.Matcher, r mir.Reg) bool {
	d := m.F.UniqueDef(r)
	if d == 0 {
		return false
	}
	o := *m.F.Op(d, 1)
	if m.F.Instr(d).Opcode != desc.G_GLOBAL_VALUE && m.ST.Options.CodeModel != target.CodeModelLarge {
		return false
	}
	if m.F.Instr(d).Opcode == desc.G_GLOBAL_VALUE && classifyGlobal(m.ST, m.F, &o) != globalFar {
		return false
	}
	m.Render(o)
	return true
}

// selectTPOff matches the offset of a thread-local variable.
func selectTPOff(m *matchtable.Matcher, r mir.Reg) bool {
	d := m.F.UniqueDef(r)
	if d == 0 || m.F.Instr(d).Opcode != desc.G_GLOBAL_VALUE || !isOffset(m.F.Op(d, 1)) {
		return false
	}
	m.Render(*m.F.Op(d, 1))
	return true
}

// selectGOTTPOff matches such an offset that the GOT has.
func selectGOTTPOff(m *matchtable.Matcher, r mir.Reg) bool {
	d := m.F.UniqueDef(r)
	if d == 0 || m.F.Instr(d).Opcode != desc.G_GLOBAL_VALUE || !isLoadedTPOff(m.F.Op(d, 1)) || m.F.Op(d, 1).Offset() != 0 {
		return false
	}
	md := modeOf(m.ST)
	m.RenderMem(m.F.AddMem(mir.MemOperand{Type: md.int0(), Size: md.word, PtrKind: mir.PtrGOT, Flags: mir.MemLoad | mir.MemInvariant | mir.MemDereferenceable, BaseAlign: md.align}))
	renderSymbol(m, *m.F.Op(d, 1))
	return true
}

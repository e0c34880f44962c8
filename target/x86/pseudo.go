package x86

import (
	"slices"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// expandPostRAPseudo replaces one pseudo instruction by real ones: constants that
// are made without memory, operations that only had another name for the
// optimizer, and moves of AVX-512's upper registers without VLX. What returns and
// calls x86-expand-pseudo expands.
func expandPostRAPseudo(st *target.Subtarget, f *mir.Function, i mir.InstrID) (bool, error) {
	op := f.Instr(i).Opcode
	if f.Instr(i).NumOps() == 0 {
		return false, nil
	}
	for k := range renamed {
		if renamed[k].from == op {
			f.Instr(i).Opcode = renamed[k].to
			return true, nil
		}
	}
	if !f.Op(i, 0).IsReg() {
		return expandNoVLX(f, i), nil
	}
	dst := f.Op(i, 0).Reg()
	avx, vlx := st.HasFeature("avx"), st.HasFeature("avx512vl")
	pick := func(vex bool, a, b desc.Opcode) desc.Opcode {
		if vex {
			return a
		}
		return b
	}
	low := func() bool { return f.Facts.Regs[dst].Encoding < 16 }
	// xmm makes the low 128 bits, which clears what is above.
	xmm := func(op desc.Opcode) {
		self(f, i, op, reg(f.Facts.SubReg(desc.PhysReg(dst), tab.SubXmm)), 2)
		f.AddOp(i, mir.RegOp(dst, mir.Def|mir.Implicit))
	}
	switch op {
	case tab.MOV32r0:
		self(f, i, tab.XOR32rr, dst, 2)
	case tab.MOV32r1, tab.MOV32r_1:
		b := mir.Builder{F: f, Loc: f.Instr(i).Loc}
		b.SetBefore(i)
		b.BuildInstr(tab.XOR32rr, mir.RegOp(dst, mir.Def), mir.RegOp(dst, mir.Undef), mir.RegOp(dst, mir.Undef))
		f.Instr(i).Opcode = pick(op == tab.MOV32r1, tab.INC32r, tab.DEC32r)
		f.InsertOp(i, 1, mir.RegOp(dst, 0))
		f.TieDeclared(i)
	case tab.MOV32ri64:
		// The 32-bit move clears the upper half of the 64-bit register.
		f.Instr(i).Opcode = tab.MOV32ri
		f.SetReg(i, 0, reg(f.Facts.SubReg(desc.PhysReg(dst), tab.Sub32Bit)))
		f.AddOp(i, mir.RegOp(dst, mir.Def|mir.Implicit))
	case tab.SETB_C32r:
		self(f, i, tab.SBB32rr, dst, 2)
	case tab.SETB_C64r:
		self(f, i, tab.SBB64rr, dst, 2)
	case tab.MMX_SET0:
		self(f, i, tab.MMX_PXORrr, dst, 2)
	case tab.V_SET0, tab.FsFLD0SS, tab.FsFLD0SD, tab.FsFLD0SH, tab.FsFLD0F128:
		self(f, i, pick(avx, tab.VXORPSrr, tab.XORPSrr), dst, 2)
	case tab.AVX_SET0:
		xmm(tab.VXORPSrr)
	case tab.AVX512_128_SET0, tab.AVX512_FsFLD0SH, tab.AVX512_FsFLD0SS, tab.AVX512_FsFLD0SD, tab.AVX512_FsFLD0F128:
		if vlx || low() {
			self(f, i, pick(vlx, tab.VPXORDZ128rr, tab.VXORPSrr), dst, 2)
		} else {
			self(f, i, tab.VPXORDZrr, wide(f, dst, tab.SubXmm), 2)
		}
	case tab.AVX512_256_SET0, tab.AVX512_512_SET0:
		switch {
		case vlx || low():
			xmm(pick(vlx, tab.VPXORDZ128rr, tab.VXORPSrr))
		case op == tab.AVX512_256_SET0:
			self(f, i, tab.VPXORDZrr, wide(f, dst, tab.SubYmm), 2)
		default:
			self(f, i, tab.VPXORDZrr, dst, 2)
		}
	case tab.V_SETALLONES:
		self(f, i, pick(avx, tab.VPCMPEQDrr, tab.PCMPEQDrr), dst, 2)
	case tab.AVX2_SETALLONES:
		self(f, i, tab.VPCMPEQDYrr, dst, 2)
	case tab.AVX1_SETALLONES:
		self(f, i, tab.VCMPPSYrri, dst, 2)
		f.AddOp(i, mir.ImmOp(15)) // true
	case tab.AVX512_128_SETALLONES, tab.AVX512_256_SETALLONES, tab.AVX512_512_SETALLONES:
		switch {
		case op == tab.AVX512_512_SETALLONES:
			ternary(f, i, tab.VPTERNLOGDZrri, dst)
		case low():
			self(f, i, pick(op == tab.AVX512_128_SETALLONES, tab.VPCMPEQDrr, tab.VPCMPEQDYrr), dst, 2)
		default:
			ternary(f, i, pick(op == tab.AVX512_128_SETALLONES, tab.VPTERNLOGDZ128rri, tab.VPTERNLOGDZ256rri), dst)
		}
	case tab.AVX512_512_SEXT_MASK_32, tab.AVX512_512_SEXT_MASK_64:
		mask := *f.Op(i, 1)
		f.RemoveOp(i, 1)
		f.Instr(i).Opcode = pick(op == tab.AVX512_512_SEXT_MASK_64, tab.VPTERNLOGQZrrikz, tab.VPTERNLOGDZrrikz)
		f.AddOp(i, mir.RegOp(dst, mir.Undef))
		f.AddOp(i, mask)
		f.AddOp(i, mir.RegOp(dst, mir.Undef))
		f.AddOp(i, mir.RegOp(dst, mir.Undef))
		f.AddOp(i, mir.ImmOp(255))
		f.TieDeclared(i)
	case tab.KSET0B, tab.KSET0W:
		maskConst(f, i, tab.KXORWkk)
	case tab.KSET0D:
		maskConst(f, i, tab.KXORDkk)
	case tab.KSET0Q:
		maskConst(f, i, tab.KXORQkk)
	case tab.KSET1B, tab.KSET1W:
		maskConst(f, i, tab.KXNORWkk)
	case tab.KSET1D:
		maskConst(f, i, tab.KXNORDkk)
	case tab.KSET1Q:
		maskConst(f, i, tab.KXNORQkk)
	case tab.MOV32ImmSExti8, tab.MOV64ImmSExti8:
		return true, expandSmallImm(st, f, i)
	case tab.SHLDROT32ri, tab.SHLDROT64ri, tab.SHRDROT32ri, tab.SHRDROT64ri:
		// A rotation as a shift of a register and itself.
		f.Instr(i).Opcode = map[desc.Opcode]desc.Opcode{tab.SHLDROT32ri: tab.SHLD32rri8, tab.SHLDROT64ri: tab.SHLD64rri8,
			tab.SHRDROT32ri: tab.SHRD32rri8, tab.SHRDROT64ri: tab.SHRD64rri8}[op]
		f.InsertOp(i, 2, mir.RegOp(f.Op(i, 1).Reg(), f.Op(i, 1).Flags()&mir.Undef))
	default:
		return expandNoVLX(f, i), nil
	}
	return true, nil
}

// renamed are pseudos that are an instruction under another name: additions that
// are disjunctions (DB: disjoint bits), which the allocator may make LEA of.
var renamed = [...]struct{ from, to desc.Opcode }{
	{tab.ADD8rr_DB, tab.OR8rr}, {tab.ADD16rr_DB, tab.OR16rr}, {tab.ADD32rr_DB, tab.OR32rr}, {tab.ADD64rr_DB, tab.OR64rr},
	{tab.ADD8ri_DB, tab.OR8ri}, {tab.ADD16ri_DB, tab.OR16ri}, {tab.ADD32ri_DB, tab.OR32ri}, {tab.ADD64ri32_DB, tab.OR64ri32},
}

// self makes i op r, r, … with n sources, whose result does not depend on what r held.
func self(f *mir.Function, i mir.InstrID, op desc.Opcode, r mir.Reg, n int) {
	f.Instr(i).Opcode = op
	f.SetReg(i, 0, r)
	for range n {
		f.AddOp(i, mir.RegOp(r, mir.Undef))
	}
	f.TieDeclared(i)
	addMissingImplicit(f, i)
}

// maskConst makes i an operation on mask register K0, whatever it holds: that is
// hardly ever written, and so never waited for.
func maskConst(f *mir.Function, i mir.InstrID, op desc.Opcode) {
	f.Instr(i).Opcode = op
	f.AddOp(i, mir.RegOp(reg(tab.K0), mir.Undef))
	f.AddOp(i, mir.RegOp(reg(tab.K0), mir.Undef))
}

// addMissingImplicit adds what the opcode reads without saying so.
func addMissingImplicit(f *mir.Function, i mir.InstrID) {
	for _, r := range f.Facts.ImplicitUses(f.Instr(i).Opcode) {
		if !slices.ContainsFunc(f.Ops(i), func(o mir.Operand) bool { return o.IsUse() && o.Reg() == reg(r) }) {
			f.AddOp(i, mir.RegOp(reg(r), mir.Implicit))
		}
	}
}

// ternary makes i VPTERNLOG whose table says 1 for every input.
func ternary(f *mir.Function, i mir.InstrID, op desc.Opcode, r mir.Reg) {
	self(f, i, op, r, 3)
	f.AddOp(i, mir.ImmOp(255))
}

// wide is the 512-bit register of which r is sub-register sub.
func wide(f *mir.Function, r mir.Reg, sub desc.SubRegIdx) mir.Reg {
	return reg(f.Facts.MatchingSuperReg(desc.PhysReg(r), sub, tab.VR512RegClassID))
}

// noVLX are moves of 128 and 256 bits of registers that only AVX-512 has; without
// VLX it has instructions on all 512 bits alone: broadcasts and extractions.
var noVLX = [...]struct {
	op, low, high desc.Opcode
	sub           desc.SubRegIdx
	load          bool
}{
	{tab.VMOVAPSZ128rm_NOVLX, tab.VMOVAPSrm, tab.VBROADCASTF32X4Zrm, tab.SubXmm, true},
	{tab.VMOVUPSZ128rm_NOVLX, tab.VMOVUPSrm, tab.VBROADCASTF32X4Zrm, tab.SubXmm, true},
	{tab.VMOVAPSZ256rm_NOVLX, tab.VMOVAPSYrm, tab.VBROADCASTF64X4Zrm, tab.SubYmm, true},
	{tab.VMOVUPSZ256rm_NOVLX, tab.VMOVUPSYrm, tab.VBROADCASTF64X4Zrm, tab.SubYmm, true},
	{tab.VMOVAPSZ128mr_NOVLX, tab.VMOVAPSmr, tab.VEXTRACTF32X4Zmri, tab.SubXmm, false},
	{tab.VMOVUPSZ128mr_NOVLX, tab.VMOVUPSmr, tab.VEXTRACTF32X4Zmri, tab.SubXmm, false},
	{tab.VMOVAPSZ256mr_NOVLX, tab.VMOVAPSYmr, tab.VEXTRACTF64X4Zmri, tab.SubYmm, false},
	{tab.VMOVUPSZ256mr_NOVLX, tab.VMOVUPSYmr, tab.VEXTRACTF64X4Zmri, tab.SubYmm, false},
}

func expandNoVLX(f *mir.Function, i mir.InstrID) bool {
	for k := range noVLX {
		m := &noVLX[k]
		if m.op != f.Instr(i).Opcode {
			continue
		}
		at := addrOps
		if m.load {
			at = 0
		}
		r := f.Op(i, at).Reg()
		if f.Facts.Regs[r].Encoding < 16 {
			f.Instr(i).Opcode = m.low
			return true
		}
		f.Instr(i).Opcode = m.high
		f.SetReg(i, at, wide(f, r, m.sub))
		if !m.load {
			f.AddOp(i, mir.ImmOp(0))
		}
		return true
	}
	return false
}

// expandSmallImm pushes and pops a constant of a byte, which is shorter than moving
// it, where the stack below the stack pointer holds nothing.
func expandSmallImm(st *target.Subtarget, f *mir.Function, i mir.InstrID) error {
	dst, v := f.Op(i, 0).Reg(), f.Op(i, 1).Imm()
	if f.Instr(i).Opcode == tab.MOV32ImmSExti8 {
		if st.UsesRedZone(f) || target.NeedsCFI(f) && !st.HasFP(f) {
			f.Instr(i).Opcode = tab.MOV32ri
			return nil
		}
		if !modeOf(st).is64() {
			b := mir.Builder{F: f, Loc: f.Instr(i).Loc}
			b.SetBefore(i)
			b.BuildInstr(tab.PUSH32i, mir.ImmOp(v))
			b.BuildInstr(tab.POP32r, mir.RegOp(dst, mir.Def))
			f.Erase(i)
			return nil
		}
		dst = reg(f.Facts.MatchingSuperReg(desc.PhysReg(dst), tab.Sub32Bit, tab.GR64RegClassID))
	} else if st.UsesRedZone(f) || target.NeedsCFI(f) && !st.HasFP(f) {
		f.Instr(i).Opcode = tab.MOV64ri32
		return nil
	}
	b := mir.Builder{F: f, Loc: f.Instr(i).Loc}
	b.SetBefore(i)
	b.BuildInstr(tab.PUSH64i32, mir.ImmOp(v))
	b.BuildInstr(tab.POP64r, mir.RegOp(dst, mir.Def))
	f.Erase(i)
	return nil
}

// insertCustom expands, before register allocation, what needs control flow.
func insertCustom(st *target.Subtarget, f *mir.Function, i mir.InstrID) (mir.BlockID, error) {
	if isCMOVPseudo(f, i) {
		return expandCMOV(f, i), nil
	}
	switch f.Instr(i).Opcode {
	case tab.LCMPXCHG8B:
		return f.Instr(i).Block(), nil // its registers are its own: see frameHooks32.Pins
	case tab.PROBED_ALLOCA_64, tab.PROBED_ALLOCA_32:
		return expandProbedAlloca(st, f, i)
	case tab.FP80_TO_INT16_IN_MEM, tab.FP80_TO_INT32_IN_MEM, tab.FP80_TO_INT64_IN_MEM:
		return expandFPToInt(f, i), nil
	}
	return 0, st.NotSupported(f, f.Facts.OpcodeName(f.Instr(i).Opcode))
}

// expandCMOV turns %d = CMOV_… %a, %b, cc (cc ? b : a) into a branch around an
// empty block and a PHI. Runs of them on one condition share the branch.
//
//	this:  JCC_1 %sink, cc     ; falls through to false
//	false:
//	sink:  %d = PHI %a, %false, %b, %this
func expandCMOV(f *mir.Function, i mir.InstrID) mir.BlockID {
	this := f.Instr(i).Block()
	cc := f.Op(i, 3).Imm()
	last := i
	for n := f.SkipDebug(f.Instr(last).Next()); n != 0 && isCMOVPseudo(f, n) && f.Op(n, 3).Imm() == cc && !readsAny(f, n, i, last); n = f.SkipDebug(f.Instr(last).Next()) {
		last = n
	}
	no := f.AddBlockAfter(this)
	sink := f.AddBlockAfter(no)
	if flagsRead(f, last) {
		f.AddLiveIn(no, reg(tab.EFLAGS), mir.AllLanes)
		f.AddLiveIn(sink, reg(tab.EFLAGS), mir.AllLanes)
	}
	f.Block(no).IRBlock, f.Block(sink).IRBlock = f.Block(this).IRBlock, f.Block(this).IRBlock
	if rest := f.Instr(last).Next(); rest != 0 {
		f.Splice(sink, rest)
	}
	f.TransferSuccs(this, sink)
	f.AddSucc(this, no)
	f.AddSucc(this, sink)
	f.AddSucc(no, sink)
	at := f.Block(sink).First()
	var records []mir.InstrID // debug instructions go behind the PHIs
	for n := i; n != 0; {
		next := f.Instr(n).Next()
		if f.IsDebugInstr(n) {
			records = append(records, n)
			n = next
			continue
		}
		phi := f.New(desc.PHI, mir.RegOp(f.Op(n, 0).Reg(), mir.Def),
			mir.SubRegOp(f.Op(n, 1).Reg(), f.Op(n, 1).SubReg(), 0), mir.BlockOp(no),
			mir.SubRegOp(f.Op(n, 2).Reg(), f.Op(n, 2).SubReg(), 0), mir.BlockOp(this))
		f.Instr(phi).Loc = f.Instr(n).Loc
		f.InsertBefore(sink, at, phi)
		f.Erase(n)
		n = next
	}
	for _, d := range records {
		f.Move(sink, at, d)
	}
	b := mir.Builder{F: f, Block: this}
	b.BuildInstr(tab.JCC_1, mir.BlockOp(sink), mir.ImmOp(cc))
	return sink
}

func isCMOVPseudo(f *mir.Function, i mir.InstrID) bool {
	switch f.Instr(i).Opcode {
	case tab.CMOV_GR8, tab.CMOV_GR16, tab.CMOV_GR32, tab.CMOV_FR32, tab.CMOV_FR64, tab.CMOV_RFP80, tab.CMOV_VR128, tab.CMOV_VR256, tab.CMOV_VR512,
		tab.CMOV_VK2, tab.CMOV_VK4, tab.CMOV_VK8, tab.CMOV_VK16, tab.CMOV_VK32, tab.CMOV_VK64:
		return true
	}
	return false
}

// readsAny reports whether n reads the result of an instruction between first and last.
func readsAny(f *mir.Function, n, first, last mir.InstrID) bool {
	for j := first; ; j = f.SkipDebug(f.Instr(j).Next()) {
		d := f.Op(j, 0).Reg()
		if f.Op(n, 1).Reg() == d || f.Op(n, 2).Reg() == d {
			return true
		}
		if j == last {
			return false
		}
	}
}

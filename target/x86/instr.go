package x86

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// instrHooks are the target's answers about its instructions.
var instrHooks = target.InstrHooks{
	CopyPhysReg:           copyPhysReg,
	StoreRegToStack:       storeRegToStack,
	LoadRegFromStack:      loadRegFromStack,
	AnalyzeBranch:         analyzeBranch,
	RemoveBranch:          removeBranch,
	InsertBranch:          insertBranch,
	ReverseCond:           reverseCond,
	ExpandPostRAPseudo:    expandPostRAPseudo,
	InsertCustom:          insertCustom,
	CommutableOps:         commutableOps,
	Commute:               commute,
	ConvertToThreeAddress: convertToThreeAddress,
	ReservedRegs:          reservedRegs,
	CalleeSaved:           calleeSaved,
}

func reg(r desc.PhysReg) mir.Reg { return mir.Reg(r) }

func in(class desc.ClassID, f *mir.Function, r mir.Reg) bool {
	return f.Facts.ClassContains(class, desc.PhysReg(r))
}

// copyOpcode returns the instruction that copies src to dst, 0 when there is none.
func copyOpcode(f *mir.Function, dst, src mir.Reg) desc.Opcode {
	both := func(c desc.ClassID) bool { return in(c, f, dst) && in(c, f, src) }
	switch {
	case both(tab.GR64RegClassID):
		return tab.MOV64rr
	case both(tab.GR32RegClassID):
		return tab.MOV32rr
	case both(tab.GR16RegClassID):
		return tab.MOV16rr
	case both(tab.GR8RegClassID):
		if isHighByte(dst) || isHighByte(src) {
			// A REX prefix would turn the high-byte register into another one.
			return tab.MOV8rr_NOREX
		}
		return tab.MOV8rr
	case both(tab.VR128RegClassID):
		return tab.MOVAPSrr
	case in(tab.VR128RegClassID, f, dst) && in(tab.GR64RegClassID, f, src):
		return tab.MOV64toPQIrr
	case in(tab.GR64RegClassID, f, dst) && in(tab.VR128RegClassID, f, src):
		return tab.MOVPQIto64rr
	case in(tab.VR128RegClassID, f, dst) && in(tab.GR32RegClassID, f, src):
		return tab.MOVDI2PDIrr
	case in(tab.GR32RegClassID, f, dst) && in(tab.VR128RegClassID, f, src):
		return tab.MOVPDI2DIrr
	}
	return 0
}

func isHighByte(r mir.Reg) bool {
	switch desc.PhysReg(r) {
	case tab.AH, tab.BH, tab.CH, tab.DH:
		return true
	}
	return false
}

func copyPhysReg(st *target.Subtarget, f *mir.Function, b mir.BlockID, at mir.InstrID, loc mir.DebugLoc, dst, src mir.Reg, killSrc bool) error {
	op := copyOpcode(f, dst, src)
	if op == 0 {
		return st.NotSupported(f, "copy of $"+f.Facts.RegName(desc.PhysReg(src))+" to $"+f.Facts.RegName(desc.PhysReg(dst)))
	}
	fl := mir.OpFlags(0)
	if killSrc {
		fl = mir.Kill
	}
	i := f.New(op, mir.RegOp(dst, mir.Def), mir.RegOp(src, fl))
	f.Instr(i).Loc = loc
	f.InsertBefore(b, at, i)
	return nil
}

// spillOpcodes returns the store and load of a register class.
func spillOpcodes(f *mir.Function, class int16) (store, load desc.Opcode) {
	c := desc.ClassID(class)
	sub := func(of desc.ClassID) bool { return f.Facts.HasSubClassEq(of, c) }
	switch {
	case sub(tab.GR64RegClassID):
		return tab.MOV64mr, tab.MOV64rm
	case sub(tab.GR32RegClassID):
		return tab.MOV32mr, tab.MOV32rm
	case sub(tab.GR16RegClassID):
		return tab.MOV16mr, tab.MOV16rm
	case sub(tab.GR8RegClassID):
		return tab.MOV8mr, tab.MOV8rm
	case !sub(tab.VR128RegClassID) && !sub(tab.FR64RegClassID) && !sub(tab.FR32RegClassID):
		return 0, 0
	}
	// FR32, FR64 and VR128 are the same registers: the size tells them apart.
	switch f.Facts.ClassSize(c, f.Facts.DefaultMode).SpillSize {
	case 4:
		return tab.MOVSSmr, tab.MOVSSrm_alt
	case 8:
		return tab.MOVSDmr, tab.MOVSDrm_alt
	case 16:
		return tab.MOVAPSmr, tab.MOVAPSrm
	}
	return 0, 0
}

// frameAddr appends the five operands of a memory reference to frame index fi.
func frameAddr(ops []mir.Operand, fi int) []mir.Operand {
	return append(ops, mir.FrameOp(fi), mir.ImmOp(1), mir.RegOp(0, 0), mir.ImmOp(0), mir.RegOp(0, 0))
}

func stackMem(f *mir.Function, fi int, fl mir.MemFlags) mir.MemID {
	o := f.Frame.Object(fi)
	return f.AddMem(mir.MemOperand{Type: mir.Scalar(int(o.Size) * 8), Size: o.Size, Ptr: uint32(int32(fi)), PtrKind: mir.PtrFixedStack, Flags: fl, BaseAlign: o.Align})
}

func storeRegToStack(st *target.Subtarget, f *mir.Function, b mir.BlockID, at mir.InstrID, src mir.Reg, kill bool, fi int, class int16, flags mir.MIFlags) error {
	op, _ := spillOpcodes(f, class)
	if op == 0 {
		return st.NotSupported(f, "spilling of register class "+f.Facts.RegClassName(desc.ClassID(class)))
	}
	fl := mir.OpFlags(0)
	if kill {
		fl = mir.Kill
	}
	i := f.New(op, append(frameAddr(make([]mir.Operand, 0, 6), fi), mir.RegOp(src, fl))...)
	f.Instr(i).SetFlags(flags)
	f.SetMem(i, stackMem(f, fi, mir.MemStore))
	f.InsertBefore(b, at, i)
	return nil
}

func loadRegFromStack(st *target.Subtarget, f *mir.Function, b mir.BlockID, at mir.InstrID, dst mir.Reg, fi int, class int16, flags mir.MIFlags) error {
	_, op := spillOpcodes(f, class)
	if op == 0 {
		return st.NotSupported(f, "reloading of register class "+f.Facts.RegClassName(desc.ClassID(class)))
	}
	i := f.New(op, frameAddr([]mir.Operand{mir.RegOp(dst, mir.Def)}, fi)...)
	f.Instr(i).SetFlags(flags)
	f.SetMem(i, stackMem(f, fi, mir.MemLoad))
	f.InsertBefore(b, at, i)
	return nil
}

// commutableOps: the two sources of a commutable two-address instruction are operands 1 and 2.
func commutableOps(_ *target.Subtarget, f *mir.Function, i mir.InstrID, a, b int) (int, int, bool) {
	if !f.Desc(i).IsCommutable() || f.Desc(i).NumOperands < 3 || f.Desc(i).NumDefs != 1 {
		return 0, 0, false
	}
	if !f.Op(i, 1).IsReg() || !f.Op(i, 2).IsReg() {
		return 0, 0, false
	}
	if a >= 0 && a != 1 && a != 2 || b >= 0 && b != 1 && b != 2 {
		return 0, 0, false
	}
	return 1, 2, true
}

// plainCommute lists the commutable instructions that stay themselves when
// their sources are exchanged. CMOV, shifts of two registers, compares and the
// like would need another opcode or condition.
func plainCommute(op desc.Opcode) bool {
	switch op {
	case tab.ADD8rr, tab.ADD16rr, tab.ADD32rr, tab.ADD64rr,
		tab.ADC8rr, tab.ADC16rr, tab.ADC32rr, tab.ADC64rr,
		tab.AND8rr, tab.AND16rr, tab.AND32rr, tab.AND64rr,
		tab.OR8rr, tab.OR16rr, tab.OR32rr, tab.OR64rr,
		tab.XOR8rr, tab.XOR16rr, tab.XOR32rr, tab.XOR64rr,
		tab.IMUL16rr, tab.IMUL32rr, tab.IMUL64rr,
		tab.ADDSSrr, tab.ADDSDrr, tab.MULSSrr, tab.MULSDrr,
		tab.ANDPSrr, tab.ANDPDrr, tab.ORPSrr, tab.ORPDrr, tab.XORPSrr, tab.XORPDrr:
		return true
	}
	return false
}

func commute(_ *target.Subtarget, f *mir.Function, i mir.InstrID, a, b int) bool {
	if !plainCommute(f.Instr(i).Opcode) {
		return false
	}
	x, y := *f.Op(i, a), *f.Op(i, b)
	f.SetReg(i, a, y.Reg())
	f.SetReg(i, b, x.Reg())
	f.Op(i, a).SetSubReg(y.SubReg())
	f.Op(i, b).SetSubReg(x.SubReg())
	f.Op(i, a).SetFlag(mir.Kill|mir.Undef, false)
	f.Op(i, b).SetFlag(mir.Kill|mir.Undef, false)
	f.Op(i, a).SetFlag(y.Flags()&(mir.Kill|mir.Undef), true)
	f.Op(i, b).SetFlag(x.Flags()&(mir.Kill|mir.Undef), true)
	return true
}

// convertToThreeAddress turns 64-bit additions into LEA where nothing reads the flags.
func convertToThreeAddress(_ *target.Subtarget, f *mir.Function, i mir.InstrID) mir.InstrID {
	for k := range f.Instr(i).NumOps() {
		if o := f.Op(i, k); o.IsDef() && o.IsImplicit() && !o.IsDead() && flagsRead(f, i) {
			return 0
		}
	}
	switch f.Instr(i).Opcode {
	case tab.ADD64rr, tab.ADD64ri32:
	default:
		return 0
	}
	dst, x, y := *f.Op(i, 0), *f.Op(i, 1), *f.Op(i, 2)
	if x.SubReg() != 0 || y.IsReg() && y.SubReg() != 0 || !x.Reg().IsVirtual() || y.IsReg() && !y.Reg().IsVirtual() {
		return 0
	}
	b := mir.Builder{F: f, Loc: f.Instr(i).Loc}
	b.SetBefore(i)
	wide := func(o mir.Operand) (mir.Operand, bool) {
		cl := f.Facts.CommonSubClass(desc.ClassID(f.VReg(o.Reg()).Class), tab.GR64_NOSPRegClassID)
		if cl == desc.NoClass {
			return o, false
		}
		f.VReg(o.Reg()).Class = int16(cl)
		return mir.RegOp(o.Reg(), 0), true
	}
	base, ok := wide(x)
	if !ok {
		return 0
	}
	index, disp := mir.RegOp(0, 0), mir.ImmOp(0)
	if y.IsReg() {
		if index, ok = wide(y); !ok {
			return 0
		}
	} else if disp = y; y.Kind() != mir.OpImm {
		return 0
	}
	n := b.Build(tab.LEA64r, mir.RegOp(dst.Reg(), mir.Def), base, mir.ImmOp(1), index, disp, mir.RegOp(0, 0))
	f.Erase(i)
	return n
}

// flagsRead reports whether EFLAGS as i leaves them may be read.
func flagsRead(f *mir.Function, i mir.InstrID) bool {
	eflags := reg(tab.EFLAGS)
	b := f.Instr(i).Block()
	for j := f.Instr(i).Next(); j != 0; j = f.Instr(j).Next() {
		for _, o := range f.Ops(j) {
			if o.IsReg() && o.Reg() == eflags && o.IsUse() && !o.IsUndef() {
				return true
			}
		}
		for _, o := range f.Ops(j) {
			if o.IsReg() && o.Reg() == eflags && o.IsDef() || o.Kind() == mir.OpRegMask {
				return false
			}
		}
	}
	for _, s := range f.Succs(b) {
		if f.IsLiveIn(s.Block, eflags) {
			return true
		}
	}
	return false
}

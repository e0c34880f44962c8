package x86

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// addrOps is the number of operands of an address: base, scale, index, displacement, segment.
const addrOps = 5

// The operands of an address.
const (
	addrBase = iota
	addrScale
	addrIndex
	addrDisp
	addrSegment
)

// optSize reports that code size counts more than speed.
func optSize(f *mir.Function) bool {
	_, size := target.FnAttr(f, "optsize")
	return size || minSize(f)
}

func minSize(f *mir.Function) bool {
	_, ok := target.FnAttr(f, "minsize")
	return ok
}

// foldMemory is InstrHooks.FoldMemory.
func foldMemory(st *target.Subtarget, f *mir.Function, i mir.InstrID, ops []int, m target.MemRef) mir.InstrID {
	if preventsFold(st, f, i) {
		return 0
	}
	for _, k := range ops {
		// A part of the register is not where the slot begins, or the rest would be
		// lost. MOV32r0 clears all 64 bits.
		o := f.Op(i, k)
		if sub := o.SubReg(); sub != 0 && (o.IsDef() || sub == uint16(tab.Sub8BitHi)) && (f.Instr(i).Opcode != tab.MOV32r0 || sub != uint16(tab.Sub32Bit)) {
			return 0
		}
	}
	return foldInto(st, f, i, ops, &m)
}

// preventsFold reports instructions whose memory form would wait for the old
// value of its destination: a load of its own breaks that dependency.
func preventsFold(st *target.Subtarget, f *mir.Function, i mir.InstrID) bool {
	if optSize(f) {
		return false
	}
	op := f.Instr(i).Opcode
	if partialUpdate(st, op, true) {
		return true
	}
	if st.Facts.Traits(op).Flags&desc.UndefFold == 0 || !f.Op(i, 1).IsReg() {
		return false
	}
	o := f.Op(i, 1)
	if o.IsUndef() {
		return true
	}
	if !o.Reg().IsVirtual() {
		return false
	}
	d := f.UniqueDef(o.Reg())
	return d != 0 && f.Instr(d).Opcode == desc.IMPLICIT_DEF
}

// foldInto folds one operand, or both of TEST r, r, which becomes a comparison with 0.
func foldInto(st *target.Subtarget, f *mir.Function, i mir.InstrID, ops []int, m *target.MemRef) mir.InstrID {
	if len(ops) == 1 {
		return foldOperand(st, f, i, ops[0], m, true)
	}
	if len(ops) != 2 || ops[0] != 0 || ops[1] != 1 {
		return 0
	}
	for _, t := range [...]struct {
		op, cmp desc.Opcode
		bytes   int64
	}{
		{tab.TEST8rr, tab.CMP8mi, 1}, {tab.TEST16rr, tab.CMP16mi, 2}, {tab.TEST32rr, tab.CMP32mi, 4}, {tab.TEST64rr, tab.CMP64mi32, 8},
	} {
		if f.Instr(i).Opcode == t.op && (m.Size == 0 || m.Size >= t.bytes) && f.Op(i, 0).Reg() == f.Op(i, 1).Reg() {
			n := newFused(f, i, t.cmp)
			for _, o := range m.Addr {
				f.AddOp(n, o)
			}
			f.AddOp(n, mir.ImmOp(0))
			return placeFused(f, i, n)
		}
	}
	return 0
}

// foldOperand folds operand k of i; where i commutes, perhaps exchanged with another one.
func foldOperand(st *target.Subtarget, f *mir.Function, i mir.InstrID, k int, m *target.MemRef, commuted bool) mir.InstrID {
	op := f.Instr(i).Opcode
	if findsGOT(f, i) {
		return 0
	}
	if op == tab.MOV32r0 || op == tab.MOV32r1 || op == tab.MOV32r_1 {
		return foldConstant(f, i, m)
	}
	if n := foldElement(f, i, k, m); n != 0 {
		return n
	}
	pair := k < 2 && f.Instr(i).NumOps() > 1 && f.Op(i, 0).IsReg() && f.Op(i, 1).IsReg() && f.TiedTo(i, 1) == 0 && f.Op(i, 0).Reg() == f.Op(i, 1).Reg()
	if pair {
		k = 0
	}
	if fd := foldOf(f.Facts, op, k, pair); fd != nil {
		if m.Align < fd.Flags.Align() || m.Size != 0 && !foldFits(f, op, k, fd.Flags, m.Size) {
			return 0
		}
		skip := 1
		if pair {
			skip = 2
		}
		return fuse(f, i, fd.Mem, k, skip, m)
	}
	if !commuted {
		return 0
	}
	a, b, ok := commutableOps(st, f, i, k, -1)
	if !ok || a != k && b != k {
		return 0
	}
	if f.Instr(i).NumOps() > 0 && f.Op(i, 0).IsReg() && f.Op(i, 0).IsDef() {
		for _, x := range [...]int{a, b} {
			if f.TiedTo(i, x) == 0 && f.Op(i, x).Reg() == f.Op(i, 0).Reg() {
				return 0
			}
		}
	}
	if !commute(st, f, i, a, b) {
		return 0
	}
	n := foldOperand(st, f, i, a+b-k, m, false)
	commute(st, f, i, a, b)
	return n
}

// foldOf finds the memory form for an operand.
func foldOf(in *desc.Info, op desc.Opcode, k int, pair bool) *desc.FoldDesc {
	rows := in.FoldsOf(op)
	for r := range rows {
		fd := &rows[r]
		if int(fd.Operand) == k && fd.Flags&desc.UnfoldOnly == 0 && pair == (fd.Flags&(desc.FoldLoad|desc.FoldStore) == desc.FoldLoad|desc.FoldStore) {
			return fd
		}
	}
	return nil
}

// foldFits reports whether an operand fits memory of size bytes: what is read is
// no longer than that, and what is written just as long.
func foldFits(f *mir.Function, op desc.Opcode, k int, fl desc.FoldFlags, size int64) bool {
	n := classBytes(f, f.Facts.OperandClass(op, k, f.Facts.DefaultMode))
	return (fl&desc.FoldLoad == 0 || size >= n) && (fl&desc.FoldStore == 0 || size == n)
}

func classBytes(f *mir.Function, c desc.ClassID) int64 {
	return int64(f.Facts.ClassSize(c, f.Facts.DefaultMode).RegSize) / 8
}

// foldConstant makes a constant in a register a store of that constant.
func foldConstant(f *mir.Function, i mir.InstrID, m *target.MemRef) mir.InstrID {
	if m.Size != 0 && m.Size != 4 {
		return 0
	}
	v := int64(0)
	switch f.Instr(i).Opcode {
	case tab.MOV32r1:
		v = 1
	case tab.MOV32r_1:
		v = -1
	}
	n := f.New(tab.MOV32mi)
	f.Instr(n).Loc = f.Instr(i).Loc
	f.Instr(n).AddFlags(f.Instr(i).Flags())
	for _, o := range m.Addr {
		f.AddOp(n, o)
	}
	f.AddOp(n, mir.ImmOp(v))
	f.InsertBefore(f.Instr(i).Block(), i, n)
	return n
}

// foldElement folds what reads one element of a vector: the address moves to it.
func foldElement(f *mir.Function, i mir.InstrID, k int, m *target.MemRef) mir.InstrID {
	if k != 2 || m.Size != 0 && m.Size < 16 {
		return 0
	}
	insert := func(mem desc.Opcode, align uint8) mir.InstrID {
		if m.Align < align {
			return 0
		}
		// imm: source element in bits 7:6, destination in 5:4, zeroed ones in 3:0.
		imm := f.Op(i, 3).Imm()
		n := fuse(f, i, mem, 2, 1, shifted(m, imm>>6&3*4))
		if n != 0 {
			f.SetImm(n, 2+addrOps, imm&0x3f)
		}
		return n
	}
	high := func(mem desc.Opcode) mir.InstrID {
		if m.Align < 3 {
			return 0
		}
		return fuse(f, i, mem, 2, 1, shifted(m, 8))
	}
	switch f.Instr(i).Opcode {
	case tab.INSERTPSrri:
		return insert(tab.INSERTPSrmi, 2)
	case tab.VINSERTPSrri:
		return insert(tab.VINSERTPSrmi, 0)
	case tab.VINSERTPSZrri:
		return insert(tab.VINSERTPSZrmi, 0)
	case tab.MOVHLPSrr:
		return high(tab.MOVLPSrm)
	case tab.VMOVHLPSrr:
		return high(tab.VMOVLPSrm)
	case tab.VMOVHLPSZrr:
		return high(tab.VMOVLPSZ128rm)
	case tab.UNPCKLPDrr:
		// Unlike UNPCKLPD, MOVHPD reads 8 bytes of any alignment.
		if m.Align < 4 {
			return fuse(f, i, tab.MOVHPDrm, 2, 1, m)
		}
	}
	return 0
}

// shifted is m with off added to its displacement.
func shifted(m *target.MemRef, off int64) *target.MemRef {
	if off == 0 {
		return m
	}
	s := *m
	s.Addr = append([]mir.Operand(nil), m.Addr...)
	if d := &s.Addr[addrDisp]; d.IsImm() {
		*d = d.WithImm(d.Imm() + off)
	} else {
		*d = d.WithOffset(d.Offset() + off)
	}
	return &s
}

// newFused begins the memory form of i: everything but its operands.
func newFused(f *mir.Function, i mir.InstrID, op desc.Opcode) mir.InstrID {
	n := f.New(op)
	f.Instr(n).Loc = f.Instr(i).Loc
	f.Instr(n).AddFlags(f.Instr(i).Flags() &^ (mir.BundledPred | mir.BundledSucc))
	if f.HasExtra(i) {
		e := f.Extra(i)
		e.Number = 0
		f.SetExtra(n, e)
	}
	f.CopyMem(n, i)
	return n
}

// fuse puts before i opcode op with the address in the place of skip operands from k on.
func fuse(f *mir.Function, i mir.InstrID, op desc.Opcode, k, skip int, m *target.MemRef) mir.InstrID {
	n := newFused(f, i, op)
	for x := 0; x < f.Instr(i).NumOps(); x++ {
		if o := *f.Op(i, x); o.IsReg() && o.IsImplicit() {
			break
		} else if x == k {
			for _, o := range m.Addr {
				f.AddOp(n, o)
			}
			x += skip - 1
		} else {
			f.AddOp(n, o)
		}
	}
	return placeFused(f, i, n)
}

// placeFused gives n the implicit operands of i and puts it before that, unless
// its registers do not fit.
func placeFused(f *mir.Function, i, n mir.InstrID) mir.InstrID {
	for x := range f.Instr(i).NumOps() {
		if o := *f.Op(i, x); o.IsReg() && o.IsImplicit() {
			f.AddOp(n, o)
		}
	}
	f.TieDeclared(n)
	for x, d := range f.Facts.Operands(f.Instr(n).Opcode) {
		o := f.Op(n, x)
		if !o.IsReg() || !o.Reg().IsVirtual() || d.RegClass < 0 || o.SubReg() != 0 || f.VReg(o.Reg()).Class < 0 {
			continue
		}
		want := f.Facts.OperandClass(f.Instr(n).Opcode, x, f.Facts.DefaultMode)
		c := f.Facts.CommonSubClass(desc.ClassID(f.VReg(o.Reg()).Class), want)
		if c == desc.NoClass {
			f.Erase(n)
			return 0
		}
		f.VReg(o.Reg()).Class = int16(c)
	}
	f.InsertBefore(f.Instr(i).Block(), i, n)
	return n
}

// foldLoad is InstrHooks.FoldLoad.
func foldLoad(st *target.Subtarget, f *mir.Function, i mir.InstrID, ops []int, load mir.InstrID) mir.InstrID {
	for _, k := range ops {
		if f.Op(i, k).SubReg() != 0 {
			return 0
		}
	}
	if f.Op(load, 0).SubReg() != 0 {
		return 0
	}
	if _, fi, _, ok := st.LoadFromStackSlot(f, load); ok {
		if loadsTooLittle(f, load, i) {
			return 0
		}
		o := f.Frame.Object(fi)
		return foldMemory(st, f, i, ops, target.MemRef{Addr: f.Ops(load)[1 : 1+addrOps : 1+addrOps], Size: o.Size, Align: o.Align})
	}
	if preventsFold(st, f, i) {
		return 0
	}
	m := target.MemRef{}
	if f.NumMem(load) == 1 {
		m.Align = accessAlign(f.MemOf(load, 0))
	}
	d := f.Desc(load)
	at := int(d.NumOperands) - addrOps
	if at < 1 || !d.MayLoad() || f.NumMem(load) != 1 || loadsTooLittle(f, load, i) {
		return 0
	}
	if op := f.Instr(i).Opcode; isLoadedTPOff(f.Op(load, at+addrDisp)) && op != tab.ADD64rr && op != tab.ADD32rr {
		return 0
	}
	// The operands lie in an arena that new instructions move.
	var buf [addrOps]mir.Operand
	m.Addr = append(buf[:0], f.Ops(load)[at:at+addrOps]...)
	return foldInto(st, f, i, ops, &m)
}

// accessAlign is log2 of the alignment of an access.
func accessAlign(m *mir.MemOperand) uint8 {
	a := m.BaseAlign
	for a > 0 && m.Offset&(1<<a-1) != 0 {
		a--
	}
	return a
}

// loadsTooLittle reports a load of a scalar into a vector register, which user
// would read as a whole.
func loadsTooLittle(f *mir.Function, load, user mir.InstrID) bool {
	bytes := int64(0)
	switch f.Instr(load).Opcode {
	case tab.MOVSSrm, tab.VMOVSSrm, tab.VMOVSSZrm, tab.MOVSSrm_alt, tab.VMOVSSrm_alt, tab.VMOVSSZrm_alt:
		bytes = 4
	case tab.MOVSDrm, tab.VMOVSDrm, tab.VMOVSDZrm, tab.MOVSDrm_alt, tab.VMOVSDrm_alt, tab.VMOVSDZrm_alt:
		bytes = 8
	case tab.VMOVSHZrm, tab.VMOVSHZrm_alt:
		bytes = 2
	default:
		return false
	}
	r := f.Op(load, 0).Reg()
	if r.IsVirtual() && f.VReg(r).Class >= 0 && classBytes(f, desc.ClassID(f.VReg(r).Class)) <= bytes {
		return false
	}
	return f.Facts.Traits(f.Instr(user).Opcode).ScalarLoads&uint8(bytes) == 0
}

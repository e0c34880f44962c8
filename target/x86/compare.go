package x86

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// A comparison is not needed where EFLAGS already say what its readers ask: the
// same comparison before it, or what computed the value that it compares with 0.

// allBits is the mask of comparisons that look at all bits.
const allBits = ^int64(0)

// cmpOf is the comparison that a subtraction makes whose result is not read, 0
// for other instructions.
func cmpOf(op desc.Opcode) desc.Opcode {
	switch op {
	case tab.SUB64ri32:
		return tab.CMP64ri32
	case tab.SUB32ri:
		return tab.CMP32ri
	case tab.SUB16ri:
		return tab.CMP16ri
	case tab.SUB8ri:
		return tab.CMP8ri
	case tab.SUB64rr:
		return tab.CMP64rr
	case tab.SUB32rr:
		return tab.CMP32rr
	case tab.SUB16rr:
		return tab.CMP16rr
	case tab.SUB8rr:
		return tab.CMP8rr
	case tab.SUB64rm:
		return tab.CMP64rm
	case tab.SUB32rm:
		return tab.CMP32rm
	case tab.SUB16rm:
		return tab.CMP16rm
	case tab.SUB8rm:
		return tab.CMP8rm
	}
	return 0
}

// analyzeCompare is InstrHooks.AnalyzeCompare.
func analyzeCompare(_ *target.Subtarget, f *mir.Function, i mir.InstrID) (c target.Compare, ok bool) {
	src := 0
	op := f.Instr(i).Opcode
	if cmp := cmpOf(op); cmp != 0 {
		op, src = cmp, 1
	}
	whole := func(k int) bool { o := f.Op(i, k); return o.IsReg() && o.SubReg() == 0 }
	switch op {
	case tab.CMP64ri32, tab.CMP32ri, tab.CMP16ri, tab.CMP8ri:
		c.Src = f.Op(i, src).Reg()
		if o := f.Op(i, src+1); o.IsImm() {
			c.Mask, c.Value = allBits, o.Imm()
		}
		return c, whole(src)
	case tab.CMP64rm, tab.CMP32rm, tab.CMP16rm, tab.CMP8rm:
		c.Src = f.Op(i, src).Reg()
		return c, whole(src)
	case tab.CMP64rr, tab.CMP32rr, tab.CMP16rr, tab.CMP8rr:
		c.Src, c.Src2 = f.Op(i, src).Reg(), f.Op(i, src+1).Reg()
		return c, whole(src) && whole(src+1)
	case tab.TEST64rr, tab.TEST32rr, tab.TEST16rr, tab.TEST8rr:
		c.Src, c.Mask = f.Op(i, 0).Reg(), allBits
		if whole(0) && whole(1) && c.Src != f.Op(i, 1).Reg() {
			c.Src = sameAnd(f, i)
			return c, c.Src != 0
		}
		return c, whole(0) && whole(1)
	case tab.TEST8ri:
		// Of a condition that was stored.
		c.Src, c.Mask = f.Op(i, 0).Reg(), 1
		return c, whole(0) && f.Op(i, 1).IsImm() && f.Op(i, 1).Imm() == 1
	}
	return c, false
}

// sameAnd gives the result of an AND before TEST i in its block, of the same two
// registers: the TEST compares that with 0. 0 when there is none.
func sameAnd(f *mir.Function, i mir.InstrID) mir.Reg {
	and := tab.AND64rr
	switch f.Instr(i).Opcode {
	case tab.TEST32rr:
		and = tab.AND32rr
	case tab.TEST16rr:
		and = tab.AND16rr
	case tab.TEST8rr:
		and = tab.AND8rr
	}
	a, b := f.Op(i, 0).Reg(), f.Op(i, 1).Reg()
	if !a.IsVirtual() || !b.IsVirtual() {
		return 0
	}
	n := 0
	for u, k := range f.NonDebugUses(a) {
		if n++; n > maxUses {
			break
		}
		if f.Instr(u).Opcode != and || f.Instr(u).Block() != f.Instr(i).Block() || k < 1 || k > 2 || !f.Before(u, i) {
			continue
		}
		if o := f.Op(u, 3-k); o.Reg() == b && o.SubReg() == 0 && f.Op(u, k).SubReg() == 0 && f.Op(u, 0).Reg().IsVirtual() && f.Op(u, 0).SubReg() == 0 {
			return f.Op(u, 0).Reg()
		}
	}
	return 0
}

// maxUses bounds how many uses of a register are looked at.
const maxUses = 16

// flagsFrom is where the flags of a comparison can come from instead.
type flagsFrom struct {
	by mir.InstrID
	// same: by compares the same. Else its result is what is compared with 0 (or,
	// with cond, its flags say whether its source is 0).
	same, swapped bool
	delta         int64 // same: the constants differ by this much
	noSign        bool  // the sign flag is not that of the result
	clearsOF      bool
	isZero        int64         // cond: holds where the source is 0
	cond          bool          // the flags of by say it, not its result
	borrow        bool          // by takes 1 from what is compared with 0
	carry         bool          // by adds: the sum is compared with what was added, or, swapped, that with it
	zeroSum       bool          // by adds: the sum is 0 where what is compared is equal
	zeroing       mir.InstrID   // a MOV32r0 between by and the comparison, to be moved before by
	path          []mir.BlockID // the blocks from by's to the comparison's, without by's
}

// maxFlagsScan bounds how many instructions are looked at for the flags.
const maxFlagsScan = 256

// optimizeCompare is InstrHooks.OptimizeCompare, on code in SSA form.
func optimizeCompare(st *target.Subtarget, f *mir.Function, i mir.InstrID, c target.Compare) bool {
	if cmp := cmpOf(f.Instr(i).Opcode); cmp != 0 {
		if f.HasUses(f.Op(i, 0).Reg()) {
			return false
		}
		f.DropDebugUses(f.Op(i, 0).Reg())
		f.RemoveOp(i, 0)
		f.Instr(i).Opcode = cmp
	}
	switch f.Instr(i).Opcode {
	case tab.CMP64rm, tab.CMP32rm, tab.CMP16rm, tab.CMP8rm:
		return false
	}
	if !c.Src.IsVirtual() || c.Src2 != 0 && !c.Src2.IsVirtual() {
		return false
	}
	stored := f.Instr(i).Opcode == tab.TEST8ri
	var from flagsFrom
	var ok bool
	if stored {
		from, ok = findCondition(f, i, c)
	} else {
		from, ok = findFlags(st, f, i, c)
	}
	if !ok {
		return !stored && (borrowCompare(f, i, c) || widenCompare(st, f, i, c))
	}
	conds, ok := newConds(f, i, c, &from)
	if !ok {
		return false
	}
	if from.zeroing != 0 && !moveZeroing(f, i, &from) {
		return false
	}
	for k := range f.Instr(from.by).NumOps() {
		if o := f.Op(from.by, k); o.IsDef() && o.Reg() == reg(tab.EFLAGS) {
			f.SetOpFlag(from.by, k, mir.Dead, false)
		}
	}
	clearFlagKills(f, from.by, i)
	f.Erase(i)
	for _, n := range conds {
		f.SetImm(n.user, n.at, n.cc)
	}
	for _, b := range from.path {
		if !f.IsLiveIn(b, reg(tab.EFLAGS)) {
			f.AddLiveIn(b, reg(tab.EFLAGS), mir.AllLanes)
		}
	}
	return true
}

// widenCompare makes a comparison of 16 bits, loaded from memory, with an immediate
// of 16 bits one of 32, where signs are not asked for: the prefix that shortens
// the immediate stops the decoders of many processors for cycles. The load
// extends; x86-fixup-bw-insts would have made it so.
func widenCompare(st *target.Subtarget, f *mir.Function, i mir.InstrID, c target.Compare) bool {
	if f.Instr(i).Opcode != tab.CMP16ri || c.Mask == 0 || c.Value == int64(int8(c.Value)) || optSize(f) || st.HasFeature("fast-imm16") {
		return false
	}
	load := f.UniqueDef(c.Src)
	if load == 0 || f.Op(load, 0).SubReg() != 0 {
		return false
	}
	// A load that was widened for a comparison before this one.
	wide := mir.Reg(0)
	if f.Instr(load).Opcode == desc.COPY && f.Op(load, 1).SubReg() == uint16(tab.Sub16Bit) && f.Op(load, 1).Reg().IsVirtual() {
		wide = f.Op(load, 1).Reg()
		load = f.UniqueDef(wide)
		if load == 0 || f.Instr(load).Opcode != tab.MOVZX32rm16 {
			return false
		}
	} else if f.Instr(load).Opcode != tab.MOV16rm {
		return false
	}
	if !unsignedReaders(f, i) {
		return false
	}
	if wide == 0 {
		wide = f.AddVReg(int16(tab.GR32RegClassID))
		b := mir.Builder{F: f, Loc: f.Instr(load).Loc}
		b.SetAfter(load)
		b.Build(desc.COPY, mir.RegOp(c.Src, mir.Def), mir.SubRegOp(wide, uint16(tab.Sub16Bit), 0))
		f.Instr(load).Opcode = tab.MOVZX32rm16
		f.SetReg(load, 0, wide)
	}
	f.Instr(i).Opcode = tab.CMP32ri
	f.SetReg(i, 0, wide)
	f.SetOpFlag(i, 0, mir.Kill, false)
	f.SetImm(i, 1, int64(uint16(c.Value)))
	return true
}

// unsignedReaders reports whether all readers of the flags of comparison i stand in
// its block and ask for equality or unsigned order.
func unsignedReaders(f *mir.Function, i mir.InstrID) bool {
	for j := f.Instr(i).Next(); j != 0; j = f.Instr(j).Next() {
		reads, writes := flagsUse(f, j)
		if reads {
			at := condOperand(f, j)
			if at < 0 {
				return false
			}
			switch f.Op(j, at).Imm() {
			case condE, condNE, condA, condAE, condB, condBE:
			default:
				return false
			}
		}
		if writes || killsFlags(f, j) {
			return true
		}
	}
	for _, s := range f.Succs(f.Instr(i).Block()) {
		if f.IsLiveIn(s.Block, reg(tab.EFLAGS)) {
			return false
		}
	}
	return true
}

// clearFlagKills: readers of the flags behind by, which live on now, kill them no longer.
func clearFlagKills(f *mir.Function, by, i mir.InstrID) {
	end := mir.InstrID(0)
	if f.Instr(by).Block() == f.Instr(i).Block() {
		end = i
	}
	clean := func(from, end mir.InstrID) {
		for j := from; j != 0 && j != end; j = f.Instr(j).Next() {
			for k := range f.Instr(j).NumOps() {
				if o := f.Op(j, k); o.IsKill() && o.Reg() == reg(tab.EFLAGS) {
					f.SetOpFlag(j, k, mir.Kill, false)
				}
			}
		}
	}
	clean(f.Instr(by).Next(), end)
	if end == 0 {
		for b := f.Instr(i).Block(); b != f.Instr(by).Block(); b = f.Preds(b)[0] {
			clean(f.Block(b).First(), i)
		}
	}
}

// above goes from the start of block b to the end of the only block before it, which must
// not be that of i, where the way began.
func (from *flagsFrom) above(f *mir.Function, i mir.InstrID, b mir.BlockID) (mir.BlockID, mir.InstrID, bool) {
	if f.NumPreds(b) != 1 || f.Preds(b)[0] == f.Instr(i).Block() {
		return b, 0, false
	}
	from.path = append(from.path, b)
	b = f.Preds(b)[0]
	return b, f.Block(b).Last(), true
}

// findFlags looks back from comparison i for flags that say the same.
func findFlags(st *target.Subtarget, f *mir.Function, i mir.InstrID, c target.Compare) (from flagsFrom, ok bool) {
	def := f.UniqueDef(c.Src)
	zero := c.Mask != 0 && c.Value == 0
	b, j := f.Instr(i).Block(), f.Instr(i).Prev()
	for n := 0; n < maxFlagsScan; n++ {
		if j == 0 {
			if b, j, ok = from.above(f, i, b); !ok {
				return from, false
			}
			continue
		}
		if j == def {
			if zero && setsFlagsOfResult(f, j, &from) {
				from.by = j
				return from, true
			}
			if zero && setsFlagsOfAnd(f, i, j, &from) {
				return from, true
			}
			if addsCompared(f, i, j, c, &from) {
				from.by = j
				return from, true
			}
			return from, false
		}
		if _, writes := flagsUse(f, j); writes {
			if zero {
				if cc := zeroCond(f.Instr(j).Opcode); cc >= 0 && f.Op(j, 1).IsReg() && f.Op(j, 1).Reg() == c.Src && f.Op(j, 1).SubReg() == 0 {
					from.by, from.cond, from.isZero = j, true, int64(cc)
					return from, true
				}
			}
			if sameCompare(st, f, i, j, c, &from) {
				from.by, from.same = j, true
				return from, true
			}
			if addsCompared(f, i, j, c, &from) {
				from.by = j
				return from, true
			}
			if from.zeroing != 0 || f.Instr(j).Opcode != tab.MOV32r0 || !flagsDead(f, j) {
				return from, false
			}
			from.zeroing = j
		}
		j = f.Instr(j).Prev()
	}
	return from, false
}

// flagsDead reports that no definition of EFLAGS by i is read.
func flagsDead(f *mir.Function, i mir.InstrID) bool {
	for _, o := range f.Ops(i) {
		if o.IsDef() && o.Reg() == reg(tab.EFLAGS) && !o.IsDead() {
			return false
		}
	}
	return true
}

// sameCompare reports that j compares what i compares.
func sameCompare(st *target.Subtarget, f *mir.Function, i, j mir.InstrID, c target.Compare, from *flagsFrom) bool {
	op, cmp := f.Instr(j).Opcode, f.Instr(i).Opcode
	switch op {
	case tab.CMP64rr, tab.CMP32rr, tab.CMP16rr, tab.CMP8rr, tab.SUB64rr, tab.SUB32rr, tab.SUB16rr, tab.SUB8rr:
		d, ok := analyzeCompare(st, f, j)
		if !ok || c.Src2 == 0 {
			return false
		}
		if c.Src == d.Src && c.Src2 == d.Src2 {
			return true
		}
		from.swapped = c.Src == d.Src2 && c.Src2 == d.Src
		return from.swapped
	case tab.CMP64ri32, tab.CMP32ri, tab.CMP16ri, tab.CMP8ri, tab.SUB64ri32, tab.SUB32ri, tab.SUB16ri, tab.SUB8ri,
		tab.TEST64rr, tab.TEST32rr, tab.TEST16rr, tab.TEST8rr:
		d, ok := analyzeCompare(st, f, j)
		if c.Mask == 0 {
			// A comparison with a symbol is the same when it is that one.
			return op == cmp && identicalUses(f, i, j)
		}
		if !ok || c.Src != d.Src || d.Mask != c.Mask || c.Src2 != 0 || d.Src2 != 0 {
			return false
		}
		// Of a value and its neighbour: x < 5 is x <= 4.
		from.delta = c.Value - d.Value
		return -1 <= from.delta && from.delta <= 1
	}
	return false
}

func identicalUses(f *mir.Function, i, j mir.InstrID) bool {
	if f.Instr(i).NumOps() != f.Instr(j).NumOps() {
		return false
	}
	for k := range f.Instr(i).NumOps() {
		if !f.Op(i, k).SameValue(f.Op(j, k)) {
			return false
		}
	}
	return true
}

// setsFlagsOfResult reports that i, which computes what is compared with 0, sets
// the zero flag accordingly, and tells about the others.
func setsFlagsOfResult(f *mir.Function, i mir.InstrID, from *flagsFrom) bool {
	if f.Op(i, 0).SubReg() != 0 {
		return false
	}
	switch f.Instr(i).Opcode {
	case tab.ADD64rm, tab.ADD32rm:
		// The linker may turn the addition of a thread-local offset into LEA.
		if isLoadedTPOff(f.Op(i, 2+addrDisp)) {
			return false
		}
	}
	count := func(k int) int64 {
		bits := int64(31)
		if f.Facts.OperandClass(f.Instr(i).Opcode, 0, f.Facts.DefaultMode) == tab.GR64RegClassID {
			bits = 63
		}
		return f.Op(i, k).Imm() & bits
	}
	switch f.Instr(i).Opcode {
	case tab.SAR8ri, tab.SAR16ri, tab.SAR32ri, tab.SAR64ri, tab.SHR8ri, tab.SHR16ri, tab.SHR32ri, tab.SHR64ri:
		// A shift by 0 leaves the flags alone.
		return count(2) != 0
	case tab.SHL8ri, tab.SHL16ri, tab.SHL32ri, tab.SHL64ri:
		// Those that LEA can do are better without flags.
		n := count(2)
		return n > 3
	case tab.SHLD16rri8, tab.SHLD32rri8, tab.SHLD64rri8, tab.SHRD16rri8, tab.SHRD32rri8, tab.SHRD64rri8:
		return count(3) != 0
	case tab.SUB64ri32, tab.SUB32ri, tab.SUB16ri, tab.SUB8ri, tab.SUB64rr, tab.SUB32rr, tab.SUB16rr, tab.SUB8rr,
		tab.SUB64rm, tab.SUB32rm, tab.SUB16rm, tab.SUB8rm, tab.DEC64r, tab.DEC32r, tab.DEC16r, tab.DEC8r,
		tab.ADD64ri32, tab.ADD32ri, tab.ADD16ri, tab.ADD8ri, tab.ADD64rr, tab.ADD32rr, tab.ADD16rr, tab.ADD8rr,
		tab.ADD64rm, tab.ADD32rm, tab.ADD16rm, tab.ADD8rm, tab.INC64r, tab.INC32r, tab.INC16r, tab.INC8r,
		tab.ADC64ri32, tab.ADC32ri, tab.ADC16ri, tab.ADC8ri, tab.ADC64rr, tab.ADC32rr, tab.ADC16rr, tab.ADC8rr,
		tab.ADC64rm, tab.ADC32rm, tab.ADC16rm, tab.ADC8rm,
		tab.SBB64ri32, tab.SBB32ri, tab.SBB16ri, tab.SBB8ri, tab.SBB64rr, tab.SBB32rr, tab.SBB16rr, tab.SBB8rr,
		tab.SBB64rm, tab.SBB32rm, tab.SBB16rm, tab.SBB8rm,
		tab.NEG64r, tab.NEG32r, tab.NEG16r, tab.NEG8r,
		tab.SAR64r1, tab.SAR32r1, tab.SAR16r1, tab.SAR8r1, tab.SHR64r1, tab.SHR32r1, tab.SHR16r1, tab.SHR8r1:
		return true
	case tab.LZCNT64rr, tab.LZCNT64rm, tab.LZCNT32rr, tab.LZCNT32rm, tab.LZCNT16rr, tab.LZCNT16rm,
		tab.TZCNT64rr, tab.TZCNT64rm, tab.TZCNT32rr, tab.TZCNT32rm, tab.TZCNT16rr, tab.TZCNT16rm,
		tab.POPCNT64rr, tab.POPCNT64rm, tab.POPCNT32rr, tab.POPCNT32rm, tab.POPCNT16rr, tab.POPCNT16rm,
		tab.BEXTR32rr, tab.BEXTR32rm, tab.BEXTR64rr, tab.BEXTR64rm:
		from.noSign = true
		return true
	case tab.AND64ri32, tab.AND32ri, tab.AND16ri, tab.AND8ri, tab.AND64rr, tab.AND32rr, tab.AND16rr, tab.AND8rr,
		tab.AND64rm, tab.AND32rm, tab.AND16rm, tab.AND8rm,
		tab.OR64ri32, tab.OR32ri, tab.OR16ri, tab.OR8ri, tab.OR64rr, tab.OR32rr, tab.OR16rr, tab.OR8rr,
		tab.OR64rm, tab.OR32rm, tab.OR16rm, tab.OR8rm,
		tab.XOR64ri32, tab.XOR32ri, tab.XOR16ri, tab.XOR8ri, tab.XOR64rr, tab.XOR32rr, tab.XOR16rr, tab.XOR8rr,
		tab.XOR64rm, tab.XOR32rm, tab.XOR16rm, tab.XOR8rm,
		tab.ANDN64rr, tab.ANDN64rm, tab.ANDN32rr, tab.ANDN32rm, tab.BZHI64rr, tab.BZHI64rm, tab.BZHI32rr, tab.BZHI32rm,
		tab.BLSI64rr, tab.BLSI64rm, tab.BLSI32rr, tab.BLSI32rm, tab.BLSR64rr, tab.BLSR64rm, tab.BLSR32rr, tab.BLSR32rm,
		tab.BLSMSK64rr, tab.BLSMSK64rm, tab.BLSMSK32rr, tab.BLSMSK32rm:
		from.clearsOF = true
		return true
	}
	return false
}

// setsFlagsOfAnd sees through the extension, or the cut, between an AND and the
// TEST of its result: the value is 0 where the AND's is, but its sign is another.
func setsFlagsOfAnd(f *mir.Function, i, def mir.InstrID, from *flagsFrom) bool {
	test := f.Instr(i).Opcode
	src := 0
	switch f.Instr(def).Opcode {
	case desc.SUBREG_TO_REG:
		if test != tab.TEST64rr {
			return false
		}
		for src = 1; !f.Op(def, src).IsReg(); src++ {
		}
	case desc.COPY:
		if test != tab.TEST16rr || f.Op(def, 1).SubReg() != uint16(tab.Sub16Bit) {
			return false
		}
		src = 1
	default:
		return false
	}
	if !f.Op(def, src).Reg().IsVirtual() {
		return false
	}
	and := f.UniqueDef(f.Op(def, src).Reg())
	if and == 0 || f.Instr(and).Block() != f.Instr(def).Block() {
		return false
	}
	switch op := f.Instr(and).Opcode; op {
	case tab.AND64ri32, tab.AND32ri, tab.AND64ri8, tab.AND32ri8:
		if imm := f.Op(and, 2); test == tab.TEST16rr && (!imm.IsImm() || imm.Imm() != int64(uint16(imm.Imm()))) {
			return false
		}
	case tab.AND64rr, tab.AND32rr, tab.AND64rm, tab.AND32rm:
		if test == tab.TEST16rr {
			return false
		}
	default:
		return false
	}
	n := 0
	for j := f.Instr(and).Next(); j != def; j = f.Instr(j).Next() {
		if n++; n > maxFlagsScan {
			return false
		}
		if _, writes := flagsUse(f, j); writes {
			return false
		}
	}
	from.by, from.noSign, from.clearsOF = and, true, true
	return true
}

// zeroCond is the condition that holds after an instruction whose source is 0, -1
// when its flags do not say.
func zeroCond(op desc.Opcode) int {
	switch op {
	case tab.NEG8r, tab.NEG16r, tab.NEG32r, tab.NEG64r, tab.BLSI32rr, tab.BLSI64rr:
		return condAE
	case tab.LZCNT16rr, tab.LZCNT32rr, tab.LZCNT64rr, tab.TZCNT16rr, tab.TZCNT32rr, tab.TZCNT64rr,
		tab.BLSR32rr, tab.BLSR64rr, tab.BLSMSK32rr, tab.BLSMSK64rr:
		return condB
	case tab.POPCNT16rr, tab.POPCNT32rr, tab.POPCNT64rr, tab.BSF16rr, tab.BSF32rr, tab.BSF64rr, tab.BSR16rr, tab.BSR32rr, tab.BSR64rr:
		return condE
	}
	return -1
}

// newCond is a condition to be changed.
type newCond struct {
	user mir.InstrID
	at   int
	cc   int64
}

// condOperand finds the condition of an instruction that reads EFLAGS by one, -1
// when it reads them otherwise.
func condOperand(f *mir.Function, i mir.InstrID) int {
	infos := f.Facts.Operands(f.Instr(i).Opcode)
	// Selections that become branches do not say what their last operand is.
	if n := len(infos) - 1; n >= 0 && (infos[n].Type == operandCond || f.Desc(i).UsesCustomInserter() && f.Op(i, n).IsImm()) {
		return n
	}
	return -1
}

// operandCond is LLVM's number of the type of operands that are conditions.
const operandCond = desc.FirstTargetOperandType + 1

// newConds gives what the conditions of the flags' readers become; false when
// one of them reads what the new flags do not say.
func newConds(f *mir.Function, i mir.InstrID, c target.Compare, from *flagsFrom) (conds []newCond, ok bool) {
	changes := from.cond
	liveOut := true
	for j := f.Instr(i).Next(); j != 0; j = f.Instr(j).Next() {
		reads, writes := flagsUse(f, j)
		if !reads && writes {
			liveOut = false
			break
		}
		if !reads {
			continue
		}
		at, old := condOperand(f, j), int64(-1)
		if at >= 0 {
			old = f.Op(j, at).Imm()
		}
		if (!from.same || from.swapped || from.delta != 0) && (old < 0 || old > condG) {
			return nil, false
		}
		cc, ok := newCondition(f, c, from, old)
		if !ok {
			return nil, false
		}
		changes = changes || from.swapped || from.delta != 0
		if cc != old {
			conds = append(conds, newCond{j, at, cc})
		}
		if writes || killsFlags(f, j) {
			liveOut = false
			break
		}
	}
	if liveOut && (!from.same || changes) {
		for _, s := range f.Succs(f.Instr(i).Block()) {
			if f.IsLiveIn(s.Block, reg(tab.EFLAGS)) {
				return nil, false
			}
		}
	}
	return conds, true
}

func killsFlags(f *mir.Function, i mir.InstrID) bool {
	for _, o := range f.Ops(i) {
		if o.IsKill() && o.Reg() == reg(tab.EFLAGS) {
			return true
		}
	}
	return false
}

// newCondition is the condition that asks the flags of from.by what cc asked those
// of the comparison.
func newCondition(f *mir.Function, c target.Compare, from *flagsFrom, cc int64) (int64, bool) {
	switch {
	case from.borrow:
		if cc == condE {
			return condB, true
		}
		return condAE, cc == condNE
	case from.zeroSum:
		return cc, cc == condE || cc == condNE
	case from.carry && from.swapped:
		if cc == condA {
			return condB, true
		}
		return condAE, cc == condBE
	case from.carry:
		return cc, cc == condB || cc == condAE
	case !from.same && from.cond:
		if cc == condE || cc == condNE {
			return from.isZero ^ cc&1, true
		}
		return 0, false
	case !from.same:
		switch cc {
		case condA, condAE, condB, condBE:
			return 0, false // a comparison with 0 never borrows
		case condG, condGE, condL, condLE:
			return cc, !from.noSign && from.clearsOF
		case condO, condNO:
			return cc, from.clearsOF
		case condS, condNS:
			return cc, !from.noSign
		}
		return cc, true
	case from.swapped:
		s := swappedCond(cc)
		return s, s >= 0
	case from.delta != 0:
		return neighbourCond(cc, from.delta, c.Value, classBytes(f, desc.ClassID(f.VReg(c.Src).Class))*8)
	}
	return cc, true
}

// swappedCond is the condition on b, a that is cc on a, b; -1 when there is none.
func swappedCond(cc int64) int64 {
	switch cc {
	case condE, condNE:
		return cc
	case condL:
		return condG
	case condG:
		return condL
	case condLE:
		return condGE
	case condGE:
		return condLE
	case condB:
		return condA
	case condA:
		return condB
	case condBE:
		return condAE
	case condAE:
		return condBE
	}
	return -1
}

// neighbourCond is the condition on x and value-delta that is cc on x and value.
func neighbourCond(cc, delta, value int64, bits int64) (int64, bool) {
	least := int64(-1) << (bits - 1)
	greatest := ^least
	value = value << (64 - bits) >> (64 - bits)
	switch {
	case delta == 1 && value != least && cc == condL:
		return condLE, true
	case delta == 1 && value != least && cc == condGE:
		return condG, true
	case delta == 1 && value != 0 && cc == condB:
		return condBE, true
	case delta == 1 && value != 0 && cc == condAE:
		return condA, true
	case delta == -1 && value != greatest && cc == condG:
		return condGE, true
	case delta == -1 && value != greatest && cc == condLE:
		return condL, true
	case delta == -1 && value != -1 && cc == condA:
		return condAE, true
	case delta == -1 && value != -1 && cc == condBE:
		return condB, true
	}
	return 0, false
}

// moveZeroing puts the MOV32r0 between from.by and the comparison before what
// last wrote the flags that from.by may read.
func moveZeroing(f *mir.Function, i mir.InstrID, from *flagsFrom) bool {
	b := f.Instr(i).Block()
	if f.Instr(from.by).Block() != b || f.Instr(from.zeroing).Block() != b {
		return false
	}
	for j := from.by; j != 0; j = f.Instr(j).Prev() {
		if reads, writes := flagsUse(f, j); !reads && writes {
			f.Move(b, j, from.zeroing)
			return true
		}
	}
	return false
}

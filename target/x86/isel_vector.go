package x86

import (
	"slices"

	"github.com/mirin-go/mirin/codegen/matchtable"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// This file selects what puts vectors together and takes them apart. What is built of
// elements of other vectors is a shuffle of these (shuffle.go).

// vecSelector builds instructions in front of the one that is selected.
type vecSelector struct {
	m    *matchtable.Matcher
	f    *mir.Function
	st   *target.Subtarget
	root mir.InstrID
	b    mir.Builder
	made []mir.Reg // by emit
}

// selectVector selects what is about vectors and no pattern says: see selectCustom.
func selectVector(m *matchtable.Matcher, i mir.InstrID) (bool, error) {
	f := m.F
	switch f.Instr(i).Opcode {
	case desc.G_BUILD_VECTOR, desc.G_SHUFFLE_VECTOR, desc.G_EXTRACT_VECTOR_ELT, desc.G_CONCAT_VECTORS, desc.G_UNMERGE_VALUES:
	default:
		return false, nil
	}
	v := &vecSelector{m: m, f: f, st: m.ST, root: i}
	v.b = mir.Builder{F: f, Loc: f.Instr(i).Loc}
	v.b.SetBefore(i)
	var r mir.Reg
	switch f.Instr(i).Opcode {
	case desc.G_BUILD_VECTOR:
		r = v.build(i)
	case desc.G_SHUFFLE_VECTOR:
		r = v.shuffle(i)
	case desc.G_EXTRACT_VECTOR_ELT:
		return v.extract(i), nil
	case desc.G_CONCAT_VECTORS:
		r = v.concat(i)
	case desc.G_UNMERGE_VALUES:
		return v.halves(i), nil
	}
	if r == 0 {
		return false, nil
	}
	v.become(i, r)
	return true, nil
}

func (v *vecSelector) has(feature string) bool { return hasFeature(v.st, feature) }

// become puts r in the place of what i defines.
func (v *vecSelector) become(i mir.InstrID, r mir.Reg) {
	f := v.f
	d := f.Op(i, 0).Reg()
	if n := len(v.made); n > 0 && slices.Contains(v.made, r) && !f.HasUses(r) {
		if def := f.UniqueDef(r); def != 0 {
			f.SetReg(def, 0, d)
			f.Erase(i)
			v.m.Constrain(def)
			return
		}
	}
	v.copyTo(i, r, 0)
}

// copyTo makes i a copy of r, of a part of it.
func (v *vecSelector) copyTo(i mir.InstrID, r mir.Reg, sub desc.SubRegIdx) {
	f := v.f
	for f.Instr(i).NumOps() > 1 {
		f.RemoveOp(i, f.Instr(i).NumOps()-1)
	}
	f.Instr(i).Opcode = desc.COPY
	f.AddOp(i, mir.SubRegOp(r, uint16(sub), 0))
	v.m.Constrain(i)
}

// emit builds an instruction with a result of a class.
func (v *vecSelector) emit(op desc.Opcode, class desc.ClassID, ops ...mir.Operand) mir.Reg {
	f := v.f
	d := f.AddVReg(int16(class))
	all := append([]mir.Operand{mir.RegOp(d, mir.Def)}, ops...)
	var i mir.InstrID
	if op >= desc.FirstTargetOpcode {
		i = v.b.BuildInstr(op, all...)
	} else {
		i = v.b.Build(op, all...)
	}
	v.m.Constrain(i)
	v.made = append(v.made, d)
	for k := range f.Instr(i).NumOps() {
		if o := f.Op(i, k); o.IsReg() && o.IsDef() && o.IsImplicit() {
			f.SetOpFlag(i, k, mir.Dead, true)
		}
	}
	return d
}

func read(r mir.Reg) mir.Operand { return mir.RegOp(r, 0) }

// xmm builds an instruction that makes 128 bits.
func (v *vecSelector) xmm(op desc.Opcode, ops ...mir.Operand) mir.Reg {
	return v.emit(op, tab.VR128RegClassID, ops...)
}

func (v *vecSelector) ymm(op desc.Opcode, ops ...mir.Operand) mir.Reg {
	return v.emit(op, tab.VR256RegClassID, ops...)
}

func (v *vecSelector) undef(bits int) mir.Reg { return v.emit(desc.IMPLICIT_DEF, vecClass(bits)) }

func vecClass(bits int) desc.ClassID {
	switch bits {
	case 256:
		return tab.VR256RegClassID
	case 512:
		return tab.VR512RegClassID
	}
	return tab.VR128RegClassID
}

//===- Constants ------------------------------------------------------------

// constant makes a vector of constant bits, low word first.
func (v *vecSelector) constant(words []uint64) mir.Reg {
	bits := 64 * len(words)
	zero, ones := true, true
	for _, w := range words {
		zero, ones = zero && w == 0, ones && w == ^uint64(0)
	}
	switch {
	case zero && bits == 128:
		return v.xmm(tab.V_SET0)
	case zero && bits == 256:
		return v.ymm(tab.AVX_SET0)
	case zero:
		return v.emit(tab.AVX512_512_SET0, tab.VR512RegClassID)
	case ones && bits == 512:
		return v.emit(tab.AVX512_512_SETALLONES, tab.VR512RegClassID)
	case ones && bits == 128:
		return v.xmm(tab.V_SETALLONES)
	case ones && v.has("avx2"):
		return v.ymm(tab.AVX2_SETALLONES)
	case ones:
		return v.ymm(tab.AVX1_SETALLONES)
	}
	return v.load(wideOps{tab.MOVAPSrm, tab.VMOVAPSYrm, tab.VMOVAPSZrm}.of(bits), vecClass(bits), words)
}

// load loads constant bits.
func (v *vecSelector) load(op desc.Opcode, class desc.ClassID, words []uint64) mir.Reg {
	f := v.f
	align := uint8(3)
	for 8<<(align-3) < 8*len(words) {
		align++
	}
	n := poolWords(f, words, align)
	r := v.emit(op, class, symbolMem(v.m.ST, v.f, mir.IndexOp(mir.OpCPI, uint32(n), 0, 0))...)
	bits := 64 * len(words)
	f.SetMem(f.UniqueDef(r), f.AddMem(mir.MemOperand{Type: mir.Scalar(bits), Size: int64(bits / 8), PtrKind: mir.PtrConstantPool,
		Flags: mir.MemLoad | mir.MemDereferenceable | mir.MemInvariant, BaseAlign: align}))
	return r
}

// poolWords is the number in the constant pool of constant bits. The last entries are
// looked through: equal ones come in runs.
func poolWords(f *mir.Function, words []uint64, align uint8) int {
	pool := f.IRConsts()
	ty := ir.Int128
	if len(words) != 2 {
		ty = f.Module.Types.Int(64 * len(words))
	}
	for n := len(f.Consts) - 1; n >= max(0, len(f.Consts)-32); n-- {
		c := f.Consts[n].Value.Const()
		if c == 0 || f.Consts[n].Align != align {
			continue
		}
		if r := pool.At(c); r.Kind == ir.ConstInt && r.Type == ty && slices.Equal(pool.Words(c), words) {
			return n
		}
	}
	return f.AddConst(pool.Wide(ir.ConstInt, ty, words), align)
}

// setBits puts element k of e bits into words.
func setBits(words []uint64, k, e int, bits uint64) {
	if e < 64 {
		bits &= 1<<e - 1
	}
	words[k*e/64] |= bits << (k * e % 64)
}

//===- Build ----------------------------------------------------------------

// element is what an element of a vector that is built is.
type element struct {
	kind elementKind
	bits uint64  // of a constant
	reg  mir.Reg // the scalar, or the vector
	at   int     // the number in the vector
}

type elementKind uint8

const (
	elemUndef elementKind = iota
	elemConst
	elemOf     // of a vector
	elemScalar // in a register
)

// elementOf finds out what scalar r of e bits is.
func (v *vecSelector) elementOf(r mir.Reg, e int) element {
	f := v.f
	d := v.m.Def(r)
	if d == 0 {
		return element{kind: elemScalar, reg: r}
	}
	switch f.Instr(d).Opcode {
	case desc.G_IMPLICIT_DEF, desc.IMPLICIT_DEF:
		return element{}
	case desc.G_CONSTANT:
		if n, ok := v.m.OperandConst(f.Op(d, 1)); ok {
			return element{kind: elemConst, bits: uint64(n)}
		}
	case desc.G_FCONSTANT:
		if n, ok := v.m.OperandFP(f.Op(d, 1)); ok {
			return element{kind: elemConst, bits: n}
		}
	case desc.G_EXTRACT_VECTOR_ELT:
		x := f.Op(d, 1).Reg()
		if n, ok := v.m.Const(f.Op(d, 2).Reg()); ok && f.TypeOf(x).ScalarBits() == e {
			if n < 0 || int(n) >= f.TypeOf(x).NumElems() {
				return element{}
			}
			return element{kind: elemOf, reg: v.m.Look(x), at: int(n)}
		}
	}
	return element{kind: elemScalar, reg: r}
}

// build selects a G_BUILD_VECTOR.
func (v *vecSelector) build(i mir.InstrID) mir.Reg {
	f := v.f
	t := f.TypeOf(f.Op(i, 0).Reg())
	e := t.ScalarBits()
	if t.Bits() != 128 && t.Bits() != 256 && t.Bits() != 512 {
		return 0
	}
	elems := make([]element, t.NumElems())
	for k := range elems {
		if k > 0 && f.Op(i, 1+k).Reg() == f.Op(i, k).Reg() {
			elems[k] = elems[k-1]
			continue
		}
		elems[k] = v.elementOf(f.Op(i, 1+k).Reg(), e)
	}
	return v.buildOf(elems, e)
}

// buildOf makes a vector of elements of e bits.
func (v *vecSelector) buildOf(elems []element, e int) mir.Reg {
	n := len(elems)
	count := [4]int{}
	for _, x := range elems {
		count[x.kind]++
	}
	bits := n * e
	switch {
	case count[elemUndef] == n:
		return v.undef(bits)
	case count[elemOf] == 0 && count[elemScalar] == 0:
		words := make([]uint64, bits/64)
		for k, x := range elems {
			setBits(words, k, e, x.bits)
		}
		return v.constant(words)
	}
	if count[elemScalar] > 0 && count[elemOf] == 0 {
		if r := v.buildSplat(elems, e); r != 0 {
			return r
		}
	}
	if bits > 128 {
		return v.buildWide(elems, e)
	}
	if count[elemScalar] > 0 && count[elemOf] == 0 && count[elemConst] == 0 {
		return v.buildScalars(elems, e)
	}
	return v.buildMixed(elems, e)
}

// buildSplat makes a vector of one scalar, in all elements or in the first alone; 0
// for others.
func (v *vecSelector) buildSplat(elems []element, e int) mir.Reg {
	x, first := element{}, true
	for k, y := range elems {
		switch {
		case y.kind == elemUndef:
		case y.kind != elemScalar || x.kind == elemScalar && x.reg != y.reg:
			return 0
		default:
			x = y
			first = first && k == 0
		}
	}
	n := len(elems)
	lo := v.scalarToVector(x.reg, e)
	if first {
		for bits := 256; bits <= n*e; bits *= 2 {
			lo = v.join(lo, 0, bits)
		}
		return lo
	}
	mask := make([]int32, n)
	for k := range mask {
		if mask[k] = 0; elems[k].kind == elemUndef {
			mask[k] = -1
		}
	}
	if n*e > 128 {
		return v.broadcast(lo, e, n*e)
	}
	return v.shuffle128(lo, 0, mask, e)
}

// scalarToVector moves a scalar to the first element of a register.
func (v *vecSelector) scalarToVector(r mir.Reg, e int) mir.Reg {
	f := v.f
	if f.VReg(r).Class >= 0 && v.inVector(r) || f.VReg(r).Class < 0 && desc.BankID(f.VReg(r).Bank) == bankVECR {
		return v.emit(desc.COPY, tab.VR128RegClassID, read(r))
	}
	if e == 64 {
		return v.xmm(tab.MOV64toPQIrr, read(r))
	}
	return v.xmm(tab.MOVDI2PDIrr, read(v.word(r, e)))
}

// inVector reports a register of a class of vector registers.
func (v *vecSelector) inVector(r mir.Reg) bool {
	return v.f.Facts.BankCovers(bankVECR, desc.ClassID(v.f.VReg(r).Class))
}

// word is an integer of 8, 16 or 32 bits as 32 bits, of which those above do not count.
func (v *vecSelector) word(r mir.Reg, e int) mir.Reg {
	sub := tab.Sub8Bit
	switch e {
	case 32:
		return r
	case 16:
		sub = tab.Sub16Bit
	}
	class := v.f.Facts.SubClassWithSubReg(tab.GR32RegClassID, sub)
	u := v.emit(desc.IMPLICIT_DEF, class)
	return v.emit(desc.INSERT_SUBREG, class, read(u), read(r), mir.ImmOp(int64(sub)))
}

// inGPR reports a scalar in a general register.
func (v *vecSelector) inGPR(r mir.Reg) bool {
	if c := v.f.VReg(r).Class; c >= 0 {
		return !v.inVector(r)
	}
	return desc.BankID(v.f.VReg(r).Bank) != bankVECR
}

// insertOp is the instruction that puts a general register into an element, 0 for none.
func (v *vecSelector) insertOp(e int) desc.Opcode {
	switch {
	case e == 16:
		return tab.PINSRWrri
	case !v.has("sse4.1"):
	case e == 8:
		return tab.PINSRBrri
	case e == 32:
		return tab.PINSRDrri
	case e == 64:
		return tab.PINSRQrri
	}
	return 0
}

// buildScalars makes 128 bits of scalars and undefined elements.
func (v *vecSelector) buildScalars(elems []element, e int) mir.Reg {
	if op := v.insertOp(e); op != 0 {
		gpr := true
		for _, x := range elems {
			gpr = gpr && (x.kind == elemUndef || v.inGPR(x.reg))
		}
		if gpr {
			acc := mir.Reg(0)
			if elems[0].kind != elemUndef {
				acc = v.scalarToVector(elems[0].reg, e)
			} else {
				acc = v.undef(128)
			}
			for k := 1; k < len(elems); k++ {
				if elems[k].kind != elemUndef {
					acc = v.insert(op, acc, elems[k].reg, e, k)
				}
			}
			return acc
		}
	}
	// Neighbours are interleaved, then pairs, and so on.
	parts := make([]mir.Reg, len(elems))
	for k, x := range elems {
		switch {
		case x.kind == elemUndef:
		case k > 0 && elems[k-1].kind == elemScalar && elems[k-1].reg == x.reg:
			parts[k] = parts[k-1]
		default:
			parts[k] = v.scalarToVector(x.reg, e)
		}
	}
	for w := e; len(parts) > 1; w *= 2 {
		var next []mir.Reg
		for k := 0; k < len(parts); k += 2 {
			lo, hi := parts[k], parts[k+1]
			switch {
			case hi == 0:
			case lo == 0:
				lo = v.xmm(unpackOp(w, false), read(hi), read(hi))
			default:
				lo = v.xmm(unpackOp(w, false), read(lo), read(hi))
			}
			next = append(next, lo)
		}
		parts = next
	}
	return parts[0]
}

// insert puts general register r into element k.
func (v *vecSelector) insert(op desc.Opcode, acc, r mir.Reg, e, k int) mir.Reg {
	if e < 64 {
		r = v.word(r, e)
	}
	return v.xmm(op, read(acc), read(r), mir.ImmOp(int64(k)))
}

// buildMixed makes 128 bits of elements of vectors, of constants and of scalars.
func (v *vecSelector) buildMixed(elems []element, e int) mir.Reg {
	n := len(elems)
	g := gather{v: v, e: e, n: n}
	lanes := make([]lane, n)
	words := make([]uint64, 2)
	zero, consts := true, false
	for k, x := range elems {
		if x.kind == elemConst {
			setBits(words, k, e, x.bits)
			consts = true
		}
	}
	zero = words[0] == 0 && words[1] == 0
	constSrc := -1
	var scalars []int
	op := v.insertOp(e)
	for k, x := range elems {
		switch x.kind {
		case elemUndef:
			lanes[k].src = noLane
		case elemConst:
			if zero {
				lanes[k].src = zeroLane
				break
			}
			if constSrc < 0 {
				constSrc = g.source(v.constant(words))
			}
			lanes[k] = lane{constSrc, k}
		case elemOf:
			lanes[k] = g.lane(x.reg, x.at)
		case elemScalar:
			if op != 0 && v.inGPR(x.reg) {
				scalars = append(scalars, k)
				lanes[k].src = noLane
				break
			}
			lanes[k] = lane{g.scalar(x.reg), 0}
		}
	}
	_ = consts
	if len(scalars) > 0 && len(scalars) == 1 && scalars[0] == 0 && zero && allZeroButFirst(lanes) {
		// The move clears what is above.
		if e >= 32 {
			return v.scalarToVector(elems[0].reg, e)
		}
	}
	acc := g.shuffle(lanes)
	for _, k := range scalars {
		acc = v.insert(op, acc, elems[k].reg, e, k)
	}
	return acc
}

func allZeroButFirst(lanes []lane) bool {
	for _, l := range lanes[1:] {
		if l.src != zeroLane && l.src != noLane {
			return false
		}
	}
	return true
}

// buildWide makes more than 128 bits: a shuffle of two registers, or of halves.
func (v *vecSelector) buildWide(elems []element, e int) mir.Reg {
	if r := v.shuffleOfWide(elems, e); r != 0 {
		return r
	}
	n := len(elems) / 2
	var half [2]mir.Reg
	for k := range half {
		es := elems[k*n : (k+1)*n]
		if slices.ContainsFunc(es, func(x element) bool { return x.kind != elemUndef }) {
			half[k] = v.buildOf(es, e)
		}
	}
	if slices.Equal(elems[:n], elems[n:]) {
		half[1] = half[0]
	}
	return v.join(half[0], half[1], len(elems)*e)
}

// shuffleOfWide does elements that all are of one or two registers as wide as the
// result; 0 for others.
func (v *vecSelector) shuffleOfWide(elems []element, e int) mir.Reg {
	var src [2]mir.Reg
	mask := make([]int32, len(elems))
	for k, x := range elems {
		mask[k] = -1
		if x.kind == elemUndef {
			continue
		}
		if x.kind != elemOf || v.f.TypeOf(x.reg).Bits() != len(elems)*e {
			return 0
		}
		switch {
		case src[0] == 0 || src[0] == x.reg:
			src[0], mask[k] = x.reg, int32(x.at)
		case src[1] == 0 || src[1] == x.reg:
			src[1], mask[k] = x.reg, int32(x.at+len(elems))
		default:
			return 0
		}
	}
	if src[0] == 0 {
		return 0
	}
	return v.shuffleWide(src[0], src[1], mask, e)
}

//===- Other shapes ---------------------------------------------------------

// concat selects the joining of registers, two or four.
func (v *vecSelector) concat(i mir.InstrID) mir.Reg {
	f := v.f
	t := f.TypeOf(f.Op(i, 0).Reg())
	if t.Bits() < 256 || isBits(t) {
		return 0
	}
	var parts []mir.Reg
	for k := 1; k < f.Instr(i).NumOps(); k++ {
		r := f.Op(i, k).Reg()
		if d := v.m.Def(r); d != 0 && f.Instr(d).Opcode == desc.G_IMPLICIT_DEF {
			r = 0
		}
		parts = append(parts, r)
	}
	for bits := 2 * t.Bits() / len(parts); len(parts) > 1; bits *= 2 {
		var next []mir.Reg
		for k := 0; k < len(parts); k += 2 {
			if parts[k] == 0 && parts[k+1] == 0 {
				next = append(next, 0)
				continue
			}
			next = append(next, v.join(parts[k], parts[k+1], bits))
		}
		parts = next
	}
	if parts[0] == 0 {
		return v.undef(t.Bits())
	}
	return parts[0]
}

// halves selects the cutting of a register into shorter ones.
func (v *vecSelector) halves(i mir.InstrID) bool {
	f := v.f
	nd := f.Instr(i).NumOps() - 1
	src := f.Op(i, nd).Reg()
	p := f.TypeOf(f.Op(i, 0).Reg())
	if !p.IsVector() || isBits(p) || p.Bits() < 128 {
		return false
	}
	for k := range nd {
		d := f.Op(i, k).Reg()
		if !f.HasUses(d) {
			continue
		}
		sub, op := tab.SubXmm, v.extractOp(src)
		if p.Bits() == 256 {
			sub, op = tab.SubYmm, tab.VEXTRACTF64X4Zrri
		}
		var n mir.InstrID
		if k == 0 {
			n = v.b.Build(desc.COPY, mir.RegOp(d, mir.Def), mir.SubRegOp(src, uint16(sub), 0))
		} else {
			n = v.b.BuildInstr(op, mir.RegOp(d, mir.Def), read(src), mir.ImmOp(int64(k)))
		}
		v.m.Constrain(n)
	}
	f.Erase(i)
	return true
}

// extract selects the taking of one element.
func (v *vecSelector) extract(i mir.InstrID) bool {
	f := v.f
	k, ok := v.m.Const(f.Op(i, 2).Reg())
	if !ok {
		return false
	}
	d, x := f.Op(i, 0).Reg(), f.Op(i, 1).Reg()
	t := f.TypeOf(x)
	e := t.ScalarBits()
	if k < 0 || int(k) >= t.NumElems() {
		f.Instr(i).Opcode = desc.IMPLICIT_DEF
		f.RemoveOp(i, 2)
		f.RemoveOp(i, 1)
		v.m.Constrain(i)
		return true
	}
	if t.Bits() > 128 {
		per := 128 / e
		x = v.part(x, int(k)/per)
		k %= int64(per)
	}
	if !v.inGPR(d) {
		if k > 0 {
			mask := []int32{int32(k), -1, -1, -1}
			x = v.shuffle128(x, 0, mask[:128/e], e)
		}
		v.copyTo(i, x, 0)
		return true
	}
	var r mir.Reg
	sub := desc.SubRegIdx(0)
	gpr := func(op desc.Opcode, ops ...mir.Operand) mir.Reg { return v.emit(op, tab.GR32RegClassID, ops...) }
	switch {
	case e == 64 && k == 0:
		r = v.emit(tab.MOVPQIto64rr, tab.GR64RegClassID, read(x))
	case e == 64 && v.has("sse4.1"):
		r = v.emit(tab.PEXTRQrri, tab.GR64RegClassID, read(x), mir.ImmOp(k))
	case e == 64:
		r = v.emit(tab.MOVPQIto64rr, tab.GR64RegClassID, read(v.xmm(tab.PSHUFDri, read(x), mir.ImmOp(0xee))))
	case k == 0:
		r = gpr(tab.MOVPDI2DIrr, read(x))
	case e == 32 && v.has("sse4.1"):
		r = gpr(tab.PEXTRDrri, read(x), mir.ImmOp(k))
	case e == 32:
		r = gpr(tab.MOVPDI2DIrr, read(v.xmm(tab.PSHUFDri, read(x), mir.ImmOp(k))))
	case e == 16:
		r = gpr(tab.PEXTRWrri, read(x), mir.ImmOp(k))
	case v.has("sse4.1"):
		r = gpr(tab.PEXTRBrri, read(x), mir.ImmOp(k))
	default:
		r = gpr(tab.PEXTRWrri, read(x), mir.ImmOp(k/2))
		if k%2 == 1 {
			r = gpr(tab.SHR32ri, read(r), mir.ImmOp(8))
		}
	}
	switch e {
	case 8:
		sub = tab.Sub8Bit
	case 16:
		sub = tab.Sub16Bit
	default:
		v.become(i, r)
		return true
	}
	v.copyTo(i, r, sub)
	return true
}

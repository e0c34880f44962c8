package globalisel

import (
	"math/bits"

	"github.com/mirin-go/mirin/codegen/matchtable"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
)

// This file reads numbers at once that a program puts together of bytes, or of
// larger parts: p[0] | p[1] << 8 | ….

// loadPart is a load whose value stands in a part of a number.
type loadPart struct {
	load mir.InstrID
	base mir.Reg // the address is base + off
	off  int64
	at   int64 // the byte of the number, from the low end
	size int64 // in bytes
	swap bool  // its bytes are exchanged
}

// maxLoadParts is how many parts a number may have; maxJoinSteps how many
// instructions are looked through for them, and maxJoinScan how many may stand
// between the loads.
const (
	maxLoadParts = 8
	maxJoinSteps = 40
	maxJoinScan  = 128
)

// joinedLoad is what the parts of a number are together.
type joinedLoad struct {
	parts   [maxLoadParts]loadPart
	n       int
	steps   int
	low     int   // the part with the lowest address
	last    int   // the part that is loaded last
	at      int64 // the lowest byte that is read, of the number
	size    int64 // in bytes
	swapped bool  // the bytes stand the other way round in memory
}

// add takes v apart, whose lowest bit is bit at of the number; bits from limit on are lost.
func (j *joinedLoad) add(f *mir.Function, v mir.Reg, at, limit int64, root bool) bool {
	d := f.UniqueDef(v)
	if j.steps++; d == 0 || j.steps > maxJoinSteps || !root && !hasOneLiveUse(f, v) {
		return false
	}
	switch op := f.Instr(d).Opcode; op {
	case desc.G_OR:
		return j.add(f, f.Op(d, 1).Reg(), at, limit, false) && j.add(f, f.Op(d, 2).Reg(), at, limit, false)
	case desc.G_SHL:
		k, ok := ConstOf(f, f.Op(d, 2).Reg())
		return ok && k > 0 && k < 64 && j.add(f, f.Op(d, 1).Reg(), at+k, limit, false)
	case desc.G_ZEXT:
		x := f.Op(d, 1).Reg()
		return f.TypeOf(x).IsScalar() && j.add(f, x, at, min(limit, at+int64(f.TypeOf(x).ScalarBits())), false)
	case desc.G_LOAD, desc.G_ZEXTLOAD, desc.G_SEXTLOAD:
		return j.addLoad(f, d, at, limit, false)
	case desc.G_BSWAP:
		x := f.Op(d, 1).Reg()
		ld := f.UniqueDef(x)
		return ld != 0 && f.Instr(ld).Opcode == desc.G_LOAD && hasOneLiveUse(f, x) && j.addLoad(f, ld, at, limit, true)
	}
	return false
}

// hasOneLiveUse reports that one instruction reads r, once, besides those that are
// dead: an extending load leaves truncations that nobody reads.
func hasOneLiveUse(f *mir.Function, r mir.Reg) bool {
	const most = 8 // users
	n, live := 0, 0
	for u := range f.NonDebugUses(r) {
		if n++; n > most {
			return false
		}
		if !IsTriviallyDead(f, u) {
			live++
		}
	}
	return live == 1
}

// addLoad adds a part.
func (j *joinedLoad) addLoad(f *mir.Function, d mir.InstrID, at, limit int64, swap bool) bool {
	if j.n == maxLoadParts || f.NumMem(d) != 1 || at%8 != 0 {
		return false
	}
	mem := f.MemOf(d, 0)
	t := f.TypeOf(f.Op(d, 0).Reg())
	if mem.Flags&mir.MemVolatile != 0 || mem.Order > ir.NotAtomic || mem.Size < 1 || mem.Size > 4 || !t.IsScalar() {
		return false
	}
	// All of it is read and none of it lost; copies of its sign are.
	switch end := at + mem.Size*8; {
	case end > limit:
		return false
	case f.Instr(d).Opcode == desc.G_SEXTLOAD && end != limit:
		return false
	case f.Instr(d).Opcode == desc.G_LOAD && t.ScalarBits() != int(mem.Size)*8:
		return false
	}
	p := loadPart{load: d, base: f.Op(d, 1).Reg(), at: at / 8, size: mem.Size, swap: swap}
	for range 4 {
		a := f.UniqueDef(p.base)
		if a == 0 || f.Instr(a).Opcode != desc.G_PTR_ADD {
			break
		}
		k, ok := ConstOf(f, f.Op(a, 2).Reg())
		if !ok || k != int64(int32(k)) {
			break
		}
		p.base, p.off = f.Op(a, 1).Reg(), p.off+k
	}
	j.parts[j.n] = p
	j.n++
	return true
}

// find fills j for the number that i makes; false where it is no load.
func (j *joinedLoad) find(m *matchtable.Matcher, i mir.InstrID) bool {
	f := m.F
	d := f.Op(i, 0).Reg()
	t := f.TypeOf(d)
	n := int64(t.ScalarBits())
	if !t.IsScalar() || n != 16 && n != 32 && n != 64 || !j.add(f, d, 0, n, true) || j.n < 2 {
		return false
	}
	return j.fits(m.ST.Layout.BigEndian) && hasAccess(m.ST, f, j.parts[j.low].load, j.size) && j.unchanged(f)
}

// fits tells whether the parts lie in memory without gaps as they lie in the number, or
// the other way round.
func (j *joinedLoad) fits(bigEndian bool) bool {
	p := j.parts[:j.n]
	j.at = p[0].at
	for k := range p {
		if p[k].base != p[0].base {
			return false
		}
		j.size += p[k].size
		j.at = min(j.at, p[k].at)
		if p[k].off < p[j.low].off {
			j.low = k
		}
	}
	if j.size != 2 && j.size != 4 && j.size != 8 {
		return false
	}
	seen, straight, mirrored := uint64(0), true, true
	for k := range p {
		off, at, size := p[k].off-p[j.low].off, p[k].at-j.at, p[k].size
		if off+size > j.size || at+size > j.size {
			return false
		}
		seen |= lowMask(int(size)) << at
		up, down := off == at, off == j.size-at-size
		if bigEndian {
			up, down = down, up
		}
		one := size == 1
		straight, mirrored = straight && up && (one || !p[k].swap), mirrored && down && (one || p[k].swap)
	}
	j.swapped = !straight
	return seen == lowMask(int(j.size)) && (straight || mirrored)
}

// unchanged tells whether all parts are loaded in one block, and nothing between
// the first and the last load may write memory.
func (j *joinedLoad) unchanged(f *mir.Function) bool {
	p := j.parts[:j.n]
	first := p[0].load
	for k := range p {
		if f.Instr(p[k].load).Block() != f.Instr(first).Block() {
			return false
		}
		if f.Before(p[k].load, first) {
			first = p[k].load
		}
		if f.Before(p[j.last].load, p[k].load) {
			j.last = k
		}
	}
	n := 0
	for i := f.Instr(first).Next(); i != p[j.last].load; i = f.Instr(i).Next() {
		if f.IsDebugInstr(i) {
			continue
		}
		if n++; i == 0 || n > maxJoinScan || f.Desc(i).Flags&(desc.MayStore|desc.Call|desc.UnmodeledSideEffects) != 0 {
			return false
		}
		if op := f.Instr(i).Opcode; op == desc.INLINEASM || op == desc.INLINEASM_BR {
			return false
		}
	}
	return true
}

// joinsLoads tells an OR of parts that lie side by side in memory.
func joinsLoads(m *matchtable.Matcher, a []matchtable.Arg) bool {
	var j joinedLoad
	return j.find(m, a[0].Instr)
}

// joinLoads makes one load of the parts, where the last of them is.
func joinLoads(m *matchtable.Matcher, a []matchtable.Arg) bool {
	var j joinedLoad
	f, i := m.F, a[0].Instr
	if !j.find(m, i) {
		return false
	}
	low := &j.parts[j.low]
	mem := *f.MemOf(low.load, 0)
	mem.Size, mem.Type = j.size, mir.Scalar(int(8*j.size))
	mem.TBAA, mem.Ranges = 0, 0
	for k := range j.parts[:j.n] {
		o := f.MemOf(j.parts[k].load, 0)
		mem.Flags &= o.Flags
		if o.AliasScope != mem.AliasScope || o.NoAlias != mem.NoAlias || o.NoAliasAS != mem.NoAliasAS {
			mem.AliasScope, mem.NoAlias, mem.NoAliasAS = 0, 0, 0
		}
	}
	at := Builder{&mir.Builder{F: f, Loc: f.Instr(i).Loc}}
	at.SetBefore(j.parts[j.last].load)
	v := at.Load(mem.Type, f.Op(low.load, 1).Reg(), mem)
	b := Builder{&m.B}
	if j.swapped {
		v = b.Un(desc.G_BSWAP, mem.Type, v)
	}
	d := f.Op(i, 0).Reg()
	t := f.TypeOf(d)
	switch {
	case j.at > 0:
		b.BuildTo(desc.G_SHL, d, b.Resize(desc.G_ZEXT, t, v), b.Const(t, 8*j.at))
	case t != mem.Type:
		b.BuildTo(desc.G_ZEXT, d, v)
	default:
		b.BuildTo(desc.COPY, d, v)
	}
	return true
}

// byteTest is a test of bits that one byte in memory has.
type byteTest struct {
	load mir.InstrID
	off  int64 // of the byte
	mask int64
}

// byteTestOf finds what comparison i of an AND with 0 tests; false where that is
// no byte, or the first one, which needs no other address.
func byteTestOf(m *matchtable.Matcher, i mir.InstrID) (t byteTest, ok bool) {
	f := m.F
	v := f.Op(i, 2).Reg()
	and := f.UniqueDef(v)
	if and == 0 || f.Instr(and).Opcode != desc.G_AND || !f.HasOneUse(v) || !f.TypeOf(v).IsScalar() || f.TypeOf(v).ScalarBits() > 64 {
		return t, false
	}
	c, ok := ConstOf(f, f.Op(and, 2).Reg())
	x := f.Op(and, 1).Reg()
	t.load = f.UniqueDef(x)
	if !ok || t.load == 0 || f.NumMem(t.load) != 1 || !hasOneLiveUse(f, x) {
		return t, false
	}
	if op := f.Instr(t.load).Opcode; op != desc.G_LOAD && op != desc.G_ZEXTLOAD {
		return t, false
	}
	mem := f.MemOf(t.load, 0)
	u := uint64(c) & lowMask(f.TypeOf(v).ScalarBits())
	k := int64(bits.TrailingZeros64(u) / 8)
	if mem.Flags&mir.MemVolatile != 0 || mem.Order > ir.NotAtomic || mem.Size > 8 || u == 0 || k == 0 || k >= mem.Size || u>>(8*k) > 0xff {
		return t, false
	}
	t.mask = int64(u >> (8 * k))
	if t.off = k; m.ST.Layout.BigEndian {
		t.off = mem.Size - 1 - k
	}
	return t, true
}

func testsByte(m *matchtable.Matcher, a []matchtable.Arg) bool {
	_, ok := byteTestOf(m, a[0].Instr)
	return ok
}

// testByte loads the byte, where the whole was loaded, and tests it.
func testByte(m *matchtable.Matcher, a []matchtable.Arg) bool {
	f, i := m.F, a[0].Instr
	t, ok := byteTestOf(m, i)
	if !ok {
		return false
	}
	s8 := mir.Scalar(8)
	mem := *f.MemOf(t.load, 0)
	mem.Type, mem.Size, mem.Offset, mem.Ranges = s8, 1, mem.Offset+t.off, 0
	at := Builder{&mir.Builder{F: f, Loc: f.Instr(t.load).Loc}}
	at.SetBefore(t.load)
	v := at.Load(s8, at.PtrAddConst(f.Op(t.load, 1).Reg(), t.off), mem)
	b := Builder{&m.B}
	and := b.Bin(desc.G_AND, s8, v, b.Const(s8, t.mask))
	d := f.Op(i, 0).Reg()
	b.Build(desc.G_ICMP, Def(d), *f.Op(i, 1), Use(and), Use(b.Const(s8, 0)))
	return true
}

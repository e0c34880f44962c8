package globalisel

import (
	"cmp"
	"slices"

	"github.com/mirin-go/mirin/codegen/alias"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// LoadStoreOpt joins stores that lie side by side in memory: of constants, of
// the parts of one number, in its order or the other way round, and of what was
// loaded from places that lie side by side too. A load of what a store of its
// block wrote is replaced by the value (loadforward.go).
//
// Each block is walked once. Its stores are collected up to what no store may be
// moved across and then sorted by address; only those that have a neighbour
// cost more: what stands between the first and the last of them is asked for
// aliases, within bounds (maxJoinScan, maxJoinQueries). The joined store stands
// where the last one stood.
var LoadStoreOpt = pass.Pass{
	Name:     "loadstore-opt",
	Title:    "Generic memory optimizations",
	Requires: mir.IsSSA,
	Optional: pass.Skippable,
	KeepsCFG: true,
	Run:      runLoadStoreOpt,
}

// Bounds of the work: stores that are collected at a time, and questions about
// aliases for a group of them.
const (
	maxSideStores  = 256
	maxJoinQueries = 64
)

// storedValue is the kind of what a store writes.
type storedValue uint8

const (
	storesConst storedValue = iota // bits
	storesLoad                     // what load reads from src + srcOff, and nobody else asks for
	storesPart                     // the bits of whole from shift on
)

// sideStore is a store that may have neighbours.
type sideStore struct {
	store     mir.InstrID
	seq       int32 // its place among those collected
	kind      storedValue
	base      memBase
	off, size int64 // in bytes

	bits  uint64
	load  mir.InstrID
	src   memBase
	whole mir.Reg
	at    int64   // srcOff or shift
	count mir.LLT // the type of shift as an operand
}

// memBase names what an address is based on: a register, a stack object or a global.
type memBase uint64

const (
	frameBase  memBase = 1 << 62
	globalBase memBase = 1 << 63
)

// storeJoiner is what the pass keeps between functions.
type storeJoiner struct {
	c      *pass.Context
	f      *mir.Function
	blocks *target.BlockMove
	memory alias.Memory
	stores []sideStore
	joined int64
	recent forwarder
}

func runLoadStoreOpt(c *pass.Context, f *mir.Function) error {
	s := pass.Scratch[storeJoiner](c)
	s.c, s.f, s.joined = c, f, 0
	s.blocks = blockMoveFor(c.Subtarget, f)
	s.memory.Reset(c, f)
	s.stores = s.stores[:0]
	s.recent.forwarded = 0
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		s.recent.forget()
		for i := f.Block(b).First(); i != 0; {
			next := f.Instr(i).Next()
			if s.forward(i) {
				i = next
				continue
			}
			switch d := f.Desc(i); {
			case f.Instr(i).Opcode == desc.G_STORE:
				if f.HasOrderedMem(i) || len(s.stores) == maxSideStores {
					s.flush()
				}
				s.collect(i)
			case len(s.stores) == 0 || d.Flags&(desc.MayLoad|desc.MayStore|desc.Call|desc.UnmodeledSideEffects) == 0 && !staysPut(f, i):
			case d.IsCall() || f.HasOrderedMem(i) || f.HasSideEffects(i) || staysPut(f, i):
				s.flush()
			}
			i = next
		}
		s.flush()
	}
	c.Count("loadstore-opt", "Number of stores merged", s.joined)
	c.Count("loadstore-opt", "Number of loads replaced by what was stored", s.recent.forwarded)
	s.f = nil
	return nil
}

// blockMoveFor gives the target's instructions for blocks of memory, nil where
// there are none or the function must not have them.
func blockMoveFor(st *target.Subtarget, f *mir.Function) *target.BlockMove {
	if f.Module == nil || f.IR == nil || f.Module.Attrs.At(f.IR.Global().Attrs).Fn.Has("noimplicitfloat") {
		return nil
	}
	return st.Target.ISel.BlockMove
}

// staysPut reports instructions that stores may not pass though their
// descriptions name no effects.
func staysPut(f *mir.Function, i mir.InstrID) bool {
	switch f.Instr(i).Opcode {
	case desc.INLINEASM, desc.INLINEASM_BR, desc.EH_LABEL, desc.GC_LABEL, desc.ANNOTATION_LABEL, desc.LIFETIME_START,
		desc.LIFETIME_END, desc.MEMBARRIER, desc.G_FENCE:
		return true
	}
	return false
}

// addressOf takes an address apart.
func addressOf(f *mir.Function, p mir.Reg) (base memBase, off int64) {
	const depth = 6
	for range depth {
		d := f.UniqueDef(p)
		if d == 0 {
			break
		}
		switch o := f.Op(d, 1); f.Instr(d).Opcode {
		case desc.G_FRAME_INDEX:
			return frameBase | memBase(uint32(o.FrameIndex())), off
		case desc.G_GLOBAL_VALUE:
			if o.Kind() == mir.OpGlobal && o.TargetFlags() == 0 && o.Offset() == int64(int32(o.Offset())) {
				return globalBase | memBase(uint32(o.Index())), off + o.Offset()
			}
		case desc.G_PTR_ADD:
			if k, ok := ConstOf(f, f.Op(d, 2).Reg()); ok && k == int64(int32(k)) {
				p, off = o.Reg(), off+k
				continue
			}
		}
		break
	}
	return memBase(p), off
}

// plainAccess reports an access of 1, 2, 4 or 8 whole bytes that may be joined with others.
func plainAccess(f *mir.Function, i mir.InstrID) bool {
	if f.NumMem(i) != 1 {
		return false
	}
	m, t := f.MemOf(i, 0), f.TypeOf(f.Op(i, 0).Reg())
	return m.Flags&(mir.MemVolatile|mir.MemNonTemporal) == 0 && m.Order == ir.NotAtomic && m.AddrSpace == 0 && m.PtrKind != mir.PtrStack &&
		!t.IsVector() && !m.ScalableSize && (m.Size == 1 || m.Size == 2 || m.Size == 4 || m.Size == 8) && m.Size*8 == int64(t.Bits())
}

// collect notes store i when its value is of a kind that can be joined.
func (s *storeJoiner) collect(i mir.InstrID) {
	f := s.f
	if !plainAccess(f, i) {
		return
	}
	v := f.Op(i, 0).Reg()
	x := sideStore{store: i, seq: int32(len(s.stores)), size: f.MemOf(i, 0).Size}
	d := f.UniqueDef(v)
	if d == 0 {
		return
	}
	switch f.Instr(d).Opcode {
	case desc.G_CONSTANT:
		k, ok := ConstOf(f, v)
		if !ok {
			return
		}
		x.kind, x.bits = storesConst, uint64(k)&lowMask(int(8*x.size))
	case desc.G_LOAD:
		if !plainAccess(f, d) || f.Instr(d).Block() != f.Instr(i).Block() || !f.HasOneUse(v) {
			return
		}
		x.kind, x.load = storesLoad, d
		x.src, x.at = addressOf(f, f.Op(d, 1).Reg())
	case desc.G_TRUNC:
		x.kind = storesPart
		x.whole, x.at, x.count = partOf(f, v)
	default:
		return
	}
	x.base, x.off = addressOf(f, f.Op(i, 1).Reg())
	s.stores = append(s.stores, x)
}

// partOf finds the number whose bits from shift on are v; count is the type that
// amounts of shifts have.
func partOf(f *mir.Function, v mir.Reg) (whole mir.Reg, shift int64, count mir.LLT) {
	const depth = 6
	n := int64(f.TypeOf(v).ScalarBits())
	for range depth {
		d := f.UniqueDef(v)
		if d == 0 {
			break
		}
		x := mir.Reg(0)
		switch op := f.Instr(d).Opcode; op {
		case desc.G_TRUNC, desc.G_ZEXT, desc.G_SEXT, desc.G_ANYEXT:
			x = f.Op(d, 1).Reg()
			if t := f.TypeOf(x); !t.IsScalar() || shift+n > int64(t.ScalarBits()) {
				return v, shift, count
			}
		case desc.G_LSHR, desc.G_ASHR:
			k, ok := ConstOf(f, f.Op(d, 2).Reg())
			if !ok || k < 0 || k > 64 || shift+k+n > int64(f.TypeOf(v).ScalarBits()) {
				return v, shift, count
			}
			x, shift, count = f.Op(d, 1).Reg(), shift+k, f.TypeOf(f.Op(d, 2).Reg())
		default:
			return v, shift, count
		}
		v = x
	}
	return v, shift, count
}

// flush joins what was collected.
func (s *storeJoiner) flush() {
	list := s.stores
	s.stores = list[:0]
	if len(list) < 2 {
		return
	}
	slices.SortFunc(list, func(x, y sideStore) int {
		return cmp.Or(cmp.Compare(x.base, y.base), cmp.Compare(x.off, y.off), cmp.Compare(x.seq, y.seq))
	})
	for k := 0; k < len(list); {
		k += s.joinFrom(list[k:])
	}
}

// joinFrom joins as many of the stores from the first on as it can, and returns how
// many are done with.
func (s *storeJoiner) joinFrom(list []sideStore) int {
	size := list[0].size
	n := 1
	for n < len(list) && list[n].base == list[0].base && list[n].off == list[0].off+size && list[n].kind == list[0].kind && size+list[n].size <= blockBytes {
		size += list[n].size
		n++
	}
	for ; n > 1; n-- {
		if size&(size-1) == 0 && s.join(list[:n], size) {
			s.joined += int64(n)
			return n
		}
		size -= list[n-1].size
	}
	return 1
}

// join makes one store of a group that lies side by side, of size bytes together;
// false where it cannot, and nothing is changed.
func (s *storeJoiner) join(group []sideStore, size int64) bool {
	f := s.f
	low := &group[0]
	if size > 8 && s.blocks == nil || size <= 8 && !hasAccess(s.c.Subtarget, f, low.store, size) {
		return false
	}
	t := mir.Scalar(int(8 * size))
	var bits uint64
	swapped := false
	switch low.kind {
	case storesConst:
		for k := range group {
			at := group[k].off - low.off
			if s.c.Subtarget.Layout.BigEndian {
				at = size - at - group[k].size
			}
			if size > 8 && group[k].bits != 0 {
				return false
			}
			bits |= group[k].bits << (8 * at)
		}
	case storesLoad:
		for k := range group {
			if group[k].src != low.src || group[k].at-low.at != group[k].off-low.off || group[k].size != f.MemOf(group[k].load, 0).Size {
				return false
			}
			// Others may read it by now, who loaded what the store wrote.
			if !f.HasOneUse(f.Op(group[k].load, 0).Reg()) {
				return false
			}
		}
		if size <= 8 && !hasAccess(s.c.Subtarget, f, low.load, size) || !s.loadsTogether(group) {
			return false
		}
	case storesPart:
		var ok bool
		if swapped, ok = s.partsInOrder(group); !ok || !s.hasWhole(group, t, swapped) {
			return false
		}
	}
	if !s.storesTogether(group) {
		return false
	}
	last := low.store
	for k := range group {
		if f.Before(last, group[k].store) {
			last = group[k].store
		}
	}
	mem := joinedMem(f, group, size, func(x *sideStore) mir.InstrID { return x.store })
	b := Builder{&mir.Builder{F: f, Loc: f.Instr(last).Loc}}
	b.SetBefore(last)
	p := f.Op(low.store, 1).Reg()
	switch {
	case low.kind == storesLoad:
		s.copyJoined(group, size, mem, last)
	case size > 8:
		s.blocks.Store(s.c.Subtarget, b.Builder, s.blocks.Clear(b.Builder), p, 0, mem)
	case low.kind == storesConst:
		b.Store(b.Const(t, int64(bits)), p, mem)
	default:
		b.Store(s.wholeOf(b, group, t, swapped), p, mem)
	}
	for k := range group {
		f.Erase(group[k].store)
		if group[k].load != 0 {
			EraseDead(f, group[k].load)
		}
	}
	return true
}

// copyJoined copies size bytes at once: they are loaded where the last of the
// loads is and stored before store last.
func (s *storeJoiner) copyJoined(group []sideStore, size int64, mem mir.MemOperand, last mir.InstrID) {
	f := s.f
	low := &group[0]
	at := low.load
	for k := range group {
		if f.Before(at, group[k].load) {
			at = group[k].load
		}
	}
	from := joinedMem(f, group, size, func(x *sideStore) mir.InstrID { return x.load })
	src, dst := f.Op(low.load, 1).Reg(), f.Op(low.store, 1).Reg()
	b := Builder{&mir.Builder{F: f, Loc: f.Instr(at).Loc}}
	b.SetBefore(at)
	if size > 8 {
		v := s.blocks.Load(s.c.Subtarget, b.Builder, src, 0, from)
		b.SetBefore(last)
		b.Loc = f.Instr(last).Loc
		s.blocks.Store(s.c.Subtarget, b.Builder, v, dst, 0, mem)
		return
	}
	v := b.Load(mir.Scalar(int(8*size)), src, from)
	b.SetBefore(last)
	b.Loc = f.Instr(last).Loc
	b.Store(v, dst, mem)
}

// wholeOf builds the number of type t whose parts a group stores.
func (s *storeJoiner) wholeOf(b Builder, group []sideStore, t mir.LLT, swapped bool) mir.Reg {
	v, shift := group[0].whole, lowestPart(group)
	if shift > 0 {
		// Each part was shifted.
		v = b.Bin(desc.G_LSHR, b.Type(v), v, b.Const(group[0].count, shift))
	}
	v = b.Resize(desc.G_ANYEXT, t, v)
	if swapped {
		v = b.Un(desc.G_BSWAP, t, v)
	}
	return v
}

// lowestPart is the first of the bits that a group stores.
func lowestPart(group []sideStore) int64 {
	shift := group[0].at
	for k := range group {
		shift = min(shift, group[k].at)
	}
	return shift
}

// hasWhole tells whether the target has what wholeOf builds, behind the legalizer.
func (s *storeJoiner) hasWhole(group []sideStore, t mir.LLT, swapped bool) bool {
	if s.f.Props&mir.Legalized == 0 {
		return true
	}
	st, from := s.c.Subtarget, s.f.TypeOf(group[0].whole)
	resize := desc.Opcode(desc.G_TRUNC)
	if from.Bits() < t.Bits() {
		resize = desc.G_ANYEXT
	}
	return (lowestPart(group) == 0 || hasInstr(st, desc.G_LSHR, from, group[0].count)) &&
		(from == t || hasInstr(st, resize, t, from)) && (!swapped || hasInstr(st, desc.G_BSWAP, t))
}

// partsInOrder tells whether a group stores parts of one number that follow each
// other, and whether the other way round than memory has numbers.
func (s *storeJoiner) partsInOrder(group []sideStore) (swapped, ok bool) {
	f := s.f
	up, down := true, true
	bytes := true
	for k := range group {
		x := &group[k]
		if x.whole != group[0].whole {
			return false, false
		}
		if k > 0 {
			p := &group[k-1]
			up, down = up && x.at == p.at+8*p.size, down && x.at+8*x.size == p.at
		}
		bytes = bytes && x.size == 1
	}
	straight, mirrored := up, down
	if s.c.Subtarget.Layout.BigEndian {
		straight, mirrored = down, up
	}
	t := f.TypeOf(group[0].whole)
	if !t.IsScalar() || t.ScalarBits() > 64 {
		return false, false
	}
	return !straight, straight || mirrored && bytes
}

// joinedMem is the memory operand of the accesses of a group together.
func joinedMem(f *mir.Function, group []sideStore, size int64, of func(x *sideStore) mir.InstrID) mir.MemOperand {
	mem := *f.MemOf(of(&group[0]), 0)
	mem.Size, mem.Type = size, mir.Scalar(int(8*size))
	mem.TBAA, mem.Ranges = 0, 0
	for k := range group {
		o := f.MemOf(of(&group[k]), 0)
		mem.Flags &= o.Flags
		if o.AliasScope != mem.AliasScope || o.NoAlias != mem.NoAlias || o.NoAliasAS != mem.NoAliasAS {
			mem.AliasScope, mem.NoAlias, mem.NoAliasAS = 0, 0, 0
		}
	}
	return mem
}

// storesTogether tells whether all stores of a group may stand where the last is:
// nothing between touches what an earlier one writes.
func (s *storeJoiner) storesTogether(group []sideStore) bool {
	return s.between(group, func(x *sideStore) mir.InstrID { return x.store }, s.f.MayLoad)
}

// loadsTogether tells whether all loads of a group may stand where the last is:
// nothing between writes what an earlier one reads, and no store of the group
// writes what is loaded behind it.
func (s *storeJoiner) loadsTogether(group []sideStore) bool {
	f := s.f
	for k := range group {
		for l := range group {
			if f.Before(group[k].store, group[l].load) && s.mayAlias(group[k].store, group[l].load) {
				return false
			}
		}
	}
	return s.between(group, func(x *sideStore) mir.InstrID { return x.load }, nil)
}

// between asks what stands between the first and the last instruction of a group, and writes
// memory or is one that also says, about aliases with those of the group before it.
// Stores of the group itself do not count.
func (s *storeJoiner) between(group []sideStore, of func(x *sideStore) mir.InstrID, also func(mir.InstrID) bool) bool {
	f := s.f
	first, last := of(&group[0]), of(&group[0])
	for k := range group {
		i := of(&group[k])
		if f.Before(i, first) {
			first = i
		}
		if f.Before(last, i) {
			last = i
		}
	}
	scanned, asked := 0, 0
	for i := f.Instr(first).Next(); i != last; i = f.Instr(i).Next() {
		if f.IsDebugInstr(i) {
			continue
		}
		if scanned++; i == 0 || scanned > maxJoinScan {
			return false
		}
		if !f.MayStore(i) && (also == nil || !also(i)) || slices.ContainsFunc(group, func(x sideStore) bool { return x.store == i }) {
			continue
		}
		for k := range group {
			if m := of(&group[k]); f.Before(m, i) {
				if asked++; asked > maxJoinQueries || s.mayAlias(i, m) {
					return false
				}
			}
		}
	}
	return true
}

// mayAlias reports that i may touch what m accesses, one of a group.
func (s *storeJoiner) mayAlias(i, m mir.InstrID) bool {
	f := s.f
	switch f.Instr(i).Opcode {
	case desc.G_LOAD, desc.G_STORE, desc.G_ZEXTLOAD, desc.G_SEXTLOAD:
		// Of one base, offsets say it.
		x, y := f.MemOf(i, 0), f.MemOf(m, 0)
		bx, ox := addressOf(f, f.Op(i, 1).Reg())
		by, oy := addressOf(f, f.Op(m, 1).Reg())
		if bx == by && x.Size != mir.UnknownSize && !x.ScalableSize && (ox+x.Size <= oy || oy+y.Size <= ox) {
			return false
		}
	}
	return s.memory.MayAlias(i, m)
}

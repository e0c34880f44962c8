package irprep

import (
	"cmp"
	"slices"

	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/iranalysis"
	"github.com/mirin-go/mirin/mir"
)

// MergeICmps makes chains of blocks that compare fields of two structures one
// after the other, each only where the ones before are equal, calls of memcmp for fields that
// follow each other in memory, which expand-memcmp then makes loads.
var MergeICmps = pass.Pass{
	Name:     "mergeicmps",
	Title:    "Merge contiguous icmps into a memcmp",
	IR:       true,
	Optional: pass.Skippable,
	Run:      runMergeICmps,
}

// merger is the state of the pass for one function.
type merger struct {
	preparer
	chain  []ir.BlockID
	bases  []ir.Value
	fields []fieldCompare
	groups [][]fieldCompare
	clear  []ir.BlockID
	memcmp ir.Value
}

// field is a place in memory that a load reads: off bytes from a base, which is numbered as it is met.
type field struct {
	gep, load ir.InstrID // gep is 0 where the base itself is read
	base      int
	off       int64
}

// fieldCompare is a block that leads on where two fields are equal.
type fieldCompare struct {
	block ir.BlockID
	order int // in the chain
	cmp   ir.InstrID
	l, r  field
	size  int64 // bytes
}

// maxCompareChain bounds the blocks of a chain: what is looked up in the PHI
// for each of them takes time by their number.
const maxCompareChain = 512

func runMergeICmps(c *pass.Context, mf *mir.Function) error {
	if mf.IR == nil || mf.FirstBlock() != 0 || len(c.Subtarget.Target.ISel.Prepare.Compare.Sizes) == 0 {
		return nil
	}
	m := pass.Scratch[merger](c)
	m.start(c, mf)
	m.blocks = m.blocks[:0]
	for _, b := range m.f.Order[1:] {
		if _, ok := m.lastCompare(b); ok {
			m.blocks = append(m.blocks, b)
		}
	}
	if len(m.blocks) == 0 || !m.available() {
		return nil
	}
	m.f = mf.OwnIR()
	m.f.IndexUses()
	for _, b := range m.blocks {
		// Another chain may have taken the block in.
		if m.f.Blocks[b].First != 0 {
			m.merge(m.f.Blocks[b].First)
		}
	}
	m.f.DropClearedBlocks()
	m.f.DropUses()
	return nil
}

// available finds the function that compares, unless the function being
// compiled is not to call it, or the module has something else of that name.
func (m *merger) available() bool {
	f := m.f
	own := f.Module.Attrs.At(f.Global().Attrs).Fn
	name := ir.LibMemCmp.Name()
	if own.Has("no-builtins") || own.Has("no-builtin-"+name) || f.Name() == name {
		return false
	}
	m.memcmp = ir.LibraryVal(ir.LibMemCmp)
	if id := f.Module.Lookup(name); id != 0 {
		g := f.Module.Globals[id]
		if g.Kind != ir.GlobalFunc || !g.IsDecl || g.ValueType != m.compareType() || f.Module.Attrs.At(g.Attrs).Fn.Has("nobuiltin") {
			return false
		}
		m.memcmp = ir.GlobalVal(id)
	}
	return true
}

// compareType is int(const void *, const void *, size_t).
func (m *merger) compareType() ir.Type {
	return m.t.Func(ir.Int32, []ir.Type{ir.Ptr, ir.Ptr, m.t.Int(m.dl.IndexBits(0))}, false)
}

// lastCompare finds the block that ends a chain before block b: the only one of
// which b's PHI has something else than false, a comparison of two loads there.
func (m *merger) lastCompare(b ir.BlockID) (last ir.BlockID, ok bool) {
	f := m.f
	phi := f.Blocks[b].First
	if phi == 0 || f.Instrs[phi].Op != ir.OpPhi || f.Instrs[phi].Type != ir.Int1 || f.Instrs[f.Instrs[phi].Next].Op == ir.OpPhi {
		return 0, false
	}
	n := f.NumOps(phi)
	if n < 4 || n > 2*maxCompareChain {
		return 0, false
	}
	for k := 0; k < n; k += 2 {
		v := f.Op(phi, k)
		if v.Const() != 0 {
			if x, ok := m.constant(v); !ok || x != 0 {
				return 0, false
			}
			continue
		}
		i := v.Instr()
		if last != 0 || i == 0 || f.Instrs[i].Op != ir.OpICmp || f.Instrs[i].Pred != ir.ICmpEQ || ir.BlockVal(f.Instrs[i].Block) != f.Op(phi, k+1) || !m.loads(i) {
			return 0, false
		}
		last = f.Instrs[i].Block
	}
	if last == 0 {
		return 0, false
	}
	t := f.Terminator(last)
	return last, f.Instrs[t].Op == ir.OpBr && f.NumOps(t) == 1
}

// loads reports a comparison of two loads.
func (m *merger) loads(i ir.InstrID) bool {
	x, y := m.f.Op(i, 0).Instr(), m.f.Op(i, 1).Instr()
	return x != 0 && y != 0 && m.f.Instrs[x].Op == ir.OpLoad && m.f.Instrs[y].Op == ir.OpLoad
}

// merge does the chain that ends in a PHI.
func (m *merger) merge(phi ir.InstrID) {
	f := m.f
	b := f.Instrs[phi].Block
	last, ok := m.lastCompare(b)
	if !ok || !m.findChain(phi, last) || !m.findFields(phi) {
		return
	}
	m.groupFields()
	if len(m.groups) == len(m.fields) {
		return
	}
	m.c.Count("mergeicmps", "Number of chains of comparisons merged", 1)
	m.rewrite(phi)
}

// findChain lists the blocks of a chain in order: every one that leads to the
// PHI, each but the first reached from the one before alone.
func (m *merger) findChain(phi ir.InstrID, last ir.BlockID) bool {
	f := m.f
	to := f.Instrs[phi].Block
	m.chain = append(m.chain[:0], last)
	for b := last; len(m.chain) < f.NumOps(phi)/2; {
		if m.addressTaken(b) {
			return false
		}
		p := ir.BlockID(0)
		for u := range f.Preds(b) {
			if p != 0 {
				return false
			}
			p = f.Instrs[u.I].Block
		}
		if p == 0 || p == to || f.Incoming(phi, p) == 0 {
			return false
		}
		b = p
		m.chain = append(m.chain, b)
	}
	if last == to {
		return false
	}
	slices.Reverse(m.chain)
	m.clear = append(m.clear[:0], m.chain...)
	slices.Sort(m.clear)
	return len(slices.Compact(m.clear)) == len(m.chain) // but in code that is never reached
}

// findFields takes the blocks of the chain apart. Blocks at its start that do not only
// compare are left out, but that the one before the rest may do its other work first.
func (m *merger) findFields(phi ir.InstrID) bool {
	m.fields, m.bases = m.fields[:0], m.bases[:0]
	for k, b := range m.chain {
		c, ok := m.compareIn(phi, b)
		if !ok {
			return false
		}
		c.order = k
		switch {
		case !m.otherWork(&c):
		case len(m.fields) > 0:
			return false
		case !m.canSplit(&c):
			continue
		}
		m.fields = append(m.fields, c)
	}
	return len(m.fields) > 1
}

// compareIn finds what block b of a chain compares.
func (m *merger) compareIn(phi ir.InstrID, b ir.BlockID) (c fieldCompare, ok bool) {
	f := m.f
	to := f.Instrs[phi].Block
	v, pred := f.Incoming(phi, b), ir.ICmpEQ
	br := f.Terminator(b)
	if f.Instrs[br].Op != ir.OpBr {
		return c, false
	}
	if f.NumOps(br) == 3 {
		yes, no := f.Op(br, 1).Block(), f.Op(br, 2).Block()
		if v.Const() == 0 || yes == no {
			return c, false
		}
		if v = f.Op(br, 0); no != to {
			pred = ir.ICmpNE
		}
	}
	i := v.Instr()
	if i == 0 || f.Instrs[i].Op != ir.OpICmp || f.Instrs[i].Block != b || f.Instrs[i].Pred != pred || !f.HasOneUse(v) {
		return c, false
	}
	t := f.TypeOf(f.Op(i, 0))
	if k := m.t.Kind(t); k != ir.KindInteger && k != ir.KindPointer {
		return c, false
	}
	c = fieldCompare{block: b, cmp: i, size: int64(m.dl.StoreSize(m.t, t))}
	if uint64(c.size)*8 != m.dl.SizeInBits(m.t, t) {
		return c, false
	}
	if c.l, ok = m.field(f.Op(i, 0), c.size, b); !ok {
		return c, false
	}
	if c.r, ok = m.field(f.Op(i, 1), c.size, b); !ok {
		return c, false
	}
	if c.r.base < c.l.base || c.r.base == c.l.base && c.r.off < c.l.off {
		c.l, c.r = c.r, c.l
	}
	return c, true
}

// field finds what a load of block b reads: memory that is there whether the
// load is reached or not, since a call reads it all.
func (m *merger) field(v ir.Value, size int64, b ir.BlockID) (x field, ok bool) {
	f := m.f
	i := v.Instr()
	if i == 0 {
		return x, false
	}
	in := &f.Instrs[i]
	addr := ir.Value(0)
	if in.Op == ir.OpLoad {
		addr = f.Op(i, 0)
	}
	if addr == 0 || in.Block != b || in.Flags&ir.Volatile != 0 || in.Order != ir.NotAtomic || f.TypeOf(addr) != ir.Ptr || m.usedOutside(i) || !m.dereferenceable(addr, size) {
		return x, false
	}
	x.load = i
	if g := addr.Instr(); g != 0 && f.Instrs[g].Op == ir.OpGEP {
		if x.off, ok = m.dl.ConstGEPOffset(f, g); !ok || f.Instrs[g].Block == b && m.usedOutside(g) {
			return x, false
		}
		x.gep, addr = g, f.Op(g, 0)
	}
	if x.base = slices.Index(m.bases, addr); x.base < 0 {
		x.base = len(m.bases)
		m.bases = append(m.bases, addr)
	}
	return x, true
}

// usedOutside reports uses in other blocks.
func (m *merger) usedOutside(i ir.InstrID) bool {
	for u := range m.f.Uses(ir.Local(i)) {
		if m.f.Instrs[u.I].Block != m.f.Instrs[i].Block {
			return true
		}
	}
	return false
}

// dereferenceable reports whether size bytes at an address can be read at any time.
func (m *merger) dereferenceable(v ir.Value, size int64) bool {
	f := m.f
	for range maxAddressDepth {
		g := v.Instr()
		if g == 0 || f.Instrs[g].Op != ir.OpGEP {
			break
		}
		off, ok := m.dl.ConstGEPOffset(f, g)
		if !ok || off < 0 || off > 1<<40 {
			return false
		}
		size += off
		v = f.Op(g, 0)
	}
	if id := v.Global(); id != 0 {
		g := f.Module.Globals[id]
		return g.Kind == ir.GlobalVar && g.Linkage != ir.ExternWeak && !m.t.IsOpaque(g.ValueType) && m.fits(g.ValueType, size)
	}
	i := v.Instr()
	if i == 0 {
		return false
	}
	var a ir.AttrSet
	switch in := &f.Instrs[i]; in.Op {
	case ir.OpAlloca:
		n, ok := m.constant(f.Op(i, 0))
		return ok && n == 1 && m.fits(in.SrcType, size)
	case ir.OpArgument:
		a = f.Module.Attrs.At(f.Global().Attrs).Param(int(i) - 1)
		if t, ok := a.Get("byval"); ok {
			return m.fits(t.Type, size)
		}
	case ir.OpCall:
		a = f.Module.Attrs.At(in.Attrs).Ret
	}
	d, ok := a.Get("dereferenceable")
	return ok && d.Int >= uint64(size)
}

// fits reports a type of at least size bytes.
func (m *merger) fits(t ir.Type, size int64) bool {
	return !m.dl.IsScalable(m.t, t) && m.dl.StoreSize(m.t, t) >= uint64(size)
}

// part reports the instructions that the comparison of c is made of.
func (c *fieldCompare) part(f *ir.Function, i ir.InstrID) bool {
	return i == c.cmp || i == c.l.load || i == c.r.load || i == f.Terminator(c.block) || i == c.l.gep || i == c.r.gep
}

// otherWork reports whether a block does more than to compare.
func (m *merger) otherWork(c *fieldCompare) bool {
	f := m.f
	for i := f.Blocks[c.block].First; i != 0; i = f.Instrs[i].Next {
		if !c.part(f, i) {
			return true
		}
	}
	return false
}

// canSplit reports whether a block's other work can be done before it compares.
func (m *merger) canSplit(c *fieldCompare) bool {
	f := m.f
	var aa *iranalysis.Alias
	seen := false // a load has been met
	for i := f.Blocks[c.block].First; i != 0; i = f.Instrs[i].Next {
		if c.part(f, i) {
			seen = seen || i == c.l.load || i == c.r.load
			continue
		}
		for _, v := range f.Ops(i) {
			if d := v.Instr(); d != 0 && c.part(f, d) {
				return false
			}
		}
		if !seen || !m.writes(i) {
			continue
		}
		if f.Instrs[i].Op != ir.OpStore || f.Instrs[i].Flags&ir.Volatile != 0 || f.Instrs[i].Order > ir.Unordered {
			return false
		}
		if aa == nil {
			aa = iranalysis.NewAlias(f, m.dl)
		}
		at, _ := aa.LocationOf(i)
		for _, l := range [2]ir.InstrID{c.l.load, c.r.load} {
			if x, _ := aa.LocationOf(l); aa.Query(at, x) != iranalysis.NoAlias {
				return false
			}
		}
	}
	return true
}

// writes reports instructions that may write memory, or order accesses to it.
func (m *merger) writes(i ir.InstrID) bool {
	f := m.f
	switch in := &f.Instrs[i]; in.Op {
	case ir.OpStore, ir.OpFence, ir.OpCmpXchg, ir.OpAtomicRMW, ir.OpVAArg, ir.OpInvoke, ir.OpCallBr:
		return true
	case ir.OpLoad:
		return in.Flags&ir.Volatile != 0 || in.Order > ir.Unordered
	case ir.OpCall:
		return !m.readsOnly(i)
	}
	return false
}

// groupFields sorts the comparisons by what they compare and finds those that
// follow each other in memory; groups run in the order of the first of each.
func (m *merger) groupFields() {
	slices.SortStableFunc(m.fields, func(x, y fieldCompare) int {
		return cmp.Or(cmp.Compare(x.l.base, y.l.base), cmp.Compare(x.l.off, y.l.off), cmp.Compare(x.r.base, y.r.base), cmp.Compare(x.r.off, y.r.off))
	})
	m.groups = m.groups[:0]
	for a := 0; a < len(m.fields); {
		b := a + 1
		for b < len(m.fields) && follows(&m.fields[b-1], &m.fields[b]) {
			b++
		}
		m.groups = append(m.groups, m.fields[a:b])
		a = b
	}
	first := func(g []fieldCompare) int {
		return slices.MinFunc(g, func(x, y fieldCompare) int { return cmp.Compare(x.order, y.order) }).order
	}
	slices.SortFunc(m.groups, func(x, y []fieldCompare) int { return cmp.Compare(first(x), first(y)) })
}

// follows reports whether the fields of y begin where those of x end.
func follows(x, y *fieldCompare) bool {
	return x.l.base == y.l.base && x.r.base == y.r.base && x.l.off+x.size == y.l.off && x.r.off+x.size == y.r.off
}

// rewrite makes the chain one of groups. Its first block stays, with its other work.
func (m *merger) rewrite(phi ir.InstrID) {
	f := m.f
	to := f.Instrs[phi].Block
	at := slices.MinFunc(m.groups[0], func(x, y fieldCompare) int { return cmp.Compare(x.order, y.order) })
	b := at.block
	for k, g := range m.groups {
		loc := f.Instrs[g[0].cmp].Loc
		last := k == len(m.groups)-1
		if k > 0 {
			f.Append(b, ir.Instr{Op: ir.OpUnreachable, Type: ir.Void, Loc: loc})
		}
		equal := m.compareGroup(g, f.Terminator(b), loc)
		br := ir.Instr{Op: ir.OpBr, Type: ir.Void, Loc: loc}
		v := equal
		next := ir.BlockID(0)
		if last {
			f.SetTerminator(b, br, ir.BlockVal(to))
		} else {
			next = f.AddBlockAfter(b, "")
			f.SetTerminator(b, br, equal, ir.BlockVal(next), ir.BlockVal(to))
			v = m.int(ir.Int1, 0)
		}
		if k > 0 {
			f.AddOps(phi, v, ir.BlockVal(b))
		} else {
			for n := 0; n < f.NumOps(phi); n += 2 {
				if f.Op(phi, n+1) == ir.BlockVal(b) {
					f.SetOp(phi, n, v)
				}
			}
		}
		b = next
	}
	for _, i := range [5]ir.InstrID{at.cmp, at.l.load, at.r.load, at.l.gep, at.r.gep} {
		if i != 0 && f.Instrs[i].Block == at.block && !f.HasUses(ir.Local(i)) {
			f.Erase(i)
		}
	}
	for _, b := range m.chain[at.order+1:] {
		f.ClearBlock(b)
	}
}

// compareGroup is true where the fields of g are equal; it stands in front of at.
func (m *merger) compareGroup(g []fieldCompare, at ir.InstrID, loc ir.MDID) ir.Value {
	f := m.f
	address := func(x field) ir.Value {
		if x.gep == 0 {
			return f.Op(x.load, 0)
		}
		in := f.Instrs[x.gep]
		ops := append([]ir.Value(nil), f.Ops(x.gep)...)
		return ir.Local(f.InsertBefore(at, ir.Instr{Op: ir.OpGEP, Type: in.Type, SrcType: in.SrcType, Flags: in.Flags &^ ir.HasInRange, Loc: loc}, ops...))
	}
	x, y := address(g[0].l), address(g[0].r)
	if len(g) == 1 {
		load := func(i ir.InstrID, p ir.Value) ir.Value {
			in := f.Instrs[i]
			return ir.Local(f.InsertBefore(at, ir.Instr{Op: ir.OpLoad, Type: in.Type, SrcType: in.SrcType, Align: in.Align, MD: in.MD, Loc: in.Loc}, p))
		}
		x, y = load(g[0].l.load, x), load(g[0].r.load, y)
		return ir.Local(f.InsertBefore(at, ir.Instr{Op: ir.OpICmp, Pred: ir.ICmpEQ, Type: ir.Int1, Loc: loc}, x, y))
	}
	size := int64(0)
	for k := range g {
		size += g[k].size
	}
	m.c.Count("mergeicmps", "Number of comparisons merged", int64(len(g)))
	st := m.t.Int(m.dl.IndexBits(0))
	v := ir.Local(f.InsertBefore(at, ir.Instr{Op: ir.OpCall, Type: ir.Int32, SrcType: m.compareType(), Loc: loc}, x, y, m.int(st, size), m.memcmp))
	return ir.Local(f.InsertBefore(at, ir.Instr{Op: ir.OpICmp, Pred: ir.ICmpEQ, Type: ir.Int1, Loc: loc}, v, m.int(ir.Int32, 0)))
}

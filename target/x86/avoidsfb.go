package x86

import (
	"slices"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/iranalysis"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// avoidSFB is the pass that keeps copies of memory by vector registers from
// waiting for the cache: where a part of what is copied was stored a short time
// ago, the store buffer cannot give the whole, and the load waits until the store
// is done. Such a copy is cut into pieces, one of them what was stored.
var avoidSFB = target.Pass{
	Name:       "x86-avoid-sfb",
	Title:      "X86 Avoid Store Forwarding Blocks",
	Before:     "processimpdefs,phi-node-elimination",
	Optimizing: true,
	Requires:   mir.IsSSA,
	KeepsCFG:   true,
	Run:        runAvoidSFB,
}

// maxBlockerDistance is how many instructions before the load a store may stand
// that is not yet done.
const maxBlockerDistance = 20

// vectorCopy are loads and stores that make a copy when the value is not looked
// at; half are those of half the width.
type vectorCopy struct {
	loads, stores       [2]desc.Opcode
	bytes               int64
	halfLoad, halfStore desc.Opcode
}

var vectorCopies = [...]vectorCopy{
	{[2]desc.Opcode{tab.MOVUPSrm, tab.MOVAPSrm}, [2]desc.Opcode{tab.MOVUPSmr, tab.MOVAPSmr}, 16, 0, 0},
	{[2]desc.Opcode{tab.VMOVUPSrm, tab.VMOVAPSrm}, [2]desc.Opcode{tab.VMOVUPSmr, tab.VMOVAPSmr}, 16, 0, 0},
	{[2]desc.Opcode{tab.VMOVUPDrm, tab.VMOVAPDrm}, [2]desc.Opcode{tab.VMOVUPDmr, tab.VMOVAPDmr}, 16, 0, 0},
	{[2]desc.Opcode{tab.VMOVDQUrm, tab.VMOVDQArm}, [2]desc.Opcode{tab.VMOVDQUmr, tab.VMOVDQAmr}, 16, 0, 0},
	{[2]desc.Opcode{tab.VMOVUPSZ128rm, tab.VMOVAPSZ128rm}, [2]desc.Opcode{tab.VMOVUPSZ128mr, tab.VMOVAPSZ128mr}, 16, 0, 0},
	{[2]desc.Opcode{tab.VMOVUPDZ128rm, tab.VMOVAPDZ128rm}, [2]desc.Opcode{tab.VMOVUPDZ128mr, tab.VMOVAPDZ128mr}, 16, 0, 0},
	{[2]desc.Opcode{tab.VMOVDQU64Z128rm, tab.VMOVDQA64Z128rm}, [2]desc.Opcode{tab.VMOVDQU64Z128mr, tab.VMOVDQA64Z128mr}, 16, 0, 0},
	{[2]desc.Opcode{tab.VMOVDQU32Z128rm, tab.VMOVDQA32Z128rm}, [2]desc.Opcode{tab.VMOVDQU32Z128mr, tab.VMOVDQA32Z128mr}, 16, 0, 0},
	{[2]desc.Opcode{tab.VMOVUPSYrm, tab.VMOVAPSYrm}, [2]desc.Opcode{tab.VMOVUPSYmr, tab.VMOVAPSYmr}, 32, tab.VMOVUPSrm, tab.VMOVUPSmr},
	{[2]desc.Opcode{tab.VMOVUPDYrm, tab.VMOVAPDYrm}, [2]desc.Opcode{tab.VMOVUPDYmr, tab.VMOVAPDYmr}, 32, tab.VMOVUPDrm, tab.VMOVUPDmr},
	{[2]desc.Opcode{tab.VMOVDQUYrm, tab.VMOVDQAYrm}, [2]desc.Opcode{tab.VMOVDQUYmr, tab.VMOVDQAYmr}, 32, tab.VMOVDQUrm, tab.VMOVDQUmr},
	{[2]desc.Opcode{tab.VMOVUPSZ256rm, tab.VMOVAPSZ256rm}, [2]desc.Opcode{tab.VMOVUPSZ256mr, tab.VMOVAPSZ256mr}, 32, tab.VMOVUPSZ128rm, tab.VMOVUPSZ128mr},
	{[2]desc.Opcode{tab.VMOVUPDZ256rm, tab.VMOVAPDZ256rm}, [2]desc.Opcode{tab.VMOVUPDZ256mr, tab.VMOVAPDZ256mr}, 32, tab.VMOVUPDZ128rm, tab.VMOVUPDZ128mr},
	{[2]desc.Opcode{tab.VMOVDQU64Z256rm, tab.VMOVDQA64Z256rm}, [2]desc.Opcode{tab.VMOVDQU64Z256mr, tab.VMOVDQA64Z256mr}, 32, tab.VMOVDQU64Z128rm, tab.VMOVDQU64Z128mr},
	{[2]desc.Opcode{tab.VMOVDQU32Z256rm, tab.VMOVDQA32Z256rm}, [2]desc.Opcode{tab.VMOVDQU32Z256mr, tab.VMOVDQA32Z256mr}, 32, tab.VMOVDQU32Z128rm, tab.VMOVDQU32Z128mr},
}

// integerCopies copy what is narrower than a vector, the widest first.
var integerCopies = [...]struct {
	bytes       int64
	load, store desc.Opcode
}{
	{8, tab.MOV64rm, tab.MOV64mr}, {4, tab.MOV32rm, tab.MOV32mr}, {2, tab.MOV16rm, tab.MOV16mr}, {1, tab.MOV8rm, tab.MOV8mr},
}

// sfbAvoider looks for copies in one function.
type sfbAvoider struct {
	c        target.PassContext
	f        *mir.Function
	alias    *iranalysis.Alias
	blockers []blocker
}

// blocker is a piece of what a load reads that was stored before.
type blocker struct{ disp, size int64 }

func runAvoidSFB(c target.PassContext, f *mir.Function) error {
	if !c.SubtargetOf().HasFeature("64bit-mode") {
		return nil // the pieces go through registers of 64 bits
	}
	s := sfbAvoider{c: c, f: f}
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		for i := f.Block(b).First(); i != 0; {
			next := f.Instr(i).Next()
			if row := copyOf(f.Instr(i).Opcode); row != nil {
				if store := s.storeOf(i, row); store != 0 && s.findBlockers(i, row) {
					if next == store {
						next = f.Instr(store).Next()
					}
					s.split(i, store, row)
				}
			}
			i = next
		}
	}
	return nil
}

// copyOf finds the row of a load, nil for other instructions: nearly all, which a
// switch tells sooner than the rows do.
func copyOf(op desc.Opcode) *vectorCopy {
	switch op {
	case tab.MOVUPSrm, tab.MOVAPSrm:
		return &vectorCopies[0]
	case tab.VMOVUPSrm, tab.VMOVAPSrm:
		return &vectorCopies[1]
	case tab.VMOVUPDrm, tab.VMOVAPDrm:
		return &vectorCopies[2]
	case tab.VMOVDQUrm, tab.VMOVDQArm:
		return &vectorCopies[3]
	case tab.VMOVUPSZ128rm, tab.VMOVAPSZ128rm:
		return &vectorCopies[4]
	case tab.VMOVUPDZ128rm, tab.VMOVAPDZ128rm:
		return &vectorCopies[5]
	case tab.VMOVDQU64Z128rm, tab.VMOVDQA64Z128rm:
		return &vectorCopies[6]
	case tab.VMOVDQU32Z128rm, tab.VMOVDQA32Z128rm:
		return &vectorCopies[7]
	case tab.VMOVUPSYrm, tab.VMOVAPSYrm:
		return &vectorCopies[8]
	case tab.VMOVUPDYrm, tab.VMOVAPDYrm:
		return &vectorCopies[9]
	case tab.VMOVDQUYrm, tab.VMOVDQAYrm:
		return &vectorCopies[10]
	case tab.VMOVUPSZ256rm, tab.VMOVAPSZ256rm:
		return &vectorCopies[11]
	case tab.VMOVUPDZ256rm, tab.VMOVAPDZ256rm:
		return &vectorCopies[12]
	case tab.VMOVDQU64Z256rm, tab.VMOVDQA64Z256rm:
		return &vectorCopies[13]
	case tab.VMOVDQU32Z256rm, tab.VMOVDQA32Z256rm:
		return &vectorCopies[14]
	}
	return nil
}

// storeOf finds the store that alone reads what load i read, in its block, to
// memory that is none of what was read; 0 when there is none.
func (s *sfbAvoider) storeOf(i mir.InstrID, row *vectorCopy) mir.InstrID {
	f := s.f
	d := f.Op(i, 0)
	if !d.Reg().IsVirtual() || d.SubReg() != 0 || !f.HasOneUse(d.Reg()) || !plainAddress(f, i, 1) || f.NumMem(i) != 1 ||
		!fits32(f.Op(i, 1+addrDisp).Imm()+row.bytes-1) {
		return 0
	}
	store := mir.InstrID(0)
	for u := range f.NonDebugUses(d.Reg()) {
		store = u
	}
	if !slices.Contains(row.stores[:], f.Instr(store).Opcode) || f.Instr(store).Block() != f.Instr(i).Block() ||
		!plainAddress(f, store, 0) || f.NumMem(store) != 1 || f.Op(store, addrOps).SubReg() != 0 ||
		!fits32(f.Op(store, addrDisp).Imm()+row.bytes-1) {
		return 0
	}
	x, y := f.MemOf(i, 0), f.MemOf(store, 0)
	if (x.Flags|y.Flags)&mir.MemVolatile != 0 || x.Order != 0 || y.Order != 0 || s.mayOverlap(x, y) {
		return 0
	}
	return store
}

// plainAddress reports an address, from operand k on, that is a register or stack
// slot and a constant.
func plainAddress(f *mir.Function, i mir.InstrID, k int) bool {
	if b := f.Op(i, k+addrBase); b.Kind() != mir.OpFrameIndex && (!b.IsReg() || b.Reg() == 0) {
		return false
	}
	return f.Op(i, k+addrDisp).IsImm() && f.Op(i, k+addrScale).IsImm() && f.Op(i, k+addrScale).Imm() == 1 &&
		f.Op(i, k+addrIndex).IsReg() && f.Op(i, k+addrIndex).Reg() == 0 && f.Op(i, k+addrSegment).IsReg() && f.Op(i, k+addrSegment).Reg() == 0
}

// mayOverlap asks what is known of the IR's pointers.
func (s *sfbAvoider) mayOverlap(x, y *mir.MemOperand) bool {
	f := s.f
	known := func(m *mir.MemOperand) bool {
		c := ir.Value(m.Ptr).Const()
		return m.PtrKind == mir.PtrValue && m.Size != mir.UnknownSize && !m.ScalableSize && (c == 0 || int(c) < f.IR.Consts.Len())
	}
	if f.IR == nil || !known(x) || !known(y) {
		return true
	}
	if s.alias == nil {
		s.alias = iranalysis.NewAlias(f.IR, s.c.SubtargetOf().Machine.Layout)
	}
	low := min(x.Offset, y.Offset)
	at := func(m *mir.MemOperand) iranalysis.Location {
		return iranalysis.Location{Ptr: ir.Value(m.Ptr), Size: m.Offset - low + m.Size, TBAA: m.TBAA, Scope: m.AliasScope, NoAlias: m.NoAlias}
	}
	return s.alias.Query(at(x), at(y)) != iranalysis.NoAlias
}

// findBlockers lists the stores to parts of what load i reads, shortly before it in
// its block and, where that is short, in those before; false when there are none.
func (s *sfbAvoider) findBlockers(i mir.InstrID, row *vectorCopy) bool {
	f := s.f
	s.blockers = s.blockers[:0]
	b := f.Instr(i).Block()
	n, call := s.blockersBefore(i, f.Instr(i).Prev(), row, maxBlockerDistance)
	if !call && n < maxBlockerDistance {
		for k, e := range f.Preds(b) {
			if k >= maxBlockerDistance {
				break
			}
			s.blockersBefore(i, f.Block(e).Last(), row, maxBlockerDistance-n)
		}
	}
	if len(s.blockers) == 0 {
		return false
	}
	// From the front on; of two at one place the smaller, and none that holds another.
	slices.SortFunc(s.blockers, func(a, b blocker) int {
		if a.disp != b.disp {
			return int(a.disp - b.disp)
		}
		return int(a.size - b.size)
	})
	kept := s.blockers[:0]
	for k, x := range s.blockers {
		if k > 0 && len(kept) > 0 && x.disp == s.blockers[k-1].disp {
			continue
		}
		for len(kept) > 0 && x.disp+x.size <= kept[len(kept)-1].disp+kept[len(kept)-1].size {
			kept = kept[:len(kept)-1]
		}
		kept = append(kept, x)
	}
	s.blockers = kept
	return true
}

// blockersBefore looks at fewer than limit instructions from j backwards, up to a call.
func (s *sfbAvoider) blockersBefore(load, j mir.InstrID, row *vectorCopy, limit int) (n int, call bool) {
	f := s.f
	disp, base := f.Op(load, 1+addrDisp).Imm(), sourceOf(f, *f.Op(load, 1+addrBase))
	for ; j != 0; j = f.Instr(j).Prev() {
		if f.Desc(j).IsMeta() {
			continue
		}
		if n++; n >= limit {
			return n, false
		}
		if f.Desc(j).IsCall() {
			return n, true
		}
		if !row.waitsFor(f.Instr(j).Opcode) || !plainAddress(f, j, 0) || f.NumMem(j) != 1 {
			continue
		}
		at, size := f.Op(j, addrDisp).Imm(), f.MemOf(j, 0).Size
		if b := sourceOf(f, *f.Op(j, addrBase)); !b.SameValue(&base) {
			continue
		}
		if size > 0 && disp <= at && at <= disp+row.bytes-size {
			s.blockers = append(s.blockers, blocker{at, size})
		}
	}
	return n, false
}

// sourceOf looks through copies of a virtual register, which instruction selection leaves.
func sourceOf(f *mir.Function, o mir.Operand) mir.Operand {
	for range 4 {
		if !o.IsReg() || !o.Reg().IsVirtual() || o.SubReg() != 0 {
			break
		}
		d := f.UniqueDef(o.Reg())
		if d == 0 || f.Instr(d).Opcode != desc.COPY || f.Op(d, 0).SubReg() != 0 || !f.Op(d, 1).Reg().IsVirtual() {
			break
		}
		o = *f.Op(d, 1)
	}
	return o
}

// waitsFor reports stores that are narrower than the copy.
func (row *vectorCopy) waitsFor(op desc.Opcode) bool {
	switch op {
	case tab.MOV64mr, tab.MOV64mi32, tab.MOV32mr, tab.MOV32mi, tab.MOV16mr, tab.MOV16mi, tab.MOV8mr, tab.MOV8mi:
		return true
	}
	for k := range vectorCopies {
		if r := &vectorCopies[k]; r.bytes < row.bytes && r.loads[0] != tab.MOVUPSrm && slices.Contains(r.stores[:], op) {
			return true
		}
	}
	return false
}

// split cuts the copy by load and store at the blockers and erases it.
func (s *sfbAvoider) split(load, store mir.InstrID, row *vectorCopy) {
	f := s.f
	p := copySplitter{f: f, row: row, load: load, store: store, at: store}
	// Stores follow their loads where nothing stands between the two.
	prev := f.Instr(store).Prev()
	for prev != 0 && f.IsDebugInstr(prev) {
		prev = f.Instr(prev).Prev()
	}
	if prev == load {
		p.at = load
	}
	from, end := f.Op(load, 1+addrDisp).Imm(), f.Op(load, 1+addrDisp).Imm()+row.bytes
	p.from, p.to = from, f.Op(store, addrDisp).Imm()
	done := from
	for _, x := range s.blockers {
		if x.disp < done {
			x.size -= done - x.disp
			x.disp = done
		}
		p.copy(done, x.disp)
		p.copy(x.disp, x.disp+x.size)
		done = x.disp + x.size
	}
	p.copy(done, end)
	// What the two ended, the last of the new ones ends.
	for _, e := range [...]struct {
		last mir.InstrID
		base mir.Operand
		k    int
	}{{p.lastLoad, *f.Op(load, 1+addrBase), 1 + addrBase}, {p.lastStore, *f.Op(store, addrBase), addrBase}} {
		if e.base.IsReg() && e.base.IsKill() {
			f.SetOpFlag(e.last, e.k, mir.Kill, true)
		}
	}
	f.DropDebugUses(f.Op(load, 0).Reg())
	f.Erase(load)
	f.Erase(store)
}

// copySplitter makes the pieces of a copy.
type copySplitter struct {
	f                   *mir.Function
	row                 *vectorCopy
	load, store         mir.InstrID
	at                  mir.InstrID // where stores go
	from, to            int64       // displacements of the whole
	lastLoad, lastStore mir.InstrID
}

// copy copies what lies at displacements lo to hi of the source.
func (p *copySplitter) copy(lo, hi int64) {
	for p.row.halfLoad != 0 && hi-lo >= p.row.bytes/2 {
		p.piece(p.row.halfLoad, p.row.halfStore, lo, p.row.bytes/2)
		lo += p.row.bytes / 2
	}
	for _, c := range integerCopies {
		for ; hi-lo >= c.bytes; lo += c.bytes {
			p.piece(c.load, c.store, lo, c.bytes)
		}
	}
}

// piece copies one register's worth.
func (p *copySplitter) piece(load, store desc.Opcode, disp, bytes int64) {
	f := p.f
	off := disp - p.from
	r := f.AddVReg(int16(f.Facts.OperandClass(load, 0, f.Facts.DefaultMode)))
	address := func(i mir.InstrID, k int, disp int64) [addrOps]mir.Operand {
		base := *f.Op(i, k+addrBase)
		if base.IsReg() {
			base = mir.SubRegOp(base.Reg(), base.SubReg(), base.Flags()&mir.Undef)
		}
		return [addrOps]mir.Operand{base, mir.ImmOp(1), mir.RegOp(0, 0), mir.ImmOp(disp), mir.RegOp(0, 0)}
	}
	access := func(i mir.InstrID) mir.MemID {
		m := *f.MemOf(i, 0)
		m.Offset += off
		m.Size, m.Type = bytes, mir.Scalar(int(bytes)*8)
		m.Ranges, m.TBAA, m.AliasScope, m.NoAlias = 0, 0, 0, 0
		if m.PtrKind == mir.PtrNone {
			m.BaseAlign = accessAlign(&mir.MemOperand{BaseAlign: m.BaseAlign, Offset: off})
		}
		return f.AddMem(m)
	}
	a := address(p.load, 1, disp)
	n := f.New(load, append([]mir.Operand{mir.RegOp(r, mir.Def)}, a[:]...)...)
	f.Instr(n).Loc = f.Instr(p.load).Loc
	f.SetMem(n, access(p.load))
	f.InsertBefore(f.Instr(p.load).Block(), p.load, n)
	p.lastLoad = n
	a = address(p.store, 0, p.to+off)
	kill := f.Op(p.store, addrOps).Flags() & mir.Kill
	n = f.New(store, append(a[:], mir.RegOp(r, kill))...)
	f.Instr(n).Loc = f.Instr(p.at).Loc
	f.SetMem(n, access(p.store))
	f.InsertBefore(f.Instr(p.at).Block(), p.at, n)
	p.lastStore = n
}

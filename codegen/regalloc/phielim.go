package regalloc

import (
	"slices"

	"github.com/mirin-go/mirin/codegen/liveness"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
	"github.com/mirin-go/mirin/support/stamped"
)

// PHIElimination replaces PHIs by copies. Each PHI
//
//	%d = PHI %a, %bb.1, %b, %bb.2
//
// gets a register %i of its own: every predecessor ends with %i = COPY of its
// value, and the block starts with %d = COPY %i. Because every PHI has its own
// %i, the copies of parallel PHIs cannot overwrite each other's sources (the
// swap and lost-copy problems), and because %i is read in this block alone, a
// copy in a predecessor with several successors harms nobody.
//
// Where liveness.Variables are at hand, which it keeps, it sets kill flags, and
// splits critical edges on which a source lives on beside its copy, which could
// not be joined then.
var PHIElimination = pass.Pass{
	Name:   "phi-node-elimination",
	Title:  "Eliminate PHI nodes for register allocation",
	Sets:   mir.NoPHIs,
	Clears: mir.IsSSA,
	// Where it splits an edge it drops what follows from the graph.
	KeepsCFG: true,
	Keeps:    []pass.Kind{pass.KindOf[liveness.Variables]()},
	Run:      runPHIElim,
}

// phiElim is PHIElimination's memory.
type phiElim struct {
	c *pass.Context
	f *mir.Function
	v *liveness.Variables // nil when nobody asked for them

	pending []mir.InstrID
	// seen marks by stamp, one for each PHI, the predecessors that have its copy.
	seen  []uint32
	stamp uint32
	// news are the blocks that split edges, the first of them firstNew.
	news     []liveness.SplitBlock
	firstNew mir.BlockID
	killed   []mir.Reg // by the terminators of a block that is being changed
	// uses counts, by predecessor and register, the PHI operands not lowered yet.
	uses stamped.Map[uint64, uint32]
	// nothing are the IMPLICIT_DEFs that sources were read from.
	nothing []mir.InstrID
	// lowered are PHIs whose blocks are left on critical edges alone, and may be
	// met again in another block, by hash; their operands lie in ops.
	lowered []loweredPHI
	byHash  stamped.Map[uint64, int32]
	ops     []mir.Operand
}

// loweredPHI is a PHI that was lowered to incoming.
type loweredPHI struct {
	ops, n   int
	incoming mir.Reg
	next     int32 // with the same hash, 0 for none
}

func runPHIElim(c *pass.Context, f *mir.Function) error {
	s := pass.Scratch[phiElim](c)
	s.c, s.f, s.v = c, f, pass.Known[liveness.Variables](c, f)
	s.news, s.firstNew = s.news[:0], mir.BlockID(f.NumBlockIDs())
	if s.v != nil && c.Subtarget != nil {
		s.splitEdges()
	}
	s.seen, s.stamp = rows.Zeroed(s.seen, f.NumBlockIDs()), 0
	s.nothing, s.lowered, s.ops = s.nothing[:0], append(s.lowered[:0], loweredPHI{}), s.ops[:0]
	s.byHash.Reset()
	if s.v != nil {
		s.countUses()
	}
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		s.block(b)
	}
	// An IMPLICIT_DEF that only PHIs read is dead now.
	for _, i := range s.nothing {
		if f.Instr(i).Block() != 0 && f.Instr(i).Opcode == desc.IMPLICIT_DEF && !f.HasUses(f.Op(i, 0).Reg()) {
			f.DropDebugUses(f.Op(i, 0).Reg())
			f.Erase(i)
		}
	}
	return nil
}

// block lowers the PHIs of b.
func (s *phiElim) block(b mir.BlockID) {
	f := s.f
	first := f.Block(b).First()
	if first == 0 || !f.IsPHI(first) {
		return
	}
	critical := f.NumPreds(b) >= 2
	for _, p := range f.Preds(b) {
		if f.NumSuccs(p) < 2 {
			critical = false
			break
		}
	}
	// The destination copies go behind all PHIs (and EH labels), each before the last.
	s.pending = s.pending[:0]
	for i := first; i != 0 && f.IsPHI(i); i = f.Instr(i).Next() {
		s.pending = append(s.pending, i)
	}
	at := skipLabels(f, b, f.FirstNonPHI(b))
	for _, phi := range s.pending {
		at = s.lower(b, phi, at, critical)
		s.c.Count("phi-node-elimination", "Number of atomic phis lowered", 1)
	}
}

// skipLabels returns the first instruction from i of block b on that is no EH
// label, 0 at the end of the block. Debug instructions in front of a label are
// moved behind it, so that they stand behind what is inserted at the place
// returned, whose results they may name.
func skipLabels(f *mir.Function, b mir.BlockID, i mir.InstrID) mir.InstrID {
	at := i
	for j := i; j != 0; j = f.Instr(j).Next() {
		if f.Instr(j).Opcode == desc.EH_LABEL {
			at = f.Instr(j).Next()
		} else if !f.IsDebugInstr(j) {
			break
		}
	}
	first := at
	for j := i; j != at; {
		next := f.Instr(j).Next()
		if j == first {
			break
		}
		if f.IsDebugInstr(j) {
			f.Move(b, at, j)
			if first == at {
				first = j
			}
		}
		j = next
	}
	return first
}

// lower replaces one PHI and returns its copy, which goes before at (0: at the end
// of b). critical: all edges into b are, so that another block may have the same PHI.
func (s *phiElim) lower(b mir.BlockID, phi, at mir.InstrID, critical bool) mir.InstrID {
	f := s.f
	dst := *f.Op(phi, 0)
	n := f.Instr(phi).NumOps()
	k := len(s.ops)
	s.ops = append(s.ops, f.Ops(phi)...)
	srcs := s.ops[k+1 : k+n]
	loc := f.Instr(phi).Loc
	allUndef := true
	for k := 0; k < len(srcs); k += 2 {
		if !isUndef(f, &srcs[k]) {
			allUndef = false
		}
	}
	if s.v != nil {
		s.v.RemoveKills(phi)
		if dst.IsDead() {
			s.v.Var(dst.Reg()).RemoveKill(phi)
		}
	}
	f.Erase(phi)
	incoming, reused := mir.NoReg, false
	var cp mir.InstrID
	if allUndef {
		cp = f.New(desc.IMPLICIT_DEF, mir.RegOp(dst.Reg(), mir.Def))
	} else {
		row := int32(0)
		if critical {
			row = s.sameLowered(srcs)
		}
		if row != 0 && s.lowered[row].incoming != 0 {
			incoming, reused = s.lowered[row].incoming, true
			s.c.Count("phi-node-elimination", "Number of reused lowered phis", 1)
		} else {
			incoming = f.CloneVReg(dst.Reg())
			if row != 0 {
				s.lowered[row].incoming = incoming
			}
		}
		cp = f.New(desc.COPY, mir.RegOp(dst.Reg(), mir.Def), mir.RegOp(incoming, 0))
	}
	f.Instr(cp).Loc = loc
	f.InsertBefore(b, at, cp)
	s.destination(b, cp, dst, incoming, reused)
	if s.v != nil {
		for k := 0; k < len(srcs); k += 2 {
			if !srcs[k].IsUndef() {
				key := useKey(srcs[k+1].Block(), srcs[k].Reg())
				n, _ := s.uses.Add(stamped.Mix(key), key, stamped.Mix)
				*n--
			}
		}
	}
	s.stamp++
	for k := len(srcs) - 2; k >= 0; k -= 2 {
		// A predecessor with several edges to b is listed once an edge, with the same value.
		if pred := srcs[k+1].Block(); s.seen[pred] != s.stamp {
			s.seen[pred] = s.stamp
			s.source(b, pred, &srcs[k], incoming, reused, loc)
		}
	}
	if !critical {
		s.ops = s.ops[:k]
	}
	return cp
}

// destination writes what is known of the copy at the head of b.
func (s *phiElim) destination(b mir.BlockID, cp mir.InstrID, dst mir.Operand, incoming mir.Reg, reused bool) {
	f := s.f
	if s.v == nil {
		if dst.IsDead() {
			f.SetOpFlag(cp, 0, mir.Dead, true)
		}
		return
	}
	if incoming != 0 {
		// A register that is reused is killed by the later of the copies.
		old := mir.InstrID(0)
		if reused {
			if old = s.v.Var(incoming).KillIn(f, b); old != 0 && f.Before(old, cp) {
				s.v.RemoveKill(incoming, old)
				old = 0
			}
		}
		if old == 0 {
			s.v.AddKill(incoming, cp)
		}
	}
	if dst.IsDead() {
		s.v.AddDeadDef(dst.Reg(), cp)
	}
}

// source puts the copy of src to incoming at the end of pred, unless an earlier
// PHI's is there.
func (s *phiElim) source(b, pred mir.BlockID, src *mir.Operand, incoming mir.Reg, reused bool, loc mir.DebugLoc) {
	f := s.f
	undef := isUndef(f, src)
	at := s.copyPlace(pred, b, src.Reg())
	i := mir.InstrID(0)
	if !reused && incoming != 0 {
		if undef {
			i = f.New(desc.IMPLICIT_DEF, mir.RegOp(incoming, mir.Def))
			f.Instr(i).Loc = loc
		} else {
			i = f.New(desc.COPY, mir.RegOp(incoming, mir.Def), mir.SubRegOp(src.Reg(), src.SubReg(), 0))
		}
		f.InsertBefore(pred, at, i)
	}
	if undef {
		if d := f.UniqueDef(src.Reg()); d != 0 && f.Instr(d).Opcode == desc.IMPLICIT_DEF {
			s.nothing = append(s.nothing, d)
		}
		return
	}
	if s.v == nil || s.v.LiveOut(src.Reg(), pred) {
		return
	}
	key := useKey(pred, src.Reg())
	if n := s.uses.Find(stamped.Mix(key), key); n != nil && *n != 0 {
		return
	}
	// The copy ends the register's life, or a terminator behind it does.
	kill := mir.InstrID(0)
	for t := at; t != 0; t = f.Instr(t).Next() {
		if readsVirtual(f, t, src.Reg()) {
			kill = t
		}
	}
	if kill == 0 {
		kill = i
	}
	if kill == 0 {
		kill = f.Block(pred).Last()
		if at != 0 {
			kill = f.Instr(at).Prev()
		}
		for kill != 0 && (f.IsDebugInstr(kill) || !readsVirtual(f, kill, src.Reg())) {
			kill = f.Instr(kill).Prev()
		}
	}
	if kill != 0 {
		s.v.AddKill(src.Reg(), kill)
		s.v.Var(src.Reg()).SetNotAlive(pred)
	}
}

// copyPlace returns the instruction of block pred before which a copy of r
// stands that runs on the way to b, 0 for the end: the first terminator, but
// for landing pads and, from inline assembly, its targets the call or assembly that
// may go there, or what stands behind r's definition when that is later.
func (s *phiElim) copyPlace(pred, b mir.BlockID, r mir.Reg) mir.InstrID {
	f := s.f
	if fl := f.Block(b).Flags; fl&mir.EHPad == 0 && (fl&mir.InlineAsmBrTarget == 0 || !hasAsmBranch(f, pred)) {
		return f.FirstTerminator(pred)
	}
	at := f.Block(pred).First()
	for i := f.Block(pred).Last(); i != 0; i = f.Instr(i).Prev() {
		if defines(f, i, r) {
			at = f.Instr(i).Next()
			break
		}
		if f.Desc(i).IsCall() || f.Instr(i).Opcode == desc.INLINEASM_BR {
			at = i
			break
		}
	}
	for at != 0 && (f.IsPHI(at) || isLabel(f.Instr(at).Opcode)) {
		at = f.Instr(at).Next()
	}
	return at
}

// hasAsmBranch reports inline assembly in b that may jump.
func hasAsmBranch(f *mir.Function, b mir.BlockID) bool {
	for i := f.Block(b).Last(); i != 0; i = f.Instr(i).Prev() {
		if f.Instr(i).Opcode == desc.INLINEASM_BR {
			return true
		}
	}
	return false
}

func isLabel(op desc.Opcode) bool {
	switch op {
	case desc.EH_LABEL, desc.GC_LABEL, desc.ANNOTATION_LABEL, desc.CFI_INSTRUCTION:
		return true
	}
	return false
}

func defines(f *mir.Function, i mir.InstrID, r mir.Reg) bool {
	for _, o := range f.Ops(i) {
		if o.IsDef() && o.Reg() == r {
			return true
		}
	}
	return false
}

// isUndef reports a PHI source without a value: flagged undef, or defined by
// nothing but IMPLICIT_DEFs.
func isUndef(f *mir.Function, o *mir.Operand) bool {
	if o.IsUndef() || o.Reg() == mir.NoReg {
		return true
	}
	for i := range f.Defs(o.Reg()) {
		if f.Instr(i).Opcode != desc.IMPLICIT_DEF {
			return false
		}
	}
	return true
}

func useKey(b mir.BlockID, r mir.Reg) uint64 { return uint64(b)<<32 | uint64(r) }

// countUses counts the operands of PHIs by predecessor.
func (s *phiElim) countUses() {
	f := s.f
	s.uses.Reset()
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		for i := f.Block(b).First(); i != 0 && f.IsPHI(i); i = f.Instr(i).Next() {
			ops := f.Ops(i)
			for k := 1; k+1 < len(ops); k += 2 {
				if !ops[k].IsUndef() {
					key := useKey(ops[k+1].Block(), ops[k].Reg())
					n, _ := s.uses.Add(stamped.Mix(key), key, stamped.Mix)
					*n++
				}
			}
		}
	}
}

// sameLowered returns the row of lowered of a PHI with these sources, a new one
// without a register when there is none.
func (s *phiElim) sameLowered(srcs []mir.Operand) int32 {
	h := uint64(len(srcs))
	for k := 0; k < len(srcs); k += 2 {
		h = (h ^ useKey(srcs[k+1].Block(), srcs[k].Reg()) ^ uint64(srcs[k].SubReg())<<20) * 0x9e3779b97f4a7c15
		h ^= h >> 29
	}
	at, _ := s.byHash.Add(h, h, func(h uint64) uint64 { return h })
	first := *at
	for row := first; row != 0; row = s.lowered[row].next {
		l := &s.lowered[row]
		if slices.EqualFunc(s.ops[l.ops:l.ops+l.n], srcs, sameSource) {
			return row
		}
	}
	s.lowered = append(s.lowered, loweredPHI{ops: len(s.ops) - len(srcs), n: len(srcs), next: first})
	row := int32(len(s.lowered) - 1)
	*at = row
	return row
}

func sameSource(a, b mir.Operand) bool { return a.SameValue(&b) && a.IsUndef() == b.IsUndef() }

// splitEdges puts blocks on critical edges into PHIs where the copy would
// interfere with its source.
func (s *phiElim) splitEdges() {
	f := s.f
	loops := pass.Get[pass.Loops](s.c, f)
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		if b >= s.firstNew || f.Block(b).Flags&mir.EHPad != 0 {
			continue
		}
		for i := f.Block(b).First(); i != 0 && f.IsPHI(i); i = f.Instr(i).Next() {
			for k := 1; k+1 < f.Instr(i).NumOps(); k += 2 {
				s.splitFor(loops, b, f.Op(i, k).Reg(), f.Op(i, k+1).Block())
			}
		}
	}
	if len(s.news) > 0 {
		s.v.AddBlocks(s.news)
		s.c.DropCFG()
	}
}

// splitFor splits the edge from pred to b, on which PHIs of b read r, if that pays.
func (s *phiElim) splitFor(loops *pass.Loops, b mir.BlockID, r mir.Reg, pred mir.BlockID) {
	f := s.f
	if f.NumSuccs(pred) == 1 || pred == b {
		return
	}
	in, from := loops.Loop[b], loops.Loop[pred]
	if in == from && loops.IsHeader(int(b)) {
		return // a block in the loop for the way back costs more
	}
	// When the copy ends the life of r it can be joined.
	if !s.liveOut(r, pred) {
		return
	}
	if s.v.LiveIn(r, b) {
		// Both are wanted behind the edge; but a copy need not be made in a loop that is left.
		if in == from || from < 0 || s.encloses(loops, from, in) {
			return
		}
	}
	if !s.c.Subtarget.CanSplitEdge(f, pred, b) {
		return
	}
	// The branches are made anew: what they kill is noted again.
	s.killed = s.killed[:0]
	for t := f.FirstTerminator(pred); t != 0; t = f.Instr(t).Next() {
		for k := range f.Instr(t).NumOps() {
			o := f.Op(t, k)
			if !o.IsKill() || o.IsUndef() || o.Reg() == 0 {
				continue
			}
			if r := o.Reg(); r.IsPhysical() || s.v.Var(r).RemoveKill(t) {
				s.killed = append(s.killed, r)
				f.SetOpFlag(t, k, mir.Kill, false)
			}
		}
	}
	n := s.c.Subtarget.SplitEdge(f, pred, b)
	for k := len(s.killed) - 1; k >= 0; k-- {
		r := s.killed[k]
		for t := f.Block(pred).Last(); t != 0; t = f.Instr(t).Prev() {
			if liveness.AddKilled(f, t, r, false) {
				if r.IsVirtual() {
					x := s.v.Var(r)
					x.Kills = append(x.Kills, t)
				}
				break
			}
		}
	}
	s.news = append(s.news, liveness.SplitBlock{Block: n, Below: b})
	for i := f.Block(b).First(); i != 0 && f.IsPHI(i); i = f.Instr(i).Next() {
		for k := 1; k+1 < f.Instr(i).NumOps(); k += 2 {
			if o := f.Op(i, k); f.Op(i, k+1).Block() == n && o.ReadsReg() {
				s.v.Var(o.Reg()).SetAlive(n)
			}
		}
	}
	s.c.Count("phi-node-elimination", "Number of critical edges split", 1)
}

// encloses reports whether loop outer contains loop x, -1 for no loop.
func (s *phiElim) encloses(loops *pass.Loops, outer, x int32) bool {
	for ; x >= 0; x = loops.All[x].Parent {
		if x == outer {
			return true
		}
	}
	return false
}

// liveOut is Variables.LiveOut where blocks that were put on edges, which the
// variables do not know of yet, stand for the block below.
func (s *phiElim) liveOut(r mir.Reg, b mir.BlockID) bool {
	f := s.f
	for _, e := range f.Succs(b) {
		to := e.Block
		if s.v.Var(r).Alive(to) {
			return true
		}
		if to >= s.firstNew {
			to = f.Succs(to)[0].Block
		}
		if s.v.LiveIn(r, to) {
			return true
		}
	}
	return false
}

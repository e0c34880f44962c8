package ssaopt

import (
	"slices"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
	"github.com/mirin-go/mirin/target"
)

// ifConv is a branch around one or two blocks that can go: what they compute is computed
// always, and the PHIs behind them become selects (LLVM's SSAIfConv).
//
//	Triangle: head              Diamond: head
//	           | \_                       /  \_
//	           |  \_                     /    |
//	           |  [tf]               [true]  [false]
//	           |  /                      \    /
//	           | /                        \  /
//	          tail                        tail
//
// What is computed early must have no effect and be no load, and find a place in head
// where the physical registers that it writes (flags above all) hold nothing.
type ifConv struct {
	f     *mir.Function
	st    *target.Subtarget
	limit int // of instructions in a block that are computed always

	head, tail mir.BlockID
	// onTrue and onFalse are where the branch of head goes; one of them is tail in a triangle.
	onTrue, onFalse mir.BlockID
	cond            []mir.Operand
	phis            []ifPHI
	at              mir.InstrID // of head, before which the instructions go

	// By instruction and register unit, the round in which they count: what the
	// blocks read of head, what they write, and of that what is read in head.
	round         uint32
	reads         []uint32
	writes, alive []uint32
	removed       []mir.BlockID
}

// ifPHI is a PHI of tail with what it reads on both ways.
type ifPHI struct {
	phi             mir.InstrID
	onTrue, onFalse mir.Reg
	cost            target.SelectCost
}

// maxTailPreds is how many blocks may lead to tail: each head looks through the operands
// of the PHIs.
const maxTailPreds = 1000

// maxTail is how many instructions tail may have for it to be joined with head: there may
// be heads above head, which move them again.
const maxTail = 20000

// begin sets c up for a function.
func (c *ifConv) begin(f *mir.Function, st *target.Subtarget, limit int) {
	c.f, c.st, c.limit, c.round = f, st, limit, 0
	c.reads = rows.Zeroed(c.reads, f.NumInstrIDs())
	c.writes = rows.Zeroed(c.writes, f.Facts.NumUnits())
	c.alive = rows.Zeroed(c.alive, f.Facts.NumUnits())
}

// isTriangle reports that one of the ways goes straight to tail.
func (c *ifConv) isTriangle() bool { return c.onTrue == c.tail || c.onFalse == c.tail }

// truePred and falsePred are the predecessors of tail on both ways.
func (c *ifConv) truePred() mir.BlockID  { return c.pred(c.onTrue) }
func (c *ifConv) falsePred() mir.BlockID { return c.pred(c.onFalse) }

func (c *ifConv) pred(b mir.BlockID) mir.BlockID {
	if b == c.tail {
		return c.head
	}
	return b
}

// find reports that the branch at the end of head can go.
func (c *ifConv) find(head mir.BlockID) bool {
	f := c.f
	if !c.shape(head) {
		return false
	}
	if first := f.Block(c.tail).First(); first == 0 || !f.IsPHI(first) || f.NumPreds(c.tail) > maxTailPreds {
		return false
	}
	br, ok := c.st.AnalyzeBranch(f, head)
	if !ok || br.True == 0 || br.Cond == nil || !f.HasSucc(head, br.True) {
		return false
	}
	c.cond = br.Cond
	c.onTrue, c.onFalse = br.True, f.Succs(head)[0].Block
	if c.onFalse == br.True {
		c.onFalse = f.Succs(head)[1].Block
	}
	if !c.selectable() {
		return false
	}
	c.round++
	c.reads = rows.AtLeast(c.reads, f.NumInstrIDs())
	for _, b := range [...]mir.BlockID{c.onTrue, c.onFalse} {
		if b != c.tail && !c.speculatable(b) {
			return false
		}
	}
	return c.place()
}

// shape finds tail and reports that head and it are the ends of a triangle or a diamond.
func (c *ifConv) shape(head mir.BlockID) bool {
	f := c.f
	if f.NumSuccs(head) != 2 {
		return false
	}
	s := f.Succs(head)
	a, b := s[0].Block, s[1].Block
	if f.NumPreds(a) != 1 {
		a, b = b, a
	}
	if a == b || a == head || f.NumPreds(a) != 1 || f.NumSuccs(a) != 1 || f.Block(a).AddressTaken() {
		return false
	}
	c.head, c.tail = head, f.Succs(a)[0].Block
	if c.tail == b {
		// A loop of these blocks alone is never reached.
		return c.tail != head || f.NumPreds(c.tail) != 2
	}
	// Registers that are live into a tail are set in both blocks.
	return b != head && f.NumPreds(b) == 1 && f.NumSuccs(b) == 1 && f.Succs(b)[0].Block == c.tail &&
		!f.Block(b).AddressTaken() && len(f.LiveInsOf(c.tail)) == 0 && (c.tail != head || f.NumPreds(c.tail) != 2)
}

// selectable finds what the PHIs of tail read and reports that each can become a select.
func (c *ifConv) selectable() bool {
	f := c.f
	can := c.st.Target.Instr.CanInsertSelect
	onTrue, onFalse := c.truePred(), c.falsePred()
	c.phis = c.phis[:0]
	for i := f.Block(c.tail).First(); i != 0 && f.IsPHI(i); i = f.Instr(i).Next() {
		p := ifPHI{phi: i}
		for k := 1; k+1 < f.Instr(i).NumOps(); k += 2 {
			b := f.Op(i, k+1).Block()
			if b != onTrue && b != onFalse {
				continue
			}
			o := f.Op(i, k)
			if o.SubReg() != 0 || o.IsUndef() || defOf(f, o.Reg()) == 0 {
				return false
			}
			if b == onTrue {
				p.onTrue = o.Reg()
			}
			if b == onFalse {
				p.onFalse = o.Reg()
			}
		}
		var ok bool
		if p.onTrue == 0 || p.onFalse == 0 {
			return false
		}
		if p.cost, ok = can(c.st, f, c.cond, f.Op(i, 0).Reg(), p.onTrue, p.onFalse); !ok {
			return false
		}
		c.phis = append(c.phis, p)
	}
	return true
}

// speculatable reports that the instructions of b may be executed always, and notes what
// they read of head and write.
func (c *ifConv) speculatable(b mir.BlockID) bool {
	f := c.f
	if len(f.LiveInsOf(b)) != 0 {
		return false
	}
	n := 0
	for i := f.Block(b).First(); i != 0 && !f.Desc(i).IsTerminator(); i = f.Instr(i).Next() {
		if f.IsDebugInstr(i) {
			continue
		}
		sawStore := true
		if n++; n > c.limit || f.IsPHI(i) || f.IsBundled(i) || f.MayLoad(i) || !safeToMove(f, i, &sawStore) || !c.independent(i) {
			return false
		}
	}
	return true
}

// independent notes what i reads of head and which units it writes; false when it cannot
// stand in head.
func (c *ifConv) independent(i mir.InstrID) bool {
	f := c.f
	ops := f.Ops(i)
	for k := range ops {
		o := &ops[k]
		if o.Kind() == mir.OpRegMask {
			return false
		}
		if !o.IsReg() || o.Reg() == 0 {
			continue
		}
		if o.IsDef() && o.Reg().IsPhysical() {
			for u := range f.Facts.RegUnits(desc.PhysReg(o.Reg())).All() {
				c.writes[u] = c.round
			}
		}
		if !o.Reg().IsVirtual() || !o.ReadsReg() {
			continue
		}
		if def := defOf(f, o.Reg()); def != 0 && f.Instr(def).Block() == c.head {
			c.reads[def] = c.round
			if f.Desc(def).IsTerminator() {
				return false
			}
		}
	}
	return true
}

// place finds where in head the instructions can stand: behind all that they read, before
// or at the first terminator, and where nothing that they write is alive.
func (c *ifConv) place() bool {
	f := c.f
	for _, l := range f.LiveInsOf(c.tail) {
		if c.written(l.Reg) {
			return false
		}
	}
	first := f.FirstTerminator(c.head)
	alive := 0
	for i := f.Block(c.head).Last(); i != 0; i = f.Instr(i).Prev() {
		if f.IsDebugInstr(i) {
			continue
		}
		if c.reads[i] == c.round {
			return false
		}
		ops := f.Ops(i)
		for k := range ops {
			if o := &ops[k]; o.IsDef() && o.Reg().IsPhysical() && o.Reg() != 0 {
				for u := range f.Facts.RegUnits(desc.PhysReg(o.Reg())).All() {
					if c.alive[u] == c.round {
						c.alive[u] = 0
						alive--
					}
				}
			}
		}
		for k := range ops {
			if o := &ops[k]; o.IsReg() && o.Reg() != 0 && o.Reg().IsPhysical() && o.ReadsReg() && !o.IsDef() {
				for u := range f.Facts.RegUnits(desc.PhysReg(o.Reg())).All() {
					if c.writes[u] == c.round && c.alive[u] != c.round {
						c.alive[u] = c.round
						alive++
					}
				}
			}
		}
		if i != first && f.Desc(i).IsTerminator() || alive > 0 {
			continue
		}
		c.at = i
		return true
	}
	return false
}

// written reports that the blocks write a part of physical register r.
func (c *ifConv) written(r mir.Reg) bool {
	for u := range c.f.Facts.RegUnits(desc.PhysReg(r)).All() {
		if c.writes[u] == c.round {
			return true
		}
	}
	return false
}

// convert makes head, what it branches to, and tail one block, or head and what it
// branches to where others lead to tail. removed are then the blocks that are gone.
func (c *ifConv) convert() {
	f := c.f
	c.removed = c.removed[:0]
	for _, b := range [...]mir.BlockID{c.onTrue, c.onFalse} {
		if b != c.tail {
			c.clearKills(b)
		}
	}
	for _, b := range [...]mir.BlockID{c.onTrue, c.onFalse} {
		if b != c.tail {
			c.hoist(b)
		}
	}
	others := f.NumPreds(c.tail) != 2
	c.selects(others)
	for _, b := range [...]mir.BlockID{c.onTrue, c.onFalse} {
		f.RemoveSucc(c.head, b)
		if b != c.tail {
			f.RemoveSucc(b, c.tail)
		}
	}
	loc := f.Instr(f.FirstTerminator(c.head)).Loc
	c.st.RemoveBranch(f, c.head)
	for _, b := range [...]mir.BlockID{c.onTrue, c.onFalse} {
		if b != c.tail {
			f.RemoveBlock(b)
			c.removed = append(c.removed, b)
		}
	}
	if !others && f.NextBlock(c.head) == c.tail && !f.Block(c.tail).AddressTaken() && c.short(c.tail) {
		if first := f.Block(c.tail).First(); first != 0 {
			f.Splice(c.head, first)
		}
		f.TransferSuccs(c.tail, c.head)
		f.RemoveBlock(c.tail)
		c.removed = append(c.removed, c.tail)
		return
	}
	c.st.InsertBranch(f, c.head, target.Branch{True: c.tail}, loc)
	f.AddSucc(c.head, c.tail)
}

// short reports that b has no more instructions than are moved.
func (c *ifConv) short(b mir.BlockID) bool {
	n := 0
	for i := c.f.Block(b).First(); i != 0; i = c.f.Instr(i).Next() {
		if n++; n > maxTail {
			return false
		}
	}
	return true
}

// clearKills clears the kill flags in b of registers that are read behind b's instructions
// when these stand in head: by what stands there now, by the other block's, whose own flags
// stay, and by selects.
func (c *ifConv) clearKills(b mir.BlockID) {
	f := c.f
	onTrue, onFalse := c.truePred(), c.falsePred()
	for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
		for k := range f.Instr(i).NumOps() {
			o := f.Op(i, k)
			if !o.IsKill() || !o.Reg().IsVirtual() {
				continue
			}
			for u, n := range f.NonDebugUses(o.Reg()) {
				in := f.Instr(u).Block()
				if in == c.head && !f.IsPHI(u) && !f.Before(u, c.at) || in == c.onFalse && b == c.onTrue && in != c.tail ||
					in == c.tail && f.IsPHI(u) && (f.Op(u, n+1).Block() == onTrue || f.Op(u, n+1).Block() == onFalse) {
					f.SetOpFlag(i, k, mir.Kill, false)
					break
				}
			}
		}
	}
}

// hoist moves the instructions of b to head. What debug instructions say there of variables
// is true on one way alone, so that nothing is known of these.
func (c *ifConv) hoist(b mir.BlockID) {
	f := c.f
	for i := f.Block(b).First(); i != 0 && !f.Desc(i).IsTerminator(); {
		next := f.Instr(i).Next()
		if f.IsDebugInstr(i) {
			undefDebug(f, i)
		}
		f.Move(c.head, c.at, i)
		i = next
	}
}

// selects makes selects of the PHIs of tail at the end of head. Where others lead to tail the
// PHIs stay and read these instead of what the two ways gave.
func (c *ifConv) selects(others bool) {
	f := c.f
	first := f.FirstTerminator(c.head)
	loc := f.Instr(first).Loc
	insert := c.st.Target.Instr.InsertSelect
	onTrue, onFalse := c.truePred(), c.falsePred()
	for _, p := range c.phis {
		dst := f.Op(p.phi, 0).Reg()
		same := c.sameValue(p.onTrue, p.onFalse)
		if !others {
			if same {
				b := mir.Builder{F: f, Block: c.head, At: first, Loc: loc}
				b.Build(desc.COPY, mir.RegOp(dst, mir.Def), mir.RegOp(p.onTrue, 0))
			} else {
				insert(c.st, f, c.head, first, loc, c.cond, dst, p.onTrue, p.onFalse)
			}
			f.Erase(p.phi)
			continue
		}
		value := p.onTrue
		if !same {
			value = f.AddVReg(f.VReg(dst).Class)
			insert(c.st, f, c.head, first, loc, c.cond, value, p.onTrue, p.onFalse)
		}
		for k := f.Instr(p.phi).NumOps() - 1; k > 1; k -= 2 {
			switch f.Op(p.phi, k).Block() {
			case onTrue:
				f.SetBlock(p.phi, k, c.head)
				f.SetReg(p.phi, k-1, value)
			case onFalse:
				f.RemoveOp(p.phi, k)
				f.RemoveOp(p.phi, k-1)
			}
		}
	}
}

// sameValue reports that registers a and b hold the same whatever way is taken: their
// definitions compute the same of the same operands, none of which is a physical register.
func (c *ifConv) sameValue(a, b mir.Reg) bool {
	f := c.f
	if a == b {
		return true
	}
	x, y := f.UniqueDef(a), f.UniqueDef(b)
	if x == 0 || y == 0 || f.HasSideEffects(x) || (f.MayLoad(x) || f.MayStore(x)) && !f.IsInvariantLoad(x) || !sameExpr(f, x, y) {
		return false
	}
	// What x promises about its result must hold where y was meant, too.
	if f.Instr(x).Flags()&^f.Instr(y).Flags() != 0 {
		return false
	}
	ops, other := f.Ops(x), f.Ops(y)
	for k := range ops {
		if o := &ops[k]; o.IsReg() && o.Reg() != 0 && o.Reg().IsPhysical() && (!o.IsDef() || o.IsImplicit()) {
			return false
		}
	}
	return slices.IndexFunc(ops, func(o mir.Operand) bool { return o.IsDef() && o.Reg() == a }) ==
		slices.IndexFunc(other, func(o mir.Operand) bool { return o.IsDef() && o.Reg() == b })
}

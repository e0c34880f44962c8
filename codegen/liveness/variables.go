package liveness

import (
	"math/bits"
	"slices"

	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// Variables says of each virtual register of a function in SSA form through which
// blocks it is live and which instructions read it last (LLVM's LiveVariables).
// Computing it writes the kill and dead flags anew, of virtual registers and of
// the physical ones, which live within a block each; for these it adds implicit
// operands where parts and wholes are mixed.
//
// Passes that go out of SSA form keep it true through the methods here.
type Variables struct {
	f     *mir.Function
	vars  []Variable
	pos   []uint32 // by instruction: its number in the order of the function
	words []aliveWord
	kills []mir.InstrID

	epoch    uint32
	mark     []varBlock // by block
	live     []mir.BlockID
	phys     physLive
	reach    []bool
	stack    []mir.BlockID
	reserved []uint32
}

// Variable is what is known of one virtual register. The zero Variable is that of
// a register that nothing defines.
type Variable struct {
	// Kills are the instructions that read the register last, one for each block in
	// which its life ends; the definition when nothing reads it.
	Kills []mir.InstrID
	// alive are the blocks through which it is live, in order.
	alive []aliveWord
}

// aliveWord is 64 blocks.
type aliveWord struct {
	base uint32
	bits uint64
}

// varBlock is what the walk of a register knows of a block.
type varBlock struct {
	epoch uint32
	last  mir.InstrID // the last use
	out   bool
	alive bool
}

// Alive reports whether the register is live through all of block b.
func (x *Variable) Alive(b mir.BlockID) bool {
	k, ok := x.word(b)
	return ok && x.alive[k].bits>>(b%64)&1 != 0
}

func (x *Variable) word(b mir.BlockID) (int, bool) {
	return slices.BinarySearchFunc(x.alive, uint32(b/64), func(w aliveWord, base uint32) int { return int(w.base) - int(base) })
}

// SetAlive says that the register is live through block b.
func (x *Variable) SetAlive(b mir.BlockID) {
	k, ok := x.word(b)
	if !ok {
		x.alive = slices.Insert(x.alive, k, aliveWord{base: uint32(b / 64)})
	}
	x.alive[k].bits |= 1 << (b % 64)
}

// KillIn returns the instruction of block b that reads the register last, 0 when it lives on or is not there.
func (x *Variable) KillIn(f *mir.Function, b mir.BlockID) mir.InstrID {
	for _, i := range x.Kills {
		if f.Instr(i).Block() == b {
			return i
		}
	}
	return 0
}

// RemoveKill takes i out of the kills and reports whether it was one.
func (x *Variable) RemoveKill(i mir.InstrID) bool {
	k := slices.Index(x.Kills, i)
	if k < 0 {
		return false
	}
	x.Kills = slices.Delete(x.Kills, k, k+1)
	return true
}

// Compute finds the variables of f, which is in SSA form, and writes the flags.
func (v *Variables) Compute(c *pass.Context, f *mir.Function) {
	v.f = f
	v.vars = cleared(v.vars, f.NumVRegs())
	if f.Props&mir.IsSSA == 0 {
		v.vars = v.vars[:0] // what is kept true beyond SSA form cannot be found again
		return
	}
	v.words, v.kills = v.words[:0], v.kills[:0]
	v.reserve(c, f)
	v.scan()
	v.mark = grown(v.mark, f.NumBlockIDs())
	for n := range v.vars {
		v.variable(mir.VReg(n))
	}
}

// OfCFG is false.
func (v *Variables) OfCFG() bool { return false }

// Differs compares the lives.
func (v *Variables) Differs(o *Variables) string {
	for n := range v.vars {
		if n >= len(o.vars) {
			break
		}
		a, b := &v.vars[n], &o.vars[n]
		if !slices.Equal(a.alive, b.alive) {
			return "the blocks through which %" + string(appendInt(nil, n)) + " is live"
		}
		x, y := slices.Clone(a.Kills), slices.Clone(b.Kills)
		slices.Sort(x)
		slices.Sort(y)
		if !slices.Equal(x, y) {
			return "what kills %" + string(appendInt(nil, n))
		}
	}
	return ""
}

// reserve marks the physical registers that nothing is known of.
func (v *Variables) reserve(c *pass.Context, f *mir.Function) {
	v.reserved = cleared(v.reserved, f.Facts.RegWords())
	appendReserved(c, f, v.reserved)
}

// Var returns what is known of a register; good until a register is added.
func (v *Variables) Var(r mir.Reg) *Variable {
	v.vars = grown(v.vars, r.Index()+1)
	return &v.vars[r.Index()]
}

// scan numbers the instructions of the blocks that are reached, clears the flags
// that are found anew, and goes through the physical registers of each block.
func (v *Variables) scan() {
	f := v.f
	v.pos = cleared(v.pos, f.NumInstrIDs())
	v.reach = cleared(v.reach, f.NumBlockIDs())
	v.stack = append(v.stack[:0], f.FirstBlock())
	for len(v.stack) > 0 && f.FirstBlock() != 0 {
		b := v.stack[len(v.stack)-1]
		v.stack = v.stack[:len(v.stack)-1]
		if v.reach[b] {
			continue
		}
		v.reach[b] = true
		for _, s := range f.Succs(b) {
			if !v.reach[s.Block] {
				v.stack = append(v.stack, s.Block)
			}
		}
	}
	n := uint32(0)
	v.phys.init(f, v.reserved)
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		if !v.reach[b] {
			continue
		}
		v.phys.begin(n+1, v.pos)
		for i := f.Block(b).First(); i != 0; i = f.NextBundle(i) {
			if !hasIndex(f, i) {
				continue
			}
			n++
			v.pos[i] = n
			v.clearFlags(i)
			v.phys.instr(i)
		}
		v.phys.endBlock(b)
	}
}

// clearFlags takes kill flags of uses and dead flags of physical definitions away.
func (v *Variables) clearFlags(i mir.InstrID) {
	f := v.f
	phi := f.IsPHI(i)
	for n := range f.Ops(i) {
		o := f.Op(i, n)
		if !o.IsReg() || o.Reg() == 0 || o.Flags()&mir.DeadOrKill == 0 || phi && n > 0 {
			continue
		}
		if r := o.Reg(); r.IsPhysical() && v.phys.isReserved(r) || o.IsDef() && r.IsVirtual() {
			continue
		}
		f.SetOpFlag(i, n, mir.DeadOrKill, false)
	}
}

// variable finds the life of r and sets the flags of its kills.
func (v *Variables) variable(r mir.Reg) {
	f := v.f
	id := f.FirstUse(r)
	if id == 0 || !f.OpAt(id).IsDef() {
		return
	}
	def, _ := f.Owner(id)
	home := f.Instr(def).Block()
	if home == 0 || !v.reach[home] {
		return
	}
	v.begin()
	for ; id != 0; id = f.NextUse(id) {
		o := f.OpAt(id)
		if o.IsDef() || o.IsDebug() || !o.ReadsReg() {
			continue
		}
		i, n := f.Owner(id)
		if f.IsPHI(i) {
			if v.reach[f.Instr(i).Block()] {
				v.liveOut(f.Op(i, n+1).Block(), home)
			}
			continue
		}
		if i = f.BundleHead(i); v.pos[i] == 0 {
			continue
		}
		b := f.Instr(i).Block()
		p := v.block(b)
		if p.last == 0 {
			v.live = append(v.live, b)
			if b != home {
				for _, pred := range f.Preds(b) {
					v.liveOut(pred, home)
				}
			}
		}
		if p.last == 0 || v.pos[i] > v.pos[p.last] {
			p.last = i
		}
	}
	v.finish(r, def, home)
}

func (v *Variables) begin() {
	if v.epoch++; v.epoch == 0 {
		clear(v.mark)
		v.epoch = 1
	}
	v.live = v.live[:0]
}

func (v *Variables) block(b mir.BlockID) *varBlock {
	p := &v.mark[b]
	if p.epoch != v.epoch {
		*p = varBlock{epoch: v.epoch}
	}
	return p
}

// liveOut makes the register that home defines live at the end of b, and of all
// blocks between the two.
func (v *Variables) liveOut(b, home mir.BlockID) {
	v.stack = append(v.stack[:0], b)
	for len(v.stack) > 0 {
		b := v.stack[len(v.stack)-1]
		v.stack = v.stack[:len(v.stack)-1]
		if !v.reach[b] {
			continue
		}
		p := v.block(b)
		if p.out {
			continue
		}
		if p.out = true; b == home {
			continue
		}
		p.alive = true
		if p.last == 0 {
			v.live = append(v.live, b)
		}
		v.stack = append(v.stack, v.f.Preds(b)...)
	}
}

// finish writes the variable of r and its flags.
func (v *Variables) finish(r mir.Reg, def mir.InstrID, home mir.BlockID) {
	x := &v.vars[r.Index()]
	k, w := len(v.kills), len(v.words)
	slices.Sort(v.live)
	v.live = slices.Compact(v.live)
	for _, b := range v.live {
		p := v.block(b)
		if p.alive {
			if n := len(v.words); n == w || v.words[n-1].base != uint32(b/64) {
				v.words = append(v.words, aliveWord{base: uint32(b / 64)})
			}
			v.words[len(v.words)-1].bits |= 1 << (b % 64)
		} else if !p.out && p.last != 0 {
			v.kills = append(v.kills, p.last)
		}
	}
	if p := v.block(home); !p.out && p.last == 0 {
		v.kills = append(v.kills, def)
	}
	x.Kills, x.alive = v.kills[k:len(v.kills):len(v.kills)], v.words[w:len(v.words):len(v.words)]
	for _, i := range x.Kills {
		if i == def {
			AddDead(v.f, i, r, false)
		} else {
			AddKilled(v.f, i, r, false)
		}
	}
}

// LiveIn reports whether r is live into block b: through it, or read in it before it ends.
func (v *Variables) LiveIn(r mir.Reg, b mir.BlockID) bool {
	x := v.Var(r)
	if x.Alive(b) {
		return true
	}
	if d := v.def(r); d != 0 && v.f.Instr(d).Block() == b {
		return false
	}
	return x.KillIn(v.f, b) != 0
}

// LiveOut reports whether r is live out of block b other than as a PHI's operand
// there. b has few successors, or r is live into few of them.
func (v *Variables) LiveOut(r mir.Reg, b mir.BlockID) bool {
	x := v.Var(r)
	for _, s := range v.f.Succs(b) {
		if x.Alive(s.Block) {
			return true
		}
	}
	for _, s := range v.f.Succs(b) {
		if x.KillIn(v.f, s.Block) != 0 && !v.definedIn(r, s.Block) {
			return true
		}
	}
	return false
}

func (v *Variables) definedIn(r mir.Reg, b mir.BlockID) bool {
	d := v.def(r)
	return d != 0 && v.f.Instr(d).Block() == b
}

func (v *Variables) def(r mir.Reg) mir.InstrID {
	if id := v.f.FirstUse(r); id != 0 && v.f.OpAt(id).IsDef() {
		i, _ := v.f.Owner(id)
		return i
	}
	return 0
}

// AddKill makes i the kill of r in its block, with the flag.
func (v *Variables) AddKill(r mir.Reg, i mir.InstrID) {
	if AddKilled(v.f, i, r, false) {
		x := v.Var(r)
		x.Kills = append(x.Kills, i)
	}
}

// AddDeadDef makes i, which defines r, what its life ends with.
func (v *Variables) AddDeadDef(r mir.Reg, i mir.InstrID) {
	if AddDead(v.f, i, r, false) {
		x := v.Var(r)
		x.Kills = append(x.Kills, i)
	}
}

// RemoveKill makes i no kill of r, with the flag; false when it was none.
func (v *Variables) RemoveKill(r mir.Reg, i mir.InstrID) bool {
	if !v.Var(r).RemoveKill(i) {
		return false
	}
	for n := range v.f.Ops(i) {
		if o := v.f.Op(i, n); o.IsReg() && o.IsKill() && o.Reg() == r {
			v.f.SetOpFlag(i, n, mir.Kill, false)
			break
		}
	}
	return true
}

// RemoveKills forgets i, which is about to go, as a kill of the registers that it
// names, with the flags.
func (v *Variables) RemoveKills(i mir.InstrID) {
	for n := range v.f.Ops(i) {
		if o := v.f.Op(i, n); o.IsReg() && o.IsKill() {
			r := o.Reg()
			v.f.SetOpFlag(i, n, mir.Kill, false)
			if r.IsVirtual() {
				v.Var(r).RemoveKill(i)
			}
		}
	}
}

// ReplaceKill makes to the kill of r that from was. The flags are the caller's.
func (v *Variables) ReplaceKill(r mir.Reg, from, to mir.InstrID) {
	x := v.Var(r)
	for k := range x.Kills {
		if x.Kills[k] == from {
			x.Kills[k] = to
		}
	}
}

// SplitBlock is a block that was put on the edge to block Below.
type SplitBlock struct{ Block, Below mir.BlockID }

// AddBlocks tells of blocks that were put on edges: what is live into the block
// below is live through them, but for the results of its PHIs. What PHIs read on
// the way is the caller's to set.
func (v *Variables) AddBlocks(news []SplitBlock) {
	if len(news) == 0 {
		return
	}
	f := v.f
	// The rows of news by the block below, found by a set of those blocks.
	below := make([]uint64, (f.NumBlockIDs()+63)/64)
	rows := slices.Clone(news)
	slices.SortStableFunc(rows, func(a, b SplitBlock) int { return int(a.Below) - int(b.Below) })
	for _, n := range rows {
		below[n.Below/64] |= 1 << (n.Below % 64)
	}
	var add []mir.BlockID
	note := func(s mir.BlockID) {
		k, _ := slices.BinarySearchFunc(rows, s, func(n SplitBlock, s mir.BlockID) int { return int(n.Below) - int(s) })
		for ; k < len(rows) && rows[k].Below == s; k++ {
			add = append(add, rows[k].Block)
		}
	}
	for n := range v.vars {
		x, r := &v.vars[n], mir.VReg(n)
		add = add[:0]
		for _, w := range x.alive {
			for m := w.bits & below[w.base]; m != 0; m &= m - 1 {
				note(mir.BlockID(w.base*64) + mir.BlockID(bits.TrailingZeros64(m)))
			}
		}
		for _, i := range x.Kills {
			if b := f.Instr(i).Block(); below[b/64]>>(b%64)&1 != 0 && v.definedElsewhere(r, b) {
				note(b)
			}
		}
		for _, b := range add {
			x.SetAlive(b)
		}
	}
}

// SetNotAlive says that the register is not live through all of block b.
func (x *Variable) SetNotAlive(b mir.BlockID) {
	if k, ok := x.word(b); ok {
		if x.alive[k].bits &^= 1 << (b % 64); x.alive[k].bits == 0 {
			x.alive = slices.Delete(x.alive, k, k+1)
		}
	}
}

func (v *Variables) definedElsewhere(r mir.Reg, b mir.BlockID) bool {
	d := v.def(r)
	return d != 0 && v.f.Instr(d).Block() != b
}

// appendReserved sets the bits of the registers that are reserved in f.
func appendReserved(c *pass.Context, f *mir.Function, set []uint32) {
	if st := c.Subtarget; st != nil {
		for _, r := range st.ReservedRegs(f, nil) {
			set[r/32] |= 1 << (r % 32)
		}
		return
	}
	// MIR of a target that has no code here: its default subtarget.
	copy(set, f.Facts.ReservedRegs(0))
}

// AddKilled gives i's use of r a kill flag, an implicit use of its own where it
// has none and add is true. A kill of a register above r is enough; kills of
// parts of it are taken away. True: i kills r now.
func AddKilled(f *mir.Function, i mir.InstrID, r mir.Reg, add bool) bool {
	found := false
	for n := 0; n < f.Instr(i).NumOps(); n++ {
		o := f.Op(i, n)
		if !o.IsUse() || o.IsUndef() || o.IsDebug() || o.Reg() == 0 {
			continue
		}
		switch x := o.Reg(); {
		case x == r && !found:
			if o.IsKill() || r.IsPhysical() && o.IsTied() {
				return true // a tied register goes on as what its definition makes of it
			}
			f.SetOpFlag(i, n, mir.Kill, true)
			found = true
		case x != r && o.IsKill() && x.IsPhysical() && r.IsPhysical():
			if f.Facts.IsSuperRegister(desc.PhysReg(r), desc.PhysReg(x)) {
				return true
			}
		}
	}
	if r.IsPhysical() {
		dropParts(f, i, r, func(o *mir.Operand) bool { return o.IsUse() && !o.IsUndef() && !o.IsDebug() && o.IsKill() })
	}
	if !found && add {
		f.AddOp(i, mir.RegOp(r, mir.Implicit|mir.Kill))
		return true
	}
	return found
}

// AddDead gives i's definitions of r a dead flag, an implicit one of its own where
// it has none and add is true.
func AddDead(f *mir.Function, i mir.InstrID, r mir.Reg, add bool) bool {
	found := false
	for n := 0; n < f.Instr(i).NumOps(); n++ {
		o := f.Op(i, n)
		if !o.IsDef() || o.Reg() == 0 {
			continue
		}
		switch x := o.Reg(); {
		case x == r:
			f.SetOpFlag(i, n, mir.Dead, true)
			found = true
		case o.IsDead() && x.IsPhysical() && r.IsPhysical():
			if f.Facts.IsSuperRegister(desc.PhysReg(r), desc.PhysReg(x)) {
				return true
			}
		}
	}
	if r.IsPhysical() {
		dropParts(f, i, r, func(o *mir.Operand) bool { return o.IsDef() && o.IsDead() })
	}
	if !found && add {
		f.AddOp(i, mir.RegOp(r, mir.Def|mir.Implicit|mir.Dead))
		return true
	}
	return found
}

// dropParts takes operands that flagged accepts and that name parts of r away,
// the flag alone where they are explicit or belong to inline assembly.
func dropParts(f *mir.Function, i mir.InstrID, r mir.Reg, flagged func(*mir.Operand) bool) {
	groups := asmGroupsEnd(f, i)
	for n := f.Instr(i).NumOps() - 1; n >= 0; n-- {
		o := f.Op(i, n)
		if !o.IsReg() || !o.Reg().IsPhysical() || !flagged(o) || !f.Facts.IsSubRegister(desc.PhysReg(r), desc.PhysReg(o.Reg())) {
			continue
		}
		if o.IsImplicit() && n >= groups {
			f.RemoveOp(i, n)
		} else {
			f.SetOpFlag(i, n, mir.DeadOrKill, false)
		}
	}
}

// asmGroupsEnd is where the operand groups of inline assembly end, 0 for other instructions.
func asmGroupsEnd(f *mir.Function, i mir.InstrID) int {
	if op := f.Instr(i).Opcode; op != desc.INLINEASM && op != desc.INLINEASM_BR {
		return 0
	}
	ops := f.Ops(i)
	k := mir.AsmFirstGroup
	for k < len(ops) && ops[k].IsImm() {
		k = mir.AsmGroupAfter(ops, k)
	}
	return k
}

package liveness

import (
	"slices"

	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
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
	regions  regions
	through  []int32 // the regions that the register is live through
	// nests are, in order, those of the definition and the uses of reg, once nestsKnown says so.
	nests      []int32
	reg        mir.Reg
	nestsKnown bool
	runs       []blockRun
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

// aliveWord is n times 64 blocks, all of them where n is not 1: a register that
// is live through most of a great function is so by a few rows.
type aliveWord struct {
	base, n uint32
	bits    uint64
}

// end is behind the last word of 64 blocks.
func (w *aliveWord) end() uint32 { return w.base + w.n }

const fullWord = ^uint64(0)

// varBlock is what the walk of a register knows of a block.
type varBlock struct {
	epoch uint32
	last  mir.InstrID // the last use
	out   bool
	alive bool
	// header says that the block heads a region that the register is live through.
	header bool
}

// Alive reports whether the register is live through all of block b.
func (x *Variable) Alive(b mir.BlockID) bool {
	k, ok := x.word(b)
	return ok && x.alive[k].bits>>(b%64)&1 != 0
}

// word returns the row that b is in, or where it belongs.
func (x *Variable) word(b mir.BlockID) (int, bool) {
	w := uint32(b / 64)
	k, _ := slices.BinarySearchFunc(x.alive, w, func(r aliveWord, w uint32) int {
		if r.end() <= w {
			return -1
		}
		return 1
	})
	return k, k < len(x.alive) && x.alive[k].base <= w
}

// SetAlive says that the register is live through block b.
func (x *Variable) SetAlive(b mir.BlockID) {
	k, ok := x.word(b)
	if !ok {
		x.alive = slices.Insert(x.alive, k, aliveWord{base: uint32(b / 64), n: 1})
	}
	if x.alive[k].bits |= 1 << (b % 64); x.alive[k].bits == fullWord && k > 0 {
		if p := &x.alive[k-1]; p.bits == fullWord && p.end() == x.alive[k].base {
			p.n += x.alive[k].n
			x.alive = slices.Delete(x.alive, k, k+1)
		}
	}
}

// SetNotAlive says that the register is not live through all of block b.
func (x *Variable) SetNotAlive(b mir.BlockID) {
	k, ok := x.word(b)
	if !ok {
		return
	}
	w, at := x.alive[k], uint32(b/64)
	rest := [3]aliveWord{}
	n := 0
	if at > w.base {
		rest[n] = aliveWord{w.base, at - w.base, w.bits}
		n++
	}
	if m := w.bits &^ (1 << (b % 64)); m != 0 {
		rest[n] = aliveWord{at, 1, m}
		n++
	}
	if at+1 < w.end() {
		rest[n] = aliveWord{at + 1, w.end() - at - 1, w.bits}
		n++
	}
	x.alive = slices.Replace(x.alive, k, k+1, rest[:n]...)
}

// AliveNowhere reports whether the register is live through no block.
func (x *Variable) AliveNowhere() bool { return len(x.alive) == 0 }

// sameAlive compares the blocks of two variables, whose rows may be cut differently.
func sameAlive(a, b []aliveWord) bool {
	i, j := 0, 0
	done, doneB := uint32(0), uint32(0) // of rows i and j
	for i < len(a) && j < len(b) {
		x, y := &a[i], &b[j]
		if x.base+done != y.base+doneB || x.bits != y.bits {
			return false
		}
		n := min(x.n-done, y.n-doneB)
		if done += n; done == x.n {
			i, done = i+1, 0
		}
		if doneB += n; doneB == y.n {
			j, doneB = j+1, 0
		}
	}
	return i == len(a) && j == len(b)
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
	v.vars = rows.Zeroed(v.vars, f.NumVRegs())
	if f.Props&mir.IsSSA == 0 {
		v.vars = v.vars[:0] // what is kept true beyond SSA form cannot be found again
		return
	}
	v.words, v.kills = v.words[:0], v.kills[:0]
	v.reserve(c, f)
	v.scan()
	v.regions.build(c, f, func(b mir.BlockID) mir.BlockID {
		if b++; int(b) < f.NumBlockIDs() {
			return b
		}
		return 0
	})
	v.all()
}

// all finds the lives of all registers.
func (v *Variables) all() {
	v.mark = rows.AtLeast(v.mark, v.f.NumBlockIDs())
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
		if !sameAlive(a.alive, b.alive) {
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
	v.reserved = reservedSet(c, f, v.reserved)
}

// Var returns what is known of a register; good until a register is added.
func (v *Variables) Var(r mir.Reg) *Variable {
	v.vars = rows.AtLeast(v.vars, r.Index()+1)
	return &v.vars[r.Index()]
}

// scan numbers the instructions of the blocks that are reached, clears the flags
// that are found anew, and goes through the physical registers of each block.
func (v *Variables) scan() {
	f := v.f
	v.pos = rows.Zeroed(v.pos, f.NumInstrIDs())
	v.reach = rows.Zeroed(v.reach, f.NumBlockIDs())
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
	v.begin(r)
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
		if v.region(b, home) >= 0 {
			v.liveOut(b, home)
			continue
		}
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

func (v *Variables) begin(r mir.Reg) {
	if v.epoch++; v.epoch == 0 {
		clear(v.mark)
		v.epoch = 1
	}
	v.live, v.through, v.reg, v.nestsKnown = v.live[:0], v.through[:0], r, false
}

// region returns the greatest region around b that the register, which home defines,
// is live through when it is live in b, -1 for none.
func (v *Variables) region(b, home mir.BlockID) int32 {
	if !v.regions.some() || b == home {
		return -1
	}
	if len(v.regions.nest) > 0 && !v.nestsKnown {
		v.findNests(home)
	}
	return v.regions.without(b, home, v.nests)
}

// findNests finds the nests that the register is defined or read in: a PHI reads it
// at the end of the block that it comes from.
func (v *Variables) findNests(home mir.BlockID) {
	f := v.f
	v.nestsKnown = true
	v.nests = v.regions.appendNest(v.nests[:0], home)
	for id := f.NextUse(f.FirstUse(v.reg)); id != 0; id = f.NextUse(id) {
		if o := f.OpAt(id); o.IsDebug() {
			continue
		}
		i, n := f.Owner(id)
		b := f.Instr(i).Block()
		if f.IsPHI(i) && n > 0 {
			b = f.Op(i, n+1).Block()
		}
		v.nests = v.regions.appendNest(v.nests, b)
	}
	slices.Sort(v.nests)
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
		if x := v.region(b, home); x >= 0 {
			v.liveThrough(x)
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

// liveThrough makes the register live through region x and pushes what leads to it.
func (v *Variables) liveThrough(x int32) {
	h := v.regions.all[x].header
	p := v.block(h)
	if p.header {
		return
	}
	p.header = true
	v.through = append(v.through, x)
	for _, q := range v.f.Preds(h) {
		if !v.regions.contains(x, q) {
			v.stack = append(v.stack, q)
		}
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
			if len(v.through) > 0 {
				v.runs = append(v.runs, blockRun{b, b})
				continue
			}
			if n := len(v.words); n == w || v.words[n-1].base != uint32(b/64) {
				v.words = append(v.words, aliveWord{base: uint32(b / 64), n: 1})
			}
			v.words[len(v.words)-1].bits |= 1 << (b % 64)
		} else if !p.out && p.last != 0 {
			v.kills = append(v.kills, p.last)
		}
	}
	if len(v.through) > 0 {
		v.addRuns(w)
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

// addRuns adds the runs, and those of the regions, to the words from w on.
func (v *Variables) addRuns(w int) {
	for _, x := range v.through {
		v.runs = append(v.runs, v.regions.runsOf(x)...)
	}
	slices.SortFunc(v.runs, func(a, b blockRun) int { return int(a.from) - int(b.from) })
	for _, r := range v.runs {
		v.addRun(w, r)
	}
	v.runs = v.runs[:0]
}

// addRun adds blocks, which are behind all others, to the words from w on.
func (v *Variables) addRun(w int, r blockRun) {
	for at, end := uint32(r.from/64), uint32(r.to/64); at <= end; {
		row := aliveWord{at, 1, fullWord}
		if at == uint32(r.from/64) {
			row.bits <<= r.from % 64
		}
		if at == end {
			row.bits &= fullWord >> (63 - r.to%64)
		}
		if row.bits == fullWord && at+1 < end {
			row.n = end - at // the last one is looked at for itself
		}
		at += row.n
		n := len(v.words)
		if n > w && v.words[n-1].base == row.base {
			row.bits |= v.words[n-1].bits
			n--
		}
		if n > w && row.bits == fullWord && v.words[n-1].bits == fullWord && v.words[n-1].end() == row.base {
			v.words[n-1].n += row.n
			v.words = v.words[:n]
			continue
		}
		v.words = append(v.words[:n], row)
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
	below := make([]uint64, (f.NumBlockIDs()+63)/64)
	for _, n := range news {
		below[n.Below/64] |= 1 << (n.Below % 64)
	}
	rows := slices.Clone(news)
	slices.SortStableFunc(rows, func(a, b SplitBlock) int { return int(a.Below) - int(b.Below) })
	from := func(s mir.BlockID) int { // the first row of s or of a block behind it
		k, _ := slices.BinarySearchFunc(rows, s, func(n SplitBlock, s mir.BlockID) int { return int(n.Below) - int(s) })
		return k
	}
	var add []mir.BlockID
	for n := range v.vars {
		x, r := &v.vars[n], mir.VReg(n)
		add = add[:0]
		for _, w := range x.alive {
			if w.n == 1 && w.bits&below[w.base] == 0 {
				continue
			}
			for k := from(mir.BlockID(w.base) * 64); k < len(rows) && uint32(rows[k].Below/64) < w.end(); k++ {
				if w.bits>>(rows[k].Below%64)&1 != 0 {
					add = append(add, rows[k].Block)
				}
			}
		}
		for _, i := range x.Kills {
			b := f.Instr(i).Block()
			if below[b/64]>>(b%64)&1 == 0 || !v.definedElsewhere(r, b) {
				continue
			}
			for k := from(b); k < len(rows) && rows[k].Below == b; k++ {
				add = append(add, rows[k].Block)
			}
		}
		for _, b := range add {
			x.SetAlive(b)
		}
	}
}

func (v *Variables) definedElsewhere(r mir.Reg, b mir.BlockID) bool {
	d := v.def(r)
	return d != 0 && v.f.Instr(d).Block() != b
}

// reservedSet returns the set of the registers that are reserved in f, in the memory of
// set where that is enough.
func reservedSet(c *pass.Context, f *mir.Function, set []uint32) []uint32 {
	if st := c.Subtarget; st != nil {
		return st.ReservedSet(f, set)
	}
	// MIR of a target that has no code here: its default subtarget.
	return append(set[:0], f.Facts.ReservedRegs(0)...)
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

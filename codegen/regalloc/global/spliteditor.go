package global

import (
	"slices"

	"github.com/mirin-go/mirin/analysis"
	"github.com/mirin-go/mirin/codegen/liveness"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// splitEditor replaces a register by several: number 0, the complement, which has
// it wherever nothing else was said, and those that are opened. The caller says
// where each is used; copies stand where the value goes from one to the other,
// or the value is computed again there if that costs no more. In the end the
// operands are rewritten, and where the new registers are live follows from them.
type splitEditor struct {
	a *alloc
	x *splitAnalysis
	// spilling says that the complement is about to be spilled: copies back to it
	// are placed early, and merged.
	spilling bool
	parent   *liveness.Interval
	regs     []mir.Reg
	open     int
	assigned []assignment
	// back lists the copies to the complement.
	back []backCopy
	out  *[]mir.Reg
	// remat marks values of the parent that were computed again somewhere.
	remat  []bool
	dead   []mir.InstrID
	places []dominating
	// of has, for each register that finish returned, the number it was opened as.
	of []int
}

// assignment says that new register number reg is used from start until before end.
type assignment struct {
	start, end liveness.Index
	reg        int
}

// backCopy is an instruction that defines the complement from another part.
type backCopy struct {
	instr mir.InstrID
	val   liveness.ValueID // of the parent
}

// begin starts to split iv; the new registers are appended to out.
func (e *splitEditor) begin(a *alloc, x *splitAnalysis, iv *liveness.Interval, spilling bool, out *[]mir.Reg) {
	e.a, e.x, e.parent, e.spilling, e.out = a, x, iv, spilling, out
	e.regs, e.assigned, e.back, e.open = e.regs[:0], e.assigned[:0], e.back[:0], 0
	e.remat = rows.Zeroed(e.remat, len(iv.Vals))
	a.spiller.remats.look(a.vrm.Original(iv.Reg))
}

// openIntv opens a new register and returns its number.
func (e *splitEditor) openIntv() int {
	if len(e.regs) == 0 {
		e.newReg() // the complement
	}
	e.open = len(e.regs)
	e.newReg()
	return e.open
}

func (e *splitEditor) newReg() {
	r := e.a.newPart(e.parent.Reg)
	e.regs = append(e.regs, r)
}

// selectIntv makes register n the one that is meant.
func (e *splitEditor) selectIntv(n int) { e.open = n }

// define puts before at (0: the end of b) what defines register n with the value
// that the parent has at place from, and returns where that is.
func (e *splitEditor) define(n int, v liveness.ValueID, from liveness.Index, b mir.BlockID, at mir.InstrID) liveness.Index {
	a, f := e.a, e.a.f
	if t := a.spiller.remats.template(a.vrm.Original(e.parent.Reg), from); t != 0 && f.Desc(t).IsAsCheapAsAMove() {
		if i := a.compute(t, b, at, e.regs[n], f.Instr(t).Loc); i != 0 {
			e.remat[v] = true
			if n == 0 {
				e.back = append(e.back, backCopy{i, v})
			}
			a.c.Count("regalloc", "Number of rematerialized defs for splitting", 1)
			return a.idx.Of(i).Reg()
		}
	}
	// The parent's register is rewritten to the part that it is in.
	i := f.New(desc.COPY, mir.RegOp(e.regs[n], mir.Def), mir.RegOp(e.parent.Reg, 0))
	f.InsertBefore(b, at, i)
	if n == 0 {
		e.back = append(e.back, backCopy{i, v})
	}
	a.c.Count("regalloc", "Number of copies inserted for splitting", 1)
	return a.idx.Of(i).Reg()
}

// instrAt is the instruction at or behind a place of block b, 0 for the end.
func (e *splitEditor) instrAt(at liveness.Index) (mir.BlockID, mir.InstrID) {
	b := e.a.idx.BlockAt(at)
	if i := e.a.idx.Instr(at); i != 0 {
		return b, i
	}
	return b, e.a.idx.InstrFrom(at)
}

// enterBefore begins the open register before the instruction at a place.
func (e *splitEditor) enterBefore(at liveness.Index) liveness.Index {
	at = at.Base()
	v := e.parent.ValueAt(at)
	if v == liveness.NoValue {
		return at
	}
	b, i := e.instrAt(at)
	return e.define(e.open, v, at, b, i)
}

// enterAfter begins it behind the instruction.
func (e *splitEditor) enterAfter(at liveness.Index) liveness.Index {
	at = at.Dead()
	v := e.parent.ValueAt(at)
	if v == liveness.NoValue {
		return at
	}
	b, i := e.behind(at)
	return e.define(e.open, v, at, b, i)
}

// behind is where code behind a place stands.
func (e *splitEditor) behind(at liveness.Index) (mir.BlockID, mir.InstrID) {
	b := e.a.idx.BlockAt(at)
	if i := e.a.idx.Instr(at); i != 0 {
		return b, e.a.f.NextBundle(i)
	}
	return b, e.a.idx.InstrFrom(at)
}

// enterAtEnd begins it at the end of b, where it goes on.
func (e *splitEditor) enterAtEnd(b mir.BlockID) liveness.Index {
	a := e.a
	end := a.idx.BlockEnd(b)
	last := end.Before()
	v := e.parent.ValueAt(last)
	if v == liveness.NoValue {
		return end
	}
	if lsp := e.x.lastSplit(b); lsp < last {
		last = lsp
		if v = e.parent.ValueAt(last); v == liveness.NoValue {
			return end
		}
	}
	def := e.define(e.open, v, last, b, e.splitInstr(b))
	e.use(def, end)
	return def
}

// splitInstr is the instruction before which the last copy may stand in b.
func (e *splitEditor) splitInstr(b mir.BlockID) mir.InstrID {
	lsp := e.x.lastSplit(b)
	if lsp == e.a.idx.BlockEnd(b) {
		return 0
	}
	return e.a.idx.Instr(lsp)
}

// use makes the open register the one from start until before end.
func (e *splitEditor) use(start, end liveness.Index) {
	if start < end {
		e.assigned = append(e.assigned, assignment{start, end, e.open})
	}
}

// leaveAfter goes back to the complement behind the instruction at a place.
func (e *splitEditor) leaveAfter(at liveness.Index) liveness.Index {
	a := e.a
	behind := at.Dead()
	v := e.parent.ValueAt(behind)
	if v == liveness.NoValue {
		return behind + 1
	}
	i := a.idx.Instr(behind)
	// The complement is to be short: it takes the value before an instruction that only reads it.
	if i != 0 && e.spilling && !liveness.SameInstr(e.parent.Vals[v].Def, at) {
		if reads, _ := readsWrites(a.f, i, e.parent.Reg); reads {
			e.define(0, v, at.Base(), a.f.Instr(i).Block(), i)
			return at
		}
	}
	b, next := e.behind(behind)
	return e.define(0, v, behind, b, next)
}

// leaveBefore goes back before the instruction.
func (e *splitEditor) leaveBefore(at liveness.Index) liveness.Index {
	at = at.Base()
	v := e.parent.ValueAt(at)
	if v == liveness.NoValue {
		return at + 1
	}
	if at == e.a.idx.BlockEnd(e.a.idx.BlockAt(at.Before())) {
		// The end of a block is no place of its own.
		b := e.a.idx.BlockAt(at.Before())
		return e.define(0, v, at.Before(), b, 0)
	}
	b, i := e.instrAt(at)
	return e.define(0, v, at, b, i)
}

// leaveAtTop goes back at the start of b.
func (e *splitEditor) leaveAtTop(b mir.BlockID) liveness.Index {
	start := e.a.idx.BlockStart(b)
	v := e.parent.ValueAt(start)
	if v == liveness.NoValue {
		return start
	}
	def := e.define(0, v, start, b, firstPlace(e.a.f, b))
	e.use(start, def)
	return def
}

// overlap lets the open register serve uses from start until before end, where
// the complement is live too.
func (e *splitEditor) overlap(start, end liveness.Index) {
	if i := e.a.idx.Instr(end); i != 0 {
		ops := e.a.f.Ops(i)
		for k := range ops {
			if o := &ops[k]; o.IsUse() && o.Reg() == e.parent.Reg && o.IsTied() {
				return // both ends of the tie are one register
			}
		}
	}
	e.use(start, end)
}

// singleBlock gives the uses of one block a register of their own.
func (e *splitEditor) singleBlock(u *useBlock) {
	e.openIntv()
	lsp := e.x.lastSplit(u.block)
	start := e.enterBefore(min(u.first, lsp))
	if !u.liveOut || u.last < lsp {
		e.use(start, e.leaveAfter(u.last))
		return
	}
	stop := e.leaveBefore(lsp)
	e.use(start, stop)
	e.overlap(stop, u.last)
}

// throughBlock leads the value through block b: in register in (0: the
// complement) at its start and out at its end, away from interference that begins
// at leave and ends at enter (0: none).
func (e *splitEditor) throughBlock(b mir.BlockID, in int, leave liveness.Index, out int, enter liveness.Index) {
	start, stop := e.a.idx.BlockStart(b), e.a.idx.BlockEnd(b)
	switch {
	case out == 0:
		e.selectIntv(in)
		e.leaveAtTop(b)
	case in == 0:
		e.selectIntv(out)
		e.enterAtEnd(b)
	case in == out && leave == 0 && enter == 0:
		e.selectIntv(out)
		e.use(start, stop)
	case in != out && (leave == 0 || enter == 0 || leave.Base() > enter.Dead()):
		// Interference before and behind: change between them.
		e.selectIntv(out)
		var at liveness.Index
		if leave != 0 && leave < e.x.lastSplit(b) {
			at = e.enterBefore(leave)
			e.use(at, stop)
		} else {
			at = e.enterAtEnd(b)
		}
		e.selectIntv(in)
		e.use(start, at)
	default:
		e.selectIntv(out)
		at := e.enterAfter(enter)
		e.use(at, stop)
		e.selectIntv(in)
		at = e.leaveBefore(leave)
		e.use(start, at)
	}
}

// inBlock splits a block that the value enters in register in and does not leave
// in one; interference begins at leave (0: none).
func (e *splitEditor) inBlock(u *useBlock, in int, leave liveness.Index) {
	start := e.a.idx.BlockStart(u.block)
	if !u.liveOut && (leave == 0 || leave >= u.last) {
		e.selectIntv(in)
		e.use(start, u.last)
		return
	}
	lsp := e.x.lastSplit(u.block)
	if leave == 0 || leave > u.last.Dead() {
		e.selectIntv(in)
		if u.last < lsp {
			e.use(start, e.leaveAfter(u.last))
			return
		}
		at := e.leaveBefore(lsp)
		e.overlap(at, u.last)
		e.use(start, at)
		return
	}
	// The interference begins where the value is still used: those uses get another register.
	e.openIntv()
	if !u.liveOut || u.last < lsp {
		to := e.leaveAfter(u.last)
		from := e.enterBefore(leave)
		e.use(from, to)
		e.selectIntv(in)
		e.use(start, from)
		return
	}
	to := e.leaveBefore(lsp)
	e.overlap(to, u.last)
	from := e.enterBefore(min(to, leave))
	e.use(from, to)
	e.selectIntv(in)
	e.use(start, from)
}

// outBlock splits a block that the value leaves in register out and does not
// enter in one; interference ends at enter (0: none).
func (e *splitEditor) outBlock(u *useBlock, out int, enter liveness.Index) {
	stop := e.a.idx.BlockEnd(u.block)
	lsp := e.x.lastSplit(u.block)
	if !u.liveIn && (enter == 0 || enter <= u.first) {
		e.selectIntv(out)
		e.use(u.first, stop)
		return
	}
	if enter == 0 || enter < u.first.Base() {
		e.selectIntv(out)
		at := e.enterBefore(min(lsp, u.first))
		e.use(at, stop)
		return
	}
	e.selectIntv(out)
	at := e.enterAfter(enter)
	e.use(at, stop)
	e.openIntv()
	from := e.enterBefore(min(at, u.first))
	e.use(from, at)
}

// at is the number of the register that is used at a place.
func (e *splitEditor) at(at liveness.Index) int {
	k, _ := slices.BinarySearchFunc(e.assigned, at, func(x assignment, at liveness.Index) int {
		if x.end <= at {
			return -1
		}
		return 1
	})
	if k < len(e.assigned) && e.assigned[k].start <= at {
		return e.assigned[k].reg
	}
	return 0
}

// finish carries the split out. of then has the number of each register that was
// appended to out, -1 for those that erasing dead code made.
func (e *splitEditor) finish() {
	a := e.a
	from := len(*e.out)
	slices.SortFunc(e.assigned, func(x, y assignment) int {
		if x.start < y.start {
			return -1
		}
		return 1
	})
	if e.spilling {
		e.mergeBackCopies()
	}
	e.rewrite()
	*e.out = append(*e.out, e.regs...)
	e.of = e.of[:0]
	for n := range e.regs {
		e.of = append(e.of, n)
	}
	for _, r := range e.regs {
		a.lis.Interval(r)
	}
	a.vars.split(e.parent.Reg, e.regs)
	e.eraseDeadDefs()
	// Registers whose values do not meet are registers of their own.
	for n, r := range e.regs {
		if !a.lis.Has(r) {
			continue
		}
		for _, part := range a.lis.SplitComponents(a.lis.Interval(r)) {
			a.vrm.split(part.Reg, r)
			a.vars.split(r, []mir.Reg{part.Reg})
			*e.out = append(*e.out, part.Reg)
			e.of = append(e.of, n)
		}
	}
	for _, r := range (*e.out)[from:] {
		if a.lis.Has(r) && a.isUsed(r) {
			a.inflate(r)
			a.weigh(a.lis.Interval(r))
		}
	}
}

// rewrite gives the parent's operands the registers that are used where they stand.
func (e *splitEditor) rewrite() {
	a, f, r := e.a, e.a.f, e.parent.Reg
	for id := f.FirstUse(r); id != 0; {
		next := f.NextUse(id)
		i, k := f.Owner(id)
		o := f.OpAt(id)
		at := a.idx.Of(i)
		switch {
		case o.IsDebug() || at == 0:
			at = e.debugPlace(i)
		case o.IsDef() || o.IsUndef():
			at = at.RegSlot(o.IsEarlyClobber())
		}
		f.SetReg(i, k, e.regs[e.at(at)])
		f.SetOpFlag(i, k, mir.DeadOrKill, false)
		id = next
	}
}

// debugPlace is the place behind the instruction before debug instruction i.
func (e *splitEditor) debugPlace(i mir.InstrID) liveness.Index {
	f := e.a.f
	for p := f.Instr(i).Prev(); p != 0; p = f.Instr(p).Prev() {
		if at := e.a.idx.Of(p); at != 0 {
			return at.Dead()
		}
	}
	return e.a.idx.BlockStart(f.Instr(i).Block())
}

// eraseDeadDefs erases definitions of the new registers that nothing reads:
// copies, and what was computed again everywhere.
func (e *splitEditor) eraseDeadDefs() {
	a := e.a
	e.dead = e.dead[:0]
	for _, r := range e.regs {
		iv := a.lis.Interval(r)
		for _, v := range iv.Vals {
			if v.Unused() || v.IsPHI() {
				continue
			}
			if k := iv.SegmentAt(v.Def); k < 0 || iv.Segs[k].End != v.Def.Dead() {
				continue
			}
			i := a.idx.Instr(v.Def)
			if i == 0 {
				continue
			}
			for k := range a.f.Instr(i).NumOps() {
				if o := a.f.Op(i, k); o.IsDef() && o.Reg() == r {
					a.f.SetOpFlag(i, k, mir.Dead, true)
				}
			}
			if a.isErasable(i) && !slices.Contains(e.dead, i) {
				e.dead = append(e.dead, i)
			}
		}
	}
	a.eraseDead(e.dead, nil)
}

// inflate gives r the largest class that its operands allow: a part often has
// fewer constraints than the whole.
func (a *alloc) inflate(r mir.Reg) { a.f.VReg(r).Class = int16(a.st.WidestClass(a.f, r)) }

// dominating is where the complement gets a value of the parent first.
type dominating struct {
	block mir.BlockID    // 0: nowhere
	at    liveness.Index // 0: a copy would have to be made at the end of the block
	cost  float64
	kept  bool // hoisting does not pay
}

// mergeBackCopies removes copies to the complement that another definition of the
// same value dominates; where none does and it costs no more, one is made that does.
func (e *splitEditor) mergeBackCopies() {
	a := e.a
	if len(e.back) == 0 {
		return
	}
	e.places = rows.Zeroed(e.places, len(e.parent.Vals))
	single := make([]int, len(e.parent.Vals))
	for v, d := range e.parent.Vals {
		if !d.Unused() && e.at(d.Def) == 0 && !e.remat[v] {
			e.places[v] = dominating{block: a.idx.BlockAt(d.Def), at: d.Def}
		}
	}
	for _, c := range e.back {
		single[c.val]++
	}
	dom := a.dominators()
	for _, c := range e.back {
		d := &e.places[c.val]
		if e.remat[c.val] || d.block == 0 && single[c.val] == 1 {
			continue
		}
		e.dominate(dom, d, c)
	}
	hoistable := len(e.back)
	for v := range e.places {
		d := &e.places[v]
		if d.block == 0 || d.at != 0 {
			continue
		}
		val := liveness.ValueID(v)
		def := e.parent.Vals[v].Def
		d.block = e.shallowest(dom, d.block, a.idx.BlockAt(def))
		lsp := e.x.lastSplit(d.block)
		if a.freq[d.block] > d.cost || lsp <= def || e.parent.ValueAt(lsp.Before()) != val || lsp != a.idx.BlockEnd(d.block) && e.parent.ValueAt(lsp) != val {
			d.kept = true
			continue
		}
		d.at = e.define(0, val, lsp.Before(), d.block, e.splitInstr(d.block))
	}
	for k, c := range e.back[:hoistable] {
		d := &e.places[c.val]
		at := a.idx.Of(c.instr).Reg()
		switch {
		case d.block == 0 || d.at == at || e.remat[c.val]:
			continue
		case d.kept:
			if !e.isDominated(dom, k) {
				continue
			}
		}
		a.f.Erase(c.instr)
		e.back[k].instr = 0
	}
}

// dominate makes d dominate copy c as well.
func (e *splitEditor) dominate(dom *analysis.Dominators, d *dominating, c backCopy) {
	a := e.a
	b, at := a.f.Instr(c.instr).Block(), a.idx.Of(c.instr).Reg()
	if d.at != 0 && d.block != 0 && d.at == e.parent.Vals[c.val].Def {
		return // what defines the value in the complement dominates all
	}
	switch {
	case d.block == 0:
		d.block, d.at = b, at
		d.cost += a.freq[b]
	case d.block == b:
		if d.at == 0 || at < d.at {
			d.at = at
		}
		d.cost += a.freq[b]
	default:
		near := mir.BlockID(dom.Common(int(d.block), int(b)))
		if near == b {
			d.block, d.at = b, at
		} else if near != d.block {
			d.block, d.at = near, 0
		}
		d.cost += a.freq[b]
	}
}

// isDominated reports whether another copy of the value dominates copy k.
func (e *splitEditor) isDominated(dom *analysis.Dominators, k int) bool {
	a, c := e.a, e.back[k]
	b, at := a.f.Instr(c.instr).Block(), a.idx.Of(c.instr)
	for n := range e.back {
		o := &e.back[n]
		if n == k || o.val != c.val || o.instr == 0 {
			continue
		}
		if ob := a.f.Instr(o.instr).Block(); ob == b && a.idx.Of(o.instr) < at || ob != b && dom.Dominates(int(ob), int(b)) {
			return true
		}
	}
	return false
}

// shallowest is a dominator of b, below or equal to top, in as few loops as there are.
func (e *splitEditor) shallowest(dom *analysis.Dominators, b, top mir.BlockID) mir.BlockID {
	a := e.a
	if b == top {
		return b
	}
	best, depth := b, a.loops.Depth(int(b))
	for x := b; depth > 0 && x != top; {
		up := dom.IDom(int(x))
		if up < 0 || up == int(x) {
			break
		}
		x = mir.BlockID(up)
		if d := a.loops.Depth(int(x)); d < depth {
			best, depth = x, d
		}
	}
	return best
}

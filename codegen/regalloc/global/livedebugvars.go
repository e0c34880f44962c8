package global

import (
	"slices"

	"github.com/mirin-go/mirin/codegen/liveness"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
)

// LiveDebugVariables takes the debug values out of the function and keeps where
// each variable is, as ranges of indexes, while registers are split and spilled;
// virtregrewriter puts them back, with the registers and stack slots that they
// are in by then (debugemit.go). Allocators do it themselves when this pass did
// not stand before them.
//
// A debug value holds until the next one of its variable, and as long as the
// register has that value; where its life ends a copy may go on with it.
var LiveDebugVariables = pass.Pass{
	Name:     "livedebugvars",
	Title:    "Debug Variable Analysis",
	KeepsCFG: true,
	Keeps:    []pass.Kind{pass.KindOf[DebugVars](), pass.KindOf[liveness.Indexes](), pass.KindOf[liveness.Intervals]()},
	Run: func(c *pass.Context, f *mir.Function) error {
		pass.Get[DebugVars](c, f).take(c, f)
		return nil
	},
}

// maxDebugLocs is the number of places that one debug value may name; one that
// names more is unknown, as in LLVM.
const maxDebugLocs = 64

// DebugVars is where variables are while their debug instructions are out of the
// function: a state that passes from pass to pass, as VirtRegMap.
type DebugVars struct {
	f     *mir.Function
	idx   *liveness.Indexes
	lis   *liveness.Intervals
	mod   *ir.Module
	taken bool

	vars  []debugVar
	byKey map[debugKey]int32
	vals  []debugVal
	nos   []int32 // the places of vals
	// ofReg has, by virtual register, the last of rows that lists a variable with a place in it.
	ofReg []uint32
	rows  []debugRow
	// spilled says of virtual registers that their value is in their stack slot.
	spilled []bool
	// stashed are the other debug instructions, in their order.
	stashed []stashedDebug

	out      []debugRange
	defs     []debugRange
	kills    []int32
	copies   []debugCopy
	listed   []int32
	operands []mir.Operand
	skip     []mir.InstrID // by block, where debug instructions were put at its start
}

// debugKey tells variables apart: a part of one is another.
type debugKey struct {
	variable, inlinedAt ir.MDID
	off, size           uint64
}

// debugVar is a variable, or a part of one. Its ranges are in order and apart.
type debugVar struct {
	variable ir.MDID
	loc      mir.DebugLoc
	locs     []mir.Operand
	inSlot   []bool // of locs, when registers are placed: it was a register and is spilled
	ranges   []debugRange
}

// debugRange says that from start on, until end, the variable is what vals[val] says.
type debugRange struct {
	start, end liveness.Index
	val        int32
}

// debugVal is what a debug instruction said: its places are the numbers
// nos[off:off+n] of the variable's locs, unknownLoc for none.
type debugVal struct {
	off            uint32
	n              uint8
	indirect, list bool
	expr           ir.MDID
}

const unknownLoc = -1

type debugRow struct {
	v    int32
	next uint32
}

// stashedDebug is an instruction behind the place at of block b.
type stashedDebug struct {
	i  mir.InstrID
	b  mir.BlockID
	at liveness.Index
}

// debugCopy is a register, or part sub of it, that holds, as value val, what place no holds.
type debugCopy struct {
	no  int32
	reg mir.Reg
	sub uint16
	val liveness.ValueID
}

// Compute begins with nothing taken.
func (d *DebugVars) Compute(_ *pass.Context, f *mir.Function) {
	d.f, d.taken = f, false
	d.vars, d.vals, d.nos, d.stashed = d.vars[:0], d.vals[:0], d.nos[:0], d.stashed[:0]
	d.rows, d.ofReg, d.spilled = append(d.rows[:0], debugRow{}), d.ofReg[:0], d.spilled[:0]
}

// Differs is "": what was taken cannot be computed.
func (d *DebugVars) Differs(*DebugVars) string { return "" }

// OfCFG is false.
func (d *DebugVars) OfCFG() bool { return false }

// take takes the debug instructions out of f, once.
func (d *DebugVars) take(c *pass.Context, f *mir.Function) {
	if d.taken {
		return
	}
	d.taken = true
	d.lis = pass.Get[liveness.Intervals](c, f)
	d.idx = d.lis.Indexes
	d.mod = f.Module
	known := hasSubprogram(f)
	if d.byKey == nil {
		d.byKey = map[debugKey]int32{}
	}
	clear(d.byKey)
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		at := d.idx.BlockStart(b)
		for i := f.Block(b).First(); i != 0; {
			next := f.NextBundle(i)
			switch {
			case f.Instr(i).Opcode == desc.PSEUDO_PROBE:
			case !f.IsDebugInstr(i):
				at = d.idx.Of(i).Reg()
			case !known:
				f.Erase(i) // variables of nothing
			case d.value(i, at):
				f.Erase(i)
			case !namesVirtual(f, i): // as DBG_PHI does: virtregrewriter sees it where it stands
				f.Remove(i)
				d.stashed = append(d.stashed, stashedDebug{i, b, at})
			}
			i = next
		}
	}
	for v := range d.vars {
		d.extend(int32(v))
	}
}

func namesVirtual(f *mir.Function, i mir.InstrID) bool {
	return slices.ContainsFunc(f.Ops(i), func(o mir.Operand) bool { return o.IsReg() && o.Reg().IsVirtual() })
}

// hasSubprogram reports whether f has a description of its own.
func hasSubprogram(f *mir.Function) bool {
	return f.IR != nil && slices.ContainsFunc(f.IR.Global().MD, func(a ir.Attachment) bool { return a.Kind == 0 /* dbg */ })
}

// value notes debug value i behind at, and reports whether it could be.
func (d *DebugVars) value(i mir.InstrID, at liveness.Index) bool {
	f := d.f
	var locs []mir.Operand
	ops, val := f.Ops(i), debugVal{off: uint32(len(d.nos))}
	var variable *mir.Operand
	switch op := f.Instr(i).Opcode; {
	case op == desc.DBG_VALUE && len(ops) == 4:
		locs, variable, val.expr, val.indirect = ops[:1], &ops[2], ir.MDID(ops[3].Index()), ops[1].Kind() == mir.OpImm
		if ops[3].Kind() != mir.OpMetadata {
			return false
		}
	case op == desc.DBG_VALUE_LIST && len(ops) > 2:
		locs, variable, val.expr, val.list = ops[2:], &ops[0], ir.MDID(ops[1].Index()), true
		if ops[1].Kind() != mir.OpMetadata {
			return false
		}
	default:
		return false
	}
	if variable.Kind() != mir.OpMetadata || len(locs) > 255 {
		return false
	}
	v := d.variable(ir.MDID(variable.Index()), val.expr, f.Instr(i).Loc)
	val.n = uint8(len(locs))
	known := len(locs) <= maxDebugLocs
	for k := range locs {
		known = known && d.isLive(&locs[k], at)
	}
	for k := range locs {
		no := int32(unknownLoc)
		if known {
			no = d.locNo(v, locs[k])
		}
		d.nos = append(d.nos, no)
	}
	val.indirect = val.indirect && known
	d.vals = append(d.vals, val)
	x := &d.vars[v]
	r := debugRange{at, at + 1, int32(len(d.vals) - 1)}
	if n := len(x.ranges); n > 0 && x.ranges[n-1].start == at {
		x.ranges[n-1] = r // the last one at a place counts
	} else {
		x.ranges = append(x.ranges, r)
	}
	return true
}

// isLive reports that what a debug value names behind at has a value there.
func (d *DebugVars) isLive(o *mir.Operand, at liveness.Index) bool {
	if !o.IsReg() || !o.Reg().IsVirtual() {
		return true
	}
	return d.lis.Has(o.Reg()) && d.lis.Interval(o.Reg()).Query(at).Out != liveness.NoValue
}

// variable returns the row of a variable, or of the part of it that expr is about.
func (d *DebugVars) variable(variable, expr ir.MDID, loc mir.DebugLoc) int32 {
	k := debugKey{variable: variable}
	if l, ok := d.mod.MD.Location(ir.MDID(loc)); ok {
		k.inlinedAt = l.InlinedAt
	}
	if n := d.mod.MD.At(expr); n != nil {
		if x := len(n.Fields); x >= 3 && n.Fields[x-3].Str == "DW_OP_LLVM_fragment" {
			k.off, k.size = n.Fields[x-2].Int, n.Fields[x-1].Int
		}
	}
	if v, ok := d.byKey[k]; ok {
		return v
	}
	v := int32(len(d.vars))
	d.byKey[k] = v
	if int(v) < cap(d.vars) {
		d.vars = d.vars[:v+1] // with the memory of what was there
	} else {
		d.vars = append(d.vars, debugVar{})
	}
	x := &d.vars[v]
	x.variable, x.loc, x.locs, x.ranges = variable, loc, x.locs[:0], x.ranges[:0]
	return v
}

// locNo is the number of a place of variable v, unknownLoc for no register.
func (d *DebugVars) locNo(v int32, o mir.Operand) int32 {
	if o.IsReg() && o.Reg() == mir.NoReg {
		return unknownLoc
	}
	if o.IsReg() {
		o = debugReg(o.Reg(), o.SubReg())
	}
	x := &d.vars[v]
	for k := range x.locs {
		if l := &x.locs[k]; *l == o {
			return int32(k)
		}
	}
	x.locs = append(x.locs, o)
	if o.IsReg() && o.Reg().IsVirtual() {
		d.link(o.Reg(), v)
	}
	return int32(len(x.locs) - 1)
}

// debugReg is part sub of r, or all of it for 0, as a place.
func debugReg(r mir.Reg, sub uint16) mir.Operand { return mir.SubRegOp(r, sub, mir.Debug) }

// link lists v with the variables that have a place in r.
func (d *DebugVars) link(r mir.Reg, v int32) {
	for n := r.Index() + 1 - len(d.ofReg); n > 0; n-- {
		d.ofReg = append(d.ofReg, 0)
	}
	for k := d.ofReg[r.Index()]; k != 0; k = d.rows[k].next {
		if d.rows[k].v == v {
			return
		}
	}
	d.rows = append(d.rows, debugRow{v, d.ofReg[r.Index()]})
	d.ofReg[r.Index()] = uint32(len(d.rows) - 1)
}

func (d *DebugVars) nosOf(val int32) []int32 {
	x := &d.vals[val]
	return d.nos[x.off : x.off+uint32(x.n)]
}

// isUnknown reports a value with a place that is not known.
func (d *DebugVars) isUnknown(val int32) bool { return slices.Contains(d.nosOf(val), unknownLoc) }

// same reports whether two values say the same.
func (d *DebugVars) same(a, b int32) bool {
	x, y := &d.vals[a], &d.vals[b]
	return a == b || x.indirect == y.indirect && x.list == y.list && x.expr == y.expr && slices.Equal(d.nosOf(a), d.nosOf(b))
}

// change returns value val with place to in the place of from.
func (d *DebugVars) change(val, from, to int32) int32 {
	x := d.vals[val]
	off := uint32(len(d.nos))
	d.nos = append(d.nos, d.nosOf(val)...)
	x.off = off
	for k := range d.nos[off:] {
		if n := &d.nos[int(off)+k]; *n == from {
			*n = to
		}
	}
	d.vals = append(d.vals, x)
	return int32(len(d.vals) - 1)
}

// find is the place of the first range of ranges that ends behind at.
func find(ranges []debugRange, at liveness.Index) int {
	k, _ := slices.BinarySearchFunc(ranges, at, func(r debugRange, at liveness.Index) int {
		if r.end <= at {
			return -1
		}
		return 1
	})
	return k
}

// insert puts a range into a gap and joins it with neighbours that say the same.
func (d *DebugVars) insert(v int32, r debugRange) {
	x := &d.vars[v]
	k := find(x.ranges, r.start)
	left := k > 0 && x.ranges[k-1].end == r.start && d.same(x.ranges[k-1].val, r.val)
	right := k < len(x.ranges) && x.ranges[k].start == r.end && d.same(x.ranges[k].val, r.val)
	switch {
	case left && right:
		x.ranges[k-1].end = x.ranges[k].end
		x.ranges = slices.Delete(x.ranges, k, k+1)
	case left:
		x.ranges[k-1].end = r.end
	case right:
		x.ranges[k].start = r.start
	default:
		x.ranges = slices.Insert(x.ranges, k, r)
	}
}

// extend has the values of v last as long as they are known to. Unknown ones end
// what was before them.
func (d *DebugVars) extend(v int32) {
	d.defs = d.defs[:0]
	for _, r := range d.vars[v].ranges {
		if !d.isUnknown(r.val) {
			d.defs = append(d.defs, r)
		}
	}
	for k := 0; k < len(d.defs); k++ {
		r, lasts := d.defs[k], false
		for _, n := range d.nosOf(r.val) {
			o := &d.vars[v].locs[n]
			lasts = lasts || !o.IsReg() || o.Reg().IsVirtual()
		}
		// A physical register is one until something writes it: where the value begins is all there is to say.
		if !lasts {
			continue
		}
		if end := d.extendDef(v, r.start, r.val); len(d.kills) > 0 {
			d.followCopies(v, r.val, end)
		}
	}
}

// extendDef has the value at start last to the end of the block or of the first
// register that loses it; kills are the places that end it then, at end.
func (d *DebugVars) extendDef(v int32, start liveness.Index, val int32) (end liveness.Index) {
	d.kills = d.kills[:0]
	x := &d.vars[v]
	end = d.idx.BlockEnd(d.idx.BlockAt(start))
	for _, n := range d.nosOf(val) {
		o := &x.locs[n]
		if !o.IsReg() || !o.Reg().IsVirtual() || slices.Contains(d.kills, n) {
			continue
		}
		iv := d.lis.Interval(o.Reg())
		s := iv.SegmentAt(start)
		if s < 0 {
			d.kills = append(d.kills[:0], n)
			return start
		}
		switch e := iv.Segs[s].End; {
		case e < end:
			end, d.kills = e, append(d.kills[:0], n)
		case e == end && len(d.kills) > 0:
			d.kills = append(d.kills, n)
		}
	}
	k := find(x.ranges, start)
	if k < len(x.ranges) && x.ranges[k].start <= start {
		// What the instruction itself said, of one slot.
		r := x.ranges[k]
		start++
		if !d.same(r.val, val) || r.end != start {
			d.kills = d.kills[:0]
			return end
		}
		k++
	}
	if k < len(x.ranges) && x.ranges[k].start < end {
		end, d.kills = x.ranges[k].start, d.kills[:0] // another value comes
	}
	if start < end {
		d.insert(v, debugRange{start, end, val})
	}
	return end
}

// followCopies gives the variable what the registers that end at place at were
// copied to, if that is there still for each.
func (d *DebugVars) followCopies(v, val int32, at liveness.Index) {
	f := d.f
	d.copies = d.copies[:0]
	for _, n := range d.kills {
		o := d.vars[v].locs[n]
		if o.SubReg() != 0 {
			return
		}
		for u, k := range f.NonDebugUses(o.Reg()) {
			if f.Instr(u).Opcode != desc.COPY || k != 1 || f.Op(u, 1).SubReg() != 0 {
				continue
			}
			// Registers of arguments do not outlive the call.
			dst := f.Op(u, 0).Reg()
			if !dst.IsVirtual() || !d.lis.Has(dst) {
				continue
			}
			p := d.idx.Of(u)
			ranges := d.vars[v].ranges
			if r := find(ranges, p.EarlyClobber()); r == len(ranges) || ranges[r].start > p.EarlyClobber() || !d.same(ranges[r].val, val) {
				continue
			}
			if x := d.lis.Interval(dst).ValueAt(p.Reg()); x != liveness.NoValue {
				d.copies = append(d.copies, debugCopy{n, dst, f.Op(u, 0).SubReg(), x})
			}
		}
	}
	ranges := d.vars[v].ranges
	if k := find(ranges, at); k < len(ranges) && ranges[k].start <= at {
		return
	}
	for _, n := range d.kills {
		k := slices.IndexFunc(d.copies, func(c debugCopy) bool {
			return c.no == n && d.lis.Interval(c.reg).ValueAt(at) == c.val
		})
		if k < 0 {
			return
		}
		val = d.change(val, n, d.locNo(v, debugReg(d.copies[k].reg, d.copies[k].sub)))
	}
	r := debugRange{at, at + 1, val}
	d.insert(v, r)
	d.defs = append(d.defs, r)
}

// renumbered follows the indexes to their new numbers.
func (d *DebugVars) renumbered(to func(liveness.Index) liveness.Index) {
	for v := range d.vars {
		x := &d.vars[v]
		for k := range x.ranges {
			x.ranges[k].start, x.ranges[k].end = to(x.ranges[k].start), to(x.ranges[k].end)
		}
		x.ranges = slices.DeleteFunc(x.ranges, func(r debugRange) bool { return r.start >= r.end })
	}
	for k := range d.stashed {
		d.stashed[k].at = to(d.stashed[k].at)
	}
}

// split has variables that are in old be in the parts that were cut from it,
// where those are live. The rest stays with old.
func (d *DebugVars) split(old mir.Reg, parts []mir.Reg) {
	if old.Index() >= len(d.ofReg) {
		return
	}
	d.listed = d.listed[:0]
	for k := d.ofReg[old.Index()]; k != 0; k = d.rows[k].next {
		d.listed = append(d.listed, d.rows[k].v)
	}
	for _, v := range d.listed {
		for no := range d.vars[v].locs {
			if o := d.vars[v].locs[no]; o.IsReg() && o.Reg() == old {
				for _, part := range parts {
					if part != old && d.lis.Has(part) {
						d.splitLoc(v, int32(no), part)
					}
				}
			}
		}
	}
}

// splitLoc replaces place no of variable v by part where that is live.
func (d *DebugVars) splitLoc(v, no int32, part mir.Reg) {
	segs := d.lis.Interval(part).Segs
	d.out = d.out[:0]
	at, to, changed := 0, int32(unknownLoc), false
	for k := 0; k < len(d.vars[v].ranges); k++ {
		r := d.vars[v].ranges[k]
		for at < len(segs) && segs[at].End <= r.start {
			at++
		}
		if at == len(segs) || segs[at].Start >= r.end || !slices.Contains(d.nosOf(r.val), no) {
			d.push(r)
			continue
		}
		if !changed {
			to, changed = d.locNo(v, debugReg(part, d.vars[v].locs[no].SubReg())), true
		}
		val := d.change(r.val, no, to)
		for s := at; s < len(segs) && segs[s].Start < r.end; s++ {
			start, end := max(segs[s].Start, r.start), min(segs[s].End, r.end)
			d.push(debugRange{r.start, start, r.val})
			d.push(debugRange{start, end, val})
			r.start = end
		}
		d.push(r)
	}
	if changed {
		d.vars[v].ranges = append(d.vars[v].ranges[:0], d.out...)
	}
}

// push appends a range to out, unless it is empty, as one with the last where they say the same.
func (d *DebugVars) push(r debugRange) {
	if r.start >= r.end {
		return
	}
	if n := len(d.out); n > 0 && d.out[n-1].end == r.start && d.same(d.out[n-1].val, r.val) {
		d.out[n-1].end = r.end
		return
	}
	d.out = append(d.out, r)
}

// setSpilled says that the value of r is in its stack slot wherever r is live.
func (d *DebugVars) setSpilled(r mir.Reg) {
	if len(d.vars) == 0 {
		return
	}
	for n := r.Index() + 1 - len(d.spilled); n > 0; n-- {
		d.spilled = append(d.spilled, false)
	}
	d.spilled[r.Index()] = true
}

package regalloc

import (
	"github.com/mirin-go/mirin/codegen/liveness"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// Two live ranges that overlap can still be one register when their values do
// not conflict: where one is a copy of the other, where one is nothing (an
// IMPLICIT_DEF), where they live in different lanes. joinVals says for each
// value of one of the two ranges what becomes of it. A value is looked at after
// those that are live at its definition in the other range, so that the answers
// are known upwards in the dominator tree.

// resolution is what becomes of a value when its range is joined with another.
type resolution uint8

const (
	// keep: the value goes into the joined range.
	keep resolution = iota
	// erase: it is the other range's value there; the copy or IMPLICIT_DEF that
	// defines it goes.
	erase
	// merge: both values are defined by one instruction or are PHIs of one block;
	// they become one.
	merge
	// replace: the other range's value is overwritten, in lanes that nothing reads
	// any more; it ends there.
	replace
	// unresolved: replace, when no instruction reads the lanes overwritten: looked
	// at when all values have their answer.
	unresolved
	// impossible: the ranges interfere.
	impossible
)

// noAssignment is the place of a value in the joined range before it has one.
const noAssignment = ^liveness.ValueID(0)

// joinVal is one value of a range that is joined.
type joinVal struct {
	// written are the lanes that the definition writes, of the joined register;
	// valid those that hold something behind it. written is not 0 in a value that
	// was looked at.
	written, valid desc.LaneMask
	// redef is the value of the same range that the definition changes a part of,
	// other the value of the other range that is live at the definition; NoValue.
	redef, other liveness.ValueID
	// assign is the place in the joined range.
	assign liveness.ValueID
	res    resolution
	// implicitDef: an IMPLICIT_DEF that goes when the value is pruned.
	implicitDef bool
	// pruned: another value overwrites this one, or one that this is a copy of;
	// prunedKnown: the latter was looked at.
	pruned, prunedKnown bool
	// identical: erased because the other value is a copy of the same register.
	identical bool
}

// joinVals is one of two ranges that are joined. Both share the values of the
// joined range, c.newVals.
type joinVals struct {
	c *coalescer
	r *liveness.Range
	// reg is the range's register, idx the sub-register of the joined one that it becomes.
	reg mir.Reg
	idx desc.SubRegIdx
	// sub: the range is of lanes, which are the same in both; a value has one lane then.
	sub   bool
	lanes desc.LaneMask
	// track: the joined register has sub-ranges.
	track bool
	vals  []joinVal
}

func (j *joinVals) reset(c *coalescer, r *liveness.Range, reg mir.Reg, idx desc.SubRegIdx, lanes desc.LaneMask, sub, track bool) {
	j.c, j.r, j.reg, j.idx, j.lanes, j.sub, j.track = c, r, reg, idx, lanes, sub, track
	j.vals = rows.Sized(j.vals, len(r.Vals))
	for k := range j.vals {
		j.vals[k] = joinVal{redef: liveness.NoValue, other: liveness.NoValue, assign: noAssignment}
	}
}

// lanesOf are the lanes of the joined register that an operand of j.reg names.
func (j *joinVals) lanesOf(o *mir.Operand) desc.LaneMask {
	in := j.c.f.Facts
	return in.SubRegLanes(in.ComposeSubRegs(j.idx, desc.SubRegIdx(o.SubReg())))
}

// writtenLanes are the lanes that instruction i writes; redef reports that it
// leaves others as they were.
func (j *joinVals) writtenLanes(i mir.InstrID) (l desc.LaneMask, redef bool) {
	f := j.c.f
	for m := range f.InBundle(i) {
		ops := f.Ops(m)
		for k := range ops {
			if o := &ops[k]; o.IsDef() && o.Reg() == j.reg {
				l |= j.lanesOf(o)
				redef = redef || o.ReadsReg()
			}
		}
	}
	return l, redef
}

// mapValues finds what becomes of every value; false when one is impossible.
func (j *joinVals) mapValues(o *joinVals) bool {
	for k := range j.vals {
		j.assignValue(liveness.ValueID(k), o)
		if j.vals[k].res == impossible {
			return false
		}
	}
	return true
}

// assignValue finds what becomes of value v, and its place in the joined range.
func (j *joinVals) assignValue(v liveness.ValueID, o *joinVals) {
	if j.vals[v].written != 0 {
		return
	}
	res := j.analyze(v, o)
	x := &j.vals[v]
	x.res = res
	switch res {
	case erase, merge:
		x.assign = o.vals[x.other].assign
		return
	case replace, unresolved:
		o.vals[x.other].pruned = true
	}
	x.assign = liveness.ValueID(len(j.c.newVals))
	j.c.newVals = append(j.c.newVals, j.r.Vals[v])
}

// analyze looks at value v and at what is live in o at its definition.
func (j *joinVals) analyze(v liveness.ValueID, o *joinVals) resolution {
	x, val := &j.vals[v], j.r.Vals[v]
	if val.Unused() {
		x.written = desc.AllLanes
		return keep
	}
	def := j.analyzeDef(v, o)
	q := o.r.Query(val.Def)
	if d := q.Defined(); d != liveness.NoValue {
		return j.analyzeBothDefined(v, d, q, o)
	}
	x.other = q.In
	if x.other == liveness.NoValue {
		return keep
	}
	o.assignValue(x.other, j)
	j.settleImplicitDef(x.other, def, o)
	y := &o.vals[x.other]
	switch {
	case val.IsPHI():
		// A conflict would show in a predecessor.
		return replace
	case j.c.f.Instr(def).Opcode == desc.IMPLICIT_DEF:
		if j.track && x.written&(y.valid|y.written) == 0 {
			return replace // the lane's only definition
		}
		return erase
	case j.c.p.joins(j.c.f, def):
		// What was undefined in the source is undefined in the copy.
		x.valid &= ^x.written | y.valid
		return erase
	case q.Kill && q.End <= val.Def:
		return keep
	case !j.c.p.partial && isFullCopy(j.c.f, def) && j.identicalTo(v, x.other, o):
		x.identical = true
		return erase
	case j.sub:
		return replace // the whole ranges decided
	case x.written&y.valid == 0:
		return replace
	case q.Kill:
		return impossible // an early clobber writes what is still to be read
	case j.c.f.Facts.SubRegLanes(o.idx)&^x.written == 0:
		return impossible // all lanes are overwritten: one of them is read
	case j.track:
		return j.clobbers(val.Def, x.written, o)
	}
	// Readers of overwritten lanes are looked for in this block alone.
	if q.End >= j.c.ix.BlockEnd(j.c.ix.BlockAt(val.Def)) {
		return impossible
	}
	return unresolved
}

// analyzeDef finds what the definition of v writes and returns the instruction, 0 for a PHI value.
func (j *joinVals) analyzeDef(v liveness.ValueID, o *joinVals) mir.InstrID {
	x, val := &j.vals[v], j.r.Vals[v]
	if val.IsPHI() {
		x.written = 1
		if !j.sub {
			x.written = j.c.f.Facts.SubRegLanes(j.idx)
		}
		x.valid = x.written
		return 0
	}
	def := j.c.ix.Instr(val.Def)
	x.implicitDef = j.c.f.Instr(def).Opcode == desc.IMPLICIT_DEF
	if j.sub {
		x.written, x.valid = 1, 1
		if x.implicitDef {
			x.valid = 0
		}
		return def
	}
	written, redef := j.writtenLanes(def)
	x.written, x.valid = written, written
	if redef {
		if in := j.r.Query(val.Def).In; in != liveness.NoValue {
			x.redef = in
			j.assignValue(in, o)
			x.valid |= j.vals[in].valid
		}
	}
	return def
}

// analyzeBothDefined is for v and value d of o defined at one place.
func (j *joinVals) analyzeBothDefined(v, d liveness.ValueID, q liveness.Query, o *joinVals) resolution {
	x, val, od := &j.vals[v], j.r.Vals[v], o.r.Vals[d].Def
	if od < val.Def {
		o.assignValue(d, j)
	} else if val.Def < od && q.In != liveness.NoValue {
		// An early clobber while the other register is read.
		x.other = q.In
		return impossible
	}
	x.other = d
	y := &o.vals[d]
	switch {
	case y.written == 0 || y.assign == noAssignment:
		return keep // that one is merged into this
	case val.IsPHI():
		return merge
	case x.valid&y.valid != 0:
		return impossible
	}
	return merge
}

// settleImplicitDef decides whether the IMPLICIT_DEF that defines value d of o,
// which is live where def stands, may go: not when it is live beyond its block,
// nor where a call behind it may leave the block.
func (j *joinVals) settleImplicitDef(d liveness.ValueID, def mir.InstrID, o *joinVals) {
	y := &o.vals[d]
	if !y.implicitDef {
		return
	}
	f := j.c.f
	imp := j.c.ix.Instr(o.r.Vals[d].Def)
	b := f.Instr(imp).Block()
	if def != 0 && (f.Instr(def).Block() != b || j.r.LiveInTo(j.c.ix, b)) || hasPadSuccessor(f, b) {
		y.implicitDef = false
		y.valid = f.Facts.SubRegLanes(desc.SubRegIdx(f.Op(imp, 0).SubReg()))
		return
	}
	y.valid &^= y.written
}

func hasPadSuccessor(f *mir.Function, b mir.BlockID) bool {
	for _, s := range f.Succs(b) {
		if f.Block(s.Block).Flags&mir.EHPad != 0 {
			return true
		}
	}
	return false
}

// clobbers reports replace or impossible for a definition of lanes where the
// lanes of o are tracked apart.
func (j *joinVals) clobbers(def liveness.Index, written desc.LaneMask, o *joinVals) resolution {
	in, li := j.c.f.Facts, j.c.v.Interval(o.reg)
	if !li.HasSubs() {
		if in.SubRegLanes(o.idx)&written == 0 {
			return replace
		}
		return impossible
	}
	for k := range li.Subs {
		s := &li.Subs[k]
		if in.ComposeLanes(o.idx, s.Lanes)&written == 0 {
			continue
		}
		if q := s.Query(def); q.In != liveness.NoValue && q.End > def {
			return impossible
		}
	}
	return replace
}

// origin follows full copies from value v of j's register to where it was
// computed: the definition and the register there. def 0 stands for nothing:
// an undefined register was copied.
func (j *joinVals) origin(v liveness.ValueID) (def liveness.Index, reg mir.Reg) {
	f, r := j.c.f, j.r
	reg = j.reg
	def = r.Vals[v].Def
	for !def.IsBlock() {
		i := j.c.ix.Instr(def)
		if i == 0 || !isFullCopy(f, i) {
			return def, reg
		}
		src := f.Op(i, 1).Reg()
		if !src.IsVirtual() {
			return def, reg
		}
		in, ok := j.copied(src, def)
		if !ok {
			return def, reg
		}
		if in == 0 {
			return 0, src
		}
		def, reg = in, src
	}
	return def, reg
}

// copied is where the value of src that a copy at def reads is defined, 0 when
// it is undefined; false when the lanes asked for come from several places.
func (j *joinVals) copied(src mir.Reg, def liveness.Index) (liveness.Index, bool) {
	li := j.c.v.Interval(src)
	if !j.sub || !li.HasSubs() {
		if in := li.Query(def).In; in != liveness.NoValue {
			return li.Vals[in].Def, true
		}
		return 0, true
	}
	from := liveness.Index(0)
	for k := range li.Subs {
		s := &li.Subs[k]
		if j.c.f.Facts.ComposeLanes(j.idx, s.Lanes)&j.lanes == 0 {
			continue
		}
		in := s.Query(def).In
		switch {
		case in == liveness.NoValue:
		case from == 0:
			from = s.Vals[in].Def
		case from != s.Vals[in].Def:
			return 0, false
		}
	}
	return from, true
}

// identicalTo reports that value v of j and value d of o were copied from one value.
func (j *joinVals) identicalTo(v, d liveness.ValueID, o *joinVals) bool {
	def, reg := j.origin(v)
	if def != 0 && def == o.r.Vals[d].Def && reg == o.reg {
		return true
	}
	odef, oreg := o.origin(d)
	return def == odef && reg == oreg
}

// resolve decides the values left unresolved; false when one cannot be.
func (j *joinVals) resolve(o *joinVals) bool {
	for k := range j.vals {
		x := &j.vals[k]
		if x.res != unresolved {
			continue
		}
		if j.sub {
			return false
		}
		j.c.count("Number of dead lane conflicts tested", 1)
		if !j.taintedUnread(liveness.ValueID(k), x.written&o.vals[x.other].valid, o) {
			return false
		}
		x.res = replace
		j.c.count("Number of dead lane conflicts resolved", 1)
	}
	return true
}

// taintedUnread reports that no instruction behind value v's definition reads the
// lanes of o's register that it overwrites before they are written again.
func (j *joinVals) taintedUnread(v liveness.ValueID, lanes desc.LaneMask, o *joinVals) bool {
	f, def := j.c.f, j.r.Vals[v].Def
	b := j.c.ix.BlockAt(def)
	end := j.c.ix.BlockEnd(b)
	i := f.Block(b).First()
	if !def.IsBlock() {
		if i = j.c.ix.Instr(def); !def.IsEarlyClobber() {
			i = f.NextBundle(i)
		}
	}
	for k := o.r.Find(def); ; {
		s := &o.r.Segs[k]
		if s.End >= end {
			return false
		}
		// Until the segment's end the lanes are tainted.
		last := j.c.ix.Instr(s.End)
		for {
			if i == 0 {
				return false
			}
			if o.readsLanes(i, lanes) {
				return false
			}
			at := i
			i = f.NextBundle(i)
			if at == last {
				break
			}
		}
		if k++; k == len(o.r.Segs) || o.r.Segs[k].Start >= end {
			return true
		}
		y := &o.vals[o.r.Segs[k].Val]
		lanes &^= y.written
		if y.redef == liveness.NoValue || lanes == 0 {
			return true
		}
	}
}

// readsLanes reports whether instruction i, or its bundle, reads lanes of j's register.
func (j *joinVals) readsLanes(i mir.InstrID, lanes desc.LaneMask) bool {
	f := j.c.f
	if f.IsDebugInstr(i) || f.Instr(i).Opcode == desc.PSEUDO_PROBE {
		return false
	}
	for m := range f.InBundle(i) {
		ops := f.Ops(m)
		for k := range ops {
			if o := &ops[k]; o.IsUse() && o.Reg() == j.reg && o.ReadsReg() && j.lanesOf(o)&lanes != 0 {
				return true
			}
		}
	}
	return false
}

// isPruned reports whether value v, or what it is a copy of, is overwritten.
func (j *joinVals) isPruned(v liveness.ValueID, o *joinVals) bool {
	x := &j.vals[v]
	if x.pruned || x.prunedKnown || x.res != erase && x.res != merge {
		return x.pruned
	}
	x.prunedKnown = true
	x.pruned = o.isPruned(x.other, j)
	return x.pruned
}

// prune takes out of both ranges what lies behind overwritten values, and
// appends to c.ends the points up to which the joined range must be made live
// again. With rewrite, definitions that become partial ones lose undef and dead flags.
func (j *joinVals) prune(o *joinVals, rewrite bool) {
	c := j.c
	for k := range j.vals {
		x := &j.vals[k]
		switch x.res {
		case replace:
			def := j.r.Vals[k].Def
			c.v.PruneValue(o.r, def, &c.ends)
			y := &o.vals[x.other]
			goes := y.implicitDef && y.res == keep
			if def.IsBlock() {
				continue
			}
			if rewrite {
				j.clearDefFlags(c.ix.Instr(def), !goes)
			}
			if !goes {
				c.ends = append(c.ends, def)
			}
		case erase, merge:
			if j.isPruned(liveness.ValueID(k), o) {
				// It may be a copy of what was overwritten: mappings do not say.
				c.v.PruneValue(j.r, j.r.Vals[k].Def, &c.ends)
			}
		}
	}
}

// clearDefFlags says of the definitions of j.reg in i that they live on and, with
// partial, that they keep what other lanes hold.
func (j *joinVals) clearDefFlags(i mir.InstrID, partial bool) {
	f := j.c.f
	for m := range f.InBundle(i) {
		for n := range f.Instr(m).NumOps() {
			o := f.Op(m, n)
			if !o.IsDef() || o.Reg() != j.reg {
				continue
			}
			if o.SubReg() != 0 && partial {
				f.SetOpFlag(m, n, mir.Undef, false)
			}
			f.SetOpFlag(m, n, mir.Dead, false)
		}
	}
}

// eraseInstrs erases the copies and IMPLICIT_DEFs that are not needed. Registers
// outside the pair that they read are appended to c.shrink. li, if not nil, is
// the interval that j.r is the main range of, whose sub-ranges are joined already.
func (j *joinVals) eraseInstrs(li *liveness.Interval) {
	c, f := j.c, j.c.f
	for k := range j.vals {
		x := &j.vals[k]
		if x.res != erase && (x.res != keep || !x.implicitDef || !x.pruned) {
			continue
		}
		def := j.r.Vals[k].Def
		if x.res == keep {
			end := j.r.Segs[j.r.SegmentAt(def)].End
			removeSegments(j.r, liveness.ValueID(k))
			j.r.Vals[k].Def = 0
			c.newVals[x.assign].Def = 0
			if li != nil && li.HasSubs() {
				bridge(li, def, end)
			}
		}
		if n := j.r.SegmentAt(def); x.res == erase && n >= 0 && j.r.Segs[n].End == def.Dead() {
			c.shrinkMain = true // nothing read the copy: what it copied would be live up to where it stood
		}
		i := c.ix.Instr(def)
		if f.Instr(i).Opcode == desc.COPY {
			if r := f.Op(i, 1).Reg(); r.IsVirtual() && r != c.p.src && r != c.p.dst {
				c.shrink = append(c.shrink, r)
			}
		}
		c.deleteInstr(i)
	}
}

// removeSegments removes the segments of a value, whose number stays.
func removeSegments(r *liveness.Range, v liveness.ValueID) {
	out := r.Segs[:0]
	for _, s := range r.Segs {
		if s.Val != v {
			out = append(out, s)
		}
	}
	r.Segs = out
}

// bridge makes the main range of li, which lost the definition at def, live
// across it where a sub-range is, at most until end.
func bridge(li *liveness.Interval, def, end liveness.Index) {
	next, last := liveness.Index(0), liveness.Index(0)
	for k := range li.Subs {
		s := &li.Subs[k]
		n := s.Find(def)
		switch {
		case n == len(s.Segs):
		case s.Segs[n].Start > def:
			if next == 0 || s.Segs[n].Start < next {
				next = s.Segs[n].Start
			}
		default:
			last = max(last, s.Segs[n].End)
		}
	}
	if last == 0 {
		return
	}
	end = min(end, last)
	if next != 0 {
		end = min(end, next)
	}
	if n := li.Range.Find(def); n > 0 {
		li.Segs[n-1].End = end
	}
}

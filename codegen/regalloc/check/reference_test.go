// The reference refChecker keeps the whole state of every block and meets states
// until nothing changes: slow, and plain enough to be read as what the package means.

package check

import (
	"fmt"
	"maps"
	"slices"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// refSnapshot is a function as it was before allocation.
type refSnapshot struct {
	instrs map[mir.InstrID]refOriginal // looked up by key only
	hasDef map[mir.Reg]bool
}

// original is what an instruction's operands named.
type refOriginal struct {
	ops    []operand
	opcode desc.Opcode
}

// refRecord notes the virtual registers of all operands of f.
func refRecord(f *mir.Function) *refSnapshot {
	s := &refSnapshot{instrs: map[mir.InstrID]refOriginal{}}
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			ops := f.Ops(i)
			o := refOriginal{ops: make([]operand, len(ops)), opcode: f.Instr(i).Opcode}
			for k := range ops {
				if p := &ops[k]; p.IsReg() && p.Reg().IsVirtual() {
					o.ops[k] = operand{p.Reg(), p.SubReg(), p.Flags()}
				}
			}
			s.instrs[i] = o
		}
	}
	return s
}

// value is some lanes of a virtual register.
type refValue struct {
	vreg  mir.Reg
	lanes desc.LaneMask
}

// set is a short sorted list of values.
type set []refValue

func (s set) has(v refValue) bool { return slices.Contains(s, v) }

func (s set) without(r mir.Reg) set {
	if !slices.ContainsFunc(s, func(v refValue) bool { return v.vreg == r }) {
		return s
	}
	out := set{}
	for _, v := range s {
		if v.vreg != r {
			out = append(out, v)
		}
	}
	return out
}

func (s set) with(v refValue) set {
	if s.has(v) {
		return s
	}
	return append(slices.Clone(s), v)
}

func (s set) intersect(t set) set {
	out := set{}
	for _, v := range s {
		if t.has(v) {
			out = append(out, v)
		}
	}
	return out
}

// state says what each place holds. Slots hold one set per unit of the
// register that was stored.
type state struct {
	units []set
	slots map[shaped][]set // walked in no order that shows
	// undef is what every place holds: an IMPLICIT_DEF defined it.
	undef set
}

// shaped is a slot as a register of so many parts is read from it.
type shaped struct{ slot, parts int }

// has reports whether a place holds v.
func (s *state) has(place set, v refValue) bool { return place.has(v) || s.undef.has(v) }

// common is what a place of s and one of t hold, but for what is undefined in both.
func common(s *state, x set, t *state, y set) set {
	out := set{}
	for _, v := range x {
		if t.has(y, v) {
			out = append(out, v)
		}
	}
	for _, v := range y {
		if s.undef.has(v) && !t.undef.has(v) {
			out = out.with(v)
		}
	}
	return out
}

func (s *state) clone() *state {
	return &state{units: slices.Clone(s.units), slots: maps.Clone(s.slots), undef: slices.Clone(s.undef)}
}

// meet keeps in s what t has too and reports whether s changed.
func (s *state) meet(t *state) bool {
	changed := false
	for u := range s.units {
		n := common(s, s.units[u], t, t.units[u])
		changed = changed || len(n) != len(s.units[u])
		s.units[u] = n
	}
	slots := maps.Clone(s.slots)
	for at := range t.slots {
		if _, ok := slots[at]; !ok {
			slots[at] = make([]set, at.parts)
		}
	}
	for at, x := range slots {
		y, ok := t.slots[at]
		if !ok {
			y = make([]set, at.parts)
		}
		n, rows := make([]set, at.parts), 0
		for k := range n {
			n[k] = common(s, x[k], t, y[k])
			rows += len(n[k])
			changed = changed || len(n[k]) != len(x[k])
		}
		if slots[at] = n; rows == 0 {
			delete(slots, at)
		}
	}
	s.slots = slots
	n := s.undef.intersect(t.undef)
	changed = changed || len(n) != len(s.undef)
	s.undef = n
	return changed
}

// forget removes register r's old value from everywhere.
func (s *state) forget(r mir.Reg) {
	for u := range s.units {
		s.units[u] = s.units[u].without(r)
	}
	for fi, v := range s.slots {
		n := make([]set, len(v))
		for k := range v {
			n[k] = v[k].without(r)
		}
		s.slots[fi] = n
	}
}

type refChecker struct {
	f    *mir.Function
	s    *refSnapshot
	in   map[mir.BlockID]*state
	errs []error
	shapes
}

// Verify checks the allocated function against the snapshot and returns what
// is wrong with it. It must run before the allocator deletes instructions that
// were there before.
func (s *refSnapshot) Verify(f *mir.Function) []error {
	c := &refChecker{f: f, s: s, in: map[mir.BlockID]*state{}}
	c.shapes.reset(f.Facts)
	c.in[f.FirstBlock()] = &state{units: make([]set, f.Facts.NumUnits()), slots: map[shaped][]set{}}
	work := []mir.BlockID{f.FirstBlock()}
	queued := map[mir.BlockID]bool{f.FirstBlock(): true}
	for len(work) > 0 {
		b := work[0]
		work = work[1:]
		queued[b] = false
		out := c.block(b, c.in[b].clone(), false)
		for _, x := range f.Succs(b) {
			n := x.Block
			if have := c.in[n]; have == nil {
				c.in[n] = out.clone()
			} else if !have.meet(out) {
				continue
			}
			if !queued[n] {
				queued[n] = true
				work = append(work, n)
			}
		}
	}
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		if st := c.in[b]; st != nil {
			c.block(b, st.clone(), true)
		}
	}
	return c.errs
}

// block executes one block; report collects errors.
func (c *refChecker) block(b mir.BlockID, st *state, report bool) *state {
	for i := c.f.Block(b).First(); i != 0; i = c.f.Instr(i).Next() {
		if c.f.IsDebugInstr(i) {
			continue
		}
		if o, ok := c.s.instrs[i]; ok && o.opcode == c.f.Instr(i).Opcode {
			c.original(b, i, &o, st, report)
		} else {
			c.added(i, st)
		}
	}
	return st
}

// original executes an instruction that was there before allocation.
func (c *refChecker) original(b mir.BlockID, i mir.InstrID, o *refOriginal, st *state, report bool) {
	f := c.f
	ops := f.Ops(i)
	var carried []set // the source's sets of a copy
	for k := range ops {
		if k >= len(o.ops) || o.ops[k].vreg == 0 || o.ops[k].flags&(mir.Def|mir.Undef|mir.Debug) != 0 {
			continue
		}
		w, p := o.ops[k], desc.PhysReg(ops[k].Reg())
		for _, u := range c.parts(p, w.sub) {
			if report && !st.has(st.units[u.unit], refValue{w.vreg, u.lanes}) && c.defined(w.vreg) {
				c.fail(b, i, fmt.Sprintf("%s, operand %d: $%s does not hold %%%d", f.Facts.OpcodeName(o.opcode), k, f.Facts.RegName(p), w.vreg.Index()))
				break
			}
		}
		if o.opcode == desc.COPY && k == 1 {
			carried = c.read(st, p)
		}
	}
	c.clobber(i, o, st)
	for k := range ops {
		if k >= len(o.ops) || o.ops[k].vreg == 0 || o.ops[k].flags&mir.Def == 0 {
			continue
		}
		w, p := o.ops[k], desc.PhysReg(ops[k].Reg())
		parts := c.parts(p, w.sub)
		if w.sub == 0 || w.flags&mir.Undef != 0 {
			st.forget(w.vreg)
			st.undef = st.undef.without(w.vreg)
		} else {
			c.forgetLanes(st, w.vreg, parts)
		}
		if o.opcode == desc.IMPLICIT_DEF {
			for _, u := range parts {
				st.undef = st.undef.with(refValue{w.vreg, u.lanes})
			}
			continue
		}
		for n, u := range parts {
			s := set{{w.vreg, u.lanes}}
			if o.opcode == desc.COPY && w.sub == 0 && len(o.ops) == 2 && o.ops[1].sub == 0 && n < len(carried) {
				// A copy's place also holds what the source held.
				for _, v := range carried[n] {
					if v.vreg != w.vreg {
						s = s.with(v)
					}
				}
			}
			st.units[u.unit] = s
		}
		if w.sub != 0 && w.flags&mir.Undef != 0 {
			// The other lanes are undefined: whatever stands there is right.
			c.defineRest(st, p, w)
		}
	}
}

// defineRest makes the units of the whole register around sub-register p hold
// their lanes of w.vreg.
func (c *refChecker) defineRest(st *state, p desc.PhysReg, w operand) {
	in := c.f.Facts
	class := desc.ClassID(-1)
	if w.vreg.Index() < c.f.NumVRegs() {
		class = desc.ClassID(c.f.VReg(w.vreg).Class)
	}
	for s := range in.SuperRegs(p).All() {
		if in.SubReg(s, desc.SubRegIdx(w.sub)) != p || class >= 0 && !in.ClassContains(class, s) {
			continue
		}
		for _, u := range c.parts(s, 0) {
			st.units[u.unit] = st.units[u.unit].with(refValue{w.vreg, u.lanes})
		}
		return
	}
}

func (c *refChecker) forgetLanes(st *state, r mir.Reg, parts []part) {
	drop := func(s set) set {
		out := s
		for _, l := range parts {
			if v := (refValue{r, l.lanes}); out.has(v) {
				n := set{}
				for _, x := range out {
					if x != v {
						n = append(n, x)
					}
				}
				out = n
			}
		}
		return out
	}
	st.undef = drop(st.undef)
	for u := range st.units {
		st.units[u] = drop(st.units[u])
	}
	for fi, v := range st.slots {
		n := make([]set, len(v))
		for k := range v {
			n[k] = drop(v[k])
		}
		st.slots[fi] = n
	}
}

// defined reports whether anything defines r; a register without definition
// may hold anything.
func (c *refChecker) defined(r mir.Reg) bool {
	if c.s.hasDef == nil {
		c.s.hasDef = map[mir.Reg]bool{}
		for _, o := range c.s.instrs {
			for _, p := range o.ops {
				if p.vreg != 0 && p.flags&mir.Def != 0 && o.opcode != desc.IMPLICIT_DEF {
					c.s.hasDef[p.vreg] = true
				}
			}
		}
	}
	return c.s.hasDef[r]
}

// clobber empties what an instruction destroys: registers that it defines by
// name, and what its register mask does not preserve.
func (c *refChecker) clobber(i mir.InstrID, o *refOriginal, st *state) {
	f := c.f
	ops := f.Ops(i)
	for k := range ops {
		if ops[k].Kind() == mir.OpRegMask {
			mask := f.RegMasks[ops[k].Index()]
			for u, roots := range f.Facts.Units {
				for _, r := range roots {
					if r != 0 && mask[r/32]>>(r%32)&1 == 0 {
						st.units[u] = nil
					}
				}
			}
			continue
		}
		if !ops[k].IsDef() || !ops[k].Reg().IsPhysical() {
			continue
		}
		if k < len(o.ops) && o.ops[k].vreg != 0 && o.ops[k].sub != 0 {
			continue // partial definitions are executed lane by lane
		}
		if k >= len(o.ops) {
			continue // added by the allocator beside a partial definition
		}
		for u := range f.Facts.RegUnits(desc.PhysReg(ops[k].Reg())).All() {
			st.units[u] = nil
		}
	}
}

// added executes an instruction of the allocator: a copy, a spill, a reload.
func (c *refChecker) added(i mir.InstrID, st *state) {
	f := c.f
	ops := f.Ops(i)
	d := f.Desc(i)
	fi, slot := 0, false
	var reg, src desc.PhysReg
	for k := range ops {
		switch o := &ops[k]; {
		case o.Kind() == mir.OpFrameIndex:
			fi, slot = o.FrameIndex(), true
		case o.IsDef() && !o.IsImplicit():
			reg = desc.PhysReg(o.Reg())
		case o.IsUse() && !o.IsImplicit() && o.Reg() != 0:
			src = desc.PhysReg(o.Reg())
		}
	}
	switch {
	case slot && d.MayStore() && reg == 0:
		maps.DeleteFunc(st.slots, func(at shaped, _ []set) bool { return at.slot == fi })
		v := c.read(st, src)
		st.slots[shaped{fi, len(v)}] = v
	case slot && d.MayLoad() && reg != 0:
		c.write(st, reg, st.slots[shaped{fi, len(c.parts(reg, 0))}])
	case reg != 0 && src != 0 && (f.Instr(i).Opcode == desc.COPY || d.IsMoveReg()):
		c.write(st, reg, c.read(st, src))
	default:
		for k := range ops {
			if o := &ops[k]; o.IsDef() && o.Reg().IsPhysical() {
				for u := range f.Facts.RegUnits(desc.PhysReg(o.Reg())).All() {
					st.units[u] = nil
				}
			}
		}
	}
}

// read gives what the parts of p hold, in the order of their lanes.
func (c *refChecker) read(st *state, p desc.PhysReg) []set {
	var v []set
	for _, u := range c.parts(p, 0) {
		v = append(v, st.units[u.unit])
	}
	return v
}

// write makes the parts of p hold what another place of the same shape held.
func (c *refChecker) write(st *state, p desc.PhysReg, v []set) {
	parts := c.parts(p, 0)
	for n, u := range parts {
		st.units[u.unit] = nil
		if len(v) == len(parts) {
			st.units[u.unit] = v[n]
		}
	}
}

func (c *refChecker) fail(b mir.BlockID, i mir.InstrID, text string) {
	if len(c.errs) < maxErrors {
		c.errs = append(c.errs, &Error{Func: c.f.Name, Block: c.f.Block(b).Number, Instr: i, Text: text})
	}
}

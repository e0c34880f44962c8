package check

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// Instructions that were there before and are no more. What they meant still
// happens: a copy makes its result the same value as its source, wherever that is
// held; what only defined a register leaves it in no place, but as an expression
// that may be computed elsewhere. Other instructions must not go.

// gone executes a row whose instruction was erased.
func (c *checker) gone(b mir.BlockID, row int32) {
	o := &c.s.rows[row]
	ops := c.s.full[o.first : o.first+o.num]
	c.time++
	switch {
	case o.opcode == desc.IMPLICIT_DEF && len(ops) > 0 && ops[0].IsReg():
		c.defineAll(&ops[0], undefined)
	case (o.opcode == desc.COPY || o.opcode == desc.KILL) && len(ops) >= 2 && ops[0].IsDef() && ops[1].IsUse():
		c.goneCopy(&ops[0], &ops[1])
	case o.opcode == desc.KILL || o.erasable:
		e := c.exprOf(row)
		for k := range ops {
			if !ops[k].IsDef() || ops[k].Reg() == 0 {
				continue
			}
			c.defineAll(&ops[k], func(n int) meaning {
				if e == 0 || k > 0 {
					return meaning{}
				}
				return meaning{expr: e, part: int32(n)}
			})
		}
	default:
		c.report(b, 0, c.in.OpcodeName(o.opcode)+" was deleted")
	}
}

// undefined is the meaning of what is held by every place.
func undefined(int) meaning { return meaning{node: anyNode} }

// goneCopy gives the parts of dst what those of src are.
func (c *checker) goneCopy(dst, src *mir.Operand) {
	from, to := c.operandValues(src), c.operandValues(dst)
	means := make([]meaning, len(to))
	for n := range to {
		switch {
		case src.IsUndef() || src.Reg().IsVirtual() && !c.s.defined(src.Reg()):
			means[n] = meaning{node: anyNode}
		case len(from) == len(to):
			means[n] = c.meaningOf(from[n])
		}
	}
	c.defineAll(dst, func(n int) meaning { return means[n] })
}

// operandValues are the values of an operand's parts, in the order of its lanes.
func (c *checker) operandValues(o *mir.Operand) (out []int32) {
	if r := o.Reg(); r.IsVirtual() {
		for _, p := range c.vparts(r, o.SubReg()) {
			out = append(out, c.value(r, p.lanes))
		}
		return out
	}
	for _, p := range c.parts(desc.PhysReg(o.Reg()), 0) {
		out = append(out, c.fixedValue(p.unit))
	}
	return out
}

// meaningOf is how a value stands now.
func (c *checker) meaningOf(v int32) meaning {
	x := &c.list[v]
	switch {
	case c.isLost(v):
		return meaning{node: anyNode}
	case x.block == c.now && !c.forgottenSince(x):
		return x.meaning
	case c.vregs[x.vreg].block == c.now:
		if c.vregs[x.vreg].any {
			return meaning{node: anyNode}
		}
		return meaning{}
	}
	return meaning{alias: v}
}

// defineAll defines the parts of an operand, part n as means(n).
func (c *checker) defineAll(o *mir.Operand, means func(n int) meaning) {
	r := o.Reg()
	vals := c.operandValues(o)
	if r.IsVirtual() {
		writtenBy(&c.vregs[r.Index()].writer, c.now)
		if o.SubReg() == 0 || o.IsUndef() {
			c.forget(r)
			// The lanes around an undef definition of a part are undefined.
			if x := &c.vregs[r.Index()]; o.SubReg() != 0 || len(vals) > 0 && means(0).node == anyNode {
				x.any, x.writer = true, many
			}
		}
	}
	for n, v := range vals {
		x := &c.list[v]
		if x.block != c.now {
			c.defined = append(c.defined, v)
		}
		x.block, x.time, x.meaning = c.now, c.time, means(n)
		if r.IsVirtual() && x.node == anyNode {
			// Places that no block writes hold it too.
			c.vregs[r.Index()].writer = many
		}
	}
}

// vparts gives the parts of a virtual register, or of its sub-register, by those
// of a register of its class.
func (c *checker) vparts(r mir.Reg, sub uint16) []part {
	class := desc.ClassID(c.s.class[r.Index()])
	if class < 0 {
		return nil
	}
	if p := c.representative(class, sub); p != 0 {
		return c.parts(p, sub)
	}
	return nil
}

// Physical registers that the code itself names: what it writes to a register
// unit is a value of its own, which the unit must hold where the code reads it.
// What nothing wrote, or a call destroyed, is undefined.

func (c *checker) findFixed() {
	c.fixed = make([]bool, c.in.NumUnits())
	set := c.in.ReservedRegs(0)
	for u := range c.fixed {
		for _, root := range c.in.Units[u] {
			if root != 0 && set[root/32]>>(root%32)&1 == 0 {
				c.fixed[u] = true
			}
		}
	}
}

// fixedValue is the value of a register unit.
func (c *checker) fixedValue(u desc.RegUnit) int32 {
	return c.value(mir.VReg(c.s.numVReg+int(u)), desc.AllLanes)
}

// unitOf is the unit of a fixed value, -1 for others.
func (c *checker) unitOf(v int32) int32 { return c.list[v].vreg - int32(c.s.numVReg) }

// isLost reports a fixed value that a call of the block destroyed last.
func (c *checker) isLost(v int32) bool {
	u := c.unitOf(v)
	if u < 0 {
		return false
	}
	x := &c.list[v]
	for _, m := range c.called[c.calls[c.now]:] {
		if m := &c.masks[m]; m.has(u) && (x.block != c.now || m.time > x.time) {
			return true
		}
	}
	return false
}

// useFixed executes operand k of i, which reads a register by name.
func (c *checker) useFixed(i mir.InstrID, k int) {
	p := c.f.Op(i, k)
	if !p.IsUse() || !p.Reg().IsPhysical() || !p.ReadsReg() || p.IsDebug() {
		return
	}
	u := use{instr: i, operand: int32(k), block: c.now}
	for x := range c.in.RegUnits(desc.PhysReg(p.Reg())).All() {
		if !c.fixed[x] {
			continue
		}
		u.value, u.at = c.fixedValue(x), 0
		if !c.demandHeld(&u, c.read(int32(x)), u.value) {
			return
		}
	}
}

// defineFixed executes a definition of a register by name; content is what it holds beside.
func (c *checker) defineFixed(p desc.PhysReg, carried []int32) {
	c.time++
	for n, x := range c.parts(p, 0) {
		from := int32(0)
		if n < len(carried) {
			from = carried[n]
		}
		node := from
		if c.fixed[x.unit] {
			node = c.child(from)
			c.define(c.fixedValue(x.unit), node)
		}
		c.write(int32(x.unit), node)
	}
}

// atEntry answers for fixed values where a block begins that control reaches from
// outside; false when it is no such block for v.
func (c *checker) atEntry(x fact) (holds, decided bool) {
	u := c.unitOf(x.value)
	if u < 0 {
		return false, false
	}
	b := c.block[x.block]
	if x.block != 1 && c.f.Block(b).Flags&mir.EHPad == 0 {
		return false, false
	}
	in := false
	for _, l := range c.f.LiveInsOf(b) {
		for k := range c.in.RegUnits(desc.PhysReg(l.Reg)).All() {
			in = in || int32(k) == u
		}
	}
	if x.block != 1 && !in {
		return false, false
	}
	// At the entry what does not come in is undefined.
	return !in || x.at.group == u, true
}

package check

import (
	"slices"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// fold says that an instruction of the allocator does what an original one did,
// some of whose operands are in memory now.
type fold struct {
	row int32
	// ops gives, by operand, that of the original, -1 for none; mem lists the
	// operands of the original that are in memory.
	ops []int32
	mem []inMemory
}

// inMemory is an operand of the original that is in stack slot slot, or, with
// mir.NoFrameIndex, read where the instruction that would define it reads.
type inMemory struct {
	op   int32
	slot int
}

// Created implements mir.Listener.
func (s *Snapshot) Created(i mir.InstrID) { s.created = i }

// Erased implements mir.Listener. An instruction that does the same in memory was
// put before i right then, with the registers that i names still.
func (s *Snapshot) Erased(i mir.InstrID) {
	s.replaced(i)
	s.created = 0
	delete(s.stored, i)
}

// inPlaceOf returns the instruction before i if it was put there last.
func (s *Snapshot) inPlaceOf(i mir.InstrID) mir.InstrID {
	n := s.f.Instr(i).Prev()
	for n != 0 && s.f.IsDebugInstr(n) {
		n = s.f.Instr(n).Prev()
	}
	if n == 0 || n != s.created || s.row(n) != 0 {
		return 0
	}
	return n
}

func (s *Snapshot) replaced(i mir.InstrID) {
	if row := s.row(i); row != 0 {
		s.rowOf[i] = 0
		o := &s.rows[row]
		o.gone = true
		if o.opcode != desc.COPY {
			if n, x := s.foldOf(i, fold{row: row, ops: identity(int(o.num))}); n != 0 {
				o.folded = true
				s.folds[n] = x
			}
		}
		return
	}
	if _, ok := s.folds[i]; !ok {
		s.storedConstant(i)
		return
	}
	if was, ok := s.folds[i]; ok {
		delete(s.folds, i)
		s.rows[was.row].folded = false
		if n, x := s.foldOf(i, was); n != 0 {
			s.rows[was.row].folded = true
			s.folds[n] = x
		}
	}
}

// storedExpr is what an instruction of the allocator stores, which took the place
// of one that computed it for a register of a class.
type storedExpr struct {
	opcode      desc.Opcode
	ops         []mir.Operand
	constant    int64
	hasConstant bool
	class       int16
	sub         uint16
}

// storedConstant looks whether i, which the allocator put in and which computes
// something that reads no register, gives way to what stores that.
func (s *Snapshot) storedConstant(i mir.InstrID) {
	f := s.f
	ops := f.Ops(i)
	if len(ops) == 0 || !ops[0].IsDef() || !ops[0].Reg().IsVirtual() || f.Desc(i).MayStore() {
		return
	}
	n := s.inPlaceOf(i)
	if n == 0 || !f.Desc(n).MayStore() {
		return
	}
	for _, o := range f.Ops(n) {
		if o.IsReg() && o.Reg() != 0 && !(o.IsDef() && o.IsDead()) {
			return
		}
	}
	for _, o := range ops[1:] {
		if o.IsReg() && o.Reg().IsVirtual() {
			return
		}
	}
	v, ok := s.constant(i, ops[0].Reg())
	s.stored[n] = storedExpr{f.Instr(i).Opcode, append([]mir.Operand(nil), ops...), v, ok, f.VReg(ops[0].Reg()).Class, ops[0].SubReg()}
}

// storeExpr executes an instruction of the allocator that stores an expression.
func (c *checker) storeExpr(i mir.InstrID, x *storedExpr) {
	e := c.number1(x.opcode, x.ops, x.constant, x.hasConstant)
	for k := range c.f.Ops(i) {
		p := c.f.Op(i, k)
		if p.Kind() != mir.OpFrameIndex {
			continue
		}
		var nodes []int32
		if rep := c.representative(desc.ClassID(x.class), x.sub); e != 0 && rep != 0 {
			c.time++
			for n := range c.parts(rep, 0) {
				node := c.child(0)
				c.nodes[node].expr, c.nodes[node].part = e, int32(n)
				nodes = append(nodes, node)
			}
		}
		c.writeSlot(p.FrameIndex(), nodes)
		return
	}
}

func identity(n int) []int32 {
	l := make([]int32, n)
	for k := range l {
		l[k] = int32(k)
	}
	return l
}

// foldOf finds the instruction before i that does what i did, which did what was
// says: one of the allocator's, all of whose virtual registers i names too, while
// i names one register more, or names it more often. 0 for none.
func (s *Snapshot) foldOf(i mir.InstrID, was fold) (mir.InstrID, fold) {
	f := s.f
	n := s.inPlaceOf(i)
	if n == 0 {
		return 0, fold{}
	}
	if _, taken := s.folds[n]; taken {
		return 0, fold{}
	}
	x := fold{row: was.row, mem: slices.Clone(was.mem)}
	used := make([]bool, f.Instr(i).NumOps())
	memory, slot := false, s.newSlot(i, n)
	for j := range f.Ops(n) {
		p := f.Op(n, j)
		x.ops = append(x.ops, -1)
		if p.Kind() == mir.OpFrameIndex || f.Desc(n).MayLoad() || f.Desc(n).MayStore() {
			memory = true
		}
		if !p.IsReg() || !p.Reg().IsVirtual() {
			continue
		}
		found := false
		for k := range f.Ops(i) {
			o := f.Op(i, k)
			if !used[k] && o.IsReg() && o.Reg() == p.Reg() && o.SubReg() == p.SubReg() && o.IsDef() == p.IsDef() {
				used[k], found = true, true
				if k < len(was.ops) {
					x.ops[j] = was.ops[k]
				}
				break
			}
		}
		if !found {
			return 0, fold{}
		}
	}
	for k := range f.Ops(i) {
		if o := f.Op(i, k); !used[k] && o.IsReg() && o.Reg().IsVirtual() && k < len(was.ops) && was.ops[k] >= 0 {
			x.mem = append(x.mem, inMemory{was.ops[k], slot})
		}
	}
	if len(x.mem) == len(was.mem) || !memory {
		return 0, fold{}
	}
	return n, x
}

// newSlot is the stack slot that n names and i, in whose place it is, does not, or
// not so often; the first that it names when there is none, mir.NoFrameIndex when
// it names no slot.
func (s *Snapshot) newSlot(i, n mir.InstrID) int {
	count := func(i mir.InstrID, fi int) (num int) {
		for _, o := range s.f.Ops(i) {
			if o.Kind() == mir.OpFrameIndex && o.FrameIndex() == fi {
				num++
			}
		}
		return num
	}
	first := mir.NoFrameIndex
	for _, o := range s.f.Ops(n) {
		if o.Kind() != mir.OpFrameIndex {
			continue
		}
		fi := o.FrameIndex()
		if count(n, fi) > count(i, fi) {
			return fi
		}
		if first == mir.NoFrameIndex {
			first = fi
		}
	}
	return first
}

// folded executes an instruction that does what an original one did.
func (c *checker) folded(i mir.InstrID, x fold) {
	f, o := c.f, &c.s.rows[x.row]
	was := c.s.ops[o.first : o.first+o.num]
	op := func(j int) *operand {
		if j < len(x.ops) && x.ops[j] >= 0 {
			return &was[x.ops[j]]
		}
		return &operand{}
	}
	for j := range f.Ops(i) {
		if w := op(j); w.vreg != 0 && w.flags&(mir.Def|mir.Undef|mir.Debug) == 0 {
			c.use(i, j, w)
		} else if w.vreg == 0 && j < len(x.ops) {
			c.useFixed(i, j)
		}
	}
	for _, m := range x.mem {
		if w := &was[m.op]; w.flags&(mir.Def|mir.Undef|mir.Debug) == 0 {
			c.useMemory(i, int(m.op), w, m.slot)
		}
	}
	for j := range f.Ops(i) {
		p := f.Op(i, j)
		if p.Kind() == mir.OpRegMask {
			c.call(p.Index())
		} else if p.IsDef() && p.Reg().IsPhysical() && op(j).vreg == 0 && j < len(x.ops) {
			c.defineFixed(desc.PhysReg(p.Reg()), nil)
		}
	}
	for j := range f.Ops(i) {
		if w := op(j); w.vreg != 0 && w.flags&mir.Def != 0 {
			c.define1(desc.PhysReg(f.Op(i, j).Reg()), w, nil)
		}
	}
	for _, m := range x.mem {
		if w := &was[m.op]; w.flags&mir.Def != 0 && m.slot != mir.NoFrameIndex {
			c.defineSlot(m.slot, w)
			if e := c.exprOf(x.row); e != 0 && m.op == 0 {
				for n, p := range c.vparts(w.vreg, 0) {
					v := &c.list[c.value(w.vreg, p.lanes)]
					v.expr, v.part = e, int32(n)
				}
			}
		}
	}
}

// useMemory executes a read of a virtual register in memory: in a stack slot, or
// where the instruction that would define it reads.
func (c *checker) useMemory(i mir.InstrID, k int, w *operand, fi int) {
	if !c.s.defined(w.vreg) {
		return
	}
	u := use{instr: i, operand: int32(k), block: c.now, memory: true}
	whole := c.vparts(w.vreg, 0)
	e := c.exprRead(i)
	for _, x := range c.vparts(w.vreg, w.sub) {
		v := c.value(w.vreg, x.lanes)
		u.value, u.at = v, 0
		n := slices.IndexFunc(whole, func(p part) bool { return p.lanes == x.lanes })
		content := int32(0)
		switch {
		case n < 0:
		case e != 0:
			content = c.child(0)
			c.nodes[content].expr, c.nodes[content].part = e, int32(n)
		case fi != mir.NoFrameIndex:
			content = c.readSlot(fi, len(whole), n)
		}
		if !c.demandHeld(&u, content, v) {
			return
		}
	}
}

// exprRead is the expression whose operands i has in its own: it reads the same
// memory. 0 for none.
func (c *checker) exprRead(i mir.InstrID) int32 {
	ops := c.f.Ops(i)
	for e := len(c.exprOps) - 1; e > 0; e-- {
		want := c.exprOps[e]
		for len(want) > 0 && want[len(want)-1].IsReg() && want[len(want)-1].IsImplicit() {
			want = want[:len(want)-1]
		}
		if len(want) < 2 {
			continue
		}
		for at := 0; at+len(want) <= len(ops); at++ {
			same := true
			for k := range want {
				a, b := &want[k], &ops[at+k]
				if a.Kind() != b.Kind() || a.Index() != b.Index() || !a.IsReg() && a.Imm() != b.Imm() {
					same = false
					break
				}
			}
			if same {
				return int32(e)
			}
		}
	}
	return 0
}

// defineSlot executes a definition of a whole virtual register in a stack slot.
func (c *checker) defineSlot(fi int, w *operand) {
	c.time++
	writtenBy(&c.vregs[w.vreg.Index()].writer, c.now)
	c.forget(w.vreg)
	var nodes []int32
	for _, x := range c.vparts(w.vreg, 0) {
		n := c.child(0)
		c.define(c.value(w.vreg, x.lanes), n)
		nodes = append(nodes, n)
	}
	c.writeSlot(fi, nodes)
}

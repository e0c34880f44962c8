package check

import (
	"encoding/binary"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// exprs numbers, from 1, what instructions compute that read nothing that
// changes: the same number is the same value, wherever it is computed. A virtual
// register "is" such an expression where all definitions that reach compute it;
// then a place at which it was computed again holds the register too.
type exprs struct {
	exprIDs map[string]int32
	// ops are the operands behind the result, by expression: a use may read the
	// memory of one itself.
	exprOps [][]mir.Operand
	key     []byte
}

func (e *exprs) reset() {
	e.exprIDs, e.exprOps = map[string]int32{}, make([][]mir.Operand, 1)
}

// exprOf numbers the expression of a row, 0 when it has none.
func (c *checker) exprOf(row int32) int32 {
	o := &c.s.rows[row]
	if !o.pure || o.expr < 0 {
		return 0
	}
	if o.expr == 0 {
		ops := c.s.full[o.first : o.first+o.num]
		if o.expr = c.number1(o.opcode, ops, o.constant, o.hasConstant); o.expr == 0 {
			o.expr = -1
		}
	}
	return max(o.expr, 0)
}

// exprAt numbers the expression of an instruction that was added.
func (c *checker) exprAt(i mir.InstrID) int32 {
	f := c.f
	d := f.Desc(i)
	if d.MayStore() || d.IsCall() || d.IsTerminator() || d.HasUnmodeledSideEffects() || d.MayLoad() && !f.IsInvariantLoad(i) {
		return 0
	}
	ops := f.Ops(i)
	if len(ops) == 0 || !ops[0].IsDef() || !ops[0].Reg().IsPhysical() {
		return 0
	}
	v, ok := c.s.constant(i, ops[0].Reg())
	return c.number1(f.Instr(i).Opcode, ops, v, ok)
}

// constant is what i moves into r.
func (s *Snapshot) constant(i mir.InstrID, r mir.Reg) (int64, bool) {
	if s.constantIn == nil {
		return 0, false
	}
	return s.constantIn(s.f, i, r)
}

// number1 numbers an expression with one result, its first operand.
func (c *checker) number1(op desc.Opcode, ops []mir.Operand, v int64, constant bool) int32 {
	if len(ops) == 0 || !ops[0].IsDef() {
		return 0
	}
	k := c.key[:0]
	if constant {
		k = binary.LittleEndian.AppendUint64(append(k, 'c'), uint64(v))
	} else {
		k = binary.LittleEndian.AppendUint16(append(k, 'i'), uint16(op))
		for n := range ops[1:] {
			o := &ops[1+n]
			if o.IsReg() {
				switch {
				case o.IsDef() && !o.IsImplicit():
					return 0
				case o.IsDef():
					continue
				case o.Reg().IsVirtual() || o.Reg() != 0 && !c.isReserved(o.Reg()):
					return 0
				}
			}
			k = append(k, byte(o.Kind()))
			k = binary.LittleEndian.AppendUint32(k, o.Index())
			k = binary.LittleEndian.AppendUint16(k, o.SubReg())
			if !o.IsReg() {
				k = binary.LittleEndian.AppendUint64(k, uint64(o.Imm()))
			}
		}
	}
	c.key = k
	if n, ok := c.exprIDs[string(k)]; ok {
		return n
	}
	n := int32(len(c.exprOps))
	c.exprIDs[string(k)] = n
	c.exprOps = append(c.exprOps, append([]mir.Operand(nil), ops[1:]...))
	return n
}

// isReserved reports a register of which no unit is allocated.
func (c *checker) isReserved(r mir.Reg) bool {
	for u := range c.in.RegUnits(desc.PhysReg(r)).All() {
		if c.fixed[u] {
			return false
		}
	}
	return true
}

// recompute executes an instruction of the allocator that computes expression e:
// its place holds whatever is that.
func (c *checker) recompute(reg desc.PhysReg, e int32) {
	c.time++
	for n, u := range c.parts(reg, 0) {
		x := c.child(0)
		c.nodes[x].expr, c.nodes[x].part = e, int32(n)
		c.write(int32(u.unit), x)
	}
}

// exprPlace is where to ask whether a register is part n of expression e.
func exprPlace(e, n int32) place { return place{group: -e, part: uint16(n)} }

package ssaopt

import (
	"slices"

	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// Expressions: two instructions are the same expression when they differ in
// nothing but the virtual registers that they define, kill and dead flags,
// memory operands, instruction flags and locations.

// exprHash is equal for equal expressions.
func exprHash(f *mir.Function, i mir.InstrID) uint32 {
	const prime = 0x9E3779B97F4A7C15
	h := uint64(f.Instr(i).Opcode)
	ops := f.Ops(i)
	for k := range ops {
		o := &ops[k]
		if o.IsReg() {
			if o.IsDef() && o.Reg().IsVirtual() {
				continue
			}
			h = (h ^ uint64(o.Reg())<<12 ^ uint64(o.SubReg())) * prime
			continue
		}
		v := uint64(0)
		switch o.Kind() {
		case mir.OpImm:
			v = uint64(o.Imm())
		case mir.OpCImm, mir.OpFPImm, mir.OpShuffleMask, mir.OpRegMask, mir.OpLiveOut, mir.OpCFIIndex:
			// Rows of equal content may have different numbers.
		default:
			v = uint64(o.Index())<<32 ^ uint64(o.Offset())
		}
		h = (h ^ uint64(o.Kind())<<56 ^ v ^ v>>29) * prime
	}
	return uint32(h >> 32)
}

// sameExpr reports that a and b are the same expression.
func sameExpr(f *mir.Function, a, b mir.InstrID) bool {
	if f.Instr(a).Opcode != f.Instr(b).Opcode || f.Instr(a).NumOps() != f.Instr(b).NumOps() {
		return false
	}
	x, y := f.Ops(a), f.Ops(b)
	for k := range x {
		o, p := &x[k], &y[k]
		if o.IsReg() && p.IsReg() && o.IsDef() && o.Reg().IsVirtual() && p.Reg().IsVirtual() {
			continue
		}
		if !sameOperand(f, o, p) {
			return false
		}
	}
	if f.HasExtra(a) || f.HasExtra(b) {
		e, g := f.Extra(a), f.Extra(b)
		return e.PreSymbol == g.PreSymbol && e.PostSymbol == g.PostSymbol && e.CFIType == g.CFIType && e.DeactivationSymbol == g.DeactivationSymbol
	}
	return true
}

// sameOperand compares two operands but for kill and dead flags.
func sameOperand(f *mir.Function, o, p *mir.Operand) bool {
	if o.Kind() != p.Kind() {
		return false
	}
	switch o.Kind() {
	case mir.OpCImm:
		a, b := &f.CImms[o.Index()], &f.CImms[p.Index()]
		return a.Bits == b.Bits && slices.Equal(a.Words, b.Words)
	case mir.OpFPImm:
		return f.FPImms[o.Index()] == f.FPImms[p.Index()]
	case mir.OpShuffleMask:
		return slices.Equal(f.ShuffleMasks[o.Index()], f.ShuffleMasks[p.Index()])
	case mir.OpRegMask, mir.OpLiveOut:
		return o.Index() == p.Index() || slices.Equal(f.RegMasks[o.Index()], f.RegMasks[p.Index()])
	case mir.OpCFIIndex:
		return f.CFI[o.Index()] == f.CFI[p.Index()]
	}
	return o.SameValue(p)
}

// exprTable finds expressions by content. Rows are dropped in the order in
// which they were added, last first, as scopes end.
type exprTable struct {
	f     *mir.Function
	heads []uint32 // by hash: row+1 of the last expression with that hash
	rows  []exprRow
}

type exprRow struct {
	instr mir.InstrID
	hash  uint32
	next  uint32 // row+1
	val   uint32
}

// reset empties the table for a function; n bounds its expressions.
func (t *exprTable) reset(f *mir.Function, n int) {
	size := 64
	for size < n {
		size *= 2
	}
	t.f, t.rows, t.heads = f, t.rows[:0], rows.Zeroed(t.heads, size)
}

// find returns the row that was added last for the expression of i, nil for none.
func (t *exprTable) find(i mir.InstrID) *exprRow {
	h := exprHash(t.f, i)
	for n := t.heads[int(h)&(len(t.heads)-1)]; n != 0; n = t.rows[n-1].next {
		if r := &t.rows[n-1]; r.hash == h && sameExpr(t.f, r.instr, i) {
			return r
		}
	}
	return nil
}

func (t *exprTable) add(i mir.InstrID, val uint32) {
	h := exprHash(t.f, i)
	head := &t.heads[int(h)&(len(t.heads)-1)]
	t.rows = append(t.rows, exprRow{i, h, *head, val})
	*head = uint32(len(t.rows))
}

// cut drops the rows behind the first n.
func (t *exprTable) cut(n int) {
	for k := len(t.rows) - 1; k >= n; k-- {
		r := &t.rows[k]
		t.heads[int(r.hash)&(len(t.heads)-1)] = r.next
	}
	t.rows = t.rows[:n]
}

// again returns the row added last before r for the same expression, nil for none.
func (t *exprTable) again(r *exprRow) *exprRow {
	for n := r.next; n != 0; n = t.rows[n-1].next {
		if q := &t.rows[n-1]; q.hash == r.hash && sameExpr(t.f, q.instr, r.instr) {
			return q
		}
	}
	return nil
}

package ssaopt

import (
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// LiveRangeShrink moves instructions up in their block, right behind what
// defines their operands, when that ends two lives or more earlier and begins
// one: each operand has no other reader.
var LiveRangeShrink = pass.Pass{
	Name:     "lrshrink",
	Title:    "Live Range Shrink Pass",
	Requires: mir.IsSSA,
	Optional: pass.Skippable,
	KeepsCFG: true,
	Run:      runLiveRangeShrink,
}

// maxSameOrder bounds the walk over instructions that moved to one place.
const maxSameOrder = 256

// shrinkScratch is the memory of LiveRangeShrink between functions.
type shrinkScratch struct {
	f    *mir.Function
	regs physRegs
	// order has the place of each instruction of the block; what moved has that
	// of the instruction that it stands in front of. Those before base are out of
	// reach: something with effects stands between.
	order []int32
	block []mir.BlockID
	base  int32
	// virt and phys have, by register, the last use in the current block.
	virt, phys []lastUse
	stamp      uint32
}

// lastUse is where a register was read last; order counts from the base of then.
type lastUse struct {
	stamp uint32
	order int32
	instr mir.InstrID
}

func runLiveRangeShrink(c *pass.Context, f *mir.Function) error {
	s := pass.Scratch[shrinkScratch](c)
	s.f = f
	s.regs.reset(c, f)
	s.order, s.block = rows.AtLeast(s.order, f.NumInstrIDs()), rows.AtLeast(s.block, f.NumInstrIDs())
	s.virt, s.phys = rows.AtLeast(s.virt, f.NumVRegs()), rows.AtLeast(s.phys, len(f.Facts.Regs))
	clear(s.block)
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		s.stamp++
		s.base = 0
		n := int32(0)
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			s.order[i], s.block[i] = n, b
			n++
		}
		sawStore := false
		for i := f.Block(b).First(); i != 0; {
			next := f.Instr(i).Next()
			if !f.IsPHI(i) && !isDebugOrProbe(f, i) {
				if s.visit(b, i, next, &sawStore) {
					c.Count("lrshrink", "Number of insturctions hoisted to shrink live range.", 1)
				}
			}
			i = next
		}
	}
	return nil
}

func isDebugOrProbe(f *mir.Function, i mir.InstrID) bool {
	return f.IsDebugInstr(i) || f.Instr(i).Opcode == desc.PSEUDO_PROBE
}

// at is the order of i.
func (s *shrinkScratch) at(i mir.InstrID) int32 { return s.order[i] - s.base }

// last is the row of a register.
func (s *shrinkScratch) last(r mir.Reg) *lastUse {
	if r.IsVirtual() {
		return &s.virt[r.Index()]
	}
	return &s.phys[r]
}

// barrier notes what i reads, and finds the last reader of what it defines and
// nobody reads.
func (s *shrinkScratch) barrier(i mir.InstrID) (order int32, at mir.InstrID) {
	f := s.f
	for k := range f.Instr(i).NumOps() {
		o := f.Op(i, k)
		if !o.IsReg() || o.IsDebug() || o.Reg() != mir.NoReg && !o.Reg().IsPhysical() && !o.Reg().IsVirtual() {
			continue
		}
		l := s.last(o.Reg())
		if o.IsUse() {
			*l = lastUse{s.stamp, s.at(i), i}
		} else if o.IsDead() && l.stamp == s.stamp && order < l.order {
			order, at = l.order, l.instr
		}
	}
	return order, at
}

// visit moves i if that pays.
func (s *shrinkScratch) visit(b mir.BlockID, i, next mir.InstrID, sawStore *bool) bool {
	f := s.f
	if f.MayStore(i) {
		*sawStore = true
	}
	barrier, barrierAt := s.barrier(i)
	if !safeToMove(f, i, sawStore) {
		if f.HasSideEffects(i) && next != 0 {
			s.base = s.order[next]
			*sawStore = false
		}
		return false
	}
	behind, ends := s.behind(b, i)
	if behind == 0 || ends < 2 {
		return false
	}
	for x, n := behind, 0; x != 0 && s.at(x) == barrier; x, n = f.Instr(x).Next(), n+1 {
		if x == barrierAt || n == maxSameOrder {
			return false
		}
	}
	if barrier > s.at(behind) {
		return false
	}
	to := f.Instr(behind).Next()
	for to != 0 && (f.IsPHI(to) || isDebugOrProbe(f, to)) {
		to = f.Instr(to).Next()
	}
	if to == i {
		return false
	}
	order := s.order[to]
	s.order[i] = order
	r := f.Op(i, 0).Reg()
	for d := next; d != 0 && f.IsDebugInstr(d) && namesDebug(f, d, r); {
		after := f.Instr(d).Next()
		s.order[d] = order
		f.Move(b, to, d)
		d = after
	}
	// The debug values went first, in their order: i stands before them.
	first := to
	for p := f.Instr(first).Prev(); p != 0 && f.IsDebugInstr(p) && s.order[p] == order && namesDebug(f, p, r); p = f.Instr(p).Prev() {
		first = p
	}
	f.Move(b, first, i)
	return true
}

// behind finds the last definition of the operands of i, which nothing else
// reads; 0 when it cannot move. ends counts those that are no copies.
func (s *shrinkScratch) behind(b mir.BlockID, i mir.InstrID) (at mir.InstrID, ends int) {
	f := s.f
	def := mir.NoReg
	for k := range f.Instr(i).NumOps() {
		o := f.Op(i, k)
		if !o.IsReg() || o.IsDead() || o.IsDebug() {
			continue
		}
		r := o.Reg()
		if !r.IsVirtual() {
			if r == mir.NoReg || r.IsPhysical() && s.regs.isConstant(r) {
				continue
			}
			return 0, 0
		}
		if o.IsDef() {
			if def != mir.NoReg {
				return 0, 0
			}
			def = r
			continue
		}
		if def == mir.NoReg || !f.HasOneUse(r) || f.VReg(r).Class != f.VReg(def).Class {
			return 0, 0
		}
		d := f.UniqueDef(r)
		if d == 0 {
			return 0, 0
		}
		if f.Instr(d).Opcode != desc.COPY {
			ends++
		}
		at = s.later(b, d, at)
	}
	if def == mir.NoReg {
		return 0, 0
	}
	return at, ends
}

// later returns which of two instructions stands behind the other; one that is
// out of reach does not count.
func (s *shrinkScratch) later(b mir.BlockID, x, old mir.InstrID) mir.InstrID {
	f := s.f
	if s.block[x] != b || s.order[x] < s.base {
		return old
	}
	if old == 0 {
		return x
	}
	if s.order[old] != s.order[x] {
		if s.order[old] < s.order[x] {
			return x
		}
		return old
	}
	if f.Before(old, x) {
		return x
	}
	return old
}

package regalloc

import (
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// PHIElimination replaces PHIs by copies. Each PHI
//
//	%d = PHI %a, %bb.1, %b, %bb.2
//
// gets a register %i of its own: every predecessor ends with %i = COPY of its
// value, and the block starts with %d = COPY %i. Because every PHI has its own
// %i, the copies of parallel PHIs cannot overwrite each other's sources (the
// swap and lost-copy problems), and because %i is read in this block alone, a
// copy in a predecessor with several successors harms nobody.
var PHIElimination = pass.Pass{
	Name:     "phi-node-elimination",
	Title:    "Eliminate PHI nodes for register allocation",
	Sets:     mir.NoPHIs,
	Clears:   mir.IsSSA,
	KeepsCFG: true,
	Run:      runPHIElim,
}

// phiScratch is PHIElimination's memory between functions.
type phiScratch struct {
	pending []mir.InstrID
	// seen marks by stamp, one for each PHI, the predecessors that have its copy.
	seen  []uint32
	stamp uint32
}

func runPHIElim(c *pass.Context, f *mir.Function) error {
	s := pass.Scratch[phiScratch](c)
	s.seen, s.stamp = resize(s.seen, f.NumBlockIDs()), 0
	clear(s.seen)
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		first := f.Block(b).First()
		if first == 0 || !f.IsPHI(first) {
			continue
		}
		// The destination copies go behind all PHIs (and EH labels), in the PHIs' order.
		s.pending = s.pending[:0]
		for i := first; i != 0 && f.IsPHI(i); i = f.Instr(i).Next() {
			s.pending = append(s.pending, i)
		}
		at := skipLabels(f, b, f.FirstNonPHI(b))
		for _, phi := range s.pending {
			s.lower(f, b, phi, at)
			c.Count("phi-node-elimination", "Number of atomic phis lowered", 1)
		}
	}
	// An IMPLICIT_DEF that only PHIs read is dead now.
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		for i := f.Block(b).First(); i != 0; {
			next := f.Instr(i).Next()
			if f.Instr(i).Opcode == desc.IMPLICIT_DEF {
				if r := f.Op(i, 0).Reg(); r.IsVirtual() && f.UniqueDef(r) == i && !f.HasUses(r) {
					f.DropDebugUses(r)
					f.Erase(i)
				}
			}
			i = next
		}
	}
	return nil
}

// skipLabels returns the first instruction from i of block b on that is no EH
// label, 0 at the end of the block. Debug instructions in front of a label are
// moved behind it, so that they stand behind what is inserted at the place
// returned, whose results they may name.
func skipLabels(f *mir.Function, b mir.BlockID, i mir.InstrID) mir.InstrID {
	at := i
	for j := i; j != 0; j = f.Instr(j).Next() {
		if f.Instr(j).Opcode == desc.EH_LABEL {
			at = f.Instr(j).Next()
		} else if !f.IsDebugInstr(j) {
			break
		}
	}
	first := at
	for j := i; j != at; {
		next := f.Instr(j).Next()
		if j == first {
			break
		}
		if f.IsDebugInstr(j) {
			f.Move(b, at, j)
			if first == at {
				first = j
			}
		}
		j = next
	}
	return first
}

// lower replaces one PHI; its copy goes before at (0: at the end of b).
func (s *phiScratch) lower(f *mir.Function, b mir.BlockID, phi, at mir.InstrID) {
	dst := *f.Op(phi, 0)
	n := f.Instr(phi).NumOps()
	loc := f.Instr(phi).Loc
	allUndef := true
	for k := 1; k < n; k += 2 {
		if !isUndef(f, f.Op(phi, k)) {
			allUndef = false
		}
	}
	if allUndef {
		i := f.New(desc.IMPLICIT_DEF, mir.RegOp(dst.Reg(), mir.Def))
		f.Instr(i).Loc = loc
		f.Erase(phi)
		f.InsertBefore(b, at, i)
		return
	}
	incoming := f.CloneVReg(dst.Reg())
	cp := f.New(desc.COPY, mir.RegOp(dst.Reg(), mir.Def|dst.Flags()&mir.Dead), mir.RegOp(incoming, 0))
	f.Instr(cp).Loc = loc
	s.stamp++
	for k := 1; k < n; k += 2 {
		src, pred := *f.Op(phi, k), f.Op(phi, k+1).Block()
		// A predecessor with several edges to b is listed once an edge, with the same value.
		if s.seen[pred] == s.stamp {
			continue
		}
		s.seen[pred] = s.stamp
		var i mir.InstrID
		if isUndef(f, &src) {
			i = f.New(desc.IMPLICIT_DEF, mir.RegOp(incoming, mir.Def))
		} else {
			i = f.New(desc.COPY, mir.RegOp(incoming, mir.Def), mir.SubRegOp(src.Reg(), src.SubReg(), 0))
		}
		f.InsertBefore(pred, f.EdgePlace(pred, b), i)
	}
	f.Erase(phi)
	f.InsertBefore(b, at, cp)
}

// isUndef reports a PHI source without a value: flagged undef, or defined by IMPLICIT_DEF.
func isUndef(f *mir.Function, o *mir.Operand) bool {
	if o.IsUndef() || o.Reg() == mir.NoReg {
		return true
	}
	d := f.UniqueDef(o.Reg())
	return d != 0 && f.Instr(d).Opcode == desc.IMPLICIT_DEF
}

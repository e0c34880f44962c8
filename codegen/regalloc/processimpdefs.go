package regalloc

import (
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// ProcessImpDefs removes IMPLICIT_DEFs: readers of such a register get an undef
// flag instead, and copies, PHIs and their like that read nothing else become
// IMPLICIT_DEFs themselves. A definition that allocators would find a register
// for, and keep it apart, is no definition any more.
var ProcessImpDefs = pass.Pass{
	Name:     "processimpdefs",
	Title:    "Process Implicit Definitions",
	Requires: mir.IsSSA,
	KeepsCFG: true,
	Run:      runProcessImpDefs,
}

// impDefScratch is ProcessImpDefs' memory: the IMPLICIT_DEFs to look at, the last
// one first, each once.
type impDefScratch struct {
	work   []mir.InstrID
	listed []bool // by InstrID: stands in work
}

func (s *impDefScratch) push(i mir.InstrID) {
	if !s.listed[i] {
		s.listed[i] = true
		s.work = append(s.work, i)
	}
}

func runProcessImpDefs(c *pass.Context, f *mir.Function) error {
	s := pass.Scratch[impDefScratch](c)
	s.work, s.listed = s.work[:0], rows.Zeroed(s.listed, f.NumInstrIDs())
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			if f.Instr(i).Opcode == desc.IMPLICIT_DEF {
				s.push(i)
			}
		}
		for len(s.work) > 0 {
			i := s.work[len(s.work)-1]
			s.work = s.work[:len(s.work)-1]
			s.listed[i] = false
			if r := f.Op(i, 0).Reg(); r.IsVirtual() {
				s.removeVirtual(f, i, r)
			} else {
				removePhysical(f, i, r)
			}
		}
	}
	return nil
}

// removeVirtual erases the definition i of virtual register r.
func (s *impDefScratch) removeVirtual(f *mir.Function, i mir.InstrID, r mir.Reg) {
	for u, n := range f.NonDebugUses(r) {
		f.SetOpFlag(u, n, mir.Undef, true)
		if readsNothing(f, u) {
			f.Instr(u).Opcode = desc.IMPLICIT_DEF
			s.push(u)
		}
	}
	f.DropDebugUses(r)
	f.Erase(i)
}

// readsNothing reports a copy or the like whose sources are all undefined.
func readsNothing(f *mir.Function, i mir.InstrID) bool {
	switch f.Instr(i).Opcode {
	case desc.COPY, desc.SUBREG_TO_REG, desc.INSERT_SUBREG, desc.REG_SEQUENCE, desc.PHI:
	default:
		return false
	}
	ops := f.Ops(i)
	for k := range ops {
		if ops[k].IsUse() && ops[k].ReadsReg() {
			return false
		}
	}
	return true
}

// removePhysical erases the definition i of physical register r when the next
// instruction that names an overlapping register stands in the block; what is
// left is a plain IMPLICIT_DEF.
func removePhysical(f *mir.Function, i mir.InstrID, r mir.Reg) {
	found := false
	for j := f.Instr(i).Next(); j != 0 && !found; j = f.Instr(j).Next() {
		for k := range f.Instr(j).NumOps() {
			o := f.Op(j, k)
			if !o.IsReg() || !o.Reg().IsPhysical() || !f.Facts.Overlap(desc.PhysReg(r), desc.PhysReg(o.Reg())) {
				continue
			}
			found = true
			if o.IsUse() {
				f.SetOpFlag(j, k, mir.Undef, true)
			}
		}
	}
	if found {
		f.Erase(i)
		return
	}
	for f.Instr(i).NumOps() > 1 {
		f.RemoveOp(i, f.Instr(i).NumOps()-1)
	}
}

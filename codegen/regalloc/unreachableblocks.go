package regalloc

import (
	"slices"

	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// UnreachableBlocks removes the blocks that no path from the entry reaches, and
// PHIs that have one source left. Liveness wants every use to have a definition
// above it, which code that never runs need not have.
var UnreachableBlocks = pass.Pass{
	Name:  "unreachable-mbb-elimination",
	Title: "Remove unreachable machine basic blocks",
	Run:   runUnreachableBlocks,
}

// unreachableScratch is UnreachableBlocks' memory.
type unreachableScratch struct {
	reached []bool // by BlockID
	work    []mir.BlockID
}

func runUnreachableBlocks(c *pass.Context, f *mir.Function) error {
	s := pass.Scratch[unreachableScratch](c)
	s.reached = rows.Zeroed(s.reached, f.NumBlockIDs())
	s.work = append(s.work[:0], f.FirstBlock())
	s.reached[f.FirstBlock()] = true
	for len(s.work) > 0 {
		b := s.work[len(s.work)-1]
		s.work = s.work[:len(s.work)-1]
		for _, e := range f.Succs(b) {
			if !s.reached[e.Block] {
				s.reached[e.Block] = true
				s.work = append(s.work, e.Block)
			}
		}
	}
	s.removeBlocks(f)
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		s.cleanPHIs(f, b)
	}
	f.RenumberBlocks()
	return nil
}

// removeBlocks removes the blocks that are not reached, and names of them in jump tables.
func (s *unreachableScratch) removeBlocks(f *mir.Function) {
	removed := false
	for b := f.FirstBlock(); b != 0; {
		next := f.NextBlock(b)
		if !s.reached[b] {
			f.RemoveBlock(b)
			removed = true
		}
		b = next
	}
	if !removed {
		return
	}
	gone := func(b mir.BlockID) bool { return !s.reached[b] }
	for k := range f.JumpTables {
		f.JumpTables[k].Blocks = slices.DeleteFunc(f.JumpTables[k].Blocks, gone)
	}
	f.DropUndefinedDebugUses()
}

// cleanPHIs takes what came from removed blocks out of the PHIs of b and
// replaces those that have one source left.
func (s *unreachableScratch) cleanPHIs(f *mir.Function, b mir.BlockID) {
	for i := f.Block(b).First(); i != 0 && f.IsPHI(i); {
		next := f.Instr(i).Next()
		for k := f.Instr(i).NumOps() - 2; k >= 1; k -= 2 {
			if !s.reached[f.Op(i, k+1).Block()] {
				f.RemoveOp(i, k+1)
				f.RemoveOp(i, k)
			}
		}
		if f.Instr(i).NumOps() == 3 {
			replacePHI(f, b, i)
		}
		i = next
	}
}

// replacePHI replaces a PHI of one source by that source, by a copy where the
// one register cannot serve both.
func replacePHI(f *mir.Function, b mir.BlockID, i mir.InstrID) {
	dst, src, loc := f.Op(i, 0).Reg(), *f.Op(i, 1), f.Instr(i).Loc
	f.Erase(i)
	if dst == src.Reg() {
		return
	}
	if src.SubReg() == 0 && !src.IsUndef() && constrainTo(f, src.Reg(), dst) {
		f.ReplaceReg(dst, src.Reg())
		for u, n := range f.Uses(src.Reg()) {
			f.SetOpFlag(u, n, mir.Kill, false)
		}
		return
	}
	bd := mir.Builder{F: f, Block: b, At: f.FirstNonPHI(b), Loc: loc}
	bd.Build(desc.COPY, mir.RegOp(dst, mir.Def), mir.SubRegOp(src.Reg(), src.SubReg(), src.Flags()&(mir.Kill|mir.Undef)))
}

// constrainTo narrows the class of r so that it serves for like; false, and
// nothing is changed, when no class does.
func constrainTo(f *mir.Function, r, like mir.Reg) bool {
	v, w := f.VReg(r), f.VReg(like)
	if v.Class < 0 || w.Class < 0 {
		return v.Class == w.Class && v.Bank == w.Bank && v.Type == w.Type
	}
	c := f.Facts.CommonSubClass(desc.ClassID(v.Class), desc.ClassID(w.Class))
	if c == desc.NoClass {
		return false
	}
	v.Class = int16(c)
	return true
}

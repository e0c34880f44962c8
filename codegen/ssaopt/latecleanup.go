package ssaopt

import (
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// MachineLateCleanup removes instructions that give a register a constant, or an
// address in the frame, which it holds already: laying out the frame and spilling
// repeat such instructions.
var MachineLateCleanup = pass.Pass{
	Name:     "machine-latecleanup",
	Title:    "Machine Late Instructions Cleanup Pass",
	Requires: mir.NoVRegs,
	Optional: pass.Skippable,
	KeepsCFG: true,
	Run:      runMachineLateCleanup,
}

// regInstr is a register with an instruction: one that defines it, or kills it.
type regInstr struct {
	reg   mir.Reg
	instr mir.InstrID
}

// cleanupScratch is what the pass knows of a function.
type cleanupScratch struct {
	f     *mir.Function
	frame mir.Reg // the register that frame addresses count from

	// ends tells, by block, what holds at its end: the definitions that may be used
	// again, at most one for a register, and who killed the register since, as runs of rows.
	ends []blockEnd
	rows []regInstr
	// defs and kills are those at the instruction that is looked at.
	defs, kills []regInstr

	visited []uint32 // by block: the walk that met it
	walk    uint32
	work    []mir.BlockID
}

type blockEnd struct{ defs, kills, end uint32 }

func (s *cleanupScratch) defsOf(b mir.BlockID) []regInstr {
	return s.rows[s.ends[b].defs:s.ends[b].kills]
}

func (s *cleanupScratch) killsOf(b mir.BlockID) []regInstr {
	return s.rows[s.ends[b].kills:s.ends[b].end]
}

func runMachineLateCleanup(c *pass.Context, f *mir.Function) error {
	s := pass.Scratch[cleanupScratch](c)
	s.f = f
	s.frame = mir.Reg(c.Subtarget.Variant.StackPointer)
	if c.Subtarget.HasFP(f) {
		s.frame = mir.Reg(c.Subtarget.FrameHooks().FramePointer)
	}
	n := f.NumBlockIDs()
	s.ends = rows.AtLeast(s.ends[:0], n)
	clear(s.ends)
	s.visited = rows.AtLeast(s.visited[:0], n)
	clear(s.visited)
	s.walk, s.rows = 0, s.rows[:0]
	removed := int64(0)
	for _, b := range pass.Get[pass.CFG](c, f).RPO() {
		removed += s.block(mir.BlockID(b))
	}
	c.Count("machine-latecleanup", "Number of redundant instructions removed.", removed)
	return nil
}

// holds reports that the instruction which defined r in list is the same as i.
func (s *cleanupScratch) holds(list []regInstr, r mir.Reg, i mir.InstrID) bool {
	d := find(list, r)
	return d != 0 && sameExpr(s.f, d, i)
}

// find is the instruction of r in list, 0 for none.
func find(list []regInstr, r mir.Reg) mir.InstrID {
	for _, x := range list {
		if x.reg == r {
			return x.instr
		}
	}
	return 0
}

// block removes what b repeats and says how many instructions that were.
func (s *cleanupScratch) block(b mir.BlockID) (removed int64) {
	f := s.f
	s.defs, s.kills = s.defs[:0], s.kills[:0]
	if preds := f.Preds(b); len(preds) > 0 && f.Block(b).Flags&(mir.EHPad|mir.InlineAsmBrTarget) == 0 {
		for _, d := range s.defsOf(preds[0]) {
			all := true
			for _, p := range preds[1:] {
				if all = s.holds(s.defsOf(p), d.reg, d.instr); !all {
					break
				}
			}
			if all {
				s.defs = append(s.defs, d)
			}
		}
	}
	for i := f.Block(b).First(); i != 0; {
		next := f.Instr(i).Next()
		removed += s.instr(b, i)
		i = next
	}
	e := &s.ends[b]
	e.defs = uint32(len(s.rows))
	s.rows = append(s.rows, s.defs...)
	e.kills = uint32(len(s.rows))
	s.rows = append(s.rows, s.kills...)
	e.end = uint32(len(s.rows))
	return removed
}

// instr removes i when what it does was done, else follows what it changes.
func (s *cleanupScratch) instr(b mir.BlockID, i mir.InstrID) int64 {
	f := s.f
	if f.IsDebugInstr(i) {
		return 0
	}
	if modifies(f, i, s.frame) {
		// Addresses that were computed are those of another frame.
		s.defs, s.kills = s.defs[:0], s.kills[:0]
		return 0
	}
	r, candidate := s.candidate(i)
	if candidate && s.holds(s.defs, r, i) {
		s.clearKills(b, r)
		f.Erase(i)
		return 1
	}
	kept := s.defs[:0]
	for _, d := range s.defs {
		if modifies(f, i, d.reg) {
			s.dropKills(d.reg)
			continue
		}
		if killsPart(f, i, d.reg) {
			s.kills = append(s.kills, regInstr{d.reg, i})
		}
		kept = append(kept, d)
	}
	s.defs = kept
	if candidate {
		s.defs = append(s.defs, regInstr{r, i})
	}
	return 0
}

func (s *cleanupScratch) dropKills(r mir.Reg) {
	kept := s.kills[:0]
	for _, k := range s.kills {
		if k.reg != r {
			kept = append(kept, k)
		}
	}
	s.kills = kept
}

// candidate reports that i does nothing but give a register what follows from
// immediates, symbols and the frame register, and names the register.
func (s *cleanupScratch) candidate(i mir.InstrID) (r mir.Reg, ok bool) {
	f := s.f
	sawStore := true
	switch op := f.Instr(i).Opcode; {
	case op == desc.IMPLICIT_DEF || op == desc.INLINEASM || op == desc.INLINEASM_BR || !safeToMove(f, i, &sawStore):
		return 0, false
	}
	for k := range f.Instr(i).NumOps() {
		o := f.Op(i, k)
		switch o.Kind() {
		case mir.OpReg:
			switch {
			case o.IsDef() && (k > 0 || o.IsImplicit() || o.IsDead()):
				return 0, false
			case o.IsDef():
				r = o.Reg()
			case o.Reg() != 0 && o.Reg() != s.frame:
				return 0, false
			}
		case mir.OpImm, mir.OpCImm, mir.OpFPImm, mir.OpCPI, mir.OpGlobal, mir.OpExtSym:
		default:
			return 0, false
		}
	}
	return r, r != 0
}

// clearKills makes r live from the definition that is used again to the end of the
// part of b that was looked at.
func (s *cleanupScratch) clearKills(b mir.BlockID, r mir.Reg) {
	f := s.f
	s.walk++
	defs, kills := s.defs, s.kills
	s.visited[b] = s.walk
	s.work = s.work[:0]
	for {
		for _, k := range kills {
			if k.reg == r {
				clearKillsIn(f, k.instr, r)
			}
		}
		if d := find(defs, r); d != 0 && f.Instr(d).Block() != b {
			if !f.IsLiveIn(b, r) {
				f.AddLiveIn(b, r, mir.AllLanes)
			}
			for _, p := range f.Preds(b) {
				if s.visited[p] != s.walk {
					s.visited[p] = s.walk
					s.work = append(s.work, p)
				}
			}
		}
		if len(s.work) == 0 {
			return
		}
		b = s.work[len(s.work)-1]
		s.work = s.work[:len(s.work)-1]
		defs, kills = s.defsOf(b), s.killsOf(b)
	}
}

// modifies reports that i may change a part of physical register r.
func modifies(f *mir.Function, i mir.InstrID, r mir.Reg) bool {
	for k := range f.Instr(i).NumOps() {
		switch o := f.Op(i, k); {
		case o.Kind() == mir.OpRegMask && clobbers(f, o, r), o.IsReg() && o.IsDef() && o.Reg() != 0 && overlaps(f, o.Reg(), r):
			return true
		}
	}
	return false
}

// killsPart reports that i ends the life of a part of physical register r.
func killsPart(f *mir.Function, i mir.InstrID, r mir.Reg) bool {
	for k := range f.Instr(i).NumOps() {
		if o := f.Op(i, k); o.IsReg() && o.IsUse() && o.IsKill() && overlaps(f, o.Reg(), r) {
			return true
		}
	}
	return false
}

// clearKillsIn clears i's kill flags of what shares a part with physical register r.
func clearKillsIn(f *mir.Function, i mir.InstrID, r mir.Reg) {
	for k := range f.Instr(i).NumOps() {
		if o := f.Op(i, k); o.IsReg() && o.IsUse() && o.IsKill() && overlaps(f, o.Reg(), r) {
			f.SetOpFlag(i, k, mir.Kill, false)
		}
	}
}

package regalloc

import (
	"math/bits"

	"github.com/mirin-go/mirin/codegen/liveness"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// InitUndef defines the undefined sources of instructions that write a result
// before they have read all sources (early clobber), by INIT_UNDEF, which is no
// code: an undefined source might be given the register of the result, which some
// instructions must not have. Where parts of registers have live ranges of their
// own, undefined lanes of a source are defined so, too.
var InitUndef = pass.Pass{
	Name:     "init-undef",
	Title:    "Init Undef Pass",
	KeepsCFG: true,
	Run:      runInitUndef,
}

// initUndef is the pass's memory.
type initUndef struct {
	f     *mir.Function
	lanes *deadLanes // nil where lanes are not tracked
	// known is the number of registers that lanes knows.
	known int
	subs  []desc.SubRegIdx
	may   []desc.SubRegIdx
}

func runInitUndef(c *pass.Context, f *mir.Function) error {
	s := pass.Scratch[initUndef](c)
	s.f, s.lanes, s.known = f, nil, f.NumVRegs()
	tracks := liveness.TracksLanes(c, f)
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			s.definePassthru(i)
			if !hasEarlyClobber(f, i) {
				continue
			}
			if tracks {
				if s.lanes == nil {
					s.lanes = pass.Scratch[deadLanes](c)
					s.lanes.find(f)
				}
				s.defineLanes(i)
			}
			s.defineUndef(i)
		}
	}
	return nil
}

// hasEarlyClobber reports that i writes a result before it has read its sources.
func hasEarlyClobber(f *mir.Function, i mir.InstrID) bool {
	ops := f.Ops(i)
	for k := range ops {
		if ops[k].IsDef() && ops[k].IsEarlyClobber() {
			return true
		}
	}
	return false
}

// definePassthru puts an IMPLICIT_DEF where the source that the first result is
// tied to names no register.
func (s *initUndef) definePassthru(i mir.InstrID) {
	f := s.f
	if f.Desc(i).NumDefs == 0 || f.Instr(i).NumOps() == 0 || !f.Op(i, 0).IsReg() || !f.Op(i, 0).IsTied() {
		return
	}
	k := f.TiedTo(i, 0)
	if k < 0 || f.Op(i, k).Reg() != mir.NoReg {
		return
	}
	class := f.Facts.OperandClass(f.Instr(i).Opcode, k, f.Facts.DefaultMode)
	if class < 0 {
		return
	}
	r := f.AddVReg(int16(class))
	s.insert(i, desc.IMPLICIT_DEF, mir.RegOp(r, mir.Def))
	f.SetReg(i, k, r)
}

func (s *initUndef) insert(at mir.InstrID, op desc.Opcode, ops ...mir.Operand) {
	f := s.f
	n := f.New(op, ops...)
	f.Instr(n).Loc = f.Instr(at).Loc
	f.TieDeclared(n)
	f.InsertBefore(f.Instr(at).Block(), at, n)
}

// defineUndef defines the sources of i that are undefined as a whole.
func (s *initUndef) defineUndef(i mir.InstrID) {
	f := s.f
	for k := range f.Instr(i).NumOps() {
		o := f.Op(i, k)
		if !o.IsUse() || o.IsTied() || !o.Reg().IsVirtual() || !o.IsUndef() && !definedImplicitly(f, o.Reg()) {
			continue
		}
		class := f.VReg(o.Reg()).Class
		if class < 0 {
			continue
		}
		r := f.AddVReg(class)
		s.insert(i, desc.INIT_UNDEF, mir.RegOp(r, mir.Def))
		f.SetReg(i, k, r)
		f.SetOpFlag(i, k, mir.Undef, false)
	}
}

func definedImplicitly(f *mir.Function, r mir.Reg) bool {
	for i := range f.Defs(r) {
		if f.Instr(i).Opcode == desc.IMPLICIT_DEF {
			return true
		}
	}
	return false
}

// defineLanes puts defined parts into the sources of i that have lanes that are
// read and that nothing defines.
func (s *initUndef) defineLanes(i mir.InstrID) {
	f := s.f
	for k := range f.Instr(i).NumOps() {
		o := f.Op(i, k)
		if !o.IsUse() || o.IsTied() || !o.Reg().IsVirtual() || o.Reg().Index() >= s.known || f.VReg(o.Reg()).Class < 0 {
			continue
		}
		x := &s.lanes.info[o.Reg().Index()]
		r := o.Reg()
		if x.used == x.defined || !s.cover(desc.ClassID(f.VReg(r).Class), x.used&^x.defined) {
			continue
		}
		class := f.VReg(r).Class
		for _, sub := range s.subs {
			part, whole := f.AddVReg(int16(subRegClass(f.Facts, desc.ClassID(class), sub))), f.AddVReg(class)
			s.insert(i, desc.INIT_UNDEF, mir.RegOp(part, mir.Def))
			s.insert(i, desc.INSERT_SUBREG, mir.RegOp(whole, mir.Def), mir.RegOp(r, 0), mir.RegOp(part, 0), mir.ImmOp(int64(sub)))
			r = whole
		}
		f.SetReg(i, k, r)
	}
}

// subRegClass is the smallest class that all sub-registers sub of a class are in,
// NoClass for none; of equal ones the last, as LLVM's tables have it.
func subRegClass(in *desc.Info, class desc.ClassID, sub desc.SubRegIdx) desc.ClassID {
	best := desc.NoClass
	for c := range in.Classes {
		if c := desc.ClassID(c); in.MatchingSuperRegClass(class, c, sub) == class &&
			(best == desc.NoClass || len(in.ClassMembers(c)) <= len(in.ClassMembers(best))) {
			best = c
		}
	}
	return best
}

// cover finds indices of parts that together are the given lanes of a class, large
// ones first, none over another (the greedy heuristic of set covering); false when
// there are none.
func (s *initUndef) cover(class desc.ClassID, lanes desc.LaneMask) bool {
	in := s.f.Facts
	s.subs, s.may = s.subs[:0], s.may[:0]
	for k := 1; k < len(in.SubRegIndices); k++ {
		sub := desc.SubRegIdx(k)
		if m := in.SubRegLanes(sub); m&^lanes == 0 && in.SubClassWithSubReg(class, sub) == class && subRegClass(in, class, sub) != desc.NoClass {
			s.may = append(s.may, sub)
		}
	}
	for lanes != 0 {
		best, most := desc.SubRegIdx(0), 0
		for _, sub := range s.may {
			m := in.SubRegLanes(sub)
			if n := bits.OnesCount64(uint64(m)); m&^lanes == 0 && n > most {
				best, most = sub, n
			}
		}
		if best == 0 {
			return false
		}
		s.subs = append(s.subs, best)
		lanes &^= in.SubRegLanes(best)
	}
	return true
}

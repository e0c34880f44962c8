package regalloc

import (
	"github.com/mirin-go/mirin/codegen/liveness"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// DetectDeadLanes finds the lanes of registers that nothing reads, and those that
// nothing defines, through copies, PHIs and what puts registers together or takes
// them apart: a result of which no lane is read is dead, a source of which no lane
// is both is undefined. Where parts of registers have live ranges of their own
// these would say the same, but for loops of such instructions that read only each other.
var DetectDeadLanes = pass.Pass{
	Name:     "detect-dead-lanes",
	Title:    "Detect Dead Lanes",
	KeepsCFG: true,
	Run:      runDetectDeadLanes,
}

// deadLanes is what is known of the lanes of each virtual register.
type deadLanes struct {
	f    *mir.Function
	in   *desc.Info
	info []laneInfo // by register
	work []mir.Reg
}

type laneInfo struct {
	used, defined desc.LaneMask
	// byCopy: the one definition is a copy or the like, so that the lanes follow from
	// those of its operands; listed: it stands in work.
	byCopy, listed bool
}

func runDetectDeadLanes(c *pass.Context, f *mir.Function) error {
	if !liveness.TracksLanes(c, f) {
		return nil
	}
	d := pass.Scratch[deadLanes](c)
	for again := true; again; {
		d.find(f)
		again = d.rewrite()
	}
	return nil
}

// makesCopies reports an instruction that will be copies.
func makesCopies(op desc.Opcode) bool {
	switch op {
	case desc.COPY, desc.PHI, desc.INSERT_SUBREG, desc.REG_SEQUENCE, desc.EXTRACT_SUBREG:
		return true
	}
	return false
}

// oneDef is the operand that alone defines r.
func oneDef(f *mir.Function, r mir.Reg) (i mir.InstrID, k int, ok bool) {
	for j, n := range f.Defs(r) {
		if ok {
			return 0, 0, false
		}
		i, k, ok = j, n, true
	}
	return i, k, ok
}

// find computes the lanes: what instructions other than copies say first, then what
// follows through copies, backwards for the lanes that are read and forwards for
// those that are defined. Lanes are only added, so that it ends.
func (d *deadLanes) find(f *mir.Function) {
	d.f, d.in = f, f.Facts
	d.info, d.work = rows.Zeroed(d.info, f.NumVRegs()), d.work[:0]
	for n := range d.info {
		r := mir.VReg(n)
		if f.VReg(r).Class < 0 {
			d.info[n] = laneInfo{used: desc.AllLanes, defined: desc.AllLanes}
			continue
		}
		d.info[n].defined = d.definedAtFirst(r)
		d.info[n].used = d.usedAtFirst(r)
	}
	for k := 0; k < len(d.work); k++ {
		r := d.work[k]
		d.info[r.Index()].listed = false
		i, _, _ := oneDef(f, r)
		d.readAlso(i, d.info[r.Index()].used)
		for u, n := range f.NonDebugUses(r) {
			d.defineAlso(u, n, d.info[r.Index()].defined)
		}
	}
}

func (d *deadLanes) list(r mir.Reg) {
	if x := &d.info[r.Index()]; !x.listed {
		x.listed = true
		d.work = append(d.work, r)
	}
}

// lanesOf are all the lanes of r.
func (d *deadLanes) lanesOf(r mir.Reg) desc.LaneMask { return d.in.Classes[d.f.VReg(r).Class].Lanes }

// operandLanes are the lanes of its register that operand o names.
func (d *deadLanes) operandLanes(o *mir.Operand) desc.LaneMask {
	if sub := o.SubReg(); sub != 0 {
		return d.in.SubRegLanes(desc.SubRegIdx(sub))
	}
	return d.lanesOf(o.Reg())
}

// definedAtFirst are the lanes of r that are defined whatever copies say.
func (d *deadLanes) definedAtFirst(r mir.Reg) desc.LaneMask {
	f := d.f
	i, k, ok := oneDef(f, r)
	if !ok {
		return desc.AllLanes // live in, not read, or written several times
	}
	dead := f.Op(i, k).IsDead()
	switch op := f.Instr(i).Opcode; {
	case makesCopies(op) && k == 0:
	case dead || op == desc.IMPLICIT_DEF:
		return 0
	default:
		return d.lanesOf(r)
	}
	d.info[r.Index()].byCopy = true
	d.list(r)
	if dead {
		return 0
	}
	lanes := desc.LaneMask(0)
	for n := 1; n < f.Instr(i).NumOps(); n++ {
		o := f.Op(i, n)
		if !o.IsUse() || !o.ReadsReg() || o.Reg() == 0 {
			continue
		}
		of := desc.AllLanes
		if s := o.Reg(); s.IsVirtual() && !d.crosses(i, n, r) {
			if j, _, ok := oneDef(f, s); ok && (makesCopies(f.Instr(j).Opcode) || f.Instr(j).Opcode == desc.IMPLICIT_DEF) {
				continue // its lanes are added when they are known
			}
			if f.VReg(s).Class >= 0 {
				of = d.in.ReverseComposeLanes(desc.SubRegIdx(o.SubReg()), d.lanesOf(s))
			}
		}
		lanes |= d.throughForward(i, n, r, of)
	}
	return lanes
}

// usedAtFirst are the lanes of r that instructions other than copies read.
func (d *deadLanes) usedAtFirst(r mir.Reg) desc.LaneMask {
	f, lanes := d.f, desc.LaneMask(0)
	for i, n := range f.NonDebugUses(r) {
		o := f.Op(i, n)
		if !o.ReadsReg() || f.Instr(i).Opcode == desc.KILL {
			continue
		}
		if makesCopies(f.Instr(i).Opcode) && !o.IsImplicit() {
			if to := f.Op(i, 0).Reg(); to.IsVirtual() && f.VReg(to).Class >= 0 && !d.crosses(i, n, to) {
				continue
			}
		}
		lanes |= d.operandLanes(o)
	}
	return lanes
}

// crosses reports that operand n of i, which copies to register to, is of a class
// with other parts, so that lanes of the one say nothing about lanes of the other.
func (d *deadLanes) crosses(i mir.InstrID, n int, to mir.Reg) bool {
	f, in := d.f, d.in
	src, dst := desc.ClassID(f.VReg(f.Op(i, n).Reg()).Class), desc.ClassID(f.VReg(to).Class)
	if src == dst {
		return false
	}
	if src < 0 || dst < 0 {
		return true
	}
	from, into := desc.SubRegIdx(f.Op(i, n).SubReg()), desc.SubRegIdx(0)
	switch f.Instr(i).Opcode {
	case desc.INSERT_SUBREG:
		if n == 2 {
			into = desc.SubRegIdx(f.Op(i, 3).Imm())
		}
	case desc.REG_SEQUENCE:
		into = desc.SubRegIdx(f.Op(i, n+1).Imm())
	case desc.EXTRACT_SUBREG:
		if sub := desc.SubRegIdx(f.Op(i, 2).Imm()); from == 0 {
			from = sub
		} else {
			from = in.ComposeSubRegs(sub, from)
		}
	}
	switch {
	case from != 0 && into != 0:
		c, _, _ := in.CommonSuperRegClass(src, from, dst, into)
		return c == desc.NoClass
	case from != 0:
		return in.MatchingSuperRegClass(src, dst, from) == desc.NoClass
	case into != 0:
		return in.MatchingSuperRegClass(dst, src, into) == desc.NoClass
	}
	return in.CommonSubClass(src, dst) == desc.NoClass
}

// throughBack are the lanes that i, a copy or the like, reads of what operand n
// names when used are the lanes of its result that are read.
func (d *deadLanes) throughBack(i mir.InstrID, n int, used desc.LaneMask) desc.LaneMask {
	f, in := d.f, d.in
	switch f.Instr(i).Opcode {
	case desc.REG_SEQUENCE:
		return in.ReverseComposeLanes(desc.SubRegIdx(f.Op(i, n+1).Imm()), used)
	case desc.INSERT_SUBREG:
		sub := desc.SubRegIdx(f.Op(i, 3).Imm())
		if n == 2 {
			return in.ReverseComposeLanes(sub, used)
		}
		c := &in.Classes[f.VReg(f.Op(i, 0).Reg()).Class]
		if c.Flags&desc.ClassCoveredBySubRegs != 0 {
			return used &^ in.SubRegLanes(sub)
		}
		return c.Lanes // there is more than lanes to it
	case desc.EXTRACT_SUBREG:
		return in.ComposeLanes(desc.SubRegIdx(f.Op(i, 2).Imm()), used)
	}
	return used
}

// throughForward are the lanes of to, the result of i, that operand n defines when
// defined are the lanes of what it names that are.
func (d *deadLanes) throughForward(i mir.InstrID, n int, to mir.Reg, defined desc.LaneMask) desc.LaneMask {
	f, in := d.f, d.in
	switch f.Instr(i).Opcode {
	case desc.REG_SEQUENCE:
		sub := desc.SubRegIdx(f.Op(i, n+1).Imm())
		defined = in.ComposeLanes(sub, defined) & in.SubRegLanes(sub)
	case desc.INSERT_SUBREG:
		if sub := desc.SubRegIdx(f.Op(i, 3).Imm()); n == 2 {
			defined = in.ComposeLanes(sub, defined) & in.SubRegLanes(sub)
		} else {
			defined &^= in.SubRegLanes(sub)
		}
	case desc.EXTRACT_SUBREG:
		defined = in.ReverseComposeLanes(desc.SubRegIdx(f.Op(i, 2).Imm()), defined)
	}
	return defined & d.lanesOf(to)
}

// readAlso adds the lanes that copy i reads when used are those of its result that are read.
func (d *deadLanes) readAlso(i mir.InstrID, used desc.LaneMask) {
	f := d.f
	for n := 1; n < f.Instr(i).NumOps(); n++ {
		o := f.Op(i, n)
		if !o.IsUse() || o.IsImplicit() || !o.Reg().IsVirtual() || !o.ReadsReg() || f.VReg(o.Reg()).Class < 0 {
			continue
		}
		lanes := d.throughBack(i, n, used)
		lanes = d.in.ComposeLanes(desc.SubRegIdx(o.SubReg()), lanes) & d.lanesOf(o.Reg())
		x := &d.info[o.Reg().Index()]
		if lanes&^x.used == 0 {
			continue
		}
		if x.used |= lanes; x.byCopy {
			d.list(o.Reg())
		}
	}
}

// defineAlso adds the lanes that operand n of i defines of its result when defined
// are those of what it names that are.
func (d *deadLanes) defineAlso(i mir.InstrID, n int, defined desc.LaneMask) {
	f := d.f
	o := f.Op(i, n)
	if !makesCopies(f.Instr(i).Opcode) || o.IsImplicit() || !o.ReadsReg() {
		return
	}
	to := f.Op(i, 0).Reg()
	if !to.IsVirtual() || !d.info[to.Index()].byCopy {
		return
	}
	defined = d.in.ReverseComposeLanes(desc.SubRegIdx(o.SubReg()), defined)
	x := &d.info[to.Index()]
	if defined = d.throughForward(i, n, to, defined); defined&^x.defined != 0 {
		x.defined |= defined
		d.list(to)
	}
}

// rewrite writes dead and undef flags; again reports that a copy between classes
// with other parts is undefined now, from which more may follow.
func (d *deadLanes) rewrite() (again bool) {
	f := d.f // within bundles nothing is written: their heads say what they read
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		for i := f.Block(b).First(); i != 0; i = f.NextBundle(i) {
			if f.IsDebugInstr(i) {
				continue
			}
			for n := range f.Ops(i) {
				o := f.Op(i, n)
				if !o.IsReg() || !o.Reg().IsVirtual() || f.VReg(o.Reg()).Class < 0 {
					continue
				}
				x := &d.info[o.Reg().Index()]
				if o.IsDef() && !o.IsDead() && x.used == 0 {
					f.SetOpFlag(i, n, mir.Dead, true)
				}
				if !o.ReadsReg() {
					continue
				}
				if x.defined&x.used&d.operandLanes(o) == 0 {
					f.SetOpFlag(i, n, mir.Undef, true)
				} else if undef, crosses := d.unread(i, n); undef {
					f.SetOpFlag(i, n, mir.Undef, true)
					again = again || crosses
				}
			}
		}
	}
	return again
}

// unread reports that of the result of i, a copy or the like, no lane is read that
// operand n gives.
func (d *deadLanes) unread(i mir.InstrID, n int) (undef, crosses bool) {
	f := d.f
	if f.Op(i, n).IsDef() || f.Op(i, n).IsImplicit() || !makesCopies(f.Instr(i).Opcode) {
		return false, false
	}
	to := f.Op(i, 0).Reg()
	if !to.IsVirtual() || !d.info[to.Index()].byCopy || d.throughBack(i, n, d.info[to.Index()].used) != 0 {
		return false, false
	}
	return true, d.crosses(i, n, to)
}

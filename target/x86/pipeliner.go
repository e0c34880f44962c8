package x86

import (
	"math/bits"
	"slices"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// pipelinerHooks is what pipeliner asks. LLVM's x86 has none of it, so that nothing is
// found unless the flag is given.
var pipelinerHooks = target.PipelinerHooks{
	Flag:        "x86-pipeliner",
	FindCounter: findCounter,
	Distance:    counterDistance,
	IsWhole:     isWholeDistance,
	IsMore:      isMoreLeft,
	Less:        lessLeft,
	NewLeft:     newLeft,
}

// The comparisons that counters end with, by width.
var (
	compareRegs = [...][]desc.Opcode{{tab.CMP32rr}, {tab.CMP64rr}}
	compareImms = [...][]desc.Opcode{{tab.CMP32ri, tab.CMP32ri8}, {tab.CMP64ri32, tab.CMP64ri8}}
	testRegs    = [...]desc.Opcode{tab.TEST32rr, tab.TEST64rr}
)

// findCounter is PipelinerHooks.FindCounter: blocks that end by JNE back, or by JE out, behind
// a comparison of the counter with what does not change, or behind the flags of the
// counter's own addition, which say whether it is zero.
func findCounter(st *target.Subtarget, f *mir.Function, b mir.BlockID) (c target.LoopCounter, ok bool) {
	if f.NumSuccs(b) != 2 || !f.HasSucc(b, b) {
		return c, false
	}
	for _, s := range f.Succs(b) {
		if s.Block != b {
			c.Exit = s.Block
		}
	}
	br, ok := analyzeBranch(st, f, b)
	if !ok || br.Cond == nil {
		return c, false
	}
	switch cc := br.Cond[0].Imm(); {
	case br.True == b && cc == condNE && (br.False == 0 || br.False == c.Exit):
	case br.True == c.Exit && cc == condE && br.False == b:
	default:
		return c, false
	}
	i := f.FirstTerminator(b)
	for i = f.Instr(i).Prev(); i != 0; i = f.Instr(i).Prev() {
		if !f.IsDebugInstr(i) && definesFlags(f, i) {
			break
		}
	}
	if i == 0 {
		return c, false
	}
	return c, counterOf(f, b, i, &c)
}

// definesFlags reports whether i writes EFLAGS.
func definesFlags(f *mir.Function, i mir.InstrID) bool {
	ops := f.Ops(i)
	for k := range ops {
		if o := &ops[k]; o.IsDef() && o.Reg() == reg(tab.EFLAGS) {
			return true
		}
	}
	return false
}

// counterOf fills in the counter that instruction i compares.
func counterOf(f *mir.Function, b mir.BlockID, i mir.InstrID, c *target.LoopCounter) bool {
	op := f.Instr(i).Opcode
	for wide, width := range [...]int{32, 64} {
		c.Bits = width
		switch {
		case slices.Contains(compareRegs[wide], op):
			c.Compare = i
			x, y := *f.Op(i, 0), *f.Op(i, 1)
			return counts(f, b, x, y, c) || counts(f, b, y, x, c)
		case slices.Contains(compareImms[wide], op):
			c.Compare = i
			return counts(f, b, *f.Op(i, 0), *f.Op(i, 1), c)
		case op == testRegs[wide]:
			c.Compare = i
			x, y := *f.Op(i, 0), *f.Op(i, 1)
			return x.Reg() == y.Reg() && counts(f, b, x, mir.ImmOp(0), c)
		}
		if _, _, ok := addition(f, i, width); ok && op != tab.LEA32r && op != tab.LEA64r {
			return counts(f, b, *f.Op(i, 0), mir.ImmOp(0), c)
		}
	}
	return false
}

// counts fills in the counter x that is compared with bound; false when it is none.
func counts(f *mir.Function, b mir.BlockID, x, bound mir.Operand, c *target.LoopCounter) bool {
	switch {
	case bound.IsReg():
		if bound.SubReg() != 0 || bound.IsUndef() || !bound.Reg().IsVirtual() || !isOutside(f, bound.Reg(), b) {
			return false
		}
	case !bound.IsImm():
		return false
	}
	if !x.IsReg() || !x.Reg().IsVirtual() || x.SubReg() != 0 {
		return false
	}
	update := f.UniqueDef(x.Reg())
	if c.Early = update != 0 && f.IsPHI(update); c.Early {
		if f.Instr(update).Block() != b {
			return false
		}
		update = f.UniqueDef(incoming(f, update, b))
	}
	if update == 0 || f.Instr(update).Block() != b {
		return false
	}
	from, step, ok := addition(f, update, c.Bits)
	if !ok || step == 0 || bits.OnesCount64(magnitude(step)) != 1 || magnitude(step) > maxCounterStep {
		return false
	}
	phi := f.UniqueDef(from)
	if phi == 0 || !f.IsPHI(phi) || f.Instr(phi).Block() != b || f.Instr(phi).NumOps() != 5 ||
		incoming(f, phi, b) != f.Op(update, 0).Reg() || c.Early && from != x.Reg() {
		return false
	}
	for k := 1; k < 5; k += 2 {
		if f.Op(phi, k+1).Block() != b {
			c.Start = *f.Op(phi, k)
		}
	}
	if c.Start.SubReg() != 0 || c.Start.IsUndef() || !isOutside(f, c.Start.Reg(), b) {
		return false
	}
	c.Step, c.Update, c.Bound = step, update, bound
	return true
}

// maxCounterStep keeps what is subtracted for a few iterations an immediate.
const maxCounterStep = 1 << 20

func magnitude(v int64) uint64 {
	if v < 0 {
		return -uint64(v)
	}
	return uint64(v)
}

// incoming is the register that a PHI reads from block b, 0 when it reads no whole one.
func incoming(f *mir.Function, phi mir.InstrID, b mir.BlockID) mir.Reg {
	for k := 1; k+1 < f.Instr(phi).NumOps(); k += 2 {
		if o := f.Op(phi, k); f.Op(phi, k+1).Block() == b && o.SubReg() == 0 && !o.IsUndef() {
			return o.Reg()
		}
	}
	return 0
}

// isOutside reports a virtual register that is written once, and not in block b.
func isOutside(f *mir.Function, r mir.Reg, b mir.BlockID) bool {
	d := f.UniqueDef(r)
	return d != 0 && f.Instr(d).Block() != b
}

// addition understands what adds a constant to a register of a width.
func addition(f *mir.Function, i mir.InstrID, width int) (from mir.Reg, step int64, ok bool) {
	var src *mir.Operand
	switch op := f.Instr(i).Opcode; {
	case width == 64 && op == tab.INC64r || width == 32 && op == tab.INC32r:
		src, step = f.Op(i, 1), 1
	case width == 64 && op == tab.DEC64r || width == 32 && op == tab.DEC32r:
		src, step = f.Op(i, 1), -1
	case width == 64 && (op == tab.ADD64ri32 || op == tab.ADD64ri8) || width == 32 && (op == tab.ADD32ri || op == tab.ADD32ri8):
		if !f.Op(i, 2).IsImm() {
			return 0, 0, false
		}
		src, step = f.Op(i, 1), f.Op(i, 2).Imm()
	case width == 64 && (op == tab.SUB64ri32 || op == tab.SUB64ri8) || width == 32 && (op == tab.SUB32ri || op == tab.SUB32ri8):
		if !f.Op(i, 2).IsImm() {
			return 0, 0, false
		}
		src, step = f.Op(i, 1), -f.Op(i, 2).Imm()
	case width == 64 && op == tab.LEA64r || width == 32 && op == tab.LEA32r:
		if !f.Op(i, 1).IsReg() || !f.Op(i, 4).IsImm() || f.Op(i, 3).Reg() != 0 || f.Op(i, 5).Reg() != 0 {
			return 0, 0, false
		}
		src, step = f.Op(i, 1), f.Op(i, 4).Imm()
	default:
		return 0, 0, false
	}
	if width == 32 {
		step = int64(int32(step))
	}
	ok = src.Reg().IsVirtual() && src.SubReg() == 0 && !src.IsUndef() && f.Op(i, 0).SubReg() == 0
	return src.Reg(), step, ok
}

// counterOps are the instructions of a counter's width.
type counterOps struct {
	class        desc.ClassID
	move         desc.Opcode
	sub, subImm  desc.Opcode
	cmp, testImm desc.Opcode
}

func opsOf(c *target.LoopCounter) counterOps {
	if c.Bits == 32 {
		return counterOps{tab.GR32RegClassID, tab.MOV32ri, tab.SUB32rr, tab.SUB32ri, tab.CMP32ri, tab.TEST32ri}
	}
	return counterOps{tab.GR64RegClassID, tab.MOV64ri32, tab.SUB64rr, tab.SUB64ri32, tab.CMP64ri32, tab.TEST64ri32}
}

func newLeft(f *mir.Function, c *target.LoopCounter) mir.Reg { return f.AddVReg(int16(opsOf(c).class)) }

// arith builds an instruction whose flags nothing reads, into a new register.
func arith(b *mir.Builder, c *target.LoopCounter, op desc.Opcode, x mir.Reg, y mir.Operand) mir.Reg {
	to := newLeft(b.F, c)
	i := b.BuildInstr(op, mir.RegOp(to, mir.Def), mir.RegOp(x, 0), y)
	markFlags(b.F, i, true)
	return to
}

// markFlags says of the flags that i writes whether nothing reads them.
func markFlags(f *mir.Function, i mir.InstrID, dead bool) {
	for k := range f.Instr(i).NumOps() {
		if o := f.Op(i, k); o.IsDef() && o.Reg() == reg(tab.EFLAGS) {
			f.SetOpFlag(i, k, mir.Dead, dead)
		}
	}
}

// counterDistance is PipelinerHooks.Distance: from the lower to the upper, in the direction
// of the step.
func counterDistance(_ *target.Subtarget, f *mir.Function, blk mir.BlockID, c *target.LoopCounter) mir.Reg {
	t := opsOf(c)
	b := &mir.Builder{F: f, Block: blk}
	start, bound := c.Start.Reg(), c.Bound
	if bound.IsImm() {
		r := newLeft(f, c)
		b.BuildInstr(t.move, mir.RegOp(r, mir.Def), mir.ImmOp(bound.Imm()))
		bound = mir.RegOp(r, 0)
	}
	from, to := start, bound.Reg()
	if c.Step < 0 {
		from, to = to, from
	}
	d := arith(b, c, t.sub, to, mir.RegOp(from, 0))
	if c.Early {
		// One more iteration follows upon the comparison that ends the loop.
		d = arith(b, c, t.subImm, d, mir.ImmOp(-int64(magnitude(c.Step))))
	}
	return d
}

func isWholeDistance(_ *target.Subtarget, f *mir.Function, blk mir.BlockID, c *target.LoopCounter, left mir.Reg) []mir.Operand {
	low := magnitude(c.Step) - 1
	if low == 0 {
		return nil
	}
	b := &mir.Builder{F: f, Block: blk}
	b.BuildInstr(opsOf(c).testImm, mir.RegOp(left, 0), mir.ImmOp(int64(low)))
	return condOp(f, condE)
}

func isMoreLeft(_ *target.Subtarget, f *mir.Function, blk mir.BlockID, c *target.LoopCounter, left mir.Reg, n int) []mir.Operand {
	b := &mir.Builder{F: f, Block: blk}
	b.BuildInstr(opsOf(c).cmp, mir.RegOp(left, 0), mir.ImmOp(int64(n)*int64(magnitude(c.Step))))
	return condOp(f, condA)
}

func lessLeft(_ *target.Subtarget, f *mir.Function, blk mir.BlockID, c *target.LoopCounter, to, left mir.Reg, n int) []mir.Operand {
	b := &mir.Builder{F: f, Block: blk}
	i := b.BuildInstr(opsOf(c).subImm, mir.RegOp(to, mir.Def), mir.RegOp(left, 0), mir.ImmOp(int64(n)*int64(magnitude(c.Step))))
	markFlags(f, i, false)
	return condOp(f, condNE)
}

func condOp(f *mir.Function, cc int64) []mir.Operand {
	cond := f.LooseOps(1)
	cond[0] = mir.ImmOp(cc)
	return cond
}

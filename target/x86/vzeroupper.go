package x86

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// vzeroUpper is the pass that clears the upper halves of vector registers before
// calls and returns where they may be in use: whoever comes there may be SSE code, which
// would wait for them (Intel, "Optimization Reference Manual", 15.3).
//
// A block leaves them clean, dirty, or as it found them. What calls before it says
// anything waits for what its predecessors do.
var vzeroUpper = target.Pass{
	Name:     "x86-vzeroupper",
	Title:    "X86 vzeroupper inserter",
	Before:   "cfi-instr-inserter",
	Requires: mir.NoVRegs,
	KeepsCFG: true,
	Run:      runVZeroUpper,
}

type upperState uint8

const (
	upperPassed upperState = iota
	upperClean
	upperDirty
)

// upperBlock is what a block does to upper halves.
type upperBlock struct {
	exit upperState
	// call is the first call or return that comes before anything else, 0 for none.
	call mir.InstrID
	// listed says that a predecessor leaves them dirty.
	listed bool
}

// zeroer is the state of the pass.
type zeroer struct {
	c      target.PassContext
	f      *mir.Function
	blocks map[mir.BlockID]*upperBlock
	dirty  []mir.BlockID // begin dirty
}

func runVZeroUpper(c target.PassContext, f *mir.Function) error {
	st := c.SubtargetOf()
	if !st.HasFeature("avx") || !st.HasFeature("vzeroupper") {
		return nil
	}
	z := zeroer{c: c, f: f}
	liveIn := false
	for _, p := range f.LiveIns {
		liveIn = liveIn || isUpper(p.Phys)
	}
	if !liveIn && !z.anyUpper() {
		return nil
	}
	z.blocks = map[mir.BlockID]*upperBlock{}
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		z.blocks[b] = &upperBlock{}
	}
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		z.block(b)
	}
	if liveIn {
		z.begin(f.FirstBlock())
	}
	for len(z.dirty) > 0 {
		b := z.dirty[len(z.dirty)-1]
		z.dirty = z.dirty[:len(z.dirty)-1]
		s := z.blocks[b]
		if s.call != 0 {
			z.insert(s.call)
		}
		if s.exit == upperPassed {
			for _, e := range f.Succs(b) {
				z.begin(e.Block)
			}
		}
	}
	return nil
}

// isUpper reports a register of 256 or 512 bits that SSE code has the low part of.
func isUpper(r mir.Reg) bool {
	p := desc.PhysReg(r)
	return r.IsPhysical() && (p >= tab.YMM0 && p <= tab.YMM15 || p >= tab.ZMM0 && p <= tab.ZMM15)
}

// anyUpper reports whether the function names one.
func (z *zeroer) anyUpper() bool {
	for b := z.f.FirstBlock(); b != 0; b = z.f.NextBlock(b) {
		for i := z.f.Block(b).First(); i != 0; i = z.f.Instr(i).Next() {
			if !z.f.IsDebugInstr(i) && z.usesUpper(i) {
				return true
			}
		}
	}
	return false
}

// usesUpper reports an instruction that names one, and a call that keeps some.
func (z *zeroer) usesUpper(i mir.InstrID) bool {
	f := z.f
	for _, o := range f.Ops(i) {
		switch {
		case o.IsReg():
			if isUpper(o.Reg()) && !o.IsDebug() {
				return true
			}
		case o.Kind() == mir.OpRegMask && f.Desc(i).IsCall():
			mask := f.RegMasks[o.Index()]
			for r := tab.YMM0; r <= tab.YMM15; r++ {
				if mask[r/32]>>(r%32)&1 != 0 {
					return true
				}
			}
		}
	}
	return false
}

// begin says that block b begins with dirty halves.
func (z *zeroer) begin(b mir.BlockID) {
	if s := z.blocks[b]; !s.listed {
		s.listed = true
		z.dirty = append(z.dirty, b)
	}
}

// block finds out what block b does, and inserts what does not depend on others.
func (z *zeroer) block(b mir.BlockID) {
	f, s := z.f, z.blocks[b]
	for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
		if f.IsDebugInstr(i) {
			continue
		}
		d := f.Desc(i)
		leaves := d.IsCall() || d.IsReturn()
		switch op := f.Instr(i).Opcode; {
		case op == tab.VZEROALL || op == tab.VZEROUPPER:
			s.exit = upperClean
		case !leaves && s.exit == upperDirty:
		case z.usesUpper(i):
			s.exit = upperDirty
		case !leaves, d.IsCall() && !d.IsReturn() && !hasMask(f, i):
			// Helpers without a mask take no vectors.
		case s.exit == upperDirty:
			z.insert(i)
			s.exit = upperClean
		case s.exit == upperPassed:
			s.call, s.exit = i, upperClean
		}
	}
	if s.exit == upperDirty {
		for _, e := range f.Succs(b) {
			z.begin(e.Block)
		}
	}
}

func hasMask(f *mir.Function, i mir.InstrID) bool {
	for _, o := range f.Ops(i) {
		if o.Kind() == mir.OpRegMask {
			return true
		}
	}
	return false
}

// insert puts VZEROUPPER before i.
func (z *zeroer) insert(i mir.InstrID) {
	b := mir.Builder{F: z.f, Loc: z.f.Instr(i).Loc}
	b.SetBefore(i)
	b.BuildInstr(tab.VZEROUPPER)
	z.c.Count("x86-vzeroupper", "Number of vzeroupper instructions inserted", 1)
}

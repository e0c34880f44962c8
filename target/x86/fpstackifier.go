package x86

import (
	"math/bits"
	"slices"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// fpStackifier is the pass that gives the pseudo registers FP0 to FP6, which the
// allocator handed out as if they were registers like others, places of the x87's
// stack. It keeps, instruction by instruction, which pseudo register is where; what
// an operation wants on top is exchanged there, what dies is popped by the operation
// itself where that has such a form.
//
// Edges that meet in a block, or part from one, belong together (a bundle): all
// blocks at their ends agree about what is on the stack, and in which order. Whoever
// is visited first decides; the others pop what is dead there, push zeros for what
// they do not have and exchange the rest. Which registers a bundle has is known
// before: those that are live into a block behind it.
var fpStackifier = target.Pass{
	Name:     "x86-fp-stackifier",
	Title:    "X86 FP Stackifier",
	Before:   "fixup-statepoint-caller-saved,stack-slot-coloring,postra-machine-sink,shrink-wrap,prologepilog",
	Requires: mir.NoVRegs,
	KeepsCFG: true,
	Run:      runFPStackifier,
}

// numFP is the number of pseudo registers; scratch is a name for a copy on the
// stack that no register has.
const (
	numFP   = 7
	scratch = numFP
)

// fpReg gives the number of a pseudo register.
func fpReg(r mir.Reg) (int, bool) {
	n := int(r) - int(tab.FP0)
	return n, n >= 0 && n < numFP
}

// fpBundle is what the edges of a bundle have on the stack, the bottom first.
type fpBundle struct {
	live  uint8
	fixed bool
	order []uint8
}

// fpStack is the state of the pass.
type fpStack struct {
	st *target.Subtarget
	f  *mir.Function
	b  mir.Builder

	stack  []uint8 // pseudo registers by place, the bottom first
	parent []int32 // union-find over the ends of blocks: 2b the entry, 2b+1 the exit
	bundle []fpBundle
	liveIn []uint8       // by block
	instrs []mir.InstrID // of the block, the last first
	after  []uint8       // what is live behind each
	err    error
}

func runFPStackifier(c target.PassContext, f *mir.Function) error {
	used := false
	for b := f.FirstBlock(); b != 0 && !used; b = f.NextBlock(b) {
		for i := f.Block(b).First(); i != 0 && !used; i = f.Instr(i).Next() {
			for _, o := range f.Ops(i) {
				if o.IsReg() {
					if _, ok := fpReg(o.Reg()); ok {
						used = true
						break
					}
				}
			}
		}
	}
	if !used {
		return nil
	}
	s := &fpStack{st: c.SubtargetOf(), f: f, b: mir.Builder{F: f}}
	s.findLive()
	s.findBundles()
	seen := make([]bool, len(s.liveIn))
	for _, n := range c.CFG().RPO() {
		seen[n] = true
		s.block(mir.BlockID(n))
	}
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		if !seen[b] {
			s.block(b)
		}
		for n := range numFP {
			f.RemoveLiveIn(b, reg(tab.FP0+desc.PhysReg(n)))
		}
	}
	f.LiveIns = slices.DeleteFunc(f.LiveIns, func(p mir.LiveInPair) bool { _, ok := fpReg(p.Phys); return ok })
	return s.err
}

// effects are the pseudo registers that an instruction reads and writes.
func (s *fpStack) effects(i mir.InstrID) (uses, defs uint8) {
	for _, o := range s.f.Ops(i) {
		switch {
		case o.Kind() == mir.OpRegMask:
			mask := s.f.RegMasks[o.Index()]
			for n := range numFP {
				if r := int(tab.FP0) + n; mask[r/32]>>(r%32)&1 == 0 {
					defs |= 1 << n
				}
			}
		case o.IsReg():
			if n, ok := fpReg(o.Reg()); ok && o.IsDef() {
				defs |= 1 << n
			} else if ok && !o.IsUndef() && !o.IsDebug() {
				uses |= 1 << n
			}
		}
	}
	return uses, defs
}

// findLive finds what is live into each block.
func (s *fpStack) findLive() {
	f := s.f
	s.liveIn = make([]uint8, f.NumBlockIDs())
	type flow struct{ gen, kill uint8 }
	flows := make([]flow, f.NumBlockIDs())
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		w := &flows[b]
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			uses, defs := s.effects(i)
			w.gen |= uses &^ w.kill
			w.kill |= defs
		}
	}
	for changed := true; changed; {
		changed = false
		for b := f.LastBlock(); b != 0; b = f.PrevBlock(b) {
			in := flows[b].gen | s.liveOut(b)&^flows[b].kill
			if in != s.liveIn[b] {
				s.liveIn[b], changed = in, true
			}
		}
	}
}

// liveOut is what is live at the end of a block. Nothing is at the beginning of a
// landing pad: the unwinder comes by a call.
func (s *fpStack) liveOut(b mir.BlockID) (out uint8) {
	for _, e := range s.f.Succs(b) {
		out |= s.liveIn[e.Block]
	}
	return out
}

func (s *fpStack) find(n int32) int32 {
	for s.parent[n] != n {
		s.parent[n] = s.parent[s.parent[n]]
		n = s.parent[n]
	}
	return n
}

func (s *fpStack) findBundles() {
	f := s.f
	s.parent = make([]int32, 2*f.NumBlockIDs())
	for n := range s.parent {
		s.parent[n] = int32(n)
	}
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		for _, e := range f.Succs(b) {
			if f.Block(e.Block).Flags&mir.EHPad == 0 {
				s.parent[s.find(int32(2*b+1))] = s.find(int32(2 * e.Block))
			}
		}
	}
	s.bundle = make([]fpBundle, len(s.parent))
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		s.at(2 * int(b)).live |= s.liveIn[b]
	}
}

// at is the bundle of an end of a block.
func (s *fpStack) at(end int) *fpBundle { return &s.bundle[s.find(int32(end))] }

// block does one block.
func (s *fpStack) block(b mir.BlockID) {
	f := s.f
	in := s.at(2 * int(b))
	if !in.fixed {
		in.fixed = true
		for m := in.live; m != 0; m &= m - 1 {
			in.order = append(in.order, uint8(bits.TrailingZeros8(m)))
		}
	}
	s.stack = append(s.stack[:0], in.order...)
	s.instrs, s.after = s.instrs[:0], s.after[:0]
	live := s.liveOut(b)
	for i := f.Block(b).Last(); i != 0; i = f.Instr(i).Prev() {
		s.instrs, s.after = append(s.instrs, i), append(s.after, live)
		uses, defs := s.effects(i)
		live = live&^defs | uses
	}
	s.b.Block, s.b.At, s.b.Loc = b, s.firstReal(b), 0
	s.dropDead(s.liveIn[b])
	term := f.FirstTerminator(b)
	for k := len(s.instrs) - 1; k >= 0; k-- {
		if s.instrs[k] == term {
			s.leave(b, term)
		}
		s.instr(s.instrs[k], s.after[k])
	}
	if term == 0 {
		s.leave(b, 0)
	}
}

// firstReal is where a block's own code begins.
func (s *fpStack) firstReal(b mir.BlockID) mir.InstrID {
	f := s.f
	i := f.Block(b).First()
	for i != 0 && (f.Instr(i).Opcode == desc.EH_LABEL || f.IsPHI(i)) {
		i = f.Instr(i).Next()
	}
	return i
}

package frame

import (
	"github.com/mirin-go/mirin/analysis"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// ShrinkWrap finds the blocks to enter and leave the frame in, where these are
// others than the entry block and those that return: functions often return
// early without ever using a callee-saved register or the stack. The block of
// the prologue dominates all that need the frame, that of the epilogue
// post-dominates it, neither is in a loop, and neither runs more often than the
// function. prologepilog puts the code there.
var ShrinkWrap = pass.Pass{
	Name:     "shrink-wrap",
	Title:    "Shrink Wrapping analysis",
	Requires: mir.NoVRegs,
	Optional: pass.Skippable,
	Run:      runShrinkWrap,
}

// wrapper is the state of one run; slices are by BlockID.
type wrapper struct {
	c     *pass.Context
	st    *target.Subtarget
	f     *mir.Function
	dom   *analysis.Dominators
	pdom  *analysis.Dominators
	loops *analysis.Loops
	freq  *pass.BlockFreqs
	csr   []bool // by register: it shares a part with a callee-saved one
	saved []desc.PhysReg
	// save and restore are the blocks found so far, 0 for none.
	save, restore mir.BlockID
	// stack says that an address of the stack may be known at the end of a block.
	stack []bool
}

func runShrinkWrap(c *pass.Context, f *mir.Function) error {
	st := c.Subtarget
	if !st.FrameHooks().ShrinkWraps || st.Call == nil || f.NextBlock(f.FirstBlock()) == 0 || sanitized(f) || target.IsNaked(f) {
		return nil
	}
	w := &wrapper{c: c, st: st, f: f}
	w.loops = &pass.Get[pass.Loops](c, f).Loops
	if w.loops.Irreducible {
		return nil // blocks may be in cycles that nobody knows of
	}
	w.dom = &pass.Get[pass.Dominators](c, f).Dominators
	w.pdom = &pass.Get[pass.PostDominators](c, f).Dominators
	w.registers()
	found := w.find()
	if !w.split(found) && !found {
		return nil
	}
	if !w.interesting() {
		return nil
	}
	f.Frame.SavePoints = append(f.Frame.SavePoints[:0], mir.SavePoint{Block: w.save})
	f.Frame.RestorePoints = append(f.Frame.RestorePoints[:0], mir.SavePoint{Block: w.restore})
	c.Count("shrink-wrap", "Number of shrink-wrapping candidates", 1)
	return nil
}

// sanitized reports a function whose instrumentation wants the frame at once.
func sanitized(f *mir.Function) bool {
	for _, a := range [...]string{"sanitize_address", "sanitize_thread", "sanitize_memory", "sanitize_type", "sanitize_hwaddress"} {
		if _, ok := target.FnAttr(f, a); ok {
			return true
		}
	}
	return false
}

// registers finds the callee-saved registers: of the convention, with all that
// share a part with them, and those that the function saves.
func (w *wrapper) registers() {
	f := w.f
	w.csr = make([]bool, len(f.Facts.Regs))
	all := w.st.Call.SavedRegs(convention(f))
	if f.CalleeSavedSet {
		all = nil
		for _, r := range f.CalleeSaved {
			all = append(all, desc.PhysReg(r))
		}
	}
	for _, r := range all {
		w.csr[r] = true
		for _, a := range f.Facts.Aliases(r) {
			w.csr[a] = true
		}
	}
	p := &pei{c: w.c, st: w.st, h: w.st.FrameHooks(), f: f}
	p.blocks()
	for _, ci := range p.changed(nil) {
		w.saved = append(w.saved, desc.PhysReg(ci.Reg))
	}
}

func convention(f *mir.Function) uint16 {
	if f.IR == nil {
		return 0
	}
	return f.IR.Global().CC
}

// interesting reports that there are two blocks, and the first not the entry.
func (w *wrapper) interesting() bool {
	return w.save != 0 && w.restore != 0 && w.save != w.f.FirstBlock()
}

// find looks at the blocks in reverse postorder and moves the two blocks out to
// what needs the frame.
func (w *wrapper) find() bool {
	f := w.f
	w.stack = make([]bool, f.NumBlockIDs())
	for b := range w.stack {
		w.stack[b] = true
	}
	for _, n := range pass.Get[pass.CFG](w.c, f).RPO() {
		b := mir.BlockID(n)
		fl := f.Block(b).Flags
		if fl&mir.EHFuncletEntry != 0 {
			return false
		}
		if fl&(mir.EHPad|mir.InlineAsmBrTarget) != 0 {
			// Control may come from the middle of a block.
			if w.extend(b); !w.interesting() {
				return false
			}
			continue
		}
		stack := false
		for _, q := range f.Preds(b) {
			if w.stack[q] {
				stack = true
				break
			}
		}
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			if w.needsFrame(i, stack) {
				if w.extend(b); !w.interesting() {
					return false
				}
				stack = true
				break
			}
		}
		w.stack[b] = stack
	}
	if !w.interesting() {
		return false
	}
	w.freq = pass.Get[pass.BlockFreqs](w.c, f)
	entry := w.freq.Of(f.FirstBlock())
	for w.save != 0 && w.restore != 0 {
		cheap, can := entry >= w.freq.Of(w.save), false
		if cheap {
			can = w.canEnter(w.save)
			if entry >= w.freq.Of(w.restore) && can && w.canLeave(w.restore) {
				break
			}
		}
		var b mir.BlockID
		if !cheap || !can {
			if w.save = w.above(w.save, w.save); w.save == 0 {
				break
			}
			b = w.save
		} else {
			if w.restore = w.below(w.restore, w.restore); w.restore == 0 {
				break
			}
			b = w.restore
		}
		w.extend(b)
	}
	return w.interesting()
}

func (w *wrapper) canEnter(b mir.BlockID) bool {
	h := w.st.FrameHooks().CanEnter
	return h == nil || h(w.st, w.f, b)
}

func (w *wrapper) canLeave(b mir.BlockID) bool {
	h := w.st.FrameHooks().CanLeave
	return h == nil || h(w.st, w.f, b)
}

// common is the nearest block that dominates both, 0 when that is no block.
func common(d *analysis.Dominators, n int, a, b mir.BlockID) mir.BlockID {
	x := d.Common(int(a), int(b))
	if x >= n || x <= 0 {
		return 0
	}
	return mir.BlockID(x)
}

// above is the block that dominates b and the predecessors of of; 0 when that is b.
func (w *wrapper) above(b, of mir.BlockID) mir.BlockID {
	x := b
	for _, q := range w.f.Preds(of) {
		if w.dom.Level(int(q)) >= 0 {
			if x = common(w.dom, w.f.NumBlockIDs(), x, q); x == 0 {
				return 0
			}
		}
	}
	if x == b {
		return 0
	}
	return x
}

// below is the block that post-dominates b and the successors of of; 0 when that
// is b, or no block.
func (w *wrapper) below(b, of mir.BlockID) mir.BlockID {
	x := b
	for _, s := range w.f.Succs(of) {
		if x = common(w.pdom, w.f.NumBlockIDs(), x, s.Block); x == 0 {
			return 0
		}
	}
	if x == b {
		return 0
	}
	return x
}

func (w *wrapper) loop(b mir.BlockID) bool { return w.loops.Loop[b] >= 0 }

// extend moves the two blocks out so that what b does lies between them.
func (w *wrapper) extend(b mir.BlockID) {
	f, n := w.f, w.f.NumBlockIDs()
	if w.save == 0 {
		w.save = b
	} else {
		w.save = common(w.dom, n, w.save, b)
	}
	switch {
	case w.restore == 0:
		w.restore = b
	case w.pdom.Level(int(b)) >= 0:
		w.restore = common(w.pdom, n, w.restore, b)
	default:
		w.restore = 0
	}
	if w.restore == b {
		for i := f.FirstTerminator(b); i != 0; i = f.Instr(i).Next() {
			if !f.Desc(i).IsTerminator() || !w.needsFrame(i, true) {
				continue
			}
			if f.NumSuccs(b) == 0 {
				w.restore = 0
			} else {
				w.restore = w.below(b, b)
			}
			break
		}
	}
	for w.restore != 0 {
		over := w.dom.Dominates(int(w.save), int(w.restore))
		under := over && w.pdom.Dominates(int(w.restore), int(w.save))
		if over && under && !w.loop(w.save) && !w.loop(w.restore) {
			return
		}
		if !over {
			w.save = common(w.dom, n, w.save, w.restore)
			continue
		}
		if !under {
			w.restore = common(w.pdom, n, w.restore, w.save)
		}
		if w.restore == 0 || !w.loop(w.save) && !w.loop(w.restore) {
			continue
		}
		if w.loops.Depth(int(w.save)) > w.loops.Depth(int(w.restore)) {
			if w.save = w.above(w.save, w.save); w.save == 0 {
				return
			}
			continue
		}
		w.leaveLoop()
	}
}

// leaveLoop moves the restoring block behind all exits of its loop.
func (w *wrapper) leaveLoop() {
	x := w.restore
	last := mir.BlockID(0)
	w.loops.Exits(int(w.loops.Loop[w.restore]), func(_, from, _ int) {
		if q := mir.BlockID(from); x != 0 && q != last {
			last = q
			x = w.below(x, q)
		}
	})
	if x != 0 && w.loops.Depth(int(x)) < w.loops.Depth(int(w.restore)) {
		w.restore = x
	} else {
		w.restore = 0
	}
}

// needsFrame reports whether i must run between prologue and epilogue: it touches
// a callee-saved register, the stack pointer or a stack object, or calls; or it
// may access the stack, when an address of it is known.
func (w *wrapper) needsFrame(i mir.InstrID, stack bool) bool {
	f := w.f
	d := f.Desc(i)
	if stack && (d.MayLoad() || d.MayStore()) && (d.IsCall() || d.HasUnmodeledSideEffects() || f.NumMem(i) == 0 || !w.offStack(i)) {
		return true
	}
	if op := f.Instr(i).Opcode; op == w.st.Variant.FrameSetup || op == w.st.Variant.FrameDestroy {
		return true
	}
	sp := mir.Reg(w.st.Variant.StackPointer)
	for k := range f.Instr(i).NumOps() {
		switch o := f.Op(i, k); o.Kind() {
		case mir.OpReg:
			r := o.Reg()
			if !r.IsPhysical() || !o.IsDef() && !o.ReadsReg() || o.IsDebug() {
				continue
			}
			if w.csr[r] || r == sp && !d.IsCall() {
				return true
			}
		case mir.OpRegMask:
			m := f.RegMasks[o.Index()]
			for _, r := range w.saved {
				if m[r/32]>>(r%32)&1 == 0 {
					return true
				}
			}
		case mir.OpFrameIndex:
			if !f.IsDebugInstr(i) {
				return true
			}
		}
	}
	return false
}

// offStack reports that all that i accesses is known to be no object of this frame.
func (w *wrapper) offStack(i mir.InstrID) bool {
	f := w.f
	for k := range f.NumMem(i) {
		switch m := f.MemOf(i, k); m.PtrKind {
		case mir.PtrJumpTable, mir.PtrConstantPool:
		case mir.PtrValue:
			if m.Ptr == 0 || f.IR == nil || !w.underlies(ir.Value(m.Ptr)) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// underlies reports that a pointer is based on a global or an argument that is
// no copy on the stack.
func (w *wrapper) underlies(v ir.Value) bool {
	const maxSteps = 6
	fn := w.f.IR
	for range maxSteps {
		switch v.Tag() {
		case ir.TagGlobal:
			return true
		case ir.TagConst:
			c := w.f.IRConsts().At(v.Const())
			ops := w.f.IRConsts().Ops(v.Const())
			if c.Kind != ir.ConstExpr || len(ops) == 0 {
				return false
			}
			v = ops[0]
		case ir.TagLocal:
			switch in := fn.Instr(v.Instr()); in.Op {
			case ir.OpArgument:
				p := w.f.Module.Attrs.At(fn.Global().Attrs).Param(int(v.Instr()) - 1)
				return !p.Has("byval") && !p.Has("inalloca") && !p.Has("preallocated")
			case ir.OpGEP, ir.OpBitCast, ir.OpAddrSpaceCast:
				v = fn.Op(v.Instr(), 0)
			default:
				return false
			}
		default:
			return false
		}
	}
	return false
}

// split makes a block of its own before the one that leaves the frame, for the
// ways there that use the frame: those that do not go round both then, and the
// prologue can move to where the ways part. found says that find has found blocks.
func (w *wrapper) split(found bool) bool {
	f := w.f
	save, restore := w.save, w.restore
	if !found {
		save, restore = f.FirstBlock(), 0
		for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
			if f.Block(b).Flags&mir.EHFuncletEntry != 0 {
				return false
			}
			if last := f.Block(b).Last(); last != 0 && f.Desc(last).IsReturn() {
				if restore != 0 {
					return false
				}
				restore = b
			}
		}
	}
	if save == 0 || restore == 0 || save == restore || !w.dom.Dominates(int(save), int(restore)) || !w.pdom.Dominates(int(restore), int(save)) {
		return false
	}
	// The block that leaves runs behind the epilogue then.
	for i := f.Block(restore).First(); i != 0; i = f.Instr(i).Next() {
		if w.needsFrame(i, true) {
			return false
		}
	}
	dirty, ok := w.dirty()
	if !ok {
		return false
	}
	var used, clean []mir.BlockID
	for _, q := range f.Preds(restore) {
		if _, ok := w.st.AnalyzeBranch(f, q); !ok {
			return false
		}
		if dirty[q] {
			used = append(used, q)
		} else {
			clean = append(clean, q)
		}
	}
	if len(used) == 0 || len(clean) == 0 {
		return false
	}
	n := f.NumBlockIDs()
	to := used[0]
	for _, q := range used {
		if to = common(w.dom, n, to, q); to == 0 {
			return false
		}
	}
	w.freq = pass.Get[pass.BlockFreqs](w.c, f)
	entry := w.freq.Of(f.FirstBlock())
	dirtyPred := func(b mir.BlockID) bool {
		for _, q := range f.Preds(b) {
			if dirty[q] {
				return true
			}
		}
		return false
	}
	for to != 0 && (dirtyPred(to) || entry < w.freq.Of(to) || w.loop(to)) {
		from := to
		if f.NumPreds(from) == 0 {
			return false
		}
		to = f.Preds(from)[0]
		for _, q := range f.Preds(from) {
			if w.dom.Level(int(q)) < 0 {
				return false
			}
			to = common(w.dom, n, to, q)
			if to == 0 {
				return false
			}
		}
	}
	if to == 0 || to == save || w.reachedBackwards(to, clean) || !w.canEnter(to) {
		return false
	}
	w.save, w.restore = to, w.insertRestore(restore, used)
	return true
}

// dirty says for each block whether the frame may have been used on a way to its
// end; false when the function cannot be split.
func (w *wrapper) dirty() ([]bool, bool) {
	f := w.f
	dirty := make([]bool, f.NumBlockIDs())
	var work []mir.BlockID
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		if f.Block(b).Flags&mir.InlineAsmBrTarget != 0 {
			return nil, false
		}
		is := f.Block(b).Flags&mir.EHPad != 0 || w.dom.Level(int(b)) < 0
		for i := f.Block(b).First(); !is && i != 0; i = f.Instr(i).Next() {
			is = w.needsFrame(i, true)
		}
		if is {
			dirty[b] = true
			work = append(work, b)
		}
	}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for _, s := range f.Succs(b) {
			if !dirty[s.Block] {
				dirty[s.Block] = true
				work = append(work, s.Block)
			}
		}
	}
	return dirty, true
}

// reachedBackwards reports whether a way leads from b to one of the blocks.
func (w *wrapper) reachedBackwards(b mir.BlockID, work []mir.BlockID) bool {
	seen := make([]bool, w.f.NumBlockIDs())
	work = append([]mir.BlockID(nil), work...)
	for len(work) > 0 {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		if x == b {
			return true
		}
		if !seen[x] {
			seen[x] = true
			work = append(work, w.f.Preds(x)...)
		}
	}
	return false
}

// insertRestore puts a block at the end of the function, through which the blocks
// of used go to restore.
func (w *wrapper) insertRestore(restore mir.BlockID, used []mir.BlockID) mir.BlockID {
	f, st := w.f, w.st
	var falls []mir.BlockID
	for _, q := range used {
		if br, ok := st.AnalyzeBranch(f, q); ok && f.NextBlock(q) == restore && (br.True == 0 || br.Cond != nil && br.False == 0 && br.True != restore) {
			falls = append(falls, q)
		}
	}
	b := f.AddBlock()
	for k := range f.LiveInsOf(restore) {
		l := f.LiveInsOf(restore)[k]
		f.AddLiveIn(b, l.Reg, mir.AllLanes)
	}
	st.InsertBranch(f, b, target.Branch{True: restore}, 0)
	for _, q := range used {
		target.ReplaceUsesOfBlock(f, q, restore, b)
		for _, x := range falls {
			if x == q {
				st.InsertBranch(f, q, target.Branch{True: b}, st.BranchLoc(f, q))
			}
		}
	}
	f.AddSuccProb(b, restore, mir.ProbOne)
	return b
}

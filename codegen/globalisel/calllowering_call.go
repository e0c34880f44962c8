package globalisel

import (
	"slices"

	"github.com/mirin-go/mirin/codegen/callconv"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// regMove is a copy to a physical register; all of them stand right before the
// instruction that reads these.
type regMove struct{ dst, src mir.Reg }

// call emits a call. What it is called with is that of all calls of sig, nil for none.
func (l *callLowering) call(st *target.Subtarget, b Builder, c *target.CallInfo, sig *signature) error {
	if err := l.start(st, b); err != nil {
		return err
	}
	if sig == nil || !sig.hasArgs {
		if err := l.check(c.CC, c.VarArg, false, c.Args); err != nil {
			return err
		}
	}
	p, err := l.placeArgs(c.CC, c.VarArg, c.NumFixed, c.Args, sig)
	if err != nil {
		return err
	}
	if c.MustTail || (c.Sibling || c.Tail && c.AtEnd && l.tailCalls(c.CC)) && l.noJump(c, &p) == "" {
		return l.jump(c, &p)
	}
	// Arguments that are aligned to more than the stack is have the function align it.
	align := max(int64(1)<<st.StackAlign(), p.MaxAlign)
	l.F.Frame.MaxAlign = max(l.F.Frame.MaxAlign, log2(uint64(max(p.MaxAlign, 1))))
	popped := l.popped(c.CC, c.VarArg, &p)
	size := mir.ImmOp((max(p.Stack, popped) + align - 1) &^ (align - 1))
	l.buildZeros(st.Variant.FrameSetup, size)
	uses, err := l.arguments(c, &p, false, 0)
	if err != nil {
		return err
	}
	call := l.buildCall(c)
	for _, r := range uses {
		l.F.AddOp(call, mir.RegOp(r, mir.Implicit))
	}
	if err := l.result(c, call, sig); err != nil {
		return err
	}
	l.buildZeros(st.Variant.FrameDestroy, size, mir.ImmOp(popped))
	return nil
}

// arguments stores the words on the stack, then fills the registers, and returns these.
// Those of a jump stand where the function's own did, moved by pop.
func (l *callLowering) arguments(c *target.CallInfo, p *placed, jump bool, pop int64) ([]mir.Reg, error) {
	ptr := l.pointer()
	var sp mir.Reg
	flags := mir.MemFlags(0)
	if jump {
		flags = mir.MemVolatile // behind what reads the arguments that were there
	}
	slot := func(off int64) mir.Reg {
		if jump {
			n := l.F.Frame.CreateFixedObject(int64(ptr.Bytes()), off+pop, l.alignAt(off+pop), 0)
			addr := l.New(ptr)
			l.Build(desc.G_FRAME_INDEX, Def(addr), mir.FrameOp(n))
			return addr
		}
		if sp == 0 {
			sp = l.New(ptr)
			l.Copy(sp, mir.Reg(l.st.Variant.StackPointer))
		}
		return l.PtrAdd(sp, l.Const(mir.Scalar(ptr.ScalarBits()), off))
	}
	moves := l.moves[:0]
	err := p.eachPart(func(arg *callconv.Arg, ws []word) error {
		if ws[0].byVal > 0 && !ws[0].indirect {
			return l.copyByVal(slot(ws[0].Off), arg.Regs[0], ws[0].Off, ws[0].byVal)
		}
		if ws[0].indirect {
			addr, err := l.inMemory(arg, &ws[0])
			if err != nil {
				return err
			}
			if w := &ws[0]; w.Reg != 0 {
				moves = append(moves, regMove{mir.Reg(w.Reg), addr})
			} else {
				l.Store(addr, slot(w.Off), mir.MemOperand{Type: ptr, Size: int64(ptr.Bytes()), Offset: w.Off, PtrKind: mir.PtrStack, BaseAlign: l.alignAt(0), Flags: flags})
			}
			return nil
		}
		for k, r := range l.outgoing(arg, ws) {
			w := &ws[k]
			if w.Reg != 0 {
				moves = append(moves, regMove{mir.Reg(w.Reg), r})
				continue
			}
			t := l.Type(r)
			l.Store(r, slot(w.Off), mir.MemOperand{Type: t, Size: int64(t.Bytes()), Offset: w.Off, PtrKind: mir.PtrStack, BaseAlign: l.alignAt(0), Flags: flags})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	l.moves, l.uses = moves, l.uses[:0]
	for _, m := range moves {
		l.Copy(m.dst, m.src)
		l.uses = append(l.uses, m.dst)
	}
	if h := l.cc.BeforeCall; h != nil {
		l.uses = append(l.uses, h(l.st, l.Builder.Builder, c, p.State)...)
	}
	return l.uses, nil
}

// inMemory puts an argument that is passed by its address into a stack object, which
// is the callee's to change, and returns that address.
func (l *callLowering) inMemory(arg *callconv.Arg, w *word) (mir.Reg, error) {
	size, align := w.byVal, log2(uint64(max(w.ByValAlign, 1)))
	t := l.Type(arg.Regs[w.Part])
	if size == 0 {
		// Of short vectors as many bytes as the register has: the callee may load them all.
		size = int64(max(t.Bytes(), w.VT.Bits()/8))
		align = log2(uint64(nextPow2(int(size))))
	}
	n := l.F.Frame.CreateStackObject(size, align, 0)
	addr := l.New(l.pointer())
	l.Build(desc.G_FRAME_INDEX, Def(addr), mir.FrameOp(n))
	m := mir.MemOperand{Type: t, Size: int64(t.Bytes()), Ptr: uint32(int32(n)), PtrKind: mir.PtrFixedStack, BaseAlign: align}
	if w.byVal == 0 {
		l.Store(arg.Regs[w.Part], addr, m)
		return addr, nil
	}
	m.Type, m.Size = mir.Scalar(8), 1
	return addr, l.copyBytes(addr, arg.Regs[w.Part], w.byVal, m)
}

// maxByVal is the greatest size of a by-value argument that is copied in place.
const maxByVal = 128

// copyByVal copies size bytes to dst, which is off bytes up the stack. A call in
// the middle of a call sequence is not possible.
func (l *callLowering) copyByVal(dst, src mir.Reg, off, size int64) error {
	return l.copyBytes(dst, src, size, mir.MemOperand{Type: mir.Scalar(8), Size: 1, PtrKind: mir.PtrStack, Offset: off, BaseAlign: l.alignAt(0)})
}

// copyBytes copies size bytes to dst, whose first byte to describes.
func (l *callLowering) copyBytes(dst, src mir.Reg, size int64, to mir.MemOperand) error {
	done := int64(0)
	if size > maxByVal {
		if l.cc.CopyLong == nil {
			return l.fail("passing more than 128 bytes by value")
		}
		if done = l.cc.CopyLong(l.Builder.Builder, dst, src, size); done == size {
			return nil
		}
	}
	n := l.Const(mir.Scalar(l.pointer().ScalarBits()), size-done)
	i := l.Build(desc.G_MEMCPY_INLINE, Use(l.PtrAddConst(dst, done)), Use(l.PtrAddConst(src, done)), Use(n))
	to.Flags, to.Offset = mir.MemStore, to.Offset+done
	from := mir.MemOperand{Type: mir.Scalar(8), Size: 1, Flags: mir.MemLoad}
	l.F.SetMem(i, l.F.AddMem(to), l.F.AddMem(from))
	return nil
}

// buildCall makes the call instruction with callee and mask.
func (l *callLowering) buildCall(c *target.CallInfo) mir.InstrID {
	mask := l.F.RegMask(l.cc.PreservedMask(c.CC))
	if h := l.cc.BuildCall; h != nil {
		return h(l.st, l.Builder.Builder, c, mask)
	}
	if callee, ok := c.Callee(l.F, 0); ok {
		return l.BuildInstr(l.cc.Call, callee, mask)
	}
	// The operand of a target instruction has a class from the start.
	r := l.F.AddVReg(int16(l.cc.CallClass))
	l.Copy(r, c.Reg)
	return l.BuildInstr(l.cc.CallReg, Use(r), mask)
}

// result copies the result out of its registers.
func (l *callLowering) result(c *target.CallInfo, call mir.InstrID, sig *signature) error {
	f := l.F
	p, err := l.placeResult(c.CC, &c.Ret, sig)
	if err != nil {
		return err
	}
	for k := range p.words {
		f.AddOp(call, mir.RegOp(mir.Reg(p.words[k].Reg), mir.Def|mir.Implicit))
	}
	// All copies first: what builds values of them may use any register. The words
	// of a part lie one after the other, in got the low one first.
	l.got = slices.Grow(l.got[:0], len(p.words))[:len(p.words)]
	first, end := 0, 0
	for k := range p.words {
		w := &p.words[k]
		if k == end {
			first, end = k, k+w.Words
		}
		d := c.Ret.Regs[w.Part]
		switch class := l.carrier(w); {
		case class != desc.NoClass:
			d = f.AddVReg(int16(class))
		case w.Words > 1 || w.llt != f.TypeOf(d):
			d = l.New(w.llt)
		}
		l.Copy(d, mir.Reg(w.Reg))
		l.got[first+w.Word] = d
	}
	first = 0
	return p.eachPart(func(_ *callconv.Arg, ws []word) error {
		d, words := c.Ret.Regs[ws[0].Part], l.got[first:first+len(ws)]
		first += len(ws)
		switch {
		case words[0] == d:
		case l.carrier(&ws[0]) != desc.NoClass && len(ws) == 1 && ws[0].llt == f.TypeOf(d):
			l.cc.FromCarrier(l.Builder.Builder, d, words[0])
		default:
			for k := range ws {
				if l.carrier(&ws[k]) != desc.NoClass {
					x := l.New(ws[k].llt)
					l.cc.FromCarrier(l.Builder.Builder, x, words[k])
					words[k] = x
				}
			}
			l.joinWords(d, words)
		}
		return nil
	})
}

// noJump says why a call in tail position stays a call, "" when it may be a
// jump: what of it is on the stack fits where the function's own arguments are, both functions preserve the same
// registers, no argument comes in one of those, and the caller need not return an
// address of its own.
func (l *callLowering) noJump(c *target.CallInfo, p *placed) string {
	switch cc := l.F.IR.Global().CC; {
	case l.cc.BuildJump == nil:
		return "musttail"
	case c.MustTail && (c.VarArg || l.F.Module.Types.IsVarArg(l.F.IR.Global().ValueType)):
		return "musttail with variable arguments"
	case p.Stack > l.inStack && l.popped(c.CC, c.VarArg, p) > l.inPopped || p.Stack > l.inStack && l.inPopped == 0:
		return "musttail with more arguments on the stack than its caller has"
	case p.Stack > 0 && (!l.reused || slices.ContainsFunc(p.words, func(w word) bool { return w.byVal > 0 })):
		return "musttail with an argument by value on the stack"
	case l.popped(c.CC, c.VarArg, p) > l.inPopped:
		return "musttail to a function that takes more off the stack"
	case !c.MustTail && (c.CC != cc || c.StructReturn):
		return "a jump to a function that leaves other registers"
	case slices.ContainsFunc(p.words, func(w word) bool { return w.indirect }):
		return "musttail with an argument that is passed by its address"
	case l.inSaved(p, cc):
		return "musttail with an argument in a register that the caller preserves"
	}
	return l.cc.CannotJump(l.st, l.F, c)
}

// inSaved reports whether an argument comes in a register that functions of a convention preserve.
func (l *callLowering) inSaved(p *placed, cc uint16) bool {
	saved := l.cc.SavedRegs(cc)
	for k := range p.words {
		for _, r := range saved {
			if p.words[k].Reg != 0 && l.F.Facts.Overlap(r, p.words[k].Reg) {
				return true
			}
		}
	}
	return false
}

// jump makes a call a jump: a musttail call, or a sibling call.
func (l *callLowering) jump(c *target.CallInfo, p *placed) error {
	if why := l.noJump(c, p); why != "" {
		return l.fail(why)
	}
	pop := l.inPopped - l.popped(c.CC, c.VarArg, p)
	if pop != 0 {
		l.cc.MoveReturn(l.st, l.Builder.Builder, pop)
	}
	uses, err := l.arguments(c, p, true, pop)
	if err != nil {
		return err
	}
	i := l.cc.BuildJump(l.st, l.Builder.Builder, c, l.F.RegMask(l.cc.PreservedMask(c.CC)), pop)
	for _, r := range uses {
		l.F.AddOp(i, mir.RegOp(r, mir.Implicit))
	}
	l.F.Frame.HasTailCall = true
	c.Tailed = true
	return nil
}

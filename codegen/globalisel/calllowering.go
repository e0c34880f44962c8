package globalisel

import (
	"github.com/mirin-go/mirin/codegen/callconv"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// CallLowering lowers arguments, returns and calls of a target whose calling
// convention is all in its table: words in registers or on the stack above the
// stack pointer. Its methods are what target.ISelHooks wants. A target whose
// convention needs more (variable arguments in a save area, tail calls, values
// passed by address) has hooks of its own; what is not here is refused by name.
type CallLowering struct {
	Conv     *callconv.Interp
	RegTypes *callconv.RegTypes
	// Args and Result are the numbers of the conventions in Conv.Table.
	Args, Result int
	SP           desc.PhysReg
	// Align is the alignment of the stack at calls, in bytes.
	Align int64
	// FrameSetup and FrameDestroy enclose a call; operands: size, 0.
	FrameSetup, FrameDestroy desc.Opcode
	// Call calls a symbol, CallReg an address in a register of class CallClass.
	Call, CallReg desc.Opcode
	CallClass     desc.ClassID
	Return        desc.Opcode
	// Mask gives the registers that survive a call.
	Mask []uint32
}

// check refuses what the lowering does not do.
func (l *CallLowering) check(st *target.Subtarget, f *mir.Function, cc uint16, varArg bool, args []target.CallArg) error {
	switch {
	case cc != 0 && cc != 8 && cc != 9: // C, fast, cold
		return st.NotSupported(f, "this calling convention")
	case varArg:
		return st.NotSupported(f, "a variable argument list")
	}
	for n := range args {
		for _, k := range [...]string{"inalloca", "preallocated", "swiftasync", "swifterror", "nest"} {
			if args[n].Attrs.Has(k) {
				return st.NotSupported(f, "parameter attribute "+k)
			}
		}
	}
	return nil
}

// place gives every word its place.
func (l *CallLowering) place(st *target.Subtarget, types *ir.Types, conv int, cc uint16, args []target.CallArg) (*callconv.State, string) {
	s := l.Conv.NewState(st, cc, false)
	src := callconv.Source{Types: types, Layout: st.Layout, Regs: l.RegTypes, NumFixed: len(args)}
	var vals []callconv.Value
	for n := range args {
		bad := -1
		if vals, bad = src.Append(vals[:0], n, &args[n]); bad >= 0 {
			return nil, "passing a value of this type"
		}
		for k := range vals {
			if !s.Place(conv, &vals[k]) {
				return nil, "passing a value of type " + vals[k].VT.String() + " here"
			}
		}
	}
	for k := range s.Locs {
		if s.Locs[k].Info == callconv.Indirect {
			return nil, "passing a value by its address"
		}
	}
	return s, ""
}

// CanLowerReturn is ISelHooks.CanLowerReturn.
func (l *CallLowering) CanLowerReturn(st *target.Subtarget, parts []target.Part, cc uint16) bool {
	_, why := l.place(st, nil, l.Result, cc, []target.CallArg{{Parts: parts}})
	return why == ""
}

// eachPart calls do for the words of each part.
func eachPart(locs []Loc, do func(ls []Loc) error) error {
	for k := 0; k < len(locs); k += locs[k].Words {
		if err := do(locs[k : k+locs[k].Words]); err != nil {
			return err
		}
	}
	return nil
}

// LowerFormalArguments is ISelHooks.LowerFormalArguments.
func (l *CallLowering) LowerFormalArguments(st *target.Subtarget, mb *mir.Builder, args []target.CallArg) error {
	f, b := mb.F, Wrap(mb)
	g := f.IR.Global()
	if err := l.check(st, f, g.CC, f.Module.Types.IsVarArg(g.ValueType), args); err != nil {
		return err
	}
	s, why := l.place(st, f.Module.Types, l.Args, g.CC, args)
	if why != "" {
		return st.NotSupported(f, why)
	}
	return eachPart(Locs(s, args), func(ls []Loc) error {
		arg, first := &args[ls[0].Arg], ls[0]
		d := arg.Regs[first.Part]
		if first.ByVal > 0 {
			n := f.Frame.CreateFixedObject(first.ByVal, first.Off, l.alignOf(first.Off), 0)
			b.Build(desc.G_FRAME_INDEX, Def(d), mir.FrameOp(n))
			return nil
		}
		if len(ls) == 1 && first.LLT == f.TypeOf(d) {
			l.wordIn(b, d, &first)
			return nil
		}
		var words []mir.Reg
		for k := range ls {
			w := b.New(ls[k].LLT)
			l.wordIn(b, w, &ls[k])
			words = append(words, w)
		}
		l.join(b, d, words, ExtensionOf(arg.Attrs))
		return nil
	})
}

// join makes a value of its words; ext says what the upper bits of a lone word are.
func (l *CallLowering) join(b Builder, d mir.Reg, words []mir.Reg, ext desc.Opcode) {
	if n := b.Type(d).ScalarBits(); len(words) == 1 && n < b.Type(words[0]).ScalarBits() && ext != desc.G_ANYEXT {
		op := desc.Opcode(desc.G_ASSERT_ZEXT)
		if ext == desc.G_SEXT {
			op = desc.G_ASSERT_SEXT
		}
		w := b.New(b.Type(words[0]))
		b.Build(op, Def(w), Use(words[0]), mir.ImmOp(int64(n)))
		words[0] = w
	}
	b.JoinWords(d, words)
}

// alignOf is log2 of the alignment of a stack offset.
func (l *CallLowering) alignOf(off int64) uint8 {
	n := uint8(0)
	for a := int64(1); a < l.Align && off&a == 0; a *= 2 {
		n++
	}
	return n
}

// wordIn copies or loads one word of an argument.
func (l *CallLowering) wordIn(b Builder, d mir.Reg, w *Loc) {
	if w.Reg != 0 {
		b.F.AddLiveIn(b.Block, mir.Reg(w.Reg), mir.AllLanes)
		b.F.LiveIns = append(b.F.LiveIns, mir.LiveInPair{Phys: mir.Reg(w.Reg)})
		b.Copy(d, mir.Reg(w.Reg))
		return
	}
	size := int64(w.LLT.Bytes())
	n := b.F.Frame.CreateFixedObject(size, w.Off, l.alignOf(w.Off), mir.FrameImmutable)
	p := b.New(l.ptr(b.F))
	b.Build(desc.G_FRAME_INDEX, Def(p), mir.FrameOp(n))
	b.LoadTo(d, p, mir.MemOperand{Type: w.LLT, Size: size, Ptr: uint32(int32(n)), PtrKind: mir.PtrFixedStack, BaseAlign: l.alignOf(w.Off), Flags: mir.MemInvariant})
}

func (l *CallLowering) ptr(f *mir.Function) mir.LLT {
	return mir.Pointer(0, int(l.Conv.Facts.Classes[l.CallClass].SizeInBits))
}

// LowerReturn is ISelHooks.LowerReturn.
func (l *CallLowering) LowerReturn(st *target.Subtarget, mb *mir.Builder, ret *target.CallArg) error {
	f, b := mb.F, Wrap(mb)
	s, why := l.place(st, f.Module.Types, l.Result, f.IR.Global().CC, []target.CallArg{*ret})
	if why != "" {
		return st.NotSupported(f, why)
	}
	moves := l.registers(b, Locs(s, []target.CallArg{*ret}), []target.CallArg{*ret})
	for _, m := range moves {
		b.Copy(m.dst, m.src)
	}
	i := b.BuildInstr(l.Return)
	for _, m := range moves {
		f.AddOp(i, mir.RegOp(m.dst, mir.Implicit))
	}
	return nil
}

// regMove is a copy to a physical register.
type regMove struct{ dst, src mir.Reg }

// registers lists the copies of words that go into registers.
func (l *CallLowering) registers(b Builder, locs []Loc, args []target.CallArg) (moves []regMove) {
	eachPart(locs, func(ls []Loc) error {
		if ls[0].Reg == 0 || ls[0].ByVal > 0 {
			return nil
		}
		for k, w := range l.words(b, &args[ls[0].Arg], ls) {
			moves = append(moves, regMove{mir.Reg(ls[k].Reg), w})
		}
		return nil
	})
	return moves
}

// words gives the words of one part as their places want them.
func (l *CallLowering) words(b Builder, arg *target.CallArg, ls []Loc) []mir.Reg {
	return b.SplitWords(nil, ExtensionOf(arg.Attrs), ls[0].LLT, len(ls), arg.Regs[ls[0].Part])
}

// LowerCall is ISelHooks.LowerCall.
func (l *CallLowering) LowerCall(st *target.Subtarget, mb *mir.Builder, c *target.CallInfo) error {
	f, b := mb.F, Wrap(mb)
	if err := l.check(st, f, c.CC, c.VarArg, c.Args); err != nil {
		return err
	}
	if c.MustTail {
		return st.NotSupported(f, "musttail")
	}
	s, why := l.place(st, f.Module.Types, l.Args, c.CC, c.Args)
	if why != "" {
		return st.NotSupported(f, why)
	}
	if s.MaxAlign > l.Align {
		return st.NotSupported(f, "a stack argument with this alignment")
	}
	size := (s.Stack + l.Align - 1) &^ (l.Align - 1)
	b.BuildInstr(l.FrameSetup, mir.ImmOp(size), mir.ImmOp(0))
	moves, err := l.arguments(st, b, c, Locs(s, c.Args))
	if err != nil {
		return err
	}
	call := l.call(b, c)
	for _, m := range moves {
		f.AddOp(call, mir.RegOp(m.dst, mir.Implicit))
	}
	r, why := l.place(st, f.Module.Types, l.Result, c.CC, []target.CallArg{c.Ret})
	if why != "" {
		return st.NotSupported(f, why)
	}
	l.result(b, c, call, Locs(r, []target.CallArg{c.Ret}))
	b.BuildInstr(l.FrameDestroy, mir.ImmOp(size), mir.ImmOp(0))
	return nil
}

// arguments stores the words on the stack, then fills the registers.
func (l *CallLowering) arguments(st *target.Subtarget, b Builder, c *target.CallInfo, locs []Loc) ([]regMove, error) {
	ptr := l.ptr(b.F)
	var sp mir.Reg
	slot := func(off int64) mir.Reg {
		if sp == 0 {
			sp = b.New(ptr)
			b.Copy(sp, mir.Reg(l.SP))
		}
		return b.PtrAdd(sp, b.Const(mir.Scalar(ptr.ScalarBits()), off))
	}
	var moves []regMove
	err := eachPart(locs, func(ls []Loc) error {
		arg := &c.Args[ls[0].Arg]
		if ls[0].ByVal > 0 {
			return l.copyByVal(st, b, slot(ls[0].Off), arg.Regs[0], ls[0].ByVal)
		}
		for k, w := range l.words(b, arg, ls) {
			if ls[k].Reg != 0 {
				moves = append(moves, regMove{mir.Reg(ls[k].Reg), w})
				continue
			}
			t := b.Type(w)
			b.Store(w, slot(ls[k].Off), mir.MemOperand{Type: t, Size: int64(t.Bytes()), Offset: ls[k].Off, PtrKind: mir.PtrStack, BaseAlign: l.alignOf(0)})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, m := range moves {
		b.Copy(m.dst, m.src)
	}
	return moves, nil
}

// maxByVal is the greatest size of a by-value argument that is copied word by word.
const maxByVal = 128

func (l *CallLowering) copyByVal(st *target.Subtarget, b Builder, dst, src mir.Reg, size int64) error {
	if size > maxByVal {
		return st.NotSupported(b.F, "passing more than 128 bytes by value")
	}
	word := int64(l.ptr(b.F).Bytes())
	for off := int64(0); off < size; {
		n := word
		for off+n > size {
			n /= 2
		}
		t := mir.Scalar(int(n * 8))
		v := b.Load(t, b.PtrAddConst(src, off), mir.MemOperand{Type: t, Size: n, Offset: off})
		b.Store(v, b.PtrAddConst(dst, off), mir.MemOperand{Type: t, Size: n, PtrKind: mir.PtrStack})
		off += n
	}
	return nil
}

// call makes the call instruction.
func (l *CallLowering) call(b Builder, c *target.CallInfo) mir.InstrID {
	mask := b.F.RegMask(l.Mask)
	switch {
	case c.Global != 0:
		return b.BuildInstr(l.Call, mir.IndexOp(mir.OpGlobal, uint32(c.Global), 0, 0), mask)
	case c.Symbol != "":
		return b.BuildInstr(l.Call, mir.IndexOp(mir.OpExtSym, b.F.Symbol(c.Symbol), 0, 0), mask)
	}
	r := b.F.AddVReg(int16(l.CallClass))
	b.Copy(r, c.Reg)
	return b.BuildInstr(l.CallReg, Use(r), mask)
}

// result copies the result out of its registers.
func (l *CallLowering) result(b Builder, c *target.CallInfo, call mir.InstrID, locs []Loc) {
	f := b.F
	for _, w := range locs {
		f.AddOp(call, mir.RegOp(mir.Reg(w.Reg), mir.Def|mir.Implicit))
	}
	words := make([]mir.Reg, len(locs))
	for k, w := range locs {
		if d := c.Ret.Regs[w.Part]; w.Words == 1 && w.LLT == f.TypeOf(d) {
			words[k] = d
		} else {
			words[k] = b.New(w.LLT)
		}
		b.Copy(words[k], mir.Reg(w.Reg))
	}
	for k := 0; k < len(locs); k += locs[k].Words {
		if d := c.Ret.Regs[locs[k].Part]; words[k] != d {
			l.join(b, d, words[k:k+locs[k].Words], ExtensionOf(c.Ret.Attrs))
		}
	}
}

package globalisel

import (
	"github.com/mirin-go/mirin/codegen/callconv"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// The driver of call lowering, the same for all targets: where values go is
// said by the conventions of the subtarget (target.CallConv), how generic code
// brings them there is here, and what instructions of the target stand around
// it the functions of target.CallConv build. This file lowers formal arguments
// and returns, calllowering_call.go calls.

// callLowering lowers what functions are called with and call, one after the
// other: its memory serves all.
type callLowering struct {
	Builder
	st *target.Subtarget
	cc *target.CallConv

	defines            bool // the function's own arguments are placed
	argState, retState callconv.State
	argWords, retWords []word
	ret                [1]callconv.Arg
	moves              []regMove
	parts, got, uses   []mir.Reg
	sigs               signatures

	// The function's own arguments: the bytes of them on the stack, how many it takes off
	// when it returns, and whether jumps may put others in their place.
	inStack, inPopped int64
	reused            bool
}

// popped is how many bytes the callee of a convention takes off the stack.
func (l *callLowering) popped(cc uint16, varArg bool, p *placed) int64 {
	if l.cc.Popped == nil {
		return 0
	}
	return l.cc.Popped(l.st, cc, varArg, p.Stack, p.args)
}

// tailCalls reports a convention whose tail calls are jumps always.
func (l *callLowering) tailCalls(cc uint16) bool {
	return l.cc.TailCalls != nil && l.cc.TailCalls(l.st, cc)
}

// start begins the lowering of calls at a builder's point.
func (l *callLowering) start(st *target.Subtarget, b Builder) error {
	if st.Call == nil {
		return st.NotSupported(b.F, "calling functions")
	}
	l.Builder, l.st, l.cc = b, st, st.Call
	return nil
}

func (l *callLowering) fail(what string) error {
	if l.cc != nil && l.cc.Sentences {
		return l.st.Refusal(l.F, l.Loc, what)
	}
	return l.st.NotSupported(l.F, what)
}

// pointer is the type of an address.
func (l *callLowering) pointer() mir.LLT {
	return mir.Pointer(0, int(l.st.Layout.Pointer(0).Bits))
}

// check refuses what the target, or the driver, does not do.
func (l *callLowering) check(cc uint16, varArg, defines bool, args []callconv.Arg) error {
	what := ""
	switch {
	case l.cc.Unsupported != nil:
		what = l.cc.Unsupported(l.st, cc, varArg, defines)
	case cc != 0 && cc != 8 && cc != 9: // C, fast, cold
		what = "this calling convention"
	case varArg && l.cc.SaveVarArgs == nil && l.cc.VarArgRegs == nil:
		what = "a variable argument list"
	}
	if what != "" {
		return l.fail(what)
	}
	for n := range args {
		if defines && l.cc.NoHiddenResult != "" && args[n].Attrs.Has("sret") {
			return l.fail(l.cc.NoHiddenResult)
		}
		for _, k := range [...]string{"inalloca", "preallocated", "swiftasync", "swifterror"} {
			if args[n].Attrs.Has(k) {
				return l.fail("parameter attribute " + k)
			}
		}
		if args[n].Attrs.Has("nest") && !l.cc.Asks(desc.CCNest) {
			return l.fail("parameter attribute nest")
		}
	}
	return nil
}

// placeArgs gives every word of the arguments its place, which sig (nil: none) remembers.
func (l *callLowering) placeArgs(cc uint16, varArg bool, numFixed int, args []callconv.Arg, sig *signature) (placed, error) {
	s, why := &l.argState, ""
	if sig != nil && sig.hasArgs {
		l.cc.Repeat(s, cc, varArg, &sig.args)
	} else {
		why = l.cc.PlaceArgs(s, l.F.Module.Types, l.st.Layout, cc, varArg, numFixed, args)
		if sig != nil && why == "" {
			sig.hasArgs = s.Keep(&sig.args)
		}
	}
	p, err := l.places(s, why, args, l.argWords)
	l.argWords = p.words
	return p, err
}

// placeResult gives every word of a result its register, which sig (nil: none) remembers.
func (l *callLowering) placeResult(cc uint16, ret *callconv.Arg, sig *signature) (placed, error) {
	s, why := &l.retState, ""
	if sig != nil && sig.hasResult {
		l.cc.Repeat(s, cc, false, &sig.result)
	} else {
		why = l.cc.PlaceResult(s, l.F.Module.Types, l.st.Layout, cc, ret)
		if sig != nil && why == "" {
			sig.hasResult = s.Keep(&sig.result)
		}
	}
	l.ret[0] = *ret
	p, err := l.places(s, why, l.ret[:], l.retWords)
	l.retWords = p.words
	return p, err
}

func (l *callLowering) places(s *callconv.State, why string, args []callconv.Arg, words []word) (p placed, err error) {
	if why == "" {
		p, why = placeWords(l.st, s, args, words, l.defines)
	}
	if why != "" {
		return p, l.fail(why)
	}
	return p, nil
}

// canLowerReturn reports whether a result of these parts fits registers; if not,
// the result goes through memory that a hidden first argument (with the attribute
// sret) points to, and the lowering sees no result.
func (l *callLowering) canLowerReturn(st *target.Subtarget, types *ir.Types, parts []callconv.Part, cc uint16) bool {
	if st.Call == nil || len(parts) == 0 {
		return true
	}
	s := &l.retState
	l.ret[0] = callconv.Arg{Parts: parts}
	if st.Call.PlaceResult(s, types, st.Layout, cc, &l.ret[0]) != "" {
		return false
	}
	for k := range s.Locs {
		if s.Locs[k].Info == callconv.Indirect {
			return false
		}
	}
	return true
}

// formalArguments emits, at the builder's point in the entry block, what
// brings the arguments into the registers of args, one entry per argument.
// structReturn is the address that the function must return, 0 for none.
func (l *callLowering) formalArguments(st *target.Subtarget, b Builder, args []callconv.Arg) (structReturn mir.Reg, err error) {
	if err := l.start(st, b); err != nil {
		return 0, err
	}
	l.defines = true
	defer func() { l.defines = false }()
	g := l.F.IR.Global()
	varArg := l.F.Module.Types.IsVarArg(g.ValueType)
	if err := l.check(g.CC, varArg, true, args); err != nil {
		return 0, err
	}
	p, err := l.placeArgs(g.CC, varArg, len(args), args, nil)
	if err != nil {
		return 0, err
	}
	l.inStack, l.inPopped = p.Stack, l.popped(g.CC, varArg, &p)
	if err := p.eachPart(l.incoming); err != nil {
		return 0, err
	}
	for n := range args {
		if l.cc.StructReturn != nil && args[n].Attrs.Has("sret") && l.cc.StructReturn(g.CC) != 0 {
			structReturn = args[n].Regs[0]
		}
	}
	if varArg {
		if l.cc.SaveVarArgs == nil {
			return structReturn, l.saveVarArgs(p.State)
		}
		return structReturn, l.cc.SaveVarArgs(st, b.Builder, p.State)
	}
	return structReturn, nil
}

// saveVarArgs stores the registers that fixed arguments left free right below
// the stack arguments, so that all variable arguments stand one above the other.
func (l *callLowering) saveVarArgs(s *callconv.State) error {
	free := l.cc.VarArgRegs[s.NumTaken(l.cc.VarArgRegs):]
	switch {
	case l.cc.VarArgRegs == nil:
		return l.fail("a variable argument list")
	case len(free) > 0 && (s.Stack > 0 || l.st.LocalAreaOffset() != 0):
		return l.fail("a variable argument list in registers and behind something else on the stack")
	}
	fr, word := &l.F.Frame, int64(l.pointer().Bytes())
	fr.HasVAStart = true
	fr.VarArgs.Stack = fr.CreateFixedObject(word, s.Stack, l.alignAt(s.Stack), mir.FrameImmutable)
	for k := len(free) - 1; k >= 0; k-- {
		off := -word * int64(len(free)-k)
		fr.VarArgs.Stack = fr.CreateFixedObject(word, off, l.alignAt(off), 0)
		r := l.New(mir.Scalar(int(8 * word)))
		LiveIn(l.Builder.Builder, r, free[k])
		addr := l.New(l.pointer())
		l.Build(desc.G_FRAME_INDEX, Def(addr), mir.FrameOp(fr.VarArgs.Stack))
		l.Store(r, addr, mir.MemOperand{Type: l.Type(r), Size: word, Ptr: uint32(int32(fr.VarArgs.Stack)), PtrKind: mir.PtrFixedStack, BaseAlign: l.alignAt(off)})
	}
	return nil
}

// LiveIn makes a physical register live into the function and copies it to r.
func LiveIn(b *mir.Builder, r mir.Reg, phys desc.PhysReg) {
	b.F.AddLiveIn(b.Block, mir.Reg(phys), mir.AllLanes)
	b.F.LiveIns = append(b.F.LiveIns, mir.LiveInPair{Phys: mir.Reg(phys)})
	b.Copy(r, mir.Reg(phys))
}

// incoming brings in one part.
func (l *callLowering) incoming(arg *callconv.Arg, ws []word) error {
	f, first := l.F, &ws[0]
	d := arg.Regs[first.Part]
	switch {
	case first.indirect && first.byVal > 0:
		l.wordIn(d, first, first.llt)
		return nil
	case first.indirect:
		addr, t := l.New(first.llt), f.TypeOf(d)
		l.wordIn(addr, first, first.llt)
		l.LoadTo(d, addr, mir.MemOperand{Type: t, Size: int64(t.Bytes()), BaseAlign: min(log2(uint64(nextPow2(t.Bytes()))), l.st.StackAlign())})
		return nil
	case first.byVal > 0:
		n := f.Frame.CreateFixedObject(first.byVal, first.Off, l.alignAt(first.Off), 0)
		l.Build(desc.G_FRAME_INDEX, Def(d), mir.FrameOp(n))
		return nil
	case len(ws) == 1 && first.Reg != 0 && first.llt == f.TypeOf(d) && l.carrier(first) != desc.NoClass:
		v := f.AddVReg(int16(l.carrier(first)))
		LiveIn(l.Builder.Builder, v, first.Reg)
		l.cc.FromCarrier(l.Builder.Builder, d, v)
		return nil
	case len(ws) == 1 && first.llt == f.TypeOf(d):
		l.wordIn(d, first, first.llt)
		return nil
	}
	words := make([]mir.Reg, len(ws))
	for k := range ws {
		words[k] = l.New(ws[k].llt)
		if c := l.carrier(&ws[k]); c != desc.NoClass && ws[k].Reg != 0 {
			v := f.AddVReg(int16(c))
			LiveIn(l.Builder.Builder, v, ws[k].Reg)
			l.cc.FromCarrier(l.Builder.Builder, words[k], v)
			continue
		}
		mt := ws[k].llt
		if len(ws) == 1 && !mt.IsVector() {
			mt = narrowMem(f.TypeOf(d), mt)
		}
		l.wordIn(words[k], &ws[k], mt)
	}
	if n := f.TypeOf(d).ScalarBits(); len(ws) == 1 && first.Reg != 0 && !first.llt.IsVector() && n < first.llt.ScalarBits() {
		words[0] = l.extended(words[0], ExtensionOf(arg.Attrs), n)
	}
	l.joinWords(d, words)
	return nil
}

// extended says of a word that it was extended from n bits.
func (l *callLowering) extended(r mir.Reg, ext desc.Opcode, n int) mir.Reg {
	op := desc.Opcode(desc.G_ASSERT_ZEXT)
	switch ext {
	case desc.G_ANYEXT:
		return r
	case desc.G_SEXT:
		op = desc.G_ASSERT_SEXT
	}
	w := l.New(l.Type(r))
	l.Build(op, Def(w), Use(r), mir.ImmOp(int64(n)))
	return w
}

func (l *callLowering) carrier(w *word) desc.ClassID {
	if l.cc.Carrier == nil {
		return desc.NoClass
	}
	return l.cc.Carrier(w.llt, w.Reg)
}

// narrowMem is the type of a stack argument in memory: what is beside it in its
// slot is not defined, so that no more than the value's own bytes are read.
func narrowMem(t, loc mir.LLT) mir.LLT {
	n := 8
	for n < t.ScalarBits() {
		n *= 2
	}
	if n < loc.ScalarBits() {
		return mir.Scalar(n)
	}
	return loc
}

// alignAt is log2 of the alignment of a stack offset.
func (l *callLowering) alignAt(off int64) uint8 {
	n := l.st.StackAlign()
	for off&(1<<n-1) != 0 {
		n--
	}
	return n
}

// wordIn copies or loads one word of an argument; mt is its part that memory
// defines, at the end where its low bits are.
func (l *callLowering) wordIn(d mir.Reg, w *word, mt mir.LLT) {
	if w.Reg != 0 {
		LiveIn(l.Builder.Builder, d, w.Reg)
		return
	}
	off, size := w.Off, int64(w.llt.Bytes())
	if l.st.Layout.BigEndian && mt != w.llt {
		off += size - int64(mt.Bytes())
		size = int64(mt.Bytes())
	}
	flags, how := mir.FrameImmutable, mir.MemInvariant
	if l.reused {
		flags, how = 0, mir.MemVolatile // before what jumps store there
	}
	n := l.F.Frame.CreateFixedObject(size, off, l.alignAt(off), flags)
	addr := l.New(l.pointer())
	l.Build(desc.G_FRAME_INDEX, Def(addr), mir.FrameOp(n))
	m := mir.MemOperand{Type: mt, Size: int64(mt.Bytes()), Ptr: uint32(int32(n)), PtrKind: mir.PtrFixedStack,
		BaseAlign: l.alignAt(off), Flags: how}
	if mt != w.llt && mt.IsScalar() {
		l.Build(desc.G_ANYEXT, Def(d), Use(l.Load(mt, addr, m)))
		return
	}
	l.LoadTo(d, addr, m)
}

// returns emits the return of ret, which has no parts for void.
func (l *callLowering) returns(st *target.Subtarget, b Builder, ret *callconv.Arg, structReturn mir.Reg) error {
	if err := l.start(st, b); err != nil {
		return err
	}
	cc := l.F.IR.Global().CC
	p, err := l.placeResult(cc, ret, nil)
	if err != nil {
		return err
	}
	moves := l.moves[:0]
	err = p.eachPart(func(arg *callconv.Arg, ws []word) error {
		for k, r := range l.outgoing(arg, ws) {
			moves = append(moves, regMove{mir.Reg(ws[k].Reg), r})
		}
		return nil
	})
	if err != nil {
		return err
	}
	if structReturn != 0 {
		moves = append(moves, regMove{mir.Reg(l.cc.StructReturn(cc)), structReturn})
	}
	l.moves = moves
	for _, m := range moves {
		l.Copy(m.dst, m.src)
	}
	i := l.buildReturn()
	for _, m := range moves {
		l.F.AddOp(i, mir.RegOp(m.dst, mir.Implicit))
	}
	return nil
}

// buildReturn builds the return, which takes the arguments off the stack where the convention says so.
func (l *callLowering) buildReturn() mir.InstrID {
	if l.inPopped != 0 {
		return l.buildZeros(l.cc.Return, mir.ImmOp(l.inPopped))
	}
	return l.buildZeros(l.cc.Return)
}

// buildZeros builds an instruction whose explicit operands behind ops are zeros.
func (l *callLowering) buildZeros(op desc.Opcode, ops ...mir.Operand) mir.InstrID {
	var buf [8]mir.Operand // on the stack
	ops = append(buf[:0], ops...)
	for len(ops) < int(l.F.Facts.Instr(op).NumOperands) {
		ops = append(ops, mir.ImmOp(0))
	}
	return l.BuildInstr(op, ops...)
}

// outgoing gives the words of one part as their places want them, until it is
// asked for the next.
func (l *callLowering) outgoing(arg *callconv.Arg, ws []word) []mir.Reg {
	l.parts = l.splitWords(l.parts[:0], ExtensionOf(arg.Attrs), ws[0].llt, len(ws), arg.Regs[ws[0].Part])
	for k := range ws {
		if c := l.carrier(&ws[k]); c != desc.NoClass && ws[k].Reg != 0 {
			r := l.F.AddVReg(int16(c))
			l.cc.ToCarrier(l.Builder.Builder, r, l.parts[k])
			l.parts[k] = r
		}
	}
	return l.parts
}

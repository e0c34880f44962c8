package globalisel

import (
	"slices"
	"strconv"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// asmOperand is one output or input of inline assembly on its way into an INLINEASM.
type asmOperand struct {
	c     ir.AsmConstraint
	codes []string
	value ir.Value // input, or the address of an indirect operand; 0 for a direct output
	typ   ir.Type  // of the value, not of its address
	tied  int      // input: the output that it matches, -1 for none
	match bool     // output: an input matches it

	group mir.AsmGroup
	class desc.ClassID
	phys  desc.PhysReg
	reg   mir.Reg // the register of a group of registers
	val   mir.Reg // input: what is copied to reg right before the assembly
	op    int     // its operand number in the INLINEASM
	ops   []mir.Operand
	read  func(b *mir.Builder, dst mir.Reg) // makes the value of a condition
}

// asmLowering lowers one call of inline assembly.
type asmLowering struct {
	*translator
	h        *target.AsmHooks
	i        ir.InstrID
	asm      *ir.InlineAsm
	operands []asmOperand
	clobbers []desc.PhysReg
	flags    int64
}

// inlineAsm translates a call of inline assembly: operands go to registers of
// the classes that the constraints name, to one register, to memory, or stay
// constants; INLINEASM's groups say which.
func (t *translator) inlineAsm(i ir.InstrID, n uint32) *asmLowering {
	l := &asmLowering{translator: t, h: t.st.Target.ISel.InlineAsm, i: i, asm: &t.mod.InlineAsms()[n]}
	if l.h == nil || l.asm.Unwind {
		t.fail("inline assembly")
		return nil
	}
	if l.collect(); t.err != nil {
		return nil
	}
	for k := range l.operands {
		if o := &l.operands[k]; o.c.Kind == '=' {
			l.output(o)
		} else if o.c.Kind != '!' {
			l.input(o)
		}
		if t.err != nil {
			return nil
		}
	}
	l.emit()
	return l
}

// callBr translates inline assembly that may jump. It is no terminator: what is copied behind
// it is there on the way through it alone, so that llvm.callbr.landingpad reads its results on others.
func (t *translator) callBr(i ir.InstrID) {
	callee := t.fn.Callee(i)
	if callee.Tag() != ir.TagInlineAsm {
		t.fail("callbr of an intrinsic")
		return
	}
	l := t.inlineAsm(i, callee.Index())
	if l == nil {
		return
	}
	for k := range l.operands {
		if o := &l.operands[k]; o.c.Kind == '=' && o.group.Kind() != mir.AsmMem && (o.c.Indirect || o.read != nil) {
			l.bad("an output of callbr that is stored or a flag")
			return
		}
	}
	if t.fn.Instr(i).Type != ir.Void {
		l.results(t.get(ir.Local(i)))
		if t.asmJumps == nil {
			t.asmJumps = map[ir.InstrID]*asmLowering{}
		}
		t.asmJumps[i] = l
	}
	first := t.fn.NumArgOps(i) + 1
	for n := first; n < t.fn.NumOps(i); n++ {
		to := t.blocks[t.op(i, n).Block()]
		p := mir.UnknownProb
		if t.c.Opt > 0 { // as LLVM, which does not ask its estimates
			p = mir.ProbOne
			if n > first {
				p = 0
			}
		}
		t.f.MergeSucc(t.mb.Block, to, p)
	}
	t.jump(t.blocks[t.op(i, first).Block()])
}

// callBrLanding copies the results of a callbr where its assembly jumped to.
func (t *translator) callBrLanding(i ir.InstrID) {
	l := t.asmJumps[t.op(i, 0).Instr()]
	if l == nil {
		t.fail("llvm.callbr.landingpad without a callbr before it")
		return
	}
	for k := range l.operands {
		if o := &l.operands[k]; o.c.Kind == '=' && o.phys != 0 {
			t.f.AddLiveIn(t.mb.Block, mir.Reg(o.phys), ^uint64(0))
		}
	}
	l.results(t.get(ir.Local(i)))
}

func (l *asmLowering) bad(what string) { l.fail("inline assembly with " + what) }

// collect reads constraints and arguments.
func (l *asmLowering) collect() {
	list, _ := ir.ParseConstraints(l.asm.Constraints)
	attrs := l.mod.Attrs.At(l.fn.Instr(l.i).Attrs)
	if l.asm.SideEffect {
		l.flags |= mir.AsmSideEffect
	}
	if l.asm.AlignStack {
		l.flags |= mir.AsmAlignStack
	}
	if l.asm.Intel {
		l.flags |= mir.AsmIntel
	}
	if attrs.Fn.Has("convergent") {
		l.flags |= mir.AsmConvergent
	}
	arg, result, labels := 0, 0, l.fn.NumArgOps(l.i)+2 // of callbr
	res := l.fn.Instr(l.i).Type
	for _, c := range list {
		o := asmOperand{c: c, codes: c.List(), tied: -1, class: desc.NoClass}
		switch {
		case c.Kind == '~':
			l.clobber(c.Codes)
			continue
		case c.Kind == '!':
			to := l.blocks[l.op(l.i, labels).Block()]
			l.f.Block(to).Flags |= mir.InlineAsmBrTarget
			o.ops, o.group = []mir.Operand{mir.BlockOp(to)}, mir.MakeAsmGroup(mir.AsmImm, 1)
			labels++
			l.operands = append(l.operands, o)
			continue
		case c.Kind == '=' && !c.Indirect:
			if o.typ = res; l.types.Kind(res) == ir.KindStruct {
				o.typ = l.types.Subtypes(res)[result]
			}
			result++
		default:
			o.value = l.op(l.i, arg)
			if o.typ = l.typ(o.value); c.Indirect {
				a, _ := attrs.Param(arg).Get("elementtype")
				o.typ = a.Type
			}
			arg++
		}
		if code := o.codes[0]; c.Kind == 0 && code[0] >= '0' && code[0] <= '9' {
			o.tied, _ = strconv.Atoi(code)
			l.operands[o.tied].match = true
		}
		l.operands = append(l.operands, o)
	}
}

func (l *asmLowering) clobber(code string) {
	name := code
	if len(code) > 2 && code[0] == '{' {
		name = code[1 : len(code)-1]
	}
	if name == "memory" {
		l.flags |= mir.AsmMayLoad | mir.AsmMayStore
	}
	r, ok := l.h.Clobber(l.st, name)
	switch {
	case !ok:
		l.bad("clobbered register " + name)
	case r != 0:
		l.clobbers = append(l.clobbers, r)
	}
}

// scalar gives the type of the register for a value, an integer widened to a power of
// two of bytes; ok is false for what takes several registers.
func (l *asmLowering) scalar(ty ir.Type) (t mir.LLT, float, ok bool) {
	p := l.parts(ty)
	if len(p) != 1 {
		return t, false, false
	}
	if t = p[0].LLT; t.IsVector() {
		return t, false, true
	}
	if n := t.ScalarBits(); !t.IsPointer() && !l.types.IsFloat(ty) {
		w := 8
		for w < n {
			w *= 2
		}
		t = mir.Scalar(w)
	}
	return t, l.types.IsFloat(ty), true
}

// register looks for a constraint of registers among the codes.
func (l *asmLowering) register(o *asmOperand) bool {
	t, float, ok := l.scalar(o.typ)
	if !ok {
		return false
	}
	for _, code := range o.codes {
		if o.class, o.phys, ok = l.h.Register(l.st, code, t, float); ok {
			return true
		}
	}
	return false
}

// memory looks for a constraint of memory and makes the group for address p.
func (l *asmLowering) memory(o *asmOperand) bool {
	for _, code := range o.codes {
		if n, ok := l.h.Memory(code); ok {
			o.group = mir.AsmGroup(mir.AsmMem).WithMem(n)
			return true
		}
	}
	return false
}

// address makes o the memory that pointer p points to.
func (l *asmLowering) address(o *asmOperand, p mir.Reg) {
	class, _, ok := l.h.Register(l.st, "r", l.pointerLLT(0), false)
	if !ok {
		l.bad("memory operands")
		return
	}
	r := l.f.AddVReg(int16(class))
	l.Copy(r, p)
	o.ops = l.h.Address(nil, r)
	o.group |= mir.MakeAsmGroup(0, len(o.ops))
	l.flags |= mir.AsmMayLoad
	if o.c.Kind == '=' {
		l.flags |= mir.AsmMayStore
	}
}

func (l *asmLowering) output(o *asmOperand) {
	if !o.c.Indirect && l.h.Flag != nil {
		if r, class, read, ok := l.h.Flag(l.st, o.codes[0]); ok {
			o.phys, o.class, o.read = r, class, read
			o.group = mir.MakeAsmGroup(mir.AsmDef, 1)
			return
		}
	}
	if o.c.Indirect && !o.match && l.memory(o) {
		l.address(o, l.get1(o.value))
		return
	}
	if l.register(o) {
		kind := mir.AsmDef
		if o.c.EarlyClobber {
			kind = mir.AsmDefEarly
		}
		o.group = mir.MakeAsmGroup(kind, 1)
		if o.reg = mir.Reg(o.phys); o.phys == 0 {
			o.reg = l.f.AddVReg(int16(o.class))
			o.group = o.group.WithClass(int(o.class))
		}
		return
	}
	if o.c.Indirect && l.memory(o) {
		l.address(o, l.get1(o.value))
		return
	}
	l.bad("output constraint '" + o.c.Codes + "'")
}

func (l *asmLowering) input(o *asmOperand) {
	switch {
	case o.tied >= 0:
		l.tiedInput(o, &l.operands[o.tied])
	case o.c.Indirect && l.memory(o):
		l.address(o, l.get1(o.value))
	case !o.c.Indirect && l.constant(o):
	case l.register(o):
		o.group = mir.MakeAsmGroup(mir.AsmUse, 1)
		if o.phys == 0 {
			o.group = o.group.WithClass(int(o.class))
		}
		t, _, _ := l.scalar(o.typ)
		l.inputReg(o, l.fill(l.extend(l.widen(l.inputValue(o), t), o.class), o))
	case !o.c.Indirect && l.memory(o):
		l.spillInput(o)
	default:
		l.bad("input constraint '" + o.c.Codes + "'")
	}
}

// constant makes o an immediate or a symbol where a code allows its value.
func (l *asmLowering) constant(o *asmOperand) bool {
	c, isConst := l.constInt(o.value)
	for _, code := range o.codes {
		switch {
		case isConst && l.h.Immediate(l.st, code, c):
			o.ops = []mir.Operand{mir.ImmOp(c)}
		case o.value.Tag() == ir.TagGlobal && l.h.Symbol(l.st, code):
			o.ops = []mir.Operand{mir.IndexOp(mir.OpGlobal, uint32(o.value.Global()), 0, 0)}
		default:
			continue
		}
		o.group = mir.MakeAsmGroup(mir.AsmImm, 1)
		return true
	}
	return false
}

// constInt is the value of an integer constant of up to 64 bits, or of null.
func (l *asmLowering) constInt(v ir.Value) (int64, bool) {
	c := v.Const()
	if c == 0 {
		return 0, false
	}
	switch r := l.pool.At(c); {
	case r.Kind == ir.ConstNull:
		return 0, true
	case r.Kind == ir.ConstInt && r.N == 0:
		return signExtend(r.Bits, l.types.IntBits(r.Type)), true
	case r.Kind == ir.ConstExpr && ir.Op(r.Op) == ir.OpIntToPtr:
		return l.constInt(l.pool.Ops(c)[0])
	}
	return 0, false
}

// inputValue is the value of an input, loaded where the operand is its address.
func (l *asmLowering) inputValue(o *asmOperand) mir.Reg {
	if !o.c.Indirect {
		return l.get1(o.value)
	}
	p := l.parts(o.typ)[0].LLT
	return l.Load(p, l.get1(o.value), l.indirect(o))
}

// inputReg makes v the value of the operand's register.
func (l *asmLowering) inputReg(o *asmOperand, v mir.Reg) {
	o.val = v
	if o.reg = mir.Reg(o.phys); o.phys == 0 {
		o.reg = l.f.AddVReg(int16(o.class))
	}
}

// inClass is the type of a value of type t in a register of a class: another format
// where the class has no other.
func (l *asmLowering) inClass(t mir.LLT, class desc.ClassID) mir.LLT {
	if l.h.Format != nil && class != desc.NoClass {
		return l.h.Format(class, t)
	}
	return t
}

// extend brings a value into the format of a class.
func (l *asmLowering) extend(v mir.Reg, class desc.ClassID) mir.Reg {
	switch t := l.inClass(l.Type(v), class); {
	case t == l.Type(v):
		return v
	case t.IsVector():
		return l.Un(desc.G_BITCAST, t, l.widen(v, t))
	default:
		return l.Un(desc.G_FPEXT, t, v)
	}
}

// whole is the type of a register of the operand's class, for an integer of type t that
// is narrower than that.
func (l *asmLowering) whole(t mir.LLT, o *asmOperand) mir.LLT {
	if o.class == desc.NoClass || !t.IsScalar() || l.types.IsFloat(o.typ) {
		return t
	}
	if n := int(l.f.Facts.ClassSize(o.class, l.f.Facts.DefaultMode).RegSize); n > t.Bits() {
		return mir.Scalar(n)
	}
	return t
}

// fill extends an integer to the register that it goes to. The high bits of what is narrower than
// 32 bits are nobody's, as in LLVM: bpf's selftests compare what a truncation has left there.
func (l *asmLowering) fill(v mir.Reg, o *asmOperand) mir.Reg {
	if t := l.whole(l.Type(v), o); t != l.Type(v) {
		if l.Type(v).Bits() < 32 {
			return l.Un(desc.G_ANYEXT, t, v)
		}
		return l.Un(desc.G_ZEXT, t, v)
	}
	return v
}

// widen gives v as many bits as t has.
func (l *asmLowering) widen(v mir.Reg, t mir.LLT) mir.Reg {
	if l.Type(v).Bits() < t.Bits() {
		return l.Un(desc.G_ANYEXT, mir.Scalar(t.Bits()), v)
	}
	return v
}

// tiedInput puts an input into the register of the output that it matches.
func (l *asmLowering) tiedInput(o, out *asmOperand) {
	if out.group.Kind() == mir.AsmMem || out.read != nil {
		l.bad("an input tied to memory")
		return
	}
	if o.tied > mir.MaxAsmGroup {
		l.bad("an input that matches an output behind the 32768th")
		return
	}
	in, _, ok := l.scalar(o.typ)
	t, _, _ := l.scalar(out.typ)
	if !ok {
		l.bad("an input of several registers that matches an output")
		return
	}
	o.group = mir.MakeAsmGroup(mir.AsmUse, 1).WithTied(o.tied)
	o.class, o.phys = out.class, out.phys
	v := l.inputValue(o)
	if l.Type(v).IsPointer() && in.Bits() != t.Bits() {
		v = l.Un(desc.G_PTRTOINT, mir.Scalar(in.Bits()), v)
	}
	if l.Type(v).Bits() > t.Bits() {
		v = l.Un(desc.G_TRUNC, t, v) // the register is as wide as the output
	}
	l.inputReg(o, l.fill(l.extend(l.widen(v, t), o.class), o))
}

// indirect describes the memory of an indirect operand; its alignment is not known.
func (l *asmLowering) indirect(o *asmOperand) mir.MemOperand {
	return mir.MemOperand{Ptr: uint32(o.value), PtrKind: mir.PtrValue, AddrSpace: l.types.AddrSpace(l.typ(o.value)),
		Size: int64(l.dl.StoreSize(l.types, o.typ))}
}

// spillInput passes a value in a stack object.
func (l *asmLowering) spillInput(o *asmOperand) {
	slot := l.f.Frame.CreateStackObject(int64(l.dl.SizeOf(l.types, o.typ)), log2(l.dl.PrefAlign(l.types, o.typ)), 0)
	addr := l.New(l.pointerLLT(0))
	l.Build(desc.G_FRAME_INDEX, Def(addr), mir.FrameOp(slot))
	rs := l.get(o.value)
	for k, p := range l.parts(o.typ) {
		m := mir.MemOperand{Type: p.LLT, Size: int64(p.LLT.Bytes()), Offset: p.Offset, Ptr: uint32(int32(slot)), PtrKind: mir.PtrFixedStack,
			BaseAlign: l.f.Frame.Object(slot).Align}
		l.Store(rs[k], l.partAddr(addr, p.Offset), m)
	}
	l.address(o, addr)
}

// emit builds the INLINEASM. Registers are filled right before it, the named
// ones last, so that nothing stands between them and the assembly.
func (l *asmLowering) emit() {
	f := l.f
	for _, named := range [...]bool{false, true} {
		for k := range l.operands {
			if o := &l.operands[k]; o.val != 0 && (o.phys != 0) == named {
				l.Copy(o.reg, o.val)
			}
		}
	}
	opcode := desc.INLINEASM
	if l.fn.Instr(l.i).Op == ir.OpCallBr {
		opcode = desc.INLINEASM_BR
	}
	i := l.Build(opcode, mir.IndexOp(mir.OpExtSym, f.Symbol(l.asm.Asm), 0, 0), mir.ImmOp(l.flags))
	add := func(o mir.Operand) int {
		n := f.Instr(i).NumOps()
		f.InsertOp(i, n, o) // in the order of the groups, implicit ones too
		return n
	}
	for k := range l.operands {
		o := &l.operands[k]
		add(mir.ImmOp(int64(o.group)))
		for _, op := range o.ops {
			add(op)
		}
		if len(o.ops) > 0 {
			continue
		}
		var fl mir.OpFlags
		switch o.group.Kind() {
		case mir.AsmDefEarly:
			fl = mir.Def | mir.EarlyClobber
		case mir.AsmDef:
			fl = mir.Def
		}
		if fl != 0 && o.phys != 0 {
			fl |= mir.Implicit
		}
		if o.read != nil {
			o.reg = mir.Reg(o.phys)
		}
		o.op = add(mir.RegOp(o.reg, fl))
		if o.tied >= 0 {
			f.Tie(i, l.operands[o.tied].op, o.op)
		}
	}
	for _, r := range l.clobbers {
		add(mir.ImmOp(int64(mir.MakeAsmGroup(mir.AsmClobber, 1))))
		// What is read too is written behind that.
		fl := mir.Def | mir.Implicit | mir.EarlyClobber
		if slices.ContainsFunc(l.operands, func(o asmOperand) bool { return o.val != 0 && o.phys == r }) {
			fl &^= mir.EarlyClobber
		}
		add(mir.RegOp(mir.Reg(r), fl))
	}
	if k := slices.Index(l.mod.MDKinds(), "srcloc"); k >= 0 {
		if loc := l.attachment(l.i, uint32(k)); loc != 0 {
			add(mir.IndexOp(mir.OpMetadata, uint32(loc), 0, 0))
		}
	}
	f.HasInlineAsm = true
}

// results copies what the assembly left in registers to the parts of the call's result and
// to the memory of indirect outputs. The copies come first: what follows may
// use the registers that they read.
func (l *asmLowering) results(to []mir.Reg) {
	type value struct {
		o *asmOperand
		r mir.Reg
	}
	var values []value
	for k := range l.operands {
		o := &l.operands[k]
		if o.c.Kind != '=' || o.group.Kind() == mir.AsmMem {
			continue
		}
		t, _, _ := l.scalar(o.typ)
		if o.read != nil {
			r := l.f.AddVReg(int16(o.class))
			o.read(l.Builder.Builder, r)
			g := l.New(mir.Scalar(8))
			l.Copy(g, r)
			values = append(values, value{o, g})
			continue
		}
		g := l.New(l.whole(l.inClass(t, o.class), o))
		l.Copy(g, o.reg)
		values = append(values, value{o, g})
	}
	n := 0
	for _, v := range values {
		want := l.parts(v.o.typ)[0].LLT
		r := v.r
		switch have := l.Type(r); {
		case have.IsVector() && !want.IsVector():
			r = l.Un(desc.G_BITCAST, mir.Scalar(have.Bits()), r)
			if have.Bits() != want.Bits() {
				r = l.Un(desc.G_TRUNC, want, r)
			}
		case l.inClass(want, v.o.class) != want:
			r = l.Un(desc.G_FPTRUNC, want, r)
		case have.Bits() > want.Bits():
			r = l.Un(desc.G_TRUNC, want, r)
		case have.Bits() < want.Bits():
			r = l.Un(desc.G_ZEXT, want, r)
		}
		if v.o.c.Indirect {
			l.Store(r, l.get1(v.o.value), l.indirect(v.o))
			continue
		}
		l.Copy(to[n], r)
		n++
	}
}

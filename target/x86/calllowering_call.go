package x86

import (
	"github.com/mirin-go/mirin/codegen/globalisel"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// inlineByVal is the greatest size of a by-value argument that is copied word by word.
const inlineByVal = 128

// lowerCall is ISelHooks.LowerCall.
func lowerCall(st *target.Subtarget, mb *mir.Builder, c *target.CallInfo) error {
	f, b := mb.F, globalisel.Wrap(mb)
	if err := checkConvention(st, f, c.CC, c.VarArg); err != nil {
		return err
	}
	a, err := assign(st, f, c.CC, c.VarArg, c.NumFixed, c.Args)
	if err != nil {
		return err
	}
	if c.MustTail || c.Sibling && isSiblingCall(st, f, c, a) {
		return lowerTailCall(st, b, c, a)
	}
	size := (a.Stack + 15) &^ 15
	if a.MaxAlign > 16 {
		return st.NotSupported(f, "a stack argument aligned to more than 16 bytes")
	}
	if a.Stack == 0 {
		size = 0
	}
	b.BuildInstr(tab.ADJCALLSTACKDOWN64, mir.ImmOp(size), mir.ImmOp(0), mir.ImmOp(0))
	uses, err := passArguments(st, b, c, a)
	if err != nil {
		return err
	}
	call := buildCall(st, b, c)
	for _, r := range uses {
		f.AddOp(call, mir.RegOp(r, mir.Implicit))
	}
	if err := takeResult(st, b, c, call); err != nil {
		return err
	}
	b.BuildInstr(tab.ADJCALLSTACKUP64, mir.ImmOp(size), mir.ImmOp(0))
	return nil
}

// move is a copy to a physical register; all of them stand right before the call.
type move struct {
	dst, src mir.Reg
}

// passArguments stores the stack arguments, then fills the registers, and
// returns these.
func passArguments(st *target.Subtarget, b globalisel.Builder, c *target.CallInfo, a *assignment) ([]mir.Reg, error) {
	var moves []move
	var sp mir.Reg
	slot := func(off int64) mir.Reg {
		if sp == 0 {
			sp = b.New(mir.Pointer(0, 64))
			b.Copy(sp, reg(tab.RSP))
		}
		return b.PtrAdd(sp, b.Const(mir.Scalar(64), off))
	}
	err := groups(a.Locs, func(ls []globalisel.Loc) error {
		arg := &c.Args[ls[0].Arg]
		if ls[0].ByVal > 0 {
			copyByVal(b, slot(ls[0].Off), arg.Regs[0], ls[0].ByVal)
			return nil
		}
		src := outgoing(b, arg, ls)
		for k, l := range ls {
			if l.Reg != 0 {
				moves = append(moves, move{reg(l.Reg), src[k]})
				continue
			}
			t := b.Type(src[k])
			b.Store(src[k], slot(l.Off), mir.MemOperand{Type: t, Size: int64(t.Bytes()), Offset: l.Off, PtrKind: mir.PtrStack, BaseAlign: 4})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var uses []mir.Reg
	for _, m := range moves {
		b.Copy(m.dst, m.src)
		uses = append(uses, m.dst)
	}
	if c.VarArg {
		// AL bounds the number of vector registers that the callee must save.
		b.Build(tab.MOV8ri, mir.RegOp(reg(tab.AL), mir.Def), mir.ImmOp(int64(a.NumTaken(vecRegs))))
		uses = append(uses, reg(tab.AL))
	}
	return uses, nil
}

// copyByVal copies size bytes from src to the stack. A call in the middle of a
// call sequence is not possible, so that long ones use the string instruction.
func copyByVal(b globalisel.Builder, dst, src mir.Reg, size int64) {
	if size > inlineByVal {
		b.Copy(reg(tab.RDI), dst)
		b.Copy(reg(tab.RSI), src)
		b.Build(tab.MOV64ri, mir.RegOp(reg(tab.RCX), mir.Def), mir.ImmOp(size/8))
		b.BuildInstr(tab.REP_MOVSQ_64)
	}
	start := int64(0)
	if size > inlineByVal {
		start = size &^ 7
	}
	for off := start; off < size; {
		n := int64(8)
		for off+n > size {
			n /= 2
		}
		t := mir.Scalar(int(n * 8))
		v := b.Load(t, b.PtrAddConst(src, off), mir.MemOperand{Type: t, Size: n, Offset: off})
		b.Store(v, b.PtrAddConst(dst, off), mir.MemOperand{Type: t, Size: n, PtrKind: mir.PtrStack})
		off += n
	}
}

// buildCall makes the call instruction with callee and mask.
func buildCall(st *target.Subtarget, b globalisel.Builder, c *target.CallInfo) mir.InstrID {
	f := b.F
	mask := f.RegMask(callPreservedMask(st, f, c.CC))
	callee, direct := calleeOperand(st, f, c)
	if direct {
		return b.BuildInstr(tab.CALL64pcrel32, callee, mask)
	}
	if callee.Kind() != mir.OpReg {
		r := b.New(mir.Pointer(0, 64))
		b.Build(desc.G_GLOBAL_VALUE, globalisel.Def(r), callee)
		callee = globalisel.Use(r)
	}
	// The operand of a target instruction has a class from the start.
	r := f.AddVReg(int16(tab.GR64RegClassID))
	b.Copy(r, callee.Reg())
	return b.BuildInstr(tab.CALL64r, globalisel.Use(r), mask)
}

// calleeOperand is what the call names; direct says that it is a symbol in reach.
func calleeOperand(st *target.Subtarget, f *mir.Function, c *target.CallInfo) (o mir.Operand, direct bool) {
	pic := st.Options.Reloc == target.RelocPIC && !st.Options.JIT
	large := st.Options.CodeModel == target.CodeModelLarge
	switch {
	case c.Global != 0:
		fl := uint16(0)
		g := f.Module.Globals[c.Global]
		if pic && !g.DSOLocal && !g.HasLocalLinkage() {
			fl = moPLT
			if f.Module.Attrs.At(g.Attrs).Fn.Has("nonlazybind") {
				return mir.IndexOp(mir.OpGlobal, uint32(c.Global), 0, 0), false
			}
		}
		return mir.IndexOp(mir.OpGlobal, uint32(c.Global), 0, fl), !large
	case c.Symbol != "":
		fl := uint16(0)
		if pic {
			fl = moPLT
		}
		return mir.IndexOp(mir.OpExtSym, f.Symbol(c.Symbol), 0, fl), true
	}
	return globalisel.Use(c.Reg), false
}

// takeResult copies the result from its registers.
func takeResult(st *target.Subtarget, b globalisel.Builder, c *target.CallInfo, call mir.InstrID) error {
	f := b.F
	locs, err := assignResult(st, f, c.CC, &c.Ret)
	if err != nil {
		return err
	}
	for _, l := range locs {
		f.AddOp(call, mir.RegOp(reg(l.Reg), mir.Def|mir.Implicit))
	}
	// All copies first: what builds values of them may use any register.
	words := make([]mir.Reg, len(locs))
	for k, l := range locs {
		d := c.Ret.Regs[l.Part]
		switch {
		case l.LLT.IsVector():
			words[k] = f.AddVReg(int16(tab.VR128RegClassID))
		case l.Words == 1 && l.LLT == f.TypeOf(d):
			words[k] = d
		default:
			words[k] = b.New(l.LLT)
		}
		b.Copy(words[k], reg(l.Reg))
	}
	for k := 0; k < len(locs); k += locs[k].Words {
		l := locs[k]
		d := c.Ret.Regs[l.Part]
		switch {
		case words[k] == d:
		case l.LLT.IsVector():
			vectorToGeneric(b, d, words[k])
		default:
			b.JoinWords(d, words[k:k+l.Words])
		}
	}
	return nil
}

// isSiblingCall reports whether a call in tail position may be a jump: nothing
// of it is on the stack, both functions preserve the same registers, no argument
// comes in one of those, and the caller need not return the address of its result.
func isSiblingCall(st *target.Subtarget, f *mir.Function, c *target.CallInfo, a *assignment) bool {
	cc := f.IR.Global().CC
	if a.Stack > 0 || c.VarArg || c.CC != cc || infoOf(f).sret != 0 {
		return false
	}
	if callee, direct := calleeOperand(st, f, c); !direct && callee.Kind() != mir.OpReg {
		return false
	}
	saved := tab.CallConv.SavedRegs(savedList(st, cc))
	for k := range a.Locs {
		for _, r := range saved {
			if a.Locs[k].Reg != 0 && f.Facts.Overlap(r, a.Locs[k].Reg) {
				return false
			}
		}
	}
	return true
}

// lowerTailCall makes a call a jump: a musttail call, or a sibling call.
func lowerTailCall(st *target.Subtarget, b globalisel.Builder, c *target.CallInfo, a *assignment) error {
	f := b.F
	recoverVarArgs(f)
	fi := infoOf(f)
	if a.Stack > 0 || fi.isVarArg || c.VarArg {
		return st.NotSupported(f, "musttail with arguments on the stack or variable arguments")
	}
	uses, err := passArguments(st, b, c, a)
	if err != nil {
		return err
	}
	for _, u := range uses {
		for _, r := range tab.CallConv.SavedRegs(savedList(st, f.IR.Global().CC)) {
			if f.Facts.Overlap(r, desc.PhysReg(u)) {
				return st.NotSupported(f, "musttail with an argument in a register that the caller preserves")
			}
		}
	}
	callee, direct := calleeOperand(st, f, c)
	op := tab.TCRETURNdi64
	if !direct {
		op = tab.TCRETURNri64
		if callee.Kind() != mir.OpReg {
			return st.NotSupported(f, "musttail in the large code model")
		}
		// The operand of a target instruction has a class from the start.
		r := f.AddVReg(int16(tab.GR64_TCRegClassID))
		b.Copy(r, callee.Reg())
		callee = globalisel.Use(r)
	}
	i := b.BuildInstr(op, callee, mir.ImmOp(0), f.RegMask(callPreservedMask(st, f, c.CC)))
	for _, r := range uses {
		f.AddOp(i, mir.RegOp(r, mir.Implicit))
	}
	f.Frame.HasTailCall = true
	c.Tailed = true
	return nil
}

// nativeRMW is ISelHooks.NativeRMW.
func nativeRMW(_ *target.Subtarget, op ir.RMWOp, t mir.LLT, used bool) bool {
	if !t.IsScalar() || t.ScalarBits() > 64 {
		return false
	}
	switch op {
	case ir.RMWXchg, ir.RMWAdd, ir.RMWSub:
		return true
	case ir.RMWAnd, ir.RMWOr, ir.RMWXor:
		return !used
	}
	return false
}

// jumpTableKind is ISelHooks.JumpTableKind: offsets in position-independent code, else addresses.
func jumpTableKind(st *target.Subtarget) mir.JumpTableKind {
	if st.Options.Reloc == target.RelocPIC || st.Options.JIT {
		return mir.JTLabelDiff32
	}
	return mir.JTBlockAddress
}

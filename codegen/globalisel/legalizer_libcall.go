package globalisel

import (
	"github.com/mirin-go/mirin/codegen/legal"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// mathNames are the C library's functions of double; float adds an f.
var mathNames = [...]string{
	desc.G_FREM: "fmod", desc.G_FPOW: "pow", desc.G_FEXP: "exp", desc.G_FEXP2: "exp2", desc.G_FEXP10: "exp10",
	desc.G_FLOG: "log", desc.G_FLOG2: "log2", desc.G_FLOG10: "log10", desc.G_FSIN: "sin", desc.G_FCOS: "cos",
	desc.G_FTAN: "tan", desc.G_FASIN: "asin", desc.G_FACOS: "acos", desc.G_FATAN: "atan", desc.G_FATAN2: "atan2",
	desc.G_FSINH: "sinh", desc.G_FCOSH: "cosh", desc.G_FTANH: "tanh", desc.G_FMA: "fma", desc.G_FFLOOR: "floor",
	desc.G_FCEIL: "ceil", desc.G_INTRINSIC_TRUNC: "trunc", desc.G_FRINT: "rint", desc.G_FNEARBYINT: "nearbyint",
	desc.G_INTRINSIC_ROUND: "round", desc.G_INTRINSIC_ROUNDEVEN: "roundeven", desc.G_FLDEXP: "ldexp",
	desc.G_LROUND: "lround", desc.G_LLROUND: "llround", desc.G_INTRINSIC_LRINT: "lrint", desc.G_INTRINSIC_LLRINT: "llrint",
	desc.G_FSQRT: "sqrt", desc.G_FMINNUM: "fmin", desc.G_FMAXNUM: "fmax",
}

// intNames are the run-time library's functions of integers, without the mode of their width.
var intNames = [...]string{
	desc.G_SDIV: "__div", desc.G_UDIV: "__udiv", desc.G_SREM: "__mod", desc.G_UREM: "__umod", desc.G_MUL: "__mul",
}

// intMode is GCC's name of the width of an integer in the names of functions, "" when there are none.
func intMode(t mir.LLT) string {
	switch t {
	case mir.Scalar(32):
		return "si3"
	case mir.Scalar(64):
		return "di3"
	case mir.Scalar(128):
		return "ti3"
	}
	return ""
}

// nameOf gives the function for an opcode, "" for none.
func nameOf(names []string, op desc.Opcode) string {
	if int(op) < len(names) {
		return names[op]
	}
	return ""
}

// libcall replaces i by a call of a library function.
func (h *Helper) libcall(i mir.InstrID) error {
	f := h.F
	op := f.Instr(i).Opcode
	switch op {
	case desc.G_MEMCPY, desc.G_MEMMOVE, desc.G_MEMSET:
		return h.memCall(i)
	case desc.G_SITOFP, desc.G_UITOFP, desc.G_FPTOSI, desc.G_FPTOUI:
		return h.conversionCall(i)
	case desc.G_FPOWI:
		return h.callFor(i, "__powi"+fpMode(h.regType(i, 0).ScalarBits())+"2")
	case desc.G_FPEXT, desc.G_FPTRUNC:
		return h.fpConvertCall(i)
	case desc.G_FCMP:
		return h.compareCall(i)
	case desc.G_FADD, desc.G_FSUB, desc.G_FMUL, desc.G_FDIV:
		name := map[desc.Opcode]string{desc.G_FADD: "__add", desc.G_FSUB: "__sub", desc.G_FMUL: "__mul", desc.G_FDIV: "__div"}[op]
		return h.callFor(i, name+fpMode(h.regType(i, 0).ScalarBits())+"3")
	}
	t := h.regType(i, 0)
	if name := nameOf(intNames[:], op); name != "" {
		mode := intMode(t)
		if mode == "" {
			return h.unable(i)
		}
		return h.callFor(i, name+mode)
	}
	name := nameOf(mathNames[:], op)
	if name == "" {
		return h.unable(i)
	}
	operand := t
	switch op {
	case desc.G_LROUND, desc.G_LLROUND, desc.G_INTRINSIC_LRINT, desc.G_INTRINSIC_LLRINT:
		operand = h.regType(i, 1)
	}
	switch operand.ScalarBits() {
	case 32:
		name += "f"
	case 64:
	case 80:
		name += "l"
	case 128:
		name += h.quadSuffix()
	default:
		return h.unable(i)
	}
	return h.callFor(i, name)
}

// quadSuffix is what the C library's functions of fp128 have behind their names.
func (h *Helper) quadSuffix() string {
	if s := h.ST.Target.ISel.QuadSuffix; s != nil {
		return s(h.ST)
	}
	return "l"
}

// floatOps tells which operands of an operation are floating point.
func floatOperand(op desc.Opcode, n int) bool {
	switch op {
	case desc.G_SDIV, desc.G_UDIV, desc.G_SREM, desc.G_UREM, desc.G_MUL:
		return false
	case desc.G_FPOWI, desc.G_FLDEXP:
		return n < 2
	case desc.G_LROUND, desc.G_LLROUND, desc.G_INTRINSIC_LRINT, desc.G_INTRINSIC_LLRINT, desc.G_FPTOSI, desc.G_FPTOUI:
		return n == 1
	case desc.G_FPTOSI_SAT, desc.G_FPTOUI_SAT:
		return n == 1
	case desc.G_FCMP:
		return n > 1
	case desc.G_SITOFP, desc.G_UITOFP:
		return n == 0
	}
	return true
}

// irType is the IR type of a scalar of a libcall.
func irType(t mir.LLT, float bool) ir.Type {
	if t.IsPointer() {
		return ir.Ptr
	}
	n := t.ScalarBits()
	if float {
		return fpType(n)
	}
	switch n {
	case 8:
		return ir.Int8
	case 16:
		return ir.Int16
	case 32:
		return ir.Int32
	case 64:
		return ir.Int64
	case 128:
		return ir.Int128
	}
	return ir.NoType
}

// callFor calls name with the operands of i, which gives its result.
func (h *Helper) callFor(i mir.InstrID, name string) error {
	f := h.F
	op := f.Instr(i).Opcode
	d := h.reg(i, 0)
	var args []mir.Reg
	var types []ir.Type
	for n := 1; n < f.Instr(i).NumOps(); n++ {
		r := h.reg(i, n)
		args = append(args, r)
		types = append(types, irType(h.Type(r), floatOperand(op, n)))
	}
	if err := h.Call(name, d, irType(h.Type(d), floatOperand(op, 0)), args, types); err != nil {
		return err
	}
	h.Erase(i)
	h.pushUsers(d)
	return nil
}

// conversionCall converts between floating point and integers.
func (h *Helper) conversionCall(i mir.InstrID) error {
	op := h.F.Instr(i).Opcode
	name, it, ft := "__fix", h.regType(i, 0), h.regType(i, 1)
	switch op {
	case desc.G_FPTOUI:
		name = "__fixuns"
	case desc.G_SITOFP:
		name, it, ft = "__float", ft, it
	case desc.G_UITOFP:
		name, it, ft = "__floatun", ft, it
	}
	fp, mode := fpMode(ft.ScalarBits()), intMode(it)
	if fp == "" || mode == "" {
		return h.unable(i)
	}
	mode = mode[:2]
	if op == desc.G_SITOFP || op == desc.G_UITOFP {
		name += mode + fp
	} else {
		name += fp + mode
	}
	return h.callFor(i, name)
}

// memCall calls memcpy, memmove or memset.
func (h *Helper) memCall(i mir.InstrID) error {
	f := h.F
	name := map[desc.Opcode]string{desc.G_MEMCPY: "memcpy", desc.G_MEMMOVE: "memmove", desc.G_MEMSET: "memset"}[f.Instr(i).Opcode]
	for n := range f.NumMem(i) {
		if f.MemOf(i, n).AddrSpace != 0 {
			return h.unable(i)
		}
	}
	args := []mir.Reg{h.reg(i, 0), h.reg(i, 1), h.reg(i, 2)}
	types := []ir.Type{ir.Ptr, ir.Ptr, irType(h.Type(args[2]), false)}
	if name == "memset" {
		args[1] = h.Resize(desc.G_ZEXT, mir.Scalar(32), args[1])
		types[1] = ir.Int32
	}
	if err := h.Call(name, 0, ir.Void, args, types); err != nil {
		return err
	}
	h.Erase(i)
	return nil
}

// CanInline reports whether a memcpy, memmove or memset has a constant length
// that is worth loads and stores here.
func (h *Helper) CanInline(i mir.InstrID) bool {
	n, ok := ConstOf(h.F, h.reg(i, 2))
	level := 0
	if h.Opt > 0 {
		level = 1
	}
	most := h.Rules.MaxInline[level]
	if k, isConst := ConstOf(h.F, h.reg(i, 1)); h.F.Instr(i).Opcode == desc.G_MEMSET && isConst && k&0xff == 0 && h.blockMove() != nil {
		most *= 2 // stores alone
	}
	return ok && n >= 0 && n <= most
}

// MemTransfer makes loads and stores of a memcpy, memmove or memset where that
// is worth it, else calls the library.
func (h *Helper) MemTransfer(i mir.InstrID) error {
	always := h.F.Instr(i).Opcode == desc.G_MEMCPY_INLINE
	if (always || h.CanInline(i)) && h.inlineMem(i) {
		return nil
	}
	if always {
		return h.unable(i)
	}
	return h.memCall(i)
}

// inlineMem makes loads and stores of a memcpy, memmove or memset of constant
// length: words of 8 bytes, then smaller ones.
func (h *Helper) inlineMem(i mir.InstrID) bool {
	f := h.F
	op := f.Instr(i).Opcode
	n, ok := ConstOf(f, h.reg(i, 2))
	if !ok || n < 0 || n > 4096 {
		return false
	}
	dst, src := h.reg(i, 0), h.reg(i, 1)
	widest := int64(8)
	if h.Rules.Aligned {
		widest = h.alignedPiece(i, n)
	}
	dm := *f.MemOf(i, 0)
	mem := func(m mir.MemOperand, t mir.LLT, off int64) mir.MemOperand {
		m.Type, m.Size, m.Offset = t, int64(t.Bytes()), m.Offset+off
		return m
	}
	type piece struct {
		off int64
		t   mir.LLT
		v   mir.Reg
	}
	var ps []piece
	blocks := h.blockMove()
	if k, isConst := ConstOf(f, src); op == desc.G_MEMSET && !(isConst && k&0xff == 0) {
		blocks = nil
	}
	block := mir.Scalar(8 * blockBytes)
	if blocks != nil {
		widest = blockBytes
	}
	overlap := h.Opt > 0 && !h.Rules.Aligned
	for k := range f.NumMem(i) {
		overlap = overlap && f.MemOf(i, k).Flags&mir.MemVolatile == 0
	}
	for off := int64(0); off < n; {
		size, rest := widest, n-off
		for size > rest {
			size /= 2
		}
		// What is left over is part of an access that begins before, when it takes
		// more than one.
		if rest < widest && size < rest && overlap && 2*size <= n {
			size *= 2
			off = n - size
		}
		ps = append(ps, piece{off: off, t: mir.Scalar(int(8 * size))})
		off += size
	}
	if most := h.Rules.MaxPieces; most != 0 && len(ps) > most && op != desc.G_MEMCPY_INLINE {
		return false
	}
	store := func(v mir.Reg, p *piece) {
		if p.t == block {
			blocks.Store(h.ST, h.Builder.Builder, v, dst, p.off, mem(dm, p.t, p.off))
			return
		}
		h.Store(v, h.PtrAddConst(dst, p.off), mem(dm, p.t, p.off))
	}
	if op == desc.G_MEMSET {
		var zero mir.Reg
		if n >= blockBytes && blocks != nil {
			zero = blocks.Clear(h.Builder.Builder)
		}
		h.setPieces(src, n, func(v func(t mir.LLT) mir.Reg) {
			for k := range ps {
				if ps[k].t == block {
					store(zero, &ps[k])
				} else {
					store(v(ps[k].t), &ps[k])
				}
			}
		})
		h.Erase(i)
		return true
	}
	sm := *f.MemOf(i, 1)
	// memmove loads everything before it stores.
	for k := range ps {
		p := &ps[k]
		if p.t == block {
			p.v = blocks.Load(h.ST, h.Builder.Builder, src, p.off, mem(sm, p.t, p.off))
		} else if v, ok := h.constantAt(src, p.off, p.t.Bytes()); ok && h.Opt > 0 && sm.Flags&mir.MemVolatile == 0 {
			p.v = h.Const(p.t, v)
		} else {
			p.v = h.Load(p.t, h.PtrAddConst(src, p.off), mem(sm, p.t, p.off))
		}
		if op != desc.G_MEMMOVE {
			store(p.v, p)
		}
	}
	if op == desc.G_MEMMOVE {
		for k := range ps {
			store(ps[k].v, &ps[k])
		}
	}
	h.Erase(i)
	return true
}

// alignedPiece is the size of the widest access of a memory operation of n bytes that begins at
// a multiple of itself. A stack object that is written gets the alignment of a word for it.
func (h *Helper) alignedPiece(i mir.InstrID, n int64) int64 {
	f := h.F
	size := int64(h.Rules.Word)
	for size > n && size > 1 {
		size /= 2
	}
	for k := range f.NumMem(i) {
		if k == 1 && h.Opt > 0 {
			if _, ok := h.constantAt(h.reg(i, 1), 0, int(n)); ok {
				break // nothing is read
			}
		}
		align := int64(1) << legal.MemOf(f.MemOf(i, k)).Align
		if d := f.UniqueDef(h.reg(i, k)); k == 0 && d != 0 && f.Instr(d).Opcode == desc.G_FRAME_INDEX && f.Op(d, 1).FrameIndex() >= 0 && align < size {
			// Sizes of sources limit it too.
			if _, ok := h.constantAt(h.reg(i, 1), 0, int(n)); f.NumMem(i) > 1 && !(ok && h.Opt > 0) {
				size = min(size, int64(1)<<legal.MemOf(f.MemOf(i, 1)).Align)
			}
			o := f.Frame.Object(f.Op(d, 1).FrameIndex())
			o.Align = max(o.Align, log2(uint64(size)))
			f.Frame.MaxAlign = max(f.Frame.MaxAlign, o.Align)
			f.MemOf(i, 0).BaseAlign = max(f.MemOf(i, 0).BaseAlign, log2(uint64(size)))
			continue
		}
		size = min(size, align)
	}
	return max(size, 1)
}

// constantAt is the number of size bytes, at most 8, that memory at p + off holds for ever.
func (h *Helper) constantAt(p mir.Reg, off int64, size int) (v int64, ok bool) {
	f := h.F
	for range 4 {
		d := f.UniqueDef(p)
		if d == 0 || f.Module == nil {
			return 0, false
		}
		if f.Instr(d).Opcode == desc.G_GLOBAL_VALUE {
			o := f.Op(d, 1)
			if o.Kind() != mir.OpGlobal || off+o.Offset() != int64(int32(off+o.Offset())) {
				return 0, false
			}
			b, ok := f.Module.ConstantBytes(ir.GlobalID(o.Index()), int(off+o.Offset()), size)
			for k := range b {
				shift := 8 * k
				if h.ST.Layout.BigEndian {
					shift = 8 * (size - 1 - k)
				}
				v |= int64(b[k]) << shift
			}
			return v, ok
		}
		k, ok := int64(0), false
		if f.Instr(d).Opcode == desc.G_PTR_ADD {
			k, ok = ConstOf(f, f.Op(d, 2).Reg())
		}
		if !ok || k != int64(int32(k)) {
			return 0, false
		}
		p, off = f.Op(d, 1).Reg(), off+k
	}
	return 0, false
}

// blockBytes is what a target.BlockMove moves.
const blockBytes = 16

// blockMove gives the target's instructions for blocks, nil where they are not
// there or not wanted.
func (h *Helper) blockMove() *target.BlockMove {
	f := h.F
	if h.Opt == 0 || f.Module == nil || f.IR == nil || f.Module.Attrs.At(f.IR.Global().Attrs).Fn.Has("noimplicitfloat") {
		return nil
	}
	return h.ST.Target.ISel.BlockMove
}

// constByte is the low byte of a constant, which the legalizer may have made a wider one.
func (h *Helper) constByte(r mir.Reg) (int64, bool) {
	if d := h.F.UniqueDef(r); d != 0 && h.F.Instr(d).Opcode == desc.G_TRUNC {
		r = h.reg(d, 1)
	}
	return ConstOf(h.F, r)
}

// setPieces gives do a function that makes the byte b repeated over a type.
func (h *Helper) setPieces(b mir.Reg, n int64, do func(v func(t mir.LLT) mir.Reg)) {
	if k, ok := h.constByte(b); ok {
		do(func(t mir.LLT) mir.Reg { return h.Const(t, spread(uint8(k))) })
		return
	}
	s64 := mir.Scalar(64)
	wide := b
	if n > 1 {
		wide = h.Bin(desc.G_MUL, s64, h.Resize(desc.G_ZEXT, s64, b), h.Const(s64, spread(1)))
	}
	do(func(t mir.LLT) mir.Reg { return h.Resize(desc.G_TRUNC, t, wide) })
}

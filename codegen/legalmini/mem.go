package legalmini

import (
	"github.com/mirin-go/mirin/codegen/globalisel"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// memory makes accesses of odd widths whole bytes, and cuts those of 3, 5, 6 and 7 bytes.
func (l *legal) memory(i mir.InstrID, op desc.Opcode) {
	f := l.f
	if f.NumMem(i) == 0 {
		return
	}
	r, p := l.use(i, 0), l.use(i, 1)
	t := l.Type(r)
	m := *f.MemOf(i, 0)
	bitsMem := m.Type.Bits()
	if m.Type == 0 {
		bitsMem = int(m.Size) * 8
	}
	bytes := (bitsMem + 7) / 8
	if bitsMem == t.Bits() {
		return
	}
	if bytes*8 != bitsMem && op == desc.G_STORE {
		r = l.exactTo(r, bitsMem)
		f.SetReg(i, 0, r)
	}
	if bytes&(bytes-1) == 0 {
		m.Type, m.Size = mir.Scalar(bytes*8), int64(bytes)
		f.SetMem(i, f.AddMem(m))
		if bytes*8 != t.Bits() {
			if op == desc.G_STORE {
				f.SetReg(i, 0, l.Un(desc.G_TRUNC, mir.Scalar(bytes*8), r))
			} else if op == desc.G_LOAD {
				f.Instr(i).Opcode = desc.G_ZEXTLOAD
			}
		}
		return
	}
	// Largest power of two first.
	part := func(off, n int) mir.MemOperand {
		x := m
		x.Type, x.Size, x.Offset = mir.Scalar(n*8), int64(n), m.Offset+int64(off)
		x.Flags &^= mir.MemLoad | mir.MemStore
		return x
	}
	s8 := mir.Scalar(8)
	var acc mir.Reg
	for off := 0; off < bytes; {
		n := 4
		for n > bytes-off {
			n /= 2
		}
		addr := l.PtrAddConst(p, int64(off))
		if op == desc.G_STORE {
			v := r
			if off > 0 {
				v = l.Bin(desc.G_LSHR, t, r, l.Const(s8, int64(8*off)))
			}
			l.Store(l.Resize(desc.G_ANYEXT, mir.Scalar(8*n), v), addr, part(off, n))
		} else {
			v := l.Resize(desc.G_ZEXT, t, l.Load(mir.Scalar(8*n), addr, part(off, n)))
			if off > 0 {
				v = l.Bin(desc.G_OR, t, acc, l.Bin(desc.G_SHL, t, v, l.Const(s8, int64(8*off))))
			}
			acc = v
		}
		off += n
	}
	if op == desc.G_STORE {
		f.Erase(i)
		return
	}
	if op == desc.G_SEXTLOAD {
		acc = l.sextInReg(acc, bitsMem)
	}
	l.done(i, acc)
}

func (l *legal) exactTo(r mir.Reg, n int) mir.Reg {
	t := l.Type(r)
	return l.Bin(desc.G_AND, t, r, l.Const(t, int64(uint64(1)<<n-1)))
}

// libcall calls a C library function and puts its result into the result of i.
func (l *legal) libcall(i mir.InstrID, name string, ret ir.Type, args ...target.CallArg) {
	c := &target.CallInfo{Symbol: name, Args: args, NumFixed: len(args)}
	c.Ret = target.CallArg{Type: ir.Void}
	if ret != ir.Void {
		d := l.use(i, 0)
		c.Ret = target.CallArg{Type: ret, Regs: []mir.Reg{d}, Parts: []target.Part{{Type: ret, LLT: l.Type(d)}}}
	}
	l.err = l.st.Target.ISel.LowerCall(l.st, l.Builder.Builder, c)
	if l.err == nil {
		l.f.Erase(i)
	}
}

func (l *legal) arg(t ir.Type, r mir.Reg) target.CallArg {
	return target.CallArg{Type: t, Regs: []mir.Reg{r}, Parts: []target.Part{{Type: t, LLT: l.Type(r)}}}
}

// memFunc turns block operations into calls, small constant ones into moves.
func (l *legal) memFunc(i mir.InstrID, op desc.Opcode) {
	f := l.f
	dst, n := l.use(i, 0), l.use(i, 2)
	size := n
	if op == desc.G_BZERO {
		size = l.use(i, 1)
	}
	if v, ok := globalisel.ConstOf(f, size); ok && v >= 0 && v <= 64 && op != desc.G_BZERO && f.NumMem(i) > 0 && f.MemOf(i, 0).Flags&mir.MemVolatile == 0 {
		if l.inline(i, op, dst, l.use(i, 1), int(v)) {
			return
		}
	}
	if t := l.Type(size); t.Bits() != 64 {
		size = l.Un(desc.G_ZEXT, mir.Scalar(64), l.exact(size, false))
	}
	switch op {
	case desc.G_MEMCPY, desc.G_MEMCPY_INLINE, desc.G_MEMMOVE:
		name := "memcpy"
		if op == desc.G_MEMMOVE {
			name = "memmove"
		}
		l.libcall(i, name, ir.Void, l.arg(ir.Ptr, dst), l.arg(ir.Ptr, l.use(i, 1)), l.arg(ir.Int64, size))
	case desc.G_MEMSET:
		v := l.Resize(desc.G_ZEXT, mir.Scalar(32), l.use(i, 1))
		l.libcall(i, "memset", ir.Void, l.arg(ir.Ptr, dst), l.arg(ir.Int32, v), l.arg(ir.Int64, size))
	default:
		v := l.Const(mir.Scalar(32), 0)
		l.libcall(i, "memset", ir.Void, l.arg(ir.Ptr, dst), l.arg(ir.Int32, v), l.arg(ir.Int64, size))
	}
}

// inline moves a small block in registers: all loads come before the stores,
// so that it serves memmove too.
func (l *legal) inline(i mir.InstrID, op desc.Opcode, dst, src mir.Reg, n int) bool {
	f := l.f
	md := *f.MemOf(i, 0)
	ms := md
	if f.NumMem(i) > 1 {
		ms = *f.MemOf(i, 1)
	}
	var fill mir.Reg
	if op == desc.G_MEMSET {
		v, ok := globalisel.ConstOf(f, src)
		if !ok {
			return false
		}
		b := uint64(byte(v))
		fill = l.Const(mir.Scalar(64), int64(b*0x0101010101010101))
	}
	type piece struct {
		off, n int
		v      mir.Reg
	}
	var ps []piece
	for off := 0; off < n; {
		k := 8
		for k > n-off {
			k /= 2
		}
		ps = append(ps, piece{off: off, n: k})
		off += k
	}
	access := func(m mir.MemOperand, p piece) mir.MemOperand {
		m.Type, m.Size, m.Offset = mir.Scalar(p.n*8), int64(p.n), m.Offset+int64(p.off)
		m.Flags &^= mir.MemLoad | mir.MemStore
		return m
	}
	for k := range ps {
		p := &ps[k]
		if fill != 0 {
			p.v = l.Resize(desc.G_TRUNC, mir.Scalar(p.n*8), fill)
		} else {
			p.v = l.Load(mir.Scalar(p.n*8), l.PtrAddConst(src, int64(p.off)), access(ms, *p))
		}
	}
	for _, p := range ps {
		l.Store(p.v, l.PtrAddConst(dst, int64(p.off)), access(md, p))
	}
	f.Erase(i)
	return true
}

// stack lowers dynamic allocation and variable arguments.
func (l *legal) stack(i mir.InstrID, op desc.Opcode) {
	f := l.f
	switch op {
	case desc.G_DYN_STACKALLOC:
		rsp, ok := f.Facts.RegByName("rsp")
		if !ok {
			l.fail(i)
			return
		}
		s64, p0 := mir.Scalar(64), mir.Pointer(0, 64)
		sp := l.New(p0)
		l.Copy(sp, mir.Reg(rsp))
		v := l.Bin(desc.G_SUB, s64, l.Un(desc.G_PTRTOINT, s64, sp), l.use(i, 1))
		align := max(f.Op(i, 2).Imm(), 16)
		v = l.Bin(desc.G_AND, s64, v, l.Const(s64, -align))
		np := l.Un(desc.G_INTTOPTR, p0, v)
		l.Copy(mir.Reg(rsp), np)
		l.done(i, np)
	default:
		if h := l.st.Target.ISel.LegalizeCustom; h != nil {
			ok, err := h(l.st, l.Builder.Builder, i)
			if l.err = err; ok || err != nil {
				return
			}
		}
		if op == desc.G_VASTART || op == desc.G_VAARG {
			l.fail(i)
		}
	}
}

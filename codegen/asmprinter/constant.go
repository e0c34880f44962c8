package asmprinter

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"

	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mc"
)

// constant writes a constant's bytes as it lies in memory.
func (p *Printer) constant(pool *ir.ConstPool, v ir.Value, ty ir.Type) error {
	t, dl := p.Mod.Types, p.M.Layout
	size := int64(dl.SizeOf(t, ty))
	c := v.Const()
	if c == 0 {
		return p.emitAddress(pool, v, int(size))
	}
	r := pool.At(c)
	switch r.Kind {
	case ir.ConstZero, ir.ConstNull, ir.ConstUndef, ir.ConstPoison:
		p.zeros(size)
		return nil
	case ir.ConstInt, ir.ConstFP:
		p.number(pool.Words(c), int64(dl.StoreSize(t, ty)), size)
		return nil
	case ir.ConstData:
		return p.data(pool.Data(c), ty, size)
	case ir.ConstArray, ir.ConstVector:
		if r.Kind == ir.ConstVector && t.IntBits(t.Elem(ty)) == 1 {
			return errors.New("a vector of i1 in memory is not supported")
		}
		for _, o := range pool.Ops(c) {
			if err := p.constant(pool, o, t.Elem(ty)); err != nil {
				return err
			}
		}
		if r.Kind == ir.ConstVector {
			p.zeros(size - int64(t.NumElems(ty)*dl.SizeOf(t, t.Elem(ty))))
		}
		return nil
	case ir.ConstSplat:
		for range t.NumElems(ty) {
			if err := p.constant(pool, pool.Ops(c)[0], t.Elem(ty)); err != nil {
				return err
			}
		}
		return nil
	case ir.ConstStruct:
		return p.structure(pool, c, ty, size)
	}
	return p.emitAddress(pool, v, int(size))
}

// zeros writes n zero bytes; n may be 0.
func (p *Printer) zeros(n int64) {
	if n > 0 {
		p.Out.Zeros(uint64(n))
	}
}

// number writes words, low first, in store bytes and pads to size.
func (p *Printer) number(words []uint64, store, size int64) {
	left := store
	for _, w := range words {
		n := min(left, 8)
		if n == 1 || n == 2 || n == 4 || n == 8 {
			p.Out.Int(w, int(n))
		} else {
			var b [8]byte
			binary.LittleEndian.PutUint64(b[:], w)
			for _, x := range b[:n] {
				p.Out.Int(uint64(x), 1)
			}
		}
		left -= n
	}
	p.zeros(left + size - store)
}

// data writes the elements of a ConstData.
func (p *Printer) data(b []byte, ty ir.Type, size int64) error {
	t := p.Mod.Types
	elem := t.Elem(ty)
	n := int(p.M.Layout.SizeOf(t, elem))
	if n == 1 {
		p.Out.Bytes(b)
	} else {
		step := (t.IntBits(elem) + t.FloatBits(elem) + 7) / 8
		if t.Kind(elem) == ir.KindPointer {
			step = n
		}
		for ; len(b) >= step; b = b[step:] {
			var w [8]byte
			copy(w[:], b[:step])
			p.number([]uint64{binary.LittleEndian.Uint64(w[:])}, int64(step), int64(n))
		}
	}
	p.zeros(size - int64(t.NumElems(ty))*int64(n))
	return nil
}

func (p *Printer) structure(pool *ir.ConstPool, c ir.ConstID, ty ir.Type, size int64) error {
	t := p.Mod.Types
	offs, _, _ := p.M.Layout.StructLayout(t, ty)
	at := int64(0)
	for k, o := range pool.Ops(c) {
		m := t.Subtypes(ty)[k]
		p.zeros(int64(offs[k]) - at)
		if err := p.constant(pool, o, m); err != nil {
			return err
		}
		at = int64(offs[k] + p.M.Layout.SizeOf(t, m))
	}
	p.zeros(size - at)
	return nil
}

func (p *Printer) emitAddress(pool *ir.ConstPool, v ir.Value, size int) error {
	e, err := p.expr(pool, v)
	if err != nil {
		return err
	}
	if size != 1 && size != 2 && size != 4 && size != 8 {
		return fmt.Errorf("an address of %d bytes is not supported", size)
	}
	if e.Sym == 0 {
		p.Out.Int(uint64(e.Off), size)
		return nil
	}
	p.Out.Value(p.mcExpr(e), size)
	return nil
}

// address is a constant reduced to Sym - Sub + Off.
type address struct {
	Sym, Sub mc.Sym
	Off      int64
}

func (p *Printer) mcExpr(a address) mc.Expr {
	if a.Sym == 0 {
		return p.Ctx.Const(a.Off)
	}
	if a.Sub == 0 {
		return p.Ctx.RefOff(a.Sym, mc.ModNone, a.Off)
	}
	return p.Ctx.AddConst(p.Ctx.Diff(a.Sym, a.Sub), a.Off)
}

// expr reduces a constant to an address.
func (p *Printer) expr(pool *ir.ConstPool, v ir.Value) (address, error) {
	if g := v.Global(); g != 0 {
		return address{Sym: p.Sym(g)}, nil
	}
	c := v.Const()
	if c == 0 {
		return address{}, errors.New("an initializer that is no constant")
	}
	r := pool.At(c)
	switch r.Kind {
	case ir.ConstInt:
		n, ok := pool.SignedInt(p.Mod.Types, v)
		if !ok {
			return address{}, errors.New("an integer of more than 64 bits in an address is not supported")
		}
		return address{Off: n}, nil
	case ir.ConstNull, ir.ConstZero, ir.ConstUndef, ir.ConstPoison:
		return address{}, nil
	case ir.ConstBlockAddr:
		return address{Sym: p.irBlock(ir.GlobalID(r.Off), ir.BlockID(r.Bits))}, nil
	case ir.ConstDSOLocalEquivalent, ir.ConstNoCFI:
		return p.expr(pool, pool.Ops(c)[0])
	case ir.ConstExpr:
		return p.constExpr(pool, c, r)
	}
	return address{}, fmt.Errorf("constant kind %d in an address is not supported", r.Kind)
}

func (p *Printer) constExpr(pool *ir.ConstPool, c ir.ConstID, r *ir.Const) (address, error) {
	ops := pool.Ops(c)
	a, err := p.expr(pool, ops[0])
	if err != nil {
		return a, err
	}
	switch r.Op {
	case ir.OpPtrToInt, ir.OpPtrToAddr, ir.OpIntToPtr, ir.OpBitCast, ir.OpAddrSpaceCast, ir.OpTrunc:
		return a, nil
	case ir.OpGEP:
		off, ok := p.M.Layout.ConstExprGEPOffset(p.Mod, pool, c)
		if !ok {
			return a, errors.New("a getelementptr without a constant offset is not supported")
		}
		a.Off += off
		return a, nil
	case ir.OpAdd, ir.OpSub:
		b, err := p.expr(pool, ops[1])
		if err != nil {
			return b, err
		}
		if r.Op == ir.OpSub {
			if b.Sub != 0 || a.Sub != 0 {
				return a, errors.New("a difference of differences is not supported")
			}
			a.Sub, a.Off = b.Sym, a.Off-b.Off
			if a.Sub == a.Sym {
				a.Sym, a.Sub = 0, 0
			}
			return a, nil
		}
		if a.Sym != 0 && b.Sym != 0 {
			return a, errors.New("a sum of addresses is not supported")
		}
		b.Off += a.Off
		if a.Sym != 0 {
			a.Off = b.Off
			return a, nil
		}
		return b, nil
	}
	return a, fmt.Errorf("this constant expression in an initializer is not supported")
}

// constantPool writes the function's constants into mergeable sections.
func (p *Printer) constantPool() error {
	f := p.f
	pool := f.IRConsts()
	for k := range f.Consts {
		c := &f.Consts[k]
		if c.Target != "" || c.Value.Const() == 0 {
			return p.st.NotSupported(f, "a target's own constant pool entry")
		}
		ty := pool.At(c.Value.Const()).Type
		size := int(p.M.Layout.SizeOf(p.Mod.Types, ty))
		name, fl, ent := ".rodata", mc.FlagAlloc, 0
		switch size {
		case 4, 8, 16, 32:
			name, fl, ent = ".rodata.cst"+strconv.Itoa(size), fl|mc.FlagMerge, size
		}
		p.Out.SwitchSection(p.section(name, mc.SecProgBits, fl, ent, ""))
		p.Out.Align(c.Align, 0, 0)
		p.consts[k] = p.Ctx.Symbol(".LCPI" + strconv.Itoa(p.funcNum) + "_" + strconv.Itoa(k))
		p.Out.Label(p.consts[k])
		if err := p.constant(pool, c.Value, ty); err != nil {
			return err
		}
	}
	return nil
}

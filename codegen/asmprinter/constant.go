package asmprinter

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
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
		p.number(pool.Words(c), ty, int64(dl.StoreSize(t, ty)), size)
		return nil
	case ir.ConstData:
		return p.data(pool.Data(c), ty, size)
	case ir.ConstArray, ir.ConstVector:
		if r.Kind == ir.ConstVector && p.packed(ty) {
			return p.bitVector(pool, pool.Ops(c), ty, size)
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
		if p.packed(ty) {
			return p.bitVector(pool, slices.Repeat(pool.Ops(c)[:1], int(t.NumElems(ty))), ty, size)
		}
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

// number writes words, low first, in store bytes and pads to size. As in LLVM,
// words of 8 bytes come first, then the largest powers of two that what is left
// has room for.
func (p *Printer) number(words []uint64, ty ir.Type, store, size int64) {
	big := p.M.Layout.BigEndian
	if store == 1 || store == 2 || store == 4 || store == 8 {
		p.Out.Int(words[0], int(store))
		p.zeros(size - store)
		return
	}
	b := make([]byte, 0, 8*len(words))
	for _, w := range words {
		if big && p.Mod.Types.Kind(ty) == ir.KindPPCFP128 { // two doubles, the first one first
			b = binary.BigEndian.AppendUint64(b, w)
			continue
		}
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	for int64(len(b)) < store {
		b = append(b, 0)
	}
	b = b[:store]
	if big && p.Mod.Types.Kind(ty) != ir.KindPPCFP128 {
		slices.Reverse(b)
	}
	for n := 8; len(b) > 0; {
		if n > len(b) {
			n /= 2
			continue
		}
		p.Out.Int(mc.GetInt(b[:n], big), n)
		b = b[n:]
	}
	p.zeros(size - store)
}

// packed reports a vector whose elements lie in memory without gaps, bit by bit.
func (p *Printer) packed(ty ir.Type) bool {
	t := p.Mod.Types
	elem := t.Elem(ty)
	return t.Kind(ty) != ir.KindArray && t.Kind(elem) == ir.KindInteger && uint64(t.IntBits(elem)) != 8*p.M.Layout.SizeOf(t, elem)
}

// bitVector writes a packed vector as the integer of all its bits: element 0
// has the lowest bits in little-endian memory, the highest in big-endian memory.
func (p *Printer) bitVector(pool *ir.ConstPool, elems []ir.Value, ty ir.Type, size int64) error {
	t := p.Mod.Types
	width := t.IntBits(t.Elem(ty))
	words := make([]uint64, (width*len(elems)+63)/64)
	for k, v := range elems {
		c := v.Const()
		if c == 0 {
			return errors.New("an address in a vector of small integers is not supported")
		}
		switch pool.At(c).Kind {
		case ir.ConstZero, ir.ConstUndef, ir.ConstPoison:
			continue
		case ir.ConstInt:
		default:
			return errors.New("an address in a vector of small integers is not supported")
		}
		at := k * width
		if p.M.Layout.BigEndian {
			at = (len(elems) - 1 - k) * width
		}
		for i := range width {
			if pool.Words(c)[i/64]>>(i%64)&1 != 0 {
				words[(at+i)/64] |= 1 << ((at + i) % 64)
			}
		}
	}
	p.number(words, ty, int64(p.M.Layout.StoreSize(t, ty)), size)
	return nil
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
			p.number([]uint64{binary.LittleEndian.Uint64(w[:])}, elem, int64(step), int64(n))
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
		fn, b := ir.GlobalID(r.Off), ir.BlockID(r.Bits)
		if !p.reached.Block(p.Mod.Globals[fn].Func, b) {
			return address{Off: 1}, nil // no code is made for the block: LLVM's value for it
		}
		return address{Sym: p.irBlock(fn, b)}, nil
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
		p.Out.SwitchSection(p.section(name, mc.SecProgBits, fl, ent, 0))
		p.Out.Align(c.Align, 0, 0)
		p.consts[k] = p.local("CPI"+strconv.Itoa(p.funcNum)+"_", k)
		p.Out.Label(p.consts[k])
		if err := p.constant(pool, c.Value, ty); err != nil {
			return err
		}
	}
	return nil
}

package bitcode

import "github.com/mirin-go/mirin/ir"

// pooled are the constants that a block needs besides a pool's: integers of
// the module's metadata, shuffle masks and inline assembly of a body.
type pooled struct {
	elems []int64 // i32 elements of masks with poison (-1) in them
	masks []maskConst
	asms  []uint32 // indices into Module.InlineAsms
}

type maskConst struct {
	t    ir.Type
	mask []int64
}

func castNum(op ir.Op) uint64 {
	for i, x := range castOps {
		if x == op {
			return uint64(i)
		}
	}
	return 0
}

// binNum returns the number of a binary operation.
func binNum(op ir.Op) (n uint64, ok bool) {
	for i, x := range binOps {
		if op != 0 && (x[0] == op || x[1] == op) {
			return uint64(i), true
		}
	}
	return 0, false
}

func gepBits(f ir.Flags) (n uint64) {
	if f&ir.InBounds != 0 {
		n |= 1
	}
	if f&ir.NUSW != 0 || f&ir.InBounds != 0 {
		n |= 2
	}
	if f&ir.NUW != 0 {
		n |= 4
	}
	return n
}

// constants writes the constants block of the module or of a function.
func (w *writer) constants(pool *ir.ConstPool, c *constIDs, first uint32, extra *pooled) {
	ints := w.intList
	if extra != nil {
		ints = nil
	}
	if len(c.list)+len(ints) == 0 && (extra == nil || len(extra.masks)+len(extra.asms) == 0) {
		return
	}
	w.enter(blkConstants, 4)
	w.cstAggregate, w.cstString = 0, 0
	if extra == nil {
		w.dataAbbrevs()
	}
	cur := ir.NoType
	set := func(t ir.Type) {
		if t != cur {
			w.short(abvSetType, w.std.consts[0], cstSetType, []uint64{w.typ(t)})
			cur = t
		}
	}
	for _, id := range c.list {
		set(pool.At(id).Type)
		w.constant(pool, c, id)
	}
	for _, v := range ints {
		set(ir.Int64)
		if v == 0 {
			w.record(cstNull)
		} else {
			w.integer(sign(v))
		}
	}
	if extra != nil {
		for _, e := range extra.elems {
			set(ir.Int32)
			if e < 0 {
				w.record(cstPoison)
			} else {
				w.integer(sign(e))
			}
		}
		for _, m := range extra.masks {
			set(m.t)
			w.mask(m)
		}
		for _, i := range extra.asms {
			set(ir.Ptr)
			a := &w.m.InlineAsms()[i]
			r := append(w.rec[:0], w.typ(a.Type), bit(a.SideEffect)|bit(a.AlignStack)<<1|bit(a.Intel)<<2|bit(a.Unwind)<<3, uint64(len(a.Asm)))
			for k := 0; k < len(a.Asm); k++ {
				r = append(r, uint64(a.Asm[k]))
			}
			r = append(r, uint64(len(a.Constraints)))
			for k := 0; k < len(a.Constraints); k++ {
				r = append(r, uint64(a.Constraints[k]))
			}
			w.record(cstAsm, r...)
			w.rec = r
		}
	}
	w.leave()
}

// dataAbbrevs defines the abbreviations of aggregates and strings that the module's constants have.
func (w *writer) dataAbbrevs() {
	array := abbrevOp{kind: encArray}
	w.aggregateOf = abbrev{lit(cstAggregate), array, fixed(max(1, bitsFor(uint64(w.numVals))))}
	w.cstAggregate = w.define(w.aggregateOf)
	w.cstString = w.define(stringAbbrev(cstString, 8))
	w.define(stringAbbrev(cstCString, 7))
	w.define(stringAbbrev(cstCString, 6))
}

func stringAbbrev(code uint64, bits int) abbrev {
	char := abbrevOp{kind: encChar6}
	if bits > 6 {
		char = fixed(uint64(bits))
	}
	return abbrev{lit(code), {kind: encArray}, char}
}

func (w *writer) integer(v uint64) {
	w.short(abvInteger, w.std.consts[abvInteger-firstAbbrev], cstInteger, []uint64{v})
}

func (w *writer) aggregate(r []uint64) {
	if w.cstAggregate == 0 {
		w.record(cstAggregate, r...)
		return
	}
	w.short(w.cstAggregate, w.aggregateOf, cstAggregate, r)
}

// chars writes an array of i8, without the zero at its end where it has one.
func (w *writer) chars(r []uint64) {
	code := uint32(cstString)
	if n := len(r); n > 0 && r[n-1] == 0 {
		code, r = cstCString, r[:n-1]
	}
	if w.cstString == 0 {
		w.record(code, r...)
		return
	}
	id, bits := w.cstString, 8
	if code == cstCString {
		switch bits = charBits(text(r, 0)); bits {
		case 7:
			id++
		case 6:
			id += 2
		default: // no abbreviation has it
			w.record(code, r...)
			return
		}
	}
	w.short(id, stringAbbrev(uint64(code), bits), code, r)
}

// mask writes a shuffle mask as a constant that brings its elements along.
func (w *writer) mask(m maskConst) {
	zero, poison, plain := true, true, true
	for _, x := range m.mask {
		zero, poison, plain = zero && x == 0, poison && x < 0, plain && x >= 0
	}
	switch {
	case zero:
		w.record(cstNull)
	case poison:
		w.record(cstPoison)
	case plain:
		r := w.rec[:0]
		for _, x := range m.mask {
			r = append(r, uint64(uint32(x)))
		}
		w.record(cstData, r...)
		w.rec = r
	default:
		w.record(cstAggregate, w.maskElems(m)...)
	}
}

// maskElems are the value numbers of the elements of a mask with poison in it.
func (w *writer) maskElems(m maskConst) []uint64 {
	r := w.rec[:0]
	for _, x := range m.mask {
		r = append(r, uint64(w.fn.maskElem[x]))
	}
	w.rec = r
	return r
}

func (w *writer) constant(pool *ir.ConstPool, c *constIDs, id ir.ConstID) {
	x := pool.At(id)
	ref := func(v ir.Value) uint64 {
		switch v.Tag() {
		case ir.TagGlobal:
			return uint64(w.values[v.Global()])
		case ir.TagConst:
			return uint64(c.ids[v.Const()] - 1)
		}
		w.fail("a constant is made of what is none")
		return 0
	}
	r := w.rec[:0]
	switch x.Kind {
	case ir.ConstNull, ir.ConstZero, ir.ConstTokenNone:
		w.record(cstNull)
	case ir.ConstUndef:
		w.record(cstUndef)
	case ir.ConstPoison:
		w.record(cstPoison)
	case ir.ConstInt:
		if isZero(pool, ir.ConstVal(id)) {
			w.record(cstNull)
			return
		}
		bits := uint(w.t.IntBits(x.Type))
		words := pool.Words(id)
		if bits <= 64 {
			w.integer(sign(int64(words[0]<<(64-bits)) >> (64 - bits)))
			return
		}
		for len(words) > 1 && words[len(words)-1] == 0 {
			words = words[:len(words)-1]
		}
		for _, n := range words {
			r = append(r, sign(int64(n)))
		}
		w.record(cstWideInteger, r...)
	case ir.ConstFP:
		if isZero(pool, ir.ConstVal(id)) {
			w.record(cstNull)
			return
		}
		words := pool.Words(id)
		switch {
		case x.Type == ir.X86FP80:
			w.record(cstFloat, words[0]>>16|words[1]<<48, words[0]&0xffff)
		default:
			w.record(cstFloat, words...)
		}
	case ir.ConstArray, ir.ConstStruct, ir.ConstVector:
		for _, o := range pool.Ops(id) {
			r = append(r, ref(o))
		}
		w.aggregate(r)
	case ir.ConstSplat:
		w.splat(pool, c, id, ref(pool.Ops(id)[0]))
	case ir.ConstData:
		size := elemSize(w.t, w.t.Elem(x.Type))
		for d := pool.Data(id); len(d) >= size && size > 0; d = d[size:] {
			n := uint64(0)
			for k := range size {
				n |= uint64(d[k]) << (8 * k)
			}
			r = append(r, n)
		}
		if w.t.Elem(x.Type) == ir.Int8 && w.t.Kind(x.Type) == ir.KindArray {
			w.chars(r)
		} else {
			w.record(cstData, r...)
		}
	case ir.ConstExpr:
		w.constExpr(pool, c, id, ref)
	case ir.ConstBlockAddr:
		g := ir.GlobalID(x.Off)
		w.record(cstBlockAddress, w.typ(w.t.Pointer(w.m.Globals[g].AddrSpace)), uint64(w.values[g]), w.blockOf(g, ir.BlockID(x.Bits)))
	case ir.ConstDSOLocalEquivalent, ir.ConstNoCFI:
		code := uint32(cstDSOLocalEq)
		if x.Kind == ir.ConstNoCFI {
			code = cstNoCFI
		}
		v := pool.Ops(id)[0]
		w.record(code, w.typ(x.Type), ref(v))
	case ir.ConstPtrAuth:
		for _, o := range pool.Ops(id) {
			r = append(r, ref(o))
		}
		if len(r) == 4 {
			w.record(cstPtrAuth, r...)
		} else {
			w.record(cstPtrAuth2, r...)
		}
	default:
		w.fail("a constant of an unknown kind")
	}
	w.rec = r
}

// blockOf returns the place of a block in its function.
func (w *writer) blockOf(g ir.GlobalID, b ir.BlockID) uint64 {
	if f := w.m.Globals[g].Func; f != nil {
		for i, x := range f.Order {
			if x == b {
				return uint64(i)
			}
		}
	}
	w.fail("blockaddress of a block that is not in its function")
	return 0
}

// splat writes a vector with one value in every lane. For scalable vectors
// that is a shuffle of an inserted element, which needs constants of its own.
func (w *writer) splat(pool *ir.ConstPool, c *constIDs, id ir.ConstID, elem uint64) {
	x := pool.At(id)
	if w.t.Kind(x.Type) == ir.KindScalableVector {
		// LLVM 22 reads numbers of vector type as splats.
		e := pool.At(pool.Ops(id)[0].Const())
		switch e.Kind {
		case ir.ConstInt:
			bits := uint(w.t.IntBits(e.Type))
			if bits <= 64 {
				w.integer(sign(int64(e.Bits<<(64-bits)) >> (64 - bits)))
				return
			}
		case ir.ConstFP:
			if e.N == 0 {
				w.record(cstFloat, e.Bits)
				return
			}
		}
		w.fail("a splat of a scalable vector is not supported")
		return
	}
	r := w.rec[:0]
	n := w.t.NumElems(x.Type)
	if n > 1<<24 {
		w.fail("a vector is too long")
		return
	}
	for range n {
		r = append(r, elem)
	}
	w.record(cstAggregate, r...)
	w.rec = r
}

func (w *writer) constExpr(pool *ir.ConstPool, c *constIDs, id ir.ConstID, ref func(ir.Value) uint64) {
	x := pool.At(id)
	ops := pool.Ops(id)
	typeOf := func(v ir.Value) uint64 {
		if v.Tag() == ir.TagGlobal {
			return w.typ(w.t.Pointer(w.m.Globals[v.Global()].AddrSpace))
		}
		return w.typ(pool.At(v.Const()).Type)
	}
	r := w.rec[:0]
	switch {
	case x.Op == ir.OpGEP:
		r = append(r, w.typ(x.SrcType), gepBits(x.Flags))
		code := uint32(cstGEP)
		if x.Flags&ir.HasInRange != 0 {
			code = cstGEPInRange
			n := len(ops) - 2
			lo, _ := pool.SignedInt(w.t, ops[n])
			hi, _ := pool.SignedInt(w.t, ops[n+1])
			bits := uint64(64)
			if dl, err := ir.ParseDataLayout(w.m.DataLayout); err == nil {
				if v := ops[0]; v.Tag() == ir.TagGlobal {
					bits = uint64(dl.IndexBits(w.m.Globals[v.Global()].AddrSpace))
				}
			}
			r = append(r, bits, sign(lo), sign(hi))
			ops = ops[:n]
		}
		for _, o := range ops {
			r = append(r, typeOf(o), ref(o))
		}
		w.record(code, r...)
	case x.Op >= ir.OpTrunc && x.Op <= ir.OpAddrSpaceCast:
		w.short(abvCECast, w.std.consts[abvCECast-firstAbbrev], cstCast, append(r, castNum(x.Op), typeOf(ops[0]), ref(ops[0])))
	case x.Op == ir.OpExtractElement:
		w.record(cstExtractElt, typeOf(ops[0]), ref(ops[0]), typeOf(ops[1]), ref(ops[1]))
	case x.Op == ir.OpInsertElement:
		w.record(cstInsertElt, ref(ops[0]), ref(ops[1]), typeOf(ops[2]), ref(ops[2]))
	case x.Op == ir.OpShuffleVector:
		if typeOf(ops[0]) == w.typ(x.Type) {
			w.record(cstShuffleVec, ref(ops[0]), ref(ops[1]), ref(ops[2]))
		} else {
			w.record(cstShuffleVecEx, typeOf(ops[0]), ref(ops[0]), ref(ops[1]), ref(ops[2]))
		}
	default:
		n, ok := binNum(x.Op)
		if !ok {
			w.fail("constant expression %v is not supported", x.Op)
			return
		}
		r = append(r, n, ref(ops[0]), ref(ops[1]))
		if f := binFlagBits(x.Op, x.Flags); f != 0 {
			r = append(r, f)
		}
		w.record(cstBinop, r...)
	}
	w.rec = r
}

// binFlagBits encodes the optional flags of an operation.
func binFlagBits(op ir.Op, f ir.Flags) (n uint64) {
	switch op {
	case ir.OpAdd, ir.OpSub, ir.OpMul, ir.OpShl, ir.OpTrunc:
		return bit(f&ir.NUW != 0) | bit(f&ir.NSW != 0)<<1
	case ir.OpUDiv, ir.OpSDiv, ir.OpLShr, ir.OpAShr:
		return bit(f&ir.Exact != 0)
	case ir.OpOr:
		return bit(f&ir.Disjoint != 0)
	case ir.OpZExt, ir.OpUIToFP:
		n = bit(f&ir.NNeg != 0)
	}
	return n
}

func fmfBits(f ir.Flags) (n uint64) {
	for i, x := range [...]ir.Flags{ir.NoNaNs, ir.NoInfs, ir.NoSignedZeros, ir.AllowReciprocal, ir.Contract, ir.ApproxFunc, ir.Reassoc} {
		if f&x != 0 {
			n |= 2 << i
		}
	}
	return n
}

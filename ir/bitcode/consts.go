package bitcode

import (
	"math/big"

	"github.com/mirin-go/mirin/ir"
)

// rawConst is a record of a constants block that has not been made a constant yet.
type rawConst struct {
	code    uint32
	tid     uint32 // id of its type
	t       ir.Type
	off, n  uint32 // operands in constReader.ops
	state   uint8  // 0 waiting, 1 on the stack, 2 done
	derived uint32 // id of the result's type in files with typed pointers
}

// constReader turns the records of one constants block into constants.
// Records may refer to later ones, so that they are kept until the block ends.
type constReader struct {
	r    *reader
	c    *cursor
	pool *ir.ConstPool
	body *bodyReader // nil for the module's constants
	raw  []rawConst
	ops  []uint64
	vals []value
	base int // value number of the first record
	todo []uint32
	bits []byte
	args []ir.Value
}

// block reads a constants block and appends its constants to vals. In a body,
// vals are the body's own values, numbered behind the module's.
func (k *constReader) block(c *cursor, r *reader, pool *ir.ConstPool, body *bodyReader, vals []value) []value {
	if !c.enter(blkConstants) {
		return vals
	}
	k.r, k.c, k.pool, k.body = r, c, pool, body
	k.raw, k.ops = k.raw[:0], k.ops[:0]
	tid := noID
	t := ir.Int32
	for c.err == nil {
		switch e, id := c.next(); e {
		case entryErr, entryBlock:
			c.fail("Malformed block")
		case entryEnd:
			return k.finish(vals)
		case entryRecord:
			code := c.record(id)
			if c.err != nil {
				return vals
			}
			if code != cstSetType {
				k.raw = append(k.raw, rawConst{code: code, tid: tid, t: t, off: uint32(len(k.ops)), n: uint32(len(c.rec)), derived: tid})
				k.ops = append(k.ops, c.rec...)
				continue
			}
			if len(c.rec) < 1 || r.typ(c.rec[0]) == 0 {
				c.fail("Invalid settype record")
				return vals
			}
			tid = uint32(c.rec[0])
			if t = r.typ(c.rec[0]); t == ir.Void {
				c.fail("Invalid constant type")
				return vals
			}
		}
	}
	return vals
}

func (k *constReader) finish(vals []value) []value {
	k.base = len(vals)
	if k.body != nil {
		k.base += len(k.r.vals)
	}
	first := len(vals)
	for range k.raw {
		vals = append(vals, value{tid: noID})
	}
	k.vals = vals[first:]
	for i := range k.raw {
		k.make(uint32(i))
		if k.c.err != nil {
			return vals
		}
	}
	return vals
}

// make makes constant i and what it is made of.
func (k *constReader) make(i uint32) {
	k.todo = append(k.todo[:0], i)
	for len(k.todo) > 0 && k.c.err == nil {
		i := k.todo[len(k.todo)-1]
		x := &k.raw[i]
		if x.state == 2 {
			k.todo = k.todo[:len(k.todo)-1]
			continue
		}
		top := len(k.todo)
		if x.state == 0 {
			x.state = 1
			k.needs(x)
		}
		if len(k.todo) > top {
			continue
		}
		k.todo = k.todo[:top-1]
		v := k.build(x)
		x = &k.raw[i]
		x.state = 2
		k.vals[i] = value{v, noID}
		if k.r.typed {
			k.vals[i].tid = x.derived
		}
	}
}

// needs pushes the records that x refers to and that are not made yet.
func (k *constReader) needs(x *rawConst) {
	ops := k.ops[x.off : x.off+x.n]
	push := func(id uint64) {
		if id < uint64(k.base) || id >= uint64(k.base+len(k.raw)) {
			return
		}
		n := uint32(id - uint64(k.base))
		switch k.raw[n].state {
		case 0:
			k.todo = append(k.todo, n)
		case 1:
			k.c.fail("Invalid record") // a constant that contains itself
		}
	}
	switch x.code {
	case cstAggregate, cstSelect, cstInsertElt, cstShuffleVec, cstPtrAuth, cstPtrAuth2:
		if x.code == cstInsertElt && len(ops) > 3 {
			push(ops[3])
			ops = ops[:2]
		}
		for _, id := range ops {
			push(id)
		}
	case cstBinop, cstCast, cstUnop, cstExtractElt, cstCmp, cstShuffleVecEx, cstDSOLocalEq, cstNoCFI, cstBlockAddress:
		// The other operands are opcodes and types; to make more than is needed does no harm, but cycles must not come of it.
		switch x.code {
		case cstBinop:
			push(at2(ops, 1))
			push(at2(ops, 2))
		case cstCast:
			push(at2(ops, 2))
		case cstUnop, cstDSOLocalEq, cstNoCFI, cstBlockAddress:
			push(at2(ops, 1))
		case cstExtractElt:
			push(at2(ops, 1))
			push(at2(ops, len(ops)-1))
		default:
			push(at2(ops, 1))
			push(at2(ops, 2))
			if x.code == cstShuffleVecEx {
				push(at2(ops, 3))
			}
		}
	case cstGEPOld, cstInboundsGEP, cstGEPInRangeOld, cstGEPInRange, cstGEP:
		g, ok := k.splitGEP(x.code, ops)
		if !ok {
			return
		}
		for i := 1; i < len(g.pairs); i += 2 {
			push(g.pairs[i])
		}
	}
}

func at2(ops []uint64, i int) uint64 {
	if i >= 0 && i < len(ops) {
		return ops[i]
	}
	return 1 << 40 // no value's number
}

// get returns a constant or global by its number.
func (k *constReader) get(id uint64) (ir.Value, ir.Type) {
	v, _ := k.getTyped(id)
	if v == 0 {
		return 0, 0
	}
	return v, k.typeOf(v)
}

func (k *constReader) typeOf(v ir.Value) ir.Type {
	if c := v.Const(); c != 0 {
		return k.pool.At(c).Type
	}
	if v.Tag() == tagLazy {
		return k.lazyOf(v).in.Type
	}
	return k.r.constType(v)
}

func (k *constReader) getTyped(id uint64) (ir.Value, uint32) {
	var x value
	switch {
	case id >= uint64(k.base) && id < uint64(k.base+len(k.raw)):
		x = k.vals[id-uint64(k.base)]
	case k.body == nil && id < uint64(len(k.r.vals)):
		x = k.r.vals[id]
	case k.body != nil:
		x = k.body.known(id)
	}
	if x.v == 0 || x.v.Tag() != ir.TagConst && x.v.Tag() != ir.TagGlobal && x.v.Tag() != tagLazy {
		k.c.fail("Invalid record")
		return 0, noID
	}
	return x.v, x.tid
}

// build makes the constant of a record whose operands are made.
func (k *constReader) build(x *rawConst) ir.Value {
	ops := k.ops[x.off : x.off+x.n]
	t, ts := x.t, k.r.t
	c := k.c
	switch x.code {
	case cstNull:
		return k.null(t)
	case cstUndef:
		return ir.ConstVal(k.pool.Plain(ir.ConstUndef, t))
	case cstPoison:
		return ir.ConstVal(k.pool.Plain(ir.ConstPoison, t))
	case cstInteger:
		e := ts.Scalar(t)
		if ts.IntBits(e) == 0 || len(ops) < 1 {
			c.fail("Invalid integer const record")
			return 0
		}
		v := k.integer(e, []uint64{ops[0]})
		return k.splat(t, v)
	case cstWideInteger:
		e := ts.Scalar(t)
		if ts.IntBits(e) == 0 || len(ops) < 1 {
			c.fail("Invalid wide integer const record")
			return 0
		}
		return k.splat(t, k.integer(e, ops))
	case cstFloat:
		if len(ops) < 1 {
			c.fail("Invalid float const record")
			return 0
		}
		return k.splat(t, k.float(ts.Scalar(t), ops))
	case cstAggregate:
		return k.aggregateRecord(t, ops)
	case cstString, cstCString:
		return k.stringData(t, ops, x.code == cstCString)
	case cstData:
		return k.data(t, ops)
	case cstBinop, cstUnop:
		return k.binop(x, ops)
	case cstCast:
		return k.cast(x, ops)
	case cstGEPOld, cstInboundsGEP, cstGEPInRangeOld, cstGEPInRange, cstGEP:
		return k.gep(x, ops)
	case cstExtractElt, cstInsertElt, cstShuffleVec, cstShuffleVecEx, cstSelect, cstCmp:
		return k.vectorExpr(x, ops)
	case cstAsmOld, cstAsmOld2, cstAsmOld3, cstAsm:
		return k.inlineAsm(x, ops)
	case cstBlockAddress:
		if len(ops) < 3 {
			c.fail("Invalid blockaddress record")
			return 0
		}
		f, _ := k.get(ops[1])
		g := f.Global()
		if g == 0 || k.r.globals[g-1].Kind != ir.GlobalFunc || k.r.globals[g-1].IsDecl || ops[2] >= 1<<28 {
			c.fail("Invalid blockaddress record")
			return 0
		}
		n := k.pool.BlockAddr(g, ir.BlockID(ops[2]+1))
		k.pool.SetBlockFunc(n, f, k.typeOf(f))
		return ir.ConstVal(n)
	case cstDSOLocalEq, cstNoCFI:
		if len(ops) < 2 {
			c.fail("Invalid record")
			return 0
		}
		f, ft := k.get(ops[1])
		if f.Global() == 0 {
			c.fail("Invalid record")
			return 0
		}
		kind := ir.ConstDSOLocalEquivalent
		if x.code == cstNoCFI {
			kind = ir.ConstNoCFI
		}
		return ir.ConstVal(k.pool.Aggregate(kind, ft, []ir.Value{f}))
	case cstPtrAuth, cstPtrAuth2:
		return k.ptrAuth(ops)
	}
	// An unknown record is undef, as LLVM takes it.
	return ir.ConstVal(k.pool.Plain(ir.ConstUndef, t))
}

func (k *constReader) ptrAuth(ops []uint64) ir.Value {
	if len(ops) < 4 {
		k.c.fail("Invalid ptrauth record")
		return 0
	}
	args := make([]ir.Value, 0, 5)
	var t ir.Type
	for i, o := range ops[:min(5, len(ops))] {
		v, vt := k.get(o)
		if v == 0 {
			return 0
		}
		if v.Tag() == tagLazy {
			k.c.fail("Invalid ptrauth record")
			return 0
		}
		if i == 0 {
			t = vt
		}
		args = append(args, v)
	}
	if len(args) == 5 && isZero(k.pool, args[4]) {
		args = args[:4] // no deactivation symbol
	}
	return ir.ConstVal(k.pool.Aggregate(ir.ConstPtrAuth, t, args))
}

// null makes the zero of a type.
func (k *constReader) null(t ir.Type) ir.Value {
	switch kind := k.r.t.Kind(t); kind {
	case ir.KindVoid, ir.KindFunction, ir.KindLabel:
		k.c.fail("Invalid type for a constant null value")
		return 0
	}
	return zero(k.pool, k.r.t, t)
}

func zero(pool *ir.ConstPool, ts *ir.Types, t ir.Type) ir.Value {
	switch kind := ts.Kind(t); kind {
	case ir.KindInteger:
		if n := ts.IntBits(t); n > 64 {
			return ir.ConstVal(pool.WideInt(t, n, nil, false))
		}
		return ir.ConstVal(pool.Int(t, 0))
	case ir.KindHalf, ir.KindBFloat, ir.KindFloat, ir.KindDouble:
		return ir.ConstVal(pool.FP(t, 0))
	case ir.KindX86FP80, ir.KindFP128, ir.KindPPCFP128:
		return ir.ConstVal(pool.Wide(ir.ConstFP, t, make([]uint64, 2)))
	case ir.KindPointer:
		return ir.ConstVal(pool.Plain(ir.ConstNull, t))
	case ir.KindToken:
		return ir.ConstVal(pool.Plain(ir.ConstTokenNone, t))
	}
	return ir.ConstVal(pool.Plain(ir.ConstZero, t))
}

// integer makes an integer of type t of signed words.
func (k *constReader) integer(t ir.Type, words []uint64) ir.Value {
	w := k.r.t.IntBits(t)
	if w <= 64 {
		n := uint64(unsign(words[0]))
		if w < 64 {
			n &= 1<<w - 1
		}
		return ir.ConstVal(k.pool.Int(t, n))
	}
	// A record that is too short is not sign-extended.
	out := make([]uint64, min((w+63)/64, len(words)))
	for i := range out {
		out[i] = uint64(unsign(words[i]))
	}
	return ir.ConstVal(k.pool.WideInt(t, w, out, false))
}

func (k *constReader) float(t ir.Type, ops []uint64) ir.Value {
	switch k.r.t.Kind(t) {
	case ir.KindHalf, ir.KindBFloat:
		return ir.ConstVal(k.pool.FP(t, ops[0]&0xffff))
	case ir.KindFloat:
		return ir.ConstVal(k.pool.FP(t, ops[0]&0xffffffff))
	case ir.KindDouble:
		return ir.ConstVal(k.pool.FP(t, ops[0]))
	case ir.KindX86FP80:
		// The top 64 bits come first, then the low 16.
		lo := at(ops, 1)
		return ir.ConstVal(k.pool.Wide(ir.ConstFP, t, []uint64{lo&0xffff | ops[0]<<16, ops[0] >> 48}))
	case ir.KindFP128, ir.KindPPCFP128:
		return ir.ConstVal(k.pool.Wide(ir.ConstFP, t, []uint64{ops[0], at(ops, 1)}))
	}
	return ir.ConstVal(k.pool.Plain(ir.ConstUndef, t))
}

// splat makes the constant with v in every lane of t, v itself for a scalar type.
func (k *constReader) splat(t ir.Type, v ir.Value) ir.Value {
	if v == 0 || !k.r.t.IsVector(t) {
		return v
	}
	if isZero(k.pool, v) {
		return ir.ConstVal(k.pool.Plain(ir.ConstZero, t))
	}
	return ir.ConstVal(k.pool.Aggregate(ir.ConstSplat, t, []ir.Value{v}))
}

// isZero reports constants whose bits are all zero.
func isZero(pool *ir.ConstPool, v ir.Value) bool {
	c := v.Const()
	return c != 0 && pool.IsNullValue(c)
}

func (k *constReader) aggregateRecord(t ir.Type, ops []uint64) ir.Value {
	ts := k.r.t
	if len(ops) == 0 {
		k.c.fail("Invalid aggregate record")
		return 0
	}
	kind, want := ir.ConstStruct, uint64(0)
	var members []ir.Type
	switch ts.Kind(t) {
	case ir.KindStruct:
		members = ts.Subtypes(t)
		want = uint64(len(members))
	case ir.KindArray:
		kind, want = ir.ConstArray, ts.NumElems(t)
	case ir.KindVector:
		kind, want = ir.ConstVector, ts.NumElems(t)
	case ir.KindScalableVector:
		kind, want = ir.ConstVector, uint64(len(ops))
	default:
		return ir.ConstVal(k.pool.Plain(ir.ConstUndef, t))
	}
	if want != uint64(len(ops)) {
		k.c.fail("Invalid aggregate record")
		return 0
	}
	vals := k.args[:0]
	for i, o := range ops {
		v, vt := k.get(o)
		if v == 0 {
			return 0
		}
		et := ts.Elem(t)
		if members != nil {
			et = members[i]
		}
		if vt != et {
			if k.body != nil { // LLVM finds out where it is used
				k.c.fail("Invalid record")
			}
			k.c.fail("Invalid type for value")
			return 0
		}
		vals = append(vals, v)
	}
	k.args = vals
	if anyLazy(vals) {
		return k.addLazy(lazyExpr{in: ir.Instr{Type: t}, ops: append([]ir.Value(nil), vals...)})
	}
	return ir.ConstVal(k.pool.Uniqued(ts, kind, t, vals))
}

// elemSize returns the bytes of an element that plain data can hold, 0 for others.
func elemSize(ts *ir.Types, e ir.Type) int {
	switch e {
	case ir.Int8, ir.Int16, ir.Int32, ir.Int64:
		return ts.IntBits(e) / 8
	case ir.Half, ir.BFloat, ir.Float, ir.Double:
		return ts.FloatBits(e) / 8
	}
	return 0
}

func (k *constReader) stringData(t ir.Type, ops []uint64, zero bool) ir.Value {
	ts := k.r.t
	if len(ops) == 0 && !zero {
		k.c.fail("Invalid string record")
		return 0
	}
	b := k.bits[:0]
	any := byte(0)
	for _, o := range ops {
		b = append(b, byte(o))
		any |= byte(o)
	}
	if zero {
		b = append(b, 0)
	}
	k.bits = b
	if ts.Kind(t) != ir.KindArray || ts.Elem(t) != ir.Int8 || ts.NumElems(t) != uint64(len(b)) {
		k.c.fail("Invalid string record")
		return 0
	}
	if any == 0 {
		return ir.ConstVal(k.pool.Plain(ir.ConstZero, t))
	}
	return ir.ConstVal(k.pool.DataArray(t, b))
}

// data makes an array or vector of plain numbers.
func (k *constReader) data(t ir.Type, ops []uint64) ir.Value {
	ts := k.r.t
	if kd := ts.Kind(t); kd != ir.KindArray && kd != ir.KindVector {
		k.c.fail("Invalid data record")
		return 0
	}
	size := elemSize(ts, ts.Elem(t))
	if size == 0 {
		k.c.fail("Invalid type for value")
		return 0
	}
	if len(ops) == 0 || ts.NumElems(t) != uint64(len(ops)) {
		k.c.fail("Invalid data record")
		return 0
	}
	b := k.bits[:0]
	any, same := uint64(0), true
	mask := ^uint64(0) >> (64 - 8*size)
	for _, o := range ops {
		any |= o & mask
		same = same && o == ops[0]
		for i := range size {
			b = append(b, byte(o>>(8*i)))
		}
	}
	k.bits = b
	switch {
	case any == 0:
		return ir.ConstVal(k.pool.Plain(ir.ConstZero, t))
	case same && ts.Kind(t) == ir.KindVector:
		e := ts.Elem(t)
		v := ir.ConstVal(k.pool.Int(e, ops[0]&mask))
		if ts.IntBits(e) == 0 {
			v = ir.ConstVal(k.pool.FP(e, ops[0]&mask))
		}
		return ir.ConstVal(k.pool.Aggregate(ir.ConstSplat, t, []ir.Value{v}))
	}
	return ir.ConstVal(k.pool.DataArray(t, b))
}

// inlineAsm reads an asm expression: in all forms flags, then two strings by length.
func (k *constReader) inlineAsm(x *rawConst, ops []uint64) ir.Value {
	a := ir.InlineAsm{Type: x.t}
	bad := func() ir.Value { k.c.fail("Invalid inlineasm record"); return 0 }
	if x.code == cstAsm {
		if len(ops) < 1 {
			return bad()
		}
		a.Type = k.r.typ(ops[0])
		ops = ops[1:]
	} else if k.r.t.Kind(x.t) == ir.KindPointer {
		a.Type = k.r.typ(uint64(k.r.elemID(x.tid, 0)))
	}
	if a.Type == 0 || k.r.t.Kind(a.Type) != ir.KindFunction || len(ops) < 2 {
		return bad()
	}
	f := ops[0]
	a.SideEffect, a.AlignStack = f&1 != 0, f>>1&1 != 0
	if x.code != cstAsmOld {
		a.Intel = f>>2&1 != 0
		a.Unwind = x.code != cstAsmOld2 && f>>3&1 != 0
	}
	n := ops[1]
	if n > uint64(len(ops)-2) || n+2 >= uint64(len(ops)) {
		return bad()
	}
	a.Asm = text(ops[:2+n], 2)
	m := ops[2+n]
	rest := ops[3+n:]
	if m > uint64(len(rest)) {
		return bad()
	}
	a.Constraints = text(rest[:m], 0)
	if k.body != nil {
		return k.body.asm(a)
	}
	return ir.AsmVal(k.r.m.AddInlineAsm(a))
}

// wideText is the decimal number of signed words of an integer of the given width.
func wideText(words []uint64, bits uint64) string {
	n := new(big.Int)
	for i := len(words) - 1; i >= 0; i-- {
		n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(uint64(unsign(words[i]))))
	}
	n.And(n, new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(bits)), big.NewInt(1)))
	if n.Bit(int(bits)-1) != 0 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(bits)))
	}
	return n.String()
}

package ir

import "slices"

// CastValid reports whether the cast op leads from one type to another, as
// LLVM's CastInst::castIsValid decides.
func (t *Types) CastValid(op Op, from, to Type) bool {
	fv, tv := t.IsVector(from), t.IsVector(to)
	fs, ts := t.Scalar(from), t.Scalar(to)
	sameShape := fv == tv && (!fv || t.NumElems(from) == t.NumElems(to) && t.Kind(from) == t.Kind(to))
	fi, ti := t.IntBits(fs), t.IntBits(ts)
	ff, tf := t.FloatBits(fs), t.FloatBits(ts)
	fp, tp := t.Kind(fs) == KindPointer, t.Kind(ts) == KindPointer
	switch op {
	case OpTrunc:
		return sameShape && fi > ti && ti > 0
	case OpZExt, OpSExt:
		return sameShape && fi > 0 && fi < ti
	case OpFPToUI, OpFPToSI:
		return sameShape && ff > 0 && ti > 0
	case OpUIToFP, OpSIToFP:
		return sameShape && fi > 0 && tf > 0
	case OpFPTrunc:
		return sameShape && tf > 0 && ff > tf
	case OpFPExt:
		return sameShape && ff > 0 && ff < tf
	case OpPtrToInt, OpPtrToAddr:
		return sameShape && fp && ti > 0
	case OpIntToPtr:
		return sameShape && fi > 0 && tp
	case OpAddrSpaceCast:
		return sameShape && fp && tp && t.AddrSpace(fs) != t.AddrSpace(ts)
	case OpBitCast:
		if fp != tp {
			return false
		}
		if fp {
			single := fv && t.NumElems(from) == 1 || tv && t.NumElems(to) == 1
			return t.AddrSpace(fs) == t.AddrSpace(ts) && (sameShape || single)
		}
		n := t.bitcastBits(from)
		return n != 0 && n == t.bitcastBits(to) && (t.Kind(from) == KindScalableVector) == (t.Kind(to) == KindScalableVector)
	}
	return false
}

// bitcastBits is the size of a type of numbers, 0 for types that no bitcast takes.
func (t *Types) bitcastBits(ty Type) uint64 {
	if ty == X86AMX {
		return 8192
	}
	n := uint64(1)
	if t.IsVector(ty) {
		n = t.NumElems(ty)
	}
	s := t.Scalar(ty)
	return n * uint64(t.IntBits(s)+t.FloatBits(s))
}

// ContainsScalable reports whether a type is a scalable vector or has one in it.
func (t *Types) ContainsScalable(ty Type) bool {
	return t.AnyPart(ty, func(ty Type) bool {
		switch t.Kind(ty) {
		case KindScalableVector:
			return true
		case KindTargetExt:
			l := t.TargetLayout(ty)
			return l != ty && t.ContainsScalable(l)
		}
		return false
	})
}

// IsNullValue reports whether a constant is all zero bits; -0.0 is not.
func (p *ConstPool) IsNullValue(c ConstID) bool {
	switch r := p.At(c); r.Kind {
	case ConstZero, ConstNull, ConstTokenNone:
		return true
	case ConstInt, ConstFP:
		if r.N == 0 {
			return r.Bits == 0
		}
		if r.Kind == ConstInt && r.Flags&1 != 0 {
			return false // see WideInt
		}
		for _, w := range p.words[r.Off : r.Off+r.N] {
			if w != 0 {
				return false
			}
		}
		return true
	}
	return false
}

// Uniqued returns an array (ConstArray), vector (ConstVector) or struct
// (ConstStruct) of type ty in the one form that LLVM gives it: all zero, all
// undef and all poison are plain constants, equal numbers in all lanes a splat,
// other plain numbers a ConstData.
func (p *ConstPool) Uniqued(t *Types, k ConstKind, ty Type, ops []Value) ConstID {
	if len(ops) == 0 {
		return p.Plain(ConstZero, ty)
	}
	if same := p.plainKind(ops); same != ConstNone {
		return p.Plain(same, ty)
	}
	if k == ConstStruct {
		return p.Aggregate(k, ty, ops)
	}
	if k == ConstVector && p.sameNumber(ops) {
		return p.Aggregate(ConstSplat, ty, ops[:1])
	}
	if size := t.dataSize(t.Elem(ty)); size != 0 && p.allNumbers(ops) {
		return p.numbers(ty, size, ops)
	}
	return p.Aggregate(k, ty, ops)
}

// plainKind is the kind without content that all operands have: ConstZero,
// ConstUndef, ConstPoison; ConstNone when there is none.
func (p *ConstPool) plainKind(ops []Value) ConstKind {
	same := ConstNone
	for i, v := range ops {
		c := v.Const()
		if c == 0 {
			return ConstNone
		}
		k := p.At(c).Kind
		if p.IsNullValue(c) {
			k = ConstZero
		}
		if k != ConstZero && k != ConstUndef && k != ConstPoison || i > 0 && k != same {
			return ConstNone
		}
		same = k
	}
	return same
}

func (p *ConstPool) isNumber(v Value) bool {
	c := v.Const()
	return c != 0 && (p.rows[c].Kind == ConstInt || p.rows[c].Kind == ConstFP)
}

func (p *ConstPool) allNumbers(ops []Value) bool {
	for _, v := range ops {
		if !p.isNumber(v) {
			return false
		}
	}
	return true
}

// sameNumber reports whether all operands are one number; wide ones, of which
// there may be several rows, are compared by their words.
func (p *ConstPool) sameNumber(ops []Value) bool {
	if !p.isNumber(ops[0]) {
		return false
	}
	first := ops[0].Const()
	for _, v := range ops[1:] {
		if v == ops[0] {
			continue
		}
		if !p.isNumber(v) || p.At(v.Const()).N == 0 || p.At(v.Const()).Kind != p.At(first).Kind ||
			!slices.Equal(p.Words(v.Const()), p.Words(first)) {
			return false
		}
	}
	return true
}

// dataSize is the size in bytes of an element that ConstData holds, 0 for other types.
func (t *Types) dataSize(e Type) int {
	switch e {
	case Int8, Int16, Int32, Int64:
		return t.IntBits(e) / 8
	case Half, BFloat, Float, Double:
		return t.FloatBits(e) / 8
	}
	return 0
}

func (p *ConstPool) numbers(ty Type, size int, ops []Value) ConstID {
	off := uint32(len(p.bytes))
	for _, v := range ops {
		bits := p.rows[v.Const()].Bits
		for i := range size {
			p.bytes = append(p.bytes, byte(bits>>(8*i)))
		}
	}
	return p.add(Const{Kind: ConstData, Type: ty, Off: off, N: uint32(len(ops) * size)})
}

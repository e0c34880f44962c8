package irtext

import "github.com/mirin-go/mirin/ir"

// constExprWord reports the keywords that begin a constant expression.
func constExprWord(w string) bool {
	switch w {
	case "getelementptr", "trunc", "ptrtoint", "ptrtoaddr", "inttoptr", "bitcast", "addrspacecast",
		"add", "sub", "xor", "extractelement", "insertelement", "shufflevector":
		return true
	}
	return false
}

// constExpr reads a constant expression and returns its type.
func (p *parser) constExpr() (ir.Type, ir.Value) {
	if !p.enter() {
		return 0, 0
	}
	defer func() { p.depth-- }()
	off := p.off
	w := p.text()
	p.next()
	r := ir.Const{}
	var ops []ir.Value
	switch w {
	case "getelementptr":
		return p.constGEP(off)
	case "trunc", "ptrtoint", "ptrtoaddr", "inttoptr", "bitcast", "addrspacecast":
		r.Op = castOp(w)
		p.expect('(', "expected '(' after constantexpr cast")
		st, v := p.typeAndValue()
		p.expectWord("to", "expected 'to' in constantexpr cast")
		r.Type = p.typ("expected type")
		p.expect(')', "expected ')' at end of constantexpr cast")
		if !p.ok() {
			return 0, 0
		}
		if !p.t.CastValid(r.Op, st, r.Type) {
			p.errorAt(off, "invalid cast opcode for cast from '"+p.typeString(st)+"' to '"+p.typeString(r.Type)+"'")
			return 0, 0
		}
		ops = []ir.Value{v}
	case "add", "sub", "xor":
		r.Op = map[string]ir.Op{"add": ir.OpAdd, "sub": ir.OpSub, "xor": ir.OpXor}[w]
		if w != "xor" {
			r.Flags = p.wrapFlags()
		}
		p.expect('(', "expected '(' in binary constantexpr")
		t1, v1 := p.typeAndValue()
		p.expect(',', "expected comma in binary constantexpr")
		t2, v2 := p.typeAndValue()
		p.expect(')', "expected ')' in binary constantexpr")
		if !p.ok() {
			return 0, 0
		}
		if t1 != t2 {
			p.errorAt(off, "operands of constexpr must have same type")
			return 0, 0
		}
		if p.t.IntBits(p.t.Scalar(t1)) == 0 {
			p.errorAt(off, "constexpr requires integer or integer vector operands")
			return 0, 0
		}
		r.Type, ops = t1, []ir.Value{v1, v2}
	default:
		p.expect('(', "expected '(' in constantexpr")
		types, vals, _ := p.typedList(')')
		p.expect(')', "expected ')' in constantexpr")
		if !p.ok() {
			return 0, 0
		}
		t := p.vectorOpType(w, types)
		if t == 0 {
			if want := map[string]int{"extractelement": 2, "insertelement": 3, "shufflevector": 3}[w]; len(vals) != want {
				p.errorAt(off, "expected "+map[int]string{2: "two", 3: "three"}[want]+" operands to "+w)
				return 0, 0
			}
			if w == "shufflevector" {
				p.errorAt(off, "invalid operands to shufflevector")
			} else {
				p.errorAt(off, "invalid "+w+" operands")
			}
			return 0, 0
		}
		if w == "shufflevector" && !p.maskFits(vals[2], 2*p.t.NumElems(types[0])) {
			p.errorAt(off, "invalid operands to shufflevector")
			return 0, 0
		}
		r.Op, r.Type, ops = map[string]ir.Op{"extractelement": ir.OpExtractElement, "insertelement": ir.OpInsertElement,
			"shufflevector": ir.OpShuffleVector}[w], t, vals
	}
	if v := p.fold(&r, ops); v != 0 {
		return r.Type, v
	}
	return r.Type, ir.ConstVal(p.pool.Expr(r, ops))
}

// maskFits reports whether a constant mask names lanes below n.
func (p *parser) maskFits(v ir.Value, n uint64) bool {
	for _, e := range p.elements(v) {
		if x, ok := p.pool.SignedInt(p.t, e); ok && (x < 0 || uint64(x) >= n) {
			return false
		}
	}
	return true
}

// vectorOpType returns the result type of a vector operation, NoType when the operands do not fit.
func (p *parser) vectorOpType(w string, types []ir.Type) ir.Type {
	t := p.t
	switch {
	case w == "extractelement" && len(types) == 2 && t.IsVector(types[0]) && t.IntBits(types[1]) != 0:
		return t.Elem(types[0])
	case w == "insertelement" && len(types) == 3 && t.IsVector(types[0]) && t.Elem(types[0]) == types[1] && t.IntBits(types[2]) != 0:
		return types[0]
	case w == "shufflevector" && len(types) == 3 && t.IsVector(types[0]) && types[0] == types[1] && t.IsVector(types[2]) &&
		t.Elem(types[2]) == ir.Int32:
		return t.Vector(t.Elem(types[0]), t.NumElems(types[2]), t.Kind(types[2]) == ir.KindScalableVector)
	}
	return 0
}

// gepFlags reads inbounds, nusw, nuw.
func (p *parser) gepFlags() (f ir.Flags) {
	for p.tok == tWord {
		switch p.text() {
		case "inbounds":
			f |= ir.InBounds | ir.NUSW
		case "nusw":
			f |= ir.NUSW
		case "nuw":
			f |= ir.NUW
		default:
			return f
		}
		p.next()
	}
	return f
}

// wrapFlags reads nuw and nsw in any order, each once.
func (p *parser) wrapFlags() (f ir.Flags) {
	if p.eatWord("nuw") {
		f |= ir.NUW
	}
	if p.eatWord("nsw") {
		f |= ir.NSW
		if f&ir.NUW == 0 && p.eatWord("nuw") {
			f |= ir.NUW
		}
	}
	return f
}

func (p *parser) constGEP(off int) (ir.Type, ir.Value) {
	r := ir.Const{Op: ir.OpGEP, Flags: p.gepFlags()}
	var lo, hi ir.Value
	if p.eatWord("inrange") {
		p.expect('(', "expected '('")
		lo = p.inRangeBound()
		p.expect(',', "expected ','")
		hi = p.inRangeBound()
		if p.ok() && !p.boundsAscend(lo, hi) {
			p.errorAt(off, "expected end to be larger than start")
		}
		p.expect(')', "expected ')'")
		r.Flags |= ir.HasInRange
	}
	p.expect('(', "expected '(' in constantexpr")
	r.SrcType = p.typ("expected type")
	p.expect(',', "expected comma after getelementptr's type")
	types, vals, offs := p.typedList(')')
	p.expect(')', "expected ')' in constantexpr")
	if !p.ok() {
		return 0, 0
	}
	if len(types) == 0 || p.t.Kind(p.t.Scalar(types[0])) != ir.KindPointer {
		p.errorAt(off, "base of getelementptr must be a pointer")
		return 0, 0
	}
	r.Type = p.gepType(off, r.SrcType, types, vals, offs, false)
	if !p.ok() {
		return 0, 0
	}
	if r.Flags&ir.HasInRange == 0 && r.Type == types[0] {
		// LLVM folds what adds nothing to its base.
		zero := true
		for _, v := range vals[1:] {
			c := v.Const()
			if c == 0 {
				zero = false
				break
			}
			k := p.pool.At(c).Kind
			zero = zero && (k == ir.ConstUndef || p.pool.IsNullValue(c))
		}
		if zero {
			return types[0], vals[0]
		}
	}
	if p.t.ContainsScalable(r.SrcType) {
		p.errorAt(off, "invalid base element for constant getelementptr")
		return 0, 0
	}
	if p.t.IsVector(r.Type) {
		// Scalar indices beside vectors become splats.
		for i, t := range types {
			if i > 1 && p.t.IsVector(t) && p.structIndex(r.SrcType, types, vals, i) {
				if e := p.elements(vals[i]); e != nil {
					vals[i] = e[0]
				}
			} else if i > 0 && !p.t.IsVector(t) {
				vt := p.t.Vector(t, p.t.NumElems(r.Type), p.t.Kind(r.Type) == ir.KindScalableVector)
				if !p.structIndex(r.SrcType, types, vals, i) {
					if s := p.splatOf(vt, vals[i]); s != 0 {
						vals[i] = s
					}
				}
			}
		}
	}
	if r.Flags&ir.HasInRange != 0 {
		vals = append(vals, lo, hi)
	}
	return r.Type, ir.ConstVal(p.pool.Expr(r, vals))
}

func (p *parser) inRangeBound() ir.Value {
	if p.tok != tInt {
		p.error("expected integer")
		return 0
	}
	n := p.num
	if p.neg {
		n = -n
	}
	p.next()
	return ir.ConstVal(p.pool.Int(ir.Int64, n))
}

// gepType checks the indices of a getelementptr and returns its result type.
// types and vals begin with the base.
func (p *parser) gepType(off int, src ir.Type, types []ir.Type, vals []ir.Value, offs []int, inInstr bool) ir.Type {
	result := types[0]
	n := -1 // lanes of a vector of pointers
	scalable := false
	if p.t.IsVector(result) {
		n, scalable = int(p.t.NumElems(result)), p.t.Kind(result) == ir.KindScalableVector
	}
	for i, it := range types[1:] {
		at := off // of an expression, where it begins
		if inInstr {
			at = offs[i+1]
		}
		if p.t.IntBits(p.t.Scalar(it)) == 0 {
			p.errorAt(at, "getelementptr index must be an integer")
			return 0
		}
		if p.t.IsVector(it) {
			w := int(p.t.NumElems(it))
			if n >= 0 && n != w {
				p.errorAt(at, "getelementptr vector index has a wrong number of elements")
				return 0
			}
			n, scalable = w, p.t.Kind(it) == ir.KindScalableVector
		}
	}
	if len(types) > 1 && !p.sized(src) {
		p.errorAt(off, "base element of getelementptr must be sized")
		return 0
	}
	if inInstr && p.t.Kind(src) == ir.KindStruct && p.t.ContainsScalable(src) {
		p.errorAt(off, "getelementptr cannot target structure that contains scalable vector type")
		return 0
	}
	cur := src
	for i := 2; i < len(types); i++ {
		if cur = p.indexedType(cur, vals[i]); cur == 0 {
			p.errorAt(off, "invalid getelementptr indices")
			return 0
		}
	}
	if n >= 0 && !p.t.IsVector(result) {
		result = p.t.Vector(result, uint64(n), scalable)
	}
	return result
}

// indexedType returns the type of the element that index v selects in t, NoType when there is none.
func (p *parser) indexedType(t ir.Type, v ir.Value) ir.Type {
	switch p.t.Kind(t) {
	case ir.KindArray, ir.KindVector, ir.KindScalableVector:
		return p.t.Elem(t)
	case ir.KindStruct:
		n, ok := p.pool.SignedInt(p.t, v)
		if c := v.Const(); ok && c != 0 {
			// Only i32 (or a splat of it) selects a member.
			it := p.pool.At(c).Type
			m := p.t.Subtypes(t)
			if p.t.Scalar(it) == ir.Int32 && n >= 0 && n < int64(len(m)) {
				return m[n]
			}
		} else if c != 0 && p.pool.At(c).Kind == ir.ConstZero && p.t.Scalar(p.pool.At(c).Type) == ir.Int32 && len(p.t.Subtypes(t)) > 0 {
			return p.t.Subtypes(t)[0]
		}
	}
	return 0
}

func castOp(w string) ir.Op {
	switch w {
	case "trunc":
		return ir.OpTrunc
	case "zext":
		return ir.OpZExt
	case "sext":
		return ir.OpSExt
	case "fptoui":
		return ir.OpFPToUI
	case "fptosi":
		return ir.OpFPToSI
	case "uitofp":
		return ir.OpUIToFP
	case "sitofp":
		return ir.OpSIToFP
	case "fptrunc":
		return ir.OpFPTrunc
	case "fpext":
		return ir.OpFPExt
	case "ptrtoint":
		return ir.OpPtrToInt
	case "ptrtoaddr":
		return ir.OpPtrToAddr
	case "inttoptr":
		return ir.OpIntToPtr
	case "bitcast":
		return ir.OpBitCast
	case "addrspacecast":
		return ir.OpAddrSpaceCast
	}
	return ir.OpNone
}

// boundsAscend reports whether the bounds of inrange are in order, as signed numbers.
func (p *parser) boundsAscend(lo, hi ir.Value) bool {
	a, okA := p.pool.SignedInt(p.t, lo)
	b, okB := p.pool.SignedInt(p.t, hi)
	return !okA || !okB || a < b
}

// structIndex reports whether index i of a getelementptr selects a struct's member.
func (p *parser) structIndex(src ir.Type, types []ir.Type, vals []ir.Value, i int) bool {
	t := src
	for k := 2; k <= i; k++ {
		switch p.t.Kind(t) {
		case ir.KindStruct:
			if k == i {
				return true
			}
			r := p.constRow(vals[k])
			if r == nil || r.Bits >= uint64(len(p.t.Subtypes(t))) {
				return true
			}
			t = p.t.Subtypes(t)[r.Bits]
		default:
			t = p.t.Elem(t)
		}
	}
	return false
}

package irtext

import "github.com/mirin-go/mirin/ir"

// rareInstruction reads the instructions that instruction does not.
func (p *parser) rareInstruction(in *ir.Instr, w string, off int) (comma bool) {
	switch w {
	case "fence":
		in.Op = ir.OpFence
		in.Order = p.scopeAndOrdering(in)
		if p.ok() && in.Order == ir.Unordered {
			p.error("fence cannot be unordered")
		} else if p.ok() && in.Order == ir.Monotonic {
			p.error("fence cannot be monotonic")
		}
	case "cmpxchg":
		return p.cmpxchg(in)
	case "atomicrmw":
		return p.atomicRMW(in)
	case "va_arg":
		in.Op = ir.OpVAArg
		_, v := p.typeAndValue()
		p.expect(',', "expected ',' after vaarg operand")
		o := p.off
		in.Type = p.typ("expected type")
		in.SrcType = in.Type
		if p.ok() && !p.firstClass(in.Type) {
			p.errorAt(o, "va_arg requires operand with first class type")
		}
		p.push(v)
	case "extractelement", "insertelement":
		p.elementInstr(in, w)
	case "shufflevector":
		p.shuffle(in)
	case "extractvalue", "insertvalue":
		return p.aggregateInstr(in, w)
	case "landingpad":
		p.landingPad(in)
	case "resume":
		in.Op = ir.OpResume
		_, v := p.typeAndValue()
		p.push(v)
	case "indirectbr":
		in.Op = ir.OpIndirectBr
		o := p.off
		t, v := p.typeAndValue()
		p.expect(',', "expected ',' after indirectbr address")
		p.expect('[', "expected '[' with indirectbr")
		if p.ok() && p.t.Kind(t) != ir.KindPointer {
			p.errorAt(o, "indirectbr address must have pointer type")
			return
		}
		p.push(v)
		for p.ok() && (p.tok != ']' || len(p.fn.ops) > 1) {
			p.push(p.labelOperand())
			if !p.eat(',') {
				break
			}
		}
		p.expect(']', "expected ']' at end of block list")
	case "cleanuppad", "catchpad":
		p.funcletPad(in, w)
	case "cleanupret":
		in.Op = ir.OpCleanupRet
		p.expectWord("from", "expected 'from' after cleanupret")
		p.push(p.value(ir.Token))
		p.expectWord("unwind", "expected 'unwind' in cleanupret")
		if p.eatWord("to") {
			p.expectWord("caller", "expected 'caller' in cleanupret")
		} else {
			p.push(p.labelOperand())
		}
	case "catchret":
		in.Op = ir.OpCatchRet
		p.expectWord("from", "expected 'from' after catchret")
		p.push(p.value(ir.Token))
		p.expectWord("to", "expected 'to' in catchret")
		p.push(p.labelOperand())
	case "catchswitch":
		p.catchSwitch(in)
	default:
		p.errorAt(off, "expected instruction opcode")
	}
	return false
}

func (p *parser) elementInstr(in *ir.Instr, w string) {
	off := p.off
	types := [3]ir.Type{}
	n := 2
	msg := "expected ',' after extract value"
	in.Op = ir.OpExtractElement
	if w == "insertelement" {
		in.Op, n, msg = ir.OpInsertElement, 3, "expected ',' after insertelement value"
	}
	for i := range n {
		if i > 0 {
			p.expect(',', msg)
		}
		t, v := p.typeAndValue()
		types[i] = t
		p.push(v)
	}
	if !p.ok() {
		return
	}
	in.Type = p.vectorOpType(w, types[:n])
	if in.Type == 0 {
		p.errorAt(off, "invalid "+w+" operands")
	}
}

func (p *parser) shuffle(in *ir.Instr) {
	in.Op = ir.OpShuffleVector
	off := p.off
	at, a := p.typeAndValue()
	p.expect(',', "expected ',' after shuffle value")
	bt, b := p.typeAndValue()
	p.expect(',', "expected ',' after shuffle value")
	mt, m := p.typeAndValue()
	if !p.ok() {
		return
	}
	in.Type = p.vectorOpType("shufflevector", []ir.Type{at, bt, mt})
	mask, ok := p.shuffleMask(mt, m)
	if in.Type == 0 || !ok {
		p.errorAt(off, "invalid shufflevector operands")
		return
	}
	limit := 2 * int64(p.t.NumElems(at))
	for _, x := range mask {
		if x >= limit {
			p.errorAt(off, "invalid shufflevector operands")
			return
		}
	}
	in.Extra = p.fn.f.AddExtra(ir.Extra{Ints: mask})
	p.push(a)
	p.push(b)
}

// shuffleMask turns a constant mask into numbers, -1 for poison. The mask of
// a scalable vector is one 0 or -1 for all lanes, repeated to the minimum length.
func (p *parser) shuffleMask(t ir.Type, v ir.Value) ([]int64, bool) {
	c := v.Const()
	if c == 0 || !p.t.IsVector(t) || p.t.NumElems(t) > maxOperands {
		return nil, false
	}
	r := p.pool.At(c)
	if r.Kind != ir.ConstVector && r.Kind != ir.ConstData {
		// A few bytes of text make a mask of any length.
		p.fn.maskLanes += int64(p.t.NumElems(t))
		if p.fn.maskLanes > fnMaskLanes+maxMaskLanes*int64(len(p.src)-p.fn.body.start)/int64(len(p.source)) {
			p.error("shuffle masks take too much memory")
			return nil, false
		}
	}
	mask := make([]int64, p.t.NumElems(t))
	fill := func(x int64) {
		for i := range mask {
			mask[i] = x
		}
	}
	one := func(v ir.Value) (int64, bool) {
		switch p.constKind(v) {
		case ir.ConstUndef, ir.ConstPoison:
			return -1, true
		}
		return p.pool.SignedInt(p.t, v)
	}
	switch r.Kind {
	case ir.ConstZero:
	case ir.ConstUndef, ir.ConstPoison:
		fill(-1)
	case ir.ConstSplat:
		x, ok := one(p.pool.Ops(c)[0])
		fill(x)
		return mask, ok
	case ir.ConstVector:
		for i, o := range p.pool.Ops(c) {
			x, ok := one(o)
			if !ok {
				return nil, false
			}
			mask[i] = x
		}
	case ir.ConstData:
		b := p.pool.Data(c)
		if len(b) != 4*len(mask) {
			return nil, false
		}
		for i := range mask {
			mask[i] = int64(b[4*i]) | int64(b[4*i+1])<<8 | int64(b[4*i+2])<<16 | int64(int8(b[4*i+3]))<<24
		}
	default:
		return nil, false
	}
	return mask, true
}

func (p *parser) aggregateInstr(in *ir.Instr, w string) (comma bool) {
	off := p.off
	t, v := p.typeAndValue()
	p.push(v)
	in.Op = ir.OpExtractValue
	var et ir.Type
	eOff := p.off
	if w == "insertvalue" {
		in.Op = ir.OpInsertValue
		p.expect(',', "expected comma after insertvalue operand")
		eOff = p.off
		var e ir.Value
		et, e = p.typeAndValue()
		p.push(e)
	}
	if p.ok() && p.tok != ',' {
		p.error("expected ',' as start of index list")
		return
	}
	var idx []int64
	for p.ok() && p.eat(',') {
		if p.tok == tMDName {
			if len(idx) == 0 {
				p.error("expected index")
				return
			}
			comma = true
			break
		}
		idx = append(idx, int64(p.uint(32)))
	}
	if !p.ok() {
		return
	}
	if !p.t.IsAggregate(t) {
		p.errorAt(off, w+" operand must be aggregate type")
		return
	}
	cur := t
	for _, i := range idx {
		switch p.t.Kind(cur) {
		case ir.KindArray:
			if uint64(i) >= p.t.NumElems(cur) {
				cur = 0
			} else {
				cur = p.t.Elem(cur)
			}
		case ir.KindStruct:
			if m := p.t.Subtypes(cur); i < int64(len(m)) {
				cur = m[i]
			} else {
				cur = 0
			}
		default:
			cur = 0
		}
		if cur == 0 {
			p.errorAt(off, "invalid indices for "+w)
			return
		}
	}
	if w == "insertvalue" {
		if cur != et {
			p.errorAt(eOff, "insertvalue operand and field disagree in type: '"+p.typeString(et)+"' instead of '"+p.typeString(cur)+"'")
			return
		}
		in.Type = t
	} else {
		in.Type = cur
	}
	in.Extra = p.fn.f.AddExtra(ir.Extra{Ints: idx})
	return comma
}

func (p *parser) landingPad(in *ir.Instr) {
	in.Op = ir.OpLandingPad
	in.Type = p.typ("expected type")
	if p.eatWord("cleanup") {
		in.Flags |= ir.Cleanup
	}
	var filters []bool
	for p.ok() && (p.is("catch") || p.is("filter")) {
		f := p.is("filter")
		p.next()
		off := p.off
		t, v := p.typeAndValue()
		if !p.ok() {
			return
		}
		if isArray := p.t.Kind(t) == ir.KindArray; isArray != f {
			if f {
				p.errorAt(off, "'filter' clause has an invalid type")
			} else {
				p.errorAt(off, "'catch' clause has an invalid type")
			}
			return
		}
		if v.Tag() != ir.TagConst && v.Tag() != ir.TagGlobal {
			p.errorAt(off, "clause argument must be a constant")
			return
		}
		filters = append(filters, f)
		p.push(v)
	}
	in.Extra = p.fn.f.AddExtra(ir.Extra{ClauseFilters: filters})
}

func (p *parser) funcletPad(in *ir.Instr, w string) {
	in.Op = ir.OpCatchPad
	if w == "cleanuppad" {
		in.Op = ir.OpCleanupPad
	}
	in.Type = ir.Token
	p.expectWord("within", "expected 'within' after "+w)
	if w == "catchpad" && p.tok != tLocal && p.tok != tLocalID {
		p.error("expected scope value for catchpad")
		return
	}
	if w == "cleanuppad" && !p.is("none") && p.tok != tLocal && p.tok != tLocalID {
		p.error("expected scope value for cleanuppad")
		return
	}
	p.push(p.value(ir.Token))
	p.expect('[', "expected '[' in catchpad/cleanuppad")
	for first := true; p.ok() && p.tok != ']'; first = false {
		if !first && !p.expect(',', "expected ',' in argument list") {
			return
		}
		t := p.typ("expected type")
		if t == 0 {
			return
		}
		if t == ir.Metadata {
			p.push(ir.MDVal(p.metadata()))
		} else {
			p.push(p.value(t))
		}
	}
	p.expect(']', "expected ']' in catchpad/cleanuppad")
}

func (p *parser) catchSwitch(in *ir.Instr) {
	in.Op, in.Type = ir.OpCatchSwitch, ir.Token
	p.expectWord("within", "expected 'within' after catchswitch")
	if !p.is("none") && p.tok != tLocal && p.tok != tLocalID {
		p.error("expected scope value for catchswitch")
		return
	}
	p.push(p.value(ir.Token))
	p.expect('[', "expected '[' with catchswitch labels")
	n := 0
	for p.ok() {
		p.push(p.labelOperand())
		n++
		if !p.eat(',') {
			break
		}
	}
	p.expect(']', "expected ']' after catchswitch labels")
	p.expectWord("unwind", "expected 'unwind' after catchswitch scope")
	if p.eatWord("to") {
		p.expectWord("caller", "expected 'caller' in catchswitch")
	} else {
		p.push(p.labelOperand())
	}
	in.Extra = p.fn.f.AddExtra(ir.Extra{NumHandlers: n})
}

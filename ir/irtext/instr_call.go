package irtext

import (
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/ir"
)

// callArg is one argument of a call site.
type callArg struct {
	typ ir.Type
	off int
	set uint32 // attributes: index in worker.setList
	val ir.Value
}

// callSite is what calls, invokes and callbrs have in common.
type callSite struct {
	cc        uint16
	ret       uint32 // attribute set of the result
	addrSpace uint32
	hasAS     bool
	typ       ir.Type // as written: result or whole function type
	typOff    int
	callee    ir.Value
	calleeOff int
	fnType    ir.Type
	implicit  string // name of an intrinsic that is not declared
	// implicitOff is where it stands.
	implicitOff int
	asmOff      int // of inline assembly
	bundles     []ir.Bundle
	fn          []ir.Attr
	groups      []uint32
}

// cachedAttrs reads the attributes of a parameter or result through the worker's cache.
func (p *parser) cachedAttrs(place attrPlace) uint32 {
	if p.tok != tWord && p.tok != tString {
		return 0
	}
	if p.tok == tWord && attrByName(p.text()) == nil && !p.is("nocapture") {
		return 0
	}
	save := p.lexer
	p.skipAttrs()
	text := p.src[save.off:p.prev]
	w := p.worker
	sets := w.sets
	if place == onRet {
		sets = w.retSets // what may stand at results is something else
	}
	if id, ok := sets[text]; ok {
		return id
	}
	p.lexer = save
	set := p.attrs(place)
	if !p.ok() || len(set) == 0 {
		return 0
	}
	id := uint32(len(w.setList))
	w.setList = append(w.setList, set)
	sets[text] = id
	return id
}

// callHead reads convention, result attributes, address space, type and callee.
func (p *parser) callHead(c *callSite) {
	c.cc = p.callingConv()
	if p.tok == tWord {
		c.ret = p.cachedAttrs(onRet)
	}
	if p.is("addrspace") {
		c.addrSpace, c.hasAS = p.addrSpace(), true
	} else {
		c.addrSpace = p.dl.ProgramAS
	}
	c.typOff = p.off
	c.typ = p.typeOrVoid("expected type", true)
	c.calleeOff = p.off
	if p.ok() && p.t.Kind(c.typ) == ir.KindFunction {
		c.fnType = c.typ
	}
}

// calleeValue reads the callee. Inline assembly needs the arguments' types
// first; its text is kept until then.
func (p *parser) calleeValue(c *callSite) (asm *ir.InlineAsm) {
	if p.is("asm") {
		p.next()
		asm = &ir.InlineAsm{}
		c.asmOff = p.prevOff
		asm.SideEffect = p.eatWord("sideeffect")
		asm.AlignStack = p.eatWord("alignstack")
		asm.Intel = p.eatWord("inteldialect")
		asm.Unwind = p.eatWord("unwind")
		asm.Asm = p.string("expected string constant")
		p.expect(',', "expected comma in inline asm expression")
		asm.Constraints = p.string("expected constraint string")
		return asm
	}
	if p.tok == tGlobal && strings.HasPrefix(p.text(), "llvm.") && (p.m.Lookup(p.str()) == 0 || p.implicitNames[p.str()]) {
		c.implicit, c.implicitOff = p.str(), p.off
		p.next()
		c.callee = ir.GlobalVal(0)
		return nil
	}
	if p.tok == tLocal || p.tok == tLocalID || p.tok == tInt {
		// What follows is looked at before the type of the value.
		save := p.lexer
		if p.next(); p.tok != '(' {
			p.error("expected '(' in call")
			return nil
		}
		p.lexer = save
	}
	c.callee = p.value(p.t.Pointer(c.addrSpace))
	return nil
}

// arguments of a call: (T attrs v, …).
func (p *parser) callArguments(c *callSite, musttail bool) {
	fs := p.fn
	fs.args = fs.args[:0]
	if !p.expect('(', "expected '(' in call") {
		return
	}
	for p.tok != ')' {
		if p.tok == tDots {
			if !musttail {
				p.error("unexpected ellipsis in argument list for non-musttail call")
				return
			}
			if !p.t.IsVarArg(p.m.Globals[fs.f.ID].ValueType) {
				p.error("unexpected ellipsis in argument list for musttail call in non-varargs function")
				return
			}
			p.next()
			break
		}
		a := callArg{off: p.off}
		a.typ = p.typ("expected type")
		if a.typ == 0 {
			return
		}
		if !p.argumentType(a.typ) {
			p.errorAt(a.off, "invalid type for function argument")
			return
		}
		if a.typ == ir.Metadata {
			id := p.metadata()
			if !p.ok() {
				return
			}
			a.val = ir.MDVal(id)
		} else {
			if p.tok == tWord || p.tok == tString {
				a.set = p.cachedAttrs(onParam)
			}
			a.val = p.value(a.typ)
		}
		if !p.ok() {
			return
		}
		fs.args = append(fs.args, a)
		if p.tok == ')' {
			break
		}
		if !p.expect(',', "expected ',' in argument list") {
			return
		}
	}
	p.expect(')', "expected ')' at end of argument list")
}

// callTail reads attributes and operand bundles after the arguments.
func (p *parser) callTail(c *callSite) {
	c.fn, c.groups = nil, c.groups[:0]
	switch p.tok {
	case tAttrGrp:
		p.fn.groupBuf = append(p.fn.groupBuf[:0], uint32(p.num))
		p.next()
		c.groups = p.fn.groupBuf
		if p.tok == tAttrGrp || p.tok == tString || p.tok == tWord && p.text() != "to" {
			fn, more, _ := p.fnAttrs(false)
			c.fn, c.groups = fn, append(c.groups, more...)
		}
	case tWord, tString:
		if !p.is("to") {
			c.fn, c.groups, _ = p.fnAttrs(false)
		}
	}
	if p.tok == '[' {
		p.bundles(c)
	}
}

func (p *parser) bundles(c *callSite) {
	p.next()
	for p.ok() && p.tok != ']' {
		b := ir.Bundle{Tag: p.string("expected string constant")}
		p.expect('(', "expected '(' in operand bundle")
		for p.ok() && p.tok != ')' {
			t := p.typ("expected type")
			if t == 0 {
				return
			}
			var v ir.Value
			if t == ir.Metadata {
				v = ir.MDVal(p.metadata())
			} else {
				v = p.value(t)
			}
			b.Args = append(b.Args, v)
			if !p.eat(',') {
				break
			}
		}
		p.expect(')', "expected ')' in operand bundle")
		c.bundles = append(c.bundles, b)
		if !p.eat(',') {
			break
		}
	}
	if p.ok() && len(c.bundles) == 0 {
		p.error("operand bundle set must not be empty")
		return
	}
	p.expect(']', "expected end of operand bundles")
}

// site reads a call site up to its bundles, checks it, and pushes the
// arguments and the callee.
func (p *parser) site(in *ir.Instr, c *callSite, musttail bool, what string) {
	fs := p.fn
	p.callHead(c)
	if !p.ok() {
		return
	}
	// A callee whose type is known needs no new function type; all others are checked after the arguments.
	asm := p.calleeValue(c)
	if !p.ok() {
		return
	}
	p.callArguments(c, musttail)
	p.callTail(c)
	if !p.ok() {
		return
	}
	if c.fnType == 0 {
		if k := p.t.Kind(c.typ); k == ir.KindLabel || k == ir.KindMetadata {
			p.errorAt(c.typOff, "Invalid result type for LLVM function")
			return
		}
		c.fnType = p.calleeType(c)
	}
	p.noteCall(c.calleeOff, c.fnType)
	if c.implicit != "" {
		d := implicitDecl{c.implicit, c.fnType}
		if g := p.implicitIDs[d]; g != 0 {
			c.callee = ir.GlobalVal(g)
		} else {
			p.implicitIntrinsic(d, c.implicitOff)
		}
	}
	params := p.t.Subtypes(c.fnType)
	for i := range fs.args {
		a := &fs.args[i]
		if i >= len(params) {
			if !p.t.IsVarArg(c.fnType) {
				p.errorAt(a.off, "too many arguments specified")
				return
			}
		} else if a.typ != params[i] {
			p.errorAt(a.off, "argument is not of expected type '"+p.typeString(params[i])+"'")
			return
		}
		p.push(a.val)
	}
	if len(fs.args) < len(params) {
		p.errorAt(c.typOff, "not enough parameters specified for call")
		return
	}
	if asm != nil {
		asm.Type = c.fnType
		if msg := asm.Fault(p.t); msg != "" {
			p.errorAt(c.asmOff, msg)
			return
		}
		c.callee = p.asmValue(asm)
	}
	p.push(c.callee)
	in.CC = c.cc
	in.SrcType = c.fnType
	in.Type = p.t.Result(c.fnType)
	in.Attrs = p.siteAttrs(c)
	if len(c.bundles) > 0 || c.addrSpace != 0 {
		p.fixBundles(c)
		in.Extra = fs.f.AddExtra(ir.Extra{Bundles: c.bundles, AddrSpace: c.addrSpace})
	}
}

func (p *parser) asmValue(a *ir.InlineAsm) ir.Value {
	w := p.worker
	for i := 1; i < len(w.asms) && i < 32; i++ {
		if w.asms[i] == *a {
			return ir.AsmVal(uint32(i) | mdProvisional)
		}
	}
	w.asms = append(w.asms, *a)
	return ir.AsmVal(uint32(len(w.asms)-1) | mdProvisional)
}

// siteAttrs returns the provisional attribute list of a call site.
func (p *parser) siteAttrs(c *callSite) ir.AttrListID {
	fs, w := p.fn, p.worker
	plain := c.ret == 0 && len(c.fn) == 0 && len(c.groups) == 0
	for i := range fs.args {
		plain = plain && fs.args[i].set == 0
	}
	if plain {
		return 0
	}
	var id ir.AttrListID
	if len(c.fn) == 0 {
		key := w.key[:0]
		key = strconv.AppendUint(key, uint64(c.ret), 36)
		for _, g := range c.groups {
			key = append(key, '#')
			key = strconv.AppendUint(key, uint64(g), 36)
		}
		for i := range fs.args {
			key = append(key, ',')
			if s := fs.args[i].set; s != 0 {
				key = strconv.AppendUint(key, uint64(s), 36)
			}
		}
		w.key = key
		if id = w.listIDs[string(key)]; id != 0 {
			return id
		}
	}
	l := &ir.AttrList{Ret: w.setList[c.ret]}
	l.Fn, _ = p.mergeGroups(c.fn, c.groups)
	for i := range fs.args {
		if s := fs.args[i].set; s != 0 {
			for len(l.Params) < i {
				l.Params = append(l.Params, nil)
			}
			l.Params = append(l.Params, w.setList[s])
		}
	}
	w.lists = append(w.lists, l)
	id = ir.AttrListID(len(w.lists)-1) | mdProvisional
	if len(c.fn) == 0 {
		w.listIDs[string(w.key)] = id
	}
	return id
}

// fixBundles refuses what bundles cannot hold until it is resolved: forward
// references are kept as indices and fixed at the end of the body.
func (p *parser) fixBundles(c *callSite) {
	for i := range c.bundles {
		for k, v := range c.bundles[i].Args {
			if v.Tag() == tagForward || v.Index()&mdProvisional != 0 && (v.Tag() == ir.TagMetadata || v.Tag() == ir.TagInlineAsm) {
				p.fn.bundleFix = append(p.fn.bundleFix, &c.bundles[i].Args[k])
			}
		}
	}
}

func (p *parser) tailCall(in *ir.Instr, off int, w string) {
	fOff := p.off
	if !p.expectWord("call", "expected 'tail call', 'musttail call', or 'notail call'") {
		return
	}
	p.call(in, fOff)
}

// call reads a call; fOff is where faults of its flags are.
func (p *parser) call(in *ir.Instr, fOff int) {
	in.Op = ir.OpCall
	in.Flags |= p.fastMath()
	var c callSite
	p.site(in, &c, in.Flags&ir.MustTail != 0, "call")
	if p.ok() && in.Flags&ir.FastMath != 0 && !p.fpMathType(in.Type) {
		p.errorAt(fOff, "fast-math-flags specified for call without floating-point scalar or vector return type")
	}
}

// fpMathType reports the types that fast-math flags apply to.
func (p *parser) fpMathType(t ir.Type) bool {
	for p.t.Kind(t) == ir.KindArray {
		t = p.t.Elem(t)
	}
	if p.t.Kind(t) == ir.KindStruct {
		m := p.t.Subtypes(t)
		for _, x := range m {
			if x != m[0] {
				return false
			}
		}
		return len(m) > 0 && p.t.IsFloat(p.t.Scalar(m[0]))
	}
	return p.t.IsFloat(p.t.Scalar(t))
}

func (p *parser) invoke(in *ir.Instr, off int) {
	in.Op = ir.OpInvoke
	var c callSite
	p.site(in, &c, false, "invoke")
	p.expectWord("to", "expected 'to' in invoke")
	a := p.labelOperand()
	p.expectWord("unwind", "expected 'unwind' in invoke")
	b := p.labelOperand()
	p.push(a)
	p.push(b)
}

func (p *parser) callbr(in *ir.Instr, off int) {
	in.Op = ir.OpCallBr
	var c callSite
	p.site(in, &c, false, "callbr")
	n := len(p.fn.args)
	in.Order, in.Order2 = ir.Ordering(n&255), ir.Ordering(n>>8)
	if n >= 1<<16 {
		p.errorAt(off, "too many arguments")
	}
	p.expectWord("to", "expected 'to' in callbr")
	p.push(p.labelOperand())
	p.expect('[', "expected '[' in callbr")
	for p.ok() && p.tok != ']' {
		p.push(p.labelOperand())
		if !p.eat(',') {
			break
		}
	}
	p.expect(']', "expected ']' in callbr")
}

// rareInstruction reads the instructions that instruction does not.
func (p *parser) rareInstruction(in *ir.Instr, w string, off int) (comma bool) {
	switch w {
	case "fence":
		in.Op = ir.OpFence
		o := p.off
		in.Order = p.scopeAndOrdering(in)
		if p.ok() && in.Order == ir.Unordered {
			p.errorAt(o, "fence cannot be unordered")
		} else if p.ok() && in.Order == ir.Monotonic {
			p.errorAt(o, "fence cannot be monotonic")
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
		for p.ok() && p.tok != ']' {
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
		if p.fn.maskLanes > fnMaskLanes+maxMaskLanes*int64(p.end-p.fn.body.start)/int64(len(p.source)) {
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
	for p.ok() && p.tok != ']' {
		t := p.typ("expected type")
		if t == 0 {
			return
		}
		if t == ir.Metadata {
			p.push(ir.MDVal(p.metadata()))
		} else {
			p.push(p.value(t))
		}
		if !p.eat(',') {
			break
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

package irtext

import (
	"encoding/binary"
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
	for p.tok != ')' || len(fs.args) > 0 {
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
			fn, more := p.fnAttrs(false)
			c.fn, c.groups = fn, append(c.groups, more...)
		}
	case tWord, tString:
		if !p.is("to") {
			c.fn, c.groups = p.fnAttrs(false)
		}
	}
	if p.tok == '[' {
		p.bundles(c)
	}
}

func (p *parser) bundles(c *callSite) {
	off := p.off
	p.next()
	for p.ok() && p.tok != ']' {
		if len(c.bundles) > 0 && !p.expect(',', "expected ',' in input list") {
			return
		}
		b := ir.Bundle{Tag: p.string("expected string constant")}
		p.expect('(', "expected '(' in operand bundle")
		for p.ok() && p.tok != ')' {
			if len(b.Args) > 0 && !p.expect(',', "expected ',' in input list") {
				return
			}
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
		}
		p.expect(')', "expected ')' in operand bundle")
		c.bundles = append(c.bundles, b)
	}
	if p.ok() && len(c.bundles) == 0 {
		p.errorAt(off, "operand bundle set must not be empty")
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
		key := binary.AppendUvarint(w.key[:0], uint64(c.ret))
		key = binary.AppendUvarint(key, uint64(len(c.groups)))
		for _, g := range c.groups {
			key = binary.AppendUvarint(key, uint64(g))
		}
		for i := range fs.args {
			key = binary.AppendUvarint(key, uint64(fs.args[i].set))
		}
		w.key = key
		if id = w.listIDs[string(key)]; id != 0 {
			return id
		}
	}
	l := &ir.AttrList{Ret: w.setList[c.ret]}
	l.Fn = p.mergeGroups(c.fn, c.groups)
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
	p.expect(']', "expected ']' at end of block list")
}

package mirtext

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
)

func (p *miParser) memOperands(i mir.InstrID) {
	var buf [4]mir.MemID
	ids := buf[:0]
	for p.tok != tNewline && p.tok != tEOF && p.tok != '{' {
		m := p.memOperand()
		if !p.ok() {
			return
		}
		ids = append(ids, p.f.AddMem(m))
		if p.tok == tNewline || p.tok == tEOF || p.tok == '{' {
			break
		}
		if p.tok != ',' {
			p.error("expected ',' before the next machine memory operand")
			return
		}
		p.next()
	}
	p.f.SetMem(i, ids...)
}

// memWords are keywords that LLVM does not take for what stands before a pointer.
var memWords = [...]string{"align", "basealign", "addrspace", "stack", "got", "jump-table", "constant-pool", "call-entry", "custom", "unknown-size",
	"unknown-address", "volatile", "non-temporal", "dereferenceable", "invariant", "implicit", "killed", "dead", "undef", "def", "renamable"}

func orderOf(w string) (ir.Ordering, bool) {
	switch w {
	case "unordered":
		return ir.Unordered, true
	case "monotonic":
		return ir.Monotonic, true
	case "acquire":
		return ir.Acquire, true
	case "release":
		return ir.Release, true
	case "acq_rel":
		return ir.AcqRel, true
	case "seq_cst":
		return ir.SeqCst, true
	}
	return 0, false
}

func (p *miParser) memFlags(m *mir.MemOperand) {
	for p.ok() {
		var fl mir.MemFlags
		switch {
		case p.is("volatile"):
			fl = mir.MemVolatile
		case p.is("non-temporal"):
			fl = mir.MemNonTemporal
		case p.is("dereferenceable"):
			fl = mir.MemDereferenceable
		case p.is("invariant"):
			fl = mir.MemInvariant
		case p.tok == tString:
			v, ok := p.in.MemFlagByName(p.text)
			if !ok {
				p.error("use of undefined target MMO flag '" + p.text + "'")
				return
			}
			for k := range 4 {
				if v == memTargetValue(k) {
					fl = mir.MemTarget1 << k
				}
			}
		default:
			return
		}
		if m.Flags&fl != 0 {
			p.error("duplicate '" + p.src[p.off:p.pos] + "' memory operand flag")
			return
		}
		m.Flags |= fl
		p.next()
	}
}

func (p *miParser) memOperand() (m mir.MemOperand) {
	if !p.expect('(') {
		return
	}
	p.memFlags(&m)
	if !p.is("load") && !p.is("store") {
		p.error("expected 'load' or 'store' memory operation")
		return
	}
	if p.eatWord("load") {
		m.Flags |= mir.MemLoad
	} else if p.eatWord("store") {
		m.Flags |= mir.MemStore
	}
	if p.eatWord("store") {
		m.Flags |= mir.MemStore
	}
	if p.is("syncscope") {
		p.next()
		if p.tok != '(' {
			p.error("expected '(' in syncscope")
			return
		}
		if p.next(); p.tok != tString {
			p.error("expected string constant")
			return
		}
		m.SyncScope = uint32(p.out.Module.SyncScope(p.text))
		if p.next(); p.tok != ')' {
			p.error("expected ')' in syncscope")
			return
		}
		p.next()
	}
	for _, to := range []*ir.Ordering{&m.Order, &m.FailOrder} {
		if p.tok == tIdent && !slices.Contains(memWords[:], p.text) {
			o, ok := orderOf(p.text)
			if !ok {
				p.error("expected an atomic scope, ordering or a size specification")
				return
			}
			*to = o
			p.next()
		}
	}
	switch {
	case p.tok == '(':
		p.next()
		t := p.llt()
		if !p.ok() || !p.expect(')') {
			return
		}
		m.Type, m.Size, m.ScalableSize = t, int64(t.Bytes()), t.IsScalable()
	case p.tok == tInt:
		off := p.off
		v, ok := p.unsigned("expected the size")
		if !ok {
			return
		}
		if v == 0 || v > 1<<20 {
			p.errorOff(off, "invalid size for scalar type")
			return
		}
		m.Type, m.Size = mir.Scalar(int(8*v)), int64(v)
	case p.is("unknown-size"):
		m.Size = mir.UnknownSize
		p.next()
	default:
		p.error("expected memory LLT, the size integer literal or 'unknown-size' after memory operation")
		return
	}
	if p.tok == tIdent && !slices.Contains(memWords[:], p.text) {
		want := "into"
		switch {
		case m.Flags&mir.MemLoad != 0 && m.Flags&mir.MemStore != 0:
			want = "on"
		case m.Flags&mir.MemLoad != 0:
			want = "from"
		}
		if p.text != want {
			p.error("expected '" + want + "'")
			return
		}
		p.next()
		p.memBase(&m)
	}
	if !p.ok() {
		return
	}
	base := int64(0)
	if m.Size > 0 {
		base = m.Size
	}
	p.memTail(&m, base)
	return m
}

// memTail reads alignment, metadata and address space. The natural alignment of the access is def.
func (p *miParser) memTail(m *mir.MemOperand, def int64) {
	base := int64(1)
	for base < def {
		base *= 2
	}
	m.AddrSpace = p.pointerSpace(m)
	for p.ok() && p.tok == ',' {
		p.next()
		md := func(to *ir.MDID) {
			p.next()
			// !tbaa is one token, its node another.
			*to = p.numberedMetadata()
		}
		switch {
		case p.is("align") || p.is("basealign"):
			w := p.text
			p.next()
			v, ok := p.decimal("expected an integer literal after 'align'")
			if !ok {
				return
			}
			if v == 0 || v&(v-1) != 0 {
				p.error("expected a power-of-2 literal after 'align'")
				return
			}
			if w == "align" && uint64(m.Offset)&(v-1) != 0 {
				p.error("specified alignment is more aligned than offset")
				return
			}
			base = int64(v)
		case p.is("addrspace"):
			p.next()
			v, ok := p.decimal("expected an integer literal after 'addrspace'")
			if !ok {
				return
			}
			m.AddrSpace = uint32(v)
		case p.tok == tMDName && p.text == "tbaa":
			md(&m.TBAA)
		case p.tok == tMDName && p.text == "alias.scope":
			md(&m.AliasScope)
		case p.tok == tMDName && p.text == "noalias":
			md(&m.NoAlias)
		case p.tok == tMDName && p.text == "noalias.addrspace":
			md(&m.NoAliasAS)
		case p.tok == tMDName && p.text == "range":
			md(&m.Ranges)
		case p.tok == tMDName:
			p.error("use of unknown metadata keyword '!" + p.text + "'")
			return
		default:
			p.error("expected 'align' or '!tbaa' or '!alias.scope' or '!noalias' or '!range' or '!noalias.addrspace'")
			return
		}
	}
	if !p.ok() || !p.expect(')') {
		return
	}
	for base > 1 {
		base >>= 1
		m.BaseAlign++
	}
}

func (p *miParser) memBase(m *mir.MemOperand) {
	set := func(k mir.PtrKind) {
		m.PtrKind = k
		p.next()
	}
	switch {
	case p.is("unknown-address"):
		set(mir.PtrNone)
	case p.is("stack"):
		set(mir.PtrStack)
	case p.is("got"):
		set(mir.PtrGOT)
	case p.is("jump-table"):
		set(mir.PtrJumpTable)
	case p.is("constant-pool"):
		set(mir.PtrConstantPool)
	case p.tok == tStack || p.tok == tFixedStack:
		m.Ptr, m.PtrKind = uint32(int32(p.frameIndex())), mir.PtrFixedStack
	case p.is("call-entry"):
		p.next()
		switch p.tok {
		case tGlobal, tGlobalNum:
			m.Ptr, m.PtrKind = uint32(p.global()), mir.PtrGlobalCall
		case tExtSym:
			m.Ptr = p.f.Symbol(p.text)
			set(mir.PtrExtSymCall)
		default:
			p.error("expected a global value or an external symbol after 'call-entry'")
		}
	case p.is("custom"):
		p.next()
		if p.tok != tString {
			p.error("expected a string constant")
			return
		}
		m.Ptr = p.f.Symbol(p.text)
		set(mir.PtrCustom)
	case p.tok == tIRValue || p.tok == tIRValueNum:
		p.irNumbers()
		var v ir.Value
		if p.tok == tIRValue {
			v = p.irNames[p.text]
		} else if int(p.num) < len(p.irVals) && p.irVals[p.num] != 0 {
			v = ir.Local(p.irVals[p.num])
		}
		if v == 0 {
			name := p.text
			if p.tok == tIRValueNum {
				name = strconv.FormatUint(p.num, 10)
			}
			p.error("use of undefined IR value '%ir." + name + "'")
			return
		}
		if t := p.f.IR.Instrs[v.Instr()].Type; p.out.Module.Types.Kind(t) != ir.KindPointer {
			p.error("expected a pointer IR value")
			return
		}
		m.Ptr = uint32(v)
		set(mir.PtrValue)
	case p.tok == tGlobal || p.tok == tGlobalNum:
		m.Ptr, m.PtrKind = uint32(ir.GlobalVal(p.global())), mir.PtrValue
	case p.tok == tQuotedIR:
		off := p.off
		if v, ok := p.irAddrs[p.text]; ok {
			m.Ptr = uint32(v)
			set(mir.PtrValue)
			break
		}
		v, t, _, err := p.ctx.Constant(p.text, p.f.IRConsts())
		if err != nil {
			f, _ := faultOf(err)
			p.errorOff(off+f.Off, f.Msg)
			return
		}
		if p.out.Module.Types.Kind(t) != ir.KindPointer {
			p.errorOff(off, "expected a pointer IR value")
			return
		}
		if v.Const() == 0 && v.Tag() != ir.TagGlobal { // a global that the module does not have
			p.errorOff(off+max(strings.IndexByte(p.text, '@'), 0), "expected a constant value")
			return
		}
		if p.irAddrs == nil {
			p.irAddrs = map[string]ir.Value{}
		}
		p.irAddrs[p.text] = v
		m.Ptr = uint32(v)
		set(mir.PtrValue)
	default:
		p.error("expected an IR value reference")
		return
	}
	if p.ok() {
		m.Offset = p.offset()
	}
}

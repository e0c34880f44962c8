package irtext

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/intrin"
)

// linkage returns the linkage that a keyword names.
func linkage(w string) (l ir.Linkage, ok bool) {
	switch w {
	case "private":
		return ir.Private, true
	case "internal":
		return ir.Internal, true
	case "weak":
		return ir.WeakAny, true
	case "weak_odr":
		return ir.WeakODR, true
	case "linkonce":
		return ir.LinkOnceAny, true
	case "linkonce_odr":
		return ir.LinkOnceODR, true
	case "available_externally":
		return ir.AvailableExternally, true
	case "appending":
		return ir.Appending, true
	case "common":
		return ir.Common, true
	case "extern_weak":
		return ir.ExternWeak, true
	case "external":
		return ir.External, true
	}
	return 0, false
}

// linkageHead reads linkage, dso_local, visibility and DLL storage. hasLinkage
// reports that a linkage was written, so that "external" declarations are known.
func (p *parser) linkageHead(g *ir.Global, off int) (hasLinkage bool) {
	if p.tok == tWord {
		if l, ok := linkage(p.text()); ok {
			g.Linkage, hasLinkage = l, true
			p.next()
		}
	}
	dso := ""
	if p.is("dso_local") || p.is("dso_preemptable") {
		dso = p.text()
		p.next()
	}
	switch {
	case p.eatWord("default"):
	case p.eatWord("hidden"):
		g.Visibility = ir.Hidden
	case p.eatWord("protected"):
		g.Visibility = ir.Protected
	}
	switch {
	case p.eatWord("dllimport"):
		g.DLL = ir.DLLImport
	case p.eatWord("dllexport"):
		g.DLL = ir.DLLExport
	}
	g.DSOLocal = dso == "dso_local"
	if g.DSOLocal && g.DLL == ir.DLLImport {
		p.error("dso_location and DLL-StorageClass mismatch")
		return
	}
	if g.HasLocalLinkage() {
		if g.Visibility != ir.DefaultVisibility {
			p.errorAt(off, "symbol with local linkage must have default visibility")
			return
		}
		if g.DLL != ir.DLLDefault {
			p.errorAt(off, "symbol with local linkage cannot have a DLL storage class")
			return
		}
	}
	// What cannot be preempted is local to the object without saying so.
	if g.HasLocalLinkage() || g.Visibility != ir.DefaultVisibility && g.Linkage != ir.ExternWeak {
		g.DSOLocal = true
	}
	return hasLinkage
}

// namedGlobal reads what begins with @x = or @12 =.
func (p *parser) namedGlobal() {
	off := p.off
	if p.tok == tGlobal {
		name := p.str()
		p.next()
		p.expect('=', "expected '=' in global variable")
		p.global(name, -1, off)
		return
	}
	n := p.num
	p.next()
	p.expect('=', "expected '=' after name")
	p.global("", int64(n), off)
}

func (p *parser) tlsMode() ir.TLSMode {
	if !p.eatWord("thread_local") {
		return ir.NotTLS
	}
	m := ir.GeneralDynamicTLS
	if p.eat('(') {
		switch p.text() {
		case "localdynamic":
			m = ir.LocalDynamicTLS
		case "initialexec":
			m = ir.InitialExecTLS
		case "localexec":
			m = ir.LocalExecTLS
		default:
			p.error("expected localdynamic, initialexec or localexec")
		}
		p.next()
		p.expect(')', "expected ')' after thread local model")
	}
	return m
}

func (p *parser) unnamedAddr() ir.UnnamedAddr {
	switch {
	case p.eatWord("unnamed_addr"):
		return ir.GlobalUnnamedAddr
	case p.eatWord("local_unnamed_addr"):
		return ir.LocalUnnamedAddr
	}
	return ir.NamedAddr
}

// global reads a variable, alias or ifunc after its name. num is its number, -1 for a named one.
func (p *parser) global(name string, num int64, off int) {
	g := &ir.Global{Name: name}
	hasLinkage := p.linkageHead(g, off)
	g.TLS = p.tlsMode()
	g.Unnamed = p.unnamedAddr()
	if !p.ok() {
		return
	}
	if p.is("alias") || p.is("ifunc") {
		p.alias(g, num, off)
		return
	}
	if p.is("addrspace") {
		g.AddrSpace = p.addrSpace()
	}
	g.ExternInit = p.eatWord("externally_initialized")
	switch {
	case p.eatWord("constant"):
		g.Constant = true
	case p.eatWord("global"):
	default:
		p.error("expected 'global' or 'constant'")
		return
	}
	tOff := p.off
	g.ValueType = p.typ("expected type")
	if !p.ok() {
		return
	}
	p.defineGlobal(g, num, off, tOff)
	if !p.ok() {
		return
	}
	// A declaration has an external linkage written out; all else has an initializer.
	g.IsDecl = hasLinkage && (g.Linkage == ir.External || g.Linkage == ir.ExternWeak)
	if !g.IsDecl {
		g.Init = p.value(g.ValueType)
	}
	switch p.t.Kind(g.ValueType) {
	case ir.KindFunction, ir.KindLabel, ir.KindMetadata, ir.KindVoid, ir.KindToken, ir.KindX86AMX:
		p.errorAt(tOff, "invalid type for global variable")
		return
	}
	attrOff := p.off
	for p.ok() && p.eat(',') {
		p.globalProperty(g)
	}
	if p.tok == tAttrGrp || p.tok == tWord && (attrByName(p.text()) != nil) || p.tok == tString {
		p.globalAttrs(g, attrOff)
	}
}

// globalProperty reads section, align, … after a comma of a variable.
func (p *parser) globalProperty(g *ir.Global) {
	switch p.tok {
	case tWord:
		switch p.text() {
		case "section":
			p.next()
			g.Section = p.string("expected global section string")
			return
		case "partition":
			p.next()
			g.Partition = p.string("expected partition string")
			return
		case "align":
			g.Align = p.optAlign()
			return
		case "code_model":
			p.next()
			off := p.off
			s := p.string("expected global code model string")
			for i, n := range codeModels {
				if n == s {
					g.CodeModel = uint8(i + 1)
					return
				}
			}
			p.errorAt(off, "expected global code model string")
			return
		case "comdat":
			p.optComdat(g)
			return
		}
		for i, n := range sanitizers {
			if p.text() == n {
				g.Sanitize |= 1 << i
				p.next()
				return
			}
		}
	case tMDName:
		a := p.attachment()
		g.MD = append(g.MD, a)
		return
	}
	p.error("unknown global variable property!")
}

var codeModels = [...]string{"tiny", "small", "kernel", "medium", "large"}

// sanitizers are the words of Global.Sanitize, by bit, in order of printing.
var sanitizers = [...]string{"no_sanitize_address", "no_sanitize_hwaddress", "sanitize_memtag", "sanitize_address_dyninit"}

// optAlign reads align N or align(N), the keyword being the current token; 0 is not given.
func (p *parser) optAlign() uint8 {
	if !p.eatWord("align") {
		return 0
	}
	parenOff := p.off
	paren := p.eat('(')
	off := p.off
	n := p.uint(64)
	if paren && p.ok() && !p.eat(')') {
		p.errorAt(parenOff, "expected ')'")
	}
	if !p.ok() {
		return 0
	}
	return p.alignLog(off, n)
}

// defineGlobal adds g to the module under its name or number.
func (p *parser) defineGlobal(g *ir.Global, num int64, off, typeOff int) ir.GlobalID {
	var f *fwdGlobal
	if num < 0 && g.Name != "" {
		if old := p.m.Lookup(g.Name); old != 0 {
			switch {
			case g.Kind != ir.GlobalFunc:
				p.errorAt(off, "redefinition of global '@"+g.Name+"'")
			case p.m.Globals[old].Kind == ir.GlobalFunc:
				p.errorAt(off, "invalid redefinition of function '"+g.Name+"'")
			default:
				p.errorAt(off, "redefinition of function '@"+g.Name+"'")
			}
			return 0
		}
		f = p.fwdGlobals[g.Name]
	} else {
		next := p.globalNums.next()
		if num < 0 {
			num = next
		}
		if num < next || num > next+maxNumber {
			what := "global"
			if g.Kind == ir.GlobalFunc {
				what = "function"
			}
			p.errorAt(off, what+" expected to be numbered '@"+strconv.FormatInt(next, 10)+"' or greater")
			return 0
		}
		f = p.fwdNums[uint32(num)]
	}
	id := p.m.AddGlobal(g)
	if num >= 0 {
		p.globalNums.add(uint32(num), id)
	}
	if f != nil {
		if f.typ != p.t.Pointer(g.AddrSpace) {
			if g.Kind == ir.GlobalFunc {
				p.errorAt(off, "type of definition and forward reference of '@"+f.label()+"' disagree: expected '"+
					p.typeString(p.t.Pointer(g.AddrSpace))+"' but was '"+p.typeString(f.typ)+"'")
				return id
			}
			what := "global"
			if g.Kind != ir.GlobalVar {
				what = "alias"
			}
			p.errorAt(typeOff, "forward reference and definition of "+what+" have different types")
			return id
		}
		f.id = id
	}
	return id
}

func (f *fwdGlobal) label() string {
	if f.named {
		return f.name
	}
	return strconv.Itoa(int(f.num))
}

// alias reads an alias or ifunc from its keyword on.
func (p *parser) alias(g *ir.Global, num int64, off int) {
	g.Kind = ir.GlobalAlias
	if p.is("ifunc") {
		g.Kind = ir.GlobalIFunc
	}
	p.next()
	switch g.Linkage {
	case ir.Appending, ir.Common, ir.ExternWeak:
		if g.Kind == ir.GlobalAlias {
			p.errorAt(off, "invalid linkage type for alias")
			return
		}
	}
	tOff := p.off
	g.ValueType = p.typ("expected type")
	p.expect(',', "expected comma after alias or ifunc's type")
	if !p.ok() {
		return
	}
	aOff := p.off
	var t ir.Type
	if p.tok == tWord && constExprWord(p.text()) {
		t, g.Init = p.constExpr()
	} else {
		t, g.Init = p.typeAndValue()
	}
	if !p.ok() {
		return
	}
	if p.t.Kind(t) != ir.KindPointer {
		p.errorAt(aOff, "An alias or ifunc must have pointer type")
		return
	}
	g.AddrSpace = p.t.AddrSpace(t)
	p.defineGlobal(g, num, off, tOff)
	for p.ok() && p.eat(',') {
		switch {
		case p.eatWord("partition"):
			g.Partition = p.string("expected partition string")
		case p.tok == tMDName && g.Kind == ir.GlobalIFunc:
			g.MD = append(g.MD, p.attachment())
		default:
			p.error("unknown alias or ifunc property!")
		}
	}
}

// globalRef returns the global that @name or @n means; the token is passed
// over. want is the pointer type that the context asks for.
func (p *parser) globalRef(want ir.Type) ir.Value {
	off := p.off
	named := p.tok == tGlobal
	var id ir.GlobalID
	var name string
	var num uint32
	if named {
		name = p.str()
		id = p.m.Lookup(name)
	} else {
		num = uint32(p.num)
		if int64(num) < p.globalNums.next() {
			id = p.globalNums.at(uint32(num))
		}
	}
	p.next()
	if p.t.Kind(want) != ir.KindPointer {
		p.errorAt(off, "global variable reference must have pointer type")
		return 0
	}
	if id != 0 {
		if got := p.t.Pointer(p.m.Globals[id].AddrSpace); got != want {
			label := name
			if !named {
				label = strconv.Itoa(int(num))
			}
			p.errorAt(off, "'@"+label+"' defined with type '"+p.typeString(got)+"' but expected '"+p.typeString(want)+"'")
			return 0
		}
		return ir.GlobalVal(id)
	}
	if p.fn != nil {
		label, key := name, nameKey(name)
		if !named {
			label, key = strconv.Itoa(int(num)), numberKey(int(num))
		}
		if named {
			p.noteGlobal(name, off, want)
		}
		if named && strings.HasPrefix(name, "llvm.") && intrin.Lookup(name) != 0 {
			p.lateError(off, rankGlobal, key, "intrinsic can only be used as callee")
		}
		p.lateError(off, rankGlobal, key, "use of undefined value '@"+label+"'")
		return ir.GlobalVal(1)
	}
	var f *fwdGlobal
	if named {
		f = p.fwdGlobals[name]
	} else {
		f = p.fwdNums[num]
	}
	if f == nil {
		f = &fwdGlobal{typ: want, off: off, name: name, num: num, named: named, index: uint32(len(p.fwdList))}
		if named {
			p.fwdGlobals[name] = f
		} else {
			p.fwdNums[num] = f
		}
		p.fwdList = append(p.fwdList, f)
	}
	if f.typ != want {
		p.errorAt(off, "'@"+f.label()+"' defined with type '"+p.typeString(f.typ)+"' but expected '"+p.typeString(want)+"'")
		return 0
	}
	return fwdValue(f.index)
}

// tagForward marks operands that are not known yet: the index is that of a
// forward reference (of the function's table, or of shared.fwdList at the top level).
const tagForward ir.ValueTag = 7

func fwdValue(i uint32) ir.Value { return ir.Value(uint32(tagForward)<<29 | i) }

// globalNumbers are the unnamed globals: their numbers, ascending, and ids.
// Numbers may be left out, so they are no index.
type globalNumbers struct {
	nums []uint32
	ids  []ir.GlobalID
}

// next is the least number that is free.
func (n *globalNumbers) next() int64 {
	if len(n.nums) == 0 {
		return 0
	}
	return int64(n.nums[len(n.nums)-1]) + 1
}

func (n *globalNumbers) add(num uint32, id ir.GlobalID) {
	n.nums, n.ids = append(n.nums, num), append(n.ids, id)
}

// at returns the global of a number, 0 when there is none.
func (n *globalNumbers) at(num uint32) ir.GlobalID {
	i := int(num)
	if i >= len(n.nums) || n.nums[i] != num {
		var ok bool
		if i, ok = slices.BinarySearch(n.nums, num); !ok {
			return 0
		}
	}
	return n.ids[i]
}

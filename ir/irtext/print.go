package irtext

import (
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/intrin"
)

// printer prints a module or function. Numbers of unnamed things are given in
// the order in which LLVM gives them.
type printer struct {
	m  *ir.Module
	t  *ir.Types
	b  []byte
	dl *ir.DataLayout
	// addresses: a node without a number is printed as LLVM does, which gives its address.
	addresses bool
	// inPlace counts the nodes around that are printed in place.
	inPlace int

	typeNums  map[ir.Type]int
	typeSeen  []bool
	typeOrder []ir.Type
	typeWork  []ir.Type

	globalNums []int32 // by GlobalID, for unnamed ones
	groupOf    map[ir.AttrListID]int
	groupNums  map[string]int
	groups     []ir.AttrSet

	mdSlot  []int32 // by MDID, number plus one
	mdOrder []ir.MDID

	// Of the function that is being printed:
	f       *ir.Function
	valNum  []int32 // by InstrID, number plus one
	blkNum  []int32 // by BlockID, number plus one
	predsOf [][]ir.BlockID

	useLists bool // directives of use-list orders are printed
}

func newPrinter(b []byte, m *ir.Module) *printer {
	p := &printer{m: m, t: m.Types, b: b, typeNums: map[ir.Type]int{}, groupOf: map[ir.AttrListID]int{}, groupNums: map[string]int{}}
	p.globalNums = make([]int32, len(m.Globals))
	p.mdSlot = make([]int32, m.MD.Len())
	if dl, err := ir.ParseDataLayout(m.DataLayout); err == nil {
		p.dl = dl
	} else {
		p.dl, _ = ir.ParseDataLayout("")
	}
	return p
}

func (p *printer) str(s string)  { p.b = append(p.b, s...) }
func (p *printer) char(c byte)   { p.b = append(p.b, c) }
func (p *printer) int(n int)     { p.b = strconv.AppendInt(p.b, int64(n), 10) }
func (p *printer) typ(t ir.Type) { p.b = appendType(p.b, p.t, t, p.typeNums) }
func (p *printer) quoted(s string) {
	p.char('"')
	p.b = ir.AppendEscaped(p.b, s)
	p.char('"')
}

// guessSize is about how long a module's text is, rather too long: what of a
// buffer is not written to costs nothing, while one that grows is copied often.
func guessSize(m *ir.Module) int {
	n := 1024 + 110*m.MD.Len() + 110*len(m.Globals)
	for _, id := range m.Funcs {
		if f := m.Globals[id].Func; f != nil {
			n += 70 * len(f.Instrs)
		}
	}
	return n
}

// AppendModule appends the module's canonical text, as llvm-dis prints it.
func AppendModule(b []byte, m *ir.Module) []byte { return appendModule(b, m, false) }

// AppendModuleUseLists is AppendModule with the use-list orders that the file gave.
func AppendModuleUseLists(b []byte, m *ir.Module) []byte { return appendModule(b, m, true) }

func appendModule(b []byte, m *ir.Module, useLists bool) []byte {
	if b == nil {
		b = make([]byte, 0, guessSize(m))
	}
	p := newPrinter(b, m)
	p.useLists = useLists
	p.numberModule()
	p.str("; ModuleID = '")
	p.str(m.Name)
	p.str("'\n")
	if m.SourceFilename != "" {
		p.str("source_filename = ")
		p.quoted(m.SourceFilename)
		p.char('\n')
	}
	if m.DataLayout != "" {
		p.str("target datalayout = \"" + m.DataLayout + "\"\n")
	}
	if m.Triple != "" {
		p.str("target triple = \"")
		p.b = AppendEscaped(p.b, m.Triple)
		p.str("\"\n")
	}
	if len(m.ModuleAsm) > 0 {
		p.char('\n')
		for _, l := range m.ModuleAsm {
			p.str("module asm ")
			p.quoted(l)
			p.char('\n')
		}
	}
	p.typeIdentities()
	p.comdats()
	for i, id := range m.Vars {
		if i == 0 {
			p.char('\n')
		}
		p.variable(m.Globals[id])
	}
	for i, id := range m.Aliases {
		if i == 0 {
			p.char('\n')
		}
		p.alias(m.Globals[id])
	}
	for i, id := range m.IFuncs {
		if i == 0 {
			p.char('\n')
		}
		p.alias(m.Globals[id])
	}
	for _, id := range m.Funcs {
		p.char('\n')
		p.function(m.Globals[id])
	}
	p.f = nil
	p.useOrders(m.UseOrders, m.UseIndexes)
	p.attributeGroups()
	p.metadataLists()
	if m.Summary != nil {
		return AppendSummary(p.b, m.Summary)
	}
	return p.b
}

// AppendFunction appends one function as it stands in the module's text. The
// module's numbers of attribute groups and metadata are those of AppendModule
// only for the groups; metadata is numbered from the function on.
func AppendFunction(b []byte, m *ir.Module, g ir.GlobalID) []byte {
	p := newPrinter(b, m)
	p.numberModule()
	p.function(m.Globals[g])
	return p.b
}

// numberModule numbers what is numbered before any function is printed.
func (p *printer) numberModule() {
	m := p.m
	n := int32(0)
	number := func(g *ir.Global) {
		if g.Name == "" {
			p.globalNums[g.ID] = n
			n++
		}
	}
	for _, id := range m.Vars {
		g := m.Globals[id]
		number(g)
		p.attachmentSlots(g.MD)
		p.group(g.Attrs)
	}
	for _, id := range m.Aliases {
		number(m.Globals[id])
	}
	for _, id := range m.IFuncs {
		number(m.Globals[id])
		p.attachmentSlots(m.Globals[id].MD)
	}
	for _, l := range m.NamedMD {
		for _, id := range l.Nodes {
			p.slot(id)
		}
	}
	for _, id := range m.Funcs {
		number(m.Globals[id])
		p.group(m.Globals[id].Attrs)
	}
	p.findTypes()
}

// group returns the number of the attribute group of a list's function attributes, -1 for none.
func (p *printer) group(l ir.AttrListID) int {
	if l == 0 {
		return -1
	}
	if n, ok := p.groupOf[l]; ok {
		return n
	}
	set := p.m.Attrs.At(l).Fn
	n := -1
	if len(set) > 0 {
		key := string(p.appendAttrs(nil, set, true))
		var ok bool
		if n, ok = p.groupNums[key]; !ok {
			n = len(p.groups)
			p.groupNums[key] = n
			p.groups = append(p.groups, set)
		}
	}
	p.groupOf[l] = n
	return n
}

// comdats appends the comdats that are used, those of functions first.
func (p *printer) comdats() {
	seen := make([]bool, len(p.m.Comdats))
	for _, list := range [...][]ir.GlobalID{p.m.Funcs, p.m.Vars, p.m.IFuncs} {
		for _, id := range list {
			n := p.m.Globals[id].Comdat
			if n == 0 || seen[n] {
				continue
			}
			seen[n] = true
			p.char('\n')
			c := &p.m.Comdats[n]
			p.b = ir.AppendName(append(p.b, '$'), c.Name)
			p.str(" = comdat ")
			p.str([...]string{"any", "exactmatch", "largest", "nodeduplicate", "samesize"}[c.Kind])
			p.char('\n')
		}
	}
}

func (p *printer) comdatOf(g *ir.Global) {
	if g.Comdat == 0 {
		return
	}
	if g.Kind == ir.GlobalVar {
		p.char(',')
	}
	p.str(" comdat")
	if n := p.m.Comdats[g.Comdat].Name; n != g.Name {
		p.str("($")
		p.b = ir.AppendName(p.b, n)
		p.char(')')
	}
}

func (p *printer) globalName(id ir.GlobalID) {
	g := p.m.Globals[id]
	p.char('@')
	if g.Name == "" {
		p.int(int(p.globalNums[id]))
		return
	}
	p.b = ir.AppendName(p.b, g.Name)
}

var linkageNames = [...]string{
	ir.External: "", ir.AvailableExternally: "available_externally ", ir.LinkOnceAny: "linkonce ", ir.LinkOnceODR: "linkonce_odr ",
	ir.WeakAny: "weak ", ir.WeakODR: "weak_odr ", ir.Appending: "appending ", ir.Internal: "internal ", ir.Private: "private ",
	ir.ExternWeak: "extern_weak ", ir.Common: "common ",
}

// linkage appends linkage, dso_local, visibility and DLL storage.
func (p *printer) linkage(g *ir.Global) {
	p.str(linkageNames[g.Linkage])
	implicit := g.HasLocalLinkage() || g.Visibility != ir.DefaultVisibility && g.Linkage != ir.ExternWeak
	if g.DSOLocal && !implicit {
		p.str("dso_local ")
	}
	p.str([...]string{"", "hidden ", "protected "}[g.Visibility])
	p.str([...]string{"", "dllimport ", "dllexport "}[g.DLL])
}

func (p *printer) tls(g *ir.Global) {
	p.str([...]string{"", "thread_local ", "thread_local(localdynamic) ", "thread_local(initialexec) ", "thread_local(localexec) "}[g.TLS])
	p.str([...]string{"", "local_unnamed_addr ", "unnamed_addr "}[g.Unnamed])
}

func (p *printer) variable(g *ir.Global) {
	p.globalName(g.ID)
	p.str(" = ")
	if g.IsDecl && g.Linkage == ir.External {
		p.str("external ")
	}
	p.linkage(g)
	p.tls(g)
	if g.AddrSpace != 0 {
		p.str("addrspace(")
		p.int(int(g.AddrSpace))
		p.str(") ")
	}
	if g.ExternInit {
		p.str("externally_initialized ")
	}
	if g.Constant {
		p.str("constant ")
	} else {
		p.str("global ")
	}
	p.typ(g.ValueType)
	if !g.IsDecl {
		p.char(' ')
		p.operand(&p.m.Consts, g.Init)
	}
	if g.Section != "" {
		p.str(", section ")
		p.quoted(g.Section)
	}
	if g.Partition != "" {
		p.str(", partition ")
		p.quoted(g.Partition)
	}
	if g.CodeModel != 0 {
		p.str(", code_model \"" + codeModels[g.CodeModel-1] + "\"")
	}
	for i, s := range sanitizers {
		if g.Sanitize&(1<<i) != 0 {
			p.str(", " + s)
		}
	}
	p.comdatOf(g)
	if g.Align != 0 {
		p.str(", align ")
		p.int(1 << (g.Align - 1))
	}
	p.attachments(", ", g.MD)
	if n := p.group(g.Attrs); n >= 0 {
		p.str(" #")
		p.int(n)
	}
	p.char('\n')
}

func (p *printer) alias(g *ir.Global) {
	p.globalName(g.ID)
	p.str(" = ")
	p.linkage(g)
	if g.Kind == ir.GlobalAlias {
		p.tls(g)
		p.str("alias ")
	} else {
		p.str("ifunc ")
	}
	p.typ(g.ValueType)
	p.str(", ")
	if c := g.Init.Const(); c != 0 && p.m.Consts.At(c).Kind == ir.ConstExpr {
		p.operand(&p.m.Consts, g.Init) // an expression stands without its type here
	} else {
		p.typedOperand(&p.m.Consts, g.Init)
	}
	if g.Partition != "" {
		p.str(", partition ")
		p.quoted(g.Partition)
	}
	p.attachments(", ", g.MD)
	p.char('\n')
}

// appendAttr appends one attribute; in groups align and alignstack have =.
func (p *printer) appendAttr(b []byte, a *ir.Attr, group bool) []byte {
	if a.IsString {
		b = append(b, '"')
		b = ir.AppendEscaped(b, a.Key)
		b = append(b, '"')
		if a.Value != "" {
			b = append(b, `="`...)
			b = ir.AppendEscaped(b, a.Value)
			b = append(b, '"')
		}
		return b
	}
	b = append(b, a.Key...)
	switch a.Key {
	case "align":
		if group {
			b = append(b, '=')
		} else {
			b = append(b, ' ')
		}
		return strconv.AppendUint(b, a.Int, 10)
	case "alignstack":
		if group {
			b = append(b, '=')
			return strconv.AppendUint(b, a.Int, 10)
		}
	case "allockind":
		b = append(b, `("`...)
		b = append(b, a.Value...)
		return append(b, `")`...)
	case "range":
		b = append(b, '(')
		b = appendType(b, p.t, a.Type, p.typeNums)
		b = append(b, ' ')
		b = append(b, a.Value...)
		return append(b, ')')
	}
	switch {
	case a.Value != "":
		b = append(b, '(')
		b = append(b, a.Value...)
		b = append(b, ')')
	case a.HasInt:
		b = append(b, '(')
		b = strconv.AppendUint(b, a.Int, 10)
		b = append(b, ')')
	case a.Type != 0:
		b = append(b, '(')
		b = appendType(b, p.t, a.Type, p.typeNums)
		b = append(b, ')')
	}
	return b
}

func (p *printer) appendAttrs(b []byte, s ir.AttrSet, group bool) []byte {
	for i := range s {
		if i > 0 {
			b = append(b, ' ')
		}
		b = p.appendAttr(b, &s[i], group)
	}
	return b
}

func (p *printer) attributeGroups() {
	if len(p.groups) > 0 {
		p.char('\n')
	}
	for i, s := range p.groups {
		p.str("attributes #")
		p.int(i)
		p.str(" = { ")
		p.b = p.appendAttrs(p.b, s, true)
		p.str(" }\n")
	}
}

// CallConvName is how text names a calling convention.
func CallConvName(cc uint16) string {
	for i := range callingConvs {
		if callingConvs[i].cc == cc {
			return callingConvs[i].name
		}
	}
	return "cc " + strconv.Itoa(int(cc))
}

func (p *printer) callConv(cc uint16) {
	if cc == 0 {
		return
	}
	for i := range callingConvs {
		if callingConvs[i].cc == cc {
			p.str(callingConvs[i].name)
			p.char(' ')
			if cc == 84 || cc == 85 {
				p.char(' ') // LLVM writes two behind avr_intrcc and avr_signalcc
			}
			return
		}
	}
	if cc >= riscvVLSBase && int(cc) < riscvVLSBase+len(riscvVLS) {
		p.str("riscv_vls_cc(")
		p.int(int(riscvVLS[cc-riscvVLSBase]))
		p.str(") ")
		return
	}
	p.str("cc")
	p.int(int(cc))
	p.char(' ')
}

func (p *printer) function(g *ir.Global) {
	p.enterFunction(g)
	list := p.m.Attrs.At(g.Attrs)
	first := true
	for i := range list.Fn {
		if !list.Fn[i].IsString {
			if first {
				p.str("; Function Attrs:")
				first = false
			}
			p.char(' ')
			p.b = p.appendAttr(p.b, &list.Fn[i], false)
		}
	}
	if !first {
		p.char('\n')
	}
	if g.IsDecl && strings.HasPrefix(g.Name, "llvm.") && intrin.Lookup(g.Name) == 0 {
		p.str("; Unknown intrinsic\n")
	}
	if g.IsDecl {
		p.str("declare")
		p.attachments(" ", g.MD)
		p.char(' ')
	} else {
		p.str("define ")
	}
	p.linkage(g)
	p.callConv(g.CC)
	if len(list.Ret) > 0 {
		p.b = p.appendAttrs(p.b, list.Ret, false)
		p.char(' ')
	}
	p.typ(p.t.Result(g.ValueType))
	p.char(' ')
	p.globalName(g.ID)
	p.char('(')
	params := p.t.Subtypes(g.ValueType)
	for i, t := range params {
		if i > 0 {
			p.str(", ")
		}
		p.typ(t)
		if a := list.Param(i); len(a) > 0 {
			p.char(' ')
			p.b = p.appendAttrs(p.b, a, false)
		}
		if p.f != nil {
			p.char(' ')
			p.local(p.f.Arg(i))
		}
	}
	if p.t.IsVarArg(g.ValueType) {
		if len(params) > 0 {
			p.str(", ")
		}
		p.str("...")
	}
	p.char(')')
	p.str([...]string{"", " local_unnamed_addr", " unnamed_addr"}[g.Unnamed])
	if g.AddrSpace != 0 || p.dl.ProgramAS != 0 {
		p.str(" addrspace(")
		p.int(int(g.AddrSpace))
		p.char(')')
	}
	if n := p.group(g.Attrs); n >= 0 {
		p.str(" #")
		p.int(n)
	}
	if g.Section != "" {
		p.str(" section ")
		p.quoted(g.Section)
	}
	if g.Partition != "" {
		p.str(" partition ")
		p.quoted(g.Partition)
	}
	p.comdatOf(g)
	if g.Align != 0 {
		p.str(" align ")
		p.int(1 << (g.Align - 1))
	}
	if g.GC != "" {
		p.str(" gc ")
		p.quoted(g.GC)
	}
	for _, x := range [...]struct {
		word string
		v    ir.Value
	}{{" prefix ", g.Prefix}, {" prologue ", g.Prologue}, {" personality ", g.Persona}} {
		if x.v != 0 {
			p.str(x.word)
			p.typedOperand(&p.m.Consts, x.v)
		}
	}
	if p.f == nil {
		p.char('\n')
		return
	}
	p.attachments(" ", g.MD)
	p.str(" {")
	for i, b := range p.f.Order {
		p.block(b, i == 0)
	}
	p.useOrders(p.f.UseOrders, p.f.UseIndexes)
	p.str("}\n")
	p.f = nil
}

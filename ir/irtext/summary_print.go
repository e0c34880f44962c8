package irtext

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/ir"
)

// summaryPrinter prints a module summary index. Entries are numbered as LLVM
// numbers them: modules by path, values by GUID, vtables, type identifiers.
type summaryPrinter struct {
	*printer
	s       *ir.Summary
	modules []int // slot of each module
	guids   map[uint64]int
	typeIDs map[uint64][]int // slots by the GUID of the name
}

// regularLTO is the name of a module that the thin link made for regular LTO.
const regularLTO = "[Regular LTO]"

// AppendSummary appends the entries of a module summary index (^0 = module: …),
// as llvm-dis prints them behind the module.
func AppendSummary(b []byte, s *ir.Summary) []byte {
	s.Sort()
	p := summaryPrinter{printer: &printer{b: b}, s: s, guids: map[uint64]int{}, typeIDs: map[uint64][]int{}}
	order := make([]int, len(s.Modules))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return strings.Compare(s.Modules[a].Path, s.Modules[b].Path) })
	p.modules = make([]int, len(s.Modules))
	p.char('\n')
	for slot, i := range order {
		p.modules[i] = slot
		m := &s.Modules[i]
		path := m.Path
		if path == "" {
			path = regularLTO
		}
		p.entry(slot, "module: (path: ")
		p.quoted(path)
		p.str(", hash: (")
		for i, h := range m.Hash {
			p.comma(i)
			p.num(uint64(h))
		}
		p.str("))\n")
	}
	next := len(s.Modules)
	for i := range s.Values {
		p.guids[s.Values[i].GUID] = next
		next++
	}
	tables := next
	next += len(s.VTables)
	for i := range s.TypeIDs {
		g := ir.GUID(s.TypeIDs[i].Name)
		p.typeIDs[g] = append(p.typeIDs[g], next)
		next++
	}
	for i := range s.Values {
		p.value(&s.Values[i])
	}
	for i := range s.TypeIDs {
		p.entry(tables+len(s.VTables)+i, "typeid: (name: \"")
		p.typeID(&s.TypeIDs[i])
	}
	for i := range s.VTables {
		v := &s.VTables[i]
		p.entry(tables+i, "typeidCompatibleVTable: (name: \"")
		p.str(v.Name)
		p.str("\", summary: (")
		for k, t := range v.VTables {
			p.comma(k)
			p.str("(offset: ")
			p.num(t.Offset)
			p.str(", ")
			p.ref(t.GUID)
			p.char(')')
		}
		p.str(")) ; guid = ")
		p.num(ir.GUID(v.Name))
		p.char('\n')
	}
	if s.Flags != 0 {
		p.entry(next, "flags: ")
		p.num(s.Flags)
		p.char('\n')
		next++
	}
	p.entry(next, "blockcount: ")
	p.num(s.BlockCount)
	p.char('\n')
	return p.b
}

func (p *summaryPrinter) num(n uint64)   { p.b = strconv.AppendUint(p.b, n, 10) }
func (p *summaryPrinter) signed(n int64) { p.b = strconv.AppendInt(p.b, n, 10) }

// field writes one more field with a number.
func (p *summaryPrinter) field(name string, n uint64) {
	p.str(", " + name + ": ")
	p.num(n)
}

// summaryList writes one more field with a list, nothing for an empty one.
func summaryList[T any](p *summaryPrinter, name string, l []T, one func(x *T)) {
	if len(l) == 0 {
		return
	}
	p.str(", " + name + ": (")
	for i := range l {
		p.comma(i)
		one(&l[i])
	}
	p.char(')')
}

// comma separates element i of a list from the one before it.
func (p *summaryPrinter) comma(i int) {
	if i > 0 {
		p.str(", ")
	}
}

func (p *summaryPrinter) entry(slot int, rest string) {
	p.char('^')
	p.int(slot)
	p.str(" = ")
	p.str(rest)
}

// ref writes a value by its slot.
func (p *summaryPrinter) ref(guid uint64) {
	slot, ok := p.guids[guid]
	if !ok {
		slot = -1
	}
	p.char('^')
	p.int(slot)
}

func (p *summaryPrinter) flag(name string, v bool) {
	p.str(", " + name)
	if v {
		p.str(": 1")
	} else {
		p.str(": 0")
	}
}

func (p *summaryPrinter) value(v *ir.SummaryValue) {
	p.entry(p.guids[v.GUID], "gv: (")
	if v.Name != "" {
		p.str("name: \"" + v.Name + "\"")
	} else {
		p.str("guid: ")
		p.num(v.GUID)
	}
	summaryList(p, "summaries", v.Summaries, p.global)
	p.char(')')
	if v.Name != "" {
		p.str(" ; guid = ")
		p.num(v.GUID)
	}
	p.char('\n')
}

// summaryLinkages are the names of linkages in summaries.
func summaryLinkages() []string {
	return []string{ir.External: "external", ir.AvailableExternally: "available_externally", ir.LinkOnceAny: "linkonce", ir.LinkOnceODR: "linkonce_odr",
		ir.WeakAny: "weak", ir.WeakODR: "weak_odr", ir.Appending: "appending", ir.Internal: "internal", ir.Private: "private",
		ir.ExternWeak: "extern_weak", ir.Common: "common"}
}

func summaryVisibilities() []string { return []string{"default", "hidden", "protected"} }

func (p *summaryPrinter) global(g *ir.GlobalSummary) {
	p.str([...]string{"alias", "function", "variable"}[g.Kind])
	p.str(": (module: ^")
	p.int(p.modules[g.Module])
	p.str(", flags: (linkage: " + summaryLinkages()[g.Linkage] + ", visibility: " + summaryVisibilities()[g.Visibility])
	p.flag("notEligibleToImport", g.NotEligible)
	p.flag("live", g.Live)
	p.flag("dsoLocal", g.DSOLocal)
	p.flag("canAutoHide", g.CanAutoHide)
	if g.AsDeclaration {
		p.str(", importType: declaration)")
	} else {
		p.str(", importType: definition)")
	}
	switch g.Kind {
	case ir.AliasSummary:
		p.str(", aliasee: ")
		if g.Aliasee != 0 {
			p.ref(g.Aliasee)
		} else {
			p.str("null")
		}
	case ir.FunctionSummary:
		p.function(g)
	default:
		p.variable(g)
	}
	summaryList(p, "refs", g.Refs, func(r *ir.SummaryRef) {
		switch {
		case r.ReadOnly:
			p.str("readonly ")
		case r.WriteOnly:
			p.str("writeonly ")
		}
		p.ref(r.GUID)
	})
	p.char(')')
}

func (p *summaryPrinter) variable(g *ir.GlobalSummary) {
	p.str(", varFlags: (readonly: ")
	p.num(uint64(g.VarFlags & ir.SummaryMaybeReadOnly))
	p.flag("writeonly", g.VarFlags&ir.SummaryMaybeWriteOnly != 0)
	p.flag("constant", g.VarFlags&ir.SummaryConstant != 0)
	if len(g.VTableFuncs) > 0 {
		p.field("vcall_visibility", g.VarFlags.VCallVisibility())
	}
	p.char(')')
	summaryList(p, "vTableFuncs", g.VTableFuncs, func(f *ir.SummaryVTableFunc) {
		p.str("(virtFunc: ")
		p.ref(f.Func)
		p.field("offset", f.Offset)
		p.char(')')
	})
}

func (p *summaryPrinter) function(g *ir.GlobalSummary) {
	p.field("insts", g.Insts)
	if g.FuncFlags != 0 {
		p.str(", funcFlags: (")
		for i, n := range ir.SummaryFuncFlagNames() {
			p.comma(i)
			p.str(n + ": ")
			p.num(uint64(g.FuncFlags >> i & 1))
		}
		p.char(')')
	}
	summaryList(p, "calls", g.Calls, func(c *ir.SummaryCall) {
		p.str("(callee: ")
		p.ref(c.Callee)
		switch {
		case c.Hotness != ir.HotnessUnknown:
			p.str(", hotness: " + ir.HotnessNames()[c.Hotness])
		case c.RelFreq != 0:
			p.field("relbf", c.RelFreq)
		}
		if c.Tail {
			p.str(", tail: 1")
		}
		p.char(')')
	})
	p.typeInfo(g)
	p.allocs(g)
	p.callsites(g)
	p.params(g)
}

// typeInfo writes the type tests and virtual calls of a function.
func (p *summaryPrinter) typeInfo(g *ir.GlobalSummary) {
	start := len(p.b)
	if len(g.TypeTests) > 0 {
		p.str(", typeTests: (")
		k := 0
		for _, t := range g.TypeTests {
			slots := p.typeIDs[t]
			if len(slots) == 0 {
				p.comma(k)
				k++
				p.num(t)
			}
			for _, s := range slots {
				p.comma(k)
				k++
				p.char('^')
				p.int(s)
			}
		}
		p.char(')')
	}
	constant := func(c *ir.SummaryConstVCall) {
		p.char('(')
		p.vfunc(&c.Func)
		if len(c.Args) > 0 {
			p.str(", ")
			p.args(c.Args)
		}
		p.char(')')
	}
	summaryList(p, "typeTestAssumeVCalls", g.AssumeVCalls, p.vfunc)
	summaryList(p, "typeCheckedLoadVCalls", g.CheckedLoadVCalls, p.vfunc)
	summaryList(p, "typeTestAssumeConstVCalls", g.AssumeConstVCalls, constant)
	summaryList(p, "typeCheckedLoadConstVCalls", g.CheckedLoadConstVCall, constant)
	if len(p.b) > start { // the first of them has no comma before it
		p.b = slices.Replace(p.b, start, start+len(", "), []byte(", typeIdInfo: (")...)
		p.char(')')
	}
}

func (p *summaryPrinter) args(args []uint64) {
	p.str("args: (")
	p.nums(args)
	p.char(')')
}

func (p *summaryPrinter) nums(list []uint64) {
	for i, a := range list {
		p.comma(i)
		p.num(a)
	}
}

func (p *summaryPrinter) vfunc(f *ir.SummaryVFunc) {
	end := func() {
		p.field("offset", f.Offset)
		p.char(')')
	}
	slots := p.typeIDs[f.GUID]
	if len(slots) == 0 {
		p.str("vFuncId: (guid: ")
		p.num(f.GUID)
		end()
	}
	for i, s := range slots {
		p.comma(i)
		p.str("vFuncId: (^")
		p.int(s)
		end()
	}
}

func allocTypes() []string { return []string{"none", "notcold", "cold", "", "hot"} }

func allocType(n uint8) string {
	if int(n) < len(allocTypes()) && allocTypes()[n] != "" {
		return allocTypes()[n]
	}
	return "none"
}

func (p *summaryPrinter) allocs(g *ir.GlobalSummary) {
	summaryList(p, "allocs", g.Allocs, func(a *ir.SummaryAlloc) {
		p.str("(versions: (")
		for k, v := range a.Versions {
			p.comma(k)
			p.str(allocType(v))
		}
		p.str("), memProf: (")
		for k, m := range a.MIBs {
			p.comma(k)
			p.str("(type: " + allocType(m.Type) + ", stackIds: (")
			p.nums(m.StackIDs)
			p.str("))")
		}
		p.str("))")
	})
}

func (p *summaryPrinter) callsites(g *ir.GlobalSummary) {
	summaryList(p, "callsites", g.Callsites, func(c *ir.SummaryCallsite) {
		p.str("(callee: ")
		if c.Callee != 0 {
			p.ref(c.Callee)
		} else {
			p.str("null")
		}
		p.str(", clones: (")
		p.nums(c.Clones)
		p.str("), stackIds: (")
		p.nums(c.StackIDs)
		p.str("))")
	})
}

func (p *summaryPrinter) params(g *ir.GlobalSummary) {
	summaryList(p, "params", g.Params, func(a *ir.SummaryParam) {
		p.str("(param: ")
		p.num(a.Param)
		p.offsets(a.Use)
		summaryList(p, "calls", a.Calls, func(c *ir.SummaryParamCall) {
			p.str("(callee: ")
			p.ref(c.Callee)
			p.field("param", c.Param)
			p.offsets(c.Offsets)
			p.char(')')
		})
		p.char(')')
	})
}

// offsets writes the smallest and the largest number of a range.
func (p *summaryPrinter) offsets(r ir.SummaryRange) {
	lo, hi := r.Lo, r.Hi-1
	if r.Lo == r.Hi && r.Lo != 0 || r.Lo > r.Hi && r.Hi != -1<<63 { // full, or around the end
		lo, hi = -1<<63, 1<<63-1
	}
	p.str(", offset: [")
	p.signed(lo)
	p.str(", ")
	p.signed(hi)
	p.char(']')
}

func (p *summaryPrinter) typeID(t *ir.SummaryTypeID) {
	p.str(t.Name + "\", summary: (typeTestRes: (kind: " + ir.SummaryTypeTestKinds()[t.Kind] + ", sizeM1BitWidth: ")
	p.num(t.SizeM1Bits)
	for _, x := range [...]struct {
		name string
		v    uint64
	}{{"alignLog2", t.AlignLog2}, {"sizeM1", t.SizeM1}, {"bitMask", t.BitMask}, {"inlineBits", t.InlineBits}} {
		if x.v != 0 {
			p.field(x.name, x.v)
		}
	}
	p.char(')')
	summaryList(p, "wpdResolutions", t.WPD, func(w *ir.SummaryWPD) {
		p.str("(offset: ")
		p.num(w.Offset)
		p.str(", ")
		p.wpd(w)
		p.char(')')
	})
	p.str(")) ; guid = ")
	p.num(ir.GUID(t.Name))
	p.char('\n')
}

func (p *summaryPrinter) wpd(w *ir.SummaryWPD) {
	p.str("wpdRes: (kind: " + ir.SummaryWPDKinds()[w.Kind])
	if w.Kind == 1 {
		p.str(", singleImplName: \"" + w.SingleImpl + "\"")
	}
	summaryList(p, "resByArg", w.ByArg, func(a *ir.SummaryByArg) {
		p.args(a.Args)
		p.str(", byArg: (kind: " + ir.SummaryByArgKinds()[a.Kind])
		if a.Kind == 1 || a.Kind == 2 {
			p.field("info", a.Info)
		}
		if a.Byte != 0 || a.Bit != 0 {
			p.field("byte", a.Byte)
			p.field("bit", a.Bit)
		}
		p.char(')')
	})
	p.char(')')
}

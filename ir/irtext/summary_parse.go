package irtext

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/mirin-go/mirin/ir"
)

// The entries of a module summary index refer to each other by number and to
// the module's globals by name. The top level only notes where they stand; when
// the globals are known, one pass gives the numbers their meaning and a second
// one reads the entries.

// summaryDef is what a number stands for.
type summaryDef struct {
	kind string // gv, module, typeid, typeidCompatibleVTable
	guid uint64 // gv and typeid
	mod  uint32 // module
}

// summaryParser reads the entries of a module summary index.
type summaryParser struct {
	*parser
	s     *ir.Summary
	defs  map[uint64]summaryDef
	field int // where the name of the field at hand stands
}

// summary passes over a module summary entry: ^0 = module: (…).
func (p *parser) summary() {
	p.summaries = append(p.summaries, p.off)
	p.next()
	p.expect('=', "expected '=' here")
	if p.tok != tLabel {
		p.error("Expected 'gv', 'module', 'typeid', 'flags' or 'blockcount' at the start of summary entry")
		return
	}
	p.next()
	if p.tok == tInt {
		p.next()
		return
	}
	depth := 0
	for p.ok() {
		switch p.tok {
		case '(':
			depth++
		case ')':
			depth--
		case tEOF:
			p.error("found end of file while parsing summary entry")
			return
		}
		p.next()
		if depth == 0 {
			return
		}
	}
}

// readSummaries reads the entries that stand at the given places. The index is
// kept where it says something, as llvm-as keeps it.
func (p *parser) readSummaries() {
	if len(p.summaries) == 0 || !p.ok() {
		return
	}
	x := summaryParser{parser: p, s: &ir.Summary{}, defs: map[uint64]summaryDef{}}
	for _, pass := range [...]func(){x.define, x.entry} {
		for _, off := range p.summaries {
			if p.pos = off; p.ok() {
				p.next()
				pass()
			}
		}
	}
	if p.ok() && len(x.s.Values)+int(x.s.Flags) > 0 {
		x.s.Sort()
		x.s.Combined = len(p.m.Vars)+len(p.m.Funcs) == 0
		p.m.Summary = x.s
	}
}

// head reads ^n = kind: and returns both.
func (x *summaryParser) head() (n uint64, kind string) {
	n = x.num
	x.next()
	x.expect('=', "expected '=' here")
	if x.tok == tLabel {
		kind = x.text()
	}
	x.next()
	return n, kind
}

// define gives an entry's number its meaning.
func (x *summaryParser) define() {
	n, kind := x.head()
	d := summaryDef{kind: kind}
	switch kind {
	case "gv":
		x.expect('(', "expected '(' here")
		if x.label("guid") {
			d.guid = x.uint(64)
			x.s.Value(d.guid)
			break
		}
		off := x.off
		if !x.wantLabel("name", "expected name or guid tag") {
			return
		}
		name := x.string("expected string constant")
		g := x.m.Lookup(name)
		if !x.ok() {
			return
		}
		if g == 0 {
			x.errorAt(off, "Reference to undefined global \""+name+"\"")
			return
		}
		d.guid = x.m.GUID(g)
		x.s.Value(d.guid).Name = name
	case "typeid":
		x.expect('(', "expected '(' here")
		x.wantLabel("name", "expected 'name' here")
		d.guid = ir.GUID(x.string("expected string constant"))
	case "module":
		d.mod = uint32(len(x.s.Modules))
		x.s.Modules = append(x.s.Modules, ir.SummaryModule{})
	}
	x.defs[n] = d
}

func (x *summaryParser) entry() {
	off := x.off
	n, kind := x.head()
	switch kind {
	case "module":
		x.module(&x.s.Modules[x.defs[n].mod])
	case "gv":
		x.value(x.defs[n].guid)
	case "typeid":
		x.typeID()
	case "typeidCompatibleVTable":
		x.vtables()
	case "flags":
		x.s.Flags = x.uint(64)
	case "blockcount":
		x.s.BlockCount = x.uint(64)
	default:
		for off < len(x.src) && x.src[off] != '=' {
			off++
		}
		for off++; off < len(x.src) && x.src[off] == ' '; off++ {
		}
		x.errorAt(off, "unexpected summary kind")
	}
}

// label passes over name: and reports whether it stood there.
func (x *summaryParser) label(name string) bool {
	if x.tok != tLabel || x.text() != name {
		return false
	}
	x.next()
	return true
}

func (x *summaryParser) wantLabel(name, msg string) bool {
	return x.label(name) || x.error(msg)
}

// fields reads ( name: …, name: … ); f reads what stands behind a name, or calls
// unknown.
func (x *summaryParser) fields(f func(name string)) {
	if !x.expect('(', "expected '(' here") {
		return
	}
	x.rest(f)
}

// rest reads the fields behind the parenthesis.
func (x *summaryParser) rest(f func(name string)) {
	for x.ok() {
		if x.tok != tLabel {
			x.error("expected a field here")
			return
		}
		off, name := x.off, x.text()
		x.next()
		x.field = off
		f(name)
		if !x.eat(',') {
			x.expect(')', "expected ')' here")
			return
		}
	}
}

// unknown refuses the field at hand.
func (x *summaryParser) unknown(name string) {
	x.errorAt(x.field, "invalid field '"+name+"' of a summary")
}

// list reads ( …, … ).
func (x *summaryParser) list(f func()) {
	if !x.expect('(', "expected '(' here") {
		return
	}
	for x.ok() {
		f()
		if !x.eat(',') {
			x.expect(')', "expected ')' here")
			return
		}
	}
}

func (x *summaryParser) nums() (out []uint64) {
	if x.tok == '(' && x.peekClose() {
		return nil
	}
	x.list(func() { out = append(out, x.uint(64)) })
	return out
}

// peekClose passes over an empty pair of parentheses.
func (x *summaryParser) peekClose() bool {
	i := x.pos
	for i < len(x.src) && x.src[i] == ' ' {
		i++
	}
	if i >= len(x.src) || x.src[i] != ')' {
		return false
	}
	x.next()
	x.next()
	return true
}

// flagBit reads 0 or 1.
func (x *summaryParser) flagBit() bool { return x.uint(64) != 0 }

// word reads one of some words and returns its place.
func (x *summaryParser) word(words []string, msg string) int {
	i := -1
	if x.tok == tWord {
		i = slices.Index(words, x.text())
	}
	if i < 0 {
		x.error(msg)
		return 0
	}
	x.next()
	return i
}

// def reads ^n and returns what it stands for.
func (x *summaryParser) def(kind string) summaryDef {
	if x.tok != tSummary {
		x.error("expected " + kind + " ID")
		return summaryDef{}
	}
	d, ok := x.defs[x.num]
	if !ok || d.kind != kind {
		x.error("use of undefined summary '^" + strconv.FormatUint(x.num, 10) + "'")
		return summaryDef{}
	}
	x.next()
	return d
}

// ref reads ^n of a value.
func (x *summaryParser) ref() uint64 { return x.def("gv").guid }

func (x *summaryParser) module(m *ir.SummaryModule) {
	x.fields(func(name string) {
		switch name {
		case "path":
			m.Path = x.string("expected string constant")
			if m.Path == regularLTO {
				m.Path = ""
			}
		case "hash":
			for i, h := range x.nums() {
				if i < len(m.Hash) {
					m.Hash[i] = uint32(h)
				}
			}
		default:
			x.unknown(name)
		}
	})
}

func (x *summaryParser) value(guid uint64) {
	x.fields(func(name string) {
		switch name {
		case "name":
			x.string("expected string constant")
		case "guid":
			x.uint(64)
		case "summaries":
			x.list(func() {
				k := -1
				if x.tok == tLabel {
					k = slices.Index([]string{"alias", "function", "variable"}, x.text())
				}
				if k < 0 {
					x.error("expected summary type")
					return
				}
				x.next()
				g := ir.GlobalSummary{Kind: ir.SummaryKind(k)}
				off, seen := x.off, false
				x.fields(func(name string) {
					seen = seen || name == "module"
					x.summaryField(&g, name)
				})
				if x.ok() && !seen {
					x.errorAt(off, "expected 'module' here")
				}
				if x.ok() {
					v := x.s.Value(guid)
					v.Summaries = append(v.Summaries, g)
				}
			})
		default:
			x.unknown(name)
		}
	})
}

// summaryField reads a field of a summary of a global.
func (x *summaryParser) summaryField(g *ir.GlobalSummary, name string) {
	switch {
	case name == "module":
		g.Module = x.def("module").mod
	case name == "flags":
		x.fields(func(name string) { x.globalFlag(g, name) })
	case name == "refs":
		x.list(func() {
			r := ir.SummaryRef{ReadOnly: x.eatWord("readonly")}
			r.WriteOnly = !r.ReadOnly && x.eatWord("writeonly")
			r.GUID = x.ref()
			g.Refs = append(g.Refs, r)
		})
		// Plain references stand first, then those that are only read, then those only written.
		class := func(r ir.SummaryRef) int {
			switch {
			case r.ReadOnly:
				return 1
			case r.WriteOnly:
				return 2
			}
			return 0
		}
		slices.SortStableFunc(g.Refs, func(a, b ir.SummaryRef) int { return cmp.Compare(class(a), class(b)) })
	case g.Kind == ir.AliasSummary && name == "aliasee":
		if !x.eatWord("null") {
			g.Aliasee = x.ref()
		}
	case g.Kind == ir.VariableSummary:
		x.variableField(g, name)
	case g.Kind == ir.FunctionSummary:
		x.functionField(g, name)
	default:
		x.unknown(name)
	}
}

func (x *summaryParser) globalFlag(g *ir.GlobalSummary, name string) {
	switch name {
	case "linkage":
		g.Linkage = ir.Linkage(x.word(summaryLinkages(), "expected linkage"))
	case "visibility":
		g.Visibility = ir.Visibility(x.word(summaryVisibilities(), "expected visibility"))
	case "notEligibleToImport":
		g.NotEligible = x.flagBit()
	case "live":
		g.Live = x.flagBit()
	case "dsoLocal":
		g.DSOLocal = x.flagBit()
	case "canAutoHide":
		g.CanAutoHide = x.flagBit()
	case "importType":
		g.AsDeclaration = x.word([]string{"definition", "declaration"}, "expected importType") == 1
	default:
		x.unknown(name)
	}
}

func (x *summaryParser) variableField(g *ir.GlobalSummary, name string) {
	switch name {
	case "varFlags":
		if !x.expect('(', "expected '(' here") {
			return
		}
		x.rest(func(name string) {
			set := func(f ir.SummaryVarFlags) {
				if x.flagBit() {
					g.VarFlags |= f
				}
			}
			switch name {
			case "readonly":
				set(ir.SummaryMaybeReadOnly)
			case "writeonly":
				set(ir.SummaryMaybeWriteOnly)
			case "constant":
				set(ir.SummaryConstant)
			case "vcall_visibility":
				g.VarFlags = g.VarFlags.WithVCallVisibility(x.uint(64))
			default:
				x.errorAt(x.prevOff, "expected gvar flag type")
			}
		})
	case "vTableFuncs":
		x.list(func() {
			f := ir.SummaryVTableFunc{}
			x.fields(func(name string) {
				switch name {
				case "virtFunc":
					f.Func = x.ref()
				case "offset":
					f.Offset = x.uint(64)
				default:
					x.unknown(name)
				}
			})
			g.VTableFuncs = append(g.VTableFuncs, f)
		})
	default:
		x.unknown(name)
	}
}

func (x *summaryParser) functionField(g *ir.GlobalSummary, name string) {
	switch name {
	case "insts":
		g.Insts = x.uint(32)
	case "funcFlags":
		x.fields(func(name string) {
			i := slices.Index(ir.SummaryFuncFlagNames(), name)
			if i < 0 {
				x.unknown(name)
			} else if x.flagBit() {
				g.FuncFlags |= 1 << i
			}
		})
	case "calls":
		x.list(func() {
			c := ir.SummaryCall{}
			x.fields(func(name string) {
				switch name {
				case "callee":
					c.Callee = x.ref()
				case "hotness":
					c.Hotness = ir.Hotness(x.word(ir.HotnessNames(), "invalid call edge hotness"))
				case "relbf":
					c.RelFreq = x.uint(32)
				case "tail":
					c.Tail = x.flagBit()
				default:
					x.unknown(name)
				}
			})
			g.Calls = append(g.Calls, c)
		})
	case "typeIdInfo":
		x.fields(func(name string) { x.typeInfoField(g, name) })
	case "params":
		x.list(func() { x.param(g) })
	case "allocs":
		x.list(func() { x.alloc(g) })
	case "callsites":
		x.list(func() { x.callsite(g) })
	default:
		x.unknown(name)
	}
}

func (x *summaryParser) typeInfoField(g *ir.GlobalSummary, name string) {
	vfuncs := func(to *[]ir.SummaryVFunc) { x.list(func() { *to = append(*to, x.vfunc()) }) }
	consts := func(to *[]ir.SummaryConstVCall) {
		x.list(func() {
			c := ir.SummaryConstVCall{}
			x.expect('(', "expected '(' here")
			c.Func = x.vfunc()
			if x.eat(',') && x.wantLabel("args", "expected 'args' here") {
				c.Args = x.nums()
			}
			x.expect(')', "expected ')' here")
			*to = append(*to, c)
		})
	}
	switch name {
	case "typeTests":
		x.list(func() {
			if x.tok == tSummary {
				g.TypeTests = append(g.TypeTests, x.def("typeid").guid)
			} else {
				g.TypeTests = append(g.TypeTests, x.uint(64))
			}
		})
	case "typeTestAssumeVCalls":
		vfuncs(&g.AssumeVCalls)
	case "typeCheckedLoadVCalls":
		vfuncs(&g.CheckedLoadVCalls)
	case "typeTestAssumeConstVCalls":
		consts(&g.AssumeConstVCalls)
	case "typeCheckedLoadConstVCalls":
		consts(&g.CheckedLoadConstVCall)
	default:
		x.unknown(name)
	}
}

// vfunc reads vFuncId: (guid: n or ^n, offset: n).
func (x *summaryParser) vfunc() (f ir.SummaryVFunc) {
	if !x.wantLabel("vFuncId", "expected 'vFuncId' here") || !x.expect('(', "expected '(' here") {
		return f
	}
	if x.tok == tSummary {
		f.GUID = x.def("typeid").guid
	} else if x.wantLabel("guid", "expected 'guid' here") {
		f.GUID = x.uint(64)
	}
	x.expect(',', "expected ',' here")
	x.wantLabel("offset", "expected 'offset' here")
	f.Offset = x.uint(64)
	x.expect(')', "expected ')' here")
	return f
}

func (x *summaryParser) allocType() uint8 {
	return uint8(x.word(allocTypes(), "invalid alloc type"))
}

func (x *summaryParser) alloc(g *ir.GlobalSummary) {
	a := ir.SummaryAlloc{}
	x.fields(func(name string) {
		switch name {
		case "versions":
			x.list(func() { a.Versions = append(a.Versions, x.allocType()) })
		case "memProf":
			x.list(func() {
				m := ir.SummaryMIB{}
				x.fields(func(name string) {
					switch name {
					case "type":
						m.Type = x.allocType()
					case "stackIds":
						m.StackIDs = x.nums()
					default:
						x.unknown(name)
					}
				})
				a.MIBs = append(a.MIBs, m)
			})
		default:
			x.unknown(name)
		}
	})
	g.Allocs = append(g.Allocs, a)
}

func (x *summaryParser) callsite(g *ir.GlobalSummary) {
	c := ir.SummaryCallsite{}
	x.fields(func(name string) {
		switch name {
		case "callee":
			if !x.eatWord("null") {
				c.Callee = x.ref()
			}
		case "clones":
			c.Clones = x.nums()
		case "stackIds":
			c.StackIDs = x.nums()
		default:
			x.unknown(name)
		}
	})
	g.Callsites = append(g.Callsites, c)
}

func (x *summaryParser) param(g *ir.GlobalSummary) {
	a := ir.SummaryParam{}
	x.fields(func(name string) {
		switch name {
		case "param":
			a.Param = x.uint(64)
		case "offset":
			a.Use = x.offsets()
		case "calls":
			x.list(func() {
				c := ir.SummaryParamCall{}
				x.fields(func(name string) {
					switch name {
					case "callee":
						c.Callee = x.ref()
					case "param":
						c.Param = x.uint(64)
					case "offset":
						c.Offsets = x.offsets()
					default:
						x.unknown(name)
					}
				})
				a.Calls = append(a.Calls, c)
			})
		default:
			x.unknown(name)
		}
	})
	g.Params = append(g.Params, a)
}

// offsets reads [smallest, largest].
func (x *summaryParser) offsets() (r ir.SummaryRange) {
	x.expect('[', "expected '[' here")
	r.Lo = x.signed()
	x.expect(',', "expected ',' here")
	r.Hi = x.signed() + 1
	x.expect(']', "expected ']' here")
	if r.Lo == r.Hi && r.Lo != -1 { // none, as LLVM takes it
		r.Lo, r.Hi = 0, 0
	}
	return r
}

func (x *summaryParser) signed() int64 {
	if x.tok != tInt {
		x.error("expected integer")
		return 0
	}
	n := int64(x.num)
	if x.neg {
		n = -n
	}
	x.next()
	return n
}

func (x *summaryParser) vtables() {
	v := ir.SummaryVTables{}
	x.fields(func(name string) {
		switch name {
		case "name":
			v.Name = x.string("expected string constant")
		case "summary":
			x.list(func() {
				t := ir.SummaryVTable{}
				x.expect('(', "expected '(' here")
				x.wantLabel("offset", "expected 'offset' here")
				t.Offset = x.uint(64)
				x.expect(',', "expected ',' here")
				t.GUID = x.ref()
				x.expect(')', "expected ')' here")
				v.VTables = append(v.VTables, t)
			})
		default:
			x.unknown(name)
		}
	})
	x.s.VTables = append(x.s.VTables, v)
}

func (x *summaryParser) typeID() {
	t := ir.SummaryTypeID{}
	x.fields(func(name string) {
		switch name {
		case "name":
			t.Name = x.string("expected string constant")
		case "summary":
			x.fields(func(name string) {
				switch name {
				case "typeTestRes":
					x.fields(func(name string) {
						switch name {
						case "kind":
							t.Kind = uint8(x.word(ir.SummaryTypeTestKinds(), "unexpected TypeTestResolution kind"))
						case "sizeM1BitWidth":
							t.SizeM1Bits = x.uint(64)
						case "alignLog2":
							t.AlignLog2 = x.uint(64)
						case "sizeM1":
							t.SizeM1 = x.uint(64)
						case "bitMask":
							t.BitMask = x.uint(64)
						case "inlineBits":
							t.InlineBits = x.uint(64)
						default:
							x.unknown(name)
						}
					})
				case "wpdResolutions":
					x.list(func() { x.wpd(&t) })
				default:
					x.unknown(name)
				}
			})
		default:
			x.unknown(name)
		}
	})
	x.s.TypeIDs = append(x.s.TypeIDs, t)
}

func (x *summaryParser) wpd(t *ir.SummaryTypeID) {
	w := ir.SummaryWPD{}
	x.fields(func(name string) {
		switch name {
		case "offset":
			w.Offset = x.uint(64)
		case "wpdRes":
			x.fields(func(name string) {
				switch name {
				case "kind":
					w.Kind = uint8(x.word(ir.SummaryWPDKinds(), "unexpected WholeProgramDevirtResolution kind"))
				case "singleImplName":
					w.SingleImpl = x.string("expected string constant")
				case "resByArg":
					x.list(func() { x.byArg(&w) })
				default:
					x.unknown(name)
				}
			})
		default:
			x.unknown(name)
		}
	})
	t.WPD = append(t.WPD, w)
}

func (x *summaryParser) byArg(w *ir.SummaryWPD) {
	a := ir.SummaryByArg{}
	x.wantLabel("args", "expected 'args' here")
	a.Args = x.nums()
	x.expect(',', "expected ',' here")
	x.wantLabel("byArg", "expected 'byArg' here")
	x.fields(func(name string) {
		switch name {
		case "kind":
			a.Kind = uint8(x.word(ir.SummaryByArgKinds(), "unexpected WholeProgramDevirtResolution::ByArg kind"))
		case "info":
			a.Info = x.uint(64)
		case "byte":
			a.Byte = x.uint(32)
		case "bit":
			a.Bit = x.uint(32)
		default:
			x.unknown(name)
		}
	})
	w.ByArg = append(w.ByArg, a)
}

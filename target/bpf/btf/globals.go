package btf

import (
	"slices"
	"strings"

	"github.com/mirin-go/mirin/ir"
)

// mapsSection begins the names of sections of map definitions.
const mapsSection = ".maps"

// trap is the function that code calls where it does not know how to go on; calls of it may
// be gone when the code is there.
const trap = "__bpf_trap"

// globals brings in the variables of the module: those of map definitions or the others.
func (w *Writer) globals(maps bool) {
	t, m := w.t, w.env.Mod
	for _, id := range m.Vars {
		g := m.Globals[id]
		sec := g.Section
		external := g.IsDecl || g.Linkage == ir.AvailableExternally
		switch {
		case external:
		case g.Linkage == ir.Common:
			sec = ".bss"
		default:
			sec = w.env.DataSection(g)
		}
		if maps != strings.HasPrefix(sec, mapsSection) {
			continue
		}
		// Constants without a name make the section known, too.
		if sec == ".rodata" && g.Linkage == ir.Private {
			t.sec(sec)
		}
		e := debugInfo(m, g, "DIGlobalVariableExpression")
		if e == nil {
			continue
		}
		v := t.at(e.FieldNode("var"))
		var typ TypeID
		if maps {
			typ = t.visitMap(v.FieldNode("type"))
		} else {
			typ = t.visit(t.plain(v.FieldNode("type")), chase{})
		}
		link := linkGlobal
		switch g.Linkage {
		case ir.Internal:
			link = linkStatic
		case ir.External, ir.WeakAny, ir.WeakODR, ir.ExternWeak:
			if g.IsDecl {
				link = linkExtern
			}
		default:
			continue
		}
		id := t.add(KindVar, typeRow{name: g.Name, size: uint32(typ)}, 0)
		t.addWords(id, link)
		t.declTags(v, id, -1)
		if sec == "" { // external, in whatever section
			continue
		}
		s := t.sec(sec)
		s.vars = append(s.vars, secVar{id, g.ID, uint32(w.env.Layout.SizeOf(m.Types, g.ValueType))})
		if !g.IsDecl {
			w.functionsIn(g.Init)
		}
	}
}

// debugInfo is the first node of a class that stands at a global as its debug information.
func debugInfo(m *ir.Module, g *ir.Global, class string) *ir.MDNode {
	for _, a := range g.MD {
		if m.MDKinds()[a.Kind] != "dbg" {
			continue
		}
		if n := m.MD.At(a.Node); n != nil && n.Str == class {
			return n
		}
	}
	return nil
}

// subprogram describes a function, nil where nothing does.
func subprogram(m *ir.Module, g *ir.Global) *ir.MDNode { return debugInfo(m, g, "DISubprogram") }

// hasDebugInfo reports whether the unit of a function is one with debug information.
func hasDebugInfo(m *ir.Module, sp *ir.MDNode) bool {
	u := sp.FieldNode("unit")
	return u != 0 && m.MD.At(u).FieldText("emissionKind") != "NoDebug"
}

// sec is the section of a name.
func (t *table) sec(name string) *dataSec {
	s := t.secs[name]
	if s == nil {
		s = &dataSec{name: name}
		t.secs[name] = s
	}
	return s
}

// functionsIn brings in functions that an initializer names: a map may be filled with programs.
func (w *Writer) functionsIn(v ir.Value) {
	if v.Tag() == ir.TagGlobal {
		w.Extern(ir.GlobalID(v.Index()))
		return
	}
	c := v.Const()
	if c == 0 {
		return
	}
	switch pool := &w.env.Mod.Consts; pool.At(c).Kind {
	case ir.ConstArray, ir.ConstStruct, ir.ConstVector:
		for _, o := range pool.Ops(c) {
			w.functionsIn(o)
		}
	}
}

// Extern brings in a function that has no body here, once; other globals are left alone.
func (w *Writer) Extern(id ir.GlobalID) {
	t, g := w.t, w.env.Mod.Globals[id]
	if g.Kind != ir.GlobalFunc {
		return
	}
	n := subprogram(w.env.Mod, g)
	if n == nil || isDefinition(n) || w.externs[id] {
		return
	}
	w.externs[id] = true
	proto := TypeID(0)
	if s := t.at(n.FieldNode("type")); s != nil {
		proto = t.proto(n.FieldNode("type"), s, false, nil)
	}
	f := t.function(n, proto, linkExtern)
	if g.Section != "" {
		s := t.sec(g.Section)
		s.vars = append(s.vars, secVar{f, id, 0}) // how long it is nobody knows
	}
}

func isDefinition(sp *ir.MDNode) bool {
	if f := sp.Field("isDefinition"); f != nil {
		return f.Int != 0
	}
	return sp.FieldHas("spFlags", "DISPFlagDefinition")
}

func isLocal(sp *ir.MDNode) bool {
	return sp.FieldInt("isLocal") != 0 || sp.FieldHas("spFlags", "DISPFlagLocalToUnit")
}

// function adds a function with the tags of its parameters and its own.
func (t *table) function(sp *ir.MDNode, proto TypeID, link uint32) TypeID {
	id := t.add(KindFunc, typeRow{name: sp.FieldText("name"), size: uint32(proto), info: link}, 0)
	for _, v := range t.list(sp.FieldNode("retainedNodes")) {
		if n := t.at(v); n != nil && n.Str == "DILocalVariable" && n.FieldInt("arg") != 0 {
			t.declTags(n, id, int32(n.FieldInt("arg"))-1)
		}
	}
	t.declTags(sp, id, -1)
	return id
}

// finishSections gives sections of data their types, by name.
func (t *table) finishSections() (order []*dataSec) {
	for _, s := range t.secs { // sorted below
		order = append(order, s)
	}
	slices.SortFunc(order, func(a, b *dataSec) int { return strings.Compare(a.name, b.name) })
	for _, s := range order {
		t.add(KindDataSec, typeRow{name: s.name, info: uint32(len(s.vars))}, 0)
	}
	return order
}

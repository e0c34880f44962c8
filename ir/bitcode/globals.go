package bitcode

import (
	"github.com/mirin-go/mirin/ir"
)

func (r *reader) comdat(rec []uint64) {
	c := ir.Comdat{}
	if r.version >= 2 {
		if len(rec) < 3 {
			r.fail("Invalid record")
			return
		}
		c.Name = r.tabString(rec[0], rec[1])
		rec = rec[2:]
	} else {
		if len(rec) < 2 {
			r.fail("Invalid record")
			return
		}
		if rec[1] > uint64(len(rec)-2) {
			r.fail("Comdat name size too large")
			return
		}
		c.Name = text(rec[:2+rec[1]], 2)
	}
	switch rec[0] {
	case 2:
		c.Kind = ir.ComdatExactMatch
	case 3:
		c.Kind = ir.ComdatLargest
	case 4:
		c.Kind = ir.ComdatNoDeduplicate
	case 5:
		c.Kind = ir.ComdatSameSize
	}
	r.m.Comdats = append(r.m.Comdats, c)
}

// linkages by the numbers in bitcode.
var linkages = [...]ir.Linkage{
	ir.External, ir.WeakAny, ir.Appending, ir.Internal, ir.LinkOnceAny, ir.External, ir.External, ir.ExternWeak, ir.Common, ir.Private,
	ir.WeakODR, ir.LinkOnceODR, ir.AvailableExternally, ir.Private, ir.Private, ir.External, ir.WeakAny, ir.WeakODR, ir.LinkOnceAny,
	ir.LinkOnceODR,
}

// linkage decodes a linkage; the old numbers of weak and linkonce put the global into a comdat of its name.
func (r *reader) linkage(g *ir.Global, n uint64) (comdat bool) {
	if n < uint64(len(linkages)) {
		g.Linkage = linkages[n]
	}
	return n == 1 || n == 4 || n == 10 || n == 11
}

func (r *reader) add(g *ir.Global, typeID uint32) {
	tid := noID
	if r.typed {
		tid = r.pointerTo(typeID, g.AddrSpace)
	}
	r.globals = append(r.globals, g)
	r.fnTypes = append(r.fnTypes, typeID)
	if len(r.vals) != len(r.globals)-1 {
		r.fail("Invalid record") // a global behind constants
		return
	}
	r.vals = append(r.vals, value{ir.GlobalVal(g.ID), tid})
}

// align checks an alignment as log2 plus one.
func (r *reader) align(n uint64) uint8 {
	if n > 33 {
		r.fail("Invalid alignment value")
		return 0
	}
	return uint8(n)
}

func (r *reader) listEntry(list []string, n uint64) string {
	if n == 0 {
		return ""
	}
	if n > uint64(len(list)) {
		r.fail("Invalid ID")
		return ""
	}
	return list[n-1]
}

// symbol sets what all globals have; raw is the linkage's number.
func (r *reader) symbol(g *ir.Global, vis, dll, raw uint64, hasDLL bool) {
	if !g.HasLocalLinkage() {
		switch vis {
		case 1:
			g.Visibility = ir.Hidden
		case 2:
			g.Visibility = ir.Protected
		}
		switch {
		case hasDLL && dll == 1, !hasDLL && raw == 5:
			g.DLL = ir.DLLImport
		case hasDLL && dll == 2, !hasDLL && raw == 6:
			g.DLL = ir.DLLExport
		}
	}
}

func (r *reader) unnamed(n uint64) ir.UnnamedAddr {
	switch n {
	case 1:
		return ir.GlobalUnnamedAddr
	case 2:
		return ir.LocalUnnamedAddr
	}
	return ir.NamedAddr
}

func tlsMode(n uint64) ir.TLSMode {
	switch n {
	case 0:
		return ir.NotTLS
	case 2:
		return ir.LocalDynamicTLS
	case 3:
		return ir.InitialExecTLS
	case 4:
		return ir.LocalExecTLS
	}
	return ir.GeneralDynamicTLS
}

// local sets dso_local where it goes without saying.
func local(g *ir.Global) {
	if g.HasLocalLinkage() || g.Visibility != ir.DefaultVisibility && g.Linkage != ir.ExternWeak {
		g.DSOLocal = true
	}
}

// setComdat puts a global into a comdat; n counts from 1.
func (r *reader) setComdat(g *ir.Global, rec []uint64, i int, implicit bool, msg string) {
	if len(rec) > i {
		n := rec[i]
		if n >= uint64(len(r.m.Comdats)) {
			r.fail("%s", msg)
			return
		}
		g.Comdat = uint32(n)
		return
	}
	if implicit {
		if r.implicit == nil {
			r.implicit = map[int]bool{}
		}
		r.implicit[int(g.ID)] = true
	}
}

func (r *reader) globalVar(g *ir.Global, rec []uint64) {
	if len(rec) < 6 {
		r.fail("Invalid record")
		return
	}
	g.Kind = ir.GlobalVar
	tid := uint32(rec[0])
	t := r.typ(rec[0])
	if t == 0 {
		r.fail("Invalid record")
		return
	}
	g.Constant = rec[1]&1 != 0
	if rec[1]&2 != 0 {
		g.AddrSpace = uint32(rec[1] >> 2)
	} else {
		if r.t.Kind(t) != ir.KindPointer || !r.types[tid].pointer {
			r.fail("Invalid type for value")
			return
		}
		g.AddrSpace = r.t.AddrSpace(t)
		tid = r.elemID(tid, 0)
		t = r.typ(uint64(tid))
	}
	g.ValueType = t
	implicit := r.linkage(g, rec[3])
	g.Align = r.align(rec[4])
	g.Section = r.listEntry(r.sections, rec[5])
	r.symbol(g, at(rec, 6), at(rec, 10), rec[3], len(rec) > 10)
	g.TLS = tlsMode(at(rec, 7))
	g.Unnamed = r.unnamed(at(rec, 8))
	g.ExternInit = at(rec, 9) != 0
	r.setComdat(g, rec, 11, implicit, "Invalid global variable comdat ID")
	g.Attrs = r.attrList(at(rec, 12))
	g.DSOLocal = at(rec, 13) == 1
	if len(rec) > 15 {
		g.Partition = r.tabString(rec[14], rec[15])
	}
	g.Sanitize = uint8(at(rec, 16) & 15)
	if m := at(rec, 17); m <= 5 {
		g.CodeModel = uint8(m)
	}
	local(g)
	g.IsDecl = rec[2] == 0
	r.add(g, tid)
	if rec[2] != 0 {
		r.inits = append(r.inits, initRef{int(g.ID), &g.Init, rec[2] - 1, 0})
	}
}

func (r *reader) function(g *ir.Global, rec []uint64) {
	if len(rec) < 8 {
		r.fail("Invalid record")
		return
	}
	g.Kind = ir.GlobalFunc
	tid := uint32(rec[0])
	t := r.typ(rec[0])
	if t == 0 {
		r.fail("Invalid record")
		return
	}
	if r.types[tid].pointer {
		tid = r.elemID(tid, 0)
		t = r.typ(uint64(tid))
	}
	if r.t.Kind(t) != ir.KindFunction {
		r.fail("Invalid type for value")
		return
	}
	g.ValueType = t
	if rec[1] > 1023 {
		r.fail("Invalid calling convention ID")
		return
	}
	g.CC = uint16(rec[1])
	g.IsDecl = rec[2] != 0
	implicit := r.linkage(g, rec[3])
	g.Attrs = r.dropAligns(r.fixTypeAttrs(r.attrList(rec[4]), tid), t)
	g.Attrs = r.interruptArg(g, tid)
	g.Align = r.align(rec[5])
	g.Section = r.listEntry(r.sections, rec[6])
	g.GC = r.listEntry(r.gcs, at(rec, 8))
	r.symbol(g, rec[7], at(rec, 11), rec[3], len(rec) > 11)
	g.Unnamed = r.unnamed(at(rec, 9))
	r.setComdat(g, rec, 12, implicit, "Invalid function comdat ID")
	g.DSOLocal = at(rec, 15) == 1
	g.AddrSpace = r.dl.ProgramAS
	if len(rec) > 16 {
		g.AddrSpace = uint32(rec[16])
	}
	if len(rec) > 18 {
		g.Partition = r.tabString(rec[17], rec[18])
	}
	local(g)
	r.add(g, tid)
	for _, x := range [...]struct {
		i int
		v *ir.Value
	}{{10, &g.Prologue}, {13, &g.Prefix}, {14, &g.Persona}} {
		if n := at(rec, x.i); n != 0 {
			r.inits = append(r.inits, initRef{int(g.ID), x.v, n - 1, 2})
		}
	}
}

// x86Interrupt is the calling convention of interrupt handlers.
const x86Interrupt = 83

// interruptArg makes the first argument of an interrupt handler, a pointer to
// what the processor pushed, a byval one, as it must be today.
func (r *reader) interruptArg(g *ir.Global, fnType uint32) ir.AttrListID {
	if !r.typed || g.CC != x86Interrupt || len(r.t.Subtypes(g.ValueType)) == 0 {
		return g.Attrs
	}
	l := r.m.Attrs.At(g.Attrs)
	t := r.typ(uint64(r.elemID(r.elemID(fnType, 1), 0)))
	if l.Param(0).Has("byval") || t == 0 {
		return g.Attrs
	}
	c := &ir.AttrList{Fn: l.Fn, Ret: l.Ret, Params: append([]ir.AttrSet(nil), l.Params...)}
	if len(c.Params) == 0 {
		c.Params = make([]ir.AttrSet, 1)
	}
	c.Params[0] = append(append(ir.AttrSet(nil), c.Params[0]...), ir.Attr{Key: "byval", Type: t})
	sortAttrs(c.Params[0])
	return r.m.Attrs.Intern(c)
}

// fixTypeAttrs gives byval, sret and inalloca of old files the types that typed pointers told.
func (r *reader) fixTypeAttrs(id ir.AttrListID, fnType uint32) ir.AttrListID {
	if id == 0 || !r.typed {
		return id
	}
	l := r.m.Attrs.At(id)
	var c *ir.AttrList
	for i, set := range l.Params {
		for k := range set {
			a := &set[k]
			if a.Type != 0 || a.IsString || a.Key != "byval" && a.Key != "sret" && a.Key != "inalloca" {
				continue
			}
			e := r.elemID(r.elemID(fnType, i+1), 0)
			if r.typ(uint64(e)) == 0 {
				r.fail("Missing element type for typed attribute upgrade")
				return id
			}
			if c == nil {
				c = &ir.AttrList{Fn: l.Fn, Ret: l.Ret, Params: append([]ir.AttrSet(nil), l.Params...)}
			}
			s := append(ir.AttrSet(nil), c.Params[i]...)
			s[k].Type = r.typ(uint64(e))
			c.Params[i] = s
		}
	}
	if c == nil {
		return id
	}
	return r.m.Attrs.Intern(c)
}

func (r *reader) alias(g *ir.Global, code uint32, rec []uint64) {
	g.Kind = ir.GlobalAlias
	if code == modIFunc {
		g.Kind = ir.GlobalIFunc
	}
	old := code == modAliasOld
	if len(rec) < 3 || !old && len(rec) < 4 {
		r.fail("Invalid record")
		return
	}
	tid := uint32(rec[0])
	t := r.typ(rec[0])
	if t == 0 {
		r.fail("Invalid record")
		return
	}
	i := 1
	if old {
		if r.t.Kind(t) != ir.KindPointer || !r.types[tid].pointer {
			r.fail("Invalid type for value")
			return
		}
		g.AddrSpace = r.t.AddrSpace(t)
		tid = r.elemID(tid, 0)
		t = r.typ(uint64(tid))
	} else {
		g.AddrSpace = uint32(rec[1])
		i = 2
	}
	g.ValueType = t
	val, raw := rec[i], rec[i+1]
	i += 2
	r.linkage(g, raw)
	rest := rec[min(i, len(rec)):]
	r.symbol(g, at(rest, 0), at(rest, 1), raw, len(rest) > 1 && code != modIFunc)
	if code == modIFunc {
		g.DSOLocal = at(rest, 1) == 1
		rest = rest[min(2, len(rest)):]
	} else {
		g.TLS = tlsMode(at(rest, 2))
		g.Unnamed = r.unnamed(at(rest, 3))
		g.DSOLocal = at(rest, 4) == 1
		rest = rest[min(5, len(rest)):]
	}
	if len(rest) > 1 {
		g.Partition = r.tabString(rest[0], rest[1])
	}
	local(g)
	r.add(g, tid)
	r.inits = append(r.inits, initRef{int(g.ID), &g.Init, val, 1})
}

package bitcode

import (
	"strings"

	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/autoupgrade"
)

// noID is the id of an unknown type.
const noID = ^uint32(0)

// value is one row of the value table, with the id of its type where the file
// has typed pointers (noID where it is not known).
type value struct {
	v   ir.Value
	tid uint32
}

// reader reads one module.
type reader struct {
	cursor
	name     string
	producer string
	m        *ir.Module
	t        *ir.Types
	dl       *ir.DataLayout
	strtab   []byte
	slots    int    // of parameters in attribute lists so far
	version  uint64 // of the module: 1 relative ids, 2 names in strtab

	types    []typeEntry
	fwdTypes []uint32
	typed    bool // the file has typed pointers
	virtual  map[virtualKey]uint32

	groups map[uint64]attrGroup
	lists  []ir.AttrListID

	globals  []*ir.Global
	fnTypes  []uint32 // id of the value type of each global
	sections []string
	gcs      []string
	implicit map[int]bool // globals whose old linkage made a comdat
	inits    []initRef
	vals     []value // globals, then constants
	asmText  string

	scopes  []string
	bundles []string
	mdKinds map[uint64]uint32
	md      mdTable
	mdCount int
	// oldRefs says that types may be referred to by their identifiers, oldDeclares that #dbg_declare
	// of an argument has a dereference too many.
	oldRefs, oldDeclares bool
	emptyNode            ir.MDID // the module's !{} where there is need for one
	oldUnits             []oldUnit
	oldVars              bool // variables are attached to globals without an expression
	consts               constReader

	bodies   []body
	wantBody int

	// The module summary: where it stands, the modules of a combined index by number, the module's hash.
	summaryAt   uint64
	summaryID   uint32
	mods        []ir.SummaryModule
	modIDs      map[uint64]uint32
	combinedIDs map[uint64]uint64 // GUIDs of value numbers in old indexes
	hash        [5]uint32

	o       Options
	lazies  []lazyExpr
	missing string // what is wrong with a function that has no body
}

// initRef is an operand of a global that is a value number plus one.
type initRef struct {
	global int
	field  *ir.Value
	val    uint64
	what   uint8 // 0 initializer, 1 aliasee, 2 other
}

// body is one function block.
type body struct {
	global int
	pos    uint64 // behind the block's id
	bits   uint64
	done   *doneBody
	err    error
}

// module reads the module block that begins behind its id.
func (r *reader) module() {
	if !r.enter(blkModule) {
		return
	}
	r.mdKinds = map[uint64]uint32{}
	r.scopes = nil
	r.m.SourceFilename = r.name
	for r.err == nil {
		switch e, id := r.next(); e {
		case entryErr:
			r.fail("Malformed block")
		case entryEnd:
			r.endOfModule()
			return
		case entryBlock:
			r.moduleSubBlock(id)
		case entryRecord:
			r.moduleRecord(r.record(id))
		}
	}
}

// moduleSubBlock reads a block within the module.
func (r *reader) moduleSubBlock(id uint32) {
	switch id {
	case blockInfoID:
		r.blockInfo()
	case blkType:
		r.typeBlock()
	case blkParamAttrGroup:
		r.attrGroups()
	case blkParamAttr:
		r.attrLists()
	case blkConstants:
		r.globalValues()
		r.vals = r.consts.block(&r.cursor, r, &r.m.Consts, nil, r.vals)
	case blkMetadata:
		r.globalValues()
		r.md.block(&r.cursor, r, nil)
	case blkMetadataKind:
		r.metadataKinds()
	case blkFunction:
		r.functionBlock()
	case blkValueSymtab:
		r.moduleSymtab()
	case blkBundleTags:
		r.names(id, &r.bundles)
	case blkSyncScopes:
		r.names(id, &r.scopes)
	case blkSummary, blkFullLTOSummary:
		r.summaryBlock(id)
	case blkModuleStrtab:
		r.moduleStrtab()
	case blkUseList:
		r.useLists()
	default:
		r.skip()
	}
}

// names reads a block of strings.
func (r *reader) names(id uint32, list *[]string) {
	if !r.enter(id) {
		return
	}
	for r.err == nil {
		switch e, id := r.next(); e {
		case entryErr, entryBlock:
			r.fail("Malformed block")
		case entryEnd:
			return
		case entryRecord:
			if r.record(id) == 1 {
				*list = append(*list, text(r.rec, 0))
			}
		}
	}
}

func (r *reader) metadataKinds() {
	if !r.enter(blkMetadataKind) {
		return
	}
	for r.err == nil {
		switch e, id := r.next(); e {
		case entryErr, entryBlock:
			r.fail("Malformed block")
		case entryEnd:
			return
		case entryRecord:
			if r.record(id) == mdKind {
				r.metadataKind(r.rec)
			}
		}
	}
}

func (r *reader) metadataKind(rec []uint64) {
	if len(rec) < 2 {
		r.fail("Invalid record")
		return
	}
	if _, ok := r.mdKinds[rec[0]]; ok {
		r.fail("Conflicting METADATA_KIND records")
		return
	}
	r.mdKinds[rec[0]] = r.m.MDKind(text(rec, 1))
}

// string returns a string of the string table.
func (r *reader) tabString(off, size uint64) string {
	if off > uint64(len(r.strtab)) || size > uint64(len(r.strtab))-off {
		r.fail("Invalid record")
		return ""
	}
	return string(r.strtab[off : off+size])
}

func (r *reader) moduleRecord(code uint32) {
	if r.err != nil {
		return
	}
	rec := r.rec
	switch code {
	case modVersion:
		if len(rec) < 1 {
			r.fail("Invalid version record")
			return
		}
		if rec[0] > 2 {
			r.fail("Invalid value")
			return
		}
		r.version = rec[0]
	case modTriple:
		if r.dl != nil {
			r.fail("target triple too late in module")
			return
		}
		r.m.Triple = text(rec, 0)
	case modDataLayout:
		if r.dl != nil {
			r.fail("datalayout too late in module")
			return
		}
		r.m.DataLayout = text(rec, 0)
	case modAsm:
		r.asmText = text(rec, 0)
	case modSection:
		r.sections = append(r.sections, text(rec, 0))
	case modGC:
		r.gcs = append(r.gcs, text(rec, 0))
	case modHash:
		for i := range r.hash {
			r.hash[i] = uint32(at(rec, i))
		}
	case modSourceFile:
		r.m.SourceFilename = text(rec, 0)
	case modComdat:
		r.comdat(rec)
	case modGlobalVar, modFunction, modAlias, modAliasOld, modIFunc:
		r.layout()
		name := ""
		if r.version >= 2 {
			if len(rec) < 2 {
				r.fail("Invalid record")
				return
			}
			if name = r.tabString(rec[0], rec[1]); r.err != nil {
				return
			}
			rec = rec[2:]
		}
		g := &ir.Global{Name: name, ID: ir.GlobalID(len(r.globals) + 1)}
		switch code {
		case modGlobalVar:
			r.globalVar(g, rec)
		case modFunction:
			r.function(g, rec)
		default:
			r.alias(g, code, rec)
		}
	}
}

// layout fixes the data layout, once globals begin: LLVM upgrades it then.
func (r *reader) layout() {
	if r.dl != nil {
		return
	}
	dl := r.m.DataLayout
	if _, err := ir.ParseDataLayout(dl); err != nil {
		r.fail("%s", err.Error())
		return
	}
	if up := autoupgrade.DataLayout(dl, r.m.Triple); up != dl {
		if _, err := ir.ParseDataLayout(up); err == nil {
			dl = up
		}
	}
	r.m.DataLayout = dl
	r.dl, _ = ir.ParseDataLayout(dl)
}

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

// at returns operand i, 0 when the record is shorter.
func at(rec []uint64, i int) uint64 {
	if i < len(rec) {
		return rec[i]
	}
	return 0
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

// moduleSymtab reads the names of globals in old files.
func (r *reader) moduleSymtab() {
	if !r.enter(blkValueSymtab) {
		return
	}
	for r.err == nil {
		switch e, id := r.next(); e {
		case entryErr, entryBlock:
			r.fail("Malformed block")
		case entryEnd:
			return
		case entryRecord:
			first := 1
			switch r.record(id) {
			case vstCombined: // of an index: a number's GUID
				if r.err == nil && len(r.rec) > 1 {
					if r.combinedIDs == nil {
						r.combinedIDs = map[uint64]uint64{}
					}
					r.combinedIDs[r.rec[0]] = r.rec[1]
				}
				continue
			case vstFnEntry:
				first = 2
			case vstEntry:
			default:
				continue
			}
			if r.err != nil {
				return
			}
			if len(r.rec) < first || r.rec[0] >= uint64(len(r.vals)) {
				r.fail("Invalid value reference in symbol table")
				return
			}
			if r.version < 2 && r.rec[0] < uint64(len(r.globals)) {
				r.globals[r.rec[0]].Name = text(r.rec, first)
				if strings.IndexByte(r.globals[r.rec[0]].Name, 0) >= 0 {
					r.fail("Invalid value name")
				}
			}
		}
	}
}

// functionBlock remembers where a body is; it belongs to the next function that needs one.
func (r *reader) functionBlock() {
	pos := r.pos
	for r.wantBody < len(r.globals) && (r.globals[r.wantBody].Kind != ir.GlobalFunc || r.globals[r.wantBody].IsDecl) {
		r.wantBody++
	}
	if r.wantBody >= len(r.globals) {
		r.fail("Insufficient function protos")
		return
	}
	if r.skip() {
		r.bodies = append(r.bodies, body{global: r.wantBody, pos: pos, bits: r.pos - pos})
		r.wantBody++
	}
}

// globalValues is called where constants begin: no global may follow.
func (r *reader) globalValues() { r.layout() }

// endOfModule resolves what is known only now and adds the globals to the module.
func (r *reader) endOfModule() {
	r.layout()
	if r.err != nil {
		return
	}
	for ; r.wantBody < len(r.globals); r.wantBody++ {
		if g := r.globals[r.wantBody]; g.Kind == ir.GlobalFunc && !g.IsDecl {
			// LLVM finds out when it comes to the function.
			if r.missing = "Could not find function in stream"; len(r.bodies) == 0 {
				r.missing = "Trying to materialize functions before seeing function blocks"
			}
			break
		}
	}
	for i := range r.inits {
		x := &r.inits[i]
		if x.val >= uint64(len(r.vals)) {
			r.fail("Malformed global initializer set")
			return
		}
		v := r.vals[x.val].v
		if v.Tag() == tagLazy {
			r.fail("Value referenced by initializer is an unsupported constant expression of type %s", r.lazyName(v))
			return
		}
		if v.Tag() != ir.TagConst && v.Tag() != ir.TagGlobal {
			r.fail("Expected a constant")
			return
		}
		*x.field = v
		switch g, t := r.globals[x.global-1], r.constType(v); {
		case x.what == 0 && t != g.ValueType:
			r.fail("Global variable initializer type does not match global variable type!")
			return
		case x.what == 1 && t != r.t.Pointer(g.AddrSpace):
			r.fail("Alias and aliasee types don't match")
			return
		}
	}
	r.structors()
	r.upgradeDebugInfo()
	if r.asmText != "" {
		r.m.ModuleAsm = strings.Split(strings.TrimSuffix(r.asmText, "\n"), "\n")
	}
	for _, g := range r.globals {
		if r.implicit[int(g.ID)] && !strings.Contains(r.m.Triple, "-apple-") {
			g.Comdat = r.comdatNamed(g.Name)
		}
		if g.Name != "" && r.m.Lookup(g.Name) != 0 {
			r.fail("Invalid record")
			return
		}
		r.m.AddGlobal(g)
	}
}

// lazyName names the first operation of a lazy constant.
func (r *reader) lazyName(v ir.Value) string {
	for x := r.lazyOf(v); ; {
		if x.in.Op != ir.OpNone {
			return x.in.Op.String()
		}
		for _, o := range x.ops {
			if o.Tag() == tagLazy {
				x = r.lazyOf(o)
				break
			}
		}
	}
}

func (r *reader) comdatNamed(name string) uint32 {
	for i := 1; i < len(r.m.Comdats); i++ {
		if r.m.Comdats[i].Name == name {
			return uint32(i)
		}
	}
	r.m.Comdats = append(r.m.Comdats, ir.Comdat{Name: name})
	return uint32(len(r.m.Comdats) - 1)
}

// constType returns the type of a module constant or global.
func (r *reader) constType(v ir.Value) ir.Type {
	switch v.Tag() {
	case ir.TagConst:
		return r.m.Consts.At(v.Const()).Type
	case ir.TagGlobal:
		return r.t.Pointer(r.globals[v.Global()-1].AddrSpace)
	case tagLazy:
		return r.lazyOf(v).in.Type
	}
	return ir.Ptr
}

// virtualKey describes a type that the type table does not have.
type virtualKey struct {
	t ir.Type
	e uint32
}

// pointerTo returns the id of a typed pointer, making one where there is none.
// Only files with typed pointers need it; their bodies are read by one worker.
func (r *reader) pointerTo(elem uint32, as uint32) uint32 {
	if !r.typed || elem == noID {
		return noID
	}
	k := virtualKey{r.t.Pointer(as), elem}
	if id, ok := r.virtual[k]; ok {
		return id
	}
	for i := range r.types {
		if e := &r.types[i]; e.pointer && e.t == k.t && e.elems[0] == elem {
			return r.keep(k, uint32(i))
		}
	}
	r.types = append(r.types, typeEntry{t: k.t, elems: []uint32{elem}, pointer: true})
	return r.keep(k, uint32(len(r.types)-1))
}

func (r *reader) keep(k virtualKey, id uint32) uint32 {
	if r.virtual == nil {
		r.virtual = map[virtualKey]uint32{}
	}
	r.virtual[k] = id
	return id
}

package bitcode

import (
	"strings"

	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/autoupgrade"
	"github.com/mirin-go/mirin/triple"
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
		r.failBare("Invalid record")
		return
	}
	if _, ok := r.mdKinds[rec[0]]; ok {
		r.failBare("Conflicting METADATA_KIND records")
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

// at returns operand i, 0 when the record is shorter.
func at(rec []uint64, i int) uint64 {
	if i < len(rec) {
		return rec[i]
	}
	return 0
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
		if r.implicit[int(g.ID)] && triple.Parse(r.m.Triple).Vendor != triple.VendorApple {
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

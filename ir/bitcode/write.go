package bitcode

import (
	"crypto/sha1"
	"encoding/binary"
	"fmt"
	"hash"

	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/triple"
)

// producer is the name in the identification block.
const producerName = "Mirin"

// writer writes one module.
type writer struct {
	bitWriter
	o      Options
	m      *ir.Module
	t      *ir.Types
	strtab []byte
	err    error

	typeIDs []uint32 // by handle, id plus one
	types   []ir.Type

	listIDs  map[ir.AttrListID]uint64
	lists    []ir.AttrListID
	groupIDs map[string]uint64
	groups   []outGroup

	values   []uint32 // by GlobalID: value number
	consts   constIDs // of the module
	numVals  uint32
	scopeIDs []uint64
	bundles  map[string]uint64
	tags     []string
	ints     map[int64]uint32 // numbers that metadata needs as constants: place in intList
	intList  []int64
	firstInt uint32 // value number of the first of them

	md outMD
	fn outFunc

	std                     stdAbbrevs
	varAbbrev               uint32
	offsetAt                int                      // bit of the buffer that the offset of the symbol table goes to, -1 without one
	blockUsers              map[ir.GlobalID][]uint64 // functions that have addresses of a function's blocks
	funcAt                  []uint64                 // word of each function's block
	hash                    hash.Hash                // Options.ModuleHash
	cstAggregate, cstString uint32                   // abbreviations of the constants block, 0 where it has none
	aggregateOf             abbrev

	rec []uint64
}

// Append appends the module as bitcode.
func Append(b []byte, m *ir.Module, o Options) ([]byte, error) {
	w := &writer{m: m, tags: append([]string(nil), fixedTags[:]...), t: m.Types, listIDs: map[ir.AttrListID]uint64{}, groupIDs: map[string]uint64{}, bundles: map[string]uint64{},
		ints: map[int64]uint32{}, o: o}
	if o.ModuleHash {
		w.hash = sha1.New()
	}
	for i, s := range w.tags {
		w.bundles[s] = uint64(i + 1)
	}
	cpu, wrapped := wrapperCPU(triple.Parse(m.Triple))
	start := len(b)
	if wrapped {
		b = append(b, make([]byte, wrapperHeaderBytes)...)
	}
	w.buf, w.base, w.width = b, len(b), 2
	w.emit(0xdec04342, 32)
	w.enter(blkIdentification, 5)
	sa, ea := stringAbbrev(identString, 6), abbrev{lit(identEpoch), vbrOp(6)}
	w.short(w.define(sa), sa, identString, bytesOf(nil, producerName))
	w.short(w.define(ea), ea, identEpoch, []uint64{currentEpoch})
	w.leave()
	if s := m.Summary; s != nil && s.Combined {
		w.combined()
	} else {
		w.module()
	}
	w.enter(blkStrtab, 3)
	w.blob(strtabBlob, w.strtab)
	w.leave()
	if w.err != nil {
		return b, w.err
	}
	if wrapped {
		h := w.buf[start:]
		size := len(w.buf) - w.base
		for i, x := range [...]uint32{wrapperMagic, 0, wrapperHeaderBytes, uint32(size), cpu} {
			binary.LittleEndian.PutUint32(h[4*i:], x)
		}
		for (len(w.buf)-start)%16 != 0 {
			w.buf = append(w.buf, 0)
		}
	}
	return w.buf, nil
}

// fixedTags are the tags of operand bundles that every module has, by LLVM's numbers.
var fixedTags = [...]string{"deopt", "funclet", "gc-transition", "cfguardtarget", "preallocated", "gc-live", "clang.arc.attachedcall",
	"ptrauth", "kcfi", "convergencectrl", "align", "deactivation-symbol"}

// wrapperCPU returns the processor's number in the header that Darwin's tools
// want before bitcode; ok is false for other systems.
func wrapperCPU(t triple.Triple) (cpu uint32, ok bool) {
	if !t.IsDarwin() && t.Format != triple.FormatMachO {
		return 0, false
	}
	const is64 = 0x01000000
	switch t.Arch {
	case triple.X86_64:
		return 7 | is64, true
	case triple.X86:
		return 7, true
	case triple.ARM, triple.Thumb:
		return 12, true
	case triple.PPC64:
		return 18 | is64, true
	case triple.PPC:
		return 18, true
	}
	return ^uint32(0), true
}

func (w *writer) fail(format string, args ...any) {
	if w.err == nil {
		w.err = fmt.Errorf("bitcode: "+format, args...)
	}
}

func (w *writer) module() {
	m := w.m
	w.enumerate()
	w.enter(blkModule, 3)
	start := len(w.buf)
	w.record(modVersion, 2)
	w.blockInfo()
	w.typeTable()
	w.attributes()
	w.header()
	w.globals()
	w.constants(&m.Consts, &w.consts, 0, nil)
	w.metadataKinds()
	w.moduleMetadata()
	w.fn.f = nil
	w.useLists(w.m.UseOrders, w.m.UseIndexes)
	w.strings(blkBundleTags, w.tags)
	w.findBlockUsers()
	w.syncScopes()
	for _, id := range m.Funcs {
		if f := m.Globals[id].Func; f != nil {
			w.funcAt = append(w.funcAt, uint64(len(w.buf)-w.base)/4)
			w.function(f)
		}
	}
	w.summary()
	w.moduleSymtab()
	w.moduleHash(start)
	w.leave()
}

// moduleSymtab says where the functions' blocks are, in words from the
// identification block on, for readers that want some of them only.
func (w *writer) moduleSymtab() {
	if w.offsetAt < 0 {
		return
	}
	w.patch(w.offsetAt, uint64(len(w.buf)-w.base)/4, 32)
	w.enter(blkValueSymtab, 4)
	a := abbrev{lit(vstFnEntry), vbrOp(8), vbrOp(8)}
	id := w.define(a)
	k := 0
	for _, g := range w.m.Funcs {
		if w.m.Globals[g].Func != nil {
			w.short(id, a, vstFnEntry, []uint64{uint64(w.values[g]), w.funcAt[k]})
			k++
		}
	}
	w.leave()
}

// moduleHash writes the hash of the names and of all that the module's block has before it.
func (w *writer) moduleHash(start int) {
	if w.hash == nil {
		return
	}
	w.hash.Write(w.buf[start:])
	sum := w.hash.Sum(nil)
	r := w.rec[:0]
	for i := 0; i < len(sum); i += 4 {
		r = append(r, uint64(binary.BigEndian.Uint32(sum[i:])))
	}
	w.record(modHash, r...)
	w.rec = r
}

func (w *writer) strings(id uint32, list []string) {
	if len(list) == 0 {
		return
	}
	w.enter(id, 3)
	for _, s := range list {
		w.text(1, s)
	}
	w.leave()
}

func (w *writer) syncScopes() {
	w.scopeIDs = make([]uint64, len(w.m.SyncScopes()))
	names := []string{"singlethread", ""}
	for i, s := range w.m.SyncScopes() {
		switch s {
		case "":
			w.scopeIDs[i] = 1
		case "singlethread":
		default:
			w.scopeIDs[i] = uint64(len(names))
			names = append(names, s)
		}
	}
	w.strings(blkSyncScopes, names)
}

// header writes triple, data layout, module assembly and the source's name.
func (w *writer) header() {
	m := w.m
	if m.Triple != "" {
		w.text(modTriple, m.Triple)
	}
	if m.DataLayout != "" {
		w.text(modDataLayout, m.DataLayout)
	}
	if len(m.ModuleAsm) > 0 {
		s := ""
		for _, l := range m.ModuleAsm {
			s += l + "\n"
		}
		w.text(modAsm, s)
	}
}

// sourceName writes the name of the source file.
func (w *writer) sourceName() {
	s := w.m.SourceFilename
	if s == "" {
		return
	}
	a := stringAbbrev(modSourceFile, charBits(s))
	w.short(w.define(a), a, modSourceFile, bytesOf(w.rec[:0], s))
}

func bytesOf(r []uint64, s string) []uint64 {
	for i := 0; i < len(s); i++ {
		r = append(r, uint64(s[i]))
	}
	return r
}

// simpleVar defines the abbreviation of variables with nothing unusual.
func (w *writer) simpleVar(sections int) abbrev {
	maxType, maxAlign := uint64(0), uint64(0)
	for _, id := range w.m.Vars {
		g := w.m.Globals[id]
		maxType, maxAlign = max(maxType, w.typ(g.ValueType)), max(maxAlign, uint64(g.Align))
	}
	small := func(n uint64) abbrevOp {
		if n == 0 {
			return lit(0)
		}
		return fixed(bitsFor(n))
	}
	a := abbrev{lit(modGlobalVar), vbrOp(8), vbrOp(8), fixed(max(1, bitsFor(maxType))), vbrOp(6), vbrOp(6), fixed(5), small(maxAlign), small(uint64(sections))}
	if len(w.m.Vars) > 0 {
		w.varAbbrev = w.define(a)
	}
	return a
}

// tab adds a string to the string table.
func (w *writer) tab(s string) (off, size uint64) {
	if s == "" {
		return 0, 0
	}
	if w.hash != nil {
		w.hash.Write([]byte(s))
	}
	off = uint64(len(w.strtab))
	w.strtab = append(w.strtab, s...)
	return off, uint64(len(s))
}

// index returns the place of a string in a list, from 1, adding it with a record of its own.
func (w *writer) index(list *[]string, code uint32, s string) uint64 {
	if s == "" {
		return 0
	}
	for i, x := range *list {
		if x == s {
			return uint64(i + 1)
		}
	}
	*list = append(*list, s)
	w.text(code, s)
	return uint64(len(*list))
}

// linkageNums are bitcode's numbers of linkages.
var linkageNums = [...]uint64{ir.External: 0, ir.AvailableExternally: 12, ir.LinkOnceAny: 18, ir.LinkOnceODR: 19, ir.WeakAny: 16,
	ir.WeakODR: 17, ir.Appending: 2, ir.Internal: 3, ir.Private: 9, ir.ExternWeak: 7, ir.Common: 8}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func unnamedNum(u ir.UnnamedAddr) uint64 {
	return [...]uint64{ir.NamedAddr: 0, ir.LocalUnnamedAddr: 2, ir.GlobalUnnamedAddr: 1}[u]
}

// globals writes the records of comdats, variables, functions, aliases and ifuncs.
func (w *writer) globals() {
	m := w.m
	for _, c := range m.Comdats[1:] {
		off, n := w.tab(c.Name)
		w.record(modComdat, off, n, [...]uint64{ir.ComdatAny: 1, ir.ComdatExactMatch: 2, ir.ComdatLargest: 3, ir.ComdatNoDeduplicate: 4, ir.ComdatSameSize: 5}[c.Kind])
	}
	var sections, gcs []string
	for _, l := range [...][]ir.GlobalID{m.Vars, m.Funcs} {
		for _, id := range l {
			w.index(&sections, modSection, m.Globals[id].Section)
			w.index(&gcs, modGC, m.Globals[id].GC)
		}
	}
	w.sourceName()
	simple := w.simpleVar(len(sections))
	simpleID := uint32(0)
	if len(m.Vars) > 0 {
		simpleID = w.varAbbrev
	}
	plus1 := func(v ir.Value) uint64 {
		if v == 0 {
			return 0
		}
		return uint64(w.moduleValue(v)) + 1
	}
	for _, id := range m.Vars {
		g := m.Globals[id]
		off, n := w.tab(g.Name)
		poff, pn := w.tab(g.Partition)
		r := append(w.rec[:0], off, n, w.typ(g.ValueType), bit(g.Constant)|2|uint64(g.AddrSpace)<<2, plus1(g.Init), linkageNums[g.Linkage], uint64(g.Align),
			w.index(&sections, modSection, g.Section))
		rest := [...]uint64{uint64(g.Visibility), uint64(g.TLS), unnamedNum(g.Unnamed), bit(g.ExternInit), uint64(g.DLL),
			uint64(g.Comdat), w.listID(g.Attrs), bit(g.DSOLocal), poff, pn, uint64(g.Sanitize), uint64(g.CodeModel)}
		if rest == [len(rest)]uint64{} {
			w.short(simpleID, simple, modGlobalVar, r)
		} else {
			w.record(modGlobalVar, append(r, rest[:]...)...)
		}
		w.rec = r
	}
	for _, id := range m.Funcs {
		g := m.Globals[id]
		off, n := w.tab(g.Name)
		poff, pn := w.tab(g.Partition)
		w.record(modFunction, off, n, w.typ(g.ValueType), uint64(g.CC), bit(g.Func == nil), linkageNums[g.Linkage], w.listID(g.Attrs), uint64(g.Align),
			w.index(&sections, modSection, g.Section), uint64(g.Visibility), w.index(&gcs, modGC, g.GC), unnamedNum(g.Unnamed), plus1(g.Prologue),
			uint64(g.DLL), uint64(g.Comdat), plus1(g.Prefix), plus1(g.Persona), bit(g.DSOLocal), uint64(g.AddrSpace), poff, pn)
	}
	for _, id := range m.Aliases {
		g := m.Globals[id]
		off, n := w.tab(g.Name)
		poff, pn := w.tab(g.Partition)
		w.record(modAlias, off, n, w.typ(g.ValueType), uint64(g.AddrSpace), uint64(w.moduleValue(g.Init)), linkageNums[g.Linkage], uint64(g.Visibility),
			uint64(g.DLL), uint64(g.TLS), unnamedNum(g.Unnamed), bit(g.DSOLocal), poff, pn)
	}
	for _, id := range m.IFuncs {
		g := m.Globals[id]
		off, n := w.tab(g.Name)
		poff, pn := w.tab(g.Partition)
		w.record(modIFunc, off, n, w.typ(g.ValueType), uint64(g.AddrSpace), uint64(w.moduleValue(g.Init)), linkageNums[g.Linkage], uint64(g.Visibility),
			bit(g.DSOLocal), poff, pn)
	}
	w.offsetAt = -1
	for _, id := range m.Funcs {
		if m.Globals[id].Func != nil {
			a := abbrev{lit(modVSTOffset), fixed(32)}
			w.symtabOffset(w.define(a), a)
			break
		}
	}
}

// symtabOffset writes the record that says where the module's symbol table is,
// which is known later.
func (w *writer) symtabOffset(id uint32, a abbrev) {
	w.short(id, a, modVSTOffset, []uint64{0})
	w.offsetAt = w.bits() - 32
}

// moduleValue returns the number of a global or module constant.
func (w *writer) moduleValue(v ir.Value) uint32 {
	switch v.Tag() {
	case ir.TagGlobal:
		return w.values[v.Global()]
	case ir.TagConst:
		if id := w.consts.ids[v.Const()]; id != 0 {
			return id - 1
		}
	}
	w.fail("a value of the module is not a constant")
	return 0
}

// typ returns the id of a type.
func (w *writer) typ(t ir.Type) uint64 {
	if int(t) < len(w.typeIDs) && w.typeIDs[t] != 0 {
		return uint64(w.typeIDs[t] - 1)
	}
	w.fail("a type was not enumerated")
	return 0
}

// addType numbers a type behind the types that it is made of.
func (w *writer) addType(t ir.Type) {
	if t == 0 {
		return
	}
	for int(t) >= len(w.typeIDs) {
		w.typeIDs = append(w.typeIDs, make([]uint32, max(64, int(t)+1-len(w.typeIDs)))...)
	}
	if w.typeIDs[t] != 0 {
		return
	}
	switch w.t.Kind(t) {
	case ir.KindArray, ir.KindVector, ir.KindScalableVector:
		w.addType(w.t.Elem(t))
	case ir.KindFunction:
		w.addType(w.t.Result(t))
		fallthrough
	case ir.KindStruct, ir.KindTargetExt:
		for _, s := range w.t.Subtypes(t) {
			w.addType(s)
		}
	}
	w.types = append(w.types, t)
	w.typeIDs[t] = uint32(len(w.types))
}

func (w *writer) typeTable() {
	w.enter(blkType, 4)
	w.record(typNumEntry, uint64(len(w.types)))
	plain := [...]uint32{ir.KindVoid: typVoid, ir.KindLabel: typLabel, ir.KindMetadata: typMetadata, ir.KindToken: typToken,
		ir.KindX86AMX: typX86AMX, ir.KindHalf: typHalf, ir.KindBFloat: typBFloat, ir.KindFloat: typFloat, ir.KindDouble: typDouble,
		ir.KindX86FP80: typX86FP80, ir.KindFP128: typFP128, ir.KindPPCFP128: typPPCFP128}
	for _, t := range w.types {
		r := w.rec[:0]
		switch k := w.t.Kind(t); k {
		case ir.KindInteger:
			w.record(typInteger, uint64(w.t.IntBits(t)))
		case ir.KindPointer:
			w.record(typOpaquePtr, uint64(w.t.AddrSpace(t)))
		case ir.KindArray:
			w.record(typArray, w.t.NumElems(t), w.typ(w.t.Elem(t)))
		case ir.KindVector:
			w.record(typVector, w.t.NumElems(t), w.typ(w.t.Elem(t)))
		case ir.KindScalableVector:
			w.record(typVector, w.t.NumElems(t), w.typ(w.t.Elem(t)), 1)
		case ir.KindStruct:
			name := w.t.StructName(t)
			if name != "" {
				w.text(typStructName, name)
			}
			if w.t.IsIdentified(t) && w.t.IsOpaque(t) {
				w.record(typOpaque, 0)
				continue
			}
			r = append(r, bit(w.t.IsPacked(t)))
			for _, s := range w.t.Subtypes(t) {
				r = append(r, w.typ(s))
			}
			if w.t.IsIdentified(t) {
				w.record(typStructNamed, r...)
			} else {
				w.record(typStructAnon, r...)
			}
		case ir.KindFunction:
			r = append(r, bit(w.t.IsVarArg(t)), w.typ(w.t.Result(t)))
			for _, s := range w.t.Subtypes(t) {
				r = append(r, w.typ(s))
			}
			w.record(typFunc, r...)
		case ir.KindTargetExt:
			w.text(typStructName, w.t.StructName(t))
			r = append(r, uint64(len(w.t.Subtypes(t))))
			for _, s := range w.t.Subtypes(t) {
				r = append(r, w.typ(s))
			}
			w.record(typTarget, append(r, w.t.TargetInts(t)...)...)
		default:
			w.record(plain[k])
		}
		w.rec = r
	}
	w.leave()
}

package dwarf

import (
	"encoding/hex"

	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/dwarfname"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// Options are what flags say of debug information.
type Options struct {
	// Version is DWARF's, 0 for the module's ("Dwarf Version"), which is 4 without that.
	Version int
	// Dwarf64 asks for the 64-bit format.
	Dwarf64 bool
	// AccelTables is the kind of tables of names: "Default", "Disable", "Dwarf"; "" is Default.
	AccelTables string
}

// unitKind is how much a compile unit wants to be described.
type unitKind uint8

// The kinds: nothing at all, all, lines and inlined functions, lines alone.
const (
	kindNoDebug unitKind = iota
	kindFull
	kindLines
	kindDirectives
)

// Writer writes a module's debug information. What workers ask it for does not change
// after New.
type Writer struct {
	mod     *ir.Module
	md      *ir.MDTable
	version int
	wide    bool // the 64-bit format
	ptr     int
	big     bool
	flavour int // of DWARF register numbers
	opt     Options
	text    bool

	units  []*unit
	unitOf map[ir.MDID]int
	files  map[ir.MDID]*mc.LineFile
	noFile *mc.LineFile
	spOf   map[ir.GlobalID]ir.MDID

	*forest
	out                         target.AsmOutput
	strs                        stringPool
	addrs                       addressPool
	dieOf                       map[dieKey]dieID
	lists                       []rangeList
	locs                        []locList
	abstract                    map[ir.MDID]dieID // of subprograms that were inlined
	entities                    map[ir.MDID]dieID // variables and labels in these
	finished                    []ir.MDID         // subprograms with code, in order
	done                        map[ir.MDID]bool  // finished
	concrete                    []concreteEntity  // variables and labels of functions
	lexical                     []concreteEntity  // lexical blocks of functions
	accel                       []accelName
	placed                      map[mc.Sym]bool       // labels of .debug_names
	whole                       map[ir.MDID]bool      // abstract subprograms with their children
	described                   map[ir.MDID]bool      // subprograms of functions with a body
	holders                     []containing          // entries that want DW_AT_containing_type
	locals                      map[ir.MDID][]ir.MDID // declarations by the scope that they are local to
	deferred                    []deferredDecl
	blockDie                    map[ir.MDID]dieID // of lexical blocks that were not inlined
	lastUnit                    int               // that a function was added to, -1 none
	globals                     map[ir.MDID][]globalExpr
	rngBase, locBase, infoStart mc.Sym
	// firstLabel is where the first function of a section begins.
	firstLabel map[mc.SectionID]mc.Sym
	dtpOff     mc.Modifier // the modifier of offsets of thread-local variables, 0 none
	err        error
}

type dieKey struct {
	unit int // -1: shared by all units
	node ir.MDID
}

// concreteEntity is a variable or label of a function, whose entry is finished when
// it is known what was inlined.
type concreteEntity struct {
	node  ir.MDID
	die   dieID
	label mc.Sym // where a label is, 0 nowhere
}

type containing struct {
	die dieID
	typ ir.MDID
}

type deferredDecl struct {
	unit int
	node ir.MDID
}

type globalExpr struct {
	global ir.GlobalID // 0 none
	has    bool
	expr   node
}

// unit is a compile unit.
type unit struct {
	node
	kind         unitKind
	number       int
	lang         uint64
	die          dieID // 0: nobody has needed it yet
	indexType    dieID
	ranges       []symRange
	base         mc.Sym
	names, types []globalName // of .debug_pubnames and .debug_pubtypes
	length       uint32       // of its bytes
	begin        mc.Sym
	lineTable    mc.Sym
	macroSym     mc.Sym
	hasRanges    bool   // of its entries
	offset       uint64 // in .debug_info
}

type symRange struct {
	begin, end mc.Sym
	section    mc.SectionID
}

// New returns a writer of the module's debug information, nil when it has none.
func New(m *target.Machine, mod *ir.Module, opt Options, dtpOff mc.Modifier) *Writer {
	var cus []ir.MDID
	for _, l := range mod.NamedMD {
		if l.Name == "llvm.dbg.cu" {
			cus = l.Nodes
		}
	}
	if len(cus) == 0 {
		return nil
	}
	w := &Writer{mod: mod, md: &mod.MD, ptr: int(m.Layout.PointerSize(0)), big: m.Layout.BigEndian, opt: opt, dtpOff: dtpOff, forest: newForest(),
		unitOf: map[ir.MDID]int{}, files: map[ir.MDID]*mc.LineFile{}, spOf: map[ir.GlobalID]ir.MDID{}, dieOf: map[dieKey]dieID{}, abstract: map[ir.MDID]dieID{},
		entities: map[ir.MDID]dieID{}, done: map[ir.MDID]bool{}, locals: map[ir.MDID][]ir.MDID{}, lastUnit: -1, blockDie: map[ir.MDID]dieID{}, firstLabel: map[mc.SectionID]mc.Sym{}, placed: map[mc.Sym]bool{}, whole: map[ir.MDID]bool{}, described: map[ir.MDID]bool{}, noFile: &mc.LineFile{Name: "<stdin>"}}
	w.version = opt.Version
	if w.version == 0 {
		v, _ := mod.FlagInt("Dwarf Version")
		w.version = int(v)
	}
	if w.version == 0 {
		w.version = 4
	}
	w.version = min(max(w.version, 2), 5)
	flag64, _ := mod.FlagInt("DWARF64")
	w.wide = w.version >= 3 && w.ptr == 8 && (opt.Dwarf64 || flag64 != 0)
	w.flavour = m.DwarfFlavour()
	for _, id := range cus {
		n := w.at(id)
		u := &unit{node: n, number: len(w.units), kind: emissionKind(n)}
		u.lang = n.word("language", dwarfname.Lang)
		if n.has("sourceLanguageName") {
			u.lang = languageOfName(n.word("sourceLanguageName", dwarfname.LangName), n.num("sourceLanguageVersion"))
		}
		w.unitOf[id] = len(w.units)
		w.units = append(w.units, u)
	}
	for id, n := range w.md.Nodes() {
		if n.Kind == ir.MDSpecialized && n.Str == "DIFile" {
			w.files[id] = w.lineFile(node{w.md, n, id})
		}
	}
	kind := mod.MDKind("dbg")
	for _, id := range mod.Funcs {
		for _, a := range mod.Globals[id].MD {
			if a.Kind == kind {
				w.spOf[id] = a.Node
				if g := mod.Globals[id]; !g.IsDecl && g.Linkage != ir.AvailableExternally {
					w.described[a.Node] = true
				}
			}
		}
	}
	return w
}

func emissionKind(n node) unitKind {
	f := n.field("emissionKind")
	if f == nil {
		return kindNoDebug
	}
	switch f.Str {
	case "FullDebug":
		return kindFull
	case "LineTablesOnly":
		return kindLines
	case "DebugDirectivesOnly":
		return kindDirectives
	}
	if f.Kind == ir.MDFieldInt && f.Int <= 3 {
		return unitKind(f.Int)
	}
	return kindNoDebug
}

// lineFile is a DIFile for line tables.
func (w *Writer) lineFile(n node) *mc.LineFile {
	f := &mc.LineFile{Dir: n.str("directory"), Name: n.str("filename")}
	if f.Name == "" {
		f.Name, f.Dir = "<stdin>", ""
	}
	if w.version >= 5 {
		if k := n.field("checksumkind"); k != nil && k.Str == "CSK_MD5" {
			if b, err := hex.DecodeString(n.str("checksum")); err == nil && len(b) == 16 {
				f.MD5, f.HasMD5 = [16]byte(b), true
			}
		}
		if n.has("source") {
			f.Source, f.HasSource = n.str("source"), true
		}
	}
	return f
}

func (w *Writer) at(id ir.MDID) node { return nodeAt(w.md, id) }

// file is the file of a DIFile, nil's when it is null.
func (w *Writer) file(id ir.MDID) *mc.LineFile {
	if f := w.files[id]; f != nil {
		return f
	}
	return w.noFile
}

// noBlockFile is the scope that a DILexicalBlockFile stands for.
func (w *Writer) noBlockFile(id ir.MDID) ir.MDID {
	for {
		n := w.at(id)
		if !n.is("DILexicalBlockFile") {
			return n.id
		}
		id = n.ref("scope").id
	}
}

// subprogramOf is the subprogram that a local scope belongs to.
func (w *Writer) subprogramOf(id ir.MDID) ir.MDID {
	for n := w.at(id); !n.null(); n = n.ref("scope") {
		if n.is("DISubprogram") {
			return n.id
		}
	}
	return 0
}

// unitKind is that of a subprogram's unit.
func (w *Writer) unitKind(sp ir.MDID) unitKind {
	if u, ok := w.unitOf[w.at(sp).ref("unit").id]; ok {
		return w.units[u].kind
	}
	return kindNoDebug
}

func (w *Writer) inlinedAt(loc mir.DebugLoc) ir.MDID {
	l, _ := w.md.Location(ir.MDID(loc))
	return l.InlinedAt
}

// subprogram is the description of a function, null without.
func (w *Writer) subprogram(f *mir.Function) node {
	if f.IR == nil {
		return node{md: w.md}
	}
	return w.at(w.spOf[f.IR.ID])
}

func (w *Writer) subprogramOfGlobal(g ir.GlobalID) ir.MDID { return w.spOf[g] }

// wholeVariable is the size of a part that is all of a variable.
const wholeVariable = 1 << 62

// fragment is the part of the variable that an expression is about.
func (w *Writer) fragment(expr ir.MDID) (off, size uint64) {
	n := w.at(expr)
	if n.null() {
		return 0, wholeVariable
	}
	if k := len(n.Fields) - 3; k >= 0 && n.Fields[k].Str == "DW_OP_LLVM_fragment" {
		return n.Fields[k+1].Int, n.Fields[k+2].Int
	}
	return 0, wholeVariable
}

// encodingOf is the encoding of a basic type, 0 of others.
func (w *Writer) encodingOf(t node) uint64 {
	if t.is("DIBasicType") {
		return t.word("encoding", dwarfname.Encoding)
	}
	return 0
}

func (w *Writer) appendInt(b []byte, v uint64, size int) []byte {
	at := len(b)
	b = append(b, make([]byte, size)...)
	mc.PutInt(b[at:], v, w.big)
	return b
}

// lineUnit is the number of a unit's line table: text has one for all.
func (w *Writer) lineUnit(u int) uint32 {
	if w.text {
		return 0
	}
	return uint32(u)
}

// Begin names the source files of the units and describes global variables and types that
// no function refers to.
func (w *Writer) Begin(out target.AsmOutput) error {
	w.out, w.text = out, out.Streamer().IsText()
	ctx := out.Streamer().Context()
	ctx.DwarfVersion, ctx.Dwarf64 = w.version, w.wide
	w.collectGlobals()
	for _, u := range w.units {
		if u.kind == kindNoDebug {
			continue
		}
		any := false
		for _, l := range [...]string{"imports", "enums", "retainedTypes", "globals", "macros"} {
			any = any || len(u.list(l)) > 0
		}
		if any {
			w.beginUnit(u)
		}
	}
	return w.err
}

// Fork returns what hears of one printer's functions.
func (w *Writer) Fork(out target.AsmOutput) target.FuncHandler {
	return &funcHandler{w: w, out: out, seen: map[entityKey]bool{}}
}

// directory is where a unit was compiled.
func (u *unit) directory() string { return u.ref("file").str("directory") }

// dieFor is the entry of a unit, which is made when it is needed first: then
// line tables get file 0.
func (w *Writer) dieFor(u *unit) dieID {
	if u.die != 0 {
		return u.die
	}
	s := w.out.Streamer()
	file := u.ref("file")
	if !w.text || u.number == w.firstUnit() {
		s.Context().CompDir = u.directory()
		if w.version >= 5 {
			f := *w.file(file.id)
			s.DwarfFile(w.lineUnit(u.number), 0, f)
		}
	}
	u.die = w.newDie(u.number, tagCompileUnit, 0)
	d := u.die
	if u.kind == kindDirectives {
		return d
	}
	producer := u.str("producer")
	w.addString(d, atProducer, producer)
	w.add(d, atLanguage, formData2, valInt, u.lang)
	w.addString(d, atName, file.str("filename"))
	if r := u.str("sysroot"); r != "" {
		w.addString(d, atLLVMSysroot, r)
	}
	if r := u.str("sdk"); r != "" {
		w.addString(d, atAPPLESdk, r)
	}
	if w.version >= 5 {
		w.add(d, atStrOffsetsBase, w.offsetForm(), valSym, uint64(w.strs.baseSym(w)))
	}
	u.lineTable = s.LineTable(w.lineUnit(u.number))
	w.add(d, atStmtList, w.offsetForm(), valSym, uint64(u.lineTable))
	if dir := u.directory(); dir != "" {
		w.addString(d, atCompDir, dir)
	}
	if w.hasPubNames(u) {
		w.addFlag(d, atGNUPubnames, w.version)
	}
	return d
}

// firstUnit is the first unit that has an entry.
func (w *Writer) firstUnit() int {
	for _, u := range w.units {
		if u.die != 0 {
			return u.number
		}
	}
	for _, u := range w.units {
		if u.kind != kindNoDebug {
			return u.number
		}
	}
	return 0
}

// offsetForm is the form of offsets into sections.
func (w *Writer) offsetForm() uint16 {
	switch {
	case w.version >= 4:
		return formSecOffset
	case w.wide:
		return formData8
	}
	return formData4
}

// minimal reports a unit that describes inlined functions alone.
func (u *unit) minimal() bool { return u.kind == kindLines }

// fileNumber is the number of a file in the line table of the unit.
func (w *Writer) fileNumber(u *unit, file ir.MDID) uint64 {
	w.dieFor(u)
	return uint64(w.out.Streamer().LineFile(w.lineUnit(u.number), w.file(file)))
}

// addString adds a string, in the form that the version has.
func (w *Writer) addString(d dieID, attr uint16, s string) {
	n := w.strs.number(s)
	form := uint16(formStrp)
	if w.version >= 5 {
		switch i := w.strs.index(n); {
		case i > 0xffffff:
			form = formStrx4
		case i > 0xffff:
			form = formStrx3
		case i > 0xff:
			form = formStrx2
		default:
			form = formStrx1
		}
	}
	w.add(d, attr, form, valStr, uint64(n))
}

// addAddress adds the address of a symbol.
func (w *Writer) addAddress(d dieID, attr uint16, s mc.Sym) {
	if w.version >= 5 {
		w.add(d, attr, formAddrx, valULEB, uint64(w.addrs.number(s)))
		return
	}
	w.add(d, attr, formAddr, valSym, uint64(s))
}

// addRange adds where code is, from one label to another.
func (w *Writer) addLowHigh(d dieID, begin, end mc.Sym) {
	w.addAddress(d, atLowPc, begin)
	if w.version < 4 {
		w.addAddress(d, atHighPc, end)
		return
	}
	w.add(d, atHighPc, formData4, valDelta, uint64(end)<<32|uint64(begin))
}

// addRanges adds where code is.
func (w *Writer) addRanges(u *unit, d dieID, rs []symRange) {
	switch {
	case len(rs) == 0:
		return
	case len(rs) == 1:
		w.addLowHigh(d, rs[0].begin, rs[len(rs)-1].end)
		return
	}
	n := len(w.lists)
	u.hasRanges = true
	w.lists = append(w.lists, rangeList{unit: u.number, ranges: rs})
	if w.version >= 5 {
		w.add(d, atRanges, formRnglistx, valULEB, uint64(n))
		return
	}
	w.lists[n].sym = w.out.Streamer().Context().Temp("debug_ranges")
	w.add(d, atRanges, w.offsetForm(), valSym, uint64(w.lists[n].sym))
}

// rangeList are ranges that an entry refers to.
type rangeList struct {
	unit   int
	ranges []symRange
	sym    mc.Sym
}

// locList is a location list that an entry refers to.
type locList struct {
	unit    int
	entries []locEntry
	sym     mc.Sym
}

type locEntry struct {
	symRange
	expr []byte
}

// stringPool is .debug_str. Strings have numbers in the order of the first mention.
type stringPool struct {
	text    []string
	numbers map[string]uint32
	indexes []int32 // by number: place in .debug_str_offsets, -1 none
	order   []uint32
	base    mc.Sym
	offsets []uint64 // by number, of those before too
}

func (p *stringPool) number(s string) uint32 {
	if n, ok := p.numbers[s]; ok {
		return n
	}
	if p.numbers == nil {
		p.numbers = map[string]uint32{}
	}
	n := uint32(len(p.text))
	p.text = append(p.text, s)
	p.indexes = append(p.indexes, -1)
	p.numbers[s] = n
	return n
}

func (p *stringPool) index(n uint32) int32 {
	if p.indexes[n] < 0 {
		p.indexes[n] = int32(len(p.order))
		p.order = append(p.order, n)
	}
	return p.indexes[n]
}

func (p *stringPool) baseSym(w *Writer) mc.Sym {
	if p.base == 0 {
		p.base = w.label("str_offsets_base")
	}
	return p.base
}

// addressPool is .debug_addr.
type addressPool struct {
	syms    []mc.Sym
	numbers map[mc.Sym]uint32
	base    mc.Sym
}

func (p *addressPool) number(s mc.Sym) uint32 {
	if n, ok := p.numbers[s]; ok {
		return n
	}
	if p.numbers == nil {
		p.numbers = map[mc.Sym]uint32{}
	}
	n := uint32(len(p.syms))
	p.syms = append(p.syms, s)
	p.numbers[s] = n
	return n
}

// label is a new symbol for a place of a debug section.
func (w *Writer) label(name string) mc.Sym {
	if w.text {
		return w.out.Streamer().Context().Temp(name)
	}
	return w.out.Streamer().Context().Inner()
}

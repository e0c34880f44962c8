package irtext

import (
	"fmt"
	"math/bits"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/mirin-go/mirin/diag"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/autoupgrade"
	"github.com/mirin-go/mirin/ir/intrin"
)

// Options control Parse.
type Options struct {
	// Jobs is the number of workers that parse function bodies; 0 means one for each processor.
	Jobs int
	// DataLayout replaces the module's layout string when it is not empty.
	DataLayout string
	// Layout, when it is not nil, replaces the layout by what it makes of the
	// module's triple and layout, before anything that depends on a layout is read.
	Layout func(triple, layout string) string
	// AllowIncomplete declares functions and variables that are used without a declaration.
	AllowIncomplete bool
	// MaxLocalName cuts names of local values to this length when it is above 0.
	MaxLocalName int
	// Warn is told what LLVM warns about, when it is not nil.
	Warn func(string)

	missing  *missing // collects what is missing
	deferred bool     // bodies are read later
}

// Limits against hostile input. LLVM has some of these itself.
const (
	maxSource   = 1<<31 - 1
	maxNesting  = 200     // of types, constants and metadata
	maxOperands = 1 << 24 // of one instruction, constant or node
	// Lanes of shuffle masks that a few bytes describe (zeroinitializer): of a
	// function, and what all functions share by their length.
	fnMaskLanes  = 1 << 10
	maxMaskLanes = 1 << 18
	maxNumber    = 1 << 24 // numbers of unnamed values beyond the next free one
)

// Parse reads a module. name is the file's name for messages and the module's
// name. The error is a *diag.Diagnostic.
func Parse(name string, src []byte, opts Options) (*ir.Module, error) {
	return ParseString(name, string(src), opts)
}

// ParseString is Parse for text that is a string, which the module may go on
// referring to.
func ParseString(name, src string, opts Options) (*ir.Module, error) {
	if opts.AllowIncomplete {
		m, _, err := parseIncomplete(name, src, opts)
		return m, err
	}
	m, _, err := parse(name, src, opts)
	return m, err
}

// parse reads a module. With opts.missing, what was read comes with an error as well.
func parse(name, src string, opts Options) (*ir.Module, *shared, error) {
	if len(src) > maxSource {
		return nil, nil, &diag.Diagnostic{File: name, Msg: "file is too large"}
	}
	top := readTop(name, src, opts)
	sh, m := top.shared, top.m
	errs := []*parseError{top.err, top.late}
	if top.err == nil || len(sh.bodies) > 0 {
		errs = append(errs, sh.parseBodies(opts.Jobs, top)...)
	}
	var first *parseError
	for _, e := range errs {
		if e != nil && (first == nil || e.before(first)) {
			first = e
		}
	}
	if first == nil || first.late {
		if e := top.endOfModule(); e != nil && (first == nil || e.before(first)) {
			first = e
		}
	}
	if first == nil {
		first = sh.resolveBlockAddrs()
	}
	if first == nil {
		first = sh.countUses(top)
	}
	if first != nil {
		if !first.late || opts.missing == nil {
			sh = nil
		}
		return nil, sh, diag.At(name, []byte(src), first.off, first.msg)
	}
	for _, w := range sh.finish(top) {
		if strings.HasPrefix(w, autoupgrade.Fatal) {
			return nil, nil, &diag.Diagnostic{Msg: w}
		}
		if opts.Warn != nil {
			opts.Warn(w)
		}
	}
	return m, sh, nil
}

// readTop reads the top level of a module.
func readTop(name, src string, opts Options) *parser {
	m := ir.NewModule(name)
	m.SourceFilename = name
	sh := newShared(m, src)
	top := &parser{shared: sh, pool: &m.Consts, worker: newWorker()}
	top.src = sh.source
	sh.layout = opts.Layout
	if opts.DataLayout != "" && opts.Layout == nil {
		sh.layout = func(string, string) string { return opts.DataLayout }
	}
	sh.opts = opts
	top.module()
	top.readSummaries()
	// Alignments that the text leaves out come from the layout as it stands there.
	dl, err := ir.ParseDataLayout(m.DataLayout)
	if err != nil {
		dl, _ = ir.ParseDataLayout("")
	}
	if opts.Layout == nil {
		m.DataLayout = upgradeLayout(m.DataLayout, m.Triple)
	}
	sh.dl = dl
	return top
}

// parseError is the first fault that a parser found. Late ones are what LLVM
// finds only at the end of the module, after all other faults, in order of rank and key.
type parseError struct {
	off  int
	msg  string
	late bool
	rank int
	key  string
}

// shared is what all parsers of a module have in common. After the top level
// is read, it is only read.
type shared struct {
	layout func(triple, layout string) string // Options.Layout until it was asked
	m      *ir.Module
	t      *ir.Types
	dl     *ir.DataLayout // set when the top level is read
	source string

	typeNames map[string]*typeDef
	typeOffs  map[ir.Type]int // where named structs are defined
	typeNums  map[uint32]*typeDef
	typeList  []*typeDef

	globalNums globalNumbers
	fwdGlobals map[string]*fwdGlobal
	fwdNums    map[uint32]*fwdGlobal
	fwdList    []*fwdGlobal
	comdats    map[string]*comdatDef
	comdatList []*comdatDef

	groups    map[uint32][]ir.Attr
	groupUses []groupUse
	numbered  []ir.MDID          // of !n, 0 when not seen
	mdSparse  map[uint32]ir.MDID // of very large n
	mdFirst   map[ir.MDID]mdUse  // nodes that are mentioned and not yet defined
	mdStrings map[string]ir.MDID
	mdInline  map[string]ir.MDID
	kinds     map[string]uint32

	bodies []*body
	bodyOf map[ir.GlobalID]*body
	lateBA []lateBlockAddr
	// implicitIDs are the declarations made for intrinsics that are called
	// without one, implicitNames the names they are called by.
	implicitIDs   map[implicitDecl]ir.GlobalID
	implicitNames map[string]bool
	lateUses      []lateUseList
	opts          Options
	implicitList  []ir.GlobalID // in the order in which they were declared
	deferred      *Deferred     // nil where the bodies are read with the module
	equivalents   []fwdGlobal   // of dso_local_equivalent before their definitions
	summaries     []int         // where the entries of the module summary stand
}

type mdUse struct {
	num uint32
	off int
}

// typeDef is a named or numbered type.
type typeDef struct {
	typ     ir.Type // NoType until known
	off     int     // first mention
	defined bool
	name    string
	num     uint32
}

type fwdGlobal struct {
	typ   ir.Type
	off   int
	name  string
	num   uint32
	named bool
	id    ir.GlobalID // once defined
	index uint32      // in fwdList
}

type comdatDef struct {
	index   uint32
	off     int
	defined bool
	name    string
}

// body is one function body: where it lies and what became of it.
type body struct {
	g          ir.GlobalID
	start, end int // from after the { to after the }
	args       []argName
	fn         *ir.Function
	w          *worker
	fix        bodyFixups
	err        *parseError
	blocks     map[string]ir.BlockID // for blockaddress from elsewhere
	nums       map[uint32]ir.BlockID
	wantBlocks bool
	lateBA     []lateBlockAddr // of other functions' blocks
	implicit   []implicitDecl  // intrinsics that are called without a declaration
}

type implicitDecl struct {
	name string
	typ  ir.Type
}

type argName struct {
	name string
	num  int // the number given in the text, -1 for none
	off  int
	// typeOff is the place of the type.
	typeOff int
}

func newShared(m *ir.Module, src string) *shared {
	sh := &shared{
		m: m, t: m.Types, source: src,
		typeNames: map[string]*typeDef{}, typeNums: map[uint32]*typeDef{},
		fwdGlobals: map[string]*fwdGlobal{}, fwdNums: map[uint32]*fwdGlobal{}, comdats: map[string]*comdatDef{},
		groups: map[uint32][]ir.Attr{}, typeOffs: map[ir.Type]int{}, mdFirst: map[ir.MDID]mdUse{}, mdStrings: map[string]ir.MDID{},
		mdInline: map[string]ir.MDID{}, mdSparse: map[uint32]ir.MDID{}, bodyOf: map[ir.GlobalID]*body{}, kinds: map[string]uint32{},
	}
	for i, k := range m.MDKinds() {
		sh.kinds[k] = uint32(i)
	}
	return sh
}

// parser reads one stretch of the source: the top level or one function body.
type parser struct {
	lexer
	*shared
	pool   *ir.ConstPool
	worker *worker
	fn     *funcState // nil at the top level
	err    *parseError
	late   *parseError // what LLVM would report only at the end of the module
	depth  int
	// sawUseList is set behind a uselistorder directive: no more blocks may follow.
	sawUseList bool
	sawDebug   bool     // a body had a debug location or record
	headDone   bool     // the lines about target and source file are passed
	useIndexes []uint32 // of the last directive
	builtinOff int      // of the attribute's last mention
	// mdDepth counts the metadata nodes around the current place: local values cannot stand in them.
	mdDepth int
	// layoutAS is the address space of functions of the layout layoutText.
	layoutText string
	layoutAS   uint32
}

// errorAt records the first fault and makes the rest of the input look empty.
func (p *parser) errorAt(off int, msg string) bool {
	if p.err == nil {
		if p.tok == tError && p.lexErr != "" && off >= p.off {
			off, msg = p.off, p.lexErr
		}
		p.err = &parseError{off: off, msg: msg}
	}
	p.tok, p.pos = tEOF, len(p.src)
	p.ts, p.te = p.pos, p.pos
	return false
}

// error reports a fault at the current token.
func (p *parser) error(msg string) bool { return p.errorAt(p.off, msg) }

func (p *parser) lateError(off, rank int, key, msg string) {
	p.noteLate(off, rank, key)
	e := &parseError{off: off, msg: msg, late: true, rank: rank, key: key}
	if p.late == nil || e.before(p.late) {
		p.late = e
	}
}

// before reports whether LLVM meets e before o.
func (e *parseError) before(o *parseError) bool {
	switch {
	case e.late != o.late:
		return o.late
	case !e.late || e.rank == o.rank && e.key == o.key:
		return e.off < o.off
	case e.rank != o.rank:
		return e.rank < o.rank
	}
	return e.key < o.key
}

// numberKey and nameKey are the keys of what has a number, or a name: names come first.
func numberKey(n int) string { return fmt.Sprintf("n%010d", n) }

func nameKey(name string) string { return "a" + name }

// ok reports that no fault was found so far.
func (p *parser) ok() bool { return p.err == nil }

// is reports whether the current token is the keyword w.
func (p *parser) is(w string) bool { return p.tok == tWord && p.src[p.ts:p.te] == w }

// eatWord passes over the keyword w.
func (p *parser) eatWord(w string) bool {
	if p.tok == tWord && p.src[p.ts:p.te] == w {
		p.next()
		return true
	}
	return false
}

// eat passes over a token of one character or kind.
func (p *parser) eat(k kind) bool {
	if p.tok == k {
		p.next()
		return true
	}
	return false
}

// expect passes over a token, or reports msg.
func (p *parser) expect(k kind, msg string) bool {
	if p.tok == k {
		p.next()
		return true
	}
	return p.error(msg)
}

func (p *parser) expectWord(w, msg string) bool {
	if p.eatWord(w) {
		return true
	}
	return p.error(msg)
}

// enter counts nesting; the caller leaves with p.depth--.
func (p *parser) enter() bool {
	if p.depth++; p.depth > maxNesting {
		return p.error("nesting too deep")
	}
	return true
}

// uint reads an unsigned number that fits the given number of bits.
func (p *parser) uint(bits int) uint64 {
	if p.tok != tInt || p.neg {
		p.error("expected integer")
		return 0
	}
	n := p.num
	if p.big || bits < 64 && n>>bits != 0 {
		p.error("expected " + strconv.Itoa(bits) + "-bit integer (too large)")
		return 0
	}
	p.next()
	return n
}

func (p *parser) string(msg string) string {
	if p.tok != tString {
		p.error(msg)
		return ""
	}
	s := p.str()
	p.next()
	return s
}

// alignLog turns an alignment into the log2+1 form of ir.
func (p *parser) alignLog(off int, n uint64) uint8 {
	if bits.OnesCount64(n) != 1 {
		p.errorAt(off, "alignment is not a power of two")
		return 0
	}
	if n > 1<<32 {
		p.errorAt(off, "huge alignments are not supported yet")
		return 0
	}
	return uint8(bits.TrailingZeros64(n)) + 1
}

func (p *parser) typeString(t ir.Type) string { return string(AppendType(nil, p.t, t)) }

// parseBodies parses all bodies with several workers. A worker takes the next
// body in order, so that the first fault is found early; what is left after a fault is not parsed.
func (sh *shared) parseBodies(jobs int, top *parser) []*parseError {
	if jobs <= 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	// Small modules are not worth a goroutine.
	size := 0
	for _, b := range sh.bodies {
		size += b.end - b.start
	}
	want := namesBlocks(sh.source)
	for _, b := range sh.bodies {
		b.wantBlocks = want
	}
	jobs = min(jobs, len(sh.bodies), 1+size/16384)
	if sh.m.Types.Len() > 1<<28 {
		jobs = 1
	}
	var nextBody atomic.Int64
	var failed atomic.Bool
	run := func(w *worker) {
		p := &parser{shared: sh, worker: w}
		for !failed.Load() {
			i := int(nextBody.Add(1)) - 1
			if i >= len(sh.bodies) {
				return
			}
			b := sh.bodies[i]
			p.functionBody(b)
			b.settle()
			if b.err != nil && !b.err.late {
				failed.Store(true)
			}
		}
	}
	var wg sync.WaitGroup
	for range jobs - 1 {
		wg.Go(func() { run(newWorker()) })
	}
	if jobs > 0 {
		run(newWorker())
	}
	wg.Wait()
	sh.declareIntrinsics(top)
	var errs []*parseError
	for _, b := range sh.bodies {
		if b.err != nil {
			errs = append(errs, b.err)
		}
	}
	return errs
}

// declareIntrinsics declares the intrinsics that bodies call without a
// declaration, with the names that their types ask for, and parses these bodies again.
func (sh *shared) declareIntrinsics(top *parser) {
	var again []*body
	var decls []implicitDecl
	for _, b := range slices.Backward(sh.bodies) {
		if len(b.implicit) == 0 || b.err != nil && !b.err.late {
			continue
		}
		again = append(again, b)
		for _, d := range slices.Backward(b.implicit) {
			decls = append(decls, d)
		}
	}
	if len(again) == 0 {
		return
	}
	slices.Reverse(again)
	// LLVM declares them in the order of their names, those of one name from the last use on.
	slices.SortStableFunc(decls, func(a, b implicitDecl) int { return strings.Compare(a.name, b.name) })
	sh.implicitIDs, sh.implicitNames = map[implicitDecl]ir.GlobalID{}, map[string]bool{}
	for _, x := range decls {
		if sh.implicitIDs[x] != 0 {
			continue
		}
		sh.implicitNames[x.name] = true
		name := x.name
		if autoupgrade.Upgrades(sh.m, x.name, x.typ) {
			for k := 0; sh.m.Lookup(name) != 0; k++ {
				name = x.name + "." + strconv.Itoa(k)
			}
		} else {
			n := intrin.Lookup(x.name)
			over, _ := n.Match(sh.t, x.typ)
			name = n.MangledName(sh.t, over)
		}
		id := sh.m.Lookup(name)
		if id == 0 {
			id = sh.m.AddGlobal(&ir.Global{Kind: ir.GlobalFunc, Name: name, ValueType: x.typ, IsDecl: true})
			sh.implicitList = append(sh.implicitList, id)
		}
		sh.implicitIDs[x] = id
	}
	p := &parser{shared: sh, worker: newWorker()}
	for _, b := range again {
		p.functionBody(b)
		b.settle()
	}
}

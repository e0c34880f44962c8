package irtext

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/ir"
)

// worker is what a goroutine that parses bodies keeps from one to the next:
// scratch memory, and the things of the module that its bodies made, under
// provisional ids.
type worker struct {
	fs     funcState
	md     []*ir.MDNode
	mdPool *ir.ConstPool // of the constants in md
	asms   []ir.InlineAsm
	kinds  []string
	scopes []string
	lists  []*ir.AttrList

	mdStrings map[string]ir.MDID
	mdInline  map[string]ir.MDID
	// sets and retSets cache attribute sets of parameters and results by their text,
	// listIDs attribute lists by the sets that they are made of.
	sets    map[string]uint32
	retSets map[string]uint32
	setList [][]ir.Attr
	listIDs map[string]ir.AttrListID
	key     []byte

	nodes  []ir.MDNode
	fields []ir.MDField
	mdOps  []ir.MDID
	bytes  []byte

	// final ids by provisional ids; 0 until finish meets them.
	mdFinal   []ir.MDID
	asmFinal  []uint32
	listFinal []ir.AttrListID
}

func newWorker() *worker {
	return &worker{
		mdPool: ir.NewConstPool(), md: make([]*ir.MDNode, 1), asms: make([]ir.InlineAsm, 1), lists: make([]*ir.AttrList, 1),
		mdStrings: map[string]ir.MDID{}, mdInline: map[string]ir.MDID{},
		sets: map[string]uint32{}, retSets: map[string]uint32{}, setList: make([][]ir.Attr, 1), listIDs: map[string]ir.AttrListID{},
	}
}

// bodyFixups are the places of a finished body that hold provisional ids.
type bodyFixups struct {
	operands []uint32     // indices into Function.Operands: metadata and inline assembly
	lists    []ir.InstrID // with provisional attribute lists
	scopes   []ir.InstrID
	locs     []ir.InstrID
	attach   []uint32 // indices into Attachments
	records  []uint32 // indices into DbgRecords
	bundles  []*ir.Value
}

func (x *bodyFixups) reset() {
	*x = bodyFixups{operands: x.operands[:0], lists: x.lists[:0], scopes: x.scopes[:0], locs: x.locs[:0],
		attach: x.attach[:0], records: x.records[:0], bundles: x.bundles[:0]}
}

// any reports that there is something to replace.
func (x *bodyFixups) any() bool {
	return len(x.operands)+len(x.lists)+len(x.scopes)+len(x.locs)+len(x.attach)+len(x.records)+len(x.bundles) > 0
}

// nameEntry is a slot of the hash table of a function's local names. The
// name is src[ts:te].
type nameEntry struct {
	hash, epoch uint32
	ts, te      uint32
	val         ir.Value
}

// fwdLocal is a local value that is used before it is defined.
type fwdLocal struct {
	typ ir.Type
	off int
	val ir.Value // once defined
	ts  int      // named: the text; numbered: ts < 0
	te  int
	num uint32
}

// funcState is the state of the parser within one function body.
type funcState struct {
	f     *ir.Function
	body  *body
	table []nameEntry
	used  int
	epoch uint32
	esc   map[string]ir.Value // names that are written with escapes

	nums    []ir.Value // numbered values, 0 where there is none yet
	sparse  map[uint32]ir.Value
	next    uint32
	fwds    []fwdLocal
	pending int // forward references without a definition

	forward   []uint32     // operands that hold forward references
	mdForward []*ir.MDNode // MDLocal nodes that do
	ops       []ir.Value
	args      []callArg
	types     []ir.Type
	offs      []int
	block     ir.BlockID
	blockVals []blockRef
	groupBuf  []uint32
	maskLanes int64             // see fnMaskLanes
	cases     map[ir.Value]bool // of a switch
	bundleFix []*ir.Value       // operands of bundles with forward references or provisional ids
	fix       bodyFixups
}

// blockRef is a block constant that waits for its block.
type blockRef struct {
	c   ir.ConstID
	fwd uint32
}

func (fs *funcState) reset(f *ir.Function, b *body) {
	fs.f, fs.body = f, b
	fs.epoch++
	fs.maskLanes = 0
	fs.used = 0
	if fs.table == nil || fs.epoch == 0 {
		fs.table = make([]nameEntry, 256)
		fs.epoch = 1
	}
	clear(fs.esc)
	clear(fs.sparse)
	fs.nums, fs.next = fs.nums[:0], 0
	fs.fwds, fs.pending = fs.fwds[:0], 0
	fs.forward, fs.mdForward = fs.forward[:0], fs.mdForward[:0]
	fs.blockVals, fs.bundleFix = fs.blockVals[:0], nil
	fs.fix.reset()
	b.lateBA, b.implicit = nil, nil
}

func hashName(s string) uint32 {
	h := uint32(2166136261)
	for i := 0; i < len(s); i++ {
		h = (h ^ uint32(s[i])) * 16777619
	}
	return h ^ h>>15
}

// slot finds the slot of a name, or the free one where it belongs.
func (p *parser) slot(name string) *nameEntry {
	fs := p.fn
	if fs.used*2 >= len(fs.table) {
		old := fs.table
		fs.table = make([]nameEntry, 2*len(old))
		mask := uint32(len(fs.table) - 1)
		for _, e := range old {
			if e.epoch != fs.epoch {
				continue
			}
			i := e.hash & mask
			for fs.table[i].epoch == fs.epoch {
				i = (i + 1) & mask
			}
			fs.table[i] = e
		}
	}
	h := hashName(name)
	mask := uint32(len(fs.table) - 1)
	for i := h & mask; ; i = (i + 1) & mask {
		e := &fs.table[i]
		if e.epoch != fs.epoch {
			e.hash = h
			return e
		}
		if e.hash == h && int(e.te-e.ts) == len(name) && p.src[e.ts:e.te] == name {
			return e
		}
	}
}

// getName returns what a local name means, 0 when it is new.
func (p *parser) getName(name string, esc bool) ir.Value {
	if esc || len(p.fn.esc) > 0 {
		if v := p.fn.esc[name]; v != 0 {
			return v
		}
	}
	if e := p.slot(name); e.epoch == p.fn.epoch {
		return e.val
	}
	return 0
}

// setName gives a name its meaning; ts, te are where it stands in the source.
func (p *parser) setName(name string, esc bool, ts, te int, v ir.Value) {
	fs := p.fn
	if m := p.opts.MaxLocalName; m > 0 && len(name) > m {
		p.errorAt(ts, "name is too long which can result in name collisions, consider making the name shorter or increasing -non-global-value-max-name-size")
		return
	}
	if esc || len(fs.esc) > 0 && fs.esc[name] != 0 {
		if fs.esc == nil {
			fs.esc = map[string]ir.Value{}
		}
		fs.esc[name] = v
		return
	}
	e := p.slot(name)
	if e.epoch != fs.epoch {
		e.epoch, e.ts, e.te = fs.epoch, uint32(ts), uint32(te)
		fs.used++
	}
	e.val = v
}

// getNum and setNum are the same for numbers.
func (fs *funcState) getNum(n uint32) ir.Value {
	if int(n) < len(fs.nums) {
		return fs.nums[n]
	}
	return fs.sparse[n]
}

func (fs *funcState) setNum(n uint32, v ir.Value) {
	if int(n) >= len(fs.nums) {
		if int(n) > len(fs.nums)+64+(fs.body.end-fs.body.start) {
			if fs.sparse == nil {
				fs.sparse = map[uint32]ir.Value{}
			}
			fs.sparse[n] = v
			return
		}
		for len(fs.nums) <= int(n) {
			fs.nums = append(fs.nums, 0)
		}
	}
	fs.nums[n] = v
}

// localName returns %name or %n as messages write it.
func (p *parser) fwdName(f *fwdLocal) string {
	if f.ts < 0 {
		return "%" + strconv.Itoa(int(f.num))
	}
	return "%" + unescape(p.src[f.ts:f.te])
}

// localRef reads %name or %n as a value of type t; the token is passed over.
func (p *parser) localRef(t ir.Type) ir.Value {
	fs := p.fn
	if fs == nil {
		p.error("invalid use of function-local name")
		return 0
	}
	off := p.off
	var v ir.Value
	if p.tok == tLocal {
		v = p.getName(p.str(), p.esc)
	} else {
		v = fs.getNum(uint32(p.num))
	}
	if v == 0 {
		if !p.firstClass(t) {
			p.error("invalid use of a non-first-class type")
			return 0
		}
		f := fwdLocal{typ: t, off: off, ts: -1, num: uint32(p.num)}
		v = fwdValue(uint32(len(fs.fwds)))
		if p.tok == tLocal {
			f.ts, f.te = p.ts, p.te
			p.setName(p.str(), p.esc, p.ts, p.te, v)
		} else {
			fs.setNum(f.num, v)
		}
		fs.fwds = append(fs.fwds, f)
		fs.pending++
		p.next()
		return v
	}
	if got := p.typeOf(v); got != t {
		name := p.src[off:p.te]
		if t == ir.Label {
			p.error("'" + name + "' is not a basic block")
		} else {
			p.error("'" + name + "' defined with type '" + p.typeString(got) + "' but expected '" + p.typeString(t) + "'")
		}
		return 0
	}
	p.next()
	return v
}

// typeOf returns the type of a local value, block or forward reference.
func (p *parser) typeOf(v ir.Value) ir.Type {
	switch v.Tag() {
	case ir.TagLocal:
		return p.fn.f.Instrs[v.Index()].Type
	case ir.TagBlock:
		return ir.Label
	case tagForward:
		return p.fn.fwds[v.Index()].typ
	}
	return p.fn.f.TypeOf(v)
}

// define gives a local name or number its value. what is the word of messages.
func (p *parser) defineLocal(prev ir.Value, v ir.Value, t ir.Type, off int) bool {
	f := &p.fn.fwds[prev.Index()]
	if f.typ != t {
		if t == ir.Label {
			if f.ts >= 0 {
				return p.errorAt(off, "unable to create block named '"+p.fwdName(f)[1:]+"'")
			}
			return p.errorAt(off, "unable to create block numbered '"+p.fwdName(f)[1:]+"'")
		}
		return p.errorAt(off, "instruction forward referenced with type '"+p.typeString(f.typ)+"'")
	}
	f.val = v
	p.fn.pending--
	return true
}

// functionBody parses one body, in the memory of the worker's last one.
func (p *parser) functionBody(b *body) {
	w := p.worker
	fs := &w.fs
	if fs.f == nil {
		fs.f = ir.NewFunction(p.m, b.g)
	} else {
		fs.f.Reset(p.m, b.g)
	}
	text := p.source[b.start:b.end]
	fs.f.Reserve(min(strings.Count(text, "\n"), len(text)/8)) // hardly any text has two instructions on a line, or one in fewer bytes
	fs.reset(fs.f, b)
	b.fn = nil
	p.fn, p.pool = fs, &fs.f.Consts
	p.err, p.late, p.depth = nil, nil, 0
	p.sawUseList = false
	p.src, p.pos, p.lexErr = p.source[:b.end], b.start, ""
	p.arguments(b)
	p.next()
	for p.ok() && p.tok != '}' && !p.is("uselistorder") {
		if p.tok == tEOF {
			p.error("found end of file when expecting more instructions")
			break
		}
		p.basicBlock()
	}
	if p.ok() && len(fs.f.Order) == 0 {
		p.error("function body requires at least one basic block")
	}
	for p.ok() && (p.is("uselistorder") || p.is("uselistorder_bb")) {
		p.useListOrder()
		p.sawUseList = true
	}
	if p.ok() && p.tok != '}' {
		if p.src[b.start:p.off] != "" && p.sawUseList {
			p.error("expected uselistorder directive")
		} else {
			p.error("expected instruction opcode")
		}
	}
	p.eat('}')
	p.finishBody(b)
	b.err = p.err
	if b.err == nil {
		b.err = p.late
	}
}

func (p *parser) arguments(b *body) {
	fs := p.fn
	for i := range b.args {
		a := &b.args[i]
		v := ir.Local(fs.f.Arg(i))
		if a.name == "" {
			fs.setNum(uint32(a.num), v)
			fs.next = uint32(a.num) + 1
			continue
		}
		fs.f.ValueNames[i+1] = a.name
		// The name's place in the source: after the sigil, perhaps quoted.
		ts, esc := a.off+1, false
		if p.src[ts] == '"' {
			ts++
		}
		if len(a.name) > len(p.src)-ts || p.src[ts:ts+len(a.name)] != a.name {
			esc = true
		}
		if p.getName(a.name, esc) != 0 {
			p.errorAt(a.typeOff, "redefinition of argument '%"+a.name+"'")
			return
		}
		p.setName(a.name, esc, ts, ts+len(a.name), v)
	}
}

// finishBody resolves forward references and stores the body.
func (p *parser) finishBody(b *body) {
	fs := p.fn
	f := fs.f
	if p.ok() && fs.pending > 0 {
		// LLVM reports the first by name, then the first by number.
		var best *fwdLocal
		for i := range fs.fwds {
			x := &fs.fwds[i]
			if x.val != 0 {
				continue
			}
			if best == nil || x.ts >= 0 && (best.ts < 0 || p.fwdName(x) < p.fwdName(best)) || x.ts < 0 && best.ts < 0 && x.num < best.num {
				best = x
			}
		}
		p.errorAt(best.off, "use of undefined value '"+p.fwdName(best)+"'")
	}
	if !p.ok() {
		return
	}
	for _, i := range fs.forward {
		f.Operands[i] = fs.fwds[f.Operands[i].Index()].val
	}
	for _, v := range fs.bundleFix {
		if v.Tag() == tagForward {
			*v = fs.fwds[v.Index()].val
		} else {
			fs.fix.bundles = append(fs.fix.bundles, v)
		}
	}
	for _, n := range fs.mdForward {
		n.Value = fs.fwds[n.Value.Index()].val
	}
	for _, r := range fs.blockVals {
		f.Consts.SetBlock(r.c, fs.fwds[r.fwd].val.Block())
	}
	if b.wantBlocks {
		p.keepBlocks(b)
	}
	b.fn, b.w, b.fix = f, p.worker, fs.fix
}

// settle gives a body that was parsed memory of its own.
func (b *body) settle() {
	if b.fn != nil {
		b.fn = b.fn.Compact()
		b.w.fs.fix = bodyFixups{}
	}
}

// keepBlocks stores what the names of blocks mean, for blockaddress constants elsewhere.
func (p *parser) keepBlocks(b *body) {
	b.blocks, b.nums = map[string]ir.BlockID{}, map[uint32]ir.BlockID{}
	for i, n := range p.fn.f.BlockNames {
		if n != "" {
			b.blocks[n] = ir.BlockID(i)
		}
	}
	for n, v := range p.fn.nums {
		if v.Tag() == tagForward {
			v = p.fn.fwds[v.Index()].val
		}
		if id := v.Block(); id != 0 {
			b.nums[uint32(n)] = id
		}
	}
}

// startBlock adds the block that a label (or its absence) begins.
func (p *parser) startBlock() {
	fs := p.fn
	f := fs.f
	id := ir.BlockID(len(f.Blocks))
	v := ir.BlockVal(id)
	if p.tok == tLabel && (p.num == noNumber || p.quoted) {
		name, off := p.str(), p.off
		prev := p.getName(name, p.esc)
		switch {
		case prev == 0:
		case prev.Tag() == tagForward && fs.fwds[prev.Index()].val == 0:
			if !p.defineLocal(prev, v, ir.Label, off) {
				return
			}
		case p.typeOf(prev) != ir.Label:
			p.error("unable to create block named '" + name + "'")
			return
		default:
			// LLVM goes on with the block that has the name; the verifier finds
			// the terminator in it.
			b := prev.Block()
			i := slices.Index(f.Order, b)
			f.Order = append(append(f.Order[:i:i], f.Order[i+1:]...), b)
			fs.block = b
			p.next()
			return
		}
		p.setName(name, p.esc, p.ts, p.te, v)
		fs.block = f.AddBlock(name)
		p.next()
		return
	}
	n := fs.next
	if p.tok == tLabel {
		if p.num < uint64(n) || p.num > uint64(n)+maxNumber {
			p.error("label expected to be numbered '" + strconv.Itoa(int(n)) + "' or greater")
			return
		}
		n = uint32(p.num)
	}
	if prev := fs.getNum(n); prev != 0 {
		if prev.Tag() != tagForward || !p.defineLocal(prev, v, ir.Label, p.off) {
			return
		}
	}
	fs.setNum(n, v)
	fs.next = n + 1
	fs.block = f.AddBlock("")
	if p.tok == tLabel {
		p.next()
	}
}

// setResult gives the instruction that was parsed last its name or number.
func (p *parser) setResult(named kind, ts, te int, esc bool, num uint64, off int, id ir.InstrID) {
	fs := p.fn
	t := fs.f.Instrs[id].Type
	if t == ir.Void {
		if named != tEOF {
			p.errorAt(off, "instructions returning void cannot have a name")
		}
		return
	}
	v := ir.Local(id)
	if named == tLocal {
		name := p.src[ts:te]
		if esc {
			name = unescape(name)
		}
		if esc || len(fs.esc) > 0 {
			prev := p.getName(name, esc)
			if !p.checkNew(prev, v, t, name, off) {
				return
			}
			p.setName(name, esc, ts, te, v)
		} else {
			e := p.slot(name)
			if e.epoch == fs.epoch {
				if !p.checkNew(e.val, v, t, name, off) {
					return
				}
			} else {
				e.epoch, e.ts, e.te = fs.epoch, uint32(ts), uint32(te)
				fs.used++
			}
			e.val = v
		}
		fs.f.ValueNames[id] = name
		return
	}
	n := fs.next
	if named == tLocalID {
		if num < uint64(n) || num > uint64(n)+maxNumber {
			p.errorAt(off, "instruction expected to be numbered '%"+strconv.Itoa(int(n))+"' or greater")
			return
		}
		n = uint32(num)
	}
	if int(n) == len(fs.nums) {
		fs.nums = append(fs.nums, v)
	} else {
		if prev := fs.getNum(n); prev != 0 && !p.checkNew(prev, v, t, "", off) {
			return
		}
		fs.setNum(n, v)
	}
	fs.next = n + 1
}

func (p *parser) checkNew(prev, v ir.Value, t ir.Type, name string, off int) bool {
	if prev == 0 {
		return true
	}
	if prev.Tag() == tagForward && p.fn.fwds[prev.Index()].val == 0 {
		return p.defineLocal(prev, v, t, off)
	}
	return p.errorAt(off, "multiple definition of local value named '"+name+"'")
}

package bitcode

import (
	"slices"

	"github.com/mirin-go/mirin/ir"
)

// tagForward marks values that are used before they are defined; the index is
// the place among the body's own values.
const tagForward ir.ValueTag = 7

func forward(i uint32) ir.Value { return ir.Value(uint32(tagForward)<<29 | i) }

// doneBody is what became of a body, with provisional ids.
type doneBody struct {
	fn     *ir.Function
	mds    []*ir.MDNode // row 0 unused; nil for the rows of mdLocs
	mdLocs map[ir.MDID]ir.DILocation
	mdPool *ir.ConstPool
	asms   []ir.InlineAsm // row 0 unused
	attach []ir.Attachment
	locs   []ir.DILocation // row 0 unused; Instr.Loc is a row
	locAt  []ir.InstrID
	opAt   []uint32 // operands with provisional ids
	extra  []ir.ExtraID
	uses   []globalUses
}

// bodyReader decodes function bodies, one after the other.
type bodyReader struct {
	*reader
	c      cursor
	f      *ir.Function
	done   *doneBody
	base   uint32 // number of the first value of the body
	vals   []value
	fwd    map[uint32]ir.Type // forward references without a value yet
	fwdOps []uint32           // operands that hold forward references
	fwdMD  []*ir.MDNode
	fwdEx  []ir.ExtraID

	copies []ir.ConstID // of module constants, by value number; good when stamp is epoch
	stamp  []uint32
	epoch  uint32

	consts  constReader
	md      mdTable
	mds     []*ir.MDNode
	mdLocs  map[ir.MDID]ir.DILocation
	locs    []ir.DILocation
	locAt   []ir.InstrID
	mdCount int
	mdPool  *ir.ConstPool

	block    ir.BlockID
	curBlock int
	instrs   []ir.InstrID
	lastLoc  uint32
	locIndex map[ir.DILocation]uint32
	recTail  uint32 // last debug record of the last instruction
	bundlesP []ir.Bundle
	ops      []ir.Value

	lazies   []lazyExpr
	phis     []lazyPhi
	made     map[string]bool // names of instructions that lazy constants became
	lastMade int
	lastLazy int // instructions made so far
}

func newBodyReader(r *reader) *bodyReader {
	b := &bodyReader{reader: r, base: uint32(len(r.vals)), fwd: map[uint32]ir.Type{}, locIndex: map[ir.DILocation]uint32{}}
	b.copies, b.stamp = make([]ir.ConstID, len(r.vals)), make([]uint32, len(r.vals))
	return b
}

func (b *bodyReader) fail(format string, args ...any) { b.c.fail(format, args...) }

// read decodes one body.
func (b *bodyReader) read(x *body) {
	g := b.globals[x.global]
	b.c = b.reader.cursor.fork()
	b.c.pos, b.c.end = x.pos, x.pos+x.bits
	b.c.err = nil
	if b.f == nil {
		b.f = ir.NewFunction(b.m, g.ID)
	} else {
		b.f.Reset(b.m, g.ID)
	}
	b.done = &doneBody{asms: make([]ir.InlineAsm, 1)}
	b.locs, b.locAt = append(b.locs[:0], ir.DILocation{}), b.locAt[:0]
	b.vals, b.fwdOps, b.fwdMD, b.fwdEx, b.instrs = b.vals[:0], b.fwdOps[:0], b.fwdMD[:0], b.fwdEx[:0], b.instrs[:0]
	b.lazies, b.phis, b.lastMade, b.lastLazy = b.lazies[:0], b.phis[:0], 0, 0
	clear(b.made)
	clear(b.fwd)
	clear(b.locIndex)
	b.epoch++
	b.mds, b.mdLocs, b.mdCount, b.mdPool = append(b.mds[:0], nil), nil, 0, ir.NewConstPool()
	b.md.ids, b.md.known, b.md.base, b.md.named = b.md.ids[:0], b.md.known[:0], len(b.reader.md.ids), false
	b.lastLoc, b.recTail, b.bundlesP = 0, 0, nil
	b.curBlock = 0
	ft := b.fnTypes[x.global]
	for i := range b.f.NumArgs {
		tid := noID
		if b.typed {
			tid = b.elemID(ft, i+1)
		}
		b.vals = append(b.vals, value{ir.Local(b.f.Arg(i)), tid})
	}
	if b.c.enter(blkFunction) {
		b.body(g)
	}
	if b.c.err == nil {
		b.finishBody()
	}
	if x.err = b.c.err; x.err == nil {
		d := b.done
		d.fn, d.mds, d.mdLocs, d.mdPool = b.f.Compact(), slices.Clone(b.mds), b.mdLocs, b.mdPool
		d.locs, d.locAt = slices.Clone(b.locs), slices.Clone(b.locAt)
		x.done = d
	}
}

func (b *bodyReader) body(g *ir.Global) {
	for b.c.err == nil {
		switch e, id := b.c.next(); e {
		case entryErr:
			b.fail("Malformed block")
		case entryEnd:
			return
		case entryBlock:
			switch id {
			case blkConstants:
				b.vals = b.consts.block(&b.c, b.reader, &b.f.Consts, b, b.vals)
			case blkMetadata:
				b.md.block(&b.c, b.reader, b)
			case blkMetadataAttach:
				b.attachments()
			case blkValueSymtab:
				b.symtab()
			case blkUseList:
				b.useLists()
			default:
				b.c.skip()
			}
		case entryRecord:
			code := b.c.record(id)
			if b.c.err != nil {
				return
			}
			if code == fnDeclareBlocks {
				b.declareBlocks()
				continue
			}
			if len(b.f.Order) == 0 {
				b.fail("Invalid record")
				return
			}
			b.instruction(code, b.c.rec)
		}
	}
}

func (b *bodyReader) declareBlocks() {
	// Each block has a terminator, which takes an abbreviation's number at least.
	if len(b.c.rec) < 1 || b.c.rec[0] == 0 || b.c.rec[0] > b.c.left()/uint64(max(b.c.width, 2))+1 || len(b.f.Order) > 0 {
		b.fail("Invalid record")
		return
	}
	for range b.c.rec[0] {
		b.f.AddBlock("")
	}
	b.block = 1
}

// known returns a value by number when it is defined.
func (b *bodyReader) known(id uint64) value {
	if id < uint64(b.base) {
		v := b.reader.vals[id]
		if c := v.v.Const(); c != 0 {
			if b.stamp[id] != b.epoch {
				b.stamp[id], b.copies[id] = b.epoch, b.f.Consts.CopyFrom(&b.m.Consts, v.v).Const()
			}
			v.v = ir.ConstVal(b.copies[id])
		}
		return v
	}
	if i := id - uint64(b.base); i < uint64(len(b.vals)) {
		return b.vals[i]
	}
	return value{tid: noID}
}

// get returns a value of type t, which may be defined later.
func (b *bodyReader) get(id uint32, t ir.Type, tid uint32) value {
	x := b.getLazy(id, t, tid)
	if x.v.Tag() == tagLazy && b.c.err == nil {
		if b.block == 0 {
			b.fail("Invalid record")
			return value{}
		}
		x.v = b.materialize(x.v, b.block)
	}
	return x
}

// getLazy is get that leaves constants without an expression as they are.
func (b *bodyReader) getLazy(id uint32, t ir.Type, tid uint32) value {
	if x := b.known(uint64(id)); x.v != 0 {
		if t != 0 && b.typeOf(x.v) != t {
			b.fail("Invalid record")
		}
		return x
	}
	i := id - b.base
	if id < b.base || t == 0 || i > 1<<27 || uint64(i) > uint64(len(b.vals))+b.c.left()+64 {
		b.fail("Invalid record")
		return value{}
	}
	switch b.t.Kind(t) {
	case ir.KindFunction, ir.KindLabel, ir.KindMetadata:
		b.fail("Invalid record")
		return value{}
	}
	if old, ok := b.fwd[i]; ok && old != t {
		b.fail("Invalid record")
		return value{}
	}
	b.fwd[i] = t
	return value{forward(i), tid}
}

func (b *bodyReader) typeOf(v ir.Value) ir.Type {
	switch v.Tag() {
	case tagForward:
		if t, ok := b.fwd[v.Index()]; ok {
			return t
		}
		return b.typeOf(b.vals[v.Index()].v)
	case ir.TagGlobal:
		return b.t.Pointer(b.globals[v.Global()-1].AddrSpace)
	case tagLazy:
		return b.lazyOf(v).in.Type
	case ir.TagLocal:
		return b.f.Instrs[v.Index()].Type
	case ir.TagConst:
		return b.f.Consts.At(v.Const()).Type
	case ir.TagMetadata:
		return ir.Metadata
	case ir.TagBlock:
		return ir.Label
	}
	return ir.Ptr
}

func (b *bodyReader) next() uint32 { return b.base + uint32(len(b.vals)) }

// abs turns a value number of a record into an absolute one.
func (b *bodyReader) abs(n uint64) uint32 {
	if b.version >= 1 {
		return b.next() - uint32(n)
	}
	return uint32(n)
}

// operands reads the operands of one record.
type operands struct {
	b   *bodyReader
	rec []uint64
	i   int
}

func (o *operands) more() bool { return o.i < len(o.rec) }

func (o *operands) num() uint64 {
	if o.i >= len(o.rec) {
		o.b.fail("Invalid record")
		return 0
	}
	o.i++
	return o.rec[o.i-1]
}

// typed reads a value that brings its type where it is defined later.
func (o *operands) typed() value {
	id := o.b.abs(o.num())
	if o.b.c.err != nil {
		return value{}
	}
	if id < o.b.next() {
		return o.b.get(id, 0, noID)
	}
	tid := o.num()
	t := o.b.typ(tid)
	if t == 0 {
		o.b.fail("Invalid record")
		return value{}
	}
	return o.b.get(id, t, uint32(tid))
}

// of reads a value whose type is known.
func (o *operands) of(t ir.Type, tid uint32) value {
	n := o.num()
	if o.b.c.err != nil {
		return value{}
	}
	if t == ir.Metadata {
		return value{ir.MDVal(o.b.metadata(uint64(o.b.abs(n)))), noID}
	}
	if t == ir.Label {
		return value{o.b.blockVal(n), noID}
	}
	return o.b.get(o.b.abs(n), t, tid)
}

// metadata returns a node of the module or the body by number.
func (b *bodyReader) metadata(n uint64) ir.MDID {
	b.md.c, b.md.r, b.md.body = &b.c, b.reader, b
	return b.md.ref(n)
}

func (b *bodyReader) addMD(n *ir.MDNode) ir.MDID {
	b.mds = append(b.mds, n)
	return ir.MDID(len(b.mds)-1) | provisional
}

// valueNode makes n the metadata of a value, which may be defined later.
func (b *bodyReader) valueNode(n *ir.MDNode, id uint64, t ir.Type) {
	if id >= 1<<31 {
		b.fail("Invalid record")
		return
	}
	if t == ir.Metadata || t == ir.Label {
		b.fail("Invalid record")
		return
	}
	v := b.getLazy(uint32(id), t, noID).v
	if v.Tag() == tagLazy { // nothing can be said of what is no value yet
		n.Kind, n.Type = ir.MDPoisonValue, t
		return
	}
	b.wrap(n, v)
}

func (b *bodyReader) wrap(n *ir.MDNode, v ir.Value) {
	n.Value = v
	switch v.Tag() {
	case ir.TagLocal, tagForward:
		n.Kind, n.Func = ir.MDLocal, b.f.ID
		if v.Tag() == tagForward {
			b.fwdMD = append(b.fwdMD, n)
		}
	case ir.TagConst:
		n.Kind, n.Value = ir.MDConst, b.mdPool.CopyFrom(&b.f.Consts, v)
	default:
		n.Kind = ir.MDConst
	}
}

func (b *bodyReader) asm(a ir.InlineAsm) ir.Value {
	b.done.asms = append(b.done.asms, a)
	return ir.AsmVal(uint32(len(b.done.asms)-1) | provisional)
}

func (b *bodyReader) blockVal(n uint64) ir.Value {
	if n >= uint64(len(b.f.Order)) {
		b.fail("Invalid record")
		return 0
	}
	return ir.BlockVal(ir.BlockID(n + 1))
}

// emit appends an instruction; tid is the type id of its result in files with typed pointers.
func (b *bodyReader) emit(in ir.Instr, tid uint32, ops ...ir.Value) {
	if b.c.err != nil {
		return
	}
	if b.block == 0 {
		b.fail("Invalid instruction with no BB")
		return
	}
	for _, v := range ops {
		if v == 0 {
			b.fail("Invalid record")
			return
		}
	}
	if in.Type == 0 {
		in.Type = ir.Void
	}
	if len(b.bundlesP) > 0 && in.Op != ir.OpCall && in.Op != ir.OpInvoke && in.Op != ir.OpCallBr {
		b.fail("Operand bundles found with no consumer")
		return
	}
	b.recTail = 0
	first := uint32(len(b.f.Operands))
	id := b.f.AppendOps(b.block, &in, ops)
	b.instrs = append(b.instrs, id)
	for i, v := range ops {
		switch v.Tag() {
		case tagForward:
			b.fwdOps = append(b.fwdOps, first+uint32(i))
		case ir.TagMetadata, ir.TagInlineAsm:
			if v.Index()&provisional != 0 {
				b.done.opAt = append(b.done.opAt, first+uint32(i))
			}
		}
	}
	if in.Type != ir.Void {
		b.assign(ir.Local(id), in.Type, tid)
	}
	if in.Op.IsTerminator() {
		b.curBlock++
		b.block = 0
		if b.curBlock < len(b.f.Order) {
			b.block = ir.BlockID(b.curBlock + 1)
		}
	}
}

// assign gives the next number its value.
func (b *bodyReader) assign(v ir.Value, t ir.Type, tid uint32) {
	i := uint32(len(b.vals))
	if want, ok := b.fwd[i]; ok {
		if want != t {
			b.fail("Assigned value does not match type of forward declaration")
			return
		}
		delete(b.fwd, i)
	}
	b.vals = append(b.vals, value{v, tid})
}

// finishBody resolves forward references.
func (b *bodyReader) finishBody() {
	switch {
	case b.curBlock < len(b.f.Order) || len(b.f.Order) == 0:
		b.fail("Malformed block")
	case len(b.bundlesP) > 0:
		b.fail("Operand bundles found with no consumer")
	case len(b.fwd) > 0:
		b.fail("Never resolved value found in function!")
	}
	if b.c.err != nil {
		return
	}
	for _, i := range b.fwdOps {
		b.f.Operands[i] = b.vals[b.f.Operands[i].Index()].v
	}
	if len(b.phis) > 0 {
		b.edges()
	}
	for _, n := range b.fwdMD {
		b.wrap(n, b.vals[n.Value.Index()].v)
	}
	for _, x := range b.fwdEx {
		for _, bd := range b.f.Extras[x].Bundles {
			for i, v := range bd.Args {
				if v.Tag() == tagForward {
					bd.Args[i] = b.vals[v.Index()].v
				}
			}
		}
	}
}

// symtab reads the names of local values and blocks.
func (b *bodyReader) symtab() {
	if !b.c.enter(blkValueSymtab) {
		return
	}
	for b.c.err == nil {
		switch e, id := b.c.next(); e {
		case entryErr, entryBlock:
			b.fail("Malformed block")
		case entryEnd:
			return
		case entryRecord:
			code := b.c.record(id)
			rec := b.c.rec
			if b.c.err != nil {
				return
			}
			if len(rec) < 1 {
				b.fail("Invalid record")
				return
			}
			switch code {
			case vstEntry:
				i := rec[0] - uint64(b.base)
				if rec[0] < uint64(b.base) || i >= uint64(len(b.vals)) {
					b.fail("Invalid value reference in symbol table")
					return
				}
				if v := b.vals[i].v; v.IsLocal() {
					name := text(rec, 1)
					for _, c := range []byte(name) {
						if c == 0 {
							b.fail("Invalid value name")
							return
						}
					}
					b.f.ValueNames[v.Instr()] = name
				}
			case vstBBEntry:
				if rec[0] >= uint64(len(b.f.Order)) {
					b.fail("Invalid bbentry record")
					return
				}
				b.f.BlockNames[rec[0]+1] = text(rec, 1)
			}
		}
	}
}

// attachments reads the metadata of the function (even length) and its instructions.
func (b *bodyReader) attachments() {
	if !b.c.enter(blkMetadataAttach) {
		return
	}
	for b.c.err == nil {
		switch e, id := b.c.next(); e {
		case entryErr, entryBlock:
			b.fail("Malformed block")
		case entryEnd:
			return
		case entryRecord:
			if b.c.record(id) != mdAttachment || b.c.err != nil {
				continue
			}
			b.attachment(b.c.rec)
		}
	}
}

func (b *bodyReader) attachment(rec []uint64) {
	if len(rec) == 0 {
		b.fail("Invalid record")
		return
	}
	var at ir.InstrID
	if len(rec)%2 != 0 {
		if rec[0] >= uint64(len(b.instrs)) {
			b.fail("Invalid record")
			return
		}
		at = b.instrs[rec[0]]
		rec = rec[1:]
	}
	last := uint32(0)
	for i := 0; i+1 < len(rec); i += 2 {
		k, ok := b.mdKinds[rec[i]]
		if !ok {
			b.fail("Invalid ID")
			return
		}
		a := ir.Attachment{Kind: k, Node: b.metadata(rec[i+1])}
		if x := b.md.node(a.Node); x != nil && x.Kind == ir.MDLocal {
			continue // old files have values here, which mean nothing
		}
		if a.Node == 0 {
			b.fail("Invalid metadata attachment")
			return
		}
		if at == 0 {
			b.done.attach = append(b.done.attach, a)
			continue
		}
		n := uint32(len(b.f.Attachments))
		b.f.Attachments = append(b.f.Attachments, a)
		if last == 0 {
			b.f.Instrs[at].MD = n
		} else {
			b.f.Attachments[last].Next = n
		}
		last = n
	}
}

// debugLoc gives the last instruction a location.
func (b *bodyReader) debugLoc(rec []uint64) {
	if len(rec) < 4 || len(b.instrs) == 0 {
		b.fail("Invalid record")
		return
	}
	k := location(rec[0], rec[1], at(rec, 4), at(rec, 5), at(rec, 6))
	if rec[2] != 0 {
		k.Scope = b.metadata(rec[2] - 1)
	}
	if rec[3] != 0 {
		k.InlinedAt = b.metadata(rec[3] - 1)
	}
	n, ok := b.locIndex[k]
	if !ok {
		n = uint32(len(b.locs))
		b.locs = append(b.locs, k)
		b.locIndex[k] = n
	}
	b.lastLoc = n
	b.setLoc()
}

func (b *bodyReader) setLoc() {
	if b.lastLoc == 0 || len(b.instrs) == 0 {
		b.fail("Invalid record")
		return
	}
	i := b.instrs[len(b.instrs)-1]
	b.f.Instrs[i].Loc = ir.MDID(b.lastLoc)
	b.locAt = append(b.locAt, i)
}

// debugRecord reads a #dbg record. It follows the instruction that it stands before in the text.
func (b *bodyReader) debugRecord(code uint32, rec []uint64) {
	o := operands{b: b, rec: rec}
	d := ir.DbgRecord{}
	d.Loc = b.metadata(o.num())
	node := func() ir.MDID { return b.metadata(o.num()) }
	switch code {
	case fnDbgLabel:
		d.Kind = ir.DbgLabel
		d.Args[0] = node()
	default:
		d.Kind = [...]ir.DbgKind{ir.DbgValue, ir.DbgDeclare, ir.DbgAssign, ir.DbgValue, 0, ir.DbgDeclareValue}[code-fnDbgValue]
		d.Args[1], d.Args[2] = node(), node()
		if code == fnDbgValueSimple {
			v := o.typed()
			if b.c.err != nil {
				return
			}
			n := &ir.MDNode{Type: b.typeOf(v.v)}
			b.wrap(n, v.v)
			d.Args[0] = b.addMD(n)
		} else {
			d.Args[0] = node()
		}
		if code == fnDbgAssign {
			d.Args[3], d.Args[5], d.Args[4] = node(), node(), node()
		}
	}
	if b.c.err != nil {
		return
	}
	if len(b.instrs) == 0 {
		b.fail("Invalid record")
		return
	}
	id := uint32(len(b.f.DbgRecords))
	b.f.DbgRecords = append(b.f.DbgRecords, d)
	at := b.instrs[len(b.instrs)-1]
	if head := &b.f.Instrs[at].Records; *head == 0 {
		*head = id
	} else {
		b.f.DbgRecords[b.recTail].Next = id
	}
	b.recTail = id
}

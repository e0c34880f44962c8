package bitcode

import (
	"math/big"
	"slices"

	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/dwarfname"
	"github.com/mirin-go/mirin/ir/irtext"
)

// provisional marks ids of what a body made for the module, until finish
// gives it ids of the module.
const provisional = 1 << 28

// mdTable reads metadata blocks. The module's has the module's nodes; a body's
// own begins where the module's ends.
type mdTable struct {
	ids   []ir.MDID // by number; forward references are reserved ids
	known []bool    // by number: defined
	base  int       // number of the first one
	r     *reader
	c     *cursor
	body  *bodyReader
	f     []ir.MDField
	slab  []ir.MDNode
	flds  []ir.MDField
	opsl  []ir.MDID
	name  string // of the named node whose operands follow
	named bool
}

func (d *mdTable) newNode() *ir.MDNode {
	if len(d.slab) == 0 {
		d.slab = make([]ir.MDNode, 64)
	}
	n := &d.slab[0]
	d.slab = d.slab[1:]
	return n
}

func (d *mdTable) takeFields(s []ir.MDField) []ir.MDField {
	if len(s) == 0 {
		return nil
	}
	if len(d.flds) < len(s) {
		d.flds = make([]ir.MDField, max(256, len(s)))
	}
	out := d.flds[:len(s):len(s)]
	d.flds = d.flds[len(s):]
	copy(out, s)
	return out
}

func (d *mdTable) newOps(n int) []ir.MDID {
	if len(d.opsl) < n {
		d.opsl = make([]ir.MDID, max(512, n))
	}
	out := d.opsl[:n:n]
	d.opsl = d.opsl[n:]
	return out
}

// block reads a metadata block that next has found.
func (d *mdTable) block(c *cursor, r *reader, body *bodyReader) {
	if !c.enter(blkMetadata) {
		return
	}
	d.c, d.r, d.body = c, r, body
	for c.err == nil {
		switch e, id := c.next(); e {
		case entryErr, entryBlock:
			c.fail("Malformed block")
		case entryEnd:
			if d.named {
				c.fail("Malformed block")
			}
			return
		case entryRecord:
			at := c.pos
			code := c.record(id)
			if c.err == nil {
				d.record(code, c.rec)
			}
			if c.pos <= at && c.err == nil {
				c.fail("Malformed block")
			}
		}
	}
}

// ref returns the node with a number, which need not be defined yet.
func (d *mdTable) ref(n uint64) ir.MDID {
	if n < uint64(d.base) {
		if d.body != nil {
			return d.r.md.ids[n]
		}
		return 0
	}
	i := n - uint64(d.base)
	if i >= uint64(len(d.ids)) {
		if i > d.c.left()+uint64(len(d.ids)) || i > 1<<27 {
			d.c.fail("Invalid record")
			return 0
		}
		d.grow(int(i) + 1)
	}
	if d.ids[i] == 0 {
		d.ids[i] = d.reserve()
	}
	return d.ids[i]
}

func (d *mdTable) grow(n int) {
	for len(d.ids) < n {
		d.ids = append(d.ids, 0)
	}
	for len(d.known) < n {
		d.known = append(d.known, false)
	}
}

func (d *mdTable) reserve() ir.MDID {
	if d.body == nil {
		return d.r.m.MD.Reserve()
	}
	return d.body.addMD(nil)
}

// orNull returns the node with number n-1, none for 0.
func (d *mdTable) orNull(n uint64) ir.MDID {
	if n == 0 {
		return 0
	}
	return d.ref(n - 1)
}

func (d *mdTable) node(id ir.MDID) *ir.MDNode {
	if id == 0 {
		return nil
	}
	if at := id &^ provisional; id != at {
		if l, ok := d.body.mdLocs[at]; ok && d.body.mds[at] == nil {
			return l.Node()
		}
		return d.body.mds[at]
	}
	return d.r.m.MD.At(id)
}

// str returns the string with number n-1; ok is false for none.
func (d *mdTable) str(n uint64) (s string, ok bool) {
	if n == 0 {
		return "", false
	}
	x := d.node(d.ref(n - 1))
	if x == nil || x.Kind != ir.MDString {
		if d.c.err == nil {
			d.c.fail("Invalid record")
		}
		return "", false
	}
	return x.Str, true
}

// define gives the next number its node.
func (d *mdTable) define(n *ir.MDNode) ir.MDID { return d.defineAt(d.next(), n) }

func (d *mdTable) next() int {
	i := d.count()
	d.grow(i + 1)
	d.known[i] = true
	if d.body == nil {
		d.r.mdCount = i + 1
	} else {
		d.body.mdCount = i + 1
	}
	return i
}

func (d *mdTable) count() int {
	if d.body == nil {
		return d.r.mdCount
	}
	return d.body.mdCount
}

func (d *mdTable) defineAt(i int, n *ir.MDNode) ir.MDID {
	id := d.ids[i]
	switch {
	case id == 0 && d.body == nil:
		id = d.r.m.MD.Add(n)
	case id == 0:
		id = d.body.addMD(n)
	case d.body == nil:
		d.r.m.MD.Set(id, n)
	default:
		d.body.mds[id&^provisional] = n
	}
	d.ids[i] = id
	return id
}

// defineLocation gives the next number a location.
func (d *mdTable) defineLocation(l ir.DILocation) {
	i := d.next()
	switch {
	case d.body != nil:
		if d.ids[i] == 0 {
			d.ids[i] = d.reserve()
		}
		at := d.ids[i] &^ provisional
		d.body.mds[at] = nil
		if d.body.mdLocs == nil {
			d.body.mdLocs = map[ir.MDID]ir.DILocation{}
		}
		d.body.mdLocs[at] = l
	case d.ids[i] == 0:
		d.ids[i] = d.r.m.MD.AddLocation(l)
	default:
		d.r.m.MD.SetLocation(d.ids[i], l)
	}
}

func (d *mdTable) record(code uint32, rec []uint64) {
	if d.named && code != mdNamedNode {
		d.c.fail("Malformed block")
		return
	}
	bad := func() { d.c.fail("Invalid record") }
	switch code {
	case mdStrings:
		d.strings(rec, d.c.blob)
	case mdStringOld:
		n := d.newNode()
		n.Kind, n.Str = ir.MDString, text(rec, 0)
		d.define(n)
	case mdName:
		d.name, d.named = text(rec, 0), true
	case mdNamedNode:
		if !d.named || d.body != nil {
			bad()
			return
		}
		d.named = false
		l := ir.NamedMD{Name: d.name}
		for _, x := range rec {
			l.Nodes = append(l.Nodes, d.ref(x))
		}
		d.r.m.NamedMD = append(d.r.m.NamedMD, l)
	case mdKind:
		if d.body == nil {
			d.r.metadataKind(rec)
		}
	case mdIndexOffset, mdIndex:
	case mdGlobalAttach:
		d.globalAttachment(rec)
	case mdValue:
		if len(rec) != 2 {
			bad()
			return
		}
		d.value(rec)
	case mdNode, mdDistinct:
		n := d.newNode()
		n.Kind, n.Distinct = ir.MDTuple, code == mdDistinct
		n.Ops = d.newOps(len(rec))
		for i, x := range rec {
			n.Ops[i] = d.orNull(x)
		}
		if id := d.define(n); !n.Distinct && slices.Contains(n.Ops, id) {
			n.Distinct = true // what contains itself cannot be equal to another node
		}
	case mdOldNode, mdOldFnNode:
		d.oldNode(code, rec)
	case mdArgList:
		n := d.newNode()
		n.Kind = ir.MDArgList
		n.Ops = d.newOps(len(rec))
		for i, x := range rec {
			n.Ops[i] = d.ref(x)
			if v := d.node(n.Ops[i]); v != nil && v.Kind != ir.MDConst && v.Kind != ir.MDLocal && v.Kind != ir.MDPoisonValue {
				bad() // lists are of values
				return
			}
		}
		d.define(n)
	case mdLocation:
		if len(rec) < 5 {
			bad()
			return
		}
		l := location(rec[1], rec[2], at(rec, 5), at(rec, 6), at(rec, 7))
		l.Scope, l.InlinedAt, l.Distinct = d.ref(rec[3]), d.orNull(rec[4]), rec[0] != 0
		d.defineLocation(l)
	case mdGenericDebug:
		d.genericNode(rec)
	case mdEnumerator:
		d.enumerator(rec)
	case mdExpression:
		d.expression(rec)
	case mdFixedPoint:
		d.fixedPoint(rec)
	default:
		d.specialized(code, rec)
	}
}

// location makes a DILocation of numbers, cut to the widths that LLVM has for them.
func location(line, col, implicit, group, rank uint64) ir.DILocation {
	if col > 1<<16-1 {
		col = 0
	}
	return ir.DILocation{Line: uint32(line), Column: uint16(col), ImplicitCode: implicit != 0, AtomGroup: group & (1<<61 - 1), AtomRank: uint8(rank & 7)}
}

// strings reads the table of strings: lengths as a bit stream, then characters.
func (d *mdTable) strings(rec []uint64, blob []byte) {
	if len(rec) != 2 {
		d.c.fail("Invalid record: metadata strings layout")
		return
	}
	n, off := rec[0], rec[1]
	switch {
	case n == 0:
		d.c.fail("Invalid record: metadata strings with no strings")
		return
	case off > uint64(len(blob)):
		d.c.fail("Invalid record: metadata strings corrupt offset")
		return
	case n > off*8/6+8:
		d.c.fail("Invalid record: metadata strings bad length")
		return
	}
	// One copy of all characters is shared.
	chars := string(blob[off:])
	lens := newCursor(blob[:off])
	for range n {
		l := lens.vbr(6)
		if lens.err != nil || l > uint64(len(chars)) {
			d.c.fail("Invalid record: metadata strings truncated chars")
			return
		}
		x := d.newNode()
		x.Kind, x.Str = ir.MDString, chars[:l]
		chars = chars[l:]
		d.define(x)
	}
}

// value reads a constant, or in bodies a local value, as metadata.
func (d *mdTable) value(rec []uint64) {
	t := d.r.typ(rec[0])
	if t == 0 || t == ir.Metadata || t == ir.Void {
		d.c.fail("Invalid record")
		return
	}
	n := d.newNode()
	n.Type = t
	if d.body != nil {
		d.body.valueNode(n, rec[1], t)
		d.define(n)
		return
	}
	if rec[1] >= uint64(len(d.r.vals)) {
		d.c.fail("Invalid record")
		return
	}
	n.Kind, n.Value = ir.MDConst, d.r.vals[rec[1]].v
	if n.Value.Tag() == tagLazy {
		n.Kind, n.Value = ir.MDPoisonValue, 0
		d.define(n)
		return
	}
	if n.Value.Tag() != ir.TagConst && n.Value.Tag() != ir.TagGlobal {
		d.c.fail("Invalid record")
		return
	}
	d.define(n)
}

// oldNode reads a node of LLVM 3.5: pairs of type and value.
func (d *mdTable) oldNode(code uint32, rec []uint64) {
	if len(rec)%2 != 0 {
		d.c.fail("Invalid record")
		return
	}
	elem := func(i int) ir.MDID {
		t := d.r.typ(rec[i])
		switch {
		case t == 0:
			d.c.fail("Invalid record")
		case t == ir.Metadata:
			return d.ref(rec[i+1])
		case t == ir.Void:
		default:
			n := d.newNode()
			n.Type = t
			if d.body != nil {
				d.body.valueNode(n, rec[i+1], t)
				return d.body.addMD(n)
			}
			if rec[i+1] < uint64(len(d.r.vals)) {
				n.Kind, n.Value = ir.MDConst, d.r.vals[rec[i+1]].v
				return d.r.m.MD.Add(n)
			}
			d.c.fail("Invalid record")
		}
		return 0
	}
	if code == mdOldFnNode {
		// A node around one local value is that value.
		if len(rec) != 2 {
			d.drop()
			return
		}
		t := d.r.typ(rec[0])
		if t == 0 || t == ir.Metadata || t == ir.Void {
			d.drop()
			return
		}
		n := d.newNode()
		n.Type = t
		if d.body != nil {
			d.body.valueNode(n, rec[1], t)
		} else {
			n.Kind, n.Value = ir.MDConst, d.r.vals[min(rec[1], uint64(len(d.r.vals)-1))].v
		}
		d.define(n)
		return
	}
	n := d.newNode()
	n.Kind = ir.MDTuple
	n.Ops = d.newOps(len(rec) / 2)
	for i := range n.Ops {
		n.Ops[i] = elem(2 * i)
	}
	d.define(n)
}

// drop makes the next node the empty one, as LLVM does with nodes that have no
// meaning any more.
func (d *mdTable) drop() {
	i := d.next()
	if e := d.r.emptyNode; e != 0 && d.body == nil && d.ids[i] == 0 {
		d.ids[i] = e
		return
	}
	n := d.newNode()
	n.Kind = ir.MDTuple
	if id := d.defineAt(i, n); d.body == nil {
		d.r.emptyNode = id
	}
}

// globalAttachment reads !dbg and others of declarations and variables.
func (d *mdTable) globalAttachment(rec []uint64) {
	if len(rec)%2 == 0 {
		d.c.fail("Invalid record")
		return
	}
	if rec[0] >= uint64(len(d.r.globals)) {
		d.c.fail("Invalid record")
		return
	}
	g := d.r.globals[rec[0]]
	for i := 1; i < len(rec); i += 2 {
		k, ok := d.r.mdKinds[rec[i]]
		if !ok {
			d.c.fail("Invalid ID")
			return
		}
		n := d.ref(rec[i+1])
		if n == 0 {
			d.c.fail("Invalid metadata attachment: expect fwd ref to MDNode")
			return
		}
		g.MD = append(g.MD, ir.Attachment{Kind: k, Node: n})
	}
}

func (d *mdTable) genericNode(rec []uint64) {
	if len(rec) < 4 {
		d.c.fail("Invalid record")
		return
	}
	d.f = d.f[:0]
	d.word("tag", dwarfname.Tag, rec[1], ^uint64(0))
	d.text("header", rec[3])
	list := d.newNode()
	list.Kind = ir.MDTuple
	list.Ops = d.newOps(len(rec) - 4)
	for i, x := range rec[4:] {
		list.Ops[i] = d.orNull(x)
	}
	id := ir.MDID(0)
	if d.body != nil {
		id = d.body.addMD(list)
	} else {
		id = d.r.m.MD.Add(list)
	}
	if len(list.Ops) > 0 {
		d.f = append(d.f, ir.MDField{Name: "operands", Node: id})
	}
	d.emit("GenericDINode", rec[0])
}

func (d *mdTable) emit(class string, first uint64) {
	n := d.newNode()
	n.Kind, n.Str, n.Distinct = ir.MDSpecialized, class, first&1 != 0
	n.Fields = d.takeFields(d.f)
	d.define(n)
}

// word adds a field that is a DWARF constant.
func (d *mdTable) word(name string, k dwarfname.Kind, v, dflt uint64) {
	if v == dflt {
		return
	}
	if w := dwarfname.Name(k, v); w != "" {
		d.f = append(d.f, ir.MDField{Name: name, Kind: ir.MDFieldWord, Str: w})
		return
	}
	d.num(name, v, false)
}

func (d *mdTable) num(name string, v uint64, neg bool) {
	if v != 0 {
		d.f = append(d.f, ir.MDField{Name: name, Kind: ir.MDFieldInt, Int: v, Neg: neg})
	}
}

func (d *mdTable) signed(name string, v int64) {
	if v < 0 {
		d.num(name, uint64(-v), true)
	} else {
		d.num(name, uint64(v), false)
	}
}

func (d *mdTable) text(name string, n uint64) {
	if s, ok := d.str(n); ok && s != "" {
		d.f = append(d.f, ir.MDField{Name: name, Kind: ir.MDFieldString, Str: s})
	}
}

func (d *mdTable) flag(name string, v bool) {
	f := ir.MDField{Name: name, Kind: ir.MDFieldBool}
	if v {
		f.Int = 1
	}
	d.f = append(d.f, f)
}

// bound adds a field whose constant is written as a number.
func (d *mdTable) bound(name string, id ir.MDID) {
	if id == 0 {
		return
	}
	if n := d.node(id); n != nil && n.Kind == ir.MDConst && n.Value.Const() != 0 {
		pool := &d.r.m.Consts
		if id&provisional != 0 {
			pool = d.body.mdPool
		}
		if v, ok := pool.SignedInt(d.r.t, n.Value); ok {
			f := ir.MDField{Name: name, Kind: ir.MDFieldInt, Int: uint64(v)}
			if v < 0 {
				f.Int, f.Neg = uint64(-v), true
			}
			d.f = append(d.f, f)
			return
		}
	}
	d.f = append(d.f, ir.MDField{Name: name, Node: id})
}

// wide reads a number of any width: bits and words in the first operand, then signed words.
func wideNumber(bits uint64, words []uint64) *big.Int {
	n, ok := new(big.Int).SetString(wideText(words, bits), 10)
	if !ok {
		return new(big.Int)
	}
	return n
}

func (d *mdTable) big(name string, n *big.Int, keepZero bool) {
	f := ir.MDField{Name: name, Kind: ir.MDFieldInt}
	abs := new(big.Int).Abs(n)
	if abs.IsUint64() {
		f.Int, f.Neg = abs.Uint64(), n.Sign() < 0
	} else {
		f.Kind, f.Str = ir.MDFieldWord, n.String()
	}
	if f.Int != 0 || f.Str != "" || keepZero {
		d.f = append(d.f, f)
	}
}

func (d *mdTable) enumerator(rec []uint64) {
	if len(rec) < 3 {
		d.c.fail("Invalid record")
		return
	}
	d.f = d.f[:0]
	unsigned := rec[0]&2 != 0
	if rec[0]&4 != 0 {
		bits := rec[1]
		if bits == 0 || bits > 1<<23 || len(rec) < 4 {
			d.c.fail("Invalid record")
			return
		}
		d.text("name", rec[2])
		n := wideNumber(bits, rec[3:])
		if unsigned && n.Sign() < 0 {
			n.Add(n, new(big.Int).Lsh(big.NewInt(1), uint(bits)))
		}
		d.big("value", n, true)
	} else {
		d.text("name", rec[2])
		v := unsign(rec[1])
		n := big.NewInt(v)
		if unsigned {
			n.SetUint64(uint64(v))
		}
		d.big("value", n, true)
	}
	if unsigned {
		d.flag("isUnsigned", true)
	}
	d.emit("DIEnumerator", rec[0])
}

func (d *mdTable) fixedPoint(rec []uint64) {
	if len(rec) < 11 {
		d.c.fail("Invalid record")
		return
	}
	d.f = d.f[:0]
	d.word("tag", dwarfname.Tag, rec[1], tagBaseType)
	d.text("name", rec[2])
	if rec[0]&2 != 0 {
		d.bound("size", d.orNull(rec[3]))
	} else {
		d.num("size", rec[3], false)
	}
	d.num("align", rec[4], false)
	d.word("encoding", dwarfname.Encoding, rec[5], 0)
	d.flags("flags", dwarfname.DIFlag, rec[6])
	if k := rec[7]; k < uint64(len(fixedKinds)) {
		d.f = append(d.f, ir.MDField{Name: "kind", Kind: ir.MDFieldWord, Str: fixedKinds[k]})
	}
	d.signed("factor", int64(rec[8]))
	rest := rec[9:]
	for _, name := range [...]string{"numerator", "denominator"} {
		if len(rest) < 1 {
			break
		}
		bits, words := rest[0]&0xffffffff, rest[0]>>32
		if words > uint64(len(rest)-1) || bits == 0 || bits > 1<<23 {
			d.c.fail("Invalid record")
			return
		}
		d.big(name, wideNumber(bits, rest[1:1+words]), false)
		rest = rest[1+words:]
	}
	d.emit("DIFixedPointType", rec[0])
}

func (d *mdTable) flags(name string, k dwarfname.Kind, v uint64) {
	if v != 0 {
		d.f = append(d.f, ir.MDField{Name: name, Kind: ir.MDFieldWord, Str: dwarfname.Flags(k, v)})
	}
}

// expression reads a DIExpression and brings the operations of old files to today's form.
func (d *mdTable) expression(rec []uint64) {
	if len(rec) < 1 {
		d.c.fail("Invalid record")
		return
	}
	elems := upgradeExpr(rec[0]>>1, append([]uint64(nil), rec[1:]...))
	if rec[0]>>1 < 2 && (d.body == nil || d.r.typed) {
		d.r.oldDeclares = true
	}
	n := d.newNode()
	n.Kind, n.Str, n.Distinct = ir.MDSpecialized, "DIExpression", rec[0]&1 != 0
	n.Fields = d.takeFields(irtext.ExpressionFields(elems))
	d.define(n)
}

// Operations of DIExpression that changed between versions of the record.
const (
	dwOpDeref      = 0x06
	dwOpMinus      = 0x1c
	dwOpPlus       = 0x22
	dwOpPlusUconst = 0x23
	dwOpConstu     = 0x10
	dwOpBitPiece   = 0x9d
	dwOpStackValue = 0x9f
	dwOpFragment   = 0x1000
)

func upgradeExpr(version uint64, e []uint64) []uint64 {
	n := len(e)
	if version < 1 && n >= 3 && e[n-3] == dwOpBitPiece {
		e[n-3] = dwOpFragment
	}
	if version < 2 && n > 0 && e[0] == dwOpDeref {
		// A leading dereference goes behind the offsets, before a fragment.
		end := n
		if n >= 3 && e[n-3] == dwOpFragment {
			end = n - 3
		}
		copy(e, e[1:end])
		e[end-1] = dwOpDeref
	}
	if version < 3 {
		var out []uint64
		for i := 0; i < len(e); {
			switch e[i] {
			case dwOpPlus:
				out = append(out, dwOpPlusUconst, at(e, i+1))
				i += 2
			case dwOpMinus:
				out = append(out, dwOpConstu, at(e, i+1), dwOpMinus)
				i += 2
			default:
				size := 1
				switch e[i] {
				case dwOpConstu, 0x11, dwOpPlusUconst:
					size = 2
				case dwOpFragment, dwOpBitPiece:
					size = 3
				}
				size = min(size, len(e)-i)
				out = append(out, e[i:i+size]...)
				i += size
			}
		}
		return out
	}
	return e
}

// specialized reads the record of a class of mdRecords.
func (d *mdTable) specialized(code uint32, rec []uint64) {
	x := recordByCode(code)
	if x == nil {
		return // records of later versions are passed over
	}
	if len(rec) == 0 && code != mdImported {
		d.c.fail("Invalid record")
		return
	}
	rec, ok := d.upgradeRecord(code, rec)
	if !ok {
		if d.c.err == nil {
			d.c.fail("Invalid record")
		}
		return
	}
	if rec == nil {
		return // already made
	}
	d.f = d.f[:0]
	for i := range x.ops {
		o := &x.ops[i]
		if i+1 >= len(rec) {
			break
		}
		if d.operand(x, o, rec[0], rec[i+1]); d.c.err != nil {
			return
		}
	}
	switch code {
	case mdCompileUnit:
		rec[0] |= 1 // always distinct
	case mdComposite, mdSubroutine:
		if rec[0]&2 == 0 && (d.body == nil || d.r.typed) {
			d.r.oldRefs = true
		}
	case mdGlobalVar:
		if rec[0]>>1 == 0 {
			d.oldGlobalVar(rec)
			return
		}
	case mdNamespace:
		if rec[0]&2 != 0 {
			d.flag("exportSymbols", true)
		}
	case mdLabel:
		if rec[0]&2 != 0 {
			d.flag("isArtificial", true)
		}
	}
	if code == mdCompileUnit && d.body == nil && at(rec, 11) != 0 {
		list := d.orNull(rec[11])
		d.emit(x.class, rec[0])
		d.r.oldUnits = append(d.r.oldUnits, oldUnit{d.ids[d.count()-1], list})
		return
	}
	d.emit(x.class, rec[0])
}

func (d *mdTable) operand(x *mdRecord, o *mdOperand, first, v uint64) {
	name := o.name
	switch o.kind {
	case opNode:
		if id := d.orNull(v); id != 0 {
			d.f = append(d.f, ir.MDField{Name: name, Node: id})
		}
	case opBound:
		d.bound(name, d.orNull(v))
	case opString:
		d.text(name, v)
	case opKept:
		if s, ok := d.str(v); ok {
			d.f = append(d.f, ir.MDField{Name: name, Kind: ir.MDFieldString, Str: s})
		}
	case opUnsigned:
		if name != "-" {
			d.num(name, v, false)
		}
	case opSigned:
		d.signed(name, unsign(v))
	case opInt32:
		d.signed(name, int64(int32(v)))
	case opSize:
		if first&x.size == 0 {
			d.num(name, v, false)
		} else if id := d.orNull(v); id != 0 {
			n := len(d.f)
			d.bound(name, id)
			if f := &d.f[n]; f.Kind == ir.MDFieldInt && f.Int == 0 {
				d.f = d.f[:n]
			}
		}
	case opBool:
		if on := v != 0; on != (o.dflt != 0) {
			d.flag(name, on)
		}
	case opDIFlags:
		d.flags(name, dwarfname.DIFlag, v)
	case opSPFlags:
		d.flags(name, dwarfname.DISPFlag, v)
	case opEnumKind:
		if v != o.dflt {
			d.word(name, dwarfname.EnumKind, v, ^uint64(0))
		}
	case opSpace:
		if v != 0 {
			d.f = append(d.f, ir.MDField{Name: name, Kind: ir.MDFieldInt, Int: v - 1})
		}
	case opOptional:
		if v != ^uint64(0) && v != 0xFFFFFFFF {
			d.f = append(d.f, ir.MDField{Name: name, Kind: ir.MDFieldInt, Int: v})
		}
	case opPtrAuth:
		d.ptrAuth(v)
	case opLang:
		if v>>63 != 0 {
			d.word("sourceLanguageName", dwarfname.LangName, v&0xffff, ^uint64(0))
			return
		}
		d.word(name, dwarfname.Lang, v, 0)
	case opEmission, opTable, opChecksum, opFixed:
		if w := o.words(); v != o.dflt && v < uint64(len(w)) {
			d.f = append(d.f, ir.MDField{Name: name, Kind: ir.MDFieldWord, Str: w[v]})
		}
	default:
		d.word(name, o.names(), v, o.dflt)
	}
}

// ptrAuth takes the pointer authentication of a type apart: key, discrimination, flags.
func (d *mdTable) ptrAuth(v uint64) {
	if v == 0 {
		return
	}
	d.num("ptrAuthKey", v&15, false)
	if v>>4&1 != 0 {
		d.flag("ptrAuthIsAddressDiscriminated", true)
	}
	d.num("ptrAuthExtraDiscriminator", v>>5&0xffff, false)
	if v>>21&1 != 0 {
		d.flag("ptrAuthIsaPointer", true)
	}
	if v>>22&1 != 0 {
		d.flag("ptrAuthAuthenticatesNullValues", true)
	}
}

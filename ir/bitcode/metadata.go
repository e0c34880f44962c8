package bitcode

import (
	"slices"

	"github.com/mirin-go/mirin/ir"
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
			c.failBare("Malformed block")
		case entryEnd:
			if d.named {
				c.failBare("Malformed block")
			}
			return
		case entryRecord:
			at := c.pos
			code := c.record(id)
			if c.err == nil {
				d.record(code, c.rec)
			}
			if c.pos <= at && c.err == nil {
				c.failBare("Malformed block")
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
			d.c.failBare("Invalid record")
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
			d.c.failBare("Invalid record")
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
		d.c.failBare("Malformed block")
		return
	}
	bad := func() { d.c.failBare("Invalid record") }
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
		if d.body == nil {
			bad() // lists stand in functions alone
			return
		}
		n := d.newNode()
		n.Kind = ir.MDArgList
		n.Ops = d.newOps(len(rec))
		for i, x := range rec {
			n.Ops[i] = d.ref(x)
			if v := d.node(n.Ops[i]); v == nil || v.Kind != ir.MDConst && v.Kind != ir.MDLocal && v.Kind != ir.MDPoisonValue {
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
		d.c.failBare("Invalid record: metadata strings layout")
		return
	}
	n, off := rec[0], rec[1]
	switch {
	case n == 0:
		d.c.failBare("Invalid record: metadata strings with no strings")
		return
	case off > uint64(len(blob)):
		d.c.failBare("Invalid record: metadata strings corrupt offset")
		return
	case n > off*8/6+8:
		d.c.failBare("Invalid record: metadata strings bad length")
		return
	}
	// One copy of all characters is shared.
	chars := string(blob[off:])
	lens := newCursor(blob[:off])
	for range n {
		l := lens.vbr(6)
		if lens.err != nil || l > uint64(len(chars)) {
			d.c.failBare("Invalid record: metadata strings truncated chars")
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
		d.c.failBare("Invalid record")
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
		d.c.failBare("Invalid record")
		return
	}
	n.Kind, n.Value = ir.MDConst, d.r.vals[rec[1]].v
	if n.Value.Tag() == tagLazy {
		n.Kind, n.Value = ir.MDPoisonValue, 0
		d.define(n)
		return
	}
	if n.Value.Tag() != ir.TagConst && n.Value.Tag() != ir.TagGlobal {
		d.c.failBare("Invalid record")
		return
	}
	d.define(n)
}

// oldNode reads a node of LLVM 3.5: pairs of type and value.
func (d *mdTable) oldNode(code uint32, rec []uint64) {
	if len(rec)%2 != 0 {
		d.c.failBare("Invalid record")
		return
	}
	elem := func(i int) ir.MDID {
		t := d.r.typ(rec[i])
		switch {
		case t == 0:
			d.c.failBare("Invalid record")
		case t == ir.Metadata:
			return d.ref(rec[i+1])
		case t == ir.Void:
		default:
			n := d.oldValue(t, rec[i+1])
			if d.body != nil {
				return d.body.addMD(n)
			}
			return d.r.m.MD.Add(n)
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
		d.define(d.oldValue(t, rec[1]))
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

// oldValue makes the node of value number v of type t.
func (d *mdTable) oldValue(t ir.Type, v uint64) *ir.MDNode {
	n := d.newNode()
	n.Kind, n.Type = ir.MDConst, t
	switch {
	case d.body != nil:
		d.body.valueNode(n, v, t)
	case v < uint64(len(d.r.vals)):
		n.Value = d.r.vals[v].v
	default:
		d.c.failBare("Invalid record")
	}
	return n
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
		d.c.failBare("Invalid record")
		return
	}
	if rec[0] >= uint64(len(d.r.globals)) {
		d.c.failBare("Invalid record")
		return
	}
	g := d.r.globals[rec[0]]
	for i := 1; i < len(rec); i += 2 {
		k, ok := d.r.mdKinds[rec[i]]
		if !ok {
			d.c.failBare("Invalid ID")
			return
		}
		n := d.ref(rec[i+1])
		if n == 0 {
			d.c.failBare("Invalid metadata attachment: expect fwd ref to MDNode")
			return
		}
		g.MD = append(g.MD, ir.Attachment{Kind: k, Node: n})
	}
}

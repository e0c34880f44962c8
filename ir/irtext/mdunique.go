package irtext

import (
	"encoding/binary"

	"github.com/mirin-go/mirin/ir"
)

// uniquer finds the nodes that are equal: what is not distinct is one node
// for LLVM, however often it stands in the text.
type uniquer struct {
	m     *ir.Module
	canon []ir.MDID // by MDID; 0: not yet known
	open  []bool    // on the way from the root: part of a cycle when met again
	index map[string]ir.MDID
	locs  map[ir.DILocation]ir.MDID
	buf   []byte
	found bool // a duplicate was found
}

// uniqueMetadata makes equal nodes of the module one node.
func (sh *shared) uniqueMetadata() {
	m := sh.m
	n := m.MD.Len()
	u := &uniquer{m: m, canon: make([]ir.MDID, n), open: make([]bool, n), index: make(map[string]ir.MDID, n), locs: map[ir.DILocation]ir.MDID{}}
	for i := 1; i < n; i++ {
		u.node(ir.MDID(i))
	}
	if !u.found {
		return
	}
	for id, nd := range m.MD.Nodes() {
		if u.canon[id] != id {
			continue
		}
		for k, o := range nd.Ops {
			nd.Ops[k] = u.canon[o]
		}
		for k := range nd.Fields {
			nd.Fields[k].Node = u.canon[nd.Fields[k].Node]
		}
	}
	for i := 1; i < n; i++ {
		if l, ok := m.MD.Location(ir.MDID(i)); ok && u.canon[i] == ir.MDID(i) {
			l.Scope, l.InlinedAt = u.canon[l.Scope], u.canon[l.InlinedAt]
			m.MD.SetLocation(ir.MDID(i), l)
		}
	}
	for i := range m.NamedMD {
		for k, o := range m.NamedMD[i].Nodes {
			m.NamedMD[i].Nodes[k] = u.canon[o]
		}
	}
	for i, id := range sh.numbered {
		sh.numbered[i] = u.canon[id]
	}
	for k, id := range sh.mdSparse {
		sh.mdSparse[k] = u.canon[id]
	}
	for k, id := range sh.mdInline {
		sh.mdInline[k] = u.canon[id]
	}
	for _, g := range m.Globals[1:] {
		for k := range g.MD {
			g.MD[k].Node = u.canon[g.MD[k].Node]
		}
		if g.Func != nil {
			u.body(g.Func)
		}
	}
}

func (u *uniquer) body(f *ir.Function) {
	for i := range f.Instrs {
		f.Instrs[i].Loc = u.canon[f.Instrs[i].Loc]
	}
	for i := range f.Attachments {
		f.Attachments[i].Node = u.canon[f.Attachments[i].Node]
	}
	for i, v := range f.Operands {
		if v.Tag() == ir.TagMetadata {
			f.Operands[i] = ir.MDVal(u.canon[v.MD()])
		}
	}
	for i := range f.DbgRecords {
		d := &f.DbgRecords[i]
		for k, a := range d.Args {
			d.Args[k] = u.canon[a]
		}
		d.Loc = u.canon[d.Loc]
	}
}

// node returns the node that stands for id and all nodes equal to it.
func (u *uniquer) node(id ir.MDID) ir.MDID {
	if id == 0 {
		return 0
	}
	if c := u.canon[id]; c != 0 {
		return c
	}
	if u.open[id] {
		return id
	}
	if l, ok := u.m.MD.Location(id); ok {
		return u.location(id, l)
	}
	n := u.m.MD.At(id)
	if n == nil {
		u.canon[id] = id
		return id
	}
	u.open[id] = true
	self := false
	for _, o := range n.Ops {
		self = self || o == id
		u.node(o)
	}
	for k := range n.Fields {
		self = self || n.Fields[k].Node == id
		u.node(n.Fields[k].Node)
	}
	u.open[id] = false
	if self {
		n.Distinct = true // LLVM makes a node distinct that refers to itself
	}
	u.canon[id] = id
	if n.Distinct {
		return id
	}
	key := u.key(n)
	if key == nil {
		return id
	}
	if c, ok := u.index[string(key)]; ok {
		u.canon[id] = c
		u.found = true
		return c
	}
	u.index[string(key)] = id
	return id
}

// location is node for a debug location.
func (u *uniquer) location(id ir.MDID, l ir.DILocation) ir.MDID {
	u.open[id] = true
	self := l.Scope == id || l.InlinedAt == id
	key := l
	key.Scope, key.InlinedAt = u.node(l.Scope), u.node(l.InlinedAt)
	u.open[id] = false
	u.canon[id] = id
	if self {
		l.Distinct = true
		u.m.MD.SetLocation(id, l)
	}
	if l.Distinct {
		return id
	}
	if c, ok := u.locs[key]; ok {
		u.canon[id], u.found = c, true
		return c
	}
	u.locs[key] = id
	return id
}

// key returns what tells a node from others, nil for kinds that are not compared.
func (u *uniquer) key(n *ir.MDNode) []byte {
	b := append(u.buf[:0], byte(n.Kind))
	ref := func(id ir.MDID) {
		if c := u.canon[id]; c != 0 {
			id = c
		}
		b = binary.AppendUvarint(b, uint64(id))
	}
	switch n.Kind {
	case ir.MDTuple, ir.MDArgList:
		for _, o := range n.Ops {
			ref(o)
		}
	case ir.MDConst:
		if c := n.Value.Const(); c != 0 {
			r := u.m.Consts.At(c)
			if r.N != 0 || r.Kind > ir.ConstTokenNone {
				return nil
			}
			b = append(b, byte(r.Kind))
			b = binary.AppendUvarint(b, uint64(r.Type))
			b = binary.AppendUvarint(b, r.Bits)
			break
		}
		b = append(b, 0)
		b = binary.AppendUvarint(b, uint64(n.Value))
	case ir.MDSpecialized:
		b = append(b, n.Str...)
		if n.Str == "DIExpression" {
			for k := range n.Fields {
				b = appendFieldKey(b, &n.Fields[k])
			}
			break
		}
		class := mdClassByName(n.Str)
		if class == nil {
			return nil
		}
		// Fields stand in the order of the text.
		for i := range class.fields {
			f := fieldByName(n.Fields, class.fields[i].name)
			if f == nil {
				continue
			}
			b = append(b, 0xff, byte(i))
			if f.Kind == ir.MDFieldNode {
				b = append(b, 0)
				ref(f.Node)
			} else {
				b = appendFieldKey(b, f)
			}
		}
	default:
		return nil
	}
	u.buf = b
	return b
}

func appendFieldKey(b []byte, f *ir.MDField) []byte {
	b = append(b, byte(f.Kind))
	if f.Neg {
		b = append(b, '-')
	}
	b = binary.AppendUvarint(b, f.Int)
	b = binary.AppendUvarint(b, uint64(len(f.Str)))
	return append(b, f.Str...)
}

package ir

// DILocation is the metadata node of that class, 32 bytes. A module with debug
// information has more of them than of all other nodes, so MDTable keeps them
// in place, without a list of fields.
type DILocation struct {
	AtomGroup        uint64
	Line             uint32
	Scope, InlinedAt MDID
	Column           uint16 // 0 for columns beyond 65535, as in LLVM
	AtomRank         uint8  // at most 7
	ImplicitCode     bool
	Distinct         bool
}

// Node makes a node with the location's fields, in the order of the text.
func (l *DILocation) Node() *MDNode {
	f := make([]MDField, 0, 4)
	num := func(name string, v uint64) {
		if v != 0 {
			f = append(f, MDField{Name: name, Kind: MDFieldInt, Int: v})
		}
	}
	num("line", uint64(l.Line))
	num("column", uint64(l.Column))
	f = append(f, MDField{Name: "scope", Node: l.Scope})
	if l.InlinedAt != 0 {
		f = append(f, MDField{Name: "inlinedAt", Node: l.InlinedAt})
	}
	if l.ImplicitCode {
		f = append(f, MDField{Name: "isImplicitCode", Kind: MDFieldBool, Int: 1})
	}
	num("atomGroup", l.AtomGroup)
	num("atomRank", uint64(l.AtomRank))
	return &MDNode{Kind: MDSpecialized, Str: "DILocation", Fields: f, Distinct: l.Distinct}
}

// LocationOf reads the fields of a node of class DILocation; ok is false for
// other nodes, and for fields that no location has.
func LocationOf(n *MDNode) (l DILocation, ok bool) {
	if n == nil || n.Kind != MDSpecialized || n.Str != "DILocation" {
		return l, false
	}
	l.Distinct = n.Distinct
	for i := range n.Fields {
		f := &n.Fields[i]
		switch f.Name {
		case "line":
			l.Line = uint32(f.Int)
			ok = f.Kind == MDFieldInt && uint64(l.Line) == f.Int
		case "column":
			l.Column = uint16(f.Int)
			ok = f.Kind == MDFieldInt && uint64(l.Column) == f.Int
		case "scope":
			l.Scope, ok = f.Node, f.Kind == MDFieldNode
		case "inlinedAt":
			l.InlinedAt, ok = f.Node, f.Kind == MDFieldNode
		case "isImplicitCode":
			l.ImplicitCode, ok = f.Int != 0, f.Kind == MDFieldBool
		case "atomGroup":
			l.AtomGroup, ok = f.Int, f.Kind == MDFieldInt
		case "atomRank":
			l.AtomRank = uint8(f.Int)
			ok = f.Kind == MDFieldInt && uint64(l.AtomRank) == f.Int
		default:
			ok = false
		}
		if !ok || f.Neg {
			return l, false
		}
	}
	return l, true
}

// AddLocation adds a debug location.
func (t *MDTable) AddLocation(l DILocation) MDID {
	t.mu.Lock()
	defer t.mu.Unlock()
	id := t.add(nil)
	t.setLocation(id, l)
	return id
}

// SetLocation makes node id, a reserved one or a location, a debug location.
func (t *MDTable) SetLocation(id MDID, l DILocation) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.setLocation(id, l)
}

func (t *MDTable) setLocation(id MDID, l DILocation) {
	c := t.chunk(id)
	locs := c.locs.Load()
	if locs == nil {
		locs = new([mdChunkSize]DILocation)
		c.locs.Store(locs)
	}
	locs[id%mdChunkSize] = l
	c.nodes[id%mdChunkSize].Store(&t.location) // last: who sees it sees the location
}

// IsLocation reports whether node id is a debug location.
func (t *MDTable) IsLocation(id MDID) bool {
	n := t.chunk(id).nodes[id%mdChunkSize].Load()
	return n == &t.location
}

// Location returns node id as a debug location; ok is false for other nodes.
func (t *MDTable) Location(id MDID) (l DILocation, ok bool) {
	c := t.chunk(id)
	if c.nodes[id%mdChunkSize].Load() != &t.location {
		return l, false
	}
	return c.locs.Load()[id%mdChunkSize], true
}

// FileOf is the DIFile that a scope stands in, 0 for none.
func (t *MDTable) FileOf(scope MDID) MDID {
	for scope != 0 {
		n := t.At(scope)
		if f := n.FieldNode("file"); f != 0 {
			return f
		}
		scope = n.FieldNode("scope")
	}
	return 0
}

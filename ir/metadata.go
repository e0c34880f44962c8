package ir

import (
	"iter"
	"strings"
	"sync"
	"sync/atomic"
)

// MDNodeKind is the form of a metadata node.
type MDNodeKind uint8

// The forms of metadata. Specialized nodes (DILocation, DIExpression, …) are
// MDSpecialized with their class name and named fields, as the text has them.
const (
	MDNone        MDNodeKind = iota
	MDString                 // Str
	MDTuple                  // Ops, 0 = null
	MDConst                  // Value (in Module.Consts, or a global) of type Type: i32 7, ptr @x
	MDLocal                  // Value, a local value of the function it stands in
	MDSpecialized            // Str is the class, Fields
	MDArgList                // !DIArgList: Ops
	MDPoisonValue            // poison or undef of Type, as debug records use
)

// MDNode is one metadata node.
type MDNode struct {
	Kind     MDNodeKind
	Distinct bool
	Str      string
	Ops      []MDID
	Fields   []MDField
	Type     Type
	Value    Value
	// Func is the function of an MDLocal.
	Func GlobalID
}

// Field returns the field of that name, nil when the node has none.
func (n *MDNode) Field(name string) *MDField {
	for i := range n.Fields {
		if n.Fields[i].Name == name {
			return &n.Fields[i]
		}
	}
	return nil
}

// FieldNode returns the node that a field refers to, 0 for none.
func (n *MDNode) FieldNode(name string) MDID {
	if f := n.Field(name); f != nil && f.Kind == MDFieldNode {
		return f.Node
	}
	return 0
}

// FieldText returns the string or the keywords of a field, "" for none.
func (n *MDNode) FieldText(name string) string {
	if f := n.Field(name); f != nil {
		return f.Str
	}
	return ""
}

// FieldInt returns the number of a field, in two's complement, 0 for none.
func (n *MDNode) FieldInt(name string) uint64 {
	f := n.Field(name)
	switch {
	case f == nil || f.Kind != MDFieldInt && f.Kind != MDFieldBool:
		return 0
	case f.Neg:
		return -f.Int
	}
	return f.Int
}

// FieldHas reports a flag among the keywords of a field, as DIFlagBitField in flags.
func (n *MDNode) FieldHas(name, flag string) bool {
	for f := range strings.SplitSeq(n.FieldText(name), " | ") {
		if f == flag {
			return true
		}
	}
	return false
}

// MDField is one named field of a specialized node, 48 bytes: debug information
// has a million of them.
type MDField struct {
	Name string
	Str  string // MDFieldString (unescaped), MDFieldWord (a keyword or a | b flags)
	Int  uint64 // MDFieldInt, MDFieldBool; sign as in the text with Neg
	Node MDID   // MDFieldNode (0 = null)
	Kind MDFieldKind
	Neg  bool
}

// MDFieldKind is the form of a field's value.
type MDFieldKind uint8

// The forms of fields.
const (
	MDFieldNode MDFieldKind = iota
	MDFieldInt
	MDFieldBool
	MDFieldString
	MDFieldWord
)

// MDTable holds a module's metadata; adding is safe from several goroutines,
// and reading beside it takes no lock.
type MDTable struct {
	mu sync.Mutex // of those who add
	// rows are in chunks that do not move; a longer list of chunks takes the
	// place of the last.
	rows atomic.Pointer[[]*mdChunk]
	n    atomic.Uint32
	// location stands in the rows of debug locations; it is nobody's node.
	location MDNode
	// Numbered maps !n to nodes.
	Numbered []MDID
}

const mdChunkSize = 256

type mdChunk struct {
	nodes [mdChunkSize]atomic.Pointer[MDNode]
	// locs is nil until the chunk has a debug location.
	locs atomic.Pointer[[mdChunkSize]DILocation]
}

func (t *MDTable) init() {
	t.rows.Store(&[]*mdChunk{new(mdChunk)})
	t.n.Store(1)
}

func (t *MDTable) chunk(id MDID) *mdChunk { return (*t.rows.Load())[id/mdChunkSize] }

// Add adds a node, which the table keeps; of a DILocation it keeps a copy.
func (t *MDTable) Add(n *MDNode) MDID {
	t.mu.Lock()
	defer t.mu.Unlock()
	l, isLoc := LocationOf(n)
	if isLoc {
		n = nil
	}
	id := t.add(n)
	if isLoc {
		t.setLocation(id, l)
	}
	return id
}

func (t *MDTable) add(n *MDNode) MDID {
	id := t.n.Load()
	rows := *t.rows.Load()
	if int(id/mdChunkSize) == len(rows) {
		longer := append(rows, new(mdChunk)) // behind what readers see
		t.rows.Store(&longer)
		rows = longer
	}
	rows[id/mdChunkSize].nodes[id%mdChunkSize].Store(n)
	t.n.Store(id + 1)
	return MDID(id)
}

// At returns node id, nil for 0 and for reserved ones. What is changed in the
// node is changed in the module, but not in a DILocation: it is made anew at
// each call (Location reads one without that), and SetLocation changes it.
func (t *MDTable) At(id MDID) *MDNode {
	c := t.chunk(id)
	n := c.nodes[id%mdChunkSize].Load()
	if n == &t.location {
		return c.locs.Load()[id%mdChunkSize].Node()
	}
	return n
}

// Has reports whether node id has its content.
func (t *MDTable) Has(id MDID) bool { return t.chunk(id).nodes[id%mdChunkSize].Load() != nil }

// Nodes goes through all nodes but debug locations.
func (t *MDTable) Nodes() iter.Seq2[MDID, *MDNode] {
	return func(yield func(MDID, *MDNode) bool) {
		for id := MDID(1); int(id) < t.Len(); id++ {
			n := t.chunk(id).nodes[id%mdChunkSize].Load()
			if n != nil && n != &t.location && !yield(id, n) {
				return
			}
		}
	}
}

// Len returns the number of rows, row 0 included.
func (t *MDTable) Len() int { return int(t.n.Load()) }

// Reserve returns the id of a node that Set gives its content.
func (t *MDTable) Reserve() MDID { return t.Add(nil) }

// Set gives a reserved node its content.
func (t *MDTable) Set(id MDID, n *MDNode) {
	if l, ok := LocationOf(n); ok {
		t.SetLocation(id, l)
		return
	}
	t.chunk(id).nodes[id%mdChunkSize].Store(n)
}

// FixedMDKinds are the metadata kinds that every module has, by LLVM's numbers.
func FixedMDKinds() []string {
	return []string{
		"dbg", "tbaa", "prof", "fpmath", "range", "tbaa.struct", "invariant.load", "alias.scope", "noalias", "nontemporal",
		"llvm.mem.parallel_loop_access", "nonnull", "dereferenceable", "dereferenceable_or_null", "make.implicit", "unpredictable",
		"invariant.group", "align", "llvm.loop", "type", "section_prefix", "absolute_symbol", "associated", "callees", "irr_loop",
		"llvm.access.group", "callback", "llvm.preserve.access.index", "vcall_visibility", "noundef", "annotation", "nosanitize",
		"func_sanitize", "exclude", "memprof", "callsite", "kcfi_type", "pcsections", "DIAssignID", "coro.outside.frame", "mmra",
		"noalias.addrspace", "callee_type", "nofree", "captures", "alloc_token", "implicit.ref",
	}
}

package suffixtree

import (
	"iter"
	"math/bits"
	"slices"
)

// Tree is the suffix tree of a string. Nodes and edges are rows of tables; 0 is the root.
type Tree struct {
	str   []uint32
	nodes []node
	edges []edge
	index []uint32 // an open hash table of edges, by node and first number; 0 is none
	under []uint32 // leaves, so that those below each node stand side by side
	// MinLength is the least length of a repeat, 2 if it is not set.
	MinLength int
	// Children has only the suffixes found that end right behind the repeat: what
	// repeats longer is left out.
	Children bool
	// Work limits the suffixes that are looked at in all, as a multiple of the length of
	// the string: strings exist in which repeats lie inside one another as often as
	// there are numbers. Behind the limit repeats are those of Children. 0 is DefaultWork.
	Work int
}

// DefaultWork is the limit of suffixes looked at for each number of the string.
const DefaultWork = 1000

type node struct {
	start, end  uint32 // the part of the string on the edge to the node; openEnd: up to the end
	link        uint32 // the node of the string without its first number
	depth       uint32 // of internal nodes: the length of the string from the root
	first, last uint32 // edges to children, in the order in which they came
	lo, hi      uint32 // leaves in under
	suffix      uint32 // of leaves: where the suffix begins
	leaf        bool
}

type edge struct {
	parent, key uint32
	child, next uint32
}

const openEnd = ^uint32(0)

// New returns the tree of str, which must end in a number that is nowhere else in
// it; a string of two or more repeats holds no number above 2³²-3.
func New(str []uint32) *Tree {
	t := &Tree{str: str, nodes: make([]node, 1, 2*len(str)+2), edges: make([]edge, 1, 2*len(str)+2)}
	t.index = make([]uint32, 1<<bits.Len(uint(3*len(str)+8)))
	t.build()
	t.numberLeaves()
	return t
}

func (t *Tree) slot(parent, key uint32) uint32 {
	mask := uint32(len(t.index) - 1)
	h := (uint64(parent)<<32 | uint64(key)) * 0x9e3779b97f4a7c15
	k := uint32(h>>32) & mask
	for t.index[k] != 0 {
		if e := &t.edges[t.index[k]]; e.parent == parent && e.key == key {
			return k
		}
		k = (k + 1) & mask
	}
	return k
}

func (t *Tree) addEdge(parent, key, child uint32) {
	id := uint32(len(t.edges))
	t.edges = append(t.edges, edge{parent: parent, key: key, child: child})
	t.index[t.slot(parent, key)] = id
	n := &t.nodes[parent]
	if n.last == 0 {
		n.first = id
	} else {
		t.edges[n.last].next = id
	}
	n.last = id
}

// build adds the suffixes one number at a time. (active, from, length) is the
// place in the tree of the longest suffix that is in it already: length numbers
// below node active, on the edge that begins with str[from].
func (t *Tree) build() {
	active, from, length := uint32(0), uint32(0), uint32(0)
	pending, leaves := uint32(0), uint32(0)
	for end := range uint32(len(t.str)) {
		pending++
		needsLink := uint32(0)
		for pending > 0 {
			if length == 0 {
				from = end
			}
			at := t.index[t.slot(active, t.str[from])]
			if at == 0 {
				t.addLeaf(active, end, leaves)
				leaves++
				if needsLink != 0 {
					t.nodes[needsLink].link, needsLink = active, 0
				}
			} else {
				child := t.edges[at].child
				n := &t.nodes[child]
				size := min(n.end, end) - n.start
				if n.end == openEnd {
					size = end + 1 - n.start
				}
				if length >= size {
					from, length, active = from+size, length-size, child
					continue
				}
				if t.str[n.start+length] == t.str[end] {
					if needsLink != 0 && active != 0 {
						t.nodes[needsLink].link = active
					}
					length++
					break
				}
				split := uint32(len(t.nodes))
				t.nodes = append(t.nodes, node{start: n.start, end: n.start + length, depth: t.nodes[active].depth + length})
				t.edges[at].child = split
				t.addLeaf(split, end, leaves)
				leaves++
				t.nodes[child].start += length
				t.addEdge(split, t.str[t.nodes[child].start], child)
				if needsLink != 0 {
					t.nodes[needsLink].link = split
				}
				needsLink = split
			}
			pending--
			switch {
			case active != 0:
				active = t.nodes[active].link
			case length > 0:
				length--
				from = end - pending + 1
			}
		}
	}
}

func (t *Tree) addLeaf(parent, at, suffix uint32) {
	id := uint32(len(t.nodes))
	t.nodes = append(t.nodes, node{start: at, end: openEnd, suffix: suffix, leaf: true})
	t.addEdge(parent, t.str[at], id)
}

// numberLeaves lists the leaves below each node side by side.
func (t *Tree) numberLeaves() {
	t.under = make([]uint32, 0, len(t.str))
	// A node is met twice: before and, with the mark, behind what is below it.
	const behind = 1 << 31
	stack := []uint32{0}
	for len(stack) > 0 {
		id := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if id&behind != 0 {
			t.nodes[id&^behind].hi = uint32(len(t.under))
			continue
		}
		n := &t.nodes[id]
		n.lo = uint32(len(t.under))
		if n.leaf {
			t.under = append(t.under, n.suffix)
			n.hi = n.lo + 1
			continue
		}
		stack = append(stack, id|behind)
		for e := n.first; e != 0; e = t.edges[e].next {
			stack = append(stack, t.edges[e].child)
		}
	}
}

// Repeats gives the strings that are found two or more times, by their length and
// the places where they begin, in growing order; the list of places is good until
// the next one.
func (t *Tree) Repeats() iter.Seq2[int, []uint32] {
	return func(yield func(int, []uint32) bool) {
		least, budget := max(t.MinLength, 2), t.Work
		if budget == 0 {
			budget = DefaultWork
		}
		budget *= len(t.str)
		var starts []uint32
		var order buckets
		stack := []uint32{0}
		for len(stack) > 0 {
			id := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			n := &t.nodes[id]
			stack = order.internal(t, n, stack)
			if id == 0 || int(n.depth) < least {
				continue
			}
			starts = starts[:0]
			if below := int(n.hi - n.lo); !t.Children && budget >= below {
				budget -= below
				starts = append(starts, t.under[n.lo:n.hi]...)
			} else {
				for e := n.first; e != 0; e = t.edges[e].next {
					if c := &t.nodes[t.edges[e].child]; c.leaf {
						starts = append(starts, c.suffix)
					}
				}
			}
			if len(starts) < 2 {
				continue
			}
			slices.Sort(starts)
			if !yield(int(n.depth), starts) {
				return
			}
		}
	}
}

// buckets are the places of an LLVM DenseMap from numbers, of which only the
// order matters here.
type buckets struct{ at, old []uint32 }

// internal appends the children of n that are no leaves, as a DenseMap of all of
// them has them.
func (b *buckets) internal(t *Tree, n *node, out []uint32) []uint32 {
	from, inner := len(out), 0
	for e := n.first; e != 0; e = t.edges[e].next {
		if !t.nodes[t.edges[e].child].leaf {
			out = append(out, t.edges[e].child)
			inner++
		}
	}
	if inner < 2 {
		return out
	}
	b.at = b.cleared(b.at, 64)
	count := 0
	for e := n.first; e != 0; e = t.edges[e].next {
		if count++; count*4 >= len(b.at)*3 {
			b.old, b.at = b.at, b.cleared(b.old, 2*len(b.at))
			for _, o := range b.old {
				if o != 0 {
					b.put(t, o)
				}
			}
		}
		b.put(t, e)
	}
	out = out[:from]
	for _, e := range b.at {
		if e != 0 && !t.nodes[t.edges[e].child].leaf {
			out = append(out, t.edges[e].child)
		}
	}
	return out
}

func (b *buckets) cleared(s []uint32, n int) []uint32 {
	if cap(s) < n {
		return make([]uint32, n)
	}
	s = s[:n]
	clear(s)
	return s
}

// put finds a place for an edge: 37 times its number, and then 1, 2, 3 … further.
func (b *buckets) put(t *Tree, e uint32) {
	mask := uint32(len(b.at) - 1)
	k := t.edges[e].key * 37 & mask
	for step := uint32(1); b.at[k] != 0; step++ {
		k = (k + step) & mask
	}
	b.at[k] = e
}

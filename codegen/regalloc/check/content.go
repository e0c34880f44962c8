package check

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// place is a register unit, or one of so many parts of a stack slot. A slot that
// was stored in one number of parts holds nothing for a load of another number.
type place struct {
	group       int32 // unit, or number of units + slot
	parts, part uint16
}

// node is what a place holds: the values that were defined as this node or as
// one of its ancestors, and where the topmost is a place's content at the start
// of the block, all that the place held there. Definitions since then take
// values away from all nodes; values knows which are left.
type node struct {
	// parent and jump are the node itself at the top. jump is an ancestor further
	// away, such that any depth is reached in logarithmically many steps.
	parent, jump int32
	depth        int32
	start        int32 // in places, 0 when the topmost node starts with nothing
	same         int32 // another node that was made by the same definition of the same value
	// expr and part are what was computed again here, and which part of it; 0 for none.
	expr, part int32
}

// anyNode stands for all nodes: a value that is undefined is held by every place.
const anyNode = -1

// contents holds the nodes of all blocks. Node 0 holds nothing.
type contents struct {
	nodes  []node
	places []place
}

func (c *contents) reset() { c.nodes, c.places = make([]node, 1), make([]place, 1) }

// atStart makes a node for what p holds at the start of a block.
func (c *contents) atStart(p place) int32 {
	n := int32(len(c.nodes))
	c.nodes = append(c.nodes, node{parent: n, jump: n, start: int32(len(c.places))})
	c.places = append(c.places, p)
	return n
}

// child makes a node for one value more than p holds.
func (c *contents) child(p int32) int32 {
	n := int32(len(c.nodes))
	if p == 0 {
		c.nodes = append(c.nodes, node{parent: n, jump: n})
		return n
	}
	up := &c.nodes[p]
	jump := p
	if j := &c.nodes[up.jump]; up.depth-j.depth == j.depth-c.nodes[j.jump].depth {
		jump = j.jump
	}
	c.nodes = append(c.nodes, node{parent: p, jump: jump, depth: up.depth + 1, start: up.start, expr: up.expr, part: up.part})
	return n
}

// under reports whether n is d or below it.
func (c *contents) under(n, d int32) bool {
	depth := c.nodes[d].depth
	for c.nodes[n].depth > depth {
		if j := c.nodes[n].jump; c.nodes[j].depth >= depth {
			n = j
		} else {
			n = c.nodes[n].parent
		}
	}
	return n == d
}

// underAny reports whether n is, or is below, one of the nodes made with d.
func (c *contents) underAny(n, d int32) bool {
	for ; d > 0; d = c.nodes[d].same {
		if c.under(n, d) {
			return true
		}
	}
	return false
}

// value is some lanes of a virtual register, numbered from 1.
type value struct {
	vreg  int32 // index
	lanes desc.LaneMask
	next  int32 // value of the same register

	// In the block being executed: when it was defined last, and how.
	block, time int32
	meaning
}

// meaning is how a value is defined at the end of a block: as node, anyNode for
// all places; as the same as value alias is at the block's start; as part part of
// an expression.
type meaning struct{ node, alias, expr, part int32 }

// vregState is a virtual register.
type vregState struct {
	first int32 // its values
	// When all its values were forgotten last, in the block being executed.
	block, time int32
	any         bool // they were, to be undefined
	// writer is the number of the only block that defines any part of it, 0 for none,
	// many for several and where one leaves it undefined.
	writer int32
}

const many = -1

// writtenBy notes a writing block.
func writtenBy(w *int32, block int32) {
	switch *w {
	case 0:
		*w = block
	case block:
	default:
		*w = many
	}
}

type values struct {
	list  []value
	vregs []vregState
	last  int32 // found last
}

func (v *values) reset(numVRegs int) {
	v.list, v.vregs, v.last = make([]value, 1), make([]vregState, numVRegs), 0
}

// number returns the value of some lanes of r. Lanes are mostly asked for in the
// order in which they were first, so the successor of the last answer is tried before.
func (v *values) value(r mir.Reg, lanes desc.LaneMask) int32 {
	vr := int32(r.Index())
	if n := v.list[v.last].next; n != 0 && v.list[n].vreg == vr && v.list[n].lanes == lanes {
		v.last = n
		return n
	}
	at := &v.vregs[vr].first
	for *at != 0 {
		if x := &v.list[*at]; x.lanes == lanes {
			v.last = *at
			return v.last
		}
		at = &v.list[*at].next
	}
	n := int32(len(v.list))
	*at = n
	v.list = append(v.list, value{vreg: vr, lanes: lanes})
	v.last = n
	return n
}

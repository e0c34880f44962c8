package layout

import (
	"slices"

	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// nest lets a loop that is laid out be one thing for the loops around it, so that
// a deep nest costs its blocks and not the sum of its loops' sizes. It is entered at
// its header alone: the edges into it are the header's. Those out of it are the
// exits'; of these, only such as leave the next loop too are kept for the one after.
type nest struct {
	// known says that all this holds: not with a profile, which leaves cold blocks
	// to the loops around, not where blocks that must stay together are in
	// different loops, and not once a header was copied.
	known bool
	loops []laidLoop
	// list holds the blocks of each loop in reverse postorder, of the loops inside it the headers alone.
	list []mir.BlockID
	// starts and ends name the loop, + 1, that begins or ends in its chain with a
	// block: the outermost of those that are laid out.
	starts, ends []int32
	exitNext     []mir.BlockID
	sorted       []mir.BlockID
	// work is how many blocks may still be looked at.
	work int
}

// laidLoop is one loop: its rows of nest.list, and once it is laid out its stretch
// of a chain and the list of its exiting blocks in that order.
type laidLoop struct {
	from, to    int32
	first, last mir.BlockID
	exits       mir.BlockID
	lastExit    mir.BlockID
}

// begin lists the blocks of the loops.
func (n *nest) begin(p *placement) {
	all := p.loops.All
	n.known = !p.profiled && len(all) > 0
	n.loops = rows.Zeroed(n.loops, len(all))
	size := p.f.NumBlockIDs()
	n.starts = rows.Zeroed(n.starts, size)
	if !n.known {
		return
	}
	n.ends, n.exitNext = rows.Zeroed(n.ends, size), rows.Zeroed(n.exitNext, size)
	rpo := pass.Get[pass.CFG](p.c, p.f).RPO()
	each := func(f func(x int32, b mir.BlockID)) {
		for _, v := range rpo {
			b := mir.BlockID(v)
			x := p.loopOf(b)
			if x < 0 {
				continue
			}
			f(x, b)
			if q := all[x].Parent; q >= 0 && all[x].Header == int32(v) {
				f(q, b)
			}
		}
	}
	each(func(x int32, _ mir.BlockID) { n.loops[x].to++ })
	at := int32(0)
	for x := range n.loops {
		r := &n.loops[x]
		r.from, at = at, at+r.to
		r.to = r.from
	}
	n.list = rows.Zeroed(n.list, int(at))
	each(func(x int32, b mir.BlockID) {
		n.list[n.loops[x].to] = b
		n.loops[x].to++
	})
}

// blocks are the blocks of loop x, of loops inside it the headers.
func (n *nest) blocks(x int32) []mir.BlockID { return n.list[n.loops[x].from:n.loops[x].to] }

// take reports whether loop x may be laid out: that is not too much work.
func (n *nest) take(p *placement, x int32) bool {
	if n.known {
		n.work -= len(n.blocks(x))
	} else {
		n.work -= int(p.loops.All[x].Size)
	}
	if n.work < 0 {
		n.known = false // loops around it have inner ones that are not laid out
	}
	return n.work >= 0
}

// startsAt is the loop that is laid out from b on, -1 for none.
func (n *nest) startsAt(b mir.BlockID) int32 {
	if !n.known {
		return -1
	}
	return n.starts[b] - 1
}

// removed takes b, which goes, out of the ends of loops.
func (n *nest) removed(p *placement, b mir.BlockID) {
	if !n.known {
		return
	}
	x, y := n.starts[b], n.ends[b]
	if x != 0 && x == y {
		n.known = false // nothing is left of the loop
		return
	}
	if x != 0 {
		n.loops[x-1].first, n.starts[p.next[b]] = p.next[b], x
	}
	if y != 0 {
		n.loops[y-1].last, n.ends[p.prev[b]] = p.prev[b], y
	}
}

// close says that chain c is loop x.
func (n *nest) close(p *placement, x int32, c mir.BlockID) {
	r := &n.loops[x]
	r.first, r.last, r.exits, r.lastExit = p.chains[c].first, p.chains[c].last, 0, 0
	for b := r.first; b != 0; b = p.next[b] {
		y := n.starts[b] - 1
		if y < 0 {
			n.keepExit(p, x, b)
			continue
		}
		for e := n.loops[y].exits; e != 0; {
			next := n.exitNext[e]
			n.keepExit(p, x, e)
			n.work--
			e = next
		}
		b = n.loops[y].last
	}
	n.starts[r.first], n.ends[r.last] = x+1, x+1
}

// keepExit puts b on the list of the blocks that loop x is left by, if it is one.
func (n *nest) keepExit(p *placement, x int32, b mir.BlockID) {
	if p.gone[b] {
		return
	}
	for _, s := range p.f.Succs(b) {
		if p.loops.Contains(int(x), int(s.Block)) {
			continue
		}
		r := &n.loops[x]
		if r.exits == 0 {
			r.exits = b
		} else {
			n.exitNext[r.lastExit] = b
		}
		r.lastExit, n.exitNext[b] = b, 0
		return
	}
}

// chainEnds are the blocks of the level that chains end with, in reverse postorder.
func (n *nest) chainEnds(p *placement) []mir.BlockID {
	n.sorted = n.sorted[:0]
	inner := false
	for _, b := range p.members {
		if p.loopOf(b) != p.level {
			b, inner = p.chains[p.of(b)].last, true
		}
		n.sorted = append(n.sorted, b)
	}
	if inner {
		cfg := pass.Get[pass.CFG](p.c, p.f)
		slices.SortFunc(n.sorted, func(a, b mir.BlockID) int { return cfg.RPONumber(int(a)) - cfg.RPONumber(int(b)) })
	}
	return n.sorted
}

// enterLevel is enter for all members of the level.
func (p *placement) enterLevel() {
	for _, b := range p.members {
		c := p.of(b)
		if p.seen[c] == p.seenNow {
			continue // the chain that the others are laid behind
		}
		for _, q := range p.f.Preds(b) {
			if p.inside(q) && p.of(q) != c {
				p.chains[c].waiting++
			}
		}
	}
	for _, b := range p.members {
		c := p.of(b)
		if p.seen[c] == p.seenNow {
			continue
		}
		p.seen[c] = p.seenNow
		if x := &p.chains[c]; x.waiting == 0 {
			p.ready(x.first)
		}
	}
}

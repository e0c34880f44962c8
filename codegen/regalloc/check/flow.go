package check

// fact says that a place holds a value at the start of a block.
type fact struct {
	block int32 // number
	at    place
	value int32
}

// factState is what is known of a fact.
type factState struct {
	fact
	wrong bool
	// users lists the facts that are wrong when this one is, in flow.users.
	users int32
}

type factUser struct{ fact, next int32 }

// flow follows facts backwards. Each is taken for true until it is wrong: at
// the entry, or where a predecessor's end says no. That gives the greatest
// solution, the one that meeting whole states gives.
type flow struct {
	facts []factState
	ids   map[fact]int32
	users []factUser
	wrong []int32 // facts to tell their users of
}

// never is the fact that is wrong, always the one that is true.
const always, never = 0, 1

// followUses decides the uses that their blocks left open, and reports.
func (c *checker) followUses() {
	c.written.sort(len(c.units) + len(c.slots))
	c.defs.sort(len(c.list))
	c.forgets.sort(len(c.vregs))
	c.ids = map[fact]int32{}
	c.facts = append(c.facts, factState{}, factState{wrong: true})
	c.users = append(c.users, factUser{})
	open := make([]int32, len(c.uses))
	for k := range c.uses {
		u := &c.uses[k]
		open[k] = never
		if u.at != 0 {
			open[k] = c.demand(fact{u.block, c.places[u.at], u.value})
		}
	}
	for k := never + 1; k < len(c.facts); k++ {
		c.follow(int32(k))
	}
	for len(c.wrong) > 0 {
		n := c.wrong[len(c.wrong)-1]
		c.wrong = c.wrong[:len(c.wrong)-1]
		for e := c.facts[n].users; e != 0; e = c.users[e].next {
			c.refute(c.users[e].fact)
		}
	}
	var last use
	for k := range c.uses {
		u := &c.uses[k]
		if c.facts[open[k]].wrong && (u.instr != last.instr || u.operand != last.operand) {
			last = *u
			c.fail(u)
		}
	}
}

// follow asks the predecessors for a fact.
func (c *checker) follow(n int32) {
	x := c.facts[n].fact
	for _, p := range c.f.Preds(c.block[x.block]) {
		q := c.number[p]
		if q == 0 {
			continue
		}
		on := int32(never)
		switch a, at, v := c.atEnd(q, x.at, x.value); a {
		case yes:
			continue
		case ask:
			on = c.demand(fact{q, at, v})
		}
		switch {
		case on == always:
		case c.facts[on].wrong:
			c.refute(n)
			return
		default:
			c.users = append(c.users, factUser{n, c.facts[on].users})
			c.facts[on].users = int32(len(c.users) - 1)
		}
	}
}

func (c *checker) refute(n int32) {
	if x := &c.facts[n]; !x.wrong {
		x.wrong = true
		c.wrong = append(c.wrong, n)
	}
}

// demand returns the number of a fact. Where a slot is written by one block
// only, and the value defined by one only that dominates it, all blocks below the
// writer see what it left: no way from there leads through either again without
// passing the writer last.
func (c *checker) demand(x fact) int32 {
	for {
		if holds, ok := c.atEntry(x); ok {
			if holds {
				return always
			}
			return never
		}
		fixed := c.unitOf(x.value) >= 0
		r := c.vregs[c.list[x.value].vreg].writer
		s := int(x.at.group) - len(c.units)
		if x.block == 1 || r == 0 && !fixed || s >= 0 && c.slots[s].writer == 0 && r != many {
			return never
		}
		if s < 0 || r == many || fixed {
			break
		}
		w := c.slots[s].writer
		if w == many || w == x.block || !c.dominates(w, x.block) || !c.dominates(r, w) {
			break
		}
		a, at, v := c.atEnd(w, x.at, x.value)
		switch a {
		case no:
			return never
		case yes:
			return always
		}
		x.block, x.at, x.value = w, at, v
	}
	n, ok := c.ids[x]
	if !ok {
		n = int32(len(c.facts))
		c.ids[x] = n
		c.facts = append(c.facts, factState{fact: x})
	}
	return n
}

func (c *checker) dominates(a, b int32) bool {
	return c.dom.Dominates(int(c.block[a]), int(c.block[b]))
}

// atEnd asks whether p holds v at the end of a block; ask comes with what to ask
// for at its start. At an exprPlace it asks whether v is that expression.
func (c *checker) atEnd(block int32, p place, v int32) (answer, place, int32) {
	x := &c.list[v]
	m, known := meaning{}, false
	if d := c.defs.find(v, block); d != nil {
		m, known = d.means, true
	} else if r := c.forgets.find(x.vreg, block); r != nil {
		if r.at == anyNode {
			return yes, p, v
		}
		return no, p, v
	} else if u := c.unitOf(v); u >= 0 && c.calledIn(block, u) {
		return yes, p, v
	}
	if known && m.node == anyNode {
		return yes, p, v
	}
	if p.group < 0 {
		switch {
		case !known:
			return ask, p, v
		case m.alias != 0:
			return ask, p, m.alias
		case m.expr == -p.group && m.part == int32(p.part):
			return yes, p, v
		}
		return no, p, v
	}
	n, w := int32(0), c.written.find(p.group, block)
	switch {
	case w == nil && int(p.group) < len(c.units) && c.calledIn(block, p.group):
	case w == nil && !known:
		return ask, p, v
	case w == nil && m.alias != 0:
		return ask, p, m.alias
	case w == nil:
		return no, p, v
	case int(p.group) < len(c.units):
		n = w.at
	case w.parts == int32(p.parts):
		n = c.stored[int(w.at)+int(p.part)]
	}
	return c.matches(n, v, m, known)
}

// calledIn reports whether a call of the block clobbers a unit.
func (c *checker) calledIn(block, unit int32) bool {
	for _, m := range c.called[c.calls[block]:c.calls[block+1]] {
		if c.masks[m].has(unit) {
			return true
		}
	}
	return false
}

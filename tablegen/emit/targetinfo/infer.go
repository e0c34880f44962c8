package targetinfo

import "slices"

// inferClasses makes the classes that are missing for the questions that
// allocators ask to have answers: the registers of two classes, those with a
// sub-register, those whose sub-register is in a class.
func (b *builder) inferClasses() {
	order := b.indicesTopDown()
	firstNew := len(b.classes) - 1
	for i := 0; i < len(b.classes); i++ {
		c := b.classes[i]
		if c.artificial {
			continue
		}
		b.inferWithIdx(c)
		b.inferCommon(c)
		b.inferMatching(c, 0, order)
		// Classes up to i have been matched with those up to firstNew only.
		if i == firstNew {
			next := len(b.classes) - 1
			for k := 0; k <= firstNew; k++ {
				b.inferMatching(b.classes[k], firstNew+1, order)
			}
			firstNew = next
		}
		if len(b.classes) > maxClasses {
			b.fail(c.rec, "", "the register classes need more than %d classes to be complete", maxClasses)
			return
		}
	}
}

// maxClasses bounds what inference may make.
const maxClasses = 20000

// indicesTopDown orders sub-register indices so that one stands before those
// that it is composed of with others.
func (b *builder) indicesTopDown() []*subRegIndex {
	var post []*subRegIndex
	seen := make([]bool, len(b.indices)+1)
	var visit func(x *subRegIndex)
	visit = func(x *subRegIndex) {
		if seen[x.num] {
			return
		}
		seen[x.num] = true
		for _, z := range slices.Backward(x.composed.vals) {
			visit(z)
		}
		post = append(post, x)
	}
	for _, x := range slices.Backward(b.indices) {
		visit(x)
	}
	slices.Reverse(post)
	return post
}

// inferWithIdx finds for each index the registers of c that have it.
func (b *builder) inferWithIdx(c *class) {
	sets := map[*subRegIndex][]*register{}
	for _, r := range c.members {
		if r.artificial {
			continue
		}
		for _, x := range r.subs.keys {
			sets[x] = append(sets[x], r)
		}
	}
	for _, x := range b.indices {
		l := sets[x]
		switch {
		case len(l) == 0:
		case len(l) == len(c.members):
			c.withIdx[x] = c
		case x.artificial:
		default:
			s, _ := b.subClass(c, l, func() string { return c.name + "_with_" + x.name })
			c.withIdx[x] = s
		}
	}
}

// inferCommon makes classes of the registers that c shares with others.
func (b *builder) inferCommon(c *class) {
	n := len(b.classes)
	for i := 0; i < n; i++ {
		p, q := c, b.classes[i]
		if p == q {
			continue
		}
		var both []*register
		for w := range p.set {
			if p.set[w]&q.set[w] != 0 {
				both = b.intersection(p, q)
				break
			}
		}
		if len(both) == 0 {
			continue
		}
		if q.sizes.stricterSpill(p.sizes) {
			p, q = q, p
		}
		b.subClass(p, both, func() string { return p.name + "_and_" + q.name })
	}
}

func (b *builder) intersection(p, q *class) []*register {
	if len(q.members) < len(p.members) {
		p, q = q, p
	}
	var out []*register
	for _, r := range p.members {
		if q.has(r) {
			out = append(out, r)
		}
	}
	return out
}

// inferMatching finds for each index of c and each class from number from on
// the registers of c whose sub-register is in the class.
func (b *builder) inferMatching(c *class, from int, order []*subRegIndex) {
	implied := map[*subRegIndex]bool{}
	for _, x := range order {
		if c.withIdx[x] != c || implied[x] {
			continue
		}
		shapes := map[int]bool{}
		parts := make([]*register, len(c.members))
		for i, r := range c.members {
			s, ok := r.subs.get(x)
			if !ok {
				return
			}
			parts[i] = s
			shapes[s.topo] = true
		}
		n := len(b.classes)
		for k := from; k < n; k++ {
			sub := b.classes[k]
			if sub.artificial || !anyShape(shapes, sub.shapes) {
				continue
			}
			var in []*register
			for i, s := range parts {
				if sub.has(s) {
					in = append(in, c.members[i])
				}
			}
			switch {
			case len(in) == 0:
			case len(in) == len(c.members):
				// Every part is in the class: indices that go through this
				// one find nothing that the class does not find itself.
				sub.addSuper(x, c)
				for _, z := range x.composed.vals {
					implied[z] = true
				}
			default:
				idx, into := x, sub
				if sub.fromIdx != nil {
					if z, ok := x.composed.get(sub.fromIdx); ok {
						idx, into = z, sub.fromClass
					}
				}
				s, made := b.subClass(c, in, func() string { return c.name + "_with_" + idx.name + "_in_" + into.name })
				if made {
					s.fromIdx, s.fromClass = idx, into
				}
			}
		}
	}
}

func anyShape(a, c map[int]bool) bool {
	if len(c) < len(a) {
		a, c = c, a
	}
	for s := range a {
		if c[s] {
			return true
		}
	}
	return false
}

func (c *class) addSuper(x *subRegIndex, s *class) {
	m := c.superOf[x]
	if m == nil {
		m = map[*class]bool{}
		c.superOf[x] = m
	}
	m[s] = true
}

package targetinfo

import (
	"encoding/binary"
	"slices"
)

// completeSubRegs finds all sub-registers of all registers with an index each,
// making indices where the description has none.
func (b *builder) completeSubRegs() {
	for _, r := range b.regs {
		b.subRegs(r)
	}
	if len(b.errs) > 0 {
		return
	}
	for _, x := range b.indices {
		b.leafParts(x, 0)
		if len(x.parts) > 0 {
			b.concats[partsKey(x.parts)] = x
		}
	}
	for _, r := range b.regs {
		if r.covered {
			b.secondarySubRegs(r)
		}
	}
	if len(b.errs) > 0 {
		return
	}
	for _, r := range b.regs {
		b.superRegs(r)
	}
	for _, r := range b.regs {
		if r.artificial {
			continue
		}
		for i, x := range r.subs.keys {
			if !r.subs.vals[i].artificial {
				x.artificial = false
			}
		}
	}
	b.native = len(b.units)
}

// subRegs finds the sub-registers of r: those that the record names, theirs,
// and for each of them one index.
func (b *builder) subRegs(r *register) {
	switch r.state {
	case stateDone:
		return
	case stateBusy:
		b.fail(r.rec, "SubRegs", "register '%s' has itself as a sub-register", r.name)
		return
	}
	r.state = stateBusy
	r.disjunct = len(r.explicit) > 1
	for i, s := range r.explicit {
		x := r.explicitIdx[i]
		if !s.artificial {
			x.artificial = false
		}
		if _, ok := r.subs.insert(x, s); !ok {
			b.fail(r.rec, "SubRegIndices", "sub-register index '%s' appears twice in register '%s'", x.name, r.name)
		}
		if r.idxOf[s] == nil {
			r.idxOf[s] = x
		}
	}
	// What is inherited under an index that is taken needs another one.
	orphans := map[*register]bool{}
	for _, s := range r.explicit {
		b.subRegs(s)
		if len(b.errs) > 0 {
			return
		}
		r.disjunct = r.disjunct || s.disjunct
		for i, x := range s.subs.keys {
			if _, ok := r.subs.insert(x, s.subs.vals[i]); !ok {
				orphans[s.subs.vals[i]] = true
			}
		}
	}
	b.nameOrphans(r, orphans)
	b.checkNames(r)
	if len(b.errs) > 0 {
		return
	}
	b.nameConcats(r)
	b.firstUnits(r)
	r.state = stateDone
}

// nameOrphans gives the orphans an index: one that the description composes,
// else one that is inferred from two others.
func (b *builder) nameOrphans(r *register, orphans map[*register]bool) {
	indices := slices.Clone(r.explicitIdx)
	for i := 0; i < len(indices) && len(orphans) > 0; i++ {
		x := indices[i]
		s, _ := r.subs.get(x)
		for k, y := range x.composed.keys {
			t, ok := s.subs.get(y)
			z := x.composed.vals[k]
			if !ok || !orphans[t] {
				continue
			}
			if _, taken := r.subs.get(z); taken {
				continue
			}
			delete(orphans, t)
			r.subs.insert(z, t)
			indices = append(indices, z)
		}
	}
	// From the last to the first, so that what is composed uses the largest
	// parts: another register may have them in the same places.
	for len(indices) > 0 && len(orphans) > 0 {
		x := indices[len(indices)-1]
		indices = indices[:len(indices)-1]
		s, _ := r.subs.get(x)
		for i, y := range s.subs.keys {
			if t := s.subs.vals[i]; orphans[t] {
				delete(orphans, t)
				z := b.composite(x, y)
				if k, has := r.subs.find(z); has {
					r.subs.vals[k] = t
				} else {
					r.subs.insert(z, t)
				}
			}
		}
	}
}

// checkNames sees that each sub-register has one index.
func (b *builder) checkNames(r *register) {
	for i, x := range r.subs.keys {
		s := r.subs.vals[i]
		if s == r {
			b.fail(r.rec, "SubRegs", "register '%s' has itself as a sub-register", r.name)
			continue
		}
		if !r.covered {
			x.covered = false
		}
		if old := r.idxOf[s]; old == nil {
			r.idxOf[s] = x
		} else if old != x {
			b.fail(r.rec, "SubRegIndices", "sub-register '%s' of '%s' has two indices: '%s' and '%s'", s.name, r.name, old.name, x.name)
		}
	}
}

// nameConcats notes which indices are concatenations of others, so that no
// second index is made for the same parts.
func (b *builder) nameConcats(r *register) {
next:
	for i, s := range r.explicit {
		if !s.covered || s.artificial || len(s.explicit) == 0 {
			continue
		}
		var parts []*subRegIndex
		for k, p := range s.explicit {
			if s.explicitIdx[k].artificial {
				continue next
			}
			parts = append(parts, r.idxOf[p])
		}
		if x := r.explicitIdx[i]; len(x.parts) == 0 {
			x.parts = parts
		}
	}
}

// leafParts replaces parts that have parts themselves.
func (b *builder) leafParts(x *subRegIndex, depth int) {
	if x.partsDone || len(x.parts) == 0 || depth > len(b.indices) {
		return
	}
	var leaves []*subRegIndex
	for _, p := range x.parts {
		if p == nil || p == x {
			continue
		}
		b.leafParts(p, depth+1)
		if len(p.parts) == 0 {
			leaves = append(leaves, p)
		} else {
			leaves = append(leaves, p.parts...)
		}
	}
	x.parts, x.partsDone = leaves, true
}

func partsKey(parts []*subRegIndex) string {
	k := make([]byte, 0, 4*len(parts))
	for _, p := range parts {
		k = binary.LittleEndian.AppendUint32(k, uint32(p.num))
	}
	return string(k)
}

// concat gives the index of neighbouring parts, which is made when there is none.
func (b *builder) concat(parts []*subRegIndex) *subRegIndex {
	key := partsKey(parts)
	if x := b.concats[key]; x != nil {
		return x
	}
	name := parts[0].name
	for _, p := range parts[1:] {
		name += "_" + p.name
	}
	x := b.newIndex(name)
	x.parts, x.partsDone = slices.Clone(parts), true
	for m := range x.ranges {
		first := parts[0].ranges[m]
		size, last, neighbours := first.size, first, true
		for _, p := range parts[1:] {
			q := p.ranges[m]
			if size == noBits || q.size == noBits {
				size = noBits
			} else {
				size += q.size
			}
			if last.size == noBits || q.offset != last.offset+last.size {
				neighbours = false
			}
			last = q
		}
		x.ranges[m] = bitRange{size, noBits}
		if neighbours {
			x.ranges[m].offset = first.offset
		}
	}
	b.concats[key] = x
	return x
}

// secondarySubRegs finds registers all of whose parts are parts of r: D1_D2 in
// D0_D1_D2_D3. They are sub-registers too, at a concatenation of indices.
func (b *builder) secondarySubRegs(r *register) {
	type found struct {
		idx *subRegIndex
		sub *register
	}
	var made, queue []found
	for i, x := range r.subs.keys {
		queue = append(queue, found{x, r.subs.vals[i]})
	}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		for _, cand := range at.sub.leading {
			if cand == r || r.idxOf[cand] != nil || len(cand.explicit) == 1 {
				continue
			}
			var parts []*subRegIndex
			for _, s := range cand.explicit {
				x := r.idxOf[s]
				if x == nil {
					parts = nil
					break
				}
				if len(x.parts) == 0 {
					parts = append(parts, x)
				} else {
					parts = append(parts, x.parts...)
				}
			}
			if len(parts) < 2 {
				continue
			}
			n := found{b.concat(parts), cand}
			if _, ok := r.subs.insert(n.idx, cand); !ok {
				continue
			}
			made, queue = append(made, n), append(queue, n)
			r.idxOf[cand] = n.idx
		}
	}
	for _, n := range made {
		for i, y := range n.sub.subs.keys {
			z := r.idxOf[n.sub.subs.vals[i]]
			if z == nil {
				b.fail(r.rec, "SubRegs", "'%s', a part of '%s', has no sub-register index in '%s'", n.sub.subs.vals[i].name, n.sub.name, r.name)
				return
			}
			n.idx.compose(y, z)
		}
	}
}

// superRegs enters r with its sub-registers, after theirs, and gives it the
// number of its shape: registers of one shape have parts of equal shapes at equal
// indices.
func (b *builder) superRegs(r *register) {
	if r.superDone {
		return
	}
	r.superDone = true
	for _, s := range r.subs.vals {
		b.superRegs(s)
	}
	var sig []byte
	for i, s := range r.subs.vals {
		sig = binary.LittleEndian.AppendUint32(sig, uint32(r.subs.keys[i].num))
		sig = binary.LittleEndian.AppendUint32(sig, uint32(s.topo))
		if n := len(s.supers); n > 0 && s.supers[n-1] == r {
			continue
		}
		s.supers = append(s.supers, r)
	}
	id, ok := b.topoSigs[string(sig)]
	if !ok {
		id = len(b.topoSigs)
		b.topoSigs[string(sig)] = id
	}
	r.topo = id
}

package targetinfo

import (
	"cmp"
	"math"
	"slices"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/tablegen"
)

// readsWrites gives what a class does on a machine, and whether anything is
// known: what an InstRW says, the instruction itself, or an ItinRW.
func (s *schedBuilder) readsWrites(c *schedClass, m *schedModel) (writes, reads []*tablegen.Record) {
	writes, reads = c.writes, c.reads
	for _, r := range c.instRW {
		if s.modelOf(r) == m {
			writes, reads = splitRW(r.DefList("OperandReadWrites"))
			break
		}
	}
	if len(writes) == 0 && c.itin != nil {
		for _, r := range m.itinRW {
			if slices.Contains(r.DefList("MatchedItinClasses"), c.itin) {
				return splitRW(r.DefList("OperandReadWrites"))
			}
		}
	}
	return writes, reads
}

// alias follows SchedAlias for a machine.
func (s *schedBuilder) alias(r *tablegen.Record, m *schedModel) *tablegen.Record {
	for range 10 {
		next := r
		for _, a := range s.aliases[r] {
			am := s.modelOf(a)
			if am == m || a.DefField("SchedModel") == nil {
				if x := a.DefField("AliasRW"); x != nil {
					next = x
				}
			}
		}
		if next == r {
			break
		}
		r = next
	}
	return r
}

// sequence lists the writes that a write stands for on a machine.
func (s *schedBuilder) sequence(w *tablegen.Record, m *schedModel, depth int) []*tablegen.Record {
	if a := s.alias(w, m); a != w {
		w = a
	}
	if !w.IsSubClassOf("WriteSequence") || depth > 20 {
		return []*tablegen.Record{w}
	}
	var out []*tablegen.Record
	for range min(max(w.Int("Repeat"), 1), 1000) {
		for _, x := range w.DefList("Writes") {
			out = append(out, s.sequence(x, m, depth+1)...)
		}
		if len(out) > 10000 {
			s.b.fail(w, "Writes", "the sequence '%s' is too long", w.Name)
			break
		}
	}
	return out
}

// costRecord finds the resources of a write on a machine.
func (s *schedBuilder) costRecord(w *tablegen.Record, m *schedModel) *tablegen.Record {
	if w.IsSubClassOf("ProcWriteResources") {
		return w
	}
	return m.writeRes[w]
}

// cost lays out the cost of a class on a machine.
func (s *schedBuilder) cost(n int, c *schedClass, mi int) desc.SchedClassDesc {
	m := s.models[mi]
	var d desc.SchedClassDesc
	t := s.t
	if m.rec == nil || m.rec.Bit("NoModel") || !m.hasCosts || n == 0 || c.model >= 0 && c.model != mi {
		d.MicroOps = desc.SchedInvalid
		return d
	}
	if l := s.choices[n]; len(l) > 0 {
		first := len(t.Choices)
		for _, x := range l {
			if x.model == mi {
				t.Choices = append(t.Choices, x.SchedChoice)
			}
		}
		if k := len(t.Choices) - first; k > 0 {
			d.MicroOps, d.Advances, d.NumChoices = desc.SchedVariant, uint32(first), uint16(k)
			return d
		}
	}
	writes, reads := s.readsWrites(c, m)
	if len(writes) == 0 {
		d.MicroOps = desc.SchedInvalid
		return d
	}
	var uses []desc.SchedUse
	var lats []desc.SchedLatency
	ops := int64(0)
	for _, w := range writes {
		seq := s.sequence(w, m, 0)
		if len(seq) == 0 {
			continue
		}
		cycles := int64(0)
		for _, x := range seq {
			r := s.costRecord(x, m)
			if r == nil {
				if x.Name == "NoWrite" {
					continue
				}
				s.b.fail(m.rec, "", "machine '%s' has no resources for '%s' (of class '%s')", m.name, x.Name, c.name)
				return d
			}
			if r.Bit("Unsupported") {
				return desc.SchedClassDesc{MicroOps: desc.SchedInvalid}
			}
			cycles += r.Int("Latency")
			ops += r.Int("NumMicroOps")
			if r.Bit("BeginGroup") || r.Bit("SingleIssue") {
				d.Flags |= desc.SchedBeginGroup
			}
			if r.Bit("EndGroup") || r.Bit("SingleIssue") {
				d.Flags |= desc.SchedEndGroup
			}
			if r.Bit("RetireOOO") {
				d.Flags |= desc.SchedRetireOOO
			}
			uses = s.uses(uses, r, m)
		}
		lat := desc.SchedLatency{Cycles: int16(min(cycles, math.MaxInt16))}
		if last := seq[len(seq)-1]; m.asked[last] {
			lat.Write = s.writes[last]
		}
		lats = append(lats, lat)
	}
	slices.SortFunc(uses, func(x, y desc.SchedUse) int { return cmp.Compare(x.Resource, y.Resource) })
	d.MicroOps = uint16(min(ops, desc.SchedVariant-1))
	d.NumUses, d.Uses = uint16(min(len(uses), math.MaxUint16)), addRows(&t.Uses, uses)
	d.NumLatencies, d.Latencies = uint16(len(lats)), addRows(&t.Latencies, lats)
	adv := s.advances(reads, m)
	d.NumAdvances, d.Advances = uint16(len(adv)), addRows(&t.Advances, adv)
	return d
}

// addRows keeps a list in a pool, shared with an equal one that is there.
func addRows[T comparable](pool *[]T, l []T) uint32 {
	if len(l) == 0 {
		return 0
	}
	const window = 1 << 12 // how far back equal lists are looked for
	for at := max(0, len(*pool)-window); at+len(l) <= len(*pool); at++ {
		if slices.Equal((*pool)[at:at+len(l)], l) {
			return uint32(at)
		}
	}
	at := uint32(len(*pool))
	*pool = append(*pool, l...)
	return at
}

// uses adds the resources of a cost record: those it names, what contains them,
// and groups that have all of them.
func (s *schedBuilder) uses(to []desc.SchedUse, r *tablegen.Record, m *schedModel) []desc.SchedUse {
	res := slices.Clone(r.DefList("ProcResources"))
	for i := range res {
		res[i] = s.units(m, res[i])
	}
	release, acquire := ints(r, "ReleaseAtCycles"), ints(r, "AcquireAtCycles")
	if len(release) > 0 && len(release) != len(res) || len(acquire) > 0 && len(acquire) != len(res) {
		s.b.fail(r, "ReleaseAtCycles", "'%s' has %d resources, but %d release cycles and %d acquire cycles", r.Name, len(res), len(release), len(acquire))
		return to
	}
	for len(release) < len(res) {
		release = append(release, 1)
	}
	for len(acquire) < len(res) {
		acquire = append(acquire, 0)
	}
	given := len(res)
	for i := 0; i < given; i++ {
		parts := []*tablegen.Record{res[i]}
		if res[i].IsSubClassOf("ProcResGroup") {
			parts = res[i].DefList("Resources")
		} else {
			for k, x := 0, res[i].DefField("Super"); x != nil && k < 20; k, x = k+1, x.DefField("Super") {
				x = s.units(m, x)
				res, release, acquire = append(res, x), append(release, release[i]), append(acquire, acquire[i])
			}
		}
		for _, g := range m.resources {
			if g == res[i] || !g.IsSubClassOf("ProcResGroup") {
				continue
			}
			in := g.DefList("Resources")
			if !slices.ContainsFunc(parts, func(p *tablegen.Record) bool { return !slices.Contains(in, p) }) {
				res, release, acquire = append(res, g), append(release, release[i]), append(acquire, acquire[i])
			}
		}
	}
	for i, x := range res {
		n, ok := m.resNum[x]
		if !ok {
			s.b.fail(r, "ProcResources", "'%s' uses resource '%s', which machine '%s' does not have", r.Name, x.Name, m.name)
			return to
		}
		if acquire[i] > release[i] || release[i] > math.MaxUint16 || acquire[i] < 0 {
			s.b.fail(r, "AcquireAtCycles", "'%s' acquires '%s' at cycle %d and releases it at %d", r.Name, x.Name, acquire[i], release[i])
			return to
		}
		// The same resource again is used behind the first time.
		k := slices.IndexFunc(to, func(u desc.SchedUse) bool { return int(u.Resource) == n })
		if k >= 0 && acquire[i] == 0 && to[k].Acquire == 0 {
			to[k].Release += uint16(release[i])
			continue
		}
		to = append(to, desc.SchedUse{Resource: uint16(n), Release: uint16(release[i]), Acquire: uint16(acquire[i])})
	}
	return to
}

func ints(r *tablegen.Record, field string) []int64 {
	var out []int64
	for _, x := range r.List(field) {
		v, _ := tablegen.IntValue(x)
		out = append(out, v)
	}
	return out
}

// advances lists which operands a machine reads later.
func (s *schedBuilder) advances(reads []*tablegen.Record, m *schedModel) []desc.SchedAdvance {
	var out []desc.SchedAdvance
	for i, r := range reads {
		r = s.alias(r, m)
		a := r
		if !r.IsSubClassOf("ProcReadAdvance") {
			if a = m.advances[r]; a == nil {
				continue
			}
		}
		cycles := int16(a.Int("Cycles"))
		valid := a.DefList("ValidWrites")
		if len(valid) == 0 {
			out = append(out, desc.SchedAdvance{Use: uint16(i), Cycles: cycles})
			continue
		}
		tune := ints(a, "CycleTunables") // cycles more or less by write
		first := len(out)
		for k, w := range valid {
			c := cycles
			if k < len(tune) {
				c += int16(tune[k])
			}
			out = append(out, desc.SchedAdvance{Use: uint16(i), Write: s.writes[w], Cycles: c})
		}
		slices.SortStableFunc(out[first:], func(x, y desc.SchedAdvance) int { return cmp.Compare(x.Write, y.Write) })
	}
	return out
}

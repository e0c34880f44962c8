package sched

import (
	"cmp"
	"slices"

	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// loopEdge has node to of the iteration that is dist later begin no earlier than latency
// cycles behind node from.
type loopEdge struct {
	from, to      int32
	latency, dist int32
}

// moduloScheduler finds a schedule whose rounds begin every ii cycles.
type moduloScheduler struct {
	edges        []loopEdge
	preds, succs [][]int32 // edges by node
	units        []int     // of each resource; the first one is the issue width
	uses         [][]moduloUse
	ii           int32
	// asap and alap are the first and the last cycle at the least interval, height the longest
	// way to the end.
	asap, alap, height []int32
	component          []int32 // the recurrence of a node, -1 none
	order              []int32
	time               []int32
	placed             []bool
	table              []int // what is taken of each resource in each cycle of a round
	// place is the place of a node in a round.
	place    []int32
	sequence []int32
	stages   int32

	set, inOrder, ready []bool
	index, low, stack   []int32
	count               int32
	sets                []recurrence
}

// moduloUse is how many cycles of a resource a node takes from a cycle on.
type moduloUse struct {
	resource     int
	from, cycles int
}

// recurrence is a strongly connected component of more than one node, and the interval that
// it asks for.
type recurrence struct {
	id, ii int32
	size   int32
}

// searchRange is how many intervals above the least one are tried (LLVM's pipeliner-ii-search-range).
const searchRange = 10

// unschedulable is more than any interval.
const unschedulable = 1 << 20

// schedule finds a schedule of more than one stage; false when there is none that is good enough.
func (s *pipeliner) schedule() bool {
	t := &s.c.Machine.Options.Tuning.Pipeliner
	m := &s.modulo
	if !s.dependences() {
		s.forget()
		return false
	}
	s.resources()
	mii := max(m.resourceMII(), m.recurrenceMII(nil, len(s.nodes)))
	last := mii + searchRange
	switch {
	case t.ForceII > 0:
		if mii = int32(min(t.ForceII, unschedulable)); !m.isFeasible(mii, nil, len(s.nodes)) {
			s.forget()
			return false
		}
		last = mii
	case mii > int32(t.MaxMII.Or(maxMII)):
		s.forget()
		return false
	}
	m.levels(mii)
	m.findRecurrences()
	m.findOrder()
	most := int32(min(t.MaxStages.Or(maxStages), maxPipelined)) + 1
	for ii := mii; ii <= last; ii++ {
		if m.try(ii) {
			if m.stages > 1 && m.stages <= most && m.isRight() {
				return true
			}
			break
		}
	}
	s.forget()
	return false
}

// maxLoopEdges is the number of edges of a loop from which on it is left as it is: the least
// interval is found by going over all of them for each node.
const maxLoopEdges = 4000

// dependences finds the edges between the nodes; false when there are too many.
func (s *pipeliner) dependences() bool {
	f, m := s.f, &s.modulo
	n := len(s.nodes)
	m.edges = m.edges[:0]
	for to := range s.nodes {
		i := s.nodes[to].instr
		for k, o := range f.Ops(i) {
			if o.IsUse() && o.Reg().IsVirtual() && !o.IsUndef() {
				s.dataEdge(int32(to), k, o.Reg())
			}
		}
	}
	for x := range n {
		for y := x; y < n; y++ {
			s.memoryEdges(int32(x), int32(y))
		}
		if len(m.edges) > maxLoopEdges {
			return false
		}
	}
	if cap(m.preds) < n {
		m.preds, m.succs = make([][]int32, n), make([][]int32, n)
	}
	m.preds, m.succs = m.preds[:n], m.succs[:n]
	for k := range n {
		m.preds[k], m.succs[k] = m.preds[k][:0], m.succs[k][:0]
	}
	for e := range m.edges {
		x := &m.edges[e]
		m.preds[x.to] = append(m.preds[x.to], int32(e))
		m.succs[x.from] = append(m.succs[x.from], int32(e))
	}
	return true
}

// dataEdge adds the edge to node to from what writes the register that it reads in operand
// k: through PHIs it is an iteration older for each.
func (s *pipeliner) dataEdge(to int32, k int, r mir.Reg) {
	dist := int32(0)
	v := s.value(r)
	for ; v >= 0 && int(v) < s.numPHIs; dist++ {
		if int(dist) > s.numPHIs {
			return // PHIs that read each other alone
		}
		v = s.value(s.values[v].back)
	}
	if v < 0 || s.values[v].node < 0 {
		return
	}
	from := s.values[v].node
	def := s.nodes[from].instr
	lat := 0
	for d, o := range s.f.Ops(def) {
		if o.IsDef() && o.Reg() == s.values[v].reg {
			lat = s.machine.OperandLatency(s.f, def, d, s.nodes[to].instr, k)
		}
	}
	s.modulo.edges = append(s.modulo.edges, loopEdge{from, to, int32(lat), dist})
}

// memoryEdges orders two accesses of which x stands first, in an iteration and over
// iterations. What pointers are in another iteration is not known but for the objects
// that they point to.
func (s *pipeliner) memoryEdges(x, y int32) {
	f := s.f
	i, j := s.nodes[x].instr, s.nodes[y].instr
	storeX, storeY := f.MayStore(i), f.MayStore(j)
	if !storeX && !storeY || !storeX && !f.MayLoad(i) || !storeY && !f.MayLoad(j) ||
		!storeX && f.IsInvariantLoad(i) || !storeY && f.IsInvariantLoad(j) || s.areApart(i, j) {
		return
	}
	lat := func(store, load bool) int32 { return int32(boolInt(store && load)) }
	m := &s.modulo
	if x != y {
		m.edges = append(m.edges, loopEdge{x, y, lat(storeX, f.MayLoad(j)), 0})
	}
	m.edges = append(m.edges, loopEdge{y, x, lat(storeY, f.MayLoad(i)), 1})
}

// areApart reports that two accesses touch different objects, whatever the iterations are.
func (s *pipeliner) areApart(i, j mir.InstrID) bool {
	b := &s.builder
	if !b.findObjects(i) {
		return false
	}
	first := append(s.expand.objects[:0], b.mem.objects...)
	s.expand.objects = first
	if !b.findObjects(j) {
		return false
	}
	for _, x := range first {
		for _, y := range b.mem.objects {
			if x.key == y.key {
				return false
			}
		}
	}
	return true
}

// resources describes what the nodes take.
func (s *pipeliner) resources() {
	m, model := &s.modulo, &s.machine
	m.units = append(m.units[:0], model.IssueWidth())
	m.units = append(m.units, model.units[1:]...)
	if cap(m.uses) < len(s.nodes) {
		m.uses = make([][]moduloUse, len(s.nodes))
	}
	m.uses = m.uses[:len(s.nodes)]
	for k := range s.nodes {
		i := s.nodes[k].instr
		u := m.uses[k][:0]
		if ops := model.MicroOps(s.f, i); ops > 0 {
			u = append(u, moduloUse{0, 0, ops})
		}
		if c := model.Class(s.f, i); c != nil {
			for _, x := range model.Uses(c) {
				u = append(u, moduloUse{int(x.Resource) + 1, int(x.Acquire), int(x.Release) - int(x.Acquire)})
			}
		}
		m.uses[k] = u
	}
}

// resourceMII is the least interval in which there are enough resources.
func (m *moduloScheduler) resourceMII() int32 {
	total := rows.Zeroed(m.table, len(m.units))
	m.table = total
	for k := range m.uses {
		for _, u := range m.uses[k] {
			total[u.resource] += u.cycles
		}
	}
	most := 1
	for r, n := range total {
		if u := max(m.units[r], 1); n > 0 {
			most = max(most, (n+u-1)/u)
		}
	}
	return int32(most)
}

// isFeasible reports that no recurrence, of those inside a set of nodes (nil: all), asks for a
// greater interval: no way around one is longer than the rounds that it takes.
func (m *moduloScheduler) isFeasible(ii int32, set []bool, size int) bool {
	m.asap = rows.Zeroed(m.asap, len(m.preds))
	for range size + 1 {
		changed := false
		for k := range m.edges {
			e := &m.edges[k]
			if set != nil && (!set[e.from] || !set[e.to]) {
				continue
			}
			if t := m.asap[e.from] + e.latency - ii*e.dist; t > m.asap[e.to] {
				m.asap[e.to], changed = t, true
			}
		}
		if !changed {
			return true
		}
	}
	return false
}

// recurrenceMII is the least interval at which recurrences inside a set are feasible.
func (m *moduloScheduler) recurrenceMII(set []bool, size int) int32 {
	low, high := int32(1), int32(1)
	for k := range m.edges {
		high += m.edges[k].latency
	}
	for low < high {
		if mid := low + (high-low)/2; m.isFeasible(mid, set, size) {
			high = mid
		} else {
			low = mid + 1
		}
	}
	return low
}

// levels finds the first and last cycles of the nodes and their heights.
func (m *moduloScheduler) levels(ii int32) {
	n := len(m.preds)
	m.isFeasible(ii, nil, n)
	m.alap, m.height = rows.Sized(m.alap, n), rows.Zeroed(m.height, n)
	for range n + 1 {
		changed := false
		for k := range m.edges {
			e := &m.edges[k]
			if h := m.height[e.to] + e.latency - ii*e.dist; h > m.height[e.from] {
				m.height[e.from], changed = h, true
			}
		}
		if !changed {
			break
		}
	}
	end := int32(0)
	for k := range n {
		end = max(end, m.asap[k]+m.height[k])
	}
	for k := range n {
		m.alap[k] = end - m.height[k]
	}
}

// findRecurrences finds the strongly connected components (Tarjan 1972), those that ask for the
// greatest interval first.
func (m *moduloScheduler) findRecurrences() {
	n := len(m.preds)
	m.component = rows.Sized(m.component, n)
	m.index, m.low = rows.Zeroed(m.index, n), rows.Zeroed(m.low, n)
	m.stack, m.count, m.sets = m.stack[:0], 0, m.sets[:0]
	for k := range n {
		m.component[k] = -1
	}
	for k := range int32(n) {
		if m.index[k] == 0 {
			m.connect(k)
		}
	}
	asap := slices.Clone(m.asap)
	for k := range m.sets {
		m.set = rows.Zeroed(m.set, n)
		for v := range n {
			m.set[v] = m.component[v] == m.sets[k].id
		}
		m.sets[k].ii = m.recurrenceMII(m.set, int(m.sets[k].size))
	}
	copy(m.asap, asap)
	slices.SortStableFunc(m.sets, func(a, b recurrence) int {
		return cmp.Or(cmp.Compare(b.ii, a.ii), cmp.Compare(b.size, a.size))
	})
}

// connect visits node v; loops have few nodes, so that it may call itself.
func (m *moduloScheduler) connect(v int32) {
	m.count++
	m.index[v], m.low[v] = m.count, m.count
	m.stack = append(m.stack, v)
	for _, e := range m.succs[v] {
		switch w := m.edges[e].to; {
		case m.index[w] == 0:
			m.connect(w)
			m.low[v] = min(m.low[v], m.low[w])
		case m.index[w] > 0 && slices.Contains(m.stack, w):
			m.low[v] = min(m.low[v], m.index[w])
		}
	}
	if m.low[v] != m.index[v] {
		return
	}
	at := slices.Index(m.stack, v)
	if size := len(m.stack) - at; size > 1 {
		id := int32(len(m.sets))
		m.sets = append(m.sets, recurrence{id: id, size: int32(size)})
		for _, w := range m.stack[at:] {
			m.component[w] = id
		}
	}
	m.stack = m.stack[:at]
}

// findOrder orders the nodes: recurrences first, each with the nodes on ways between it and
// those before, then all others; in each set so that a node has, when it is placed, only
// predecessors or only successors that have a place, but where a recurrence closes.
func (m *moduloScheduler) findOrder() {
	n := len(m.preds)
	m.order, m.inOrder = m.order[:0], rows.Zeroed(m.inOrder, n)
	m.set = rows.Zeroed(m.set, n)
	for _, r := range m.sets {
		for v := range n {
			m.set[v] = m.component[v] == r.id && !m.inOrder[v]
		}
		if len(m.order) > 0 {
			m.addBetween()
		}
		m.orderSet()
	}
	for v := range n {
		m.set[v] = !m.inOrder[v]
	}
	m.orderSet()
}

// addBetween adds to set the nodes on ways between it and what is in the order.
func (m *moduloScheduler) addBetween() {
	n := len(m.preds)
	fromOrder, toOrder := m.reach(m.inOrder, true), m.reach(m.inOrder, false)
	fromSet, toSet := m.reach(m.set, true), m.reach(m.set, false)
	for v := range n {
		if !m.inOrder[v] && (fromOrder[v] && toSet[v] || fromSet[v] && toOrder[v]) {
			m.set[v] = true
		}
	}
}

// reach marks the nodes that edges lead to from nodes of a set, or from which edges lead there.
func (m *moduloScheduler) reach(set []bool, down bool) []bool {
	seen := slices.Clone(set)
	m.stack = m.stack[:0]
	for v := range set {
		if set[v] {
			m.stack = append(m.stack, int32(v))
		}
	}
	for len(m.stack) > 0 {
		v := m.stack[len(m.stack)-1]
		m.stack = m.stack[:len(m.stack)-1]
		list := m.preds[v]
		if down {
			list = m.succs[v]
		}
		for _, e := range list {
			w := m.edges[e].from
			if down {
				w = m.edges[e].to
			}
			if !seen[w] {
				seen[w] = true
				m.stack = append(m.stack, w)
			}
		}
	}
	return seen
}

// orderSet appends the nodes of set to the order.
func (m *moduloScheduler) orderSet() {
	m.ready = rows.Zeroed(m.ready, len(m.preds))
	for {
		down := false
		switch {
		case m.fillReady(true):
		case m.fillReady(false):
			down = true
		default:
			first := int32(-1)
			for v := range m.set {
				if m.set[v] && (first < 0 || m.asap[v] > m.asap[first]) {
					first = int32(v)
				}
			}
			if first < 0 {
				return
			}
			m.ready[first] = true
		}
		for {
			m.drain(down)
			if down = !down; !m.fillReady(!down) {
				break
			}
		}
	}
}

// fillReady makes the nodes of set ready that are predecessors, or successors, of what is in
// the order, and reports that there are any.
func (m *moduloScheduler) fillReady(preds bool) bool {
	some := false
	for _, v := range m.order {
		list := m.succs[v]
		if preds {
			list = m.preds[v]
		}
		for _, e := range list {
			w := m.edges[e].to
			if preds {
				w = m.edges[e].from
			}
			if m.set[w] && !m.ready[w] {
				m.ready[w], some = true, true
			}
		}
	}
	return some
}

// drain moves ready nodes, and those of set behind (down) or before them, into the order:
// the longest ways first, among equals what can be moved least.
func (m *moduloScheduler) drain(down bool) {
	for {
		best := int32(-1)
		rank := func(v int32) int32 {
			if down {
				return m.height[v]
			}
			return m.asap[v]
		}
		for v := range int32(len(m.ready)) {
			if m.ready[v] && (best < 0 || cmp.Or(cmp.Compare(rank(v), rank(best)), cmp.Compare(m.alap[best]-m.asap[best], m.alap[v]-m.asap[v])) > 0) {
				best = v
			}
		}
		if best < 0 {
			return
		}
		m.ready[best], m.set[best], m.inOrder[best] = false, false, true
		m.order = append(m.order, best)
		list := m.preds[best]
		if down {
			list = m.succs[best]
		}
		for _, e := range list {
			w := m.edges[e].from
			if down {
				w = m.edges[e].to
			}
			if m.set[w] {
				m.ready[w] = true
			}
		}
	}
}

// try places all nodes at an interval, each as near as it can be to those that have a place.
func (m *moduloScheduler) try(ii int32) bool {
	n := len(m.preds)
	m.ii = ii
	m.time, m.placed = rows.Zeroed(m.time, n), rows.Zeroed(m.placed, n)
	m.table = rows.Zeroed(m.table, int(ii)*len(m.units))
	for _, v := range m.order {
		if !m.placeNode(v) {
			return false
		}
	}
	first := m.time[0]
	for _, t := range m.time {
		first = min(first, t)
	}
	m.stages = 0
	for k := range m.time {
		m.time[k] -= first
		m.stages = max(m.stages, m.time[k]/ii+1)
	}
	return m.findSequence()
}

// placeNode finds a cycle for node v.
func (m *moduloScheduler) placeNode(v int32) bool {
	early, late := int32(-unschedulable), int32(unschedulable)
	for _, e := range m.preds[v] {
		if x := &m.edges[e]; m.placed[x.from] {
			early = max(early, m.time[x.from]+x.latency-m.ii*x.dist)
		}
	}
	for _, e := range m.succs[v] {
		if x := &m.edges[e]; m.placed[x.to] {
			late = min(late, m.time[x.to]-x.latency+m.ii*x.dist)
		}
	}
	from, to, step := early, min(late, early+m.ii-1), int32(1)
	switch {
	case early == -unschedulable && late == unschedulable:
		from = m.asap[v]
		to = from + m.ii - 1
	case early == -unschedulable:
		from, to, step = late, late-m.ii+1, -1
	}
	for t := from; (to-t)*step >= 0; t += step {
		if m.take(v, t) {
			m.time[v], m.placed[v] = t, true
			return true
		}
	}
	return false
}

// take takes the resources of node v in cycle t, or none when they are not there. What is
// longer than the interval takes units of it more than once.
func (m *moduloScheduler) take(v, t int32) bool {
	width := len(m.units)
	add := func(n int, u moduloUse) {
		if u.resource == 0 {
			// More than the width is issued alone.
			m.table[int(mod(t, m.ii))*width] += n * min(u.cycles, m.units[0])
			return
		}
		for c := range u.cycles {
			m.table[int(mod(t+int32(u.from+c), m.ii))*width+u.resource] += n
		}
	}
	for _, u := range m.uses[v] {
		add(1, u)
	}
	for _, u := range m.uses[v] {
		for c := range max(1, u.cycles) {
			at := int(mod(t+int32(u.from+c), m.ii))
			if m.table[at*width+u.resource] > max(1, m.units[u.resource]) {
				for _, u := range m.uses[v] {
					add(-1, u)
				}
				return false
			}
			if u.resource == 0 {
				break
			}
		}
	}
	return true
}

func mod(a, b int32) int32 { return ((a % b) + b) % b }

// findSequence orders the nodes in a round: by cycle, and those of a cycle by the edges
// between what they do in the same round.
func (m *moduloScheduler) findSequence() bool {
	n := len(m.preds)
	m.sequence, m.place = m.sequence[:0], rows.Sized(m.place, n)
	left := rows.Zeroed(m.index, n) // edges from nodes of the same cycle that have no place yet
	m.index = left
	together := func(e *loopEdge) bool {
		return m.time[e.from]/m.ii == m.time[e.to]/m.ii+e.dist && m.time[e.from]%m.ii == m.time[e.to]%m.ii
	}
	for k := range m.edges {
		if together(&m.edges[k]) {
			left[m.edges[k].to]++
		}
	}
	for slot := range m.ii {
		m.stack = m.stack[:0]
		for v := n - 1; v >= 0; v-- {
			if m.time[v]%m.ii == slot && left[v] == 0 {
				m.stack = append(m.stack, int32(v))
			}
		}
		for len(m.stack) > 0 {
			v := m.stack[len(m.stack)-1]
			m.stack = m.stack[:len(m.stack)-1]
			m.place[v] = int32(len(m.sequence))
			m.sequence = append(m.sequence, v)
			for _, e := range m.succs[v] {
				if x := &m.edges[e]; together(x) {
					if left[x.to]--; left[x.to] == 0 {
						m.stack = append(m.stack, x.to)
					}
				}
			}
		}
	}
	return len(m.sequence) == n
}

// stage is the number of rounds after the first one of its iteration in which a node is executed.
func (m *moduloScheduler) stage(v int32) int32 { return m.time[v] / m.ii }

// isRight proves the schedule: each edge leads to a later round, or to a later place in the
// same one.
func (m *moduloScheduler) isRight() bool {
	for k := range m.edges {
		e := &m.edges[k]
		from, to := m.stage(e.from), m.stage(e.to)+e.dist
		if from > to || from == to && m.place[e.from] >= m.place[e.to] {
			return false
		}
	}
	return true
}

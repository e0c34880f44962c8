package sched

import "github.com/mirin-go/mirin/support/rows"

// boundary is the state of the machine at one end of what has no order yet: from
// the top cycles go on, from the bottom they go back.
type boundary struct {
	s     *scheduler
	isTop bool
	// available nodes can be scheduled in this cycle, pending ones have all
	// that they need, but not yet.
	available, pending []int32
	place              []int32 // by node in one of them
	checkPending       bool
	cycle, microOps    int // of this cycle
	minReady           int
	// expected is the latency of what is scheduled, dependent of what depends on it.
	expected, dependent int
	retired             int   // micro-operations
	executed            []int // by resource
	maxExecuted         int
	critical            int // the resource that is used most, 0 for the width of the machine
	resourceLimited     bool
	reserved            []int // by unit of a resource: the cycle from which on it is free, -1 never used
	firstUnit           []int
	cluster             int32
}

// Bits of node.queue.
const (
	topAvailable = 1 << iota
	topPending
	botAvailable
	botPending
)

// maxAvailable bounds the nodes that are compared; others wait.
const maxAvailable = 256

const never = int(^uint(0) >> 1)

func (b *boundary) begin(s *scheduler, isTop bool) {
	m := &s.machine
	*b = boundary{s: s, isTop: isTop, available: b.available[:0], pending: b.pending[:0], place: rows.Sized(b.place, len(s.g.nodes)), minReady: never,
		executed: rows.Zeroed(b.executed, max(1, len(m.units))), reserved: b.reserved[:0], firstUnit: b.firstUnit[:0]}
	for _, n := range m.units {
		b.firstUnit = append(b.firstUnit, len(b.reserved))
		for range n {
			b.reserved = append(b.reserved, -1)
		}
	}
}

func (b *boundary) ready(n int32) int {
	if b.isTop {
		return int(b.s.g.nodes[n].topReady)
	}
	return int(b.s.g.nodes[n].botReady)
}

func (b *boundary) bits() (available, pending uint8) {
	if b.isTop {
		return topAvailable, topPending
	}
	return botAvailable, botPending
}

// unscheduledLatency is how far n is from the other end.
func (b *boundary) unscheduledLatency(n int32) int {
	if b.isTop {
		return int(b.s.g.nodes[n].height)
	}
	return int(b.s.g.nodes[n].depth)
}

func (b *boundary) scheduledLatency() int { return max(b.expected, b.cycle) }

// criticalCount is how much of the critical resource is used.
func (b *boundary) criticalCount() int {
	if b.critical == 0 {
		return b.retired * b.s.machine.MicroOpFactor()
	}
	return b.executed[b.critical]
}

// otherCritical is the resource that is used most here and in what has no order
// yet, and how much of it.
func (b *boundary) otherCritical() (resource, count int) {
	m := &b.s.machine
	if !m.HasInstrModel() {
		return 0, 0
	}
	count = b.s.remainingOps + b.retired*m.MicroOpFactor()
	for r := 1; r < len(m.units); r++ {
		if n := b.executed[r] + b.s.remaining[r]; n > count {
			resource, count = r, n
		}
	}
	return resource, count
}

// stall is how many cycles n waits for something that is not buffered.
func (b *boundary) stall(n int32) int {
	if !b.s.g.nodes[n].unbuffered {
		return 0
	}
	return max(0, b.ready(n)-b.cycle)
}

// hasHazard reports that n cannot start in this cycle.
func (b *boundary) hasHazard(n int32) bool {
	m, x := &b.s.machine, &b.s.g.nodes[n]
	if b.microOps > 0 {
		if b.microOps+int(x.ops) > m.IssueWidth() || b.isTop && x.begins || !b.isTop && x.ends {
			return true
		}
	}
	if x.reserves {
		for _, u := range m.usesOf(x) {
			if at, _ := b.nextFree(u); at > b.cycle {
				return true
			}
		}
	}
	return false
}

// nextFree is the first cycle in which a unit of a resource is free, and which unit.
func (b *boundary) nextFree(u use) (at, unit int) {
	m := &b.s.machine
	at = never
	for k := range m.units[u.resource] {
		i := b.firstUnit[u.resource] + k
		t := b.reserved[i]
		switch {
		case t < 0:
			t = b.cycle
		case !b.isTop:
			t = max(b.cycle, t+u.cycles)
		}
		if t < at {
			at, unit = t, i
		}
	}
	if at == never {
		at = 0
	}
	return at, unit
}

// release takes in a node that has all that it needs.
func (b *boundary) release(n int32) {
	b.minReady = min(b.minReady, b.ready(n))
	b.put(n, b.mustWait(n))
}

// keepsKinds reports that the available nodes are sorted by what they are like.
func (b *boundary) keepsKinds() bool { return !b.isTop && b.s.kinds.on }

// put puts a node that is in none into a queue.
func (b *boundary) put(n int32, wait bool) {
	bit, pending := b.bits()
	list := &b.available
	if wait {
		bit, list = pending, &b.pending
	}
	b.place[n] = int32(len(*list))
	*list = append(*list, n)
	b.s.g.nodes[n].queue |= bit
	if !wait && b.keepsKinds() {
		b.s.kinds.add(n)
	}
}

// remove takes a node out of the queue that it is in, if any; the last takes its place.
func (b *boundary) remove(n int32) {
	available, pending := b.bits()
	x := &b.s.g.nodes[n]
	list := &b.available
	switch {
	case x.queue&pending != 0:
		list = &b.pending
	case x.queue&available == 0:
		return
	case b.keepsKinds():
		b.s.kinds.drop(n)
	}
	x.queue &^= available | pending
	last := (*list)[len(*list)-1]
	(*list)[b.place[n]], b.place[last] = last, b.place[n]
	*list = (*list)[:len(*list)-1]
}

func (b *boundary) mustWait(n int32) bool {
	return b.s.machine.MicroOpBuffer() == 0 && b.ready(n) > b.cycle || len(b.available) >= maxAvailable || b.hasHazard(n)
}

// releasePending takes pending nodes that can start now over.
func (b *boundary) releasePending() {
	if len(b.available) == 0 {
		b.minReady = never
	}
	for k := 0; k < len(b.pending) && len(b.available) < maxAvailable; {
		n := b.pending[k]
		b.minReady = min(b.minReady, b.ready(n))
		if b.mustWait(n) {
			k++
			continue
		}
		b.remove(n)
		b.put(n, false)
	}
	b.checkPending = false
}

// onlyChoice returns the node that alone is available, -1 when there are several.
func (b *boundary) onlyChoice() int32 {
	if b.checkPending {
		b.releasePending()
	}
	if !b.keepsKinds() || b.s.kinds.anyHazard() {
		for k := 0; k < len(b.available); {
			if n := b.available[k]; b.hasHazard(n) {
				b.remove(n)
				b.put(n, true)
				continue
			}
			k++
		}
	}
	for len(b.available) == 0 {
		b.bumpCycle(b.cycle + 1)
		b.releasePending()
	}
	if len(b.available) == 1 {
		return b.available[0]
	}
	return -1
}

// bumpCycle goes on to a later cycle.
func (b *boundary) bumpCycle(next int) {
	m := &b.s.machine
	if m.MicroOpBuffer() == 0 && b.minReady != never {
		next = max(next, b.minReady)
	}
	d := next - b.cycle
	b.microOps = max(0, b.microOps-m.IssueWidth()*d)
	b.dependent = max(0, b.dependent-d)
	b.cycle = next
	b.checkPending = true
	b.resourceLimited = exceeds(m, b.criticalCount(), b.scheduledLatency(), true)
}

// exceeds reports that a count of a resource is more than a latency has room for.
func exceeds(m *machine, count, latency int, after bool) bool {
	d := count - latency*m.LatencyFactor()
	if after {
		return d >= m.LatencyFactor()
	}
	return d > m.LatencyFactor()
}

// take counts what a node does with a resource, and returns when that is free.
func (b *boundary) take(u use) int {
	m := &b.s.machine
	n := m.count(u)
	b.executed[u.resource] += n
	b.maxExecuted = max(b.maxExecuted, b.executed[u.resource])
	b.s.remaining[u.resource] -= n
	if b.critical != u.resource && b.executed[u.resource] > b.criticalCount() {
		b.critical = u.resource
	}
	at, _ := b.nextFree(u)
	return at
}

// bumpNode schedules node n in this cycle.
func (b *boundary) bumpNode(n int32) {
	m, x := &b.s.machine, &b.s.g.nodes[n]
	ops := int(x.ops)
	next := b.cycle
	if ready := b.ready(n); m.MicroOpBuffer() == 1 || m.MicroOpBuffer() > 1 && x.unbuffered {
		next = max(next, ready)
	}
	b.retired += ops
	if m.HasInstrModel() {
		b.s.remainingOps -= ops * m.MicroOpFactor()
		if b.critical != 0 && b.retired*m.MicroOpFactor()-b.executed[b.critical] >= m.LatencyFactor() {
			b.critical = 0
		}
		for _, u := range m.usesOf(x) {
			next = max(next, b.take(u))
		}
		if x.reserves {
			b.reserve(n, next)
		}
	}
	if b.isTop {
		b.expected, b.dependent = max(b.expected, int(x.depth)), max(b.dependent, int(x.height))
	} else {
		b.expected, b.dependent = max(b.expected, int(x.height)), max(b.dependent, int(x.depth))
	}
	if next > b.cycle {
		b.bumpCycle(next)
	} else {
		b.resourceLimited = exceeds(m, b.criticalCount(), b.scheduledLatency(), true)
	}
	b.microOps += ops
	if b.isTop && x.ends || !b.isTop && x.begins {
		next++
		b.bumpCycle(next)
	}
	for b.microOps >= m.IssueWidth() {
		next++
		b.bumpCycle(next)
	}
}

// reserve keeps the units that n takes until they are free again.
func (b *boundary) reserve(n int32, next int) {
	m := &b.s.machine
	for _, u := range m.usesOf(&b.s.g.nodes[n]) {
		if !m.inOrder[u.resource] {
			continue
		}
		at, unit := b.nextFree(u)
		if b.isTop {
			b.reserved[unit] = max(at, next+u.cycles)
		} else {
			b.reserved[unit] = next
		}
	}
}

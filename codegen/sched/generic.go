package sched

import "github.com/mirin-go/mirin/target"

// The rules by which one ready node is taken before another, LLVM's of its generic
// scheduler, in order: each decides only what those before it leave open.

// reason is the rule by which a candidate was taken.
type reason uint8

const (
	noReason reason = iota
	byPhysReg
	byExcess
	byCritical
	byStall
	byCluster
	byWeak
	byMax
	byResourceReduce
	byResourceDemand
	byBotHeight
	byBotPath
	byTopDepth
	byTopPath
	byOrder
	byFirst
)

// policy says what to look at beside registers.
type policy struct {
	latency        bool
	reduce, demand int // resources to save and to use, 0 none
}

// candidate is a node that may be scheduled next. node -1 is none.
type candidate struct {
	node         int32
	policy       policy
	reason       reason
	atTop        bool
	delta        delta
	crit, demand int // cycles of the policy's resources
}

var noCandidate = candidate{node: -1}

// setBest makes c what t is, under c's policy.
func (c *candidate) setBest(t *candidate) {
	p := c.policy
	*c = *t
	c.policy = p
}

// tryLess decides for the lesser of two values. It reports that they differ: t.reason
// is set when t is better, otherwise c keeps the strongest reason.
func tryLess(tv, cv int, t, c *candidate, r reason) bool {
	if tv < cv {
		t.reason = r
		return true
	}
	if tv > cv {
		c.reason = min(c.reason, r)
		return true
	}
	return false
}

// tryGreater decides for the greater of two values.
func tryGreater(tv, cv int, t, c *candidate, r reason) bool { return tryLess(-tv, -cv, t, c, r) }

// tryPressure decides by what two candidates do to pressure sets.
func tryPressure(tp, cp change, t, c *candidate, r reason) bool {
	if tryGreater(boolInt(tp.by < 0), boolInt(cp.by < 0), t, c, r) {
		return true
	}
	if c.atTop != t.atTop {
		return false
	}
	if tp.set == cp.set {
		return tryLess(int(tp.by), int(cp.by), t, c, r)
	}
	// Sets with a greater number are less constrained.
	rank := func(x change) int {
		if x.set == 0 {
			return never
		}
		return int(x.set)
	}
	tr, cr := rank(tp), rank(cp)
	if tp.by < 0 {
		tr, cr = cr, tr
	}
	return tryLess(cr, tr, t, c, r)
}

// tryLatency decides by the way to and from the ends of the region.
func tryLatency(t, c *candidate, z *boundary) bool {
	tn, cn := &z.s.g.nodes[t.node], &z.s.g.nodes[c.node]
	if z.isTop {
		return max(int(tn.depth), int(cn.depth)) > z.scheduledLatency() && tryLess(int(tn.depth), int(cn.depth), t, c, byTopDepth) ||
			tryGreater(int(tn.height), int(cn.height), t, c, byTopPath)
	}
	return max(int(tn.height), int(cn.height)) > z.scheduledLatency() && tryLess(int(tn.height), int(cn.height), t, c, byBotHeight) ||
		tryGreater(int(tn.depth), int(cn.depth), t, c, byBotPath)
}

// biasPhysReg keeps copies from and to physical registers, and constants in them,
// close to where these are written and read.
func (s *scheduler) biasPhysReg(n int32, isTop bool) int {
	f, x := s.f, &s.g.nodes[n]
	if isCopy(f, x.instr) {
		scheduled, other := 0, 1
		left := x.predsLeft
		if isTop {
			scheduled, other, left = 1, 0, x.succsLeft
		}
		if f.Op(x.instr, scheduled).Reg().IsPhysical() {
			return 1
		}
		if f.Op(x.instr, other).Reg().IsPhysical() {
			if left == 0 {
				return -1
			}
			return 1
		}
	}
	if f.Desc(x.instr).IsMoveImm() {
		for k := range int(f.Desc(x.instr).NumDefs) {
			if o := f.Op(x.instr, k); o.IsReg() && !o.Reg().IsPhysical() {
				return 0
			}
		}
		if isTop {
			return -1
		}
		return 1
	}
	return 0
}

// tryCandidate reports that t is better than c. zone is nil when they are of different ends.
func (s *scheduler) tryCandidate(c, t *candidate, zone *boundary) bool {
	if c.node < 0 {
		t.reason = byFirst
		return true
	}
	if s.decides(c, t, zone) {
		return t.reason != noReason
	}
	// The order that was; behind allocation LLVM asks for the first one at either end.
	first := t.node < c.node
	if !s.postRA {
		first = zone != nil && first == zone.isTop
	}
	if first {
		t.reason = byOrder
		return true
	}
	return false
}

func (s *scheduler) decides(c, t *candidate, zone *boundary) bool {
	if s.postRA {
		return s.decidesPostRA(c, t, zone)
	}
	if tryGreater(s.biasPhysReg(t.node, t.atTop), s.biasPhysReg(c.node, c.atTop), t, c, byPhysReg) {
		return true
	}
	if s.tracks && (tryPressure(t.delta.excess, c.delta.excess, t, c, byExcess) || tryPressure(t.delta.critical, c.delta.critical, t, c, byCritical)) {
		return true
	}
	if zone != nil {
		if s.acyclicLimited && zone.microOps == 0 && tryLatency(t, c, zone) {
			return true
		}
		if tryLess(zone.stall(t.node), zone.stall(c.node), t, c, byStall) {
			return true
		}
	}
	if tryGreater(boolInt(s.inCluster(t)), boolInt(s.inCluster(c)), t, c, byCluster) {
		return true
	}
	if zone != nil && tryLess(s.weakLeft(t), s.weakLeft(c), t, c, byWeak) {
		return true
	}
	if s.tracks && tryPressure(t.delta.max, c.delta.max, t, c, byMax) {
		return true
	}
	if zone == nil {
		return false
	}
	s.findDemand(t)
	return tryLess(t.crit, c.crit, t, c, byResourceReduce) || tryGreater(t.demand, c.demand, t, c, byResourceDemand) ||
		t.policy.latency && !s.acyclicLimited && tryLatency(t, c, zone)
}

// decidesPostRA are the rules behind allocation.
func (s *scheduler) decidesPostRA(c, t *candidate, zone *boundary) bool {
	if zone != nil && tryLess(zone.stall(t.node), zone.stall(c.node), t, c, byStall) {
		return true
	}
	if tryGreater(boolInt(s.inCluster(t)), boolInt(s.inCluster(c)), t, c, byCluster) {
		return true
	}
	s.findDemand(t)
	return tryLess(t.crit, c.crit, t, c, byResourceReduce) || tryGreater(t.demand, c.demand, t, c, byResourceDemand) ||
		zone != nil && c.policy.latency && tryLatency(t, c, zone)
}

func (s *scheduler) inCluster(c *candidate) bool {
	k := s.bot.cluster
	if c.atTop {
		k = s.top.cluster
	}
	return k != 0 && s.g.nodes[c.node].cluster == k
}

func (s *scheduler) weakLeft(c *candidate) int {
	if c.atTop {
		return int(s.g.nodes[c.node].weakPreds)
	}
	return int(s.g.nodes[c.node].weakSuccs)
}

// findDemand finds the cycles of the resources that the policy names.
func (s *scheduler) findDemand(c *candidate) {
	c.crit, c.demand = 0, 0
	if c.policy.reduce == 0 && c.policy.demand == 0 {
		return
	}
	for _, u := range s.machine.usesOf(&s.g.nodes[c.node]) {
		if u.resource == c.policy.reduce {
			c.crit += u.cycles
		}
		if u.resource == c.policy.demand {
			c.demand += u.cycles
		}
	}
}

// pickFrom takes the best of the nodes available at one end, or best if that is better.
func (s *scheduler) pickFrom(z *boundary, p policy, best *candidate) {
	list := z.available
	if z.keepsKinds() {
		s.firsts = s.firsts[:0]
		for _, i := range s.kinds.live {
			s.firsts = append(s.firsts, s.kinds.firstOf(i))
		}
		list = s.firsts
	}
	for _, n := range list {
		t := candidate{node: n, policy: p, atTop: z.isTop}
		if s.tracks {
			if z.isTop {
				t.delta = s.pressure.downward(n)
			} else {
				t.delta = s.pressure.upward(n)
			}
		}
		zone := z
		if best.node >= 0 && best.atTop != z.isTop {
			zone = nil
		}
		if s.tryCandidate(best, &t, zone) {
			s.findDemand(&t)
			best.setBest(&t)
		}
	}
}

// policyOf finds what matters at end z, given the other end (nil: none).
func (s *scheduler) policyOf(z, other *boundary) (p policy) {
	otherRes, otherCount := 0, 0
	if other != nil {
		otherRes, otherCount = other.otherCritical()
	}
	limited, latency := false, -1
	if s.machine.HasInstrModel() && otherCount != 0 {
		latency = s.remLatency(z)
		limited = exceeds(&s.machine, otherCount, latency, false)
	}
	if !limited && (s.postRA || s.reduceLatency(z, latency)) {
		p.latency = true
	}
	if z.critical == otherRes {
		return p
	}
	if z.resourceLimited {
		p.reduce = z.critical
	}
	if limited {
		p.demand = otherRes
	}
	return p
}

// remLatency is the latency of what has no order yet.
func (s *scheduler) remLatency(z *boundary) int {
	most := z.dependent
	for _, n := range z.available {
		most = max(most, z.unscheduledLatency(n))
	}
	for _, n := range z.pending {
		most = max(most, z.unscheduledLatency(n))
	}
	return most
}

func (s *scheduler) reduceLatency(z *boundary, latency int) bool {
	switch {
	case z.cycle > s.criticalPath:
		return true
	case z.cycle == 0:
		return false
	case latency < 0:
		latency = s.remLatency(z)
	}
	return latency+z.cycle > s.criticalPath
}

// pick takes the next node, and says from which end; -1 when there is none left.
func (s *scheduler) pick() (n int32, atTop bool) {
	switch s.direction {
	case target.SchedTopDown:
		return s.pickOne(&s.top), true
	case target.SchedBottomUp:
		return s.pickOne(&s.bot), false
	}
	if n = s.bot.onlyChoice(); n >= 0 {
		return n, false
	}
	if n = s.top.onlyChoice(); n >= 0 {
		return n, true
	}
	botPolicy, topPolicy := s.policyOf(&s.bot, &s.top), s.policyOf(&s.top, &s.bot)
	if b := &s.botBest; b.node < 0 || s.g.nodes[b.node].scheduled || b.policy != botPolicy {
		*b = noCandidate
		s.pickFrom(&s.bot, botPolicy, b)
	}
	if t := &s.topBest; t.node < 0 || s.g.nodes[t.node].scheduled || t.policy != topPolicy {
		*t = noCandidate
		s.pickFrom(&s.top, topPolicy, t)
	}
	best := s.botBest
	s.topBest.reason = noReason
	if s.tryCandidate(&best, &s.topBest, nil) {
		best.setBest(&s.topBest)
	}
	return best.node, best.atTop
}

// pickOne takes the next node from one end alone.
func (s *scheduler) pickOne(z *boundary) int32 {
	if !z.isTop && !s.postRA {
		s.kinds.update()
	}
	if n := z.onlyChoice(); n >= 0 {
		return n
	}
	var p policy
	if s.postRA {
		p = s.policyOf(z, nil)
	}
	best := noCandidate
	best.policy = p
	s.pickFrom(z, p, &best)
	return best.node
}

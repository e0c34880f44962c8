package sched

import (
	"github.com/mirin-go/mirin/codegen/liveness"
	"github.com/mirin-go/mirin/codegen/regclass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// What is live is numbered: register units, then virtual registers (things). Parts
// of virtual registers are not told apart.

// change is what an instruction does to a pressure set. Change 0 of a pressure
// set without a number is none.
type change struct {
	set uint16 // 1 + the set, 0 none
	by  int16
}

// maxChanges is how many pressure sets of an instruction are looked at, the most
// constrained ones, as by LLVM.
const maxChanges = 16

// diff are the changes of an instruction, sorted by set.
type diff [maxChanges]change

// add adds weight to a set. It reports that the rest of the sets has no room.
func (d *diff) add(set uint16, weight int) (full bool) {
	k := 0
	for k < maxChanges && d[k].set != 0 && d[k].set < set+1 {
		k++
	}
	if k == maxChanges {
		return true
	}
	if d[k].set != set+1 {
		copy(d[k+1:], d[k:maxChanges-1])
		d[k] = change{set: set + 1}
	}
	if d[k].by += int16(weight); d[k].by == 0 {
		copy(d[k:], d[k+1:])
		d[maxChanges-1] = change{}
	}
	return false
}

// things are the registers of an instruction, ranges of pressure.things.
type things struct{ uses, defs, dead, end int32 }

// value is one that a register has over time.
type value struct {
	uses int32 // of a virtual register: the nodes that read it
	// readers counts the nodes that read it and are not scheduled from the top.
	readers int32
	out     bool // live behind the region
}

// useRow is a read of a value by a node.
type useRow struct{ node, next int32 }

// pressure knows how many registers are live in a region.
type pressure struct {
	f     *mir.Function
	regs  *regclass.Info
	live  *liveness.Intervals
	limit []int32 // by set; of limitOf
	in    *desc.Info
	sets  int

	units int
	list  []int32  // arena of things
	vals  []int32  // beside list: the number of the value that is read
	nodes []things // by node, and of the exit
	diffs []diff   // by node
	// version is, by thing, the value that is live where the builder is, bottom the one
	// that is live behind the region and the exit.
	version, bottom []int32
	stamp           []uint32
	epoch           uint32
	values          []value
	uses            []useRow // row 0 unused

	region   tracker // over the code as it was
	bot, top tracker
	thru     []int32 // what is live through the region
	kinds    *kinds  // are told what changes for a node
	untied   []uint32
	// critical are the sets that the region is short of, with the most of them that
	// is live in what has its order.
	critical []change
}

// tracker counts what is live at a place that goes up or down.
type tracker struct {
	p        *pressure
	now, max []int32 // by set
	live     []uint32
	epoch    uint32
	lives    []int32 // all that was live, some of it no more
	outs     []int32 // live behind the region

	oldNow, oldMax []int32
}

func (p *pressure) reset(f *mir.Function, regs *regclass.Info, live *liveness.Intervals) {
	p.f, p.regs, p.live, p.in = f, regs, live, f.Facts
	p.sets, p.units = len(f.Facts.PressureSets), f.Facts.NumUnits()
	p.limit = rows.Sized(p.limit, p.sets)
	for s := range p.limit {
		p.limit[s] = int32(regs.PressureLimit(s))
	}
}

// row is what a thing weighs.
func (p *pressure) row(x int32) *desc.PressureDesc {
	if int(x) < p.units {
		return &p.in.UnitPressure[x]
	}
	if c := p.f.VReg(mir.VReg(int(x) - p.units)).Class; c >= 0 {
		return &p.in.ClassPressure[c]
	}
	return &noPressure
}

var noPressure desc.PressureDesc

func (p *pressure) setsOf(w *desc.PressureDesc) []uint16 {
	return p.in.PressureLists[w.Sets : w.Sets+uint32(w.NumSets)]
}

// collect lists the registers of instruction i: what it reads, writes, and
// writes without being read.
func (p *pressure) collect(i mir.InstrID) (t things) {
	f := p.f
	ops := f.Ops(i)
	t.uses = int32(len(p.list))
	for k := range ops {
		if o := &ops[k]; o.IsReg() && o.Reg() != 0 && o.ReadsReg() {
			p.push(t.uses, o.Reg())
		}
	}
	t.defs = int32(len(p.list))
	for k := range ops {
		if o := &ops[k]; o.IsDef() && o.Reg() != 0 && !o.IsDead() {
			p.push(t.defs, o.Reg())
		}
	}
	t.dead = int32(len(p.list))
	for k := range ops {
		if o := &ops[k]; o.IsDef() && o.Reg() != 0 && o.IsDead() {
			p.push(t.defs, o.Reg())
		}
	}
	t.end = int32(len(p.list))
	return t
}

// push adds the things of r to the list unless they are in it from row from on.
func (p *pressure) push(from int32, r mir.Reg) {
	if r.IsVirtual() {
		p.pushThing(from, int32(p.units+r.Index()))
		return
	}
	if !p.regs.IsAllocatable(desc.PhysReg(r)) {
		return
	}
	for u := range p.in.RegUnits(desc.PhysReg(r)).All() {
		p.pushThing(from, int32(u))
	}
}

func (p *pressure) pushThing(from, x int32) {
	for _, y := range p.list[from:] {
		if x == y {
			return
		}
	}
	p.list, p.vals = append(p.list, x), append(p.vals, 0)
}

func (t things) usesOf(p *pressure) []int32 { return p.list[t.uses:t.defs] }
func (t things) defsOf(p *pressure) []int32 { return p.list[t.defs:t.dead] }
func (t things) deadOf(p *pressure) []int32 { return p.list[t.dead:t.end] }

// begin starts with a region of n nodes behind which exit stands (0: the block's end).
func (p *pressure) begin(n int, exit mir.InstrID) {
	p.list, p.vals, p.uses = p.list[:0], p.vals[:0], append(p.uses[:0], useRow{})
	p.nodes = rows.Sized(p.nodes, n+1)
	p.diffs = rows.Zeroed(p.diffs, n)
	num := p.units + p.f.NumVRegs()
	p.version, p.bottom = rows.AtLeast(p.version, num), rows.AtLeast(p.bottom, num)
	p.stamp, p.untied = rows.AtLeast(p.stamp, num), rows.AtLeast(p.untied, num)
	p.epoch++
	p.values = p.values[:0]
	p.region.begin(p)
	p.nodes[n] = things{}
	if exit != 0 {
		p.nodes[n] = p.collect(exit)
		p.recedeRegion(p.nodes[n], exit)
	}
}

// valueOf is the number of the value of x where the builder is.
func (p *pressure) valueOf(x int32) int32 {
	if p.stamp[x] != p.epoch {
		p.stamp[x] = p.epoch
		p.newValue(x)
		p.bottom[x] = p.version[x]
	}
	return p.version[x]
}

func (p *pressure) newValue(x int32) {
	p.version[x] = int32(len(p.values))
	p.values = append(p.values, value{})
}

// visit takes in node n, with instruction i, above those that were visited.
func (p *pressure) visit(n int32, i mir.InstrID) {
	t := p.collect(i)
	p.nodes[n] = t
	d := &p.diffs[n]
	for _, x := range t.defsOf(p) {
		p.addChange(d, x, -1)
	}
	for _, x := range t.usesOf(p) {
		p.addChange(d, x, 1)
	}
	p.recedeRegion(t, i)
	for k := t.uses; k < t.defs; k++ {
		v := &p.values[p.vals[k]]
		v.readers++
		if int(p.list[k]) >= p.units {
			p.uses = append(p.uses, useRow{n, v.uses})
			v.uses = int32(len(p.uses) - 1)
		}
	}
}

func (p *pressure) addChange(d *diff, x int32, sign int) {
	w := p.row(x)
	for _, s := range p.setsOf(w) {
		if d.add(s, sign*int(w.Weight)) {
			return
		}
	}
}

// recedeRegion goes up across an instruction of the code as it was.
func (p *pressure) recedeRegion(t things, i mir.InstrID) {
	k := &p.region
	k.bumpDead(t)
	for _, x := range t.defsOf(p) {
		if !k.isLive(x) {
			p.values[p.valueOf(x)].out = true
		}
		k.kill(x)
	}
	for _, x := range p.list[t.defs:t.end] {
		p.valueOf(x)
		p.newValue(x)
	}
	for n := t.uses; n < t.defs; n++ {
		x := p.list[n]
		v := p.valueOf(x)
		p.vals[n] = v
		if !k.isLive(x) && p.livesThrough(x, i) {
			k.discoverOut(x)
			p.values[v].out = true
		}
		k.revive(x)
	}
	for _, x := range t.defsOf(p) {
		if !k.isLive(x) {
			p.untied[x] = p.epoch
		}
	}
}

// livesThrough reports that x is live before and behind i, which reads it.
func (p *pressure) livesThrough(x int32, i mir.InstrID) bool {
	at := p.live.Indexes.Of(i)
	var r *liveness.Range
	if int(x) < p.units {
		if r = p.live.CachedUnit(desc.RegUnit(x)); r == nil {
			return false
		}
	} else {
		r = &p.live.Interval(mir.VReg(int(x) - p.units)).Range
	}
	k := r.SegmentAt(at.Reg())
	return k >= 0 && r.Segs[k].Start < at.EarlyClobber() && r.Segs[k].End != at.Dead()
}

func (k *tracker) begin(p *pressure) {
	k.p = p
	k.now, k.max = rows.Zeroed(k.now, p.sets), rows.Zeroed(k.max, p.sets)
	k.live = rows.AtLeast(k.live, p.units+p.f.NumVRegs())
	k.epoch++
	k.lives, k.outs = k.lives[:0], k.outs[:0]
}

func (k *tracker) isLive(x int32) bool { return k.live[x] == k.epoch }

// raise counts x as live.
func (k *tracker) raise(x int32) {
	w := k.p.row(x)
	for _, s := range k.p.setsOf(w) {
		k.now[s] += int32(w.Weight)
		k.max[s] = max(k.max[s], k.now[s])
	}
}

func (k *tracker) lower(x int32) {
	w := k.p.row(x)
	for _, s := range k.p.setsOf(w) {
		k.now[s] -= int32(w.Weight)
	}
}

// bumpDead counts results that nothing reads, all at once.
func (k *tracker) bumpDead(t things) {
	dead := t.deadOf(k.p)
	for _, x := range dead {
		if !k.isLive(x) {
			k.raise(x)
		}
	}
	for _, x := range dead {
		if !k.isLive(x) {
			k.lower(x)
		}
	}
}

// kill ends x, going up: where it was not live it is live behind the region.
func (k *tracker) kill(x int32) {
	if !k.isLive(x) {
		k.discoverOut(x)
		w := k.p.row(x)
		for _, s := range k.p.setsOf(w) {
			k.now[s] += int32(w.Weight)
		}
	}
	k.live[x] = 0
	k.lower(x)
}

// discoverOut notes that x is live behind the region, and was all the way to here.
func (k *tracker) discoverOut(x int32) {
	k.outs = append(k.outs, x)
	w := k.p.row(x)
	for _, s := range k.p.setsOf(w) {
		k.max[s] += int32(w.Weight)
	}
}

// revive makes x live and reports that it was not.
func (k *tracker) revive(x int32) bool {
	if k.isLive(x) {
		return false
	}
	k.live[x] = k.epoch
	k.lives = append(k.lives, x)
	k.raise(x)
	return true
}

// finish is called when all nodes were visited: both ends of the region are known.
func (p *pressure) finish(exit mir.InstrID) {
	p.top.begin(p)
	for _, x := range p.region.lives {
		if p.region.isLive(x) {
			p.top.revive(x)
		}
	}
	p.bot.begin(p)
	for _, x := range p.region.outs {
		p.bot.revive(x)
	}
	p.thru = rows.Zeroed(p.thru, p.sets)
	for _, x := range p.region.outs {
		if int(x) >= p.units && p.untied[x] != p.epoch {
			w := p.row(x)
			for _, s := range p.setsOf(w) {
				p.thru[s] += int32(w.Weight)
			}
		}
	}
	for _, x := range p.region.outs {
		if p.stamp[x] == p.epoch {
			p.becameLive(x, p.bottom[x])
		}
	}
	if exit != 0 {
		p.bot.recede(p.nodes[len(p.nodes)-1])
	}
	p.critical = p.critical[:0]
	for s, m := range p.region.max {
		if m > p.limit[s] {
			p.critical = append(p.critical, change{set: uint16(s) + 1})
		}
	}
}

// becameLive is told that value v of x is live from here up: no other read of it is the last.
func (p *pressure) becameLive(x, v int32) {
	if int(x) < p.units {
		return
	}
	for u := p.values[v].uses; u != 0; u = p.uses[u].next {
		p.addChange(&p.diffs[p.uses[u].node], x, -1)
		if p.kinds != nil {
			p.kinds.changed(p.uses[u].node)
		}
	}
}

// recede goes up across a node that is scheduled from the bottom.
func (k *tracker) recede(t things) {
	p := k.p
	k.bumpDead(t)
	for _, x := range t.defsOf(p) {
		k.kill(x)
	}
	for n := t.uses; n < t.defs; n++ {
		if x := p.list[n]; k.revive(x) {
			p.becameLive(x, p.vals[n])
		}
	}
}

// advance goes down across a node that is scheduled from the top.
func (k *tracker) advance(t things) {
	p := k.p
	for n := t.uses; n < t.defs; n++ {
		x, v := p.list[n], &p.values[p.vals[n]]
		k.revive(x)
		if v.readers--; v.readers == 0 && !v.out {
			k.live[x] = 0
			k.lower(x)
		}
	}
	for _, x := range t.defsOf(p) {
		k.revive(x)
	}
	k.bumpDead(t)
}

// scheduled updates the peaks of what has its order after node n.
func (p *pressure) scheduled(n int32, k *tracker) {
	c := 0
	for _, d := range p.diffs[n] {
		if d.set == 0 {
			return
		}
		for c < len(p.critical) && p.critical[c].set < d.set {
			c++
		}
		if c < len(p.critical) && p.critical[c].set == d.set {
			if m := k.max[d.set-1]; m > int32(p.critical[c].by) && m <= 1<<15-1 {
				p.critical[c].by = int16(m)
			}
		}
	}
}

// delta is what scheduling a node next does to the pressure: excess over the
// limit of the first set that has some, over the peak so far of a critical set,
// and over the peak of the code as it was.
type delta struct{ excess, critical, max change }

// upward finds the delta of node n above what the bottom has.
func (p *pressure) upward(n int32) (d delta) {
	c, k := 0, &p.bot
	for _, x := range p.diffs[n] {
		if x.set == 0 {
			break
		}
		s := x.set - 1
		limit := p.limit[s] + p.thru[s]
		was, now := k.now[s], k.now[s]+int32(x.by)
		if d.excess.set == 0 {
			by := int32(0)
			switch {
			case now > limit && was > limit:
				by = now - was
			case now > limit:
				by = now - limit
			case was > limit:
				by = limit - was
			}
			if by != 0 {
				d.excess = change{x.set, int16(by)}
			}
		}
		if now > k.max[s] {
			c = p.peaks(&d, c, x.set, k.max[s], now)
		}
	}
	return d
}

// peaks takes a new peak of a set into d; c is the place in critical.
func (p *pressure) peaks(d *delta, c int, set uint16, was, now int32) int {
	if d.critical.set == 0 {
		for c < len(p.critical) && p.critical[c].set < set {
			c++
		}
		if c < len(p.critical) && p.critical[c].set == set {
			if by := now - int32(p.critical[c].by); by > 0 && by <= 1<<15-1 {
				d.critical = change{set, int16(by)}
			}
		}
	}
	if d.max.set == 0 && now > p.region.max[set-1] {
		d.max = change{set, int16(now - was)}
	}
	return c
}

// downward finds the delta of node n below what the top has.
func (p *pressure) downward(n int32) (d delta) {
	k, t := &p.top, p.nodes[n]
	k.save()
	for m := t.uses; m < t.defs; m++ {
		if v := &p.values[p.vals[m]]; v.readers == 1 && !v.out && k.isLive(p.list[m]) {
			k.lower(p.list[m])
		}
	}
	for _, x := range t.defsOf(p) {
		if !k.isLive(x) {
			k.raise(x)
		}
	}
	k.bumpDead(t)
	c := 0
	for s := range k.now {
		was, now := k.oldNow[s], k.now[s]
		if by := now - was; by != 0 && d.excess.set == 0 {
			switch limit := p.limit[s] + p.thru[s]; {
			case limit > was && limit > now:
				by = 0
			case limit > was:
				by = now - limit
			case limit > now:
				by = limit - was
			}
			if by != 0 {
				d.excess = change{uint16(s) + 1, int16(by)}
			}
		}
		if k.max[s] != k.oldMax[s] {
			c = p.peaks(&d, c, uint16(s)+1, k.oldMax[s], k.max[s])
		}
	}
	k.restore()
	return d
}

func (k *tracker) save() {
	k.oldNow, k.oldMax = append(k.oldNow[:0], k.now...), append(k.oldMax[:0], k.max...)
}

func (k *tracker) restore() { copy(k.now, k.oldNow); copy(k.max, k.oldMax) }

package layout

import (
	"math/bits"
	"slices"

	"github.com/mirin-go/mirin/analysis"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
	"github.com/mirin-go/mirin/target"
)

// ExecutionDomainFix chooses, among instructions that do the same in different
// execution domains, those of the domain that their operands come from and go to.
// Its name begins with the target's.
//
// Values in registers are open, with the instructions that compute and pass them on,
// as long as all of these may be in several domains; an instruction of one domain
// that reads or writes such a register settles it.
var ExecutionDomainFix = pass.Pass{
	Name:     "execution-domain-fix",
	Title:    "Execution Dependency Fix",
	Requires: mir.NoVRegs,
	Optional: pass.Skippable,
	KeepsCFG: true,
	Run:      runExecutionDomainFix,
}

// domainValue is what is known of the domains of a value, which several registers
// may hold: open while it has instructions, settled without.
type domainValue struct {
	refs  int32
	mask  uint8 // the domains that it may be in, or has been brought into
	next  int32 // what it was merged into
	first int32 // its instructions, in domainFixer.nodes
	last  int32
}

type domainNode struct {
	i    mir.InstrID
	next int32
}

// blockState counts, for a block, how many blocks before it were gone through.
type blockState struct {
	primaryDone, left           bool
	primary, processed, settled int32
}

// domainFixer is memory between functions.
type domainFixer struct {
	f  *mir.Function
	st *target.Subtarget
	h  *target.DomainHooks
	g  *analysis.Graph

	regs []desc.PhysReg // those of the class
	// A physical register is parts[start[r]:start[r+1]] of regs.
	start []int32
	parts []uint8
	all   []mir.Reg  // those that have parts
	facts *desc.Info // what these are of

	values []domainValue // 0 is none
	free   []int32
	nodes  []domainNode
	live   []int32 // by part; of length 0 between blocks
	alive  int     // how many of them hold a value
	held   []int32
	out    []int32 // by block and part
	state  []blockState
	work   []mir.BlockID
	used   []int
	sorted []domainDef

	defs   reachingDefs
	known  bool // defs is computed
	at     mir.InstrID
	number int32 // of at in its block
}

// domainDef is a part and the number of the instruction that wrote it.
type domainDef struct {
	part int
	def  int32
}

func runExecutionDomainFix(c *pass.Context, f *mir.Function) error {
	h := c.Machine.Target.Instr.Domains
	if h == nil {
		return nil
	}
	d := pass.Scratch[domainFixer](c)
	d.f, d.st, d.h = f, c.Subtarget, h
	d.index()
	if !d.anyUsed() {
		return nil
	}
	d.g = &pass.Get[pass.CFG](c, f).Graph
	d.values, d.free, d.nodes = append(d.values[:0], domainValue{}), d.free[:0], append(d.nodes[:0], domainNode{})
	d.known = false
	n := f.NumBlockIDs()
	d.out = rows.Zeroed(d.out, n*len(d.regs))
	d.state = append(d.state[:0], make([]blockState, n)...)
	d.traverse()
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		if d.state[b].left {
			for _, v := range d.out[int(b)*len(d.regs):][:len(d.regs)] {
				d.release(v)
			}
		}
	}
	return nil
}

// index finds the parts of registers.
func (d *domainFixer) index() {
	in := d.f.Facts
	if d.facts == in {
		return
	}
	d.facts = in
	d.regs = in.ClassMembers(d.h.Class)
	of := make([][]uint8, len(in.Regs))
	for k, r := range d.regs {
		for _, a := range in.Aliases(r) {
			of[a] = append(of[a], uint8(k))
		}
	}
	d.start, d.parts, d.all = append(d.start[:0], 0), d.parts[:0], d.all[:0]
	for r := range of {
		if len(of[r]) > 0 {
			d.all = append(d.all, mir.Reg(r))
		}
		d.parts = append(d.parts, of[r]...)
		d.start = append(d.start, int32(len(d.parts)))
	}
}

// partsOf are the parts of an operand's register.
func (d *domainFixer) partsOf(o *mir.Operand) []uint8 {
	if !o.IsReg() || !o.Reg().IsPhysical() {
		return nil
	}
	r := o.Reg()
	return d.parts[d.start[r]:d.start[r+1]]
}

// anyUsed reports whether the function has registers of the class at all.
func (d *domainFixer) anyUsed() bool {
	return slices.ContainsFunc(d.all, func(r mir.Reg) bool { return d.f.FirstUse(r) != 0 })
}

// traverse goes through the blocks in reverse post-order, and again through those of
// a loop once all of its ways back are known.
func (d *domainFixer) traverse() {
	rpo := d.g.RPO()
	for _, n := range rpo {
		b := mir.BlockID(n)
		d.state[b].primaryDone, d.state[b].primary = true, d.state[b].processed
		d.work = append(d.work[:0], b)
		for first := true; len(d.work) > 0; first = false {
			b := d.work[len(d.work)-1]
			d.work = d.work[:len(d.work)-1]
			done := d.isDone(b)
			d.block(b, first)
			for _, s := range d.f.Succs(b) {
				if d.isDone(s.Block) {
					continue
				}
				if first {
					d.state[s.Block].processed++
				}
				if done {
					d.state[s.Block].settled++
				}
				if d.isDone(s.Block) {
					d.work = append(d.work, s.Block)
				}
			}
		}
	}
	for _, n := range rpo {
		if b := mir.BlockID(n); !d.isDone(b) {
			d.block(b, false)
		}
	}
}

func (d *domainFixer) isDone(b mir.BlockID) bool {
	s := &d.state[b]
	return s.primaryDone && s.settled == s.primary && int(s.processed) == d.f.NumPreds(b)
}

// block goes through a block; instructions are looked at the first time.
func (d *domainFixer) block(b mir.BlockID, first bool) {
	f := d.f
	d.enter(b)
	d.at, d.number = 0, 0
	if first {
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			if f.IsDebugInstr(i) {
				continue
			}
			if f.Desc(i).TSFlags>>d.h.Shift&3 == 0 {
				if d.alive > 0 {
					d.without(i)
				}
				continue
			}
			switch domain, mask := d.h.Of(d.st, f, i); {
			case domain == 0:
				d.without(i)
			case mask != 0:
				d.soft(i, mask)
			default:
				d.hard(i, domain)
			}
		}
	}
	out := d.out[int(b)*len(d.regs):][:len(d.regs)]
	d.held = append(d.held[:0], out...)
	for _, v := range d.held {
		d.release(v)
	}
	copy(out, d.live)
	d.live = d.live[:0]
	d.state[b].left = true
}

// enter finds what the registers hold where b begins.
func (d *domainFixer) enter(b mir.BlockID) {
	d.live, d.alive = rows.Zeroed(d.live, len(d.regs)), 0
	for _, p := range d.f.Preds(b) {
		if !d.state[p].left {
			continue // a way back from a block that is not known yet
		}
		out := d.out[int(p)*len(d.regs):][:len(d.regs)]
		for k := range out {
			v := d.resolve(&out[k])
			if v == 0 {
				continue
			}
			switch mine := d.live[k]; {
			case mine == 0:
				d.set(k, v)
			case d.settled(mine):
				if at := d.lowest(mine); !d.settled(v) && d.values[v].mask>>at&1 != 0 {
					d.collapse(v, at)
				}
			case !d.settled(v):
				d.merge(mine, v)
			default:
				d.force(k, d.lowest(v))
			}
		}
	}
}

// without goes over an instruction that is in no domain: what it writes is of none.
func (d *domainFixer) without(i mir.InstrID) {
	f := d.f
	row := f.Desc(i)
	n := int(row.NumDefs)
	if row.IsVariadic() {
		n = f.Instr(i).NumOps()
	}
	for k := range min(n, f.Instr(i).NumOps()) {
		if o := f.Op(i, k); o.IsDef() {
			for _, p := range d.partsOf(o) {
				d.kill(int(p))
			}
		}
	}
}

// hard goes over an instruction of one domain.
func (d *domainFixer) hard(i mir.InstrID, domain int) {
	f := d.f
	row := f.Desc(i)
	defs, n := int(row.NumDefs), min(int(row.NumOperands), f.Instr(i).NumOps())
	for k := defs; k < n; k++ {
		for _, p := range d.partsOf(f.Op(i, k)) {
			d.force(int(p), domain)
		}
	}
	for k := range min(defs, n) {
		for _, p := range d.partsOf(f.Op(i, k)) {
			d.kill(int(p))
			d.force(int(p), domain)
		}
	}
}

// soft goes over an instruction that may be in several domains.
func (d *domainFixer) soft(i mir.InstrID, mask uint8) {
	f := d.f
	row := f.Desc(i)
	d.used = d.used[:0]
	for k := int(row.NumDefs); k < min(int(row.NumOperands), f.Instr(i).NumOps()); k++ {
		for _, p := range d.partsOf(f.Op(i, k)) {
			v := d.live[p]
			if v == 0 {
				continue
			}
			switch common := d.values[v].mask & mask; {
			case d.settled(v):
				if common != 0 {
					mask = common // free; without, the value has to cross
				}
			case common != 0:
				d.used = append(d.used, int(p))
			default:
				d.kill(int(p))
			}
		}
	}
	if mask&(mask-1) == 0 {
		domain := bits.TrailingZeros8(mask)
		d.h.Set(d.st, f, i, domain)
		d.hard(i, domain)
		return
	}
	v := d.mergeUsed(i, mask)
	if v == 0 {
		v = d.alloc(mask)
	}
	d.append(v, i)
	for k := range f.Instr(i).NumOps() {
		o := f.Op(i, k)
		for _, p := range d.partsOf(o) {
			if x := d.live[p]; x == 0 || o.IsDef() && x != v {
				d.kill(int(p))
				d.set(int(p), v)
			}
		}
	}
}

// mergeUsed makes the open values that i reads one, those that were written last
// first; 0 when there is none.
func (d *domainFixer) mergeUsed(i mir.InstrID, mask uint8) int32 {
	d.sorted = d.sorted[:0]
	for _, p := range d.used {
		v := d.live[p]
		if v == 0 {
			continue // killed as another operand's
		}
		if d.values[v].mask&mask == 0 {
			d.kill(p)
			continue
		}
		d.sorted = append(d.sorted, domainDef{part: p})
	}
	if len(d.sorted) > 1 && slices.ContainsFunc(d.sorted, func(x domainDef) bool { return d.live[x.part] != d.live[d.sorted[0].part] }) {
		for k := range d.sorted {
			d.sorted[k].def = d.reachingDef(i, d.regs[d.sorted[k].part])
		}
		slices.SortStableFunc(d.sorted, func(a, b domainDef) int { return int(a.def) - int(b.def) })
	}
	v := int32(0)
	for k := len(d.sorted) - 1; k >= 0; k-- {
		x := d.live[d.sorted[k].part]
		switch {
		case v == 0:
			v = x
			if v != 0 {
				d.values[v].mask &= mask
			}
		case x == v || x == 0 || d.values[x].next != 0 || d.merge(v, x):
		default:
			for _, p := range d.used {
				if d.live[p] == x {
					d.kill(p)
				}
			}
		}
	}
	return v
}

// reachingDef is the number of the instruction of i's block that wrote r last, or
// less than 0: how long ago at the block's begin.
func (d *domainFixer) reachingDef(i mir.InstrID, r desc.PhysReg) int32 {
	f := d.f
	if !d.known {
		d.known = true
		d.defs.reset(f)
		for _, r := range d.regs {
			d.defs.addUnits(r)
		}
		d.defs.compute(d.g)
	}
	if d.at == 0 {
		d.defs.begin(f.Instr(i).Block())
		d.at, d.number = f.Block(f.Instr(i).Block()).First(), 0
	}
	for ; d.at != i; d.at = f.Instr(d.at).Next() {
		if !f.IsDebugInstr(d.at) {
			d.defs.step(d.at, d.number)
			d.number++
		}
	}
	return d.number - int32(d.defs.clearance(mir.Reg(r), d.number))
}

func (d *domainFixer) settled(v int32) bool { return d.values[v].first == 0 }

// lowest is the first domain of a value.
func (d *domainFixer) lowest(v int32) int { return bits.TrailingZeros8(d.values[v].mask) }

func (d *domainFixer) alloc(mask uint8) int32 {
	if n := len(d.free); n > 0 {
		v := d.free[n-1]
		d.free = d.free[:n-1]
		d.values[v] = domainValue{mask: mask}
		return v
	}
	d.values = append(d.values, domainValue{mask: mask})
	return int32(len(d.values) - 1)
}

// append adds an instruction to a value, which is open then.
func (d *domainFixer) append(v int32, i mir.InstrID) {
	d.nodes = append(d.nodes, domainNode{i: i})
	n := int32(len(d.nodes) - 1)
	x := &d.values[v]
	if x.first == 0 {
		x.first = n
	} else {
		d.nodes[x.last].next = n
	}
	x.last = n
}

// release gives up a use of a value. One that nobody uses is settled.
func (d *domainFixer) release(v int32) {
	for v != 0 {
		if d.values[v].refs--; d.values[v].refs > 0 {
			return
		}
		if d.values[v].mask != 0 && !d.settled(v) {
			d.collapse(v, d.lowest(v))
		}
		next := d.values[v].next
		d.free = append(d.free, v)
		v = next
	}
}

// resolve follows merges and remembers where they end.
func (d *domainFixer) resolve(at *int32) int32 {
	v := *at
	if v == 0 || d.values[v].next == 0 {
		return v
	}
	for d.values[v].next != 0 {
		v = d.values[v].next
	}
	d.values[v].refs++
	d.release(*at)
	*at = v
	return v
}

func (d *domainFixer) set(part int, v int32) {
	old := d.live[part]
	if old == v {
		return
	}
	d.values[v].refs++
	d.live[part] = v
	if old != 0 {
		d.release(old)
	} else {
		d.alive++
	}
}

// kill forgets what a register holds.
func (d *domainFixer) kill(part int) {
	if v := d.live[part]; v != 0 {
		d.live[part] = 0
		d.alive--
		d.release(v)
	}
}

// force brings what a register holds into a domain.
func (d *domainFixer) force(part, domain int) {
	v := d.live[part]
	switch {
	case v == 0:
		d.set(part, d.alloc(1<<domain))
	case d.settled(v):
		d.values[v].mask |= 1 << domain // it has crossed
	case d.values[v].mask>>domain&1 != 0:
		d.collapse(v, domain)
	default:
		d.collapse(v, d.lowest(v))
		d.values[d.live[part]].mask |= 1 << domain
	}
}

// collapse settles an open value in a domain. Registers that hold it go their own
// ways from here.
func (d *domainFixer) collapse(v int32, domain int) {
	for n := d.values[v].first; n != 0; n = d.nodes[n].next {
		d.h.Set(d.st, d.f, d.nodes[n].i, domain)
	}
	x := &d.values[v]
	x.first, x.last, x.mask = 0, 0, 1<<domain
	if x.refs > 1 {
		for part, y := range d.live {
			if y == v {
				d.set(part, d.alloc(1<<domain))
			}
		}
	}
}

// merge makes b a part of a; false when they have no domain in common.
func (d *domainFixer) merge(a, b int32) bool {
	if a == b {
		return true
	}
	x, y := &d.values[a], &d.values[b]
	if x.mask&y.mask == 0 {
		return false
	}
	x.mask &= y.mask
	switch {
	case y.first == 0:
	case x.first == 0:
		x.first, x.last = y.first, y.last
	default:
		d.nodes[x.last].next, x.last = y.first, y.last
	}
	// All uses of b mean a; b lives on for those in other blocks.
	y.first, y.last, y.mask, y.next = 0, 0, 0, a
	x.refs++
	for part, v := range d.live {
		if v == b {
			d.set(part, a)
		}
	}
	return true
}

package interp

import (
	"slices"
	"sort"

	"github.com/mirin-go/mirin/ir"
)

func (d *decoder) hasPhis(b ir.BlockID) bool {
	i := d.f.Blocks[b].First
	return i != 0 && d.f.Instrs[i].Op == ir.OpPhi
}

// edge emits the copies that the phis of to ask for when it is entered from from.
func (d *decoder) edge(from, to ir.BlockID) {
	type move struct{ dst, src uint32 }
	var moves []move
	for i := d.f.Blocks[to].First; i != 0 && d.f.Instrs[i].Op == ir.OpPhi; i = d.f.Instrs[i].Next {
		ops := d.f.Ops(i)
		for k := 0; k+1 < len(ops); k += 2 {
			if ops[k+1].Block() == from {
				src := d.val(ops[k])
				for s := range d.layout(d.f.Instrs[i].Type).slots {
					if src+s != d.slots[i]+s {
						moves = append(moves, move{d.slots[i] + s, src + s})
					}
				}
				break
			}
		}
	}
	// A copy is ready when no other waits to read what it writes; in a cycle one
	// value is saved first.
	for len(moves) > 0 {
		done := false
		for k := 0; k < len(moves); k++ {
			m := moves[k]
			if slices.ContainsFunc(moves, func(o move) bool { return o.src == m.dst && o != m }) {
				continue
			}
			d.emit(proto{op: opMov, d: m.dst, a: m.src})
			moves = slices.Delete(moves, k, k+1)
			k--
			done = true
		}
		if !done && len(moves) > 0 {
			t := d.temp(1)
			d.emit(proto{op: opMov, d: t, a: moves[0].src})
			moves[0].src = t
			old := moves[0]
			moves = append(moves[1:], old)
		}
	}
}

// jump ends a block that goes on in one place. Where that follows, and is entered
// from here alone, nothing is left to do: its end counts the instructions of both.
func (d *decoder) jump(from, to, after ir.BlockID) {
	if d.hasPhis(to) {
		d.edge(from, to)
	}
	if to == after && d.plan.preds[to] == 1 {
		d.fell = true
		return
	}
	at := d.emit(proto{op: opJmp, imm: d.fuel()})
	d.fixes = append(d.fixes, fix{at: at, field: 'k', to: to})
}

// fuel returns the number of instructions that the branch at hand counts.
func (d *decoder) fuel() uint64 {
	n := d.pending
	d.pending = 0
	return uint64(n)
}

func (d *decoder) target(at int, field uint8, from, to ir.BlockID) {
	if !d.hasPhis(to) {
		from = 0
	}
	d.fixes = append(d.fixes, fix{at: at, field: field, from: from, to: to})
}

// link places the stubs of edges, fills in targets and makes register numbers final.
func (d *decoder) link() {
	c := d.c
	find := func(from, to ir.BlockID) uint32 {
		if from == 0 {
			return c.blockPC[to]
		}
		for _, s := range d.stubs {
			if s.from == from && s.to == to {
				return s.pc
			}
		}
		pc := uint32(len(c.protos))
		d.cur = d.f.Blocks[from].Last
		d.edge(from, to)
		if uint32(len(c.protos)) == pc {
			pc = c.blockPC[to] // nothing is to be copied
		} else {
			d.emit(proto{op: opJmp, k: c.blockPC[to]})
		}
		d.stubs = append(d.stubs, stub{from, to, pc})
		return pc
	}
	for _, x := range d.fixes {
		pc := find(x.from, x.to)
		switch x.field {
		case 'k':
			c.protos[x.at].k = pc
		case 'i':
			c.protos[x.at].imm = c.protos[x.at].imm&^0xffff_ffff | uint64(pc)
		case 'n': // the other target of a comparison with a constant
			c.protos[x.at].d, c.protos[x.at].c = pc&0xffff, pc>>16
		case 's':
			sw := &d.vm.sws[x.at]
			switch {
			case x.idx < 0:
				sw.def = pc
			case sw.nw > 1:
				sw.wide[x.idx].pc = pc
			default:
				sw.pcs[x.idx] = pc
			}
		case 'x':
			c.indirs[x.at][x.to] = pc + 1
		}
	}
	nc := uint32(len(c.consts))
	final := func(p *uint32) {
		if *p >= localBase {
			*p += nc - localBase
		}
	}
	for _, p := range d.lateList {
		final(p)
	}
	for i := range c.calls {
		ci := &c.calls[i]
		final(&ci.callee)
		final(&ci.d)
		for k := range ci.args {
			final(&ci.args[k].src)
		}
		for k := range ci.checks {
			final(&ci.checks[k].slot)
		}
	}
	for k := range c.noundef {
		c.noundef[k] += nc
	}
	c.args = nc
	c.nregs = int(nc+d.next) + 1
	if c.nregs > frameRegs {
		c.protos, c.src, c.bad = []proto{{}}, []ir.InstrID{0}, []error{unsupported("a function of more than 65536 values at a time")}
		c.consts, c.noundef, c.checks, c.byvals, c.nregs = nil, nil, nil, nil, int(c.numArgs)
	}
	c.insts = make([]inst, len(c.protos))
	for i := range c.protos {
		p := &c.protos[i]
		final(&p.d)
		final(&p.a)
		final(&p.b)
		final(&p.c)
		if p.op == opSwitch {
			d.vm.sws[p.imm].finish()
			if d.vm.sws[p.imm].isDense {
				p.k = 1
			}
		}
		c.insts[i] = inst{op: p.op, w: p.w, fl: p.fl, d: uint16(p.d), a: uint16(p.a), b: uint16(p.b), c: uint16(p.c), k: p.k, imm: p.imm}
	}
	c.protos = nil
}

// finish sorts the cases, or spreads them over a table where they lie close.
func (sw *switchInfo) finish() {
	n := len(sw.vals)
	if sw.nw > 1 || n == 0 {
		return
	}
	ord := make([]int, n)
	for i := range ord {
		ord[i] = i
	}
	sort.Slice(ord, func(i, j int) bool { return sw.vals[ord[i]] < sw.vals[ord[j]] })
	vals, pcs := make([]uint64, n), make([]uint32, n)
	for i, k := range ord {
		vals[i], pcs[i] = sw.vals[k], sw.pcs[k]
	}
	sw.vals, sw.pcs = vals, pcs
	if span := vals[n-1] - vals[0]; span < uint64(4*n+16) {
		sw.isDense, sw.lo = true, vals[0]
		sw.dense = make([]uint32, span+1)
		for i := range sw.dense {
			sw.dense[i] = sw.def
		}
		for i, v := range vals {
			sw.dense[v-sw.lo] = pcs[i]
		}
	}
}

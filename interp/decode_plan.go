package interp

import (
	"math"

	"github.com/mirin-go/mirin/ir"
)

// plan is what the decoder finds out about a function before it decodes it.
//
// Registers: a value that is used in its own block alone takes a register that
// others of the block take again after its last use; all others have one for good.
//
// Promotion: an alloca whose address goes nowhere, and that is loaded and stored
// as one type, is kept in registers. Undefined bits, poison and provenance pass
// through memory as they pass through a register, so nothing can tell. Loads that
// nothing overwrites before their last use share the alloca's register, as does
// what computes a value only to store it, and what computes the next value of
// a loop's phi.
type plan struct {
	pos      []uint32     // by instruction, in order of layout
	preds    []uint32     // by block: edges into it
	user     []ir.InstrID // by value: its last user in order of layout
	last     []ir.InstrID // by value: the instruction that executes its last use
	global   []bool       // by value: used by a phi, or outside of its block
	promoted []bool       // by instruction: allocas in registers
	noInit   []bool       // by instruction: of those, stored to before all else
	marked   []bool       // by instruction: allocas with a lifetime.start, which are dead until then
	alias    []ir.InstrID // by value: the one whose registers it shares, 0 none
	endHead  []ir.InstrID // by instruction: values whose registers are free after it
	endNext  []ir.InstrID // by value: the next in that list
	free     map[uint32][]uint32
}

// eachUse calls fn with every local value that an instruction uses.
func (d *decoder) eachUse(i ir.InstrID, fn func(v ir.InstrID)) {
	for _, v := range d.f.Ops(i) {
		if v.IsLocal() {
			fn(ir.InstrID(v.Index()))
		}
	}
	if in := &d.f.Instrs[i]; in.Extra != 0 && (in.Op == ir.OpCall || in.Op == ir.OpInvoke) {
		for _, b := range d.f.Extras[in.Extra].Bundles {
			for _, v := range b.Args {
				if v.IsLocal() {
					fn(ir.InstrID(v.Index()))
				}
			}
		}
	}
}

// eachInstr calls fn with every instruction, in order of layout.
func (d *decoder) eachInstr(fn func(i ir.InstrID, b ir.BlockID)) {
	for _, b := range d.f.Order {
		for i := d.f.Blocks[b].First; i != 0; i = d.f.Instrs[i].Next {
			fn(i, b)
		}
	}
}

func (d *decoder) makePlan() {
	n := len(d.f.Instrs)
	d.plan = plan{pos: make([]uint32, n), preds: make([]uint32, len(d.f.Blocks)), user: make([]ir.InstrID, n), last: make([]ir.InstrID, n),
		global: make([]bool, n), promoted: make([]bool, n), noInit: make([]bool, n), marked: make([]bool, n), alias: make([]ir.InstrID, n),
		endHead: make([]ir.InstrID, n), endNext: make([]ir.InstrID, n), free: map[uint32][]uint32{}}
	p := &d.plan
	k := uint32(0)
	d.eachInstr(func(i ir.InstrID, _ ir.BlockID) {
		k++
		p.pos[i] = k
		d.eachUse(i, func(v ir.InstrID) {
			d.uses[v]++
			p.user[v] = i
		})
		if d.f.IntrinsicOf(i) == ir.IntrLifetimeStart {
			if v := d.f.Op(i, d.f.NumArgOps(i)-1); v.IsLocal() {
				p.marked[v.Index()] = true
			}
		}
		if d.f.Instrs[i].Op != ir.OpPhi {
			for _, v := range d.f.Ops(i) {
				if v.Tag() == ir.TagBlock {
					p.preds[v.Block()]++
				}
			}
		}
	})
	d.eachInstr(func(i ir.InstrID, _ ir.BlockID) { d.folded[i] = d.foldable(i) })
	if d.returnsTwice() {
		for i := range p.global {
			p.global[i] = true
		}
	} else {
		d.lifetimes()
		d.promote()
		d.shareLoops()
	}
	d.eachInstr(func(i ir.InstrID, _ ir.BlockID) {
		if p.promoted[i] || d.f.Instrs[i].Op == ir.OpPhi || p.global[i] && p.alias[i] == 0 {
			d.assign(i)
		}
	})
	for i, a := range p.alias {
		if a != 0 {
			d.slots[i] = d.slots[a]
		}
	}
}

// lifetimes finds where each value is used last. A folded instruction uses its
// operands where it is executed.
func (d *decoder) lifetimes() {
	p := &d.plan
	d.eachInstr(func(i ir.InstrID, b ir.BlockID) {
		at := i
		for d.folded[at] {
			at = p.user[at]
		}
		d.eachUse(i, func(v ir.InstrID) {
			def := &d.f.Instrs[v]
			if d.f.Instrs[i].Op == ir.OpPhi || def.Block != b || p.pos[v] == 0 || p.pos[at] <= p.pos[v] {
				p.global[v] = true
			} else if p.pos[at] > p.pos[p.last[v]] {
				p.last[v] = at
			}
		})
	})
}

// access is a load or store of a promoted alloca.
type access struct {
	at    ir.InstrID
	store bool
}

// promote chooses the allocas that live in registers, and who shares those.
func (d *decoder) promote() {
	f, p := d.f, &d.plan
	if len(f.Order) == 0 {
		return
	}
	entry := f.Order[0]
	found := false
	for i := f.Blocks[entry].First; i != 0; i = f.Instrs[i].Next {
		if in := &f.Instrs[i]; in.Op == ir.OpAlloca && d.scalars(in.SrcType) {
			if n, ok := f.Consts.SignedInt(d.vm.t, f.Op(i, 0)); ok && n == 1 {
				p.promoted[i], found = true, true
			}
		}
	}
	if !found {
		return
	}
	d.eachInstr(func(i ir.InstrID, b ir.BlockID) {
		d.eachUse(i, func(v ir.InstrID) {
			if p.promoted[v] && !d.direct(i, v) {
				p.promoted[v] = false
			}
		})
	})
	events := map[ir.InstrID][]access{}
	for _, b := range f.Order {
		clear(events)
		var order []ir.InstrID
		for i := f.Blocks[b].First; i != 0; i = f.Instrs[i].Next {
			op := f.Instrs[i].Op
			if op != ir.OpLoad && op != ir.OpStore {
				continue
			}
			a := ir.InstrID(0)
			if v := f.Op(i, f.NumOps(i)-1); v.IsLocal() {
				a = ir.InstrID(v.Index())
			}
			if a == 0 || !p.promoted[a] {
				continue
			}
			if events[a] == nil {
				order = append(order, a)
			}
			events[a] = append(events[a], access{i, op == ir.OpStore})
		}
		for _, a := range order {
			if b == entry && events[a][0].store {
				p.noInit[a] = true
			}
			d.share(a, events[a])
		}
	}
}

// scalars reports whether a value of type t passes through memory lane by lane unchanged.
func (d *decoder) scalars(t ir.Type) bool {
	l := d.layout(t)
	if l.bad != "" || l.packed || len(l.leaves) == 0 || d.vm.t.IsAggregate(t) {
		return false
	}
	switch f := &l.leaves[0]; f.kind {
	case leafInt:
		return f.bits == 8 || f.bits == 16 || f.bits == 32 || f.bits == 64
	case leafPtr:
		return d.vm.ptrBytes == 8
	case leafF16, leafBF16, leafF32, leafF64:
		return true
	}
	return false
}

// direct tells whether instruction i loads or stores all of alloca a, and no more.
func (d *decoder) direct(i, a ir.InstrID) bool {
	in, def := &d.f.Instrs[i], &d.f.Instrs[a]
	switch in.Op {
	case ir.OpLoad:
		if in.Type != def.SrcType {
			return false
		}
	case ir.OpStore:
		if d.f.Op(i, 0) == ir.Local(a) || d.f.TypeOf(d.f.Op(i, 0)) != def.SrcType {
			return false
		}
	default:
		return false
	}
	natural := d.vm.dl.ABIAlign(d.vm.t, def.SrcType)
	return alignOf(in.Align, natural) <= max(alignOf(def.Align, natural), 8)
}

// share lets loads of a, and what is computed to be stored to it, have its
// registers where no other access comes between. ev are the accesses in one block.
func (d *decoder) share(a ir.InstrID, ev []access) {
	f, p := d.f, &d.plan
	end := uint32(0) // position of the last use of a register that a load shares
	for k, e := range ev {
		if !e.store {
			next := uint32(math.MaxUint32)
			for _, x := range ev[k+1:] {
				if x.store {
					next = p.pos[x.at]
					break
				}
			}
			if l := e.at; !p.global[l] && d.uses[l] > 0 && f.Instrs[l].MD == 0 && p.pos[p.last[l]] <= next {
				p.alias[l] = a
				end = max(end, p.pos[p.last[l]])
			}
			continue
		}
		v := f.Op(e.at, 0).Instr()
		if v == 0 || d.uses[v] != 1 || f.Instrs[v].Block != f.Instrs[e.at].Block || p.alias[v] != 0 || !d.oneStep(v) {
			continue
		}
		if p.pos[v] >= end && p.pos[v] < p.pos[e.at] && (k == 0 || p.pos[ev[k-1].at] < p.pos[v]) {
			p.alias[v] = a
		}
	}
}

// oneStep tells whether a value is computed by an instruction that reads all
// its operands before it writes its one register.
func (d *decoder) oneStep(i ir.InstrID) bool {
	in := &d.f.Instrs[i]
	if d.folded[i] || !d.single(in.Type) {
		return false
	}
	switch in.Op {
	case ir.OpLoad:
		v := d.f.Op(i, 0)
		return !v.IsLocal() || !d.plan.promoted[v.Index()]
	case ir.OpCall:
		return in.MD == 0 && d.f.Callee(i).Tag() == ir.TagGlobal && d.vm.m.Globals[d.f.Callee(i).Global()].Intrinsic == ir.NotIntrinsic
	case ir.OpAdd, ir.OpSub, ir.OpMul, ir.OpUDiv, ir.OpSDiv, ir.OpURem, ir.OpSRem, ir.OpShl, ir.OpLShr, ir.OpAShr, ir.OpAnd, ir.OpOr, ir.OpXor,
		ir.OpICmp, ir.OpFAdd, ir.OpFSub, ir.OpFMul, ir.OpFDiv, ir.OpFRem, ir.OpFNeg, ir.OpFCmp, ir.OpSelect:
		return d.single(d.f.TypeOf(d.f.Op(i, 0)))
	case ir.OpTrunc, ir.OpZExt, ir.OpSExt, ir.OpSIToFP, ir.OpUIToFP, ir.OpFPToSI, ir.OpFPToUI, ir.OpFPTrunc, ir.OpFPExt, ir.OpPtrToInt, ir.OpIntToPtr:
		return d.single(d.f.TypeOf(d.f.Op(i, 0)))
	case ir.OpGEP:
		_, steps, ok := d.gepParts(i)
		return ok && len(steps) <= 1
	}
	return false
}

// shareLoops gives the next value of a phi the phi's own register, in loops of
// one block where the phi is not used after it.
func (d *decoder) shareLoops() {
	f, p := d.f, &d.plan
	for _, b := range f.Order {
		for i := f.Blocks[b].First; i != 0 && f.Instrs[i].Op == ir.OpPhi; i = f.Instrs[i].Next {
			if p.global[i] || !d.single(f.Instrs[i].Type) {
				continue
			}
			ops := f.Ops(i)
			for k := 0; k+1 < len(ops); k += 2 {
				v := ops[k].Instr()
				if v == 0 || ops[k+1].Block() != b || f.Instrs[v].Block != b || p.alias[v] != 0 || f.Instrs[v].Op == ir.OpPhi || !d.oneStep(v) {
					continue
				}
				if d.uses[i] == 0 || p.pos[p.last[i]] <= p.pos[v] {
					p.alias[v] = i
				}
			}
		}
	}
}

// assign gives a value registers of its own.
func (d *decoder) assign(i ir.InstrID) {
	t := d.f.Instrs[i].Type
	if d.plan.promoted[i] {
		t = d.f.Instrs[i].SrcType
	}
	if t != ir.Void {
		d.slots[i] = d.temp(max(d.layout(t).slots, 1))
	}
}

// allocate gives an instruction's result its registers, when it has none yet.
func (d *decoder) allocate(i ir.InstrID) {
	p := &d.plan
	if d.slots[i] != 0 || d.folded[i] || d.f.Instrs[i].Type == ir.Void {
		return
	}
	n := max(d.layout(d.f.Instrs[i].Type).slots, 1)
	if l := p.free[n]; len(l) > 0 {
		d.slots[i], p.free[n] = l[len(l)-1], l[:len(l)-1]
	} else {
		d.slots[i] = d.temp(n)
	}
	end := p.last[i]
	if end == 0 {
		end = i
	}
	p.endNext[i], p.endHead[end] = p.endHead[end], i
}

// release frees the registers that are used last by i.
func (d *decoder) release(i ir.InstrID) {
	p := &d.plan
	for v := p.endHead[i]; v != 0; v = p.endNext[v] {
		n := max(d.layout(d.f.Instrs[v].Type).slots, 1)
		p.free[n] = append(p.free[n], d.slots[v])
	}
}

package global

import (
	"github.com/mirin-go/mirin/codegen/liveness"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// Debug values back into the function, when its registers are physical ones.

// emit puts the debug instructions back, with what vrm gave the registers.
func (d *DebugVars) emit(vrm *VirtRegMap) {
	if !d.taken {
		return
	}
	f := d.f
	d.skip = append(d.skip[:0], make([]mir.InstrID, f.NumBlockIDs())...)
	for v := range d.vars {
		d.clip(int32(v), vrm)
		d.rewrite(int32(v), vrm)
		for _, r := range d.vars[v].ranges {
			d.emitRange(int32(v), r)
		}
	}
	for _, s := range d.stashed {
		f.InsertBefore(s.b, d.placeFor(s.b, s.at), s.i)
	}
	d.taken = false
}

// clip ends values in registers where those end: splitting and computing values
// again make them shorter.
func (d *DebugVars) clip(v int32, vrm *VirtRegMap) {
	for no := range d.vars[v].locs {
		o := d.vars[v].locs[no]
		if !o.IsReg() || !o.Reg().IsVirtual() || vrm.Phys(o.Reg()) == 0 {
			continue
		}
		if d.lis.Has(o.Reg()) {
			d.keepLive(v, int32(no), d.lis.Interval(o.Reg()).Segs)
		} else {
			d.keepLive(v, int32(no), nil)
		}
	}
}

// keepLive drops of the ranges with place no what lies outside of segs.
func (d *DebugVars) keepLive(v, no int32, segs []liveness.Segment) {
	d.out = d.out[:0]
	at := 0
	for _, r := range d.vars[v].ranges {
		hit := false
		for _, n := range d.nosOf(r.val) {
			hit = hit || n == no
		}
		if !hit {
			d.out = append(d.out, r)
			continue
		}
		for at < len(segs) && segs[at].End <= r.start {
			at++
		}
		for s := at; s < len(segs) && segs[s].Start < r.end; s++ {
			d.push(debugRange{max(segs[s].Start, r.start), min(segs[s].End, r.end), r.val})
		}
	}
	d.vars[v].ranges = append(d.vars[v].ranges[:0], d.out...)
}

// rewrite replaces virtual registers of v by what they were given, and joins
// ranges that say the same then.
func (d *DebugVars) rewrite(v int32, vrm *VirtRegMap) {
	x := &d.vars[v]
	x.inSlot = x.inSlot[:0]
	for k := range x.locs {
		o := &x.locs[k]
		virtual := o.IsReg() && o.Reg().IsVirtual()
		if virtual {
			*o = d.placeOf(*o, vrm)
		}
		x.inSlot = append(x.inSlot, virtual && !o.IsReg())
	}
	d.out = d.out[:0]
	for _, r := range x.ranges {
		val := r.val
		for k := range d.nosOf(val) {
			n := d.nosOf(val)[k]
			if n == unknownLoc {
				continue
			}
			for j := range n {
				if x.locs[j] == x.locs[n] && x.inSlot[j] == x.inSlot[n] {
					val = d.change(val, n, j)
					break
				}
			}
		}
		d.push(debugRange{r.start, r.end, val})
	}
	x.ranges = append(x.ranges[:0], d.out...)
}

// placeOf is where what virtual register o holds is: a physical register, a stack
// slot, or nowhere.
func (d *DebugVars) placeOf(o mir.Operand, vrm *VirtRegMap) mir.Operand {
	in, r, sub := d.f.Facts, o.Reg(), desc.SubRegIdx(o.SubReg())
	if p := vrm.Phys(r); p != 0 {
		if sub != 0 {
			p = in.SubReg(p, sub)
		}
		return mir.RegOp(mir.Reg(p), mir.Debug)
	}
	// A part that is not the first of its slot would need another expression than the module has.
	if r.Index() < len(d.spilled) && d.spilled[r.Index()] && vrm.Slot(r) != noSlot && (sub == 0 || in.SubRegIndices[sub].Offset == 0) {
		return mir.FrameOp(vrm.Slot(r))
	}
	return mir.RegOp(mir.NoReg, mir.Debug)
}

// emitRange puts a range into each block that it reaches.
func (d *DebugVars) emitRange(v int32, r debugRange) {
	f := d.f
	b := d.idx.BlockAt(r.start)
	for at := r.start; ; {
		end := d.idx.BlockEnd(b)
		d.emitValue(v, b, at, min(r.end, end), r.val)
		if r.end <= end {
			return
		}
		if b = f.NextBlock(b); b == 0 {
			return
		}
		at = end
	}
}

// emitValue says in block b, from at on, what the variable is, and says it again
// behind each instruction before end that defines a register that it is in.
func (d *DebugVars) emitValue(v int32, b mir.BlockID, at, end liveness.Index, val int32) {
	f, x, o := d.f, &d.vars[v], d.vals[val]
	locs, slot := d.operands[:0], false
	for _, n := range d.nosOf(val) {
		if n == unknownLoc {
			locs = append(locs, mir.RegOp(mir.NoReg, mir.Debug))
			continue
		}
		locs = append(locs, x.locs[n])
		slot = slot || x.inSlot[n]
	}
	d.operands = locs
	second := mir.RegOp(mir.NoReg, mir.Debug)
	switch {
	case slot && (o.indirect || o.list):
		// What is in memory would have to be said in another expression.
		for k := range locs {
			locs[k] = mir.RegOp(mir.NoReg, mir.Debug)
		}
	case slot || o.indirect:
		second = mir.ImmOp(0)
	}
	for i := d.placeFor(b, at); ; {
		var n mir.InstrID
		variable, expr := mir.IndexOp(mir.OpMetadata, uint32(x.variable), 0, 0), mir.IndexOp(mir.OpMetadata, uint32(o.expr), 0, 0)
		if o.list {
			n = f.New(desc.DBG_VALUE_LIST, variable, expr)
			for _, l := range locs {
				f.AddOp(n, l)
			}
		} else {
			n = f.New(desc.DBG_VALUE, locs[0], second, variable, expr)
		}
		f.Instr(n).Loc = x.loc
		f.InsertBefore(b, i, n)
		if i = d.nextPlace(i, end, locs); i == 0 {
			return
		}
	}
}

// nextPlace is the place behind the next instruction from i on and before end that
// defines one of the registers, 0 when there is none or it ends the block.
func (d *DebugVars) nextPlace(i mir.InstrID, end liveness.Index, locs []mir.Operand) mir.InstrID {
	f := d.f
	for ; i != 0 && !f.Desc(i).IsTerminator(); i = f.NextBundle(i) {
		if at := d.idx.Of(i); at != 0 && end.Base() <= at {
			return 0
		}
		for m := range f.InBundle(i) {
			if definesOne(f, m, locs) {
				return f.NextBundle(i)
			}
		}
	}
	return 0
}

// definesOne reports whether i defines one of the registers, or a larger one.
func definesOne(f *mir.Function, i mir.InstrID, locs []mir.Operand) bool {
	ops := f.Ops(i)
	for k := range ops {
		o := &ops[k]
		if !o.IsReg() || !o.IsDef() || !o.Reg().IsPhysical() {
			continue
		}
		for n := range locs {
			if l := &locs[n]; l.IsReg() && l.Reg().IsPhysical() && l.Reg() != mir.NoReg && f.Facts.IsSubRegisterEq(desc.PhysReg(o.Reg()), desc.PhysReg(l.Reg())) {
				return true
			}
		}
	}
	return false
}

// placeFor is where a debug instruction of place at of block b stands: before the
// result, 0 for the end of the block. Later ones of a place come behind earlier ones.
func (d *DebugVars) placeFor(b mir.BlockID, at liveness.Index) mir.InstrID {
	f := d.f
	if i := d.idx.InstrUpTo(b, at); i != 0 {
		if f.Desc(i).IsTerminator() {
			i = f.FirstTerminator(b)
		} else {
			i = f.NextBundle(i)
		}
		return f.SkipDebug(i)
	}
	i := f.Block(b).First()
	if s := d.skip[b]; s != 0 {
		i = f.NextBundle(s)
	}
	for i != 0 && (f.IsPHI(i) || isPosition(f.Instr(i).Opcode) || f.IsDebugInstr(i) || f.Instr(i).Opcode == desc.PSEUDO_PROBE) {
		d.skip[b] = i
		i = f.NextBundle(i)
	}
	return i
}

// isPosition reports labels and frame instructions, which mean the place where they stand.
func isPosition(op desc.Opcode) bool {
	switch op {
	case desc.EH_LABEL, desc.GC_LABEL, desc.ANNOTATION_LABEL, desc.CFI_INSTRUCTION:
		return true
	}
	return false
}

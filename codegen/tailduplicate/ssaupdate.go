package tailduplicate

import (
	"slices"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// updater makes the uses of a register that has several definitions now read the
// ones that reach them, with PHIs where several do (LLVM's MachineSSAUpdater). PHIs
// are placed by the dominance frontiers of the part of the graph between
// definitions and use; PHIs that are there already and merge the same are used.
type updater struct {
	f   *mir.Function
	reg mir.Reg // what the values are values of

	// Values at the ends of blocks, good where validAt is the register's epoch.
	value    []mir.Reg
	validAt  []uint32
	regEpoch uint32

	// What one search knows of blocks, by block, good in the search's epoch. Row 0 is
	// before all definitions.
	nodes  []node
	epoch  uint32
	work   []mir.BlockID
	roots  []mir.BlockID
	order  []mir.BlockID // blocks without a value, in post order of a walk from the definitions
	numbed int32         // the last number that was given out, that of row 0
	tagged []mir.BlockID
	stack  []mir.InstrID
	preds  []mir.Reg
	added  int64 // PHIs that were made
}

// node is a block in a search.
type node struct {
	epoch uint32
	// num is its place in post order; -1 met, -2 on the way, 0 not reached from a definition.
	num   int32
	value mir.Reg     // what is there at its end; 0 not known
	def   mir.BlockID // the block whose value that is; itself where a definition or a PHI stands
	idom  mir.BlockID // the next block above on all ways from the definitions
	tag   mir.InstrID // the PHI that would do here, while PHIs are compared
	isNew bool        // value is a new PHI of this search
}

// begin starts with register reg, of which no values are known.
func (u *updater) begin(f *mir.Function, reg mir.Reg) {
	u.f, u.reg = f, reg
	n := f.NumBlockIDs()
	if len(u.validAt) < n {
		u.validAt = append(u.validAt, make([]uint32, n-len(u.validAt))...)
		u.value = append(u.value, make([]mir.Reg, n-len(u.value))...)
		u.nodes = append(u.nodes, make([]node, n-len(u.nodes))...)
	}
	u.regEpoch++
}

// set says that the register's value at the end of b is v.
func (u *updater) set(b mir.BlockID, v mir.Reg) { u.value[b], u.validAt[b] = v, u.regEpoch }

// known is the value at the end of b, 0 when it is not known.
func (u *updater) known(b mir.BlockID) mir.Reg {
	if u.validAt[b] != u.regEpoch {
		return 0
	}
	return u.value[b]
}

// define makes an instruction of a new register before at in b.
func (u *updater) define(op desc.Opcode, b mir.BlockID, at mir.InstrID, ops ...mir.Operand) (mir.InstrID, mir.Reg) {
	f := u.f
	r := f.CloneVReg(u.reg)
	i := f.New(op, append([]mir.Operand{mir.RegOp(r, mir.Def)}, ops...)...)
	f.InsertBefore(b, at, i)
	return i, r
}

// rewrite makes use n of i, which reads the register, read the value that reaches it.
func (u *updater) rewrite(i mir.InstrID, n int) {
	f := u.f
	b := f.Instr(i).Block()
	var v mir.Reg
	if f.IsPHI(i) {
		v = u.atEnd(f.Op(i, n+1).Block())
	} else {
		v = u.inside(b, false)
	}
	if c := f.VReg(u.reg).Class; c >= 0 && !constrain(f, v, desc.ClassID(c)) {
		_, v = u.define(desc.COPY, b, f.FirstNonPHI(b), mir.RegOp(v, 0))
	}
	if v != u.reg {
		f.SetReg(i, n, v)
	}
}

// inside is the value in the middle of b, before what b defines itself. With
// existing it makes no instructions, and gives 0 where there is no value yet.
func (u *updater) inside(b mir.BlockID, existing bool) mir.Reg {
	f := u.f
	end := func(p mir.BlockID) mir.Reg {
		if existing {
			return u.known(p)
		}
		return u.atEnd(p)
	}
	if u.known(b) == 0 {
		return end(b)
	}
	if f.NumPreds(b) == 0 {
		if existing {
			return 0
		}
		_, r := u.define(desc.IMPLICIT_DEF, b, f.FirstTerminator(b))
		return r
	}
	u.preds = u.preds[:0]
	same := true
	for _, p := range f.Preds(b) {
		u.preds = append(u.preds, end(p))
		same = same && u.preds[0] == u.preds[len(u.preds)-1]
	}
	switch {
	case same:
		return u.preds[0]
	case existing:
		return 0
	}
	for i := f.Block(b).First(); i != 0 && f.IsPHI(i); i = f.Instr(i).Next() {
		if u.merges(i, f.Preds(b)) {
			return f.Op(i, 0).Reg()
		}
	}
	phi, r := u.define(desc.PHI, b, f.Block(b).First())
	for k, p := range f.Preds(b) {
		f.AddOp(phi, mir.RegOp(u.preds[k], 0))
		f.AddOp(phi, mir.BlockOp(p))
	}
	u.added++
	return r
}

// merges reports that a PHI reads what u.preds has for each predecessor.
func (u *updater) merges(phi mir.InstrID, preds []mir.BlockID) bool {
	f := u.f
	if f.Instr(phi).NumOps() != 1+2*len(preds) {
		return false
	}
	for k := 1; k < f.Instr(phi).NumOps(); k += 2 {
		at := (k - 1) / 2 // most PHIs name the blocks as they are listed
		if b := f.Op(phi, k+1).Block(); preds[at] != b {
			if at = slices.Index(preds, b); at < 0 {
				return false
			}
		}
		if o := f.Op(phi, k); o.Reg() != u.preds[at] || o.SubReg() != 0 {
			return false
		}
	}
	return true
}

// atEnd is the value at the end of b.
func (u *updater) atEnd(b mir.BlockID) mir.Reg {
	if v := u.known(b); v != 0 {
		return v
	}
	u.search(b)
	if len(u.order) == 0 { // no definition reaches b
		v := u.undefined(b)
		u.set(b, v)
		return v
	}
	u.dominators()
	u.place()
	u.fill()
	return u.nodes[u.nodes[b].def].value
}

// undefined makes a value of b that is none.
func (u *updater) undefined(b mir.BlockID) mir.Reg {
	_, r := u.define(desc.IMPLICIT_DEF, b, u.f.FirstNonPHI(b))
	return r
}

// meet makes the row of b ready and reports whether b is new to the search.
func (u *updater) meet(b mir.BlockID) bool {
	x := &u.nodes[b]
	if x.epoch == u.epoch {
		return false
	}
	*x = node{epoch: u.epoch, value: u.known(b), idom: none}
	if x.value != 0 {
		x.def = b
	}
	return true
}

// search finds the blocks between b and the definitions that reach it, and
// orders those without a value.
func (u *updater) search(b mir.BlockID) {
	f := u.f
	u.epoch++
	u.work, u.roots, u.order = u.work[:0], u.roots[:0], u.order[:0]
	u.meet(b)
	for u.work = append(u.work, b); len(u.work) > 0; {
		x := u.work[len(u.work)-1]
		u.work = u.work[:len(u.work)-1]
		for _, p := range f.Preds(x) {
			switch {
			case !u.meet(p):
			case u.nodes[p].value != 0:
				u.roots = append(u.roots, p)
			default:
				u.work = append(u.work, p)
			}
		}
	}
	u.nodes[0] = node{epoch: u.epoch, idom: none}
	u.numbed = 1
	for k := len(u.roots) - 1; k >= 0; k-- {
		u.nodes[u.roots[k]].num, u.nodes[u.roots[k]].idom = -1, 0
		u.work = append(u.work, u.roots[k])
	}
	for len(u.work) > 0 {
		b := u.work[len(u.work)-1]
		x := &u.nodes[b]
		if x.num == -2 {
			x.num = u.numbed
			u.numbed++
			if x.value == 0 {
				u.order = append(u.order, b)
			}
			u.work = u.work[:len(u.work)-1]
			continue
		}
		x.num = -2
		for _, s := range f.Succs(b) {
			if y := &u.nodes[s.Block]; y.epoch == u.epoch && y.num == 0 {
				y.num = -1
				u.work = append(u.work, s.Block)
			}
		}
	}
	u.nodes[0].num = u.numbed
}

// dominators finds the immediate dominators of the ordered blocks. A block
// before them that no definition reaches defines an undefined value.
func (u *updater) dominators() {
	for changed := true; changed; {
		changed = false
		for k := len(u.order) - 1; k >= 0; k-- {
			b := u.order[k]
			above, any := mir.BlockID(0), false
			for _, p := range u.f.Preds(b) {
				if x := &u.nodes[p]; x.num == 0 {
					v := u.undefined(p)
					u.set(p, v)
					x.value, x.def, x.num = v, p, u.nodes[0].num
					u.nodes[0].num++
				}
				if !any {
					above, any = p, true
				} else {
					above = u.common(above, p)
				}
			}
			if any && u.nodes[b].idom != above {
				u.nodes[b].idom = above
				changed = true
			}
		}
	}
}

// common is the next block above both a and b; a way up that is not known yet
// does not count.
func (u *updater) common(a, b mir.BlockID) mir.BlockID {
	for a != b {
		for u.nodes[a].num < u.nodes[b].num {
			if a = u.nodes[a].idom; a == none {
				return b
			}
		}
		for u.nodes[b].num < u.nodes[a].num {
			if b = u.nodes[b].idom; b == none {
				return a
			}
		}
	}
	return a
}

// none is what stands above row 0.
const none = ^mir.BlockID(0)

// place finds out which blocks need PHIs.
func (u *updater) place() {
	for changed := true; changed; {
		changed = false
		for k := len(u.order) - 1; k >= 0; k-- {
			b := u.order[k]
			x := &u.nodes[b]
			if x.def == b {
				continue
			}
			def := u.nodes[x.idom].def
			for _, p := range u.f.Preds(b) {
				if u.defines(p, x.idom) {
					def = b
					break
				}
			}
			if x.def != def {
				x.def = def
				changed = true
			}
		}
	}
}

// defines reports a definition from p up to, but not in, idom.
func (u *updater) defines(p, idom mir.BlockID) bool {
	for p != idom && p != none {
		if u.nodes[p].def == p {
			return true
		}
		p = u.nodes[p].idom
	}
	return false
}

// fill gives the blocks that need PHIs those that are there, else new ones.
func (u *updater) fill() {
	f := u.f
	for _, b := range u.order {
		if u.nodes[b].def != b {
			continue
		}
		if u.allSame(b) {
			continue
		}
		u.findPHI(b)
		if u.nodes[b].value != 0 {
			continue
		}
		phi, r := u.define(desc.PHI, b, f.Block(b).First())
		u.added++
		x := &u.nodes[b]
		x.value, x.isNew, x.tag = r, true, phi
		u.set(b, r)
	}
	for k := len(u.order) - 1; k >= 0; k-- {
		b := u.order[k]
		x := &u.nodes[b]
		if x.def != b {
			u.set(b, u.nodes[x.def].value)
			continue
		}
		if !x.isNew {
			continue
		}
		phi := x.tag
		for _, p := range f.Preds(b) {
			f.AddOp(phi, mir.RegOp(u.nodes[u.nodes[p].def].value, 0))
			f.AddOp(phi, mir.BlockOp(p))
		}
	}
}

// allSame reports that one known value comes from all predecessors of b, and takes it.
func (u *updater) allSame(b mir.BlockID) bool {
	preds := u.f.Preds(b)
	if len(preds) == 0 {
		return false
	}
	def := u.nodes[preds[0]].def
	v := u.nodes[def].value
	for _, p := range preds {
		if v == 0 || u.nodes[u.nodes[p].def].value != v {
			return false
		}
	}
	u.nodes[b].value, u.nodes[b].def = v, def
	u.set(b, v)
	return true
}

// findPHI looks for a PHI of b that merges the values, and takes it and those
// that it reads.
func (u *updater) findPHI(b mir.BlockID) {
	f := u.f
	for i := f.Block(b).First(); i != 0 && f.IsPHI(i); i = f.Instr(i).Next() {
		ok := u.matches(i)
		for _, b := range u.tagged {
			x := &u.nodes[b]
			if ok {
				x.value = f.Op(x.tag, 0).Reg()
				u.set(b, x.value)
			}
			x.tag = 0
		}
		if ok {
			return
		}
	}
}

// matches reports that phi, and the PHIs it reads where a PHI is needed, read
// what reaches them. It leaves them in the tags of their blocks.
func (u *updater) matches(phi mir.InstrID) bool {
	f := u.f
	u.tagged, u.stack = u.tagged[:0], u.stack[:0]
	tag := func(phi mir.InstrID) {
		b := f.Instr(phi).Block()
		u.nodes[b].tag = phi
		u.tagged, u.stack = append(u.tagged, b), append(u.stack, phi)
	}
	for tag(phi); len(u.stack) > 0; {
		phi = u.stack[len(u.stack)-1]
		u.stack = u.stack[:len(u.stack)-1]
		for k := 1; k < f.Instr(phi).NumOps(); k += 2 {
			in, p := f.Op(phi, k), f.Op(phi, k+1).Block()
			if u.nodes[p].epoch != u.epoch {
				return false
			}
			at := u.nodes[p].def
			x := &u.nodes[at]
			if x.value != 0 {
				if in.Reg() != x.value || in.SubReg() != 0 {
					return false
				}
				continue
			}
			d := f.UniqueDef(in.Reg())
			if in.SubReg() != 0 || !in.Reg().IsVirtual() || d == 0 || !f.IsPHI(d) || f.Instr(d).Block() != at {
				return false
			}
			if x.tag != 0 {
				if x.tag != d {
					return false
				}
				continue
			}
			tag(d)
		}
	}
	return true
}

package irprep

import (
	"cmp"
	"slices"

	"github.com/mirin-go/mirin/analysis"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/iranalysis"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
	"github.com/mirin-go/mirin/target"
)

// ConstantHoisting makes integer constants that no instruction holds by itself
// once, in blocks above their uses, and constants near to such a one by adding to it.
// A bitcast from the constant to its own type keeps later passes from seeing
// the constant at its uses (the IR translator makes it a barrier).
var ConstantHoisting = pass.Pass{
	Name:     "consthoist",
	Title:    "Constant Hoisting",
	IR:       true,
	Optional: pass.Skippable,
	Run:      runConstantHoisting,
}

// hoister is the state of the pass for one function.
type hoister struct {
	preparer
	cfg   analysis.Graph
	probs iranalysis.Probs
	freq  analysis.Frequencies

	uses []hoistUse
	// want marks, by block, where a group's constants are needed; cand the blocks above them.
	want, cand []bool
	order      []int32 // the marked blocks, dominators first
	points     []hoistPoints
	number     []int32 // preorder in the dominator tree
}

// hoistUse is an operand that is an expensive constant, or that constant made a pointer.
type hoistUse struct {
	value uint64
	t     ir.Type // of the integer
	inst  ir.InstrID
	op    int
	at    ir.InstrID // in front of which the operand's value is made
	cost  int
	done  bool
}

// hoistPoints are the best places for a constant in a part of the dominator tree.
type hoistPoints struct {
	blocks []ir.BlockID
	freq   float64
}

func runConstantHoisting(c *pass.Context, mf *mir.Function) error {
	if mf.IR == nil || mf.FirstBlock() != 0 || c.Subtarget.Target.ISel.Prepare.ImmCost == nil {
		return nil
	}
	h := pass.Scratch[hoister](c)
	h.start(c, mf)
	if !h.hasExpensive() || !h.collect() {
		return nil
	}
	iranalysis.FillCFG(&h.cfg, h.f)
	h.probs.Compute(h.f, &h.cfg)
	h.freq.Compute(&h.cfg, &h.probs.Loops, h.probs.Edge)
	h.placeUses()
	if len(h.uses) < 2 {
		return nil
	}
	h.f = mf.OwnIR()
	h.f.IndexUses()
	h.numberBlocks()
	h.groups()
	h.f.DropUses()
	return nil
}

// hasExpensive reports constants that may be worth it: most functions have none.
func (h *hoister) hasExpensive() bool {
	for k := 1; k < h.f.Consts.Len(); k++ {
		if c := h.f.Consts.At(ir.ConstID(k)); c.Kind == ir.ConstInt {
			if bits := h.t.IntBits(c.Type); bits > 0 && bits <= 64 && h.cost(ir.OpRet, 0, signed(c.Bits, bits), bits) > 1 {
				return true
			}
		}
	}
	return false
}

// signed is the number that the low bits of v are.
func signed(v uint64, bits int) int64 { return int64(v<<(64-bits)) >> (64 - bits) }

func (h *hoister) cost(op ir.Op, n int, v int64, bits int) int {
	return h.st.Target.ISel.Prepare.ImmCost(target.ImmediateUse{Op: op, Operand: n, Value: v, Bits: bits})
}

// collect finds the uses of expensive constants.
func (h *hoister) collect() bool {
	f := h.f
	h.uses = h.uses[:0]
	for _, b := range f.Order {
		for i := f.Blocks[b].First; i != 0; i = f.Instrs[i].Next {
			op := f.Instrs[i].Op
			if op >= ir.OpTrunc && op <= ir.OpAddrSpaceCast {
				continue // of a constant: a constant by another name
			}
			step := 1
			if op == ir.OpPhi {
				step = 2
			}
			for n := 0; n < f.NumOps(i); n += step {
				c := f.Op(i, n).Const()
				if c == 0 {
					continue
				}
				r := f.Consts.At(c)
				if r.Kind == ir.ConstExpr && r.Op == ir.OpIntToPtr {
					c = f.Consts.Ops(c)[0].Const()
					if c == 0 {
						continue
					}
					r = f.Consts.At(c)
				}
				if r.Kind != ir.ConstInt || !h.replaceable(i, n) {
					continue
				}
				bits := h.t.IntBits(r.Type)
				if bits > 64 {
					continue
				}
				if cost := h.useCost(i, n, signed(r.Bits, bits), bits); cost > 1 {
					h.uses = append(h.uses, hoistUse{value: r.Bits, t: r.Type, inst: i, op: n, cost: cost})
				}
			}
		}
	}
	return len(h.uses) > 1
}

// useCost is what a constant costs at operand n of i. Intrinsics become
// instructions that take constants in, or need them; but for those that are
// sums, whose first operand is as good as any.
func (h *hoister) useCost(i ir.InstrID, n int, v int64, bits int) int {
	f := h.f
	if f.Instrs[i].Op != ir.OpCall {
		return h.cost(f.Instrs[i].Op, n, v, bits)
	}
	switch f.IntrinsicOf(i) {
	case ir.NotIntrinsic:
		return h.cost(ir.OpCall, n, v, bits)
	case ir.IntrSaddWithOverflow, ir.IntrUaddWithOverflow, ir.IntrSsubWithOverflow, ir.IntrUsubWithOverflow,
		ir.IntrSmulWithOverflow, ir.IntrUmulWithOverflow:
		if n == 0 {
			return h.cost(ir.OpCall, n, v, bits)
		}
	}
	return 0
}

// replaceable reports operands that need not be constants.
func (h *hoister) replaceable(i ir.InstrID, n int) bool {
	f := h.f
	switch f.Instrs[i].Op {
	case ir.OpSwitch, ir.OpExtractValue, ir.OpAlloca, ir.OpLandingPad, ir.OpCatchPad, ir.OpCleanupPad, ir.OpCatchSwitch, ir.OpInvoke, ir.OpCallBr:
		return false
	case ir.OpCall:
		return f.Callee(i).Tag() != ir.TagInlineAsm && n < f.NumArgOps(i)
	case ir.OpGEP:
		return n == 0 // members of structures are constants, offsets are part of addresses
	}
	return true
}

// placeUses says where each use's value is made, drops those that are never reached, and sorts the rest.
func (h *hoister) placeUses() {
	f := h.f
	kept := h.uses[:0]
	for _, u := range h.uses {
		b := f.Instrs[u.inst].Block
		u.at = u.inst
		if f.Instrs[u.inst].Op == ir.OpPhi {
			b = f.Op(u.inst, u.op+1).Block()
			u.at = 0
		}
		if !h.cfg.Reachable(int(b)) {
			continue
		}
		if u.at == 0 {
			for h.isPad(b) {
				b = ir.BlockID(h.probs.Dom.IDom(int(b)))
			}
			u.at = f.Terminator(b)
		}
		kept = append(kept, u)
	}
	h.uses = kept
	slices.SortStableFunc(h.uses, func(x, y hoistUse) int {
		return cmp.Or(cmp.Compare(h.t.IntBits(x.t), h.t.IntBits(y.t)), cmp.Compare(x.value, y.value))
	})
}

// isPad reports blocks that begin as exception handling wants it.
func (h *hoister) isPad(b ir.BlockID) bool {
	f := h.f
	i := f.Blocks[b].First
	for i != 0 && f.Instrs[i].Op == ir.OpPhi {
		i = f.Instrs[i].Next
	}
	return i != 0 && isPad(f.Instrs[i].Op)
}

func isPad(op ir.Op) bool {
	return op == ir.OpLandingPad || op == ir.OpCleanupPad || op == ir.OpCatchPad || op == ir.OpCatchSwitch
}

// groups walks over the uses in ranges that one addition covers.
func (h *hoister) groups() {
	for a := 0; a < len(h.uses); {
		b := a + 1
		for b < len(h.uses) && h.uses[b].t == h.uses[a].t && h.inRange(a, b) {
			b++
		}
		h.hoistGroup(h.uses[a:b])
		a = b
	}
}

// inRange reports whether the constant of use b is that of use a plus what an instruction holds.
func (h *hoister) inRange(a, b int) bool {
	x, y := &h.uses[a], &h.uses[b]
	diff := signed(y.value-x.value, h.t.IntBits(x.t))
	n := h.st.Target.ISel.Prepare.AddImmBits
	if n == 0 || diff != signed(uint64(diff), n) {
		return false
	}
	op := h.f.Instrs[y.inst].Op
	if op == ir.OpLoad || op == ir.OpStore && y.op == 1 {
		return h.st.LegalAddress(target.AddressMode{Base: true, Offset: diff})
	}
	return true
}

// hoistGroup does constants that are near to each other: the one whose uses
// cost most is made, the others of it.
func (h *hoister) hoistGroup(g []hoistUse) {
	if len(g) < 2 {
		return // a constant that is used once stays there
	}
	base, most := uint64(0), -1
	for a := 0; a < len(g); {
		b, sum := a, 0
		for ; b < len(g) && g[b].value == g[a].value; b++ {
			sum += g[b].cost
		}
		if sum > most {
			base, most = g[a].value, sum
		}
		a = b
	}
	for _, b := range h.insertionBlocks(g) {
		h.emit(g, b, base)
	}
}

// emit makes the base constant in block b and of it what the uses below need.
func (h *hoister) emit(g []hoistUse, b ir.BlockID, base uint64) {
	f := h.f
	var v ir.Value
	for k := range g {
		u := &g[k]
		if u.done || !h.probs.Dom.Dominates(int(b), int(f.Instrs[u.at].Block)) {
			continue
		}
		u.done = true
		if v == 0 {
			v = h.insert(h.insertionPoint(b), ir.Instr{Op: ir.OpBitCast, Type: u.t}, ir.ConstVal(f.Consts.Int(u.t, base)))
			f.Instrs[v.Instr()].Loc = 0 // of no place in particular
			h.c.Count("consthoist", "Number of constants hoisted", 1)
		}
		h.rebase(u, v, u.value-base)
	}
}

// rebase makes a use one of v plus diff.
func (h *hoister) rebase(u *hoistUse, v ir.Value, diff uint64) {
	f := h.f
	if f.Instrs[u.inst].Op == ir.OpPhi {
		// One block has one value, however often it leads to the PHI.
		for n := 0; n < u.op; n += 2 {
			if f.Op(u.inst, n+1) == f.Op(u.inst, u.op+1) {
				f.SetOp(u.inst, u.op, f.Op(u.inst, n))
				return
			}
		}
	}
	if diff != 0 {
		v = h.insert(u.at, ir.Instr{Op: ir.OpAdd, Type: u.t}, v, h.int(u.t, signed(diff, h.t.IntBits(u.t))))
		h.c.Count("consthoist", "Number of constants rebased", 1)
	}
	if t := f.TypeOf(f.Op(u.inst, u.op)); t != u.t {
		v = h.insert(u.at, ir.Instr{Op: ir.OpIntToPtr, Type: t}, v)
	}
	f.SetOp(u.inst, u.op, v)
}

// insertionPoint is the first place of block b for an instruction.
func (h *hoister) insertionPoint(b ir.BlockID) ir.InstrID {
	f := h.f
	i := f.Blocks[b].First
	for f.Instrs[i].Op == ir.OpPhi || isPad(f.Instrs[i].Op) {
		i = f.Instrs[i].Next
	}
	return i
}

// numberBlocks numbers the blocks so that a dominator comes before what it dominates.
func (h *hoister) numberBlocks() {
	n := h.cfg.NumNodes()
	h.number = rows.Sized(h.number, n)
	h.order = h.probs.Dom.Preorder(h.order[:0])
	for k, b := range h.order {
		h.number[b] = int32(k)
	}
	h.want, h.cand = rows.Zeroed(h.want, n), rows.Zeroed(h.cand, n)
	h.points = rows.Sized(h.points, n)
}

// insertionBlocks are the blocks in which a group's constant costs least: each use is below one of them.
// From the uses up, a block takes the place of those below it where it runs less often than they together.
func (h *hoister) insertionBlocks(g []hoistUse) []ir.BlockID {
	f, dom := h.f, &h.probs.Dom
	entry := f.Order[0]
	h.order = h.order[:0]
	for k := range g {
		h.want[f.Instrs[g[k].at].Block] = true
	}
	if h.want[entry] {
		for k := range g {
			h.want[f.Instrs[g[k].at].Block] = false
		}
		return append(h.blocks[:0], entry)
	}
	for k := range g {
		b := int(f.Instrs[g[k].at].Block)
		for b != int(entry) && !h.cand[b] {
			h.cand[b] = true
			h.order = append(h.order, int32(b))
			b = dom.IDom(b)
		}
	}
	slices.SortFunc(h.order, func(x, y int32) int { return cmp.Compare(h.number[y], h.number[x]) })
	best := func(b int) hoistPoints {
		p, freq := h.points[b], h.freq.Freq[b]
		if !h.want[b] && (b != int(entry) && h.isPad(ir.BlockID(b)) || p.freq < freq || p.freq == freq && len(p.blocks) < 2) {
			return p
		}
		return hoistPoints{append(p.blocks[:0], ir.BlockID(b)), freq}
	}
	for _, b := range h.order {
		p := best(int(b))
		up := &h.points[dom.IDom(int(b))]
		up.blocks, up.freq = append(up.blocks, p.blocks...), up.freq+p.freq
	}
	found := append(h.blocks[:0], best(int(entry)).blocks...)
	for _, b := range append(h.order, int32(entry)) {
		h.cand[b], h.want[b], h.points[b] = false, false, hoistPoints{blocks: h.points[b].blocks[:0]}
	}
	h.blocks = found
	return found
}

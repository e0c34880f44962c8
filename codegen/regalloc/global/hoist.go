package global

import (
	"cmp"
	"slices"

	"github.com/mirin-go/mirin/analysis"
	"github.com/mirin-go/mirin/codegen/liveness"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// Hoisting of spills: several stores of one value to its slot become one in a block
// that dominates them, where some part of the register holds the value and the
// store runs less often. A store that another one of the value dominates goes in
// any case. It is LLVM's HoistSpillHelper.

// hoistBudget bounds the blocks and the parts of registers that are looked at for
// all stores of a function: hoisting ends where it is used up.
const hoistBudget = 1 << 20

// hoister moves the stores that spilling made when all registers have their place.
type hoister struct {
	s    *spiller
	x    splitAnalysis
	dom  *analysis.Dominators
	rows []hoistRow // by block
	// parts lists, by original register, what was split off: first and next by register.
	first, next []int32
	group       []storedValue
	work        []mir.BlockID // where stores of the group may be put
	budget      int
	epoch       uint32
}

// storedValue is a store of a value of the register that slot is of.
type storedValue struct {
	instr    mir.InstrID
	slot     int
	original mir.Reg
	val      liveness.ValueID
	at       liveness.Index
}

// hoistRow is what is known of a block for the group at hand.
type hoistRow struct {
	epoch uint32
	work  bool
	// store is the first store of the block, 0 for none, kept whether it is left; reg is
	// the part to store at the block's end instead of the stores below it, 0 for none.
	store mir.InstrID
	kept  bool
	reg   mir.Reg
	// The stores that are left in the dominator tree from here down: a list of their
	// blocks, their number, how often they run.
	head, tail mir.BlockID
	after      mir.BlockID // the next of the list that this block is in
	num        int
	cost       float64
}

// hoist moves the stores of all values.
func (h *hoister) hoist(s *spiller) {
	a := s.a
	h.s, h.budget = s, hoistBudget
	h.collect()
	if len(h.group) < 1 {
		return
	}
	h.dom = a.dominators()
	h.x.begin(a)
	h.listParts()
	if n := a.f.NumBlockIDs(); n > len(h.rows) {
		h.rows = append(h.rows, make([]hoistRow, n-len(h.rows))...)
	}
	for k := 0; k < len(h.group) && h.budget > 0; {
		n := k + 1
		for n < len(h.group) && h.group[n].original == h.group[k].original && h.group[n].val == h.group[k].val {
			n++
		}
		h.hoistValue(h.group[k:n])
		k = n
		if a.renumber() {
			h.x.forget()
			h.locate(h.group[k:])
		}
	}
}

// collect lists the stores that are left by value, in the order of the code.
func (h *hoister) collect() {
	a := h.s.a
	h.group = h.group[:0]
	for _, r := range h.s.stores.rows {
		if r.instr == 0 || !a.lis.Has(r.original) {
			continue
		}
		if _, fi, _, ok := a.st.StoreToStackSlot(a.f, r.instr); !ok || fi != r.slot {
			continue
		}
		at := a.idx.Of(r.instr).Reg()
		if v := a.lis.Interval(r.original).ValueAt(at); v != liveness.NoValue {
			h.group = append(h.group, storedValue{r.instr, r.slot, r.original, v, at})
		}
	}
	slices.SortFunc(h.group, func(x, y storedValue) int {
		return cmp.Or(cmp.Compare(x.original, y.original), cmp.Compare(x.val, y.val), cmp.Compare(x.at, y.at))
	})
}

// locate finds where stores are when indexes are others.
func (h *hoister) locate(list []storedValue) {
	for k := range list {
		list[k].at = h.s.a.idx.Of(list[k].instr).Reg()
	}
}

// listParts lists what each register was split into.
func (h *hoister) listParts() {
	a := h.s.a
	n := a.f.NumVRegs()
	h.first, h.next = rows.Sized(h.first, n), rows.Sized(h.next, n)
	for k := range n {
		h.first[k], h.next[k] = -1, -1
	}
	for k := n - 1; k >= 0; k-- {
		r := mir.VReg(k)
		if o := a.vrm.Original(r); o != r && a.vrm.Phys(r) != 0 && a.lis.Has(r) && a.isUsed(r) {
			h.next[k], h.first[o.Index()] = h.first[o.Index()], int32(k)
		}
	}
}

func (h *hoister) row(b mir.BlockID) *hoistRow {
	x := &h.rows[b]
	if x.epoch != h.epoch {
		*x = hoistRow{epoch: h.epoch}
	}
	return x
}

// hoistValue moves the stores of one value.
func (h *hoister) hoistValue(stores []storedValue) {
	a, s := h.s.a, h.s
	orig := a.lis.Interval(stores[0].original)
	root := a.idx.BlockAt(orig.Vals[stores[0].val].Def)
	if len(stores) == 1 && a.f.Instr(stores[0].instr).Block() == root {
		return
	}
	h.epoch++
	s.dead = s.dead[:0]
	n := 0
	for _, x := range stores {
		if r := h.row(a.f.Instr(x.instr).Block()); r.store == 0 {
			r.store, r.kept = x.instr, true
			stores[n] = x
			n++
		} else {
			h.erase(x.instr)
		}
	}
	h.findPlaces(root, stores[:n])
	h.choose(orig, stores[0].val, root)
	changed := len(s.dead) > 0
	for _, b := range h.work {
		if r := h.row(b); r.reg != 0 {
			h.insert(orig, b, r.reg, stores[0].slot)
			changed = true
		}
	}
	if !changed {
		return
	}
	a.stacks.GetOrCreate(a.in, stores[0].slot, desc.ClassID(a.f.VReg(orig.Reg).Class)).AddValue(&orig.Range, stores[0].val)
	if len(s.dead) > 0 {
		a.eraseDead(s.dead, nil)
		s.dead = s.dead[:0]
	}
}

// erase erases a store that is not needed.
func (h *hoister) erase(i mir.InstrID) {
	h.s.eraseStore(i)
	h.s.a.c.Count("regalloc", "Number of spills inserted", -1)
}

// findPlaces lists in work the blocks between the stores and root, which defines the
// value, the innermost of the dominator tree first. Stores that another one
// dominates are erased.
func (h *hoister) findPlaces(root mir.BlockID, stores []storedValue) {
	h.work = h.work[:0]
	for _, x := range stores {
		b, from, dominated := h.s.a.f.Instr(x.instr).Block(), len(h.work), false
		for n := b; ; n = mir.BlockID(h.dom.IDom(int(n))) {
			h.budget--
			r := h.row(n)
			if n != b && r.store != 0 {
				dominated = true
				break
			}
			if r.work {
				break
			}
			h.work = append(h.work, n)
			if n == root {
				break
			}
		}
		if dominated {
			h.work = h.work[:from]
			h.row(b).kept = false
			h.erase(x.instr)
			continue
		}
		for _, n := range h.work[from:] {
			h.row(n).work = true
		}
	}
	slices.SortFunc(h.work, func(x, y mir.BlockID) int {
		return cmp.Or(cmp.Compare(h.dom.Level(int(y)), h.dom.Level(int(x))), cmp.Compare(x, y))
	})
}

// choose decides, from the leaves of the dominator tree up to root, where one store
// replaces those below, and erases these.
func (h *hoister) choose(orig *liveness.Interval, v liveness.ValueID, root mir.BlockID) {
	a := h.s.a
	for _, b := range h.work {
		r := h.row(b)
		if r.kept {
			r.head, r.tail, r.after, r.num, r.cost = b, b, 0, 1, a.freq[b]
		} else if r.num > 0 {
			margin := 1.0
			if r.num > 1 {
				margin = 0.9 // less code is worth a little
			}
			if r.cost > a.freq[b]*margin {
				if p := h.holder(orig, v, b); p != 0 {
					for x := r.head; x != 0; x = h.row(x).after {
						y := h.row(x)
						if y.kept {
							h.erase(y.store)
						}
						y.kept, y.reg = false, 0
					}
					r.reg, r.head, r.tail, r.after, r.num, r.cost = p, b, b, 0, 1, a.freq[b]
				}
			}
		}
		if b == root || r.num == 0 {
			continue
		}
		up := h.row(mir.BlockID(h.dom.IDom(int(b))))
		if up.num == 0 {
			up.head = r.head
		} else {
			h.row(up.tail).after = r.head
		}
		up.tail, up.num, up.cost = r.tail, up.num+r.num, up.cost+r.cost
	}
}

// holder is a part of the register that holds value v where code may stand last in b, 0 for none.
func (h *hoister) holder(orig *liveness.Interval, v liveness.ValueID, b mir.BlockID) mir.Reg {
	a := h.s.a
	h.x.iv = orig
	at := h.x.lastSplit(b)
	if at == a.idx.BlockEnd(b) {
		at--
	}
	if at < orig.Vals[v].Def || orig.ValueAt(at) != v {
		return 0
	}
	for k := h.first[orig.Reg.Index()]; k >= 0; k = h.next[k] {
		h.budget--
		if r := mir.VReg(int(k)); a.lis.Has(r) && a.vrm.Phys(r) != 0 && a.lis.Interval(r).LiveAt(at) {
			return r
		}
	}
	return 0
}

// insert stores r at the end of b.
func (h *hoister) insert(orig *liveness.Interval, b mir.BlockID, r mir.Reg, slot int) {
	a, s := h.s.a, h.s
	h.x.iv = orig
	at := mir.InstrID(0)
	if lsp := h.x.lastSplit(b); lsp != a.idx.BlockEnd(b) {
		at = a.idx.Instr(lsp)
	}
	s.slot, s.original = slot, orig.Reg
	s.store(b, at, r, false)
}

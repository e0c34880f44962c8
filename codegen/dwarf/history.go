package dwarf

import (
	"slices"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
)

// entityKey is a variable or label of the source, inlined at a location or not.
type entityKey struct{ node, inlinedAt ir.MDID }

// history is what debug instructions say about a variable, in order.
type history struct {
	key     entityKey
	entries []historyEntry
	open    []int32 // entries without an end
}

// historyEntry is a debug value, or an instruction behind which some earlier ones do
// not hold any more.
type historyEntry struct {
	instr mir.InstrID
	end   int32 // of a value: the entry that ends it, -1 none
	value bool
}

// histories are those of one function.
type histories struct {
	f      *mir.Function
	rows   []history
	byKey  map[entityKey]int32
	labels []labelUse
	live   []int32 // rows with open entries
	isLive []bool
	// regs counts, by register, the open entries that name it; users are their rows.
	regs map[desc.PhysReg][]int32
}

// labelUse is a DBG_LABEL.
type labelUse struct {
	key   entityKey
	instr mir.InstrID
}

func (h *histories) reset(f *mir.Function) {
	h.f = f
	h.rows, h.labels, h.live, h.isLive = h.rows[:0], h.labels[:0], h.live[:0], h.isLive[:0]
	if h.byKey == nil {
		h.byKey, h.regs = map[entityKey]int32{}, map[desc.PhysReg][]int32{}
	}
	clear(h.byKey)
	clear(h.regs)
}

// row is the history of a variable.
func (h *histories) row(k entityKey) int32 {
	if r, ok := h.byKey[k]; ok {
		return r
	}
	r := int32(len(h.rows))
	if cap(h.rows) > len(h.rows) {
		h.rows = h.rows[:r+1]
		x := &h.rows[r]
		x.key, x.entries, x.open = k, x.entries[:0], x.open[:0]
	} else {
		h.rows = append(h.rows, history{key: k})
	}
	h.isLive = append(h.isLive, false)
	h.byKey[k] = r
	return r
}

// debugVar are the variable and expression of a debug value, and its places.
func debugVar(f *mir.Function, i mir.InstrID) (variable, expr ir.MDID, places []mir.Operand) {
	ops := f.Ops(i)
	switch op := f.Instr(i).Opcode; {
	case op == desc.DBG_VALUE && len(ops) == 4 && ops[2].Kind() == mir.OpMetadata && ops[3].Kind() == mir.OpMetadata:
		return ir.MDID(ops[2].Index()), ir.MDID(ops[3].Index()), ops[:1]
	case op == desc.DBG_VALUE_LIST && len(ops) >= 2 && ops[0].Kind() == mir.OpMetadata && ops[1].Kind() == mir.OpMetadata:
		return ir.MDID(ops[0].Index()), ir.MDID(ops[1].Index()), ops[2:]
	}
	return 0, 0, nil
}

// isUndef reports a debug value that says that nothing is known.
func isUndef(places []mir.Operand) bool {
	return len(places) == 0 || slices.ContainsFunc(places, func(o mir.Operand) bool { return o.IsReg() && o.Reg() == mir.NoReg })
}

// scan collects the histories of f.
func (h *histories) scan(w *Writer, f *mir.Function, sp, fp desc.PhysReg) {
	h.reset(f)
	last := mir.BlockID(0)
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		last = b
	}
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		tail := mir.InstrID(0)
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			tail = i
			switch {
			case f.Instr(i).Opcode == desc.DBG_LABEL:
				if o := f.Op(i, 0); o.Kind() == mir.OpMetadata {
					h.labels = append(h.labels, labelUse{entityKey{ir.MDID(o.Index()), w.inlinedAt(f.Instr(i).Loc)}, i})
				}
			case f.IsDebugInstr(i):
				if v, expr, places := debugVar(f, i); v != 0 && f.Instr(i).Loc != 0 {
					h.newValue(w, entityKey{v, w.inlinedAt(f.Instr(i).Loc)}, i, expr, places)
				}
			case len(h.regs) > 0:
				h.clobbers(i, sp, fp)
			}
		}
		if tail != 0 && b != last {
			for _, r := range h.live {
				x := &h.rows[r]
				if h.isLive[r] && len(x.open) > 0 {
					h.endAll(x, tail)
				}
				h.isLive[r] = false
			}
			h.live = h.live[:0]
			clear(h.regs)
		}
	}
}

func (h *histories) endAll(x *history, at mir.InstrID) {
	n := int32(len(x.entries))
	x.entries = append(x.entries, historyEntry{instr: at, end: -1})
	for _, e := range x.open {
		x.entries[e].end = n
	}
	x.open = x.open[:0]
}

// newValue adds a debug value, which ends those of the same part of the variable.
func (h *histories) newValue(w *Writer, k entityKey, i mir.InstrID, expr ir.MDID, places []mir.Operand) {
	r := h.row(k)
	x := &h.rows[r]
	if n := len(x.entries); n > 0 && x.entries[n-1].value && x.entries[n-1].end < 0 && h.sameValue(x.entries[n-1].instr, i) {
		return
	}
	n := int32(len(x.entries))
	x.entries = append(x.entries, historyEntry{instr: i, end: -1, value: true})
	off, size := w.fragment(expr)
	kept := x.open[:0]
	for _, e := range x.open {
		_, old, _ := debugVar(h.f, x.entries[e].instr)
		if o, s := w.fragment(old); off < o+s && o < off+size {
			x.entries[e].end = n
		} else {
			kept = append(kept, e)
		}
	}
	x.open = append(kept, n)
	if !h.isLive[r] {
		h.isLive[r] = true
		h.live = append(h.live, r)
	}
	for k := range places {
		if o := &places[k]; o.IsReg() && o.Reg() != mir.NoReg && o.Reg().IsPhysical() {
			if p := desc.PhysReg(o.Reg()); !slices.Contains(h.regs[p], r) {
				h.regs[p] = append(h.regs[p], r)
			}
		}
	}
}

// sameValue reports two debug values that say the same.
func (h *histories) sameValue(a, b mir.InstrID) bool {
	f := h.f
	x, y := f.Ops(a), f.Ops(b)
	if f.Instr(a).Opcode != f.Instr(b).Opcode || len(x) != len(y) {
		return false
	}
	for k := range x {
		if !sameOperand(&x[k], &y[k]) {
			return false
		}
	}
	return true
}

func sameOperand(a, b *mir.Operand) bool {
	if a.Kind() != b.Kind() {
		return false
	}
	switch a.Kind() {
	case mir.OpReg:
		return a.Reg() == b.Reg() && a.SubReg() == b.SubReg()
	case mir.OpImm:
		return a.Imm() == b.Imm()
	case mir.OpMetadata, mir.OpFrameIndex, mir.OpFPImm, mir.OpCImm:
		return a.Index() == b.Index()
	}
	return false
}

// clobbers ends the values in registers that i writes. The stack pointer, of a call,
// and the frame register in prologues and epilogues are as the function wants them.
func (h *histories) clobbers(i mir.InstrID, sp, fp desc.PhysReg) {
	f := h.f
	frame := f.Instr(i).Flags()&(mir.FrameSetup|mir.FrameDestroy) != 0
	ops := f.Ops(i)
	for k := range ops {
		switch o := &ops[k]; {
		case o.IsDef() && o.Reg() != mir.NoReg && o.Reg().IsPhysical():
			r := desc.PhysReg(o.Reg())
			if r == sp && f.Desc(i).IsCall() || r == fp && frame {
				continue
			}
			for _, a := range f.Facts.Aliases(r) {
				if users, ok := h.regs[a]; ok {
					h.clobber(a, users, i)
				}
			}
		case o.Kind() == mir.OpRegMask:
			mask := f.RegMasks[o.Index()]
			var dead []desc.PhysReg
			for r := range h.regs {
				if r != sp && mask[r/32]>>(r%32)&1 == 0 {
					dead = append(dead, r)
				}
			}
			slices.Sort(dead)
			for _, r := range dead {
				h.clobber(r, h.regs[r], i)
			}
		}
	}
}

// clobber ends the values in register r.
func (h *histories) clobber(r desc.PhysReg, users []int32, at mir.InstrID) {
	for _, u := range users {
		x := &h.rows[u]
		end := int32(-1)
		kept := x.open[:0]
		for _, e := range x.open {
			_, _, places := debugVar(h.f, x.entries[e].instr)
			if !slices.ContainsFunc(places, func(o mir.Operand) bool { return o.IsReg() && o.Reg() == mir.Reg(r) }) {
				kept = append(kept, e)
				continue
			}
			if end < 0 {
				if n := len(x.entries); !x.entries[n-1].value && x.entries[n-1].instr == at {
					end = int32(n - 1)
				} else {
					end = int32(n)
					x.entries = append(x.entries, historyEntry{instr: at, end: -1})
				}
			}
			x.entries[e].end = end
		}
		x.open = kept
	}
	delete(h.regs, r)
}

package dwarf

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// labelID is a label of the current function, by its place in funcRecord.syms.
type labelID int32

// The first labels of a record. No other label has number 0, which is none.
const (
	labelNone labelID = iota
	labelBegin
	labelEnd
	labelSym
	labelWanted labelID = -1 // of tables by instruction: not put yet
)

// funcRecord is what is to be known of a function that was printed.
type funcRecord struct {
	w       *Writer
	sp      ir.MDID
	unit    int
	syms    []mc.Sym // by labelID; the first is the function's begin again
	section mc.Section
	bytes   []byte // of expressions
	scopes  []scopeRecord
	root    scopeID
	inlined []scopeID
	vars    []varRecord
	labels  []labelRecord
	calls   []callRecord
	// frame is the DWARF register of the frame base, -1 none.
	frame int
}

// scopeRecord is a scope with labels instead of instructions.
type scopeRecord struct {
	node, inlinedAt     ir.MDID
	parent, first, next scopeID
	abstract            bool
	ranges              []labelRange
}

type labelRange struct{ begin, end labelID }

// callRecord is a call: where it is, what is called.
type callRecord struct {
	at, behind labelID
	callee     ir.GlobalID // 0: through register reg
	reg        int         // DWARF number, -1 unknown
	tail       bool
	clobbered  bool // the register is not what it was when the call returns
}

// keep keeps bytes of an expression.
func (r *funcRecord) keep(b []byte) span {
	off := uint32(len(r.bytes))
	r.bytes = append(r.bytes, b...)
	return span{off, uint32(len(r.bytes))}
}

// Symbols are the labels.
func (r *funcRecord) Symbols() []mc.Sym { return r.syms }

// funcHandler hears of the functions that one printer prints.
type funcHandler struct {
	w      *Writer
	out    target.AsmOutput
	active bool
	fn     *target.AsmFunc
	sp     node
	unit   int
	rec    *funcRecord

	scopes scopes
	hist   histories
	seen   map[entityKey]bool
	pos    []int32 // of instructions, in the order of the code
	// before and after are, by instruction, the labels there.
	before, after []labelID
	prevLabel     labelID // that nothing stands behind, 0 none
	prevBlock     mir.BlockID
	bases         target.FrameBases
	frameReg      desc.PhysReg
	ew            exprWriter
	ops           []dop
	frameVars     []mir.FrameVar
	lines         lineState
}

// BeginFunc finds what is to be known of a function before it is printed.
func (h *funcHandler) BeginFunc(fn *target.AsmFunc) error {
	h.fn, h.active, h.rec = fn, false, nil
	h.sp = h.w.subprogram(fn.Function)
	if h.sp.null() {
		return nil
	}
	u, ok := h.w.unitOf[h.sp.ref("unit").id]
	if !ok || h.w.units[u].kind == kindNoDebug {
		return nil
	}
	h.active, h.unit = true, u
	f := fn.Function
	h.number(f)
	h.rec = &funcRecord{w: h.w, sp: h.sp.id, unit: u, frame: -1, syms: []mc.Sym{fn.Begin, fn.Begin, 0, fn.Sym}}
	h.prevLabel, h.prevBlock = labelBegin, 0
	h.bases = fn.Subtarget.FrameBases(f)
	h.frameReg = desc.PhysReg(fn.Subtarget.Variant.StackPointer)
	if fn.Subtarget.HasFP(f) {
		h.frameReg = fn.Subtarget.FrameHooks().FramePointer
	}
	h.scopes.w = h.w
	h.scopes.reset()
	if h.w.units[u].kind != kindDirectives {
		h.scopes.scan(f)
		h.askScopes()
		h.hist.reset(f)
		if h.w.units[u].kind == kindFull {
			h.hist.scan(h.w, f, desc.PhysReg(fn.Subtarget.Variant.StackPointer), h.frameReg)
			h.trim()
			h.askHistory()
		}
	}
	h.beginLines()
	return nil
}

// number gives instructions their places.
func (h *funcHandler) number(f *mir.Function) {
	n := f.NumInstrIDs()
	h.pos = append(h.pos[:0], make([]int32, n)...)
	h.before = append(h.before[:0], make([]labelID, n)...)
	h.after = append(h.after[:0], make([]labelID, n)...)
	k := int32(0)
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			k++
			h.pos[i] = k
		}
	}
}

// askScopes asks for labels at the bounds of scopes.
func (h *funcHandler) askScopes() {
	for id := 1; id < len(h.scopes.rows); id++ {
		s := &h.scopes.rows[id]
		if s.abstract || scopeID(id) == h.scopes.root {
			continue
		}
		for _, r := range s.ranges {
			h.before[r.first] = labelWanted
			h.after[r.last] = labelWanted
		}
	}
}

// trim drops values that hold only where their variable is out of scope.
func (h *funcHandler) trim() {
	for r := range h.hist.rows {
		x := &h.hist.rows[r]
		s := h.scopes.find(h.w.at(x.key.node).ref("scope").id, x.key.inlinedAt)
		if s == 0 {
			continue
		}
		h.trimRow(x, h.scopes.rows[s].ranges)
	}
}

func (h *funcHandler) trimRow(x *history, ranges []instrRange) {
	n := len(x.entries)
	drop := make([]bool, n)
	any := false
	for k := range x.entries {
		e := &x.entries[k]
		if !e.value {
			continue
		}
		from, to := h.pos[e.instr], int32(1<<31-1)
		if e.end >= 0 {
			to = h.pos[x.entries[e.end].instr]
		}
		hit := false
		for _, r := range ranges {
			hit = hit || from <= h.pos[r.last] && h.pos[r.first] <= to
		}
		if !hit {
			drop[k], any = true, true
		}
	}
	if !any {
		return
	}
	needed := make([]bool, n)
	for k := range x.entries {
		if e := &x.entries[k]; e.value && !drop[k] && e.end >= 0 {
			needed[e.end] = true
		}
	}
	// A value that is dropped may be what ends another one: it stays as an end. Ends of
	// nothing go, too.
	to := make([]int32, n)
	kept := x.entries[:0]
	for k := range n {
		e := x.entries[k]
		to[k] = -1
		switch {
		case e.value && !drop[k] || needed[k]:
			to[k] = int32(len(kept))
			kept = append(kept, e)
		}
	}
	for k := range kept {
		if e := &kept[k]; e.end >= 0 {
			e.end = to[e.end]
		}
	}
	x.entries = kept
}

// askHistory asks for labels where debug values begin and end to hold.
func (h *funcHandler) askHistory() {
	for r := range h.hist.rows {
		x := &h.hist.rows[r]
		if len(x.entries) == 0 {
			continue
		}
		h.atEntry(x)
		for k := range x.entries {
			e := &x.entries[k]
			switch {
			case !e.value:
				h.after[e.instr] = labelWanted
			case h.before[e.instr] == 0:
				h.before[e.instr] = labelWanted
			}
		}
	}
	for _, l := range h.hist.labels {
		if h.before[l.instr] == 0 {
			h.before[l.instr] = labelWanted
		}
	}
}

// atEntry lets the first values of a parameter that are in no register hold from the
// function's begin on.
func (h *funcHandler) atEntry(x *history) {
	f := h.fn.Function
	v := h.w.at(x.key.node)
	if v.num("arg") == 0 || h.w.subprogramOf(v.ref("scope").id) != h.sp.id || !x.entries[0].value {
		return
	}
	inReg := func(e *historyEntry) bool {
		_, _, places := debugVar(f, e.instr)
		for k := range places {
			if places[k].IsReg() && places[k].Reg() != mir.NoReg {
				return true
			}
		}
		return false
	}
	part := func(e *historyEntry) (off, size uint64) {
		_, expr, _ := debugVar(f, e.instr)
		return h.w.fragment(expr)
	}
	if !inReg(&x.entries[0]) {
		h.before[x.entries[0].instr] = labelBegin
	}
	if _, size := part(&x.entries[0]); size == wholeVariable {
		return
	}
	for k := range x.entries {
		e := &x.entries[k]
		if !e.value {
			continue
		}
		off, size := part(e)
		for p := range k {
			if q := &x.entries[p]; q.value {
				if o, s := part(q); off < o+s && o < off+size {
					return
				}
			}
		}
		if inReg(e) {
			return
		}
		h.before[e.instr] = labelBegin
	}
}

// put returns the label here, which stands there already if nothing came behind it.
func (h *funcHandler) put() labelID {
	if h.prevLabel == 0 {
		s := h.out.NewLabel()
		h.out.Streamer().Label(s)
		h.rec.syms = append(h.rec.syms, s)
		h.prevLabel = labelID(len(h.rec.syms) - 1)
	}
	return h.prevLabel
}

// BeginInstr puts a label before the instruction, and gives its line.
func (h *funcHandler) BeginInstr(i mir.InstrID) {
	if !h.active {
		return
	}
	h.askCall(i)
	if h.before[i] == labelWanted {
		h.before[i] = h.put()
	}
	h.line(i)
}

// EndInstr puts a label behind it.
func (h *funcHandler) EndInstr(i mir.InstrID) {
	if !h.active {
		return
	}
	if !isMeta(h.fn.Function, i) {
		h.prevLabel, h.prevBlock = 0, h.fn.Instr(i).Block()
	}
	if h.after[i] == labelWanted {
		h.after[i] = h.put()
	}
}

// isMeta reports an instruction that is no code.
func isMeta(f *mir.Function, i mir.InstrID) bool {
	return f.IsDebugInstr(i) || f.Desc(i).IsMeta()
}

// EndFunc makes the record.
func (h *funcHandler) EndFunc(fn *target.AsmFunc) (target.FuncRecord, error) {
	if !h.active {
		return nil, nil
	}
	r := h.rec
	r.syms[labelEnd] = fn.End
	r.section = *h.out.Streamer().Context().SectionAt(fn.Section)
	if h.w.units[h.unit].kind == kindDirectives {
		return r, nil
	}
	if n := fn.Facts.DwarfNum(h.w.flavour, h.frameReg, false); n >= 0 {
		r.frame = n
	}
	if h.w.units[h.unit].kind == kindFull {
		h.variables()
	}
	h.calls()
	r.root = h.scopes.root
	r.inlined = append(r.inlined, h.scopes.inlined...)
	r.scopes = make([]scopeRecord, len(h.scopes.rows))
	for k := range h.scopes.rows {
		s := &h.scopes.rows[k]
		x := scopeRecord{node: s.node, inlinedAt: s.inlinedAt, parent: s.parent, first: s.first, next: s.next, abstract: s.abstract}
		if scopeID(k) != r.root {
			for _, g := range s.ranges {
				x.ranges = append(x.ranges, labelRange{h.before[g.first], h.after[g.last]})
			}
		}
		r.scopes[k] = x
	}
	return r, nil
}

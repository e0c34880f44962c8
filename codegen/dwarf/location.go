package dwarf

import (
	"cmp"
	"slices"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
)

// varRecord is a variable of a function and where it is.
type varRecord struct {
	node  ir.MDID
	scope scopeID
	kind  varKind
	// expr are the bytes of varExpr, of the record's bytes; of varConst c is the value.
	expr span
	tag  int // DW_AT_LLVM_tag_offset, -1 none
	c    constant
	list []listEntry
}

type varKind uint8

const (
	varNone  varKind = iota // optimized out
	varExpr                 // one expression everywhere
	varConst                // a constant everywhere
	varList                 // a location list
)

// span is a part of a record's bytes.
type span struct{ off, end uint32 }

// constant is a constant value of a variable.
type constant struct {
	words []uint64
	bits  int
	fp    bool
}

// listEntry says that between two labels the variable is where an expression says.
type listEntry struct {
	begin, end labelID
	expr       span
}

// labelRow is a DBG_LABEL, or a label of the source that is nowhere.
type labelRecord struct {
	node  ir.MDID
	scope scopeID
	at    labelID // 0 none
}

// openRange is a value until entry end of its history.
type openRange struct {
	end   int32
	instr mir.InstrID
}

// rawEntry is an entry of a location list before its expression is made.
type rawEntry struct {
	begin, end labelID
	values     []mir.InstrID
}

// variables collects the variables of the current function.
func (h *funcHandler) variables() {
	clear(h.seen)
	h.frameVariables()
	for r := range h.hist.rows {
		x := &h.hist.rows[r]
		if h.seen[x.key] || !h.hasLocation(x) {
			continue
		}
		s := h.scopes.find(h.w.at(x.key.node).ref("scope").id, x.key.inlinedAt)
		if s == 0 {
			continue
		}
		h.seen[x.key] = true
		v := varRecord{node: x.key.node, scope: s, tag: -1}
		h.locate(&v, x)
		h.rec.vars = append(h.rec.vars, v)
	}
	for _, l := range h.hist.labels {
		if h.seen[l.key] {
			continue
		}
		if s := h.scopes.find(h.w.at(l.key.node).ref("scope").id, l.key.inlinedAt); s != 0 {
			h.seen[l.key] = true
			h.rec.labels = append(h.rec.labels, labelRecord{l.key.node, s, h.before[l.instr]})
		}
	}
	for _, id := range h.sp.list("retainedNodes") {
		n := h.w.at(id)
		if k := (entityKey{id, 0}); (n.is("DILocalVariable") || n.is("DILabel")) && !h.seen[k] {
			h.seen[k] = true
			s := h.scopes.find(n.ref("scope").id, 0)
			switch {
			case s == 0:
			case n.is("DILabel"):
				h.rec.labels = append(h.rec.labels, labelRecord{id, s, 0})
			default:
				h.rec.vars = append(h.rec.vars, varRecord{node: id, scope: s, tag: -1})
			}
		}
	}
}

// hasLocation reports whether some debug value of a history says something.
func (h *funcHandler) hasLocation(x *history) bool {
	for k := range x.entries {
		if e := &x.entries[k]; e.value {
			if _, _, places := debugVar(h.fn.Function, e.instr); !isUndef(places) {
				return true
			}
		}
	}
	return false
}

// frameVariables are those that stack objects belong to. Parts of one variable may be
// in several objects.
func (h *funcHandler) frameVariables() {
	f := h.fn.Function
	vars := append(h.frameVars[:0], f.Frame.Vars...)
	for fi := f.Frame.First(); fi < f.Frame.End(); fi++ {
		if o := f.Frame.Object(fi); o.DebugVar != 0 {
			vars = append(vars, mir.FrameVar{FI: fi, Var: o.DebugVar, Expr: o.DebugExpr, Loc: o.DebugLoc})
		}
	}
	h.frameVars = vars
	for k := range vars {
		o := &vars[k]
		key := entityKey{ir.MDID(o.Var), h.w.inlinedAt(mir.DebugLoc(o.Loc))}
		s := h.scopes.ofKnownLoc(ir.MDID(o.Loc))
		if s == 0 || h.seen[key] || f.Frame.IsDead(o.FI) {
			continue
		}
		h.seen[key] = true
		rec := varRecord{node: key.node, scope: s, tag: -1}
		parts := []mir.FrameVar{*o}
		for j := k + 1; j < len(vars); j++ {
			p := &vars[j]
			if _, size := h.w.fragment(ir.MDID(p.Expr)); p.Var == o.Var && h.w.inlinedAt(mir.DebugLoc(p.Loc)) == key.inlinedAt && !f.Frame.IsDead(p.FI) && size != wholeVariable {
				parts = append(parts, *p)
			}
		}
		slices.SortStableFunc(parts, func(a, b mir.FrameVar) int {
			oa, _ := h.w.fragment(ir.MDID(a.Expr))
			ob, _ := h.w.fragment(ir.MDID(b.Expr))
			return cmp.Compare(oa, ob)
		})
		e := h.expr(h.frameReg)
		ok := true
		for _, p := range parts {
			ok = ok && h.addFrameIndex(e, p.FI, parseExpr(h.w.at(ir.MDID(p.Expr)), h.ops[:0]))
		}
		if ok {
			e.finish()
			rec.kind, rec.expr, rec.tag = varExpr, h.rec.keep(e.b), e.tagOffset
		}
		h.rec.vars = append(h.rec.vars, rec)
	}
}

// expr begins an expression.
func (h *funcHandler) expr(frame desc.PhysReg) *exprWriter {
	e := &h.ew
	e.w, e.facts, e.frame, e.offset = h.w, h.fn.Facts, frame, 0
	e.reset(nil)
	return e
}

// addFrameIndex describes what is in a stack object.
func (h *funcHandler) addFrameIndex(e *exprWriter, fi int, ops []dop) bool {
	base, ops := h.frameOps(fi, ops)
	e.reset(ops)
	e.fragment(ops)
	e.kind = locMemory
	return e.addReg(base) && e.rest(nil)
}

// frameOps puts the offset of a stack object from its register before operations.
func (h *funcHandler) frameOps(fi int, ops []dop) (desc.PhysReg, []dop) {
	base, off := h.bases.Reference(h.fn.Function, fi, 0)
	out := appendOffset(nil, off)
	return desc.PhysReg(base), append(out, ops...)
}

func appendOffset(ops []dop, off int64) []dop {
	switch {
	case off > 0:
		return append(ops, dop{op: opPlusUconst, args: [2]uint64{uint64(off)}})
	case off < 0:
		return append(ops, dop{op: opConstu, args: [2]uint64{uint64(-off)}}, dop{op: opMinus})
	}
	return ops
}

// fragment leaves a hole before the part of the variable that ops end with.
func (e *exprWriter) fragment(ops []dop) {
	if n := len(ops); n > 0 && ops[n-1].op == opLLVMFragment {
		e.fragmentOffset(ops[n-1].args[0])
	}
}

// locate finds where a variable is, by its history.
func (h *funcHandler) locate(v *varRecord, x *history) {
	f := h.fn.Function
	n := len(x.entries)
	withClobber := n == 2 && !x.entries[1].value
	if n == 1 || withClobber {
		end := mir.InstrID(0)
		if withClobber {
			end = x.entries[1].instr
		}
		if h.validThroughout(x.entries[0].instr, end) {
			h.single(v, x.entries[0].instr)
			return
		}
	}
	raw, single := h.buildList(x)
	if single {
		h.single(v, raw[0].values[0])
		return
	}
	v.kind = varList
	encoding := h.w.encodingOf(h.w.at(v.node).ref("type"))
	for k := range raw {
		r := &raw[k]
		e := h.expr(0)
		slices.SortStableFunc(r.values, func(a, b mir.InstrID) int {
			_, ea, _ := debugVar(f, a)
			_, eb, _ := debugVar(f, b)
			oa, _ := h.w.fragment(ea)
			ob, _ := h.w.fragment(eb)
			return cmp.Compare(oa, ob)
		})
		ok := true
		for _, i := range r.values {
			at := len(e.b)
			if !h.addValue(e, i, encoding, true) {
				ok, e.b = false, e.b[:at]
			}
		}
		if e.finish(); ok || len(r.values) > 1 && len(e.b) > 0 {
			v.list = append(v.list, listEntry{r.begin, r.end, h.rec.keep(e.b)})
			v.tag = max(v.tag, e.tagOffset)
		}
	}
	if len(v.list) == 0 {
		v.kind = varNone
	}
}

// buildList makes the location list of a history; single says that one value holds
// wherever the variable is in scope.
func (h *funcHandler) buildList(x *history) (list []rawEntry, single bool) {
	f := h.fn.Function
	var open []openRange
	safe := true
	var start, end mir.InstrID
	for k := range x.entries {
		e := &x.entries[k]
		open = slices.DeleteFunc(open, func(r openRange) bool { return r.end >= 0 && int(r.end) <= k })
		begin := h.labelOf(e)
		stop := labelID(labelEnd)
		if k+1 < len(x.entries) {
			stop = h.labelOf(&x.entries[k+1])
		} else if !e.value {
			end = e.instr
		}
		if e.value {
			_, expr, places := debugVar(f, e.instr)
			if isUndef(places) {
				safe = false // it is somewhere else before
			} else {
				open = append(open, openRange{e.end, e.instr})
				if _, size := h.w.fragment(expr); size != wholeVariable {
					safe = false
				}
			}
			if start == 0 {
				start = e.instr
			}
		} else {
			end = e.instr
		}
		if len(open) == 0 || begin == stop {
			continue
		}
		r := rawEntry{begin: begin, end: stop}
		for _, o := range open {
			r.values = append(r.values, o.instr)
		}
		if n := len(list); n > 0 && list[n-1].end == r.begin && h.sameValues(list[n-1].values, r.values) {
			list[n-1].end = r.end
			continue
		}
		list = append(list, r)
	}
	return list, safe && len(list) == 1 && h.validThroughout(start, end)
}

// labelOf is where what an entry says begins to hold.
func (h *funcHandler) labelOf(e *historyEntry) labelID {
	if e.value {
		return h.before[e.instr]
	}
	return h.after[e.instr]
}

func (h *funcHandler) sameValues(a, b []mir.InstrID) bool {
	if len(a) != len(b) {
		return false
	}
	for k := range a {
		if a[k] != b[k] && !h.hist.sameValue(a[k], b[k]) {
			return false
		}
	}
	return true
}

// validThroughout reports whether the debug value holds from where the scope of its
// variable begins to where that ends; end is where it stops to hold, 0 nowhere.
func (h *funcHandler) validThroughout(i, end mir.InstrID) bool {
	f, s := h.fn.Function, &h.scopes
	loc := f.Instr(i).Loc
	id := s.ofKnownLoc(ir.MDID(loc))
	if id == 0 || len(s.rows[id].ranges) == 0 {
		return false
	}
	ranges := s.rows[id].ranges
	b := f.Instr(i).Block()
	if first := ranges[0].first; h.pos[first] <= h.pos[i] {
		if f.Instr(first).Block() != b {
			return false
		}
		own, _ := h.w.md.Location(ir.MDID(loc))
		for p := f.Instr(i).Prev(); p != 0; p = f.Instr(p).Prev() {
			r := f.Instr(p)
			if r.Flags()&mir.FrameSetup != 0 {
				break
			}
			if r.Loc == 0 || isMeta(f, p) {
				continue
			}
			if l, _ := h.w.md.Location(ir.MDID(r.Loc)); l.Scope == own.Scope {
				return false
			}
			if ps := s.ofKnownLoc(ir.MDID(r.Loc)); ps == 0 || s.dominates(id, ps) {
				return false
			}
		}
	}
	if end == 0 {
		return true
	}
	if _, _, places := debugVar(f, i); f.NumPreds(b) == 0 && !slices.ContainsFunc(places, func(o mir.Operand) bool { return !o.IsImm() }) {
		return true
	}
	return h.pos[end] >= h.pos[ranges[len(ranges)-1].last]
}

// single describes a variable that is at one place everywhere.
func (h *funcHandler) single(v *varRecord, i mir.InstrID) {
	f := h.fn.Function
	_, expr, places := debugVar(f, i)
	if isUndef(places) {
		return
	}
	if f.Instr(i).Opcode == desc.DBG_VALUE {
		simple := len(h.w.at(expr).Fields) == 0
		switch o := &places[0]; {
		case o.IsImm() && simple:
			v.kind, v.c = varConst, constant{words: []uint64{uint64(o.Imm())}, bits: 64}
			return
		case o.Kind() == mir.OpCImm:
			c := &f.CImms[o.Index()]
			v.kind, v.c = varConst, constant{words: slices.Clone(c.Words), bits: c.Bits}
			return
		case o.Kind() == mir.OpFPImm:
			c := &f.FPImms[o.Index()]
			v.kind, v.c = varConst, constant{words: []uint64{c.Lo, c.Hi}, bits: h.w.mod.Types.FloatBits(c.Type), fp: true}
			return
		}
	}
	e := h.expr(h.frameReg)
	if h.addValue(e, i, 0, false) {
		e.finish()
		v.kind, v.expr, v.tag = varExpr, h.rec.keep(e.b), e.tagOffset
	}
}

// addValue adds what a debug value says to an expression. Of lists of locations
// encoding is that of the variable's type; else constants are unsigned.
func (h *funcHandler) addValue(e *exprWriter, i mir.InstrID, encoding uint64, inList bool) bool {
	f := h.fn.Function
	_, expr, places := debugVar(f, i)
	ops := parseExpr(h.w.at(expr), h.ops[:0])
	h.ops = ops
	list := f.Instr(i).Opcode == desc.DBG_VALUE_LIST
	indirect := !list && f.Op(i, 1).IsImm()
	if len(places) == 1 && !list && places[0].Kind() == mir.OpFrameIndex {
		return h.addSlot(e, places[0].FrameIndex(), ops, indirect)
	}
	e.reset(ops)
	e.fragment(ops)
	if len(ops) > 0 && ops[0].op == opLLVMEntryValue {
		return h.addEntryValue(e, &places[0], indirect)
	}
	one := func(o *mir.Operand) bool {
		switch o.Kind() {
		case mir.OpImm:
			const boolean, signed, signedChar = 2, 5, 6 // DW_ATE_…
			if inList && (encoding == signed || encoding == signedChar) {
				e.addSigned(o.Imm())
			} else {
				e.addUnsigned(uint64(o.Imm()))
			}
			return true
		case mir.OpReg:
			if !o.Reg().IsPhysical() {
				return false
			}
			if indirect {
				e.kind = locMemory
			}
			return e.addReg(desc.PhysReg(o.Reg()))
		case mir.OpFrameIndex: // of a list: the address
			base, off := h.bases.Reference(f, o.FrameIndex(), 0)
			rest := e.ops
			e.ops = appendOffset(nil, off)
			if len(e.ops) == 0 {
				e.ops = []dop{{op: opPlusUconst}}
			}
			ok := e.addReg(desc.PhysReg(base))
			e.ops = rest
			return ok
		case mir.OpFPImm:
			c := &f.FPImms[o.Index()]
			bits := h.w.mod.Types.FloatBits(c.Type)
			if inList && h.w.version >= 4 && len(e.ops) == 0 && (bits == 32 || bits == 64) {
				e.op(opImplicitValue)
				e.unsigned(uint64(bits / 8))
				e.b = h.w.appendInt(e.b, c.Lo, bits/8)
				return true
			}
			if bits <= 64 {
				e.addUnsigned(c.Lo)
			}
			return bits <= 64
		case mir.OpCImm:
			if c := &f.CImms[o.Index()]; c.Bits <= 64 {
				e.addUnsigned(c.Words[0])
				return true
			}
		}
		return false
	}
	if !list {
		return one(&places[0]) && e.rest(nil)
	}
	return e.rest(func(n uint64) bool {
		if n >= uint64(len(places)) {
			return false
		}
		return one(&places[n])
	})
}

// addSlot describes a value that is the address of a stack object, or is in one.
func (h *funcHandler) addSlot(e *exprWriter, fi int, ops []dop, indirect bool) bool {
	implicit, complex := false, false
	for _, o := range ops {
		implicit = implicit || o.op == opStackValue
		complex = complex || o.op != opLLVMFragment && o.op != opLLVMTagOffset && o.op != opLLVMArg
	}
	at := len(ops)
	if at > 0 && ops[at-1].op == opLLVMFragment {
		at--
	}
	switch {
	case indirect && implicit:
		size := h.fn.Frame.Object(fi).Size
		ops = slices.Insert(ops, 0, dop{op: opDerefSize, args: [2]uint64{uint64(min(size, int64(h.w.ptr)))}})
		indirect = false
	case !indirect && !complex:
		ops = slices.Insert(ops, at, dop{op: opStackValue})
	}
	base, ops := h.frameOps(fi, ops)
	e.reset(ops)
	e.fragment(ops)
	if indirect {
		e.kind = locMemory
	}
	return e.addReg(base) && e.rest(nil)
}

// addEntryValue describes what was in a register when the function was entered.
func (h *funcHandler) addEntryValue(e *exprWriter, o *mir.Operand, indirect bool) bool {
	if !o.IsReg() || !o.Reg().IsPhysical() || e.ops[0].args[0] != 1 {
		return false
	}
	num, ok := e.register(desc.PhysReg(o.Reg()))
	if !ok || e.subOffset != 0 {
		return false
	}
	e.subSize = 0
	var in []byte
	if num < 32 {
		in = []byte{byte(opReg0 + num)}
	} else {
		in = appendULEB([]byte{opRegx}, uint64(num))
	}
	code := byte(opEntryValue)
	if h.w.version < 5 {
		code = opGNUEntryValue
	}
	e.op(code)
	e.unsigned(uint64(len(in)))
	e.b = append(e.b, in...)
	e.ops = e.ops[1:]
	if indirect {
		e.kind = locMemory
	} else {
		e.kind = locImplicit
	}
	return e.rest(nil)
}

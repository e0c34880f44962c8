package combiner

import (
	"math"
	"strconv"

	"github.com/mirin-go/mirin/codegen/matchtable/code"
	"github.com/mirin-go/mirin/desc"
)

// place is where a name was matched.
type place struct {
	insn, op int32
	kind     opKind
	imm      bool // no register
}

// emitter makes the code of one variant.
type emitter struct {
	g      *generator
	v      *variant
	places map[string]place
	insns  map[string]int32 // matched instructions by name of pattern
	slots  map[string]int32 // match data
	temps  map[string]int32 // registers that the actions make
	ntemps int32
	names  map[string]typeRef
	imms   map[*operand]typeRef
	ok     bool
}

// emit makes tests and actions of a variant; false after an error.
func (g *generator) emit(v *variant) bool {
	e := &emitter{g: g, v: v, places: map[string]place{}, insns: map[string]int32{}, slots: map[string]int32{}, temps: map[string]int32{}, ok: true}
	if len(v.data) > code.MaxCombineData {
		e.fail("more than " + strconv.Itoa(code.MaxCombineData) + " match data")
		return false
	}
	for i, d := range v.data {
		e.slots[d.name] = int32(i)
	}
	if e.names, e.imms, e.ok = g.infer(v); !e.ok {
		return false
	}
	e.tests()
	if e.ok {
		e.actions()
	}
	return e.ok
}

func (e *emitter) fail(msg string) {
	e.ok = false
	e.g.errorf(msg)
}

func (e *emitter) step(op code.CombineOp, words ...int32) {
	e.v.steps = append(e.v.steps, append([]int32{int32(op)}, words...))
}

func (e *emitter) do(op code.CombineOp, words ...int32) {
	e.v.act = append(append(e.v.act, int32(op)), words...)
}

func words64(v int64) (int32, int32) { return int32(uint32(v)), int32(uint32(uint64(v) >> 32)) }

// tests makes the tests of all match patterns: instructions from the root
// down, then functions.
func (e *emitter) tests() {
	v := e.v
	e.insns[v.rootPat.name] = 0
	if v.rootPat.kind == instPat {
		work := []*pattern{v.rootPat}
		v.rootPat.insn = 0
		n := int32(1)
		for len(work) > 0 {
			p := work[0]
			work = work[1:]
			e.testInst(p)
			for k, o := range p.ops {
				if o.name == "" || p.isDef(k) {
					continue
				}
				d, _ := definer(v.match, o.name)
				if d == nil || d.insn >= 0 {
					continue
				}
				if n == code.MaxCombineInsns {
					e.fail("more than " + strconv.Itoa(code.MaxCombineInsns) + " instructions")
					return
				}
				d.insn = int(n)
				e.insns[d.name] = n
				e.step(code.CombineDef, n, int32(p.insn), int32(k))
				e.step(code.CombineOpcode, n, int32(d.op.op))
				work = append(work, d)
				n++
			}
		}
	}
	for _, p := range v.apply {
		if p.kind != replacePat || p.ops[1].kind != regOp {
			continue
		}
		if to, ok := e.places[p.ops[1].name]; ok {
			old := e.places[p.ops[0].name]
			e.step(code.CombineCanReplace, old.insn, old.op, to.insn, to.op)
		}
	}
	for _, c := range v.preds {
		e.call(c, false)
	}
	for _, p := range v.match {
		for _, c := range p.calls {
			e.call(c, false)
		}
	}
	e.step(code.CombineAccept, v.id)
}

// testInst tests the operands of one instruction and notes where names are.
func (e *emitter) testInst(p *pattern) {
	insn := int32(p.insn)
	if p.op.variadic {
		lo, hi := int32(len(p.ops)), int32(len(p.ops))
		if n := len(p.ops); n > 0 && p.ops[n-1].kind == restOp {
			r := p.ops[n-1]
			lo, hi = int32(n-1+r.min), int32(n-1+r.max)
			if r.max == 0 {
				hi = math.MaxInt32
			}
		}
		e.step(code.CombineNumOps, insn, lo, hi)
	}
	if p.flags.given {
		e.step(code.CombineFlags, insn, int32(p.flags.set), int32(p.flags.clear))
	}
	defs := 0
	for n := range p.ops {
		if p.isDef(n) {
			defs++
		}
	}
	for n, o := range p.ops {
		at := place{insn, int32(n), o.kind, p.op.isImm(n)}
		switch o.kind {
		case intOp:
			lo, hi := words64(o.val)
			if at.imm {
				e.step(code.CombineImm, insn, int32(n), lo, hi)
			} else {
				e.step(code.CombineConst, insn, int32(n), lo, hi)
			}
		case predOp:
			if !at.imm {
				e.fail("a predicate cannot stand there; in the pattern '" + p.text + "'")
			}
			e.step(code.CombinePred, insn, int32(n), int32(o.val))
		}
		if o.typ != "" {
			e.step(code.CombineType, insn, int32(n), e.g.typeNumber(o.typ))
		}
		if o.name == "" {
			continue
		}
		old, seen := e.places[o.name]
		switch {
		case !seen:
			e.places[o.name] = at
		case p.isDef(n) && defs == 1:
			// It was found by this very definition.
		case old.imm || at.imm:
			e.fail("'" + o.name + "' is an immediate and cannot be compared; in the pattern '" + p.text + "'")
		default:
			e.step(code.CombineSame, old.insn, old.op, insn, int32(n))
		}
	}
}

// typeNumber numbers the types of the table.
func (g *generator) typeNumber(vt string) int32 {
	t, _ := lltOf(vt)
	n, ok := g.types[t]
	if !ok {
		n = int32(len(g.out.Types))
		g.types[t] = n
		g.out.Types = append(g.out.Types, t)
	}
	return n
}

// call makes the call of a function, as a test or as an action.
func (e *emitter) call(c call, action bool) {
	fn, ok := e.g.funcs[c.fn]
	if !ok {
		fn = int32(len(e.g.out.Funcs))
		e.g.funcs[c.fn] = fn
		e.g.out.Funcs = append(e.g.out.Funcs, c.fn)
	}
	if len(c.args) > code.MaxCombineArgs {
		e.fail("function '" + c.fn + "' has more than " + strconv.Itoa(code.MaxCombineArgs) + " arguments")
		return
	}
	w := []int32{fn, int32(len(c.args))}
	for _, a := range c.args {
		if a.name == "" {
			lo, hi := words64(a.val)
			w = append(w, code.CombineArgInt, lo, hi)
			continue
		}
		if s, ok := e.slots[a.name]; ok {
			w = append(w, code.CombineArgData, s, 0)
		} else if p, ok := e.places[a.name]; ok {
			w = append(w, code.CombineArgOperand, p.insn, p.op)
		} else if n, ok := e.insns[a.name]; ok {
			w = append(w, code.CombineArgInstr, n, 0)
		} else {
			e.fail("function '" + c.fn + "': '${" + a.name + "}' is neither an operand nor an instruction nor match data")
			return
		}
	}
	switch {
	case action && c.not:
		e.fail("'!' has no meaning in an apply pattern")
	case action:
		e.do(code.CombineCall, w...)
	case c.not:
		e.step(code.CombineNot, w...)
	default:
		e.step(code.CombineTest, w...)
	}
}

// actions makes the actions of the apply patterns.
func (e *emitter) actions() {
	list := e.sorted()
	if !e.ok {
		return
	}
	for _, p := range list {
		switch p.kind {
		case codePat:
			for _, c := range p.calls {
				e.call(c, true)
			}
		case instPat:
			e.build(p)
		case replacePat:
			e.replace(p)
		}
		if !e.ok {
			return
		}
	}
	e.do(code.CombineErase)
	e.do(code.CombineDone)
}

// sorted lists the apply patterns so that registers are made before they are used.
func (e *emitter) sorted() []*pattern {
	var out []*pattern
	state := map[*pattern]int{}
	var visit func(p *pattern)
	visit = func(p *pattern) {
		if state[p] == 2 {
			return
		}
		if state[p] == 1 {
			e.fail("the apply patterns need each other's results in a circle")
			return
		}
		state[p] = 1
		for n, o := range p.ops {
			if p.isDef(n) || o.kind != regOp {
				continue
			}
			if _, matched := e.places[o.name]; matched {
				continue
			}
			if d, _ := definer(e.v.apply, o.name); d != nil && e.ok {
				visit(d)
			}
		}
		state[p] = 2
		out = append(out, p)
	}
	for _, p := range e.v.apply {
		visit(p)
	}
	return out
}

// temp makes the action that makes a register of a type.
func (e *emitter) temp(t typeRef) (int32, bool) {
	switch {
	case t.vt != "":
		e.do(code.CombineTemp, e.g.typeNumber(t.vt))
	case t.like != "":
		p := e.places[t.like]
		if p.imm {
			return 0, false
		}
		e.do(code.CombineTempLike, p.insn, p.op)
	default:
		return 0, false
	}
	e.ntemps++
	return e.ntemps - 1, true
}

// build makes the actions of one instruction.
func (e *emitter) build(p *pattern) {
	for n := range p.ops {
		o := &p.ops[n]
		if o.kind == intOp && o.name != "" {
			e.fail("invalid output operand '" + o.name + "': output immediates cannot be named; while emitting pattern '" + p.name + "' (" + p.op.name + ")")
			return
		}
		if _, matched := e.places[o.name]; p.isDef(n) && !matched {
			t, ok := e.temp(e.names[o.name])
			if !ok {
				e.fail("def of a new register '" + o.name + "' in the apply patterns must have a type")
				return
			}
			e.temps[o.name] = t
		}
	}
	if p.op.op == desc.G_CONSTANT || p.op.op == desc.COPY && p.ops[1].kind == intOp {
		e.constant(p)
		return
	}
	consts := map[int]int32{}
	for n := range p.ops {
		o := &p.ops[n]
		if o.kind != intOp || p.op.isImm(n) {
			continue
		}
		t, ok := e.temp(e.imms[o])
		if !ok {
			e.fail("'" + p.op.name + "' immediate must be typed! while emitting pattern '" + p.name + "' (" + p.op.name + ")")
			return
		}
		lo, hi := words64(o.val)
		e.do(code.CombineConstTo, t, lo, hi)
		consts[n] = t
	}
	e.do(code.CombineBuild, int32(p.op.op))
	for n := range p.ops {
		if t, ok := consts[n]; ok {
			e.do(code.CombineAddTemp, t)
			continue
		}
		e.addOperand(p, n)
	}
	for _, r := range p.flags.refs {
		n, ok := e.insns[r]
		if !ok {
			e.fail("unknown instruction '$" + r + "' referenced in MIFlags of '" + p.name + "'")
			return
		}
		e.do(code.CombineCopyFlags, n)
	}
	e.do(code.CombineFinish, int32(p.flags.set), int32(p.flags.clear))
}

// addOperand makes the action that adds operand n of p.
func (e *emitter) addOperand(p *pattern, n int) {
	o := &p.ops[n]
	switch o.kind {
	case intOp:
		lo, hi := words64(o.val)
		e.do(code.CombineAddImm, lo, hi)
		return
	case predOp:
		e.do(code.CombineAddPred, int32(o.val))
		return
	}
	at, matched := e.places[o.name]
	if t, ok := e.temps[o.name]; ok {
		if p.isDef(n) {
			e.do(code.CombineAddTempDef, t)
		} else {
			e.do(code.CombineAddTemp, t)
		}
		return
	}
	if s, ok := e.slots[o.name]; ok && !matched {
		e.addData(p, n, s)
		return
	}
	switch {
	case !matched:
		e.fail("invalid output operand '" + o.name + "': operand is not a live-in of the match pattern, and it has no definition")
	case o.kind == restOp || at.kind == restOp:
		e.do(code.CombineAddRest, at.insn, at.op)
	case p.isDef(n):
		e.do(code.CombineAddDef, at.insn, at.op)
	case at.imm && p.op.typeIndex(n) >= 0:
		e.fail("'" + o.name + "' is an immediate, '" + p.op.name + "' wants a register; make a G_CONSTANT of it")
	case !at.imm && p.op.isImm(n):
		e.fail("'" + o.name + "' is a register, '" + p.op.name + "' wants an immediate")
	default:
		e.do(code.CombineAddCopy, at.insn, at.op)
	}
}

// addData makes the action that adds what a function left.
func (e *emitter) addData(p *pattern, n int, slot int32) {
	kind := int32(-1)
	switch e.v.data[slot].typ {
	case "Register":
		kind = code.CombineDataReg
	case "int64_t", "unsigned":
		kind = code.CombineDataImm
	case "Predicate":
		kind = code.CombineDataPred
	}
	if kind < 0 || p.isDef(n) || (kind == code.CombineDataReg) == p.op.isImm(n) {
		e.fail("match data '" + p.ops[n].name + "' of type '" + e.v.data[slot].typ + "' cannot stand there; in the pattern '" + p.text + "'")
		return
	}
	e.do(code.CombineAddData, slot, kind)
}

// constant makes a G_CONSTANT of a number or of data.
func (e *emitter) constant(p *pattern) {
	d, o := p.ops[0], p.ops[1]
	at, matched := e.places[d.name]
	t := e.temps[d.name]
	from, isPlace := e.places[o.name]
	slot, isData := e.slots[o.name]
	switch {
	case o.kind == intOp && matched:
		lo, hi := words64(o.val)
		e.do(code.CombineConstRoot, at.insn, at.op, lo, hi)
	case o.kind == intOp:
		lo, hi := words64(o.val)
		e.do(code.CombineConstTo, t, lo, hi)
	case isPlace && from.imm:
		e.do(code.CombineBuild, int32(p.op.op))
		e.addOperand(p, 0)
		e.do(code.CombineAddCopy, from.insn, from.op)
		e.do(code.CombineFinish, 0, 0)
	case isData && !isPlace && e.v.data[slot].typ == "int64_t":
		if matched {
			e.do(code.CombineConstData, 0, at.insn, at.op, slot)
		} else {
			e.do(code.CombineConstData, 1, t, 0, slot)
		}
	default:
		e.fail("the value of a G_CONSTANT must be a number, a matched immediate or match data of type int64_t; in the pattern '" + p.text + "'")
	}
}

// replace makes the actions of GIReplaceReg.
func (e *emitter) replace(p *pattern) {
	old, matched := e.places[p.ops[0].name]
	if d, _ := definer(e.v.match, p.ops[0].name); !matched || d != e.v.rootPat {
		e.fail("GIReplaceReg: '" + p.ops[0].name + "' is no result of the root")
		return
	}
	o := p.ops[1]
	if o.kind == intOp {
		lo, hi := words64(o.val)
		e.do(code.CombineConstRoot, old.insn, old.op, lo, hi)
		return
	}
	if t, ok := e.temps[o.name]; ok {
		e.do(code.CombineReplaceTemp, old.insn, old.op, t)
	} else if at, ok := e.places[o.name]; ok {
		if at.imm {
			e.fail("GIReplaceReg: '" + o.name + "' is no register")
			return
		}
		e.do(code.CombineReplace, old.insn, old.op, at.insn, at.op)
	} else if s, ok := e.slots[o.name]; ok && e.v.data[s].typ == "Register" {
		e.do(code.CombineReplaceData, old.insn, old.op, s)
	} else {
		e.fail("invalid output operand '" + o.name + "': operand is not a live-in of the match pattern, and it has no definition")
	}
}

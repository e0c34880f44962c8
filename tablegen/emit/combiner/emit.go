package combiner

import (
	"encoding/binary"
	"math"
	"strconv"

	"github.com/mirin-go/mirin/codegen/matchtable/code"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/tablegen/emit/matchasm"
)

// place is where a name was matched.
type place struct {
	insn, op int
	kind     opKind
	imm      bool // no register
}

// emitter makes the code of one variant.
type emitter struct {
	g      *generator
	v      *variant
	places map[string]place
	insns  map[string]int // matched instructions by name of pattern
	slots  map[string]int // match data
	temps  map[string]int // registers that the actions make
	ntemps int
	names  map[string]typeRef
	imms   map[*operand]typeRef
	ok     bool
}

// emit makes tests and actions of a variant; false after an error.
func (g *generator) emit(v *variant) bool {
	e := &emitter{g: g, v: v, places: map[string]place{}, insns: map[string]int{}, slots: map[string]int{}, temps: map[string]int{}, ok: true}
	if len(v.data) > code.MaxData {
		e.fail("more than " + strconv.Itoa(code.MaxData) + " match data")
		return false
	}
	for i, d := range v.data {
		e.slots[d.name] = int(i)
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

// test adds a test of which nothing is known that excludes it.
func (e *emitter) test(op code.Op, args ...int) {
	e.v.steps = append(e.v.steps, matchasm.Test(op, args...))
}

// keyed adds a test whose last operand is the value that is asked for.
func (e *emitter) keyed(op code.Op, args ...int) {
	e.v.steps = append(e.v.steps, matchasm.Keyed(len(args)-1, op, args...))
}

// number adds the test of an operand for a signed number.
func (e *emitter) number(v int64, op code.Op, args ...int) {
	e.v.steps = append(e.v.steps, matchasm.Number(v, op, args...))
}

// do adds an action.
func (e *emitter) do(op code.Op, args ...int) {
	e.v.act = append(e.v.act, matchasm.Encode(op, args...)...)
}

// doNumber adds an action whose last operand is a signed number.
func (e *emitter) doNumber(v int64, op code.Op, args ...int) {
	e.v.act = append(e.v.act, matchasm.EncodeInt(v, op, args...)...)
}

// opcode is an opcode in the table.
func (e *emitter) opcode(op desc.Opcode) int {
	e.g.needTarget(op)
	return int(op)
}

// tests makes the tests of all match patterns: instructions from the root
// down, then functions.
func (e *emitter) tests() {
	v := e.v
	v.insns = 1
	e.insns[v.rootPat.name] = 0
	if v.rootPat.kind == instPat {
		work := []*pattern{v.rootPat}
		v.rootPat.insn = 0
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
				n := v.insns
				if n == code.MaxInsns {
					e.fail("more than " + strconv.Itoa(code.MaxInsns) + " instructions")
					return
				}
				d.insn = n
				e.insns[d.name] = n
				e.test(code.RecordUniqueDef, n, p.insn, k)
				e.keyed(code.CheckOpcode, n, e.opcode(d.op.op))
				work = append(work, d)
				v.insns++
			}
		}
	}
	for _, p := range v.apply {
		if p.kind != replacePat || p.ops[1].kind != regOp {
			continue
		}
		if to, ok := e.places[p.ops[1].name]; ok {
			old := e.places[p.ops[0].name]
			e.test(code.CheckCanReplace, old.insn, old.op, to.insn, to.op)
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
}

// testInst tests the operands of one instruction and notes where names are.
func (e *emitter) testInst(p *pattern) {
	insn := p.insn
	if p.op.variadic {
		lo, hi := int(len(p.ops)), int(len(p.ops))
		if n := len(p.ops); n > 0 && p.ops[n-1].kind == restOp {
			r := p.ops[n-1]
			lo, hi = int(n-1+r.min), int(n-1+r.max)
			if r.max == 0 {
				hi = math.MaxInt32
			}
		}
		e.test(code.CheckNumOpsIn, insn, lo, hi)
	}
	if p.flags.given {
		e.test(code.CheckFlags, insn, int(p.flags.set), int(p.flags.clear))
	}
	defs := 0
	for n := range p.ops {
		if p.isDef(n) {
			defs++
		}
	}
	for n, o := range p.ops {
		at := place{insn, n, o.kind, p.op.isImm(n)}
		switch o.kind {
		case intOp:
			op := code.CheckRegConst
			if at.imm {
				op = code.CheckImm
			}
			e.number(o.val, op, insn, n)
		case predOp:
			if !at.imm {
				e.fail("a predicate cannot stand there; in the pattern '" + p.text + "'")
			}
			e.keyed(code.CheckCmpPred, insn, n, int(o.val))
		}
		if o.typ != "" {
			e.keyed(code.CheckExactType, insn, n, e.g.typeNumber(o.typ))
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
			e.test(code.CheckSameReg, old.insn, old.op, insn, n)
		}
	}
}

// typeNumber numbers a value type in the table.
func (g *generator) typeNumber(vt string) int {
	t, _ := typeOf(vt)
	return g.asm.Type(t)
}

// call makes the call of a function, as a test or as an action.
func (e *emitter) call(c call, action bool) {
	if len(c.args) > code.MaxArgs {
		e.fail("function '" + c.fn + "' has more than " + strconv.Itoa(code.MaxArgs) + " arguments")
		return
	}
	w := matchasm.AppendArgs(nil, e.g.asm.Func(c.fn), len(c.args))
	put := func(args ...int) { w = matchasm.AppendArgs(w, args...) }
	for _, a := range c.args {
		if a.name == "" {
			put(code.ArgInt)
			w = binary.AppendVarint(w, a.val)
			continue
		}
		if s, ok := e.slots[a.name]; ok {
			put(code.ArgData, s)
		} else if p, ok := e.places[a.name]; ok {
			put(code.ArgOperand, p.insn, p.op)
		} else if n, ok := e.insns[a.name]; ok {
			put(code.ArgInstr, n)
		} else {
			e.fail("function '" + c.fn + "': '${" + a.name + "}' is neither an operand nor an instruction nor match data")
			return
		}
	}
	switch {
	case action && c.not:
		e.fail("'!' has no meaning in an apply pattern")
	case action:
		e.v.act = append(append(e.v.act, byte(code.CallFunc)), w...)
	default:
		op := code.CheckFunc
		if c.not {
			op = code.CheckNotFunc
		}
		e.v.steps = append(e.v.steps, matchasm.Step{Bytes: string(append([]byte{byte(op)}, w...))})
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
func (e *emitter) temp(t typeRef) (int, bool) {
	switch {
	case t.vt != "":
		e.do(code.MakeGenericTemp, e.g.typeNumber(t.vt))
	case t.like != "":
		p := e.places[t.like]
		if p.imm {
			return 0, false
		}
		e.do(code.MakeTempLike, p.insn, p.op)
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
	consts := map[int]int{}
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
		e.doNumber(o.val, code.BuildTempConst, t)
		consts[n] = t
	}
	e.do(code.BuildMI, e.opcode(p.op.op))
	for n := range p.ops {
		if t, ok := consts[n]; ok {
			e.do(code.AddTemp, t, 0)
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
		e.do(code.AddFlags, n)
	}
	e.do(code.FinishGeneric, int(p.flags.set), int(p.flags.clear))
}

// addOperand makes the action that adds operand n of p.
func (e *emitter) addOperand(p *pattern, n int) {
	o := &p.ops[n]
	switch o.kind {
	case intOp:
		e.doNumber(o.val, code.AddImm)
		return
	case predOp:
		e.do(code.AddCmpPred, int(o.val))
		return
	}
	at, matched := e.places[o.name]
	if t, ok := e.temps[o.name]; ok {
		if p.isDef(n) {
			e.do(code.AddTempDef, t)
		} else {
			e.do(code.AddTemp, t, 0)
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
		e.do(code.AddRest, at.insn, at.op)
	case p.isDef(n):
		e.do(code.AddDef, at.insn, at.op)
	case at.imm && p.op.typeIndex(n) >= 0:
		e.fail("'" + o.name + "' is an immediate, '" + p.op.name + "' wants a register; make a G_CONSTANT of it")
	case !at.imm && p.op.isImm(n):
		e.fail("'" + o.name + "' is a register, '" + p.op.name + "' wants an immediate")
	default:
		e.do(code.AddCopy, at.insn, at.op)
	}
}

// addData makes the action that adds what a function left.
func (e *emitter) addData(p *pattern, n int, slot int) {
	kind := int(-1)
	switch e.v.data[slot].typ {
	case "Register":
		kind = code.DataReg
	case "int64_t", "unsigned":
		kind = code.DataImm
	case "Predicate":
		kind = code.DataPred
	}
	if kind < 0 || p.isDef(n) || (kind == code.DataReg) == p.op.isImm(n) {
		e.fail("match data '" + p.ops[n].name + "' of type '" + e.v.data[slot].typ + "' cannot stand there; in the pattern '" + p.text + "'")
		return
	}
	e.do(code.AddData, slot, kind)
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
		e.doNumber(o.val, code.BuildConst, at.insn, at.op)
	case o.kind == intOp:
		e.doNumber(o.val, code.BuildTempConst, t)
	case isPlace && from.imm:
		e.do(code.BuildMI, e.opcode(p.op.op))
		e.addOperand(p, 0)
		e.do(code.AddCopy, from.insn, from.op)
		e.do(code.FinishGeneric, 0, 0)
	case isData && !isPlace && e.v.data[slot].typ == "int64_t":
		if matched {
			e.do(code.BuildDataConst, at.insn, at.op, slot)
		} else {
			e.do(code.BuildTempDataConst, t, slot)
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
		e.doNumber(o.val, code.BuildConst, old.insn, old.op)
		return
	}
	if t, ok := e.temps[o.name]; ok {
		e.do(code.ReplaceRegTemp, old.insn, old.op, t)
	} else if at, ok := e.places[o.name]; ok {
		if at.imm {
			e.fail("GIReplaceReg: '" + o.name + "' is no register")
			return
		}
		e.do(code.ReplaceReg, old.insn, old.op, at.insn, at.op)
	} else if s, ok := e.slots[o.name]; ok && e.v.data[s].typ == "Register" {
		e.do(code.ReplaceRegData, old.insn, old.op, s)
	} else {
		e.fail("invalid output operand '" + o.name + "': operand is not a live-in of the match pattern, and it has no definition")
	}
}

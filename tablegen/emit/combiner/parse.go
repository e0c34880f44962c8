package combiner

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/tablegen"
)

// patKind tells the patterns apart.
type patKind uint8

const (
	instPat    patKind = iota // an instruction
	anyOp                     // wip_match_opcode
	fragPat                   // a GICombinePatFrag
	codePat                   // calls of Go functions
	replacePat                // GIReplaceReg
	erasePat                  // GIEraseRoot
)

// pattern is one pattern of a match or apply list.
type pattern struct {
	kind  patKind
	name  string // of the instruction; made up where there is none
	named bool
	text  string
	op    *opInfo
	ops   []operand
	any   []*opInfo        // of anyOp
	frag  *tablegen.Record // of fragPat
	calls []call           // of codePat
	flags flags
	insn  int // number among the matched instructions, -1 before it has one
}

// flags are MIFlags of a pattern.
type flags struct {
	given      bool
	set, clear uint32
	refs       []string // instructions whose flags are copied
}

// opKind tells operands apart.
type opKind uint8

const (
	regOp  opKind = iota // a register or any other operand by name
	intOp                // a number
	predOp               // a comparison predicate
	restOp               // GIVariadic
)

// operand is an operand of a pattern.
type operand struct {
	kind   opKind
	name   string // "" for a number without one
	typ    string // name of a value type, "" for none
	typeOf string // operand of GITypeOf, "" for none
	val    int64
	min    int // of restOp
	max    int
}

// opInfo is what is known of an instruction.
type opInfo struct {
	name     string
	op       desc.Opcode
	defs     int
	ops      int
	variadic bool
	gen      []int // type index by operand, -1 for none
	unsafe   bool  // not to be computed elsewhere
}

// rule is a rule as it is written.
type rule struct {
	rec     *tablegen.Record
	root    string
	data    []datum
	match   []*pattern
	apply   []*pattern
	combine bool
	preds   []call
}

// datum is a slot of match data.
type datum struct {
	name string
	typ  string
}

func (g *generator) parseRule(r *tablegen.Record) (*rule, bool) {
	m := &rule{rec: r}
	if !g.parseDefs(m) {
		return nil, false
	}
	a0, a1 := r.Dag("Action0"), r.Dag("Action1")
	n0, n1 := opName(a0), opName(a1)
	switch {
	case n0 == "match" && n1 == "apply":
	case n0 == "combine" && n1 == "empty_action":
		m.combine = true
	default:
		g.errorf("expected both a 'match' and 'apply' action in combine rule, or a single 'combine' action")
		return nil, false
	}
	ok := g.parseList(m, a0, &m.match, "match")
	if ok && m.combine {
		ok = g.splitCombine(m)
	} else if ok {
		ok = g.parseList(m, a1, &m.apply, "apply")
	}
	for _, p := range r.DefList("Predicates") {
		c, err := parseCode(p.String("CondString"))
		if err != nil || p.String("CondString") == "" {
			g.errorf(fmt.Sprintf("predicate '%s': %v", p.Name, err))
			return nil, false
		}
		m.preds = append(m.preds, c...)
	}
	return m, ok
}

func opName(d *tablegen.DagInit) string {
	if d == nil {
		return ""
	}
	if o, ok := d.Op.(*tablegen.DefInit); ok {
		return o.Rec.Name
	}
	return ""
}

// splitCombine takes the code at the end of a combine list as what to apply.
func (g *generator) splitCombine(m *rule) bool {
	n := len(m.match) - 1
	if n < 1 || m.match[n].kind != codePat || m.match[0].kind == codePat {
		g.errorf("'combine' action needs at least one pattern to match, and C++ code to apply")
		return false
	}
	m.apply, m.match = m.match[n:], m.match[:n]
	return true
}

func (g *generator) parseDefs(m *rule) bool {
	d := m.rec.Dag("Defs")
	if opName(d) != "defs" {
		g.errorf("expected 'defs' operator")
		return false
	}
	for i, a := range d.Args {
		def, _ := a.(*tablegen.DefInit)
		if def == nil {
			g.errorf("the arguments of 'defs' must be definition kinds with names")
			return false
		}
		name := d.ArgNames[i]
		switch {
		case name == "":
			g.errorf("all defs must be named")
			return false
		case def.Rec.Name == "root":
			if m.root != "" {
				g.errorf("combine rules with more than one root are not supported")
				return false
			}
			m.root = name
		case def.Rec.IsSubClassOf("GIDefMatchData"):
			typ := strings.TrimSpace(def.Rec.String("Type"))
			m.data = append(m.data, datum{name, typ})
		default:
			g.errorf("'" + def.Rec.Name + "' is no kind of definition")
			return false
		}
	}
	if m.root == "" {
		g.errorf("combine rules must have at least one root")
		return false
	}
	return true
}

// parseList reads the patterns of match or apply.
func (g *generator) parseList(m *rule, d *tablegen.DagInit, out *[]*pattern, what string) bool {
	seen := map[string]bool{}
	for i, a := range d.Args {
		p := g.parsePattern(a, d.ArgNames[i])
		if p == nil {
			return false
		}
		if !p.named {
			p.name = "__" + m.rec.Name + "_" + what + "_" + strconv.Itoa(i)
		}
		if seen[p.name] {
			if what == "match" {
				g.errorf("'" + p.name + "' match pattern defined more than once!")
			} else {
				g.errorf("'" + p.name + "' apply pattern defined more than once!")
			}
			return false
		}
		seen[p.name] = true
		*out = append(*out, p)
	}
	return true
}

// parsePattern reads one pattern; nil after an error.
func (g *generator) parsePattern(x tablegen.Init, name string) *pattern {
	p := &pattern{name: name, named: name != "", text: x.String(), insn: -1}
	fail := func(msg string) *pattern {
		g.errorf(msg + "; in the pattern '" + p.text + "'")
		return nil
	}
	if s, ok := x.(*tablegen.StringInit); ok {
		p.kind = codePat
		calls, err := parseCode(s.S)
		if err != nil {
			g.errorf(err.Error())
			return nil
		}
		p.calls = calls
		return p
	}
	d, ok := x.(*tablegen.DagInit)
	if !ok {
		return fail("a pattern must be a dag or code")
	}
	op, ok := d.Op.(*tablegen.DefInit)
	if !ok {
		return fail("the operator is no record")
	}
	switch r := op.Rec; {
	case r.Name == "wip_match_opcode":
		p.kind = anyOp
		for _, a := range d.Args {
			def, _ := a.(*tablegen.DefInit)
			var o *opInfo
			if def != nil {
				o = g.opInfo(def.Rec.Name)
			}
			if o == nil {
				return fail("the arguments of wip_match_opcode must be instructions the facts know")
			}
			p.any = append(p.any, o)
		}
		if len(p.any) == 0 {
			return fail("wip_match_opcode names no instruction")
		}
		return p
	case r.Name == "GIReplaceReg":
		p.kind = replacePat
	case r.Name == "GIEraseRoot":
		p.kind = erasePat
	case r.IsSubClassOf("GICombinePatFrag"):
		p.kind, p.frag = fragPat, r
	case r.IsSubClassOf("Intrinsic"):
		return fail("patterns of intrinsics are not supported")
	default:
		if p.op = g.opInfo(r.Name); p.op == nil {
			return fail("'" + r.Name + "' is no instruction that the facts of the target know")
		}
	}
	if !g.parseOperands(p, d) {
		return nil
	}
	return p
}

// parseOperands reads the operands of a pattern and counts them.
func (g *generator) parseOperands(p *pattern, d *tablegen.DagInit) bool {
	fail := func(msg string) bool {
		g.errorf(msg + "; in the pattern '" + p.text + "'")
		return false
	}
	for i, a := range d.Args {
		if sub, ok := a.(*tablegen.DagInit); ok && opName(sub) == "MIFlags" {
			switch {
			case p.kind != instPat:
				return fail("matching/writing MIFlags is only allowed on CodeGenInstruction patterns")
			case p.flags.given:
				return fail("MIFlags can only be present once on an instruction")
			}
			if msg := p.flags.parse(sub); msg != "" {
				return fail(msg)
			}
			continue
		}
		o, msg := parseOperand(a, d.ArgNames[i])
		if msg != "" {
			return fail(msg)
		}
		if len(p.ops) > 0 && p.ops[len(p.ops)-1].kind == restOp {
			return fail("each instruction/pattern can only have one variadic operand, the last")
		}
		p.ops = append(p.ops, o)
	}
	n := len(p.ops)
	rest := n > 0 && p.ops[n-1].kind == restOp
	count := func(name string, want int) bool {
		if n != want {
			return fail(fmt.Sprintf("'%s' expected %d operands, got %d", name, want, n))
		}
		return true
	}
	switch p.kind {
	case replacePat:
		return count("GIReplaceReg", 2)
	case erasePat:
		return count("GIEraseRoot", 0)
	case fragPat:
		return count(p.frag.Name, len(p.frag.Dag("OutOperands").Args)+len(p.frag.Dag("InOperands").Args))
	}
	if p.op.variadic {
		if n < p.op.ops && !rest {
			return fail(fmt.Sprintf("'%s' expected at least %d operands, got %d", p.op.name, p.op.ops, n))
		}
		return true
	}
	if rest {
		return fail("'" + p.op.name + "' is not variadic")
	}
	return count(p.op.name, p.op.ops)
}

// parse reads (MIFlags FmNsz, (not FmArcp), $mi).
func (f *flags) parse(d *tablegen.DagInit) string {
	f.given = true
	one := func(x tablegen.Init, set *uint32) string {
		def, _ := x.(*tablegen.DefInit)
		if def == nil || !def.Rec.IsSubClassOf("MIFlagEnum") {
			name := x.String()
			if def != nil {
				name = def.Rec.Name
			}
			return "'" + name + "' is not a subclass of 'MIFlagEnum'"
		}
		name := strings.TrimPrefix(def.Rec.String("EnumName"), "MachineInstr::")
		bit, ok := flagBit(name)
		if !ok {
			return "the flag '" + name + "' is not known"
		}
		*set |= bit
		return ""
	}
	for i, a := range d.Args {
		if _, ok := a.(*tablegen.UnsetInit); ok && d.ArgNames[i] != "" {
			f.refs = append(f.refs, d.ArgNames[i])
			continue
		}
		set := &f.set
		list := []tablegen.Init{a}
		if sub, ok := a.(*tablegen.DagInit); ok {
			if opName(sub) != "not" {
				return "MIFlags are names, references, or (not names)"
			}
			set, list = &f.clear, sub.Args
		}
		for _, x := range list {
			if msg := one(x, set); msg != "" {
				return msg
			}
		}
	}
	return ""
}

// flagBit is the number of a flag in mir.MIFlags: they stand in LLVM's order.
func flagBit(name string) (uint32, bool) {
	for i, n := range [...]string{"FrameSetup", "FrameDestroy", "BundledPred", "BundledSucc", "FmNoNans", "FmNoInfs", "FmNsz", "FmArcp", "FmContract", "FmAfn", "FmReassoc",
		"NoUWrap", "NoSWrap", "IsExact", "NoFPExcept", "NoMerge", "Unpredictable", "NoConvergent", "NonNeg", "Disjoint", "NoUSWrap", "SameSign", "InBounds"} {
		if n == name {
			return 1 << i, true
		}
	}
	return 0, false
}

// parseOperand reads one operand: $x, i32:$x, 5, (i32 5), GITypeOf<"$x">:$y,
// (GITypeOf<"$x"> 5), GIVariadic<>:$x, a predicate; numbers may have a name.
func parseOperand(a tablegen.Init, name string) (operand, string) {
	o := operand{name: name}
	switch x := a.(type) {
	case *tablegen.UnsetInit:
		if name == "" {
			return o, "an operand has neither name nor value"
		}
		return o, ""
	case *tablegen.IntInit:
		o.kind, o.val = intOp, x.V
		return o, ""
	case *tablegen.DagInit:
		op, _ := x.Op.(*tablegen.DefInit)
		if op == nil || len(x.Args) != 1 {
			return o, "cannot parse operand '" + x.String() + "'"
		}
		v, ok := x.Args[0].(*tablegen.IntInit)
		if !ok {
			return o, "cannot parse immediate '" + x.String() + "': the value is no number"
		}
		o.kind, o.val = intOp, v.V
		if msg := o.setType(op.Rec); msg != "" {
			return o, "cannot parse immediate '" + x.String() + "': " + msg
		}
		return o, ""
	case *tablegen.DefInit:
		r := x.Rec
		if r.IsSubClassOf("GIVariadic") {
			o.kind, o.min, o.max = restOp, int(r.Int("MinArgs")), int(r.Int("MaxArgs"))
			if o.min < 1 || o.max != 0 && o.max < o.min {
				return o, "GIVariadic needs a minimum of 1 or more and a maximum of 0 or more than that"
			}
			return o, ""
		}
		if r.IsSubClassOf("GIPredicate") {
			o.kind, o.val = predOp, r.Int("Value")
			return o, ""
		}
		if name == "" {
			return o, "expected an operand name after '" + r.Name + "'"
		}
		if msg := o.setType(r); msg != "" {
			return o, "cannot parse operand type: " + msg
		}
		return o, ""
	}
	return o, "cannot parse operand '" + a.String() + "'"
}

// setType gives the operand the type that a record stands for.
func (o *operand) setType(r *tablegen.Record) string {
	if r.IsSubClassOf("GITypeOf") {
		s := r.String("OpName")
		if !strings.HasPrefix(s, "$") || len(s) < 2 {
			return "invalid operand name format '" + s + "' in GITypeOf: expected '$' followed by an operand name"
		}
		o.typeOf = s[1:]
		return ""
	}
	if r.IsSubClassOf("ValueType") {
		if _, ok := typeOf(r.Name); ok {
			o.typ = r.Name
			return ""
		}
	}
	return "unknown type '" + r.Name + "'"
}

// typeOf is the name that the table has for a value type; integers and floats
// of one size are one type.
func typeOf(name string) (string, bool) {
	t, ok := desc.MVTByName(name)
	if !ok || t.IsScalable() || t.Bits() == 0 || !t.IsInteger() && !t.IsFloat() {
		return "", false
	}
	if t.IsVector() {
		return fmt.Sprintf("v%di%d", t.Len(), t.Elem().Bits()), true
	}
	return fmt.Sprintf("i%d", t.Bits()), true
}

// opInfo describes an instruction, nil when the facts do not know it.
func (g *generator) opInfo(name string) *opInfo {
	op, ok := g.facts.OpcodeByName(name)
	if !ok {
		return nil
	}
	d := g.facts.Instr(op)
	o := &opInfo{name: name, op: op, defs: int(d.NumDefs), ops: int(d.NumOperands), variadic: d.Flags&desc.Variadic != 0}
	o.unsafe = d.Flags&(desc.MayLoad|desc.MayStore|desc.UnmodeledSideEffects|desc.Call|desc.Convergent|desc.MayRaiseFPException) != 0
	for _, x := range g.facts.Operands(op) {
		o.gen = append(o.gen, x.GenericTypeIndex())
	}
	if op == desc.COPY {
		o.gen = []int{0, 0}
	}
	return o
}

// typeIndex is the generic type index of operand n, -1 for none; those behind
// the declared ones have that of the last.
func (o *opInfo) typeIndex(n int) int {
	if n < len(o.gen) {
		return o.gen[n]
	}
	if o.variadic && len(o.gen) > 0 {
		return o.gen[len(o.gen)-1]
	}
	return -1
}

// isImm reports that operand n is no register: it has no type in the description.
func (o *opInfo) isImm(n int) bool { return o.typeIndex(n) < 0 && n < len(o.gen) }

// isDef reports that operand n is a result. Results of G_UNMERGE_VALUES are all but the last.
func (p *pattern) isDef(n int) bool {
	if p.kind == replacePat {
		return n == 0
	}
	if p.op == nil {
		return false
	}
	if p.op.op == desc.G_UNMERGE_VALUES {
		return n < len(p.ops)-1
	}
	return n < p.op.defs
}

package globalisel

import (
	"fmt"

	"github.com/mirin-go/mirin/codegen/matchtable/code"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/tablegen/emit/matchasm"
)

// out is a destination of a value in the result: a result of the root or a temporary.
type out struct {
	root int // result of the root, -1 for a temporary
	temp int
}

// instr is one instruction of the result.
type instr struct {
	op   desc.Opcode
	body []byte // the operand actions
	uses []desc.PhysReg
	defs []desc.PhysReg // implicit definitions, by position in the description
	phys []desc.PhysReg // explicit physical definitions

}

// builder makes the actions of one rule.
type builder struct {
	g      *Generator
	m      *matcher
	root   *tree
	pre    []byte // temporaries and class constraints
	ins    []instr
	temps  int
	named  map[string]out // values of steps
	rootRC []desc.ClassID // class of each root result, for bank tests
	toRoot map[string]int // names of steps that are results
	// order: the one instruction of the result makes all values of the root;
	// result order[i] of the root is its result i. nil: see top.
	order []int
	// noResult: the result makes no value; it is for roots that nobody reads.
	noResult bool
}

// build makes the actions for a result pattern.
func (g *Generator) build(m *matcher, root *tree, res Value, order []int) (*builder, error) {
	b := &builder{g: g, m: m, root: root, named: map[string]out{}, toRoot: map[string]int{}, order: order}
	n := 1
	if root.kind == kNode {
		n = len(root.node.outs)
	}
	b.rootRC = make([]desc.ClassID, n)
	for i := range b.rootRC {
		b.rootRC[i] = desc.NoClass
	}
	if err := b.top(res); err != nil {
		return nil, err
	}
	return b, nil
}

// top emits the result as a whole.
func (b *builder) top(res Value) error {
	d, ok := res.(*Dag)
	if !ok {
		return fmt.Errorf("the result must be an instruction")
	}
	nres := len(b.rootRC)
	steps := []*Dag{d}
	if d.Op.Name == "Seq" {
		steps = steps[:0]
		for _, a := range d.Args {
			s, ok := a.(*Dag)
			if !ok {
				return fmt.Errorf("a step of Seq must be an instruction")
			}
			steps = append(steps, s)
		}
		names := d.Names
		last := steps[len(steps)-1]
		if last.Op.Name == "results" {
			b.noResult = len(last.Args) == 0
			if len(last.Args) != nres && !b.noResult {
				return fmt.Errorf("%d results, the root has %d", len(last.Args), nres)
			}
			for i, nm := range last.Names {
				b.toRoot[nm] = i
			}
			steps = steps[:len(steps)-1]
		}
		for i, s := range steps {
			o := out{root: -1, temp: -1}
			wants := false
			if i == len(steps)-1 && len(b.toRoot) == 0 && nres == 1 && !b.noResult {
				o.root, wants = 0, true
			} else if r, ok := b.toRoot[names[i]]; ok && names[i] != "" {
				o.root, wants = r, true
			} else if names[i] != "" {
				wants = true
			}
			got, err := b.emit(s, o, wants, desc.NoClass)
			if err != nil {
				return err
			}
			if names[i] != "" {
				b.named[names[i]] = got
			}
		}
		return nil
	}
	if nres > 1 && len(b.order) == nres && d.Op.Is("Instruction") {
		_, err := b.emit(d, out{root: b.order[0], temp: -1}, true, desc.NoClass)
		return err
	}
	if nres > 1 {
		return fmt.Errorf("the root has %d results: use (Seq …, (results …))", nres)
	}
	o := out{root: -1, temp: -1}
	if nres == 1 {
		o.root = 0
	}
	_, err := b.emit(d, o, nres == 1, desc.NoClass)
	return err
}

// newTemp makes a temporary of a class.
func (b *builder) newTemp(c desc.ClassID) (out, error) {
	if c == desc.NoClass {
		return out{}, fmt.Errorf("cannot tell the register class of a value of the result: use COPY_TO_REGCLASS")
	}
	b.pre = append(b.pre, matchasm.Encode(code.MakeTemp, int(c))...)
	b.temps++
	return out{root: -1, temp: b.temps - 1}, nil
}

// dest gives o a register: a temporary of class c unless it is a result of the root.
func (b *builder) dest(o out, c desc.ClassID) (out, []byte, error) {
	if o.root >= 0 {
		if c != desc.NoClass {
			b.rootRC[o.root] = c
		}
		return o, matchasm.Encode(code.AddDef, 0, o.root), nil
	}
	t, err := b.newTemp(c)
	if err != nil {
		return o, nil, err
	}
	return t, matchasm.Encode(code.AddTempDef, t.temp), nil
}

// useOf adds a value as a register operand.
func useOf(o out, sub int) []byte {
	if o.root >= 0 {
		// A result of the root that a later step reads.
		return matchasm.Encode(code.AddCopySub, 0, o.root, sub)
	}
	return matchasm.Encode(code.AddTemp, o.temp, sub)
}

// emit emits a dag that makes a value (or none) into o; want says that the value is needed.
func (b *builder) emit(d *Dag, o out, want bool, class desc.ClassID) (out, error) {
	switch d.Op.Name {
	case "get":
		r, err := b.phys(d, 0)
		if err != nil {
			return o, err
		}
		if class == desc.NoClass && o.root < 0 {
			class = b.g.Facts.MinimalPhysRegClass(r, 0)
			class = b.g.widest(class)
		}
		o, body, err := b.dest(o, class)
		if err != nil {
			return o, err
		}
		body = append(body, matchasm.Encode(code.AddPhys, int(r), 0)...)
		b.ins = append(b.ins, instr{op: desc.COPY, body: body, uses: []desc.PhysReg{r}})
		return o, nil
	case "set":
		r, err := b.phys(d, 0)
		if err != nil {
			return o, err
		}
		if len(d.Args) != 2 {
			return o, fmt.Errorf("(set register, value)")
		}
		val, err := b.value(d.Args[1], d.Names[1], b.g.widest(b.g.Facts.MinimalPhysRegClass(r, 0)))
		if err != nil {
			return o, err
		}
		body := append(matchasm.Encode(code.AddPhys, int(r), code.PhysDef), val...)
		b.ins = append(b.ins, instr{op: desc.COPY, body: body, phys: []desc.PhysReg{r}})
		return o, nil
	case "COPY_TO_REGCLASS":
		c, err := b.classArg(d, 1)
		if err != nil {
			return o, err
		}
		val, err := b.value(d.Args[0], d.Names[0], desc.NoClass)
		if err != nil {
			return o, err
		}
		return b.copyInto(o, c, val)
	case "EXTRACT_SUBREG":
		sub, err := b.subArg(d, 1)
		if err != nil {
			return o, err
		}
		val, err := b.valueSub(d.Args[0], d.Names[0], sub)
		if err != nil {
			return o, err
		}
		return b.copyInto(o, class, val)
	case "INSERT_SUBREG":
		return b.insertSubreg(d, o, class)
	case "SUBREG_TO_REG":
		return b.subregToReg(d, o, class)
	case "IMPLICIT_DEF":
		o, body, err := b.dest(o, class)
		if err != nil {
			return o, err
		}
		b.ins = append(b.ins, instr{op: desc.IMPLICIT_DEF, body: body})
		return o, nil
	}
	if !d.Op.Is("Instruction") {
		return o, fmt.Errorf("%s is no instruction", d.Op.Name)
	}
	return b.instruction(d, o, want)
}

func (b *builder) copyInto(o out, c desc.ClassID, val []byte) (out, error) {
	if o.root >= 0 && c == desc.NoClass {
		c = b.rootDefault(o.root)
	}
	o, body, err := b.dest(o, c)
	if err != nil {
		return o, err
	}
	b.constrain(o, c)
	b.ins = append(b.ins, instr{op: desc.COPY, body: append(body, val...)})
	return o, nil
}

// constrain makes a result of the root a member of class c (temporaries are already).
func (b *builder) constrain(o out, c desc.ClassID) {
	if o.root >= 0 && c != desc.NoClass {
		b.pre = append(b.pre, matchasm.Encode(code.SetClass, 0, o.root, int(c))...)
	}
}

// rootDefault is no class: the interpreter gives the class of type and bank.
func (b *builder) rootDefault(int) desc.ClassID { return desc.NoClass }

func (b *builder) phys(d *Dag, i int) (desc.PhysReg, error) {
	if i < len(d.Args) {
		if r, ok := d.Args[i].(*Def); ok && r.Is("Register") {
			return b.g.reg(r.Name)
		}
	}
	return 0, fmt.Errorf("%s takes a register as operand %d", d.Op.Name, i+1)
}

func (b *builder) classArg(d *Dag, i int) (desc.ClassID, error) {
	if i < len(d.Args) {
		if r, ok := d.Args[i].(*Def); ok && r.Is("RegisterClass") {
			if c, ok := b.g.class(r.Name); ok {
				return c, nil
			}
		}
	}
	return 0, fmt.Errorf("%s takes a register class as operand %d", d.Op.Name, i+1)
}

func (b *builder) subArg(d *Dag, i int) (int, error) {
	if i < len(d.Args) {
		if r, ok := d.Args[i].(*Def); ok && r.Is("SubRegIndex") {
			if s, ok := b.g.Facts.SubRegIndexByName(r.Name); ok {
				return int(s), nil
			}
		}
	}
	return 0, fmt.Errorf("%s takes a sub-register index as operand %d", d.Op.Name, i+1)
}

func (b *builder) insertSubreg(d *Dag, o out, class desc.ClassID) (out, error) {
	sub, err := b.subArg(d, 2)
	if err != nil {
		return o, err
	}
	if o.root >= 0 && class == desc.NoClass {
		class = b.typeClass()
	}
	if class != desc.NoClass {
		// Not every register of a class need have the sub-register: RIP has no byte.
		if c := b.g.Facts.SubClassWithSubReg(class, desc.SubRegIdx(sub)); c != desc.NoClass {
			class = c
		}
	}
	base, err := b.value(d.Args[0], d.Names[0], class)
	if err != nil {
		return o, err
	}
	val, err := b.value(d.Args[1], d.Names[1], desc.NoClass)
	if err != nil {
		return o, err
	}
	o, body, err := b.dest(o, class)
	if err != nil {
		return o, err
	}
	b.constrain(o, class)
	body = append(append(body, base...), val...)
	body = append(body, matchasm.EncodeInt(int64(sub), code.AddImm)...)
	b.ins = append(b.ins, instr{op: desc.INSERT_SUBREG, body: body})
	return o, nil
}

func (b *builder) subregToReg(d *Dag, o out, class desc.ClassID) (out, error) {
	sub, err := b.subArg(d, 2)
	if err != nil {
		return o, err
	}
	if o.root >= 0 && class == desc.NoClass {
		class = b.typeClass()
	}
	val, err := b.value(d.Args[1], d.Names[1], desc.NoClass)
	if err != nil {
		return o, err
	}
	o, body, err := b.dest(o, class)
	if err != nil {
		return o, err
	}
	b.constrain(o, class)
	body = append(body, matchasm.EncodeInt(0, code.AddImm)...)
	body = append(body, val...)
	body = append(body, matchasm.EncodeInt(int64(sub), code.AddImm)...)
	b.ins = append(b.ins, instr{op: desc.SUBREG_TO_REG, body: body})
	return o, nil
}

// typeClass is the class that holds the root's value, by its type alone.
func (b *builder) typeClass() desc.ClassID {
	if b.root.ty == nil {
		return desc.NoClass
	}
	return b.g.classOfType(b.root.ty.find().ty)
}

// instruction emits a target instruction and the instructions of its operands.
func (b *builder) instruction(d *Dag, o out, want bool) (out, error) {
	g := b.g
	op, ok := g.Facts.OpcodeByName(d.Op.Name)
	if !ok {
		return o, fmt.Errorf("instruction %s is not known", d.Op.Name)
	}
	de := g.Facts.Instr(op)
	nd := int(de.NumDefs)
	order := b.order // of the outermost instruction alone
	b.order = nil
	if len(order) > nd {
		return o, fmt.Errorf("%s has %d results, the root %d", d.Op.Name, nd, len(order))
	}
	var body []byte
	n, glue, glueEnd := nd, -1, -1
	for i, a := range d.Args {
		if x, ok := a.(*Dag); ok && isGlue(g, x) {
			start := len(b.ins)
			if _, err := b.emit(x, out{root: -1, temp: -1}, false, desc.NoClass); err != nil {
				return o, err
			}
			if glue < 0 {
				glue = start
			}
			glueEnd = len(b.ins)
			continue
		}
		class := desc.NoClass
		if n < int(de.NumOperands) {
			class = g.Facts.OperandClass(op, n, g.Facts.DefaultMode)
		}
		before := len(b.ins)
		val, err := b.value(a, d.Names[i], class)
		if err != nil {
			return o, err
		}
		if glue >= 0 && len(b.ins) != before && b.clobbers(glue, glueEnd, before) {
			return o, fmt.Errorf("operand %d of %s changes a register that an operand before it set", i+1, d.Op.Name)
		}
		body = append(body, val...)
		n += b.width(a, d.Names[i])
	}
	if n != int(de.NumOperands) && !de.IsVariadic() {
		return o, fmt.Errorf("%s takes %d operands, the pattern gives %d", d.Op.Name, int(de.NumOperands)-nd, n-nd)
	}
	var defs []byte
	if nd > 0 {
		class := g.Facts.OperandClass(op, 0, g.Facts.DefaultMode)
		var err error
		if o, defs, err = b.dest(o, class); err != nil {
			return o, fmt.Errorf("%s: %w", d.Op.Name, err)
		}
		for k := 1; k < nd; k++ {
			// Further results are not used, unless the root has them.
			to := out{root: -1, temp: -1}
			if k < len(order) {
				to.root = order[k]
			}
			_, x, err := b.dest(to, g.Facts.OperandClass(op, k, g.Facts.DefaultMode))
			if err != nil {
				return o, err
			}
			defs = append(defs, x...)
		}
	} else if want {
		return o, fmt.Errorf("%s has no result: use (get register)", d.Op.Name)
	}
	b.ins = append(b.ins, instr{op: op, body: append(defs, body...),
		uses: g.Facts.ImplicitUses(op), defs: g.Facts.ImplicitDefs(op)})
	return o, nil
}

// isGlue reports whether an operand of an instruction is there for its effect
// on physical registers alone.
func isGlue(g *Generator, d *Dag) bool {
	if d.Op.Name == "set" {
		return true
	}
	if !d.Op.Is("Instruction") {
		return false
	}
	op, ok := g.Facts.OpcodeByName(d.Op.Name)
	return ok && g.Facts.Instr(op).NumDefs == 0
}

// clobbers reports whether an instruction from `from` on writes a register that those of [lo, hi) wrote.
func (b *builder) clobbers(lo, hi, from int) bool {
	for _, x := range b.ins[from:] {
		for _, r := range append(append([]desc.PhysReg(nil), x.defs...), x.phys...) {
			for _, y := range b.ins[lo:hi] {
				for _, s := range append(append([]desc.PhysReg(nil), y.defs...), y.phys...) {
					if b.g.overlap(r, s) {
						return true
					}
				}
			}
		}
	}
	return false
}

// width is the number of operands that an argument becomes.
func (b *builder) width(v Value, name string) int {
	if bd := b.m.names[name]; bd != nil && bd.t.kind == kComplex {
		return int(bd.t.def.Int("NumOperands", 1))
	}
	if d, ok := v.(*Dag); ok && d.Op.Is("SDNodeXForm") {
		return int(d.Op.Int("NumOperands", 1))
	}
	return 1
}

// value makes the operand actions of an argument, emitting what it needs before.
func (b *builder) value(v Value, name string, class desc.ClassID) ([]byte, error) {
	switch v := v.(type) {
	case int64:
		return matchasm.EncodeInt(v, code.AddImm), nil
	case *Dag:
		if v.Op.Is("SDNodeXForm") {
			return b.xform(v)
		}
		if v.Op.Is("ValueType") && len(v.Args) == 1 {
			return b.value(v.Args[0], v.Names[0], class)
		}
		o, err := b.emit(v, out{root: -1, temp: -1}, true, class)
		if err != nil {
			return nil, err
		}
		return useOf(o, 0), nil
	case *Def:
		if name == "" {
			if v.Is("Register") {
				if v.Name == "zero_reg" {
					return matchasm.Encode(code.AddPhys, 0, 0), nil
				}
				r, err := b.g.reg(v.Name)
				return matchasm.Encode(code.AddPhys, int(r), 0), err
			}
			if i, ok := v.Fields["Value"].(int64); ok {
				return matchasm.EncodeInt(i, code.AddImm), nil
			}
		}
	}
	if name == "" {
		return nil, fmt.Errorf("operand without a name")
	}
	if o, ok := b.named[name]; ok {
		return useOf(o, 0), nil
	}
	bd := b.m.names[name]
	if bd == nil {
		return nil, fmt.Errorf("$%s is not in the source pattern", name)
	}
	switch bd.t.kind {
	case kImm, kTImm, kLit, kTLit:
		return matchasm.Encode(code.AddConst, bd.loc.insn, bd.loc.op), nil
	case kComplex:
		return matchasm.Encode(code.AddSlot, bd.slot), nil
	case kCond:
		n, err := b.g.condMap(bd.t.def)
		if err != nil {
			return nil, err
		}
		if d, ok := v.(*Def); ok && d.Is("CondMap") && d != bd.t.def {
			if n, err = b.g.condMap(d); err != nil {
				return nil, err
			}
		}
		return matchasm.Encode(code.AddCond, bd.loc.insn, bd.loc.op, n), nil
	case kFP:
		return nil, fmt.Errorf("$%s is a floating-point constant: a transformation must say how it becomes an operand", name)
	}
	return matchasm.Encode(code.AddCopy, bd.loc.insn, bd.loc.op), nil
}

// valueSub is value with a sub-register.
func (b *builder) valueSub(v Value, name string, sub int) ([]byte, error) {
	if d, ok := v.(*Dag); ok {
		o, err := b.emit(d, out{root: -1, temp: -1}, true, desc.NoClass)
		if err != nil {
			return nil, err
		}
		return useOf(o, sub), nil
	}
	if o, ok := b.named[name]; ok {
		return useOf(o, sub), nil
	}
	bd := b.m.names[name]
	if bd == nil || bd.t.kind != kReg && bd.t.kind != kNode {
		return nil, fmt.Errorf("EXTRACT_SUBREG of $%s, which is no register of the pattern", name)
	}
	return matchasm.Encode(code.AddCopySub, bd.loc.insn, bd.loc.op, sub), nil
}

func (b *builder) xform(d *Dag) ([]byte, error) {
	if len(d.Args) != 1 || b.m.names[d.Names[0]] == nil {
		return nil, fmt.Errorf("transformation %s takes one operand of the source pattern", d.Op.Name)
	}
	bd := b.m.names[d.Names[0]]
	return matchasm.Encode(code.AddXform, bd.loc.insn, bd.loc.op, b.g.asm.Xform(d.Op.Str("Hook"))), nil
}

// actions checks the flow of physical registers through the instructions and
// encodes them. A register that an instruction reads must have been written by
// one before it in the same result.
func (b *builder) actions() ([]byte, error) {
	g := b.g
	for i, x := range b.ins {
		for _, r := range x.uses {
			if g.ambient[r] {
				continue
			}
			found := false
			for _, y := range b.ins[:i] {
				for _, s := range append(append([]desc.PhysReg(nil), y.defs...), y.phys...) {
					found = found || g.overlap(r, s)
				}
			}
			if !found {
				return nil, fmt.Errorf("%s reads %s, which nothing before it in the result sets",
					g.Facts.OpcodeName(x.op), g.Facts.RegName(r))
			}
		}
	}
	out := append([]byte(nil), b.pre...)
	for i, x := range b.ins {
		out = append(out, matchasm.Encode(code.BuildMI, int(x.op))...)
		out = append(out, x.body...)
		dead := uint64(0)
		for k, r := range x.defs {
			if !g.ambient[r] && !b.readLater(i, r) && k < 60 {
				dead |= 1 << k
			}
		}
		out = append(out, matchasm.Encode(code.Finish, int(dead))...)
	}
	return out, nil
}

// readLater reports whether an instruction behind i reads r before it is written again.
func (b *builder) readLater(i int, r desc.PhysReg) bool {
	for _, x := range b.ins[i+1:] {
		for _, u := range x.uses {
			if b.g.overlap(u, r) {
				return true
			}
		}
		for _, w := range append(append([]desc.PhysReg(nil), x.defs...), x.phys...) {
			if w == r {
				return false
			}
		}
	}
	return false
}

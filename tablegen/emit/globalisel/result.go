package globalisel

import (
	"errors"
	"fmt"

	"github.com/mirin-go/mirin/codegen/matchtable/code"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/tablegen/emit/dagpattern"
	"github.com/mirin-go/mirin/tablegen/emit/matchasm"
)

// out is a destination of a value in the result: a result of the root or a temporary.
type out struct {
	root int // result of the root, -1 for a temporary
	temp int
}

// temporary is the destination of a value that stays inside the result.
var temporary = out{root: -1, temp: -1}

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
	g      *generator
	m      *matcher
	root   *tree
	x      *dagpattern.Pattern
	pre    []byte // temporaries and class constraints
	ins    []instr
	temps  int
	named  map[string]out // values of steps
	rootRC []desc.ClassID // class of each root result, for bank tests
	toRoot map[string]int // names of steps that are results
	// noResult: the result makes no value; it is for roots that nobody reads.
	noResult bool
}

// build makes the actions for the result of a pattern. phys are the registers
// that the source reads: they are set right before the outermost instruction.
func (g *generator) build(m *matcher, root *tree, x *dagpattern.Pattern, phys []physOperand) (*builder, error) {
	b := &builder{g: g, m: m, root: root, x: x, named: map[string]out{}, toRoot: map[string]int{}}
	b.rootRC = make([]desc.ClassID, len(x.Src.Types))
	for i := range b.rootRC {
		b.rootRC[i] = desc.NoClass
	}
	if len(x.DstRegs) > 0 {
		return nil, errors.New("the source sets a physical register")
	}
	if len(phys) > 0 && (x.Dst.IsLeaf() || !x.Dst.Op.IsSubClassOf("Instruction")) {
		return nil, errors.New("the source reads a physical register and the result is no instruction")
	}
	return b, b.top(x.Dst, phys)
}

// top emits the result as a whole.
func (b *builder) top(d *dagpattern.Node, phys []physOperand) error {
	nres := len(b.rootRC)
	if d.IsStepOf("Seq") {
		return b.sequence(d)
	}
	o := temporary
	if nres >= 1 {
		o.root = 0
	}
	if d.IsLeaf() || d.Name != "" {
		return b.copyRoot(d, o)
	}
	if !d.Op.IsSubClassOf("Instruction") {
		if nres > 1 {
			return fmt.Errorf("the root has %d results: use (Seq …, (results …))", nres)
		}
		_, err := b.emit(d, o, nres == 1, desc.NoClass)
		return err
	}
	inst := b.g.p.Inst(d.Op)
	if nres > inst.NumDefs && nres > 1 {
		return fmt.Errorf("the source has %d results, %s %d", nres, d.Op.Name, inst.NumDefs)
	}
	if nres == 1 && inst.NumDefs == 0 {
		if len(d.Types) > 0 || !b.rootUnused() {
			return errors.New("Dst pattern root has no result: it is an implicit definition")
		}
		b.noResult, o = true, temporary
	}
	if nres <= 1 {
		_, err := b.emitRoot(d, o, nres == 1 && !b.noResult, nil, phys)
		return err
	}
	order := make([]int, nres)
	for i := range order {
		order[i] = i
		if l := d.ResultOrder(); i < len(l) {
			order[i] = l[i]
		}
	}
	_, err := b.emitRoot(d, out{root: order[0], temp: -1}, true, order, phys)
	return err
}

// emitRoot emits the outermost instruction.
func (b *builder) emitRoot(d *dagpattern.Node, o out, want bool, order []int, phys []physOperand) (out, error) {
	switch d.Op.Name {
	case "COPY_TO_REGCLASS", "EXTRACT_SUBREG", "INSERT_SUBREG", "SUBREG_TO_REG", "IMPLICIT_DEF", "REG_SEQUENCE":
		if len(order) > 0 || len(phys) > 0 {
			return o, fmt.Errorf("%s as the result of a source with several results or registers", d.Op.Name)
		}
		return b.emit(d, o, want, desc.NoClass)
	}
	return b.instruction(d, o, want, order, phys)
}

// sequence emits the steps of a Seq.
func (b *builder) sequence(d *dagpattern.Node) error {
	nres := len(b.rootRC)
	steps := d.Kids
	last := steps[len(steps)-1]
	if last.IsStepOf("results") {
		b.noResult = len(last.Kids) == 0 && nres > 0
		if b.noResult && !b.rootUnused() {
			return errors.New("(results) without values: the source must say HasNoUse")
		}
		if len(last.Kids) != nres && !b.noResult {
			return fmt.Errorf("%d results, the root has %d", len(last.Kids), nres)
		}
		for i, k := range last.Kids {
			if _, twice := b.toRoot[k.Name]; twice || k.Name == "" {
				return fmt.Errorf("(results …) takes names of steps, each once")
			}
			b.toRoot[k.Name] = i
		}
		steps = steps[:len(steps)-1]
	} else if nres > 1 {
		return fmt.Errorf("the root has %d results: the last step must be (results …)", nres)
	}
	made := 0
	for i, s := range steps {
		if s.IsLeaf() {
			return errors.New("a step of Seq must be an instruction")
		}
		o, want := temporary, s.Name != ""
		if r, ok := b.toRoot[s.Name]; ok {
			o.root, want = r, true
			made++
		} else if i == len(steps)-1 && len(b.toRoot) == 0 && nres == 1 && !b.noResult {
			o.root, want = 0, true
		}
		if _, twice := b.named[s.Name]; twice {
			return fmt.Errorf("two steps have the name $%s", s.Name)
		}
		got, err := b.emit(s, o, want, desc.NoClass)
		if err != nil {
			return err
		}
		if s.Name != "" {
			b.named[s.Name] = got
		}
	}
	if made != len(b.toRoot) {
		return errors.New("a name of (results …) is no step")
	}
	return nil
}

// rootUnused reports whether the source demands that its value has no use.
func (b *builder) rootUnused() bool {
	for _, c := range b.x.Src.Preds {
		if c.Pred.NoUse == dagpattern.Yes {
			return true
		}
	}
	return false
}

// copyRoot makes a copy for a result that is an operand.
func (b *builder) copyRoot(n *dagpattern.Node, o out) error {
	d := n.Def()
	if d != nil && d.IsSubClassOf("RegisterOperand") {
		d = d.DefField("RegClass")
	}
	if n.Name == "" || d == nil || !d.IsSubClassOf("RegisterClass") || o.root < 0 {
		return errors.New("Dst pattern root isn't a known leaf or an instruction")
	}
	c, ok := b.g.class(d.Name)
	if !ok {
		return fmt.Errorf("register class %s is not known", d.Name)
	}
	val, err := b.value(n, desc.NoClass)
	if err != nil {
		return err
	}
	_, err = b.copyInto(o, c, val)
	return err
}

// newTemp makes a temporary of a class.
func (b *builder) newTemp(c desc.ClassID) (out, error) {
	if c == desc.NoClass {
		return out{}, errors.New("cannot tell the register class of a value of the result: use COPY_TO_REGCLASS")
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

// emit emits a node that makes a value (or none) into o; want says that the
// value is needed. class is what its user demands of it.
func (b *builder) emit(d *dagpattern.Node, o out, want bool, class desc.ClassID) (out, error) {
	if class == desc.NoClass && o.root < 0 && want {
		class = b.g.classOfType(d.Type(0))
	}
	switch {
	case d.IsStepOf("get"):
		return b.get(d, o, class)
	case d.IsStepOf("set"):
		return o, b.set(d)
	case d.IsStepOf("Seq"), d.IsStepOf("results"):
		return o, fmt.Errorf("%s stands inside a result", d.Op.Name)
	}
	switch d.Op.Name {
	case "COPY_TO_REGCLASS":
		c, err := b.classArg(d, 1)
		if err != nil {
			return o, err
		}
		if k := d.Kids[0]; b.makes(k) == c && want { // no copy is needed
			return b.emit(k, o, want, c)
		}
		val, err := b.value(d.Kids[0], desc.NoClass)
		if err != nil {
			return o, err
		}
		return b.copyInto(o, c, val)
	case "EXTRACT_SUBREG":
		sub, err := b.subArg(d, 1)
		if err != nil {
			return o, err
		}
		val, err := b.valueSub(d.Kids[0], sub)
		if err != nil {
			return o, err
		}
		return b.copyInto(o, class, val)
	case "INSERT_SUBREG":
		return b.insertSubreg(d, o, class)
	case "SUBREG_TO_REG":
		return b.subregToReg(d, o, class)
	case "REG_SEQUENCE":
		return b.regSequence(d, o)
	case "IMPLICIT_DEF":
		o, body, err := b.dest(o, class)
		if err != nil {
			return o, err
		}
		b.ins = append(b.ins, instr{op: desc.IMPLICIT_DEF, body: body})
		return o, nil
	}
	if !d.Op.IsSubClassOf("Instruction") {
		return o, fmt.Errorf("%s is no instruction", d.Op.Name)
	}
	return b.instruction(d, o, want, nil, nil)
}

// makes is the class of the value that a target instruction makes, NoClass for
// other nodes.
func (b *builder) makes(n *dagpattern.Node) desc.ClassID {
	if n.IsLeaf() || n.Name != "" || !n.Op.IsSubClassOf("Instruction") {
		return desc.NoClass
	}
	op, ok := b.g.info.OpcodeByName(n.Op.Name)
	if !ok || op < desc.FirstTargetOpcode || b.g.info.Instr(op).NumDefs == 0 {
		return desc.NoClass
	}
	return b.g.info.OperandClass(op, 0, b.g.info.DefaultMode)
}

// get emits a copy of a physical register.
func (b *builder) get(d *dagpattern.Node, o out, class desc.ClassID) (out, error) {
	r, err := b.phys(d)
	if err != nil {
		return o, err
	}
	if o.root < 0 && class == desc.NoClass {
		class = b.g.widest(b.g.info.MinimalPhysRegClass(r, 0))
	}
	o, body, err := b.dest(o, class)
	if err != nil {
		return o, err
	}
	body = append(body, matchasm.Encode(code.AddPhys, int(r), 0)...)
	b.ins = append(b.ins, instr{op: desc.COPY, body: body, uses: []desc.PhysReg{r}})
	return o, nil
}

// set emits a copy into a physical register.
func (b *builder) set(d *dagpattern.Node) error {
	r, err := b.phys(d)
	if err != nil {
		return err
	}
	val, err := b.value(d.Kids[1], b.g.widest(b.g.info.MinimalPhysRegClass(r, 0)))
	if err != nil {
		return err
	}
	b.setPhys(r, val)
	return nil
}

func (b *builder) setPhys(r desc.PhysReg, val []byte) {
	body := append(matchasm.Encode(code.AddPhys, int(r), code.PhysDef), val...)
	b.ins = append(b.ins, instr{op: desc.COPY, body: body, phys: []desc.PhysReg{r}})
}

func (b *builder) copyInto(o out, c desc.ClassID, val []byte) (out, error) {
	o, body, err := b.dest(o, c)
	if err != nil {
		return o, err
	}
	b.constrain(o, c)
	b.ins = append(b.ins, instr{op: desc.COPY, body: append(body, val...)})
	return o, nil
}

// constrain makes a result of the root a member of class c (temporaries are
// already); of no class, the interpreter gives the class of type and bank.
func (b *builder) constrain(o out, c desc.ClassID) {
	if o.root >= 0 && c != desc.NoClass {
		b.pre = append(b.pre, matchasm.Encode(code.SetClass, 0, o.root, int(c))...)
	}
}

// phys is the register of a set or get.
func (b *builder) phys(d *dagpattern.Node) (desc.PhysReg, error) {
	return b.g.reg(d.Kids[0].Def().Name)
}

func (b *builder) classArg(d *dagpattern.Node, i int) (desc.ClassID, error) {
	if i < len(d.Kids) {
		r := d.Kids[i].Def()
		if r != nil && r.IsSubClassOf("RegisterOperand") {
			r = r.DefField("RegClass")
		}
		if r != nil && r.IsSubClassOf("RegisterClass") {
			if c, ok := b.g.class(r.Name); ok {
				return c, nil
			}
		}
	}
	return 0, fmt.Errorf("%s takes a register class as operand %d", d.Op.Name, i+1)
}

func (b *builder) subArg(d *dagpattern.Node, i int) (int, error) {
	if i < len(d.Kids) {
		if r := d.Kids[i].Def(); r != nil && r.IsSubClassOf("SubRegIndex") {
			if s, ok := b.g.info.SubRegIndexByName(r.Name); ok {
				return int(s), nil
			}
		}
	}
	return 0, fmt.Errorf("%s takes a sub-register index as operand %d", d.Op.Name, i+1)
}

func (b *builder) insertSubreg(d *dagpattern.Node, o out, class desc.ClassID) (out, error) {
	sub, err := b.subArg(d, 2)
	if err != nil {
		return o, err
	}
	if class == desc.NoClass {
		class = b.g.classOfType(d.Type(0))
	}
	if class != desc.NoClass {
		// Not every register of a class need have the sub-register: RIP has no byte.
		if c := b.g.info.SubClassWithSubReg(class, desc.SubRegIdx(sub)); c != desc.NoClass {
			class = c
		}
	}
	base, err := b.value(d.Kids[0], class)
	if err != nil {
		return o, err
	}
	val, err := b.value(d.Kids[1], desc.NoClass)
	if err != nil {
		return o, err
	}
	return b.insert(o, class, append(base, val...), sub)
}

// insert emits an INSERT_SUBREG of operands that are made already.
func (b *builder) insert(o out, class desc.ClassID, operands []byte, sub int) (out, error) {
	o, body, err := b.dest(o, class)
	if err != nil {
		return o, err
	}
	b.constrain(o, class)
	body = append(body, operands...)
	body = append(body, matchasm.EncodeInt(int64(sub), code.AddImm)...)
	b.ins = append(b.ins, instr{op: desc.INSERT_SUBREG, body: body})
	return o, nil
}

// regSequence inserts the parts one after the other.
func (b *builder) regSequence(d *dagpattern.Node, o out) (out, error) {
	class, err := b.classArg(d, 0)
	if err != nil {
		return o, err
	}
	base, body, err := b.dest(temporary, class)
	if err != nil {
		return o, err
	}
	b.ins = append(b.ins, instr{op: desc.IMPLICIT_DEF, body: body})
	for i := 1; i+1 < len(d.Kids); i += 2 {
		val, err := b.value(d.Kids[i], desc.NoClass)
		if err != nil {
			return o, err
		}
		sub, err := b.subArg(d, i+1)
		if err != nil {
			return o, err
		}
		to := temporary
		if i+3 >= len(d.Kids) {
			to = o
		}
		if base, err = b.insert(to, class, append(useOf(base, 0), val...), sub); err != nil {
			return o, err
		}
	}
	return base, nil
}

func (b *builder) subregToReg(d *dagpattern.Node, o out, class desc.ClassID) (out, error) {
	sub, err := b.subArg(d, 2)
	if err != nil {
		return o, err
	}
	if class == desc.NoClass {
		class = b.g.classOfType(d.Type(0))
	}
	val, err := b.value(d.Kids[1], desc.NoClass)
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

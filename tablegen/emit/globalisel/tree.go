package globalisel

import (
	"fmt"

	"github.com/mirin-go/mirin/desc"
)

// A source pattern becomes trees: fragments are expanded (a fragment with
// several alternatives, a commutative operator and an address operand at the
// root multiply the pattern), and each value gets a type.

// kind says what a tree node is.
type kind uint8

const (
	kNode    kind = iota // an operator: matched by opcode
	kReg                 // any register: of a class, or of a type
	kImm                 // a constant
	kLit                 // a certain constant
	kTImm                // an immediate operand
	kTLit                // a certain immediate operand
	kFP                  // a floating-point constant
	kComplex             // a complex pattern
	kCond                // a comparison predicate, of a map or a certain one
	kBlock               // a basic block operand
	kJT                  // a jump table operand
	kAny                 // an operand of any kind
)

// tree is a node of a source pattern.
type tree struct {
	kind kind
	node *node        // kNode
	args []*tree      // kNode
	name string       // operand name
	ty   *cell        // type of the value, nil when it has none
	rc   desc.ClassID // kReg: class, NoClass for none
	def  *Def         // kImm, kFP, kComplex, kCond: the record
	lit  int64        // kLit, kTLit
	pos  Pos

	hooks []string // predicates of fragments around this node
	insn  int      // kNode: number of the matched instruction
}

// node is an SDNode record.
type node struct {
	def     *Def
	opcodes []desc.Opcode
	outs    []string
	ins     []string
	opIndex []int  // operand index of each of ins
	ptr     string // the type "ptr"
	intrin  string
	commut  bool
	anyBank bool
	load    bool
	// variadic: the number of operands must be tested.
	variadic bool
	// memory conditions: bits (-1 none, 0 as wide as the value), mask of orderings (0 none), address space (-1 any).
	memBits, memSpace int64
	memOrder          int64
	// outTypes are the types of all results where they are known; nil: only
	// the first is tested.
	outTypes []string
	// noUse, oneUse: the first result has no use, one.
	noUse, oneUse bool
}

// cell is a type variable; parent makes classes of equal ones.
type cell struct {
	parent *cell
	ty     string // "" unknown
}

func (c *cell) find() *cell {
	for c.parent != nil {
		c = c.parent
	}
	return c
}

// unify makes two types equal.
func unify(a, b *cell) error {
	a, b = a.find(), b.find()
	if a == b {
		return nil
	}
	if a.ty != "" && b.ty != "" && a.ty != b.ty {
		return fmt.Errorf("type %s does not fit %s", a.ty, b.ty)
	}
	if a.ty == "" {
		a.ty = b.ty
	}
	b.parent = a
	return nil
}

// ptrType is the integer type of pointers.
func (g *Generator) ptrType() string {
	if g.PointerBits == 0 {
		return "i64"
	}
	return fmt.Sprintf("i%d", g.PointerBits)
}

// typeIndex numbers a type name of the prelude in the table. Integers and
// floats of one size are one type.
func (g *Generator) typeIndex(ty string) (int, error) {
	if ty == "iPTR" || ty == "ptr" {
		ty = g.ptrType()
	}
	for _, form := range []string{"v%di%d", "v%df%d"} {
		var n, b int
		if _, err := fmt.Sscanf(ty, form, &n, &b); err == nil {
			return g.asm.Type(fmt.Sprintf("v%di%d", n, b)), nil
		}
	}
	for _, form := range []string{"i%d", "f%d"} {
		var b int
		if _, err := fmt.Sscanf(ty, form, &b); err == nil {
			return g.asm.Type(fmt.Sprintf("i%d", b)), nil
		}
	}
	return 0, fmt.Errorf("type %s is not known", ty)
}

// parser turns the dags of one pattern into trees.
type parser struct {
	g    *Generator
	pos  Pos
	args map[string]Value // of the fragment being expanded
	env  *parser          // where the fragment was used
}

// alternatives of a value: fragments multiply.
func (p *parser) parse(v Value, name string) ([]*tree, error) {
	switch v := v.(type) {
	case int64:
		return []*tree{{kind: kLit, lit: v, ty: &cell{}, name: name, pos: p.pos}}, nil
	case *Def:
		return p.leaf(v, name)
	case *Dag:
		return p.dag(v, name)
	case nil:
		return nil, fmt.Errorf("operand $%s has no type: write a class or a type before it", name)
	}
	return nil, fmt.Errorf("%v is no part of a pattern", v)
}

func (p *parser) leaf(d *Def, name string) ([]*tree, error) {
	t := &tree{name: name, def: d, rc: desc.NoClass, pos: p.pos, ty: &cell{}}
	switch {
	case d.Name == "node":
		if p.args == nil || name == "" {
			return nil, fmt.Errorf("node:$%s outside of a fragment", name)
		}
		v, ok := p.args[name]
		if !ok {
			return nil, fmt.Errorf("$%s is no operand of the fragment", name)
		}
		b := v.(*bound)
		return b.p.parse(b.v, b.name)
	case d.Is("RegisterClass"):
		c, ok := p.g.class(d.Name)
		if !ok {
			return nil, fmt.Errorf("register class %s is not known", d.Name)
		}
		t.kind, t.rc = kReg, c
		if tys := p.g.Facts.ClassTypes(c, p.g.Facts.DefaultMode); len(tys) == 1 {
			t.ty.ty = tys[0].String()
		}
	case d.Is("ValueType"):
		t.kind, t.ty.ty = kReg, d.Name
	case d.Is("ImmOperand"):
		t.kind = kImm
		if d.Int("Literal", 0) != 0 {
			t.kind, t.ty = kTImm, nil
		} else if ty, ok := d.Fields["Type"].(*Def); ok && ty.Name != "untyped" {
			t.ty.ty = ty.Name
		}
	case d.Is("FPImmOperand"):
		t.kind = kFP
		if ty, ok := d.Fields["Type"].(*Def); ok && ty.Name != "untyped" {
			t.ty.ty = ty.Name
		}
	case d.Is("ComplexPattern"):
		t.kind = kComplex
		if ty, ok := d.Fields["Type"].(*Def); ok {
			t.ty.ty = ty.Name
		}
	case d.Is("CondCode"), d.Is("CondMap"):
		t.kind, t.ty = kCond, nil
	case d.Name == "bb":
		t.kind, t.ty = kBlock, nil
	case d.Name == "jtable":
		t.kind, t.ty = kJT, nil
	case d.Name == "operand":
		t.kind, t.ty = kAny, nil
	case d.Is("SDNode"):
		return p.dag(&Dag{Op: d}, name)
	default:
		return nil, fmt.Errorf("%s is no leaf of a pattern", d.Name)
	}
	return []*tree{t}, nil
}

// bound is an argument of a fragment with where it was written.
type bound struct {
	p    *parser
	v    Value
	name string
}

func (p *parser) dag(d *Dag, name string) ([]*tree, error) {
	switch op := d.Op; {
	case op.Is("ValueType"):
		return p.cast(d, name)
	case op.Is("PatFrags"):
		return p.fragment(d)
	case op.Is("ComplexPattern"), op.Is("RegisterClass"):
		return p.leaf(op, name)
	case op.Is("SDNode"):
		return p.node(d, name)
	default:
		return nil, fmt.Errorf("operator %s is not known in patterns", op.Name)
	}
}

// cast is (i32 x): x has that type.
func (p *parser) cast(d *Dag, name string) ([]*tree, error) {
	if len(d.Args) != 1 {
		return nil, fmt.Errorf("(%s …) takes one operand", d.Op.Name)
	}
	if name == "" {
		name = d.Names[0]
	}
	ts, err := p.parse(d.Args[0], name)
	if err != nil {
		return nil, err
	}
	for _, t := range ts {
		if t.kind == kReg {
			// (i1 GR8:$x): the class holds the value whatever its type.
			t.ty = &cell{}
		}
		if t.ty == nil {
			return nil, fmt.Errorf("(%s …) around an operand that has no type", d.Op.Name)
		}
		if err := unify(t.ty, &cell{ty: d.Op.Name}); err != nil {
			return nil, err
		}
	}
	return ts, nil
}

func (p *parser) fragment(d *Dag) ([]*tree, error) {
	ops := d.Op.Dag("Operands")
	n := 0
	if ops != nil {
		n = len(ops.Args)
	}
	if len(d.Args) != n {
		return nil, fmt.Errorf("fragment %s takes %d operands, not %d", d.Op.Name, n, len(d.Args))
	}
	sub := &parser{g: p.g, pos: p.pos, args: map[string]Value{}, env: p}
	for i := range d.Args {
		sub.args[ops.Names[i]] = &bound{p, d.Args[i], d.Names[i]}
	}
	var out []*tree
	for _, f := range d.Op.List("Fragments") {
		ts, err := sub.parse(f, "")
		if err != nil {
			return nil, fmt.Errorf("in fragment %s: %w", d.Op.Name, err)
		}
		for _, t := range ts {
			if h := d.Op.Str("Hook"); h != "" {
				if t.kind != kNode {
					return nil, fmt.Errorf("fragment %s has a predicate but is no operator", d.Op.Name)
				}
				t.hooks = append(t.hooks, h)
			}
			out = append(out, t)
		}
	}
	return out, nil
}

func (p *parser) node(d *Dag, name string) ([]*tree, error) {
	n, err := p.g.node(d.Op)
	if err != nil {
		return nil, err
	}
	if len(d.Args) != len(n.ins) {
		return nil, fmt.Errorf("%s takes %d operands, not %d", d.Op.Name, len(n.ins), len(d.Args))
	}
	alts := make([][]*tree, len(d.Args))
	for i := range d.Args {
		ts, err := p.operand(d.Args[i], d.Names[i], n.ins[i])
		if err != nil {
			return nil, err
		}
		alts[i] = ts
	}
	orders := [][]int{nil}
	if n.commut && len(alts) >= 2 && (alts[0][0].kind != kReg || alts[1][0].kind != kReg) {
		orders = append(orders, []int{1, 0})
	}
	var out []*tree
	for _, order := range orders {
		pick := make([]int, len(alts))
		for {
			t := &tree{kind: kNode, node: n, name: name, pos: p.pos, rc: desc.NoClass}
			for i := range alts {
				src := i
				if order != nil && i < 2 {
					src = order[i]
				}
				t.args = append(t.args, clone(alts[src][pick[src]]))
			}
			if err := t.typeNode(); err != nil {
				return nil, fmt.Errorf("%s: %w", d.Op.Name, err)
			}
			out = append(out, t)
			if len(out) > 4096 {
				return nil, fmt.Errorf("more than 4096 alternatives")
			}
			k := len(pick) - 1
			for ; k >= 0; k-- {
				if pick[k]++; pick[k] < len(alts[k]) {
					break
				}
				pick[k] = 0
			}
			if k < 0 {
				break
			}
		}
	}
	return out, nil
}

// operand parses argument of a node that its signature calls what.
func (p *parser) operand(v Value, name, what string) ([]*tree, error) {
	if lit, ok := v.(int64); ok && what == "timm" {
		return []*tree{{kind: kTLit, lit: lit, name: name, pos: p.pos}}, nil
	}
	ts, err := p.parse(v, name)
	if err != nil {
		return nil, err
	}
	for _, t := range ts {
		ok := true
		switch what {
		case "cc":
			ok = t.kind == kCond
		case "bb":
			ok = t.kind == kBlock
		case "jt":
			ok = t.kind == kJT
		case "timm":
			if t.kind == kImm {
				t.kind, t.ty = kTImm, nil
			}
			ok = t.kind == kTImm
		case "any":
		default:
			ok = t.ty != nil
		}
		if !ok {
			return nil, fmt.Errorf("operand $%s cannot stand where %s is expected", name, what)
		}
	}
	return ts, nil
}

// typeNode connects the types of a node's result and operands.
func (t *tree) typeNode() error {
	vars := map[string]*cell{}
	get := func(s string) *cell {
		if c := vars[s]; c != nil {
			return c
		}
		c := &cell{}
		if s[0] >= 'a' && s[0] <= 'z' {
			c.ty = s
			if s == "ptr" {
				c.ty = t.node.ptr
			}
		}
		vars[s] = c
		return c
	}
	if len(t.node.outs) > 0 {
		t.ty = get(t.node.outs[0])
	}
	for i, a := range t.args {
		if a.ty == nil {
			continue
		}
		if err := unify(get(t.node.ins[i]), a.ty); err != nil {
			return err
		}
	}
	return nil
}

// clone copies a tree; types that are equal stay equal among themselves because
// types are connected again from the leaves up.
func clone(t *tree) *tree {
	n := *t
	if t.ty != nil {
		n.ty = &cell{ty: t.ty.find().ty}
	}
	n.args = nil
	for _, a := range t.args {
		n.args = append(n.args, clone(a))
	}
	if n.kind == kNode {
		want := ""
		if n.ty != nil {
			want = n.ty.ty
		}
		// Errors were found when the original was made.
		_ = n.typeNode()
		if want != "" && n.ty != nil {
			_ = unify(n.ty, &cell{ty: want})
		}
	}
	return &n
}

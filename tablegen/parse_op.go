package tablegen

// arity says how an operator is called in messages and how many operands it
// may have.
type opShape struct {
	word     string
	min, max int
}

func shapeOf(op Op) opShape {
	switch op {
	case OpCast, OpHead, OpTail, OpSize, OpEmpty, OpNot, OpLogTwo, OpToLower, OpToUpper, OpRepr, OpListFlatten,
		OpInitialized, OpGetDagOp, OpGetDagOpName:
		return opShape{"unary", 1, 1}
	case OpSub, OpDiv, OpShl, OpSra, OpSrl, OpEq, OpNe, OpLt, OpLe, OpGt, OpGe, OpListSplat, OpListRemove,
		OpInterleave, OpMatch, OpGetDagArg, OpGetDagName, OpSetDagOp, OpSetDagOpName:
		return opShape{"binary", 2, 2}
	case OpAdd, OpMul, OpAnd, OpOr, OpXor, OpCon, OpStrConcat, OpListConcat:
		return opShape{"binary", 2, 1 << 30}
	}
	return opShape{"ternary", 3, 3}
}

// operation reads a bang operator with its operands.
func (p *parser) operation(cur *Record, t *Type) Init {
	op, loc := p.tok.op, p.loc()
	p.next()
	switch op {
	case OpIsa, OpExists, OpInstances:
		return p.typeQuery(op, cur)
	case OpCond:
		return p.cond(cur, t)
	case OpFoldl:
		return p.foldl(cur)
	case OpForeach, OpFilter:
		return p.foreachOp(op, cur, t)
	case OpRange:
		return p.rangeOp(cur)
	case OpSubstr, OpFind:
		return p.substrOp(op, cur)
	case OpIf, OpDag, OpSubst, OpSetDagArg, OpSetDagName:
		return p.ternary(op, cur, t)
	}
	shape := shapeOf(op)
	var arg *Type
	if op == OpCast || op == OpGetDagArg || op == OpGetDagOp && p.tok.kind == tokLess {
		arg = p.operatorType()
		if p.ev.failed {
			return nil
		}
		if op == OpGetDagOp && arg.Kind != RecordType {
			p.fail("type for !getdagop must be a record type")
			return nil
		}
	}
	if !p.expect(tokLParen, "expected '(' after "+shape.word+" operator") {
		return nil
	}
	if shape.max == 1 {
		return p.unary(op, cur, arg)
	}
	return p.binary(op, cur, t, arg, shape, loc)
}

// operatorType reads <type>.
func (p *parser) operatorType() *Type {
	if !p.expect(tokLess, "expected type name for operator") {
		return nil
	}
	if p.tok.kind == tokCodeWord {
		p.ev.softError(p.loc(), "the 'code' type is not allowed in bang operators; use 'string'")
	}
	t := p.typ()
	p.expect(tokGreater, "expected type name for operator")
	return t
}

func (p *parser) unary(op Op, cur *Record, arg *Type) Init {
	var want *Type
	switch op {
	case OpGetDagOp, OpGetDagOpName:
		want = typeDag
	}
	v := p.value(cur, want, false)
	if p.ev.failed {
		return nil
	}
	vt := v.Type()
	is := func(k ...TypeKind) bool {
		for _, x := range k {
			if vt != nil && vt.Kind == x {
				return true
			}
		}
		return false
	}
	t := typeInt
	switch op {
	case OpCast:
		t = arg
	case OpToLower, OpToUpper:
		t = typeString
		if !is(StringType) {
			p.fail("expected string type argument in unary operator")
		}
	case OpNot, OpLogTwo:
		if !is(IntType, BitType, BitsType) {
			p.fail("expected int type argument in unary operator")
		}
	case OpSize, OpEmpty:
		if !is(ListType, StringType, DagType) {
			p.fail("expected string, list, or dag type argument in unary operator")
		}
	case OpHead, OpTail, OpListFlatten:
		if !is(ListType) {
			p.fail("expected list type argument in unary operator")
			return nil
		}
		if l, ok := v.(*ListInit); ok && len(l.Elems) == 0 && op != OpListFlatten {
			p.fail("empty list argument in unary operator")
			return nil
		}
		switch {
		case op == OpTail:
			t = vt
		case op == OpHead:
			t = vt.Elem
		case vt.Elem.Kind == ListType:
			t = vt.Elem
		default:
			t = vt
		}
	case OpRepr:
		t = typeString
	case OpInitialized:
	case OpGetDagOp, OpGetDagOpName:
		if !is(DagType) {
			p.fail("expected dag type argument in unary operator")
			return nil
		}
		t = typeString
		if op == OpGetDagOp {
			t = typeAnyRecord
			if arg != nil {
				t = arg
			}
		}
	}
	if !p.expect(tokRParen, "expected ')' in unary operator") {
		return nil
	}
	return p.fold(op, cur, t, v)
}

// operandType returns the type that operand i of a binary operator must have,
// nil where any or a type to be checked otherwise.
func operandType(op Op, i int) *Type {
	switch op {
	case OpAdd, OpSub, OpMul, OpDiv, OpAnd, OpOr, OpXor, OpShl, OpSra, OpSrl:
		return typeInt
	case OpStrConcat, OpMatch:
		return typeString
	case OpCon:
		return typeDag
	case OpGetDagArg, OpGetDagName, OpSetDagOp, OpSetDagOpName:
		switch {
		case i == 0:
			return typeDag
		case op == OpSetDagOp:
			return typeAnyRecord
		case op == OpSetDagOpName:
			return typeString
		case op == OpGetDagName:
			return typeInt
		}
	}
	return nil
}

func (p *parser) binary(op Op, cur *Record, item, arg *Type, shape opShape, loc Loc) Init {
	var args []Init
	var first *Type
	if op == OpListConcat || op == OpListRemove {
		first = item
		if item != nil && item.Kind != ListType {
			p.failAt(loc, "expected value of type '"+item.String()+"', got a list")
			return nil
		}
	}
	for {
		at := p.loc()
		i := len(args)
		want := operandType(op, i)
		hint := want
		if hint == nil {
			hint = first
		}
		if op == OpListSplat && i == 0 && item != nil && item.Kind == ListType {
			hint = item.Elem
		}
		if op == OpInterleave || op == OpListSplat && i > 0 || op == OpGetDagArg && i == 1 {
			hint = nil
		}
		v := p.value(cur, hint, false)
		if p.ev.failed {
			return nil
		}
		vt := v.Type()
		if vt == nil {
			p.failAt(loc, "expected value to be a typed value, got '"+v.String()+"'")
			return nil
		}
		if msg := p.operandError(op, i, v, vt, want, &first); msg != "" {
			p.failAt(at, msg)
			return nil
		}
		args = append(args, v)
		if !p.accept(tokComma) {
			break
		}
	}
	if !p.expect(tokRParen, "expected ')' in operator") {
		return nil
	}
	if len(args) == 1 && shape.max > 2 && op != OpCon {
		// One operand stands for itself, with the neutral element.
		if n := neutral(op); n != nil {
			args = append(args, n)
		} else if op == OpListConcat || op == OpStrConcat {
			return args[0]
		}
	}
	if len(args) < shape.min && op != OpCon || len(args) > shape.max || len(args) == 0 {
		p.failAt(loc, "expected two operands to operator")
		return nil
	}
	t := binaryType(op, first, args)
	if op == OpGetDagArg {
		t = arg
	}
	if item != nil && op == OpListSplat {
		if item.Kind != ListType {
			p.failAt(loc, "expected output type to be a list, got type '"+item.String()+"'")
			return nil
		}
		t = item
	}
	if len(args) == 1 {
		return args[0]
	}
	// More than two operands nest to the right.
	for len(args) > 2 {
		n := len(args)
		args = append(args[:n-2], p.fold(op, cur, t, args[n-2], args[n-1]))
	}
	return p.fold(op, cur, t, args...)
}

func neutral(op Op) Init {
	switch op {
	case OpAdd, OpOr, OpXor:
		return NewInt(0)
	case OpMul:
		return NewInt(1)
	case OpAnd:
		return NewInt(-1)
	}
	return nil
}

// operandError checks operand i; first collects the common type of operands
// that must agree.
func (p *parser) operandError(op Op, i int, v Init, vt, want *Type, first **Type) string {
	if want != nil {
		if !vt.convertibleTo(want) {
			return "expected value of type '" + want.String() + "', got '" + vt.String() + "'"
		}
		return ""
	}
	switch op {
	case OpGetDagArg:
		if vt.Kind != IntType && vt.Kind != StringType && !vt.convertibleTo(typeInt) {
			return "expected integer index or string name, got type '" + vt.String() + "'"
		}
		return ""
	case OpListSplat:
		if i == 1 && !vt.convertibleTo(typeInt) {
			return "expected second parameter to be an int, got value of type '" + vt.String() + "'"
		}
		return ""
	case OpInterleave:
		switch {
		case i == 0 && (vt.Kind != ListType || vt.Elem.Kind != StringType && !vt.Elem.convertibleTo(typeInt)):
			return "expected list of string, int, bits, or bit; got value of type '" + vt.String() + "'"
		case i == 1 && vt.Kind != StringType:
			return "expected second argument to be a string, got value of type '" + vt.String() + "'"
		}
		return ""
	}
	if *first != nil {
		c := commonType(*first, vt)
		if c == nil {
			return "expected value of type '" + (*first).String() + "', got '" + vt.String() + "'"
		}
		*first = c
		return ""
	}
	switch op {
	case OpListConcat, OpListRemove:
		if vt.Kind != ListType {
			return "expected a list, got value of type '" + vt.String() + "'"
		}
	case OpEq, OpNe:
		if !vt.convertibleTo(typeInt) && vt.Kind != StringType && vt.Kind != RecordType {
			return "expected bit, bits, int, string, or record; got value of type '" + vt.String() + "'"
		}
	case OpLt, OpLe, OpGt, OpGe:
		if !vt.convertibleTo(typeInt) && vt.Kind != StringType {
			return "expected bit, bits, int, or string; got value of type '" + vt.String() + "'"
		}
	}
	*first = vt
	return ""
}

func binaryType(op Op, first *Type, args []Init) *Type {
	switch op {
	case OpEq, OpNe, OpLt, OpLe, OpGt, OpGe, OpMatch:
		return typeBit
	case OpCon, OpSetDagOp, OpSetDagOpName:
		return typeDag
	case OpStrConcat, OpInterleave, OpGetDagName:
		return typeString
	case OpListConcat, OpListRemove:
		return first
	case OpListSplat:
		return listOf(args[0].Type())
	}
	return typeInt
}

// typeQuery reads !isa, !exists and !instances.
func (p *parser) typeQuery(op Op, cur *Record) Init {
	t := p.operatorType()
	if p.ev.failed {
		return nil
	}
	if op == OpInstances && t.Kind != RecordType {
		p.fail("type for !instances must be a record type")
		return nil
	}
	if !p.expect(tokLParen, "expected '(' after type of "+op.String()) {
		return nil
	}
	at := p.loc()
	var v Init
	if op == OpInstances && p.tok.kind == tokRParen {
		v = NewString(".*")
	} else {
		v = p.value(cur, nil, false)
	}
	if p.ev.failed {
		return nil
	}
	vt := v.Type()
	if op != OpIsa && (vt == nil || vt.Kind != StringType) {
		msg := "expected string type argument in " + op.String() + " operator"
		if vt != nil && vt.Kind == RecordType && op == OpExists {
			msg += ", please use !isa instead"
		}
		p.failAt(at, msg)
		return nil
	}
	if vt == nil {
		p.fail("expected a typed value in !isa operator")
		return nil
	}
	if !p.expect(tokRParen, "expected ')' in "+op.String()) {
		return nil
	}
	rt := typeInt
	if op == OpInstances {
		rt = listOf(t)
	}
	return p.ev.fold(newOp(op, []Init{v}, rt, t), cur, false)
}

func (p *parser) cond(cur *Record, item *Type) Init {
	if !p.expect(tokLParen, "expected '(' after !cond operator") {
		return nil
	}
	var args []Init
	for p.tok.kind != tokRParen && !p.ev.failed {
		c := p.value(cur, nil, false)
		if !p.expect(tokColon, "expected ':'  following a condition in !cond operator") {
			return nil
		}
		args = append(args, c, p.value(cur, item, false))
		if p.tok.kind == tokRParen {
			break
		}
		if !p.expect(tokComma, "expected ',' or ')' following a value in !cond operator") {
			return nil
		}
	}
	if len(args) == 0 {
		p.fail("there should be at least 1 'condition : value' in the !cond operator")
		return nil
	}
	p.next()
	var t *Type
	for i := 1; i < len(args); i += 2 {
		vt := args[i].Type()
		switch {
		case vt == nil:
		case t == nil:
			t = vt
		default:
			u := commonType(t, vt)
			if u == nil {
				p.fail("inconsistent types '" + t.String() + "' and '" + vt.String() + "' for !cond")
				return nil
			}
			t = u
		}
	}
	if t == nil {
		p.fail("could not determine type for !cond from its arguments")
		return nil
	}
	return p.fold(OpCond, cur, t, args...)
}

func (p *parser) foldl(cur *Record) Init {
	if !p.expect(tokLParen, "expected '(' after !foldl") {
		return nil
	}
	start := p.value(cur, nil, false)
	if p.ev.failed {
		return nil
	}
	st := start.Type()
	if st == nil {
		p.fail("could not get type of !foldl start")
		return nil
	}
	if !p.expect(tokComma, "expected ',' in !foldl") {
		return nil
	}
	list := p.value(cur, nil, false)
	if p.ev.failed {
		return nil
	}
	lt := list.Type()
	if lt == nil {
		p.fail("could not get type of !foldl list")
		return nil
	}
	if lt.Kind != ListType {
		p.fail("!foldl list must be a list, but is of type '" + lt.String())
		return nil
	}
	s := p.push(scope{})
	defer p.pop(s)
	p.expect(tokComma, "expected ',' in !foldl")
	a := p.loopVar("third argument of !foldl must be an identifier", st, cur)
	p.expect(tokComma, "expected ',' in !foldl")
	b := p.loopVar("fourth argument of !foldl must be an identifier", lt.Elem, cur)
	p.expect(tokComma, "expected ',' in !foldl")
	if p.ev.failed {
		return nil
	}
	body := p.value(cur, nil, false)
	if p.ev.failed {
		return nil
	}
	bt := body.Type()
	if bt == nil {
		p.fail("could not get type of !foldl expression")
		return nil
	}
	if !sameType(bt, st) {
		p.fail("!foldl expression must be of same type as start (" + st.String() + "), but is of type " + bt.String())
		return nil
	}
	if !p.expect(tokRParen, "expected ')' in fold operator") {
		return nil
	}
	return p.fold(OpFoldl, cur, st, start, list, a, b, body)
}

// loopVar reads the name of a variable and defines it in the scope.
func (p *parser) loopVar(msg string, t *Type, cur *Record) Init {
	if p.ev.failed {
		return unset
	}
	if p.tok.kind != tokID {
		p.fail(msg)
		return unset
	}
	name := p.tok.text
	if cur != nil && cur.field(name) != nil {
		p.fail(msg[:0] + "iteration variable '" + name + "' already defined")
		return unset
	}
	v := &VarInit{name, t}
	p.setVar(name, v)
	p.next()
	return v
}

func (p *parser) foreachOp(op Op, cur *Record, item *Type) Init {
	if !p.expect(tokLParen, "expected '(' after "+op.String()) {
		return nil
	}
	if p.tok.kind != tokID {
		p.fail("first argument of !foreach/!filter must be an identifier")
		return nil
	}
	name := p.tok.text
	if cur != nil && cur.field(name) != nil {
		p.fail("iteration variable '" + name + "' is already defined")
		return nil
	}
	p.next()
	if !p.expect(tokComma, "expected ',' in "+op.String()) {
		return nil
	}
	seq := p.value(cur, nil, false)
	if p.ev.failed {
		return nil
	}
	if !p.expect(tokComma, "expected ',' in "+op.String()) {
		return nil
	}
	in := seq.Type()
	if in == nil {
		p.fail("could not get type of " + op.String() + " list or dag")
		return nil
	}
	var elem, want *Type
	switch {
	case in.Kind == ListType:
		elem = in.Elem
		if item != nil {
			if item.Kind != ListType {
				p.fail("expected value of type '" + item.String() + "', but got list type")
				return nil
			}
			want = item.Elem
		}
		if op == OpFilter {
			want = nil
		}
	case in.Kind == DagType && op == OpForeach:
		elem = in
	case op == OpForeach:
		p.fail("!foreach must have list or dag input")
		return nil
	default:
		p.fail("!filter must have a list argument")
		return nil
	}
	v := &VarInit{name, elem}
	s := p.push(scope{vars: map[string]Init{name: v}})
	body := p.value(cur, want, false)
	p.pop(s)
	if p.ev.failed {
		return nil
	}
	out := in
	if op == OpForeach && in.Kind == ListType {
		bt := body.Type()
		if bt == nil {
			p.fail("could not get type of !foreach result expression")
			return nil
		}
		out = listOf(bt)
	}
	if !p.expect(tokRParen, "expected ')' in "+op.String()) {
		return nil
	}
	return p.fold(op, cur, out, v, seq, body)
}

func (p *parser) rangeOp(cur *Record) Init {
	loc := p.loc()
	if !p.expect(tokLParen, "expected '(' after !range operator") {
		return nil
	}
	var args []Init
	for !p.ev.failed {
		at := p.loc()
		v := p.value(cur, nil, false)
		if p.ev.failed {
			return nil
		}
		t := v.Type()
		switch {
		case t == nil:
			p.failAt(loc, "expected value to be a typed value, got '"+v.String()+"'")
		case len(args) == 0 && t.Kind == ListType:
		case !t.convertibleTo(typeInt):
			p.failAt(at, "expected list or int, got value of type '"+t.String()+"'")
		case len(args) > 0 && args[0].Type().Kind == ListType:
			p.failAt(at, "expected one list, got extra value: "+v.String())
		case len(args) == 3:
			p.failAt(at, "expected at most three values of integer")
		}
		args = append(args, v)
		if !p.accept(tokComma) {
			break
		}
	}
	if !p.expect(tokRParen, "expected ')' in operator") {
		return nil
	}
	start, end, step := Init(NewInt(0)), args[0], Init(NewInt(1))
	switch {
	case args[0].Type().Kind == ListType:
		end = p.fold(OpSize, cur, typeInt, args[0])
	case len(args) > 1:
		start, end = args[0], args[1]
		if len(args) > 2 {
			step = args[2]
		}
	}
	return p.fold(OpRange, cur, typeListInt, start, end, step)
}

func (p *parser) substrOp(op Op, cur *Record) Init {
	name := op.String()
	if !p.expect(tokLParen, "expected '(' after "+name+" operator") {
		return nil
	}
	var args []Init
	for i := 0; i < 3 && !p.ev.failed; i++ {
		if i > 0 {
			if i == 2 && p.tok.kind == tokRParen {
				break
			}
			if !p.expect(tokComma, "expected ',' in "+name+" operator") {
				return nil
			}
		}
		at := p.loc()
		v := p.value(cur, nil, false)
		if p.ev.failed {
			return nil
		}
		isText := i == 0 || i == 1 && op == OpFind
		t := v.Type()
		switch {
		case t == nil:
			p.failAt(at, "could not determine type of the operand in "+name)
		case isText && t.Kind != StringType:
			p.failAt(at, "expected string, got type '"+t.String()+"'")
		case !isText && !t.convertibleTo(typeInt):
			p.failAt(at, "expected int, got type '"+t.String()+"'")
		}
		args = append(args, v)
	}
	if !p.expect(tokRParen, "expected ')' in "+name+" operator") {
		return nil
	}
	t := typeString
	last := NewInt(1<<63 - 1)
	if op == OpFind {
		t, last = typeInt, NewInt(0)
	}
	if len(args) == 2 {
		args = append(args, last)
	}
	return p.fold(op, cur, t, args...)
}

func (p *parser) ternary(op Op, cur *Record, item *Type) Init {
	if !p.expect(tokLParen, "expected '(' after ternary operator") {
		return nil
	}
	var args [3]Init
	var locs [3]Loc
	for i := range args {
		if i > 0 && !p.expect(tokComma, "expected ',' in ternary operator") {
			return nil
		}
		var want *Type
		switch {
		case op == OpIf && i > 0:
			want = item
		case op == OpDag && i == 2:
			want = typeListString
		}
		locs[i] = p.loc()
		args[i] = p.value(cur, want, false)
		if p.ev.failed {
			return nil
		}
	}
	if !p.expect(tokRParen, "expected ')' in ternary operator") {
		return nil
	}
	t := p.ternaryType(op, args, locs)
	if p.ev.failed {
		return nil
	}
	return p.fold(op, cur, t, args[:]...)
}

// ternaryType checks the operands and returns the type of the result.
func (p *parser) ternaryType(op Op, args [3]Init, locs [3]Loc) *Type {
	t0, t1, t2 := args[0].Type(), args[1].Type(), args[2].Type()
	switch op {
	case OpIf:
		if t1 == nil {
			t1 = t2
		}
		if t2 == nil {
			t2 = t1
		}
		if t1 == nil {
			p.fail("could not get type for !if")
			return nil
		}
		t := commonType(t1, t2)
		if t == nil {
			p.fail("inconsistent types '" + t1.String() + "' and '" + t2.String() + "' for !if")
		}
		return t
	case OpDag:
		if t1 != nil && t1.Kind != ListType || t1 == nil && args[1] != Init(unset) {
			p.fail("could not determine type of the child list in !dag")
		}
		if t2 != nil && (t2.Kind != ListType || t2.Elem.Kind != StringType) {
			p.fail("could not determine type of the name list in !dag")
		}
		if t1 == nil && t2 == nil {
			p.fail("cannot have both unset children and unset names in !dag")
		}
		return typeDag
	case OpSubst:
		if t2 == nil {
			p.fail("could not get type for !subst")
		}
		return t2
	}
	switch {
	case t0 == nil || t0.Kind != DagType:
		p.fail("first argument of " + op.String() + " must be a dag")
	case t1 == nil:
		p.failAt(locs[1], "expected integer index or string name, got '?'")
	case t1.Kind != StringType && !t1.convertibleTo(typeInt):
		p.failAt(locs[1], "expected integer index or string name, got type '"+t1.String()+"'")
	case op == OpSetDagName && t2 != nil && t2.Kind != StringType:
		p.fail("third argument of !setdagname must be a string")
	}
	return typeDag
}

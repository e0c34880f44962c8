package tablegen

import "strings"

// value reads an expression. t is the type that the context wants, which only
// gives lists their type, and may be nil. In name mode unknown identifiers are
// words, globals are not looked at, and "{" begins a body.
func (p *parser) value(cur *Record, t *Type, nameMode bool) Init {
	if !p.enterNested() {
		p.nesting--
		return unset
	}
	v := p.suffixed(cur, t, nameMode)
	p.nesting--
	if v == nil || p.ev.failed {
		return unset
	}
	return v
}

func (p *parser) suffixed(cur *Record, t *Type, nameMode bool) Init {
	at := p.loc()
	v := p.simple(cur, t, nameMode)
	for !p.ev.failed {
		switch p.tok.kind {
		case tokLBrace:
			if nameMode {
				return v
			}
			loc := p.loc()
			p.next()
			nums := reversed(p.rangeList())
			if p.ev.failed {
				return nil
			}
			if v = bitRange(v, nums); v == nil {
				p.failAt(loc, "Invalid bit range for value")
				return nil
			}
			p.expect(tokRBrace, "expected '}' at end of bit range list")
		case tokLSquare:
			v = p.slice(cur, v, at)
		case tokDot:
			v = p.fieldAccess(cur, v)
		case tokPaste:
			v = p.paste(cur, t, v)
		default:
			return v
		}
	}
	return nil
}

// slice reads list[i] or list[i, j...k].
func (p *parser) slice(cur *Record, v Init, at Loc) Init {
	t := v.Type()
	if t == nil {
		p.failAt(at, "Invalid value, list expected")
		return nil
	}
	if t.Kind != ListType {
		p.failAt(at, "Type '"+t.String()+"' is invalid, list expected")
		return nil
	}
	p.next()
	idx := p.sliceElements(cur)
	if p.ev.failed {
		return nil
	}
	if idx.Type().Kind == ListType {
		v = p.fold(OpListSlice, cur, t, v, idx)
	} else {
		v = p.fold(OpListElem, cur, t.Elem, v, idx)
	}
	p.expect(tokRSquare, "expected ']' at end of list slice")
	return v
}

func (p *parser) sliceElements(cur *Record) Init {
	var all Init
	var ints []Init
	join := func(l Init) {
		if all == nil {
			all = l
		} else {
			all = p.listConcat(all, l)
		}
	}
	flush := func() {
		if len(ints) > 0 {
			join(newList(typeListInt, ints))
			ints = nil
		}
	}
	for first := true; ; first = false {
		loc := p.loc()
		v := p.sliceElement(cur)
		if p.ev.failed {
			return unset
		}
		t := v.Type()
		if t != nil && t.Kind != ListType && t.Kind != IntType {
			// bits and bit literals count as integers.
			if c := convert(v, typeInt); c != nil {
				v, t = c, typeInt
			}
		}
		switch {
		case t == nil || t.Kind != IntType && t.Kind != ListType:
			text := "?"
			if t != nil {
				text = t.String()
			}
			p.failAt(loc, "unhandled type "+text+" in range")
			return unset
		case t.Kind == ListType:
			if t.Elem.Kind != IntType {
				p.failAt(loc, "expected list<int>, got "+t.String())
				return unset
			}
			flush()
			join(v)
		case first && p.tok.kind != tokComma:
			return v
		default:
			ints = append(ints, v)
		}
		if !p.accept(tokComma) || p.tok.kind == tokRSquare {
			break
		}
	}
	flush()
	return all
}

func (p *parser) sliceElement(cur *Record) Init {
	v := p.value(cur, nil, false)
	var end Init
	switch p.tok.kind {
	case tokDotDotDot, tokMinus:
		p.next()
		loc := p.loc()
		end = p.value(cur, nil, false)
		if t := end.Type(); !p.ev.failed && (t == nil || t.Kind != IntType) {
			p.failAt(loc, "expected int...int")
		}
	case tokInt:
		// 1-3 is read as 1 and -3.
		end = NewInt(-p.tok.num)
		p.next()
	default:
		return v
	}
	if p.ev.failed {
		return v
	}
	return p.fold(OpRangeClosed, cur, typeListInt, v, end)
}

func (p *parser) fieldAccess(cur *Record, v Init) Init {
	p.next()
	if p.tok.kind != tokID {
		p.fail("expected field identifier after '.'")
		return nil
	}
	name := p.tok.text
	t := fieldType(v, name)
	if t == nil {
		p.fail("Cannot access field '" + name + "' of value '" + v.String() + "'")
		return nil
	}
	v = p.ev.foldField(newField(v, name, t), cur)
	p.next()
	return v
}

// fieldType returns the type of v.name, nil when there is no such field.
func fieldType(v Init, name string) *Type {
	if d, ok := v.(*DefInit); ok {
		if f := d.Rec.field(name); f != nil {
			return f.Type
		}
		return nil
	}
	t := v.Type()
	if t == nil || t.Kind != RecordType {
		return nil
	}
	for _, c := range t.Classes {
		if f := c.field(name); f != nil {
			return f.Type
		}
	}
	return nil
}

// paste reads what follows a # and joins it to v.
func (p *parser) paste(cur *Record, t *Type, v Init) Init {
	loc := p.loc()
	vt := v.Type()
	if vt == nil {
		p.failAt(loc, "LHS of paste is not typed!")
		return nil
	}
	p.next()
	trailing := p.tok.kind == tokColon || p.tok.kind == tokSemi || p.tok.kind == tokLBrace
	if vt.Kind == ListType {
		if trailing {
			return v
		}
		r := p.value(cur, t, false)
		if p.ev.failed {
			return nil
		}
		if rt := r.Type(); rt == nil || rt.Kind != ListType {
			p.failAt(loc, "expected a list, got '"+r.String()+"'")
			return nil
		}
		return p.listConcat(v, r)
	}
	v = p.toString(cur, v, loc)
	if trailing {
		return p.strConcat(v, noText)
	}
	r := p.value(cur, nil, true)
	if p.ev.failed {
		return nil
	}
	if r.Type() == nil {
		p.failAt(loc, "RHS of paste is not typed!")
		return nil
	}
	r = p.toString(cur, r, loc)
	if p.ev.failed {
		return nil
	}
	return p.strConcat(v, r)
}

func (p *parser) toString(cur *Record, v Init, loc Loc) Init {
	if v.Type().Kind == StringType {
		return v
	}
	return p.fold(OpCast, cur, typeString, v)
}

func (p *parser) fold(op Op, cur *Record, t *Type, args ...Init) Init {
	return p.ev.fold(newOp(op, args, t, nil), cur, false)
}

// strConcat joins two strings.
func (p *parser) strConcat(a, b Init) Init { return p.fold(OpStrConcat, nil, typeString, a, b) }

func (p *parser) listConcat(a, b Init) Init { return p.fold(OpListConcat, nil, a.Type(), a, b) }

// rangeList reads numbers and ranges of numbers.
func (p *parser) rangeList() []int {
	nums := []int{}
	for !p.ev.failed {
		nums = p.rangePiece(nums, nil)
		if !p.accept(tokComma) {
			break
		}
	}
	return nums
}

// rangePiece reads one number or range; first, if not nil, was read already.
func (p *parser) rangePiece(nums []int, first Init) []int {
	number := func(v Init, msg string) int64 {
		n, ok := v.(*IntInit)
		switch {
		case p.ev.failed:
		case !ok:
			p.fail(msg)
		case n.V < 0:
			p.fail("invalid range, cannot be negative")
		default:
			return n.V
		}
		return 0
	}
	if first == nil {
		first = p.value(nil, nil, false)
	}
	start := number(first, "expected integer or bitrange")
	end := start
	switch p.tok.kind {
	case tokDotDotDot, tokMinus:
		p.next()
		m := p.mark()
		v := p.value(nil, nil, false)
		if p.ev.failed {
			p.also(m, "expected integer value as end of range")
			return nums
		}
		end = number(v, "expected integer value as end of range")
	case tokInt:
		end = -p.tok.num
		if end < 0 {
			p.fail("invalid range, cannot be negative")
		}
		p.next()
	}
	if p.ev.failed {
		return nums
	}
	if max(end-start, start-end) > maxBitsWidth*16 {
		p.fail("range is too large")
		return nums
	}
	for ; start < end; start++ {
		nums = append(nums, int(start))
	}
	for ; start > end; start-- {
		nums = append(nums, int(start))
	}
	return append(nums, int(end))
}

// simple reads an expression without suffixes.
func (p *parser) simple(cur *Record, t *Type, nameMode bool) Init {
	switch p.tok.kind {
	case tokInt:
		v := NewInt(p.tok.num)
		p.next()
		return v
	case tokBinInt:
		v := NewBits(uint64(p.tok.num), int(p.tok.width))
		p.next()
		return v
	case tokTrue, tokFalse:
		v := NewInt(boolInt(p.tok.kind == tokTrue))
		p.next()
		return v
	case tokString:
		s := p.tok.text
		p.next()
		if p.tok.kind == tokString {
			parts := []string{s}
			for p.tok.kind == tokString {
				parts = append(parts, p.tok.text)
				p.next()
			}
			s = strings.Join(parts, "")
		}
		return NewString(s)
	case tokCode:
		v := NewCode(p.tok.text)
		p.next()
		return v
	case tokQuestion:
		p.next()
		return unset
	case tokID:
		return p.identifier(cur, nameMode)
	case tokLBrace:
		return p.bitsValue(cur)
	case tokLSquare:
		return p.listValue(cur, t)
	case tokLParen:
		return p.dagValue(cur)
	case tokOp:
		return p.operation(cur, t)
	}
	p.fail("Unknown or reserved token when parsing a value")
	return nil
}

func (p *parser) identifier(cur *Record, nameMode bool) Init {
	name, loc := p.tok.text, p.loc()
	p.next()
	switch p.tok.kind {
	case tokEqual:
		// NAME = value in template arguments.
		return &StringInit{S: name}
	case tokLess:
		if nameMode && p.rs.classes[name] == nil {
			return &StringInit{S: name}
		}
		c := p.rs.classes[name]
		if c == nil {
			p.failAt(loc, "Expected a class name, got '"+name+"'")
			return nil
		}
		p.next()
		c.used = true
		args := p.templateArgValues(cur, c, loc)
		if p.ev.failed || !p.checkArgs(c, args, loc) {
			return nil
		}
		return p.ev.foldClass(newClassInit(c, args, loc))
	}
	if v := p.find(name); v != nil {
		return v
	}
	if nameMode {
		return &StringInit{S: name}
	}
	if v := p.rs.globals[name]; v != nil {
		return v
	}
	if r := p.rs.Def(name); r != nil {
		r.used = true
		return r.DefInit()
	}
	// The definition that is being made may be named in itself; its type is
	// known only later.
	if cur != nil && cur.kind == kindDef && p.mc == nil && isNameOf(cur, name) {
		return newOp(OpCast, []Init{cur.nameInit}, cur.Type(), nil)
	}
	p.failAt(loc, "Variable not defined: '"+name+"'")
	return nil
}

// checkArgs reports template arguments that have neither value nor default.
func (p *parser) checkArgs(c *Record, args []ClassArg, loc Loc) bool {
	for i := range c.TemplateArgs {
		t := &c.TemplateArgs[i]
		if isComplete(t.Value) {
			continue
		}
		given := false
		for _, a := range args {
			if a.Index == i {
				given = true
			}
		}
		if !given {
			p.failAt(loc, "value not specified for template argument '"+t.Name+"'")
			p.ev.note(t.Loc, "declared in '"+c.Name+"'")
			return false
		}
	}
	return true
}

func (p *parser) bitsValue(cur *Record) Init {
	loc := p.loc()
	p.next()
	var vals []Init
	if p.tok.kind != tokRBrace {
		vals = p.values(cur, nil)
	}
	if !p.expect(tokRBrace, "expected '}' at end of bit list value") {
		return nil
	}
	// Written highest first.
	var bits []Init
	for i := len(vals) - 1; i >= 0; i-- {
		v := vals[i]
		if b, ok := v.(*BitsInit); ok {
			bits = append(bits, b.Bits...)
			continue
		}
		if x, ok := v.(*VarInit); ok && x.T.Kind == BitsType {
			for k := range x.T.N {
				bits = append(bits, bitOf(x, k))
			}
			continue
		}
		b := castTo(v, typeBit)
		if b == nil {
			p.failAt(loc, "Element #"+NewInt(int64(i)).String()+" ("+v.String()+") is not convertable to a bit")
			return nil
		}
		bits = append(bits, b)
	}
	return newBits(bits)
}

// values reads values between commas; a trailing comma is allowed in lists.
func (p *parser) values(cur *Record, t *Type) []Init {
	var vals []Init
	for !p.ev.failed {
		vals = append(vals, p.value(cur, t, false))
		if !p.accept(tokComma) || p.tok.kind == tokRSquare {
			break
		}
	}
	return vals
}

func (p *parser) listValue(cur *Record, t *Type) Init {
	p.next()
	var want *Type
	if t != nil {
		if t.Kind != ListType {
			p.fail("Encountered a list when expecting a " + t.String())
			return nil
		}
		want = t.Elem
	}
	var vals []Init
	if p.tok.kind != tokRSquare {
		vals = p.values(cur, want)
	}
	if !p.expect(tokRSquare, "expected ']' at end of list value") {
		return nil
	}
	var given *Type
	if p.accept(tokLess) {
		given = p.typ()
		if !p.expect(tokGreater, "expected '>' at end of list element type") {
			return nil
		}
	}
	var elem *Type
	for _, v := range vals {
		vt := v.Type()
		switch {
		case vt == nil:
		case elem == nil:
			elem = vt
		default:
			if elem = commonType(elem, vt); elem == nil {
				p.fail("Incompatible types in list elements")
				return nil
			}
		}
	}
	switch {
	case given != nil:
		if elem != nil && !elem.convertibleTo(given) {
			p.fail("Incompatible types in list elements")
			return nil
		}
		elem = given
	case elem == nil:
		if want == nil {
			p.fail("No type for list")
			return nil
		}
		elem = want
	case want != nil && !elem.convertibleTo(want):
		p.fail("Element type mismatch for list: element type '" + elem.String() + "' not convertible to '" + want.String() + "'")
		return nil
	}
	return newList(listOf(elem), vals)
}

// dagName reads $name; "" after an error.
func (p *parser) dagName(msg string) string {
	if p.tok.kind != tokVarName {
		p.fail(msg)
		return ""
	}
	name := p.tok.text
	p.next()
	return name
}

func (p *parser) dagValue(cur *Record) Init {
	p.next()
	switch p.tok.kind {
	case tokID, tokOp, tokQuestion, tokLSquare:
	default:
		p.fail("expected identifier or list of value types in dag init")
		return nil
	}
	op := p.value(cur, nil, false)
	opName := ""
	if p.accept(tokColon) {
		if opName = p.dagName("expected variable name in dag operator"); opName == "" {
			return nil
		}
	}
	var args []Init
	var names []string
	if p.tok.kind != tokRParen {
		for !p.ev.failed {
			name := ""
			var v Init = unset
			if p.tok.kind == tokVarName {
				name = p.tok.text
				p.next()
			} else {
				v = p.value(cur, nil, false)
				if p.accept(tokColon) {
					if name = p.dagName("expected variable name in dag literal"); name == "" {
						return nil
					}
				}
			}
			args, names = append(args, v), append(names, name)
			if !p.accept(tokComma) {
				break
			}
		}
	}
	if !p.expect(tokRParen, "expected ')' in dag init") {
		return nil
	}
	return newDag(op, opName, args, names)
}

package irtext

import (
	"strconv"

	"github.com/mirin-go/mirin/ir"
)

// typ reads a type that is not void.
func (p *parser) typ(msg string) ir.Type { return p.typeOrVoid(msg, false) }

// typeOrVoid reads a type.
func (p *parser) typeOrVoid(msg string, voidOK bool) ir.Type {
	off := p.off
	t := ir.NoType
	if p.tok == tWord {
		t = commonType(p.text())
	}
	word := t == ir.Ptr
	if t != 0 {
		if p.next(); word && p.is("addrspace") {
			t = p.t.Pointer(p.addrSpace())
		}
	} else if t = p.simpleType(msg); t == 0 {
		return 0
	}
	if word && p.tok != '(' {
		if p.tok == '*' {
			p.error("ptr* is invalid - use ptr instead")
			return 0
		}
		return t
	}
	for p.tok == '(' || p.tok == '*' || p.tok == tWord && p.text() == "addrspace" {
		if p.tok != '(' {
			// T* and T addrspace(n)* of old are ptr.
			switch p.t.Kind(t) {
			case ir.KindVoid:
				if p.tok == '*' {
					p.error("pointers to void are invalid - use i8* instead")
				} else {
					p.error("pointers to void are invalid; use i8* instead")
				}
			case ir.KindLabel:
				p.error("basic block pointers are invalid")
			case ir.KindMetadata, ir.KindToken, ir.KindX86AMX:
				p.error("pointer to this type is invalid")
			}
			if !p.ok() {
				return 0
			}
			as := uint32(0)
			if p.tok == tWord {
				as = p.addrSpace()
			}
			if !p.expect('*', "expected '*' in address space") {
				return 0
			}
			t = p.t.Pointer(as)
			continue
		}
		if t = p.functionType(t, off); t == 0 {
			return 0
		}
	}
	if t == ir.Void && !voidOK {
		p.errorAt(off, "void type only allowed for function results")
		return 0
	}
	return t
}

// commonType is primitiveType for what nearly all types are.
func commonType(w string) ir.Type {
	switch w {
	case "i32":
		return ir.Int32
	case "ptr":
		return ir.Ptr
	case "i64":
		return ir.Int64
	case "i8":
		return ir.Int8
	case "i1":
		return ir.Int1
	}
	return ir.NoType
}

// primitiveType returns the type that a keyword names, NoType for others.
func (p *parser) primitiveType(w string) ir.Type {
	if t := commonType(w); t != 0 {
		return t
	}
	switch w {
	case "i16":
		return ir.Int16
	case "void":
		return ir.Void
	case "label":
		return ir.Label
	case "metadata":
		return ir.Metadata
	case "token":
		return ir.Token
	case "x86_amx":
		return ir.X86AMX
	case "half":
		return ir.Half
	case "bfloat":
		return ir.BFloat
	case "float":
		return ir.Float
	case "double":
		return ir.Double
	case "x86_fp80":
		return ir.X86FP80
	case "fp128":
		return ir.FP128
	case "ppc_fp128":
		return ir.PPCFP128
	}
	if len(w) < 2 || w[0] != 'i' {
		return 0
	}
	n := 0
	for _, c := range []byte(w[1:]) {
		if c < '0' || c > '9' {
			return 0
		}
		if n = n*10 + int(c-'0'); n > 1<<23 {
			p.error("bitwidth for integer type out of range")
			return 0
		}
	}
	if n == 0 {
		p.error("bitwidth for integer type out of range")
		return 0
	}
	return p.t.Int(n)
}

func (p *parser) simpleType(msg string) ir.Type {
	switch p.tok {
	case tWord:
		w := p.text()
		if t := p.primitiveType(w); t != 0 {
			p.next()
			return t
		}
		if !p.ok() {
			return 0
		}
		if w == "target" {
			return p.targetType()
		}
		if len(w) > 1 && w[0] == 'i' && class[w[1]]&cDigit != 0 {
			p.error("expected type")
			return 0
		}
	case '{':
		return p.structType(false)
	case '[':
		p.next()
		return p.sequenceType(false)
	case '<':
		p.next()
		if p.tok == '{' {
			t := p.structType(true)
			p.expect('>', "expected '>' at end of packed struct")
			return t
		}
		return p.sequenceType(true)
	case tLocal:
		d := p.namedType(p.str())
		p.next()
		return d.typ
	case tLocalID:
		d := p.numberedType(uint32(p.num))
		p.next()
		return d.typ
	}
	p.error(msg)
	return 0
}

// namedType finds or declares %name. Bodies only find: all types that stand
// in bodies alone are declared under the lock of Types.
func (p *parser) namedType(name string) *typeDef {
	if d := p.typeNames[name]; d != nil {
		return d
	}
	if p.fn != nil {
		p.lateError(p.off, rankType, nameKey(name), "use of undefined type named '"+name+"'")
		return &typeDef{typ: p.t.NamedStruct(name)}
	}
	d := &typeDef{typ: p.t.NamedStruct(name), off: p.off, name: name}
	p.typeNames[name] = d
	p.typeList = append(p.typeList, d)
	return d
}

func (p *parser) numberedType(n uint32) *typeDef {
	if d := p.typeNums[n]; d != nil {
		return d
	}
	if p.fn != nil {
		p.lateError(p.off, rankType, numberKey(int(n)), "use of undefined type '%"+strconv.Itoa(int(n))+"'")
		return &typeDef{typ: p.t.AnonStruct()}
	}
	d := &typeDef{typ: p.t.AnonStruct(), off: p.off, num: n}
	p.typeNums[n] = d
	p.typeList = append(p.typeList, d)
	return d
}

// Ranks of what is reported at the end of the module.
const (
	rankBlockAddr = iota
	rankDSOLocal
	rankType
	rankComdat
	rankGlobal
	rankMetadata
)

// addrSpace reads addrspace(n), the keyword being the current token.
func (p *parser) addrSpace() uint32 {
	p.next()
	p.expect('(', "expected '(' in address space")
	if p.tok == tString {
		off, s := p.off, p.str()
		p.next()
		p.expect(')', "expected ')' in address space")
		switch s {
		case "A", "G", "P":
			dl, err := ir.ParseDataLayout(p.m.DataLayout)
			if err != nil {
				return 0
			}
			return map[string]uint32{"A": dl.AllocaAS, "G": dl.GlobalsAS, "P": dl.ProgramAS}[s]
		}
		if dl, err := ir.ParseDataLayout(p.m.DataLayout); err == nil {
			if as, ok := dl.NamedAddrSpace(s); ok {
				return as
			}
		}
		p.errorAt(off, "invalid symbolic addrspace '"+s+"'")
		return 0
	}
	off := p.off
	if p.tok != tInt {
		p.error("expected integer or string constant")
		return 0
	}
	n := p.uint(32)
	if n >= 1<<24 {
		p.errorAt(off, "invalid address space, must be a 24-bit integer")
	}
	p.expect(')', "expected ')' in address space")
	return uint32(n)
}

func (p *parser) structType(packed bool) ir.Type {
	m := p.structBody()
	if !p.ok() {
		return 0
	}
	return p.t.Struct(m, packed)
}

// structBody reads { T, … }.
func (p *parser) structBody() []ir.Type {
	if !p.enter() {
		return nil
	}
	defer func() { p.depth-- }()
	p.next() // {
	if p.eat('}') {
		return nil
	}
	var m []ir.Type
	for {
		off := p.off
		t := p.typ("expected type")
		if t == 0 {
			return nil
		}
		if !p.validElement(t) {
			p.errorAt(off, "invalid element type for struct")
			return nil
		}
		m = append(m, t)
		if !p.eat(',') {
			break
		}
	}
	p.expect('}', "expected '}' at end of struct")
	return m
}

// validElement reports the types that may stand in structs and arrays.
func (p *parser) validElement(t ir.Type) bool {
	switch p.t.Kind(t) {
	case ir.KindVoid, ir.KindLabel, ir.KindMetadata, ir.KindFunction, ir.KindToken, ir.KindX86AMX:
		return false
	}
	return true
}

// sequenceType reads an array or vector after its bracket.
func (p *parser) sequenceType(vector bool) ir.Type {
	if !p.enter() {
		return 0
	}
	defer func() { p.depth-- }()
	scalable := false
	if vector && p.is("vscale") {
		p.next()
		p.expectWord("x", "expected 'x' after vscale")
		scalable = true
	}
	nOff := p.off
	if p.tok != tInt || p.neg || p.big {
		// LLVM's own wording.
		p.error("expected number in address space")
		return 0
	}
	n := p.num
	p.next()
	p.expectWord("x", "expected 'x' after element count")
	off := p.off
	e := p.typ("expected type")
	if e == 0 {
		return 0
	}
	if vector {
		if !p.expect('>', "expected end of sequential type") {
			return 0
		}
		if n == 0 {
			p.errorAt(nOff, "zero element vector is illegal")
			return 0
		}
		if n>>32 != 0 {
			p.errorAt(nOff, "size too large for vector")
			return 0
		}
		switch k := p.t.Kind(e); {
		case k == ir.KindInteger, k == ir.KindPointer, p.t.IsFloat(e), k == ir.KindTargetExt:
			return p.t.Vector(e, n, scalable)
		}
		p.errorAt(off, "invalid vector element type")
		return 0
	}
	if !p.expect(']', "expected end of sequential type") {
		return 0
	}
	if !p.validElement(e) {
		p.errorAt(off, "invalid array element type")
		return 0
	}
	return p.t.Array(e, n)
}

// functionType reads the parameters of a function type after its result.
func (p *parser) functionType(result ir.Type, off int) ir.Type {
	if !p.enter() {
		return 0
	}
	defer func() { p.depth-- }()
	switch p.t.Kind(result) {
	case ir.KindLabel, ir.KindMetadata, ir.KindFunction:
		p.error("invalid function return type")
		return 0
	}
	p.next() // (
	var params []ir.Type
	vararg := false
	for p.tok != ')' {
		if p.eat(tDots) {
			vararg = true
			break
		}
		o := p.off
		t := p.typ("expected type")
		if t == 0 {
			return 0
		}
		if !p.argumentType(t) {
			p.errorAt(o, "invalid type for function argument")
			return 0
		}
		if p.tok == tWord && attrByName(p.text()) != nil || p.tok == tString {
			p.errorAt(o, "argument attributes invalid in function type")
			return 0
		}
		if p.tok == tLocal || p.tok == tLocalID {
			p.errorAt(o, "argument name invalid in function type")
			return 0
		}
		params = append(params, t)
		if !p.eat(',') {
			break
		}
	}
	if !p.expect(')', "expected ')' at end of argument list") {
		return 0
	}
	return p.t.Func(result, params, vararg)
}

// argumentType reports whether arguments may have a type, which is opaque until its definition.
func (p *parser) argumentType(t ir.Type) bool {
	k := p.t.Kind(t)
	return k != ir.KindFunction && k != ir.KindLabel && k != ir.KindVoid && !(k == ir.KindStruct && p.t.IsOpaque(t))
}

// targetType reads target("name", types…, ints…).
func (p *parser) targetType() ir.Type {
	if !p.enter() {
		return 0
	}
	defer func() { p.depth-- }()
	p.next()
	p.expect('(', "expected '(' in target extension type")
	name := p.string("expected string constant")
	var types []ir.Type
	var ints []uint64
	for p.ok() && p.eat(',') {
		if p.tok == tInt {
			ints = append(ints, p.uint(32))
			continue
		}
		if len(ints) > 0 {
			p.error("expected uint32 param")
			return 0
		}
		types = append(types, p.typeOrVoid("expected type", true))
	}
	p.expect(')', "expected ')' in target extension type")
	if !p.ok() {
		return 0
	}
	bad := ""
	switch name {
	case "aarch64.svcount":
		if len(types)+len(ints) > 0 {
			bad = " should have no parameters"
		}
	case "riscv.vector.tuple":
		if len(types) != 1 || len(ints) != 1 {
			bad = " should have one type parameter and one integer parameter"
		}
	case "amdgcn.named.barrier":
		if len(types) != 0 || len(ints) != 1 {
			bad = " should have no type parameters and one integer parameter"
		}
	}
	if bad != "" {
		p.errorAt(p.off, "target extension type "+name+bad)
		return 0
	}
	return p.t.TargetExt(name, types, ints)
}

// typeDefinition reads %x = type …
func (p *parser) typeDefinition() {
	off := p.off
	var d *typeDef
	var name string
	if p.tok == tLocal {
		name = p.str()
		d = p.typeNames[name]
	} else {
		d = p.typeNums[uint32(p.num)]
		name = strconv.FormatUint(p.num, 10)
	}
	tok, num := p.tok, uint32(p.num)
	p.next()
	p.expect('=', "expected '=' after name")
	if !p.expectWord("type", map[bool]string{true: "expected 'type' after name", false: "expected 'type' after '='"}[tok == tLocal]) {
		return
	}
	if d != nil && d.defined {
		p.errorAt(off, "redefinition of type")
		return
	}
	isStruct := p.is("opaque") || p.tok == '{'
	if p.tok == '<' {
		save := p.lexer
		p.next()
		isStruct = p.tok == '{'
		p.lexer = save
	}
	if !isStruct {
		if d != nil {
			p.errorAt(off, "forward references to non-struct type")
			return
		}
		t := p.typ("expected type")
		d = &typeDef{typ: t, defined: true, off: off, name: name, num: num}
		if p.ok() && (tok == tLocal && p.typeNames[name] != nil || tok != tLocal && p.typeNums[num] != nil) {
			p.errorAt(off, "non-struct types may not be recursive")
			return
		}
		if tok == tLocal {
			p.typeNames[name] = d
		} else {
			p.typeNums[num] = d
		}
		return
	}
	fresh := d == nil
	if fresh {
		save := p.off
		p.off = off
		if tok == tLocal {
			d = p.namedType(name)
		} else {
			d = p.numberedType(num)
		}
		p.off = save
	}
	d.defined = true
	p.typeOffs[d.typ] = off
	if p.eatWord("opaque") {
		return
	}
	packed := p.eat('<')
	m := p.structBody()
	if packed {
		p.expect('>', "expected '>' in packed struct")
	}
	if !p.ok() {
		return
	}
	for _, e := range m {
		// Structs that are older than a new name cannot hold it.
		if e != d.typ && fresh && p.t.IsIdentified(e) {
			continue
		}
		if p.t.AnyPart(e, func(t ir.Type) bool { return t == d.typ }) {
			p.error("identified structure type '" + name + "' is recursive")
			return
		}
	}
	p.t.SetBody(d.typ, m, packed)
}

func (p *parser) undefinedType() *parseError {
	for _, d := range p.typeList {
		if d.defined {
			continue
		}
		if d.name != "" {
			return &parseError{off: d.off, msg: "use of undefined type named '" + d.name + "'", late: true, rank: rankType, key: nameKey(d.name)}
		}
		return &parseError{off: d.off, msg: "use of undefined type '%" + strconv.Itoa(int(d.num)) + "'", late: true, rank: rankType, key: numberKey(int(d.num))}
	}
	return nil
}

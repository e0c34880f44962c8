package ir

import (
	"strconv"
	"strings"
)

// DIBuilder makes the metadata that describes a source program to a debugger,
// as LLVM's DIBuilder does. Nodes are MDIDs; equal nodes are one.
//
//	d := ir.NewDIBuilder(m)
//	file := d.File("prog.ember", "/home/me")
//	d.CompileUnit(file, "DW_LANG_C11", "ember 1.0", false)
//	number := d.BasicType("int", 64, "DW_ATE_signed")
//	sp := d.Subprogram(f, file, "main", file, 1, d.SubroutineType(number))
//	b.Loc(d.Location(2, 5, sp))
//	d.Declare(b, addr, d.Variable(sp, "x", 0, file, 2, number), d.Location(2, 5, sp))
//	d.Finish()
//
// Names of languages, encodings and tags are DWARF's (DW_LANG_…, DW_ATE_…, DW_TAG_…).
type DIBuilder struct {
	m       *Module
	unit    MDID
	known   map[string]MDID
	globals []MDID
	expr    MDID
}

// NewDIBuilder returns a builder of m's debug information.
func NewDIBuilder(m *Module) *DIBuilder { return &DIBuilder{m: m, known: map[string]MDID{}} }

// fieldList is the fields of a node that is being made; zero values are left out.
type fieldList []MDField

func (l *fieldList) node(name string, id MDID) *fieldList {
	if id != 0 {
		*l = append(*l, MDField{Name: name, Kind: MDFieldNode, Node: id})
	}
	return l
}

func (l *fieldList) str(name, s string) *fieldList {
	if s != "" {
		*l = append(*l, MDField{Name: name, Kind: MDFieldString, Str: s})
	}
	return l
}

func (l *fieldList) word(name, s string) *fieldList {
	if s != "" {
		*l = append(*l, MDField{Name: name, Kind: MDFieldWord, Str: s})
	}
	return l
}

func (l *fieldList) int(name string, n uint64) *fieldList {
	if n != 0 {
		*l = append(*l, MDField{Name: name, Kind: MDFieldInt, Int: n})
	}
	return l
}

func (l *fieldList) bool(name string, v bool) *fieldList {
	n := uint64(0)
	if v {
		n = 1
	}
	*l = append(*l, MDField{Name: name, Kind: MDFieldBool, Int: n})
	return l
}

// unique adds a node unless an equal one was added before.
func (d *DIBuilder) unique(n *MDNode) MDID {
	key := keyOf(n)
	if id, ok := d.known[key]; ok {
		return id
	}
	id := d.m.MD.Add(n)
	d.known[key] = id
	return id
}

// keyOf is the content of a node.
func keyOf(n *MDNode) string {
	var b strings.Builder
	b.WriteString(n.Str)
	b.WriteByte(byte(n.Kind))
	for _, o := range n.Ops {
		b.WriteString(strconv.Itoa(int(o)))
		b.WriteByte(',')
	}
	for _, f := range n.Fields {
		b.WriteString(f.Name + "\x00" + f.Str + "\x00" + strconv.Itoa(int(f.Node)) + "," + strconv.FormatUint(f.Int, 10) + "\x01")
	}
	return b.String()
}

// Reuse makes nodes that the module has already, and that are not distinct, those
// that equal ones are.
func (d *DIBuilder) Reuse() {
	for id, n := range d.m.MD.Nodes() {
		if n.Distinct || n.Kind != MDTuple && n.Kind != MDSpecialized {
			continue
		}
		if key := keyOf(n); d.known[key] == 0 {
			d.known[key] = id
		}
	}
}

// Node is a node of a class with fields in their order.
func (d *DIBuilder) Node(class string, fields ...MDField) MDID {
	return d.special(class, (*fieldList)(&fields))
}

func (d *DIBuilder) special(class string, l *fieldList) MDID {
	return d.unique(&MDNode{Kind: MDSpecialized, Str: class, Fields: *l})
}

func (d *DIBuilder) distinct(class string, l *fieldList) MDID {
	return d.m.MD.Add(&MDNode{Kind: MDSpecialized, Str: class, Fields: *l, Distinct: true})
}

// Tuple is a list of nodes; 0 is null.
func (d *DIBuilder) Tuple(nodes ...MDID) MDID {
	return d.unique(&MDNode{Kind: MDTuple, Ops: append([]MDID(nil), nodes...)})
}

// File is a source file.
func (d *DIBuilder) File(name, dir string) MDID {
	l := fieldList{{Name: "filename", Kind: MDFieldString, Str: name}, {Name: "directory", Kind: MDFieldString, Str: dir}}
	return d.special("DIFile", &l)
}

// CompileUnit is what one run of a compiler was given; it is the unit of all
// functions from now on.
func (d *DIBuilder) CompileUnit(file MDID, lang, producer string, optimized bool) MDID {
	var l fieldList
	l.word("language", lang).node("file", file).str("producer", producer).bool("isOptimized", optimized)
	l = append(l, MDField{Name: "runtimeVersion", Kind: MDFieldInt})
	l.word("emissionKind", "FullDebug").bool("splitDebugInlining", false)
	d.unit = d.distinct("DICompileUnit", &l)
	return d.unit
}

// BasicType is a number, character or truth value.
func (d *DIBuilder) BasicType(name string, bits uint64, encoding string) MDID {
	var l fieldList
	l.str("name", name).int("size", bits).word("encoding", encoding)
	return d.special("DIBasicType", &l)
}

// PointerType is a pointer; to 0 is void*.
func (d *DIBuilder) PointerType(to MDID, bits uint64) MDID {
	l := fieldList{{Name: "tag", Kind: MDFieldWord, Str: "DW_TAG_pointer_type"}, {Name: "baseType", Kind: MDFieldNode, Node: to}}
	l.int("size", bits)
	return d.special("DIDerivedType", &l)
}

// Typedef is another name of a type.
func (d *DIBuilder) Typedef(name string, of, file MDID, line int, scope MDID) MDID {
	var l fieldList
	l.word("tag", "DW_TAG_typedef").str("name", name).node("scope", scope).node("file", file).int("line", uint64(line)).node("baseType", of)
	return d.special("DIDerivedType", &l)
}

// Qualified is a type with a qualifier: DW_TAG_const_type, DW_TAG_volatile_type.
func (d *DIBuilder) Qualified(tag string, of MDID) MDID {
	var l fieldList
	l.word("tag", tag).node("baseType", of)
	return d.special("DIDerivedType", &l)
}

// StructType is a struct whose members SetMembers adds: they name it as their scope.
func (d *DIBuilder) StructType(scope MDID, name string, file MDID, line int, bits uint64) MDID {
	return d.composite("DW_TAG_structure_type", scope, name, file, line, bits)
}

// UnionType is a union, see StructType.
func (d *DIBuilder) UnionType(scope MDID, name string, file MDID, line int, bits uint64) MDID {
	return d.composite("DW_TAG_union_type", scope, name, file, line, bits)
}

func (d *DIBuilder) composite(tag string, scope MDID, name string, file MDID, line int, bits uint64) MDID {
	var l fieldList
	l.word("tag", tag).str("name", name).node("scope", scope).node("file", file).int("line", uint64(line)).int("size", bits)
	return d.distinct("DICompositeType", &l)
}

// Member is a member of a struct or union at an offset in bits.
func (d *DIBuilder) Member(of MDID, name string, file MDID, line int, t MDID, bits, offset uint64) MDID {
	var l fieldList
	l.word("tag", "DW_TAG_member").str("name", name).node("scope", of).node("file", file).int("line", uint64(line)).
		node("baseType", t).int("size", bits).int("offset", offset)
	return d.special("DIDerivedType", &l)
}

// SetMembers completes a struct, union or enumeration.
func (d *DIBuilder) SetMembers(of MDID, members ...MDID) {
	n := d.m.MD.At(of)
	n.Fields = append(n.Fields, MDField{Name: "elements", Kind: MDFieldNode, Node: d.Tuple(members...)})
}

// ArrayType is an array of n elements of a size in bits together.
func (d *DIBuilder) ArrayType(elem MDID, n, bits uint64) MDID {
	r := fieldList{{Name: "count", Kind: MDFieldInt, Int: n}}
	var l fieldList
	l.word("tag", "DW_TAG_array_type").node("baseType", elem).int("size", bits).node("elements", d.Tuple(d.special("DISubrange", &r)))
	return d.special("DICompositeType", &l)
}

// EnumType is an enumeration over an integer type.
func (d *DIBuilder) EnumType(scope MDID, name string, file MDID, line int, bits uint64, base MDID, values ...MDID) MDID {
	var l fieldList
	l.word("tag", "DW_TAG_enumeration_type").str("name", name).node("scope", scope).node("file", file).int("line", uint64(line)).
		node("baseType", base).int("size", bits).node("elements", d.Tuple(values...))
	return d.special("DICompositeType", &l)
}

// Enumerator is a value of an enumeration.
func (d *DIBuilder) Enumerator(name string, v int64) MDID {
	l := fieldList{{Name: "name", Kind: MDFieldString, Str: name}, {Name: "value", Kind: MDFieldInt, Int: uint64(max(v, -v)), Neg: v < 0}}
	return d.special("DIEnumerator", &l)
}

// SubroutineType is the type of a function: its result (0 for none) and parameters.
func (d *DIBuilder) SubroutineType(result MDID, params ...MDID) MDID {
	l := fieldList{{Name: "types", Kind: MDFieldNode, Node: d.Tuple(append([]MDID{result}, params...)...)}}
	return d.special("DISubroutineType", &l)
}

// Subprogram describes the definition f and attaches itself to it.
func (d *DIBuilder) Subprogram(f *Function, scope MDID, name string, file MDID, line int, t MDID) MDID {
	var l fieldList
	l.str("name", name)
	if link := f.Name(); link != name {
		l.str("linkageName", link)
	}
	sp := "DISPFlagDefinition"
	if f.Global().HasLocalLinkage() {
		sp = "DISPFlagLocalToUnit | DISPFlagDefinition"
	}
	l.node("scope", scope).node("file", file).int("line", uint64(line)).node("type", t).int("scopeLine", uint64(line)).
		word("spFlags", sp).node("unit", d.unit)
	id := d.distinct("DISubprogram", &l)
	g := f.Global()
	g.MD = append(g.MD, Attachment{Node: id}) // kind 0 is dbg
	return id
}

// LexicalBlock is a block of statements with variables of its own.
func (d *DIBuilder) LexicalBlock(scope, file MDID, line, col int) MDID {
	var l fieldList
	l.node("scope", scope).node("file", file).int("line", uint64(line)).int("column", uint64(col))
	return d.distinct("DILexicalBlock", &l)
}

// Variable is a local variable; arg is the number of a parameter, counted from 1, 0 for others.
func (d *DIBuilder) Variable(scope MDID, name string, arg int, file MDID, line int, t MDID) MDID {
	var l fieldList
	l.str("name", name).int("arg", uint64(arg)).node("scope", scope).node("file", file).int("line", uint64(line)).node("type", t)
	id := d.special("DILocalVariable", &l)
	return id
}

// GlobalVariable describes variable g of the module and attaches itself to it.
func (d *DIBuilder) GlobalVariable(g GlobalID, name string, file MDID, line int, t MDID) MDID {
	v := d.m.Globals[g]
	var l fieldList
	l.str("name", name).node("scope", d.unit).node("file", file).int("line", uint64(line)).node("type", t).
		bool("isLocal", v.HasLocalLinkage()).bool("isDefinition", v.IsDefinition())
	var e fieldList
	e.node("var", d.distinct("DIGlobalVariable", &l)).node("expr", d.Expression())
	id := d.special("DIGlobalVariableExpression", &e)
	v.MD = append(v.MD, Attachment{Node: id})
	d.globals = append(d.globals, id)
	return id
}

// Expression is a DIExpression without operations.
func (d *DIBuilder) Expression() MDID {
	if d.expr == 0 {
		d.expr = d.unique(&MDNode{Kind: MDSpecialized, Str: "DIExpression"})
	}
	return d.expr
}

// Location is a place in the source, for Builder.Loc.
func (d *DIBuilder) Location(line, col int, scope MDID) MDID {
	l := fieldList{{Name: "line", Kind: MDFieldInt, Int: uint64(line)}}
	l.int("column", uint64(col)).node("scope", scope)
	return d.special("DILocation", &l)
}

// Declare says, where b writes, that a variable lives at an address.
func (d *DIBuilder) Declare(b Builder, addr Value, variable, loc MDID) {
	d.record(b, DbgDeclare, addr, variable, loc)
}

// Value says, where b writes, that a variable has a value from here on.
func (d *DIBuilder) Value(b Builder, v Value, variable, loc MDID) {
	d.record(b, DbgValue, v, variable, loc)
}

func (d *DIBuilder) record(b Builder, kind DbgKind, v Value, variable, loc MDID) {
	f := b.f
	if b.block == 0 {
		b.fail("debug record: there is no block to write to; call SetBlock")
		return
	}
	n := &MDNode{Kind: MDLocal, Type: b.TypeOf(v), Value: v, Func: f.ID}
	if v.Tag() != TagLocal {
		n.Kind, n.Func = MDConst, 0
		n.Value = d.m.Consts.CopyFrom(&f.Consts, v)
	}
	id := uint32(len(f.DbgRecords))
	f.DbgRecords = append(f.DbgRecords, DbgRecord{Kind: kind, Args: [6]MDID{d.m.MD.Add(n), variable, d.Expression()}, Loc: loc})
	head := &f.Blocks[b.block].Records
	if b.before != 0 {
		head = &f.Instrs[b.before].Records
	}
	for *head != 0 {
		head = &f.DbgRecords[*head].Next
	}
	*head = id
}

// Finish completes the unit and says in the module's flags what was made:
// DWARF 5, and the version of the metadata.
func (d *DIBuilder) Finish() {
	m := d.m
	if d.unit != 0 && len(d.globals) > 0 {
		n := m.MD.At(d.unit)
		n.Fields = append(n.Fields, MDField{Name: "globals", Kind: MDFieldNode, Node: d.Tuple(d.globals...)})
	}
	m.AppendNamedMD("llvm.dbg.cu", d.unit)
	m.AppendNamedMD("llvm.module.flags", d.flag(7, "Dwarf Version", 5))
	m.AppendNamedMD("llvm.module.flags", d.flag(2, "Debug Info Version", 3))
}

// flag is a module flag: behaviour, key, number.
func (d *DIBuilder) flag(behaviour uint64, key string, v uint64) MDID {
	num := func(n uint64) MDID {
		return d.m.MD.Add(&MDNode{Kind: MDConst, Type: Int32, Value: ConstVal(d.m.Consts.Int(Int32, n))})
	}
	return d.Tuple(num(behaviour), d.m.MD.Add(&MDNode{Kind: MDString, Str: key}), num(v))
}

// AppendNamedMD adds nodes to a named list of the module.
func (m *Module) AppendNamedMD(name string, nodes ...MDID) {
	for i := range m.NamedMD {
		if m.NamedMD[i].Name == name {
			m.NamedMD[i].Nodes = append(m.NamedMD[i].Nodes, nodes...)
			return
		}
	}
	m.NamedMD = append(m.NamedMD, NamedMD{Name: name, Nodes: nodes})
}

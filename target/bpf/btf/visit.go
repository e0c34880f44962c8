package btf

import "github.com/mirin-go/mirin/ir"

// chase says how far types are followed. Behind a member of a structure a
// pointer to a named structure is followed no further: the program may never
// look into it, and half of the kernel's types would come in.
type chase struct{ member, pointer bool }

// visit brings in the type of a node, and those that it is made of.
func (t *table) visit(of ir.MDID, c chase) TypeID {
	if of == 0 {
		return 0
	}
	if id := t.id(of); id != 0 {
		if !c.member || !c.pointer {
			t.visitBehind(of, c)
		}
		return id
	}
	n := t.at(of)
	switch n.Str {
	case "DIBasicType":
		return t.basic(of, n)
	case "DISubroutineType":
		return t.proto(of, n, false, nil)
	case "DICompositeType":
		return t.composite(of, n)
	case "DIDerivedType":
		return t.derived(of, n, c)
	}
	return 0
}

// visitBehind goes on from a type that is there already: a typedef may have been met
// behind a pointer first, which left out the structure that it names.
func (t *table) visitBehind(of ir.MDID, c chase) {
	for n := t.at(of); n.Str == "DIDerivedType"; {
		base := n.FieldNode("baseType")
		if base == 0 {
			return
		}
		if t.id(base) != 0 {
			n = t.at(base)
			continue
		}
		if c.member && n.FieldText("tag") == "DW_TAG_pointer_type" && n.FieldNode("annotations") == 0 {
			c.pointer = true
			if t.namedStruct(base) {
				return
			}
		}
		t.visit(base, c)
		return
	}
}

func (t *table) basic(of ir.MDID, n *ir.MDNode) TypeID {
	bits := n.FieldInt("size")
	r := typeRow{name: n.FieldText("name"), size: bytesOf(bits)}
	enc := uint32(0)
	switch n.FieldText("encoding") {
	case "DW_ATE_boolean":
		enc = intBool
	case "DW_ATE_signed", "DW_ATE_signed_char":
		enc = intSigned
	case "DW_ATE_unsigned", "DW_ATE_unsigned_char":
	case "DW_ATE_float":
		return t.add(KindFloat, r, of)
	default:
		return 0
	}
	return t.int(r, of, enc, uint32(bits))
}

func (t *table) int(r typeRow, of ir.MDID, enc, bits uint32) TypeID {
	id := t.add(KindInt, r, of)
	t.addWords(id, enc<<24|bits)
	return id
}

// proto is the type of a function; of one function, with the names of its
// parameters, it is no one else's.
func (t *table) proto(node ir.MDID, n *ir.MDNode, own bool, params []string) TypeID {
	types := t.list(n.FieldNode("types"))
	if len(types) == 0 || len(types)-1 > maxVLen {
		return 0
	}
	of := node
	if own {
		of = 0
	}
	id := t.add(KindFuncProto, typeRow{node: node, info: uint32(len(types) - 1), first: uint32(len(t.params))}, of)
	t.params = append(t.params, params)
	for _, p := range types {
		t.visit(p, chase{})
	}
	return id
}

func (t *table) composite(of ir.MDID, n *ir.MDNode) TypeID {
	tag := n.FieldText("tag")
	switch tag {
	case "DW_TAG_structure_type", "DW_TAG_union_type", "DW_TAG_variant_part":
		if !n.FieldHas("flags", "DIFlagFwdDecl") {
			return t.structure(of, n, tag)
		}
		r := typeRow{name: n.FieldText("name")}
		if tag == "DW_TAG_union_type" {
			r.info = kindFlag
		}
		return t.add(KindFwd, r, of)
	case "DW_TAG_array_type":
		return t.array(of, n)
	case "DW_TAG_enumeration_type":
		return t.enum(of, n)
	}
	return 0
}

// discriminator is the member that tells the variants apart; it is none of the elements.
func (t *table) discriminator(n *ir.MDNode) ir.MDID {
	if n.FieldText("tag") != "DW_TAG_variant_part" {
		return 0
	}
	return n.FieldNode("discriminator")
}

// isMember tells what a structure's elements are: members, and parts with variants.
// Functions and base classes of C++ have no place in BTF.
func isMember(m *ir.MDNode) bool {
	tag := m.FieldText("tag")
	return m.Str == "DIDerivedType" && tag == "DW_TAG_member" || m.Str == "DICompositeType" && tag == "DW_TAG_variant_part"
}

func (t *table) structure(of ir.MDID, n *ir.MDNode, tag string) TypeID {
	elems := t.list(n.FieldNode("elements"))
	count := 0
	r := typeRow{node: of, size: bytesOf(n.FieldInt("size"))}
	if d := t.discriminator(n); d != 0 {
		t.visit(d, chase{})
		count++
	}
	for _, e := range elems {
		m := t.at(e)
		if isMember(m) {
			count++
		}
		if isBitField(m) {
			r.info = kindFlag
		}
	}
	if count > maxVLen {
		return 0
	}
	r.info |= uint32(count)
	kind := KindUnion
	if tag == "DW_TAG_structure_type" {
		kind = KindStruct
	}
	id := t.add(kind, r, of)
	if name := n.FieldText("name"); t.structs[name] == 0 {
		t.structs[name] = id
	}
	t.declTags(n, id, -1)
	k := int32(0)
	for _, e := range elems {
		if m := t.at(e); isMember(m) {
			t.visit(e, chase{})
			t.declTags(m, id, k)
			k++
		}
	}
	return id
}

// array gives each dimension a type, the innermost first. All are indexed with
// one type, which no metadata tells.
func (t *table) array(of ir.MDID, n *ir.MDNode) TypeID {
	id := t.visit(n.FieldNode("baseType"), chase{})
	dims := t.list(n.FieldNode("elements"))
	for k := len(dims) - 1; k >= 0; k-- {
		d := t.at(dims[k])
		if d == nil || d.Str != "DISubrange" {
			continue
		}
		count := t.count(d)
		outer := ir.MDID(0)
		if k == 0 {
			outer = of
		}
		elem := id
		id = t.add(KindArray, typeRow{}, outer)
		t.addWords(id, uint32(elem), 0, uint32(max(count, 0)))
	}
	if t.arrayIndex == 0 {
		t.arrayIndex = t.int(typeRow{name: "__ARRAY_SIZE_TYPE__", size: 4}, 0, 0, 32)
	}
	return id
}

// count is the number of elements, -1 where it is open.
func (t *table) count(d *ir.MDNode) int64 {
	f := d.Field("count")
	if f != nil && f.Kind == ir.MDFieldNode { // a constant, or a variable that has it
		n := t.at(f.Node)
		if n == nil || n.Kind != ir.MDConst || n.Value.Const() == 0 {
			return 0
		}
		return int64(t.m.Consts.At(n.Value.Const()).Bits)
	}
	return int64(d.FieldInt("count"))
}

// enum is an enumeration; one without a type of its values is only declared.
func (t *table) enum(of ir.MDID, n *ir.MDNode) TypeID {
	values := t.list(n.FieldNode("elements"))
	if len(values) > maxVLen {
		return 0
	}
	r := typeRow{node: of, info: uint32(len(values)), size: bytesOf(n.FieldInt("size"))}
	kind := KindEnum
	if b := t.at(n.FieldNode("baseType")); b != nil {
		if e := b.FieldText("encoding"); e == "DW_ATE_signed" || e == "DW_ATE_signed_char" {
			r.info |= kindFlag
		}
		if b.FieldInt("size") > 32 {
			kind = KindEnum64
		}
	}
	return t.add(kind, r, of)
}

// namedStruct reports a structure or union that a declaration can stand for.
func (t *table) namedStruct(id ir.MDID) bool {
	n := t.at(id)
	if n.Str != "DICompositeType" || n.FieldText("name") == "" || n.FieldHas("flags", "DIFlagFwdDecl") {
		return false
	}
	tag := n.FieldText("tag")
	return tag == "DW_TAG_structure_type" || tag == "DW_TAG_union_type"
}

var derivedKinds = [...]struct {
	tag  string
	kind Kind
}{
	{"DW_TAG_pointer_type", KindPtr}, {"DW_TAG_typedef", KindTypedef}, {"DW_TAG_const_type", KindConst},
	{"DW_TAG_volatile_type", KindVolatile}, {"DW_TAG_restrict_type", KindRestrict},
}

func derivedKind(tag string) Kind {
	for _, d := range derivedKinds {
		if d.tag == tag {
			return d.kind
		}
	}
	return KindVoid
}

// derived is a pointer, a qualified type, a typedef, or what a member has.
func (t *table) derived(of ir.MDID, n *ir.MDNode, c chase) TypeID {
	tag, base := n.FieldText("tag"), n.FieldNode("baseType")
	switch tag {
	case "DW_TAG_atomic_type":
		return t.visit(base, c)
	case "DW_TAG_member":
		t.visit(base, chase{member: true})
		return 0
	}
	kind := derivedKind(tag)
	if c.member && !c.pointer {
		c.pointer = kind == KindPtr && n.FieldNode("annotations") == 0
	}
	r := typeRow{node: of}
	if kind == KindTypedef { // Rust names pointers, too, for which there is no room
		r.name = n.FieldText("name")
	}
	if c.member && c.pointer && base != 0 && t.namedStruct(base) {
		if kind == KindVoid {
			return 0
		}
		r.pointeeLater = true
		id := t.add(kind, r, of)
		if t.pointers[base] == nil {
			t.pointees = append(t.pointees, base)
		}
		t.pointers[base] = append(t.pointers[base], id)
		return id
	}
	var id TypeID
	switch kind {
	case KindVoid:
		return 0
	case KindPtr:
		if tagged := t.typeTags(n, of, 0); tagged != 0 {
			r.node, r.size = 0, uint32(tagged)
		}
		id = t.add(kind, r, of)
	default:
		id = t.add(kind, r, of)
		if kind == KindTypedef {
			t.declTags(n, id, -1)
		}
	}
	t.visit(base, c)
	return id
}

// annotations gives the values of btf_decl_tag or btf_type_tag, in order.
func (t *table) annotations(n *ir.MDNode, name string) (values []string) {
	for _, a := range t.list(n.FieldNode("annotations")) {
		pair := t.list(a)
		if len(pair) == 2 && t.at(pair[0]).Str == name && t.at(pair[1]).Kind == ir.MDString {
			values = append(values, t.at(pair[1]).Str)
		}
	}
	return values
}

// declTags adds the tags of a type, function or variable, -1, or of one of its
// members or parameters.
func (t *table) declTags(n *ir.MDNode, of TypeID, component int32) {
	for _, v := range t.annotations(n, "btf_decl_tag") {
		id := t.add(KindDeclTag, typeRow{name: v, size: uint32(of)}, 0)
		t.addWords(id, uint32(component))
	}
}

// typeTags adds the tags of pointer n, the first next to what it points to: to, or,
// with 0, its base type. It returns the last, 0 for none.
func (t *table) typeTags(n *ir.MDNode, node ir.MDID, to TypeID) TypeID {
	last := TypeID(0)
	for k, v := range t.annotations(n, "btf_type_tag") {
		r := typeRow{name: v, size: uint32(last)}
		if k == 0 {
			if r.size = uint32(to); to == 0 {
				r.node = node
			}
		}
		last = t.add(KindTypeTag, r, 0)
	}
	return last
}

// visitMap brings in the type of a map's definition: what its members point to are key and
// value, which are needed whole.
func (t *table) visitMap(of ir.MDID) TypeID {
	if of == 0 || t.id(of) != 0 {
		return t.id(of)
	}
	n := t.at(of)
	switch tag := n.FieldText("tag"); {
	case n.Str == "DIDerivedType" && derivedKind(tag) != KindVoid, n.Str == "DICompositeType" && tag == "DW_TAG_array_type":
		t.visitMap(n.FieldNode("baseType"))
	case n.Str == "DICompositeType" && tag == "DW_TAG_structure_type":
		for _, e := range t.list(n.FieldNode("elements")) {
			if !isMember(t.at(e)) {
				continue
			}
			// A structure in the structure may be the definition.
			if base := t.at(e).FieldNode("baseType"); base != 0 && t.at(base).Str == "DICompositeType" {
				t.visitMap(base)
			} else {
				t.visit(base, chase{})
			}
		}
	}
	return t.visit(of, chase{})
}

// finishPointers lets pointers whose pointees were left out point to a structure of that
// name that came in another way, or else to a declaration of it.
func (t *table) finishPointers() {
	for _, s := range t.pointees {
		n := t.at(s)
		to := t.structs[n.FieldText("name")]
		if to == 0 {
			r := typeRow{name: n.FieldText("name")}
			if n.FieldText("tag") == "DW_TAG_union_type" {
				r.info = kindFlag
			}
			to = t.add(KindFwd, r, 0)
		}
		for _, p := range t.pointers[s] {
			if tagged := t.typeTags(t.at(t.rows[p].node), 0, to); tagged != 0 {
				t.rows[p].size = uint32(tagged)
			} else {
				t.rows[p].size = uint32(to)
			}
		}
	}
}

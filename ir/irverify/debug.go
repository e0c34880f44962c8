package irverify

import (
	"strings"

	"github.com/mirin-go/mirin/ir"
)

func (v *verifier) class(id ir.MDID) string {
	if id == 0 {
		return ""
	}
	if v.m.MD.IsLocation(id) {
		return "DILocation"
	}
	n := v.m.MD.At(id)
	if n == nil || n.Kind != ir.MDSpecialized {
		return ""
	}
	return n.Str
}

// isType, isScope and isLocalScope tell the families of nodes apart; null passes where the field may be null.
func (v *verifier) isType(id ir.MDID) bool {
	switch v.class(id) {
	case "DIBasicType", "DIDerivedType", "DICompositeType", "DISubroutineType", "DIStringType", "DISubrangeType", "DIFixedPointType":
		return true
	}
	return false
}

func (v *verifier) isScope(id ir.MDID) bool {
	switch v.class(id) {
	case "DIFile", "DICompileUnit", "DINamespace", "DIModule", "DICommonBlock":
		return true
	}
	return v.isType(id) || v.isLocalScope(id)
}

func (v *verifier) isLocalScope(id ir.MDID) bool {
	switch v.class(id) {
	case "DISubprogram", "DILexicalBlock", "DILexicalBlockFile":
		return true
	}
	return false
}

func (v *verifier) isTuple(id ir.MDID) bool { return id != 0 && v.m.MD.At(id).Kind == ir.MDTuple }

// mdNode checks a node and all that it refers to; locs says whether locations may stand in it.
func (v *verifier) mdNode(id ir.MDID, locs bool) {
	if id == 0 {
		return
	}
	l, isLoc := v.m.MD.Location(id)
	var n *ir.MDNode
	if !isLoc {
		if n = v.m.MD.At(id); n == nil || n.Kind != ir.MDTuple && n.Kind != ir.MDSpecialized {
			return
		}
	}
	if !v.seenMD.claim(id, locs, v.apart) {
		return
	}
	switch {
	case isLoc:
		v.location(id, &l)
	case n.Kind == ir.MDSpecialized:
		v.specialized(id, n)
	}
	each := func(o ir.MDID) bool {
		if o == 0 {
			return true
		}
		if v.m.MD.IsLocation(o) {
			if !v.checkDI(locs, "DILocation not allowed within this metadata node", mdNode(id), mdNode(o)) {
				return false
			}
			v.mdNode(o, locs)
			return true
		}
		if k := v.m.MD.At(o).Kind; k == ir.MDLocal || k == ir.MDArgList {
			v.fail("Invalid operand for global metadata!", mdNode(id), mdNode(o))
			return false
		}
		v.mdNode(o, locs)
		return true
	}
	if isLoc {
		_ = each(l.Scope) && each(l.InlinedAt)
		return
	}
	for _, o := range n.Ops {
		if !each(o) {
			return
		}
	}
	for i := range n.Fields {
		if !each(n.Fields[i].Node) {
			return
		}
	}
	if len(n.Ops) > 0 && v.mdString(n.Ops[0]) == "llvm.loop.estimated_trip_count" {
		if v.check(len(n.Ops) == 2, "Expected two operands", mdNode(id)) {
			_, t, ok := v.mdInt(n.Ops[1])
			v.check(ok && v.t.IntBits(t) <= 32, "Expected second operand to be an integer constant of type i32 or smaller", mdNode(id))
		}
	}
}

func (v *verifier) location(id ir.MDID, l *ir.DILocation) {
	if !v.checkDI(v.isLocalScope(l.Scope), "location requires a valid scope", mdNode(id), mdNode(l.Scope)) ||
		l.InlinedAt != 0 && !v.checkDI(v.mdIs(l.InlinedAt, "DILocation"), "inlined-at should be a location", mdNode(id), mdNode(l.InlinedAt)) {
		return
	}
	if v.mdIs(l.Scope, "DISubprogram") {
		v.checkDI(v.isDefinition(v.m.MD.At(l.Scope)), "scope points into the type hierarchy", mdNode(id))
	}
}

func (v *verifier) specialized(id ir.MDID, n *ir.MDNode) {
	at := mdNode(id)
	tag := n.FieldText("tag")
	file := n.FieldNode("file")
	switch n.Str {
	case "DILocation": // others are no nodes of the table
		v.checkDI(false, "location with fields that do not fit", at)
		return
	case "GenericDINode", "DIExpression", "DIAssignID":
		if n.Str == "GenericDINode" {
			v.checkDI(tag != "DW_TAG_null" && tag != "", "invalid tag", at)
		}
		if n.Str == "DIExpression" {
			v.checkDI(validExpression(n), "invalid expression", at)
		}
		return
	case "DIFile":
		v.diFile(at, n)
		return
	}
	if file != 0 && n.Str != "DIModule" && n.Str != "DICommonBlock" && n.Str != "DIMacroFile" && !v.checkDI(v.mdIs(file, "DIFile"), "invalid file", at, mdNode(file)) {
		return
	}
	scope := n.FieldNode("scope")
	switch n.Str {
	case "DIBasicType":
		v.checkDI(tag == "" || tag == "DW_TAG_base_type" || tag == "DW_TAG_unspecified_type" || tag == "DW_TAG_string_type", "invalid tag", at)
	case "DIFixedPointType":
		v.fixedPointType(at, n, tag)
	case "DISubrangeType":
		v.subrangeType(at, n)
	case "DIModule":
		v.checkDI(n.FieldText("name") != "", "anonymous module", at)
	case "DIStringType":
		v.checkDI(tag == "" || tag == "DW_TAG_string_type", "invalid tag", at)
	case "DIDerivedType":
		v.derivedType(at, n, tag)
	case "DICompositeType":
		v.compositeType(at, n, tag)
	case "DISubroutineType":
		if types := n.FieldNode("types"); types != 0 {
			if !v.checkDI(v.isTuple(types), "invalid composite elements", at, mdNode(types)) {
				return
			}
			for _, t := range v.mdOps(types) {
				if !v.checkDI(t == 0 || v.isType(t), "invalid subroutine type ref", at, mdNode(types), mdNode(t)) {
					return
				}
			}
		}
		flags := n.FieldText("flags")
		v.checkDI(!(strings.Contains(flags, "DIFlagLValueReference") && strings.Contains(flags, "DIFlagRValueReference")), "invalid reference flags", at)
	case "DICompileUnit":
		v.compileUnit(id, at, n)
	case "DISubprogram":
		v.subprogram(id, at, n)
	case "DISubrange", "DIGenericSubrange":
		v.subrange(at, n)
	case "DILexicalBlock", "DILexicalBlockFile":
		if !v.checkDI(v.isLocalScope(scope), "invalid local scope", at, mdNode(scope)) {
			return
		}
		if v.mdIs(scope, "DISubprogram") && !v.checkDI(v.isDefinition(v.m.MD.At(scope)), "scope points into the type hierarchy", at) {
			return
		}
		if n.Str == "DILexicalBlock" {
			v.checkDI(n.Field("line") != nil || n.Field("column") == nil, "cannot have column info without line info", at)
		}
	case "DINamespace", "DICommonBlock":
		if v.checkDI(scope == 0 || v.isScope(scope), "invalid scope ref", at, mdNode(scope)) {
			if d := n.FieldNode("declaration"); d != 0 {
				v.checkDI(v.mdIs(d, "DIGlobalVariable"), "invalid declaration", at, mdNode(d))
			}
		}
	case "DIMacro":
		t := n.FieldText("type")
		if v.checkDI(t == "DW_MACINFO_define" || t == "DW_MACINFO_undef", "invalid macinfo type", at) {
			v.checkDI(n.FieldText("name") != "", "anonymous macro", at)
		}
	case "DIMacroFile":
		if !v.checkDI(n.FieldText("type") == "" || n.FieldText("type") == "DW_MACINFO_start_file", "invalid macinfo type", at) ||
			!v.checkDI(file == 0 || v.mdIs(file, "DIFile"), "invalid file", at, mdNode(file)) {
			return
		}
		if nodes := n.FieldNode("nodes"); nodes != 0 && v.checkDI(v.isTuple(nodes), "invalid macro list", at, mdNode(nodes)) {
			for _, o := range v.mdOps(nodes) {
				if !v.checkDI(v.mdIs(o, "DIMacro") || v.mdIs(o, "DIMacroFile"), "invalid macro ref", at, mdNode(o)) {
					return
				}
			}
		}
	case "DITemplateTypeParameter":
		v.checkDI(v.isTypeOrNull(n.FieldNode("type")), "invalid type ref", at, mdNode(n.FieldNode("type")))
	case "DITemplateValueParameter":
		if v.checkDI(v.isTypeOrNull(n.FieldNode("type")), "invalid type ref", at, mdNode(n.FieldNode("type"))) {
			switch tag {
			case "", "DW_TAG_template_value_parameter", "DW_TAG_GNU_template_template_param", "DW_TAG_GNU_template_parameter_pack":
			default:
				v.failDI("invalid tag", at)
			}
		}
	case "DIGlobalVariable":
		t := n.FieldNode("type")
		if !v.variable(at, n) || !v.checkDI(v.isTypeOrNull(t), "invalid type ref", at, mdNode(t)) {
			return
		}
		if n.Field("isDefinition") == nil && !v.checkDI(t != 0, "missing global variable type", at) {
			return
		}
		if d := n.FieldNode("declaration"); d != 0 {
			v.checkDI(v.mdIs(d, "DIDerivedType"), "invalid static data member declaration", at, mdNode(d))
		}
	case "DILocalVariable":
		t := n.FieldNode("type")
		if !v.variable(at, n) || !v.checkDI(v.isTypeOrNull(t), "invalid type ref", at, mdNode(t)) ||
			!v.checkDI(v.isLocalScope(scope), "local variable requires a valid scope", at, mdNode(scope)) {
			return
		}
		v.checkDI(v.class(t) != "DISubroutineType", "invalid type", at, mdNode(t))
	case "DILabel":
		if !v.checkDI(v.isLocalScope(scope), "label requires a valid scope", at, mdNode(scope)) {
			return
		}
	case "DIGlobalVariableExpression":
		g, e := n.FieldNode("var"), n.FieldNode("expr")
		if !v.checkDI(g != 0, "missing variable") || !v.checkDI(v.mdIs(g, "DIGlobalVariable"), "invalid global variable ref", at, mdNode(g)) {
			return
		}
		if e != 0 && v.mdIs(e, "DIExpression") {
			v.specialized(e, v.m.MD.At(e))
			v.fragment(at, g, e)
		}
	case "DIObjCProperty":
		v.checkDI(v.isTypeOrNull(n.FieldNode("type")), "invalid type ref", at, mdNode(n.FieldNode("type")))
	case "DIImportedEntity":
		if !v.checkDI(tag == "DW_TAG_imported_module" || tag == "DW_TAG_imported_declaration", "invalid tag", at) {
			return
		}
		if v.checkDI(scope == 0 || v.isScope(scope), "invalid scope for imported entity", at, mdNode(scope)) {
			if e := n.FieldNode("entity"); e != 0 {
				v.checkDI(v.m.MD.At(e) != nil && v.m.MD.At(e).Kind == ir.MDSpecialized && !v.mdIs(e, "DILocation"), "invalid imported entity", at, mdNode(e))
			}
		}
	}
}

func (v *verifier) fixedPointType(at mdNode, n *ir.MDNode, tag string) {
	base := tag == "" || tag == "DW_TAG_base_type"
	v.checkDI(base || tag == "DW_TAG_unspecified_type" || tag == "DW_TAG_string_type", "invalid tag", at) // as a DIBasicType
	enc := n.FieldText("encoding")
	if !v.checkDI(base, "invalid tag", at) || !v.checkDI(enc == "DW_ATE_signed_fixed" || enc == "DW_ATE_unsigned_fixed", "invalid encoding", at) {
		return
	}
	if n.FieldText("kind") == "Rational" {
		v.checkDI(n.Field("factor") == nil, "factor should be 0 for rationals", at)
	} else {
		v.checkDI(n.Field("numerator") == nil && n.Field("denominator") == nil, "numerator and denominator should be 0 for non-rationals", at)
	}
}

func (v *verifier) subrangeType(at mdNode, n *ir.MDNode) {
	if f := n.Field("size"); f != nil && f.Kind == ir.MDFieldNode && !v.checkDI(v.mdConst(f.Node) != nil, "SizeInBits must be a constant") {
		return
	}
	if !v.checkDI(v.isTypeOrNull(n.FieldNode("baseType")), "BaseType must be a type") {
		return
	}
	for _, k := range [...]struct{ field, msg string }{{"lowerBound", "LowerBound must be signed constant or DIVariable or DIExpression or DIDerivedType"},
		{"upperBound", "UpperBound must be signed constant or DIVariable or DIExpression or DIDerivedType"},
		{"stride", "Stride must be signed constant or DIVariable or DIExpression"}, {"bias", "Bias must be signed constant or DIVariable or DIExpression"}} {
		f := n.Field(k.field)
		if f == nil || f.Kind != ir.MDFieldNode {
			continue
		}
		derived := v.mdIs(f.Node, "DIDerivedType") && strings.HasSuffix(k.msg, "DIDerivedType")
		if !v.checkDI(v.isBound(f.Node) || derived, k.msg, at) {
			return
		}
	}
}

// isBound reports what may be a bound of a subrange: a constant, a variable, an expression.
func (v *verifier) isBound(id ir.MDID) bool {
	c := v.class(id)
	return v.mdConst(id) != nil || c == "DILocalVariable" || c == "DIGlobalVariable" || c == "DIExpression"
}

func (v *verifier) isTypeOrNull(id ir.MDID) bool { return id == 0 || v.isType(id) }

func (v *verifier) variable(at mdNode, n *ir.MDNode) bool {
	s := n.FieldNode("scope")
	return v.checkDI(s == 0 || v.isScope(s), "invalid scope", at, mdNode(s))
}

func (v *verifier) diFile(at mdNode, n *ir.MDNode) {
	f := n.Field("checksum")
	if f == nil {
		return
	}
	want := map[string]int{"CSK_MD5": 32, "CSK_SHA1": 40, "CSK_SHA256": 64}[n.FieldText("checksumkind")]
	if !v.checkDI(len(f.Str) == want, "invalid checksum length", at) {
		return
	}
	v.checkDI(strings.Trim(f.Str, "0123456789abcdefABCDEF") == "", "invalid checksum", at)
}

func (v *verifier) derivedType(at mdNode, n *ir.MDNode, tag string) {
	switch tag {
	case "DW_TAG_typedef", "DW_TAG_pointer_type", "DW_TAG_ptr_to_member_type", "DW_TAG_reference_type", "DW_TAG_rvalue_reference_type",
		"DW_TAG_const_type", "DW_TAG_immutable_type", "DW_TAG_volatile_type", "DW_TAG_restrict_type", "DW_TAG_atomic_type",
		"DW_TAG_LLVM_ptrauth_type", "DW_TAG_member", "DW_TAG_variable", "DW_TAG_inheritance", "DW_TAG_friend", "DW_TAG_set_type",
		"DW_TAG_template_alias":
	default:
		v.failDI("invalid tag", at)
		return
	}
	extra := n.FieldNode("extraData")
	if tag == "DW_TAG_ptr_to_member_type" && !v.checkDI(v.isTypeOrNull(extra), "invalid pointer to member type", at, mdNode(extra)) {
		return
	}
	base := n.FieldNode("baseType")
	if tag == "DW_TAG_set_type" && base != 0 {
		ok := false
		b := v.m.MD.At(base)
		switch v.class(base) {
		case "DICompositeType":
			ok = b.FieldText("tag") == "DW_TAG_enumeration_type"
		case "DISubrangeType":
			ok = true
		case "DIBasicType":
			switch b.FieldText("encoding") {
			case "DW_ATE_signed", "DW_ATE_unsigned", "DW_ATE_signed_char", "DW_ATE_unsigned_char", "DW_ATE_boolean":
				ok = true
			}
		case "DIDerivedType":
			ok = b.FieldText("tag") == "DW_TAG_typedef"
		}
		if !v.checkDI(ok, "invalid set base type", at, mdNode(base)) {
			return
		}
	}
	scope := n.FieldNode("scope")
	if !v.checkDI(scope == 0 || v.isScope(scope), "invalid scope", at, mdNode(scope)) ||
		!v.checkDI(v.isTypeOrNull(base), "invalid base type", at, mdNode(base)) {
		return
	}
	if n.Field("dwarfAddressSpace") != nil {
		switch tag {
		case "DW_TAG_pointer_type", "DW_TAG_reference_type", "DW_TAG_rvalue_reference_type":
		default:
			v.failDI("DWARF address space only applies to pointer or reference types", at)
			return
		}
	}
	if f := n.Field("size"); f != nil && f.Kind == ir.MDFieldNode && f.Node != 0 {
		ok := v.mdConst(f.Node) != nil || v.mdIs(f.Node, "DIVariable") || v.mdIs(f.Node, "DILocalVariable") || v.mdIs(f.Node, "DIGlobalVariable") || v.mdIs(f.Node, "DIExpression")
		if !v.checkDI(ok, "SizeInBits must be a constant or DIVariable or DIExpression") {
			return
		}
	}
	if tag == "DW_TAG_template_alias" {
		if extra != 0 {
			ok := v.isTuple(extra)
			for _, o := range v.mdOps(extra) {
				c := v.class(o)
				ok = ok && (c == "DITemplateTypeParameter" || c == "DITemplateValueParameter")
			}
			v.checkDI(ok, "invalid template parameters", at, mdNode(extra))
		}
		return
	}
	if extra != 0 && tag != "DW_TAG_ptr_to_member_type" {
		ok := v.mdIsString(extra) || v.m.MD.At(extra).Kind == ir.MDConst || v.mdIs(extra, "DIObjCProperty")
		if ops := v.mdOps(extra); len(ops) == 1 && ops[0] != 0 && v.m.MD.At(ops[0]).Kind == ir.MDConst {
			ok = true
		}
		v.checkDI(ok, "extraData must be ConstantAsMetadata, MDString, DIObjCProperty, or MDTuple with single ConstantAsMetadata operand", at, mdNode(extra))
	}
}

func (v *verifier) templateParams(at mdNode, p ir.MDID) bool {
	if !v.checkDI(v.isTuple(p), "invalid template params", at, mdNode(p)) {
		return false
	}
	for _, o := range v.mdOps(p) {
		c := v.class(o)
		if !v.checkDI(c == "DITemplateTypeParameter" || c == "DITemplateValueParameter", "invalid template parameter", at, mdNode(p), mdNode(o)) {
			return false
		}
	}
	return true
}

func (v *verifier) compositeType(at mdNode, n *ir.MDNode, tag string) {
	switch tag {
	case "DW_TAG_array_type", "DW_TAG_structure_type", "DW_TAG_union_type", "DW_TAG_enumeration_type", "DW_TAG_class_type",
		"DW_TAG_variant_part", "DW_TAG_variant", "DW_TAG_namelist":
	default:
		v.failDI("invalid tag", at)
		return
	}
	scope, base, elems := n.FieldNode("scope"), n.FieldNode("baseType"), n.FieldNode("elements")
	if !v.checkDI(scope == 0 || v.isScope(scope), "invalid scope", at, mdNode(scope)) ||
		!v.checkDI(v.isTypeOrNull(base), "invalid base type", at, mdNode(base)) ||
		!v.checkDI(elems == 0 || v.isTuple(elems), "invalid composite elements", at, mdNode(elems)) {
		return
	}
	vt := n.FieldNode("vtableHolder")
	if !v.checkDI(v.isTypeOrNull(vt), "invalid vtable holder", at, mdNode(vt)) {
		return
	}
	flags := n.FieldText("flags")
	if !v.checkDI(!(strings.Contains(flags, "DIFlagLValueReference") && strings.Contains(flags, "DIFlagRValueReference")), "invalid reference flags", at) ||
		!v.checkDI(!strings.Contains(flags, "DIFlagReservedBit4"), "DIBlockByRefStruct on DICompositeType is no longer supported", at) {
		return
	}
	for _, o := range v.mdOps(elems) {
		if !v.checkDI(o != 0, "DISubprogram contains null entry in `elements` field", at) {
			return
		}
	}
	if strings.Contains(flags, "DIFlagVector") {
		ops := v.mdOps(elems)
		ok := len(ops) == 1 && v.mdIs(ops[0], "DISubrange")
		if !v.checkDI(ok, "invalid vector, expected one element of type subrange", at) {
			return
		}
	}
	if p := n.FieldNode("templateParams"); p != 0 && !v.templateParams(at, p) {
		return
	}
	if d := n.FieldNode("discriminator"); d != 0 &&
		!v.checkDI(v.mdIs(d, "DIDerivedType") && tag == "DW_TAG_variant_part", "discriminator can only appear on variant part") {
		return
	}
	for _, x := range [...][2]string{{"dataLocation", "dataLocation can only appear in array type"}, {"associated", "associated can only appear in array type"},
		{"allocated", "allocated can only appear in array type"}, {"rank", "rank can only appear in array type"}} {
		if n.Field(x[0]) != nil && !v.checkDI(tag == "DW_TAG_array_type", x[1]) {
			return
		}
	}
	if tag == "DW_TAG_array_type" {
		v.checkDI(base != 0, "array types must have a base type", at)
	}
}

func (v *verifier) subrange(at mdNode, n *ir.MDNode) {
	if n.Str == "DIGenericSubrange" {
		if !v.checkDI(n.Field("count") == nil || n.Field("upperBound") == nil, "GenericSubrange can have any one of count or upperBound", at) {
			return
		}
		isBound := func(key, what string) bool {
			f := n.Field(key)
			return f == nil || f.Kind != ir.MDFieldNode || v.checkDI(v.isBound(f.Node), what+" must be signed constant or DIVariable or DIExpression", at)
		}
		if isBound("count", "Count") && v.checkDI(n.Field("lowerBound") != nil, "GenericSubrange must contain lowerBound", at) && isBound("lowerBound", "LowerBound") &&
			isBound("upperBound", "UpperBound") && v.checkDI(n.Field("stride") != nil, "GenericSubrange must contain stride", at) {
			isBound("stride", "Stride")
		}
		return
	}
	if !v.checkDI(n.Field("count") == nil || n.Field("upperBound") == nil, "Subrange can have any one of count or upperBound", at) {
		return
	}
	for _, k := range [...]string{"count", "lowerBound", "upperBound", "stride"} {
		f := n.Field(k)
		if f == nil || f.Kind != ir.MDFieldNode {
			continue
		}
		c := v.class(f.Node)
		ok := v.mdConst(f.Node) != nil || c == "DILocalVariable" || c == "DIGlobalVariable" || c == "DIExpression"
		msg := map[string]string{"count": "Count must be signed constant or DIVariable or DIExpression",
			"lowerBound": "LowerBound must be signed constant or DIVariable or DIExpression",
			"upperBound": "UpperBound must be signed constant or DIVariable or DIExpression",
			"stride":     "Stride must be signed constant or DIVariable or DIExpression"}[k]
		if !v.checkDI(ok, msg, at) {
			return
		}
	}
	if f := n.Field("count"); f != nil && f.Kind == ir.MDFieldInt && f.Neg && f.Int > 1 {
		v.failDI("invalid subrange count", at)
	}
}

func (v *verifier) compileUnit(id ir.MDID, at mdNode, n *ir.MDNode) {
	file := n.FieldNode("file")
	if !v.checkDI(n.Distinct, "compile units must be distinct", at) || !v.checkDI(v.mdIs(file, "DIFile"), "invalid file", at, mdNode(file)) {
		return
	}
	f := v.m.MD.At(file)
	if !v.checkDI(f.FieldText("filename") != "", "invalid filename", at, mdNode(file)) {
		return
	}
	v.cus[id] = true
	for _, k := range [...][3]string{{"enums", "invalid enum list", "invalid enum type"}, {"retainedTypes", "invalid retained type list", "invalid retained type"},
		{"globals", "invalid global variable list", "invalid global variable ref"}, {"imports", "invalid imported entity list", "invalid imported entity ref"},
		{"macros", "invalid macro list", "invalid macro ref"}} {
		l := n.FieldNode(k[0])
		if l == 0 {
			continue
		}
		if !v.checkDI(v.isTuple(l), k[1], at, mdNode(l)) {
			return
		}
		for _, o := range v.mdOps(l) {
			ok := true
			switch k[0] {
			case "enums":
				ok = v.mdIs(o, "DICompositeType") && v.m.MD.At(o).FieldText("tag") == "DW_TAG_enumeration_type"
				if !v.checkDI(ok, k[2], at, mdNode(l), mdNode(o)) {
					return
				}
				continue
			case "retainedTypes":
				ok = v.isType(o) || v.mdIs(o, "DISubprogram") && !v.isDefinition(v.m.MD.At(o))
			case "globals":
				ok = v.mdIs(o, "DIGlobalVariableExpression")
			case "imports":
				ok = v.mdIs(o, "DIImportedEntity")
			case "macros":
				ok = v.mdIs(o, "DIMacro") || v.mdIs(o, "DIMacroFile")
			}
			if !v.checkDI(ok, k[2], at, mdNode(o)) {
				return
			}
		}
	}
}

func (v *verifier) isDefinition(sp *ir.MDNode) bool {
	return strings.Contains(sp.FieldText("spFlags"), "DISPFlagDefinition")
}

func (v *verifier) subprogram(id ir.MDID, at mdNode, n *ir.MDNode) {
	scope, file := n.FieldNode("scope"), n.FieldNode("file")
	if !v.checkDI(scope == 0 || v.isScope(scope), "invalid scope", at, mdNode(scope)) {
		return
	}
	if file == 0 && !v.checkDI(n.FieldInt("line") == 0, "line specified with no file", at, text(string(appendInt(nil, int(n.FieldInt("line")))))) {
		return
	}
	if t := n.FieldNode("type"); t != 0 && !v.checkDI(v.mdIs(t, "DISubroutineType"), "invalid subroutine type", at, mdNode(t)) {
		return
	}
	if c := n.FieldNode("containingType"); !v.checkDI(v.isTypeOrNull(c), "invalid containing type", at, mdNode(c)) {
		return
	}
	if p := n.FieldNode("templateParams"); p != 0 && !v.templateParams(at, p) {
		return
	}
	if d := n.FieldNode("declaration"); d != 0 {
		ok := v.mdIs(d, "DISubprogram") && !v.isDefinition(v.m.MD.At(d))
		if !v.checkDI(ok, "invalid subprogram declaration", at, mdNode(d)) {
			return
		}
	}
	if r := n.FieldNode("retainedNodes"); r != 0 {
		if !v.checkDI(v.isTuple(r), "invalid retained nodes list", at, mdNode(r)) {
			return
		}
		for _, o := range v.mdOps(r) {
			c := v.class(o)
			if !v.checkDI(o != 0 && (c == "DILocalVariable" || c == "DILabel" || c == "DIImportedEntity" || v.isType(o)),
				"invalid retained nodes, expected DILocalVariable, DILabel or DIImportedEntity", at, mdNode(r), mdNode(o)) {
				return
			}
		}
	}
	flags := n.FieldText("flags")
	if !v.checkDI(!(strings.Contains(flags, "DIFlagLValueReference") && strings.Contains(flags, "DIFlagRValueReference")), "invalid reference flags", at) {
		return
	}
	unit := n.FieldNode("unit")
	if v.isDefinition(n) {
		if !v.checkDI(n.Distinct, "subprogram definitions must be distinct", at) ||
			!v.checkDI(unit != 0, "subprogram definitions must have a compile unit", at) ||
			!v.checkDI(v.mdIs(unit, "DICompileUnit"), "invalid unit type", at, mdNode(unit)) {
			return
		}
		// LLVM's opt and linkers ask for this, llc, llvm-as and llvm-dis do not.
		if v.o.ODRTypes && v.mdIs(scope, "DICompositeType") && v.m.MD.At(scope).FieldText("identifier") != "" &&
			!v.checkDI(n.FieldNode("declaration") != 0, "definition subprograms cannot be nested within DICompositeType when enabling ODR", at) {
			return
		}
	} else {
		if !v.checkDI(unit == 0, "subprogram declarations must not have a compile unit", at, mdNode(unit)) ||
			!v.checkDI(n.FieldNode("declaration") == 0, "subprogram declaration must not have a declaration field") {
			return
		}
	}
	if tt := n.FieldNode("thrownTypes"); tt != 0 {
		if !v.checkDI(v.isTuple(tt), "invalid thrown types list", at, mdNode(tt)) {
			return
		}
		for _, o := range v.mdOps(tt) {
			if !v.checkDI(v.isType(o), "invalid thrown type", at, mdNode(tt), mdNode(o)) {
				return
			}
		}
	}
	if strings.Contains(flags, "DIFlagAllCallsDescribed") {
		v.checkDI(v.isDefinition(n), "DIFlagAllCallsDescribed must be attached to a definition")
	}
}

// fragment checks that the part of a variable that an expression is about lies in the variable.
func (v *verifier) fragment(at mdNode, variable, expr ir.MDID) {
	off, size, ok := fragmentOf(v.m.MD.At(expr))
	if !ok {
		return
	}
	total, known := v.typeBits(v.m.MD.At(variable).FieldNode("type"))
	if !known {
		return
	}
	vm := mdNode(variable)
	if v.checkDI(off+size <= total, "fragment is larger than or outside of variable", at, vm) {
		v.checkDI(size != total, "fragment covers entire variable", at, vm)
	}
}

// fragmentOf returns the fragment at the end of an expression.
func fragmentOf(n *ir.MDNode) (off, size uint64, ok bool) {
	k := len(n.Fields)
	if k >= 3 && n.Fields[k-3].Str == "DW_OP_LLVM_fragment" {
		return n.Fields[k-2].Int, n.Fields[k-1].Int, true
	}
	return
}

// typeBits returns the size of a debug info type, looking through names for types.
func (v *verifier) typeBits(id ir.MDID) (uint64, bool) {
	for range 64 {
		if id == 0 || !v.isType(id) {
			return 0, false
		}
		n := v.m.MD.At(id)
		if f := n.Field("size"); f != nil && f.Kind == ir.MDFieldInt && f.Int != 0 {
			return f.Int, true
		}
		if n.Str != "DIDerivedType" {
			return 0, false
		}
		id = n.FieldNode("baseType")
	}
	return 0, false
}

// validExpression reports an expression whose operations are all known: the reader writes them as names.
func validExpression(n *ir.MDNode) bool {
	return len(n.Fields) == 0 || n.Fields[0].Kind == ir.MDFieldWord
}

// compileUnits checks that all units are in the module's list.
func (v *verifier) compileUnits() {
	l := v.named("llvm.dbg.cu")
	listed := map[ir.MDID]bool{}
	if l != nil {
		for _, id := range l.Nodes {
			listed[id] = true
		}
	}
	for id := ir.MDID(1); int(id) < v.m.MD.Len(); id++ {
		if v.cus[id] {
			v.checkDI(listed[id], "DICompileUnit not listed in llvm.dbg.cu", mdNode(id))
		}
	}
}

// subprogramOf returns the subprogram that a local scope belongs to.
func (v *verifier) subprogramOf(scope ir.MDID) ir.MDID {
	for range 1 << 16 {
		if v.mdIs(scope, "DISubprogram") {
			return scope
		}
		if !v.isLocalScope(scope) {
			return 0
		}
		scope = v.m.MD.At(scope).FieldNode("scope")
	}
	return 0
}

// debugLocations checks that the locations of a function lead to its subprogram.
func (v *verifier) debugLocations(g *ir.Global, sp ir.MDID) {
	f := v.f
	for _, id := range v.locsList {
		v.locsSeen[id/64] = 0
	}
	v.locsList = v.locsList[:0]
	seen := func(id ir.MDID) bool {
		if v.locsSeen.has(id) {
			return true
		}
		v.locsSeen.add(id)
		v.locsList = append(v.locsList, id)
		return false
	}
	visit := func(i ir.InstrID, id ir.MDID) bool {
		l, ok := v.m.MD.Location(id)
		if !ok || seen(id) {
			return true
		}
		parent := l.Scope
		if !v.checkDI(v.isLocalScope(parent), "DILocation's scope must be a DILocalScope", mdNode(sp), global(g.ID), instr(i), mdNode(id), mdNode(parent)) {
			return false
		}
		for k := 0; k < 1<<16; k++ {
			at, ok := v.m.MD.Location(l.InlinedAt)
			if !ok {
				break
			}
			l = at
		}
		scope := l.Scope
		if seen(scope) {
			return true
		}
		own := v.subprogramOf(scope)
		if again := seen(own); again && scope != own {
			return true
		}
		return v.checkDI(own == sp, "!dbg attachment points at wrong subprogram for function", mdNode(sp), global(g.ID), instr(i), mdNode(id), mdNode(scope), mdNode(own))
	}
	loop := -1
	for k, name := range v.m.MDKinds() {
		if name == "llvm.loop" {
			loop = k
		}
	}
	for _, b := range f.Order {
		for i := f.Blocks[b].First; i != 0; i = f.Instrs[i].Next {
			in := f.Instr(i)
			if in.Loc != 0 && !visit(i, in.Loc) {
				return
			}
			for a := in.MD; a != 0; a = f.Attachments[a].Next {
				if int(f.Attachments[a].Kind) != loop {
					continue
				}
				for k, o := range v.mdOps(f.Attachments[a].Node) {
					if k > 0 && !visit(i, o) {
						return
					}
				}
			}
			if v.brokenDI {
				return
			}
		}
	}
}

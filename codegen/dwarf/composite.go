package dwarf

import (
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/dwarfname"
)

// compositeType describes arrays, enumerations and what has members.
func (w *Writer) compositeType(u *unit, d dieID, n node) {
	tag := n.tag()
	switch tag {
	case tagArrayType:
		w.arrayType(u, d, n)
	case tagEnumerationType:
		w.enumeration(u, d, n)
	case tagVariantPart, tagVariant, tagStructureType, tagUnionType, tagClassType, tagNamelist, tagInterfaceType:
		w.members(u, d, n, tag)
	}
	w.addName(d, n)
	if id := n.str("identifier"); n.has("runtimeLang") && id != "" && n.word("runtimeLang", dwarfname.Lang) != 0 {
		w.addString(d, atLinkageName, id)
	}
	w.annotations(d, n)
	switch tag {
	case tagEnumerationType, tagClassType, tagStructureType, tagUnionType, tagInterfaceType:
	default:
		return
	}
	forward := n.flags()&flagFwdDecl != 0
	switch size := n.num("size") / 8; {
	case n.ref("size").MDNode != nil:
		w.attrOf(u, d, atByteSize, n.ref("size"))
	case size != 0 && (!forward || tag == tagEnumerationType):
		w.addUint(d, atByteSize, size)
	case !forward:
		w.addUint(d, atByteSize, 0)
	}
	if forward {
		w.addFlag(d, atDeclaration, w.version)
	}
	w.addAccess(d, n)
	if !forward {
		w.sourceLine(u, d, n)
	}
	if l := n.word("runtimeLang", dwarfname.Lang); l != 0 {
		w.add(d, atAPPLERuntimeClass, formData1, valInt, l)
	}
	if a := n.num("align") / 8; a != 0 {
		w.add(d, atAlignment, formUdata, valULEB, a)
	}
	if x := n.num("num_extra_inhabitants"); x != 0 {
		w.addUint(d, atLLVMNumExtraInhabitants, x)
	}
}

// members describes what a structure, union or class has.
func (w *Writer) members(u *unit, d dieID, n node, tag uint16) {
	discriminator := node{md: w.md}
	if tag == tagVariantPart {
		if discriminator = n.ref("discriminator"); !discriminator.null() {
			w.addDie(d, atDiscr, w.member(u, d, discriminator))
		}
	}
	if tag == tagClassType || tag == tagStructureType || tag == tagUnionType {
		w.templateParams(u, d, n.list("templateParams"))
	}
	for _, id := range n.list("elements") {
		w.element(u, d, w.at(id), tag, discriminator)
	}
	if n.flags()&flagAppleBlock != 0 {
		w.addFlag(d, atAPPLEBlock, w.version)
	}
	if n.flags()&flagExport != 0 {
		w.addFlag(d, atExportSymbols, w.version)
	}
	if h := n.ref("vtableHolder"); !h.null() {
		w.addType(u, d, atContainingType, h)
	}
	if n.flags()&flagObjcComplete != 0 {
		w.addFlag(d, atAPPLEObjcCompleteType, w.version)
	}
	const byReference, byValue = 4, 5 // DW_CC_pass_by_…
	switch {
	case n.flags()&flagPassByValue != 0:
		w.add(d, atCallingConvention, formData1, valInt, byValue)
	case n.flags()&flagPassByRef != 0:
		w.add(d, atCallingConvention, formData1, valInt, byReference)
	}
	if s := n.ref("specification"); !s.null() {
		w.addType(u, d, atSpecification, s)
	}
}

func (w *Writer) element(u *unit, d dieID, e node, tag uint16, discriminator node) {
	switch {
	case e.null():
	case e.is("DISubprogram"):
		w.subprogramDie(u, e, false)
	case e.is("DIDerivedType") && e.tag() == tagFriend:
		f := w.newDie(u.number, tagFriend, d)
		w.addType(u, f, atFriend, e.ref("baseType"))
	case e.is("DIDerivedType") && e.flags()&flagStaticMember != 0:
		w.staticMember(u, e)
	case e.is("DIDerivedType") && tag == tagVariantPart:
		v := w.newDie(u.number, tagVariant, d)
		if c := e.ref("extraData"); !c.null() && c.Kind == ir.MDConst && c.Value.Const() != 0 {
			w.discriminant(v, c.Value, w.isUnsigned(discriminator.ref("baseType")))
		}
		w.member(u, v, e)
	case e.is("DIDerivedType"):
		w.member(u, d, e)
	case e.is("DICompositeType") && e.tag() == tagVariantPart:
		w.compositeType(u, w.newDie(u.number, tagVariantPart, d), e)
	case e.is("DIObjCProperty"):
		w.property(u, d, e)
	case tag == tagNamelist:
		if v := w.variableDie(u, e); v != 0 {
			i := w.newDie(u.number, tagNamelistItem, d)
			w.addDie(i, atNamelistItem, v)
		}
	}
}

// discriminant is the value of the discriminator that chooses a variant.
func (w *Writer) discriminant(d dieID, v ir.Value, unsigned bool) {
	row := w.mod.Consts.At(v.Const())
	if bits := w.mod.Types.IntBits(row.Type); bits > 64 {
		w.constantOf(d, v, unsigned)
		return
	}
	if unsigned {
		w.addUint(d, atDiscrValue, row.Bits)
	} else {
		w.addSint(d, atDiscrValue, w.intOf(v))
	}
}

func (w *Writer) property(u *unit, d dieID, n node) {
	e := w.newFor(tagAPPLEProperty, d, n)
	w.addString(e, atAPPLEPropertyName, n.str("name"))
	if t := n.ref("type"); !t.null() {
		w.addType(u, e, atType, t)
	}
	w.sourceLine(u, e, n)
	if s := n.str("getter"); s != "" {
		w.addString(e, atAPPLEPropertyGetter, s)
	}
	if s := n.str("setter"); s != "" {
		w.addString(e, atAPPLEPropertySetter, s)
	}
	if a := n.num("attributes"); a != 0 {
		w.addUint(e, atAPPLEPropertyAttribute, a)
	}
}

// member describes a member or base class.
func (w *Writer) member(u *unit, parent dieID, n node) dieID {
	d := w.newFor(n.tag(), parent, n)
	w.addName(d, n)
	w.annotations(d, n)
	w.addType(u, d, atType, n.ref("baseType"))
	w.sourceLine(u, d, n)
	if n.tag() == tagInheritance && n.flags()&flagVirtual != 0 {
		b := appendULEB([]byte{opDup, opDeref, opConstu}, n.num("offset"))
		w.addBlock(d, atDataMemberLocation, block{b: append(b, opMinus, opDeref, opPlus)}, w.version)
	} else {
		w.memberPlace(d, n)
	}
	w.addAccess(d, n)
	if n.flags()&flagVirtual != 0 {
		w.add(d, atVirtuality, formData1, valInt, 1)
	}
	if p := n.ref("extraData"); p.is("DIObjCProperty") {
		if e := w.findDie(u, p); e != 0 {
			w.add(d, atAPPLEProperty, formRef4, valDie, uint64(e))
		}
	}
	if n.flags()&flagArtificial != 0 {
		w.addFlag(d, atArtificial, w.version)
	}
	return d
}

// memberPlace adds where in its structure a member is.
func (w *Writer) memberPlace(d dieID, n node) {
	old := w.version < 4 // DWARF 2's way of bit fields
	bits, off := n.num("size"), int64(n.num("offset"))
	bitField := n.flags()&flagBitField != 0
	at := uint64(off) / 8
	if bitField {
		unit := w.sizeOf(n)
		if old {
			w.addUint(d, atByteSize, unit/8)
		}
		w.addUint(d, atBitSize, bits)
		mask := ^(int64(unit) - 1)
		if !old {
			w.addUint(d, atDataBitOffset, uint64(off))
		} else {
			field := (off+int64(unit))&mask - int64(unit)
			o := off - field
			if !w.big {
				o = int64(unit) - (o + int64(bits))
			}
			if o < 0 {
				w.addSint(d, atBitOffset, o)
			} else {
				w.addUint(d, atBitOffset, uint64(o))
			}
			at = uint64(field) >> 3
		}
	} else if a := n.num("align") / 8; a != 0 {
		w.add(d, atAlignment, formUdata, valULEB, a)
	}
	switch {
	case n.ref("offset").MDNode != nil:
		w.attrOf(w.units[w.dies[d].unit], d, atDataBitOffset, n.ref("offset"))
	case w.version <= 2:
		w.addBlock(d, atDataMemberLocation, block{b: appendULEB([]byte{opPlusUconst}, at)}, w.version)
	case bitField && !old:
	case w.version == 3:
		w.add(d, atDataMemberLocation, formUdata, valULEB, at)
	default:
		w.addUint(d, atDataMemberLocation, at)
	}
}

// sizeOf is the size in bits of the type behind members, names and qualifiers.
func (w *Writer) sizeOf(n node) uint64 {
	switch n.tag() {
	case tagMember, tagTypedef, tagConstType, tagVolatileType, tagRestrictType, tagAtomicType, tagImmutableType:
	default:
		return n.num("size")
	}
	b := n.ref("baseType")
	switch {
	case b.null():
		return 0
	case b.tag() == tagReferenceType || b.tag() == tagRvalueReferenceType:
		return n.num("size")
	case b.is("DIDerivedType"):
		return w.sizeOf(b)
	}
	return b.num("size")
}

// staticMember is the entry of a static member in its class.
func (w *Writer) staticMember(u *unit, n node) dieID {
	context := w.contextDie(u, n.ref("scope"))
	if d := w.findDie(u, n); d != 0 {
		return d
	}
	cu := w.units[w.dies[context].unit]
	d := w.newFor(n.tag(), context, n)
	w.addString(d, atName, n.str("name"))
	w.annotations(d, n)
	w.addType(cu, d, atType, n.ref("baseType"))
	w.sourceLine(cu, d, n)
	w.addFlag(d, atExternal, w.version)
	w.addFlag(d, atDeclaration, w.version)
	if n.flags()&flagArtificial != 0 {
		w.addFlag(d, atArtificial, w.version)
	}
	w.addAccess(d, n)
	if c := n.ref("extraData"); !c.null() && c.Kind == ir.MDConst && c.Value.Const() != 0 {
		w.constantOf(d, c.Value, w.isUnsigned(n.ref("baseType")))
	}
	if a := n.num("align") / 8; a != 0 {
		w.add(d, atAlignment, formUdata, valULEB, a)
	}
	return d
}

func (w *Writer) arrayType(u *unit, d dieID, n node) {
	if n.flags()&flagVector != 0 {
		w.addFlag(d, atGNUVector, w.version)
		if w.isPadded(n) {
			w.addUint(d, atByteSize, n.num("size")/8)
		}
	}
	for _, a := range [...]struct {
		field string
		attr  uint16
	}{{"dataLocation", atDataLocation}, {"associated", atAssociated}, {"allocated", atAllocated}, {"rank", atRank}, {"bitStride", atBitStride}} {
		w.attrOf(u, d, a.attr, n.ref(a.field))
	}
	w.addType(u, d, atType, n.ref("baseType"))
	for _, id := range n.list("elements") {
		switch e := w.at(id); {
		case e.is("DISubrange"):
			w.subrange(u, d, e, tagSubrangeType)
		case e.is("DIGenericSubrange"):
			w.subrange(u, d, e, tagGenericSubrange)
		case e.is("DISubrangeType"):
			w.typeDie(u, e)
		}
	}
}

// isPadded reports a vector that is larger than its elements.
func (w *Writer) isPadded(n node) bool {
	l := n.list("elements")
	if len(l) == 0 {
		return false
	}
	c := w.at(l[0])
	count := c.num("count")
	if r := c.ref("count"); !r.null() && r.Kind == ir.MDConst && r.Value.Const() != 0 {
		count = uint64(w.intOf(r.Value))
	}
	return count != 0 && n.num("size") != count*n.ref("baseType").num("size")
}

// defaultLowerBound is the number of the first element of an array in the unit's
// language, -1 when DWARF does not say.
func (w *Writer) defaultLowerBound(u *unit) int64 {
	switch u.lang {
	case 0x01, 0x02, 0x04: // C89, C, C++
		return 0
	case 0x07, 0x08: // Fortran 77, 90
		return 1
	case 0x0b, 0x0c, 0x10, 0x11, 0x12, 0x13: // Java, C99, ObjC, ObjC++, UPC, D
		if w.version >= 3 {
			return 0
		}
	case 0x0e: // Fortran 95
		if w.version >= 3 {
			return 1
		}
	case 0x03, 0x05, 0x06, 0x09, 0x0a, 0x0d, 0x0f: // Ada 83, Cobol, Pascal, Modula-2, Ada 95, PLI
		if w.version >= 4 {
			return 1
		}
	case 0x14: // Python
		if w.version >= 4 {
			return 0
		}
	default:
		if w.version >= 5 {
			switch u.lang {
			case 0x1f, 0x22, 0x23, 0x17, 0x2d, 0x2e, 0x2f: // Julia, Fortran 03, 08, Modula-3, Fortran 18, Ada 05, 12
				return 1
			case 0x15, 0x16, 0x18, 0x19, 0x1a, 0x1b, 0x1c, 0x1d, 0x1e, 0x20, 0x21, 0x24, 0x25, 0x26, 0x2a, 0x2b, 0x2c, 0x27, 0x28, 0x29:
				return 0
			}
		}
	}
	return -1
}

// subrange describes one dimension of an array.
func (w *Writer) subrange(u *unit, parent dieID, n node, tag uint16) {
	d := w.newDie(u.number, tag, parent)
	w.addDie(d, atType, w.indexType(u))
	w.bounds(u, d, n)
}

func (w *Writer) bounds(u *unit, d dieID, n node) {
	first := w.defaultLowerBound(u)
	for _, a := range [...]struct {
		field string
		attr  uint16
	}{{"lowerBound", atLowerBound}, {"count", atCount}, {"upperBound", atUpperBound}, {"stride", atByteStride}} {
		f := n.field(a.field)
		if f == nil {
			continue
		}
		r := n.ref(a.field)
		var v int64
		switch {
		case f.Kind == ir.MDFieldInt:
			v = int64(fieldValue(f))
		case r.null():
			continue
		case r.Kind == ir.MDConst && r.Value.Const() != 0:
			v = w.intOf(r.Value)
		case r.is("DIExpression") && n.is("DIGenericSubrange") && len(r.Fields) == 2 && r.Fields[0].Str == "DW_OP_consts":
			v = int64(fieldValue(&r.Fields[1]))
		default:
			w.attrOf(u, d, a.attr, r)
			continue
		}
		switch {
		case a.attr == atCount:
			if v != -1 {
				w.addUint(d, a.attr, uint64(v))
			}
		case a.attr != atLowerBound || first == -1 || v != first:
			w.addSint(d, a.attr, v)
		}
	}
}

// subrangeType is a type of its own with bounds.
func (w *Writer) subrangeType(u *unit, d dieID, n node) {
	w.addName(d, n)
	w.sourceLine(u, d, n)
	w.addType(u, d, atType, n.ref("baseType"))
	if size := n.num("size"); size != 0 {
		w.addUint(d, atByteSize, (size+7)/8)
	}
	w.bounds(u, d, n)
	if r := n.ref("bias"); !r.null() {
		w.attrOf(u, d, atGNUBias, r)
	}
}

// indexType is the type that subscripts of arrays get.
func (w *Writer) indexType(u *unit) dieID {
	if u.indexType == 0 {
		d := w.newDie(u.number, tagBaseType, w.dieFor(u))
		u.indexType = d
		w.addString(d, atName, "__ARRAY_SIZE_TYPE__")
		w.addUint(d, atByteSize, 8)
		encoding := uint64(7) // DW_ATE_unsigned
		switch u.lang {
		case 0x07, 0x08, 0x0e, 0x22, 0x23, 0x2d: // Fortran's are signed
			encoding = 5
		}
		w.add(d, atEncoding, formData1, valInt, encoding)
		w.addTypeName(u, "__ARRAY_SIZE_TYPE__", d)
	}
	return u.indexType
}

func (w *Writer) enumeration(u *unit, d dieID, n node) {
	base := n.ref("baseType")
	unsigned := !base.null() && w.isUnsigned(base)
	if !base.null() {
		w.addType(u, d, atType, base)
		if w.version >= 4 && n.flags()&flagEnumClass != 0 {
			w.addFlag(d, atEnumClass, w.version)
		}
	}
	if k := n.word("enumKind", dwarfname.EnumKind); n.has("enumKind") {
		w.add(d, atAPPLEEnumKind, formData1, valInt, k)
	}
	scope := n.ref("scope")
	named := scope.null() || scope.is("DICompileUnit") || scope.is("DIFile") || scope.is("DINamespace") || scope.is("DICommonBlock")
	for _, id := range n.list("elements") {
		e := w.at(id)
		if !e.is("DIEnumerator") {
			continue
		}
		x := w.newDie(u.number, tagEnumerator, d)
		w.addString(x, atName, e.str("name"))
		if v := e.num("value"); unsigned {
			w.add(x, atConstValue, formUdata, valULEB, v)
		} else {
			w.add(x, atConstValue, formSdata, valSLEB, v)
		}
		if named {
			w.addGlobalName(u, e.str("name"), x, scope)
		}
	}
}

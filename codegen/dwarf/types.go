package dwarf

import (
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/dwarfname"
)

// Flags of nodes that entries depend on (DIFlags and DISPFlags of LLVM).
const (
	flagAccess        = 3
	flagFwdDecl       = 1 << 2
	flagAppleBlock    = 1 << 3
	flagVirtual       = 1 << 5
	flagArtificial    = 1 << 6
	flagExplicit      = 1 << 7
	flagPrototyped    = 1 << 8
	flagObjcComplete  = 1 << 9
	flagObjectPointer = 1 << 10
	flagVector        = 1 << 11
	flagStaticMember  = 1 << 12
	flagLValueRef     = 1 << 13
	flagRValueRef     = 1 << 14
	flagExport        = 1 << 15
	flagBitField      = 1 << 19
	flagNoReturn      = 1 << 20
	flagPassByValue   = 1 << 22
	flagPassByRef     = 1 << 23
	flagEnumClass     = 1 << 24
	flagBigEndian     = 1 << 27
	flagLittleEndian  = 1 << 28
	flagAllCalls      = 1 << 29

	spLocalToUnit = 1 << 2
	spDefinition  = 1 << 3
	spPure        = 1 << 5
	spElemental   = 1 << 6
	spRecursive   = 1 << 7
	spMain        = 1 << 8
	spDeleted     = 1 << 9
)

// classTag is the tag of nodes of a class that has one tag only.
func classTag(class string) uint16 {
	switch class {
	case "DIBasicType", "DIFixedPointType":
		return tagBaseType
	case "DIStringType":
		return tagStringType
	case "DISubroutineType":
		return tagSubroutineType
	case "DISubrangeType", "DISubrange":
		return tagSubrangeType
	case "DIGlobalVariable":
		return tagVariable
	}
	return 0
}

func isType(n node) bool {
	if n.null() {
		return false
	}
	switch n.Str {
	case "DIBasicType", "DIFixedPointType", "DIStringType", "DISubroutineType", "DISubrangeType", "DIDerivedType", "DICompositeType":
		return true
	}
	return false
}

func (n node) flags() uint64 { return n.word("flags", dwarfname.DIFlag) }

// key is where the entry of a node is noted: types and declarations serve all units.
func (w *Writer) key(u *unit, n node) dieKey {
	if isType(n) || n.is("DISubprogram") && !isDefinition(n) {
		return dieKey{-1, n.id}
	}
	return dieKey{u.number, n.id}
}

func (w *Writer) findDie(u *unit, n node) dieID { return w.dieOf[w.key(u, n)] }

// newFor makes the entry of a node.
func (w *Writer) newFor(tag uint16, parent dieID, n node) dieID {
	u := int(w.dies[parent].unit)
	d := w.newDie(u, tag, parent)
	w.dieOf[w.key(w.units[u], n)] = d
	return d
}

// contextDie is the entry that a node's scope has.
func (w *Writer) contextDie(u *unit, n node) dieID {
	switch {
	case n.null() || n.is("DIFile") || n.is("DICompileUnit"):
		return w.dieFor(u)
	case isType(n):
		return w.typeDie(u, n)
	case n.is("DINamespace"):
		return w.namespace(u, n)
	case n.is("DIModule"):
		return w.module(u, n)
	case n.is("DICommonBlock"):
		return w.commonBlock(u, n)
	case n.is("DISubprogram"):
		if a := w.abstract[n.id]; a != 0 {
			return a
		}
		if isDefinition(n) && !w.described[n.id] {
			if a := w.abstractDie(n); a != 0 {
				return a
			}
		}
		return w.subprogramDie(u, n, u.minimal())
	case n.is("DILexicalBlock"), n.is("DILexicalBlockFile"):
		id := w.noBlockFile(n.id)
		if d := w.dieOf[dieKey{u.number, id}]; d != 0 {
			return d
		}
		if d := w.blockDie[id]; d != 0 {
			return d
		}
		x := w.at(id)
		if x.is("DILexicalBlock") {
			x = x.ref("scope")
		}
		return w.contextDie(u, x)
	}
	if d := w.findDie(u, n); d != 0 {
		return d
	}
	return w.dieFor(u)
}

// typeDie is the entry of a type.
func (w *Writer) typeDie(u *unit, n node) dieID {
	switch tag := n.tag(); {
	case tag == tagRestrictType && w.version <= 2, tag == tagAtomicType && w.version < 5:
		return w.typeDie(u, n.ref("baseType"))
	}
	if n.null() {
		return 0
	}
	if d := w.findDie(u, n); d != 0 {
		return d
	}
	scope := n.ref("scope")
	context := w.contextDie(u, scope)
	if d := w.findDie(u, n); d != 0 {
		return d
	}
	cu := w.units[w.dies[context].unit]
	d := w.newFor(n.tag(), context, n)
	w.typeNames(cu, n, d)
	switch n.Str {
	case "DIBasicType", "DIFixedPointType":
		w.basicType(d, n)
	case "DIStringType":
		w.stringType(cu, d, n)
	case "DISubroutineType":
		w.subroutineType(cu, d, n)
	case "DISubrangeType":
		w.subrangeType(cu, d, n)
	case "DICompositeType":
		w.compositeType(cu, d, n)
	default:
		w.derivedType(cu, d, n)
	}
	return d
}

// addType refers to a type, if there is one.
func (w *Writer) addType(u *unit, d dieID, attr uint16, n node) {
	if t := w.typeDie(u, n); t != 0 {
		w.addDie(d, attr, t)
	}
}

func (w *Writer) addName(d dieID, n node) {
	if s := n.str("name"); s != "" {
		w.addString(d, atName, s)
	}
}

func (w *Writer) addAccess(d dieID, n node) {
	const public, protected, private = 1, 2, 3 // DW_ACCESS_…
	switch n.flags() & flagAccess {
	case 1:
		w.add(d, atAccessibility, formData1, valInt, private)
	case 2:
		w.add(d, atAccessibility, formData1, valInt, protected)
	case 3:
		w.add(d, atAccessibility, formData1, valInt, public)
	}
}

func (w *Writer) sourceLine(u *unit, d dieID, n node) {
	if line := n.num("line"); line != 0 {
		w.addUint(d, atDeclFile, w.fileNumber(u, n.ref("file").id))
		w.addUint(d, atDeclLine, line)
	}
}

// annotations are btf_decl_tag attributes and their like.
func (w *Writer) annotations(d dieID, n node) {
	for _, id := range n.list("annotations") {
		l := w.md.At(id)
		if l == nil || len(l.Ops) != 2 {
			continue
		}
		name, val := w.md.At(l.Ops[0]), w.md.At(l.Ops[1])
		if name == nil || val == nil {
			continue
		}
		e := w.newDie(int(w.dies[d].unit), tagLLVMAnnotation, d)
		w.addString(e, atName, name.Str)
		if val.Kind == ir.MDString {
			w.addString(e, atConstValue, val.Str)
		} else if val.Kind == ir.MDConst && val.Value.Const() != 0 {
			w.addUint(e, atConstValue, w.mod.Consts.At(val.Value.Const()).Bits)
		}
	}
}

func (w *Writer) basicType(d dieID, n node) {
	w.addName(d, n)
	if n.tag() == tagUnspecifiedType {
		return
	}
	w.add(d, atEncoding, formData1, valInt, n.word("encoding", dwarfname.Encoding))
	w.addUint(d, atByteSize, (n.num("size")+7)/8)
	if b := n.num("dataSize"); b != 0 {
		w.addUint(d, atBitSize, b)
	}
	w.endianity(d, n)
	if x := n.num("num_extra_inhabitants"); x != 0 {
		w.addUint(d, atLLVMNumExtraInhabitants, x)
	}
	if n.is("DIFixedPointType") {
		w.fixedPoint(d, n)
	}
}

func (w *Writer) endianity(d dieID, n node) {
	switch fl := n.flags(); {
	case fl&flagBigEndian != 0:
		w.addUint(d, atEndianity, 1)
	case fl&flagLittleEndian != 0:
		w.addUint(d, atEndianity, 2)
	}
}

func (w *Writer) fixedPoint(d dieID, n node) {
	switch k := n.field("kind"); {
	case k == nil:
	case k.Str == "Binary":
		w.addSint(d, atBinaryScale, int64(n.num("factor")))
	case k.Str == "Decimal":
		w.addSint(d, atDecimalScale, int64(n.num("factor")))
	}
}

// exprBlock is a DIExpression as the block of an attribute of a type.
func (w *Writer) exprBlock(d dieID, attr uint16, n node) {
	e := exprWriter{w: w}
	e.reset(parseExpr(n, nil))
	e.kind = locMemory
	if e.rest(nil) {
		w.addBlock(d, attr, block{b: e.b}, w.version)
	}
}

// attrOf adds an attribute that is a variable, an expression or a constant.
func (w *Writer) attrOf(u *unit, d dieID, attr uint16, n node) {
	switch {
	case n.null():
	case n.is("DIExpression"):
		w.exprBlock(d, attr, n)
	case n.is("DILocalVariable") || n.is("DIGlobalVariable"):
		if v := w.variableDie(u, n); v != 0 {
			w.addDie(d, attr, v)
		}
	case n.is("DIDerivedType"):
		if v := w.findDie(u, n); v != 0 {
			w.addDie(d, attr, v)
		}
	case n.Kind == ir.MDConst && n.Value.Const() != 0:
		w.addSint(d, attr, w.intOf(n.Value))
	}
}

// variableDie is the entry of a variable that was made already.
func (w *Writer) variableDie(u *unit, n node) dieID {
	if d := w.findDie(u, n); d != 0 {
		return d
	}
	if d := w.entities[n.id]; d != 0 {
		return d
	}
	for i := len(w.concrete) - 1; i >= 0; i-- {
		if w.concrete[i].node == n.id {
			return w.concrete[i].die
		}
	}
	return 0
}

// intOf is a constant of the module as a signed number.
func (w *Writer) intOf(v ir.Value) int64 {
	row := w.mod.Consts.At(v.Const())
	bits := 64
	if w.mod.Types.Kind(row.Type) == ir.KindInteger {
		bits = min(w.mod.Types.IntBits(row.Type), 64)
	}
	return int64(row.Bits) << (64 - bits) >> (64 - bits)
}

func (w *Writer) stringType(u *unit, d dieID, n node) {
	w.addName(d, n)
	switch l, e := n.ref("stringLength"), n.ref("stringLengthExpression"); {
	case !l.null():
		w.attrOf(u, d, atStringLength, l)
	case !e.null():
		w.exprBlock(d, atStringLength, e)
	default:
		w.addUint(d, atByteSize, n.num("size")/8)
	}
	if e := n.ref("stringLocationExpression"); !e.null() {
		w.exprBlock(d, atDataLocation, e)
	}
	if e := n.word("encoding", dwarfname.Encoding); e != 0 {
		w.add(d, atEncoding, formData1, valInt, e)
	}
}

func (w *Writer) derivedType(u *unit, d dieID, n node) {
	tag := n.tag()
	w.addType(u, d, atType, n.ref("baseType"))
	w.addName(d, n)
	w.annotations(d, n)
	if a := n.num("align") / 8; tag == tagTypedef && w.version >= 5 && a > 0 {
		w.add(d, atAlignment, formUdata, valULEB, a)
	}
	isRef := tag == tagPointerType || tag == tagPtrToMemberType || tag == tagReferenceType || tag == tagRvalueReferenceType
	if size := n.num("size") / 8; size != 0 && !isRef {
		w.addUint(d, atByteSize, size)
	}
	if tag == tagPtrToMemberType {
		w.addType(u, d, atContainingType, n.ref("extraData"))
	}
	w.addAccess(d, n)
	if n.flags()&flagFwdDecl == 0 {
		w.sourceLine(u, d, n)
	}
	if n.has("dwarfAddressSpace") {
		if f := n.field("dwarfAddressSpace"); f.Kind == ir.MDFieldInt {
			w.add(d, atAddressClass, formData4, valInt, f.Int)
		}
	}
	if tag == tagTemplateAlias {
		w.templateParams(u, d, n.list("extraData"))
	}
	if tag == tagLLVMPtrauthType {
		w.ptrauth(d, n)
	}
}

func (w *Writer) ptrauth(d dieID, n node) {
	w.add(d, atLLVMPtrauthKey, formData1, valInt, n.num("ptrAuthKey"))
	if n.flag("ptrAuthIsAddressDiscriminated", false) {
		w.addFlag(d, atLLVMPtrauthAddressDiscriminated, w.version)
	}
	w.add(d, atLLVMPtrauthExtraDiscriminator, formData2, valInt, n.num("ptrAuthExtraDiscriminator"))
	if n.flag("ptrAuthIsaPointer", false) {
		w.addFlag(d, atLLVMPtrauthIsaPointer, w.version)
	}
	if n.flag("ptrAuthAuthenticatesNullValues", false) {
		w.addFlag(d, atLLVMPtrauthAuthenticatesNullValues, w.version)
	}
}

// isCLike reports a language in which a function may have no prototype.
func (u *unit) isCLike() bool {
	switch u.lang {
	case 0x01, 0x02, 0x0c, 0x10, 0x1d, 0x2c, 0x3e, 0x0004: // C89, C, C99, ObjC, C11, C17, C23
		return u.lang != 0x0004
	}
	return false
}

func (w *Writer) subroutineType(u *unit, d dieID, n node) {
	types := n.list("types")
	if len(types) > 0 {
		w.addType(u, d, atType, w.at(types[0]))
	}
	prototyped := len(types) != 2 || types[1] != 0
	w.arguments(u, d, types)
	if prototyped && u.isCLike() {
		w.addFlag(d, atPrototyped, w.version)
	}
	if cc := n.word("cc", dwarfname.CC); cc > 1 {
		w.add(d, atCallingConvention, formData1, valInt, cc)
	}
	w.refQualifier(d, n)
}

func (w *Writer) refQualifier(d dieID, n node) {
	if n.flags()&flagLValueRef != 0 {
		w.addFlag(d, atReference, w.version)
	}
	if n.flags()&flagRValueRef != 0 {
		w.addFlag(d, atRvalueReference, w.version)
	}
}

// arguments adds parameters of a declaration or type.
func (w *Writer) arguments(u *unit, d dieID, types []ir.MDID) {
	for k := 1; k < len(types); k++ {
		t := w.at(types[k])
		if t.null() {
			w.newDie(u.number, tagUnspecifiedParameters, d)
			continue
		}
		a := w.newDie(u.number, tagFormalParameter, d)
		w.addType(u, a, atType, t)
		if t.flags()&flagArtificial != 0 {
			w.addFlag(a, atArtificial, w.version)
		}
	}
}

func (w *Writer) templateParams(u *unit, d dieID, list []ir.MDID) {
	for _, id := range list {
		p := w.at(id)
		switch {
		case p.is("DITemplateTypeParameter"):
			e := w.newDie(u.number, tagTemplateTypeParameter, d)
			w.addType(u, e, atType, p.ref("type"))
			w.addName(e, p)
			w.defaultValue(e, p)
		case p.is("DITemplateValueParameter"):
			w.templateValue(u, d, p)
		}
	}
}

func (w *Writer) defaultValue(d dieID, p node) {
	if p.flag("defaulted", false) {
		w.addFlag(d, atDefaultValue, w.version)
	}
}

func (w *Writer) templateValue(u *unit, d dieID, p node) {
	tag := uint16(tagTemplateValueParameter)
	if p.has("tag") {
		tag = p.tag()
	}
	e := w.newDie(u.number, tag, d)
	if tag == tagTemplateValueParameter {
		w.addType(u, e, atType, p.ref("type"))
	}
	w.addName(e, p)
	w.defaultValue(e, p)
	if f := p.field("value"); f != nil && f.Kind == ir.MDFieldString && tag == tagGNUTemplateTemplateParam {
		w.addString(e, atGNUTemplateName, f.Str)
		return
	}
	switch v := p.ref("value"); {
	case v.null():
	case v.Kind == ir.MDConst && v.Value.Tag() == ir.TagGlobal:
		b := w.addressOf(w.out.Symbol(v.Value.Global()))
		b.b = append(b.b, opStackValue)
		w.addBlock(e, atLocation, b, w.version)
	case v.Kind == ir.MDConst && v.Value.Const() != 0:
		w.constantOf(e, v.Value, w.isUnsigned(p.ref("type")))
	case tag == tagGNUTemplateTemplateParam:
		w.addString(e, atGNUTemplateName, v.MDNode.Str)
	case tag == tagGNUTemplateParameterPack:
		w.templateParams(u, e, v.Ops)
	}
}

// constantOf adds the value of a constant of the module.
func (w *Writer) constantOf(d dieID, v ir.Value, unsigned bool) {
	p, c := &w.mod.Consts, v.Const()
	row := p.At(c)
	t := w.mod.Types
	switch t.Kind(row.Type) {
	case ir.KindInteger:
		k := constant{words: []uint64{0}, bits: t.IntBits(row.Type)}
		if row.Kind == ir.ConstInt {
			k.words = p.Words(c)
			if len(k.words) == 0 {
				k.words = []uint64{row.Bits}
			}
		}
		w.constantValue(d, &k, unsigned)
	default:
		if row.Kind == ir.ConstFP {
			words := append(p.Words(c), 0)
			w.constantValue(d, &constant{words: words, bits: t.FloatBits(row.Type), fp: true}, true)
		}
	}
}

// isUnsigned reports a type whose constants are unsigned.
func (w *Writer) isUnsigned(n node) bool {
	for !n.null() {
		switch tag := n.tag(); {
		case n.is("DICompositeType"):
			if tag != tagEnumerationType {
				return true
			}
			n = n.ref("baseType")
			continue
		case n.is("DIDerivedType"):
			switch tag {
			case tagPointerType, tagPtrToMemberType, tagReferenceType, tagRvalueReferenceType:
				return true
			}
			n = n.ref("baseType")
			continue
		case n.is("DISubrangeType"):
			n = n.ref("baseType")
			continue
		}
		const boolean, unsigned, unsignedChar, utf, unsignedFixed = 0x02, 0x07, 0x08, 0x10, 0x0e
		switch w.encodingOf(n) {
		case boolean, unsigned, unsignedChar, utf, unsignedFixed:
			return true
		}
		return n.tag() == tagUnspecifiedType
	}
	return false
}

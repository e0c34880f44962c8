package bitcode

import "github.com/mirin-go/mirin/ir/dwarfname"

// mdRecord describes the record of a class of specialized metadata: its
// operands behind the first, which holds the distinct bit and flags.
type mdRecord struct {
	code  uint32
	class string
	// flags of the first operand that LLVM 22 always sets.
	flags uint64
	// size is the flag that says that size and offset are metadata, 0 where there is none.
	size uint64
	// ops are NAME/KIND, with =DEFAULT where the default is not zero. A name of - is a
	// place that is 0 today.
	ops []mdOperand
}

type mdOperand struct {
	name string
	kind byte
	dflt uint64
}

// Kinds of operands. All numbers of nodes and strings count from 1, 0 being none.
const (
	opNode     = 'n'
	opString   = 's'
	opKept     = 'S' // a string that is kept when it is empty
	opUnsigned = 'u'
	opSigned   = 'x' // sign in the lowest bit
	opInt32    = 'i' // two's complement in 64 bits
	opBound    = 'c' // a node; constants are written as plain numbers
	opSize     = 'z' // a number, or metadata as the record's flag says
	opBool     = 'b'
	opTag      = 'T'
	opEnc      = 'E'
	opLang     = 'L'
	opCC       = 'C'
	opEmission = 'K'
	opTable    = 'Y'
	opDIFlags  = 'F'
	opSPFlags  = 'P'
	opChecksum = 'H'
	opMacInfo  = 'm'
	opFixed    = 'X'
	opEnumKind = 'e' // all ones is none
	opSpace    = 'a' // address space plus one
	opOptional = 'o' // all ones (64 bits) is none
	opPtrAuth  = 'A'
)

var emissionKinds = [...]string{"NoDebug", "FullDebug", "LineTablesOnly", "DebugDirectivesOnly"}
var nameTableKinds = [...]string{"Default", "GNU", "None", "Apple"}
var checksumKinds = [...]string{"", "CSK_MD5", "CSK_SHA1", "CSK_SHA256"}
var fixedKinds = [...]string{"Binary", "Decimal", "Rational"}

const (
	tagBaseType = 0x24
	tagString   = 0x12
	tagTmplVal  = 0x30
	startFile   = 3
)

// mdRecords are the classes whose records are plain lists; what other classes
// (locations, expressions, enumerators, …) have of their own stands in metadata.go.
var mdRecords = [...]mdRecord{
	{code: mdBasicType, class: "DIBasicType", size: 2, ops: []mdOperand{{"tag", opTag, tagBaseType}, {"name", opString, 0}, {"size", opSize, 0},
		{"align", opUnsigned, 0}, {"encoding", opEnc, 0}, {"flags", opDIFlags, 0}, {"num_extra_inhabitants", opUnsigned, 0}, {"dataSize", opUnsigned, 0}}},
	{code: mdFile, class: "DIFile", ops: []mdOperand{{"filename", opString, 0}, {"directory", opString, 0}, {"checksumkind", opChecksum, 0},
		{"checksum", opString, 0}, {"source", opKept, 0}}},
	{code: mdDerivedType, class: "DIDerivedType", size: 2, ops: []mdOperand{{"tag", opTag, 0}, {"name", opString, 0}, {"file", opNode, 0},
		{"line", opUnsigned, 0}, {"scope", opNode, 0}, {"baseType", opNode, 0}, {"size", opSize, 0}, {"align", opUnsigned, 0}, {"offset", opSize, 0},
		{"flags", opDIFlags, 0}, {"extraData", opNode, 0}, {"dwarfAddressSpace", opSpace, 0}, {"annotations", opNode, 0}, {"ptrAuthKey", opPtrAuth, 0}}},
	{code: mdComposite, class: "DICompositeType", flags: 2, size: 4, ops: []mdOperand{{"tag", opTag, 0}, {"name", opString, 0}, {"file", opNode, 0},
		{"line", opUnsigned, 0}, {"scope", opNode, 0}, {"baseType", opNode, 0}, {"size", opSize, 0}, {"align", opUnsigned, 0}, {"offset", opSize, 0},
		{"flags", opDIFlags, 0}, {"elements", opNode, 0}, {"runtimeLang", opLang, 0}, {"vtableHolder", opNode, 0}, {"templateParams", opNode, 0},
		{"identifier", opString, 0}, {"discriminator", opNode, 0}, {"dataLocation", opNode, 0}, {"associated", opNode, 0}, {"allocated", opNode, 0},
		{"rank", opBound, 0}, {"annotations", opNode, 0}, {"num_extra_inhabitants", opUnsigned, 0}, {"specification", opNode, 0},
		{"enumKind", opEnumKind, 0xFFFFFFFF}, {"bitStride", opNode, 0}}},
	{code: mdSubroutine, class: "DISubroutineType", flags: 2, ops: []mdOperand{{"flags", opDIFlags, 0}, {"types", opNode, 0}, {"cc", opCC, 0}}},
	{code: mdCompileUnit, class: "DICompileUnit", ops: []mdOperand{{"language", opLang, 0}, {"file", opNode, 0}, {"producer", opString, 0},
		{"isOptimized", opBool, 0}, {"flags", opString, 0}, {"runtimeVersion", opUnsigned, 0}, {"splitDebugFilename", opString, 0},
		{"emissionKind", opEmission, 0}, {"enums", opNode, 0}, {"retainedTypes", opNode, 0}, {"-", opUnsigned, 0}, {"globals", opNode, 0},
		{"imports", opNode, 0}, {"dwoId", opUnsigned, 0}, {"macros", opNode, 0}, {"splitDebugInlining", opBool, 1},
		{"debugInfoForProfiling", opBool, 0}, {"nameTableKind", opTable, 0}, {"rangesBaseAddress", opBool, 0}, {"sysroot", opString, 0},
		{"sdk", opString, 0}, {"sourceLanguageVersion", opUnsigned, 0}}},
	{code: mdSubprogram, class: "DISubprogram", flags: 6, ops: []mdOperand{{"scope", opNode, 0}, {"name", opString, 0}, {"linkageName", opString, 0},
		{"file", opNode, 0}, {"line", opUnsigned, 0}, {"type", opNode, 0}, {"scopeLine", opUnsigned, 0}, {"containingType", opNode, 0},
		{"spFlags", opSPFlags, 0}, {"virtualIndex", opUnsigned, 0}, {"flags", opDIFlags, 0}, {"unit", opNode, 0}, {"templateParams", opNode, 0},
		{"declaration", opNode, 0}, {"retainedNodes", opNode, 0}, {"thisAdjustment", opInt32, 0}, {"thrownTypes", opNode, 0},
		{"annotations", opNode, 0}, {"targetFuncName", opString, 0}, {"keyInstructions", opBool, 0}}},
	{code: mdLexBlock, class: "DILexicalBlock", ops: []mdOperand{{"scope", opNode, 0}, {"file", opNode, 0}, {"line", opUnsigned, 0}, {"column", opUnsigned, 0}}},
	{code: mdLexBlockFile, class: "DILexicalBlockFile", ops: []mdOperand{{"scope", opNode, 0}, {"file", opNode, 0}, {"discriminator", opUnsigned, 0}}},
	{code: mdCommonBlock, class: "DICommonBlock", ops: []mdOperand{{"scope", opNode, 0}, {"declaration", opNode, 0}, {"name", opString, 0},
		{"file", opNode, 0}, {"line", opUnsigned, 0}}},
	{code: mdTemplateType, class: "DITemplateTypeParameter", ops: []mdOperand{{"name", opString, 0}, {"type", opNode, 0}, {"defaulted", opBool, 0}}},
	{code: mdTemplateVal, class: "DITemplateValueParameter", ops: []mdOperand{{"tag", opTag, tagTmplVal}, {"name", opString, 0}, {"type", opNode, 0},
		{"defaulted", opBool, 0}, {"value", opNode, 0}}},
	{code: mdGlobalVar, class: "DIGlobalVariable", flags: 4, ops: []mdOperand{{"scope", opNode, 0}, {"name", opString, 0}, {"linkageName", opString, 0},
		{"file", opNode, 0}, {"line", opUnsigned, 0}, {"type", opNode, 0}, {"isLocal", opBool, 0}, {"isDefinition", opBool, 1},
		{"declaration", opNode, 0}, {"templateParams", opNode, 0}, {"align", opUnsigned, 0}, {"annotations", opNode, 0}}},
	{code: mdLocalVar, class: "DILocalVariable", flags: 2, ops: []mdOperand{{"scope", opNode, 0}, {"name", opString, 0}, {"file", opNode, 0},
		{"line", opUnsigned, 0}, {"type", opNode, 0}, {"arg", opUnsigned, 0}, {"flags", opDIFlags, 0}, {"align", opUnsigned, 0}, {"annotations", opNode, 0}}},
	{code: mdGlobalVarExp, class: "DIGlobalVariableExpression", ops: []mdOperand{{"var", opNode, 0}, {"expr", opNode, 0}}},
	{code: mdObjCProperty, class: "DIObjCProperty", ops: []mdOperand{{"name", opString, 0}, {"file", opNode, 0}, {"line", opUnsigned, 0},
		{"setter", opString, 0}, {"getter", opString, 0}, {"attributes", opUnsigned, 0}, {"type", opNode, 0}}},
	{code: mdImported, class: "DIImportedEntity", ops: []mdOperand{{"tag", opTag, 0}, {"scope", opNode, 0}, {"entity", opNode, 0},
		{"line", opUnsigned, 0}, {"name", opString, 0}, {"file", opNode, 0}, {"elements", opNode, 0}}},
	{code: mdModule, class: "DIModule", ops: []mdOperand{{"file", opNode, 0}, {"scope", opNode, 0}, {"name", opString, 0}, {"configMacros", opString, 0},
		{"includePath", opString, 0}, {"apinotes", opString, 0}, {"line", opUnsigned, 0}, {"isDecl", opBool, 0}}},
	{code: mdMacro, class: "DIMacro", ops: []mdOperand{{"type", opMacInfo, 0}, {"line", opUnsigned, 0}, {"name", opString, 0}, {"value", opString, 0}}},
	{code: mdMacroFile, class: "DIMacroFile", ops: []mdOperand{{"type", opMacInfo, startFile}, {"line", opUnsigned, 0}, {"file", opNode, 0}, {"nodes", opNode, 0}}},
	{code: mdSubrange, class: "DISubrange", flags: 4, ops: []mdOperand{{"count", opBound, 0}, {"lowerBound", opBound, 0}, {"upperBound", opBound, 0},
		{"stride", opBound, 0}}},
	{code: mdGenericRange, class: "DIGenericSubrange", ops: []mdOperand{{"count", opNode, 0}, {"lowerBound", opNode, 0}, {"upperBound", opNode, 0},
		{"stride", opNode, 0}}},
	{code: mdStringType, class: "DIStringType", size: 2, ops: []mdOperand{{"tag", opTag, tagString}, {"name", opString, 0}, {"stringLength", opNode, 0},
		{"stringLengthExpression", opNode, 0}, {"stringLocationExpression", opNode, 0}, {"size", opSize, 0}, {"align", opUnsigned, 0}, {"encoding", opEnc, 0}}},
	{code: mdSubrangeType, class: "DISubrangeType", size: 2, ops: []mdOperand{{"name", opString, 0}, {"file", opNode, 0}, {"line", opUnsigned, 0},
		{"scope", opNode, 0}, {"size", opSize, 0}, {"align", opUnsigned, 0}, {"flags", opDIFlags, 0}, {"baseType", opNode, 0},
		{"lowerBound", opNode, 0}, {"upperBound", opNode, 0}, {"stride", opNode, 0}, {"bias", opNode, 0}}},
	{code: mdAssignID, class: "DIAssignID"},
	{code: mdNamespace, class: "DINamespace", ops: []mdOperand{{"scope", opNode, 0}, {"name", opString, 0}}},
	{code: mdLabel, class: "DILabel", ops: []mdOperand{{"scope", opNode, 0}, {"name", opString, 0}, {"file", opNode, 0}, {"line", opUnsigned, 0},
		{"column", opUnsigned, 0}, {"coroSuspendIdx", opOptional, 0}}},
}

func recordByCode(code uint32) *mdRecord {
	for i := range mdRecords {
		if mdRecords[i].code == code {
			return &mdRecords[i]
		}
	}
	return nil
}

func recordByClass(class string) *mdRecord {
	for i := range mdRecords {
		if mdRecords[i].class == class {
			return &mdRecords[i]
		}
	}
	return nil
}

// names returns the family of constants of an operand kind, "" for others.
func (o *mdOperand) names() dwarfname.Kind {
	switch o.kind {
	case opTag:
		return dwarfname.Tag
	case opEnc:
		return dwarfname.Encoding
	case opLang:
		return dwarfname.Lang
	case opCC:
		return dwarfname.CC
	case opMacInfo:
		return dwarfname.MacInfo
	}
	return ""
}

// words returns the keywords of an operand kind by number, nil for others.
func (o *mdOperand) words() []string {
	switch o.kind {
	case opEmission:
		return emissionKinds[:]
	case opTable:
		return nameTableKinds[:]
	case opChecksum:
		return checksumKinds[:]
	case opFixed:
		return fixedKinds[:]
	}
	return nil
}

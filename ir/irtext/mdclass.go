package irtext

import (
	"strings"

	"github.com/mirin-go/mirin/ir"
)

// mdClass describes a class of specialized metadata.
type mdClass struct {
	name string
	// fields lists the fields in the order in which they are printed. A field
	// is left out when it has its default (null, 0, "", false) unless a mark
	// says what is printed then: !n null, !0, !s "", !f false, !t true (and :t
	// only means that true is the default, ? that 0 is none). A * says that it must be given; a
	// =WORD says which word is the default.
	fields string
	// ops lists the metadata operands in the order of the node's operands in
	// LLVM, which decides how nodes are numbered.
	ops string
}

// mdClasses lists the classes by name.
var mdClasses = [...]mdClass{
	{"DIArgList", "", ""},
	{"DIAssignID", "", ""},
	{"DIBasicType", "tag=DW_TAG_base_type name scope file line size align dataSize encoding num_extra_inhabitants flags", "file scope"},
	{"DICommonBlock", "scope!n declaration name file line", "scope declaration file"},
	{"DICompileUnit", "language sourceLanguageName sourceLanguageVersion file!n* producer isOptimized!f flags runtimeVersion!0 splitDebugFilename emissionKind enums retainedTypes globals imports macros dwoId splitDebugInlining:t debugInfoForProfiling nameTableKind=Default rangesBaseAddress sysroot sdk",
		"file enums retainedTypes globals imports macros"},
	{"DICompositeType", "tag* name scope file line baseType size align offset num_extra_inhabitants flags elements runtimeLang vtableHolder templateParams identifier discriminator dataLocation associated allocated rank annotations specification enumKind bitStride dataSize",
		"file scope size offset baseType elements vtableHolder templateParams discriminator dataLocation associated allocated rank annotations specification bitStride"},
	{"DIDerivedType", "tag* name scope file line baseType!n* size align offset flags extraData dwarfAddressSpace annotations ptrAuthKey ptrAuthIsAddressDiscriminated ptrAuthExtraDiscriminator ptrAuthIsaPointer ptrAuthAuthenticatesNullValues",
		"file scope size offset baseType extraData annotations"},
	{"DIEnumerator", "name!s* value!0* isUnsigned", ""},
	{"DIExpression", "", ""},
	{"DIFile", "filename!s* directory!s* checksumkind checksum source", ""},
	{"DIFixedPointType", "tag=DW_TAG_base_type name scope file line size align encoding flags kind factor numerator denominator", "file scope"},
	{"DIGenericSubrange", "count? lowerBound? upperBound? stride?", "count lowerBound upperBound stride"},
	{"DIGlobalVariable", "name linkageName scope!n file line type isLocal!f isDefinition!t declaration templateParams align annotations",
		"scope file type declaration templateParams annotations"},
	{"DIGlobalVariableExpression", "var!n* expr!n*", "var expr"},
	{"DIImportedEntity", "tag* name scope!n* entity file line elements", "scope entity file elements"},
	{"DILabel", "scope!n* name!s* file!n* line!0* column isArtificial coroSuspendIdx", "scope file"},
	{"DILexicalBlock", "scope!n* file line column", "file scope"},
	{"DILexicalBlockFile", "scope!n* file discriminator!0*", "file scope"},
	{"DILocalVariable", "name arg scope!n* file line type flags align annotations", "scope file type annotations"},
	{"DILocation", "line!0 column scope!n* inlinedAt isImplicitCode atomGroup atomRank", "scope inlinedAt"},
	{"DIMacro", "type* line name!s* value", ""},
	{"DIMacroFile", "type=DW_MACINFO_start_file line!0 file!n* nodes", "file nodes"},
	{"DIModule", "scope!n* name* configMacros includePath apinotes line file isDecl", "file scope"},
	{"DINamespace", "name scope!n* exportSymbols file line", "file scope"},
	{"DIObjCProperty", "name file line setter getter attributes type", "file type"},
	{"DIStringType", "tag=DW_TAG_string_type name stringLength stringLengthExpression stringLocationExpression size align encoding",
		"stringLength stringLengthExpression stringLocationExpression"},
	{"DISubprogram", "name linkageName scope!n file line type scopeLine containingType virtuality virtualIndex thisAdjustment flags isLocal isDefinition isOptimized spFlags unit templateParams declaration retainedNodes thrownTypes annotations targetFuncName keyInstructions",
		"file scope type unit declaration retainedNodes containingType templateParams thrownTypes annotations"},
	{"DISubrange", "count? lowerBound? upperBound? stride?", "count lowerBound upperBound stride"},
	{"DISubrangeType", "name scope file line size align flags baseType lowerBound upperBound stride bias", "file scope baseType lowerBound upperBound stride bias"},
	{"DISubroutineType", "flags cc types!n*", "types"},
	{"DITemplateTypeParameter", "name type!n* defaulted", "type"},
	{"DITemplateValueParameter", "tag=DW_TAG_template_value_parameter name type defaulted value!n*", "type value"},
	{"GenericDINode", "tag* header operands", "operands"},
}

func mdClassByName(s string) *mdClass {
	lo, hi := 0, len(mdClasses)
	for lo < hi {
		m := (lo + hi) / 2
		if mdClasses[m].name < s {
			lo = m + 1
		} else {
			hi = m
		}
	}
	if lo < len(mdClasses) && mdClasses[lo].name == s {
		return &mdClasses[lo]
	}
	return nil
}

// nextWord cuts the first word from a list, its mark from its name.
func nextWord(list string) (name, mark, rest string) {
	if i := strings.IndexByte(list, ' '); i >= 0 {
		list, rest = list[:i], list[i+1:]
	}
	for i := 0; i < len(list); i++ {
		switch list[i] {
		case '!', '*', '=', ':', '?':
			return list[:i], list[i:], rest
		}
	}
	return list, "", rest
}

// has reports whether the class has the field.
func (c *mdClass) has(field string) bool {
	for l := c.fields; l != ""; {
		var name string
		name, _, l = nextWord(l)
		if name == field {
			return true
		}
	}
	return false
}

// missing returns a required field that is not given, "" when there is none.
func (c *mdClass) missing(fields []ir.MDField) string {
	if strings.IndexByte(c.fields, '*') < 0 {
		return ""
	}
	for l := c.fields; l != ""; {
		var name, mark string
		name, mark, l = nextWord(l)
		if strings.HasSuffix(mark, "*") && fieldByName(fields, name) == nil {
			return name
		}
	}
	return ""
}

func fieldByName(fields []ir.MDField, name string) *ir.MDField {
	for i := range fields {
		if fields[i].Name == name {
			return &fields[i]
		}
	}
	return nil
}

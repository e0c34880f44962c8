package irtext

import (
	"math"
	"strings"
	"sync"

	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/dwarfname"
)

// mdClass describes a class of specialized metadata.
type mdClass struct {
	name string
	// fields are in the order in which they are printed.
	fields []mdField
	// ops lists the metadata operands in the order of the node's operands in
	// LLVM, which decides how nodes are numbered.
	ops []string
}

// mdField describes one field of a class.
type mdField struct {
	name string
	kind mdKind
	// required fields must be given.
	required bool
	// always says that the field is printed with its default too, dflt what that is.
	always bool
	dflt   string
}

// mdKind is the kind of value that a field takes.
type mdKind byte

// The kinds: the letters of mdSpecs.
const (
	mdNode      mdKind = 'n' // a node or null
	mdNonNull   mdKind = 'N'
	mdStr       mdKind = 's'
	mdStrFull   mdKind = 'S' // not empty
	mdU64       mdKind = 'u'
	mdU32       mdKind = '4'
	mdU16       mdKind = '2'
	mdU8        mdKind = '1'
	mdU3        mdKind = '7'
	mdI32       mdKind = 'i'
	mdBool      mdKind = 'b'
	mdTag       mdKind = 'T'
	mdEnc       mdKind = 'E'
	mdVirt      mdKind = 'V'
	mdLang      mdKind = 'L'
	mdLangName  mdKind = 'M'
	mdCC        mdKind = 'C'
	mdEmission  mdKind = 'K'
	mdNameTable mdKind = 'Y'
	mdFlags     mdKind = 'F'
	mdSPFlags   mdKind = 'P'
	mdChecksum  mdKind = 'H'
	mdAPSInt    mdKind = 'A'
	mdSigned    mdKind = 'x' // a signed number or a node
	mdUnsigned  mdKind = 'y' // an unsigned number or a node
	mdList      mdKind = 'g'
	mdMacInfo   mdKind = 'm'
	mdFixed     mdKind = 'X'
	mdEnum      mdKind = 'e'
)

// mdSpecs lists the classes by name: fields as NAME/KIND and marks, then the
// operands. Marks: * it must be given; !n !0 !s !f !t it is printed always,
// as null, 0, "", false, true by default; =WORD is the default, = alone means true.
var mdSpecs = [...][3]string{
	{"DIArgList", "", ""},
	{"DIAssignID", "", ""},
	{"DIBasicType", "tag/T=DW_TAG_base_type name/s scope/n file/n line/4 size/y align/4 dataSize/4 encoding/E num_extra_inhabitants/4 flags/F", "file scope"},
	{"DICommonBlock", "scope/n!n* declaration/n name/s file/n line/4", "scope declaration file"},
	{"DICompileUnit", "language/L sourceLanguageName/M sourceLanguageVersion/4 file/N!n* producer/s isOptimized/b!f flags/s runtimeVersion/4!0 splitDebugFilename/s emissionKind/K!0 enums/n retainedTypes/n globals/n imports/n macros/n dwoId/u splitDebugInlining/b= debugInfoForProfiling/b nameTableKind/Y=Default rangesBaseAddress/b sysroot/s sdk/s",
		"file enums retainedTypes globals imports macros"},
	{"DICompositeType", "tag/T* name/s scope/n file/n line/4 baseType/n size/y align/4 offset/y num_extra_inhabitants/4 flags/F elements/n runtimeLang/L vtableHolder/n templateParams/n identifier/s discriminator/n dataLocation/n associated/n allocated/n rank/x annotations/n specification/n enumKind/e bitStride/n dataSize/4",
		"file scope size offset baseType elements vtableHolder templateParams discriminator dataLocation associated allocated rank annotations specification bitStride"},
	{"DIDerivedType", "tag/T* name/s scope/n file/n line/4 baseType/n!n* size/y align/4 offset/y flags/F extraData/n dwarfAddressSpace/4 annotations/n ptrAuthKey/7 ptrAuthIsAddressDiscriminated/b ptrAuthExtraDiscriminator/2 ptrAuthIsaPointer/b ptrAuthAuthenticatesNullValues/b",
		"file scope size offset baseType extraData annotations"},
	{"DIEnumerator", "name/s!s* value/A!0* isUnsigned/b", ""},
	{"DIExpression", "", ""},
	{"DIFile", "filename/s!s* directory/s!s* checksumkind/H checksum/s source/s?", ""},
	{"DIFixedPointType", "tag/T=DW_TAG_base_type name/s scope/n file/n line/4 size/y align/4 encoding/E flags/F kind/X!0 factor/i numerator/A denominator/A", "file scope"},
	{"DIGenericSubrange", "count/x lowerBound/x upperBound/x stride/x", "count lowerBound upperBound stride"},
	{"DIGlobalVariable", "name/S linkageName/s scope/n!n file/n line/4 type/n isLocal/b!f isDefinition/b!t declaration/n templateParams/n align/4 annotations/n",
		"scope file type declaration templateParams annotations"},
	{"DIGlobalVariableExpression", "var/n* expr/n*", "var expr"},
	{"DIImportedEntity", "tag/T* name/s scope/n!n* entity/n file/n line/4 elements/n", "scope entity file elements"},
	{"DILabel", "scope/N!n* name/s* file/n* line/4* column/2 isArtificial/b coroSuspendIdx/4?", "scope file"},
	{"DILexicalBlock", "scope/N!n* file/n line/4 column/2", "file scope"},
	{"DILexicalBlockFile", "scope/N!n* file/n discriminator/4!0*", "file scope"},
	{"DILocalVariable", "name/s arg/2 scope/N!n* file/n line/4 type/n flags/F align/4 annotations/n", "scope file type annotations"},
	{"DILocation", "line/4!0 column/2 scope/N!n* inlinedAt/n isImplicitCode/b atomGroup/u atomRank/1", "scope inlinedAt"},
	{"DIMacro", "type/m* line/4 name/s* value/s", ""},
	{"DIMacroFile", "type/m=DW_MACINFO_start_file line/4 file/n!n* nodes/n", "file nodes"},
	{"DIModule", "scope/n!n* name/s* configMacros/s includePath/s apinotes/s file/n line/4 isDecl/b", "file scope"},
	{"DINamespace", "name/s scope/n!n* exportSymbols/b file/n line/4", "file scope"},
	{"DIObjCProperty", "name/s file/n line/4 setter/s getter/s attributes/4 type/n", "file type"},
	{"DIStringType", "tag/T=DW_TAG_string_type name/s stringLength/n stringLengthExpression/n stringLocationExpression/n size/y align/4 encoding/E",
		"stringLength stringLengthExpression stringLocationExpression"},
	{"DISubprogram", "name/s linkageName/s scope/n!n file/n line/4 type/n scopeLine/4 containingType/n virtuality/V virtualIndex/4 thisAdjustment/i flags/F isLocal/b isDefinition/b= isOptimized/b spFlags/P!0 unit/n templateParams/n declaration/n retainedNodes/n thrownTypes/n annotations/n targetFuncName/s keyInstructions/b",
		"file scope type unit declaration retainedNodes containingType templateParams thrownTypes annotations"},
	{"DISubrange", "count/x=count lowerBound/x upperBound/x stride/x", "count lowerBound upperBound stride"},
	{"DISubrangeType", "name/s scope/n file/n line/4 size/y align/4 flags/F baseType/n!n lowerBound/x upperBound/x stride/x bias/x", "file scope baseType lowerBound upperBound stride bias"},
	{"DISubroutineType", "flags/F cc/C types/n!n*", "types"},
	{"DITemplateTypeParameter", "name/s type/n!n* defaulted/b", "type"},
	{"DITemplateValueParameter", "tag/T=DW_TAG_template_value_parameter name/s type/n defaulted/b value/n!n*", "type value"},
	{"GenericDINode", "tag/T* header/s operands/g", "operands"},
}

// mdClasses are the classes by name.
var mdClasses = sync.OnceValue(func() map[string]*mdClass {
	m := make(map[string]*mdClass, len(mdSpecs))
	for _, s := range mdSpecs {
		c := &mdClass{name: s[0], ops: strings.Fields(s[2])}
		for _, w := range strings.Fields(s[1]) {
			name, rest, _ := strings.Cut(w, "/")
			f := mdField{name: name, kind: mdKind(rest[0])}
			rest = rest[1:]
			rest, f.required = strings.CutSuffix(rest, "*")
			switch {
			case strings.HasPrefix(rest, "!"):
				f.always = true
				f.dflt = map[byte]string{'n': "null", '0': "0", 's': `""`, 'f': "false", 't': "true"}[rest[1]]
			case rest == "=":
				f.dflt = "true"
			case rest == "?":
				f.dflt = "?" // zero is not the default
			case rest != "":
				f.dflt = rest[1:]
			}
			switch f.kind {
			case mdEmission:
				f.dflt = emissionKinds[0]
			case mdFixed:
				f.dflt = fixedKinds[0]
			}
			c.fields = append(c.fields, f)
		}
		m[c.name] = c
	}
	return m
})

func mdClassByName(s string) *mdClass { return mdClasses()[s] }

// field returns the class's field, nil when it has none of that name.
func (c *mdClass) field(name string) *mdField {
	for i := range c.fields {
		if c.fields[i].name == name {
			return &c.fields[i]
		}
	}
	return nil
}

// max returns the largest number of a field.
func (f *mdField) max() uint64 {
	switch f.kind {
	case mdU32, mdTag, mdLang, mdLangName, mdCC, mdEnc, mdVirt, mdMacInfo, mdEnum:
		switch f.kind {
		case mdTag, mdLang, mdLangName:
			return math.MaxUint16
		case mdCC, mdEnc, mdMacInfo:
			return math.MaxUint8
		case mdVirt:
			return 2
		case mdEnum:
			return 1
		}
		return math.MaxUint32
	case mdU16:
		return math.MaxUint16
	case mdU8:
		return math.MaxUint8
	case mdU3:
		return 7
	}
	return math.MaxUint64
}

// wordKind says how a field's keywords are called.
type wordKind struct {
	names   dwarfname.Kind
	what    string // expected …
	invalid string // invalid … 'X'
}

var wordKinds = map[mdKind]wordKind{
	mdTag:      {dwarfname.Tag, "DWARF tag", "DWARF tag"},
	mdEnc:      {dwarfname.Encoding, "DWARF type attribute encoding", "DWARF type attribute encoding"},
	mdVirt:     {dwarfname.Virtuality, "DWARF virtuality code", "DWARF virtuality code"},
	mdLang:     {dwarfname.Lang, "DWARF language", "DWARF language"},
	mdLangName: {dwarfname.LangName, "DWARF source language name", "DWARF source language name"},
	mdCC:       {dwarfname.CC, "DWARF calling convention", "DWARF calling convention"},
	mdMacInfo:  {dwarfname.MacInfo, "DWARF macinfo type", "DWARF macinfo type"},
	mdEnum:     {dwarfname.EnumKind, "DWARF enum kind code", "DWARF enum kind code"},
}

// Small enumerations, by number.
var (
	emissionKinds  = []string{"NoDebug", "FullDebug", "LineTablesOnly", "DebugDirectivesOnly"}
	nameTableKinds = []string{"Default", "GNU", "None", "Apple"}
	fixedKinds     = []string{"Binary", "Decimal", "Rational"}
	checksumKinds  = []string{"", "CSK_MD5", "CSK_SHA1", "CSK_SHA256"}
)

func fieldByName(fields []ir.MDField, name string) *ir.MDField {
	for i := range fields {
		if fields[i].Name == name {
			return &fields[i]
		}
	}
	return nil
}

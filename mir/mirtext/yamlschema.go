package mirtext

import (
	"math/bits"
	"strconv"

	"github.com/mirin-go/mirin/desc/family"
)

// The keys of a function's document as LLVM's MIRYamlMapping.h lists them. LLVM
// reads them in this order, each value's form with it, before anything of what
// they say is looked at; so does checkDocument.

type yamlForm uint8

const (
	formString yamlForm = iota
	formBool
	formMaybeBool
	formUint16
	formUint32
	formUint64
	formInt32
	formInt64
	formAlign // 0 or a power of two
	formPower // a power of two
	formEnum
	formStrings
	formUint64s
	formMap
	formList // of mappings
	formInfo // the target's fields
	formNumbers
)

type yamlField struct {
	key      string
	form     yamlForm
	required bool
	sub      []yamlField
	names    []string // of formEnum
	// unless names a value of the key type with which this one is unknown.
	unless string
}

var (
	stackIDs    = []string{"default", "sgpr-spill", "scalable-vector", "scalable-predicate-vector", "wasm-local", "noalloc"}
	objectDebug = []yamlField{{key: "debug-info-variable"}, {key: "debug-info-expression"}, {key: "debug-info-location"}}

	yamlSavePoint = []yamlField{{key: "point", required: true}, {key: "registers", form: formStrings}}

	yamlFrameInfo = []yamlField{{key: "isFrameAddressTaken", form: formBool}, {key: "isReturnAddressTaken", form: formBool}, {key: "hasStackMap", form: formBool},
		{key: "hasPatchPoint", form: formBool}, {key: "stackSize", form: formUint64}, {key: "offsetAdjustment", form: formInt32}, {key: "maxAlignment", form: formUint32},
		{key: "adjustsStack", form: formBool}, {key: "hasCalls", form: formBool}, {key: "stackProtector"}, {key: "functionContext"},
		{key: "maxCallFrameSize", form: formUint32}, {key: "cvBytesOfCalleeSavedRegisters", form: formUint32}, {key: "hasOpaqueSPAdjustment", form: formBool},
		{key: "hasVAStart", form: formBool}, {key: "hasMustTailInVarArgFunc", form: formBool}, {key: "hasTailCall", form: formBool},
		{key: "isCalleeSavedInfoValid", form: formBool}, {key: "localFrameSize", form: formUint32},
		{key: "savePoint", form: formList, sub: yamlSavePoint}, {key: "restorePoint", form: formList, sub: yamlSavePoint}}

	yamlFixedObject = append([]yamlField{{key: "id", form: formUint32, required: true}, {key: "type", form: formEnum, names: []string{"default", "spill-slot"}},
		{key: "offset", form: formInt64}, {key: "size", form: formUint64}, {key: "alignment", form: formAlign}, {key: "stack-id", form: formEnum, names: stackIDs},
		{key: "isImmutable", form: formBool, unless: "spill-slot"}, {key: "isAliased", form: formBool, unless: "spill-slot"},
		{key: "callee-saved-register"}, {key: "callee-saved-restored", form: formBool}}, objectDebug...)

	yamlObject = append([]yamlField{{key: "id", form: formUint32, required: true}, {key: "name"},
		{key: "type", form: formEnum, names: []string{"default", "spill-slot", "variable-sized"}}, {key: "offset", form: formInt64},
		{key: "size", form: formUint64, required: true, unless: "variable-sized"}, {key: "alignment", form: formAlign}, {key: "stack-id", form: formEnum, names: stackIDs},
		{key: "callee-saved-register"}, {key: "callee-saved-restored", form: formBool}, {key: "local-offset", form: formInt64}}, objectDebug...)

	yamlCallPlace = []yamlField{{key: "bb", form: formUint32, required: true}, {key: "offset", form: formUint32, required: true}}

	yamlFunction = []yamlField{{key: "name", required: true}, {key: "alignment", form: formAlign}, {key: "exposesReturnsTwice", form: formBool},
		{key: "legalized", form: formBool}, {key: "regBankSelected", form: formBool}, {key: "selected", form: formBool}, {key: "failedISel", form: formBool},
		{key: "tracksRegLiveness", form: formBool}, {key: "hasWinCFI", form: formBool}, {key: "noPhis", form: formMaybeBool}, {key: "isSSA", form: formMaybeBool},
		{key: "noVRegs", form: formMaybeBool}, {key: "hasFakeUses", form: formMaybeBool}, {key: "callsEHReturn", form: formBool}, {key: "callsUnwindInit", form: formBool},
		{key: "hasEHContTarget", form: formBool}, {key: "hasEHScopes", form: formBool}, {key: "hasEHFunclets", form: formBool}, {key: "isOutlined", form: formBool},
		{key: "debugInstrRef", form: formBool}, {key: "failsVerification", form: formBool}, {key: "tracksDebugUserValues", form: formBool},
		{key: "registers", form: formList, sub: []yamlField{{key: "id", form: formUint32, required: true}, {key: "class", required: true},
			{key: "preferred-register"}, {key: "flags", form: formStrings}}},
		{key: "liveins", form: formList, sub: []yamlField{{key: "reg", required: true}, {key: "virtual-reg"}}},
		{key: "calleeSavedRegisters", form: formStrings},
		{key: "frameInfo", form: formMap, sub: yamlFrameInfo},
		{key: "fixedStack", form: formList, sub: yamlFixedObject},
		{key: "stack", form: formList, sub: yamlObject},
		{key: "entry_values", form: formList, sub: []yamlField{{key: "entry-value-register", required: true}, {key: "debug-info-variable", required: true},
			{key: "debug-info-expression", required: true}, {key: "debug-info-location", required: true}}},
		{key: "callSites", form: formList, sub: append(yamlCallPlace[:2:2], yamlField{key: "fwdArgRegs", form: formList,
			sub: []yamlField{{key: "arg", form: formUint16, required: true}, {key: "reg", required: true}}}, yamlField{key: "calleeTypeIds", form: formUint64s})},
		{key: "debugValueSubstitutions", form: formList, sub: []yamlField{{key: "srcinst", form: formUint32, required: true}, {key: "srcop", form: formUint32, required: true},
			{key: "dstinst", form: formUint32, required: true}, {key: "dstop", form: formUint32, required: true}, {key: "subreg", form: formUint32, required: true}}},
		{key: "constants", form: formList, sub: []yamlField{{key: "id", form: formUint32, required: true}, {key: "value"}, {key: "alignment", form: formAlign},
			{key: "isTargetSpecific", form: formBool}}},
		{key: "machineFunctionInfo", form: formInfo},
		{key: "jumpTable", form: formMap, sub: []yamlField{{key: "kind", form: formEnum, required: true, names: jumpTableKinds[:]},
			{key: "entries", form: formList, sub: []yamlField{{key: "id", form: formUint32, required: true}, {key: "blocks", form: formStrings}}}}},
		{key: "machineMetadataNodes", form: formStrings},
		{key: "calledGlobals", form: formList, sub: append(yamlCallPlace[:2:2], yamlField{key: "callee", required: true}, yamlField{key: "flags", form: formUint32, required: true})},
		{key: "body"}}
)

// yamlFault is the first fault of a document's form.
type yamlFault struct {
	off int
	msg string
}

type yamlChecker struct {
	info  []family.InfoField // of the target
	fault *yamlFault
}

// checkDocument checks the form of a function's document.
func checkDocument(n *node, info []family.InfoField) *yamlFault {
	c := yamlChecker{info: info}
	c.mapping(n, yamlFunction)
	return c.fault
}

func (c *yamlChecker) fail(off int, msg string) {
	if c.fault == nil {
		c.fault = &yamlFault{off, msg}
	}
}

func (c *yamlChecker) mapping(n *node, fields []yamlField) {
	if n.kind != mapNode {
		for i := range fields {
			if n.kind != nullNode || fields[i].required {
				c.fail(n.off, "not a mapping")
			}
		}
		return
	}
	seen, kind := 0, ""
	for i := range fields {
		f := &fields[i]
		if f.unless != "" && f.unless == kind {
			continue
		}
		v := n.get(f.key)
		if v == nil {
			if f.required {
				c.fail(n.off, "missing required key '"+f.key+"'")
				return
			}
			continue
		}
		seen++
		if f.key == "type" {
			kind = v.text
		}
		if c.value(v, f); c.fault != nil {
			return
		}
	}
	if seen == len(n.keys) {
		return
	}
next:
	for i := range n.keys {
		for k := range fields {
			if f := &fields[k]; f.key == n.keys[i].text && (f.unless == "" || f.unless != kind) {
				continue next
			}
		}
		c.fail(n.keys[i].off, "unknown key '"+n.keys[i].text+"'")
	}
}

func (c *yamlChecker) value(v *node, f *yamlField) {
	switch f.form {
	case formMap:
		c.mapping(v, f.sub)
	case formList, formStrings, formUint64s:
		if v.kind != seqNode {
			if !isNull(v) {
				c.fail(v.off, "not a sequence")
			}
			return
		}
		for i := range v.items {
			switch f.form {
			case formList:
				c.mapping(&v.items[i], f.sub)
			case formStrings:
				c.scalar(&v.items[i], &yamlField{})
			default:
				c.scalar(&v.items[i], &yamlField{form: formUint64})
			}
			if c.fault != nil {
				return
			}
		}
	case formInfo:
		c.targetInfo(v, c.info)
	case formNumbers:
		if v.kind != mapNode && v.kind != nullNode {
			c.fail(v.off, "not a mapping")
		}
	default:
		c.scalar(v, f)
	}
}

// isNull reports a value that stands for none where a list is wanted.
func isNull(v *node) bool {
	switch v.kind {
	case nullNode:
		return true
	case scalarNode:
		return v.text == "null" || v.text == "Null" || v.text == "NULL" || v.text == "~"
	}
	return false
}

// targetInfo checks the fields of a machineFunctionInfo.
func (c *yamlChecker) targetInfo(v *node, info []family.InfoField) {
	fields := make([]yamlField, len(info))
	for i := range info {
		f := &fields[i]
		f.key = info[i].Key
		switch info[i].Kind {
		case family.InfoInt:
			f.form = formInt64
		case family.InfoBool:
			f.form = formBool
		case family.InfoStrings, family.InfoList:
			f.form = formStrings
		case family.InfoIntMap:
			f.form = formNumbers
		case family.InfoMap:
			if sub := v.get(f.key); sub != nil {
				if c.targetInfo(sub, info[i].Sub); c.fault != nil {
					return
				}
			}
			f.form = formNumbers
		case family.InfoArgument:
			f.form = formNumbers
		}
	}
	c.mapping(v, fields)
}

// ParseBool reads the words that YAML has for true and false.
func parseYAMLBool(s string) (v, ok bool) {
	switch s {
	case "true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON", "y", "Y":
		return true, true
	case "false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF", "n", "N":
		return false, true
	}
	return false, false
}

func (c *yamlChecker) scalar(v *node, f *yamlField) {
	if v.kind == blockNode {
		if f.form != formString {
			c.fail(v.off, "invalid number")
		}
		return
	}
	if v.kind != scalarNode {
		c.fail(v.off, "unexpected scalar")
		return
	}
	switch f.form {
	case formBool, formMaybeBool:
		if _, ok := parseYAMLBool(v.text); !ok && (f.form == formBool || v.text != "<none>") {
			c.fail(v.off, "invalid boolean")
		}
	case formUint16, formUint32, formUint64:
		width := map[yamlForm]int{formUint16: 16, formUint32: 32, formUint64: 64}[f.form]
		n, ok := parseYAMLUint(v.text, 0)
		if !ok {
			c.fail(v.off, "invalid number")
		} else if bits.Len64(n) > width {
			c.fail(v.off, "out of range number")
		}
	case formInt32, formInt64:
		n, ok := parseYAMLInt(v.text)
		if !ok {
			c.fail(v.off, "invalid number")
		} else if f.form == formInt32 && n != int64(int32(n)) {
			c.fail(v.off, "out of range number")
		}
	case formAlign, formPower:
		n, ok := parseYAMLUint(v.text, 10)
		switch {
		case !ok:
			c.fail(v.off, "invalid number")
		case f.form == formPower && bits.OnesCount64(n) != 1:
			c.fail(v.off, "must be a power of two")
		case n&(n-1) != 0:
			c.fail(v.off, "must be 0 or a power of two")
		}
	case formEnum:
		for _, s := range f.names {
			if s == v.text {
				return
			}
		}
		c.fail(v.off, "unknown enumerated scalar")
	}
}

// parseYAMLUint reads a number as LLVM's getAsUnsignedInteger does: base 0 is
// found by the prefix, 0 alone meaning octal; no sign and no _ may stand in it.
func parseYAMLUint(s string, base int) (uint64, bool) {
	for i := range len(s) {
		if s[i] == '_' || s[i] == '+' {
			return 0, false
		}
	}
	n, err := strconv.ParseUint(s, base, 64)
	return n, err == nil
}

// parseYAMLInt is parseYAMLUint with a sign.
func parseYAMLInt(s string) (int64, bool) {
	neg := s != "" && s[0] == '-'
	if neg {
		s = s[1:]
	}
	n, ok := parseYAMLUint(s, 0)
	switch {
	case !ok || neg && n > 1<<63 || !neg && n >= 1<<63:
		return 0, false
	case neg:
		return -int64(n), true
	}
	return int64(n), true
}

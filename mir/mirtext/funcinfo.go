package mirtext

import (
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// infoKind is the form of a machineFunctionInfo field's value.
type infoKind uint8

const (
	infoInt infoKind = iota
	infoBool
	infoStr
	infoStrings // flow sequence of strings
	infoList    // the same, an element a line
	infoMap     // nested fields
	infoArg     // argument descriptor: a flow mapping
	infoIntMap  // numbers to numbers
)

// infoField is one field of a target's machineFunctionInfo.
type infoField struct {
	key  string
	kind infoKind
	// def is the value that LLVM gives it when it is not written; where opt is
	// set, a field that is not written is not printed.
	def string
	opt bool
	// always: written with -simplify-mir too, though it has the default value.
	always bool
	sub    []infoField
}

// infoFields returns the fields of a target's machineFunctionInfo in LLVM's order.
func infoFields(target string) []infoField {
	switch target {
	case "X86":
		return []infoField{{key: "amxProgModel", kind: infoStr, def: "None", always: true}}
	case "AArch64":
		return []infoField{{key: "hasRedZone", kind: infoBool, opt: true}, {key: "stackSizeZPR", opt: true},
			{key: "stackSizePPR", opt: true}, {key: "hasStackFrame", kind: infoBool, opt: true}}
	case "ARM":
		return []infoField{{key: "isLRSpilled", kind: infoBool, def: "false", always: true}}
	case "RISCV":
		return []infoField{{key: "varArgsFrameIndex", def: "0", always: true}, {key: "varArgsSaveSize", def: "0", always: true}}
	case "Hexagon":
		return []infoField{{key: "stackAlignBaseReg", kind: infoStr, always: true}}
	case "WebAssembly":
		return []infoField{{key: "params", kind: infoStrings, def: "[]"}, {key: "results", kind: infoStrings, def: "[]"},
			{key: "isCFGStackified", kind: infoBool, def: "false"}, {key: "wasmEHFuncInfo", kind: infoIntMap, def: "{}"}}
	case "AMDGPU":
		return amdgpuFields()
	}
	return nil
}

// vregFlagName names a target's flag of virtual registers.
func vregFlagName(target string, bit int) string {
	if target == "AMDGPU" && bit == 0 {
		return "WWM_REG"
	}
	return ""
}

// InfoFields are the fields of a machineFunctionInfo as they were read: what
// mir.Function.TargetInfo holds where no target reads them.
type InfoFields struct {
	Target string
	// IROnly: the function has no machine code in the file; LLVM then prints
	// what it derives from the IR function.
	IROnly bool
	root   node
}

// unknown returns the first key that the target does not have and its place.
func unknownField(known []infoField, n *node) (string, int) {
next:
	for i := range n.keys {
		for k := range known {
			if f := &known[k]; f.key == n.keys[i].text {
				if v := &n.items[i]; f.kind == infoMap && v.kind == mapNode {
					if bad, at := unknownField(f.sub, v); bad != "" {
						return bad, at
					}
				}
				continue next
			}
		}
		return n.keys[i].text, n.keys[i].off
	}
	return "", 0
}

// Text returns the value of a scalar field as it was written.
func (t *InfoFields) Text(key string) (string, bool) {
	if v := t.root.get(key); v != nil {
		return v.text, true
	}
	return "", false
}

// AppendYAML prints the fields, and those missing with their defaults.
func (t *InfoFields) AppendYAML(b []byte, f *mir.Function, simplify bool) []byte {
	y := yamlOut{b: b}
	w := infoWriter{y: &y, f: f, simplify: simplify}
	switch t.Target {
	case "AMDGPU":
		w.computed = amdgpuComputed(f, t)
	case "AArch64":
		w.computed = func(key string) (string, bool) {
			_, have := t.Text(key)
			return "false", key == "hasRedZone" && !have && noRedZone(f)
		}
	}
	w.fields(infoFields(t.Target), &t.root, 2, "")
	return y.b
}

// noRedZone reports the attribute noredzone.
func noRedZone(f *mir.Function) bool {
	if f.Module == nil {
		return false
	}
	g := globalOf(f)
	return g != nil && f.Module.Attrs.At(g.Attrs).Fn.Has("noredzone")
}

// appendDefaultInfo appends a machineFunctionInfo that holds the defaults.
func appendDefaultInfo(b []byte, in *desc.Info, f *mir.Function, simplify bool) []byte {
	return (&InfoFields{Target: in.Target, IROnly: true}).AppendYAML(b, f, simplify)
}

// infoWriter prints fields.
type infoWriter struct {
	y        *yamlOut
	f        *mir.Function
	simplify bool
	// computed gives what the target derives for a field that the text does not
	// have; fields of nested mappings are written outer.inner.
	computed func(key string) (string, bool)
}

// fields prints the fields of one mapping.
func (w *infoWriter) fields(known []infoField, n *node, indent int, path string) {
	for i := range known {
		f := &known[i]
		v := n.get(f.key)
		if f.kind == infoMap {
			w.nested(f, v, indent, path+f.key+".")
			continue
		}
		text := f.def
		have := !f.opt
		if v != nil && v.kind != nullNode {
			have = true
			if v.kind == scalarNode {
				text = canonicalInfo(f.kind, v.text)
			}
		}
		if w.computed != nil {
			if s, ok := w.computed(path + f.key); ok && (v == nil || s != "") {
				text, have = s, have || v != nil || s != ""
				v = nil
			}
		}
		if !have || w.simplify && !f.always && !f.opt && isDefaultInfo(f, v, text) {
			continue
		}
		w.value(f, v, text, indent)
	}
}

func isDefaultInfo(f *infoField, v *node, text string) bool {
	switch f.kind {
	case infoStrings, infoIntMap:
		return v == nil || len(v.items) == 0
	}
	return text == f.def
}

// nested prints a field that has fields, nothing if none of these is printed.
func (w *infoWriter) nested(f *infoField, v *node, indent int, path string) {
	if v == nil {
		v = &node{}
	}
	y := w.y
	start := len(y.b)
	y.open(indent, f.key)
	empty := len(y.b)
	w.fields(f.sub, v, indent+2, path)
	if len(y.b) == empty {
		y.b, y.lineStart = y.b[:start], start
	}
}

// value prints one field.
func (w *infoWriter) value(f *infoField, v *node, text string, indent int) {
	y := w.y
	y.lineStart = len(y.b)
	switch f.kind {
	case infoInt, infoBool:
		y.key(indent, f.key)
		y.str(text)
	case infoStr:
		y.key(indent, f.key)
		y.scalar(text)
	case infoStrings:
		y.key(indent, f.key)
		l := y.beginFlow("[ ")
		if v != nil {
			for i := range v.items {
				y.next(&l)
				y.scalar(v.items[i].text)
			}
		}
		y.str(" ]")
	case infoList:
		if v == nil || len(v.items) == 0 {
			y.key(indent, f.key)
			y.str("[]")
			break
		}
		y.open(indent, f.key)
		for i := range v.items {
			y.indent(indent + 2)
			y.str("- ")
			y.scalar(v.items[i].text)
			y.newline()
		}
		return
	case infoArg:
		y.key(indent, f.key)
		y.str(text)
	case infoIntMap:
		if v == nil || len(v.keys) == 0 {
			y.key(indent, f.key)
			y.str("{}")
			break
		}
		y.open(indent, f.key)
		for i := range v.keys {
			y.key(indent+2, v.keys[i].text)
			y.str(v.items[i].text)
			y.newline()
		}
		return
	}
	y.newline()
}

// canonicalInfo gives a scalar LLVM's form: numbers in decimal.
func canonicalInfo(k infoKind, s string) string {
	switch k {
	case infoInt:
		if v, err := strconv.ParseInt(s, 0, 64); err == nil {
			return strconv.FormatInt(v, 10)
		}
		if v, err := strconv.ParseUint(s, 0, 64); err == nil {
			return strconv.FormatUint(v, 10)
		}
	case infoBool:
		return strings.ToLower(s)
	}
	return s
}

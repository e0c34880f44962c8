package mirtext

import (
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/family"
	"github.com/mirin-go/mirin/mir"
)

// InfoFields are the fields of a machineFunctionInfo as they were read: what
// mir.Function.TargetInfo holds where no target reads them.
type InfoFields struct {
	Family *family.Row
	// IROnly: the function has no machine code in the file; LLVM then prints
	// what it derives from the IR function.
	IROnly bool
	root   node
}

// Text returns the value of a scalar field as it was written.
func (t *InfoFields) Text(key string) (string, bool) {
	if v := t.root.get(key); v != nil {
		return v.text, true
	}
	return "", false
}

// AppendYAML prints the fields, and those missing with their defaults.
func (t *InfoFields) AppendYAML(b []byte, f *mir.Function, simplify bool) ([]byte, bool) {
	y := yamlOut{b: b}
	w := infoWriter{y: &y, f: f, simplify: simplify}
	if h := hooks[t.Family.ID].computed; h != nil {
		w.computed = h(f, t)
	}
	w.fields(t.Family.FunctionInfo, &t.root, 2, "")
	return y.b, true
}

// aarch64Computed knows what the attribute noredzone says of the field of that name.
func aarch64Computed(f *mir.Function, t *InfoFields) func(string) (string, bool) {
	return func(key string) (string, bool) {
		_, have := t.Text(key)
		return "false", key == "hasRedZone" && !have && noRedZone(f)
	}
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
	b, _ = (&InfoFields{Family: family.Of(in), IROnly: true}).AppendYAML(b, f, simplify)
	return b
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
func (w *infoWriter) fields(known []family.InfoField, n *node, indent int, path string) {
	for i := range known {
		f := &known[i]
		v := n.get(f.Key)
		if f.Kind == family.InfoMap {
			w.nested(f, v, indent, path+f.Key+".")
			continue
		}
		text := f.Default
		have := !f.Optional
		if v != nil && v.kind != nullNode {
			have = true
			if v.kind == scalarNode {
				text = canonicalInfo(f.Kind, v.text)
			}
		}
		if w.computed != nil {
			if s, ok := w.computed(path + f.Key); ok && (v == nil || s != "") {
				text, have = s, have || v != nil || s != ""
				v = nil
			}
		}
		if !have || w.simplify && !f.Always && !f.Optional && isDefaultInfo(f, v, text) {
			continue
		}
		w.value(f, v, text, indent)
	}
}

func isDefaultInfo(f *family.InfoField, v *node, text string) bool {
	switch f.Kind {
	case family.InfoStrings, family.InfoIntMap:
		return v == nil || len(v.items) == 0
	}
	return text == f.Default
}

// nested prints a field that has fields, nothing if none of these is printed.
func (w *infoWriter) nested(f *family.InfoField, v *node, indent int, path string) {
	if v == nil {
		v = &node{}
	}
	y := w.y
	start := len(y.b)
	y.open(indent, f.Key)
	empty := len(y.b)
	w.fields(f.Sub, v, indent+2, path)
	if len(y.b) == empty {
		y.b, y.lineStart = y.b[:start], start
	}
}

// value prints one field.
func (w *infoWriter) value(f *family.InfoField, v *node, text string, indent int) {
	y := w.y
	y.lineStart = len(y.b)
	switch f.Kind {
	case family.InfoInt, family.InfoBool:
		y.key(indent, f.Key)
		y.str(text)
	case family.InfoString:
		y.key(indent, f.Key)
		y.scalar(text)
	case family.InfoStrings:
		y.key(indent, f.Key)
		l := y.beginFlow("[ ")
		if v != nil {
			for i := range v.items {
				y.next(&l)
				y.scalar(v.items[i].text)
			}
		}
		y.str(" ]")
	case family.InfoList:
		if v == nil || len(v.items) == 0 {
			y.key(indent, f.Key)
			y.str("[]")
			break
		}
		y.open(indent, f.Key)
		for i := range v.items {
			y.indent(indent + 2)
			y.str("- ")
			y.scalar(v.items[i].text)
			y.newline()
		}
		return
	case family.InfoArgument:
		y.key(indent, f.Key)
		y.str(text)
	case family.InfoIntMap:
		if v == nil || len(v.keys) == 0 {
			y.key(indent, f.Key)
			y.str("{}")
			break
		}
		y.open(indent, f.Key)
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
func canonicalInfo(k family.InfoKind, s string) string {
	switch k {
	case family.InfoInt:
		if v, err := strconv.ParseInt(s, 0, 64); err == nil {
			return strconv.FormatInt(v, 10)
		}
		if v, err := strconv.ParseUint(s, 0, 64); err == nil {
			return strconv.FormatUint(v, 10)
		}
	case family.InfoBool:
		return strings.ToLower(s)
	}
	return s
}

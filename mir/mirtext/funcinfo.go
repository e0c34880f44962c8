package mirtext

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// infoField is one field of a target's machineFunctionInfo.
type infoField struct {
	key string
	// def is the value that LLVM gives it when it is not written; "" for none.
	def string
	// always: written with -simplify-mir too, though it has the default value.
	always bool
}

// infoFields returns the fields of a target's machineFunctionInfo in LLVM's order.
func infoFields(target string) []infoField {
	switch target {
	case "X86":
		return []infoField{{"amxProgModel", "None", true}}
	}
	return nil
}

// appendDefaultInfo appends a machineFunctionInfo that holds the defaults.
func appendDefaultInfo(b []byte, in *desc.Info, simplify bool) []byte {
	y := yamlOut{b: b}
	for _, f := range infoFields(in.Target) {
		if f.def != "" && (f.always || !simplify) {
			y.strKey(2, f.key, f.def)
		}
	}
	return y.b
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
	Keys   []string
	// Text holds the lines of each field as they are printed, key included.
	Text []string
}

// read takes the fields of a mapping.
func (t *InfoFields) read(src string, n *node) {
	for i := range n.keys {
		y := yamlOut{}
		k, v := n.keys[i].text, &n.items[i]
		switch v.kind {
		case scalarNode:
			y.strKey(2, k, v.text)
		case nullNode:
			y.strKey(2, k, "")
		default:
			y.key(2, k)
			y.str(src[v.off:v.end])
			if len(y.b) > 0 && y.b[len(y.b)-1] != '\n' {
				y.newline()
			}
		}
		t.Keys = append(t.Keys, k)
		t.Text = append(t.Text, string(y.b))
	}
}

// unknown returns the first key that the target does not have and its place.
func (t *InfoFields) unknown(n *node) (string, int) {
	known := infoFields(t.Target)
	if known == nil {
		return "", 0
	}
next:
	for i, k := range t.Keys {
		for _, f := range known {
			if f.key == k {
				continue next
			}
		}
		return k, n.keys[i].off
	}
	return "", 0
}

// AppendYAML prints the fields, and those missing with their defaults.
func (t *InfoFields) AppendYAML(b []byte, f *mir.Function, simplify bool) []byte {
	known := infoFields(t.Target)
	if known == nil {
		for _, s := range t.Text {
			b = append(b, s...)
		}
		return b
	}
next:
	for _, x := range known {
		for i, k := range t.Keys {
			if k == x.key {
				b = append(b, t.Text[i]...)
				continue next
			}
		}
		if x.def != "" && (x.always || !simplify) {
			y := yamlOut{b: b}
			y.strKey(2, x.key, x.def)
			b = y.b
		}
	}
	return b
}

package mirtext

import "github.com/mirin-go/mirin/desc"

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

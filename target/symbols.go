package target

import (
	"slices"
	"strings"

	"github.com/mirin-go/mirin/ir"
)

// IsDSOLocal reports whether a global is known to be in the same linked unit.
func IsDSOLocal(g *ir.Global) bool {
	if g.DSOLocal || g.HasLocalLinkage() {
		return true
	}
	return g.Visibility != ir.DefaultVisibility && g.Linkage != ir.ExternWeak
}

// TLSModel is how the address of a thread-local variable is found, as LLVM's
// TargetMachine::getTLSModel says: what the module is linked into allows, or what the
// variable promises where that is more.
func (m *Machine) TLSModel(mod *ir.Module, g *ir.Global) ir.TLSMode {
	pie, _ := mod.FlagInt("PIE Level")
	library, local := m.Options.Reloc == RelocPIC && !m.Options.JIT && pie == 0, IsDSOLocal(g)
	model := ir.InitialExecTLS
	switch {
	case library && local:
		model = ir.LocalDynamicTLS
	case library:
		model = ir.GeneralDynamicTLS
	case local:
		model = ir.LocalExecTLS
	}
	return max(model, g.TLS)
}

// IsLarge reports a global that may be anywhere in memory, as LLVM's
// TargetMachine::isLargeGlobalValue says: what the medium and large code models are about.
func (m *Machine) IsLarge(mod *ir.Module, g *ir.Global) bool {
	if !m.Target.MC.LargeSections || g == nil {
		return false
	}
	for range 16 {
		if g.Kind != ir.GlobalAlias || g.Init.Global() == 0 {
			break
		}
		g = mod.Globals[g.Init.Global()]
	}
	in := func(names ...string) bool {
		return slices.ContainsFunc(names, func(n string) bool { return g.Section == n || strings.HasPrefix(g.Section, n+".") })
	}
	model := m.Options.CodeModel
	switch {
	case g.Kind == ir.GlobalAlias:
		return true
	case g.Kind != ir.GlobalVar:
		if g.Section != "" {
			return in(".ltext")
		}
		return model == CodeModelLarge
	case g.TLS != ir.NotTLS:
		return false
	case g.CodeModel == 2: // small
		return false
	case g.CodeModel == 5:
		return true
	case g.Section != "":
		return in(".lbss", ".ldata", ".lrodata")
	case model != CodeModelMedium && model != CodeModelLarge:
		return false
	case g.IsDecl && (g.Name == "__ehdr_start" || strings.HasPrefix(g.Name, "__start_") || strings.HasPrefix(g.Name, "__stop_")):
		return true
	}
	if k := mod.Types.Kind(g.ValueType); k == ir.KindFunction || k == ir.KindStruct && mod.Types.IsOpaque(g.ValueType) {
		return true
	}
	size := m.Layout.SizeOf(mod.Types, g.ValueType)
	return size == 0 || size > m.Options.LargeDataThreshold
}

// CodeModelOf is the code model that a module asks for, the default where it asks for none.
func CodeModelOf(mod *ir.Module) CodeModel {
	if n, ok := mod.FlagInt("Code Model"); ok && n <= 4 {
		return CodeModelTiny + CodeModel(n)
	}
	return CodeModelDefault
}

// codeModels are LLVM's names.
var codeModels = [...]string{CodeModelDefault: "", CodeModelTiny: "tiny", CodeModelSmall: "small", CodeModelKernel: "kernel", CodeModelMedium: "medium", CodeModelLarge: "large"}

// ParseCodeModel finds a code model by name.
func ParseCodeModel(name string) (CodeModel, bool) {
	n := slices.Index(codeModels[:], name)
	return CodeModel(max(n, 0)), n >= 0
}

// checkCodeModel refuses those that the target does not have.
func (t *Target) checkCodeModel(c CodeModel) error {
	if c == CodeModelDefault || c == CodeModelSmall || slices.Contains(t.CodeModels, c) {
		return nil
	}
	return &Unsupported{Target: t.Name, What: "code model " + codeModels[c]}
}

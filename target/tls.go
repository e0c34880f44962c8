package target

import "github.com/mirin-go/mirin/ir"

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

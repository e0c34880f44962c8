package debugify

import (
	"slices"

	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
)

// StripDebug removes all debug information, where mir-debugify made it or the
// context says that other may be removed too.
var StripDebug = pass.Pass{Name: "mir-strip-debug", Title: "Machine Strip Debug Module", AnyTarget: true, RunModule: strip}

func strip(c *pass.Context, m *pass.Module) error {
	if !c.StripAllDebug && namedList(m.IR, irList) == nil {
		return nil
	}
	for _, f := range m.Funcs {
		if f == nil {
			continue
		}
		stripMachine(f)
		if f.IR != nil {
			f.IR.StripDebugInfo() // which is not the module's where a pass changed it
		}
	}
	m.IR.StripDebugInfo()
	m.IR.NamedMD = slices.DeleteFunc(m.IR.NamedMD, func(l ir.NamedMD) bool { return l.Name == irList || l.Name == mirList })
	if l := namedList(m.IR, "llvm.module.flags"); l != nil {
		l.Nodes = slices.DeleteFunc(l.Nodes, func(id ir.MDID) bool { return isVersionFlag(m.IR, id) })
		if len(l.Nodes) == 0 {
			m.IR.NamedMD = slices.DeleteFunc(m.IR.NamedMD, func(l ir.NamedMD) bool { return l.Name == "llvm.module.flags" })
		}
	}
	return nil
}

// stripMachine removes locations, debug instructions and what stack objects say
// about variables (which LLVM leaves, naming nodes that the module has no more).
func stripMachine(f *mir.Function) {
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		for i := f.Block(b).First(); i != 0; {
			in := i
			i = f.Instr(i).Next()
			f.Instr(in).Loc = 0
			if f.IsDebugInstr(in) {
				f.Erase(in)
			}
		}
	}
	f.Frame.Vars = nil
	for k := range f.Frame.Objects {
		o := &f.Frame.Objects[k]
		o.DebugVar, o.DebugExpr, o.DebugLoc = 0, 0, 0
	}
}

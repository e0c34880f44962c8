package irprep

import (
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// EntryExitInstrumenter calls a profiler where a function begins and where it
// returns, as the attributes instrument-function-entry-inlined and
// instrument-function-exit-inlined say. Those without "-inlined" ask optimizers.
var EntryExitInstrumenter = pass.Pass{
	Name:  "post-inline-ee-instrument",
	Title: "Instrument function entry/exit with calls to e.g. mcount() (post inlining)",
	IR:    true,
	Run:   runEntryExit,
}

func runEntryExit(c *pass.Context, mf *mir.Function) error {
	if mf.IR == nil || mf.FirstBlock() != 0 {
		return nil
	}
	attrs := mf.IR.Module.Attrs.At(mf.IR.Global().Attrs).Fn
	entry, _ := attrs.Get("instrument-function-entry-inlined")
	exit, _ := attrs.Get("instrument-function-exit-inlined")
	if entry.Value == "" && exit.Value == "" || attrs.Has("naked") {
		return nil
	}
	p := pass.Scratch[preparer](c)
	p.start(c, mf)
	p.f = mf.OwnIR()
	p.f.IndexUses()
	defer p.f.DropUses()
	if entry.Value != "" {
		if !p.callProfiler(entry.Value, p.firstPlace(p.f.Order[0])) {
			return unknownProfiler(c, mf, entry.Value)
		}
	}
	if exit.Value == "" {
		return nil
	}
	for _, b := range p.f.Order {
		at := p.f.Terminator(b)
		if p.f.Instrs[at].Op != ir.OpRet {
			continue
		}
		// Between a call that must be a jump and its return nothing stands.
		if i := p.f.Instrs[at].Prev; i != 0 && p.f.Instrs[i].Op == ir.OpCall && p.f.Instrs[i].Flags&ir.MustTail != 0 {
			at = i
		}
		if !p.callProfiler(exit.Value, at) {
			return unknownProfiler(c, mf, exit.Value)
		}
	}
	return nil
}

func unknownProfiler(c *pass.Context, mf *mir.Function, name string) error {
	return &target.Unsupported{Target: c.Subtarget.Target.Name, Func: mf.Name, What: "the instrumentation function " + name}
}

// callProfiler calls a function of a known name before at; false for other names.
func (p *preparer) callProfiler(name string, at ir.InstrID) bool {
	lib, args := ir.LibFunc(0), false
	switch name {
	case "mcount", "\x01mcount":
		lib = ir.LibMcount
	case ".mcount":
		lib = ir.LibDotMcount
	case "_mcount", "\x01_mcount":
		lib = ir.LibUnderMcount
	case "__mcount":
		lib = ir.LibUnderUnderMcount
	case "__cyg_profile_func_enter_bare":
		lib = ir.LibCygEnterBare
	case "__cyg_profile_func_enter":
		lib, args = ir.LibCygEnter, true
	case "__cyg_profile_func_exit":
		lib, args = ir.LibCygExit, true
	default:
		return false
	}
	if !args {
		p.insert(at, ir.Instr{Op: ir.OpCall, Type: ir.Void, SrcType: p.t.Func(ir.Void, nil, false)}, ir.LibraryVal(lib))
		return true
	}
	caller := p.insert(at, ir.Instr{Op: ir.OpCall, Type: ir.Ptr, SrcType: p.t.Func(ir.Ptr, []ir.Type{ir.Int32}, false)}, p.int(ir.Int32, 0), ir.IntrinsicVal(ir.IntrReturnaddress))
	p.insert(at, ir.Instr{Op: ir.OpCall, Type: ir.Void, SrcType: p.t.Func(ir.Void, []ir.Type{ir.Ptr, ir.Ptr}, false)}, ir.GlobalVal(p.f.ID), caller, ir.LibraryVal(lib))
	return true
}

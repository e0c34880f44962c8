package bpf

import (
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/mctarget"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/bpf/irpass"
	"github.com/mirin-go/mirin/target/bpf/mctargetdesc"
)

var mcHooks = target.MCHooks{
	AsmPrinter: newAsmPrinter,
	AsmInfo:    func(m *target.Machine) *mc.AsmInfo { return machineCode(m).AsmInfo() },
	Encoder:    func(m *target.Machine) mc.Encoder { return part(machineCode(m).Encoder()) },
	Backend:    func(m *target.Machine) mc.AsmBackend { return part(machineCode(m).Backend()) },
	Printer:    func(m *target.Machine, v int) mc.InstPrinter { return part(machineCode(m).Printer(v)) },
	Parser:     func(m *target.Machine) mc.TargetAsmParser { return part(machineCode(m).Parser()) },
}

// newAsmPrinter makes the hooks of one output.
func newAsmPrinter(*target.Machine) *target.AsmPrinterHooks {
	var btf *btfHandler
	return &target.AsmPrinterHooks{
		FuncAlign: 3,
		Modifier:  func(uint16) (mc.Modifier, error) { return mc.ModNone, nil },
		Section:   irpass.SpaceSection,
		Handlers: func(m *target.Machine, mod *ir.Module) []target.AsmHandler {
			if btf = newBTFHandler(m, mod); btf == nil {
				return nil
			}
			return []target.AsmHandler{btf}
		},
		Rewrite: func(_ *target.Subtarget, f *mir.Function, i mir.InstrID, in *mc.Inst) {
			if btf != nil {
				btf.rewrite(f, i, in)
			}
		},
	}
}

func machineCode(m *target.Machine) *mctarget.Target {
	return part(mctarget.New(m.Target.Family, m.Triple, "", "", &mctargetdesc.Hooks))
}

func part[T any](v T, err error) T {
	if err != nil {
		panic(err) // the tables are the program's own
	}
	return v
}

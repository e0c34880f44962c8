package bpf

import (
	"strconv"

	"github.com/mirin-go/mirin/desc/facts"
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
func newAsmPrinter(m *target.Machine) *target.AsmPrinterHooks {
	var btf *btfHandler
	return &target.AsmPrinterHooks{
		FuncAlign:  3,
		JumpTables: &jumpTables,
		AsmOperand: asmOperand(m),
		Modifier:   func(uint16) (mc.Modifier, error) { return mc.ModNone, nil },
		Section:    irpass.SpaceSection,
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

// jumpTables are read by loaders alone, which make maps of them.
var jumpTables = target.JumpTableObjects{Section: ".jumptables",
	Name: func(function, table int) string {
		return "BPF.JT." + strconv.Itoa(function) + "." + strconv.Itoa(table)
	}}

// asmOperand writes operands of inline assembly: registers, numbers, symbols, "(r1 + 8)".
func asmOperand(m *target.Machine) func([]byte, *mc.Context, []mc.Operand, byte, int) ([]byte, bool) {
	return func(b []byte, ctx *mc.Context, ops []mc.Operand, modifier byte, _ int) ([]byte, bool) {
		if modifier != 0 {
			return b, false
		}
		reg := func(o mc.Operand) {
			b = append(b, m.Facts.RegName(o.Reg())...)
			lower(b[len(b)-len(m.Facts.RegName(o.Reg())):])
		}
		switch o := ops[0]; {
		case len(ops) == 3: // memory
			b = append(b, '(')
			reg(o)
			off, sign := ops[1].Imm(), " + "
			if off < 0 {
				off, sign = -off, " - "
			}
			b = append(strconv.AppendInt(append(b, sign...), off, 10), ')')
		case o.IsReg():
			reg(o)
		case o.IsImm():
			b = strconv.AppendInt(b, o.Imm(), 10)
		case o.IsExpr():
			b = ctx.AppendExpr(b, o.Expr(), func(b []byte, s mc.Sym) []byte { return append(b, ctx.SymName(s)...) })
		default:
			return b, false
		}
		return b, true
	}
}

func lower(b []byte) {
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c | 0x20
		}
	}
}

func machineCode(m *target.Machine) *mctarget.Target {
	return part(mctarget.NewFrom(&mctarget.Source{Info: facts.BPF}, m.Target.Family, m.Triple, "", "", &mctargetdesc.Hooks))
}

func part[T any](v T, err error) T {
	if err != nil {
		panic(err) // the tables are the program's own
	}
	return v
}

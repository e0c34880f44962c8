package target

import (
	"fmt"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/objabi"
)

// MCHooks are a target's parts of the machine code layer, and what
// codegen/asmprinter asks of it. Variants of assembly syntax are LLVM's
// numbers, counted from 0.
type MCHooks struct {
	AsmInfo func(m *Machine) *mc.AsmInfo // nil: mc.ELFAsmInfo
	Encoder func(m *Machine) mc.Encoder
	Backend func(m *Machine) mc.AsmBackend
	Printer func(m *Machine, variant int) mc.InstPrinter
	// Parser reads instructions in assembly; nil: assembly goes out as text alone.
	Parser func(m *Machine) mc.TargetAsmParser
	// AsmPrinter returns the target's lowering of machine instructions.
	AsmPrinter func(m *Machine) *AsmPrinterHooks
	// ABIs are the binary interfaces of the target's objects.
	ABIs []*objabi.ABI
	// LargeSections says that there are sections for what the medium and large code
	// models have anywhere in memory.
	LargeSections bool
	// Syntax names the variants; nil where there is one alone.
	Syntax *AsmSyntax
}

// AsmSyntax is LLVM's flag that chooses the variant of assembly syntax.
type AsmSyntax struct {
	Flag, Help string
	Names      []string // by variant
}

// AsmPrinterHooks are a target's part in printing functions.
type AsmPrinterHooks struct {
	// Modifier gives the symbol modifier of operand target flags.
	Modifier func(flags uint16) (mc.Modifier, error)
	// Rewrite changes in, made of instruction i, before it is streamed: short forms,
	// pseudos that survived. Nil changes nothing.
	Rewrite func(st *Subtarget, f *mir.Function, i mir.InstrID, in *mc.Inst)
	// Expand writes what several instructions of the machine stand for; it reports whether
	// i is such a one. Nil: none is.
	Expand func(f *mir.Function, i mir.InstrID, x Expansion) (bool, error)
	// Call calls a symbol, its only operand; 0: there is no such instruction.
	Call desc.Opcode
	// Nops appends instructions of n bytes that do nothing, as few as there can be.
	Nops func(st *Subtarget, ins []mc.Inst, n int) []mc.Inst
	// Hardened says what the printer puts behind instructions; nil: nothing.
	Hardened func(st *Subtarget) Behind
	// Property is what a module's object says of itself in a note; nil: nothing.
	Property func(m *ir.Module) objabi.Property
	// SledJump are the bytes of a jump over SledRoom bytes behind it, which are nops: where
	// XRay changes the program.
	SledJump []byte
	SledRoom int
	// Section is the section of a variable that names none, and whatever it holds changes
	// there; "": what it holds decides. Nil says that of all.
	Section func(g *ir.Global) string
	// JumpTables describes tables that are objects of their own; nil: they are in read-only data.
	JumpTables *JumpTableObjects
	// FuncAlign is log2 of the alignment that every function needs.
	FuncAlign int

	// AsmOperand appends an operand of inline assembly in a variant; modifier is
	// the letter of "${0:k}" or 0. ok is false when it does not fit the operand.
	AsmOperand func(b []byte, ctx *mc.Context, ops []mc.Operand, modifier byte, variant int) (out []byte, ok bool)
	// SwitchSyntax is the directive that switches to a variant.
	SwitchSyntax func(variant int) string

	// DTPOff is the modifier of a symbol for its offset in the memory of a thread, which
	// debug information has; 0: there is none.
	DTPOff mc.Modifier

	// Handlers makes what the target alone writes beside the code; nil: nothing.
	Handlers func(m *Machine, mod *ir.Module) []AsmHandler
}

// Expansion takes the instructions that one stands for.
type Expansion interface {
	Emit(op desc.Opcode, ops ...mc.Operand)
	// Symbol is the symbol that an operand names, and Extern one of a name, with a modifier.
	Symbol(o *mir.Operand, m mc.Modifier) mc.Operand
	Extern(name string, m mc.Modifier) mc.Operand
	// Label is a label of the function's own by a name, which Place puts where the next
	// instruction stands. SymbolFrom is the symbol that an operand names and the distance
	// of the next instruction from such a label.
	Label(name string) mc.Operand
	Place(name string)
	SymbolFrom(o *mir.Operand, label string) mc.Operand
	// Err is the first fault.
	Err() error
}

// Behind is an instruction without operands that stands behind others in what is printed.
type Behind struct {
	Op desc.Opcode
	// Needs reports those that it stands behind; nil: none.
	Needs func(f *mir.Function, i mir.InstrID) bool
}

// NewMCContext returns an empty context for the machine's output.
func (m *Machine) NewMCContext() *mc.Context {
	if f := m.Target.MC.AsmInfo; f != nil {
		return mc.NewContext(f(m))
	}
	return mc.NewContext(nil)
}

// NewObjectStreamer returns a streamer for one object of the machine. What the
// target says of its objects must agree with the data layout.
func (m *Machine) NewObjectStreamer() (*mc.ObjectStreamer, error) {
	be, p := m.Target.MC.Backend(m), m.Layout.Pointer(0)
	switch h := be.Machine(); {
	case h.BigEndian != m.Layout.BigEndian:
		return nil, fmt.Errorf("target %s: its objects and its data layout differ in byte order", m.Target.Name)
	case 8*h.PtrSize != int(p.Bits):
		return nil, fmt.Errorf("target %s: its objects have addresses of %d bytes, its data layout has %d bits", m.Target.Name, h.PtrSize, p.Bits)
	}
	return mc.NewObjectStreamer(m.NewMCContext(), m.Target.MC.Encoder(m), be), nil
}

// ABI returns the binary interface of the machine's objects, nil when the
// target has none for it.
func (m *Machine) ABI() *objabi.ABI {
	h := m.Target.MC.Backend(m).Machine()
	return objabi.For(m.Target.MC.ABIs, &h)
}

// JumpTableObjects says that jump tables are global symbols in a section of their own, which
// is not loaded, and hold the distances of blocks from the begin of the function's section.
type JumpTableObjects struct {
	Section string
	// Name is the symbol of a table, by the numbers of the function and the table.
	Name func(function, table int) string
}

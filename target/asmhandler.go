package target

import (
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mir"
)

// An AsmHandler writes what describes a module's code beside the code: debug
// information of one kind. codegen/asmprinter tells it what is written where.
//
// Functions are printed by several workers at once, each into a chunk of the
// output. So a handler has two halves: a FuncHandler for each printer notes in a
// FuncRecord what is to be known of a function, with the labels that it put into
// the code, while the machine function is there; the handler itself adds the
// records to the output, one after the other in the output's order, and does
// there whatever depends on that order.
type AsmHandler interface {
	// Begin comes before all code, behind the name of the source.
	Begin(out AsmOutput) error
	// Fork returns what hears of the functions that one printer prints, whose output
	// out is. It is called before the printer prints, but maybe not by its goroutine.
	Fork(out AsmOutput) FuncHandler
	// End comes behind all functions, variables and aliases.
	End(out AsmOutput) error
}

// An InOrderHandler is one whose record of some functions decides what stands in
// their code: these are printed straight to the output, after those before them.
// The FuncHandler of the output's own printer, the first that Fork was asked for, hears of
// them in order, and of all functions before them that are printed this way.
type InOrderHandler interface {
	AsmHandler
	InOrder(f *mir.Function) bool
}

// FuncHandler hears of functions, one after the other.
type FuncHandler interface {
	// BeginFunc comes behind the function's labels and before its blocks.
	BeginFunc(fn *AsmFunc) error
	// BeginInstr and EndInstr enclose every instruction of the function, those that
	// nothing is written for (DBG_VALUE, KILL) too. Labels that are put there are
	// before and behind its bytes.
	BeginInstr(i mir.InstrID)
	EndInstr(i mir.InstrID)
	// EndFunc comes behind the last block and the label at the function's end. It
	// returns what is to be known of the function, nil for nothing.
	EndFunc(fn *AsmFunc) (FuncRecord, error)
}

// FuncRecord is what a handler knows of a function that was printed. It must not
// refer to the machine function, which is used for another one.
type FuncRecord interface {
	// Symbols are those that the record refers to. Their numbers are changed in place
	// when the function's chunk joins the output.
	Symbols() []mc.Sym
	// Add adds the record to the handler that it was made for. The records of an output
	// come in the order of their functions, all before the handler's End.
	Add(out AsmOutput) error
}

// AsmFunc is a function that is being printed.
type AsmFunc struct {
	*mir.Function
	Subtarget *Subtarget
	// Number counts the functions of the output.
	Number  int
	Section mc.SectionID
	// Sym is the function's symbol; Begin and End are labels before its first and
	// behind its last byte. End is not defined before EndFunc.
	Sym, Begin, End mc.Sym
}

// AsmOutput is where an AsmHandler writes.
type AsmOutput interface {
	Machine() *Machine
	Module() *ir.Module
	Streamer() mc.Streamer
	// Symbol is the symbol of a global.
	Symbol(g ir.GlobalID) mc.Sym
	// NewLabel is a new symbol for a place of the code that the handler wants to refer
	// to (".Ltmp0"). Whoever made it defines it.
	NewLabel() mc.Sym
	// DataSection is the section of a variable that has an initializer.
	DataSection(g *ir.Global) mc.SectionID
	// ReadFile reads a source file, if there is a place to read from.
	ReadFile(name string) ([]byte, error)
	// Verbose says that the text has comments.
	Verbose() bool
}

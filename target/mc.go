package target

// MCHooks is what codegen/asmprinter and the object writers ask of a target.
// Its members are typed where mc and codegen/asmprinter define them.
type MCHooks struct {
	// AsmPrinter returns the target's lowering of machine instructions to mc (an asmprinter hook struct).
	AsmPrinter func(m *Machine) any
	// Encoder, Backend and Printer make the mc layer's parts (mc.Encoder, mc.AsmBackend, mc.InstPrinter).
	Encoder func(m *Machine) any
	Backend func(m *Machine) any
	Printer func(m *Machine, intel bool) any
}

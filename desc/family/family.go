package family

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/triple"
)

// ID numbers LLVM's back ends, for arrays of hooks; 0 is none of them.
type ID uint8

// The back ends, by LLVM's names of them.
const (
	None ID = iota
	AArch64
	AMDGPU
	ARM
	AVR
	BPF
	Hexagon
	Lanai
	LoongArch
	M68k
	MSP430
	Mips
	NVPTX
	PowerPC
	R600
	RISCV
	SPIRV
	Sparc
	SystemZ
	VE
	WebAssembly
	X86
	XCore
	Xtensa

	Count = int(Xtensa) + 1
)

// Row is what is known about one back end.
type Row struct {
	ID   ID
	Name string // LLVM's name of the back end, as facts have it
	// March lists names of -march that are not names of architectures of triples,
	// with the architecture that each stands for.
	March []MarchName
	// Layout gives the data layout of a triple for an ABI, "" for the triple's own.
	Layout func(t triple.Triple, abi string) string
	// DefaultCPU is the processor of functions that name none, where it depends on the triple.
	DefaultCPU func(t triple.Triple) string
	cpuAliases []cpuAlias
	// MapSymbols says that objects have symbols that tell code from data ($x, $d).
	MapSymbols bool
	// Comment starts a comment in assembly; "" is #.
	Comment string
	// CodeLittle says that instructions have the low byte first where data has the high one.
	CodeLittle bool
	// FrameFloats says that call frame information names vector registers by their
	// floating-point halves, whose names begin with F.
	FrameFloats bool
	// TripleFeatures lists the features that a triple turns on and off, as -mattr does, for targets that have such.
	TripleFeatures func(t triple.Triple) string
	// FuncAlign is log2 of the alignment that functions have before code
	// generation decides otherwise; FuncAlignOf has the architectures where it differs.
	FuncAlign   uint8
	FuncAlignOf []ArchAlign
	// StackSpace and ConstSpace are the address spaces of stack slots, and of
	// constant pools, jump tables and the global offset table.
	StackSpace, ConstSpace uint32
	// FramePointers names the registers that functions with a frame pointer keep for it:
	// those with one of FramePointerFor, and those that ask for one.
	FramePointers   []string
	FramePointerFor FrameNeeds
	BasePointers    []BasePointer
	// Freed names, by prefixes, the registers that a feature or an attribute
	// frees though every variant of the facts reserves them, or the reverse.
	Freed []string
	// PCRelRegs: a register may stand where an operand relative to the program
	// counter is declared.
	PCRelRegs bool
	// CallFrameOnLoad: the size of call frames is computed when MIR that does not say it is read.
	CallFrameOnLoad bool
	// SubRegLiveness: parts of registers get live ranges of their own, in the
	// classes whose sub-registers are disjoint.
	SubRegLiveness bool
	// SubRegLivenessOf is a feature that turns SubRegLiveness on, "" for none.
	SubRegLivenessOf string
	// LaneMask: a register says which lanes of a vector run, so that a copy of a
	// vector is not the same everywhere in a block.
	LaneMask bool
	// ManyPads: a block may unwind to several pads without scopes in IR that say so.
	ManyPads bool
	// WordImm names the instruction whose immediate MIR writes in words.
	WordImm  string
	Branches Branches
	// VRegFlags names the target's flags of virtual registers, by bit.
	VRegFlags    []string
	FunctionInfo []InfoField           // machineFunctionInfo, in the order in which it is written
	lastDwarf    func(reg string) bool // see LastDwarf
	mode         func(in *desc.Info, t triple.Triple, features func() FeatureSet) int
}

// FrameNeeds are properties of frames that ask for registers of their own.
type FrameNeeds uint8

// The properties.
const (
	VarSized  FrameNeeds = 1 << iota // objects of variable size
	Realigned                        // objects of more alignment than callers give
	MovesSP                          // what moves the stack pointer is not followed
)

// BasePointer is a register that functions keep for the place of aligned objects
// where the frame pointer does not know it: those with all of the needs.
type BasePointer struct {
	Reg   string
	Mode  int // the hardware mode in which it is that, AnyMode in all
	Needs FrameNeeds
}

// AnyMode is every hardware mode.
const AnyMode = -1

// FrameRegs calls reserve with the registers that a function keeps for its frame, by
// name: its needs, its hardware mode, and whether a frame pointer is asked for.
func (r *Row) FrameRegs(needs FrameNeeds, mode int, framePointer bool, reserve func(name string)) {
	if framePointer || needs&r.FramePointerFor != 0 {
		for _, n := range r.FramePointers {
			reserve(n)
		}
	}
	for _, b := range r.BasePointers {
		if needs&b.Needs == b.Needs && (b.Mode == AnyMode || b.Mode == mode) {
			reserve(b.Reg)
		}
	}
}

// MarchName is a name of -march and the architecture, in triples' words, that it asks for.
type MarchName struct{ Name, Arch string }

// ArchAlign is an alignment's log2 for one architecture.
type ArchAlign struct {
	Arch  triple.Arch
	Align uint8
}

// ByName returns the row of a back end by LLVM's name of it. A name that is not
// LLVM's has a row too, with nothing in it.
func ByName(name string) *Row {
	for i := range Rows {
		if Rows[i].Name == name {
			return &Rows[i]
		}
	}
	return &Rows[None]
}

// Of returns the row of the target that facts are of.
func Of(in *desc.Info) *Row { return ByName(in.Target) }

// ByArch returns the row of the back end for an architecture, nil when there is none.
func ByArch(a triple.Arch) *Row {
	if id := byArch[a]; id != None {
		return &Rows[id]
	}
	return nil
}

// ByTriple returns the row of the back end that serves a triple, nil when there is none.
func ByTriple(text string) *Row { return ByArch(triple.Parse(text).Arch) }

// NameOf is LLVM's name of the back end that serves a triple, "" when there is none.
func NameOf(text string) string {
	if r := ByTriple(text); r != nil {
		return r.Name
	}
	return ""
}

// ByMarch returns the row that a name of -march asks for, nil when there is none.
func ByMarch(name string) *Row { return ByArch(triple.ArchByName(ArchOfMarch(name))) }

// ArchOfMarch gives the word of triples for a name of -march.
func ArchOfMarch(name string) string {
	for i := range Rows {
		for _, m := range Rows[i].March {
			if m.Name == name {
				return m.Arch
			}
		}
	}
	return name
}

// DataLayout returns the data layout that LLVM's target has for a triple and
// -target-abi; in has that of targets that are not LLVM's, and may be nil.
func (r *Row) DataLayout(in *desc.Info, t triple.Triple, abi string) string {
	switch {
	case r.Layout != nil:
		return r.Layout(t, abi)
	case in != nil && len(in.Variants) > 0:
		return in.Str(in.Variants[0].DataLayout)
	}
	return ""
}

// FunctionAlign is log2 of the alignment that functions have before code
// generation decides otherwise.
func (r *Row) FunctionAlign(t triple.Triple) uint8 {
	for _, a := range r.FuncAlignOf {
		if a.Arch == t.Arch {
			return a.Align
		}
	}
	return r.FuncAlign
}

// Mode is the hardware mode that LLVM chooses for a triple and features, the
// default one where the facts have not seen it or the triple says nothing.
// features is called where they matter.
func (r *Row) Mode(in *desc.Info, t triple.Triple, features func() FeatureSet) int {
	if r.mode == nil {
		return in.DefaultMode
	}
	if m := r.mode(in, t, features); 0 <= m && m < len(in.Modes) && in.Str(in.Modes[m]) != "" {
		return m
	}
	return in.DefaultMode
}

// LastDwarf reports whether a register takes a DWARF number from those before it:
// of registers with one number the last counts, where its description has a
// number of its own and does not take it over from its sub-register.
func (r *Row) LastDwarf(reg string) bool { return r.lastDwarf == nil || r.lastDwarf(reg) }

// VRegFlag names a flag of virtual registers, "" when there is none.
func (r *Row) VRegFlag(bit int) string {
	if bit < len(r.VRegFlags) {
		return r.VRegFlags[bit]
	}
	return ""
}

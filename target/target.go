package target

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/mirin-go/mirin/codegen/legal"
	"github.com/mirin-go/mirin/codegen/schedmodel"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/family"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/triple"
)

// Target describes one instruction set architecture. Targets are package
// variables of target/<isa> made without init work and are never changed.
type Target struct {
	Name string // -march: "x86-64", "bpf"
	Desc string // one line for --version
	// Family is the back end's row: layouts, features of triples, what MIR tools need.
	Family *family.Row
	// Facts loads the target's facts (desc/facts).
	Facts func() (*desc.Info, error)
	// Matches reports whether the target serves a triple.
	Matches func(t triple.Triple) bool
	// DefaultCPU is the processor used when none is named.
	DefaultCPU string
	// Reloc is the relocation model where neither flags nor the module say one; RelocDefault: static.
	Reloc RelocModel
	// TuneCPU names the processor to tune for when "tune-cpu" does not: cpu is what
	// was named, "" for none. Without the hook it is the processor itself.
	TuneCPU func(cpu string) string
	// NewSubtarget fills in the tables of a subtarget and reports configurations
	// that the target does not support.
	NewSubtarget func(st *Subtarget) error

	ISel  ISelHooks
	Instr InstrHooks
	Frame FrameHooks
	// Outline is nil for targets without machine-outliner.
	Outline *OutlineHooks
	MC      MCHooks
	// Passes are the target's own, beside those of codegen/pipeline.
	Passes []Pass
	// IRPasses makes the target's own passes over the IR of a module; nil: it has none.
	IRPasses func(r *IRRun) []IRPass
	// Requests are the target's own, beside those of all targets (requests.go). Does
	// names those that its passes and hooks do, of both lists, with the value that is
	// done, "" for any.
	Requests, Does []Request
	// CodeModels are those that there are beside the small one.
	CodeModels []CodeModel
	// Flags are the target's own.
	Flags []Flag
}

// DataLayout returns the data layout of a triple.
func (t *Target) DataLayout(of triple.Triple) string { return t.Family.DataLayout(nil, of, "") }

// OptLevel is -O0 to -O3.
type OptLevel uint8

// RelocModel is -relocation-model.
type RelocModel uint8

// The relocation models.
const (
	RelocDefault RelocModel = iota
	RelocStatic
	RelocPIC
	RelocDynamicNoPIC
)

// CodeModel is -code-model.
type CodeModel uint8

// The code models.
const (
	CodeModelDefault CodeModel = iota
	CodeModelTiny
	CodeModelSmall
	CodeModelKernel
	CodeModelMedium
	CodeModelLarge
)

// FramePointerKind is -frame-pointer.
type FramePointerKind uint8

// The kinds of frame pointer use; FramePointerDefault follows the function's attribute.
const (
	FramePointerDefault FramePointerKind = iota
	FramePointerNone
	FramePointerNonLeaf
	FramePointerAll
)

// Options configure a Machine, llc's flags.
type Options struct {
	Triple           string
	CPU              string
	Features         string // -mattr
	Opt              OptLevel
	Reloc            RelocModel
	CodeModel        CodeModel
	FramePointer     FramePointerKind
	FunctionSections bool
	DataSections     bool
	// AsmVariant is the syntax of assembly output, by its number.
	AsmVariant int
	// JIT says that the code runs in this process: addresses are near, no PLT.
	JIT bool
	// WithoutABI says that the target makes no code for the triple: single passes
	// from MIR to MIR run, those that know nothing of calls, frames and files.
	WithoutABI bool
	// FactsOnly says that nothing but its facts is known of the target: passes from MIR
	// to MIR run that need no more.
	FactsOnly bool
	// LargeDataThreshold is the size from which on variables are large in the medium and
	// large code models.
	LargeDataThreshold uint64
	// SharedSectionNames has functions and variables with sections of their own share the name.
	SharedSectionNames bool
	// GuaranteedTailCalls has tail calls of some conventions be jumps at every level.
	GuaranteedTailCalls bool
	// TLSDesc has thread-local variables be found by descriptors.
	TLSDesc bool
	// VerifyCFI has cfi-instr-inserter check that the frame information of blocks
	// agrees with that of the blocks before them.
	VerifyCFI bool
	Tuning    Tuning
}

// Flag is a flag that one target has: what it turns on or off.
type Flag struct {
	Name, Help string
	Set        func(t *Tuning, on bool)
}

// Tuning are the limits of optimizing passes that flags change; 0 is the default.
type Tuning struct {
	// TailDupSize is how many instructions a block may have that is copied into
	// those before it; TailDupPredSize and TailDupSuccSize are how many blocks may
	// stand before and behind one where both are passed.
	TailDupSize, TailDupPredSize, TailDupSuccSize Limit
	// TailMergeSize is how many instructions ends of blocks must share.
	TailMergeSize Limit
	// PartialClearance and UndefClearance are how many instructions ago a register
	// should have been written that is kept, or read, for nothing.
	PartialClearance, UndefClearance Limit
	// SinkLoads and SinkLoadBlocks are how many instructions and blocks are looked at for
	// stores between a load and where it may go.
	SinkLoads, SinkLoadBlocks Limit
	// NewRelocations allows those that only new linkers know.
	NewRelocations bool
	Outline        OutlineTuning
	Sched          SchedTuning
	EarlyIfCvt     IfCvtTuning
	Pipeliner      PipelinerTuning
}

// IfCvtTuning says what flags change of early-ifcvt: On has it convert, which no target
// does by default; Stress has it convert all that it can, whatever that costs; Limit is how
// many instructions of a block may be executed always.
type IfCvtTuning struct {
	On, Stress bool
	Limit      Limit
}

// Limit is a number that a flag may give: one more than it, 0 for the default.
type Limit int

// LimitOf gives the limit of n.
func LimitOf(n int) Limit { return Limit(n + 1) }

// Or gives the number, n where none was given.
func (l Limit) Or(n int) int {
	if l == 0 {
		return n
	}
	return int(l) - 1
}

// SchedTuning says what flags change of the schedulers.
type SchedTuning struct {
	// PreRA and PostRA are the ends from which regions are scheduled before and behind allocation.
	PreRA, PostRA SchedDirection
	// NoPressure, NoFusion and NoCyclicPath leave out what they name.
	NoPressure, NoFusion, NoCyclicPath bool
	// UseAA asks what pointers of the IR may point to.
	UseAA bool
	// Enable and EnablePostRA turn machine-scheduler and postmisched on or off; the default
	// of the one is on, of the other what the processor's model says.
	Enable, EnablePostRA Switch
	// PostRAList turns post-RA-sched on or off at every level; the default is what the
	// processor's model says, from -O2 on.
	PostRAList Switch
	// AntiDeps says which registers it renames; the default is the target's.
	AntiDeps AntiDepMode
}

// AntiDepMode says which anti-dependencies, of a register that is only written again,
// are broken behind allocation by another register.
type AntiDepMode uint8

// The modes: none, those on the longest way through a region, and all.
const (
	AntiDepsDefault AntiDepMode = iota
	AntiDepsNone
	AntiDepsCritical
	AntiDepsAll
)

// Switch is a flag that may be left to a default.
type Switch uint8

// The values.
const (
	SwitchDefault Switch = iota
	SwitchOn
	SwitchOff
)

// SchedDirection is -misched-prera-direction and -misched-postra-direction.
type SchedDirection uint8

// The directions; the default is the target's.
const (
	SchedDefault SchedDirection = iota
	SchedTopDown
	SchedBottomUp
	SchedBidirectional
)

// Machine is a Target configured for a compilation; shared by all workers.
type Machine struct {
	Target  *Target
	Triple  triple.Triple
	Options Options
	Facts   *desc.Info
	Layout  *ir.DataLayout
	// Variant is what the facts say about subtargets of the triple: the stack, the
	// pseudo instructions around calls.
	Variant *desc.VariantDesc

	mu   sync.Mutex
	subs map[subtargetKey]*Subtarget
	// attrRequests is Target.attrRequests; nil: not known.
	attrRequests map[string][]*Request
	warnings     []string
}

// subtargetKey is what a subtarget follows from.
type subtargetKey struct {
	cpu, tune, features string
	widths              VectorWidths
}

// VectorWidths are what a function's attributes "prefer-vector-width" and
// "min-legal-vector-width" say in bits, -1 where they are not there.
type VectorWidths struct{ Prefer, MinLegal int }

// Warnings tells, sorted, what the subtargets asked for so far named that the
// target does not know: features, which are ignored as LLVM ignores them.
func (m *Machine) Warnings() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	slices.Sort(m.warnings)
	return slices.Compact(slices.Clone(m.warnings))
}

// NewMachine configures a target.
func NewMachine(t *Target, o Options) (*Machine, error) {
	m := &Machine{Target: t, Triple: triple.Parse(o.Triple), Options: o, subs: map[subtargetKey]*Subtarget{}}
	err := t.checkCodeModel(o.CodeModel)
	if err != nil && !o.WithoutABI && !o.FactsOnly {
		return nil, err
	}
	if m.Facts, err = t.Facts(); err != nil {
		return nil, err
	}
	if m.Layout, err = ir.ParseDataLayout(t.DataLayout(m.Triple)); err != nil {
		return nil, err
	}
	m.Variant = variantOf(m.Facts, m.Triple)
	m.attrRequests = t.attrRequests()
	return m, nil
}

// variantOf finds the variant of the facts whose triple agrees with t in the
// most components, the first of several.
func variantOf(in *desc.Info, t triple.Triple) *desc.VariantDesc {
	best, most := &desc.VariantDesc{}, -1
	for k := range in.Variants {
		v := triple.Parse(in.Str(in.Variants[k].Triple))
		n := 0
		for _, same := range [...]bool{v.Arch == t.Arch, v.OS == t.OS, v.Env == t.Env} {
			n *= 2 // the architecture outweighs the rest
			if same {
				n++
			}
		}
		if n > most {
			best, most = &in.Variants[k], n
		}
	}
	return best
}

// UseLayout makes a module's data layout that of the machine, as LLVM does; ""
// leaves the target's. Pointers must be the target's: nothing else can be compiled.
func (m *Machine) UseLayout(layout string) error {
	if layout == "" || layout == m.Target.DataLayout(m.Triple) {
		return nil
	}
	l, err := ir.ParseDataLayout(layout)
	if err != nil {
		return err
	}
	own := m.Layout.Pointer(0)
	switch p := l.Pointer(0); {
	case l.BigEndian != m.Layout.BigEndian:
		return fmt.Errorf("data layout %q: the byte order is not that of %s", layout, m.Target.Name)
	case p.IndexBits != own.IndexBits && p.Bits == own.Bits:
		return fmt.Errorf("data layout %q: indices of %d bits, those of %s have %d", layout, p.IndexBits, m.Target.Name, own.IndexBits)
	case p.Bits != own.Bits:
		return fmt.Errorf("data layout %q: pointers of %d bits, those of %s have %d", layout, p.Bits, m.Target.Name, own.Bits)
	}
	m.Layout = l
	return nil
}

// UnknownFeature returns the first of the features, written as in -mattr, that
// the target does not know, "" when it knows all.
func (m *Machine) UnknownFeature(features string) string {
	for f := range strings.SplitSeq(features, ",") {
		name := strings.TrimLeft(f, "+-")
		if f != "" && !slices.ContainsFunc(m.Facts.Features, func(d desc.FeatureDesc) bool { return m.Facts.Str(d.Name) == name }) {
			return f
		}
	}
	return ""
}

// Subtarget is a machine with processor and features. Immutable; one per
// distinct pair, shared by all workers.
type Subtarget struct {
	*Machine
	CPU      string
	Features string
	// Widths are of the functions that share the subtarget; targets ask them for the
	// widest vectors that registers are to hold.
	Widths VectorWidths
	set    family.FeatureSet
	sched  func() *schedmodel.Model

	// The tables of the subtarget, filled in by Target.NewSubtarget. What is nil
	// is refused by name when it is asked for.

	// Call is how the subtarget calls.
	Call *CallConv
	// Instr names instructions that passes build by themselves.
	Instr *InstrTable
	// Legal has the legalization rules.
	Legal *legal.Table
	// Frame stands instead of Target.Frame where it is not nil: a target that reads
	// its description at run time learns the numbers of registers then.
	Frame *FrameHooks

	unwanted *Request // see refusedFeature

	// What is found once; copies of the subtarget share it.
	spills   func() []*SpillRow // by class, see spillRow
	reserved func() *reservedRegs
}

// Subtarget returns the subtarget of a function: its "target-cpu" and
// "target-features" attributes over the machine's options. fn may be nil.
func (m *Machine) Subtarget(fn *ir.Global, mod *ir.Module) (*Subtarget, error) {
	cpu, feats := m.Options.CPU, m.Options.Features
	tune := ""
	widths := VectorWidths{-1, -1}
	if fn != nil && mod != nil {
		attrs := mod.Attrs.At(fn.Attrs).Fn
		for name, w := range map[string]*int{"prefer-vector-width": &widths.Prefer, "min-legal-vector-width": &widths.MinLegal} {
			if a, ok := attrs.Get(name); ok {
				if n, err := strconv.Atoi(a.Value); err == nil {
					*w = n
				}
			}
		}
		if a, ok := attrs.Get("target-cpu"); ok {
			cpu = a.Value
		}
		if a, ok := attrs.Get("tune-cpu"); ok {
			tune = a.Value
		}
		if a, ok := attrs.Get("target-features"); ok {
			// The function's own come first, so that -mattr has the last word.
			if feats == "" {
				feats = a.Value
			} else {
				feats = a.Value + "," + strings.TrimSuffix(feats, ",")
			}
		}
	}
	if tune == "" && m.Target.TuneCPU != nil {
		tune = m.Target.TuneCPU(cpu)
	}
	if cpu == "" {
		cpu = m.Target.DefaultCPU
	}
	if tune == "" {
		tune = cpu
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	key := subtargetKey{cpu, tune, feats, widths}
	if st, ok := m.subs[key]; ok {
		return st, nil
	}
	st := &Subtarget{Machine: m, CPU: cpu, Features: feats, Widths: widths}
	if err := st.resolve(tune); err != nil {
		return nil, err
	}
	st.sched = sync.OnceValue(func() *schedmodel.Model { return schedmodel.New(st.Facts, tune) })
	st.spills, st.reserved = sync.OnceValue(st.findSpills), sync.OnceValue(st.findReserved)
	if m.Target.NewSubtarget != nil {
		if err := m.Target.NewSubtarget(st); err != nil {
			return nil, err
		}
	}
	st.unwanted = st.refusedFeature()
	m.subs[key] = st
	return st, nil
}

// Sched is the machine model of the processor that code is tuned for.
func (st *Subtarget) Sched() *schedmodel.Model { return st.sched() }

// Has reports whether feature bit is on.
func (st *Subtarget) Has(bit int) bool { return st.set.Bit(uint16(bit)) }

// HasFeature reports whether the feature called name (as in -mattr) is on.
func (st *Subtarget) HasFeature(name string) bool { return st.set.Has(name) }

// resolve computes the feature bits. Unknown features are noted and ignored. The
// machine is locked.
func (st *Subtarget) resolve(tune string) error {
	features := st.Features
	if of := st.Target.Family.TripleFeatures; of != nil {
		features = of(st.Triple) + "," + features
	}
	r := family.Resolve(st.Facts, st.CPU, tune, features)
	if r.NoCPU {
		return fmt.Errorf("'%s' is not a recognized processor for this target", st.CPU)
	}
	for _, f := range r.Unknown {
		st.warnings = append(st.warnings, "'"+f+"' is not a recognized feature for this target (ignoring feature)")
	}
	st.set = r.FeatureSet
	return nil
}

// Unsupported is the error for a feature that a target, or Mirin, does not have.
type Unsupported struct {
	Target string
	What   string
	Func   string // function that needs it, "" when none
	// Loc is the place in the source, 0 where it is not known.
	Loc mir.DebugLoc
	// Place and Type are set where What is a sentence of LLVM's, which says what programs may not
	// ask of the target: the place in the source as LLVM writes it, and the function's type.
	Place, Type string
}

// Error says it by name: "x86-64: function f: x86_fp80 is not supported".
func (u *Unsupported) Error() string {
	if u.Place != "" {
		return u.Place + ": in function " + u.Func + " " + u.Type + ": " + u.What
	}
	s := u.Target
	if u.Func != "" {
		s += ": in function " + u.Func
	}
	return s + ": " + u.What + " is not supported"
}

// NotSupported makes an Unsupported error for function f.
func (st *Subtarget) NotSupported(f *mir.Function, what string) error {
	u := &Unsupported{Target: st.Target.Name, What: what}
	if f != nil {
		u.Func = f.Name
	}
	return u
}

// Refusal makes the error for something that programs may not ask of the target, in LLVM's words.
func (st *Subtarget) Refusal(f *mir.Function, loc mir.DebugLoc, sentence string) error {
	u := &Unsupported{Target: st.Target.Name, What: sentence, Func: f.Name, Loc: loc, Place: "<unknown>:0:0"}
	if f.IR == nil {
		return u
	}
	m := f.IR.Module
	u.Type = m.Types.Name(f.IR.Global().ValueType)
	if l, ok := m.MD.Location(ir.MDID(loc)); ok && loc != 0 {
		if file := m.MD.At(m.MD.FileOf(l.Scope)); file != nil {
			u.Place = fmt.Sprintf("%s:%d:%d", file.FieldText("filename"), l.Line, l.Column)
		}
	}
	return u
}

// FeatureBits returns the set of features, by desc.FeatureDesc.Bit; it must not be changed.
func (st *Subtarget) FeatureBits() []uint64 { return st.set.Bits() }

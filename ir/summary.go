package ir

import (
	"cmp"
	"crypto/md5"
	"encoding/binary"
	"slices"
	"strings"
)

// SummaryVersion is the version of the records of summaries that LLVM 22 writes.
const SummaryVersion = 12

// Summary is a module summary index: what ThinLTO knows of a module (or, when
// Combined, of several) without its bodies. Values refer to each other by GUID.
type Summary struct {
	// Combined is set for an index without a module, as the thin link makes it.
	Combined bool
	// FullLTO says that the index was read from a block for regular LTO.
	FullLTO bool
	Modules []SummaryModule
	// Values are in the order of their GUIDs after Sort; Value adds to them.
	Values  []SummaryValue
	TypeIDs []SummaryTypeID
	// VTables are in the order of their names after Sort.
	VTables    []SummaryVTables
	Flags      uint64
	BlockCount uint64
	// CFIDefs and CFIDecls name the functions with jump tables of control flow integrity.
	CFIDefs, CFIDecls []string

	byGUID map[uint64]int // places in Values
}

// Flags of a Summary that are known by name.
const (
	SummarySplitLTOUnit = 0x8
	SummaryUnifiedLTO   = 0x200
)

// SummaryModule is one module of an index.
type SummaryModule struct {
	Path string
	Hash [5]uint32
}

// SummaryValue is a global by its GUID, with what is known of its definitions.
type SummaryValue struct {
	GUID      uint64
	Name      string // empty in combined indexes
	Summaries []GlobalSummary
}

// SummaryKind tells the forms of a GlobalSummary apart.
type SummaryKind uint8

// The forms of summaries.
const (
	AliasSummary SummaryKind = iota
	FunctionSummary
	VariableSummary
)

// GlobalSummary is what is known of one definition of a global.
type GlobalSummary struct {
	Kind       SummaryKind
	Linkage    Linkage
	Visibility Visibility
	// NotEligible is set where the global cannot be imported into other modules.
	NotEligible, Live, DSOLocal, CanAutoHide, AsDeclaration bool

	Module   uint32 // index into Summary.Modules
	Original uint64 // GUID of the name without its module, 0 when it is the value's own
	Refs     []SummaryRef

	// Aliasee is the GUID of what an alias stands for; 0 when it is not known.
	Aliasee uint64

	// Variables: VarFlags, VTableFuncs.
	VarFlags    SummaryVarFlags
	VTableFuncs []SummaryVTableFunc

	// Functions:
	Insts     uint64
	FuncFlags SummaryFuncFlags
	Calls     []SummaryCall

	TypeTests                                []uint64
	AssumeVCalls, CheckedLoadVCalls          []SummaryVFunc
	AssumeConstVCalls, CheckedLoadConstVCall []SummaryConstVCall
	Allocs                                   []SummaryAlloc
	Callsites                                []SummaryCallsite
	Params                                   []SummaryParam
}

// SummaryRef is a reference to a global that is no call.
type SummaryRef struct {
	GUID                uint64
	ReadOnly, WriteOnly bool
}

// SummaryVarFlags are the flags of a variable; the bits from 8 on are its vcall_visibility.
type SummaryVarFlags uint16

// The flags of variables.
const (
	SummaryMaybeReadOnly SummaryVarFlags = 1 << iota
	SummaryMaybeWriteOnly
	SummaryConstant
	summaryVCallShift = 3
)

// VCallVisibility is the visibility of a vtable's calls, 0 to 2.
func (f SummaryVarFlags) VCallVisibility() uint64 { return uint64(f>>summaryVCallShift) & 3 }

// WithVCallVisibility sets the visibility of a vtable's calls.
func (f SummaryVarFlags) WithVCallVisibility(n uint64) SummaryVarFlags {
	return f&(1<<summaryVCallShift-1) | SummaryVarFlags(n&3)<<summaryVCallShift
}

// SummaryFuncFlags are the flags of a function, by the bits of the bitcode.
type SummaryFuncFlags uint16

// The flags of functions, in LLVM's order.
const (
	SummaryReadNone SummaryFuncFlags = 1 << iota
	SummaryReadOnly
	SummaryNoRecurse
	SummaryReturnDoesNotAlias
	SummaryNoInline
	SummaryAlwaysInline
	SummaryNoUnwind
	SummaryMayThrow
	SummaryHasUnknownCall
	SummaryMustBeUnreachable
)

// SummaryFuncFlagNames are the names of the flags, from bit 0 on.
func SummaryFuncFlagNames() []string {
	return []string{"readNone", "readOnly", "noRecurse", "returnDoesNotAlias", "noInline", "alwaysInline", "noUnwind", "mayThrow",
		"hasUnknownCall", "mustBeUnreachable"}
}

// Hotness of a call edge.
type Hotness uint8

// The kinds of hotness, LLVM's numbers.
const (
	HotnessUnknown Hotness = iota
	HotnessCold
	HotnessNone
	HotnessHot
	HotnessCritical
)

// HotnessNames are the names of the kinds of hotness, by number.
func HotnessNames() []string { return []string{"unknown", "cold", "none", "hot", "critical"} }

// SummaryCall is a call edge.
type SummaryCall struct {
	Callee  uint64
	RelFreq uint64 // relative block frequency, used where the hotness is unknown
	Hotness Hotness
	Tail    bool
}

// SummaryVTableFunc is a function in a vtable.
type SummaryVTableFunc struct {
	Func, Offset uint64
}

// SummaryVFunc is a virtual call by type identifier and offset in the vtable.
type SummaryVFunc struct {
	GUID, Offset uint64
}

// SummaryConstVCall is a virtual call with constant arguments.
type SummaryConstVCall struct {
	Func SummaryVFunc
	Args []uint64
}

// SummaryAlloc is a profiled allocation: its contexts and what its versions do.
type SummaryAlloc struct {
	Versions []uint8 // 1 notcold, 2 cold, 4 hot
	MIBs     []SummaryMIB
}

// SummaryMIB is one context of an allocation; StackIDs are hashes of frames.
type SummaryMIB struct {
	Type     uint8
	StackIDs []uint64
}

// SummaryCallsite is a call on the way to a profiled allocation.
type SummaryCallsite struct {
	Callee   uint64 // 0: null
	Clones   []uint64
	StackIDs []uint64
}

// SummaryParam says at which offsets a function uses memory behind a parameter.
type SummaryParam struct {
	Param uint64
	Use   SummaryRange
	Calls []SummaryParamCall
}

// SummaryParamCall is a call that the parameter is passed on to.
type SummaryParamCall struct {
	Callee  uint64
	Param   uint64
	Offsets SummaryRange
}

// SummaryRange are the numbers from Lo up to Hi, without Hi, around the end
// where Hi is smaller; none when both are 0, all when both are -1.
type SummaryRange struct{ Lo, Hi int64 }

// SummaryTypeID is what the thin link decided of a type identifier.
type SummaryTypeID struct {
	Name       string
	Kind       uint8 // of SummaryTypeTestKinds
	SizeM1Bits uint64
	AlignLog2  uint64
	SizeM1     uint64
	BitMask    uint64
	InlineBits uint64
	WPD        []SummaryWPD
}

// SummaryTypeTestKinds, SummaryWPDKinds and SummaryByArgKinds are the names of
// resolutions, by number.
func SummaryTypeTestKinds() []string {
	return []string{"unsat", "byteArray", "inline", "single", "allOnes", "unknown"}
}

// SummaryWPDKinds are the names of the kinds of a SummaryWPD.
func SummaryWPDKinds() []string { return []string{"indir", "singleImpl", "branchFunnel"} }

// SummaryByArgKinds are the names of the kinds of a SummaryByArg.
func SummaryByArgKinds() []string {
	return []string{"indir", "uniformRetVal", "uniqueRetVal", "virtualConstProp"}
}

// SummaryWPD is the whole program devirtualization of the calls at an offset.
type SummaryWPD struct {
	Offset     uint64
	Kind       uint8
	SingleImpl string
	ByArg      []SummaryByArg
}

// SummaryByArg is a devirtualization for constant arguments.
type SummaryByArg struct {
	Args            []uint64
	Kind            uint8
	Info, Byte, Bit uint64
}

// SummaryVTables lists the vtables of a type identifier.
type SummaryVTables struct {
	Name    string
	VTables []SummaryVTable
}

// SummaryVTable is a vtable with the address point of a type.
type SummaryVTable struct {
	Offset, GUID uint64
}

// GUID is the number of a name: the first 64 bits of its MD5.
func GUID(name string) uint64 {
	h := md5.Sum([]byte(name))
	return binary.LittleEndian.Uint64(h[:])
}

// GUIDOf is the GUID of a global of that name and linkage, in a module with
// that source file.
func GUIDOf(name string, l Linkage, sourceFile string) uint64 {
	name = strings.TrimPrefix(name, "\x01")
	if l == Internal || l == Private {
		if sourceFile == "" {
			sourceFile = "<unknown>"
		}
		name = sourceFile + ";" + name
	}
	return GUID(name)
}

// GUID is the GUID of one of the module's globals.
func (m *Module) GUID(id GlobalID) uint64 {
	g := m.Globals[id]
	return GUIDOf(g.Name, g.Linkage, m.SourceFilename)
}

// Value returns the value of a GUID, adding it when new. The pointer is good
// until the next value is added or Sort is called.
func (s *Summary) Value(guid uint64) *SummaryValue {
	if s.byGUID == nil {
		s.byGUID = make(map[uint64]int, len(s.Values))
		for i := range s.Values {
			s.byGUID[s.Values[i].GUID] = i
		}
	}
	i, ok := s.byGUID[guid]
	if !ok {
		i = len(s.Values)
		s.byGUID[guid] = i
		s.Values = append(s.Values, SummaryValue{GUID: guid})
	}
	return &s.Values[i]
}

// Find returns the value of a GUID, nil when there is none.
func (s *Summary) Find(guid uint64) *SummaryValue {
	if i, ok := s.byGUID[guid]; ok {
		return &s.Values[i]
	}
	return nil
}

// Sort puts values, vtables and type identifiers into LLVM's order.
func (s *Summary) Sort() {
	slices.SortFunc(s.Values, func(a, b SummaryValue) int { return cmp.Compare(a.GUID, b.GUID) })
	s.byGUID = make(map[uint64]int, len(s.Values))
	for i := range s.Values {
		s.byGUID[s.Values[i].GUID] = i
	}
	slices.SortStableFunc(s.VTables, func(a, b SummaryVTables) int { return strings.Compare(a.Name, b.Name) })
	slices.SortStableFunc(s.TypeIDs, func(a, b SummaryTypeID) int { return cmp.Compare(GUID(a.Name), GUID(b.Name)) })
}

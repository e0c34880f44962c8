package ir

import "sync"

// Module is one LLVM IR module.
type Module struct {
	Name           string // source_filename or the file's name
	SourceFilename string
	DataLayout     string
	Triple         string
	ModuleAsm      []string // lines

	Types   *Types
	Globals []*Global // row 0 unused; all kinds, in the order of their definition or declaration within each kind
	// Vars, Funcs, Aliases, IFuncs list the globals of each kind in module order.
	Vars, Funcs, Aliases, IFuncs []GlobalID
	byName                       map[string]GlobalID

	// Consts is the pool of global initializers, aliasees, prologue data.
	Consts ConstPool

	Comdats    []Comdat // row 0 unused
	InlineAsms []InlineAsm
	SyncScopes []string // 0 is "" (system)
	MDKinds    []string // metadata kind names, by index (as in !dbg)

	MD    MDTable
	Attrs AttrTable

	NamedMD []NamedMD

	// Summary is the module summary index that stood in the file, nil without one.
	Summary *Summary

	// UseOrders are the use-list orders of globals that the file gave.
	UseOrders  []UseOrder
	UseIndexes []uint32

	mu sync.Mutex // InlineAsms, SyncScopes, MDKinds while bodies are parsed in parallel
}

// NewModule returns an empty module.
func NewModule(name string) *Module {
	m := &Module{Name: name, Types: NewTypes(), byName: map[string]GlobalID{}}
	m.Globals = []*Global{nil}
	m.Comdats = make([]Comdat, 1)
	m.SyncScopes = []string{""}
	m.InlineAsms = make([]InlineAsm, 1)
	m.MDKinds = FixedMDKinds()
	m.Consts.init()
	m.Attrs.init()
	m.MD.init()
	return m
}

// GlobalKind tells variables, functions, aliases and ifuncs apart.
type GlobalKind uint8

// The kinds of globals.
const (
	GlobalVar GlobalKind = iota
	GlobalFunc
	GlobalAlias
	GlobalIFunc
)

// Linkage of a global, LLVM's kinds.
type Linkage uint8

// The linkages.
const (
	External Linkage = iota
	AvailableExternally
	LinkOnceAny
	LinkOnceODR
	WeakAny
	WeakODR
	Appending
	Internal
	Private
	ExternWeak
	Common
)

// Visibility of a global.
type Visibility uint8

// The visibilities.
const (
	DefaultVisibility Visibility = iota
	Hidden
	Protected
)

// DLLStorage is dllimport or dllexport.
type DLLStorage uint8

// The DLL storage classes.
const (
	DLLDefault DLLStorage = iota
	DLLImport
	DLLExport
)

// TLSMode is the thread-local model of a variable.
type TLSMode uint8

// The TLS models.
const (
	NotTLS TLSMode = iota
	GeneralDynamicTLS
	LocalDynamicTLS
	InitialExecTLS
	LocalExecTLS
)

// UnnamedAddr says whether an address is significant.
type UnnamedAddr uint8

// The kinds of unnamed_addr.
const (
	NamedAddr UnnamedAddr = iota
	LocalUnnamedAddr
	GlobalUnnamedAddr
)

// Global is a variable, function, alias or ifunc.
type Global struct {
	Kind       GlobalKind
	Linkage    Linkage
	Visibility Visibility
	DLL        DLLStorage
	TLS        TLSMode
	Unnamed    UnnamedAddr
	DSOLocal   bool
	Constant   bool // variable declared "constant"
	ExternInit bool
	IsDecl     bool // no initializer or body
	// Align is log2(alignment)+1, 0 when not given.
	Align     uint8
	CodeModel uint8 // 0 none, else index+1 in tiny small kernel medium large
	CC        uint16
	// Intrinsic tells the functions called llvm.… apart; AddGlobal sets it by the name.
	Intrinsic Intrinsic
	AddrSpace uint32
	Comdat    uint32 // index into Module.Comdats
	ID        GlobalID
	ValueType Type // type of the variable, function type, aliasee's type
	Name      string
	Section   string
	Partition string
	GC        string
	Attrs     AttrListID // functions: whole list; variables: the function slot
	Init      Value      // initializer, aliasee or resolver, in Module.Consts
	Prefix    Value
	Prologue  Value
	Persona   Value
	MD        []Attachment // attachments in order (Next unused)
	Sanitize  uint8        // no_sanitize_address etc., bits
	Func      *Function    // body of a defined function
	// ParamNames are the parameter names of a declaration (definitions: Function.ValueNames).
	ParamNames []string
}

// IsDefinition reports whether the global has a body, initializer or aliasee.
func (g *Global) IsDefinition() bool { return !g.IsDecl }

// HasLocalLinkage reports internal and private linkage.
func (g *Global) HasLocalLinkage() bool { return g.Linkage == Internal || g.Linkage == Private }

// AddGlobal adds g to the module and names it.
func (m *Module) AddGlobal(g *Global) GlobalID {
	id := GlobalID(len(m.Globals))
	g.ID = id
	if g.Kind == GlobalFunc {
		g.Intrinsic = LookupIntrinsic(g.Name)
	}
	m.Globals = append(m.Globals, g)
	switch g.Kind {
	case GlobalVar:
		m.Vars = append(m.Vars, id)
	case GlobalFunc:
		m.Funcs = append(m.Funcs, id)
	case GlobalAlias:
		m.Aliases = append(m.Aliases, id)
	case GlobalIFunc:
		m.IFuncs = append(m.IFuncs, id)
	}
	if g.Name != "" {
		m.byName[g.Name] = id
	}
	return id
}

// Lookup returns the global called name, 0 when there is none.
func (m *Module) Lookup(name string) GlobalID { return m.byName[name] }

// Comdat is one comdat group.
type Comdat struct {
	Name string
	Kind ComdatKind
}

// ComdatKind is the selection kind of a comdat.
type ComdatKind uint8

// The selection kinds.
const (
	ComdatAny ComdatKind = iota
	ComdatExactMatch
	ComdatLargest
	ComdatNoDeduplicate
	ComdatSameSize
)

// InlineAsm is one asm expression.
type InlineAsm struct {
	Type        Type // function type
	Asm         string
	Constraints string
	SideEffect  bool
	AlignStack  bool
	Intel       bool
	Unwind      bool
}

// AddInlineAsm finds or adds an asm expression; safe from several goroutines.
func (m *Module) AddInlineAsm(a InlineAsm) uint32 {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i := 1; i < len(m.InlineAsms) && i < 64; i++ {
		if m.InlineAsms[i] == a {
			return uint32(i)
		}
	}
	m.InlineAsms = append(m.InlineAsms, a)
	return uint32(len(m.InlineAsms) - 1)
}

// SyncScope returns the index of a named sync scope, adding it when new.
func (m *Module) SyncScope(name string) uint32 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return internString(&m.SyncScopes, name)
}

// MDKind returns the index of a metadata kind, adding it when new.
func (m *Module) MDKind(name string) uint32 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return internString(&m.MDKinds, name)
}

func internString(t *[]string, s string) uint32 {
	for i, x := range *t {
		if x == s {
			return uint32(i)
		}
	}
	*t = append(*t, s)
	return uint32(len(*t) - 1)
}

// NamedMD is a named metadata list such as !llvm.module.flags.
type NamedMD struct {
	Name  string
	Nodes []MDID
}

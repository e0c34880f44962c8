package ir

import (
	"slices"
	"sync"
	"sync/atomic"
)

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
	inlineAsms list[InlineAsm]
	syncScopes list[string]
	mdKinds    list[string]

	MD    MDTable
	Attrs AttrTable

	NamedMD []NamedMD

	// Summary is the module summary index that stood in the file, nil without one.
	Summary *Summary

	// UseOrders are the use-list orders of globals that the file gave.
	UseOrders  []UseOrder
	UseIndexes []uint32

	mu    sync.Mutex // of those who add to inlineAsms, syncScopes, mdKinds, and fault
	fault error      // the first of those who built the module
}

// NewModule returns an empty module.
func NewModule(name string) *Module {
	m := &Module{Name: name, Types: NewTypes(), byName: map[string]GlobalID{}}
	m.Globals = []*Global{nil}
	m.Comdats = make([]Comdat, 1)
	m.syncScopes.set([]string{""})
	m.inlineAsms.set(make([]InlineAsm, 1))
	m.mdKinds.set(FixedMDKinds())
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

// ConstantBytes gives size bytes at off of a variable that nothing changes and no
// other module replaces, where its initializer is an array of bytes.
func (m *Module) ConstantBytes(id GlobalID, off, size int) ([]byte, bool) {
	if id == 0 {
		return nil, false
	}
	g := m.Globals[id]
	c := g.Init.Const()
	if g.Kind != GlobalVar || !g.Constant || g.IsDecl || c == 0 || g.ExternInit || !g.HasLocalLinkage() && g.Linkage != External {
		return nil, false
	}
	r := m.Consts.At(c)
	if r.Kind != ConstData || m.Types.Elem(r.Type) != Int8 || off < 0 || size < 0 || off > int(r.N)-size {
		return nil, false
	}
	return m.Consts.Data(c)[off : off+size], true
}

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

// list is a table that grows while others read it: a longer one takes the
// place of the last.
type list[T any] struct{ rows atomic.Pointer[[]T] }

func (l *list[T]) set(rows []T) { l.rows.Store(&rows) }
func (l *list[T]) all() []T     { return *l.rows.Load() }

// add adds a row behind what readers see and returns its index.
func (l *list[T]) add(x T) uint32 {
	l.set(append(l.all(), x))
	return uint32(len(l.all()) - 1)
}

// InlineAsms are the asm expressions so far, row 0 unused; SyncScopes the names
// of synchronization scopes, 0 being "" (system); MDKinds the names of metadata
// kinds (as in !dbg). Reading them is safe beside who adds.
func (m *Module) InlineAsms() []InlineAsm { return m.inlineAsms.all() }

// SyncScopes is explained at InlineAsms.
func (m *Module) SyncScopes() []string { return m.syncScopes.all() }

// MDKinds is explained at InlineAsms.
func (m *Module) MDKinds() []string { return m.mdKinds.all() }

// AddInlineAsm finds or adds an asm expression; safe from several goroutines.
func (m *Module) AddInlineAsm(a InlineAsm) uint32 {
	m.mu.Lock()
	defer m.mu.Unlock()
	asms := m.inlineAsms.all()
	for i := 1; i < len(asms) && i < 64; i++ {
		if asms[i] == a {
			return uint32(i)
		}
	}
	return m.inlineAsms.add(a)
}

// SyncScope returns the index of a named sync scope, adding it when new.
func (m *Module) SyncScope(name string) uint32 { return m.intern(&m.syncScopes, name) }

// MDKind returns the index of a metadata kind, adding it when new.
func (m *Module) MDKind(name string) uint32 { return m.intern(&m.mdKinds, name) }

func (m *Module) intern(t *list[string], s string) uint32 {
	m.mu.Lock()
	defer m.mu.Unlock()
	if i := slices.Index(t.all(), s); i >= 0 {
		return uint32(i)
	}
	return t.add(s)
}

// NamedMD is a named metadata list such as !llvm.module.flags.
type NamedMD struct {
	Name  string
	Nodes []MDID
}

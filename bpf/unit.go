package bpf

import (
	"path/filepath"
	"runtime"

	"github.com/mirin-go/mirin/ir"
)

// Unit is an object that is being built: a module with the debug information that loaders need.
type Unit struct {
	// Module is what is built. It may be added to by any other means.
	Module *ir.Module
	// DI makes its debug information.
	DI *ir.DIBuilder

	file     ir.MDID
	files    map[string]ir.MDID
	types    map[Type]ir.MDID
	finished bool
}

// NewUnit begins an object; of the options the byte order counts, nil is little endian.
func NewUnit(name string, o *Options) *Unit {
	m := ir.NewModule(name)
	m.SourceFilename, m.Triple = name, tripleLittle
	if o != nil && o.BigEndian {
		m.Triple = tripleBig
	}
	m.DataLayout = layoutOf(m.Triple)
	u := &Unit{Module: m, DI: ir.NewDIBuilder(m), types: map[Type]ir.MDID{}, files: map[string]ir.MDID{}}
	_, file, _, _ := runtime.Caller(1)
	u.file = u.fileID(file)
	u.DI.CompileUnit(u.file, "DW_LANG_C11", "mirin", true)
	return u
}

func (u *Unit) fileID(path string) ir.MDID {
	id, ok := u.files[path]
	if !ok {
		id = u.DI.File(filepath.Base(path), filepath.Dir(path))
		u.files[path] = id
	}
	return id
}

// typeID is the debug information of a type.
func (u *Unit) typeID(t Type) ir.MDID {
	id, ok := u.types[t]
	if !ok {
		id = t.describe(u)
		u.types[t] = id
	}
	return id
}

// License says under which license the programs are: "GPL" and what is compatible with it may call
// more of the kernel's functions.
func (u *Unit) License(text string) {
	g := u.Module.AddString("_license", text)
	v := u.Module.Globals[g]
	v.Linkage, v.Unnamed, v.Section, v.Constant = ir.External, 0, "license", false
	u.DI.GlobalVariable(g, "_license", u.file, 0, u.typeID(ArrayOf(Char, len(text)+1)))
}

// MapType is the kernel's number of a kind of map.
type MapType uint32

// The kinds of maps, as linux/bpf.h numbers them.
const (
	Hash MapType = 1 + iota
	Array
	ProgArray
	PerfEventArray
	PerCPUHash
	PerCPUArray
	StackTrace
	CgroupArray
	LRUHash
	LRUPerCPUHash
	LPMTrie
	ArrayOfMaps
	HashOfMaps
	DevMap
	SockMap
	CPUMap
	XSKMap
	SockHash
	CgroupStorage
	ReusePortSockArray
	PerCPUCgroupStorage
	Queue
	Stack
	SkStorage
	DevMapHash
	StructOps
	RingBuf
	InodeStorage
	TaskStorage
	BloomFilter
	UserRingBuf
	CgrpStorage
	Arena
)

// MapSpec describes a map. Key and Value are nil for maps that have none (ring buffers).
type MapSpec struct {
	Type       MapType
	Key, Value Type
	MaxEntries uint32
	Flags      uint32
	// PinByName has loaders pin the map below their path by its name.
	PinByName bool
}

// Map adds a map, as a variable of .maps with the types that libbpf and cilium/ebpf read.
func (u *Unit) Map(name string, s MapSpec) ir.Value {
	def := Struct("")
	number := func(field string, n uint32) {
		if n != 0 {
			def.Add(Field{field, Pointer(ArrayOf(I32, int(n)))})
		}
	}
	number("type", uint32(s.Type))
	if s.Key != nil {
		def.Add(Field{"key", Pointer(s.Key)})
	}
	if s.Value != nil {
		def.Add(Field{"value", Pointer(s.Value)})
	}
	number("max_entries", s.MaxEntries)
	number("map_flags", s.Flags)
	if s.PinByName {
		number("pinning", 1)
	}
	return u.variable(name, ".maps", def, 0, false)
}

// Var adds a variable to .bss, or with an initializer (made by Module.Constants) to .data. Programs
// outside read and change it through the map of that name.
func (u *Unit) Var(name string, t Type, init ir.Value) ir.Value {
	return u.variable(name, "", t, init, false)
}

// Const adds a variable of .rodata: loaders may set it before they load, programs cannot change it.
func (u *Unit) Const(name string, t Type, init ir.Value) ir.Value {
	return u.variable(name, ".rodata", t, init, true)
}

func (u *Unit) variable(name, section string, t Type, init ir.Value, constant bool) ir.Value {
	m := u.Module
	it := t.IR(m.Types)
	if init == 0 {
		init = m.Constants().Zero(it)
	}
	g := m.AddVar(name, it, init)
	v := m.Globals[g]
	v.Section, v.Constant, v.DSOLocal = section, constant, true
	v.Align = 4 // 8 bytes
	u.DI.GlobalVariable(g, name, u.file, 0, u.typeID(t))
	return ir.GlobalVal(g)
}

// Kfunc declares a function of the kernel, which loaders find by its name and type.
func (u *Unit) Kfunc(name string, result Type, params ...Param) ir.GlobalID {
	g := u.Module.Declare(name, u.funcType(result, params))
	v := u.Module.Globals[g]
	if v.Section == "" {
		v.Section = ".ksyms"
		id := u.DI.Node("DISubprogram", ir.MDField{Name: "name", Kind: ir.MDFieldString, Str: name},
			ir.MDField{Name: "scope", Kind: ir.MDFieldNode, Node: u.file}, ir.MDField{Name: "file", Kind: ir.MDFieldNode, Node: u.file},
			ir.MDField{Name: "type", Kind: ir.MDFieldNode, Node: u.subroutine(result, params)},
			ir.MDField{Name: "flags", Kind: ir.MDFieldWord, Str: "DIFlagPrototyped"}, ir.MDField{Name: "spFlags", Kind: ir.MDFieldWord, Str: "DISPFlagOptimized"})
		v.MD = append(v.MD, ir.Attachment{Node: id})
	}
	return g
}

// Param is a parameter of a function.
type Param struct {
	Name string
	Type Type
}

func (u *Unit) funcType(result Type, params []Param) ir.Type {
	list := make([]ir.Type, len(params))
	for i, p := range params {
		list[i] = p.Type.IR(u.Module.Types)
	}
	res := ir.Type(ir.Void)
	if result != nil {
		res = result.IR(u.Module.Types)
	}
	return u.Module.Types.Func(res, list, false)
}

func (u *Unit) subroutine(result Type, params []Param) ir.MDID {
	list := make([]ir.MDID, len(params))
	for i, p := range params {
		list[i] = u.typeID(p.Type)
	}
	res := ir.MDID(0)
	if result != nil {
		res = u.typeID(result)
	}
	return u.DI.SubroutineType(res, list...)
}

// Program adds a program of a section, which says what the kernel runs it for: "xdp",
// "kprobe/do_sys_open", "tracepoint/syscalls/sys_enter_openat". Writing begins in a block "entry".
func (u *Unit) Program(section, name string, result Type, params ...Param) Func {
	return u.function(section, name, result, params, callerLine())
}

// Function adds a function that programs of the unit call. result is nil for none.
func (u *Unit) Function(name string, result Type, params ...Param) Func {
	return u.function("", name, result, params, callerLine())
}

func (u *Unit) function(section, name string, result Type, params []Param, at place) Func {
	f := u.Module.Define(name, u.funcType(result, params))
	g := f.Global()
	g.Section, g.DSOLocal = section, true
	if section == "" {
		g.Linkage = ir.Internal
	}
	file := u.fileID(at.file)
	sp := u.DI.Subprogram(f, file, name, file, at.line, u.subroutine(result, params))
	var vars []ir.MDID
	var names []string
	for i, p := range params {
		vars = append(vars, u.DI.Variable(sp, p.Name, i+1, file, at.line, u.typeID(p.Type)))
		names = append(names, p.Name)
	}
	n := u.Module.MD.At(sp)
	n.Fields = append(n.Fields, ir.MDField{Name: "retainedNodes", Kind: ir.MDFieldNode, Node: u.DI.Tuple(vars...)})
	f.SetParamNames(names...)
	b := Func{Builder: ir.NewBuilder(f), unit: u, scope: sp}
	b.SetBlock(b.Block("entry"))
	b.at(at)
	return b
}

// Finish completes the debug information; Compile does it.
func (u *Unit) Finish() {
	if !u.finished {
		u.finished = true
		u.DI.Finish()
	}
}

// Compile compiles what was built.
func (u *Unit) Compile(o *Options) ([]byte, error) {
	u.Finish()
	var c Options
	if o != nil {
		c = *o
	}
	c.BigEndian = u.Module.Triple == tripleBig
	return Compile(u.Module, &c)
}

// place is a line of the Go program that builds.
type place struct {
	file string
	line int
}

// callerLine is where the function was called that calls this one.
func callerLine() place {
	_, file, line, _ := runtime.Caller(2)
	return place{file, line}
}

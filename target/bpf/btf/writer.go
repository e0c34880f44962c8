package btf

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mc"
)

// Env is what a writer asks of whoever prints the module.
type Env struct {
	Mod    *ir.Module
	Layout *ir.DataLayout
	Out    mc.Streamer
	// Sym is the symbol of a global.
	Sym func(ir.GlobalID) mc.Sym
	// DataSection names the section that a variable goes to.
	DataSection func(g *ir.Global) string
	// ReadSource gives the text of a source file, false where there is none; may be nil.
	ReadSource func(name string) ([]byte, bool)
}

// Names of the attributes by which variables that stand for relocations are told.
const (
	AttrAccess = "btf_ama"     // of a member's place, size, …, of a type, of an enumerator's value
	AttrTypeID = "btf_type_id" // of a type's number
)

// The kinds of relocations, libbpf's enum bpf_core_relo_kind.
const (
	FieldByteOffset = iota
	FieldByteSize
	FieldExistence
	FieldSignedness
	FieldLShift
	FieldRShift
	TypeIDLocal
	TypeIDRemote
	TypeExistence
	TypeSize
	EnumValueExistence
	EnumValue
	TypeMatch
)

// Writer writes the type information of one module. It must hear of functions
// in the module's order: numbers of types, which stand in code, follow from it.
type Writer struct {
	env     Env
	t       *table
	externs map[ir.GlobalID]bool
	src     sources
	maps    bool // map definitions came in

	funcs, lines, relocs records
	sec                  uint32 // the name of the current function's section in the table of strings
}

// records are those of .BTF.ext of one sort, by section in the order of its name's offset.
type records struct {
	secs map[uint32]*secRecords
	n    int
}

// secRecords are records of one section: a label in it, and what else is said.
type secRecords struct {
	name uint32
	rows []record
}

type record struct {
	label mc.Sym
	words [4]uint32
}

func (r *records) add(sec uint32, x record) {
	if r.secs == nil {
		r.secs = map[uint32]*secRecords{}
	}
	s := r.secs[sec]
	if s == nil {
		s = &secRecords{name: sec}
		r.secs[sec] = s
	}
	s.rows = append(s.rows, x)
	r.n++
}

// Patch is what stands in code where a relocation is, until someone applies it.
type Patch struct {
	Value int64
	// Wide says that it takes 64 bits: numbers of types and values of enumerators.
	Wide bool
}

// New returns a writer for a module that is Described.
func New(env Env) *Writer {
	return &Writer{env: env, t: newTable(env.Mod), externs: map[ir.GlobalID]bool{}, src: sources{read: env.ReadSource}}
}

// Described reports a module with a compile unit that has debug information.
func Described(m *ir.Module) bool {
	for _, l := range m.NamedMD {
		if l.Name != "llvm.dbg.cu" {
			continue
		}
		for _, u := range l.Nodes {
			if m.MD.At(u).FieldText("emissionKind") != "NoDebug" {
				return true
			}
		}
	}
	return false
}

// BeginFunction takes a function whose code begins at a label in a section.
func (w *Writer) BeginFunction(g *ir.Global, begin mc.Sym, section string) {
	w.sec = 0
	t := w.t
	sp := subprogram(w.env.Mod, g)
	if sp == nil || !hasDebugInfo(w.env.Mod, sp) {
		return
	}
	// A function may leave out the structures that keys and values point to.
	w.mapDefinitions()
	var params []string
	for _, v := range t.list(sp.FieldNode("retainedNodes")) {
		n := t.at(v)
		if n == nil || n.Str != "DILocalVariable" || n.FieldInt("arg") == 0 {
			continue
		}
		t.visit(n.FieldNode("type"), chase{})
		k := int(n.FieldInt("arg"))
		for len(params) < k {
			params = append(params, "")
		}
		params[k-1] = n.FieldText("name")
	}
	proto := TypeID(0)
	if s := t.at(sp.FieldNode("type")); s != nil {
		proto = t.proto(sp.FieldNode("type"), s, true, params)
	}
	link := linkGlobal
	if isLocal(sp) {
		link = linkStatic
	}
	f := t.function(sp, proto, link)
	t.completeAll()
	w.sec = t.str(section)
	w.funcs.add(w.sec, record{begin, [4]uint32{uint32(f)}})
}

func (w *Writer) mapDefinitions() {
	if !w.maps {
		w.maps = true
		w.globals(true)
	}
}

// Line records that the instruction at a label of the current function is of a line.
func (w *Writer) Line(label mc.Sym, l Line) {
	var name string
	var lines []string
	if n := w.t.at(l.File); n != nil {
		name, lines = w.src.file(n)
	}
	x := record{label, [4]uint32{w.t.str(name), 0, l.Line, l.Column}}
	if int(l.Line) < len(lines) {
		x.words[1] = w.t.str(lines[l.Line])
	}
	w.lines.add(w.sec, x)
}

// IsRelocation reports a variable that stands for a relocation.
func IsRelocation(m *ir.Module, g *ir.Global) bool {
	if g.Kind != ir.GlobalVar || g.Attrs == 0 {
		return false
	}
	a := m.Attrs.At(g.Attrs).Fn
	return a.Has(AttrAccess) || a.Has(AttrTypeID)
}

// PatchOf is what stands in code for a variable for which IsRelocation holds and that is
// not NeedsType.
func PatchOf(g *ir.Global) (Patch, error) {
	kind, value, _, err := parseRelocation(g.Name, true)
	return Patch{Value: value, Wide: isWide(kind)}, err
}

// NeedsType reports a variable that stands for the number of a type, which depends on what
// the writer heard of before.
func NeedsType(m *ir.Module, g *ir.Global) bool {
	return IsRelocation(m, g) && !m.Attrs.At(g.Attrs).Fn.Has(AttrAccess)
}

func isWide(kind uint32) bool {
	return kind == EnumValueExistence || kind == EnumValue || kind == TypeIDLocal || kind == TypeIDRemote
}

// Relocate records that the instruction at a label is patched as a variable says for which
// IsRelocation holds, and returns what it has until then.
func (w *Writer) Relocate(g *ir.Global, label mc.Sym) (Patch, error) {
	t := w.t
	access := !NeedsType(w.env.Mod, g)
	root := TypeID(0)
	for _, a := range g.MD {
		if w.env.Mod.MDKinds()[a.Kind] == "llvm.preserve.access.index" {
			root = t.visit(a.Node, chase{})
		}
	}
	t.completeAll()
	kind, value, path, err := parseRelocation(g.Name, access)
	if err != nil {
		return Patch{}, err
	}
	if !access {
		value = int64(root)
	}
	w.relocs.add(w.sec, record{label, [4]uint32{uint32(root), t.str(path), kind}})
	return Patch{Value: value, Wide: isWide(kind)}, nil
}

// parseRelocation takes the name of a variable apart: "llvm.TYPE:KIND:VALUE$PATH" of an
// access, "llvm.btf_type_id.NUMBER$KIND" of a type's number.
func parseRelocation(name string, access bool) (kind uint32, value int64, path string, err error) {
	bad := func() (uint32, int64, string, error) {
		return 0, 0, "", fmt.Errorf("variable %q does not name a relocation", name)
	}
	head, tail, ok := strings.Cut(name, "$")
	if !ok {
		return bad()
	}
	if !access {
		k, err := strconv.ParseUint(tail, 10, 32)
		if err != nil {
			return bad()
		}
		return uint32(k), 0, "0", nil
	}
	part := strings.SplitN(head, ":", 3)
	if len(part) < 3 {
		return bad()
	}
	k, err := strconv.ParseUint(part[1], 10, 32)
	if err != nil {
		return bad()
	}
	v, err := strconv.ParseInt(part[2], 10, 64)
	if err != nil {
		u, err := strconv.ParseUint(part[2], 10, 64)
		if err != nil {
			return bad()
		}
		v = int64(u)
	}
	return uint32(k), v, tail, nil
}

// End takes the module's variables and writes the sections.
func (w *Writer) End() {
	w.mapDefinitions()
	w.globals(false)
	if id := w.env.Mod.Lookup(trap); id != 0 {
		w.Extern(id)
	}
	secs := w.t.finishSections()
	w.t.finishPointers()
	w.t.completeAll()
	w.emitTypes(secs)
	w.emitRecords()
}

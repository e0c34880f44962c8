package mirtext

import (
	"errors"
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/family"
	"github.com/mirin-go/mirin/diag"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/irtext"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/triple"
)

// ParseOptions control Parse.
type ParseOptions struct {
	// Facts returns the facts of a triple's target; "" is the default triple.
	Facts func(triple string) (*desc.Info, error)
	// Triple overrides the module's (-mtriple).
	Triple string
	// Arch is -march, LLVM's name of a target: it takes the place of the triple's architecture.
	Arch string
	// CPU and Features are -mcpu and -mattr: attributes that every function gets.
	CPU, Features string
	// ABI is -target-abi.
	ABI string
	// EmitCallSiteInfo says that call sites are wanted; a file that has some is an error otherwise.
	EmitCallSiteInfo bool
	// Jobs is the number of workers that parse the IR module's bodies.
	Jobs int
}

// File is what a MIR file holds.
type File struct {
	Module *ir.Module
	// HasIR says that the file has an IR module; otherwise Module has an empty function for each machine function.
	HasIR bool
	Facts *desc.Info
	// Functions are the machine functions in the module's order. Functions
	// that are defined in IR alone are not among them.
	Functions []*mir.Function
	// Order lists the module's defined functions; ByGlobal gives their machine functions.
	ByGlobal map[ir.GlobalID]*mir.Function
}

// Parse reads a MIR file. The error is a *diag.Diagnostic for faults in the text.
func Parse(name string, src []byte, o ParseOptions) (*File, error) {
	return ParseString(name, string(src), o)
}

// ParseString is Parse for text that is a string, which the file may go on
// referring to.
func ParseString(name, src string, o ParseOptions) (*File, error) {
	r := &reader{name: name, src: src, o: &o}
	if err := r.file(); err != nil {
		return nil, err
	}
	return r.out, nil
}

// reader reads one file.
type reader struct {
	name string
	src  string
	o    *ParseOptions
	out  *File
	ctx  *irtext.Context
	in   *desc.Info
	lay  *ir.DataLayout
	err  error // of layout
	// slots numbers values and blocks of IR functions.
	slots *irtext.Slots
	names nameTables
}

func (r *reader) errorAt(off int, msg string) error {
	d := diag.At(r.name, []byte(r.src), off, msg)
	d.WordFirst = true
	return d
}

// errorYAML reports what is wrong with the form of the file; LLVM does not name it there.
func (r *reader) errorYAML(off int, msg string) error {
	d := diag.At("YAML", []byte(r.src), off, msg)
	d.WordFirst = true
	return d
}

// errorFile reports what has no place in the file.
func (r *reader) errorFile(msg string) error {
	return &diag.Diagnostic{File: r.name, Msg: msg, WordFirst: true}
}

func (r *reader) file() error {
	y := yamlReader{src: r.src}
	var docs []document
	for {
		d, ok := y.next()
		if y.err != "" {
			return r.errorYAML(y.errAt, y.err)
		}
		if !ok {
			break
		}
		docs = append(docs, d)
	}
	r.out = &File{ByGlobal: map[ir.GlobalID]*mir.Function{}}
	if len(docs) > 0 && docs[0].root.kind == blockNode {
		if err := r.module(&docs[0].root); err != nil {
			return err
		}
		docs = docs[1:]
	}
	var funcs []funcDoc
	for i := range docs {
		f, err := r.functionDoc(&docs[i])
		if err != nil {
			return err
		}
		if f.root != nil {
			funcs = append(funcs, f)
		}
	}
	if !r.out.HasIR {
		if err := r.dummyModule(funcs); err != nil {
			return err
		}
	}
	if err := r.target(); err != nil {
		return err
	}
	for i := range funcs {
		if err := r.function(&funcs[i]); err != nil {
			return err
		}
		*funcs[i].root = node{} // what follows may have its memory
	}
	for _, id := range r.out.Module.Funcs {
		if f := r.out.ByGlobal[id]; f != nil {
			r.out.Functions = append(r.out.Functions, f)
		}
	}
	return nil
}

// module reads the embedded IR: the block scalar's lines without their indentation.
func (r *reader) module(n *node) error {
	lines := strings.SplitAfter(r.src[n.off:n.end], "\n")
	indent := -1
	for _, l := range lines {
		if t := strings.TrimLeft(l, " "); strings.TrimSpace(t) != "" {
			indent = len(l) - len(t)
			break
		}
	}
	var b strings.Builder
	b.Grow(n.end - n.off)
	for _, l := range lines {
		k := 0
		for k < indent && k < len(l) && l[k] == ' ' {
			k++
		}
		b.WriteString(l[k:])
	}
	ctx, err := irtext.ParseContext(r.name, b.String(), irtext.Options{Jobs: r.o.Jobs, Layout: r.layout})
	if err != nil {
		var d *diag.Diagnostic
		if errors.As(err, &d) {
			line, _, _ := diag.Locate([]byte(r.src), n.off)
			d.Line += line - 1
			d.Col += max(indent, 0)
			d.WordFirst = true
			d.Source = strings.Repeat(" ", max(indent, 0)) + d.Source
		}
		return err
	}
	r.ctx, r.out.Module, r.out.HasIR = ctx, ctx.Module, true
	return nil
}

// dummyModule makes an IR function without content for each machine function.
func (r *reader) dummyModule(funcs []funcDoc) error {
	var b []byte
	seen := map[string]bool{}
	for i := range funcs {
		if seen[funcs[i].name] {
			continue // reported as a redefinition later
		}
		seen[funcs[i].name] = true
		b = append(b, "define void @"...)
		b = irtext.AppendName(b, funcs[i].name)
		b = append(b, "() {\nentry:\n  unreachable\n}\n"...)
	}
	ctx, err := irtext.ParseContext(r.name, string(b), irtext.Options{Jobs: 1, Layout: r.layout})
	if err != nil {
		return err
	}
	r.ctx, r.out.Module = ctx, ctx.Module
	return nil
}

// target finds the facts and completes triple and data layout.
func (r *reader) target() error {
	m := r.out.Module
	if r.o.Triple != "" {
		m.Triple = r.o.Triple
	}
	if r.in == nil {
		return r.err
	}
	r.out.Facts = r.in
	var err error
	if r.lay, err = ir.ParseDataLayout(m.DataLayout); err != nil {
		return r.errorAt(0, err.Error())
	}
	SetAttributes(m, r.o.CPU, r.o.Features)
	r.slots = irtext.NewSlots(m)
	r.names.init(r.in)
	return nil
}

// layout finds the facts of the module's target, and gives its data layout,
// which always takes the place of the text's.
func (r *reader) layout(of, old string) string {
	if r.o.Triple != "" {
		of = r.o.Triple
	}
	if r.in, r.err = r.o.Facts(of); r.err != nil {
		return old
	}
	if of == "" {
		of = defaultTriple
	}
	t := triple.Parse(of)
	if r.o.Arch != "" {
		t = t.WithArch(family.ArchOfMarch(r.o.Arch))
	}
	return family.Of(r.in).DataLayout(r.in, t, r.o.ABI)
}

// defaultTriple is the machine that LLVM's distributions take for a module without a triple.
const defaultTriple = "x86_64-pc-linux-gnu"

// funcDoc is a function's document before its content is looked at.
type funcDoc struct {
	root *node
	name string
	at   int
}

// functionDoc checks the keys of a function's document.
func (r *reader) functionDoc(d *document) (funcDoc, error) {
	n := &d.root
	if n.kind == nullNode {
		return funcDoc{}, nil
	}
	if n.kind != mapNode {
		return funcDoc{}, r.errorYAML(n.off, "not a mapping")
	}
	name := n.get("name")
	for i := range n.keys {
		for k := range i {
			if n.keys[k].text == n.keys[i].text {
				return funcDoc{}, r.errorYAML(n.keys[i].off, "duplicated mapping key '"+n.keys[i].text+"'")
			}
		}
	}
	if name == nil {
		return funcDoc{}, r.errorYAML(n.off, "missing required key 'name'")
	}
	for i := range n.keys {
		if !isFunctionKey(n.keys[i].text) {
			return funcDoc{}, r.errorYAML(n.keys[i].off, "unknown key '"+n.keys[i].text+"'")
		}
	}
	return funcDoc{root: n, name: name.text, at: name.off}, nil
}

func isFunctionKey(s string) bool {
	switch s {
	case "name", "alignment", "exposesReturnsTwice", "legalized", "regBankSelected", "selected", "failedISel", "tracksRegLiveness", "hasWinCFI", "noPhis",
		"isSSA", "noVRegs", "hasFakeUses", "callsEHReturn", "callsUnwindInit", "hasEHContTarget", "hasEHScopes", "hasEHFunclets", "isOutlined",
		"debugInstrRef", "failsVerification", "tracksDebugUserValues", "registers", "liveins", "calleeSavedRegisters", "frameInfo", "fixedStack", "stack",
		"entry_values", "callSites", "debugValueSubstitutions", "constants", "machineFunctionInfo", "jumpTable", "machineMetadataNodes", "calledGlobals",
		"body":
		return true
	}
	return false
}

// nameTables find what has a name in the target; names are in lower case.
type nameTables struct {
	classes map[string]int16
	banks   map[string]int16
	subRegs map[string]uint16
	masks   map[string]int
	opcodes func(string) (desc.Opcode, bool)
}

func (t *nameTables) init(in *desc.Info) {
	t.classes = make(map[string]int16, len(in.Classes))
	for i := range in.Classes {
		t.classes[string(in.AppendLowerClass(nil, desc.ClassID(i)))] = int16(i)
	}
	t.banks = make(map[string]int16, len(in.Banks))
	for i := range in.Banks {
		t.banks[string(in.AppendLowerBank(nil, desc.BankID(i)))] = int16(i)
	}
	t.subRegs = make(map[string]uint16, len(in.SubRegIndices))
	for i := 1; i < len(in.SubRegIndices); i++ {
		t.subRegs[in.SubRegIndexName(desc.SubRegIdx(i))] = uint16(i)
	}
	t.masks = make(map[string]int, len(in.RegMasks))
	for i := range in.RegMasks {
		t.masks[string(in.AppendLowerRegMask(nil, i))] = i
	}
	t.opcodes = in.OpcodeByName
}

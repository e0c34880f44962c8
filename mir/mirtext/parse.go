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

// errorNowhere is an error without its place: LLVM keeps no place for the names of a jump table's blocks.
func (r *reader) errorNowhere(err error) error {
	var d *diag.Diagnostic
	if !errors.As(err, &d) {
		return err
	}
	return &diag.Diagnostic{File: "<unknown>:0", Msg: d.Msg, WordFirst: true}
}

// errorFile reports what has no place in the file.
func (r *reader) errorFile(msg string) error {
	return &diag.Diagnostic{File: r.name, Msg: msg, WordFirst: true}
}

func (r *reader) file() error {
	y := yamlReader{yamlScanner: yamlScanner{src: r.src}}
	r.out = &File{ByGlobal: map[ir.GlobalID]*mir.Function{}}
	d, ok := y.nextDocument()
	if ok && d.root.kind == blockNode {
		if err := r.module(&d.root); err != nil {
			return err
		}
		d, ok = y.nextDocument()
	}
	var docs []document
	for ; ok; d, ok = y.nextDocument() {
		docs = append(docs, d)
	}
	if len(docs) == 0 && y.failed {
		return r.errorYAML(y.errAt, y.err)
	}
	if !r.out.HasIR {
		if err := r.dummyModule(docs); err != nil {
			return err
		}
	}
	if err := r.target(); err != nil {
		return err
	}
	// A fault of the form of a document is met behind those of the functions before it.
	for i := range docs {
		root := &docs[i].root
		if bad := checkDocument(root, family.Of(r.in).FunctionInfo); bad != nil {
			return r.errorYAML(bad.off, bad.msg)
		}
		if err := r.function(root); err != nil {
			return err
		}
		*root = node{} // what follows may have its memory
	}
	if y.failed {
		return r.errorYAML(y.errAt, y.err)
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
func (r *reader) dummyModule(docs []document) error {
	var b []byte
	seen := map[string]bool{}
	for i := range docs {
		n := docs[i].root.get("name")
		if n == nil || seen[n.text] {
			continue // reported later
		}
		seen[n.text] = true
		b = append(b, "define void @"...)
		b = irtext.AppendName(b, n.text)
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

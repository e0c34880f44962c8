package mirtext

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/family"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/irtext"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/triple"
)

// PrintOptions control printing. The zero value prints as llc -stop-after does.
type PrintOptions struct {
	// Simplify leaves out what can be guessed or is a default (-simplify-mir).
	Simplify bool
	// Slots numbers the module's unnamed things. One value serves all
	// functions of a module (not at the same time); without it every call of
	// AppendFunction numbers the whole module.
	Slots *irtext.Slots
	// Comment appends a target's own remark on an operand (without the
	// comment signs), nothing for none.
	Comment func(b []byte, f *mir.Function, i mir.InstrID, op int) []byte
	// NoLocations leaves out debug locations.
	NoLocations bool
}

// printer prints one function after the other.
type printer struct {
	yamlOut
	o     *PrintOptions
	slots *irtext.Slots
	f     *mir.Function
	in    *desc.Info
	row   *family.Row
	debug bool // the form of -print-after
	// remark is targetHooks.remark.
	remark func(b []byte, f *mir.Function, i mir.InstrID, n int, v int64) []byte
	// scratch holds constants that exist only to be printed.
	scratch *ir.ConstPool
	dwarf   []mir.Reg // registers by number of the exception frame, made on first use
	probs   []mir.Prob
	flagOps []int // operand numbers of the descriptors of the inline assembly being printed
}

func newPrinter(b []byte, m *ir.Module, o *PrintOptions) *printer {
	p := &printer{yamlOut: yamlOut{b: b}, o: o, slots: o.Slots}
	if p.slots == nil {
		if m == nil {
			m = ir.NewModule("")
		}
		p.slots = irtext.NewSlots(m)
	}
	return p
}

func (p *printer) enter(f *mir.Function) {
	p.f = f
	if p.in != f.Facts {
		p.in, p.dwarf = f.Facts, nil
		p.row = family.Of(p.in)
		p.remark = hooks[p.row.ID].remark
	}
	p.slots.Enter(f.IR)
}

// AppendIR appends the document of the IR module.
func AppendIR(b []byte, m *ir.Module) []byte {
	b = append(b, "--- |\n"...)
	text := irtext.AppendModule(nil, m)
	for len(text) > 0 {
		n := 0
		for n < len(text) && text[n] != '\n' {
			n++
		}
		b = append(b, "  "...)
		b = append(b, text[:n]...)
		b = append(b, '\n')
		text = text[min(n+1, len(text)):]
	}
	return append(b, "...\n"...)
}

// AppendFunction appends the document of one function.
func AppendFunction(b []byte, f *mir.Function, o PrintOptions) []byte {
	p := newPrinter(b, f.Module, &o)
	p.enter(f)
	p.function()
	return p.b
}

// AppendText appends the file as llc -run-pass=none prints it: the module and
// a machine function for every function that the module defines, empty where
// the file has none.
func (f *File) AppendText(b []byte, o PrintOptions) []byte {
	b = AppendIR(b, f.Module)
	if o.Slots == nil {
		o.Slots = irtext.NewSlots(f.Module)
	}
	p := newPrinter(b, f.Module, &o)
	for _, id := range f.Module.Funcs {
		mf := f.ByGlobal[id]
		if mf == nil {
			g := f.Module.Globals[id]
			if g.Func == nil || g.Linkage == ir.AvailableExternally {
				continue
			}
			mf = f.NewFunction(id)
		}
		p.enter(mf)
		p.function()
	}
	return p.b
}

// NewFunction returns a machine function without content for a function of
// the module, with the properties that it has before instruction selection.
func (f *File) NewFunction(id ir.GlobalID) *mir.Function {
	g := f.Module.Globals[id]
	mf := mir.NewFunction(g.Name, f.Facts)
	mf.Module, mf.IR = f.Module, g.Func
	mf.Props = mir.IsSSA | mir.TracksLiveness
	mf.Frame.MaxAlign = stackAlignAttr(mf)
	mf.Align = family.Of(f.Facts).FunctionAlign(triple.Parse(f.Module.Triple))
	return mf
}

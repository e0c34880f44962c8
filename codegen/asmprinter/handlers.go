package asmprinter

import (
	"io/fs"

	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/target"
)

// Handle adds what is to be written beside the code, before what the target adds.
// It comes before Begin.
func (p *Printer) Handle(h ...target.AsmHandler) { p.handlers = append(p.handlers, h...) }

// asmOutput is a printer as handlers see it.
type asmOutput struct{ p *Printer }

func (o asmOutput) Machine() *target.Machine    { return o.p.M }
func (o asmOutput) Module() *ir.Module          { return o.p.Mod }
func (o asmOutput) Streamer() mc.Streamer       { return o.p.Out }
func (o asmOutput) Symbol(g ir.GlobalID) mc.Sym { return o.p.Sym(g) }
func (o asmOutput) Verbose() bool               { return o.p.Verbose }

func (o asmOutput) DataSection(g *ir.Global) mc.SectionID { return o.p.sectionOf(g) }

func (o asmOutput) ReadFile(name string) ([]byte, error) {
	if o.p.OpenFile == nil {
		return nil, fs.ErrNotExist
	}
	_, text, err := o.p.OpenFile(name)
	return text, err
}

func (o asmOutput) NewLabel() mc.Sym {
	if o.p.Out.IsText() {
		return o.p.Ctx.Temp("tmp")
	}
	return o.p.Ctx.Inner()
}

// beginHandlers tells the handlers of the current function.
func (p *Printer) beginHandlers(s, begin mc.Sym, st *target.Subtarget) error {
	if len(p.hearers) == 0 {
		return nil
	}
	p.fn = target.AsmFunc{Function: p.f, Subtarget: st, Number: p.funcNum, Section: p.Out.Section(), Sym: s, Begin: begin}
	for _, h := range p.hearers {
		if err := h.BeginFunc(&p.fn); err != nil {
			return err
		}
	}
	return nil
}

// endHandlers collects what they know of it.
func (p *Printer) endHandlers(end mc.Sym) error {
	p.fn.End = end
	for _, h := range p.hearers {
		switch r, err := h.EndFunc(&p.fn); {
		case err != nil:
			return err
		case r != nil:
			p.records = append(p.records, r)
		}
	}
	return nil
}

// addRecords gives the records of a function to the handlers.
func (p *Printer) addRecords(records []target.FuncRecord) error {
	for _, r := range records {
		if err := r.Add(asmOutput{p}); err != nil {
			return err
		}
	}
	return nil
}

// symbols are the symbols that records refer to.
func symbols(records []target.FuncRecord) (out [][]mc.Sym) {
	for _, r := range records {
		out = append(out, r.Symbols())
	}
	return out
}

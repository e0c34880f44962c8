package asmprinter

import (
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/diag"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/asmparse"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// assembler reads assembly that a module holds into the output. There is one for
// an output, since macros, symbols and sections outlive each text; so functions
// with assembly are printed in order, see InOrder.
type assembler struct {
	p      *asmparse.Parser
	diags  diag.List
	failed bool
	// cookies are the places in the source (!srcloc) of each text, by line; tags of
	// fragments count them from 1.
	cookies [][]int64
}

// assembler makes the printer's assembler when it is first wanted; nil where the
// target has none.
func (p *Printer) assembler() *assembler {
	if p.asm == nil && p.M.Target.MC.Parser != nil {
		a := &assembler{}
		a.p = asmparse.New(p.Out, p.M.Target.MC.Parser(p.M), nil, asmparse.Options{Name: "<inline asm>", Report: a.report, Open: p.OpenFile,
			DwarfVersion: p.Ctx.DwarfVersion, CompDir: p.Ctx.CompDir, Dwarf64: p.Ctx.Dwarf64})
		p.asm = a
	}
	return p.asm
}

// report notes what the assembler says, each with its place in the source.
func (a *assembler) report(d *diag.Diagnostic) {
	a.diags = append(a.diags, d)
	a.failed = a.failed || d.Severity == diag.Error
	tag := a.p.Tag()
	if tag == 0 || len(a.cookies[tag-1]) == 0 {
		return
	}
	lines := a.cookies[tag-1]
	k := d.Line - 1
	if k < 0 || k >= len(lines) {
		k = 0
	}
	if lines[k] != 0 {
		a.diags = append(a.diags, &diag.Diagnostic{Severity: diag.Note, Msg: "!srcloc = " + strconv.FormatInt(lines[k], 10)})
	}
}

// assemble reads a text in a variant of the syntax into the output; its errors
// are kept for Diagnostics. cookies may be nil.
func (p *Printer) assemble(text string, st *mc.Subtarget, variant int, inFrame bool, cookies []int64) {
	a := p.assembler()
	a.cookies = append(a.cookies, cookies)
	a.p.Fragment(&asmparse.Fragment{Text: text, ST: st, Variant: variant, InFrame: inFrame, Tag: len(a.cookies)})
}

// moduleAsm writes the module's assembly, or reads it into an object.
func (p *Printer) moduleAsm() error {
	if p.Out.IsText() {
		for _, l := range p.Mod.ModuleAsm {
			if err := p.Out.Raw("\t" + l); err != nil {
				return err
			}
		}
		return nil
	}
	if len(p.Mod.ModuleAsm) == 0 {
		return nil
	}
	if p.assembler() == nil {
		return &target.Unsupported{Target: p.M.Target.Name, What: "module asm in object output"}
	}
	st, err := p.M.Subtarget(nil, nil)
	if err != nil {
		return err
	}
	p.assemble(strings.Join(p.Mod.ModuleAsm, "\n")+"\n", p.subs.of(st), 0, false, nil)
	return nil
}

// Diagnostics are what is wrong with assembly so far; failed says that errors are among it.
func (p *Printer) Diagnostics() (d diag.List, failed bool) {
	if p.asm == nil {
		return nil, false
	}
	return p.asm.diags, p.asm.failed
}

// Explain finds the places of what a streamer found wrong at the end.
func (p *Printer) Explain(err error) error {
	if p.asm == nil {
		return err
	}
	p.asm.diags, p.asm.failed = nil, false
	p.asm.p.Report(err)
	return p.asm.diags.Err()
}

// hasAsm reports a function with inline assembly to be assembled.
func hasAsm(f *mir.Function) bool {
	if !f.HasInlineAsm {
		return false
	}
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			if op := f.Instr(i).Opcode; (op == desc.INLINEASM || op == desc.INLINEASM_BR) && !blank(f.Symbols[f.Op(i, mir.AsmTextOp).Index()]) {
				return true
			}
		}
	}
	return false
}

func blank(s string) bool { return strings.TrimSpace(s) == "" }

// assembleInline reads the text of inline assembly i into an object.
func (p *Printer) assembleInline(i mir.InstrID, text string, variant int) error {
	switch {
	case blank(text) || p.chunked:
		return nil
	case p.assembler() == nil:
		return p.st.NotSupported(p.f, "assembling inline assembly into objects (assembly output has it)")
	}
	p.assembled = true
	begin := "\t"
	if variant != 0 {
		begin = "\n\t" // LLVM's text has a directive there, and so its messages count another line
	}
	p.assemble(begin+text+"\n", p.mcST, variant, target.NeedsCFI(p.f), p.cookies(i))
	return nil
}

// cookies are the numbers of an inline assembly's !srcloc.
func (p *Printer) cookies(i mir.InstrID) []int64 {
	ops := p.f.Ops(i)
	o := &ops[len(ops)-1]
	if o.Kind() != mir.OpMetadata {
		return nil
	}
	n := p.Mod.MD.At(ir.MDID(o.Index()))
	if n == nil || n.Kind != ir.MDTuple {
		return nil
	}
	var out []int64
	for _, id := range n.Ops {
		v := int64(0)
		if e := p.Mod.MD.At(id); e != nil && e.Kind == ir.MDConst && e.Value.Const() != 0 {
			v = int64(p.Mod.Consts.At(e.Value.Const()).Bits)
		}
		out = append(out, v)
	}
	return out
}

package bpf

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/bpf/btf"
	"github.com/mirin-go/mirin/target/bpf/tab"
)

// btfHandler writes .BTF and .BTF.ext beside the code, and says what stands in
// instructions that are relocated by these (CO-RE).
type btfHandler struct {
	m   *target.Machine
	mod *ir.Module
	w   *btf.Writer
	own *btfFunc // hears of functions that are printed straight to the output
	// typeIDs says that some variable stands for the number of a type; patches are those of
	// the current function, which is printed in order.
	typeIDs bool
	patches map[ir.GlobalID]btf.Patch
	err     error
}

// newBTFHandler returns the handler of a module with debug information, nil for others.
func newBTFHandler(m *target.Machine, mod *ir.Module) *btfHandler {
	if !btf.Described(mod) {
		return nil
	}
	h := &btfHandler{m: m, mod: mod, patches: map[ir.GlobalID]btf.Patch{}}
	for _, id := range mod.Vars {
		h.typeIDs = h.typeIDs || btf.NeedsType(mod, mod.Globals[id])
	}
	return h
}

// Begin makes the writer.
func (h *btfHandler) Begin(out target.AsmOutput) error {
	h.w = btf.New(btf.Env{Mod: h.mod, Layout: h.m.Layout, Out: out.Streamer(), Sym: out.Symbol,
		DataSection: func(g *ir.Global) string { return out.Streamer().Context().SectionAt(out.DataSection(g)).Name },
		ReadSource:  func(name string) ([]byte, bool) { b, err := out.ReadFile(name); return b, err == nil }})
	return nil
}

// Fork returns what hears of the functions of one printer, of the output's own first.
func (h *btfHandler) Fork(out target.AsmOutput) target.FuncHandler {
	f := &btfFunc{h: h, out: out}
	if h.own == nil {
		h.own = f
	}
	return f
}

// InOrder reports functions with numbers of types in their code: these are known when the
// types of all functions before are there.
func (h *btfHandler) InOrder(f *mir.Function) bool {
	if !h.typeIDs {
		return false
	}
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			if g := relocated(h.mod, f, i); g != nil && btf.NeedsType(h.mod, g) {
				return true
			}
		}
	}
	return false
}

// End writes the sections.
func (h *btfHandler) End(target.AsmOutput) error {
	h.w.End()
	return h.err
}

// relocated is the variable that an instruction names as the relocation of what it holds, nil
// for other instructions.
func relocated(m *ir.Module, f *mir.Function, i mir.InstrID) *ir.Global {
	g := namedGlobal(m, f, i)
	if g == nil || !btf.IsRelocation(m, g) {
		return nil
	}
	return g
}

// namedGlobal is the global that an instruction names where a relocation or the address
// of a function may stand.
func namedGlobal(m *ir.Module, f *mir.Function, i mir.InstrID) *ir.Global {
	at := 0
	switch f.Instr(i).Opcode {
	case tab.LD_imm64:
		at = 1
	case tab.CORE_LD64, tab.CORE_LD32, tab.CORE_ST, tab.CORE_SHIFT:
		at = 3
	case tab.JAL:
	default:
		return nil
	}
	if o := f.Op(i, at); o.Kind() == mir.OpGlobal {
		return m.Globals[o.Index()]
	}
	return nil
}

// rewrite puts what a relocated instruction has until it is relocated into its place.
func (h *btfHandler) rewrite(f *mir.Function, i mir.InstrID, in *mc.Inst) {
	g := relocated(h.mod, f, i)
	if g == nil {
		return
	}
	var p btf.Patch
	if btf.NeedsType(h.mod, g) {
		p = h.patches[g.ID]
	} else {
		p, _ = btf.PatchOf(g) // its errors are those of Relocate
	}
	dst := in.Ops[0]
	switch op := f.Instr(i).Opcode; {
	case op == tab.LD_imm64 && p.Wide:
		in.Set(tab.LD_imm64, dst, mc.Imm(p.Value))
	case op == tab.LD_imm64:
		in.Set(tab.MOV_ri, dst, mc.Imm(p.Value))
	case op != tab.JAL: // operation, base or value
		in.Set(desc.Opcode(in.Ops[1].Imm()), dst, in.Ops[2], mc.Imm(int64(int32(p.Value))))
	}
}

// btfFunc is the half of the handler that hears of functions. What it hears it notes,
// or tells the writer at once where functions come in order.
type btfFunc struct {
	h      *btfHandler
	out    target.AsmOutput
	fn     *target.AsmFunc
	lines  btf.Liner
	silent bool
	rec    btfRecord
}

// btfEvent is one thing that a writer must hear of.
type btfEvent struct {
	kind   btfEventKind
	global ir.GlobalID
	label  int // index into the record's labels
	line   btf.Line
}

type btfEventKind uint8

const (
	btfLine btfEventKind = iota
	btfExtern
	btfRelocation
)

// btfRecord is what is noted of a function.
type btfRecord struct {
	h       *btfHandler
	g       *ir.Global
	section string
	labels  []mc.Sym // the first is the function's begin
	events  []btfEvent
}

// Symbols are the labels of the record.
func (r *btfRecord) Symbols() []mc.Sym { return r.labels }

// Add tells the writer.
func (r *btfRecord) Add(target.AsmOutput) error {
	r.h.w.BeginFunction(r.g, r.labels[0], r.section)
	for k := range r.events {
		if err := r.tell(&r.events[k]); err != nil {
			return err
		}
	}
	return nil
}

func (r *btfRecord) tell(e *btfEvent) error {
	switch w := r.h.w; e.kind {
	case btfLine:
		w.Line(r.labels[e.label], e.line)
	case btfExtern:
		w.Extern(e.global)
	case btfRelocation:
		g := r.h.mod.Globals[e.global]
		p, err := w.Relocate(g, r.labels[e.label])
		if err != nil {
			return err
		}
		if btf.NeedsType(r.h.mod, g) {
			r.h.patches[g.ID] = p
		}
	}
	return nil
}

// BeginFunc begins a record.
func (f *btfFunc) BeginFunc(fn *target.AsmFunc) error {
	g := f.h.mod.Globals[fn.IR.ID]
	f.fn = fn
	f.silent = !f.lines.Begin(f.h.mod, g)
	f.rec = btfRecord{h: f.h, g: g, section: f.out.Streamer().Context().SectionAt(fn.Section).Name, labels: []mc.Sym{fn.Begin}}
	if f.direct() {
		return f.rec.Add(f.out)
	}
	return nil
}

// direct says that functions come in order.
func (f *btfFunc) direct() bool { return f == f.h.own }

// BeginInstr notes relocations, functions without a body here and lines.
func (f *btfFunc) BeginInstr(i mir.InstrID) {
	fn := f.fn
	r := fn.Instr(i)
	if f.silent || fn.Desc(i).IsMeta() || r.Flags()&mir.FrameSetup != 0 {
		return
	}
	if r.Opcode == desc.INLINEASM || r.Opcode == desc.INLINEASM_BR {
		if fn.Symbols[fn.Op(i, mir.AsmTextOp).Index()] == "" {
			return
		}
	}
	if g := namedGlobal(f.h.mod, fn.Function, i); g != nil {
		switch {
		case g.Kind == ir.GlobalFunc:
			f.note(btfEvent{kind: btfExtern, global: g.ID})
		case btf.IsRelocation(f.h.mod, g):
			f.note(btfEvent{kind: btfRelocation, global: g.ID, label: f.label()})
		}
	}
	switch line, at := f.lines.Next(ir.MDID(r.Loc)); at {
	case btf.AtBegin:
		f.note(btfEvent{kind: btfLine, line: line})
	case btf.Here:
		f.note(btfEvent{kind: btfLine, line: line, label: f.label()})
	}
}

// label puts a label here, and returns its index.
func (f *btfFunc) label() int {
	s := f.out.NewLabel()
	f.out.Streamer().Label(s)
	f.rec.labels = append(f.rec.labels, s)
	return len(f.rec.labels) - 1
}

func (f *btfFunc) note(e btfEvent) {
	if !f.direct() {
		f.rec.events = append(f.rec.events, e)
		return
	}
	if err := f.rec.tell(&e); err != nil && f.h.err == nil {
		f.h.err = err
	}
}

// EndInstr needs nothing.
func (f *btfFunc) EndInstr(mir.InstrID) {}

// EndFunc ends the record; the writer knows already what came in order.
func (f *btfFunc) EndFunc(*target.AsmFunc) (target.FuncRecord, error) {
	if f.direct() {
		return nil, nil
	}
	r := f.rec
	return &r, nil
}

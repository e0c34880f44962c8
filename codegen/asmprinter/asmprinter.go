package asmprinter

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/iranalysis"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/objabi"
	"github.com/mirin-go/mirin/target"
)

// Printer writes one module to a streamer.
type Printer struct {
	M     *target.Machine
	Mod   *ir.Module
	Out   mc.Streamer
	Ctx   *mc.Context
	Hooks *target.AsmPrinterHooks
	// Verbose adds comments to text.
	Verbose bool
	// OpenFile reads a file that assembly includes, and gives the name that messages have
	// for it; nil: assembly includes none.
	OpenFile func(name string) (shown string, text []byte, err error)

	syms     []globalSym // by GlobalID
	symEpoch uint32      // counts the contexts that syms were made for
	inst     mc.Inst
	// expansion is what the target's hook gets.
	expansion expansion
	// varSection is the number of the next section of a variable that shares its name.
	varSection uint32
	funcNum    int
	blocks     []mc.Sym // of the current function, by BlockID
	tables     []mc.Sym
	consts     []mc.Sym
	lsda       mc.Sym // the exception table of the current function
	irBlocks   map[blockKey]mc.Sym
	reached    iranalysis.Reached
	taken      iranalysis.AddressTaken

	uid     int        // counts inline assemblies that have ${:uid}
	uidUsed bool       // by the current one
	asm     *assembler // nil until there is assembly to be read
	// assembled says that asm got something of the current function. Printers of chunks
	// have none: what assembly means depends on the functions before it.
	assembled, chunked bool

	// Words for exception tables: personality routines and types, with the
	// symbols of the words that hold their addresses.
	personalities, typeInfos []ir.GlobalID
	references, typeStubs    []mc.Sym
	stubOf                   map[ir.GlobalID]mc.Sym // of typeInfos

	patch  mc.Sym    // the place of the current function that may be patched, 0 for its begin
	nopBuf []mc.Inst // of nops
	sleds  []sled    // of the current function
	behind target.Behind

	subs *subtargets // shared by all printers of an output

	handlers []target.AsmHandler  // of the output
	hearers  []target.FuncHandler // the handlers' halves for this printer
	records  []target.FuncRecord  // of the current function
	fn       target.AsmFunc
	nest     nest

	f    *mir.Function
	st   *target.Subtarget
	mcST *mc.Subtarget
	abi  *objabi.ABI
}

// globalSym is a global's symbol in the context of an epoch.
type globalSym struct {
	sym   mc.Sym
	epoch uint32
}

type blockKey struct {
	fn ir.GlobalID
	b  ir.BlockID
}

// New returns a printer for a module.
func New(m *target.Machine, mod *ir.Module, out mc.Streamer, h *target.AsmPrinterHooks) *Printer {
	p := &Printer{M: m, Mod: mod, Out: out, Ctx: out.Context(), Hooks: h, irBlocks: map[blockKey]mc.Sym{}, stubOf: map[ir.GlobalID]mc.Sym{}, symEpoch: 1,
		subs: &subtargets{rows: map[*target.Subtarget]*mc.Subtarget{}}}
	p.expansion.p = p
	return p
}

// Begin writes what stands before the functions.
func (p *Printer) Begin() error {
	name := p.Mod.SourceFilename
	if name == "" {
		name = p.Mod.Name
	}
	if h := p.Hooks.Property; h != nil {
		if x := h(p.Mod); x.Bits != 0 {
			p.property(x)
		}
	}
	if err := p.checkGroups(); err != nil {
		return err
	}
	p.Out.File(name)
	if p.Hooks.Handlers != nil {
		p.handlers = append(p.handlers, p.Hooks.Handlers(p.M, p.Mod)...)
	}
	for _, h := range p.handlers {
		if err := h.Begin(asmOutput{p}); err != nil {
			return err
		}
		p.hearers = append(p.hearers, h.Fork(asmOutput{p}))
	}
	if p.Mod.HasDebugInfo() && !p.unwinds() {
		p.Out.CFISections(mc.FrameSections{NoEH: true, Debug: true})
	}
	if err := p.moduleAsm(); err != nil {
		return err
	}
	p.Out.SwitchSection(p.Ctx.TextSection())
	return nil
}

// unwinds reports whether exceptions may go through a function of the module.
func (p *Printer) unwinds() bool {
	return slices.ContainsFunc(p.Mod.Funcs, func(id ir.GlobalID) bool {
		g := p.Mod.Globals[id]
		return !g.IsDecl && g.Linkage != ir.AvailableExternally && target.Unwinds(p.Mod, g)
	})
}

// section returns the section of that name and group.
func (p *Printer) section(name string, typ mc.SectionType, flags mc.SectionFlags, entsize int, group uint32) mc.SectionID {
	s := mc.Section{Name: name, Type: typ, Flags: flags, EntSize: uint32(entsize), Unique: mc.GenericSection}
	p.intoGroup(&s, group)
	return p.Ctx.Section(s)
}

// intoGroup makes a section one of a group, 0 for none. Groups of which each file
// keeps its own are no COMDATs.
func (p *Printer) intoGroup(s *mc.Section, group uint32) {
	if group != 0 {
		c := &p.Mod.Comdats[group]
		s.Group, s.Comdat = c.Name, c.Kind != ir.ComdatNoDeduplicate
		s.Flags |= mc.FlagGroup
	}
}

// checkGroups refuses the choices between groups that ELF does not know.
func (p *Printer) checkGroups() error {
	for _, g := range p.Mod.Globals {
		if g == nil || g.Comdat == 0 {
			continue
		}
		if c := &p.Mod.Comdats[g.Comdat]; c.Kind != ir.ComdatAny && c.Kind != ir.ComdatNoDeduplicate {
			return &target.Unsupported{Target: p.M.Target.Name, What: "comdat " + c.Name + " of another kind than any and nodeduplicate"}
		}
	}
	return nil
}

// Sym returns the symbol of a global.
func (p *Printer) Sym(id ir.GlobalID) mc.Sym {
	if len(p.syms) < len(p.Mod.Globals) {
		p.syms = append(p.syms, make([]globalSym, len(p.Mod.Globals)-len(p.syms))...)
	}
	if s := p.syms[id]; s.epoch == p.symEpoch {
		return s.sym
	}
	g := p.Mod.Globals[id]
	name := g.Name
	switch {
	case len(name) > 0 && name[0] == 1:
		name = name[1:]
	case g.Linkage == ir.Private:
		name = p.M.Layout.PrivatePrefix() + name
	default:
		name = p.M.Layout.GlobalPrefix() + name
	}
	if g.Name == "" {
		name = p.M.Layout.PrivatePrefix() + "__unnamed_" + strconv.Itoa(int(id))
	}
	s := p.Ctx.Symbol(name)
	p.syms[id] = globalSym{s, p.symEpoch}
	return s
}

// local returns the symbol of a name that stays out of the symbol table.
func (p *Printer) local(name string, n int) mc.Sym {
	return p.Ctx.Symbol(p.Ctx.Info().PrivateGlobal + name + strconv.Itoa(n))
}

// inner returns the symbol of a name that only the current function refers to;
// objects do without the name. It is a new one for each call there.
func (p *Printer) inner(name string, n int) mc.Sym {
	if !p.Out.IsText() {
		return p.Ctx.Inner()
	}
	return p.local(name, n)
}

// linkage writes binding and visibility of a defined global.
func (p *Printer) linkage(g *ir.Global, s mc.Sym) {
	switch g.Linkage {
	case ir.External, ir.Appending:
		p.Out.Attribute(s, mc.AttrGlobal)
	case ir.LinkOnceAny, ir.LinkOnceODR, ir.WeakAny, ir.WeakODR, ir.ExternWeak:
		p.Out.Attribute(s, mc.AttrWeak)
	case ir.Internal, ir.Private:
		if p.Ctx.At(s).Binding == mc.BindUnset {
			p.Ctx.At(s).Binding = mc.BindLocal
		}
	}
	p.visibility(g, s)
}

func (p *Printer) visibility(g *ir.Global, s mc.Sym) {
	switch g.Visibility {
	case ir.Hidden:
		p.Out.Attribute(s, mc.AttrHidden)
	case ir.Protected:
		p.Out.Attribute(s, mc.AttrProtected)
	}
}

// group is the number of the group of a global, 0 for none.
func (p *Printer) group(g *ir.Global) uint32 { return g.Comdat }

// Func writes one finished machine function, number n of the output: labels are made of the number.
func (p *Printer) Func(n int, f *mir.Function, st *target.Subtarget) error {
	if err := p.printFunc(n, f, st); err != nil {
		return err
	}
	return p.addRecords(p.records)
}

func (p *Printer) printFunc(n int, f *mir.Function, st *target.Subtarget) error {
	p.records = p.records[:0]
	if err := st.Refused(f, false); err != nil {
		return err
	}
	p.f = f
	if p.st != st {
		p.st, p.mcST, p.behind = st, p.subs.of(st), target.Behind{}
		if p.Hooks.Hardened != nil {
			p.behind = p.Hooks.Hardened(st)
		}
	}
	p.funcNum = n
	p.assembled = false
	g := p.Mod.Globals[f.IR.ID]
	if g.Linkage == ir.AvailableExternally {
		return nil
	}
	p.blocks = append(p.blocks[:0], make([]mc.Sym, f.NumBlockIDs())...)
	p.tables = append(p.tables[:0], make([]mc.Sym, len(f.JumpTables))...)
	p.consts = append(p.consts[:0], make([]mc.Sym, len(f.Consts))...)
	if err := p.constantPool(); err != nil {
		return err
	}
	s := p.Sym(f.IR.ID)
	p.Out.SwitchSection(p.funcSection(g))
	p.linkage(g, s)
	align := p.Hooks.FuncAlign
	if g.Align > 0 {
		align = max(align, int(g.Align)-1)
	}
	if align = max(align, int(f.Align)); align > 0 {
		p.Out.AlignCode(uint8(align), p.mcST, 0)
	}
	p.Out.Attribute(s, mc.AttrTypeFunction)
	if p.Verbose {
		p.Out.Comment(string(ir.AppendName([]byte{'@'}, f.Name)))
	}
	if err := p.beforeLabel(g); err != nil {
		return fmt.Errorf("in function %s: %w", f.Name, err)
	}
	p.Out.Label(s)
	pads := p.hasPads()
	patched, err := p.isPatchable()
	if err != nil {
		return err
	}
	begin := mc.Sym(0)
	p.sleds = p.sleds[:0]
	_, xray := target.FnAttr(f, "function-instrument")
	if _, some := target.FnAttr(f, "xray-instruction-threshold"); pads || patched || xray || some || len(p.hearers) > 0 {
		begin = p.inner("func_begin", p.funcNum)
		p.Out.Label(begin)
	}
	if err := p.beginHandlers(s, begin, st); err != nil {
		return fmt.Errorf("in function %s: %w", f.Name, err)
	}
	if err := p.body(g, pads); err != nil {
		return fmt.Errorf("in function %s: %w", f.Name, err)
	}
	if p.assembled { // which may have left the section
		p.Out.SwitchSection(p.funcSection(g))
	}
	p.removedBlocks()
	end := p.inner("func_end", p.funcNum)
	p.Out.Label(end)
	p.Out.Size(s, p.Ctx.Diff(end, s))
	if target.NeedsCFI(p.f) {
		p.Out.EndProc()
	}
	if err := p.endHandlers(end); err != nil {
		return fmt.Errorf("in function %s: %w", f.Name, err)
	}
	if pads {
		if err := p.exceptionTable(g, begin, end); err != nil {
			return fmt.Errorf("in function %s: %w", f.Name, err)
		}
	}
	if err := p.jumpTables(); err != nil {
		return err
	}
	if patched {
		p.patchTable(g, s, begin)
	}
	if len(p.sleds) > 0 {
		p.sledTable(g, s, begin)
	}
	return nil
}

// block returns the label of a block.
func (p *Printer) block(b mir.BlockID) mc.Sym {
	if s := p.blocks[b]; s != 0 {
		return s
	}
	blk := p.f.Block(b)
	s := mc.Sym(0)
	switch {
	case blk.AddrTakenIR != 0:
		s = p.irBlock(p.f.IR.ID, ir.BlockID(blk.AddrTakenIR))
	case !p.Out.IsText() && blk.Flags&mir.InlineAsmBrTarget == 0:
		s = p.Ctx.Inner()
	default:
		s = p.Ctx.Symbol(p.Ctx.Info().PrivateLabel + "BB" + strconv.Itoa(p.funcNum) + "_" + strconv.Itoa(int(blk.Number)))
	}
	p.blocks[b] = s
	return s
}

// irBlock returns the label of a block whose address is taken.
func (p *Printer) irBlock(fn ir.GlobalID, b ir.BlockID) mc.Sym {
	k := blockKey{fn, b}
	s, ok := p.irBlocks[k]
	if !ok {
		s = p.local("tmp", len(p.irBlocks))
		p.irBlocks[k] = s
	}
	return s
}

// removedBlocks writes the labels of blocks whose address is taken somewhere, and that code
// generation removed: nobody jumps there, but what has the address must be linked.
func (p *Printer) removedBlocks() {
	f := p.f
	taken := p.taken.Blocks(p.Mod, f.IR.ID)
	if len(taken) == 0 {
		return
	}
	there := map[ir.BlockID]bool{}
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		there[ir.BlockID(f.Block(b).AddrTakenIR)] = true
	}
	for _, b := range taken {
		if there[b] || !p.reached.Block(p.Mod.Globals[f.IR.ID].Func, b) {
			continue
		}
		there[b] = true
		if p.Verbose {
			p.Out.Comment("Address of block that was removed by CodeGen")
		}
		p.Out.Label(p.irBlock(f.IR.ID, b))
	}
}

// body writes the blocks.
func (p *Printer) body(g *ir.Global, pads bool) error {
	f := p.f
	if target.NeedsCFI(p.f) {
		p.Out.StartProc(false)
	}
	if pads {
		if err := p.beginExceptions(g); err != nil {
			return err
		}
	}
	if g.Prologue != 0 {
		if err := p.constant(&p.Mod.Consts, g.Prologue, p.constType(g.Prologue)); err != nil {
			return err
		}
	}
	if p.Verbose && p.Out.IsText() {
		p.nest.compute(f)
	}
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		blk := f.Block(b)
		if blk.Align > 0 {
			p.Out.AlignCode(blk.Align, p.mcST, blk.MaxBytesForAlign)
		}
		p.startBlock(b)
		for i := blk.First(); i != 0; i = f.Instr(i).Next() {
			for _, h := range p.hearers {
				h.BeginInstr(i)
			}
			if err := p.instr(i); err != nil {
				return err
			}
			for _, h := range p.hearers {
				h.EndInstr(i)
			}
			if p.behind.Needs != nil && p.behind.Needs(f, i) {
				if err := p.Out.Inst(p.inst.Reset(p.behind.Op), p.mcST); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// startBlock writes the label of a block, or a comment with its number.
func (p *Printer) startBlock(b mir.BlockID) {
	shown := p.Verbose && p.Out.IsText()
	if shown {
		p.blockComments(b)
	}
	switch {
	case b != p.f.FirstBlock() && p.needsLabel(b):
		p.Out.Label(p.block(b))
	case shown:
		p.Out.RawComment(" %bb."+strconv.Itoa(int(p.f.Block(b).Number))+":", false)
	}
}

// needsLabel reports whether anything names the block: a branch, a table, an address.
func (p *Printer) needsLabel(b mir.BlockID) bool {
	f := p.f
	blk := f.Block(b)
	if blk.AddrTakenIR != 0 || blk.Flags&(mir.IRAddrTaken|mir.MachineAddrTaken|mir.InlineAsmBrTarget) != 0 {
		return true
	}
	return f.NumPreds(b) != 1 || f.Preds(b)[0] != f.PrevBlock(b) || !p.fallsThrough(f.PrevBlock(b), b)
}

// fallsThrough reports whether a ends without naming b.
func (p *Printer) fallsThrough(a, b mir.BlockID) bool {
	f := p.f
	for i := f.FirstTerminator(a); i != 0; i = f.Instr(i).Next() {
		if f.Desc(i).IsIndirectBranch() {
			return false
		}
		for _, o := range f.Ops(i) {
			if o.Kind() == mir.OpMBB && o.Block() == b {
				return false
			}
		}
	}
	return true
}

// instr writes one instruction.
func (p *Printer) instr(i mir.InstrID) error {
	f := p.f
	switch f.Instr(i).Opcode {
	case desc.CFI_INSTRUCTION:
		if !target.NeedsCFI(f) {
			return nil
		}
		return p.cfi(&f.CFI[f.Op(i, 0).Index()])
	case desc.IMPLICIT_DEF, desc.KILL:
		p.noCode(i)
		return nil
	case desc.INIT_UNDEF, desc.DBG_VALUE, desc.DBG_VALUE_LIST, desc.DBG_LABEL, desc.DBG_INSTR_REF, desc.DBG_PHI,
		desc.LIFETIME_START, desc.LIFETIME_END, desc.BUNDLE, desc.FAKE_USE:
		return nil
	case desc.MEMBARRIER: // holds back the passes alone
		p.Out.RawComment("MEMBARRIER", true)
		return nil
	case desc.EH_LABEL, desc.GC_LABEL, desc.ANNOTATION_LABEL:
		p.Out.Label(p.Ctx.Symbol(f.Symbols[f.Op(i, 0).Index()]))
		return nil
	case desc.INLINEASM, desc.INLINEASM_BR:
		return p.inlineAsm(i)
	case desc.FENTRY_CALL, desc.PATCHABLE_FUNCTION_ENTER, desc.PATCHABLE_OP, desc.PATCHABLE_RET, desc.PATCHABLE_TAIL_CALL, desc.PATCHABLE_FUNCTION_EXIT:
		return p.patchable(i)
	}
	if p.Verbose {
		p.slotComment(i)
	}
	if h := p.Hooks.Expand; h != nil {
		if done, err := h(f, i, &p.expansion); done || err != nil {
			return err
		}
	}
	if err := p.lower(i, &p.inst); err != nil {
		return err
	}
	return p.Out.Inst(&p.inst, p.mcST)
}

// expansion is target.Expansion.
type expansion struct {
	p   *Printer
	in  mc.Inst
	err error
}

func (x *expansion) Emit(op desc.Opcode, ops ...mc.Operand) {
	x.in.Reset(op)
	for _, o := range ops {
		x.in.Add(o)
	}
	if x.err == nil {
		x.err = x.p.Out.Inst(&x.in, x.p.mcST)
	}
}

func (x *expansion) Symbol(o *mir.Operand, m mc.Modifier) mc.Operand {
	s, ok := x.p.symbolOf(o)
	if !ok && x.err == nil {
		x.err = x.p.st.NotSupported(x.p.f, "an operand that is no symbol")
	}
	return mc.ExprOp(x.p.Ctx.RefOff(s, m, o.Offset()))
}

func (x *expansion) Extern(name string, m mc.Modifier) mc.Operand {
	return mc.ExprOp(x.p.Ctx.Ref(x.p.Ctx.Symbol(x.p.M.Layout.GlobalPrefix()+name), m))
}

func (x *expansion) label(name string) mc.Sym {
	return x.p.Ctx.Symbol(x.p.Ctx.Info().PrivateLabel + strconv.Itoa(x.p.funcNum) + "$" + name)
}

func (x *expansion) Label(name string) mc.Operand { return mc.ExprOp(x.p.Ctx.Ref(x.label(name), 0)) }

func (x *expansion) Place(name string) { x.p.Out.Label(x.label(name)) }

func (x *expansion) SymbolFrom(o *mir.Operand, name string) mc.Operand {
	s, _ := x.p.symbolOf(o)
	here := x.p.Ctx.Temp("tmp")
	x.p.Out.Label(here)
	return mc.ExprOp(x.p.Ctx.Binary(mc.OpAdd, x.p.Ctx.Ref(s, 0), x.p.Ctx.Diff(here, x.label(name))))
}

func (x *expansion) Err() error { return x.err }

// symbolOf is the symbol that an operand names.
func (p *Printer) symbolOf(o *mir.Operand) (mc.Sym, bool) {
	f := p.f
	switch o.Kind() {
	case mir.OpGlobal:
		return p.Sym(ir.GlobalID(o.Index())), true
	case mir.OpExtSym:
		return p.Ctx.Symbol(p.M.Layout.GlobalPrefix() + f.Symbols[o.Index()]), true
	case mir.OpCPI:
		return p.consts[o.Index()], true
	case mir.OpBlockAddr:
		a := f.BlockAddrs[o.Index()]
		return p.irBlock(a.Func, a.Block), true
	case mir.OpMCSymbol:
		return p.Ctx.Symbol(f.Symbols[o.Index()]), true
	}
	return 0, false
}

// lower makes in the machine code of instruction i.
func (p *Printer) lower(i mir.InstrID, in *mc.Inst) error {
	f := p.f
	in.Reset(f.Instr(i).Opcode)
	ops := f.Ops(i)
	for k := range ops {
		o := &ops[k]
		switch o.Kind() {
		case mir.OpReg:
			if !o.IsImplicit() {
				in.Add(mc.Reg(desc.PhysReg(o.Reg())))
			}
			continue
		case mir.OpImm:
			in.Add(mc.Imm(o.Imm()))
			continue
		}
		op, ok, err := p.operand(o)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		in.Add(op)
	}
	if p.Hooks.Rewrite != nil {
		p.Hooks.Rewrite(p.st, f, i, in)
	}
	return nil
}

// operand lowers an operand; ok is false for what machine code does not have.
func (p *Printer) operand(o *mir.Operand) (mc.Operand, bool, error) {
	f := p.f
	if s, ok := p.symbolOf(o); ok {
		m, err := p.Hooks.Modifier(o.TargetFlags())
		return mc.ExprOp(p.Ctx.RefOff(s, m, o.Offset())), true, err
	}
	switch o.Kind() {
	case mir.OpReg:
		if o.IsImplicit() {
			return mc.Operand{}, false, nil
		}
		return mc.Reg(desc.PhysReg(o.Reg())), true, nil
	case mir.OpImm:
		return mc.Imm(o.Imm()), true, nil
	case mir.OpMBB:
		return mc.ExprOp(p.Ctx.Ref(p.block(o.Block()), mc.ModNone)), true, nil
	case mir.OpJTI:
		m, err := p.Hooks.Modifier(o.TargetFlags())
		return mc.ExprOp(p.Ctx.Ref(p.table(int(o.Index())), m)), true, err
	case mir.OpRegMask, mir.OpLiveOut, mir.OpMetadata, mir.OpCFIIndex:
		return mc.Operand{}, false, nil
	}
	return mc.Operand{}, false, p.st.NotSupported(f, "operand kind "+strconv.Itoa(int(o.Kind()))+" in assembly")
}

var cfiOps = [...]struct {
	op mc.CFIOp
	ok bool
}{
	mir.CFIDefCfa: {mc.CFIDefCfa, true}, mir.CFIDefCfaOffset: {mc.CFIDefCfaOffset, true}, mir.CFIDefCfaRegister: {mc.CFIDefCfaRegister, true},
	mir.CFIAdjustCfaOffset: {mc.CFIAdjustCfaOffset, true}, mir.CFIOffset: {mc.CFIOffset, true}, mir.CFIRelOffset: {mc.CFIRelOffset, true},
	mir.CFIRestore: {mc.CFIRestore, true}, mir.CFISameValue: {mc.CFISameValue, true}, mir.CFIUndefined: {mc.CFIUndefined, true},
	mir.CFIRememberState: {mc.CFIRememberState, true}, mir.CFIRestoreState: {mc.CFIRestoreState, true}, mir.CFIEscape: {mc.CFIEscape, true},
}

func (p *Printer) cfi(c *mir.CFI) error {
	if int(c.Kind) >= len(cfiOps) || !cfiOps[c.Kind].ok {
		return p.st.NotSupported(p.f, "this call frame instruction")
	}
	p.Out.CFI(mc.CFI{Op: cfiOps[c.Kind].op, Reg: c.Reg, Offset: c.Offset, Bytes: c.Bytes})
	return nil
}

// table returns the label of a jump table.
func (p *Printer) table(j int) mc.Sym {
	if p.tables[j] == 0 {
		if o := p.Hooks.JumpTables; o != nil {
			p.tables[j] = p.Ctx.Symbol(o.Name(p.funcNum, j))
		} else if p.Out.IsText() {
			p.tables[j] = p.local("JTI"+strconv.Itoa(p.funcNum)+"_", j)
		} else {
			p.tables[j] = p.Ctx.Inner()
		}
	}
	return p.tables[j]
}

// tableObjects writes the tables of the function as objects.
func (p *Printer) tableObjects(o *target.JumpTableObjects) {
	f, g := p.f, p.Mod.Globals[p.f.IR.ID]
	begin := p.Ctx.Symbol(p.Ctx.SectionAt(p.funcSection(g)).Name)
	p.Out.SwitchSection(p.Ctx.Section(mc.Section{Name: o.Section, Type: mc.SecProgBits, Unique: mc.GenericSection}))
	size := int(p.M.Layout.PointerSize(0))
	for j := range f.JumpTables {
		if len(f.JumpTables[j].Blocks) == 0 {
			continue
		}
		t := p.table(j)
		if !p.Out.IsText() { // as LLVM, whose assembly does not say it
			p.Out.Attribute(t, mc.AttrGlobal)
			p.Out.Attribute(t, mc.AttrTypeObject)
		}
		p.Out.Label(t)
		for _, b := range f.JumpTables[j].Blocks {
			p.Out.Value(p.Ctx.Diff(p.block(b), begin), size)
		}
		p.Out.Size(t, p.Ctx.Const(int64(len(f.JumpTables[j].Blocks)*size)))
	}
}

// jumpTables writes the tables of the function into read-only data.
func (p *Printer) jumpTables() error {
	f := p.f
	if len(f.JumpTables) == 0 {
		return nil
	}
	if o := p.Hooks.JumpTables; o != nil {
		p.tableObjects(o)
		return nil
	}
	size, rel := int(p.M.Layout.PointerSize(0)), false
	switch f.JumpTableKind {
	case mir.JTBlockAddress:
	case mir.JTLabelDiff32:
		size, rel = 4, true
	case mir.JTLabelDiff64:
		size, rel = 8, true
	default:
		return p.st.NotSupported(f, "this kind of jump table")
	}
	g := p.Mod.Globals[f.IR.ID]
	c := secChoice{base: ".rodata", flags: mc.FlagAlloc, own: p.M.Options.FunctionSections || p.group(g) != 0}
	p.Out.SwitchSection(p.choose(g, &c, uniqueTable+uint32(p.funcNum)))
	p.Out.Align(log2(uint64(size)), 0, 0)
	for j := range f.JumpTables {
		if len(f.JumpTables[j].Blocks) == 0 {
			continue
		}
		t := p.table(j)
		p.Out.Label(t)
		for _, b := range f.JumpTables[j].Blocks {
			e := p.Ctx.Ref(p.block(b), mc.ModNone)
			if rel {
				e = p.Ctx.Diff(p.block(b), t)
			}
			p.Out.Value(e, size)
		}
	}
	return nil
}

package mirtext

import (
	"strconv"

	"github.com/mirin-go/mirin/mir"
)

func (p *printer) prop(key string, set, def bool) {
	if set != def || !p.o.Simplify {
		p.boolKey(0, key, set)
	}
}

// function prints the document of the function entered last.
func (p *printer) function() {
	f := p.f
	p.str("---\n")
	p.lineStart = len(p.b)
	p.strKey(0, "name", f.Name)
	p.intKey(0, "alignment", 1<<f.Align)
	has := func(q mir.Properties) bool { return f.Props&q != 0 }
	p.prop("exposesReturnsTwice", f.ExposesReturnsTwice, false)
	p.prop("legalized", has(mir.Legalized), false)
	p.prop("regBankSelected", has(mir.RegBankSelected), false)
	p.prop("selected", has(mir.Selected), false)
	p.prop("failedISel", has(mir.FailedISel), false)
	p.prop("tracksRegLiveness", has(mir.TracksLiveness), false)
	p.prop("hasWinCFI", f.HasWinCFI, false)
	p.boolKey(0, "noPhis", has(mir.NoPHIs))
	p.boolKey(0, "isSSA", has(mir.IsSSA))
	p.boolKey(0, "noVRegs", has(mir.NoVRegs))
	p.boolKey(0, "hasFakeUses", f.HasFakeUses)
	p.prop("callsEHReturn", f.CallsEHReturn, false)
	p.prop("callsUnwindInit", f.CallsUnwindInit, false)
	p.prop("hasEHContTarget", f.HasEHContTarget, false)
	p.prop("hasEHScopes", f.HasEHScopes, false)
	p.prop("hasEHFunclets", f.HasEHFunclets, false)
	p.prop("isOutlined", f.IsOutlined, false)
	p.prop("debugInstrRef", f.UseDebugInstrRef, false)
	p.prop("failsVerification", has(mir.FailsVerification), false)
	p.prop("tracksDebugUserValues", has(mir.TracksDebugUserValues), false)
	p.registers()
	p.liveIns()
	p.frameInfo()
	p.fixedStack()
	p.stack()
	p.entryValues()
	p.callSites()
	p.substitutions()
	p.constants()
	p.functionInfo()
	p.jumpTables()
	metadataAt := len(p.b)
	p.calledGlobals()
	p.body()
	p.str("...\n")
	p.lineStart = len(p.b)
	p.metadataNodes(metadataAt)
}

// list opens a sequence of n elements and reports whether there are any.
func (p *printer) list(key string, n int) bool {
	if n == 0 {
		if !p.o.Simplify {
			p.key(0, key)
			p.str("[]")
			p.newline()
		}
		return false
	}
	p.open(0, key)
	return true
}

// strField writes a string field of a flow mapping; empty ones are left out when simplifying.
func (p *printer) strField(f *flow, key, v string) {
	if v == "" && p.o.Simplify {
		return
	}
	p.field(f, key)
	p.scalar(v)
}

// regName returns a register as a quoted YAML string holds it, "" for none.
func (p *printer) regName(r mir.Reg) string {
	if r == 0 {
		return ""
	}
	return string(p.appendReg(nil, r))
}

func (p *printer) registers() {
	f := p.f
	n := 0
	for i := range f.NumVRegs() {
		if f.VReg(mir.VReg(i)).Name == 0 {
			n++
		}
	}
	if !p.list("registers", n) {
		return
	}
	for i := range f.NumVRegs() {
		v := f.VReg(mir.VReg(i))
		if v.Name != 0 {
			continue
		}
		p.str("  - ")
		m := p.beginFlow("{ ")
		p.field(&m, "id")
		p.int(int64(i))
		p.field(&m, "class")
		from := len(p.b)
		p.b = p.appendClassOrBank(p.b, v)
		if quoting(string(p.b[from:])) != plainScalar {
			s := string(p.b[from:])
			p.b = p.b[:from]
			p.scalar(s)
		}
		hint := ""
		if v.HintType == 0 {
			hint = p.regName(v.Hint)
		}
		p.strField(&m, "preferred-register", hint)
		p.regFlags(&m, v.Flags)
		p.str(" }")
		p.newline()
	}
}

// regFlags writes the target's flags of a virtual register; no target that
// Mirin has facts of names any yet but AMDGPU's WWM_REG.
func (p *printer) regFlags(m *flow, flags uint8) {
	if flags == 0 && p.o.Simplify {
		return
	}
	p.field(m, "flags")
	l := p.beginFlow("[ ")
	for bit := range 8 {
		if name := p.row.VRegFlag(bit); flags>>bit&1 != 0 && name != "" {
			p.next(&l)
			p.str(name)
		}
	}
	p.str(" ]")
}

func (p *printer) liveIns() {
	if p.list("liveins", len(p.f.LiveIns)) {
		for _, l := range p.f.LiveIns {
			p.str("  - ")
			m := p.beginFlow("{ ")
			p.field(&m, "reg")
			p.scalar(p.regName(l.Phys))
			p.strField(&m, "virtual-reg", p.regName(l.Virt))
			p.str(" }")
			p.newline()
		}
	}
	if p.f.CalleeSavedSet {
		p.key(0, "calleeSavedRegisters")
		l := p.beginFlow("[ ")
		for _, r := range p.f.CalleeSaved {
			p.next(&l)
			p.scalar(p.regName(r))
		}
		p.str(" ]")
		p.newline()
	}
}

// frameRef returns the reference to a stack object, "" for none.
func (p *printer) frameRef(fi int) string {
	if fi == mir.NoFrameIndex {
		return ""
	}
	return string(p.appendFrameIndex(nil, fi))
}

func (p *printer) frameInfo() {
	fr := &p.f.Frame
	start := len(p.b)
	p.open(0, "frameInfo")
	empty := len(p.b)
	flag := func(key string, v bool) {
		if v || !p.o.Simplify {
			p.boolKey(2, key, v)
		}
	}
	num := func(key string, v, def int64) {
		if v != def || !p.o.Simplify {
			p.intKey(2, key, v)
		}
	}
	str := func(key, v string) {
		if v != "" || !p.o.Simplify {
			p.strKey(2, key, v)
		}
	}
	flag("isFrameAddressTaken", fr.IsFrameAddressTaken)
	flag("isReturnAddressTaken", fr.IsReturnAddressTaken)
	flag("hasStackMap", fr.HasStackMap)
	flag("hasPatchPoint", fr.HasPatchPoint)
	num("stackSize", int64(fr.StackSize), 0)
	num("offsetAdjustment", fr.OffsetAdjustment, 0)
	num("maxAlignment", 1<<fr.MaxAlign, 0)
	flag("adjustsStack", fr.AdjustsStack)
	flag("hasCalls", fr.HasCalls)
	str("stackProtector", p.frameRef(fr.StackProtector))
	str("functionContext", p.frameRef(fr.FunctionContext))
	num("maxCallFrameSize", int64(fr.MaxCallFrameSize), 1<<32-1)
	num("cvBytesOfCalleeSavedRegisters", int64(fr.CVBytesOfCalleeSaved), 0)
	flag("hasOpaqueSPAdjustment", fr.HasOpaqueSPAdjustment)
	flag("hasVAStart", fr.HasVAStart)
	flag("hasMustTailInVarArgFunc", fr.HasMustTailInVarArgFunc)
	flag("hasTailCall", fr.HasTailCall)
	flag("isCalleeSavedInfoValid", fr.IsCalleeSavedInfoValid)
	num("localFrameSize", fr.LocalFrameSize, 0)
	p.savePoints("savePoint", fr.SavePoints)
	p.savePoints("restorePoint", fr.RestorePoints)
	if len(p.b) == empty {
		p.b = p.b[:start]
		p.lineStart = start
	}
}

func (p *printer) savePoints(key string, l []mir.SavePoint) {
	if len(l) == 0 {
		return
	}
	p.open(2, key)
	for i := range l {
		p.str("    - ")
		p.key(0, "point")
		p.scalar("%bb." + strconv.Itoa(int(p.f.Block(l[i].Block).Number)))
		p.newline()
		if len(l[i].Regs) == 0 {
			if !p.o.Simplify {
				p.key(6, "registers")
				p.str("[]")
				p.newline()
			}
			continue
		}
		p.open(6, "registers")
		for _, r := range l[i].Regs {
			p.str("        - ")
			p.scalar(p.regName(r))
			p.newline()
		}
	}
}

// stackIDs are the names of stack identifiers, by number.
func stackIDName(id uint8) string {
	switch id {
	case 0:
		return "default"
	case 1:
		return "sgpr-spill"
	case 2:
		return "scalable-vector"
	case 3:
		return "wasm-local"
	case 4:
		return "scalable-predicate-vector"
	case 255:
		return "noalloc"
	}
	return ""
}

// savedIn finds the callee-saved register that is kept in a frame object.
func (p *printer) savedIn(fi int) (reg string, restored bool) {
	for i := range p.f.Frame.CalleeSaved {
		if c := &p.f.Frame.CalleeSaved[i]; c.DstReg == 0 && c.FI == fi {
			reg, restored = p.regName(c.Reg), c.Restored
			return reg, restored
		}
	}
	return "", true
}

// objectTail writes the fields that fixed and ordinary objects end with.
func (p *printer) objectTail(m *flow, fi int, o *mir.FrameObject) {
	reg, restored := p.savedIn(fi)
	p.strField(m, "callee-saved-register", reg)
	if !restored || !p.o.Simplify {
		p.field(m, "callee-saved-restored")
		p.bool(restored)
	}
	if o.Flags&mir.FrameHasLocalOffset != 0 {
		p.field(m, "local-offset")
		p.int(o.LocalOffset)
	}
	p.debugVar(m, o)
	p.str(" }")
	p.newline()
}

func (p *printer) debugVar(m *flow, o *mir.FrameObject) {
	var v, e, l string
	if o.DebugVar != 0 {
		v = p.mdRef(o.DebugVar)
		e = p.mdRef(o.DebugExpr)
		l = p.mdRef(o.DebugLoc)
	}
	p.strField(m, "debug-info-variable", v)
	p.strField(m, "debug-info-expression", e)
	p.strField(m, "debug-info-location", l)
}

func (p *printer) numField(m *flow, key string, v, def int64) {
	if v != def || !p.o.Simplify {
		p.field(m, key)
		p.int(v)
	}
}

func (p *printer) stackID(m *flow, o *mir.FrameObject) {
	if o.StackID != 0 || !p.o.Simplify {
		p.field(m, "stack-id")
		p.str(stackIDName(o.StackID))
	}
}

func (p *printer) countObjects(from, to int) (n int) {
	for fi := from; fi < to; fi++ {
		if !p.f.Frame.IsDead(fi) {
			n++
		}
	}
	return
}

func (p *printer) fixedStack() {
	fr := &p.f.Frame
	if !p.list("fixedStack", p.countObjects(fr.First(), 0)) {
		return
	}
	for fi := fr.First(); fi < 0; fi++ {
		if fr.IsDead(fi) {
			continue
		}
		o := fr.Object(fi)
		p.str("  - ")
		m := p.beginFlow("{ ")
		p.field(&m, "id")
		p.int(int64(fi - fr.First()))
		spill := o.Flags&mir.FrameSpill != 0
		if spill {
			p.field(&m, "type")
			p.str("spill-slot")
		} else if !p.o.Simplify {
			p.field(&m, "type")
			p.str("default")
		}
		p.numField(&m, "offset", o.Offset, 0)
		p.numField(&m, "size", o.Size, 0)
		p.field(&m, "alignment")
		p.int(1 << o.Align)
		p.stackID(&m, o)
		if !spill {
			for _, x := range [...]struct {
				key string
				bit mir.FrameFlags
			}{{"isImmutable", mir.FrameImmutable}, {"isAliased", mir.FrameAliased}} {
				if on := o.Flags&x.bit != 0; on || !p.o.Simplify {
					p.field(&m, x.key)
					p.bool(on)
				}
			}
		}
		p.objectTail(&m, fi, o)
	}
}

func (p *printer) stack() {
	fr := &p.f.Frame
	if !p.list("stack", p.countObjects(0, fr.End())) {
		return
	}
	for fi := range fr.End() {
		if fr.IsDead(fi) {
			continue
		}
		o := fr.Object(fi)
		p.str("  - ")
		m := p.beginFlow("{ ")
		p.field(&m, "id")
		p.int(int64(fi))
		p.strField(&m, "name", p.allocaName(o))
		varSized := o.Flags&mir.FrameVarSized != 0
		switch {
		case o.Flags&mir.FrameSpill != 0:
			varSized = false
			p.field(&m, "type")
			p.str("spill-slot")
		case varSized:
			p.field(&m, "type")
			p.str("variable-sized")
		case !p.o.Simplify:
			p.field(&m, "type")
			p.str("default")
		}
		p.numField(&m, "offset", o.Offset, 0)
		if !varSized {
			p.field(&m, "size")
			p.int(o.Size)
		}
		p.field(&m, "alignment")
		p.int(1 << o.Align)
		p.stackID(&m, o)
		p.objectTail(&m, fi, o)
	}
}

// allocaName returns the name of the alloca that an object was made from.
func (p *printer) allocaName(o *mir.FrameObject) string {
	if o.Name == 0 || p.f.IR == nil || int(o.Name) >= len(p.f.IR.ValueNames) {
		return ""
	}
	return p.f.IR.ValueNames[o.Name]
}

func (p *printer) entryValues() {
	if !p.list("entry_values", len(p.f.EntryValues)) {
		return
	}
	for i := range p.f.EntryValues {
		e := &p.f.EntryValues[i]
		p.str("  - ")
		m := p.beginFlow("{ ")
		p.field(&m, "entry-value-register")
		p.scalar(p.regName(e.Reg))
		for _, x := range [...]struct{ key, v string }{{"debug-info-variable", e.Var},
			{"debug-info-expression", e.Expr}, {"debug-info-location", e.Loc}} {
			p.field(&m, x.key)
			p.scalar(x.v)
		}
		p.str(" }")
		p.newline()
	}
}

// instrOffset returns how many instructions stand before i in its block, those inside bundles counted.
func (p *printer) instrOffset(i mir.InstrID) (n int64) {
	for k := p.f.Instr(i).Prev(); k != 0; k = p.f.Instr(k).Prev() {
		n++
	}
	return
}

func (p *printer) callSites() {
	if !p.list("callSites", len(p.f.CallSites)) {
		return
	}
	for i := range p.f.CallSites {
		c := &p.f.CallSites[i]
		p.str("  - ")
		m := p.beginFlow("{ ")
		p.field(&m, "bb")
		p.int(int64(p.f.Block(p.f.Instr(c.Instr).Block()).Number))
		p.field(&m, "offset")
		p.int(p.instrOffset(c.Instr))
		if len(c.Args) > 0 {
			p.field(&m, "fwdArgRegs")
			for _, a := range c.Args {
				p.newline()
				p.str("      - ")
				l := p.beginFlow("{ ")
				p.field(&l, "arg")
				p.int(int64(a.Arg))
				p.field(&l, "reg")
				p.scalar(p.regName(a.Reg))
				p.str(" }")
			}
		} else if !p.o.Simplify {
			p.field(&m, "fwdArgRegs")
			p.str("[]")
		}
		if len(c.TypeIDs) > 0 {
			p.field(&m, "calleeTypeIds")
			p.newline()
			p.str("      ")
			l := p.beginFlow("[ ")
			for _, id := range c.TypeIDs {
				p.next(&l)
				p.uint(id)
			}
			p.str(" ]")
		}
		p.str(" }")
		p.newline()
	}
}

func (p *printer) substitutions() {
	if !p.list("debugValueSubstitutions", len(p.f.DebugSubsts)) {
		return
	}
	for _, s := range p.f.DebugSubsts {
		p.str("  - ")
		m := p.beginFlow("{ ")
		for _, x := range [...]struct {
			key string
			v   uint32
		}{{"srcinst", s.Src}, {"srcop", s.SrcOp}, {"dstinst", s.Dst}, {"dstop", s.DstOp}, {"subreg", s.SubReg}} {
			p.field(&m, x.key)
			p.int(int64(x.v))
		}
		p.str(" }")
		p.newline()
	}
}

func (p *printer) constants() {
	if !p.list("constants", len(p.f.Consts)) {
		return
	}
	for i := range p.f.Consts {
		c := &p.f.Consts[i]
		p.str("  - ")
		p.lineStart = len(p.b)
		p.key(0, "id")
		p.int(int64(i))
		p.newline()
		p.strKey(4, "value", string(p.appendConstant(nil, c)))
		p.intKey(4, "alignment", 1<<c.Align)
		if c.Target != "" || !p.o.Simplify {
			p.boolKey(4, "isTargetSpecific", c.Target != "")
		}
	}
}

func (p *printer) appendConstant(b []byte, c *mir.Constant) []byte {
	if c.Target != "" {
		return append(b, c.Target...)
	}
	return p.slots.AppendTyped(b, p.f.IRConsts(), c.Value)
}

func (p *printer) functionInfo() {
	start := len(p.b)
	p.open(0, "machineFunctionInfo")
	empty := len(p.b)
	own := false
	if t := p.f.TargetInfo; t != nil {
		p.b, own = t.AppendYAML(p.b, p.f, p.o.Simplify)
	}
	if !own {
		p.b = appendDefaultInfo(p.b, p.in, p.f, p.o.Simplify)
	}
	p.lineStart = len(p.b)
	if len(p.b) == empty {
		p.b, p.lineStart = p.b[:start], start
		p.key(0, "machineFunctionInfo")
		p.str("{}")
		p.newline()
	}
}

var jumpTableKinds = [...]string{"block-address", "gp-rel64-block-address", "gp-rel32-block-address", "label-difference32",
	"label-difference64", "inline", "custom32"}

func (p *printer) jumpTables() {
	if len(p.f.JumpTables) == 0 {
		return
	}
	p.open(0, "jumpTable")
	p.strKey(2, "kind", jumpTableKinds[p.f.JumpTableKind])
	p.open(2, "entries")
	for i := range p.f.JumpTables {
		p.str("    - ")
		p.key(0, "id")
		p.int(int64(i))
		p.newline()
		t := p.f.JumpTables[i].Blocks
		if len(t) == 0 && p.o.Simplify {
			continue
		}
		p.key(6, "blocks")
		l := p.beginFlow("[ ")
		for _, b := range t {
			p.next(&l)
			p.str("'%bb.")
			p.int(int64(p.f.Block(b).Number))
			p.str("'")
		}
		p.str(" ]")
		p.newline()
	}
}

func (p *printer) calledGlobals() {
	if len(p.f.CalledGlobals) == 0 {
		return
	}
	p.open(0, "calledGlobals")
	for _, c := range p.f.CalledGlobals {
		p.str("  - ")
		p.key(0, "bb")
		p.int(int64(p.f.Block(p.f.Instr(c.Instr).Block()).Number))
		p.newline()
		p.intKey(4, "offset", p.instrOffset(c.Instr))
		p.strKey(4, "callee", p.f.Module.Globals[c.Callee].Name)
		p.intKey(4, "flags", int64(c.Flags))
	}
}

// metadataNodes inserts, at offset at, the list of the nodes that memory
// operands name and the module does not have. They get their numbers while the
// body is printed, which stands behind the list.
func (p *printer) metadataNodes(at int) {
	added := p.slots.Added()
	if len(added) == 0 {
		return
	}
	tail := append([]byte(nil), p.b[at:]...)
	p.b = p.b[:at]
	p.open(0, "machineMetadataNodes")
	for _, id := range added {
		p.str("  - ")
		text := append([]byte{'!'}, strconv.Itoa(p.slots.MD(id))...)
		text = append(text, " = "...)
		p.scalar(string(p.slots.AppendMDNode(text, id)))
		p.newline()
	}
	p.b = append(p.b, tail...)
	p.lineStart = len(p.b)
	p.slots.Forget()
}

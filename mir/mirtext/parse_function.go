package mirtext

import (
	"math/bits"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/family"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
)

// funcReader reads one function's document.
type funcReader struct {
	*reader
	f     *mir.Function
	g     *ir.Global
	root  *node
	err   error
	vregs map[uint64]*vregState
	named map[string]*vregState
	order []*vregState
	// blocks, objects: what numbers in the text mean.
	blocks map[uint64]mir.BlockID
	stack  map[uint64]int
	fixed  map[uint64]int
	consts map[uint64]uint32
	tables map[uint64]uint32
	// Values and blocks of the IR function by number.
	irVals   []ir.InstrID
	irNames  map[string]ir.Value
	irBlocks []ir.BlockID
	irBlock  map[string]ir.BlockID
	// irAddrs are the constant addresses of memory operands by their text: one text is one value.
	irAddrs  map[string]ir.Value
	explicit struct{ noPHIs, isSSA, noVRegs, fakeUses *node }
	maxNum   uint32
	// mdNumbers are the module's metadata numbers, set where the function defines some.
	mdNumbers []ir.MDID
}

// vregState is a virtual register as the text speaks of it.
type vregState struct {
	reg      mir.Reg
	num      uint64
	name     string
	explicit bool
	generic  bool // _ or a bank
	known    bool // class, bank or _ was given
}

func (r *funcReader) fail(off int, msg string) bool {
	if r.err == nil {
		r.err = r.errorAt(off, msg)
	}
	return false
}

// failAny reports a fault without a place, as LLVM does for what it finds after reading.
func (r *funcReader) failFile(msg string) bool {
	if r.err == nil {
		r.err = r.errorFile(msg)
	}
	return false
}

func (r *funcReader) failYAML(off int, msg string) bool {
	if r.err == nil {
		r.err = r.errorYAML(off, msg)
	}
	return false
}

func (r *reader) function(root *node) error {
	m := r.out.Module
	name := root.get("name").text
	id := m.Lookup(name)
	if id == 0 || m.Globals[id].Kind != ir.GlobalFunc {
		return r.errorFile("function '" + name + "' isn't defined in the provided LLVM IR")
	}
	if r.out.ByGlobal[id] != nil {
		return r.errorFile("redefinition of machine function '" + name + "'")
	}
	fr := &funcReader{reader: r, root: root, g: m.Globals[id], vregs: map[uint64]*vregState{}, named: map[string]*vregState{},
		blocks: map[uint64]mir.BlockID{}, stack: map[uint64]int{}, fixed: map[uint64]int{}, consts: map[uint64]uint32{}, tables: map[uint64]uint32{}}
	f := mir.NewFunction(name, r.in)
	f.Module, f.IR = m, m.Globals[id].Func
	fr.f = f
	fr.read()
	if fr.mdNumbers != nil {
		r.ctx.RestoreMetadataNumbers(fr.mdNumbers)
	}
	if fr.err != nil {
		return fr.err
	}
	r.out.ByGlobal[id] = f
	return nil
}

// The forms of values were looked at by checkDocument.

func (r *funcReader) bool(n *node) bool {
	if n == nil {
		return false
	}
	v, _ := parseYAMLBool(n.text)
	return v
}

func (r *funcReader) boolKey(m *node, key string) bool { return r.bool(m.get(key)) }

func (r *funcReader) int(n *node) int64 {
	v, _ := parseYAMLInt(n.text)
	return v
}

func (r *funcReader) uint(n *node) uint64 {
	v, _ := parseYAMLUint(n.text, 0)
	return v
}

func (r *funcReader) uintKey(m *node, key string, def uint64) uint64 {
	n := m.get(key)
	if n == nil {
		return def
	}
	return r.uint(n)
}

func (r *funcReader) intKey(m *node, key string, def int64) int64 {
	n := m.get(key)
	if n == nil {
		return def
	}
	return r.int(n)
}

// align reads an alignment of a power of two or 0, as its logarithm.
func (r *funcReader) align(m *node, key string, def uint8) uint8 {
	n := m.get(key)
	if n == nil {
		return def
	}
	v, _ := parseYAMLUint(n.text, 10)
	return uint8(max(0, bits.Len64(v)-1))
}

func (r *funcReader) read() {
	f, n := r.f, r.root
	f.Align = r.align(n, "alignment", 0)
	prop := func(key string, p mir.Properties) {
		if r.boolKey(n, key) {
			f.Props |= p
		}
	}
	prop("legalized", mir.Legalized)
	prop("regBankSelected", mir.RegBankSelected)
	prop("selected", mir.Selected)
	prop("failedISel", mir.FailedISel)
	prop("tracksRegLiveness", mir.TracksLiveness)
	prop("failsVerification", mir.FailsVerification)
	prop("tracksDebugUserValues", mir.TracksDebugUserValues)
	for _, x := range [...]struct {
		key string
		to  *bool
	}{{"exposesReturnsTwice", &f.ExposesReturnsTwice}, {"hasWinCFI", &f.HasWinCFI}, {"callsEHReturn", &f.CallsEHReturn},
		{"callsUnwindInit", &f.CallsUnwindInit}, {"hasEHContTarget", &f.HasEHContTarget}, {"hasEHScopes", &f.HasEHScopes},
		{"hasEHFunclets", &f.HasEHFunclets}, {"isOutlined", &f.IsOutlined}, {"debugInstrRef", &f.UseDebugInstrRef}} {
		*x.to = r.boolKey(n, x.key)
	}
	r.explicit.noPHIs, r.explicit.isSSA, r.explicit.noVRegs, r.explicit.fakeUses = n.get("noPhis"), n.get("isSSA"), n.get("noVRegs"), n.get("hasFakeUses")
	steps := [...]func(){r.registers, r.liveIns, r.constants, r.machineMetadata, r.blockDefinitions, r.frameInfo, r.info,
		r.jumpTables, r.jumpTableEntries, r.instructions, r.finishRegisters, r.substitutions, r.callSites, r.properties, r.loaded}
	for _, s := range steps {
		if s(); r.err != nil {
			return
		}
	}
}

// each calls fn for every mapping in a sequence under key.
func (r *funcReader) each(key string, fn func(m *node)) {
	n := r.root.get(key)
	if n == nil || n.kind == nullNode {
		return
	}
	for i := range n.items {
		if fn(&n.items[i]); r.err != nil {
			return
		}
	}
}

// newVReg makes the register for a number or name of the text at its first mention.
func (r *funcReader) newVReg(num uint64, name string) *vregState {
	v := &vregState{num: num, name: name}
	v.reg = r.f.AddGenericVReg(0)
	if name != "" {
		r.f.RegNames = append(r.f.RegNames, name)
		r.f.VReg(v.reg).Name = uint32(len(r.f.RegNames) - 1)
		r.named[name] = v
	} else {
		r.vregs[num] = v
	}
	r.order = append(r.order, v)
	return v
}

func (r *funcReader) vreg(num uint64) *vregState {
	if v := r.vregs[num]; v != nil {
		return v
	}
	return r.newVReg(num, "")
}

func (r *funcReader) registers() {
	r.each("registers", func(m *node) {
		id, class := m.get("id"), m.get("class")
		if r.err != nil {
			return
		}
		num := r.uint(id)
		if r.vregs[num] != nil {
			r.fail(id.off, "redefinition of virtual register '%"+strconv.FormatUint(num, 10)+"'")
			return
		}
		v := r.newVReg(num, "")
		v.explicit = true
		if !r.setClass(v, class.text) {
			r.fail(class.off, "use of undefined register class or register bank '"+class.text+"'")
			return
		}
		if fl := m.get("flags"); fl != nil {
			for i := range fl.items {
				found := false
				for bit := range 8 {
					if n := family.Of(r.in).VRegFlag(bit); n != "" && n == fl.items[i].text {
						r.f.VReg(v.reg).Flags |= 1 << bit
						found = true
					}
				}
				if !found {
					r.fail(fl.items[i].off, "use of undefined register flag '"+fl.items[i].text+"'")
				}
			}
		}
	})
	// Preferred registers may name registers that come later.
	r.each("registers", func(m *node) {
		if p := m.get("preferred-register"); r.err == nil && p != nil && p.text != "" {
			v := r.vreg(r.uint(m.get("id")))
			if v.generic {
				r.fail(m.get("class").off, "preferred register can only be set for normal vregs")
				return
			}
			r.f.VReg(v.reg).Hint = r.regText(p)
		}
	})
}

// setClass gives a register the class, bank or _ called s.
func (r *funcReader) setClass(v *vregState, s string) bool {
	info := r.f.VReg(v.reg)
	if c, ok := r.names.classes[s]; ok {
		info.Class, v.known = c, true
		return true
	}
	if s == "_" {
		v.generic, v.known = true, true
		return true
	}
	if k, ok := r.names.banks[s]; ok {
		info.Bank, v.generic, v.known = k, true, true
		return true
	}
	return false
}

// What a scalar may hold, in LLVM's words.
const (
	registerRef    = "register reference"
	blockReference = "machine basic block reference"
	objectRef      = "stack object reference"
	metadataRef    = "metadata node"
)

// inNode calls fn with a parser of a scalar's text, which is what; its faults are placed in the scalar.
func (r *funcReader) inNode(n *node, what string, fn func(p *miParser)) {
	if n == nil || n.text == "" {
		return
	}
	p := &miParser{funcReader: r}
	p.src, p.end = n.text, len(n.text)
	p.base = n.off
	if n.end-n.off == len(n.text)+2 {
		p.base++
	}
	p.inScalar = true
	p.next()
	fn(p)
	if r.err == nil && p.tok != tEOF {
		p.error("expected end of string after the " + what)
	}
}

func (r *funcReader) regText(n *node) (reg mir.Reg) {
	r.inNode(n, registerRef, func(p *miParser) { reg = p.register() })
	return
}

// physText reads a physical register.
func (r *funcReader) physText(n *node) (reg mir.Reg) {
	r.inNode(n, registerRef, func(p *miParser) {
		if p.tok != tPhysReg {
			p.error("expected a named register")
			return
		}
		reg = p.register()
	})
	return
}

func (r *funcReader) liveIns() {
	r.each("liveins", func(m *node) {
		reg := m.get("reg")
		if r.err != nil {
			return
		}
		l := mir.LiveInPair{Phys: r.physText(reg)}
		if v := m.get("virtual-reg"); v != nil && v.text != "" {
			r.inNode(v, registerRef, func(p *miParser) {
				if p.tok != tVReg && p.tok != tNamedVReg {
					p.error("expected a virtual register")
					return
				}
				l.Virt = p.register()
			})
		}
		r.f.LiveIns = append(r.f.LiveIns, l)
	})
	if n := r.root.get("calleeSavedRegisters"); n != nil {
		r.f.CalleeSavedSet = true
		for i := range n.items {
			r.f.CalleeSaved = append(r.f.CalleeSaved, r.physText(&n.items[i]))
		}
	}
}

func (r *funcReader) constants() {
	r.each("constants", func(m *node) {
		id := m.get("id")
		if r.err != nil {
			return
		}
		num := r.uint(id)
		if _, dup := r.consts[num]; dup {
			r.fail(id.off, "redefinition of constant pool item '%const."+strconv.FormatUint(num, 10)+"'")
			return
		}
		c := mir.Constant{}
		v := m.get("value")
		if r.boolKey(m, "isTargetSpecific") {
			if v == nil {
				v = m
			}
			r.fail(v.off, "Can't parse target-specific constant pool entries yet")
			return
		}
		if v == nil {
			v = &node{kind: scalarNode, off: m.off}
		}
		val, t, n, err := r.ctx.Constant(v.text, r.f.IRConsts())
		if err != nil || n != len(strings.TrimRight(v.text, " ")) {
			r.irFault(v, n, err)
			return
		}
		c.Value = val
		def := uint8(0)
		if r.lay != nil {
			def = uint8(bits.TrailingZeros64(r.lay.PrefAlign(r.out.Module.Types, t)))
		}
		c.Align = r.align(m, "alignment", def)
		r.consts[num] = uint32(r.f.AppendConst(c))
	})
}

// irFault reports a fault in IR text that stands in a scalar.
func (r *funcReader) irFault(n *node, length int, err error) {
	msg, off := "expected end of string", length
	if f, ok := faultOf(err); ok {
		msg, off = f.Msg, f.Off
	}
	base := n.off
	if n.end-n.off == len(n.text)+2 {
		base++
	}
	for off < len(n.text) && n.text[off] == ' ' {
		off++
	}
	r.fail(base+off, msg)
}

func (r *funcReader) machineMetadata() {
	n := r.root.get("machineMetadataNodes")
	if n == nil {
		return
	}
	r.mdNumbers = r.ctx.MetadataNumbers()
	for i := range n.items {
		if err := r.ctx.DefineMetadata(n.items[i].text); err != nil {
			f, _ := faultOf(err)
			switch f.Msg {
			case "expected integer", "expected metadata operand":
				f.Msg = "expected metadata id after '!'"
			case "Expected '!' here":
				f.Msg = "expected a metadata node"
			case "expected '=' here":
				f.Msg = "expected '='"
			}
			r.fail(n.items[i].off+1+f.Off, f.Msg)
			return
		}
	}
	if num, open := r.ctx.UndefinedMetadata(); open {
		mention := regexp.MustCompile("!" + strconv.FormatUint(uint64(num), 10) + "\\b")
		for i := range n.items {
			if at := mention.FindStringIndex(n.items[i].text); at != nil {
				r.fail(n.items[i].off+at[0]+1, "use of undefined metadata '!"+strconv.FormatUint(uint64(num), 10)+"'")
				return
			}
		}
		r.fail(n.items[len(n.items)-1].off, "use of undefined metadata '!"+strconv.FormatUint(uint64(num), 10)+"'")
	}
}

func (r *funcReader) info() {
	n := r.root.get("machineFunctionInfo")
	row := family.Of(r.in)
	fields := &InfoFields{Family: row}
	if n != nil && n.kind == mapNode {
		fields.root = *n
	}
	if h := hooks[row.ID].checkInfo; h != nil && n != nil && n.kind == mapNode {
		h(r, n)
	}
	r.f.TargetInfo = fields
}

func (r *funcReader) jumpTables() {
	n := r.root.get("jumpTable")
	if n == nil || n.kind != mapNode {
		return
	}
	r.f.JumpTableKind = mir.JumpTableKind(slices.Index(jumpTableKinds[:], n.get("kind").text))
}

// jumpTableEntries reads the tables; blocks are known, instructions are not yet read.
func (r *funcReader) jumpTableEntries() {
	n := r.root.get("jumpTable")
	if n == nil || n.kind != mapNode {
		return
	}
	list := n.get("entries")
	if list == nil {
		return
	}
	for i := range list.items {
		m := &list.items[i]
		id := m.get("id")
		if r.err != nil {
			return
		}
		num := r.uint(id)
		if _, dup := r.tables[num]; dup {
			r.fail(id.off, "redefinition of jump table entry '%jump-table."+strconv.FormatUint(num, 10)+"'")
			return
		}
		var t mir.JumpTable
		if b := m.get("blocks"); b != nil {
			for k := range b.items {
				r.inNode(&b.items[k], blockReference, func(p *miParser) { t.Blocks = append(t.Blocks, p.blockRef()) })
				if b.items[k].text == "" {
					r.fail(0, "expected a machine basic block reference")
				}
				if r.err != nil {
					r.err = r.errorNowhere(r.err)
					return
				}
			}
		}
		r.tables[num] = uint32(len(r.f.JumpTables))
		r.f.JumpTables = append(r.f.JumpTables, t)
	}
}

func (r *funcReader) substitutions() {
	r.each("debugValueSubstitutions", func(m *node) {
		get := func(k string) uint32 {
			if n := m.get(k); r.err == nil {
				return uint32(r.uint(n))
			}
			return 0
		}
		r.f.DebugSubsts = append(r.f.DebugSubsts, mir.DebugSubst{Src: get("srcinst"), SrcOp: get("srcop"), Dst: get("dstinst"),
			DstOp: get("dstop"), SubReg: get("subreg")})
	})
	for _, s := range r.f.DebugSubsts {
		r.maxNum = max(r.maxNum, s.Src, s.Dst)
	}
	r.f.NextInstrNum = r.maxNum
}

// instrAt finds instruction offset of block bb.
func (r *funcReader) instrAt(m *node) mir.InstrID {
	bb, off := m.get("bb"), m.get("offset")
	if r.err != nil {
		return 0
	}
	num, n := int64(r.uint(bb)), int64(r.uint(off))
	if r.err != nil {
		return 0
	}
	b := mir.BlockID(0)
	for k := r.f.FirstBlock(); k != 0; k = r.f.NextBlock(k) {
		if int64(r.f.Block(k).Number) == num {
			b = k
		}
	}
	if b == 0 {
		r.failFile(r.f.Name + " instruction block out of range. Unable to reference bb:" + bb.text)
		return 0
	}
	i := r.f.Block(b).First()
	for k := int64(0); k < n && i != 0; k++ {
		i = r.f.Instr(i).Next()
	}
	if i == 0 {
		r.failFile(r.f.Name + " instruction offset out of range. Unable to reference instruction at bb: " + bb.text + " at offset:" + off.text)
	}
	return i
}

func (r *funcReader) callSites() {
	r.each("callSites", func(m *node) {
		c := mir.CallSite{Instr: r.instrAt(m)}
		if r.err != nil {
			return
		}
		if !r.f.Desc(c.Instr).IsCall() {
			r.failFile(r.f.Name + " call site info should reference call instruction. Instruction at bb:" + m.get("bb").text +
				" at offset:" + m.get("offset").text + " is not a call instruction")
			return
		}
		if l := m.get("fwdArgRegs"); l != nil {
			for i := range l.items {
				a := &l.items[i]
				c.Args = append(c.Args, mir.CallArg{Arg: uint32(r.int(a.get("arg"))), Reg: r.physText(a.get("reg"))})
			}
		}
		if l := m.get("calleeTypeIds"); l != nil {
			for i := range l.items {
				c.TypeIDs = append(c.TypeIDs, uint64(r.int(&l.items[i])))
			}
		}
		r.f.CallSites = append(r.f.CallSites, c)
	})
	if len(r.f.CallSites) > 0 && !r.o.EmitCallSiteInfo && r.err == nil {
		r.failFile("call site info provided but not used")
		return
	}
	r.each("calledGlobals", func(m *node) {
		i := r.instrAt(m)
		if r.err != nil {
			return
		}
		if !r.f.Desc(i).IsCall() {
			r.failFile(r.f.Name + " called global should reference call instruction. Instruction at bb:" + m.get("bb").text +
				" at offset:" + m.get("offset").text + " is not a call instruction")
			return
		}
		g := r.out.Module.Lookup(m.get("callee").text)
		if g == 0 {
			r.fail(m.get("callee").off, "use of undefined global '"+m.get("callee").text+"'")
			return
		}
		r.f.CalledGlobals = append(r.f.CalledGlobals, mir.CalledGlobal{Instr: i, Callee: g, Flags: uint32(r.intKey(m, "flags", 0))})
	})
}

func (r *funcReader) properties() {
	f := r.f
	phi, fake, asm, tied, rewritten := false, false, false, false, true
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		for i := range f.Bundles(b) { // LLVM looks at the heads of bundles alone
			op := f.Instr(i).Opcode
			phi = phi || f.IsPHI(i)
			fake = fake || op == desc.FAKE_USE
			asm = asm || op == desc.INLINEASM || op == desc.INLINEASM_BR
			ops := f.Ops(i)
			for k := range ops {
				if o := &ops[k]; o.IsUse() && o.IsTied() && o.Reg() != 0 {
					tied = true
					if d := f.TiedTo(i, k); d >= 0 && ops[d].Reg() != o.Reg() {
						rewritten = false
					}
				}
			}
		}
	}
	f.HasInlineAsm = asm
	set := func(explicit *node, computed bool, p mir.Properties, msg string) {
		v := computed
		if explicit != nil && explicit.text != "" {
			v = r.bool(explicit)
			if v && !computed {
				r.failFile(f.Name + msg)
			}
		}
		if v {
			f.Props |= p
		}
	}
	set(r.explicit.noPHIs, !phi, mir.NoPHIs, " has explicit property NoPhi, but contains at least one PHI")
	if tied && rewritten {
		f.Props |= mir.TiedOpsRewritten
	}
	set(r.explicit.isSSA, isSSA(f), mir.IsSSA, " has explicit property IsSSA, but is not valid SSA")
	set(r.explicit.noVRegs, f.NumVRegs() == 0, mir.NoVRegs, " has explicit property NoVRegs, but contains virtual registers")
	f.HasFakeUses = fake
	if e := r.explicit.fakeUses; e != nil && e.text != "" {
		if f.HasFakeUses = r.bool(e); fake && !f.HasFakeUses {
			r.failFile(f.Name + " has explicit property hasFakeUses=false, but contains fake uses")
		}
	}
}

// isSSA reports whether every virtual register has at most one definition, of the whole register.
func isSSA(f *mir.Function) bool {
	for i := range f.NumVRegs() {
		id := f.FirstUse(mir.VReg(i))
		if id == 0 || !f.OpAt(id).IsDef() {
			continue
		}
		if f.OpAt(id).SubReg() != 0 {
			return false
		}
		if n := f.NextUse(id); n != 0 && f.OpAt(n).IsDef() {
			return false
		}
	}
	return true
}

// finishRegisters checks that every register got a class, bank or type.
func (r *funcReader) finishRegisters() {
	for _, v := range r.order {
		name := v.name
		if name == "" {
			name = strconv.FormatUint(v.num, 10)
		}
		if c := r.f.VReg(v.reg).Class; c >= 0 && r.in.Classes[c].Flags&desc.ClassAllocatable == 0 {
			r.failFile("Cannot use non-allocatable class '" + r.in.RegClassName(desc.ClassID(c)) + "' for virtual register " + name + " in function '" + r.f.Name + "'")
			return
		}
		if v.known || r.f.VReg(v.reg).Class >= 0 {
			continue
		}
		r.failFile("Cannot determine class/bank of virtual register " + name + " in function '" + r.f.Name + "'")
		return
	}
}

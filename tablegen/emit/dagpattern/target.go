package dagpattern

import (
	"cmp"
	"slices"

	"github.com/mirin-go/mirin/diag"
	"github.com/mirin-go/mirin/tablegen"
)

// Set is the selection patterns of a target.
type Set struct {
	// Target is the name of the record of class Target, "" where there is none.
	Target string
	// Patterns are in the order in which a SelectionDAG selector tries them.
	Patterns []*Pattern
	// Dropped are patterns that can never match, with the reason.
	Dropped []Dropped
	// Warnings are about patterns that are accepted or left out.
	Warnings diag.List

	rs    *tablegen.Records
	types *typeTable
	modes []*tablegen.Record // by Mode; modes[0] is nil
	legal vtSet
	errs  diag.List
	dead  bool // an error that stops everything

	regVTs        map[*tablegen.Record][]vtByMode
	classVTs      map[*tablegen.Record][]vtByMode
	nodes         map[*tablegen.Record]*NodeInfo
	insts         map[*tablegen.Record]*Inst
	complexes     map[*tablegen.Record]*Complex
	intrinsics    map[*tablegen.Record]*Intrinsic
	intrinsicList []*Intrinsic
	frags         map[*tablegen.Record]*treePattern
	preds         map[*tablegen.Record]*Predicate
	defaults      map[*tablegen.Record][]*Node
	scopes        int
	nextID        int
}

// Dropped is a pattern that was left out.
type Dropped struct {
	Record *tablegen.Record
	Reason string
}

// Records returns what the patterns were read from.
func (p *Set) Records() *tablegen.Records { return p.rs }

// TypeName is the name of a type, as in LLVM's MVT.
func (p *Set) TypeName(t VT) string {
	if t < 0 {
		return ""
	}
	return p.types.info[t].name
}

// TypeShape says what a type is: its size in bits (of a scalable vector the
// least), the number of lanes (0 for a scalar) and whether it is floating.
func (p *Set) TypeShape(t VT) (size, lanes int, float, scalable bool) {
	i := &p.types.info[t]
	if i.vector {
		lanes = i.lanes
	}
	return i.size, lanes, i.fp, i.scalable
}

// IsPtr reports whether t is the type of pointers that depends on the target.
func (p *Set) IsPtr(t VT) bool { return t == p.types.iPTR }

// Property is a property of a node.
type Property uint16

// The properties, as in SDNodeProperties.td.
const (
	Commutative Property = 1 << iota
	Associative
	HasChain
	OutGlue
	InGlue
	OptInGlue
	MayStore
	MayLoad
	SideEffect
	MemOperand
	Variadic
	wantsRoot
	wantsParent
)

// NodeInfo is a record of class SDNode.
type NodeInfo struct {
	Record      *tablegen.Record
	Opcode      string // "ISD::ADD"
	NumResults  int
	NumOperands int // -1: any number
	Props       Property
	constraints []constraint
}

type constraintKind uint8

const (
	cVT constraintKind = iota
	cPtr
	cInt
	cFP
	cVec
	cSame
	cVTSmaller
	cSmaller
	cElt
	cSub
	cVecElt
	cSameLanes
	cSameSize
)

// constraint is an SDTypeConstraint.
type constraint struct {
	kind  constraintKind
	op    int
	other int
	vt    vtByMode
}

// Operand is an operand of an instruction.
type Operand struct {
	Name string
	Rec  *tablegen.Record
}

// Inst is a record of class Instruction.
type Inst struct {
	Record   *tablegen.Record
	Operands []Operand
	NumDefs  int
	Variadic bool
	// Flat: Operands are those of the machine instruction, none has parts.
	Flat bool
	// Results are the numbers of operands that a pattern sets; those without
	// a pattern: all definitions.
	NumResults   int
	results      []*tablegen.Record
	ImplicitDefs []*tablegen.Record
	// What the instruction does, as it states or as its patterns show; Chain
	// tells whether its own pattern has a chain, Open without one.
	MayLoad, MayStore, SideEffects bool
	Chain                          Tri

	inferredFrom *tablegen.Record
	src, dst     *Node
	impRes       []*tablegen.Record
}

// Complex is a ComplexPattern.
type Complex struct {
	Record      *tablegen.Record
	NumOperands int
	Func        string
	Roots       []*tablegen.Record
	Props       Property
	Complexity  int
	vt          vtByMode
}

// WantsRoot says that the function gets the root of the match besides the value.
func (c *Complex) WantsRoot() bool { return c.Props&wantsRoot != 0 }

// WantsParent says that it gets the user of the value.
func (c *Complex) WantsParent() bool { return c.Props&wantsParent != 0 }

// Intrinsic is a record of class Intrinsic.
type Intrinsic struct {
	Record *tablegen.Record
	Name   string // "llvm.foo"
	// ID is the number that stands for it in patterns.
	ID          int
	rets        []VT
	params      []VT
	Props       Property
	noMem       bool
	commutative bool
	// what it does to memory; unknownMem: nothing is said about it
	reads, writes, unknownMem, sideEffects bool
}

func (p *Set) errorAt(r *tablegen.Record, msg string) {
	p.errs = append(p.errs, p.rs.ErrorsAt(r, r.Loc, msg)...)
}

func (p *Set) fatalAt(r *tablegen.Record, msg string) {
	if !p.dead {
		p.errorAt(r, msg)
	}
	p.dead = true
}

// readTarget reads everything that patterns refer to.
func (p *Set) readTarget() {
	if !p.checkTarget() {
		return
	}
	p.modes = []*tablegen.Record{nil}
	for _, r := range p.rs.DerivedSorted("HwMode") {
		if r.Name != "DefaultMode" {
			p.modes = append(p.modes, r)
		}
	}
	p.readRegisters()
	for _, r := range p.rs.DerivedSorted("SDNode") {
		p.readNode(r)
	}
	for _, r := range p.rs.DerivedSorted("ComplexPattern") {
		p.readComplex(r)
	}
	p.readIntrinsics()
	for _, r := range p.rs.DerivedSorted("Instruction") {
		p.inst(r)
	}
}

// checkTarget refuses files that describe no target.
func (p *Set) checkTarget() bool {
	targets := p.rs.DerivedFrom("Target")
	switch {
	case len(targets) == 0:
		p.fatalNowhere("No 'Target' subclasses defined!")
	case len(targets) > 1:
		p.fatalNowhere("Multiple subclasses of Target defined!")
	case len(p.rs.DerivedFrom("RegisterClass")) == 0:
		p.fatalNowhere("No 'RegisterClass' subclasses defined!")
	case targets[0].DefField("InstructionSet") == nil:
		p.fatalAt(targets[0], "Record `"+targets[0].Name+"', field `InstructionSet' does not have a def initializer!")
	default:
		p.Target = targets[0].Name
	}
	for _, r := range p.rs.DerivedFrom("RegisterClass") {
		if len(r.List("RegTypes")) == 0 {
			p.fatalAt(r, "RegTypes list must not be empty!")
		}
	}
	return !p.dead
}

func (p *Set) fatalNowhere(msg string) {
	p.errs, p.dead = append(p.errs, &diag.Diagnostic{Severity: diag.Error, Msg: msg}), true
}

// modeOf numbers a record of class HwMode.
func (p *Set) modeOf(r *tablegen.Record) Mode {
	if i := slices.Index(p.modes, r); i > 0 {
		return Mode(i)
	}
	return 0
}

// vtOf reads a ValueType, which may depend on the mode.
func (p *Set) vtOf(r *tablegen.Record) vtByMode {
	v := vtByMode{space: noSpace}
	if r == nil {
		return v
	}
	if r.IsSubClassOf("PtrValueType") {
		v.space = int(r.Int("AddrSpace"))
	}
	one := func(m Mode, r *tablegen.Record) {
		if t, ok := p.types.byName[r.String("LLVMName")]; ok {
			v.by = append(v.by, modeVT{m, t})
		}
	}
	if !r.IsSubClassOf("HwModeSelect") {
		one(0, r)
		return v
	}
	objs := r.DefList("Objects")
	for i, m := range r.DefList("Modes") {
		if i >= len(objs) {
			break
		}
		k := p.modeOf(m)
		if v.has(k) {
			p.fatalAt(r, "duplicate ValueType entry for HwMode "+m.Name+": "+objs[i].Name)
		}
		one(k, objs[i])
	}
	slices.SortFunc(v.by, func(a, b modeVT) int { return cmp.Compare(a.mode, b.mode) })
	return v
}

// readRegisters reads register classes: their types and those of registers.
func (p *Set) readRegisters() {
	p.classVTs, p.regVTs = map[*tablegen.Record][]vtByMode{}, map[*tablegen.Record][]vtByMode{}
	for _, r := range p.rs.DerivedFrom("Register") {
		for _, t := range r.DefList("RegTypes") { // of facts, whose classes need not be records
			p.regVTs[r] = append(p.regVTs[r], p.vtOf(t))
		}
	}
	sets := p.rs.Sets(map[string]string{"RegisterClass": "MemberList"})
	for _, r := range p.rs.DerivedFrom("RegisterClass") {
		var l []vtByMode
		for _, t := range r.DefList("RegTypes") {
			v := p.vtOf(t)
			l = append(l, v)
			for _, x := range v.by {
				p.legal.add(x.vt)
			}
		}
		p.classVTs[r] = l
		// Classes of synthesised registers (RegisterTuples) have members that
		// are no records; patterns cannot name those.
		members, err := sets.Eval(r.Value("MemberList"), r.Loc)
		if err != nil {
			continue
		}
		for _, m := range members {
			for _, v := range l {
				if !slices.ContainsFunc(p.regVTs[m], func(o vtByMode) bool { return slices.Equal(o.by, v.by) }) {
					p.regVTs[m] = append(p.regVTs[m], v)
				}
			}
		}
	}
}

// classTypes gives the types that a register class, possibly one that depends
// on the mode, holds.
func (p *Set) classTypes(r *tablegen.Record, pat *treePattern) TypeSet {
	if !r.IsSubClassOf("RegClassByHwMode") {
		return setOf(p.classVTs[r]...)
	}
	var s TypeSet
	objs := r.DefList("Objects")
	seen := map[Mode]bool{}
	for i, m := range r.DefList("Modes") {
		if i >= len(objs) {
			break
		}
		k := p.modeOf(m)
		if seen[k] {
			p.fatalAt(r, "duplicate RegisterClass entry for HwMode "+m.Name+": "+objs[i].Name)
			return s
		}
		seen[k] = true
		for j, v := range p.classVTs[objs[i]] {
			if t, ok := p.resolve(v, k); ok {
				s.at0(k).add(t)
				continue
			}
			name := "DefaultMode"
			if k != 0 {
				name = p.modes[k].Name
			}
			if p.dead {
				return s
			}
			p.errorAt(r, "Could not resolve VT for Mode "+name)
			n := len(p.errs)
			if ty := objs[i].DefList("RegTypes"); j < len(ty) {
				p.errs = append(p.errs, p.note(ty[j], "ValueTypeByHwMode "+ty[j].Name+" defined here"))
			}
			p.errs = append(p.errs, p.note(pat.rec, "pattern instantiated here"))
			p.dead = len(p.errs) > n
			return s
		}
	}
	return s
}

func (p *Set) note(r *tablegen.Record, msg string) *diag.Diagnostic {
	d := p.rs.ErrorsAt(nil, r.Loc, msg)[0]
	d.Severity = diag.Note
	return d
}

// resolve gives the type of a mode.
func (p *Set) resolve(v vtByMode, m Mode) (VT, bool) {
	def := VT(-1)
	for _, x := range v.by {
		if x.mode == m {
			return x.vt, true
		}
		if x.mode == 0 {
			def = x.vt
		}
	}
	return def, def >= 0
}

var properties = []struct {
	name string
	bit  Property
}{
	{"SDNPCommutative", Commutative}, {"SDNPAssociative", Associative}, {"SDNPHasChain", HasChain}, {"SDNPOutGlue", OutGlue},
	{"SDNPInGlue", InGlue}, {"SDNPOptInGlue", OptInGlue}, {"SDNPMayStore", MayStore}, {"SDNPMayLoad", MayLoad},
	{"SDNPSideEffect", SideEffect}, {"SDNPMemOperand", MemOperand}, {"SDNPVariadic", Variadic},
	{"SDNPWantRoot", wantsRoot}, {"SDNPWantParent", wantsParent},
}

func (p *Set) properties(r *tablegen.Record) (out Property) {
	for _, d := range r.DefList("Properties") {
		found := false
		for _, x := range properties {
			if x.name == d.Name {
				out |= x.bit
				found = true
			}
		}
		if !found {
			p.fatalAt(r, "Unsupported SD Node property '"+d.Name+"' on node '"+r.Name+"'!")
		}
	}
	return out
}

func (p *Set) readNode(r *tablegen.Record) {
	n := &NodeInfo{Record: r, Opcode: r.String("Opcode"), Props: p.properties(r)}
	p.nodes[r] = n
	prof := r.DefField("TypeProfile")
	if prof == nil {
		return
	}
	n.NumResults, n.NumOperands = int(prof.Int("NumResults")), int(prof.Int("NumOperands"))
	for _, c := range prof.DefList("Constraints") {
		x := constraint{op: int(c.Int("OperandNum"))}
		switch {
		case c.IsSubClassOf("SDTCisVT"):
			x.kind, x.vt = cVT, p.vtOf(c.DefField("VT"))
			for _, v := range x.vt.by {
				if p.types.info[v.vt].name == "isVoid" {
					p.fatalAt(c, "Cannot use 'Void' as type to SDTCisVT")
				}
			}
		case c.IsSubClassOf("SDTCisPtrTy"):
			x.kind = cPtr
		case c.IsSubClassOf("SDTCisInt"):
			x.kind = cInt
		case c.IsSubClassOf("SDTCisFP"):
			x.kind = cFP
		case c.IsSubClassOf("SDTCisVec"):
			x.kind = cVec
		case c.IsSubClassOf("SDTCisSameAs"):
			x.kind, x.other = cSame, int(c.Int("OtherOperandNum"))
		case c.IsSubClassOf("SDTCisVTSmallerThanOp"):
			x.kind, x.other = cVTSmaller, int(c.Int("OtherOperandNum"))
		case c.IsSubClassOf("SDTCisOpSmallerThanOp"):
			x.kind, x.other = cSmaller, int(c.Int("BigOperandNum"))
		case c.IsSubClassOf("SDTCisEltOfVec"):
			x.kind, x.other = cElt, int(c.Int("OtherOpNum"))
		case c.IsSubClassOf("SDTCisSubVecOfVec"):
			x.kind, x.other = cSub, int(c.Int("OtherOpNum"))
		case c.IsSubClassOf("SDTCVecEltisVT"):
			x.kind, x.vt = cVecElt, p.vtOf(c.DefField("VT"))
		case c.IsSubClassOf("SDTCisSameNumEltsAs"):
			x.kind, x.other = cSameLanes, int(c.Int("OtherOperandNum"))
		case c.IsSubClassOf("SDTCisSameSizeAs"):
			x.kind, x.other = cSameSize, int(c.Int("OtherOperandNum"))
		default:
			p.fatalAt(c, "Unrecognized SDTypeConstraint '"+c.Name+"'!")
		}
		n.constraints = append(n.constraints, x)
	}
}

func (p *Set) readComplex(r *tablegen.Record) {
	c := &Complex{Record: r, NumOperands: int(r.Int("NumOperands")), Func: r.String("SelectFunc"), Roots: r.DefList("RootNodes"),
		Props: p.properties(r), Complexity: int(r.Int("Complexity")), vt: p.vtOf(r.DefField("Ty"))}
	if c.Complexity == -1 {
		c.Complexity = 3 * c.NumOperands
	}
	if r.Bit("WantsRoot") {
		c.Props |= wantsRoot
	}
	if r.Bit("WantsParent") {
		c.Props |= wantsParent
	}
	p.complexes[r] = c
}

// inst reads operands and implicit definitions of an instruction.
func (p *Set) inst(r *tablegen.Record) *Inst {
	if i := p.insts[r]; i != nil {
		return i
	}
	i := &Inst{Record: r, ImplicitDefs: r.DefList("Defs"), Flat: r.Bit("FlatOperands")}
	p.insts[r] = i
	outs, ins := r.Dag("OutOperandList"), r.Dag("InOperandList")
	seen := map[string]bool{}
	for k, d := range []*tablegen.DagInit{outs, ins} {
		if d == nil {
			continue
		}
		for j, a := range d.Args {
			def, _ := a.(*tablegen.DefInit)
			if sub, ok := a.(*tablegen.DagInit); ok { // (Operand:$name sub-operand names)
				def, _ = sub.Op.(*tablegen.DefInit)
			}
			if def == nil {
				p.fatalAt(r, "Illegal operand for the '"+r.Name+"' instruction!")
				return i
			}
			if def.Rec.Name == "variable_ops" {
				i.Variadic = true
				continue
			}
			if n := d.ArgNames[j]; n != "" {
				if seen[n] {
					p.fatalAt(r, "In instruction '"+r.Name+"', operand #"+itoa(len(i.Operands))+" has the same name as a previous operand!")
				}
				seen[n] = true
			}
			i.Operands = append(i.Operands, Operand{d.ArgNames[j], def.Rec})
		}
		if k == 0 {
			i.NumDefs = len(i.Operands)
		}
	}
	i.NumResults = i.NumDefs
	for _, o := range i.Operands[:i.NumDefs] {
		i.results = append(i.results, o.Rec)
	}
	return i
}

// implicitVT is the type of the first implicit definition when there is one
// type only.
func (p *Set) implicitVT(i *Inst) (VT, bool) {
	if len(i.ImplicitDefs) == 0 {
		return 0, false
	}
	l := p.regVTs[i.ImplicitDefs[0]]
	if len(l) != 1 {
		return 0, false
	}
	return l[0].simple()
}

// readIntrinsics numbers the intrinsics in LLVM's order.
func (p *Set) readIntrinsics() {
	l := slices.Clone(p.rs.DerivedFrom("Intrinsic"))
	name := func(r *tablegen.Record) string {
		if n := r.String("LLVMName"); n != "" {
			return n
		}
		b := []byte("llvm." + trimPrefix(r.Name, "int_"))
		for i := 5; i < len(b); i++ {
			if b[i] == '_' {
				b[i] = '.'
			}
		}
		return string(b)
	}
	names := make(map[*tablegen.Record]string, len(l))
	for _, r := range l {
		names[r] = name(r)
	}
	slices.SortStableFunc(l, func(a, b *tablegen.Record) int {
		return cmp.Or(cmp.Compare(a.String("TargetPrefix"), b.String("TargetPrefix")), cmp.Compare(names[a], names[b]))
	})
	p.intrinsicList = make([]*Intrinsic, len(l))
	for n, r := range l {
		x := &Intrinsic{Record: r, Name: names[r], ID: n + 1, Props: p.properties(r)}
		nrets := len(r.List("RetTypes"))
		info := r.DefField("TypeInfo")
		if info == nil {
			continue
		}
		for k, t := range info.DefList("Types") {
			vt := VT(-1)
			if d := t.DefField("VT"); d != nil {
				if v, ok := p.types.byName[d.String("LLVMName")]; ok {
					vt = v
				}
			}
			if k < nrets {
				x.rets = append(x.rets, vt)
			} else {
				x.params = append(x.params, vt)
			}
		}
		x.reads, x.writes, x.unknownMem = true, true, true
		for _, q := range r.DefList("IntrProperties") {
			switch q.Name {
			case "IntrNoMem":
				x.noMem = true
				x.reads, x.writes, x.unknownMem = false, false, false
			case "IntrReadMem":
				x.writes, x.unknownMem = false, false
			case "IntrWriteMem":
				x.reads, x.unknownMem = false, false
			case "IntrArgMemOnly", "IntrInaccessibleMemOnly", "IntrInaccessibleMemOrArgMemOnly":
				x.unknownMem = false
			case "IntrHasSideEffects":
				x.sideEffects = true
			case "Commutative":
				x.commutative = true
			}
		}
		if x.sideEffects {
			x.noMem = false
		}
		p.intrinsics[r] = x
		p.intrinsicList[n] = x
	}
}

// Node returns the SDNode of a record, nil for others.
func (p *Set) Node(r *tablegen.Record) *NodeInfo { return p.nodes[r] }

// Inst returns the instruction of a record, nil for others.
func (p *Set) Inst(r *tablegen.Record) *Inst { return p.insts[r] }

// IntrinsicByID returns the intrinsic that a number in a pattern stands for.
func (p *Set) IntrinsicByID(id int64) *Intrinsic {
	if id < 1 || id > int64(len(p.intrinsicList)) {
		return nil
	}
	return p.intrinsicList[id-1]
}

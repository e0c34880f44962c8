package debugify

import (
	"strconv"

	"github.com/mirin-go/mirin/ir"
)

// maker makes the debug information of one module. Nodes that are equal are one,
// as in LLVM, whose numbers output shows.
type maker struct {
	*ir.DIBuilder
	m        *ir.Module
	layout   *ir.DataLayout
	file     ir.MDID
	unit     ir.MDID
	types    ir.MDID // of the list of a subroutine's types, which is empty
	sizes    map[uint64]ir.MDID
	numbers  map[uint64]ir.MDID // of lists of one number
	line     int                // the next instruction's
	variable int                // the number, and name, of the next variable
	named    uint64             // how many variables DBG_VALUEs name, in all machine functions
}

const flagName = "Debug Info Version"

// newMaker returns a maker for a module without debug information.
func newMaker(m *ir.Module) (*maker, error) {
	k := &maker{DIBuilder: ir.NewDIBuilder(m), m: m, sizes: map[uint64]ir.MDID{}, numbers: map[uint64]ir.MDID{}, line: 1, variable: 1}
	var err error
	if k.layout, err = ir.ParseDataLayout(m.DataLayout); err != nil {
		return nil, err
	}
	for id, n := range m.MD.Nodes() {
		if n.Kind == ir.MDTuple && !n.Distinct && len(n.Ops) == 1 {
			if v, ok := number(m, n.Ops[0]); ok && k.numbers[v] == 0 {
				k.numbers[v] = id
			}
		}
	}
	k.Reuse()
	k.file = k.File(m.Name, "/")
	k.unit = m.MD.Add(&ir.MDNode{Kind: ir.MDSpecialized, Str: "DICompileUnit", Distinct: true, Fields: []ir.MDField{
		word("language", "DW_LANG_C"), ref("file", k.file), text("producer", "debugify"), {Name: "isOptimized", Kind: ir.MDFieldBool, Int: 1},
		num("runtimeVersion", 0), word("emissionKind", "FullDebug")}})
	k.types = k.Tuple()
	m.AppendNamedMD("llvm.dbg.cu", k.unit)
	return k, nil
}

func word(name, s string) ir.MDField { return ir.MDField{Name: name, Kind: ir.MDFieldWord, Str: s} }
func text(name, s string) ir.MDField { return ir.MDField{Name: name, Kind: ir.MDFieldString, Str: s} }
func ref(name string, id ir.MDID) ir.MDField {
	return ir.MDField{Name: name, Kind: ir.MDFieldNode, Node: id}
}
func num(name string, n int) ir.MDField {
	return ir.MDField{Name: name, Kind: ir.MDFieldInt, Int: uint64(n)}
}

// number reads a node that is a constant integer.
func number(m *ir.Module, id ir.MDID) (uint64, bool) {
	n := m.MD.At(id)
	if n == nil || n.Kind != ir.MDConst || n.Value.Tag() != ir.TagConst || n.Type != ir.Int32 {
		return 0, false
	}
	c := m.Consts.At(n.Value.Const())
	return c.Bits, c.Kind == ir.ConstInt
}

func (k *maker) constant(v uint64) ir.MDID {
	return k.m.MD.Add(&ir.MDNode{Kind: ir.MDConst, Type: ir.Int32, Value: ir.ConstVal(k.m.Consts.Int(ir.Int32, v))})
}

// numberList is a list of one number.
func (k *maker) numberList(v uint64) ir.MDID {
	id := k.numbers[v]
	if id == 0 {
		id = k.Tuple(k.constant(v))
		k.numbers[v] = id
	}
	return id
}

// isSkipped reports a function whose definition need not be the one that runs.
func isSkipped(m *ir.Module, g *ir.Global) bool {
	switch g.Linkage {
	case ir.External, ir.Internal, ir.Private, ir.Appending:
	default:
		return true
	}
	return g.Func == nil || m.Attrs.At(g.Attrs).Fn.Has("nobuiltin")
}

// function gives a body a subprogram, each instruction a line of its own and each
// value a variable. It returns the subprogram, whose line is that of the first instruction.
func (k *maker) function(g *ir.Global, f *ir.Function) (sp ir.MDID, line int) {
	flags := "DISPFlagDefinition | DISPFlagOptimized"
	if g.HasLocalLinkage() {
		flags = "DISPFlagLocalToUnit | " + flags
	}
	line = k.line
	t := k.Node("DISubroutineType", ref("types", k.types))
	node := &ir.MDNode{Kind: ir.MDSpecialized, Str: "DISubprogram", Distinct: true, Fields: []ir.MDField{
		text("name", g.Name), text("linkageName", g.Name), ref("scope", 0), ref("file", k.file), num("line", line),
		ref("type", t), num("scopeLine", line), word("spFlags", flags), ref("unit", k.unit)}}
	sp = k.m.MD.Add(node)
	g.MD = append(g.MD, ir.Attachment{Node: sp})
	var vars []ir.MDID
	b := ir.NewBuilder(f)
	value := func(i, before ir.InstrID) {
		v := ir.Local(i)
		if f.Instrs[i].Type == ir.Void {
			v = ir.ConstVal(f.Consts.Int(ir.Int32, 0))
		}
		loc := f.Instrs[i].Loc
		at, _ := k.m.MD.Location(loc)
		vars = append(vars, k.Variable(sp, strconv.Itoa(k.variable), 0, k.file, int(at.Line), k.sizeType(b.TypeOf(v))))
		k.variable++
		b.SetBefore(before)
		k.Value(b, v, vars[len(vars)-1], loc)
	}
	for _, blk := range f.Order {
		last := terminating(f, blk)
		for i := f.Blocks[blk].First; i != 0; i = f.Instrs[i].Next {
			f.Instrs[i].Loc = k.Location(k.line, 1, sp)
			k.line++
		}
		first := f.Blocks[blk].First
		if isEHPad(f, blk) {
			continue
		}
		for first != 0 && f.Instrs[first].Op == ir.OpPhi {
			first = f.Instrs[first].Next
		}
		for i := f.Blocks[blk].First; i != last; i = f.Instrs[i].Next {
			if f.Instrs[i].Type == ir.Void {
				continue
			}
			at := first
			if f.Instrs[i].Op != ir.OpPhi {
				at = f.Instrs[i].Next
			}
			value(i, at)
		}
	}
	if len(vars) == 0 {
		last := terminating(f, f.Order[0])
		value(last, last)
	}
	node.Fields = append(node.Fields, ref("retainedNodes", k.Tuple(vars...)))
	return sp, line
}

// sizeType is the type of all values of a size.
func (k *maker) sizeType(t ir.Type) ir.MDID {
	bits := 8 * k.layout.AllocSize(k.m.Types, t)
	id := k.sizes[bits]
	if id == 0 {
		id = k.BasicType("ty"+strconv.FormatUint(bits, 10), bits, "DW_ATE_unsigned")
		k.sizes[bits] = id
	}
	return id
}

// terminating returns the instruction behind which there are no values to name:
// the terminator, or the call in front of it that ends the function.
func terminating(f *ir.Function, b ir.BlockID) ir.InstrID {
	last := f.Blocks[b].Last
	ret := f.Instrs[last]
	if ret.Op != ir.OpRet || ret.Prev == 0 {
		return last
	}
	i := ret.Prev
	if f.Instrs[i].Op == ir.OpBitCast && f.Instrs[i].Prev != 0 {
		i = f.Instrs[i].Prev // of the result, in front of the return
	}
	if in := &f.Instrs[i]; in.Op == ir.OpCall && (in.Flags&ir.MustTail == ir.MustTail || f.IntrinsicOf(i) == ir.IntrExperimentalDeoptimize) {
		return i
	}
	return last
}

// isEHPad reports a block that begins, behind its PHIs, with a pad.
func isEHPad(f *ir.Function, b ir.BlockID) bool {
	for i := f.Blocks[b].First; i != 0; i = f.Instrs[i].Next {
		switch f.Instrs[i].Op {
		case ir.OpPhi:
			continue
		case ir.OpLandingPad, ir.OpCatchSwitch, ir.OpCatchPad, ir.OpCleanupPad:
			return true
		}
		return false
	}
	return false
}

// finish says in the module how many lines and variables there are, and which
// version of debug information it is.
func (k *maker) finish() {
	k.m.AppendNamedMD("llvm.debugify", k.numberList(uint64(k.line-1)), k.numberList(uint64(k.variable-1)))
	for _, l := range k.m.NamedMD {
		if l.Name != "llvm.module.flags" {
			continue
		}
		for _, id := range l.Nodes {
			if isVersionFlag(k.m, id) {
				return
			}
		}
	}
	key := k.m.MD.Add(&ir.MDNode{Kind: ir.MDString, Str: flagName})
	k.m.AppendNamedMD("llvm.module.flags", k.Tuple(k.constant(2), key, k.constant(3)))
}

// isVersionFlag reports the module flag that debug information needs.
func isVersionFlag(m *ir.Module, id ir.MDID) bool {
	n := m.MD.At(id)
	if n == nil || len(n.Ops) != 3 {
		return false
	}
	key := m.MD.At(n.Ops[1])
	return key != nil && key.Kind == ir.MDString && key.Str == flagName
}

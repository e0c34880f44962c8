package include

import (
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/tablegen"
)

// Facts gives a tablegen.Options.LazyDef for descriptions of a target that
// facts know: its instructions, registers, register classes and sub-register
// indices and the value types are definitions, each of the class of its kind
// where the description has that class, with the fields of mirin/Target.td (or
// LLVM's). What facts do not know is left at its default; operands stand one by
// one and without names, as machine instructions have them.
func Facts(facts *desc.Info) func(rs *tablegen.Records, name string) tablegen.LazyRecord {
	f := factRecords{facts}
	return f.record
}

// factRecords makes records of facts.
type factRecords struct{ in *desc.Info }

func (f factRecords) record(rs *tablegen.Records, name string) tablegen.LazyRecord {
	in := f.in
	if op, ok := in.OpcodeByName(name); ok {
		return f.instruction(rs, op)
	}
	if r, ok := in.RegByName(strings.ToLower(name)); ok && in.RegName(r) == name {
		return f.register(rs, r)
	}
	if c, ok := in.RegClassByName(strings.ToLower(name)); ok && in.RegClassName(c) == name {
		return f.class(rs, c)
	}
	if i, ok := in.SubRegIndexByName(name); ok {
		d := &in.SubRegIndices[i]
		return tablegen.LazyRecord{Class: "SubRegIndex", Args: []tablegen.Init{bits(d.Size), bits(d.Offset)}}
	}
	if _, ok := desc.MVTByName(name); ok {
		return tablegen.LazyRecord{Class: "ValueType"}
	}
	return tablegen.LazyRecord{}
}

// bits is a size or an offset of a sub-register index: -1 where it has none.
func bits(n uint16) tablegen.Init {
	if n == desc.NoBits {
		return tablegen.NewInt(-1)
	}
	return tablegen.NewInt(int64(n))
}

// has reports whether a class is there and has a field: descriptions that only
// name instructions and registers declare classes without any.
func has(rs *tablegen.Records, class, field string) bool {
	c := rs.Class(class)
	return c != nil && c.HasField(field)
}

// list makes a list of definitions of a class.
func list(rs *tablegen.Records, class string, names []string) tablegen.Init {
	var elems []tablegen.Init
	for _, n := range names {
		if r := rs.Def(n); r != nil && r.IsSubClassOf(class) {
			elems = append(elems, r.DefInit())
		}
	}
	return tablegen.NewList(rs.Class(class).Type(), elems)
}

func (f factRecords) instruction(rs *tablegen.Records, op desc.Opcode) tablegen.LazyRecord {
	l := tablegen.LazyRecord{Class: "Instruction"}
	outs, ins := rs.Def("outs"), rs.Def("ins")
	if !has(rs, l.Class, "InOperandList") || outs == nil || ins == nil {
		return l
	}
	in, d := f.in, f.in.Instr(op)
	var args [2][]tablegen.Init
	for i := range int(d.NumOperands) {
		name := "anyimm"
		if c := in.OperandClass(op, i, in.DefaultMode); c != desc.NoClass {
			name = in.RegClassName(c)
		}
		k := 1
		if i < int(d.NumDefs) {
			k = 0
		}
		if r := rs.Def(name); r != nil {
			args[k] = append(args[k], r.DefInit())
		}
	}
	if v := rs.Def("variable_ops"); d.IsVariadic() && v != nil {
		args[1] = append(args[1], v.DefInit())
	}
	set := func(name string, v tablegen.Init) {
		l.Fields = append(l.Fields, tablegen.LazyField{Name: name, Value: v})
	}
	set("Namespace", tablegen.NewString(in.Target))
	set("OutOperandList", tablegen.NewDag(outs.DefInit(), args[0], make([]string, len(args[0]))))
	set("InOperandList", tablegen.NewDag(ins.DefInit(), args[1], make([]string, len(args[1]))))
	set("FlatOperands", tablegen.NewBit(true))
	set("Uses", list(rs, "Register", f.regNames(in.ImplicitUses(op))))
	set("Defs", list(rs, "Register", f.regNames(in.ImplicitDefs(op))))
	set("Size", tablegen.NewInt(int64(d.Size)))
	for _, x := range instrBits {
		set(x.field, tablegen.NewBit(d.Has(x.flag)))
	}
	return l
}

// instrBits are the flags that are bits of class Instruction.
var instrBits = []struct {
	field string
	flag  desc.InstrFlags
}{
	{"isReturn", desc.Return}, {"isEHScopeReturn", desc.EHScopeReturn}, {"isCall", desc.Call}, {"isBarrier", desc.Barrier}, {"isTerminator", desc.Terminator},
	{"isBranch", desc.Branch}, {"isIndirectBranch", desc.IndirectBranch}, {"isCompare", desc.Compare}, {"isMoveImm", desc.MoveImm}, {"isMoveReg", desc.MoveReg},
	{"isBitcast", desc.Bitcast}, {"isSelect", desc.Select}, {"hasDelaySlot", desc.DelaySlot}, {"canFoldAsLoad", desc.FoldableAsLoad}, {"mayLoad", desc.MayLoad},
	{"mayStore", desc.MayStore}, {"mayRaiseFPException", desc.MayRaiseFPException}, {"isPredicable", desc.Predicable}, {"isNotDuplicable", desc.NotDuplicable},
	{"hasSideEffects", desc.UnmodeledSideEffects}, {"isCommutable", desc.Commutable}, {"isConvertibleToThreeAddress", desc.ConvertibleTo3Addr},
	{"usesCustomInserter", desc.UsesCustomInserter}, {"hasPostISelHook", desc.HasPostISelHook}, {"isReMaterializable", desc.Rematerializable},
	{"isAsCheapAsAMove", desc.CheapAsAMove}, {"isConvergent", desc.Convergent}, {"isAdd", desc.Add}, {"isTrap", desc.Trap}, {"isPseudo", desc.Pseudo}, {"isMeta", desc.Meta},
}

func (f factRecords) regNames(regs []desc.PhysReg) (names []string) {
	for _, r := range regs {
		names = append(names, f.in.RegName(r))
	}
	return names
}

func (f factRecords) register(rs *tablegen.Records, r desc.PhysReg) tablegen.LazyRecord {
	in := f.in
	l := tablegen.LazyRecord{Class: "Register", Args: []tablegen.Init{tablegen.NewString(strings.ToLower(in.RegName(r)))}}
	if !has(rs, l.Class, "RegTypes") {
		return l
	}
	// The classes that hold it need not be records: it has their types itself.
	var names []string
	seen := map[desc.MVT]bool{}
	for c := range in.Classes {
		if !in.ClassContains(desc.ClassID(c), r) {
			continue
		}
		for _, t := range in.ClassTypes(desc.ClassID(c), in.DefaultMode) {
			if !seen[t] {
				seen[t] = true
				names = append(names, typeName(t))
			}
		}
	}
	l.Fields = []tablegen.LazyField{{Name: "Namespace", Value: tablegen.NewString(in.Target)}, {Name: "RegTypes", Value: list(rs, "ValueType", names)}}
	return l
}

// typeName is the name of the record of a value type.
func typeName(t desc.MVT) string {
	switch n := t.String(); n {
	case "Untyped":
		return "untyped"
	case "Other":
		return "OtherVT"
	default:
		return n
	}
}

func (f factRecords) class(rs *tablegen.Records, c desc.ClassID) tablegen.LazyRecord {
	in := f.in
	l := tablegen.LazyRecord{Class: "RegisterClass"}
	if !has(rs, l.Class, "RegTypes") {
		return l
	}
	d := &in.Classes[c]
	size := in.ClassSize(c, in.DefaultMode)
	var names []string
	for _, t := range in.ClassTypes(c, in.DefaultMode) {
		names = append(names, typeName(t))
	}
	add := rs.Def("add")
	if add == nil {
		return l
	}
	// Members are left out: facts know them, and patterns do not ask.
	l.Args = []tablegen.Init{tablegen.NewString(in.Target), list(rs, "ValueType", names), tablegen.NewInt(int64(size.SpillAlign) * 8),
		tablegen.NewDag(add.DefInit(), nil, nil)}
	l.Fields = []tablegen.LazyField{{Name: "Size", Value: tablegen.NewInt(int64(size.RegSize))}, {Name: "CopyCost", Value: tablegen.NewInt(int64(d.CopyCost))},
		{Name: "isAllocatable", Value: tablegen.NewBit(d.Flags&desc.ClassAllocatable != 0)}}
	return l
}

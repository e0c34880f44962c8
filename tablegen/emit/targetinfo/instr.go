package targetinfo

import (
	"slices"
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/facts"
	"github.com/mirin-go/mirin/tablegen"
)

// Instr is an instruction with its operands as the records say them.
type Instr struct {
	// Rec is the record, nil for an opcode that all targets share and the
	// description does not mention.
	Rec  *tablegen.Record
	Name string
	// Groups are the operands as written in (outs …) and (ins …), Ops the parts
	// of them in the order of the machine instruction.
	Groups []Group
	Ops    []Operand
	// NumDefs is the number of leading Ops that are results.
	NumDefs  int
	Variadic bool
	Flags    desc.InstrFlags
	Sched    int // scheduling class

	hasOptionalDef, predicable bool
	unset                      unsetFlags
	inferred                   *tablegen.Record // pattern that flags come from
}

// Group is an operand as written.
type Group struct {
	Name  string
	Def   *tablegen.Record // RegisterClass, RegisterOperand, Operand, …
	First int              // in Instr.Ops
	Num   int
	IsDef bool
}

// Operand is one operand of the machine instruction.
type Operand struct {
	// Name is the operand's own, or GROUP.PART for a part of several, or the name
	// that an instruction gives a part: (MemOp $base, $off):$addr.
	Name  string
	Part  string           // name within the group's MIOperandInfo
	Def   *tablegen.Record // of the part
	Group int
	// TiedTo is the operand that it must equal, -1 for none.
	TiedTo       int
	EarlyClobber bool
}

// Find finds an operand by name: the first part of a group, or a part.
func (in *Instr) Find(name string) (int, bool) {
	if name == "" {
		return 0, false
	}
	for _, g := range in.Groups {
		if g.Name == name && g.Num > 0 {
			return g.First, true
		}
	}
	for k := range in.Ops {
		o := &in.Ops[k]
		if o.Name == name || o.Part != "" && in.Groups[o.Group].Name+"."+o.Part == name {
			return k, true
		}
	}
	return 0, false
}

// FindGroup finds an operand as written by name, nil for none.
func (in *Instr) FindGroup(name string) *Group {
	for k := range in.Groups {
		if in.Groups[k].Name == name {
			return &in.Groups[k]
		}
	}
	return nil
}

// readInstrs numbers the instructions and reads their operands.
func (b *builder) readInstrs() {
	common := facts.BPF
	shared, err := common()
	if err != nil {
		b.failWith(nil, err)
		return
	}
	special := map[*tablegen.Record]*tablegen.Record{}
	var own []*tablegen.Record
	for _, r := range b.derived("Instruction") {
		if r.IsSubClassOf("TargetSpecializedStandardPseudoInstruction") {
			if base := r.DefField("Instruction"); base != nil {
				special[base] = r
				continue
			}
		}
		if r.String("Namespace") != "TargetOpcode" {
			own = append(own, r)
		}
	}
	for op := range desc.FirstTargetOpcode {
		name := shared.OpcodeName(op)
		rec := b.rs.Def(name)
		if rec != nil && !rec.IsSubClassOf("Instruction") {
			rec = nil
		}
		if rec != nil && rec.IsSubClassOf("SharedOpcode") { // it is only named
			b.t.byRec[rec] = op
			rec = nil
		}
		if s := special[rec]; rec != nil && s != nil {
			rec = s
		}
		b.addInstr(rec, name)
	}
	b.sortInstrs(own)
	if total := len(own) + int(desc.FirstTargetOpcode); total >= 1<<16-1 {
		b.fail(own[0], "", "%d instructions are more than a target can have", total)
		return
	}
	for _, r := range own {
		b.addInstr(r, r.Name)
		if ns := r.String("Namespace"); b.t.Namespace == "" && ns != "" {
			b.t.Namespace = ns
		}
	}
	for i := range b.t.Instrs {
		in := &b.t.Instrs[i]
		if in.Rec != nil {
			b.operands(in)
		}
	}
}

// sortInstrs orders the target's instructions: pseudo instructions, then the
// others, by name. (HasPositionOrder is a matter of the assembly matcher.)
func (b *builder) sortInstrs(l []*tablegen.Record) {
	slices.SortStableFunc(l, func(x, y *tablegen.Record) int {
		px, py := x.Bit("isPseudo"), y.Bit("isPseudo")
		if px != py {
			if px {
				return -1
			}
			return 1
		}
		return strings.Compare(x.Name, y.Name)
	})
}

func (b *builder) addInstr(r *tablegen.Record, name string) {
	op := desc.Opcode(len(b.t.Instrs))
	b.t.Instrs = append(b.t.Instrs, Instr{Rec: r, Name: name})
	if r != nil {
		b.t.byRec[r] = op
	}
}

// operands reads the operand lists of an instruction.
func (b *builder) operands(in *Instr) {
	for k, field := range [...]string{"OutOperandList", "InOperandList"} {
		d := in.Rec.Dag(field)
		if d == nil {
			b.fail(in.Rec, field, "instruction '%s' has no %s", in.Name, field)
			return
		}
		for n, a := range d.Args {
			b.operand(in, field, a, d.ArgNames[n], k == 0)
		}
		if k == 0 {
			in.NumDefs = len(in.Ops)
		}
	}
	seen := map[string]bool{}
	for _, g := range in.Groups {
		if seen[g.Name] && g.Name != "" {
			b.fail(in.Rec, "InOperandList", "instruction '%s' has two operands with the name '%s'", in.Name, g.Name)
		}
		seen[g.Name] = true
	}
	b.constraints(in)
}

// operand adds one operand as written.
func (b *builder) operand(in *Instr, field string, a tablegen.Init, name string, isDef bool) {
	var def *tablegen.Record
	var explicit []string
	switch a := a.(type) {
	case *tablegen.DefInit:
		def = a.Rec
	case *tablegen.DagInit:
		op, ok := a.Op.(*tablegen.DefInit)
		if !ok {
			b.fail(in.Rec, field, "operand '%s' of '%s': the operator of its dag is no record", name, in.Name)
			return
		}
		def, explicit = op.Rec, a.ArgNames
	default:
		b.fail(in.Rec, field, "operand '%s' of '%s' is no record", name, in.Name)
		return
	}
	switch {
	case def.Name == "variable_ops":
		in.Variadic = true
		return
	case def.IsSubClassOf("PredicateOp"):
		in.predicable = true
	case def.IsSubClassOf("OptionalDefOperand"):
		in.hasOptionalDef = true
	}
	if !b.isOperandClass(def) {
		b.fail(in.Rec, field, "operand '%s' of '%s': '%s' is no register class, register operand or operand", name, in.Name, def.Name)
		return
	}
	g := Group{Name: name, Def: def, First: len(in.Ops), IsDef: isDef, Num: 1}
	sub := def.Dag("MIOperandInfo")
	if sub == nil || len(sub.Args) == 0 {
		if len(explicit) > 0 {
			b.fail(in.Rec, field, "operand '%s' of '%s' has no parts", name, in.Name)
			return
		}
		in.Ops = append(in.Ops, Operand{Name: name, Def: def, Group: len(in.Groups), TiedTo: -1})
		in.Groups = append(in.Groups, g)
		return
	}
	if len(explicit) > 0 && len(explicit) != len(sub.Args) {
		b.fail(in.Rec, field, "operand '%s' of '%s' names %d parts of %d", name, in.Name, len(explicit), len(sub.Args))
		return
	}
	g.Num = len(sub.Args)
	for n, x := range sub.Args {
		part, ok := x.(*tablegen.DefInit)
		if !ok {
			b.fail(def, "MIOperandInfo", "part %d of operand '%s' is no record", n, def.Name)
			return
		}
		o := Operand{Part: sub.ArgNames[n], Def: part.Rec, Group: len(in.Groups), TiedTo: -1, Name: name + "." + sub.ArgNames[n]}
		if len(explicit) > 0 && explicit[n] != "" {
			o.Name = explicit[n]
		}
		in.Ops = append(in.Ops, o)
	}
	in.Groups = append(in.Groups, g)
}

func (b *builder) isOperandClass(r *tablegen.Record) bool {
	for _, c := range [...]string{"RegisterClassLike", "RegisterClass", "RegisterOperand", "Operand", "PointerLikeRegClass", "RegClassByHwMode", "unknown_class"} {
		if r.IsSubClassOf(c) {
			return true
		}
	}
	return false
}

// constraints reads "$src = $dst, @earlyclobber $x".
func (b *builder) constraints(in *Instr) {
	find := func(word, all string) (int, bool) {
		name, ok := strings.CutPrefix(strings.TrimSpace(word), "$")
		k, found := in.Find(name)
		if !ok || !found {
			b.fail(in.Rec, "Constraints", "constraint '%s' of '%s' names no operand", strings.TrimSpace(all), in.Name)
		}
		return k, ok && found
	}
	for _, c := range strings.Split(in.Rec.String("Constraints"), ",") {
		if strings.TrimSpace(c) == "" {
			continue
		}
		if word, ok := strings.CutPrefix(strings.TrimSpace(c), "@earlyclobber"); ok {
			if k, ok := find(word, c); ok {
				in.Ops[k].EarlyClobber = true
			}
			continue
		}
		l, r, ok := strings.Cut(c, "=")
		if !ok {
			b.fail(in.Rec, "Constraints", "constraint '%s' of '%s' is neither '$a = $b' nor '@earlyclobber $a'", strings.TrimSpace(c), in.Name)
			continue
		}
		x, ok1 := find(l, c)
		y, ok2 := find(r, c)
		if !ok1 || !ok2 {
			continue
		}
		def, use := min(x, y), max(x, y)
		switch {
		case def == use:
			b.fail(in.Rec, "Constraints", "constraint '%s' of '%s' ties an operand to itself", strings.TrimSpace(c), in.Name)
		case def >= in.NumDefs || use < in.NumDefs:
			b.fail(in.Rec, "Constraints", "constraint '%s' of '%s' must tie an input to an output", strings.TrimSpace(c), in.Name)
		case in.Ops[use].TiedTo >= 0:
			b.fail(in.Rec, "Constraints", "operand '%s' of '%s' is tied twice", in.Ops[use].Name, in.Name)
		default:
			in.Ops[use].TiedTo = def
		}
	}
}

package targetinfo

import (
	"math"
	"slices"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/facts"
	"github.com/mirin-go/mirin/tablegen"
)

// operandTypes are the types that all targets share; others are numbered as
// they are met.
var operandTypes = map[string]desc.OperandType{
	"OPERAND_UNKNOWN": desc.OperandUnknown, "OPERAND_IMMEDIATE": desc.OperandImmediate, "OPERAND_REGISTER": desc.OperandRegister,
	"OPERAND_MEMORY": desc.OperandMemory, "OPERAND_PCREL": desc.OperandPCRel,
	"OPERAND_GENERIC_0": desc.OperandGeneric0, "OPERAND_GENERIC_1": desc.OperandGeneric0 + 1, "OPERAND_GENERIC_2": desc.OperandGeneric0 + 2,
	"OPERAND_GENERIC_3": desc.OperandGeneric0 + 3, "OPERAND_GENERIC_4": desc.OperandGeneric0 + 4, "OPERAND_GENERIC_5": desc.OperandGeneric5,
	"OPERAND_GENERIC_IMM_0": desc.OperandGenericImm0,
}

// instrLayout lays out the rows of instructions.
type instrLayout struct {
	b      *builder
	shared *desc.Info
	types  map[string]desc.OperandType
	lists  map[string]uint16
	infos  []desc.OperandInfo
	modes  map[*tablegen.Record]desc.ClassID // rows of ClassByMode
	byMode []*tablegen.Record
	full   bool
}

func (b *builder) layoutInstrs() {
	shared, err := facts.BPF()
	if err != nil {
		b.failWith(nil, err)
		return
	}
	l := &instrLayout{b: b, shared: shared, types: map[string]desc.OperandType{}, lists: map[string]uint16{}, modes: map[*tablegen.Record]desc.ClassID{}}
	rows := make([]desc.InstrDesc, len(b.t.Instrs))
	for i := range rows {
		in := &b.t.Instrs[i]
		if in.Rec == nil {
			rows[i] = l.sharedRow(desc.Opcode(i))
		} else {
			rows[i] = l.row(in)
		}
		rows[i].Name = b.name(in.Name)
		if len(b.errs) > 0 {
			return
		}
	}
	info := b.t.Info
	info.OperandInfos = l.infos
	info.SetInstrs(rows)
	info.NumModeClasses = len(l.byMode)
	for m := range b.modes {
		for _, r := range l.byMode {
			id := desc.NoClass
			if objs := b.byMode(r); objs[m] != nil {
				id = b.classOf(objs[m])
			} else if objs[0] != nil {
				id = b.classOf(objs[0])
			}
			info.ClassByMode = append(info.ClassByMode, id)
		}
	}
}

func (b *builder) classOf(r *tablegen.Record) desc.ClassID {
	if c := b.classByRec[r]; c != nil {
		return desc.ClassID(c.num)
	}
	return desc.NoClass
}

// sharedRow is the row of an opcode that the description does not mention.
func (l *instrLayout) sharedRow(op desc.Opcode) desc.InstrDesc {
	d := *l.shared.Instr(op)
	infos := slices.Clone(l.shared.Operands(op))
	for i := range infos {
		infos[i].RegClass = desc.NoClass
		infos[i].Flags &^= desc.LookupClassByHwMode
	}
	d.OpInfo = l.list(nil, infos)
	d.Implicit, d.NumImplicitDefs, d.NumImplicitUses, d.SchedClass = 0, 0, 0, 0
	return d
}

func (l *instrLayout) row(in *Instr) desc.InstrDesc {
	b, r := l.b, in.Rec
	infos := make([]desc.OperandInfo, len(in.Ops))
	for i := range infos {
		infos[i] = l.operand(in, &in.Ops[i])
	}
	if len(in.Ops) > math.MaxInt8 || in.NumDefs > math.MaxUint8 {
		b.fail(r, "InOperandList", "'%s' has %d operands, more than 127", in.Name, len(in.Ops))
	}
	var implicit []uint16
	count := [2]int{}
	for k, field := range [...]string{"Uses", "Defs"} {
		for _, x := range r.DefList(field) {
			reg := b.regByRec[x]
			if reg == nil {
				b.fail(r, field, "'%s' in %s of '%s' is no register", x.Name, field, in.Name)
				continue
			}
			implicit = append(implicit, uint16(reg.num))
			count[k]++
		}
	}
	if count[0] > math.MaxUint8 || count[1] > math.MaxUint8 {
		b.fail(r, "Defs", "'%s' has more than 255 implicit registers", in.Name)
	}
	at := b.lay.implicit.add(implicit)
	if at > math.MaxUint16 && !l.full {
		l.full = true
		b.fail(r, "Defs", "the lists of implicit registers are too many for the table")
	}
	size := r.Int("Size")
	if size < 0 || size > math.MaxUint8 {
		b.fail(r, "Size", "'%s' has %d bytes; the table holds up to 255", in.Name, size)
	}
	tsFlags := uint64(0)
	if f := r.Bits("TSFlags"); f != nil {
		for i, bit := range f.Bits {
			if v, ok := bit.(*tablegen.BitInit); !ok {
				b.fail(r, "TSFlags", "bit %d of TSFlags of '%s' is not set", i, in.Name)
				break
			} else if v.V && i < 64 {
				tsFlags |= 1 << i
			}
		}
	}
	return desc.InstrDesc{TSFlags: tsFlags, Flags: in.Flags, OpInfo: l.list(r, infos), Implicit: uint16(at), SchedClass: uint16(in.Sched),
		NumOperands: uint16(len(infos)), NumDefs: uint8(in.NumDefs), Size: uint8(size), NumImplicitUses: uint8(count[0]), NumImplicitDefs: uint8(count[1])}
}

// operand makes the row of one operand. Type and flags are those of the whole
// operand, the class that of the part.
func (l *instrLayout) operand(in *Instr, o *Operand) desc.OperandInfo {
	b := l.b
	whole := in.Groups[o.Group].Def
	info := desc.OperandInfo{RegClass: desc.NoClass, TiedTo: int8(o.TiedTo), EarlyClobber: o.EarlyClobber}
	r := o.Def
	if r.IsSubClassOf("RegisterOperand") {
		if c := r.DefField("RegClass"); c != nil {
			r = c
		}
	}
	switch {
	case r.IsSubClassOf("RegisterClass"):
		info.RegClass = b.classOf(r)
	case r.IsSubClassOf("RegClassByHwMode"):
		id, ok := l.modes[r]
		if !ok {
			id = desc.ClassID(len(l.byMode))
			l.modes[r] = id
			l.byMode = append(l.byMode, r)
		}
		info.RegClass, info.Flags = id, desc.LookupClassByHwMode
	}
	if whole.IsSubClassOf("PredicateOp") {
		info.Flags |= desc.PredicateOperand
	}
	if whole.IsSubClassOf("OptionalDefOperand") {
		info.Flags |= desc.OptionalDefOperand
	}
	if whole.IsSubClassOf("BranchTargetOperand") {
		info.Flags |= desc.BranchTargetOperand
	}
	info.Type = l.operandType(whole)
	return info
}

func (l *instrLayout) operandType(r *tablegen.Record) desc.OperandType {
	if r.IsSubClassOf("RegisterClass") || r.IsSubClassOf("RegClassByHwMode") {
		return desc.OperandRegister
	}
	name, ok := r.StringOK("OperandType")
	if !ok {
		return desc.OperandUnknown
	}
	ns := r.String("OperandNamespace")
	if t, ok := operandTypes[name]; ok && (ns == "MCOI" || ns == "") {
		return t
	}
	key := ns + "::" + name
	t, ok := l.types[key]
	if !ok {
		if len(l.types) > math.MaxUint8-int(desc.FirstTargetOperandType) {
			l.b.fail(r, "OperandType", "the target has too many operand types")
			return 0
		}
		t = desc.FirstTargetOperandType + desc.OperandType(len(l.types))
		l.types[key] = t
	}
	return t
}

// list keeps each different list of operands once.
func (l *instrLayout) list(r *tablegen.Record, infos []desc.OperandInfo) uint16 {
	if len(infos) == 0 {
		return 0
	}
	key := make([]byte, 0, 6*len(infos))
	for _, o := range infos {
		ec := byte(0)
		if o.EarlyClobber {
			ec = 1
		}
		key = append(key, byte(o.RegClass), byte(o.RegClass>>8), byte(o.Flags), byte(o.Type), byte(o.TiedTo), ec)
	}
	at, ok := l.lists[string(key)]
	if !ok {
		if len(l.infos) > math.MaxUint16 {
			l.b.fail(r, "InOperandList", "the lists of operands are too many for the table")
			return 0
		}
		at = uint16(len(l.infos))
		l.lists[string(key)] = at
		l.infos = append(l.infos, infos...)
	}
	return at
}

// hashes makes the name tables.
func (b *builder) hashes() (opcodes, regs string) {
	opcodes = desc.BuildHash(len(b.t.Instrs), func(i int) string { return b.t.Instrs[i].Name })
	regs = desc.BuildHash(len(b.regs)+1, func(i int) string {
		if i == 0 {
			return "noreg"
		}
		return lower(b.regs[i-1].name)
	})
	return opcodes, regs
}

// lower is s in lower case, ASCII letters alone as in desc.
func lower(s string) string {
	out := []byte(s)
	for i, c := range out {
		if 'A' <= c && c <= 'Z' {
			out[i] = c + 'a' - 'A'
		}
	}
	return string(out)
}

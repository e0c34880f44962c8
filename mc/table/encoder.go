package table

import (
	"fmt"
	"sort"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
)

// Encoding is the state of one Encode call, for methods.
type Encoding struct {
	Ctx    *mc.Context
	ST     *mc.Subtarget
	Info   *desc.Info
	Inst   *mc.Inst
	Fixups []mc.Fixup
	// Start is where the instruction begins in the buffer, the offset of fixups.
	Start uint32
	// What expressions change in the first 8 bytes.
	set, clear uint64
}

// EncodeFuncs are the functions that an EncoderTable names.
type EncodeFuncs struct {
	// Methods are EncoderMethods: the value of operand op (the first one where
	// the operand has parts).
	Methods map[string]func(e *Encoding, op int) (uint64, error)
	// Post are PostEncoderMethods: they get the bits (of at most 64) and return them.
	Post map[string]func(e *Encoding, bits uint64) (uint64, error)
}

// Encoder is the mc.Encoder of an EncoderTable.
type Encoder struct {
	t       *desc.EncoderTable
	info    *desc.Info
	methods []func(e *Encoding, op int) (uint64, error)
	post    []func(e *Encoding, bits uint64) (uint64, error)
	modes   []desc.EncModeInstr // of the hardware mode
	obj     *Objects            // what expressions become; nil: what the table's fixups say
	mode    uint8               // in obj
	swap    uint8
	blank   bool
}

// Blank is the encoder for which expressions are 0 and have no fixups.
func (e *Encoder) Blank() *Encoder {
	c := *e
	c.blank = true
	return &c
}

// Has reports whether an opcode has an encoding.
func (e *Encoder) Has(op desc.Opcode) bool { return e.row(op) != nil }

// InMode is the encoder for a hardware mode. In one that the table does not name
// every opcode has its common encoding: a target whose encodings are the same in all
// modes names none.
func (e *Encoder) InMode(name string) *Encoder {
	c := *e
	c.modes = nil
	for m := range e.t.Modes {
		if e.t.Modes[m].In(e.t.Names) != name {
			continue
		}
		l := e.t.ModeInstrs
		lo := sort.Search(len(l), func(i int) bool { return int(l[i].Mode) >= m })
		hi := sort.Search(len(l), func(i int) bool { return int(l[i].Mode) > m })
		c.modes = l[lo:hi]
	}
	return &c
}

// row finds the encoding of an opcode; nil when it has none.
func (e *Encoder) row(op desc.Opcode) *desc.EncInstr {
	k := sort.Search(len(e.modes), func(i int) bool { return e.modes[i].Op >= op })
	if k < len(e.modes) && e.modes[k].Op == op {
		if e.modes[k].Instr.Size == 0 {
			return nil
		}
		return &e.modes[k].Instr
	}
	if int(op) >= len(e.t.Instrs) || e.t.Instrs[op].Size == 0 {
		return nil
	}
	return &e.t.Instrs[op]
}

// NewEncoder binds a table.
func NewEncoder(t *desc.EncoderTable, info *desc.Info, f EncodeFuncs) (*Encoder, error) {
	e := &Encoder{t: t, info: info}
	var err error
	if e.methods, err = bind(t.Names, t.Methods, "EncoderMethod", f.Methods); err != nil {
		return nil, err
	}
	if e.post, err = bind(t.Names, t.PostFuncs, "PostEncoderMethod", f.Post); err != nil {
		return nil, err
	}
	return e, nil
}

// Encode appends an instruction.
func (e *Encoder) Encode(ctx *mc.Context, st *mc.Subtarget, in *mc.Inst, b []byte, fx []mc.Fixup) ([]byte, []mc.Fixup, error) {
	d := e.row(in.Op)
	if d == nil && e.obj != nil {
		if q := e.obj.sequence(in.Op); q != nil {
			return e.sequence(q, ctx, st, in, b, fx)
		}
	}
	if d == nil {
		return b, fx, fmt.Errorf("%s has no encoding", e.info.OpcodeName(in.Op))
	}
	var w word
	copy(w[:], e.t.Words[d.Words:d.Words+(uint32(d.Size)+7)/8])
	s := Encoding{Ctx: ctx, ST: st, Info: e.info, Inst: in, Fixups: fx, Start: uint32(len(b))}
	if e.obj != nil {
		if err := e.expressions(&s); err != nil {
			return b, fx, fmt.Errorf("%s: %w", e.info.OpcodeName(in.Op), err)
		}
	}
	for k := range d.NumFields {
		f := &e.t.Fields[d.Fields+uint32(k)]
		v, err := e.value(&s, f)
		if err != nil {
			return b, fx, fmt.Errorf("%s: operand %d: %w", e.info.OpcodeName(in.Op), f.Op, err)
		}
		w.flip(e.t.Segs[f.Segs:f.Segs+uint32(f.NumSegs)], v)
	}
	if d.Post != 0 {
		v, err := e.post[d.Post-1](&s, w[0])
		if err != nil {
			return b, fx, fmt.Errorf("%s: %w", e.info.OpcodeName(in.Op), err)
		}
		w[0] = v
	}
	b = w.appendBytes(b, int(d.Size), e.t.BigEndian)
	if e.swap != 0 {
		Swapped(b[s.Start:], e.swap)
	}
	for i := int(s.Start); s.set|s.clear != 0; i++ {
		b[i] = b[i]&^byte(s.clear) | byte(s.set)
		s.set, s.clear = s.set>>8, s.clear>>8
	}
	return b, s.Fixups, nil
}

// value gives the field value of an operand.
func (e *Encoder) value(s *Encoding, f *desc.EncField) (uint64, error) {
	if int(f.Op) >= len(s.Inst.Ops) {
		return 0, fmt.Errorf("it is missing")
	}
	if f.Method != 0 {
		return e.methods[f.Method-1](s, int(f.Op))
	}
	o := s.Inst.Ops[f.Op]
	format := e.t.Formats[f.Format]
	if o.IsExpr() {
		if v, ok := s.Ctx.ConstValue(o.Expr()); ok {
			o = mc.Imm(v)
		}
	}
	if f.Xform != 0 && !o.IsExpr() {
		v, err := e.transform(s, &e.t.Xforms[f.Xform], o)
		if err != nil {
			return 0, err
		}
		return toField(format, v)
	}
	switch {
	case o.IsReg():
		return uint64(e.info.Regs[o.Reg()].Encoding), nil
	case o.IsImm():
		return toField(format, o.Imm())
	case o.IsExpr():
		if e.blank || e.obj != nil { // expressions has made its fixups
			return 0, nil
		}
		if f.Fixup == 0 {
			return 0, fmt.Errorf("a symbol is not supported here")
		}
		s.AddFixup(mc.FirstTargetFixup+mc.FixupKind(f.Fixup-1), 0, o.Expr(), int32(e.t.Fixups[f.Fixup-1].Base))
		return 0, nil
	case o.IsFPImm():
		return o.FPBits(), nil
	}
	return 0, fmt.Errorf("it is neither register nor immediate")
}

// transform gives what a transformation makes of an operand.
func (e *Encoder) transform(s *Encoding, x *desc.EncXform, o mc.Operand) (int64, error) {
	switch x.Kind {
	case desc.XformReg, desc.XformImm:
		key := int64(o.Reg())
		if o.IsReg() != (x.Kind == desc.XformReg) {
			return 0, fmt.Errorf("it is of the wrong kind")
		}
		if o.IsImm() {
			key = o.Imm()
		}
		rows := e.t.Maps[x.First : x.First+x.Num]
		k := sort.Search(len(rows), func(i int) bool { return rows[i].Key >= key })
		if k == len(rows) || rows[k].Key != key {
			return 0, fmt.Errorf("%d has no encoding", key)
		}
		return int64(rows[k].Value), nil
	}
	v, err := s.valueOf(o)
	if err != nil {
		return 0, err
	}
	switch x.Kind {
	case desc.XformSub:
		return x.Add - v, nil
	case desc.XformSign:
		if max(v, -v)&^x.Add != 0 {
			return 0, fmt.Errorf("%d is out of range", v)
		}
		if v < 0 {
			return -v, nil
		}
		return v | -1<<63, nil
	case desc.XformSum:
		if int(x.Op) >= len(s.Inst.Ops) {
			return 0, fmt.Errorf("operand %d is missing", x.Op)
		}
		w, err := s.valueOf(s.Inst.Ops[x.Op])
		return v + w + x.Add, err
	}
	return v + x.Add, nil
}

// valueOf gives the value of a register or constant.
func (s *Encoding) valueOf(o mc.Operand) (int64, error) {
	switch {
	case o.IsReg():
		return int64(s.Info.Regs[o.Reg()].Encoding), nil
	case o.IsImm():
		return o.Imm(), nil
	case o.IsExpr():
		if v, ok := s.Ctx.ConstValue(o.Expr()); ok {
			return v, nil
		}
	}
	return 0, fmt.Errorf("it is neither register nor constant")
}

// AddFixup adds a fixup at an offset from the start of the instruction.
func (s *Encoding) AddFixup(k mc.FixupKind, off uint32, x mc.Expr, addend int32) {
	s.Fixups = append(s.Fixups, mc.Fixup{Offset: s.Start + off, Expr: x, Addend: addend, Kind: k})
}

// Plain gives the value that a register or constant operand has without a method.
func (s *Encoding) Plain(op int) (uint64, error) {
	v, err := s.valueOf(s.Inst.Ops[op])
	return uint64(v), err
}

// Backend is an mc.AsmBackend for instructions whose fixups an EncoderTable
// describes. No instruction is relaxed.
type Backend struct {
	t      *desc.EncoderTable
	fixups []mc.FixupInfo // of its kinds
	// Nop is the instruction that does nothing, as bytes.
	Nop []byte
	// Object is what the header of an object says.
	Object mc.Machine
	// Data gives the relocation types of data of 1, 2, 4 and 8 bytes: absolute
	// and, from DataPC on, relative. 0 is not supported.
	Data, DataPC [4]uint32
}

// NewBackend makes a backend; nop and machine are the target's, and so may be Data.
func NewBackend(t *desc.EncoderTable, machine mc.Machine, nop []byte) *Backend {
	b := &Backend{t: t, Nop: nop, Object: machine}
	for i := range t.Fixups {
		f := &t.Fixups[i]
		b.fixups = append(b.fixups, mc.FixupInfo{Name: f.Name.In(t.Names), Size: f.Size, Bits: 8 * f.Size, PCRel: f.PCRel})
	}
	return b
}

// FixupInfo describes a fixup kind.
func (b *Backend) FixupInfo(k mc.FixupKind) *mc.FixupInfo {
	if k < mc.FirstTargetFixup {
		return mc.GenericFixup(k)
	}
	return &b.fixups[k-mc.FirstTargetFixup]
}

// Relax does nothing: instructions have one form.
func (b *Backend) Relax(*mc.Inst, *mc.Subtarget) bool { return false }

// NeedsRelaxation is false: instructions have one form.
func (b *Backend) NeedsRelaxation(mc.FixupKind, int64) bool { return false }

// AppendNops fills n bytes with the instruction Nop, what is left over with zeros.
func (b *Backend) AppendNops(out []byte, n int, _ *mc.Subtarget) []byte {
	for ; len(b.Nop) > 0 && n >= len(b.Nop); n -= len(b.Nop) {
		out = append(out, b.Nop...)
	}
	return append(out, make([]byte, n)...)
}

// Apply puts the value of a fixup into its place.
func (b *Backend) Apply(place []byte, k mc.FixupKind, value int64) error {
	if k < mc.FirstTargetFixup {
		size := 1 << (k % 4)
		if n := size * 8; n < 64 && (value < -(1<<(n-1)) || value >= 1<<n) {
			return fmt.Errorf("value %d does not fit %d bytes", value, size)
		}
		mc.PutInt(place[:size], uint64(value), b.Object.BigEndian)
		return nil
	}
	f := &b.t.Fixups[k-mc.FirstTargetFixup]
	value += int64(f.Add)
	value >>= f.Skip
	v, err := toField(b.t.Formats[f.Format], value)
	if err != nil {
		return fmt.Errorf("%s: %w", f.Name.In(b.t.Names), err)
	}
	var w word
	w.load(place[:f.Size], b.t.BigEndian)
	w.put(b.t.Segs[f.Segs:f.Segs+uint32(f.NumSegs)], v)
	copy(place, w.appendBytes(nil, int(f.Size), b.t.BigEndian))
	return nil
}

// Resolves is true of plain references.
func (b *Backend) Resolves(_ mc.FixupKind, m mc.Modifier) bool { return m == mc.ModNone }

// RelocType gives the relocation of a fixup.
func (b *Backend) RelocType(k mc.FixupKind, m mc.Modifier, pcRel bool) (uint32, error) {
	if m != mc.ModNone {
		return 0, fmt.Errorf("a symbol with a modifier is not supported")
	}
	t := uint32(0)
	switch {
	case k >= mc.FirstTargetFixup:
		f := &b.t.Fixups[k-mc.FirstTargetFixup]
		if pcRel != f.PCRel {
			return 0, fmt.Errorf("%s of a distance is not supported", f.Name.In(b.t.Names))
		}
		t = f.Reloc
	case pcRel:
		t = b.DataPC[k%4]
	default:
		t = b.Data[k%4]
	}
	if t == 0 {
		return 0, fmt.Errorf("no relocation for a value of this form")
	}
	return t, nil
}

// NeedsSymbol is false: no relocation goes through a table.
func (b *Backend) NeedsSymbol(uint32, mc.Modifier) bool { return false }

// Machine gives what the header says.
func (b *Backend) Machine() mc.Machine { return b.Object }

package table

import (
	"errors"
	"fmt"
	"sort"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
)

// Objects is what becomes of expressions in a flavor of a target's objects, and
// what its objects and its assembly look like: desc.ObjectTables, bound. It may be shared.
type Objects struct {
	t      *desc.ObjectTables
	f      *desc.ObjectFlavor
	info   *desc.Info
	kinds  []mc.FixupInfo // as Kinds, then the twins of relaxable ones
	reach  []reach        // by kind: where short forms suffice
	plain  []uint16       // by kind: the same without a linker's relaxation
	names  map[relocKey]bool
	modes  []mode
	nops   []nops
	relax  uint16 // feature bit of linker relaxation
	linker bool   // the target has it
	// Object is what the headers of objects say.
	Object mc.Machine
	enc    *Encoder // of the flavor, once there is one
}

// has reports an opcode that can be encoded.
func (o *Objects) has(op desc.Opcode) bool {
	return o.sequence(op) != nil || o.enc == nil || o.enc.Has(op)
}

// reach is the values for which the short form of an instruction suffices.
type reach struct {
	lo, hi int64
	align  uint8
	known  bool
}

type relocKey struct {
	typ  uint32
	spec uint16
}

// mode is a state in which opcodes are encoded otherwise, and the feature that it is.
type mode struct {
	name string
	bit  uint16
}

// nops are what does nothing with a feature.
type nops struct {
	bit    uint16
	always bool
	bytes  []desc.Name
}

// NewObjects binds the flavor of a name.
func NewObjects(t *desc.ObjectTables, flavor string, info *desc.Info) (*Objects, error) {
	o := &Objects{t: t, info: info, names: map[relocKey]bool{}}
	for i := range t.Flavors {
		if t.Flavors[i].Name.In(t.Names) == flavor {
			o.f = &t.Flavors[i]
		}
	}
	if o.f == nil {
		return nil, fmt.Errorf("mc/table: objects of %s are not known", flavor)
	}
	f := o.f
	o.relax, o.linker = o.feature("relax")
	for i := range f.Kinds {
		k := &f.Kinds[i]
		o.kinds = append(o.kinds, mc.FixupInfo{Name: k.Name.In(t.Names), Reloc: k.Reloc, Size: k.Size, Offset: k.Offset, Bits: k.Bits, PCRel: k.Flags&desc.FixupPCRel != 0,
			Relaxable: k.Flags&desc.FixupRelaxable != 0, Always: k.Flags&desc.FixupAlways != 0})
		o.plain = append(o.plain, uint16(i))
	}
	for i := range f.Kinds {
		if o.kinds[i].Relaxable {
			o.plain[i] = o.twin(i)
		}
	}
	for i := range f.Relocs {
		if r := &f.Relocs[i]; r.Flags&desc.RelocNames != 0 {
			o.names[relocKey{r.Type, r.Spec}] = true
		}
	}
	for _, n := range f.Modes {
		m := mode{name: n.In(t.Names)}
		var ok bool
		if m.bit, ok = o.feature(m.name); !ok {
			if m.bit, ok = o.feature(m.name + "-mode"); !ok {
				return nil, fmt.Errorf("mc/table: no feature is mode %s", m.name)
			}
		}
		o.modes = append(o.modes, m)
	}
	for i := range f.Nops {
		n := nops{bytes: f.Nops[i].Bytes, always: f.Nops[i].Feature == 0}
		if !n.always {
			var ok bool
			if n.bit, ok = o.feature(f.Nops[i].Feature.In(t.Names)); !ok {
				continue
			}
		}
		o.nops = append(o.nops, n)
	}
	o.reach = make([]reach, len(f.Kinds))
	for i := range f.Longer {
		l := &f.Longer[i]
		for k := range l.NumOps {
			if x := o.expr(l.Mode, l.From, int(k)); x != nil {
				c := &f.Choices[x.Choices]
				o.reach[f.ExprFixes[c.Fixes].Kind] = reach{l.Lo, l.Hi, l.Align, true}
			}
		}
	}
	o.header()
	return o, nil
}

func (o *Objects) feature(name string) (uint16, bool) {
	i, ok := o.info.FeatureByName(name)
	if !ok {
		return 0, false
	}
	return o.info.Features[i].Bit, true
}

// twin finds the kind that is as i but for what linkers may do; it is made where there is none.
func (o *Objects) twin(i int) uint16 {
	k := o.f.Kinds[i]
	k.Flags &^= desc.FixupRelaxable
	for j := range o.f.Kinds {
		if o.f.Kinds[j] == k {
			return uint16(j)
		}
	}
	for j := len(o.f.Kinds); j < len(o.kinds); j++ {
		if o.plain[j] == uint16(i) {
			return uint16(j)
		}
	}
	info := o.kinds[i]
	info.Relaxable = false
	o.kinds = append(o.kinds, info)
	o.plain = append(o.plain, uint16(i))
	return uint16(len(o.kinds) - 1)
}

// index is the index of a kind.
func (o *Objects) index(k mc.FixupKind) int {
	if k >= mc.FirstTargetFixup {
		return int(k-mc.FirstTargetFixup) + desc.DataKinds
	}
	return int(k)
}

// row is the row of a kind in the flavor's tables.
func (o *Objects) row(k mc.FixupKind) int {
	i := o.index(k)
	if i >= len(o.f.Kinds) { // a twin
		i = int(o.plain[i])
	}
	return i
}

// kindOf numbers a row of kinds for package mc.
func kindOf(row uint16) mc.FixupKind {
	if row < desc.DataKinds {
		return mc.FixupKind(row)
	}
	return mc.FirstTargetFixup + mc.FixupKind(row-desc.DataKinds)
}

func (o *Objects) header() {
	f := o.f
	align := -int64(f.Slot)
	if f.StackUp {
		align = -align
	}
	o.Object = mc.Machine{ELFMachine: f.Machine, OSABI: f.OSABI, ABIVersion: f.ABIVersion, Is64: f.Class64, Rela: f.Rela, BigEndian: f.BigEndian,
		PtrSize: int(f.Pointer), EHFrameType: mc.SectionType(f.EHType), CodeAlign: uint64(f.TextAlign), RelaxReloc: f.Relax,
		CIE: mc.CIE{CodeAlign: uint64(f.CodeUnit), DataAlign: align, Return: f.ReturnColumn, Pointer: f.FDEEncoding}}
	for _, c := range f.Initial {
		// The numbers are those of LLVM's MCCFIInstruction.
		switch c.Op {
		case 3:
			o.Object.CIE.Initial = append(o.Object.CIE.Initial, mc.CFI{Op: mc.CFIOffset, Reg: c.Reg, Offset: c.Offset})
		case 5:
			o.Object.CIE.Initial = append(o.Object.CIE.Initial, mc.CFI{Op: mc.CFIDefCfaRegister, Reg: c.Reg})
		case 7:
			o.Object.CIE.Initial = append(o.Object.CIE.Initial, mc.CFI{Op: mc.CFIDefCfa, Reg: c.Reg, Offset: c.Offset})
		}
	}
}

// AsmInfo describes the flavor's assembly.
func (o *Objects) AsmInfo() *mc.AsmInfo {
	in := func(n desc.Name) string { return n.In(o.t.Names) }
	a, d := mc.ELFAsmInfo(), &o.f.Asm
	a.BigEndian = o.f.BigEndian
	a.PrivateGlobal, a.PrivateLabel, a.Comment, a.Zeros = in(d.PrivateGlobal), in(d.PrivateLabel), in(d.Comment), in(d.Zero)
	for i := range d.Data {
		a.Data[i] = in(d.Data[i])
	}
	a.BSSBySection = d.Flags&desc.AsmBSSBySection != 0
	if d.Flags&desc.AsmStackNote == 0 {
		a.StackNote = ""
	}
	a.Modifiers = make([]mc.ModifierInfo, len(o.t.Specs))
	for i := range o.t.Specs {
		s := &o.t.Specs[i]
		m := mc.ModifierInfo{Prefix: in(s.Prefix), Suffix: in(s.Suffix), TLS: s.TLS}
		if name, ok := strings.CutPrefix(m.Suffix, "@"); ok {
			m = mc.ModifierInfo{Name: name, TLS: s.TLS}
		} else {
			m.Name = strings.Trim(m.Prefix, "%:(")
		}
		// What has no text is what instructions themselves make of symbols: calls, pages.
		m.TLS = m.TLS && (m.Prefix != "" || s.Suffix.In(o.t.Names) != "")
		a.Modifiers[i] = m
	}
	return &a
}

// expr finds what expressions make as operand k of an opcode in a mode.
func (o *Objects) expr(mode uint8, op desc.Opcode, k int) *desc.ExprDesc {
	l := o.f.Exprs
	for m := mode; ; m = 0 {
		i := sort.Search(len(l), func(i int) bool {
			x := &l[i]
			if x.Mode != m {
				return x.Mode > m
			}
			return x.Op > op || x.Op == op && int(x.Operand) >= k
		})
		if i < len(l) && l[i].Mode == m && l[i].Op == op && int(l[i].Operand) == k {
			return &l[i]
		}
		if m == 0 {
			return nil
		}
	}
}

// expressions makes the fixups of an instruction's expressions.
func (e *Encoder) expressions(s *Encoding) error {
	for k, op := range s.Inst.Ops {
		if !op.IsExpr() {
			continue
		}
		if _, ok := s.Ctx.ConstValue(op.Expr()); ok {
			continue
		}
		x := e.obj.expr(e.mode, s.Inst.Op, k)
		if x == nil {
			return fmt.Errorf("operand %d: a symbol is not supported here", k)
		}
		m, inner := s.Ctx.ModifierOf(op.Expr())
		f := e.obj.f
		c := &f.Choices[x.Choices]
		for i := range x.NumChoices {
			if r := &f.Choices[x.Choices+uint32(i)]; m != 0 && mc.Modifier(r.Spec) == m {
				c = r
			}
		}
		s.set |= c.Set
		s.clear |= c.Clear
		for _, fix := range f.ExprFixes[c.Fixes : c.Fixes+uint32(c.Num)] {
			row, v := fix.Kind, op.Expr()
			if e.obj.kinds[row].Relaxable && !s.ST.Has(e.obj.relax) {
				row = e.obj.plain[row]
			}
			if fix.Spec != 0 {
				v = s.Ctx.Modified(mc.Modifier(fix.Spec-1), inner)
			}
			s.AddFixup(kindOf(row), uint32(fix.Offset), v, int32(fix.Add))
		}
	}
	return nil
}

// sequence finds the instructions that an opcode is written as, nil when it is one.
func (o *Objects) sequence(op desc.Opcode) *desc.SeqDesc {
	l := o.f.Seqs
	if i := sort.Search(len(l), func(i int) bool { return l[i].Op >= op }); i < len(l) && l[i].Op == op {
		return &l[i]
	}
	return nil
}

// operands appends operands of rows of LongerOps, of those of an instruction.
func (o *Objects) operands(in *mc.Inst, first uint32, n uint8, from []mc.Operand) {
	for _, x := range o.f.LongerOps[first : first+uint32(n)] {
		switch {
		case x.Op >= 0 && int(x.Op) < len(from):
			in.Add(from[x.Op])
		case x.IsReg:
			in.Add(mc.Reg(desc.PhysReg(x.Value)))
		default:
			in.Add(mc.Imm(x.Value))
		}
	}
}

// sequence encodes an instruction that is several.
func (e *Encoder) sequence(q *desc.SeqDesc, ctx *mc.Context, st *mc.Subtarget, in *mc.Inst, b []byte, fx []mc.Fixup) ([]byte, []mc.Fixup, error) {
	out, fixes := b, fx
	var part mc.Inst
	var err error
	for _, p := range e.obj.f.SeqParts[q.Parts : q.Parts+uint32(q.NumParts)] {
		part.Reset(p.Op)
		e.obj.operands(&part, p.Ops, p.NumOps, in.Ops)
		if e.row(p.Op) == nil {
			return b, fx, fmt.Errorf("%s has no encoding", e.info.OpcodeName(p.Op))
		}
		if out, fixes, err = e.Encode(ctx, st, &part, out, fixes); err != nil {
			return b, fx, err
		}
	}
	return out, fixes, nil
}

// modal chooses the encoder of the mode that a subtarget is in.
type modal struct {
	plain *Encoder
	modes []mode
	encs  []*Encoder
}

// Encode appends an instruction.
func (m *modal) Encode(ctx *mc.Context, st *mc.Subtarget, in *mc.Inst, b []byte, fx []mc.Fixup) ([]byte, []mc.Fixup, error) {
	for i := range m.modes {
		if st.Has(m.modes[i].bit) {
			return m.encs[i].Encode(ctx, st, in, b, fx)
		}
	}
	return m.plain.Encode(ctx, st, in, b, fx)
}

// Encoder is e with the fixups and the byte order of the flavor, in the mode that the
// subtarget's features say.
func (o *Objects) Encoder(e *Encoder) (mc.Encoder, error) {
	o.enc = e
	with := func(e *Encoder, m int) (*Encoder, error) {
		c := *e
		c.obj, c.mode, c.swap = o, uint8(m), o.f.Swaps[m]
		if c.swap == desc.SwapUnknown {
			return nil, errors.New("mc/table: the order of bytes in instructions of " + o.f.Name.In(o.t.Names) + " is not known")
		}
		return &c, nil
	}
	plain, err := with(e, 0)
	if err != nil || len(o.modes) == 0 {
		return plain, err
	}
	m := &modal{plain: plain, modes: o.modes}
	for i := range o.modes {
		c, err := with(e.InMode(o.modes[i].name), 1+i)
		if err != nil {
			return nil, err
		}
		m.encs = append(m.encs, c)
	}
	return m, nil
}

// FixupInfo describes a fixup kind.
func (o *Objects) FixupInfo(k mc.FixupKind) *mc.FixupInfo {
	if k >= mc.FirstTargetFixup {
		return &o.kinds[k-mc.FirstTargetFixup+desc.DataKinds]
	}
	return &o.kinds[k]
}

// KindNamed finds the kind of fixup of a name, or with no name the one that is a
// relocation alone; linkers that relax may change what it is for, or not.
func (o *Objects) KindNamed(name string, reloc uint16, relaxable bool) (mc.FixupKind, bool) {
	for i := range o.kinds {
		if k := &o.kinds[i]; i >= desc.DataKinds && k.Name == name && k.Reloc == reloc && k.Relaxable == relaxable {
			return kindOf(uint16(i)), true
		}
	}
	return 0, false
}

// Relax makes an instruction its longer form.
func (o *Objects) Relax(in *mc.Inst, st *mc.Subtarget) bool {
	l := o.f.Longer
	for i := sort.Search(len(l), func(i int) bool { return l[i].From >= in.Op }); i < len(l) && l[i].From == in.Op; i++ {
		row := &l[i]
		if row.Mode > 0 && !st.Has(o.modes[row.Mode-1].bit) || !o.has(row.To) {
			continue
		}
		was := append([]mc.Operand(nil), in.Ops...)
		in.Reset(row.To)
		o.operands(in, row.Ops, row.NumOps, was)
		return true
	}
	return false
}

// NeedsRelaxation reports a value that the short form of an instruction does not reach.
func (o *Objects) NeedsRelaxation(k mc.FixupKind, v int64) bool {
	r := &o.reach[o.row(k)]
	return r.known && (v < r.lo || v > r.hi || v&(1<<r.align-1) != 0)
}

// AppendNops appends n bytes that do nothing; zeros where that cannot be.
func (o *Objects) AppendNops(b []byte, n int, st *mc.Subtarget) []byte {
	for i := range o.nops {
		s := &o.nops[i]
		if !s.always && (st == nil || !st.Has(s.bit)) {
			continue
		}
		for n > 0 {
			k := min(n, len(s.bytes))
			text := s.bytes[k-1].In(o.t.Names)
			if text == "" {
				break
			}
			b = append(b, text...)
			n -= k
		}
		break
	}
	return append(b, make([]byte, n)...)
}

// Fixed is the kind of the same fixup where no linker changes the instruction.
func (o *Objects) Fixed(k mc.FixupKind) mc.FixupKind {
	if o.FixupInfo(k).Relaxable {
		return kindOf(o.plain[o.index(k)])
	}
	return k
}

// MinNop is the size of the shortest instruction that does nothing.
func (o *Objects) MinNop(st *mc.Subtarget) int {
	for i := range o.nops {
		s := &o.nops[i]
		if !s.always && (st == nil || !st.Has(s.bit)) {
			continue
		}
		for k := range s.bytes {
			if strings.Trim(s.bytes[k].In(o.t.Names), "\x00") != "" { // not bytes of 0 that fill up
				return k + 1
			}
		}
		break
	}
	return 1
}

// Apply puts the value of a fixup into its place.
func (o *Objects) Apply(place []byte, k mc.FixupKind, v int64) error {
	d := &o.f.Kinds[o.row(k)]
	in := func(n desc.Name) string { return n.In(o.t.Names) }
	if d.Lo != 0 || d.Hi != 0 {
		if v < d.Lo || v > d.Hi {
			return o.refused(strings.Replace(in(d.RangeError), "{value}", strconv.FormatInt(v, 10), 1), "fixup value out of range")
		}
	}
	if v&(1<<d.Align-1) != 0 {
		return o.refused(in(d.AlignError), fmt.Sprintf("fixup value must be %d-byte aligned", 1<<d.Align))
	}
	if d.Flags&desc.FixupOpaque != 0 {
		if v == 0 {
			return nil
		}
		return errors.New("a known value of " + in(d.Name) + " is not supported")
	}
	v += d.Add
	x := uint64(v)
	if d.Flags&desc.FixupSign != 0 {
		if x |= 1 << 63; v < 0 {
			x = uint64(-v)
		}
	}
	var w, field word
	w[0] = d.Const
	segs := o.f.Segs[d.Segs : d.Segs+uint32(d.NumSegs)]
	w.flip(segs, x)
	if d.Flags&desc.FixupClears != 0 {
		for _, s := range segs {
			field.flip([]desc.BitSeg{{Inst: s.Inst, Len: s.Len}}, ^uint64(0))
		}
	}
	for i := range place {
		at := uint(i%8) * 8
		place[i] = place[i]&^byte(field[i/8]>>at) | byte(w[i/8]>>at)
	}
	return nil
}

func (o *Objects) refused(msg, other string) error {
	if msg == "" {
		msg = other
	}
	return errors.New(msg)
}

// reloc finds the relocation of a kind for a specifier.
func (o *Objects) reloc(k mc.FixupKind, m mc.Modifier, pcRel bool) *desc.RelocDesc {
	row, l := o.row(k), o.f.Relocs
	if row < desc.DataKinds && pcRel != (row >= 4) {
		row ^= 4 // plain data of a difference
	}
	i := sort.Search(len(l), func(i int) bool {
		r := &l[i]
		return int(r.Kind) > row || int(r.Kind) == row && (mc.Modifier(r.Spec) > m || mc.Modifier(r.Spec) == m && (r.PCRel || !pcRel))
	})
	if i < len(l) && int(l[i].Kind) == row && mc.Modifier(l[i].Spec) == m && l[i].PCRel == pcRel {
		return &l[i]
	}
	return nil
}

// Resolves reports whether a known value goes into the place.
func (o *Objects) Resolves(k mc.FixupKind, m mc.Modifier) bool {
	r := o.reloc(k, m, o.FixupInfo(k).PCRel)
	if r == nil {
		return m == mc.ModNone
	}
	return r.Flags&desc.RelocForced == 0
}

// RelocType gives the relocation for a fixup that stays.
func (o *Objects) RelocType(k mc.FixupKind, m mc.Modifier, pcRel bool) (uint32, error) {
	r := o.reloc(k, m, pcRel)
	if r == nil {
		return 0, errors.New("unsupported relocation type")
	}
	return r.Type, nil
}

// NeedsSymbol reports relocations that name the symbol even where it is local.
func (o *Objects) NeedsSymbol(typ uint32, m mc.Modifier) bool {
	return o.names[relocKey{typ, uint16(m)}]
}

// Machine gives what the header says.
func (o *Objects) Machine() mc.Machine { return o.Object }

// Swapped reverses the bytes of an instruction in units, as desc.ObjectFlavor.Swaps
// says, in place.
func Swapped(b []byte, unit uint8) []byte {
	n := int(unit)
	switch unit {
	case 0, desc.SwapUnknown:
		return b
	case desc.SwapAll:
		n = max(len(b), 1)
	}
	for at := 0; at+n <= len(b); at += n {
		for i, j := at, at+n-1; i < j; i, j = i+1, j-1 {
			b[i], b[j] = b[j], b[i]
		}
	}
	return b
}

// Flavor is the name of the flavor.
func (o *Objects) Flavor() string { return o.f.Name.In(o.t.Names) }

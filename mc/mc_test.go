package mc

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"unsafe"
)

// toy is a target of one-byte instructions: opcode n is the byte n; opcode 1 with
// an expression is a short jump (1, distance), opcode 2 its long form.
type toy struct{}

func (toy) Encode(ctx *Context, st *Subtarget, in *Inst, b []byte, fx []Fixup) ([]byte, []Fixup, error) {
	b = append(b, byte(in.Op))
	switch in.Op {
	case 1:
		fx = append(fx, Fixup{Offset: uint32(len(b)), Expr: in.Ops[0].Expr(), Addend: -1, Kind: FixupPCRel1})
		b = append(b, 0)
	case 2:
		fx = append(fx, Fixup{Offset: uint32(len(b)), Expr: in.Ops[0].Expr(), Addend: -4, Kind: FixupPCRel4})
		b = append(b, 0, 0, 0, 0)
	}
	return b, fx, nil
}

func (toy) FixupInfo(k FixupKind) *FixupInfo {
	return GenericFixup(k)
}

func (toy) Relax(in *Inst, st *Subtarget) bool {
	if in.Op != 1 {
		return false
	}
	in.Op = 2
	return true
}

func (toy) NeedsRelaxation(k FixupKind, v int64) bool { return v != int64(int8(v)) }

func (toy) AppendNops(b []byte, n int, st *Subtarget) []byte {
	for range n {
		b = append(b, 0x90)
	}
	return b
}

func (toy) Apply(place []byte, k FixupKind, v int64) error {
	for i := range place {
		place[i] = byte(v >> (8 * i))
	}
	return nil
}

func (toy) RelocType(k FixupKind, m Modifier, pcRel bool) (uint32, error) { return uint32(k), nil }
func (toy) Resolves(_ FixupKind, m Modifier) bool                         { return m == ModNone }
func (toy) NeedsSymbol(relocType uint32, m Modifier) bool                 { return false }

func (toy) Machine() Machine {
	return Machine{PtrSize: 8, CodeAlign: 4, Is64: true, Rela: true, CIE: CIE{CodeAlign: 1, DataAlign: -8, Pointer: EncPCRel | EncSData4}}
}

func toyStreamer() *ObjectStreamer { return NewObjectStreamer(NewContext(nil), toy{}, toy{}) }

func names(c *Context) func([]byte, Sym) []byte {
	return func(b []byte, s Sym) []byte { return append(b, c.SymName(s)...) }
}

func TestSizes(t *testing.T) {
	// An instruction's operands are copied for each encoding, pieces and
	// expressions are kept by the hundred thousand.
	for _, s := range []struct {
		name      string
		got, want uintptr
	}{
		{"Operand", unsafe.Sizeof(Operand{}), 16},
		{"Fixup", unsafe.Sizeof(Fixup{}), 16},
		{"exprNode", unsafe.Sizeof(exprNode{}), 24},
		{"piece", unsafe.Sizeof(piece{}), 48},
		{"Reloc", unsafe.Sizeof(Reloc{}), 24},
	} {
		if s.got > s.want {
			t.Errorf("%s has %d bytes, want %d at most", s.name, s.got, s.want)
		}
	}
}

func TestExprText(t *testing.T) {
	info := ELFAsmInfo()
	info.Modifiers = []ModifierInfo{1: {Name: "PLT"}, 2: {Name: "GOTPCREL"}}
	c := NewContext(&info)
	a, b := c.Symbol("a"), c.Symbol("b")
	for _, x := range []struct {
		e    Expr
		want string
	}{
		{c.Const(-5), "-5"},
		{c.Ref(a, 1), "a@PLT"},
		{c.RefOff(a, ModNone, 4), "a+4"},
		{c.RefOff(a, 2, -4), "a@GOTPCREL-4"},
		{c.Diff(a, b), "a-b"},
		{c.AddConst(c.Diff(a, b), 3), "a-b+3"},
		{c.AddConst(c.Diff(a, b), -3), "a-b-3"},
		{c.Binary(OpSub, c.RefOff(a, ModNone, 4), c.Ref(b, ModNone)), "a+4-b"},
		{c.Unary(OpMinus, c.Diff(a, b)), "-(a-b)"},
		{c.Unary(OpNot, c.Const(1)), "~1"},
	} {
		if got := string(c.AppendExpr(nil, x.e, names(c))); got != x.want {
			t.Errorf("got %s, want %s", got, x.want)
		}
	}
}

func TestReduce(t *testing.T) {
	c := NewContext(nil)
	a, b := c.Symbol("a"), c.Symbol("b")
	k := c.Const
	for i, x := range []struct {
		e    Expr
		want Value
		ok   bool
	}{
		{c.Binary(OpMul, k(6), k(7)), Value{Off: 42}, true},
		{c.Binary(OpDiv, k(6), k(0)), Value{}, false},
		{c.Binary(OpShr, k(-1), k(60)), Value{Off: 15}, true},
		{c.Binary(OpLT, k(1), k(2)), Value{Off: -1}, true},
		{c.Diff(a, a), Value{}, true},
		{c.AddConst(c.Diff(a, b), 7), Value{A: a, B: b, Off: 7}, true},
		{c.Binary(OpAdd, c.Diff(a, b), c.Ref(b, ModNone)), Value{A: a}, true},
		{c.Binary(OpAdd, c.Ref(a, ModNone), c.Ref(b, ModNone)), Value{}, false},
		{c.Binary(OpMul, c.Ref(a, ModNone), k(2)), Value{}, false},
		{c.Binary(OpSub, k(1), c.Ref(a, 1)), Value{}, false},
		{c.Unary(OpMinus, c.Diff(a, b)), Value{A: b, B: a}, true},
	} {
		if v, ok := c.Reduce(x.e, nil); ok != x.ok || ok && v != x.want {
			t.Errorf("%d: got %v %v, want %v %v", i, v, ok, x.want, x.ok)
		}
	}
	dist := func(x, y Sym) (int64, bool) { return 100, x == a && y == b }
	if v, ok := c.Reduce(c.Binary(OpDiv, c.Diff(a, b), k(4)), dist); !ok || v.Off != 25 {
		t.Errorf("known distance: %v %v", v, ok)
	}
}

func TestLEB(t *testing.T) {
	for _, x := range []struct {
		v      int64
		signed bool
		min    int
		want   string
	}{
		{0, false, 0, "\x00"}, {127, false, 0, "\x7f"}, {128, false, 0, "\x80\x01"}, {63, true, 0, "\x3f"}, {64, true, 0, "\xc0\x00"},
		{-1, true, 0, "\x7f"}, {-65, true, 0, "\xbf\x7f"}, {1, false, 3, "\x81\x80\x00"}, {-1, true, 2, "\xff\x7f"},
		{-1, false, 0, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"},
	} {
		if got := string(appendLEB(nil, x.v, x.signed, x.min)); got != x.want {
			t.Errorf("%d: % x, want % x", x.v, got, x.want)
		}
	}
}

// A short jump over exactly 127 bytes stays short, over 128 it grows.
func TestRelaxationLimit(t *testing.T) {
	for n, want := range map[uint64]int{127: 2 + 127 + 1, 128: 5 + 128 + 1} {
		o := toyStreamer()
		var in Inst
		l := o.Context().Temp("tmp")
		o.Inst(in.Set(1, ExprOp(o.Context().Ref(l, ModNone))), nil)
		o.Fill(n, 1, 7)
		o.Label(l)
		o.Inst(in.Set(9), nil)
		obj, err := o.Object()
		if err != nil {
			t.Fatal(err)
		}
		if d := obj.Sections[0].Data; len(d) != want || len(obj.Sections[0].Relocs) != 0 {
			t.Errorf("over %d bytes: %d bytes, want %d", n, len(d), want)
		}
	}
}

// A chain in which each jump grows because the next one did needs no more passes
// than the cap allows.
func TestRelaxationChain(t *testing.T) {
	o := toyStreamer()
	c := o.Context()
	var in Inst
	const n = 20000
	labels := make([]Sym, n+1)
	for i := range labels {
		labels[i] = c.Temp("tmp")
	}
	// Each jump just reaches, over two others; the last one does not.
	for i := range n {
		o.Label(labels[i])
		off := int64(3)
		if i == n-1 {
			off = 150
		}
		o.Inst(in.Set(1, ExprOp(c.RefOff(labels[min(i+3, n)], ModNone, off))), nil)
		o.Fill(40, 1, 7)
	}
	o.Label(labels[n])
	o.Fill(200, 1, 7)
	obj, err := o.Object()
	if err != nil {
		t.Fatal(err)
	}
	// All but the two before the last, whose targets are nearer.
	if got, want := obj.Sections[0].Size, uint64(n*42+200+3*n); got != want && got != want-6 {
		t.Errorf("%d bytes, want %d", got, want)
	}
}

func TestObjectErrors(t *testing.T) {
	for _, x := range []struct {
		want string
		f    func(o *ObjectStreamer, c *Context)
	}{
		{"symbol 'x' is already defined", func(o *ObjectStreamer, c *Context) { o.Label(c.Symbol("x")); o.Label(c.Symbol("x")) }},
		{"module asm: not supported", func(o *ObjectStreamer, c *Context) { o.Raw("nop") }},
		{"cannot have non-zero bytes", func(o *ObjectStreamer, c *Context) { o.SwitchSection(c.BSSSection()); o.Int(1, 4) }},
		{"no .cfi_endproc", func(o *ObjectStreamer, c *Context) { o.StartProc(false) }},
		{"between .cfi_startproc", func(o *ObjectStreamer, c *Context) { o.CFI(CFI{Op: CFIDefCfaOffset}) }},
		{"the size of symbol 'x' is not a constant", func(o *ObjectStreamer, c *Context) {
			o.Label(c.Symbol("x"))
			o.Size(c.Symbol("x"), c.Ref(c.Symbol("y"), ModNone))
		}},
		{"expected relocatable expression", func(o *ObjectStreamer, c *Context) {
			o.Value(c.Binary(OpMul, c.Ref(c.Symbol("y"), ModNone), c.Const(2)), 4)
		}},
		{".uleb128 expression is not absolute", func(o *ObjectStreamer, c *Context) { o.ULEB128(c.Ref(c.Symbol("y"), ModNone)) }},
		{"2 GiB", func(o *ObjectStreamer, c *Context) { o.Zeros(1 << 40) }},
	} {
		o := toyStreamer()
		x.f(o, o.Context())
		if _, err := o.Object(); err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("got %v, want %q", err, x.want)
		}
	}
}

// Definitions in two chunks clash; attributes of a symbol add up.
func TestJoin(t *testing.T) {
	o := toyStreamer()
	chunk := func(f func(s Streamer, x Sym)) {
		k := o.Fork()
		k.SwitchSection(k.Context().TextSection())
		f(k, k.Context().Symbol("x"))
		o.Join(k)
	}
	chunk(func(s Streamer, x Sym) { s.Attribute(x, AttrGlobal); s.Int(1, 1); s.Label(x) })
	chunk(func(s Streamer, x Sym) {
		s.Attribute(x, AttrHidden)
		s.Value(s.Context().Ref(x, ModNone), 8)
	})
	if err := o.Err(); err != nil {
		t.Fatal(err)
	}
	y := o.Context().At(o.Context().Lookup("x"))
	if y.Binding != BindGlobal || y.Vis != VisHidden || y.Offset != 1 {
		t.Errorf("%+v", y)
	}
	chunk(func(s Streamer, x Sym) { s.Label(x) })
	if err := o.Err(); err == nil || !strings.Contains(err.Error(), "symbol 'x' is already defined") {
		t.Errorf("got %v", err)
	}
}

// A fork is cut again and again: what one chunk said is not in the next, and
// chunks stay as they were cut.
func TestCut(t *testing.T) {
	o := toyStreamer()
	k := o.Fork()
	cut := func(name string, v uint64) Streamer {
		k.SwitchSection(k.Context().TextSection())
		k.Label(k.Context().Symbol(name))
		k.Value(k.Context().Ref(k.Context().Symbol("shared"), ModNone), 8)
		k.Int(v, 2)
		return k.Cut()
	}
	first, second := cut("a", 0x1111), cut("b", 0x2222)
	if n := k.Context().NumSymbols(); n != 1 {
		t.Errorf("%d symbols after a cut", n)
	}
	for _, c := range []Streamer{first, second} {
		if err := o.Join(c); err != nil {
			t.Fatal(err)
		}
	}
	obj, err := o.Object()
	if err != nil {
		t.Fatal(err)
	}
	want := "\x00\x00\x00\x00\x00\x00\x00\x00\x11\x11\x00\x00\x00\x00\x00\x00\x00\x00\x22\x22"
	if s := obj.Sections[0]; string(s.Data) != want || len(s.Relocs) != 2 || s.Relocs[1].Offset != 10 {
		t.Errorf("%x, relocations %+v", s.Data, s.Relocs)
	}
	c := o.Context()
	if a, b := c.At(c.Lookup("a")), c.At(c.Lookup("b")); a.Offset != 0 || b.Offset != 10 {
		t.Errorf("a at %d, b at %d", a.Offset, b.Offset)
	}
}

// A chunk that nothing else can change is settled when it is cut: labels that
// only its jumps name are gone. The object is that of one streamer.
func TestCutSettled(t *testing.T) {
	emit := func(s Streamer, name, outside string) {
		c := s.Context()
		s.SwitchSection(c.TextSection())
		f, near, far := c.Symbol(name), c.Inner(), c.Inner()
		s.AlignCode(4, nil, 0)
		s.Label(f)
		s.StartProc(false)
		jump := func(to Sym) {
			var in Inst
			in.Set(1, ExprOp(c.Ref(to, ModNone)))
			s.Inst(&in, nil)
		}
		for range 3 {
			jump(near)
			jump(far)
		}
		s.CFI(CFI{Op: CFIDefCfaOffset, Offset: 16})
		s.AlignCode(3, nil, 5)
		s.Label(near)
		s.Zeros(125)
		s.Label(far)
		if outside != "" {
			jump(c.Symbol(outside))
		}
		s.Value(c.Ref(c.Symbol("y"), ModNone), 8)
		s.EndProc()
		s.Size(f, c.AddConst(c.Diff(far, f), 1))
		s.SwitchSection(c.ReadOnlySection())
		s.ULEB128(c.Diff(far, near))
		s.Value(c.Diff(near, f), 4)
		s.Value(c.Ref(far, ModNone), 8)
	}
	all := []struct{ name, outside string }{{"a", ""}, {"b", ""}, {"c", "a"}, {"d", ""}}
	o, straight := toyStreamer(), toyStreamer()
	k := o.Fork()
	for _, f := range all {
		emit(straight, f.name, f.outside)
		emit(k, f.name, f.outside)
		chunk := k.Cut().(*ObjectStreamer)
		text := &chunk.secs[chunk.order[0]]
		if settled := len(text.pieces) == 0; settled != (f.outside == "") {
			t.Errorf("%s: settled is %v", f.name, settled)
		} else if n := chunk.ctx.NumSymbols(); settled && n != 7 { // none, two sections, itself, y, and what .rodata names
			t.Errorf("%s: %d symbols", f.name, n)
		}
		if err := o.Join(chunk); err != nil {
			t.Fatal(err)
		}
	}
	got, err := o.Object()
	if err != nil {
		t.Fatal(err)
	}
	want, err := straight.Object()
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// The symbol that names a group stands before the section's; one that is nothing
// else is local, and one that is used as what it is. Chunks say the same.
func TestSignature(t *testing.T) {
	emit := func(s Streamer, group string, use bool) {
		c := s.Context()
		s.SwitchSection(c.Section(Section{Name: ".text." + group, Type: SecProgBits, Flags: FlagAlloc | FlagExec | FlagGroup, Group: group, Comdat: true, Unique: GenericSection}))
		s.Label(c.Symbol("f" + group))
		if use {
			s.Value(c.Ref(c.Symbol(group), ModNone), 8)
		}
	}
	o, straight := toyStreamer(), toyStreamer()
	k := o.Fork()
	for _, x := range []struct {
		group string
		use   bool
	}{{"plain", false}, {"used", true}} {
		emit(straight, x.group, x.use)
		emit(k, x.group, x.use)
		if err := o.Join(k.Cut()); err != nil {
			t.Fatal(err)
		}
	}
	for _, o := range []*ObjectStreamer{o, straight} {
		got, err := o.Object()
		if err != nil {
			t.Fatal(err)
		}
		if y := got.Symbols[0]; y != (ObjSymbol{Name: "plain", Section: SecSignature, Binding: BindLocal}) {
			t.Errorf("got %+v", got.Symbols)
		}
		n := slices.IndexFunc(got.Symbols, func(y ObjSymbol) bool { return y.Name == "used" })
		if n < 0 || got.Symbols[n].Section != SecUndefined || got.Symbols[n].Binding != BindGlobal {
			t.Errorf("got %+v", got.Symbols)
		}
	}
}

// Emission of instructions does not allocate once buffers have grown.
func TestNoAllocation(t *testing.T) {
	o := toyStreamer()
	var in Inst
	in.Set(9, Imm(1))
	o.secs[o.cur].buf = make([]byte, 0, 1<<16)
	if n := testing.AllocsPerRun(1000, func() { o.Inst(&in, nil) }); n != 0 {
		t.Errorf("%v allocations an instruction", n)
	}
}

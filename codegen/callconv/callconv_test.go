package callconv

import (
	"testing"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/facts"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
)

// table is made by hand, so that the interpreter is tested without the generator.
type builder struct{ code []uint16 }

func (b *builder) action(op desc.CCOp, words ...uint16) *builder {
	b.code = append(append(b.code, uint16(op), uint16(2+len(words))), words...)
	return b
}

func (b *builder) table() *desc.CCTable {
	return &desc.CCTable{Convs: []desc.CCDesc{{Name: "CC"}}, Code: append(b.code, uint16(desc.CCEnd)), Preds: []string{"odd"}, Customs: []string{"c"}}
}

func newState(t *testing.T, tab *desc.CCTable, cc uint16, varArg bool) *State {
	t.Helper()
	in, err := facts.X86()
	if err != nil {
		t.Fatal(err)
	}
	i, err := Bind(in, tab, map[string]Pred{"odd": func(_ *State, v *Value) bool { return v.Arg%2 == 1 }},
		map[string]Custom{"c": func(s *State, v *Value) bool {
			if v.Flags&desc.CCInReg == 0 {
				return false
			}
			s.AddStack(v, s.AllocateStack(3, 1))
			return true
		}})
	if err != nil {
		t.Fatal(err)
	}
	return i.NewState(nil, cc, varArg)
}

func regNamed(t *testing.T, name string) uint16 {
	t.Helper()
	in, err := facts.X86()
	if err != nil {
		t.Fatal(err)
	}
	r, ok := in.RegByName(name)
	if !ok {
		t.Fatal(name)
	}
	return uint16(r)
}

func TestAssignToReg(t *testing.T) {
	eax, rax, edx, xmm0 := regNamed(t, "eax"), regNamed(t, "rax"), regNamed(t, "edx"), regNamed(t, "xmm0")
	b := new(builder).action(desc.CCAssignWithShadow, 2, eax, edx, 1, xmm0).action(desc.CCAssignToStack, 0, 0)
	s := newState(t, b.table(), 0, false)
	for n, want := range []Loc{{Reg: desc.PhysReg(eax)}, {Reg: desc.PhysReg(edx)}, {Off: 0}, {Off: 4}} {
		v := Value{Arg: n, VT: desc.MVTi32}
		if !s.Place(0, &v) {
			t.Fatal(n)
		}
		if l := s.Locs[n]; l.Reg != want.Reg || l.Off != want.Off || l.Arg != n {
			t.Errorf("value %d: register %d offset %d, want %d %d", n, l.Reg, l.Off, want.Reg, want.Off)
		}
	}
	if !s.IsTaken(desc.PhysReg(rax)) {
		t.Error("EAX is taken, RAX is free")
	}
	if !s.IsTaken(desc.PhysReg(xmm0)) {
		t.Error("the shadow of EAX is free")
	}
	if s.Stack != 8 || s.MaxAlign != 4 {
		t.Errorf("stack %d, alignment %d", s.Stack, s.MaxAlign)
	}
}

func TestChanges(t *testing.T) {
	to := func(op desc.CCOp, m desc.MVT) *builder {
		return new(builder).action(op, uint16(m)).action(desc.CCAssignToStack, 8, 8)
	}
	for _, c := range []struct {
		op    desc.CCOp
		flags desc.CCFlags
		want  LocInfo
	}{
		{desc.CCPromoteToType, 0, AExt}, {desc.CCPromoteToType, desc.CCSExt, SExt}, {desc.CCPromoteToType, desc.CCZExt, ZExt},
		{desc.CCPromoteToUpper, 0, AExtUpper}, {desc.CCPromoteToUpper, desc.CCSExt, SExtUpper}, {desc.CCPromoteToUpper, desc.CCZExt, ZExtUpper},
		{desc.CCBitConvert, 0, BCvt}, {desc.CCTruncToType, 0, Trunc}, {desc.CCPassIndirect, 0, Indirect},
	} {
		s := newState(t, to(c.op, desc.MVTi64).table(), 0, false)
		v := Value{VT: desc.MVTi16, Flags: c.flags}
		if !s.Place(0, &v) {
			t.Fatal(c)
		}
		if l := s.Locs[0]; l.LocVT != desc.MVTi64 || l.VT != desc.MVTi16 || l.Info != c.want {
			t.Errorf("operation %d, flags %x: %v to %v by %v, want %v", c.op, c.flags, l.VT, l.LocVT, l.Info, c.want)
		}
	}
}

func TestConditions(t *testing.T) {
	stack := []uint16{uint16(desc.CCAssignToStack), 4, 8, 8}
	for _, c := range []struct {
		name   string
		pred   []uint16
		v      Value
		cc     uint16
		varArg bool
		want   bool
	}{
		{"flag", []uint16{3}, Value{Flags: desc.CCSRet}, 0, false, true},
		{"no flag", []uint16{3}, Value{Flags: desc.CCNest}, 0, false, false},
		{"cc", []uint16{uint16(desc.CCPredConv) | 8}, Value{}, 8, false, true},
		{"other cc", []uint16{uint16(desc.CCPredConv) | 8}, Value{}, 0, false, false},
		{"vararg", []uint16{uint16(desc.CCPredVarArg)}, Value{}, 0, true, true},
		{"not vararg", []uint16{uint16(desc.CCPredVarArg), uint16(desc.CCPredNot)}, Value{}, 0, true, false},
		{"space", []uint16{uint16(desc.CCPredSpace), 3}, Value{Flags: desc.CCPointer, AddrSpace: 3}, 0, false, true},
		{"no pointer", []uint16{uint16(desc.CCPredSpace), 0}, Value{}, 0, false, false},
		{"function", []uint16{uint16(desc.CCPredFunc)}, Value{Arg: 1}, 0, false, true},
		{"and", []uint16{3, uint16(desc.CCPredVarArg), uint16(desc.CCPredAnd)}, Value{Flags: desc.CCSRet}, 0, false, false},
		{"or", []uint16{3, uint16(desc.CCPredVarArg), uint16(desc.CCPredOr)}, Value{Flags: desc.CCSRet}, 0, false, true},
	} {
		b := new(builder).action(desc.CCIf, append(append([]uint16{uint16(len(c.pred))}, c.pred...), stack...)...)
		s := newState(t, b.table(), c.cc, c.varArg)
		c.v.VT = desc.MVTi64
		if got := s.Place(0, &c.v); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestOtherActions(t *testing.T) {
	eax, ecx := regNamed(t, "eax"), regNamed(t, "ecx")
	b := new(builder)
	b.action(desc.CCIf, 1, 4, uint16(desc.CCPassByVal), 4, 8, 8) // isByVal
	b.action(desc.CCCustom, 0)
	b.action(desc.CCIfType, 1, uint16(desc.MVTi32), uint16(desc.CCAssignRegAndStack), 6, 1, eax, 8, 8)
	b.action(desc.CCAssignStackShadow, 16, 16, 1, ecx)
	s := newState(t, b.table(), 0, false)
	vals := []Value{
		{VT: desc.MVTi64, Flags: desc.CCByVal, ByValSize: 20, ByValAlign: 4},
		{VT: desc.MVTi32},
		{VT: desc.MVTi8, Flags: desc.CCInReg},
		{VT: desc.MVTf64},
	}
	for k := range vals {
		if !s.Place(0, &vals[k]) {
			t.Fatal(k)
		}
	}
	for k, want := range []Loc{{Off: 0}, {Reg: desc.PhysReg(eax), Off: 24, Shadow: true}, {Off: 32}, {Off: 48}} {
		if l := s.Locs[k]; l.Reg != want.Reg || l.Off != want.Off || l.Shadow != want.Shadow {
			t.Errorf("value %d: %d %d %v, want %+v", k, l.Reg, l.Off, l.Shadow, want)
		}
	}
	if !s.IsTaken(desc.PhysReg(ecx)) || s.Stack != 64 {
		t.Errorf("stack %d; or the shadow is free", s.Stack)
	}
}

// TestBind: a table that names functions that do not exist is refused.
func TestBind(t *testing.T) {
	in, err := facts.X86()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Bind(in, &desc.CCTable{Preds: []string{"x"}}, nil, nil); err == nil {
		t.Error("a predicate without a function")
	}
	if _, err := Bind(in, &desc.CCTable{Customs: []string{"x"}}, nil, nil); err == nil {
		t.Error("a custom convention without a function")
	}
}

func TestRegisters(t *testing.T) {
	rt := RegTypes{Legal: []desc.MVT{desc.MVTi8, desc.MVTi32, desc.MVTi64, desc.MVTf32, desc.MVTf64, desc.MVTv16i8, desc.MVTv4i32, desc.MVTv2i64, desc.MVTv4f32}}
	for _, c := range []struct {
		t    Type
		want desc.MVT
		n    int
	}{
		{Type{Kind: Int, Bits: 1}, desc.MVTi8, 1},
		{Type{Kind: Int, Bits: 9}, desc.MVTi32, 1},
		{Type{Kind: Int, Bits: 64}, desc.MVTi64, 1},
		{Type{Kind: Int, Bits: 65}, desc.MVTi64, 2},
		{Type{Kind: Int, Bits: 256}, desc.MVTi64, 4},
		{Type{Kind: Pointer, Bits: 64}, desc.MVTi64, 1},
		{Type{Kind: Float, Bits: 64, MVT: desc.MVTf64}, desc.MVTf64, 1},
		{Type{Kind: Float, Bits: 128, MVT: desc.MVTf128}, desc.MVTi64, 2},
		{Type{Kind: Float, Bits: 128, MVT: desc.MVTppcf128}, 0, 0},
		{Type{Kind: Int, Bits: 32, Elems: 4}, desc.MVTv4i32, 1},
		{Type{Kind: Int, Bits: 32, Elems: 2}, desc.MVTv4i32, 1},
		{Type{Kind: Int, Bits: 32, Elems: 3}, desc.MVTv4i32, 1},
		{Type{Kind: Int, Bits: 32, Elems: 8}, desc.MVTv4i32, 2},
		{Type{Kind: Int, Bits: 32, Elems: 5}, desc.MVTi32, 5},
		{Type{Kind: Int, Bits: 1, Elems: 4}, desc.MVTv4i32, 1},
		{Type{Kind: Int, Bits: 1, Elems: 32}, desc.MVTi8, 32},
		{Type{Kind: Int, Bits: 24, Elems: 4}, desc.MVTv4i32, 1},
		{Type{Kind: Int, Bits: 128, Elems: 2}, desc.MVTi64, 4},
		{Type{Kind: Float, Bits: 64, MVT: desc.MVTf64, Elems: 2}, desc.MVTf64, 2},
		{Type{}, 0, 0},
	} {
		if vt, n := rt.Registers(c.t); vt != c.want || n != c.n {
			t.Errorf("%+v: %d × %v, want %d × %v", c.t, n, vt, c.n, c.want)
		}
	}
}

func TestSource(t *testing.T) {
	dl, err := ir.ParseDataLayout("e-i64:64-i128:128")
	if err != nil {
		t.Fatal(err)
	}
	src := Source{Layout: dl, Regs: &RegTypes{Legal: []desc.MVT{desc.MVTi32, desc.MVTi64}}, NumFixed: 1,
		Consecutive: func(_ *ir.Types, ty ir.Type) bool { return ty == ir.Int128 }}
	arg := Arg{Type: ir.Int128, Attrs: ir.AttrSet{{Key: "zeroext"}}, Parts: []Part{{Type: ir.NoType, LLT: mir.Scalar(128)}}}
	vals, bad := src.Append(nil, 1, &arg)
	if bad >= 0 || len(vals) != 2 {
		t.Fatal(bad, len(vals))
	}
	all := desc.CCZExt | desc.CCVarArg | desc.CCConsecutiveRegs
	if vals[0].Flags != all|desc.CCSplit || vals[1].Flags != all|desc.CCSplitEnd|desc.CCConsecutiveRegsLast || vals[1].Word != 1 || vals[1].Words != 2 {
		t.Errorf("%+v", vals)
	}
	ptr := Arg{Type: ir.Ptr, Attrs: ir.AttrSet{{Key: "sret", Type: ir.Int64}}, Parts: []Part{{Type: ir.NoType, LLT: mir.Pointer(0, 64)}}}
	if vals, _ = src.Append(nil, 0, &ptr); len(vals) != 1 || vals[0].Flags != desc.CCSRet|desc.CCPointer {
		t.Errorf("%+v", vals)
	}
	bits := Arg{Type: ir.Double, Parts: []Part{{Type: ir.PPCFP128}}}
	if _, bad = src.Append(nil, 0, &bits); bad != 0 {
		t.Error("ppc_fp128 was passed")
	}
}

// A state that is started again has what it needs.
func TestStateReused(t *testing.T) {
	b := new(builder).action(desc.CCAssignToReg, 1, regNamed(t, "eax")).action(desc.CCAssignToStack, 8, 8)
	s := newState(t, b.table(), 0, false)
	vals := make([]Value, 6)
	n := testing.AllocsPerRun(10, func() {
		s.start(s.Interp, nil, 0, false)
		for k := range vals {
			vals[k] = Value{Arg: k, VT: desc.MVTi32}
			if !s.Place(0, &vals[k]) {
				t.Fatal(k)
			}
		}
	})
	if n != 0 || len(s.Locs) != len(vals) || s.Locs[0].Reg == 0 || s.Stack != 40 {
		t.Errorf("%v allocations, %d places, %d bytes of stack", n, len(s.Locs), s.Stack)
	}
}

package irpass

import (
	"strconv"

	"github.com/mirin-go/mirin/ir"
)

// SpaceSection is the section of a variable that stands in another address space
// and names none: all of a space share one, whether they change or not. "" for others.
func SpaceSection(g *ir.Global) string {
	if g.Kind != ir.GlobalVar || g.AddrSpace == 0 || g.Section != "" {
		return ""
	}
	return ".addr_space." + strconv.Itoa(int(g.AddrSpace))
}

// AssignSections gives the variables of a module the sections of their address spaces.
func AssignSections(m *ir.Module) {
	for _, id := range m.Vars {
		if g := m.Globals[id]; SpaceSection(g) != "" {
			g.Section, g.Constant = SpaceSection(g), false
		}
	}
}

// addressOps tells, as bits, which operands of an instruction are addresses in
// another space than 0 through which it reads or writes.
func addressOps(f *ir.Function, i ir.InstrID) (ops uint8) {
	at := func(n int) {
		if spaceOf(f, f.Op(i, n)) != 0 {
			ops |= 1 << n
		}
	}
	switch f.Instrs[i].Op {
	case ir.OpLoad, ir.OpCmpXchg, ir.OpAtomicRMW:
		at(0)
	case ir.OpStore:
		at(1)
	case ir.OpCall:
		switch f.IntrinsicOf(i) {
		case ir.IntrMemset, ir.IntrMemsetInline:
			at(0)
		case ir.IntrMemcpy, ir.IntrMemcpyInline, ir.IntrMemmove:
			at(0)
			at(1)
		}
	}
	return ops
}

func spaceOf(f *ir.Function, v ir.Value) uint32 {
	if v.Tag() == ir.TagGlobal { // without a look at a table that grows
		return f.Module.Globals[v.Index()].AddrSpace
	}
	t := f.TypeOf(v)
	if f.Module.Types.Kind(t) != ir.KindPointer {
		return 0
	}
	return f.Module.Types.AddrSpace(t)
}

// spaceCaster casts addresses to space 0, each once.
type spaceCaster struct {
	f     *ir.Function
	b     ir.Builder
	casts map[ir.Value]ir.Value
}

func newSpaceCaster(f *ir.Function) *spaceCaster {
	return &spaceCaster{f: f, b: ir.NewBuilder(f), casts: map[ir.Value]ir.Value{}}
}

func (s *spaceCaster) run() {
	f := s.f
	eachInstr(f, func(i ir.InstrID) {
		ops := addressOps(f, i)
		if ops == 0 {
			return
		}
		for n := range 2 {
			if ops>>n&1 == 0 {
				continue
			}
			old := f.Op(i, n)
			f.SetOp(i, n, s.cast(old))
			s.dropAddresses(old)
		}
		if f.Instrs[i].Op == ir.OpCall {
			s.retarget(i)
		}
	})
}

// cast is address v in space 0: a cast behind where it is computed, at the function's
// begin for arguments; addresses relative to another are computed anew.
func (s *spaceCaster) cast(v ir.Value) ir.Value {
	if c, ok := s.casts[v]; ok {
		return c
	}
	f := s.f
	var c ir.Value
	i := v.Instr()
	switch {
	case i == 0: // constants and variables
		t := f.Module.Types.Pointer(0)
		c = ir.ConstVal(f.Consts.Expr(ir.Const{Kind: ir.ConstExpr, Op: ir.OpAddrSpaceCast, Type: t}, []ir.Value{v}))
	case f.Instrs[i].Op == ir.OpGEP:
		base := s.cast(f.Op(i, 0))
		in := f.Instrs[i]
		in.Records = 0 // which are the old one's
		in.Type = s.f.Module.Types.Pointer(0)
		ops := append([]ir.Value(nil), f.Ops(i)...)
		ops[0] = base
		c = s.insertBehind(i, in, ops, f.ValueNames[i])
	default:
		in := ir.Instr{Op: ir.OpAddrSpaceCast, Type: f.Module.Types.Pointer(0)}
		at := i
		if f.Instrs[i].Op == ir.OpArgument {
			at = 0
		}
		c = s.insertBehind(at, in, []ir.Value{v}, f.ValueNames[i])
	}
	s.casts[v] = c
	return c
}

// insertBehind puts an instruction behind i, or, with 0, at the begin of the function; behind
// a PHI it stands behind all of them. A cast has the place of what it stands before.
func (s *spaceCaster) insertBehind(i ir.InstrID, in ir.Instr, ops []ir.Value, name string) ir.Value {
	f := s.f
	at := f.Blocks[f.Order[0]].First
	if i != 0 {
		if f.Instrs[i].Op == ir.OpInvoke {
			at = f.Blocks[f.Op(i, f.NumOps(i)-2).Block()].First
		} else {
			at = f.Instrs[i].Next
		}
	}
	for f.Instrs[at].Op == ir.OpPhi || f.Instrs[at].Op == ir.OpLandingPad {
		at = f.Instrs[at].Next
	}
	if in.Op == ir.OpAddrSpaceCast {
		in.Loc = f.Instrs[at].Loc
	}
	id := insert(f, at, in, ops...)
	if name != "" {
		f.ValueNames[id] = s.b.Unique(name)
	}
	return ir.Local(id)
}

// dropAddresses takes addresses away that nothing uses any more.
func (s *spaceCaster) dropAddresses(v ir.Value) {
	f := s.f
	for i := v.Instr(); i != 0 && f.Instrs[i].Op == ir.OpGEP && f.Instrs[i].Block != 0 && !f.HasUses(ir.Local(i)); i = v.Instr() {
		v = f.Op(i, 0)
		f.Erase(i)
	}
}

// retarget makes a call of an intrinsic on memory one of that on the spaces that its
// operands are in now.
func (s *spaceCaster) retarget(i ir.InstrID) {
	f := s.f
	x, callee := f.IntrinsicOf(i), f.NumOps(i)-1
	types := f.Module.Types
	args := []ir.Type{f.TypeOf(f.Op(i, 0)), f.TypeOf(f.Op(i, 1)), f.TypeOf(f.Op(i, 2)), ir.Int1}
	ft := types.Func(ir.Void, args, false)
	f.Instrs[i].SrcType = ft
	f.SetOp(i, callee, ir.IntrinsicVal(x))
}

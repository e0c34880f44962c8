package alias

import (
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/iranalysis"
	"github.com/mirin-go/mirin/mir"
)

// maxMemPairs bounds the pairs of memory operands that are compared.
const maxMemPairs = 16

// Memory answers whether instructions can touch the same memory, by what
// their memory operands say and what is known of the pointers of the IR. Metadata
// of types and scopes does not count, as in LLVM's questions about machine code.
type Memory struct {
	c  *pass.Context
	f  *mir.Function
	ir *iranalysis.Alias // made when first asked
	// Plain has different pointers of the IR taken for ones that may point to the same.
	Plain bool

	objects []ir.Value
}

// Reset begins with function f.
func (a *Memory) Reset(c *pass.Context, f *mir.Function) { a.c, a.f, a.ir = c, f, nil }

// MayAlias reports that one of the instructions may write what the other reads or writes.
func (a *Memory) MayAlias(x, y mir.InstrID) bool {
	f := a.f
	if f.Desc(x).IsCall() || f.Desc(y).IsCall() {
		return true
	}
	if !f.MayStore(x) && !f.MayStore(y) || !f.MayStore(x) && !f.MayLoad(x) || !f.MayStore(y) && !f.MayLoad(y) {
		return false
	}
	n, m := f.NumMem(x), f.NumMem(y)
	if n == 0 || m == 0 || n*m > maxMemPairs {
		return true
	}
	for k := range n {
		for l := range m {
			if a.overlap(f.MemOf(x, k), f.MemOf(y, l)) {
				return true
			}
		}
	}
	return false
}

// overlap reports that two accesses may share a byte.
func (a *Memory) overlap(x, y *mir.MemOperand) bool {
	xv, yv := x.PtrKind == mir.PtrValue, y.PtrKind == mir.PtrValue
	same := xv && yv && x.Ptr == y.Ptr
	if !same {
		if !xv && yv && a.isPrivate(x) || !yv && xv && a.isPrivate(y) {
			return false
		}
		same = !xv && !yv && x.PtrKind == y.PtrKind && x.Ptr == y.Ptr && x.PtrKind != mir.PtrNone && x.PtrKind != mir.PtrUnknownValue
	}
	sized := x.Size != mir.UnknownSize && y.Size != mir.UnknownSize
	if same && !x.ScalableSize && !y.ScalableSize {
		if !sized {
			return true
		}
		if x.Offset > y.Offset {
			x, y = y, x
		}
		return x.Offset+x.Size > y.Offset
	}
	if a.Plain || !xv || !yv || a.f.IR == nil {
		return true
	}
	xb, xo, xok := a.base(x)
	yb, yo, yok := a.base(y)
	if !xok || !yok {
		return true
	}
	if a.ir == nil {
		a.ir = iranalysis.NewAlias(a.f.IR, a.c.Machine.Layout)
	}
	low := min(xo, yo)
	return a.ir.Query(location(x, xb, xo-low), location(y, yb, yo-low)) != iranalysis.NoAlias
}

// base leads to a pointer that the analysis of the IR knows, and the offset of an
// access from it: code generation, and the reader of MIR, which has addresses in
// objects as texts, add constants of their own.
func (a *Memory) base(m *mir.MemOperand) (ir.Value, int64, bool) {
	v, off := ir.Value(m.Ptr), m.Offset
	for v.Const() != 0 && int(v.Const()) >= a.f.IR.Consts.Len() {
		pool := a.f.IRConsts()
		c := pool.At(v.Const())
		if c.Kind != ir.ConstExpr || c.Op != ir.OpGEP {
			return 0, 0, false
		}
		n, ok := a.c.Machine.Layout.ConstExprGEPOffset(a.f.Module, pool, v.Const())
		if !ok {
			return 0, 0, false
		}
		v, off = pool.Ops(v.Const())[0], off+n
	}
	return v, off, true
}

// location is what m accesses, off bytes behind ptr, and what is between.
func location(m *mir.MemOperand, ptr ir.Value, off int64) iranalysis.Location {
	l := iranalysis.Location{Ptr: ptr, Size: iranalysis.UnknownSize}
	if m.Size != mir.UnknownSize && !m.ScalableSize {
		l.Size = off + m.Size
	}
	return l
}

// isPrivate reports a base that no pointer of the IR leads to.
func (a *Memory) isPrivate(m *mir.MemOperand) bool {
	switch m.PtrKind {
	case mir.PtrGOT, mir.PtrConstantPool, mir.PtrJumpTable:
		return true
	case mir.PtrFixedStack:
		fi := int(int32(m.Ptr))
		o := a.f.Frame.Object(fi)
		if fi < 0 {
			return o.Flags&mir.FrameAliased == 0 && o.Flags&mir.FrameImmutable != 0
		}
		return o.Flags&mir.FrameSpill != 0
	}
	return false
}

// Objects lists the objects that an access through an IR value can touch, each
// known to be apart from all others; false when that is not known. The list is
// good until the next call.
func (a *Memory) Objects(m *mir.MemOperand) ([]ir.Value, bool) {
	if a.f.IR == nil {
		return nil, false
	}
	v, _, ok := a.base(m)
	if !ok {
		return nil, false
	}
	if a.ir == nil {
		a.ir = iranalysis.NewAlias(a.f.IR, a.c.Machine.Layout)
	}
	a.objects, ok = a.ir.Objects(a.objects[:0], v)
	return a.objects, ok
}

package mirverify

import (
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
)

// What the rules ask of the module's IR.

// fpBits is the width of a floating-point immediate, 0 when it is not known.
func (v *Verifier) fpBits(c *mir.FPImm) int {
	if v.f.Module == nil || c.Type == 0 {
		return 0
	}
	return v.f.Module.Types.FloatBits(c.Type)
}

// indexBits is the width of address arithmetic on a pointer type, 0 when the
// module does not say.
func (v *Verifier) indexBits(p mir.LLT) int {
	m := v.f.Module
	if m == nil || m.DataLayout == "" {
		return 0
	}
	if v.layout == nil || v.layoutText != m.DataLayout {
		l, err := ir.ParseDataLayout(m.DataLayout)
		if err != nil {
			return 0
		}
		v.layout, v.layoutText = l, m.DataLayout
	}
	return v.layout.IndexBits(p.AddrSpace())
}

// rangeBits is the width of the integers of !range metadata, 0 when it is not known.
func (v *Verifier) rangeBits(id ir.MDID) int {
	m := v.f.Module
	if m == nil {
		return 0
	}
	n := m.MD.At(id)
	if n == nil || n.Kind != ir.MDTuple || len(n.Ops) == 0 {
		return 0
	}
	c := m.MD.At(n.Ops[0])
	if c == nil || c.Kind != ir.MDConst || c.Type == 0 || m.Types.Kind(c.Type) != ir.KindInteger {
		return 0
	}
	return m.Types.IntBits(c.Type)
}

// hasSubprogram reports a function with debug information.
func (v *Verifier) hasSubprogram() bool {
	m := v.f.Module
	if m == nil {
		return false
	}
	id := m.Lookup(v.f.Name)
	if id == 0 {
		return false
	}
	for _, a := range m.Globals[id].MD {
		// Kind 0 is "dbg".
		if a.Kind == 0 {
			return true
		}
	}
	return false
}

package mirin

import (
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/irtext"
	"github.com/mirin-go/mirin/jit"
)

// signatureOf is what calls from Go have to know of a function's type.
func signatureOf(m *ir.Module, g *ir.Global) *jit.Signature {
	types := m.Types
	attrs := m.Attrs.At(g.Attrs)
	s := &jit.Signature{Variadic: types.IsVarArg(g.ValueType)}
	if !likeC(g.CC) {
		s.Convention = irtext.CallConvName(g.CC)
	}
	layout, _ := ir.ParseDataLayout(m.DataLayout)
	for i, t := range types.Subtypes(g.ValueType) {
		p := paramOf(m, t)
		set := attrs.Param(i)
		p.Signed = p.Signed || set.Has("signext")
		if a, ok := set.Get("byval"); ok && layout != nil {
			p.Kind, p.Size, p.Align = jit.ByVal, int(layout.AllocSize(types, a.Type)), int(layout.ABIAlign(types, a.Type))
			if al, ok := set.Get("align"); ok {
				p.Align = int(al.Int)
			}
		}
		if a, ok := set.Get("sret"); ok && layout != nil {
			p.Kind, p.Size = jit.SRet, int(layout.AllocSize(types, a.Type))
		}
		for _, key := range []string{"nest", "swiftself", "swifterror", "swiftasync", "inalloca", "preallocated"} {
			if set.Has(key) {
				p.Kind, p.Name = jit.Other, key+" "+p.String()
			}
		}
		s.Params = append(s.Params, p)
	}
	switch t := types.Result(g.ValueType); types.Kind(t) {
	case ir.KindVoid:
	case ir.KindStruct:
		for _, part := range types.Subtypes(t) {
			s.Results = append(s.Results, paramOf(m, part))
		}
	default:
		s.Results = []jit.Param{paramOf(m, t)}
	}
	return s
}

// likeC reports whether a calling convention is C's on x86-64 (ccc, fastcc, coldcc).
func likeC(cc uint16) bool { return cc == 0 || cc == 8 || cc == 9 }

// paramOf is a type as an argument or a result.
func paramOf(m *ir.Module, t ir.Type) jit.Param {
	switch m.Types.Kind(t) {
	case ir.KindInteger:
		if n := m.Types.IntBits(t); n <= 64 {
			return jit.Param{Kind: jit.Int, Bits: uint8(n)}
		}
	case ir.KindFloat:
		return jit.Param{Kind: jit.Float32}
	case ir.KindDouble:
		return jit.Param{Kind: jit.Float64}
	case ir.KindPointer:
		return jit.Param{Kind: jit.Pointer}
	}
	return jit.Param{Kind: jit.Other, Name: string(irtext.AppendType(nil, m.Types, t))}
}

package irtext

import (
	"strconv"

	"github.com/mirin-go/mirin/ir"
)

// AppendType appends a type as LLVM prints it. Identified structs without a
// name print as %"type N" by their handle; AppendModule numbers them.
func AppendType(b []byte, t *ir.Types, ty ir.Type) []byte { return appendType(b, t, ty, nil) }

func appendType(b []byte, t *ir.Types, ty ir.Type, nums map[ir.Type]int) []byte {
	switch ty {
	case ir.Ptr:
		return append(b, "ptr"...)
	case ir.Int32:
		return append(b, "i32"...)
	case ir.NoType:
		return append(b, "<no type>"...)
	}
	switch t.Kind(ty) {
	case ir.KindInteger:
		b = append(b, 'i')
		return strconv.AppendInt(b, int64(t.IntBits(ty)), 10)
	case ir.KindPointer:
		b = append(b, "ptr addrspace("...)
		b = strconv.AppendUint(b, uint64(t.AddrSpace(ty)), 10)
		return append(b, ')')
	case ir.KindArray:
		b = append(b, '[')
		b = strconv.AppendUint(b, t.NumElems(ty), 10)
		b = append(b, " x "...)
		b = appendType(b, t, t.Elem(ty), nums)
		return append(b, ']')
	case ir.KindVector, ir.KindScalableVector:
		b = append(b, '<')
		if t.Kind(ty) == ir.KindScalableVector {
			b = append(b, "vscale x "...)
		}
		b = strconv.AppendUint(b, t.NumElems(ty), 10)
		b = append(b, " x "...)
		b = appendType(b, t, t.Elem(ty), nums)
		return append(b, '>')
	case ir.KindStruct:
		if !t.IsIdentified(ty) {
			return appendStructBody(b, t, ty, nums)
		}
		if n := t.StructName(ty); n != "" {
			return ir.AppendName(append(b, '%'), n)
		}
		b = append(b, '%')
		if n, ok := nums[ty]; ok {
			return strconv.AppendInt(b, int64(n), 10)
		}
		b = append(b, `"type `...)
		b = strconv.AppendUint(b, uint64(ty), 10)
		return append(b, '"')
	case ir.KindFunction:
		b = appendType(b, t, t.Result(ty), nums)
		b = append(b, " ("...)
		for i, p := range t.Subtypes(ty) {
			if i > 0 {
				b = append(b, ", "...)
			}
			b = appendType(b, t, p, nums)
		}
		if t.IsVarArg(ty) {
			if len(t.Subtypes(ty)) > 0 {
				b = append(b, ", "...)
			}
			b = append(b, "..."...)
		}
		return append(b, ')')
	case ir.KindTargetExt:
		b = append(b, `target("`...)
		b = ir.AppendEscaped(b, t.StructName(ty))
		b = append(b, '"')
		for _, p := range t.Subtypes(ty) {
			b = append(b, ", "...)
			b = appendType(b, t, p, nums)
		}
		for _, n := range t.TargetInts(ty) {
			b = append(b, ", "...)
			b = strconv.AppendUint(b, n, 10)
		}
		return append(b, ')')
	}
	return append(b, primitiveNames[t.Kind(ty)]...)
}

var primitiveNames = [...]string{
	ir.KindNone: "", ir.KindVoid: "void", ir.KindLabel: "label", ir.KindMetadata: "metadata", ir.KindToken: "token", ir.KindX86AMX: "x86_amx",
	ir.KindHalf: "half", ir.KindBFloat: "bfloat", ir.KindFloat: "float", ir.KindDouble: "double", ir.KindX86FP80: "x86_fp80",
	ir.KindFP128: "fp128", ir.KindPPCFP128: "ppc_fp128", ir.KindTargetExt: "",
}

func appendStructBody(b []byte, t *ir.Types, ty ir.Type, nums map[ir.Type]int) []byte {
	if t.IsOpaque(ty) {
		return append(b, "opaque"...)
	}
	packed := t.IsPacked(ty)
	if packed {
		b = append(b, '<')
	}
	if m := t.Subtypes(ty); len(m) == 0 {
		b = append(b, "{}"...)
	} else {
		b = append(b, "{ "...)
		for i, e := range m {
			if i > 0 {
				b = append(b, ", "...)
			}
			b = appendType(b, t, e, nums)
		}
		b = append(b, " }"...)
	}
	if packed {
		b = append(b, '>')
	}
	return b
}

// AppendStructBody appends the members of an identified struct: { … } or opaque.
func AppendStructBody(b []byte, t *ir.Types, ty ir.Type) []byte {
	if t.IsOpaque(ty) {
		return append(b, "opaque"...)
	}
	if t.IsPacked(ty) {
		b = append(b, '<')
	}
	b = append(b, '{')
	for i, s := range t.Subtypes(ty) {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, ' ')
		b = AppendType(b, t, s)
	}
	b = append(b, ' ', '}')
	if t.IsPacked(ty) {
		b = append(b, '>')
	}
	return b
}

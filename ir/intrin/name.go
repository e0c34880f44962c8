package intrin

import (
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/ir"
)

// MangledName returns the function's name with its overloaded types: "llvm.memcpy.p0.p0.i64".
func (id ID) MangledName(t *ir.Types, over []ir.Type) string {
	b := []byte(id.Name())
	for _, ty := range over {
		b = append(b, '.')
		b = appendMangled(b, t, ty)
	}
	return string(b)
}

// UnnamedType reports whether a type contains an identified struct without a
// name, which the mangling cannot tell from others.
func UnnamedType(t *ir.Types, ty ir.Type) bool {
	switch t.Kind(ty) {
	case ir.KindArray, ir.KindVector, ir.KindScalableVector:
		return UnnamedType(t, t.Elem(ty))
	case ir.KindStruct:
		if t.IsIdentified(ty) {
			return t.StructName(ty) == ""
		}
	case ir.KindFunction:
		if UnnamedType(t, t.Result(ty)) {
			return true
		}
	}
	for _, s := range t.Subtypes(ty) {
		if UnnamedType(t, s) {
			return true
		}
	}
	return false
}

func appendMangled(b []byte, t *ir.Types, ty ir.Type) []byte {
	switch t.Kind(ty) {
	case ir.KindPointer:
		b = append(b, 'p')
		return strconv.AppendUint(b, uint64(t.AddrSpace(ty)), 10)
	case ir.KindArray:
		b = append(b, 'a')
		b = strconv.AppendUint(b, t.NumElems(ty), 10)
		return appendMangled(b, t, t.Elem(ty))
	case ir.KindVector, ir.KindScalableVector:
		if t.Kind(ty) == ir.KindScalableVector {
			b = append(b, "nx"...)
		}
		b = append(b, 'v')
		b = strconv.AppendUint(b, t.NumElems(ty), 10)
		return appendMangled(b, t, t.Elem(ty))
	case ir.KindStruct:
		if t.IsIdentified(ty) {
			b = append(b, "s_"...)
			b = append(b, t.StructName(ty)...)
			return append(b, 's')
		}
		b = append(b, "sl_"...)
		for _, s := range t.Subtypes(ty) {
			b = appendMangled(b, t, s)
		}
		return append(b, 's')
	case ir.KindFunction:
		b = append(b, "f_"...)
		b = appendMangled(b, t, t.Result(ty))
		for _, s := range t.Subtypes(ty) {
			b = appendMangled(b, t, s)
		}
		if t.IsVarArg(ty) {
			b = append(b, "vararg"...)
		}
		return append(b, 'f')
	case ir.KindTargetExt:
		b = append(b, 't')
		b = append(b, t.StructName(ty)...)
		for _, s := range t.Subtypes(ty) {
			b = append(b, '_')
			b = appendMangled(b, t, s)
		}
		for _, n := range t.TargetInts(ty) {
			b = append(b, '_')
			b = strconv.AppendUint(b, n, 10)
		}
		return append(b, 't')
	case ir.KindInteger:
		b = append(b, 'i')
		return strconv.AppendInt(b, int64(t.IntBits(ty)), 10)
	case ir.KindVoid:
		return append(b, "isVoid"...)
	case ir.KindMetadata:
		return append(b, "Metadata"...)
	case ir.KindHalf:
		return append(b, "f16"...)
	case ir.KindBFloat:
		return append(b, "bf16"...)
	case ir.KindFloat:
		return append(b, "f32"...)
	case ir.KindDouble:
		return append(b, "f64"...)
	case ir.KindX86FP80:
		return append(b, "f80"...)
	case ir.KindFP128:
		return append(b, "f128"...)
	case ir.KindPPCFP128:
		return append(b, "ppcf128"...)
	case ir.KindX86AMX:
		return append(b, "x86amx"...)
	}
	return b
}

// combo is a parsed line of the table of attributes.
type combo struct {
	fn    ir.AttrSet
	place []int // parameter number plus one, 0 for the result
	sets  []ir.AttrSet
	// rng marks sets with a range, whose type is the parameter's.
	rng []bool
}

// AttrList returns the attributes that LLVM gives the intrinsic's declaration.
func (id ID) AttrList(m *ir.Module, ft ir.Type) ir.AttrListID {
	c := parseCombo(id.attrs())
	l := &ir.AttrList{Fn: c.fn}
	params := m.Types.Subtypes(ft)
	for i, at := range c.place {
		set := c.sets[i]
		if c.rng[i] && at > len(params) {
			continue
		}
		if c.rng[i] {
			t := m.Types.Result(ft)
			if at > 0 {
				t = params[at-1]
			}
			set = append(ir.AttrSet(nil), set...)
			for k := range set {
				if set[k].Key == "range" {
					set[k].Type = m.Types.Scalar(t)
					set[k].Value = signedBounds(set[k].Value, m.Types.IntBits(set[k].Type))
				}
			}
		}
		if at == 0 {
			l.Ret = set
			continue
		}
		for len(l.Params) < at {
			l.Params = append(l.Params, nil)
		}
		l.Params[at-1] = set
	}
	return m.Attrs.Intern(l)
}

// signedBounds prints the two bounds of a range as numbers of a width with a sign.
func signedBounds(s string, width int) string {
	if width == 0 || width > 64 {
		return s
	}
	parts := strings.Split(s, ", ")
	for i, p := range parts {
		if n, err := strconv.ParseInt(p, 10, 64); err == nil {
			parts[i] = strconv.FormatInt(n<<(64-width)>>(64-width), 10)
		}
	}
	return strings.Join(parts, ", ")
}

func parseCombo(s string) *combo {
	c := &combo{}
	for i, part := range strings.Split(s, "|") {
		if i == 0 {
			c.fn, _ = parseSet(part)
			continue
		}
		num, text, _ := strings.Cut(part, ":")
		n, _ := strconv.Atoi(num)
		set, rng := parseSet(text)
		c.place, c.sets, c.rng = append(c.place, n), append(c.sets, set), append(c.rng, rng)
	}
	return c
}

// parseSet reads attributes as the table has them.
func parseSet(s string) (set ir.AttrSet, rng bool) {
	for s != "" {
		i := 0
		for i < len(s) && s[i] != ' ' && s[i] != '(' {
			i++
		}
		a := ir.Attr{Key: s[:i]}
		s = s[i:]
		if a.Key == "align" {
			arg, rest, _ := strings.Cut(s[1:], " ")
			a.Int, _ = strconv.ParseUint(arg, 10, 64)
			a.HasInt = true
			s = rest
		} else if strings.HasPrefix(s, "(") {
			end := strings.IndexByte(s, ')')
			arg := s[1:end]
			s = strings.TrimPrefix(s[end+1:], " ")
			n, err := strconv.ParseUint(arg, 10, 64)
			switch {
			case err == nil:
				a.Int, a.HasInt = n, true
			case strings.HasPrefix(arg, "% "):
				a.Value, rng = arg[2:], true
			default:
				a.Value = arg
			}
		} else {
			s = strings.TrimPrefix(s, " ")
		}
		set = append(set, a)
	}
	return set, rng
}

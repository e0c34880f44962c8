package globalisel

import (
	"github.com/mirin-go/mirin/codegen/callconv"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// Loc is where one word of a part goes, as generic instructions see it.
type Loc struct {
	Reg desc.PhysReg // 0: on the stack at Off
	Off int64
	// LLT is the type of the word there.
	LLT mir.LLT
	// Arg and Part name what it belongs to; Word counts from the low end, Words is their number.
	Arg, Part, Word, Words int
	// ByVal is the size of a copy that stands on the stack at Off, 0 for none.
	ByVal int64
	FP    bool
	// Flags are the properties of the argument that the convention saw.
	Flags desc.CCFlags
}

// Locs gives the places that a convention found for arguments. An integer is
// as wide as its place, everything else has its own type.
func Locs(s *callconv.State, args []target.CallArg) []Loc {
	out := make([]Loc, len(s.Locs))
	for k := range s.Locs {
		c := &s.Locs[k]
		l := Loc{Reg: c.Reg, Off: c.Off, Arg: c.Arg, Part: c.Part, Word: c.Word, Words: c.Words, Flags: c.Flags}
		p := args[c.Arg].Parts[c.Part]
		l.FP = IsFP(p)
		switch {
		case c.Flags&desc.CCByVal != 0 && c.Info != callconv.Indirect:
			l.ByVal, l.LLT = max(c.ByValSize, 1), p.LLT
		case l.FP || p.LLT.IsPointer():
			l.LLT = p.LLT
		default:
			l.LLT = mir.Scalar(c.LocVT.Bits())
		}
		out[k] = l
	}
	return out
}

// IsFP reports whether a part travels in FP registers: float, double, vectors.
func IsFP(p target.Part) bool {
	return p.Type == ir.Float || p.Type == ir.Double || p.LLT.IsVector()
}

// ExtensionOf is how an argument or result with these attributes is widened.
func ExtensionOf(attrs ir.AttrSet) desc.Opcode {
	switch {
	case attrs.Has("zeroext"):
		return desc.G_ZEXT
	case attrs.Has("signext"):
		return desc.G_SEXT
	}
	return desc.G_ANYEXT
}

// SplitWords gives the words of type t that make up v, low first, widening it by op.
func (b Builder) SplitWords(out []mir.Reg, op desc.Opcode, t mir.LLT, words int, v mir.Reg) []mir.Reg {
	if words == 1 {
		if b.Type(v).IsPointer() {
			return append(out, v)
		}
		return append(out, b.Resize(op, t, v))
	}
	wide := b.Resize(op, mir.Scalar(words*t.ScalarBits()), v)
	return b.Unmerge(out, t, wide)
}

// JoinWords makes d of words, low first, cutting off what is too much.
func (b Builder) JoinWords(d mir.Reg, words []mir.Reg) {
	t := b.Type(d)
	wide := words[0]
	if len(words) > 1 {
		wt := mir.Scalar(len(words) * b.Type(words[0]).ScalarBits())
		if wt == t {
			b.Merge(d, words)
			return
		}
		wide = b.New(wt)
		b.Merge(wide, words)
	}
	switch {
	case b.Type(wide) == t:
		b.Copy(d, wide)
	default:
		b.Build(desc.G_TRUNC, Def(d), Use(wide))
	}
}

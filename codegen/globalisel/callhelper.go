package globalisel

import (
	"slices"
	"strconv"

	"github.com/mirin-go/mirin/codegen/callconv"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// word is one word of a part of an argument or result, as generic instructions see it.
type word struct {
	*callconv.Loc
	// llt is the type of the word in its place.
	llt mir.LLT
	// byVal is the size of a copy that stands on the stack at Off, 0 for none.
	byVal int64
}

// placed are the places of arguments or of a result.
type placed struct {
	*callconv.State
	args  []callconv.Arg
	words []word
}

// placeWords joins what a convention found with the types of generic code: a number
// is as wide as its place, values of other types that one place holds keep theirs.
// The memory of words is used again.
func placeWords(st *target.Subtarget, s *callconv.State, args []callconv.Arg, words []word) (placed, string) {
	p := placed{State: s, args: args, words: slices.Grow(words[:0], len(s.Locs))[:len(s.Locs)]}
	for k := range s.Locs {
		l := &s.Locs[k]
		w := word{Loc: l, llt: mir.Scalar(l.LocVT.Bits())}
		part := args[l.Arg].Parts[l.Part]
		if h := st.Call.Refuse; h != nil {
			if why := h(st, s.CC, part, l); why != "" {
				return p, why
			}
		}
		switch {
		case l.Info == callconv.Indirect:
			return p, "passing a value by its address"
		case l.Flags&desc.CCByVal != 0 && l.Reg != 0:
			return p, "passing an aggregate by value in a register"
		case part.LLT.IsPointer() && part.LLT.ScalarBits() != l.LocVT.Bits():
			return p, "passing a pointer of " + strconv.Itoa(part.LLT.ScalarBits()) + " bits"
		case l.Flags&desc.CCByVal != 0:
			w.byVal, w.llt = max(l.ByValSize, 1), part.LLT
		case l.Words == 1 && (part.LLT.IsVector() || part.LLT.IsPointer()):
			w.llt = part.LLT
		case part.LLT.IsVector():
			n := part.LLT.NumElems() / l.Words
			if n*l.Words != part.LLT.NumElems() {
				return p, "passing a vector " + part.LLT.String() + " in pieces"
			}
			if w.llt = part.LLT.Elem(); n > 1 {
				w.llt = mir.Vector(n, part.LLT.Elem())
			}
		}
		p.words[k] = w
	}
	return p, ""
}

// eachPart calls do for the words of each part, the low one (the first element) first.
func (p *placed) eachPart(do func(arg *callconv.Arg, ws []word) error) error {
	for k := 0; k < len(p.words); {
		ws := p.words[k : k+p.words[k].Words]
		k += len(ws)
		if ws[0].Word != 0 {
			low := make([]word, len(ws))
			for _, w := range ws {
				low[w.Word] = w
			}
			ws = low
		}
		if err := do(&p.args[ws[0].Arg], ws); err != nil {
			return err
		}
	}
	return nil
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

// splitWords appends the words of type t that make up v, low first, widening it by op.
func (b Builder) splitWords(out []mir.Reg, op desc.Opcode, t mir.LLT, words int, v mir.Reg) []mir.Reg {
	switch from := b.Type(v); {
	case words > 1 && from.IsVector():
		return b.Unmerge(out, t, v)
	case words > 1:
		wide := b.Resize(op, mir.Scalar(words*t.ScalarBits()), v)
		return b.Unmerge(out, t, wide)
	case from.IsPointer(), from.IsVector():
		return append(out, v)
	}
	return append(out, b.Resize(op, t, v))
}

// joinWords makes d of words, low first, cutting off what is too much.
func (b Builder) joinWords(d mir.Reg, words []mir.Reg) {
	t := b.Type(d)
	wide := words[0]
	if len(words) > 1 {
		if t.IsVector() {
			b.Merge(d, words)
			return
		}
		wt := mir.Scalar(len(words) * b.Type(words[0]).ScalarBits())
		if wt == t {
			b.Merge(d, words)
			return
		}
		wide = b.New(wt)
		b.Merge(wide, words)
	}
	if b.Type(wide) == t {
		b.Copy(d, wide)
		return
	}
	b.Build(desc.G_TRUNC, Def(d), Use(wide))
}

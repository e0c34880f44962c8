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
	// indirect says that the place holds the address of the value, or of the copy.
	indirect bool
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
func placeWords(st *target.Subtarget, s *callconv.State, args []callconv.Arg, words []word, defines bool) (placed, string) {
	p := placed{State: s, args: args, words: slices.Grow(words[:0], len(s.Locs))[:len(s.Locs)]}
	for k := range s.Locs {
		l := &s.Locs[k]
		w := word{Loc: l, llt: mir.Scalar(l.LocVT.Bits())}
		part := args[l.Arg].Parts[l.Part]
		if h := st.Call.Refuse; h != nil {
			if why := h(st, s.CC, part, l, defines); why != "" {
				return p, why
			}
		}
		switch {
		case l.Info == callconv.Indirect && l.Words > 1:
			return p, "passing a value by several addresses"
		case l.Info == callconv.Indirect || l.Flags&desc.CCByVal != 0 && l.Reg != 0:
			w.indirect, w.llt = true, mir.Pointer(0, l.LocVT.Bits())
			if l.Flags&desc.CCByVal != 0 {
				w.byVal = max(l.ByValSize, 1)
			}
		case part.LLT.IsPointer() && part.LLT.ScalarBits() != l.LocVT.Bits():
			return p, "passing a pointer of " + strconv.Itoa(part.LLT.ScalarBits()) + " bits"
		case l.Flags&desc.CCByVal != 0:
			w.byVal, w.llt = max(l.ByValSize, 1), part.LLT
		case l.Words == 1 && part.LLT.IsPointer():
			w.llt = part.LLT
		case part.LLT.IsVector() && l.LocVT.IsVector():
			w.llt = mir.Vector(l.LocVT.Len(), mir.Scalar(l.LocVT.Elem().Bits()))
		case part.LLT.IsVector() && l.Words*l.LocVT.Bits() < part.LLT.Bits():
			return p, "passing a vector " + part.LLT.String() + " in pieces"
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
	case from == t && words == 1:
		return append(out, v)
	case from.IsVector():
		return b.splitVector(out, op, t, words, v)
	case words > 1:
		wide := b.Resize(op, mir.Scalar(words*t.ScalarBits()), v)
		return b.Unmerge(out, t, wide)
	case from.IsPointer():
		return append(out, v)
	}
	return append(out, b.Resize(op, t, v))
}

// joinWords makes d of words, low first, cutting off what is too much.
func (b Builder) joinWords(d mir.Reg, words []mir.Reg) {
	t := b.Type(d)
	wide := words[0]
	if t.IsVector() && (len(words) > 1 || b.Type(wide) != t) {
		b.joinVector(d, words)
		return
	}
	if len(words) > 1 {
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

// splitVector appends the words of type t, or vectors, that vector v lies in: its
// elements are widened by op to those of t, and what is left over is undefined.
func (b Builder) splitVector(out []mir.Reg, op desc.Opcode, t mir.LLT, words int, v mir.Reg) []mir.Reg {
	e, per := mir.Scalar(t.ScalarBits()), 1
	if t.IsVector() {
		per = t.NumElems()
	}
	from := b.Type(v)
	n := from.NumElems()
	if from.Elem().IsPointer() {
		v = b.Un(desc.G_PTRTOINT, mir.Vector(n, mir.Scalar(from.ScalarBits())), v)
	}
	if per == 1 && from.ScalarBits() > e.ScalarBits() && words%n == 0 {
		// Every element has words of its own.
		for _, x := range b.Unmerge(nil, mir.Scalar(from.ScalarBits()), v) {
			out = b.splitWords(out, op, t, words/n, x)
		}
		return out
	}
	if total := words * per; total >= n {
		v = b.Resize(op, mir.Vector(n, e), v)
		if total == n {
			return b.Unmerge(out, t, v)
		}
	} else {
		// Several elements lie in a word, as in memory.
		return b.Unmerge(out, t, b.Un(desc.G_BITCAST, mir.Scalar(words*t.Bits()), v))
	}
	es := b.Unmerge(nil, e, v)
	fill := b.New(e)
	b.BuildTo(desc.G_IMPLICIT_DEF, fill)
	for len(es) < words*per {
		es = append(es, fill)
	}
	if per == 1 {
		return append(out, es...)
	}
	for ; len(es) > 0; es = es[per:] {
		w := b.New(t)
		b.Merge(w, es[:per])
		out = append(out, w)
	}
	return out
}

// joinVector makes vector d of words that splitVector made of one.
func (b Builder) joinVector(d mir.Reg, words []mir.Reg) {
	t, wt := b.Type(d), b.Type(words[0])
	n, per := t.NumElems(), 1
	if wt.IsVector() {
		per = wt.NumElems()
	}
	v := words[0]
	switch total := len(words) * per; {
	case per == 1 && t.ScalarBits() > wt.ScalarBits() && len(words)%n == 0:
		es, k := make([]mir.Reg, n), len(words)/n
		for j := range es {
			es[j] = b.New(mir.Scalar(t.ScalarBits()))
			b.joinWords(es[j], words[j*k:(j+1)*k])
		}
		v = b.New(mir.Vector(n, mir.Scalar(t.ScalarBits())))
		b.Merge(v, es)
	case len(words) == 1 && total > n && total%n == 0 && wt.Elem() == t.Elem():
		u := b.F.New(desc.G_UNMERGE_VALUES, Def(d))
		for range total/n - 1 {
			b.F.AddOp(u, Def(b.New(t)))
		}
		b.F.AddOp(u, Use(v))
		b.Insert(u)
		return
	case total < n:
		whole := v
		if len(words) > 1 {
			whole = b.New(mir.Scalar(len(words) * wt.Bits()))
			b.Merge(whole, words)
		}
		b.Build(desc.G_BITCAST, Def(d), Use(b.Resize(desc.G_TRUNC, mir.Scalar(t.Bits()), whole)))
		return
	case total == n && len(words) > 1 && mir.Vector(n, mir.Scalar(wt.ScalarBits())) == t:
		b.Merge(d, words)
		return
	case total == n && len(words) > 1:
		v = b.New(mir.Vector(n, mir.Scalar(wt.ScalarBits())))
		b.Merge(v, words)
	case total > n:
		var es []mir.Reg
		for _, w := range words {
			if per == 1 {
				es = append(es, w)
			} else {
				es = b.Unmerge(es, mir.Scalar(wt.ScalarBits()), w)
			}
		}
		v = b.New(mir.Vector(n, mir.Scalar(wt.ScalarBits())))
		b.Merge(v, es[:n])
	}
	switch e := t.Elem(); {
	case e.IsPointer():
		b.Build(desc.G_INTTOPTR, Def(d), Use(v))
	case b.Type(v) == t:
		b.Copy(d, v)
	default:
		b.Build(desc.G_TRUNC, Def(d), Use(v))
	}
}

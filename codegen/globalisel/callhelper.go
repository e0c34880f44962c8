package globalisel

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// Convention says as data how a calling convention hands out registers and
// stack slots. Values wider than a word are several words.
type Convention struct {
	// Int are the registers of integers and pointers, as wide as a word of WordBits.
	Int      []desc.PhysReg
	WordBits int
	// FP are the registers of float, double and 128-bit vectors.
	FP []desc.PhysReg
	// MinInt is the least width that integers are extended to: 32 for arguments on x86-64.
	MinInt int
	// Sub gives the sub-register of an integer register that holds values of n bits.
	Sub func(in *desc.Info, r desc.PhysReg, n int) desc.PhysReg
	// PairAlign: the two words of an i128 are both in registers or both on the
	// stack, aligned to their size.
	PairAlign bool
	// RegsOnly: there are no stack slots (results).
	RegsOnly bool
}

// Loc is where one word of a part goes.
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
}

// Assigner hands out registers and slots in order of the arguments.
type Assigner struct {
	C     *Convention
	Facts *desc.Info
	Locs  []Loc
	// NumInt and NumFP count the registers used so far, Stack the bytes.
	NumInt, NumFP int
	Stack         int64
	// MaxAlign is the greatest alignment of a slot.
	MaxAlign int64
	// Full is set when RegsOnly and the registers did not suffice.
	Full bool
}

// Slot takes stack space.
func (a *Assigner) Slot(size, align int64) int64 {
	align = max(align, 8)
	a.Stack = (a.Stack + align - 1) &^ (align - 1)
	off := a.Stack
	a.Stack += (size + 7) &^ 7
	a.MaxAlign = max(a.MaxAlign, align)
	if a.C.RegsOnly {
		a.Full = true
	}
	return off
}

// IsFP reports whether a part travels in FP registers: float, double, vectors.
func IsFP(p target.Part) bool {
	return p.Type == ir.Float || p.Type == ir.Double || p.LLT.IsVector()
}

// IntWords returns the type and number of the words of an integer of n bits.
func (c *Convention) IntWords(n int) (t mir.LLT, words int) {
	if n > c.WordBits {
		return mir.Scalar(c.WordBits), (n + c.WordBits - 1) / c.WordBits
	}
	w := c.MinInt
	for w < n {
		w *= 2
	}
	return mir.Scalar(w), 1
}

// Part assigns one scalar part.
func (a *Assigner) Part(arg, part int, p target.Part) {
	l := Loc{Arg: arg, Part: part, Words: 1, LLT: p.LLT}
	switch {
	case IsFP(p):
		l.FP = true
		if a.NumFP < len(a.C.FP) {
			l.Reg = a.C.FP[a.NumFP]
			a.NumFP++
		} else {
			n := int64(p.LLT.Bytes())
			l.Off = a.Slot(n, n)
		}
		a.Locs = append(a.Locs, l)
		return
	case p.LLT.IsPointer():
		a.word(l, 8)
		return
	}
	n := p.LLT.ScalarBits()
	l.LLT, l.Words = a.C.IntWords(n)
	align := int64(8)
	if a.C.PairAlign && n == 128 {
		align = 16
		if a.NumInt+2 > len(a.C.Int) {
			off := a.Slot(16, 16)
			for w := range 2 {
				l.Word, l.Off = w, off+int64(8*w)
				a.Locs = append(a.Locs, l)
			}
			return
		}
	}
	for w := range l.Words {
		l.Word = w
		a.word(l, align)
	}
}

// word assigns one integer word.
func (a *Assigner) word(l Loc, align int64) {
	if a.NumInt < len(a.C.Int) {
		l.Reg = a.C.Sub(a.Facts, a.C.Int[a.NumInt], l.LLT.ScalarBits())
		a.NumInt++
	} else {
		l.Off = a.Slot(8, align)
	}
	a.Locs = append(a.Locs, l)
}

// All assigns all parts of one argument.
func (a *Assigner) All(arg int, parts []target.Part) {
	for k, p := range parts {
		a.Part(arg, k, p)
	}
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

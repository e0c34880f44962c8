package irtext

import (
	"strings"

	"github.com/mirin-go/mirin/ir"
)

// argNote is what LLVM prints in a comment before a constant argument of an
// intrinsic: the name of the argument and of its value.
type argNote struct {
	callee string // llvm.nvvm. and this, then nothing or the types
	arg    int
	name   string
	values []string
	rest   string // for all values behind these
}

// argNotes are the intrinsics of LLVM 22 whose definitions name arguments.
func argNotes() []argNote {
	return []argNote{
		{"tcgen05.mma.tensor", 5, "kind", []string{"f16", "tf32", "f8f6f4", "i8"}, ""},
		{"tcgen05.mma.tensor", 6, "cta_group", nil, ""},
		{"tcgen05.mma.tensor", 7, "collector", []string{"discard", "lastuse", "fill", "use"}, ""},
		{"tensormap.replace.elemtype", 1, "elemtype", []string{"u8", "u16", "u32", "s32", "u64", "s64", "f16", "f32", "f32.ftz", "f64",
			"bf16", "tf32", "tf32.ftz", "b4x16", "b4x16_p64", "b6x16_p32"}, ""},
		{"tensormap.replace.interleave.layout", 1, "interleave_layout", []string{"No interleave", "16B interleave", "32B interleave"}, ""},
		{"tensormap.replace.swizzle.mode", 1, "swizzle_mode", []string{"No swizzling", "32B swizzling", "64B swizzling", "128B swizzling", "96B swizzling"}, ""},
		{"tensormap.replace.swizzle.atomicity", 1, "swizzle_atomicity", []string{"16B", "32B", "32B + 8B flip", "64B"}, ""},
		{"tensormap.replace.fill.mode", 1, "fill_mode", []string{"Zero fill"}, "OOB-NaN fill"},
	}
}

// calleeArgNotes returns the named arguments of a callee, nil for nearly all.
func (p *printer) calleeArgNotes(callee ir.Value) []argNote {
	g := callee.Global()
	if g == 0 {
		return nil
	}
	name, ok := strings.CutPrefix(p.m.Globals[g].Name, "llvm.nvvm.t")
	if !ok {
		return nil
	}
	var out []argNote
	for _, a := range argNotes() {
		if rest, ok := strings.CutPrefix(name, a.callee[1:]); ok && (rest == "" || strings.HasPrefix(rest, ".p")) {
			out = append(out, a)
		}
	}
	return out
}

// argComment prints the comment before argument k.
func (p *printer) argComment(names []argNote, k int, v ir.Value) {
	c := v.Const()
	if c == 0 {
		return
	}
	r := p.f.Consts.At(c)
	if r.Kind != ir.ConstInt {
		return
	}
	for _, a := range names {
		if a.arg != k {
			continue
		}
		p.str("/* ")
		p.str(a.name)
		p.char('=')
		if r.Bits < uint64(len(a.values)) {
			p.str(a.values[r.Bits])
		} else {
			p.str(a.rest)
		}
		p.str(" */ ")
	}
}

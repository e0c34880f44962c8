package callconv

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
)

// Part is one register's worth of a value before the calling convention splits
// it further: a scalar leaf of an IR type and where it lies in it.
type Part struct {
	Type   ir.Type // a type without parts: integer, float, pointer, vector
	LLT    mir.LLT
	Offset int64 // bytes
}

// Arg is one argument or the result of a call or function.
type Arg struct {
	Type  ir.Type
	Attrs ir.AttrSet
	Parts []Part
	Regs  []mir.Reg // one per part
	Value ir.Value  // the IR value, 0 for library calls
}

// Source is what must be known about a function or call to cut its arguments
// into values.
type Source struct {
	Types  *ir.Types
	Layout *ir.DataLayout
	Regs   *RegTypes
	// NumFixed is the number of arguments that are not variable.
	NumFixed int
	// Consecutive reports arguments whose values must have neighbouring
	// registers; nil for none.
	Consecutive func(types *ir.Types, ty ir.Type) bool
}

// flagOf are the attributes of parameters that conventions ask about.
var flagOf = [...]struct {
	attr string
	flag desc.CCFlags
}{
	{"zeroext", desc.CCZExt}, {"signext", desc.CCSExt}, {"inreg", desc.CCInReg}, {"sret", desc.CCSRet}, {"byval", desc.CCByVal},
	{"byref", desc.CCByRef}, {"nest", desc.CCNest}, {"returned", desc.CCReturned}, {"inalloca", desc.CCInAlloca | desc.CCByVal},
	{"preallocated", desc.CCPreallocated | desc.CCByVal}, {"swiftself", desc.CCSwiftSelf}, {"swiftasync", desc.CCSwiftAsync},
	{"swifterror", desc.CCSwiftError},
}

// flags are the properties that attributes of a parameter give.
func flags(attrs ir.AttrSet) desc.CCFlags {
	f := desc.CCFlags(0)
	if len(attrs) == 0 {
		return 0
	}
	for _, x := range flagOf {
		if attrs.Has(x.attr) {
			f |= x.flag
		}
	}
	return f
}

// Append appends the values of argument n. The type that cannot be passed is
// returned as part number bad, else bad is -1.
func (src *Source) Append(vals []Value, n int, arg *Arg) (out []Value, bad int) {
	base := flags(arg.Attrs)
	if n >= src.NumFixed {
		base |= desc.CCVarArg
	}
	var bySize, byAlign int64
	if base&desc.CCByVal != 0 {
		bySize, byAlign = src.byVal(arg.Attrs)
	}
	consecutive := src.Consecutive != nil && arg.Type != 0 && src.Consecutive(src.Types, arg.Type)
	if consecutive {
		base |= desc.CCConsecutiveRegs
	}
	for k, p := range arg.Parts {
		t := typeOf(src.Types, src.Layout, p)
		vt, words := src.Regs.Registers(t)
		if words == 0 {
			return vals, k
		}
		for at := range words {
			v := Value{Arg: n, Part: k, Word: src.wordAt(t, vt, words, at), Words: words, VT: vt, LocVT: vt, Flags: base, AddrSpace: t.Space, ByValSize: bySize, ByValAlign: byAlign}
			if t.Kind == Pointer {
				v.Flags |= desc.CCPointer
			}
			if words > 1 && at == 0 {
				v.Flags |= desc.CCSplit
			}
			if words > 1 && at == words-1 {
				v.Flags |= desc.CCSplitEnd
			}
			if consecutive && k == len(arg.Parts)-1 && at == words-1 {
				v.Flags |= desc.CCConsecutiveRegsLast
			}
			vals = append(vals, v)
		}
	}
	return vals, -1
}

// wordAt says which word of a value comes at place at in the order of registers
// and stack slots: of a number the low one first, or the high one where memory
// has it first; the elements of a vector stay in order.
func (src *Source) wordAt(t Type, vt desc.MVT, words, at int) int {
	if words == 1 || src.Layout == nil || !src.Layout.BigEndian {
		return at
	}
	group := words // of the words of one number
	if t.Elems > 0 {
		group = 1
		if !vt.IsVector() {
			group = max(words/t.Elems, 1)
		}
	}
	return at - at%group + group - 1 - at%group
}

// byVal is size and alignment of the copy of an argument in memory.
func (src *Source) byVal(attrs ir.AttrSet) (size, align int64) {
	for _, k := range [...]string{"byval", "inalloca", "preallocated"} {
		if by, ok := attrs.Get(k); ok && by.Type != 0 {
			size = int64(src.Layout.SizeOf(src.Types, by.Type))
			align = int64(src.Layout.ABIAlign(src.Types, by.Type))
			break
		}
	}
	if al, ok := attrs.Get("align"); ok {
		align = int64(al.Int)
	}
	if al, ok := attrs.Get("alignstack"); ok {
		align = int64(al.Int)
	}
	return size, align
}

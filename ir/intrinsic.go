package ir

import (
	_ "embed"
	"encoding/binary"
	"strings"
)

//go:generate sh -c "go run github.com/mirin-go/mirin/tools/tblgen --gen-go-intrinsics --go-package ir -I $(llvm-config-22 --includedir) -o zz_intrinsics.go $(llvm-config-22 --includedir)/llvm/IR/Intrinsics.td"
//go:generate sh -c "go run github.com/mirin-go/mirin/tools/tblgen --gen-intrinsic-names -I $(llvm-config-22 --includedir) -o zz_intrinsics.bin $(llvm-config-22 --includedir)/llvm/IR/Intrinsics.td"

// Intrinsic is the one identity of an intrinsic function in IR, Machine IR and
// tables: LLVM 22's number of it. Those that belong to no target come first, by
// name, and have constants; then those of targets, by name. AddGlobal sets
// Global.Intrinsic by the name; package ir/intrin has signatures and attributes.
type Intrinsic uint16

const (
	// NotIntrinsic is every global whose name does not begin with "llvm.".
	NotIntrinsic Intrinsic = 0
	// IntrUnknown is something with a reserved name that is none of LLVM's intrinsics.
	IntrUnknown = ^Intrinsic(0)
)

// intrinsicNames is the table that tablegen/emit/intrinsics.AppendNames describes; it is read in place.
//
//go:embed zz_intrinsics.bin
var intrinsicNames string

// intrinsicName returns the bytes of the name of x; the last one has its upper
// bit set when the intrinsic is overloaded.
func intrinsicName(x Intrinsic) string {
	word := func(i int) int { return int(binary.LittleEndian.Uint32([]byte(intrinsicNames[i : i+4]))) }
	at, base := 8+4*int(x-1), 8+4*int(numIntrinsics)
	return intrinsicNames[base+word(at) : base+word(at+4)]
}

// compareIntrinsic compares the name of x with name as strings do.
func compareIntrinsic(x Intrinsic, name string) int {
	s := intrinsicName(x)
	for i := range len(s) {
		if i == len(name) {
			return 1
		}
		if a, b := s[i]&0x7f, name[i]; a != b {
			return int(a) - int(b)
		}
	}
	return len(s) - len(name)
}

// findIntrinsic looks for a name without "llvm.", 0 for none.
func findIntrinsic(name string) Intrinsic {
	for _, part := range [...][2]Intrinsic{{1, firstTargetIntrinsic}, {firstTargetIntrinsic, numIntrinsics}} {
		if x := lowerIntrinsic(part[0], part[1], name); x < part[1] && compareIntrinsic(x, name) == 0 {
			return x
		}
	}
	return 0
}

// lowerIntrinsic is the first of lo…hi-1, which are sorted, that is not less than name.
func lowerIntrinsic(lo, hi Intrinsic, name string) Intrinsic {
	for lo < hi {
		mid := lo + (hi-lo)/2
		if compareIntrinsic(mid, name) < 0 {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// LookupIntrinsic returns the intrinsic that a function name means:
// "llvm.memcpy.p0.p0.i64" is IntrMemcpy. The types of an overloaded one are not checked.
func LookupIntrinsic(name string) Intrinsic {
	rest, ok := strings.CutPrefix(name, "llvm.")
	if !ok {
		return NotIntrinsic
	}
	for base := rest; base != ""; {
		if x := findIntrinsic(base); x != 0 {
			if len(base) == len(rest) || x.Overloaded() {
				return x
			}
			break
		}
		dot := strings.LastIndexByte(base, '.')
		if dot < 0 {
			break
		}
		base = base[:dot]
	}
	return IntrUnknown
}

// TargetIntrinsics returns the intrinsics first…end-1 whose names begin with
// "llvm." and a target's prefix, as "x86.sse2.".
func TargetIntrinsics(prefix string) (first, end Intrinsic) {
	first = lowerIntrinsic(firstTargetIntrinsic, numIntrinsics, prefix)
	for end = first; end < numIntrinsics && strings.HasPrefix(end.bare(), prefix); {
		end++
	}
	return first, end
}

// Known reports an intrinsic of LLVM's.
func (i Intrinsic) Known() bool { return i > 0 && i < numIntrinsics }

// IsTarget reports an intrinsic of one target, as llvm.x86.sse2.pause.
func (i Intrinsic) IsTarget() bool { return i >= firstTargetIntrinsic && i < numIntrinsics }

// Overloaded reports whether the name of the intrinsic's functions has types as a suffix.
func (i Intrinsic) Overloaded() bool {
	if !i.Known() {
		return false
	}
	s := intrinsicName(i)
	return s[len(s)-1] >= 0x80
}

// bare is the name without "llvm.".
func (i Intrinsic) bare() string {
	s := intrinsicName(i)
	if n := len(s) - 1; s[n] >= 0x80 {
		return s[:n] + string(rune(s[n]&0x7f))
	}
	return s
}

// Name returns the name without type suffixes, as "llvm.memcpy", "" for what is no intrinsic.
func (i Intrinsic) Name() string {
	if !i.Known() {
		return ""
	}
	return "llvm." + i.bare()
}

// String returns the name without type suffixes, as "llvm.memcpy".
func (i Intrinsic) String() string {
	switch {
	case i == NotIntrinsic:
		return "not an intrinsic"
	case !i.Known():
		return "llvm.*"
	}
	return i.Name()
}

// IsMemTransfer reports memcpy, memcpy.inline and memmove.
func (i Intrinsic) IsMemTransfer() bool {
	return i == IntrMemcpy || i == IntrMemcpyInline || i == IntrMemmove
}

// IsDebug reports the llvm.dbg intrinsics.
func (i Intrinsic) IsDebug() bool { return i >= IntrDbgAssign && i <= IntrDbgValue }

// IntrinsicOf returns the intrinsic that a call site calls, NotIntrinsic for others.
func (f *Function) IntrinsicOf(i InstrID) Intrinsic {
	switch v := f.Callee(i); v.Tag() {
	case TagGlobal:
		return f.Module.Globals[v.Index()].Intrinsic
	case TagIntrinsic:
		return Intrinsic(v.Index())
	}
	return NotIntrinsic
}

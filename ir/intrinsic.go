package ir

import "strings"

// Intrinsic is a known intrinsic function. AddGlobal sets Global.Intrinsic by
// the name, so that passes compare numbers.
type Intrinsic uint16

// targetPrefixes are the first words of the names of target intrinsics.
var targetPrefixes = [...]string{
	"aarch64.", "amdgcn.", "arm.", "bpf.", "dx.", "hexagon.", "loongarch.", "mips.", "nvvm.", "ppc.", "r600.",
	"riscv.", "s390.", "spv.", "ve.", "wasm.", "x86.", "xcore.",
}

// LookupIntrinsic returns the intrinsic that a function name means:
// "llvm.memcpy.p0.p0.i64" is IntrMemCpy. The suffixes are not checked.
func LookupIntrinsic(name string) Intrinsic {
	rest, ok := strings.CutPrefix(name, "llvm.")
	if !ok {
		return NotIntrinsic
	}
	for _, p := range targetPrefixes {
		if strings.HasPrefix(rest, p) {
			return IntrTarget
		}
	}
	for base := rest; base != ""; {
		lo, hi := 0, len(intrinsicsByName)
		for lo < hi {
			mid := int(uint(lo+hi) / 2)
			if intrinsicNames[intrinsicsByName[mid]] < base {
				lo = mid + 1
			} else {
				hi = mid
			}
		}
		if lo < len(intrinsicsByName) && intrinsicNames[intrinsicsByName[lo]] == base {
			return intrinsicsByName[lo]
		}
		dot := strings.LastIndexByte(base, '.')
		if dot < 0 {
			break
		}
		base = base[:dot]
	}
	return IntrOther
}

// String returns the name without type suffixes, as "llvm.memcpy".
func (i Intrinsic) String() string {
	switch {
	case i == NotIntrinsic:
		return "not an intrinsic"
	case i >= numIntrinsics || intrinsicNames[i] == "":
		return "llvm.*"
	}
	return "llvm." + intrinsicNames[i]
}

// IsMemTransfer reports memcpy, memcpy.inline and memmove.
func (i Intrinsic) IsMemTransfer() bool {
	return i == IntrMemCpy || i == IntrMemCpyInline || i == IntrMemMove
}

// IsDebug reports the llvm.dbg intrinsics.
func (i Intrinsic) IsDebug() bool { return i >= IntrDbgDeclare && i <= IntrDbgDeclareValue }

// IntrinsicOf returns the intrinsic that a call site calls, NotIntrinsic for others.
func (f *Function) IntrinsicOf(i InstrID) Intrinsic {
	if g := f.Callee(i).Global(); g != 0 {
		return f.Module.Globals[g].Intrinsic
	}
	return NotIntrinsic
}

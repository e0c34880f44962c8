package autoupgrade

import (
	"strings"

	"github.com/mirin-go/mirin/triple"
)

// DataLayout returns the data layout string that LLVM 22 makes of an older one for a triple.
func DataLayout(dl, text string) string {
	t := triple.Parse(text)
	has := func(spec string) bool { return strings.Contains(dl, "-"+spec) || strings.HasPrefix(dl, spec) }
	switch t.Arch {
	case triple.AMDGCN:
		return amdgcnLayout(dl, has)
	case triple.R600:
		return elfMangling(add(dl, has("G"), "G1"))
	case triple.SPIR, triple.SPIR64, triple.SPIRV32, triple.SPIRV64:
		return add(dl, has("G"), "G1")
	case triple.RISCV64, triple.RISCV64BE, triple.LoongArch64:
		return strings.Replace(dl, "-n64-", "-n32:64-", 1)
	case triple.AArch64, triple.AArch64BE, triple.AArch64_32:
		if dl != "" && !strings.Contains(dl, "-Fn32") {
			dl += "-Fn32"
		}
		return mixedPointers(dl)
	case triple.PPC, triple.PPCLE, triple.PPC64, triple.PPC64LE:
		if t.IsPPC64() {
			dl = alignI128(dl)
		}
		if t.OS == triple.OSAIX {
			dl = aixLayout(dl)
		}
		return dl
	case triple.MIPS64, triple.MIPS64EL:
		if strings.Contains(dl, "m:m") {
			return dl
		}
		return alignI128(dl)
	case triple.SPARC, triple.SPARCV9, triple.SPARCEL, triple.Wasm32, triple.Wasm64:
		return alignI128(dl)
	case triple.X86, triple.X86_64:
		return x86Layout(dl, t)
	}
	return dl
}

// alignI128 adds the alignment of i128 behind that of i64.
func alignI128(dl string) string {
	const i64 = "-i64:64"
	if i := strings.Index(dl, i64); i >= 0 && !strings.Contains(dl, "-i128:128") {
		dl = dl[:i+len(i64)] + "-i128:128" + dl[i+len(i64):]
	}
	return dl
}

// aixLayout adds AIX's alignment of doubles, before that of the stack.
func aixLayout(dl string) string {
	const f64 = "-f64:32:64"
	if dl == "" || strings.Contains(dl, f64[1:]) {
		return dl
	}
	if i := strings.Index(dl, "-S128"); i >= 0 {
		return dl[:i] + f64 + dl[i:]
	}
	return dl + f64
}

func add(dl string, has bool, spec string) string {
	switch {
	case has:
		return dl
	case dl == "":
		return spec
	}
	return dl + "-" + spec
}

func elfMangling(dl string) string {
	switch {
	case strings.Contains(dl, "m:e"):
		return dl
	case dl == "":
		return "m:e"
	}
	return "m:e-" + dl
}

// amdgcnLayout adds the address spaces of constants and buffers.
func amdgcnLayout(dl string, has func(string) bool) string {
	old := dl
	dl = add(dl, has("G"), "G1")
	if !has("ni") {
		dl += "-ni:7:8:9"
	}
	if strings.HasSuffix(old, "ni:7") {
		dl += ":8:9"
	} else if strings.HasSuffix(old, "ni:7:8") {
		dl += ":9"
	}
	dl = add(dl, has("p7"), "p7:160:256:256:32")
	dl = add(dl, has("p8"), "p8:128:128:128:48")
	if p8 := "-p8:128:128-"; strings.Contains(old, p8) { // not what was the last
		dl = strings.Replace(dl, p8, "-p8:128:128:128:48-", 1)
	}
	dl = add(dl, has("p9"), "p9:192:256:256:32")
	return elfMangling(dl)
}

const pointerSpaces = "-p270:32:32-p271:32:32-p272:64:64"

// mixedPointers adds the address spaces of 32- and 64-bit pointers behind the mangling.
func mixedPointers(dl string) string {
	rest, ok := strings.CutPrefix(dl, "e-m:")
	if !ok {
		rest, ok = strings.CutPrefix(dl, "E-m:")
	}
	if !ok || strings.Contains(dl, pointerSpaces) || len(rest) < 2 || rest[0] < 'a' || rest[0] > 'z' || rest[1] != '-' {
		return dl
	}
	at := len("e-m:x")
	if strings.HasPrefix(dl[at:], "-p:32:32-") {
		at += len("-p:32:32")
	}
	return dl[:at] + pointerSpaces + dl[at:]
}

// x86Layout adds the address spaces of mixed pointer sizes and the alignment of i128.
func x86Layout(dl string, t triple.Triple) string {
	if dl == "" {
		return dl
	}
	dl = mixedPointers(dl)
	if !strings.Contains(dl, "-i128:128") && t.OS != triple.OSELFIAMCU && strings.HasPrefix(dl, "e") {
		// After the run of m, p and i specifications, when no more of them follow.
		at, run, ok := len(dl), true, true
		pos := 0
		for i, spec := range strings.Split(dl, "-") {
			if i > 0 {
				mpi := spec != "" && strings.IndexByte("mpi", spec[0]) >= 0
				if run && !mpi {
					run, at = false, pos-1
				} else if !run && mpi {
					ok = false
				}
			}
			pos += len(spec) + 1
		}
		if ok {
			dl = dl[:at] + "-i128:128" + dl[at:]
		}
	}
	if t.Arch == triple.X86 && t.IsMSVC() {
		dl = strings.Replace(dl, "-f80:32-", "-f80:128-", 1)
	}
	return dl
}

package autoupgrade

import "strings"

// DataLayout returns the data layout string that LLVM 22 makes of an older one for a triple.
func DataLayout(dl, triple string) string {
	arch, _, _ := strings.Cut(triple, "-")
	has := func(spec string) bool { return strings.Contains(dl, "-"+spec) || strings.HasPrefix(dl, spec) }
	is := func(prefixes ...string) bool {
		for _, p := range prefixes {
			if strings.HasPrefix(arch, p) {
				return true
			}
		}
		return false
	}
	switch {
	case is("amdgcn"):
		return amdgcnLayout(dl, has)
	case is("r600"):
		dl = add(dl, has("G"), "G1")
		return elfMangling(dl)
	case is("spirv32", "spirv64") || arch == "spir" || arch == "spir64":
		return add(dl, has("G"), "G1")
	case is("riscv64", "loongarch64"):
		return strings.Replace(dl, "-n64-", "-n32:64-", 1)
	case is("aarch64", "arm64"):
		if dl != "" && !strings.Contains(dl, "-Fn32") {
			dl += "-Fn32"
		}
		return mixedPointers(dl)
	case is("powerpc", "ppc") && strings.Contains(triple, "-aix"):
		if !strings.Contains(dl, "-f64:32:64") {
			if strings.HasPrefix(arch, "powerpc64") || strings.HasPrefix(arch, "ppc64") {
				const i64 = "-i64:64"
				if i := strings.Index(dl, i64); i >= 0 && !strings.Contains(dl, "-i128:128") {
					dl = dl[:i+len(i64)] + "-i128:128" + dl[i+len(i64):]
				}
			}
			for _, n := range [...]string{"-n32:64", "-n32"} {
				if i := strings.Index(dl, n); i >= 0 {
					return dl[:i+len(n)] + "-f64:32:64" + dl[i+len(n):]
				}
			}
		}
		return dl
	case is("sparc", "powerpc64", "ppc64", "wasm") || is("mips64") && !strings.Contains(dl, "m:m"):
		const i64 = "-i64:64"
		if i := strings.Index(dl, i64); i >= 0 && !strings.Contains(dl, "-i128:128") {
			dl = dl[:i+len(i64)] + "-i128:128" + dl[i+len(i64):]
		}
		return dl
	case is("s390x", "systemz"):
		return dl
	}
	return x86Layout(dl, triple, arch)
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
	dl = strings.Replace(dl, "-p8:128:128-", "-p8:128:128:128:48-", 1)
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
func x86Layout(dl, triple, arch string) string {
	is64 := strings.HasPrefix(arch, "x86_64") || arch == "amd64"
	is32 := len(arch) == 4 && arch[0] == 'i' && arch[1] >= '3' && arch[1] <= '9' && arch[2:] == "86"
	if dl == "" || !is64 && !is32 {
		return dl
	}
	dl = mixedPointers(dl)
	if !strings.Contains(dl, "-i128:128") && !strings.Contains(triple, "iamcu") && strings.HasPrefix(dl, "e") {
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
	if is32 && strings.Contains(triple, "windows-msvc") {
		dl = strings.Replace(dl, "-f80:32-", "-f80:128-", 1)
	}
	return dl
}

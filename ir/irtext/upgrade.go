package irtext

import "strings"

// upgradeLayout returns the data layout that LLVM 22 makes of an older one
// for x86: it adds the address spaces of mixed pointer sizes and the alignment
// of i128.
func upgradeLayout(dl, triple string) string {
	arch, _, _ := strings.Cut(triple, "-")
	is64 := strings.HasPrefix(arch, "x86_64") || arch == "amd64"
	is32 := len(arch) == 4 && arch[0] == 'i' && arch[1] >= '3' && arch[1] <= '9' && arch[2:] == "86"
	if dl == "" || !is64 && !is32 {
		return dl
	}
	const spaces = "-p270:32:32-p271:32:32-p272:64:64"
	if rest, ok := strings.CutPrefix(dl, "e-m:"); ok && !strings.Contains(dl, spaces) && len(rest) > 1 && rest[1] == '-' {
		at := len("e-m:x")
		if strings.HasPrefix(dl[at:], "-p:32:32-") {
			at += len("-p:32:32")
		}
		dl = dl[:at] + spaces + dl[at:]
	}
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

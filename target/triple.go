package target

import "strings"

// Triple is a target triple taken apart: arch-vendor-os-environment.
type Triple struct {
	Text                  string
	Arch, Vendor, OS, Env string
}

// ParseTriple splits a triple; missing parts are empty.
func ParseTriple(s string) Triple {
	t := Triple{Text: s}
	parts := strings.SplitN(s, "-", 4)
	dst := []*string{&t.Arch, &t.Vendor, &t.OS, &t.Env}
	if len(parts) == 3 && (strings.HasPrefix(parts[1], "linux") || parts[2] == "gnu") {
		// arch-linux-gnu, as Debian writes it.
		dst = []*string{&t.Arch, &t.OS, &t.Env}
	}
	for i, p := range parts {
		*dst[i] = p
	}
	return t
}

// IsLinux reports an OS of linux.
func (t Triple) IsLinux() bool { return strings.HasPrefix(t.OS, "linux") }

// IsDarwin reports macOS and its relatives.
func (t Triple) IsDarwin() bool {
	for _, p := range []string{"darwin", "macos", "ios", "tvos", "watchos"} {
		if strings.HasPrefix(t.OS, p) {
			return true
		}
	}
	return false
}

// IsWindows reports Windows.
func (t Triple) IsWindows() bool {
	return strings.HasPrefix(t.OS, "windows") || strings.HasPrefix(t.OS, "win32")
}

// IsELF reports whether objects are ELF by default.
func (t Triple) IsELF() bool { return !t.IsDarwin() && !t.IsWindows() }

package triple

import "strings"

// word is a name and what it says; tables of words are searched from their top.
type word[T any] struct {
	name string
	is   T
}

// archWords are the names of architectures but for the canonical ones, and ARM's
// with a version.
var archWords = [...]word[Arch]{
	{"i486", X86}, {"i586", X86}, {"i686", X86}, {"i786", X86}, {"i886", X86}, {"i986", X86},
	{"amd64", X86_64}, {"x86_64h", X86_64},
	{"powerpcspe", PPC}, {"ppc", PPC}, {"ppc32", PPC}, {"ppcle", PPCLE}, {"ppc32le", PPCLE},
	{"ppu", PPC64}, {"ppc64", PPC64}, {"ppc64le", PPC64LE},
	{"xscale", ARM}, {"xscaleeb", ARMEB},
	{"arm64", AArch64}, {"arm64e", AArch64}, {"arm64ec", AArch64}, {"aarch64_lfi", AArch64}, {"arm64_32", AArch64_32},
	{"mipseb", MIPS}, {"mipsallegrex", MIPS}, {"mipsisa32r6", MIPS}, {"mipsr6", MIPS},
	{"mipsallegrexel", MIPSEL}, {"mipsisa32r6el", MIPSEL}, {"mipsr6el", MIPSEL},
	{"mips64eb", MIPS64}, {"mipsn32", MIPS64}, {"mipsisa64r6", MIPS64}, {"mips64r6", MIPS64}, {"mipsn32r6", MIPS64},
	{"mipsn32el", MIPS64EL}, {"mipsisa64r6el", MIPS64EL}, {"mips64r6el", MIPS64EL}, {"mipsn32r6el", MIPS64EL},
	{"spirv1.5", SPIRV}, {"spirv1.6", SPIRV}, // written so, unlike those with a pointer size
	{"systemz", SystemZ}, {"sparc64", SPARCV9},
	// eBPF without a byte order is that of the machine that asks; every one that we run on is little-endian.
	{"bpf", BPFEL}, {"bpf_le", BPFEL}, {"bpf_be", BPFEB},
}

// ArchByName gives the architecture that a word in a triple's first place names.
func ArchByName(s string) Arch { return parseArch(s) }

func parseArch(s string) Arch {
	if s == "" {
		return UnknownArch
	}
	for a := 1; a < NumArchs; a++ {
		if archRows[a].name == s {
			return Arch(a)
		}
	}
	for i := range archWords {
		if archWords[i].name == s {
			return archWords[i].is
		}
	}
	switch {
	case strings.HasPrefix(s, "arm"), strings.HasPrefix(s, "thumb"), strings.HasPrefix(s, "aarch64"):
		return parseARM(s)
	case strings.HasPrefix(s, "kalimba"):
		return Kalimba
	case strings.HasPrefix(s, "spirv"):
		if base, version, ok := strings.Cut(s, "v1."); ok && spirvVersion(version) != NoSubArch {
			switch base {
			case archRows[SPIRV32].name:
				return SPIRV32
			case archRows[SPIRV64].name:
				return SPIRV64
			}
		}
	case strings.HasPrefix(s, "dxilv1."):
		if dxilVersion(s[len("dxilv1."):]) != NoSubArch {
			return DXIL
		}
	}
	return UnknownArch
}

// spirvVersion and dxilVersion give the sub-architecture of minor version s of version 1.
func spirvVersion(s string) SubArch { return minorVersion(s, SubSPIRVV10, SubSPIRVV16) }
func dxilVersion(s string) SubArch  { return minorVersion(s, SubDXILV1_0, SubDXILV1_9) }

func minorVersion(s string, first, last SubArch) SubArch {
	if len(s) == 1 && '0' <= s[0] && s[0] <= '0'+byte(last-first) {
		return first + SubArch(s[0]-'0')
	}
	return NoSubArch
}

func parseSubArch(s string) SubArch {
	switch {
	case strings.HasPrefix(s, "mips"):
		if strings.HasSuffix(s, "r6") || strings.HasSuffix(s, "r6el") {
			return SubMIPSR6
		}
	case s == "powerpcspe":
		return SubSPE
	case s == "arm64e":
		return SubArm64E
	case s == "arm64ec":
		return SubArm64EC
	case s == "aarch64_lfi":
		return SubLFI
	case strings.HasPrefix(s, "spirv"):
		return spirvVersion(afterLast(s, "v1."))
	case strings.HasPrefix(s, "dxil"):
		return dxilVersion(afterLast(s, "v1."))
	}
	return armSubArch(s)
}

// afterLast is what stands behind the last sep in s, "" when there is none.
func afterLast(s, sep string) string {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[i+len(sep):]
	}
	return ""
}

// envOfArch is the environment of a triple that is nothing but an architecture.
func envOfArch(s string) Env {
	switch {
	case strings.HasPrefix(s, "mipsn32"):
		return EnvGNUABIN32
	case strings.HasPrefix(s, "mips64"), strings.HasPrefix(s, "mipsisa64"):
		return EnvGNUABI64
	case strings.HasPrefix(s, "mipsisa32"), s == "mips", s == "mipsel", s == "mipsr6", s == "mipsr6el":
		return EnvGNU
	}
	return UnknownEnv
}

func parseVendor(s string) Vendor {
	if s == "sie" {
		return VendorSCEI
	}
	for i := 1; i < len(vendorNames); i++ {
		if vendorNames[i] == s {
			return Vendor(i)
		}
	}
	return UnknownVendor
}

// osWords are prefixes of names of systems that are not the canonical ones.
var osWords = [...]word[OS]{{"win32", OSWin32}, {"macos", OSMacOSX}, {"visionos", OSXROS}}

func parseOS(s string) OS {
	if s == "" {
		return UnknownOS
	}
	found, n := UnknownOS, 0
	for i := 1; i < len(osNames); i++ {
		// wasip1 is one of wasi too: the longest wins.
		if name := osNames[i]; len(name) > n && strings.HasPrefix(s, name) {
			found, n = OS(i), len(name)
		}
	}
	if n > 0 {
		return found
	}
	for i := range osWords {
		if strings.HasPrefix(s, osWords[i].name) {
			return osWords[i].is
		}
	}
	return UnknownOS
}

func parseEnv(s string) Env {
	if s == "" {
		return UnknownEnv
	}
	found, n := UnknownEnv, 0
	for i := 1; i < len(envNames); i++ {
		// gnueabihf is one of gnueabi and gnu too: the longest wins.
		if name := envNames[i]; len(name) > n && strings.HasPrefix(s, name) {
			found, n = Env(i), len(name)
		}
	}
	return found
}

// parseFormat finds a format's name at the end of the environment.
func parseFormat(s string) Format {
	found, n := UnknownFormat, 0
	for i := 1; i < len(formatNames); i++ {
		// xcoff ends in coff too. DirectX's format has no name in a triple.
		if name := formatNames[i]; len(name) > n && Format(i) != FormatDXContainer && strings.HasSuffix(s, name) {
			found, n = Format(i), len(name)
		}
	}
	return found
}

package triple

import "strings"

// Triple is a target triple taken apart. Words that are not known are zero.
type Triple struct {
	text    string
	Arch    Arch
	SubArch SubArch
	Vendor  Vendor
	OS      OS
	Env     Env
	// Format is the format that the triple names, or else that of its system.
	Format Format
}

// Parse takes a triple apart without moving its parts: the first is the
// architecture, whatever it says. Parts that are missing are unknown.
func Parse(s string) Triple {
	t := Triple{text: s}
	arch, rest, more := strings.Cut(s, "-")
	t.Arch, t.SubArch = parseArch(arch), parseSubArch(arch)
	if !more {
		t.Env = envOfArch(arch)
	} else {
		vendor, rest, _ := strings.Cut(rest, "-")
		os, env, _ := strings.Cut(rest, "-")
		t.Vendor, t.OS, t.Env, t.Format = parseVendor(vendor), parseOS(os), parseEnv(env), parseFormat(env)
	}
	if t.Format == UnknownFormat {
		t.Format = t.defaultFormat()
	}
	return t
}

// String is the text that the triple was made of.
func (t Triple) String() string { return t.text }

// Equal reports that two triples say the same; versions and the words that are
// not known do not count.
func (t Triple) Equal(o Triple) bool {
	t.text, o.text = "", ""
	return t == o
}

// WithArch is the triple with another architecture's name in the first place.
func (t Triple) WithArch(name string) Triple {
	_, rest, more := strings.Cut(t.text, "-")
	if !more {
		return Parse(name)
	}
	return Parse(name + "-" + rest)
}

// ArchName is the triple's own word for the architecture: "i686", "armv7k".
func (t Triple) ArchName() string {
	s, _, _ := strings.Cut(t.text, "-")
	return s
}

// VendorName is the triple's own word for the vendor.
func (t Triple) VendorName() string { return t.part(1) }

// OSName is the triple's own word for the operating system, with its version.
func (t Triple) OSName() string { return t.part(2) }

// EnvName is all that the triple has behind the operating system.
func (t Triple) EnvName() string { return t.part(3) }

// part returns part i; the last one, the environment, is all of the rest.
func (t Triple) part(i int) string {
	s := t.text
	for range i {
		_, rest, ok := strings.Cut(s, "-")
		if !ok {
			return ""
		}
		s = rest
	}
	if i < 3 {
		s, _, _ = strings.Cut(s, "-")
	}
	return s
}

// defaultFormat is the object format of the system when no part of the triple names one.
func (t Triple) defaultFormat() Format {
	switch t.Arch {
	case UnknownArch, AArch64, AArch64_32, ARM, Thumb, X86, X86_64:
		switch {
		case t.IsDarwin():
			return FormatMachO
		case t.OS == OSWin32, t.OS == OSUEFI:
			return FormatCOFF
		}
	case MIPSEL:
		if t.IsWindows() {
			return FormatCOFF
		}
	case PPC, PPC64:
		switch {
		case t.OS == OSAIX:
			return FormatXCOFF
		case t.IsDarwin():
			return FormatMachO
		}
	case SystemZ:
		if t.OS == OSZOS {
			return FormatGOFF
		}
	case SPIRV, SPIRV32, SPIRV64:
		return FormatSPIRV
	case Wasm32, Wasm64:
		return FormatWasm
	case DXIL:
		return FormatDXContainer
	}
	return FormatELF
}

// PointerBits is the width of a pointer of the architecture, 0 when that is not
// known. An ABI with narrower ones (x32, ILP32) does not count.
func (t Triple) PointerBits() int { return int(archRows[t.Arch].bits) }

// Is64Bit reports an architecture with 64-bit pointers.
func (t Triple) Is64Bit() bool { return archRows[t.Arch].bits == 64 }

// IsLittleEndian reports the byte order; that of an unknown architecture is big.
func (t Triple) IsLittleEndian() bool { return t.Arch != UnknownArch && !archRows[t.Arch].big }

// IsDarwin reports macOS and the systems made of it.
func (t Triple) IsDarwin() bool {
	switch t.OS {
	case OSDarwin, OSMacOSX, OSIOS, OSTvOS, OSWatchOS, OSBridgeOS, OSDriverKit, OSXROS:
		return true
	}
	return false
}

// IsWindows reports Windows in any environment.
func (t Triple) IsWindows() bool { return t.OS == OSWin32 }

// IsMSVC reports Windows with Microsoft's C library, which is its default.
func (t Triple) IsMSVC() bool { return t.OS == OSWin32 && (t.Env == EnvMSVC || t.Env == UnknownEnv) }

// IsLinux reports Linux.
func (t Triple) IsLinux() bool { return t.OS == OSLinux }

// IsELF reports objects in ELF.
func (t Triple) IsELF() bool { return t.Format == FormatELF }

// IsX86 reports x86 of 32 or 64 bits.
func (t Triple) IsX86() bool { return t.Arch == X86 || t.Arch == X86_64 }

// IsX32 reports the ABI of x86-64 with 32-bit pointers.
func (t Triple) IsX32() bool { return t.Env == EnvGNUX32 || t.Env == EnvMuslX32 }

// IsABIN32 reports the ABI of MIPS64 with 32-bit pointers.
func (t Triple) IsABIN32() bool { return t.Env == EnvGNUABIN32 || t.Env == EnvMuslABIN32 }

// IsARM reports 32-bit ARM, Thumb included.
func (t Triple) IsARM() bool {
	return t.Arch == ARM || t.Arch == ARMEB || t.Arch == Thumb || t.Arch == ThumbEB
}

// IsThumb reports 32-bit ARM whose functions are Thumb code unless they say otherwise.
func (t Triple) IsThumb() bool { return t.Arch == Thumb || t.Arch == ThumbEB }

// IsAArch64 reports 64-bit ARM, with pointers of 32 bits too.
func (t Triple) IsAArch64() bool {
	return t.Arch == AArch64 || t.Arch == AArch64BE || t.Arch == AArch64_32
}

// IsAMDGPU reports AMD's graphics processors, old and new.
func (t Triple) IsAMDGPU() bool { return t.Arch == R600 || t.Arch == AMDGCN }

// IsPPC64 reports 64-bit PowerPC.
func (t Triple) IsPPC64() bool { return t.Arch == PPC64 || t.Arch == PPC64LE }

// IsMIPS64 reports 64-bit MIPS.
func (t Triple) IsMIPS64() bool { return t.Arch == MIPS64 || t.Arch == MIPS64EL }

// IsRISCV64 reports 64-bit RISC-V.
func (t Triple) IsRISCV64() bool { return t.Arch == RISCV64 || t.Arch == RISCV64BE }

// IsWatchABI reports the ABI of Apple's watches: ARM with 16-byte stacks.
func (t Triple) IsWatchABI() bool { return t.SubArch == SubARMV7k }

// IsARMMClass reports a microcontroller of ARM's M profile.
func (t Triple) IsARMMClass() bool {
	switch t.SubArch {
	case SubARMV6m, SubARMV7m, SubARMV7em, SubARMV8mBase, SubARMV8mMain, SubARMV8_1mMain:
		return true
	}
	return false
}

// IsMusl reports the C library musl and those made of it.
func (t Triple) IsMusl() bool {
	return EnvMusl <= t.Env && t.Env <= EnvMuslWALI || t.Env == EnvOpenHOS || t.OS == OSLiteOS
}

// IsPPC64ELFv2 reports big-endian 64-bit PowerPC with the second version of its
// ELF ABI; little-endian systems have no other.
func (t Triple) IsPPC64ELFv2() bool {
	if t.Arch != PPC64 {
		return false
	}
	if v := t.OSVersion(); t.OS == OSFreeBSD && (v.Parts == 0 || v.Major >= 13) {
		return true
	}
	return t.OS == OSOpenBSD || t.IsMusl()
}

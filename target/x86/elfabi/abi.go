package elfabi

import (
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/objabi"
)

// ABI is x86-64 ELF on Linux.
var ABI = objabi.ABI{
	Name:        "64-bit x86",
	Machine:     machine,
	RelocPrefix: "R_X86_64_",
	Relocs:      relocs[:],
	Dynamic: objabi.Dynamic{Abs: r64, Relative: rRelative, GlobDat: rGlobDat, JumpSlot: rJumpSlot, Copy: rCopy,
		DTPMod: rDTPMod64, DTPOff: rDTPOff64, TPOff: rTPOff64},
	Stub: objabi.Stub{Size: stubSize, Put: putStub, IsBranch: isBranch, CanRelax: canRelax, Relax: relax},
	TLS:  objabi.TLS{Variant: 2},
	System: objabi.System{
		GlibcLoader: "/lib64/ld-linux-x86-64.so.2",
		MuslLoader:  "/lib/ld-musl-x86_64.so.1",
		LibraryDirs: []string{"/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib64", "/usr/lib64", "/lib", "/usr/lib", "/usr/local/lib"},
		LegacyStart: "GLIBC_2.2.5",
	},
	EH:      ehEncodings,
	Start:   startObject,
	Builtin: builtin,
}

// ABI32 is i386 ELF: programs are not linked, but objects have exception tables.
var ABI32 = objabi.ABI{
	Name:        "i386",
	Machine:     mc.Machine{ELFMachine: 3, PtrSize: 4},
	RelocPrefix: "R_386_",
	EH: func(pic, _ bool) objabi.EHEncodings {
		if pic {
			return ehEncodings(true, false)
		}
		return objabi.EHEncodings{Personality: mc.EncAbsPtr, LSDA: mc.EncAbsPtr, Type: mc.EncAbsPtr}
	},
}

// machine is what objects of the start-up code say.
var machine = mc.Machine{ELFMachine: 62, Is64: true, Rela: true, PtrSize: 8}

// ehEncodings are LLVM's: position-independent code refers to types and
// personalities through words of its own.
func ehEncodings(pic, large bool) objabi.EHEncodings {
	switch {
	case pic && large:
		const through = mc.EncIndirect | mc.EncPCRel | mc.EncSData8
		return objabi.EHEncodings{Personality: through, LSDA: mc.EncPCRel | mc.EncSData8, Type: through}
	case pic:
		const through = mc.EncIndirect | mc.EncPCRel | mc.EncSData4
		return objabi.EHEncodings{Personality: through, LSDA: mc.EncPCRel | mc.EncSData4, Type: through}
	case large:
		return objabi.EHEncodings{Personality: mc.EncAbsPtr, LSDA: mc.EncAbsPtr, Type: mc.EncAbsPtr}
	}
	return objabi.EHEncodings{Personality: mc.EncUData4, LSDA: mc.EncUData4, Type: mc.EncUData4}
}

package triple

// Vendor is who makes the system.
type Vendor uint8

// The values of Vendor, in LLVM's order.
const (
	UnknownVendor Vendor = iota
	VendorApple
	VendorPC
	VendorSCEI
	VendorFreescale
	VendorIBM
	VendorImagination
	VendorMIPS
	VendorNVIDIA
	VendorCSR
	VendorAMD
	VendorMesa
	VendorSUSE
	VendorOpenEmbedded
	VendorIntel
	VendorMeta
)

var vendorNames = [...]string{
	UnknownVendor:      "unknown",
	VendorApple:        "apple",
	VendorPC:           "pc",
	VendorSCEI:         "scei",
	VendorFreescale:    "fsl",
	VendorIBM:          "ibm",
	VendorImagination:  "img",
	VendorMIPS:         "mti",
	VendorNVIDIA:       "nvidia",
	VendorCSR:          "csr",
	VendorAMD:          "amd",
	VendorMesa:         "mesa",
	VendorSUSE:         "suse",
	VendorOpenEmbedded: "oe",
	VendorIntel:        "intel",
	VendorMeta:         "meta",
}

// OS is the operating system, without its version.
type OS uint8

// The values of OS, in LLVM's order.
const (
	UnknownOS OS = iota
	OSDarwin
	OSDragonFly
	OSFreeBSD
	OSFuchsia
	OSIOS
	OSKFreeBSD
	OSLinux
	OSLv2
	OSMacOSX
	OSManagarm
	OSNetBSD
	OSOpenBSD
	OSSolaris
	OSUEFI
	OSWin32
	OSZOS
	OSHaiku
	OSRTEMS
	OSAIX
	OSCUDA
	OSNVCL
	OSAMDHSA
	OSPS4
	OSPS5
	OSELFIAMCU
	OSTvOS
	OSWatchOS
	OSBridgeOS
	OSDriverKit
	OSXROS
	OSMesa3D
	OSAMDPAL
	OSHermitCore
	OSHurd
	OSWASI
	OSWASIp1
	OSWASIp2
	OSWASIp3
	OSEmscripten
	OSShaderModel
	OSLiteOS
	OSSerenity
	OSVulkan
	OSCheriotRTOS
)

var osNames = [...]string{
	UnknownOS:     "unknown",
	OSDarwin:      "darwin",
	OSDragonFly:   "dragonfly",
	OSFreeBSD:     "freebsd",
	OSFuchsia:     "fuchsia",
	OSIOS:         "ios",
	OSKFreeBSD:    "kfreebsd",
	OSLinux:       "linux",
	OSLv2:         "lv2",
	OSMacOSX:      "macosx",
	OSManagarm:    "managarm",
	OSNetBSD:      "netbsd",
	OSOpenBSD:     "openbsd",
	OSSolaris:     "solaris",
	OSUEFI:        "uefi",
	OSWin32:       "windows",
	OSZOS:         "zos",
	OSHaiku:       "haiku",
	OSRTEMS:       "rtems",
	OSAIX:         "aix",
	OSCUDA:        "cuda",
	OSNVCL:        "nvcl",
	OSAMDHSA:      "amdhsa",
	OSPS4:         "ps4",
	OSPS5:         "ps5",
	OSELFIAMCU:    "elfiamcu",
	OSTvOS:        "tvos",
	OSWatchOS:     "watchos",
	OSBridgeOS:    "bridgeos",
	OSDriverKit:   "driverkit",
	OSXROS:        "xros",
	OSMesa3D:      "mesa3d",
	OSAMDPAL:      "amdpal",
	OSHermitCore:  "hermit",
	OSHurd:        "hurd",
	OSWASI:        "wasi",
	OSWASIp1:      "wasip1",
	OSWASIp2:      "wasip2",
	OSWASIp3:      "wasip3",
	OSEmscripten:  "emscripten",
	OSShaderModel: "shadermodel",
	OSLiteOS:      "liteos",
	OSSerenity:    "serenity",
	OSVulkan:      "vulkan",
	OSCheriotRTOS: "cheriotrtos",
}

// Env is the environment: the C library, or the ABI.
type Env uint8

// The values of Env, in LLVM's order.
const (
	UnknownEnv Env = iota
	EnvGNU
	EnvGNUT64
	EnvGNUABIN32
	EnvGNUABI64
	EnvGNUEABI
	EnvGNUEABIT64
	EnvGNUEABIHF
	EnvGNUEABIHFT64
	EnvGNUF32
	EnvGNUF64
	EnvGNUSF
	EnvGNUX32
	EnvGNUILP32
	EnvCODE16
	EnvEABI
	EnvEABIHF
	EnvAndroid
	EnvMusl
	EnvMuslABIN32
	EnvMuslABI64
	EnvMuslEABI
	EnvMuslEABIHF
	EnvMuslF32
	EnvMuslSF
	EnvMuslX32
	EnvMuslWALI
	EnvLLVM
	EnvMSVC
	EnvItanium
	EnvCygnus
	EnvCoreCLR
	EnvSimulator
	EnvMacABI
	EnvPixel
	EnvVertex
	EnvGeometry
	EnvHull
	EnvDomain
	EnvCompute
	EnvLibrary
	EnvRayGeneration
	EnvIntersection
	EnvAnyHit
	EnvClosestHit
	EnvMiss
	EnvCallable
	EnvMesh
	EnvAmplification
	EnvRootSignature
	EnvOpenCL
	EnvOpenHOS
	EnvMlibc
	EnvPAuthTest
	EnvMTIA
)

var envNames = [...]string{
	UnknownEnv:       "unknown",
	EnvGNU:           "gnu",
	EnvGNUT64:        "gnut64",
	EnvGNUABIN32:     "gnuabin32",
	EnvGNUABI64:      "gnuabi64",
	EnvGNUEABI:       "gnueabi",
	EnvGNUEABIT64:    "gnueabit64",
	EnvGNUEABIHF:     "gnueabihf",
	EnvGNUEABIHFT64:  "gnueabihft64",
	EnvGNUF32:        "gnuf32",
	EnvGNUF64:        "gnuf64",
	EnvGNUSF:         "gnusf",
	EnvGNUX32:        "gnux32",
	EnvGNUILP32:      "gnu_ilp32",
	EnvCODE16:        "code16",
	EnvEABI:          "eabi",
	EnvEABIHF:        "eabihf",
	EnvAndroid:       "android",
	EnvMusl:          "musl",
	EnvMuslABIN32:    "muslabin32",
	EnvMuslABI64:     "muslabi64",
	EnvMuslEABI:      "musleabi",
	EnvMuslEABIHF:    "musleabihf",
	EnvMuslF32:       "muslf32",
	EnvMuslSF:        "muslsf",
	EnvMuslX32:       "muslx32",
	EnvMuslWALI:      "muslwali",
	EnvLLVM:          "llvm",
	EnvMSVC:          "msvc",
	EnvItanium:       "itanium",
	EnvCygnus:        "cygnus",
	EnvCoreCLR:       "coreclr",
	EnvSimulator:     "simulator",
	EnvMacABI:        "macabi",
	EnvPixel:         "pixel",
	EnvVertex:        "vertex",
	EnvGeometry:      "geometry",
	EnvHull:          "hull",
	EnvDomain:        "domain",
	EnvCompute:       "compute",
	EnvLibrary:       "library",
	EnvRayGeneration: "raygeneration",
	EnvIntersection:  "intersection",
	EnvAnyHit:        "anyhit",
	EnvClosestHit:    "closesthit",
	EnvMiss:          "miss",
	EnvCallable:      "callable",
	EnvMesh:          "mesh",
	EnvAmplification: "amplification",
	EnvRootSignature: "rootsignature",
	EnvOpenCL:        "opencl",
	EnvOpenHOS:       "ohos",
	EnvMlibc:         "mlibc",
	EnvPAuthTest:     "pauthtest",
	EnvMTIA:          "mtia",
}

// Format is the format of object files.
type Format uint8

// The values of Format, in LLVM's order.
const (
	UnknownFormat Format = iota
	FormatCOFF
	FormatDXContainer
	FormatELF
	FormatGOFF
	FormatMachO
	FormatSPIRV
	FormatWasm
	FormatXCOFF
)

var formatNames = [...]string{
	UnknownFormat:     "",
	FormatCOFF:        "coff",
	FormatDXContainer: "dxcontainer",
	FormatELF:         "elf",
	FormatGOFF:        "goff",
	FormatMachO:       "macho",
	FormatSPIRV:       "spirv",
	FormatWasm:        "wasm",
	FormatXCOFF:       "xcoff",
}

// SubArch is a version or profile of an architecture.
type SubArch uint8

// The sub-architectures, in LLVM's order.
const (
	NoSubArch SubArch = iota
	SubARMV9_7a
	SubARMV9_6a
	SubARMV9_5a
	SubARMV9_4a
	SubARMV9_3a
	SubARMV9_2a
	SubARMV9_1a
	SubARMV9
	SubARMV8_9a
	SubARMV8_8a
	SubARMV8_7a
	SubARMV8_6a
	SubARMV8_5a
	SubARMV8_4a
	SubARMV8_3a
	SubARMV8_2a
	SubARMV8_1a
	SubARMV8
	SubARMV8r
	SubARMV8mBase
	SubARMV8mMain
	SubARMV8_1mMain
	SubARMV7
	SubARMV7em
	SubARMV7m
	SubARMV7s
	SubARMV7k
	SubARMV7ve
	SubARMV6
	SubARMV6m
	SubARMV6k
	SubARMV6t2
	SubARMV5
	SubARMV5te
	SubARMV4t
	SubArm64E
	SubArm64EC
	SubLFI
	SubKalimbaV3
	SubKalimbaV4
	SubKalimbaV5
	SubMIPSR6
	SubSPE
	SubSPIRVV10
	SubSPIRVV11
	SubSPIRVV12
	SubSPIRVV13
	SubSPIRVV14
	SubSPIRVV15
	SubSPIRVV16
	SubDXILV1_0
	SubDXILV1_1
	SubDXILV1_2
	SubDXILV1_3
	SubDXILV1_4
	SubDXILV1_5
	SubDXILV1_6
	SubDXILV1_7
	SubDXILV1_8
	SubDXILV1_9
)

package triple

// Arch is the instruction set that a triple names, byte order and pointer size included.
type Arch uint8

// The architectures, in LLVM's order.
const (
	UnknownArch Arch = iota
	ARM
	ARMEB
	AArch64
	AArch64BE
	AArch64_32
	ARC
	AVR
	BPFEL
	BPFEB
	CSKY
	DXIL
	Hexagon
	LoongArch32
	LoongArch64
	M68k
	MIPS
	MIPSEL
	MIPS64
	MIPS64EL
	MSP430
	PPC
	PPCLE
	PPC64
	PPC64LE
	R600
	AMDGCN
	RISCV32
	RISCV64
	RISCV32BE
	RISCV64BE
	SPARC
	SPARCV9
	SPARCEL
	SystemZ
	TCE
	TCELE
	Thumb
	ThumbEB
	X86
	X86_64
	XCore
	Xtensa
	NVPTX
	NVPTX64
	AMDIL
	AMDIL64
	HSAIL
	HSAIL64
	SPIR
	SPIR64
	SPIRV
	SPIRV32
	SPIRV64
	Kalimba
	SHAVE
	Lanai
	Wasm32
	Wasm64
	RenderScript32
	RenderScript64
	VE

	NumArchs = int(VE) + 1
)

// archRow is what follows from an architecture alone.
type archRow struct {
	name   string // canonical
	prefix string // of the target's intrinsics, "" when it has none
	bits   uint8  // of a pointer
	big    bool   // byte order
}

var archRows = [NumArchs]archRow{
	UnknownArch:    {"unknown", "", 0, true},
	ARM:            {"arm", "arm", 32, false},
	ARMEB:          {"armeb", "arm", 32, true},
	AArch64:        {"aarch64", "aarch64", 64, false},
	AArch64BE:      {"aarch64_be", "aarch64", 64, true},
	AArch64_32:     {"aarch64_32", "aarch64", 32, false},
	ARC:            {"arc", "arc", 32, true},
	AVR:            {"avr", "avr", 16, false},
	BPFEL:          {"bpfel", "bpf", 64, false},
	BPFEB:          {"bpfeb", "bpf", 64, true},
	CSKY:           {"csky", "csky", 32, false},
	DXIL:           {"dxil", "dx", 32, false},
	Hexagon:        {"hexagon", "hexagon", 32, false},
	LoongArch32:    {"loongarch32", "loongarch", 32, false},
	LoongArch64:    {"loongarch64", "loongarch", 64, false},
	M68k:           {"m68k", "m68k", 32, true},
	MIPS:           {"mips", "mips", 32, true},
	MIPSEL:         {"mipsel", "mips", 32, false},
	MIPS64:         {"mips64", "mips", 64, true},
	MIPS64EL:       {"mips64el", "mips", 64, false},
	MSP430:         {"msp430", "", 16, false},
	PPC:            {"powerpc", "ppc", 32, true},
	PPCLE:          {"powerpcle", "ppc", 32, false},
	PPC64:          {"powerpc64", "ppc", 64, true},
	PPC64LE:        {"powerpc64le", "ppc", 64, false},
	R600:           {"r600", "r600", 32, false},
	AMDGCN:         {"amdgcn", "amdgcn", 64, false},
	RISCV32:        {"riscv32", "riscv", 32, false},
	RISCV64:        {"riscv64", "riscv", 64, false},
	RISCV32BE:      {"riscv32be", "riscv", 32, true},
	RISCV64BE:      {"riscv64be", "riscv", 64, true},
	SPARC:          {"sparc", "sparc", 32, true},
	SPARCV9:        {"sparcv9", "sparc", 64, true},
	SPARCEL:        {"sparcel", "sparc", 32, false},
	SystemZ:        {"s390x", "s390", 64, true},
	TCE:            {"tce", "", 32, true},
	TCELE:          {"tcele", "", 32, false},
	Thumb:          {"thumb", "arm", 32, false},
	ThumbEB:        {"thumbeb", "arm", 32, true},
	X86:            {"i386", "x86", 32, false},
	X86_64:         {"x86_64", "x86", 64, false},
	XCore:          {"xcore", "xcore", 32, false},
	Xtensa:         {"xtensa", "xtensa", 32, false},
	NVPTX:          {"nvptx", "nvvm", 32, false},
	NVPTX64:        {"nvptx64", "nvvm", 64, false},
	AMDIL:          {"amdil", "amdil", 32, false},
	AMDIL64:        {"amdil64", "amdil", 64, false},
	HSAIL:          {"hsail", "hsail", 32, false},
	HSAIL64:        {"hsail64", "hsail", 64, false},
	SPIR:           {"spir", "spir", 32, false},
	SPIR64:         {"spir64", "spir", 64, false},
	SPIRV:          {"spirv", "spv", 64, false},
	SPIRV32:        {"spirv32", "spv", 32, false},
	SPIRV64:        {"spirv64", "spv", 64, false},
	Kalimba:        {"kalimba", "kalimba", 32, false},
	SHAVE:          {"shave", "shave", 32, false},
	Lanai:          {"lanai", "lanai", 32, true},
	Wasm32:         {"wasm32", "wasm", 32, false},
	Wasm64:         {"wasm64", "wasm", 64, false},
	RenderScript32: {"renderscript32", "", 32, false},
	RenderScript64: {"renderscript64", "", 64, false},
	VE:             {"ve", "ve", 64, false},
}

// Name is LLVM's name of the architecture.
func (a Arch) Name() string { return archRows[a].name }

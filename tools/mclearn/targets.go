package main

// target is how a target is asked: through subtargets, the first of which that
// decodes an opcode to itself says what it is.
type target struct {
	file  string // zz_mc_<file>.bin
	views []view
	modes []mode
}

// mode is a state of the machine in which opcodes of others are encoded otherwise.
type mode struct {
	name  string
	views []int // where it is on
}

// riscvStd are the standard extensions that may stand beside each other.
const riscvStd = "+*,-x*,-rv*,-zfinx,-zdinx,-zhinx*,-e,-zcmp,-zcmt,-zce,-zclsd,-zilsd*,-experimental-p,-experimental-x*,-experimental-rv*,-no-*,-reserve*,-exact-asm"

// targets are the targets of LLVM that write ELF objects, X86 apart, whose
// encoder is not of tables.
var targets = map[string]target{
	"RISCV": {"riscv", []view{
		{"riscv64-unknown-linux-gnu", "", riscvStd + ",-32bit", -1},
		{"riscv64-unknown-linux-gnu", "", "+m,+a,+f,+d,+c,+v,+zvfh,+xthead*", -1},
		{"riscv64-unknown-linux-gnu", "", "+m,+a,+f,+d,+c,+v,+zvfh,+xsf*,+xsifive*,+xsmtvdot,+xventana*,-xsfmm16t,-xsfmm32t,-xsfmm64t", -1},
		{"riscv64-unknown-linux-gnu", "", "+m,+a,+f,+d,+c,+v,+zvfh,+xandes*,+xmips*", -1},
		{"riscv64-unknown-linux-gnu", "", "+m,+a,+zca,+zcb,+zcmp,+zcmt,+zba,+zbb,+zdinx,+zhinx", -1},
		{"riscv64-unknown-linux-gnu", "", "+m,+a,+f,+d,+c,+experimental-p", -1},
		{"riscv64-unknown-linux-gnu", "", "+m,+a,+zca,+xwchc", -1},
		{"riscv32-unknown-linux-gnu", "", riscvStd + ",-64bit", -1},
		{"riscv32-unknown-linux-gnu", "", "+m,+a,+f,+zca,+zcb,+zba,+zbb,+xqci*,+experimental-xqci*", -1},
		{"riscv32-unknown-linux-gnu", "", "+m,+a,+f,+zca,+zcb,+xcv*", -1},
		{"riscv32-unknown-linux-gnu", "", "+m,+a,+zdinx,+zhinx,+zca,+zcb,+zcmp,+zcmt,+zilsd,+zclsd", -1},
		{"riscv32-unknown-linux-gnu", "", "+m,+a,+f,+d,+c,+experimental-p,+experimental-xriv*,+zilsd", -1},
		{"riscv32-unknown-linux-gnu", "", "+m,+a,+zca,+xwchc,+xqccmp", -1},
		{"riscv64-unknown-linux-gnu", "", "+m,+a,+zca,+xqccmp", -1},
	}, nil},
	"BPF": {"bpf", []view{{"bpfel-unknown-none", "v4", "", -1}, {"bpfel-unknown-none", "v3", "", -1}}, nil},
	"AArch64": {"aarch64", []view{
		{"aarch64-unknown-linux-gnu", "", "+all", -1},
	}, nil},
	"PowerPC": {"ppc", []view{
		{"powerpc64-unknown-linux-gnu", "future", "", -1},
		{"powerpc-unknown-linux-gnu", "", "+spe", -1},
		{"powerpc-unknown-linux-gnu", "440", "+msync,+booke", -1},
		{"powerpc-unknown-linux-gnu", "e500", "", -1},
	}, nil},
	"Mips": {"mips", []view{
		{"mips64-unknown-linux-gnuabi64", "mips64r6", "+msa,+dsp,+dspr2,+dspr3,+mt,+crc,+virt,+ginv", -1},
		{"mips64-unknown-linux-gnuabi64", "mips64r2", "+msa,+dsp,+dspr2,+dspr3,+mt,+virt,+eva", -1},
		{"mips64-unknown-linux-gnuabi64", "octeon+", "", -1},
		{"mips-unknown-linux-gnu", "mips32r2", "+msa,+dsp,+dspr2,+dspr3,+mt,+virt,+eva", -1},
		{"mips-unknown-linux-gnu", "mips32r2", "+fp64", -1},
		{"mips-unknown-linux-gnu", "mips32r2", "+micromips,+dsp,+dspr2,+dspr3,+virt,+eva", -1},
		{"mips-unknown-linux-gnu", "mips32r6", "+micromips,+dsp,+dspr2,+dspr3,+virt,+eva,+crc,+ginv", -1},
		{"mips-unknown-linux-gnu", "mips32r2", "+mips16", -1},
	}, []mode{{"micromips", []int{5, 6}}}},
	"LoongArch": {"loongarch", []view{{"loongarch64-unknown-linux-gnu", "", "+*,-32bit", -1}, {"loongarch32-unknown-linux-gnu", "", "+*,-64bit", -1}}, nil},
	"SystemZ":   {"systemz", []view{{"s390x-unknown-linux-gnu", "z17", "", -1}}, nil},
	"Sparc": {"sparc", []view{
		{"sparcv9-unknown-linux-gnu", "", "+*,-v8plus,-no-*,-fix*,-insert*,-reserve*,-detectroundchange,-prevent*", -1},
		{"sparc-unknown-linux-gnu", "", "", -1},
		{"sparc-unknown-linux-gnu", "leon4", "", -1},
	}, nil},
	"ARM": {"arm", []view{
		{"armv8.6a-unknown-linux-gnueabihf", "", "+fullfp16,+fp16fml,+dotprod,+crypto,+bf16,+i8mm,+sb,+hwdiv-arm,+ras,+crc,+trustzone,+virtualization,+mp", -1},
		{"thumbv8.1m.main-none-eabi", "", "+mve.fp,+lob,+pacbti,+cdecp0,+cdecp1,+dsp,+fp64,+fullfp16,+8msecext", -1},
		{"thumbv8.6a-unknown-linux-gnueabihf", "", "+fullfp16,+fp16fml,+dotprod,+crypto,+bf16,+i8mm,+sb,+ras,+crc,+trustzone,+virtualization,+mp", -1},
		{"armv7a-unknown-linux-gnueabihf", "", "+vfp4,+neon,+hwdiv-arm,+trustzone,+virtualization,+mp", -1},
		{"armv5te-unknown-linux-gnueabi", "", "", -1},
		{"thumbv6m-none-eabi", "", "", -1},
	}, []mode{{"thumb", []int{1, 2, 5}}}},
	"AVR":    {"avr", []view{{"avr-unknown-unknown", "atxmega384c3", "", -1}, {"avr-unknown-unknown", "attiny10", "", -1}, {"avr-unknown-unknown", "atmega328p", "", -1}}, nil},
	"Lanai":  {"lanai", []view{{"lanai-unknown-unknown", "", "", -1}}, nil},
	"M68k":   {"m68k", []view{{"m68k-unknown-linux-gnu", "M68060", "", -1}, {"m68k-unknown-linux-gnu", "M68020", "", -1}}, nil},
	"MSP430": {"msp430", []view{{"msp430-unknown-elf", "msp430x", "", -1}}, nil},
	"VE":     {"ve", []view{{"ve-unknown-linux-gnu", "", "+vpu", -1}}, nil},
	"Xtensa": {"xtensa", []view{{"xtensa-unknown-unknown", "", "+*", -1}}, nil},
	"Hexagon": {"hexagon", []view{
		{"hexagon-unknown-linux-musl", "hexagonv79", "+hvxv79,+hvx-length128b,+hvx-ieee-fp,+hvx-qfloat", -1},
	}, nil},
	"AMDGPU": {"amdgpu", []view{
		{"amdgcn-amd-amdhsa", "gfx900", "", -1}, {"amdgcn-amd-amdhsa", "gfx90a", "", -1},
		{"amdgcn-amd-amdhsa", "gfx942", "", -1}, {"amdgcn-amd-amdhsa", "gfx950", "", -1},
		{"amdgcn-amd-amdhsa", "gfx1030", "", -1}, {"amdgcn-amd-amdhsa", "gfx1100", "", -1},
		{"amdgcn-amd-amdhsa", "gfx1200", "", -1}, {"amdgcn-amd-amdhsa", "gfx1250", "", -1},
		{"amdgcn-amd-amdhsa", "gfx700", "", -1}, {"amdgcn-amd-amdhsa", "gfx600", "", -1},
	}, nil},
}

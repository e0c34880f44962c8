package facts

import _ "embed"

// The tables that tools/mclearn wrote.
var (
	//go:embed zz_mc_aarch64.bin
	mcAArch64 string
	//go:embed zz_mc_arm.bin
	mcARM string
	//go:embed zz_mc_avr.bin
	mcAVR string
	//go:embed zz_mc_bpf.bin
	mcBPF string
	//go:embed zz_mc_lanai.bin
	mcLanai string
	//go:embed zz_mc_loongarch.bin
	mcLoongArch string
	//go:embed zz_mc_m68k.bin
	mcM68k string
	//go:embed zz_mc_msp430.bin
	mcMSP430 string
	//go:embed zz_mc_mips.bin
	mcMips string
	//go:embed zz_mc_ppc.bin
	mcPowerPC string
	//go:embed zz_mc_riscv.bin
	mcRISCV string
	//go:embed zz_mc_sparc.bin
	mcSparc string
	//go:embed zz_mc_systemz.bin
	mcSystemZ string
	//go:embed zz_mc_ve.bin
	mcVE string
	//go:embed zz_mc_xtensa.bin
	mcXtensa string
)

var mcEntries = [...]*mcEntry{
	{name: "AArch64", data: &mcAArch64},
	{name: "ARM", data: &mcARM},
	{name: "AVR", data: &mcAVR},
	{name: "BPF", data: &mcBPF},
	{name: "Lanai", data: &mcLanai},
	{name: "LoongArch", data: &mcLoongArch},
	{name: "M68k", data: &mcM68k},
	{name: "MSP430", data: &mcMSP430},
	{name: "Mips", data: &mcMips},
	{name: "PowerPC", data: &mcPowerPC},
	{name: "RISCV", data: &mcRISCV},
	{name: "Sparc", data: &mcSparc},
	{name: "SystemZ", data: &mcSystemZ},
	{name: "VE", data: &mcVE},
	{name: "Xtensa", data: &mcXtensa},
}

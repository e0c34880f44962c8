package facts

import _ "embed"

// The tables that tools/mclearn -d wrote.
var (
	//go:embed zz_dis_aarch64.bin
	disAArch64 string
	//go:embed zz_dis_arm.bin
	disARM string
	//go:embed zz_dis_avr.bin
	disAVR string
	//go:embed zz_dis_bpf.bin
	disBPF string
	//go:embed zz_dis_lanai.bin
	disLanai string
	//go:embed zz_dis_loongarch.bin
	disLoongArch string
	//go:embed zz_dis_m68k.bin
	disM68k string
	//go:embed zz_dis_msp430.bin
	disMSP430 string
	//go:embed zz_dis_mips.bin
	disMips string
	//go:embed zz_dis_ppc.bin
	disPowerPC string
	//go:embed zz_dis_riscv.bin
	disRISCV string
	//go:embed zz_dis_sparc.bin
	disSparc string
	//go:embed zz_dis_systemz.bin
	disSystemZ string
	//go:embed zz_dis_ve.bin
	disVE string
	//go:embed zz_dis_xtensa.bin
	disXtensa string
)

var disEntries = [...]*disEntry{
	{name: "AArch64", data: &disAArch64},
	{name: "ARM", data: &disARM},
	{name: "AVR", data: &disAVR},
	{name: "BPF", data: &disBPF},
	{name: "Lanai", data: &disLanai},
	{name: "LoongArch", data: &disLoongArch},
	{name: "M68k", data: &disM68k},
	{name: "MSP430", data: &disMSP430},
	{name: "Mips", data: &disMips},
	{name: "PowerPC", data: &disPowerPC},
	{name: "RISCV", data: &disRISCV},
	{name: "Sparc", data: &disSparc},
	{name: "SystemZ", data: &disSystemZ},
	{name: "VE", data: &disVE},
	{name: "Xtensa", data: &disXtensa},
}

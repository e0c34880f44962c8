package facts

import (
	_ "embed"

	"github.com/mirin-go/mirin/desc"
)

// The tables that tools/mclearn wrote, and with -match.
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
	//go:embed zz_mc_x86.bin
	mcX86 string
	//go:embed zz_mc_xtensa.bin
	mcXtensa string
	//go:embed zz_match_aarch64.bin
	matchAArch64 string
	//go:embed zz_match_arm.bin
	matchARM string
	//go:embed zz_match_avr.bin
	matchAVR string
	//go:embed zz_match_bpf.bin
	matchBPF string
	//go:embed zz_match_lanai.bin
	matchLanai string
	//go:embed zz_match_loongarch.bin
	matchLoongArch string
	//go:embed zz_match_m68k.bin
	matchM68k string
	//go:embed zz_match_msp430.bin
	matchMSP430 string
	//go:embed zz_match_mips.bin
	matchMips string
	//go:embed zz_match_ppc.bin
	matchPowerPC string
	//go:embed zz_match_riscv.bin
	matchRISCV string
	//go:embed zz_match_sparc.bin
	matchSparc string
	//go:embed zz_match_systemz.bin
	matchSystemZ string
	//go:embed zz_match_ve.bin
	matchVE string
	//go:embed zz_match_xtensa.bin
	matchXtensa string
)

var mcEntries = [...]*mcEntry{
	{name: "AArch64", data: &mcAArch64, match: &matchAArch64},
	{name: "ARM", data: &mcARM, match: &matchARM},
	{name: "AVR", data: &mcAVR, match: &matchAVR},
	{name: "BPF", data: &mcBPF, match: &matchBPF},
	{name: "Lanai", data: &mcLanai, match: &matchLanai},
	{name: "LoongArch", data: &mcLoongArch, match: &matchLoongArch},
	{name: "M68k", data: &mcM68k, match: &matchM68k},
	{name: "MSP430", data: &mcMSP430, match: &matchMSP430},
	{name: "Mips", data: &mcMips, match: &matchMips},
	{name: "PowerPC", data: &mcPowerPC, match: &matchPowerPC},
	{name: "RISCV", data: &mcRISCV, match: &matchRISCV},
	{name: "Sparc", data: &mcSparc, match: &matchSparc},
	{name: "SystemZ", data: &mcSystemZ, match: &matchSystemZ},
	{name: "VE", data: &mcVE, match: &matchVE},
	&mcEntryX86,
	{name: "Xtensa", data: &mcXtensa, match: &matchXtensa},
}

var mcEntryX86 = mcEntry{name: "X86", data: &mcX86}

// MachineCodeX86 gives X86's tables without those of other targets.
func MachineCodeX86() (*desc.MCTables, error) { return mcEntryX86.load() }

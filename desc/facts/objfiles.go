package facts

import (
	_ "embed"
	"fmt"
	"sync"

	"github.com/mirin-go/mirin/desc"
)

// The object tables that tools/mclearn -objects wrote.
var (
	//go:embed zz_obj_aarch64.bin
	objAArch64 string
	//go:embed zz_obj_arm.bin
	objARM string
	//go:embed zz_obj_avr.bin
	objAVR string
	//go:embed zz_obj_bpf.bin
	objBPF string
	//go:embed zz_obj_lanai.bin
	objLanai string
	//go:embed zz_obj_loongarch.bin
	objLoongArch string
	//go:embed zz_obj_m68k.bin
	objM68k string
	//go:embed zz_obj_msp430.bin
	objMSP430 string
	//go:embed zz_obj_mips.bin
	objMips string
	//go:embed zz_obj_ppc.bin
	objPowerPC string
	//go:embed zz_obj_riscv.bin
	objRISCV string
	//go:embed zz_obj_sparc.bin
	objSparc string
	//go:embed zz_obj_systemz.bin
	objSystemZ string
	//go:embed zz_obj_ve.bin
	objVE string
	//go:embed zz_obj_xtensa.bin
	objXtensa string
)

// objEntry is the embedded object tables of one target, decoded when they are first asked for.
type objEntry struct {
	name   string
	data   *string
	once   sync.Once
	tables *desc.ObjectTables
	err    error
}

var objEntries = [...]*objEntry{
	{name: "AArch64", data: &objAArch64},
	{name: "ARM", data: &objARM},
	{name: "AVR", data: &objAVR},
	{name: "BPF", data: &objBPF},
	{name: "Lanai", data: &objLanai},
	{name: "LoongArch", data: &objLoongArch},
	{name: "M68k", data: &objM68k},
	{name: "MSP430", data: &objMSP430},
	{name: "Mips", data: &objMips},
	{name: "PowerPC", data: &objPowerPC},
	{name: "RISCV", data: &objRISCV},
	{name: "Sparc", data: &objSparc},
	{name: "SystemZ", data: &objSystemZ},
	{name: "VE", data: &objVE},
	{name: "Xtensa", data: &objXtensa},
}

// Objects gives the object tables of a target by LLVM's name of its back end, nil
// when there are none.
func Objects(name string) (*desc.ObjectTables, error) {
	for _, e := range objEntries {
		if e.name != name {
			continue
		}
		e.once.Do(func() { e.tables, e.err = DecodeObjects(*e.data) })
		if e.err != nil {
			return nil, fmt.Errorf("objects of %s: %w", name, e.err)
		}
		return e.tables, nil
	}
	return nil, nil
}

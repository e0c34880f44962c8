package all

import (
	"fmt"

	"github.com/mirin-go/mirin/desc/family"
	"github.com/mirin-go/mirin/mc/mctarget"
	aarch64 "github.com/mirin-go/mirin/target/aarch64/mctargetdesc"
	arm "github.com/mirin-go/mirin/target/arm/mctargetdesc"
	bpf "github.com/mirin-go/mirin/target/bpf/mctargetdesc"
	mips "github.com/mirin-go/mirin/target/mips/mctargetdesc"
	ppc "github.com/mirin-go/mirin/target/ppc/mctargetdesc"
	riscv "github.com/mirin-go/mirin/target/riscv/mctargetdesc"
	systemz "github.com/mirin-go/mirin/target/systemz/mctargetdesc"
	"github.com/mirin-go/mirin/target/x86/mctargetdesc"
	"github.com/mirin-go/mirin/triple"
)

// mcHooks are what families make otherwise than from the tables of the facts.
var mcHooks = [family.Count]*mctarget.Hooks{
	family.AArch64: &aarch64.Hooks,
	family.ARM:     &arm.Hooks,
	family.BPF:     &bpf.Hooks,
	family.Mips:    &mips.Hooks,
	family.PowerPC: &ppc.Hooks,
	family.RISCV:   &riscv.Hooks,
	family.SystemZ: &systemz.Hooks,
	family.X86:     &mctargetdesc.Hooks,
}

// MCFlags are the flags of the assembler that single targets have.
func MCFlags() (flags []mctarget.Flag) {
	for _, h := range mcHooks {
		if h != nil {
			flags = append(flags, h.Flags...)
		}
	}
	return flags
}

// MC finds the machine code layer for a triple ("" for the default one) or, when
// march is given, of that name, with a processor and features as -mcpu and -mattr name
// them. The target need not have a code generator.
func MC(text, march, cpu, features string) (*mctarget.Target, error) {
	if text == "" {
		text = DefaultTriple
	}
	of := triple.Parse(triple.Normalize(text))
	row := family.ByArch(of.Arch)
	if march != "" {
		row = family.ByMarch(march)
		if row == nil {
			return nil, fmt.Errorf("unable to get target for '%s', see --version and --triple.", march)
		}
		if a := triple.ArchByName(family.ArchOfMarch(march)); a != triple.UnknownArch && a != of.Arch {
			of = of.WithArch(family.ArchOfMarch(march))
		}
	}
	if row == nil {
		return nil, fmt.Errorf("unable to get target for '%s', see --version and --triple.", text)
	}
	return mctarget.New(row, of, cpu, features, mcHooks[row.ID])
}

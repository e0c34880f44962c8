package facts

import (
	_ "embed"
	"fmt"
	"sync"

	"github.com/mirin-go/mirin/desc"
)

// entry is one embedded target, decoded when it is first asked for.
type entry struct {
	name string
	data *string
	// adapt changes the facts before anybody sees them; nil: they stay.
	adapt func(in *desc.Info)
	once  sync.Once
	info  *desc.Info
	err   error
}

func (e *entry) load() (*desc.Info, error) {
	e.once.Do(func() {
		e.info, e.err = decode(*e.data, false)
		if e.adapt != nil && e.err == nil {
			e.adapt(e.info)
		}
		if e.err != nil {
			e.err = fmt.Errorf("facts of %s: %w", e.name, e.err)
		}
	})
	return e.info, e.err
}

// entryI386 has X86's facts once more, as they are in 32-bit mode.
var entryI386 = entry{name: "X86", data: &dataX86, adapt: func(in *desc.Info) {
	low, _ := in.SubRegIndexByName("sub_8bit")
	high, _ := in.SubRegIndexByName("sub_8bit_hi")
	in.ConfineSubReg(low, high)
	for k := range in.Variants {
		if v := &in.Variants[k]; in.Str(v.Triple) == "i386-unknown-linux-gnu" {
			in.DefaultMode = int(v.Mode)
			return
		}
	}
}}

// I386 gives the facts of X86 in 32-bit mode: without a REX prefix the low bytes of
// four registers alone have names (LLVM, X86RegisterInfo::getSubClassWithSubReg).
func I386() (*desc.Info, error) { return entryI386.load() }

// Load gives the facts of a target by LLVM's name of its back end ("X86",
// "AArch64"). A program that calls Load carries the facts of every target; one
// that calls [X86] or its sisters carries those alone.
func Load(name string) (*desc.Info, error) {
	for _, e := range entries {
		if e.name == name {
			return e.load()
		}
	}
	return nil, fmt.Errorf("no facts of target %q", name)
}

// Names lists the targets that Load knows, in alphabetical order.
func Names() []string {
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.name
	}
	return names
}

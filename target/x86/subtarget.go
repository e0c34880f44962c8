package x86

import (
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/triple"
)

// matches reports the triples that the target serves.
func matches(t triple.Triple) bool {
	return t.Arch == triple.X86_64 && t.IsELF()
}

// newSubtarget refuses what only i386, x32 or code without SSE2 would need.
func newSubtarget(st *target.Subtarget) error {
	unsupported := func(what string) error { return &target.Unsupported{Target: st.Target.Name, What: what} }
	switch {
	case st.Options.WithoutABI:
	case st.Triple.IsX32():
		return unsupported("the x32 ABI")
	case st.Triple.IsWindows():
		return unsupported("Windows")
	case !st.HasFeature("64bit"):
		return unsupported("code for processors without 64-bit mode")
	}
	st.Instr = &instrTable
	if st.HasFeature("avx") {
		st.Instr = instrTableVEX()
	}
	st.Legal = legalTable().Bind(st.HasFeature)
	var err error
	st.Call, err = callConv(st)
	return err
}

package mirtext

import "github.com/mirin-go/mirin/mir"

// Features are the subtarget features of a function, by its processor and its
// attribute target-features.
type Features struct{ st *subtarget }

// FeaturesOf returns the features of f.
func FeaturesOf(f *mir.Function) Features { return Features{subtargetOf(f)} }

// Has reports a feature by LLVM's name.
func (s Features) Has(name string) bool { return s.st.Has(name) }

// MaxVGPRs is the number of vector registers that f, a function for AMDGPU, may
// use; ok is false for processors for which it is not known here.
func (s Features) MaxVGPRs(f *mir.Function) (n int, ok bool) {
	if s.st.Has("gfx10-insts") || s.st.Has("gfx90a-insts") {
		return 0, false
	}
	cc := uint16(0)
	if f.Module != nil {
		if g := globalOf(f); g != nil {
			cc = g.CC
		}
	}
	return amdgpuMaxVGPRs(f, isGraphics(cc)), true
}

package mirtext

import "github.com/mirin-go/mirin/mir"

// Features are the subtarget features of a function, by its processor and its
// attribute target-features.
type Features struct{ st *subtarget }

// FeaturesOf returns the features of f.
func FeaturesOf(f *mir.Function) Features { return Features{subtargetOf(f)} }

// Has reports a feature by LLVM's name.
func (s Features) Has(name string) bool { return s.st.has(name) }

package globalisel

import "github.com/mirin-go/mirin/mir"

// KnownBits is what the combiner knows of a register.
func KnownBits(f *mir.Function, r mir.Reg) (zero, one uint64) { return knownBits(f, r, knownDepth) }

// SignBits is how many bits the combiner knows to be the sign.
func SignBits(f *mir.Function, r mir.Reg) int { return signBits(f, r, knownDepth) }

// CombineRules names the rules of the combiner.
func CombineRules() []string {
	rules, err := preLegalizerCombines()
	if err != nil {
		panic(err)
	}
	var out []string
	for _, r := range rules.Rules() {
		out = append(out, r.Name)
	}
	return out
}

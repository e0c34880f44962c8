package globalisel

// CombineRules names the rules of the combiner.
func CombineRules() []string {
	var out []string
	for _, r := range preLegalizerCombines.Rules {
		out = append(out, r.Name)
	}
	return out
}

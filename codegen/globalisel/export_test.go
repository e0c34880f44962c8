package globalisel

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

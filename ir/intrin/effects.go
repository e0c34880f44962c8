package intrin

import "strings"

// Effects says whether calls of the intrinsic may touch memory or have other
// effects, and whether they are convergent.
func (id ID) Effects() (effects, convergent bool) {
	if id == 0 {
		return true, false
	}
	fn, _, _ := strings.Cut(id.attrs(), "|")
	for _, a := range strings.Fields(fn) {
		convergent = convergent || a == "convergent"
	}
	return !strings.Contains(fn, "memory(none)"), convergent
}

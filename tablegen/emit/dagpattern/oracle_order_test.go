package dagpattern

import "strings"

// rootOf is the operator and the type of the root of "(op:{ *:[t] } …".
func rootOf(s string) string {
	if i := strings.IndexByte(s, '}'); i > 0 && strings.HasPrefix(s, "(") {
		if j := strings.IndexByte(s, ' '); strings.IndexByte(s, ':') < j {
			return s[:i]
		}
		return s[:strings.IndexByte(s, ' ')]
	}
	return s
}

// misordered lists pairs of patterns of one root that LLVM has in the other
// order. LLVM's table moves patterns that exclude each other, so that some are
// no mistakes.
func misordered(got, want []string) (out [][2]string) {
	at := map[string]int{}
	for i, s := range want {
		if _, ok := at[s]; !ok {
			at[s] = i
		}
	}
	for i, a := range got {
		for _, b := range got[i+1:] {
			x, ok1 := at[a]
			y, ok2 := at[b]
			if ok1 && ok2 && rootOf(a) == rootOf(b) && x > y {
				out = append(out, [2]string{a, b})
			}
		}
	}
	return out
}

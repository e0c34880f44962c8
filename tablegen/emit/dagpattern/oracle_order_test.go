package dagpattern

// excludes reports whether two sources cannot match the same: the operators
// or the types at one place differ. LLVM's table may exchange such patterns.
func excludes(p *Set, a, b *Node) bool {
	if a.Op != nil && b.Op != nil && a.Op != b.Op && p.ComplexOf(a) == nil && p.ComplexOf(b) == nil {
		return true
	}
	for i := range min(len(a.Types), len(b.Types)) {
		if x, y := a.Type(i), b.Type(i); x != y && !p.IsPtr(x) && !p.IsPtr(y) {
			return true
		}
	}
	if a.IsLeaf() || b.IsLeaf() || p.ComplexOf(a) != nil || p.ComplexOf(b) != nil {
		return false
	}
	for i := range min(len(a.Kids), len(b.Kids)) {
		if excludes(p, a.Kids[i], b.Kids[i]) {
			return true
		}
	}
	return false
}

// misordered lists pairs of patterns that may match the same and that LLVM has
// in the other order.
func misordered(p *Set, got, want []string) (out [][2]string) {
	at := map[string]int{}
	for i, s := range want {
		if _, ok := at[s]; !ok {
			at[s] = i
		}
	}
	for i, a := range got {
		for j := i + 1; j < len(got); j++ {
			if at[a] > at[got[j]] && !excludes(p, p.Patterns[i].Src, p.Patterns[j].Src) {
				out = append(out, [2]string{a, got[j]})
			}
		}
	}
	return out
}

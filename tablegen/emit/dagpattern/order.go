package dagpattern

import (
	"cmp"
	"slices"
)

// order sorts the patterns as a selector tries them: scalars before vectors,
// integers before floats, then the larger before the smaller, the cheaper
// result before the dearer, and so as they stand in the file.
func (p *Set) order() {
	type key struct {
		vector, float    bool
		size             int
		cost, resultSize int
	}
	keys := make(map[*Pattern]key, len(p.Patterns))
	for _, x := range p.Patterns {
		x.Complexity = p.size(x.Src) + x.Added
		k := key{size: x.Complexity}
		if len(x.Src.Types) > 0 {
			if v, ok := x.Src.Types[0].simple(); ok {
				k.vector, k.float = p.types.info[v].vector, p.types.info[v].fp
			}
		}
		x.Dst.walk(func(n *Node) {
			if n.Op != nil && n.Op.IsSubClassOf("Instruction") {
				k.cost++
				if n.Op.Bit("usesCustomInserter") {
					k.cost += 10
				}
				k.resultSize += int(n.Op.Int("CodeSize"))
			}
		})
		keys[x] = k
	}
	slices.SortStableFunc(p.Patterns, func(a, b *Pattern) int {
		x, y := keys[a], keys[b]
		return cmp.Or(compareBool(x.vector, y.vector), compareBool(x.float, y.float), cmp.Compare(y.size, x.size),
			cmp.Compare(x.cost, y.cost), cmp.Compare(x.resultSize, y.resultSize), cmp.Compare(a.ID, b.ID))
	})
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// size is the complexity of a source: how much of a DAG it covers.
func (p *Set) size(n *Node) int {
	size := 3
	if _, ok := n.Int(); n.IsLeaf() && ok {
		size += 2
	}
	if c := p.ComplexOf(n); c != nil {
		return size + c.Complexity
	}
	if len(n.Preds) > 0 {
		size++
	}
	for _, k := range n.Kids {
		if !k.IsLeaf() && len(k.Types) > 0 && k.Type(0) != p.types.other {
			size += p.size(k)
			continue
		}
		if !k.IsLeaf() {
			continue
		}
		if _, ok := k.Int(); ok {
			size += 5
		} else if p.ComplexOf(k) != nil {
			size += p.size(k)
		} else if d := k.Def(); d != nil && (d.Name == "immAllOnesV" || d.Name == "immAllZerosV") {
			size += 4 // a build_vector and what must hold of it
		} else if len(k.Preds) > 0 {
			size++
		}
	}
	return size
}

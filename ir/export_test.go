package ir

import (
	"fmt"
	"maps"
	"slices"
)

// CheckUses compares the index of uses with the body as it is.
func CheckUses(f *Function) error {
	if f.uses == nil {
		return nil
	}
	want := map[Value][]Use{}
	for _, b := range f.Order {
		for i := f.Blocks[b].First; i != 0; i = f.Instrs[i].Next {
			if f.Instrs[i].Block != b {
				return fmt.Errorf("instruction %d of block %d says block %d", i, b, f.Instrs[i].Block)
			}
			for n, v := range f.Ops(i) {
				want[v] = append(want[v], Use{i, n})
			}
			if x := f.Instrs[i].Extra; x != 0 {
				for _, bu := range f.Extras[x].Bundles {
					for _, v := range bu.Args {
						want[v] = append(want[v], Use{i, -1})
					}
				}
			}
		}
	}
	order := func(a, b Use) int { return int(a.I)*1000 + a.N - int(b.I)*1000 - b.N }
	all := slices.Collect(maps.Keys(want))
	for i := range f.Instrs {
		all = append(all, Local(InstrID(i)))
	}
	for _, v := range all {
		if v == 0 {
			continue
		}
		got := slices.SortedFunc(f.Uses(v), order)
		slices.SortFunc(want[v], order)
		if !slices.Equal(got, want[v]) || f.NumUses(v) != len(got) {
			return fmt.Errorf("value %x: the index has %v, the body %v", uint32(v), got, want[v])
		}
	}
	return nil
}

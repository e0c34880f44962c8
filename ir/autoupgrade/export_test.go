package autoupgrade

import "slices"

// TableNames returns the names of the x86 table, in order.
func TableNames() (names []string) {
	for n := range x86Shapes() {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

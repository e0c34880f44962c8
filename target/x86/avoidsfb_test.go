package x86

import "testing"

// TestCopyOf: the switch names the loads of each row.
func TestCopyOf(t *testing.T) {
	for k := range vectorCopies {
		for _, load := range vectorCopies[k].loads {
			if copyOf(load) != &vectorCopies[k] {
				t.Errorf("load %d is not that of row %d", load, k)
			}
		}
	}
	if row := copyOf(vectorCopies[0].stores[0]); row != nil {
		t.Errorf("a store is a load of %d bytes", row.bytes)
	}
}

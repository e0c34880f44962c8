package elf

import (
	"sort"
	"strings"
)

// strtab is a string table in which a string may be the tail of another.
type strtab struct {
	names []string
	off   map[string]uint32
	data  []byte
}

func (t *strtab) add(s string) {
	if t.off == nil {
		t.off = map[string]uint32{}
	}
	if _, ok := t.off[s]; !ok && s != "" {
		t.off[s] = 0
		t.names = append(t.names, s)
	}
}

// finish places the strings: sorted by their reverse, descending, each string
// stands directly behind those that it is the tail of.
func (t *strtab) finish() {
	sort.Slice(t.names, func(i, j int) bool { return reverseLess(t.names[j], t.names[i]) })
	t.data = append(t.data, 0)
	prev := ""
	for _, s := range t.names {
		if prev != "" && strings.HasSuffix(prev, s) {
			t.off[s] = uint32(len(t.data) - 1 - len(s))
			continue
		}
		t.off[s] = uint32(len(t.data))
		t.data = append(append(t.data, s...), 0)
		prev = s
	}
}

// reverseLess compares strings from their ends.
func reverseLess(a, b string) bool {
	for i := 1; i <= len(a) && i <= len(b); i++ {
		if x, y := a[len(a)-i], b[len(b)-i]; x != y {
			return x < y
		}
	}
	return len(a) < len(b)
}

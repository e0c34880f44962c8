package searchable

import (
	"cmp"
	"slices"
	"strings"
)

// sort puts the rows of a table in order: by all fields, then by the primary
// key, as LLVM has them; and makes the order of each index.
func (c *collector) sort(t *Table) {
	all := make([]int, len(t.Fields))
	for i := range all {
		all[i] = i
	}
	slices.SortStableFunc(t.Rows, func(a, b []Cell) int { return t.compare(a, b, all) })
	for _, l := range t.Lookups {
		if l.Primary {
			slices.SortStableFunc(t.Rows, func(a, b []Cell) int { return t.compare(a, b, l.Key) })
		}
	}
	for _, l := range t.Lookups {
		if l.Primary {
			continue
		}
		l.Order = make([]int, len(t.Rows))
		for i := range l.Order {
			l.Order[i] = i
		}
		slices.SortStableFunc(l.Order, func(a, b int) int { return t.compare(t.Rows[a], t.Rows[b], l.Key) })
	}
}

// compare orders two rows by some of their fields.
func (t *Table) compare(a, b []Cell, fields []int) int {
	for _, k := range fields {
		if d := t.Fields[k].compare(a[k], b[k]); d != 0 {
			return d
		}
	}
	return 0
}

// compare orders two cells as the generated lookup functions do.
func (f *Field) compare(a, b Cell) int {
	switch f.Kind {
	case String, Code:
		return strings.Compare(upper(a.Text), upper(b.Text))
	case Enumerated:
		return cmp.Compare(int64(a.Num), int64(b.Num))
	case Instruction, Intrinsic:
		if f.GoType != "" { // numbers that follow LLVM's order
			if d := cmp.Compare(a.Num, b.Num); d != 0 {
				return d
			}
		}
		return strings.Compare(a.Text, b.Text)
	}
	return cmp.Compare(a.Num, b.Num)
}

// upper turns ASCII letters to upper case and leaves all else.
func upper(s string) string {
	for i := 0; i < len(s); i++ {
		if 'a' <= s[i] && s[i] <= 'z' {
			b := []byte(s)
			for ; i < len(b); i++ {
				if 'a' <= b[i] && b[i] <= 'z' {
					b[i] -= 'a' - 'A'
				}
			}
			return string(b)
		}
	}
	return s
}

// dense reports whether the values of the only key field follow each other
// without gap or repetition, so that the first needs no search.
func (l *Lookup) dense() (first uint64, ok bool) {
	if len(l.Key) != 1 || l.Range {
		return 0, false
	}
	f := l.Table.Fields[l.Key[0]]
	if f.Kind != Bits && f.Kind != Enumerated {
		return 0, false
	}
	for i := range l.Table.Rows {
		v := l.row(i)[l.Key[0]].Num
		if i == 0 {
			first = v
		} else if v != first+uint64(i) {
			return 0, false
		}
	}
	return first, true
}

// row is the i-th row in the order of the key.
func (l *Lookup) row(i int) []Cell {
	if l.Order != nil {
		i = l.Order[i]
	}
	return l.Table.Rows[i]
}

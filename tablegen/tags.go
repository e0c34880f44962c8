package tablegen

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// AppendTags appends an index for ctags: all classes with their forward
// declarations and all definitions.
func (rs *Records) AppendTags(b []byte) []byte {
	type tag struct {
		name, file string
		line       int
	}
	var tags []tag
	add := func(name string, l Loc) {
		file, line := rs.line(l)
		tags = append(tags, tag{name, file, line})
	}
	for _, c := range rs.classList {
		add(c.Name, c.Loc)
		for _, l := range c.forward {
			add(c.Name, l)
		}
	}
	for _, d := range rs.defList {
		add(d.Name, d.Loc)
	}
	slices.SortStableFunc(tags, func(a, b tag) int {
		return cmp.Or(strings.Compare(a.name, b.name), strings.Compare(a.file, b.file), cmp.Compare(a.line, b.line))
	})
	b = append(b, "!_TAG_FILE_FORMAT\t1\t/original ctags format/\n!_TAG_FILE_SORTED\t1\t/0=unsorted, 1=sorted, 2=foldcase/\n"...)
	for _, t := range tags {
		b = append(b, t.name...)
		b = append(b, '\t')
		b = append(b, t.file...)
		b = append(b, '\t')
		b = strconv.AppendInt(b, int64(t.line), 10)
		b = append(b, '\n')
	}
	return b
}

package intrinsics

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mirin-go/mirin/tablegen/emit/gofile"
)

// AppendGo appends the Go file of package ir/intrin: three constant texts, of
// one row a line. names is sorted by bytes: name, space, "o" (overloaded) or
// "-", number of the attributes, space, number of the signature. sigs has type
// codes of two hexadecimal digits, attrs combinations of attributes.
func AppendGo(b []byte, l []*Intrinsic, pkg string) ([]byte, error) {
	combos, sigs := &numbering{of: map[string]int{}}, &numbering{of: map[string]int{}}
	rows := make([]string, len(l))
	for i, in := range l {
		over := "-"
		if in.Overloaded {
			over = "o"
		}
		rows[i] = fmt.Sprintf("%s %s%d %d\n", in.Name, over, combos.number(in.Attrs), sigs.number(fmt.Sprintf("%x", in.Sig)))
	}
	// By name, not by line: a space is less than a dot.
	slices.SortFunc(rows, func(a, b string) int {
		x, _, _ := strings.Cut(a, " ")
		y, _, _ := strings.Cut(b, " ")
		return strings.Compare(x, y)
	})
	f := gofile.New("gen-go-intrinsics", pkg)
	f.Printf("// names has the %d intrinsics.\nconst names = `%s`\n\n", len(l), strings.Join(rows, ""))
	f.Printf("// sigs has %d signatures.\nconst sigs = `%s`\n\n", len(sigs.rows), strings.Join(sigs.rows, ""))
	f.Printf("// attrs has %d combinations of attributes.\nconst attrs = `%s`\n", len(combos.rows), strings.Join(combos.rows, ""))
	return f.AppendTo(b)
}

// numbering gives equal rows one number.
type numbering struct {
	of   map[string]int
	rows []string
}

func (n *numbering) number(s string) int {
	k, ok := n.of[s]
	if !ok {
		k = len(n.rows)
		n.of[s] = k
		n.rows = append(n.rows, s+"\n")
	}
	return k
}

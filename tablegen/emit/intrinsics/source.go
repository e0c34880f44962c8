package intrinsics

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/tablegen/emit/gofile"
)

// First is the number of the first intrinsic, as in LLVM (Intrinsic::ID), whose
// numbers these are; 0 is none.
const First = 1

// AppendGo appends a Go file of constants: the number of each intrinsic that
// belongs to no target, where those of targets begin, and how many there are.
// l is in the order in which Collect gives it, which is that of the numbers.
func AppendGo(b []byte, l []*Intrinsic, pkg string) ([]byte, error) {
	f := gofile.New("gen-go-intrinsics", pkg)
	f.Printf("// The intrinsics that belong to no target, by name.\nconst (\n")
	used := map[string]bool{}
	n := 0
	for ; n < len(l) && l[n].Target == ""; n++ {
		id := "Intr" + camel(l[n].Name)
		for k := 2; used[id]; k++ {
			id = "Intr" + camel(l[n].Name) + strconv.Itoa(k)
		}
		used[id] = true
		f.Printf("\t%s Intrinsic = %d // llvm.%s\n", id, n+First, l[n].Name)
	}
	f.Printf(")\n\nconst (\n\tfirstTargetIntrinsic Intrinsic = %d\n\tnumIntrinsics Intrinsic = %d\n)\n", n+First, len(l)+First)
	return f.AppendTo(b)
}

// camel joins the words of a name, each with a capital letter in front.
func camel(name string) string {
	var b strings.Builder
	for _, w := range strings.FieldsFunc(name, func(r rune) bool { return r == '.' || r == '_' }) {
		b.WriteString(strings.ToUpper(w[:1]) + w[1:])
	}
	return b.String()
}

// AppendNames appends the table that package ir reads in place, all numbers in
// little-endian order of 32 bits: how many intrinsics, how many of them belong
// to no target, the offset of each name and of the end in the bytes behind the
// offsets. A name whose last byte has its upper bit set is overloaded.
func AppendNames(b []byte, l []*Intrinsic) []byte {
	own := 0
	for own < len(l) && l[own].Target == "" {
		own++
	}
	b = binary.LittleEndian.AppendUint32(b, uint32(len(l)))
	b = binary.LittleEndian.AppendUint32(b, uint32(own))
	off := uint32(0)
	for _, in := range l {
		b = binary.LittleEndian.AppendUint32(b, off)
		off += uint32(len(in.Name))
	}
	b = binary.LittleEndian.AppendUint32(b, off)
	for _, in := range l {
		b = append(b, in.Name...)
		if in.Overloaded {
			b[len(b)-1] |= 0x80
		}
	}
	return b
}

// AppendSignatures appends the table that package ir/intrin reads in place:
// how many intrinsics, signatures and combinations of attributes there are (32
// bits each); for each intrinsic the number of its signature and of its
// attributes (16 bits each); the offsets of the signatures and of their end,
// of the attributes and of their end (32 bits); the bytes of both. Signatures
// are LLVM's type codes, attributes as text.
func AppendSignatures(b []byte, l []*Intrinsic) ([]byte, error) {
	attrs, sigs := &numbering{of: map[string]int{}}, &numbering{of: map[string]int{}}
	var rows []byte
	for _, in := range l {
		rows = binary.LittleEndian.AppendUint16(rows, uint16(sigs.number(string(in.Sig))))
		rows = binary.LittleEndian.AppendUint16(rows, uint16(attrs.number(in.Attrs)))
	}
	if n := max(len(attrs.rows), len(sigs.rows)); n > math.MaxUint16 {
		return nil, fmt.Errorf("%d signatures or combinations of attributes are more than the table holds", n)
	}
	for _, n := range [...]int{len(l), len(sigs.rows), len(attrs.rows)} {
		b = binary.LittleEndian.AppendUint32(b, uint32(n))
	}
	b = append(b, rows...)
	for _, t := range [...]*numbering{sigs, attrs} {
		off := uint32(0)
		for _, r := range t.rows {
			b = binary.LittleEndian.AppendUint32(b, off)
			off += uint32(len(r))
		}
		b = binary.LittleEndian.AppendUint32(b, off)
	}
	for _, t := range [...]*numbering{sigs, attrs} {
		for _, r := range t.rows {
			b = append(b, r...)
		}
	}
	return b, nil
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
		n.rows = append(n.rows, s)
	}
	return k
}

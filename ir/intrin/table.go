package intrin

import (
	"strconv"
	"strings"
)

//go:generate sh -c "go run github.com/mirin-go/mirin/tools/tblgen --gen-go-intrinsics --go-package intrin -I $(llvm-config-22 --includedir) -o zz_intrin.go $(llvm-config-22 --includedir)/llvm/IR/Intrinsics.td"

// ID names an intrinsic: the offset of its row in the table of names plus
// one; 0 is none.
type ID uint32

// Lookup returns the intrinsic that a function's name ("llvm.memcpy.p0.p0.i64")
// means, 0 for none. An overloaded one may have a suffix, which is not checked.
func Lookup(name string) ID {
	name, ok := strings.CutPrefix(name, "llvm.")
	if !ok {
		return 0
	}
	for base := name; base != ""; {
		if id := find(base); id != 0 {
			if len(base) == len(name) || id.Overloaded() {
				return id
			}
			return 0
		}
		dot := strings.LastIndexByte(base, '.')
		if dot < 0 {
			break
		}
		base = base[:dot]
	}
	return 0
}

// find looks a name up by bisection over the bytes of the table.
func find(name string) ID {
	lo, hi := 0, len(names)
	for lo < hi {
		mid := lo + (hi-lo)/2
		start := lo + strings.LastIndexByte(names[lo:mid], '\n') + 1
		end := start + strings.IndexByte(names[start:], '\n')
		key := names[start : start+strings.IndexByte(names[start:end], ' ')]
		switch {
		case key == name:
			return ID(start + 1)
		case key < name:
			lo = end + 1
		default:
			hi = start
		}
	}
	return 0
}

// row returns the fields of the row.
func (id ID) row() (name string, over bool, attr, sig int) {
	r := names[id-1:]
	r = r[:strings.IndexByte(r, '\n')]
	name, r, _ = strings.Cut(r, " ")
	a, s, _ := strings.Cut(r[1:], " ")
	attr, _ = strconv.Atoi(a)
	sig, _ = strconv.Atoi(s)
	return name, r[0] == 'o', attr, sig
}

// Name returns the name without type suffixes: "llvm.memcpy".
func (id ID) Name() string {
	if id == 0 {
		return ""
	}
	name, _, _, _ := id.row()
	return "llvm." + name
}

// Overloaded reports whether the intrinsic's name has types as a suffix.
func (id ID) Overloaded() bool { _, over, _, _ := id.row(); return over }

// line returns line n of a table.
func line(s string, n int) string {
	for ; n > 0; n-- {
		s = s[strings.IndexByte(s, '\n')+1:]
	}
	return s[:strings.IndexByte(s, '\n')]
}

// code returns the type codes of the signature.
func (id ID) code() []byte {
	_, _, _, n := id.row()
	h := line(sigs, n)
	b := make([]byte, len(h)/2)
	for i := range b {
		v, _ := strconv.ParseUint(h[2*i:2*i+2], 16, 8)
		b[i] = byte(v)
	}
	return b
}

package dwarfname

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
)

//go:embed zz_names.txt
var text string

// Kind is a family of constants: the prefix of their names.
type Kind string

// The families.
const (
	Tag        Kind = "DW_TAG_"
	Encoding   Kind = "DW_ATE_"
	Lang       Kind = "DW_LANG_"
	LangName   Kind = "DW_LNAME_"
	CC         Kind = "DW_CC_"
	Virtuality Kind = "DW_VIRTUALITY_"
	Op         Kind = "DW_OP_"
	EnumKind   Kind = "DW_APPLE_ENUM_KIND_"
	MacInfo    Kind = "DW_MACINFO_"
	DIFlag     Kind = "DIFlag"
	DISPFlag   Kind = "DISPFlag"
	Attribute  Kind = "DW_AT_"
	Form       Kind = "DW_FORM_"
)

type table struct {
	byNum  map[uint64]string
	byName map[string]uint64
}

// tables are made when the first name is asked for.
var tables = sync.OnceValue(func() map[Kind]table {
	m := map[Kind]table{}
	for s := text; s != ""; {
		var l string
		l, s, _ = strings.Cut(s, "\n")
		prefix, rest, _ := strings.Cut(l, " ")
		num, name, _ := strings.Cut(rest, " ")
		n, _ := strconv.ParseUint(num, 10, 64)
		t, ok := m[Kind(prefix)]
		if !ok {
			t = table{map[uint64]string{}, map[string]uint64{}}
			m[Kind(prefix)] = t
		}
		if _, ok := t.byNum[n]; !ok {
			t.byNum[n] = prefix + name
		}
		t.byName[prefix+name] = n
	}
	return m
})

// Name returns the whole name of constant n ("DW_TAG_member"), "" when it has none.
func Name(k Kind, n uint64) string { return tables()[k].byNum[n] }

// Number returns the constant called name.
func Number(k Kind, name string) (n uint64, ok bool) {
	n, ok = tables()[k].byName[name]
	return
}

// Flags returns the text of a set of DIFlags or DISPFlags as LLVM prints it,
// "DIFlagPublic | DIFlagArtificial"; bits without a name stand behind as a number.
func Flags(k Kind, bits uint64) string {
	var b []string
	take := func(mask uint64) {
		if bits&mask != 0 {
			b = append(b, Name(k, bits&mask))
			bits &^= mask
		}
	}
	if k == DIFlag {
		take(3)
		take(3 << 16)
		if bits&(1<<2|1<<5) == 1<<2|1<<5 {
			take(1<<2 | 1<<5)
		}
		for i := range 32 {
			if Name(k, 1<<i) != "" {
				take(1 << i)
			}
		}
	} else {
		take(3)
		for i := 2; i < 32; i++ {
			if Name(k, 1<<i) != "" {
				take(1 << i)
			}
		}
	}
	if bits != 0 || len(b) == 0 {
		b = append(b, strconv.FormatUint(bits, 10))
	}
	return strings.Join(b, " | ")
}

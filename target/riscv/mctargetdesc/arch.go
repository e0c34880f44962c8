package mctargetdesc

import (
	_ "embed" // the list
	"slices"
	"strconv"
	"strings"
	"sync"
)

// extensionText lists the extensions: name, version, "32" for those of RV32 alone, "?" for
// experimental ones, and all that each implies. go run ./tools/mclearn -riscv llvm-mc -o
// FOLDER writes it.
//
//go:embed zz_extensions.txt
var extensionText string

// extension is one of the instruction set.
type extension struct {
	name, version string // as in "2p1"
	only32        bool
	experimental  bool
	implies       []string
}

type extensionList struct{ byName map[string]*extension }

var extensions = sync.OnceValue(func() *extensionList {
	l := &extensionList{byName: map[string]*extension{"i": {name: "i", version: "2p1"}, "e": {name: "e", version: "2p0"}}}
	for line := range strings.Lines(extensionText) {
		w := strings.Fields(line)
		x := &extension{name: w[0], version: w[1]}
		for _, f := range w[2:] {
			switch f {
			case "32":
				x.only32 = true
			case "?":
				x.experimental = true
			default:
				x.implies = append(x.implies, f)
			}
		}
		l.byName[x.name] = x
	}
	return l
})

// isa is an architecture's extensions.
type isa struct {
	wide bool
	exts map[string]*extension
}

// stdOrder is the order of extensions of one letter.
const stdOrder = "iemafdqlcbkjtpvnh"

func letterRank(c byte) int {
	if k := strings.IndexByte(stdOrder, c); k >= 0 {
		return k
	}
	return len(stdOrder) + int(c)
}

// rank orders extensions: letters, z with the letter that it belongs to, s, x.
func rank(name string) int {
	switch {
	case len(name) == 1:
		return letterRank(name[0])
	case name[0] == 'z':
		return 1<<8 + letterRank(name[1])
	case name[0] == 's':
		return 1 << 10
	}
	return 1 << 11
}

// ordered lists the extensions in their canonical order.
func (s *isa) ordered() []string {
	var out []string
	for n := range s.exts {
		out = append(out, n)
	}
	slices.SortFunc(out, func(a, b string) int {
		if d := rank(a) - rank(b); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	return out
}

// String is the canonical name of the architecture.
func (s *isa) String() string {
	b := "rv32"
	if s.wide {
		b = "rv64"
	}
	for i, n := range s.ordered() {
		if i > 0 {
			b += "_"
		}
		b += n + s.exts[n].version
	}
	return b
}

func (s *isa) add(x *extension) {
	if s.exts[x.name] != nil {
		return
	}
	s.exts[x.name] = x
	if n, ok := strings.CutPrefix(x.name, "zvl"); ok { // and shorter vectors
		if bits, err := strconv.Atoi(strings.TrimSuffix(n, "b")); err == nil && bits > 32 {
			s.add(extensions().byName["zvl"+strconv.Itoa(bits/2)+"b"])
		}
	}
	for _, n := range x.implies {
		if y := extensions().byName[n]; y != nil {
			s.add(y)
		}
	}
}

// combined adds the names of what several extensions are together.
func (s *isa) combined() {
	has := func(names ...string) bool {
		return !slices.ContainsFunc(names, func(n string) bool { return s.exts[n] == nil })
	}
	for _, c := range [...][3]string{{"c", "d", "zcd"}, {"c", "f", "zcf"}, {"zce", "f", "zcf"}} {
		if has(c[:2]...) && (c[2] == "zcd" || !s.wide) {
			s.add(extensions().byName[c[2]])
		}
	}
	for _, c := range combinations {
		if has(c[1:]...) {
			s.add(extensions().byName[c[0]])
		}
	}
	if has("zca") && (!has("d") || has("zcd")) && (s.wide || !has("f") || has("zcf")) {
		s.add(extensions().byName["c"])
	}
}

// combinations are extensions that are other ones together (RISC-V Unprivileged ISA, its
// chapters on Zk, Zv, B and Zc).
var combinations = [...][]string{
	{"b", "zba", "zbb", "zbs"}, {"a", "zaamo", "zalrsc"},
	{"zkn", "zbkb", "zbkc", "zbkx", "zkne", "zknd", "zknh"}, {"zks", "zbkb", "zbkc", "zbkx", "zksed", "zksh"}, {"zk", "zkn", "zkr", "zkt"},
	{"zvkn", "zvkned", "zvknhb", "zvkb", "zvkt"}, {"zvknc", "zvkn", "zvbc"}, {"zvkng", "zvkn", "zvkg"},
	{"zvks", "zvksed", "zvksh", "zvkb", "zvkt"}, {"zvksc", "zvks", "zvbc"}, {"zvksg", "zvks", "zvkg"},
}

// parseArch reads an architecture's name; msg says what is wrong with it.
func parseArch(name string, _ bool) (s *isa, msg string) {
	s = &isa{exts: map[string]*extension{}}
	rest, ok := strings.CutPrefix(name, "rv64")
	if s.wide = ok; !ok {
		rest, ok = strings.CutPrefix(name, "rv32")
	}
	for _, c := range name {
		if !(c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '_') {
			return nil, "string may only contain [a-z0-9_]"
		}
	}
	if !ok || rest == "" {
		return nil, "string must begin with rv32{i,e,g}, rv64{i,e,g}, or a supported profile name"
	}
	xlen := name[:4]
	switch rest[0] {
	case 'g':
		if len(rest) > 1 && rest[1] >= '0' && rest[1] <= '9' {
			return nil, "version not supported for 'g'"
		}
		for _, n := range [...]string{"i", "m", "a", "f", "d", "zicsr", "zifencei"} {
			s.add(extensions().byName[n])
		}
		rest = rest[1:]
	case 'i', 'e':
	default:
		return nil, "first letter after '" + xlen + "' should be 'e', 'i' or 'g'"
	}
	seen := map[string]bool{}
	for part := range strings.SplitSeq(rest, "_") {
		if part == "" {
			if rest == "" {
				break
			}
			return nil, "extension name missing after separator '_'"
		}
		for part != "" {
			var n, version string
			if strings.IndexByte("zsx", part[0]) >= 0 && (part[0] != 's' || len(part) > 1) {
				n, version = splitVersion(part)
				part = ""
			} else {
				n = part[:1]
				version, part = leadingVersion(part[1:])
			}
			x := extensions().byName[n]
			kind := "standard user-level"
			switch n[0] {
			case 's':
				kind = "standard supervisor-level"
			case 'x':
				kind = "non-standard user-level"
			}
			switch {
			case x == nil && len(n) == 1 && strings.Contains(stdOrder, n):
				return nil, "unsupported " + kind + " extension '" + n + "'"
			case x == nil && len(n) == 1:
				return nil, "invalid " + kind + " extension '" + n + "'"
			case x == nil:
				return nil, "unsupported " + kind + " extension '" + n + "'"
			case seen[n] && len(n) == 1:
				return nil, "duplicated " + kind + " extension '" + n + "'"
			case seen[n]:
				return nil, "duplicated " + kind + " extension '" + n + "'"
			case version == "" && x.experimental:
				return nil, "experimental extension requires explicit version number `" + n + "`"
			case version != "" && version != x.version && version+"p0" != x.version:
				v := strings.Replace(version, "p", ".", 1)
				if !strings.Contains(v, ".") {
					v += ".0"
				}
				if x.experimental {
					return nil, "unsupported version number " + v + " for experimental extension '" + n + "' (this compiler supports " + strings.Replace(x.version, "p", ".", 1) + ")"
				}
				return nil, "unsupported version number " + v + " for extension '" + n + "'"
			case x.only32 && s.wide:
				return nil, "'" + n + "' is only supported for 'rv32'"
			}
			seen[n] = true
			s.add(x)
		}
	}
	s.combined()
	return s, ""
}

// splitVersion takes the version off the end of an extension's name: "zba1p0".
func splitVersion(s string) (name, version string) {
	i := len(s)
	for i > 0 && s[i-1] >= '0' && s[i-1] <= '9' {
		i--
	}
	if i < len(s) && i > 1 && s[i-1] == 'p' && s[i-2] >= '0' && s[i-2] <= '9' {
		k := i - 1
		for k > 0 && s[k-1] >= '0' && s[k-1] <= '9' {
			k--
		}
		return s[:k], s[k:]
	}
	if extensions().byName[s] != nil || i == len(s) {
		return s, ""
	}
	return s[:i], s[i:]
}

// leadingVersion takes a version off the start of what follows a letter.
func leadingVersion(s string) (version, rest string) {
	i := 0
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	if i > 0 && i+1 < len(s) && s[i] == 'p' && s[i+1] >= '0' && s[i+1] <= '9' {
		for i++; i < len(s) && s[i] >= '0' && s[i] <= '9'; {
			i++
		}
	}
	return s[:i], s[i:]
}

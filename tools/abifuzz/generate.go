package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// scalar is a C type of one number.
type scalar struct {
	name string
	bits int // of an integer, 0 for others
	kind kind
}

type kind uint8

const (
	integer kind = iota
	pointer
	floating
	complexed
	vector
)

var scalars = []scalar{
	{"signed char", 8, integer}, {"unsigned char", 8, integer}, {"short", 16, integer}, {"unsigned short", 16, integer},
	{"int", 32, integer}, {"unsigned", 32, integer}, {"long long", 64, integer}, {"unsigned long long", 64, integer}, {"_Bool", 1, integer},
	{"__int128", 128, integer}, {"unsigned __int128", 128, integer}, {"unsigned _BitInt(7)", 7, integer}, {"_BitInt(37)", 37, integer},
	{"unsigned _BitInt(65)", 65, integer}, {"_BitInt(100)", 100, integer}, {"_BitInt(128)", 128, integer}, {"unsigned _BitInt(150)", 150, integer},
	{"void *", 64, pointer}, {"float", 0, floating}, {"double", 0, floating}, {"long double", 0, floating},
	{"_Float16", 0, floating}, {"__float128", 0, floating},
	{"_Complex float", 0, complexed}, {"_Complex double", 0, complexed}, {"_Complex long double", 0, complexed},
}

// vectors are named, since attributes stand in no argument list.
var vectors = []struct {
	name, elem string
	bytes      int
}{
	{"v8c", "signed char", 8}, {"v16c", "signed char", 16}, {"v4i", "int", 16}, {"v4f", "float", 16}, {"v2d", "double", 16}, {"v2f", "float", 8},
	{"v8i", "int", 32}, {"v8f", "float", 32}, {"v4l", "long", 32}, {"v16i", "int", 64}, {"v8d", "double", 64},
}

// leaf is a number in a value: how it is reached, and what it is.
type leaf struct {
	path string
	s    scalar
	// width is that of a bit field, 0 for none; elems the number of a vector's elements.
	width, elems int
}

// ctype is a type: its name and the numbers in it.
type ctype struct {
	name   string
	leaves []leaf
}

// program is a set of signatures.
type program struct {
	r     *rand.Rand
	c     *config
	decls strings.Builder
	fns   []function
	types int
}

type function struct {
	n          int
	result     ctype // no name for void
	args       []ctype
	fixed      int // arguments that are not variable
	variadic   bool
	convention string
}

func newProgram(seed uint64, n int, c *config, skip map[int]bool) *program {
	p := &program{c: c}
	for k := range n {
		// A signature depends on its own seed alone.
		p.r = rand.New(rand.NewPCG(seed+uint64(k), 14))
		f := p.function(k)
		if !skip[k] {
			p.fns = append(p.fns, f)
		}
	}
	return p
}

func (p *program) function(n int) function {
	f := function{n: n}
	if p.r.IntN(6) > 0 {
		f.result = p.anyType()
	}
	for range p.r.IntN(9) {
		f.args = append(f.args, p.anyType())
	}
	f.fixed = len(f.args)
	switch {
	case p.r.IntN(6) == 0 && len(f.args) > 1:
		f.variadic = true
		f.fixed = 1 + p.r.IntN(len(f.args)-1)
	case p.c.conventions:
		f.convention = []string{"", "preserve_none", "preserve_most", "preserve_all", "ms_abi"}[p.r.IntN(5)]
	}
	return f
}

func (p *program) anyType() ctype {
	if p.r.IntN(3) > 0 {
		return p.scalarType()
	}
	p.types++
	t := ctype{name: fmt.Sprintf("struct T%d", p.types)}
	var body string
	body, t.leaves = p.fields(p.r.IntN(6), 0)
	packed := ""
	if p.r.IntN(6) == 0 {
		packed = " __attribute__((packed))"
	} else if p.r.IntN(12) == 0 {
		packed = " __attribute__((aligned(32)))"
	}
	fmt.Fprintf(&p.decls, "%s {%s}%s;\n", t.name, body, packed)
	return t
}

func (p *program) scalarType() ctype {
	if p.c.vectors && p.r.IntN(4) == 0 {
		v := vectors[p.r.IntN(len(vectors))]
		return ctype{v.name, []leaf{vectorLeaf("", v.name)}}
	}
	s := scalars[p.r.IntN(len(scalars))]
	if (strings.HasSuffix(s.name, "__int128") || s.name == "_Float16") && strings.Contains(p.c.cflags, "-m32") {
		s = scalars[6] // clang has none of these there
	}
	return ctype{s.name, []leaf{{"", s, 0, 0}}}
}

func vectorLeaf(path, name string) leaf {
	for _, v := range vectors {
		if v.name == name {
			size := map[string]int{"signed char": 1, "int": 4, "float": 4, "double": 8, "long": 8}[v.elem]
			return leaf{path, scalar{v.elem, 8 * size, vector}, 0, v.bytes / size}
		}
	}
	panic(name)
}

// fields makes the members of a struct.
func (p *program) fields(n, depth int) (body string, leaves []leaf) {
	for k := range n {
		name := fmt.Sprintf("m%d", k)
		switch x := p.r.IntN(12); {
		case x == 0 && depth < 2:
			b, l := p.fields(p.r.IntN(4), depth+1)
			body += fmt.Sprintf("struct {%s} %s; ", b, name)
			for _, q := range l {
				q.path = "." + name + q.path
				leaves = append(leaves, q)
			}
		case x <= 2:
			s := scalars[p.r.IntN(8)]
			w := 1 + p.r.IntN(s.bits)
			body += fmt.Sprintf("%s %s : %d; ", s.name, name, w)
			leaves = append(leaves, leaf{"." + name, s, w, 0})
			if p.r.IntN(4) == 0 {
				body += "int : 0; "
			}
		case x == 3:
			t := p.small()
			body += fmt.Sprintf("%s %s[2]; ", t.name, name)
			for j := range 2 {
				leaves = append(leaves, leaf{fmt.Sprintf(".%s[%d]", name, j), t.leaves[0].s, 0, 0})
			}
		default:
			t := p.scalarType()
			if x > 6 {
				t = p.small()
			}
			body += fmt.Sprintf("%s %s; ", t.name, name)
			l := t.leaves[0]
			l.path = "." + name
			leaves = append(leaves, l)
		}
	}
	return body, leaves
}

// small is a type of at most 8 bytes.
func (p *program) small() ctype {
	s := scalars[p.r.IntN(9)]
	if p.r.IntN(3) == 0 {
		s = scalars[18+p.r.IntN(2)]
	}
	return ctype{s.name, []leaf{{"", s, 0, 0}}}
}

// common is the text that both sides include.
func (p *program) common() string {
	var b strings.Builder
	b.WriteString(`#include <stdarg.h>
#include <string.h>
#include <stdio.h>
typedef unsigned long long u64;
extern u64 got[];
static inline u64 mix(u64 h, u64 x) { h ^= x + 0x9e3779b97f4a7c15ull + (h << 6) + (h >> 2); return h * 0xff51afd7ed558ccdull; }
`)
	if p.c.vectors {
		for _, v := range vectors {
			fmt.Fprintf(&b, "typedef %s %s __attribute__((vector_size(%d)));\n", v.elem, v.name, v.bytes)
		}
	}
	b.WriteString(p.decls.String())
	for _, f := range p.fns {
		fmt.Fprintf(&b, "%s;\n", f.prototype())
	}
	return b.String()
}

func (f *function) prototype() string {
	r := f.result.name
	if r == "" {
		r = "void"
	}
	var args []string
	for k, t := range f.args[:f.fixed] {
		args = append(args, fmt.Sprintf("%s a%d", t.name, k))
	}
	if f.variadic {
		args = append(args, "...")
	} else if len(args) == 0 {
		args = []string{"void"}
	}
	cc := ""
	if f.convention != "" {
		cc = fmt.Sprintf("__attribute__((%s)) ", f.convention)
	}
	return fmt.Sprintf("%s%s f%d(%s)", cc, r, f.n, strings.Join(args, ", "))
}

// fill writes numbers that seed gives into variable v.
func fill(b *strings.Builder, v string, t ctype, seed string) {
	for k, l := range t.leaves {
		at, h := v+l.path, fmt.Sprintf("mix(%s, %d)", seed, k+1)
		switch l.s.kind {
		case pointer:
			fmt.Fprintf(b, "  %s = (void *)%s;\n", at, h)
		case floating:
			fmt.Fprintf(b, "  %s = (%s)((int)(%s %% 2001) - 1000) / 8;\n", at, l.s.name, h)
		case complexed:
			part := strings.TrimPrefix(l.s.name, "_Complex ")
			fmt.Fprintf(b, "  __real__ %s = (%s)((int)(%s %% 2001) - 1000) / 8; __imag__ %s = (%s)(%s %% 77);\n", at, part, h, at, part, h)
		case vector:
			fmt.Fprintf(b, "  for (int j = 0; j < %d; j++) %s[j] = (%s)(mix(%s, j) %% 100);\n", l.elems, at, l.s.name, h)
		default:
			if l.s.bits > 64 {
				fmt.Fprintf(b, "  %s = ((%s)%s << %d) ^ (%s)mix(%s, 7);\n", at, l.s.name, h, l.s.bits-64, l.s.name, h)
			} else {
				fmt.Fprintf(b, "  %s = (%s)%s;\n", at, l.s.name, h)
			}
		}
	}
}

// hash mixes the numbers of variable v into h.
func hash(b *strings.Builder, h, v string, t ctype) {
	for _, l := range t.leaves {
		at := v + l.path
		add := func(x string) { fmt.Fprintf(b, "  %s = mix(%s, (u64)(%s));\n", h, h, x) }
		switch l.s.kind {
		case floating:
			add(fmt.Sprintf("(long)(%s * 8)", at))
		case complexed:
			add(fmt.Sprintf("(long)(__real__ %s * 8)", at))
			add(fmt.Sprintf("(long)__imag__ %s", at))
		case vector:
			fmt.Fprintf(b, "  for (int j = 0; j < %d; j++) %s = mix(%s, (u64)(long)%s[j]);\n", l.elems, h, h, at)
		default:
			add(at)
			if l.s.bits > 64 {
				add(at + " >> 64")
			}
		}
	}
}

func (p *program) callees() string {
	var b strings.Builder
	b.WriteString("#include \"common.h\"\nu64 got[4096];\n")
	for _, f := range p.fns {
		fmt.Fprintf(&b, "%s {\n  u64 h = %d;\n", f.prototype(), f.n)
		if f.variadic {
			fmt.Fprintf(&b, "  va_list ap; va_start(ap, a%d);\n", f.fixed-1)
			for k := f.fixed; k < len(f.args); k++ {
				fmt.Fprintf(&b, "  %s a%d = va_arg(ap, %s);\n", promoted(f.args[k]), k, promoted(f.args[k]))
			}
			b.WriteString("  va_end(ap);\n")
		}
		for k, t := range f.args {
			hash(&b, "h", fmt.Sprintf("a%d", k), t)
		}
		for k := range f.args {
			fmt.Fprintf(&b, "  memset(&a%d, 0x55, sizeof a%d); __asm__ volatile(\"\" : : \"r\"(&a%d) : \"memory\");\n", k, k, k)
		}
		fmt.Fprintf(&b, "  got[%d] = h;\n", f.n)
		if f.result.name != "" {
			fmt.Fprintf(&b, "  %s r; memset(&r, 0, sizeof r);\n", f.result.name)
			fill(&b, "r", f.result, "h")
			b.WriteString("  return r;\n")
		}
		b.WriteString("}\n")
	}
	return b.String()
}

// promoted is the type that a variable argument arrives with.
func promoted(t ctype) string {
	switch t.name {
	case "signed char", "unsigned char", "short", "unsigned short", "_Bool":
		return "int"
	case "float":
		return "double"
	}
	return t.name
}

func (p *program) callers() string {
	var b strings.Builder
	b.WriteString("#include \"common.h\"\n")
	for _, f := range p.fns {
		fmt.Fprintf(&b, "__attribute__((noinline)) void call%d(void) {\n  volatile u64 guard[4] = {1, 2, 3, 4}; u64 h = %d, seed = %d;\n", f.n, f.n, 1000+f.n)
		for k, t := range f.args {
			v := fmt.Sprintf("a%d", k)
			fmt.Fprintf(&b, "  %s %s; memset(&%s, 0, sizeof %s); seed = mix(seed, %d);\n", t.name, v, v, v, k)
			fill(&b, v, t, "seed")
		}
		for k, t := range f.args {
			hash(&b, "h", fmt.Sprintf("a%d", k), t)
		}
		for k := range f.args {
			fmt.Fprintf(&b, "  __asm__ volatile(\"\" : : \"r\"(&a%d) : \"memory\");\n", k)
		}
		var args []string
		for k := range f.args {
			args = append(args, fmt.Sprintf("a%d", k))
		}
		fmt.Fprintf(&b, "  got[%d] = 0;\n  ", f.n)
		if f.result.name != "" {
			fmt.Fprintf(&b, "%s r = ", f.result.name)
		}
		fmt.Fprintf(&b, "f%d(%s);\n  if (got[%d] != h) printf(\"f%d arguments\\n\");\n", f.n, strings.Join(args, ", "), f.n, f.n)
		if f.result.name != "" {
			b.WriteString("  u64 x = 0, y = 0;\n")
			hash(&b, "x", "r", f.result)
			fmt.Fprintf(&b, "  { %s q; memset(&q, 0, sizeof q);\n", f.result.name)
			fill(&b, "q", f.result, "h")
			hash(&b, "y", "q", f.result)
			fmt.Fprintf(&b, "  }\n  if (x != y) printf(\"f%d result\\n\");\n", f.n)
		}
		b.WriteString("  u64 z = ")
		fmt.Fprintf(&b, "%d;\n", f.n)
		for k, t := range f.args {
			hash(&b, "z", fmt.Sprintf("a%d", k), t)
		}
		fmt.Fprintf(&b, "  if (z != h || guard[0] + guard[1] + guard[2] + guard[3] != 10) printf(\"f%d changed its caller\\n\");\n}\n", f.n)
	}
	b.WriteString("int main(void) {\n")
	for _, f := range p.fns {
		fmt.Fprintf(&b, "  call%d();\n", f.n)
	}
	b.WriteString("  return 0;\n}\n")
	return b.String()
}

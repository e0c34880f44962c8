package main

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/intrin"
)

// The patterns of intrinsics, zz_X86Intrinsics.td: for each intrinsic of x86 a function
// that calls it is given to LLVM, and what its selection makes of it, machine code of one
// block, is written as the result of a pattern. Intrinsics under a mask are asked about
// with a mask of ones and with a zero that is passed through as well, those whose
// rounding is a constant with all of them. What is more than a block, or depends on the
// value of another constant, is left out.

// argument is a parameter of an intrinsic.
type argument struct {
	ty  string // in LLVM IR
	vt  string // in patterns
	imm bool
}

// subject is an intrinsic that is asked about.
type subject struct {
	name   string // llvm.x86.…
	def    string // int_x86_…
	result []argument
	args   []argument
	memory bool // has effects or reads memory
	feats  string
	preds  []string
	seen   map[string]bool // definitions of patterns that are written
}

// choice is a way to call it: what stands for each argument.
type choice struct {
	imm  []int64 // by argument, of immediates
	ones int     // the argument that is a mask of ones, -1 for none
	zero int     // the one that is zero
}

func (a *asker) intrinsicPatterns() (string, error) {
	m := ir.NewModule("m")
	first, end := ir.TargetIntrinsics("x86.")
	dir, err := os.MkdirTemp("", "x86intrinsics")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	answers, err := savedAnswers()
	if err != nil {
		return "", err
	}
	for {
		// What is asked is answered for all together, and then all is done again.
		w := &intrinsicWriter{a: a, dir: dir, preds: map[string]bool{}, answers: answers}
		for x := first; x < end; x++ {
			if s, ok := newSubject(m, x); ok {
				w.try(s)
			}
		}
		if len(w.pending) == 0 {
			return w.text()
		}
		if err := w.answer(); err != nil {
			return "", err
		}
		if err := saveAnswers(answers); err != nil {
			return "", err
		}
	}
}

// newSubject reads a signature; false for what is not asked about: overloaded ones,
// those of AMX's tiles, of x87 and of the old MMX.
func newSubject(m *ir.Module, x ir.Intrinsic) (*subject, bool) {
	id := intrin.Of(x)
	switch x.Name() {
	case "llvm.x86.rdtsc", "llvm.x86.sse2.pause":
		return nil, false // with their kin in X86Flags.td
	}
	if x.Overloaded() || strings.HasPrefix(x.Name(), "llvm.x86.mmx.") || strings.HasPrefix(x.Name(), "llvm.x86.t") && strings.HasSuffix(x.Name(), ".internal") {
		return nil, false
	}
	t := m.Types
	ft := id.FuncType(t)
	attrs := m.Attrs.At(id.AttrList(m, ft))
	s := &subject{name: x.Name(), def: "int_" + strings.ReplaceAll(strings.TrimPrefix(x.Name(), "llvm."), ".", "_")}
	res := t.Result(ft)
	switch {
	case res == ir.Void:
	case t.Kind(res) == ir.KindStruct:
		for _, e := range t.Subtypes(res) {
			s.result = append(s.result, argument{ty: irName(t, e), vt: valueType(t, e)})
		}
	default:
		s.result = []argument{{ty: irName(t, res), vt: valueType(t, res)}}
	}
	for k, p := range t.Subtypes(ft) {
		imm := k < len(attrs.Params) && attrs.Params[k].Has("immarg")
		s.args = append(s.args, argument{irName(t, p), valueType(t, p), imm})
	}
	for _, l := range [][]argument{s.result, s.args} {
		for _, x := range l {
			if x.vt == "" {
				return nil, false
			}
		}
	}
	effects, _ := id.Effects()
	s.memory = effects
	return s, true
}

func irName(t *ir.Types, ty ir.Type) string {
	switch t.Kind(ty) {
	case ir.KindInteger:
		return fmt.Sprint("i", t.IntBits(ty))
	case ir.KindHalf:
		return "half"
	case ir.KindBFloat:
		return "bfloat"
	case ir.KindFloat:
		return "float"
	case ir.KindDouble:
		return "double"
	case ir.KindPointer:
		return "ptr"
	case ir.KindVector:
		return fmt.Sprintf("<%d x %s>", t.NumElems(ty), irName(t, t.Elem(ty)))
	}
	return "?"
}

// valueType is the type of a pattern, "" for what registers do not hold. Formats of 16
// bits are integers there: vectors of them are one generic type.
func valueType(t *ir.Types, ty ir.Type) string {
	switch t.Kind(ty) {
	case ir.KindInteger:
		if n := t.IntBits(ty); n == 8 || n == 16 || n == 32 || n == 64 {
			return fmt.Sprint("i", n)
		}
	case ir.KindFloat:
		return "f32"
	case ir.KindDouble:
		return "f64"
	case ir.KindPointer:
		return "iPTR"
	case ir.KindVector:
		n, e := t.NumElems(ty), t.Elem(ty)
		switch t.Kind(e) {
		case ir.KindInteger:
			b := uint64(t.IntBits(e))
			if b == 1 && n >= 2 || b*n == 128 || b*n == 256 || b*n == 512 {
				return fmt.Sprintf("v%di%d", n, b)
			}
		case ir.KindHalf, ir.KindBFloat:
			if 16*n >= 128 {
				return fmt.Sprintf("v%di16", n)
			}
		case ir.KindFloat, ir.KindDouble:
			if b := uint64(t.FloatBits(e)); b*n >= 128 {
				return fmt.Sprintf("v%df%d", n, b)
			}
		}
	}
	return ""
}

// featuresOf are what to try an intrinsic with: sets of features, the first of which
// that LLVM selects it with counts. all has those that every try has.
func featuresOf(name string) (all string, preds []string, tries []string) {
	rest := strings.TrimPrefix(name, "llvm.x86.")
	switch {
	case strings.HasPrefix(rest, "avx10"):
		return "+avx10.2", []string{"HasMasks"}, []string{"avx10.2", "avx10.2,movrs"}
	case strings.HasPrefix(rest, "vsm4") && strings.HasSuffix(rest, "512"):
		return "+avx10.2", []string{"HasMasks"}, []string{"avx10.2,sm4"}
	case strings.HasPrefix(rest, "avx512"):
		return "+avx512f,+avx512bw,+avx512dq,+avx512vl,+avx512cd", []string{"HasMasks"},
			[]string{"", "avx512ifma", "avx512vbmi", "avx512vbmi2", "avx512vnni", "avx512bitalg", "avx512vpopcntdq", "avx512bf16", "avx512fp16", "avx512vp2intersect"}
	case strings.HasSuffix(rest, ".512") || strings.HasPrefix(rest, "pclmulqdq.512"):
		return "+avx512f,+avx512bw,+avx512dq,+avx512vl,+avx512cd", []string{"HasMasks"}, []string{"gfni", "vaes", "vpclmulqdq", "avx512bf16", "avx512vnni"}
	}
	group, _, _ := strings.Cut(rest, ".")
	guess := map[string]string{"sse": "", "sse2": "", "sse3": "sse3", "ssse3": "ssse3", "sse41": "sse4.1", "sse42": "sse4.2", "sse4a": "sse4a", "aesni": "aes",
		"avx": "avx", "avx2": "avx2", "fma": "fma", "xop": "xop", "tbm": "tbm", "rdrand": "rdrnd", "rdseed": "rdseed", "rdfsbase": "fsgsbase", "rdgsbase": "fsgsbase",
		"wrfsbase": "fsgsbase", "wrgsbase": "fsgsbase", "vcvtph2ps": "f16c", "vcvtps2ph": "f16c", "vsha512msg1": "sha512", "vsha512msg2": "sha512", "vsha512rnds2": "sha512",
		"xsave": "xsave", "xsave64": "xsave", "xrstor": "xsave", "xrstor64": "xsave", "xgetbv": "xsave", "xsetbv": "xsave", "xsaveopt": "xsaveopt", "xsaveopt64": "xsaveopt",
		"xsavec": "xsavec", "xsavec64": "xsavec", "xsaves": "xsaves", "xsaves64": "xsaves", "xrstors": "xsaves", "xrstors64": "xsaves", "fxsave": "fxsr", "fxsave64": "fxsr",
		"fxrstor": "fxsr", "fxrstor64": "fxsr", "directstore32": "movdiri", "directstore64": "movdiri", "movdir64b": "movdir64b", "xbegin": "rtm", "xend": "rtm", "xabort": "rtm",
		"xtest": "rtm", "serialize": "serialize", "clflushopt": "clflushopt", "clwb": "clwb", "cldemote": "cldemote", "tpause": "waitpkg", "umonitor": "waitpkg", "umwait": "waitpkg",
		"rdpid": "rdpid", "rdpkru": "pku", "wrpkru": "pku", "ptwrite32": "ptwrite", "ptwrite64": "ptwrite", "xsusldtrk": "tsxldtrk", "xresldtrk": "tsxldtrk",
		"invpcid": "invpcid", "enqcmd": "enqcmd", "enqcmds": "enqcmd", "clzero": "clzero", "monitorx": "mwaitx", "mwaitx": "mwaitx", "clui": "uintr", "stui": "uintr",
		"testui": "uintr", "senduipi": "uintr", "wbnoinvd": "wbnoinvd", "urdmsr": "usermsr", "uwrmsr": "usermsr", "rdpru": "rdpru", "aadd32": "raoint", "aadd64": "raoint",
		"llwpcb": "lwp", "slwpcb": "lwp", "lwpins32": "lwp", "lwpins64": "lwp", "lwpval32": "lwp", "lwpval64": "lwp", "loadiwkey": "kl", "encodekey128": "kl", "encodekey256": "kl",
		"aesenc128kl": "kl", "aesenc256kl": "kl", "aesdec128kl": "kl", "aesdec256kl": "kl", "aesencwide128kl": "widekl", "aesencwide256kl": "widekl",
		"aesdecwide128kl": "widekl", "aesdecwide256kl": "widekl", "movrsqi": "movrs", "movrshi": "movrs", "movrssi": "movrs", "movrsdi": "movrs", "prefetchrs": "movrs",
		"aand32": "raoint", "aand64": "raoint", "aor32": "raoint", "aor64": "raoint", "axor32": "raoint", "axor64": "raoint", "cmpccxadd32": "cmpccxadd", "cmpccxadd64": "cmpccxadd"}
	switch g, ok := guess[group]; {
	case strings.HasPrefix(rest, "sse42.crc32"):
		tries = []string{"crc32"}
	case strings.HasPrefix(rest, "bmi.p"):
		tries = []string{"bmi2"}
	case strings.HasPrefix(rest, "avx2.vpdp"):
		tries = []string{"avxvnniint8", "avxvnniint16"}
	case strings.HasPrefix(rest, "aesni") && strings.HasSuffix(rest, ".256"):
		tries = []string{"avx,vaes"}
	case strings.HasPrefix(rest, "pclmulqdq"):
		tries = []string{"pclmul", "avx,vpclmulqdq"}
	case strings.HasPrefix(rest, "vgf2p8"):
		tries = []string{"gfni", "avx,gfni"}
	case strings.HasPrefix(rest, "sha"):
		tries = []string{"sha"}
	case strings.HasPrefix(rest, "vsm3"):
		tries = []string{"sm3"}
	case strings.HasPrefix(rest, "vsm4"):
		tries = []string{"sm4"}
	case strings.HasPrefix(rest, "vcvtneebf16") || strings.HasPrefix(rest, "vcvtneeph") || strings.HasPrefix(rest, "vcvtneobf16") || strings.HasPrefix(rest, "vcvtneoph") || strings.HasPrefix(rest, "vbcstne") || strings.HasPrefix(rest, "vcvtneps"):
		tries = []string{"avxneconvert"}
	case strings.HasPrefix(rest, "incssp") || strings.HasPrefix(rest, "rdssp") || strings.HasPrefix(rest, "saveprevssp") || strings.HasPrefix(rest, "rstorssp") || strings.HasPrefix(rest, "wrss") ||
		strings.HasPrefix(rest, "wruss") || strings.HasPrefix(rest, "setssbsy") || strings.HasPrefix(rest, "clrssbsy"):
		tries = []string{"shstk"}
	case ok:
		tries = []string{g}
	default:
		tries = []string{"", "bmi", "bmi2", "gfni"}
	}
	return "", nil, tries
}

type intrinsicWriter struct {
	a     *asker
	dir   string
	preds map[string]bool
	defs  bytes.Buffer
	out   bytes.Buffer
	left  []string

	answers map[string]answer
	pending []question
}

// learn finds the patterns of an intrinsic.
func (w *intrinsicWriter) learn(s *subject) {
	all, preds, tries := featuresOf(s.name)
	base, ok := choice{ones: -1, zero: -1}, false
search:
	for _, f := range tries {
		s.feats = strings.Trim(all+",+"+strings.ReplaceAll(f, ",", ",+"), ",+")
		if s.feats != "" {
			s.feats = "+" + s.feats
		}
		// What rounds takes 4, the current mode, where others take any number.
		order := []int64{1, 8}
		if strings.HasPrefix(s.name, "llvm.x86.avx512") {
			order = []int64{4, 1, 8}
		}
		for _, last := range order {
			base.imm = s.immediates(1, last)
			if _, err := w.ask(s, base); err == nil {
				s.preds = preds
				for _, p := range strings.Split(f, ",") {
					if p != "" {
						s.preds = append(slices.Clip(s.preds), "HasFeature_"+strings.NewReplacer(".", "", "-", "").Replace(p))
						w.preds[p] = true
					}
				}
				ok = true
				break search
			}
			if !s.hasImm() {
				break
			}
		}
	}
	if !ok {
		w.left = append(w.left, s.name)
		return
	}
	n := w.out.Len()
	w.variants(s, base)
	for _, list := range alternatives(s) {
		for _, f := range list {
			s.feats = "+" + strings.ReplaceAll(f, ",", ",+")
			// With too few LLVM splits the registers.
			if text, err := w.ask(s, base); err != nil || strings.Contains(text, "(VEXTRACTI64X4Zrri ") {
				continue
			}
			s.preds = nil
			for _, p := range strings.Split(f, ",") {
				if p = strings.TrimPrefix(p, "-"); p != "fma" {
					s.preds = append(s.preds, "HasFeature_"+strings.NewReplacer(".", "", "-", "").Replace(p))
					w.preds[p] = true
				}
			}
			w.variants(s, base)
			break
		}
	}
	if w.out.Len() > n {
		w.define(s, n)
	} else {
		w.left = append(w.left, s.name)
	}
}

// alternatives are lists of features, of each of which the first that LLVM selects an
// intrinsic with gives patterns too: processors of AVX-512 have few of its features, and
// some of its intrinsics are those of other extensions as well. Masks need them all.
func alternatives(s *subject) [][]string {
	rest := strings.TrimPrefix(s.name, "llvm.x86.")
	if strings.HasPrefix(rest, "fma.vfmaddsub") {
		return [][]string{{"fma4"}}
	}
	if !strings.HasPrefix(rest, "avx512") && !strings.HasSuffix(rest, ".512") || strings.Contains(rest, ".mask") {
		return nil
	}
	wide := false
	for _, l := range [][]argument{s.result, s.args} {
		for _, a := range l {
			if strings.HasSuffix(a.vt, "i1") {
				return nil
			}
			wide = wide || strings.HasPrefix(a.vt, "v") && vectorBits(a.vt) == 512
		}
	}
	few := "avx512vl"
	if wide {
		few = "avx512f"
	}
	list := []string{few, few + ",avx512bw", few + ",avx512dq"}
	for _, p := range s.preds {
		for _, f := range [...]string{"avx512ifma", "avx512vbmi", "avx512vbmi2", "avx512vnni", "avx512bitalg", "avx512vpopcntdq", "avx512bf16", "avx512fp16", "gfni", "vaes", "vpclmulqdq"} {
			if p == "HasFeature_"+f {
				list = []string{few + "," + f, few + "," + f + ",avx512bw"}
			}
		}
	}
	out := [][]string{list}
	switch {
	case strings.HasPrefix(rest, "avx512.vpdp") && !wide:
		out = append(out, []string{"avxvnni"})
	case strings.HasPrefix(rest, "avx512.vpmadd52") && !wide:
		out = append(out, []string{"avxifma"})
	}
	return out
}

// vectorBits is the size of a vector type of patterns.
func vectorBits(vt string) int {
	var n, b int
	var k rune
	if _, err := fmt.Sscanf(vt, "v%d%c%d", &n, &k, &b); err != nil {
		return 0
	}
	return n * b
}

func (s *subject) hasImm() bool {
	return slices.ContainsFunc(s.args, func(a argument) bool { return a.imm })
}

// immediates are n for each constant operand, last for the last one.
func (s *subject) immediates(n, last int64) []int64 {
	out := make([]int64, len(s.args))
	at := -1
	for k, a := range s.args {
		if a.imm {
			out[k], at = n, k
		}
	}
	if at >= 0 {
		out[at] = last
	}
	return out
}

// variants writes the patterns of all choices.
func (w *intrinsicWriter) variants(s *subject, base choice) {
	rounding := -1
	for k, a := range s.args {
		if a.imm && base.imm[k] != 1 {
			rounding = k
		}
	}
	if rounding >= 0 && base.imm[rounding] == 4 {
		other := choice{imm: slices.Clone(base.imm), ones: -1, zero: -1}
		other.imm[rounding] = 7
		four, _ := w.ask(s, base)
		if seven, err := w.ask(s, other); err == nil {
			if _, ok := unify(four, seven, 4, 7, "$i"); ok {
				base.imm[rounding], rounding = 1, -1
			}
		}
	}
	rounds := []int64{1}
	if rounding >= 0 {
		rounds = []int64{4, 8, 9, 10, 11}
	}
	if s.seen == nil {
		s.seen = map[string]bool{}
	}
	seen := s.seen
	for _, r := range rounds {
		c := choice{imm: slices.Clone(base.imm), ones: -1, zero: -1}
		if rounding >= 0 {
			c.imm[rounding] = r
		}
		plain, ok := w.pattern(s, c, rounding)
		if !ok {
			continue
		}
		w.write(s, c, rounding, plain, 0, seen)
		for k, a := range s.args {
			if a.imm {
				continue
			}
			isMask := strings.HasSuffix(a.vt, "i1") || strings.Contains(s.name, ".mask") && (a.vt == "i8" || a.vt == "i16" || a.vt == "i32" || a.vt == "i64")
			switch {
			case isMask:
				c.ones, c.zero = k, -1
			case len(s.result) == 1 && a.vt == s.result[0].vt && strings.HasPrefix(a.vt, "v") && strings.Contains(s.name, ".mask"):
				c.ones, c.zero = -1, k
			default:
				continue
			}
			if p, ok := w.pattern(s, c, rounding); ok && p != plain {
				more := 5
				if c.ones >= 0 {
					more = 10
				}
				w.write(s, c, rounding, p, more, seen)
			}
		}
	}
}

// pattern is the result of a choice. Constants but the rounding one stand in it by name
// where other values give the same.
func (w *intrinsicWriter) pattern(s *subject, c choice, rounding int) (string, bool) {
	one, err := w.ask(s, c)
	if err != nil {
		return "", false
	}
	for k, a := range s.args {
		if !a.imm || k == rounding {
			continue
		}
		// 1, then 6, and 2 for the gatherers' scale.
		values := []int64{6, 3, 200}
		if strings.Contains(s.name, "gather") || strings.Contains(s.name, "scatter") {
			values = []int64{2, 4, 8}
		}
		found := ""
		tested := 0
		for _, v := range values {
			d := c
			d.imm = slices.Clone(c.imm)
			d.imm[k] = v
			other, err := w.ask(s, d)
			if err != nil {
				continue
			}
			named, ok := unify(one, other, 1, v, fmt.Sprintf("$i%d", k))
			if !ok || found != "" && named != found {
				return "", false
			}
			found = named
			tested++
		}
		if tested == 0 {
			return "", false
		}
		one = found
	}
	return one, true
}

// unify gives the text that two have in common where v stands in the one for n in the
// other, which is named.
func unify(a, b string, n, v int64, name string) (string, bool) {
	x, y := strings.Fields(a), strings.Fields(b)
	if len(x) != len(y) {
		return "", false
	}
	some := false
	for k := range x {
		if x[k] == y[k] {
			continue
		}
		p, q := strings.TrimRight(x[k], "),"), strings.TrimRight(y[k], "),")
		i, err1 := strconv.ParseInt(p, 10, 64)
		j, err2 := strconv.ParseInt(q, 10, 64)
		// Bytes may be printed with a sign.
		if err1 != nil || err2 != nil || i != n || j != v && j != int64(int8(v)) {
			return "", false
		}
		x[k] = name + x[k][len(p):]
		some = true
	}
	return strings.Join(x, " "), some
}

// write adds a pattern.
func (w *intrinsicWriter) write(s *subject, c choice, rounding int, result string, more int, seen map[string]bool) {
	var frag, args, params []string
	hook := ""
	unused := ""
	for k, a := range s.args {
		switch {
		case !a.imm && k != c.ones && k != c.zero && !regexp.MustCompile(fmt.Sprintf(`\$a%d\b`, k)).MatchString(result):
			unused += fmt.Sprint("_", k)
			frag = append(frag, "node")
			continue
		case k == c.ones:
			hook = fmt.Sprint("onesArg", k)
			frag = append(frag, "node")
			continue
		case k == c.zero:
			hook = fmt.Sprint("zeroArg", k)
			frag = append(frag, "node")
			continue
		case a.imm && k == rounding:
			args = append(args, fmt.Sprintf("TImm_%s_%d", a.vt, c.imm[k]))
		case a.imm:
			args = append(args, fmt.Sprintf("(%s timm:$i%d)", a.vt, k))
		case a.vt == "iPTR":
			args = append(args, fmt.Sprintf("i64:$a%d", k))
		default:
			args = append(args, fmt.Sprintf("%s:$a%d", a.vt, k))
		}
		frag = append(frag, fmt.Sprintf("node:$a%d", k))
		params = append(params, fmt.Sprintf("node:$a%d", k))
	}
	op := s.def
	if hook != "" || unused != "" {
		op = fmt.Sprintf("%s_%s%s", s.def, hook, unused)
		if !seen[op] {
			seen[op] = true
			pred := ""
			if hook != "" {
				pred = fmt.Sprintf(", \"%s\"", hook)
			}
			fmt.Fprintf(&w.out, "def %s : PatFrag<(ops %s), (%s %s)%s>;\n", op, strings.Join(params, ", "), s.def, strings.Join(frag, ", "), pred)
		}
	}
	src := "(" + strings.TrimSpace(op+" "+strings.Join(args, ", ")) + ")"
	if len(s.result) == 1 {
		src = fmt.Sprintf("(%s %s)", strings.Replace(s.result[0].vt, "iPTR", "i64", 1), src)
	}
	line := fmt.Sprintf("def : Pat<%s, %s>", src, result)
	if more > 0 || len(s.preds) > 0 {
		line += " {"
		if more > 0 {
			line += fmt.Sprintf(" let AddedComplexity = %d;", more)
		}
		if len(s.preds) > 0 {
			line += fmt.Sprintf(" let Predicates = [%s];", strings.Join(s.preds, ", "))
		}
		line += " }\n"
	} else {
		line += ";\n"
	}
	if !seen[line] && !oneBit.MatchString(s.def) {
		seen[line] = true
		w.out.WriteString(line)
	}
}

// oneBit are intrinsics whose instructions give a mask of one bit, which no pattern copies
// to where these want eight: they are refused.
var oneBit = regexp.MustCompile(`_mask_(cmp|fpclass)_s[dhs]$`)

// define adds the record of an intrinsic.
func (w *intrinsicWriter) define(s *subject, from int) {
	list := func(l []argument) string {
		var out []string
		for _, a := range l {
			out = append(out, fmt.Sprintf("LT<%s>", a.vt))
		}
		return strings.Join(out, ", ")
	}
	props := "IntrNoMem"
	if s.memory {
		// What the chosen instructions do: patterns must not say more.
		var load, store, more bool
		for _, word := range regexp.MustCompile(`\((\w+)`).FindAllStringSubmatch(w.out.String()[from:], -1) {
			op, ok := w.a.in.OpcodeByName(word[1])
			if !ok {
				continue
			}
			d := w.a.in.Instr(op)
			load, store, more = load || d.MayLoad(), store || d.MayStore(), more || d.HasUnmodeledSideEffects()
		}
		switch {
		case load && store:
			props = "IntrArgMemOnly"
		case store:
			props = "IntrWriteMem"
		case load:
			props = "IntrReadMem"
		}
		if more || !load && !store {
			props = strings.TrimPrefix(props+", IntrHasSideEffects", ", ")
		}
	}
	fmt.Fprintf(&w.defs, "def %s : Intrinsic<[%s], [%s], [%s], \"%s\">;\n", s.def, list(s.result), list(s.args), props, s.name)
}

func (w *intrinsicWriter) text() (string, error) {
	var b bytes.Buffer
	b.WriteString("// Code generated by tools/x86tables from LLVM's answers. DO NOT EDIT.\n\n")
	for _, t := range [...]string{"i8", "i32"} {
		for _, n := range [...]int{1, 4, 8, 9, 10, 11} {
			fmt.Fprintf(&b, "def TImm_%s_%d : TImmLeaf<%s, [{ return Imm == %d; }]>;\n", t, n, t, n)
		}
	}
	var names []string
	for p := range w.preds {
		names = append(names, p)
	}
	slices.Sort(names)
	for _, p := range names {
		key := strings.NewReplacer(".", "", "-", "").Replace(p)
		fmt.Fprintf(&b, "def HasFeature_%s : Predicate<\"Subtarget->has%s()\">;\n", key, strings.ToUpper(key))
	}
	b.Write(w.defs.Bytes())
	b.Write(w.out.Bytes())
	fmt.Fprintf(os.Stderr, "%d intrinsics left out:\n%s\n", len(w.left), strings.Join(w.left, "\n"))
	return b.String(), nil
}

package mctargetdesc

import (
	_ "embed"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/support/editdistance"
)

// rowText has the rows of the assembler, by go run ./tools/mclearn -rows FILE, which asks LLVM: a
// line each, of mnemonic, opcode, features, operands and where the instruction's operands come
// from. Lines of "!" are messages, the line of "%" has the modifiers of symbols in the order of
// the bits of an operand's set of them. Rows of a mnemonic are in the order of LLVM's matcher.
//
//go:embed zz_rows.txt
var rowText string

// row is a way to write a mnemonic.
type row struct {
	op    desc.Opcode // 0: what target code expands
	macro bool
	needs []need
	ops   []rowOp
	conv  []source
}

// need is a feature that must be on, or off.
type need struct {
	bit uint16
	not bool
}

// rowOp is an operand: letter is R (a register), I (a number or symbol), M (an address),
// = (the same as operand same), L (a list of registers) or a sign.
type rowOp struct {
	letter byte
	class  string // of a register
	kinds  string // of its names, where the class does not say
	mask   uint32 // by number
	base   string // class of an address' register
	bases  uint32
	nums   numbers
	same   int
}

// numbers are those that an operand takes: lo to hi in steps of align without some, or a list.
type numbers struct {
	lo, hi, align int64
	list, except  []int64
	syms          uint32 // modifiers of symbols, bit 0 for none
	diag          string
}

// source says where an operand of the instruction comes from: r, x (register n), b (base of
// address n), i (number n), = (a register) or # (a number).
type source struct {
	from byte
	n    int
	wrap byte // of numbers: s and u (some bits of it), n (its negative), + (something added)
	arg  int64
	reg  desc.PhysReg
}

// takes reports a number among them.
func (n *numbers) takes(v int64) bool {
	if n.list != nil {
		for _, w := range n.list {
			if v == w {
				return true
			}
		}
		return false
	}
	if v < n.lo || v > n.hi || n.align > 1 && v%n.align != 0 {
		return false
	}
	for _, w := range n.except {
		if v == w {
			return false
		}
	}
	return true
}

// late reports that the check comes behind the choice of the instruction.
func (n *numbers) late() bool {
	return strings.HasPrefix(n.diag, "branch t") || strings.HasPrefix(n.diag, "immediate op")
}

// rowTable reads rows when they are asked for.
type rowTable struct {
	info  *desc.Info
	body  string // the rows
	diags []string
	syms  []string
	words map[string][]row
}

func newRowTable(info *desc.Info) *rowTable {
	t := &rowTable{info: info, body: rowText, diags: []string{""}, words: map[string][]row{}}
	for {
		line, rest, ok := strings.Cut(t.body, "\n")
		switch {
		case ok && line[0] == '%':
			t.syms = strings.Fields(line[1:])
		case ok && line[0] == '!':
			_, text, _ := strings.Cut(line, "\t")
			t.diags = append(t.diags, text)
		default:
			return t
		}
		t.body = rest
	}
}

// lineAt gives the line that contains an offset of the body, and where it begins and ends.
func (t *rowTable) lineAt(i int) (line string, from, to int) {
	from = strings.LastIndexByte(t.body[:i], '\n') + 1
	to = from + strings.IndexByte(t.body[from:], '\n')
	return t.body[from:to], from, to
}

// rows are those of a mnemonic.
func (t *rowTable) rows(word string) []row {
	if r, ok := t.words[word]; ok {
		return r
	}
	at := sort.Search(len(t.body), func(i int) bool {
		line, _, _ := t.lineAt(i)
		w, _, _ := strings.Cut(line, "\t")
		return w >= word
	})
	var out []row
	for at < len(t.body) {
		line, _, to := t.lineAt(at)
		w, rest, _ := strings.Cut(line, "\t")
		if w != word {
			break
		}
		out = append(out, t.parse(rest))
		at = to + 1
	}
	out = append(out, listRows(t, word)...)
	for i := range out {
		out[i].adjust(word, t)
	}
	t.words[word] = out
	return out
}

// adjust sets what numbers a row takes where LLVM's rows overlap, so that a probe of one shows another.
func (r *row) adjust(word string, t *rowTable) {
	set := func(k int, lo, hi int64) { r.ops[k].nums.lo, r.ops[k].nums.hi, r.ops[k].nums.list = lo, hi, nil }
	switch word {
	case "lwp", "swp":
		if len(r.conv) == 4 {
			r.conv[1].wrap, r.conv[1].arg = 'p', 1
		}
	case "mftlo", "mttlo", "mfthi", "mtthi", "mftacx", "mttacx":
		if len(r.ops) == 2 {
			for i := range r.conv {
				if r.conv[i].from == 'r' && r.conv[i].n == 1 {
					r.conv[i].wrap, r.conv[i].arg = '4', map[string]int64{"lo": 0, "hi": 1, "acx": 2}[word[3:]]
				}
			}
		}
	case "lw", "sw":
		if n := t.info.OpcodeName(r.op); strings.HasPrefix(n, "LWSP_MM") || strings.HasPrefix(n, "SWSP_MM") {
			r.ops[1].nums = numbers{lo: 0, hi: 124, align: 4}
		}
	case "dext", "dins", "dextm", "dextu", "dinsm", "dinsu":
		if len(r.ops) != 4 {
			return
		}
		switch name := t.info.OpcodeName(r.op); name {
		case "DEXT", "DINS":
			set(2, 0, 31)
			set(3, 1, 32)
		case "DEXTM":
			set(2, 0, 31)
			set(3, 33, 64)
		case "DINSM":
			set(2, 0, 31)
			set(3, 2, 64)
		case "DEXTU", "DINSU":
			set(2, 32, 63)
			set(3, 1, 32)
		}
	}
}

func (t *rowTable) feature(name string) uint16 {
	i, _ := t.info.FeatureByName(name)
	return t.info.Features[i].Bit
}

// parse reads a row behind its mnemonic.
func (t *rowTable) parse(line string) (r row) {
	f := strings.Split(line, "\t")
	if f[0] == "-" {
		r.macro = true
	} else {
		r.op, _ = t.info.OpcodeByName(f[0])
	}
	if f[1] != "" {
		for _, n := range strings.Split(f[1], ",") {
			name, not := strings.CutPrefix(n, "!")
			r.needs = append(r.needs, need{t.feature(name), not})
		}
	}
	for _, o := range strings.Fields(f[2]) {
		r.ops = append(r.ops, t.operand(o))
	}
	for _, c := range strings.Fields(f[3]) {
		r.conv = append(r.conv, t.source(c))
	}
	return r
}

func (t *rowTable) operand(s string) (o rowOp) {
	o.letter = s[0]
	f := strings.Split(s[1:], ":")
	switch o.letter {
	case 'P':
		o.class, o.mask = "GPR32", 1<<32-1
	case 'R':
		o.class, o.kinds, o.mask = f[0], f[1], hex32(f[2])
	case 'I':
		o.nums = t.numbers(f)
	case 'M':
		o.base, o.bases, o.nums = f[0], hex32(f[1]), t.numbers(f[2:])
	case '=':
		o.same, _ = strconv.Atoi(s[1:])
	}
	return o
}

func hex32(s string) uint32 {
	v, _ := strconv.ParseUint(s, 16, 32)
	return uint32(v)
}

// numbers reads lo:hi:align:syms:diag and exceptions, or a list:syms:diag.
func (t *rowTable) numbers(f []string) (n numbers) {
	num := func(s string) int64 {
		v, _ := strconv.ParseInt(s, 10, 64)
		return v
	}
	if len(f) == 3 {
		for _, v := range strings.Split(f[0], ";") {
			n.list = append(n.list, num(v))
		}
		f = f[1:]
	} else {
		n.lo, n.hi, n.align = num(f[0]), num(f[1]), num(f[2])
		for _, v := range f[5:] {
			n.except = append(n.except, num(v))
		}
		f = f[3:]
	}
	n.syms = hex32(f[0])
	n.diag = t.diags[num(f[1])]
	return n
}

func (t *rowTable) source(s string) (c source) {
	c.from = s[0]
	switch c.from {
	case '=':
		if s[1:] != "NoRegister" {
			c.reg, _ = t.info.RegByName(strings.ToLower(s[1:]))
		}
	case '#':
		c.arg, _ = strconv.ParseInt(s[1:], 10, 64)
	default:
		k := 1
		for k < len(s) && s[k] >= '0' && s[k] <= '9' {
			k++
		}
		c.n, _ = strconv.Atoi(s[1:k])
		if k < len(s) {
			c.wrap = s[k]
			c.arg, _ = strconv.ParseInt(strings.TrimPrefix(s[k+1:], "+"), 10, 64)
		}
	}
	return c
}

// value is what a number becomes.
func (c *source) value(v int64) int64 {
	switch c.wrap {
	case 'n':
		v = -v
		if c.arg > 0 {
			v = v << (64 - c.arg) >> (64 - c.arg)
		}
	case 's':
		v = v << (64 - c.arg) >> (64 - c.arg)
	case 'u':
		v &= 1<<c.arg - 1
	case '+':
		v += c.arg
	case '>':
		v >>= c.arg
	}
	return v
}

// has reports that a subtarget has what a row needs; missing counts what it lacks.
func (r *row) missing(st *mc.Subtarget) (n int) {
	for _, f := range r.needs {
		if st.Has(f.bit) == f.not {
			n++
		}
	}
	return n
}

// similar lists mnemonics of the subtarget that differ from word in at most two letters.
func (t *rowTable) similar(word string, st *mc.Subtarget) string {
	const most = 2
	var out []string
	last := ""
	names := make([]string, 0, len(listText))
	for w := range listText {
		names = append(names, w)
	}
	slices.Sort(names)
	found := func(w string, rows []row) {
		if len(w) > len(word)+most || len(word) > len(w)+most || editdistance.Indel(w, word) > most || slices.Contains(out, w) {
			return
		}
		for i := range rows {
			if rows[i].missing(st) == 0 {
				out = append(out, w)
				return
			}
		}
	}
	for _, w := range names {
		found(w, listRows(t, w))
	}
	for line := range strings.Lines(t.body) {
		w, rest, _ := strings.Cut(line, "\t")
		if w == last || len(w) > len(word)+most || len(word) > len(w)+most || editdistance.Indel(w, word) > most {
			continue
		}
		if r := t.parse(strings.TrimSuffix(rest, "\n")); r.missing(st) == 0 {
			last = w
			if !slices.Contains(out, w) {
				out = append(out, w)
			}
		}
	}
	slices.Sort(out)
	if out == nil {
		return ""
	}
	return ", did you mean: " + strings.Join(out, ", ") + "?"
}

// listRows are the rows of lists and pairs of registers, of which tools/mclearn does not know what
// they may be: L is a list, whose range is that of the offset behind it.
var listText = map[string]string{
	"dsubi": "DADDi\t!mips32r6,mips3\tRGPR64:g:ffffffff RGPR64:g:ffffffff I-9223372036854775808:9223372036854775807:1:0:0\tr0 r1 i2n",
	"lwp":   "LWP_MM\tmicromips\tRGPR32:g:7fffffff MPTR:ffffffff:-2048:2047:1:1ffffff:0\tr0 r0 b1 i1",
	"lwm":   "-\tmicromips\tL Mg:ffffffff:-2048:2047:1:0:0\t",
	"swm":   "-\tmicromips\tL Mg:ffffffff:-2048:2047:1:0:0\t",
	"lwm32": "LWM32_MM\tmicromips\tL Mg:ffffffff:-2048:2047:1:0:0\t",
	"swm32": "SWM32_MM\tmicromips\tL Mg:ffffffff:-2048:2047:1:0:0\t",
	"lwm16": "LWM16_MM\t!mips32r6,micromips\tl Mg:20000000:0:60:4:0:0\t\nLWM16_MMR6\tmips32r6,micromips\tl Mg:20000000:0:60:4:0:0\t",
	"swm16": "SWM16_MM\t!mips32r6,micromips\tl Mg:20000000:0:60:4:0:0\t\nSWM16_MMR6\tmips32r6,micromips\tl Mg:20000000:0:60:4:0:0\t",
	"movep": "MOVEP_MM\t!mips32r6,micromips\tP P RGPRMM16MoveP:g:1f000d RGPRMM16MoveP:g:1f000d\tr0 r1 r2 r3\n" +
		"MOVEP_MMR6\tmips32r6,micromips\tP P RGPRMM16MoveP:g:1f000d RGPRMM16MoveP:g:1f000d\tr0 r1 r2 r3",
}

func listRows(t *rowTable, word string) (out []row) {
	text := listText[word]
	if text == "" {
		return nil
	}
	for _, line := range strings.Split(text, "\n") {
		out = append(out, t.parse(line))
	}
	return out
}

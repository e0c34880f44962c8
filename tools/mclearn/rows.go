package main

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/facts"
	"github.com/mirin-go/mirin/mc/table"
)

// An assembler whose operands are the same words for every instruction (registers by number, numbers,
// addresses) is learned by its rows: every mnemonic is asked about with every shape of operands, which
// shows also what no printer writes, aliases and macros; then each operand of what is read takes many
// values. A row says which operands a mnemonic takes, what instruction it makes of them, and what it asks
// of features; mctargetdesc's row tables (zz_rows.txt) are read as LLVM's matcher reads its own.

// rowWords are mnemonics of Mips that its printer does not write (those of LLVM 22's "did you mean").
const rowWords = `abs addr.ps beqzl bge bgel bgeu bgeul bgt bgtl bgtu bgtul ble blel bleu bleul blt bltl bltu bltul cftc1 cmp cmpi cttc1 cvt.ps.pw cvt.pw.ps
dins dinsm dinsu dla dli dmulo dmulou drem dremu drol dror dsubi ins l.d l.s la lbux ldxc1 lhx li li.d li.s luxc1 lwm lwm16 lwm32 lwp lwx lwxc1 lwxs mftacx
mftc0 mftc1 mftdsp mftgpr mfthc1 mfthi mftlo mttacx mttc0 mttc1 mttdsp mttgpr mtthc1 mtthi mttlo mulo mulou mulr.ps prefx rem remu rol ror s.d s.s sdxc1 sge
sgeu sgt sgtu sle sleu suxc1 swm swm16 swm32 swp swsp swxc1 synciobdma syncs syncw syncws ulh ulhu ulw ush usw`

// rowShape is a list of operands: letters of R (a register), I (a number), M (4($2)), X ($3($2)), and
// [ ] around numbers and registers.
type rowShape string

// rowKey is a mnemonic with a shape.
type rowKey struct {
	word  string
	shape rowShape
}

// row is one row as it is learned.
type row struct {
	key   rowKey
	op    desc.Opcode // 0 for what is not one instruction
	view  int
	text  []string // the operands' texts that were taken
	ops   []rowOperand
	conv  []string
	conv0 []operand // of the instruction of text
	// special rows were met when another row's operands were varied: LLVM prefers them.
	special bool
	// same is, by operand, 1 + the operand that it must be equal to.
	same  []int
	needs []desc.FeatureTerm
}

// rowOperand is what an operand of a row may be.
type rowOperand struct {
	letter byte
	regs   uint32 // by number
	kinds  string // which named registers
	class  string // of the instruction's operand
	base   string // of an address
	list   []int64
	except []int64
	lo, hi int64
	align  int64
	syms   uint32
	diag   string
}

type rowLearner struct {
	info  *desc.Info
	views []*process
	rows  []*row
	words []string
}

const rowPrologue = ".set noreorder"

// learnRows learns the rows of Mips and writes them as text.
func learnRows(ask, out string) error {
	began := time.Now()
	l := &rowLearner{}
	var err error
	if l.info, err = facts.Load("Mips"); err != nil {
		return err
	}
	m, err := facts.Matcher("Mips")
	if err != nil {
		return err
	}
	mct, err := facts.MachineCode("Mips")
	if err != nil {
		return err
	}
	have := map[string]bool{}
	for i := range m.Forms {
		f := &m.Forms[i]
		ps, names := mct.Writer.Parts, mct.Writer.Names
		at := f.Parts
		if at&desc.OwnParts != 0 {
			ps, names, at = m.Parts, m.Names, at&^desc.OwnParts
		}
		have[table.FormKey(ps[at].Text.In(names))] = true
	}
	for _, w := range strings.Fields(rowWords) {
		have[w] = true
	}
	delete(have, "")
	l.words = sortedKeys(have)
	const o32, n64 = "mips-unknown-linux-gnu", "mips64-unknown-linux-gnuabi64"
	const ase = "+dsp,+dspr2,+dspr3,+msa,+mt,+virt,+eva,+mips3d"
	for _, v := range []view{
		{o32, "mips32r2", ase, -1}, {o32, "mips32r5", ase + ",+fp64", -1}, {o32, "mips32r6", ase + ",+crc,+ginv", -1},
		{o32, "mips32r2", "+micromips," + strings.ReplaceAll(ase, ",+mt", ""), -1}, {o32, "mips32r2", "+micromips,+fp64", -1},
		{o32, "mips32r6", "+micromips,+crc,+ginv," + strings.ReplaceAll(ase, ",+mt", ""), -1},
		{n64, "mips64r2", ase, -1}, {n64, "mips64r6", ase + ",+crc,+ginv", -1}, {n64, "octeon+", "", -1},
		{o32, "mips1", "", -1}, {o32, "mips32", "", -1}, {n64, "mips3", "", -1}, {n64, "mips4", "", -1}, {n64, "mips64", "", -1},
		{o32, "mips32r2", "+mips16", -1},
		{o32, "mips32r2", "+soft-float", -1},
		{o32, "mips32r6", "+micromips", -1}, {o32, "mips32r6", "", -1}, {n64, "mips64r6", "", -1}, {n64, "mips64r2", "", -1}, {o32, "mips32r2", "", -1}, {o32, "mips32r2", "+micromips", -1},
	} {
		p, err := start(ask, v)
		if err != nil {
			return err
		}
		defer p.close()
		l.views = append(l.views, p)
	}
	if err := l.search(); err != nil {
		return err
	}
	fmt.Printf("Mips: %d rows found, %.0f s\n", len(l.rows), time.Since(began).Seconds())
	for from := 0; from < len(l.rows); {
		next := len(l.rows)
		if err := l.probe(l.rows[from:]); err != nil {
			return err
		}
		from = next
	}
	l.addresses()
	fmt.Printf("Mips: operands, %.0f s\n", time.Since(began).Seconds())
	if err := l.features(ask); err != nil {
		return err
	}
	fmt.Printf("Mips: %d rows, %.0f s\n", len(l.rows), time.Since(began).Seconds())
	text := l.text()
	if out == "" {
		os.Stdout.Write(text)
		return nil
	}
	return os.WriteFile(out, text, 0o666)
}

// shapes are all that instructions have: up to four operands, addresses at the end, elements of
// vectors, and the five operands of thread registers.
func shapes() (out []rowShape) {
	out = append(out, "")
	last := []rowShape{""}
	for n := range 4 {
		var next []rowShape
		for _, s := range last {
			if n < 3 {
				out = append(out, s+"M", s+"X")
			}
			next = append(next, s+"R", s+"I")
		}
		out = append(out, next...)
		last = next
	}
	return append(out, "RR[I]", "R[I]R", "RR[R]", "R[I]R[I]", "RRIII", "RRRRR")
}

// regText is a register by number that every file of registers has.
func operandText(letter byte, k int) string {
	switch letter {
	case 'R':
		return fmt.Sprintf("$%d", 2+k)
	case 'I':
		return "4"
	case 'M':
		return "4($2)"
	}
	return "$3($2)"
}

// texts are those of a shape's operands, one for each letter.
func (s rowShape) texts() (out []string) {
	for i := range len(s) {
		if s[i] != '[' && s[i] != ']' {
			out = append(out, operandText(s[i], len(out)))
		}
	}
	return out
}

// line writes a statement.
func (k rowKey) line(ops []string) string {
	b := []byte(k.word)
	n := 0
	for i := range len(k.shape) {
		switch c := k.shape[i]; {
		case c == '[' || c == ']':
			b = append(b, c)
		default:
			switch {
			case n == 0:
				b = append(b, ' ')
			case k.shape[i-1] != '[':
				b = append(b, ',')
			}
			b = append(b, ops[n]...)
			n++
		}
	}
	return string(b)
}

// search finds the mnemonics' shapes.
func (l *rowLearner) search() error {
	all := shapes()
	type hit struct {
		view int
		text []string
		a    assembled
	}
	hits := map[rowKey][]hit{}
	for v, p := range l.views {
		var keys []rowKey
		var lines []string
		var ops [][]string
		flush := func() (map[rowKey]string, error) {
			as, err := p.assemble("", rowPrologue, lines)
			said := map[rowKey]string{}
			for i := range as {
				if a := &as[i]; a.crashed || a.failed {
					said[keys[i]] = a.msg
				} else {
					hits[keys[i]] = append(hits[keys[i]], hit{v, ops[i], *a})
				}
			}
			keys, lines, ops = keys[:0], lines[:0], ops[:0]
			return said, err
		}
		add := func(k rowKey, t []string) {
			keys, lines, ops = append(keys, k), append(lines, k.line(t)), append(ops, t)
		}
		for _, w := range l.words {
			for _, s := range all {
				add(rowKey{w, s}, s.texts())
			}
		}
		said, err := flush()
		if err != nil {
			return err
		}
		// What was refused for a number's value may take another.
		again := make([]rowKey, 0, len(said))
		for k, msg := range said {
			if strings.Contains(string(k.shape), "I") && (strings.HasPrefix(msg, "expected") || strings.HasPrefix(msg, "size plus")) {
				again = append(again, k)
			}
		}
		for k, msg := range said {
			if n := strings.Count(string(k.shape), "R"); n < 2 || strings.ContainsAny(string(k.shape), "[MX") || msg != "invalid operand for instruction" && !strings.HasPrefix(msg, "source") {
				continue
			}
			// Some want registers to be the same.
			t, u := k.shape.texts(), k.shape.texts()
			for i := range t {
				if k.shape[i] == 'R' {
					t[i], u[i] = "$2", "$2"
				}
			}
			if k.shape[1] == 'R' {
				u[1] = "$3"
			}
			add(k, t)
			add(k, u)
		}
		for _, w := range []string{"addiusp"} {
			add(rowKey{w, "I"}, []string{"8"})
			add(rowKey{w, "I"}, []string{"-12"})
		}
		for _, k := range again {
			t := k.shape.texts()
			var places []int
			for i, n := 0, 0; i < len(k.shape); i++ {
				if c := k.shape[i]; c == 'I' {
					places = append(places, n)
					n++
				} else if c != '[' && c != ']' {
					n++
				}
			}
			values := []string{"0", "4", "34", "1", "-1", "-8"}
			n := 1
			for range places {
				n *= len(values)
			}
			if n > 250 {
				continue
			}
			for c := range n {
				u := slices.Clone(t)
				for _, at := range places {
					u[at] = values[c%len(values)]
					c /= len(values)
				}
				add(k, u)
			}
		}
		if _, err := flush(); err != nil {
			return err
		}
	}
	keys := make([]rowKey, 0, len(hits))
	for k := range hits {
		keys = append(keys, k)
	}
	sort.Slice(keys, func(i, j int) bool {
		return keys[i].word < keys[j].word || keys[i].word == keys[j].word && keys[i].shape < keys[j].shape
	})
	for _, k := range keys {
		seen := map[desc.Opcode]bool{}
		for _, h := range hits[k] {
			op := desc.Opcode(0)
			if x := h.a.one(); x != nil && !rowMacros[k.word] {
				op = x.op
			}
			if !seen[op] {
				seen[op] = true
				l.rows = append(l.rows, &row{key: k, op: op, view: h.view, text: h.text})
			}
		}
	}
	return nil
}

// rowMacros are the mnemonics that the target's code expands whatever they become.
var rowMacros = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(`abs bge bgel bgeu bgeul bgt bgtl bgtu bgtul ble blel bleu bleul blt bltl bltu bltul dla dli dmulo dmulou drem dremu
drol dror la li li.d li.s mulo mulou rem remu rol ror sge sgeu sgt sgtu sle sleu ulh ulhu ulw ush usw`) {
		m[w] = true
	}
	return m
}()

// probeValues are the numbers that an operand is asked about.
func probeValues() (out []int64) {
	seen := map[int64]bool{}
	add := func(v int64) {
		if !seen[v] {
			seen[v] = true
			out = append(out, v)
		}
	}
	for v := int64(-70); v <= 140; v++ {
		add(v)
	}
	for k := 6; k <= 33; k++ {
		for _, d := range []int64{-16, -8, -4, -3, -2, -1, 0, 1, 2, 3, 4, 8, 16} {
			add(1<<k + d)
			add(-1<<k + d)
		}
	}
	for _, v := range []int64{1<<62 - 1, 1<<63 - 1, -1 << 63, 260, 264, -260, -264, 1032, 1028, -1032, -1028} {
		add(v)
	}
	return out
}

// rowKinds are names of registers of each file.
var rowKinds = []struct{ kind, name string }{{"g", "$a0"}, {"f", "$f4"}, {"w", "$w4"}, {"a", "$ac2"}, {"c", "$fcc2"}}

var rowSyms = strings.Fields("lo hi gp_rel got call16 got_disp got_page got_ofst got_hi got_lo call_hi call_lo higher highest neg pcrel_hi pcrel_lo tlsgd tlsldm dtprel_hi dtprel_lo tprel_hi tprel_lo gottprel")

func symText(k int) string {
	if k == 0 {
		return "zz_q"
	}
	return "%" + rowSyms[k-1] + "(zz_q)"
}

// probe varies the operands of each row.
func (l *rowLearner) probe(rows []*row) error {
	values := probeValues()
	for v, p := range l.views {
		type question struct {
			r     *row
			op    int
			what  string
			value int64
		}
		var qs []question
		var lines []string
		for _, r := range rows {
			if r.view != v {
				continue
			}
			r.ops = make([]rowOperand, len(r.text))
			n := 0
			for i := range len(r.key.shape) {
				c := r.key.shape[i]
				if c == '[' || c == ']' {
					continue
				}
				r.ops[n].letter = c
				add := func(what string, value int64, text string) {
					t := slices.Clone(r.text)
					t[n] = text
					qs, lines = append(qs, question{r, n, what, value}), append(lines, r.key.line(t))
				}
				switch c {
				case 'R':
					for x := range int64(32) {
						add("reg", x, fmt.Sprintf("$%d", x))
					}
					for k, x := range rowKinds {
						add("kind", int64(k), x.name)
					}
				case 'I':
					for _, x := range values {
						add("imm", x, fmt.Sprint(x))
					}
					for k := range len(rowSyms) + 1 {
						add("sym", int64(k), symText(k))
					}
				case 'M':
					_, at, _ := strings.Cut(r.text[n], "(")
					for _, x := range values {
						add("imm", x, fmt.Sprintf("%d(%s", x, at))
					}
					for k := range len(rowSyms) + 1 {
						add("sym", int64(k), symText(k)+"("+at)
					}
					for x := range int64(32) {
						add("reg", x, fmt.Sprintf("4($%d)", x))
					}
				case 'X':
					for x := range int64(32) {
						add("reg", x, fmt.Sprintf("$%d($2)", x))
					}
				}
				n++
			}
			qs, lines = append(qs, question{r, -1, "base", 0}), append(lines, r.key.line(r.text))
		}
		as, err := p.assemble("", rowPrologue, lines)
		if err != nil {
			return err
		}
		for i := 0; i < len(qs); {
			j := i
			for j < len(qs) && qs[j].r == qs[i].r {
				j++
			}
			r := qs[i].r
			facts := make([]rowFact, 0, j-i)
			for k := i; k < j; k++ {
				if x := as[k].one(); x != nil && r.op != 0 && x.op != r.op {
					l.other(r, x.op, qs[k].op, qs[k].what, qs[k].value)
				}
				facts = append(facts, rowFact{qs[k].op, qs[k].what, qs[k].value, &as[k]})
			}
			l.infer(r, facts)
			i = j
		}
	}
	return nil
}

// other adds a row for another instruction that a value of an operand makes.
func (l *rowLearner) other(r *row, op desc.Opcode, at int, what string, value int64) {
	for _, o := range l.rows {
		if o.key == r.key && o.op == op {
			return
		}
	}
	if n := l.info.OpcodeName(op); n == "LWGP_MM" || n == "B16_MM" {
		return // made of what was read, by its values
	}
	t := slices.Clone(r.text)
	switch letter := r.ops[at].letter; {
	case what == "reg" && letter == 'R':
		t[at] = fmt.Sprintf("$%d", value)
	case what == "reg" && letter == 'M':
		t[at] = fmt.Sprintf("4($%d)", value)
	case what == "imm" && letter == 'I':
		t[at] = fmt.Sprint(value)
	case what == "imm" && letter == 'M':
		t[at] = fmt.Sprintf("%d($2)", value)
	default:
		return
	}
	l.rows = append(l.rows, &row{key: r.key, op: op, view: r.view, text: t, special: true})
}

// addresses drops the rows of numbers that are addresses without a register.
func (l *rowLearner) addresses() {
	l.rows = slices.DeleteFunc(l.rows, func(r *row) bool {
		s, ok := strings.CutSuffix(string(r.key.shape), "I")
		return ok && slices.ContainsFunc(l.rows, func(o *row) bool {
			return o.op == r.op && o.key.word == r.key.word && string(o.key.shape) == s+"M" && (r.op == 0 || slices.Contains(r.conv, "=ZERO") || slices.Contains(r.conv, "=ZERO_64"))
		})
	})
}

// rowFact is what the assembler says of one value of one operand.
type rowFact struct {
	op    int
	what  string
	value int64
	a     *assembled
}

// rowPredicates are what is said of registers together, not of one operand.
var rowPredicates = map[string]bool{"registers must be different": true, "source and destination must be different": true, "invalid operand ($zero) for instruction": true,
	"non-zero fcc register doesn't exist in current ISA level": true}

// infer makes operands and conversion of a row from answers.
func (l *rowLearner) infer(r *row, fs []rowFact) {
	ok := func(f *rowFact) bool {
		if f.a.failed || f.a.crashed {
			return false
		}
		if r.op == 0 {
			return true
		}
		if x := f.a.one(); x != nil {
			return x.op == r.op || r.wide(f)
		}
		return len(f.a.insts) > 1 && f.what != "reg" // an expansion of the value
	}
	base := fs[len(fs)-1].a
	r.same = make([]int, len(r.ops))
	if r.op != 0 {
		r.conv0 = base.insts[0].ops
	}
	for k := range r.ops {
		o := &r.ops[k]
		var taken, refused []int64
		diags := map[string]int{}
		for i := range fs {
			f := &fs[i]
			if f.op != k {
				continue
			}
			good := ok(f)
			switch f.what {
			case "reg":
				if good || f.a.failed && rowPredicates[f.a.msg] || o.letter == 'M' && !r.special && f.a.one() != nil {
					o.regs |= 1 << f.value
				}
			case "kind":
				if good {
					o.kinds += rowKinds[f.value].kind
				}
			case "sym":
				if good {
					o.syms |= 1 << f.value
				}
			case "imm":
				if good {
					taken = append(taken, f.value)
				} else {
					refused = append(refused, f.value)
					if f.a.failed {
						diags[f.a.msg]++
					}
				}
			}
		}
		most := 0
		for _, d := range sortedKeys(diags) {
			if diags[d] > most && (strings.HasPrefix(d, "expected") || strings.HasPrefix(d, "immediate op") || strings.HasPrefix(d, "branch t")) {
				o.diag, most = d, diags[d]
			}
		}
		if o.letter == 'I' || o.letter == 'M' {
			o.values(taken, refused)
		}
	}
	for n := range r.ops {
		for m := range n {
			if r.ops[n].letter == 'R' && r.ops[m].letter == 'R' && r.text[n] == r.text[m] && r.ops[n].regs&(r.ops[n].regs-1) == 0 && r.ops[m].regs == r.ops[n].regs {
				r.same[n] = 1 + m
				break
			}
		}
	}
	if r.op != 0 {
		l.convert(r, base.insts[0].ops, fs)
	}
}

// wide reports that the value of a fact makes another instruction that has the same operands: a
// shorter one, which is a row of its own.
func (r *row) wide(f *rowFact) bool {
	x := f.a.one()
	return f.op >= 0 && !r.special && len(x.ops) == len(r.conv0)
}

// values says which numbers were taken: a range around those nearest to zero, or a list. What
// lies beyond 2^20 apart from it is taken for want of a check, as its low bits.
func (o *rowOperand) values(taken, refused []int64) {
	if len(taken) == 0 {
		return
	}
	slices.Sort(taken)
	slices.Sort(refused)
	near := slices.DeleteFunc(slices.Clone(taken), func(v int64) bool { return v < -1<<20 || v > 1<<20 })
	if len(near) == 0 || len(refused) == 0 {
		near = taken
	}
	o.align = 1
	for _, a := range []int64{16, 8, 4, 2} {
		if !slices.ContainsFunc(near, func(v int64) bool { return v%a != 0 }) {
			o.align = a
			break
		}
	}
	// The run of those that are taken around one near to zero.
	start := slices.MinFunc(near, func(a, b int64) int { return int(max(a, -a) - max(b, -b)) })
	o.lo, o.hi = start, start
	below, above := int64(-1<<63), int64(1<<63-1)
	for _, v := range refused {
		if v%o.align == 0 && v < start {
			below = v
		}
		if v%o.align == 0 && v > start && above == 1<<63-1 {
			above = v
		}
	}
	for _, v := range taken {
		if (v > below || len(refused) == 0 || below == -1<<63) && v < o.lo && v%o.align == 0 {
			o.lo = v
		}
		if (v < above || above == 1<<63-1) && v > o.hi && v%o.align == 0 {
			o.hi = v
		}
	}
	first, last := near[0], near[len(near)-1]
	if first >= o.lo && last <= o.hi {
		return
	}
	o.list = near
	inside := slices.DeleteFunc(slices.Clone(refused), func(v int64) bool { return v < first || v > last || v%o.align != 0 })
	if len(inside) <= 8 || len(near) > 100 {
		o.lo, o.hi, o.list = first, last, nil
		if len(inside) <= 8 {
			o.except = inside
		}
	}
}

// convert finds where the instruction's operands come from.
func (l *rowLearner) convert(r *row, base []operand, fs []rowFact) {
	r.conv = make([]string, len(base))
	for k := range base {
		b := base[k]
		src := ""
		for n := range r.ops {
			// Does it follow operand n, and as what?
			follows := map[string]bool{}
			var xs, ys []int64
			for i := range fs {
				f := &fs[i]
				x := f.a.one()
				if f.op != n || x == nil || x.op != r.op || len(x.ops) != len(base) {
					continue
				}
				if x.ops[k] != b {
					follows[f.what] = true
				}
				if f.what == "imm" && x.ops[k].kind == kindImm {
					xs, ys = append(xs, f.value), append(ys, x.ops[k].val)
				}
			}
			switch {
			case r.ops[n].letter == 'R' && follows["reg"]:
				src = fmt.Sprintf("r%d", n)
				r.ops[n].class = l.class(r.op, k, b)
			case r.ops[n].letter == 'X' && follows["reg"]:
				src = fmt.Sprintf("x%d", n)
				r.ops[n].class = l.class(r.op, k, b)
			case r.ops[n].letter == 'M' && follows["reg"]:
				src = fmt.Sprintf("b%d", n)
				r.ops[n].base = l.class(r.op, k, b)
			case (r.ops[n].letter == 'I' || r.ops[n].letter == 'M') && (follows["imm"] || follows["sym"]):
				src = fmt.Sprintf("i%d%s", n, wrapOf(xs, ys))
			default:
				continue
			}
			break
		}
		if src == "" && b.kind == kindReg && slices.Contains([]byte(r.key.shape), 'X') {
			// The base of an indexed address, which was not varied.
			for n := range r.ops {
				if r.ops[n].letter == 'X' && l.numbered(b.val, 2) {
					src, r.ops[n].base = fmt.Sprintf("b%d", n), l.class(r.op, k, b)
				}
			}
		}
		if src == "" {
			switch b.kind {
			case kindReg:
				src = "=" + l.regName(b.val)
				if n := slices.IndexFunc(r.same, func(m int) bool { return m > 0 && l.numbered(b.val, 2) }); n >= 0 {
					src, r.ops[r.same[n]-1].class = fmt.Sprintf("r%d", r.same[n]-1), l.class(r.op, k, b)
					r.ops[r.same[n]-1].regs = 1<<32 - 1
					break
				}
				// An operand that takes one register.
				for n := range r.ops {
					if r.ops[n].letter == 'R' && r.ops[n].class == "" && r.ops[n].regs&(r.ops[n].regs-1) == 0 && !slices.ContainsFunc(r.conv[:k], func(s string) bool { return s == fmt.Sprintf("r%d", n) }) {
						if c := l.class(r.op, k, b); c != "" && l.numbered(b.val, 2+n) {
							src, r.ops[n].class = fmt.Sprintf("r%d", n), c
							break
						}
					}
				}
			case kindImm:
				src = fmt.Sprintf("#%d", b.val)
			default:
				src = "?"
			}
		}
		r.conv[k] = src
	}
	for n := range r.ops {
		if o := &r.ops[n]; o.letter == 'R' && o.class == "" {
			o.class = "-" // read and not used
		}
	}
}

func (l *rowLearner) regName(v int64) string {
	if v == 0 {
		return "NoRegister"
	}
	return l.info.RegName(desc.PhysReg(v))
}

// numbered reports that a register has the number n in its file.
func (l *rowLearner) numbered(r int64, n int) bool {
	return int(l.info.Regs[r].Encoding) == n
}

func (l *rowLearner) class(op desc.Opcode, k int, b operand) string {
	c := l.info.OperandClass(op, k, l.info.DefaultMode)
	if c == desc.NoClass || int(c) >= len(l.info.Classes) {
		return ""
	}
	if b.kind == kindReg && !l.info.ClassContains(c, desc.PhysReg(b.val)) {
		return "PTR" // of the size of pointers
	}
	return l.info.RegClassName(c)
}

// wrapOf says how numbers become operands: as they are, or wrapped to signed or unsigned ones
// of some bits, or with something added.
func wrapOf(xs, ys []int64) string {
	all := func(f func(x int64) int64) bool {
		for i := range xs {
			if f(xs[i]) != ys[i] {
				return false
			}
		}
		return true
	}
	if all(func(x int64) int64 { return x }) {
		return ""
	}
	if all(func(x int64) int64 { return -x }) {
		return "n"
	}
	for n := 1; n < 64; n++ {
		if all(func(x int64) int64 { return -x << (64 - n) >> (64 - n) }) {
			return fmt.Sprintf("n%d", n)
		}
		if all(func(x int64) int64 { return x << (64 - n) >> (64 - n) }) {
			return fmt.Sprintf("s%d", n)
		}
		if all(func(x int64) int64 { return x & (1<<n - 1) }) {
			return fmt.Sprintf("u%d", n)
		}
	}
	if d := ys[0] - xs[0]; all(func(x int64) int64 { return x + d }) {
		return fmt.Sprintf("+%d", d)
	}
	for n := 1; n < 5; n++ {
		if all(func(x int64) int64 { return x >> n }) {
			return fmt.Sprintf(">%d", n)
		}
	}
	var b []string
	for i := range xs {
		b = append(b, fmt.Sprintf("%d=%d", xs[i], ys[i]))
	}
	return "{" + strings.Join(b, ";") + "}"
}

// features finds what rows ask of features.
func (l *rowLearner) features(ask string) error {
	r := &reader{info: l.info, t: targets["Mips"], syntax: syntaxes["Mips"]}
	names := r.featureRank()
	var all []gridAnswer
	lines := make([]string, len(l.rows))
	ops := map[rowKey]map[desc.Opcode]bool{}
	for i, x := range l.rows {
		lines[i] = x.key.line(x.text)
		if ops[x.key] == nil {
			ops[x.key] = map[desc.Opcode]bool{}
		}
		ops[x.key][x.op] = true
	}
	for _, g := range mipsGrid() {
		p, err := start(ask, view{g.triple, g.cpu, "", -1})
		if err != nil {
			return err
		}
		for _, fs := range g.features {
			as, err := p.assemble(fs, rowPrologue, lines)
			if err != nil {
				p.close()
				return err
			}
			a := gridAnswer{has: r.gridHas(g, fs), got: make([]gridResult, len(l.rows)), read: make([]desc.Opcode, len(l.rows))}
			for i, x := range l.rows {
				switch {
				case as[i].crashed:
				case as[i].one() != nil && x.op == 0 && ops[x.key][as[i].one().op]:
					a.got[i] = gridOther
				case !as[i].failed && x.op == 0:
					a.got[i] = gridWon
				case as[i].one() != nil && as[i].one().op == x.op:
					a.got[i] = gridWon
				case !as[i].failed:
					a.got[i] = gridOther
				case as[i].msg == r.syntax.needs:
					a.got[i] = gridLacks
				}
			}
			all = append(all, a)
		}
		p.close()
	}
	for i, x := range l.rows {
		var left int
		if x.needs, left = r.separate(all, i, names); left > 0 {
			fmt.Printf("  not told apart in %d: %s\n", left, lines[i])
		}
	}
	return nil
}

// text writes the rows: mnemonic, opcode, features, operands, conversion.
func (l *rowLearner) text() []byte {
	var diags []string
	diagOf := func(d string) int {
		if d == "" {
			return 0
		}
		k := slices.Index(diags, d)
		if k < 0 {
			k = len(diags)
			diags = append(diags, d)
		}
		return k + 1
	}
	var lines []string
	slices.SortStableFunc(l.rows, func(a, b *row) int { return strings.Compare(a.order(), b.order()) })
	for _, x := range l.rows {
		name := "-"
		if x.op != 0 {
			name = l.info.OpcodeName(x.op)
		}
		var needs []string
		for _, t := range x.needs {
			s := l.featureName(uint16(t &^ desc.FeatureNot))
			if t&desc.FeatureNot != 0 {
				s = "!" + s
			}
			needs = append(needs, s)
		}
		sort.Strings(needs)
		var ops []string
		n := 0
		for i := range len(x.key.shape) {
			if c := x.key.shape[i]; c == '[' || c == ']' {
				ops = append(ops, string(c))
				continue
			}
			o := &x.ops[n]
			n++
			numbers := fmt.Sprintf("%d:%d:%d:%x:%d", o.lo, o.hi, o.align, o.syms, diagOf(o.diag))
			for _, v := range o.except {
				numbers += fmt.Sprintf(":%d", v)
			}
			if o.list != nil {
				var b []string
				for _, v := range o.list {
					b = append(b, fmt.Sprint(v))
				}
				numbers = fmt.Sprintf("%s:%x:%d", strings.Join(b, ";"), o.syms, diagOf(o.diag))
			}
			switch o.letter {
			case 'R':
				if m := x.same[n-1]; m > 0 {
					ops = append(ops, fmt.Sprintf("=%d", m-1))
					continue
				}
				ops = append(ops, fmt.Sprintf("R%s:%s:%x", o.class, o.kinds, o.regs))
			case 'I':
				ops = append(ops, "I"+numbers)
			case 'M':
				ops = append(ops, fmt.Sprintf("M%s:%x:%s", o.base, o.regs, numbers))
			case 'X':
				ops = append(ops, fmt.Sprintf("R%s::%x", o.class, o.regs), "(", fmt.Sprintf("R%s:g:ffffffff", o.base), ")")
			}
		}
		lines = append(lines, fmt.Sprintf("%s\t%s\t%s\t%s\t%s", x.key.word, name, strings.Join(needs, ","), strings.Join(ops, " "), strings.Join(x.conv, " ")))
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "%%\t%s\n", strings.Join(rowSyms, " "))
	for i, d := range diags {
		fmt.Fprintf(&b, "!%d\t%s\n", i+1, d)
	}
	for _, s := range slices.Compact(lines) {
		b.WriteString(s + "\n")
	}
	return b.Bytes()
}

// order is where LLVM's matcher has a row among those of its mnemonic: those with fewer operands
// first, then by the names of the operands' classes, and a class before one that has all of it.
func (x *row) order() string {
	b := []byte(x.key.word + "\t")
	b = append(b, byte('0'+len(x.ops)+strings.Count(string(x.key.shape), "[")*2))
	if x.special {
		b = append(b, '\t') // before blanks
	}
	for i := range x.ops {
		o := &x.ops[i]
		size := 0
		for m := o.regs; m != 0; m &= m - 1 {
			size++
		}
		width := len(fmt.Sprint(o.hi - o.lo))
		if o.list != nil {
			width = 0
		}
		class := o.class
		switch {
		case o.letter == 'I' && (strings.Contains(o.diag, "16-bit") || strings.Contains(o.diag, "32-bit")):
			class = "SImm"
		case o.letter == 'I' && (o.diag == "" || strings.HasPrefix(o.diag, "branch")):
			class = "Imm"
		case o.letter == 'I':
			class = "Constant"
		case o.letter == 'M':
			class = "Mem"
		case o.letter == 'X':
			class = "GPR"
		case class == "":
			class = "GPR32"
		}
		b = append(b, fmt.Sprintf(" %s.%02d.%02d", class, size, width)...)
	}
	return string(append(b, fmt.Sprintf(" %d", 9-len(x.needs))...))
}

func (l *rowLearner) featureName(bit uint16) string {
	for i := range l.info.Features {
		if l.info.Features[i].Bit == bit {
			return l.info.Str(l.info.Features[i].Name)
		}
	}
	return "?"
}
